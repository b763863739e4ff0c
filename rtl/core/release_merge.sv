// SPDX-License-Identifier: Apache-2.0
// The release lane shared by units: takes the releases in turn, at most one a cycle, so that no unit waits longer than
// the others.
`default_nettype none

module release_merge #(
  parameter int Units    = 1,
  parameter int Bits     = 121,
  parameter int PickBits = Units > 1 ? $clog2(Units) : 1   // derived, do not override
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic [Units-1:0]      valid_i,
  output logic [Units-1:0]      take_o,
  input  logic [Units*Bits-1:0] release_i,
  output logic                  valid_o,
  output logic [Bits-1:0]       release_o
);
  logic [PickBits-1:0] pick, last_q;
  logic                after;
  // A stride of a power of two: any other stride turns each choice into a multiplier and a shifter by odd distances.
  localparam int Stride = 1 << $clog2(Bits);
  logic [Units*Stride-1:0] releases;
  for (genvar u = 0; u < Units; u++) begin : gen_unit
    assign releases[u*Stride +: Stride] = Stride'(release_i[u*Bits +: Bits]);
  end

  always_comb begin
    pick      = '0;
    after     = 1'b0;
    take_o    = '0;
    release_o = 'x;
    if (valid_i != '0) begin
      for (int u = Units - 1; u >= 0; u--) begin
        if (valid_i[u] && (u[PickBits-1:0] > last_q || !after)) begin
          pick  = u[PickBits-1:0];
          after = u[PickBits-1:0] > last_q;
        end
      end
      take_o[pick] = 1'b1;
      release_o    = releases[pick*Stride +: Bits];
    end
  end
  assign valid_o = valid_i != '0 && !rst_i;
  always_ff @(posedge clk_i) begin
    if (rst_i) last_q <= '0;
    else if (valid_o) last_q <= pick;
  end
endmodule
`default_nettype wire
