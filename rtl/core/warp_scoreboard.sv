// SPDX-License-Identifier: Apache-2.0
// Counts, for each warp, the operand requests accepted and not yet wholly committed. Header-only requests ordering
// these (BAR, MEMBAR, EXIT) wait for a count of 0.
//
// Two forms with the same counts:
//   Apart 0    accepted and done requests one after the other, each on all counters; quick to simulate
//   Apart 1    each warp apart, over all accepted and done requests; depth independent of Warps: the form for synthesis
`ifdef SYNTHESIS
 `define WL_SCOREBOARD_APART 1'b1
`else
 `define WL_SCOREBOARD_APART 1'b0
`endif
`default_nettype none

module warp_scoreboard #(
  parameter int Ports   = 1,                // requests accepted in a cycle, of different warps
  parameter int Units   = 16,               // requests done in a cycle
  parameter int Warps   = 48,
  parameter int CountBits = 5,              // a warp never has more requests outstanding than fit
  parameter bit Apart   = `WL_SCOREBOARD_APART
) (
  input  logic               clk_i,
  input  logic               rst_i,
  input  logic [Ports-1:0]   accept_i,
  input  logic [Ports*22-1:0] accept_tag_i,
  input  logic [Units-1:0]   done_i,
  input  logic [Units*6-1:0] done_warp_i,
  output logic [Warps-1:0]   busy_o
);
  localparam int WarpBits = Warps > 1 ? $clog2(Warps) : 1;
  localparam int Stride = 8;                // a power of two: synthesis builds multipliers for any other stride
  logic [Warps*Stride-1:0]    count_q, count_d;
  logic [Warps-1:0]           busy_d;
  logic                       any;

  assign any = accept_i != '0 || done_i != '0;

  if (Apart) begin : gen_synthesis
    logic unused_stride;
    assign unused_stride = ^count_q;
    for (genvar w = 0; w < Warps; w++) begin : gen_warp
      logic [Ports-1:0]     comes;
      logic [Units-1:0]     goes;
      logic [CountBits-1:0] sum;
      always_comb begin
        sum = count_q[w*Stride +: CountBits];
        for (int p = 0; p < Ports; p++) begin
          comes[p] = accept_i[p] && accept_tag_i[p*22 + 16 +: 6] == w[5:0];
          sum      = sum + {{(CountBits - 1){1'b0}}, comes[p]};
        end
        for (int u = 0; u < Units; u++) begin
          goes[u] = done_i[u] && done_warp_i[u*6 +: 6] == w[5:0];
          sum     = sum - {{(CountBits - 1){1'b0}}, goes[u]};
        end
      end
      assign count_d[w*Stride +: Stride] = {{(Stride - CountBits){1'b0}}, sum};
      assign busy_d[w]                   = sum != '0;
    end
  end else begin : gen_in_turn
    logic [WarpBits-1:0]  warp;
    logic [CountBits-1:0] one;
    assign one = CountBits'(1);
    always_comb begin
      count_d = count_q;
      busy_d  = busy_o;
      warp    = 'x;
      if (any) begin
        for (int p = 0; p < Ports; p++) begin
          warp = accept_tag_i[p*22 + 16 +: WarpBits];
          if (accept_i[p] && 32'(accept_tag_i[p*22 + 16 +: 6]) < Warps) begin
            count_d[{warp, 3'd0} +: CountBits] = count_d[{warp, 3'd0} +: CountBits] + one;
            busy_d[warp] = 1'b1;
          end
        end
        for (int u = 0; u < Units; u++) begin
          warp = done_warp_i[u*6 +: WarpBits];
          if (done_i[u] && 32'(done_warp_i[u*6 +: 6]) < Warps) begin
            count_d[{warp, 3'd0} +: CountBits] = count_d[{warp, 3'd0} +: CountBits] - one;
            busy_d[warp] = count_d[{warp, 3'd0} +: CountBits] != '0;
          end
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      count_q <= '0;
      busy_o  <= '0;
    end else if (any) begin
      count_q <= count_d;
      busy_o  <= busy_d;
    end
  end
endmodule
`default_nettype wire
