// SPDX-License-Identifier: Apache-2.0
// The banked storage of shared memory: one read and one write port per bank.
//
// A read enabled in cycle t gives its data in cycle t+1. A write enabled in cycle t is seen by every read of cycle t
// and later: what the RAM returns when both meet in one cycle is not used, the new word is kept and forwarded.
// That is what lets a pass follow another on the same word in the next cycle.
//
// Word w of the memory lies in bank w mod Banks, row w / Banks.
`default_nettype none

module smem_banks #(
  parameter int Banks     = 32,                                // 4, 8, 16, 32
  parameter int SmemBytes = 65536,                             // 4096..65536, a power of two
  parameter int RowBits   = $clog2(SmemBytes / 4 / Banks)      // derived, do not override
) (
  input  logic                     clk_i,
  input  logic [Banks-1:0]         rd_en_i,
  input  logic [Banks*RowBits-1:0] rd_row_i,
  output logic [Banks*32-1:0]      rd_data_o,    // of the reads of the cycle before
  output logic [Banks-1:0]         rd_fwd_o,     // rd_data_o is a forwarded word
  input  logic [Banks-1:0]         wr_en_i,
  input  logic [Banks*RowBits-1:0] wr_row_i,
  input  logic [Banks*32-1:0]      wr_data_i
);
  logic [Banks-1:0]    hit, fwd_q;
  logic [Banks*32-1:0] ram_q, fwd_data_q;

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    logic [31:0] mem [0:SmemBytes/4/Banks-1];
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
    if (hit != '0) fwd_data_q <= wr_data_i;
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
endmodule
`default_nettype wire
