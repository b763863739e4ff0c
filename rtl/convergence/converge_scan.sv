// SPDX-License-Identifier: Apache-2.0
// Who of a warp waits as one lane does, a lane a cycle: for convergence_lean. The lane that is asked about, the leader, is taken
// first; then each lane of the warp comes with where and for whom it waits. What is said of the leader behind the last of them
// holds for all lanes that wait where it does for the same set (same_o).
//
//   missing_o   lanes of that set that live and are not among them
//   named_o     lanes that one of the leader's set names, which waits at the leader's place in another mask
`default_nettype none

module converge_scan #(
  parameter int Warp     = 32,               // lanes; a power of two
  parameter int AtBits   = 5,                // where a lane waits
  parameter int LaneBits = $clog2(Warp)      // derived, do not override
) (
  input  logic                clk_i,
  input  logic                lead_i,        // take the leader; the lanes come behind it
  input  logic                lane_valid_i,  // 0, 1, ... Warp - 1, each once
  input  logic [LaneBits-1:0] lane_i,
  input  logic                waits_i,       // it waits ...
  input  logic [AtBits-1:0]   at_i,          // ... here ...
  input  logic [Warp-1:0]     want_i,        // ... for these; of the leader as well

  input  logic [Warp-1:0]     live_i,
  output logic [AtBits-1:0]   at_o,          // the leader's
  output logic [Warp-1:0]     same_o,
  output logic [Warp-1:0]     missing_o,
  output logic [Warp-1:0]     named_o
);
  logic [AtBits-1:0] at_q;
  logic [Warp-1:0]   want_q, same_q, named_q;
  logic              here, alike;

  assign here  = waits_i && at_i == at_q;
  assign alike = want_i == want_q;
  always_ff @(posedge clk_i) begin
    if (lead_i) begin
      at_q   <= at_i;
      want_q <= want_i;
    end
    // the first lane that comes moves down to the lowest place
    if (lane_valid_i) same_q <= {here && alike, same_q[Warp-1:1]};
    if (lead_i) named_q <= '0;
    else if (lane_valid_i && here && !alike && want_q[lane_i]) named_q <= named_q | want_i;
  end
  assign at_o      = at_q;
  assign same_o    = same_q;
  assign missing_o = want_q & live_i & ~same_q;
  assign named_o   = named_q;
endmodule
`default_nettype wire
