// SPDX-License-Identifier: Apache-2.0
/* ast.h -- a PTX module as the front end hands it on.
 *
 * Everything lives in one arena and dies with the module (ptx_module_free). Names are NUL-terminated. The trees are
 * checked: in a module without errors, name, qualifiers, types and operands of each instruction fit a row of the form
 * tables. The consumer need not test this again, and reports its own error for instructions without code.
 *
 * Registers, labels and variables are small integers or pointers here, never text: scopes are resolved. Two registers
 * of the same name in two scopes are two entries. */
#ifndef WLCC_PTX_AST_H
#define WLCC_PTX_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"

enum { PTX_NONE = 0xffffffffu }; /* "no register", "no label", "no index" */

enum ptx_type_class {
	PTX_CLASS_NONE,
	PTX_CLASS_UINT,
	PTX_CLASS_SINT,
	PTX_CLASS_BITS,
	PTX_CLASS_FLOAT,
	PTX_CLASS_PRED,
	PTX_CLASS_OPAQUE
};

enum ptx_var_kind { /* allowed variables of a type: types.def */
	            PTX_VAR_NEVER,
	            PTX_VAR_BASIC,
	            PTX_VAR_HALVES,
	            PTX_VAR_PACKED,
	            PTX_VAR_INSTR,
	            PTX_VAR_PRED,
	            PTX_VAR_OPAQUE
};

enum ptx_type { /* PTX_T_u32, ... PTX_T_none = 0 */
#define PTX_TYPE(id, cls, bits, bytes, var) PTX_T_##id,
#include "types.def"
#undef PTX_TYPE
	        PTX_TYPE_COUNT
};

enum ptx_space { /* PTX_SP_shared, ... PTX_SP_none = 0 = generic */
#define PTX_SPACE(id, text) PTX_SP_##id,
#include "spaces.def"
#undef PTX_SPACE
	         PTX_SPACE_COUNT
};

enum ptx_op { /* PTX_OP_atom, ...; a name of several words is a single name: PTX_OP_bar_red. PTX_OP_none = 0 */
	      PTX_OP_none,
#define PTX_OP(id, text)            PTX_OP_##id,
#define PTX_OP_UNMODELLED(id, text) PTX_OP_##id,
#define PTX_OP_PREFIX(id, text)     PTX_OP_##id,
#include "ops.def"
#undef PTX_OP_PREFIX
#undef PTX_OP
#undef PTX_OP_UNMODELLED
	      PTX_OP_COUNT
};

enum ptx_mod { /* PTX_M_add, ...; `::` is written `__`. PTX_M_none = 0 */
	       PTX_M_none,
#define PTX_MOD(id, text, kind) PTX_M_##id,
#include "mods.def"
#undef PTX_MOD
	       PTX_MOD_COUNT
};

enum ptx_sreg { /* PTX_SR_tid, ... */
	        PTX_SR_none,
#define PTX_SREG(id, type, vec, version, target) PTX_SR_##id,
#include "sregs.def"
#undef PTX_SREG
	        PTX_SREG_COUNT
};

struct ptx_pos {
	uint32_t line, col; /* both from 1 */
};

/* ---- operands --------------------------------------------------------------------------------------------- */

enum ptx_operand_kind {
	PTX_O_NONE,
	PTX_O_REG,    /* reg; also predicates: `negated` is set for !p. comp for %v.x of a vector register */
	PTX_O_INT,    /* imm: integer literal or constant expression; also a constant predicate of setp and bar.red */
	PTX_O_FLOAT,  /* f64; is_f32 when written 0fXXXXXXXX: f64 holds the same float exactly, f32_bits the bits */
	PTX_O_SYMBOL, /* sym + off: address of a variable or function as a value (mov %r, name+4) */
	PTX_O_ADDR,   /* [base + off]: base_kind below */
	PTX_O_LABEL,  /* label: index into ptx_function.labels */
	PTX_O_SREG,   /* sreg and comp (for %tid.x comp = 0; PTX_COMP_ALL for a whole vector register) */
	PTX_O_VECTOR, /* {a, b, ..}: list, count */
	PTX_O_PAIR,   /* d|p: list[0] is d, list[1] is p; either may be a sink */
	PTX_O_SINK,   /* `_` */
	PTX_O_LIST,   /* (a, b, ..) of call: list, count (0 for none). A call always has ops[0] = LIST of results,
	               * ops[1] = SYMBOL or REG called, ops[2] = LIST of arguments, and for a REG ops[3] = TABLE */
	PTX_O_TABLE,  /* name of a .branchtargets, .calltargets or .callprototype: table */
	PTX_O_PARTS   /* [a, b]: a tensor map and coordinates, or a chip and an address: list, count is 2 */
};

enum ptx_base_kind { PTX_BASE_REG, PTX_BASE_SYMBOL, PTX_BASE_IMM };
enum { PTX_COMP_ALL = 0xff };

struct ptx_operand {
	uint8_t kind;      /* enum ptx_operand_kind */
	uint8_t base_kind; /* of PTX_O_ADDR */
	uint8_t comp;      /* 0..3 = .x .y .z .w, PTX_COMP_ALL = none */
	bool negated;      /* !p, and -%r where a register may be negated */
	bool is_f32;       /* of PTX_O_FLOAT */
	bool is_unsigned;  /* of PTX_O_INT: written with U, or above INT64_MAX */
	bool indexed;      /* of PTX_O_SYMBOL: name[n] */
	uint16_t count;    /* of list; 16 bits bound it */
	struct ptx_pos pos;
	union {
		uint32_t reg; /* index into ptx_function.regs; also base of PTX_O_ADDR */
		uint32_t label;
		uint32_t sreg;                /* enum ptx_sreg */
		const struct ptx_symbol *sym; /* also base of PTX_O_ADDR */
		const struct ptx_operand *list;
		const struct ptx_table *table;
	};
	union {
		int64_t imm; /* PTX_O_INT; PTX_O_ADDR with an immediate base */
		int64_t off; /* added to sym or to the base of an address */
		double f64;
		const char *selector; /* of a PTX_O_REG in a video instruction: "b0", "h10", ..; else NULL. Of the
		                       * callee of a call, PTX_O_NONE: the name */
	};
	uint32_t f32_bits;
};

/* ---- instructions ----------------------------------------------------------------------------------------- */

/* Qualifiers are resolved into the fields; 0 = the instruction has no such qualifier. `mods` has every qualifier in
 * the order written (types and spaces too), for printing and for ptx_has(). */
struct ptx_instr {
	uint16_t op;     /* enum ptx_op */
	uint8_t type[4]; /* enum ptx_type, in the order written: cvt.f32.s32 -> f32, s32; atom.shared.add.u32 -> u32 */
	uint8_t ntypes;
	uint8_t space[2]; /* enum ptx_space: [0] the state space, [1] the second space of cp.async */
	uint8_t nspaces;
	uint8_t vec; /* 1, or 2, 4, 8 for .v2 .v4 .v8 */
	/* each an enum ptx_mod */
	uint16_t operation; /* add inc dec min max and or xor exch cas (atom, red, redux), and or popc (bar.red), and or
	                     * xor (the boolean of set and setp) */
	uint16_t cmp;       /* eq ne lt ... (set, setp: lo and hi, too) */
	uint16_t half;      /* lo hi wide */
	uint16_t round;     /* rn rz ... rni ... approx full */
	uint16_t order;     /* weak volatile relaxed acquire release acq_rel sc */
	uint16_t scope;     /* cta cluster gpu gl sys */
	uint16_t cache;     /* ca cg cs lu cv wb wt */
	uint16_t mode;      /* up down bfly idx; all any ballot; l r; f4e ...; finite ... */
	uint16_t clamp;     /* clamp wrap */
	uint16_t nmods;
	const uint16_t *mods; /* PTX_Q_* below: kind and value */
	uint8_t nops;
	bool guard_negated;
	uint32_t guard; /* predicate register of @p, or PTX_NONE */
	struct ptx_operand *ops;
	struct ptx_pos pos; /* of the first character of the name; pos.line is the PTX line */
	uint32_t loc;       /* index into ptx_function.locs: the .loc in force, or PTX_NONE */
	uint32_t form;      /* matching row of the form tables: ptx_form(index) of forms.h */
};

/* One word of the bag, as an entry of mods[]. */
#define PTX_Q_MOD(m)   (uint16_t)(m)
#define PTX_Q_TYPE(t)  (uint16_t)(0x8000 | (t))
#define PTX_Q_SPACE(s) (uint16_t)(0x4000 | (s))

static inline bool ptx_has(const struct ptx_instr *i, enum ptx_mod m)
{
	for (unsigned n = 0; n < i->nmods; n++)
		if (i->mods[n] == PTX_Q_MOD(m))
			return true;
	return false;
}

/* ---- variables, functions, module ------------------------------------------------------------------------- */

enum ptx_linkage { PTX_LINK_LOCAL, PTX_LINK_VISIBLE, PTX_LINK_EXTERN, PTX_LINK_WEAK, PTX_LINK_COMMON };

/* An address in an initialiser: the bytes at `offset` become sym + addend (generic: as a generic address).
 * `mask_byte` is the number of the byte taken by mask operators such as 0xFF00(sym), or PTX_NONE for the whole
 * address. */
struct ptx_reloc {
	uint64_t offset;
	const struct ptx_symbol *sym;
	int64_t addend;
	uint32_t mask_byte;
	uint8_t bytes;
	bool generic;
};

struct ptx_var {
	const char *name;
	uint8_t space;   /* enum ptx_space: global const shared local param */
	uint8_t type;    /* enum ptx_type of an element */
	uint8_t vec;     /* 1, 2, 4 */
	uint8_t linkage; /* enum ptx_linkage */
	bool is_array;
	bool unsized; /* extern .shared a[]: size 0 */
	bool ptr;     /* .param .ptr */
	uint8_t ptr_space;
	uint32_t ptr_align;
	uint32_t ndims;
	const uint64_t *dims;
	uint32_t align; /* in bytes; the natural alignment where none is written */
	bool has_align;
	bool managed; /* .attribute(.managed) */
	bool has_unified;
	uint64_t unified[2];
	uint64_t size;       /* in bytes */
	const uint8_t *init; /* the first init_size bytes, or NULL; the rest is zero */
	uint64_t init_size;
	uint32_t nrelocs;
	const struct ptx_reloc *relocs;
	uint32_t index;  /* of a kernel or function parameter: index from 0; else PTX_NONE */
	uint64_t offset; /* of a kernel parameter: its byte in the parameter space */
	uint32_t reg;    /* of a function's .reg parameter: the register, else PTX_NONE */
	uint32_t scope;  /* declared in ptx_function.scopes[scope]; PTX_NONE for module variables */
	const struct ptx_symbol *sym;
	struct ptx_pos pos;
	void *user; /* free for the consumer, like `mark`; the front end leaves both NULL */
	const void *mark;
};

enum ptx_symbol_kind { PTX_SYM_VAR, PTX_SYM_FUNCTION };

struct ptx_symbol {
	const char *name;
	enum ptx_symbol_kind kind;
	union {
		struct ptx_var *var;
		struct ptx_function *function;
	};
};

struct ptx_reg {
	uint8_t type;    /* enum ptx_type */
	uint8_t vec;     /* 1, 2, 4 */
	uint32_t range;  /* into ptx_function.ranges: where it was declared */
	uint32_t number; /* in a range %r<33>: the number of the register */
};

/* One declarator of a .reg line: `%r<33>`, or a single register (count 0). Registers of a range are numbered on first
 * use. */
struct ptx_reg_range {
	const char *name;
	uint8_t type, vec;
	uint32_t count;
	uint32_t scope;
	struct ptx_pos pos;
};

struct ptx_label {
	const char *name;
	uint32_t instr; /* index of the next instruction; == ninstrs at the end of the body */
	uint32_t scope;
	struct ptx_pos pos;
};

/* A pair of braces in a body; scopes[0] is the body itself. Needed for printing only. */
struct ptx_scope {
	uint32_t parent;
	uint32_t first, end; /* instructions inside: first <= i < end */
};

struct ptx_loc {
	uint32_t file, line, col;
	uint32_t instr;   /* first instruction of this .loc */
	const char *rest; /* `, function_name ..., inlined_at ...` as written, or NULL */
	uint32_t ptx_line;
	const char *function;                          /* label of the function's name; NULL: not inlined */
	uint32_t function_offset;                      /* `label + 4` */
	uint32_t caller_file, caller_line, caller_col; /* inlined_at; file 0: not written */
};

enum ptx_table_kind { PTX_TABLE_BRANCH, PTX_TABLE_CALL, PTX_TABLE_PROTOTYPE };

struct ptx_table {
	const char *name;
	enum ptx_table_kind kind;
	uint32_t count;                            /* of labels or functions */
	uint32_t *labels;                          /* .branchtargets */
	const struct ptx_symbol *const *functions; /* .calltargets */
	const struct ptx_function *prototype;      /* .callprototype: a function without body */
	uint32_t scope, instr;
	struct ptx_pos pos;
};

struct ptx_pragma {
	const char *text;  /* without the quotes */
	uint32_t instr;    /* of a pragma in the body: the next instruction; PTX_NONE in front of the body */
	bool behind_label; /* a label of the next instruction stands in front of the pragma */
};

struct ptx_function {
	const char *name;
	bool is_entry;
	bool has_body;
	bool noreturn;
	uint8_t linkage;
	const struct ptx_symbol *sym;
	struct ptx_pos pos;

	uint32_t nparams, nrets;
	struct ptx_var **params, **rets;
	uint64_t param_size; /* of a kernel: bytes of parameter space */

	/* performance directives; 0 or ntid[0] == 0 where not written */
	uint32_t maxntid[3], reqntid[3], minnctapersm, maxnctapersm, maxnreg;
	uint32_t reqnctapercluster[3], maxclusterrank;
	bool explicitcluster, blocksareclusters;
	uint32_t npragmas;
	struct ptx_pragma *pragmas;

	uint32_t nregs, nranges, nvars, ninstrs, nlabels, nscopes, nlocs, ntables;
	struct ptx_reg *regs;
	struct ptx_reg_range *ranges;
	struct ptx_var **vars; /* declared in the body: shared local global const, and .param of calls */
	struct ptx_instr *instrs;
	struct ptx_label *labels; /* in the order of first mention */
	struct ptx_scope *scopes;
	struct ptx_loc *locs;
	struct ptx_table **tables;
	uint32_t end_line; /* of the closing brace */
	void *user;        /* free for the consumer */
};

enum ptx_item_kind {
	PTX_ITEM_VAR,
	PTX_ITEM_FUNCTION,
	PTX_ITEM_FILE,
	PTX_ITEM_SECTION,
	PTX_ITEM_ALIAS,
	PTX_ITEM_PRAGMA
};

/* The module level, in order. A function or variable with a declaration and a later definition has two items. */
struct ptx_item {
	enum ptx_item_kind kind;
	struct ptx_var *var;
	struct ptx_function *function; /* a declaration is a separate entry without body, with the same sym */
	const struct ptx_symbol *alias, *aliasee;
	const char *text; /* .file, .section and .pragma as written */
	uint32_t size;
	uint32_t file; /* number of a .file */
	struct ptx_pos pos;
};

struct ptx_file { /* .file N "name" */
	uint32_t number;
	const char *name;
};

struct ptx_module {
	struct arena arena;
	const char *file; /* name for messages */
	unsigned version; /* 10 * major + minor, as used (9.4 is read as 9.0 where allowed) */
	unsigned version_written;
	unsigned target;         /* 75 for sm_75; 10 * major + minor */
	char target_suffix;      /* 'a', 'f' or 0 */
	bool debug;              /* .target ..., debug */
	const char *target_text; /* as written after .target */
	unsigned address_size;   /* 32 or 64 */
	uint32_t nitems, nvars, nfunctions, nfiles;
	struct ptx_item *items;
	struct ptx_var **vars;           /* one for each module variable: the definition, else a declaration */
	struct ptx_function **functions; /* one for each name: the definition, else a declaration */
	struct ptx_file *files;
	uint32_t nerrors;
	uint32_t nlines;
};

/* ---- facts and names (names.c) ---------------------------------------------------------------------------- */

struct ptx_type_info {
	const char *name;
	uint8_t cls; /* enum ptx_type_class */
	uint8_t bits, bytes;
	uint8_t var;   /* enum ptx_var_kind */
	uint8_t since; /* the first toolkit with the word on an instruction; 0: all */
};
extern const struct ptx_type_info ptx_types[PTX_TYPE_COUNT];

const char *ptx_op_name(enum ptx_op op);      /* "atom", "bar.red" */
bool ptx_op_modelled(enum ptx_op op);         /* false for names like wmma, and for mere beginnings of names */
bool ptx_op_unmodelled(enum ptx_op op);       /* a whole name, known to this compiler and refused */
const char *ptx_mod_name(enum ptx_mod m);     /* "L2::cache_hint", without the dot */
const char *ptx_space_name(enum ptx_space s); /* "shared::cta"; "" for none */
const char *ptx_sreg_name(enum ptx_sreg s);   /* "tid" */
enum ptx_type ptx_sreg_type(enum ptx_sreg s);
/* Writes the register as in the source, at most n bytes with the NUL. */
const char *ptx_reg_name(const struct ptx_function *f, uint32_t reg, char *buf, unsigned n);

#endif
