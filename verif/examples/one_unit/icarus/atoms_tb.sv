// SPDX-License-Identifier: Apache-2.0
// Random accesses to atoms_pipe with 4 lanes and 4 banks. The bench prints the events of the RTL as a log of
// verif/examples/unit_log.
module atoms_tb;
  localparam int Lanes = 4, Banks = 4, Beats = 8, RowBits = 8, Window = 512, Requests = 150;
  localparam logic [31:0] Size4 = 32'h40, Result = 32'h100;
  logic clk = 0, rst = 1, cfg = 0, beat = 0;
  logic [21:0] tag = 0;
  logic [4:0] kind = 0;
  logic [31:0] ctl = 0, mask = 0;
  logic [2:0] index = 0;
  logic [Lanes*32-1:0] ra = 0;
  logic [Lanes*128-1:0] rb = 0;
  wire ready, finish, idle, fault, commit;
  wire [Lanes-1:0] we;
  wire [Lanes*128-1:0] data;
  wire [21:0] fault_tag, commit_tag;
  wire [191:0] fault_lanes;
  wire [31:0] commit_lanes;
  wire [Banks-1:0] commit_we;
  wire [Banks*RowBits-1:0] row;
  wire [Banks*32-1:0] now;
  integer tags [0:Requests-1];
  integer first = 0, asked = 0, done = 0;        // requests end in their order, beat by beat

  atoms_top u_top (
    .clk_i(clk), .rst_i(rst), .cfg_valid_i(cfg), .cfg_size_i(17'd512), .beat_valid_i(beat), .beat_ready_o(ready), .beat_tag_i(tag),
    .beat_kind_i(kind), .beat_ctl_i(ctl), .beat_index_i(index), .beat_mask_i(mask), .beat_ra_i(ra), .beat_rb_i(rb), .rsp_finish_o(finish),
    .rsp_we_o(we), .rsp_data_o(data), .idle_o(idle), .fault_valid_o(fault), .fault_tag_o(fault_tag), .fault_lanes_o(fault_lanes),
    .commit_valid_o(commit), .commit_tag_o(commit_tag), .commit_lanes_o(commit_lanes), .commit_we_o(commit_we), .commit_row_o(row),
    .commit_now_o(now)
  );

  task cycle;
    begin
      #1;
      for (int f = 1; f <= 3; f++)               // MISALIGNED, OUT_OF_RANGE, ILLEGAL
        if (fault && fault_lanes[32*(f-1) +: 32] != 0) $display("fault %0d 0x%0x %0d", fault_tag, fault_lanes[32*(f-1) +: 32], f);
      if (commit) $display("commit %0d 0x%0x", commit_tag, commit_lanes);
      for (int b = 0; b < Banks; b++)
        if (commit && commit_we[b]) $display("compare 0 0x%0x 0x%0x 0", (row[b*RowBits +: RowBits] * Banks + b) * 4, now[b*32 +: 32]);
      for (int i = 0; i < Lanes; i++) if (we[i]) $display("result %0d %0d 0 0x%0x", tags[first], done * Lanes + i, data[i*128 +: 32]);
      if (finish) done = done + 1;
      if (done == Beats) begin
        $display("retire %0d", tags[first]);
        first = first + 1;
        done  = 0;
      end
      clk = 1;
      #1 clk = 0;
    end
  endtask

  // Lane l accesses a + s*l with the operands b + t*l and c.
  task ask(input int form, input int a, input int s, input int b, input int t, input int c, input [31:0] lanes);
    begin
      {kind, ctl} = form == 0 ? {5'd1, Size4} : form == 1 ? {5'd0, Size4 | Result} : form == 2 ? {5'd4, Size4 | Result} :
                    form == 3 ? {5'd4, Size4 | Result | 32'd7} : {5'd5, Size4 | Result};
      tag         = 22'(asked % 48) << 16 | 22'(asked);
      tags[asked] = tag;
      $display("a 0x%0x 0x%0x\nb 0x%0x 0x%0x\nc 0x%0x", a, s, b, t, c);
      $display("request %0d 0 %0d 0x%0x 0 %0s", tag, asked % 48, lanes, form == 0 ? "STS [R2], R3" : form == 1 ? "LDS R4, [R2]" :
               form == 2 ? "ATOMS.ADD R4, [R2], R3" : form == 3 ? "ATOMS.XOR R4, [R2], R3" : "ATOMS.CAS R4, [R2], R3, R5");
      asked = asked + 1;
      beat  = 1;
      for (int n = 0; n < Beats; n++) begin
        index = 3'(n);
        mask  = lanes >> n * Lanes;
        for (int i = 0; i < Lanes; i++) begin
          ra[i*32 +: 32]       = a + s * (n * Lanes + i);
          rb[i*128 +: 32]      = b + t * (n * Lanes + i);
          rb[i*128 + 64 +: 32] = c;
        end
        #1 while (!ready) cycle;
        cycle;
      end
      beat = 0;
    end
  endtask

  initial begin
    cycle;
    rst = 0;
    cfg = 1;
    cycle;
    cfg = 0;
    $display("start_cta 0 0 0 48 0 %0d", Window);
    for (int n = 0; n < Requests; n++)           // four stores fill the window; of the others one in twenty may miss
      if (n < 4) ask(0, n * 128, 4, n, 1, 0, 32'hffffffff);
      else ask($urandom % 5, $urandom % 20 == 0 ? $urandom % 1024 : $urandom % 64 & 'h7c, $urandom % 4 * 4, $urandom % 3, $urandom % 2, $urandom,
               $urandom | 1);
    while (first != asked) cycle;
    $finish;
  end
endmodule
