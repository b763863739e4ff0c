// SPDX-License-Identifier: Apache-2.0
/* message.h -- messages of the compiler library as text: in the form of the assembler of PTX, with the source line
 * and a caret for people, or as JSON for programs. */
#ifndef WLCC_MESSAGE_H
#define WLCC_MESSAGE_H

#include "wlcc.h"

enum message_format { MESSAGE_PTXAS, MESSAGE_HUMAN, MESSAGE_JSON };

struct message_printer {
	enum message_format format;
	FILE *to;
	const char *text; /* the compiled text; NULL = unknown: no source lines are shown */
	size_t size;
	/* made on first use */
	size_t *starts; /* of lines in text */
	size_t nlines;
};

bool message_format_named(const char *name, enum message_format *out);
void message_print(void *printer, const struct wlcc_message *m); /* a wlcc_diag_fn */
void message_printer_free(struct message_printer *p);

#endif
