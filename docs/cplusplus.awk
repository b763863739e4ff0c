# SPDX-License-Identifier: Apache-2.0
# awk -f docs/cplusplus.awk HEADER.h: the header with its declarations in extern "C", behind the #include lines at its start.
# `make install` lays headers out so, for test benches in C++.
{ line[NR] = $0 }
!begun && !comment && /^#include/ { first = NR }
/\/\*/ { comment = 1 }
/\*\// { comment = 0; next }
!comment && !begun && NF && !/^#/ && !/^\/\// { begun = NR }
/^#endif/ { last = NR }
END {
	if (!first) for (i = 1; i <= NR && !first; i++) if (line[i] ~ /^#define .*_H/) first = i
	for (i = 1; i <= NR; i++) {
		if (i == last) print "#ifdef __cplusplus\n}\n#endif"
		print line[i]
		if (i == first) print "#ifdef __cplusplus\nextern \"C\" {\n#endif"
	}
}
