// SPDX-License-Identifier: Apache-2.0
/* cunits_directed_test.c -- atoms_pipe on cases small enough for work by hand; expected values stand in the rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "cunits_oracle.h"

static _Alignas(16) uint8_t mem[65536];
static struct wl_smem smem;
static struct wl_req req;
static struct wl_atoms_plan plan;
static struct wl_record rec;

/* A window of 4096 bytes at byte 16 of the SM's memory, all bytes 0. */
static void setup_geometry(unsigned lanes, unsigned banks)
{
	struct wl_config c = wl_config_default();
	c.lanes = lanes;
	c.banks = banks;
	wl_smem_init(&smem, &c, mem);
	wl_smem_open(&smem, 2, 16, 4096, 1, 0);
	memset(mem, 0, sizeof mem);
}

static void start(enum wl_uop uop, unsigned size, uint32_t flags, uint32_t mask)
{
	memset(&req, 0, sizeof req);
	req.tag.slot = 2;
	req.mask = mask;
	req.inst = (struct wl_inst){.uop = (uint16_t)uop, .size = (uint8_t)size, .flags = flags};
	req.inst.ra = 1;
	req.inst.ur = 255;
	req.inst.rd = uop == WL_UOP_STS ? WL_RZ : 2;
	req.inst.rb = 4;
	req.inst.rc = 8;
}

static void run(void)
{
	wl_atoms_plan(&smem, &req, &plan);
	wl_atoms_start(&req, &plan, &rec);
	wl_atoms_apply(&smem, &req, &plan, plan.common.ok, &rec);
	wl_atoms_finish(&req, &plan, &rec);
}

/* ---- addresses ---- */

static void address_rows(void **state)
{
	static const struct {
		uint8_t ra, ur, xn;
		uint64_t ra_value;
		uint32_t ur_value;
		int32_t off;
		uint32_t addr;
	} rows[] = {
	        {1, 255, 0, 0x40, 0, 0, 0x40},
	        {1, 255, 0, 0x40, 0, -4, 0x3c},
	        {1, 255, 2, 0x10, 0, 4, 0x44},                 /* .X4 */
	        {1, 255, 3, 0x10, 0, 8, 0x88},                 /* .X8 */
	        {1, 255, 4, 0x10, 0, 0x10, 0x110},             /* .X16 */
	        {1, 255, 2, 0xc0000001, 0, 0, 4},              /* the scaled register loses its upper bits */
	        {1, 255, 0, 0x7700000020, 0, 0, 0x20},         /* 32 bits of the register count */
	        {1, 255, 0, 0xfffffff0, 0, 0x20, 0x10},        /* the sum wraps */
	        {1, 255, 0, 0x10, 0, -0x800000, 0xff800010},   /* offsets are signed ... */
	        {255, 255, 0, 0x5555, 0, -0x800000, 0x800000}, /* ... but unsigned without any register */
	        {255, 255, 0, 0x5555, 0, -4, 0xfffffc},
	        {255, 255, 4, 0x5555, 0, 0x30, 0x30}, /* RZ is 0 for every value of the port */
	        {255, 255, 0, 0x40, 0, 0x30, 0x30},   /* also if the port's value would be in range */
	        {255, 4, 0, 0x5555, 0x40, -4, 0x3c},  /* signed with a uniform register */
	        {255, 4, 0, 0, 0x20, 0x10, 0x30},
	        {1, 4, 2, 0x10, 0x1000, 0x20, 0x1060},
	        {1, 255, 0, 0x40, 0x9000, 0, 0x40}, /* no uniform register: the port's value means nothing */
	};
	(void)state;
	setup_geometry(32, 32);
	/* a single lane and a full warp, on different paths of the code; a window with origin 0, and a window with
	 * another origin: addresses with a register count from the origin */
	for (unsigned n = 0; n < 4 * (sizeof rows / sizeof rows[0]); n++) {
		const unsigned i = n / 4;
		const uint32_t origin = n & 1 ? 0x1000 : 0, named = rows[i].ra != WL_RZ || rows[i].ur != WL_NO_UR;
		smem.window[2].origin = origin;
		start(WL_UOP_LDS, 4, 0, n & 2 ? UINT32_MAX : 1u << 9);
		req.inst.ra = rows[i].ra;
		req.inst.ur = rows[i].ur;
		req.inst.xn = rows[i].xn;
		req.inst.off = rows[i].off;
		for (unsigned lane = 0; lane < 32; lane++)
			req.ra[lane] = rows[i].ra_value;
		req.ur = rows[i].ur_value;
		wl_atoms_plan(&smem, &req, &plan);
		if (plan.addr[9] != rows[i].addr - named * origin)
			fail_msg("row %u: address %#x, expected %#x", n, plan.addr[9], rows[i].addr - named * origin);
	}
}

/* ---- faults ---- */

enum {
	OK = WL_FAULT_NONE,
	MIS = WL_FAULT_MISALIGNED_ADDRESS,
	OUT = WL_FAULT_SHARED_OUT_OF_RANGE,
	ILL = WL_FAULT_ILLEGAL_INSTRUCTION
};

static void fault_rows(void **state)
{
	static const struct {
		uint8_t slot, size;
		uint16_t flags;
		uint32_t addr;
		int fault;
	} rows[] = {
	        {2, 4, 0, 0, OK},
	        {2, 4, 0, 4092, OK},
	        {2, 4, 0, 2, MIS},
	        {2, 4, 0, 4093, MIS},
	        {2, 4, 0, 4094, MIS}, /* misaligned is judged first */
	        {2, 4, 0, 4096, OUT},
	        {2, 1, 0, 4095, OK},
	        {2, 1, 0, 4096, OUT},
	        {2, 2, 0, 4094, OK},
	        {2, 2, 0, 4095, MIS},
	        {2, 2, 0, 4096, OUT},
	        {2, 8, 0, 4088, OK},
	        {2, 8, 0, 4092, MIS},
	        {2, 8, 0, 4096, OUT},
	        {2, 16, 0, 4080, OK},
	        {2, 16, 0, 4088, MIS},
	        {2, 16, 0, 4096, OUT},
	        {2, 1, 0, 0xffffffff, OUT}, /* address + size does not wrap around */
	        {2, 2, 0, 0xfffffffe, OUT},
	        {2, 4, 0, 0xfffffffc, OUT},
	        {2, 8, 0, 0xfffffff8, OUT},
	        {2, 16, 0, 0xfffffff0, OUT},
	        {2, 4, 0, 0xffffffff, MIS},
	        {2, 4, 0, 0x80000000, OUT},
	        {3, 4, 0, 0, OUT}, /* a slot without window */
	        {3, 4, 0, 2, MIS},
	        {4, 4, 0, 0, OUT}, /* a window without bytes */
	        {2, 4, WL_F_ILLEGAL, 0, ILL},
	        {2, 4, WL_F_ILLEGAL, 2, ILL}, /* illegal is judged before everything */
	        {2, 4, WL_F_ILLEGAL, 0xfffffffc, ILL},
	        {3, 4, WL_F_ILLEGAL, 0, ILL},
	};
	static uint32_t regs[WL_NUM_REGS][WL_WARP_LANES];
	(void)state;
	setup_geometry(32, 32);
	wl_smem_open(&smem, 4, 4112, 0, 1, 0);
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		uint8_t fault[WL_WARP_LANES] = {0};
		start(WL_UOP_STS, rows[i].size, rows[i].flags, 1u << 31 | 1u << 3);
		req.tag.slot = rows[i].slot;
		req.ra[31] = rows[i].addr;
		req.ra[3] = 32;
		memset(mem, 0x5a, sizeof mem);
		wl_atoms_plan(&smem, &req, &plan);
		if (plan.common.fault[31] != rows[i].fault ||
		    (plan.common.faulted >> 31 & 1) != (rows[i].fault != OK) ||
		    (plan.common.ok >> 31 & 1) != (rows[i].fault == OK))
			fail_msg("row %u: fault %u, expected %d", i, plan.common.fault[31], rows[i].fault);
		/* the fast path: the same faults; lanes with a fault change nothing */
		regs[1][31] = rows[i].addr;
		regs[1][3] = 32;
		uint32_t faulted = wl_atoms_exec(&smem, rows[i].slot, &req.inst, regs, req.mask, 0, fault, NULL);
		assert_int_equal(faulted, plan.common.faulted);
		assert_int_equal(fault[31], rows[i].fault);
		unsigned changed = 0;
		for (unsigned k = 0; k < sizeof mem; k++)
			changed += mem[k] != 0x5a;
		assert_int_equal(changed, (unsigned)__builtin_popcount(plan.common.ok) * rows[i].size);
	}
}

/* Illegal: every active lane faults, without passes. Operations without a name do no harm. */
static void illegal_instruction(void **state)
{
	static uint32_t regs[WL_NUM_REGS][WL_WARP_LANES];
	uint8_t fault[WL_WARP_LANES] = {0};
	unsigned passes = 7;
	(void)state;
	setup_geometry(8, 8);
	start(WL_UOP_ATOMS, 8, WL_F_ILLEGAL, 0x80f0);
	req.inst.op = 13;
	run();
	assert_int_equal(rec.faulted, 0x80f0);
	assert_int_equal(rec.committed, 0);
	assert_int_equal(rec.passes, 0);
	assert_int_equal(rec.fault[4], WL_FAULT_ILLEGAL_INSTRUCTION);
	assert_int_equal(rec.fault[3], WL_FAULT_NONE);
	assert_int_equal(wl_atoms_exec(&smem, 2, &req.inst, regs, 0x80f0, 0, fault, &passes), 0x80f0);
	assert_int_equal(passes, 0);
}

/* ---- passes ---- */

/* d lanes on the same bank, each other lane alone on a bank: d passes, at every geometry with enough lanes. */
static void conflict_degrees(void **state)
{
	static const unsigned ways[] = {4, 8, 16, 32};
	static uint32_t regs[WL_NUM_REGS][WL_WARP_LANES];
	static const enum wl_uop uops[] = {WL_UOP_LDS, WL_UOP_STS, WL_UOP_ATOMS};
	(void)state;
	for (unsigned l = 0; l < 4; l++)
		for (unsigned k = l; k < 4; k++)
			for (unsigned d = 1; d <= ways[l]; d++)
				for (unsigned u = 0; u < 3; u++) {
					const unsigned lanes = ways[l], banks = ways[k];
					uint8_t fault[WL_WARP_LANES];
					unsigned passes;
					setup_geometry(lanes, banks);
					start(uops[u], 4, 0, UINT32_MAX);
					for (unsigned lane = 0; lane < 32; lane++) {
						unsigned i = lane % lanes, bank = i < d ? 0 : i - d + 1;
						req.ra[lane] = (uint64_t)(i * banks + bank) * 4 % 4096;
						regs[1][lane] = (uint32_t)req.ra[lane];
					}
					run();
					assert_int_equal(rec.passes, d * (32 / lanes));
					wl_atoms_exec(&smem, 2, &req.inst, regs, UINT32_MAX, 0, fault, &passes);
					assert_int_equal(passes, d * (32 / lanes));
				}
}

static void check_passes(unsigned n, const uint32_t *lanes, const uint8_t *beats)
{
	assert_int_equal(plan.common.passes, n);
	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(plan.common.pass_lanes[i], lanes[i]);
		assert_int_equal(plan.pass_beat[i], beats[i]);
	}
}

/* The example of the unit's page: 4 lanes and 4 banks, 8 active lanes. */
static void worked_example(void **state)
{
	static const uint64_t addr[] = {0x00, 0x10, 0x14, 0x00, 0x08, 0x0c, 0x18, 0x1c};
	(void)state;
	setup_geometry(4, 4);
	start(WL_UOP_ATOMS, 4, 0, 0xff);
	memcpy(req.ra, addr, sizeof addr);
	wl_atoms_plan(&smem, &req, &plan);
	check_passes(5, (uint32_t[]){0x05, 0x02, 0x08, 0x30, 0xc0}, (uint8_t[]){0, 0, 0, 1, 1});
	req.inst.uop = WL_UOP_LDS; /* lane 3 reads the word of lane 0 */
	wl_atoms_plan(&smem, &req, &plan);
	check_passes(4, (uint32_t[]){0x0d, 0x02, 0x30, 0xc0}, (uint8_t[]){0, 0, 1, 1});
}

static void broadcast_is_for_loads(void **state)
{
	(void)state;
	setup_geometry(32, 32);
	start(WL_UOP_LDS, 4, 0, UINT32_MAX);
	for (unsigned lane = 0; lane < 32; lane++)
		req.ra[lane] = 64;
	wl_atoms_plan(&smem, &req, &plan);
	assert_int_equal(plan.common.passes, 1);
	req.inst.uop = WL_UOP_STS;
	wl_atoms_plan(&smem, &req, &plan);
	assert_int_equal(plan.common.passes, 32);
	for (unsigned pass = 0; pass < 32; pass++)
		assert_int_equal(plan.common.pass_lanes[pass], UINT32_C(1) << pass);
	setup_geometry(4, 32); /* a broadcast for each beat */
	req.inst.uop = WL_UOP_LDS;
	wl_atoms_plan(&smem, &req, &plan);
	assert_int_equal(plan.common.passes, 8);
}

/* Loads of bytes of the same 32-bit word share a turn; stores take turns. */
static void bytes_of_one_word(void **state)
{
	(void)state;
	setup_geometry(32, 32);
	start(WL_UOP_LDS, 1, 0, 0xff);
	for (unsigned lane = 0; lane < 8; lane++) /* two words of the same bank: 0 and 32 */
		req.ra[lane] = lane / 2 + (lane >= 4 ? 128 : 0);
	wl_atoms_plan(&smem, &req, &plan);
	check_passes(2, (uint32_t[]){0x0f, 0xf0}, (uint8_t[]){0, 0});
	start(WL_UOP_LDS, 2, WL_F_SIGNED, UINT32_MAX);
	for (unsigned lane = 0; lane < 32; lane++) /* 16 words in a row */
		req.ra[lane] = lane * 2;
	wl_atoms_plan(&smem, &req, &plan);
	assert_int_equal(plan.common.passes, 1);
	start(WL_UOP_STS, 1, 0, 0xff);
	for (unsigned lane = 0; lane < 8; lane++)
		req.ra[lane] = lane / 2;
	wl_atoms_plan(&smem, &req, &plan);
	assert_int_equal(plan.common.passes, 8);
}

/* 16 bytes fill a pass of 4 banks; with 32 banks eight lanes fit. */
static void wide_accesses(void **state)
{
	(void)state;
	for (unsigned banks = 4; banks <= 32; banks *= 2) {
		setup_geometry(32, banks);
		start(WL_UOP_STS, 16, 0, UINT32_MAX);
		for (unsigned lane = 0; lane < 32; lane++)
			req.ra[lane] = lane * 16;
		wl_atoms_plan(&smem, &req, &plan);
		assert_int_equal(plan.common.passes, 32 / (banks / 4));
		start(WL_UOP_STS, 8, 0, UINT32_MAX);
		for (unsigned lane = 0; lane < 32; lane++)
			req.ra[lane] = lane * 8;
		wl_atoms_plan(&smem, &req, &plan);
		assert_int_equal(plan.common.passes, 32 / (banks / 2));
	}
}

/* Beats whose lanes all fault or are inactive take no pass. */
static void empty_beats(void **state)
{
	(void)state;
	setup_geometry(4, 4);
	start(WL_UOP_LDS, 4, 0, 0xf000000f);
	for (unsigned lane = 0; lane < 4; lane++)
		req.ra[lane] = 2; /* misaligned */
	for (unsigned lane = 28; lane < 32; lane++)
		req.ra[lane] = lane * 4;
	run();
	check_passes(1, (uint32_t[]){0xf0000000}, (uint8_t[]){7});
	assert_int_equal(rec.faulted, 0x0000000f);
	assert_int_equal(rec.committed, 0xf0000000);
	assert_int_equal(rec.written, 0xf0000000);
}

/* ---- SPIN ---- */

static void spin_groups(void **state)
{
	(void)state;
	setup_geometry(4, 4);
	start(WL_UOP_ATOMS_CAST, 4, WL_F_SPIN, 0x111f);
	req.ra[0] = 2;    /* faults: takes no part */
	req.ra[1] = 0;    /* tries bank 0 */
	req.ra[2] = 128;  /* bank 0 again, another word: loses */
	req.ra[3] = 4;    /* tries bank 1 */
	req.ra[4] = 16;   /* tries bank 4 */
	req.ra[8] = 1024; /* bank 0 in a later beat: loses, though alone in the beat */
	req.ra[12] = 132; /* bank 1 in a later beat: loses */
	for (unsigned lane = 0; lane < 32; lane++)
		req.rc[lane].w[0] = 100 + lane;
	run();
	assert_int_equal(plan.spin_losers, 0x1104);
	check_passes(4, (uint32_t[]){0x000e, 0x0010, 0x0100, 0x1000}, (uint8_t[]){0, 1, 2, 3});
	assert_int_equal(rec.written, 0x111e);
	for (unsigned lane = 1; lane < 32; lane++)
		assert_int_equal(rec.result[lane].w[0], lane == 1 || lane == 3 || lane == 4);
	assert_int_equal(wl_smem_read(&smem, 16 + 0), 101);
	assert_int_equal(wl_smem_read(&smem, 16 + 128), 0);
	assert_int_equal(wl_smem_read(&smem, 16 + 4), 103);
	assert_int_equal(wl_smem_read(&smem, 16 + 16), 104);
	assert_int_equal(wl_smem_read(&smem, 16 + 1024), 0);
}

static void spin_groups_of_64_bits(void **state)
{
	(void)state;
	setup_geometry(32, 32);
	start(WL_UOP_ATOMS_CAST, 8, WL_F_SPIN, 0xff);
	for (unsigned lane = 0; lane < 8; lane++)
		req.ra[lane] = lane * 8 + (lane & 1) * 128; /* bits 6:3 all differ */
	wl_atoms_plan(&smem, &req, &plan);
	assert_int_equal(plan.spin_losers, 0);
	for (unsigned lane = 0; lane < 8; lane++)
		req.ra[lane] = lane / 2 * 8;
	wl_atoms_plan(&smem, &req, &plan);
	assert_int_equal(plan.spin_losers, 0xaa);
	assert_int_equal(plan.common.passes, 1);
	req.inst.flags = 0; /* without .SPIN every lane tries, in turn */
	wl_atoms_plan(&smem, &req, &plan);
	assert_int_equal(plan.spin_losers, 0);
	assert_int_equal(plan.common.passes, 2);
}

/* ---- values ---- */

/* Lanes on the same word take effect in lane order. */
static void lanes_take_turns(void **state)
{
	(void)state;
	setup_geometry(32, 32);
	start(WL_UOP_ATOMS, 4, 0, 0x0f0f);
	for (unsigned lane = 0; lane < 32; lane++)
		req.rb[lane].w[0] = 1u << lane;
	run();
	uint32_t sum = 0;
	for (unsigned lane = 0; lane < 32; lane++) {
		if (!(0x0f0f >> lane & 1)) {
			assert_int_equal(rec.result[lane].w[0] | rec.addr[lane] | rec.now[lane].w[0], 0);
			continue;
		}
		assert_int_equal(rec.result[lane].w[0], sum);
		assert_int_equal(rec.old[lane].w[0], sum);
		sum += 1u << lane;
		assert_int_equal(rec.now[lane].w[0], sum);
		assert_int_equal(rec.addr[lane], 16);
	}
	assert_int_equal(wl_smem_read(&smem, 16), 0x0f0f);
	assert_int_equal(rec.size, 4);

	start(WL_UOP_STS, 4, 0, UINT32_MAX);
	for (unsigned lane = 0; lane < 32; lane++)
		req.rb[lane].w[0] = lane;
	run();
	assert_int_equal(wl_smem_read(&smem, 16), 31); /* of several stores the store of the highest lane stays */
	assert_int_equal(rec.written, 0);
	assert_int_equal(rec.committed, UINT32_MAX);
}

/* A pass reads memory when applied, not when planned. */
static void passes_of_two_instructions_interleave(void **state)
{
	struct wl_req other;
	struct wl_atoms_plan other_plan;
	struct wl_record other_rec;
	(void)state;
	setup_geometry(4, 4);
	start(WL_UOP_ATOMS, 4, 0, 3);
	req.rb[0].w[0] = req.rb[1].w[0] = 1;
	other = req;
	other.rb[0].w[0] = other.rb[1].w[0] = 100;
	wl_atoms_plan(&smem, &req, &plan);
	wl_atoms_plan(&smem, &other, &other_plan);
	wl_atoms_start(&req, &plan, &rec);
	wl_atoms_start(&other, &other_plan, &other_rec);
	wl_atoms_apply(&smem, &req, &plan, 1, &rec);
	wl_atoms_apply(&smem, &other, &other_plan, 1, &other_rec);
	wl_atoms_apply(&smem, &req, &plan, 2, &rec);
	wl_atoms_apply(&smem, &other, &other_plan, 2, &other_rec);
	wl_atoms_finish(&req, &plan, &rec);
	wl_atoms_finish(&other, &other_plan, &other_rec);
	assert_int_equal(rec.result[0].w[0], 0);
	assert_int_equal(other_rec.result[0].w[0], 1);
	assert_int_equal(rec.result[1].w[0], 101);
	assert_int_equal(other_rec.result[1].w[0], 102);
	assert_int_equal(wl_smem_read(&smem, 16), 202);
}

static void sub_words_extend(void **state)
{
	static const struct {
		uint8_t size;
		uint32_t addr, flags, result;
	} rows[] = {
	        {1, 0, 0, 0x82},
	        {1, 0, WL_F_SIGNED, 0xffffff82},
	        {1, 1, WL_F_SIGNED, 0x73},
	        {2, 0, 0, 0x7382},
	        {2, 0, WL_F_SIGNED, 0x7382},
	        {2, 2, 0, 0x9164},
	        {2, 2, WL_F_SIGNED, 0xffff9164},
	        {4, 0, 0, 0x91647382},
	};
	(void)state;
	setup_geometry(32, 32);
	wl_smem_write(&smem, 16, 0x91647382);
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		start(WL_UOP_LDS, rows[i].size, rows[i].flags, 1);
		req.ra[0] = rows[i].addr;
		run();
		assert_int_equal(rec.result[0].w[0], rows[i].result);
		assert_int_equal(rec.old[0].w[0], rows[i].size == 4   ? 0x91647382
		                                  : rows[i].size == 2 ? rows[i].result & 0xffff
		                                                      : rows[i].result & 0xff);
		assert_memory_equal(&rec.now[0], &rec.old[0], sizeof rec.now[0]);
	}
}

static void cas_and_cast(void **state)
{
	(void)state;
	setup_geometry(32, 32);
	wl_smem_write(&smem, 16, 5);
	wl_smem_write(&smem, 20, 6);
	start(WL_UOP_ATOMS_CAS, 8, 0, 7); /* lanes 0 and 1 miss, by a bit of either half; lane 2 hits */
	for (unsigned lane = 0; lane < 3; lane++) {
		req.rb[lane] = (struct wl_lane){{5, 6, 0x77, 0x77}}; /* words above the access do not count */
		req.rc[lane] = (struct wl_lane){{50, 60, 0x88, 0x88}};
	}
	req.rb[0].w[0] = 4;
	req.rb[1].w[1] = 7;
	run();
	assert_int_equal(rec.committed, 7);
	for (unsigned lane = 0; lane < 3; lane++)
		assert_memory_equal(&rec.result[lane], &((struct wl_lane){{5, 6, 0, 0}}), 16);
	assert_memory_equal(&rec.now[1], &((struct wl_lane){{5, 6, 0, 0}}), 16);
	assert_memory_equal(&rec.now[2], &((struct wl_lane){{50, 60, 0, 0}}), 16);
	assert_int_equal(wl_smem_read(&smem, 16), 50);
	assert_int_equal(wl_smem_read(&smem, 20), 60);
	assert_int_equal(wl_smem_read(&smem, 24), 0);

	start(WL_UOP_ATOMS_CAST, 4, 0, 3); /* lane 0 hits, so lane 1 misses */
	req.rb[0].w[0] = req.rb[1].w[0] = 50;
	req.rc[0].w[0] = req.rc[1].w[0] = 51;
	run();
	assert_int_equal(rec.result[0].w[0], 1);
	assert_int_equal(rec.result[1].w[0], 0);
	assert_int_equal(rec.old[1].w[0], 51);
}

/* ATOMS.POPC.INC adds 1 for each lane, whatever the operand register holds. Lanes on the same word come in turn. Words
 * beside stay. */
static void increments(void **state)
{
	static uint32_t regs[WL_NUM_REGS][WL_WARP_LANES];
	uint8_t fault[WL_WARP_LANES];
	(void)state;
	setup_geometry(32, 32);
	wl_smem_write(&smem, 16 + 64, 0xfffffff0);
	start(WL_UOP_ATOMS, 4, WL_F_ONE, 0xffff0fff);
	req.inst.op = WL_ATOM_ADD;
	req.inst.rd = WL_RZ;
	for (unsigned lane = 0; lane < 32; lane++) {
		req.ra[lane] = regs[1][lane] = 64;
		req.rb[lane].w[0] = regs[4][lane] = 0x1000 + lane;
	}
	run();
	assert_int_equal(rec.old[16].w[0], 0xfffffffc); /* twelve lanes came before */
	assert_int_equal(wl_smem_read(&smem, 16 + 64), (uint32_t)(0xfffffff0 + 28));
	assert_int_equal(wl_atoms_exec(&smem, 2, &req.inst, regs, req.mask, 0, fault, NULL), 0);
	assert_int_equal(wl_smem_read(&smem, 16 + 64), (uint32_t)(0xfffffff0 + 56));
	assert_int_equal(wl_smem_read(&smem, 16 + 60), 0);
	assert_int_equal(wl_smem_read(&smem, 16 + 68), 0);
}

/* CAST of 64 bits answers with 1 or 0 in 64 bits: in loops for 64-bit atomics ptxas compares both registers (ISETP and
 * ISETP.EX). Without a destination nothing is written. */
static void registers_of_the_fast_path(void **state)
{
	static uint32_t regs[WL_NUM_REGS][WL_WARP_LANES];
	uint8_t fault[WL_WARP_LANES];
	(void)state;
	setup_geometry(32, 32);
	for (unsigned lane = 0; lane < 32; lane++) {
		regs[1][lane] = lane * 8;
		regs[2][lane] = regs[3][lane] = 0xabc;
		regs[8][lane] = lane;
	}
	start(WL_UOP_ATOMS_CAST, 8, WL_F_SPIN, UINT32_MAX);
	assert_int_equal(wl_atoms_exec(&smem, 2, &req.inst, regs, 0xff00ffff, 0, fault, NULL), 0);
	for (unsigned lane = 0; lane < 32; lane++) {
		/* 16 banks of 64 bits: the lower half of the warp takes all banks */
		assert_int_equal(regs[2][lane], lane < 16 ? 1 : lane < 24 ? 0xabc : 0);
		assert_int_equal(regs[3][lane], lane < 16 || lane >= 24 ? 0 : 0xabc);
		assert_int_equal(wl_smem_read(&smem, 16 + lane * 8), lane < 16 ? lane : 0);
	}
	start(WL_UOP_ATOMS, 4, 0, UINT32_MAX);
	req.inst.rd = WL_RZ;
	req.inst.rb = WL_RZ; /* adds nothing */
	memset(&regs[20], 0x11, sizeof regs[20]);
	assert_int_equal(wl_atoms_exec(&smem, 2, &req.inst, regs, UINT32_MAX, 0, fault, NULL), 0);
	for (unsigned lane = 0; lane < 16; lane++)
		assert_int_equal(wl_smem_read(&smem, 16 + lane * 8), lane);
	assert_int_equal(regs[20][7], 0x11111111);
}

/* A wide operand at the last register: registers above read as zero and are not written. */
static void registers_end_at_254(void **state)
{
	static uint32_t regs[WL_NUM_REGS + 4][WL_WARP_LANES];
	uint8_t fault[WL_WARP_LANES];
	(void)state;
	setup_geometry(32, 32);
	memset(regs, 0x22, sizeof regs);
	memset(regs[1], 0, sizeof regs[1]);
	start(WL_UOP_STS, 16, 0, 1);
	req.inst.rb = 254;
	assert_int_equal(wl_atoms_exec(&smem, 2, &req.inst, regs, 1, 0, fault, NULL), 0);
	assert_int_equal(wl_smem_read(&smem, 16), 0x22222222);
	assert_int_equal(wl_smem_read(&smem, 20), 0);
	assert_int_equal(wl_smem_read(&smem, 28), 0);
	wl_smem_write(&smem, 16, 7);
	wl_smem_write(&smem, 20, 8);
	start(WL_UOP_LDS, 16, 0, 1);
	req.inst.rd = 254;
	assert_int_equal(wl_atoms_exec(&smem, 2, &req.inst, regs, 1, 0, fault, NULL), 0);
	assert_int_equal(regs[254][0], 7);
	for (unsigned reg = 255; reg < WL_NUM_REGS + 4; reg++)
		assert_int_equal(regs[reg][0], 0x22222222);
}

/* CAST with a predicate result: as CAST, but without a written register; a predicate names the lanes that stored. */
static void cast_with_predicate(void **state)
{
	uint32_t regs[16][WL_WARP_LANES], preds;
	uint8_t fault[WL_WARP_LANES];
	(void)state;
	for (unsigned size = 4; size <= 8; size += 4) {
		setup_geometry(8, 8);
		start(WL_UOP_ATOMS_CAST_P, size, WL_F_SPIN, 0xff);
		req.inst.rd = WL_RZ;
		req.inst.pd[0] = 3;
		memset(regs, 0, sizeof regs);
		for (unsigned l = 0; l < 8;
		     l++) { /* lanes 0, 1 and 2 on the same word, lane 5 compares with another value */
			regs[1][l] = l < 3 ? 0 : 16 * l;
			regs[4][l] = l == 5 ? 1 : 0;
			regs[8][l] = 100 + l;
			req.ra[l] = regs[1][l];
			req.rb[l].w[0] = regs[4][l];
			req.rc[l].w[0] = regs[8][l];
		}
		run();
		assert_int_equal(rec.written, 0);
		assert_int_equal(rec.pred_written, 0xff);
		assert_int_equal(rec.preds, 0xd9);
		assert_int_equal(rec.stored, 0xd9);
		assert_int_equal(wl_smem_read(&smem, 16), 100);
		assert_int_equal(wl_smem_read(&smem, 16 + 5 * 16), 0);
		memset(mem, 0, sizeof mem);
		assert_int_equal(wl_atoms_exec_preds(&smem, 2, &req.inst, regs, 0xff, 0, fault, NULL, &preds), 0);
		assert_int_equal(preds, 0xd9);
		assert_int_equal(wl_smem_read(&smem, 16 + 7 * 16), 107);
		assert_int_equal(regs[2][0], 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(address_rows),
	        cmocka_unit_test(fault_rows),
	        cmocka_unit_test(illegal_instruction),
	        cmocka_unit_test(conflict_degrees),
	        cmocka_unit_test(worked_example),
	        cmocka_unit_test(broadcast_is_for_loads),
	        cmocka_unit_test(bytes_of_one_word),
	        cmocka_unit_test(wide_accesses),
	        cmocka_unit_test(empty_beats),
	        cmocka_unit_test(spin_groups),
	        cmocka_unit_test(spin_groups_of_64_bits),
	        cmocka_unit_test(lanes_take_turns),
	        cmocka_unit_test(passes_of_two_instructions_interleave),
	        cmocka_unit_test(sub_words_extend),
	        cmocka_unit_test(cas_and_cast),
	        cmocka_unit_test(cast_with_predicate),
	        cmocka_unit_test(increments),
	        cmocka_unit_test(registers_of_the_fast_path),
	        cmocka_unit_test(registers_end_at_254),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
