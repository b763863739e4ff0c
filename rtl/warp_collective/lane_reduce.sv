// SPDX-License-Identifier: Apache-2.0
// REDUX: one operation over the words in use, of N words. A heap of N - 1 operators: node i has children 2i+1, 2i+2.
`default_nettype none

module lane_reduce #(
  parameter int N     = 8,                // 1 or more
  parameter int Width = 32                // bits of a word
) (
  input  logic               valid_i,
  input  logic [2:0]         op_i,        // And .. Max below
  input  logic               signed_i,    // Min, Max
  input  logic [N-1:0]       use_i,
  input  logic [N*Width-1:0] words_i,
  output logic [Width-1:0]   word_o       // the neutral word of the operation when no word is in use
);
  localparam logic [2:0] And = 3'd0, Or = 3'd1, Xor = 3'd2, Sum = 3'd3, Min = 3'd4;

  logic [Width-1:0]           neutral, a, b, sign;
  logic [(2*N-1)*Width-1:0]   node;
  logic                       below;

  always_comb begin
    word_o  = 'x;
    neutral = 'x;
    sign    = 'x;
    node    = 'x;
    a       = 'x;
    b       = 'x;
    below   = 'x;
    if (valid_i) begin
      // Signed numbers are compared as unsigned numbers with the highest bit inverted.
      sign          = '0;
      sign[Width-1] = signed_i;
      case (op_i)
        Or, Xor, Sum: neutral = '0;
        And:          neutral = '1;
        Min:          neutral = ~sign;
        default:      neutral = sign;
      endcase
      for (int n = 0; n < N; n++) node[(N - 1 + n)*Width +: Width] = use_i[n] ? words_i[n*Width +: Width] : neutral;
      for (int i = N - 2; i >= 0; i--) begin
        a     = node[(2*i + 1)*Width +: Width];
        b     = node[(2*i + 2)*Width +: Width];
        below = (a ^ sign) < (b ^ sign);
        case (op_i)
          And:     node[i*Width +: Width] = a & b;
          Or:      node[i*Width +: Width] = a | b;
          Xor:     node[i*Width +: Width] = a ^ b;
          Sum:     node[i*Width +: Width] = a + b;
          Min:     node[i*Width +: Width] = below ? a : b;
          default: node[i*Width +: Width] = below ? b : a;
        endcase
      end
      word_o = node[Width-1:0];
    end
  end
endmodule
`default_nettype wire
