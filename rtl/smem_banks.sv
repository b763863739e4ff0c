// SPDX-License-Identifier: Apache-2.0
// The banked storage of shared memory: one read and one write port per bank, and a word port for the host.
//
// A read enabled in cycle t gives its data in cycle t+1. A write enabled in cycle t is seen by every read of cycle t
// and later: the RAM itself returns the old word when both meet in one cycle, so the new word is kept and forwarded.
// That is what lets a pass follow another on the same word in the next cycle.
//
// Word w of the memory lies in bank w mod Banks, row w / Banks. The host gets a cycle when `busy_i` is low.
`include "assert.vh"
`include "planted.vh"
`default_nettype none

module smem_banks #(
  parameter int Banks     = 32,                                // 4, 8, 16, 32
  parameter int SmemBytes = 65536,                             // 4096..65536, a power of two
  parameter int BankBits  = $clog2(Banks),                     // derived, do not override
  parameter int RowBits   = $clog2(SmemBytes / 4 / Banks)      // derived, do not override
) (
  input  logic                     clk_i,
  input  logic                     rst_i,
`ifdef WL_PLANTED
  input  logic [7:0]               bug_i,
`endif

  // atoms_pipe
  input  logic                     busy_i,       // a pass reads or writes in this cycle
  input  logic [Banks-1:0]         rd_en_i,
  input  logic [Banks*RowBits-1:0] rd_row_i,
  output logic [Banks*32-1:0]      rd_data_o,    // of the reads of the cycle before
  output logic [Banks-1:0]         rd_fwd_o,     // rd_data_o is a forwarded word
  input  logic [Banks-1:0]         wr_en_i,
  input  logic [Banks*RowBits-1:0] wr_row_i,
  input  logic [Banks*32-1:0]      wr_data_i,

  // host
  input  logic                     host_valid_i,
  output logic                     host_ready_o,
  input  logic                     host_write_i,
  input  logic [15:0]              host_addr_i,  // byte address, a multiple of 4
  input  logic [31:0]              host_wdata_i,
  output logic                     host_rvalid_o,
  output logic [31:0]              host_rdata_o
);
  logic [BankBits-1:0] host_bank, host_bank_q;
  logic [RowBits-1:0]  host_row;
  logic                host_read, host_write, host_read_q;

  assign host_ready_o  = !busy_i && !rst_i;
  assign host_bank     = host_addr_i[2 +: BankBits];
  assign host_row      = host_addr_i[2 + BankBits +: RowBits];
  assign host_read     = host_valid_i && host_ready_o && !host_write_i;
  assign host_write    = host_valid_i && host_ready_o && host_write_i;
  assign host_rvalid_o = host_read_q;
  assign host_rdata_o  = rd_data_o[{host_bank_q, 5'd0} +: 32];

  always_ff @(posedge clk_i) begin
    host_bank_q <= host_bank;
    host_read_q <= host_read && !rst_i;
  end

`ifdef WL_PLANTED
  logic [5:0] writes_q;
  logic       lose;
  always_ff @(posedge clk_i) writes_q <= rst_i ? '0 : writes_q + {5'd0, |wr_en_i};
  assign lose = `WL_BUG(`BUG_LOST_WRITE) && writes_q == '1;
`endif

  logic [Banks-1:0]    rd_en, wr_en, ram_wr_en, hit, fwd_q, host_one_hot;
  logic [Banks*32-1:0] ram_q, fwd_data_q;

  assign host_one_hot = Banks'(1) << host_bank;
  assign rd_en        = rd_en_i | (host_read ? host_one_hot : '0);
  assign wr_en        = wr_en_i | (host_write ? host_one_hot : '0);
`ifdef WL_PLANTED
  assign ram_wr_en    = lose ? wr_en & ~wr_en_i : wr_en;
`else
  assign ram_wr_en    = wr_en;
`endif

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    logic [31:0] mem [0:SmemBytes/4/Banks-1];
    always_ff @(posedge clk_i) begin
      if (ram_wr_en[b]) begin
        mem[busy_i ? wr_row_i[b*RowBits +: RowBits] : host_row] <= busy_i ? wr_data_i[b*32 +: 32] : host_wdata_i;
      end
      if (rd_en[b]) ram_q[b*32 +: 32] <= mem[busy_i ? rd_row_i[b*RowBits +: RowBits] : host_row];
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
    fwd_q <= `WL_BUG(`BUG_FORWARD_OFF) ? '0 : hit;
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

  if (2 + BankBits + RowBits < 16) begin : gen_unused
    logic unused_addr;
    assign unused_addr = ^host_addr_i[15 : 2 + BankBits + RowBits];
  end
  logic unused_byte;
  assign unused_byte = ^host_addr_i[1:0];

  `ASSERT(PassMeansBusy_A, busy_i || (rd_en_i == '0 && wr_en_i == '0))
endmodule
`default_nettype wire
