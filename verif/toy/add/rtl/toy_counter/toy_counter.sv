// SPDX-License-Identifier: Apache-2.0
// A counter for each CTA. TOY_ADD adds to the counter and returns the old value. TOY_WAIT waits until the counter
// reaches a number, and gives up after GiveUp cycles. Exists for the test of docs/adding.md alone.
//
// A request is gathered beat by beat, reads the counter in one cycle (COMMIT), and is answered beat by beat.
`include "assert.vh"
`include "wl_units.vh"
`default_nettype none

module toy_counter #(
  parameter int Lanes    = 32,                                   // 4, 8, 16, 32
  parameter int PortBits = 1,
  parameter int Warps    = 48,
  parameter int RaBits   = 64,
  parameter int GiveUp   = 256,
  parameter bit Trace    = 1'b1,
  parameter int BeatBits = Lanes < 32 ? $clog2(32 / Lanes) : 1,  // derived, do not override, like all below
  parameter int RspBits  = 30 + Lanes * 8
) (
  input  logic                    clk_i,
  input  logic                    rst_i,
  input  logic                    open_valid_i,    // a CTA comes to the slot
  input  logic [3:0]              open_slot_i,

  input  logic                    beat_valid_i,
  output logic                    beat_ready_o,
  input  logic [PortBits-1:0]     beat_port_i,
  input  logic [21:0]             beat_tag_i,
  input  logic [3:0]              beat_slot_i,
  input  logic [4:0]              beat_kind_i,
  input  logic [31:0]             beat_ctl_i,
  input  logic [BeatBits-1:0]     beat_index_i,
  input  logic                    beat_last_i,
  input  logic [31:0]             beat_mask_i,
  input  logic [Lanes*RaBits-1:0] beat_ra_i,
  output logic                    done_valid_o,
  output logic [5:0]              done_warp_o,

  output logic                    rsp_valid_o,
  input  logic                    rsp_take_i,
  output logic [PortBits-1:0]     rsp_port_o,
  output logic [RspBits-1:0]      rsp_o,
  output logic [Lanes*128-1:0]    rsp_data_o,

  output logic                    park_valid_o,
  output logic [3:0]              park_slot_o,
  output logic [Warps-1:0]        park_warps_o,
  output logic                    rel_valid_o,
  input  logic                    rel_take_i,
  output logic                    rel_gave_up_o,
  output logic [3:0]              rel_slot_o,
  output logic [47:0]             rel_warps_o,
  output logic [31:0]             rel_value_o,
  output logic                    idle_o,

  output logic                    trace_fault_valid_o,
  output logic [21:0]             trace_fault_tag_o,
  output logic [31:0]             trace_fault_lanes_o,
  output logic                    trace_commit_valid_o,
  output logic [21:0]             trace_commit_tag_o,
  output logic [31:0]             trace_commit_lanes_o,
  output logic [15:0]             trace_commit_count_o
);
  localparam int LastBeat = 32 / Lanes - 1;
  localparam logic [1:0] Gather = 2'd0, Look = 2'd1, Answer = 2'd2;

  logic [1:0]          state_q;
  logic [PortBits-1:0] port_q;
  logic [21:0]         tag_q;
  logic [3:0]          slot_q;
  logic                wait_q, rd_used_q, found_q, yes_q, bad_q;
  logic [31:0]         mask_q;
  logic [15:0]         n_q, old_q;
  logic [BeatBits-1:0] index_q;
  logic [15:0]         count_q [0:15];

  // ---- gather: Ra of the lowest active lane ----------------------------------------------------------------
  logic             take, found;
  logic [Lanes-1:0] beat_lanes;
  logic [15:0]      n;

  assign beat_ready_o = state_q == Gather && !rst_i;
  assign take         = beat_valid_i && beat_ready_o;
  assign beat_lanes   = beat_mask_i[Lanes-1:0];   // the bus shows the mask from the beat's first lane on
  always_comb begin
    found = 1'b0;
    n     = 16'd0;
    if (take) begin
      for (int l = Lanes - 1; l >= 0; l--) begin
        if (beat_lanes[l]) begin
          found = 1'b1;
          n     = beat_ra_i[l*RaBits +: 16];
        end
      end
    end
  end

  // ---- look ------------------------------------------------------------------------------------------------
  logic             look, overflow, reached, park;
  logic [15:0]      count, now;
  logic [16:0]      sum;
  logic [Warps-1:0] waiting_q, go, me, old_enough;
  logic [3:0]       slot_of_q [0:Warps-1];
  logic [15:0]      least_q [0:Warps-1];
  logic [9:0]       age_q [0:Warps-1];
  logic             rel_q;                        // a release not taken yet
  logic [3:0]       rel_slot_q;
  logic [15:0]      rel_value_q;
  logic [Warps-1:0] rel_warps_q;

  assign look     = state_q == Look && !rel_q;
  assign count    = count_q[slot_q];
  assign sum      = {1'b0, count} + {1'b0, n_q};
  assign overflow = !wait_q && sum[16];
  assign reached  = count >= n_q;
  assign now      = wait_q || overflow ? count : sum[15:0];
  assign park     = look && wait_q && !reached;
  assign me       = Warps'(1) << tag_q[21:16];
  always_comb begin
    go = '0;
    if (look && !wait_q && !overflow) begin
      for (int w = 0; w < Warps; w++) go[w] = waiting_q[w] && slot_of_q[w] == slot_q && least_q[w] <= now;
    end
  end
  assign done_valid_o = look;
  assign done_warp_o  = tag_q[21:16];
  assign park_valid_o = park;
  assign park_slot_o  = slot_q;
  assign park_warps_o = me;

  // ---- waits: a release first; a warp gives up in a cycle without a look -----------------------------------
  logic [Warps-1:0] given_up;
  logic             give_up;
  always_comb begin
    old_enough = '0;
    if (waiting_q != '0) begin
      for (int w = 0; w < Warps; w++) old_enough[w] = waiting_q[w] && age_q[w] >= 10'(GiveUp);
    end
  end
  assign given_up      = old_enough & (~old_enough + 1'b1);
  assign give_up       = old_enough != '0 && !rel_q && state_q != Look;
  assign rel_valid_o   = (rel_q || give_up) && !rst_i;
  assign rel_gave_up_o = !rel_q;
  assign rel_warps_o   = rel_q ? 48'(rel_warps_q) : 48'(given_up);
  assign rel_slot_o    = rel_slot_q;
  assign rel_value_o   = {16'd0, rel_value_q};

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      waiting_q <= '0;
      rel_q     <= 1'b0;
    end else begin
      waiting_q <= (waiting_q & ~go & ~(give_up && rel_take_i ? given_up : '0)) | (park ? me : '0);
      rel_q     <= go != '0 || (rel_q && !rel_take_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (go != '0) begin
      rel_warps_q <= go;
      rel_slot_q  <= slot_q;
      rel_value_q <= now;
    end
    if (waiting_q != '0) begin
      for (int w = 0; w < Warps; w++) age_q[w] <= age_q[w] + 10'd1;
    end
    if (park) begin
      slot_of_q[tag_q[21:16]] <= slot_q;
      least_q[tag_q[21:16]]   <= n_q;
      age_q[tag_q[21:16]]     <= 10'd0;
    end
  end

  // ---- the request -----------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= Gather;
      found_q <= 1'b0;
      index_q <= '0;
    end else begin
      if (take) begin
        found_q <= (found_q || found) && !beat_last_i;
        if (beat_last_i) state_q <= Look;
      end
      if (look) state_q <= park ? Gather : Answer;
      if (rsp_take_i) begin
        index_q <= index_q == BeatBits'(LastBeat) ? '0 : index_q + 1'b1;
        if (index_q == BeatBits'(LastBeat)) state_q <= Gather;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      port_q    <= beat_port_i;
      tag_q     <= beat_tag_i;
      slot_q    <= beat_slot_i;
      if (beat_index_i == '0) mask_q <= beat_mask_i;
      wait_q    <= beat_kind_i == `WL_TOY_COUNTER_TOY_WAIT;
      rd_used_q <= beat_ctl_i[`WL_TOY_COUNTER_CTL_RD_USED];
      if (found && !found_q) n_q <= n;
    end
    if (look) begin
      old_q <= count;
      yes_q <= wait_q;
      bad_q <= overflow;
    end
    if (look && !wait_q && !overflow) count_q[slot_q] <= now;
    if (open_valid_i) count_q[open_slot_i] <= 16'd0;
  end

  // ---- response --------------------------------------------------------------------------------------------
  logic [Lanes-1:0] lanes;
  if (Lanes < 32) begin : gen_lanes
    assign lanes = Lanes'(mask_q >> {index_q, {$clog2(Lanes){1'b0}}});
  end else begin : gen_all_lanes
    assign lanes = mask_q[Lanes-1:0];
  end
  logic [Lanes-1:0]   written;
  logic [Lanes*6-1:0] codes;
  assign written     = rd_used_q && !bad_q && !wait_q ? lanes : '0;
  assign rsp_valid_o = state_q == Answer;
  assign rsp_port_o  = port_q;
  assign rsp_o       = {codes, bad_q && lanes != '0, yes_q ? lanes : Lanes'(0), written, 6'd1,
                        index_q == BeatBits'(LastBeat), tag_q};
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    assign codes[l*6 +: 6]        = bad_q && lanes[l] ? 6'd60 : 6'd0;
    assign rsp_data_o[l*128 +: 128] = written[l] ? {112'd0, old_q} : 128'd0;
  end

  assign idle_o = state_q == Gather && !found_q && !rel_q;

  // ---- trace -----------------------------------------------------------------------------------------------
  assign trace_fault_valid_o  = Trace && look && overflow;
  assign trace_fault_tag_o    = tag_q;
  assign trace_fault_lanes_o  = mask_q;
  assign trace_commit_valid_o = Trace && look && !overflow;
  assign trace_commit_tag_o   = tag_q;
  assign trace_commit_lanes_o = mask_q;
  assign trace_commit_count_o = now;

  logic unused_bits;
  assign unused_bits = ^{beat_ctl_i, beat_ra_i};

  `ASSERT(TakesOnlyWhatItOffers_A, !rel_take_i || rel_valid_o)
endmodule
`default_nettype wire
