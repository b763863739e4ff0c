// SPDX-License-Identifier: Apache-2.0
// One adder for f64, f32, f16 and bf16, a number at a time: what fp_add does, step by step, in the registers of the widest format.
//
// Exponents stand at the low end of 11 bits and mantissas at the high end of 52: differences of exponents, the least one and the order
// of magnitudes are those of the format then, and what is below its last place is for rounding. Only where a sum is rounded, which
// exponent is infinity and what NaN is depend on the format.
//
//   U  unpack      C  compare, distances      S  swap      L  align      A  add      Z  count zeros      K  how far      H  shift      D  up or not      R  round
//   T  what the type makes of it
//
// Registers follow each step but the last: what goes in stays until `sum_o` is read, ten cycles later. A number of less than 64 bits
// is in the low ones; its sum is in all of them, over and over.
`default_nettype none

module fp_sum (
  input  logic        clk_i,
  input  logic        valid_i,                   // without it the sum has no meaning
  input  logic [2:0]  type_i,                    // as in sector_alu: 1 f32, flushed  2 f16  3 f64  4 f32  5 bf16
  input  logic [63:0] a_i,
  input  logic [63:0] b_i,
  output logic [63:0] sum_o
);
  localparam logic [2:0] F32Ftz = 3'd1, F16 = 3'd2, F64 = 3'd3, Bf16 = 3'd5;
  localparam int Exp = 11, Man = 52;
  localparam int Sig = Man + 4;                  // {hidden, mantissa, guard, round, sticky}
  localparam int Steps = 6;                      // of a shift, by a power of two each

  logic is_f64, is_f16, is_bf16, ftz;
  assign is_f64  = type_i == F64;
  assign is_f16  = type_i == F16;
  assign is_bf16 = type_i == Bf16;
  assign ftz     = type_i == F32Ftz;

  // ---- U -----------------------------------------------------------------------------------------------------
  logic           a_sign_q, b_sign_q, a_top_q, b_top_q;
  logic [Exp-1:0] a_exp_q, b_exp_q;
  logic [Man-1:0] a_man_q, b_man_q;

  // {greatest exponent, sign, exponent, mantissa}; bf16 is the upper half of an f32
  function automatic logic [Man+Exp+1:0] unpack(input logic f64, input logic f16, input logic bf16, input logic flush, input logic [63:0] x);
    logic [31:0] word;
    logic [Exp-1:0] exp;
    logic [Man-1:0] man;
    logic sign, top;
    word = bf16 ? {x[15:0], 16'd0} : x[31:0];
    sign = f64 ? x[63] : f16 ? x[15] : word[31];
    exp  = f64 ? x[62:52] : f16 ? {6'd0, x[14:10]} : {3'd0, word[30:23]};
    man  = f64 ? x[51:0] : f16 ? {x[9:0], 42'd0} : {word[22:0], 29'd0};
    top  = &exp[4:0] && (f16 || &exp[7:5]) && (!f64 || &exp[10:8]);
    if (flush && exp == '0) man = '0;
    unpack = {top, sign, exp, man};
  endfunction

  always_ff @(posedge clk_i) begin
    {a_top_q, a_sign_q, a_exp_q, a_man_q} <= unpack(is_f64, is_f16, is_bf16, ftz, a_i);
    {b_top_q, b_sign_q, b_exp_q, b_man_q} <= unpack(is_f64, is_f16, is_bf16, ftz, b_i);
  end

  // ---- C -----------------------------------------------------------------------------------------------------
  logic           a_big_q, minus;
  logic [Exp-1:0] a_place, b_place, a_above_q, b_above_q;

  assign minus   = a_sign_q != b_sign_q;
  assign a_place = {a_exp_q[Exp-1:1], a_exp_q[0] || a_exp_q == '0};  // subnormals have the least exponent, and no hidden bit
  assign b_place = {b_exp_q[Exp-1:1], b_exp_q[0] || b_exp_q == '0};
  always_ff @(posedge clk_i) begin
    a_big_q   <= {a_exp_q, a_man_q} >= {b_exp_q, b_man_q};
    a_above_q <= a_place - b_place;
    b_above_q <= b_place - a_place;
  end

  // ---- S, L --------------------------------------------------------------------------------------------------
  logic           big_sign_q, special_q, nan_q, lost;
  logic [Exp-1:0] big_exp_q, distance_q;
  logic [Sig-1:0] big_q, small_q, aligned, aligned_q;

  always_ff @(posedge clk_i) begin
    big_sign_q <= a_big_q ? a_sign_q : b_sign_q;
    big_exp_q  <= a_big_q ? a_place : b_place;
    distance_q <= a_big_q ? a_above_q : b_above_q;
    big_q      <= a_big_q ? {a_exp_q != '0, a_man_q, 3'd0} : {b_exp_q != '0, b_man_q, 3'd0};
    small_q    <= a_big_q ? {b_exp_q != '0, b_man_q, 3'd0} : {a_exp_q != '0, a_man_q, 3'd0};
    special_q  <= a_top_q || b_top_q;            // the larger magnitude has the greatest exponent then
    nan_q      <= (a_top_q && a_man_q != '0) || (b_top_q && b_man_q != '0) || (a_top_q && b_top_q && minus);
  end
  always_comb begin
    {aligned, lost} = 'x;
    if (valid_i) begin
      aligned = small_q;
      lost    = 1'b0;
      for (int k = 0; k < Steps; k++) begin
        if (distance_q[k]) begin
          lost    = lost || (aligned & ~({Sig{1'b1}} << 2 ** k)) != '0;
          aligned = aligned >> 2 ** k;
        end
      end
      if (distance_q[Exp-1:Steps] != '0) begin
        lost    = small_q != '0;
        aligned = '0;
      end
      aligned[0] = aligned[0] || lost;
    end
  end
  always_ff @(posedge clk_i) aligned_q <= aligned;

  // ---- A, Z, K -----------------------------------------------------------------------------------------------
  logic [Sig:0]     raw_q;
  logic [Sig-1:0]   turned, first;
  logic [Steps-1:0] zeros, zeros_q, shift_q;
  logic             none_q;

  always_comb begin
    {turned, first, zeros} = 'x;
    if (valid_i) begin
      for (int i = 0; i < Sig; i++) turned[Sig-1-i] = raw_q[i];
      first = turned & (~turned + 1'b1);
      zeros = '0;
      for (int i = 0; i < Sig; i++) if (first[i]) zeros = zeros | Steps'(i);
    end
  end
  always_ff @(posedge clk_i) begin
    raw_q   <= minus ? {1'b0, big_q} - {1'b0, aligned_q} : {1'b0, big_q} + {1'b0, aligned_q};
    zeros_q <= zeros;
    none_q  <= raw_q == '0;
    shift_q <= big_exp_q <= Exp'(zeros_q) ? Steps'(big_exp_q - 1'b1) : zeros_q;   // no further than to the least exponent
  end

  // ---- H -----------------------------------------------------------------------------------------------------
  logic [Sig-1:0] left, sum_q;
  logic [Exp-1:0] exp_q;
  logic           over_q;

  assign left = raw_q[Sig-1:0] << shift_q;
  always_ff @(posedge clk_i) begin
    if (raw_q[Sig]) begin
      sum_q <= {raw_q[Sig:2], raw_q[1] || raw_q[0]};
      exp_q <= big_exp_q + 1'b1;
    end else begin
      sum_q <= left;
      exp_q <= left[Sig-1] ? big_exp_q - Exp'(shift_q) : '0;
    end
    over_q <= raw_q[Sig] && &big_exp_q[4:1] && (is_f16 || &big_exp_q[7:5]) && (!is_f64 || &big_exp_q[10:8]);  // the carry makes infinity
  end

  // ---- D, R, T -----------------------------------------------------------------------------------------------
  // The last place of f32, f16 and bf16 is that of f64 and 29, 42, 45 places.
  logic               up, up_q, sign;
  logic [Exp+Man-1:0] rounded_q, result, more;

  always_comb begin
    if (is_f64) up = sum_q[2] && (sum_q[3] || sum_q[1:0] != '0);
    else if (is_f16) up = sum_q[44] && (sum_q[45] || sum_q[43:0] != '0);
    else if (is_bf16) up = sum_q[47] && (sum_q[48] || sum_q[46:0] != '0);
    else up = sum_q[31] && (sum_q[32] || sum_q[30:0] != '0);
  end
  always_comb begin
    more     = '0;
    more[0]  = up_q && is_f64;
    more[29] = up_q && !is_f64 && !is_f16 && !is_bf16;
    more[42] = up_q && is_f16;
    more[45] = up_q && is_bf16;
  end
  always_ff @(posedge clk_i) begin
    up_q      <= up && !over_q;
    rounded_q <= {exp_q, over_q || (ftz && !sum_q[Sig-1]) ? Man'(0) : sum_q[Man+2:3]} + more;
  end
  always_comb begin
    result = rounded_q;
    sign   = big_sign_q && !(minus && none_q);
    if (special_q) result = {{Exp{1'b1}}, Man'(0)};
    if (nan_q) begin
      sign   = 1'b0;
      result = {{Exp + 1{1'b1}}, is_f64 ? {Man-1{1'b0}} : {Man-1{1'b1}}};
    end
    if (is_f64) sum_o = {sign, result};
    else if (is_f16) sum_o = {4{sign, result[56:42]}};
    else if (is_bf16) sum_o = {4{sign, result[59:45]}};
    else sum_o = {2{sign, result[59:29]}};
  end
endmodule
`default_nettype wire
