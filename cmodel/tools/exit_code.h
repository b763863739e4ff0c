// SPDX-License-Identifier: Apache-2.0
/* exit_code.h -- what the tools tell their caller. An option that is not built yet is misuse. */
#ifndef WARPLOCK_EXIT_CODE_H
#define WARPLOCK_EXIT_CODE_H

enum exit_code {
	EXIT_GOOD,  /* done; the outcome is the one expected */
	EXIT_BAD,   /* it is not, or something was refused, with a message */
	EXIT_MISUSE /* the command line cannot be followed */
};

#endif
