// SPDX-License-Identifier: Apache-2.0
/* entries.c -- runs on the host: instructions of the stream as words and decoded, for firmware without a decoder. */
#include <stdio.h>
#include <string.h>

#include "warplock/isa.h"

static const char *const texts[] = {
        "ATOMS.ADD R4, [R0], R8",
        "ATOMS.MIN R4, [R0], R8",
        "ATOMS.MAX.S32 R4, [R0], R8",
        "ATOMS.INC R4, [R0], R8",
        "ATOMS.DEC R4, [R0], R8",
        "ATOMS.AND R4, [R0], R8",
        "ATOMS.OR R4, [R0], R8",
        "ATOMS.XOR R4, [R0], R8",
        "ATOMS.EXCH R4, [R0], R8",
        "ATOMS.CAS R4, [R0], R8, R10",
        "ATOMS.CAS.64 R4, [R0], R8, R10",
        "LDS R4, [R0]",
        "LDS.64 R4, [R0]",
        "LDS.128 R4, [R0]",
        "LDS.U8 R4, [R0]",
        "STS [R0], R8",
        "STS.64 [R0], R8",
        "STS.U8 [R0], R8",
};

int main(void)
{
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct wl_word word;
		struct wl_inst inst;
		uint8_t bytes[sizeof inst];
		char err[200];
		if (wl_assemble(WL_SM90, texts[i], 0, &word, err, sizeof err) != WL_OK ||
		    wl_decode(WL_SM90, word, &inst) != WL_OK) {
			fprintf(stderr, "entries: %s: cannot be encoded\n", texts[i]);
			return 1;
		}
		memcpy(bytes, &inst, sizeof inst);
		printf("{\"%s\", {0x%llxull, 0x%llxull}, %d, {", texts[i], (unsigned long long)word.lo,
		       (unsigned long long)word.hi, inst.uop == WL_UOP_ATOMS_CAS);
		for (unsigned k = 0; k < sizeof inst; k++)
			printf("%u,", bytes[k]);
		printf("}},\n");
	}
	return 0;
}
