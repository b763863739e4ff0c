// SPDX-License-Identifier: Apache-2.0
/* device.c -- the devices, all alike: the chip, from the environment, and the attributes. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "warplock/misuse.h"

struct device Device;

/* Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; SMs, L2 and clock from the
 * public data sheets of a product of each chip. */
static const struct chip_facts facts[] = {
        {75, 40, 1024, 16, 4096, 1590000, "T4"},          {80, 108, 2048, 32, 40960, 1410000, "A100"},
        {86, 84, 1536, 16, 6144, 1740000, "A40"},         {87, 16, 1536, 16, 4096, 1300000, "Orin"},
        {88, 16, 1536, 16, 4096, 1300000, "sm_88"},       {89, 142, 1536, 24, 98304, 2520000, "L40"},
        {90, 132, 2048, 32, 51200, 1980000, "H100"},      {100, 148, 2048, 32, 129536, 1965000, "B200"},
        {103, 148, 2048, 32, 129536, 1920000, "B300"},    {110, 20, 1536, 24, 32768, 1575000, "Thor"},
        {120, 170, 1536, 24, 98304, 2407000, "RTX 5090"}, {121, 48, 1536, 24, 24576, 2418000, "GB10"},
};

const struct chip_facts *device_facts(void)
{
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		if (facts[i].chip == Device.chip)
			return &facts[i];
	return &facts[0];
}

/* ---- the environment ---- */

/* NULL: not set, or empty. */
static const char *word(const char *name)
{
	const char *text = getenv(name);
	return text && *text ? text : NULL;
}

/* A repeated line is dropped: a program may meet the same value at each call. */
static void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void complain(const char *format, ...)
{
	static char last[1000];
	char text[sizeof last];
	va_list ap;
	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	if (strcmp(text, last) == 0)
		return;
	memcpy(last, text, sizeof last);
	say("%s", text);
}

static bool number(const char *name, uint64_t least, uint64_t most, uint64_t *out)
{
	const char *text = getenv(name);
	char *end;
	if (!text || !*text)
		return true;
	errno = 0;
	const unsigned long long v = strtoull(text, &end, 0);
	if (*text >= '0' && *text <= '9' && !*end && !errno && v >= least && v <= most) {
		*out = v;
		return true;
	}
	complain("%s: found '%s', expected a number from %llu to %llu", name, text, (unsigned long long)least,
	         (unsigned long long)most);
	return false;
}

/* Ordinals of the machine, with commas between; the list ends before the first invalid ordinal. False: no device. */
static bool choose_visible(unsigned all)
{
	const char *text = getenv("CUDA_VISIBLE_DEVICES"), *at = text;
	unsigned seen = 0;
	Device.devices = 0;
	for (unsigned i = 0; !text && i < all; i++)
		Device.number[Device.devices++] = (uint8_t)i;
	while (at && *at >= '0' && *at <= '9') {
		char *end;
		const unsigned long v = strtoul(at, &end, 10);
		if (v >= all || seen >> v & 1 || (*end && *end != ','))
			break;
		seen |= 1u << v;
		Device.number[Device.devices++] = (uint8_t)v;
		at = *end ? end + 1 : NULL;
	}
	if (!Device.devices)
		complain("CUDA_VISIBLE_DEVICES: found '%s', which names none of %u device%s (WARPLOCK_DEVICES)", text,
		         all, all == 1 ? "" : "s");
	return Device.devices;
}

bool device_open(void)
{
	const char *arch = getenv("WARPLOCK_ARCH"), *misuse = getenv("WARPLOCK_MISUSE");
	uint64_t sms, gib = 16, devices = 1, schedule = WL_SCHEDULE_STEADY;
	Device = (struct device){.chip = 90, .seed = 1, .limit = UINT64_C(10000000000)};
	if (arch && *arch) {
		Device.chip = wl_chip_parse(arch, NULL);
		if (!Device.chip || !wl_arch_of_chip(Device.chip)) {
			complain("WARPLOCK_ARCH: found '%s', expected one of " WL_CHIP_NAMES, arch);
			return false;
		}
	}
	Device.arch = wl_arch_of_chip(Device.chip);
	sms = device_facts()->sms;
	if (!number("WARPLOCK_DEVICES", 1, MOST_DEVICES, &devices) || !number("WARPLOCK_SMS", 1, 256, &sms) ||
	    !number("WARPLOCK_MEMORY_GIB", 1, 1024, &gib) || !number("WARPLOCK_SEED", 0, UINT64_MAX, &Device.seed) ||
	    !number("WARPLOCK_LIMIT", 1, UINT64_C(1) << 62, &Device.limit) ||
	    !number("WARPLOCK_RECORD_FIRST", 1, UINT32_MAX, &Device.record_first))
		return false;
	if (misuse && *misuse && !wl_misuse_parse(misuse, Device.misuse)) {
		complain("WARPLOCK_MISUSE: found '%s', expected silicon, report, fault or KIND=MODE", misuse);
		return false;
	}
	if (getenv("WARPLOCK_SEED") && *getenv("WARPLOCK_SEED"))
		schedule = WL_SCHEDULE_EXPLORE;
	Device.schedule = (unsigned)schedule;
	Device.sms = (unsigned)sms;
	Device.memory = gib << 30;
	const char *blocking = getenv("CUDA_LAUNCH_BLOCKING");
	Device.blocking = blocking && strcmp(blocking, "1") == 0;
	Device.record = word("WARPLOCK_RECORD");
	Device.record_kernel = word("WARPLOCK_RECORD_KERNEL");
	Device.report = word("WARPLOCK_REPORT");
	return choose_visible((unsigned)devices);
}

/* ---- attributes ---- */

/* Numbers of CUdevice_attribute with their values; an unlisted number is 0, up to the last known number. */
// clang-format off
#define ATTRIBUTES(ROW) \
	ROW(1, 1024) ROW(2, 1024) ROW(3, 1024) ROW(4, 64) ROW(5, INT32_MAX) ROW(6, 65535) ROW(7, 65535) \
	ROW(8, 48 * 1024) ROW(9, 65536) ROW(10, 32) ROW(11, INT32_MAX) ROW(12, 65536) ROW(13, clock) \
	ROW(14, 512) ROW(15, 1) ROW(16, sms) ROW(19, 1) ROW(30, 512) ROW(31, 1) ROW(33, 1 + ordinal) \
	ROW(36, 1593000) ROW(37, 5120) ROW(38, l2) ROW(39, threads) ROW(40, 3) ROW(41, 1) ROW(51, 32) \
	ROW(75, major) ROW(76, minor) ROW(78, 1) ROW(79, 1) ROW(80, 1) ROW(81, shared_sm) ROW(82, 65536) \
	ROW(83, 1) ROW(85, ordinal) ROW(87, 2) ROW(89, 1) ROW(90, 1) ROW(91, 1) ROW(95, 1) ROW(97, shared_cta) ROW(99, 1) \
	ROW(106, blocks) ROW(111, reserved) ROW(115, 1) ROW(120, clusters) ROW(126, 1) ROW(130, 0) \
	ROW(131, -1) ROW(134, -1)
// clang-format on
enum { LAST_ATTRIBUTE = 147 };

bool device_is(CUdevice device)
{
	return device >= 0 && (unsigned)device < Device.devices;
}

int device_attribute(int attribute, CUdevice device, bool *known)
{
	const struct chip_facts *f = device_facts();
	const int clock = (int)f->clock_khz, sms = (int)Device.sms, l2 = (int)f->l2_kib * 1024;
	const int threads = (int)f->threads_per_sm, blocks = (int)f->blocks_per_sm;
	const int major = (int)Device.chip / 10, minor = (int)Device.chip % 10;
	const int shared_sm = (int)wl_chip_shared_of_sm(Device.chip),
	          shared_cta = (int)wl_chip_shared_of_cta(Device.chip);
	const int ordinal = device_is(device) ? Device.number[device] : 0;
	const int reserved = Device.chip >= 80 ? 1024 : 0, clusters = Device.chip >= 90;
	*known = attribute >= 1 && attribute <= LAST_ATTRIBUTE;
	switch (attribute) {
#define ROW(n, value)                                                                                                  \
	case n:                                                                                                        \
		return value;
		ATTRIBUTES(ROW)
#undef ROW
	default:
		return 0;
	}
}

API CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device)
{
	bool known;
	GUARD(NEED_INIT);
	CHECK(value, INVALID_VALUE);
	CHECK(device_is(device), INVALID_DEVICE);
	const int v = device_attribute(attribute, device, &known);
	CHECK(known, INVALID_VALUE);
	*value = v;
	return CUDA_SUCCESS;
}

API CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	GUARD(NEED_INIT);
	CHECK(device, INVALID_VALUE);
	CHECK(device_is(ordinal), INVALID_DEVICE);
	*device = ordinal;
	return CUDA_SUCCESS;
}

API CUresult cuDeviceGetCount(int *count)
{
	GUARD(NEED_INIT);
	CHECK(count, INVALID_VALUE);
	*count = (int)Device.devices;
	return CUDA_SUCCESS;
}

API CUresult cuDeviceGetName(char *name, int n, CUdevice device)
{
	GUARD(NEED_INIT);
	CHECK(name && n > 0, INVALID_VALUE);
	CHECK(device_is(device), INVALID_DEVICE);
	snprintf(name, (size_t)n, "Warplock sm_%u", Device.chip);
	return CUDA_SUCCESS;
}

API CUresult cuDeviceGetUuid_v2(uint8_t *uuid, CUdevice device)
{
	GUARD(NEED_INIT);
	CHECK(uuid, INVALID_VALUE);
	CHECK(device_is(device), INVALID_DEVICE);
	memcpy(uuid, "Warplock model\0", 15);
	uuid[14] = Device.number[device];
	uuid[15] = (uint8_t)Device.chip;
	return CUDA_SUCCESS;
}
API CUresult cuDeviceGetUuid(uint8_t *uuid, CUdevice device)
{
	return cuDeviceGetUuid_v2(uuid, device);
}

API CUresult cuDeviceGetLuid(char *luid, unsigned *mask, CUdevice device)
{
	(void)luid, (void)mask, (void)device;
	return CUDA_ERROR_NOT_SUPPORTED; /* as on Linux */
}

API CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
	GUARD(NEED_INIT);
	CHECK(bytes, INVALID_VALUE);
	CHECK(device_is(device), INVALID_DEVICE);
	*bytes = Device.memory;
	return CUDA_SUCCESS;
}

API CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
	GUARD(NEED_INIT);
	CHECK(major && minor, INVALID_VALUE);
	CHECK(device_is(device), INVALID_DEVICE);
	*major = (int)Device.chip / 10;
	*minor = (int)Device.chip % 10;
	return CUDA_SUCCESS;
}

/* Members of CUdevprop in order, 14 numbers: eight members and two arrays of three. */
API CUresult cuDeviceGetProperties(int *out, CUdevice device)
{
	static const int from[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
	bool known;
	GUARD(NEED_INIT);
	CHECK(out, INVALID_VALUE);
	CHECK(device_is(device), INVALID_DEVICE);
	for (size_t i = 0; i < sizeof from / sizeof *from; i++)
		out[i] = device_attribute(from[i], device, &known);
	return CUDA_SUCCESS;
}

API CUresult cuDeviceGetPCIBusId(char *id, int n, CUdevice device)
{
	GUARD(NEED_INIT);
	CHECK(id && n > 0, INVALID_VALUE);
	CHECK(device_is(device), INVALID_DEVICE);
	snprintf(id, (size_t)n, "0000:%02x:00.0", Device.number[device] + 1u);
	return CUDA_SUCCESS;
}

API CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id)
{
	GUARD(NEED_INIT);
	CHECK(device && id, INVALID_VALUE);
	unsigned domain, bus, slot, function = 0;
	CHECK(sscanf(id, "%x:%x:%x.%x", &domain, &bus, &slot, &function) >= 3 ||
	              (domain = 0, sscanf(id, "%x:%x.%x", &bus, &slot, &function) == 3),
	      INVALID_VALUE);
	for (CUdevice i = 0; !domain && !slot && !function && device_is(i); i++)
		if (Device.number[i] + 1u == bus) {
			*device = i;
			return CUDA_SUCCESS;
		}
	return CUDA_ERROR_INVALID_DEVICE;
}

API CUresult cuDeviceGetExecAffinitySupport(int *supported, int type, CUdevice device)
{
	GUARD(NEED_INIT);
	CHECK(supported && type >= 0, INVALID_VALUE);
	CHECK(device_is(device), INVALID_DEVICE);
	*supported = 0;
	return CUDA_SUCCESS;
}
