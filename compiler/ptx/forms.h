// SPDX-License-Identifier: Apache-2.0
/* forms.h -- stub */
#ifndef WLCC_PTX_FORMS_H
#define WLCC_PTX_FORMS_H
struct ptx_forms {
	int unused;
};
#endif
