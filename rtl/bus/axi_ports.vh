// SPDX-License-Identifier: Apache-2.0
  // AXI4 manager, with the names of the specification; the only id is 0
  output logic [0:0]            m_axi_awid,
  output logic [AddrBits-1:0]   m_axi_awaddr,
  output logic [7:0]            m_axi_awlen,
  output logic [2:0]            m_axi_awsize,
  output logic [1:0]            m_axi_awburst,
  output logic                  m_axi_awlock,
  output logic [3:0]            m_axi_awcache,    // 0: device, not bufferable
  output logic [2:0]            m_axi_awprot,     // 0: unprivileged, secure, data
  output logic                  m_axi_awvalid,
  input  logic                  m_axi_awready,
  output logic [DataBits-1:0]   m_axi_wdata,
  output logic [StrbBits-1:0]   m_axi_wstrb,
  output logic                  m_axi_wlast,
  output logic                  m_axi_wvalid,
  input  logic                  m_axi_wready,
  input  logic [0:0]            m_axi_bid,        // ignored
  input  logic [1:0]            m_axi_bresp,
  input  logic                  m_axi_bvalid,
  output logic                  m_axi_bready,
  output logic [0:0]            m_axi_arid,
  output logic [AddrBits-1:0]   m_axi_araddr,
  output logic [7:0]            m_axi_arlen,
  output logic [2:0]            m_axi_arsize,
  output logic [1:0]            m_axi_arburst,
  output logic                  m_axi_arlock,
  output logic [3:0]            m_axi_arcache,
  output logic [2:0]            m_axi_arprot,
  output logic                  m_axi_arvalid,
  input  logic                  m_axi_arready,
  input  logic [0:0]            m_axi_rid,        // ignored
  input  logic [DataBits-1:0]   m_axi_rdata,
  input  logic [1:0]            m_axi_rresp,
  input  logic                  m_axi_rlast,      // ignored: the number of beats is known
  input  logic                  m_axi_rvalid,
  output logic                  m_axi_rready
