// SPDX-License-Identifier: Apache-2.0
/* sanitized.h -- SANITIZED is 1 in programs built by gcc or clang with the address sanitizer: freed memory is kept
 * aside, and sizes of a process mean nothing. */
#ifndef WARPLOCK_SANITIZED_H
#define WARPLOCK_SANITIZED_H

#ifdef __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#endif
