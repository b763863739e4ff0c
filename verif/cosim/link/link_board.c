// SPDX-License-Identifier: Apache-2.0
/* link_board.c -- opens a board as DUT: a real board, or a board simulated behind a pseudo terminal. */
#include "link_state.h"

#include <stdlib.h>
#include <string.h>

struct dut *link_open_dut;

/* A line without a byte for so long is silent. A routed netlist makes 200,000 clocks a second, and the longest frame
 * takes 370,000 clocks. */
enum { QUIET_MS = 400, QUIET_MS_ROUTED = 30000, QUIET_MS_BOARD = 150 };

static bool is_routed(const char *board)
{
	bool routed = false;
	return board && dut_board_name(board, &routed) && routed;
}

/* `board`: of fpga/boards; NULL: the lanes, banks and units of this run. `bus`: "axi ", "wb ", or "" for a UART. */
static bool start_sim(struct dut *d, const char *board, const char *bus, const struct wl_config *hw, uint32_t units,
                      unsigned noise, unsigned memory, char *why, size_t whyn)
{
	/* one build for most runs, one with all units for the rest; with memory on the board exactly `units` */
	const uint32_t usual = 1u << WL_UNIT_atoms_pipe | 1u << WL_UNIT_barrier_file;
	const uint32_t mask = memory ? units : units & ~usual ? model_units(units, 0) : usual;
	char words[64], path[4400];
	bool routed;
	if (board)
		snprintf(words, sizeof words, "%.*s%s", (int)dut_board_name(board, &routed), board,
		         is_routed(board) ? " routed" : "");
	else if (memory)
		snprintf(words, sizeof words, "%u %u %u %u", hw->lanes, hw->banks, mask, memory);
	else
		snprintf(words, sizeof words, "%s%u %u %u", bus, hw->lanes, hw->banks, mask);
	return model_make("verif/cosim/link/build_board", words, "board", path, sizeof path, why, whyn) &&
	       board_sim_start(&d->sim, path, noise, hw->seed, why, whyn);
}

/* TTY[@BAUD] */
static bool open_board(struct dut *d, const char *where)
{
	char tty[LINK_NAME];
	unsigned baud;
	return dut_board_line(where, tty, sizeof tty, &baud) && link_open(&d->link, tty, baud, QUIET_MS_BOARD);
}

bool dut_open(struct model *m, const char *what, struct wl_config *hw, uint32_t units, bool launch, unsigned noise,
              unsigned memory, char *why, size_t whyn)
{
	struct dut *d = calloc(1, sizeof *d);
	bool ok = false;
	memset(m, 0, sizeof *m);
	if (!d) {
		snprintf(why, whyn, "out of memory");
		return false;
	}
	d->link.fd = -1;
	if (memory && !(units >> WL_UNIT_atom_unit & 1))
		snprintf(why, whyn, "memory on the board is for %s, which this run has not",
		         wl_unit_name(WL_UNIT_atom_unit));
	else if (strcmp(what, "uart") == 0 || strncmp(what, "uart:", 5) == 0) {
		const char *board = what[4] ? what + 5 : NULL;
		if (start_sim(d, board, "", hw, units, noise, memory, why, whyn) &&
		    !(ok = link_open(&d->link, d->sim.tty, 0, is_routed(board) ? QUIET_MS_ROUTED : QUIET_MS)))
			snprintf(why, whyn, "%s", d->link.why);
	} else if (strcmp(what, "axi") == 0 || strcmp(what, "wb") == 0) {
		if (start_sim(d, NULL, what[0] == 'a' ? "axi " : "wb ", hw, units, 0, 0, why, whyn) &&
		    !(ok = link_open(&d->link, d->sim.tty, 0, QUIET_MS)))
			snprintf(why, whyn, "%s", d->link.why);
	} else if (strncmp(what, "board:", 6) == 0) {
		if (!(ok = open_board(d, what + 6)))
			snprintf(why, whyn, "%s", d->link.why);
	} else {
		snprintf(why, whyn, "--dut model goes with --mix board");
	}
	const struct link_info *i = &d->link.info;
	if (ok && (units & ~i->units)) {
		snprintf(why, whyn, "the board has not all units that this run needs (mask %u, needed %u)", i->units,
		         units);
		ok = false;
	}
	/* kernels keep to the board's numbers of warps and CTAs; random streams with accesses alone know no warps */
	const uint32_t know_warps = 1u << WL_UNIT_barrier_file | 1u << WL_UNIT_mbarrier_engine |
	                            1u << WL_UNIT_convergence | 1u << WL_UNIT_cluster_barrier;
	if (ok && (units & know_warps) && !launch && (i->warps < WL_MAX_WARPS || i->slots < WL_MAX_CTAS)) {
		snprintf(why, whyn,
		         "random barriers are for %u warps in %u CTAs, and the board holds %u in %u: kernels run on it",
		         WL_MAX_WARPS, WL_MAX_CTAS, i->warps, i->slots);
		ok = false;
	}
	if (ok && hw->warps_per_sm > i->warps)
		hw->warps_per_sm = i->warps;
	if (ok && hw->ctas_per_sm > i->slots)
		hw->ctas_per_sm = i->slots;
	if (ok && i->arch && i->arch != (unsigned)hw->arch) {
		snprintf(why, whyn, "the board decodes sm_%u only", i->arch);
		ok = false;
	}
	if (!ok) {
		board_sim_stop(&d->sim);
		link_close(&d->link);
		free(d);
		return false;
	}
	hw->lanes = i->lanes;
	hw->banks = i->banks;
	hw->ports = 1;
	hw->shared_bytes = i->smem_bytes;
	d->api = (struct shim_api){.abi = SHIM_ABI,
	                           .lanes = i->lanes,
	                           .banks = i->banks,
	                           .ports = 1,
	                           .smem_bytes = i->smem_bytes,
	                           .units = i->units,
	                           .releases = i->releases,
	                           .ahead = 1};
	d->memory = (struct board_memory){.bytes = i->memory_bytes};
	link_dut_functions(d);
	link_open_dut = d;
	m->api = &d->api;
	m->memory = i->memory_bytes ? &d->memory : NULL;
	return true;
}

void dut_print(const struct model *m, FILE *out)
{
	const struct link *l = &link_open_dut->link;
	(void)m;
	fprintf(out,
	        "link        %s: %llu frames, %llu of them again, %llu bytes to the board, %llu back, %llu damaged "
	        "frames",
	        l->name, (unsigned long long)l->frames, (unsigned long long)l->repeats,
	        (unsigned long long)l->bytes_out, (unsigned long long)l->bytes_in, (unsigned long long)l->reader.bad);
	if (l->repeats)
		fprintf(out, ", %.0f ms a repeat", l->lost_ms / (double)l->repeats);
	fputc('\n', out);
}

struct link *dut_link(void)
{
	return &link_open_dut->link;
}

void dut_close(struct model *m)
{
	if (!link_open_dut)
		return;
	link_close(&link_open_dut->link);
	board_sim_stop(&link_open_dut->sim);
	free(link_open_dut);
	link_open_dut = NULL;
	m->api = NULL;
}
