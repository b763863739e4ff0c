// SPDX-License-Identifier: Apache-2.0
// clang_ticket: the result rules.
#define KERNEL "clang_ticket"
#include "rules.h"

static void rules(void)
{
	uint32_t lock[2] = {256, 256}, cell[2] = {127 * 128, 256}, *o;
	static uint8_t seen[256];
	EXPECT("lock", lock, sizeof lock);
	EXPECT("cell", cell, sizeof cell);
	if ((o = ACTUAL("order", 1024)))
		for (int i = 0; i < 256; i++) {
			FAILIF(o[i] > 255, "bad entry in the order");
			FAILIF(seen[o[i] & 255]++, "one turn recorded twice");
		}
}
