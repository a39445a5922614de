/* SPDX-License-Identifier: MIT */
/* The values of a loop body, in any dialect: every node of a kernel as a C expression. Private to codegen/.
 *
 * Within a body every node is a C expression; it becomes a named local where it is used more than once or has grown
 * long. Stores stand last, so that a tensor overwritten in place has been read before. */
#ifndef NNC_BODY_H
#define NNC_BODY_H

#include "ir/code.h"
#include "codegen/loops.h"
#include "codegen/tensors.h"

typedef enum {
	ACCESS_LOAD,
	ACCESS_STORE,
	ACCESS_KEPT,   /* a load into an array with room for every turn of the thread */
	ACCESS_RAW,    /* of a slab: elements of a row that stay in registers as they are in memory */
	ACCESS_COLUMN, /* the same for all rows that the thread walks over, loaded once ahead of them */
	ACCESS_FETCHED /* of a slab: the same, for the thread that finishes a column; shared memory keeps it */
} AccessKind;

/* Which indices a CUDA thread walks over while its columns stay the same: those of rows. An operand that does not run
 * along them is an ACCESS_COLUMN. */
typedef enum { WALK_NONE, WALK_REDUCED, WALK_KEPT } Walk;

/* A tensor that a CUDA thread reads or writes four elements at a time. */
typedef struct VectorAccess {
	AccessKind kind;
	const char *local;   /* array of the thread: "x_in" */
	const char *address; /* "x + i0 * 64 + i1" */
	const char *type;
	const char *value_type; /* of RAW: of an element taken from it */
	bool aligned;           /* the address is a multiple of the vector */
	bool loaded;            /* of KEPT and RAW: by a body before */
	bool used;              /* of RAW: by the body that is being written */
	const char *
	        row_local; /* of FETCHED: array of a thread for its four columns; NULL: only one thread needs it */
} VectorAccess;

typedef struct RowCopy RowCopy; /* row_copies.h */

/* A single number, computed in double, that is the same for all elements. */
typedef struct BodyScalar {
	const char *type, *name, *value;
	double flops;
} BodyScalar;

typedef struct KernelState {
	Arena *arena;
	Code *code;
	const Program *program;
	const Step *step;
	Tensors tensors;
	LoopNest nest;
	const char **value;       /* by position: C text in the current scope, NULL outside */
	Map *hoisted;             /* id of a node -> name of the scalar computed ahead of the loops */
	const char **row;         /* by position: array that keeps a value for a later phase */
	const char **accumulator; /* by position, of reductions */
	Map *given; /* of the update: id of a tensor -> text of its element, which the caller has; or NULL */
	BodyScalar *scalars; /* what was hoisted: declared by body_scalars, or by the caller in its own way */
	int scalar_count, scalar_room;
	/* CUDA only */
	int vector; /* > 0: the innermost index is vector_base plus `u`, below this */
	const char *vector_base;
	VectorAccess *vectors;
	int vector_count, vector_room;
	Walk walk;
	const char *kept_turn;   /* where this row begins in arrays of kept operands; NULL: none are kept */
	const char *column_turn; /* where this turn begins in arrays of columns; NULL: they hold one turn */
	RowCopy *copies;         /* of long rows: operands in shared memory */
	int copy_count, copy_room;
	/* by position, of sums along rows whose terms are 0 but at the class of a one-hot vector: that vector; or NULL.
	 * And the one whose term is being written by itself, and nothing else; NULL: the rest is. */
	const Node **pointed, *at_point;
	const char *row_guard;  /* of a slab: whether the row is one; loads do not ask */
	Code *loads;            /* takes the loads of kept operands; NULL: in place */
	int early_rows;         /* of resident rows: that are held at once */
	const char *row_number; /* and which of them this one is */
	Map *early;             /* of resident rows: place of a value that a row has one of -> its array */
	Code *early_arrays;     /* takes their declarations */
	Code *early_loads;      /* and their loads for this row; NULL: read in place */
	const char *raw_turn;   /* of a slab: index of a row in arrays of RAW operands */
	const Node **raw;       /* of a slab: the operands that stay in registers so */
	int raw_count;
	const char *column;      /* of a slab: the column that a thread finishes */
	bool late;               /* of a slab: rows after sums, whose columns wait in shared memory */
	bool *used;              /* by position: an operand of what has been written; or NULL */
	const char *load_guard;  /* of a map in vectors: condition under which a thread loads, NULL: always */
	Code *after_loads;       /* and statements between its loads and the rest; NULL: none */
	const char *store_guard; /* condition under which a thread stores, NULL: always */
	const char *store_fence; /* the barrier of the threads that share a value, before it is overwritten */
	const char *row_index;   /* index into a row array; NULL: the linear reduced index */
} Body;

/* Has an inline scalar computed ahead of the loops, in double, and what it is made of. */
void body_hoist(Body *e, const Node *n);
void body_scalar(Body *e, const BodyScalar *x); /* declares one that was hoisted */
void body_scalars(Body *e);                     /* and all */
void body_scalars_if_read(Body *e);             /* and those that are read after this */
bool body_is_full(const Body *e, int position);
bool body_stored(const Body *e, int position);
/* Whether it is a reduction, of that phase; < 0: of any. */
bool body_reduces_in(const Body *e, int position, int phase);
/* C text of operand x as the node at `position` reads it. */
char *body_operand(Body *e, const Node *x, int position);
/* Gives the node a value: a local when its text is needed more than once or has grown long. */
void body_bind(Body *e, int position, int uses);
void body_store(Body *e, int position);
void body_forget(Body *e, bool full_only);
int body_uses(const Body *e, int position, const bool *need, int phase);
/* Marks the FULL nodes a phase must compute: its reductions' operands, its stores, and what these read. */
void body_needs(const Body *e, int phase, bool *need);
/* Marks what a phase, and what the sums before it leave to be stored and added up, read of earlier phases at one kept
 * index. */
void body_needs_reduced(const Body *e, int phase, bool *need);
/* Decides which values later phases read from an array instead of computing them again. */
void body_choose_rows(Body *e);
void body_declare_rows(Body *e, int64_t count); /* these arrays, of so many elements */
/* Writes a body made with `vector` set: its loads, the loop over `u` around `inside`, its stores. Accesses of all
 * kinds but LOAD and STORE stay in e->vectors, for the caller to declare. */
void body_vectors(Body *e, Code *inside);
/* The accumulators of the reductions: one name each; declared as scalars at their start value, or as arrays of `array`
 * elements without one; and bound as the reductions' values, at `index` of an array. phase -1: of all phases. */
void body_name_accumulators(Body *e);
void body_declare_accumulators(Body *e, int phase, const char *array);
void body_clear_accumulators(Body *e, int phase, const char *index); /* one element of such arrays */
void body_bind_accumulators(Body *e, int phase, const char *index);
/* What the threads of a warp or a block, `of`, have together of each accumulator of the phase, by a function of the
 * runtime: "nnr_warp_@", of "sum" or "max", with `arguments` behind the accumulator. */
void body_reduce(Body *e, int phase, const char *of, const char *function, const char *arguments);
/* place += value, or the larger of both, as the reduction n says. */
void body_combine(Body *e, const Node *n, const char *place, const char *value);
const char *reduction_start(const Node *n); /* "0" of a sum, "-INFINITY" of a maximum */
/* The innermost body of one phase: values, accumulation (into accumulator[index], or the accumulator itself),
 * stores. */
void body_phase(Body *e, int phase, const char *accumulator_index);
/* Nodes after the reductions of one phase (-1: of all phases): scalars at one kept index. Their values (of those that
 * are needed; NULL: of all), their stores, and both. */
void body_bind_reduced(Body *e, int phase, const bool *need);
void body_store_reduced(Body *e, int phase);
void body_reduced(Body *e, int phase);
/* Resident rows: adds the values of one row and phase to the sums over all rows; and, after the last row, values and
 * stores of a final level. */
void body_total(Body *e, int phase);
void body_final(Body *e, Level level);

#endif
