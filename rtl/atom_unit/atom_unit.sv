// SPDX-License-Identifier: Apache-2.0
// atom_unit: loads, stores and atomics of global and generic memory.
//
//   beats ─► sector_gather ─► sector_ids ◄─► memory           a slot for each request in the unit, an id for each sector
//               │ operands        │ ▲
//               ▼                 ▼ │
//            sector_pass (operands, P, X: sector_alu) ─► sector_reply ─► response
//
// Sectors of a request are taken in the order of lowest lanes, before all sectors of the next request. An access to a
// sector in flight waits until the sector has committed. So accesses of one word take effect in lane order,
// instructions in the order of arrival, and all else overlaps. sector_ids says where a sector commits.
//
// Each beat of a generic request passes the lanes in shared memory to atoms_pipe, as a separate request (share_*). So
// these lanes keep their place among all other accesses to shared memory. Sectors of the request wait until the
// separate request is done.
`include "wl_units.vh"
`default_nettype none

module atom_unit #(
  parameter int Lanes    = 32,                   // 4, 8, 16, 32: of a beat
  parameter int Ports    = 1,
  parameter int Slots    = 4,                    // requests in the unit; a power of two, 2 or more, not below Ports
  parameter int Ids      = 8,                    // sectors in flight; a power of two from 2 to 256; above 16 sectors queue by address
  parameter int FpStages = 1,                    // 1: a float a cycle on one word; 2: every other cycle, for a faster clock
  parameter int Combine  = 0,                    // words of a pass that take all lanes of stores and integers: 0, 1, 2
  parameter bit Trace    = 1'b1,
  parameter bit Cluster  = 1'b0,                 // shared memory of other CTAs of the cluster is named
  parameter int PortBits = Ports > 1 ? $clog2(Ports) : 1,      // derived, do not override, like all below
  parameter int BeatBits = Lanes < 32 ? $clog2(32 / Lanes) : 1,
  parameter int RspBits  = 30 + Lanes * 8,
  parameter int SlotBits = $clog2(Slots),
  parameter int MemIdBits = Ids > 16 ? $clog2(Ids) : 4
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic [31:0]          shared_window_i,  // high halves of generic addresses in shared ...
  input  logic [31:0]          local_window_i,   // ... and local memory

  // beat bus
  input  logic                 beat_valid_i,     // of a request of this unit
  output logic                 beat_ready_o,
  output logic [Ports-1:0]     port_open_o,      // a request of this port would be taken
  input  logic [PortBits-1:0]  beat_port_i,
  input  logic [21:0]          beat_tag_i,
  input  logic [4:0]           beat_kind_i,
  input  logic [31:0]          beat_ctl_i,
  input  logic [6:0]           beat_flags_i,
  input  logic [63:0]          beat_base_i,
  input  logic [63:0]          beat_policy_i,    // of the L2, where the word names a policy
  input  logic [BeatBits-1:0]  beat_index_i,
  input  logic                 beat_last_i,
  input  logic [Lanes-1:0]     beat_mask_i,
  input  logic [Lanes*64-1:0]  beat_ra_i,
  input  logic [Lanes*128-1:0] beat_rb_i,
  input  logic [Lanes*128-1:0] beat_rc_i,
  output logic                 done_valid_o,     // a request has committed wholly
  output logic [5:0]           done_warp_o,

  // atoms_pipe: this beat's lanes in shared memory; all further fields are on the beat bus
  output logic                 share_valid_o,
  input  logic                 share_ready_i,    // does not depend on the beat
  output logic [SlotBits-1:0]  share_slot_o,
  output logic [4:0]           share_kind_o,     // WL_ATOMS_PIPE_*
  output logic [31:0]          share_ctl_o,      // WL_ATOMS_PIPE_CTL_*
  output logic [Lanes-1:0]     share_mask_o,
  output logic [Lanes*128-1:0] share_rb_o,       // compare-and-swap below 128 bits: {Rc (64), Rb (64)}
  input  logic                 several_i,        // the beat's cluster has several CTAs; rank_i: rank of the own CTA
  input  logic [3:0]           rank_i,
  // ... and the answers of atoms_pipe: a beat begins, with lanes beyond the window,
  input  logic                 share_begin_i,
  input  logic [SlotBits-1:0]  share_begin_slot_i,
  input  logic [BeatBits-1:0]  share_begin_index_i,
  input  logic [Lanes-1:0]     share_outside_i,
  input  logic [Lanes-1:0]     share_absent_i,   // ... with a rank outside the cluster; in a CTA that has ended
  input  logic [Lanes-1:0]     share_ended_i,
  // a pass has committed: a counted pass; the last pass of the request; results of lanes
  input  logic                 share_pass_i,
  input  logic                 share_end_i,
  input  logic [SlotBits-1:0]  share_pass_slot_i,
  input  logic [BeatBits-1:0]  share_pass_index_i,
  input  logic [Lanes-1:0]     share_we_i,
  input  logic [Lanes*128-1:0] share_data_i,

  // responses
  output logic                 rsp_valid_o,
  input  logic                 rsp_take_i,
  output logic [PortBits-1:0]  rsp_port_o,
  output logic [RspBits-1:0]   rsp_o,
  output logic [Lanes*128-1:0] rsp_data_o,

  // memory: as the ports of sync_core
  output logic                 mem_req_valid_o,
  input  logic                 mem_req_ready_i,
  output logic [MemIdBits-1:0] mem_req_id_o,
  output logic                 mem_req_write_o,
  output logic                 mem_req_cond_o,
  output logic [42:0]          mem_req_addr_o,
  output logic [31:0]          mem_req_mask_o,
  output logic [255:0]         mem_req_data_o,
  output logic [63:0]          mem_req_policy_o,
  output logic                 mem_req_policy_valid_o,
  input  logic                 mem_rsp_valid_i,
  input  logic [MemIdBits-1:0] mem_rsp_id_i,
  input  logic                 mem_rsp_ok_i,
  input  logic [1:0]           mem_rsp_halves_i,
  input  logic [255:0]         mem_rsp_data_i,
  output logic                 idle_o,

  // trace
  output logic                 trace_fault_valid_o,
  output logic [21:0]          trace_fault_tag_o,
  output logic [95:0]          trace_fault_lanes_o,
  output logic                 trace_range_valid_o,
  output logic [21:0]          trace_range_tag_o,
  output logic [31:0]          trace_range_lanes_o,
  output logic                 trace_commit_valid_o,
  output logic [21:0]          trace_commit_tag_o,
  output logic [31:0]          trace_commit_lanes_o,
  output logic [31:0]          trace_commit_addr_lo_o,
  output logic [15:0]          trace_commit_addr_hi_o,
  output logic [31:0]          trace_commit_bytes_written_o,
  output logic                 trace_commit_has_old_o,
  output logic                 trace_commit_has_policy_o,
  output logic [31:0]          trace_commit_policy_lo_o,
  output logic [31:0]          trace_commit_policy_hi_o,
  output logic [255:0]         trace_commit_old_o,
  output logic [255:0]         trace_commit_now_o
);
  localparam int IdBits   = $clog2(Ids);
  localparam int CtlBits  = 15;
  localparam int HeadBits = 22 + CtlBits + 2;

  if (Slots < 2 || Slots < Ports || (Slots & (Slots - 1)) != 0) begin : gen_bad_slots
    slots_must_be_a_power_of_two_of_2_or_more_and_not_below_ports u_bad ();
  end

  // ---- fields of the word --------------------------------------------------------------------------------------
  logic               load, store, cas, cast, generic, atomic, rd_used, pd_used;
  logic [3:0]         op;
  logic [2:0]         size, kind_type;
  logic [CtlBits-1:0] ctl;

  assign op        = beat_ctl_i[`WL_ATOM_UNIT_CTL_OP];
  assign kind_type = beat_ctl_i[`WL_ATOM_UNIT_CTL_TYPE];
  assign size      = beat_ctl_i[`WL_ATOM_UNIT_CTL_SIZE];
  assign rd_used   = beat_ctl_i[`WL_ATOM_UNIT_CTL_RD_USED];
  assign pd_used   = beat_ctl_i[`WL_ATOM_UNIT_CTL_PD_USED];
  assign load      = beat_kind_i == `WL_ATOM_UNIT_LDG || beat_kind_i == `WL_ATOM_UNIT_LD;
  assign store     = beat_kind_i == `WL_ATOM_UNIT_STG || beat_kind_i == `WL_ATOM_UNIT_ST;
  assign cast      = beat_kind_i == `WL_ATOM_UNIT_ATOM_CAST;
  assign cas       = cast || beat_kind_i == `WL_ATOM_UNIT_ATOMG_CAS || beat_kind_i == `WL_ATOM_UNIT_ATOM_CAS;
  assign atomic    = cas || beat_kind_i == `WL_ATOM_UNIT_ATOM;
  assign generic   = atomic && beat_kind_i != `WL_ATOM_UNIT_ATOMG_CAS || beat_kind_i == `WL_ATOM_UNIT_LD ||
                     beat_kind_i == `WL_ATOM_UNIT_ST;
  assign ctl       = {load, store, cas, cast, beat_ctl_i[`WL_ATOM_UNIT_CTL_SIGNED], size, kind_type, op};

  // ---- slots -----------------------------------------------------------------------------------------------------
  logic [Slots-1:0]          busy_q, taken_q, done_q, sent_q, active, complete, gone;  // sectors taken; scoreboard told; in reply
  logic [Slots-1:0]          share_q;            // atoms_pipe still has lanes
  logic [HeadBits-1:0]       head [0:Slots-1];   // {tag, ctl, result, predicate}
  logic [5*32-1:0]           offset [0:Slots-1];
  logic [64:0]               policy [0:Slots-1]; // {valid, policy}
  logic [Slots*32-1:0]       mask_q, misaligned_q, bad_q, refused_q, range_q, shared_q;
  logic [Slots*32-1:0]       absent_q, ended_q;  // of range_q: rank outside the cluster; CTA that has ended
  logic [Slots-1:0]          illegal_q;
  logic [Slots*6-1:0]        passes_q;
  logic [Ports-1:0]          has_slot;
  logic [Ports*SlotBits-1:0] free_slot;
  logic [SlotBits-1:0]       slot, slot_q;
  logic                      first, take, gather_ready, gather_open;

  always_comb begin
    has_slot  = '0;
    free_slot = '0;
    if (busy_q != '1) begin
      for (int s = Slots - 1; s >= 0; s--) begin
        if (!busy_q[s]) begin
          has_slot[s % Ports] = 1'b1;
          free_slot[(s % Ports)*SlotBits +: SlotBits] = s[SlotBits-1:0];
        end
      end
    end
  end
  // Every generic beat waits for atoms_pipe, even without lanes in shared memory: addresses come late in the cycle.
  assign port_open_o  = gather_open ? has_slot : '0;
  assign first        = Lanes == 32 || beat_index_i == '0;
  assign slot         = first ? free_slot[beat_port_i*SlotBits +: SlotBits] : slot_q;
  assign beat_ready_o = gather_ready && (!first || has_slot[beat_port_i]) && (!generic || share_ready_i);
  assign take         = beat_valid_i && beat_ready_o;

  // ---- lanes in shared memory ------------------------------------------------------------------------------------
  logic             served, others, shares, share_any_q, any;   // served by shared memory; this, an earlier beat shares
  logic [Lanes-1:0] share_mask;

  assign served = load || store || cas || op == 4'd8 || (kind_type == '0 && size == 3'd2);
  // 64-bit integers, sums of pairs of f16 and bf16.
  assign others = Cluster && beat_kind_i == `WL_ATOM_UNIT_ATOM && !served &&
                  (kind_type == '0 ? size == 3'd3 : size == 3'd2 && op == '0 && (kind_type == 3'd2 || kind_type == 3'd5));
  assign any    = Lanes < 32 && !first && share_any_q;
  assign shares = generic && (share_mask != '0 || (any && beat_last_i));
  always_ff @(posedge clk_i) if (take) share_any_q <= any || shares;

  always_comb begin
    share_kind_o = `WL_ATOMS_PIPE_ATOMS;
    if (load) share_kind_o = `WL_ATOMS_PIPE_LDS;
    if (store) share_kind_o = `WL_ATOMS_PIPE_STS;
    if (cas) share_kind_o = cast ? `WL_ATOMS_PIPE_ATOMS_CAST : `WL_ATOMS_PIPE_ATOMS_CAS;
    if (others) share_kind_o = `WL_ATOMS_PIPE_ATOMSN;
    share_ctl_o = '0;
    share_ctl_o[`WL_ATOMS_PIPE_CTL_TYPE]    = others ? kind_type : '0;
    share_ctl_o[`WL_ATOMS_PIPE_CTL_OP]      = op;
    share_ctl_o[`WL_ATOMS_PIPE_CTL_SIGNED]  = beat_ctl_i[`WL_ATOM_UNIT_CTL_SIGNED];
    share_ctl_o[`WL_ATOMS_PIPE_CTL_SIZE]    = size;
    share_ctl_o[`WL_ATOMS_PIPE_CTL_RD_USED] = rd_used && !store;
    share_ctl_o[`WL_ATOMS_PIPE_CTL_SPIN]    = beat_ctl_i[`WL_ATOM_UNIT_CTL_SPIN];
  end
  always_comb begin
    share_rb_o = 'x;
    if (beat_valid_i && generic) begin
      share_rb_o = beat_rb_i;
      if (cas && size != 3'd4) begin
        for (int l = 0; l < Lanes; l++) share_rb_o[l*128 + 64 +: 64] = beat_rc_i[l*128 +: 64];
      end
    end
  end
  assign share_valid_o = beat_valid_i && shares && gather_ready && (!first || has_slot[beat_port_i]);
  assign share_slot_o  = slot;
  assign share_mask_o  = share_mask;

  // ---- gather ----------------------------------------------------------------------------------------------------
  logic                judge, taken, illegal, sector_valid, sector_ready;
  logic [SlotBits-1:0] gather_slot;
  logic [31:0]         g_mask, g_misaligned, g_bad, g_refused, g_shared, sector_lanes;
  logic [5*32-1:0]     g_offset;
  logic [58:0]         sector;
  logic                fault;

  sector_gather #(.Lanes(Lanes), .SlotBits(SlotBits)) u_gather (
    .clk_i, .rst_i, .shared_window_i, .local_window_i,
    .beat_valid_i(beat_valid_i && (!first || has_slot[beat_port_i])), .beat_ready_o(gather_ready),
    .beat_go_i(!generic || share_ready_i), .open_o(gather_open), .beat_last_i, .index_i(beat_index_i), .slot_i(slot),
    .mask_i(beat_mask_i), .ra_i(beat_ra_i), .base_i(beat_base_i), .ra_used_i(beat_flags_i[`WL_FLAG_RA]),
    .ra_wide_i(beat_ctl_i[`WL_ATOM_UNIT_CTL_WIDE] && !beat_ctl_i[`WL_ATOM_UNIT_CTL_NARROW]), .size_i(size),
    .generic_i(generic), .local_refused_i(atomic && pd_used), .shared_served_i(served),
    .shared_refused_i(atomic && pd_used && !served), .others_serve_i(others), .several_i, .rank_i,
    .illegal_i(beat_flags_i[`WL_FLAG_ILLEGAL]), .shared_o(share_mask),
    .fault_o(fault), .fault_misaligned_o(trace_fault_lanes_o[0 +: 32]), .fault_bad_space_o(trace_fault_lanes_o[32 +: 32]),
    .fault_illegal_o(trace_fault_lanes_o[64 +: 32]), .judge_o(judge), .slot_o(gather_slot), .done_o(taken), .mask_o(g_mask),
    .misaligned_o(g_misaligned), .bad_space_o(g_bad), .refused_o(g_refused), .in_shared_o(g_shared), .illegal_o(illegal),
    .offset_o(g_offset), .wait_i(share_q[gather_slot]), .sector_valid_o(sector_valid), .sector_ready_i(sector_ready), .sector_o(sector), .lanes_o(sector_lanes)
  );

  // ---- sectors under way, passes ---------------------------------------------------------------------------------
  logic                run_valid, run_ready, run_again, pass, last, range, commit, pass_idle;
  logic [IdBits-1:0]   run_id, pass_id;
  logic [SlotBits-1:0] run_slot, pass_slot, range_slot, commit_slot, req_slot;
  logic [31:0]         run_lanes, pass_mask, range_lanes, result_we;
  logic [255:0]        pass_old, pass_new;
  logic [32*128-1:0]   result;
  logic [HeadBits-1:0] gather_head, run_head;
  logic [42:0]         commit_sector;

  assign gather_head = head[gather_slot];
  assign run_head    = head[run_slot];

  sector_ids #(.Ids(Ids), .SlotBits(SlotBits)) u_ids (
    .clk_i, .rst_i, .sector_valid_i(sector_valid), .sector_ready_o(sector_ready), .sector_i(sector),
    .sector_slot_i(gather_slot), .sector_lanes_i(sector_lanes), .sector_upper_i(g_offset[4*32 +: 32]),
    .sector_load_i(gather_head[2 + CtlBits - 1]), .sector_store_i(gather_head[2 + CtlBits - 2]),
    .req_valid_o(mem_req_valid_o), .req_ready_i(mem_req_ready_i), .req_id_o(mem_req_id_o), .req_write_o(mem_req_write_o),
    .req_cond_o(mem_req_cond_o), .req_addr_o(mem_req_addr_o), .req_mask_o(mem_req_mask_o), .req_data_o(mem_req_data_o),
    .req_slot_o(req_slot),
    .rsp_valid_i(mem_rsp_valid_i), .rsp_id_i(mem_rsp_id_i), .rsp_ok_i(mem_rsp_ok_i), .rsp_halves_i(mem_rsp_halves_i),
    .rsp_data_i(mem_rsp_data_i), .run_valid_o(run_valid), .run_ready_i(run_ready), .run_id_o(run_id), .run_slot_o(run_slot),
    .run_lanes_o(run_lanes), .run_again_o(run_again), .pass_id_i(pass_id), .old_o(pass_old), .last_i(last),
    .mask_i(pass_mask), .new_i(pass_new), .active_o(active), .range_o(range), .range_slot_o(range_slot),
    .range_lanes_o(range_lanes), .commit_o(commit), .commit_slot_o(commit_slot), .commit_lanes_o(trace_commit_lanes_o),
    .commit_sector_o(commit_sector), .commit_mask_o(trace_commit_bytes_written_o), .commit_has_old_o(trace_commit_has_old_o),
    .commit_old_o(trace_commit_old_o), .commit_new_o(trace_commit_now_o)
  );

  sector_pass #(
    .Lanes(Lanes), .SlotBits(SlotBits), .IdBits(IdBits), .CtlBits(CtlBits), .FpStages(FpStages), .Combine(Combine)
  ) u_pass (
    .clk_i, .rst_i, .beat_we_i(take), .beat_slot_i(slot), .beat_index_i, .beat_b_i(beat_rb_i), .beat_c_i(beat_rc_i),
    .run_valid_i(run_valid), .run_ready_o(run_ready), .run_id_i(run_id), .run_slot_i(run_slot), .run_lanes_i(run_lanes),
    .run_again_i(run_again), .run_ctl_i(run_head[2 +: CtlBits]), .run_offset_i(offset[run_slot]), .id_o(pass_id),
    .old_i(pass_old), .pass_o(pass), .slot_o(pass_slot), .last_o(last), .mask_o(pass_mask), .new_o(pass_new),
    .result_we_o(result_we), .result_o(result), .idle_o(pass_idle)
  );

  assign {mem_req_policy_valid_o, mem_req_policy_o} = policy[req_slot];

  // ---- done ------------------------------------------------------------------------------------------------------
  logic [SlotBits-1:0] done_slot, reply_slot;
  logic                reply;
  logic [HeadBits-1:0] reply_head, done_head;
  logic [31:0]         lanes_served;

  assign complete     = busy_q & taken_q & ~active & ~done_q & ~share_q;
  assign done_valid_o = complete != '0;
  always_comb begin
    done_slot = '0;
    if (complete != '0) for (int s = Slots - 1; s >= 0; s--) if (complete[s]) done_slot = s[SlotBits-1:0];
  end
  assign done_head    = head[done_slot];
  assign done_warp_o  = done_head[HeadBits-1 -: 6];
  assign reply_head   = head[reply_slot];
  assign lanes_served = illegal_q[reply_slot] ? '0 :
                       mask_q[reply_slot*32 +: 32] & ~misaligned_q[reply_slot*32 +: 32] & ~bad_q[reply_slot*32 +: 32] &
                       ~refused_q[reply_slot*32 +: 32] & ~range_q[reply_slot*32 +: 32];

  sector_reply #(.Lanes(Lanes), .Ports(Ports), .SlotBits(SlotBits)) u_reply (
    .clk_i, .rst_i, .share_we_i, .share_slot_i(share_pass_slot_i), .share_index_i(share_pass_index_i), .share_data_i,
    .result_we_i(result_we), .result_slot_i(pass_slot), .result_i(result), .done_i(done_q & ~sent_q),
    .take_o(reply), .slot_o(reply_slot), .tag_i(reply_head[HeadBits-1 -: 22]), .passes_i(passes_q[reply_slot*6 +: 6]),
    .written_i(reply_head[1] ? lanes_served : '0), .pred_i(reply_head[0] ? lanes_served : '0),
    .misaligned_i(misaligned_q[reply_slot*32 +: 32]), .bad_space_i(bad_q[reply_slot*32 +: 32]),
    .illegal_i(illegal_q[reply_slot] ? mask_q[reply_slot*32 +: 32] : '0), .range_i(range_q[reply_slot*32 +: 32]),
    .absent_i(absent_q[reply_slot*32 +: 32]), .ended_i(ended_q[reply_slot*32 +: 32]),
    .shared_i(shared_q[reply_slot*32 +: 32]), .gone_o(gone), .rsp_valid_o, .rsp_take_i, .rsp_port_o, .rsp_o, .rsp_data_o
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      busy_q  <= '0;
    end else begin
      if (take && first) busy_q[slot] <= 1'b1;
      for (int s = 0; s < Slots; s++) if (gone[s]) busy_q[s] <= 1'b0;
    end
  end

  logic [31:0] outside, absent, ended;
  logic [4:0]  outside_at;
  assign outside_at = Lanes < 32 ? 5'(share_begin_index_i) << $clog2(Lanes) : '0;
  assign outside    = (32'(share_outside_i) << outside_at) | absent | ended;
  assign absent     = 32'(share_absent_i) << outside_at;
  assign ended      = 32'(share_ended_i) << outside_at;
  always_ff @(posedge clk_i) begin
    if (take && shares) share_q[slot] <= 1'b1;
    else if (take && first) share_q[slot] <= 1'b0;
    if (share_end_i) share_q[share_pass_slot_i] <= 1'b0;
    if (take && first) begin
      head[slot]             <= {beat_tag_i, ctl, rd_used, pd_used};
      policy[slot]           <= {beat_ctl_i[`WL_ATOM_UNIT_CTL_POLICY], beat_policy_i & {64{beat_ctl_i[`WL_ATOM_UNIT_CTL_POLICY]}}};
      slot_q                 <= slot;
      passes_q[slot*6 +: 6]  <= '0;
      range_q[slot*32 +: 32] <= '0;
      absent_q[slot*32 +: 32] <= '0;
      ended_q[slot*32 +: 32]  <= '0;
      taken_q[slot]          <= 1'b0;
      done_q[slot]           <= 1'b0;
      sent_q[slot]           <= 1'b0;
    end
    if (judge) begin
      offset[gather_slot]                <= g_offset;
      mask_q[gather_slot*32 +: 32]       <= g_mask;
      misaligned_q[gather_slot*32 +: 32] <= g_misaligned;
      bad_q[gather_slot*32 +: 32]        <= g_bad;
      refused_q[gather_slot*32 +: 32]    <= g_refused;
      shared_q[gather_slot*32 +: 32]     <= g_shared;
      illegal_q[gather_slot]             <= illegal;
    end
    if (taken) taken_q[gather_slot] <= 1'b1;
    if (pass) passes_q[pass_slot*6 +: 6] <= passes_q[pass_slot*6 +: 6] + 1'b1;
    if (range) range_q[range_slot*32 +: 32] <= range_q[range_slot*32 +: 32] | range_lanes;
    if (share_pass_i) passes_q[share_pass_slot_i*6 +: 6] <= passes_q[share_pass_slot_i*6 +: 6] + 1'b1;
    if (share_begin_i) begin
      range_q[share_begin_slot_i*32 +: 32]  <= range_q[share_begin_slot_i*32 +: 32] | outside;
      absent_q[share_begin_slot_i*32 +: 32] <= absent_q[share_begin_slot_i*32 +: 32] | absent;
      ended_q[share_begin_slot_i*32 +: 32]  <= ended_q[share_begin_slot_i*32 +: 32] | ended;
    end
    if (done_valid_o) done_q[done_slot] <= 1'b1;
    if (reply) sent_q[reply_slot] <= 1'b1;
    if (rst_i) done_q <= '0;                     // else a response waiting for its port would leave after the reset
  end
  assign idle_o = busy_q == '0;

  // ---- trace -----------------------------------------------------------------------------------------------------
  logic [HeadBits-1:0] range_head, commit_head;
  assign range_head             = head[range_slot];
  assign commit_head            = head[commit_slot];
  assign trace_fault_valid_o    = Trace && fault;
  assign trace_fault_tag_o      = gather_head[HeadBits-1 -: 22];
  assign trace_range_valid_o    = Trace && range;
  assign trace_range_tag_o      = range_head[HeadBits-1 -: 22];
  assign trace_range_lanes_o    = range_lanes;
  assign trace_commit_valid_o   = Trace && commit;
  assign trace_commit_tag_o     = commit_head[HeadBits-1 -: 22];
  assign {trace_commit_has_policy_o, trace_commit_policy_hi_o, trace_commit_policy_lo_o} = policy[commit_slot];
  assign trace_commit_addr_lo_o = {commit_sector[26:0], 5'd0};
  assign trace_commit_addr_hi_o = commit_sector[42:27];

  logic unused;
  assign unused = ^{beat_ctl_i, beat_flags_i, gather_head, run_head, reply_head, done_head, pass_idle, active, range_head, commit_head};
endmodule
`default_nettype wire
