// SPDX-License-Identifier: Apache-2.0
// Clock and reset of a board: half the oscillator's frequency, because the longest path does not fit into a whole period of
// 25 MHz, and 128 of its cycles of reset after configuration.
`default_nettype none

module board_clock (
  input  logic osc_i,
  output logic clk_o,
  output logic rst_o
);
  logic [7:0] reset_q;             // 0 after configuration
  initial clk_o = 1'b0;
  initial reset_q = 8'd0;
  assign rst_o = !reset_q[7];
  always_ff @(posedge osc_i) clk_o <= !clk_o;
  always_ff @(posedge clk_o) begin
    if (rst_o) reset_q <= reset_q + 8'd1;
  end
endmodule

`default_nettype wire
