// SPDX-License-Identifier: Apache-2.0
// Events of serial_core.
`ifndef WL_SERIAL_EVENTS_VH
`define WL_SERIAL_EVENTS_VH
`define WL_SERIAL_FAULT      3'd0   // of a beat's lanes, before its passes
`define WL_SERIAL_COMMIT     3'd1   // of a pass
`define WL_SERIAL_REFUSE     3'd2   // of a beat, or a header-only request, of a unit that is not built
`define WL_SERIAL_BAR_FAULT  3'd3
`define WL_SERIAL_BAR_COMMIT 3'd4
`define WL_SERIAL_EXIT       3'd5
`define WL_SERIAL_RELEASE    3'd6
`define WL_SERIAL_RESPONSE   3'd7   // a beat of results
`endif
