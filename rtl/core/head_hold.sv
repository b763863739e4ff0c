// SPDX-License-Identifier: Apache-2.0
// Holds header-only requests out of the queue of a port, at most a request for each warp. A request goes on the port's
// head bus when all older accesses of the warp have committed. So no queue waits for a scoreboard.
//
// Requests free to go take turns by warp (round robin). A request pushed in cycle t is on the bus in cycle t+2 or
// later.
`default_nettype none

module head_hold #(
  parameter int Entries = 48,                                        // warps of this port
  parameter int Bits    = 32,                                        // of a request
  parameter int AtBits  = Entries > 1 ? $clog2(Entries) : 1          // derived, do not override
) (
  input  logic               clk_i,
  input  logic               rst_i,

  // from the queue
  input  logic               push_valid_i,
  output logic               push_ready_o,
  input  logic [AtBits-1:0]  push_at_i,      // number of the warp on the port
  input  logic [Bits-1:0]    push_i,

  input  logic [Entries-1:0] busy_i,         // warps with older accesses to wait for

  // head bus
  output logic               head_valid_o,
  input  logic               head_ready_i,
  output logic [Bits-1:0]    head_o,
  output logic [Entries-1:0] held_o          // warps with a request here or on the bus
);
  logic [Bits-1:0]    ram [0:Entries-1];
  logic [Entries-1:0] held_q, held_d, free;
  logic [AtBits-1:0]  at_q, pick;
  logic               valid_q, push, load;

  assign push_ready_o = !held_q[push_at_i] && !(valid_q && at_q == push_at_i) && !rst_i;
  assign push         = push_valid_i && push_ready_o;
  assign free         = held_q & ~busy_i;
  assign load         = free != '0 && (!valid_q || head_ready_i);
  assign head_valid_o = valid_q;

  // The lowest free warp after the warp served last, else the lowest free warp: first as a bit alone (x & -x is a
  // single carry chain), then as a number. Each bit of the number is an OR over the warps with this bit set.
  localparam logic [6*64-1:0] HaveBit = {64'hffff_ffff_0000_0000, {2{32'hffff_0000}}, {4{16'hff00}}, {8{8'hf0}}, {16{4'hc}},
                                         {32{2'b10}}};
  logic [Entries-1:0] after, alone;
  always_comb begin
    pick  = '0;
    after = '0;
    alone = '0;
    if (held_q != '0) begin
      after = free & ({Entries{1'b1}} << at_q << 1);
      alone = after != '0 ? after & -after : free & -free;
      for (int b = 0; b < AtBits; b++) pick[b] = (alone & HaveBit[b*64 +: Entries]) != '0;
    end
  end

  always_comb begin
    held_d = held_q;
    if (push) held_d[push_at_i] = 1'b1;      // never the loaded warp; `alone` is known last
    held_d = held_d & ~(load ? alone : '0);
  end
  always_comb begin
    held_o = held_q;
    if (valid_q) held_o[at_q] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      held_q  <= '0;
      valid_q <= 1'b0;
      at_q    <= '0;
    end else begin
      held_q <= held_d;
      if (load) at_q <= pick;
      valid_q <= load || (valid_q && !head_ready_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (push) ram[push_at_i] <= push_i;
    if (load) head_o <= ram[pick];
  end
endmodule
`default_nettype wire
