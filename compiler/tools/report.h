/* SPDX-License-Identifier: MIT */
/* A network, and what its training has left, as a page: --emit=html and nnc report. */
#ifndef NNC_REPORT_H
#define NNC_REPORT_H

#include "base/writer.h"
#include "emit/compiled.h"

/* Texts of files of a run, each NULL where there is none. */
typedef struct RunFiles {
	bool in_trainer;       /* the trainer puts in its place what a training left (report/report_page.h) */
	const char *name;      /* which run it is: the last part of its folder or log; NULL */
	const char *log;       /* log.jsonl */
	const char *profile;   /* of `EXE profile --json` */
	const char *confusion; /* of `EXE eval --confusion FILE.csv` */
	const char *predictions; /* of `EXE predict FOLDER --out FILE.csv`, whose pictures are read */
} RunFiles;

/* The page; NULL, and `why`, where a file of the run can't be read as what it should be, or is of another model. What
 * the page has to leave out is a warning. */
const char *report_text(Arena *a, const Compiled *c, const RunFiles *run, Diagnostics *d, const char **why);

/* ---- its parts: report_network.c, report_memory.c, report_run.c */

void report_network(Writer *w, Arena *a, const Elaborated *e);
void report_memory(Writer *w, Arena *a, const Program *p);
/* The arena's buffers that have a place of their own, the largest first; whether one lives during a step. */
const Buffer **arena_buffers(Arena *a, const Program *p, int *count);
/* False, and `why`. `model` is the name of the page's network, whose log and profile these are to be. */
bool report_log(Writer *w, Arena *a, const char *log, const char *model, const char **why);
/* Of the line of the run itself: the last, where it was resumed. */
void report_settings(Writer *w, Arena *a, const char *log);
bool report_profile(Writer *w, Arena *a, const char *profile, const char *model, const char **why);
bool report_wrong(Writer *w, Arena *a, const char *predictions, Diagnostics *d, const char **why);
bool report_confusion(Writer *w, Arena *a, const char *confusion, const char **why);

#endif
