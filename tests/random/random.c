/* SPDX-License-Identifier: MIT */
/* Random networks: the whole compiler against the interpreter.
 *
 *     random [--cuda [--tf32|--bf16|--fp16 [--none]]] COUNT [FIRST_SEED [JOBS [PASS ...]]]
 *     random [--cuda [--tf32|--bf16|--fp16 [--none]] [--arch sm_NN]] --nets FILE.net ...
 *     random [--cuda [--tf32|--bf16|--fp16 [--none]]] --each FILE.net ...
 *     random [--cuda [--tf32|--bf16|--fp16 [--none]]] --recompute ...
 *
 * Each seed is a .net text. It is compiled to C in double twice, once with every pass and once with one optional pass
 * left out; all go into shared objects, CHUNK at a time, and make two training steps and an evaluation on random data.
 * Where the pass that is left out changes nothing, both are one text: it is compiled once, and on the CPU run once; how
 * many are is said, and must not be all of a run that leaves passes out by chance. The loss, the metrics, every
 * gradient, every updated parameter and state must agree with the interpreter's, whose optimizers are its own. The
 * interpreter reads the graph as elaborated and differentiated, before any other pass; and
 * the gradient as a whole is checked once against a difference along a random direction, so that no network rests on
 * the compiler's derivation alone. NNC_TEST_KEEP=1 keeps the sources; a failing seed is run alone by `random 1 SEED`,
 * and with the passes of one's choice left out by `random 1 SEED 1 PASS ...`. With --cuda the kernels of the CUDA
 * target run: on the GPU, or by emulation, threads and blocks in ascending order, and in descending order where a pass
 * is left out; kernels are cut for other architectures than sm_90 where half of the seed is even.
 *
 * With --each every given network is run with each optional pass left out in turn, as far as that makes another text:
 * of networks at the corners where a rewriting could mean something else (corners/); with --cuda with all passes
 * alone. NaN and infinities must be where
 * the interpreter has them, here as everywhere. Their derivatives have kinks, so that no difference is taken.
 *
 * With --tf32, --bf16 or --fp16 a GPU computes convolutions and products by the libraries, with rounded factors, and
 * the emulation by plain loops in their place (cuda/libraries.c), or with --none by nnc's own kernels on tensor cores;
 * in 16 bits activations are rounded too. A kink of relu or max may then be passed on the other side, so that single
 * elements say little: the gradients of a step as one vector may differ from the interpreter's by a fraction of its
 * length, and so may loss and outputs; the update is compared as everywhere, and its 16-bit copy must be exact. A
 * With --promotes they may differ by no more where the interpreter's, each result rounded to 16 bits, do: of networks
 * whose large values are f32 (promotes/). A
 * batch of one sample is left out: its batchnorm divides a rounding error by the root of eps.
 *
 * With --recompute all that can be is dropped and computed again in the backward pass (passes/rematerialize.c); in how
 * many networks something is, is said, and must not be in none. */
#include "driver/driver.h"
#include "codegen/implementations.h"
#include "tests/host/host.h"
#include "tests/host/isolate.h"
#include "tests/host/machine.h"
#include "tests/random/compare.h"
#include "tests/random/generate.h"
#include "tests/random/reference.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Large where cases have processes of their own; each begins with what compiling all of its chunk has left in memory,
 * about half of ARENA_LIMIT_MIB, and the interpreter takes a quarter of it for the largest networks. */
enum { CHUNK = 25, LARGE_CHUNK = 50, STEPS = 2 };

/* Of so many passes left out by chance one at least changes the text: each does in one network of five. */
enum { ENOUGH = 100 };

static const Arithmetic arithmetics[] = {
        {"fp64", 1e-8, 0, 53},
        {"tf32", 1e-4, 0.1, 11},
        {"bf16", 1e-4, 0.25, 8},
        {"fp16", 1e-4, 0.1, 11},
};
static const Arithmetic *arithmetic = arithmetics;
static bool promotes, recomputes;
static const double RATE = 0.01;

typedef struct Variant {
	uint64_t seed;
	const char *without; /* the pass left out, or NULL */
	const char *text, *host, *kernels;
	int network; /* among those that are compiled; equal texts are one */
	bool recomputes;
} Variant;

/* What the process of a chunk tells the one that adds up. */
typedef struct Tally {
	int passed, failed;
	int skipped;    /* variants of one sample a batch, which 16 bits and tf32 leave out */
	int left_out;   /* variants with a pass left out */
	int equal;      /* of these, whose text is the other one's */
	int compiling;  /* the variant of the chunk that nnc compiles; -1: none */
	int on_chip;    /* networks whose training step is the two kernels of ir/onchip.h */
	int recomputed; /* variants that compute something again, by --recompute */
	int transposed; /* networks whose training step reads an input transposed */
	int matrices;   /* networks whose training step writes weights of a convolution as a matrix */
	int pools;      /* networks whose training step keeps the places of maxima */
	int apart;      /* networks whose training step has the sums of rows in a step of their own */
	int tiles;      /* networks whose training step has one of our kernels on tensor cores, of tiles */
	int images;     /* networks whose training step cuts a weight gradient into parts */
} Tally;

static bool cuda;
static const char *arch; /* that kernels are cut for; NULL: as the seed says */
static bool none;        /* no library: nnc's own kernels on tensor cores */
static char **chosen;    /* of the command line: passes to leave out instead of one by chance */
static int chosen_count;
static char **files;    /* of --nets: the texts, by seed from 1, instead of random ones */
static int per_net = 2; /* variants: with all passes; with one left out, or with each */

static char *net_text(Arena *a, const char *name, uint64_t seed)
{
	const char *why;
	if (!files)
		return random_net(a, name, seed, arithmetic->precision);
	Source *source = source_read(a, files[seed - 1], &why);
	if (!source) {
		printf("%s\n", why);
		exit(1);
	}
	return arena_strndup(a, source->text, strlen(source->text));
}

static const char *optional_pass(Arena *a, Dice *d)
{
	int count;
	const char **names = optional_names(a, &count);
	return names[roll(d, count)];
}

/* "--set precision=..." */
static Ast *precision_setting(Arena *a, Diagnostics *d)
{
	const char *why, *text = arena_printf(a, "precision=%s", arithmetic->precision);
	return parse_definition(a, d, source_from_text(a, "--set", text, strlen(text), &why));
}

/* By emulation every other random network in 16 bits has the plain kernels, which nothing else draws. */
static bool takes_libraries(const Variant *v)
{
	bool half = strstr(arithmetic->precision, "16") != NULL;
	if (none)
		return false;
	return strstr(*machine.libraries, arithmetic->precision) &&
	       (!half || machine.isolated || files || v->seed % 2 == 1);
}

/* Of a network's variant number `which`, NULL: none. */
static const char *pass_without(Arena *a, Dice *dice, int which)
{
	int count;
	if (which == 0)
		return NULL;
	if (chosen_count)
		return chosen[0];
	return per_net > 2 ? optional_names(a, &count)[which - 1] : optional_pass(a, dice);
}

static const char *net_name(Arena *a, const Variant *v)
{
	return arena_printf(a, "net%llu", (unsigned long long)v->seed);
}

/* For messages. */
static const char *label(Arena *a, const Variant *v)
{
	return arena_printf(a, "seed %llu%s%s", (unsigned long long)v->seed, v->without ? " without " : "",
	                    v->without ? v->without : "");
}

static Source *source_of(Arena *a, const Variant *v)
{
	const char *why;
	return source_from_text(a, arena_printf(a, "%s.net", net_name(a, v)), v->text, strlen(v->text), &why);
}

/* Of given networks; others are drawn with their precision. */
static ElaborateOptions elaborate_options(Arena *a, Diagnostics *d)
{
	Definition *precision = NEW(a, Definition);
	precision->arg = precision_setting(a, d);
	return (ElaborateOptions){.settings = precision, .setting_count = files != NULL};
}

/* For the reference: the network as nobody has compiled it. */
static const Elaborated *elaborated(Arena *a, const Variant *v)
{
	Diagnostics *d = diagnostics_new(a, COLOR_NEVER, false, 20);
	const ElaborateOptions options = elaborate_options(a, d);
	const Elaborated *e = elaborate(a, d, source_of(a, v), &options);
	require(e);
	return e;
}

static double bytes_of_step(const Step *s, const struct Device *d)
{
	return s->bytes;
}

/* In an arena of its own, `of`: all that compiling a chunk takes is more than the compiler may have. The variant's
 * texts are copied to `a`. */
static const Compiled *generate(Arena *a, Arena *of, Variant *v, Dice *dice, int which)
{
	const bool leave_out = which > 0;
	v->text = net_text(a, net_name(a, v), v->seed);
	Source *source = source_of(of, v);
	Diagnostics *d = diagnostics_new(of, COLOR_NEVER, false, 20);
	Target *loops = arena_copy(of, cuda ? &target_cuda : &target_cpu, sizeof target_cpu);
	loops->split_update = cuda ? 64 : 0;
	loops->pads_from = cuda;              /* and rows of every matrix, however small */
	loops->chunks_from = cuda ? 2048 : 0; /* bytes; and products in parts of a few rows */
	loops->chunk_rows = 1;
	loops->library = takes_libraries(v) ? LIBRARY_AUTO : LIBRARY_NONE;
	if (arch)
		loops->archs = arch;
	else if (cuda && !files && v->seed % 4 < 2)
		loops->archs = v->seed % 4 ? "sm_80,sm_120" : "sm_120";
	loops->transposes_from = cuda;    /* every batch, however small */
	loops->conv_matrices_from = cuda; /* and every convolution of a tiny image, however few its weights */
	loops->signs_from = cuda;         /* and of every residual sum, however small */
	loops->pieces_from = 1;           /* and every piece of a concat */
	loops->taps_from = cuda && v->seed % 2; /* and every pool of every other network */
	loops->conv_images_from = cuda;         /* and every convolution of an image that the kernels take */
	if (files)
		loops->products_from = cuda; /* and every product of given networks */
	v->without = pass_without(a, dice, which);
	DriverOptions options = {.target = loops,
	                         .keep_gradients = true,
	                         .verify = true,
	                         .elaborate = elaborate_options(of, d),
	                         .disabled_passes = &v->without,
	                         .disabled_count = leave_out};
	if (chosen_count && leave_out) {
		options.disabled_passes = (const char *const *)chosen;
		options.disabled_count = chosen_count;
	}
	MemoryGoal least = {.bytes = 0, .step_us = bytes_of_step};
	const Compiled *compiled =
	        source ? compile_for(of, d, source, &options, recomputes ? &least : NULL) : NULL;
	v->recomputes = least.given_up.count > 0;
	diagnostics_finish(d);
	if (!compiled)
		return NULL;
	const Emitted text = emit(of, compiled, &options);
	v->host = arena_strdup(a, text.host);
	v->kernels = text.kernels ? arena_strdup(a, text.kernels) : NULL;
	return compiled;
}

/* ---- checking */

static float *state_value(const NnrModel *m, const NnrMemory *memory, const char *name)
{
	const NnrTensor *t = host_tensor(m->states, m->state_count, name);
	return t ? (float *)(void *)(memory->state + t->offset) : NULL;
}

static void run_step(const Variant *v, const NnrModel *m, const NnrMemory *memory, int step)
{
	const NnrScalars scalars = {.rate = RATE, .step = step, .seed = v->seed};
	if (cuda)
		machine.run(m, &m->train, memory, &scalars);
	else
		m->train.run(memory, &scalars);
}

/* The loss scale doubles after its 2000th good step, up to 2^24; a gradient that overflows changes no parameter and
 * halves it. A network whose loss has no gradient stays as it is in both. */
static void check_loss_scale(Compare *c, const Variant *v, const NnrModel *m, const NnrMemory *memory)
{
	float *scale = state_value(m, memory, "loss_scale"),
	      *good = state_value(m, memory, "loss_scale.good");
	if (!scale)
		return;
	float before = *scale;
	*good = 1999;
	run_step(v, m, memory, STEPS + 1);
	bool doubled = *scale == 2 * before && *good == 0;
	*scale = 0x1p24f;
	*good = 1999;
	run_step(v, m, memory, STEPS + 2);
	bool bounded = *scale <= 0x1p24f;
	char *params = arena_copy(c->arena, memory->params, (size_t)m->param_bytes + 1);
	*scale = 0x1p127f;
	run_step(v, m, memory, STEPS + 3);
	bool overflowed = *good == 0;
	bool kept = !overflowed ||
	            (*scale == 0x1p126f && memcmp(params, memory->params, (size_t)m->param_bytes) == 0);
	if ((!doubled || !bounded || !kept) && !c->wrong++)
		printf("FAIL %s: the loss scale %s\n", c->label,
		       !doubled   ? "does not grow"
		       : !bounded ? "grows without end"
		                  : "lets an overflow through");
}

static void run(const NnrModel *m, const NnrProgram *p, const NnrMemory *memory, const NnrScalars *scalars)
{
	if (cuda)
		machine.run(m, p, memory, scalars);
	else
		p->run(memory, scalars);
}

static bool check(const Variant *v, const NnrModel *m)
{
	Arena *a = arena_new();
	Compare c = {.arena = a, .label = label(a, v), .arithmetic = arithmetic, .promotes = promotes};
	Reference *r = reference_new(a, elaborated(a, v), v->seed);
	NnrMemory memory = host_memory(m);
	for (int i = 0; i < m->param_count; i++) {
		const NnrTensor *t = &m->params[i];
		host_put(memory.params + t->offset, t->dtype, reference_values(r, t->name),
		         host_elements(t->rank, t->dim));
	}
	host_fill_copy(m, &memory);
	const NnrTensor *average = host_tensor(m->states, m->state_count, "ema.params");
	if (average)
		memcpy(memory.state + average->offset, memory.params,
		       (size_t)(host_elements(1, average->dim) * host_element_bytes(average->dtype)));
	float *scale = state_value(m, &memory, "loss_scale");
	if (scale) /* the first scale is for means over larger batches */
		*scale = 64;
	for (int step = 1; step <= STEPS + 1; step++) {
		bool last = step > STEPS;
		c.step = step;
		reference_draw_inputs(r, step);
		for (int i = 0; i < m->input_count; i++) {
			const NnrInput *t = &m->inputs[i];
			host_put_input(&memory, t, reference_values(r, t->name), !last);
		}
		NnrScalars scalars = {
		        .rate = RATE, .step = step, .seed = v->seed, .samples = reference_samples(r)};
		if (step == 1 && !v->without && per_net == 2 && !reference_direction_agrees(r, step)) {
			printf("FAIL seed %llu: the gradient disagrees with a difference along a direction\n",
			       (unsigned long long)v->seed);
			c.wrong++;
		}
		if (step == 1 && !v->without && !reference_loops_agree(r, step)) {
			printf("FAIL seed %llu: a loop disagrees with its periods one after the other\n",
			       (unsigned long long)v->seed);
			c.wrong++;
		}
		reference_run(r, !last, step);
		const NnrProgram *p = last ? &m->evaluate : &m->train;
		if (cuda && machine.descend)
			machine.descend(v->without != NULL);
		if (last && m->prepare.run)
			run(m, &m->prepare, &memory, &scalars);
		run(m, p, &memory, &scalars);
		compare_outputs(&c, p, &memory, r);
		if (last) {
			run(m, &m->predict, &memory, &scalars);
			compare_outputs(&c, &m->predict, &memory, r);
		}
		if (!last) {
			compare_take_gradients(&c, p, &memory, r);
			reference_step(r, RATE, step);
			compare_kept(&c, m, &memory, r);
			if (m->copy.elements > 0)
				compare_copy(&c, m, &memory);
		}
	}
	check_loss_scale(&c, v, m, &memory);
	if (c.wrong && !v->without)
		printf("%s\n", v->text);
	host_memory_free(&memory);
	reference_free(r);
	arena_free(a);
	return c.wrong == 0;
}

typedef struct Chunk {
	const Variant *variants;
	Host *host;
	Arena *arena;
} Chunk;

static bool check_variant(void *ctx, int i)
{
	const Chunk *chunk = ctx;
	const Variant *v = &chunk->variants[i];
	return check(v, host_model(chunk->host, v->network));
}

static const char *name_variant(void *ctx, int i)
{
	const Chunk *chunk = ctx;
	return label(chunk->arena, &chunk->variants[i]);
}

static bool computes(const Program *p, const char *op)
{
	for (int s = 0; s < p->step_count; s++)
		if (p->steps[s].root && node_is(p->steps[s].root, op))
			return true;
	return false;
}

static bool splits_sums(const Program *p)
{
	for (int i = 0; i < p->step_count; i++)
		if (p->steps[i].sums == SUMS_TAKEN)
			return true;
	return false;
}

static bool same_text(const Variant *x, const Variant *y)
{
	return !strcmp(x->host, y->host) && (!cuda || !strcmp(x->kernels, y->kernels));
}

static void tally(Tally *t, const Program *p)
{
	t->on_chip += p->onchip != NULL;
	t->matrices += computes(p, "conv_matrix");
	t->images += computes(p, "conv_wgrad_parts");
	t->tiles += implementation_is_used(&implementation_tiles, p);
	t->apart += splits_sums(p);
	t->pools += computes(p, "unpool");
	t->transposed += program_batch_bytes(p) < p->input_bytes;
}

/* The network of variant i, `next` where none before it has its text. */
static int network_of(const Variant *variants, int i, int next)
{
	for (int k = i - 1; k >= 0 && variants[k].seed == variants[i].seed; k--)
		if (same_text(&variants[k], &variants[i]))
			return variants[k].network;
	return next;
}

/* Compiles the variants of each seed, but for those that nnc has refused; how many. */
static int generate_chunk(Arena *a, Variant *variants, uint64_t first, int count, const bool *refused,
                          Tally *t)
{
	int made = 0;
	for (int i = 0; i < per_net * count; i++) {
		if (refused[i])
			continue;
		Variant v = {.seed = first + (uint64_t)(i / per_net)};
		Dice dice = {v.seed};
		Arena *of = arena_new();
		t->compiling = i;
		const Compiled *compiled = generate(a, of, &v, &dice, i % per_net);
		if (!compiled)
			exit(EXIT_SOURCE);
		if (arithmetic->vector > 0 && compiled->train->graph->batch == 1) {
			t->skipped++;
		} else {
			tally(t, compiled->train);
			t->recomputed += v.recomputes;
			variants[made++] = v;
		}
		arena_free(of);
	}
	t->compiling = -1;
	return made;
}

static void check_chunk(uint64_t first, int count, int jobs, const bool *refused, Tally *t)
{
	Arena *a = arena_new();
	Variant *variants = NEW_ARRAY(a, Variant, per_net * count);
	int made = generate_chunk(a, variants, first, count, refused, t), networks = 0;
	const char **sources = NEW_ARRAY(a, const char *, made);
	MachineCode *code = NEW_ARRAY(a, MachineCode, made);
	for (int i = 0; i < made; i++) {
		Variant *v = &variants[i];
		t->left_out += v->without != NULL;
		v->network = network_of(variants, i, networks);
		if (v->network < networks) {
			t->equal++;
			continue;
		}
		sources[networks] = cuda ? machine.host(a, networks, v->host) : v->host;
		code[networks++] = (MachineCode){v->kernels, arithmetic->precision};
	}
	/* Half of them optimised: that finds more, and takes the compiler three times as long. What launches kernels
	 * has nothing to optimise. */
	const char *flags[] = {!cuda && first / CHUNK % 2 ? "-O1" : "-O0", NULL};
	HostOptions options = {.folder = host_folder(a), .flags = flags, .jobs = jobs};
	if (cuda && !machine.load(a, networks, code, options.folder)) {
		t->skipped += made;
		arena_free(a);
		return;
	}
	Chunk chunk = {variants, host_load(a, networks, sources, &options), a};
	bool *wrong = NEW_ARRAY(a, bool, made);
	if (cuda && machine.isolated)
		isolate(made, &(Isolated){check_variant, name_variant, &chunk, jobs, 120}, wrong);
	else
		for (int i = 0; i < made; i++) {
			int same = i - 1;
			while (same >= 0 && variants[same].network != variants[i].network)
				same--;
			bool again = same >= 0 && (!cuda || per_net > 2);
			wrong[i] = again ? wrong[same] : !check_variant(&chunk, i);
		}
	for (int i = 0; i < made; i++)
		++*(wrong[i] ? &t->failed : &t->passed);
	host_free(chunk.host);
	arena_free(a);
}

/* bug() ends the process, so each chunk has its own, and begins again without what nnc did not compile: one mistake
 * must not hide the others. */
static void run_chunk(uint64_t first, int count, int jobs, Tally *t)
{
	bool *refused = calloc((size_t)per_net * (size_t)count, sizeof *refused);
	require(refused);
	const Tally before = *t;
	for (int failed = before.failed;; failed++) {
		*t = before;
		t->failed = failed;
		fflush(NULL);
		pid_t child = fork();
		if (child < 0)
			fail(EXIT_TOOL, "no process for networks: %s", strerror(errno));
		if (child == 0) {
			check_chunk(first, count, jobs, refused, t);
			exit(0);
		}
		int status;
		require(waitpid(child, &status, 0) == child);
		if (status == 0)
			break;
		uint64_t seed = first + (uint64_t)((t->compiling < 0 ? 0 : t->compiling) / per_net);
		if (t->compiling < 0) {
			printf("FAIL seeds %llu to %llu: their process ended with status %d, signal %d\n",
			       (unsigned long long)first, (unsigned long long)first + (uint64_t)count - 1,
			       WIFEXITED(status) ? WEXITSTATUS(status) : 0,
			       WIFSIGNALED(status) ? WTERMSIG(status) : 0);
			t->failed++;
			break;
		}
		Arena *a = arena_new();
		printf("FAIL seed %llu%s: nnc does not compile it\n%s\n", (unsigned long long)seed,
		       t->compiling % per_net ? ", a pass left out" : "",
		       t->compiling % per_net ? "" : net_text(a, "net", seed));
		arena_free(a);
		refused[t->compiling] = true;
	}
	free(refused);
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0); /* a crash must not swallow what came before */
	cuda = argc > 1 && !strcmp(argv[1], "--cuda");
	argc -= cuda;
	argv += cuda;
	for (size_t i = 1; cuda && i < sizeof arithmetics / sizeof *arithmetics; i++)
		if (argc > 1 && !strncmp(argv[1], "--", 2) && !strcmp(argv[1] + 2, arithmetics[i].precision))
			arithmetic = &arithmetics[i];
	argc -= arithmetic != arithmetics;
	argv += arithmetic != arithmetics;
	none = arithmetic != arithmetics && argc > 1 && !strcmp(argv[1], "--none");
	argc -= none;
	argv += none;
	promotes = arithmetic != arithmetics && argc > 1 && !strcmp(argv[1], "--promotes");
	argc -= promotes;
	argv += promotes;
	recomputes = argc > 1 && !strcmp(argv[1], "--recompute");
	argc -= recomputes;
	argv += recomputes;
	if (cuda && argc > 2 && !strcmp(argv[1], "--arch")) {
		arch = argv[2];
		argc -= 2;
		argv += 2;
	}
	int count = argc > 1 ? atoi(argv[1]) : 20, jobs = argc > 3 ? atoi(argv[3]) : 2;
	chosen = argv + 4;
	chosen_count = argc > 4 ? argc - 4 : 0;
	uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	const bool each = argc > 1 && !strcmp(argv[1], "--each");
	if (each || (argc > 1 && !strcmp(argv[1], "--nets"))) {
		files = argv + 2;
		count = argc - 2;
		jobs = 2;
		first = 1;
		chosen_count = 0;
	}
	for (int i = 0; i < chosen_count; i++)
		if (!pass_find(chosen[i])) {
			fprintf(stderr, "`%s` is no pass: `nnc --print=passes` lists them\n", chosen[i]);
			return 2;
		}
	if (cuda && !machine.possible()) {
		printf("random networks, %s: 0 passed, 0 failed, 1 skipped\n", machine.name);
		return 0;
	}
	if (each && cuda) {
		per_net = 1; /* by emulation a network of the worst takes seconds */
	} else if (each) {
		Arena *a = arena_new();
		optional_names(a, &per_net);
		per_net++;
		arena_free(a);
	}
	Tally *t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	require(t != MAP_FAILED);
	int most = per_net > 2 ? 1 : cuda && machine.isolated ? LARGE_CHUNK : CHUNK;
	for (int done = 0; done < count; done += most)
		run_chunk(first + (uint64_t)done, count - done < most ? count - done : most, jobs, t);
	if (cuda)
		printf("%d of the networks train on chip, %d read an input transposed, %d write weights as a "
		       "matrix, %d convolve images by kernels of our own, %d multiply by tiles of our own, "
		       "%d keep places of maxima, %d take sums of rows in a step of their own\n",
		       t->on_chip, t->transposed, t->matrices, t->images, t->tiles, t->pools, t->apart);
	printf("%d networks with a pass left out, %d of them equal to those with all passes\n", t->left_out,
	       t->equal);
	if (!files && !chosen_count && t->left_out >= ENOUGH && t->equal == t->left_out) {
		printf("FAIL no pass that was left out changes a network\n");
		t->failed++;
	}
	if (recomputes) {
		printf("%d variants compute values again\n", t->recomputed);
		t->failed += t->recomputed == 0 && t->left_out >= ENOUGH;
	}
	printf("random networks in %s%s%s: %d passed, %d failed, %d skipped\n", arithmetic->precision,
	       cuda ? ", " : "", cuda ? machine.name : "", t->passed, t->failed, t->skipped);
	return t->failed != 0 || (files && t->passed + t->failed + t->skipped == 0);
}
