// SPDX-License-Identifier: Apache-2.0
// Pointers of a queue in RAM with a registered output: one push and one pop every cycle, a word pushed in cycle t can
// be popped in cycle t+2 or later. Holds Depth words and one more in the output register.
//
// The owner has the RAM: on `push_o` it writes word `wr_o`, on `load_o` it copies word `rd_o` to its output register.
`include "assert.vh"
`include "planted.vh"
`default_nettype none

module fifo_control #(
  parameter int Depth   = 8,              // 2 or more, a power of two
  parameter int Group   = 1,              // words of a request: used by a planted bug only
  parameter int PtrBits = $clog2(Depth)   // derived, do not override
) (
  input  logic               clk_i,
  input  logic               rst_i,
`ifdef WL_PLANTED
  input  logic [7:0]         bug_i,
  input  logic               same_warp_i,   // the words at head_o and Group further are of one warp
  output logic [PtrBits-1:0] head_o,
`endif
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
  if (Group < 1) begin : gen_bad_group
    group_must_be_1_or_more u_bad ();
  end

  logic               valid_q;
  logic [PtrBits-1:0] wr_q, rd_q;
  logic [PtrBits:0]   count_q;
`ifdef WL_PLANTED
  localparam int SwapBits = $clog2(2 * Group) + 1;
  logic [SwapBits-1:0] swap_q;
  logic                swap_start;
`endif

`ifdef WL_PLANTED
  assign push_ready_o = count_q != (PtrBits + 1)'(Depth) && !rst_i && swap_q == '0;
`else
  assign push_ready_o = count_q != (PtrBits + 1)'(Depth) && !rst_i;
`endif
  assign push_o       = push_valid_i && push_ready_o;
  assign wr_o         = wr_q;
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

`ifdef WL_PLANTED
  // Overtaking: when the two requests at the head are of one warp, the second is read first. `swap_q` counts the
  // words of the pair still to be read; a request starts at a multiple of Group because Depth is one.
  assign head_o     = rd_q;
  assign swap_start = `WL_BUG(`BUG_PROGRAM_ORDER) && swap_q == '0 && count_q >= (PtrBits + 1)'(2 * Group) &&
                      (32'(rd_q) % Group) == 0 && same_warp_i;
  always_ff @(posedge clk_i) begin
    if (rst_i) swap_q <= '0;
    else if (load_o && swap_start) swap_q <= SwapBits'(2 * Group - 1);
    else if (load_o && swap_q != '0) swap_q <= swap_q - 1'b1;
  end
  assign rd_o = swap_start || swap_q > SwapBits'(Group) ? rd_q + PtrBits'(Group) :
                swap_q != '0 ? rd_q - PtrBits'(Group) : rd_q;
`else
  assign rd_o = rd_q;
`endif

  `ASSERT(CountInRange_A, count_q <= (PtrBits + 1)'(Depth))
endmodule
`default_nettype wire
