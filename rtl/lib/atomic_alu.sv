// SPDX-License-Identifier: Apache-2.0
// Read-modify-write of pairs of banks: each pair is two independent 32-bit words, or a 64-bit word for
// compare-and-swap.
//
// Combinational; all pairs do the same operation. Exchange and bitwise operations do not depend on the width. So only
// compare-and-swap reads `wide_i`, and with `Longs` also ADD, MIN and MAX.
//
//   op_i  0 ADD   old + b                                5 AND       old & b
//         1 MIN   smaller of old, b                      6 OR        old | b
//         2 MAX   larger of old, b                       7 XOR       old ^ b
//         3 INC   old >= b ? 0 : old + 1                 8 EXCH      b
//         4 DEC   old == 0 || old > b ? b : old - 1      9 POPC.INC  old + 1
//   cas_i         old == b ? c : old
//
// Two forms with the same results:
//   Early 0   operation by operation: quick to simulate
//   Early 1   op_i is decoded before the words of the RAM come; the words then pass a single comparison and choice: the
//             form for synthesis
`ifdef SYNTHESIS
 `define WL_ALU_EARLY 1'b1
`else
 `define WL_ALU_EARLY 1'b0
`endif
`default_nettype none

module atomic_alu #(
  parameter int Pairs = 1,
  parameter bit Quads = 1'b0,             // compare and swap 128 bits too; Pairs is even
  parameter bit Longs = 1'b0,             // ADD, MIN, MAX of 64 bits too
  parameter bit Early = `WL_ALU_EARLY
) (
  input  logic                valid_i,    // without valid_i the outputs have no meaning
  input  logic [3:0]          op_i,
  input  logic                signed_i,   // MIN and MAX compare signed
  input  logic                cas_i,      // compare and swap instead of op_i
  input  logic                wide_i,     // 64 bits, compare and swap also 128
  input  logic                quad_i,     // ... 128
  input  logic [Pairs*64-1:0] old_i,
  input  logic [Pairs*64-1:0] b_i,
  input  logic [Pairs*64-1:0] c_i,
  output logic [Pairs*64-1:0] new_o,
  output logic [Pairs*2-1:0]  match_o     // word i of old_i equals b_i; with wide_i: all 64 or 128 bits are equal
);
  localparam logic [3:0] Add = 4'd0, Min = 4'd1, Max = 4'd2, Inc = 4'd3, Dec = 4'd4,
                         And = 4'd5, Or = 4'd6, Xor = 4'd7, Exch = 4'd8;

  // `flip` turns an unsigned comparison into a signed one. INC and DEC share comparator and adder with the others.
  function automatic logic [31:0] rmw(input logic [3:0] op, input logic flip, input logic [31:0] old,
                                      input logic [31:0] b);
    logic        below, equal;
    logic [31:0] sum;
    below = (old ^ {flip, 31'd0}) < (b ^ {flip, 31'd0});
    equal = old == b;
    sum   = old + (op == Add ? b : op == Dec ? 32'hffff_ffff : 32'd1);
    case (op)
      Add:     rmw = sum;
      Min:     rmw = below ? old : b;
      Max:     rmw = below ? b : old;
      Inc:     rmw = below ? sum : 32'd0;
      Dec:     rmw = old == 32'd0 || !(below || equal) ? b : sum;
      And:     rmw = old & b;
      Or:      rmw = old | b;
      Xor:     rmw = old ^ b;
      Exch:    rmw = b;
      default: rmw = sum;
    endcase
  endfunction

  // The same of 64 bits.
  function automatic logic [63:0] rmw_long(input logic [3:0] op, input logic flip, input logic [63:0] old,
                                           input logic [63:0] b);
    logic below;
    below    = (old ^ {flip, 63'd0}) < (b ^ {flip, 63'd0});
    rmw_long = op == Add ? old + b : below == (op == Min) ? old : b;
  endfunction

  logic flip;

  assign flip = signed_i && (op_i == Min || op_i == Max);

  if (!Early) begin : gen_by_operation
    logic [1:0] equal;
    always_comb begin
      new_o   = 'x;
      match_o = 'x;
      equal   = 'x;
      if (valid_i) begin
        if (cas_i) begin
          for (int p = 0; p < Pairs; p++) begin
            equal = {old_i[p*64 + 32 +: 32] == b_i[p*64 + 32 +: 32], old_i[p*64 +: 32] == b_i[p*64 +: 32]};
            if (wide_i) equal = {2{&equal}};
            if (Quads && quad_i) equal = {2{&equal && old_i[(Quads ? p ^ 1 : p)*64 +: 64] == b_i[(Quads ? p ^ 1 : p)*64 +: 64]}};
            match_o[p*2 +: 2]         = equal;
            new_o[p*64 +: 32]         = equal[0] ? c_i[p*64 +: 32] : old_i[p*64 +: 32];
            new_o[p*64 + 32 +: 32]    = equal[1] ? c_i[p*64 + 32 +: 32] : old_i[p*64 + 32 +: 32];
          end
        end else begin
          for (int w = 0; w < 2 * Pairs; w++) begin
            new_o[w*32 +: 32] = rmw(op_i, flip, old_i[w*32 +: 32], b_i[w*32 +: 32]);
          end
          if (Longs && wide_i && (op_i == Add || op_i == Min || op_i == Max)) begin
            for (int p = 0; p < Pairs; p++) new_o[p*64 +: 64] = rmw_long(op_i, flip, old_i[p*64 +: 64], b_i[p*64 +: 64]);
          end
        end
      end
    end
  end else begin : gen_early
    // The result is `kept` (the old word, or a sum) or `given`. The comparison chooses, unless op_i alone decides.
    logic               sums, when_above, when_below, ends_at_0, long;
    logic [31:0]        addend;
    logic [Pairs*2-1:0] equals, same;    // each word alone; all words compared together
    assign sums       = !cas_i && (op_i == Add || op_i == Inc || op_i == Dec || op_i > Exch);
    assign addend     = op_i == Dec ? 32'hffff_ffff : 32'd1;
    assign when_above = op_i == Max || op_i == Add || op_i > Exch;
    assign when_below = op_i == Min || op_i == Inc || op_i == Dec || op_i == Add || op_i > Exch;
    assign ends_at_0  = op_i == Dec;
    assign long       = Longs && !cas_i && wide_i && (op_i == Add || op_i == Min || op_i == Max);
    for (genvar p = 0; p < Pairs; p++) begin : gen_pair
      logic        pair;                 // both words are equal
      logic [63:0] word;
      assign pair = equals[p*2 +: 2] == 2'b11;
      assign same[p*2 +: 2] = Quads && quad_i ? {2{pair && equals[(Quads ? p ^ 1 : p)*2 +: 2] == 2'b11}} :
                              wide_i ? {2{pair}} : equals[p*2 +: 2];
      for (genvar h = 0; h < 2; h++) begin : gen_word
        localparam int W = p*2 + h;
        logic [31:0] old, b, kept, given;
        logic [33:0] compared;           // old + ~b, bit 33: with carry-in old >= b, else old > b
        logic        choose;
        assign old       = old_i[W*32 +: 32];
        assign b         = b_i[W*32 +: 32];
        assign equals[W] = old == b;
        assign compared  = {1'b0, old ^ {flip, 31'd0}, 1'b1} + {1'b0, ~(b ^ {flip, 31'd0}), op_i != Dec};
        assign choose    = cas_i ? !same[W] : compared[33] ? when_above : when_below && !(ends_at_0 && old == 32'd0);
        assign kept      = sums ? old + (op_i == Add ? b : addend) : old;
        always_comb begin
          case (op_i)
            Inc:     given = 32'd0;
            And:     given = old & b;
            Or:      given = old | b;
            Xor:     given = old ^ b;
            default: given = b;
          endcase
          if (cas_i) given = c_i[W*32 +: 32];
        end
        assign word[h*32 +: 32] = choose ? kept : given;
        logic unused_sum;
        assign unused_sum = ^compared;
      end
      assign new_o[p*64 +: 64] = long ? rmw_long(op_i, flip, old_i[p*64 +: 64], b_i[p*64 +: 64]) : word;
    end
    assign match_o = same;
    logic unused_valid;
    assign unused_valid = valid_i;
  end
endmodule
`undef WL_ALU_EARLY
`default_nettype wire
