// SPDX-License-Identifier: Apache-2.0
// Sectors of atom_unit in flight: an id of the memory port for each sector, with data and the next step.
//
//   load            read ─► COMMIT ─► passes
//   plain store     passes ─► write ─► COMMIT
//   others          read ─► passes ─► conditional write ─► COMMIT, or not: passes on the newer data, and again
//
// Accesses of one sector stay in the order of arrival. Without `Chain` a sector in flight is not taken again, and all
// sectors behind wait too. With `Chain` the sector is taken into an id that waits for the previous id of the sector. So
// each sector has a chain of ids, and only the first id of a chain deals with memory.
//
// A conditional write that succeeds tells the id what the sector holds. If another sector of kind "others" waits next in
// the chain, the id keeps the content and serves that sector too: passes at once, no read. The waiting id is free.
//
// Absent halves of a sector take lanes out (`range_o`); passes are done for all lanes. A sector above 48 address bits
// makes no request: both halves are absent.
`include "assert.vh"
`default_nettype none

module sector_ids #(
  parameter int Ids      = 8,                    // 2..256, a power of two
  parameter bit Chain    = Ids > 16,             // sectors wait behind an id, not in front of all ids
  parameter int Warp     = 32,
  parameter int SlotBits = 2,
  parameter int Bytes    = 32,                   // of a sector
  parameter int IdBits   = $clog2(Ids),          // derived, do not override
  parameter int PortBits = IdBits > 4 ? IdBits : 4,  // derived
  parameter int Slots    = 1 << SlotBits,        // derived
  parameter int Bits     = 8 * Bytes             // derived
) (
  input  logic                clk_i,
  input  logic                rst_i,

  // arriving sectors
  input  logic                sector_valid_i,
  output logic                sector_ready_o,
  input  logic [58:0]         sector_i,
  input  logic [SlotBits-1:0] sector_slot_i,
  input  logic [Warp-1:0]     sector_lanes_i,
  input  logic [Warp-1:0]     sector_upper_i,    // lanes in the upper half
  input  logic                sector_load_i,
  input  logic                sector_store_i,

  // memory
  output logic                req_valid_o,
  input  logic                req_ready_i,
  output logic [PortBits-1:0] req_id_o,
  output logic                req_write_o,
  output logic                req_cond_o,
  output logic [42:0]         req_addr_o,
  output logic [Bytes-1:0]    req_mask_o,
  output logic [Bits-1:0]     req_data_o,
  output logic [SlotBits-1:0] req_slot_o,        // slot of the request
  input  logic                rsp_valid_i,
  input  logic [PortBits-1:0] rsp_id_i,
  input  logic                rsp_ok_i,
  input  logic [1:0]          rsp_halves_i,
  input  logic [Bits-1:0]     rsp_data_i,

  // passes
  output logic                run_valid_o,
  input  logic                run_ready_i,
  output logic [IdBits-1:0]   run_id_o,
  output logic [SlotBits-1:0] run_slot_o,
  output logic [Warp-1:0]     run_lanes_o,
  output logic                run_again_o,
  input  logic [IdBits-1:0]   pass_id_i,
  output logic [Bits-1:0]     old_o,             // of the sector in the passes
  input  logic                last_i,            // the last pass is done
  input  logic [Bytes-1:0]    mask_i,
  input  logic [Bits-1:0]     new_i,

  output logic [Slots-1:0]    active_o,          // slots with a sector here

  // events
  output logic                range_o,           // lanes in absent halves
  output logic [SlotBits-1:0] range_slot_o,
  output logic [Warp-1:0]     range_lanes_o,
  output logic                commit_o,
  output logic [SlotBits-1:0] commit_slot_o,
  output logic [Warp-1:0]     commit_lanes_o,
  output logic [42:0]         commit_sector_o,
  output logic [Bytes-1:0]    commit_mask_o,
  output logic                commit_has_old_o,
  output logic [Bits-1:0]     commit_old_o,
  output logic [Bits-1:0]     commit_new_o
);
  localparam int KeyBits = 59 + 2 * Warp + SlotBits + 2;

  if (Ids < 2 || Ids > 256 || (Ids & (Ids - 1)) != 0) begin : gen_bad_ids
    ids_must_be_a_power_of_two_from_2_to_256 u_bad ();
  end

  logic [Ids-1:0]          used_q;               // in flight
  logic [Ids-1:0]          ask_q;                // has a request for memory: a write ...
  logic [Ids-1:0]          put_q;                // ... when this bit says so, which stays until the answer
  logic [Ids-1:0]          run_q;                // passes are due
  logic [Ids-1:0]          again_q;              // passes were done already
  logic [Ids-1:0]          load_q, store_q;
  logic [Ids*59-1:0]       sector_q;
  logic [Ids*SlotBits-1:0] slot_q;
  logic [Ids*2-1:0]        halves_q;
  logic [KeyBits-1:0]      key [0:Ids-1];        // {sector, lanes, upper, slot, load, store}
  logic [Bits-1:0]         data [0:Ids-1];       // as read from memory
  logic [Bytes+Bits-1:0]   made [0:Ids-1];       // {mask, data} after the passes

  // ---- a sector comes ----------------------------------------------------------------------------------------
  logic              clash, far, take;
  logic [IdBits-1:0] into;
  logic [Ids-1:0]    tail_q;                     // the last id of a sector

  always_comb begin
    clash = 1'b0;
    into  = '0;
    if (sector_valid_i) begin
      for (int i = Ids - 1; i >= 0; i--) begin
        if (!used_q[i]) into = i[IdBits-1:0];
        if (used_q[i] && sector_q[i*59 +: 59] == sector_i) clash = 1'b1;
      end
    end
  end
  assign far            = sector_i[58:43] != '0;
  // A sector beyond memory makes `range_o` in the place of an answer.
  assign sector_ready_o = used_q != '1 && (Chain || !clash) && !(far && rsp_valid_i) && !keeps;
  assign take           = sector_valid_i && sector_ready_o;

  // Ids leaving in this cycle, one with an answer and one with the last pass, and the id waiting behind each.
  logic              ends_answer, ends_passes;   // an id leaves in this cycle,
  logic              next_answer, next_passes;   // another id waits behind
  logic              behind;                     // the arriving sector waits
  logic              after_answer_runs, after_passes_run;  // the next id begins with passes, else with a read
  logic [IdBits-1:0] after_answer, after_passes;
  logic              keeps;                      // the id of the answer serves the next of its chain; no sector is taken

  // ---- requests to memory ------------------------------------------------------------------------------------
  // Round robin over the ids with a request; the request is held in registers until taken.
  logic              req_valid_q, send;
  logic [IdBits-1:0] asks, asked_q, runs, ran_q;
  logic [Bytes+Bits+44+PortBits:0] req_q;

  function automatic logic [IdBits-1:0] next_of(input logic [Ids-1:0] who, input logic [IdBits-1:0] after);
    logic [Ids-1:0] later;
    later   = who & ~(({{Ids-1{1'b0}}, 1'b1} << after) | (({{Ids-1{1'b0}}, 1'b1} << after) - 1'b1));
    next_of = '0;
    for (int i = Ids - 1; i >= 0; i--) begin
      if (later != '0 ? later[i] : who[i]) next_of = i[IdBits-1:0];
    end
  endfunction

  always_comb begin
    asks = '0;
    runs = '0;
    if (ask_q != '0) asks = next_of(ask_q, asked_q);
    if (run_q != '0) runs = next_of(run_q, ran_q);
  end
  assign send = ask_q != '0 && (!req_valid_q || req_ready_i);
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      req_valid_q <= 1'b0;
      asked_q     <= '0;
      ran_q       <= '0;
    end else begin
      req_valid_q <= send || (req_valid_q && !req_ready_i);
      if (send) asked_q <= asks;
      if (run_valid_o && run_ready_i) ran_q <= runs;
    end
  end
  always_ff @(posedge clk_i) begin
    if (send) req_slot_o <= slot_q[asks*SlotBits +: SlotBits];
    if (send) req_q <= {PortBits'(asks), sector_q[asks*59 +: 43], put_q[asks] ? made[asks] : {Bytes+Bits{1'b0}}, put_q[asks] && !store_q[asks], put_q[asks]};
  end
  assign {req_id_o, req_addr_o, req_mask_o, req_data_o, req_cond_o, req_write_o} = req_q;
  assign req_valid_o = req_valid_q;

  // ---- passes --------------------------------------------------------------------------------------------------
  logic [KeyBits-1:0]  run_key;
  logic [Warp-1:0]     run_upper;
  logic                run_load, run_store;

  assign run_valid_o = run_q != '0;
  assign run_id_o    = runs;
  assign run_again_o = again_q[runs];
  assign run_key     = key[runs];
  assign old_o       = data[pass_id_i];
  logic [58:0] run_sector;
  assign {run_sector, run_lanes_o, run_upper, run_slot_o, run_load, run_store} = run_key;

  // ---- answers -------------------------------------------------------------------------------------------------
  logic [IdBits-1:0]   rsp_id;
  logic [58:0]         rsp_sector;
  logic [Warp-1:0]     rsp_lanes, rsp_upper, here, gone;
  logic [SlotBits-1:0] rsp_slot;
  logic                rsp_load, rsp_store, rsp_put;
  logic [Bytes+Bits-1:0] rsp_made;
  logic [Bits-1:0]     rsp_now;                  // the sector after a conditional write that succeeded

  assign rsp_id  = rsp_id_i[IdBits-1:0];
  assign rsp_put = put_q[rsp_id];
  always_comb begin
    {rsp_sector, rsp_lanes, rsp_upper, rsp_slot, rsp_load, rsp_store, rsp_made, rsp_now, here, gone} = 'x;
    {commit_slot_o, commit_lanes_o, commit_sector_o, commit_mask_o, commit_has_old_o, commit_old_o, commit_new_o} = 'x;
    {range_o, range_slot_o, range_lanes_o} = {1'b0, {SlotBits + Warp{1'bx}}};
    commit_o = 1'b0;
    if (rsp_valid_i) begin
      {rsp_sector, rsp_lanes, rsp_upper, rsp_slot, rsp_load, rsp_store} = key[rsp_id];
      rsp_made         = made[rsp_id];
      for (int i = 0; i < Bytes; i++) rsp_now[i*8 +: 8] = rsp_made[Bits + i] ? rsp_made[i*8 +: 8] : data[rsp_id][i*8 +: 8];
      here             = rsp_lanes & ((rsp_upper & {Warp{rsp_halves_i[1]}}) | (~rsp_upper & {Warp{rsp_halves_i[0]}}));
      gone             = rsp_lanes & ~here;
      range_o          = (rsp_store || !rsp_put) && gone != '0;
      range_slot_o     = rsp_slot;
      range_lanes_o    = gone;
      commit_o         = (rsp_load || (rsp_put && rsp_ok_i)) && here != '0;
      commit_slot_o    = rsp_slot;
      commit_lanes_o   = here;
      commit_sector_o  = rsp_sector[42:0];
      commit_mask_o    = rsp_load ? '0 : rsp_made[Bits +: Bytes] & {{Bytes/2{rsp_halves_i[1]}}, {Bytes/2{rsp_halves_i[0]}}};
      commit_has_old_o = !rsp_store;
      commit_old_o     = rsp_load ? rsp_data_i : data[rsp_id];
      commit_new_o     = rsp_made[Bits-1:0];
    end else if (take && far) begin
      {range_o, range_slot_o, range_lanes_o} = {1'b1, sector_slot_i, sector_lanes_i};
    end
  end

  // ---- state -----------------------------------------------------------------------------------------------------
  logic [Bytes-1:0] there;                       // present bytes of the sector in the passes
  logic        to_write;
  assign there    = {{Bytes/2{halves_q[{pass_id_i, 1'b1}]}}, {Bytes/2{halves_q[{pass_id_i, 1'b0}]}}};
  assign to_write = !load_q[pass_id_i] && halves_q[{pass_id_i, 1'b0} +: 2] != '0;

  assign ends_answer = rsp_valid_i && (rsp_store || (rsp_put && rsp_ok_i));
  assign ends_passes = last_i && !to_write;

  if (Chain) begin : gen_chain
    logic [Ids*IdBits-1:0] next_q;               // the id waiting behind each id but the last
    logic [IdBits-1:0] tail;
    logic [Ids-1:0]    reads_q;                  // begins with a read
    logic              leaves;
    always_comb begin
      tail = '0;
      if (clash) for (int i = 0; i < Ids; i++) if (used_q[i] && tail_q[i] && sector_q[i*59 +: 59] == sector_i) tail = i[IdBits-1:0];
    end
    assign leaves            = (ends_answer && rsp_id == tail) || (ends_passes && pass_id_i == tail);
    assign behind            = clash && !leaves;
    assign next_answer       = ends_answer && !tail_q[rsp_id];
    assign next_passes       = ends_passes && !tail_q[pass_id_i];
    assign after_answer      = next_q[rsp_id*IdBits +: IdBits];
    assign after_passes      = next_q[pass_id_i*IdBits +: IdBits];
    assign after_answer_runs = !reads_q[after_answer];
    assign after_passes_run  = !reads_q[after_passes];
    // Lanes in an absent half learn so from a read: a sector with such a half is read again.
    assign keeps = rsp_valid_i && rsp_put && rsp_ok_i && !store_q[rsp_id] && !tail_q[rsp_id] && rsp_halves_i == 2'b11 && !after_answer_runs && !load_q[after_answer];
    always_ff @(posedge clk_i) begin
      if (keeps) begin
        tail_q[rsp_id] <= tail_q[after_answer];
        next_q[rsp_id*IdBits +: IdBits] <= next_q[after_answer*IdBits +: IdBits];
      end
      if (take) begin
        tail_q[into]  <= 1'b1;
        reads_q[into] <= !far && !sector_store_i;
        if (behind) begin
          tail_q[tail] <= 1'b0;
          next_q[tail*IdBits +: IdBits] <= into;
        end
      end
    end
  end else begin : gen_alone
    assign {behind, next_answer, next_passes, after_answer_runs, after_passes_run, keeps} = '0;
    assign after_answer = 'x;
    assign after_passes = 'x;
    assign tail_q       = '1;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      used_q <= '0;
      ask_q  <= '0;
      run_q  <= '0;
    end else begin
      if (take) begin
        used_q[into] <= 1'b1;
        if (behind) ;
        else if (far || sector_store_i) run_q[into] <= 1'b1;
        else ask_q[into] <= 1'b1;
      end
      if (next_answer && after_answer_runs) run_q[after_answer] <= 1'b1;
      if (next_answer && !after_answer_runs && !keeps) ask_q[after_answer] <= 1'b1;
      if (next_passes && after_passes_run) run_q[after_passes] <= 1'b1;
      if (next_passes && !after_passes_run) ask_q[after_passes] <= 1'b1;
      if (send) ask_q[asks] <= 1'b0;
      if (run_valid_o && run_ready_i) run_q[runs] <= 1'b0;
      if (last_i && to_write) ask_q[pass_id_i] <= 1'b1;
      if (ends_passes) used_q[pass_id_i] <= 1'b0;
      if (ends_answer) used_q[keeps ? after_answer : rsp_id] <= 1'b0;
      if (rsp_valid_i && (keeps || !ends_answer)) run_q[rsp_id] <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      key[into]                          <= {sector_i, sector_lanes_i, sector_upper_i, sector_slot_i, sector_load_i, sector_store_i};
      sector_q[into*59 +: 59]            <= sector_i;
      slot_q[into*SlotBits +: SlotBits]  <= sector_slot_i;
      load_q[into]                       <= sector_load_i;
      store_q[into]                      <= sector_store_i;
      halves_q[into*2 +: 2]              <= {2{sector_store_i && !far}};  // a plain store's answer brings the halves
      again_q[into]                      <= 1'b0;
      put_q[into]                        <= 1'b0;
    end
    if (keeps) begin
      key[rsp_id]                         <= key[after_answer];
      slot_q[rsp_id*SlotBits +: SlotBits] <= slot_q[after_answer*SlotBits +: SlotBits];
      again_q[rsp_id]                     <= 1'b0;
      put_q[rsp_id]                       <= 1'b0;
    end
    if (rsp_valid_i) begin
      data[rsp_id]            <= keeps ? rsp_now : rsp_data_i;
      halves_q[rsp_id*2 +: 2] <= rsp_halves_i;
    end
    if (last_i) begin
      made[pass_id_i]    <= {mask_i & there, new_i};
      again_q[pass_id_i] <= 1'b1;
      put_q[pass_id_i]   <= 1'b1;
    end
  end

  always_comb begin
    active_o = '0;
    if (used_q != '0) begin
      for (int i = 0; i < Ids; i++) if (used_q[i]) active_o[slot_q[i*SlotBits +: SlotBits]] = 1'b1;
    end
  end

  logic unused;
  assign unused = ^{run_sector, run_upper, run_load, run_store, rsp_id_i, rsp_sector, tail_q, after_answer, after_passes};

  `ASSERT(AnswersWhatWasAsked_A, !rsp_valid_i || (used_q[rsp_id] && !ask_q[rsp_id] && !run_q[rsp_id]))
endmodule
`default_nettype wire
