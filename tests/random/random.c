/* Random networks: the whole compiler against the interpreter.
 *
 *     random [--cuda] COUNT [FIRST_SEED [JOBS [PASS ...]]]
 *
 * Each seed is a .net text. It is compiled to C in double twice, once with every pass and once with one optional pass left
 * out; all go into shared objects, CHUNK at a time, and make two training steps and an evaluation on random data. The loss,
 * the metrics, every gradient, every updated parameter and state must agree with the interpreter's, whose optimizers are
 * its own. The interpreter reads the graph as elaborated and differentiated, before any other pass; and the gradient as a
 * whole is checked once against a difference along a random direction, so that no network rests on the compiler's
 * derivation alone. NNC_TEST_KEEP=1 keeps the sources; a failing seed is run alone by `random 1 SEED`, and
 * with the passes of one's choice left out by `random 1 SEED 1 PASS ...`. With --cuda the kernels of the CUDA target run by
 * emulation, threads and blocks in ascending order, and in descending order where a pass is left out. */
#include "driver.h"
#include "tests/cuda/emulation.h"
#include "tests/host/host.h"
#include "tests/random/generate.h"
#include "tests/random/reference.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHUNK = 25, STEPS = 2 };

static const double TOLERANCE = 1e-8; /* of an element, relative to the largest of its tensor (at least 1) */
static const double RATE = 0.01;

typedef struct Variant {
	uint64_t seed;
	const char *without; /* the pass left out, or NULL */
	Compiled *compiled;
	const char *text;
	Emitted emitted;
} Variant;

static bool cuda;
static char **chosen; /* of the command line: passes to leave out instead of one by chance */
static int chosen_count;

static const char *optional_pass(Dice *d)
{
	const char *names[32];
	int count = 0;
	for (int i = 0; i < pass_count && count < 32; i++)
		if (passes[i].optional)
			names[count++] = passes[i].name;
	return names[roll(d, count)];
}

static void generate(Arena *a, Variant *v, Dice *dice, bool leave_out)
{
	const char *why, *name = arena_printf(a, "net%llu", (unsigned long long)v->seed);
	v->text = random_net(a, name, v->seed, "fp64");
	Source *source = source_from_text(a, arena_printf(a, "%s.net", name), v->text, strlen(v->text), &why);
	Diagnostics *d = diagnostics_new(a, COLOR_NEVER, false, 20);
	Target *loops = arena_copy(a, cuda ? &target_cuda : &target_cpu, sizeof target_cpu);
	loops->library = CPU_LOOPS;
	v->without = leave_out ? optional_pass(dice) : NULL;
	DriverOptions options = {.target = loops,
	                         .keep_gradients = true,
	                         .verify = true,
	                         .disabled_passes = &v->without,
	                         .disabled_count = leave_out};
	if (chosen_count && leave_out) {
		options.disabled_passes = (const char *const *)chosen;
		options.disabled_count = chosen_count;
		v->without = chosen[0];
	}
	v->compiled = source ? compile(a, d, source, &options) : NULL;
	diagnostics_finish(d);
	if (v->compiled)
		v->emitted = emit(a, v->compiled, &options);
}

/* bug() ends the process, so each text is compiled in a child first: one mistake must not hide the others. */
static bool compiles(const Variant *v, const Dice *dice, bool leave_out)
{
	pid_t child = fork();
	if (child == 0) {
		Variant probe = *v;
		Dice own = *dice;
		generate(arena_new(), &probe, &own, leave_out);
		_exit(probe.emitted.host ? 0 : 1);
	}
	int status;
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* ---- comparing */

typedef struct Compare {
	Arena *arena;
	const Variant *variant;
	int step, wrong;
} Compare;

static void compare(Compare *c, const char *what, const char *name, const void *place, NnrDType dtype,
                    const double *wanted, int64_t count)
{
	double *got = NEW_ARRAY(c->arena, double, count), scale = 1;
	host_get(place, dtype, got, count);
	for (int64_t k = 0; k < count; k++)
		scale = fabs(wanted[k]) > scale ? fabs(wanted[k]) : scale;
	for (int64_t k = 0; k < count; k++) {
		if (fabs(got[k] - wanted[k]) <= TOLERANCE * scale)
			continue;
		if (!c->wrong++)
			printf("FAIL seed %llu%s%s, step %d: %s %s[%lld] is %.17g, the interpreter says "
			       "%.17g\n",
			       (unsigned long long)c->variant->seed, c->variant->without ? " without " : "",
			       c->variant->without ? c->variant->without : "", c->step, what, name,
			       (long long)k, got[k], wanted[k]);
		return;
	}
}

static void compare_outputs(Compare *c, const NnrProgram *p, const NnrMemory *memory, const Reference *r)
{
	static const char *const kinds[] = {"loss", "metric", "gradient", "value"};
	for (int i = 0; i < p->output_count; i++) {
		const NnrOutput *o = &p->outputs[i];
		int64_t count = host_elements(o->rank, o->dim);
		const double *wanted = reference_output(r, o->kind, o->name, count);
		if (!wanted && !c->wrong++)
			printf("FAIL seed %llu: an output %s that the graph has not\n",
			       (unsigned long long)c->variant->seed, o->name);
		if (wanted)
			compare(c, kinds[o->kind], o->name, memory->arena + o->offset, o->dtype, wanted,
			        count);
	}
}

static void take_gradients(Compare *c, const NnrProgram *p, const NnrMemory *memory, Reference *r)
{
	for (int i = 0; i < p->output_count; i++) {
		const NnrOutput *o = &p->outputs[i];
		if (o->kind != NNR_GRADIENT)
			continue;
		double *values = NEW_ARRAY(c->arena, double, host_elements(o->rank, o->dim));
		host_get(memory->arena + o->offset, o->dtype, values, host_elements(o->rank, o->dim));
		reference_take_gradient(r, o->name, values);
	}
}

static void compare_kept(Compare *c, const NnrModel *m, const NnrMemory *memory, Reference *r)
{
	for (int i = 0; i < m->param_count; i++) {
		const NnrTensor *t = &m->params[i];
		compare(c, "parameter", t->name, memory->params + t->offset, t->dtype,
		        reference_values(r, t->name), host_elements(t->rank, t->dim));
	}
	for (int i = 0; i < m->state_count; i++) {
		const NnrTensor *t = &m->states[i];
		const double *wanted =
		        reference_values(r, t->name); /* optimizer state has other names in the reference */
		if (wanted)
			compare(c, "state", t->name, memory->state + t->offset, t->dtype, wanted,
			        host_elements(t->rank, t->dim));
	}
}

static bool check(const Variant *v, const NnrModel *m)
{
	Arena *a = arena_new();
	Compare c = {a, v, 0, 0};
	Reference *r = reference_new(a, v->compiled->source, v->seed);
	NnrMemory memory = host_memory(m);
	for (int i = 0; i < m->param_count; i++) {
		const NnrTensor *t = &m->params[i];
		host_put(memory.params + t->offset, t->dtype, reference_values(r, t->name),
		         host_elements(t->rank, t->dim));
	}
	for (int step = 1; step <= STEPS + 1; step++) {
		bool last = step > STEPS;
		c.step = step;
		reference_draw_inputs(r, step);
		for (int i = 0; i < m->input_count; i++) {
			const NnrInput *t = &m->inputs[i];
			host_put(memory.inputs + t->offset, t->dtype, reference_values(r, t->name),
			         host_elements(t->rank, t->dim));
		}
		NnrScalars scalars = {.rate = RATE, .step = step, .seed = v->seed};
		if (step == 1 && !v->without && !reference_direction_agrees(r, step)) {
			printf("FAIL seed %llu: the gradient disagrees with a difference along a direction\n",
			       (unsigned long long)v->seed);
			c.wrong++;
		}
		reference_run(r, !last, step);
		const NnrProgram *p = last ? &m->evaluate : &m->train;
		emulation_descend(v->without != NULL);
		p->run(&memory, &scalars);
		compare_outputs(&c, p, &memory, r);
		if (!last) {
			take_gradients(&c, p, &memory, r);
			reference_step(r, RATE, step);
			compare_kept(&c, m, &memory, r);
		}
	}
	if (c.wrong && !v->without)
		printf("%s\n", v->text);
	host_memory_free(&memory);
	arena_free(a);
	return c.wrong == 0;
}

static void run_chunk(uint64_t first, int count, int jobs, int *passed, int *failed)
{
	Arena *a = arena_new();
	Variant *variants = NEW_ARRAY(a, Variant, 2 * count);
	const char **sources = NEW_ARRAY(a, const char *, 2 * count);
	const char **kernels = NEW_ARRAY(a, const char *, 2 * count);
	int made = 0;
	for (int i = 0; i < 2 * count; i++) {
		Variant v = {.seed = first + (uint64_t)i / 2};
		Dice dice = {v.seed};
		if (!compiles(&v, &dice, i % 2)) {
			printf("FAIL seed %llu%s: nnc does not compile it\n%s\n", (unsigned long long)v.seed,
			       i % 2 ? ", a pass left out" : "",
			       i % 2 ? "" : random_net(a, "net", v.seed, "fp64"));
			++*failed;
			continue;
		}
		generate(a, &v, &dice, i % 2);
		sources[made] = cuda ? emulation_host(a, made, v.emitted.host) : v.emitted.host;
		kernels[made] = v.emitted.kernels;
		variants[made++] = v;
	}
	/* Half of them optimised: that finds more, and takes the compiler three times as long. */
	const char *flags[] = {first / CHUNK % 2 ? "-O1" : "-O0", NULL};
	HostOptions options = {.folder = host_folder(a), .flags = flags, .jobs = jobs};
	if (cuda)
		emulation_load(a, made, kernels, options.folder);
	Host *host = host_load(a, made, sources, &options);
	for (int i = 0; i < made; i++)
		++*(check(&variants[i], host_model(host, i)) ? passed : failed);
	host_free(host);
	arena_free(a);
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0); /* a crash must not swallow what came before */
	cuda = argc > 1 && !strcmp(argv[1], "--cuda");
	argc -= cuda;
	argv += cuda;
	int count = argc > 1 ? atoi(argv[1]) : 20, jobs = argc > 3 ? atoi(argv[3]) : 2, passed = 0,
	    failed = 0;
	chosen = argv + 4;
	chosen_count = argc > 4 ? argc - 4 : 0;
	uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	if (cuda && !emulation_possible()) {
		printf("random networks, emulated: 0 passed, 0 failed, 1 skipped\n");
		return 0;
	}
	for (int done = 0; done < count; done += CHUNK)
		run_chunk(first + (uint64_t)done, count - done < CHUNK ? count - done : CHUNK, jobs, &passed,
		          &failed);
	printf("random networks%s: %d passed, %d failed, 0 skipped\n", cuda ? ", emulated" : "", passed,
	       failed);
	return failed != 0;
}
