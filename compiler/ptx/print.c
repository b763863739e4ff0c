// SPDX-License-Identifier: Apache-2.0
/* print.c -- the tree as PTX text of the same meaning. The text has the original scopes, so names need no change. */
#include <inttypes.h>
#include <string.h>

#include "ptx.h"

struct out {
	FILE *to;
	const struct ptx_function *f;
	uint32_t next_table, next_loc, next_pragma; /* printed so far */
};

static const char *linkage_word(unsigned linkage)
{
	static const char *const words[] = {"", ".visible ", ".extern ", ".weak ", ".common "};
	return words[linkage];
}

/* ---- variables -------------------------------------------------------------------------------------------- */

static void print_head(struct out *o, const struct ptx_var *v)
{
	fprintf(o->to, ".%s", ptx_space_name((enum ptx_space)v->space));
	if (v->managed)
		fprintf(o->to, " .attribute(.managed)");
	if (v->has_unified)
		fprintf(o->to, " .attribute(.unified(%" PRIu64 ", %" PRIu64 "))", v->unified[0], v->unified[1]);
	if (v->has_align)
		fprintf(o->to, " .align %u", v->align);
	if (v->vec > 1)
		fprintf(o->to, " .v%u", v->vec);
	fprintf(o->to, " .%s", ptx_types[v->type].name);
	if (v->ptr) {
		fprintf(o->to, " .ptr");
		if (v->ptr_space)
			fprintf(o->to, " .%s", ptx_space_name((enum ptx_space)v->ptr_space));
		if (v->ptr_align)
			fprintf(o->to, " .align %u", v->ptr_align);
	}
	fprintf(o->to, " %s", v->name);
	for (uint32_t i = 0; i < v->ndims; i++) {
		if (i == 0 && v->unsized)
			fprintf(o->to, "[]");
		else
			fprintf(o->to, "[%" PRIu64 "]", v->dims[i]);
	}
}

static void print_reloc(struct out *o, const struct ptx_reloc *r)
{
	if (r->mask_byte != PTX_NONE)
		fprintf(o->to, "0x%" PRIx64 "(", UINT64_C(0xff) << 8 * r->mask_byte);
	fprintf(o->to, r->generic ? "generic(%s)" : "%s", r->sym->name);
	if (r->addend)
		fprintf(o->to, r->addend < 0 ? "-%" PRIu64 : "+%" PRIu64,
		        r->addend < 0 ? 0 - (uint64_t)r->addend : (uint64_t)r->addend);
	if (r->mask_byte != PTX_NONE)
		fprintf(o->to, ")");
}

/* The element at byte `at`; bytes behind init_size are zero. */
static void print_element(struct out *o, const struct ptx_var *v, uint64_t at)
{
	unsigned bytes = ptx_types[v->type].bytes;
	bool is_float = ptx_types[v->type].cls == PTX_CLASS_FLOAT;
	uint64_t u = 0;
	for (unsigned i = 0; i < bytes && i < 8; i++)
		u |= at + i < v->init_size ? (uint64_t)v->init[at + i] << 8 * i : 0;
	if (is_float && bytes == 4)
		fprintf(o->to, "0f%08" PRIX64, u);
	else if (is_float && bytes == 8)
		fprintf(o->to, "0d%016" PRIX64, u);
	else
		fprintf(o->to, "%" PRIu64, u);
}

/* A flat list of elements; `dim` opens a brace for each dimension, and another brace for a vector. */
static void print_values(struct out *o, const struct ptx_var *v, uint32_t dim, uint64_t *at, uint32_t *reloc)
{
	uint64_t bytes = ptx_types[v->type].bytes;
	bool vector = dim == v->ndims && v->vec > 1;
	uint64_t n = vector ? v->vec : dim < v->ndims ? v->dims[dim] : 1;
	if (dim == v->ndims + 1 || (dim == v->ndims && !vector)) {
		if (*reloc < v->nrelocs && v->relocs[*reloc].offset == *at)
			print_reloc(o, &v->relocs[(*reloc)++]);
		else
			print_element(o, v, *at);
		*at += bytes;
		return;
	}
	fprintf(o->to, "{");
	for (uint64_t i = 0; i < n && (i == 0 || *at < v->init_size); i++) {
		if (i)
			fprintf(o->to, ", ");
		print_values(o, v, dim + 1, at, reloc);
	}
	fprintf(o->to, "}");
}

static void print_var(struct out *o, const struct ptx_var *v)
{
	uint64_t at = 0;
	uint32_t reloc = 0;
	fputs(linkage_word(v->linkage), o->to);
	print_head(o, v);
	if (v->init_size) {
		fprintf(o->to, " = ");
		print_values(o, v, 0, &at, &reloc);
	}
	fprintf(o->to, ";\n");
}

/* ---- operands --------------------------------------------------------------------------------------------- */

static void print_reg(struct out *o, uint32_t reg, uint8_t comp)
{
	const struct ptx_reg_range *r = &o->f->ranges[o->f->regs[reg].range];
	fputs(r->name, o->to);
	if (r->count)
		fprintf(o->to, "%u", o->f->regs[reg].number);
	if (comp != PTX_COMP_ALL)
		fprintf(o->to, ".%c", "xyzw"[comp]);
}

static void print_offset(struct out *o, int64_t off)
{
	if (off)
		fprintf(o->to, "+%" PRId64, off);
}

static void print_float(struct out *o, const struct ptx_operand *a)
{
	uint64_t bits;
	memcpy(&bits, &a->f64, sizeof bits);
	if (a->is_f32)
		fprintf(o->to, "0f%08" PRIX32, a->f32_bits);
	else
		fprintf(o->to, "0d%016" PRIX64, bits);
}

static void print_operand(struct out *o, const struct ptx_operand *a);

static void print_list(struct out *o, const struct ptx_operand *a, const char *open, const char *between,
                       const char *close)
{
	fputs(open, o->to);
	for (unsigned i = 0; i < a->count; i++) {
		if (i)
			fputs(between, o->to);
		print_operand(o, &a->list[i]);
	}
	fputs(close, o->to);
}

static void print_address(struct out *o, const struct ptx_operand *a)
{
	if (a->base_kind == PTX_BASE_REG)
		print_reg(o, a->reg, a->comp);
	else if (a->base_kind == PTX_BASE_SYMBOL)
		fputs(a->sym->name, o->to);
	else
		fprintf(o->to, "%" PRId64, a->imm);
	if (a->base_kind != PTX_BASE_IMM)
		print_offset(o, a->off);
}

static void print_operand(struct out *o, const struct ptx_operand *a)
{
	switch ((enum ptx_operand_kind)a->kind) {
	case PTX_O_NONE:
		break;
	case PTX_O_REG:
		if (a->negated)
			fputc('!', o->to);
		print_reg(o, a->reg, a->comp);
		if (a->selector != NULL)
			fprintf(o->to, ".%s", a->selector);
		break;
	case PTX_O_INT:
		fprintf(o->to, a->is_unsigned ? "%" PRIu64 : "%" PRId64, (uint64_t)a->imm);
		break;
	case PTX_O_FLOAT:
		print_float(o, a);
		break;
	case PTX_O_SYMBOL:
		fputs(a->sym->name, o->to);
		print_offset(o, a->off);
		break;
	case PTX_O_ADDR:
		fputc('[', o->to);
		print_address(o, a);
		fputc(']', o->to);
		break;
	case PTX_O_PARTS:
		fputc('[', o->to);
		print_address(o, &a->list[0]);
		fputs(", ", o->to);
		print_operand(o, &a->list[1]);
		fputc(']', o->to);
		break;
	case PTX_O_LABEL:
		fputs(o->f->labels[a->label].name, o->to);
		break;
	case PTX_O_SREG:
		fprintf(o->to, "%%%s", ptx_sreg_name((enum ptx_sreg)a->sreg));
		if (a->comp != PTX_COMP_ALL)
			fprintf(o->to, ".%c", "xyzw"[a->comp]);
		break;
	case PTX_O_VECTOR:
		print_list(o, a, "{", ", ", "}");
		break;
	case PTX_O_PAIR:
		print_list(o, a, "", "|", "");
		break;
	case PTX_O_SINK:
		fputc('_', o->to);
		break;
	case PTX_O_LIST:
		print_list(o, a, "(", ", ", ")");
		break;
	case PTX_O_TABLE:
		fputs(a->table->name, o->to);
		break;
	}
}

/* ---- bodies ----------------------------------------------------------------------------------------------- */

static void print_instr(struct out *o, const struct ptx_instr *i)
{
	fputc('\t', o->to);
	if (i->guard != PTX_NONE) {
		fputs(i->guard_negated ? "@!" : "@", o->to);
		print_reg(o, i->guard, PTX_COMP_ALL);
		fputc(' ', o->to);
	}
	fputs(ptx_op_name((enum ptx_op)i->op), o->to);
	for (unsigned n = 0; n < i->nmods; n++) {
		unsigned q = i->mods[n];
		fprintf(o->to, ".%s",
		        q & 0x8000   ? ptx_types[q & 0xff].name
		        : q & 0x4000 ? ptx_space_name((enum ptx_space)(q & 0xff))
		                     : ptx_mod_name((enum ptx_mod)q));
	}
	bool first = true;
	for (unsigned n = 0; n < i->nops; n++) {
		if (i->op == PTX_OP_call && i->ops[n].kind == PTX_O_LIST && i->ops[n].count == 0 &&
		    (n == 0 || i->nops == 3))
			continue; /* an empty list may be left out */
		fputs(first ? " " : ", ", o->to);
		first = false;
		print_operand(o, &i->ops[n]);
	}
	fputs(";\n", o->to);
}

static void print_params(struct out *o, struct ptx_var *const *params, uint32_t n);

static void print_table(struct out *o, const struct ptx_table *t)
{
	fprintf(o->to, "%s: ", t->name);
	if (t->kind == PTX_TABLE_PROTOTYPE) {
		fputs(".callprototype ", o->to);
		if (t->prototype->nrets) {
			print_params(o, t->prototype->rets, t->prototype->nrets);
			fputc(' ', o->to);
		}
		fprintf(o->to, "%s ", t->prototype->name);
		print_params(o, t->prototype->params, t->prototype->nparams);
		if (t->prototype->noreturn)
			fputs(" .noreturn", o->to);
	} else {
		fputs(t->kind == PTX_TABLE_BRANCH ? ".branchtargets " : ".calltargets ", o->to);
		for (uint32_t i = 0; i < t->count; i++)
			fprintf(o->to, i ? ", %s" : "%s",
			        t->kind == PTX_TABLE_BRANCH ? o->f->labels[t->labels[i]].name : t->functions[i]->name);
	}
	fputs(";\n", o->to);
}

/* Registers and variables of a pair of braces, at the start of the scope. */
static void print_scope_decls(struct out *o, uint32_t scope)
{
	const struct ptx_function *f = o->f;
	for (uint32_t i = 0; i < f->nranges; i++) {
		const struct ptx_reg_range *r = &f->ranges[i];
		bool param = false;
		for (uint32_t k = 0; k < f->nparams + f->nrets; k++) {
			const struct ptx_var *v = k < f->nparams ? f->params[k] : f->rets[k - f->nparams];
			param |= v->reg != PTX_NONE && f->regs[v->reg].range == i;
		}
		if (r->scope != scope || param)
			continue;
		fputs("\t.reg ", o->to);
		if (r->vec > 1)
			fprintf(o->to, ".v%u ", r->vec);
		fprintf(o->to, ".%s %s", ptx_types[r->type].name, r->name);
		if (r->count)
			fprintf(o->to, "<%u>", r->count);
		fputs(";\n", o->to);
	}
	for (uint32_t i = 0; i < f->nvars; i++)
		if (f->vars[i]->scope == scope) {
			fputc('\t', o->to);
			print_var(o, f->vars[i]);
		}
}

static void print_labels(struct out *o, uint32_t instr, uint32_t scope, const uint32_t *first, const uint32_t *next)
{
	for (uint32_t l = first[instr]; l != PTX_NONE; l = next[l])
		if (o->f->labels[l].scope == scope)
			fprintf(o->to, "%s:\n", o->f->labels[l].name);
}

/* Pragmas in front of instruction i: in front of its labels, or all. */
static void print_pragmas(struct out *o, uint32_t i, bool all)
{
	const struct ptx_function *f = o->f;
	for (; o->next_pragma < f->npragmas && f->pragmas[o->next_pragma].instr <= i &&
	       (all || !f->pragmas[o->next_pragma].behind_label);
	     o->next_pragma++)
		fprintf(o->to, "\t.pragma \"%s\";\n", f->pragmas[o->next_pragma].text);
}

/* Tables, pragmas and .loc lines in front of instruction i. */
static void print_notes(struct out *o, uint32_t i, bool debug)
{
	const struct ptx_function *f = o->f;
	for (; o->next_loc < f->nlocs && f->locs[o->next_loc].instr <= i; o->next_loc++) {
		const struct ptx_loc *l = &f->locs[o->next_loc];
		if (debug)
			fprintf(o->to, "\t.loc %u %u %u%s\n", l->file, l->line, l->col, l->rest ? l->rest : "");
	}
	print_pragmas(o, i, true);
	for (; o->next_table < f->ntables && f->tables[o->next_table]->instr <= i; o->next_table++)
		print_table(o, f->tables[o->next_table]);
}

/* Instructions with the braces around. Scopes are in opening order. */
static void print_body(struct out *o, const struct ptx_module *m)
{
	const struct ptx_function *f = o->f;
	struct arena scratch = {0};
	uint32_t *first = arena_alloc(&scratch, (f->ninstrs + 1) * sizeof *first);
	uint32_t *next = arena_alloc(&scratch, (f->nlabels + 1) * sizeof *next);
	uint32_t scope = 0, opened = 1;
	memset(first, 0xff, (f->ninstrs + 1) * sizeof *first);
	for (uint32_t l = f->nlabels; l-- > 0;) {
		next[l] = first[f->labels[l].instr];
		first[f->labels[l].instr] = l;
	}
	fputs("{\n", o->to);
	print_scope_decls(o, 0);
	for (uint32_t i = 0; i <= f->ninstrs; i++) {
		while (scope && f->scopes[scope].end <= i &&
		       !(f->scopes[scope].first == i && f->scopes[scope].end == i)) {
			print_labels(o, i, scope, first, next);
			fputs("\t}\n", o->to);
			scope = f->scopes[scope].parent;
		}
		print_pragmas(o, i, false);
		print_labels(o, i, scope, first, next);
		print_notes(o, i, m->nfiles != 0);
		while (opened < f->nscopes && f->scopes[opened].first <= i) {
			scope = opened++;
			fputs("\t{\n", o->to);
			print_scope_decls(o, scope);
			while (scope && f->scopes[scope].end <= i) { /* braces around nothing */
				fputs("\t}\n", o->to);
				scope = f->scopes[scope].parent;
			}
			print_labels(o, i, scope, first, next);
		}
		if (i < f->ninstrs)
			print_instr(o, &f->instrs[i]);
	}
	fputs("}\n", o->to);
	arena_free(&scratch);
}

/* ---- functions and the module ----------------------------------------------------------------------------- */

static void print_params(struct out *o, struct ptx_var *const *params, uint32_t n)
{
	fputc('(', o->to);
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			fputs(", ", o->to);
		print_head(o, params[i]);
	}
	fputc(')', o->to);
}

static void print_three(struct out *o, const char *word, const uint32_t v[3])
{
	if (v[0])
		fprintf(o->to, "\n.%s %u, %u, %u", word, v[0], v[1], v[2]);
}

static void print_function(struct out *o, const struct ptx_function *f, const struct ptx_module *m)
{
	o->f = f;
	o->next_table = o->next_loc = o->next_pragma = 0;
	fprintf(o->to, "%s.%s ", linkage_word(f->linkage), f->is_entry ? "entry" : "func");
	if (f->nrets) {
		print_params(o, f->rets, f->nrets);
		fputc(' ', o->to);
	}
	fputs(f->name, o->to);
	print_params(o, f->params, f->nparams);
	print_three(o, "maxntid", f->maxntid);
	print_three(o, "reqntid", f->reqntid);
	print_three(o, "reqnctapercluster", f->reqnctapercluster);
	if (f->minnctapersm)
		fprintf(o->to, "\n.minnctapersm %u", f->minnctapersm);
	if (f->maxnctapersm)
		fprintf(o->to, "\n.maxnctapersm %u", f->maxnctapersm);
	if (f->maxnreg)
		fprintf(o->to, "\n.maxnreg %u", f->maxnreg);
	if (f->maxclusterrank)
		fprintf(o->to, "\n.maxclusterrank %u", f->maxclusterrank);
	if (f->explicitcluster)
		fputs("\n.explicitcluster", o->to);
	if (f->blocksareclusters)
		fputs("\n.blocksareclusters", o->to);
	if (f->noreturn)
		fputs("\n.noreturn", o->to);
	for (; o->next_pragma < f->npragmas && f->pragmas[o->next_pragma].instr == PTX_NONE; o->next_pragma++)
		fprintf(o->to, "\n.pragma \"%s\";", f->pragmas[o->next_pragma].text);
	fputs(f->has_body ? "\n" : ";\n", o->to);
	if (f->has_body)
		print_body(o, m);
}

static void drop_message(void *self, const struct wlcc_message *m)
{
	(void)self, (void)m;
}

struct wlcc_options ptx_options_with_names(const struct wlcc_options *o)
{
	struct wlcc_options with = *o;
	with.file = o->file ? o->file : "(PTX)";
	with.diag = o->diag ? o->diag : drop_message;
	return with;
}

bool wlcc_print_ptx(const char *text, size_t size, const struct wlcc_options *o, struct wlcc_bytes *out)
{
	const struct wlcc_options with = ptx_options_with_names(o);
	struct ptx_options po = {.file = with.file,
	                         .diag = with.diag,
	                         .diag_self = with.diag_self,
	                         .strict_version = with.strict_version};
	struct ptx_module *m = ptx_parse(text, size, &po);
	char *made = NULL;
	if (m == NULL)
		return false;
	FILE *to = open_memstream(&made, &out->size);
	bool good = to != NULL && ptx_print(m, to);
	good &= to != NULL && fclose(to) == 0;
	out->data = (unsigned char *)made;
	ptx_module_free(m);
	if (!good)
		with.diag(with.diag_self,
		          &(struct wlcc_message){.severity = WLCC_ERROR, .file = with.file, .text = "out of memory"});
	return good;
}

bool ptx_print(const struct ptx_module *m, FILE *to)
{
	struct out o = {.to = to};
	fprintf(to, ".version %u.%u\n.target %s\n.address_size %u\n", m->version / 10, m->version % 10, m->target_text,
	        m->address_size);
	for (uint32_t n = 0; n < m->nitems; n++) {
		const struct ptx_item *i = &m->items[n];
		switch (i->kind) {
		case PTX_ITEM_VAR:
			print_var(&o, i->var);
			break;
		case PTX_ITEM_FUNCTION:
			print_function(&o, i->function, m);
			break;
		case PTX_ITEM_ALIAS:
			fprintf(to, ".alias %s, %s;\n", i->alias->name, i->aliasee->name);
			break;
		default:
			fprintf(to, "%.*s\n", (int)i->size, i->text);
		}
	}
	return !ferror(to);
}
