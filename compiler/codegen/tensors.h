/* SPDX-License-Identifier: MIT */
/* The tensors a step's C function takes, with their parameter names. Private to codegen/.
 *
 * Names come from operators and roles ("conv", "weight"), never from layers, so that layers of one shape share one
 * function. A tensor that is overwritten in place is one parameter. */
#ifndef NNC_TENSORS_H
#define NNC_TENSORS_H

#include "base/map.h"
#include "ir/program.h"

typedef struct Tensor {
	const Buffer *buffer; /* what the caller passes */
	const char *name;
	DType dtype;
	bool written;
} Tensor;

typedef struct Tensors {
	Arena *arena;
	Tensor *at;
	int count, room;
	Map *names;
	bool scalars; /* the function reads rate, step or seed: it takes `const NnrScalars *s` */
	/* The numbers of the streams it draws from. Of CUDA it takes those too, as `stream`, `stream_2` ..., so that
	 * layers share a kernel. */
	int64_t *streams;
	int stream_count, stream_room;
	bool takes_streams;
} Tensors;

Tensors tensors_of_step(Arena *a, const Program *p, const Step *s);
/* The parameter that holds the value of n, or NULL. */
const char *tensor_of(const Tensors *t, const Program *p, const Node *n);
/* The one that n, a node of the step, reads x from. */
const char *tensor_read_by(const Tensors *t, const Program *p, const Node *n, const Node *x);
/* The parameter for the stream of an OP_SEEDED node; NULL: the number is in the text. */
const char *stream_of_node(const Tensors *t, const Node *n);
const char *stream_name(Arena *a, int number); /* of Tensors.streams */
/* What a function calls a value that it computes: "mean", "dx". */
const char *local_word(const Node *n);
/* A C name that no parameter and no earlier local has. */
const char *tensors_local(Tensors *t, const char *wanted);
/* The same of a name and what is said of it: "mean_", "slab" -> "mean_slab". */
const char *tensors_local_of(Tensors *t, const char *name, const char *suffix);

#endif
