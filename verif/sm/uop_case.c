// SPDX-License-Identifier: Apache-2.0
#include "../common/rng.h"
#include "uop_case.h"

struct uop_archs uop_archs = {{WL_SM75, WL_SM90}, 2};

void uop_on_both(void)
{
	uop_archs = (struct uop_archs){{WL_SM75, WL_SM90}, 2};
}

void uop_on(enum wl_arch only)
{
	uop_archs = (struct uop_archs){{only, only}, 1};
}

uint32_t uop_random(void)
{
	static struct rng rng = {1};
	return rng_u32(&rng);
}

uint32_t uop_value(void)
{
	static const uint32_t corner[] = {0,          1,          2,          31,         32,
	                                  33,         63,         64,         0x7fffffff, 0x80000000,
	                                  0x80000001, 0xfffffffe, 0xffffffff, 0xffff,     0x10000};
	uint32_t r = uop_random();
	return r % 3 ? uop_random() >> r / 3 % 32 : corner[r / 3 % (sizeof corner / sizeof corner[0])];
}

static void save(struct wl_gpu *g, struct state *s)
{
	memcpy(s->r, gpu_regs(g, 0, 0), sizeof s->r);
	memcpy(s->preds, gpu_warp(g, 0, 0)->preds, sizeof s->preds);
	memcpy(s->uni, gpu_warp(g, 0, 0)->uni[0], sizeof s->uni);
}

static void load(struct wl_gpu *g, const struct state *s)
{
	memcpy(gpu_regs(g, 0, 0), s->r, sizeof s->r);
	memcpy(gpu_warp(g, 0, 0)->preds, s->preds, sizeof s->preds);
	memcpy(gpu_warp(g, 0, 0)->uni[0], s->uni, sizeof s->uni);
}

/* Parameters begin elsewhere on each architecture. */
static void place_parameters(enum wl_arch arch, const char *text, char *out, size_t n)
{
	static const char *const marks[] = {"c[0x0][0x16", "c[0x0] [0x16"};
	for (unsigned i = 0; i < 2; i++) {
		const size_t len = strlen(marks[i]);
		const char *at = strstr(text, marks[i]);
		if (!at)
			continue;
		snprintf(out, n, "%.*s0x%x%s", (int)(at + len - 4 - text), text,
		         wl_cb0_layout(arch)->param + (unsigned)(at[len] - '0'), at + len + 1);
		return;
	}
	snprintf(out, n, "%s", text);
}

static void start(struct kernel *k, enum wl_arch arch, const char *program)
{
	char why[200] = "";
	kernel_init_for(k, arch, program);
	for (unsigned i = 0; i < KERNEL_PARAMS; i++)
		k->param[i] = UINT64_C(0x1122334455667788) * (i + 1);
	kernel_start(k);
	wl_gpu_source(k->gpu, 1u << WL_UNIT_atoms_pipe, NULL);
	assert_int_equal(wl_gpu_launch_cta(k->gpu, 0, 0, 0, why, sizeof why), WL_OK);
}

static void finish(struct run *t, struct kernel *k, unsigned n)
{
	char why[200] = "";
	load(k->gpu, &t->before);
	for (unsigned i = 0; i < n; i++) /* two refused instructions would look alike */
		if (gpu_ops(k->gpu)[i].bad)
			fail_msg("sm_%d: %s: is not built", (int)t->arch, t->text);
	if (wl_gpu_step(k->gpu, 0, 0, 0, n, why, sizeof why))
		fail_msg("sm_%d: %s: %s", (int)t->arch, t->text, why);
	save(k->gpu, &t->after);
	kernel_free(k);
}

void uop_execute(struct run *t, unsigned round)
{
	char text[160], program[200];
	struct kernel k;
	place_parameters(t->arch, t->text, text, sizeof text);
	snprintf(program, sizeof program, "@%sP6 %s\nEXIT\n", t->uniform ? "U" : "", text);
	start(&k, t->arch, program);
	save(k.gpu, &t->before);
	for (unsigned r = 0; r < 10; r++)
		FOR_LANES (i)
			t->before.r[r][i] = uop_value();
	for (unsigned p = 0; p < 6; p++)
		t->before.preds[p] = uop_random();
	for (unsigned u = 4; u < 12; u++)
		t->before.uni[u] = uop_value();
	for (unsigned p = 0; p < 6; p++)
		t->before.uni[UPRED + p] = uop_random() & 1 ? ALL_LANES : 0;
	t->mask = round % 2 ? uop_random() | 1u << round : ALL_LANES;
	if (t->uniform)
		t->mask = round % 4 == 3 ? 0 : ALL_LANES;
	t->before.preds[6] = t->before.uni[UPRED + 6] = t->mask;
	finish(t, &k, 1);
}

void uop_execute_pair(struct run *t, const char *first, unsigned round)
{
	char program[300];
	struct kernel k;
	snprintf(program, sizeof program, "%s\n%s\nEXIT\n", first, t->text);
	t->mask = ALL_LANES;
	start(&k, t->arch, program);
	save(k.gpu, &t->before);
	for (unsigned r = 0; r < 10; r++)
		FOR_LANES (i)
			t->before.r[r][i] = round % 3 ? uop_value() : uop_random() % 3 - 1;
	finish(t, &k, 2);
}

void uop_execute_on(struct run *t)
{
	char text[160], program[200];
	struct state before = t->before;
	struct kernel k;
	place_parameters(t->arch, t->text, text, sizeof text);
	snprintf(program, sizeof program, "%s\nEXIT\n", text);
	start(&k, t->arch, program);
	save(k.gpu, &t->before);
	memcpy(t->before.r, before.r, 10 * sizeof before.r[0]);
	memcpy(t->before.preds, before.preds, 6 * sizeof before.preds[0]);
	memcpy(&t->before.uni[4], &before.uni[4], 8 * sizeof before.uni[0]);
	memcpy(&t->before.uni[UPRED], &before.uni[UPRED], 6 * sizeof before.uni[0]);
	t->mask = ALL_LANES;
	finish(t, &k, 1);
}

static void expect_row(const struct run *t, unsigned r, const uint32_t *want)
{
	FOR_LANES (i) {
		uint32_t w = want && t->mask >> i & 1 ? want[i] : t->before.r[r][i];
		if (t->after.r[r][i] != w)
			fail_msg("sm_%d: %s: R%u of lane %u is 0x%08x, expected 0x%08x (R2 0x%08x R4 0x%08x R6 0x%08x "
			         "P 0x%x)",
			         (int)t->arch, t->text, r, i, t->after.r[r][i], w, t->before.r[2][i], t->before.r[4][i],
			         t->before.r[6][i], (t->before.preds[0] >> i & 1) | (t->before.preds[1] >> i & 1) << 1);
	}
}

static void expect_pred(const struct run *t, unsigned p, const uint32_t *want)
{
	uint32_t w = want ? (*want & t->mask) | (t->before.preds[p] & ~t->mask) : t->before.preds[p];
	if (t->after.preds[p] != w)
		fail_msg("sm_%d: %s: P%u is 0x%08x, expected 0x%08x, lanes 0x%08x", (int)t->arch, t->text, p,
		         t->after.preds[p], w, t->mask);
}

void uop_expect(const struct run *t, const uint32_t *lo, const uint32_t *hi, const uint32_t *p3, const uint32_t *p4)
{
	for (unsigned r = 0; r < REGS; r++)
		expect_row(t, r, r == 8 ? lo : r == 9 ? hi : NULL);
	for (unsigned p = 0; p < 8; p++)
		expect_pred(t, p, p == 3 ? p3 : p == 4 ? p4 : NULL);
	assert_memory_equal(t->before.uni, t->after.uni, sizeof t->before.uni);
}

void uop_expect_uniform(const struct run *t, unsigned which, uint64_t value, bool up3, bool up4)
{
	static const unsigned slot[4] = {10, 11, UPRED + 3, UPRED + 4};
	const uint32_t result[4] = {(uint32_t)value, (uint32_t)(value >> 32), up3 ? ALL_LANES : 0, up4 ? ALL_LANES : 0};
	struct state want = t->before;
	for (unsigned i = 0; i < 4; i++)
		if (which >> i & 1 && t->mask)
			want.uni[slot[i]] = result[i];
	for (unsigned i = 0; i < UNIFORMS; i++)
		if (t->after.uni[i] != want.uni[i])
			fail_msg("sm_%d: %s: %s%u is 0x%08x, expected 0x%08x (UR4 0x%08x UR6 0x%08x UR8 0x%08x UP0 %u "
			         "UP1 %u)",
			         (int)t->arch, t->text, i < UPRED ? "UR" : "UP", i < UPRED ? i : i - UPRED,
			         t->after.uni[i], want.uni[i], t->before.uni[4], t->before.uni[6], t->before.uni[8],
			         t->before.uni[UPRED] & 1, t->before.uni[UPRED + 1] & 1);
	assert_memory_equal(t->before.preds, t->after.preds, sizeof t->before.preds);
	assert_memory_equal(t->before.r, t->after.r, sizeof t->before.r);
}
