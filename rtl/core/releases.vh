// SPDX-License-Identifier: Apache-2.0
// Number of release lanes of sync_core: a lane shared by units, a lane a port for each unit with a row RELEASES, and
// for mbarrier_engine a lane a pair of banks and a lane for waits giving up. Needs wl_units.vh.
`ifndef WL_RELEASES_VH
`define WL_RELEASES_VH
`define WL_RELEASE_LANES(units, ports, banks) \
  (1 + `WL_COUNT_RELEASES(units) * (ports) + ((((units) >> `WL_UNIT_MBARRIER_ENGINE) & 1) != 0 ? (banks) / 2 + 1 : 0))
`endif
