// SPDX-License-Identifier: Apache-2.0
#include "image_chip.h"

#include "ptx_chip.h"
#include "warplock/object.h"

unsigned image_chip(const unsigned char *data, size_t size, const char *entry)
{
	char why[200];
	unsigned ptx = 0, found = 0;
	for (unsigned chip = ptx_chip_from(0); chip && !found; chip = ptx_chip_from(chip + 1)) {
		struct wl_image image;
		struct wl_object *o;
		enum wl_status status = wl_image_find(data, size, chip, entry, &image, why, sizeof why);
		if (status == WL_ERR_NO_ENTRY)
			continue;
		if (status != WL_OK)
			return chip;
		if (image.kind == WL_IMAGE_PTX) {
			ptx = ptx ? ptx : chip;
		} else if (wl_object_open(image.data, image.size, &o, why, sizeof why) == WL_OK) {
			found = wl_object_chip(o);
			wl_object_close(o);
		}
		wl_image_free(&image);
	}
	return found ? found : ptx;
}
