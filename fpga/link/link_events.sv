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

  // a word is read in a later cycle than it was written in
  (* no_rw_check *) logic [Bytes*8-1:0] mem [1 << DepthBits];
  logic [Bytes*8-1:0]   head_q;
  logic [DepthBits:0]   wr_q, rd_q;     // one bit more than an address
  logic [1:0]           state_q;        // 0 empty, 1 the RAM answers, 2 bytes go out
  logic [Bytes*8-1:0]   data_q;
  logic [Bytes-1:0]     keep_q;

  logic full, take;
  assign full = wr_q - rd_q == Depth;
  always_ff @(posedge clk_i) begin
    if (push_i && !full) mem[wr_q[DepthBits-1:0]] <= data_i;
    head_q <= mem[rd_q[DepthBits-1:0]];
  end

  assign next_o  = head_q;
  assign valid_o = state_q == 2'd2 && keep_q[0];
  assign byte_o  = data_q[7:0];
  assign more_o  = state_q != 2'd0 || wr_q != rd_q;
  assign take    = state_q == 2'd2 && (!keep_q[0] || ready_i);
  assign end_o   = state_q == 2'd2 && keep_q == '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      wr_q    <= '0;
      rd_q    <= '0;
      state_q <= 2'd0;
      lost_o  <= 1'b0;
    end else begin
      if (push_i && full) lost_o <= 1'b1;
      if (push_i && !full) wr_q <= wr_q + 1'b1;
      case (state_q)
        2'd0: if (wr_q != rd_q) state_q <= 2'd1;         // head_q holds it in the next cycle
        2'd1: begin
          data_q  <= head_q;
          keep_q  <= keep_i;
          rd_q    <= rd_q + 1'b1;
          state_q <= 2'd2;
        end
        default: begin
          if (keep_q == '0) state_q <= 2'd0;
          if (take) begin
            data_q <= data_q >> 8;
            keep_q <= keep_q >> 1;
          end
        end
      endcase
    end
  end
endmodule

`default_nettype wire
