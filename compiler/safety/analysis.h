// SPDX-License-Identifier: Apache-2.0
/* analysis.h -- facts on a PTX function for the warnings: values, constants and addresses, and differences. */
#ifndef WLCC_SAFETY_ANALYSIS_H
#define WLCC_SAFETY_ANALYSIS_H

#include "../lower/skeleton.h"
#include "../ptx/ptx.h"

/* How a value differs. No bit: the same in all threads, as far as known. Every doubt drops a bit: a lost bit loses a
 * warning, a false bit makes a false alarm. */
enum {
	VARY_LANE = 1,    /* between lanes of a warp */
	VARY_WARP = 2,    /* between warps of a CTA */
	VARY_CTA = 4,     /* between CTAs of a cluster */
	VARY_SPLIT = 8,   /* a condition: certain to part lanes of some warp */
	VARY_UNKNOWN = 16 /* from memory, atomics or calls: may differ, may not */
};
#define VARY_THREADS (VARY_LANE | VARY_WARP)
enum { CAUSES = 3 }; /* VARY_LANE, VARY_WARP, VARY_CTA have a cause each */

enum cause_kind {
	CAUSE_NONE,
	CAUSE_SOURCE, /* the instruction reads a special register, or is an atomic */
	CAUSE_VALUE,  /* from: value */
	CAUSE_BRANCH, /* from: block; the branch of this block chooses the definition */
	CAUSE_PARAM,  /* from: parameter of the function */
	CAUSE_VAR,    /* from: variable in fn->vars, of the .param space */
	CAUSE_CALL    /* of a parameter: from is the instruction, in `caller` */
};

struct analysis;

struct cause {
	uint8_t kind;
	uint32_t from;
	const struct analysis *caller;
};

struct vary {
	uint8_t bits;
	struct cause cause[CAUSES];
};

enum fact_kind {
	FACT_TOP, /* not reached yet */
	FACT_CONST,
	FACT_TID,  /* %tid.x + off */
	FACT_WARP, /* %tid.x / 32 + off */
	FACT_LANE, /* lane number + off */
	FACT_SYM,  /* address of var, + off */
	FACT_IN,   /* an address in var */
	FACT_ANY
};

struct fact {
	uint8_t kind;
	const struct ptx_var *var;
	int64_t off;
};

struct value {
	uint32_t reg, block;
	uint32_t instr;     /* PTX_NONE: a join */
	uint32_t *arg;      /* of a join: a value for each predecessor */
	uint32_t next_join; /* in the same block */
	struct fact fact;
	struct vary vary;
};

struct analysis {
	struct arena *arena;
	struct arena *walk, *path; /* memory of a single walk, and of a single path: reset by the next */
	const struct ptx_function *fn;
	struct skeleton s;
	bool looked_into; /* false: a jump table or a computed branch */
	uint32_t *def;    /* by register: values def[reg] <= v < def[reg + 1], in order; joins come behind all */
	uint32_t nvalues, ndefs;
	struct value *values;
	uint32_t *joins;     /* by block: first join, NO_BLOCK = none */
	struct vary *params; /* of a function: joined over all calls */
	struct vary *rets;
	struct vary *vars;     /* by fn->vars: .param variables of calls */
	struct vary *branches; /* by block */
	uint32_t max_threads;  /* of a CTA: exact where exact is set */
	uint32_t ntid_x;       /* 0: unknown */
	bool exact, flat;      /* flat: y and z are 1 */
	bool changed;
};

struct module_analysis {
	struct arena arena, walk, path;
	const struct ptx_module *m;
	const struct wlcc_options *o;
	struct analysis *fns; /* by m->functions */
	uint32_t warnings;
};

/* ssa.c */
void analysis_values(struct analysis *a);
/* The value of a register in front of an instruction; NO_BLOCK: unknown. */
uint32_t value_before(const struct analysis *a, uint32_t reg, uint32_t instr);
bool operand_is_result(const struct ptx_instr *i, unsigned k);
typedef void (*operand_visit)(void *self, const struct ptx_operand *o);
void visit_leaves(const struct ptx_operand *o, void *self, operand_visit visit);

/* facts.c */
void analysis_facts(struct analysis *a);
struct fact operand_fact(const struct analysis *a, const struct ptx_operand *o, uint32_t instr);

/* vary.c */
void analysis_vary(struct module_analysis *m);
struct analysis *analysis_of(const struct module_analysis *m, const struct ptx_function *fn);
/* The function named by a call, NULL = by a register. */
const struct ptx_function *called(const struct ptx_instr *i);

/* transfer.c: differences of the results of an instruction, from the operands. */
struct vary transfer(const struct analysis *a, uint32_t instr, unsigned result);
struct vary operand_vary(const struct analysis *a, const struct ptx_operand *o, uint32_t instr);
struct vary register_vary(const struct analysis *a, uint32_t reg, uint32_t instr);
bool vary_join(struct vary *to, const struct vary *from);
struct vary vary_less(struct vary v, unsigned bits);

/* ways.c: number of events on the ways from a block to the meeting place. */
enum { WAY_MANY = 8 };
struct way {
	bool meets; /* some path reaches the meeting place */
	unsigned least, most;
	uint32_t first; /* instruction of the first event, PTX_NONE = none */
};
struct count {
	unsigned least, most;
};
typedef struct count (*event_count)(void *self, uint32_t instr);
struct way way_count(const struct analysis *a, uint32_t from, uint32_t meet, event_count count, void *self);

/* report.c */
struct report {
	struct module_analysis *m;
	const char *option;
};
void report_warning(struct report *r, const struct analysis *a, uint32_t instr, const char *fmt, ...)
        __attribute__((format(printf, 4, 5)));
void report_note(struct report *r, const struct analysis *a, uint32_t instr, const char *fmt, ...)
        __attribute__((format(printf, 4, 5)));
/* The way of a difference back to the source, a note for each step. Returns the instruction of the source. */
struct origin {
	const struct analysis *a;
	uint32_t instr; /* PTX_NONE: unknown */
};
struct origin report_chain(struct report *r, const struct analysis *a, uint32_t branch_instr, bool print);

/* divergent.c, life.c */
void check_divergent(struct module_analysis *m);
void check_mbarriers(struct module_analysis *m);

#endif
