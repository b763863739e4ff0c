// SPDX-License-Identifier: Apache-2.0
// Trace events of atoms_pipe by the lanes of the warp: FAULT when a beat begins, or in X by the state of an object; COMMIT in X.
`include "mbar.vh"
`include "wl_config.vh"
`include "wl_units.vh"
`default_nettype none

module atoms_trace #(
  parameter int Lanes    = 32,
  parameter bit Trace    = 1'b1,
  parameter bit Mbar     = 1'b0,
  parameter int BeatBits = Lanes < 32 ? $clog2(32 / Lanes) : 1,   // derived, do not override, like all below
  parameter int LaneBits = $clog2(Lanes)
) (
  // P
  input  logic                begin_i,              // a beat begins
  input  logic                count_i,              // ... one of mbarrier_engine, with a response slot
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
  input  logic [31:0]         x_whole_i,            // ... those
  input  logic [Lanes-1:0]    x_faulted_i,          // by the state of their object
  input  logic [Lanes*6-1:0]  x_fault_i,

  output logic                fault_valid_o,
  output logic [21:0]         fault_tag_o,
  output logic [6*32-1:0]     fault_lanes_o,
  output logic                count_valid_o,
  output logic [21:0]         count_tag_o,
  output logic [31:0]         count_lanes_o,
  output logic                state_valid_o,
  output logic [21:0]         state_tag_o,
  output logic [7*32-1:0]     state_lanes_o,
  output logic                commit_valid_o,
  output logic [21:0]         commit_tag_o,
  output logic [31:0]         commit_lanes_o
);
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
    assign fault_valid_o = begin_i && (code2_i | code1_i | code0_i) != '0;
    assign fault_tag_o = tag_i;
    assign code3 = code1_i & code0_i;
    assign code2 = code1_i & ~code0_i & ~code2_i;
    assign code1 = code0_i & ~code1_i & ~code2_i;
    assign code4 = code2_i & ~code1_i & ~code0_i;
    assign code5 = code2_i & code0_i;
    assign code6 = code2_i & code1_i;
    assign fault_lanes_o = {32'(code6) << fault_shift, 32'(code5) << fault_shift, 32'(code4) << fault_shift, 32'(code3) << fault_shift, 32'(code2) << fault_shift, 32'(code1) << fault_shift};
    assign commit_valid_o = x_valid_i && (x_lanes_i & ~x_faulted_i) != '0;
    assign commit_tag_o = x_tag_i;
    if (Mbar) begin : gen_mbar_trace
      localparam logic [41:0] Codes = {`WL_FAULT_MBAR_COUNT_RANGE, `WL_FAULT_MBAR_NOCOMPLETE, `WL_FAULT_MBAR_UNDERFLOW, `WL_FAULT_MBAR_DROP_RANGE,
                                       `WL_FAULT_MBAR_TX_RANGE, `WL_FAULT_MBAR_DRAINED, `WL_FAULT_MBAR_UNINIT};
      logic [Lanes-1:0] those, good;
      assign good = x_lanes_i & ~x_faulted_i;
      assign commit_lanes_o = x_once_i ? x_whole_i : 32'(good) << commit_shift;
      assign count_valid_o = count_i && counts_i != '0;
      assign count_tag_o = tag_i;
      assign count_lanes_o = 32'(counts_i) << fault_shift;
      assign state_valid_o = x_faulted_i != '0;
      assign state_tag_o = x_tag_i;
      always_comb begin
        state_lanes_o = '0;
        those         = 'x;
        if (x_faulted_i != '0) begin
          for (int c = 0; c < 7; c++) begin
            for (int l = 0; l < Lanes; l++) those[l] = x_faulted_i[l] && x_fault_i[l*6 +: 6] == Codes[c*6 +: 6];
            state_lanes_o[c*32 +: 32] = 32'(those) << commit_shift;
          end
        end
      end
    end else begin : gen_no_mbar_trace
      assign commit_lanes_o = 32'(x_lanes_i) << commit_shift;
      assign count_valid_o = 1'b0;
      assign count_tag_o = '0;
      assign count_lanes_o = '0;
      assign state_valid_o = 1'b0;
      assign state_tag_o = '0;
      assign state_lanes_o = '0;
    end
  end else begin : gen_no_trace
    assign {fault_valid_o, fault_tag_o, fault_lanes_o}    = '0;
    assign {count_valid_o, count_tag_o, count_lanes_o}    = '0;
    assign {state_valid_o, state_tag_o, state_lanes_o}    = '0;
    assign {commit_valid_o, commit_tag_o, commit_lanes_o} = '0;
  end

  logic unused;
  assign unused = ^{begin_i, count_i, tag_i, index_i, code2_i, code1_i, code0_i, counts_i, x_valid_i, x_tag_i, x_index_i, x_lanes_i,
                    x_once_i, x_whole_i, x_faulted_i, x_fault_i};
endmodule
`default_nettype wire
