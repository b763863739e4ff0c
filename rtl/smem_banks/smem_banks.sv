// SPDX-License-Identifier: Apache-2.0
// The banked storage of shared memory: a read port and a write port per bank.
//
// A read enabled in cycle t gives data in cycle t+1. Every read of cycle t and later sees a write enabled in cycle t.
// When both meet in a cycle, the word out of the RAM is not used: the new word is kept and forwarded. So a pass may
// follow another pass on the same word in the next cycle.
//
// Word w of the memory lies in bank w mod Banks, row w / Banks. With `Marks` each word has an additional bit, written
// with the word or alone: the mark of half an mbarrier.
`include "ram_style.vh"
`default_nettype none

module smem_banks #(
  parameter int Banks     = 32,                                // 4, 8, 16, 32
  parameter int SmemBytes = 65536,                             // 4096..65536, a power of two
  parameter bit Marks     = 1'b0,
  parameter int RowBits   = $clog2(SmemBytes / 4 / Banks)      // derived, do not override
) (
  input  logic                     clk_i,
  input  logic [Banks-1:0]         rd_en_i,
  input  logic [Banks*RowBits-1:0] rd_row_i,
  output logic [Banks*32-1:0]      rd_data_o,    // of the reads of the cycle before
  output logic [Banks-1:0]         rd_fwd_o,     // rd_data_o is a forwarded word
  output logic [Banks-1:0]         rd_mark_o,
  input  logic [Banks-1:0]         wr_en_i,
  input  logic [Banks*RowBits-1:0] wr_row_i,
  input  logic [Banks*32-1:0]      wr_data_i,
  input  logic [Banks-1:0]         wr_mark_en_i, // with wr_en_i or alone
  input  logic [Banks-1:0]         wr_mark_i
);
  // The test for a hit saves copies in a simulator. In hardware the enable of these registers would end a long path.
`ifdef SYNTHESIS
  localparam bit Always = 1'b1;
`else
  localparam bit Always = 1'b0;
`endif
  logic [Banks-1:0]    hit, fwd_q;
  logic [Banks*32-1:0] ram_q, fwd_data_q;

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    // a word read and written in the same cycle is forwarded, so the word out of the RAM does not matter
    (* no_rw_check *) logic [31:0] mem [0:SmemBytes/4/Banks-1];
    always_ff @(posedge clk_i) begin
      if (wr_en_i[b]) mem[wr_row_i[b*RowBits +: RowBits]] <= wr_data_i[b*32 +: 32];
      if (rd_en_i[b]) ram_q[b*32 +: 32] <= mem[rd_row_i[b*RowBits +: RowBits]];
    end
  end

  always_comb begin
    hit = rd_en_i & wr_en_i;
    if (hit != '0) begin
      for (int b = 0; b < Banks; b++) begin
        if (rd_row_i[b*RowBits +: RowBits] != wr_row_i[b*RowBits +: RowBits]) hit[b] = 1'b0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    fwd_q <= hit;
    if (Always || hit != '0) fwd_data_q <= wr_data_i;
  end

  assign rd_fwd_o = fwd_q;
  always_comb begin
    rd_data_o = ram_q;
    if (fwd_q != '0) begin
      for (int b = 0; b < Banks; b++) begin
        if (fwd_q[b]) rd_data_o[b*32 +: 32] = fwd_data_q[b*32 +: 32];
      end
    end
  end

  // ---- marks: the same again with words of 1 bit --------------------------------------------------------------
  if (Marks) begin : gen_marks
    logic [Banks-1:0] meet, mark_fwd_q, mark_q, mark_new_q;
    for (genvar b = 0; b < Banks; b++) begin : gen_bank
      // LUT RAMs have words of four bits: 256 marks take 16 LUT RAMs, and a choice of 16
      (* no_rw_check *) `WL_BLOCK_RAM(SmemBytes/4/Banks >= 256) logic mark [0:SmemBytes/4/Banks-1];
      always_ff @(posedge clk_i) begin
        if (wr_mark_en_i[b]) mark[wr_row_i[b*RowBits +: RowBits]] <= wr_mark_i[b];
        if (rd_en_i[b]) mark_q[b] <= mark[rd_row_i[b*RowBits +: RowBits]];
      end
    end
    always_comb begin
      meet = rd_en_i & wr_mark_en_i;
      if (meet != '0) begin
        for (int b = 0; b < Banks; b++) begin
          if (rd_row_i[b*RowBits +: RowBits] != wr_row_i[b*RowBits +: RowBits]) meet[b] = 1'b0;
        end
      end
    end
    always_ff @(posedge clk_i) begin
      mark_fwd_q <= meet;
      mark_new_q <= wr_mark_i;
    end
    assign rd_mark_o = (mark_fwd_q & mark_new_q) | (~mark_fwd_q & mark_q);
  end else begin : gen_no_marks
    logic unused_marks;
    assign unused_marks = ^{wr_mark_en_i, wr_mark_i};
    assign rd_mark_o    = '0;
  end
endmodule
`default_nettype wire
