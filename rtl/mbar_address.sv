// SPDX-License-Identifier: Apache-2.0
// What stage A of atoms_pipe makes of a beat of mbarrier_engine: the operation, the lanes whose operand faults whatever
// the object holds, and whether all lanes of a TRYWAIT so far name one object and one phase.
//
// Combinational but for what it remembers of earlier beats of the same request.
`include "mbar.vh"
`include "wl_units.vh"
`default_nettype none

module mbar_address #(
  parameter int Lanes    = 32,
  parameter int AddrBits = 16
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic                       valid_i,      // a beat of mbarrier_engine
  input  logic                       move_i,       // it goes on
  input  logic                       first_i,
  input  logic                       last_i,
  input  logic [4:0]                 kind_i,       // WL_MBARRIER_ENGINE_*
  input  logic [31:0]                ctl_i,        // WL_MBARRIER_ENGINE_CTL_*
  input  logic [31:0]                mask_i,       // with the first beat: lanes of the request
  input  logic [Lanes-1:0]           ok_i,         // lanes whose address is good
  input  logic [Lanes*AddrBits-1:0]  addr_i,
  input  logic [Lanes*128-1:0]       data_i,       // Rb

  output logic [`WL_MBAR_OP_BITS-1:0] op_o,        // WL_MBAR_OP_*
  output logic                       rd_used_o,
  output logic [Lanes-1:0]           count_o,      // MBAR_COUNT_RANGE
  output logic [Lanes-1:0]           pending_o,    // lanes that need a bank
  output logic [31:0]                whole_o,      // lanes that an operation once for all lanes takes
  output logic                       one_o         // TRYWAIT, with the last beat: one object, one phase
);
  localparam logic [31:0] CountEnd = 32'd1 << 20;

  logic        bad, arrive, once, done_q, seen_q, seen, equal_q, equal, parity_q, parity;
  logic [31:0] whole_q, count;
  logic [AddrBits-1:0] addr_q, addr;

  assign arrive = kind_i == `WL_MBARRIER_ENGINE_SYNCS_ARRIVE;
  assign once   = kind_i == `WL_MBARRIER_ENGINE_SYNCS_EXCH;
  always_comb begin
    op_o = '0;
    case (kind_i)
      `WL_MBARRIER_ENGINE_SYNCS_EXCH:     op_o[`WL_MBAR_OP_KIND] = `WL_MBAR_EXCH;
      `WL_MBARRIER_ENGINE_SYNCS_ARRIVE:   op_o[`WL_MBAR_OP_KIND] = `WL_MBAR_ARRIVE;
      `WL_MBARRIER_ENGINE_SYNCS_PHASECHK: op_o[`WL_MBAR_OP_KIND] = `WL_MBAR_READ;
      `WL_MBARRIER_ENGINE_SYNCS_CCTL:     op_o[`WL_MBAR_OP_KIND] = `WL_MBAR_IV;
      default:                            op_o[`WL_MBAR_OP_KIND] = `WL_MBAR_ARRIVE_A;
    endcase
    op_o[`WL_MBAR_OP_FORM]    = ctl_i[`WL_MBARRIER_ENGINE_CTL_FORM];
    op_o[`WL_MBAR_OP_DROP]    = ctl_i[`WL_MBARRIER_ENGINE_CTL_DROP];
    op_o[`WL_MBAR_OP_TMASK]   = arrive && ctl_i[`WL_MBARRIER_ENGINE_CTL_RESULT] == 2'd1;
    op_o[`WL_MBAR_OP_TRYWAIT] = kind_i == `WL_MBARRIER_ENGINE_SYNCS_PHASECHK && ctl_i[`WL_MBARRIER_ENGINE_CTL_FORM] == 3'd1;
    op_o[`WL_MBAR_OP_ONCE]    = once;
  end
  assign rd_used_o = once ? ctl_i[`WL_MBARRIER_ENGINE_CTL_URD_USED] :
                     ctl_i[`WL_MBARRIER_ENGINE_CTL_RD_USED] && !(arrive && ctl_i[`WL_MBARRIER_ENGINE_CTL_RESULT] == 2'd2);

  // An arrival count from a register; a new object whose count cannot be, as init of 0 and of 2^20 and more writes it.
  always_comb begin
    count_o = '0;
    count   = 'x;
    bad     = 'x;
    if (valid_i && (once || (arrive && ctl_i[`WL_MBARRIER_ENGINE_CTL_FORM] == `WL_MBAR_ART0))) begin
      for (int l = 0; l < Lanes; l++) begin
        count      = data_i[l*128 +: 32];
        bad        = once ? count[`WL_MBAR_EXPECTED(20)] == '0 || count[0] || count[21] : count == '0 || count >= CountEnd;
        count_o[l] = ok_i[l] && bad;
      end
    end
  end

  // One exchange for all lanes, which are equal: in the first beat that has any.
  assign pending_o = once && done_q ? '0 : ok_i & ~count_o;
  assign whole_o   = first_i ? mask_i : whole_q;

  always_comb begin
    seen   = seen_q && !first_i;
    equal  = equal_q || first_i;
    addr   = addr_q;
    parity = parity_q;
    if (valid_i && kind_i == `WL_MBARRIER_ENGINE_SYNCS_PHASECHK) begin
      for (int l = 0; l < Lanes; l++) begin
        if (ok_i[l]) begin
          if (!seen) begin
            addr   = addr_i[l*AddrBits +: AddrBits];
            parity = data_i[l*128 + 31];
          end else if (addr != addr_i[l*AddrBits +: AddrBits] || parity != data_i[l*128 + 31]) begin
            equal = 1'b0;
          end
          seen = 1'b1;
        end
      end
    end
  end
  assign one_o = seen && equal;
  logic unused_ctl;
  assign unused_ctl = ^{ctl_i, data_i};

  always_ff @(posedge clk_i) begin
    if (rst_i) done_q <= 1'b0;
    else if (move_i) done_q <= !last_i && (done_q || pending_o != '0);
  end
  always_ff @(posedge clk_i) begin
    if (move_i) begin
      whole_q  <= whole_o;
      seen_q   <= seen;
      equal_q  <= equal;
      addr_q   <= addr;
      parity_q <= parity;
    end
  end
endmodule
`default_nettype wire
