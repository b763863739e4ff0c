// SPDX-License-Identifier: Apache-2.0
// Stage A of atoms_pipe for a beat of mbarrier_engine: the operation, the lanes with an operand that faults whatever
// the object holds, and whether all lanes of a TRYWAIT so far name one object and one phase.
//
// Combinational but for a memory of earlier beats of the same request.
//
// With `Lean` lanes come in from above, one a cycle, before the beat goes on, and outputs follow the inputs a cycle
// later.
`include "mbar.vh"
`include "wl_units.vh"
`default_nettype none

module mbar_address #(
  parameter int Lanes    = 32,
  parameter int AddrBits = 16,
  parameter bit LayoutV1 = 1'b0,                // objects of layout v1 of sm_107
  parameter bit Lean     = 1'b0
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic                       begin_i,      // Lean: a beat begins
  input  logic                       look_i,       // ... the next lane is the highest of ok_i, addr_i
  input  logic                       look_parity_i, // ... parity of the phase, for a TRYWAIT of this lane
  input  logic                       valid_i,      // a beat of mbarrier_engine
  input  logic                       move_i,       // the beat goes on
  input  logic                       first_i,
  input  logic                       last_i,
  input  logic [4:0]                 kind_i,       // WL_MBARRIER_ENGINE_*
  input  logic [31:0]                ctl_i,        // WL_MBARRIER_ENGINE_CTL_*
  input  logic                       v1_i,         // an object with bit 0 has layout v1
  input  logic [31:0]                mask_i,       // with the first beat: lanes of the request
  input  logic [Lanes-1:0]           ok_i,         // lanes with a good address
  input  logic [Lanes*AddrBits-1:0]  addr_i,
  input  logic [Lanes*128-1:0]       data_i,       // Rb

  output logic [`WL_MBAR_OP_BITS-1:0] op_o,        // WL_MBAR_OP_*
  output logic                       rd_used_o,
  output logic [Lanes-1:0]           count_o,      // MBAR_COUNT_RANGE
  output logic [Lanes-1:0]           pending_o,    // lanes in need of a bank
  output logic [31:0]                whole_o,      // lanes of an operation done once for all lanes
  output logic                       one_o         // TRYWAIT, with the last beat: one object, one phase
);
  localparam logic [31:0] CountEnd = 32'd1 << 20;

  logic        bad, arrive, once, done_q, seen_q, seen, equal_q, equal, parity_q, parity;
  logic        rd_used, one, phasechk;
  logic [63:0] object;
  logic [31:0] whole_q, whole, count;
  logic [Lanes-1:0] counts, pending;
  logic [`WL_MBAR_OP_BITS-1:0] op;
  logic [AddrBits-1:0] addr_q, addr;

  assign arrive = kind_i == `WL_MBARRIER_ENGINE_SYNCS_ARRIVE;
  assign phasechk = kind_i == `WL_MBARRIER_ENGINE_SYNCS_PHASECHK;
  assign once   = kind_i == `WL_MBARRIER_ENGINE_SYNCS_EXCH;
  always_comb begin
    op = '0;
    case (kind_i)
      `WL_MBARRIER_ENGINE_SYNCS_EXCH:     op[`WL_MBAR_OP_KIND] = `WL_MBAR_EXCH;
      `WL_MBARRIER_ENGINE_SYNCS_ARRIVE:   op[`WL_MBAR_OP_KIND] = `WL_MBAR_ARRIVE;
      `WL_MBARRIER_ENGINE_SYNCS_PHASECHK: op[`WL_MBAR_OP_KIND] = `WL_MBAR_READ;
      `WL_MBARRIER_ENGINE_SYNCS_CCTL:     op[`WL_MBAR_OP_KIND] = `WL_MBAR_IV;
      default:                            op[`WL_MBAR_OP_KIND] = `WL_MBAR_ARRIVE_A;
    endcase
    op[`WL_MBAR_OP_FORM]    = ctl_i[`WL_MBARRIER_ENGINE_CTL_FORM];
    op[`WL_MBAR_OP_DROP]    = ctl_i[`WL_MBARRIER_ENGINE_CTL_DROP];
    op[`WL_MBAR_OP_TMASK]   = arrive && ctl_i[`WL_MBARRIER_ENGINE_CTL_RESULT] == 2'd1;
    op[`WL_MBAR_OP_TRYWAIT] = phasechk && ctl_i[`WL_MBARRIER_ENGINE_CTL_FORM] == 3'd1;
    op[`WL_MBAR_OP_ONCE]    = once;
    op[`WL_MBAR_OP_CONDITIONAL] = LayoutV1 && phasechk && ctl_i[`WL_MBARRIER_ENGINE_CTL_RESULT] == 2'd1;
    op[`WL_MBAR_OP_PRIMARY]     = LayoutV1 && phasechk && ctl_i[`WL_MBARRIER_ENGINE_CTL_RESULT] == 2'd2;
    op[`WL_MBAR_OP_V1]          = LayoutV1 && v1_i;
  end
  assign rd_used   = once ? ctl_i[`WL_MBARRIER_ENGINE_CTL_URD_USED] :
                     ctl_i[`WL_MBARRIER_ENGINE_CTL_RD_USED] && !(arrive && ctl_i[`WL_MBARRIER_ENGINE_CTL_RESULT] == 2'd2) ||
                     op[`WL_MBAR_OP_PRIMARY];

  // An arrival count from a register; a new object without count, as written by init of 0 and of 2^20; of layout v1
  // also an impossible object, as written by init of 512.
  always_comb begin
    counts = '0;
    count  = 'x;
    bad    = 'x;
    object = 'x;
    if (valid_i && (once || (arrive && ctl_i[`WL_MBARRIER_ENGINE_CTL_FORM] == `WL_MBAR_ART0))) begin
      for (int l = 0; l < Lanes; l++) begin
        count      = data_i[l*128 +: 32];
        object     = data_i[l*128 +: 64];
        bad        = !once ? count >= CountEnd : LayoutV1 && v1_i && object[`WL_MBAR_V1_TAG] ?
                     object[`WL_MBAR_V1_EXPECTED] == '0 || `WL_MBAR_V1_IMPOSSIBLE(object) : object[`WL_MBAR_EXPECTED(20)] == '0;
        counts[l]  = ok_i[l] && bad;
      end
    end
  end

  // One exchange for all lanes, with equal operands: in the first beat with a lane.
  assign pending = once && done_q ? '0 : ok_i & ~counts;
  assign whole   = first_i ? mask_i : whole_q;

  assign one = seen && equal;
  if (Lean) begin : gen_one_by_one
    always_ff @(posedge clk_i) begin
      if (begin_i && first_i) begin
        seen_q  <= 1'b0;
        equal_q <= 1'b1;
      end else if (look_i && ok_i[Lanes-1]) begin
        seen_q <= 1'b1;
        if (!seen_q) {addr_q, parity_q} <= {addr_i[(Lanes-1)*AddrBits +: AddrBits], look_parity_i};
        else if (addr_q != addr_i[(Lanes-1)*AddrBits +: AddrBits] || parity_q != look_parity_i) equal_q <= 1'b0;
      end
      {op_o, rd_used_o, count_o, pending_o, whole_o, one_o} <= {op, rd_used, counts, pending, whole, one};
    end
    assign {seen, equal, addr, parity} = {seen_q, equal_q, addr_q, parity_q};
    logic unused_at_once;
    assign unused_at_once = ^{addr, parity, addr_i};
  end else begin : gen_at_once
    assign {op_o, rd_used_o, count_o, pending_o, whole_o, one_o} = {op, rd_used, counts, pending, whole, one};
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
    always_ff @(posedge clk_i) begin
      if (move_i) begin
        seen_q   <= seen;
        equal_q  <= equal;
        addr_q   <= addr;
        parity_q <= parity;
      end
    end
    logic unused_lean;
    assign unused_lean = ^{begin_i, look_i, look_parity_i};
  end
  logic unused_ctl;
  assign unused_ctl = ^{ctl_i, data_i, v1_i};

  always_ff @(posedge clk_i) begin
    if (rst_i) done_q <= 1'b0;
    else if (move_i) done_q <= !last_i && (done_q || pending != '0);
  end
  always_ff @(posedge clk_i) begin
    if (move_i) whole_q <= whole;
  end
endmodule
`default_nettype wire
