; SPDX-License-Identifier: Apache-2.0
; arch sm_75
; error not valid LLVM IR
define i32 @k(i32 %a) {
  br label %b
b:
  %x = phi i32 [ %a, %b ]
  ret i32 %x
}
