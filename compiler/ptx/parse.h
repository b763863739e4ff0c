// SPDX-License-Identifier: Apache-2.0
/* parse.h -- shared declarations of the PTX parser. No file outside compiler/ptx includes this header. */
#ifndef WLCC_PTX_PARSE_H
#define WLCC_PTX_PARSE_H

#include "forms.h"
#include "lex.h"
#include "ptx.h"
#include "words.h"

enum {
	MAX_DEPTH = 200,         /* braces, parentheses, nested initialisers */
	MAX_SYNTAX_ERRORS = 100, /* then the rest of the file is not worth reading */
	MAX_NAME = 4095,         /* bytes of a name to look up */
	MAX_QUALIFIERS = 24,     /* words behind the name of an instruction */
	MAX_ABOUT = 160          /* bytes of the text found or expected */
};

/* ---- symbols (symtab.c) ----------------------------------------------------------------------------------- */

enum sym_kind { SYM_NONE, SYM_REG, SYM_RANGE, SYM_SYMBOL, SYM_TABLE, SYM_LABEL };

struct sym {
	const char *name;
	uint32_t len, hash, depth;
	enum sym_kind kind;
	uint32_t index; /* SYM_REG, SYM_RANGE, SYM_LABEL */
	struct ptx_symbol *symbol;
	struct ptx_table *table;
	struct sym *next;  /* in its bucket */
	struct sym *local; /* next entry of the same scope */
};

struct symtab {
	struct arena *arena;
	struct sym **bucket;
	uint32_t nbuckets, nsyms;
	struct sym *local[MAX_DEPTH + 2]; /* entries of each open scope */
	uint32_t depth;                   /* 0 = module */
	uint32_t inner_ranges;            /* register ranges declared below the body's own level and still open */
};

void symtab_init(struct symtab *t, struct arena *a);
void symtab_open(struct symtab *t);
/* Ends the innermost scope. Labels of the scope stay alive for the caller: the result is a list linked by `local`. */
struct sym *symtab_close(struct symtab *t);
struct sym *symtab_add(struct symtab *t, uint32_t depth, enum sym_kind kind, const char *name, size_t len);
/* Registers, variables, functions and tables share a name space. Ranges and labels have separate name spaces. */
struct sym *symtab_find(const struct symtab *t, enum sym_kind kind, const char *name, size_t len);
struct sym *symtab_find_at(const struct symtab *t, uint32_t depth, enum sym_kind kind, const char *name, size_t len);

/* ---- the parser ------------------------------------------------------------------------------------------- */

struct ptx_parser {
	const struct ptx_options *o;
	unsigned toolkit; /* the toolkit with the verdicts to give: 130 is CUDA 13.0 */
	struct ptx_module *m;
	struct arena *arena;
	struct ptx_lexer lex;
	struct ptx_token tok, ahead; /* the next token to read, and the token behind it when peeked */
	bool has_ahead;
	struct symtab syms;
	struct ptx_pos word_at[MAX_QUALIFIERS]; /* positions of the words of the current instruction */
	uint32_t syntax_errors;
	bool have_version, have_target, have_address_size;

	/* the current function */
	struct ptx_function *fn;
	uint32_t scope; /* index of the innermost brace pair */
	uint32_t loc;
	uint32_t cap_regs, cap_ranges, cap_vars, cap_instrs, cap_labels, cap_scopes, cap_locs, cap_tables, cap_pragmas;
	/* All functions share this room for reading instructions. The finished instructions move out. */
	struct ptx_instr *room;
	uint32_t cap_room;
	/* messages about the operands of the current instruction: printed after the messages about the whole */
	struct wlcc_message *held;
	uint32_t nheld, cap_held;
	bool holding;
	/* module tables */
	uint32_t cap_items, cap_mvars, cap_mfuncs, cap_files;
};

/* Details of a message besides the text; empty texts and zeros have no meaning. */
struct ptx_about {
	char found[MAX_ABOUT], expected[MAX_ABOUT];
	unsigned version, target; /* the least sufficient value: of one of the two */
};

/* diag.c. Texts are printf formats; ptx_near() prints a token for a message. */
__attribute__((format(printf, 3, 4))) void ptx_error(struct ptx_parser *p, struct ptx_pos at, const char *fmt, ...);
__attribute__((format(printf, 3, 4))) void ptx_warn(struct ptx_parser *p, struct ptx_pos at, const char *fmt, ...);
__attribute__((format(printf, 4, 5))) void ptx_error_about(struct ptx_parser *p, struct ptx_pos at,
                                                           const struct ptx_about *about, const char *fmt, ...);
/* Reports a .version (10 * major + minor) or .target below the needs of the thing named by the text. */
__attribute__((format(printf, 5, 6))) void ptx_gate(struct ptx_parser *p, struct ptx_pos at, unsigned version,
                                                    unsigned target, const char *fmt, ...);
/* Keeps the next messages, until ptx_release() prints them. A syntax error drops the kept messages. */
void ptx_hold(struct ptx_parser *p);
void ptx_release(struct ptx_parser *p);
bool ptx_syntax_error(struct ptx_parser *p);                          /* at p->tok; always false */
bool ptx_syntax_expected(struct ptx_parser *p, const char *expected); /* the same, with the expected text */

/* tokens (parse.c) */
static inline struct ptx_pos ptx_here(const struct ptx_parser *p)
{
	return (struct ptx_pos){p->tok.line, p->tok.col};
}
/* Position of a message about a part of an instruction: the part, if on the line of the name. */
static inline struct ptx_pos ptx_word_pos(const struct ptx_instr *i, struct ptx_pos at)
{
	return at.line == i->pos.line ? at : i->pos;
}
void ptx_next(struct ptx_parser *p);
const struct ptx_token *ptx_peek(struct ptx_parser *p); /* the token after p->tok */
bool ptx_is(const struct ptx_parser *p, char punct);
bool ptx_is_dot(const struct ptx_parser *p, const char *word);
bool ptx_accept(struct ptx_parser *p, char punct);
bool ptx_expect(struct ptx_parser *p, char punct);
bool ptx_expect_int(struct ptx_parser *p, uint64_t max, uint32_t *value);
const char *ptx_text(struct ptx_parser *p, const struct ptx_token *t); /* an arena copy */
/* Room for another element of *array: the address of the new, cleared element. */
void *ptx_push(struct ptx_parser *p, void *array, uint32_t *n, uint32_t *cap, size_t size);

/* expr.c */
struct ptx_const {
	bool is_float, is_unsigned, is_f32;
	uint32_t f32_bits;
	uint64_t u;
	double f;
};
bool ptx_const_expr(struct ptx_parser *p, struct ptx_const *out);
bool ptx_const_int(struct ptx_parser *p, struct ptx_const *out);

/* decl.c: after the linkage words; stops after the `;` */
bool ptx_var_decl(struct ptx_parser *p, enum ptx_linkage linkage);
bool ptx_reg_decl(struct ptx_parser *p);
struct ptx_var *ptx_param_decl(struct ptx_parser *p);          /* one parameter or result of a function */
bool ptx_initialiser(struct ptx_parser *p, struct ptx_var *v); /* init.c */
/* Register by name, made on first use of a range; PTX_NONE: unknown name. */
uint32_t ptx_find_reg(struct ptx_parser *p, const char *name, size_t len);
uint32_t ptx_new_reg(struct ptx_parser *p, uint32_t range, uint32_t number);

/* func.c */
bool ptx_function_decl(struct ptx_parser *p, enum ptx_linkage linkage, bool is_entry);
bool ptx_prototype(struct ptx_parser *p, struct ptx_function *f);
/* body.c: from after `{` to after `}` */
bool ptx_body(struct ptx_parser *p);
void ptx_body_end(struct ptx_parser *p); /* ends the function's scope: settles the labels */
/* operand.c */
bool ptx_operand(struct ptx_parser *p, struct ptx_instr *i, struct ptx_operand *out, unsigned depth);
/* decl_types.c: may the variable have this type? False comes with a message. */
enum ptx_var_place { PTX_OF_BODY, PTX_OF_MODULE, PTX_OF_ENTRY, PTX_OF_FUNCTION, PTX_OF_PROTOTYPE };
bool ptx_check_variable_type(struct ptx_parser *p, const struct ptx_var *v, enum ptx_var_place place);

bool ptx_call_operands(struct ptx_parser *p, struct ptx_instr *i);
uint32_t ptx_label_ref(struct ptx_parser *p, const char *name, size_t len, struct ptx_pos pos);

/* instr.c: an instruction from the name to the `;` */
bool ptx_instruction(struct ptx_parser *p, uint32_t guard, bool negated);

/* check.c: reports misfits. Not clean: an earlier message exists, so operands and missing words are not checked. */
void ptx_check_instr(struct ptx_parser *p, struct ptx_instr *i, bool clean);

#endif
