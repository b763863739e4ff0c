// SPDX-License-Identifier: Apache-2.0
// Response of atom_unit_lean: the state of each lane of the request, the results word by word in a RAM, and the beats
// of the response, made lane by lane. sector_reply does the same for several requests.
//
// The state of the lanes stands in shift registers: a lane comes in at the upper end when judged, and leaves at the
// lower end when answered. Results of a beat in shared memory come all at once, and wait here until the RAM has taken
// them. Meanwhile `shares_o` holds up the next beat.
`include "wl_config.vh"
`default_nettype none

module sector_answer #(
  parameter int Lanes    = 32,                   // of a beat
  parameter int Warp     = 32,                   // of a request
  parameter int BeatBits = Lanes < Warp ? $clog2(Warp / Lanes) : 1,  // derived, do not override, like all below
  parameter int LaneBits = $clog2(Warp),
  parameter int RspBits  = 30 + Lanes * 8
) (
  input  logic                 clk_i,
  input  logic                 rst_i,

  // a lane is judged
  input  logic                 lane_i,
  input  logic                 lane_ok_i,
  input  logic [1:0]           lane_fault_i,     // 1 misaligned, 2 bad space, 3 illegal
  input  logic                 lane_shared_i,
  output logic [Lanes-1:0]     shared_o,         // lanes of the newest beat in shared memory; lanes with a fault
  output logic [Lanes-1:0]     misaligned_o,
  output logic [Lanes-1:0]     bad_space_o,
  output logic [Lanes-1:0]     illegal_o,

  // the newest beat goes to atoms_pipe; the beat begins there, with faulting lanes; lanes get results
  input  logic                 share_i,
  input  logic                 share_results_i,  // results will come
  input  logic [BeatBits-1:0]  share_index_i,
  output logic                 shares_o,         // the beat has not begun yet, or results are on the way
  input  logic                 share_begin_i,
  input  logic [Lanes-1:0]     share_outside_i,
  input  logic [Lanes-1:0]     share_absent_i,
  input  logic [Lanes-1:0]     share_ended_i,
  input  logic [Lanes-1:0]     share_we_i,
  input  logic [Lanes*128-1:0] share_data_i,

  // sectors: lanes out of range, and results; not while results are on the way from shared memory
  input  logic                 range_i,
  input  logic [Warp-1:0]      range_lanes_i,
  input  logic                 result_we_i,
  input  logic [LaneBits:0]    result_at_i,      // {lane, half}
  input  logic [63:0]          result_i,

  // the request is done; these fields stay until `gone_o`
  input  logic                 done_i,
  input  logic [21:0]          tag_i,
  input  logic [5:0]           passes_i,
  input  logic                 rd_used_i,
  input  logic                 pd_used_i,
  output logic                 gone_o,           // the response is over

  output logic                 rsp_valid_o,
  input  logic                 rsp_take_i,
  output logic [RspBits-1:0]   rsp_o,
  output logic [Lanes*128-1:0] rsp_data_o
);
  localparam int PutBits = $clog2(Lanes);
  localparam int Low     = Warp - Lanes;         // place of the newest beat

  // ---- lanes ---------------------------------------------------------------------------------------------------
  logic [Warp-1:0]  ok_q, code0_q, code1_q, shared_q, range_q, absent_q, ended_q;
  logic [Lanes-1:0] absent, ended, outside;
  logic             next;                        // the answer of the lowest lane has been made

  assign outside = share_begin_i ? share_outside_i | share_absent_i | share_ended_i : '0;
  assign absent  = share_begin_i ? share_absent_i : '0;
  assign ended   = share_begin_i ? share_ended_i : '0;
  always_ff @(posedge clk_i) begin
    if (lane_i || next) begin
      ok_q     <= {lane_ok_i, ok_q[Warp-1:1]};
      code0_q  <= {lane_fault_i[0], code0_q[Warp-1:1]};
      code1_q  <= {lane_fault_i[1], code1_q[Warp-1:1]};
      shared_q <= {lane_shared_i, shared_q[Warp-1:1]};
      range_q  <= {1'b0, range_q[Warp-1:1]};
      absent_q <= {1'b0, absent_q[Warp-1:1]};
      ended_q  <= {1'b0, ended_q[Warp-1:1]};
    end else begin
      range_q  <= range_q | (range_i ? range_lanes_i : '0) | (Warp'(outside) << Low);
      absent_q <= absent_q | (Warp'(absent) << Low);
      ended_q  <= ended_q | (Warp'(ended) << Low);
    end
  end
  assign shared_o     = shared_q[Low +: Lanes];
  assign misaligned_o = code0_q[Low +: Lanes] & ~code1_q[Low +: Lanes];
  assign bad_space_o  = code1_q[Low +: Lanes] & ~code0_q[Low +: Lanes];
  assign illegal_o    = code1_q[Low +: Lanes] & code0_q[Low +: Lanes];

  // ---- results from shared memory ----------------------------------------------------------------------------------
  logic                 begins_q;                // has not begun
  logic [Lanes-1:0]     want_q, got_q, first;    // lanes without results so far; results not in the RAM yet
  logic [Lanes*128-1:0] share_q;
  logic [BeatBits-1:0]  index_q;
  logic [PutBits-1:0]   put_lane;
  logic                 half_q, put;

  assign put      = got_q != '0 && want_q == '0;  // all have come: the lane to put stays the lowest
  assign first    = got_q & (~got_q + 1'b1);
  assign shares_o = begins_q || want_q != '0 || got_q != '0;
  always_comb begin
    put_lane = 'x;
    if (put) begin
      put_lane = '0;
      for (int l = 0; l < Lanes; l++) if (first[l]) put_lane = put_lane | PutBits'(l);
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) {begins_q, want_q, got_q, half_q} <= '0;
    else begin
      begins_q <= share_i || (begins_q && !share_begin_i);
      want_q   <= share_i ? shared_o & {Lanes{share_results_i}} : want_q & ~outside & ~share_we_i;
      got_q    <= (got_q & ~(half_q ? first : '0)) | share_we_i;
      half_q   <= put && !half_q;
    end
    if (share_i) index_q <= share_index_i;
  end
  for (genvar l = 0; l < Lanes; l++) begin : gen_share
    always_ff @(posedge clk_i) if (share_we_i[l]) share_q[l*128 +: 128] <= share_data_i[l*128 +: 128];
  end

  // ---- results -------------------------------------------------------------------------------------------------
  (* ram_style = "block" *) logic [63:0] result [0:2*Warp-1];
  logic                we_q;
  logic [LaneBits:0]   at_q, put_at;
  logic [63:0]         data_q, read_q;

  if (Lanes == Warp) begin : gen_whole
    assign put_at = {put_lane, half_q};
    logic unused_index;
    assign unused_index = ^index_q;
  end else begin : gen_beats
    assign put_at = {index_q, put_lane, half_q};
  end
  always_ff @(posedge clk_i) begin
    we_q   <= put || result_we_i;
    at_q   <= put ? put_at : result_at_i;
    data_q <= put ? share_q[{put_lane, half_q, 6'd0} +: 64] : result_i;
    // written or read: both in one cycle would cost a register beside the RAM
    if (we_q) result[at_q] <= data_q;
    else read_q <= result[read_at_q];
  end

  // ---- the response ------------------------------------------------------------------------------------------
  // Half by half: read, and one cycle later put into the beat; the upper half completes the lane.
  localparam logic [1:0] Idle = 2'd0, Make = 2'd1, Send = 2'd2;
  logic [1:0]         state_q;
  logic [LaneBits:0]  read_at_q;                 // {lane, half}
  logic               made_q, whole, last_q, any_q, served, faults;
  logic [PutBits:0]   made_at_q;
  logic [Lanes-1:0]   written_q, pred_q;
  logic [5:0]         code;
  logic [Lanes*6-1:0] codes_q;

  assign whole  = &made_at_q && made_q;
  assign next   = made_q && made_at_q[0];
  assign gone_o = state_q == Send && rsp_take_i && last_q;
  always_ff @(posedge clk_i) begin
    case (state_q)
      Idle: if (done_i) state_q <= Make;
      Make: if (whole) state_q <= Send;
      default: if (rsp_take_i) state_q <= last_q ? Idle : Make;
    endcase
    if (rst_i) state_q <= Idle;
  end
  // A beat is read in as many cycles as a beat has halves, and no longer.
  logic reads, reads_q;
  assign reads = state_q == Make && reads_q;
  always_ff @(posedge clk_i) begin
    reads_q <= state_q != Make || (reads_q && !(&read_at_q[PutBits:0]));
    if (state_q == Idle) read_at_q <= '0;
    else if (reads) read_at_q <= read_at_q + 1'b1;
    made_q    <= reads && !rst_i;
    made_at_q <= read_at_q[PutBits:0];
    if (reads && &read_at_q) last_q <= 1'b1;
    else if (state_q == Idle) last_q <= 1'b0;
  end

  assign served = ok_q[0] && !range_q[0];
  assign faults = code0_q[0] || code1_q[0] || range_q[0];
  always_comb begin
    case ({code1_q[0], code0_q[0]})
      2'd1:    code = `WL_FAULT_MISALIGNED_ADDRESS;
      2'd2:    code = `WL_FAULT_BAD_SPACE;
      2'd3:    code = `WL_FAULT_ILLEGAL_INSTRUCTION;
      default: code = !range_q[0] ? `WL_FAULT_NONE : absent_q[0] ? `WL_FAULT_CLUSTER_RANK : ended_q[0] ? `WL_FAULT_CLUSTER_TARGET :
                      shared_q[0] ? `WL_FAULT_SHARED_OUT_OF_RANGE : `WL_FAULT_GLOBAL_OUT_OF_RANGE;
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (state_q != Make) any_q <= 1'b0;
    else if (next) any_q <= any_q || faults;
    if (next) begin
      codes_q   <= {code, codes_q[Lanes*6-1:6]};
      written_q <= {served && rd_used_i, written_q[Lanes-1:1]};
      pred_q    <= {served && pd_used_i, pred_q[Lanes-1:1]};
    end
  end
  logic send_any_q;
  always_ff @(posedge clk_i) if (whole) send_any_q <= any_q || faults;
  for (genvar h = 0; h < 2 * Lanes; h++) begin : gen_half
    always_ff @(posedge clk_i) begin
      if (made_q && made_at_q == (PutBits + 1)'(h)) rsp_data_o[h*64 +: 64] <= served && rd_used_i ? read_q : '0;
    end
  end
  assign rsp_valid_o = state_q == Send;
  assign rsp_o       = {codes_q, send_any_q, pred_q, written_q, last_q ? passes_i : 6'd0, last_q, tag_i};
endmodule
`default_nettype wire
