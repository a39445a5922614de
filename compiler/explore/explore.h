/* SPDX-License-Identifier: MIT */
/* --explore: a page on which a line of the .net, of the IR after any pass, of the generated code and of the assembler
 * show one another. What the page has is JSON in it (README.md), which --explore=FILE.json writes alone. */
#ifndef NNC_EXPLORE_H
#define NNC_EXPLORE_H

#include "explore/code.h"
#include "explore/versions.h"

/* How the element of a page begins that has JSON: of EXPLORE_DATA and, of a comparison, of the build before. */
#define EXPLORE_JSON     "<script type=\"application/json\" id=\"%s\">"
#define EXPLORE_DATA     "data"
#define EXPLORE_MEASURED "measured"
#define EXPLORE_BEFORE   "before"
#define EXPLORE_COMPARED "compared"

typedef struct Explored {
	const Compiled *compiled;
	const DriverOptions *options;
	const Emitted *emitted;
	Versions *versions;  /* of the training step, while it was compiled */
	const char *machine; /* the assembler of a C compiler or of NVRTC; NULL: there is none */
	const char *sass;    /* what nvdisasm says of NVRTC's cubin; NULL: there is none */
	const char *stem;    /* of the names of the code's files */
} Explored;

/* data.c */
char *explore_json(Arena *a, const Explored *e);
/* compare.c: of the data of two pages and their profiles, NULL where one has none: costs by line and by rule, those of
 * before for as many samples. NULL: a text is no JSON. */
char *compare_json(Arena *a, const char *const data[2], const char *const measured[2]);
/* page.c: in an element of a page that no text of a file ends; all of a page. */
void explore_write_json(Writer *w, const char *id, const char *json);
char *explore_page(Arena *a, const Explored *e);

#endif
