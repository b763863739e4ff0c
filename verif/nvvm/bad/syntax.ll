; SPDX-License-Identifier: Apache-2.0
; arch sm_75
; error not readable as LLVM IR
define void @k( {
