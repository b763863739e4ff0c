// SPDX-License-Identifier: Apache-2.0
// CRC-32 (IEEE 802.3, reflected) over the next bytes, the lowest first, before the final inversion.
`default_nettype none

module link_crc #(
  parameter int Bytes = 1
) (
  input  logic [31:0]        crc_i,
  input  logic [Bytes*8-1:0] bytes_i,
  output logic [31:0]        crc_o
);
  always_comb begin
    crc_o = crc_i;
    for (int i = 0; i < Bytes * 8; i++) begin
      crc_o = crc_o[0] != bytes_i[i] ? (crc_o >> 1) ^ 32'hedb88320 : crc_o >> 1;
    end
  end
endmodule

`default_nettype wire
