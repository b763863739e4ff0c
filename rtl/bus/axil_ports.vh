// SPDX-License-Identifier: Apache-2.0
  // AXI4-Lite subordinate
  input  logic [WindowBits-1:0] s_axil_awaddr,    // of a byte
  input  logic [2:0]            s_axil_awprot,    // ignored
  input  logic                  s_axil_awvalid,
  output logic                  s_axil_awready,
  input  logic [31:0]           s_axil_wdata,
  input  logic [3:0]            s_axil_wstrb,
  input  logic                  s_axil_wvalid,
  output logic                  s_axil_wready,
  output logic [1:0]            s_axil_bresp,     // OKAY or SLVERR
  output logic                  s_axil_bvalid,
  input  logic                  s_axil_bready,
  input  logic [WindowBits-1:0] s_axil_araddr,    // of a byte
  input  logic [2:0]            s_axil_arprot,    // ignored
  input  logic                  s_axil_arvalid,
  output logic                  s_axil_arready,
  output logic [31:0]           s_axil_rdata,
  output logic [1:0]            s_axil_rresp,     // OKAY or SLVERR
  output logic                  s_axil_rvalid,
  input  logic                  s_axil_rready,
