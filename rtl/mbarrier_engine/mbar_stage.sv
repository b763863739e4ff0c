// SPDX-License-Identifier: Apache-2.0
// Stages X and W of atoms_pipe for mbarrier_engine. X: the objects of a pass step, lanes fault by the state of objects,
// phases end, a TRYWAIT is judged. W: the parts of results that the banks do not give.
//
// With `Lean` a register stands behind the ALU: a pass stands in X a cycle longer. The outputs of X count in the cycle
// after valid_i, the outputs of W a cycle later.
`include "mbar.vh"
`include "wl_config.vh"
`default_nettype none

module mbar_stage #(
  parameter int Lanes    = 32,
  parameter int Banks    = 32,
  parameter int RowBits  = 9,
  parameter int BeatBits = 1,
  parameter bit LayoutA  = 1'b1,                               // mbarriers of sm_80
  parameter bit LayoutV1 = 1'b0,                               // mbarriers of layout v1 of sm_107
  parameter bit Lean     = 1'b0,
  parameter int BankBits = $clog2(Banks),                      // derived, do not override, like all below
  parameter int LowBits  = BankBits + 2,
  parameter int Pairs    = Banks / 2,
  parameter int ObjBits  = RowBits + BankBits - 1
) (
  input  logic                        clk_i,
  input  logic                        rst_i,

  // X: a pass, or an empty one; the signals of atoms_pipe
  input  logic                        valid_i,      // with Lean for one cycle; the inputs below stand for two
  input  logic                        first_i,      // of the beat
  input  logic                        finish_i,     // last of the beat
  input  logic                        last_i,       // of the last beat
  input  logic [BeatBits-1:0]         index_i,
  input  logic [`WL_MBAR_OP_BITS-1:0] op_i,
  input  logic [Lanes-1:0]            lanes_i,
  input  logic [Lanes-1:0]            count_i,      // lanes of the beat already faulted with MBAR_COUNT_RANGE
  input  logic                        one_i,        // with the last beat: all lanes wait for one phase of one object
  input  logic [Lanes-1:0]            parity_i,
  input  logic [Lanes*`WL_MBAR_GROUP_BITS-1:0] group_i, // TMASK: of each lane, WL_MBAR_GROUP_*
  input  logic [Banks-1:0]            en_i,
  input  logic [Banks*RowBits-1:0]    row_i,
  input  logic [Lanes*LowBits-1:0]    low_i,
  input  logic [Banks*32-1:0]         b_i,
  input  logic [Banks*32-1:0]         old_i,
  input  logic [Banks-1:0]            mark_i,
  output logic [Banks*32-1:0]         new_o,
  output logic [Banks-1:0]            we_o,
  output logic [Banks-1:0]            mark_en_o,
  output logic [Banks-1:0]            mark_o,
  output logic [Pairs-1:0]            flip_o,       // objects with a phase that ends,
  output logic [Pairs-1:0]            flip_phase_o, // of this parity
  output logic [Pairs*`WL_MBAR_END_BITS-1:0] flip_end_o, // ... and how: WL_MBAR_END_*
  output logic [Lanes-1:0]            faulted_o,
  output logic [Lanes*6-1:0]          fault_o,
  output logic                        park_o,       // the request waits, for the phase of this parity of this object
  output logic [ObjBits-1:0]          park_object_o,
  output logic                        park_parity_o,
  output logic                        park_conditional_o, // ... the conditional phase

  // W
  input  logic [Lanes-1:0]            lane_i,       // Lean: the lane with a result in this cycle, given to all lanes
  output logic                        special_o,    // results are special_data_o
  output logic [Lanes*64-1:0]         special_data_o,
  output logic [Lanes*7-1:0]          extra_o,      // {predicate, fault} of each lane of the beat so far
  output logic                        hold_o,       // the beat is not answered before the last beat of the request
  output logic                        drop_o        // the request is not answered at all: the warp waits
);
  localparam int PairBits = BankBits > 1 ? BankBits - 1 : 1;
  localparam int LaneBits = $clog2(Lanes);
  localparam int GroupBits = `WL_MBAR_GROUP_BITS;
  localparam int ReportBits = `WL_MBAR_REPORT_BITS;

  // ---- X ---------------------------------------------------------------------------------------------------
  logic                acts;              // the outputs of the ALU count
  logic [Pairs-1:0]    on, mark, alu_we, alu_mark, alu_flip, alu_we_d, alu_mark_d, alu_flip_d;
  logic [Pairs*6-1:0]  alu_fault, alu_fault_d;
  logic [Pairs*8-1:0]  faults;            // the same, a byte each: found by shifts alone
  logic                changes, once, trywait, tmask, read, drop, conditional, primary;
  logic [Banks*32-1:0] now, alu_now;
  logic [PairBits-1:0] pair;
  logic [Lanes-1:0]    done;              // lanes with a complete phase
  logic [Pairs-1:0]    phase, conditional_phase, asked;
  logic [Pairs*`WL_MBAR_END_BITS-1:0] how;
  logic [Pairs*ReportBits-1:0]        last_report;
  logic [Pairs*16-1:0]                report;   // likewise
  logic [Lanes*ReportBits-1:0]        told;     // PRIMARY: the report of the lane's phase, if complete

  assign drop    = op_i[`WL_MBAR_OP_DROP];
  assign new_o   = now;
  assign once    = op_i[`WL_MBAR_OP_ONCE];
  assign tmask   = op_i[`WL_MBAR_OP_TMASK];
  assign trywait = op_i[`WL_MBAR_OP_TRYWAIT];
  assign read    = op_i[`WL_MBAR_OP_KIND] == `WL_MBAR_READ;
  assign changes = acts && !read;
  assign conditional = LayoutV1 && op_i[`WL_MBAR_OP_CONDITIONAL];
  assign primary     = LayoutV1 && op_i[`WL_MBAR_OP_PRIMARY];

  always_comb begin
    on   = '0;
    mark = '0;
    if (valid_i || acts) begin
      for (int p = 0; p < Pairs; p++) begin
        on[p]   = en_i[2*p];
        mark[p] = mark_i[2*p] && mark_i[2*p + 1];
      end
    end
  end

  mbar_alu #(.Pairs(Pairs), .LayoutA(LayoutA), .LayoutV1(LayoutV1)) u_alu (
    .valid_i, .kind_i(op_i[`WL_MBAR_OP_KIND]), .form_i(op_i[`WL_MBAR_OP_FORM]), .drop_i(drop),
    .stay_i(tmask), .v1_i(op_i[`WL_MBAR_OP_V1]), .mark_i(mark), .old_i, .b_i, .new_o(alu_now), .we_o(alu_we_d), .mark_o(alu_mark_d), .flip_o(alu_flip_d),
    .fault_o(alu_fault_d)
  );
  mbar_phases #(.Pairs(Pairs), .LayoutV1(LayoutV1)) u_phases (
    .valid_i(acts), .v1_i(op_i[`WL_MBAR_OP_V1]), .old_i, .phase_o(phase), .end_o(how), .conditional_o(conditional_phase),
    .last_o(last_report)
  );
  assign asked = conditional ? conditional_phase : phase;
  if (Lean) begin : gen_behind
    always_ff @(posedge clk_i) begin
      acts <= valid_i && !rst_i;
      if (valid_i) {now, alu_we, alu_mark, alu_flip, alu_fault} <= {alu_now, alu_we_d, alu_mark_d, alu_flip_d, alu_fault_d};
    end
  end else begin : gen_at_once
    assign acts = valid_i;
    assign {now, alu_we, alu_mark, alu_flip, alu_fault} = {alu_now, alu_we_d, alu_mark_d, alu_flip_d, alu_fault_d};
  end

  always_comb begin
    we_o      = '0;
    mark_en_o = '0;
    mark_o    = '0;
    flip_o    = '0;
    flip_phase_o = 'x;
    flip_end_o   = 'x;
    if (changes) begin
      for (int p = 0; p < Pairs; p++) begin
        we_o[2*p +: 2]      = {2{on[p] && alu_we[p]}};
        mark_en_o[2*p +: 2] = {2{on[p]}};
        mark_o[2*p +: 2]    = {2{alu_mark[p]}};
        flip_o[p]           = on[p] && alu_flip[p];
        flip_end_o[p*`WL_MBAR_END_BITS +: `WL_MBAR_END_BITS] = how[p*`WL_MBAR_END_BITS +: `WL_MBAR_END_BITS];
        flip_phase_o[p]     = phase[p];
      end
    end
  end

  always_comb begin
    faulted_o = '0;
    fault_o   = '0;
    done      = '0;
    pair      = 'x;
    faults    = 'x;
    report    = 'x;
    told      = '0;
    if (acts && lanes_i != '0) begin
      for (int p = 0; p < Pairs; p++) begin
        faults[p*8 +: 8]   = 8'(alu_fault[p*6 +: 6]);
        report[p*16 +: 16] = 16'(last_report[p*ReportBits +: ReportBits]);
      end
      for (int l = 0; l < Lanes; l++) begin
        pair = low_i[l*LowBits + 3 +: PairBits];
        if (lanes_i[l]) begin
          fault_o[l*6 +: 6] = faults[{pair, 3'd0} +: 6];
          faulted_o[l]      = fault_o[l*6 +: 6] != `WL_FAULT_NONE;
          done[l]           = read && !faulted_o[l] && asked[pair] != parity_i[l];
          if (primary && done[l]) told[l*ReportBits +: ReportBits] = report[{pair, 4'd0} +: ReportBits];
        end
      end
    end
  end

  // TRYWAIT: judged with the last beat, from the lanes of all passes.
  logic               saw_q, saw, over_q, over, parity_q;
  logic [ObjBits-1:0] object_q, object;
  assign saw  = (saw_q && !(first_i && index_i == '0)) || (lanes_i & ~faulted_o) != '0;
  assign over = (over_q && !(first_i && index_i == '0)) || (done | faulted_o) != '0;
  always_comb begin
    object = object_q;
    if (acts && trywait && lanes_i != '0) begin
      for (int p = 0; p < Pairs; p++) begin
        if (on[p]) object = {row_i[2*p*RowBits +: RowBits], p[PairBits-1:0]};
      end
    end
  end
  assign park_o        = acts && trywait && finish_i && last_i && one_i && saw && !over;
  assign park_object_o = object;
  assign park_conditional_o = conditional;
  assign park_parity_o = lanes_i != '0 ? (lanes_i & parity_i) != '0 : parity_q;
  always_ff @(posedge clk_i) begin
    if (acts && trywait) begin
      saw_q    <= saw;
      over_q   <= over;
      object_q <= object;
      parity_q <= park_parity_o;
    end
  end

  // TMASK: the lowest lane on an object keeps the high word found there, under the lane's number, for all lanes on the
  // object. An object is on one pair of banks, and a pass has one lane on an object: so a memory for each pair has one
  // lane to write and to read.
  logic [Pairs-1:0]    leaves;            // the lane on the pair is the lowest lane on the object
  logic [Pairs*5-1:0]  at;                // the number of that lowest lane
  logic [Pairs*32-1:0] high;              // in W: the word kept
  logic [4:0]          lowest;
  always_comb begin
    leaves = '0;
    at     = '0;
    lowest = 'x;
    if (acts && tmask) begin
      for (int l = 0; l < Lanes; l++) begin
        lowest = group_i[l*GroupBits + `WL_MBAR_GROUP_LOWEST];
        for (int p = 0; p < Pairs; p++) begin
          if (lanes_i[l] && low_i[l*LowBits + 3 +: PairBits] == p[PairBits-1:0]) begin
            leaves[p]     = lowest == 5'({index_i, l[LaneBits-1:0]});
            at[p*5 +: 5]  = at[p*5 +: 5] | lowest;
          end
        end
      end
    end
  end
  for (genvar p = 0; p < Pairs; p++) begin : gen_first
    logic [31:0] first_high [0:31];
    logic [4:0]  at_q;
    always_ff @(posedge clk_i) begin
      if (leaves[p]) first_high[at[p*5 +: 5]] <= old_i[p*64 + 32 +: 32];
      if (acts && tmask) at_q <= at[p*5 +: 5];
    end
    assign high[p*32 +: 32] = first_high[at_q];
  end

  // ---- W ---------------------------------------------------------------------------------------------------
  logic                      w_once_q, w_tmask_q, w_primary_q;
  logic [Lanes*ReportBits-1:0] told_q;
  logic [63:0]               once_q;       // the object before an operation done once for all lanes
  logic [Lanes*7-1:0]        extra;

  always_comb begin
    extra = first_i ? '0 : extra_o;
    if (acts) begin
      for (int l = 0; l < Lanes; l++) begin
        if (first_i && count_i[l]) extra[l*7 +: 6] = `WL_FAULT_MBAR_COUNT_RANGE;
        if (lanes_i[l]) extra[l*7 +: 7] = {done[l], fault_o[l*6 +: 6]};
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (acts) begin
      w_once_q  <= once;
      w_tmask_q <= tmask;
      w_primary_q <= primary;
      extra_o   <= extra;
      hold_o    <= trywait && !last_i;
      drop_o    <= park_o;
    end else if (!Lean) begin                // lanes of a lean pass get results one after the other, while the operands stand
      w_once_q  <= 1'b0;
      w_tmask_q <= 1'b0;
      w_primary_q <= 1'b0;
    end
    if (acts && primary) told_q <= told;
    if (acts && once && lanes_i != '0) begin
      for (int p = 0; p < Pairs; p++) begin
        if (on[p]) once_q <= old_i[p*64 +: 64];
      end
    end
  end

  // Result of PRIMARY: RELEASE's value without the lowest bit.
  function automatic logic [63:0] result_of(input logic [ReportBits-1:0] told_of);
    result_of = {49'd0, told_of[ReportBits-1:1], 6'd0, told_of[0]};
  endfunction

  // Nobody reads the result of a lane without a turn.
  if (Lean) begin : gen_lane
    logic [31:0]         members;
    logic [PairBits-1:0] w_pair;
    logic [ReportBits-1:0] lane_told;
    always_comb begin
      {members, w_pair, lane_told} = 'x;
      if (lane_i != '0) begin
        {members, w_pair, lane_told} = '0;
        for (int l = 0; l < Lanes; l++) begin
          members = members | (group_i[l*GroupBits + `WL_MBAR_GROUP_LANES] & {32{lane_i[l]}});
          w_pair  = w_pair | (low_i[l*LowBits + 3 +: PairBits] & {PairBits{lane_i[l]}});
          lane_told = lane_told | (told_q[l*ReportBits +: ReportBits] & {ReportBits{lane_i[l]}});
        end
      end
    end
    assign special_data_o = {Lanes{w_once_q ? once_q : w_primary_q ? result_of(lane_told) : {high[{w_pair, 5'd0} +: 32], members}}};
  end else begin : gen_lanes
    logic [Lanes*32-1:0]       w_members_q;  // lanes on the object of each lane
    logic [Lanes*PairBits-1:0] w_pair_q;
    always_ff @(posedge clk_i) begin
      if (acts && tmask) begin
        for (int l = 0; l < Lanes; l++) begin
          w_members_q[l*32 +: 32]         <= group_i[l*GroupBits + `WL_MBAR_GROUP_LANES];
          w_pair_q[l*PairBits +: PairBits] <= low_i[l*LowBits + 3 +: PairBits];
        end
      end
    end
    always_comb begin
      special_data_o = 'x;
      if (w_once_q) begin
        for (int l = 0; l < Lanes; l++) special_data_o[l*64 +: 64] = once_q;
      end else if (w_primary_q) begin
        for (int l = 0; l < Lanes; l++) special_data_o[l*64 +: 64] = result_of(told_q[l*ReportBits +: ReportBits]);
      end else if (w_tmask_q) begin
        for (int l = 0; l < Lanes; l++) begin
          special_data_o[l*64 +: 64] = {high[{w_pair_q[l*PairBits +: PairBits], 5'd0} +: 32], w_members_q[l*32 +: 32]};
        end
      end
    end
    logic unused_lane;
    assign unused_lane = ^lane_i;
  end
  assign special_o = w_once_q || w_tmask_q || w_primary_q;

  logic unused_clock;
  assign unused_clock = rst_i;
endmodule
`default_nettype wire
