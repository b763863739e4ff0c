// SPDX-License-Identifier: Apache-2.0
// Global memory on a board: block RAM answers atom_unit for a window of sectors. docs/ports.md is the contract of the
// port.
//
//   cycle 0   a request of a sector in the window is taken, judged and done: a read, or a write of some bytes
//   cycle 1   the answer
//
// All other sectors belong to the host: answers of the host come through here (host_rsp_*), in cycles without an answer
// of the window. The host reads and writes the window, too. A host write is a foreign write for all ids: the sector
// read by each id is not remembered. So after a host write every conditional write fails until the id has been told the
// sector anew. A write that fails without need is only tried again.
`default_nettype none

module board_memory #(
  parameter int Bytes      = 4096,               // of the window; a power of two, 64 or more
  parameter int SectorBits = $clog2(Bytes / 32)  // derived, do not override
) (
  input  logic                  clk_i,
  input  logic                  rst_i,           // content stays, the window is closed

  // place of the window: sectors from a multiple of the window's size on
  input  logic                  place_valid_i,
  input  logic                  place_open_i,
  input  logic [42:0]           place_addr_i,

  // atom_unit asks
  input  logic                  req_valid_i,
  output logic                  req_inside_o,    // the sector is in the window; else nothing happens here
  output logic                  req_ready_o,
  input  logic [3:0]            req_id_i,
  input  logic                  req_write_i,
  input  logic                  req_cond_i,
  input  logic [42:0]           req_addr_i,
  input  logic [31:0]           req_mask_i,
  input  logic [255:0]          req_data_i,

  // ... and is answered, from here or by the host
  input  logic                  host_rsp_valid_i,
  output logic                  host_rsp_ready_o,
  input  logic [3:0]            host_rsp_id_i,
  input  logic                  host_rsp_ok_i,
  input  logic [1:0]            host_rsp_halves_i,
  input  logic [255:0]          host_rsp_data_i,
  output logic                  rsp_valid_o,
  output logic                  rsp_mine_o,      // from here
  output logic [3:0]            rsp_id_o,
  output logic                  rsp_ok_o,
  output logic [1:0]            rsp_halves_o,
  output logic [255:0]          rsp_data_o,

  // the host's own accesses, by number of the sector; always taken
  input  logic                  host_valid_i,
  input  logic                  host_write_i,
  input  logic [SectorBits-1:0] host_sector_i,
  input  logic [1:0]            host_halves_i,   // halves of the sector present from now on
  input  logic [31:0]           host_mask_i,
  input  logic [255:0]          host_data_i,
  output logic [255:0]          host_rdata_o     // in the cycle after a read
);
  if (Bytes < 64 || (Bytes & (Bytes - 1)) != 0) begin : gen_bad_bytes
    board_memory_must_be_a_power_of_two_of_64_or_more u_bad ();
  end

  logic                   open_q;
  logic [42-SectorBits:0] base_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) open_q <= 1'b0;
    else if (place_valid_i) open_q <= place_open_i;
    if (place_valid_i) base_q <= place_addr_i[42:SectorBits];
  end
  assign req_inside_o = open_q && req_addr_i[42:SectorBits] == base_q;
  // A waiting answer of the host has the next cycle.
  assign req_ready_o  = !host_valid_i && !host_rsp_valid_i;

  // ---- cycle 0 -----------------------------------------------------------------------------------------------
  logic                  take, ok, access, write;
  logic [15:0]           stale_q;                // ids that may not write conditionally
  logic [SectorBits-1:0] sector;
  logic [31:0]           mask;
  logic [255:0]          data;
  assign take   = !rst_i && req_valid_i && req_inside_o && req_ready_o;
  assign ok     = !req_write_i || !req_cond_i || !stale_q[req_id_i];
  assign access = take || host_valid_i;
  assign write  = host_valid_i ? host_write_i : req_write_i && ok;
  assign sector = host_valid_i ? host_sector_i : req_addr_i[SectorBits-1:0];
  assign mask   = host_valid_i ? host_mask_i : req_mask_i;
  assign data   = host_valid_i ? host_data_i : req_data_i;

  always_ff @(posedge clk_i) begin
    if (rst_i || (host_valid_i && host_write_i)) stale_q <= '1;
    else if (take) stale_q[req_id_i] <= req_write_i && ok;   // 0: told the content; 1: done with the sector
  end

  // ---- the RAM: one port, written or read. Bytes of an absent half may be written; no answer tells of such bytes.
  logic [255:0] mem [0:(1 << SectorBits)-1];
  logic [1:0]   halves [0:(1 << SectorBits)-1];
  logic [255:0] data_q;
  logic [1:0]   halves_q;
  always_ff @(posedge clk_i) begin
    if (access) begin
      if (write) begin
        for (int b = 0; b < 32; b++) if (mask[b]) mem[sector][b*8 +: 8] <= data[b*8 +: 8];
      end else begin
        data_q <= mem[sector];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (host_valid_i && host_write_i) halves[sector] <= host_halves_i;
    else if (access) halves_q <= halves[sector];
  end
  assign host_rdata_o = data_q;

  // ---- cycle 1 -----------------------------------------------------------------------------------------------
  logic       valid_q, ok_q;
  logic [3:0] id_q;
  always_ff @(posedge clk_i) begin
    valid_q <= take;
    if (take) begin
      id_q <= req_id_i;
      ok_q <= ok;
    end
  end
  assign host_rsp_ready_o = !valid_q;
  assign rsp_mine_o       = valid_q;
  assign rsp_valid_o      = valid_q || host_rsp_valid_i;
  assign rsp_id_o         = valid_q ? id_q : host_rsp_id_i;
  assign rsp_ok_o         = valid_q ? ok_q : host_rsp_ok_i;
  assign rsp_halves_o     = valid_q ? halves_q : host_rsp_halves_i;
  assign rsp_data_o       = valid_q ? data_q : host_rsp_data_i;

  logic unused;
  assign unused = ^place_addr_i[SectorBits-1:0];
endmodule

`default_nettype wire
