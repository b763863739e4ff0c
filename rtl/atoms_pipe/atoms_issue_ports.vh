// SPDX-License-Identifier: Apache-2.0
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic             valid_i,           // a beat is in P
  input  logic             fire_i,            // the pass is issued
  input  logic             leave_i,           // ... the last pass of the beat
  input  logic             end_i,             // lean form: the pass has left W
  input  logic             floats_i,          // the beat's passes are of floats
  input  logic [Lanes-1:0] pending_i,         // lanes without a pass yet,
  input  logic [Lanes-1:0] rest_i,            // ... after the pass offered for issue,
  input  logic [Lanes-1:0] left_i,            // ... not seen by pass_select
  input  logic             all_i,             // pass_select takes all lanes seen
  input  logic [`WL_ATOMS_CHOICE_BITS-1:0] choice_i,
  output logic [`WL_ATOMS_CHOICE_BITS-1:0] choice_o, // the pass offered for issue
  output logic             open_o,            // a pass is offered
  output logic             over_o,            // ... the last pass of the beat
  output logic             gap_o,             // no pass may be issued
  output logic             free_o,            // another beat may come in the next cycle
  output logic             done_o             // the beat is gone in the next cycle
