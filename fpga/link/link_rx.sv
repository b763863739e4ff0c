// SPDX-License-Identifier: Apache-2.0
// Frames out of bytes: undoes the escapes, checks length and CRC, keeps the body in a RAM for link_exec.
//
// A frame is FLAG length(2) sequence type payload(length) CRC-32(4) FLAG; see docs/fpga-link.md. A bad frame is dropped
// whole, and the next FLAG begins afresh: so the receiver finds its way again after any noise. While the previous frame
// is worked on (busy_i) nothing is kept; the host sends the new frame again.
`default_nettype none

module link_rx #(
  parameter int BufferBits = 11        // bytes of the longest body, as a power of two
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  valid_i,
  input  logic [7:0]            byte_i,
  input  logic                  busy_i,

  output logic                  frame_o,       // one cycle: a good frame is in the buffer
  output logic                  bad_o,         // one cycle: a frame was dropped
  output logic [BufferBits-1:0] length_o,      // of the payload
  output logic [7:0]            seq_o,
  output logic [7:0]            type_o,
  input  logic [BufferBits-1:0] addr_i,        // of the payload
  output logic [7:0]            data_o         // the cycle after
);
  localparam logic [7:0] Flag = 8'h7e, Escape = 8'h7d;
  localparam logic [31:0] Residue = 32'hdebb20e3;   // of a whole body with CRC

  (* no_rw_check *) logic [7:0] mem [1 << BufferBits];   // a byte is read later than written
  logic [BufferBits:0]   count_q;              // bytes of the body so far, CRC included
  logic [BufferBits:0]   stored_q;             // payload and CRC in the buffer so far
  logic [31:0]           crc_q, crc_d;
  logic                  escaped_q, lost_q, was_busy_q;
  logic [15:0]           want_q;
  logic [7:0]            seq_q, type_q;

  logic [7:0] plain;
  logic       flag, take;
  assign plain = escaped_q ? byte_i ^ 8'h20 : byte_i;
  assign flag  = valid_i && byte_i == Flag;
  assign take  = valid_i && !flag && byte_i != Escape;
  link_crc u_crc (.crc_i(crc_q), .bytes_i(plain), .crc_o(crc_d));

  // a body has 4 bytes before the payload and 4 behind
  logic whole;
  assign whole = crc_q == Residue && !lost_q && !was_busy_q && !escaped_q && 16'(count_q) == want_q + 16'd8;

  always_ff @(posedge clk_i) begin
    frame_o <= 1'b0;
    bad_o   <= 1'b0;
    if (rst_i || flag) begin
      count_q    <= '0;
      stored_q   <= '0;
      crc_q      <= '1;
      escaped_q  <= 1'b0;
      lost_q     <= 1'b0;
      was_busy_q <= busy_i;
      if (!rst_i && count_q != '0) begin
        frame_o <= whole && !busy_i;
        bad_o   <= !whole;
      end
      if (!rst_i && whole) begin
        length_o <= BufferBits'(want_q);
        seq_o    <= seq_q;
        type_o   <= type_q;
      end
    end else begin
      was_busy_q <= was_busy_q || busy_i;
      if (valid_i && byte_i == Escape) begin
        escaped_q <= 1'b1;
        lost_q    <= lost_q || escaped_q;
      end
      if (take) begin
        escaped_q <= 1'b0;
        crc_q     <= crc_d;
        if (&count_q[BufferBits-1:3]) lost_q <= 1'b1;  // longer than any frame
        else count_q <= count_q + 1'b1;
        if (count_q == 0) want_q[7:0] <= plain;
        else if (count_q == 1) want_q[15:8] <= plain;
        else if (count_q == 2) seq_q <= plain;
        else if (count_q == 3) type_q <= plain;
        else stored_q <= stored_q + 1'b1;
      end
    end
  end

  logic write;
  assign write = take && count_q >= 4 && !busy_i && !was_busy_q && !lost_q;
  always_ff @(posedge clk_i) begin
    if (write) mem[stored_q[BufferBits-1:0]] <= plain;
    data_o <= mem[addr_i];
  end
endmodule

`default_nettype wire
