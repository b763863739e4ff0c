// SPDX-License-Identifier: Apache-2.0
// Outputs of a unit of sync_core without beats; without headers and part in the end of warps; without waits
// (rtl/core/README.md).
`ifndef WL_UNIT_TIES_VH
`define WL_UNIT_TIES_VH
`define WL_NO_BEATS(u) \
    assign u_beat_ready[u]          = 1'b0; \
    assign u_open[u*Ports +: Ports] = '0; \
    assign u_done_valid[u]          = 1'b0; \
    assign u_done_warp[u*6 +: 6]    = '0;
`define WL_NO_HEADS(u) \
    assign u_head_ready[u*Ports +: Ports] = '1; \
    assign u_exit_ready[u*Ports +: Ports] = '1;
`define WL_NO_WAITS(at, places) \
    assign o_park_valid[at +: places]             = '0; \
    assign o_park_slot[at*4 +: places*4]          = '0; \
    assign o_park_id[at*16 +: places*16]          = '0; \
    assign o_park_warps[at*Warps +: places*Warps] = '0; \
    assign o_rel_valid[at +: places]              = '0; \
    assign o_rel[at*121 +: places*121]            = '0;
`endif
