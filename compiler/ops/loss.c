/* SPDX-License-Identifier: MIT */
/* Cross-entropy and metrics of classes. Each gives one number per sample, f32[batch]; the mean over the batch is the
 * compiler's.
 *
 * cross_entropy is one operator with a closed gradient, softmax - target; the others are composed where they are
 * called. Labels are class indices, or a probability for each class. */
#include "ops/loss.h"

#include <math.h>
#include <string.h>

/* ---- cross_entropy: z [..., classes] and x, indices [...] or probabilities [..., classes], give [...] */

static bool labels_are_indices(const Node *labels)
{
	return !dtype_is_real(labels->type.dtype);
}

static bool cross_entropy_infer(Infer *in)
{
	if (!infer_real(in, 0))
		return false;
	Type z = in->operands[0]->type, x = in->operands[1]->type, row = z;
	if (z.rank < 1)
		return infer_error(in, "shape-mismatch", "`cross_entropy` needs a score for each class");
	row.rank--;
	bool indices = labels_are_indices(in->operands[1]);
	if (!(indices ? shape_equal(x, row) : shape_equal(x, z))) {
		Arena *a = in->graph->arena;
		infer_error(in, "shape-mismatch",
		            "`cross_entropy` of scores %s needs labels %s, and they are %s",
		            operand_text(in, 0), sample_shape(a, indices ? row : z), operand_text(in, 1));
		infer_note_operand(in, 0);
		infer_note_operand(in, 1);
		if (!in->why && z.rank > x.rank + indices)
			loss_help_with_flatten(in->graph->diag);
		if (!in->why && indices && z.rank == 3 && x.rank == 1)
			diag_help(in->graph->diag,
			          "of a sequence, as a recurrent layer's states, the last place alone: "
			          "-> slice(0, %lld, 1) -> flatten",
			          (long long)z.dim[1] - 1);
		else if (!in->why && indices && z.rank == 2)
			diag_help(in->graph->diag,
			          "one class for each sample is declared so: target label: class[%lld]",
			          (long long)z.dim[1]);
		return false;
	}
	double smoothing = infer_attr(in, "smoothing")->f;
	if (!(smoothing >= 0 && smoothing <= 1))
		return infer_error(in, "bad-argument",
		                   "the smoothing of `cross_entropy` is a share from 0 to 1, not %g",
		                   smoothing);
	return infer_result(in, z.dtype, row.rank, row.dim);
}

/* The wanted probabilities: one-hot or given, smoothed towards 1/classes. */
static Node *target_of(Build *b, const Node *n, Node *labels, int64_t classes)
{
	Node *q = labels_are_indices(labels) ? one_hot(b, labels, classes) : labels;
	double smoothing = node_real(n, "smoothing");
	if (smoothing == 0)
		return q;
	return compose(b, "q*keep + share",
	               TERMS({"q", q}, {"keep", build_constant(b, 1 - smoothing)},
	                     {"share", build_constant(b, smoothing / (double)classes)}));
}

/* -log softmax(z): the cost of each class. */
static Node *class_cost(Build *b, Node *z)
{
	Node *below = node_called(build2(b, "sub", z, reduce_last(b, "max", z)), "below_max");
	Node *total = node_called(reduce_last(b, "sum", build1(b, "exp", below)), "exp_sum");
	return node_called(compose(b, "log(total) - below", TERMS({"total", total}, {"below", below})),
	                   "class_cost");
}

/* select keeps an infinite cost of another class from making 0*infinity of the one-hot product. */
static Node *cross_entropy_expand(Expand *e)
{
	Build *b = &e->b;
	Node *z = e->operands[0], *labels = e->operands[1];
	Node *q = target_of(b, e->node, labels, z->type.dim[z->type.rank - 1]);
	Node *weighed = compose(b, "select(q, q*cost, 0)", TERMS({"q", q}, {"cost", class_cost(b, z)}));
	return drop_last(b, reduce_last(b, "sum", node_called(weighed, "weighed_cost")));
}

static void cross_entropy_grad(Grad *g)
{
	Build *b = &g->b;
	Node *z = g->operands[0], *labels = g->operands[1];
	Type row = z->type;
	int last = row.rank - 1;
	int64_t classes = row.dim[last];
	row.dim[last] = 1;
	Node *dy = build_reshape(b, g->dy, row.rank, row.dim);
	Node *q = target_of(b, g->node, labels, classes);
	if (g->wanted[0]) {
		Node *p = build_along(b, "softmax", z, last);
		/* Given probabilities need not sum to 1. */
		Node *mass = labels_are_indices(labels) ? build_constant(b, 1) : reduce_last(b, "sum", q);
		g->result[0] =
		        compose(b, "dy*(p*mass - q)", TERMS({"dy", dy}, {"p", p}, {"mass", mass}, {"q", q}));
	}
	if (g->wanted[1] && !labels_are_indices(labels)) {
		Node *keep = build_constant(b, 1 - node_real(g->node, "smoothing"));
		g->result[1] = compose(b, "dy*keep*cost",
		                       TERMS({"dy", dy}, {"keep", keep}, {"cost", class_cost(b, z)}));
	}
}

bool loss_classes_agree(Call *c, const Node *z, const Node *labels)
{
	if (z->type.rank < 2) {
		call_error(c, "logits", "shape-mismatch",
		           "a score for each class is needed here, and this is one number a sample");
		return false;
	}
	int64_t declared = declared_classes(labels), classes = z->type.dim[z->type.rank - 1];
	if (declared < 1 || declared == classes)
		return true;
	call_error(c, "logits", "class-mismatch", "these are scores for %lld classes, and `%s` has %lld",
	           (long long)classes, labels->name, (long long)declared);
	diag_note(call_build(c)->graph->diag, labels->sites.at[0]->loc, "`%s` is declared here",
	          labels->name);
	return false;
}

/* Scores have at least the dimensions of their labels: an input with fewer stands in the place of the others. */
static bool in_order(Call *c, const Node *z, const Node *labels)
{
	const Node *from = z;
	while (from->op->flags & (OP_ALIAS | OP_CONVERTS))
		from = from->operands[0];
	if (labels->type.rank <= z->type.rank || !node_is_input(from))
		return true;
	call_error(c, "logits", "swapped-arguments",
	           "the scores come first and the labels follow: these look like the labels");
	return false;
}

/* Trains, and slowly: the second softmax sees numbers from 0 to 1 alone. */
static void warn_of_probabilities(const Build *b, const Node *z)
{
	if (strcmp(z->op->name, "softmax") != 0 || z->sites.count == 0)
		return;
	Diagnostics *d = b->graph->diag;
	diag_warning(d, z->sites.at[0]->loc, "softmax-twice",
	             "`cross_entropy` takes scores and applies `softmax` to them itself: this is the second");
	diag_help(d, "give the loss what stands before this `softmax`");
}

/* The mean of `cost`, a number for each place, over the places whose label is not `ignored`. A sample that has none has
 * the mean 0, and no metric counts it. */
static Node *mean_of_counted(Build *b, Node *cost, Node *labels, int64_t ignored)
{
	Node *real = build_cast(b, labels, DTYPE_F32), *class = build_constant(b, (double)ignored);
	Node *counts = compose(b, "labels != ignored", TERMS({"labels", real}, {"ignored", class}));
	int64_t axes[LIMIT_RANK], batch = cost->type.dim[0];
	for (int i = 1; i < cost->type.rank; i++)
		axes[i - 1] = i;
	Node *kept = build3(b, "select", counts, cost, build_constant(b, 0));
	Node *total = build_reduce(b, "sum", kept, axes, cost->type.rank - 1);
	Node *places = build_reduce(b, "sum", counts, axes, cost->type.rank - 1);
	Node *mean = compose(b, "total/maximum(places, 1)", TERMS({"total", total}, {"places", places}));
	mean = build_reshape(b, mean, 1, &batch);
	if (mean)
		mean->counted =
		        build_reshape(b, build2(b, "minimum", places, build_constant(b, 1)), 1, &batch);
	return mean;
}

bool loss_read_ignored(Call *c, const Node *z, const Node *labels, int64_t *ignored)
{
	*ignored = -1;
	if (!call_given(c, "ignore") || call_word(c, "ignore"))
		return true;
	int64_t classes = z->type.dim[z->type.rank - 1];
	*ignored = call_int(c, "ignore");
	if (labels_are_indices(labels) && *ignored >= 0 && *ignored < classes)
		return true;
	call_error(c, "ignore", "bad-argument",
	           "`ignore` is one of the %lld classes, for labels that are indices", (long long)classes);
	diag_help(call_build(c)->graph->diag,
	          "labels are within the classes: give padding a class of its own");
	return false;
}

/* `cost` times the weight of each label's class. NULL after a diagnostic. */
static Node *weighed_by_class(Call *c, Node *cost, Node *labels, int64_t classes)
{
	Build *b = call_build(c);
	Node *weights = call_tensor(c, "weights");
	if (!weights)
		return NULL;
	if (!labels_are_indices(labels) || weights->type.dim[0] != 1 ||
	    type_elements(weights->type) != classes)
		return call_error(c, "weights", "bad-argument",
		                  "`weights` has one number for each of the %lld classes, the same for all "
		                  "samples, for "
		                  "labels that are indices: weights = tensor([1, 2.5, ...])",
		                  (long long)classes);
	Node *table = build_reshape(b, weights, 2, (int64_t[]){classes, 1});
	Node *own = table ? build(b, "embedding", 2, (Node *[]){table, labels}, 0, NULL) : NULL;
	return own ? build2(b, "mul", cost, drop_last(b, own)) : NULL;
}

/* Of each sample. NULL after a diagnostic. */
static Node *mean_cost(Call *c, Node *z, Node *labels, double smoothed, bool weighed)
{
	Build *b = call_build(c);
	Attr smoothing = attr_real("smoothing", smoothed);
	Node *cost = build(b, "cross_entropy", 2, (Node *[]){z, labels}, 1, &smoothing);
	if (cost && weighed && !call_word(c, "weights") &&
	    !(cost = weighed_by_class(c, cost, labels, z->type.dim[z->type.rank - 1])))
		return NULL;
	int64_t ignored;
	if (!cost || !loss_read_ignored(c, z, labels, &ignored))
		return NULL;
	return ignored < 0 ? mean_per_sample(b, cost) : mean_of_counted(b, cost, labels, ignored);
}

static Node *build_cross_entropy(Call *c)
{
	Node *z = call_batch_tensor(c, "logits"), *labels = call_batch_tensor(c, "labels");
	if (!z || !labels || !in_order(c, z, labels))
		return NULL;
	if (!loss_classes_agree(c, z, labels))
		return NULL;
	if (z->type.dim[z->type.rank - 1] == 1) {
		call_error(c, "logits", "one-class", "over one score `cross_entropy` is always 0");
		diag_help(call_build(c)->graph->diag,
		          "for a number: `mse(prediction, target)`; for two classes two scores and a target "
		          "`class[2]`");
		return NULL;
	}
	warn_of_probabilities(call_build(c), z);
	return mean_cost(c, z, labels, call_real(c, "smoothing"), call_given(c, "weights"));
}

Node *loss_cross_entropy(Call *c)
{
	Node *z = call_batch_tensor(c, "logits"), *labels = call_batch_tensor(c, "labels");
	bool fit = z && labels && in_order(c, z, labels) && loss_classes_agree(c, z, labels);
	return fit ? mean_cost(c, z, labels, 0, false) : NULL;
}

/* With p the probability of the label, -log p is the cross-entropy. (Lin et al.: Focal loss for dense object detection,
 * 2017) */
static Node *build_focal(Call *c)
{
	Build *b = call_build(c);
	Node *z = call_batch_tensor(c, "logits"), *labels = call_batch_tensor(c, "labels");
	if (!z || !labels || !in_order(c, z, labels) || !loss_classes_agree(c, z, labels))
		return NULL;
	double gamma = call_real(c, "gamma");
	if (!(gamma >= 0))
		return call_error(c, "gamma", "bad-argument", "`gamma` is at least 0, not %g", gamma);
	Attr smoothing = attr_real("smoothing", 0);
	Node *cost = build(b, "cross_entropy", 2, (Node *[]){z, labels}, 1, &smoothing);
	/* 1 - p as it is exact where p is near 1, and not below the least that a power can take the gradient of */
	Node *weighed = compose(b, "cost*exp(gamma*log(maximum(-expm1(-cost), least)))",
	                        TERMS({"cost", cost}, {"gamma", build_constant(b, gamma)},
	                              {"least", build_constant(b, 1e-12)}));
	return mean_per_sample(b, weighed);
}

/* ---- contrastive: a [share, n] and b [batch, n] give [share]: of several ranks each has a share of the rows */

enum { SAMPLES = 2 }; /* the operand */

static bool contrastive_infer(Infer *in)
{
	Type a = in->operands[0]->type;
	double temperature = infer_attr(in, "temperature")->f;
	if (!infer_real(in, 0) || !infer_same_dtype(in, 0, 1))
		return false;
	Type b = in->operands[1]->type;
	bool shares = a.rank == 2 && b.rank == 2 && a.dim[1] == b.dim[1] && b.dim[0] % a.dim[0] == 0;
	if (!shares) {
		infer_error(in, "shape-mismatch", "`contrastive` compares rows of one length, not %s and %s",
		            operand_text(in, 0), operand_text(in, 1));
		infer_note_operand(in, 0);
		infer_note_operand(in, 1);
		return false;
	}
	if (!(temperature > 0))
		return infer_error(in, "bad-argument", "`temperature` is more than 0, not %g", temperature);
	return infer_result(in, a.dtype, 1, a.dim);
}

/* [share, batch], 1 where the row and the column are of one sample. */
static Node *same_sample(Build *b, int64_t share, int64_t batch)
{
	Attr square[] = {attr_int("n", batch), attr_ints("shape", (int64_t[]){batch, batch}, 2)};
	if (share == batch)
		return build(b, "diagonal", 0, NULL, 2, square);
	Node *row = build_reshape(b, rows_in_batch(b, share, batch), 2, (int64_t[]){share, 1});
	return build2(b, "eq", row, build_ramp(b, 2, (int64_t[]){1, batch}, 0, 1));
}

/* Row i of a b^T/temperature are the scores of the batch's samples for sample i, whose class is its own. What fills a
 * batch up is no class. */
static Node *contrastive_expand(Expand *e)
{
	Build *b = &e->b;
	const int64_t batch = e->operands[1]->type.dim[0];
	Node *products = build_product(b, e->operands[0], e->operands[1], false, true);
	Node *scores = build2(b, "div", products, build_constant(b, node_real(e->node, "temperature")));
	Node *own = compose(b, "select(same, scores, 0)",
	                    TERMS({"same", same_sample(b, e->node->type.dim[0], batch)}, {"scores", scores}));
	if (e->node->operand_count > SAMPLES)
		scores = compose(b, "select(number < samples, scores, none)",
		                 TERMS({"number", build_ramp(b, 2, (int64_t[]){1, batch}, 0, 1)},
		                       {"samples", e->operands[SAMPLES]}, {"scores", scores},
		                       {"none", build_constant(b, -INFINITY)}));
	Node *all = build_along(b, "logsumexp", scores, 1);
	return drop_last(b, build2(b, "sub", all, reduce_last(b, "sum", own)));
}

static Node *build_contrastive(Call *c)
{
	Node *x[3] = {call_batch_tensor(c, "a"), call_batch_tensor(c, "b")};
	Attr temperature = attr_real("temperature", call_real(c, "temperature"));
	if (!x[0] || !x[1] || !(x[1] = call_whole_batch(c, x[1], &x[SAMPLES])))
		return NULL;
	return build(call_build(c), "contrastive", x[SAMPLES] ? 3 : 2, x, 1, &temperature);
}

/* ---- ranks: a label is right when fewer than k classes stand before it. Equal scores stand in the order of the
 * classes, so that k = 1 is argmax with the first maximum; NaN stands before everything, so that it is never right. */

static Node *within_top(Call *c, int64_t k)
{
	Build *b = call_build(c);
	Node *z = call_batch_tensor(c, "logits"), *labels = call_batch_tensor(c, "labels");
	if (!z || !labels || !in_order(c, z, labels))
		return NULL;
	Arena *a = b->graph->arena;
	Type row = z->type;
	row.rank--;
	if (row.rank < 1 || !labels_are_indices(labels) || !shape_equal(labels->type, row)) {
		call_error(c, NULL, "shape-mismatch",
		           "scores %s need one class index for each row as labels, and these are %s%s",
		           sample_shape(a, z->type), dtype_name(labels->type.dtype),
		           sample_shape(a, labels->type));
		if (type_elements(z->type) == z->type.dim[0] && !labels_are_indices(labels))
			diag_help(b->graph->diag, "how often one score is on the side of y, 0 or 1: metric "
			                          "where(score > 0, y, 1 - y)");
		return NULL;
	}
	if (!loss_classes_agree(c, z, labels))
		return NULL;
	int64_t classes = z->type.dim[row.rank], ignored;
	if (!loss_read_ignored(c, z, labels, &ignored))
		return NULL;
	if (k < 1 || k > classes)
		return call_error(c, NULL, "bad-argument", "there is no top %lld of %lld classes",
		                  (long long)k, (long long)classes);
	Node *hot = one_hot(b, labels, classes);
	Node *own = reduce_last(b, "sum", compose(b, "select(hot, z, 0)", TERMS({"hot", hot}, {"z", z})));
	node_called(own, "own_score");
	row.dim[row.rank] = 1;
	Node *column = build_reshape(b, labels, row.rank + 1, row.dim);
	Node *before = node_called(reduce_last(b, "sum", build3(b, "outranks", z, own, column)), "rank");
	Node *right = node_called(build2(b, "lt", before, build_constant(b, (double)k)), "is_right");
	right = drop_last(b, right);
	return ignored < 0 ? mean_per_sample(b, right) : mean_of_counted(b, right, labels, ignored);
}

static Node *build_accuracy(Call *c)
{
	return within_top(c, 1);
}

static Node *build_top5(Call *c)
{
	return within_top(c, 5);
}

static Node *build_topk(Call *c)
{
	return within_top(c, call_int(c, "k"));
}

/* ---- samples */

#define INDEXED(Z, X, CLASSES, SMOOTHING) "z=f32[" Z "] x=i32[" X "]<" CLASSES " smoothing=" SMOOTHING
#define SPREAD(Z, SMOOTHING)              "z=f32[" Z "] x=f32[" Z "] smoothing=" SMOOTHING

static const char *const cross_entropy_samples[] = {
        INDEXED("1,1", "1", "1", "0.0"),
        INDEXED("1,2", "1", "2", "0.0"),
        INDEXED("2,2", "2", "2", "0.0"),
        INDEXED("3,5", "3", "5", "0.0"),
        INDEXED("5,1", "5", "1", "0.0"),
        INDEXED("7,10", "7", "10", "0.0"),
        INDEXED("4,17", "4", "17", "0.0"),
        INDEXED("2,100", "2", "100", "0.0"),
        INDEXED("16,3", "16", "3", "0.0"),
        INDEXED("2,3,4", "2,3", "4", "0.0"),
        INDEXED("1,5,3", "1,5", "3", "0.0"),
        INDEXED("2,2,3,7", "2,2,3", "7", "0.0"),
        INDEXED("1,2", "1", "2", "0.1"),
        INDEXED("3,5", "3", "5", "0.1"),
        INDEXED("7,10", "7", "10", "0.5"),
        INDEXED("2,33", "2", "33", "1.0"),
        INDEXED("3,1,9", "3,1", "9", "0.1"),
        SPREAD("1,2", "0.0"),
        SPREAD("3,5", "0.0"),
        SPREAD("7,10", "0.0"),
        SPREAD("2,3,4", "0.0"),
        SPREAD("3,5", "0.1"),
        SPREAD("1,1", "0.0"),
        SPREAD("2,17", "0.25"),
        NULL,
};

#define CONTRAST(SHAPE, T) "a=f32[" SHAPE "] b=f32[" SHAPE "] temperature=" T
static const char *const contrastive_samples[] = {
        CONTRAST("1,1", "1.0"),
        CONTRAST("2,1", "1.0"),
        CONTRAST("2,3", "1.0"),
        CONTRAST("3,2", "0.5"),
        CONTRAST("1,7", "0.1"),
        CONTRAST("5,5", "1.0"),
        CONTRAST("4,8", "2.0"),
        CONTRAST("7,3", "1.0"),
        CONTRAST("9,1", "0.25"),
        CONTRAST("8,16", "1.5"),
        CONTRAST("16,4", "1.0"),
        CONTRAST("3,33", "4.0"),
        CONTRAST("6,5", "0.7"),
        CONTRAST("2,17", "3.0"),
        CONTRAST("17,2", "1.0"),
        CONTRAST("33,3", "1.0"),
        CONTRAST("4,1", "0.5"),
        CONTRAST("1,1", "0.1"),
        CONTRAST("10,10", "2.5"),
        CONTRAST("5,12", "1.0"),
        "a=f32[2,3] b=f32[4,3] temperature=1.0",
        "a=f32[1,5] b=f32[3,5] temperature=0.5",
        NULL,
};

const Op loss_ops[] = {
        {.name = "cross_entropy",
         .flags = OP_COMPARES_CLASSES,
         .signature = "z, x -> y",
         .call = "logits, labels: indices|tensor, smoothing: real = 0.0, ignore: int|none = none, weights: "
                 "tensor|none = none",
         .doc = "-log softmax(logits) at the label, the mean over all places of a sample: logits [8, 10] go "
                "with "
                "a target class[10][8]. `labels` is a class, or a probability for each class; `smoothing` "
                "moves that "
                "share of the probability to all classes alike. Places with the class `ignore` do not count: "
                "the mean "
                "is over the others of the sample. A mask that is multiplied to the loss divides by all "
                "places. `weights`, as tensor([1, 2.5]), multiplies each place by the number of its label's "
                "class; "
                "the mean still divides by the places, not by the sum of their weights.",
         .infer = cross_entropy_infer,
         .grad = cross_entropy_grad,
         .expand = cross_entropy_expand,
         .build = build_cross_entropy,
         .expr_flops = 16,
         .samples = cross_entropy_samples},
        {.name = "focal",
         .call = "logits, labels: indices, gamma: real = 2.0",
         .doc = "(1 - p)^gamma times the cross-entropy -log p, p being the label's probability: what is "
                "right already "
                "counts less. The mean over all places of a sample.",
         .build = build_focal},
        {.name = "contrastive",
         .signature = "a, b, samples? -> y",
         .call = "a, b, temperature: real = 0.1",
         .doc = "How badly a and b, a row for each sample, find each other across the batch (InfoNCE: van "
                "den Oord "
                "et al. 2018): -log of the softmax over all samples j of a_i.b_j/temperature, at j = i. Rows "
                "of "
                "length 1 make cosines of the products: the block `paired` of <losses> does so, both ways. A "
                "sample is compared with those of its batch, all ranks' shares of it, in an evaluation too: "
                "there the last batch has the samples that are left. No `output` can depend on it.",
         .flags = OP_COUPLES,
         .infer = contrastive_infer,
         .expand = contrastive_expand,
         .build = build_contrastive,
         .expr_flops = 4,
         .samples = contrastive_samples},
        {.name = "accuracy",
         .call = "logits, labels: indices, ignore: int|none = none",
         .doc = "1 where the label is the class of the largest score (the first of equals), else 0; the mean "
                "over all places of a sample. Places with the class `ignore` do not count, as in "
                "cross_entropy; a sample that has no other is left out of the metric.",
         .build = build_accuracy},
        {.name = "top1",
         .call = "logits, labels: indices, ignore: int|none = none",
         .doc = "The same as accuracy.",
         .build = build_accuracy},
        {.name = "top5",
         .call = "logits, labels: indices, ignore: int|none = none",
         .doc = "1 where the label is among the five largest scores, else 0. `ignore` as of accuracy.",
         .build = build_top5},
        {.name = "topk",
         .call = "logits, labels: indices, k: int, ignore: int|none = none",
         .doc = "1 where the label is among the k largest scores, else 0. `ignore` as of accuracy.",
         .build = build_topk},
        {0},
};
