// SPDX-License-Identifier: Apache-2.0
// What stage W of atoms_pipe asks of the pass that comes from X: lanes that get a predicate; is it one of CAST.
  logic [Lanes-1:0] x_told;
  logic             x_cast;
  assign x_told = Preds && x.kind == `WL_ATOMS_PIPE_ATOMS_CAST_P && x.ctl[`WL_ATOMS_PIPE_CTL_PD_USED] ? x_part.lanes : '0;
  assign x_cast = x.kind == `WL_ATOMS_PIPE_ATOMS_CAST || x.kind == `WL_ATOMS_PIPE_ATOMS_CAST_P;
