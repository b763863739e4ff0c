// SPDX-License-Identifier: Apache-2.0
// The beats of a request on the way to stage A of atoms_pipe. With STSM each lane gets a row in place of the lane's own
// words. All other beats go through unchanged.
//
// With fewer than 32 lanes the beats of STSM are taken until the last beat stands on the bus. The last beat stays on
// the bus while the beats go out in turn: the header of all beats is read off the bus.
`include "assert.vh"
`default_nettype none

module matrix_operands #(
  parameter int Lanes    = 32,
  parameter int RaBits   = 32,
  parameter int BeatBits = Lanes < 32 ? $clog2(32 / Lanes) : 1   // derived, do not override
) (
  input  logic                    clk_i,
  input  logic                    rst_i,
  input  logic                    matrix_i,     // the beat on the bus is of LDSM or STSM
  input  logic                    store_i,      // of STSM
  input  logic                    trans_i,

  input  logic                    beat_valid_i,
  output logic                    beat_ready_o,
  input  logic [BeatBits-1:0]     beat_index_i,
  input  logic                    beat_last_i,
  input  logic [31:0]             beat_mask_i,  // from the first lane of the beat on
  input  logic [Lanes*RaBits-1:0] beat_ra_i,
  input  logic [Lanes*128-1:0]    beat_rb_i,

  output logic                    valid_o,
  input  logic                    ready_i,
  output logic [BeatBits-1:0]     index_o,
  output logic                    last_o,
  output logic [31:0]             mask_o,
  output logic [Lanes*RaBits-1:0] ra_o,
  output logic [Lanes*128-1:0]    rb_o,
  output logic                    partial_o     // of LDSM, STSM: some lane of the warp is missing
);
  logic [32*128-1:0] held, rows;
  matrix_rows u_rows (.trans_i, .lanes_i(held), .rows_o(rows));

  if (Lanes == 32) begin : gen_at_once
    assign valid_o      = beat_valid_i;
    assign beat_ready_o = ready_i;
    assign index_o      = beat_index_i;
    assign last_o       = beat_last_i;
    assign mask_o       = beat_mask_i;
    assign ra_o         = beat_ra_i;
    assign partial_o    = matrix_i && beat_mask_i != '1;
    assign held         = store_i ? beat_rb_i : 'x;
    assign rb_o         = store_i ? rows : beat_rb_i;
    logic unused;
    assign unused = ^{clk_i, rst_i};
  end else begin : gen_gather
    localparam int Beats = 32 / Lanes;
    logic [(32-Lanes)*RaBits-1:0] ra_q;
    logic [(32-Lanes)*128-1:0]    rb_q;
    logic [32*RaBits-1:0]         ra;
    logic [31:0]                  mask_q;
    logic [BeatBits-1:0]          step_q;
    logic                         partial_q, taken;

    assign taken = beat_valid_i && beat_ready_o;
    always_ff @(posedge clk_i) begin
      if (taken && beat_index_i == '0) begin
        mask_q    <= beat_mask_i;
        partial_q <= beat_mask_i != '1;
      end
      if (taken && store_i) begin
        for (int b = 0; b < Beats - 1; b++) begin
          if (beat_index_i == b[BeatBits-1:0]) begin
            ra_q[b*Lanes*RaBits +: Lanes*RaBits] <= beat_ra_i;
            rb_q[b*Lanes*128 +: Lanes*128]       <= beat_rb_i;
          end
        end
      end
      if (rst_i || !store_i || !beat_valid_i || !beat_last_i) step_q <= '0;
      else if (ready_i) step_q <= step_q + 1'b1;
    end

    assign valid_o      = beat_valid_i && (!store_i || beat_last_i);
    assign beat_ready_o = !store_i ? ready_i : !beat_last_i || (ready_i && step_q == '1);
    assign index_o      = store_i ? step_q : beat_index_i;
    assign last_o       = store_i ? step_q == '1 : beat_last_i;
    assign mask_o       = store_i ? mask_q >> {step_q, {$clog2(Lanes){1'b0}}} : beat_mask_i;
    assign partial_o    = matrix_i && (beat_index_i == '0 ? beat_mask_i != '1 : partial_q);
    assign ra           = {beat_ra_i, ra_q};
    assign held         = store_i && valid_o ? {beat_rb_i, rb_q} : 'x;
    always_comb begin
      ra_o = beat_ra_i;
      rb_o = beat_rb_i;
      if (store_i && valid_o) begin
        ra_o = ra[step_q*(Lanes*RaBits) +: Lanes*RaBits];
        rb_o = rows[step_q*(Lanes*128) +: Lanes*128];
      end
    end
    `ASSERT(LastIsLast_A, !beat_valid_i || beat_last_i == (beat_index_i == '1))
  end
endmodule
`default_nettype wire
