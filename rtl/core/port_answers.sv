// SPDX-License-Identifier: Apache-2.0
// Answers of sync_core itself on a port, without results: to requests for units outside the build, and to the end of a
// warp. The former fault in all active lanes (ILLEGAL_INSTRUCTION). The answers go out through a skid buffer: the end
// of a warp waits for a register, not for the choice of the next response.
`include "wl_config.vh"
`default_nettype none

module port_answers #(
  parameter int Lanes   = 32,                     // 4, 8, 16, 32
  parameter int RspBits = 30 + Lanes * 8          // derived: as in rsp_merge
) (
  input  logic               clk_i,
  input  logic               rst_i,

  // beats of requests without a unit in the build
  input  logic               refuse_valid_i,
  output logic               refuse_ready_o,
  input  logic [21:0]        refuse_tag_i,
  input  logic [Lanes-1:0]   refuse_mask_i,      // of a header-only request: lane 0 alone
  input  logic               refuse_last_i,

  // EXIT
  input  logic               exit_valid_i,
  output logic               exit_ready_o,
  input  logic [21:0]        exit_tag_i,

  // rsp_merge
  output logic               rsp_valid_o,
  input  logic               rsp_take_i,
  output logic [RspBits-1:0] rsp_o,
  output logic               empty_o
);
  logic               valid_q, locked_q, open, refuse, ends, ready;
  logic [RspBits-1:0] rsp_q;
  logic [Lanes*6-1:0] fault;

  assign open           = (!valid_q || ready) && !rst_i;
  assign refuse_ready_o = open;
  assign exit_ready_o   = open && !refuse_valid_i && !locked_q;
  assign refuse         = refuse_valid_i && refuse_ready_o;
  assign ends           = exit_valid_i && exit_ready_o;
  assign empty_o        = !rsp_valid_o;
  skid_buffer #(.Bits(RspBits)) u_skid (
    .clk_i, .rst_i, .valid_i(valid_q), .ready_o(ready), .data_i(rsp_q), .valid_o(rsp_valid_o), .ready_i(rsp_take_i), .data_o(rsp_o)
  );

  always_comb begin
    fault = '0;
    if (refuse) begin
      for (int l = 0; l < Lanes; l++) fault[l*6 +: 6] = refuse_mask_i[l] ? `WL_FAULT_ILLEGAL_INSTRUCTION : `WL_FAULT_NONE;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q  <= 1'b0;
      locked_q <= 1'b0;
    end else begin
      valid_q <= refuse || ends || (valid_q && !ready);
      if (refuse) locked_q <= !refuse_last_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (refuse) rsp_q <= {fault, refuse_mask_i != '0, {2*Lanes{1'b0}}, 6'd0, refuse_last_i, refuse_tag_i};
    else if (ends) rsp_q <= {{Lanes*6{1'b0}}, 1'b0, {2*Lanes{1'b0}}, 6'd0, 1'b1, exit_tag_i};
  end
endmodule
`default_nettype wire
