// SPDX-License-Identifier: Apache-2.0
/* listing.h -- the listing of an object, by wlobjdump: kernels and functions with resources, attributes, code, source
 * lines and relocations, then the sections of variables and constants. */
#ifndef WARPLOCK_LISTING_H
#define WARPLOCK_LISTING_H

#include <stdbool.h>

#include "warplock/object.h"

struct listing {
	const char *file;  /* for messages */
	const char *entry; /* kernel or function to list; NULL = everything */
	bool raw;          /* texts with raw bits */
	bool lines;        /* source lines, where the object has some */
	bool classes;      /* class and mask of synchronising instructions */
};

/* Prints to standard output; every error is told on standard error. False after an error. */
bool listing_print(const struct listing *l, const unsigned char *elf, size_t size);

/* " // class 96 Barrier, mask 0x200001"; empty where the word does not synchronise. */
void listing_class(enum wl_arch arch, struct wl_word w, char *text, size_t room);

#endif
