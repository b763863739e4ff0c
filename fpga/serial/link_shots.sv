// SPDX-License-Identifier: Apache-2.0
// Makes snapshots of serial_core's events, a cycle for each event, and keeps the snapshots as bytes until the host
// asks.
//
// In the FIFO a snapshot begins with the length, written last. The host keeps to its credit, so the FIFO always has
// room. Without room the event is dropped, and lost_o stays set.
`include "wl_units.vh"
`include "releases.vh"
`include "serial_events.vh"
`include "link_numbers.vh"
`default_nettype none

module link_shots #(
  parameter int DepthBits = 12,            // bytes kept: 2^DepthBits
  parameter int Units     = 5
) (
  input  logic         clk_i,
  input  logic         rst_i,

  // serial_core
  input  logic         ev_valid_i,
  output logic         ev_ready_o,
  input  logic [2:0]   ev_kind_i,
  input  logic [21:0]  ev_tag_i,
  output logic [1:0]   ev_code_o,
  input  logic [31:0]  ev_lanes_i,
  input  logic [5:0]   ev_fault_i,
  input  logic [3:0]   rel_slot_i,
  input  logic [3:0]   rel_id_i,
  input  logic [47:0]  rel_warps_i,
  input  logic [31:0]  rel_value_i,
  input  logic         rsp_last_i,
  input  logic [5:0]   rsp_passes_i,
  input  logic [3:0]   rsp_mask_i,
  input  logic [3:0]   rsp_pred_i,
  input  logic [23:0]  rsp_fault_i,
  input  logic [15:0]  rsp_map_i,
  output logic [3:0]   rsp_word_o,
  input  logic [31:0]  rsp_data_i,

  // to link_exec, as in link_events
  output logic         valid_o,
  output logic [7:0]   byte_o,
  output logic         more_o,
  input  logic         ready_i,
  output logic         end_o,
  output logic         lost_o
);
  localparam int Longest = 128;            // more than any snapshot
  localparam int Releases = `WL_RELEASE_LANES(Units, 1, 4);

  (* no_rw_check *) logic [7:0] mem [1 << DepthBits];    // bytes read were published earlier
  logic [DepthBits-1:0] wr_q, start_q, pub_q, rd_q, put_at;  // next byte to write; begin of its snapshot; end of
                                           // the bytes to be read; next byte to read
  logic                 put;
  logic [7:0]           put_byte, mem_q;
  always_ff @(posedge clk_i) begin
    if (put) mem[put_at] <= put_byte;
    mem_q <= mem[rd_q];
  end

  // ---- a snapshot, four bytes at a time ----------------------------------------------------------------------
  localparam logic [2:0] Rest = 3'd0, Load = 3'd1, Bytes = 3'd2, Length = 3'd3, Taken = 3'd4, Fetch = 3'd5;
  logic [2:0]  state_q;
  logic [3:0]  step_q;
  logic [4:0]  word_q;                     // next result; 16: none is left
  logic [31:0] cycle_q, out_q, out;
  logic [2:0]  left_q, bytes;              // of out_q still to be written
  logic        ends;                       // out is the last of the snapshot
  logic        any_fault;
  logic [4:0]  bit_no;
  logic [31:0] groups;
  logic [DepthBits-1:0] room;
  assign any_fault = rsp_fault_i != '0;
  assign room      = rd_q - wr_q - 1'b1;

  always_comb begin
    case (ev_kind_i)
      `WL_SERIAL_FAULT:      bit_no = 5'(1 + Releases + `WL_GROUP_ATOMS_PIPE_FAULT);
      `WL_SERIAL_COMMIT:     bit_no = 5'(1 + Releases + `WL_GROUP_ATOMS_PIPE_COMMIT);
      `WL_SERIAL_REFUSE:     bit_no = 5'(1 + Releases + `WL_GROUP_SYNC_CORE_REFUSE);
      `WL_SERIAL_BAR_FAULT:  bit_no = 5'(1 + Releases + `WL_GROUP_BARRIER_FILE_FAULT);
      `WL_SERIAL_BAR_COMMIT: bit_no = 5'(1 + Releases + `WL_GROUP_BARRIER_FILE_COMMIT);
      `WL_SERIAL_EXIT:       bit_no = 5'(1 + Releases + `WL_GROUP_SYNC_CORE_EXIT);
      `WL_SERIAL_RELEASE:    bit_no = 5'(Releases);
      default:             bit_no = 5'd0;
    endcase
  end
  assign groups = 32'd1 << bit_no;

  // Steps 0 and 1 are the same in every snapshot. Results of a response follow step 5.
  always_comb begin
    out   = ev_lanes_i;
    bytes = 3'd4;
    ends  = 1'b0;
    case (step_q)
      4'd0: out = cycle_q;
      4'd1: out = groups;
      4'd2: begin
        out = {10'd0, ev_tag_i};
        case (ev_kind_i)
          `WL_SERIAL_BAR_FAULT: out = {2'd0, ev_tag_i, 2'd0, ev_fault_i};
          `WL_SERIAL_RELEASE:   out = {12'd0, rel_id_i, 4'd0, rel_slot_i, 4'd0, `WL_UNIT_BARRIER_FILE};
          `WL_SERIAL_RESPONSE:  out[31:24] = {6'd0, any_fault, rsp_last_i};
          default:            bytes = 3'd3;
        endcase
        ends = ev_kind_i == `WL_SERIAL_EXIT;
      end
      4'd3: begin
        case (ev_kind_i)
          `WL_SERIAL_RELEASE:  out = {rel_warps_i[15:0], 16'd0};
          `WL_SERIAL_RESPONSE: begin
            out   = {8'd0, 4'd0, rsp_pred_i, 4'd0, rsp_mask_i, 2'd0, rsp_passes_i};
            bytes = 3'd3;
          end
          `WL_SERIAL_FAULT: ends = 1'b0;
          default:        ends = 1'b1;
        endcase
      end
      4'd4: begin
        case (ev_kind_i)
          `WL_SERIAL_RELEASE: out = rel_warps_i[47:16];
          `WL_SERIAL_RESPONSE: begin
            out   = {16'd0, rsp_map_i};
            bytes = 3'd2;
            ends  = !any_fault && rsp_map_i == '0;
          end
          default: ends = 1'b0;
        endcase
      end
      4'd5: begin
        if (ev_kind_i == `WL_SERIAL_RELEASE) out = rel_value_i;
        if (ev_kind_i == `WL_SERIAL_RESPONSE) begin
          out = {2'd0, rsp_fault_i[23:18], 2'd0, rsp_fault_i[17:12], 2'd0, rsp_fault_i[11:6], 2'd0, rsp_fault_i[5:0]};
          if (!any_fault) bytes = 3'd0;
        end
        ends = ev_kind_i != `WL_SERIAL_FAULT && (ev_kind_i != `WL_SERIAL_RESPONSE || rsp_map_i == '0);
      end
      default: begin                       // results; of a FAULT, the lanes of three codes of clusters: none here
        out  = ev_kind_i == `WL_SERIAL_FAULT ? '0 : rsp_data_i;
        ends = ev_kind_i == `WL_SERIAL_FAULT && word_q == 5'd2;
        if (ev_kind_i != `WL_SERIAL_FAULT && !rsp_map_i[word_q[3:0]]) bytes = 3'd0;
      end
    endcase
  end
  assign ev_code_o  = step_q[1:0] - 2'd3;
  assign rsp_word_o = word_q[3:0];
  assign ev_ready_o = state_q == Taken;

  logic last_q;
  always_ff @(posedge clk_i) begin
    cycle_q <= rst_i ? 32'd0 : cycle_q + 32'd1;
    case (state_q)
      Rest: begin
        step_q  <= '0;
        word_q  <= '0;
        start_q <= wr_q;
        if (ev_valid_i) begin
          if (room < DepthBits'(Longest)) begin
            lost_o  <= 1'b1;
            state_q <= Taken;
          end else begin
            wr_q    <= wr_q + 1'b1;
            state_q <= Load;
          end
        end
      end
      Fetch: state_q <= Load;              // the core's RAM answers
      Load: begin
        out_q   <= out;
        left_q  <= bytes;
        last_q  <= ends || (step_q == 4'd6 && word_q == 5'd15);
        state_q <= Bytes;
        if (step_q == 4'd6) word_q <= word_q + 5'd1;
        else step_q <= step_q + 4'd1;
      end
      Bytes: begin
        out_q  <= out_q >> 8;
        left_q <= left_q - 3'd1;
        if (left_q <= 3'd1) state_q <= last_q ? Length : step_q == 4'd6 ? Fetch : Load;
        if (left_q != 3'd0) wr_q <= wr_q + 1'b1;
      end
      Length: begin
        pub_q   <= wr_q;
        state_q <= Taken;
      end
      default: state_q <= Rest;            // Taken
    endcase
    if (rst_i) begin
      state_q <= Rest;
      wr_q    <= '0;
      start_q <= '0;
      pub_q   <= '0;
      lost_o  <= 1'b0;
    end
  end
  always_comb begin
    put      = (state_q == Bytes && left_q != 3'd0) || state_q == Length;
    put_at   = wr_q;
    put_byte = out_q[7:0];
    if (state_q == Length) begin
      put_at   = start_q;
      put_byte = 8'(wr_q - start_q - 1'b1);
    end
  end

  // ---- out ---------------------------------------------------------------------------------------------------
  localparam logic [2:0] None = 3'd0, Count = 3'd1, Ask = 3'd2, Byte = 3'd3, End = 3'd4;
  logic [2:0] read_q;
  logic [7:0] count_q;
  logic       there;
  assign there   = rd_q != pub_q;
  assign valid_o = read_q == Byte;
  assign byte_o  = mem_q;
  assign end_o   = read_q == End;
  assign more_o  = read_q != None || there;
  always_ff @(posedge clk_i) begin
    case (read_q)
      None: if (there) read_q <= Count;    // mem_q is the length in the next cycle
      Count: begin
        count_q <= mem_q;
        rd_q    <= rd_q + 1'b1;
        read_q  <= Ask;
      end
      Ask: read_q <= Byte;
      Byte: begin
        if (ready_i) begin
          rd_q    <= rd_q + 1'b1;
          count_q <= count_q - 8'd1;
          read_q  <= count_q == 8'd1 ? End : Ask;
        end
      end
      default: read_q <= None;
    endcase
    if (rst_i) begin
      read_q <= None;
      rd_q   <= '0;
    end
  end
endmodule
`default_nettype wire
