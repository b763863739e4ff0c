// SPDX-License-Identifier: Apache-2.0
// Clock and reset of a board with an ECP5 and an oscillator of 25 MHz: `ClockMhz` out of a PLL, and 128 cycles of reset
// after the PLL has locked. (Half the oscillator's frequency out of a register is no substitute: router2 finds no way
// from most places to the clock network, and says so only after routing all the rest.)
`default_nettype none

module board_clock #(
  parameter int ClockMhz = 20      // 5 to 60, a multiple of 5 that divides 600
) (
  input  logic osc_i,
  output logic clk_o,
  output logic rst_o
);
  logic       locked;
  logic [7:0] reset_q;             // 0 after configuration
  initial reset_q = 8'd0;
  assign rst_o = !reset_q[7];
  always_ff @(posedge clk_o) begin
    if (!locked) reset_q <= 8'd0;
    else if (rst_o) reset_q <= reset_q + 8'd1;
  end

`ifdef SYNTHESIS
  // 25 MHz / 5 at the phase detector, the oscillator inside at 600 MHz; filter and charge pump as in ecppll
  (* ICP_CURRENT = "12", LPF_RESISTOR = "8", MFG_ENABLE_FILTEROPAMP = "1", MFG_GMCREF_SEL = "2" *)
  EHXPLLL #(
    .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED"),
    .OUTDIVIDER_MUXA("DIVA"), .OUTDIVIDER_MUXB("DIVB"), .OUTDIVIDER_MUXC("DIVC"), .OUTDIVIDER_MUXD("DIVD"),
    .CLKI_DIV(5), .CLKFB_DIV(ClockMhz / 5), .FEEDBK_PATH("CLKOP"), .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV(600 / ClockMhz),
    .CLKOP_CPHASE(300 / ClockMhz), .CLKOP_FPHASE(0)
  ) u_pll (
    .CLKI(osc_i), .CLKFB(clk_o), .CLKOP(clk_o), .LOCK(locked), .RST(1'b0), .STDBY(1'b0), .PHASESEL0(1'b0), .PHASESEL1(1'b0),
    .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1), .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0)
  );
`else
  assign clk_o  = osc_i;
  assign locked = 1'b1;
`endif

  if (ClockMhz < 5 || ClockMhz > 60 || ClockMhz % 5 != 0 || 600 % ClockMhz != 0) begin : gen_no_such_clock
    clock_is_5_to_60_MHz_a_multiple_of_5_that_divides_600 u_bad ();
  end
endmodule

`default_nettype wire
