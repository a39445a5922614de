/* Every operator's generated loops against the interpreter: all samples of an operator make one graph, which goes
 * through the whole compiler to C, is compiled with the others' into one shared object, run, and its gradients (by the
 * operands, and by the weights, which is the value) are compared with those of the interpreter. Once in double, at
 * rounding error, and once in float. With --cuda the kernels of the CUDA target are run instead, by emulation, in
 * ascending and in descending order of threads and blocks, which must give the same bits.
 *
 *     loops [--cuda] [OPERATOR ...] */
#include "driver.h"
#include "base/array.h"
#include "tests/cuda/emulation.h"
#include "tests/host/host.h"
#include "tests/interp/interp.h"
#include "tests/ops/samples.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Case {
	const Op *op;
	Arena *arena;
	Samples *samples;
	Graph *differentiated; /* what the interpreter reads */
	int sample_count;
	bool in_double;
	Emitted emitted;
} Case;

static const char recipe_text[] =
        "model m {\ninput x: f32[1]\ntarget t: f32[1]\nloss mse(dense(x, 1), t)\n}\n"
        "train m {\noptimizer sgd()\nbatch 1\nepochs 1\nprecision %s\n}\n";

static Recipe *recipe_of(Arena *a, const char *precision)
{
	const char *why;
	char *text = arena_printf(a, recipe_text, precision);
	Source *source = source_from_text(a, "recipe.net", text, strlen(text), &why);
	Diagnostics *d = diagnostics_new(a, COLOR_NEVER, false, 20);
	Elaborated *e = source ? elaborate(a, d, source, &(ElaborateOptions){0}) : NULL;
	diagnostics_finish(d);
	if (!e)
		fail(EXIT_SOURCE, "the test's own recipe is refused");
	return e->recipe;
}

static Graph *graph_of_samples(Case *c, bool training)
{
	int count = op_sample_count(c->op);
	Graph *g = graph_new(c->arena, c->op->name, training, 1);
	Build b = {.graph = g};
	Node *loss = NULL;
	for (int i = 0; i < count; i++) {
		Node *l = sample_build(c->samples, g, c->op, c->op->samples[i],
		                       arena_printf(c->arena, "s%d", i));
		loss = loss ? build2(&b, "add", loss, l) : l;
	}
	graph_output(g, OUTPUT_LOSS, "loss", loss);
	c->sample_count = count;
	return g;
}

static void generate(Case *c, const Recipe *recipe, const Target *target)
{
	Arena *a = c->arena;
	Target loops = *target;
	loops.library = CPU_LOOPS;
	DriverOptions options = {.target = &loops, .keep_gradients = true, .verify = true};
	Recipe *own = arena_copy(a, recipe, sizeof *recipe);
	own->model = c->op->name;
	PassContext ctx = {.arena = a, .recipe = own, .target = &loops, .keep_gradients = true};
	Elaborated *e = NEW(a, Elaborated);
	*e = (Elaborated){graph_of_samples(c, true), graph_of_samples(c, false), own, ""};
	Compiled compiled = {.source = e};
	compiled.train = lower(a, run_passes(a, e->training, &ctx, &options), NULL, options.target);
	assign_buffers(compiled.train);
	compiled.evaluate =
	        lower(a, run_passes(a, e->evaluation, &ctx, &options), compiled.train, options.target);
	assign_buffers(compiled.evaluate);
	c->emitted = emit(a, &compiled, &options);
	c->differentiated = pass_differentiate(&ctx, e->training);
}

/* What one element may differ by, relative to the largest of its tensor: rounding grows with the number of terms. */
static double tolerance(const Case *c, int64_t terms)
{
	return c->in_double ? 1e-9 : 1e-4 * sqrt((double)terms);
}

static int64_t longest_reduction(const Graph *g)
{
	int64_t longest = 1;
	for (int i = 0; i < g->count; i++)
		for (int k = 0; k < g->nodes[i]->operand_count; k++) {
			int64_t terms = type_elements(g->nodes[i]->operands[k]->type);
			longest = terms > longest ? terms : longest;
		}
	return longest;
}

static void fill(const Case *c, const NnrModel *m, NnrMemory *memory)
{
	for (int i = 0; i < m->param_count; i++) {
		const NnrTensor *t = &m->params[i];
		const SampleLeaf *leaf = map_get(c->samples->leaves, t->name);
		if (!leaf || leaf->count != host_elements(t->rank, t->dim))
			fail(EXIT_SOURCE, "%s: parameter %s is not one of the test's", m->name, t->name);
		host_put(memory->params + t->offset, t->dtype, leaf->values, leaf->count);
	}
	for (int i = 0; i < m->input_count; i++) {
		const NnrInput *t = &m->inputs[i];
		const SampleLeaf *leaf = map_get(c->samples->leaves, t->name);
		host_put(memory->inputs + t->offset, t->dtype, leaf->values, leaf->count);
	}
}

static NnrMemory run(const Case *c, const NnrModel *m)
{
	NnrMemory memory = host_memory(m);
	fill(c, m, &memory);
	m->train.run(&memory, &(NnrScalars){.rate = 0, .step = 1, .seed = 7});
	return memory;
}

/* Whether threads and blocks in the other order compute the same bits. */
static int check_order(const Case *c, const NnrModel *m, const NnrMemory *ascending)
{
	emulation_descend(true);
	NnrMemory descending = run(c, m);
	emulation_descend(false);
	int wrong = 0;
	for (int i = 0; i < m->train.output_count; i++) {
		const NnrOutput *o = &m->train.outputs[i];
		size_t size = (size_t)host_elements(o->rank, o->dim) * (o->dtype == NNR_F64 ? 8 : 4);
		if (memcmp(ascending->arena + o->offset, descending.arena + o->offset, size) != 0)
			wrong += printf("FAIL %s: %s depends on the order in which threads run\n",
			                c->op->name, o->name);
	}
	host_memory_free(&descending);
	return wrong;
}

static int check(const Case *c, const NnrModel *m)
{
	Arena *a = arena_new();
	NnrMemory memory = run(c, m);
	InterpInputs in = {.leaf = sample_leaf, .ctx = c->samples, .seed = 7, .step = 1};
	double **values = interp(a, c->differentiated, &in);
	double bound = tolerance(c, longest_reduction(c->differentiated));
	int wrong = c->emitted.kernels ? check_order(c, m, &memory) : 0;
	for (int i = 0; i < c->differentiated->output_count; i++) {
		const Output *o = &c->differentiated->outputs[i];
		if (o->kind != OUTPUT_GRADIENT)
			continue;
		const NnrOutput *place = host_output(&m->train, NNR_GRADIENT, o->name);
		if (!place) {
			wrong += printf("FAIL %s: the generated program keeps no gradient of %s\n",
			                c->op->name, o->name);
			continue;
		}
		int64_t count = type_elements(o->node->type);
		double *got = NEW_ARRAY(a, double, count), scale = 1;
		const double *wanted = values[o->node->id];
		host_get(memory.arena + place->offset, place->dtype, got, count);
		for (int64_t k = 0; k < count; k++)
			scale = fabs(wanted[k]) > scale ? fabs(wanted[k]) : scale;
		for (int64_t k = 0; k < count; k++) {
			if (fabs(got[k] - wanted[k]) <= bound * scale)
				continue;
			wrong += printf("FAIL %s (%s): %s[%lld] is %.17g, the interpreter says %.17g\n",
			                c->op->name, c->in_double ? "double" : "float", o->name, (long long)k,
			                got[k], wanted[k]);
			break;
		}
	}
	host_memory_free(&memory);
	arena_free(a);
	return wrong;
}

static bool asked_for(const Op *op, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], op->name))
			return true;
	return argc == 1;
}

int main(int argc, char **argv)
{
	Arena *a = arena_new();
	bool cuda = argc > 1 && !strcmp(argv[1], "--cuda");
	const Recipe *recipes[] = {recipe_of(a, "fp64"), recipe_of(a, "fp32")};
	ARRAY(Case) cases = {0};
	ARRAY(const char *) sources = {0};
	ARRAY(const char *) kernels = {0};
	if (cuda && !emulation_possible()) {
		printf("ops, emulated kernels: 0 passed, 0 failed, 1 skipped\n");
		return 0;
	}
	for (int i = 0; i < op_count(); i++) {
		const Op *op = op_at(i);
		if (!op_is_sampled(op) || !interp_knows(op->name) || !asked_for(op, argc - cuda, argv + cuda))
			continue;
		for (int p = 0; p < 2; p++) {
			Case c = {.op = op, .arena = a, .samples = samples_new(a), .in_double = p == 0};
			generate(&c, recipes[p], cuda ? &target_cuda : &target_cpu);
			array_push(a, &cases, c);
			const char *host = c.emitted.host;
			if (cuda)
				host = emulation_host(a, cases.count - 1, host);
			array_push(a, &sources, host);
			array_push(a, &kernels, c.emitted.kernels);
		}
	}
	static const char *const flags[] = {"-O1", NULL};
	HostOptions options = {.folder = host_folder(a), .flags = flags};
	if (cuda)
		emulation_load(a, kernels.count, kernels.at, options.folder);
	Host *networks = host_load(a, cases.count, sources.at, &options);
	int passed = 0, failed = 0;
	for (int i = 0; i < cases.count; i++)
		*(check(&cases.at[i], host_model(networks, i)) ? &failed : &passed) +=
		        cases.at[i].sample_count;
	printf("ops, %s: %d passed, %d failed, 0 skipped\n", cuda ? "emulated kernels" : "generated loops",
	       passed, failed);
	return failed != 0;
}
