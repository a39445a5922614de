/* SPDX-License-Identifier: MIT */
/* Texts of a format, as vsnprintf makes them. */
#ifndef NNC_BASE_FORMAT_H
#define NNC_BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* vsnprintf, in a third of its time where the format has no conversions but %s, %.*s, %d, %lld, %c and %%: a third of
 * a compilation went into that. */
int format_text(char *to, size_t room, const char *format, va_list args)
        __attribute__((format(printf, 3, 0)));
int format_into(char *to, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
