// SPDX-License-Identifier: Apache-2.0
// Carries the data of beats of mbarrier_engine through stages P to W of atoms_pipe, beside the registers of every beat.
// mbar_stage steps the objects in X. Without `Mbar` the module is wires.
//
// With `Lean` the pass in R, X or W belongs to the beat in P: the stages read the registers of P.
`include "atoms_bundles.vh"
`include "mbar.vh"
`default_nettype none

module atoms_mbar #(
  parameter int Lanes    = 32,
  parameter int Banks    = 32,
  parameter int RowBits  = 9,
  parameter bit Mbar     = 1'b0,
  parameter bit LayoutA  = 1'b1,                                  // mbarriers of sm_80
  parameter bit LayoutV1 = 1'b0,                                  // mbarriers of layout v1 of sm_107
  parameter bit Lean     = 1'b0,
  parameter int BeatBits = Lanes < 32 ? $clog2(32 / Lanes) : 1,   // derived, do not override, like all below
  parameter int BankBits = $clog2(Banks),
  parameter int LowBits  = BankBits + 2,
  parameter int ObjBits  = RowBits + BankBits - 1,
  parameter int OpBits   = `WL_MBAR_OP_BITS,
  parameter int MbarBits = 4 + 32 + 1 + Lanes + OpBits
) (
  input  logic                       clk_i,
  input  logic                       rst_i,

  // from stage A
  input  logic                       move_i,         // a beat of mbarrier_engine goes to P
  input  logic [MbarBits-1:0]        more_i,
  input  logic [Lanes*`WL_MBAR_GROUP_BITS-1:0] group_i, // ARRIVE.TMASK: of each lane, WL_MBAR_GROUP_*

  // P
  input  logic                       p_fire_i,       // a pass is issued
  input  logic                       p_mbar_i,       // the beat is of mbarrier_engine
  input  logic                       p_started_i,
  input  logic [Lanes-1:0]           p_mask_i,
  output logic [MbarBits-1:0]        p_more_o,

  // R
  input  logic                       r_valid_i,
  input  logic                       r_mbar_i,
  input  logic [Lanes*128-1:0]       r_data_i,
  output logic [MbarBits-1:0]        r_more_o,

  // X
  input  logic                       x_begins_i,     // mbar_stage looks at the words
  input  logic                       x_ends_i,
  input  logic                       x_mbar_i,
  input  logic                       x_finish_i,
  input  logic                       x_last_i,
  input  logic [5:0]                 x_warp_i,
  input  logic [BeatBits-1:0]        x_index_i,
  input  logic [Lanes-1:0]           x_lanes_i,
  input  logic [Lanes-1:0]           x_own_i,        // lanes of the pass with a result
  input  logic [Banks-1:0]           x_en_i,
  input  logic [Banks-1:0]           x_makes_i,      // words made an mbarrier by a store
  input  logic [Banks*RowBits-1:0]   x_row_i,
  input  logic [Lanes*LowBits-1:0]   x_low_i,
  input  logic [Banks*32-1:0]        x_b_i,
  input  logic [Banks*32-1:0]        x_words_i,
  input  logic [Banks-1:0]           x_marks_i,
  output logic [MbarBits-1:0]        x_more_o,
  output logic [Lanes-1:0]           x_result_lanes_o, // lanes with a result, once for all lanes too
  output logic [Banks*32-1:0]        x_new_o,
  output logic [Banks-1:0]           x_we_o,
  output logic [Lanes-1:0]           x_faulted_o,    // lanes of the pass faulting by the state of the object
  output logic [Lanes*6-1:0]         x_fault_o,
  output logic [Banks-1:0]           mem_mark_en_o,
  output logic [Banks-1:0]           mem_wr_mark_o,
  output logic                       park_valid_o,
  output logic [`WL_ATOMS_PARK_BITS-1:0] park_o,
  output logic [Banks/2-1:0]         flip_o,
  output logic [Banks/2-1:0]         flip_phase_o,
  output logic [Banks/2*`WL_MBAR_END_BITS-1:0] flip_end_o,
  output logic [Banks/2*RowBits-1:0] flip_row_o,

  // W
  input  logic [Lanes-1:0]           w_we_i,
  input  logic [Lanes*128-1:0]       w_data_i,       // words of the banks read by each lane
  output logic [Lanes*128-1:0]       rsp_data_o,
  output logic                       rsp_special_o,
  output logic [Lanes*7-1:0]         rsp_extra_o,
  output logic                       rsp_hold_o,
  output logic                       rsp_drop_o
);
  typedef `WL_ATOMS_PARK park_t;
  park_t park;
  assign park_o = park;
  if (Mbar) begin : gen_mbar
    localparam int GroupBits = Lanes * `WL_MBAR_GROUP_BITS;
    logic [MbarBits-1:0]  p_more_q;
    logic [GroupBits-1:0] p_group_q, x_group;
    logic                 r_first_q, x_first, special;
    logic [Lanes-1:0]     x_mask, r_parity, x_parity;
    logic [Banks-1:0]     mark;
    logic [Lanes*64-1:0]  special_data;

    always_ff @(posedge clk_i) begin
      if (move_i) begin
        p_more_q <= more_i;
        if (more_i[`WL_MBAR_OP_TMASK]) p_group_q <= group_i;
      end
      if (p_fire_i && p_mbar_i) begin
        r_first_q <= !p_started_i;
      end
    end
    assign p_more_o = p_more_q;

    if (Lean) begin : gen_same
      assign {r_more_o, x_more_o} = {2{p_more_q}};
      assign {x_first, x_mask, x_parity, x_group} = {r_first_q, p_mask_i, r_parity, p_group_q};
      assign rsp_special_o = x_mbar_i;
      logic unused_stages;
      assign unused_stages = ^{r_valid_i, r_mbar_i, x_ends_i};
    end else begin : gen_copy
      logic [MbarBits-1:0]  r_more_q, x_more_q;
      logic [GroupBits-1:0] r_group_q, x_group_q;
      logic [Lanes-1:0]     r_mask_q, x_mask_q, x_parity_q;
      logic                 x_first_q, w_mbar_q;
      always_ff @(posedge clk_i) begin
        if (p_fire_i && p_mbar_i && !p_started_i) begin
          r_more_q <= p_more_q;
          r_mask_q <= p_mask_i;
          if (p_more_q[`WL_MBAR_OP_TMASK]) r_group_q <= p_group_q;
        end
        if (r_valid_i && r_mbar_i) begin
          x_first_q  <= r_first_q;
          x_more_q   <= r_more_q;
          x_mask_q   <= r_mask_q;
          x_parity_q <= r_parity;
          if (r_more_q[`WL_MBAR_OP_TMASK]) x_group_q <= r_group_q;
        end
        w_mbar_q <= x_ends_i && x_mbar_i;
      end
      assign {r_more_o, x_more_o} = {r_more_q, x_more_q};
      assign {x_first, x_mask, x_parity, x_group} = {x_first_q, x_mask_q, x_parity_q, x_group_q};
      assign rsp_special_o = w_mbar_q;
    end
    always_comb begin
      r_parity = 'x;
      if (Lean || (r_valid_i && r_mbar_i)) begin
        for (int l = 0; l < Lanes; l++) r_parity[l] = r_data_i[l*128 + 31];
      end
    end

    mbar_stage #(
      .Lanes(Lanes), .Banks(Banks), .RowBits(RowBits), .BeatBits(BeatBits), .LayoutA(LayoutA), .LayoutV1(LayoutV1), .Lean(Lean)
    ) u_stage (
      .clk_i, .rst_i, .valid_i(x_begins_i && x_mbar_i), .first_i(x_first), .finish_i(x_finish_i), .last_i(x_last_i),
      .index_i(x_index_i), .op_i(x_more_o[OpBits-1:0]), .lanes_i(x_lanes_i), .count_i(x_more_o[OpBits +: Lanes]),
      .one_i(x_more_o[OpBits + Lanes]), .parity_i(x_parity), .group_i(x_group), .en_i(x_en_i), .row_i(x_row_i),
      .low_i(x_low_i), .b_i(x_b_i), .old_i(x_words_i), .mark_i(x_marks_i), .new_o(x_new_o), .we_o(x_we_o),
      .mark_en_o(mem_mark_en_o), .mark_o(mark), .flip_o, .flip_phase_o, .flip_end_o, .faulted_o(x_faulted_o), .fault_o(x_fault_o),
      .park_o(park_valid_o), .park_object_o(park.object), .park_parity_o(park.parity), .park_conditional_o(park.conditional), .lane_i(w_we_i), .special_o(special),
      .special_data_o(special_data), .extra_o(rsp_extra_o), .hold_o(rsp_hold_o), .drop_o(rsp_drop_o)
    );
    assign park.warp = x_warp_i;
    assign park.slot = x_more_o[OpBits + Lanes + 33 +: 4];
    // An operation once for all lanes gives every lane of the beat a result, not only the lanes of the pass.
    assign x_result_lanes_o = x_mbar_i && x_more_o[`WL_MBAR_OP_ONCE] ? x_mask : x_own_i;
    assign mem_wr_mark_o    = x_mbar_i ? mark : x_makes_i;
    always_comb begin
      flip_row_o = 'x;
      if (flip_o != '0) begin
        for (int p = 0; p < Banks / 2; p++) flip_row_o[p*RowBits +: RowBits] = x_row_i[2*p*RowBits +: RowBits];
      end
    end
    always_comb begin
      rsp_data_o = w_data_i;
      if (special && rsp_special_o) begin
        for (int l = 0; l < Lanes; l++) rsp_data_o[l*128 +: 128] = {64'd0, special_data[l*64 +: 64]};
      end
    end
  end else begin : gen_no_mbar
    assign {p_more_o, r_more_o, x_more_o}                                     = '0;
    assign {x_new_o, x_we_o, x_faulted_o, x_fault_o}                          = '0;
    assign {mem_mark_en_o, mem_wr_mark_o, flip_o, flip_phase_o, flip_end_o, flip_row_o} = '0;
    assign {park_valid_o, park}                                      = '0;
    assign {rsp_special_o, rsp_extra_o, rsp_hold_o, rsp_drop_o}               = '0;
    assign x_result_lanes_o = x_own_i;
    assign rsp_data_o       = w_data_i;
    logic unused_mbar;
    assign unused_mbar = ^{clk_i, rst_i, move_i, more_i, group_i, p_fire_i, p_mbar_i, p_started_i, p_mask_i,
                           r_valid_i, r_mbar_i, r_data_i, x_begins_i, x_ends_i, x_mbar_i, x_finish_i, x_last_i, x_warp_i,
                           x_index_i, x_lanes_i, x_en_i, x_makes_i, x_row_i, x_low_i, x_b_i, x_words_i, x_marks_i, w_we_i};
  end
endmodule
`default_nettype wire
