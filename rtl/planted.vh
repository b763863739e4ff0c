// SPDX-License-Identifier: Apache-2.0
// Planted bugs: faults that the checks must find, built in with WL_PLANTED and chosen by `bug_i` (0 = none).
// They stay in the tree for ever; without WL_PLANTED every `WL_BUG(...)` is the constant 0.
`ifndef WL_PLANTED_VH
`define WL_PLANTED_VH
`define BUG_LANE_DROPPED   8'd1   // a lane of a pass with two or more neither takes effect nor commits
`define BUG_LANE_TWICE     8'd2   // a committed lane commits again in the next pass of its beat
`define BUG_LANE_ORDER     8'd3   // the highest pending lane of a bank wins
`define BUG_PROGRAM_ORDER  8'd4   // a queued request overtakes an earlier one of its warp
`define BUG_LOST_RETIRE    8'd5   // a last response beat is never handed over
`define BUG_FORWARD_OFF    8'd6   // a pass reads what the RAM held before the pass ahead of it
`define BUG_MAX_SIGNED     8'd7   // signed MAX compares unsigned
`define BUG_SPIN_GROUP     8'd8   // SPIN groups by the banks of the build and forgets them at each beat
`define BUG_FAULT_PRIORITY 8'd9   // out of range is judged before misaligned
`define BUG_PASSES_OFF     8'd10  // one pass too many is reported when there are more than three
`define BUG_RETIRE_EARLY   8'd11  // a last response beat leaves before its beat's last pass
`define BUG_LOST_WRITE     8'd12  // one bank write in 64 does not reach the RAM
`define BUG_FAULT_COMMITS  8'd13  // a faulting lane takes part in the passes
`ifdef WL_PLANTED
`define WL_BUG(code) (bug_i == (code))
`else
`define WL_BUG(code) 1'b0
`endif
`endif
