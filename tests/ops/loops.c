/* SPDX-License-Identifier: MIT */
/* Every operator's generated loops against the interpreter: all samples of an operator make one graph, which goes
 * through the whole compiler to C, is compiled with the others' into one shared object, run, and its gradients (by the
 * operands, and by the weights, which is the value) are compared with those of the interpreter. Once in double, at
 * rounding error, and once in float. With --cuda the kernels of the CUDA target are run instead.
 *
 * By emulation that is done in ascending and in descending order of threads and blocks, which must give the same bits;
 * in 16 bits every other sample in bf16 and the others in fp16.
 * On a GPU the libraries are tested as well, in each arithmetic; and in double the gradients are compared once more
 * with a difference of losses that the GPU itself computes, along a random direction.
 *
 * `--compile ARCHS` only compiles the kernels, for those architectures ("sm_90a,compute_80"), without a GPU.
 *
 * On a GPU each operator has a process of its own. For tools that watch one, `--build FOLDER` only compiles, and
 * `--built FOLDER` checks everything in one process that starts no other, for N seconds at the most. Several such
 * processes share one folder: with `--part I/N` each has every N-th network, from the I-th on, and neither checks nor
 * counts the others.
 *
 *     loops [--cuda | --compile ARCHS] [OPERATOR ...]
 *     loops --cuda --build FOLDER [OPERATOR ...]
 *     loops --cuda --built FOLDER [--part I/N] [--kernels] [--seconds N] [OPERATOR ...]
 *
 * With --kernels what a library computes is left out. */
#include "driver/driver.h"
#include "base/array.h"
#include "codegen/op_loops.h"
#include "passes/implementation.h"
#include "tests/host/host.h"
#include "tests/host/isolate.h"
#include "tests/host/machine.h"
#include "tests/interp/interp.h"
#include "tests/ops/samples.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* What an operator computes with. One element may differ by `unit` times the root of the number of terms, at most by
 * `most`, both relative to the largest of its tensor. */
typedef struct Arithmetic {
	const char *precision; /* of the recipe */
	LibraryChoice library;
	double unit, most;
	enum {
		EVERYWHERE,
		KERNELS, /* of operators that take 16-bit operands */
		LIBRARIES
	} where;
} Arithmetic;

static const Arithmetic arithmetics[] = {
        {"fp64", LIBRARY_NONE, 1e-9, 1e-9, EVERYWHERE},
        {"fp32", LIBRARY_NONE, 1e-4, INFINITY, EVERYWHERE},
        {"tf32", LIBRARY_NONE, 1e-3, 1e-2, KERNELS}, /* factors are rounded to 2^-11, or cut off */
        {"bf16", LIBRARY_NONE, 8e-3, 3e-2, KERNELS}, /* factors and most results are rounded to 2^-9 */
        {"fp16", LIBRARY_NONE, 1e-3, 4e-3, KERNELS}, /* to 2^-12 */
        {"fp32", LIBRARY_AUTO, 1e-4, 1e-3, LIBRARIES},
        {"tf32", LIBRARY_AUTO, 1e-3, 1e-2, LIBRARIES}, /* factors are rounded to 2^-11 */
        {"bf16", LIBRARY_AUTO, 8e-3, 3e-2, LIBRARIES},
        {"fp16", LIBRARY_AUTO, 1e-3, 4e-3, LIBRARIES},
};
enum { ARITHMETICS = sizeof arithmetics / sizeof *arithmetics };

typedef struct Case {
	const Op *op;
	const Arithmetic *arithmetic;
	Arena *arena;
	Samples *samples;
	bool left_out;         /* not asked for, and not counted */
	int first, every;      /* which of the operator's samples */
	Graph *differentiated; /* what the interpreter reads */
	int sample_count;
	Emitted emitted;
} Case;

static bool cuda, watched; /* watched: by a tool that wants every kernel to run, and no slopes */
static const char *archs;  /* of --compile */

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

static const char *label(const Case *c)
{
	bool library = cuda && c->arithmetic->library != LIBRARY_NONE;
	return arena_printf(c->arena, "%s%s", c->arithmetic->precision, library ? ", libraries" : "");
}

static bool has_library(const Case *c)
{
	return c->arithmetic->library != LIBRARY_NONE && !implementation_of_operator(c->op);
}

/* Of the samples [first, end). */
static Graph *graph_of_samples(Case *c, bool training, int end)
{
	Graph *g = graph_new(c->arena, c->op->name, training, 1);
	Build b = {.graph = g};
	Node *loss = NULL;
	for (int i = c->first; i < end; i += c->every) {
		Node *l = sample_build(c->samples, g, c->op, c->op->samples[i],
		                       arena_printf(c->arena, "s%d", i));
		loss = loss ? build2(&b, "add", loss, l) : l;
	}
	graph_output(g, OUTPUT_LOSS, "loss", loss);
	return g;
}

/* What the texts are made of is freed: of all operators together it is more than the compiler may have. */
static void generate(Case *c, const Recipe *recipe, const Target *target)
{
	Arena *a = arena_new();
	Target loops = *target;
	loops.library = c->arithmetic->library;
	DriverOptions options = {.target = &loops, .keep_gradients = true, .verify = true};
	Recipe *own = arena_copy(a, recipe, sizeof *recipe);
	own->model = c->op->name;
	PassContext ctx = {.arena = a, .recipe = own, .target = &loops, .keep_gradients = true};
	Elaborated *e = NEW(a, Elaborated);
	const int end = op_sample_count(c->op);
	c->sample_count = (end - c->first + c->every - 1) / c->every;
	/* An evaluation there has to be; none is run. */
	*e = (Elaborated){.training = graph_of_samples(c, true, end),
	                  .evaluation = graph_of_samples(c, false, archs ? end : c->first + 1),
	                  .recipe = own,
	                  .path = "samples",
	                  .layers = ""};
	Compiled compiled = {.source = e, .one_period = e->evaluation}; /* which has no loops */
	compiled.train = compile_graph(e->training, NULL, &ctx, &options);
	compiled.evaluate = compile_graph(e->evaluation, compiled.train, &ctx, &options);
	compiled.predict = compiled.evaluate;
	const Emitted text = emit(a, &compiled, &options);
	c->emitted.host = arena_strdup(c->arena, text.host);
	c->emitted.kernels = text.kernels ? arena_strdup(c->arena, text.kernels) : NULL;
	ctx.arena = c->arena;
	ctx.recipe = NULL; /* without a loss scale */
	c->differentiated = pass_differentiate(&ctx, e->training);
	arena_free(a);
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
	host_fill_copy(m, memory);
	const NnrTensor *scale = host_tensor(m->states, m->state_count, "loss_scale");
	if (scale) /* the first scale is for means over larger batches */
		host_put(memory->state + scale->offset, scale->dtype, &(double){16}, 1);
	for (int i = 0; i < m->input_count; i++) {
		const NnrInput *t = &m->inputs[i];
		const SampleLeaf *leaf = map_get(c->samples->leaves, t->name);
		host_put_input(memory, t, leaf->values, true);
	}
}

static NnrMemory run(const Case *c, const NnrModel *m)
{
	const NnrScalars scalars = {.rate = 0, .step = 1, .seed = 7};
	NnrMemory memory = host_memory(m);
	fill(c, m, &memory);
	if (cuda)
		machine.run(m, &m->train, &memory, &scalars);
	else
		m->train.run(&memory, &scalars);
	return memory;
}

/* Whether threads and blocks in the other order compute the same bits. */
static int check_order(const Case *c, const NnrModel *m, const NnrMemory *ascending)
{
	machine.descend(true);
	NnrMemory descending = run(c, m);
	machine.descend(false);
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

/* The direction of check_slope at element k of a leaf; 0 where the loss has no slope, as by a condition. */
static double direction(const SampleLeaf *leaf, int64_t k)
{
	return leaf->varied ? 2 * drawn(leaf->name, ~k) - 1 : 0;
}

static void walk(const Case *c, double by)
{
	for (int i = 0; i < map_count(c->samples->leaves); i++) {
		SampleLeaf *leaf = map_value(c->samples->leaves, i);
		for (int64_t k = 0; k < leaf->count; k++)
			leaf->values[k] += by * direction(leaf, k);
	}
}

static double loss_of(const Case *c, const NnrModel *m)
{
	double loss;
	NnrMemory memory = run(c, m);
	const NnrOutput *o = host_output(&m->train, NNR_LOSS, NULL);
	host_get(memory.arena + o->offset, o->dtype, &loss, 1);
	host_memory_free(&memory);
	return loss;
}

/* Along one random direction, at several distances: a kink of relu or max spoils one of them. */
static int check_slope(const Case *c, const NnrModel *m, const NnrMemory *memory)
{
	Arena *a = arena_new();
	double slope = 0, size = 0, difference = 0;
	for (int i = 0; i < map_count(c->samples->leaves); i++) {
		const SampleLeaf *leaf = map_value(c->samples->leaves, i);
		const NnrOutput *o = host_output(&m->train, NNR_GRADIENT, leaf->name);
		double *gradient = NEW_ARRAY(a, double, leaf->count);
		if (o)
			host_get(memory->arena + o->offset, o->dtype, gradient, leaf->count);
		for (int64_t k = 0; k < leaf->count; k++) {
			slope += gradient[k] * direction(leaf, k);
			size += fabs(gradient[k]);
		}
	}
	arena_free(a);
	for (double by = 1e-5; by > 1e-8; by /= 10) {
		walk(c, by);
		difference = loss_of(c, m);
		walk(c, -2 * by);
		difference = (difference - loss_of(c, m)) / (2 * by);
		walk(c, by);
		if (fabs(difference - slope) <= 1e-6 + 1e-6 * size)
			return 0;
	}
	return printf("FAIL %s: the slope of the loss is %.12g by its gradient, %.12g by a difference\n",
	              c->op->name, slope, difference);
}

static int check(const Case *c, const NnrModel *m)
{
	Arena *a = arena_new();
	NnrMemory memory = run(c, m);
	InterpInputs in = {.leaf = sample_leaf, .ctx = c->samples, .seed = 7, .step = 1};
	double **values = interp(a, c->differentiated, &in);
	double bound = fmin(c->arithmetic->unit * sqrt((double)longest_reduction(c->differentiated)),
	                    c->arithmetic->most);
	int wrong = cuda && machine.descend ? check_order(c, m, &memory) : 0;
	if (cuda && !machine.descend && !watched && c->arithmetic == &arithmetics[0] &&
	    op_has_gradient(c->op))
		wrong += check_slope(c, m, &memory);
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
			scale = isfinite(wanted[k]) && fabs(wanted[k]) > scale ? fabs(wanted[k]) : scale;
		for (int64_t k = 0; k < count; k++) {
			if (got[k] == wanted[k] || fabs(got[k] - wanted[k]) <= bound * scale)
				continue;
			wrong += printf("FAIL %s (%s): %s[%lld] is %.17g, the interpreter says %.17g\n",
			                c->op->name, label(c), o->name, (long long)k, got[k], wanted[k]);
			break;
		}
	}
	host_memory_free(&memory);
	arena_free(a);
	return wrong;
}

typedef struct Cases {
	ARRAY(Case) list;
	Host *networks;
} Cases;

static bool check_case(void *ctx, int i)
{
	Cases *cases = ctx;
	return check(&cases->list.at[i], host_model(cases->networks, i)) == 0;
}

static const char *name_case(void *ctx, int i)
{
	const Case *c = &((Cases *)ctx)->list.at[i];
	return arena_printf(c->arena, "%s (%s)", c->op->name, label(c));
}

static bool computes(const Op *op, const Arithmetic *arithmetic)
{
	if (cuda &&
	    implementation_of_operator(op)) /* with the library's tolerance, though no library computes it */
		return arithmetic->where == KERNELS || !strcmp(arithmetic->precision, "tf32");
	if (archs) /* kernels in double differ by their types alone; fp16 and bf16 too */
		return arithmetic->library == LIBRARY_NONE &&
		       (!strcmp(arithmetic->precision, "fp32") ||
		        ((op->flags & OP_HEAVY) && arithmetic->where == KERNELS &&
		         strcmp(arithmetic->precision, "fp16") != 0));
	if (arithmetic->where == EVERYWHERE)
		return true;
	return cuda && op_loops(op)->cuda && (arithmetic->where == KERNELS || machine.isolated);
}

/* By emulation a sample is computed in one of the two types of 16 bits, whose kernels differ in the type alone. */
static bool shares_samples(const Arithmetic *arithmetic)
{
	return cuda && !archs && machine.descend && strstr(arithmetic->precision, "16") != NULL;
}

/* In f32 operands are at their corners: ties and zeros. In double, where slopes are compared too, none is. */
static bool has_corners(const Arithmetic *arithmetic)
{
	return arithmetic->where == EVERYWHERE && arithmetic != &arithmetics[0];
}

static void add_cases(Arena *a, Cases *cases, const Op *op, const Recipe *const *recipes)
{
	for (int p = 0; p < ARITHMETICS; p++) {
		const bool shares = shares_samples(&arithmetics[p]);
		Case c = {.op = op,
		          .arithmetic = &arithmetics[p],
		          .arena = a,
		          .samples = samples_new(a),
		          .first = shares && !strcmp(arithmetics[p].precision, "fp16"),
		          .every = 1 + shares};
		if (!computes(op, c.arithmetic))
			continue;
		c.samples->coarse = has_corners(c.arithmetic);
		generate(&c, recipes[p], cuda ? &target_cuda : &target_cpu);
		array_push(a, &cases->list, c);
	}
}

/* ---- for tools that watch a process, are slow, and slower with each child: two runs, of which the second compiles
 * nothing */

/* In this process, until the time is up: in 16 bits and by the libraries first, which little else watches. ran[i] says
 * of which. */
static void check_here(Cases *cases, double seconds, bool *ran, bool *failed)
{
	time_t begun = time(NULL);
	for (int p = ARITHMETICS - 1; p >= 0; p--)
		for (int i = 0; i < cases->list.count; i++) {
			const Case *c = &cases->list.at[i];
			if (c->arithmetic != &arithmetics[p] || c->left_out ||
			    difftime(time(NULL), begun) >= seconds)
				continue;
			failed[i] = !check_case(cases, i);
			ran[i] = true;
		}
}

/* ---- what is asked for */

typedef struct Asked {
	const char *build, *built; /* folders */
	bool kernels;              /* of `built` those alone that no library computes */
	int part, parts;           /* of `built` too; from 1 */
	double seconds;
	int words; /* of the command line, the operators left out */
} Asked;

static void parse_part(Asked *asked, const char *value)
{
	char rest;
	if (sscanf(value, "%d/%d%c", &asked->part, &asked->parts, &rest) != 2 || asked->part < 1 ||
	    asked->part > asked->parts)
		fail(EXIT_USAGE, "--part takes I/N, with I from 1 to N, and not `%s`", value);
}

static Asked parse(int argc, char **argv)
{
	Asked asked = {.part = 1, .parts = 1, .seconds = INFINITY, .words = 1};
	archs = argc > 2 && !strcmp(argv[1], "--compile") ? argv[2] : NULL;
	cuda = archs || (argc > 1 && !strcmp(argv[1], "--cuda"));
	asked.words += archs ? 2 : cuda;
	while (cuda && !archs && asked.words < argc) {
		const char *option = argv[asked.words],
		           *value = argv[asked.words + 1]; /* NULL after the last */
		if (!strcmp(option, "--kernels")) {
			asked.kernels = true;
			asked.words++;
			continue;
		}
		if (!value)
			break;
		if (!strcmp(option, "--build"))
			asked.build = value;
		else if (!strcmp(option, "--built"))
			asked.built = value;
		else if (!strcmp(option, "--part"))
			parse_part(&asked, value);
		else if (!strcmp(option, "--seconds"))
			asked.seconds = strtod(value, NULL);
		else
			break;
		asked.words += 2;
	}
	return asked;
}

int main(int argc, char **argv)
{
	Arena *a = arena_new();
	Asked asked = parse(argc, argv);
	ops_must_be_sampled(argc - asked.words, argv + asked.words);
	const char *where = cuda ? arena_printf(a, "kernels %s", machine.name) : "generated loops";
	const Recipe *recipes[ARITHMETICS];
	Cases cases = {0};
	if (cuda && !archs && !asked.built && !machine.possible()) {
		printf("ops, %s: 0 passed, 0 failed, 1 skipped\n", where);
		return 0;
	}
	for (int p = 0; p < ARITHMETICS; p++)
		recipes[p] = recipe_of(a, arithmetics[p].precision);
	for (int i = 0; i < op_count(); i++) {
		const Op *op = op_at(i);
		if (op_is_sampled(op) && interp_knows(op->name) &&
		    op_is_asked_for(op, argc - asked.words, argv + asked.words))
			add_cases(a, &cases, op, recipes);
	}

	static const char *const flags[] = {"-O1", NULL};
	int count = cases.list.count, processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
	const char *folder = asked.built ? asked.built : asked.build ? asked.build : host_folder(a);
	bool *plain = NEW_ARRAY(a, bool, count);
	HostOptions options = {.folder = folder, .flags = flags, .plain = plain, .jobs = processors};
	const char **sources = NEW_ARRAY(a, const char *, count);
	MachineCode *code = NEW_ARRAY(a, MachineCode, count);
	for (int i = 0; i < count; i++) {
		const Case *c = &cases.list.at[i];
		code[i] = (MachineCode){.kernels = c->emitted.kernels, .precision = c->arithmetic->precision};
		/* The loops in double are those in float: a compiler's time for making them fast is spent once. What
		 * launches kernels has no loops. */
		plain[i] = cuda || !strcmp(c->arithmetic->precision, "fp64");
		sources[i] = cuda ? machine.host(a, i, c->emitted.host) : c->emitted.host;
	}
	if (archs) {
		int refused = machine.compile ? machine.compile(count, code, archs) : -1;
		printf("ops, kernels for %s: %d passed, %d failed, %d skipped\n", archs,
		       refused < 0 ? 0 : count - refused, refused < 0 ? 0 : refused, refused < 0);
		return refused > 0;
	}
	if (asked.built && machine.open)
		machine.open(a, count, folder);
	else if (cuda && !asked.built && !machine.load(a, count, code, folder)) {
		printf("ops, %s: kernels of %d networks compiled\n", where, count);
		return 0;
	}
	const char *object = asked.built ? arena_printf(a, "%s/networks0.so", folder)
	                                 : host_compile(a, count, sources, &options);
	if (asked.build) {
		printf("ops, %s: %d built in %s\n", where, count, folder);
		return 0;
	}
	cases.networks = host_open(a, count, object);

	bool *failed = NEW_ARRAY(a, bool, count), *ran = NEW_ARRAY(a, bool, count);
	if (asked.built) {
		watched = true;
		for (int i = 0; i < count; i++) {
			Case *c = &cases.list.at[i];
			c->left_out = i % asked.parts != asked.part - 1 || (asked.kernels && has_library(c));
		}
		check_here(&cases, asked.seconds, ran, failed);
	} else {
		memset(ran, true, (size_t)count);
		if (cuda && machine.isolated)
			isolate(count, &(Isolated){check_case, name_case, &cases, processors, 120}, failed);
		else
			for (int i = 0; i < count; i++)
				failed[i] = !check_case(&cases, i);
	}
	int passed = 0, wrong = 0, left = 0;
	for (int i = 0; i < count; i++)
		if (!cases.list.at[i].left_out)
			*(!ran[i] ? &left : failed[i] ? &wrong : &passed) += cases.list.at[i].sample_count;
	printf("ops, %s: %d passed, %d failed, %d skipped\n", where, passed, wrong, left);
	return wrong != 0;
}
