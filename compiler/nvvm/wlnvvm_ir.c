/* SPDX-License-Identifier: Apache-2.0 */
/* wlnvvm-ir -- the part of wlnvvm with LLVM, started by wlnvvm. */
#include <stdio.h>
#include <string.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "driver.h"

int main(int argc, char **argv)
{
	struct nv_options o;
	struct nv_phase own = {""}, *phase = &own;
	const char *what, *arg;
	prctl(PR_SET_PDEATHSIG, SIGTERM); /* ends if wlnvvm was killed without a chance to clean up */
	if (!nv_parse_options(argc, argv, &o, &what, &arg) || !o.in) {
		fprintf(stderr, "wlnvvm-ir: run wlnvvm instead\n");
		return 2;
	}
	if (o.phase_fd >= 0) {
		void *p = mmap(NULL, sizeof *phase, PROT_READ | PROT_WRITE, MAP_SHARED, o.phase_fd, 0);
		phase = p == MAP_FAILED ? phase : p;
	}
	int rc = nv_compile(&o, phase);
	fflush(NULL);
	_exit(rc); /* no destructors: the memory goes with the process */
}
