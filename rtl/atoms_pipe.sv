// SPDX-License-Identifier: Apache-2.0
// Shared-memory access and atomics: LDS, STS, ATOMS, ATOMS.CAS, ATOMS.CAST(.SPIN). One pass every cycle.
//
//   A  address: form and judge the lanes' addresses, SPIN groups       one beat, waits for P
//   P  pass: choose the lanes of the next pass                         one beat until its last pass, waits for a slot
//   R  read: lanes to banks, read the RAM
//   X  execute: read-modify-write, write the RAM                       COMMIT
//   W  write back: banks to lanes, into the response slot
//
// A and P wait, R X W never do: a beat takes its response slot before its first pass. A pass reads in R while the one
// ahead of it writes in X; smem_banks forwards. A beat without a lane that takes part goes through as an empty pass,
// which is not counted and is no COMMIT.
`include "assert.vh"
`include "wl_units.vh"
`default_nettype none

module atoms_pipe #(
  parameter int Lanes     = 32,                              // 4, 8, 16, 32
  parameter int Banks     = 32,                              // 4, 8, 16, 32
  parameter int PortBits  = 1,
  parameter int SlotBits  = 3,
  parameter int SmemBytes = 65536,
  parameter int RaBits    = 32,                              // of each lane's Ra on the beat bus, 32 or more
  parameter bit Trace     = 1'b1,
  parameter int BeatBits  = Lanes < 32 ? $clog2(32 / Lanes) : 1,   // derived, do not override, like all below
  parameter int AddrBits  = $clog2(SmemBytes),
  parameter int BankBits  = $clog2(Banks),
  parameter int LaneBits  = $clog2(Lanes),
  parameter int RowBits   = AddrBits - 2 - BankBits,
  parameter int HeadBits  = 22 + 1 + 6 + Lanes * 3
) (
  input  logic                     clk_i,
  input  logic                     rst_i,

  // request beats; all beats of a request follow each other
  input  logic                     beat_valid_i,
  output logic                     beat_ready_o,
  input  logic [PortBits-1:0]      beat_port_i,
  input  logic [21:0]              beat_tag_i,
  input  logic [3:0]               beat_slot_i,
  input  logic [4:0]               beat_kind_i,     // WL_ATOMS_PIPE_*
  input  logic [31:0]              beat_ctl_i,      // WL_ATOMS_PIPE_CTL_*
  input  logic [6:0]               beat_flags_i,    // WL_FLAG_*
  input  logic [31:0]              beat_base_i,     // uniform register plus offset
  input  logic [BeatBits-1:0]      beat_index_i,
  input  logic                     beat_last_i,
  input  logic [Lanes-1:0]         beat_mask_i,
  input  logic [Lanes*RaBits-1:0]  beat_ra_i,
  input  logic [Lanes*128-1:0]     beat_rb_i,       // compare-and-swap: {Rc (64), Rb (64)}
  output logic                     done_valid_o,    // a request has committed wholly
  output logic [5:0]               done_warp_o,

  // response slots (rsp_queue)
  output logic [PortBits-1:0]      rsp_port_o,      // of ready, alloc, slot and head
  input  logic                     rsp_alloc_ready_i,
  output logic                     rsp_alloc_o,
  input  logic [SlotBits-1:0]      rsp_alloc_slot_i,
  output logic                     rsp_head_we_o,
  output logic [SlotBits-1:0]      rsp_head_slot_o,
  output logic [HeadBits-1:0]      rsp_head_o,
  output logic [PortBits-1:0]      rsp_data_port_o, // of data and finish
  output logic [SlotBits-1:0]      rsp_data_slot_o,
  output logic [Lanes-1:0]         rsp_data_we_o,
  output logic [Lanes*128-1:0]     rsp_data_o,
  output logic                     rsp_finish_o,

  // CTA windows
  input  logic                     cfg_valid_i,
  input  logic [3:0]               cfg_slot_i,
  input  logic                     cfg_window_valid_i,
  input  logic [16:0]              cfg_base_i,
  input  logic [16:0]              cfg_size_i,

  // the way to smem_banks
  input  logic                     hold_i,          // issue no pass
  output logic                     issue_o,         // a pass is issued: it reads in the next cycle, writes in the one after
  output logic [Banks-1:0]         mem_rd_en_o,
  output logic [Banks*RowBits-1:0] mem_rd_row_o,
  input  logic [Banks*32-1:0]      mem_rd_data_i,
  input  logic [Banks-1:0]         mem_rd_fwd_i,
  output logic [Banks-1:0]         mem_wr_en_o,
  output logic [Banks*RowBits-1:0] mem_wr_row_o,
  output logic [Banks*32-1:0]      mem_wr_data_o,

  output logic                     idle_o,          // nothing in A to W; results may still wait for their port

  // trace
  output logic                     trace_fault_valid_o,
  output logic [21:0]              trace_fault_tag_o,
  output logic [95:0]              trace_fault_lanes_o,
  output logic                     trace_commit_valid_o,
  output logic [21:0]              trace_commit_tag_o,
  output logic [31:0]              trace_commit_lanes_o,
  output logic [Banks-1:0]         trace_commit_we_o,
  output logic [Banks*RowBits-1:0] trace_commit_row_o,
  output logic [Banks*32-1:0]      trace_commit_old_o,
  output logic [Banks*32-1:0]      trace_commit_now_o,
  output logic [Banks-1:0]         trace_commit_fwd_o
);
  localparam int LowBits = BankBits + 2;             // address bits that say bank and byte
  localparam int CtlBits = `WL_ATOMS_PIPE_CTL_BITS;
  localparam logic [3:0] OpExch = 4'd8;              // of atomic_alu: a store

  // ---- the beat in P (declared here because A waits for it) ------------------------------------------------
  logic                      p_valid_q, p_started_q, p_last_q;
  logic [Lanes-1:0]          p_pending_q, p_losers_q, p_mask_q, p_code1_q, p_code0_q;
  logic [21:0]               p_tag_q;
  logic [PortBits-1:0]       p_port_q;
  logic [BeatBits-1:0]       p_index_q;
  logic [4:0]                p_kind_q;
  logic [CtlBits-1:0]        p_ctl_q;
  logic [SlotBits-1:0]       p_slot_q, p_slot;
  logic [Lanes*AddrBits-1:0] p_addr_q;
  logic [Lanes*128-1:0]      p_data_q;
  logic [5:0]                passes_q, passes;
  logic                      p_fire, p_leave;
  logic [1:0]                p_group;
  logic [Lanes-1:0]          p_chosen, p_lanes, p_rest;
  logic [Banks-1:0]          p_banks;
  logic [Banks*LaneBits-1:0] p_win;

  // ---- A: addresses ----------------------------------------------------------------------------------------
  logic                      a_move, a_rd_used;
  logic                      window_valid;
  logic [16:0]               window_base, window_size;
  logic [31:0]               a_tried, tried_q;
  logic [Lanes*32-1:0]       a_ra;
  logic [Lanes*AddrBits-1:0] a_addr;
  logic [Lanes-1:0]          a_ok, a_code1, a_code0, a_pending, a_losers;

  assign a_rd_used = beat_ctl_i[`WL_ATOMS_PIPE_CTL_RD_USED];
  if (RaBits == 32) begin : gen_ra
    assign a_ra = beat_ra_i;
  end else begin : gen_low_ra
    always_comb begin
      a_ra = 'x;
      if (beat_valid_i) begin
        for (int l = 0; l < Lanes; l++) a_ra[l*32 +: 32] = beat_ra_i[l*RaBits +: 32];
      end
    end
    logic unused_ra;
    assign unused_ra = ^beat_ra_i;
  end

  smem_windows u_windows (
    .clk_i, .rst_i, .cfg_valid_i, .cfg_slot_i, .cfg_window_valid_i, .cfg_base_i, .cfg_size_i,
    .slot_i(beat_slot_i), .window_valid_o(window_valid), .window_base_o(window_base), .window_size_o(window_size)
  );

  lane_address #(.Lanes(Lanes), .AddrBits(AddrBits)) u_address (
    .valid_i(beat_valid_i), .mask_i(beat_mask_i), .ra_i(a_ra), .ra_used_i(beat_flags_i[`WL_FLAG_RA]),
    .scale_i(beat_ctl_i[`WL_ATOMS_PIPE_CTL_SCALE]), .offset_i(beat_base_i), .size_i(beat_ctl_i[`WL_ATOMS_PIPE_CTL_SIZE]),
    .illegal_i(beat_flags_i[`WL_FLAG_ILLEGAL]), .spin_i(beat_ctl_i[`WL_ATOMS_PIPE_CTL_SPIN]),
    .window_valid_i(window_valid), .window_base_i(window_base), .window_size_i(window_size), .tried_i(tried_q),
    .addr_o(a_addr), .ok_o(a_ok), .code1_o(a_code1), .code0_o(a_code0), .pending_o(a_pending), .losers_o(a_losers),
    .tried_o(a_tried)
  );

  assign a_move       = beat_valid_i && beat_ready_o;
  assign beat_ready_o = !p_valid_q || p_leave;

  always_ff @(posedge clk_i) begin
    if (rst_i) tried_q <= '0;
    else if (a_move) tried_q <= beat_last_i ? '0 : a_tried;
  end

  // ---- P: passes -------------------------------------------------------------------------------------------
  // Banks of a group - 1, from the access size.
  function automatic logic [1:0] group_of(input logic [2:0] size);
    group_of = size == 3'd4 ? 2'd3 : size == 3'd3 ? 2'd1 : 2'd0;
  endfunction

  assign p_group = group_of(p_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE]);

  pass_select #(.Lanes(Lanes), .Banks(Banks), .AddrBits(AddrBits)) u_select (
    .valid_i(p_valid_q), .load_i(p_kind_q == `WL_ATOMS_PIPE_LDS), .group_i(p_group), .pending_i(p_pending_q),
    .addr_i(p_addr_q), .lanes_o(p_chosen), .banks_o(p_banks), .win_o(p_win)
  );

  assign p_fire  = p_valid_q && !hold_i && (p_started_q || rsp_alloc_ready_i);
  assign issue_o = p_fire;
  assign p_leave = p_fire && p_rest == '0;
  assign p_slot  = p_started_q ? p_slot_q : rsp_alloc_slot_i;

  assign p_lanes = p_chosen | (p_started_q ? '0 : p_losers_q);
  assign p_rest  = p_pending_q & ~p_chosen;
  assign passes  = passes_q + 6'(p_lanes != '0);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      p_valid_q   <= 1'b0;
      p_started_q <= 1'b0;
      passes_q    <= '0;
    end else begin
      p_valid_q <= a_move || (p_valid_q && !p_leave);
      if (p_fire) begin
        p_started_q <= !p_leave;
        passes_q    <= p_leave && p_last_q ? '0 : passes;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (a_move) begin
      p_tag_q     <= beat_tag_i;
      p_port_q    <= beat_port_i;
      p_index_q   <= beat_index_i;
      p_last_q    <= beat_last_i;
      p_kind_q    <= beat_kind_i;
      p_ctl_q     <= beat_ctl_i[CtlBits-1:0];
      p_pending_q <= a_pending;
      p_losers_q  <= a_losers;
      p_mask_q    <= a_rd_used ? a_ok : '0;
      p_code1_q   <= a_code1;
      p_code0_q   <= a_code0;
      p_addr_q    <= a_addr;
      p_data_q    <= beat_rb_i;
    end else if (p_fire) begin
      p_pending_q <= p_rest;
    end
    if (p_fire) p_slot_q <= p_slot;
  end

  assign rsp_port_o      = p_port_q;
  assign rsp_alloc_o     = p_fire && !p_started_q;
  assign rsp_head_we_o   = p_fire;
  assign rsp_head_slot_o = p_slot;
  assign rsp_head_o      = {p_code1_q, p_code0_q, p_mask_q, passes, p_last_q, p_tag_q};

  // ---- R: lanes to banks, read -----------------------------------------------------------------------------
  logic                      r_valid_q, r_finish_q;
  logic [Lanes-1:0]          r_lanes_q, r_losers_q;
  logic [Banks-1:0]          r_banks_q, r_en;
  logic [Banks*LaneBits-1:0] r_win_q;
  logic [21:0]               r_tag_q;
  logic [PortBits-1:0]       r_port_q;
  logic [BeatBits-1:0]       r_index_q;
  logic [4:0]                r_kind_q;
  logic [CtlBits-1:0]        r_ctl_q;
  logic                      r_last_q;
  logic [SlotBits-1:0]       r_slot_q;
  logic [Lanes*AddrBits-1:0] r_addr_q;
  logic [Lanes*128-1:0]      r_data_q;
  logic [Banks*RowBits-1:0]  r_row;
  logic [Banks*32-1:0]       r_b, r_c;
  logic [Banks*4-1:0]        r_be;
  logic [Lanes*LowBits-1:0]  r_low;

  always_ff @(posedge clk_i) begin
    if (rst_i) r_valid_q <= 1'b0;
    else r_valid_q <= p_fire;
  end
  always_ff @(posedge clk_i) begin
    if (p_fire) begin
      r_finish_q <= p_leave;
      r_lanes_q  <= p_lanes;
      r_losers_q <= p_losers_q;
      r_banks_q  <= p_banks;
      r_win_q    <= p_win;
      if (!p_started_q) begin
        r_tag_q   <= p_tag_q;
        r_port_q  <= p_port_q;
        r_index_q <= p_index_q;
        r_kind_q  <= p_kind_q;
        r_ctl_q   <= p_ctl_q;
        r_last_q  <= p_last_q;
        r_slot_q  <= p_slot;
        r_addr_q  <= p_addr_q;
        r_data_q  <= p_data_q;
      end
    end
  end

  lane_to_bank #(.Lanes(Lanes), .Banks(Banks), .AddrBits(AddrBits)) u_to_bank (
    .valid_i(r_valid_q), .load_i(r_kind_q == `WL_ATOMS_PIPE_LDS),
    .compare_i(r_kind_q == `WL_ATOMS_PIPE_ATOMS_CAS || r_kind_q == `WL_ATOMS_PIPE_ATOMS_CAST),
    .size_i(r_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE]), .group_i(group_of(r_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE])),
    .banks_i(r_banks_q), .win_i(r_win_q), .addr_i(r_addr_q), .data_i(r_data_q),
    .en_o(r_en), .row_o(r_row), .b_o(r_b), .c_o(r_c), .be_o(r_be)
  );
  always_comb begin
    r_low = 'x;
    if (r_valid_q) begin
      for (int l = 0; l < Lanes; l++) r_low[l*LowBits +: LowBits] = r_addr_q[l*AddrBits +: LowBits];
    end
  end

  assign mem_rd_en_o  = r_en;
  assign mem_rd_row_o = r_row;

  // ---- X: read-modify-write, COMMIT ------------------------------------------------------------------------
  logic                     x_valid_q, x_finish_q;
  logic [Lanes-1:0]         x_lanes_q, x_losers_q;
  logic [Banks-1:0]         x_en_q, x_match, x_we;
  logic [21:0]              x_tag_q;
  logic [PortBits-1:0]      x_port_q;
  logic [BeatBits-1:0]      x_index_q;
  logic [4:0]               x_kind_q;
  logic [CtlBits-1:0]       x_ctl_q;
  logic                     x_last_q;
  logic [SlotBits-1:0]      x_slot_q;
  logic [Banks*RowBits-1:0] x_row_q;
  logic [Banks*32-1:0]      x_b_q, x_c_q, x_alu, x_new;
  logic [Banks*4-1:0]       x_be_q;
  logic [Lanes*LowBits-1:0] x_low_q;
  logic                     x_compare;

  always_ff @(posedge clk_i) begin
    if (rst_i) x_valid_q <= 1'b0;
    else x_valid_q <= r_valid_q;
  end
  always_ff @(posedge clk_i) begin
    if (r_valid_q) begin
      x_finish_q <= r_finish_q;
      x_lanes_q  <= r_lanes_q;
      x_losers_q <= r_losers_q;
      x_en_q     <= r_en;
      x_tag_q    <= r_tag_q;
      x_port_q   <= r_port_q;
      x_index_q  <= r_index_q;
      x_kind_q   <= r_kind_q;
      x_ctl_q    <= r_ctl_q;
      x_last_q   <= r_last_q;
      x_slot_q   <= r_slot_q;
      x_row_q    <= r_row;
      x_b_q      <= r_b;
      x_c_q      <= r_c;
      x_be_q     <= r_be;
      x_low_q    <= r_low;
    end
  end

  assign x_compare = x_kind_q == `WL_ATOMS_PIPE_ATOMS_CAS || x_kind_q == `WL_ATOMS_PIPE_ATOMS_CAST;
  atomic_alu #(.Pairs(Banks / 2)) u_alu (
    .valid_i(x_valid_q), .op_i(x_kind_q == `WL_ATOMS_PIPE_STS ? OpExch : x_ctl_q[`WL_ATOMS_PIPE_CTL_OP]),
    .signed_i(x_ctl_q[`WL_ATOMS_PIPE_CTL_SIGNED]), .cas_i(x_compare),
    .wide_i(x_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE] == 3'd3), .old_i(mem_rd_data_i), .b_i(x_b_q), .c_i(x_c_q), .new_o(x_alu), .match_o(x_match)
  );
  // Only stores of 8 and 16 bits write part of a word.
  always_comb begin
    x_new = x_alu;
    if (x_valid_q && x_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE] < 3'd2) begin
      for (int k = 0; k < Banks * 4; k++) begin
        if (!x_be_q[k]) x_new[k*8 +: 8] = mem_rd_data_i[k*8 +: 8];
      end
    end
  end
  assign x_we = !x_valid_q || x_kind_q == `WL_ATOMS_PIPE_LDS ? '0 : x_compare ? x_en_q & x_match : x_en_q;

  assign mem_wr_en_o   = x_we;
  assign mem_wr_row_o  = x_row_q;
  assign mem_wr_data_o = x_new;

  // ---- W: banks to lanes -----------------------------------------------------------------------------------
  logic                     w_valid_q, w_finish_q, w_last_q;
  logic [5:0]               w_warp_q;
  logic [Lanes-1:0]         w_lanes_q, w_losers_q;
  logic [Banks-1:0]         w_match_q;
  logic [PortBits-1:0]      w_port_q;
  logic                     w_cast_q, w_signed_q;
  logic [2:0]               w_size_q;
  logic [SlotBits-1:0]      w_slot_q;
  logic [Banks*32-1:0]      w_old_q;
  logic [Lanes*LowBits-1:0] w_low_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) w_valid_q <= 1'b0;
    else w_valid_q <= x_valid_q;
  end
  always_ff @(posedge clk_i) begin
    if (x_valid_q) begin
      w_finish_q <= x_finish_q;
      w_last_q   <= x_last_q;
      w_warp_q   <= x_tag_q[21:16];
      w_lanes_q  <= x_ctl_q[`WL_ATOMS_PIPE_CTL_RD_USED] ? x_lanes_q : '0;
      w_losers_q <= x_losers_q;
      w_match_q  <= x_match;
      w_port_q   <= x_port_q;
      w_cast_q   <= x_kind_q == `WL_ATOMS_PIPE_ATOMS_CAST;
      w_signed_q <= x_ctl_q[`WL_ATOMS_PIPE_CTL_SIGNED];
      w_size_q   <= x_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE];
      w_slot_q   <= x_slot_q;
      w_old_q    <= mem_rd_data_i;
      w_low_q    <= x_low_q;
    end
  end

  assign rsp_data_port_o = w_port_q;
  assign rsp_data_slot_o = w_slot_q;
  assign rsp_data_we_o   = w_valid_q ? w_lanes_q : '0;
  assign rsp_finish_o    = w_valid_q && w_finish_q;
  assign done_valid_o    = rsp_finish_o && w_last_q;
  assign done_warp_o     = w_warp_q;

  bank_to_lane #(.Lanes(Lanes), .Banks(Banks)) u_to_lane (
    .lanes_i(rsp_data_we_o), .losers_i(w_losers_q), .cast_i(w_cast_q), .signed_i(w_signed_q), .size_i(w_size_q),
    .group_i(group_of(w_size_q)), .addr_i(w_low_q), .old_i(w_old_q), .match_i(w_match_q), .data_o(rsp_data_o)
  );

  logic unused_request;
  assign unused_request = ^{beat_flags_i, beat_ctl_i, r_ctl_q, x_ctl_q};
  assign idle_o = !(beat_valid_i || p_valid_q || r_valid_q || x_valid_q || w_valid_q);

  // ---- trace -----------------------------------------------------------------------------------------------
  if (Trace) begin : gen_trace
    logic [4:0]       fault_shift, commit_shift;
    logic [Lanes-1:0] code3, code2, code1;
    if (Lanes < 32) begin : gen_shift
      assign fault_shift  = {p_index_q, {LaneBits{1'b0}}};
      assign commit_shift = {x_index_q, {LaneBits{1'b0}}};
    end else begin : gen_no_shift
      logic unused_index;
      assign unused_index = ^{p_index_q, x_index_q};
      assign fault_shift  = '0;
      assign commit_shift = '0;
    end
    assign trace_fault_valid_o  = rsp_alloc_o && (p_code1_q | p_code0_q) != '0;
    assign trace_fault_tag_o    = p_tag_q;
    assign code3                = p_code1_q & p_code0_q;
    assign code2                = p_code1_q & ~p_code0_q;
    assign code1                = p_code0_q & ~p_code1_q;
    assign trace_fault_lanes_o  = {32'(code3) << fault_shift, 32'(code2) << fault_shift, 32'(code1) << fault_shift};
    assign trace_commit_valid_o = x_valid_q && x_lanes_q != '0;
    assign trace_commit_tag_o   = x_tag_q;
    assign trace_commit_lanes_o = 32'(x_lanes_q) << commit_shift;
    assign trace_commit_we_o    = x_we;
    assign trace_commit_row_o   = x_row_q;
    assign trace_commit_old_o   = mem_rd_data_i;
    assign trace_commit_now_o   = x_new;
    assign trace_commit_fwd_o   = mem_rd_fwd_i & x_en_q;
  end else begin : gen_no_trace
    logic unused_trace;
    assign unused_trace         = ^{mem_rd_fwd_i, x_index_q, x_tag_q};
    assign trace_fault_valid_o  = 1'b0;
    assign trace_fault_tag_o    = '0;
    assign trace_fault_lanes_o  = '0;
    assign trace_commit_valid_o = 1'b0;
    assign trace_commit_tag_o   = '0;
    assign trace_commit_lanes_o = '0;
    assign trace_commit_we_o    = '0;
    assign trace_commit_row_o   = '0;
    assign trace_commit_old_o   = '0;
    assign trace_commit_now_o   = '0;
    assign trace_commit_fwd_o   = '0;
  end

  `ASSERT(PassHasWinners_A, !p_valid_q || (p_pending_q == '0) == (p_chosen == '0))
  `ASSERT(PassesFit_A, passes_q <= 6'd32)
endmodule
`default_nettype wire
