/* SPDX-License-Identifier: MIT */
/* Loaded ahead of the C library: a machine without the libraries whose names begin as a word of $WITHOUT does. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

void *dlopen(const char *file, int flags)
{
	void *(*real)(const char *, int);
	void *found = dlsym(RTLD_NEXT, "dlopen");
	memcpy(&real, &found, sizeof real);
	const char *words = getenv("WITHOUT");
	for (const char *at = words; at && *at && file; at += strspn(at, " ")) {
		size_t n = strcspn(at, " ");
		if (strncmp(file, at, n) == 0)
			return real("/nowhere/library.so",
			            flags); /* so that dlerror has what it says of such */
		at += n;
	}
	return real(file, flags);
}
