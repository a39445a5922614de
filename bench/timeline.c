/* What bench/timeline has a trainer load (CUDA_INJECTION64_PATH): CUPTI's record of each kernel that ran, in graphs
 * too, as a line `start end stream name` of the file NNC_TIMELINE, times in ns. A kernel whose line is missing was not
 * recorded; nothing of the trainer waits for it. */
#include <cupti.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUFFER_BYTES = 8 << 20, ALIGNMENT = 8 };

static FILE *records;

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *bytes, size_t *most_records)
{
	*buffer = aligned_alloc(ALIGNMENT, BUFFER_BYTES);
	*bytes = *buffer ? BUFFER_BYTES : 0;
	*most_records = 0; /* as many as there is room for */
}

static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes,
                                 size_t valid)
{
	CUpti_Activity *record = NULL;
	while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
		const CUpti_ActivityKernel9 *kernel = (const void *)record;
		if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
			fprintf(records, "%llu %llu %u %s\n", (unsigned long long)kernel->start,
			        (unsigned long long)kernel->end, kernel->streamId, kernel->name);
	}
	free(buffer);
}

static void end(void)
{
	cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
	fclose(records);
}

/* The driver calls it when it is initialised. */
int InitializeInjection(void)
{
	const char *path = getenv("NNC_TIMELINE");
	if (!path || !(records = fopen(path, "w")))
		return 0;
	atexit(end);
	return cuptiActivityRegisterCallbacks(give_buffer, take_buffer) == CUPTI_SUCCESS &&
	       cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) == CUPTI_SUCCESS;
}
