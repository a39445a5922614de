/* SPDX-License-Identifier: MIT */
/* Metrics over all samples: those that no mean of numbers per sample is. A call gives the runtime what it compares, and
 * what it computes of that (runtime/session/measures.h): the graph has the scores and the targets, side by side. */
#include "ops/loss.h"

#include <string.h>

/* The elements of a place; dimensions of 1 after them are none: a number is [batch] or [batch, 1]. */
static Type without_ones(Type t)
{
	while (t.rank > 1 && t.dim[t.rank - 1] == 1)
		t.rank--;
	return t;
}

static Node *flat(Build *b, Node *x)
{
	const int64_t batch = x->type.dim[0];
	x = build_cast(b, x, b->real);
	return build_reshape(b, x, 2, (int64_t[]){batch, type_elements(x->type) / batch});
}

static Node *measured(Call *c, Node *scores, Node *targets, Measure m)
{
	Build *b = call_build(c);
	Node *x[2] = {flat(b, scores), flat(b, targets)};
	Node *both = x[0] && x[1] ? build_concat(b, 1, 2, x) : NULL;
	if (both)
		both->measure = arena_copy(b->graph->arena, &m, sizeof m);
	return both;
}

/* What has a column for each number of the last dimension, with a target for each. */
static bool measure_columns(Call *c, const Node *scores, const Node *targets, Measure *m)
{
	Arena *a = call_build(c)->graph->arena;
	const Type t = without_ones(scores->type);
	if (!shape_equal(t, without_ones(targets->type))) {
		call_error(
		        c, NULL, "shape-mismatch",
		        "the scores are %s and the targets %s: they need the same shape, or a class for each "
		        "row of scores",
		        sample_shape(a, scores->type), sample_shape(a, targets->type));
		return false;
	}
	m->columns = t.rank > 1 ? t.dim[t.rank - 1] : 1;
	m->places = type_elements(t) / t.dim[0] / m->columns;
	return true;
}

/* Scores of classes, by the class of each place or by 0 and 1 for each score. */
static Node *of_classes(Call *c, Measure m)
{
	Node *z = call_batch_tensor(c, "logits"), *labels = call_batch_tensor(c, "labels");
	if (!z || !labels)
		return NULL;
	Type row = z->type;
	row.rank--;
	m.indexed = !dtype_is_real(labels->type.dtype) && z->type.rank > 1 && z->type.dim[row.rank] > 1 &&
	            shape_equal(labels->type, row);
	if (m.indexed ? !loss_classes_agree(c, z, labels) || !loss_read_ignored(c, z, labels, &m.ignored)
	              : !measure_columns(c, z, labels, &m))
		return NULL;
	if (m.indexed) {
		m.columns = z->type.dim[row.rank];
		m.places = type_elements(row) / row.dim[0];
	} else if (call_given(c, "ignore") && !call_word(c, "ignore")) {
		return call_error(
		        c, "ignore", "bad-argument",
		        "`ignore` is one of several classes, and here each score has its own target");
	} else if (declared_classes(labels) > 2) {
		return call_error(c, "logits", "class-mismatch", "one score can't tell %lld classes apart",
		                  (long long)declared_classes(labels));
	}
	if (m.of >= m.columns)
		return call_error(c, "class", "bad-argument", "`class` is one of the %lld, from 0 on",
		                  (long long)m.columns);
	return measured(c, z, labels, m);
}

static const Measure all_columns = {.of = -1, .ignored = -1};

static Node *build_ranked(Call *c)
{
	Measure m = all_columns;
	m.function = call_op_name(c);
	return of_classes(c, m);
}

static Node *build_counted(Call *c)
{
	Measure m = all_columns;
	m.function = call_op_name(c);
	m.micro = strcmp(call_word(c, "average"), "micro") == 0;
	if (call_given(c, "class") && !call_word(c, "class")) {
		m.of = call_int(c, "class");
		if (m.of < 0)
			return call_error(c, "class", "bad-argument", "classes are counted from 0 on");
	}
	return of_classes(c, m);
}

/* Guo, Pleiss, Sun, Weinberger: On calibration of modern neural networks (2017). */
static Node *build_calibration(Call *c)
{
	enum { BINS_MOST = 1000 };
	Measure m = all_columns;
	m.function = call_op_name(c);
	m.bins = call_int(c, "bins");
	if (m.bins < 1 || m.bins > BINS_MOST)
		return call_error(c, "bins", "bad-argument", "there can be 1 to %d bins", BINS_MOST);
	return of_classes(c, m);
}

static Node *build_of_numbers(Call *c)
{
	Measure m = all_columns;
	m.function = call_op_name(c);
	Node *p = call_batch_tensor(c, "prediction"), *t = call_batch_tensor(c, "target");
	return p && t && measure_columns(c, p, t, &m) ? measured(c, p, t, m) : NULL;
}

/* Of each sample the cost of its places, a mean, and how many of them count: a text of many is not brought to the
 * host. */
static Node *build_perplexity(Call *c)
{
	Build *b = call_build(c);
	Node *cost = loss_cross_entropy(c), *labels = call_batch_tensor(c, "labels");
	if (!cost || !labels)
		return NULL;
	const int64_t batch = cost->type.dim[0];
	Measure m = all_columns;
	m.function = "perplexity";
	m.places = m.columns = 1;
	Node *places = build_constant(b, (double)(type_elements(labels->type) / batch));
	Node *counted = build_broadcast(b, places, 1, &batch);
	if (cost->counted) {
		Node *ignored = build_constant(b, (double)call_int(c, "ignore"));
		Node *counts = flat(
		        b, compose(b, "labels != ignored",
		                   TERMS({"labels", build_cast(b, labels, b->real)}, {"ignored", ignored})));
		counted = counts ? drop_last(b, reduce_last(b, "sum", counts)) : NULL;
	}
	return counted ? measured(c, cost, counted, m) : NULL;
}

#define CLASSES  "logits, labels: indices|tensor"
#define COUNTED  CLASSES ", average: macro|micro = macro, class: int|none = none, ignore: int|none = none"
#define OVER_ALL "Computed of all evaluated samples at once, at the end of an evaluation; training has none. "

const Op measure_ops[] = {
        {.name = "auc",
         .call = CLASSES ", ignore: int|none = none",
         .doc = OVER_ALL "The area under the receiver operating characteristic: how often a sample of the "
                         "class has the higher "
                         "score than one that is not of it, equal scores counting half. Of two classes that "
                         "of class 1, of more "
                         "the mean of each against the rest, by softmax. Where `labels` are 0 and 1 for each "
                         "score, the mean over "
                         "the scores. A class that has no sample, or all, has none and is left out.",
         .build = build_ranked},
        {.name = "average_precision",
         .call = CLASSES ", ignore: int|none = none",
         .doc = OVER_ALL
         "The precision at each threshold, weighted by the recall that it adds: sum of (R_n - "
         "R_(n-1)) P_n. Of which class as `auc`.",
         .build = build_ranked},
        {.name = "precision",
         .call = COUNTED,
         .doc = OVER_ALL "How many of those taken for a class are of it; 0 where none was. The mean over the "
                         "classes that are "
                         "there or were chosen (macro), all counted together (micro), or of one `class`. "
                         "With one score a sample, "
                         "or several targets of 0 and 1, what is above 0 is taken for 1.",
         .build = build_counted},
        {.name = "recall",
         .call = COUNTED,
         .doc = OVER_ALL "How many of a class are taken for it. Averages as of `precision`.",
         .build = build_counted},
        {.name = "f1",
         .call = COUNTED,
         .doc = OVER_ALL "2 P R/(P + R) of precision P and recall R. Averages as of `precision`.",
         .build = build_counted},
        {.name = "iou",
         .call = COUNTED,
         .doc = OVER_ALL "Intersection over union, Jaccard's index: of what is of a class or taken for it, "
                         "how much is both. Averages as of `precision`; of pixels macro is the mean IoU.",
         .build = build_counted},
        {.name = "dice",
         .call = COUNTED,
         .doc = OVER_ALL
         "Dice's coefficient, 2 |A and B|/(|A| + |B|) of what is of a class and what is taken "
         "for it: `f1` by the name that it has of pixels.",
         .build = build_counted},
        {.name = "ece",
         .call = CLASSES ", bins: int = 15, ignore: int|none = none",
         .doc = OVER_ALL
         "The expected calibration error: probabilities of the class that is chosen fall into "
         "equal bins; the mean "
         "over the samples of how far a bin's mean probability is from its share of right "
         "ones. With one score a sample, or several targets of 0 and 1, the probability "
         "is that of 1, and right is what is 1.",
         .build = build_calibration},
        {.name = "r2",
         .call = "prediction, target",
         .doc = OVER_ALL "The share of the target's variance that is predicted: 1 - sum (t - p)^2 / sum (t - "
                         "mean)^2, the mean over the columns.",
         .build = build_of_numbers},
        {.name = "rmse",
         .call = "prediction, target",
         .doc = OVER_ALL "The root of the mean squared error, the mean over the columns.",
         .build = build_of_numbers},
        {.name = "mae",
         .call = "prediction, target",
         .doc = OVER_ALL "The mean absolute error.",
         .build = build_of_numbers},
        {.name = "mape",
         .call = "prediction, target",
         .doc = OVER_ALL "The mean of |t - p|/|t|, a share and no percentage.",
         .build = build_of_numbers},
        {.name = "perplexity",
         .call = "logits, labels: indices, ignore: int|none = none",
         .doc = OVER_ALL
         "exp of the mean cross-entropy of all places of all samples, each of which counts the "
         "same.",
         .build = build_perplexity},
        {0},
};
