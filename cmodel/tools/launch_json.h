// SPDX-License-Identifier: Apache-2.0
/* launch_json.h -- messages of the parts of the reader of launch files; private to these parts. */
#ifndef WARPLOCK_LAUNCH_JSON_H
#define WARPLOCK_LAUNCH_JSON_H

#include <jansson.h>

#include "launch.h"

enum { LAUNCH_WHERE = LAUNCH_NAME + 200 };

/* Destination of errors, and their first words. */
struct reader {
	struct launch_file *l;
	char *err;
	size_t errn;
	char where[LAUNCH_WHERE]; /* the entry in hand: "args[2] 'bins': " or empty */
};

/* Both return false, with a line in err: the subject, and the values found and expected. */
bool launch_fail(const struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool launch_wrong(const struct reader *r, const char *field, const json_t *v, const char *expected);
/* Present and not null. */
const json_t *launch_get(const json_t *o, const char *field);
/* A misspelt field must not pass for an absent one: names outside of `known` are kept for a warning. */
void launch_note_unknown(const struct reader *r, const json_t *o, const char *const *known);

/* A number as the bytes of an element, little endian; false when the number does not fit. */
#define LAUNCH_VALUE_FORMS                                                                                             \
	"a number that fits the type, its bits as \"0x...\", or of a float type \"inf\", \"-inf\" or \"nan\""
bool launch_value(const json_t *v, const struct elem_type *t, uint64_t *out);

/* launch_bytes.c: size and fields of an argument of kind "bytes". All buffers are known. */
bool launch_bytes_read(struct reader *r, const json_t *o, struct launch_arg *a);

#endif
