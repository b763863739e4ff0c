// SPDX-License-Identifier: Apache-2.0
// The lanes of a warp that wait as one lane does, a lane a cycle: for convergence_lean. The lane in question, the
// leader, is taken first; then each lane of the warp comes with place and set of the wait. After the last lane the
// outputs hold for all lanes waiting at the leader's place for the same set (same_o).
//
//   missing_o   live lanes of this set outside same_o
//   named_o     lanes in the masks of set members waiting at the leader's place with another mask
`default_nettype none

module converge_scan #(
  parameter int Warp     = 32,               // lanes; a power of two
  parameter int AtBits   = 5,                // where a lane waits
  parameter int LaneBits = $clog2(Warp)      // derived, do not override
) (
  input  logic                clk_i,
  input  logic                lead_i,        // take the leader; the lanes come behind
  input  logic                lane_valid_i,  // 0, 1, ... Warp - 1, each once
  input  logic [LaneBits-1:0] lane_i,
  input  logic                waits_i,       // the lane waits ...
  input  logic [AtBits-1:0]   at_i,          // ... here ...
  input  logic [Warp-1:0]     want_i,        // ... for these lanes; of the leader as well

  input  logic [Warp-1:0]     live_i,
  output logic [AtBits-1:0]   at_o,          // the leader's place
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
    // the first lane moves down to the lowest place
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
