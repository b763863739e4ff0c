// SPDX-License-Identifier: Apache-2.0
// Lane 0 frees the others behind the BSYNC where it waits for them; they spin without YIELD, with a count that never
// repeats. In lockstep and in its replay the lane must be let go at the same place.
.entry behind
.shared 16
S2R R0, SR_TID.X
MOV R8, RZ
ISETP.EQ.AND P1, PT, R0, RZ, PT
@P1 STS [RZ], RZ
BAR.SYNC 0x0
BSSY B0, 0xd0
@P1 BRA 0xc0
LDS.U R9, [RZ]
ISETP.EQ.AND P0, PT, R9, RZ, PT
IADD3 R8, R8, 0x1, RZ
NOP
@P0 BRA 0x70
BSYNC B0
@P1 MOV R9, 0x1
@P1 STS [RZ], R9
EXIT
