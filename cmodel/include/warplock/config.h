// SPDX-License-Identifier: Apache-2.0
/* config.h -- sizes and the address map of the modelled SM, stated once.
 *
 * The Verilog twin of the numbers is rtl/gen/wl_config.vh; `make` generates the twin from this file
 * (cmodel/isa/gen/wlgen.py). Change the numbers here only. */
#ifndef WARPLOCK_CONFIG_H
#define WARPLOCK_CONFIG_H

#include <stdint.h>

#include "warplock/archs.h"
#include "warplock/schedule.h"

#define WL_VERSION "0.1" /* of tools and libraries; the Makefile reads this line */

enum {
	WL_WARP_LANES = 32, /* threads of a warp: fixed for every configuration */
#ifndef WL_SM_WARPS
	WL_MAX_CTAS = 16,  /* CTA slots of an SM */
	WL_MAX_WARPS = 48, /* resident warps of an SM */
#else                      /* a program compiled whole for a smaller SM, as a board's firmware */
	WL_MAX_CTAS = WL_SM_CTAS,
	WL_MAX_WARPS = WL_SM_WARPS,
#endif
	WL_MAX_CLUSTER = 16,    /* CTAs of a cluster; more than 8 are not portable */
	WL_MAX_PORTS = 4,       /* request ports of sync_core */
	WL_MAX_POSTED = 4,      /* outstanding posted requests of a warp, at most */
	WL_RZ = 255,            /* register number: reads 0, swallows writes */
	WL_PT = 7,              /* predicate: always true */
	WL_NUM_REGS = 255,      /* R0 .. R254 */
	WL_NUM_PREDS = 7,       /* P0 .. P6 */
	WL_NUM_CBARS = 16,      /* convergence barriers B0 .. B15 of a warp */
	WL_MOST_SHARED = 65536, /* bytes of shared memory of an SM of the RTL, at most */
};

/* Address map of generic addresses. Global heap and windows do not overlap; address 0 is never valid. */
#define WL_GLOBAL_BASE   UINT64_C(0x0000000300000000) /* first byte of the global heap */
#define WL_SHARED_WINDOW UINT64_C(0x0000000100000000) /* generic address of shared byte 0 */
#define WL_LOCAL_WINDOW  UINT64_C(0x0000000200000000) /* generic address of local byte 0 */
#define WL_MODULE_BASE   UINT64_C(0x0000000700000000) /* variables of the module: __device__, strings, tables */
#define WL_CONST_BASE    UINT64_C(0x0000000800000000) /* byte 0 of constant bank 3 (__constant__) by generic address */
#define WL_PARAM_BASE    UINT64_C(0x0000000900000000) /* byte 0 of constant bank 0; only parameters exist there */

/* Constant bank 0: byte offsets of the values written by a launch, a row for each architecture with a model. Windows
 * are 64-bit generic addresses of byte 0; kernels of sm_90 on take the shared window from SR_SWINHI. The descriptor of
 * global memory is opaque and reads as 0. Source: docs/spec/objects.md, "Constant bank 0". */
#define WL_CB0_NONE 0xffff
#define WL_CB0_LAYOUTS(ROW)                                                                                            \
	/*  arch   block  grid   stack  shared window  local window  descriptor   parameters */                        \
	ROW(SM75, 0x0, 0xc, 0x28, 0x18, 0x20, WL_CB0_NONE, 0x160)                                                      \
	ROW(SM80, 0x0, 0xc, 0x28, 0x18, 0x20, 0x118, 0x160)                                                            \
	ROW(SM90, 0x0, 0xc, 0x28, WL_CB0_NONE, 0x20, 0x208, 0x210)                                                     \
	ROW(SM100, 0x360, 0x370, 0x37c, WL_CB0_NONE, 0x2f8, 0x358, 0x380)                                              \
	ROW(SM120, 0x360, 0x370, 0x37c, WL_CB0_NONE, 0x2f8, 0x358, 0x380)
enum {
	WL_CB0_SIZE = 0x1380, /* bank size where parameters take 4 KiB at most */
#define ROW(arch, block, grid, stack, shared, local, desc, param)                                                      \
	WL_CB0_NTID_X_##arch = (block),          /* blockDim x, y, z */                                                \
	        WL_CB0_NCTAID_X_##arch = (grid), /* gridDim x, y, z */                                                 \
	        WL_CB0_STACK_##arch = (stack),   /* start value of R1 */                                               \
	        WL_CB0_PARAM_##arch = (param),
	WL_CB0_LAYOUTS(ROW)
#undef ROW
};
/* More offsets in bank 0: the generic address of constant bank 3, and PTX's special registers: %envreg0 (cooperative
 * launch: 1 and 2 are the high and low half of the address of the grid's workspace), %dynamic_smem_size, %gridid (64
 * bits), %nsmid. Shared memory: bytes reserved by the system (%total_smem_size is SR_SMEMSZ without the reserved
 * bytes), the end of the reserved part and the start of the reserved part for cooperative groups
 * (%reserved_smem_offset_end and _1), the maximum of %aggr_smem_size. Clusters: %is_explicit_cluster, %cluster_nctaid,
 * the float32 factor from %ctaid to %clusterid, %nclusterid, %cluster_nctarank. sm_100 and sm_120 form some of the
 * addresses with SR_CgaSize, always 0 in the model. Parameters by generic addresses: before sm_90 the address of the
 * bank's byte 0 and the offset of the last parameter's last byte (32 bits), from sm_90 on the addresses of the first
 * and the last byte. */
#define WL_CB0_SPECIALS(ROW)                                                                                           \
	/*  arch   bank 3  envreg  dynamic  grid   SMs  shared  end  groups  aggregate  explicit  cluster */           \
	/*  divisor  clusters  rank  params end */                                                                     \
	ROW(SM75, 0x50, 0x88, 0x2c, 0x30, 0x10c, WL_CB0_NONE, WL_CB0_NONE, WL_CB0_NONE, WL_CB0_NONE, WL_CB0_NONE,      \
	    WL_CB0_NONE, WL_CB0_NONE, WL_CB0_NONE, WL_CB0_NONE, 0x40, 0x114)                                           \
	ROW(SM80, 0x50, 0x88, 0x2c, 0x30, 0x10c, 0x114, 0x120, 0x124, WL_CB0_NONE, WL_CB0_NONE, WL_CB0_NONE,           \
	    WL_CB0_NONE, WL_CB0_NONE, WL_CB0_NONE, 0x40, 0x12c)                                                        \
	ROW(SM90, 0xd0, 0x40, 0x2c, 0x30, 0x10c, 0x114, 0x68, 0x6c, 0x13c, 0x140, 0x144, 0x150, 0x15c, 0x188, 0x198,   \
	    0x1a0)                                                                                                     \
	ROW(SM100, 0x120, 0x250, 0x2ac, 0x140, 0x2d0, 0x16c, 0x278, 0x27c, 0x2bc, 0x36c, 0x2a0, 0x2b0, 0x2c0, 0x2cc,   \
	    0x348, 0x350)                                                                                              \
	ROW(SM120, 0x120, 0x250, 0x2ac, 0x140, 0x2d0, 0x16c, 0x278, 0x27c, 0x2bc, 0x36c, 0x2a0, 0x2b0, 0x2c0, 0x2cc,   \
	    0x348, 0x350)
/* KiB of shared memory of an SM and of a CTA at most, by chip. Source: CUDA C++ Programming Guide, "Technical
 * Specifications per Compute Capability". The RTL has WL_MOST_SHARED. */
// clang-format off
#define WL_CHIP_SHARED(ROW)                                                                                            \
	ROW(75, 64, 64) ROW(80, 164, 163) ROW(86, 100, 99) ROW(87, 164, 163) ROW(88, 100, 99) ROW(89, 100, 99)         \
	ROW(90, 228, 227) ROW(100, 228, 227) ROW(103, 228, 227) ROW(107, 228, 227) ROW(110, 228, 227) ROW(120, 100, 99) ROW(121, 100, 99)
// clang-format on
#define WL_CHIP_MOST_SHARED (228 * 1024)
/* Bytes; a chip outside of the table gets the values of sm_75. */
uint32_t wl_chip_shared_of_sm(unsigned chip);
uint32_t wl_chip_shared_of_cta(unsigned chip);

struct wl_cb0_specials {
	enum wl_arch arch;
	uint16_t constants, envreg, dynamic_shared, grid_id, sms, shared, reserved_end, reserved_groups, aggregate,
	        explicit_cluster, cluster, divisor, clusters, cluster_rank, params, params_end;
};

/* Before sm_90 parameters of more than WL_PARAM_SMALL bytes begin at another offset. Source: words and .nv.info of
 * ptxas 13.0. */
#define WL_PARAM_SMALL     0x1100
#define WL_PARAM_MOST      0x7ffc /* bytes of a kernel's parameters, at most */
#define WL_CB0_PARAM_LARGE 0x1a80
#define WL_CB0_MOST        (WL_CB0_PARAM_LARGE + WL_PARAM_MOST) /* end of parameters, at most */

struct wl_cb0_layout {
	enum wl_arch arch;
	uint16_t ntid_x, nctaid_x, stack, shared_window, local_window, descriptor, param; /* WL_CB0_NONE: absent */
};
/* NULL: the model does not run the architecture. */
const struct wl_cb0_layout *wl_cb0_layout(enum wl_arch arch);
/* Offset of `bytes` bytes of parameters. */
uint32_t wl_cb0_param_base(enum wl_arch arch, uint64_t bytes);

/* One configuration of the modelled hardware. Architectural results depend on arch, shared_bytes, native and seed
 * only; lanes, banks, ports and combine change passes and cycles. Source: docs/spec/units.md, "Warps and lanes". */
struct wl_config {
	enum wl_arch arch;
	unsigned sms;          /* 1.. */
	unsigned ctas_per_sm;  /* 1..WL_MAX_CTAS */
	unsigned warps_per_sm; /* 1..WL_MAX_WARPS */
	unsigned shared_bytes; /* shared memory of an SM: 4096..65536, power of two, or as much as the chip has */
	unsigned lanes;        /* 4, 8, 16, 32 */
	unsigned banks;        /* 4, 8, 16, 32 */
	unsigned ports;        /* 1, 2, 4 */
	unsigned combine;      /* words of a pass taking all lanes of an atomic or store: 0, 1, 2 */
	unsigned native;       /* 1: native shared operations, words of ours, are known (docs/native.md) */
	uint64_t seed;
	unsigned schedule; /* enum wl_schedule: the order of the warps */
	unsigned chip;     /* chip with the words of arch (86: sm_80): selects cubin and PTX; 0 = arch */
};

/* sm_75, 1 SM, 16 CTAs, 48 warps, 64 KiB, 32 lanes, 32 banks, 1 port, seed 1.
 * Source: docs/spec/lockstep.md, "Defaults". */
static inline struct wl_config wl_config_default(void)
{
	struct wl_config c = {WL_SM75, 1, WL_MAX_CTAS, WL_MAX_WARPS, 65536, 32, 32, 1, 0, 0, 1, WL_SCHEDULE_STEADY, 0};
	return c;
}

#endif
