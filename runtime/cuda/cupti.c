/* SPDX-License-Identifier: MIT */
/* Whose step a kernel in a graph is: CUPTI says when a node is added to a graph, at which the caller knows what it is
 * enqueueing, and when instantiating the graph clones the node; the record of the kernel has the node's number. */
#include "runtime/cuda/cupti.h"

#include "runtime/host/die.h"

#include <cuda.h>
#include <stddef.h>

#if __has_include(<cupti.h>)

#include <cupti.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define CUPTI_FUNCTIONS(F)              \
	F(ActivityRegisterCallbacks)    \
	F(ActivityEnable)               \
	F(ActivityDisable)              \
	F(ActivityFlushAll)             \
	F(ActivityGetNextRecord)        \
	F(ActivityGetNumDroppedRecords) \
	F(Subscribe)                    \
	F(Unsubscribe)                  \
	F(EnableCallback)               \
	F(GetGraphNodeId)               \
	F(GetResultString)

static struct {
#define CUPTI_FUNCTION(name) __typeof__(cupti##name) *name;
	CUPTI_FUNCTIONS(CUPTI_FUNCTION)
#undef CUPTI_FUNCTION
} cupti;

/* ---- nodes: a table by number, of which 0 is none's */

typedef struct NodeTag {
	uint64_t node;
	int tag;
} NodeTag;

static struct {
	NodeTag *at;
	size_t count, room; /* a power of two */
} nodes;

static NodeTag *node_slot(uint64_t node)
{
	size_t i = (size_t)(node * 0x9e3779b97f4a7c15u >> 20) & (nodes.room - 1);
	while (nodes.at[i].node && nodes.at[i].node != node)
		i = (i + 1) & (nodes.room - 1);
	return &nodes.at[i];
}

static void node_set(uint64_t node, int tag)
{
	if (2 * nodes.count >= nodes.room) {
		NodeTag *old = nodes.at;
		size_t room = nodes.room;
		nodes.room = room ? 2 * room : 4096;
		nodes.at = allocate((int64_t)nodes.room, sizeof *nodes.at, "the profile");
		for (size_t i = 0; i < room; i++)
			if (old[i].node)
				*node_slot(old[i].node) = old[i];
		free(old);
	}
	NodeTag *slot = node_slot(node);
	nodes.count += slot->node == 0;
	*slot = (NodeTag){node, tag};
}

/* ---- what CUPTI calls */

static struct {
	pthread_mutex_t lock; /* buffers are handed over by a thread of CUPTI's */
	CuptiRecords records;
	CUpti_SubscriberHandle subscriber;
	int (*tag)(void);
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                           CUPTI_ACTIVITY_KIND_MEMSET};
enum { KINDS = sizeof kinds / sizeof *kinds, BUFFER_BYTES = 8 << 20, ALIGNMENT = 8 };

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *bytes, size_t *most_records)
{
	*buffer = aligned_alloc(ALIGNMENT, BUFFER_BYTES);
	*bytes = *buffer ? BUFFER_BYTES : 0;
	*most_records = 0; /* as many as there is room for */
}

static void add_record(uint64_t begin, uint64_t end, const char *name, uint64_t node)
{
	CuptiRecords *r = &state.records;
	const NodeTag *tag = node && nodes.room ? node_slot(node) : NULL;
	if (r->count == r->room) {
		r->room = r->room ? 2 * r->room : 4096;
		r->at = reallocate(r->at, r->room, sizeof *r->at, "the profile");
	}
	r->at[r->count++] = (CuptiRecord){.begin = (int64_t)begin,
	                                  .end = (int64_t)end,
	                                  .name = text_printf("%s", name ? name : "?"),
	                                  .in_graph = tag && tag->node,
	                                  .tag = tag && tag->node ? tag->tag : 0};
}

/* The records' newest forms begin as the older ones do. */
static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes,
                                 size_t valid)
{
	CUpti_Activity *record = NULL;
	pthread_mutex_lock(&state.lock);
	while (cupti.ActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
		if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL ||
		    record->kind == CUPTI_ACTIVITY_KIND_KERNEL) {
			const CUpti_ActivityKernel9 *k = (const void *)record;
			add_record(k->start, k->end, k->name, k->graphNodeId);
		} else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
			const CUpti_ActivityMemcpy5 *k = (const void *)record;
			add_record(k->start, k->end, "copy", k->graphNodeId);
		} else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
			const CUpti_ActivityMemset4 *k = (const void *)record;
			add_record(k->start, k->end, "memset", k->graphNodeId);
		}
	}
	pthread_mutex_unlock(&state.lock);
	free(buffer);
}

/* `tag` is asked where a node is captured; a clone has its original's, if that was asked for. */
static void CUPTIAPI hear(void *context, CUpti_CallbackDomain domain, CUpti_CallbackId what, const void *data)
{
	const CUpti_ResourceData *resource = data;
	const CUpti_GraphData *graph = resource->resourceDescriptor;
	uint64_t node = 0, original = 0;
	if (domain != CUPTI_CB_DOMAIN_RESOURCE || !graph ||
	    cupti.GetGraphNodeId(graph->node, &node) != CUPTI_SUCCESS || !node)
		return;
	pthread_mutex_lock(&state.lock);
	if (what == CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED) {
		int tag = state.tag();
		if (tag != CUPTI_NO_TAG)
			node_set(node, tag);
	} else if (what == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED && nodes.room &&
	           cupti.GetGraphNodeId(graph->originalNode, &original) == CUPTI_SUCCESS) {
		NodeTag from = *node_slot(original);
		if (from.node)
			node_set(node, from.tag);
	}
	pthread_mutex_unlock(&state.lock);
}

/* ---- begin and end */

static void *open_library(char **why)
{
	static const char *const names[] = {"libcupti.so.13", "libcupti.so.12"},
	                         *const folders[] = {"", "extras/CUPTI/lib64/", "lib64/", "lib/"};
	const char *named = getenv("NNR_LIBCUPTI"), *home = getenv("CUDA_HOME");
	char *first = NULL;
	if (named && *named) {
		void *library = dlopen(named, RTLD_NOW | RTLD_LOCAL);
		*why = library ? NULL : text_printf("$NNR_LIBCUPTI can't be loaded: %s", dlerror());
		return library;
	}
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
			char *path =
			        *folders[i] ? text_printf("%s/%s%s", home && *home ? home : "/usr/local/cuda",
			                                  folders[i], names[k])
			                    : text_printf("%s", names[k]);
			void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
			free(path);
			if (library) {
				free(first);
				return library;
			}
			const char *said = dlerror();
			first = first ? first : text_printf("%s", said);
		}
	*why = text_printf(
	        "CUPTI of the CUDA toolkit (libcupti.so.13) was not found: looked for where the loader looks "
	        "and in %s, which $CUDA_HOME names (%s)",
	        home && *home ? home : "/usr/local/cuda", first);
	free(first);
	return NULL;
}

static char *load(void)
{
	static const char *const names[] = {
#define CUPTI_FUNCTION(name) "cupti" #name,
	        CUPTI_FUNCTIONS(CUPTI_FUNCTION)
#undef CUPTI_FUNCTION
	};
	char *why = NULL;
	void *library = open_library(&why);
	for (size_t i = 0; library && i < sizeof names / sizeof *names; i++) {
		void *function = dlsym(library, names[i]);
		if (!function)
			return text_printf("the CUPTI found here has no function %s: it is too old",
			                   names[i]);
		memcpy((char *)&cupti + i * sizeof function, &function, sizeof function);
	}
	return why;
}

static char *refused(const char *call, CUptiResult status)
{
	const char *text = NULL;
	cupti.GetResultString(status, &text);
	return text_printf("CUPTI refused %s: %s (%d)%s", call, text ? text : "unknown error", (int)status,
	                   status == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES
	                           ? ": this machine lets only its administrator profile"
	                           : "");
}

#define CALL(name, ...)                                         \
	do {                                                    \
		CUptiResult status_ = cupti.name(__VA_ARGS__);  \
		if (status_ != CUPTI_SUCCESS)                   \
			return refused("cupti" #name, status_); \
	} while (0)

static char *begin(void)
{
	CALL(Subscribe, &state.subscriber, (CUpti_CallbackFunc)hear, NULL);
	CALL(EnableCallback, 1, state.subscriber, CUPTI_CB_DOMAIN_RESOURCE,
	     CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED);
	CALL(EnableCallback, 1, state.subscriber, CUPTI_CB_DOMAIN_RESOURCE,
	     CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED);
	CALL(ActivityRegisterCallbacks, give_buffer, take_buffer);
	for (int i = 0; i < KINDS; i++)
		CALL(ActivityEnable, kinds[i]);
	return NULL;
}

char *cupti_begin(int (*tag)(void))
{
	char *why = load();
	state.tag = tag;
	if (!why) {
		why = begin();
		if (why && state.subscriber)
			cupti.Unsubscribe(state.subscriber);
	}
	return why;
}

CuptiRecords cupti_end(void)
{
	size_t dropped = 0;
	cupti.ActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
	cupti.ActivityGetNumDroppedRecords(NULL, 0, &dropped);
	for (int i = 0; i < KINDS; i++)
		cupti.ActivityDisable(kinds[i]);
	cupti.Unsubscribe(state.subscriber);
	pthread_mutex_lock(&state.lock);
	CuptiRecords records = state.records;
	records.dropped = (int64_t)dropped;
	state.records = (CuptiRecords){0};
	free(nodes.at);
	memset(&nodes, 0, sizeof nodes);
	pthread_mutex_unlock(&state.lock);
	return records;
}

void cupti_free(CuptiRecords *records)
{
	for (int64_t i = 0; i < records->count; i++)
		free(records->at[i].name);
	free(records->at);
}

#else

char *cupti_begin(int (*tag)(void))
{
	return text_printf("this runtime was built without CUPTI's header, cupti.h");
}

CuptiRecords cupti_end(void)
{
	return (CuptiRecords){0};
}

void cupti_free(CuptiRecords *records)
{
}

#endif
