/* SPDX-License-Identifier: MIT */
#include "runtime/train/export.h"
#include "runtime/session/checkpoint.h"
#include "runtime/data/classes.h"
#include "runtime/host/die.h"
#include "runtime/session/names.h"
#include "runtime/train/onnx.h"
#include "runtime/host/progress.h"
#include "runtime/session/provenance.h"
#include "runtime/data/table.h"
#include "runtime/session/torch.h"
#include "runtime/session/weights.h"
#include "runtime/host/writer.h"

#include <stdlib.h>
#include <string.h>

static void load(Session *s)
{
	const NnrModel *m = s->model;
	const Options *o = &s->options;
	s->memory.params = block_new(m->param_bytes, "the parameters");
	s->memory.state = block_new(m->state_bytes, "the running statistics");
	session_init_weights(s); /* of what --init-skip leaves out */
	if (o->init)
		weights_load(s, o->init);
	else
		checkpoint_load(s, o->checkpoint, false);
	session_take_average(s);
}

static StoredTensor stored(const NnrTensor *t, const char *name, const char *block, bool torch)
{
	int64_t size = dtype_bytes(t->dtype);
	StoredTensor to = {.name = name, .dtype = (int)t->dtype, .rank = t->rank, .data = block + t->offset};
	memcpy(to.dim, t->dim, sizeof to.dim);
	if (torch && t->channels > 0) {
		char *turned = allocate(tensor_elements(t->dim, t->rank), size, "a tensor");
		torch_shape(t, to.dim);
		torch_write(t, turned, block + t->offset, size);
		to.data = turned;
	}
	return to;
}

/* All parameters and running statistics, and what the data must be like that they are used with. */
static void write_safetensors(const Session *s)
{
	const NnrModel *m = s->model;
	const Options *o = &s->options;
	Names names = tensor_names_new(m, o->names);
	bool torch = names.torch || o->layout == LAYOUT_TORCH;
	int count = 0;
	StoredTensor *tensors = allocate(m->param_count + m->state_count, sizeof *tensors, "the header");
	for (int i = 0; i < m->param_count; i++)
		tensors[count++] = stored(&m->params[i], names.params[i], s->memory.params, torch);
	for (int i = 0; i < m->state_count; i++)
		if (!m->states[i].of_update)
			tensors[count++] = stored(&m->states[i], names.states[i], s->memory.state, torch);
	Provenance header = {0};
	provenance_put(&header, "format", text_printf("%s", torch ? "pt" : "nnc weights 1"));
	provenance_put(&header, order_key, text_printf("%s", torch ? "torch" : "nnc"));
	provenance_put(&header, "model", text_printf("%s", m->name));
	provenance_put(&header, "nnc", text_printf("%s", m->version));
	provenance_put(&header, "classes", classes_text(&s->data));
	provenance_put(&header, "table", s->data.table ? table_text(s->data.table, m) : NULL);
	if (!safetensors_write_new(o->out, tensors, count, header.at, header.count))
		die(STATUS_DATA, "nothing was exported: %s", file_failure());
	provenance_free(&header);
	for (int i = 0, k = 0; i < m->param_count; i++, k++)
		if (tensors[k].data != s->memory.params + m->params[i].offset)
			free((void *)tensors[k].data);
	free(tensors);
	tensor_names_free(m, &names);
	progress_say("%d tensors are in `%s`", count, o->out);
}

int session_export(Session *s)
{
	load(s);
	if (s->options.format == EXPORT_ONNX) {
		onnx_write(s, s->options.out);
		progress_say("the network is in `%s`", s->options.out);
	} else {
		write_safetensors(s);
	}
	dataset_free(&s->data);
	block_free(s->memory.params, s->model->param_bytes);
	block_free(s->memory.state, s->model->state_bytes);
	return STATUS_OK;
}
