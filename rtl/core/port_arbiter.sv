// SPDX-License-Identifier: Apache-2.0
// Round robin among request ports. A port keeps the grant until the last beat of the request has gone.
`include "assert.vh"
`default_nettype none

module port_arbiter #(
  parameter int Ports    = 2,                                // 2 or more, a power of two
  parameter int PortBits = $clog2(Ports)                     // derived, do not override
) (
  input  logic                clk_i,
  input  logic                rst_i,
  input  logic [Ports-1:0]    valid_i,
  input  logic [Ports-1:0]    begin_i,     // the port may begin a request
  input  logic [Ports-1:0]    last_i,
  input  logic                taken_i,     // the granted beat goes in this cycle
  output logic                valid_o,
  output logic [PortBits-1:0] port_o
);
  logic                locked_q;
  logic [PortBits-1:0] port_q;             // holder of the grant, or the port served last
  logic [PortBits-1:0] pick, next;

  // The first valid port after the port served last; the latter itself comes last.
  always_comb begin
    pick = port_q;
    next = port_q;
    for (int i = Ports - 1; i >= 1; i--) begin
      next = port_q + i[PortBits-1:0];
      if (valid_i[next] && begin_i[next]) pick = next;
    end
  end

  assign port_o  = locked_q ? port_q : pick;
  assign valid_o = valid_i[port_o] && (locked_q || begin_i[port_o]);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      locked_q <= 1'b0;
      port_q   <= '0;
    end else if (taken_i) begin
      locked_q <= !last_i[port_o];
      port_q   <= port_o;
    end
  end

  `ASSERT(TakenWasValid_A, !taken_i || valid_o)
endmodule
`default_nettype wire
