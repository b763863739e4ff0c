// SPDX-License-Identifier: Apache-2.0
// Phases of each of several mbarrier objects of layout B or v1: parities, and of layout v1 of sm_107 the reports of the
// open phase and of the last phase. In layout B the conditional phase is the phase, without reports.
//
// Combinational. The end of a phase is the end of the conditional phase too, where the open phase has no report.
`include "mbar.vh"
`default_nettype none

module mbar_phases #(
  parameter int Pairs      = 1,
  parameter bit LayoutV1   = 1'b0,
  parameter int ReportBits = `WL_MBAR_REPORT_BITS            // derived, do not override
) (
  input  logic                        valid_i,               // low: the outputs have no meaning
  input  logic                        v1_i,                  // objects with bit 0 have layout v1 of sm_107
  input  logic [Pairs*64-1:0]         old_i,
  output logic [Pairs-1:0]            phase_o,
  output logic [Pairs*`WL_MBAR_END_BITS-1:0] end_o,          // WL_MBAR_END_*: how the open phase would end
  output logic [Pairs-1:0]            conditional_o,
  output logic [Pairs*ReportBits-1:0] last_o                 // {value, predicate}
);
  logic [63:0]           old;
  logic                  v1, conditional;
  logic [ReportBits-1:0] open;
  always_comb begin
    phase_o       = 'x;
    end_o         = 'x;
    conditional_o = 'x;
    last_o        = 'x;
    old           = 'x;
    v1            = 'x;
    open          = 'x;
    conditional   = 'x;
    if (valid_i) begin
      for (int p = 0; p < Pairs; p++) begin
        old  = old_i[p*64 +: 64];
        v1   = LayoutV1 && v1_i && old[`WL_MBAR_V1_TAG];
        open = v1 ? {old[`WL_MBAR_V1_VALUE], old[`WL_MBAR_V1_FAILED]} : '0;
        phase_o[p]  = v1 ? old[`WL_MBAR_V1_PHASE] : old[`WL_MBAR_PHASE(20)];
        conditional = v1 ? old[`WL_MBAR_V1_CONDITIONAL] : phase_o[p];
        conditional_o[p] = conditional;
        end_o[p*`WL_MBAR_END_BITS +: `WL_MBAR_END_BITS] = {open, conditional, open == '0};
        last_o[p*ReportBits +: ReportBits] = v1 ? {old[`WL_MBAR_V1_LAST_VALUE], old[`WL_MBAR_V1_LAST_FAILED]} : '0;
      end
    end
  end
  logic unused_old;
  assign unused_old = ^old;
endmodule
`default_nettype wire
