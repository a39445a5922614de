/* SPDX-License-Identifier: MIT */
/* The body of a function taken apart: pieces of C text, between them the constants that may differ from one function to
 * another of its family (family.h). Private to codegen/. */
#ifndef NNC_FAMILY_TEXT_H
#define NNC_FAMILY_TEXT_H

#include "base/array.h"
#include "base/map.h"
#include "base/writer.h"

typedef enum {
	PIECE_TEXT,
	PIECE_INT,
	PIECE_FLOAT, /* 0.5f */
	PIECE_DOUBLE,
	PIECE_EXTENT, /* an integer within the size of a local array */
	PIECE_OBJECT, /* "&shape": the address of a static object of the function */
} PieceKind;

/* What an integer is known as, the better name first. */
typedef enum {
	NAME_BOUND, /* of a loop over i1: "n1" */
	NAME_USE,   /* by what it does to a variable: "m0_step", "row_stride" */
	NAME_NONE,
	NAME_RANKS
} NameRank;

/* What a kernel that is compiled once for several values would do with it. */
typedef enum {
	USE_ARGUMENT, /* take it for a variable, at no cost */
	USE_DIVISOR,  /* divide an index by it: an NnrDivisor (nnr_divisor.h) */
	USE_CONSTANT  /* not be compiled, or be slower */
} PieceUse;

typedef struct Piece {
	PieceKind kind;
	PieceUse use; /* of a constant in a kernel */
	const char *at;
	int length;
	const char *name; /* of an integer; NULL: NAME_NONE */
	NameRank rank;
} Piece;

/* `static const NnrConvShape shape = {...};` at the head of a body. */
typedef struct Object {
	const char *type, *name, *value; /* "const NnrConvShape", "shape", "{...}"; NULL: none */
	bool constant;
} Object;

typedef struct Text {
	ARRAY(Object) objects;
	ARRAY(Piece) pieces; /* of what follows the objects */
	Map *words;          /* identifiers in it */
	bool alone;          /* a static object stands elsewhere: of no family */
} Text;

/* Of a kernel, whose parameters are `params`, each integer may differ, and array sizes are integers like others; NULL:
 * the function is the host's. */
Text *text_take_apart(Arena *a, const char *body, const char *params);
/* family_use.c: of the constant at `at` in a kernel's text, which ends at `end`; `pointers` are its parameters. */
PieceUse use_of_constant(const char *begin, const char *at, const char *end, const Map *pointers);
/* The text with a number for each name that `params` declares, and in the names of local variables that begin with it:
 * what functions compute that differ in these names alone is the same. */
const char *text_of_parameters(Arena *a, const char *params, const char *text);
/* Equal for two texts that differ in their constants alone. */
const char *text_key(Arena *a, const Text *t);

#endif
