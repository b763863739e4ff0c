// SPDX-License-Identifier: Apache-2.0
// Memory of atom_unit on Wishbone B4, classic or pipelined: a master with a single transfer under way. mem_sectors has
// the steps of a request. A sector is a bus cycle of single transfers; words without a byte to write are left out. A
// conditional write is a single bus cycle from the read to the end of the write: an arbiter keeping the bus for a bus
// cycle makes the write atomic. RTY repeats the transfer.
`default_nettype none

module mem_wb #(
  parameter bit Pipelined = 1'b0,                 // 0: classic; 1: pipelined, with stall
  parameter int DataBits  = 32,                   // of the bus: 32, 64
  parameter int AddrBits  = 32,                   // of a byte on the bus: 6..48
  parameter int SelBits   = DataBits / 8,         // derived, do not override
  parameter int LowBits   = $clog2(SelBits)       // derived, do not override
) (
  input  logic                  clk_i,
  input  logic                  rst_i,

`include "mem_ports.vh"

`include "wb_master_ports.vh"
);
  localparam int Words    = 256 / DataBits;       // of a sector
  localparam int WordBits = $clog2(Words);
  localparam logic [1:0] Idle = 2'd0, Go = 2'd1, Done = 2'd2;

  if (DataBits != 32 && DataBits != 64) begin : gen_bad_bits
    databits_must_be_32_or_64 u_bad ();
  end

  logic                op_valid, op_write, op_lock, op_done, op_exclusive;
  logic [AddrBits-1:5] op_addr;
  logic [31:0]         op_mask;
  logic [255:0]        op_wdata, op_rdata;
  logic [1:0]          op_bad;
  mem_sectors #(.AddrBits(AddrBits)) u_sectors (
`include "mem_sectors_pins.vh"
  );

  // ---- a sector, word by word ------------------------------------------------------------------------------------------
  logic [1:0]          state_q, bad_q;
  logic [WordBits-1:0] word_q;
  logic                stb_q;                     // the transfer has still to be taken
  logic                waits_q, skip, answered;   // a transfer waits for the answer
  logic [255:0]        data_q;

  assign skip     = op_write && op_mask[32'(word_q)*SelBits +: SelBits] == '0;
  assign answered = waits_q && (m_wb_ack_i || m_wb_err_i);

  always_ff @(posedge clk_i) begin
    if (Pipelined && stb_q && !m_wb_stall_i) stb_q <= 1'b0;
    case (state_q)
      Idle: if (op_valid && !op_done) begin
        state_q <= Go;
        word_q  <= '0;
        bad_q   <= '0;
      end
      Go: begin
        if (!waits_q && !skip) begin
          waits_q <= 1'b1;
          stb_q   <= 1'b1;
        end
        if (waits_q && m_wb_rty_i) begin
          waits_q <= 1'b0;
          stb_q   <= 1'b0;
        end
        if (answered) begin
          waits_q <= 1'b0;
          stb_q   <= 1'b0;
          if (!op_write) data_q[32'(word_q)*DataBits +: DataBits] <= m_wb_dat_i;
          if (m_wb_err_i) bad_q[word_q[WordBits-1]] <= 1'b1;
        end
        if (answered || (skip && !waits_q)) begin
          word_q <= word_q + 1'b1;
          if (word_q == WordBits'(Words - 1)) state_q <= Done;
        end
      end
      default: state_q <= Idle;
    endcase
    if (rst_i) begin
      state_q <= Idle;
      stb_q   <= 1'b0;
      waits_q <= 1'b0;
    end
  end

  assign op_done      = state_q == Done;
  assign op_rdata     = data_q;
  assign op_bad       = bad_q;
  assign op_exclusive = 1'b1;

  assign m_wb_cyc_o = (state_q == Go && op_valid) || op_lock;
  assign m_wb_stb_o = stb_q;
  assign m_wb_we_o  = op_write;
  assign m_wb_adr_o = {op_addr, word_q};
  assign m_wb_dat_o = op_wdata[32'(word_q)*DataBits +: DataBits];
  assign m_wb_sel_o = op_write ? op_mask[32'(word_q)*SelBits +: SelBits] : '1;
endmodule

`default_nettype wire
