/* SPDX-License-Identifier: MIT */
/* The CUDA side of `profile`: by CUPTI, of the graphs that a training runs; where that can't be, or with --no-graph, by
 * events around each step, launch by launch. */
#include "runtime/report/profile.h"

#include "runtime/host/die.h"
#include "runtime/cuda/cupti.h"
#include "runtime/cuda/plan.h"
#include "runtime/cuda/state.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAIN_STREAM, BRANCH_STREAM, SIDE_STREAM, COPIES };

static const char *const stream_names[] = {"the step's stream", "branch stream", "side stream", "copies"};

/* What is being enqueued: an index of a step, EVENT_DATA, EVENT_OTHER. Beside a step the next batch is gathered, and
 * the scores of the last one are counted, which is little. */
static int enqueued_now(void)
{
	int number = nnr_cuda_step_number();
	return nnr_cuda.beside ? EVENT_DATA : number > 0 ? number - 1 : EVENT_OTHER;
}

/* ---- by events, one after another on one stream */

static struct {
	CUevent *events; /* one more than marks */
	int *what;       /* of what follows the event */
	int count, room;
} marks;

static void mark(void)
{
	if (nnr_cuda.capturing)
		return;
	if (marks.count == marks.room) {
		marks.room = marks.room ? 2 * marks.room : 256;
		marks.events = reallocate(marks.events, marks.room, sizeof *marks.events, "the profile");
		marks.what = reallocate(marks.what, marks.room, sizeof *marks.what, "the profile");
		for (int i = marks.count; i < marks.room; i++)
			CU(EventCreate, &marks.events[i], CU_EVENT_DEFAULT);
	}
	marks.what[marks.count] = enqueued_now();
	CU(EventRecord, marks.events[marks.count], nnr_cuda.stream);
	marks.count++;
}

static int64_t ns_between(CUevent begun, CUevent ended)
{
	float milliseconds;
	CU(EventElapsedTime, &milliseconds, begun, ended);
	return milliseconds > 0 ? llround(1e6 * (double)milliseconds) : 0;
}

/* Times of the marks of one turn, each from the one before it: a float of ms has no ns of a whole step. */
static int64_t add_marked_turn(Profile *p, int64_t now)
{
	int64_t begin = now;
	now += marks.count > 0 ? ns_between(nnr_cuda.begun, marks.events[0]) : 0;
	if (now > begin && nnr_cuda.streams)
		profile_add(p, (ProfileEvent){.step = EVENT_DATA, .begin = begin, .end = now});
	for (int i = 0; i < marks.count; i++) {
		CUevent end = i + 1 < marks.count ? marks.events[i + 1] : nnr_cuda.ended;
		int64_t ns = ns_between(marks.events[i], end);
		profile_add(p, (ProfileEvent){.step = marks.what[i], .begin = now, .end = now + ns});
		now += ns;
	}
	profile_add_turn(p, begin, now);
	return now;
}

static void profile_by_events(Session *s, int64_t steps)
{
	Profile *p = s->profile;
	bool no_graph = nnr_cuda.no_graph;
	int64_t now = 0;
	p->how = "an event around each, launch by launch";
	p->tracks[MAIN_STREAM] = stream_names[MAIN_STREAM];
	nnr_cuda.no_graph = true;
	nnr_cuda_on_step(mark);
	for (int64_t i = 0; i < steps; i++) {
		marks.count = 0;
		cuda_run_timed(s, WORK_TRAIN, 1);
		now = add_marked_turn(p, now);
	}
	nnr_cuda_on_step(NULL);
	nnr_cuda.no_graph = no_graph;
	for (int i = 0; i < marks.room; i++)
		CU(EventDestroy, marks.events[i]);
	free(marks.events);
	free(marks.what);
	memset(&marks, 0, sizeof marks);
}

/* ---- by CUPTI */

/* A node's tag: its track, what it is of (EVENT_OTHER and the like are negative), and which run of a program. */
enum { TRACKS = 4, WHAT_SHIFT = 8, MOST_WHAT = 1 << 16, RUNS = 1 << 12 };

static int program_runs; /* that were captured */

static void count_runs(void)
{
	program_runs += nnr_cuda_step_number() == 0 && !nnr_cuda.beside;
}

static int tag_of_node(void)
{
	if (!nnr_cuda.capturing)
		return CUPTI_NO_TAG; /* made by an instantiation */
	int track = nnr_cuda.beside ? SIDE_STREAM : cuda_on_branch() ? BRANCH_STREAM : MAIN_STREAM;
	return (program_runs % RUNS * MOST_WHAT + enqueued_now() + WHAT_SHIFT) * TRACKS + track;
}

/* A sample that is streamed comes by a copy of no graph; all else outside of one is between the turns. */
static bool event_of(Profile *p, const CuptiRecord *r, ProfileEvent *e)
{
	bool copies = nnr_cuda.streams && strcmp(r->name, "copy") == 0;
	*e = (ProfileEvent){.step = r->in_graph ? r->tag / TRACKS % MOST_WHAT - WHAT_SHIFT : EVENT_DATA,
	                    .track = r->in_graph ? r->tag % TRACKS : COPIES,
	                    .name = profile_name(p, r->name),
	                    .begin = r->begin,
	                    .end = r->end};
	return r->in_graph || copies;
}

static int by_begin(const void *x, const void *y)
{
	const CuptiRecord *a = x, *b = y;
	return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Where the chain is in its turn, of `chunks` runs of the program. */
typedef struct Chain {
	int64_t begin, last, runs;
	int run, step;
} Chain;

/* The chain has its steps in their order: where it goes back to an earlier one, or a node is of another run, the next
 * run of the program begins. A turn ends where the next one begins. */
static void follow(Chain *c, Profile *p, const ProfileEvent *e, int run)
{
	if (e->step >= 0 && (c->runs == 0 || run != c->run || e->step < c->step)) {
		if (c->runs > 0 && c->runs % p->model->chunks == 0)
			profile_add_turn(p, c->begin, e->begin);
		if (c->runs % p->model->chunks == 0)
			c->begin = e->begin;
		c->runs++;
		c->run = run;
	}
	if (e->step >= 0)
		c->step = e->step;
	c->last = e->end > c->last ? e->end : c->last;
}

static void add_records(Profile *p, const CuptiRecords *records)
{
	ProfileEvent e;
	Chain chain = {0};
	qsort(records->at, (size_t)records->count, sizeof *records->at, by_begin);
	for (int64_t i = 0; i < records->count; i++) {
		if (!event_of(p, &records->at[i], &e))
			continue;
		profile_add(p, e);
		p->tracks[e.track] = stream_names[e.track];
		if (e.track == MAIN_STREAM)
			follow(&chain, p, &e, records->at[i].tag / TRACKS / MOST_WHAT);
	}
	if (chain.runs > 0 && chain.last > chain.begin)
		profile_add_turn(p, chain.begin, chain.last);
}

/* NULL, or why there is no profile. */
static char *profile_by_cupti(Session *s, int64_t steps)
{
	char *why = cupti_begin(tag_of_node);
	if (why)
		return why;
	program_runs = 0;
	nnr_cuda_on_step(count_runs);
	cuda_free_graphs(); /* of those that are captured from now on it is known whose their nodes are */
	cuda_run_timed(s, WORK_TRAIN, steps);
	nnr_cuda_on_step(NULL);
	CuptiRecords records = cupti_end();
	add_records(s->profile, &records);
	if (records.dropped > 0)
		say_warning(
		        "CUPTI had no room for %lld kernels: the profile lacks them; fewer --steps need less",
		        (long long)records.dropped);
	cupti_free(&records);
	s->profile->how = "CUPTI";
	return s->profile->turn_count > 0 ? NULL : text_printf("CUPTI recorded no kernel of a step");
}

void cuda_profile(Session *s, int64_t steps)
{
	char *why = nnr_cuda.no_graph ? NULL : profile_by_cupti(s, steps);
	if (why)
		say_note("%s; so steps are timed launch by launch, with what each launch costs", why);
	if (s->profile->turn_count == 0) {
		s->profile->event_count = 0; /* what CUPTI has seen is on another clock */
		memset(s->profile->tracks, 0, sizeof s->profile->tracks);
		profile_by_events(s, steps);
	}
	free(why);
}

/* ---- peaks */

typedef struct Product {
	NnrPlan *plan;
	NnrDType dtype;
	void *a, *b, *y;
} Product;

enum { SIDE = 4096 };

static bool run_product(void *context)
{
	static const NnrProductShape shape = {.batch = 1, .m = SIDE, .n = SIDE, .k = SIDE, .tb = true};
	Product *p = context;
	return plan_product(&p->plan, &shape, p->dtype, p->a, p->b, p->y);
}

/* Noise: of either sign, from a half to one in f32 and bf16, from 1.75 to two in fp16. */
static void fill(void *to, int64_t bytes, bool half)
{
	enum { PIECE = 1 << 20 };
	uint32_t state = 1;
	char *noise = allocate(PIECE, 1, "the measurement");
	for (int i = 0; i < PIECE / (half ? 2 : 4); i++) {
		state = state * 1664525 + 1013904223;
		uint32_t bits = (state & 0x80000000u) | 0x3f000000u | (state >> 8 & 0x7fffffu);
		uint16_t upper = (uint16_t)(bits >> 16);
		memcpy(noise + (half ? 2 : 4) * i, half ? (void *)&upper : (void *)&bits, half ? 2 : 4);
	}
	for (int64_t at = 0; at < bytes; at += PIECE)
		CU(MemcpyHtoDAsync, (CUdeviceptr)to + (CUdeviceptr)at, noise,
		   (size_t)(bytes - at < PIECE ? bytes - at : PIECE), nnr_cuda.stream);
	CU(StreamSynchronize, nnr_cuda.stream);
	free(noise);
}

static bool calls_a_library(const NnrModel *m)
{
	for (int i = 0; i < m->train.step_count; i++)
		if (program_step(&m->train, i)->library)
			return true;
	return false;
}

static double room_left(void)
{
	size_t total, left = cuda_memory_left(&total);
	return (double)left / 2;
}

/* A large product by cuBLASLt, in the arithmetic of the model's own. */
static void measure_product(Peaks *peaks)
{
	const char *precision = nnr_cuda_precision();
	bool half = strcmp(precision, "bf16") == 0 || strcmp(precision, "fp16") == 0;
	int64_t bytes = (int64_t)SIDE * SIDE * (half ? 2 : 4);
	if (room_left() < 3 * (double)bytes)
		return;
	Product p = {.dtype = !half ? NNR_F32 : strcmp(precision, "bf16") == 0 ? NNR_BF16 : NNR_F16};
	void **const operands[] = {&p.a, &p.b, &p.y};
	for (int i = 0; i < 3; i++)
		*operands[i] = cuda_allocate(bytes, "making room to measure what the GPU can do");
	fill(p.a, bytes, half);
	fill(p.b, bytes, half);
	tuning_configure(0, true); /* the record's plan, or the heuristics' first */
	double us = run_product(&p) ? plan_time(run_product, &p, 0) : 0;
	if (us > 0 && isfinite(us))
		peaks->flops = 2e6 * SIDE * SIDE * SIDE / us;
	snprintf(peaks->flops_how, sizeof peaks->flops_how, "cuBLASLt, a product of %d in %s", SIDE,
	         precision);
	for (int i = 0; i < 3; i++)
		cuda_free(*operands[i]);
}

/* Where no library is called: multiply-adds of f32 by all cores, as the clock and the architecture say. */
static void state_cores(Peaks *peaks)
{
	int count = 0, khz = 0, cores = nnr_cuda.major == 8 && nnr_cuda.minor == 0 ? 64 : 128;
	CU(DeviceGetAttribute, &count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, nnr_cuda.device);
	CU(DeviceGetAttribute, &khz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, nnr_cuda.device);
	peaks->flops = 2e3 * khz * count * cores;
	snprintf(peaks->flops_how, sizeof peaks->flops_how,
	         "f32 by %d multiprocessors at %.2f GHz; stated, not measured", count, 1e-6 * khz);
}

static void measure_copy(Peaks *peaks)
{
	enum { TURNS = 10 };
	static const int64_t BYTES = 256 << 20;
	CudaState *c = &nnr_cuda;
	if (room_left() < 2 * (double)BYTES)
		return;
	char *from = cuda_allocate(BYTES, "making room to measure what the GPU can do"),
	     *to = cuda_allocate(BYTES, "making room to measure what the GPU can do");
	for (int i = 0; i <= TURNS; i++) { /* one more, to be warm */
		if (i == 1)
			CU(EventRecord, c->begun, c->stream);
		CU(MemcpyDtoDAsync, (CUdeviceptr)to, (CUdeviceptr)from, (size_t)BYTES, c->stream);
	}
	CU(EventRecord, c->ended, c->stream);
	CU(EventSynchronize, c->ended);
	double ns = (double)ns_between(c->begun, c->ended);
	if (ns > 0)
		peaks->bytes = 2e9 * TURNS * (double)BYTES / ns;
	snprintf(peaks->bytes_how, sizeof peaks->bytes_how, "a copy of 256 MiB, read and written");
	cuda_free(from);
	cuda_free(to);
}

void cuda_peaks(Session *s, Peaks *peaks)
{
	nnr_cuda_doing("measuring what the GPU can do");
	measure_copy(peaks);
	if (calls_a_library(s->model))
		measure_product(peaks);
	else
		state_cores(peaks);
}
