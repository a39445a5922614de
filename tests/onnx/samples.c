/* SPDX-License-Identifier: MIT */
/* The operators' samples as graphs of ONNX, one graph an operator, with what the interpreter says of them:
 *
 *     onnx_samples FOLDER [OPERATOR ...]
 *
 * FOLDER/NAME.graph has the parameters' shapes and the lines that a trainer would have (codegen/onnx.h), NAME.params
 * their values, one after the other; export.c makes NAME.onnx of these. NAME.json says what the inputs and outputs are,
 * NAME.BATCH.in and NAME.BATCH.out are their values, one after the other, for batches of 1, 2 and 3.
 *
 * What has no form in ONNX is listed here: any other operator without one is a failure, and so is one that has. */
#include "emit/image_rows.h"
#include "onnx/forms.h"
#include "ops/compose.h"
#include "tests/interp/interp.h"
#include "tests/ops/samples.h"

#include <stdio.h>
#include <stdlib.h>

enum { BATCHES = 3 };

/* Made by passes after the front end, or by gradients: no evaluation graph that is exported has them. `outranks` is
 * what metrics rank scores by. */
static const char *const formless[] = {
        "all_gather",
        "all_reduce",
        "attention",
        "attention_grad",
        "attention_logs",
        "attention_mask_grad",
        "avgpool_grad",
        "conv_matrix",
        "conv_matrix_grad",
        "conv_wgrad",
        "conv_wgrad_parts",
        "embedding_grad",
        "gather_columns",
        "gelu_slope",
        "gelu_tanh_slope",
        "index_below",
        "index_below_share",
        "lrn_grad",
        "mask_border",
        "maxpool_grad",
        "outranks",
        "pack",
        "part",
        "positive",
        "rank_share",
        "round_tf32",
        "spread",
        "tap",
        "uniform_share",
        "unpool",
};

typedef struct Case {
	Arena *arena;
	const Op *op;
	const char *folder;
} Case;

static bool has_no_form(const Op *op)
{
	for (size_t i = 0; i < sizeof formless / sizeof *formless; i++)
		if (strcmp(op->name, formless[i]) == 0)
			return true;
	return false;
}

static FILE *file_of(const Case *c, const char *rest)
{
	const char *path = arena_printf(c->arena, "%s/%s.%s", c->folder, c->op->name, rest);
	FILE *f = fopen(path, "wb");
	if (!f)
		fail(EXIT_TOOL, "%s can't be written", path);
	return f;
}

/* What is not of the batch, as the values of a sample beside `x`, an input of zeros. */
static Node *beside(Graph *g, Node *y, Node *x)
{
	Build b = {.graph = g};
	const int64_t count = type_elements(y->type);
	return build2(&b, "add", build_reshape(&b, y, 2, (int64_t[]){1, count}), x);
}

/* `samples`: values of the leaves. */
static Graph *graph_of(const Case *c, Samples *samples, int64_t batch)
{
	Graph *g = graph_new(c->arena, c->op->name, false, batch);
	Build b = {.graph = g};
	Node *zeros = NULL;
	for (int i = 0; i < op_sample_count(c->op); i++) {
		bool of_batch;
		if (strstr(c->op->samples[i], " counts=")) /* tables that a pass has joined */
			continue;
		Node *y = sample_value(samples, g, c->op, c->op->samples[i], arena_printf(c->arena, "s%d", i),
		                       batch, &of_batch);
		if (y->type.dtype != DTYPE_F32 && y->type.dtype != DTYPE_I32)
			y = build_cast(&b, y, DTYPE_F32);
		if (!of_batch && !zeros) {
			Attr attrs[] = {attr_text("name", "zeros"), attr_text("role", "input"),
			                attr_int("classes", 0)};
			Type t;
			require(type_make(DTYPE_F32, 2, (int64_t[]){batch, 1}, &t));
			zeros = graph_leaf(g, "input", t, attrs, 3, b.sites);
			SampleLeaf *leaf = NEW(c->arena, SampleLeaf);
			*leaf = (SampleLeaf){"zeros", batch, NEW_ARRAY(c->arena, double, batch), false};
			map_set(samples->leaves, "zeros", leaf);
		}
		graph_output(g, OUTPUT_VALUE, arena_printf(c->arena, "y%d", i),
		             of_batch ? y : beside(g, y, zeros));
	}
	return g;
}

static void write_values(FILE *f, DType dtype, const double *values, int64_t count)
{
	for (int64_t i = 0; i < count; i++) {
		const float real = (float)values[i];
		const int32_t whole = dtype == DTYPE_F32 ? 0 : (int32_t)values[i];
		const uint8_t byte = dtype == DTYPE_U8 ? (uint8_t)values[i] : 0;
		if (dtype == DTYPE_F32)
			fwrite(&real, sizeof real, 1, f);
		else if (dtype == DTYPE_U8)
			fwrite(&byte, 1, 1, f);
		else
			fwrite(&whole, sizeof whole, 1, f);
	}
}

/* Once for each name. */
static void write_params(const Case *c, const Graph *g, Samples *samples, FILE *graph)
{
	FILE *params = file_of(c, "params");
	const Map *images = image_rows(c->arena, g);
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		if (!node_is_param(n))
			continue;
		const char *name = node_text(n, "name");
		const SampleLeaf *leaf = map_get(samples->leaves, name);
		const int64_t *channels = map_get(images, name);
		fprintf(graph, "param %s %lld %d", name, channels ? (long long)*channels : 0LL, n->type.rank);
		for (int k = 0; k < n->type.rank; k++)
			fprintf(graph, " %lld", (long long)n->type.dim[k]);
		fprintf(graph, "\n");
		for (int64_t k = 0; k < leaf->count; k++) {
			const float real = (float)leaf->values[k];
			fwrite(&real, sizeof real, 1, params);
		}
	}
	fclose(params);
}

static void describe(FILE *json, const char *name, const Node *n, const char *before)
{
	fprintf(json, "%s{\"name\": \"%s\", \"type\": \"%s\", \"dims\": [", before, name,
	        dtype_name(n->type.dtype));
	for (int k = 1; k < n->type.rank; k++)
		fprintf(json, "%s%lld", k > 1 ? ", " : "", (long long)n->type.dim[k]);
	fprintf(json, "]}");
}

/* Values are of single precision for the interpreter, too. */
static void round_leaves(Samples *samples)
{
	for (int i = 0; i < map_count(samples->leaves); i++) {
		SampleLeaf *leaf = map_value(samples->leaves, i);
		for (int64_t k = 0; k < leaf->count; k++)
			leaf->values[k] = (float)leaf->values[k];
	}
}

static void write_batch(const Case *c, int64_t batch)
{
	Samples *samples = samples_new(c->arena);
	const Graph *g = graph_of(c, samples, batch);
	round_leaves(samples);
	InterpInputs in = {.leaf = sample_leaf, .ctx = samples, .seed = 7, .step = 1};
	double **values = interp(c->arena, g, &in);
	FILE *given = file_of(c, arena_printf(c->arena, "%lld.in", (long long)batch)),
	     *computed = file_of(c, arena_printf(c->arena, "%lld.out", (long long)batch));
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		if (!node_is_input(n))
			continue;
		const SampleLeaf *leaf = map_get(samples->leaves, node_text(n, "name"));
		write_values(given, n->type.dtype, leaf->values, leaf->count);
	}
	for (int i = 0; i < g->output_count; i++) {
		const Node *y = g->outputs[i].node;
		write_values(computed, y->type.dtype, values[y->id], type_elements(y->type));
	}
	fclose(given);
	fclose(computed);
}

static bool write_case(const Case *c)
{
	Samples *samples = samples_new(c->arena);
	const Graph *two = graph_of(c, samples, 2), *three = graph_of(c, samples_new(c->arena), 3);
	int count;
	const char *why;
	const char **lines = onnx_lines(c->arena, two, three, &count, &why);
	const bool is_refused = strcmp(c->op->name, "contrastive") == 0; /* which looks across the batch */
	if (!lines != is_refused)
		printf("FAIL %s: %s\n", c->op->name,
		       lines ? "it can't be of any batch, and has a form" : why);
	if (!lines)
		return is_refused;
	FILE *graph = file_of(c, "graph"), *json = file_of(c, "json");
	write_params(c, two, samples, graph);
	for (int i = 0; i < count; i++)
		fprintf(graph, "%s\n", lines[i]);
	fclose(graph);
	fprintf(json, "{\"inputs\": [");
	const char *before = "";
	for (int i = 0; i < two->count; i++) {
		const Node *n = two->nodes[i];
		if (!node_is_input(n))
			continue;
		describe(json, node_text(n, "name"), n, before);
		before = ", ";
	}
	fprintf(json, "], \"outputs\": [");
	for (int i = 0; i < two->output_count; i++)
		describe(json, two->outputs[i].name, two->outputs[i].node, i ? ", " : "");
	fprintf(json, "]}\n");
	fclose(json);
	for (int64_t batch = 1; batch <= BATCHES; batch++)
		write_batch(c, batch);
	return true;
}

static bool asked_for(const Op *op, int argc, char **argv)
{
	for (int i = 2; i < argc; i++)
		if (strcmp(argv[i], op->name) == 0)
			return true;
	return argc == 2;
}

int main(int argc, char **argv)
{
	int passed = 0, failed = 0;
	if (argc < 2)
		fail(EXIT_USAGE, "onnx_samples FOLDER [OPERATOR ...]");
	for (int i = 0; i < op_count(); i++) {
		const Op *op = op_at(i);
		if (!op_is_sampled(op) || !interp_knows(op->name) || !asked_for(op, argc, argv))
			continue;
		Arena *a = arena_new();
		const Case c = {a, op, argv[1]};
		bool known = onnx_form(op) || op->expand;
		if (has_no_form(op) == known)
			failed += printf("FAIL %s: %s\n", op->name,
			                 known ? "it has a form in ONNX, and stands among those without"
			                       : "it has no form in ONNX") > 0;
		else if (known)
			*(write_case(&c) ? &passed : &failed) += 1;
		arena_free(a);
	}
	printf("onnx samples: %d passed, %d failed, 0 skipped\n", passed, failed);
	return failed > 0;
}
