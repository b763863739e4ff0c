// SPDX-License-Identifier: Apache-2.0
// SHFL: the lane read by each lane of a beat, and whether the choice is in range.
//
//   op      0 IDX             1 UP        2 DOWN      3 BFLY        c = {segment mask, clamp}
//   choice  first | b & ~seg  lane - b    lane + b    lane ^ b      first = lane & seg
//   range   <= last           >= last     <= last     <= last       last  = first | clamp & ~seg
//
// A choice below 0 or above 31 is out of range; a lane with a choice out of range reads itself.
`default_nettype none

module shuffle_source #(
  parameter int Lanes    = 32,                          // 1, 4, 8, 16, 32: lanes of a beat
  parameter int BeatBits = Lanes < 32 ? $clog2(32 / Lanes) : 1  // derived, do not override
) (
  input  logic                valid_i,
  input  logic [1:0]          op_i,
  input  logic [BeatBits-1:0] beat_i,
  input  logic [Lanes*5-1:0]  b_i,
  input  logic [Lanes*10-1:0] c_i,
  output logic [Lanes-1:0]    in_range_o,
  output logic [Lanes*5-1:0]  lane_o
);
  localparam int LaneBits = $clog2(Lanes);
  localparam logic [1:0] Up = 2'd1, Down = 2'd2, Bfly = 2'd3;

  logic [4:0] base, lane, b, segment, first, last;
  logic [5:0] choice;      // bit 5: no lane of the warp

  if (Lanes < 32) begin : gen_base
    assign base = {beat_i, {LaneBits{1'b0}}};
  end else begin : gen_no_base
    logic unused_beat;
    assign unused_beat = ^beat_i;
    assign base = 5'd0;
  end

  always_comb begin
    in_range_o = 'x;
    lane_o     = 'x;
    lane       = 'x;
    b          = 'x;
    segment    = 'x;
    first      = 'x;
    last       = 'x;
    choice     = 'x;
    if (valid_i) begin
      for (int l = 0; l < Lanes; l++) begin
        lane    = base | l[4:0];
        b       = b_i[l*5 +: 5];
        segment = c_i[l*10 + 5 +: 5];
        first   = lane & segment;
        last    = first | (c_i[l*10 +: 5] & ~segment);
        case (op_i)
          Up:      choice = {1'b0, lane} - {1'b0, b};
          Down:    choice = {1'b0, lane} + {1'b0, b};
          Bfly:    choice = {1'b0, lane ^ b};
          default: choice = {1'b0, first | (b & ~segment)};
        endcase
        in_range_o[l]    = !choice[5] && (op_i == Up ? choice[4:0] >= last : choice[4:0] <= last);
        lane_o[l*5 +: 5] = in_range_o[l] ? choice[4:0] : lane;
      end
    end
  end
endmodule
`default_nettype wire
