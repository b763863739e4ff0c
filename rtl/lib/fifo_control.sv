// SPDX-License-Identifier: Apache-2.0
// Pointers of a queue in RAM with a registered output: a push and a pop every cycle. A word pushed in cycle t can be
// popped in cycle t+2 or later. The queue holds Depth words, and a further word in the output register.
//
// The owner has the RAM. On `push_o` the owner writes word `wr_o`; on `load_o` the owner copies word `rd_o` to the
// output register.
`include "assert.vh"
`default_nettype none

module fifo_control #(
  parameter int Depth   = 8,              // 2 or more, a power of two
  parameter int PtrBits = $clog2(Depth)   // derived, do not override
) (
  input  logic               clk_i,
  input  logic               rst_i,
  input  logic               push_valid_i,
  output logic               push_ready_o,
  output logic               pop_valid_o,
  input  logic               pop_ready_i,

  output logic               push_o,
  output logic [PtrBits-1:0] wr_o,
  output logic               load_o,
  output logic [PtrBits-1:0] rd_o,
  output logic               empty_o
);
  logic               valid_q;
  logic [PtrBits-1:0] wr_q, rd_q;
  logic [PtrBits:0]   count_q;

  assign push_ready_o = count_q != (PtrBits + 1)'(Depth) && !rst_i;
  assign push_o       = push_valid_i && push_ready_o;
  assign wr_o         = wr_q;
  assign rd_o         = rd_q;
  assign load_o       = count_q != '0 && (!valid_q || pop_ready_i);
  assign pop_valid_o  = valid_q;
  assign empty_o      = count_q == '0 && !valid_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= 1'b0;
      wr_q    <= '0;
      rd_q    <= '0;
      count_q <= '0;
    end else begin
      valid_q <= load_o || (valid_q && !pop_ready_i);
      wr_q    <= wr_q + PtrBits'(push_o);
      rd_q    <= rd_q + PtrBits'(load_o);
      count_q <= count_q + (PtrBits + 1)'(push_o) - (PtrBits + 1)'(load_o);
    end
  end

  `ASSERT(CountInRange_A, count_q <= (PtrBits + 1)'(Depth))
endmodule
`default_nettype wire
