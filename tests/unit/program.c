/* The text of a program: what is printed is read back as the same program, and what it may not say is refused; and what of
 * a program stands on the branch, and what is computed by kernels of conv_image. */
#include "driver.h"
#include "ops/conv_image.h"
#include "target/branch.h"
#include "tests/unit/check.h"
#include <string.h>

static const char *const models[] = {"mnist_cnn", "rosenbrock_mlp", "resnet50"};

/* Which lines of the network a node is from is not read back. */
static char *without_comments(char *text)
{
	char *to = text;
	for (const char *at = text; *at; at++) {
		if (strncmp(at, "  # ", 4) == 0)
			at = strchr(at, '\n');
		*to++ = *at;
	}
	*to = '\0';
	return text;
}

static char *text_of(Arena *a, const char *model, const Target *target)
{
	const char *why;
	Source *source = source_read(a, arena_printf(a, NNC_ROOT "/models/%s.net", model), &why);
	Diagnostics *d = diagnostics_new(a, COLOR_NEVER, false, 20);
	Compiled *c = source ? compile(a, d, source, &(DriverOptions){.target = target}) : NULL;
	CHECK(c != NULL);
	return c ? without_comments(program_text(a, c->train)) : NULL;
}

static void test_round_trip(void)
{
	Target whole = target_cuda;
	whole.split_update = 0;
	const Target *const targets[] = {&target_cpu, &target_cuda, &whole};
	for (size_t t = 0; t < sizeof targets / sizeof *targets; t++)
		for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
			Arena *a = arena_new();
			const char *why = NULL, *text = text_of(a, models[i], targets[t]);
			Program *p = text ? program_parse(a, text, &why) : NULL;
			CHECK_TEXT(why ? why : "", "");
			CHECK(p && strcmp(program_text(a, p), text) == 0);
			why = p ? program_verify(a, p) : NULL;
			CHECK_TEXT(why ? why : "", "");
			bool parts = text && strstr(text, " only=") && strstr(text, " without=");
			CHECK(parts == (targets[t] == &target_cuda && strcmp(models[i], "resnet50") == 0));
			arena_free(a);
		}
}

static bool reads_of_range(const Step *s, StepRange range)
{
	for (int i = 0; i < s->read_count; i++) {
		const Buffer *b = s->reads[i];
		int64_t at = b->offset / dtype_bytes(b->type.dtype);
		if (b->class == BUFFER_PARAMETER && at >= range.first && at < range.first + range.count)
			return true;
	}
	return false;
}

/* An early part of the update that has moved ahead of a step which still reads its parameters. */
static void test_early_update(void)
{
	Arena *a = arena_new();
	const char *why = NULL, *text = text_of(a, "resnet50", &target_cuda);
	Program *p = text ? program_parse(a, text, &why) : NULL;
	int early = 0;
	while (p && early < p->step_count && p->steps[early].range.count == 0)
		early++;
	CHECK(p && early < p->step_count);
	for (int s = early; p && s > 0 && early < p->step_count; s--) {
		Step moved = p->steps[s];
		p->steps[s] = p->steps[s - 1];
		p->steps[s - 1] = moved;
		p->steps[s].id = s;
		p->steps[s - 1].id = s - 1;
		if (reads_of_range(&p->steps[s], moved.range))
			break;
	}
	why = p ? program_verify(a, p) : NULL;
	CHECK(why && strstr(why, "has updated"));
	arena_free(a);
}

static void test_refused(void)
{
	Arena *a = arena_new();
	const char *why, *text = text_of(a, "mnist_cnn", &target_cpu);
	static const struct {
		const char *from, *to, *why;
	} mistakes[] = {
	        {"buffer 0 ", "buffer 7 ", "buffer"},
	        {" reads=[", " reads=[99999,", "there is no buffer"},
	        {" nodes=[%", " nodes=[%9", "node"},
	        {" bytes=", " octets=", "bytes"},
	        {"step 1 ", "step 4 ", "the step above"},
	        {" writes=[", " only=9..9 writes=[", "writes"},
	};
	for (size_t i = 0; text && i < sizeof mistakes / sizeof *mistakes; i++) {
		const char *at = strstr(text, mistakes[i].from);
		CHECK(at != NULL);
		if (!at)
			continue;
		char *wrong = arena_printf(a, "%.*s%s%s", (int)(at - text), text, mistakes[i].to,
		                           at + strlen(mistakes[i].from));
		Program *p = program_parse(a, wrong, &why);
		CHECK(!p && why && strstr(why, mistakes[i].why));
		if (!why || !strstr(why, mistakes[i].why))
			printf("%s: %s\n", mistakes[i].to, why ? why : "read");
	}
	arena_free(a);
}

/* The matrices of convolutions' weights are made on the branch from the first step on, and all of their gradients there. */
static void test_branch(void)
{
	Arena *a = arena_new();
	const char *why;
	Source *source = source_read(a, NNC_ROOT "/models/resnet50.net", &why);
	Diagnostics *d = diagnostics_new(a, COLOR_NEVER, false, 20);
	DriverOptions options = {.target = &target_cuda, .elaborate = {.recipe = "cifar10"}};
	Compiled *c = source ? compile(a, d, source, &options) : NULL;
	const Program *p = c ? c->train : NULL;
	int made = 0, folded = 0, waiting = 0;
	for (int s = 0; p && s < p->step_count; s++) {
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
	CHECK(p && !p->steps[made].branch);
	int *waits = p ? branch_waits(a, p) : NULL;
	for (int s = 0; p && s < p->step_count; s++) {
		CHECK(waits[s] < 0 || waits[s] >= made - 1);
		waiting += waits[s] == made - 1;
	}
	CHECK(waiting == 1);
	arena_free(a);
}

/* What of a program is computed by kernels of conv_image. */
typedef struct Images {
	int forward, joined; /* convolutions; those with an epilogue */
	int parts, branched; /* weight gradients; those that stand on the branch with their sum */
} Images;

static Images images_of(const Program *p)
{
	Images found = {0};
	for (int s = 0; p && s < p->step_count; s++) {
		const Step *step = &p->steps[s];
		if (!step->root || !conv_is_image(step->root))
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

/* ResNet-50's first layer, and no other, has kernels of our own, where the image and the batch are large, products may be rounded
 * and all GPUs meant have the tensor cores for it; in evaluation with the bias and the ReLU behind it. */
static void test_images(void)
{
	static const struct {
		const char *recipe, *settings[2], *without;
		int images;
		const char *archs; /* NULL: the target's own */
	} cases[] = {
	        {"imagenet", {0}, NULL, 1, NULL},
	        {"imagenet", {"precision=bf16"}, NULL, 1, NULL},
	        {"imagenet", {"precision=fp16"}, NULL, 1, NULL},
	        {"imagenet", {"precision=fp32"}, NULL, 0, NULL},
	        {"imagenet", {0}, "conv_image", 0, NULL},
	        {"cifar10", {0}, NULL, 1, NULL},
	        {"cifar10", {"precision=bf16"}, NULL, 1, NULL},
	        {"cifar10", {"batch=64"}, NULL, 0, NULL},
	        {"cifar10", {"batch=256"}, NULL, 1, "sm_80,sm_86,sm_120"},
	        {"cifar10", {"batch=256", "precision=bf16"}, NULL, 0, "sm_75"},
	        {"cifar10", {"batch=256"}, NULL, 0, "sm_90,sm_75"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Arena *a = arena_new();
		const char *why;
		Source *source = source_read(a, NNC_ROOT "/models/resnet50.net", &why);
		Diagnostics *d = diagnostics_new(a, COLOR_NEVER, false, 20);
		Definition settings[2];
		int count = 0;
		for (; count < 2 && cases[i].settings[count]; count++) {
			const char *text = cases[i].settings[count];
			Source *given = source_from_text(a, "--set", text, strlen(text), &why);
			settings[count] = (Definition){.arg = parse_definition(a, d, given)};
		}
		Target target = target_cuda;
		target.archs = cases[i].archs ? cases[i].archs : target.archs;
		DriverOptions options = {.target = &target,
		                         .elaborate = {.recipe = cases[i].recipe,
		                                       .settings = settings,
		                                       .setting_count = count},
		                         .disabled_passes = &cases[i].without,
		                         .disabled_count = cases[i].without != NULL};
		Compiled *c = source ? compile(a, d, source, &options) : NULL;
		CHECK(c != NULL);
		Images train = images_of(c ? c->train : NULL), evaluate = images_of(c ? c->evaluate : NULL);
		int wanted = cases[i].images;
		CHECK(train.forward == wanted && train.parts == wanted && train.branched == wanted);
		CHECK(evaluate.forward == wanted && evaluate.joined == wanted && evaluate.parts == 0);
		arena_free(a);
	}
}

/* A convolution that trains on chip stays whole there, whatever the library's would have become. */
static void test_image_on_chip(void)
{
	Arena *a = arena_new();
	const char *why;
	Source *source = source_read(a, NNC_ROOT "/models/mnist_cnn.net", &why);
	Diagnostics *d = diagnostics_new(a, COLOR_NEVER, false, 20);
	static const char *const without[] = {"onchip"};
	for (int i = 0; i < 2; i++) {
		DriverOptions options = {
		        .target = &target_cuda, .disabled_passes = without, .disabled_count = i};
		Compiled *c = source ? compile(a, d, source, &options) : NULL;
		CHECK(c && (c->train->onchip != NULL) == (i == 0));
		for (int s = 0; c && s < c->train->step_count; s++) {
			const Node *root = c->train->steps[s].root;
			CHECK(!root || !node_is(root, i == 0 ? "conv_wgrad_parts" : "conv_wgrad"));
		}
	}
	arena_free(a);
}

static bool sums_columns(const Step *step)
{
	for (int i = 0; i < step->node_count && !step->root; i++)
		if (node_is(step->nodes[i], "sum"))
			return true;
	return false;
}

/* Gradients of 1x1 convolutions by an image that have a stride, and those that are spread: all of the latter in kernels that
 * sum columns and do not store them. */
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

/* Of the residual branches of resnet50 three have a stride. Their gradients are products whatever the size of the image. */
static void test_strided(void)
{
	static const char *const pass = "strided_dgrad";
	static const struct {
		const Target *target;
		const char *recipe;
		int disabled, strided, spread;
	} cases[] = {
	        {&target_cuda, "imagenet", 0, 0, 3},
	        {&target_cuda, "cifar10", 0, 0, 3},
	        {&target_cuda, "imagenet", 1, 3, 0},
	        {&target_cpu, "cifar10", 0, 3, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Arena *a = arena_new();
		const char *why;
		Source *source = source_read(a, NNC_ROOT "/models/resnet50.net", &why);
		Diagnostics *d = diagnostics_new(a, COLOR_NEVER, false, 20);
		DriverOptions options = {.target = cases[i].target,
		                         .elaborate = {.recipe = cases[i].recipe},
		                         .disabled_passes = &pass,
		                         .disabled_count = cases[i].disabled};
		Compiled *c = source ? compile(a, d, source, &options) : NULL;
		int strided = -1, spread = -1;
		if (c)
			count_strided(c->train, &strided, &spread);
		CHECK(strided == cases[i].strided && spread == cases[i].spread);
		arena_free(a);
	}
}

/* ResNet-50 has twelve residual sums whose gradient reads another block's result for its signs: kept in bytes where the tensors are
 * large and of f32. The kernel that computes the sum stores them. */
static void test_signs(void)
{
	static const char *const pass = "keep_signs";
	static const struct {
		const char *recipe, *precision;
		int disabled, kept;
	} cases[] = {
	        {"imagenet", "precision=tf32", 0, 12}, {"imagenet", "precision=fp32", 0, 12},
	        {"imagenet", "precision=bf16", 0, 0},  {"imagenet", "precision=tf32", 1, 0},
	        {"cifar10", "precision=tf32", 0, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Arena *a = arena_new();
		const char *why;
		Source *source = source_read(a, NNC_ROOT "/models/resnet50.net", &why);
		Diagnostics *d = diagnostics_new(a, COLOR_NEVER, false, 20);
		Definition settings[2];
		const char *texts[] = {cases[i].precision, "batch=256"};
		for (int k = 0; k < 2; k++) {
			Source *given = source_from_text(a, "--set", texts[k], strlen(texts[k]), &why);
			settings[k] = (Definition){.arg = parse_definition(a, d, given)};
		}
		DriverOptions options = {
		        .target = &target_cuda,
		        .elaborate = {.recipe = cases[i].recipe, .settings = settings, .setting_count = 2},
		        .disabled_passes = &pass,
		        .disabled_count = cases[i].disabled};
		Compiled *c = source ? compile(a, d, source, &options) : NULL;
		int kept = 0;
		for (int k = 0; c && k < c->train->step_count; k++)
			for (int m = 0; m < c->train->steps[k].node_count; m++) {
				const Node *n = c->train->steps[k].nodes[m];
				if (!node_is(n, "positive"))
					continue;
				CHECK(n->operands[0]->group == n->group && c->train->of_node[n->id]);
				kept++;
			}
		CHECK(c && kept == cases[i].kept);
		arena_free(a);
	}
}

int main(void)
{
	test_branch();
	test_images();
	test_image_on_chip();
	test_strided();
	test_signs();
	test_round_trip();
	test_early_update();
	test_refused();
	return check_report("program");
}
