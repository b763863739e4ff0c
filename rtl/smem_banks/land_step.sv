// SPDX-License-Identifier: Apache-2.0
// Effect of a piece of an asynchronous copy on a row of shared memory. Words are reduced, or an mbarrier is updated:
// landed bytes, the finding of a validity check of the bytes, or the arrival of a thread after the landing of all its
// copies.
//
// Combinational, in the write stage of smem_inject. Bytes take transactions off (form A0TX of ARRIVE). An mbarrier of
// layout A can only get arrivals. A finding is added to the report of the open phase, and ends no phase. A fault leaves
// the object unchanged.
`include "land.vh"
`include "mbar.vh"
`include "wl_config.vh"
`default_nettype none

module land_step #(
  parameter int Banks    = 32,
  parameter bit LayoutA  = 1'b1,                                   // mbarriers of sm_80
  parameter bit LayoutV1 = 1'b0,                                   // mbarriers of layout v1 of sm_107
  parameter int Pairs    = Banks / 2,                              // derived, do not override, like all below
  parameter int PairBits = Banks > 2 ? $clog2(Banks / 2) : 1
) (
  input  logic                valid_i,
  input  logic [2:0]          kind_i,        // WL_LAND_TX, WL_LAND_ARRIVE, WL_LAND_REDUCE, WL_LAND_REPORT
  input  logic [5:0]          op_i,          // WL_LAND_OP_*
  input  logic                layout_a_i,    // mbarriers have layout A of sm_80
  input  logic                layout_v1_i,   // mbarriers with bit 0 have layout v1 of sm_107
  input  logic [Banks-1:0]    words_i,       // of the row; of an mbarrier both halves
  input  logic [PairBits-1:0] pair_i,        // the mbarrier
  input  logic [Banks*32-1:0] data_i,        // operands of a reduction; low 32 bits: transactions; finding
  input  logic [Banks*32-1:0] old_i,
  input  logic [Banks-1:0]    mark_i,
  output logic [Banks-1:0]    we_o,
  output logic [Banks*32-1:0] new_o,
  output logic [Banks-1:0]    mark_o,        // of the words written
  output logic [Pairs-1:0]    flip_o,        // the mbarrier of this pair of banks ends a phase,
  output logic                flip_phase_o,  // ... of this parity,
  output logic [`WL_MBAR_END_BITS-1:0] flip_end_o, // ... in this way: WL_MBAR_END_*
  output logic [5:0]          fault_o        // WL_FAULT_* of the mbarrier
);
  logic                tells, reduces, reports, wide;
  logic [Banks*32-1:0] reduced;
  logic [Banks-1:0]    unused_match;
  logic [63:0]         object, stepped;
  logic                phase, unused_conditional;
  logic [`WL_MBAR_END_BITS-1:0]    how;
  logic [`WL_MBAR_REPORT_BITS-1:0] unused_last;
  logic                marked, alu_we, alu_mark, alu_flip;
  logic [5:0]          alu_fault;

  assign tells   = valid_i && (kind_i == `WL_LAND_TX || kind_i == `WL_LAND_ARRIVE);
  assign reduces = valid_i && kind_i == `WL_LAND_REDUCE;
  assign reports = LayoutV1 && valid_i && kind_i == `WL_LAND_REPORT;
  assign wide    = op_i[`WL_LAND_OP_WIDE];

  atomic_alu #(.Pairs(Pairs)) u_alu (
    .valid_i(reduces), .op_i(op_i[`WL_LAND_OP_ALU]), .signed_i(op_i[`WL_LAND_OP_SIGNED]), .cas_i(1'b0), .wide_i(1'b0), .quad_i(1'b0),
    .old_i, .b_i(data_i), .c_i({Pairs*64{1'b0}}), .new_o(reduced), .match_o(unused_match)
  );

  assign object = old_i[{pair_i, 6'd0} +: 64];
  assign marked = mark_i[{pair_i, 1'b0}] && mark_i[{pair_i, 1'b1}];
  mbar_alu #(.Pairs(1), .LayoutA(LayoutA), .LayoutV1(LayoutV1)) u_mbar_alu (
    .valid_i(tells), .kind_i(LayoutA && layout_a_i ? `WL_MBAR_ARRIVE_A : `WL_MBAR_ARRIVE),
    .form_i(kind_i == `WL_LAND_TX ? `WL_MBAR_A0TX : `WL_MBAR_A1T0), .drop_i(1'b0), .stay_i(1'b0), .v1_i(layout_v1_i), .mark_i(marked),
    .old_i(object), .b_i({32'd0, data_i[31:0]}), .new_o(stepped), .we_o(alu_we), .mark_o(alu_mark), .flip_o(alu_flip),
    .fault_o(alu_fault)
  );

  mbar_phases #(.Pairs(1), .LayoutV1(LayoutV1)) u_phases (
    .valid_i(tells), .v1_i(layout_v1_i), .old_i(object), .phase_o(phase), .end_o(how), .conditional_o(unused_conditional),
    .last_o(unused_last)
  );

  // ---- reports
  logic [63:0] noted;
  logic        found;
  logic [5:0]  report_fault;
  assign found = data_i[`WL_LAND_FOUND];
  always_comb begin
    noted = object;
    if (found) begin
      noted[`WL_MBAR_V1_FAILED] = 1'b1;
      noted[`WL_MBAR_V1_VALUE]  = object[`WL_MBAR_V1_VALUE] | data_i[`WL_LAND_VALUE];
    end
    report_fault = !marked ? `WL_FAULT_MBAR_UNINIT :
                   !layout_v1_i || !object[`WL_MBAR_V1_TAG] ? `WL_FAULT_MBAR_LAYOUT :
                   `WL_MBAR_V1_IMPOSSIBLE(object) ? `WL_FAULT_MBAR_COUNT_RANGE : `WL_FAULT_NONE;
  end

  always_comb begin
    we_o         = '0;
    new_o        = 'x;
    mark_o       = '0;
    flip_o       = '0;
    flip_phase_o = 1'b0;
    flip_end_o   = '0;
    fault_o      = `WL_FAULT_NONE;
    if (reduces) begin
      we_o  = words_i;
      new_o = reduced;
      for (int p = 0; p < Pairs; p++) begin
        if (wide) new_o[p*64 +: 64] = old_i[p*64 +: 64] + data_i[p*64 +: 64];
      end
    end else if (tells) begin
      we_o         = alu_we ? words_i : '0;
      new_o        = {Pairs{stepped}};
      mark_o       = alu_mark ? words_i : '0;
      flip_o       = alu_flip ? Pairs'(1) << pair_i : '0;
      flip_phase_o = phase;
      flip_end_o   = how;
      fault_o      = alu_fault;
    end else if (reports) begin
      we_o    = report_fault == `WL_FAULT_NONE ? words_i : '0;
      new_o   = {Pairs{noted}};
      mark_o  = words_i;
      fault_o = report_fault;
    end
  end
endmodule
`default_nettype wire
