// SPDX-License-Identifier: Apache-2.0
#include "turns.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

bool turns_is(const char *path)
{
	return file_begins(path, "warplock turns");
}

void turns_add(struct turns *t, uint32_t cta, uint32_t warp, uint32_t count)
{
	struct wl_guide_turn *last = t->n ? &t->turn[t->n - 1] : NULL;
	if (last && last->cta == cta && last->warp == warp) {
		last->count += count;
		return;
	}
	if (t->n == t->room) {
		t->room = t->room ? 2 * t->room : 64;
		t->turn = realloc(t->turn, t->room * sizeof *t->turn);
		if (!t->turn)
			abort();
	}
	t->turn[t->n++] = (struct wl_guide_turn){cta, warp, count};
}

void turns_free(struct turns *t)
{
	free(t->turn);
	*t = (struct turns){0};
}

/* The word, then numbers without a sign that fit, with spaces alone between: sscanf takes all others, too. */
static bool whole_numbers(const char *line)
{
	const bool turn = !strncmp(line, "turn ", 5);
	if (!turn && strncmp(line, "seed ", 5))
		return false;
	for (line += 4; *line; line += strcspn(line, " ")) {
		char *end;
		line += strspn(line, " ");
		errno = 0;
		const unsigned long long v = strtoull(line, &end, 10);
		if (*line < '0' || *line > '9' || (*end && *end != ' ') || errno || (turn && v > UINT32_MAX))
			return false;
	}
	return true;
}

/* "" or why the line is refused. */
static void read_turn(const char *line, const struct turns_launch *of, struct turns *t, char *why, size_t whyn)
{
	unsigned cta = 0, warp = 0, count = 0;
	int end = 0;
	if (sscanf(line, "turn %u %u %u%n", &cta, &warp, &count, &end) != 3 || !end || !count || line[end])
		snprintf(why, whyn, "expected 'seed N' or 'turn CTA WARP COUNT', found '%.60s'", line);
	else if (of && cta >= of->ctas)
		snprintf(why, whyn, "found CTA %u, expected a number below %llu: the launch has no more CTAs", cta,
		         (unsigned long long)of->ctas);
	else if (of && warp >= of->warps)
		snprintf(why, whyn, "found warp %u, expected a number below %u: a CTA has no more warps", warp,
		         of->warps);
	else
		turns_add(t, cta, warp, count);
}

static void read_line(const char *line, const struct turns_launch *of, struct turns *t, char *why, size_t whyn)
{
	unsigned long long seed;
	int end = 0;
	if (origin_has(line)) {
		if (of)
			origin_fits(&of->origin, line, why, whyn);
		return;
	}
	if (!whole_numbers(line)) {
		snprintf(why, whyn, "expected 'seed N' or 'turn CTA WARP COUNT', found '%.60s'", line);
		return;
	}
	if (sscanf(line, "seed %llu%n", &seed, &end) != 1 || !end || line[end])
		read_turn(line, of, t, why, whyn);
	else if (of && seed != of->seed)
		snprintf(why, whyn, "the schedule is of another seed: found %llu, expected %llu", seed,
		         (unsigned long long)of->seed);
	else
		t->seed = seed;
}

bool turns_read(const char *path, const struct turns_launch *of, struct turns *t, char *err, size_t errn)
{
	size_t size;
	unsigned number = 0;
	char why[2 * ORIGIN_LINE + 100] = "";
	*t = (struct turns){.seed = 1};
	char *text = (char *)file_read(path, &size, err, errn), *next = text;
	for (char *line = text; !*why && line && *line; line = next) {
		next = line + strcspn(line, "\n");
		next += *next ? (*next = 0, 1) : 0;
		line[strcspn(line, "\r")] = 0;
		if (++number > 1 && *line && *line != '#')
			read_line(line, of, t, why, sizeof why);
		if (number == 1 &&
		    (strncmp(line, TURNS_SIGNATURE, sizeof TURNS_SIGNATURE - 2) || line[sizeof TURNS_SIGNATURE - 2]))
			snprintf(why, sizeof why, "expected 'warplock turns 1', found '%.60s'", line);
	}
	if (*why)
		snprintf(err, errn, "%s, line %u: %s", path, number, why);
	free(text);
	return text && !*why;
}

bool turns_write(const char *path, const struct turns *t, const struct origin *origin, const char *comment, char *err,
                 size_t errn)
{
	const size_t room = strlen(comment) + 80 + ORIGIN_TEXT + t->n * 48;
	char *text = malloc(room);
	if (!text) {
		snprintf(err, errn, "no memory for the schedule");
		return false;
	}
	size_t n = (size_t)snprintf(text, room, TURNS_SIGNATURE "# %s\n", comment);
	n += origin_text(origin, false, text + n, room - n);
	n += (size_t)snprintf(text + n, room - n, "seed %llu\n", (unsigned long long)t->seed);
	for (size_t i = 0; i < t->n; i++)
		n += (size_t)snprintf(text + n, room - n, "turn %u %u %u\n", t->turn[i].cta, t->turn[i].warp,
		                      t->turn[i].count);
	const bool ok = file_write(path, text, n, err, errn);
	free(text);
	return ok;
}
