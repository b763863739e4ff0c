/* SPDX-License-Identifier: Apache-2.0
 * rtl_model.h -- a verilated module, loaded from a shared object: any build with the same ports does (RTL, netlist).
 *
 * Pins are little-endian byte strings; fields of a pin are named by bit position and width. */
#ifndef RTL_MODEL_H
#define RTL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "../common/rng.h"

struct model {
	void *library, *self;
	void (*eval)(void *self);
	void (*destroy)(void *self);
	void *(*find)(void *self, const char *name, unsigned *bytes);
	const char *params; /* "Lanes=4 Banks=8 ..." as given to the build */
	bool changed;       /* a change of verif/mutation/mutants is on: a single error is enough */
};

/* Loads a model; on failure prints the reason and exits with status 2. */
void model_open(struct model *m, const char *path);
void model_close(struct model *m);

/* Storage of a pin; exits with status 2 if the model has no pin of the name. */
uint8_t *model_pin(const struct model *m, const char *name);
bool model_has_pin(const struct model *m, const char *name);
/* A pointer for each port of a module, by the list in "pins/MODULE.h" of the build: an unnamed structure, and the search
 * in a model. A form of the module has the same ports. */
#define PINS_MEMBERS(module)                                                                                           \
	struct {                                                                                                       \
		PINS_##module(PIN_MEMBER, , )                                                                          \
	}
#define PINS_FIND(module, to, model)                                                                                   \
	do {                                                                                                           \
		PINS_##module(PIN_FIND, to, model)                                                                     \
	} while (0)
#define PIN_MEMBER(pin, to, model) uint8_t *pin;
#define PIN_FIND(pin, to, model)   (to)->pin = model_pin(model, #pin);
/* Chooses an injected fault of a planted model, 0 = none. The pin has 12 bits. */
void model_plant(const struct model *m, unsigned bug);

/* Value of a parameter of the build, or `fallback` if the build has none. */
unsigned model_param(const struct model *m, const char *name, unsigned fallback);

/* Bits [at, at + width) of a pin, width 1..32. */
static inline uint32_t pin_get(const uint8_t *pin, unsigned at, unsigned width)
{
	uint64_t v = 0;
	for (unsigned byte = at / 8, i = 0; byte <= (at + width - 1) / 8; byte++, i++) {
		v |= (uint64_t)pin[byte] << (8 * i);
	}
	return (uint32_t)((v >> (at % 8)) & ((UINT64_C(1) << width) - 1));
}
static inline void pin_set(uint8_t *pin, unsigned at, unsigned width, uint32_t value)
{
	uint64_t mask = ((UINT64_C(1) << width) - 1) << (at % 8), v = (uint64_t)value << (at % 8) & mask;
	for (unsigned byte = at / 8; byte <= (at + width - 1) / 8; byte++, mask >>= 8, v >>= 8) {
		pin[byte] = (uint8_t)((pin[byte] & ~mask) | v);
	}
}
/* Random bits: the value of a pin whose `valid` is 0 must not matter. */
static inline void pin_noise(uint8_t *pin, unsigned width, struct rng *rng)
{
	for (unsigned at = 0; at < width; at += 32) {
		pin_set(pin, at, width - at < 32 ? width - at : 32, rng_u32(rng));
	}
}

#endif
