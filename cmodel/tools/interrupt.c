// SPDX-License-Identifier: Apache-2.0
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

#include "warplock/sm.h"

enum { STRETCH = 1 << 14 /* warp instructions between two looks for an interrupt */ };

static volatile sig_atomic_t came;

static void on_interrupt(int number)
{
	(void)number;
	came = 1;
}

void interrupt_watch(void)
{
	struct sigaction handler = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
	sigaction(SIGINT, &handler, NULL);
}

void interrupt_over(void)
{
	signal(SIGINT, SIG_DFL);
}

bool interrupt_came(void)
{
	return came;
}

void interrupt_run(struct wl_gpu *gpu)
{
	while (wl_gpu_run_some(gpu, STRETCH) == WL_RUNNING && !came)
		;
}
