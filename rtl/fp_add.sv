// SPDX-License-Identifier: Apache-2.0
// One IEEE-like adder of any format: round to nearest even, one NaN, subnormals kept or flushed.
//
//   align       the smaller magnitude is shifted right to the exponent of the larger; three bits below the last place
//               (guard, round, sticky) are all that rounding needs, the sticky one standing for whatever was shifted out
//   add         or subtract, where the signs differ
//   normalise   one place right after a carry, else left until the leading bit stands in its place or the exponent is 1
//   round       an increment of {exponent, mantissa} as one number: its carry is the next exponent, or infinity
//
// x + (-x) is +0, -0 + -0 is -0. A sum below the normal numbers is exact, so flushing it needs no second rounding.
// With Stages = 2 a register follows the alignment: `sum_o` is that of the operands of the cycle before.
`default_nettype none

module fp_add #(
  parameter int Exp    = 8,                      // bits of the exponent
  parameter int Man    = 23,                     // bits of the mantissa, without the hidden one
  parameter int Stages = 1,                      // 1, 2
  parameter int Width  = 1 + Exp + Man,          // derived, do not override
  parameter logic [Width-1:0] Nan = Man == 52 ? {1'b0, {Exp + 1{1'b1}}, {Man - 1{1'b0}}} : {1'b0, {Width-1{1'b1}}}
) (
  input  logic             clk_i,
  input  logic             valid_i,              // without it the sum has no meaning
  input  logic             ftz_i,                // subnormal operands and sums are zeros of their sign
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] sum_o
);
  localparam int Sig  = Man + 4;                 // {hidden, mantissa, guard, round, sticky}
  localparam int Held = 3 + Exp + 2 * Sig + 1 + Width;

  if (Stages != 1 && Stages != 2) begin : gen_bad_stages
    fp_stages_must_be_1_or_2 u_bad ();
  end

  // ---- align -----------------------------------------------------------------------------------------------
  logic [Exp-1:0]   a_exp, b_exp, big_exp, small_exp, distance;
  logic [Man-1:0]   a_man, b_man, big_man, small_man;
  logic             a_big, a_top, b_top, big_sign, minus, is_special, lost;
  logic [Sig-1:0]   big_sig, small_sig, aligned;
  logic [Width-1:0] special;

  always_comb begin
    {a_exp, b_exp, big_exp, small_exp, distance, a_man, b_man, big_man, small_man} = 'x;
    {a_big, a_top, b_top, big_sign, minus, is_special, lost, big_sig, small_sig, aligned, special} = 'x;
    if (valid_i) begin
      a_exp      = a_i[Man +: Exp];
      b_exp      = b_i[Man +: Exp];
      a_man      = ftz_i && a_exp == '0 ? '0 : a_i[Man-1:0];
      b_man      = ftz_i && b_exp == '0 ? '0 : b_i[Man-1:0];
      a_top      = &a_exp;
      b_top      = &b_exp;
      minus      = a_i[Width-1] != b_i[Width-1];
      a_big      = {a_exp, a_man} >= {b_exp, b_man};
      big_sign   = a_big ? a_i[Width-1] : b_i[Width-1];
      big_exp    = a_big ? a_exp : b_exp;
      big_man    = a_big ? a_man : b_man;
      small_exp  = a_big ? b_exp : a_exp;
      small_man  = a_big ? b_man : a_man;
      big_sig    = {big_exp != '0, big_man, 3'd0};
      small_sig  = {small_exp != '0, small_man, 3'd0};
      if (big_exp == '0) big_exp = Exp'(1);      // subnormals have the least exponent, and no hidden bit
      if (small_exp == '0) small_exp = Exp'(1);
      distance   = big_exp - small_exp;
      lost       = (small_sig & ~({Sig{1'b1}} << distance)) != '0;
      aligned    = small_sig >> distance;
      aligned[0] = aligned[0] || lost;
      is_special = a_top || b_top;
      if ((a_top && a_man != '0) || (b_top && b_man != '0) || (a_top && b_top && minus)) special = Nan;
      else special = a_top ? a_i : b_i;
    end
  end

  // ---- between the stages ----------------------------------------------------------------------------------
  logic             valid, x_sign, x_minus, x_special, x_ftz;
  logic [Exp-1:0]   x_exp;
  logic [Sig-1:0]   x_big, x_small;
  logic [Width-1:0] x_value;
  logic [Held-1:0]  held;

  assign held = {big_sign, minus, is_special, ftz_i, big_exp, big_sig, aligned, special};
  if (Stages == 2) begin : gen_register
    logic            valid_q;
    logic [Held-1:0] held_q;
    always_ff @(posedge clk_i) begin
      valid_q <= valid_i;
      if (valid_i) held_q <= held;
    end
    assign valid = valid_q;
    assign {x_sign, x_minus, x_special, x_ftz, x_exp, x_big, x_small, x_value} = held_q;
  end else begin : gen_none
    logic unused_clock;
    assign unused_clock = clk_i;
    assign valid = valid_i;
    assign {x_sign, x_minus, x_special, x_ftz, x_exp, x_big, x_small, x_value} = held;
  end

  // ---- add, normalise, round -------------------------------------------------------------------------------
  logic [Sig:0]       sum;
  logic [Exp-1:0]     exp;
  logic [Exp+Man-1:0] result;
  logic               sign, found, up;
  logic [31:0]        zeros, room;

  always_comb begin
    {sum, exp, result, sign, found, up, zeros, room} = 'x;
    sum_o = 'x;
    if (valid) begin
      sum   = x_minus ? {1'b0, x_big} - {1'b0, x_small} : {1'b0, x_big} + {1'b0, x_small};
      sign  = x_sign && !(x_minus && sum == '0);
      exp   = x_exp;
      zeros = '0;
      found = 1'b0;
      for (int i = Sig - 1; i >= 0; i--) begin
        if (sum[i]) found = 1'b1;
        if (!found) zeros = zeros + 1;
      end
      room = 32'(x_exp) - 1;
      if (sum[Sig]) begin
        sum = {1'b0, sum[Sig:2], sum[1] || sum[0]};
        exp = x_exp + 1'b1;
      end else begin
        if (zeros > room) zeros = room;
        sum = sum << zeros;
        exp = x_exp - zeros[Exp-1:0];
      end
      if (!sum[Sig-1]) exp = '0;
      up     = sum[2] && (sum[1] || sum[0] || sum[3]);
      result = {exp, sum[Man+2:3]} + (Exp + Man)'(up);
      if (&result[Man +: Exp] || (x_ftz && result[Man +: Exp] == '0)) result[Man-1:0] = '0;
      sum_o = x_special ? x_value : {sign, result};
    end
  end
endmodule
`default_nettype wire
