// SPDX-License-Identifier: Apache-2.0
// The mbarrier object in shared memory, 64 bits, and the operations of mbar_alu. Both layouts keep negated counts:
// counts go up, and a phase ends with a carry.
//
// Layout B (sm_90 and later), N = 20 bits of a count:
//   [0] layout v1 of PTX; on sm_107 an object with this bit has the fields of gen/mbar_v1.vh instead
//   [N:1] -expected   [2N+1:N+1] -tx, signed   [2N+2] 0   [3N+2:2N+3] -pending   [3N+3] phase
// Layout A (sm_80): [29:0] -expected   [31:30] 0   [62:32] -pending   [63] phase; no tx, no mark
`ifndef WL_MBAR_VH
`define WL_MBAR_VH
`include "mbar_v1.vh"

// Layout v1 of sm_107: a bit that no object has, or a value without the predicate of the value.
`define WL_MBAR_V1_IMPOSSIBLE(w) ((w & `WL_MBAR_V1_ZEROS) != '0 || (!w[`WL_MBAR_V1_FAILED] && w[`WL_MBAR_V1_VALUE] != '0) || \
                                  (!w[`WL_MBAR_V1_LAST_FAILED] && w[`WL_MBAR_V1_LAST_VALUE] != '0))

`define WL_MBAR_EXPECTED(N)  1 +: N
`define WL_MBAR_TX(N)        N + 1 +: N + 1
`define WL_MBAR_PENDING(N)   2 * N + 3 +: N
`define WL_MBAR_PHASE(N)     3 * N + 3

// operations
`define WL_MBAR_ARRIVE       3'd0   // layout B: transactions, drop, arrival, as the form says
`define WL_MBAR_ARRIVE_A     3'd1   // layout A: one arrival
`define WL_MBAR_EXCH         3'd2   // a new object
`define WL_MBAR_IV           3'd3   // no object by PTX any more; bits and mark stay
`define WL_MBAR_READ         3'd4   // the object as it is

// forms of ARRIVE: A arrivals, T transactions; R the operand, X its negative
`define WL_MBAR_A1TR         3'd0
`define WL_MBAR_A1T0         3'd1
`define WL_MBAR_A0T1         3'd2
`define WL_MBAR_A0TR         3'd3
`define WL_MBAR_A0TX         3'd4
`define WL_MBAR_ART0         3'd5

// the operation of a pass in atoms_pipe: {objects may have layout v1 of sm_107, PHASECHK.PRIMARY, PHASECHK.CONDITIONAL,
// once for all lanes, TRYWAIT, TMASK, drop, form, kind}
`define WL_MBAR_OP_KIND      2:0
`define WL_MBAR_OP_FORM      5:3
`define WL_MBAR_OP_DROP      6
`define WL_MBAR_OP_TMASK     7
`define WL_MBAR_OP_TRYWAIT   8
`define WL_MBAR_OP_ONCE      9
`define WL_MBAR_OP_CONDITIONAL 10
`define WL_MBAR_OP_PRIMARY   11
`define WL_MBAR_OP_V1        12
`define WL_MBAR_OP_BITS      13

// end of a phase: {report of the phase (value, predicate), parity of the open conditional phase, that phase ends too}
`define WL_MBAR_REPORT_BITS  (`WL_MBAR_V1_VALUE_BITS + 1)
`define WL_MBAR_END_ENDS     0
`define WL_MBAR_END_PARITY   1
`define WL_MBAR_END_REPORT   2 +: `WL_MBAR_REPORT_BITS
// value of RELEASE for a complete phase
`define WL_MBAR_VALUE(report) {16'd0, report[1 +: 8], 6'd0, report[0], 1'b1}
`define WL_MBAR_END_BITS     (`WL_MBAR_REPORT_BITS + 2)

// from mbar_gather for each lane of an ARRIVE.TMASK: {the lowest lane on the lane's object, all lanes on this object}
`define WL_MBAR_GROUP_LANES  0 +: 32
`define WL_MBAR_GROUP_LOWEST 32 +: 5
`define WL_MBAR_GROUP_BITS   37

`endif
