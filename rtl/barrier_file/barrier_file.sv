// SPDX-License-Identifier: Apache-2.0
// Named barriers: `Barriers` for each of `Slots` CTAs, counted in whole warps.
//
// Every port takes a request in every cycle. Cycle 0, the head: the request is taken and the state of its barrier read.
// Cycle 1, the judgement: the request faults and changes nothing, or COMMITs. The arrival that completes a phase
// RELEASEs the waiting warps in this very cycle and leaves the barrier empty.
//
// A barrier's state is the sum of parts, a part for each port: only port p writes part p, and each port reads all
// parts. So the parts lie in RAMs of one write and one read port, and Ports arrivals go on together at any barriers. A
// part without a bit in `filled_q` is empty: so a phase ends, and a CTA starts, in one cycle.
//
// Arrivals of one cycle are judged lowest port first. An arrival is late if it would open the phase after a phase
// ending in this cycle. A late arrival waits, and arrivals never late so far yield to it. An arrival is also late if it
// would fault after another arrival has been counted at the barrier in this cycle: the FAULTs of a cycle come before
// the COMMITs.
//
// An EXIT counts in the cycle after being taken, before the arrivals of the cycle. One more cycle later the EXIT looks
// at the only barrier an EXIT can complete: all live warps must wait at this barrier, so no other barrier of the CTA
// has a shrinking phase.
`include "assert.vh"
`include "wl_config.vh"
`default_nettype none

module barrier_file #(
  parameter int Ports    = 1,                               // 1, 2, 4
  parameter int Warps    = 48,                              // 2..48, a multiple of Ports; warp w is on port w mod Ports
  parameter int Slots    = 16,                              // CTAs: 2..16, a power of two
  parameter int Barriers = 16,                              // of a CTA: 2..16, a power of two
  parameter int TagBits  = 22,
  parameter int WarpBits = $clog2(Warps),                   // derived, do not override
  parameter int SlotBits = $clog2(Slots),                   // derived, do not override
  parameter int IdBits   = $clog2(Barriers),                // derived, do not override
  parameter int NumBits  = $clog2(Warps + 1)                // derived, do not override: a number of warps
) (
  input  logic                      clk_i,
  input  logic                      rst_i,

  // CTA launch and end: both leave the slot's barriers empty
  input  logic                      cta_valid_i,
  input  logic [SlotBits-1:0]       cta_slot_i,
  input  logic                      cta_open_i,       // 0: the slot holds no CTA any more
  input  logic [NumBits-1:0]        cta_warps_i,      // warps launched

  // heads: a request of each port
  input  logic [Ports-1:0]          head_valid_i,
  output logic [Ports-1:0]          head_ready_o,
  input  logic [Ports*3-1:0]        head_kind_i,      // Sync .. Exit below
  input  logic [Ports*2-1:0]        head_form_i,      // {index in ra, count in rb}; both: ra = count << 16 | index
  input  logic [Ports*TagBits-1:0]  head_tag_i,
  input  logic [Ports*WarpBits-1:0] head_warp_i,
  input  logic [Ports*SlotBits-1:0] head_slot_i,
  input  logic [Ports*4-1:0]        head_id_i,        // index in the word
  input  logic [Ports*12-1:0]       head_count_i,     // threads in the word; 0: all of the CTA
  input  logic [Ports*32-1:0]       head_ra_i,
  input  logic [Ports*32-1:0]       head_rb_i,
  input  logic [Ports*32-1:0]       head_mask_i,      // live lanes of the warp
  input  logic [Ports*32-1:0]       head_pred_i,      // votes of a reduction

  // judgement
  output logic [Ports-1:0]          commit_o,         // arrival counted, or result read
  output logic [Ports-1:0]          park_o,           // with commit_o: the warp waits; RELEASE may be in this cycle
  output logic [Ports-1:0]          fault_o,
  output logic [Ports*6-1:0]        fault_code_o,
  output logic [Ports*TagBits-1:0]  judged_tag_o,
  output logic [Ports*32-1:0]       judged_mask_o,

  // RELEASE: a lane for each port, with disjoint warps; a phase without waiting warps ends without RELEASE
  output logic [Ports-1:0]          rel_valid_o,
  output logic [Ports*SlotBits-1:0] rel_slot_o,
  output logic [Ports*IdBits-1:0]   rel_id_o,
  output logic [Ports*Warps-1:0]    rel_warps_o,
  output logic [Ports*12-1:0]       rel_value_o,      // of a reduction, else 0

  // answers to requests without a wait: a fault, ARV, RESULT
  output logic [Ports-1:0]          rsp_valid_o,
  input  logic [Ports-1:0]          rsp_ready_i,
  output logic [Ports*TagBits-1:0]  rsp_tag_o,
  output logic [Ports*32-1:0]       rsp_mask_o,
  output logic [Ports*6-1:0]        rsp_fault_o,
  output logic [Ports*12-1:0]       rsp_value_o,

  // status: one barrier, answered in the cycle after being taken
  input  logic                      status_valid_i,
  output logic                      status_ready_o,   // a cycle without a request on port 0
  input  logic [SlotBits-1:0]       status_slot_i,
  input  logic [IdBits-1:0]         status_id_i,
  output logic                      status_valid_o,
  output logic [1:0]                status_mode_o,    // Plain .. Or below
  output logic                      status_counted_o, // an arrival of the phase gave a count
  output logic [NumBits-1:0]        status_expected_o,// 0: no phase is open
  output logic [NumBits-1:0]        status_arrived_o,
  output logic [Warps-1:0]          status_warps_o,   // warps arrived
  output logic [Warps-1:0]          status_waiting_o, // of these, warps waiting
  output logic [11:0]               status_votes_o,   // POPC: votes so far; AND: warps with a no; OR: warps with a yes

  output logic                      idle_o            // nothing in flight; warps may wait
);
  localparam int PortBits  = $clog2(Ports);
  localparam int PortWarps = Warps / Ports;
  localparam int NthBits   = PortWarps > 1 ? $clog2(PortWarps) : 1;
  localparam int Entries   = Slots * Barriers;
  localparam int AddrBits  = SlotBits + IdBits;
  localparam int VoteBits  = 12;

  // Kinds; 0 is Sync, and Status comes from the status port only.
  localparam logic [2:0] Arv = 3'd1, RedPopc = 3'd2, RedAnd = 3'd3, RedOr = 3'd4, Result = 3'd5, Exit = 3'd6,
                         Status = 3'd7;
  localparam logic [1:0] Plain = 2'd0, Popc = 2'd1, And = 2'd2, Or = 2'd3;

  // A part: {mode, counted, need, arrived, votes, waits, here}. need: warps, in a shrinking phase all launched warps.
  // counted: an arrival gave a count. here: warps arrived. waits: warps waiting, a subset of here. A phase is `filled`
  // (the phase is open) and the same fields. Warps stand by port in a phase: number n on port q at q * PortWarps + n.
  localparam int PartBits  = 3 + 2 * NumBits + VoteBits + 2 * PortWarps;
  localparam int PhaseBits = 4 + 2 * NumBits + VoteBits + 2 * Warps;
  localparam int WaitsAt = Warps, VotesAt = 2 * Warps, CountedAt = VotesAt + VoteBits + 2 * NumBits,    // in a phase
                 ModeAt = CountedAt + 1;

  if (Ports != 1 && Ports != 2 && Ports != 4) begin : gen_bad_ports
    ports_must_be_1_2_or_4 u_bad ();
  end
  if (Warps < 2 || Warps > 48 || Warps % Ports != 0) begin : gen_bad_warps
    warps_must_be_2_to_48_and_a_multiple_of_ports u_bad ();
  end
  if (Slots < 2 || Slots > 16 || (Slots & (Slots - 1)) != 0) begin : gen_bad_slots
    slots_must_be_2_4_8_or_16 u_bad ();
  end
  if (Barriers < 2 || Barriers > 16 || (Barriers & (Barriers - 1)) != 0) begin : gen_bad_barriers
    barriers_must_be_2_4_8_or_16 u_bad ();
  end

  // ---- head: operands, and checks without state ---------------------------------------------------------------
  logic [Ports-1:0]           take, done;
  logic [Ports-1:0]           valid_q, bad_id_q, bad_count_q, no_count_q;
  logic [Ports*3-1:0]         kind_q;
  logic [Ports*TagBits-1:0]   tag_q;
  logic [Ports*NthBits-1:0]   nth_q;      // the warp's number among the warps of the port
  logic [Ports*SlotBits-1:0]  slot_q;
  logic [Ports*IdBits-1:0]    id_q;
  // The same one-hot, a bit for each slot and barrier: a selection among hundreds of bits of state, too slow with
  // binary numbers.
  logic [Ports*Slots-1:0]     slot_hot_q;
  logic [Ports*Barriers-1:0]  id_hot_q;
  logic [Ports*NumBits-1:0]   count_q;    // given, in warps
  logic [Ports*VoteBits-1:0]  votes_q;
  logic [Ports*32-1:0]        mask_q;
  logic [Ports*IdBits-1:0]    head_id;    // index of the barrier to read
  logic                       take_status;

  assign head_ready_o   = rst_i ? '0 : ~valid_q | done;
  assign take           = head_valid_i & head_ready_o;
  assign status_ready_o = head_ready_o[0] && !head_valid_i[0];
  assign take_status    = status_valid_i && status_ready_o;

  for (genvar p = 0; p < Ports; p++) begin : gen_head
    logic [31:0]        index, threads;
    logic [5:0]         votes;
    logic [NthBits-1:0] nth;
    barrier_operands u_operands (
      .kind_i(head_kind_i[p*3 +: 3]), .form_i(head_form_i[p*2 +: 2]), .id_i(head_id_i[p*4 +: 4]),
      .count_i(head_count_i[p*12 +: 12]), .ra_i(head_ra_i[p*32 +: 32]), .rb_i(head_rb_i[p*32 +: 32]),
      .mask_i(head_mask_i[p*32 +: 32]), .pred_i(head_pred_i[p*32 +: 32]), .index_o(index), .threads_o(threads),
      .votes_o(votes)
    );
    assign head_id[p*IdBits +: IdBits] = index[IdBits-1:0];
    if (PortWarps > 1) begin : gen_nth
      assign nth = head_warp_i[p*WarpBits + PortBits +: NthBits];
    end else begin : gen_only
      assign nth = '0;
    end

    always_ff @(posedge clk_i) begin
      if (take[p]) begin
        kind_q[p*3 +: 3]                <= head_kind_i[p*3 +: 3];
        tag_q[p*TagBits +: TagBits]     <= head_tag_i[p*TagBits +: TagBits];
        nth_q[p*NthBits +: NthBits]     <= nth;
        slot_q[p*SlotBits +: SlotBits]  <= head_slot_i[p*SlotBits +: SlotBits];
        id_q[p*IdBits +: IdBits]        <= index[IdBits-1:0];
        slot_hot_q[p*Slots +: Slots]    <= Slots'(1) << head_slot_i[p*SlotBits +: SlotBits];
        id_hot_q[p*Barriers +: Barriers] <= Barriers'(1) << index[IdBits-1:0];
        bad_id_q[p]                     <= index[31:IdBits] != '0;
        no_count_q[p]                   <= threads == '0;
        bad_count_q[p]                  <= threads[4:0] != '0 || threads[31:5] > 27'(Warps);
        count_q[p*NumBits +: NumBits]   <= threads[5 +: NumBits];
        votes_q[p*VoteBits +: VoteBits] <= {{VoteBits-6{1'b0}}, votes};
        mask_q[p*32 +: 32]              <= head_mask_i[p*32 +: 32];
      end else if (p == 0 && take_status) begin
        kind_q[p*3 +: 3]                <= Status;
        slot_q[p*SlotBits +: SlotBits]  <= status_slot_i;
        id_q[p*IdBits +: IdBits]        <= status_id_i;
        slot_hot_q[p*Slots +: Slots]    <= Slots'(1) << status_slot_i;
        id_hot_q[p*Barriers +: Barriers] <= Barriers'(1) << status_id_i;
      end else if (leaves[p]) begin
        id_q[p*IdBits +: IdBits]        <= candidate[p*IdBits +: IdBits];
        id_hot_q[p*Barriers +: Barriers] <= Barriers'(1) << candidate[p*IdBits +: IdBits];
      end
    end
  end

  // ---- CTAs ----------------------------------------------------------------------------------------------------
  // Numbers of warps stand 8 bits apart: an index needs no multiplier.
  logic [Slots-1:0]         open_q;
  logic [Slots*8-1:0]       launched_q, live_q;
  logic [Ports-1:0]         here_open_q;           // of the CTA of each port's request
  logic [Ports*8-1:0]       here_launched_q;
  logic [Ports-1:0]         left_q;                // the EXIT in this port's register has lowered the live warps
  logic [Ports-1:0]         leaves;                // an EXIT does so in this cycle
  logic [Ports*8-1:0]       live;                  // of each port's CTA, without the warps leaving in this cycle
  logic [Entries-1:0]       shrinks_q;             // a phase is open, and no arrival gave a count
  logic [Ports-1:0]         has_candidate;
  logic [Ports*IdBits-1:0]  candidate;             // lowest shrinking barrier of an EXIT's CTA

  always_comb begin
    leaves        = '0;
    live          = '0;
    has_candidate = '0;
    candidate     = '0;
    if (valid_q != '0) begin
      for (int p = 0; p < Ports; p++) leaves[p] = valid_q[p] && kind_q[p*3 +: 3] == Exit && !left_q[p];
      for (int p = 0; p < Ports; p++) begin
        live[p*8 +: 8] = live_q[{slot_q[p*SlotBits +: SlotBits], 3'd0} +: 8];
        for (int q = 0; q < Ports; q++) begin
          if (leaves[q] && live[p*8 +: 8] != '0 &&
              slot_q[q*SlotBits +: SlotBits] == slot_q[p*SlotBits +: SlotBits]) begin
            live[p*8 +: 8] = live[p*8 +: 8] - 8'd1;
          end
        end
        if (leaves[p]) begin
          for (int i = Barriers - 1; i >= 0; i--) begin
            if (shrinks_q[{slot_q[p*SlotBits +: SlotBits], i[IdBits-1:0]}]) begin
              has_candidate[p]               = 1'b1;
              candidate[p*IdBits +: IdBits] = i[IdBits-1:0];
            end
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int p = 0; p < Ports; p++) begin
      if (leaves[p]) live_q[{slot_q[p*SlotBits +: SlotBits], 3'd0} +: 8] <= live[p*8 +: 8];
    end
    if (cta_valid_i) begin
      open_q[cta_slot_i]                    <= cta_open_i;
      launched_q[{cta_slot_i, 3'd0} +: 8]   <= 8'(cta_warps_i);
      live_q[{cta_slot_i, 3'd0} +: 8]       <= cta_open_i ? 8'(cta_warps_i) : '0;
    end
    if (rst_i) begin
      open_q <= '0;
      live_q <= '0;
    end
    left_q <= leaves & ~done;
  end

  // State of the CTA for the port's request: open_q and launched_q of the slot, looked up when the request comes, and
  // kept up to date. The look-up is done for each possible slot, and the slot is selected last, as the selection is
  // known last.
  function automatic logic [8:0] cta_at(input logic [SlotBits-1:0] slot, input logic [8:0] now);
    cta_at = cta_valid_i && cta_slot_i == slot ? {cta_open_i, 8'(cta_warps_i)} : now;
  endfunction
  for (genvar p = 0; p < Ports; p++) begin : gen_here
    logic [SlotBits-1:0] asked;
    assign asked = head_slot_i[p*SlotBits +: SlotBits];
    always_ff @(posedge clk_i) begin
      {here_open_q[p], here_launched_q[p*8 +: 8]} <=
          !head_ready_o[p] ? cta_at(slot_q[p*SlotBits +: SlotBits], {here_open_q[p], here_launched_q[p*8 +: 8]}) :
          p == 0 && !head_valid_i[0] ? cta_at(status_slot_i, {open_q[status_slot_i], launched_q[{status_slot_i, 3'd0} +: 8]}) :
          cta_at(asked, {open_q[asked], launched_q[{asked, 3'd0} +: 8]});
    end
  end

  // ---- parts of the barriers' state ------------------------------------------------------------------------------
  logic [Ports*AddrBits-1:0]       addr, read_addr, head_addr, asked_addr, left_addr;
  logic [AddrBits-1:0]             status_addr;
  logic [Ports-1:0]                read, write;
  logic [Ports*Ports-1:0]          same_addr;      // port q's request names the barrier read for port p, at p * Ports + q
  logic [Ports*PartBits-1:0]       part;           // written by each port
  logic [Ports*Ports*PartBits-1:0] parts;          // part q as read for port p at q * Ports + p
  logic [Ports*Entries-1:0]        filled_q;       // part q of barrier a at a * Ports + q
  logic [Ports*Ports-1:0]          found_q;        // part q of the barrier judged by port p at p * Ports + q: read with the parts

  // The addresses equal to `a`.
  function automatic logic [Ports-1:0] is_at(input logic [Ports*AddrBits-1:0] all, input logic [AddrBits-1:0] a);
    for (int q = 0; q < Ports; q++) is_at[q] = all[q*AddrBits +: AddrBits] == a;
  endfunction

  assign status_addr = {status_slot_i, status_id_i};
  for (genvar p = 0; p < Ports; p++) begin : gen_reader
    assign addr[p*AddrBits +: AddrBits] = {slot_q[p*SlotBits +: SlotBits], id_q[p*IdBits +: IdBits]};
    assign left_addr[p*AddrBits +: AddrBits] = {slot_q[p*SlotBits +: SlotBits], candidate[p*IdBits +: IdBits]};
    assign asked_addr[p*AddrBits +: AddrBits] = {head_slot_i[p*SlotBits +: SlotBits], head_id[p*IdBits +: IdBits]};
    assign head_addr[p*AddrBits +: AddrBits]  = p == 0 && !head_valid_i[0] ? status_addr : asked_addr[p*AddrBits +: AddrBits];
    assign read_addr[p*AddrBits +: AddrBits] =
        head_ready_o[p] ? head_addr[p*AddrBits +: AddrBits] :
        leaves[p] ? left_addr[p*AddrBits +: AddrBits] : addr[p*AddrBits +: AddrBits];
    assign read[p] = valid_q[p] && !done[p] || take[p] || (p == 0 && take_status);
    assign same_addr[p*Ports +: Ports] =
        head_ready_o[p] ? (p == 0 && !head_valid_i[0] ? is_at(addr, status_addr) : is_at(addr, asked_addr[p*AddrBits +: AddrBits])) :
        leaves[p] ? is_at(addr, left_addr[p*AddrBits +: AddrBits]) : is_at(addr, addr[p*AddrBits +: AddrBits]);
  end
  for (genvar q = 0; q < Ports; q++) begin : gen_part
    logic [Ports-1:0] same_here;    // reader p reads at the address of this port's write
    for (genvar p = 0; p < Ports; p++) begin : gen_same
      assign same_here[p] = same_addr[p*Ports + q];
    end
    barrier_part #(.Readers(Ports), .AddrBits(AddrBits), .Bits(PartBits)) u_part (
      .clk_i, .write_i(write[q]), .write_addr_i(addr[q*AddrBits +: AddrBits]),
      .write_data_i(part[q*PartBits +: PartBits]), .read_i(read), .read_addr_i(read_addr), .same_i(same_here),
      .read_data_o(parts[q*Ports*PartBits +: Ports*PartBits])
    );
  end

  // ---- judgement -------------------------------------------------------------------------------------------------
  logic [Ports-1:0]           arrives, looks;      // an arrival; an arrival without fault so far, or an EXIT that looks
  logic [Ports-1:0]           late, late_q;        // waits for a lower port's action in this cycle; in an earlier cycle
  logic [Ports-1:0]           yields;              // waits for a late arrival at the same barrier
  logic [Ports-1:0]           rsp_free, complete;
  logic [Ports-1:0]           ends;                // complete, if the arrival counts
  logic [Ports*6-1:0]         code;
  logic [Ports*NumBits-1:0]   need;                // of the arrival
  logic [Ports*2-1:0]         mode;
  logic [Ports*PhaseBits-1:0] after;               // the phase as left by each port
  logic [7:0]                 launched;
  logic                       same, fresh;         // the same barrier; a lower port has been counted at this barrier
  logic                       filled, counted, read_counted;
  logic [1:0]                 found_mode, read_mode;
  logic [NumBits-1:0]         found_need, arrived, read_need, read_arrived;
  logic [VoteBits-1:0]        votes, read_votes;
  logic [Warps-1:0]           waits, here;
  logic [PortWarps-1:0]       read_waits, read_here;

  always_comb begin
    arrives  = '0;
    looks    = '0;
    code     = '0;
    need     = '0;
    mode     = '0;
    launched = '0;
    if (valid_q != '0) begin
      for (int p = 0; p < Ports; p++) begin
        arrives[p] = valid_q[p] && kind_q[p*3 +: 3] <= RedOr;
        launched   = here_launched_q[p*8 +: 8];
        case (kind_q[p*3 +: 3])
          RedPopc: mode[p*2 +: 2] = Popc;
          RedAnd:  mode[p*2 +: 2] = And;
          RedOr:   mode[p*2 +: 2] = Or;
          default: mode[p*2 +: 2] = Plain;
        endcase
        need[p*NumBits +: NumBits] = no_count_q[p] ? launched[NumBits-1:0] : count_q[p*NumBits +: NumBits];
        if (arrives[p]) begin
          if (!here_open_q[p]) code[p*6 +: 6] = `WL_FAULT_SLOT_CLOSED;
          else if (bad_id_q[p]) code[p*6 +: 6] = `WL_FAULT_BAR_BAD_ID;
          else if (no_count_q[p] ? kind_q[p*3 +: 3] == Arv : bad_count_q[p] ||
                   8'(count_q[p*NumBits +: NumBits]) > launched) begin
            code[p*6 +: 6] = `WL_FAULT_BAR_BAD_COUNT;
          end
        end
        looks[p] = arrives[p] ? code[p*6 +: 6] == `WL_FAULT_NONE : valid_q[p] && kind_q[p*3 +: 3] == Exit && left_q[p];
      end
    end
  end

  // Lowest port first: a port finds the phase as left by a lower port at the same barrier, else the parts as read.
  always_comb begin
    {late, yields, ends, complete, commit_o, park_o, fault_o, fault_code_o} = '0;
    after     = '0;
    same      = 1'b0;
    fresh     = 1'b0;
    {read_mode, read_counted, read_need, read_arrived, read_votes, read_waits, read_here}   = '0;
    {filled, found_mode, counted, found_need, arrived, votes, waits, here} = '0;
    if (valid_q != '0) begin
      fault_code_o = code;
      for (int p = 0; p < Ports; p++) begin
        {filled, found_mode, counted, found_need, arrived, votes, waits, here} = '0;
        for (int q = 0; q < Ports; q++) begin
          if (found_q[p*Ports + q]) begin
            {read_mode, read_counted, read_need, read_arrived, read_votes, read_waits, read_here} =
                parts[(q*Ports + p)*PartBits +: PartBits];
            filled     = 1'b1;
            found_mode = read_mode;
            counted    = counted || read_counted;
            found_need = read_need;
            arrived    = arrived + read_arrived;
            votes      = votes + read_votes;
            waits[q*PortWarps +: PortWarps] = read_waits;
            here[q*PortWarps +: PortWarps]  = read_here;
          end
        end
        fresh = 1'b0;
        for (int q = 0; q < Ports; q++) begin
          same = q != p && looks[p] && looks[q] && addr[q*AddrBits +: AddrBits] == addr[p*AddrBits +: AddrBits];
          if (same && q < p && complete[q]) late[p] = 1'b1;
          else if (same && q < p && commit_o[q]) begin
            {filled, found_mode, counted, found_need, arrived, votes, waits, here} = after[q*PhaseBits +: PhaseBits];
            fresh = 1'b1;
          end
          if (same && arrives[p] && late_q[q] && rsp_free[q] && !late_q[p]) yields[p] = 1'b1;
        end

        if (arrives[p] && looks[p]) begin
          if (filled && found_need != need[p*NumBits +: NumBits]) begin
            fault_code_o[p*6 +: 6] = `WL_FAULT_BAR_COUNT_MISMATCH;
          end else if (filled && found_mode != mode[p*2 +: 2]) begin
            fault_code_o[p*6 +: 6] = `WL_FAULT_BAR_MODE_MISMATCH;
          end else if (here[32'(nth_q[p*NthBits +: NthBits]) + p*PortWarps]) begin
            fault_code_o[p*6 +: 6] = `WL_FAULT_BAR_DOUBLE_ARRIVE;
          end
          if (fresh && fault_code_o[p*6 +: 6] != `WL_FAULT_NONE) late[p] = 1'b1;
        end
        if (fault_code_o[p*6 +: 6] != `WL_FAULT_NONE) fault_o[p] = !late[p] && !yields[p] && rsp_free[p];
        else if (arrives[p]) commit_o[p] = !late[p] && !yields[p] && (kind_q[p*3 +: 3] != Arv || rsp_free[p]);
        else commit_o[p] = valid_q[p] && kind_q[p*3 +: 3] == Result && rsp_free[p];

        park_o[p] = arrives[p] && commit_o[p] && kind_q[p*3 +: 3] != Arv;
        // The phase after the arrival is made beside the decision whether the arrival counts, not behind: else nobody
        // reads the phase.
        if (arrives[p]) begin
          filled        = 1'b1;
          found_mode    = mode[p*2 +: 2];
          counted       = counted || !no_count_q[p];
          found_need    = need[p*NumBits +: NumBits];
          arrived       = arrived + 1'b1;
          votes         = votes + votes_q[p*VoteBits +: VoteBits];
          here[32'(nth_q[p*NthBits +: NthBits]) + p*PortWarps] = 1'b1;
          if (kind_q[p*3 +: 3] != Arv) waits[32'(nth_q[p*NthBits +: NthBits]) + p*PortWarps] = 1'b1;
        end
        // an EXIT adds nothing, so the phase may be empty
        ends[p]     = counted ? arrives[p] && arrived == found_need : filled && arrived == live[p*8 +: NumBits];
        complete[p] = ends[p] && looks[p] && !late[p] && (commit_o[p] || !arrives[p]);
        after[p*PhaseBits +: PhaseBits] = {filled, found_mode, counted, found_need, arrived, votes, waits, here};
      end
    end
  end

  // Each port writes its own part with the arrival added.
  logic                 own_counted, unused_own;
  logic [1:0]           own_mode;
  logic [NumBits-1:0]   own_need, own_arrived;
  logic [VoteBits-1:0]  own_votes;
  logic [PortWarps-1:0] own_waits, own_here;
  assign unused_own = ^{own_mode, own_need};

  always_comb begin
    part  = '0;
    write = commit_o & arrives & ~ends;
    {own_mode, own_counted, own_need, own_arrived, own_votes, own_waits, own_here} = '0;
    if (write != '0) begin
      for (int p = 0; p < Ports; p++) begin
        {own_mode, own_counted, own_need, own_arrived, own_votes, own_waits, own_here} =
            found_q[p*Ports + p] ? parts[(p*Ports + p)*PartBits +: PartBits] : '0;
        own_here[nth_q[p*NthBits +: NthBits]] = 1'b1;
        if (park_o[p]) own_waits[nth_q[p*NthBits +: NthBits]] = 1'b1;
        part[p*PartBits +: PartBits] = {
          mode[p*2 +: 2], own_counted || !no_count_q[p], need[p*NumBits +: NumBits], own_arrived + 1'b1,
          own_votes + votes_q[p*VoteBits +: VoteBits], own_waits, own_here
        };
      end
    end
  end

  // Bits of a barrier are selected by words made of the address alone: the address is known long before the data to
  // write.
  function automatic logic [Entries-1:0] entry(input logic [Slots-1:0] slot, input logic [Barriers-1:0] id);
    entry = '0;
    for (int s = 0; s < Slots; s++) begin
      if (slot[s]) entry[s*Barriers +: Barriers] = id;
    end
  endfunction
  function automatic logic [Ports*Entries-1:0] parts_of(input logic [Entries-1:0] entries, input logic [Ports-1:0] ports);
    parts_of = '0;
    for (int e = 0; e < Entries; e++) begin
      if (entries[e]) parts_of[e*Ports +: Ports] = ports;
    end
  endfunction
  logic [Ports*Entries-1:0] filled_d, parts_at, part_at;
  logic [Entries-1:0]       shrinks_d, at;
  always_comb begin
    filled_d  = filled_q;
    shrinks_d = shrinks_q;
    parts_at  = 'x;
    part_at   = 'x;
    at        = 'x;
    if ((write | complete) != '0) begin
      for (int p = 0; p < Ports; p++) begin
        at      = entry(slot_hot_q[p*Slots +: Slots], id_hot_q[p*Barriers +: Barriers]);
        part_at = parts_of(at, Ports'(1) << p);
        if (write[p]) begin
          filled_d  = filled_d | part_at;
          shrinks_d = after[p*PhaseBits + CountedAt] ? shrinks_d & ~at : shrinks_d | at;
        end
      end
      for (int p = 0; p < Ports; p++) begin
        at       = entry(slot_hot_q[p*Slots +: Slots], id_hot_q[p*Barriers +: Barriers]);
        parts_at = parts_of(at, {Ports{1'b1}});   // Yosys 0.23 hands '1 on as one bit
        if (complete[p]) begin
          filled_d  = filled_d & ~parts_at;
          shrinks_d = shrinks_d & ~at;
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    filled_q  <= filled_d;
    shrinks_q <= shrinks_d;
    if (cta_valid_i) begin
      filled_q[32'(cta_slot_i)*(Barriers*Ports) +: Barriers*Ports] <= '0;
      shrinks_q[32'(cta_slot_i)*Barriers +: Barriers]              <= '0;
    end
    if (rst_i) begin
      filled_q  <= '0;
      shrinks_q <= '0;
    end
  end

  // Filled parts for each port in the next cycle: made for each place that may be read, then selected, as the selection
  // is known last.
  function automatic logic [Ports-1:0] found_at(input logic [AddrBits-1:0] a, input logic [Ports-1:0] now);
    found_at = now;
    for (int q = 0; q < Ports; q++) begin
      if (write[q] && addr[q*AddrBits +: AddrBits] == a) found_at[q] = 1'b1;
    end
    for (int q = 0; q < Ports; q++) begin
      if (complete[q] && addr[q*AddrBits +: AddrBits] == a) found_at = '0;
    end
    if (cta_valid_i && cta_slot_i == a[AddrBits-1:IdBits]) found_at = '0;
  endfunction
  // Without a read no request looks at the result.
`ifdef SYNTHESIS
  localparam bit Always = 1'b1;
`else
  localparam bit Always = 1'b0;
`endif
  for (genvar p = 0; p < Ports; p++) begin : gen_found
    always_ff @(posedge clk_i) begin
      if (Always || read[p]) begin
        found_q[p*Ports +: Ports] <=
            head_ready_o[p] ? (p == 0 && !head_valid_i[0] ? found_at(status_addr, filled_q[32'(status_addr)*Ports +: Ports]) :
                               found_at(asked_addr[p*AddrBits +: AddrBits], filled_q[32'(asked_addr[p*AddrBits +: AddrBits])*Ports +: Ports])) :
            leaves[p] ? found_at(left_addr[p*AddrBits +: AddrBits], filled_q[32'(left_addr[p*AddrBits +: AddrBits])*Ports +: Ports]) :
            found_at(addr[p*AddrBits +: AddrBits], found_q[p*Ports +: Ports]);
      end
    end
  end

  // ---- registers of the judgement --------------------------------------------------------------------------------
  always_comb begin
    done = commit_o | fault_o;
    for (int p = 0; p < Ports; p++) begin
      if (kind_q[p*3 +: 3] == Exit) done[p] = left_q[p] || !has_candidate[p];
      if (kind_q[p*3 +: 3] == Status) done[p] = 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    late_q  <= valid_q & (late | late_q) & ~done;
    valid_q <= take | (valid_q & ~done);
    if (take_status) valid_q[0] <= 1'b1;
    if (rst_i) valid_q <= '0;
  end

  // ---- RELEASE and the results of reductions ---------------------------------------------------------------------
  logic [Warps*16-1:0] result_q;     // of each warp, by port, 16 bits apart

  assign rel_slot_o  = slot_q;
  assign rel_id_o    = id_q;
  logic [VoteBits-1:0] ended_votes;
  always_comb begin
    ended_votes = '0;
    rel_valid_o = '0;
    rel_warps_o = '0;
    rel_value_o = '0;
    if (complete != '0) begin
      for (int p = 0; p < Ports; p++) begin
        if (complete[p]) begin
          rel_valid_o[p] = after[p*PhaseBits + WaitsAt +: Warps] != '0;
          for (int w = 0; w < Warps; w++) begin
            rel_warps_o[p*Warps + w] = after[p*PhaseBits + WaitsAt + (w % Ports)*PortWarps + w/Ports];
          end
          ended_votes = after[p*PhaseBits + VotesAt +: VoteBits];
          case (after[p*PhaseBits + ModeAt +: 2])
            Popc:    rel_value_o[p*VoteBits +: VoteBits] = ended_votes;
            And:     rel_value_o[p*VoteBits +: VoteBits] = {{VoteBits-1{1'b0}}, ended_votes == '0};
            Or:      rel_value_o[p*VoteBits +: VoteBits] = {{VoteBits-1{1'b0}}, ended_votes != '0};
            default: rel_value_o[p*VoteBits +: VoteBits] = '0;
          endcase
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    for (int p = 0; p < Ports; p++) begin
      if (complete[p] && after[p*PhaseBits + ModeAt +: 2] != Plain) begin
        for (int n = 0; n < Warps; n++) begin
          if (after[p*PhaseBits + WaitsAt + n]) result_q[n*16 +: 16] <= {4'd0, rel_value_o[p*VoteBits +: VoteBits]};
        end
      end
    end
    if (rst_i) result_q <= '0;
  end

  // ---- answers ---------------------------------------------------------------------------------------------------
  logic [Ports-1:0] answers;
  assign rsp_free      = ~rsp_valid_o | rsp_ready_i;
  assign answers       = fault_o | (commit_o & ~park_o);
  assign judged_tag_o  = tag_q;
  assign judged_mask_o = mask_q;
  always_ff @(posedge clk_i) begin
    rsp_valid_o <= rst_i ? '0 : answers | (rsp_valid_o & ~rsp_ready_i);
    for (int p = 0; p < Ports; p++) begin
      if (answers[p]) begin
        rsp_tag_o[p*TagBits +: TagBits] <= tag_q[p*TagBits +: TagBits];
        rsp_mask_o[p*32 +: 32]          <= mask_q[p*32 +: 32];
        rsp_fault_o[p*6 +: 6]           <= fault_o[p] ? fault_code_o[p*6 +: 6] : `WL_FAULT_NONE;
        rsp_value_o[p*VoteBits +: VoteBits] <=
            fault_o[p] || kind_q[p*3 +: 3] == Arv ? '0 :
            result_q[(p*PortWarps + 32'(nth_q[p*NthBits +: NthBits]))*16 +: VoteBits];
      end
    end
  end

  // ---- status ----------------------------------------------------------------------------------------------------
  logic                shown_filled;
  logic [NumBits-1:0]  shown_need;
  logic [Warps-1:0]    shown_waits, shown_here;

  assign status_valid_o    = valid_q[0] && kind_q[2:0] == Status;
  assign {shown_filled, status_mode_o, status_counted_o, shown_need, status_arrived_o, status_votes_o, shown_waits,
          shown_here}      = status_valid_o ? after[PhaseBits-1:0] : '0;
  assign status_expected_o = !shown_filled ? '0 : status_counted_o ? shown_need : live[NumBits-1:0];
  always_comb begin
    status_warps_o   = '0;
    status_waiting_o = '0;
    if (status_valid_o) begin
      for (int w = 0; w < Warps; w++) begin
        status_warps_o[w]   = shown_here[(w % Ports)*PortWarps + w/Ports];
        status_waiting_o[w] = shown_waits[(w % Ports)*PortWarps + w/Ports];
      end
    end
  end

  assign idle_o = valid_q == '0 && rsp_valid_o == '0;

  // ---- assertions ------------------------------------------------------------------------------------------------
  for (genvar p = 0; p < Ports; p++) begin : gen_assert
    `ASSERT(WarpOfPort_A, !head_valid_i[p] || 32'(head_warp_i[p*WarpBits +: WarpBits]) % Ports == p)
    `ASSERT(KindOfHead_A, !head_valid_i[p] || head_kind_i[p*3 +: 3] != Status)
`ifndef FORMAL
    // proven in verif/units/barrier_file/formal/barrier_file.prop, from the first reset on
    `ASSERT(SlotIsHot_A, !valid_q[p] || slot_hot_q[p*Slots +: Slots] == Slots'(1) << slot_q[p*SlotBits +: SlotBits])
    `ASSERT(IdIsHot_A, !valid_q[p] || id_hot_q[p*Barriers +: Barriers] == Barriers'(1) << id_q[p*IdBits +: IdBits])
    `ASSERT(KnowsItsCta_A, !valid_q[p] || (here_open_q[p] == open_q[slot_q[p*SlotBits +: SlotBits]] &&
                                           here_launched_q[p*8 +: 8] == launched_q[{slot_q[p*SlotBits +: SlotBits], 3'd0} +: 8]))
    `ASSERT(ReadsWhatIsCompared_A, !read[p] || (write & same_addr[p*Ports +: Ports]) == (write & is_at(addr, read_addr[p*AddrBits +: AddrBits])))
`endif
    `ASSERT(OneOutcome_A, !(commit_o[p] && fault_o[p]))
  end
endmodule
`default_nettype wire
