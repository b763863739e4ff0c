// SPDX-License-Identifier: Apache-2.0
// Registers and two buffers for a CPU: to send commands of the board link (fpga/link/link.def), and to read the
// answers. A shell for a bus stands in front; the executor of commands, such as link_exec, stands behind.
//
// The CPU writes the payload of a command into the request buffer and then COMMAND. The executor reads the payload byte by byte,
// works, and tells the length of the answer. The CPU reads the answer word by word; the window fetches four bytes for a word.
// A wrong access changes nothing but ERROR and ERROR_ADDRESS, and ends in an error on the bus.
//
//   offset  register       access
//   00      ID             read        "WLBW"
//   04      SIZE           read        log2 of the bytes of a buffer; version of the map (bits 15:8)
//   08      COMMAND        read/write  type (7:0), length of the payload (bits 16 up); a write starts the command
//   0c      STATUS         read/write  busy (0), done (1), interrupt (2), memory error (3); a 1 in bit 1 clears done
//   10      ANSWER         read        type (7:0), length (bits 16 up); an error without an answer
//   14      ERROR          read/write  sticky causes, below; a 1 clears the bit
//   18      ERROR_ADDRESS  read        offset of the first wrong access since ERROR was 0
//   1c      INTERRUPT      read/write  interrupt when done (0), on an error (1)
//   20, 24  MEMORY_ERROR   read        address (47:0) of the first error of the memory master since ERROR bit 6 was 0
//   1 << BufferBits        request buffer, written; 2 << BufferBits: answer buffer, read; 0 beyond the answer
`default_nettype none

module bus_window #(
  parameter int BufferBits = 11,                  // log2 of the bytes of a buffer: 6..12; link_exec has 11
  parameter int WindowBits = BufferBits + 2       // derived, do not override
) (
  input  logic                  clk_i,
  input  logic                  rst_i,

  // an access, held by the shell until reg_done_o
  input  logic                  reg_valid_i,
  input  logic                  reg_write_i,
  input  logic [WindowBits-1:2] reg_addr_i,
  input  logic [31:0]           reg_wdata_i,
  input  logic [3:0]            reg_strb_i,
  output logic                  reg_done_o,       // for a cycle, with data and error
  output logic [31:0]           reg_rdata_o,      // 0 with an error
  output logic                  reg_error_o,
`include "window_ports.vh"
);
  localparam logic [BufferBits-1:0] Most = BufferBits'((1 << BufferBits) - 16);   // bytes of a payload
  localparam logic [31:0] Id = 32'h57424c57;
  localparam logic [7:0]  Version = 8'd1;
  // causes of ERROR
  localparam int NoRegister = 0, Strobe = 1, ReadOnly = 2, WriteOnly = 3, NotReady = 4, TooLong = 5, MemoryFails = 6, Causes = 7;

  if (BufferBits < 6 || BufferBits > 12) begin : gen_bad_bits
    bufferbits_must_be_6_to_12 u_bad ();
  end

  // ---- decoding of the access ---------------------------------------------------------------------------------------
  logic [1:0]  region;
  logic [BufferBits-1:2] word;
  logic        registers, request, answer, take;
  logic [3:0]  number;
  logic        fetch_q;
  assign {region, word} = reg_addr_i;
  assign registers = region == 2'd0;
  assign request   = region == 2'd1;
  assign answer    = region == 2'd2;
  assign number    = word[5:2];
  assign take      = reg_valid_i && !reg_done_o && !fetch_q;

  localparam logic [3:0] AtId = 4'd0, AtSize = 4'd1, AtCommand = 4'd2, AtStatus = 4'd3, AtAnswer = 4'd4, AtError = 4'd5,
                         AtErrorAddress = 4'd6, AtInterrupt = 4'd7, AtMemoryLow = 4'd8, AtMemoryHigh = 4'd9;

  logic                  running_q, pending_q, done_q;   // a command is under way; not yet taken; an answer is ready
  logic [BufferBits-1:0] length_q, answer_length_q;
  logic [7:0]            type_q, answer_type_q, seq_q;
  logic [Causes-1:0]     error_q;
  logic [WindowBits-1:2] error_addr_q;
  logic [1:0]            enable_q;
  logic [42:0]           sector_q;

  logic far, known, writable;
  if (BufferBits > 6) begin : gen_far
    assign far = word[BufferBits-1:6] != '0;
  end else begin : gen_near
    assign far = 1'b0;
  end
  assign known    = registers && !far && number <= AtMemoryHigh;
  assign writable = number == AtCommand || number == AtStatus || number == AtError || number == AtInterrupt;

  // ---- judgement -----------------------------------------------------------------------------------------------------
  logic [Causes-1:0] wrong;
  always_comb begin
    wrong = '0;
    if (!known && !request && !answer) wrong[NoRegister] = 1'b1;
    else if (reg_write_i && reg_strb_i != '0) begin
      if (answer || (registers && !writable)) wrong[ReadOnly] = 1'b1;
      else if (registers && reg_strb_i != '1) wrong[Strobe] = 1'b1;
      else if (running_q && (request || number == AtCommand)) wrong[NotReady] = 1'b1;
      else if (registers && number == AtCommand && reg_wdata_i[31:16] > 16'(Most)) wrong[TooLong] = 1'b1;
    end else if (!reg_write_i) begin
      if (request) wrong[WriteOnly] = 1'b1;
      else if (!done_q && (answer || number == AtAnswer)) wrong[NotReady] = 1'b1;
    end
  end
  logic write, starts;
  assign write  = take && reg_write_i && reg_strb_i != '0 && wrong == '0;
  assign starts = write && registers && number == AtCommand;

  // ---- registers -----------------------------------------------------------------------------------------------------
  logic [31:0] value;
  always_comb begin
    case (number)
      AtId:           value = Id;
      AtSize:         value = {16'd0, Version, 8'(BufferBits)};
      AtCommand:      value = {16'(length_q), 8'd0, type_q};
      AtStatus:       value = {28'd0, error_q[MemoryFails], irq_o, done_q, running_q};
      AtAnswer:       value = {16'(answer_length_q), 8'd0, answer_type_q};
      AtError:        value = 32'(error_q);
      AtErrorAddress: value = 32'({error_addr_q, 2'd0});
      AtInterrupt:    value = {30'd0, enable_q};
      AtMemoryLow:    value = {sector_q[26:0], 5'd0};
      AtMemoryHigh:   value = {16'd0, sector_q[42:27]};
      default:        value = '0;
    endcase
  end
  assign irq_o = (enable_q[0] && done_q) || (enable_q[1] && error_q != '0);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      {running_q, pending_q, done_q, error_q, enable_q, seq_q} <= '0;
    end else begin
      if (frame_o) pending_q <= 1'b0;
      if (starts) begin
        running_q <= 1'b1;
        pending_q <= 1'b1;
        done_q    <= 1'b0;
        seq_q     <= seq_q + 8'd1;
      end else if (running_q && !pending_q && start_i) begin
        running_q <= 1'b0;
        done_q    <= 1'b1;
      end else if (write && registers && number == AtStatus && reg_wdata_i[1]) begin
        done_q    <= 1'b0;
      end
      if (write && registers && number == AtInterrupt) enable_q <= reg_wdata_i[1:0];
      error_q <= (error_q & ~(write && registers && number == AtError ? reg_wdata_i[Causes-1:0] : '0)) |
                 (take ? wrong : '0) | (Causes'(memory_error_i) << MemoryFails);
    end
    if (starts) begin
      type_q   <= reg_wdata_i[7:0];
      length_q <= reg_wdata_i[16 +: BufferBits];
    end
    if (running_q && start_i) begin
      answer_type_q   <= type_i;
      answer_length_q <= length_i;
    end
    if (take && wrong != '0 && error_q[MemoryFails-1:0] == '0) error_addr_q <= reg_addr_i;
    if (memory_error_i && !error_q[MemoryFails]) sector_q <= memory_sector_i;
    if (rst_i) begin
      type_q       <= '0;
      length_q     <= '0;
      error_addr_q <= '0;
      sector_q     <= '0;
    end
  end
  assign frame_o  = pending_q && !busy_i;
  assign length_o = length_q;
  assign seq_o    = seq_q;
  assign type_o   = type_q;

  // ---- request buffer ------------------------------------------------------------------------------------------------
  (* no_rw_check *) logic [31:0] mem [0:(1 << (BufferBits - 2))-1];   // a word is read later than written
  logic [31:0] word_q;
  logic [1:0]  byte_q;
  always_ff @(posedge clk_i) begin
    if (write && request) for (int b = 0; b < 4; b++) if (reg_strb_i[b]) mem[word][b*8 +: 8] <= reg_wdata_i[b*8 +: 8];
    word_q <= mem[addr_i[BufferBits-1:2]];
    byte_q <= addr_i[1:0];
  end
  assign data_o = word_q[{byte_q, 3'd0} +: 8];

  // ---- answer buffer: four bytes in turn; a byte comes the cycle after the address ----------------------------------
  logic [2:0]            step_q;                  // requested byte; 4: no byte
  logic [23:0]           bytes_q;
  logic [7:0]            fetched;
  logic [BufferBits-1:0] at;                      // address of the byte on data_i
  assign addr_o  = {word, step_q[1:0]};
  assign at      = {word, step_q[1:0] - 2'd1};
  assign fetched = at < answer_length_q ? data_i : 8'd0;

  always_ff @(posedge clk_i) begin
    reg_done_o  <= 1'b0;
    reg_error_o <= 1'b0;
    reg_rdata_o <= '0;
    if (rst_i) begin
      fetch_q <= 1'b0;
    end else if (take && answer && !reg_write_i && wrong == '0) begin
      fetch_q <= 1'b1;
    end else if (take) begin
      reg_done_o  <= 1'b1;
      reg_error_o <= wrong != '0;
      reg_rdata_o <= !reg_write_i && wrong == '0 ? value : '0;
    end else if (fetch_q && step_q == 3'd4) begin
      fetch_q     <= 1'b0;
      reg_done_o  <= 1'b1;
      reg_rdata_o <= {fetched, bytes_q};
    end
    step_q  <= fetch_q && !rst_i && step_q != 3'd4 ? step_q + 3'd1 : 3'd0;
    bytes_q <= {fetched, bytes_q[23:8]};
  end
endmodule

`default_nettype wire
