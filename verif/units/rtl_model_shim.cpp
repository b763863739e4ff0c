// SPDX-License-Identifier: Apache-2.0
// One extern "C" shim around any verilated module of the unit benches: pins by name, as bytes. verif/verilate builds
// the shim, and sets MODEL, MODEL_HEADER and PINS.
#include MODEL_HEADER
#include "verilated.h"
#include "../rtl_coverage.h"

#include <cstdint>
#include <cstring>

namespace {
struct Pin {
	const char *name;
	void *(*data)(MODEL *);
	unsigned bytes;
};
const Pin pins[] = {
#define PIN(name)                                                                                                      \
	{#name, [](MODEL *m) -> void * { return static_cast<void *>(&m->name); }, static_cast<unsigned>(sizeof(MODEL::name))},
#include PINS
#undef PIN
};
} // namespace

#pragma GCC visibility push(default)
extern "C" {
void *model_new(void)
{
	VerilatedContext *context = new VerilatedContext;
	return new MODEL(context);
}
void model_free(void *model)
{
	MODEL *m = static_cast<MODEL *>(model);
	VerilatedContext *context = m->contextp();
	m->final();
	keep_coverage(context);
	delete m;
	delete context;
}
void model_eval(void *model)
{
	static_cast<MODEL *>(model)->eval();
}
// Storage of a pin, little endian, and its size in bytes (1, 2, 4, 8 or a multiple of 4); null for an unknown pin.
void *model_pin(void *model, const char *name, unsigned *bytes)
{
	for (const Pin &p : pins) {
		if (std::strcmp(p.name, name) == 0) {
			*bytes = p.bytes;
			return p.data(static_cast<MODEL *>(model));
		}
	}
	return nullptr;
}
// The parameters given to the build, as "Lanes=4 Banks=8 ..."; empty without parameters.
#ifndef PARAMS
#define PARAMS ""
#endif
const char *model_params(void)
{
	return PARAMS;
}
}
