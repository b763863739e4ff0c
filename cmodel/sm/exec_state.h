// SPDX-License-Identifier: Apache-2.0
/* exec_state.h -- private: an instruction of a group at work, and the next step of the loop. */
#ifndef WARPLOCK_SM_EXEC_STATE_H
#define WARPLOCK_SM_EXEC_STATE_H

#include "gpu.h"

/* Next step of the loop after an instruction. */
enum flow {
	FLOW_NEXT,    /* go on with the current group; the pc is right */
	FLOW_SWITCH,  /* another group's turn */
	FLOW_GATHER,  /* as FLOW_SWITCH; the instruction counts when the request is accepted */
	FLOW_REQUEST, /* the group stands (again) at an instruction for a unit: SOURCE offers it */
	FLOW_HOLD,    /* the group stands (again) at an instruction that must wait for posted requests */
	FLOW_STOP,    /* the run is over: gpu->outcome says how */
};

struct exec {
	struct wl_gpu *gpu;
	struct sm *sm;
	struct warp *w;
	struct group *g;
	struct wl_conv_warp *conv;
	lane_row *r;   /* the warp's registers */
	uint32_t *uni; /* the group's uniform registers */
	const lane_row *shared_rows;
	const struct op *op;
	const struct wl_inst *in;
	uint32_t pc;     /* instruction index of op */
	uint32_t done;   /* instructions of this turn so far: the clock is sm->issued + done */
	uint32_t turned; /* ... at the start of the group's own turn, if the turn started among these */
	uint32_t follow; /* a single lane: the loop ends when the lane has left the current group; 0 = no lane */
	uint32_t mask;   /* executing lanes: active and guard true; never 0 */
	const uint32_t *a, *b, *c; /* sources; of 64-bit sources [32..63] are the high words */
	unsigned sm_index, warp_index;
	struct wl_inst made; /* the request in place of USYNCS: usyncs.h */
	struct op made_op;
	uint32_t made_for; /* executing lanes of the USYNCS */
	_Alignas(16) uint32_t tmp[3][2 * WL_WARP_LANES];
};
void exec_init(struct exec *x, struct wl_gpu *gpu, unsigned sm, unsigned warp);

typedef enum flow exec_fn(struct exec *x);
/* exec_<uop> for micro-operations of FRONT, exec_unit_<unit> for the rest: EXEC_OF expands to either name. */
#define EXEC_PROBE_FRONT        ~,
#define EXEC_SECOND_(a, b, ...) b
#define EXEC_SECOND(...)        EXEC_SECOND_(__VA_ARGS__)
#define EXEC_OF(name, unit)     EXEC_SECOND(EXEC_PROBE_##unit exec_##name, exec_unit_##unit, ~)
#define UOP(name, unit, ...)    exec_fn EXEC_OF(name, unit);
#include "../isa/uops.def"
#undef UOP

/* The SM has a DUT. */
static inline bool sm_in_dut(const struct wl_gpu *gpu, unsigned sm)
{
	return sm < gpu->dut_sms;
}
/* The unit of x's instruction is in the DUT. */
static inline bool unit_in_dut(const struct exec *x)
{
	return __builtin_expect(x->gpu->dut != 0, 0) && x->gpu->dut >> x->op->unit & 1 &&
	       sm_in_dut(x->gpu, x->sm_index);
}
/* Shared memory lies in the DUT, out of reach of the front end. */
static inline bool shared_in_dut(const struct exec *x)
{
	return x->gpu->dut >> WL_UNIT_atoms_pipe & 1 && sm_in_dut(x->gpu, x->sm_index);
}
/* The DUT knows the CTAs of a cluster, and reaches the shared memory of all CTAs of a cluster. */
static inline bool cluster_in_dut(const struct exec *x)
{
	return x->gpu->dut >> WL_UNIT_cluster_barrier & 1;
}
/* The DUT keeps the convergence barriers: every EXIT and YIELD asks the DUT, too. */
static inline bool converges_in_dut(const struct wl_gpu *gpu, unsigned sm)
{
	return __builtin_expect(gpu->dut != 0, 0) && gpu->dut >> WL_UNIT_convergence & 1 && sm_in_dut(gpu, sm);
}
/* The DUT counts warps: the DUT is told of the end of a warp. */
static inline bool exit_in_dut(const struct wl_gpu *gpu, unsigned sm)
{
	return gpu->dut & (1u << WL_UNIT_barrier_file | 1u << WL_UNIT_convergence | 1u << WL_UNIT_cluster_barrier) &&
	       sm_in_dut(gpu, sm);
}
/* Requests that get on by themselves, while nothing else happens. */
static inline uint32_t gpu_busy(const struct wl_gpu *g)
{
	return g->inflight - g->waits + g->offered;
}

#endif
