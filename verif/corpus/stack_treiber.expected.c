// SPDX-License-Identifier: Apache-2.0
// stack_treiber: the result rules.
#define KERNEL "stack_treiber"
#include "rules.h"

static void rules(void)
{
	uint64_t *h;
	uint32_t *p;
	char seen[256] = {0};
	if ((h = ACTUAL("head", 8))) {
		FAILIF((uint32_t)*h != 0, "stack is not empty at the end");
		FAILIF(*h >> 32 != 512, "tag is not pushes + pops");
	}
	if ((p = ACTUAL("popped", 1024)))
		for (int i = 0; i < 256; i++) {
			FAILIF(p[i] > 255 || seen[p[i] & 255], "node popped twice or never pushed");
			seen[p[i] & 255] = 1;
		}
}
