/* SPDX-License-Identifier: MIT */
/* A libcudnn.so.9 without a GPU: the backend API as far as runtime/cuda/cudnn*.c use it. A descriptor is a list of the
 * attributes it was given; a convolution writes a pattern into its result (fake_cuda_work), the same with all engines
 * but one that is wrong, and faster than all, and spoils all of its workspace. A tensor that does not begin at a
 * multiple of 16 bytes is refused.
 *
 * Attention writes ones into its results, engine WRONG twos.
 *
 *   FAKE_CUDNN_MILLISECONDS=N    a plan takes as long to make
 *   FAKE_CUDNN_VERSION=N         what cudnnGetVersion says: 91400
 *   FAKE_ATTENTION_MICROSECONDS=N    what attention takes
 *   FAKE_CUDNN_LOG=FILE          one line per attention that is enqueued: the unique ids, each with its bytes after the
 *                                queries or their gradients where it is of those
 *   FAKE_CUDNN_MADE=FILE         one line per plan that is asked for: its graph, the engine and its knob
 *   FAKE_CUDNN_THREADS=FILE      one line per plan that is asked for: a number of the thread that asks
 *   FAKE_CUDNN_INTERRUPT=K       SIGINT with the K-th plan
 *   FAKE_CUDNN_FAIL=K            the K-th call fails; K+: and all after it */
#include "tests/cuda/fake_work.h"

#include <cudnn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_long calls;

#define ENTER                                                 \
	do {                                                  \
		if (fake_fails("FAKE_CUDNN_FAIL", ++calls))   \
			return CUDNN_STATUS_EXECUTION_FAILED; \
	} while (0)

enum { ATTRIBUTES = 16, BYTES = 192, UNFIT = 3, WRONG = 2, HIGHEST = 7 };

/* The heuristics' answers; engine UNFIT makes no plan, WRONG computes something else. The fastest is engine 1 with its
 * knob at 6, which is not among them. */
static const struct Named {
	int64_t engine, knob;
} named[] = {{0, 1}, {1, 2}, {UNFIT, 0}, {WRONG, 0}, {0, 3}};
enum { NAMED = sizeof named / sizeof *named };

typedef struct Attribute {
	cudnnBackendAttributeName_t name;
	int64_t count;
	char bytes[BYTES];
} Attribute;

typedef struct Fake {
	cudnnBackendDescriptorType_t type;
	int count;
	Attribute at[ATTRIBUTES];
} Fake;

static const int sizes[] = {[CUDNN_TYPE_HANDLE] = sizeof(cudnnHandle_t),
                            [CUDNN_TYPE_DATA_TYPE] = sizeof(cudnnDataType_t),
                            [CUDNN_TYPE_BOOLEAN] = sizeof(bool),
                            [CUDNN_TYPE_INT64] = sizeof(int64_t),
                            [CUDNN_TYPE_FLOAT] = sizeof(float),
                            [CUDNN_TYPE_VOID_PTR] = sizeof(void *),
                            [CUDNN_TYPE_CONVOLUTION_MODE] = sizeof(cudnnConvolutionMode_t),
                            [CUDNN_TYPE_HEUR_MODE] = sizeof(cudnnBackendHeurMode_t),
                            [CUDNN_TYPE_KNOB_TYPE] = sizeof(cudnnBackendKnobType_t),
                            [CUDNN_TYPE_BACKEND_DESCRIPTOR] = sizeof(void *)};

static Attribute *find(Fake *d, cudnnBackendAttributeName_t name)
{
	for (int i = 0; i < d->count; i++)
		if (d->at[i].name == name)
			return &d->at[i];
	return NULL;
}

static void put(Fake *d, cudnnBackendAttributeName_t name, int64_t count, const void *values, size_t bytes)
{
	Attribute *a = find(d, name);
	if (!a)
		a = &d->at[d->count++];
	a->name = name;
	a->count = count;
	memcpy(a->bytes, values, bytes);
}

static int64_t integer(Fake *d, cudnnBackendAttributeName_t name, int i)
{
	const Attribute *a = find(d, name);
	int64_t value = 0;
	if (a)
		memcpy(&value, a->bytes + 8 * (size_t)i, sizeof value);
	return value;
}

static Fake *inner(Fake *d, cudnnBackendAttributeName_t name, int i)
{
	const Attribute *a = find(d, name);
	Fake *value = NULL;
	if (a)
		memcpy(&value, a->bytes + sizeof value * (size_t)i, sizeof value);
	return value;
}

size_t cudnnGetVersion(void)
{
	const char *version = getenv("FAKE_CUDNN_VERSION");
	return version ? (size_t)atol(version) : 91400;
}

const char *cudnnGetErrorString(cudnnStatus_t status)
{
	return status == CUDNN_STATUS_SUCCESS ? "success" : "an error of the fake";
}

void cudnnGetLastErrorString(char *text, size_t room)
{
	snprintf(text, room, "as it was asked");
}

cudnnStatus_t cudnnCreate(cudnnHandle_t *handle)
{
	ENTER;
	static int one;
	*handle = (cudnnHandle_t)(void *)&one;
	return CUDNN_STATUS_SUCCESS;
}

static void *current_stream;

cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream)
{
	ENTER;
	current_stream = stream;
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t *out)
{
	ENTER;
	Fake *d = calloc(1, sizeof *d);
	d->type = type;
	*out = d;
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t d)
{
	ENTER;
	memset(d, 0xee, sizeof(Fake)); /* what is used later does not work */
	free(d);
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t d, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t count, const void *values)
{
	ENTER;
	size_t bytes = (size_t)type < sizeof sizes / sizeof *sizes ? (size_t)count * (size_t)sizes[type] : 0;
	if (bytes > BYTES)
		return CUDNN_STATUS_BAD_PARAM;
	put(d, name, count, values, bytes);
	return CUDNN_STATUS_SUCCESS;
}

static void answer(Fake *configuration, Fake *graph, const struct Named *n)
{
	Fake *engine = calloc(1, sizeof *engine), *knob = calloc(1, sizeof *knob);
	cudnnBackendKnobType_t type = CUDNN_KNOB_TYPE_SWIZZLE;
	put(engine, CUDNN_ATTR_ENGINE_OPERATION_GRAPH, 1, &graph, sizeof graph);
	put(engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, 1, &n->engine, sizeof n->engine);
	put(knob, CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, 1, &type, sizeof type);
	put(knob, CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, 1, &n->knob, sizeof n->knob);
	put(configuration, CUDNN_ATTR_ENGINECFG_ENGINE, 1, &engine, sizeof engine);
	put(configuration, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, 1, &knob, sizeof knob);
}

/* Descriptors are given out by what they hold, in those that the caller made. */
static cudnnStatus_t get_descriptors(Fake *d, cudnnBackendAttributeName_t name, int64_t room, int64_t *count,
                                     Fake *const *out)
{
	if (name == CUDNN_ATTR_ENGINEHEUR_RESULTS) {
		*count = integer(d, CUDNN_ATTR_ENGINEHEUR_MODE, 0) % 256 == CUDNN_HEUR_MODE_A ? NAMED : 0;
		for (int64_t i = 0; i < *count && i < room; i++)
			answer(out[i], inner(d, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, 0), &named[i]);
		return CUDNN_STATUS_SUCCESS;
	}
	if (name == CUDNN_ATTR_ENGINE_KNOB_INFO) {
		cudnnBackendKnobType_t type = CUDNN_KNOB_TYPE_SWIZZLE;
		const int64_t low = 0, high = HIGHEST, step = 1;
		put(out[0], CUDNN_ATTR_KNOB_INFO_TYPE, 1, &type, sizeof type);
		put(out[0], CUDNN_ATTR_KNOB_INFO_MINIMUM_VALUE, 1, &low, sizeof low);
		put(out[0], CUDNN_ATTR_KNOB_INFO_MAXIMUM_VALUE, 1, &high, sizeof high);
		put(out[0], CUDNN_ATTR_KNOB_INFO_STRIDE, 1, &step, sizeof step);
		*count = 1;
		return CUDNN_STATUS_SUCCESS;
	}
	const Attribute *a = find(d, name);
	*count = a ? a->count : 0;
	for (int64_t i = 0; i < *count && i < room; i++)
		*out[i] = *inner(d, name, (int)i);
	return a ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
}

static int64_t engine_of_plan(Fake *plan, int64_t *knob, Fake **graph)
{
	Fake *configuration = inner(plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, 0);
	Fake *engine = inner(configuration, CUDNN_ATTR_ENGINECFG_ENGINE, 0);
	Fake *choice = inner(configuration, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, 0);
	*graph = inner(engine, CUDNN_ATTR_ENGINE_OPERATION_GRAPH, 0);
	*knob = choice ? integer(choice, CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, 0) : 0;
	return integer(engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, 0);
}

/* More with each value of the knob. */
static int64_t workspace_bytes(int64_t knob)
{
	return 1024 * (1 + knob);
}

typedef struct Workspace {
	void *at;
	size_t bytes;
} Workspace;

static void spoil(const void *workspace)
{
	const Workspace *w = workspace;
	memset(w->at, 0xff, w->bytes);
}

cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t d, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t room, int64_t *count,
                                       void *out)
{
	ENTER;
	if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR)
		return get_descriptors(d, name, room, count, out);
	if (name == CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE) {
		Fake *graph;
		int64_t bytes;
		engine_of_plan(d, &bytes, &graph);
		bytes = workspace_bytes(bytes);
		memcpy(out, &bytes, sizeof bytes);
		*count = 1;
		return CUDNN_STATUS_SUCCESS;
	}
	const Attribute *a = find(d, name); /* an engine has no notes */
	*count = a ? a->count : 0;
	if (a && room > 0)
		memcpy(out, a->bytes, (size_t)a->count * (size_t)sizes[type]);
	return a ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
}

/* Returns when the process has taken it: then it is no more pending. */
static void interrupt(void)
{
	const struct timespec pause = {0, 10000000};
	kill(getpid(), SIGINT);
	for (sigset_t left; sigpending(&left) == 0 && sigismember(&left, SIGINT);)
		sched_yield();
	nanosleep(&pause, NULL);
}

static void log_thread(void)
{
	const char *path = getenv("FAKE_CUDNN_THREADS");
	FILE *f = path ? fopen(path, "a") : NULL;
	if (!f)
		return;
	fprintf(f, "%lu\n", (unsigned long)pthread_self());
	fclose(f);
}

static void log_plan(Fake *graph, int64_t engine, int64_t knob)
{
	const char *path = getenv("FAKE_CUDNN_MADE");
	FILE *f = path ? fopen(path, "a") : NULL;
	if (!f)
		return;
	Fake *operation = inner(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, 0);
	Fake *x = find(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X)
	                  ? inner(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, 0)
	                  : NULL;
	fprintf(f, "%d operations, the first %d, of %d channels: %d %d\n",
	        (int)find(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS)->count, (int)operation->type,
	        x ? (int)integer(x, CUDNN_ATTR_TENSOR_DIMENSIONS, 1) : 0, (int)engine, (int)knob);
	fclose(f);
}

cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t descriptor)
{
	ENTER;
	Fake *d = descriptor, *graph;
	int64_t knob, engine;
	if (d->type != CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR)
		return CUDNN_STATUS_SUCCESS;
	engine = engine_of_plan(d, &knob, &graph);
	log_plan(graph, engine, knob);
	log_thread();
	const char *wanted = getenv("FAKE_CUDNN_MILLISECONDS");
	struct timespec pause = {0, 1000000 * (wanted ? atol(wanted) : 0)};
	static atomic_int made;
	const char *last = getenv("FAKE_CUDNN_INTERRUPT");
	nanosleep(&pause, NULL);
	if (++made == (last ? atoi(last) : 0))
		interrupt();
	return engine == UNFIT ? CUDNN_STATUS_NOT_SUPPORTED : CUDNN_STATUS_SUCCESS;
}

/* ---- attention */

/* Results of 16 bits, and f32 logs where they are one. */
typedef struct Attention {
	uint16_t *result;
	float *logs;
	int64_t count, log_count;
	bool right;
} Attention;

static void attend(const void *context)
{
	const Attention *a = context;
	for (int64_t i = 0; i < a->count; i++)
		a->result[i] = a->right ? 0x3f80 : 0x4000;
	for (int64_t i = 0; a->logs && i < a->log_count; i++)
		a->logs[i] = 1;
	setenv("FAKE_CUDA_MICROSECONDS", getenv("FAKE_ATTENTION_MICROSECONDS"), 1);
}

/* The address that the pack has for an id, or NULL. */
static char *pointer_of(Fake *pack, char uid)
{
	const int64_t count = find(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS)->count;
	for (int i = 0; i < count; i++)
		if (integer(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, i) == uid)
			return (char *)inner(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, i);
	return NULL;
}

static void log_pack(Fake *pack)
{
	static const char columns[] = "qkvefg";
	const char *path = getenv("FAKE_CUDNN_LOG");
	FILE *f = path ? fopen(path, "a") : NULL;
	for (int i = 0; f && i < find(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS)->count; i++) {
		const char uid = (char)integer(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, i);
		const char *column = strchr(columns, uid),
		           *first = pointer_of(pack, column && column >= columns + 3 ? 'e' : 'q');
		fprintf(f, column ? "%s%c%lld" : "%s%c", i ? " " : "", uid,
		        (long long)(pointer_of(pack, uid) - first));
	}
	if (f) {
		fprintf(f, "\n");
		fclose(f);
	}
}

/* The first operation of a forward graph is the product of queries and keys, of a gradient's one of numbers. */
static cudnnStatus_t execute_attention(Fake *graph, Fake *pack, int64_t engine)
{
	Fake *first = inner(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, 0);
	const bool forward = first->type == CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR;
	Fake *columns = inner(
	        first, forward ? CUDNN_ATTR_OPERATION_MATMUL_ADESC : CUDNN_ATTR_OPERATION_POINTWISE_XDESC, 0);
	Attention *a = malloc(sizeof *a); /* a graph may keep it */
	*a = (Attention){.count = forward ? 1 : 3, .log_count = 1, .right = engine != WRONG};
	for (int i = 0; i < 4; i++) {
		a->count *= integer(columns, CUDNN_ATTR_TENSOR_DIMENSIONS, i);
		a->log_count *= i < 3 ? integer(columns, CUDNN_ATTR_TENSOR_DIMENSIONS, i) : 1;
	}
	a->result = (uint16_t *)(void *)pointer_of(pack, forward ? 'o' : 'e');
	a->logs = forward ? (float *)(void *)pointer_of(pack, 'l') : NULL;
	log_pack(pack);
	const FakeWork work = {.stream = current_stream, .run = attend, .context = a};
	return fake_enqueue(&work) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_EXECUTION_FAILED;
}

static bool is_attention(Fake *graph)
{
	const cudnnBackendDescriptorType_t first = inner(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, 0)->type;
	return first == CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR ||
	       first == CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR;
}

cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan,
                                  cudnnBackendDescriptor_t pack)
{
	ENTER;
	static const struct {
		cudnnBackendDescriptorType_t operation;
		cudnnBackendAttributeName_t result;
		int place; /* among the pointers of the pack: x, w, y */
	} kinds[] = {{CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
	              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, 0},
	             {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
	              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW, 1},
	             {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
	              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, 2}};
	Fake *graph;
	int64_t knob, engine = engine_of_plan(plan, &knob, &graph);
	if (is_attention(graph))
		return execute_attention(graph, pack, engine);
	Fake *operation = inner(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, 0);
	int kind = 0;
	while (kinds[kind].operation != operation->type)
		kind++;
	Fake *tensor = inner(operation, kinds[kind].result, 0);
	FakeWork work = {.stream = current_stream, .count = 1, .pattern = engine == WRONG ? 77 : 0};
	for (int i = 0; i < 4; i++)
		work.count *= (size_t)integer(tensor, CUDNN_ATTR_TENSOR_DIMENSIONS, i);
	for (int i = 0; i < find(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS)->count; i++)
		if (integer(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, i) % 16)
			return CUDNN_STATUS_BAD_PARAM;
	work.result = (float *)(void *)inner(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, kinds[kind].place);
	if (operation->type == CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR)
		work.operand = (float *)(void *)inner(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, 0);
	Workspace *workspace = malloc(sizeof *workspace); /* a graph may keep it */
	*workspace =
	        (Workspace){inner(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, 0), (size_t)workspace_bytes(knob)};
	work.run = spoil;
	work.context = workspace;
	int64_t away = knob > 6 ? knob - 6 : 6 - knob;
	work.us = engine == WRONG
	                  ? 1
	                  : (double)work.count * (1.1 + 0.1 * (double)away + (engine == 0 ? 0.35 : 0));
	if (find(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS)->count >
	    1) /* an epilogue in the convolution's kernel */
		work.us *= 0.9;
	return fake_enqueue(&work) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_EXECUTION_FAILED;
}
