/* SPDX-License-Identifier: MIT */
/* The usual conversions of texts: see format.h. */
#include "base/format.h"

#include <stdio.h>
#include <string.h>

typedef struct Text {
	char *to;
	size_t room,
	        length; /* bytes, of which the last is for the 0; what is past the room is counted alone */
} Text;

static void put(Text *t, const char *from, size_t count)
{
	if (t->length < t->room) {
		const size_t left = t->room - t->length;
		memcpy(t->to + t->length, from, count < left ? count : left);
	}
	t->length += count;
}

static void put_number(Text *t, long long number)
{
	char digits[24], *first = digits + sizeof digits;
	unsigned long long rest = number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number;
	do
		*--first = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (number < 0)
		*--first = '-';
	put(t, first, (size_t)(digits + sizeof digits - first));
}

/* One conversion, whose letters begin at `at`; how many there are, 0: it is none of these. */
static size_t put_next(Text *t, const char *at, va_list *args)
{
	if (*at == 's') {
		const char *text = va_arg(*args, const char *);
		put(t, text, strlen(text));
		return 1;
	}
	if (strncmp(at, "lld", 3) == 0) {
		put_number(t, va_arg(*args, long long));
		return 3;
	}
	if (strncmp(at, ".*s", 3) == 0) {
		const int most = va_arg(*args, int);
		const char *text = va_arg(*args, const char *);
		put(t, text, strnlen(text, (size_t)most));
		return 3;
	}
	if (*at == 'd')
		put_number(t, va_arg(*args, int));
	else if (*at == 'c')
		put(t, &(char){(char)va_arg(*args, int)}, 1);
	else if (*at == '%')
		put(t, "%", 1);
	else
		return 0;
	return 1;
}

int format_text(char *to, size_t room, const char *format, va_list args)
{
	Text t = {.to = to, .room = room};
	va_list each;
	va_copy(each, args);
	const char *at = format;
	size_t letters = 1;
	while (letters > 0 && *at) {
		const char *next = strchrnul(at, '%');
		put(&t, at, (size_t)(next - at));
		if (*next)
			letters = put_next(&t, next + 1, &each);
		at = *next ? next + 1 + letters : next;
	}
	va_end(each);
	if (letters == 0)
		return vsnprintf(to, room, format, args);
	if (room > 0)
		to[t.length < room ? t.length : room - 1] = '\0';
	return (int)t.length;
}

int format_into(char *to, size_t room, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const int length = format_text(to, room, format, args);
	va_end(args);
	return length;
}
