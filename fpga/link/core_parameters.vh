// SPDX-License-Identifier: Apache-2.0
// The core behind a line or a bus.
  parameter int Lanes        = 4,
  parameter int Banks        = 4,
  parameter int SmemBytes    = 4096,
  parameter int Units        = 5,            // mask, as sync_core has it
  parameter int Arch         = 0,            // 0: every request says its architecture
  parameter int Warps        = 48,
  parameter bit Lean         = 1'b1,         // the small forms of units, as sync_core has it
  parameter int CtaSlots     = 16,           // that it has: a power of two from 2 to 16
