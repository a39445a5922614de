/* SPDX-License-Identifier: MIT */
/* Program: the compiler's second IR. Steps over planned buffers, in the order they run.
 *
 * A step is one group of the scheduled graph: a fused loop nest, or one heavy operator with its epilogue. Program
 * keeps the graph: a step's nodes say what it computes, its buffers where. Text form: ir/README.md. */
#ifndef NNC_PROGRAM_H
#define NNC_PROGRAM_H

#include "ir/graph.h"

typedef enum {
	STEP_KERNEL,     /* pointwise and reductions as one loop nest */
	STEP_OP,         /* one operator through its record's emit_cpu, with the group's pointwise epilogue */
	STEP_LIBRARY,    /* one operator through the runtime's library call */
	STEP_ALL_REDUCE, /* of several ranks: a range of the flat gradient becomes the mean of all ranks' */
	STEP_COPY, /* operand of a pack or a concat, or a state whose new value is computed elsewhere, put in its
	            * place */
} StepKind;

typedef enum {
	BUFFER_INPUT,      /* filled by the runtime before the step */
	BUFFER_PARAMETER,  /* a slice of, or all of, the flat parameters */
	BUFFER_STATE,      /* lives from step to step: optimizer state, running statistics */
	BUFFER_GRADIENT,   /* a slice of the flat gradients */
	BUFFER_ACTIVATION, /* forward values kept or passed on, and backward temporaries */
	BUFFER_OUTPUT,     /* loss, metrics, values: read by the runtime after the step */
	BUFFER_WORKSPACE,  /* partial sums of one step, or of the two it is split into; node == NULL */
	BUFFER_CHIP, /* of an on-chip form, or of one period of a recurrence: never in memory; no offset */
	BUFFER_HELD, /* of a sample on chip: in the registers of the threads that own its elements */
} BufferClass;

typedef struct Buffer {
	int id;
	const char *name; /* unique C identifier, after the model's variable or operator */
	BufferClass class;
	Type type;
	int64_t pitch;   /* of rows along the last dimension: elements from row to row; 0: without gaps */
	int64_t rows;    /* of a matrix: that there is room for at a time; 0: all */
	int64_t bytes;   /* buffer_bytes */
	int64_t offset;  /* in its block: params, state, inputs or arena; multiple of 64 in the arena */
	int first, last; /* steps that write it first and read it last; activations only */
	const Node *node;
	struct Buffer *
	        inside; /* shares this buffer's storage (alias or slice), at `offset` bytes into it; or NULL */
	bool to_end;    /* read after the last step */
} Buffer;

/* The elements first to first + count - 1 of a map over one dimension, or all others; count == 0: the whole. */
typedef struct StepRange {
	int64_t first, count;
	bool others;
} StepRange;

/* Resident rows (CUDA) as two steps of the same nodes, so that the chain need not wait for their sums over all rows. */
typedef enum {
	SUMS_WITHIN, /* no such step, or a whole one */
	SUMS_LEFT,   /* computes the rows; each block leaves its sums over them in the workspace */
	SUMS_TAKEN,  /* adds those up over the blocks, and computes what is after the sums */
} StepSums;

enum { FEWEST_PERIODS = 4 }; /* of a recurrence; passes/epilogues.c leaves the products of so many alone */

/* The steps first to first + period * times - 1 are computed by one kernel (program/recurrence.h; CUDA), or by threads
 * that share out their rows (program/row_shares.h; CPU): each period does to the results of the one before it what that
 * did. */
typedef struct Recurrence {
	int first, period, times;
} Recurrence;

typedef struct Step {
	int id;
	StepKind kind;
	Node **nodes; /* in order; the last heavy one is the root of STEP_OP and STEP_LIBRARY */
	int node_count;
	Node *root; /* heavy operator, or NULL for STEP_KERNEL */
	Buffer **reads, **writes;
	int read_count, write_count;
	double flops, bytes;
	Sites sites;
	StepRange range; /* in the branch: computed apart, on a few multiprocessors of its own (CUDA) */
	StepRange rows; /* of all matrices that run along the rows: those that it computes; count == 0: all */
	StepSums sums;
	bool branch; /* may run beside the steps after it: only the update or the host reads what it writes, or it
	              waits for none before it (CUDA) */
	const struct Held *held; /* on chip: what of its values threads keep (ir/held.h); NULL: nothing */
	const Recurrence *recurrence; /* that it is of; NULL: none */
	/* The loops of all its nodes (ir/domain.h), decided when the step is made; NULL: a library's or a copy. */
	const struct KernelShape *shape;
	/* Of a call, what it computes after its root, with which it is a region (passes/epilogue.h), decided likewise;
	 * NULL: nothing. */
	const struct Epilogue *epilogue;
} Step;

typedef struct Program {
	Arena *arena;
	const Graph *graph; /* scheduled */
	Buffer **buffers;
	int buffer_count;
	Buffer **of_node; /* by node id: where the node's value is, NULL when it never leaves its kernel */
	Buffer **
	        output_buffers; /* by output of the graph: where it is, or has to be at the end of the step */
	Step *steps;
	int step_count;
	int64_t param_elements; /* flat parameters, with the gap ahead of those that are frozen */
	int64_t param_bytes, state_bytes, input_bytes, arena_bytes;
	int64_t lower_bound; /* the largest sum of live activations over the steps: no plan can be smaller */
	int peak_step;
	bool copied;         /* the steps that copy an output to its place are there (program/add_copies.c) */
	bool planned;        /* buffers of the arena have lifetimes and offsets (program/assign_buffers.c) */
	int64_t block_bytes; /* one_block, after `place`: offsets of all classes are into so much shared memory */
	bool one_block;      /* of one sample, by the threads of one block; offsets are into shared memory */
	struct OnChip *onchip; /* the steps as two kernels (ir/onchip.h); NULL: a kernel or a call for each */
} Program;

/* Bytes of the input block without the transposed copies, which are after all else in it. */
int64_t program_batch_bytes(const Program *p);
Buffer *buffer_of(const Program *p, const Node *n); /* through views; NULL when not in memory */
/* The buffer whose storage this one shares in the end, and the byte offset into its block. */
Buffer *buffer_root(Buffer *b);
bool buffer_in_arena(const Buffer *b); /* by its class: no input, parameter or state, and not kept on chip */
int64_t buffer_bytes(const Buffer *b); /* by its type, pitch and rows */
bool program_has_inside(const Program *p, const Buffer *b); /* some other buffer shares its storage */
int64_t buffer_offset(const Buffer *b);
/* Whether the view has its place in the first row of what it is inside, wherever the rows after that are. */
bool buffer_in_first_row(const Buffer *view);
/* Whether the two have bytes of one block in common; of the arena, once the program is planned. */
bool buffers_share_bytes(Buffer *x, Buffer *y);
DType step_sum_dtype(const Step *s); /* of a kernel's sums and maxima, and so of its workspace: f32 or f64 */
bool step_has_node(const Step *s, const Node *n);
/* It computes no nodes: a copy, or what ranks send one another. */
bool step_moves(const Step *s);
/* A mean over all ranks that the steps after it wait for (ops/ranks.c). */
bool step_is_mean(const Step *s);
bool step_gathers(const Step *s); /* all ranks' shares */
/* Bytes that the step reads of each of its `reads`: where it reads a slice alone, those of the slice. In `a`; `needed`
 * has room for a number by node id, all 0, before and after. */
double *step_read_bytes(Arena *a, const Program *p, const Step *s, int64_t *needed);
/* A library call, or a kernel of ours in the place of one (kernels/conv_image.h). */
bool step_is_heavy(const Step *s);

/* What the kernel of a step does about each of the step's nodes, by position; 0: nothing. A sum over all rows reads its
 * operand in one step, and has its value in the other. */
enum { NODE_READS = 1, NODE_STORES = 2 };
unsigned *step_roles(Arena *a, const Step *s);
/* Of a step of a recurrence on the CPU, the rows that its threads share out; 0: it is of none. */
int64_t shared_rows(const Program *p, const Step *s);
int64_t product_rows(const Step *product); /* of its result */

/* The same program over buffers, steps and lists of its own, for a pass to change; it shares the graph. */
Program *program_copy(Arena *a, const Program *p);
/* Decides Step.shape and Step.epilogue of all steps (program/lower.c); what is read from a text has none. */
void program_decide_shapes(Program *p);
/* Puts `count` steps in the place of those of the program, and numbers them. */
void program_set_steps(Program *p, Step *steps, int count);
/* One more buffer, under this name or, where that is taken, one made of it; no step has it yet. */
Step step_copy(Program *p, Buffer *from, Buffer *to, Sites sites); /* a STEP_COPY, of no program yet */
Buffer *program_add_buffer(Program *p, BufferClass class, const char *name, Type type);

char *program_text(Arena *a, const Program *p);
/* Reads a program's text back, graph included; NULL and *why otherwise. */
Program *program_parse(Arena *a, const char *text, const char **why);
char *program_verify(Arena *a, const Program *p); /* NULL, or the invariant that fails */

#endif
