// SPDX-License-Identifier: Apache-2.0
// Properties of the pass from X for stage W of atoms_pipe: lanes with a predicate; a pass of CAST.
  logic [Lanes-1:0] x_told;
  logic             x_cast;
  assign x_told = Preds && x.kind == `WL_ATOMS_PIPE_ATOMS_CAST_P && x.ctl[`WL_ATOMS_PIPE_CTL_PD_USED] ? x_part.lanes : '0;
  assign x_cast = x.kind == `WL_ATOMS_PIPE_ATOMS_CAST || x.kind == `WL_ATOMS_PIPE_ATOMS_CAST_P;
