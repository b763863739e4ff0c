// SPDX-License-Identifier: Apache-2.0
  output logic                  irq_o,

  // commands, as link_exec takes frames
  output logic                  frame_o,          // for a cycle
  output logic [BufferBits-1:0] length_o,         // holds up to the answer, like seq_o and type_o
  output logic [7:0]            seq_o,            // changes with each command
  output logic [7:0]            type_o,
  input  logic [BufferBits-1:0] addr_i,           // of the payload
  output logic [7:0]            data_o,           // the cycle after
  input  logic                  busy_i,           // no command is taken

  // answers
  input  logic                  start_i,          // an answer is whole; the bytes stay up to the next command
  input  logic [BufferBits-1:0] length_i,
  input  logic [7:0]            type_i,
  output logic [BufferBits-1:0] addr_o,
  input  logic [7:0]            data_i,           // the cycle after

  // the memory master, if any
  input  logic                  memory_error_i,   // for a cycle
  input  logic [42:0]           memory_sector_i   // bits 47:5 of the address
