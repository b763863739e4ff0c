// SPDX-License-Identifier: Apache-2.0
// Bits of the parameter Kinds of atoms_pipe: kinds of requests built besides LDS, STS and ATOMS of up to 64 bits.
`ifndef WL_ATOMS_KINDS_VH
`define WL_ATOMS_KINDS_VH
`define WL_ATOMS_KIND_MBAR     1    // requests of mbarrier_engine
`define WL_ATOMS_KIND_LAYOUT_A 2    // ... mbarriers of sm_80
`define WL_ATOMS_KIND_PREDS    4    // compare-and-swap with a predicate result
`define WL_ATOMS_KIND_WIDE     8    // compare-and-swap of 128 bits
`define WL_ATOMS_KIND_NATIVE   16   // native operations: ATOMSN
`define WL_ATOMS_KIND_MATRIX   32   // LDSM and STSM
`define WL_ATOMS_KIND_CLUSTER  64   // accesses to other CTAs of the cluster
`define WL_ATOMS_KIND_LAYOUT_V1 128 // mbarriers of layout v1 of sm_107
`endif
