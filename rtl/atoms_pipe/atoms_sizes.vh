// SPDX-License-Identifier: Apache-2.0
// Properties of a beat for the stages of atoms_pipe. Needs wl_units.vh.
  function automatic logic is_compare(input logic [4:0] kind);
    is_compare = kind == `WL_ATOMS_PIPE_ATOMS_CAS || kind == `WL_ATOMS_PIPE_ATOMS_CAST || kind == `WL_ATOMS_PIPE_ATOMS_CAST_P;
  endfunction

  // Banks of a group - 1, from the access size.
  function automatic logic [1:0] group_of(input logic [2:0] size);
    group_of = size == 3'd4 ? 2'd3 : size == 3'd3 ? 2'd1 : 2'd0;
  endfunction
