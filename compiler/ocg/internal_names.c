// SPDX-License-Identifier: Apache-2.0
#include "internal_names.h"

#include <stdlib.h>
#include <string.h>

#define PREFIX_REDUX    "__cuda_reduxsync_"
#define PREFIX_SM70     "__cuda_sm70_"
#define PREFIX_MBARRIER "%mbarrier_"

static const struct {
	unsigned number;
	const char *name, *ptx;
} redux[] = {
#define REDUX(number, name, ptx) {number, name, ptx},
#include "internal.def"
#undef REDUX
};

static const struct family {
	const char *prefix;
	unsigned numbers;
	const char *real, *document, *ptx;
} families[] = {
#define FAMILY(prefix, count, real, document, ptx) {prefix, count, real, document, ptx},
#include "internal.def"
#undef FAMILY
};

static const char *const detected[] = {
#define DETECTED(prefix) prefix,
#include "internal.def"
#undef DETECTED
};

static const struct {
	unsigned type;
	const char *suffix;
	bool trivial;
	const char *ptx;
} mbarriers[] = {
#define MBARRIER(type, suffix, trivial, ptx) {type, suffix, trivial, ptx},
#include "internal.def"
#undef MBARRIER
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

bool internal_is_name(const char *name)
{
	return begins(name, "__cuda_") || begins(name, PREFIX_MBARRIER);
}

const char *internal_mbarrier(unsigned type, bool *trivial)
{
	for (unsigned i = 0; i < COUNT(mbarriers); i++)
		if (mbarriers[i].type == type) {
			*trivial = mbarriers[i].trivial;
			return mbarriers[i].suffix;
		}
	return NULL;
}

/* ---- functions ---- */

static void print_detection(const char *name, FILE *to)
{
	const char *found = NULL;
	for (unsigned i = 0; i < COUNT(detected); i++)
		if (begins(name, detected[i]))
			found = detected[i];
	fprintf(to, "detected by prefix as a call of a warp: %s%s\n", found ? "yes, " : "no", found ? found : "");
}

static void print_use(const char *ptx, unsigned chip, bool barrier, bool reduction, FILE *to)
{
	fprintf(to, "PTX: %s\n", ptx);
	if (chip >= 90)
		fprintf(to, "called on sm_%u: nowhere; the instruction stands in the kernel\n", chip);
	else if (reduction && strstr(ptx, "f32"))
		fprintf(to, "called on sm_%u: nowhere; the instruction needs sm_100a\n", chip);
	else if (reduction && chip < 80)
		fprintf(to, "called on sm_%u: nowhere; the instruction needs sm_80\n", chip);
	else if (barrier)
		fprintf(to, "called on sm_%u: with -mptxas-compat, where lanes of a warp may come apart\n", chip);
	else
		fprintf(to, "called on sm_%u: where lanes of a warp may come apart%s\n", chip,
		        chip >= 80 ? "; with -mptxas-compat also where masks may differ" : "");
	fputs("callable from PTX: no (Unresolved extern function)\n", to);
}

static bool explain_redux(const char *name, unsigned chip, FILE *to)
{
	for (unsigned i = 0; i < COUNT(redux); i++)
		if (strcmp(name + strlen(PREFIX_REDUX), redux[i].name) == 0) {
			fprintf(to, "%s\nnumber in the document: 0x%02x\n", name, redux[i].number);
			print_detection(name, to);
			print_use(redux[i].ptx, chip, false, true, to);
			return true;
		}
	return false;
}

/* After the prefix of a family: `_N` in families with numbers, then nothing or either of the two ends. */
static bool read_end(const struct family *f, const char *end, int *number, bool *longer)
{
	*number = -1;
	if (f->numbers && end[0] == '_' && end[1] >= '0' && end[1] <= '9') {
		char *behind;
		const unsigned long n = strtoul(end + 1, &behind, 10);
		if (n >= f->numbers || (end[1] == '0' && behind != end + 2))
			return false;
		*number = (int)n;
		end = behind;
	}
	*longer = *f->real && (strcmp(end, f->real) == 0 || strcmp(end, f->document) == 0);
	return *longer || !*end;
}

static bool explain_family(const char *name, unsigned chip, FILE *to)
{
	enum { FIRST = 0x89, LAST = 0x1fa };
	for (unsigned i = 0; i < COUNT(families); i++) {
		const struct family *f = &families[i];
		const char *rest = name + strlen(PREFIX_SM70);
		char number[16] = "";
		bool longer;
		int n;
		if (!begins(rest, f->prefix) || !read_end(f, rest + strlen(f->prefix), &n, &longer))
			continue;
		if (n >= 0)
			snprintf(number, sizeof number, "_%d", n);
		fprintf(to, PREFIX_SM70 "%s%s%s\n", f->prefix, number, longer ? f->real : "");
		if (longer)
			fprintf(to, "spelling of the document: " PREFIX_SM70 "%s%s%s\n", f->prefix, number,
			        f->document);
		fprintf(to, "number in the document: one of 0x%02x to 0x%03x\n", FIRST, LAST);
		print_detection(name, to);
		print_use(f->ptx, chip, f->numbers != 0, false, to);
		return true;
	}
	return false;
}

/* ---- mbarrier objects ---- */

/* The longest matching suffix: `_ARRIVE_DROP` before `_DROP` of an object named so. */
static bool explain_mbarrier(const char *name, FILE *to)
{
	const char *base = name + strlen(PREFIX_MBARRIER);
	const size_t n = strlen(base);
	size_t longest = 0;
	unsigned at = 0;
	for (unsigned i = 0; i < COUNT(mbarriers); i++) {
		const size_t k = strlen(mbarriers[i].suffix);
		if (n > k + 1 && base[n - k - 1] == '_' && strcmp(base + n - k, mbarriers[i].suffix) == 0 &&
		    k > longest) {
			longest = k;
			at = i;
		}
	}
	if (!longest)
		return false;
	fprintf(to, "%s\nobject: %.*s\noperation: %s, type %u, %s\nPTX: %s\n", name, (int)(n - longest - 1), base,
	        mbarriers[at].suffix, mbarriers[at].type, mbarriers[at].trivial ? "trivial" : "not trivial",
	        mbarriers[at].ptx);
	return true;
}

bool internal_explain(const char *name, unsigned chip, FILE *to)
{
	if (begins(name, PREFIX_MBARRIER) && explain_mbarrier(name, to))
		return true;
	if (begins(name, PREFIX_REDUX) && explain_redux(name, chip, to))
		return true;
	if (begins(name, PREFIX_SM70) && explain_family(name, chip, to))
		return true;
	if (strstr(name, "wmma"))
		fprintf(to, "refused: %s is a function of tensor cores, which are not built\n", name);
	else
		fprintf(to, "refused: there is no internal function or mbarrier symbol '%s'\n", name);
	return false;
}
