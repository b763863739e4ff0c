// SPDX-License-Identifier: Apache-2.0
// Places of the units in the o_* vectors of sync_core, for modules with a parameter `Ports`. Every unit but atoms_pipe
// has a place, or a place for each port. mbarrier_engine has no place: atoms_pipe answers the requests.
  localparam int PortWise = (1 << `WL_UNIT_BARRIER_FILE) | (1 << `WL_UNIT_WARP_COLLECTIVE) | (1 << `WL_UNIT_CONVERGENCE) |
                            (1 << `WL_UNIT_CLUSTER_BARRIER);

  function automatic int count_below(input int mask, input int unit); // places of the mask's units with lower numbers
    count_below = 0;
    for (int u = 1; u < 16; u++) begin
      if (u < unit && ((mask >> u) & 1) != 0 && u != 32'(`WL_UNIT_MBARRIER_ENGINE)) begin
        count_below = count_below + (((PortWise >> u) & 1) != 0 ? Ports : 1);
      end
    end
  endfunction
