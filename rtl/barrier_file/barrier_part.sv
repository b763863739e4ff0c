// SPDX-License-Identifier: Apache-2.0
// The part of one port of all barriers: a RAM with one write port and `Readers` read ports, made of `Readers` copies.
//
// A read enabled in cycle t gives the word in cycle t+1, with the write of cycle t. `same_i` says whether both have the
// same address: the choice among several read addresses may be known late, after each has been compared.
`default_nettype none

module barrier_part #(
  parameter int Readers  = 1,
  parameter int AddrBits = 8,
  parameter int Bits     = 32
) (
  input  logic                        clk_i,
  input  logic                        write_i,
  input  logic [AddrBits-1:0]         write_addr_i,
  input  logic [Bits-1:0]             write_data_i,
  input  logic [Readers-1:0]          read_i,
  input  logic [Readers*AddrBits-1:0] read_addr_i,
  input  logic [Readers-1:0]          same_i,        // same address as the write
  output logic [Readers*Bits-1:0]     read_data_o
);
  // Nobody looks at a read without a request. In hardware the enable would be the end of a long path; a simulator saves
  // the read.
`ifdef SYNTHESIS
  localparam bit Always = 1'b1;
`else
  localparam bit Always = 1'b0;
`endif
  for (genvar r = 0; r < Readers; r++) begin : gen_reader
    (* no_rw_check *) logic [Bits-1:0] mem [0:(1<<AddrBits)-1];   // forwarded: the RAM output does not matter then
    logic [Bits-1:0] ram_q, forward_q;
    logic            hit, forwarded_q;
    assign hit = write_i && same_i[r];
    always_ff @(posedge clk_i) begin
      if (write_i) mem[write_addr_i] <= write_data_i;
      if (Always || read_i[r]) begin
        ram_q       <= mem[read_addr_i[r*AddrBits +: AddrBits]];
        forwarded_q <= hit;
        forward_q   <= write_data_i;         // counts after a hit: the hit comes too late for an enable
      end
    end
    assign read_data_o[r*Bits +: Bits] = forwarded_q ? forward_q : ram_q;
  end
endmodule
`default_nettype wire
