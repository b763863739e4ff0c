// SPDX-License-Identifier: Apache-2.0
/* sync_report.h -- report on the work of the synchronisation passes on a function (wlcc --print-passes). */
#ifndef WLCC_SYNC_REPORT_H
#define WLCC_SYNC_REPORT_H

#include <stdio.h>

#include "lower/emit_words.h"

void sync_report(const struct mfunc *f, const struct kernel_code *c, FILE *to);

#endif
