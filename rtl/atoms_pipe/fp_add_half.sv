// SPDX-License-Identifier: Apache-2.0
// fp_add for both 16-bit formats, f16 and bf16, with a common set of shifters: some 400 LUTs, against 614 for an adder
// of each format. For small cores; the path is two choices longer than in fp_add.
//
// Numbers of both formats become {exponent (8 bits), hidden bit, mantissa (10 bits)}. Mantissas of bf16 get zeros
// behind; exponents stay unchanged, so nothing is lost. Six bits are then below the last place of bf16, not three. Only
// the rounding and the output differ. Steps and names are the same as in fp_add; subnormals are kept.
//
// With four stages: order the operands by size; align and add; normalise; round. With two stages, the first two of
// these steps share a stage, and so do the last two.
`include "bit_places.vh"
`default_nettype none

module fp_add_half #(
  parameter int Stages = 1                       // 1, 2, 4: sums come Stages - 1 cycles after the operands
) (
  input  logic        clk_i,
  input  logic        valid_i,                   // without valid_i the sum has no meaning
  input  logic        bf_i,                      // bf16, else f16
  input  logic [15:0] a_i,
  input  logic [15:0] b_i,
  output logic [15:0] sum_o
);
  localparam int Sig   = 14;                     // {hidden, mantissa (10), guard, round, sticky}
  localparam int Steps = 4;                      // of a shift, by a power of two each
  localparam logic [6*64-1:0] Places = `WL_BIT_PLACES;
  localparam int Ordered = 4 + 8 + 8 + 2 * Sig + 16;  // bits from stage to stage
  localparam int Held    = 3 + 8 + Sig + 1 + 16;
  localparam int Shifted = 4 + 8 + Sig - 1 + 16;

  if (Stages != 1 && Stages != 2 && Stages != 4) begin : gen_bad_stages
    fp_stages_must_be_1_2_or_4 u_bad ();
  end

  // ---- order -----------------------------------------------------------------------------------------------
  logic [7:0]     a_exp, b_exp, a_place, b_place, big_exp, distance;
  logic [9:0]     a_man, b_man;
  logic           a_big, a_top, b_top, minus, is_special, big_sign;
  logic [Sig-1:0] a_sig, b_sig, big_sig, small_sig;
  logic [15:0]    special;

  always_comb begin
    {a_exp, b_exp, a_place, b_place, big_exp, distance, a_man, b_man, a_sig, b_sig, big_sig, small_sig} = 'x;
    {a_big, a_top, b_top, minus, is_special, big_sign, special} = 'x;
    if (valid_i) begin
      a_exp      = bf_i ? a_i[14:7] : {3'd0, a_i[14:10]};
      b_exp      = bf_i ? b_i[14:7] : {3'd0, b_i[14:10]};
      a_man      = bf_i ? {a_i[6:0], 3'd0} : a_i[9:0];
      b_man      = bf_i ? {b_i[6:0], 3'd0} : b_i[9:0];
      a_sig      = {a_exp != '0, a_man, 3'd0};
      b_sig      = {b_exp != '0, b_man, 3'd0};
      a_place    = {a_exp[7:1], a_exp[0] || a_exp == '0};
      b_place    = {b_exp[7:1], b_exp[0] || b_exp == '0};
      a_top      = &a_i[14:10] && (!bf_i || &a_i[9:7]);
      b_top      = &b_i[14:10] && (!bf_i || &b_i[9:7]);
      minus      = a_i[15] != b_i[15];
      a_big      = a_i[14:0] >= b_i[14:0];
      big_sign   = a_big ? a_i[15] : b_i[15];
      big_exp    = a_big ? a_place : b_place;
      big_sig    = a_big ? a_sig : b_sig;
      distance   = a_big ? a_place - b_place : b_place - a_place;
      small_sig  = a_big ? b_sig : a_sig;
      is_special = a_top || b_top;
      if ((a_top && a_man != '0) || (b_top && b_man != '0) || (a_top && b_top && minus)) special = 16'h7fff;
      else special = a_top ? a_i : b_i;
    end
  end

  // ---- align and add ---------------------------------------------------------------------------------------
  logic               o_valid, o_sign, o_minus, o_special, o_bf, lost, sign;
  logic [7:0]         o_exp, o_distance;
  logic [Sig-1:0]     o_sig, o_small, aligned;
  logic [Sig:0]       raw;
  logic [15:0]        o_value;
  logic [Ordered-1:0] ordered;

  assign ordered = {big_sign, minus, is_special, bf_i, big_exp, distance, big_sig, small_sig, special};
  if (Stages == 4) begin : gen_ordered
    logic               valid_q;
    logic [Ordered-1:0] ordered_q;
    always_ff @(posedge clk_i) begin
      valid_q <= valid_i;
      if (valid_i) ordered_q <= ordered;
    end
    assign o_valid = valid_q;
    assign {o_sign, o_minus, o_special, o_bf, o_exp, o_distance, o_sig, o_small, o_value} = ordered_q;
  end else begin : gen_none_ordered
    assign o_valid = valid_i;
    assign {o_sign, o_minus, o_special, o_bf, o_exp, o_distance, o_sig, o_small, o_value} = ordered;
  end

  always_comb begin
    {lost, sign, aligned, raw} = 'x;
    if (o_valid) begin
      aligned = o_small;
      lost    = 1'b0;
      for (int k = 0; k < Steps; k++) begin
        if (o_distance[k]) begin
          lost    = lost || (aligned & ~({Sig{1'b1}} << 2 ** k)) != '0;
          aligned = aligned >> 2 ** k;
        end
      end
      if (o_distance >> Steps != '0) begin
        lost    = lost || aligned != '0;
        aligned = '0;
      end
      aligned[0] = aligned[0] || lost;
      raw     = o_minus ? {1'b0, o_sig} - {1'b0, aligned} : {1'b0, o_sig} + {1'b0, aligned};
      sign    = o_sign && !(o_minus && o_sig == aligned);
    end
  end

  // ---- between the stages ----------------------------------------------------------------------------------
  logic            valid, x_sign, x_special, x_bf;
  logic [7:0]      x_exp;
  logic [Sig:0]    x_sum;
  logic [15:0]     x_value;
  logic [Held-1:0] held;

  assign held = {sign, o_special, o_bf, o_exp, raw, o_value};
  if (Stages >= 2) begin : gen_register
    logic            valid_q;
    logic [Held-1:0] held_q;
    always_ff @(posedge clk_i) begin
      valid_q <= o_valid;
      if (o_valid) held_q <= held;
    end
    assign valid = valid_q;
    assign {x_sign, x_special, x_bf, x_exp, x_sum, x_value} = held_q;
  end else begin : gen_none
    logic unused_clock;
    assign unused_clock = clk_i;
    assign valid = o_valid;
    assign {x_sign, x_special, x_bf, x_exp, x_sum, x_value} = held;
  end

  // ---- normalise -------------------------------------------------------------------------------------------
  logic [63:0]        turned;
  logic [Sig-1:0]     stops, first, sum;
  logic [Steps-1:0]   zeros;
  logic [7:0]         exp;
  logic               over;

  always_comb begin
    {turned, stops, first, sum, zeros, exp, over} = 'x;
    if (valid) begin
      turned = 64'(x_sum[Sig-1:0]) << (64 - Sig);
      for (int k = 0; k < 6; k++) begin
        turned = (turned & Places[k*64 +: 64]) >> 2 ** k | (turned & ~Places[k*64 +: 64]) << 2 ** k;
      end
      stops = turned[Sig-1:0] | Sig'(((Sig + 1)'(1) << x_exp) >> 1);
      first = stops & (~stops + 1'b1);
      for (int k = 0; k < Steps; k++) begin
        zeros[k] = (64'(first) & Places[k*64 +: 64]) != '0;
      end
      if (x_sum[Sig]) begin
        sum  = {x_sum[Sig:2], x_sum[1] || x_sum[0]};
        exp  = x_exp + 1'b1;
      end else begin
        sum = x_sum[Sig-1:0] << zeros;
        exp = x_exp - 8'(zeros);
      end
      if (!sum[Sig-1]) exp = '0;
      over = x_sum[Sig] && &x_exp[4:1] && (!x_bf || &x_exp[7:5]);   // the carry makes infinity
    end
  end

  // ---- round -----------------------------------------------------------------------------------------------
  logic               n_valid, n_sign, n_special, n_bf, n_over, up;
  logic [7:0]         n_exp;
  logic [Sig-2:0]     n_sum;
  logic [15:0]        n_value;
  logic [14:0]        result;
  logic [Shifted-1:0] shifted;

  assign shifted = {x_sign, x_special, x_bf, over, exp, sum[Sig-2:0], x_value};
  if (Stages == 4) begin : gen_shifted
    logic               valid_q;
    logic [Shifted-1:0] shifted_q;
    always_ff @(posedge clk_i) begin
      valid_q <= valid;
      if (valid) shifted_q <= shifted;
    end
    assign n_valid = valid_q;
    assign {n_sign, n_special, n_bf, n_over, n_exp, n_sum, n_value} = shifted_q;
  end else begin : gen_none_shifted
    assign n_valid = valid;
    assign {n_sign, n_special, n_bf, n_over, n_exp, n_sum, n_value} = shifted;
  end

  always_comb begin
    {up, result} = 'x;
    sum_o = 'x;
    if (n_valid) begin
      up     = (n_bf ? n_sum[5] && (n_sum[4:0] != '0 || n_sum[6]) : n_sum[2] && (n_sum[1:0] != '0 || n_sum[3])) && !n_over;
      result = (n_bf ? {n_exp, n_over ? 7'd0 : n_sum[12:6]} : {n_exp[4:0], n_over ? 10'd0 : n_sum[12:3]}) + 15'(up);
      sum_o  = n_special ? n_value : {n_sign, result};
    end
  end
endmodule
`default_nettype wire
