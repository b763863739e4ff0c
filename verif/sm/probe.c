// SPDX-License-Identifier: Apache-2.0
#include "../common/rng.h"
#include "probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/sm/gpu.h"

static bool was_run[WL_UOP_COUNT];

static const struct {
	unsigned uop;
	const char *file;
} covered[] = {
#define COVERED(name, file) {WL_UOP_##name, #file},
#include "uop_covered.def"
#undef COVERED
};

static void die(const struct probe *p, const char *why)
{
	fprintf(stderr, "%s on sm_%d: %s\n", p->text, (int)p->arch, why);
	exit(1);
}

void probe_open(struct probe *p, enum wl_arch arch, const char *text)
{
	char program[200], why[200] = "";
	*p = (struct probe){.arch = arch, .text = text};
	snprintf(program, sizeof program, "%s\nEXIT\n", text);
	kernel_init_for(&p->k, arch, program);
	p->uop = p->k.prog.insts[0].uop;
	was_run[p->uop] = true;
	for (unsigned i = 0; i < KERNEL_PARAMS; i++)
		p->k.param[i] = UINT64_C(0x40490fdb3fc00000); /* 3.14159 and 1.5 as float32 */
	kernel_start(&p->k);
	wl_gpu_source(p->k.gpu, 1u << WL_UNIT_atoms_pipe, NULL);
	if (wl_gpu_launch_cta(p->k.gpu, 0, 0, 0, why, sizeof why) != WL_OK)
		die(p, why);
}

void probe_run(struct probe *p, const struct probe_state *before, struct probe_state *after)
{
	struct warp *w = gpu_warp(p->k.gpu, 0, 0);
	lane_row *r = gpu_regs(p->k.gpu, 0, 0);
	char why[200] = "";
	memcpy(r, before->r, sizeof before->r);
	memcpy(w->preds, before->p, sizeof before->p);
	memcpy(&w->uni[0][4], before->ur, sizeof before->ur);
	w->g[0].pc = 0;
	if (wl_gpu_step(p->k.gpu, 0, 0, 0, 1, why, sizeof why) != WL_OK)
		die(p, why);
	memcpy(after->r, r, sizeof after->r);
	memcpy(after->p, w->preds, sizeof after->p);
	memcpy(after->ur, &w->uni[0][4], sizeof after->ur);
}

void probe_close(struct probe *p)
{
	kernel_free(&p->k);
}

bool probe_all_covered(const char *file)
{
	bool all = true;
	for (size_t i = 0; i < sizeof covered / sizeof covered[0]; i++) {
		if (strcmp(covered[i].file, file) || was_run[covered[i].uop])
			continue;
		fprintf(stderr, "%s: %s was not run, uop_covered.def says that this test does\n", file,
		        wl_uop_name(covered[i].uop));
		all = false;
	}
	return all;
}

uint32_t probe_random(void)
{
	static struct rng rng = {1};
	return rng_u32(&rng);
}

/* A float of `exp_bits` and `frac_bits`: corners, or exponents near the middle, near the ends, or anywhere. */
static uint64_t any_float(unsigned exp_bits, unsigned frac_bits)
{
	uint64_t frac = ((uint64_t)probe_random() << 32 | probe_random()) & ((UINT64_C(1) << frac_bits) - 1);
	uint64_t top = (UINT64_C(1) << exp_bits) - 1, bias = top / 2, exp;
	uint64_t sign = (uint64_t)(probe_random() & 1) << (exp_bits + frac_bits);
	switch (probe_random() % 16) {
	case 0: { /* zero, least, greatest subnormal, least normal, one, greatest, infinity, NaN */
		const uint64_t one = UINT64_C(1) << frac_bits;
		const uint64_t corner[] = {
		        0, 1, one - 1, one, bias * one, top * one - 1, top * one, top * one + one / 2 + 5};
		return sign | corner[probe_random() % 8];
	}
	case 1:
		exp = 0;
		break;
	case 2:
		exp = top - probe_random() % 3;
		break;
	case 3:
		exp = 1 + probe_random() % 4;
		break;
	case 4:
	case 5:
		exp = probe_random() & top;
		break;
	default:
		exp = bias - 8 + probe_random() % 24;
		exp = exp_bits == 5 ? bias - 6 + probe_random() % 14 : exp;
	}
	if (probe_random() % 3 == 0) /* few bits: exact sums and products, or ties */
		frac &= ~UINT64_C(0) << (frac_bits - 1 - probe_random() % (frac_bits < 6 ? frac_bits : 6));
	return sign | exp << frac_bits | frac;
}

uint16_t probe_f16(bool bf16)
{
	return (uint16_t)(bf16 ? any_float(8, 7) : any_float(5, 10));
}
uint32_t probe_f32(void)
{
	return (uint32_t)any_float(8, 23);
}
uint64_t probe_f64(void)
{
	return any_float(11, 52);
}
