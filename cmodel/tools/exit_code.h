// SPDX-License-Identifier: Apache-2.0
/* exit_code.h -- exit statuses of the tools. An option not built yet is misuse. */
#ifndef WARPLOCK_EXIT_CODE_H
#define WARPLOCK_EXIT_CODE_H

enum exit_code {
	EXIT_GOOD,  /* done; the outcome is the expected outcome */
	EXIT_BAD,   /* another outcome, or a refusal with a message */
	EXIT_MISUSE /* the command line cannot be followed */
};

#endif
