// SPDX-License-Identifier: Apache-2.0
/* spa50_sched.c -- the scheduling part of the SPA 5.0 dialect: {&req_N}... {&rdN} {&wrN} {?sched}. */
#include <string.h>

#include "spa50_inst.h"

static const char *blanks(const char *p)
{
	return p + strspn(p, " \t");
}

static bool eat(const char **at, const char *word)
{
	size_t n = strlen(word);
	if (strncmp(*at, word, n))
		return false;
	*at += n;
	return true;
}

static bool scoreboard(const char **at, const char *what, uint8_t *n, const struct spa50_err *e)
{
	const char *p = blanks(*at);
	int64_t value;
	if (!spa50_parse_number(&p, &value) || value >= SPA50_SCOREBOARDS)
		return spa50_refuse(e, "scoreboard rule: \"%.24s\" after %s found, expected 0 to 5", *at, what);
	*n = (uint8_t)value;
	*at = p;
	return true;
}

/* {i,j,...} */
static bool list(const char **at, uint8_t *mask, const struct spa50_err *e)
{
	const char *p = blanks(*at);
	uint8_t n;
	if (!eat(&p, "{"))
		return spa50_refuse(e, "scheduling syntax: \"%.24s\" after &req= found, expected {N,N,...}", *at);
	do {
		if (!scoreboard(&p, "&req=", &n, e))
			return false;
		*mask |= (uint8_t)(1u << n);
		p = blanks(p);
	} while (eat(&p, ","));
	if (!eat(&p, "}"))
		return spa50_refuse(e, "scheduling syntax: \"%.24s\" in the list of &req= found, expected , or }", p);
	*at = p;
	return true;
}

/* stallN, yield or stallN+yield */
static bool hint(const char **at, struct wl_sched *s, const struct spa50_err *e)
{
	const char *p = *at;
	int64_t stall;
	if (eat(&p, "yield")) {
		s->yield = 1;
		s->stall = SPA50_STALL_BY_YIELD;
	} else if (eat(&p, "stall")) {
		if (!spa50_parse_number(&p, &stall) || stall > 15)
			return spa50_refuse(e, "stall rule: \"%.24s\" found, expected ?stall0 to ?stall15", *at);
		s->stall = (uint8_t)stall;
		s->yield = eat(&p, "+yield");
	} else {
		return spa50_refuse(e, "scheduling syntax: \"?%.24s\" found, expected ?stallN, ?yield or ?stallN+yield",
		                    *at);
	}
	*at = p;
	return true;
}

/* The four groups in the order of the syntax; each but the first at most once. */
enum group { REQ, RD, WR, HINT, NONE };

static enum group next_group(const char **at)
{
	return eat(at, "&req") ? REQ : eat(at, "&rd") ? RD : eat(at, "&wr") ? WR : eat(at, "?") ? HINT : NONE;
}

static bool group(enum group g, const char **at, struct wl_sched *s, const struct spa50_err *e)
{
	uint8_t n;
	if (g == HINT)
		return hint(at, s, e);
	if (g == REQ && eat(at, "="))
		return list(at, &s->wait, e);
	if (g == REQ) {
		if (!eat(at, "_"))
			return spa50_refuse(
			        e, "scheduling syntax: \"&req%.24s\" found, expected &req_N or &req={N,...}", *at);
		if (!scoreboard(at, "&req_", &n, e))
			return false;
		s->wait |= (uint8_t)(1u << n);
		return true;
	}
	eat(at, "=");
	return scoreboard(at, g == RD ? "&rd" : "&wr", g == RD ? &s->rdbar : &s->wrbar, e);
}

bool spa50_parse_sched(const char **at, struct wl_sched *s, const struct spa50_err *e)
{
	static const char *const names[] = {"&req", "&rd", "&wr", "?sched"};
	enum group last = REQ;
	*s = (struct wl_sched){.stall = SPA50_STALL, .rdbar = SPA50_NO_SCOREBOARD, .wrbar = SPA50_NO_SCOREBOARD};
	for (const char *p = blanks(*at);; p = blanks(p)) {
		enum group g = next_group(&p);
		if (g == NONE) {
			*at = p;
			return true;
		}
		if (g < last || (g == last && g != REQ))
			return spa50_refuse(
			        e,
			        "scheduling order rule: %s after %s found, expected &req, &rd, &wr, ?sched in "
			        "this order, all but &req once",
			        names[g], names[last]);
		last = g;
		if (!group(g, &p, s, e))
			return false;
	}
}
