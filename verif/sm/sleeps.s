// SPDX-License-Identifier: Apache-2.0
// Both halves of a warp sleep for times of their own until a clock says that it is enough; how many rounds that takes,
// and so the order log, depends on every reading. The replay must find the same times, jumps of it too.
.entry sleeps
.shared 256
S2R R0, SR_TID.X
MOV R8, RZ
ISETP.LT.U32.AND P1, PT, R0, 0x10, PT
MOV R7, 0x61
@P1 MOV R7, 0x11
CS2R R10, SR_CLOCKLO
BSSY B0, 0xe0
NANOSLEEP R7
IADD3 R8, R8, 0x1, RZ
STS [R0.X8], R8
CS2R R12, SR_CLOCKLO
IADD3 R12, R12, -R10, RZ
ISETP.LT.U32.AND P0, PT, R12, 0x4e20, PT
@P0 BRA 0x70
BSYNC B0
EXIT
