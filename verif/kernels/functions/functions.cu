// SPDX-License-Identifier: Apache-2.0
/* functions.cu -- calls as nvcc leaves them: recursion, pointers to functions, structures by value in registers, on the
 * stack and as results, arguments that find no register, calls where lanes have parted; variables with initialisers. */
struct block {
	int a[16];
};
struct mixed {
	char c;
	short s;
	int i;
	double d;
};
typedef int (*function)(int, long long);

__device__ __noinline__ int first(int a, long long b)
{
	return a + b * 3;
}

__device__ __noinline__ int second(int a, long long b)
{
	return a * 7 - b;
}

__device__ function table[3] = {first, second, first};
__device__ int counter = 5;
__device__ int zeros[64];
__device__ int *pointer = &zeros[3];
__constant__ int coefficients[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ const char *names[2] = {"alpha", "beta"};

__device__ __noinline__ int factorial(int n)
{
	return n < 2 ? 1 : n * factorial(n - 1);
}

__device__ __noinline__ int fibonacci(int n)
{
	if (n < 2)
		return n;
	int a = fibonacci(n - 1);
	return a + fibonacci(n - 2);
}

__device__ __noinline__ block change(int k, block b, mixed s)
{
	for (int i = 0; i < 16; i++)
		b.a[i] += k * i + s.i + s.s + s.c + (int)s.d;
	return b;
}

__device__ __noinline__ long long many(int a, long long b, char c, short d, int e, long long f, int g, int h, int i, int j,
                                       int k, long long l, double m)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + (long long)m;
}

__device__ __noinline__ mixed make(int x)
{
	mixed s;
	s.c = x;
	s.s = x * 3;
	s.i = x * 5;
	s.d = x * 0.5;
	return s;
}

__device__ __noinline__ void apart(int *p, int t)
{
	if (t & 1) {
		if (t & 2)
			p[0] += factorial(t % 7);
		else
			p[0] += fibonacci(t % 9);
	} else if (t % 3 == 0) {
		p[0] ^= table[t % 3](t, t * 2);
	}
	p[1] += __shfl_xor_sync(~0u, t, 1);
}

extern "C" __global__ void functions(int *out)
{
	int t = threadIdx.x, v = 0, local[2] = {t, 1};
	block b;
	v += factorial(t % 10);
	v += fibonacci(t % 12);
	v ^= table[t % 3](v, t);
	for (int i = 0; i < 16; i++)
		b.a[i] = t + i;
	b = change(t, b, make(t));
	for (int i = 0; i < 16; i++)
		v = v * 31 + b.a[i];
	v += many(t, v, (char)t, (short)(t * 3), 4, t * 1000000000ll, 6, 7, 8, 9, 10, 11, 2.5 * t);
	apart(local, t);
	v += local[0] * 3 + local[1];
	v += coefficients[t % 8] + names[t & 1][t % 4] + counter;
	*pointer = 7;
	__syncthreads();
	v += zeros[t % 3 + 1];
	out[t] = v;
}
