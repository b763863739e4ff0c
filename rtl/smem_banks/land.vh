// SPDX-License-Identifier: Apache-2.0
// Effects of a piece of an asynchronous copy on shared memory: numbers of enum wl_land.
`ifndef WL_LAND_VH
`define WL_LAND_VH

`define WL_LAND_WRITE   3'd0   // words of a row are written
`define WL_LAND_READ    3'd1   // ... are read
`define WL_LAND_TX      3'd2   // so many transactions of an mbarrier are complete
`define WL_LAND_ARRIVE  3'd3   // an mbarrier gets an arrival
`define WL_LAND_REDUCE  3'd4   // words of a row become op(word, data)
`define WL_LAND_REPORT  3'd5   // an mbarrier of layout v1 of sm_107 gets the finding of a validity check

// how to reduce: {64 bits (ADD), signed, operation of atomic_alu}
`define WL_LAND_OP_ALU     3:0
`define WL_LAND_OP_SIGNED  4
`define WL_LAND_OP_WIDE    5

// finding of a validity check, in the data: {a match, told by the report's predicate; value of the report}
`define WL_LAND_FOUND      8
`define WL_LAND_VALUE      7:0

`endif
