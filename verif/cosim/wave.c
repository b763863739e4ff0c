// SPDX-License-Identifier: Apache-2.0
/* wave.c -- the save file that opens a wave in GTKWave with the signals of sync_core grouped by unit. */
#include <stdio.h>
#include <string.h>

#include "options.h"

/* Widths as products of the parameters: P ports, L lanes, B banks. */
struct signal {
	const char *group, *name;
	unsigned fixed; /* bits ... */
	char times[3];  /* ... times these parameters */
};

static const struct signal signals[] = {
        {"clock", "clk_i", 1, ""},
        {"clock", "rst_i", 1, ""},
        {"clock", "idle_o", 1, ""},
        {"sync_core: requests", "req_valid_i", 1, "P"},
        {"sync_core: requests", "req_ready_o", 1, "P"},
        {"sync_core: requests", "req_tag_i", 22, "P"},
        {"sync_core: requests", "req_word_i", 128, "P"},
        {"sync_core: requests", "req_mask_i", 32, "P"},
        {"sync_core: requests", "req_slot_i", 4, "P"},
        {"sync_core: requests", "req_ur_i", 32, "P"},
        {"sync_core: requests", "req_ra_i", 64, "PL"},
        {"sync_core: requests", "req_rb_i", 128, "PL"},
        {"sync_core: requests", "req_rc_i", 128, "PL"},
        {"sync_core: results", "rsp_valid_o", 1, "P"},
        {"sync_core: results", "rsp_ready_i", 1, "P"},
        {"sync_core: results", "rsp_tag_o", 22, "P"},
        {"sync_core: results", "rsp_last_o", 1, "P"},
        {"sync_core: results", "rsp_mask_o", 1, "PL"},
        {"sync_core: results", "rsp_data_o", 128, "PL"},
        {"sync_core: results", "rsp_passes_o", 6, "P"},
        {"sync_core: results", "rsp_fault_o", 3, "PL"},
        {"sync_decode: request port 0", "sync_core.gen_req[0].u_queue.known", 1, ""},
        {"sync_decode: request port 0", "sync_core.gen_req[0].u_queue.kind", 3, ""},
        {"sync_decode: request port 0", "sync_core.gen_req[0].u_queue.op", 4, ""},
        {"sync_decode: request port 0", "sync_core.gen_req[0].u_queue.size", 3, ""},
        {"sync_decode: request port 0", "sync_core.gen_req[0].u_queue.illegal", 1, ""},
        {"atoms_pipe: stage P", "sync_core.u_atoms_pipe.p_valid_q", 1, ""},
        {"atoms_pipe: stage P", "sync_core.u_atoms_pipe.p_tag_q", 22, ""},
        {"atoms_pipe: stage P", "sync_core.u_atoms_pipe.p_pending_q", 1, "L"},
        {"atoms_pipe: stage P", "sync_core.u_atoms_pipe.p_lanes", 1, "L"},
        {"atoms_pipe: stage P", "sync_core.u_atoms_pipe.passes_q", 6, ""},
        {"atoms_pipe: stages R X W", "sync_core.u_atoms_pipe.r_valid_q", 1, ""},
        {"atoms_pipe: stages R X W", "sync_core.u_atoms_pipe.r_tag_q", 22, ""},
        {"atoms_pipe: stages R X W", "sync_core.u_atoms_pipe.x_valid_q", 1, ""},
        {"atoms_pipe: stages R X W", "sync_core.u_atoms_pipe.x_tag_q", 22, ""},
        {"atoms_pipe: stages R X W", "sync_core.u_atoms_pipe.w_valid_q", 1, ""},
        {"atoms_pipe: faults", "trace_fault_valid_o", 1, ""},
        {"atoms_pipe: faults", "trace_fault_tag_o", 22, ""},
        {"atoms_pipe: faults", "trace_fault_lanes_o", 96, ""},
        {"atoms_pipe: passes", "trace_commit_valid_o", 1, ""},
        {"atoms_pipe: passes", "trace_commit_tag_o", 22, ""},
        {"atoms_pipe: passes", "trace_commit_lanes_o", 32, ""},
        {"smem_banks: reads", "sync_core.u_smem_banks.busy_i", 1, ""},
        {"smem_banks: reads", "sync_core.u_smem_banks.rd_en_i", 1, "B"},
        {"smem_banks: reads", "sync_core.u_smem_banks.rd_data_o", 32, "B"},
        {"smem_banks: reads", "sync_core.u_smem_banks.rd_fwd_o", 1, "B"},
        {"smem_banks: writes", "trace_commit_we_o", 1, "B"},
        {"smem_banks: writes", "trace_commit_old_o", 32, "B"},
        {"smem_banks: writes", "trace_commit_new_o", 32, "B"},
        {"smem_banks: writes", "trace_commit_fwd_o", 1, "B"},
        {"smem_banks: host", "host_valid_i", 1, ""},
        {"smem_banks: host", "host_ready_o", 1, ""},
        {"smem_banks: host", "host_write_i", 1, ""},
        {"smem_banks: host", "host_addr_i", 16, ""},
        {"smem_banks: host", "host_wdata_i", 32, ""},
};

static unsigned width(const struct signal *s, unsigned lanes, unsigned banks, unsigned ports)
{
	unsigned w = s->fixed;
	for (const char *p = s->times; *p; p++)
		w *= *p == 'P' ? ports : *p == 'L' ? lanes : banks;
	return w;
}

bool write_gtkw(const char *fst, unsigned lanes, unsigned banks, unsigned ports)
{
	char path[4096];
	const char *dot = strrchr(fst, '.'), *slash = strrchr(fst, '/');
	const int stem = dot && (!slash || dot > slash) ? (int)(dot - fst) : (int)strlen(fst);
	if ((size_t)snprintf(path, sizeof path, "%.*s.gtkw", stem, fst) >= sizeof path)
		return false;
	FILE *f = fopen(path, "w");
	if (!f) {
		fprintf(stderr, "wlcosim: cannot write %s\n", path);
		return false;
	}
	fprintf(f, "[dumpfile] \"%s\"\n[timestart] 0\n[size] 1600 900\n[sst_expanded] 1\n", fst);
	const char *group = "";
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
		const struct signal *s = &signals[i];
		if (strcmp(group, s->group) != 0)
			fprintf(f, "@200\n-%s\n", s->group);
		group = s->group;
		const unsigned w = width(s, lanes, banks, ports);
		if (s->fixed == 1 && !*s->times)
			fprintf(f, "@28\nTOP.%s\n", s->name);
		else
			fprintf(f, "@22\nTOP.%s[%u:0]\n", s->name, w - 1);
	}
	return fclose(f) == 0;
}
