// SPDX-License-Identifier: Apache-2.0
/* config.h -- sizes and the address map of the modelled SM, stated once.
 *
 * The Verilog twin of the numbers is rtl/wl_config.vh, which `make` generates from this file
 * (cmodel/isa/wlgen); change them here only. */
#ifndef WARPLOCK_CONFIG_H
#define WARPLOCK_CONFIG_H

#include <stdint.h>

enum {
	WL_WARP_LANES = 32, /* threads of a warp: fixed for every configuration */
	WL_MAX_CTAS = 16,   /* CTA slots of one SM */
	WL_MAX_WARPS = 48,  /* resident warps of one SM */
	WL_MAX_PORTS = 4,   /* request ports of sync_core */
	WL_MAX_POSTED = 4,  /* posted requests that one warp may have outstanding */
	WL_RZ = 255,        /* register number that reads 0 and swallows writes */
	WL_PT = 7,          /* predicate that is always true */
	WL_NUM_REGS = 255,  /* R0 .. R254 */
	WL_NUM_PREDS = 7,   /* P0 .. P6 */
	WL_NUM_CBARS = 16,  /* convergence barriers B0 .. B15 of a warp */
};

/* Architectures that have encoding rows. The value is the decimal SM number. */
enum wl_arch { WL_SM75 = 75, WL_SM80 = 80, WL_SM90 = 90, WL_SM100 = 100, WL_SM120 = 120 };

/* Address map of generic addresses. Global heap and windows do not overlap; address 0 is never valid. */
#define WL_GLOBAL_BASE   UINT64_C(0x0000000300000000) /* first byte of the global heap */
#define WL_SHARED_WINDOW UINT64_C(0x0000000100000000) /* generic address of shared byte 0 */
#define WL_LOCAL_WINDOW  UINT64_C(0x0000000200000000) /* generic address of local byte 0 */
#define WL_MODULE_BASE   UINT64_C(0x0000000700000000) /* variables of the module: __device__, strings, tables */

/* Constant bank 0 of sm_75 to sm_90, and where sm_100 and sm_120 differ. Source: words of ptxas 13.0. */
enum {
	WL_CB0_NTID_X = 0x0,         /* blockDim x, y, z: 0x0 0x4 0x8 */
	WL_CB0_NCTAID_X = 0xc,       /* gridDim x, y, z: 0xc 0x10 0x14 */
	WL_CB0_SHARED_WINDOW = 0x18, /* generic address of shared byte 0, 64 bits (sm_75, sm_80) */
	WL_CB0_LOCAL_WINDOW = 0x20,  /* generic address of local byte 0, 64 bits */
	WL_CB0_STACK = 0x28,         /* start value of R1 */
	WL_CB0_PARAM_SM75 = 0x160,   /* and sm_80 */
	WL_CB0_PARAM_SM90 = 0x210,
	WL_CB0_PARAM_SM100 = 0x380, /* and sm_120 */
	WL_CB0_NTID_X_SM100 = 0x360,
	WL_CB0_NCTAID_X_SM100 = 0x370,
	WL_CB0_STACK_SM100 = 0x37c,
	WL_CB0_SIZE = 0x1160, /* bank size: parameters may take 4 KiB */
};

/* One configuration of the modelled hardware. Architectural results depend on arch, shared_bytes and seed
 * only; lanes, banks, ports and combine change passes and cycles (design, "Contracts"). */
struct wl_config {
	enum wl_arch arch;
	unsigned sms;          /* 1.. */
	unsigned ctas_per_sm;  /* 1..WL_MAX_CTAS */
	unsigned warps_per_sm; /* 1..WL_MAX_WARPS */
	unsigned shared_bytes; /* shared memory of one SM: 4096..65536, power of two */
	unsigned lanes;        /* 4, 8, 16, 32 */
	unsigned banks;        /* 4, 8, 16, 32 */
	unsigned ports;        /* 1, 2, 4 */
	unsigned combine;      /* 0 (1 is not built yet) */
	uint64_t seed;
};

/* The defaults of section 6 of the lockstep contract: sm_75, 1 SM, 16 CTAs, 48 warps, 64 KiB, 32/32/1, seed 1. */
static inline struct wl_config wl_config_default(void)
{
	struct wl_config c = {WL_SM75, 1, WL_MAX_CTAS, WL_MAX_WARPS, 65536, 32, 32, 1, 0, 1};
	return c;
}

#endif
