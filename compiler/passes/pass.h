/* SPDX-License-Identifier: MIT */
/* A pass is a function from graph to graph, or from program to program: it reads what it gets, builds its result in
 * ctx->arena and says in its header comment what must have run before. `lower` stands between the two. The order is
 * passes.def; compiler/driver/driver.c runs it, verifying after each. */
#ifndef NNC_PASS_H
#define NNC_PASS_H

#include "base/array.h"
#include "base/map.h"
#include "base/times.h"
#include "ir/recipe.h"
#include "ir/program.h"
#include "target/target.h"

/* A line of -Rfusion. */
typedef struct Remark {
	const char *text;
	int times; /* it was said */
} Remark;

typedef enum {
	WHOLE = 1 << 0, /* runs once on a graph, ahead of the strategies */
	PER_SAMPLE =
	        1 << 1,  /* of the strategy that computes a sample of a training step at a time (onchip.h) */
	SAMPLE = 1 << 2, /* of that one: the program of the sample, which `onchip` has made */
	BATCH = 1 << 3,  /* of the one that computes an operator at a time, of a whole batch */
} PassStage;

typedef enum {
	OPTIONAL = 1 << 0, /* -fno-NAME leaves it out, results stay within tolerance */
	TRAINING = 1 << 1, /* not run on an evaluation graph */
	CUDA = 1 << 2,     /* does nothing for other targets */
	BODIES = 1 << 3,   /* is run on the bodies of loops too, ahead of what they stand in */
} PassFlag;

typedef struct PassContext {
	Arena *arena; /* of the graphs that passes make */
	Arena *kept;  /* of what outlives those; NULL: the same */
	const Recipe *recipe;
	const Target *target;
	bool keep_gradients; /* outputs OUTPUT_GRADIENT for every parameter */
	bool forward_only;   /* stop before differentiate and add_update */
	bool want_remarks;
	bool want_all;             /* of fuse, a remark on each pair of nodes and each kernel too */
	const struct Rules *rules; /* that the last pass which has some applied (rules/rules.h) */
	Map *unjoined;             /* what fuse did not join, by unjoined_key: why; NULL: nothing yet */
	ARRAY(Remark *) remarks;
	Map *remarked; /* the remarks by their text */
	bool part;     /* a further one of the evaluation, with kernels in common: none is counted twice */
	bool fuse_is_silent;   /* its kernels are not those that run, or it has spoken of them */
	struct OnChip *onchip; /* per sample: the form that the strategy has found so far; NULL: it refuses */
	PassStage stage;       /* that runs; 0: none, as in `nnc opt` */
	const char *const *disabled; /* names after -fno- */
	int disabled_count;
	struct MemoryGoal *memory;  /* of --memory, for rematerialize (passes/rematerialize.h); NULL: none */
	struct ParamPlaces *places; /* add_update: of the training graph's parameters; NULL: none yet */
	const Program *like; /* lower: the program to share parameters, states and inputs with; NULL: none */
	Times *times;        /* of --time-report; NULL: nothing is measured */
} PassContext;

typedef Graph *PassFunction(PassContext *ctx, const Graph *g);
typedef Program *LoweringFunction(PassContext *ctx, const Graph *g);
typedef Program *ProgramPassFunction(PassContext *ctx, const Program *p);

typedef struct Pass {
	const char *name, *doc;
	/* One of them. */
	PassFunction *run;
	LoweringFunction *lower;
	ProgramPassFunction *run_program;
	unsigned stages, flags; /* sets of PassStage and PassFlag */
	const char *after;      /* names of those that it must run after */
} Pass;

extern const Pass passes[];
extern const int pass_count;
const Pass *pass_find(const char *name); /* NULL */
/* The first of `count` passes that stands ahead of one that it must run after, or that names none; NULL: all are
 * in order. */
const Pass *passes_find_disorder(const Pass *all, int count);
bool pass_is_for(const Pass *pass, const Target *t);
const Graph *pass_apply(const Pass *pass, PassContext *ctx, const Graph *g); /* a pass of graphs */
char *pass_list(Arena *a); /* text of `nnc --print=passes` */
bool pass_is_disabled(const PassContext *ctx, const char *name);
/* The rules of a set as this compilation has them; for the pass that applies them. */
struct Rules *pass_rules(const PassContext *ctx, const char *set);
/* What -fno-NAME leaves out: optional passes, implementations (passes/implementation.h) and rules. */
const char **optional_names(Arena *a, int *count);
bool pass_in_tf32(const PassContext *ctx); /* whether the recipe's precision is tf32 */
Arena *pass_kept(const PassContext *ctx);
/* Adds a line to the remarks; one that is there already is counted. Where none are wanted, the arguments are not
 * evaluated. */
#define pass_remark(ctx, ...) ((ctx)->want_remarks ? pass_add_remark((ctx), __VA_ARGS__) : (void)0)
void pass_add_remark(PassContext *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Names two nodes by operator and .net lines, for PassContext.unjoined. In `a`. */
char *unjoined_key(Arena *a, const Node *producer, const Node *user);

/* A line each, "TEXT (3 times)"; those that differ in their places alone are one, of all of these. NULL: none. */
char *remarks_text(const PassContext *ctx);

/* expand.c: expands, and expands again, every node that has an expansion and that `wanted` picks. */
Graph *graph_expand(Arena *a, const Graph *g, bool (*wanted)(const Node *n));

/* lower.c: steps for the groups of a scheduled graph. Parameters, states and inputs that `like` has too are placed as
 * there, so that two programs can share memory; `like` may be NULL. */
Program *lower(Arena *a, const Graph *scheduled, const Program *like, const Target *target);

#define PASS(name, ...)         Graph *pass_##name(PassContext *ctx, const Graph *g);
#define RULES                   PASS
#define LOWERING(name, ...)     Program *pass_##name(PassContext *ctx, const Graph *g);
#define PROGRAM_PASS(name, ...) Program *pass_##name(PassContext *ctx, const Program *before);
#include "passes/passes.def"
#undef PASS
#undef RULES
#undef LOWERING
#undef PROGRAM_PASS

#endif
