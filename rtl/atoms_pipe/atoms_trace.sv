// SPDX-License-Identifier: Apache-2.0
// Trace events of atoms_pipe by the lanes of the warp: FAULT when a beat begins, or in X by the state of an object; COMMIT in X.
`include "mbar.vh"
`include "trace_atoms_pipe.vh"
`include "wl_config.vh"
`include "wl_units.vh"
`default_nettype none

module atoms_trace #(
  parameter int Lanes    = 32,
  parameter int Banks    = 32,
  parameter int RowBits  = 9,
  parameter bit Trace    = 1'b1,
  parameter bit Mbar     = 1'b0,
  parameter int BeatBits = Lanes < 32 ? $clog2(32 / Lanes) : 1,   // derived, do not override, like all below
  parameter int LaneBits = $clog2(Lanes)
) (
  // P
  input  logic                begin_i,              // a beat begins
  input  logic                count_i,              // ... of mbarrier_engine, with a response slot
  input  logic [21:0]         tag_i,
  input  logic [BeatBits-1:0] index_i,
  input  logic [Lanes-1:0]    code2_i,              // the fault of each lane
  input  logic [Lanes-1:0]    code1_i,
  input  logic [Lanes-1:0]    code0_i,
  input  logic [Lanes-1:0]    counts_i,             // lanes with MBAR_COUNT_RANGE

  // X
  input  logic                x_valid_i,
  input  logic [21:0]         x_tag_i,
  input  logic [BeatBits-1:0] x_index_i,
  input  logic [Lanes-1:0]    x_lanes_i,
  input  logic                x_once_i,             // an operation once for all lanes,
  input  logic [31:0]         x_whole_i,            // ... with these lanes
  input  logic [Lanes-1:0]    x_faulted_i,          // by the state of the object
  input  logic [Lanes*6-1:0]  x_fault_i,

  input  logic [Banks-1:0]    x_we_i,               // banks written,
  input  logic [Banks-1:0]    x_fwd_i,              // banks with a word from the pass ahead
  input  logic [Banks*RowBits-1:0] x_row_i,
  input  logic [Banks*32-1:0] x_old_i,
  input  logic [Banks*32-1:0] x_new_i,

  output logic [`WL_TRACE_ATOMS_PIPE_BITS-1:0] trace_o,
  output logic [Banks*RowBits-1:0] trace_commit_row_o,
  output logic [Banks*32-1:0] trace_commit_old_o,
  output logic [Banks*32-1:0] trace_commit_now_o
);
  typedef `WL_TRACE_ATOMS_PIPE trace_t;
  trace_t t;
  logic             fault_valid, count_valid, state_valid, commit_valid;
  logic [21:0]      fault_tag, count_tag, state_tag, commit_tag;
  logic [6*32-1:0]  fault_lanes;
  logic [7*32-1:0]  state_lanes;
  logic [31:0]      count_lanes, commit_lanes;
  logic [Banks-1:0] commit_fwd;
  if (Trace) begin : gen_trace
    logic [4:0]       fault_shift, commit_shift;
    logic [Lanes-1:0] code6, code5, code4, code3, code2, code1;
    if (Lanes < 32) begin : gen_shift
      assign fault_shift = {index_i, {LaneBits{1'b0}}};
      assign commit_shift = {x_index_i, {LaneBits{1'b0}}};
    end else begin : gen_no_shift
      logic unused_index;
      assign unused_index = ^{index_i, x_index_i};
      assign fault_shift = '0;
      assign commit_shift = '0;
    end
    assign fault_valid = begin_i && (code2_i | code1_i | code0_i) != '0;
    assign fault_tag = tag_i;
    assign code3 = code1_i & code0_i;
    assign code2 = code1_i & ~code0_i & ~code2_i;
    assign code1 = code0_i & ~code1_i & ~code2_i;
    assign code4 = code2_i & ~code1_i & ~code0_i;
    assign code5 = code2_i & code0_i;
    assign code6 = code2_i & code1_i;
    assign fault_lanes = {32'(code6) << fault_shift, 32'(code5) << fault_shift, 32'(code4) << fault_shift, 32'(code3) << fault_shift, 32'(code2) << fault_shift, 32'(code1) << fault_shift};
    assign commit_valid = x_valid_i && (x_lanes_i & ~x_faulted_i) != '0;
    assign commit_tag = x_tag_i;
    if (Mbar) begin : gen_mbar_trace
      localparam logic [41:0] Codes = {`WL_FAULT_MBAR_COUNT_RANGE, `WL_FAULT_MBAR_NOCOMPLETE, `WL_FAULT_MBAR_UNDERFLOW, `WL_FAULT_MBAR_DROP_RANGE,
                                       `WL_FAULT_MBAR_TX_RANGE, `WL_FAULT_MBAR_DRAINED, `WL_FAULT_MBAR_UNINIT};
      logic [Lanes-1:0] those, good;
      assign good = x_lanes_i & ~x_faulted_i;
      assign commit_lanes = x_once_i ? x_whole_i : 32'(good) << commit_shift;
      assign count_valid = count_i && counts_i != '0;
      assign count_tag = tag_i;
      assign count_lanes = 32'(counts_i) << fault_shift;
      assign state_valid = x_faulted_i != '0;
      assign state_tag = x_tag_i;
      always_comb begin
        state_lanes = '0;
        those         = 'x;
        if (x_faulted_i != '0) begin
          for (int c = 0; c < 7; c++) begin
            for (int l = 0; l < Lanes; l++) those[l] = x_faulted_i[l] && x_fault_i[l*6 +: 6] == Codes[c*6 +: 6];
            state_lanes[c*32 +: 32] = 32'(those) << commit_shift;
          end
        end
      end
    end else begin : gen_no_mbar_trace
      assign commit_lanes = 32'(x_lanes_i) << commit_shift;
      assign count_valid = 1'b0;
      assign count_tag = '0;
      assign count_lanes = '0;
      assign state_valid = 1'b0;
      assign state_tag = '0;
      assign state_lanes = '0;
    end
  end else begin : gen_no_trace
    assign {fault_valid, fault_tag, fault_lanes}    = '0;
    assign {count_valid, count_tag, count_lanes}    = '0;
    assign {state_valid, state_tag, state_lanes}    = '0;
    assign {commit_valid, commit_tag, commit_lanes} = '0;
  end

  assign commit_fwd     = Trace ? x_fwd_i : '0;
  assign t.fault_valid  = fault_valid;
  assign t.fault_tag    = fault_tag;
  assign t.fault_lanes  = fault_lanes;
  assign t.count_valid  = count_valid;
  assign t.count_tag    = count_tag;
  assign t.count_lanes  = count_lanes;
  assign t.state_valid  = state_valid;
  assign t.state_tag    = state_tag;
  assign t.state_lanes  = state_lanes;
  assign t.commit_valid = commit_valid;
  assign t.commit_tag   = commit_tag;
  assign t.commit_lanes = commit_lanes;
  assign t.commit_we    = Trace ? x_we_i : '0;
  assign t.commit_fwd   = commit_fwd;
  assign trace_o            = t;
  assign trace_commit_row_o = Trace ? x_row_i : '0;
  assign trace_commit_old_o = Trace ? x_old_i : '0;
  assign trace_commit_now_o = Trace ? x_new_i : '0;
  logic unused;
  assign unused = ^{begin_i, count_i, tag_i, index_i, code2_i, code1_i, code0_i, counts_i, x_valid_i, x_tag_i, x_index_i, x_lanes_i,
                    x_once_i, x_whole_i, x_faulted_i, x_fault_i, x_we_i, x_fwd_i, x_row_i, x_old_i, x_new_i};
endmodule
`default_nettype wire
