// SPDX-License-Identifier: Apache-2.0
/* object.h -- objects as they are read: cubins of NVIDIA's tools and objects of ours, fat binaries, and the files of
 * the host that carry those. A kernel of an object becomes a program that the model runs. */
#ifndef WARPLOCK_OBJECT_H
#define WARPLOCK_OBJECT_H

#include "warplock/program.h"

/* An object (ours or NVIDIA's cubin), opened once. It points into `elf`, which must outlive it. `why` gets one line on
 * failure; *out is NULL then. */
struct wl_object;
enum wl_status wl_object_open(const unsigned char *elf, size_t size, struct wl_object **out, char *why, size_t whyn);
void wl_object_close(struct wl_object *o); /* NULL is fine */
enum wl_arch wl_object_arch(const struct wl_object *o);
/* The number of the chip that the file is for: 86, where the architecture is WL_SM80. */
unsigned wl_object_chip(const struct wl_object *o);

/* A kernel, linked: functions that it calls lie behind it, relocations have their values. entry NULL = the only kernel.
 * The program owns copies of everything it needs. */
enum wl_status wl_object_program(const struct wl_object *o, const char *entry, struct wl_program *out, char *why,
                                 size_t whyn);
/* The same from the bytes of an object, which is opened and closed. */
enum wl_status wl_object_load(const unsigned char *elf, size_t size, const char *entry, struct wl_program *out,
                              char *why, size_t whyn);
/* Names of the kernels of an object, one call each. */
enum wl_status wl_object_kernels(const unsigned char *elf, size_t size, void (*name)(void *self, const char *kernel),
                                 void *self, char *why, size_t whyn);

/* What an object holds as it stands there, not linked. Code of kernels and functions, in the file's order; false behind
 * the last one. */
struct wl_code {
	const char *name;
	bool kernel;
	const unsigned char *bytes; /* words of 16 bytes, not aligned */
	uint32_t nwords;
	uint32_t section;
};
bool wl_object_code(const struct wl_object *o, uint32_t i, struct wl_code *out);
/* Records of .nv.info in words, of a kernel or function, or of the whole object (NULL): one call each. */
enum wl_status wl_object_attributes(const struct wl_object *o, const char *function,
                                    void (*line)(void *self, const char *text), void *self, char *why, size_t whyn);
/* Where the indirect branches of a function lead, as the object says; the caller frees it. NULL: nothing is said. */
struct wl_way *wl_object_ways(const struct wl_object *o, const char *function, uint32_t *n);
/* Relocations of a section, one call each: "R_CUDA_ABS32_LO_32 counter + 0x8". */
void wl_object_relocations(const struct wl_object *o, uint32_t section,
                           void (*relocation)(void *self, uint64_t offset, const char *text), void *self);

/* Registers, frame and memory of a kernel, or registers and frame of a function: the members of *out that tell them are
 * set, and ninst; it owns nothing, so that params is NULL. */
enum wl_status wl_object_resources(const struct wl_object *o, const struct wl_code *code, struct wl_program *out,
                                   char *why, size_t whyn);
/* Sections with variables and constants, and what else takes memory, one call each. */
void wl_object_sections(const struct wl_object *o,
                        void (*section)(void *self, uint32_t section, const char *name, uint64_t bytes), void *self);
/* Functions that have no section of code of their own: where in which one they begin, one call each. */
void wl_object_labels(const struct wl_object *o,
                      void (*label)(void *self, uint32_t section, uint64_t offset, const char *name), void *self);

/* Source lines of an object's code, from its DWARF line tables; programs that use these five are linked with libdw,
 * too. wl_lines_open: NULL when the object has no line table, or one that cannot be read: a listing goes without. The
 * object must outlive it. wl_lines_find: file and line of the word at `offset` of a section; false where none is known,
 * or l is NULL. The name lives as long as l. */
struct wl_lines;
struct wl_lines *wl_lines_open(const struct wl_object *o);
void wl_lines_close(struct wl_lines *l);
bool wl_lines_find(const struct wl_lines *l, uint32_t section, uint64_t offset, const char **file, unsigned *line);
/* Lines of the PTX that the words of a function were made of, one a word, 0 = none; the caller frees them. NULL: the
 * object does not say (wlcc's do; ptxas -lineinfo). */
uint32_t *wl_object_ptx_lines(const struct wl_object *o, const struct wl_code *code);
/* Fills lines and source of a program that the object has made, where its line table tells them. */
enum wl_status wl_object_program_lines(const struct wl_object *o, struct wl_program *p);

/* What of a file an architecture runs. A cubin is all of it; of a fat binary (.fatbin), or an object or executable of
 * the host that carries some, it is the cubin for the chip (75, 86, ...; or else one for a chip of the same words) that
 * holds `entry` (NULL = the only one with kernels), or the newest PTX that fits where there is no cubin. Compressed
 * images are unpacked. `out` points into `file`, or to bytes of its own: wl_image_free gives those back. */
enum wl_image_kind { WL_IMAGE_CUBIN, WL_IMAGE_PTX };
struct wl_image {
	enum wl_image_kind kind;
	const unsigned char *data;
	size_t size;
	unsigned char *owned; /* data where it was unpacked, else NULL */
};
enum wl_status wl_image_find(const unsigned char *file, size_t size, unsigned chip, const char *entry,
                             struct wl_image *out, char *why, size_t whyn);
void wl_image_free(struct wl_image *image);
bool wl_image_is_fatbin(const unsigned char *file, size_t size);

#endif
