// SPDX-License-Identifier: Apache-2.0
// A request of the link to the core, with registers both ways: what the link's state says is no part of the core's long paths, and
// whether the core takes it none of the link's. Two cycles later each way, which the line does not notice.
//
// `valid_i` stands, and what goes along with it, until `taken_o`. The core takes what is offered with `ready_i`.
`default_nettype none

module link_ask (
  input  logic clk_i,
  input  logic rst_i,
  input  logic valid_i,
  output logic taken_o,
  output logic valid_o,
  input  logic ready_i
);
  always_ff @(posedge clk_i) begin
    taken_o <= !rst_i && valid_o && ready_i;
    valid_o <= !rst_i && valid_i && !(valid_o && ready_i) && !taken_o;
  end
endmodule
`default_nettype wire
