// SPDX-License-Identifier: Apache-2.0
// sync_core on AXI: a CPU sends the commands of the board link through an AXI4-Lite window, and, with `Master`, atom_unit has its
// memory on AXI4 or AXI4-Lite. docs/bus.md has registers, errors and an example.
`default_nettype none

module link_axil #(
`include "core_parameters.vh"
  parameter bit Stimulus     = 1'b0,         // on-chip stimulus
  parameter int EventBits    = 9,            // snapshots kept: 2^EventBits; requests open at a time: a 64th as many
  parameter int Revision     = 0,            // of the sources, answered to IDENTIFY
  parameter bit Master       = 1'b0,         // global memory is on m_axi; 0: the CPU answers requests by MEMORY
  parameter bit MasterLite   = 1'b0,         // m_axi is AXI4-Lite
  parameter bit Exclusive    = 1'b1,         // AXI4: conditional writes are exclusive accesses
  parameter int DataBits     = 32,           // of m_axi, as in mem_axi
  parameter int AddrBits     = 32,           // of a byte on m_axi: 6..48
  parameter int StrbBits     = DataBits / 8, // derived, do not override
  parameter int WindowBits   = 13            // derived, do not override
) (
  input  logic                  clk_i,
  input  logic                  rst_i,

`include "axil_ports.vh"
  output logic                  irq_o,

`include "axi_ports.vh"
);
`include "bus_wires.vh"

  axil_window #(.BufferBits(BufferBits)) u_window (
    .clk_i, .rst_i,
    .s_axil_awaddr, .s_axil_awprot, .s_axil_awvalid, .s_axil_awready, .s_axil_wdata, .s_axil_wstrb, .s_axil_wvalid,
    .s_axil_wready, .s_axil_bresp, .s_axil_bvalid, .s_axil_bready, .s_axil_araddr, .s_axil_arprot, .s_axil_arvalid,
    .s_axil_arready, .s_axil_rdata, .s_axil_rresp, .s_axil_rvalid, .s_axil_rready, .irq_o,
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
    mem_axi #(.Lite(MasterLite), .Exclusive(Exclusive), .DataBits(DataBits), .AddrBits(AddrBits)) u_memory (
      .clk_i, .rst_i, .mem_req_valid_i(mem_req_valid), .mem_req_ready_o(mem_req_ready), .mem_req_id_i(mem_req_id),
      .mem_req_write_i(mem_req_write), .mem_req_cond_i(mem_req_cond), .mem_req_addr_i(mem_req_addr), .mem_req_mask_i(mem_req_mask),
      .mem_req_data_i(mem_req_data), .mem_rsp_valid_o(mem_rsp_valid), .mem_rsp_id_o(mem_rsp_id), .mem_rsp_ok_o(mem_rsp_ok),
      .mem_rsp_halves_o(mem_rsp_halves), .mem_rsp_data_o(mem_rsp_data),
      .m_axi_awid, .m_axi_awaddr, .m_axi_awlen, .m_axi_awsize, .m_axi_awburst, .m_axi_awlock, .m_axi_awcache,
      .m_axi_awprot, .m_axi_awvalid, .m_axi_awready, .m_axi_wdata, .m_axi_wstrb, .m_axi_wlast, .m_axi_wvalid,
      .m_axi_wready, .m_axi_bid, .m_axi_bresp, .m_axi_bvalid, .m_axi_bready, .m_axi_arid, .m_axi_araddr, .m_axi_arlen,
      .m_axi_arsize, .m_axi_arburst, .m_axi_arlock, .m_axi_arcache, .m_axi_arprot, .m_axi_arvalid, .m_axi_arready,
      .m_axi_rid, .m_axi_rdata, .m_axi_rresp, .m_axi_rlast, .m_axi_rvalid, .m_axi_rready,
      .error_o(error), .error_sector_o(error_sector)
    );
  end else begin : gen_no_master
    logic unused;
    assign unused = ^{mem_req_valid, mem_req_write, mem_req_cond, mem_req_id, mem_req_addr, mem_req_mask, mem_req_data,
                      m_axi_awready, m_axi_wready, m_axi_bid, m_axi_bresp, m_axi_bvalid, m_axi_arready, m_axi_rid,
                      m_axi_rdata, m_axi_rresp, m_axi_rlast, m_axi_rvalid};
    assign {mem_req_ready, mem_rsp_valid, mem_rsp_id, mem_rsp_ok, mem_rsp_halves, mem_rsp_data, error, error_sector} = '0;
    assign {m_axi_awid, m_axi_awaddr, m_axi_awlen, m_axi_awsize, m_axi_awburst, m_axi_awlock, m_axi_awcache, m_axi_awprot,
            m_axi_awvalid, m_axi_wdata, m_axi_wstrb, m_axi_wlast, m_axi_wvalid, m_axi_bready, m_axi_arid, m_axi_araddr,
            m_axi_arlen, m_axi_arsize, m_axi_arburst, m_axi_arlock, m_axi_arcache, m_axi_arprot, m_axi_arvalid,
            m_axi_rready} = '0;
  end
endmodule

`default_nettype wire
