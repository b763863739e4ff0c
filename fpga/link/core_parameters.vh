// SPDX-License-Identifier: Apache-2.0
// The core behind a line or a bus.
  parameter int Lanes        = 4,
  parameter int Banks        = 4,
  parameter int SmemBytes    = 4096,
  parameter int Units        = 5,            // mask, as in sync_core
  parameter int Arch         = 0,            // 0: every request names the architecture
  parameter int Warps        = 48,
  parameter bit Lean         = 1'b1,         // the small forms of units, as in sync_core
  parameter int CtaSlots     = 16,           // a power of two from 2 to 16
