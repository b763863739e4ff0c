// SPDX-License-Identifier: Apache-2.0
/* access.c -- the registers that a word reads and writes.
 *
 * Walks the same steps that print the word: fields tell the register file, brackets tell addresses, the place of a
 * field tells results (bits 23:16 and the predicates at 81 and 84). What the fields cannot tell, how many registers an
 * operand takes, is said by operands.def over the printed modifiers. */
#include <stdio.h>
#include <string.h>

#include "isa_table.h"
#include "warplock/hazard.h"

enum { MaxName = sizeof(((struct wl_access *)0)->name), FirstDest = 16, FirstPred = 81, SecondPred = 84 };

struct walk {
	enum wl_arch arch;
	struct wl_word w;
	struct wl_access *out;
	char *name; /* out->name */
	size_t len;
	int ordinal;        /* of the operand that is being read, predicates not counted; -1 = in the mnemonic */
	bool counted;       /* it has its ordinal */
	bool operands;      /* behind the mnemonic */
	bool uniform;       /* a uniform register stands in an address */
	bool address;       /* an address has been seen: what follows is data */
	bool desc;          /* the next bracket is a descriptor */
	unsigned registers; /* seen outside of brackets */
	int pr;             /* operand at which the predicates of PR start, -1 = none */
	bool masked;
	uint32_t imm; /* ... their mask */
};

/* Is `part` (".F64.F32") in the name as whole modifiers? */
static bool has(const struct walk *k, const char *part)
{
	size_t n = strlen(part);

	for (const char *p = k->name; (p = strstr(p, part)) != NULL; p++)
		if (p[n] == 0 || p[n] == '.')
			return true;
	return n == 0;
}

static bool named(const struct walk *k, const char *name)
{
	size_t n = strlen(name);

	return (name[0] == '*' && !name[1]) || (!strncmp(k->name, name, n) && (k->name[n] == 0 || k->name[n] == '.'));
}

enum place { Data, Register64, Uniform, Desc };

static unsigned width(const struct walk *k, enum place place)
{
	static const struct {
		const char *name, *part, *which;
		unsigned words;
	} rows[] = {
#define OPERANDS(name, part, which, words) {name, part, which, words},
#include "operands.def"
#undef OPERANDS
	};
	unsigned words = 1;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *which = rows[i].which;
		bool fits = (place == Data && (strchr(which, 'D') || strchr(which, '0' + k->ordinal))) ||
		            (place == Register64 && strchr(which, 'R')) || (place == Uniform && strchr(which, 'U')) ||
		            (place == Desc && strchr(which, 'C'));

		if (fits && named(k, rows[i].name) && has(k, rows[i].part))
			words = rows[i].words;
	}
	return words;
}

static void add(struct walk *k, unsigned slot, unsigned words, bool write)
{
	struct wl_access *a = k->out;

	if (a->n < sizeof a->op / sizeof *a->op)
		a->op[a->n++] = (struct wl_operand){.slot = (uint16_t)slot, .words = (uint8_t)words, .write = write};
}

static unsigned low_bit(const struct isa_field *f)
{
	return f->nruns ? isa.runs[f->runs].lo : 0;
}

static void count(struct walk *k)
{
	if (!k->counted)
		k->ordinal++;
	k->counted = true;
}

static void visit_register(struct walk *k, const struct isa_field *f, int64_t v)
{
	bool vector = f->kind == ISA_KIND_R;
	bool first = k->registers++ == 0;
	bool write = low_bit(f) == FirstDest && f->nruns;

	count(k);
	if (first && named(k, "LDG")) /* .256 has two results */
		write = true;
	if (v != f->neutral)
		add(k, (vector ? WL_SLOT_R : WL_SLOT_UR) + (unsigned)v, width(k, Data), write);
	if (v != f->neutral && vector && !write)
		k->out->op[k->out->n - 1].late = k->address || (k->ordinal == 3 && named(k, "IMAD"));
}

static void visit_value(struct walk *k, const struct isa_field *f)
{
	int64_t v = isa_field_get(f, k->w);
	unsigned lo = low_bit(f);

	switch (f->kind) {
	case ISA_KIND_R:
	case ISA_KIND_U:
		visit_register(k, f, v);
		break;
	case ISA_KIND_P:
	case ISA_KIND_V:
		if (f->nruns && v != f->neutral)
			add(k, (f->kind == ISA_KIND_P ? WL_SLOT_P : WL_SLOT_UP) + (unsigned)v, 1,
			    lo == FirstPred || lo == SecondPred);
		break;
	case ISA_KIND_B:
		count(k);
		if (named(k, "BREAK"))
			add(k, WL_SLOT_B + (unsigned)v, 1, false);
		add(k, WL_SLOT_B + (unsigned)v, 1,
		    named(k, "BSSY") || named(k, "BREAK") ||
		            (named(k, "BMOV") && (lo == FirstDest || k->ordinal == 0)));
		if (has(k, ".CLEAR"))
			add(k, WL_SLOT_B + (unsigned)v, 1, true);
		break;
	case ISA_KIND_I:
		count(k);
		if (lo == 32) {
			k->imm = (uint32_t)v;
			k->masked = true;
		}
		break;
	default:
		count(k);
	}
}

static void visit_memory(struct walk *k, const struct isa_mem *m)
{
	const struct isa_option *suffix = m->rpiece >= 0 ? isa_option(isa.pieces + m->rpiece, k->w) : NULL;
	struct isa_span text = suffix ? suffix->text : m->rtext;
	const char *s = isa.text + text.at;

	count(k);
	if (m->r >= 0) {
		const struct isa_field *f = isa.fields + m->r;
		int64_t v = isa_field_get(f, k->w);
		bool pair = text.len == 3 && !memcmp(s, ".64", 3);

		if (v != f->neutral)
			add(k, WL_SLOT_R + (unsigned)v, text.len == 0 ? width(k, Register64) : pair ? 2 : 1, false);
	}
	if (m->u >= 0) {
		const struct isa_field *f = isa.fields + m->u;
		int64_t v = isa_field_get(f, k->w);

		k->uniform = true;
		if (v != f->neutral)
			add(k, WL_SLOT_UR + (unsigned)v, width(k, k->desc ? Desc : Uniform), false);
	}
	k->address = k->address || (!k->desc && (m->r >= 0 || m->u >= 0));
	k->desc = false;
}

/* The mnemonic; "desc" in front of a descriptor; PR and UPR, all predicates of a file. */
static void visit_literal(struct walk *k, const char *s, size_t n)
{
	bool pr = n >= 2 && !memcmp(s + n - 2, "PR", 2);

	if (k->ordinal < 0 && !k->operands) {
		for (size_t i = 0; i < n && k->len + 1 < MaxName; i++)
			k->name[k->len++] = s[i];
		k->name[k->len] = 0;
		return;
	}
	k->desc = n == 4 && !memcmp(s, "desc", 4);
	if (!pr)
		return;
	count(k);
	k->pr = k->out->n;
	for (unsigned p = 0; p < WL_PT; p++)
		add(k, (n == 3 ? WL_SLOT_UP : WL_SLOT_P) + p, 1, k->ordinal == 0);
}

/* The mask of R2P and P2R names the predicates; without one it is all of them. */
static void apply_mask(struct walk *k)
{
	struct wl_access *a = k->out;
	unsigned n = k->pr;

	if (k->pr < 0 || !k->masked)
		return;
	for (unsigned i = n; i < a->n; i++) {
		bool listed = i < (unsigned)k->pr + WL_PT && !(k->imm >> (i - (unsigned)k->pr) & 1);

		if (!listed)
			a->op[n++] = a->op[i];
	}
	a->n = (uint8_t)n;
}

static void visit_guard(struct walk *k, const struct isa_row *row)
{
	unsigned g = (unsigned)(k->w.lo >> 12 & 7);

	if (g == WL_PT)
		return;
	add(k, (row->upred ? WL_SLOT_UP : WL_SLOT_P) + g, 1, false);
	k->out->op[0].guard = true;
}

/* sm_80 keeps the descriptor of a global access in the word and out of the text: bits 37:32 of loads, else 69:64. */
static void visit_hidden_descriptor(struct walk *k)
{
	static const char *const global[] = {"LDG", "LD", "STG", "ST", "ATOMG", "ATOM", "RED", "LDGSTS"};
	bool load = named(k, "LDG") || named(k, "LD"), found = load;
	unsigned u = (unsigned)isa_bits(k->w, load ? 32 : 64, 6);

	for (unsigned i = 0; i < sizeof global / sizeof *global; i++)
		found = found || named(k, global[i]);
	if (found && k->arch == WL_SM80 && isa_bits(k->w, 91, 1) && !k->uniform && u != 63)
		add(k, WL_SLOT_UR + u, 2, false);
}

bool wl_access_of(enum wl_arch arch, struct wl_word w, struct wl_access *out)
{
	const struct isa_row *row = isa_find(isa_arch_index(arch), w);
	struct walk k = {.arch = arch, .w = w, .out = out, .name = out->name, .ordinal = -1, .pr = -1};

	out->n = 0;
	out->name[0] = 0;
	if (!row)
		return false;
	visit_guard(&k, row);
	const struct isa_step *s = isa.steps + row->steps, *end = s + row->nsteps;
	for (; s < end; s++) {
		switch (s->kind) {
		case ISA_LIT:
			visit_literal(&k, isa.text + s->a, (size_t)s->b);
			break;
		case ISA_PIECE: {
			const struct isa_option *o = isa_option(isa.pieces + s->a, w);

			if (!k.operands)
				visit_literal(&k, isa.text + o->text.at, o->text.len);
			break;
		}
		case ISA_VAL:
			visit_value(&k, isa.fields + s->a);
			break;
		case ISA_SEP:
			k.operands = true;
			k.counted = false;
			break;
		case ISA_MEM:
			visit_memory(&k, isa.mems + s->a);
			break;
		default:
			break;
		}
	}
	apply_mask(&k);
	visit_hidden_descriptor(&k);
	return true;
}

enum wl_file wl_slot_file(unsigned slot)
{
	return slot < WL_SLOT_UR   ? WL_FILE_R
	       : slot < WL_SLOT_P  ? WL_FILE_UR
	       : slot < WL_SLOT_UP ? WL_FILE_P
	       : slot < WL_SLOT_B  ? WL_FILE_UP
	                           : WL_FILE_B;
}

const char *wl_slot_name(unsigned slot, char buf[8])
{
	static const char *const prefix[] = {"R", "UR", "P", "UP", "B"};
	static const uint16_t base[] = {WL_SLOT_R, WL_SLOT_UR, WL_SLOT_P, WL_SLOT_UP, WL_SLOT_B};
	enum wl_file file = wl_slot_file(slot);

	snprintf(buf, 8, "%s%u", prefix[file], (slot - base[file]) & 255);
	return buf;
}
