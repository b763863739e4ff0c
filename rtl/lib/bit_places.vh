// SPDX-License-Identifier: Apache-2.0
// Numbers of places, bit by bit: bit i of word k, `WL_BIT_PLACES[k*64 +: 64]` of a localparam, is bit k of i, for 64 places.
// With these words a place becomes a number, and a vector is reversed, in six steps over all bits at a time. In
// hardware the steps are wiring. A loop over bits would be the same wiring, but many times the code of a simulator.
`ifndef WL_BIT_PLACES_VH
`define WL_BIT_PLACES_VH
`define WL_BIT_PLACES {64'hffffffff00000000, 64'hffff0000ffff0000, 64'hff00ff00ff00ff00, 64'hf0f0f0f0f0f0f0f0, \
                   64'hcccccccccccccccc, 64'haaaaaaaaaaaaaaaa}
`endif
