// SPDX-License-Identifier: Apache-2.0
// The ports of LiteX's soc.v, for lint of boards with this module; fpga/litex/make makes the content.
`default_nettype none

module soc (
  input  logic clk,
  input  logic rst,
  input  logic serial_rx,
  output logic serial_tx
);
  assign serial_tx = clk && rst && serial_rx;
endmodule

`default_nettype wire
