// SPDX-License-Identifier: Apache-2.0
// Lean form of atom_unit, for FPGAs: the same contract, ports, lanes, passes, faults and order. The unit holds one
// request, with one sector in flight, and works on one lane a step.
//
//   beats ─► sector_walk ─► sector_trip ◄─► memory           the lanes of a request, its sectors; one sector, there and back
//               │ operands       │ ▲
//               ▼                ▼ │
//            sector_steps (pair_alu: fp_sum) ─► sector_answer ─► response
//
// A beat stays on the beat bus while the lanes are read; the decoded word of the beat stands in registers. Lanes of a
// generic request in shared memory go to atoms_pipe with their beat. The next beat waits until the results of this beat
// are in.
`include "wl_units.vh"
`default_nettype none

module atom_unit_lean #(
  parameter int Lanes    = 32,                   // 4, 8, 16, 32: of a beat
  parameter int SlotBits = 1,                    // of the share_* ports: only slot 0 exists
  parameter bit Trace    = 1'b1,
  parameter bit Cluster  = 1'b0,                 // shared memory of other CTAs of the cluster is named
  parameter int Ports    = 1,                    // fixed at 1, like the next two
  parameter int Slots    = 1,
  parameter int Ids      = 1,
  parameter int PortBits = 1,                    // derived, do not override, like all below
  parameter int BeatBits = Lanes < 32 ? $clog2(32 / Lanes) : 1,
  parameter int RspBits  = 30 + Lanes * 8
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
  input  logic                 share_ready_i,    // takes the shared lanes
  output logic [SlotBits-1:0]  share_slot_o,
  output logic [4:0]           share_kind_o,     // WL_ATOMS_PIPE_*
  output logic [31:0]          share_ctl_o,      // WL_ATOMS_PIPE_CTL_*
  output logic [Lanes-1:0]     share_mask_o,
  output logic [Lanes*128-1:0] share_rb_o,       // compare-and-swap below 128 bits: {Rc (64), Rb (64)}
                                                 // beats of other units: beat_rb_i
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
  output logic [3:0]           mem_req_id_o,
  output logic                 mem_req_write_o,
  output logic                 mem_req_cond_o,
  output logic [42:0]          mem_req_addr_o,
  output logic [31:0]          mem_req_mask_o,
  output logic [255:0]         mem_req_data_o,
  output logic [63:0]          mem_req_policy_o,
  output logic                 mem_req_policy_valid_o,
  input  logic                 mem_rsp_valid_i,
  input  logic [3:0]           mem_rsp_id_i,
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
  localparam int CtlBits = 15;

  if (Ports != 1 || Slots != 1 || Ids != 1) begin : gen_bad_sizes
    atom_unit_lean_has_one_port_slot_and_id u_bad ();
  end

  // ---- the request -----------------------------------------------------------------------------------------------
  logic               busy_q, share_q, rd_q, pd_q;  // a request is in the unit; atoms_pipe still has lanes
  logic [21:0]        tag_q;
  logic [CtlBits-1:0] ctl, ctl_q;
  logic [64:0]        policy_q;                  // {valid, policy}
  logic [5:0]         passes_q;
  logic               first, take, gone, done, rd_used, pd_used;

  assign rd_used      = beat_ctl_i[`WL_ATOM_UNIT_CTL_RD_USED];
  assign pd_used      = beat_ctl_i[`WL_ATOM_UNIT_CTL_PD_USED];
  assign first        = Lanes == 32 || beat_index_i == '0;
  assign take         = beat_valid_i && beat_ready_o;
  assign port_open_o  = !busy_q;
  assign idle_o       = !busy_q;
  assign done_valid_o = done;
  assign done_warp_o  = tag_q[21:16];

  atom_word #(.Cluster(Cluster), .CtlBits(CtlBits)) u_word (
    .kind_i(beat_kind_i), .ctl_i(beat_ctl_i), .ctl_o(ctl), .atomic_o(atomic), .generic_o(generic), .served_o(served),
    .others_o(others), .share_kind_o(share_kind), .share_ctl_o(share_ctl)
  );

  // Decoded word of the beat on the bus, from the second cycle on: no lane is read earlier.
  logic [CtlBits-1:0] word_q;
  logic [31:0]        share_ctl;
  logic [4:0]         share_kind;
  logic [3:0]         rank_q;
  logic [2:0]         size;
  logic               atomic, generic, served, others, generic_q, served_q, others_q, refuses_q, wide_q, several_q, cas;

  assign size = word_q[9:7];
  assign cas  = word_q[CtlBits-3];
  always_ff @(posedge clk_i) begin
    word_q    <= ctl;
    generic_q <= generic;
    served_q  <= served;
    others_q  <= others;
    refuses_q <= atomic && pd_used;
    wide_q    <= beat_ctl_i[`WL_ATOM_UNIT_CTL_WIDE] && !beat_ctl_i[`WL_ATOM_UNIT_CTL_NARROW];
    several_q <= several_i;
    rank_q    <= rank_i;
    {share_kind_o, share_ctl_o} <= {share_kind, share_ctl};
  end

  always_ff @(posedge clk_i) begin
    if (take && first) begin
      tag_q    <= beat_tag_i;
      ctl_q    <= ctl;
      rd_q     <= rd_used;
      pd_q     <= pd_used;
      policy_q <= {beat_ctl_i[`WL_ATOM_UNIT_CTL_POLICY], beat_policy_i & {64{beat_ctl_i[`WL_ATOM_UNIT_CTL_POLICY]}}};
      passes_q <= '0;
    end else if (pass || share_pass_i) begin
      passes_q <= passes_q + 1'b1;
    end
    if (rst_i) begin
      busy_q  <= 1'b0;
      share_q <= 1'b0;
    end else begin
      busy_q  <= take || (busy_q && !gone);
      share_q <= (take && shares_q) || (share_q && !share_end_i);
    end
  end

  // ---- lanes in shared memory ------------------------------------------------------------------------------------
  logic             shares_q, share_any_q, any, walked, sharing;   // this beat, an earlier beat goes to atoms_pipe
  logic [Lanes-1:0] share_mask;
  logic [1:0]          put_word;
  logic                packs_q;                  // Rc stands beside Rb
  logic [Lanes*64-1:0] upper_rc;

  assign any           = Lanes < 32 && !first && share_any_q;
  assign beat_ready_o  = walked && (!shares_q || share_ready_i);   // with Lean: high only for a beat in place
  assign share_valid_o = beat_valid_i && walked && shares_q;
  assign share_slot_o  = '0;
  assign share_mask_o  = share_mask;
  always_ff @(posedge clk_i) begin
    shares_q <= generic_q && (share_mask != '0 || (any && beat_last_i));
    if (take) share_any_q <= any || shares_q;
    packs_q  <= beat_valid_i && !take && ctl[CtlBits-3] && beat_ctl_i[`WL_ATOM_UNIT_CTL_SIZE] != 3'd4;   // never with another unit's beat
  end
  for (genvar l = 0; l < Lanes; l++) begin : gen_rb
    assign share_rb_o[l*128 +: 64]      = beat_rb_i[l*128 +: 64];
    assign share_rb_o[l*128 + 64 +: 64] = packs_q || put_word[0] ? beat_rc_i[l*128 +: 64] : beat_rb_i[l*128 + 64 +: 64];  // atoms_pipe looks when no word is put
    assign upper_rc[l*64 +: 64]         = beat_rc_i[l*128 + 64 +: 64];
  end

  // ---- lanes, sectors --------------------------------------------------------------------------------------------
  logic        put_valid, lane, lane_ok, lane_shared, sector_valid, sector_done;
  logic [4:0]  put_lane, look, place;
  logic [1:0]  lane_fault;
  logic [58:0] sector;
  logic [31:0] lanes, upper;

  sector_walk #(.Lanes(Lanes)) u_walk (
    .clk_i, .rst_i, .shared_window_i, .local_window_i, .beat_valid_i, .open_i((!first || !busy_q) && !sharing),
    .beat_ready_o(walked), .beat_take_i(take), .beat_last_i, .index_i(beat_index_i), .mask_i(beat_mask_i), .ra_i(beat_ra_i),
    .base_i(beat_base_i), .ra_used_i(beat_flags_i[`WL_FLAG_RA]),
    .ra_wide_i(wide_q), .size_i(size), .words_i({size == 3'd4, size == 3'd4 || cas}), .generic_i(generic_q),
    .local_refused_i(refuses_q), .shared_served_i(served_q), .shared_refused_i(refuses_q && !served_q), .others_serve_i(others_q),
    .several_i(several_q), .rank_i(rank_q),
    .illegal_i(beat_flags_i[`WL_FLAG_ILLEGAL]), .put_valid_o(put_valid), .put_lane_o(put_lane), .put_word_o(put_word),
    .lane_o(lane), .lane_ok_o(lane_ok), .lane_fault_o(lane_fault), .lane_shared_o(lane_shared),
    .wait_i(share_q || sharing), .sector_valid_o(sector_valid), .sector_done_i(sector_done), .sector_o(sector),
    .lanes_o(lanes), .upper_o(upper), .done_o(done), .look_i(look), .place_o(place)
  );

  // ---- a sector --------------------------------------------------------------------------------------------------
  logic         run_valid, run_again, pass, last, range, commit, result_we;
  logic [5:0]   result_at;
  logic [31:0]  range_lanes, made_mask;
  logic [63:0]  result;
  logic [255:0] old, made;

  sector_trip u_trip (
    .clk_i, .rst_i, .sector_valid_i(sector_valid), .sector_done_o(sector_done), .far_i(sector[58:43] != '0), .lanes_i(lanes),
    .upper_i(upper), .load_i(ctl_q[CtlBits-1]), .store_i(ctl_q[CtlBits-2]), .req_valid_o(mem_req_valid_o),
    .req_ready_i(mem_req_ready_i), .req_write_o(mem_req_write_o), .req_cond_o(mem_req_cond_o), .req_mask_o(mem_req_mask_o),
    .rsp_valid_i(mem_rsp_valid_i), .rsp_ok_i(mem_rsp_ok_i), .rsp_halves_i(mem_rsp_halves_i), .rsp_data_i(mem_rsp_data_i),
    .run_valid_o(run_valid), .run_again_o(run_again), .old_o(old), .last_i(last), .mask_i(made_mask),
    .range_o(range), .range_lanes_o(range_lanes), .commit_o(commit), .commit_lanes_o(trace_commit_lanes_o),
    .commit_mask_o(trace_commit_bytes_written_o), .commit_old_o(trace_commit_old_o)
  );
  assign mem_req_id_o   = '0;
  assign mem_req_addr_o = sector[42:0];
  assign mem_req_data_o = made;
  assign {mem_req_policy_valid_o, mem_req_policy_o} = policy_q;

  sector_steps #(.Lanes(Lanes), .CtlBits(CtlBits)) u_steps (
    .clk_i, .rst_i, .put_valid_i(put_valid), .put_lane_i(put_lane), .put_word_i(put_word), .beat_b_i(share_rb_o),
    .beat_c_i(upper_rc), .run_valid_i(run_valid), .run_lanes_i(lanes), .run_again_i(run_again), .run_ctl_i(ctl_q), .old_i(old),
    .lane_o(look), .place_i(place), .pass_o(pass), .last_o(last), .mask_o(made_mask), .new_o(made), .result_we_o(result_we),
    .result_at_o(result_at), .result_o(result)
  );

  // ---- answers ---------------------------------------------------------------------------------------------------
  logic [Lanes-1:0] misaligned, bad_space, illegal;

  sector_answer #(.Lanes(Lanes)) u_answer (
    .clk_i, .rst_i, .lane_i(lane), .lane_ok_i(lane_ok), .lane_fault_i(lane_fault), .lane_shared_i(lane_shared),
    .shared_o(share_mask), .misaligned_o(misaligned), .bad_space_o(bad_space), .illegal_o(illegal),
    .share_i(take && shares_q), .share_results_i(share_ctl_o[`WL_ATOMS_PIPE_CTL_RD_USED]), .share_index_i(beat_index_i),
    .shares_o(sharing), .share_begin_i, .share_outside_i, .share_absent_i, .share_ended_i, .share_we_i, .share_data_i,
    .range_i(range), .range_lanes_i(range_lanes), .result_we_i(result_we), .result_at_i(result_at), .result_i(result),
    .done_i(done), .tag_i(tag_q), .passes_i(passes_q), .rd_used_i(rd_q), .pd_used_i(pd_q), .gone_o(gone), .rsp_valid_o,
    .rsp_take_i, .rsp_o, .rsp_data_o
  );
  assign rsp_port_o = '0;

  // ---- trace -----------------------------------------------------------------------------------------------------
  // Faults of each beat alone, in the cycle after the beat, before any lane of the beat takes effect in shared memory.
  logic                fault_q;
  logic [BeatBits-1:0] index_q;
  logic [4:0]          at;

  always_ff @(posedge clk_i) begin
    fault_q <= take && !rst_i;
    index_q <= beat_index_i;
  end
  assign at                           = Lanes < 32 ? 5'(index_q) << $clog2(Lanes) : '0;
  assign trace_fault_valid_o          = Trace && fault_q && (misaligned | bad_space | illegal) != '0;
  assign trace_fault_tag_o            = tag_q;
  assign trace_fault_lanes_o          = {32'(illegal) << at, 32'(bad_space) << at, 32'(misaligned) << at};
  assign trace_range_valid_o          = Trace && range;
  assign trace_range_tag_o            = tag_q;
  assign trace_range_lanes_o          = range_lanes;
  assign trace_commit_valid_o         = Trace && commit;
  assign trace_commit_tag_o           = tag_q;
  assign trace_commit_has_old_o       = !ctl_q[CtlBits-2];
  assign trace_commit_now_o           = made;
  assign trace_commit_addr_lo_o       = {sector[26:0], 5'd0};
  assign trace_commit_addr_hi_o       = sector[42:27];
  assign {trace_commit_has_policy_o, trace_commit_policy_hi_o, trace_commit_policy_lo_o} = policy_q;

  logic unused;
  assign unused = ^{beat_ctl_i, beat_flags_i, beat_port_i, mem_rsp_id_i, share_begin_slot_i, share_begin_index_i, share_pass_slot_i,
                    share_pass_index_i};
endmodule
`default_nettype wire
