// SPDX-License-Identifier: Apache-2.0
#ifndef WARPLOCK_SOC_TYPES_H
#define WARPLOCK_SOC_TYPES_H

typedef int pid_t; /* of the simulated board, in a header shared by firmware and host */

#endif
