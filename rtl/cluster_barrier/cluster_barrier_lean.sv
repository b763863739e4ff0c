// SPDX-License-Identifier: Apache-2.0
// cluster_barrier for boards: the same contract with one port. If a CTA comes or leaves in the cycle of a judgement,
// the judgement waits a cycle. So the phase numbers are in a RAM with one write port.
//
// Cycle 0, the head: the request is taken. Cycle 1, the judgement, as in cluster_barrier: the request faults and
// changes nothing, or COMMITs, and RELEASEs the waiting warps. Only one end or request is judged at a time, and a phase
// ends in only one place. Each warp keeps the number of its cluster, so no table is read for each warp.
`include "assert.vh"
`include "wl_units.vh"
`include "wl_config.vh"
`default_nettype none

module cluster_barrier_lean #(
  parameter int Lanes     = 32,                   // 4, 8, 16, 32: lanes of a response beat
  parameter int Ports     = 1,                    // 1 only
  parameter int Warps     = 48,                   // 1..48
  parameter int PhaseBits = 16,                   // of the phase number; less in benches, for wrap-around
  parameter int RspBits   = 30 + Lanes * 8        // derived: as in rsp_merge
) (
  input  logic               clk_i,
  input  logic               rst_i,

  // A CTA comes to a slot or leaves the slot, with nothing of the slot in flight. Warps of a CTA have neighbouring
  // numbers.
  input  logic               cta_valid_i,
  input  logic [3:0]         cta_slot_i,
  input  logic               cta_open_i,       // 0: the CTA leaves
  input  logic [5:0]         cta_first_i,      // the first warp of the CTA ...
  input  logic [5:0]         cta_warps_i,      // ... and the number of warps
  input  logic [3:0]         cta_cluster_i,    // number of the cluster on this SM

  // the head
  input  logic               head_valid_i,     // a request
  input  logic               head_exit_i,      // the end of a warp, going in this cycle
  output logic               head_ready_o,     // for either
  input  logic               head_wait_i,      // UCGABAR_WAIT, not _ARV
  input  logic [21:0]        head_tag_i,
  input  logic [3:0]         head_slot_i,
  input  logic [31:0]        head_mask_i,      // live lanes of the warp

  // judgement
  output logic               commit_o,
  output logic               fault_o,
  output logic [5:0]         fault_code_o,
  output logic [21:0]        judged_tag_o,
  output logic [31:0]        judged_mask_o,

  // places of sync_core
  output logic               park_valid_o,     // with commit_o; RELEASE may be in this cycle
  output logic [3:0]         park_slot_o,
  output logic [15:0]        park_id_o,        // the phase, as in RELEASE
  output logic [Warps-1:0]   park_warps_o,
  output logic               rel_valid_o,
  output logic [120:0]       rel_o,
  output logic               rsp_valid_o,
  input  logic               rsp_take_i,
  output logic [RspBits-1:0] rsp_o,
  output logic               idle_o            // only waits are left
);
  localparam int WarpBits = Warps > 1 ? $clog2(Warps) : 1;

  if (Warps < 1 || Warps > 48) begin : gen_bad_warps
    warps_must_be_1_to_48 u_bad ();
  end
  if (Ports != 1) begin : gen_bad_ports
    a_lean_cluster_barrier_has_one_port u_bad ();
  end

  // ---- CTAs and warps ----------------------------------------------------------------------------------------------
  logic [15:0]        open_q;
  logic [63:0]        cluster_q;                     // of each slot
  logic [Warps*4-1:0] slot_of_q, cluster_of_q;       // slot of each warp, and cluster of each warp
  logic [Warps-1:0]   comes, leaves;
  logic [6:0]         behind;                        // the warp behind the last warp of the CTA

  assign behind = {1'b0, cta_first_i} + {1'b0, cta_warps_i};
  assign comes  = cta_valid_i && cta_open_i ? ({Warps{1'b1}} << cta_first_i) & ~({Warps{1'b1}} << behind) : '0;
  always_comb begin
    leaves = '0;
    if (cta_valid_i) begin
      for (int w = 0; w < Warps; w++) leaves[w] = slot_of_q[w*4 +: 4] == cta_slot_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) open_q <= '0;
    else if (cta_valid_i) open_q[cta_slot_i] <= cta_open_i;
  end
  always_ff @(posedge clk_i) begin
    if (cta_valid_i && cta_open_i) begin
      cluster_q[cta_slot_i*4 +: 4] <= cta_cluster_i;
      for (int w = 0; w < Warps; w++) begin
        if (comes[w]) begin
          slot_of_q[w*4 +: 4]    <= cta_slot_i;
          cluster_of_q[w*4 +: 4] <= cta_cluster_i;
        end
      end
    end
  end

  // ---- the judgement -----------------------------------------------------------------------------------------------
  logic                 valid_q, exit_q, wait_q, judges, done, rsp_free, slot_open, had_arrived, was_done, takes, ends;
  logic [21:0]          tag_q;
  logic [3:0]           slot_q, cluster, first;
  logic [31:0]          mask_q;
  logic [Warps-1:0]     live_q, arrived_q, waits_q, done_q;   // of each warp
  logic [Warps-1:0]     live, arrived;                        // after the judged request
  logic [Warps-1:0]     who, here, released;                  // the judged warp; warps of the cluster; released warps
  logic [WarpBits-1:0]  number;
  logic [PhaseBits-1:0] phase;                                // of the cluster, ended phases
  logic [PhaseBits-1:0] phases [0:15];                        // of each cluster

  assign number      = tag_q[16 +: WarpBits];
  assign cluster     = cluster_q[{slot_q, 2'b00} +: 4];
  assign phase       = phases[cluster];
  assign slot_open   = open_q[slot_q];
  assign had_arrived = (arrived_q & who) != '0;
  assign was_done    = (done_q & who) != '0;
  assign judges      = valid_q && !cta_valid_i;

  // The lowest slot of the cluster, and the warps of the cluster. A warp that does not live is in no state.
  always_comb begin
    who   = '0;
    here  = '0;
    first = '0;
    if (valid_q) begin
      for (int n = 0; n < Warps; n++) begin
        who[n]  = number == n[WarpBits-1:0];
        here[n] = cluster_of_q[n*4 +: 4] == cluster;
      end
      for (int s = 15; s >= 0; s--) if (open_q[s] && cluster_q[s*4 +: 4] == cluster) first = s[3:0];
    end
  end

  always_comb begin
    fault_code_o = `WL_FAULT_NONE;
    fault_o      = 1'b0;
    commit_o     = 1'b0;
    park_valid_o = 1'b0;
    takes        = 1'b0;                             // an arrival or the end of a warp takes effect
    if (judges && exit_q) takes = slot_open;
    else if (judges) begin
      if (!slot_open) fault_code_o = `WL_FAULT_SLOT_CLOSED;
      else if (!wait_q && had_arrived) fault_code_o = `WL_FAULT_CBAR_DOUBLE_ARRIVE;
      else if (wait_q && !had_arrived && !was_done) fault_code_o = `WL_FAULT_CBAR_WAIT_NO_ARRIVE;
      fault_o      = fault_code_o != `WL_FAULT_NONE && rsp_free;
      park_valid_o = fault_code_o == `WL_FAULT_NONE && wait_q && !was_done;
      commit_o     = fault_code_o == `WL_FAULT_NONE && (park_valid_o || rsp_free);
      takes        = commit_o && !wait_q;
    end
  end

  assign live        = exit_q ? live_q & ~who : live_q;
  assign arrived     = exit_q ? arrived_q & ~who : takes ? arrived_q | who : arrived_q;
  assign ends        = takes && (live & here) != '0 && (live & here & ~arrived) == '0;
  assign released    = waits_q & here;
  assign rel_valid_o = ends && released != '0;
  assign rel_o       = {1'b0, `WL_UNIT_CLUSTER_BARRIER, first, 16'(phase), 16'(phase), 48'(released), 32'd0};

  assign done          = judges && (exit_q || commit_o || fault_o);
  assign head_ready_o  = !rst_i && (!valid_q || done);
  assign judged_tag_o  = tag_q;
  assign judged_mask_o = mask_q;
  assign park_slot_o   = slot_q;
  assign park_id_o     = 16'(phase);
  assign park_warps_o  = park_valid_o ? who : '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) valid_q <= 1'b0;
    else valid_q <= ((head_valid_i || head_exit_i) && head_ready_o) || (valid_q && !done);
  end
  always_ff @(posedge clk_i) begin
    if ((head_valid_i || head_exit_i) && head_ready_o) begin
      exit_q <= head_exit_i;
      wait_q <= head_wait_i;
      tag_q  <= head_tag_i;
      slot_q <= head_slot_i;
      mask_q <= head_mask_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) {live_q, arrived_q, waits_q, done_q} <= '0;
    else if (cta_valid_i) begin
      live_q    <= (live_q & ~leaves) | comes;
      arrived_q <= arrived_q & ~leaves & ~comes;
      waits_q   <= waits_q & ~leaves & ~comes;
      done_q    <= done_q & ~leaves & ~comes;
    end else if (done && !fault_o) begin
      live_q    <= live;
      arrived_q <= ends ? arrived & ~here : arrived;
      waits_q   <= ends ? waits_q & ~here : park_valid_o ? waits_q | who : waits_q;
      done_q    <= (done_q & ~who) | (ends ? arrived & here & ~waits_q : '0);
    end
  end
  always_ff @(posedge clk_i) begin
    if (cta_valid_i ? cta_open_i : ends) phases[cta_valid_i ? cta_cluster_i : cluster] <= cta_valid_i ? '0 : phase + 1'b1;
  end

  // ---- answers -----------------------------------------------------------------------------------------------------
  // Lane 0 stands for all active lanes. A fault found without state is before any pass.
  logic        answers;
  logic [21:0] rsp_tag_q;
  logic [5:0]  rsp_fault_q;

  assign rsp_free = !rsp_valid_o || rsp_take_i;
  assign answers  = fault_o || (commit_o && !park_valid_o);
  always_ff @(posedge clk_i) begin
    if (rst_i) rsp_valid_o <= 1'b0;
    else rsp_valid_o <= answers || (rsp_valid_o && !rsp_take_i);
  end
  always_ff @(posedge clk_i) begin
    if (answers) begin
      rsp_tag_q   <= tag_q;
      rsp_fault_q <= fault_code_o;
    end
  end
  assign rsp_o = {{Lanes-1{6'd0}}, rsp_fault_q, rsp_fault_q != `WL_FAULT_NONE, {2*Lanes{1'b0}},
                  6'(rsp_fault_q != `WL_FAULT_SLOT_CLOSED), 1'b1, rsp_tag_q};
  assign idle_o = !valid_q && !rsp_valid_o;

  // ---- assertions --------------------------------------------------------------------------------------------------
  `ASSERT(OneOfEach_A, !(head_valid_i && head_exit_i))
  `ASSERT(WaiterStays_A, !(valid_q && exit_q && (waits_q & who) != '0))
  `ASSERT(ArrivedLive_A, (arrived_q & ~live_q) == '0)
  `ASSERT(WaitersArrived_A, (waits_q & ~arrived_q) == '0)
  `ASSERT(DoneOrArrived_A, (done_q & arrived_q) == '0)
endmodule
`default_nettype wire
