// SPDX-License-Identifier: Apache-2.0
// A skid buffer: keeps a word not taken in the cycle of arrival. So `ready_o` comes out of a register: the source does
// not wait for the taker's choice. The buffer adds no cycle.
`default_nettype none

module skid_buffer #(
  parameter int Bits = 1
) (
  input  logic            clk_i,
  input  logic            rst_i,
  input  logic            valid_i,
  output logic            ready_o,
  input  logic [Bits-1:0] data_i,
  output logic            valid_o,
  input  logic            ready_i,
  output logic [Bits-1:0] data_o
);
  logic            full_q;
  logic [Bits-1:0] kept_q;

  assign ready_o = !full_q;
  assign valid_o = valid_i || full_q;
  assign data_o  = full_q ? kept_q : data_i;

  always_ff @(posedge clk_i) full_q <= !rst_i && valid_o && !ready_i;
  always_ff @(posedge clk_i) begin
    if (valid_i && !full_q) kept_q <= data_i;
  end
endmodule
`default_nettype wire
