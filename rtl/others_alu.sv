// SPDX-License-Identifier: Apache-2.0
// Read-modify-write of what generic atomics ask of other CTAs' shared memory alone: integers of 64 bits, one for each pair of
// banks, and sums of pairs of f16 or bf16, in `Adders` banks at most. Combinational.
//
//   type_i  0: 64 bits    2: f16    5: bf16
//   op_i    of 64 bits: 0 ADD  1 MIN  2 MAX  5 AND  6 OR  7 XOR
`default_nettype none

module others_alu #(
  parameter int Banks  = 32,
  parameter int Adders = 4                       // banks that pass_cut leaves
) (
  input  logic                valid_i,           // without it the result has no meaning
  input  logic [2:0]          type_i,
  input  logic [3:0]          op_i,
  input  logic                signed_i,
  input  logic [Banks-1:0]    en_i,
  input  logic [Banks*32-1:0] old_i,
  input  logic [Banks*32-1:0] b_i,
  output logic [Banks*32-1:0] new_o
);
  localparam logic [3:0] Add = 4'd0, Min = 4'd1, Max = 4'd2, And = 4'd5, Or = 4'd6;
  localparam logic [2:0] Int = 3'd0, F16 = 3'd2;

  // ---- 64 bits -------------------------------------------------------------------------------------------------
  function automatic logic [63:0] rmw(input logic [3:0] op, input logic sgn, input logic [63:0] old, input logic [63:0] b);
    logic below;
    below = (old ^ {sgn, 63'd0}) < (b ^ {sgn, 63'd0});
    case (op)
      Add:     rmw = old + b;
      Min:     rmw = below ? old : b;
      Max:     rmw = below ? b : old;
      And:     rmw = old & b;
      Or:      rmw = old | b;
      default: rmw = old ^ b;
    endcase
  endfunction

  // ---- pairs: the banks that take part come to the adders in their order ---------------------------------------
  logic                  is_f16, is_bf16;
  logic [Adders*32-1:0]  old, b, now, s16, sb16;
  int                    from, to;

  assign is_f16  = valid_i && type_i == F16;
  assign is_bf16 = valid_i && type_i != F16 && type_i != Int;
  always_comb begin
    old  = 'x;
    b    = 'x;
    from = 0;
    if (is_f16 || is_bf16) begin
      for (int k = 0; k < Banks; k++) begin
        if (en_i[k] && from < Adders) begin
          old[from*32 +: 32] = old_i[k*32 +: 32];
          b[from*32 +: 32]   = b_i[k*32 +: 32];
          from = from + 1;
        end
      end
    end
  end
  for (genvar h = 0; h < 2 * Adders; h++) begin : gen_half
    fp_add #(.Exp(5), .Man(10)) u_f16 (
      .clk_i(1'b0), .valid_i(is_f16), .ftz_i(1'b0), .a_i(old[h*16 +: 16]), .b_i(b[h*16 +: 16]),
      .sum_o(s16[h*16 +: 16])
    );
    fp_add #(.Exp(8), .Man(7)) u_bf16 (
      .clk_i(1'b0), .valid_i(is_bf16), .ftz_i(1'b0), .a_i(old[h*16 +: 16]), .b_i(b[h*16 +: 16]),
      .sum_o(sb16[h*16 +: 16])
    );
  end
  assign now = is_f16 ? s16 : sb16;

  always_comb begin
    new_o = 'x;
    to    = 0;
    if (valid_i && type_i == Int) begin
      for (int p = 0; p < Banks / 2; p++) new_o[p*64 +: 64] = rmw(op_i, signed_i, old_i[p*64 +: 64], b_i[p*64 +: 64]);
    end else if (valid_i) begin
      for (int k = 0; k < Banks; k++) begin
        if (en_i[k] && to < Adders) begin
          new_o[k*32 +: 32] = now[to*32 +: 32];
          to = to + 1;
        end
      end
    end
  end
endmodule
`default_nettype wire
