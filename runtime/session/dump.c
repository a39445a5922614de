/* SPDX-License-Identifier: MIT */
/* --dump: one training step in a file, for comparison with another framework (tests) or for looking at.
 *
 *   input.NAME     the batch                         param.NAME      parameters after the step
 *   loss           mean of the batch                 metric.NAME     mean of the batch
 *   count.NAME     of the samples that it counts, where not all; metric.NAME is the sum over these by the batch
 *   value.NAME     a variable of the model           gradient.NAME   of the loss by the parameter */
#include "runtime/host/die.h"
#include "runtime/data/safetensors.h"
#include "runtime/session/session.h"
#include "runtime/host/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static StoredTensor tensor(char *name, NnrDType dtype, int rank, const int64_t *dim, const void *data)
{
	StoredTensor t = {.name = name, .dtype = (int)dtype, .rank = rank, .data = data};
	memcpy(t.dim, dim, (size_t)rank * sizeof *dim);
	return t;
}

void dump_probe(const char *path)
{
	FileWriter *w = file_begin(path);
	if (!w)
		die(STATUS_DATA, "the dump can't be written: %s", file_failure());
	file_abandon(w);
}

void dump_step(const Session *s, const char *path)
{
	static const char *const kinds[] = {"", "metric.", "count.", "gradient.", "value.", "measured."};
	const NnrModel *m = s->model;
	int count = 0, most = NNR_BATCH_INPUTS(m) + m->param_count + m->train.output_count;
	StoredTensor *tensors = allocate(most, sizeof *tensors, "the dump");
	for (int i = 0; i < NNR_BATCH_INPUTS(m); i++) {
		const NnrInput *in = &m->inputs[i];
		tensors[count++] = tensor(text_printf("input.%s", in->name), in->dtype, in->rank, in->dim,
		                          s->memory.inputs + in->offset);
	}
	for (int i = 0; i < m->param_count; i++) {
		const NnrTensor *p = &m->params[i];
		tensors[count++] = tensor(text_printf("param.%s", p->name), p->dtype, p->rank, p->dim,
		                          s->memory.params + p->offset);
	}
	for (int i = 0; i < m->train.output_count; i++) {
		const NnrOutput *o = &m->train.outputs[i];
		const char *name = o->kind == NNR_LOSS ? "loss" : o->name;
		tensors[count++] = tensor(text_printf("%s%s", kinds[o->kind], name), o->dtype, o->rank,
		                          o->dim, s->memory.arena + o->offset);
	}
	Metadata metadata[] = {{"format", "nnc dump 1"}, {"model", m->name}, {"nnc", m->version}};
	if (!safetensors_write(path, tensors, count, metadata, 3))
		die(STATUS_DATA, "the dump can't be written: %s", file_failure());
	for (int i = 0; i < count; i++)
		free((char *)tensors[i].name);
	free(tensors);
}
