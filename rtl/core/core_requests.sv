// SPDX-License-Identifier: Apache-2.0
// The way from the request ports of sync_core to the units: queues, routes, the beat bus, the head buses.
//
// Requests with operands go beat by beat over the beat bus, whole requests in turn. Header-only requests go in
// parallel, at most a request a port and cycle, after the older accesses of the warp have committed. Requests without a
// unit in the build are offered for refusal.
`include "wl_units.vh"
`default_nettype none

module core_requests #(
  parameter int Lanes      = 32,                  // all as in sync_core
  parameter int Ports      = 1,
  parameter int QueueDepth = 8,
  parameter int QueueBeats = 8,                   // 1: no queue, see req_direct
  parameter int Units      = 1,
  parameter int Arch       = 75,
  parameter int Warps      = 48,
  parameter int CtlBits    = 32,                  // kept of a request: bits of the control bundle,
  parameter int UrBits     = 1,                   // ... of a policy of the L2: 64, or 1 without policies,
  parameter int LiveBits   = 1,                   // ... of the CTAs alive at arrival, or 1 without clusters,
  parameter bit Full       = 1'b0,                // for other units than atoms_pipe: high halves of Ra, headers
  parameter bit Wide       = 1'b0,                // Rc
  parameter bit Lean       = 1'b0,                // a taken request leaves a cycle later
  parameter int PortBits   = Ports > 1 ? $clog2(Ports) : 1,             // derived, do not override, like all below
  parameter int BeatBits   = Lanes < 32 ? $clog2(32 / Lanes) : 1,
  parameter int RaBits     = Full ? 64 : 32,
  parameter int RcBits     = Wide ? 128 : 1
) (
  input  logic                       clk_i,
  input  logic                       rst_i,

  // request ports
  input  logic [7:0]                 arch_i,
  input  logic [Ports-1:0]           req_valid_i,
  output logic [Ports-1:0]           req_ready_o,
  input  logic [Ports*22-1:0]        req_tag_i,
  input  logic [Ports*128-1:0]       req_word_i,
  input  logic [Ports*32-1:0]        req_mask_i,
  input  logic [Ports*32-1:0]        req_pred_i,
  input  logic [Ports*4-1:0]         req_slot_i,
  input  logic [Ports*64-1:0]        req_ur_i,
  input  logic [Ports*Lanes*64-1:0]  req_ra_i,
  input  logic [Ports*Lanes*128-1:0] req_rb_i,
  input  logic [Ports*Lanes*128-1:0] req_rc_i,
  input  logic [LiveBits-1:0]        live_i,
  output logic [Ports-1:0]           accept_o,    // the first beat of a request is taken

  // the beat at the front of each port's queue
  output logic [Ports*22-1:0]        front_tag_o,
  output logic [Ports*4-1:0]         front_slot_o,
  output logic [Ports*32-1:0]        front_mask_o,
  output logic [Ports*BeatBits-1:0]  front_index_o,
  output logic [Ports-1:0]           front_last_o,
  output logic [Ports-1:0]           front_header_o,
  input  logic [Ports-1:0]           exit_stay_i, // an EXIT in this beat would leave live lanes: it goes to convergence
  input  logic                       converge_idle_i,                   // convergence is idle: exit_stay_i is stable
  output logic [Ports-1:0]           refuse_valid_o,                    // no unit takes the beat
  input  logic [Ports-1:0]           refuse_ready_i,

  // beat bus; signals from units are indexed by unit number
  input  logic [15:0]                u_beat_ready_i,                    // ready for a beat of the unit's own request
  input  logic [16*Ports-1:0]        u_open_i,    // can begin a request of the port before another request ends
  output logic [15:0]                u_beat_valid_o,                    // a beat for the unit
  output logic                       beat_taken_o,
  output logic [PortBits-1:0]        beat_port_o,
  output logic [3:0]                 beat_unit_o,
  output logic [3:0]                 beat_slot_o,
  output logic [4:0]                 beat_kind_o,
  output logic [6:0]                 beat_flags_o,
  output logic [21:0]                beat_tag_o,
  output logic [31:0]                beat_ctl_o,
  output logic [31:0]                beat_mask_o,
  output logic [31:0]                beat_pred_o,
  output logic [63:0]                beat_base_o,
  output logic [UrBits-1:0]          beat_ur_o,
  output logic [LiveBits-1:0]        beat_live_o,
  output logic [BeatBits-1:0]        beat_index_o,
  output logic                       beat_last_o,
  output logic                       beat_part_o, // an EXIT for convergence
  output logic                       beat_header_o,
  output logic [Lanes*RaBits-1:0]    beat_ra_o,
  output logic [Lanes*128-1:0]       beat_rb_o,
  output logic [Lanes*RcBits-1:0]    beat_rc_o,

  // head buses
  input  logic [15:0]                u_done_valid_i,                    // an operand request of the warp has committed wholly
  input  logic [16*6-1:0]            u_done_warp_i,
  input  logic [16*Ports-1:0]        u_head_ready_i,                    // ready for the unit's own header
  input  logic [16*Ports-1:0]        u_exit_ready_i,                    // ready for the end of a warp
  input  logic [Ports-1:0]           exit_ready_i,                      // room for the answer to the end of a warp
  output logic [16*Ports-1:0]        u_head_valid_o,                    // a header for the unit
  output logic [Ports-1:0]           head_taken_o,
  output logic [Ports-1:0]           head_exit_o, // the end of a warp; all units see the end in the same cycle
  output logic [Ports*22-1:0]        head_tag_o,
  output logic [Ports*4-1:0]         head_slot_o,
  output logic [Ports*5-1:0]         head_kind_o,
  output logic [Ports*7-1:0]         head_flags_o,
  output logic [Ports*32-1:0]        head_ctl_o,
  output logic [Ports*32-1:0]        head_mask_o,
  output logic [Ports*32-1:0]        head_pred_o,
  output logic [Ports*64-1:0]        head_base_o,
  output logic [Ports*64-1:0]        head_ra_o,   // of the lowest active lane, like Rb
  output logic [Ports*64-1:0]        head_rb_o,
  output logic [Warps-1:0]           held_o,      // a header of the warp is held
  output logic                       empty_o      // nothing in the queues
);
  localparam int PortWarps = Warps / Ports;
  localparam int AtBits    = PortWarps > 1 ? $clog2(PortWarps) : 1;
  localparam bit Converge  = ((Units >> `WL_UNIT_CONVERGENCE) & 1) != 0;

  // ---- request queues --------------------------------------------------------------------------------------
  logic [Ports-1:0]              q_valid, q_ready, q_last, q_header, q_empty;
  logic [Ports-1:0]              q_begin, q_begin_header;   // a request's header is read; the request is header-only
  logic [Ports-1:0]              there, gone;     // a beat is at the front of the queue; the beat goes
  logic [Ports*4-1:0]            q_unit, q_slot, q_begin_unit;
  logic [Ports*5-1:0]            q_kind;
  logic [Ports*7-1:0]            q_flags;
  logic [Ports*22-1:0]           q_tag;
  logic [Ports*32-1:0]           q_ctl, q_mask, q_pred;
  logic [Ports*64-1:0]           q_base;
  logic [Ports*UrBits-1:0]       q_ur;
  logic [Ports*LiveBits-1:0]     q_live;
  logic [Ports*BeatBits-1:0]     q_index;
  logic [Ports*Lanes*RaBits-1:0] q_ra;
  logic [Ports*Lanes*128-1:0]    q_rb;
  logic [Ports*Lanes*RcBits-1:0] q_rc;

  for (genvar p = 0; p < Ports; p++) begin : gen_req
    if (QueueBeats == 1) begin : gen_direct
      req_direct #(
        .Lanes(Lanes), .Arch(Arch), .Units(Units), .CtlBits(CtlBits), .Full(Full), .UrBits(UrBits), .LiveBits(LiveBits), .Wide(Wide)
      ) u_direct (
        .accept_o(accept_o[p]), .begin_o(q_begin[p]), .begin_unit_o(q_begin_unit[p*4 +: 4]), .begin_header_o(q_begin_header[p]),
`include "req_pins.vh"
      );
    end else begin : gen_queue
      req_queue #(
        .Lanes(Lanes), .Depth(QueueDepth), .Stored(QueueBeats), .Arch(Arch), .Units(Units), .CtlBits(CtlBits), .Full(Full),
        .UrBits(UrBits), .LiveBits(LiveBits), .Wide(Wide)
      ) u_queue (
        .accept_o(accept_o[p]), .accept_unit_o(q_begin_unit[p*4 +: 4]), .accept_header_o(q_begin_header[p]),
`include "req_pins.vh"
      );
      assign q_begin[p] = accept_o[p];
    end
  end

  assign empty_o        = &q_empty;
  assign front_tag_o    = q_tag;
  assign front_slot_o   = q_slot;
  assign front_mask_o   = q_mask;
  assign front_index_o  = q_index;
  assign front_last_o   = q_last;
  assign front_header_o = q_header;

  // ---- routes ----------------------------------------------------------------------------------------------
  localparam logic [15:0] Taken = 16'(Units) | (16'd1 << `WL_UNIT_SYNC_CORE);

  logic [Ports-1:0] to_beats, to_heads, beats_take, heads_take, counted;

  // Header-only requests of convergence order no accesses, and take the beat bus. An EXIT goes to convergence when
  // lanes of the warp live on.
  logic [Ports-1:0]   is_part, stay;
  logic [Ports*4-1:0] r_unit;

  // Lean cuts two long paths: from a unit's ready to the next beat out of the queue, and from the live lanes to the
  // route of an EXIT. An EXIT first stands for a cycle with convergence idle: the live lanes cannot change in this
  // cycle.
  if (Lean) begin : gen_late
    logic [Ports-1:0] gone_q, stay_q, judged_q, waits;
    always_ff @(posedge clk_i) begin
      gone_q   <= rst_i ? '0 : gone;
      stay_q   <= exit_stay_i;
      judged_q <= rst_i || !converge_idle_i ? '0 : there & ~gone;
    end
    for (genvar p = 0; p < Ports; p++) begin : gen_exit
      assign waits[p] = Converge && q_unit[p*4 +: 4] == `WL_UNIT_SYNC_CORE && !judged_q[p];
    end
    if (QueueBeats > 1) begin : gen_queue
      assign q_valid = there & ~gone_q & ~waits;
      assign q_ready = gone_q;
    end else begin : gen_direct
      assign q_valid = there & ~waits;
      assign q_ready = gone;
      logic unused_gone;
      assign unused_gone = ^gone_q;
    end
    assign stay = stay_q;
  end else begin : gen_at_once
    assign q_valid = there;
    assign q_ready = gone;
    assign stay    = exit_stay_i;
    logic unused_idle;
    assign unused_idle = converge_idle_i;
  end

  for (genvar p = 0; p < Ports; p++) begin : gen_route
    assign is_part[p]         = Converge && q_unit[p*4 +: 4] == `WL_UNIT_SYNC_CORE && stay[p];
    assign r_unit[p*4 +: 4]   = is_part[p] ? `WL_UNIT_CONVERGENCE : q_unit[p*4 +: 4];
    assign refuse_valid_o[p]  = q_valid[p] && !Taken[q_unit[p*4 +: 4]];
    assign to_heads[p]        = q_valid[p] && Taken[q_unit[p*4 +: 4]] && q_header[p] && r_unit[p*4 +: 4] != `WL_UNIT_CONVERGENCE;
    assign to_beats[p]        = q_valid[p] && Taken[q_unit[p*4 +: 4]] && (!q_header[p] || r_unit[p*4 +: 4] == `WL_UNIT_CONVERGENCE);
    assign gone[p]            = beats_take[p] || heads_take[p] || (refuse_valid_o[p] && refuse_ready_i[p]);
    assign counted[p]         = q_begin[p] && Taken[q_begin_unit[p*4 +: 4]] && !q_begin_header[p];
  end

  // ---- beat bus --------------------------------------------------------------------------------------------
  logic beat_valid, beat_ready;

  if (Ports > 1) begin : gen_arbiter
    logic [Ports-1:0] begins;
    for (genvar p = 0; p < Ports; p++) begin : gen_port
      assign begins[p]     = u_open_i[32'(r_unit[p*4 +: 4])*Ports + p];
      assign beats_take[p] = beat_ready && beat_valid && beat_port_o == PortBits'(p);
    end
    port_arbiter #(.Ports(Ports)) u_arbiter (
      .clk_i, .rst_i, .valid_i(to_beats), .begin_i(begins), .last_i(q_last), .taken_i(beat_taken_o),
      .valid_o(beat_valid), .port_o(beat_port_o)
    );
    assign beat_ra_o = q_ra[beat_port_o*(Lanes*RaBits) +: Lanes*RaBits];
    assign beat_rb_o = q_rb[beat_port_o*(Lanes*128) +: Lanes*128];
    assign beat_rc_o = q_rc[beat_port_o*(Lanes*RcBits) +: Lanes*RcBits];
  end else begin : gen_one_port
    logic unused_open;
    assign unused_open   = ^u_open_i;
    assign beat_valid    = to_beats[0];
    assign beat_port_o   = 1'b0;
    assign beats_take[0] = beat_taken_o;
    assign beat_ra_o     = q_ra;
    assign beat_rb_o     = q_rb;
    assign beat_rc_o     = q_rc;
  end
  assign beat_unit_o    = r_unit[beat_port_o*4 +: 4];
  assign beat_ready     = u_beat_ready_i[beat_unit_o];
  assign beat_taken_o   = beat_valid && beat_ready;
  assign u_beat_valid_o = 16'(beat_valid) << beat_unit_o;
  assign beat_tag_o     = q_tag[beat_port_o*22 +: 22];
  assign beat_slot_o    = q_slot[beat_port_o*4 +: 4];
  assign beat_kind_o    = q_kind[beat_port_o*5 +: 5];
  assign beat_flags_o   = q_flags[beat_port_o*7 +: 7];
  assign beat_ctl_o     = q_ctl[beat_port_o*32 +: 32];
  assign beat_base_o    = q_base[beat_port_o*64 +: 64];
  assign beat_live_o    = q_live[beat_port_o*LiveBits +: LiveBits];
  assign beat_ur_o      = q_ur[beat_port_o*UrBits +: UrBits];
  assign beat_index_o   = q_index[beat_port_o*BeatBits +: BeatBits];
  assign beat_last_o    = q_last[beat_port_o];
  assign beat_mask_o    = q_mask[beat_port_o*32 +: 32];
  assign beat_pred_o    = q_pred[beat_port_o*32 +: 32];
  assign beat_part_o    = is_part[beat_port_o];
  assign beat_header_o  = q_header[beat_port_o];

  // ---- head buses ------------------------------------------------------------------------------------------
  // A header is {Rb, Ra of the lowest active lane, predicates, mask, base, ctl, flags, kind, unit, slot, tag}. Where
  // only the end of a warp is header-only, a header is the tag alone.
  localparam int HeadBits = Full ? 64 + 64 + 32 + 32 + 64 + 32 + 7 + 5 + 4 + 4 + 22 : 22;

  logic [Ports-1:0]       head_valid, head_ready, heads_room;
  logic [Ports-1:0]       stands;      // a first beat is judged and not yet taken: no warp may end meanwhile
  logic [Ports*4-1:0]     head_unit;
  logic [Warps-1:0]       busy;

  // The count is a cycle late: this cuts the path from a word through the decoder to the scoreboard. A header of the
  // same warp right behind reads the scoreboard after the count.
  logic [Ports-1:0]    counted_q;
  logic [Ports*22-1:0] counted_tag_q;
  always_ff @(posedge clk_i) begin
    counted_q     <= rst_i ? '0 : counted;
    counted_tag_q <= req_tag_i;
  end
  warp_scoreboard #(.Ports(Ports), .Units(16), .Warps(Warps)) u_scoreboard (
    .clk_i, .rst_i, .accept_i(counted_q), .accept_tag_i(counted_tag_q), .done_i(u_done_valid_i), .done_warp_i(u_done_warp_i),
    .busy_o(busy)
  );

  for (genvar p = 0; p < Ports; p++) begin : gen_head
    logic [HeadBits-1:0]  head_in, head_out;
    logic [PortWarps-1:0] port_busy, port_held;
    for (genvar w = 0; w < PortWarps; w++) begin : gen_warp
      assign port_busy[w]        = busy[w*Ports + p];
      assign held_o[w*Ports + p] = port_held[w];
    end
    if (Full) begin : gen_full
      assign head_in = {q_rb[p*Lanes*128 +: 64], 64'(q_ra[p*Lanes*RaBits +: RaBits]), q_pred[p*32 +: 32],
                        q_mask[p*32 +: 32], q_base[p*64 +: 64], q_ctl[p*32 +: 32], q_flags[p*7 +: 7], q_kind[p*5 +: 5],
                        q_unit[p*4 +: 4], q_slot[p*4 +: 4], q_tag[p*22 +: 22]};
      assign {head_rb_o[p*64 +: 64], head_ra_o[p*64 +: 64], head_pred_o[p*32 +: 32], head_mask_o[p*32 +: 32],
              head_base_o[p*64 +: 64], head_ctl_o[p*32 +: 32], head_flags_o[p*7 +: 7], head_kind_o[p*5 +: 5],
              head_unit[p*4 +: 4], head_slot_o[p*4 +: 4], head_tag_o[p*22 +: 22]} = head_out;
    end else begin : gen_exit_only
      assign head_in              = q_tag[p*22 +: 22];
      assign head_tag_o[p*22 +: 22] = head_out;
      assign head_unit[p*4 +: 4]  = `WL_UNIT_SYNC_CORE;
      assign {head_rb_o[p*64 +: 64], head_ra_o[p*64 +: 64], head_pred_o[p*32 +: 32], head_mask_o[p*32 +: 32],
              head_base_o[p*64 +: 64], head_ctl_o[p*32 +: 32], head_flags_o[p*7 +: 7], head_kind_o[p*5 +: 5],
              head_slot_o[p*4 +: 4]} = '0;
    end
    head_hold #(.Entries(PortWarps), .Bits(HeadBits)) u_hold (
      .clk_i, .rst_i, .push_valid_i(to_heads[p]), .push_ready_o(heads_room[p]),
      .push_at_i(AtBits'(q_tag[p*22 + 16 +: 6] >> $clog2(Ports))), .push_i(head_in), .busy_i(port_busy),
      .head_valid_o(head_there), .head_ready_i(head_leaves), .head_o(head_out), .held_o(port_held)
    );
    logic        head_there, head_leaves;
    logic [15:0] units_ready, exits_ready;
    if (Lean) begin : gen_late
      logic gone_q;
      always_ff @(posedge clk_i) gone_q <= !rst_i && head_valid[p] && head_ready[p];
      assign head_valid[p] = head_there && !gone_q;
      assign head_leaves   = gone_q;
    end else begin : gen_at_once
      assign head_valid[p] = head_there;
      assign head_leaves   = head_ready[p];
    end
    for (genvar u = 0; u < 16; u++) begin : gen_unit
      assign units_ready[u] = u_head_ready_i[u*Ports + p];
      assign exits_ready[u] = u_exit_ready_i[u*Ports + p];
    end
    assign heads_take[p]  = to_heads[p] && heads_room[p];
    assign stands[p]      = QueueBeats == 1 && LiveBits > 1 && there[p] && !q_header[p] && q_index[p*BeatBits +: BeatBits] == '0;
    assign head_exit_o[p] = head_valid[p] && head_unit[p*4 +: 4] == `WL_UNIT_SYNC_CORE && &exits_ready && exit_ready_i[p] && !stands[p];
    assign head_ready[p]  = head_unit[p*4 +: 4] == `WL_UNIT_SYNC_CORE ? head_exit_o[p] : units_ready[head_unit[p*4 +: 4]];
  end
  assign head_taken_o = head_valid & head_ready;
  always_comb begin
    u_head_valid_o = '0;
    for (int p = 0; p < Ports; p++) begin
      if (head_valid[p]) u_head_valid_o[32'(head_unit[p*4 +: 4])*Ports + p] = 1'b1;
    end
  end
endmodule
`default_nettype wire
