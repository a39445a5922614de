/* SPDX-License-Identifier: MIT */
/* What the passes of the CUDA target choose for the models as they are: what stands on the branch and beside it, and
 * which of their layers `image`, strided_dgrad, signs_of_residual and pool_taps take, and what round_operands stores in
 * tf32. */
#include "driver/driver.h"
#include "codegen/implementations.h"
#include "ops/conv.h"
#include "program/side_stream.h"
#include "tests/unit/check.h"
#include <stdlib.h>
#include <string.h>

/* How a model is compiled; what is not said is the model's and the CUDA target's own. */
typedef struct Choice {
	const Target *target;
	const char *recipe, *settings[2], *without, *archs;
} Choice;

static Compiled *compile_model(Arena *a, const char *model, const Choice *choice)
{
	const char *why;
	Source *source = source_read(a, arena_printf(a, NNC_ROOT "/models/%s.net", model), &why);
	Diagnostics *d = diagnostics_new(a, COLOR_NEVER, false, 20);
	Target target = choice->target ? *choice->target : target_cuda;
	target.archs = choice->archs ? choice->archs : target.archs;
	Definition settings[2];
	int count = 0;
	for (; count < 2 && choice->settings[count]; count++) {
		const char *text = choice->settings[count];
		Source *given = source_from_text(a, "--set", text, strlen(text), &why);
		settings[count] = (Definition){.arg = parse_definition(a, d, given)};
	}
	DriverOptions options = {
	        .target = arena_copy(a, &target, sizeof target),
	        .elaborate = {.recipe = choice->recipe, .settings = settings, .setting_count = count},
	        .disabled_passes = &choice->without,
	        .disabled_count = choice->without != NULL};
	Compiled *c = source ? compile(a, d, source, &options) : NULL;
	if (!c) {
		printf("FAIL %s does not compile\n", model);
		exit(1);
	}
	return c;
}

/* The matrices of convolutions' weights are made on the branch from the first step on, and all of their gradients
 * there. */
static void test_branch(void)
{
	Arena *a = arena_new();
	const Program *p = compile_model(a, "resnet50", &(Choice){.recipe = "cifar10"})->train;
	int made = 0, folded = 0, waiting = 0;
	for (int s = 0; s < p->step_count; s++) {
		const Step *step = &p->steps[s];
		if (step->root && node_is(step->root, "conv_matrix")) {
			CHECK(step->branch && s == made);
			made++;
		} else if (step->root && node_is(step->root, "conv_matrix_grad")) {
			CHECK(step->branch && p->steps[s - 1].branch &&
			      node_is(p->steps[s - 1].root, "matmul"));
			CHECK(p->steps[s - 1].writes[0] == step->reads[0]);
			folded++;
		}
	}
	CHECK(made == 6 && folded == 6);
	CHECK(!p->steps[made].branch);
	int *waits = branch_waits(a, p);
	for (int s = 0; s < p->step_count; s++) {
		CHECK(waits[s] < 0 || waits[s] >= made - 1);
		waiting += waits[s] == made - 1;
	}
	CHECK(waiting == 1);
	arena_free(a);
}

/* The last weight gradient of the branch begins before the bias's gradient, which stands ahead of it in the graph and
 * would hold it up there: that runs in the chain, which waits for the weight gradient. */
static void test_heavy_first(void)
{
	Arena *a = arena_new();
	const Choice choice = {.settings = {"precision=bf16"}};
	const Program *p = compile_model(a, "mnist_cnn", &choice)->train;
	int heavy = -1;
	for (int s = 0; s < p->step_count; s++)
		heavy = p->steps[s].branch && step_is_heavy(&p->steps[s]) ? s : heavy;
	CHECK(heavy >= 0 && heavy + 1 < p->step_count);
	const Step *next = &p->steps[heavy + 1];
	CHECK(!next->branch && next->writes[0]->class == BUFFER_GRADIENT);
	arena_free(a);
}

/* The sums of resident rows are taken beside a weight gradient: on the branch ahead of the rest of the chain, or in the
 * chain after the start of the last, before the update. */
static void test_sums(void)
{
	static const struct {
		const char *model;
		Choice choice;
		bool split, branch;
	} cases[] = {
	        {"rosenbrock_mlp", {.settings = {"batch=8000"}}, true, false},
	        {"rosenbrock_mlp", {.settings = {"batch=32000"}}, true, false},
	        {"rosenbrock_mlp", {.settings = {"batch=24"}}, false, false},
	        {"rosenbrock_mlp", {.target = &target_cpu}, false, false},
	        {"../tests/random/sums/last", {0}, true, false},
	        {"../tests/random/sums/last", {.settings = {"precision=fp64"}}, false, false},
	        {"../tests/random/sums/deep", {0}, true, true},
	        {"../tests/random/sums/classes", {0}, true, true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Arena *a = arena_new();
		const Compiled *c = compile_model(a, cases[i].model, &cases[i].choice);
		const Program *p = c->train;
		int left = -1, taken = -1;
		for (int s = 0; s < p->step_count; s++) {
			left = p->steps[s].sums == SUMS_LEFT ? s : left;
			taken = p->steps[s].sums == SUMS_TAKEN ? s : taken;
		}
		CHECK((left >= 0) == cases[i].split && (taken >= 0) == cases[i].split);
		for (int s = 0; s < c->evaluate->step_count; s++)
			CHECK(c->evaluate->steps[s].sums == SUMS_WITHIN);
		if (taken < 0) {
			arena_free(a);
			continue;
		}
		CHECK(p->steps[taken].branch == cases[i].branch && !p->steps[left].branch);
		const Step *weights = &p->steps[cases[i].branch ? taken + 1 : taken - 1];
		CHECK(weights->branch && step_is_heavy(weights));
		CHECK(taken == (cases[i].branch ? left + 1 : left + 2));
		int *waits = branch_waits(a, p);
		CHECK(waits[taken] < 0 && (cases[i].branch || waits[taken + 1] >= 0));
		arena_free(a);
	}
}

/* A kernel of its own that adds up sums counts no blocks, so that a step of the branch and one of the chain may run it
 * at once. */
static void test_sums_of_layers(void)
{
	Arena *a = arena_new();
	const Compiled *c = compile_model(a, "../tests/random/sums/layers", &(Choice){0});
	int of_branch = 0, of_chain = 0;
	for (int s = 0; s < c->train->step_count; s++) {
		const Step *step = &c->train->steps[s];
		of_branch += step->sums == SUMS_TAKEN && step->branch;
		of_chain += step->sums == SUMS_TAKEN && !step->branch;
	}
	CHECK(of_branch > 0 && of_chain > 0);
	const char *kernels = emit(a, c, &(DriverOptions){.target = &target_cuda}).kernels;
	CHECK(strstr(kernels, " layernorm_bias_backward_256x160(") &&
	      !strstr(kernels, " layernorm_bias_backward_256x160_2(") && !strstr(kernels, "unsigned done_"));
	/* A layernorm's backward takes both sums of a row at once: the mean that they need is there, not its sum. */
	const char *backward = strstr(kernels, "layernorm_relu_backward_256x160(");
	const char *sums = backward ? strstr(backward, "nnr_team_sums") : NULL;
	CHECK(sums && strstr(sums, "(sum, sum_2);") && strstr(sums, "(sum, sum_2);") < strchr(sums, '\n'));
	arena_free(a);
}

/* What of a program is computed by the implementation `image`. */
typedef struct Images {
	int forward, joined; /* convolutions; those with an epilogue */
	int parts, branched; /* weight gradients; those that stand on the branch with their sum */
} Images;

static Images images_of(const Program *p)
{
	Images found = {0};
	for (int s = 0; s < p->step_count; s++) {
		const Step *step = &p->steps[s];
		if (!step->root || implementation_of(step->root) != &implementation_image)
			continue;
		CHECK(step->kind == STEP_OP && step->root->operands[0]->type.dim[3] == 3);
		if (node_is(step->root, "conv")) {
			found.forward++;
			found.joined += step->node_count > 1;
			continue;
		}
		const Step *sum = &p->steps[s + 1];
		found.parts++;
		found.branched += step->branch && sum->branch && sum->reads[0] == step->writes[0];
		CHECK(sum->kind == STEP_KERNEL && sum->writes[0]->class == BUFFER_GRADIENT);
	}
	return found;
}

/* ResNet-50's first layer, and no other, has kernels of our own, where the image and the batch are large, products may
 * be rounded and all GPUs meant have the tensor cores for it; in evaluation with the bias and the ReLU after it. */
static void test_images(void)
{
	static const struct {
		Choice choice;
		int images;
	} cases[] = {
	        {{.recipe = "imagenet"}, 1},
	        {{.recipe = "imagenet", .settings = {"precision=bf16"}}, 1},
	        {{.recipe = "imagenet", .settings = {"precision=fp16"}}, 1},
	        {{.recipe = "imagenet", .settings = {"precision=fp32"}}, 0},
	        {{.recipe = "imagenet", .without = "image"}, 0},
	        {{.recipe = "cifar10"}, 1},
	        {{.recipe = "cifar10", .settings = {"precision=bf16"}}, 1},
	        {{.recipe = "cifar10", .settings = {"batch=64"}}, 0},
	        {{.recipe = "cifar10", .settings = {"batch=256"}, .archs = "sm_80,sm_86,sm_120"}, 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Arena *a = arena_new();
		const Compiled *c = compile_model(a, "resnet50", &cases[i].choice);
		Images train = images_of(c->train), evaluate = images_of(c->evaluate);
		int wanted = cases[i].images;
		CHECK(train.forward == wanted && train.parts == wanted && train.branched == wanted);
		CHECK(evaluate.forward == wanted && evaluate.joined == wanted && evaluate.parts == 0);
		arena_free(a);
	}
}

/* A convolution that trains on chip stays whole there, whatever the library's would have become. */
static void test_image_on_chip(void)
{
	static const Choice choices[] = {{0}, {.without = "onchip"}};
	for (int i = 0; i < 2; i++) {
		Arena *a = arena_new();
		const Program *p = compile_model(a, "mnist_cnn", &choices[i])->train;
		CHECK((p->onchip != NULL) == (i == 0));
		for (int s = 0; s < p->step_count; s++) {
			const Node *root = p->steps[s].root;
			CHECK(!root || !node_is(root, i == 0 ? "conv_wgrad_parts" : "conv_wgrad"));
		}
		arena_free(a);
	}
}

/* MobileNetV2's 17 depthwise convolutions have kernels of our own in all directions, also where no product may be
 * rounded, their weight gradients on the branch with the sum of their parts. */
static void test_depthwise(void)
{
	static const struct {
		Choice choice;
		int each;
	} cases[] = {
	        {{.recipe = "cifar10", .settings = {"precision=bf16"}}, 17},
	        {{.recipe = "cifar10", .settings = {"precision=fp32"}}, 17},
	        {{.recipe = "cifar10", .settings = {"precision=fp64"}}, 0},
	        {{.recipe = "cifar10", .without = "depthwise"}, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Arena *a = arena_new();
		const Compiled *c = compile_model(a, "mobilenet_v2", &cases[i].choice);
		int forward = 0, by_image = 0, branched = 0, evaluated = 0;
		for (int s = 0; s < c->train->step_count; s++) {
			const Step *step = &c->train->steps[s];
			if (!step->root || implementation_of(step->root) != &implementation_depthwise)
				continue;
			forward += node_is(step->root, "conv");
			by_image += node_is(step->root, "conv_dgrad");
			branched += node_is(step->root, "conv_wgrad_parts") && step->branch;
		}
		for (int s = 0; s < c->evaluate->step_count; s++) {
			const Step *step = &c->evaluate->steps[s];
			evaluated += step->root &&
			             implementation_of(step->root) == &implementation_depthwise &&
			             step->node_count > 1;
		}
		const int each = cases[i].each;
		CHECK(forward == each && by_image == each && branched == each && evaluated == each);
		arena_free(a);
	}
}

static bool sums_columns(const Step *step)
{
	for (int i = 0; i < step->node_count && !step->root; i++)
		if (node_is(step->nodes[i], "sum"))
			return true;
	return false;
}

/* Gradients of 1x1 convolutions by an image that have a stride, and those that are spread: all of the latter in kernels
 * that sum columns and do not store them. */
static void count_strided(const Program *p, int *strided, int *spread)
{
	*strided = *spread = 0;
	for (int s = 0; s < p->step_count; s++)
		for (int i = 0; i < p->steps[s].node_count; i++) {
			const Node *n = p->steps[s].nodes[i];
			int count;
			if (node_is(n, "conv_dgrad") && n->operands[1]->type.dim[1] == 1)
				*strided += node_ints(n, "stride", &count)[0] > 1;
			if (!node_is(n, "spread"))
				continue;
			CHECK(sums_columns(&p->steps[s]) && !p->of_node[n->id]);
			(*spread)++;
		}
}

/* Of the residual branches of resnet50 three have a stride. Their gradients are products whatever the size of the
 * image. */
static void test_strided(void)
{
	static const struct {
		Choice choice;
		int strided, spread;
	} cases[] = {
	        {{.recipe = "imagenet"}, 0, 3},
	        {{.recipe = "cifar10"}, 0, 3},
	        {{.recipe = "imagenet", .without = "strided_dgrad"}, 3, 0},
	        {{.recipe = "cifar10", .target = &target_cpu}, 3, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Arena *a = arena_new();
		int strided, spread;
		count_strided(compile_model(a, "resnet50", &cases[i].choice)->train, &strided, &spread);
		CHECK(strided == cases[i].strided && spread == cases[i].spread);
		arena_free(a);
	}
}

/* ResNet-50 has twelve residual sums whose gradient reads another block's result for its signs: kept in bytes where the
 * tensors are large and of f32. The kernel that computes the sum stores them. */
static void test_signs(void)
{
	static const struct {
		Choice choice;
		int kept;
	} cases[] = {
	        {{.recipe = "imagenet", .settings = {"precision=tf32", "batch=256"}}, 12},
	        {{.recipe = "imagenet", .settings = {"precision=fp32", "batch=256"}}, 12},
	        {{.recipe = "imagenet", .settings = {"precision=bf16", "batch=256"}}, 0},
	        {{.recipe = "imagenet", .settings = {"batch=256"}, .without = "signs_of_residual"}, 0},
	        {{.recipe = "cifar10", .settings = {"batch=256"}}, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Arena *a = arena_new();
		const Program *p = compile_model(a, "resnet50", &cases[i].choice)->train;
		int kept = 0;
		for (int s = 0; s < p->step_count; s++)
			for (int k = 0; k < p->steps[s].node_count; k++) {
				const Node *n = p->steps[s].nodes[k];
				if (!node_is(n, "positive"))
					continue;
				CHECK(n->operands[0]->group == n->group && p->of_node[n->id]);
				kept++;
			}
		CHECK(kept == cases[i].kept);
		arena_free(a);
	}
}

/* The pool after ResNet-50's first layer reads that layer's convolution, nine taps of it, where the image is large,
 * and nothing stores the image that it pools. */
static void test_taps(void)
{
	static const struct {
		Choice choice;
		int taps;
	} cases[] = {
	        {{.recipe = "imagenet", .settings = {"precision=tf32", "batch=256"}}, 9},
	        {{.recipe = "imagenet", .settings = {"precision=bf16", "batch=256"}}, 9},
	        {{.recipe = "imagenet", .settings = {"batch=256"}, .without = "pool_taps"}, 0},
	        {{.recipe = "cifar10", .settings = {"batch=256"}}, 0},
	        {{.recipe = "imagenet", .settings = {"batch=256"}, .target = &target_cpu}, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Arena *a = arena_new();
		const Program *p = compile_model(a, "resnet50", &cases[i].choice)->train;
		int taps = 0, unpools = 0;
		for (int s = 0; s < p->step_count; s++)
			for (int k = 0; k < p->steps[s].node_count; k++) {
				const Node *n = p->steps[s].nodes[k];
				if (!node_is(n, "tap"))
					continue;
				CHECK(node_is(n->operands[0], "conv") && !p->of_node[n->id]);
				CHECK(n->group == p->steps[s].nodes[0]->group);
				taps++;
			}
		for (int s = 0; s < p->step_count; s++)
			unpools += p->steps[s].root && node_is(p->steps[s].root, "unpool");
		CHECK(taps == cases[i].taps && unpools == (taps > 0));
		arena_free(a);
	}
}

/* Taps of one dimension that some output position reads inside of the image, counted one by one. */
static void count_taps(const Window *w, int i, int64_t *first, int64_t *count)
{
	int64_t last = -1;
	*first = w->size[i];
	for (int64_t tap = 0; tap < w->size[i]; tap++)
		for (int64_t p = 0; p < w->out[i]; p++) {
			const int64_t at = p * w->stride[i] + tap * w->dilation[i] - w->pad[i];
			if (at < 0 || at >= w->in[i])
				continue;
			*first = tap < *first ? tap : *first;
			last = tap;
		}
	*count = last - *first + 1;
}

/* On a 1x1 image only the middle tap of 3x3 is read; with a stride of 2 on 2x2 four of nine; with a dilation and a
 * border of one side the first of two; on 4x4 all. */
static void test_live_taps(void)
{
	static const Window windows[] = {
	        {{1, 1}, {1, 1}, {3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}},
	        {{2, 2}, {1, 1}, {3, 3}, {2, 2}, {1, 1, 1, 1}, {1, 1}},
	        {{4, 4}, {4, 4}, {3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}},
	        {{2, 2}, {1, 1}, {2, 2}, {1, 1}, {0, 0, 2, 0}, {3, 1}},
	        {{1, 5}, {1, 5}, {7, 7}, {1, 1}, {3, 3, 3, 3}, {1, 1}},
	};
	for (size_t k = 0; k < sizeof windows / sizeof *windows; k++) {
		const Window *w = &windows[k];
		int64_t live[4] = {0, 0, w->size[0], w->size[1]}, wanted[4];
		for (int i = 0; i < 2; i++)
			count_taps(w, i, &wanted[i], &wanted[2 + i]);
		const bool all = wanted[2] == w->size[0] && wanted[3] == w->size[1];
		CHECK(conv_live_taps(w, live) == !all && (all || !memcmp(live, wanted, sizeof live)));
	}
}

static bool reads_rounded(const Program *p, const char *input)
{
	for (int i = 0; i < p->graph->count; i++) {
		const Node *n = p->graph->nodes[i];
		if (node_is_input(n) && strcmp(node_text(n, "name"), input) == 0)
			return node_is_rounded(n);
	}
	return false;
}

/* Of a training step of ResNet-50: the image, 36 relus of which 3 end a stage and are added to nothing, the gradients
 * of 53 convolutions' results, and three of the classifier. In evaluation the weights are, which are prepared, and what
 * no library stores. */
static void test_rounded(void)
{
	static const struct {
		const char *model, *input;
		Choice choice;
		int trained, evaluated, prepared;
		bool gathered;
	} cases[] = {
	        {"resnet50", "image", {.recipe = "imagenet", .settings = {"batch=256"}}, 92, 3, 54, false},
	        {"resnet50", "image", {.recipe = "imagenet", .settings = {"precision=fp32"}}, 0, 0, 0, false},
	        {"resnet50", "image", {.recipe = "imagenet", .settings = {"precision=bf16"}}, 0, 0, 0, false},
	        {"resnet50", "image", {.recipe = "imagenet", .without = "round_operands"}, 0, 0, 54, false},
	        {"rosenbrock_mlp", "x", {.settings = {"batch=32000"}}, 1, 0, 1, true},
	        {"rosenbrock_mlp", "x", {.without = "hoist"}, 1, 0, 0, true},
	        {"rosenbrock_mlp", "x", {.target = &target_cpu}, 0, 0, 0, false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Arena *a = arena_new();
		const Compiled *c = compile_model(a, cases[i].model, &cases[i].choice);
		const Program *const programs[] = {c->train, c->evaluate, c->prepare};
		const int wanted[] = {cases[i].trained, cases[i].evaluated, cases[i].prepared};
		for (int k = 0; k < 3; k++) {
			const Program *p = programs[k];
			int rounded = 0;
			for (int n = 0; p && n < p->graph->count; n++) {
				const Node *y = p->graph->nodes[n];
				if (!node_is(y, "round_tf32"))
					continue;
				CHECK(p->of_node[y->id]);
				CHECK(k == 2 || !p->of_node[y->operands[0]->id]);
				rounded++;
			}
			if (!CHECK(rounded == wanted[k]))
				printf("  case %d, program %d: %d\n", (int)i, k, rounded);
			CHECK(k == 2 || reads_rounded(p, cases[i].input) == cases[i].gathered);
		}
		arena_free(a);
	}
}

/* What looks up parts of an input is drawn below the rows of the smallest table, also where tables are one. */
static void test_rows(void)
{
	Arena *a = arena_new();
	const Compiled *c = compile_model(a, "../tests/random/learned/tables", &(Choice){0});
	CHECK(strstr(emit(a, c, &(DriverOptions){.target = &target_cuda}).host, "\"kinds\", .rows = 1,"));
	arena_free(a);
}

int main(void)
{
	test_branch();
	test_heavy_first();
	test_sums();
	test_sums_of_layers();
	test_images();
	test_image_on_chip();
	test_depthwise();
	test_strided();
	test_live_taps();
	test_live_taps();
	test_signs();
	test_taps();
	test_rounded();
	test_rows();
	return check_report("choices");
}
