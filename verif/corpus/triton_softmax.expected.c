// SPDX-License-Identifier: Apache-2.0
// triton_softmax: the result rules.
#define KERNEL "triton_softmax"
#include "rules.h"

static void rules(void)
{
	/* e^-k for k = 0..12 by repeated multiplication: no math library needed */
	double en[13] = {1};
	float *y = ACTUAL("y", 7200);
	for (int k = 1; k < 13; k++)
		en[k] = en[k - 1] * 0.36787944117144232;
	if (y)
		for (int r = 0; r < 6; r++) {
			uint32_t mx = 0;
			double s = 0;
			for (int c = 0; c < 300; c++) {
				uint32_t v = rnd(105, 0, 12, r * 300 + c);
				if (v > mx)
					mx = v;
			}
			for (int c = 0; c < 300; c++)
				s += en[mx - rnd(105, 0, 12, r * 300 + c)];
			for (int c = 0; c < 300; c++) {
				double want = en[mx - rnd(105, 0, 12, r * 300 + c)] / s, got = y[r * 300 + c];
				FAILIF(!(got >= want * (1 - 4e-6) && got <= want * (1 + 4e-6)),
				       "softmax is off by more than four parts in a million");
			}
		}
}
