// SPDX-License-Identifier: Apache-2.0
// Two warps meet at a named barrier of barrier_file, a thousand times. Source: docs/spec/barriers.md, "Completion".
module two_warps_tb;
  logic clk = 0, rst = 1, cta = 0, head = 0;
  logic [2:0] warp = 0;
  wire ready, commit, park, fault, rel;
  wire [7:0] warps;
  integer failed = 0, meetings = 0;
  always #5 clk = ~clk;

  barrier_file u_unit (
    .clk_i(clk), .rst_i(rst), .cta_valid_i(cta), .cta_slot_i(1'b0), .cta_open_i(1'b1), .cta_warps_i(4'd2),
    .head_valid_i(head), .head_ready_o(ready), .head_kind_i(3'd0), .head_form_i(2'd0), .head_tag_i(22'd0),
    .head_warp_i(warp), .head_slot_i(1'b0), .head_id_i(4'd1), .head_count_i(12'd0), .head_ra_i(32'd0), .head_rb_i(32'd0),
    .head_mask_i(32'hffffffff), .head_pred_i(32'd0), .commit_o(commit), .park_o(park), .fault_o(fault), .rel_valid_o(rel),
    .rel_warps_o(warps), .rsp_ready_i(1'b1), .status_valid_i(1'b0), .status_slot_i(1'b0), .status_id_i(1'b0)
  );

  // A SYNC of a warp; `last`: the phase must end and release both warps.
  task arrive(input [2:0] of, input last);
    begin
      @(negedge clk) warp = of;
      head = 1;
      #1 if (!ready) failed = failed + 1;
      @(negedge clk) head = 0;
      #1 if (!commit || !park || fault || rel !== last || last && warps !== 8'b11) failed = failed + 1;
    end
  endtask

  initial begin
    repeat (4) @(negedge clk);
    rst = 0;
    @(negedge clk) cta = 1;
    @(negedge clk) cta = 0;
    repeat (1000) begin
      arrive(3'd0, 1'b0);
      arrive(3'd1, 1'b1);
      meetings = meetings + 1;
    end
    $display("%0d passed, %0d failed", meetings - failed, failed);
    $finish;
  end
endmodule
