// SPDX-License-Identifier: Apache-2.0
/* dut_word.c -- the values of --dut. */
#include "link_dut.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "link.h"

unsigned dut_board_name(const char *board, bool *routed)
{
	const size_t n = strspn(board, "abcdefghijklmnopqrstuvwxyz0123456789-");
	*routed = strcmp(board + n, ":routed") == 0;
	return n && n <= 40 && (!board[n] || *routed) ? (unsigned)n : 0;
}

/* Whether fpga/boards has a description of the board. Without a source tree: false. */
static bool is_board(const char *board)
{
	bool routed;
	char root[PATH_MAX], path[PATH_MAX + 80];
	const unsigned n = dut_board_name(board, &routed);
	if (!n || !model_root(root, sizeof root))
		return false;
	snprintf(path, sizeof path, "%s/fpga/boards/%.*s/board.mk", root, (int)n, board);
	return access(path, R_OK) == 0;
}

bool dut_board_line(const char *where, char *tty, size_t n, unsigned *baud)
{
	const char *at = strrchr(where, '@');
	const size_t name = at ? (size_t)(at - where) : strlen(where);
	char *end = NULL;
	errno = 0;
	const unsigned long speed = at ? strtoul(at + 1, &end, 10) : LINK_USUAL_BAUD;
	if (!name || name >= n || (at && (at[1] < '0' || at[1] > '9' || *end || errno || speed > UINT_MAX)))
		return false;
	snprintf(tty, n, "%.*s", (int)name, where);
	*baud = (unsigned)speed;
	return link_has_speed(*baud);
}

bool dut_word(const char *what)
{
	char tty[LINK_NAME];
	unsigned baud;
	if (strncmp(what, "uart:", 5) == 0)
		return is_board(what + 5);
	if (strncmp(what, "board:", 6) == 0)
		return dut_board_line(what + 6, tty, sizeof tty, &baud);
	return strcmp(what, "uart") == 0 || strcmp(what, "axi") == 0 || strcmp(what, "wb") == 0 ||
	       strcmp(what, "model") == 0;
}

static int no_dot(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

void dut_put_words(FILE *to)
{
	struct dirent **board = NULL;
	char root[PATH_MAX], path[PATH_MAX + 80] = "";
	if (model_root(root, sizeof root))
		snprintf(path, sizeof path, "%s/fpga/boards", root);
	const int n = *path ? scandir(path, &board, no_dot, alphasort) : 0;
	fprintf(to, "; BOARD is one of");
	for (int i = 0; i < n; i++) {
		fprintf(to, "%s %s", i ? "," : "", board[i]->d_name);
		free(board[i]);
	}
	free(board);
	fprintf(to, "; BAUD is one of");
	link_put_speeds(to);
}
