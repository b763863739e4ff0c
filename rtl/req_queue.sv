// SPDX-License-Identifier: Apache-2.0
// One request port: decodes the word with the first beat, drops the operands that the instruction does not use, and
// queues the beats. Every queued beat stands alone: it carries what it needs of the header.
//
// Of Ra only the low 32 bits count (the address is a 32-bit sum). A store takes 128 bits of Rb, an atomic at most 64
// of Rb, compare-and-swap 64 of Rb (low half of the lane's 128) and 64 of Rc (high half).
`include "planted.vh"
`default_nettype none

module req_queue #(
  parameter int Lanes    = 32,                               // 4, 8, 16, 32
  parameter int Depth    = 8,                                // beats; a power of two, 2 or more
  parameter int Arch     = 75,                               // encodings; 0: arch_i says which
  parameter int Beats    = 32 / Lanes,                       // derived, do not override
  parameter int BeatBits = Beats > 1 ? $clog2(Beats) : 1,    // derived, do not override
  parameter int OpBits   = 15                                // derived, do not override
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
`ifdef WL_PLANTED
  input  logic [7:0]           bug_i,
`endif

  // request port
  input  logic [7:0]           arch_i,        // of the word, read with the first beat
  input  logic                 req_valid_i,
  output logic                 req_ready_o,
  input  logic [21:0]          req_tag_i,
  input  logic [127:0]         req_word_i,
  input  logic [31:0]          req_mask_i,
  input  logic [3:0]           req_slot_i,
  input  logic [31:0]          req_ur_i,
  input  logic [Lanes*64-1:0]  req_ra_i,
  input  logic [Lanes*128-1:0] req_rb_i,
  input  logic [Lanes*128-1:0] req_rc_i,
  output logic                 accept_o,      // first beat of a request taken

  // beats
  output logic                 beat_valid_o,
  input  logic                 beat_ready_i,
  output logic [21:0]          beat_tag_o,
  output logic [3:0]           beat_slot_o,
  output logic [31:0]          beat_offset_o, // uniform register plus extended offset
  output logic [OpBits-1:0]    beat_op_o,     // {illegal, rd_used, ra_used, scale, size, spin, signed, op} of below
  output logic [2:0]           beat_kind_o,
  output logic [BeatBits-1:0]  beat_index_o,
  output logic                 beat_last_o,
  output logic [Lanes-1:0]     beat_mask_o,   // active lanes of this beat
  output logic [Lanes*32-1:0]  beat_ra_o,
  output logic [Lanes*128-1:0] beat_data_o,

  output logic                 empty_o
);
  localparam int HeadBits = 22 + 4 + 32 + OpBits + 3;
  localparam int PtrBits  = $clog2(Depth);
  localparam logic [2:0] KindCas = 3'd3, KindCast = 3'd4;

  // ---- decode ----------------------------------------------------------------------------------------------
  logic        known, spin, sgn, ra_used, ur_used, rd_used, illegal;
  logic [2:0]  kind, size, scale;
  logic [3:0]  op;
  logic [23:0] offset;
  logic [31:0] sum;

  sync_decode #(.Arch(Arch)) u_decode (
    .arch_i, .word_i(req_word_i), .known_o(known), .kind_o(kind), .spin_o(spin), .op_o(op), .signed_o(sgn), .size_o(size),
    .scale_o(scale), .ra_used_o(ra_used), .ur_used_o(ur_used), .rd_used_o(rd_used), .offset_o(offset),
    .illegal_o(illegal)
  );

  // An absolute address is the offset itself; otherwise the offset is a distance and has a sign.
  assign sum = {{8{offset[23] && (ra_used || ur_used)}}, offset} + (ur_used ? req_ur_i : 32'd0);

  // ---- header of the request -------------------------------------------------------------------------------
  logic [BeatBits-1:0] index_q;
  logic                first, last, push;
  logic [HeadBits-1:0] head_in, head_q, head;
  logic [31:0]         mask_q, mask;   // bits of the beats to come, lowest beat first

  assign first    = index_q == '0;
  assign last     = index_q == BeatBits'(Beats - 1);
  assign accept_o = push && first;
  assign head_in  = {req_slot_i, sum, illegal || !known, rd_used, ra_used, scale, size, spin, sgn, op, kind, req_tag_i};
  assign head     = first ? head_in : head_q;
  assign mask     = first ? req_mask_i : mask_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) index_q <= '0;
    else if (push) index_q <= last ? '0 : index_q + 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (push) begin
      head_q <= head;
      mask_q <= mask >> Lanes;
    end
  end

  // ---- queue -----------------------------------------------------------------------------------------------
  logic                load, compare;
  logic [PtrBits-1:0]  wr, rd;
  logic [HeadBits-1:0] out_head;
  logic                unused_operands;
  logic [Lanes+BeatBits+HeadBits:0] heads [0:Depth-1];   // {mask, last, index, head} of each beat
`ifdef WL_PLANTED
  logic [PtrBits-1:0]  oldest;
`endif

  fifo_control #(.Depth(Depth), .Group(Beats)) u_control (
    .clk_i, .rst_i,
`ifdef WL_PLANTED
    .bug_i, .same_warp_i(heads[oldest][21:16] == heads[oldest + PtrBits'(Beats)][21:16]), .head_o(oldest),
`endif
    .push_valid_i(req_valid_i), .push_ready_o(req_ready_o), .pop_valid_o(beat_valid_o), .pop_ready_i(beat_ready_i),
    .push_o(push), .wr_o(wr), .load_o(load), .rd_o(rd), .empty_o
  );

  always_ff @(posedge clk_i) begin
    if (push) heads[wr] <= {mask[Lanes-1:0], last, index_q, head};
    if (load) {beat_mask_o, beat_last_o, beat_index_o, out_head} <= heads[rd];
  end
  assign {beat_slot_o, beat_offset_o, beat_op_o, beat_kind_o, beat_tag_o} = out_head;

  // A RAM for each lane. The expressions stand in the clocked block, so that a simulator works them out once a push.
  assign compare = head[24:22] == KindCas || head[24:22] == KindCast;
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [31:0]  ra   [0:Depth-1];
    logic [127:0] data [0:Depth-1];
    always_ff @(posedge clk_i) begin
      if (push) begin
        ra[wr]   <= req_ra_i[l*64 +: 32];
        data[wr] <= {compare ? req_rc_i[l*128 +: 64] : req_rb_i[l*128 + 64 +: 64], req_rb_i[l*128 +: 64]};
      end
      if (load) begin
        beat_ra_o[l*32 +: 32]     <= ra[rd];
        beat_data_o[l*128 +: 128] <= data[rd];
      end
    end
  end
  assign unused_operands = ^{req_ra_i, req_rc_i};
endmodule
`default_nettype wire
