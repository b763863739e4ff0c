// SPDX-License-Identifier: Apache-2.0
// Barriers, dead and staying. The comment behind each barrier holds the verdict: ../run_dead_barriers.
#define KERNEL   __attribute__((nvptx_kernel)) void
#define SHARED   __attribute__((address_space(3)))
#define CONSTANT __attribute__((address_space(4)))
#define NOINLINE static __attribute__((noinline))
#define tid      (__nvvm_read_ptx_sreg_tid_x())
typedef unsigned u32;

static SHARED u32 s[64], t[64];
CONSTANT u32 table[64] = {1, 2, 3};
void somewhere(void);

KERNEL adjacent(u32 *out)
{
	s[tid] = tid;
	__syncthreads(); // dead
	__syncthreads(); // dead
	__syncthreads(); // stays
	out[tid] = s[63 - tid];
}

KERNEL only_arithmetic(u32 *out, u32 n)
{
	s[tid] = n;
	__syncthreads(); // dead
	u32 x = tid * n + 3;
	x ^= x >> 3;
	__syncthreads(); // stays
	out[tid] = s[x & 63];
}

KERNEL at_the_start(u32 *out)
{
	__syncthreads(); // dead
	out[tid] = 1;
}

KERNEL at_the_end(u32 *out)
{
	out[tid] = 1;
	__syncthreads(); // dead
}

KERNEL reads_alone(u32 *out, const u32 *in)
{
	u32 x = in[tid];
	__syncthreads(); // dead
	x += in[63 - tid];
	__syncthreads(); // stays
	out[tid] = x;
}

KERNEL local_memory(u32 *out, u32 n)
{
	volatile u32 own[8];
	s[tid] = n;
	__syncthreads(); // dead
	for (u32 i = 0; i < 8; i++)
		own[i] = i * n;
	u32 x = own[n & 7];
	__syncthreads(); // stays
	out[tid] = x + s[63 - tid];
}

KERNEL constant_memory(u32 *out, u32 n)
{
	s[tid] = n;
	__syncthreads(); // dead
	u32 x = table[n & 63];
	__syncthreads(); // stays
	out[tid] = x + s[63 - tid];
}

KERNEL in_a_loop(u32 *out, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		s[tid] = i;
		__syncthreads(); // dead
		__syncthreads(); // stays
		out[tid] += s[63 - tid];
		__syncthreads(); // stays
	}
}

KERNEL empty_loop(u32 *out, u32 n)
{
	s[tid] = n;
	for (u32 i = 0; i < n; i++)
		__syncthreads(); // stays
	out[tid] = s[63 - tid];
}

KERNEL loop_of_nothing(u32 *out, u32 n)
{
	for (u32 i = 0; i < n; i++)
		__syncthreads(); // dead
	out[tid] = n;
}

KERNEL same_for_all(u32 *out, u32 n)
{
	s[tid] = n;
	if (n & 1) {
		__syncthreads(); // dead
		n *= 3;
	}
	__syncthreads(); // stays
	out[tid] = s[63 - tid] + n;
}

KERNEL one_way_only(u32 *out, u32 n)
{
	s[tid] = n;
	if (n & 1)
		__syncthreads(); // stays
	out[tid] = s[63 - tid];
}

KERNEL apart(u32 *out)
{
	if (tid < 32) {
		s[tid] = tid;
		__syncthreads(); // stays
		__syncthreads(); // stays
	} else {
		__syncthreads(); // stays
		out[tid] = s[tid - 32];
		__syncthreads(); // stays
	}
}

KERNEL rounds_differ(u32 *out, u32 n)
{
	__syncthreads(); // stays
	for (u32 i = 0; i < (tid & 32) + n; i += 32)
		__syncthreads(); // stays
	out[tid] = n;
}

KERNEL loaded_bound(u32 *out)
{
	__syncthreads(); // stays
	u32 n = out[64];
	for (u32 i = 0; i < n; i++)
		__syncthreads(); // stays
	out[tid] = n;
}

KERNEL early_end(u32 *out, u32 n)
{
	if (tid >= n)
		return;
	s[tid] = n;
	__syncthreads(); // stays
	__syncthreads(); // stays
	out[tid] = s[n - 1 - tid];
}

KERNEL common_result(u32 *out, u32 n)
{
	int again = 1;
	__syncthreads();                  // dead
	while (__syncthreads_or(again)) { // stays
		__syncthreads();          // dead
		again = (n -= tid) < 1000;
	}
	out[tid] = n;
}

KERNEL write_above_write_below(u32 *out)
{
	s[tid] = 1;
	__syncthreads(); // stays
	s[63 - tid] = 2;
	__syncthreads(); // stays
	out[tid] = s[tid];
}

KERNEL read_above_write_below(u32 *out)
{
	u32 x = out[63 - tid];
	__syncthreads(); // stays
	out[tid] = x;
}

KERNEL an_atomic(u32 *out)
{
	__syncthreads(); // stays
	__nvvm_atom_add_gen_i((int *)out, 1);
	__syncthreads(); // dead
	__syncthreads(); // stays
	__nvvm_atom_add_gen_i((int *)out, 2);
	__syncthreads(); // stays
}

KERNEL a_fence(u32 *out)
{
	out[tid] = 1;
	__syncthreads(); // stays
	__threadfence();
	__syncthreads(); // stays
	out[tid ^ 1] = 2;
}

KERNEL volatile_flag(volatile u32 *flag, u32 *out)
{
	while (!flag[0])
		;
	__syncthreads(); // stays
	out[tid] = flag[1];
}

KERNEL a_collective(u32 *out)
{
	out[tid] = 1;
	__syncthreads(); // stays
	u32 x = __shfl_xor_sync(~0u, tid, 1, 32);
	__syncthreads(); // stays
	out[x] = 2;
}

KERNEL the_time(unsigned long long *out)
{
	__syncthreads(); // stays
	unsigned long long from = __nvvm_read_ptx_sreg_clock64();
	__syncthreads(); // stays
	out[tid] = __nvvm_read_ptx_sreg_clock64() - from;
}

KERNEL another_number(u32 *out)
{
	out[tid] = 1;
	__nvvm_barrier_sync(1);
	__syncthreads(); // stays
	__nvvm_barrier_sync(1);
	out[tid ^ 32] = 2;
}

KERNEL with_a_count(u32 *out)
{
	__syncthreads(); // stays
	__nvvm_barrier_sync_cnt(0, 64);
	out[tid] = 1;
	__syncthreads(); // stays
}

KERNEL number_in_register(u32 *out, u32 n)
{
	__syncthreads(); // stays
	__nvvm_barrier_sync(n);
	out[tid] = 1;
}

KERNEL without_a_body(u32 *out)
{
	__syncthreads(); // stays
	somewhere();
	__syncthreads(); // stays
	out[tid] = 1;
}

KERNEL other_spellings(u32 *out)
{
	s[tid] = 1;
	__nvvm_barrier_sync(0);                                                 // dead
	__nvvm_bar0();                                                          // dead
	__barrier_sync(0);                                                      // dead
	__cuda_sm70_barrier_sync_0();                                           // dead
	__asm__ volatile("bar.sync 0;" ::: "memory");                           // dead
	__asm__ volatile("{ barrier.sync.aligned\t0 ; }" ::: "memory");         // dead
	__asm__ volatile("/* all */ barrier.cta.sync %0;" ::"n"(0) : "memory"); // dead
	__syncthreads();                                                        // stays
	out[tid] = s[63 - tid];
}

KERNEL assembly_with_more(u32 *out)
{
	s[tid] = 1;
	__syncthreads();                                         // stays
	__asm__ volatile("membar.gl; bar.sync 0;" ::: "memory"); // stays
	__syncthreads();                                         // stays
	out[tid] = s[63 - tid];
}

KERNEL assembly_with_guard(u32 *out, u32 n)
{
	__syncthreads(); // stays
	__asm__ volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p bar.sync 0; }" ::"r"(n) : "memory");
	out[tid] = 1;
}

KERNEL assembly_that_ends(u32 *out)
{
	__syncthreads(); // stays
	__asm__ volatile("exit;");
	out[tid] = 1;
}

/* ---- calls ---- */

NOINLINE void waits(void)
{
	__syncthreads(); // stays
}

NOINLINE u32 touches(u32 i)
{
	return s[i];
}

NOINLINE u32 computes(u32 i)
{
	volatile u32 own = i;
	return own * 3;
}

KERNEL barrier_in_callee(u32 *out)
{
	s[tid] = 1;
	__syncthreads(); // dead
	waits();
	__syncthreads(); // dead
	out[tid] = s[63 - tid];
}

KERNEL access_in_callee(u32 *out)
{
	t[tid] = 1;
	__syncthreads(); // stays
	u32 x = touches(63 - tid);
	__syncthreads(); // stays
	out[tid] = x + t[63 - tid];
	t[tid] = x;
}

KERNEL quiet_callee(u32 *out)
{
	s[tid] = 1;
	__syncthreads(); // dead
	u32 x = computes(tid);
	__syncthreads(); // stays
	out[tid] = x + s[63 - tid];
}

NOINLINE void waits_once_more(u32 *out, u32 n)
{
	if (n)
		__syncthreads(); // dead
	out[tid] = n;
}

KERNEL argument_for_all(u32 *out, u32 n)
{
	waits_once_more(out, n);
}

NOINLINE void waits_apart(u32 *out, u32 n)
{
	if (n)
		__syncthreads(); // stays
	out[tid] = n;
}

KERNEL argument_differs(u32 *out)
{
	waits_apart(out, tid & 32);
}

__attribute__((noinline)) void others_call(u32 *out)
{
	__syncthreads(); // stays
	out[tid] = 1;
}

KERNEL calls_it(u32 *out)
{
	others_call(out);
	__syncthreads(); // dead
}

NOINLINE void call_apart(u32 *out)
{
	__syncthreads(); // stays
	out[tid] = 1;
}

KERNEL callee_apart(u32 *out)
{
	__syncthreads(); // stays
	if (tid < 32)
		call_apart(out);
}
