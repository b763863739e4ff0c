// SPDX-License-Identifier: Apache-2.0
// The way to the banks for accesses from outside the warps: single words for the host, and pieces of asynchronous
// copies ("landing"). Each access is a pass of its own, in a cycle without an issue by atoms_pipe: read stage, then
// write stage. So host, landing and passes see each other in the order of issue.
//
// With `Mbar` pieces may also reduce words, and update mbarriers (land_step).
//
// No piece lands between two passes of a load: lanes of the load on the same word see the same value, and the last pass
// judges a TRYWAIT for all lanes. The host is invisible to a program, and waits for no load.
//
// Only aging holds up a waiting pass of atoms_pipe: after `Patience` refused cycles `hold_o` keeps atoms_pipe from
// issuing for a cycle. Host and landing take turns. A word is served within 2 * (Patience + 1) + 1 cycles.
//
// With `Lean` a piece with a reduction or an mbarrier stands in the write stage for three cycles (a pass of atoms_pipe:
// six). The words go into registers; land_step makes the new words; the new words are written. In the two cycles behind
// the piece neither smem_inject nor atoms_pipe issues.
`include "assert.vh"
`include "land.vh"
`include "mbar.vh"
`include "wl_config.vh"
`default_nettype none

module smem_inject #(
  parameter int Banks     = 32,                            // 4, 8, 16, 32
  parameter int SmemBytes = 65536,
  parameter int Patience  = 16,
  parameter bit Mbar      = 1'b0,                          // mbarrier_engine is built
  parameter bit LayoutA   = 1'b1,                          // for sm_80 too
  parameter bit LayoutV1  = 1'b0,                          // for layout v1 of sm_107 too
  parameter bit Lean      = 1'b0,
  parameter int BankBits  = $clog2(Banks),                 // derived, do not override, like all below
  parameter int RowBits   = $clog2(SmemBytes / 4 / Banks),
  parameter int AgeBits   = $clog2(Patience + 1)
) (
  input  logic                     clk_i,
  input  logic                     rst_i,

  // host: a word
  input  logic                     host_valid_i,
  output logic                     host_ready_o,
  input  logic                     host_write_i,
  input  logic [15:0]              host_addr_i,    // byte address, a multiple of 4
  input  logic [31:0]              host_wdata_i,
  output logic                     host_rvalid_o,  // two cycles after the handshake
  output logic [31:0]              host_rdata_o,

  // landing: words of a row, or an mbarrier
  input  logic                     land_valid_i,
  output logic                     land_ready_o,
  input  logic [2:0]               land_kind_i,    // WL_LAND_*
  input  logic [5:0]               land_op_i,      // REDUCE: WL_LAND_OP_*
  input  logic [15:0]              land_addr_i,    // byte address of word 0 of the row; of the mbarrier
  input  logic [Banks-1:0]         land_words_i,   // words of the row; not read for an mbarrier
  input  logic [Banks*32-1:0]      land_wdata_i,   // TX: transactions, low 32 bits; REPORT: WL_LAND_FOUND, WL_LAND_VALUE
  output logic                     land_rvalid_o,  // two cycles after the handshake
  output logic [Banks*32-1:0]      land_rdata_o,
  output logic [5:0]               land_fault_o,   // of the mbarrier, likewise
  input  logic                     layout_a_i,     // mbarriers have layout A of sm_80
  input  logic                     layout_v1_i,    // mbarriers with bit 0 have layout v1 of sm_107

  // atoms_pipe
  output logic                     hold_o,         // issue no pass in this cycle
  input  logic                     issue_i,        // a pass is issued in this cycle
  input  logic                     load_i,         // a load has had passes and is not done
  input  logic [Banks-1:0]         pipe_rd_en_i,
  input  logic [Banks*RowBits-1:0] pipe_rd_row_i,
  input  logic [Banks-1:0]         pipe_wr_en_i,
  input  logic [Banks*RowBits-1:0] pipe_wr_row_i,
  input  logic [Banks*32-1:0]      pipe_wr_data_i,

  // smem_banks
  output logic [Banks-1:0]         rd_en_o,
  output logic [Banks*RowBits-1:0] rd_row_o,
  input  logic [Banks*32-1:0]      rd_data_i,
  output logic [Banks-1:0]         wr_en_o,
  output logic [Banks*RowBits-1:0] wr_row_o,
  output logic [Banks*32-1:0]      wr_data_o,
  input  logic [Banks-1:0]         rd_mark_i,
  output logic [Banks-1:0]         land_mark_o,    // of the words written by landing

  // mbarrier_engine
  output logic [Banks/2-1:0]       flip_o,         // the mbarrier of this pair of banks ends a phase,
  output logic                     flip_phase_o,   // of this parity,
  output logic [`WL_MBAR_END_BITS-1:0] flip_end_o, // as WL_MBAR_END_* say,
  output logic [RowBits-1:0]       flip_row_o,     // in this row

  output logic                     idle_o,
  output logic                     land_commit_o,  // the clock edge after this cycle writes, or the words are read
  output logic [2:0]               land_commit_kind_o,
  output logic [15:0]              land_commit_addr_o,
  output logic [Banks-1:0]         land_commit_words_o,
  output logic [Banks*32-1:0]      land_commit_now_o // words of the row after this edge
);
  localparam int PairBits = Banks > 2 ? $clog2(Banks / 2) : 1;

  // ---- choice ----------------------------------------------------------------------------------------------
  logic               any, land, pick_land, turn_q, go;   // turn_q: landing is first when both ask
  logic               gap;
  logic [AgeBits-1:0] age_q;

  assign land         = land_valid_i && !load_i;
  assign any          = host_valid_i || land;
  assign pick_land    = land && (turn_q || !host_valid_i);
  assign go           = any && !issue_i && !gap && !rst_i;
  assign host_ready_o = go && !pick_land;
  assign land_ready_o = go && pick_land;
  assign hold_o       = gap || (any && age_q == AgeBits'(Patience));

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      turn_q <= 1'b0;
      age_q  <= '0;
    end else begin
      if (go) turn_q <= !pick_land;
      if (go || (!host_valid_i && !land_valid_i)) age_q <= '0;
      else if (age_q != AgeBits'(Patience)) age_q <= age_q + 1'b1;
    end
  end

  // ---- read stage ------------------------------------------------------------------------------------------
  logic                     r_valid_q, r_land_q;
  logic [2:0]               r_kind_q;
  logic [5:0]               r_op_q;
  logic [15:2]              r_addr_q;
  logic [Banks-1:0]         r_words_q, host_word, object_words;
  logic [Banks*32-1:0]      r_data_q;
  logic [31:0]              r_word_q;
  logic                     tells;

  assign host_word    = Banks'(1) << host_addr_i[2 +: BankBits];
  assign object_words = Banks'(3) << {land_addr_i[3 +: PairBits], 1'b0};
  assign tells        = Mbar && (land_kind_i == `WL_LAND_TX || land_kind_i == `WL_LAND_ARRIVE ||
                                 (LayoutV1 && land_kind_i == `WL_LAND_REPORT));

  always_ff @(posedge clk_i) begin
    if (rst_i) r_valid_q <= 1'b0;
    else r_valid_q <= go;
  end
  always_ff @(posedge clk_i) begin
    if (go) begin
      r_land_q  <= pick_land;
      r_kind_q  <= pick_land ? land_kind_i : host_write_i ? `WL_LAND_WRITE : `WL_LAND_READ;
      r_op_q    <= land_op_i;
      r_addr_q  <= pick_land ? land_addr_i[15:2] : host_addr_i[15:2];
      r_words_q <= !pick_land ? host_word : tells ? object_words : land_words_i;
      r_word_q  <= host_wdata_i;
      if (pick_land) r_data_q <= land_wdata_i;
    end
  end

  always_comb begin
    rd_en_o  = pipe_rd_en_i;
    rd_row_o = pipe_rd_row_i;
    if (r_valid_q) begin
      rd_en_o  = r_kind_q == `WL_LAND_WRITE ? '0 : r_words_q;
      rd_row_o = {Banks{r_addr_q[2 + BankBits +: RowBits]}};
    end
  end

  // ---- write stage -----------------------------------------------------------------------------------------
  logic                     x_valid_q, x_ends, x_busy, x_land_q, x_write, x_read;
  logic [2:0]               x_kind_q;
  logic [5:0]               x_op_q;
  logic [15:2]              x_addr_q;
  logic [Banks-1:0]         x_words_q;
  logic [Banks*32-1:0]      x_data_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) x_valid_q <= 1'b0;
    else x_valid_q <= r_valid_q;
  end
  always_ff @(posedge clk_i) begin
    if (r_valid_q) begin
      x_land_q  <= r_land_q;
      x_kind_q  <= r_kind_q;
      x_op_q    <= r_op_q;
      x_addr_q  <= r_addr_q;
      x_words_q <= r_words_q;
      x_data_q  <= r_land_q ? r_data_q : {Banks{r_word_q}};
    end
  end

  assign x_write = x_kind_q == `WL_LAND_WRITE;
  assign x_read  = x_kind_q == `WL_LAND_READ;

  logic [Banks-1:0]    step_we;
  logic [Banks*32-1:0] step_new;
  if (Mbar) begin : gen_step
    logic                works, phase;
    logic [Banks-1:0]    marks, we, mark;
    logic [Banks*32-1:0] words, made;
    logic [Banks/2-1:0]  flip;
    logic [5:0]          fault;
    logic [`WL_MBAR_END_BITS-1:0] how;
    land_step #(.Banks(Banks), .LayoutA(LayoutA), .LayoutV1(LayoutV1)) u_step (
      .valid_i(works && x_land_q), .kind_i(x_kind_q), .op_i(x_op_q), .layout_a_i, .layout_v1_i, .words_i(x_words_q),
      .pair_i(x_addr_q[3 +: PairBits]), .data_i(x_data_q), .old_i(words), .mark_i(marks), .we_o(we),
      .new_o(made), .mark_o(mark), .flip_o(flip), .flip_phase_o(phase), .flip_end_o(how), .fault_o(fault)
    );
    if (Lean) begin : gen_steps
      logic       slow, end_q;
      logic [1:0] gap_q;
      assign slow   = land_kind_i != `WL_LAND_WRITE && land_kind_i != `WL_LAND_READ;
      assign gap    = gap_q != '0;
      assign x_ends = end_q || (x_valid_q && (x_write || x_read));
      assign x_busy = x_valid_q || works || end_q;
      always_ff @(posedge clk_i) begin
        gap_q <= rst_i ? '0 : {gap_q[0], go && pick_land && slow};
        works <= x_valid_q && !x_write && !x_read && !rst_i;
        end_q <= works && !rst_i;
        if (x_valid_q) {words, marks} <= {rd_data_i, rd_mark_i};
        // without `works` the first four are 0
        {step_we, land_mark_o, flip_o, land_fault_o} <= {we, mark, flip, fault};
        {step_new, flip_phase_o, flip_end_o}         <= {made, phase, how};
      end
    end else begin : gen_at_once
      assign gap    = 1'b0;
      assign works  = x_valid_q;
      assign x_ends = x_valid_q;
      assign x_busy = x_valid_q;
      assign words  = rd_data_i;
      assign marks  = rd_mark_i;
      assign {step_we, land_mark_o, flip_o, land_fault_o} = {we, mark, flip, fault};
      assign {step_new, flip_phase_o, flip_end_o}         = {made, phase, how};
    end
  end else begin : gen_no_step
    assign gap          = 1'b0;
    assign x_ends       = x_valid_q;
    assign x_busy       = x_valid_q;
    assign step_we      = '0;
    assign step_new     = '0;
    assign land_mark_o  = '0;
    assign flip_o       = '0;
    assign flip_phase_o = 1'b0;
    assign flip_end_o   = '0;
    assign land_fault_o = `WL_FAULT_NONE;
    logic unused_step;
    assign unused_step = ^{x_op_q, layout_a_i, layout_v1_i, rd_mark_i};
  end
  assign flip_row_o = x_addr_q[2 + BankBits +: RowBits];

  always_comb begin
    wr_en_o   = pipe_wr_en_i;
    wr_row_o  = pipe_wr_row_i;
    wr_data_o = pipe_wr_data_i;
    if (x_ends) begin
      wr_en_o   = x_write ? x_words_q : step_we;
      wr_row_o  = {Banks{x_addr_q[2 + BankBits +: RowBits]}};
      wr_data_o = x_write ? x_data_q : step_new;
    end
  end

  assign host_rvalid_o = x_valid_q && x_read && !x_land_q;
  assign land_rvalid_o = x_valid_q && x_read && x_land_q;
  assign land_rdata_o  = rd_data_i;
  assign host_rdata_o  = rd_data_i[{x_addr_q[2 +: BankBits], 5'd0} +: 32];
  assign idle_o        = !r_valid_q && !x_busy;

  assign land_commit_o       = x_ends && x_land_q;
  assign land_commit_kind_o  = x_kind_q;
  assign land_commit_addr_o  = {x_addr_q, 2'd0};
  assign land_commit_words_o = x_words_q;
  assign land_commit_now_o   = x_read ? rd_data_i : wr_data_o;

  logic unused_addr;
  assign unused_addr = ^{host_addr_i[1:0], land_addr_i[1:0], r_addr_q, x_addr_q};

  `ASSERT(OnePassAtATime_A, !r_valid_q || pipe_rd_en_i == '0)
  `ASSERT(OneWriteAtATime_A, !x_ends || pipe_wr_en_i == '0)
endmodule
`default_nettype wire
