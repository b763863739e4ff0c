// SPDX-License-Identifier: Apache-2.0
// One operation on each of several mbarrier objects: what becomes of the object, whether its phase ends, or why not.
//
// Combinational; all pairs of banks do the same. An operation is tx, then expected, then arrival, on unbounded integers;
// ranges are judged on the result, all or nothing; one completion test at the end of each: pending and tx 0 end the phase,
// and pending is loaded from the new expected. With expected 0 there is no further phase ("drained"). Of several faults
// the first of: UNINIT, DRAINED, TX_RANGE, DROP_RANGE, UNDERFLOW, NOCOMPLETE. An arrival of layout A has none.
`include "mbar.vh"
`include "wl_config.vh"
`default_nettype none

module mbar_alu #(
  parameter int Pairs = 1,
  parameter int N     = 20                   // bits of a count of layout B; less in proofs and benches
) (
  input  logic                valid_i,       // without it the outputs have no meaning
  input  logic [2:0]          kind_i,        // WL_MBAR_ARRIVE ...
  input  logic [2:0]          form_i,        // of ARRIVE
  input  logic                drop_i,        // ARRIVE: expected falls by the arrivals, from this phase on
  input  logic                stay_i,        // ARRIVE: must not end the phase
  input  logic [Pairs-1:0]    mark_i,        // there is an object
  input  logic [Pairs*64-1:0] old_i,
  input  logic [Pairs*64-1:0] b_i,           // ARRIVE: the operand, low 32 bits; EXCH: the new word
  output logic [Pairs*64-1:0] new_o,
  output logic [Pairs-1:0]    we_o,          // the word is written
  output logic [Pairs-1:0]    mark_o,        // there is an object afterwards
  output logic [Pairs-1:0]    flip_o,        // the phase has ended
  output logic [Pairs*6-1:0]  fault_o        // WL_FAULT_*; the object stays as it was
);
  localparam int TxBits = 35;                // holds any sum of a tx-count and an operand

  // {fault (6), phase ends, new word (64)} of ARRIVE
  function automatic logic [70:0] arrive(input logic [63:0] old, input logic [31:0] r, input logic [2:0] form,
                                         input logic drop, input logic stay);
    logic                     phase, ends, drained;
    logic [N-1:0]             expected, pending, left, rest;
    logic [N-1:0]             negated_rest, negated_left;
    logic [31:0]              count;
    logic signed [TxBits-1:0] tx, more, operand;
    logic [5:0]               fault;
    logic [63:0]              now;
    phase    = old[`WL_MBAR_PHASE(N)];
    expected = -old[`WL_MBAR_EXPECTED(N)];
    pending  = -old[`WL_MBAR_PENDING(N)];
    tx       = {{TxBits-N-1{old[2*N + 2]}}, old[`WL_MBAR_TX(N)]};
    operand  = {{TxBits-32{1'b0}}, r};
    case (form)
      `WL_MBAR_A1TR, `WL_MBAR_A1T0: count = 32'd1;
      `WL_MBAR_ART0:                count = r;
      default:                      count = 32'd0;
    endcase
    case (form)
      `WL_MBAR_A1TR, `WL_MBAR_A0TR: more = operand;
      `WL_MBAR_A0TX:                more = -operand;
      `WL_MBAR_A0T1:                more = TxBits'(1);
      default:                      more = '0;
    endcase
    drained  = expected == '0 && pending == '0 && tx == '0;
    tx       = tx + more;
    left     = pending - count[N-1:0];
    rest     = drop ? expected - count[N-1:0] : expected;
    ends     = left == '0 && tx == '0;
    if (drained) fault = `WL_FAULT_MBAR_DRAINED;
    else if (more != '0 && (tx >= TxBits'(1) <<< N || tx <= -(TxBits'(1) <<< N))) fault = `WL_FAULT_MBAR_TX_RANGE;
    else if (drop && count > 32'(expected)) fault = `WL_FAULT_MBAR_DROP_RANGE;
    else if (count > 32'(pending)) fault = `WL_FAULT_MBAR_UNDERFLOW;
    else if (stay && ends) fault = `WL_FAULT_MBAR_NOCOMPLETE;
    else fault = `WL_FAULT_NONE;
    negated_rest = -rest;
    negated_left = ends ? negated_rest : -left;
    now = old;                               // bits that belong to no field stay
    now[`WL_MBAR_PHASE(N)]    = phase ^ ends;
    now[`WL_MBAR_PENDING(N)]  = negated_left;
    now[`WL_MBAR_TX(N)]       = tx[N:0];
    now[`WL_MBAR_EXPECTED(N)] = negated_rest;
    arrive = {fault, ends, now};
  endfunction

  // {phase ends, new word} of the one arrival of layout A. Counts of more than 20 bits are made by plain stores alone.
  function automatic logic [64:0] arrive_a(input logic [63:0] old);
    logic ends;
    ends     = old[62:32] == '1;
    arrive_a = {ends, old[63] ^ ends, ends ? {old[29], old[29:0]} : old[62:32] + 31'd1, old[31:0]};
  endfunction

  logic [63:0] old, b;
  logic [70:0] step;
  logic        good;

  always_comb begin
    new_o   = 'x;
    we_o    = 'x;
    mark_o  = 'x;
    flip_o  = 'x;
    fault_o = 'x;
    old     = 'x;
    b       = 'x;
    step    = 'x;
    good    = 'x;
    if (valid_i) begin
      for (int p = 0; p < Pairs; p++) begin
        old = old_i[p*64 +: 64];
        b   = b_i[p*64 +: 64];
        case (kind_i)
          `WL_MBAR_ARRIVE:   step = arrive(old, b[31:0], form_i, drop_i, stay_i);
          `WL_MBAR_ARRIVE_A: step = {`WL_FAULT_NONE, arrive_a(old)};
          `WL_MBAR_EXCH:     step = {`WL_FAULT_NONE, 1'b0, b};
          default:           step = {`WL_FAULT_NONE, 1'b0, old};
        endcase
        if (!mark_i[p] && kind_i != `WL_MBAR_EXCH && kind_i != `WL_MBAR_ARRIVE_A) step[70:65] = `WL_FAULT_MBAR_UNINIT;
        new_o[p*64 +: 64]  = step[63:0];
        fault_o[p*6 +: 6]  = step[70:65];
        good               = step[70:65] == `WL_FAULT_NONE;
        flip_o[p]          = good && step[64];
        we_o[p]            = good && (kind_i == `WL_MBAR_EXCH || kind_i == `WL_MBAR_ARRIVE || kind_i == `WL_MBAR_ARRIVE_A);
        mark_o[p]          = (mark_i[p] && !(good && kind_i == `WL_MBAR_IV)) || (good && kind_i == `WL_MBAR_EXCH);
      end
    end
  end
endmodule
`default_nettype wire
