// SPDX-License-Identifier: Apache-2.0
// Cuts a pass to the capacity of the float adders of atoms_pipe. The `Places` lowest lead banks of the pass stay, each
// with a lane and an adder; the lowest bank gets the first adder. The other lanes wait for a later pass.
//
// Combinational. `more[k]` marks banks with k or more banks of the pass below, k = 1 .. Places. Counts of neighbouring
// ranges are added, from ranges of a single bank to the range of all banks: depth grows with the logarithm of the
// banks. A pass without floats stays unchanged.
//
// With as many adders as banks, each bank has an adder, and nothing is cut.
`default_nettype none

module fp_pick #(
  parameter int Lanes    = 32,
  parameter int Banks    = 32,
  parameter int AddrBits = 16,
  parameter int Places   = 4,                // adders
  parameter int BankBits = $clog2(Banks)     // derived, do not override
) (
  input  logic                       valid_i,
  input  logic [1:0]                 group_i,  // banks of a group - 1
  input  logic [Lanes-1:0]           lanes_i,  // of the pass, each alone on a bank group
  input  logic [Banks-1:0]           banks_i,  // lead banks of the pass
  input  logic [Lanes*AddrBits-1:0]  addr_i,
  output logic [Lanes-1:0]           lanes_o,
  output logic [Banks-1:0]           banks_o,
  output logic [Places-1:0]          used_o,   // adders with a bank ...
  output logic [Places*BankBits-1:0] at_o      // ... at this bank
);
  if (Places >= Banks) begin : gen_own
    assign lanes_o = lanes_i;
    assign banks_o = banks_i;
    assign used_o  = valid_i ? Places'(banks_i) : '0;
    for (genvar k = 0; k < Places; k++) begin : gen_place
      assign at_o[k*BankBits +: BankBits] = BankBits'(k);
    end
    logic unused;
    assign unused = ^{group_i, addr_i};
  end else begin : gen_pick
    logic [Places*Banks-1:0] more, sums;         // more[k] lies at k - 1
    logic [Banks-1:0]        take;
    logic [BankBits-1:0]     clear;

    assign clear = BankBits'(group_i);

    always_comb begin
      lanes_o = lanes_i;
      banks_o = banks_i;
      used_o  = '0;
      at_o    = '0;
      {more, sums, take} = 'x;
      if (valid_i) begin
        more = '0;
        more[Banks-1:0] = banks_i << 1;
        for (int s = 0; s < BankBits; s++) begin
          sums = more;
          for (int k = 0; k < Places; k++) begin
            sums[k*Banks +: Banks] = sums[k*Banks +: Banks] | (more[k*Banks +: Banks] << (1 << s));
            for (int j = 0; j < Places; j++) begin
              if (j < k) sums[k*Banks +: Banks] = sums[k*Banks +: Banks] |
                                                  (more[j*Banks +: Banks] & (more[(j < k ? k - 1 - j : 0)*Banks +: Banks] << (1 << s)));
            end
          end
          more = sums;
        end
        banks_o = banks_i & ~more[(Places-1)*Banks +: Banks];
        for (int l = 0; l < Lanes; l++) begin
          if (!banks_o[addr_i[l*AddrBits + 2 +: BankBits] & ~clear]) lanes_o[l] = 1'b0;
        end
        take = banks_o;                          // banks of this adder and later adders
        for (int k = 0; k < Places; k++) begin
          used_o[k] = take != '0;
          for (int b = 0; b < Banks; b++) begin
            if (take[b] && !more[k*Banks + b]) at_o[k*BankBits +: BankBits] = at_o[k*BankBits +: BankBits] | b[BankBits-1:0];
          end
          take = take & more[k*Banks +: Banks];
        end
      end
    end
  end
endmodule
`default_nettype wire
