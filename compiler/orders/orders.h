// SPDX-License-Identifier: Apache-2.0
/* orders.h -- does the code keep the orders of the PTX? docs/orders.md has the rules.
 *
 * demand.c has the demands of the PTX memory model on each instruction, words.c the effect of each word on memory.
 * accesses.c follows every path of the code with the rules of ordered accesses, fences.c with the rules of fences. No
 * file here reads a table of the compiler. */
#ifndef WLCC_ORDERS_H
#define WLCC_ORDERS_H

#include "../ptx/ast.h"
#include "warplock/hazard.h"

/* How far an order reaches. Words have no separate level for a cluster: a cluster takes GPU. */
enum reach { REACH_NONE, REACH_CTA, REACH_GPU, REACH_SYS };
const char *reach_name(enum reach r);

enum deed {
	DEED_NONE,
	DEED_LOAD,
	DEED_STORE,
	DEED_ATOMIC,
	DEED_FENCE,
	DEED_ARRIVE, /* at an mbarrier or a cluster's barrier */
	DEED_WAIT,   /* at the same barriers */
	DEED_OTHER,  /* touches memory or meets other threads, without a demand here: copies, named barriers */
	DEED_CALL,
};

/* Demands of a PTX instruction. */
struct demand {
	const struct ptx_instr *i;
	const struct ptx_function *f;
	uint32_t at; /* index in f */
	enum deed deed;
	bool strong, mmio; /* the access itself */
	bool release, acquire, sc;
	bool own_shared; /* shared memory of the own CTA, as far as known from the PTX */
	enum reach reach;
	uint32_t words; /* number of words of this demand in the current section */
};

struct demands {
	struct demand *list; /* by line */
	uint32_t n;
	uint32_t **of; /* [function of the module][instruction]: place in the list + 1, 0 = no demand */
	const struct ptx_module *module;
};
bool demands_read(const struct ptx_module *m, struct demands *out);
void demands_free(struct demands *d);
uint32_t demand_of(const struct demands *d, const struct ptx_function *f, uint32_t instr); /* as in `of` */

enum word_kind { WORD_OTHER, WORD_ACCESS, WORD_MEMBAR, WORD_ERRBAR, WORD_CGAERRBAR, WORD_IVALL, WORD_CALL, WORD_END };
enum { NO_DEMAND = 0xffffffffu, NO_GUARD = 0xff };

struct order_word {
	enum word_kind kind;
	bool reads, writes, atomic;
	bool named;     /* a named barrier: of the CTA */
	bool tests;     /* the phase of an mbarrier */
	bool has_order; /* the word has a field for the order */
	bool strong, mmio, sc;
	enum reach reach; /* of a strong access, or of a MEMBAR */
	uint8_t guard;    /* NO_GUARD = always */
	uint8_t pred;     /* predicate written, 7 = none */
	uint8_t board;    /* mask of the scoreboard of the result */
	uint8_t wait;     /* mask of scoreboards to wait for */
	bool ends, indirect, branches;
	int64_t target;  /* word number, -1 = none */
	uint32_t demand; /* NO_DEMAND = none */
};

/* Code of a section. */
struct orders_code {
	enum wl_arch arch;
	const char *name;
	const unsigned char *words; /* 16 bytes each */
	uint32_t n;
	const uint32_t *lines; /* PTX line of each word, 0 = none */
	const struct wl_way *ways;
	uint32_t nways;
};

struct orders_finding {
	const struct demand *demand;
	uint32_t pc;    /* the word in question */
	uint32_t other; /* a related word, NO_DEMAND = none */
	const char *text;
};
typedef void (*orders_visitor)(void *self, const struct orders_finding *f);

/* Reports demands not met by the code. Returns the number of findings, -1 without memory. `demands` must be of the
 * same architecture; the members `words` are overwritten. */
int orders_check(struct demands *d, const struct orders_code *code, orders_visitor visitor, void *self);

/* ---- shared by the files of this folder ---- */

struct order_check {
	struct demands *d;
	const struct orders_code *code;
	struct order_word *word;
	orders_visitor visitor;
	void *self;
	int found;
	bool no_memory;
};
bool words_read(struct order_check *c); /* c->word, from malloc */
/* Calls `to` for each word that may follow; a call returns. */
void words_follow(const struct order_check *c, uint32_t pc, void (*to)(void *self, uint32_t pc), void *self);
void accesses_check(struct order_check *c);
void fences_check(struct order_check *c);
__attribute__((format(printf, 5, 6))) void orders_report(struct order_check *c, uint32_t demand, uint32_t pc,
                                                         uint32_t other, const char *fmt, ...);

/* Words needed by a demand beside the access itself. */
enum stage { STAGE_MEMBAR = 1, STAGE_ERRBAR = 2, STAGE_CGAERRBAR = 4, STAGE_IVALL = 8 };
unsigned demand_before(const struct demand *d, enum wl_arch arch);
unsigned demand_behind(const struct demand *d, enum wl_arch arch);

#endif
