/* A pass is a function from graph to graph: it reads `g`, builds its result in ctx->arena and says in its header
 * comment what must have run before. The order is passes.def; compiler/driver.c runs it, verifying after each. */
#ifndef NNC_PASS_H
#define NNC_PASS_H

#include "base/array.h"
#include "base/map.h"
#include "front/recipe.h"
#include "ir/graph.h"
#include "codegen/target.h"

typedef struct Times Times; /* driver.h */

/* A line of -Rfusion. */
typedef struct Remark {
	const char *text;
	int times;      /* it was said */
	const char *by; /* name of the pass */
} Remark;

typedef struct PassContext {
	Arena *arena;
	const Recipe *recipe;
	const Target *target;
	bool keep_gradients; /* outputs OUTPUT_GRADIENT for every parameter */
	bool forward_only;   /* stop before differentiate and add_update */
	bool want_remarks;
	ARRAY(Remark *) remarks;
	Map *remarked;       /* the remarks by their text */
	const char *running; /* name of the pass */
	bool part; /* a further one of the evaluation, with kernels in common: none is counted twice */
	bool fused_before; /* of an evaluation: what fuse would say of it, it has said of the training graph */
	struct OnChip *onchip; /* onchip: the form it found (passes/onchip.h); NULL: none */
	Times *times;          /* of --time-report; NULL: nothing is measured */
} PassContext;

typedef Graph *PassFunction(PassContext *ctx, const Graph *g);

typedef struct Pass {
	const char *name, *doc;
	PassFunction *run;
	bool optional;      /* -fno-NAME leaves it out, results stay within tolerance */
	bool training_only; /* not run on an evaluation graph */
	bool cuda_only;     /* does nothing for other targets */
} Pass;

extern const Pass passes[];
extern const int pass_count;
const Pass *pass_find(const char *name); /* NULL */
/* `g` where the pass is not for the target. */
Graph *pass_run(const Pass *pass, PassContext *ctx, const Graph *g);
char *pass_list(Arena *a);                 /* text of `nnc --print=passes` */
bool pass_in_tf32(const PassContext *ctx); /* whether the recipe's precision is tf32 */
/* Adds a line to the remarks, if they are wanted; one that is there already is counted. */
void pass_remark(PassContext *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Takes back what the passes from number `first` to the one before `end` have said. */
void remarks_drop(PassContext *ctx, int first, int end);
char *remarks_text(const PassContext *ctx); /* a line each, "TEXT (3 times)"; NULL: none */

/* expand.c: expands, and expands again, every node that has an expansion and that `wanted` picks. */
Graph *graph_expand(Arena *a, const Graph *g, bool (*wanted)(const Node *n));

/* row_sums.c: `sum`, along the rows of x, as the sum of those of the product's tiles, where there are several; the
 * tiles' join the product. */
Node *graph_sum_tiles(Graph *to, const Node *product, const Node *sum, Node *x);

/* conv_image.c: the weight gradients that the pass has cut into parts whole again, in its groups: by the library. */
Graph *conv_image_whole(Arena *a, const Graph *g);

#define PASS(name, ...) Graph *pass_##name(PassContext *ctx, const Graph *g);
#include "passes/passes.def"
#undef PASS

#endif
