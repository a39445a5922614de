/* SPDX-License-Identifier: MIT */
/* Which file a path means, for compiler and runtime: links, `./` and `..` give one file many names. */
#ifndef NNC_PLACE_H
#define NNC_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

/* A file that is there: its own numbers. One that is not: those of its folder, and its name in it. */
typedef struct Place {
	bool known; /* what no path leads to, and devices, are nobody's place: any number of files may go there */
	dev_t device;
	ino_t inode;
	const char *name; /* "" of a file that is there; else inside the path */
} Place;

static inline Place place_of(const char *path)
{
	struct stat s;
	if (stat(path, &s) == 0)
		return (Place){S_ISREG(s.st_mode), s.st_dev, s.st_ino, ""};
	const char *slash = strrchr(path, '/');
	size_t length = slash ? (size_t)(slash + 1 - path) : 1;
	char folder[PATH_MAX];
	bool known = length < sizeof folder;
	if (known) {
		memcpy(folder, slash ? path : ".", length);
		folder[length] = '\0';
		known = stat(folder, &s) == 0;
	}
	return (Place){known, s.st_dev, s.st_ino, slash ? slash + 1 : path};
}

static inline bool same_place(Place x, Place y)
{
	return x.known && y.known && x.device == y.device && x.inode == y.inode &&
	       strcmp(x.name, y.name) == 0;
}

#endif
