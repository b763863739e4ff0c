// SPDX-License-Identifier: Apache-2.0
// The way to the banks of what is no request of a warp: single words for the host, and pieces of asynchronous copies
// ("landing"). Each goes as a pass of its own in a cycle in which atoms_pipe issues none: read stage, then write stage, so
// that host, landing and passes see each other in the order in which they were issued.
//
// A pass that waits is never held up but by aging: after `Patience` refused cycles `hold_o` keeps atoms_pipe from
// issuing for one cycle. Host and landing take turns. A word is served within 2 * (Patience + 1) + 1 cycles.
`include "assert.vh"
`default_nettype none

module smem_inject #(
  parameter int Banks     = 32,                            // 4, 8, 16, 32
  parameter int SmemBytes = 65536,
  parameter int Patience  = 16,
  parameter int BankBits  = $clog2(Banks),                 // derived, do not override, like all below
  parameter int RowBits   = $clog2(SmemBytes / 4 / Banks),
  parameter int AgeBits   = $clog2(Patience + 1)
) (
  input  logic                     clk_i,
  input  logic                     rst_i,

  // host: one word
  input  logic                     host_valid_i,
  output logic                     host_ready_o,
  input  logic                     host_write_i,
  input  logic [15:0]              host_addr_i,    // byte address, a multiple of 4
  input  logic [31:0]              host_wdata_i,
  output logic                     host_rvalid_o,  // two cycles after the handshake
  output logic [31:0]              host_rdata_o,

  // landing: words of one row
  input  logic                     land_valid_i,
  output logic                     land_ready_o,
  input  logic                     land_write_i,
  input  logic [15:0]              land_addr_i,    // byte address of word 0 of the row
  input  logic [Banks-1:0]         land_words_i,   // which words of the row
  input  logic [Banks*32-1:0]      land_wdata_i,
  output logic                     land_rvalid_o,  // two cycles after the handshake
  output logic [Banks*32-1:0]      land_rdata_o,

  // atoms_pipe
  output logic                     hold_o,         // issue no pass in this cycle
  input  logic                     issue_i,        // a pass is issued in this cycle
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

  output logic                     idle_o,
  output logic                     land_commit_o,  // the clock edge that ends this cycle writes, or the words are read
  output logic                     land_commit_write_o,
  output logic [15:0]              land_commit_addr_o,
  output logic [Banks-1:0]         land_commit_words_o
);
  // ---- who goes --------------------------------------------------------------------------------------------
  logic               any, pick_land, turn_q, go;   // turn_q: landing is first when both ask
  logic [AgeBits-1:0] age_q;

  assign any          = host_valid_i || land_valid_i;
  assign pick_land    = land_valid_i && (turn_q || !host_valid_i);
  assign go           = any && !issue_i && !rst_i;
  assign host_ready_o = go && !pick_land;
  assign land_ready_o = go && pick_land;
  assign hold_o       = age_q == AgeBits'(Patience);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      turn_q <= 1'b0;
      age_q  <= '0;
    end else begin
      if (go) turn_q <= !pick_land;
      if (go || !any) age_q <= '0;
      else if (!hold_o) age_q <= age_q + 1'b1;
    end
  end

  // ---- read stage ------------------------------------------------------------------------------------------
  logic                     r_valid_q, r_write_q, r_land_q;
  logic [15:2]              r_addr_q;
  logic [Banks-1:0]         r_words_q, host_word;
  logic [Banks*32-1:0]      r_data_q;
  logic [31:0]              r_word_q;

  assign host_word = Banks'(1) << host_addr_i[2 +: BankBits];

  always_ff @(posedge clk_i) begin
    if (rst_i) r_valid_q <= 1'b0;
    else r_valid_q <= go;
  end
  always_ff @(posedge clk_i) begin
    if (go) begin
      r_land_q  <= pick_land;
      r_write_q <= pick_land ? land_write_i : host_write_i;
      r_addr_q  <= pick_land ? land_addr_i[15:2] : host_addr_i[15:2];
      r_words_q <= pick_land ? land_words_i : host_word;
      r_word_q  <= host_wdata_i;
      if (pick_land) r_data_q <= land_wdata_i;
    end
  end

  always_comb begin
    rd_en_o  = pipe_rd_en_i;
    rd_row_o = pipe_rd_row_i;
    if (r_valid_q) begin
      rd_en_o  = r_write_q ? '0 : r_words_q;
      rd_row_o = {Banks{r_addr_q[2 + BankBits +: RowBits]}};
    end
  end

  // ---- write stage -----------------------------------------------------------------------------------------
  logic                     x_valid_q, x_write_q, x_land_q;
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
      x_write_q <= r_write_q;
      x_addr_q  <= r_addr_q;
      x_words_q <= r_words_q;
      x_data_q  <= r_land_q ? r_data_q : {Banks{r_word_q}};
    end
  end

  always_comb begin
    wr_en_o   = pipe_wr_en_i;
    wr_row_o  = pipe_wr_row_i;
    wr_data_o = pipe_wr_data_i;
    if (x_valid_q) begin
      wr_en_o   = x_write_q ? x_words_q : '0;
      wr_row_o  = {Banks{x_addr_q[2 + BankBits +: RowBits]}};
      wr_data_o = x_data_q;
    end
  end

  assign host_rvalid_o = x_valid_q && !x_write_q && !x_land_q;
  assign land_rvalid_o = x_valid_q && !x_write_q && x_land_q;
  assign land_rdata_o  = rd_data_i;
  assign host_rdata_o  = rd_data_i[{x_addr_q[2 +: BankBits], 5'd0} +: 32];
  assign idle_o        = !r_valid_q && !x_valid_q;

  assign land_commit_o       = x_valid_q && x_land_q;
  assign land_commit_write_o = x_write_q;
  assign land_commit_addr_o  = {x_addr_q, 2'd0};
  assign land_commit_words_o = x_words_q;

  logic unused_addr;
  assign unused_addr = ^{host_addr_i[1:0], land_addr_i[1:0], r_addr_q, x_addr_q};

  `ASSERT(OnePassAtATime_A, !r_valid_q || pipe_rd_en_i == '0)
  `ASSERT(OneWriteAtATime_A, !x_valid_q || pipe_wr_en_i == '0)
endmodule
`default_nettype wire
