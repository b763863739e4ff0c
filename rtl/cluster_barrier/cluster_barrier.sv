// SPDX-License-Identifier: Apache-2.0
// The barrier of each cluster of CTAs: warps arrive (UCGABAR_ARV), and wait until all live warps have arrived
// (UCGABAR_WAIT).
//
// Every port takes a request, or the end of a warp, in every cycle. Cycle 0, the head: the request is taken. Cycle 1,
// the judgement: the request faults and changes nothing, or COMMITs. A request or end that completes a phase RELEASEs
// the waiting warps in this very cycle. A warp that goes on at once is answered in the cycle after.
//
// The ends of warps are judged first, then the requests, each lowest port first: the order of the events. Faults refer
// to the state between the two, as the FAULTs of a cycle come before the COMMITs. A warp is in one of two states at
// most. *arrived*: the warp has arrived in the open phase, and perhaps *waits* for the end of the phase. *done*: a
// phase with an arrival of the warp has ended, and the warp has not waited since. A cluster ends one phase with waiting
// warps a cycle at most: the warps of the next phase have still to arrive.
`include "assert.vh"
`include "wl_units.vh"
`include "wl_config.vh"
`default_nettype none

module cluster_barrier #(
  parameter int Lanes   = 32,                     // 4, 8, 16, 32: lanes of a response beat
  parameter int Ports   = 1,                      // 1, 2, 4
  parameter int Warps   = 48,                     // 1..48, a multiple of Ports; warp w is on port w mod Ports
  parameter int PhaseBits = 16,                   // of the phase number; less in benches, for wrap-around
  parameter int RspBits = 30 + Lanes * 8          // derived: as in rsp_merge
) (
  input  logic                     clk_i,
  input  logic                     rst_i,

  // A CTA comes to a slot or leaves the slot, with nothing of the slot in flight. Warps of a CTA have neighbouring
  // numbers.
  input  logic                     cta_valid_i,
  input  logic [3:0]               cta_slot_i,
  input  logic                     cta_open_i,       // 0: the CTA leaves
  input  logic [5:0]               cta_first_i,      // the first warp of the CTA ...
  input  logic [5:0]               cta_warps_i,      // ... and the number of warps
  input  logic [3:0]               cta_cluster_i,    // number of the cluster on this SM

  // heads: a head of each port
  input  logic [Ports-1:0]         head_valid_i,     // a request
  input  logic [Ports-1:0]         head_exit_i,      // the end of a warp, going in this cycle
  output logic [Ports-1:0]         head_ready_o,     // for either
  input  logic [Ports-1:0]         head_wait_i,      // UCGABAR_WAIT, not _ARV
  input  logic [Ports*22-1:0]      head_tag_i,
  input  logic [Ports*4-1:0]       head_slot_i,
  input  logic [Ports*32-1:0]      head_mask_i,      // live lanes of the warp

  // judgement
  output logic [Ports-1:0]         commit_o,
  output logic [Ports-1:0]         fault_o,
  output logic [Ports*6-1:0]       fault_code_o,
  output logic [Ports*22-1:0]      judged_tag_o,
  output logic [Ports*32-1:0]      judged_mask_o,

  // places of sync_core
  output logic [Ports-1:0]         park_valid_o,     // with commit_o; RELEASE may be in this cycle
  output logic [Ports*4-1:0]       park_slot_o,
  output logic [Ports*16-1:0]      park_id_o,        // the phase, as in RELEASE
  output logic [Ports*Warps-1:0]   park_warps_o,
  output logic [Ports-1:0]         rel_valid_o,
  output logic [Ports*121-1:0]     rel_o,
  output logic [Ports-1:0]         rsp_valid_o,
  input  logic [Ports-1:0]         rsp_take_i,
  output logic [Ports*RspBits-1:0] rsp_o,
  output logic                     idle_o            // only waits are left
);
  localparam int WarpBits = Warps > 1 ? $clog2(Warps) : 1;

  if (Warps < Ports || Warps > 48 || Warps % Ports != 0) begin : gen_bad_warps
    warps_must_be_1_to_48_and_a_multiple_of_ports u_bad ();
  end

  // ---- CTAs and warps ----------------------------------------------------------------------------------------------
  logic [15:0]        open_q;
  logic [63:0]        cluster_q;                     // of each slot
  logic [Warps*4-1:0] slot_of_q;                     // slot of each warp
  logic [Warps-1:0]   comes, leaves;

  always_comb begin
    comes  = '0;
    leaves = '0;
    if (cta_valid_i) begin
      for (int w = 0; w < Warps; w++) begin
        comes[w]  = cta_open_i && w >= 32'(cta_first_i) && w < 32'(cta_first_i) + 32'(cta_warps_i);
        leaves[w] = slot_of_q[w*4 +: 4] == cta_slot_i;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) open_q <= '0;
    else if (cta_valid_i) open_q[cta_slot_i] <= cta_open_i;
  end
  always_ff @(posedge clk_i) begin
    if (cta_valid_i && cta_open_i) begin
      cluster_q[cta_slot_i*4 +: 4] <= cta_cluster_i;
      for (int w = 0; w < Warps; w++) if (comes[w]) slot_of_q[w*4 +: 4] <= cta_slot_i;
    end
  end

  // ---- the judgement -----------------------------------------------------------------------------------------------
  logic [Ports-1:0]    valid_q, exit_q, wait_q, done, rsp_free;
  logic [Ports*22-1:0] tag_q;
  logic [Ports*4-1:0]  slot_q;
  logic [Ports*32-1:0] mask_q;
  logic [Warps-1:0]    live_q, arrived_q, waits_q, done_q;   // of each warp
  logic [Warps-1:0]    live, arrived, waits, dones;          // after this cycle
  logic [16*PhaseBits-1:0] phase_q, phase;                   // of each cluster, ended phases

  logic [Ports*Warps-1:0] mates;         // warps of the cluster of each port's slot
  logic [Ports*4-1:0]     cluster, first; // number of the cluster; lowest slot of the cluster

  always_comb begin
    mates   = '0;
    first   = '0;
    cluster = '0;
    if (valid_q != '0) begin
      for (int p = 0; p < Ports; p++) begin
        cluster[p*4 +: 4] = cluster_q[slot_q[p*4 +: 4]*4 +: 4];
        for (int n = 0; n < Warps; n++) begin
          mates[p*Warps + n] = open_q[slot_of_q[n*4 +: 4]] && cluster_q[slot_of_q[n*4 +: 4]*4 +: 4] == cluster[p*4 +: 4];
        end
        for (int s = 15; s >= 0; s--) if (open_q[s] && cluster_q[s*4 +: 4] == cluster[p*4 +: 4]) first[p*4 +: 4] = s[3:0];
      end
    end
  end

  // First the ends of warps, then the requests, of all ports.
  logic [Warps-1:0]    seen_arrived, seen_done;     // between the two
  logic [Warps-1:0]    here, released;
  logic [WarpBits-1:0] w;
  logic [PhaseBits-1:0] number;
  logic                takes;                       // an arrival or the end of a warp takes effect

  always_comb begin
    live         = live_q;
    arrived      = arrived_q;
    waits        = waits_q;
    dones        = done_q;
    phase        = phase_q;
    seen_arrived = '0;
    seen_done    = '0;
    {here, released, w, number, takes} = '0;
    commit_o     = '0;
    fault_o      = '0;
    fault_code_o = {Ports{`WL_FAULT_NONE}};
    park_valid_o = '0;
    park_id_o    = '0;
    park_warps_o = '0;
    rel_valid_o  = '0;
    rel_o        = '0;
    if (valid_q != '0) begin
      for (int pass = 0; pass < 2; pass++) begin
        if (pass == 1) begin
          seen_arrived = arrived;
          seen_done    = dones;
        end
        for (int p = 0; p < Ports; p++) begin
          w      = tag_q[p*22 + 16 +: WarpBits];
          here   = mates[p*Warps +: Warps];
          number = phase[cluster[p*4 +: 4]*PhaseBits +: PhaseBits];
          takes  = 1'b0;
          if (pass == 0) begin
            if (valid_q[p] && exit_q[p]) begin
              live[w]    = 1'b0;
              arrived[w] = 1'b0;
              dones[w]   = 1'b0;
              takes      = open_q[slot_q[p*4 +: 4]];
            end
          end else if (valid_q[p] && !exit_q[p]) begin
            if (!open_q[slot_q[p*4 +: 4]]) fault_code_o[p*6 +: 6] = `WL_FAULT_SLOT_CLOSED;
            else if (!wait_q[p] && seen_arrived[w]) fault_code_o[p*6 +: 6] = `WL_FAULT_CBAR_DOUBLE_ARRIVE;
            else if (wait_q[p] && !seen_arrived[w] && !seen_done[w]) fault_code_o[p*6 +: 6] = `WL_FAULT_CBAR_WAIT_NO_ARRIVE;
            if (fault_code_o[p*6 +: 6] != `WL_FAULT_NONE) fault_o[p] = rsp_free[p];
            else if (wait_q[p] && !dones[w]) begin
              commit_o[p]                    = 1'b1;
              park_valid_o[p]                = 1'b1;
              park_id_o[p*16 +: 16]          = 16'(number);
              park_warps_o[p*Warps + 32'(w)] = 1'b1;
              waits[w]                       = 1'b1;
            end else if (rsp_free[p]) begin
              commit_o[p] = 1'b1;
              dones[w]    = 1'b0;
              arrived[w]  = !wait_q[p];
              takes       = !wait_q[p];
            end
          end
          if (takes && (live & here) != '0 && (live & here & ~arrived) == '0) begin
            released            = waits & here;
            rel_valid_o[p]      = released != '0;
            rel_o[p*121 +: 121] = {1'b0, `WL_UNIT_CLUSTER_BARRIER, first[p*4 +: 4], 16'(number), 16'(number), 48'(released),
                                   32'd0};
            dones               = dones | (arrived & here & ~waits);
            arrived             = arrived & ~here;
            waits               = waits & ~here;
            phase[cluster[p*4 +: 4]*PhaseBits +: PhaseBits] = number + 1'b1;
          end
        end
      end
    end
  end

  assign done = exit_q | commit_o | fault_o;
  assign head_ready_o = rst_i ? '0 : ~valid_q | done;
  assign judged_tag_o  = tag_q;
  assign judged_mask_o = mask_q;
  assign park_slot_o   = slot_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) valid_q <= '0;
    else valid_q <= ((head_valid_i | head_exit_i) & head_ready_o) | (valid_q & ~done);
  end
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < Ports; i++) begin
      if ((head_valid_i[i] || head_exit_i[i]) && head_ready_o[i]) begin
        exit_q[i]          <= head_exit_i[i];
        wait_q[i]          <= head_wait_i[i];
        tag_q[i*22 +: 22]  <= head_tag_i[i*22 +: 22];
        slot_q[i*4 +: 4]   <= head_slot_i[i*4 +: 4];
        mask_q[i*32 +: 32] <= head_mask_i[i*32 +: 32];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) {live_q, arrived_q, waits_q, done_q} <= '0;
    else if (valid_q != '0 || cta_valid_i) begin
      live_q    <= (live & ~leaves) | comes;
      arrived_q <= arrived & ~leaves & ~comes;
      waits_q   <= waits & ~leaves & ~comes;
      done_q    <= dones & ~leaves & ~comes;
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid_q != '0) phase_q <= phase;
    if (cta_valid_i && cta_open_i) phase_q[cta_cluster_i*PhaseBits +: PhaseBits] <= '0;
  end

  // ---- answers -----------------------------------------------------------------------------------------------------
  // Lane 0 stands for all active lanes. A fault found without state is before any pass.
  logic [Ports-1:0]    answers;
  logic [Ports*22-1:0] rsp_tag_q;
  logic [Ports*6-1:0]  rsp_fault_q;

  assign rsp_free = ~rsp_valid_o | rsp_take_i;
  assign answers  = fault_o | (commit_o & ~park_valid_o);
  always_ff @(posedge clk_i) begin
    if (rst_i) rsp_valid_o <= '0;
    else rsp_valid_o <= answers | (rsp_valid_o & ~rsp_take_i);
  end
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < Ports; i++) begin
      if (answers[i]) begin
        rsp_tag_q[i*22 +: 22] <= tag_q[i*22 +: 22];
        rsp_fault_q[i*6 +: 6] <= fault_code_o[i*6 +: 6];
      end
    end
  end
  always_comb begin
    rsp_o = '0;
    if (rsp_valid_o != '0) begin
      for (int i = 0; i < Ports; i++) begin
        rsp_o[i*RspBits +: RspBits] = {{Lanes-1{6'd0}}, rsp_fault_q[i*6 +: 6], rsp_fault_q[i*6 +: 6] != `WL_FAULT_NONE,
                                       {2*Lanes{1'b0}}, 6'(rsp_fault_q[i*6 +: 6] != `WL_FAULT_SLOT_CLOSED), 1'b1,
                                       rsp_tag_q[i*22 +: 22]};
      end
    end
  end

  assign idle_o = valid_q == '0 && rsp_valid_o == '0;

  // ---- assertions --------------------------------------------------------------------------------------------------
  for (genvar i = 0; i < Ports; i++) begin : gen_assert
    `ASSERT(WarpOfPort_A, !head_valid_i[i] || 32'(head_tag_i[i*22 + 16 +: 6]) % Ports == i)
    `ASSERT(OneOfEach_A, !(head_valid_i[i] && head_exit_i[i]))
    `ASSERT(WaiterStays_A, !(valid_q[i] && exit_q[i] && waits_q[tag_q[i*22 + 16 +: WarpBits]]))
  end
  `ASSERT(ArrivedLive_A, (arrived_q & ~live_q) == '0)
  `ASSERT(WaitersArrived_A, (waits_q & ~arrived_q) == '0)
  `ASSERT(DoneOrArrived_A, (done_q & arrived_q) == '0)
endmodule
`default_nettype wire
