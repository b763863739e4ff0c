// SPDX-License-Identifier: Apache-2.0
/* warp_test.c -- the states of a warp (cmodel/sm/warp.def). Every move of the table occurs in some kernel below, all
 * other moves are refused, and cmodel/README.md shows the table. The linker puts a count in front of warp_enter
 * (--wrap). */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../cmodel/sm/warp.h"
#include "source_dut.h"

void __real_warp_enter(struct warp *w, enum warp_state to);
void __wrap_warp_enter(struct warp *w, enum warp_state to);

static const char *const names[WARP_STATES] = {
#define WARP_STATE(name, why) #name,
#include "../../cmodel/sm/warp.def"
#undef WARP_STATE
};
static unsigned seen[WARP_STATES][WARP_STATES];

void __wrap_warp_enter(struct warp *w, enum warp_state to)
{
	seen[w->state][to]++;
	__real_warp_enter(w, to);
}

/* ---- kernels ---- */

#define EVERY                                                                                                          \
	(BIT(atoms_pipe) | BIT(barrier_file) | BIT(warp_collective) | BIT(fence_unit) | BIT(mbarrier_engine) |         \
	 BIT(convergence) | BIT(cluster_barrier))
/* R0 = thread, P6: warp 0, P1: threads 0 to 2, P4: thread 0; R2 = 0; an mbarrier of one arrival at 0x10; the words at
 * 0x40 and R10:11 stay 0. */
#define BEGIN                                                                                                          \
	"S2R R0, SR_TID.X\nMOV R2, RZ\nR2UR UR12, R2\nUMOV UR8, 0x1ffffe\nUMOV UR9, 0x7ffff800\n"                      \
	"MOV R10, c[0x0][0x210]\nMOV R11, c[0x0][0x214]\nISETP.LT.U32.AND P6, PT, R0, 0x20, PT\n"                      \
	"ISETP.LT.U32.AND P1, PT, R0, 0x3, PT\nISETP.EQ.U32.AND P4, PT, R0, RZ, PT\nSTS [0x40], RZ\n"                  \
	"SYNCS.EXCH.64 URZ, [UR12+0x10], UR8\n"
#define TRYWAIT "SYNCS.PHASECHK.TRANS64.TRYWAIT P2, [R2+URZ+0x10], RZ\n"
#define ARRIVE  "@P4 SYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR12+0x10], RZ\n"
#define STORES  "STS [0x50], R0\nSTS [0x54], R0\nSTS [0x58], R0\nSTS [0x5c], R0\nSTS [0x60], R0\nSTS [0x64], R0\n"

static void runs(const char *text, uint32_t units, unsigned threads, enum wl_outcome want)
{
	static struct dut d;
	struct kernel k;
	kernel_init_for(&k, WL_SM90, text);
	kernel_words(&k, 0, 64, 0);
	k.prog.shared_bytes = 256;
	k.launch.block[0] = threads;
	k.launch.limit = 10000000;
	const enum wl_outcome got = units ? dut_run(&k, &d, units, 1) : kernel_run(&k);
	if (got != want)
		fail_msg("%s: %s: %s", text, wl_outcome_name(got), k.detail);
	kernel_free(&k);
}

/* In C alone: copies, and waits at an mbarrier. Waits end by the arrival, or give up before. */
static void test_in_c(void **x)
{
	(void)x;
	runs(BEGIN "LDGSTS.E [R2+0x80], desc[UR4][R10.64]\nLDGDEPBAR\nDEPBAR.LE SB0, 0x0\nEXIT\n", 0, 32, WL_ENDED);
	runs(BEGIN "BAR.SYNC 0x0\n@P6 BRA {late}\nwait:\n" TRYWAIT "@!P2 BRA {wait}\nEXIT\n"
	           "late:\nNANOSLEEP 0x2000\n" ARRIVE "EXIT\n",
	     0, 64, WL_ENDED);
}

/* In the DUT: posted stores with no place left, barriers, fences, exits; an access in C behind posted stores. */
static void test_in_dut(void **x)
{
	(void)x;
	runs(BEGIN STORES "LDS R9, [0x50]\nMEMBAR.SC.GPU\nBAR.SYNC 0x0\n" STORES "EXIT\n", EVERY, 64, WL_ENDED);
	runs(BEGIN STORES "STG.E.STRONG.SYS [R10], RZ\nEXIT\n", BIT(atoms_pipe) | BIT(mbarrier_engine), 64, WL_ENDED);
}

/* Threads 0 to 2 wait at BSYNC for lanes that wait for an arrival of thread 0. The DUT lets threads 0 to 2 go; the other
 * lanes wait in C at that moment, or between two waits: `turns` shifts the moment. */
static void test_patience(void **x)
{
	(void)x;
	for (unsigned turns = 1; turns < 4; turns++) {
		char text[2000];
		snprintf(text, sizeof text,
		         BEGIN "MOV R8, 0x%x\nBSSY B0, {out}\n@P1 BRA {met}\nturn:\nIADD3 R8, R8, -0x1, RZ\n"
		               "ISETP.GT.AND P0, PT, R8, RZ, PT\n@P0 BRA {turn}\nwait:\n" TRYWAIT
		               "LDG.E.STRONG.SYS R9, [R10]\n@!P2 BRA {wait}\nmet:\nBSYNC B0\nout:\n" ARRIVE "EXIT\n",
		         turns);
		runs(text, 0, 32, WL_ENDED);
		runs(text, BIT(convergence), 32, WL_ENDED);
	}
}

/* Warp 0 counts its looks at a word, and the other warp waits in the DUT: a copy of the launch runs ahead in C. */
static void test_ahead(void **x)
{
	(void)x;
	runs(BEGIN "BAR.SYNC 0x0\nMOV R8, RZ\n@P6 BRA {look}\nwait:\n" TRYWAIT
	           "@!P2 BRA {wait}\nEXIT\nlook:\nLDS R9, [0x40]\n"
	           "IADD3 R8, R8, 0x1, RZ\nISETP.NE.U32.AND P0, PT, R8, RZ, PT\n@P0 BRA {look}\n" ARRIVE "EXIT\n",
	     EVERY, 64, WL_DEADLOCK);
}

/* After all kernels. */
static void test_every_row(void **x)
{
	(void)x;
	unsigned dead = 0;
	for (unsigned from = 0; from < WARP_STATES; from++)
		for (unsigned to = 0; to < WARP_STATES; to++)
			if (warp_move_why((enum warp_state)from, (enum warp_state)to) && !seen[from][to]) {
				print_message("no kernel goes from %s to %s\n", names[from], names[to]);
				dead++;
			}
	assert_int_equal(dead, 0);
}

/* ---- refusals ---- */

/* Status and message of a child that makes the move. */
static int status_of_move(unsigned from, unsigned to, char *said, size_t n)
{
	const struct rlimit none = {0, 0};
	struct warp w = {.state = (uint8_t)from};
	int fd[2], status = -1;
	assert_int_equal(pipe(fd), 0);
	const pid_t child = fork();
	if (!child) {
		setrlimit(RLIMIT_CORE, &none);
		dup2(fd[1], STDERR_FILENO);
		warp_enter(&w, (enum warp_state)to);
		_exit(w.state == to ? 0 : 1);
	}
	close(fd[1]);
	const ssize_t got = read(fd[0], said, n - 1);
	said[got > 0 ? got : 0] = 0;
	close(fd[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void test_refusals(void **x)
{
	(void)x;
	for (unsigned from = 0; from < WARP_STATES; from++)
		for (unsigned to = 0; to < WARP_STATES; to++) {
			char said[300], want[100];
			const int status = status_of_move(from, to, said, sizeof said);
			snprintf(want, sizeof want, "internal error: a warp goes from state %s to state %s\n",
			         names[from], names[to]);
			if (warp_move_why((enum warp_state)from, (enum warp_state)to))
				assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0 && !*said);
			else if (!WIFSIGNALED(status) || strcmp(said, want))
				fail_msg("from %s to %s: '%s'", names[from], names[to], said);
		}
}

/* ---- the sources and the page ---- */

static char *text_of(const char *path)
{
	static char text[100000];
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	const size_t n = fread(text, 1, sizeof text - 1, f);
	assert_true(n && n < sizeof text - 1);
	text[n] = 0;
	fclose(f);
	return text;
}

/* No source writes a state past warp_enter. */
static void test_one_writer(void **x)
{
	(void)x;
	glob_t g;
	assert_int_equal(glob("cmodel/sm/*.[ch]", 0, NULL, &g), 0);
	assert_true(g.gl_pathc > 80);
	for (size_t i = 0; i < g.gl_pathc; i++)
		if (strstr(text_of(g.gl_pathv[i]), "state = WARP_"))
			fail_msg("%s writes the state of a warp", g.gl_pathv[i]);
	globfree(&g);
}

static void test_page(void **x)
{
	(void)x;
	static char want[10000];
	size_t n = (size_t)sprintf(want, "| state | why the warp does not run |\n|---|---|\n");
#define WARP_STATE(name, why) n += (size_t)sprintf(want + n, "| `%s` | %s |\n", #name, why);
#include "../../cmodel/sm/warp.def"
#undef WARP_STATE
	n += (size_t)sprintf(want + n, "\n| from | to | when |\n|---|---|---|\n");
#define WARP_MOVE(from, to, why) n += (size_t)sprintf(want + n, "| `%s` | `%s` | %s |\n", #from, #to, why);
#include "../../cmodel/sm/warp.def"
#undef WARP_MOVE
	if (!strstr(text_of("cmodel/README.md"), want))
		fail_msg("cmodel/README.md, expected:\n%s", want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_in_c),       cmocka_unit_test(test_in_dut),    cmocka_unit_test(test_patience),
	        cmocka_unit_test(test_ahead),      cmocka_unit_test(test_every_row), cmocka_unit_test(test_refusals),
	        cmocka_unit_test(test_one_writer), cmocka_unit_test(test_page),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
