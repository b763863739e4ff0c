// SPDX-License-Identifier: Apache-2.0
// A queue in RAM with a registered output: a word pushed in cycle t can be popped in cycle t+2 or later; one push and
// one pop every cycle. Holds Depth words and one more in the output register.
`include "assert.vh"
`include "planted.vh"
`default_nettype none

module beat_fifo #(
  parameter int Width   = 8,
  parameter int Depth   = 8,              // 2 or more, a power of two
  parameter int Group   = 1,              // words of a request: used by a planted bug only
  parameter int PtrBits = $clog2(Depth)   // derived, do not override
) (
  input  logic             clk_i,
  input  logic             rst_i,
`ifdef WL_PLANTED
  input  logic [7:0]       bug_i,
`endif
  input  logic             push_valid_i,
  output logic             push_ready_o,
  input  logic [Width-1:0] push_data_i,   // bits 5:0: the warp

  output logic             pop_valid_o,
  input  logic             pop_ready_i,
  output logic [Width-1:0] pop_data_o,

  output logic             empty_o
);
  if (Group < 1) begin : gen_bad_group
    group_must_be_1_or_more u_bad ();
  end

  logic [Width-1:0]   mem [0:Depth-1];
  logic [Width-1:0]   out_q;
  logic               valid_q;
  logic [PtrBits-1:0] wr_q, rd_q, rd_addr;
  logic [PtrBits:0]   count_q;
  logic               push, load;
`ifdef WL_PLANTED
  localparam int SwapBits = $clog2(2 * Group) + 1;
  logic [SwapBits-1:0] swap_q;
  logic                swap_start;
  logic [5:0]          warp0, warp1;
`endif

`ifdef WL_PLANTED
  assign push_ready_o = count_q != (PtrBits + 1)'(Depth) && !rst_i && swap_q == '0;
`else
  assign push_ready_o = count_q != (PtrBits + 1)'(Depth) && !rst_i;
`endif
  assign push         = push_valid_i && push_ready_o;
  assign load         = count_q != '0 && (!valid_q || pop_ready_i);
  assign pop_valid_o  = valid_q;
  assign pop_data_o   = out_q;
  assign empty_o      = count_q == '0 && !valid_q;

  always_ff @(posedge clk_i) begin
    if (push) mem[wr_q] <= push_data_i;
    if (load) out_q <= mem[rd_addr];
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= 1'b0;
      wr_q    <= '0;
      rd_q    <= '0;
      count_q <= '0;
    end else begin
      valid_q <= load || (valid_q && !pop_ready_i);
      wr_q    <= wr_q + PtrBits'(push);
      rd_q    <= rd_q + PtrBits'(load);
      count_q <= count_q + (PtrBits + 1)'(push) - (PtrBits + 1)'(load);
    end
  end

`ifdef WL_PLANTED
  // Overtaking: when the two requests at the head are of one warp, the second is read first. `swap_q` counts the
  // words of the pair still to be read; the pair starts at a multiple of Group because Depth is one.
  assign warp0      = mem[rd_q][5:0];
  assign warp1      = mem[rd_q + PtrBits'(Group)][5:0];
  assign swap_start = `WL_BUG(`BUG_PROGRAM_ORDER) && swap_q == '0 && count_q >= (PtrBits + 1)'(2 * Group) &&
                      (32'(rd_q) % Group) == 0 && warp0 == warp1;
  always_ff @(posedge clk_i) begin
    if (rst_i) swap_q <= '0;
    else if (load && swap_start) swap_q <= SwapBits'(2 * Group - 1);
    else if (load && swap_q != '0) swap_q <= swap_q - 1'b1;
  end
  assign rd_addr = swap_start || swap_q > SwapBits'(Group) ? rd_q + PtrBits'(Group) :
                   swap_q != '0 ? rd_q - PtrBits'(Group) : rd_q;
`else
  assign rd_addr = rd_q;
`endif

  `ASSERT(CountInRange_A, count_q <= (PtrBits + 1)'(Depth))
endmodule
`default_nettype wire
