/* SPDX-License-Identifier: MIT */
/* Loading weights by name. */
#include "runtime/session/weights.h"
#include "base/nearest.h"
#include "runtime/session/checkpoint.h"
#include "runtime/data/classes.h"
#include "runtime/host/die.h"
#include "runtime/session/names.h"
#include "runtime/host/patterns.h"
#include "runtime/data/table.h"
#include "runtime/session/torch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char order_key[] = "order of elements";

/* ---- one tensor */

static bool same_shape(const StoredTensor *stored, const NnrTensor *t, bool torch)
{
	int64_t dim[NNR_MAX_RANK];
	memcpy(dim, t->dim, sizeof dim);
	if (torch)
		torch_shape(t, dim);
	return stored->rank == t->rank && memcmp(stored->dim, dim, (size_t)t->rank * sizeof *dim) == 0;
}

/* The same sizes, in whatever order. */
static bool same_sizes(const StoredTensor *stored, const NnrTensor *t)
{
	int balance = 0;
	for (int i = 0; i < t->rank && stored->rank == t->rank && balance == 0; i++)
		for (int k = 0; k < t->rank; k++)
			balance += (t->dim[k] == t->dim[i]) - (stored->dim[k] == t->dim[i]);
	return stored->rank == t->rank && balance == 0;
}

static bool is_real(int dtype)
{
	return dtype == NNR_F32 || dtype == NNR_F64 || dtype == NNR_BF16 || dtype == NNR_F16;
}

static void check_tensor(const Safetensors *f, const StoredTensor *stored, const NnrTensor *t, bool torch,
                         const char *help)
{
	if (!same_shape(stored, t, torch)) {
		int64_t dim[NNR_MAX_RANK];
		memcpy(dim, t->dim, sizeof dim);
		if (torch)
			torch_shape(t, dim);
		char *has = shape_text(stored->dim, stored->rank), *wants = shape_text(dim, t->rank);
		die_help(STATUS_DATA,
		         !torch && t->rank == 4 && same_sizes(stored, t)
		                 ? "nnc keeps conv weights as [out, height, width, in], PyTorch as "
		                   "[out, in, height, width]: --init-map torchvision, or a table of names, "
		                   "reads that"
		                 : help,
		         "`%s` has `%s` with the shape %s, the model wants %s", f->path, stored->name, has,
		         wants);
	}
	if (stored->dtype != (int)t->dtype &&
	    (!is_real(stored->dtype) || (t->dtype != NNR_F32 && t->dtype != NNR_F64)))
		die(STATUS_DATA, "`%s` has `%s` in another dtype than the model's %s", f->path, stored->name,
		    dtype_name(t->dtype));
}

/* IEEE 754's binary16: a sign, 5 bits of exponent, 10 of fraction. */
static double half_value(uint16_t bits)
{
	int exponent = bits >> 10 & 31, fraction = bits & 1023;
	double value = exponent == 31  ? (fraction ? NAN : INFINITY)
	               : exponent == 0 ? ldexp(fraction, -24)
	                               : ldexp(1024 + fraction, exponent - 25);
	return bits >> 15 ? -value : value;
}

/* Element i of a tensor of reals in a file. */
static double real_at(const void *at, int dtype, int64_t i)
{
	if (dtype == NNR_F32)
		return (double)((const float *)at)[i];
	if (dtype == NNR_F64)
		return ((const double *)at)[i];
	uint16_t bits = ((const uint16_t *)at)[i];
	if (dtype == NNR_F16)
		return half_value(bits);
	uint32_t wide = (uint32_t)bits << 16; /* bf16 is the upper half of an f32 */
	float value;
	memcpy(&value, &wide, sizeof value);
	return (double)value;
}

static void convert(const NnrTensor *t, char *to, const void *from, int dtype, int64_t n)
{
	for (int64_t i = 0; i < n; i++) {
		if (t->dtype == NNR_F64)
			((double *)(void *)to)[i] = real_at(from, dtype, i);
		else
			((float *)(void *)to)[i] = (float)real_at(from, dtype, i);
	}
}

void tensor_load(const Safetensors *f, const StoredTensor *stored, const NnrTensor *t, bool torch,
                 char *block, const char *help)
{
	check_tensor(f, stored, t, torch, help);
	if (!block)
		return;
	char *to = block + t->offset;
	bool same_type = stored->dtype == (int)t->dtype, same_order = !torch || t->channels == 0;
	if (same_type && same_order) {
		safetensors_read(f, stored, to);
		return;
	}
	int64_t n = tensor_elements(t->dim, t->rank), size = dtype_bytes((NnrDType)stored->dtype);
	char *raw = allocate(n, size, "a tensor"), *turned = same_order ? raw : allocate(n, size, "a tensor");
	safetensors_read(f, stored, raw);
	if (!same_order)
		torch_read(t, turned, raw, size);
	if (same_type)
		memcpy(to, turned, (size_t)(n * size));
	else
		convert(t, to, turned, stored->dtype, n);
	if (turned != raw)
		free(turned);
	free(raw);
}

/* ---- of a checkpoint */

static bool model_has(const NnrModel *m, const char *name)
{
	for (int i = 0; i < m->param_count; i++)
		if (strcmp(m->params[i].name, name) == 0)
			return true;
	for (int i = 0; i < m->state_count; i++)
		if (strcmp(m->states[i].name, name) == 0)
			return true;
	return false;
}

void refuse_extra(const NnrModel *m, const Safetensors *f)
{
	for (int i = 0; i < f->count; i++)
		if (!model_has(m, f->tensors[i].name))
			die_help(STATUS_DATA, "--print-model lists the names and shapes",
			         "`%s` has `%s`, which the model `%s` does not have", f->path,
			         f->tensors[i].name, m->name);
}

/* "sgd.momentum", "group_1.adam.m" with settings "optimizer sgd(...); ...; group head.* optimizer adam(...)". */
static bool is_named_by_optimizer(const char *settings, const char *name)
{
	static const char word[] = "optimizer ", group[] = "group_";
	if (strncmp(name, group, strlen(group)) == 0) {
		name += strlen(group);
		name += strspn(name, "0123456789");
		name += *name == '.';
	}
	for (const char *at = settings ? strstr(settings, word) : NULL; at; at = strstr(at, word)) {
		at += strlen(word);
		size_t length = strcspn(at, "(; ");
		if (length > 0 && strncmp(name, at, length) == 0 && name[length] == '.')
			return true;
	}
	return false;
}

/* Of a tensor in a file, which has no more than its name. */
static bool is_named_by_update(const char *name)
{
	static const char *const own[] = {"gradients", "loss_scale", "loss_scale.good", "ema.params"};
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (strcmp(name, own[i]) == 0)
			return true;
	return false;
}

void params_load(const NnrModel *m, const Safetensors *f, char *block, const char *help)
{
	const char *missing = NULL;
	int missing_count = 0;
	for (int i = 0; i < m->param_count; i++) {
		const StoredTensor *stored = safetensors_find(f, m->params[i].name);
		if (stored)
			tensor_load(f, stored, &m->params[i], false, block, help);
		else if (missing_count++ == 0)
			missing = m->params[i].name;
	}
	if (missing)
		die_help(STATUS_DATA, "--print-model lists the names and shapes",
		         "`%s` lacks %d of the %d weights of `%s`, `%s` the first", f->path, missing_count,
		         m->param_count, m->name, missing);
}

/* ---- --init */

typedef struct Init {
	const NnrModel *m;
	NnrMemory memory; /* where they are read to; all NULL: they are only looked at */
	const Safetensors *f;
	const char *skip;
	Names names;                   /* that the file has for them */
	const char **missing, **extra; /* names of the model's and of the file's */
	int missing_count, extra_count;
} Init;

/* What a checkpoint has beside the layers' tensors: the training's own. */
static bool is_of_training(const Safetensors *f, const char *name)
{
	return is_named_by_update(name) || is_named_by_optimizer(safetensors_metadata(f, "settings"), name);
}

/* The pattern of the layer that the tensor is of; malloc'd: "head.weight" -> "head.*". */
static char *layer_pattern(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot ? text_printf("%.*s.*", (int)(dot - name), name) : text_printf("%s", name);
}

/* `theirs`: what the file calls it. */
static void load_one(Init *in, const NnrTensor *t, const char *theirs, char *block)
{
	const StoredTensor *stored = safetensors_find(in->f, theirs);
	if (patterns_match(in->skip, t->name) || patterns_match(in->skip, theirs))
		return;
	if (!stored) {
		in->missing[in->missing_count++] = theirs;
		return;
	}
	char *layer = layer_pattern(t->name);
	char *help = text_printf("`--init-skip '%s'` lets this layer begin as in a new training", layer);
	tensor_load(in->f, stored, t, in->names.torch, block, help);
	free(help);
	free(layer);
}

/* A file may be without running statistics; without some of them it is another network's. What a checkpoint has of its
 * training is left out; a file that is none, and names a state of the update, means it (fp16's first `loss_scale`). */
static void load_states(Init *in)
{
	const NnrModel *m = in->m;
	int wanted = 0, before = in->missing_count;
	for (int i = 0; i < m->state_count; i++) {
		if (m->states[i].of_update) {
			if (!checkpoint_version(in->f) && safetensors_find(in->f, in->names.states[i]))
				load_one(in, &m->states[i], in->names.states[i], in->memory.state);
			continue;
		}
		wanted += !patterns_match(in->skip, m->states[i].name) &&
		          !patterns_match(in->skip, in->names.states[i]);
		load_one(in, &m->states[i], in->names.states[i], in->memory.state);
	}
	if (wanted > 0 && in->missing_count - before == wanted) {
		in->missing_count = before;
		if (in->memory.state)
			say_note("`%s` has no running statistics: they begin anew", in->f->path);
	}
}

static bool is_wanted(const Init *in, const char *name)
{
	for (int i = 0; i < in->m->param_count; i++)
		if (strcmp(in->names.params[i], name) == 0)
			return true;
	for (int i = 0; i < in->m->state_count; i++)
		if (strcmp(in->names.states[i], name) == 0)
			return true;
	return false;
}

/* PyTorch's count of the batches that a batchnorm has seen, which is of use with a momentum that it has not. */
static bool is_count(const char *name)
{
	static const char end[] = ".num_batches_tracked";
	size_t length = strlen(name), n = sizeof end - 1;
	return length > n && strcmp(name + length - n, end) == 0;
}

static void find_extra(Init *in)
{
	bool checkpoint = checkpoint_version(in->f) > 0;
	for (int i = 0; i < in->f->count; i++) {
		const char *name = in->f->tensors[i].name;
		if (!is_wanted(in, name) && !patterns_match(in->skip, name) && !is_count(name) &&
		    !(checkpoint && is_of_training(in->f, name)))
			in->extra[in->extra_count++] = name;
	}
}

static void check_skip(const Init *in)
{
	const NnrModel *m = in->m;
	int count = 0;
	const char **names =
	        allocate(m->param_count + m->state_count + in->f->count, sizeof *names, "the names");
	for (int i = 0; i < m->param_count; i++)
		names[count++] = m->params[i].name;
	for (int i = 0; i < m->state_count; i++)
		names[count++] = m->states[i].name;
	for (int i = 0; i < in->f->count; i++)
		names[count++] = in->f->tensors[i].name;
	char *where = text_printf("the model `%s` and of `%s`", m->name, in->f->path);
	patterns_check(in->skip, "init-skip", names, count, where);
	free(where);
	free(names);
}

/* "`a`, `b`, `c` and 12 more"; malloc'd. */
static char *names_text(const char *const *names, int count)
{
	enum { SHOWN = 4 };
	char *text = text_printf("%s", "");
	for (int i = 0; i < count && i < SHOWN; i++)
		text_append(&text, "%s`%s`", i ? ", " : "", names[i]);
	if (count > SHOWN)
		text_append(&text, " and %d more", count - SHOWN);
	return text;
}

static _Noreturn void die_unlike(const Init *in)
{
	const NnrModel *m = in->m;
	char *lacks = names_text(in->missing, in->missing_count),
	     *has = names_text(in->extra, in->extra_count);
	const char *near =
	        in->missing_count ? nearest_word(in->missing[0], in->extra, in->extra_count) : NULL;
	char *layer = layer_pattern(in->missing_count ? in->missing[0] : in->extra[0]);
	char *help =
	        near ? text_printf("the file's nearest name is `%s`; --print-model lists the model's", near)
	             : text_printf("`--init-skip '%s'` leaves %s; --print-model lists the model's names",
	                           layer,
	                           in->missing_count ? "that layer as a new training begins it" : "that out");
	if (in->missing_count && in->extra_count)
		die_help(STATUS_DATA, help,
		         "`%s` lacks %d of the tensors of `%s`: %s; and it has %s, which the model does not",
		         in->f->path, in->missing_count, m->name, lacks, has);
	if (in->missing_count)
		die_help(STATUS_DATA, help, "`%s` lacks %d of the tensors of `%s`: %s", in->f->path,
		         in->missing_count, m->name, lacks);
	die_help(STATUS_DATA, help, "`%s` has %s, which the model `%s` does not have", in->f->path, has,
	         m->name);
}

/* Reads what is to be taken of the file to `memory`, or looks at it alone. */
static void load_all(const NnrModel *m, const Safetensors *f, const Options *o, NnrMemory memory)
{
	Init in = {.m = m,
	           .memory = memory,
	           .f = f,
	           .skip = o->init_skip,
	           .names = tensor_names_new(m, o->init_map)};
	const char *order = safetensors_metadata(f, order_key);
	in.names.torch = in.names.torch || (order && strcmp(order, "torch") == 0);
	in.missing = allocate(m->param_count + m->state_count, sizeof *in.missing, "the names");
	in.extra = allocate(f->count, sizeof *in.extra, "the names");
	check_skip(&in);
	for (int i = 0; i < m->param_count; i++)
		load_one(&in, &m->params[i], in.names.params[i], memory.params);
	load_states(&in);
	find_extra(&in);
	if (in.missing_count + in.extra_count > 0)
		die_unlike(&in);
	tensor_names_free(m, &in.names);
	free(in.missing);
	free(in.extra);
}

void weights_preflight(const Session *s, const char *path)
{
	Safetensors *f = safetensors_open(path);
	load_all(s->model, f, &s->options, (NnrMemory){0});
	safetensors_close(f);
}

void keep_description(Session *s, const Safetensors *f)
{
	classes_check(&s->data, safetensors_metadata(f, "classes"), f->path);
	if (!s->data.table)
		s->data.table = table_of_weights(f, s->model);
}

void weights_load(Session *s, const char *path)
{
	/* A new training may begin with classes and a table of its own. */
	bool has_own = s->data.format && !takes_weights(&s->options);
	Safetensors *f = safetensors_open(path);
	load_all(s->model, f, &s->options, s->memory);
	session_begin_average(s);
	bool is_of_nnc = checkpoint_version(f) || safetensors_metadata(f, order_key);
	if (is_of_nnc && !has_own)
		keep_description(s, f);
	safetensors_close(f);
}
