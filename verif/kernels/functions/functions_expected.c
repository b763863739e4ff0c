// SPDX-License-Identifier: Apache-2.0
/* functions_expected.c -- expected `out` of the kernels here, in the host's arithmetic, without calls where the kernel
 * calls.
 *
 *   functions_expected DIR     writes DIR/KERNEL.out.bin */
#include <stdint.h>
#include <stdio.h>

static uint32_t factorial(uint32_t n)
{
	uint32_t v = 1;
	for (uint32_t i = 2; i <= n; i++)
		v *= i;
	return v;
}

static uint32_t fibonacci(uint32_t n)
{
	uint32_t a = 0, b = 1;
	while (n--) {
		uint32_t c = a + b;
		a = b;
		b = c;
	}
	return a;
}

static uint32_t indirect(uint32_t which, uint32_t a, uint32_t b)
{
	return which == 1 ? a * 7 - b : a + b * 3;
}

static uint32_t thread(uint32_t t)
{
	static const char *const names[2] = {"alpha", "beta"};
	uint32_t v = factorial(t % 10) + fibonacci(t % 12), first = t, low;
	v = v ^ indirect(t % 3, v, t);
	for (uint32_t i = 0; i < 16; i++)
		v = v * 31 + t + i + t * i + t * 5 + t * 3 + t + t / 2;
	low = v; /* many(): modulo 2^32 all widenings are the same */
	v += t + 2 * low + 3 * t + 4 * (3 * t) + 5 * 4 + 6 * (t * 1000000000u) + 7 * 6 + 8 * 7 + 9 * 8 + 10 * 9 +
	     11 * 10 + 12 * 11 + t * 5 / 2;
	if (t & 1)
		first += t & 2 ? factorial(t % 7) : fibonacci(t % 9);
	else if (t % 3 == 0)
		first ^= indirect(t % 3, t, t * 2);
	v += first * 3 + 1 + (t ^ 1);
	v += t % 8 + 1 + (uint32_t)names[t & 1][t % 4] + 5;
	return v + (t % 3 == 2 ? 7 : 0);
}

/* two_backs.sm_75.ptx */
static uint32_t loops(uint32_t t)
{
	uint32_t n = 0, sum = 0;
	for (;;) {
		n++;
		if ((n & t & 3) == 1 && n < 20)
			continue;
		sum += n;
		if ((n & 7) == (t & 7) || n >= 40)
			return sum + 1000;
	}
}

/* by_index.sm_75.ptx */
static uint32_t ways(uint32_t t)
{
	uint32_t v = 0;
	for (uint32_t n = 1; n <= 5; n++)
		switch ((t + n) % 7) {
		case 0:
			v += 1;
			break;
		case 1:
			v *= 3;
			v ^= t;
			break;
		case 2:
			v ^= t;
			break;
		case 3:
			v <<= 1;
			break;
		case 4:
			v -= 7;
			break;
		case 5:
			v += n;
			break;
		default:
			v = ~v;
		}
	return v * 16 + 1 + 4 + 8; /* isspacep: shared, global, local addresses, true for the right space alone */
}

/* on_stack: the second array holds 11, the first the number of the thread. */
static uint32_t two_arrays(uint32_t t)
{
	return 11 * 100 + t;
}

/* deep: the arrays' elements by value, the recursion as a loop. */
static uint32_t deep(uint32_t t)
{
	uint32_t n = t % 4, v = t * 7 * (t + 3), x = 0;
	for (; n; n--, v = v * 3 + 1)
		x ^= v + v % 20 * n;
	return x ^ (((v * (v % 100) + 1) ^ (v * (v / 256 % 100) + 1)) + v);
}

/* own_arrays: the arrays' elements by value. */
static uint32_t own_level(uint32_t depth, uint32_t n)
{
	const uint32_t a = depth * 1000; /* before first[0] */
	uint32_t sum = depth ? own_level(depth - 1, n + 37) : 0;
	sum += a + 2 * (a + n - 1) + 3 * (n ^ (n & 7) * depth) + 5 * sum + 7 * n + 11 * depth + 13 * (a + n / 2) +
	       17 * 8 + 19 * 9 + 23 * (n ^ depth * depth) + 29 * 11 + 31 * 12 + 37 * (a + n / 3) + 41 * (n ^ depth) +
	       43 * 15 + 47 * (a + n / 4);
	for (uint32_t i = 0; i < n; i++)
		sum = sum * 3 + a + i;
	for (uint32_t i = 0; n % 2 && i < n + 50; i++)
		sum ^= i * n;
	return sum + (n ^ (sum & 7) * depth);
}

static uint32_t own_arrays(uint32_t t)
{
	return own_level(t % 5, 1 + t * 2 / 3);
}

/* chain: the arrays' elements by value. */
static uint32_t chain(uint32_t t)
{
	uint32_t v = t * 37 + 11, w = v + (199 - v % 200) * 5;
	return v + v % 200 * 5 + ((w * (w % 300) + 2) ^ (w * (w / 128 % 300) + 2));
}

/* apart: values that the opposite lane has written in two places. */
static uint32_t apart(uint32_t t)
{
	return (63 - t) * 3 + 1 + (63 - t) * 7;
}

static int put(const char *folder, const char *kernel, uint32_t (*value)(uint32_t))
{
	char path[4096];
	FILE *f;
	snprintf(path, sizeof path, "%s/%s.out.bin", folder, kernel);
	f = fopen(path, "wb");
	if (!f) {
		perror(path);
		return 1;
	}
	for (uint32_t t = 0; t < 64; t++) {
		uint32_t v = value(t);
		fwrite(&v, sizeof v, 1, f);
	}
	return fclose(f) != 0;
}

int main(int argc, char **argv)
{
	const char *folder = argc == 2 ? argv[1] : ".";
	return put(folder, "functions", thread) || put(folder, "two_backs", loops) || put(folder, "by_index", ways) ||
	       put(folder, "on_stack", two_arrays) || put(folder, "deep", deep) ||
	       put(folder, "own_arrays", own_arrays) || put(folder, "chain", chain) || put(folder, "apart", apart);
}
