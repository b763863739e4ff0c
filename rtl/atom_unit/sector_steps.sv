// SPDX-License-Identifier: Apache-2.0
// The lanes of one sector one after the other, the lowest first, for atom_unit_lean; sector_pass does the same in
// passes. A lane takes some ten cycles, and 35 more for each float.
//
// Operands lie in a RAM of 64-bit words, written one a cycle while a beat is held; results leave as 64-bit words. The
// new sector is kept here until the next run.
//
// Lanes of one pass are on different words, so the order within a pass does not matter, and the passes need only be
// counted. Each pass takes one lane of every word (group of words) with lanes left; of floats, of the FpLanes lowest
// such words. So the number of lanes of each word is enough to count passes.
`default_nettype none

module sector_steps #(
  parameter int Lanes    = 32,                   // of a beat
  parameter int Warp     = 32,                   // of a request
  parameter int CtlBits  = 15,
  parameter int FpLanes  = 4,                    // of a pass
  parameter int LaneBits = $clog2(Warp),         // derived, do not override
  parameter int PutBits  = $clog2(Lanes)
) (
  input  logic                 clk_i,
  input  logic                 rst_i,

  // operands: a word of a lane of the beat, a cycle before its write. The lower half of c stands in the place of b's
  // upper half
  input  logic                 put_valid_i,
  input  logic [LaneBits-1:0]  put_lane_i,       // of the request
  input  logic [1:0]           put_word_i,       // {upper half, c}
  input  logic [Lanes*128-1:0] beat_b_i,
  input  logic [Lanes*64-1:0]  beat_c_i,         // upper halves

  // a run; the fields stay until `last_o`
  input  logic                 run_valid_i,
  input  logic [Warp-1:0]      run_lanes_i,
  input  logic                 run_again_i,
  input  logic [CtlBits-1:0]   run_ctl_i,        // {load, store, cas, cast, signed, size, type, op}
  input  logic [255:0]         old_i,

  output logic [LaneBits-1:0]  lane_o,           // the place of this lane in the sector ...
  input  logic [4:0]           place_i,          // ... comes a cycle later

  output logic                 pass_o,           // a counted pass
  output logic                 last_o,           // the sector is done: the bytes
  output logic [31:0]          mask_o,           // ... written
  output logic [255:0]         new_o,
  output logic                 result_we_o,      // half of a lane's result; of a lane without a result: no meaning
  output logic [LaneBits:0]    result_at_o,      // {lane, half}
  output logic [63:0]          result_o
);
  localparam int PartCycles = 34;                // registers on the way through pair_alu

  logic       load, store, cas, cast, is_signed, is_float, sixteen;
  logic [2:0] size, kind_type;
  logic [3:0] op;
  assign {load, store, cas, cast, is_signed, size, kind_type, op} = run_ctl_i;
  assign is_float = kind_type != '0 && !load && !store && !cas;
  assign sixteen  = size == 3'd4;

  // ---- states --------------------------------------------------------------------------------------------------
  localparam logic [3:0] Idle = 4'd0, Clear = 4'd1, Pick = 4'd2, Read = 4'd3, Take = 4'd4, Look = 4'd5, Work = 4'd6, Whole = 4'd7,
                         Part = 4'd8, Write = 4'd9, Told = 4'd10, Upper = 4'd11, Count = 4'd12, Last = 4'd13, Settle = 4'd14;
  logic [3:0]          state_q;
  logic [5:0]          wait_q;
  logic [1:0]          visit_q, part_q, parts;   // 16 bytes: lower half, upper half; of a compare the lower half again
  logic                half, again, any_q;
  logic [2:0]          at_q;                     // the word being counted
  logic [Warp-1:0]     left_q, first;
  logic [LaneBits-1:0] lowest, lane_q;

  assign half  = visit_q[0];
  assign again = sixteen && (visit_q == 2'd0 || (visit_q == 2'd1 && cas));
  assign first = left_q & (~left_q + 1'b1);
  always_comb begin
    lowest = 'x;
    if (state_q == Pick) begin
      lowest = '0;
      for (int l = 0; l < Warp; l++) if (first[l]) lowest = lowest | LaneBits'(l);
    end
  end

  always_ff @(posedge clk_i) begin
    case (state_q)
      Idle: if (run_valid_i) state_q <= Clear;
      Clear: if (&at_q) state_q <= Pick;
      Pick: state_q <= left_q != '0 ? Read : load || run_again_i ? Last : Count;
      Read: state_q <= Take;
      Take: state_q <= Look;
      Look: state_q <= Work;
      Work: state_q <= is_float ? Part : Settle;
      Settle: state_q <= Whole;
      Whole: state_q <= Write;
      Part: if (wait_q == 6'(PartCycles) && part_q == parts) state_q <= Write;
      Write: state_q <= again ? Read : Told;
      Told: state_q <= Upper;
      Upper: state_q <= Pick;
      Count: if (&at_q && !any_q && !some) state_q <= Last;
      default: state_q <= Idle;
    endcase
    if (rst_i) state_q <= Idle;
  end
  always_ff @(posedge clk_i) begin
    if (state_q == Idle) left_q <= run_lanes_i;
    else if (state_q == Pick) left_q <= left_q & ~first;
    if (state_q == Pick) lane_q <= lowest;
    visit_q <= state_q == Pick ? 2'd0 : state_q == Write ? visit_q + 1'b1 : visit_q;
    at_q    <= state_q == Clear || state_q == Count ? at_q + 1'b1 : 3'd0;
    wait_q  <= state_q == Part && wait_q != 6'(PartCycles) ? wait_q + 1'b1 : 6'd0;
    part_q  <= state_q != Part ? 2'd0 : part_q + 2'(wait_q == 6'(PartCycles));
  end

  // ---- operands ----------------------------------------------------------------------------------------------
  (* ram_style = "block" *) logic [63:0] operand [0:4*Warp-1];
  logic                put_q;
  logic [LaneBits+1:0] put_at_q;
  logic [63:0]         put_data_q, read_q, b_q, c_q;
  logic [Lanes*64-1:0] put_words;
  logic [PutBits-1:0]  put_lane;

  assign put_lane = put_lane_i[PutBits-1:0];
  always_comb begin
    put_words = 'x;
    if (put_valid_i) begin
      for (int l = 0; l < Lanes; l++) begin
        case (put_word_i)
          2'd0:    put_words[l*64 +: 64] = beat_b_i[l*128 +: 64];
          2'd3:    put_words[l*64 +: 64] = beat_c_i[l*64 +: 64];
          default: put_words[l*64 +: 64] = beat_b_i[l*128 + 64 +: 64];
        endcase
      end
    end
  end
  always_ff @(posedge clk_i) begin
    put_q      <= put_valid_i;
    put_at_q   <= {put_lane_i, put_word_i};
    put_data_q <= put_words[{put_lane, 6'd0} +: 64];
    // written or read: both in one cycle would cost a register beside the RAM
    if (put_q) operand[put_at_q] <= put_data_q;
    else read_q <= operand[{lane_q, half, state_q == Take}];
    if (state_q == Take) b_q <= read_q;
    if (state_q == Look) c_q <= read_q;
  end
  assign lane_o = lane_q;

  // ---- the pair of words -----------------------------------------------------------------------------------------
  logic [4:0]   place_q;
  logic [1:0]   pair_at;
  logic [3:0]   changed_q;                       // pairs changed since old_i
  logic [31:0]  mask_q;
  logic [255:0] work_q;
  logic [63:0]  pair, old_q, made, spread, value;
  logic [7:0]   bytes;
  logic         equal, equal_q, stores;

  assign pair_at = {place_q[4], sixteen ? half : place_q[3]};
  assign pair    = changed_q[pair_at] ? work_q[{pair_at, 6'd0} +: 64] : old_i[{pair_at, 6'd0} +: 64];
  always_ff @(posedge clk_i) begin
    if (state_q == Take) place_q <= place_i;
    if (state_q == Look) old_q <= {pair[63:32], size < 3'd3 && place_q[2] ? pair[63:32] : pair[31:0]};
  end

  pair_alu u_alu (
    .clk_i, .op_i(store ? 4'd8 : op), .type_i(kind_type), .signed_i(is_signed), .cas_i(cas), .wide_i(size[2] || size == 3'd3),
    .old_i(old_q), .b_i(b_q), .c_i(c_q), .next_i(state_q == Part && wait_q == '0),
    .whole_i(state_q == Whole), .part_i(state_q == Part && wait_q == 6'(PartCycles)),
    .part_at_i(part_q), .parts_o(parts), .equal_o(equal), .new_o(made)
  );

  // Of 16 bytes the upper half of a compare decides for both.
  assign stores = !load && (!cas || (equal_q && !(sixteen && visit_q == 2'd0)));
  always_ff @(posedge clk_i) begin
    if (state_q == Pick) equal_q <= 1'b1;
    else if (state_q == Whole && visit_q != 2'd2) equal_q <= equal_q && equal;
  end

  always_comb begin
    spread = made;
    bytes  = 8'hff;
    case (size)
      3'd0: {spread, bytes} = {{8{made[7:0]}}, 8'd1 << place_q[2:0]};
      3'd1: {spread, bytes} = {{4{made[15:0]}}, 8'd3 << {place_q[2:1], 1'b0}};
      3'd2: {spread, bytes} = {{2{made[31:0]}}, place_q[2] ? 8'hf0 : 8'h0f};
      default: ;
    endcase
    if (state_q == Write) begin
      for (int i = 0; i < 8; i++) if (!bytes[i]) spread[i*8 +: 8] = pair[i*8 +: 8];
    end
  end
  for (genvar p = 0; p < 4; p++) begin : gen_pair
    logic we;
    assign we = state_q == Write && stores && pair_at == 2'(p);
    always_ff @(posedge clk_i) begin
      if (state_q == Idle) changed_q[p] <= 1'b0;
      else if (we) changed_q[p] <= 1'b1;
      if (state_q == Clear) mask_q[p*8 +: 8] <= '0;
      else if (we) mask_q[p*8 +: 8] <= mask_q[p*8 +: 8] | bytes;
      if (we) work_q[p*64 +: 64] <= spread;
    end
  end
  assign mask_o = mask_q;
  assign new_o  = work_q;

  // ---- result of the lane --------------------------------------------------------------------------------------
  logic [31:0] low;
  always_comb begin
    low   = old_q[31:0];
    if (size < 3'd2) low = low >> {place_q[1:0], 3'd0};
    value = {32'd0, low};
    case (size)
      3'd0: value[31:0] = {{24{is_signed && low[7]}}, low[7:0]};
      3'd1: value[31:0] = {{16{is_signed && low[15]}}, low[15:0]};
      3'd2: ;
      default: value[63:32] = old_q[63:32];
    endcase
  end
  assign result_we_o = (state_q == Write && !visit_q[1]) || (state_q == Told && cast) || (state_q == Upper && !(sixteen && !cast));
  assign result_at_o = {lane_q, state_q == Write ? half : state_q == Upper};
  assign result_o    = state_q == Write ? value : {63'd0, state_q == Told && equal_q};

  // ---- passes ----------------------------------------------------------------------------------------------------
  // A round over the words is a pass: each word loses one lane. A round without a lane is the last round.
  logic [5:0] count [0:7];
  logic [5:0] lanes;
  logic [2:0] word, count_at;
  logic [3:0] served_q;
  logic       some;

  assign word     = {place_q[4], place_q[3] && !sixteen, place_q[2] && size < 3'd3};
  assign count_at = state_q == Look ? word : at_q;
  assign lanes    = count[count_at];
  assign some     = state_q == Count && lanes != '0 && !(is_float && served_q == 4'(FpLanes));
  always_ff @(posedge clk_i) begin
    if (state_q == Clear || (state_q == Look && visit_q == '0) || some) begin
      count[count_at] <= state_q == Clear ? 6'd0 : some ? lanes - 1'b1 : lanes + 1'b1;
    end
    any_q    <= state_q == Count && !(&at_q) && (any_q || some);
    served_q <= state_q == Count && !(&at_q) ? served_q + 4'(some) : 4'd0;
  end
  assign pass_o = !run_again_i && (load ? state_q == Last : state_q == Count && &at_q && (any_q || some));
  assign last_o = state_q == Last;

  logic unused;
  assign unused = ^put_lane_i;
endmodule
`default_nettype wire
