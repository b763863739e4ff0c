// SPDX-License-Identifier: Apache-2.0
// Sends a frame: length, sequence number and type, the payload out of link_exec's buffer, CRC; escapes flags and
// escapes.
`default_nettype none

module link_tx #(
  parameter int BufferBits = 11
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  start_i,       // taken when not busy
  output logic                  busy_o,
  input  logic [BufferBits-1:0] length_i,      // of the payload; holds while busy, like seq_i and type_i
  input  logic [7:0]            seq_i,
  input  logic [7:0]            type_i,
  output logic [BufferBits-1:0] addr_o,        // of the payload
  input  logic [7:0]            data_i,        // the cycle after

  output logic                  valid_o,       // to the UART
  input  logic                  ready_i,
  output logic [7:0]            byte_o
);
  localparam logic [7:0] Flag = 8'h7e, Escape = 8'h7d;
  localparam logic [2:0] Idle = 3'd0, Open = 3'd1, Head = 3'd2, Body = 3'd3, Crc = 3'd4, Close = 3'd5;

  logic [2:0]          state_q;
  logic [BufferBits:0] at_q;
  logic                settled_q, second_q;    // data_i belongs to addr_o; the second byte of an escape
  logic [31:0]         crc_q, crc_d;

  logic [7:0] plain;
  always_comb begin
    case (state_q)
      Head: begin
        case (at_q[1:0])
          2'd0: plain = length_i[7:0];
          2'd1: plain = 8'(length_i >> 8);
          2'd2: plain = seq_i;
          default: plain = type_i;
        endcase
      end
      Body: plain = data_i;
      Crc: plain = ~crc_q[7:0];
      default: plain = Flag;
    endcase
  end
  link_crc u_crc (.crc_i(crc_q), .bytes_i(plain), .crc_o(crc_d));

  logic special, frame_mark, done;
  assign frame_mark = state_q == Open || state_q == Close;
  assign special = !frame_mark && (plain == Flag || plain == Escape);
  assign valid_o = state_q != Idle && settled_q;
  assign byte_o  = special ? (second_q ? plain ^ 8'h20 : Escape) : plain;
  assign done    = valid_o && ready_i && (!special || second_q);   // this byte is out
  assign busy_o  = state_q != Idle;
  assign addr_o  = at_q[BufferBits-1:0];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q   <= Idle;
      second_q  <= 1'b0;
      settled_q <= 1'b0;
    end else if (state_q == Idle) begin
      if (start_i) state_q <= Open;
      at_q      <= '0;
      crc_q     <= '1;
      second_q  <= 1'b0;
      settled_q <= start_i;
    end else begin
      settled_q <= 1'b1;
      if (valid_o && ready_i && special) second_q <= !second_q;
      if (done) begin
        settled_q <= 1'b0;
        at_q      <= at_q + 1'b1;
        case (state_q)
          Open: begin
            state_q <= Head;
            at_q    <= '0;
          end
          Head: begin
            crc_q <= crc_d;
            if (at_q[1:0] == 2'd3) begin
              at_q    <= '0;
              state_q <= length_i == '0 ? Crc : Body;
            end
          end
          Body: begin
            crc_q <= crc_d;
            if (at_q + 1'b1 == {1'b0, length_i}) begin
              at_q    <= '0;
              state_q <= Crc;
            end
          end
          Crc: begin
            crc_q <= {8'd0, crc_q[31:8]};
            if (at_q[1:0] == 2'd3) state_q <= Close;
          end
          default: state_q <= Idle;
        endcase
      end
    end
  end
endmodule

`default_nettype wire
