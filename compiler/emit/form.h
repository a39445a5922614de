/* SPDX-License-Identifier: MIT */
/* A function's text with its constants taken out: two functions of one form differ in these alone (functions.h).
 *
 * The constants are numbers that stand in the texts of its statements (ir/code.h): integers (of host code from
 * FAMILY_LEAST on, so that short loops stay unrolled), real numbers, the sizes of local arrays. What its parameters are
 * called is taken out, too, and its objects, of which it has addresses. A mark is left in the place of each. */
#ifndef NNC_FORM_H
#define NNC_FORM_H

#include "base/map.h"
#include "ir/code.h"

typedef enum {
	CONSTANT_INT = 'i',
	CONSTANT_FLOAT = 'f', /* 0.5f */
	CONSTANT_DOUBLE = 'd',
	CONSTANT_EXTENT = 'e' /* within the size of a local array of host code */
} ConstantKind;

/* What a kernel that is compiled once for several values would do with it. */
typedef enum {
	USE_ARGUMENT, /* take it for a variable, at no cost */
	USE_DIVISOR,  /* divide an index by it: an NnrDivisor (nnr_divisor.h) */
	USE_CONSTANT  /* not be compiled, or be slower */
} ConstantUse;

/* What an integer is known as, the better name first. */
typedef enum {
	NAME_BOUND, /* of a loop over i1: "n1" */
	NAME_USE,   /* by what it does to a variable: "m0_step", "row_stride" */
	NAME_NONE,
	NAME_RANKS
} NameRank;

typedef struct Constant {
	ConstantKind kind;
	ConstantUse use; /* in a kernel */
	NameRank rank;
	const char *text; /* "64" */
	const char *name; /* of an integer; NULL: NAME_NONE */
} Constant;

/* "const NnrConvShape", "shape", "{...}"; the value has marks of the objects ahead of it; NULL: zeros. */
typedef struct Object {
	const char *type, *name, *value;
} Object;

typedef struct Form {
	const char *text, *params; /* with marks */
	ARRAY(Constant) constants;
	ARRAY(Object) objects;
	ARRAY(const char *) parameters; /* their names */
	bool alone;                     /* it has values of its own that outlive a call: of no family */
} Form;

/* Of a kernel or of host code, whose parameters are `params`, as C. */
Form *form_of(Arena *a, const Code *c, const char *params, bool kernel);
/* A text in which nothing is taken out. */
Form *form_of_text(Arena *a, const char *text, const char *params);
/* A text of the form with what takes the places of its marks. An item that is NULL stays what it is in this form. */
typedef struct Fillings {
	const char *const *constants, *const *objects;
} Fillings;
const char *form_fill(Arena *a, const Form *f, const char *text, Fillings with);
/* Puts what stands for something in the function into the map. */
void form_take_names(Arena *a, const Form *f, Map *names);
/* Whether the function itself reads an object, and not another object alone. */
bool form_reads(Arena *a, const Form *f, int object);
/* Equal for functions of one form; and what tells these apart, but for the names of parameters. */
const char *form_key(Arena *a, const Form *f);
const char *form_values(Arena *a, const Form *f);
/* In another arena; `like` is there already, of the same key, or NULL. */
Form *form_copy(Arena *a, const Form *f, const Form *like);

#endif
