// SPDX-License-Identifier: Apache-2.0
// Memory of atom_unit on AXI4 or AXI4-Lite: a manager with a single request under way. mem_sectors has the steps of a
// request.
//
// AXI4: a sector is a single burst (INCR) of full words; bytes not written have no strobe. A conditional write is an
// exclusive pair. A response OKAY tells of a memory without a monitor. `Exclusive` = 0 leaves out the lock, and the
// promise that nobody else writes between the accesses of the pair.
//
// AXI4-Lite: a transfer for each word; words without a byte to write are left out. AXI4-Lite has no lock.
`default_nettype none

module mem_axi #(
  parameter bit Lite      = 1'b0,                 // 1: AXI4-Lite; the AXI4 outputs are constant
  parameter bit Exclusive = 1'b1,                 // AXI4: conditional writes are exclusive accesses
  parameter int DataBits  = 32,                   // of the bus: 32, 64, 128, 256; AXI4-Lite: 32, 64
  parameter int AddrBits  = 32,                   // of a byte on the bus: 6..48
  parameter int StrbBits  = DataBits / 8          // derived, do not override
) (
  input  logic                  clk_i,
  input  logic                  rst_i,

`include "mem_ports.vh"

`include "axi_ports.vh"
);
  localparam int Words     = 256 / DataBits;      // of a sector
  localparam int WordBits  = Words > 1 ? $clog2(Words) : 1;
  localparam int SizeLog2  = $clog2(StrbBits);
  localparam int Burst     = Lite ? 1 : Words;    // words of a transaction
  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] Idle = 2'd0, Go = 2'd1, Done = 2'd2;

  if (DataBits != 32 && DataBits != 64 && (Lite || (DataBits != 128 && DataBits != 256))) begin : gen_bad_bits
    databits_must_be_32_or_64_or_without_lite_128_or_256 u_bad ();
  end

  logic                op_valid, op_write, op_lock, op_done, op_exclusive;
  logic [AddrBits-1:5] op_addr;
  logic [31:0]         op_mask;
  logic [255:0]        op_wdata, op_rdata;
  logic [1:0]          op_bad;
  mem_sectors #(.AddrBits(AddrBits)) u_sectors (
`include "mem_sectors_pins.vh"
  );

  // ---- a sector, transaction by transaction --------------------------------------------------------------------------
  logic [1:0]          state_q;
  logic [WordBits-1:0] first_q, beat_q;           // word of the transaction, and of the next beat
  logic                a_q, w_q;                  // the address, the last beat of a write have still to go
  logic                beat, ends, last, skip;
  logic [1:0]          resp, half;
  logic [255:0]        data_q;
  logic [1:0]          bad_q;
  logic                exclusive_q;

  assign last = 32'(first_q) + Burst == Words;
  assign skip = Lite && op_write && op_mask[32'(first_q)*StrbBits +: StrbBits] == '0;
  assign beat = op_write ? m_axi_wvalid && m_axi_wready : m_axi_rvalid && m_axi_rready;
  assign ends = op_write ? m_axi_bvalid && m_axi_bready : beat && 32'(beat_q) == 32'(first_q) + Burst - 1;
  assign resp = op_write ? m_axi_bresp : m_axi_rresp;
  // halves concerned by a response: of a write burst the halves with a byte; of a beat a half, of 256 bits both halves
  logic [1:0] written;
  assign written = {op_mask[31:16] != '0, op_mask[15:0] != '0};
  always_comb begin
    if (op_write && !Lite) half = written;
    else if (DataBits == 256) half = 2'b11;
    else half = 32'(beat_q)*StrbBits >= 16 ? 2'b10 : 2'b01;
  end

  always_ff @(posedge clk_i) begin
    if (m_axi_awvalid && m_axi_awready) a_q <= 1'b0;
    if (m_axi_arvalid && m_axi_arready) a_q <= 1'b0;
    if (m_axi_wvalid && m_axi_wready && m_axi_wlast) w_q <= 1'b0;
    case (state_q)
      Idle: if (op_valid && !op_done) begin
        state_q     <= Go;
        first_q     <= '0;
        beat_q      <= '0;
        a_q         <= !(Lite && op_write && op_mask[StrbBits-1:0] == '0);
        w_q         <= op_write && !(Lite && op_mask[StrbBits-1:0] == '0);
        bad_q       <= '0;
        exclusive_q <= 1'b1;
      end
      Go: begin
        if (beat && !(op_write && Lite)) beat_q <= beat_q + 1'b1;
        if (!op_write && beat) data_q[32'(beat_q)*DataBits +: DataBits] <= m_axi_rdata;
        if (op_write ? ends : beat) begin
          if (resp[1]) bad_q <= bad_q | half;
          exclusive_q <= exclusive_q && resp != Okay;   // an error does not tell of the monitor: bad_q has the error
        end
        if (ends || skip) begin
          if (last) begin
            state_q <= Done;
          end else begin
            first_q <= first_q + WordBits'(Burst);
            beat_q  <= first_q + WordBits'(Burst);
            a_q     <= !next_skips;
            w_q     <= op_write && !next_skips;
          end
        end
      end
      default: state_q <= Idle;
    endcase
    if (rst_i) begin
      state_q <= Idle;
      a_q     <= 1'b0;
      w_q     <= 1'b0;
    end
  end
  logic                next_skips;
  logic [WordBits-1:0] next;
  assign next       = first_q + 1'b1;
  assign next_skips = Lite && op_write && op_mask[32'(next)*StrbBits +: StrbBits] == '0;

  assign op_done      = state_q == Done;
  assign op_rdata     = data_q;
  assign op_bad       = bad_q;
  assign op_exclusive = Lite || !Exclusive || exclusive_q;

  // ---- channels
  logic [AddrBits-1:0] addr;
  assign addr = {op_addr, 5'(32'(first_q) * StrbBits)};
  logic lock;
  assign lock = !Lite && Exclusive && op_lock;
  assign m_axi_awaddr  = addr;
  assign m_axi_awvalid = a_q && op_write;
  assign m_axi_awlock  = lock;
  assign m_axi_araddr  = addr;
  assign m_axi_arvalid = a_q && !op_write;
  assign m_axi_arlock  = lock;
  assign m_axi_wdata   = op_wdata[32'(beat_q)*DataBits +: DataBits];
  assign m_axi_wstrb   = op_mask[32'(beat_q)*StrbBits +: StrbBits];
  assign m_axi_wlast   = 32'(beat_q) == 32'(first_q) + Burst - 1;
  assign m_axi_wvalid  = w_q;
  assign m_axi_bready  = state_q == Go && op_write && !a_q && !w_q && !skip;
  assign m_axi_rready  = state_q == Go && !op_write && !a_q;
  assign {m_axi_awid, m_axi_arid} = '0;
  assign {m_axi_awlen, m_axi_arlen} = {2{8'(Burst - 1)}};
  assign {m_axi_awsize, m_axi_arsize} = {2{3'(SizeLog2)}};
  assign {m_axi_awburst, m_axi_arburst} = {2{2'b01}};
  assign {m_axi_awcache, m_axi_arcache, m_axi_awprot, m_axi_arprot} = '0;

  logic unused;
  assign unused = ^{m_axi_bid, m_axi_rid, m_axi_rlast};
endmodule

`default_nettype wire
