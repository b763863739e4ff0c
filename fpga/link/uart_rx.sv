// SPDX-License-Identifier: Apache-2.0
// Receives 8N1: finds the start bit, samples every bit in the middle, and drops a byte with a stop bit of 0.
`default_nettype none

module uart_rx #(
  parameter int ClocksPerBit = 25      // 4 or more
) (
  input  logic       clk_i,
  input  logic       rst_i,
  input  logic       rx_i,             // the wire; asynchronous
  output logic       valid_o,          // one cycle for each byte
  output logic [7:0] byte_o
);
  localparam int TickBits = $clog2(ClocksPerBit + 1);
  localparam logic [TickBits-1:0] Half = TickBits'(ClocksPerBit / 2 - 1);
  localparam logic [TickBits-1:0] Whole = TickBits'(ClocksPerBit - 1);

  logic [1:0]          sync_q;
  logic [TickBits-1:0] tick_q;
  logic [3:0]          bit_q;          // 0 idle, 1 start, 2..9 data, 10 stop
  logic [7:0]          data_q;

  always_ff @(posedge clk_i) begin
    sync_q  <= {sync_q[0], rx_i};
    valid_o <= 1'b0;
    if (rst_i) begin
      sync_q <= 2'b11;
      bit_q  <= 4'd0;
      tick_q <= '0;
    end else if (bit_q == 4'd0) begin
      if (!sync_q[1]) begin
        bit_q  <= 4'd1;
        tick_q <= Half;
      end
    end else if (tick_q != '0) begin
      tick_q <= tick_q - 1'b1;
    end else begin
      tick_q <= Whole;
      bit_q  <= bit_q + 4'd1;
      if (bit_q == 4'd1 && sync_q[1]) bit_q <= 4'd0;     // a spike, no start bit
      if (bit_q >= 4'd2 && bit_q <= 4'd9) data_q <= {sync_q[1], data_q[7:1]};
      if (bit_q == 4'd10) begin
        bit_q   <= 4'd0;
        valid_o <= sync_q[1];
      end
    end
  end
  assign byte_o = data_q;
endmodule

`default_nettype wire
