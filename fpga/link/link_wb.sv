// SPDX-License-Identifier: Apache-2.0
// sync_core on Wishbone B4: a CPU sends the commands of the board link through a window, and, with `Master`, atom_unit has its memory
// on Wishbone. docs/bus.md has registers, errors and an example.
`default_nettype none

module link_wb #(
  parameter int Lanes        = 4,
  parameter int Banks        = 4,
  parameter int SmemBytes    = 4096,
  parameter int Units        = 5,            // mask, as sync_core has it
  parameter int Arch         = 0,            // 0: every request says its architecture
  parameter int Warps        = 48,
  parameter bit Lean         = 1'b1,         // the small forms of units, as sync_core has it
  parameter int CtaSlots     = 16,           // that it has: a power of two from 2 to 16
  parameter bit Stimulus     = 1'b0,         // on-chip stimulus
  parameter int EventBits    = 9,            // snapshots kept: 2^EventBits; requests open at a time: a 64th of it
  parameter int Revision     = 0,            // of the sources, answered to IDENTIFY
  parameter bit Pipelined    = 1'b0,         // both buses are pipelined, not classic
  parameter bit Master       = 1'b0,         // global memory is on m_wb; 0: the CPU answers for it by MEMORY
  parameter int DataBits     = 32,           // of m_wb: 32, 64
  parameter int AddrBits     = 32,           // of a byte on m_wb: 6..48
  parameter int SelBits      = DataBits / 8, // derived, do not override
  parameter int LowBits      = $clog2(SelBits)   // derived, do not override
) (
  input  logic                  clk_i,
  input  logic                  rst_i,

  // Wishbone subordinate, 32 bits wide, in bytes
  input  logic                  wb_cyc_i,
  input  logic                  wb_stb_i,
  input  logic                  wb_we_i,
  input  logic [12:2]   wb_adr_i,         // of a word
  input  logic [31:0]           wb_dat_i,
  input  logic [3:0]            wb_sel_i,
  output logic [31:0]           wb_dat_o,
  output logic                  wb_ack_o,
  output logic                  wb_err_o,
  output logic                  wb_stall_o,       // 0 where classic
  output logic                  irq_o,

  // Wishbone master
  output logic                  m_wb_cyc_o,
  output logic                  m_wb_stb_o,
  output logic                  m_wb_we_o,
  output logic [AddrBits-1:LowBits] m_wb_adr_o,     // of a word
  output logic [DataBits-1:0]   m_wb_dat_o,
  output logic [SelBits-1:0]    m_wb_sel_o,
  input  logic [DataBits-1:0]   m_wb_dat_i,
  input  logic                  m_wb_ack_i,
  input  logic                  m_wb_err_i,
  input  logic                  m_wb_rty_i,
  input  logic                  m_wb_stall_i        // ignored where classic
);
  localparam int BufferBits = 11;

  logic                  frame, busy, start;
  logic [BufferBits-1:0] length, addr, answer_length, answer_addr;
  logic [7:0]            seq, kind, data, answer_kind, answer_data, unused_seq;
  logic                  mem_req_valid, mem_req_ready, mem_req_write, mem_req_cond, mem_rsp_valid, mem_rsp_ok, error;
  logic [3:0]            mem_req_id, mem_rsp_id;
  logic [42:0]           mem_req_addr, error_sector;
  logic [31:0]           mem_req_mask;
  logic [255:0]          mem_req_data, mem_rsp_data;
  logic [1:0]            mem_rsp_halves;

  wb_window #(.Pipelined(Pipelined), .BufferBits(BufferBits)) u_window (
    .clk_i, .rst_i,
    .wb_cyc_i, .wb_stb_i, .wb_we_i, .wb_adr_i, .wb_dat_i, .wb_sel_i, .wb_dat_o, .wb_ack_o, .wb_err_o, .wb_stall_o, .irq_o,
    .frame_o(frame), .length_o(length), .seq_o(seq), .type_o(kind), .addr_i(addr), .data_o(data), .busy_i(busy), .start_i(start),
    .length_i(answer_length), .type_i(answer_kind), .addr_o(answer_addr), .data_i(answer_data), .memory_error_i(error),
    .memory_sector_i(error_sector)
  );

  link_board #(
    .Lanes(Lanes), .Banks(Banks), .SmemBytes(SmemBytes), .Units(Units), .Arch(Arch), .Warps(Warps), .Lean(Lean), .CtaSlots(CtaSlots),
    .Stimulus(Stimulus), .Master(Master), .EventBits(EventBits), .Revision(Revision)
  ) u_board (
    .clk_i, .rst_i, .frame_i(frame), .bad_i(1'b0), .length_i(length), .seq_i(seq), .type_i(kind), .addr_o(addr), .data_i(data),
    .busy_o(busy), .start_o(start), .sending_i(1'b0), .length_o(answer_length), .seq_o(unused_seq), .type_o(answer_kind),
    .addr_i(answer_addr), .data_o(answer_data), .mem_req_valid_o(mem_req_valid), .mem_req_ready_i(mem_req_ready),
    .mem_req_id_o(mem_req_id), .mem_req_write_o(mem_req_write), .mem_req_cond_o(mem_req_cond), .mem_req_addr_o(mem_req_addr),
    .mem_req_mask_o(mem_req_mask), .mem_req_data_o(mem_req_data), .mem_rsp_valid_i(mem_rsp_valid), .mem_rsp_id_i(mem_rsp_id),
    .mem_rsp_ok_i(mem_rsp_ok), .mem_rsp_halves_i(mem_rsp_halves), .mem_rsp_data_i(mem_rsp_data)
  );

  if (Master) begin : gen_master
    mem_wb #(.Pipelined(Pipelined), .DataBits(DataBits), .AddrBits(AddrBits)) u_memory (
      .clk_i, .rst_i, .mem_req_valid_i(mem_req_valid), .mem_req_ready_o(mem_req_ready), .mem_req_id_i(mem_req_id),
      .mem_req_write_i(mem_req_write), .mem_req_cond_i(mem_req_cond), .mem_req_addr_i(mem_req_addr), .mem_req_mask_i(mem_req_mask),
      .mem_req_data_i(mem_req_data), .mem_rsp_valid_o(mem_rsp_valid), .mem_rsp_id_o(mem_rsp_id), .mem_rsp_ok_o(mem_rsp_ok),
      .mem_rsp_halves_o(mem_rsp_halves), .mem_rsp_data_o(mem_rsp_data),
      .wb_cyc_o(m_wb_cyc_o), .wb_stb_o(m_wb_stb_o), .wb_we_o(m_wb_we_o), .wb_adr_o(m_wb_adr_o), .wb_dat_o(m_wb_dat_o),
      .wb_sel_o(m_wb_sel_o), .wb_dat_i(m_wb_dat_i), .wb_ack_i(m_wb_ack_i), .wb_err_i(m_wb_err_i), .wb_rty_i(m_wb_rty_i),
      .wb_stall_i(m_wb_stall_i),
      .error_o(error), .error_sector_o(error_sector)
    );
  end else begin : gen_no_master
    logic unused;
    assign unused = ^{mem_req_valid, mem_req_write, mem_req_cond, mem_req_id, mem_req_addr, mem_req_mask, mem_req_data,
                      m_wb_dat_i, m_wb_ack_i, m_wb_err_i, m_wb_rty_i, m_wb_stall_i};
    assign {mem_req_ready, mem_rsp_valid, mem_rsp_id, mem_rsp_ok, mem_rsp_halves, mem_rsp_data, error, error_sector} = '0;
    assign {m_wb_cyc_o, m_wb_stb_o, m_wb_we_o, m_wb_adr_o, m_wb_dat_o, m_wb_sel_o} = '0;
  end
endmodule

`default_nettype wire
