// SPDX-License-Identifier: Apache-2.0
// graphs.cu -- kernels on graphs, each correct and with one class of bug: an update that is not atomic, an index
// out of bounds, a plain look before an atomic, data that others change, a missing or divergent barrier. The classes are
// those of irregular graph codes; the kernels are our own. kernels.tsv says what `wlrun --check` must find in each.
//
// A graph of n vertices: edges of vertex v are col[row[v]] to col[row[v + 1] - 1]. Buffers: row n + 1 words, col m,
// in n words, out and work n words each, sum 4 words. Lines with the mark [kernel] are the places of the bug.
//
// The cubins beside this file are what nvcc 13.0 (V13.0.88) makes of it; for A = sm_75, sm_90, sm_100:
//   nvcc -arch=$A -lineinfo -ptx -o graphs.$A.ptx graphs.cu
//   sed -i 's|"/.*/graphs.cu"|"graphs.cu"|' graphs.$A.ptx; ptxas -arch=$A -lineinfo -o graphs.$A.cubin graphs.$A.ptx
#define KERNEL(name)                                                                                                   \
	extern "C" __global__ void name(unsigned n, const unsigned *row, const unsigned *col, const unsigned *in,      \
	                                unsigned *out, unsigned *work, unsigned *sum)
#define T         threadIdx.x
#define ME        (blockIdx.x * blockDim.x + T)
#define LOOK(p)   (*(volatile unsigned *)(p))
#define EDGES(e, v) unsigned e = row[v], e##_end = row[(v) + 1]; e < e##_end; e++

// ---- push: each vertex raises the maxima of its neighbours ----

KERNEL(push)
{
	if (ME < n)
		for (EDGES(e, ME))
			atomicMax(out + col[e], in[ME]);
}

KERNEL(push_atomic)
{
	if (ME < n)
		for (EDGES(e, ME))
			out[col[e]] = max(out[col[e]], in[ME]); // [push_atomic]
}

KERNEL(push_look) // the look is a strong one
{
	if (ME < n)
		for (EDGES(e, ME))
			if (LOOK(out + col[e]) < in[ME])
				atomicMax(out + col[e], in[ME]);
}

KERNEL(push_guard)
{
	if (ME < n)
		for (EDGES(e, ME))
			if (out[col[e]] < in[ME])                // [push_guard]
				atomicMax(out + col[e], in[ME]); // [push_guard]
}

KERNEL(push_bounds) // threads beyond the last vertex
{
	for (EDGES(e, ME))                           // [push_bounds]
		atomicMax(out + col[e], in[ME]);     // [push_bounds]
}

// ---- pull: each vertex takes the minimum of its neighbours ----

KERNEL(pull)
{
	if (ME >= n)
		return;
	unsigned least = in[ME];
	for (EDGES(e, ME))
		least = min(least, in[col[e]]);
	out[ME] = least;
}

KERNEL(pull_race) // from and to one array
{
	if (ME >= n)
		return;
	unsigned least = out[ME];
	for (EDGES(e, ME))
		least = min(least, out[col[e]]); // [pull_race]
	out[ME] = least - 1;                     // [pull_race]
}

KERNEL(pull_bounds) // one edge too many
{
	if (ME >= n)
		return;
	unsigned least = in[ME];
	for (unsigned e = row[ME]; e <= row[ME + 1]; e++)
		least = min(least, in[col[e]]); // [pull_bounds]
	out[ME] = least;
}

// ---- worklist: vertices with a large value are appended ----

KERNEL(fill)
{
	if (ME < n && in[ME] > 400) {
		const unsigned at = atomicAdd(sum, 1);
		if (at < n / 2)
			work[at] = ME;
	}
}

KERNEL(fill_atomic)
{
	if (ME < n && in[ME] > 400) {
		const unsigned at = (*sum)++; // [fill_atomic]
		if (at < n / 2)
			work[at] = ME; // [fill_atomic]
	}
}

KERNEL(fill_bounds) // more vertices than the list has room for
{
	if (ME < n && in[ME] > 400)
		work[n / 2 + atomicAdd(sum, 1)] = ME; // [fill_bounds]
}

KERNEL(fill_guard) // room is looked for before the place is taken
{
	if (ME < n && in[ME] > 400 && *sum < n / 2) // [fill_guard]
		work[atomicAdd(sum, 1)] = ME;       // [fill_guard]
}

KERNEL(fill_race) // the list is read while others append
{
	if (ME < n && in[ME] > 400)
		work[atomicAdd(sum, 1)] = ME; // [fill_race]
	if (ME < n)
		out[ME] = work[n / 4]; // [fill_race]
}

// ---- reduction: the sum of all values ----

__device__ static unsigned value(unsigned n, const unsigned *in)
{
	return ME < n ? in[ME] : 0;
}

KERNEL(reduce)
{
	__shared__ unsigned s[64];
	s[T] = value(n, in);
	__syncthreads();
	for (unsigned d = 32; d; d /= 2) {
		if (T < d)
			s[T] += s[T + d];
		__syncthreads();
	}
	if (T == 0)
		atomicAdd(sum, s[0]);
}

KERNEL(reduce_sync)
{
	__shared__ unsigned s[64];
	s[T] = value(n, in); // [reduce_sync]
	for (unsigned d = 32; d; d /= 2) {
		if (T < d)
			s[T] += s[T + d]; // [reduce_sync]
		__syncthreads();
	}
	if (T == 0)
		atomicAdd(sum, s[0]);
}

KERNEL(reduce_atomic)
{
	__shared__ unsigned s[64];
	s[T] = value(n, in);
	__syncthreads();
	for (unsigned d = 32; d; d /= 2) {
		if (T < d)
			s[T] += s[T + d];
		__syncthreads();
	}
	if (T == 0)
		*sum += s[0]; // [reduce_atomic]
}

KERNEL(reduce_bounds)
{
	__shared__ unsigned s[64];
	s[T] = in[ME]; // [reduce_bounds]
	__syncthreads();
	for (unsigned d = 32; d; d /= 2) {
		if (T < d)
			s[T] += s[T + d];
		__syncthreads();
	}
	if (T == 0)
		atomicAdd(sum, s[0]);
}

KERNEL(reduce_loop) // a barrier in a loop that threads of one warp leave at different times
{
	__shared__ unsigned s[64];
	s[T] = 0;
	__syncthreads();
	for (unsigned v = T; v < n; v += 64) {
		s[T] += in[v];
		__syncthreads(); // [reduce_loop]
	}
	__syncthreads(); // [reduce_loop]
	if (T == 0)
		atomicAdd(sum, s[0] + s[63]);
}

// ---- components: the roots of the two ends of an edge are made one ----

__device__ static unsigned root(unsigned *parent, unsigned v)
{
	unsigned up; // 0: a root; else the parent + 1
	while ((up = LOOK(parent + v)) != 0) // [unite_atomic]
		v = up - 1;
	return v;
}
__device__ static unsigned plain_root(const unsigned *parent, unsigned v)
{
	unsigned up;
	while ((up = parent[v]) != 0) // [unite_race]
		v = up - 1;
	return v;
}

KERNEL(unite)
{
	if (ME >= n)
		return;
	for (EDGES(e, ME)) {
		unsigned a = root(work, ME), b = root(work, col[e]);
		while (a != b && atomicCAS(work + max(a, b), 0u, min(a, b) + 1)) {
			a = root(work, a);
			b = root(work, b);
		}
	}
}

KERNEL(unite_atomic) // a root gets a parent by a plain store
{
	if (ME >= n)
		return;
	for (EDGES(e, ME)) {
		const unsigned a = root(work, ME), b = root(work, col[e]);
		if (a != b)
			work[max(a, b)] = min(a, b) + 1; // [unite_atomic]
	}
}

KERNEL(unite_race) // parents are read by plain loads
{
	if (ME >= n)
		return;
	for (EDGES(e, ME)) {
		const unsigned a = plain_root(work, ME), b = plain_root(work, col[e]);
		if (a != b)
			atomicCAS(work + max(a, b), 0u, min(a, b) + 1); // [unite_race]
	}
}

// ---- levels of a breadth-first search by one CTA; work: level + 1 of each vertex ----

KERNEL(levels)
{
	__shared__ unsigned more;
	if (blockIdx.x)
		return;
	for (unsigned v = T; v < n; v += blockDim.x)
		work[v] = v == 0;
	for (unsigned level = 1;; level++) {
		__syncthreads();
		if (T == 0)
			more = 0;
		__syncthreads();
		for (unsigned v = T; v < n; v += blockDim.x)
			if (LOOK(work + v) == level)
				for (EDGES(e, v))
					if (!atomicCAS(work + col[e], 0u, level + 1))
						atomicExch(&more, 1u);
		__syncthreads();
		if (!more)
			break;
	}
}

KERNEL(levels_sync) // the flag is cleared while others may still look at it
{
	__shared__ unsigned more;
	if (blockIdx.x)
		return;
	for (unsigned v = T; v < n; v += blockDim.x)
		work[v] = v == 0;
	for (unsigned level = 1;; level++) {
		if (T == 0)
			more = 0; // [levels_sync]
		__syncthreads();
		for (unsigned v = T; v < n; v += blockDim.x)
			if (LOOK(work + v) == level)
				for (EDGES(e, v))
					if (!atomicCAS(work + col[e], 0u, level + 1))
						atomicExch(&more, 1u); // [levels_sync] nobody waits for threads that have left the loop by the race
		__syncthreads();
		if (!more) // [levels_sync]
			break;
	}
}
