// SPDX-License-Identifier: Apache-2.0
#include "turns.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

bool turns_is(const char *path)
{
	char line[sizeof TURNS_SIGNATURE] = "";
	FILE *f = fopen(path, "r");
	const bool is = f && fgets(line, sizeof line, f) && !strncmp(line, TURNS_SIGNATURE, 14);
	if (f)
		fclose(f);
	return is;
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

static bool read_line(const char *line, struct turns *t)
{
	unsigned long long seed;
	unsigned cta, warp, count;
	int end = 0;
	if (!whole_numbers(line))
		return false;
	if (sscanf(line, "turn %u %u %u%n", &cta, &warp, &count, &end) == 3 && end && count && !line[end]) {
		turns_add(t, cta, warp, count);
		return true;
	}
	end = 0;
	if (sscanf(line, "seed %llu%n", &seed, &end) == 1 && end && !line[end]) {
		t->seed = seed;
		return true;
	}
	return false;
}

bool turns_read(const char *path, struct turns *t, char *err, size_t errn)
{
	size_t size;
	unsigned number = 0;
	bool ok = true;
	*t = (struct turns){.seed = 1};
	char *text = (char *)file_read(path, &size, err, errn), *next = text;
	for (char *line = text; ok && line && *line; line = next) {
		next = line + strcspn(line, "\n");
		next += *next ? (*next = 0, 1) : 0;
		line[strcspn(line, "\r")] = 0;
		if (++number > 1 && *line && *line != '#')
			ok = read_line(line, t);
		if (number == 1)
			ok = !strncmp(line, TURNS_SIGNATURE, sizeof TURNS_SIGNATURE - 2) &&
			     !line[sizeof TURNS_SIGNATURE - 2];
		if (!ok)
			snprintf(err, errn, "%s, line %u: expected %s, found '%.60s'", path, number,
			         number == 1 ? "'warplock turns 1'" : "'seed N' or 'turn CTA WARP COUNT'", line);
	}
	free(text);
	return ok && text;
}

bool turns_write(const char *path, const struct turns *t, const char *comment, char *err, size_t errn)
{
	const size_t room = strlen(comment) + 80 + t->n * 48;
	char *text = malloc(room);
	if (!text) {
		snprintf(err, errn, "no memory for the schedule");
		return false;
	}
	size_t n =
	        (size_t)snprintf(text, room, TURNS_SIGNATURE "# %s\nseed %llu\n", comment, (unsigned long long)t->seed);
	for (size_t i = 0; i < t->n; i++)
		n += (size_t)snprintf(text + n, room - n, "turn %u %u %u\n", t->turn[i].cta, t->turn[i].warp,
		                      t->turn[i].count);
	const bool ok = file_write(path, text, n, err, errn);
	free(text);
	return ok;
}
