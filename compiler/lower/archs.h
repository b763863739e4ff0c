// SPDX-License-Identifier: Apache-2.0
/* archs.h -- ranges of architectures for columns of tables: first, last. */
#ifndef WLCC_LOWER_ARCHS_H
#define WLCC_LOWER_ARCHS_H

#define SM75_UP    75, 999
#define SM75_ONLY  75, 79
#define BELOW_SM90 75, 89
#define SM80_UP    80, 999
#define SM90_UP    90, 999

#endif
