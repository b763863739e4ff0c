// SPDX-License-Identifier: Apache-2.0
// Colorlight i5 (LFE5U-25F) on the extension board: 25 MHz oscillator, UART of the board's USB bridge.
`default_nettype none

module top #(
  parameter int Lanes        = 4,
  parameter int Banks        = 4,
  parameter int SmemBytes    = 4096,
  parameter int Units        = 5,
  parameter int Arch         = 0,      // 0: every request names the architecture
  parameter int Warps        = 48,
  parameter int CtaSlots     = 16,
  parameter bit Stimulus     = 1'b0,
  parameter int EventBits    = 9,
  parameter int ClocksPerBit = 40,
  parameter int ClockMhz     = 20,
  parameter int Revision     = 0
) (
  input  logic clk25,
  input  logic uart_rx,
  output logic uart_tx,
  output logic led_n               // lit while a byte goes either way
);
  logic clk, rst;
  board_clock #(.ClockMhz(ClockMhz)) u_clock (.osc_i(clk25), .clk_o(clk), .rst_o(rst));
  assign led_n = uart_rx && uart_tx;

  link_core #(
    .Lanes(Lanes), .Banks(Banks), .SmemBytes(SmemBytes), .Units(Units), .Arch(Arch), .Warps(Warps), .CtaSlots(CtaSlots),
    .Stimulus(Stimulus), .EventBits(EventBits),
    .ClocksPerBit(ClocksPerBit), .Revision(Revision)
  ) u_link (.clk_i(clk), .rst_i(rst), .rx_i(uart_rx), .tx_o(uart_tx));
endmodule

`default_nettype wire
