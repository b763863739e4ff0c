// SPDX-License-Identifier: Apache-2.0
// Behind stage W of atoms_pipe: results of a pass go to the response slot, results of a shared beat to atom_unit.
`include "atoms_bundles.vh"
`default_nettype none

module atoms_answer #(
  parameter int Lanes     = 32,
  parameter int PortBits  = 1,
  parameter int SlotBits  = 3,
  parameter int ShareBits = 2,
  parameter int BeatBits  = Lanes < 32 ? $clog2(32 / Lanes) : 1   // derived, do not override
) (
  input  logic                 end_i,          // the pass in W is over
  input  logic                 finish_i,       // ... the last pass of a beat not shared
  input  logic [`WL_ATOMS_RESULT_BITS-1:0] result_i,
  input  logic [Lanes*128-1:0] data_i,         // words read by each lane
  input  logic                 special_i,      // of atoms_mbar
  input  logic [Lanes*7-1:0]   extra_i,
  input  logic                 hold_i,
  input  logic                 drop_i,

  // as in atoms_pipe
  output logic [`WL_ATOMS_DATA_BITS-1:0] rsp_o,
  output logic                 share_pass_o,
  output logic                 share_end_o,
  output logic [`WL_ATOMS_PASSED_BITS-1:0] share_passed_o,
  output logic                 done_valid_o,
  output logic [5:0]           done_warp_o
);
  typedef `WL_ATOMS_RESULT result_t;
  typedef `WL_ATOMS_DATA   data_t;
  typedef `WL_ATOMS_PASSED passed_t;
  result_t w;
  data_t   rsp;
  passed_t passed;
  assign w              = result_i;
  assign rsp_o          = rsp;
  assign share_passed_o = passed;

  logic [Lanes-1:0] tells, pred;
  assign tells = w.tells;
  always_comb begin
    pred = '0;
    if (tells != '0) begin
      for (int l = 0; l < Lanes; l++) pred[l] = tells[l] && data_i[l*128];
    end
  end

  assign rsp.port     = w.port;
  assign rsp.slot     = w.slot;
  assign rsp.we       = w.share ? '0 : w.we;
  assign rsp.finish   = finish_i;
  assign rsp.pred     = pred;
  assign rsp.special  = special_i;
  assign rsp.extra    = extra_i;
  assign rsp.hold     = hold_i;
  assign rsp.drop     = drop_i;
  assign share_pass_o = end_i && w.share && w.counts;
  assign share_end_o  = end_i && w.share && w.finish && w.last;
  assign passed.slot  = w.share_slot;
  assign passed.index = w.index;
  assign passed.we    = w.share ? w.we : '0;
  assign done_valid_o = finish_i && w.last;
  assign done_warp_o  = w.warp;
  logic unused;
  assign unused = ^data_i;
endmodule
`default_nettype wire
