/* SPDX-License-Identifier: MIT */
/* The functions of the generated code. Those of one form (form.h) are a family: they are written once, and constants
 * that differ are parameters. In C they are arguments. Of CUDA kernels they are arguments of the launch where knowing
 * them makes no instruction shorter, so that one compiled kernel serves many sizes; else those of a template, and each
 * kernel is a line that calls it (sizes.h). Objects of a family's functions, a convolution's shape, a library's plan,
 * are passed by address. */
#ifndef NNC_FUNCTIONS_H
#define NNC_FUNCTIONS_H

#include "base/array.h"
#include "base/writer.h"
#include "emit/form.h"

#include <stdint.h>

/* An argument that differs from one function of a family to another. */
typedef struct CConstant {
	const char *type, *name,
	        *value; /* "int64_t", "n0", "802816"; "const NnrConvShape *", "shape", "&conv_shape" */
	bool is_size;   /* an integer */
} CConstant;

/* A kernel that a host function launches, as its object `as`. */
typedef struct CLaunch {
	const char *as;
	const struct CFunction *kernel;
	const char *how; /* further members of the object: ".blocks = 37632, .threads = 256" */
} CLaunch;

typedef struct CFunction {
	const char *name, *label; /* "batchnorm_relu_802816x64", "batchnorm_relu" */
	const char *comment;      /* above it, without the marks of a comment: what it computes; NULL: none */
	const char *places, *measures; /* further lines of that: .net lines; shape, FLOPs, bytes */
	const char *head;              /* "static void", or a kernel's qualifiers */
	const char *params;
	bool apart; /* of no family: the hardware reads in its own parameters */
	/* Of a kernel. */
	bool any_size;    /* its sizes may be arguments */
	bool branch;      /* it runs beside the chain: it shares no counters with what runs there */
	int64_t counters; /* how many counters of blocks it has */
	bool launched;    /* a host function has its name */
	/* Of a host function: the kernels' objects stand ahead of its own. The kernels are written first. */
	ARRAY(CLaunch) launches;
	Form *form; /* of what it does */
	/* How it is called, set by families_write: `callee(constants, tensors)`; of a kernel, whose name this is
	 * where it is compiled, `callee(tensors, constants)`. */
	const char *callee;
	const char *
	        family; /* of a kernel of several sizes: the function that has its body; NULL: its own has it */
	ARRAY(CConstant) constants;
	/* What compiles alone, set likewise: the function, which is one text for those of a family that share it, and
	 * what is the member's own: a kernel's line that calls it, or a host function's objects, to stand ahead. */
	const char *text, *own;
} CFunction;

typedef struct Families Families;

Families *families_new(Arena *a, bool kernels);
/* The function that does what `wanted` is to do, but for the names of parameters: what has been added, or else a
 * copy of `wanted`, which has no name yet. It does `code`; or `text`, where that is NULL. What is looked up is in
 * `scratch`. */
CFunction *families_add(Families *f, Arena *scratch, const CFunction *wanted, const Code *code,
                        const char *text);
/* Writes all in the order they were added, a family where its first member stands; `unique` names a family, and a
 * kernel of several sizes. */
typedef const char *UniqueName(void *data, const char *wanted);
void families_write(Families *f, Writer *w, UniqueName *unique, void *data);
/* What stands where in the writer's text, in order: families, and functions of none, need nothing of one another. */
typedef struct FamilyPlace {
	size_t start;
	int64_t shared; /* characters that its functions have in common; of one function all it has */
	int functions;
} FamilyPlace;
const FamilyPlace *families_places(const Families *f, int *count);

#endif
