// SPDX-License-Identifier: Apache-2.0
// Turns requests of atom_unit for sectors into reads and writes of a bus, one request at a time. mem_axi and mem_wb
// stand behind.
// docs/ports.md, "Global memory", is the contract of the port.
//
//   read               read, answer
//   plain write        write, answer
//   conditional write  locked read; if the sector equals the last answer to the id: locked write; answer
//
// The lock is the lock of the bus: an exclusive pair in AXI4, a bus cycle kept open in Wishbone, nothing in AXI4-Lite.
// When the memory refuses a locked write, the conditional write fails.
//
// An error of the bus in a read or a plain write makes a half absent: lanes in this half fault. A sector beyond the
// addresses of the bus is absent, too, without an access. atom_unit knows no errors of conditional writes: a
// conditional write with an error counts as done, and only error_o tells. The errors are an error of the bus in a half
// answered without an error before, and a memory without locks.
`default_nettype none

module mem_sectors #(
  parameter int AddrBits = 32                     // of a byte on the bus: 6..48
) (
  input  logic         clk_i,
  input  logic         rst_i,

`include "mem_ports.vh"

  // a sector on the bus; holds until op_done_i
  output logic         op_valid_o,
  output logic         op_write_o,
  output logic         op_lock_o,                 // holds from a locked read to the end of the locked write
  output logic [AddrBits-1:5] op_addr_o,
  output logic [31:0]  op_mask_o,
  output logic [255:0] op_wdata_o,
  input  logic         op_done_i,                 // for a cycle
  input  logic [255:0] op_rdata_i,                // with op_done_i, like all below
  input  logic [1:0]   op_bad_i,                  // halves with an error
  input  logic         op_exclusive_i             // of a locked read: the memory can lock; of a locked write: done
);
  localparam logic [2:0] Idle = 3'd0, Read = 3'd1, Compare = 3'd2, Write = 3'd3, Answer = 3'd4;

  if (AddrBits < 6 || AddrBits > 48) begin : gen_bad_bits
    addrbits_must_be_6_to_48 u_bad ();
  end

  logic [2:0]   state_q;
  logic [3:0]   id_q;
  logic         write_q, cond_q, ok_q, locks_q, error_q;
  logic [42:0]  addr_q;
  logic [31:0]  mask_q;
  logic [255:0] data_q, sector_q;                 // to write; as read
  logic [1:0]   bad_q;                            // absent halves
  logic         take, beyond;

  assign mem_req_ready_o = state_q == Idle && !rst_i;
  assign take            = mem_req_valid_i && mem_req_ready_o;
  if (AddrBits < 48) begin : gen_beyond
    assign beyond = mem_req_addr_i[42:AddrBits-5] != '0;
  end else begin : gen_all
    assign beyond = 1'b0;
  end

  // ---- the last answer to each id: absent halves, and the sector
  logic [257:0] told [0:15];
  logic [257:0] told_q;
  logic [15:0]  knows_q;                          // ids with an answer
  logic         tells;
  assign tells = state_q == Answer && (!write_q || !ok_q);
  always_ff @(posedge clk_i) begin
    if (tells) told[id_q] <= {bad_q, sector_q};
    told_q <= told[id_q];
    if (rst_i) knows_q <= '0;
    else if (state_q == Answer) knows_q[id_q] <= tells;
  end

  // ---- a conditional write, when the sector has been read again
  logic [1:0] told_bad, same;                     // absent in the last answer; equal to the last answer, or absent
  logic       knows, equal, broken;
  assign told_bad = told_q[257:256];
  assign knows    = knows_q[id_q];
  assign same     = {told_q[255:128] == sector_q[255:128], told_q[127:0] == sector_q[127:0]} | told_bad;
  assign equal    = knows && same == 2'b11;
  assign broken   = knows && (!locks_q || (bad_q & ~told_bad) != '0);

  always_ff @(posedge clk_i) begin
    error_o <= 1'b0;
    case (state_q)
      Idle: if (take) begin
        id_q    <= mem_req_id_i;
        write_q <= mem_req_write_i;
        cond_q  <= mem_req_write_i && mem_req_cond_i;
        addr_q  <= mem_req_addr_i;
        mask_q  <= mem_req_mask_i;
        data_q  <= mem_req_data_i;
        ok_q    <= 1'b1;
        bad_q   <= {2{beyond}};
        error_q <= beyond;
        state_q <= beyond ? Answer : mem_req_write_i && !mem_req_cond_i ? Write : Read;
      end
      Read: if (op_done_i) begin
        sector_q <= op_rdata_i;
        bad_q    <= op_bad_i;
        locks_q  <= op_exclusive_i;
        error_q  <= op_bad_i != '0 && !cond_q;
        state_q  <= cond_q ? Compare : Answer;
      end
      Compare: begin
        if (knows) bad_q <= told_bad;
        ok_q    <= equal || broken;
        error_q <= broken;
        state_q <= equal && !broken && mask_q != '0 ? Write : Answer;
      end
      Write: if (op_done_i) begin
        if (cond_q) ok_q <= op_exclusive_i || op_bad_i != '0;
        else bad_q <= op_bad_i;
        error_q <= op_bad_i != '0;
        state_q <= Answer;
      end
      default: begin
        error_o <= error_q;
        state_q <= Idle;
      end
    endcase
    if (rst_i) begin
      state_q <= Idle;
      error_o <= 1'b0;
    end
  end
  assign error_sector_o = addr_q;

  assign op_valid_o = state_q == Read || state_q == Write;
  assign op_write_o = state_q == Write;
  assign op_lock_o  = cond_q && (state_q == Read || state_q == Compare || state_q == Write);
  assign op_addr_o  = addr_q[AddrBits-6:0];
  assign op_mask_o  = mask_q;
  assign op_wdata_o = data_q;

  assign mem_rsp_valid_o  = state_q == Answer;
  assign mem_rsp_id_o     = id_q;
  assign mem_rsp_ok_o     = ok_q;
  assign mem_rsp_halves_o = ~bad_q;
  assign mem_rsp_data_o   = sector_q;
endmodule

`default_nettype wire
