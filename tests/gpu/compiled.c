/* SPDX-License-Identifier: MIT */
/* Kept kernels: see compiled.h. */
#include "tests/gpu/compiled.h"
#include "base/map.h"
#include "base/source.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a; the NUL too, so that texts do not run into each other. */
static uint64_t add_text(uint64_t hash, const char *text)
{
	do
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	while (*text++);
	return hash;
}

/* Each header once, where it is first included. A missing one is a header of NVRTC's own. */
static uint64_t add_with_headers(Arena *a, uint64_t hash, const char *text, const char *include, Map *seen)
{
	static const char directive[] = "#include \"";
	hash = add_text(hash, text);
	for (const char *at = text; (at = strstr(at, directive));) {
		at += strlen(directive);
		const char *why, *path = arena_printf(a, "%s/%.*s", include, (int)strcspn(at, "\""), at);
		const int known = map_count(seen);
		if (map_number(seen, path) < known)
			continue;
		const Source *header = source_read(a, path, &why);
		if (header)
			hash = add_with_headers(a, hash, header->text, include, seen);
	}
	return hash;
}

const char *compiled_file(Arena *a, const char *kernels, const char *archs, const char *precision,
                          const char *include)
{
	const char *folder = getenv("NNC_TEST_KERNELS");
	if (!folder)
		return NULL;
	const uint64_t hash = add_text(add_text(0xcbf29ce484222325u, archs), precision);
	return arena_printf(a, "%s/%016llx.h", folder,
	                    (unsigned long long)add_with_headers(a, hash, kernels, include, map_new(a)));
}
