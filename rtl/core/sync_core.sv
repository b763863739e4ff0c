// SPDX-License-Identifier: Apache-2.0
// The port of the synchronisation units: takes warp instructions on `Ports` request ports, routes the instructions to
// the units of the build by the output of sync_decode, and retires the instructions.
//
// docs/ports.md describes the ports, rtl/core/README.md the connection of a unit. core_requests brings requests to the
// units, rsp_merge brings answers to the ports, and core_waits keeps the waiting warps. A request without a unit in the
// build faults here.
`include "atoms_bundles.vh"
`include "atoms_kinds.vh"
`include "mbar.vh"
`include "trace_atoms_pipe.vh"
`include "wl_config.vh"
`include "wl_units.vh"
`include "releases.vh"
`include "unit_ties.vh"
`default_nettype none

module sync_core #(
  parameter int Lanes      = 32,                  // 4, 8, 16, 32: lanes of a beat
  parameter int Banks      = 32,                  // 4, 8, 16, 32: banks of shared memory
  parameter int Ports      = 1,                   // 1, 2, 4
  parameter int QueueDepth = 8,                   // requests queued per port; a power of two, 2 or more
  parameter int SmemBytes  = 65536,               // 4096..65536, a power of two
  parameter int Combine    = 0,                   // words of a pass serving all lanes of stores and atomics: 0, 1, 2
  parameter int Native     = 0,                   // 1: native operations on shared memory (ATOMSN); 0: illegal words
  parameter int Matrix     = 0,                   // 1: LDSM and STSM; 0: illegal words
  parameter bit Trace      = 1'b1,                // trace ports
  parameter int Units      = 1,                   // mask: bit WL_UNIT_* of each built unit; always of atoms_pipe
  parameter int Arch       = 75,                  // encodings: 75, 80, 90, 100, 107, 120; 0: those of arch_i
  parameter int QueueBeats = QueueDepth * 32 / Lanes,           // beats queued per port; less than a request: 1 port only; 1: none, see req_direct
  parameter int RspBeats   = Lanes >= 16 ? 8 : Ports > 1 ? 128 / Lanes : 16, // response beats kept per port; fewer: loads are slower;
                                                                // with several ports at least a request
  parameter int AtomSlots  = 4,                   // requests in atom_unit; a power of two, 2 or more, not below Ports
  parameter int AtomIds    = 8,                   // sectors under way in atom_unit; a power of two from 2 to 256
  parameter int FpStages   = 1,                   // stages of the float adders in atom_unit and atoms_pipe: 1, 2
  parameter int Warps      = 48,                  // 1..48, a multiple of Ports: warps able to wait
  parameter int Suspend    = 1024,                // timeout of a TRYWAIT in cycles: Warps or more
  parameter bit Lean       = 1'b0,                // small forms of units, if any: more cycles, fewer cells; 1 port
  parameter int CtaSlots   = 16,                  // CTA slots for clusters, from 0 on: a power of two from 2 to 16
  parameter int RowBits    = $clog2(SmemBytes / 4 / Banks),     // derived, do not override, like all below
  parameter int MemIdBits  = AtomIds > 16 ? $clog2(AtomIds) : 4,
  parameter int Releases   = `WL_RELEASE_LANES(Units, Ports, Banks) // releases in a cycle
) (
  input  logic                       clk_i,
  input  logic                       rst_i,

  // requests
  input  logic [7:0]                 arch_i,      // architecture of the words, where Arch is 0; e.g. 90
  input  logic [31:0]                shared_window_i, // high halves of generic addresses in shared ...
  input  logic [31:0]                local_window_i,  // ... and local memory: for atom_unit
  input  logic [Ports-1:0]           req_valid_i,
  output logic [Ports-1:0]           req_ready_o,
  input  logic [Ports*22-1:0]        req_tag_i,
  input  logic [Ports*128-1:0]       req_word_i,
  input  logic [Ports*32-1:0]        req_mask_i,
  input  logic [Ports*32-1:0]        req_pred_i,
  input  logic [Ports*4-1:0]         req_slot_i,
  input  logic [Ports*64-1:0]        req_ur_i,
  input  logic [Ports*Lanes*64-1:0]  req_ra_i,
  input  logic [Ports*Lanes*128-1:0] req_rb_i,
  input  logic [Ports*Lanes*128-1:0] req_rc_i,

  // responses
  output logic [Ports-1:0]           rsp_valid_o,
  input  logic [Ports-1:0]           rsp_ready_i,
  output logic [Ports*22-1:0]        rsp_tag_o,
  output logic [Ports-1:0]           rsp_last_o,
  output logic [Ports*Lanes-1:0]     rsp_mask_o,
  output logic [Ports*Lanes-1:0]     rsp_pred_o,
  output logic [Ports*Lanes*128-1:0] rsp_data_o,
  output logic [Ports*6-1:0]         rsp_passes_o,
  output logic [Ports-1:0]           rsp_any_fault_o,
  output logic [Ports*Lanes*6-1:0]   rsp_fault_o,

  // releases of waiting warps
  output logic [Releases-1:0]        rel_valid_o,
  output logic [Releases-1:0]        rel_gave_up_o,
  output logic [Releases*4-1:0]      rel_unit_o,
  output logic [Releases*4-1:0]      rel_slot_o,
  output logic [Releases*16-1:0]     rel_id_o,
  output logic [Releases*16-1:0]     rel_phase_o,
  output logic [Releases*48-1:0]     rel_warps_o,
  output logic [Releases*32-1:0]     rel_value_o,

  // the wait of a warp
  input  logic [5:0]                 wait_warp_i,
  output logic                       wait_valid_o,
  output logic                       wait_held_o,
  output logic [3:0]                 wait_unit_o,
  output logic [3:0]                 wait_slot_o,
  output logic [15:0]                wait_id_o,
  output logic [21:0]                wait_tag_o,

  // state of a named barrier: {votes (12), waiting, arrived warps (48 each), arrived, expected (8 each), counted, mode (2)}
  input  logic                       bar_valid_i,
  output logic                       bar_ready_o,
  input  logic [3:0]                 bar_slot_i,
  input  logic [3:0]                 bar_id_i,
  output logic                       bar_valid_o,
  output logic [126:0]               bar_status_o,

  // CTA windows, host, asynchronous copies
  input  logic                       cfg_valid_i,
  input  logic [3:0]                 cfg_slot_i,
  input  logic                       cfg_window_valid_i,
  input  logic [16:0]                cfg_base_i,
  input  logic [16:0]                cfg_size_i,
  input  logic [5:0]                 cfg_warps_i,  // warps launched; a CTA ends with its window
  input  logic [5:0]                 cfg_first_i,  // number of the first warp
  input  logic [5:0]                 cfg_lanes_i,  // lanes of the last warp, 1..32
  input  logic [3:0]                 cfg_cluster_i, // number of the CTA's cluster on this SM
  input  logic [3:0]                 cfg_rank_i,   // rank of the CTA in the cluster
  input  logic                       host_valid_i,
  output logic                       host_ready_o,
  input  logic                       host_write_i,
  input  logic [15:0]                host_addr_i,
  input  logic [31:0]                host_wdata_i,
  output logic                       host_rvalid_o,
  output logic [31:0]                host_rdata_o,
  input  logic                       land_valid_i,
  output logic                       land_ready_o,
  input  logic [2:0]                 land_kind_i,
  input  logic [5:0]                 land_op_i,
  input  logic [15:0]                land_addr_i,
  input  logic [Banks-1:0]           land_words_i,
  input  logic [Banks*32-1:0]        land_wdata_i,
  output logic                       land_rvalid_o,
  output logic [Banks*32-1:0]        land_rdata_o,
  output logic [5:0]                 land_fault_o,

  // global memory, for atom_unit: sectors of 32 bytes, answers in any order
  output logic                       mem_req_valid_o,
  input  logic                       mem_req_ready_i,
  output logic [MemIdBits-1:0]       mem_req_id_o,
  output logic                       mem_req_write_o,
  output logic                       mem_req_cond_o,   // write only if unwritten since the read by this id
  output logic [42:0]                mem_req_addr_o,   // bits 47:5 of the address
  output logic [31:0]                mem_req_mask_o,   // bytes to write
  output logic [255:0]               mem_req_data_o,
  output logic [63:0]                mem_req_policy_o, // policy of the L2, if the word names a policy
  output logic                       mem_req_policy_valid_o,
  input  logic                       mem_rsp_valid_i,
  output logic                       mem_rsp_ready_o,
  input  logic [MemIdBits-1:0]       mem_rsp_id_i,
  input  logic                       mem_rsp_ok_i,
  input  logic [1:0]                 mem_rsp_halves_i, // halves of the sector present in memory
  input  logic [255:0]               mem_rsp_data_i,
  output logic                       idle_o,

  // trace
  output logic [Ports-1:0]           trace_accept_o,
  output logic [Ports-1:0]           trace_retire_o,
`include "trace_ports.vh"
);
  localparam int PortBits  = Ports > 1 ? $clog2(Ports) : 1;
  localparam int Beats     = 32 / Lanes;
  localparam int BeatBits  = Lanes < 32 ? $clog2(32 / Lanes) : 1;
  localparam int SlotBits  = $clog2(RspBeats);
  localparam int RspBits   = 30 + Lanes * 8;
  localparam int WarpBits  = Warps > 1 ? $clog2(Warps) : 1;
`include "places.vh"

  // Parts of requests kept for other units than atoms_pipe.
  localparam int Others    = count_below(Units, 16);
  localparam int OtherSize = Others > 0 ? Others : 1;
  localparam bit Full      = Others > 0;
  localparam bit Converge  = ((Units >> `WL_UNIT_CONVERGENCE) & 1) != 0;
  localparam bit Preds     = Arch == 0 || Arch >= 100;               // ATOMS.CAST with a predicate result
  localparam bit Mbar      = ((Units >> `WL_UNIT_MBARRIER_ENGINE) & 1) != 0;
  localparam bit LayoutA   = Arch == 0 || Arch < 90;                 // mbarriers of sm_80
  localparam bit LayoutV1  = Arch == 0 || Arch == `WL_SM107;         // ... of layout v1 of sm_107
  localparam bit Cluster   = ((Units >> `WL_UNIT_CLUSTER_BARRIER) & 1) != 0; // accesses to other CTAs
  localparam int WarpRanks = Warps <= 4 ? 4 : Warps <= 8 ? 8 : 16;   // all CTAs of a cluster are here, each >= 1 warp
  localparam int Ranks     = CtaSlots < WarpRanks ? CtaSlots : WarpRanks;
  localparam int HeadBits  = 22 + 1 + 6 + Lanes * (Cluster ? 4 : 3);
  localparam int LiveBits  = Cluster ? CtaSlots : 1;                      // live CTAs, if a CTA may access others
  localparam int CtlBits   = Full ? 32 : `WL_ATOMS_PIPE_CTL_BITS;    // mbarrier_engine needs fewer
  localparam int UrBits    = ((Units >> `WL_UNIT_ATOM_UNIT) & 1) != 0 ? 64 : 1; // policies of the L2
  localparam int RaBits    = Full ? 64 : 32;
  localparam bit Wide      = Arch == 0 || Arch >= 90;                // compares of 128 bits
  localparam int RcBits    = Full || Wide ? 128 : 1;

`include "core_limits.vh"

  // ---- outputs of units: indexed by unit number ... --------------------------------------------------------
  logic [15:0]         u_beat_ready;      // ready for a beat of the unit's own request
  logic [16*Ports-1:0] u_open;            // can begin a request of the port before another request ends
  logic [15:0]         u_done_valid;      // an operand request of the warp has committed wholly
  logic [16*6-1:0]     u_done_warp;
  logic [16*Ports-1:0] u_head_ready;      // ready for the unit's own header on the head bus of the port
  logic [16*Ports-1:0] u_exit_ready;      // ready for the end of a warp
  logic [15:0]         u_idle;

  // ... and, except for atoms_pipe, by the unit's place among the built units
  logic [OtherSize-1:0]           o_rsp_valid, o_rsp_take, o_park_valid, o_rel_valid, o_rel_take;
  logic [OtherSize*PortBits-1:0]  o_rsp_port;
  logic [OtherSize*RspBits-1:0]   o_rsp;
  logic [OtherSize*Lanes*128-1:0] o_rsp_data;
  logic [OtherSize*4-1:0]         o_park_unit, o_park_slot;
  logic [OtherSize*16-1:0]        o_park_id;
  logic [OtherSize*Warps-1:0]     o_park_warps;
  logic [OtherSize*121-1:0]       o_rel;  // {gave up, unit, slot, id, phase, warps (48), value}

  for (genvar u = 1; u < 16; u++) begin : gen_places
    localparam int At = count_below(Units, u);
    for (genvar o = At; o < count_below(Units, u + 1); o++) begin : gen_place
      assign o_park_unit[o*4 +: 4] = 4'(u);
      if (((PortWise >> u) & 1) != 0) begin : gen_port
        assign o_rsp_port[o*PortBits +: PortBits] = PortBits'(o - At);
      end
    end
  end

  // ---- requests: the beat bus, the head buses --------------------------------------------------------------
  logic                    beat_taken, beat_last, beat_part, beat_header, q_empty;
  logic [15:0]             u_beat_valid;      // a beat, a header for the unit
  logic [16*Ports-1:0]     u_head_valid;
  logic [PortBits-1:0]     beat_port;
  logic [3:0]              beat_unit, beat_slot;
  logic [4:0]              beat_kind;
  logic [6:0]              beat_flags;
  logic [21:0]             beat_tag;
  logic [31:0]             beat_ctl, beat_mask, beat_pred;
  logic [63:0]             beat_base;
  logic [UrBits-1:0]       beat_ur;
  logic [LiveBits-1:0]     live, beat_live;   // slots with live CTAs; the same when the beat's request came
  logic [BeatBits-1:0]     beat_index;
  logic [Lanes*RaBits-1:0] beat_ra;
  logic [Lanes*128-1:0]    beat_rb;
  logic [Lanes*RcBits-1:0] beat_rc;

  logic [Ports-1:0]        head_taken, head_exit, exit_stay, exit_ready, accept, refuse_valid, refuse_ready;
  logic [Ports*22-1:0]     head_tag, front_tag;
  logic [Ports*4-1:0]      head_slot, front_slot;
  logic [Ports*5-1:0]      head_kind;
  logic [Ports*7-1:0]      head_flags;
  logic [Ports*32-1:0]     head_ctl, head_mask, head_pred, front_mask;
  logic [Ports*64-1:0]     head_base, head_ra, head_rb;
  logic [Ports-1:0]        front_last, front_header;
  logic [Ports*BeatBits-1:0] front_index;
  logic [Warps-1:0]        held;

  core_requests #(
    .Lanes(Lanes), .Ports(Ports), .QueueDepth(QueueDepth), .QueueBeats(QueueBeats), .Units(Units), .Arch(Arch), .Warps(Warps),
    .CtlBits(CtlBits), .UrBits(UrBits), .LiveBits(LiveBits), .Full(Full), .Wide(RcBits != 1), .Lean(Lean)
  ) u_core_requests (
    .clk_i, .rst_i, .arch_i, .req_valid_i, .req_ready_o, .req_tag_i, .req_word_i, .req_mask_i, .req_pred_i, .req_slot_i,
    .req_ur_i, .req_ra_i, .req_rb_i, .req_rc_i, .live_i(live), .beat_live_o(beat_live), .accept_o(accept), .front_tag_o(front_tag), .front_slot_o(front_slot),
    .front_mask_o(front_mask), .front_index_o(front_index), .front_last_o(front_last), .front_header_o(front_header),
    .exit_stay_i(exit_stay), .converge_idle_i(u_idle[`WL_UNIT_CONVERGENCE]), .refuse_valid_o(refuse_valid), .refuse_ready_i(refuse_ready), .u_beat_ready_i(u_beat_ready),
    .u_open_i(u_open), .u_beat_valid_o(u_beat_valid), .beat_taken_o(beat_taken), .beat_port_o(beat_port),
    .beat_unit_o(beat_unit), .beat_slot_o(beat_slot), .beat_kind_o(beat_kind), .beat_flags_o(beat_flags),
    .beat_tag_o(beat_tag), .beat_ctl_o(beat_ctl), .beat_mask_o(beat_mask), .beat_pred_o(beat_pred), .beat_base_o(beat_base),
    .beat_ur_o(beat_ur), .beat_index_o(beat_index), .beat_last_o(beat_last), .beat_part_o(beat_part),
    .beat_header_o(beat_header), .beat_ra_o(beat_ra), .beat_rb_o(beat_rb), .beat_rc_o(beat_rc),
    .u_done_valid_i(u_done_valid), .u_done_warp_i(u_done_warp), .u_head_ready_i(u_head_ready),
    .u_exit_ready_i(u_exit_ready), .exit_ready_i(exit_ready), .u_head_valid_o(u_head_valid), .head_taken_o(head_taken),
    .head_exit_o(head_exit), .head_tag_o(head_tag), .head_slot_o(head_slot), .head_kind_o(head_kind),
    .head_flags_o(head_flags), .head_ctl_o(head_ctl), .head_mask_o(head_mask), .head_pred_o(head_pred),
    .head_base_o(head_base), .head_ra_o(head_ra), .head_rb_o(head_rb), .held_o(held), .empty_o(q_empty)
  );

  // ---- the units -------------------------------------------------------------------------------------------
  localparam int ShareBits = $clog2(AtomSlots);
  localparam int ObjBits   = RowBits + $clog2(Banks) - 1;
  typedef `WL_ATOMS_HEAD   head_t;        // of atoms_pipe (rtl/atoms_pipe/atoms.bundles)
  typedef `WL_ATOMS_DATA   data_t;
  typedef `WL_ATOMS_BEGINS begins_t;
  typedef `WL_ATOMS_PASSED passed_t;
  typedef `WL_ATOMS_PARK   park_t;
  logic [PortBits-1:0]       rsp_port;
  logic [Ports-1:0]          rsp_room;          // the port's response queue has room for another request of atoms_pipe
  logic                      rsp_alloc, rsp_head_we;
  head_t                     rsp_head;
  data_t                     rsp_slot;
  logic [Lanes*128-1:0]      rsp_data;
  logic [Ports-1:0]          rsp_alloc_ready, rsp_whole_ready;
  logic [Ports*SlotBits-1:0] rsp_alloc_slot;
  logic                      mem_hold, mem_issue, mem_load, inject_idle;
  logic [Banks-1:0]          pipe_rd_en, pipe_wr_en, mem_rd_en, mem_rd_fwd, mem_wr_en;
  logic [Banks*RowBits-1:0]  pipe_rd_row, pipe_wr_row, mem_rd_row, mem_wr_row;
  logic [Banks*32-1:0]       pipe_wr_data, mem_rd_data, mem_wr_data;
  logic [Banks-1:0]          mem_rd_mark, pipe_mark_en, pipe_mark;
  logic [7:0]                arch;
  logic                      mbar_park;
  park_t                     mbar_parks;
  logic [Banks/2-1:0]        mbar_flip, mbar_flip_phase;
  logic [Banks/2*`WL_MBAR_END_BITS-1:0] mbar_flip_end;
  logic                      layout_v1;      // mbarriers with bit 0 have layout v1 of sm_107
  logic [Banks/2*RowBits-1:0] mbar_flip_row;
  logic                      pipe_ready, own_beat; // the beat is for atoms_pipe or mbarrier_engine

  // Beats of atom_unit sent to atoms_pipe too, for lanes in shared memory.
  localparam int WordBits  = Lanes * 128;
  localparam bit Atom      = ((Units >> `WL_UNIT_ATOM_UNIT) & 1) != 0;  // Lean: share_rb serves all beats, saves a mux
  logic                    share_valid, share_begin, share_pass, share_end;
  logic [ShareBits-1:0]    share_slot;
  begins_t                 share_begins;
  passed_t                 share_passed;
  logic [4:0]              share_kind;
  logic [31:0]             share_ctl;
  logic [Lanes-1:0]        share_mask;
  logic [Lanes*128-1:0]    share_rb;

  // Other CTAs of a beat's cluster.
  logic             asks, several;
  logic [3:0]       own_rank;
  logic [15:0]      there, lives;
  logic [16*13-1:0] there_base, there_size;
  assign asks = u_beat_valid[`WL_UNIT_ATOM_UNIT] || u_beat_valid[`WL_UNIT_MBARRIER_ENGINE];
  if (Cluster) begin : gen_cluster
    // Slots and ranks outside the build belong to no cluster, and must not alias built slots and ranks.
    localparam int CtaBits = $clog2(CtaSlots);
    logic                   cfg_here, asks_here, some;
    logic [Ports-1:0]       exit_here;
    logic [Ports*CtaBits-1:0] exit_slot;
    logic [CtaBits-1:0]     rank;
    logic [CtaSlots-1:0]    is_there, is_alive;
    logic [CtaSlots*13-1:0] base, size;
    assign cfg_here   = 32'(cfg_slot_i) < CtaSlots;
    assign asks_here  = 32'(beat_slot) < CtaSlots;
    assign several    = some && asks_here;
    assign own_rank   = 4'(rank);
    assign there      = 16'(is_there);
    assign lives      = 16'(is_alive);
    assign there_base = {(16 / CtaSlots){base}};
    assign there_size = {(16 / CtaSlots){size}};
    for (genvar p = 0; p < Ports; p++) begin : gen_exit
      assign exit_here[p]                      = head_exit[p] && 32'(head_slot[p*4 +: 4]) < CtaSlots;
      assign exit_slot[p*CtaBits +: CtaBits] = head_slot[p*4 +: CtaBits];
    end
    cluster_windows #(.Ports(Ports), .Slots(CtaSlots)) u_cluster_windows (
      .clk_i, .rst_i, .cfg_valid_i(cfg_valid_i && cfg_here), .cfg_slot_i(cfg_slot_i[CtaBits-1:0]),
      .cfg_window_valid_i(cfg_window_valid_i && 32'(cfg_rank_i) < CtaSlots), .cfg_base_i, .cfg_size_i, .cfg_cluster_i,
      .cfg_rank_i(cfg_rank_i[CtaBits-1:0]), .cfg_warps_i, .exit_i(exit_here), .exit_slot_i(exit_slot), .live_o(live),
      .valid_i(asks && asks_here), .slot_i(beat_slot[CtaBits-1:0]), .live_i(beat_live), .several_o(some), .rank_o(rank),
      .there_o(is_there), .lives_o(is_alive), .base_o(base), .size_o(size)
    );
  end else begin : gen_no_cluster
    assign {live, several, own_rank, there, lives, there_base, there_size} = '0;
    logic unused_cluster;
    assign unused_cluster = ^{beat_live, asks};
  end

  assign arch     = Arch == 0 ? arch_i : 8'(Arch);
  assign layout_v1 = arch == 8'd`WL_SM107;
  assign own_beat = u_beat_valid[`WL_UNIT_ATOMS_PIPE] || (Mbar && u_beat_valid[`WL_UNIT_MBARRIER_ENGINE]);

  // The beat on the beat bus for atoms_pipe: an own beat, or a beat shared by atom_unit.
  localparam int PipeKinds = (Mbar ? `WL_ATOMS_KIND_MBAR : 0) | (LayoutA ? `WL_ATOMS_KIND_LAYOUT_A : 0) |
                             (Preds ? `WL_ATOMS_KIND_PREDS : 0) | (Wide ? `WL_ATOMS_KIND_WIDE : 0) |
                             (Native != 0 ? `WL_ATOMS_KIND_NATIVE : 0) | (Matrix != 0 ? `WL_ATOMS_KIND_MATRIX : 0) |
                             (Cluster ? `WL_ATOMS_KIND_CLUSTER : 0) | (LayoutV1 ? `WL_ATOMS_KIND_LAYOUT_V1 : 0);
  typedef `WL_ATOMS_BEAT beat_t;
  beat_t               pipe_beat;
  logic [Lanes*32-1:0] pipe_ra;
  logic [`WL_TRACE_ATOMS_PIPE_BITS-1:0] pipe_trace;
  assign pipe_beat.port       = beat_port;
  assign pipe_beat.tag        = beat_tag;
  assign pipe_beat.slot       = beat_slot;
  assign pipe_beat.mbar       = beat_unit == `WL_UNIT_MBARRIER_ENGINE;
  assign pipe_beat.layout_v1  = layout_v1;
  assign pipe_beat.kind       = share_valid ? share_kind : beat_kind;
  assign pipe_beat.ctl        = share_valid ? share_ctl : beat_ctl;
  assign pipe_beat.flags      = beat_flags;
  assign pipe_beat.base       = beat_base[31:0];
  assign pipe_beat.index      = beat_index;
  assign pipe_beat.last       = beat_last;
  assign pipe_beat.mask       = share_valid ? 32'(share_mask) : beat_mask;
  assign pipe_beat.share      = share_valid;
  assign pipe_beat.share_slot = share_slot;
  for (genvar n = 0; n < Lanes; n++) begin : gen_pipe_ra
    assign pipe_ra[n*32 +: 32] = beat_ra[n*RaBits +: 32];
  end
  logic unused_ra;        // only atom_unit uses the upper half of an address
  assign unused_ra = ^beat_ra;
  atoms_pipe #(
    .Lanes(Lanes), .Banks(Banks), .PortBits(PortBits), .SlotBits(SlotBits), .SmemBytes(SmemBytes), .ShareBits(ShareBits),
    .Kinds(PipeKinds), .Combine(Combine), .FpStages(FpStages), .Ranks(Ranks), .Trace(Trace), .Lean(Lean)
  ) u_atoms_pipe (
    .clk_i, .rst_i,
    .beat_valid_i(own_beat || share_valid), .beat_ready_o(pipe_ready), .beat_i(pipe_beat), .beat_ra_i(pipe_ra),
    .beat_rb_i(share_valid || (Lean && Atom) ? share_rb : beat_rb), .beat_rc_i(WordBits'(beat_rc)),
    .done_valid_o(u_done_valid[`WL_UNIT_ATOMS_PIPE]), .done_warp_o(u_done_warp[`WL_UNIT_ATOMS_PIPE*6 +: 6]),
    .rsp_port_o(rsp_port), .rsp_alloc_ready_i(rsp_alloc_ready[rsp_port]),
    .rsp_whole_ready_i(rsp_whole_ready[rsp_port]), .rsp_alloc_o(rsp_alloc),
    .rsp_alloc_slot_i(rsp_alloc_slot[rsp_port*SlotBits +: SlotBits]), .rsp_head_we_o(rsp_head_we), .rsp_head_o(rsp_head),
    .rsp_o(rsp_slot), .rsp_data_o(rsp_data), .share_begin_o(share_begin), .share_begins_o(share_begins),
    .share_pass_o(share_pass), .share_end_o(share_end), .share_passed_o(share_passed),
    .cfg_valid_i, .cfg_slot_i, .cfg_window_valid_i, .cfg_base_i, .cfg_size_i, .cfg_rank_i,
    .cluster_i({several, there, lives, there_base, there_size}),
    .hold_i(mem_hold), .issue_o(mem_issue), .load_o(mem_load), .mem_rd_en_o(pipe_rd_en), .mem_rd_row_o(pipe_rd_row),
    .mem_rd_data_i(mem_rd_data), .mem_rd_fwd_i(mem_rd_fwd), .mem_wr_en_o(pipe_wr_en), .mem_wr_row_o(pipe_wr_row),
    .mem_wr_data_o(pipe_wr_data), .mem_rd_mark_i(mem_rd_mark), .mem_mark_en_o(pipe_mark_en), .mem_wr_mark_o(pipe_mark),
    .store_marks_i(arch >= 8'd100), .park_valid_o(mbar_park), .park_o(mbar_parks), .flip_o(mbar_flip),
    .flip_phase_o(mbar_flip_phase), .flip_end_o(mbar_flip_end), .flip_row_o(mbar_flip_row), .idle_o(u_idle[`WL_UNIT_ATOMS_PIPE]), .trace_o(pipe_trace),
    .trace_commit_row_o(trace_atoms_pipe_commit_row_o), .trace_commit_old_o(trace_atoms_pipe_commit_old_o),
    .trace_commit_now_o(trace_atoms_pipe_commit_now_o)
  );
  assign `WL_TRACE_ATOMS_PIPE_PORTS = pipe_trace;
  assign u_beat_ready[`WL_UNIT_ATOMS_PIPE]          = pipe_ready;
  assign u_open[`WL_UNIT_ATOMS_PIPE*Ports +: Ports] = rsp_room;
  `WL_NO_HEADS(`WL_UNIT_ATOMS_PIPE)

  // mbarrier_engine: the requests go through atoms_pipe. atoms_pipe reports waiting warps and ended phases. A landing
  // may end a phase, too.
  logic [Banks/2-1:0] land_flip;
  logic               land_flip_phase;
  logic [`WL_MBAR_END_BITS-1:0] land_flip_end;
  logic [RowBits-1:0] land_flip_row;
  localparam int MbarReleases = Banks / 2 + 1;
  logic [MbarReleases-1:0]     mbar_rel_valid;
  logic [MbarReleases*121-1:0] mbar_rel;
  if (Mbar) begin : gen_mbarrier_engine
    mbarrier_engine #(
      .Banks(Banks), .Warps(Warps), .RowBits(RowBits), .Suspend(Suspend), .LayoutV1(LayoutV1)
    ) u_mbarrier_engine (
      .clk_i, .rst_i, .park_valid_i(mbar_park), .park_warp_i(mbar_parks.warp), .park_slot_i(mbar_parks.slot),
      .park_object_i(mbar_parks.object), .park_parity_i(mbar_parks.parity),
      .park_conditional_i(mbar_parks.conditional), .flip_i(mbar_flip | land_flip),
      .flip_end_i(land_flip != '0 ? {Banks/2{land_flip_end}} : mbar_flip_end),
      .flip_phase_i(land_flip != '0 ? {Banks/2{land_flip_phase}} : mbar_flip_phase),
      .flip_row_i(land_flip != '0 ? {Banks/2{land_flip_row}} : mbar_flip_row),
      .rel_valid_o(mbar_rel_valid), .rel_o(mbar_rel)
    );
    assign u_beat_ready[`WL_UNIT_MBARRIER_ENGINE]          = pipe_ready;
    assign u_open[`WL_UNIT_MBARRIER_ENGINE*Ports +: Ports] = rsp_room;
    assign u_done_valid[`WL_UNIT_MBARRIER_ENGINE]          = 1'b0;           // reported by atoms_pipe
    assign u_done_warp[`WL_UNIT_MBARRIER_ENGINE*6 +: 6]    = '0;
    assign u_idle[`WL_UNIT_MBARRIER_ENGINE]                = 1'b1;
    `WL_NO_HEADS(`WL_UNIT_MBARRIER_ENGINE)
  end else begin : gen_no_mbarrier_engine
    assign mbar_rel_valid = '0;
    assign mbar_rel       = '0;
    logic unused_mbar;
    assign unused_mbar = ^{mbar_park, mbar_parks, mbar_flip,
                           mbar_flip_phase, mbar_flip_end, mbar_flip_row, mbar_rel_valid, mbar_rel, land_flip, land_flip_phase,
                           land_flip_end, land_flip_row};
  end

  // A block for each unit: `if (Units[WL_UNIT_<UNIT>]) begin : gen_<unit>`, as in rtl/core/README.md.
  if (((Units >> `WL_UNIT_BARRIER_FILE) & 1) != 0) begin : gen_barrier_file
    localparam int At = count_below(Units, 32'(`WL_UNIT_BARRIER_FILE));
    logic [Ports-1:0] ready, commit, fault;
    barrier_place #(.Lanes(Lanes), .Ports(Ports), .Warps(Warps), .Lean(Lean)) u_barrier_place (
      .clk_i, .rst_i, .cfg_valid_i, .cfg_slot_i, .cfg_open_i(cfg_window_valid_i), .cfg_warps_i, .head_valid_i(u_head_valid[`WL_UNIT_BARRIER_FILE*Ports +: Ports]),
      .head_exit_i(head_exit), .head_ready_o(ready), .head_kind_i(head_kind), .head_ctl_i(head_ctl),
      .head_tag_i(head_tag), .head_slot_i(head_slot), .head_ra_i(head_ra), .head_rb_i(head_rb), .head_mask_i(head_mask),
      .head_pred_i(head_pred), .rsp_valid_o(o_rsp_valid[At +: Ports]), .rsp_take_i(o_rsp_take[At +: Ports]),
      .rsp_o(o_rsp[At*RspBits +: Ports*RspBits]), .rsp_data_o(o_rsp_data[At*Lanes*128 +: Ports*Lanes*128]),
      .park_valid_o(o_park_valid[At +: Ports]), .park_slot_o(o_park_slot[At*4 +: Ports*4]),
      .park_id_o(o_park_id[At*16 +: Ports*16]), .park_warps_o(o_park_warps[At*Warps +: Ports*Warps]),
      .rel_valid_o(o_rel_valid[At +: Ports]), .rel_o(o_rel[At*121 +: Ports*121]),
      .status_valid_i(bar_valid_i), .status_ready_o(bar_ready_o), .status_slot_i(bar_slot_i), .status_id_i(bar_id_i),
      .status_valid_o(bar_valid_o), .status_o(bar_status_o), .fault_o(fault), .fault_code_o(trace_barrier_file_fault_code_o),
      .commit_o(commit), .judged_tag_o(trace_barrier_file_fault_tag_o), .judged_mask_o(trace_barrier_file_fault_lanes_o),
      .idle_o(u_idle[`WL_UNIT_BARRIER_FILE])
    );
    assign u_head_ready[`WL_UNIT_BARRIER_FILE*Ports +: Ports] = ready;
    assign u_exit_ready[`WL_UNIT_BARRIER_FILE*Ports +: Ports] = ready;
    `WL_NO_BEATS(`WL_UNIT_BARRIER_FILE)
    assign trace_barrier_file_fault_valid_o  = Trace ? fault : '0;
    assign trace_barrier_file_commit_valid_o = Trace ? commit : '0;
    assign trace_barrier_file_commit_tag_o   = trace_barrier_file_fault_tag_o;
    assign trace_barrier_file_commit_lanes_o = trace_barrier_file_fault_lanes_o;
    logic unused_buses;   // possibly without a reader in this build
    assign unused_buses = ^{beat_mask, beat_pred, beat_base, beat_rc, head_flags, head_base, o_rel_take};
  end else begin : gen_no_barrier_file
    assign bar_ready_o  = 1'b0;
    assign bar_valid_o  = 1'b0;
    assign bar_status_o = '0;
    logic unused_status;
    assign unused_status = ^{cfg_warps_i, bar_valid_i, bar_slot_i, bar_id_i};
  end

  if (((Units >> `WL_UNIT_ATOM_UNIT) & 1) != 0) begin : gen_atom_unit
    localparam int At = count_below(Units, 32'(`WL_UNIT_ATOM_UNIT));
    logic unused_base;
    assign unused_base = ^{o_rel_take[At], o_rsp_take[At]};
    if (Lean) begin : gen_lean
      if (Combine > 0) begin : gen_bad_combine
        atom_unit_lean_does_not_combine u_bad ();
      end
      atom_unit_lean #(.Lanes(Lanes), .Ports(Ports), .SlotBits(ShareBits), .Trace(Trace), .Cluster(Cluster)) u_atom_unit (
`include "atom_unit_pins.vh"
      );
    end else begin : gen_full
      atom_unit #(.Lanes(Lanes), .Ports(Ports), .Slots(AtomSlots), .Ids(AtomIds), .FpStages(FpStages), .Combine(Combine),
        .Trace(Trace), .Cluster(Cluster)) u_atom_unit (
`include "atom_unit_pins.vh"
      );
    end
    `WL_NO_HEADS(`WL_UNIT_ATOM_UNIT)
    `WL_NO_WAITS(At, 1)
    assign mem_rsp_ready_o = 1'b1;
  end else begin : gen_no_atom_unit
    assign {share_valid, share_slot, share_kind, share_ctl, share_mask, share_rb} = '0;
    logic unused_share;
    assign unused_share = ^{share_begin, share_begins, share_pass, share_end, share_passed, own_rank, shared_window_i, local_window_i};
    assign {mem_req_valid_o, mem_req_id_o, mem_req_write_o, mem_req_cond_o, mem_req_addr_o, mem_req_mask_o, mem_req_data_o,
            mem_req_policy_o, mem_req_policy_valid_o} = '0;
    assign mem_rsp_ready_o = 1'b1;
    logic unused_memory;
    assign unused_memory = ^{mem_req_ready_i, mem_rsp_valid_i, mem_rsp_id_i, mem_rsp_ok_i, mem_rsp_halves_i, mem_rsp_data_i};
  end

  if (((Units >> `WL_UNIT_WARP_COLLECTIVE) & 1) != 0) begin : gen_warp_collective
    localparam int At = count_below(Units, 32'(`WL_UNIT_WARP_COLLECTIVE));
    if (Lean) begin : gen_lean
      warp_collective_lean #(.Lanes(Lanes), .Ports(Ports), .Trace(Trace)) u_warp_collective (
`include "warp_collective_pins.vh"
      );
    end else begin : gen_full
      warp_collective #(.Lanes(Lanes), .Ports(Ports), .Trace(Trace)) u_warp_collective (
`include "warp_collective_pins.vh"
      );
    end
    `WL_NO_HEADS(`WL_UNIT_WARP_COLLECTIVE)
    `WL_NO_WAITS(At, Ports)
  end

  if (Converge) begin : gen_convergence
    localparam int At = count_below(Units, 32'(`WL_UNIT_CONVERGENCE));
    logic [Ports*6-1:0] exit_warp;
    for (genvar p = 0; p < Ports; p++) begin : gen_port
      assign exit_warp[p*6 +: 6] = front_tag[p*22 + 16 +: 6];
    end
    if (Lean) begin : gen_lean
      convergence_lean #(.Lanes(Lanes), .Ports(Ports), .Warps(Warps), .Trace(Trace)) u_convergence (
`include "convergence_pins.vh"
      );
    end else begin : gen_full
      convergence #(.Lanes(Lanes), .Ports(Ports), .Warps(Warps), .Trace(Trace)) u_convergence (
`include "convergence_pins.vh"
      );
    end
    `WL_NO_HEADS(`WL_UNIT_CONVERGENCE)
    `WL_NO_WAITS(At, Ports)
  end else begin : gen_no_convergence
    assign exit_stay = '0;
    logic unused_launch;
    assign unused_launch = ^{cfg_warps_i, cfg_first_i, cfg_lanes_i, beat_part, beat_header, front_slot};
  end

  if (((Units >> `WL_UNIT_FENCE_UNIT) & 1) != 0) begin : gen_fence_unit
    localparam int At = count_below(Units, 32'(`WL_UNIT_FENCE_UNIT));
    logic fence_commit;
    fence_unit #(.Lanes(Lanes), .Ports(Ports), .Warps(Warps)) u_fence_unit (
      .clk_i, .rst_i, .head_valid_i(u_head_valid[`WL_UNIT_FENCE_UNIT*Ports +: Ports]),
      .head_ready_o(u_head_ready[`WL_UNIT_FENCE_UNIT*Ports +: Ports]),
      .head_kind_i(head_kind), .head_tag_i(head_tag), .head_slot_i(head_slot), .head_mask_i(head_mask),
      .park_valid_o(o_park_valid[At]), .park_slot_o(o_park_slot[At*4 +: 4]), .park_warps_o(o_park_warps[At*Warps +: Warps]),
      .rel_valid_o(o_rel_valid[At]), .rel_take_i(o_rel_take[At]), .rel_o(o_rel[At*121 +: 121]),
      .rsp_valid_o(o_rsp_valid[At]), .rsp_take_i(o_rsp_take[At]), .rsp_port_o(o_rsp_port[At*PortBits +: PortBits]),
      .rsp_o(o_rsp[At*RspBits +: RspBits]), .commit_o(fence_commit), .commit_tag_o(trace_fence_unit_commit_tag_o),
      .commit_lanes_o(trace_fence_unit_commit_lanes_o),
      .idle_o(u_idle[`WL_UNIT_FENCE_UNIT])
    );
    assign trace_fence_unit_commit_valid_o = Trace && fence_commit;
    assign o_park_id[At*16 +: 16]                = '0;
    assign o_rsp_data[At*Lanes*128 +: Lanes*128] = '0;
    assign u_exit_ready[`WL_UNIT_FENCE_UNIT*Ports +: Ports] = '1;
    `WL_NO_BEATS(`WL_UNIT_FENCE_UNIT)
  end

  if (((Units >> `WL_UNIT_CLUSTER_BARRIER) & 1) != 0) begin : gen_cluster_barrier
    localparam int At = count_below(Units, 32'(`WL_UNIT_CLUSTER_BARRIER));
    logic [Ports-1:0] waits, ready, fault, commit;
    for (genvar p = 0; p < Ports; p++) begin : gen_port
      assign waits[p] = head_ctl[p*32 + `WL_CLUSTER_BARRIER_CTL_OP];
    end
    assign o_rsp_data[At*Lanes*128 +: Ports*Lanes*128] = '0;
    if (Lean) begin : gen_lean
      cluster_barrier_lean #(.Lanes(Lanes), .Ports(Ports), .Warps(Warps)) u_cluster_barrier (
`include "cluster_barrier_pins.vh"
      );
    end else begin : gen_full
      cluster_barrier #(.Lanes(Lanes), .Ports(Ports), .Warps(Warps)) u_cluster_barrier (
`include "cluster_barrier_pins.vh"
      );
    end
    assign u_head_ready[`WL_UNIT_CLUSTER_BARRIER*Ports +: Ports] = ready;
    assign u_exit_ready[`WL_UNIT_CLUSTER_BARRIER*Ports +: Ports] = ready;
    `WL_NO_BEATS(`WL_UNIT_CLUSTER_BARRIER)
    assign trace_cluster_barrier_fault_valid_o  = Trace ? fault : '0;
    assign trace_cluster_barrier_commit_valid_o = Trace ? commit : '0;
    assign trace_cluster_barrier_commit_tag_o   = trace_cluster_barrier_fault_tag_o;
    assign trace_cluster_barrier_commit_lanes_o = trace_cluster_barrier_fault_lanes_o;
  end else begin : gen_no_cluster_barrier
    logic unused_cluster;
    assign unused_cluster = ^{cfg_cluster_i, cfg_first_i, cfg_warps_i};
  end

  // ---- units that are not built ----------------------------------------------------------------------------
  for (genvar u = 1; u < 16; u++) begin : gen_absent
    if (((Units >> u) & 1) == 0) begin : gen_none
      `WL_NO_BEATS(u)
      `WL_NO_HEADS(u)
      assign u_idle[u] = 1'b1;
    end
  end
  if (Others == 0) begin : gen_atoms_pipe_alone
    assign {o_rsp_valid, o_rsp_port, o_rsp, o_rsp_data} = '0;
    assign o_park_unit = '0;
    `WL_NO_WAITS(0, 1)
  end

  // Not every unit reads all of the buses.
  logic unused_buses;
  assign unused_buses = ^{o_rsp_valid, o_rsp_port, o_rsp, o_rsp_take, o_park_valid, o_park_unit, o_park_slot, o_park_id,
                          o_park_warps, o_rel_valid, o_rel, o_rel_take, head_slot, head_kind, head_flags, head_ctl,
                          head_mask, head_pred, head_base, head_ra, head_rb, beat_base, beat_ur, beat_mask, beat_pred, beat_rc,
                          beat_taken, beat_unit, beat_slot, u_beat_valid, u_head_valid, front_index};

  // ---- shared memory ---------------------------------------------------------------------------------------
  logic                land_commit;
  logic [2:0]          land_commit_kind;
  logic [15:0]         land_commit_addr;
  logic [Banks-1:0]    land_commit_words, land_mark;
  logic [Banks*32-1:0] land_commit_now;

  smem_inject #(.Banks(Banks), .SmemBytes(SmemBytes), .Mbar(Mbar), .LayoutA(LayoutA), .LayoutV1(LayoutV1), .Lean(Lean)) u_smem_inject (
    .clk_i, .rst_i, .host_valid_i, .host_ready_o, .host_write_i, .host_addr_i, .host_wdata_i, .host_rvalid_o,
    .host_rdata_o, .land_valid_i, .land_ready_o, .land_kind_i, .land_op_i, .land_addr_i, .land_words_i, .land_wdata_i,
    .land_rvalid_o, .land_rdata_o, .land_fault_o, .layout_a_i(arch < 8'd90), .layout_v1_i(layout_v1), .hold_o(mem_hold), .issue_i(mem_issue),
    .load_i(mem_load), .rd_mark_i(mem_rd_mark), .land_mark_o(land_mark), .flip_o(land_flip),
    .flip_phase_o(land_flip_phase), .flip_end_o(land_flip_end), .flip_row_o(land_flip_row), .pipe_rd_en_i(pipe_rd_en),
    .pipe_rd_row_i(pipe_rd_row), .pipe_wr_en_i(pipe_wr_en), .pipe_wr_row_i(pipe_wr_row), .pipe_wr_data_i(pipe_wr_data),
    .rd_en_o(mem_rd_en), .rd_row_o(mem_rd_row), .rd_data_i(mem_rd_data), .wr_en_o(mem_wr_en), .wr_row_o(mem_wr_row),
    .wr_data_o(mem_wr_data), .idle_o(inject_idle), .land_commit_o(land_commit), .land_commit_kind_o(land_commit_kind),
    .land_commit_addr_o(land_commit_addr), .land_commit_words_o(land_commit_words), .land_commit_now_o(land_commit_now)
  );
  smem_banks #(.Banks(Banks), .SmemBytes(SmemBytes), .Marks(Mbar)) u_smem_banks (
    .clk_i, .rd_en_i(mem_rd_en), .rd_row_i(mem_rd_row), .rd_data_o(mem_rd_data), .rd_fwd_o(mem_rd_fwd),
    .rd_mark_o(mem_rd_mark), .wr_en_i(mem_wr_en), .wr_row_i(mem_wr_row), .wr_data_i(mem_wr_data),
    .wr_mark_en_i(mem_wr_en | pipe_mark_en), .wr_mark_i(pipe_mark | land_mark)
  );

  // ---- responses -------------------------------------------------------------------------------------------
  localparam int Sources = 2 + Others;    // atoms_pipe, the other units, sync_core itself

  logic [Ports-1:0]                rsp_empty, answers_empty, matrix_busy;
  logic [Ports*OtherSize-1:0]      others_take;

  for (genvar p = 0; p < Ports; p++) begin : gen_rsp
    logic                       here, data_here;
    logic [Sources-1:0]         valid, take;
    logic [Sources*RspBits-1:0] rsp;
    logic [Lanes*128-1:0]       slot_data;
    logic [$clog2(Lanes)-1:0]   read_lane;
    logic [127:0]               lane_data;
    localparam int MergeBits = 30 + Lanes * 7;
    logic                       merged, merged_ready;
    logic [MergeBits-1:0]       head, port_head;
    logic [Lanes-1:0]           mask;
    logic [Lanes*128-1:0]       data;
    logic [4:0]                 matrix;
    assign here      = rsp_port == PortBits'(p);
    assign data_here = rsp_slot.port == PortBits'(p);
    logic skip;
    rsp_queue #(.Lanes(Lanes), .Depth(RspBeats), .Mbar(Mbar), .Preds(Preds), .Cluster(Cluster), .Matrix(Matrix != 0), .Lean(Lean)) u_queue (
      .clk_i, .rst_i, .alloc_ready_o(rsp_alloc_ready[p]), .whole_ready_o(rsp_whole_ready[p]), .alloc_i(rsp_alloc && here),
      .alloc_slot_o(rsp_alloc_slot[p*SlotBits +: SlotBits]), .head_we_i(rsp_head_we && here),
      .head_slot_i(rsp_head.slot), .head_i(rsp_head.head), .matrix_i(rsp_head.matrix), .data_we_i(data_here ? rsp_slot.we : '0),
      .data_slot_i(rsp_slot.slot), .data_i(rsp_data), .finish_i(rsp_slot.finish && data_here),
      .pred_i(data_here ? rsp_slot.pred : '0),
      .special_i(rsp_slot.special), .extra_i(rsp_slot.extra), .hold_i(rsp_slot.hold), .drop_i(rsp_slot.drop), .rsp_skip_o(skip),
      .rsp_valid_o(valid[0]), .rsp_take_i(take[0]), .other_take_i(take[Sources-1:1] != '0), .rsp_o(rsp[RspBits-1:0]),
      .rsp_data_o(slot_data), .rsp_matrix_o(matrix), .read_lane_i(read_lane), .lane_data_o(lane_data), .empty_o(rsp_empty[p])
    );
    for (genvar o = 0; o < Others; o++) begin : gen_other
      assign valid[1 + o]                  = o_rsp_valid[o] && o_rsp_port[o*PortBits +: PortBits] == PortBits'(p);
      assign rsp[(1 + o)*RspBits +: RspBits] = o_rsp[o*RspBits +: RspBits];
      assign others_take[p*OtherSize + o]  = take[1 + o];
    end
    if (Others == 0) begin : gen_no_other
      assign others_take[p] = 1'b0;
    end
    port_answers #(.Lanes(Lanes)) u_answers (
      .clk_i, .rst_i, .refuse_valid_i(refuse_valid[p]), .refuse_ready_o(refuse_ready[p]), .refuse_tag_i(front_tag[p*22 +: 22]),
      .refuse_mask_i(front_header[p] ? Lanes'(1) : front_mask[p*32 +: Lanes]), .refuse_last_i(front_last[p]),
      .exit_valid_i(head_exit[p]), .exit_ready_o(exit_ready[p]), .exit_tag_i(head_tag[p*22 +: 22]),
      .rsp_valid_o(valid[Sources-1]), .rsp_take_i(take[Sources-1]), .rsp_o(rsp[(Sources-1)*RspBits +: RspBits]),
      .empty_o(answers_empty[p])
    );
    rsp_merge #(.Lanes(Lanes), .Sources(Sources), .Wide(Others), .Lean(Lean)) u_merge (
      .clk_i, .rst_i, .valid_i(valid), .take_o(take), .rsp_i(rsp), .data0_i(slot_data), .data_i(o_rsp_data),
      .lane_o(read_lane), .lane_data_i(lane_data),
      .rsp_valid_o(merged), .rsp_ready_i(merged_ready), .rsp_tag_o(head[21:0]), .rsp_last_o(head[22]),
      .rsp_passes_o(head[28:23]), .rsp_mask_o(mask), .rsp_pred_o(head[29 +: Lanes]), .rsp_data_o(data),
      .rsp_any_fault_o(head[29 + Lanes]), .rsp_fault_o(head[30 + Lanes +: Lanes*6])
    );
    if (Matrix != 0) begin : gen_matrix
      matrix_result #(.Lanes(Lanes), .HeadBits(MergeBits)) u_result (
        .clk_i, .rst_i, .valid_i(merged), .ready_o(merged_ready), .matrix_i(matrix), .head_i(head), .mask_i(mask), .data_i(data),
        .valid_o(rsp_valid_o[p]), .ready_i(rsp_ready_i[p]), .head_o(port_head), .mask_o(rsp_mask_o[p*Lanes +: Lanes]),
        .data_o(rsp_data_o[p*Lanes*128 +: Lanes*128]), .busy_o(matrix_busy[p])
      );
    end else begin : gen_no_matrix
      assign {port_head, rsp_valid_o[p], merged_ready, matrix_busy[p]} = {head, merged, rsp_ready_i[p], 1'b0};
      assign rsp_mask_o[p*Lanes +: Lanes]             = mask;
      assign rsp_data_o[p*Lanes*128 +: Lanes*128]     = data;
      logic unused_matrix;
      assign unused_matrix = ^matrix;
    end
    assign {rsp_fault_o[p*Lanes*6 +: Lanes*6], rsp_any_fault_o[p], rsp_pred_o[p*Lanes +: Lanes], rsp_passes_o[p*6 +: 6],
            rsp_last_o[p], rsp_tag_o[p*22 +: 22]} = port_head;

    // With several ports a request enters atoms_pipe when all beats of the request have room here. So a port with
    // stalled responses holds up its own requests only.
    if (Ports > 1) begin : gen_room
      logic [SlotBits:0] promised_q;      // slots of admitted requests, not yet read out
      logic              enters;
      assign enters      = beat_taken && own_beat && beat_port == PortBits'(p) && beat_index == '0;
      assign rsp_room[p] = promised_q <= (SlotBits + 1)'(RspBeats - Beats);
      always_ff @(posedge clk_i) begin
        if (rst_i) promised_q <= '0;
        else promised_q <= promised_q + (enters ? (SlotBits + 1)'(Beats) : '0) - (SlotBits + 1)'(take[0] || skip);
      end
    end else begin : gen_one_room
      logic unused_skip;
      assign unused_skip = skip;
      assign rsp_room[p] = 1'b1;
    end
  end

  // ---- waits -----------------------------------------------------------------------------------------------
  if (Others > 0 || Mbar) begin : gen_waits
    always_comb begin
      o_rsp_take = '0;
      for (int p = 0; p < Ports; p++) o_rsp_take = o_rsp_take | others_take[p*OtherSize +: OtherSize];
    end
    core_waits #(
      .Ports(Ports), .Banks(Banks), .Units(Units), .Warps(Warps), .Places(OtherSize), .Releases(Releases)
    ) u_core_waits (
      .clk_i, .rst_i, .note_i({beat_taken && beat_last && beat_flags[`WL_FLAG_WAITS], head_taken}),
      .note_tag_i({beat_tag, head_tag}), .park_valid_i(o_park_valid), .park_unit_i(o_park_unit), .park_slot_i(o_park_slot),
      .park_id_i(o_park_id), .park_warps_i(o_park_warps), .rel_valid_i(o_rel_valid), .rel_take_o(o_rel_take), .rel_i(o_rel),
      .mbar_park_valid_i(mbar_park), .mbar_park_warp_i(mbar_parks.warp), .mbar_park_slot_i(mbar_parks.slot),
      .mbar_park_id_i(16'(mbar_parks.object)), .mbar_rel_valid_i(mbar_rel_valid), .mbar_rel_i(mbar_rel), .rel_valid_o,
      .rel_gave_up_o, .rel_unit_o, .rel_slot_o, .rel_id_o, .rel_phase_o, .rel_warps_o, .rel_value_o, .wait_warp_i,
      .wait_valid_o, .wait_unit_o, .wait_slot_o, .wait_id_o, .wait_tag_o
    );
  end else begin : gen_no_waits
    assign {o_rsp_take, o_rel_take, wait_valid_o, wait_unit_o, wait_slot_o, wait_id_o, wait_tag_o} = '0;
    assign {rel_valid_o, rel_gave_up_o, rel_unit_o, rel_slot_o, rel_id_o, rel_phase_o, rel_warps_o, rel_value_o} = '0;
    logic unused_takes;
    assign unused_takes = ^{others_take, head_taken, wait_warp_i};
  end
  assign wait_held_o = held[wait_warp_i[WarpBits-1:0]];
  assign idle_o      = q_empty && &u_idle && &rsp_empty && &answers_empty && rsp_valid_o == '0 && matrix_busy == '0 && held == '0 && inject_idle;

  // ---- trace -----------------------------------------------------------------------------------------------
`include "trace_absent.vh"
  for (genvar p = 0; p < Ports; p++) begin : gen_trace
    logic [31:0] lanes;
    if (Lanes < 32) begin : gen_shift
      assign lanes = front_header[p] ? front_mask[p*32 +: 32] :
                     32'(front_mask[p*32 +: Lanes]) << {front_index[p*BeatBits +: BeatBits], {$clog2(Lanes){1'b0}}};
    end else begin : gen_no_shift
      assign lanes = front_mask[p*32 +: 32];
    end
    assign trace_sync_core_refuse_valid_o[p]         = Trace && refuse_valid[p] && refuse_ready[p] && lanes != '0;
    assign trace_sync_core_refuse_tag_o[p*22 +: 22]   = front_tag[p*22 +: 22];
    assign trace_sync_core_refuse_lanes_o[p*32 +: 32] = lanes;
    assign trace_sync_core_exit_valid_o[p]           = Trace && head_exit[p];
    assign trace_sync_core_exit_tag_o[p*22 +: 22]     = head_tag[p*22 +: 22];
  end
  assign trace_sync_core_land_valid_o = Trace && land_commit;
  assign trace_sync_core_land_code_o  = land_commit_kind;
  assign trace_sync_core_land_addr_o  = land_commit_addr;
  assign trace_sync_core_land_words_o = land_commit_words;
  assign trace_sync_core_land_fault_o = land_fault_o;
  assign trace_sync_core_land_now_o   = land_commit_now;
  assign trace_accept_o               = Trace ? accept : '0;
  assign trace_retire_o               = Trace ? rsp_valid_o & rsp_ready_i & rsp_last_o : '0;
endmodule
`default_nettype wire
