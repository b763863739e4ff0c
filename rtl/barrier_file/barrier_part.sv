// SPDX-License-Identifier: Apache-2.0
// What one port keeps of the barriers: a RAM with one write port and `Readers` read ports, so `Readers` copies of it.
//
// A read enabled in cycle t gives its word in cycle t+1, with the write of cycle t. That both have one address is told from
// outside: which of several addresses is read may be known late, and each of them has been compared by then.
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
  input  logic [Readers-1:0]          same_i,        // as the write's
  output logic [Readers*Bits-1:0]     read_data_o
);
  // What is read for nobody is looked at by nobody. In hardware the enable would be the end of a long way; a simulator saves the read.
`ifdef SYNTHESIS
  localparam bit Always = 1'b1;
`else
  localparam bit Always = 1'b0;
`endif
  for (genvar r = 0; r < Readers; r++) begin : gen_reader
    (* no_rw_check *) logic [Bits-1:0] mem [0:(1<<AddrBits)-1];   // forwarded: what the RAM says then is no matter
    logic [Bits-1:0] ram_q, forward_q;
    logic            hit, forwarded_q;
    assign hit = write_i && same_i[r];
    always_ff @(posedge clk_i) begin
      if (write_i) mem[write_addr_i] <= write_data_i;
      if (Always || read_i[r]) begin
        ram_q       <= mem[read_addr_i[r*AddrBits +: AddrBits]];
        forwarded_q <= hit;
        forward_q   <= write_data_i;         // counts where there was a hit: that comes too late to be an enable
      end
    end
    assign read_data_o[r*Bits +: Bits] = forwarded_q ? forward_q : ram_q;
  end
endmodule
`default_nettype wire
