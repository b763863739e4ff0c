# SPDX-License-Identifier: Apache-2.0
.PHONY: formal
formal:
	$(Q)V=1 verif/common/progress formal verif/formal/prove
