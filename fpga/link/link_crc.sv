// SPDX-License-Identifier: Apache-2.0
// CRC-32 (IEEE 802.3, reflected) over one more byte, before the final inversion.
`default_nettype none

module link_crc (
  input  logic [31:0] crc_i,
  input  logic [7:0]  byte_i,
  output logic [31:0] crc_o
);
  always_comb begin
    crc_o = crc_i ^ {24'd0, byte_i};
    for (int i = 0; i < 8; i++) begin
      crc_o = crc_o[0] ? (crc_o >> 1) ^ 32'hedb88320 : crc_o >> 1;
    end
  end
endmodule

`default_nettype wire
