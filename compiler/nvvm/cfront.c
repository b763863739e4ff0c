/* SPDX-License-Identifier: Apache-2.0 */
/* cfront.c -- C input: clang-19 reads the builtin header and the source, and makes unoptimised bitcode. */
#define _GNU_SOURCE /* memfd_create, pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver.h"

extern char **environ;

/* #include, or names built with ##. */
static bool includes_others(const char *text)
{
	for (const char *h = strchr(text, '#'); h; h = strchr(h + 1, '#')) {
		const char *word = h + 1 + strspn(h + 1, " \t");
		if (h[1] == '#' || !strncmp(word, "include", 7))
			return true;
	}
	return false;
}

/* The source text, to look for names. NULL for a source with includes and for an unreadable source: then the header
 * declares every name. */
static char *mentioned(const char *file)
{
	char *text = NULL, block[65536];
	size_t size, n;
	FILE *in = fopen(file, "rb"), *out = in ? open_memstream(&text, &size) : NULL;
	if (!out) {
		if (in)
			fclose(in);
		return NULL;
	}
	while ((n = fread(block, 1, sizeof block, in)) > 0)
		fwrite(block, 1, n, out);
	fclose(in);
	fclose(out);
	if (!includes_others(text))
		return text;
	free(text);
	return NULL;
}

/* The header as a file without a name. The child reads /dev/fd/N. -1: a message was printed. */
static int header_file(const char *source)
{
	int fd = memfd_create("wlcc-builtins.h", 0);
	FILE *out = fd < 0 ? NULL : fdopen(dup(fd), "w");
	bool ok = out && nv_print_header(out, source);
	if (out && fclose(out))
		ok = false;
	if (ok)
		return fd;
	perror("wlnvvm: header");
	return -1;
}

/* Types of variables cost time: requested only for sources with possible enums. The target's own -g has lines only. */
static const char *debug_level(const char *source)
{
	return !source || strstr(source, "enum") ? "-debug-info-kind=limited" : "-debug-info-kind=line-tables-only";
}

int nv_start_clang(const struct nv_options *o, int *pid)
{
	const char *clang = getenv("CLANG19") ? getenv("CLANG19") : "clang-19";
	char march[32], include[32], opt[4];
	char *source = o->n_passed ? NULL : mentioned(o->in);
	const char *debug = debug_level(source);
	int header = header_file(source), fds[2];
	posix_spawn_file_actions_t files;
	free(source);
	if (header < 0)
		return -1;
	if (pipe2(fds, O_CLOEXEC)) {
		perror("wlnvvm");
		return -1;
	}
	snprintf(march, sizeof march, "-march=sm_%u", o->sm >= 90 ? 90 : o->sm); /* clang 19 knows no newer SM */
	snprintf(include, sizeof include, "/dev/fd/%d", header);
	snprintf(opt, sizeof opt, "-O%d", o->opt);
	const char *args[80] = {clang,
	                        "--target=nvptx64-nvidia-cuda",
	                        march,
	                        opt,
	                        "-ffreestanding",
	                        "-fno-ident",
	                        "-gline-tables-only",
	                        "-Xclang",
	                        debug,
	                        "-Wno-unknown-cuda-version",
	                        "-Wno-atomic-alignment",
	                        "-Xclang",
	                        "-disable-llvm-passes",
	                        "-Xclang",
	                        "-target-feature",
	                        "-Xclang",
	                        "+ptx83",
	                        "-emit-llvm",
	                        "-c",
	                        "-include",
	                        include,
	                        "-o",
	                        "-"};
	size_t n = 0;
	while (args[n])
		n++;
	for (unsigned i = 0; i < o->n_passed; i++)
		args[n++] = o->passed[i];
	args[n++] = o->in;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, fds[1], STDOUT_FILENO);
	char *argv[80];
	memcpy(argv, args, sizeof argv); /* posix_spawn takes unqualified strings and does not change the strings */
	int e = posix_spawnp(pid, clang, &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	close(fds[1]);
	close(header);
	if (e) {
		fprintf(stderr, "wlnvvm: cannot run %s: %s (C input needs clang 19; CLANG19 may name it)\n", clang,
		        strerror(e));
		close(fds[0]);
		return -1;
	}
	if (fcntl(fds[0], F_SETFD, 0)) /* for wlnvvm-ir */
		perror("wlnvvm");
	return fds[0];
}
