// SPDX-License-Identifier: Apache-2.0
// Lane 31 waits at WARPSYNC. The rest of the upper half sleeps; the lower half comes to the same NANOSLEEP after a loop
// and sleeps longer. The upper half wakes first and takes the sleeping lanes along. The log names the lowest lane, a
// lane with the long sleep: the replay must not sleep on. A clock ends the rounds.
.entry joins
.shared 256
S2R R0, SR_TID.X
MOV R8, RZ
CS2R R10, SR_CLOCKLO
ISETP.GE.U32.AND P1, PT, R0, 0x10, PT
ISETP.EQ.U32.AND P2, PT, R0, 0x1f, PT
@P2 BRA 0x140
MOV R7, 0x1f4
MOV R9, 0x3
@P1 BRA 0xe0
MOV R7, 0x1388
IADD3 R9, R9, -0x1, RZ
ISETP.NE.U32.AND P3, PT, R9, RZ, PT
@P3 BRA 0xa0
NOP
NANOSLEEP R7
IADD3 R8, R8, 0x1, RZ
CS2R R12, SR_CLOCKLO
IADD3 R12, R12, -R10, RZ
ISETP.LT.U32.AND P0, PT, R12, 0x7530, PT
@P0 BRA 0x60
WARPSYNC 0xffffffff
STS [R0.X4], R8
EXIT
