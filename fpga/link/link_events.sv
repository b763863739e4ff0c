// SPDX-License-Identifier: Apache-2.0
// Keeps the events of the core until the host asks: a FIFO of snapshots, a snapshot for each cycle with an event,
// handed out byte by byte. Bytes of a snapshot with a `keep_i` bit of 0 are left out.
//
// A snapshot is taken at once, so every four bytes have a block RAM of their own. Results of a response, by far the
// most bytes, can wait: results come lane by lane in the cycles before, into a FIFO of rows of 16 bytes. A lane without
// any result has no row. In the snapshot the rows stand from byte `RowsAt` on, and `data_i` has no rows.
//
// The FIFO cannot stop the core. The host never has more requests open than Depth / 64, and a request makes at most 64
// snapshots (docs/fpga-link.md). Should a snapshot be lost all the same, lost_o stays set.
`default_nettype none

module link_events #(
  parameter int Bytes     = 60,         // of a snapshot; the bench has the defaults
  parameter int Rows      = 2,          // of 16 bytes in a snapshot
  parameter int RowsAt    = 12,         // first byte of the rows; a multiple of 4
  parameter int DepthBits = 3,          // rows as well: a request has half as many rows as snapshots at most
  parameter int DataBytes = Bytes - Rows * 16,  // derived, do not override
  parameter int Columns   = (Bytes + 3) / 4,    // derived, do not override
  parameter logic [Columns-1:0] Zero = '0       // for every four bytes: always 0, without a RAM
) (
  input  logic               clk_i,
  input  logic               rst_i,
  input  logic               push_i,
  input  logic [DataBytes*8-1:0] data_i,  // low byte goes out first
  input  logic               row_push_i,  // a row of the next snapshot, or of the snapshot pushed in this cycle
  input  logic [127:0]       row_i,
  output logic [DataBytes*8-1:0] next_o,  // the next snapshot to go out
  input  logic [Bytes-1:0]   keep_i,    // outgoing bytes of next_o; read at the start

  output logic               valid_o,   // a byte of a snapshot
  output logic [7:0]         byte_o,
  output logic               more_o,    // this snapshot has begun, or another snapshot waits
  input  logic               ready_i,
  output logic               end_o,     // one cycle: the snapshot has been handed out
  output logic               lost_o
);
  localparam logic [DepthBits:0] Depth = {1'b1, {DepthBits{1'b0}}};
  localparam int RowsEnd = RowsAt + Rows * 16;
  localparam int AtBits  = $clog2(Columns) + 2;

  logic [DepthBits:0]   wr_q, rd_q;     // one bit more than an address
  logic [1:0]           state_q;        // 0 empty, 1 the RAMs answer, 2 bytes go out
  logic [AtBits-1:0]    at_q, at_d;     // current byte
  logic [Bytes-1:0]     keep_q;         // from the current byte on
  logic                 full, put, take;

  assign full    = wr_q - rd_q == Depth;
  assign put     = push_i && !full;
  assign take    = state_q == 2'd2 && (!keep_q[0] || ready_i);
  assign at_d    = state_q != 2'd2 ? '0 : at_q + AtBits'(take);
  assign valid_o = state_q == 2'd2 && keep_q[0];
  assign more_o  = state_q != 2'd0 || wr_q != rd_q;
  assign end_o   = state_q == 2'd2 && keep_q == '0;

  // ---- RAMs: a word is read in a later cycle than written
  // The sources of keep_i, all at once: synthesis drops all other bits of this RAM.
  (* no_rw_check *) logic [DataBytes*8-1:0] mem [1 << DepthBits];
  always_ff @(posedge clk_i) begin
    if (put) mem[wr_q[DepthBits-1:0]] <= data_i;
    if (state_q == 2'd0) next_o <= mem[rd_q[DepthBits-1:0]];
  end

  // The bytes, four in a RAM that takes four at once and gives one. Shift registers instead would be as many as the
  // bits of a snapshot, with a LUT before each, all beside the RAMs.
  logic [Columns*8-1:0]  bytes;
  for (genvar c = 0; c < Columns; c++) begin : gen_column
    if (4 * c >= RowsAt && 4 * c < RowsEnd) begin : gen_row
      assign bytes[c*8 +: 8] = '0;
    end else if (Zero[c]) begin : gen_zero
      assign bytes[c*8 +: 8] = '0;
    end else begin : gen_ram
      localparam int At   = 4 * c - (4 * c >= RowsEnd ? Rows * 16 : 0);   // in data_i
      localparam int Last = At + 4 > DataBytes ? DataBytes - At : 4;
      logic [31:0] data;
      assign data = 32'(data_i[At*8 +: Last*8]);
      logic [7:0] byte_q;
      assign bytes[c*8 +: 8] = byte_q;
      (* no_rw_check *) logic [7:0] column [4 << DepthBits];
      always_ff @(posedge clk_i) begin
        if (put) begin
          column[{wr_q[DepthBits-1:0], 2'd0}] <= data[7:0];
          column[{wr_q[DepthBits-1:0], 2'd1}] <= data[15:8];
          column[{wr_q[DepthBits-1:0], 2'd2}] <= data[23:16];
          column[{wr_q[DepthBits-1:0], 2'd3}] <= data[31:24];
        end
        byte_q <= column[{rd_q[DepthBits-1:0], at_d[1:0]}];
      end
    end
  end

  // ---- rows: a row ends with its last byte, or with the last byte of the snapshot, if any byte of the row was wanted
  localparam logic [1:0] First = 2'(RowsAt / 4);
  logic [DepthBits:0] row_wr_q, row_rd_q, row_rd_d;
  logic               row_full, row_put, in_rows, some_q, row_ends;
  logic [1:0]         word;
  logic [31:0]        row_bytes_q;

  assign row_full = row_wr_q - row_rd_q == Depth;
  assign row_put  = row_push_i && !row_full;
  assign in_rows  = 32'(at_q) >= RowsAt && 32'(at_q) < RowsEnd;
  assign word     = at_q[3:2] - First;
  assign row_ends = take && in_rows && ((word == 2'd3 && at_q[1:0] == 2'd3) || keep_q == '0);
  assign row_rd_d = row_rd_q + (DepthBits + 1)'(row_ends && (some_q || keep_q[0]));
  for (genvar c = 0; c < 4; c++) begin : gen_row_column
    (* no_rw_check *) logic [7:0] column [4 << DepthBits];
    always_ff @(posedge clk_i) begin
      if (row_put) begin
        column[{row_wr_q[DepthBits-1:0], 2'd0}] <= row_i[c*32 +: 8];
        column[{row_wr_q[DepthBits-1:0], 2'd1}] <= row_i[c*32 + 8 +: 8];
        column[{row_wr_q[DepthBits-1:0], 2'd2}] <= row_i[c*32 + 16 +: 8];
        column[{row_wr_q[DepthBits-1:0], 2'd3}] <= row_i[c*32 + 24 +: 8];
      end
      row_bytes_q[c*8 +: 8] <= column[{row_rd_d[DepthBits-1:0], at_d[1:0]}];
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      row_wr_q <= '0;
      row_rd_q <= '0;
      some_q   <= 1'b0;
    end else begin
      row_rd_q <= row_rd_d;
      if (row_put) row_wr_q <= row_wr_q + 1'b1;
      if (take && in_rows) some_q <= !row_ends && (some_q || keep_q[0]);
    end
  end
  assign byte_o = in_rows ? row_bytes_q[{word, 3'd0} +: 8] : bytes[{at_q[AtBits-1:2], 3'd0} +: 8];

  always_ff @(posedge clk_i) begin
    at_q <= at_d;
    if (rst_i) begin
      wr_q    <= '0;
      rd_q    <= '0;
      state_q <= 2'd0;
      lost_o  <= 1'b0;
    end else begin
      if ((push_i && full) || (row_push_i && row_full)) lost_o <= 1'b1;
      if (put) wr_q <= wr_q + 1'b1;
      case (state_q)
        2'd0: if (wr_q != rd_q) state_q <= 2'd1;         // next_o is valid in the next cycle
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
