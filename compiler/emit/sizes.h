/* SPDX-License-Identifier: MIT */
/* What the constants become that differ between functions of one form (form.h). Private to emit/.
 *
 * On the host each is an argument. Kernels have two ways. What an instruction is chosen by, or a register array is
 * indexed by, is a constant of the compiled kernel: an argument of its template. Other sizes are arguments of the
 * launch where the kernel allows it (CudaLaunch.any_size) and its family is large: members that differ in these
 * alone are one class, which is compiled once. */
#ifndef NNC_SIZES_H
#define NNC_SIZES_H

#include "emit/functions.h"

typedef struct Parameter {
	const char *name, *type;
	const int64_t *values;    /* of an integer, by member; NULL: a real number */
	const char *const *texts; /* as they are written, by member */
	bool at_launch;           /* of a kernel: an argument of the launch */
} Parameter;

typedef struct Family {
	ARRAY(CFunction *) members;
	Map *by_value; /* these, by what tells them apart */
	ARRAY(Parameter) parameters;
	Map *names;      /* taken in the function */
	int *class_of;   /* by member, from 0 on, in the order of the first members */
	int *first_of;   /* the first member, by class */
	int class_count; /* of kernels; on the host each member is one */
} Family;

/* Sets the family's classes and parameters; returns by constant what takes its place, NULL: it stays. */
const char *const *family_fill(Arena *a, Family *f, bool kernels);

#endif
