// SPDX-License-Identifier: Apache-2.0
/* wave.h -- files beside an FST, to open the wave with signals grouped by unit: NAME.gtkw for GTKWave (wave.c) and
 * NAME.sucl, commands for Surfer (wave_surfer.c). Both use the same list of signals. */
#ifndef WARPLOCK_COSIM_WAVE_H
#define WARPLOCK_COSIM_WAVE_H

#include <stdio.h>

#include "unit.h"

/* Times of a wave: a cycle lasts WAVE_CYCLE, and the window begins WAVE_BEFORE cycles before the marker. */
enum { WAVE_CYCLE = 10, WAVE_BEFORE = 20, WAVE_SHOWN = 60 };

/* Signals of sync_core, up to an entry without a group; signals of units are in struct cosim_unit. */
extern const struct cosim_signal wave_signals[];

/* Ends a file of unfinished_begin(path). False: the file cannot be written, told on standard error. */
bool wave_close(const char *path, FILE *f);
/* `stem`: the absolute path of the wave, without ending; `fst`: with ending. False where the file cannot be written. */
bool write_sucl(const char *stem, const char *fst, const struct shim_api *api, uint64_t cycle);

#endif
