// SPDX-License-Identifier: Apache-2.0
// The operands of a barrier instruction, and a warp's contribution to a reduction. Combinational.
`default_nettype none

module barrier_operands (
  input  logic [2:0]  kind_i,       // as barrier_file's
  input  logic [1:0]  form_i,       // {index is in ra, count is in rb}; both: ra = count << 16 | index
  input  logic [3:0]  id_i,
  input  logic [11:0] count_i,
  input  logic [31:0] ra_i,
  input  logic [31:0] rb_i,
  input  logic [31:0] mask_i,       // live lanes
  input  logic [31:0] pred_i,
  output logic [31:0] index_o,
  output logic [31:0] threads_o,    // 0: none given
  output logic [5:0]  votes_o       // POPC: lanes with a yes; AND: 1 if a lane says no; OR: 1 if a lane says yes
);
  localparam logic [2:0] RedPopc = 3'd2, RedAnd = 3'd3, RedOr = 3'd4;

  logic [31:0] yes;
  assign yes = pred_i & mask_i;

  always_comb begin
    case (form_i)
      2'b00:   begin index_o = {28'd0, id_i};       threads_o = {20'd0, count_i}; end
      2'b01:   begin index_o = {28'd0, id_i};       threads_o = rb_i; end
      2'b10:   begin index_o = ra_i;                threads_o = {20'd0, count_i}; end
      default: begin index_o = {16'd0, ra_i[15:0]}; threads_o = {16'd0, ra_i[31:16]}; end
    endcase
    votes_o = 6'd0;
    case (kind_i)
      RedPopc: for (int i = 0; i < 32; i++) votes_o = votes_o + {5'd0, yes[i]};
      RedAnd:  votes_o = {5'd0, yes != mask_i};
      RedOr:   votes_o = {5'd0, yes != '0};
      default: votes_o = 6'd0;
    endcase
  end
endmodule
`default_nettype wire
