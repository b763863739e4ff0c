// SPDX-License-Identifier: Apache-2.0
/* origin.h -- the launch with which a schedule was recorded, as lines behind the first line of the file:
 *
 *   of kernel NAME
 *   of launch CHIP sms N grid X Y Z block X Y Z cluster X Y Z shared N
 *   of code HASH                the kernel's words, constants and variables
 *   of inputs HASH              arguments, and buffers at the start
 *   of seed N                   files of turns have a line 'seed N' of their own
 *
 * A person may write or shorten a file: what no line tells is not compared. */
#ifndef WARPLOCK_ORIGIN_H
#define WARPLOCK_ORIGIN_H

#include "job.h"

enum { ORIGIN_LINES = 5, ORIGIN_LINE = 320 };
struct origin {
	char line[ORIGIN_LINES][ORIGIN_LINE]; /* without line ends */
};

/* The job is loaded and has not run. */
void origin_take(struct origin *o, const struct job *job, const struct wl_config *config);
/* All lines, with line ends; seed: with the line of the seed. Returns the length; buf holds at least ORIGIN_TEXT. */
enum { ORIGIN_TEXT = ORIGIN_LINES * ORIGIN_LINE };
size_t origin_text(const struct origin *o, bool seed, char *buf, size_t n);

/* A comment or an empty line. */
bool origin_passes(const char *line);
/* Whether a line belongs to the origin; the line ends at a line end or at the end of the text, as below. */
bool origin_has(const char *line);
/* False: the line tells of another launch; `why` tells what was found and expected. */
bool origin_fits(const struct origin *o, const char *line, char *why, size_t whyn);
/* The seed of a text with lines of an origin. False: the text tells no seed. */
bool origin_seed(const char *text, uint64_t *seed);

#endif
