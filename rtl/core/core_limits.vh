// SPDX-License-Identifier: Apache-2.0
// Illegal values of sync_core's parameters stop elaboration; the name of the missing module gives the reason.
  if (Lanes != 4 && Lanes != 8 && Lanes != 16 && Lanes != 32) begin : gen_bad_lanes
    lanes_must_be_4_8_16_or_32 u_bad ();
  end
  if (Banks != 4 && Banks != 8 && Banks != 16 && Banks != 32) begin : gen_bad_banks
    banks_must_be_4_8_16_or_32 u_bad ();
  end
  if (Ports != 1 && Ports != 2 && Ports != 4) begin : gen_bad_ports
    ports_must_be_1_2_or_4 u_bad ();
  end
  if (QueueDepth < 2 || (QueueDepth & (QueueDepth - 1)) != 0) begin : gen_bad_depth
    queue_depth_must_be_a_power_of_two_of_2_or_more u_bad ();
  end
  if (QueueBeats < 1 || (QueueBeats & (QueueBeats - 1)) != 0) begin : gen_bad_queue
    queue_beats_must_be_a_power_of_two u_bad ();
  end
  if (RspBeats < 2 || (RspBeats & (RspBeats - 1)) != 0) begin : gen_bad_rsp
    rsp_beats_must_be_a_power_of_two_of_2_or_more u_bad ();
  end
  if (Ports > 1 && (QueueBeats < Beats || RspBeats < Beats)) begin : gen_bad_room
    with_several_ports_queues_must_hold_a_whole_request u_bad ();
  end
  if (SmemBytes < 4096 || SmemBytes > 65536 || (SmemBytes & (SmemBytes - 1)) != 0) begin : gen_bad_smem
    smem_bytes_must_be_a_power_of_two_from_4096_to_65536 u_bad ();
  end
  if (Warps < Ports || Warps > 48 || Warps % Ports != 0) begin : gen_bad_warps
    warps_must_be_1_to_48_and_a_multiple_of_ports u_bad ();
  end
  if (Mbar && ((QueueBeats > 1 && QueueBeats < Beats) || RspBeats < Beats)) begin : gen_bad_mbar
    with_mbarriers_queues_must_hold_a_whole_request u_bad ();
  end
  if (Mbar && Suspend < Warps) begin : gen_bad_suspend
    suspend_must_be_warps_or_more u_bad ();
  end
  if (CtaSlots < 2 || CtaSlots > 16 || (CtaSlots & (CtaSlots - 1)) != 0) begin : gen_bad_cta_slots
    cta_slots_must_be_a_power_of_two_from_2_to_16 u_bad ();
  end
  if (Combine < 0 || Combine > 2) begin : gen_bad_combine
    combine_must_be_0_1_or_2 u_bad ();
  end
  if (Native < 0 || Native > 1) begin : gen_bad_native
    native_must_be_0_or_1 u_bad ();
  end
  if (Matrix < 0 || Matrix > 1) begin : gen_bad_matrix
    matrix_must_be_0_or_1 u_bad ();
  end
  if (Matrix != 0 && Lean) begin : gen_lean_matrix
    lean_has_no_matrices u_bad ();
  end
  if ((Units & 1) == 0) begin : gen_no_atoms_pipe
    atoms_pipe_cannot_be_left_out u_bad ();
  end
  if ((Units & ~`WL_UNITS_BUILT) != 0) begin : gen_bad_units
    some_unit_of_this_mask_has_no_rtl u_bad ();
  end
