/* SPDX-License-Identifier: MIT */
#include "runtime/cuda/plan.h"
#include "runtime/host/file.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	DEFAULT_CAP_MIB = 256,
	LARGEST_CAP_MIB = 1 << 20,
	REPEATS = 5,    /* timed launches, of which the median counts */
	MOST_RUNS = 30, /* runs in a timing graph */
	GRAPH_US = 500, /* about how long a timing graph should run */
	CALL_US = 30,   /* of a plain run may be the host's call */
};
static const double SLOWER =
        1.3; /* than the best in one run, or one launch of the graph: no need to repeat it */

/* ---- libraries */

static char *library_folder(void)
{
	const char *home = getenv("CUDA_HOME");
	return text_printf("%s/lib64", home && *home ? home : "/usr/local/cuda");
}

/* The loader's first reason. */
static char missing_library[512];

void *library_find(const char *const *names)
{
	char *homes = library_folder();
	const char *const folders[] = {NULL, homes}; /* NULL: where the loader looks */
	void *library = NULL;
	missing_library[0] = 0;
	for (size_t i = 0; i < sizeof folders / sizeof *folders && !library; i++)
		for (const char *const *name = names; *name && !library; name++) {
			char *path = folders[i] ? path_join(folders[i], *name) : text_printf("%s", *name);
			library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
			free(path);
			const char *why = library ? NULL : dlerror();
			if (!library && !missing_library[0])
				snprintf(missing_library, sizeof missing_library, "%s",
				         why ? why : "unknown reason");
		}
	free(homes);
	return library;
}

void *library_open(const char *const *names, const char *title, const char *package)
{
	void *library = library_find(names);
	if (library)
		return library;
	char *homes = library_folder();
	char *help =
	        text_printf("install %s; it is looked for where the loader looks (LD_LIBRARY_PATH) and in %s",
	                    package, homes);
	die_help(STATUS_DEVICE, help, "this network needs %s, which can't be loaded: %s", title,
	         missing_library);
}

void *library_symbol(void *library, const char *title, const char *name)
{
	void *symbol = dlsym(library, name);
	if (!symbol)
		die(STATUS_DEVICE, "the %s found here has no function %s: it is too old", title, name);
	return symbol;
}

void plan_open_record(TuneLibrary library, int64_t version)
{
	TunePlatform p = {0};
	int major, minor, driver;
	CUdevice device = nnr_cuda_device();
	nnr_cuda_check(cu.DeviceGetName(p.device, sizeof p.device, device), "cuDeviceGetName");
	nnr_cuda_check(cu.DeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device),
	               "cuDeviceGetAttribute");
	nnr_cuda_check(cu.DeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device),
	               "cuDeviceGetAttribute");
	nnr_cuda_check(cu.DriverGetVersion(&driver), "cuDriverGetVersion");
	p.capability = 10 * major + minor;
	p.driver = driver;
	tune_open(&p, library, version);
}

void plan_say_left_out(const char *key)
{
	say_note("the plan for `%s`, of the tune record or of one that came with the runtime, does not work "
	         "here: it is left out",
	         key);
}

/* ---- limits */

/* Of what is left when everything else has its place: a part for each of the two streams. */
static int64_t share_of_memory(void)
{
	static const int64_t reserve = 64 << 20; /* the libraries' kernels, and the driver's for graphs */
	size_t left, total;
	nnr_cuda_check(cu.MemGetInfo(&left, &total), "cuMemGetInfo");
	int64_t share = ((int64_t)left - reserve) / 2;
	return share > 1 << 20 ? share : 1 << 20;
}

int64_t plan_workspace_cap(void)
{
	static int64_t cap;
	if (cap)
		return cap;
	const char *wanted = getenv("NNR_WORKSPACE_MIB");
	int64_t mib = DEFAULT_CAP_MIB;
	if (wanted && *wanted) {
		char *end;
		mib = strtoll(wanted, &end, 10);
		if (*end || mib < 1 || mib > LARGEST_CAP_MIB)
			die(STATUS_USAGE, "NNR_WORKSPACE_MIB is `%s`, not a number of MiB from 1 to %d",
			    wanted, LARGEST_CAP_MIB);
	}
	int64_t share = share_of_memory();
	cap = mib << 20 < share ? mib << 20 : share;
	return cap;
}

bool plan_allows_tf32(void)
{
	return strcmp(nnr_cuda_precision(), "fp32") != 0;
}

int64_t plan_element_bytes(NnrDType dtype)
{
	return dtype == NNR_F32 ? 4 : 2;
}

int plan_alignment(const void *a, const void *b, const void *c)
{
	uintptr_t bits = (uintptr_t)a | (uintptr_t)b | (uintptr_t)c | FULLY_ALIGNED;
	return (int)(bits & -bits);
}

bool plan_is_needed(const NnrPlan *plan, const void *a, const void *b, const void *c)
{
	return !plan || plan_alignment(a, b, c) < plan->alignment;
}

const char *plan_arithmetic_name(NnrDType dtype)
{
	require(dtype == NNR_F32 || dtype == NNR_BF16 || dtype == NNR_F16);
	if (dtype == NNR_F32)
		return plan_allows_tf32() ? "tf32" : "fp32";
	return dtype == NNR_BF16 ? "bf16" : "f16";
}

/* ---- timing */

static int compare(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;
	return (x > y) - (x < y);
}

typedef struct Stopwatch {
	CUevent start, stop;
} Stopwatch;

static Stopwatch *stopwatch(void)
{
	static Stopwatch w;
	if (!w.start) {
		nnr_cuda_check(cu.EventCreate(&w.start, CU_EVENT_DEFAULT), "cuEventCreate");
		nnr_cuda_check(cu.EventCreate(&w.stop, CU_EVENT_DEFAULT), "cuEventCreate");
	}
	return &w;
}

static void start(void)
{
	nnr_cuda_check(cu.EventRecord(stopwatch()->start, nnr_cuda_stream()), "cuEventRecord");
}

static float stop_us(void)
{
	Stopwatch *w = stopwatch();
	float ms;
	nnr_cuda_check(cu.EventRecord(w->stop, nnr_cuda_stream()), "cuEventRecord");
	nnr_cuda_check(cu.EventSynchronize(w->stop), "cuEventSynchronize");
	nnr_cuda_check(cu.EventElapsedTime(&ms, w->start, w->stop), "cuEventElapsedTime");
	return 1000 * ms;
}

/* A graph of `count` runs, or NULL when they can't be captured. */
static CUgraphExec capture(PlanRun *run, void *context, int count)
{
	CUstream stream = nnr_cuda_stream();
	nnr_cuda_check(cu.StreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
	               "cuStreamBeginCapture");
	bool ok = true;
	for (int i = 0; i < count && ok; i++)
		ok = run(context);
	CUgraph graph = NULL;
	CUgraphExec exec = NULL;
	ok = cu.StreamEndCapture(stream, &graph) == CUDA_SUCCESS && graph && ok;
	ok = ok && cu.GraphInstantiate(&exec, graph, 0) == CUDA_SUCCESS;
	if (graph)
		nnr_cuda_check(cu.GraphDestroy(graph), "cuGraphDestroy");
	return ok ? exec : NULL;
}

/* A GPU at rest has a fraction of its clock, and takes its time to raise it: what is timed first would seem slow,
 * several times so. Before anything is timed it works until STEADY portions in a row are about as fast as the fastest
 * yet. */
static void wake(PlanRun *run, void *context)
{
	enum { STEADY = 8, PORTION_US = 20000, MOST_PORTIONS = 75 };
	static const float about = 1.02f;
	static bool awake;
	float fastest = INFINITY;
	int steady = 0, count = 1;
	for (int i = 0; !awake && i < MOST_PORTIONS && steady < STEADY && !tuning_is_late(); i++) {
		start();
		for (int k = 0; k < count; k++)
			if (!run(context))
				return;
		float us = stop_us() / (float)count;
		steady = us <= about * fastest && us >= fastest / about ? steady + 1 : 0;
		fastest = us < fastest ? us : fastest;
		count = 1 + (int)(PORTION_US / (us + 1));
	}
	awake = true;
}

double plan_time(PlanRun *run, void *context, double best_us)
{
	CUstream stream = nnr_cuda_stream();
	if (!run(context)) /* the first run loads the kernels */
		return INFINITY;
	nnr_cuda_check(cu.StreamSynchronize(stream), "cuStreamSynchronize");
	wake(run, context);
	start();
	if (!run(context))
		return INFINITY;
	double rough = stop_us();
	if (rough > SLOWER * best_us + CALL_US)
		return rough;
	int count = (int)(GRAPH_US / (rough + 1)) + 1;
	count = count < MOST_RUNS ? count : MOST_RUNS;
	CUgraphExec exec = capture(run, context, count);
	if (!exec)
		return INFINITY;
	float us[REPEATS];
	int timed = 0;
	nnr_cuda_check(cu.GraphLaunch(exec, stream), "cuGraphLaunch");
	while (timed < REPEATS) {
		start();
		nnr_cuda_check(cu.GraphLaunch(exec, stream), "cuGraphLaunch");
		us[timed++] = stop_us() / (float)count;
		if (us[timed - 1] > SLOWER * best_us || tuning_is_late())
			break;
	}
	nnr_cuda_check(cu.GraphExecDestroy(exec), "cuGraphExecDestroy");
	qsort(us, (size_t)timed, sizeof *us, compare);
	return us[timed / 2];
}

PlanChoice *plan_choice_of(PlanChoice *choices, const char *key)
{
	for (PlanChoice *c = choices; c; c = c->next)
		if (!strcmp(c->entry.key, key)) {
			tuning_met(&c->entry);
			return c;
		}
	if (nnr_cuda_capturing())
		die(STATUS_INTERNAL,
		    "internal error: the plan of `%s` would be made while a graph is captured", key);
	return NULL;
}

/* ---- which steps have which choice, for a profile */

static struct {
	struct {
		const TuneEntry *entry;
		int step; /* from 1 */
	} * at;
	int count, room;
} used;

void plan_use(PlanChoice *choice)
{
	choice->uses++;
	if (used.count == used.room) {
		used.room = used.room ? 2 * used.room : 64;
		used.at = reallocate(used.at, used.room, sizeof *used.at, "the plans");
	}
	used.at[used.count].entry = &choice->entry;
	used.at[used.count++].step = nnr_cuda_step_number();
}

/* All steps of the entry that is first used at `first`; false where an earlier use has said them. */
static bool put_steps(FILE *to, int first)
{
	for (int i = 0; i < first; i++)
		if (used.at[i].entry == used.at[first].entry)
			return false;
	fputs(first ? ",\n  {\"steps\": [" : "\n  {\"steps\": [", to);
	for (int i = first; i < used.count; i++)
		if (used.at[i].entry == used.at[first].entry)
			fprintf(to, "%s%d", i > first ? ", " : "", used.at[i].step);
	fputs("], ", to);
	return true;
}

/* Keys and plans are printable ASCII without quotes (tune.h). */
void cuda_put_tuned(FILE *to)
{
	for (int i = 0; i < used.count; i++) {
		const TuneEntry *e = used.at[i].entry;
		if (!put_steps(to, i))
			continue;
		fprintf(to,
		        "\"library\": \"%s\", \"key\": \"%s\", \"us\": %.2f, \"runner_up_us\": %.2f, "
		        "\"first_us\": %.2f, \"candidates\": %d, \"complete\": %s, \"tried\": [",
		        tune_library_title(e->library), e->key, e->us, e->runner_up_us, e->first_us,
		        e->candidates, e->us > 0 && !e->partial ? "true" : "false");
		for (int k = 0; k < e->tried_count; k++)
			fprintf(to, "%s[%.2f, \"%s\"]", k ? ", " : "", e->tried[k].us, e->tried[k].plan);
		fputs("]}", to);
	}
}
