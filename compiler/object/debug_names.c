// SPDX-License-Identifier: Apache-2.0
/* debug_names.c -- labels and .b8 bytes of the section .debug_str; all else in the section is left out. */
#include "debug_names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void *grown(void *list, size_t n, size_t *room, size_t size)
{
	if (n < *room)
		return list;
	*room = *room ? 2 * *room : 256;
	void *to = realloc(list, *room * size);
	if (!to)
		abort(); /* as in the object writer: without memory the compiler cannot report */
	return to;
}

static void put(struct debug_names *d, unsigned char byte)
{
	d->bytes = grown(d->bytes, d->size, &d->room, 1);
	d->bytes[d->size++] = byte;
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

/* Reads the word at s: a colon behind makes the word a label. */
static const char *word(struct debug_names *d, const char *s)
{
	const char *end = s;
	while (in_name(*end))
		end++;
	const char *colon = end + strspn(end, " \t");
	if (*colon != ':')
		return end;
	d->labels = grown(d->labels, d->nlabels, &d->labels_room, sizeof *d->labels);
	d->labels[d->nlabels++] = (struct debug_label){strndup(s, (size_t)(end - s)), (uint32_t)d->size};
	return colon + 1;
}

/* ".b8 95, 0x5a" */
static const char *bytes(struct debug_names *d, const char *s)
{
	do {
		char *end;
		const unsigned long v = strtoul(s, &end, 0);
		if (end == s)
			break;
		put(d, (unsigned char)v);
		s = end + strspn(end, " \t\r\n");
	} while (*s == ',' && s++);
	return s;
}

static void section(struct debug_names *d, const char *s)
{
	static const char name[] = ".debug_str";
	s += strcspn(s, " \t\r\n");
	s += strspn(s, " \t\r\n");
	if (strncmp(s, name, sizeof name - 1) != 0 || in_name(s[sizeof name - 1]))
		return;
	s += sizeof name - 1;
	while (*s)
		if (strncmp(s, ".b8", 3) == 0 && isspace((unsigned char)s[3]))
			s = bytes(d, s + 3);
		else if (in_name(*s))
			s = word(d, s);
		else
			s++;
}

void debug_names_read(const struct ptx_item *items, uint32_t n, struct debug_names *out)
{
	*out = (struct debug_names){0};
	for (uint32_t i = 0; i < n; i++)
		if (items[i].kind == PTX_ITEM_SECTION)
			section(out, items[i].text);
	put(out, 0);
}

uint32_t debug_names_find(const struct debug_names *d, const char *label, uint32_t offset)
{
	for (size_t i = 0; label && i < d->nlabels; i++)
		if (d->labels[i].name && strcmp(d->labels[i].name, label) == 0 && offset < d->size - d->labels[i].at)
			return d->labels[i].at + offset;
	return (uint32_t)d->size - 1;
}

void debug_names_free(struct debug_names *d)
{
	for (size_t i = 0; i < d->nlabels; i++)
		free(d->labels[i].name);
	free(d->labels);
	free(d->bytes);
	*d = (struct debug_names){0};
}
