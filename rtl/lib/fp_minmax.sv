// SPDX-License-Identifier: Apache-2.0
// The smaller or the larger of two floats of any format, with the bits of the operand. A NaN loses against a number,
// two NaNs give the canonical NaN, -0 is below +0. Combinational.
`default_nettype none

module fp_minmax #(
  parameter int Exp   = 5,                       // bits of the exponent
  parameter int Man   = 10,                      // bits of the mantissa, without the hidden bit
  parameter int Width = 1 + Exp + Man            // derived, do not override
) (
  input  logic             valid_i,              // without valid_i the result has no meaning
  input  logic             max_i,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] result_o
);
  logic             a_nan, b_nan, below;
  logic [Width-1:0] a_key, b_key;                // unsigned numbers in the order of the floats

  always_comb begin
    {a_nan, b_nan, below, a_key, b_key} = 'x;
    result_o = 'x;
    if (valid_i) begin
      a_nan = &a_i[Man +: Exp] && a_i[Man-1:0] != '0;
      b_nan = &b_i[Man +: Exp] && b_i[Man-1:0] != '0;
      a_key = a_i[Width-1] ? ~a_i : {1'b1, a_i[Width-2:0]};
      b_key = b_i[Width-1] ? ~b_i : {1'b1, b_i[Width-2:0]};
      below = a_key < b_key;
      if (a_nan && b_nan) result_o = {1'b0, {Width-1{1'b1}}};
      else if (a_nan) result_o = b_i;
      else if (b_nan) result_o = a_i;
      else result_o = below != max_i ? a_i : b_i;
    end
  end
endmodule
`default_nettype wire
