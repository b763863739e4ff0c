// SPDX-License-Identifier: Apache-2.0
// Events of lean_core.
`ifndef WL_LEAN_EVENTS_VH
`define WL_LEAN_EVENTS_VH
`define WL_LEAN_FAULT      3'd0   // of a beat's lanes, before its passes
`define WL_LEAN_COMMIT     3'd1   // of a pass
`define WL_LEAN_REFUSE     3'd2   // of a beat, or a header-only request, of a unit that is not built
`define WL_LEAN_BAR_FAULT  3'd3
`define WL_LEAN_BAR_COMMIT 3'd4
`define WL_LEAN_EXIT       3'd5
`define WL_LEAN_RELEASE    3'd6
`define WL_LEAN_RESPONSE   3'd7   // a beat of results
`endif
