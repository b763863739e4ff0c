// SPDX-License-Identifier: Apache-2.0
/* object.h -- reading of objects: cubins of NVIDIA's tools, objects of wlcc and wlas, fat binaries, host files with fat
 * binaries. A kernel of an object becomes a program for the model.
 *
 * Source: docs/spec/objects.md, "Container"; docs/spec/objects.md, "Which image runs". */
#ifndef WARPLOCK_OBJECT_H
#define WARPLOCK_OBJECT_H

#include "warplock/program.h"

/* An object, opened once. The object points into `elf`; `elf` must outlive the object. On failure `why` gets a line and
 * *out is NULL. */
struct wl_object;
enum wl_status wl_object_open(const unsigned char *elf, size_t size, struct wl_object **out, char *why, size_t whyn);
void wl_object_close(struct wl_object *o); /* NULL is fine */
enum wl_arch wl_object_arch(const struct wl_object *o);
/* The number of the file's chip: 86, where the architecture is WL_SM80. */
unsigned wl_object_chip(const struct wl_object *o);

/* A linked kernel: called functions lie behind the kernel, relocations have their values. entry NULL = the only kernel.
 * The program owns copies of all its data. */
enum wl_status wl_object_program(const struct wl_object *o, const char *entry, struct wl_program *out, char *why,
                                 size_t whyn);
/* The same with variables at addresses of the caller's choice (wl_object_program: WL_MODULE_BASE and WL_CONST_BASE), so
 * that several modules live side by side. bases NULL: as wl_object_program. */
struct wl_bases {
	uint64_t data, constants; /* of variables; of constant bank 3 by generic address */
	bool functions;           /* each function has the same address for all kernels of the object */
};
/* True when variables may hold addresses of functions of the object: then the kernels need wl_bases.functions. */
bool wl_object_keeps_functions(const struct wl_object *o);
enum wl_status wl_object_program_at(const struct wl_object *o, const char *entry, const struct wl_bases *bases,
                                    struct wl_program *out, char *why, size_t whyn);
/* The module's variables and constants without any kernel: data, cbank[3] and globals of out. */
enum wl_status wl_object_variables(const struct wl_object *o, const struct wl_bases *bases, struct wl_program *out,
                                   char *why, size_t whyn);
/* The same from the bytes of an object. */
enum wl_status wl_object_load(const unsigned char *elf, size_t size, const char *entry, struct wl_program *out,
                              char *why, size_t whyn);
/* Names of the kernels of an object, a call each. */
enum wl_status wl_object_kernels(const unsigned char *elf, size_t size, void (*name)(void *self, const char *kernel),
                                 void *self, char *why, size_t whyn);

/* Content of an object, not linked. wl_object_code: code of kernels and functions, in the file's order; false behind
 * the last. */
struct wl_code {
	const char *name;
	bool kernel;
	const unsigned char *bytes; /* words of 16 bytes, not aligned */
	uint32_t nwords;
	uint32_t section;
};
bool wl_object_code(const struct wl_object *o, uint32_t i, struct wl_code *out);
/* Records of .nv.info in words, of a kernel or function, or of the whole object (NULL): a call each. */
enum wl_status wl_object_attributes(const struct wl_object *o, const char *function,
                                    void (*line)(void *self, const char *text), void *self, char *why, size_t whyn);
/* Targets of the indirect branches of a function, from the object; the caller frees the array. NULL: unknown. */
struct wl_way *wl_object_ways(const struct wl_object *o, const char *function, uint32_t *n);
/* Relocations of a section, a call each: "R_CUDA_ABS32_LO_32 counter + 0x8". */
void wl_object_relocations(const struct wl_object *o, uint32_t section,
                           void (*relocation)(void *self, uint64_t offset, const char *text), void *self);

/* Registers, frame and memory of a kernel, or registers and frame of a function: sets the members of *out, and ninst.
 * *out owns nothing: params is NULL. */
enum wl_status wl_object_resources(const struct wl_object *o, const struct wl_code *code, struct wl_program *out,
                                   char *why, size_t whyn);
/* Sections of variables and constants, and other sections with memory, a call each. */
void wl_object_sections(const struct wl_object *o,
                        void (*section)(void *self, uint32_t section, const char *name, uint64_t bytes), void *self);
/* Functions without a code section of their own: section and offset of the start, a call each. */
void wl_object_labels(const struct wl_object *o,
                      void (*label)(void *self, uint32_t section, uint64_t offset, const char *name), void *self);

/* Source lines of an object's code, from DWARF line tables. wl_lines_open: NULL when the object has no readable line
 * table. The object must outlive the result. wl_lines_find: the places of the word at `offset` of a section, from the
 * innermost function to the outermost call, at most `most`; returns their number, 0 where unknown, or when l is NULL.
 * The names live as long as l. */
struct wl_lines;
struct wl_lines *wl_lines_open(const struct wl_object *o);
void wl_lines_close(struct wl_lines *l);
uint32_t wl_lines_find(struct wl_lines *l, uint32_t section, uint64_t offset, struct wl_place *chain, uint32_t most);
/* Lines of the PTX for the words of a function, a line number a word, 0 = none; the caller frees the array. NULL: the
 * object has no PTX lines (objects of wlcc and of ptxas -lineinfo have PTX lines). */
uint32_t *wl_object_ptx_lines(const struct wl_object *o, const struct wl_code *code);
/* Fills the places of a program of this object, as far as the line table has places. */
enum wl_status wl_object_program_lines(const struct wl_object *o, struct wl_program *p);

/* The part of a file for a chip. Of a cubin: the whole file. Of a fat binary, or a host file with fat binaries: the
 * cubin for the chip (75, 86, ...) with `entry` (NULL = the only cubin with kernels), else a cubin for a chip of the
 * same words, else the newest fitting PTX. Compressed images are unpacked. `out` points into `file`, or to `owned`;
 * wl_image_free frees `owned`. */
enum wl_image_kind { WL_IMAGE_CUBIN, WL_IMAGE_PTX };
struct wl_image {
	enum wl_image_kind kind;
	const unsigned char *data;
	size_t size;
	unsigned char *owned; /* unpacked data, else NULL */
};
enum wl_status wl_image_find(const unsigned char *file, size_t size, unsigned chip, const char *entry,
                             struct wl_image *out, char *why, size_t whyn);
void wl_image_free(struct wl_image *image);
bool wl_image_is_fatbin(const unsigned char *file, size_t size);

#endif
