// SPDX-License-Identifier: Apache-2.0
// The passes of atom_unit over one sector after the other, one pass a cycle. A pass takes the lowest pending lane of
// every word (group of words), so lanes on one word follow each other in lane order.
//
//   P  the lanes of the pass; their operands
//   X  read-modify-write on the sector; results of the lanes. With FpStages = 2 a float pass stands here for two cycles
//
// Loads have one pass for all lanes. Floats take at most FpLanes lanes in a pass, from the lowest words. A sector may
// be passed again on newer data: a pass leaves nothing behind but results, and the results are written again.
//
// With `Combine` a pass takes in the words of the `Combine` lowest lanes all lanes with the address of the lowest lane:
// stores, and foldable integers of 32 and 64 bits (sector_combine).
`default_nettype none

module sector_pass #(
  parameter int Lanes    = 32,                   // of a beat
  parameter int Warp     = 32,                   // of a request
  parameter int SlotBits = 2,
  parameter int IdBits   = 3,
  parameter int CtlBits  = 15,
  parameter int FpStages = 1,
  parameter int FpLanes  = 4,
  parameter int Combine  = 0,                    // words of a pass that take all lanes: 0, 1, 2
  parameter int Beats    = Warp / Lanes,         // derived, do not override, like all below
  parameter int BeatBits = Beats > 1 ? $clog2(Beats) : 1,
  parameter int LaneBits = $clog2(Warp)
) (
  input  logic                 clk_i,
  input  logic                 rst_i,

  // operands of arriving beats
  input  logic                 beat_we_i,
  input  logic [SlotBits-1:0]  beat_slot_i,
  input  logic [BeatBits-1:0]  beat_index_i,
  input  logic [Lanes*128-1:0] beat_b_i,
  input  logic [Lanes*128-1:0] beat_c_i,

  // a sector; taken when ready
  input  logic                 run_valid_i,
  output logic                 run_ready_o,
  input  logic [IdBits-1:0]    run_id_i,
  input  logic [SlotBits-1:0]  run_slot_i,
  input  logic [Warp-1:0]      run_lanes_i,
  input  logic                 run_again_i,
  input  logic [CtlBits-1:0]   run_ctl_i,        // {load, store, cas, cast, signed, size, type, op}
  input  logic [5*Warp-1:0]    run_offset_i,

  // X
  output logic [IdBits-1:0]    id_o,
  input  logic [255:0]         old_i,            // the sector of id_o
  output logic                 pass_o,           // a counted pass
  output logic [SlotBits-1:0]  slot_o,
  output logic                 last_o,           // last pass of the sector: the bytes
  output logic [31:0]          mask_o,           // ... written
  output logic [255:0]         new_o,
  output logic [Warp-1:0]      result_we_o,
  output logic [Warp*128-1:0]  result_o,
  output logic                 idle_o
);
  // Bit k of the number of each lane.
  function automatic logic [LaneBits*Warp-1:0] number_planes();
    for (int k = 0; k < LaneBits; k++) for (int l = 0; l < Warp; l++) number_planes[k*Warp + l] = l[k];
  endfunction
  localparam logic [LaneBits*Warp-1:0] Number = number_planes();

  // ---- P -----------------------------------------------------------------------------------------------------
  logic                p_valid_q, p_first_q, p_again_q, p_load, p_store, p_cas, p_cast, p_signed, p_go, p_last, hold, start;
  logic [IdBits-1:0]   p_id_q;
  logic [SlotBits-1:0] p_slot_q;
  logic [Warp-1:0]     p_pending_q, p_lanes, first, on;
  logic [CtlBits-1:0]  p_ctl_q;
  logic [5*Warp-1:0]   p_offset_q;
  logic [Warp*128-1:0] p_b_q, p_c_q;
  logic [2:0]          p_size, p_type;
  logic [3:0]          p_op;
  logic                p_float, p_combines;
  logic [Warp-1:0]     p_with;                   // lanes of words that take all lanes

  assign {p_load, p_store, p_cas, p_cast, p_signed, p_size, p_type, p_op} = p_ctl_q;
  assign p_float     = p_type != '0;
  assign p_go        = p_valid_q && !hold;
  assign run_ready_o = !p_valid_q || (p_go && p_last);
  assign start       = run_valid_i && run_ready_o;

  always_ff @(posedge clk_i) begin
    if (rst_i) p_valid_q <= 1'b0;
    else p_valid_q <= start || (p_valid_q && !(p_go && p_last));
  end
  always_ff @(posedge clk_i) begin
    if (start) begin
      p_id_q      <= run_id_i;
      p_slot_q    <= run_slot_i;
      p_again_q   <= run_again_i;
      p_pending_q <= run_lanes_i;
      p_ctl_q     <= run_ctl_i;
      p_offset_q  <= run_offset_i;
      p_first_q   <= 1'b1;
    end else if (p_go) begin
      p_pending_q <= p_pending_q & ~p_lanes;
      p_first_q   <= 1'b0;
    end
  end

  // Operands of a slot: a RAM for each beat, read with the start.
  for (genvar k = 0; k < Beats; k++) begin : gen_beat
    logic [Lanes*128-1:0] b [0:(1 << SlotBits)-1];
    logic [Lanes*128-1:0] c [0:(1 << SlotBits)-1];
    always_ff @(posedge clk_i) begin
      if (beat_we_i && (Beats == 1 || beat_index_i == BeatBits'(k))) begin
        b[beat_slot_i] <= beat_b_i;
        c[beat_slot_i] <= beat_c_i;
      end
      if (start) begin
        if (!run_ctl_i[CtlBits-1]) p_b_q[k*Lanes*128 +: Lanes*128] <= b[run_slot_i];
        if (run_ctl_i[CtlBits-3]) p_c_q[k*Lanes*128 +: Lanes*128] <= c[run_slot_i];
      end
    end
  end

  logic [7:0]            lead, taken, p_word_en; // leads; leads with a lane in the pass; words of such groups
  logic [8*LaneBits-1:0] win;
  logic [LaneBits-1:0]  lane;
  logic [2:0]           word;
  logic [4:0]           shift;
  logic [31:0]          p_bytes;
  logic [255:0]         p_b, p_c;
  logic [31:0]          count;

  localparam logic [3:0] OpInc = 4'd3, OpDec = 4'd4;
  assign p_combines = Combine > 0 && p_valid_q && (p_store || (!p_load && !p_cas && !p_float && p_op != OpInc && p_op != OpDec &&
                      (p_size == 3'd2 || p_size == 3'd3)));

  always_comb begin
    {p_lanes, first, on, taken, p_word_en} = '0;
    {win, lane, word, shift, p_bytes, p_b, p_c} = 'x;
    lead  = p_size == 3'd4 ? 8'h11 : p_size == 3'd3 ? 8'h55 : 8'hff;
    count = '0;
    if (p_valid_q && p_load) begin
      p_lanes = p_pending_q;
    end else if (p_valid_q) begin
      for (int w = 0; w < 8; w++) begin
        if (lead[w]) begin
          on = p_pending_q & (w[2] ? p_offset_q[4*Warp +: Warp] : ~p_offset_q[4*Warp +: Warp]);
          if (p_size != 3'd4) on = on & (w[1] ? p_offset_q[3*Warp +: Warp] : ~p_offset_q[3*Warp +: Warp]);
          if (!p_size[2] && p_size != 3'd3) on = on & (w[0] ? p_offset_q[2*Warp +: Warp] : ~p_offset_q[2*Warp +: Warp]);
          first = on & (~on + 1'b1);
          if (on != '0 && !(p_float && count == FpLanes)) begin
            taken[w] = 1'b1;
            p_lanes  = p_lanes | first;
            // The last lane of a store stays; a fold gets another operand in X.
            if (Combine > 0 && (on & p_with) != '0) begin
              p_lanes = p_lanes | (on & p_with);
              for (int l = 0; l < Warp; l++) if (on[l] && p_with[l]) first = {{Warp-1{1'b0}}, 1'b1} << l;
            end
            for (int k = 0; k < LaneBits; k++) lane[k] = (first & Number[k*Warp +: Warp]) != '0;
            win[w*LaneBits +: LaneBits] = lane;
            count = count + 1;
          end
        end
      end
      for (int w = 0; w < 8; w++) begin
        word = p_size == 3'd4 ? w[2:0] & 3'd4 : p_size == 3'd3 ? w[2:0] & 3'd6 : w[2:0];
        if (taken[word]) begin
          lane  = win[word*LaneBits +: LaneBits];
          word  = w[2:0] - word;                 // of the operand
          shift = {p_offset_q[Warp + 32'(lane)], p_offset_q[32'(lane)], 3'd0};
          p_word_en[w]        = 1'b1;
          p_b[w*32 +: 32]     = p_b_q[{lane, word[1:0], 5'd0} +: 32];
          p_c[w*32 +: 32]     = p_c_q[{lane, word[1:0], 5'd0} +: 32];
          p_bytes[w*4 +: 4]   = 4'hf;
          if (p_size < 3'd2) begin
            p_b[w*32 +: 32]   = p_b[w*32 +: 32] << shift;
            p_bytes[w*4 +: 4] = (p_size[0] ? 4'd3 : 4'd1) << shift[4:3];
          end
        end
      end
    end
  end
  assign p_last = (p_pending_q & ~p_lanes) == '0;

  // ---- X -----------------------------------------------------------------------------------------------------
  logic                 x_valid_q, x_first_q, x_last_q, x_again_q, x_load, x_store, x_cas, x_cast, x_signed, second_q;
  logic [IdBits-1:0]    x_id_q;
  logic [SlotBits-1:0]  x_slot_q;
  logic [Warp-1:0]      x_lanes_q;
  logic [CtlBits-1:0]   x_ctl_q;
  logic [5*Warp-1:0]    x_offset_q;
  logic [7:0]           x_word_q, match;
  logic [31:0]          x_bytes_q, written_q, written;
  logic [255:0]         x_b_q, x_c_q, x_b, work_q, old, made, now;
  logic [Warp-1:0]      turn_we;                 // lanes combined with earlier lanes ...
  logic [Warp*64-1:0]   turn;                    // ... and the words left by the earlier lanes
  logic [2:0]           x_size, x_type;
  logic [3:0]           x_op;

  assign {x_load, x_store, x_cas, x_cast, x_signed, x_size, x_type, x_op} = x_ctl_q;
  assign hold = FpStages == 2 && x_valid_q && x_type != '0 && !second_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      x_valid_q <= 1'b0;
      second_q  <= 1'b0;
    end else begin
      x_valid_q <= p_valid_q || hold;
      second_q  <= hold;
    end
  end
  always_ff @(posedge clk_i) begin
    if (p_go) begin
      x_first_q    <= p_first_q;
      x_last_q     <= p_last;
      x_again_q    <= p_again_q;
      x_id_q       <= p_id_q;
      x_slot_q     <= p_slot_q;
      x_lanes_q    <= p_lanes;
      x_ctl_q      <= p_ctl_q;
      x_offset_q   <= p_offset_q;
      x_word_q     <= p_word_en;
      x_bytes_q    <= p_bytes;
      x_b_q        <= p_b;
      x_c_q        <= p_c;
    end
  end

  assign id_o = x_id_q;
  assign old  = x_first_q ? old_i : work_q;

  if (Combine > 0) begin : gen_combine
    logic [7:0]   fold_we;
    logic [255:0] fold;
    sector_combine #(.Warp(Warp), .Combine(Combine)) u_combine (
      .clk_i, .rst_i, .valid_i(p_combines), .go_i(!hold), .store_i(p_store), .op_i(p_op), .signed_i(p_signed), .size_i(p_size),
      .pending_i(p_pending_q), .offset_i(p_offset_q), .b_i(p_b_q), .with_o(p_with), .old_i(old), .fold_we_o(fold_we),
      .fold_o(fold), .turn_we_o(turn_we), .turn_o(turn)
    );
    always_comb begin
      x_b = x_b_q;
      if (fold_we != '0) for (int w = 0; w < 8; w++) if (fold_we[w]) x_b[w*32 +: 32] = fold[w*32 +: 32];
    end
  end else begin : gen_apart
    assign p_with  = '0;
    assign x_b     = x_b_q;
    assign turn_we = '0;
    assign turn    = 'x;
  end

  sector_alu #(.FpStages(FpStages)) u_alu (
    .clk_i, .valid_i(x_valid_q && !x_load), .op_i(x_store ? 4'd8 : x_op), .type_i(x_store || x_cas ? 3'd0 : x_type),
    .signed_i(x_signed), .cas_i(x_cas), .size_i(x_size), .old_i(old), .b_i(x_b), .c_i(x_c_q), .new_o(made), .match_o(match)
  );

  always_comb begin
    now     = 'x;
    written = 'x;
    if (x_valid_q) begin
      now     = old;
      written = x_first_q ? '0 : written_q;
      for (int w = 0; w < 8; w++) begin
        if (x_word_q[w] && !(x_cas && !match[w])) begin
          for (int i = 0; i < 4; i++) begin
            if (x_bytes_q[w*4 + i]) now[w*32 + i*8 +: 8] = made[w*32 + i*8 +: 8];
          end
          written[w*4 +: 4] = written[w*4 +: 4] | x_bytes_q[w*4 +: 4];
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (x_valid_q && !hold) begin
      work_q    <= now;
      written_q <= written;
    end
  end

  // Results of the lanes: the word before the turn of the lane, or whether the lane has stored.
  logic [2:0]  at;
  logic [31:0] low;
  always_comb begin
    result_o    = 'x;
    result_we_o = '0;
    at          = 'x;
    low         = 'x;
    if (x_valid_q && !hold && !x_store) begin
      for (int l = 0; l < Warp; l++) begin
        if (x_lanes_q[l]) begin
          at  = {x_offset_q[4*Warp + l], x_offset_q[3*Warp + l], x_offset_q[2*Warp + l]};
          low = old[{at, 5'd0} +: 32];
          if (x_size < 3'd2) low = low >> {x_offset_q[Warp + l], x_offset_q[l], 3'd0};
          case (x_size)
            3'd0: low = {{24{x_signed && low[7]}}, low[7:0]};
            3'd1: low = {{16{x_signed && low[15]}}, low[15:0]};
            default: ;
          endcase
          if (turn_we[l]) low = turn[l*64 +: 32];
          if (x_cast) low = {31'd0, match[at]};
          result_we_o[l]            = 1'b1;
          result_o[l*128 +: 128]    = {96'd0, low};
          if (x_size >= 3'd3 && !x_cast) result_o[l*128 + 32 +: 32] = turn_we[l] ? turn[l*64 + 32 +: 32] : old[{at[2:1], 6'd32} +: 32];
          if (x_size == 3'd4 && !x_cast) result_o[l*128 + 64 +: 64] = old[{at[2], 7'd64} +: 64];
        end
      end
    end
  end

  assign pass_o = x_valid_q && !hold && !x_again_q;
  assign slot_o = x_slot_q;
  assign last_o = x_valid_q && !hold && x_last_q;
  assign mask_o = written;
  assign new_o  = now;
  assign idle_o = !p_valid_q && !x_valid_q;

  logic unused;
  assign unused = ^{p_store, p_cas, p_cast, p_signed, p_op, p_combines};
endmodule
`default_nettype wire
