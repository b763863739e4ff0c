// SPDX-License-Identifier: Apache-2.0
// clang_prodcons: the result rules.
#define KERNEL "clang_prodcons"
#include "rules.h"

static void rules(void)
{
	uint32_t mail[128], full[2] = {12, 12}, got[128] = {0};
	for (uint32_t p = 0; p < 2; p++)
		for (uint32_t t = 0; t < 64; t++)
			for (uint32_t k = 0; k < 6; k++)
				got[p * 64 + t] = got[p * 64 + t] * 3 + (mail[p * 64 + t] = t * 100 + k * 7 + p);
	EXPECT("mail", mail, sizeof mail);
	EXPECT("full", full, sizeof full);
	EXPECT("got", got, sizeof got);
}
