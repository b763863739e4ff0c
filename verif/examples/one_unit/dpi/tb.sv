// SPDX-License-Identifier: Apache-2.0
// Eight warps meet at barriers of barrier_file, in random order; libwarplock's unit judges each event.
module tb;
  import warplock_pkg::*;
  localparam int Warps = 8;
  logic clk = 0, rst = 1, cta = 0, head = 0;
  logic [2:0] warp = 0;
  logic [3:0] id = 0;
  logic [21:0] tag = 0;
  wire ready, commit, fault, rel;
  wire [5:0] code;
  wire [21:0] judged;
  wire [31:0] lanes;
  wire [0:0] rel_id;
  wire [Warps-1:0] rel_warps;
  wire [11:0] rel_value;
  int events = 0, tag_of[Warps];
  chandle u;
  always #5 clk = ~clk;

  barrier_file #(.Warps(Warps), .Slots(2), .Barriers(2)) u_unit (
    .clk_i(clk), .rst_i(rst), .cta_valid_i(cta), .cta_slot_i(1'b0), .cta_open_i(1'b1), .cta_warps_i(4'(Warps)),
    .head_valid_i(head), .head_ready_o(ready), .head_kind_i(3'd0), .head_form_i(2'd0), .head_tag_i(tag),
    .head_warp_i(warp), .head_slot_i(1'b0), .head_id_i(id), .head_count_i(12'd0), .head_ra_i(32'd0), .head_rb_i(32'd0),
    .head_mask_i('1), .head_pred_i(32'd0), .commit_o(commit), .park_o(), .fault_o(fault), .fault_code_o(code),
    .judged_tag_o(judged), .judged_mask_o(lanes), .rel_valid_o(rel), .rel_slot_o(), .rel_id_o(rel_id),
    .rel_warps_o(rel_warps), .rel_value_o(rel_value), .rsp_valid_o(), .rsp_ready_i(1'b1), .rsp_tag_o(), .rsp_mask_o(),
    .rsp_fault_o(), .rsp_value_o(), .status_valid_i(1'b0), .status_ready_o(), .status_slot_i(1'b0), .status_id_i(1'b0),
    .status_valid_o(), .status_mode_o(), .status_counted_o(), .status_expected_o(), .status_arrived_o(),
    .status_warps_o(), .status_waiting_o(), .status_votes_o(), .idle_o()
  );

  task automatic must(input int verdict);
    if (verdict != 0) $fatal(1, "FAIL: %s", wl_unit_why(u));
  endtask

  // Events of a cycle: judgements first, then the release.
  task automatic judge();
    if (commit) must(wl_unit_commit(u, 32'(judged), lanes));
    if (fault) must(wl_unit_fault(u, 32'(judged), lanes, 32'(code)));
    if (rel) begin
      must(wl_unit_release(u, 0, 32'(rel_id), 64'(rel_warps), 32'(rel_value)));
      for (int w = 0; w < Warps; w++) if (rel_warps[w]) must(wl_unit_retire(u, tag_of[w]));
    end
    must(wl_unit_none_due(u));
    events += 32'(commit) + 32'(fault) + 32'(rel);
  endtask

  task automatic arrive(input int w, input int at);
    @(negedge clk);
    {head, warp, id, tag} = {1'b1, 3'(w), 4'(at), 22'(tag + 1)};
    tag_of[w] = int'(tag);
    must(wl_unit_request(u, 32'(tag), 0, w, $sformatf("BAR.SYNC.DEFER_BLOCKING 0x%0x", at), '1, 0));
    #1 if (!ready) $fatal(1, "FAIL: an idle unit takes no request");
    @(negedge clk) head = 0;
    #1 judge();
  endtask

  initial begin
    u = wl_unit_open("barrier_file", "arch=sm_90");
    if (u == null) $fatal(1, "FAIL: %s", wl_unit_open_error());
    repeat (4) @(negedge clk);
    rst = 0;
    must(wl_unit_start_cta(u, 0, 0, 0, Warps, 0, 0));
    @(negedge clk) cta = 1;
    @(negedge clk) cta = 0;
    for (int phase = 0; phase < 1000; phase++) begin
      int first = $urandom_range(Warps - 1);
      for (int i = 0; i < Warps; i++) arrive((first + 3 * i) % Warps, phase % 2);
    end
    must(wl_unit_idle(u));
    wl_unit_close(u);
    $display("%0d passed, 0 failed", events);
    $finish;
  end
endmodule
