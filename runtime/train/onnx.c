/* SPDX-License-Identifier: MIT */
#include "runtime/train/onnx.h"
#include "onnx.pb-c.h"
#include "runtime/data/classes.h"
#include "runtime/host/die.h"
#include "runtime/data/table.h"
#include "runtime/session/torch.h"
#include "runtime/host/writer.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { IR_VERSION = 8, OPERATOR_SET = 15, MOST = 16 };

/* What is given to the schema's structures lives until the process ends: an export is all that it does. */
typedef struct Maker {
	const Session *s;
	Onnx__GraphProto *graph; /* that nodes are added to */
	Onnx__GraphProto **outer;
	size_t n_outer; /* the graphs around it, from the whole on, where it is the body of a node to come */
	const char *line;
} Maker;

static _Noreturn void broken(const Maker *m)
{
	die(STATUS_INTERNAL, "the graph of `%s` has a line that can't be read: %s", m->s->model->name,
	    m->line);
}

/* One more pointer for a repeated field. */
#define APPEND(parent, field, item)                                                             \
	do {                                                                                    \
		(parent)->field = reallocate((parent)->field, (int64_t)(parent)->n_##field + 1, \
		                             sizeof *(parent)->field, "the graph");             \
		(parent)->field[(parent)->n_##field++] = (item);                                \
	} while (0)

/* ---- tensors */

static Onnx__TensorProto *new_tensor(Onnx__GraphProto *graph, char *name, int type, int rank,
                                     const int64_t *dim)
{
	Onnx__TensorProto *t = allocate(1, sizeof *t, "the graph");
	onnx__tensor_proto__init(t);
	t->name = name;
	t->has_data_type = 1;
	t->data_type = type;
	t->n_dims = (size_t)rank;
	t->dims = allocate(rank + 1, sizeof *t->dims, "the graph");
	memcpy(t->dims, dim, (size_t)rank * sizeof *dim);
	APPEND(graph, initializer, t);
	return t;
}

static void set_bytes(Onnx__TensorProto *t, const void *bytes, int64_t length)
{
	t->has_raw_data = 1;
	t->raw_data.data = (uint8_t *)bytes;
	t->raw_data.len = (size_t)length;
}

/* Of the tensors of the trainer the one of that name; NULL: there is none. `*block` is the memory that it is in. */
static const NnrTensor *find_weight(const Maker *m, const char *name, const char **block)
{
	const NnrModel *model = m->s->model;
	for (int i = 0; i < model->param_count + model->state_count; i++) {
		bool param = i < model->param_count;
		const NnrTensor *t = param ? &model->params[i] : &model->states[i - model->param_count];
		*block = param ? m->s->memory.params : m->s->memory.state;
		if (strcmp(t->name, name) == 0)
			return t;
	}
	return NULL;
}

static bool is_initialized(const Onnx__GraphProto *graph, const char *name)
{
	for (size_t i = 0; i < graph->n_initializer; i++)
		if (strcmp(graph->initializer[i]->name, name) == 0)
			return true;
	return false;
}

/* A tensor of the trainer that a node reads is given to the whole graph, in single precision whatever the trainer
 * computes in; of another value there is nothing to do. */
static void add_weight(Maker *m, const char *name, bool filters)
{
	const char *block;
	const NnrTensor *t = find_weight(m, name, &block);
	Onnx__GraphProto *whole = m->n_outer > 0 ? m->outer[0] : m->graph;
	if (!t && !filters)
		return;
	if (!t || (t->dtype != NNR_F32 && t->dtype != NNR_F64))
		broken(m);
	if (is_initialized(whole, name))
		return;
	int64_t n = tensor_elements(t->dim, t->rank), dim[NNR_MAX_RANK];
	const char *from = block + t->offset;
	float *values = allocate(n, sizeof *values, "a tensor"), *turned = values;
	for (int64_t i = 0; i < n; i++)
		values[i] = t->dtype == NNR_F32 ? ((const float *)(const void *)from)[i]
		                                : (float)((const double *)(const void *)from)[i];
	memcpy(dim, t->dim, sizeof dim);
	if (filters) {
		turned = allocate(n, sizeof *turned, "a tensor");
		torch_shape(t, dim);
		torch_write(t, (char *)turned, (const char *)values, sizeof *values);
		free(values);
	}
	set_bytes(new_tensor(whole, text_printf("%s", name), ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT, t->rank,
	                     dim),
	          turned, n * (int64_t)sizeof *turned);
}

/* How many numbers the list "[1,2,-3]" has: one for each comma, and one. */
static int64_t list_room(const char *at)
{
	int64_t count = 1;
	for (; *at && *at != ']'; at++)
		count += *at == ',';
	return count;
}

/* "[1,2,-3]" from *at on, as integers or as reals, of which there is `room` for so many; how many. */
static int read_list(Maker *m, const char **at, int64_t room, int64_t *ints, double *reals)
{
	int count = 0;
	char *end;
	if (*(*at)++ != '[')
		broken(m);
	while (**at != ']') {
		if (count == room)
			broken(m);
		if (ints)
			ints[count++] = strtoll(*at, &end, 10);
		else
			reals[count++] = strtod(*at, &end);
		if (end == *at)
			broken(m);
		*at = end + (*end == ',');
	}
	++*at;
	return count;
}

static void add_ints(Maker *m, char *name, const char *at)
{
	const int64_t room = list_room(at);
	int64_t *values = allocate(room, sizeof *values, "the graph");
	int64_t count = read_list(m, &at, room, values, NULL);
	set_bytes(new_tensor(m->graph, name, ONNX__TENSOR_PROTO__DATA_TYPE__INT64, 1, &count), values,
	          count * (int64_t)sizeof *values);
}

static void add_reals(Maker *m, char *name, const char *at, bool list)
{
	double values[MOST] = {0};
	int64_t count = list ? read_list(m, &at, MOST, NULL, values) : 1;
	if (!list)
		values[0] = strtod(at, NULL);
	float *to = allocate(count, sizeof *to, "the graph");
	for (int64_t i = 0; i < count; i++)
		to[i] = (float)values[i];
	set_bytes(new_tensor(m->graph, name, ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT, list, &count), to,
	          count * (int64_t)sizeof *to);
}

/* ---- inputs and outputs */

static void add_dimension(Onnx__TensorShapeProto *shape, char *name, int64_t size)
{
	Onnx__TensorShapeProto__Dimension *d = allocate(1, sizeof *d, "the graph");
	onnx__tensor_shape_proto__dimension__init(d);
	d->value_case = name   ? ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM
	                : size ? ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE
	                       : ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE__NOT_SET;
	if (name)
		d->dim_param = name;
	else
		d->dim_value = size;
	APPEND(shape, dim, d);
}

static int element_type(Maker *m, const char *word)
{
	static const struct {
		const char *name;
		int type;
	} types[] = {{"f32", ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT},
	             {"u8", ONNX__TENSOR_PROTO__DATA_TYPE__UINT8},
	             {"i32", ONNX__TENSOR_PROTO__DATA_TYPE__INT32}};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strcmp(types[i].name, word) == 0)
			return types[i].type;
	broken(m);
}

/* A dimension list "[28,28,1]", 0 for one that is not known, and its type. `of_sample`: the batch is in front of it. */
static Onnx__ValueInfoProto *new_value(Maker *m, char *name, int type, const char *at, bool of_sample)
{
	Onnx__ValueInfoProto *v = allocate(1, sizeof *v, "the graph");
	Onnx__TypeProto *t = allocate(1, sizeof *t, "the graph");
	Onnx__TypeProto__Tensor *tensor = allocate(1, sizeof *tensor, "the graph");
	Onnx__TensorShapeProto *shape = allocate(1, sizeof *shape, "the graph");
	onnx__value_info_proto__init(v);
	onnx__type_proto__init(t);
	onnx__type_proto__tensor__init(tensor);
	onnx__tensor_shape_proto__init(shape);
	v->name = name;
	v->type = t;
	t->value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
	t->tensor_type = tensor;
	tensor->has_elem_type = 1;
	tensor->elem_type = type;
	tensor->shape = shape;
	int64_t dim[MOST];
	int rank = read_list(m, &at, MOST, dim, NULL);
	if (of_sample)
		add_dimension(shape, text_printf("batch"), 0);
	for (int i = 0; i < rank; i++)
		add_dimension(shape, NULL, dim[i]);
	return v;
}

/* ---- nodes */

static void add_attribute(Maker *m, Onnx__NodeProto *node, char *word)
{
	char *equals = strchr(word, '=');
	if (!equals)
		broken(m);
	*equals = 0;
	const char *at = equals + 1;
	Onnx__AttributeProto *a = allocate(1, sizeof *a, "the graph");
	onnx__attribute_proto__init(a);
	a->name = word;
	a->has_type = 1;
	if (*at == '[') {
		a->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS;
		const int64_t room = list_room(at);
		a->ints = allocate(room, sizeof *a->ints, "the graph");
		a->n_ints = (size_t)read_list(m, &at, room, a->ints, NULL);
	} else if (strpbrk(at, ".en")) {
		a->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT;
		a->has_f = 1;
		a->f = strtof(at, NULL);
	} else {
		a->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT;
		a->has_i = 1;
		a->i = strtoll(at, NULL, 10);
	}
	APPEND(node, attribute, a);
}

static Onnx__NodeProto *new_node(Maker *m, char *op, char *output)
{
	Onnx__NodeProto *n = allocate(1, sizeof *n, "the graph");
	onnx__node_proto__init(n);
	n->op_type = op;
	n->name = output; /* which is no other node's: some readers refuse a node without a name of its own */
	APPEND(n, output, output);
	APPEND(m->graph, node, n);
	return n;
}

/* ---- inputs of a table: its columns as they are, in double, which the graph standardises as the reader of tables
 * does */

/* How the input of that name was standardised; NULL: it was not. */
static const TableInput *columns_of(const Maker *m, const char *name)
{
	const Table *t = m->s->data.table;
	for (int i = 0; t && i < t->count; i++)
		if (strcmp(m->s->model->inputs[i].name, name) == 0)
			return t->inputs[i].mean ? &t->inputs[i] : NULL;
	return NULL;
}

/* No name of a model's has a slash. */
static char *part_name(const char *name, const char *part)
{
	return text_printf("%s/%s", name, part);
}

/* Adds a number for each column, in the shape of a sample. */
static char *column_numbers(Maker *m, const char *name, const char *part, const double *numbers)
{
	const NnrModel *model = m->s->model;
	int i = 0;
	while (strcmp(model->inputs[i].name, name) != 0)
		i++;
	const NnrInput *in = &model->inputs[i];
	const int64_t columns = table_elements(model, i);
	const bool series = series_is_asked(model); /* whose rows all have them */
	char *constant = text_printf("%s/%s.numbers", name, part);
	set_bytes(new_tensor(m->graph, constant, ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE,
	                     series ? 1 : in->rank - 1, series ? &columns : in->dim + 1),
	          numbers, columns * (int64_t)sizeof *numbers);
	return constant;
}

/* Adds `name`/`part`, what `op` makes of up to three operands, of which the later may be NULL. */
static char *add_part(Maker *m, const char *op, const char *name, const char *part, char *a, char *b, char *c)
{
	char *result = part_name(name, part), *operands[] = {a, b, c};
	Onnx__NodeProto *n = new_node(m, text_printf("%s", op), result);
	for (int i = 0; i < 3 && operands[i]; i++)
		APPEND(n, input, operands[i]);
	return result;
}

static Onnx__NodeProto *last_node(const Maker *m)
{
	return m->graph->node[m->graph->n_node - 1];
}

static char *add_cast(Maker *m, const char *name, const char *part, char *x, int type)
{
	char *result = add_part(m, "Cast", name, part, x, NULL, NULL);
	add_attribute(m, last_node(m), text_printf("to=%d", type));
	return result;
}

/* Of the numbers of columns that may be missing: which are, as `name`/missing, and what stands for those. Each flag is
 * made of the column that it is of: whatever stands in its own place is not looked at. */
static char *add_filled(Maker *m, char *name, const TableInput *t)
{
	char *x = name;
	if (t->flag_of) {
		int64_t *sources = allocate(t->count, sizeof *sources, "the graph"), count = t->count;
		char *constant = text_printf("%s/columns.numbers", name);
		for (int k = 0; k < t->count; k++)
			sources[k] = table_source(t, k);
		set_bytes(new_tensor(m->graph, constant, ONNX__TENSOR_PROTO__DATA_TYPE__INT64, 1, &count),
		          sources, count * (int64_t)sizeof *sources);
		x = add_part(m, "Gather", name, "columns", x, constant, NULL);
		add_attribute(m, last_node(m), text_printf("axis=1"));
	}
	if (!t->fill)
		return x;
	char *missing = add_part(m, "IsNaN", name, "missing", x, NULL, NULL);
	return add_part(m, "Where", name, "filled", missing, column_numbers(m, name, "filled", t->fill), x);
}

/* Puts the flags where they belong. */
static char *add_flags(Maker *m, char *name, const TableInput *t, char *x)
{
	if (!t->flag_of)
		return x;
	double *is_flag = allocate(t->count, sizeof *is_flag, "the graph");
	for (int k = 0; k < t->count; k++)
		is_flag[k] = t->flag_of[k] >= 0;
	char *chosen = add_cast(m, name, "is_flag", column_numbers(m, name, "is_flag", is_flag),
	                        ONNX__TENSOR_PROTO__DATA_TYPE__BOOL);
	char *flags =
	        add_cast(m, name, "flags", part_name(name, "missing"), ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE);
	return add_part(m, "Where", name, "flagged", chosen, flags, x);
}

static void add_input(Maker *m, char *name, const char *type, const char *dimensions)
{
	const TableInput *columns = columns_of(m, name);
	APPEND(m->graph, input,
	       new_value(m, name, columns ? ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE : element_type(m, type),
	                 dimensions, true));
	if (!columns)
		return;
	char *filled = add_filled(m, name, columns),
	     *moved = add_part(m, "Sub", name, "centred", filled,
	                       column_numbers(m, name, "centred", columns->mean), NULL),
	     *scaled = add_part(m, "Div", name, "scaled", moved,
	                        column_numbers(m, name, "scaled", columns->scale), NULL);
	(void)add_cast(m, name, "standardised", add_flags(m, name, columns, scaled),
	               ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT);
}

/* ---- lines */

static void add_operand(Maker *m, Onnx__NodeProto *n, char *name, bool filters)
{
	add_weight(m, name, filters);
	if (strcmp(n->op_type, "Shape") != 0 && columns_of(m, name))
		name = part_name(name, "standardised");
	APPEND(n, input, name);
}

/* Of a node with a body, which ends here: the body, and what it computes as results of the node. */
static void add_body(Onnx__NodeProto *n, Onnx__GraphProto *body)
{
	Onnx__AttributeProto *a = allocate(1, sizeof *a, "the graph");
	onnx__attribute_proto__init(a);
	a->name = text_printf("body");
	a->has_type = 1;
	a->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH;
	a->g = body;
	APPEND(n, attribute, a);
	n->n_output = 0;
	for (size_t i = 0; i < body->n_output; i++)
		APPEND(n, output, text_printf("%s.%zu", n->name, i));
}

/* "Conv(x, w) group=1" */
static void add_node(Maker *m, char *name, char *text)
{
	char *open = strchr(text, '('), *close = strchr(text, ')'), *rest;
	if (!open || !close || close < open)
		broken(m);
	*open = *close = 0;
	Onnx__GraphProto *body = strcmp(text, "Scan") == 0 && m->n_outer > 0 ? m->graph : NULL;
	if (body)
		m->graph = m->outer[--m->n_outer];
	Onnx__NodeProto *n = new_node(m, text, name);
	for (char *w = strtok_r(open + 1, ", ", &rest); w; w = strtok_r(NULL, ", ", &rest)) {
		bool filters = *w == '@'; /* which begins no name */
		w += filters;
		add_operand(m, n, w, filters);
	}
	for (char *w = strtok_r(close + 1, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		add_attribute(m, n, w);
	if (body)
		add_body(n, body);
}

static void begin_body(Maker *m)
{
	APPEND(m, outer, m->graph);
	m->graph = allocate(1, sizeof *m->graph, "the graph");
	onnx__graph_proto__init(m->graph);
	m->graph->name = text_printf("body");
}

/* Its node says of which type. */
static Onnx__ValueInfoProto *argument_of_body(char *name)
{
	Onnx__ValueInfoProto *v = allocate(1, sizeof *v, "the graph");
	onnx__value_info_proto__init(v);
	v->name = name;
	return v;
}

/* `text` is kept: the graph's names point into it. */
static void add_line(Maker *m, char *text)
{
	char *words[6], *rest, *equals = strstr(text, " = ");
	int count = 0;
	if (equals) {
		*equals = 0;
		char *value = equals + 3;
		if (strncmp(value, "ints ", 5) == 0)
			add_ints(m, text, value + 5);
		else if (strncmp(value, "reals ", 6) == 0)
			add_reals(m, text, value + 6, true);
		else if (strncmp(value, "real ", 5) == 0)
			add_reals(m, text, value + 5, false);
		else
			add_node(m, text, value);
		return;
	}
	for (char *w = strtok_r(text, " ", &rest); w && count < 6; w = strtok_r(NULL, " ", &rest))
		words[count++] = w;
	if (count == 4 && strcmp(words[0], "input") == 0) {
		add_input(m, words[1], words[2], words[3]);
	} else if (count == 5 && strcmp(words[0], "output") == 0) {
		APPEND(m->graph, output, new_value(m, words[1], element_type(m, words[2]), words[3], true));
		Onnx__NodeProto *n = new_node(m, text_printf("Identity"), words[1]);
		add_operand(m, n, words[4], false);
	} else if (count == 1 && strcmp(words[0], "body") == 0) {
		begin_body(m);
	} else if (count == 2 && strcmp(words[0], "argument") == 0) {
		APPEND(m->graph, input, argument_of_body(words[1]));
	} else if (count == 4 && strcmp(words[0], "yield") == 0) {
		APPEND(m->graph, output, new_value(m, words[1], element_type(m, words[2]), words[3], false));
	} else {
		broken(m);
	}
}

/* ---- the file */

typedef struct FileBuffer {
	ProtobufCBuffer base;
	FileWriter *writer;
	bool ok;
} FileBuffer;

static void append(ProtobufCBuffer *buffer, size_t length, const uint8_t *bytes)
{
	FileBuffer *b = (FileBuffer *)buffer;
	b->ok = b->ok && file_write(b->writer, bytes, (int64_t)length);
}

static void write_model(Onnx__ModelProto *model, const char *path)
{
	size_t size = onnx__model_proto__get_packed_size(model);
	if (size > INT_MAX)
		die(STATUS_DATA,
		    "nothing was exported: the file would have %s, and ONNX's format ends at 2 GiB",
		    human_bytes((double)size));
	FileBuffer b = {.base = {.append = append}, .writer = file_begin_new(path)};
	b.ok = b.writer != NULL;
	if (b.ok)
		onnx__model_proto__pack_to_buffer(model, &b.base);
	if (b.ok)
		b.ok = file_commit(b.writer);
	else if (b.writer)
		file_abandon(b.writer);
	if (!b.ok)
		die(STATUS_DATA, "nothing was exported: %s", file_failure());
}

/* What the data must be like, under the keys that a file of weights has it under; NULL is left out. */
static void add_metadata(Onnx__ModelProto *model, const char *key, char *value)
{
	if (!value)
		return;
	Onnx__StringStringEntryProto *entry = allocate(1, sizeof *entry, "the graph");
	onnx__string_string_entry_proto__init(entry);
	entry->key = text_printf("%s", key);
	entry->value = value;
	APPEND(model, metadata_props, entry);
}

void onnx_write(const Session *s, const char *path)
{
	const NnrModel *m = s->model;
	if (m->onnx_count == 0)
		die(STATUS_DATA, "`%s` can't be exported as ONNX: %s", m->name, m->onnx[0]);
	Onnx__ModelProto model = ONNX__MODEL_PROTO__INIT;
	Onnx__GraphProto graph = ONNX__GRAPH_PROTO__INIT;
	Onnx__OperatorSetIdProto set = ONNX__OPERATOR_SET_ID_PROTO__INIT, *sets[] = {&set};
	set.domain = text_printf("%s", "");
	set.has_version = 1;
	set.version = OPERATOR_SET;
	model.has_ir_version = 1;
	model.ir_version = IR_VERSION;
	model.producer_name = text_printf("nnc");
	model.producer_version = text_printf("%s", m->version);
	model.graph = &graph;
	model.n_opset_import = 1;
	model.opset_import = sets;
	graph.name = text_printf("%s", m->name);
	Maker maker = {.s = s, .graph = &graph};
	for (int i = 0; i < m->onnx_count; i++) {
		maker.line = m->onnx[i];
		add_line(&maker, text_printf("%s", m->onnx[i]));
	}
	add_metadata(&model, "classes", classes_text(&s->data));
	add_metadata(&model, "table", s->data.table ? table_text(s->data.table, m) : NULL);
	write_model(&model, path);
}
