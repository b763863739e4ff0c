// SPDX-License-Identifier: Apache-2.0
// atoms_pipe, barrier_file and the end of warps for FPGAs too small for sync_core: the same contract, lanes, passes and
// events, but a request at a time and a word at a time. 4 lanes a beat; shared memory is one RAM, with banks by
// address.
//
// The addresses of a beat are formed lane by lane (lane_address for one lane), and pass_select chooses the passes. A
// pass takes the lanes one after the other: read a word, work on the word, write the word. COMMIT is at the write of
// the last word of the pass; nobody else reads in between. Named barriers are in barrier_file itself.
//
// Small data lie in one RAM, `scratch`: operands of the beat {00, lane, word} (Ra words 0 and 1, Rb 2 to 5, Rc 6 to 9;
// the sender of the request writes the words that are read), results {0100, lane, word}, windows {1000, slot}, and
// waiting warps {11, warp}.
//
// Each event is shown by itself and waits to be taken (`ev_*`), so nothing is lost however slow the taker.
`include "wl_config.vh"
`include "wl_units.vh"
`include "serial_events.vh"
`default_nettype none

module serial_core #(
  parameter int SmemBytes = 4096,          // 4096..65536, a power of two
  parameter int Units     = 5,             // atoms_pipe, and perhaps barrier_file
  parameter int Arch      = 75,            // encodings; 0: as in arch_i
  parameter int Warps     = 8,             // 2..48
  parameter int Slots     = 2,             // CTAs with named barriers: 2, 4, 8, 16; windows exist for 16
  parameter int AddrBits  = $clog2(SmemBytes)   // derived, do not override
) (
  input  logic         clk_i,
  input  logic         rst_i,

  // a request; the fields hold from the first beat to the last beat
  input  logic [7:0]   arch_i,
  input  logic [21:0]  req_tag_i,
  input  logic [127:0] req_word_i,
  input  logic [31:0]  req_mask_i,
  input  logic [31:0]  req_pred_i,
  input  logic [3:0]   req_slot_i,
  input  logic [31:0]  req_ur_i,
  input  logic         beat_valid_i,       // the operands of the beat are in scratch
  output logic         beat_ready_o,       // the beat is over; operands of the next beat may come
  input  logic         op_we_i,            // only between beats
  input  logic [5:0]   op_addr_i,          // {lane, word}
  input  logic [31:0]  op_data_i,

  // windows, host, waiting warps, state of a named barrier: all between requests, as in sync_core
  input  logic         cfg_valid_i,
  input  logic [3:0]   cfg_slot_i,
  input  logic         cfg_open_i,
  input  logic [16:0]  cfg_base_i,
  input  logic [16:0]  cfg_size_i,
  input  logic [5:0]   cfg_warps_i,
  input  logic         host_valid_i,
  output logic         host_ready_o,
  input  logic         host_write_i,
  input  logic [15:0]  host_addr_i,
  input  logic [31:0]  host_wdata_i,
  output logic         host_rvalid_o,
  output logic [31:0]  host_rdata_o,
  input  logic [5:0]   wait_warp_i,
  output logic         wait_valid_o,       // all further outputs a cycle later
  output logic [3:0]   wait_slot_o,
  output logic [3:0]   wait_id_o,
  output logic [21:0]  wait_tag_o,
  input  logic         bar_valid_i,
  output logic         bar_ready_o,
  input  logic [3:0]   bar_slot_i,
  input  logic [3:0]   bar_id_i,
  output logic         bar_valid_o,
  output logic [126:0] bar_status_o,
  output logic         idle_o,

  // events
  output logic         ev_valid_o,
  input  logic         ev_ready_i,
  output logic [2:0]   ev_kind_o,          // WL_SERIAL_*
  input  logic [1:0]   ev_code_i,          // of a FAULT: the code of the lanes to show
  output logic [31:0]  ev_lanes_o,         // all but RELEASE and RESPONSE
  output logic [5:0]   ev_fault_o,         // BAR_FAULT
  output logic [3:0]   rel_slot_o,         // RELEASE
  output logic [3:0]   rel_id_o,
  output logic [47:0]  rel_warps_o,
  output logic [31:0]  rel_value_o,
  output logic         rsp_last_o,         // RESPONSE
  output logic [5:0]   rsp_passes_o,
  output logic [3:0]   rsp_mask_o,
  output logic [3:0]   rsp_pred_o,
  output logic [23:0]  rsp_fault_o,
  output logic [15:0]  rsp_map_o,          // non-zero results
  input  logic [3:0]   rsp_word_i,
  output logic [31:0]  rsp_data_o,         // the cycle after

  // writes of a pass, for a simulation
  output logic                mem_we_o,
  output logic [AddrBits-3:0] mem_addr_o,
  output logic [31:0]         mem_old_o,
  output logic [31:0]         mem_new_o
);
  localparam int Lanes = 4;
  localparam int CtlBits = 25;

  localparam logic [4:0]
    Idle = 5'd0, Decode = 5'd1, Base = 5'd2, Window = 5'd3, Lane = 5'd4, Sum = 5'd5, Judge = 5'd6, Told = 5'd7, Pass = 5'd8,
    Read = 5'd9, Take = 5'd10, Work = 5'd11, NewRead = 5'd12, NewWrite = 5'd13, Compared = 5'd14, Done = 5'd15,
    Refused = 5'd16, ReadRa = 5'd17, ReadRb = 5'd18, TakeRb = 5'd19, Head = 5'd20, Watch = 5'd21, Value = 5'd22,
    Verdict = 5'd23, Park = 5'd24, Freed = 5'd25, Answer = 5'd26, Over = 5'd27;

  if (Warps < 2 || Warps > 48) begin : gen_bad_warps
    warps_must_be_2_to_48 u_bad ();
  end
  if (SmemBytes < 4096 || SmemBytes > 65536 || (SmemBytes & (SmemBytes - 1)) != 0) begin : gen_bad_smem
    smem_bytes_must_be_a_power_of_two_from_4096_to_65536 u_bad ();
  end
  if ((Units & ~5) != 0 || (Units & 1) == 0) begin : gen_bad_units
    the_serial_core_has_atoms_pipe_and_barrier_file_only u_bad ();
  end

  logic [4:0]  state_q;
  logic [2:0]  beat_q;
  logic [1:0]  lane_q, k_q;                // k: word of an access
  logic        ends;                       // the last beat of a request

  // ---- the word --------------------------------------------------------------------------------------------
  logic [3:0]  dec_unit, unit_q;
  logic [4:0]  dec_kind, kind_q;
  logic [31:0] dec_ctl;
  logic [32:0] dec_imm;
  logic        dec_ra, dec_rb, dec_rc, dec_ur, dec_pred, dec_header, dec_waits, dec_posted, dec_packed, dec_illegal;
  logic [CtlBits-1:0] ctl_q;
  logic        ra_q, header_q, illegal_q, ur_used_q;
  logic [31:0] base_q;                     // immediate, then with the uniform register
  sync_decode #(.Arch(Arch), .Units(Units)) u_decode (
    .arch_i, .word_i(req_word_i), .unit_o(dec_unit), .kind_o(dec_kind), .ctl_o(dec_ctl), .imm_o(dec_imm),
    .ra_used_o(dec_ra), .rb_used_o(dec_rb), .rc_used_o(dec_rc), .ur_used_o(dec_ur), .pred_used_o(dec_pred),
    .header_o(dec_header), .waits_o(dec_waits), .posted_o(dec_posted), .packed_o(dec_packed), .illegal_o(dec_illegal)
  );
  logic unused_word;
  assign unused_word = ^{dec_rb, dec_rc, dec_pred, dec_waits, dec_posted, dec_packed, dec_ctl[31:CtlBits], dec_imm[32]};

  logic [2:0]  size;
  logic        wants, load, store, compares, casts, told;
  assign size     = ctl_q[`WL_ATOMS_PIPE_CTL_SIZE];
  assign wants    = ctl_q[`WL_ATOMS_PIPE_CTL_RD_USED];
  assign told     = ctl_q[`WL_ATOMS_PIPE_CTL_PD_USED];
  assign load     = kind_q == `WL_ATOMS_PIPE_LDS;
  assign store    = kind_q == `WL_ATOMS_PIPE_STS;
  assign casts    = kind_q == `WL_ATOMS_PIPE_ATOMS_CAST || kind_q == `WL_ATOMS_PIPE_ATOMS_CAST_P;
  assign compares = casts || kind_q == `WL_ATOMS_PIPE_ATOMS_CAS;

  // ---- scratch ---------------------------------------------------------------------------------------------
  logic        s_we;
  logic [7:0]  s_rd, s_wr;
  logic [31:0] s_in, s_q;
  (* no_rw_check *) logic [31:0] scratch [0:255];   // no word is read in the cycle of the write
  always_ff @(posedge clk_i) begin
    if (s_we) scratch[s_wr] <= s_in;
    s_q <= scratch[s_rd];
  end

  // ---- lanes of the beat -----------------------------------------------------------------------------------
  logic [Lanes-1:0]    here, ok_q, code1_q, code0_q, pending_q, losers_q, pass_q, chosen_q, pred_q;
  logic                started_q, eq_q;
  logic [15:0]         map_q;
  logic [5:0]          passes_q;
  logic [31:0]         sum_q, tried_q, old_q, b_q;
  logic [Lanes*16-1:0] addr_q;             // 16 bits apart
  logic [Lanes*AddrBits-1:0] addrs;
  assign here = req_mask_i[{beat_q, 2'b00} +: 4];
  assign ends = header_q || beat_q == 3'd7;
  logic any_code;
  assign any_code = (code1_q | code0_q) != '0;

  logic [31:0]         scaled;
  always_comb begin
    case (ctl_q[`WL_ATOMS_PIPE_CTL_SCALE])
      3'd0:    scaled = s_q;
      3'd2:    scaled = {s_q[29:0], 2'd0};
      3'd3:    scaled = {s_q[28:0], 3'd0};
      default: scaled = {s_q[27:0], 4'd0};
    endcase
  end
  logic                window_open;
  logic [16:0]         window_base, window_size;
  logic [25:0]         window_q;           // {base, size} / 16
  logic [15:0]         open_q;
  assign window_base = {window_q[25:13], 4'd0};
  assign window_size = {window_q[12:0], 4'd0};
  assign window_open = open_q[req_slot_i];

  logic [AddrBits-1:0] one_addr;
  logic                one_ok, one_code1, one_code0, one_pending, one_loser, unused_code2;
  logic [31:0]         tried;
  lane_address #(.Lanes(1), .AddrBits(AddrBits)) u_address (
    .valid_i(1'b1), .mask_i(1'b1), .ra_i(sum_q), .ra_used_i(1'b1), .scale_i(3'd0), .offset_i(32'd0), .size_i(size),
    .illegal_i(illegal_q), .spin_i(ctl_q[`WL_ATOMS_PIPE_CTL_SPIN]), .window_valid_i(window_open),
    .window_base_i(window_base), .window_size_i(window_size), .window_rank_i(4'd0), .tried_i(tried_q),
    .reaches_i(1'b0), .serves_i(1'b0), .several_i(1'b0), .there_i(16'd0), .lives_i(16'd0), .there_base_i(208'd0),
    .there_size_i(208'd0),                                                     // clusters are not built here
    .addr_o(one_addr), .ok_o(one_ok), .code2_o(unused_code2), .code1_o(one_code1), .code0_o(one_code0), .pending_o(one_pending),
    .losers_o(one_loser), .tried_o(tried)
  );

  for (genvar l = 0; l < Lanes; l++) begin : gen_addr
    assign addrs[l*AddrBits +: AddrBits] = addr_q[l*16 +: AddrBits];
  end
  logic [1:0] group;                       // words of an access - 1
  assign group = size == 3'd4 ? 2'd3 : size == 3'd3 ? 2'd1 : 2'd0;
  logic [Lanes-1:0] chosen;
  logic             unused_all;
  logic [3:0]       unused_banks;
  logic [7:0]       unused_win;
  logic [Lanes-1:0] unused_with;
  logic [1:0]       unused_lead;
  pass_select #(.Lanes(Lanes), .Banks(4), .AddrBits(AddrBits)) u_select (
    .valid_i(1'b1), .load_i(load), .combine_i(1'b0), .store_i(1'b0), .group_i(group), .pending_i(pending_q), .addr_i(addrs),
    .lanes_o(chosen), .all_o(unused_all), .banks_o(unused_banks), .win_o(unused_win), .with_o(unused_with), .lead_o(unused_lead)
  );

  // ---- shared memory ---------------------------------------------------------------------------------------
  logic                m_we;
  logic [AddrBits-3:0] m_at, word_at;
  logic [31:0]         m_in, m_q;
  (* no_rw_check *) logic [31:0] mem [0:SmemBytes/4-1];   // likewise
  always_ff @(posedge clk_i) begin
    if (m_we) mem[m_at] <= m_in;
    m_q <= mem[m_at];
  end
  logic [AddrBits-1:0] lane_at;
  assign lane_at = addr_q[{lane_q, 4'd0} +: AddrBits];
  assign word_at = lane_at[AddrBits-1:2] | {{AddrBits-4{1'b0}}, k_q};     // accesses are aligned

  // ---- work on a word --------------------------------------------------------------------------------------
  logic [31:0] spread, unused_alu, worked, merged, fetched;
  logic [3:0]  bytes;
  logic [15:0] half;
  logic [7:0]  octet;
  logic [1:0]  unused_match;
  assign spread = size == 3'd0 ? {4{b_q[7:0]}} : size == 3'd1 ? {2{b_q[15:0]}} : b_q;
  atomic_alu #(.Pairs(1)) u_alu (
    .valid_i(1'b1), .op_i(store ? 4'd8 : ctl_q[`WL_ATOMS_PIPE_CTL_OP]), .signed_i(ctl_q[`WL_ATOMS_PIPE_CTL_SIGNED]), .cas_i(1'b0),
    .wide_i(1'b0), .quad_i(1'b0), .old_i({32'd0, old_q}), .b_i({32'd0, spread}), .c_i(64'd0), .new_o({unused_alu, worked}),
    .match_o(unused_match)
  );
  assign bytes = size == 3'd0 ? 4'b0001 << lane_at[1:0] : size == 3'd1 ? (lane_at[1] ? 4'b1100 : 4'b0011) : 4'b1111;
  always_comb begin
    for (int i = 0; i < 4; i++) merged[i*8 +: 8] = bytes[i] ? worked[i*8 +: 8] : old_q[i*8 +: 8];
    half    = lane_at[1] ? old_q[31:16] : old_q[15:0];
    octet   = lane_at[0] ? half[15:8] : half[7:0];
    fetched = old_q;
    if (size == 3'd0) fetched = {{24{ctl_q[`WL_ATOMS_PIPE_CTL_SIGNED] && octet[7]}}, octet};
    if (size == 3'd1) fetched = {{16{ctl_q[`WL_ATOMS_PIPE_CTL_SIGNED] && half[15]}}, half};
  end

  logic equal, last_k, last_lane, writes;
  assign equal        = old_q == b_q && (k_q == 2'd0 || eq_q);
  assign last_k       = k_q == group;
  assign last_lane    = lane_q == 2'd3;
  assign writes       = !load && !compares;

  always_comb begin
    m_at = word_at;
    m_in = state_q == NewWrite ? s_q : merged;
    m_we = (state_q == Work && writes) || state_q == NewWrite;
    if (state_q == Idle) begin
      m_at = host_addr_i[AddrBits-1:2];
      m_in = host_wdata_i;
      m_we = host_valid_i && host_ready_o && host_write_i;
    end
  end
  assign mem_we_o   = m_we && state_q != Idle;
  assign mem_addr_o = m_at;
  assign mem_old_o  = state_q == NewWrite ? m_q : old_q;
  assign mem_new_o  = m_in;
  logic unused_host;
  assign unused_host = ^{host_addr_i, cfg_base_i[3:0], cfg_size_i[3:0]};

  // ---- named barriers --------------------------------------------------------------------------------------
  localparam int RspBits = 30 + Lanes * 8;
  logic [RspBits-1:0] bar_rsp;
  logic [Lanes*128-1:0] bar_data;
  logic               bar_ready, bar_answers, bar_park, bar_rel, bar_fault, bar_commit, bar_idle, exits;
  logic [5:0]         bar_code;
  logic [120:0]       bar_release;
  assign exits = unit_q == `WL_UNIT_SYNC_CORE;

  if (((Units >> `WL_UNIT_BARRIER_FILE) & 1) != 0) begin : gen_barrier_file
    logic [3:0]       unused_park_slot;
    logic [15:0]      unused_park_id;
    logic [Warps-1:0] unused_park_warps;
    logic [21:0]      unused_tag;
    logic [31:0]      unused_mask;
    barrier_place #(.Lanes(Lanes), .Ports(1), .Warps(Warps), .Slots(Slots)) u_barriers (
      .clk_i, .rst_i, .cfg_valid_i(cfg_valid_i && 32'(cfg_slot_i) < Slots), .cfg_slot_i, .cfg_open_i, .cfg_warps_i, .head_valid_i(state_q == Head && !exits),
      .head_exit_i(state_q == Head && exits && bar_ready), .head_ready_o(bar_ready), .head_kind_i(kind_q),
      .head_ctl_i(32'(ctl_q)), .head_tag_i(req_tag_i), .head_slot_i(req_slot_i), .head_ra_i({32'd0, old_q}),
      .head_rb_i({32'd0, b_q}), .head_mask_i(req_mask_i), .head_pred_i(req_pred_i), .rsp_valid_o(bar_answers), .rsp_take_i(1'b1),
      .rsp_o(bar_rsp), .rsp_data_o(bar_data), .park_valid_o(bar_park), .park_slot_o(unused_park_slot),
      .park_id_o(unused_park_id), .park_warps_o(unused_park_warps), .rel_valid_o(bar_rel), .rel_o(bar_release),
      .status_valid_i(bar_valid_i), .status_ready_o(bar_ready_o), .status_slot_i(bar_slot_i), .status_id_i(bar_id_i),
      .status_valid_o(bar_valid_o), .status_o(bar_status_o), .fault_o(bar_fault), .fault_code_o(bar_code),
      .commit_o(bar_commit), .judged_tag_o(unused_tag), .judged_mask_o(unused_mask), .idle_o(bar_idle)
    );
  end else begin : gen_no_barrier_file
    assign {bar_rsp, bar_data, bar_answers, bar_park, bar_rel, bar_release, bar_fault, bar_code, bar_commit} = '0;
    assign {bar_ready_o, bar_valid_o, bar_status_o} = '0;
    assign bar_ready = 1'b1;
    assign bar_idle  = 1'b1;
    logic unused_bar;
    assign unused_bar = ^{bar_valid_i, bar_slot_i, bar_id_i, cfg_warps_i, req_pred_i, ctl_q};
  end
  logic unused_rsp;
  assign unused_rsp = ^{bar_rsp, bar_data, bar_release, bar_commit};   // a judgement without fault is a COMMIT

  logic             faults_q, parks_q, frees_q;
  logic [5:0]       code_q;
  logic             bar_mask_q;
  logic [11:0]      value_q;
  logic [3:0]       rel_slot_q, rel_id_q;
  logic [Warps-1:0] rel_warps_q, waits_q;
  logic [11:0]      rel_value_q;

  // ---- scratch's ports -------------------------------------------------------------------------------------
  always_comb begin
    case (state_q)
      Base:    s_rd = {4'b1000, req_slot_i};
      Lane:    s_rd = {2'b00, lane_q, 4'd0};
      Read:    s_rd = {2'b00, lane_q, 4'd2 + {2'd0, k_q}};
      NewRead: s_rd = {2'b00, lane_q, 4'd6 + {2'd0, k_q}};
      ReadRa:  s_rd = 8'd0;
      ReadRb:  s_rd = 8'd2;
      Answer:  s_rd = {4'b0100, rsp_word_i};
      default: s_rd = {2'b11, wait_warp_i};
    endcase
  end
  logic writes_result;
  assign writes_result = (state_q == Work && wants && !casts && !store) || (state_q == Compared && wants && casts) ||
                         (state_q == Value && bar_mask_q);
  always_comb begin
    s_we = op_we_i || cfg_valid_i || writes_result || state_q == Park;
    s_wr = {2'b00, op_addr_i};
    s_in = op_data_i;
    if (cfg_valid_i) begin
      s_wr = {4'b1000, cfg_slot_i};
      s_in = {6'd0, cfg_base_i[16:4], cfg_size_i[16:4]};
    end
    if (writes_result) begin
      s_wr = {4'b0100, lane_q, k_q};
      s_in = state_q == Value ? {20'd0, value_q} : state_q == Compared ? {31'd0, eq_q} : fetched;
    end
    if (state_q == Park) begin
      s_wr = {2'b11, req_tag_i[21:16]};
      s_in = {2'd0, rel_id_q, rel_slot_q, req_tag_i};
    end
  end
  logic unused_scratch;
  assign unused_scratch = ^s_q;

  // ---- the event shown -------------------------------------------------------------------------------------
  logic [3:0] shown;
  logic       refuses;
  assign refuses = unit_q != `WL_UNIT_ATOMS_PIPE && !exits &&
                   (unit_q != `WL_UNIT_BARRIER_FILE || ((Units >> `WL_UNIT_BARRIER_FILE) & 1) == 0);
  always_comb begin
    case (state_q)
      Told:    shown = ev_code_i == 2'd0 ? code0_q & ~code1_q : ev_code_i == 2'd1 ? code1_q & ~code0_q : code1_q & code0_q;
      Done:    shown = pass_q;
      default: shown = here;
    endcase
    case (state_q)
      Told:    ev_kind_o = `WL_SERIAL_FAULT;
      Done:    ev_kind_o = `WL_SERIAL_COMMIT;
      Refused: ev_kind_o = `WL_SERIAL_REFUSE;
      Verdict: ev_kind_o = exits ? `WL_SERIAL_EXIT : faults_q ? `WL_SERIAL_BAR_FAULT : `WL_SERIAL_BAR_COMMIT;
      Freed:   ev_kind_o = `WL_SERIAL_RELEASE;
      default: ev_kind_o = `WL_SERIAL_RESPONSE;
    endcase
    ev_lanes_o = req_mask_i;
    if (!header_q) begin
      for (int b = 0; b < 8; b++) ev_lanes_o[b*4 +: 4] = beat_q == b[2:0] ? shown : 4'd0;
    end
    for (int l = 0; l < Lanes; l++) begin
      if (header_q) rsp_fault_o[l*6 +: 6] = l != 0 ? `WL_FAULT_NONE : refuses ? `WL_FAULT_ILLEGAL_INSTRUCTION : code_q;
      else if (refuses || (code1_q[l] && code0_q[l])) rsp_fault_o[l*6 +: 6] = refuses && !here[l] ? `WL_FAULT_NONE :
                                                                              `WL_FAULT_ILLEGAL_INSTRUCTION;
      else rsp_fault_o[l*6 +: 6] = code0_q[l] ? `WL_FAULT_MISALIGNED_ADDRESS :
                                   code1_q[l] ? `WL_FAULT_SHARED_OUT_OF_RANGE : `WL_FAULT_NONE;
    end
  end
  assign ev_valid_o   = (state_q == Told && any_code) || state_q == Done || state_q == Refused || state_q == Verdict || state_q == Freed ||
                        state_q == Answer;
  assign ev_fault_o   = code_q;
  assign rel_slot_o   = rel_slot_q;
  assign rel_id_o     = rel_id_q;
  assign rel_warps_o  = 48'(rel_warps_q);
  assign rel_value_o  = {20'd0, rel_value_q};
  assign rsp_last_o   = ends;
  assign rsp_passes_o = passes_q;
  assign rsp_mask_o   = refuses ? '0 : header_q ? {3'd0, bar_mask_q} : wants ? ok_q : '0;
  assign rsp_pred_o   = pred_q;
  assign rsp_map_o    = map_q;
  assign rsp_data_o   = s_q;

  assign beat_ready_o = state_q == Over;
  assign idle_o       = state_q == Idle && !beat_valid_i && bar_idle;
  assign host_ready_o = state_q == Idle && !beat_valid_i;
  assign host_rdata_o = m_q;
  assign wait_valid_o = wait_warp_i < 6'(Warps) && waits_q[wait_warp_i[$clog2(Warps)-1:0]];
  assign {wait_id_o, wait_slot_o, wait_tag_o} = s_q[29:0];

  // ---- steps -----------------------------------------------------------------------------------------------
  logic [2:0] watch_q;
  always_ff @(posedge clk_i) begin
    host_rvalid_o <= host_valid_i && host_ready_o && !host_write_i && !rst_i;
    if (cfg_valid_i) open_q[cfg_slot_i] <= cfg_open_i;
    if (writes_result && s_in != 32'd0) map_q[{lane_q, k_q}] <= 1'b1;

    case (state_q)
      Idle: begin
        lane_q    <= '0;
        k_q       <= '0;
        map_q     <= '0;
        pred_q    <= '0;
        started_q <= 1'b0;
        {ok_q, code1_q, code0_q, pending_q, losers_q} <= '0;
        {faults_q, parks_q, frees_q, bar_mask_q, watch_q} <= '0;
        if (beat_valid_i) state_q <= beat_q == 3'd0 ? Decode : refuses ? here != '0 ? Refused : Answer : Lane;
      end

      // ---- the first beat
      Decode: begin
        unit_q    <= dec_unit;
        kind_q    <= dec_kind;
        ctl_q     <= dec_ctl[CtlBits-1:0];
        base_q    <= dec_imm[31:0];
        ra_q      <= dec_ra;
        ur_used_q <= dec_ur;
        header_q  <= dec_header;
        illegal_q <= dec_illegal || (dec_unit == `WL_UNIT_ATOMS_PIPE && dec_kind == `WL_ATOMS_PIPE_ATOMSN); // no `Native` here
        passes_q  <= '0;
        tried_q   <= '0;
        code_q    <= '0;
        state_q   <= Base;
      end
      Base: begin
        if (ur_used_q) base_q <= base_q + req_ur_i;
        state_q <= Window;
      end
      Window: begin
        window_q <= s_q[25:0];
        state_q  <= refuses ? header_q || here != '0 ? Refused : Answer : header_q ? ReadRa : Lane;
      end
      Refused: if (ev_ready_i) state_q <= Answer;

      // ---- addresses
      Lane: state_q <= here[lane_q] ? Sum : last_lane ? Told : Lane;
      Sum: begin
        sum_q   <= (ra_q ? scaled : 32'd0) + base_q;
        state_q <= Judge;
      end
      Judge: begin
        addr_q[{lane_q, 4'd0} +: 16] <= 16'(one_addr);
        ok_q[lane_q]      <= one_ok;
        code1_q[lane_q]   <= one_code1;
        code0_q[lane_q]   <= one_code0;
        pending_q[lane_q] <= one_pending;
        losers_q[lane_q]  <= one_loser;
        tried_q           <= tried;
        state_q           <= last_lane ? Told : Lane;
      end
      Told: if (ev_ready_i || !any_code) state_q <= Pass;

      // ---- a pass
      Pass: begin
        chosen_q  <= chosen;
        pass_q    <= chosen | (started_q ? '0 : losers_q);
        pending_q <= pending_q & ~chosen;
        started_q <= 1'b1;
        if (chosen == '0 && (started_q || losers_q == '0)) begin
          state_q <= Answer;
        end else begin
          passes_q <= passes_q + 6'd1;
          state_q  <= Read;
        end
      end
      Read: state_q <= chosen_q[lane_q] ? Take : last_lane ? Done : Read;
      Take: begin
        old_q   <= m_q;
        b_q     <= s_q;
        state_q <= Work;
      end
      Work: begin
        eq_q <= equal;
        k_q  <= last_k ? 2'd0 : k_q + 2'd1;
        if (!last_k) state_q <= Read;
        else if (compares) state_q <= equal ? NewRead : Compared;
        else state_q <= last_lane ? Done : Read;
      end
      NewRead: state_q <= NewWrite;
      NewWrite: begin
        k_q     <= last_k ? 2'd0 : k_q + 2'd1;
        state_q <= last_k ? Compared : NewRead;
      end
      Compared: begin
        if (kind_q == `WL_ATOMS_PIPE_ATOMS_CAST_P && told) pred_q[lane_q] <= eq_q;
        state_q <= last_lane ? Done : Read;
      end
      Done: if (ev_ready_i) state_q <= Pass;

      // ---- header-only requests
      ReadRa: state_q <= ReadRb;
      ReadRb: begin
        old_q   <= s_q;
        state_q <= TakeRb;
      end
      TakeRb: begin
        b_q     <= s_q;
        state_q <= Head;
      end
      Head: if (bar_ready) state_q <= Watch;
      Watch: begin       // an answer comes two cycles later, a release after an end three
        faults_q  <= faults_q || bar_fault;
        parks_q   <= parks_q || bar_park;
        frees_q   <= frees_q || bar_rel;
        if (bar_fault) code_q <= bar_code;
        if (bar_rel || bar_park) begin
          rel_slot_q  <= bar_release[115:112];
          rel_id_q    <= bar_release[99:96];
          rel_warps_q <= bar_release[32 +: Warps];
          rel_value_q <= bar_release[11:0];
        end
        if (bar_answers) begin
          value_q    <= bar_data[11:0];
          bar_mask_q <= bar_rsp[29];
          pred_q[0]  <= bar_rsp[33];
          passes_q   <= bar_rsp[28:23];
        end
        watch_q <= watch_q + 3'd1;
        if (watch_q == 3'd5) state_q <= Value;
      end
      Value: state_q <= Verdict;
      Verdict: if (ev_ready_i) state_q <= parks_q ? Park : frees_q ? Freed : Answer;
      Park: state_q <= frees_q ? Freed : Over;
      Freed: if (ev_ready_i) state_q <= parks_q ? Over : Answer;

      Answer: if (ev_ready_i) state_q <= Over;
      Over: begin
        beat_q  <= ends ? 3'd0 : beat_q + 3'd1;
        state_q <= Idle;
      end
      default: state_q <= Idle;
    endcase
    // lane after lane
    if ((state_q == Lane && !here[lane_q]) || state_q == Judge || (state_q == Read && !chosen_q[lane_q]) || state_q == Compared ||
        (state_q == Work && last_k && !compares)) begin
      lane_q <= lane_q + 2'd1;
    end
    if (rst_i) begin
      state_q <= Idle;
      beat_q  <= '0;
      open_q  <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) waits_q <= '0;
    else if (state_q == Park) waits_q <= waits_q | (Warps'(1) << req_tag_i[21:16]);
    else if (state_q == Freed && ev_ready_i) waits_q <= waits_q & ~rel_warps_q;
  end
endmodule
`default_nettype wire
