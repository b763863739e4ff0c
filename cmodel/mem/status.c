// SPDX-License-Identifier: Apache-2.0
/* status.c -- the names of status codes, faults and outcomes. */
#include <stdbool.h>
#include <stddef.h>

#include "warplock/status.h"

const char *wl_status_name(enum wl_status s)
{
	switch (s) {
	case WL_OK:
		return "ok";
	case WL_ERR_NOMEM:
		return "out of memory";
	case WL_ERR_CONFIG:
		return "configuration out of range";
	case WL_ERR_UNKNOWN_WORD:
		return "unknown instruction word";
	case WL_ERR_UNKNOWN_INST:
		return "unknown instruction";
	case WL_ERR_RANGE:
		return "operand out of range";
	case WL_ERR_SYNTAX:
		return "syntax error";
	case WL_ERR_OBJECT:
		return "unreadable object file";
	case WL_ERR_NO_ENTRY:
		return "kernel not found";
	case WL_ERR_AMBIGUOUS:
		return "several kernels, none named";
	case WL_ERR_LAUNCH:
		return "launch does not fit";
	case WL_ERR_UNSUPPORTED:
		return "not supported yet";
	}
	return "unknown status";
}

static const struct {
	const char *name, *text;
} fault_table[] = {
#define FAULT(name, num, text) [num] = {#name, text},
#include "warplock/units.def"
#undef FAULT
};
_Static_assert(sizeof fault_table / sizeof fault_table[0] <= WL_FAULT_COUNT, "a fault's number has 6 bits");

static bool is_fault(enum wl_fault f)
{
	return (unsigned)f < sizeof fault_table / sizeof fault_table[0] && fault_table[f].name;
}

const char *wl_fault_name(enum wl_fault f)
{
	return is_fault(f) ? fault_table[f].name : "UNKNOWN_FAULT";
}

const char *wl_fault_text(enum wl_fault f)
{
	return is_fault(f) ? fault_table[f].text : "unknown fault";
}

const char *wl_outcome_name(enum wl_outcome o)
{
	switch (o) {
	case WL_RUNNING:
		return "running";
	case WL_ENDED:
		return "ended";
	case WL_DEADLOCK:
		return "deadlock";
	case WL_FAULTED:
		return "fault";
	case WL_LIMIT:
		return "limit";
	case WL_ERROR:
		return "error";
	}
	return "unknown outcome";
}
