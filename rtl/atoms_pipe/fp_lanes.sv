// SPDX-License-Identifier: Apache-2.0
// The float adders of atoms_pipe: `Places` adders, each for a bank of a pass (fp_pick), or for a pair of banks with
// f64. An adder consists of an f64 adder, an f32 adder, and two adders for each half format; subnormals are kept. With
// as many adders as banks each bank has an adder (fp_pick), and the lower bank of a pair adds f64. With `Lean` both
// half formats share adders.
//
// With a single stage the sums are combinational, in the cycle of the words: a pass may follow another pass on the same
// word. With `Lean` and two stages the half formats have four stages, so operands stand for four cycles.
`default_nettype none

module fp_lanes #(
  parameter int Banks    = 32,
  parameter int Places   = 4,
  parameter bit Scalars  = 1'b1,              // f32 and f64 too
  parameter bit Lean     = 1'b0,
  parameter int Stages   = 1,                 // 1; 2: sums of the words of the cycle before
  parameter int BankBits = $clog2(Banks)      // derived, do not override
) (
  input  logic                       clk_i,   // unused with a single stage
  input  logic [2:0]                 type_i,  // 0 none, 2 F16, 3 F64, 4 F32, 5 BF16: two halves a word
  input  logic [Places-1:0]          used_i,
  input  logic [Places*BankBits-1:0] at_i,    // banks; with F64 the lower bank of each pair
  input  logic [Banks*32-1:0]        old_i,
  input  logic [Banks*32-1:0]        b_i,
  input  logic [Banks*32-1:0]        new_i,   // words of the banks without adders
  output logic [Banks*32-1:0]        new_o
);
  localparam bit Own = Places >= Banks;
  localparam logic [2:0] F16 = 3'd2, F64 = 3'd3, F32 = 3'd4, Bf16 = 3'd5;
  logic [Places*64-1:0] a, b, s64;
  logic [Places*32-1:0] s32, s16, sb16;
  logic [BankBits-1:0]  bank, odd;

  assign odd = BankBits'(1);

  for (genvar p = 0; p < Places; p++) begin : gen_place
    logic [BankBits-1:0] at, above;
    assign at    = at_i[p*BankBits +: BankBits];
    assign above = at | odd;
    if (Own) begin : gen_own
      localparam int Bank = p < Banks ? p : 0;
      assign a[p*64 +: 64] = {old_i[(Bank | 1)*32 +: 32], old_i[Bank*32 +: 32]};
      assign b[p*64 +: 64] = {b_i[(Bank | 1)*32 +: 32], b_i[Bank*32 +: 32]};
      logic unused_at;
      assign unused_at = ^{at, above};
    end else begin : gen_chosen
      always_comb begin
        a[p*64 +: 64] = 'x;
        b[p*64 +: 64] = 'x;
        if (used_i[p]) begin
          a[p*64 +: 64] = {old_i[{above, 5'd0} +: 32], old_i[{at, 5'd0} +: 32]};
          b[p*64 +: 64] = {b_i[{above, 5'd0} +: 32], b_i[{at, 5'd0} +: 32]};
        end
      end
    end
    if (Scalars) begin : gen_scalars
      fp_add #(.Exp(8), .Man(23), .Stages(Stages)) u_f32 (
        .clk_i, .valid_i(used_i[p] && type_i == F32), .ftz_i(1'b0), .a_i(a[p*64 +: 32]), .b_i(b[p*64 +: 32]), .sum_o(s32[p*32 +: 32])
      );
    end else begin : gen_no_scalars
      assign s32[p*32 +: 32] = '0;
    end
    if (Scalars && !(Own && p % 2 == 1)) begin : gen_f64
      fp_add #(.Exp(11), .Man(52), .Stages(Stages)) u_f64 (
        .clk_i, .valid_i(used_i[p] && type_i == F64), .ftz_i(1'b0), .a_i(a[p*64 +: 64]), .b_i(b[p*64 +: 64]), .sum_o(s64[p*64 +: 64])
      );
    end else begin : gen_no_f64
      assign s64[p*64 +: 64] = '0;
      logic unused_high;
      assign unused_high = ^{a[p*64 + 32 +: 32], b[p*64 + 32 +: 32]};
    end
    for (genvar h = 0; h < 2; h++) begin : gen_half
      if (Lean) begin : gen_both
        fp_add_half #(.Stages(Stages == 2 ? 4 : 1)) u_half (
          .clk_i, .valid_i(used_i[p] && (type_i == F16 || type_i == Bf16)), .bf_i(type_i == Bf16), .a_i(a[p*64 + h*16 +: 16]),
          .b_i(b[p*64 + h*16 +: 16]), .sum_o(s16[p*32 + h*16 +: 16])
        );
        assign sb16[p*32 + h*16 +: 16] = s16[p*32 + h*16 +: 16];
      end else begin : gen_each
        fp_add #(.Exp(5), .Man(10), .Stages(Stages)) u_f16 (
          .clk_i, .valid_i(used_i[p] && type_i == F16), .ftz_i(1'b0), .a_i(a[p*64 + h*16 +: 16]), .b_i(b[p*64 + h*16 +: 16]),
          .sum_o(s16[p*32 + h*16 +: 16])
        );
        fp_add #(.Exp(8), .Man(7), .Stages(Stages)) u_bf16 (
          .clk_i, .valid_i(used_i[p] && type_i == Bf16), .ftz_i(1'b0), .a_i(a[p*64 + h*16 +: 16]), .b_i(b[p*64 + h*16 +: 16]),
          .sum_o(sb16[p*32 + h*16 +: 16])
        );
      end
    end
  end

  if (Own) begin : gen_own_sums
    logic unused;
    assign bank   = '0;
    assign unused = ^{bank, odd};
    always_comb begin
      new_o = new_i;
      if (used_i != '0) begin
        for (int p = 0; p < Banks; p++) begin
          if (used_i[p]) begin
            case (type_i)
              F64:     new_o[(p & ~1)*32 +: 64] = s64[(p & ~1)*64 +: 64];
              F16:     new_o[p*32 +: 32] = s16[p*32 +: 32];
              Bf16:    new_o[p*32 +: 32] = sb16[p*32 +: 32];
              default: new_o[p*32 +: 32] = s32[p*32 +: 32];
            endcase
          end
        end
      end
    end
  end else begin : gen_chosen_sums
    always_comb begin
      new_o = new_i;
      bank  = 'x;
      if (used_i != '0) begin
        for (int p = 0; p < Places; p++) begin
          bank = at_i[p*BankBits +: BankBits];
          if (used_i[p]) begin
            case (type_i)
              F64: begin
                new_o[{bank, 5'd0} +: 32]       = s64[p*64 +: 32];
                new_o[{bank | odd, 5'd0} +: 32] = s64[p*64 + 32 +: 32];
              end
              F16:     new_o[{bank, 5'd0} +: 32] = s16[p*32 +: 32];
              Bf16:    new_o[{bank, 5'd0} +: 32] = sb16[p*32 +: 32];
              default: new_o[{bank, 5'd0} +: 32] = s32[p*32 +: 32];
            endcase
          end
        end
      end
    end
  end
endmodule
`default_nettype wire
