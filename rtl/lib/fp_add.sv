// SPDX-License-Identifier: Apache-2.0
// An IEEE-like adder of any format: round to nearest even, a single NaN, subnormals kept or flushed. With Passes a NaN
// of b, else of a, passes with all bits.
//
//   align       the smaller magnitude is shifted right to the exponent of the larger; rounding needs only three bits
//               below the last place (guard, round, sticky); the sticky bit stands for all bits shifted out
//   add         or subtract, where the signs differ
//   normalise   a place right after a carry, else left until the leading bit is in place or the exponent is 1
//   round       an increment of {exponent, mantissa} as a single number: a carry is the next exponent, or infinity
//
// x + (-x) is +0, -0 + -0 is -0. A sum below the normal numbers is exact, and is flushed before any rounding. Shifts go
// by powers of two, and no bits are counted in turn: a sum is some thirty LUTs deep at any width. With Stages = 2 a
// register follows the addition: `sum_o` belongs to the operands of the cycle before.
`include "bit_places.vh"
`default_nettype none

module fp_add #(
  parameter int Exp    = 8,                      // bits of the exponent
  parameter int Man    = 23,                     // bits of the mantissa, without the hidden bit
  parameter int Stages = 1,                      // 1, 2
  parameter int Width  = 1 + Exp + Man,          // derived, do not override
  parameter bit Passes = Man == 52,
  parameter logic [Width-1:0] Nan = Passes ? {{Exp + 2{1'b1}}, {Man - 1{1'b0}}} : {1'b0, {Width-1{1'b1}}}
) (
  input  logic             clk_i,
  input  logic             valid_i,              // without valid_i the sum has no meaning
  input  logic             ftz_i,                // subnormal operands and sums are zeros of the same sign
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] sum_o
);
  localparam int Sig   = Man + 4;                // {hidden, mantissa, guard, round, sticky}
  localparam int Steps = $clog2(Sig);            // of a shift, by a power of two each
  localparam logic [6*64-1:0] Places = `WL_BIT_PLACES;
  localparam int Held  = 3 + Exp + Sig + 1 + Width;

  if (Stages != 1 && Stages != 2) begin : gen_bad_stages
    fp_stages_must_be_1_or_2 u_bad ();
  end

  // ---- align and add ---------------------------------------------------------------------------------------
  logic [Exp-1:0]   a_exp, b_exp, a_place, b_place, big_exp, distance;
  logic [Man-1:0]   a_man, b_man;
  logic             a_big, a_top, b_top, minus, is_special, lost, big_sign, sign;
  logic [Sig-1:0]   a_sig, b_sig, big_sig, aligned;
  logic [Sig:0]     raw;
  logic [Width-1:0] special;

  always_comb begin
    {a_exp, b_exp, a_place, b_place, big_exp, distance, a_man, b_man, a_sig, b_sig, big_sig, aligned, raw} = 'x;
    {a_big, a_top, b_top, minus, is_special, lost, big_sign, sign, special} = 'x;
    if (valid_i) begin
      a_exp      = a_i[Man +: Exp];
      b_exp      = b_i[Man +: Exp];
      a_man      = ftz_i && a_exp == '0 ? '0 : a_i[Man-1:0];
      b_man      = ftz_i && b_exp == '0 ? '0 : b_i[Man-1:0];
      a_sig      = {a_exp != '0, a_man, 3'd0};
      b_sig      = {b_exp != '0, b_man, 3'd0};
      a_place    = {a_exp[Exp-1:1], a_exp[0] || a_exp == '0};   // subnormals have the least exponent, and no hidden bit
      b_place    = {b_exp[Exp-1:1], b_exp[0] || b_exp == '0};
      a_top      = &a_exp;
      b_top      = &b_exp;
      minus      = a_i[Width-1] != b_i[Width-1];
      a_big      = {a_exp, a_man} >= {b_exp, b_man};
      big_sign   = a_big ? a_i[Width-1] : b_i[Width-1];
      big_exp    = a_big ? a_place : b_place;
      big_sig    = a_big ? a_sig : b_sig;
      distance   = a_big ? a_place - b_place : b_place - a_place;
      aligned    = a_big ? b_sig : a_sig;
      lost       = 1'b0;
      for (int k = 0; k < Steps; k++) begin
        if (k < Exp && distance[k % Exp]) begin
          lost    = lost || (aligned & ~({Sig{1'b1}} << 2 ** k)) != '0;
          aligned = aligned >> 2 ** k;
        end
      end
      if (distance >> Steps != '0) begin
        lost    = lost || aligned != '0;
        aligned = '0;
      end
      aligned[0] = aligned[0] || lost;
      raw        = minus ? {1'b0, big_sig} - {1'b0, aligned} : {1'b0, big_sig} + {1'b0, aligned};
      sign       = big_sign && !(minus && big_sig == aligned);
      is_special = a_top || b_top;
      if (b_top && b_man != '0) special = Passes ? b_i : Nan;
      else if (a_top && a_man != '0) special = Passes ? a_i : Nan;
      else if (a_top && b_top && minus) special = Nan;
      else special = a_top ? a_i : b_i;
    end
  end

  // ---- between the stages ----------------------------------------------------------------------------------
  logic             valid, x_sign, x_special, x_ftz;
  logic [Exp-1:0]   x_exp;
  logic [Sig:0]     x_sum;
  logic [Width-1:0] x_value;
  logic [Held-1:0]  held;

  assign held = {sign, is_special, ftz_i, big_exp, raw, special};
  if (Stages == 2) begin : gen_register
    logic            valid_q;
    logic [Held-1:0] held_q;
    always_ff @(posedge clk_i) begin
      valid_q <= valid_i;
      if (valid_i) held_q <= held;
    end
    assign valid = valid_q;
    assign {x_sign, x_special, x_ftz, x_exp, x_sum, x_value} = held_q;
  end else begin : gen_none
    logic unused_clock;
    assign unused_clock = clk_i;
    assign valid = valid_i;
    assign {x_sign, x_special, x_ftz, x_exp, x_sum, x_value} = held;
  end

  // ---- normalise and round ---------------------------------------------------------------------------------
  // Bit i of `stops` ends the left shift after i places: at a bit of the sum, or at exponent 1. The sum is turned
  // around: the highest place is bit 0. So the first stop is x & -x.
  logic [63:0]        turned;
  logic [Sig-1:0]     stops, first, sum;
  logic [Steps-1:0]   zeros;
  logic [Exp-1:0]     exp;
  logic [Exp+Man-1:0] result;
  logic               up, over;

  always_comb begin
    {turned, stops, first, sum, zeros, exp, result, up, over} = 'x;
    sum_o = 'x;
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
        exp = x_exp - Exp'(zeros);
      end
      if (!sum[Sig-1]) exp = '0;
      over   = x_sum[Sig] && &x_exp[Exp-1:1];    // the carry makes infinity
      up     = sum[2] && (sum[1] || sum[0] || sum[3]) && !over;
      result = {exp, over || (x_ftz && !sum[Sig-1]) ? Man'(0) : sum[Man+2:3]} + (Exp + Man)'(up);
      sum_o  = x_special ? x_value : {x_sign, result};
    end
  end
endmodule
`default_nettype wire
