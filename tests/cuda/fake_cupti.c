/* SPDX-License-Identifier: MIT */
/* A libcupti.so.13 beside the fake driver, which tells it what is added to graphs and what runs: a kernel takes 2 us,
 * and half a microsecond passes between two.
 *
 *   FAKE_CUPTI=refused    nobody but the administrator may profile
 *   FAKE_CUPTI=empty      nothing is recorded */
#include "tests/cuda/fake_probe.h"

#include <cupti.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RECORDS = 100000, TAKES = 2000, GAP = 500 };

static CUpti_ActivityKernel9 records[MOST_RECORDS];
static size_t count;
static uint64_t now = 1000000;
static bool enabled;
static CUpti_CallbackFunc listener;
static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;

static bool is(const char *what)
{
	const char *said = getenv("FAKE_CUPTI");
	return said && strcmp(said, what) == 0;
}

static void node_made(void *node, void *original)
{
	CUpti_GraphData graph = {.node = node, .originalNode = original};
	CUpti_ResourceData data = {.resourceDescriptor = &graph};
	if (listener)
		listener(NULL, CUPTI_CB_DOMAIN_RESOURCE,
		         original ? CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED
		                  : CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED,
		         &data);
}

static void ran(void *node, const char *name)
{
	if (!enabled || is("empty") || count == MOST_RECORDS)
		return;
	records[count++] = (CUpti_ActivityKernel9){.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
	                                           .start = now,
	                                           .end = now + TAKES,
	                                           .name = name,
	                                           .graphNodeId = (uint64_t)(uintptr_t)node};
	now += TAKES + GAP;
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback, void *context)
{
	void *driver = dlopen(getenv("NNR_LIBCUDA"), RTLD_NOW | RTLD_NOLOAD);
	FakeProbe *probe = driver ? dlsym(driver, "fake_cuda_probe") : NULL;
	if (is("refused"))
		return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
	if (!probe)
		return CUPTI_ERROR_NOT_INITIALIZED;
	*probe = (FakeProbe){node_made, ran};
	listener = callback;
	*subscriber = (CUpti_SubscriberHandle)1;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle subscriber)
{
	listener = NULL;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle subscriber,
                                CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
	return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc give,
                                           CUpti_BuffersCallbackCompleteFunc take)
{
	request = give;
	complete = take;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind)
{
	enabled = true;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind)
{
	enabled = false;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushAll(uint32_t flag)
{
	uint8_t *buffer;
	size_t bytes, most;
	request(&buffer, &bytes, &most);
	size_t kept = count * sizeof *records < bytes ? count : bytes / sizeof *records;
	memcpy(buffer, records, kept * sizeof *records);
	complete(NULL, 0, buffer, bytes, kept * sizeof *records);
	count = 0;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, CUpti_Activity **record)
{
	uint8_t *next = *record ? (uint8_t *)*record + sizeof *records : buffer;
	*record = (CUpti_Activity *)(void *)next;
	return next < buffer + valid ? CUPTI_SUCCESS : CUPTI_ERROR_MAX_LIMIT_REACHED;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t *dropped)
{
	*dropped = 0;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiGetGraphNodeId(CUgraphNode node, uint64_t *id)
{
	*id = (uint64_t)(uintptr_t)node;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult result, const char **text)
{
	*text = "CUPTI_ERROR_FAKE";
	return CUPTI_SUCCESS;
}
