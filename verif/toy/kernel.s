// SPDX-License-Identifier: Apache-2.0
// The warps of a CTA wait until its first one has added 1 to the counter; who was released writes that.
.entry toy
.shared 64
S2R R0, SR_TID.X
SHF.R.U32.HI R1, RZ, 0x5, R0
MOV R2, 0x1
ISETP.EQ.AND P1, PT, R1, RZ, PT
@P1 BRA 0x80
TOY.WAIT P0, R2
@P0 STS [R1.X4], R2
EXIT
LDS.U R5, [RZ]
LDS.U R5, [RZ+0x4]
LDS.U R5, [RZ+0x8]
TOY.ADD R4, R2
STS [R1.X4+0x10], R4
EXIT
