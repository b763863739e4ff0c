// SPDX-License-Identifier: Apache-2.0
// ULX3S with LFE5U-85F: the LiteX system (fpga/litex), 25 MHz oscillator, UART of the FTDI bridge.
`default_nettype none

module top #(
  parameter int ClockMhz = 40
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

  soc u_soc (.clk(clk), .rst(rst), .serial_rx(uart_rx), .serial_tx(uart_tx));
endmodule

`default_nettype wire
