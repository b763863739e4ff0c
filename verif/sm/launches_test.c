// SPDX-License-Identifier: Apache-2.0
/* launches_test.c -- several launches in one process: in sequence, on the same memory, side by side in threads, after a
 * faulted launch, after a launch created but not run. Each launch must give the files named in the launch file, as the
 * kernel does alone. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "warplock/object.h"
#include "warplock/sm.h"

/* The kernel `accounts` fills three buffers. */
enum { BUFFERS = 3, BYTES = 1 << 16, SETS = 4, WORDS = (6 * 8 + 24 * 4 + 24 * 4) / 4 };

static const struct {
	const char *file;
	uint32_t bytes;
} buffers[BUFFERS] = {{"build/kernels/own/accounts.total.bin", 6 * 8},
                      {"build/kernels/own/accounts.balance.bin", 24 * 4},
                      {"build/kernels/own/accounts.moves.bin", 24 * 4}};
static const char *const cubins[] = {"verif/kernels/accounts.sm_75.cubin", "verif/kernels/accounts.sm_90.cubin"};
enum { CUBINS = sizeof cubins / sizeof cubins[0] };

static struct wl_program programs[CUBINS];
static uint8_t expected[WORDS * 4];

static size_t whole_file(const char *name, uint8_t *to, size_t room)
{
	FILE *f = fopen(name, "rb");
	size_t n = f ? fread(to, 1, room, f) : 0;
	if (!n) {
		fprintf(stderr, "launches_test: cannot read %s\n", name);
		exit(1);
	}
	fclose(f);
	return n;
}

/* A device: memory with several sets of the kernel's buffers. */
struct device {
	struct wl_gmem mem;
	uint64_t params[SETS][BUFFERS];
};

static void device_open(struct device *d)
{
	*d = (struct device){.mem = {.bytes = BYTES, .mem = calloc(1, BYTES)}};
	for (unsigned i = 0; i < SETS * BUFFERS; i++)
		d->params[i / BUFFERS][i % BUFFERS] = wl_gmem_add(&d->mem, buffers[i % BUFFERS].bytes);
}

static uint8_t *buffer(struct device *d, unsigned set, unsigned i)
{
	return wl_gmem_at(&d->mem, d->params[set][i], buffers[i].bytes);
}

static void spoil(struct device *d, unsigned set)
{
	for (unsigned i = 0; i < BUFFERS; i++)
		memset(buffer(d, set, i), 0xa5, buffers[i].bytes);
}

static struct wl_gpu *launch(struct device *d, unsigned program, const uint64_t params[BUFFERS], uint64_t seed)
{
	struct wl_config config = wl_config_default();
	config.arch = programs[program].arch;
	config.seed = seed;
	struct wl_launch l = {.grid = {3, 1, 1}, .block = {112, 1, 1}, .params = (const uint8_t *)params};
	struct wl_gpu *gpu = NULL;
	char why[256] = "";
	if (wl_gpu_create(&config, &programs[program], &d->mem, &l, &gpu, why, sizeof why) != WL_OK) {
		fprintf(stderr, "launches_test: %s\n", why);
		exit(1);
	}
	return gpu;
}

static enum wl_outcome run(struct device *d, unsigned set, unsigned program, uint64_t seed, uint64_t *executed)
{
	struct wl_gpu *gpu = launch(d, program, d->params[set], seed);
	enum wl_outcome o = wl_gpu_run(gpu);
	if (executed)
		*executed = wl_gpu_warp_instructions(gpu);
	wl_gpu_free(gpu);
	return o;
}

static bool holds(struct device *d, unsigned set)
{
	const uint8_t *e = expected;
	for (unsigned i = 0; i < BUFFERS; e += buffers[i++].bytes)
		if (memcmp(buffer(d, set, i), e, buffers[i].bytes) != 0)
			return false;
	return true;
}

static void test_again(void **x)
{
	(void)x;
	struct device d;
	uint64_t first[CUBINS] = {0}, executed;
	device_open(&d);
	for (unsigned n = 0; n < 3 * CUBINS; n++) {
		spoil(&d, 0);
		assert_int_equal(run(&d, 0, n % CUBINS, 1, &executed), WL_ENDED);
		assert_true(holds(&d, 0));
		if (n < CUBINS)
			first[n] = executed;
		assert_int_equal(executed, first[n % CUBINS]); /* earlier runs leave nothing behind */
	}
	free(d.mem.mem);
}

static void test_same_memory(void **x)
{
	(void)x;
	struct device d;
	device_open(&d);
	for (unsigned n = 0; n < SETS; n++) {
		assert_int_equal(run(&d, n, n % CUBINS, n, NULL), WL_ENDED);
		for (unsigned set = 0; set < SETS; set++)
			assert_int_equal(holds(&d, set), set <= n);
	}
	free(d.mem.mem);
}

static void test_after_a_fault(void **x)
{
	(void)x;
	struct device d;
	device_open(&d);
	const uint64_t nowhere[BUFFERS] = {d.params[0][0], d.params[0][1] + BYTES * 16ull, d.params[0][2]};
	struct wl_gpu *bad = launch(&d, 0, nowhere, 1);
	assert_int_equal(wl_gpu_run(bad), WL_FAULTED);
	char detail[512];
	wl_gpu_detail(bad, detail, sizeof detail);
	assert_non_null(strstr(detail, "accounts"));
	assert_int_equal(run(&d, 1, 0, 1, NULL), WL_ENDED); /* while the faulted launch still exists */
	assert_true(holds(&d, 1));
	wl_gpu_free(bad);
	free(d.mem.mem);
}

static void test_not_run(void **x)
{
	(void)x;
	struct device d, other;
	device_open(&d);
	device_open(&other);
	struct wl_gpu *never = launch(&d, 0, d.params[1], 1), *late = launch(&other, 1, other.params[0], 2);
	assert_int_equal(run(&d, 0, 0, 3, NULL), WL_ENDED);
	wl_gpu_free(never);
	assert_int_equal(wl_gpu_run(late), WL_ENDED);
	wl_gpu_free(late);
	assert_true(holds(&d, 0) && !holds(&d, 1) && holds(&other, 0));
	free(d.mem.mem);
	free(other.mem.mem);
}

enum { THREADS = 4, EACH = 5 };

static void *one_thread(void *at)
{
	unsigned *good = at, program = *good % CUBINS;
	struct device d;
	device_open(&d);
	*good = 0;
	for (unsigned n = 0; n < EACH; n++) {
		spoil(&d, n % SETS);
		*good += run(&d, n % SETS, program, n, NULL) == WL_ENDED && holds(&d, n % SETS);
	}
	free(d.mem.mem);
	return NULL;
}

static void test_threads(void **x)
{
	(void)x;
	pthread_t thread[THREADS];
	unsigned good[THREADS];
	for (unsigned i = 0; i < THREADS; i++) {
		good[i] = i;
		assert_int_equal(pthread_create(&thread[i], NULL, one_thread, &good[i]), 0);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL);
		assert_int_equal(good[i], EACH);
	}
}

int main(void)
{
	static uint8_t file[1 << 20];
	for (unsigned i = 0; i < CUBINS; i++) {
		char why[256] = "";
		size_t n = whole_file(cubins[i], file, sizeof file);
		if (wl_object_load(file, n, "accounts", &programs[i], why, sizeof why) != WL_OK) {
			fprintf(stderr, "launches_test: %s: %s\n", cubins[i], why);
			return 1;
		}
	}
	uint8_t *e = expected;
	for (unsigned i = 0; i < BUFFERS; e += buffers[i++].bytes)
		whole_file(buffers[i].file, e, buffers[i].bytes);
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_again),         cmocka_unit_test(test_same_memory),
	        cmocka_unit_test(test_after_a_fault), cmocka_unit_test(test_not_run),
	        cmocka_unit_test(test_threads),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	for (unsigned i = 0; i < CUBINS; i++)
		wl_program_free(&programs[i]);
	return failed;
}
