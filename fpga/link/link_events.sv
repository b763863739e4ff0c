// SPDX-License-Identifier: Apache-2.0
// Keeps what happens in the core until the host asks: a FIFO of snapshots, one for each cycle in which something happened,
// handed out byte by byte. Bytes of a snapshot whose `keep_i` bit is 0 are left out.
//
// It cannot stop the core. The host never has more requests open than Depth / 64, and a request makes at most 64 snapshots
// (docs/fpga-link.md); should one be lost all the same, lost_o says so for ever.
`default_nettype none

module link_events #(
  parameter int Bytes     = 16,         // of a snapshot
  parameter int DepthBits = 9
) (
  input  logic               clk_i,
  input  logic               rst_i,
  input  logic               push_i,
  input  logic [Bytes*8-1:0] data_i,    // low byte goes out first
  output logic [Bytes*8-1:0] next_o,    // the snapshot that begins to go out
  input  logic [Bytes-1:0]   keep_i,    // which of its bytes do; looked at when it begins

  output logic               valid_o,   // a byte of a snapshot
  output logic [7:0]         byte_o,
  output logic               more_o,    // this snapshot has begun or another one is there
  input  logic               ready_i,
  output logic               end_o,     // one cycle: the snapshot has been handed out
  output logic               lost_o
);
  localparam logic [DepthBits:0] Depth = {1'b1, {DepthBits{1'b0}}};
  localparam int Columns = (Bytes + 3) / 4;
  localparam int AtBits  = $clog2(Columns) + 2;

  logic [DepthBits:0]   wr_q, rd_q;     // one bit more than an address
  logic [1:0]           state_q;        // 0 empty, 1 the RAMs answer, 2 bytes go out
  logic [AtBits-1:0]    at_q, at_d;     // byte that is looked at
  logic [Bytes-1:0]     keep_q;         // from that one on
  logic                 full, put, take;

  assign full    = wr_q - rd_q == Depth;
  assign put     = push_i && !full;
  assign take    = state_q == 2'd2 && (!keep_q[0] || ready_i);
  assign at_d    = state_q != 2'd2 ? '0 : at_q + AtBits'(take);
  assign valid_o = state_q == 2'd2 && keep_q[0];
  assign more_o  = state_q != 2'd0 || wr_q != rd_q;
  assign end_o   = state_q == 2'd2 && keep_q == '0;

  // ---- RAMs: a word is read in a later cycle than it was written in
  // What keep_i is made of, at once: synthesis drops all other bits of this one.
  (* no_rw_check *) logic [Bytes*8-1:0] mem [1 << DepthBits];
  always_ff @(posedge clk_i) begin
    if (put) mem[wr_q[DepthBits-1:0]] <= data_i;
    if (state_q == 2'd0) next_o <= mem[rd_q[DepthBits-1:0]];
  end

  // The bytes, four to a RAM that takes them at once and gives one: registers that shift a snapshot out would be as many as its
  // bits, with a LUT before each, all beside the RAMs.
  logic [Columns*32-1:0] data;
  logic [Columns*8-1:0]  bytes_q;
  assign data = (Columns*32)'(data_i);
  for (genvar c = 0; c < Columns; c++) begin : gen_column
    (* no_rw_check *) logic [7:0] column [4 << DepthBits];
    always_ff @(posedge clk_i) begin
      if (put) begin
        column[{wr_q[DepthBits-1:0], 2'd0}] <= data[c*32 +: 8];
        column[{wr_q[DepthBits-1:0], 2'd1}] <= data[c*32 + 8 +: 8];
        column[{wr_q[DepthBits-1:0], 2'd2}] <= data[c*32 + 16 +: 8];
        column[{wr_q[DepthBits-1:0], 2'd3}] <= data[c*32 + 24 +: 8];
      end
      bytes_q[c*8 +: 8] <= column[{rd_q[DepthBits-1:0], at_d[1:0]}];
    end
  end
  assign byte_o = bytes_q[{at_q[AtBits-1:2], 3'd0} +: 8];

  always_ff @(posedge clk_i) begin
    at_q <= at_d;
    if (rst_i) begin
      wr_q    <= '0;
      rd_q    <= '0;
      state_q <= 2'd0;
      lost_o  <= 1'b0;
    end else begin
      if (push_i && full) lost_o <= 1'b1;
      if (put) wr_q <= wr_q + 1'b1;
      case (state_q)
        2'd0: if (wr_q != rd_q) state_q <= 2'd1;         // next_o holds it in the next cycle
        2'd1: begin
          keep_q  <= keep_i;
          state_q <= 2'd2;
        end
        default: begin
          if (keep_q == '0) begin
            rd_q    <= rd_q + 1'b1;
            state_q <= 2'd0;
          end
          if (take) keep_q <= keep_q >> 1;
        end
      endcase
    end
  end
endmodule

`default_nettype wire
