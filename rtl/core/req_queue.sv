// SPDX-License-Identifier: Apache-2.0
// A request port: decodes the word with the first beat, drops operands without a reader in the build, and queues
// headers and beats. A request is handed on when all beats have arrived: a source stopping in the middle holds up no
// other port.
//
// Rb takes 128 bits. With `packed`, decoded from the word, the upper half of Rb is the lower half of Rc. A queue
// smaller than a request hands beats on at once: only for a single port, without other ports to hold up.
`include "assert.vh"
`include "ram_style.vh"
`include "wl_units.vh"
`default_nettype none

module req_queue #(
  parameter int Lanes    = 32,                               // 4, 8, 16, 32
  parameter int Depth    = 8,                                // requests; a power of two, 2 or more
  parameter int Stored   = 8,                                // beats; a power of two, 2 or more
  parameter int Arch     = 75,                               // encodings; 0: those of arch_i
  parameter int Units    = -1,                               // mask of units: words of these units are decoded
  parameter int CtlBits  = 13,                               // control bits read by the units of the build
  parameter bit Full     = 1'b0,                             // keep all operands, not only the operands of atoms_pipe
  parameter bit Wide     = 1'b0,                             // atoms_pipe has compare-and-swap of 128 bits: keep Rc too
  parameter int UrBits   = 1,                                // of the uniform register, handed on apart from the base
  parameter int LiveBits = 1,                                // of live_i, sampled when a request comes
  parameter int Beats    = 32 / Lanes,                       // derived, do not override, like all below
  parameter int BeatBits = Beats > 1 ? $clog2(Beats) : 1,
  parameter int RaBits   = Full ? 64 : 32,
  parameter int RcBits   = Full || Wide ? 128 : 1
) (
  input  logic                    clk_i,
  input  logic                    rst_i,

  // request port
  input  logic [7:0]              arch_i,        // of the word, read with the first beat
  input  logic                    req_valid_i,
  output logic                    req_ready_o,
  input  logic [21:0]             req_tag_i,
  input  logic [127:0]            req_word_i,
  input  logic [31:0]             req_mask_i,
  input  logic [31:0]             req_pred_i,
  input  logic [3:0]              req_slot_i,
  input  logic [63:0]             req_ur_i,
  input  logic [LiveBits-1:0]     live_i,
  input  logic [Lanes*64-1:0]     req_ra_i,
  input  logic [Lanes*128-1:0]    req_rb_i,
  input  logic [Lanes*128-1:0]    req_rc_i,
  output logic                    accept_o,      // first beat of a request taken
  output logic [3:0]              accept_unit_o, // unit of the request
  output logic                    accept_header_o,

  // beats of the oldest request
  output logic                    beat_valid_o,
  input  logic                    beat_ready_i,
  output logic [3:0]              unit_o,
  output logic                    header_o,      // header-only: a single beat
  output logic [21:0]             tag_o,
  output logic [3:0]              slot_o,
  output logic [4:0]              kind_o,
  output logic [31:0]             ctl_o,
  output logic [6:0]              flags_o,       // WL_FLAG_*
  output logic [63:0]             base_o,        // uniform register plus immediate
  output logic [UrBits-1:0]       ur_o,
  output logic [LiveBits-1:0]     live_o,
  output logic [BeatBits-1:0]     beat_index_o,
  output logic                    beat_last_o,
  output logic [31:0]             mask_o,        // active lanes; bit 0 is the first lane of this beat
  output logic [31:0]             pred_o,        // source predicates, likewise
  output logic [Lanes*RaBits-1:0] beat_ra_o,
  output logic [Lanes*128-1:0]    beat_rb_o,
  output logic [Lanes*RcBits-1:0] beat_rc_o,

  output logic                    empty_o
);
  localparam int PtrBits   = $clog2(Stored);
  localparam int HeadPtr   = $clog2(Depth);
  localparam int BaseBits  = Full ? 64 : 32;
  localparam int HeadBits  = 22 + 4 + 4 + 1 + 5 + 7 + CtlBits + BaseBits + UrBits + LiveBits;
  localparam int LaneBits  = Full ? 64 : 32;             // bits of a header by lane: mask, and predicates
  localparam bit WaitWhole = Stored >= Beats;

  // ---- decode ----------------------------------------------------------------------------------------------
  logic        dec_ra_used, dec_rb_used, dec_rc_used, dec_ur_used, dec_pred_used;
  logic        dec_header, dec_waits, dec_posted, dec_packed, dec_illegal;
  logic [3:0]  dec_unit;
  logic [4:0]  dec_kind;
  logic [31:0] dec_ctl;
  logic [32:0] dec_imm;
  logic [63:0] base;
  logic [6:0]  flags;

  sync_decode #(.Arch(Arch), .Units(Units)) u_decode (
    .arch_i, .word_i(req_word_i), .unit_o(dec_unit), .kind_o(dec_kind), .ctl_o(dec_ctl), .imm_o(dec_imm),
    .ra_used_o(dec_ra_used), .rb_used_o(dec_rb_used), .rc_used_o(dec_rc_used), .ur_used_o(dec_ur_used),
    .pred_used_o(dec_pred_used), .header_o(dec_header), .waits_o(dec_waits), .posted_o(dec_posted),
    .packed_o(dec_packed), .illegal_o(dec_illegal)
  );
  assign flags = {dec_pred_used, dec_rc_used, dec_rb_used, dec_ra_used, dec_posted, dec_waits, dec_illegal};
  assign base  = {{31{dec_imm[32]}}, dec_imm} + (dec_ur_used ? req_ur_i : 64'd0);

  // ---- push ------------------------------------------------------------------------------------------------
  logic                index_first, last, push, room, fifo_ready, packs, packs_q, load, load_first,
                       keeps, keeps_q, kept;
  logic [BeatBits-1:0] index_q;
  logic [PtrBits-1:0]  wr, rd;
  logic [HeadPtr-1:0]  head_wr_q, head_rd_q, head_rd;
  logic [HeadPtr:0]    heads_q;

  assign index_first     = index_q == '0;
  assign last            = index_first ? dec_header || Beats == 1 : index_q == BeatBits'(Beats - 1);
  assign packs           = index_first ? dec_packed : packs_q;
  assign keeps           = !index_first ? keeps_q : !dec_packed && (Full || (dec_unit == `WL_UNIT_ATOMS_PIPE &&
                           dec_kind == `WL_ATOMS_PIPE_ATOMS_CAS));
  assign room            = !index_first || heads_q != (HeadPtr + 1)'(Depth);
  assign req_ready_o     = room && fifo_ready;
  assign accept_o        = push && index_first;
  assign accept_unit_o   = dec_unit;
  assign accept_header_o = dec_header;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      index_q   <= '0;
      head_wr_q <= '0;
      head_rd_q <= '0;
      heads_q   <= '0;
    end else begin
      if (push) index_q <= last ? '0 : index_q + 1'b1;
      head_wr_q <= head_wr_q + HeadPtr'(accept_o);
      head_rd_q <= head_rd_q + HeadPtr'(load && load_first);
      heads_q   <= heads_q + (HeadPtr + 1)'(accept_o) - (HeadPtr + 1)'(load && load_first);
    end
  end
  always_ff @(posedge clk_i) begin
    if (push) packs_q <= packs;
    if (push) keeps_q <= keeps;
  end

  // ---- whole requests --------------------------------------------------------------------------------------
  logic [HeadPtr+1:0] whole_q;      // whole requests here, including the request being handed on
  logic               held, fifo_valid, pop;

  assign held         = WaitWhole && whole_q == '0;
  assign beat_valid_o = fifo_valid && !held;
  assign pop          = beat_valid_o && beat_ready_i;
  always_ff @(posedge clk_i) begin
    if (rst_i) whole_q <= '0;
    else whole_q <= whole_q + (HeadPtr + 2)'(push && last) - (HeadPtr + 2)'(pop && beat_last_o);
  end

  fifo_control #(.Depth(Stored)) u_control (
    .clk_i, .rst_i, .push_valid_i(req_valid_i && room), .push_ready_o(fifo_ready), .pop_valid_o(fifo_valid),
    .pop_ready_i(beat_ready_i && !held), .push_o(push), .wr_o(wr), .load_o(load), .rd_o(rd), .empty_o
  );

  // ---- headers ---------------------------------------------------------------------------------------------
  logic [HeadBits-1:0] head_in, head_next, head_q;
  logic [LaneBits-1:0] lanes_in, lanes_first, lanes_next, lanes_q;
  logic [CtlBits-1:0]  ctl;
  logic [BaseBits-1:0] head_base;
  logic [BeatBits-1:0] load_index_q;
  logic                load_last, load_header;
  `WL_FEW_WORDS(Depth) logic [LaneBits+HeadBits-1:0] heads [0:Depth-1];

  if (Full) begin : gen_full_head
    assign lanes_in   = {req_pred_i, req_mask_i};
    assign lanes_next = {lanes_q[LaneBits-1:32] >> Lanes, lanes_q[31:0] >> Lanes};
    assign pred_o     = lanes_q[LaneBits-1:32];
    assign base_o     = head_base;
  end else begin : gen_lean_head
    logic unused_head;
    assign unused_head = ^{req_pred_i, base[63:32]};
    assign lanes_in    = req_mask_i;
    assign lanes_next  = lanes_q >> Lanes;
    assign pred_o      = '0;
    assign base_o      = {32'd0, head_base};
  end
  assign head_in     = {req_tag_i, req_slot_i, dec_unit, dec_header, dec_kind, flags, dec_ctl[CtlBits-1:0], base[BaseBits-1:0],
                        req_ur_i[UrBits-1:0], live_i};
  assign head_rd     = head_rd_q;
  assign {lanes_first, head_next} = heads[head_rd];
  assign load_first  = load_index_q == '0;
  assign load_header = head_next[LiveBits + UrBits + BaseBits + CtlBits + 12];
  assign load_last   = load_first ? load_header || Beats == 1 : load_index_q == BeatBits'(Beats - 1);

  always_ff @(posedge clk_i) begin
    if (rst_i) load_index_q <= '0;
    else if (load) load_index_q <= load_last ? '0 : load_index_q + 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (accept_o) heads[head_wr_q] <= {lanes_in, head_in};
    if (load) begin
      beat_index_o <= load_index_q;
      beat_last_o  <= load_last;
      lanes_q      <= load_first ? lanes_first : lanes_next;
      if (load_first) head_q <= head_next;
    end
  end
  assign {tag_o, slot_o, unit_o, header_o, kind_o, flags_o, ctl, head_base, ur_o, live_o} = head_q;
  assign ctl_o  = 32'(ctl);
  assign mask_o = lanes_q[31:0];

  // ---- operands --------------------------------------------------------------------------------------------
  // A RAM for each lane. Two words are registers on an FPGA, as LUT RAMs have sixteen words. The expressions stand in
  // the clocked block: a simulator evaluates the expressions once a push.
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    `WL_FEW_WORDS(Stored) logic [RaBits-1:0] ra [0:Stored-1];
    `WL_FEW_WORDS(Stored) logic [127:0]      rb [0:Stored-1];
    always_ff @(posedge clk_i) begin
      if (push) begin
        ra[wr] <= req_ra_i[l*64 +: RaBits];
        rb[wr] <= {packs ? req_rc_i[l*128 +: 64] : req_rb_i[l*128 + 64 +: 64], req_rb_i[l*128 +: 64]};
      end
      if (load) begin
        beat_ra_o[l*RaBits +: RaBits] <= ra[rd];
        beat_rb_o[l*128 +: 128]       <= rb[rd];
      end
    end
    if (Full || Wide) begin : gen_rc
      `WL_FEW_WORDS(Stored) logic [RcBits-1:0] rc [0:Stored-1];
      always_ff @(posedge clk_i) begin
        if (push && keeps) rc[wr] <= req_rc_i[l*128 +: 128];
        if (load && kept) beat_rc_o[l*RcBits +: RcBits] <= rc[rd];
      end
    end
  end
  // Few beats need Rc, and a simulator pays for each copy.
  if (Full || Wide) begin : gen_kept
    logic kept_q [0:Stored-1];
    always_ff @(posedge clk_i) begin
      if (push) kept_q[wr] <= keeps;
    end
    assign kept = kept_q[rd];
  end else begin : gen_no_rc
    assign beat_rc_o = '0;
    assign kept      = 1'b0;
  end
  logic unused_operands;
  assign unused_operands = ^{req_ra_i, req_rc_i, dec_ctl, keeps_q, kept};

  `ASSERT(BeatsOfOneRequest_A, !(fifo_valid && beat_last_o && !held) || !WaitWhole || whole_q != '0)
endmodule
`default_nettype wire
