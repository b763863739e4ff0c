// SPDX-License-Identifier: Apache-2.0
// A request of the link to the core, with registers both ways: the link's state is no part of the core's long paths,
// and the core's ready no part of the link's long paths. Each way takes two cycles more; the line does not notice.
//
// `valid_i` and the payload stand until `taken_o`. The core takes the offer with `ready_i`.
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
