// SPDX-License-Identifier: Apache-2.0
/* wave.h -- files beside an FST that open the wave with its signals grouped by unit: NAME.gtkw for GTKWave (wave.c) and
 * NAME.sucl, commands for Surfer (wave_surfer.c). One list of signals serves both. */
#ifndef WARPLOCK_COSIM_WAVE_H
#define WARPLOCK_COSIM_WAVE_H

#include "unit.h"

/* Times of a wave: a cycle lasts WAVE_CYCLE, and the window begins WAVE_BEFORE cycles before the marker. */
enum { WAVE_CYCLE = 10, WAVE_BEFORE = 20, WAVE_SHOWN = 60 };

/* Signals of sync_core, up to one without a group; those of units are in their struct cosim_unit. */
extern const struct cosim_signal wave_signals[];

/* `stem`: the path of the wave, absolute, without its ending; `fst`: with it. False where the file cannot be written. */
bool write_sucl(const char *stem, const char *fst, const struct shim_api *api, uint64_t cycle);

#endif
