// SPDX-License-Identifier: Apache-2.0
// The adders of floats serve few lanes: of the lanes that a pass would take, those of the lowest banks stay. One lane has one
// bank. Combinational.
`default_nettype none

module pass_cut #(
  parameter int Lanes    = 32,                   // 4, 8, 16, 32
  parameter int Banks    = 32,                   // 4, 8, 16, 32
  parameter int Most     = 4,                    // lanes that stay
  parameter int LaneBits = $clog2(Lanes)         // derived, do not override
) (
  input  logic                      cut_i,
  input  logic [Lanes-1:0]          lanes_i,
  input  logic [Banks-1:0]          banks_i,     // they take,
  input  logic [Banks*LaneBits-1:0] win_i,       // each this lane
  output logic [Lanes-1:0]          lanes_o,
  output logic [Banks-1:0]          banks_o
);
  if (Lanes <= Most || Banks <= Most) begin : gen_all
    assign lanes_o = lanes_i;
    assign banks_o = banks_i;
    logic unused;
    assign unused = ^{cut_i, win_i};
  end else begin : gen_few
    logic [$clog2(Most + 1)-1:0] taken;
    always_comb begin
      lanes_o = lanes_i;
      banks_o = banks_i;
      taken   = '0;
      if (cut_i) begin
        lanes_o = '0;
        for (int b = 0; b < Banks; b++) begin
          if (32'(taken) == Most) banks_o[b] = 1'b0;
          if (banks_o[b]) begin
            lanes_o[win_i[b*LaneBits +: LaneBits]] = 1'b1;
            taken = taken + 1'b1;
          end
        end
      end
    end
  end
endmodule
`default_nettype wire
