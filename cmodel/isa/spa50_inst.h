// SPDX-License-Identifier: Apache-2.0
/* spa50_inst.h -- an instruction of the SPA 5.0 dialect between text and word (private to cmodel/isa). */
#ifndef WARPLOCK_SPA50_INST_H
#define WARPLOCK_SPA50_INST_H

#include <stdbool.h>

#include "warplock/isa.h"

/* ADD to EXCH are enum wl_atom_op. */
enum spa50_op { SPA50_CAS = WL_ATOM_EXCH + 1, SPA50_CAST, SPA50_OPS };
enum spa50_type { SPA50_U32, SPA50_S32, SPA50_U64, SPA50_TYPES };

enum {
	SPA50_SCOREBOARDS = 6,     /* 0..5 */
	SPA50_NO_SCOREBOARD = 7,   /* of the fields with a single number */
	SPA50_STALL = 15,          /* without a number in the text */
	SPA50_STALL_BY_YIELD = 11, /* with ?yield: NVIDIA's disassembler takes no longer stall with that bit */
};

struct spa50_inst {
	enum spa50_op op;
	enum spa50_type type;
	bool spin;
	uint8_t guard;          /* as in struct wl_inst */
	uint8_t rd, ra, rb, rc; /* ra = RZ: the address is `imm` alone; rc = RZ where the operation has none */
	int64_t imm;
	struct wl_sched sched;
};

/* Place for the reason of a refusal. */
struct spa50_err {
	char *buf;
	size_t n;
};
/* Writes the reason; false, for `return spa50_refuse(...)`. */
bool spa50_refuse(const struct spa50_err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

extern const char *const spa50_op_name[SPA50_OPS];
extern const char *const spa50_type_name[SPA50_TYPES];
static inline bool spa50_has_rc(enum spa50_op op)
{
	return op == SPA50_CAS || op == SPA50_CAST;
}

/* "R12" or "RZ". */
struct spa50_reg_name {
	char text[8];
};
struct spa50_reg_name spa50_reg_name(unsigned reg);

/* Every rule that an instruction can break, however written. */
bool spa50_check(const struct spa50_inst *in, const struct spa50_err *e);

/* Text to instruction: only the form. spa50_check has the rules. */
bool spa50_parse(const char *text, struct spa50_inst *in, const struct spa50_err *e);
/* The scheduling part of the text, from *at on; moves *at behind the part. */
bool spa50_parse_sched(const char **at, struct wl_sched *s, const struct spa50_err *e);
/* The number at *at, decimal or 0x hexadecimal; moves *at behind the number. False: no number. Too large numbers
 * saturate, beyond every range of the dialect. */
bool spa50_parse_number(const char **at, int64_t *value);

/* Instruction that passed spa50_check to text; length as of snprintf. */
int spa50_format(const struct spa50_inst *in, char *buf, size_t n);

#endif
