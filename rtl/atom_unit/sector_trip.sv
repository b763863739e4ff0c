// SPDX-License-Identifier: Apache-2.0
// The only sector in flight of atom_unit_lean, to memory and back; sector_ids does the same for several sectors.
//
//   load            read ─► COMMIT ─► lanes
//   plain store     lanes ─► write ─► COMMIT
//   others          read ─► lanes ─► conditional write ─► COMMIT, or not: lanes on the newer data, and again
//
// Absent halves of a sector take lanes out (`range_o`); the run takes all lanes, as passes count all lanes. A sector
// above 48 address bits makes no request: both halves are absent.
`include "assert.vh"
`default_nettype none

module sector_trip #(
  parameter int Warp  = 32,
  parameter int Bytes = 32,                      // of a sector
  parameter int Bits  = 8 * Bytes                // derived, do not override
) (
  input  logic              clk_i,
  input  logic              rst_i,

  // a sector; the lanes stay until `sector_done_o`
  input  logic              sector_valid_i,
  output logic              sector_done_o,
  input  logic              far_i,               // above 48 address bits
  input  logic [Warp-1:0]   lanes_i,
  input  logic [Warp-1:0]   upper_i,             // lanes in the upper half
  input  logic              load_i,
  input  logic              store_i,

  // memory
  output logic              req_valid_o,
  input  logic              req_ready_i,
  output logic              req_write_o,
  output logic              req_cond_o,
  output logic [Bytes-1:0]  req_mask_o,
  input  logic              rsp_valid_i,
  input  logic              rsp_ok_i,
  input  logic [1:0]        rsp_halves_i,
  input  logic [Bits-1:0]   rsp_data_i,

  // lanes of the sector
  output logic              run_valid_o,
  output logic              run_again_o,
  output logic [Bits-1:0]   old_o,
  input  logic              last_i,
  input  logic [Bytes-1:0]  mask_i,              // stays until the next run, like the new sector

  // events
  output logic              range_o,             // lanes in absent halves
  output logic [Warp-1:0]   range_lanes_o,
  output logic              commit_o,
  output logic [Warp-1:0]   commit_lanes_o,
  output logic [Bytes-1:0]  commit_mask_o,
  output logic [Bits-1:0]   commit_old_o
);
  localparam logic [2:0] Free = 3'd0, AskRead = 3'd1, Reads = 3'd2, Runs = 3'd3, AskWrite = 3'd4, Writes = 3'd5;
  logic [2:0]      state_q;
  logic [1:0]      halves_q;
  logic            again_q, answer, ends;
  logic [Bits-1:0] data_q;

  assign answer = rsp_valid_i && (state_q == Reads || state_q == Writes);
  assign ends   = state_q == Writes && (store_i || rsp_ok_i);

  always_ff @(posedge clk_i) begin
    case (state_q)
      Free: if (sector_valid_i) state_q <= far_i || store_i ? Runs : AskRead;
      AskRead: if (req_ready_i) state_q <= Reads;
      AskWrite: if (req_ready_i) state_q <= Writes;
      Reads, Writes: if (rsp_valid_i) state_q <= ends ? Free : Runs;
      default: if (last_i) state_q <= load_i || halves_q == '0 ? Free : AskWrite;
    endcase
    if (rst_i) state_q <= Free;
  end
  assign sector_done_o = state_q == Runs ? last_i && (load_i || halves_q == '0) : answer && ends;

  always_ff @(posedge clk_i) begin
    if (state_q == Free) begin
      again_q  <= 1'b0;
      halves_q <= {2{!far_i}};                     // for a plain store; the answer brings the halves
    end else if (answer) begin
      again_q  <= state_q == Writes;
      halves_q <= rsp_halves_i;
    end
    if (answer) data_q <= rsp_data_i;
  end
  assign old_o       = data_q;
  assign run_valid_o = state_q == Runs;
  assign run_again_o = again_q;

  // ---- memory ----------------------------------------------------------------------------------------------------
  assign req_valid_o = state_q == AskRead || state_q == AskWrite;
  assign req_write_o = state_q == AskWrite;
  assign req_cond_o  = state_q == AskWrite && !store_i;
  assign req_mask_o  = state_q == AskWrite ? mask_i & {{Bytes/2{halves_q[1]}}, {Bytes/2{halves_q[0]}}} : '0;

  // ---- events ----------------------------------------------------------------------------------------------------
  logic [Warp-1:0] here;
  assign here           = lanes_i & ((upper_i & {Warp{rsp_halves_i[1]}}) | (~upper_i & {Warp{rsp_halves_i[0]}}));
  assign range_lanes_o  = state_q == Free ? lanes_i : lanes_i & ~here;
  assign range_o        = (state_q == Free && sector_valid_i && far_i) ||
                          (answer && (store_i || state_q == Reads) && range_lanes_o != '0);
  assign commit_o       = answer && (load_i || ends) && here != '0;
  assign commit_lanes_o = here;
  assign commit_mask_o  = load_i ? '0 : mask_i & {{Bytes/2{rsp_halves_i[1]}}, {Bytes/2{rsp_halves_i[0]}}};
  assign commit_old_o   = load_i ? rsp_data_i : data_q;

  `ASSERT(AnswersWhatWasAsked_A, !rsp_valid_i || answer)
endmodule
`default_nettype wire
