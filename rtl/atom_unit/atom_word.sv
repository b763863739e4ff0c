// SPDX-License-Identifier: Apache-2.0
// Decodes the word of a request for atom_unit, and makes the request to atoms_pipe for lanes in shared memory.
`include "wl_units.vh"
`default_nettype none

module atom_word #(
  parameter bit Cluster = 1'b0,                  // shared memory of other CTAs of the cluster is named
  parameter int CtlBits = 15
) (
  input  logic [4:0]         kind_i,             // WL_ATOM_UNIT_*
  input  logic [31:0]        ctl_i,              // WL_ATOM_UNIT_CTL_*
  output logic [CtlBits-1:0] ctl_o,              // {load, store, cas, cast, signed, size, type, op}
  output logic               atomic_o,
  output logic               generic_o,
  output logic               served_o,           // shared memory executes the operation;
  output logic               others_o,           // only in other CTAs: 64-bit integers, sums of pairs of f16 and bf16
  output logic [4:0]         share_kind_o,       // WL_ATOMS_PIPE_*
  output logic [31:0]        share_ctl_o         // WL_ATOMS_PIPE_CTL_*
);
  logic       load, store, cas, cast;
  logic [3:0] op;
  logic [2:0] size, kind_type;

  assign op        = ctl_i[`WL_ATOM_UNIT_CTL_OP];
  assign kind_type = ctl_i[`WL_ATOM_UNIT_CTL_TYPE];
  assign size      = ctl_i[`WL_ATOM_UNIT_CTL_SIZE];
  assign load      = kind_i == `WL_ATOM_UNIT_LDG || kind_i == `WL_ATOM_UNIT_LD;
  assign store     = kind_i == `WL_ATOM_UNIT_STG || kind_i == `WL_ATOM_UNIT_ST;
  assign cast      = kind_i == `WL_ATOM_UNIT_ATOM_CAST;
  assign cas       = cast || kind_i == `WL_ATOM_UNIT_ATOMG_CAS || kind_i == `WL_ATOM_UNIT_ATOM_CAS;
  assign atomic_o  = cas || kind_i == `WL_ATOM_UNIT_ATOM;
  assign generic_o = (atomic_o && kind_i != `WL_ATOM_UNIT_ATOMG_CAS) || kind_i == `WL_ATOM_UNIT_LD || kind_i == `WL_ATOM_UNIT_ST;
  assign ctl_o     = {load, store, cas, cast, ctl_i[`WL_ATOM_UNIT_CTL_SIGNED], size, kind_type, op};
  assign served_o  = load || store || cas || op == 4'd8 || (kind_type == '0 && size == 3'd2);
  assign others_o  = Cluster && kind_i == `WL_ATOM_UNIT_ATOM && !served_o &&
                     (kind_type == '0 ? size == 3'd3 : size == 3'd2 && op == '0 && (kind_type == 3'd2 || kind_type == 3'd5));

  always_comb begin
    share_kind_o = `WL_ATOMS_PIPE_ATOMS;
    if (load) share_kind_o = `WL_ATOMS_PIPE_LDS;
    if (store) share_kind_o = `WL_ATOMS_PIPE_STS;
    if (cas) share_kind_o = cast ? `WL_ATOMS_PIPE_ATOMS_CAST : `WL_ATOMS_PIPE_ATOMS_CAS;
    if (others_o) share_kind_o = `WL_ATOMS_PIPE_ATOMSN;
    share_ctl_o = '0;
    share_ctl_o[`WL_ATOMS_PIPE_CTL_TYPE]    = others_o ? kind_type : '0;
    share_ctl_o[`WL_ATOMS_PIPE_CTL_OP]      = op;
    share_ctl_o[`WL_ATOMS_PIPE_CTL_SIGNED]  = ctl_i[`WL_ATOM_UNIT_CTL_SIGNED];
    share_ctl_o[`WL_ATOMS_PIPE_CTL_SIZE]    = size;
    share_ctl_o[`WL_ATOMS_PIPE_CTL_RD_USED] = ctl_i[`WL_ATOM_UNIT_CTL_RD_USED] && !store;
    share_ctl_o[`WL_ATOMS_PIPE_CTL_SPIN]    = ctl_i[`WL_ATOM_UNIT_CTL_SPIN];
  end

  logic unused;
  assign unused = ^ctl_i;
endmodule
`default_nettype wire
