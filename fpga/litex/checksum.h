// SPDX-License-Identifier: Apache-2.0
/* checksum.h -- of a line, for the firmware and the host: " *" and four hexadecimal digits behind the text. */
#ifndef WARPLOCK_SOC_CHECKSUM_H
#define WARPLOCK_SOC_CHECKSUM_H

#include <stdbool.h>
#include <string.h>

enum { CHECKSUM = 6 }; /* characters */

static inline void checksum(const char *text, char to[CHECKSUM + 1])
{
	unsigned sum = 0x5a5a;
	for (const char *p = text; *p; p++)
		sum = (sum * 31 + (unsigned char)*p) & 0xffff;
	to[0] = ' ';
	to[1] = '*';
	for (unsigned i = 0; i < 4; i++)
		to[2 + i] = "0123456789abcdef"[sum >> (12 - 4 * i) & 15];
	to[CHECKSUM] = 0;
}

/* Whether the line ends with the checksum of the text before; takes the checksum off. */
static inline bool checksum_whole(char *line)
{
	char said[CHECKSUM + 1], right[CHECKSUM + 1];
	const size_t n = strlen(line);
	if (n < CHECKSUM)
		return false;
	memcpy(said, line + n - CHECKSUM, CHECKSUM);
	line[n - CHECKSUM] = 0;
	checksum(line, right);
	return memcmp(said, right, CHECKSUM) == 0;
}

#endif
