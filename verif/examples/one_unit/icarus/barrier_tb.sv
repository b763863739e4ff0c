// SPDX-License-Identifier: Apache-2.0
// Eight warps meet at a named barrier of barrier_file, 200 times, each time in another order. The bench prints
// the events of the RTL as a log of verif/examples/unit_log.
module barrier_tb;
  logic clk = 0, rst = 1, cta = 0, head = 0;
  logic [2:0] warp = 0;
  logic [21:0] tag = 0;
  wire ready, commit, park, fault, rel;
  wire [31:0] lanes;
  wire [21:0] judged;
  wire [7:0] warps;
  wire id;
  integer open [0:7];
  always #5 clk = ~clk;

  barrier_file u_unit (
    .clk_i(clk), .rst_i(rst), .cta_valid_i(cta), .cta_slot_i(1'b0), .cta_open_i(1'b1), .cta_warps_i(4'd8),
    .head_valid_i(head), .head_ready_o(ready), .head_kind_i(3'd0), .head_form_i(2'd0), .head_tag_i(tag),
    .head_warp_i(warp), .head_slot_i(1'b0), .head_id_i(4'd1), .head_count_i(12'd0), .head_ra_i(32'd0), .head_rb_i(32'd0),
    .head_mask_i(32'hffffffff), .head_pred_i(32'd0), .commit_o(commit), .park_o(park), .fault_o(fault), .judged_tag_o(judged),
    .judged_mask_o(lanes), .rel_valid_o(rel), .rel_id_o(id), .rel_warps_o(warps), .rsp_ready_i(1'b1), .status_valid_i(1'b0),
    .status_slot_i(1'b0), .status_id_i(1'b0)
  );

  // Events of this cycle: the judgement of a request, then a release.
  task judge;
    begin
      if (commit) $display("commit %0d 0x%0x", judged, lanes);
      if (fault) $display("fault %0d 0x%0x 0", judged, lanes);
      if (rel) begin
        $display("release 0 %0d 0x%0x 0", id, warps);
        for (integer w = 0; w < 8; w = w + 1) if (warps[w]) $display("retire %0d", open[w]);
      end
    end
  endtask

  task arrive(input [2:0] of);
    begin
      @(negedge clk) warp = of;
      head = 1;
      tag = tag + 1;
      open[of] = tag;
      $display("request %0d 0 %0d 0xffffffff 0 BAR.SYNC.DEFER_BLOCKING 0x1", tag, of);
      #1 while (!ready) @(negedge clk) #1;
      @(negedge clk) head = 0;
      #1 judge;
    end
  endtask

  integer first, step;
  initial begin
    repeat (4) @(negedge clk);
    rst = 0;
    @(negedge clk) cta = 1;
    @(negedge clk) cta = 0;
    $display("start_cta 0 0 0 8 0 0");
    repeat (200) begin
      first = $urandom;
      step  = $urandom | 1;                     // odd: each warp once
      for (integer n = 0; n < 8; n = n + 1) arrive(first + n * step);
    end
    $finish;
  end
endmodule
