// SPDX-License-Identifier: Apache-2.0
// ULX3S with LFE5U-85F: 25 MHz oscillator, UART of the FTDI bridge.
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
  output logic led,             // lit while a byte goes either way
  output logic wifi_gpio0        // high: the ESP32 leaves the FPGA alone
);
  logic clk, rst;
  board_clock #(.ClockMhz(ClockMhz)) u_clock (.osc_i(clk25), .clk_o(clk), .rst_o(rst));
  assign led        = !(uart_rx && uart_tx);
  assign wifi_gpio0 = 1'b1;

  link_core #(
    .Lanes(Lanes), .Banks(Banks), .SmemBytes(SmemBytes), .Units(Units), .Arch(Arch), .Warps(Warps), .CtaSlots(CtaSlots),
    .Stimulus(Stimulus), .EventBits(EventBits),
    .ClocksPerBit(ClocksPerBit), .Revision(Revision)
  ) u_link (.clk_i(clk), .rst_i(rst), .rx_i(uart_rx), .tx_o(uart_tx));
endmodule

`default_nettype wire
