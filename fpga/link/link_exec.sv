// SPDX-License-Identifier: Apache-2.0
// Executes the command of a frame: drives the ports of sync_core and writes the answer. docs/fpga-link.md has the
// commands.
//
// A frame with the sequence number and the type of the previous frame is a repetition: the old answer goes out again
// and nothing is done twice. So the host may send a frame again whenever no answer comes.
`default_nettype none

module link_exec #(
  parameter int Lanes      = 4,
  parameter int Banks      = 4,
  parameter bit Lands      = 1'b0,              // pieces of copies may land: LAND
  parameter bit Memory     = 1'b0,              // a unit asks for the host's memory: MEMORY
  parameter int MemoryBytes = 0,                // of memory on the board: PLACE, STORE and LOAD
  parameter int BufferBits = 11,
  parameter int InfoBytes  = 20,                // 20 at most
  parameter int StatusBits = 127,               // of a named barrier
  parameter bit Stimulus   = 1'b0,              // the stimulus is built: ENTRY, RUN and RESULT
  parameter int LaneBits   = $clog2(Lanes),     // derived, do not override
  parameter int SectorBits = MemoryBytes > 0 ? $clog2(MemoryBytes / 32) : 1    // derived
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  input  logic [InfoBytes*8-1:0] info_i,        // answer to IDENTIFY; constant

  // frames
  input  logic                   frame_i,
  input  logic                   bad_i,
  input  logic [BufferBits-1:0]  length_i,
  input  logic [7:0]             seq_i,
  input  logic [7:0]             type_i,
  output logic [BufferBits-1:0]  addr_o,
  input  logic [7:0]             data_i,
  output logic                   busy_o,

  // answers
  output logic                   start_o,
  input  logic                   sending_i,
  output logic [BufferBits-1:0]  length_o,
  output logic [7:0]             seq_o,
  output logic [7:0]             type_o,
  input  logic [BufferBits-1:0]  addr_i,
  output logic [7:0]             data_o,

  // snapshots
  input  logic                   event_valid_i,
  input  logic [7:0]             event_byte_i,
  input  logic                   event_more_i,
  output logic                   event_ready_o,
  input  logic                   event_end_i,
  input  logic                   event_lost_i,

  // sync_core
  output logic                   core_rst_o,
  input  logic                   core_idle_i,
  output logic [7:0]             arch_o,
  output logic                   req_valid_o,
  input  logic                   req_ready_i,
  output logic [21:0]            req_tag_o,
  output logic [127:0]           req_word_o,
  output logic [31:0]            req_mask_o,
  output logic [31:0]            req_pred_o,
  output logic [3:0]             req_slot_o,
  output logic [63:0]            req_ur_o,
  output logic                   op_we_o,       // the next operand word of the lane: all ten, Ra 0, 1, Rb 2 to 5, Rc 6 to 9
  output logic [LaneBits-1:0]    op_lane_o,
  output logic [3:0]             op_word_o,
  output logic [31:0]            op_data_o,
  output logic                   cfg_valid_o,
  output logic [3:0]             cfg_slot_o,
  output logic                   cfg_open_o,
  output logic [16:0]            cfg_base_o,
  output logic [16:0]            cfg_size_o,
  output logic [5:0]             cfg_warps_o,
  output logic [5:0]             cfg_first_o,
  output logic [5:0]             cfg_lanes_o,
  output logic [3:0]             cfg_cluster_o,
  output logic [3:0]             cfg_rank_o,
  output logic                   host_valid_o,
  input  logic                   host_ready_i,
  output logic                   host_write_o,
  output logic [15:0]            host_addr_o,
  output logic [31:0]            host_wdata_o,
  input  logic                   host_rvalid_i,
  input  logic [31:0]            host_rdata_i,
  output logic [5:0]             wait_warp_o,
  input  logic [63:0]            wait_i,         // {tag (24), id (16), slot (8), unit (8), held, valid: 8}
  output logic                   land_valid_o,
  input  logic                   land_ready_i,
  output logic [2:0]             land_kind_o,
  output logic [5:0]             land_op_o,
  output logic [15:0]            land_addr_o,
  output logic [Banks-1:0]       land_words_o,
  output logic [Banks*32-1:0]    land_wdata_o,
  output logic                   mem_rsp_valid_o,
  input  logic                   mem_rsp_ready_i,
  output logic [3:0]             mem_rsp_id_o,
  output logic                   mem_rsp_ok_o,
  output logic [1:0]             mem_rsp_halves_o,
  output logic [255:0]           mem_rsp_data_o,
  output logic                   bar_valid_o,
  input  logic                   bar_ready_i,
  output logic [3:0]             bar_slot_o,
  output logic [3:0]             bar_id_o,
  input  logic                   bar_rvalid_i,
  input  logic [StatusBits-1:0]  bar_rdata_i,

  // memory on the board
  output logic                   place_valid_o,
  output logic                   place_open_o,
  output logic [42:0]            place_addr_o,
  output logic                   sector_valid_o,
  output logic                   sector_write_o,
  output logic [SectorBits-1:0]  sector_o,
  output logic [1:0]             sector_halves_o,
  output logic [31:0]            sector_mask_o,
  output logic [255:0]           sector_data_o,
  input  logic [255:0]           sector_data_i,  // in the cycle after a read
  input  logic [31:0]            served_i,       // requests answered by memory on the board

  // on-chip stimulus
  output logic                   stim_entry_o,
  output logic                   stim_start_o,
  output logic [151:0]           stim_args_o,   // of ENTRY; of RUN in its highest bits
  output logic [7:0]             stim_addr_o,
  input  logic [31:0]            stim_data_i,   // in the cycle after
  input  logic                   stim_active_i
);
  localparam int SectorBytes = 37;               // of STORE: halves, mask, data
  localparam int OutBytes  = MemoryBytes > 0 ? 32 : 20;
  localparam int LaneBytes = 40;                 // Ra 8, Rb 16, Rc 16; a map marks the non-zero words
  localparam int Beats = 32 / Lanes;
  localparam logic [BufferBits-1:0] PollFull = BufferBits'((1 << BufferBits) - 512);

  localparam logic [5:0]
    Idle = 6'd0, Args = 6'd1, Start = 6'd2, Status = 6'd3, Put = 6'd4, Send = 6'd5, Sending = 6'd6, ResetCore = 6'd7,
    SetWindow = 6'd8, WordIn = 6'd9, HostWrite = 6'd10, HostRead = 6'd11, HostAnswer = 6'd12, Lane = 6'd13,
    Operand = 6'd14, Offer = 6'd15, Events = 6'd16, AskWait = 6'd17, AskBar = 6'd18, BarAnswer = 6'd19,
    Refuse = 6'd20, Map = 6'd21, SetEntry = 6'd22, StartRun = 6'd23, AskResult = 6'd24, TakeResult = 6'd25,
    GiveLand = 6'd26, GiveAnswer = 6'd27, SetPlace = 6'd28, SectorIn = 6'd29, PutSector = 6'd30, AskSector = 6'd31,
    TakeSector = 6'd32;

  logic [5:0]            state_q, then_q;        // state; the state after Put
  logic [BufferBits-1:0] rd_q, wr_q;             // bytes of the frame read, of the answer written
  logic                  settled_q;              // data_i is the byte at rd_q
  logic [7:0]            last_seq_q, type_q;
  logic                  any_q;                  // a frame has been answered since reset
`include "link_commands.vh"
  localparam int ArgBits = ArgBytes * 8;
  logic [ArgBits-1:0]    args_q;                 // last byte read is the highest
  logic [6:0]            nargs_q;
  logic [OutBytes*8-1:0] out_q;                  // bytes to write to the answer, low first
  logic [5:0]            nout_q;
  logic [SectorBits-1:0] sector_q;               // of STORE and LOAD
  logic [BufferBits-1:0] left_q;                 // words of WRITE and READ, sectors, warps of WAITS still to do; cycles of POLL and RESET
  logic [2:0]            beat_q;
  logic [LaneBits-1:0]   lane_q;
  logic [5:0]            at_q;                   // byte of the lane's operands
  logic [63:0]           cycle_q;
  logic [31:0]           bad_q, repeated_q;

  // ---- buffers
  (* no_rw_check *) logic [7:0] mem [1 << BufferBits];   // a byte is read later than written
  logic       put;
  logic [7:0] put_byte;
  assign put      = state_q == Put || (state_q == Events && event_valid_i && event_ready_o);
  assign put_byte = state_q == Put ? out_q[7:0] : event_byte_i;
  always_ff @(posedge clk_i) begin
    if (put) mem[wr_q] <= put_byte;
    data_o <= mem[addr_i];
  end
  assign addr_o = rd_q;
  if (ReadAtAddress != WriteAtAddress || LoadAtFirst != StoreAtFirst || LoadAtSectors != StoreAtSectors) begin : gen_bad
    two_commands_with_one_counter_need_one_layout u_bad ();
  end

  // ---- arguments
  logic header;                                  // one beat, operands in lane 0
  logic [7:0] arch_q;                            // of the last request; pieces of copies land by this architecture, too
  assign req_tag_o  = args_q[RequestAtTag+:22];
  assign req_slot_o = args_q[RequestAtSlot+:4];
  assign arch_o     = arch_q;
  assign header     = args_q[RequestAtHeader];
  logic [31:0] mask, pred;
  assign mask       = args_q[RequestAtMask+:32];
  assign pred       = args_q[RequestAtPred+:32];
  assign req_mask_o = mask;
  assign req_pred_o = pred;
  assign req_ur_o   = args_q[RequestAtUr+:64];
  assign req_word_o = args_q[RequestAtWord+:128];

  assign cfg_slot_o    = args_q[WindowAtSlot+:4];
  assign cfg_open_o    = args_q[WindowAtOpen];
  assign cfg_base_o    = args_q[WindowAtBase+:17];
  assign cfg_size_o    = args_q[WindowAtSize+:17];
  assign cfg_warps_o   = args_q[WindowAtWarps+:6];
  assign cfg_first_o   = args_q[WindowAtFirst+:6];
  assign cfg_lanes_o   = args_q[WindowAtLanes+:6];
  assign cfg_cluster_o = args_q[WindowAtCluster+:4];
  assign cfg_rank_o    = args_q[WindowAtRank+:4];
  if (Lands) begin : gen_land
    assign land_kind_o  = args_q[LandAtKind+:3];
    assign land_op_o    = args_q[LandAtOp+:6];
    assign land_addr_o  = args_q[LandAtAddress+:16];
    assign land_words_o = args_q[LandAtWords+:Banks];
    assign land_wdata_o = args_q[LandAtRow+:Banks*32];
  end else begin : gen_no_land
    assign {land_kind_o, land_op_o, land_addr_o, land_words_o, land_wdata_o} = '0;
  end
  assign mem_rsp_id_o     = args_q[MemoryAtId+:4];
  assign mem_rsp_ok_o     = args_q[MemoryAtOk];
  assign mem_rsp_halves_o = args_q[MemoryAtOk+1+:2];
  assign mem_rsp_data_o   = args_q[MemoryAtSector+:256];
  localparam int SectorAt = (ArgBytes - SectorBytes) * 8;        // of STORE a sector: halves, mask (4), data (32)
  assign place_open_o    = args_q[PlaceAtOpen];
  assign place_addr_o    = args_q[PlaceAtAddress+:43];
  assign sector_o        = sector_q;
  assign sector_halves_o = state_q == SetPlace ? 2'd0 : args_q[SectorAt+:2];
  assign sector_mask_o   = state_q == SetPlace ? 32'd0 : args_q[SectorAt+8+:32];
  assign sector_data_o   = args_q[SectorAt+40+:256];
  logic unused;
  assign unused = ^sector_data_i;                // without memory on the board
  logic beyond;                                  // STORE, LOAD: past the last sector
  assign beyond = MemoryBytes == 0 || 32'(args_q[StoreAtFirst+:16]) + 32'(args_q[StoreAtSectors+:16]) > MemoryBytes / 32;

  logic active;                                  // the lane's operands are in the frame
  assign active = header ? lane_q == '0 && beat_q == 3'd0 : mask[5'(beat_q) * 5'(Lanes) + 5'(lane_q)];
  logic [9:0] map_q;                             // words of the lane still to come, the word of at_q lowest
  logic [23:0] word_q;                           // bytes of a word, the last byte highest
  assign op_we_o   = state_q == Operand && at_q != 6'(LaneBytes) && (!map_q[0] || (settled_q && at_q[1:0] == 2'd3));
  assign op_lane_o = lane_q;
  assign op_word_o = at_q[5:2];
  assign op_data_o = map_q[0] ? {data_i, word_q} : 32'd0;

  assign busy_o        = state_q != Idle;
  assign core_rst_o    = state_q == ResetCore;
  assign req_valid_o   = state_q == Offer;
  assign cfg_valid_o   = state_q == SetWindow;
  assign host_valid_o  = state_q == HostWrite || (state_q == HostRead && left_q != '0);
  assign host_write_o  = state_q == HostWrite;
  assign host_addr_o   = args_q[WriteAtAddress+:16];
  assign host_wdata_o  = out_q[31:0];
  assign wait_warp_o   = args_q[WaitsAtFirst+:6];
  assign bar_valid_o   = state_q == AskBar;
  assign bar_slot_o    = args_q[BarrierAtSlot+:4];
  assign bar_id_o      = args_q[BarrierAtId+:4];
  assign event_ready_o = state_q == Events;
  assign stim_entry_o  = state_q == SetEntry;
  assign stim_start_o  = state_q == StartRun;
  assign stim_args_o   = args_q[EntryAtIndex+:152];
  assign land_valid_o    = state_q == GiveLand;
  assign mem_rsp_valid_o = state_q == GiveAnswer;
  assign place_valid_o   = state_q == SetPlace && sector_q == '1;
  assign sector_valid_o  = state_q == SetPlace || state_q == PutSector || (state_q == AskSector && left_q != '0);
  assign sector_write_o  = state_q == SetPlace || state_q == PutSector;
  assign stim_addr_o   = args_q[ResultAtFirst+:8];
  assign start_o       = state_q == Send;
  assign length_o      = wr_q;
  assign seq_o         = last_seq_q;
  assign type_o        = type_q | 8'h80;

  logic ends, exact;                             // all bytes of the frame are read; the length is right
  assign ends  = rd_q == length_i;
  assign exact = length_i == BufferBits'(want_args) || more_args;

  always_ff @(posedge clk_i) begin
    cycle_q   <= cycle_q + 64'd1;
    settled_q <= 1'b1;
    if (bad_i) bad_q <= bad_q + 32'd1;
    if (rst_i) begin
      state_q    <= Idle;
      any_q      <= 1'b0;
      cycle_q    <= '0;
      bad_q      <= '0;
      repeated_q <= '0;
      wr_q       <= '0;
    end else begin
      case (state_q)
        Idle: begin
          rd_q      <= '0;
          nargs_q   <= '0;
          settled_q <= 1'b0;
          if (frame_i) begin
            if (any_q && seq_i == last_seq_q && type_i == type_q) begin
              repeated_q <= repeated_q + 32'd1;
              state_q    <= Send;
            end else begin
              any_q      <= 1'b1;
              last_seq_q <= seq_i;
              type_q     <= type_i;
              wr_q       <= '0;
              state_q    <= Args;
            end
          end
        end

        // ---- arguments, then the first byte of every answer
        Args: begin
          if (!exact || length_i < BufferBits'(want_args)) begin
            type_q  <= CmdRefused;                  // Start refuses the command
            state_q <= Status;
          end else if (nargs_q == want_args) begin
            state_q <= Status;
          end else if (settled_q) begin
            args_q    <= {data_i, args_q[ArgBits-1:8]};
            nargs_q   <= nargs_q + 7'd1;
            rd_q      <= rd_q + 1'b1;
            settled_q <= 1'b0;
          end
        end
        Status: begin
          out_q[7:0] <= {5'd0, event_more_i, core_idle_i, event_lost_i};
          nout_q     <= 6'd1;
          then_q     <= Start;
          state_q    <= Put;
        end
        Put: begin
          wr_q   <= wr_q + 1'b1;
          out_q  <= out_q >> 8;
          nout_q <= nout_q - 6'd1;
          if (nout_q == 6'd1) state_q <= then_q;
        end

        Start: begin
          beat_q <= '0;
          lane_q <= '0;
          at_q   <= '0;
          then_q <= Send;
          left_q <= '0;
          case (type_q)
            CmdIdentify: begin
              out_q   <= (OutBytes*8)'(info_i);
              nout_q  <= 6'(InfoBytes);
              state_q <= Put;
            end
            CmdReset: begin
              left_q  <= BufferBits'(15);
              state_q <= ResetCore;
            end
            CmdWindow: state_q <= SetWindow;
            CmdWrite: begin
              left_q  <= args_q[WriteAtWords+:BufferBits];
              nargs_q <= '0;
              state_q <= WordIn;
            end
            CmdRead: begin
              left_q  <= args_q[ReadAtWords+:BufferBits];
              state_q <= args_q[ReadAtWords+:16] <= 16'd256 ? HostRead : Refuse;
            end
            CmdRequest: begin
              arch_q  <= args_q[RequestAtArch+:8];
              state_q <= Lane;
            end
            CmdPoll: begin
              left_q  <= args_q[PollAtClocks+:BufferBits];
              state_q <= Events;
            end
            CmdWaits: begin
              left_q  <= BufferBits'(args_q[WaitsAtWarps+:6]);
              state_q <= AskWait;
            end
            CmdBarrier: state_q <= AskBar;
            CmdCounters: begin
              out_q   <= (OutBytes*8)'({served_i, repeated_q, bad_q, cycle_q});
              nout_q  <= 6'd20;
              state_q <= Put;
            end
            CmdEntry: state_q <= Stimulus ? SetEntry : Refuse;
            CmdRun: state_q <= Stimulus && !stim_active_i ? StartRun : Refuse;
            CmdResult: begin
              left_q  <= BufferBits'(args_q[ResultAtWords+:8]);
              state_q <= Stimulus && args_q[ResultAtWords+:8] <= 8'd64 ? AskResult : Refuse;
            end
            CmdLand: state_q <= Lands ? GiveLand : Refuse;
            CmdMemory: state_q <= Memory ? GiveAnswer : Refuse;
            CmdPlace: begin
              sector_q <= '0;
              state_q  <= MemoryBytes > 0 ? SetPlace : Refuse;
            end
            CmdStore, CmdLoad: begin
              left_q   <= args_q[StoreAtSectors+:BufferBits];
              sector_q <= args_q[StoreAtFirst+:SectorBits];
              nargs_q  <= '0;
              state_q  <= beyond || (type_q == CmdLoad && args_q[LoadAtSectors+:16] > 16'd63) ? Refuse : type_q == CmdStore ? SectorIn : AskSector;
            end
            default: state_q <= Refuse;
          endcase
        end

        ResetCore: begin
          left_q <= left_q - 1'b1;
          if (left_q == '0) state_q <= Send;
        end
        SetWindow: state_q <= Send;
        GiveAnswer: if (mem_rsp_ready_i) state_q <= Send;
        GiveLand: if (land_ready_i) state_q <= Send;

        // ---- shared memory, word by word
        WordIn: begin
          if (left_q == '0) begin
            state_q <= Send;
          end else if (nargs_q == 7'd4) begin
            state_q <= HostWrite;
          end else if (ends) begin
            state_q <= Refuse;                   // fewer words than said
          end else if (settled_q) begin
            out_q[31:0] <= {data_i, out_q[31:8]};
            nargs_q     <= nargs_q + 7'd1;
            rd_q        <= rd_q + 1'b1;
            settled_q   <= 1'b0;
          end
        end
        HostWrite: begin
          nargs_q <= '0;
          if (host_ready_i) begin
            args_q[WriteAtAddress+:16] <= args_q[WriteAtAddress+:16] + 16'd4;
            left_q        <= left_q - 1'b1;
            state_q       <= WordIn;
          end
        end
        HostRead: begin
          if (left_q == '0) state_q <= Send;
          else if (host_ready_i) state_q <= HostAnswer;
        end
        HostAnswer: begin
          if (host_rvalid_i) begin
            out_q[31:0]   <= host_rdata_i;
            nout_q        <= 6'd4;
            then_q        <= HostRead;
            state_q       <= Put;
            args_q[WriteAtAddress+:16] <= args_q[WriteAtAddress+:16] + 16'd4;
            left_q        <= left_q - 1'b1;
          end
        end

        // ---- memory on the board, sector by sector: in a new window all halves are absent
        SetPlace: begin
          sector_q <= sector_q + 1'b1;
          if (sector_q == '1) state_q <= Send;
        end
        SectorIn: begin
          if (left_q == '0) begin
            state_q <= Send;
          end else if (nargs_q == 7'(SectorBytes)) begin
            state_q <= PutSector;
          end else if (ends) begin
            state_q <= Refuse;                   // fewer sectors than said
          end else if (settled_q) begin
            args_q    <= {data_i, args_q[ArgBits-1:8]};
            nargs_q   <= nargs_q + 7'd1;
            rd_q      <= rd_q + 1'b1;
            settled_q <= 1'b0;
          end
        end
        PutSector: begin
          nargs_q  <= '0;
          sector_q <= sector_q + 1'b1;
          left_q   <= left_q - 1'b1;
          state_q  <= SectorIn;
        end
        AskSector: state_q <= left_q == '0 ? Send : TakeSector;
        TakeSector: begin
          out_q    <= (OutBytes*8)'(sector_data_i);
          nout_q   <= 6'd32;
          then_q   <= AskSector;
          state_q  <= Put;
          sector_q <= sector_q + 1'b1;
          left_q   <= left_q - 1'b1;
        end

        // ---- a request, beat by beat
        Lane: begin
          at_q      <= '0;
          settled_q <= 1'b0;
          nargs_q   <= '0;
          if (active) state_q <= Map;
          else if (lane_q == LaneBits'(Lanes - 1)) state_q <= Offer;
          else lane_q <= lane_q + 1'b1;
        end
        Map: begin
          if (nargs_q == 7'd2) begin
            state_q <= Operand;
          end else if (ends) begin
            state_q <= Refuse;
          end else if (settled_q) begin
            if (nargs_q == 7'd0) map_q <= {2'd0, data_i};
            else map_q <= {data_i[1:0], map_q[7:0]};
            nargs_q   <= nargs_q + 7'd1;
            rd_q      <= rd_q + 1'b1;
            settled_q <= 1'b0;
          end
        end
        Operand: begin
          if (at_q == 6'(LaneBytes)) begin
            if (lane_q == LaneBits'(Lanes - 1)) begin
              state_q <= Offer;
            end else begin
              lane_q  <= lane_q + 1'b1;
              state_q <= Lane;
            end
          end else if (!map_q[0]) begin
            at_q  <= at_q + 6'd4;
            map_q <= map_q >> 1;
          end else if (ends) begin
            state_q <= Refuse;
          end else if (settled_q) begin
            at_q      <= at_q + 6'd1;
            rd_q      <= rd_q + 1'b1;
            settled_q <= 1'b0;
            word_q    <= {data_i, word_q[23:8]};
            if (at_q[1:0] == 2'd3) map_q <= map_q >> 1;
          end
        end
        Offer: begin
          if (req_ready_i) begin
            lane_q  <= '0;
            beat_q  <= beat_q + 3'd1;
            state_q <= header || beat_q == 3'(Beats - 1) ? Send : Lane;
          end
        end

        // ---- snapshots: until none is left, or the answer is full; waits for the first snapshot, but not for ever
        Events: begin
          if (event_valid_i) begin
            wr_q <= wr_q + 1'b1;
          end else if (event_end_i) begin
            if (wr_q >= PollFull) state_q <= Send;
          end else if (!event_more_i) begin
            left_q <= left_q - 1'b1;
            if (left_q == '0 || wr_q != BufferBits'(1)) state_q <= Send;
          end
        end

        AskWait: begin
          if (left_q == '0) begin
            state_q <= Send;
          end else begin
            out_q[63:0]  <= wait_i;
            nout_q       <= 6'd8;
            then_q       <= AskWait;
            state_q      <= Put;
            left_q       <= left_q - 1'b1;
            args_q[WaitsAtFirst+:8] <= args_q[WaitsAtFirst+:8] + 8'd1;
          end
        end
        AskBar: if (bar_ready_i) state_q <= BarAnswer;
        BarAnswer: begin
          if (bar_rvalid_i) begin
            out_q   <= (OutBytes*8)'(bar_rdata_i);
            nout_q  <= 6'd16;
            state_q <= Put;
          end
        end

        // ---- on-chip stimulus
        SetEntry, StartRun: state_q <= Send;
        AskResult: state_q <= left_q == '0 ? Send : TakeResult;
        TakeResult: begin
          out_q[31:0]  <= stim_data_i;
          nout_q       <= 6'd4;
          then_q       <= AskResult;
          state_q      <= Put;
          left_q       <= left_q - 1'b1;
          args_q[ResultAtFirst+:8] <= args_q[ResultAtFirst+:8] + 8'd1;
        end

        Refuse: begin
          type_q  <= CmdRefused;
          state_q <= Send;
        end
        Send: if (!sending_i) state_q <= Sending;
        default: if (!sending_i) state_q <= Idle;  // Sending: link_tx reads the buffer
      endcase
    end
  end
endmodule

`default_nettype wire
