/* SPDX-License-Identifier: MIT */
/* Whose line of the .net files each step of a training program is: places in the files, and for each step what share of
 * it each place has. For the table that `EXE profile` reads (emit_steps.c), and for the page of --explore.
 *
 * A step is shared by the FLOPs of its nodes, a node's equally by its places; one that computes nothing by elements.
 * The update works on all parameters at once: it is shared by the elements that each layer has of them. */
#ifndef NNC_STEP_TABLE_H
#define NNC_STEP_TABLE_H

#include "base/array.h"
#include "base/map.h"
#include "front/elaborate.h"
#include "ir/program.h"
#include "target/target.h"

enum { NO_PLACE = -1 }; /* no line of a .net file */

/* A line in one instantiation of the block that it stands in. */
typedef struct NetPlace {
	int file, line; /* of NetPlaces.files; the first line is 1 */
	int parent; /* of the call that instantiated the block, which comes before it; NO_PLACE: in no block */
	const char *scope;
} NetPlace;

typedef struct NetPlaces {
	Arena *arena;
	SourceList files;
	Map *numbers; /* "file:line:parent:scope" -> number of the place, from 1 */
	ARRAY(NetPlace) at;
} NetPlaces;

NetPlaces *net_places_new(Arena *a);
/* The number of a site's line in its instantiation, from 0; parents come before what they hold. */
int net_place(NetPlaces *places, const Site *s);
/* Appends those of the model's files that no place is in, and that a network is nothing without all the same. */
void net_places_add_files(NetPlaces *places, const Source *model);

typedef struct StepShare {
	int place;
	Phase phase;
	double weight;
} StepShare;

typedef ARRAY(StepShare) StepShares;

typedef struct StepRow {
	const char *name;    /* of its function, its kernel, or "copy" */
	const char *what;    /* its formula */
	const char *library; /* "cuDNN"; NULL: code of nnc's own */
	Phase phase;
	bool converts; /* only lays a tensor out anew */
	double flops, bytes;
	StepShares shares;
} StepRow;

typedef struct StepTable {
	Arena *arena;
	const Program *p;
	const Target *target;
	const Phase *of_node, *of_step;
	const Node *pack; /* of the gradients; NULL: nothing is trained */
	NetPlaces *places;
} StepTable;

StepTable *step_table_new(Arena *a, const Program *p, const Target *target, NetPlaces *places);
/* Of a program that is no step on chip. `name`: of its function, NULL: a copy. Texts are in `a`. */
StepRow step_table_row(StepTable *t, Arena *a, int step, const char *name);
/* Of a step on chip: its two kernels, of these names. All but the update, sums over the batch included, is the
 * samples'. */
void step_table_onchip(StepTable *t, const char *const *names, StepRow rows[2]);
/* Lines of a file, without the empty one after the last end of line. */
int source_lines(const Source *s);
/* Line k, from 0, without its end. */
const char *source_line(Arena *a, const Source *s, int k);

#endif
