// SPDX-License-Identifier: Apache-2.0
// One operation on each of several mbarrier objects: the new object, whether the phase ends, or the fault.
//
// Combinational; all pairs of banks do the same. An operation is tx, then expected, then arrival, on unbounded
// integers. Ranges are judged on the result, all or nothing. Each operation ends with one completion test: pending and
// tx 0 end the phase, and pending is loaded from the new expected. With expected 0 no further phase follows
// ("drained"). Of several faults the first of: UNINIT, COUNT_RANGE, DRAINED, TX_RANGE, DROP_RANGE, UNDERFLOW,
// NOCOMPLETE. An arrival of layout A has no fault.
//
// An object of layout v1 of sm_107 has counts of 9 bits, widened here to the counts of layout B, and reports. Where a
// phase ends, the report of the open phase becomes the report of the last phase, and keeps the conditional phase open.
// Only these objects fault with COUNT_RANGE.
`include "mbar.vh"
`include "wl_config.vh"
`default_nettype none

module mbar_alu #(
  parameter int Pairs = 1,
  parameter int N     = 20,                  // bits of a count of layout B; less in proofs and benches
  parameter bit LayoutA  = 1'b1,             // ARRIVE_A is built
  parameter bit LayoutV1 = 1'b0              // objects of layout v1 of sm_107; N is 20
) (
  input  logic                valid_i,       // low: the outputs have no meaning
  input  logic [2:0]          kind_i,        // WL_MBAR_ARRIVE ...
  input  logic [2:0]          form_i,        // of ARRIVE
  input  logic                drop_i,        // ARRIVE: expected falls by the arrivals, from this phase on
  input  logic                stay_i,        // ARRIVE: must not end the phase
  input  logic                v1_i,          // objects with bit 0 have layout v1 of sm_107
  input  logic [Pairs-1:0]    mark_i,        // the word is an object
  input  logic [Pairs*64-1:0] old_i,
  input  logic [Pairs*64-1:0] b_i,           // ARRIVE: the operand, low 32 bits; EXCH: the new word
  output logic [Pairs*64-1:0] new_o,
  output logic [Pairs-1:0]    we_o,          // the word is written
  output logic [Pairs-1:0]    mark_o,        // the word is an object afterwards
  output logic [Pairs-1:0]    flip_o,        // the phase has ended
  output logic [Pairs*6-1:0]  fault_o        // WL_FAULT_*; the object stays as it was
);
  localparam bit V1        = LayoutV1 && N == 20;
  localparam int CountBits = `WL_MBAR_V1_COUNT_BITS;

  // {fault (6), phase ends, new word (64)} of ARRIVE. Counts stand negated in the word: a decrease is an addition
  // there, and is too much when the sum goes beyond 0.
  function automatic logic [70:0] arrive(input logic [63:0] old, input logic [31:0] r, input logic [2:0] form,
                                         input logic drop, input logic stay, input logic v1);
    logic         wrong, ends, drained, minus, far, beyond, fewer, under;
    logic         none_expected, none_pending, big, huge;
    logic [N-1:0] expected, pending, next;   // all negated
    logic [N:0]   rest, left;
    logic [31:0]  count, more;               // arrivals; transactions, `minus`: off the negated count
    logic [N+2:0] tx, step;                  // tx: negated
    logic         unused_carry;
    logic [5:0]   fault;
    logic [63:0]  now;
    expected      = old[`WL_MBAR_EXPECTED(N)];
    pending       = old[`WL_MBAR_PENDING(N)];
    if (v1) begin                            // a negated count of more bits has ones above
      expected = N'({{N{old[`WL_MBAR_V1_EXPECTED] != '0}}, old[`WL_MBAR_V1_EXPECTED]});
      pending  = N'({{N{old[`WL_MBAR_V1_PENDING] != '0}}, old[`WL_MBAR_V1_PENDING]});
    end
    none_expected = expected == '0;
    none_pending  = pending == '0;
    minus         = form != `WL_MBAR_A0TX;
    case (form)
      `WL_MBAR_A1TR, `WL_MBAR_A1T0: count = 32'd1;
      `WL_MBAR_ART0:                count = r;
      default:                      count = 32'd0;
    endcase
    case (form)
      `WL_MBAR_A1TR, `WL_MBAR_A0TR, `WL_MBAR_A0TX: more = r;
      `WL_MBAR_A0T1:                               more = 32'd1;
      default:                                     more = 32'd0;
    endcase
    big     = (count >> N) != '0;            // more than any count
    huge    = (more >> N) != '0;             // more than an operation may name
    rest    = {1'b0, expected} + (drop ? {1'b0, count[N-1:0]} : '0);
    left    = {1'b0, pending} + {1'b0, count[N-1:0]};
    wrong   = v1 && (`WL_MBAR_V1_IMPOSSIBLE(old) || (count >> CountBits) != '0);
    fewer   = (drop && big) || (rest[N-1:0] != '0 && (rest[N] || none_expected));
    under   = big || (left[N-1:0] != '0 && (left[N] || none_pending));
    tx      = v1 ? (N + 3)'($signed(old[`WL_MBAR_V1_TX])) : {{3{old[2*N + 1]}}, old[N + 1 +: N]};
    step    = {2'd0, more[N:0]} ^ {N + 3{minus}};
    drained = none_expected && none_pending && tx == '0;
    {tx, unused_carry} = {tx, minus} + {step, minus};   // the lowest bit brings the carry of a difference in
    beyond  = tx[N+2:N] != 3'b000 && tx[N+2:N] != 3'b111;
    far     = more != '0 && (huge || beyond);
    ends    = left[N-1:0] == '0 && tx == '0;
    if (wrong) fault = `WL_FAULT_MBAR_COUNT_RANGE;
    else if (drained) fault = `WL_FAULT_MBAR_DRAINED;
    else if (far) fault = `WL_FAULT_MBAR_TX_RANGE;
    else if (fewer) fault = `WL_FAULT_MBAR_DROP_RANGE;
    else if (under) fault = `WL_FAULT_MBAR_UNDERFLOW;
    else if (stay && ends) fault = `WL_FAULT_MBAR_NOCOMPLETE;
    else fault = `WL_FAULT_NONE;
    next = ends ? rest[N-1:0] : left[N-1:0];
    now  = old;                              // bits outside all fields stay
    if (!v1) begin
      now[`WL_MBAR_PHASE(N)]    = old[`WL_MBAR_PHASE(N)] ^ ends;
      now[`WL_MBAR_PENDING(N)]  = next;
      now[`WL_MBAR_TX(N)]       = tx[N:0];
      now[`WL_MBAR_EXPECTED(N)] = rest[N-1:0];
    end else begin
      now[`WL_MBAR_V1_PENDING]  = CountBits'(next);
      now[`WL_MBAR_V1_TX]       = `WL_MBAR_V1_TX_BITS'(tx);
      now[`WL_MBAR_V1_EXPECTED] = CountBits'(rest[N-1:0]);
      if (ends) begin
        now[`WL_MBAR_V1_PHASE]       = ~old[`WL_MBAR_V1_PHASE];
        now[`WL_MBAR_V1_CONDITIONAL] = old[`WL_MBAR_V1_CONDITIONAL] ^ !old[`WL_MBAR_V1_FAILED];
        now[`WL_MBAR_V1_LAST_FAILED] = old[`WL_MBAR_V1_FAILED];
        now[`WL_MBAR_V1_LAST_VALUE]  = old[`WL_MBAR_V1_VALUE];
        now[`WL_MBAR_V1_FAILED]      = '0;
        now[`WL_MBAR_V1_VALUE]       = '0;
      end
    end
    arrive = {fault, ends, now};
  endfunction

  // {phase ends, new word} of the only arrival of layout A. Counts of more than 20 bits come from plain stores alone.
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
          `WL_MBAR_ARRIVE:   step = arrive(old, b[31:0], form_i, drop_i, stay_i, V1 && v1_i && old[`WL_MBAR_V1_TAG]);
          `WL_MBAR_ARRIVE_A: step = {`WL_FAULT_NONE, LayoutA ? arrive_a(old) : {1'b0, b}};
          default:           step = {`WL_FAULT_NONE, 1'b0, b};   // of EXCH; other kinds write nothing
        endcase
        if (!mark_i[p] && kind_i != `WL_MBAR_EXCH && kind_i != `WL_MBAR_ARRIVE_A) step[70:65] = `WL_FAULT_MBAR_UNINIT;
        new_o[p*64 +: 64]  = step[63:0];
        fault_o[p*6 +: 6]  = step[70:65];
        good               = step[70:65] == `WL_FAULT_NONE;
        flip_o[p]          = good && step[64];
        we_o[p]            = good && (kind_i == `WL_MBAR_EXCH || kind_i == `WL_MBAR_ARRIVE || kind_i == `WL_MBAR_ARRIVE_A);
        mark_o[p]          = mark_i[p] || (good && kind_i == `WL_MBAR_EXCH);
      end
    end
  end
endmodule
`default_nettype wire
