// SPDX-License-Identifier: Apache-2.0
// When a pass of the beat in P may be issued, lean form. The unit holds a single pass: chosen in a cycle, issued in a
// later cycle. The next pass follows when the pass has left W. The choice goes into registers following the beat all
// the time: the registers hold a pass when the beat has stood for a cycle. Another beat comes a cycle after the end of
// the last pass: this cuts the path from the lanes of a pass to the next beat.
`include "atoms_bundles.vh"
`default_nettype none

module atoms_issue_lean #(
  parameter int Lanes    = 32,
  parameter int Banks    = 32,
  parameter int Combine  = 0,
  parameter int FpLanes  = 4,
  parameter int LaneBits = $clog2(Lanes),                         // derived, do not override, like all below
  parameter int BankBits = $clog2(Banks),
  parameter int Words    = Combine > 0 ? Combine : 1
) (
`include "atoms_issue_ports.vh"
);
  typedef `WL_ATOMS_CHOICE choice_t;
  choice_t s;
  logic    open_q, gap_q, over_q;
  logic    last_q;                // the choice leaves no lane for another pass
  logic [`WL_ATOMS_CHOICE_BITS-1:0] choice_q;
  assign s = choice_i;
  always_ff @(posedge clk_i) begin
    open_q   <= !rst_i && valid_i && !fire_i && !gap_q;
    choice_q <= choice_i;
    last_q   <= (pending_i & ~s.lanes) == '0;
    gap_q    <= !rst_i && (fire_i || (gap_q && !end_i));
    if (fire_i) over_q <= last_q;
  end
  assign choice_o = choice_q;
  assign open_o   = open_q;
  assign over_o   = last_q;
  assign gap_o    = gap_q;
  assign free_o   = !valid_i;
  assign done_o   = end_i && over_q;
  logic unused;
  assign unused = ^{leave_i, floats_i, rest_i, left_i, all_i, s};
endmodule
`default_nettype wire
