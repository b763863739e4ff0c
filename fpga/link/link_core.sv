// SPDX-License-Identifier: Apache-2.0
// The content of a board: link_board behind a UART. docs/fpga-link.md is the contract; a board's top gives clock, reset
// and two wires.
`default_nettype none

module link_core #(
`include "core_parameters.vh"
  parameter bit Stimulus     = 1'b1,         // on-chip stimulus
  parameter int MemoryBytes  = 0,            // block RAM behind atom_unit's port: a power of two from 64 to 2 MiB; 0: the host has all memory
  parameter int EventBits    = 9,            // snapshots kept: 2^EventBits; requests open at a time: a 64th as many
  parameter int ClocksPerBit = 25,
  parameter int Revision     = 0             // of the sources, answered to IDENTIFY
) (
  input  logic clk_i,
  input  logic rst_i,
  input  logic rx_i,
  output logic tx_o
);
  localparam int BufferBits = 11;

  logic       rx_valid, tx_valid, tx_ready;
  logic [7:0] rx_byte, tx_byte;
  uart_rx #(.ClocksPerBit(ClocksPerBit)) u_uart_rx (.clk_i, .rst_i, .rx_i, .valid_o(rx_valid), .byte_o(rx_byte));
  uart_tx #(.ClocksPerBit(ClocksPerBit)) u_uart_tx (
    .clk_i, .rst_i, .valid_i(tx_valid), .ready_o(tx_ready), .byte_i(tx_byte), .tx_o
  );

  logic                  frame, bad, busy, start, sending;
  logic [BufferBits-1:0] rx_length, rx_addr, tx_length, tx_addr;
  logic [7:0]            rx_seq, rx_type, rx_data, tx_seq, tx_type, tx_data;
  link_rx #(.BufferBits(BufferBits)) u_rx (
    .clk_i, .rst_i, .valid_i(rx_valid), .byte_i(rx_byte), .busy_i(busy), .frame_o(frame), .bad_o(bad), .length_o(rx_length),
    .seq_o(rx_seq), .type_o(rx_type), .addr_i(rx_addr), .data_o(rx_data)
  );
  link_tx #(.BufferBits(BufferBits)) u_tx (
    .clk_i, .rst_i, .start_i(start), .busy_o(sending), .length_i(tx_length), .seq_i(tx_seq), .type_i(tx_type),
    .addr_o(tx_addr), .data_i(tx_data), .valid_o(tx_valid), .ready_i(tx_ready), .byte_o(tx_byte)
  );

  logic         unused_valid, unused_write, unused_cond;
  logic [3:0]   unused_id;
  logic [42:0]  unused_addr;
  logic [31:0]  unused_mask;
  logic [255:0] unused_data;
  link_board #(
    .Lanes(Lanes), .Banks(Banks), .SmemBytes(SmemBytes), .Units(Units), .Arch(Arch), .Warps(Warps), .Lean(Lean), .CtaSlots(CtaSlots),
    .Stimulus(Stimulus), .MemoryBytes(MemoryBytes), .EventBits(EventBits), .Revision(Revision)
  ) u_board (
    .clk_i, .rst_i, .frame_i(frame), .bad_i(bad), .length_i(rx_length), .seq_i(rx_seq), .type_i(rx_type), .addr_o(rx_addr),
    .data_i(rx_data), .busy_o(busy), .start_o(start), .sending_i(sending), .length_o(tx_length), .seq_o(tx_seq), .type_o(tx_type),
    .addr_i(tx_addr), .data_o(tx_data), .mem_req_valid_o(unused_valid), .mem_req_ready_i(1'b0), .mem_req_id_o(unused_id),
    .mem_req_write_o(unused_write), .mem_req_cond_o(unused_cond), .mem_req_addr_o(unused_addr), .mem_req_mask_o(unused_mask),
    .mem_req_data_o(unused_data), .mem_rsp_valid_i(1'b0), .mem_rsp_id_i(4'd0), .mem_rsp_ok_i(1'b0), .mem_rsp_halves_i(2'd0),
    .mem_rsp_data_i(256'd0)
  );
endmodule

`default_nettype wire
