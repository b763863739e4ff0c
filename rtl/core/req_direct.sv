// SPDX-License-Identifier: Apache-2.0
// A request port without a queue, for boards: the work of req_queue, but no operands are kept. The header is decoded
// into registers. The beats stand on the port, and on the beat bus, until a unit takes the beats.
//
// So the handshake of a beat is the handshake of the unit. For a single port, and for a source with the whole request
// at hand when the first beat is offered: a begun request must not wait for the source.
`include "assert.vh"
`default_nettype none

module req_direct #(
  parameter int Lanes    = 32,                               // 4, 8, 16, 32; all as in req_queue
  parameter int Arch     = 75,
  parameter int Units    = -1,
  parameter int CtlBits  = 13,
  parameter bit Full     = 1'b0,
  parameter bit Wide     = 1'b0,
  parameter int UrBits   = 1,
  parameter int LiveBits = 1,
  parameter int Beats    = 32 / Lanes,                       // derived, do not override, like all below
  parameter int BeatBits = Beats > 1 ? $clog2(Beats) : 1,
  parameter int RaBits   = Full ? 64 : 32,
  parameter int RcBits   = Full || Wide ? 128 : 1
) (
  input  logic                    clk_i,
  input  logic                    rst_i,

  // request port
  input  logic [7:0]              arch_i,
  input  logic                    req_valid_i,
  output logic                    req_ready_o,
  input  logic [21:0]             req_tag_i,
  input  logic [127:0]            req_word_i,
  input  logic [31:0]             req_mask_i,
  input  logic [31:0]             req_pred_i,
  input  logic [3:0]              req_slot_i,
  input  logic [63:0]             req_ur_i,
  input  logic [LiveBits-1:0]     live_i,
  input  logic [Lanes*64-1:0]     req_ra_i,
  input  logic [Lanes*128-1:0]    req_rb_i,
  input  logic [Lanes*128-1:0]    req_rc_i,
  output logic                    accept_o,      // first beat of a request taken
  output logic                    begin_o,       // the header of a request is read, before accept_o; its unit:
  output logic [3:0]              begin_unit_o,
  output logic                    begin_header_o,

  // beats
  output logic                    beat_valid_o,
  input  logic                    beat_ready_i,
  output logic [3:0]              unit_o,
  output logic                    header_o,
  output logic [21:0]             tag_o,
  output logic [3:0]              slot_o,
  output logic [4:0]              kind_o,
  output logic [31:0]             ctl_o,
  output logic [6:0]              flags_o,
  output logic [63:0]             base_o,
  output logic [UrBits-1:0]       ur_o,
  output logic [LiveBits-1:0]     live_o,
  output logic [BeatBits-1:0]     beat_index_o,
  output logic                    beat_last_o,
  output logic [31:0]             mask_o,
  output logic [31:0]             pred_o,
  output logic [Lanes*RaBits-1:0] beat_ra_o,
  output logic [Lanes*128-1:0]    beat_rb_o,
  output logic [Lanes*RcBits-1:0] beat_rc_o,

  output logic                    empty_o
);
  localparam int BaseBits = Full ? 64 : 32;
  localparam int LaneBits = Full ? 64 : 32;              // bits of a header by lane: mask, and predicates

  // ---- decode ----------------------------------------------------------------------------------------------
  logic        dec_ra_used, dec_rb_used, dec_rc_used, dec_ur_used, dec_pred_used, dec_waits, dec_posted, dec_packed, dec_illegal;
  logic [4:0]  dec_kind;
  logic [31:0] dec_ctl;
  logic [32:0] dec_imm;
  logic [63:0] base;

  sync_decode #(.Arch(Arch), .Units(Units)) u_decode (
    .arch_i, .word_i(req_word_i), .unit_o(begin_unit_o), .kind_o(dec_kind), .ctl_o(dec_ctl), .imm_o(dec_imm),
    .ra_used_o(dec_ra_used), .rb_used_o(dec_rb_used), .rc_used_o(dec_rc_used), .ur_used_o(dec_ur_used),
    .pred_used_o(dec_pred_used), .header_o(begin_header_o), .waits_o(dec_waits), .posted_o(dec_posted),
    .packed_o(dec_packed), .illegal_o(dec_illegal)
  );
  assign base = {{31{dec_imm[32]}}, dec_imm} + (dec_ur_used ? req_ur_i : 64'd0);

  // ---- the request -----------------------------------------------------------------------------------------
  logic                here_q;                           // the header is in the registers
  logic                packed_q, first, pop;
  logic [BeatBits-1:0] index_q;
  logic [CtlBits-1:0]  ctl_q;
  logic [BaseBits-1:0] base_q;
  logic [LaneBits-1:0] lanes_q;
  logic [LiveBits-1:0] live_q;

  assign begin_o      = req_valid_i && !here_q && !rst_i;
  assign beat_valid_o = req_valid_i && here_q;
  assign pop          = beat_valid_o && beat_ready_i;
  assign req_ready_o  = here_q && beat_ready_i && !rst_i;
  assign first        = index_q == '0;
  assign accept_o     = pop && first && !rst_i;
  assign beat_index_o = index_q;
  assign beat_last_o  = header_o || index_q == BeatBits'(Beats - 1);
  assign empty_o      = !here_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      here_q  <= 1'b0;
      index_q <= '0;
    end else begin
      here_q <= begin_o || (here_q && !(pop && beat_last_o));
      if (pop) index_q <= beat_last_o ? '0 : index_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (begin_o) begin
      {tag_o, slot_o, unit_o, header_o, kind_o} <= {req_tag_i, req_slot_i, begin_unit_o, begin_header_o, dec_kind};
      flags_o  <= {dec_pred_used, dec_rc_used, dec_rb_used, dec_ra_used, dec_posted, dec_waits, dec_illegal};
      ctl_q    <= dec_ctl[CtlBits-1:0];
      base_q   <= base[BaseBits-1:0];
      ur_o     <= req_ur_i[UrBits-1:0];
      packed_q <= dec_packed;
      lanes_q  <= LaneBits'({req_pred_i, req_mask_i});
    end else if (pop) begin
      lanes_q[31:0] <= lanes_q[31:0] >> Lanes;
      if (Full) lanes_q[LaneBits-1 -: 32] <= lanes_q[LaneBits-1 -: 32] >> Lanes;
    end
    if (first) live_q <= live_i;
  end
  assign live_o = first ? live_i : live_q;               // core_requests lets no warp end while a first beat stands
  assign ctl_o  = 32'(ctl_q);
  assign base_o = 64'(base_q);
  assign mask_o = lanes_q[31:0];
  assign pred_o = Full ? lanes_q[LaneBits-1 -: 32] : '0;

  // ---- operands --------------------------------------------------------------------------------------------
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    assign beat_ra_o[l*RaBits +: RaBits] = req_ra_i[l*64 +: RaBits];
    assign beat_rb_o[l*128 +: 128]       = {packed_q ? req_rc_i[l*128 +: 64] : req_rb_i[l*128 + 64 +: 64], req_rb_i[l*128 +: 64]};
  end
  if (Full || Wide) assign beat_rc_o = req_rc_i;
  else assign beat_rc_o = '0;
  logic unused;
  assign unused = ^{req_ra_i, req_rc_i, dec_ctl, base, req_pred_i};
endmodule
`default_nettype wire
