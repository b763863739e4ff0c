// SPDX-License-Identifier: Apache-2.0
// iCE40-HX8K breakout board: 12 MHz oscillator, multiplied by four; UART of the FTDI bridge.
`default_nettype none

module top #(
  parameter int SmemBytes    = 4096,
  parameter int Units        = 5,
  parameter int Arch         = 75,
  parameter int Warps        = 8,
  parameter int Slots        = 2,
  parameter int EventBits    = 7,
  parameter int ByteBits     = 12,
  parameter int ClocksPerBit = 48,
  parameter int Revision     = 0
) (
  input  logic       clk12,
  input  logic       uart_rx,
  output logic       uart_tx,
  output logic [7:0] led               // the lowest is lit while a byte goes either way
);
  logic       clk, locked;
  logic [7:0] reset_q;                 // 0 after configuration
  initial reset_q = 8'd0;
  always_ff @(posedge clk) begin
    if (!locked) reset_q <= 8'd0;
    else if (!reset_q[7]) reset_q <= reset_q + 8'd1;
  end
  assign led = {7'd0, !(uart_rx && uart_tx)};

`ifdef SYNTHESIS
  // 12 MHz * 64 / 16
  SB_PLL40_CORE #(
    .FEEDBACK_PATH("SIMPLE"), .DIVR(4'd0), .DIVF(7'd63), .DIVQ(3'd4), .FILTER_RANGE(3'd1)
  ) u_pll (.REFERENCECLK(clk12), .PLLOUTGLOBAL(clk), .LOCK(locked), .RESETB(1'b1), .BYPASS(1'b0));
`else
  assign clk    = clk12;
  assign locked = 1'b1;
`endif

  link_serial #(
    .SmemBytes(SmemBytes), .Units(Units), .Arch(Arch), .Warps(Warps), .Slots(Slots), .EventBits(EventBits), .ByteBits(ByteBits),
    .ClocksPerBit(ClocksPerBit), .Revision(Revision)
  ) u_link (.clk_i(clk), .rst_i(!reset_q[7]), .rx_i(uart_rx), .tx_o(uart_tx));
endmodule

`default_nettype wire
