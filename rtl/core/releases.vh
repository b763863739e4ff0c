// SPDX-License-Identifier: Apache-2.0
// How many lanes the release ports of sync_core have: one of all units, of some units one a port, and of mbarrier_engine one a pair
// of banks and one that gives up. Needs wl_units.vh.
`ifndef WL_RELEASES_VH
`define WL_RELEASES_VH
`define WL_RELEASE_LANES(units, ports, banks) \
  (1 + `WL_COUNT_RELEASES(units) * (ports) + ((((units) >> `WL_UNIT_MBARRIER_ENGINE) & 1) != 0 ? (banks) / 2 + 1 : 0))
`endif
