// SPDX-License-Identifier: Apache-2.0
/* interrupt.h -- an interrupt (SIGINT) ends a run, and not the tool: the findings so far are told. */
#ifndef WARPLOCK_INTERRUPT_H
#define WARPLOCK_INTERRUPT_H

#include <stdbool.h>

struct wl_gpu;

/* Between the two calls the first interrupt is only noted. A second interrupt ends the tool. */
void interrupt_watch(void);
void interrupt_over(void);
bool interrupt_came(void);
/* Runs to the end of the run or to an interrupt: the outcome then is WL_RUNNING. */
void interrupt_run(struct wl_gpu *gpu);

#endif
