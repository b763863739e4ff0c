// SPDX-License-Identifier: Apache-2.0
// Sends 8N1.
`default_nettype none

module uart_tx #(
  parameter int ClocksPerBit = 25      // 4 or more
) (
  input  logic       clk_i,
  input  logic       rst_i,
  input  logic       valid_i,
  output logic       ready_o,
  input  logic [7:0] byte_i,
  output logic       tx_o
);
  localparam int TickBits = $clog2(ClocksPerBit + 1);
  logic [TickBits-1:0] tick_q;
  logic [9:0]          shift_q;        // low bit goes out next; ones behind the stop bit
  logic [3:0]          left_q;         // bits still to begin

  assign ready_o = left_q == 4'd0 && tick_q == '0;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      tx_o   <= 1'b1;
      left_q <= 4'd0;
      tick_q <= '0;
    end else if (tick_q != '0) begin
      tick_q <= tick_q - 1'b1;
    end else if (left_q != 4'd0) begin
      tx_o    <= shift_q[0];
      shift_q <= {1'b1, shift_q[9:1]};
      left_q  <= left_q - 4'd1;
      tick_q  <= TickBits'(ClocksPerBit - 1);
    end else if (valid_i) begin
      shift_q <= {1'b1, byte_i, 1'b0};
      left_q  <= 4'd10;
    end
  end
endmodule

`default_nettype wire
