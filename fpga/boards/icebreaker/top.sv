// SPDX-License-Identifier: Apache-2.0
// iCEBreaker: 12 MHz oscillator, UART of the FTDI bridge.
`default_nettype none

module top #(
  parameter int SmemBytes    = 4096,
  parameter int Units        = 1,
  parameter int Arch         = 75,
  parameter int Warps        = 8,
  parameter int Slots        = 2,
  parameter int EventBits    = 7,
  parameter int ByteBits     = 12,
  parameter int ClocksPerBit = 12,
  parameter int Revision     = 0
) (
  input  logic clk12,
  input  logic uart_rx,
  output logic uart_tx,
  output logic led_n                   // lit (low) while a byte goes either way
);
  logic [7:0] reset_q;                 // 0 after configuration
  initial reset_q = 8'd0;
  always_ff @(posedge clk12) begin
    if (!reset_q[7]) reset_q <= reset_q + 8'd1;
  end
  assign led_n = uart_rx && uart_tx;

  link_serial #(
    .SmemBytes(SmemBytes), .Units(Units), .Arch(Arch), .Warps(Warps), .Slots(Slots), .EventBits(EventBits), .ByteBits(ByteBits),
    .ClocksPerBit(ClocksPerBit), .Revision(Revision)
  ) u_link (.clk_i(clk12), .rst_i(!reset_q[7]), .rx_i(uart_rx), .tx_o(uart_tx));
endmodule

`default_nettype wire
