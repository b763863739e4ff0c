// SPDX-License-Identifier: Apache-2.0
// sync_core on Wishbone B4: a CPU sends the commands of the board link through a window, and, with `Master`, atom_unit has its memory
// on Wishbone. docs/bus.md has registers, errors and an example.
`default_nettype none

module link_wb #(
`include "core_parameters.vh"
  parameter bit Stimulus     = 1'b0,         // on-chip stimulus
  parameter int EventBits    = 9,            // snapshots kept: 2^EventBits; requests open at a time: a 64th as many
  parameter int Revision     = 0,            // of the sources, answered to IDENTIFY
  parameter bit Pipelined    = 1'b0,         // both buses are pipelined, not classic
  parameter bit Master       = 1'b0,         // global memory is on m_wb; 0: the CPU answers requests by MEMORY
  parameter int DataBits     = 32,           // of m_wb: 32, 64
  parameter int AddrBits     = 32,           // of a byte on m_wb: 6..48
  parameter int SelBits      = DataBits / 8, // derived, do not override
  parameter int LowBits      = $clog2(SelBits),  // derived, do not override
  parameter int WindowBits   = 13            // derived, do not override
) (
  input  logic                  clk_i,
  input  logic                  rst_i,

`include "wb_ports.vh"
  output logic                  irq_o,

`include "wb_master_ports.vh"
);
`include "bus_wires.vh"

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
`include "bus_pins.vh"
  );

  if (Master) begin : gen_master
    mem_wb #(.Pipelined(Pipelined), .DataBits(DataBits), .AddrBits(AddrBits)) u_memory (
      .clk_i, .rst_i, .mem_req_valid_i(mem_req_valid), .mem_req_ready_o(mem_req_ready), .mem_req_id_i(mem_req_id),
      .mem_req_write_i(mem_req_write), .mem_req_cond_i(mem_req_cond), .mem_req_addr_i(mem_req_addr), .mem_req_mask_i(mem_req_mask),
      .mem_req_data_i(mem_req_data), .mem_rsp_valid_o(mem_rsp_valid), .mem_rsp_id_o(mem_rsp_id), .mem_rsp_ok_o(mem_rsp_ok),
      .mem_rsp_halves_o(mem_rsp_halves), .mem_rsp_data_o(mem_rsp_data),
      .m_wb_cyc_o, .m_wb_stb_o, .m_wb_we_o, .m_wb_adr_o, .m_wb_dat_o, .m_wb_sel_o, .m_wb_dat_i, .m_wb_ack_i, .m_wb_err_i,
      .m_wb_rty_i, .m_wb_stall_i,
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
