/* SPDX-License-Identifier: MIT */
/* Memory, initial weights and the model's tables. */
#include "runtime/host/orthogonal.h"
#include "runtime/session/session.h"
#include "base/checked.h"
#include "runtime/session/backend.h"
#include "runtime/host/die.h"
#include "runtime/session/freeze.h"
#include "runtime/session/measures.h"
#include "runtime/host/memory.h"
#include "runtime/host/parallel.h"
#include "runtime/host/progress.h"
#include "runtime/host/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int64_t tensor_elements(const int64_t *dim, int rank)
{
	int64_t n = 1;
	for (int i = 0; i < rank; i++)
		require(dim[i] >= 1 && checked_mul(n, dim[i], &n));
	return n;
}

static void check_place(const char *name, NnrDType dtype, int rank, const int64_t *dim, int64_t offset,
                        int64_t block)
{
	int64_t bytes, end;
	require(name && (unsigned)dtype <= NNR_U8 && rank >= 0 && rank <= NNR_MAX_RANK);
	require(checked_mul(tensor_elements(dim, rank), dtype_bytes(dtype), &bytes));
	require(offset >= 0 && offset % dtype_bytes(dtype) == 0 && checked_add(offset, bytes, &end) &&
	        end <= block);
}

static void check_program(const NnrModel *m, const NnrProgram *p, bool training)
{
	int losses = 0, metrics = 0; /* with counts */
	require(p->run && p->arena_bytes >= 0);
	for (int i = 0; i < p->output_count; i++) {
		const NnrOutput *o = &p->outputs[i];
		check_place(o->name, o->dtype, o->rank, o->dim, o->offset, p->arena_bytes);
		losses += o->kind == NNR_LOSS;
		metrics += o->kind == NNR_METRIC || o->kind == NNR_COUNT;
		if (o->kind == NNR_LOSS || o->kind == NNR_METRIC || o->kind == NNR_COUNT)
			require(training ? tensor_elements(o->dim, o->rank) == 1
			                 : tensor_elements(o->dim, o->rank) == m->batch);
	}
	require(losses == 1 && metrics + (training ? 0 : m->measure_count) <= MAX_METRICS);
}

void session_check_model(const NnrModel *m)
{
	if (m->abi != NNR_ABI)
		die_help(STATUS_INTERNAL, "compile the model and build the runtime with the same nnc",
		         "the model was compiled for version %d of the runtime's contract, this runtime has "
		         "%d",
		         m->abi, NNR_ABI);
	require(m->batch >= 1 && m->chunks >= 1 && m->input_count >= 1 && NNR_BATCH_INPUTS(m) <= MAX_INPUTS);
	require(m->param_count >= 1 && m->state_count >= 0);
	require(m->real == NNR_F32 || m->real == NNR_F64);
	for (int i = 0; i < NNR_BATCH_INPUTS(m); i++) {
		const NnrInput *in = &m->inputs[i];
		check_place(in->name, in->dtype, in->rank, in->dim, in->offset, m->input_bytes);
		require(in->rank >= 1 && in->dim[0] == m->batch);
		require(in->classes <= 0 || in->dtype == NNR_I32 || in->dtype == NNR_U8);
		if (in->transposed) {
			check_place(in->name, in->dtype, in->rank, in->dim, in->transposed,
			            m->input_bytes + m->transposed_bytes);
			require(m->backend && in->transposed >= m->input_bytes && in->rank >= 2);
			require(in->dtype == NNR_F32 || in->dtype == NNR_F64);
		}
	}
	for (int i = 0; i < m->param_count; i++)
		check_place(m->params[i].name, m->params[i].dtype, m->params[i].rank, m->params[i].dim,
		            m->params[i].offset, m->param_bytes);
	for (int i = 0; i < m->state_count; i++) {
		const NnrTensor *t = &m->states[i];
		check_place(t->name, t->dtype, t->rank, t->dim, t->offset, m->state_bytes);
		require(t->first < 0 || t->rank == 1);
	}
	check_program(m, &m->train, true);
	check_program(m, &m->evaluate, false);
	require(m->predict.run);
	for (int i = 0; i < m->predict.output_count; i++) {
		const NnrOutput *o = &m->predict.outputs[i];
		check_place(o->name, o->dtype, o->rank, o->dim, o->offset, m->predict.arena_bytes);
	}
}

/* Adds the outputs of a kind to the `count` that there are. */
static int add_scores(const NnrProgram *p, NnrOutputKind kind, const NnrOutput **scores, int count)
{
	for (int i = 0; i < p->output_count; i++)
		if (p->outputs[i].kind == kind)
			scores[count++] = &p->outputs[i];
	return count;
}

static const NnrOutput *score_of(const NnrProgram *p, NnrOutputKind kind, const char *name)
{
	for (int i = 0; i < p->output_count; i++)
		if (p->outputs[i].kind == kind && strcmp(p->outputs[i].name, name) == 0)
			return &p->outputs[i];
	return NULL;
}

/* Zeroed, page-aligned, with huge pages where the system gives them: fewer TLB misses in the large blocks. */
char *block_new(int64_t bytes, const char *what)
{
	size_t length = bytes > 0 ? (size_t)bytes : 1;
	void *p = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		die(STATUS_MEMORY, "not enough memory for %s (%s)", what, human_bytes((double)bytes));
	(void)madvise(p, length, MADV_HUGEPAGE); /* a hint: refusing it is no failure */
	return p;
}

int64_t session_arena_bytes(const NnrModel *m, const Options *o)
{
	bool predicts = predicts_only(o),
	     evaluates = o->command == COMMAND_EVAL || (o->command == COMMAND_TRAIN && !o->no_eval);
	const struct {
		const NnrProgram *program;
		bool runs;
	} programs[] = {
	        {&m->train, trains(o)},
	        {&m->evaluate, evaluates},
	        {&m->predict, predicts},
	        {&m->prepare, evaluates || predicts},
	};
	int64_t most = 0;
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		if (programs[i].runs && programs[i].program->arena_bytes > most)
			most = programs[i].program->arena_bytes;
	return most;
}

int64_t session_request_batches(const NnrModel *m, const Options *o)
{
	if (!predicts_only(o))
		return 0;
	if (takes_weights(o))
		return 1;
	return o->batch > 0 ? (o->batch + m->batch - 1) / m->batch : m->chunks;
}

int64_t session_most_arena(const NnrModel *m)
{
	const int64_t bytes[] = {m->train.arena_bytes, m->predict.arena_bytes, m->prepare.arena_bytes};
	int64_t most = 0;
	for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
		most = bytes[i] > most ? bytes[i] : most;
	return most;
}

int64_t session_input_bytes(const NnrModel *m, const Options *o)
{
	return m->input_bytes + (trains(o) ? m->transposed_bytes : 0);
}

int64_t session_input_batches(const NnrModel *m, const Options *o)
{
	int64_t request = session_request_batches(m, o);
	return request > 0 ? request : m->backend ? 2 : 1;
}

int64_t output_batch_bytes(const NnrOutput *o)
{
	return tensor_elements(o->dim, o->rank) * dtype_bytes(o->dtype);
}

int64_t session_predicted_bytes(const NnrModel *m)
{
	int64_t bytes = 0;
	for (int i = 0; i < m->predict.output_count; i++)
		bytes += output_batch_bytes(&m->predict.outputs[i]);
	return bytes;
}

int64_t session_prediction_bytes(const NnrModel *m, const Options *o)
{
	return session_request_batches(m, o) > 1 ? session_predicted_bytes(m) : 0;
}

double session_plan_bytes(const NnrModel *m, const Options *o)
{
	double inputs = (double)session_input_batches(m, o) * (double)session_input_bytes(m, o);
	return (double)m->param_bytes + (double)m->state_bytes + inputs + (double)session_arena_bytes(m, o) +
	       (double)session_request_batches(m, o) * (double)session_prediction_bytes(m, o);
}

char *session_size_text(const NnrModel *m, const Options *o)
{
	if (session_request_batches(m, o) > 1)
		return text_printf("%lld batches of %lld a request", (long long)session_request_batches(m, o),
		                   (long long)m->batch);
	return text_printf("%s %lld", m->chunks > 1 ? "chunk" : "batch", (long long)m->batch);
}

double session_data_room(const NnrModel *m, const Options *o)
{
	/* what the plan maps on this machine is not touched yet */
	double plan = m->backend ? (double)(m->param_bytes + m->state_bytes) : session_plan_bytes(m, o);
	return fmax(0, fmin(0.9 * memory_available() - plan, 0.9 * memory_addresses_left()));
}

char *session_what_fits(const NnrModel *m, const Options *o, double available)
{
	double arena = (double)session_arena_bytes(m, o),
	       fixed = (double)m->param_bytes + (double)m->state_bytes;
	if (trains(o)) /* the gradients are in the arena */
		fixed += fmin((double)m->param_bytes, arena);
	double one = session_plan_bytes(m, o) - fixed;
	if (session_request_batches(m, o) > 1) {
		double each = (double)(m->input_bytes + session_prediction_bytes(m, o));
		int64_t batches = (int64_t)((available - fixed - arena) / each);
		one = arena + (double)m->input_bytes; /* whose predictions stay in the arena */
		if (batches < 1 && available - fixed >= one)
			batches = 1;
		if (batches >= 1)
			return text_printf("requests of up to %lld samples fit: `--batch %lld`",
			                   (long long)(batches * m->batch), (long long)(batches * m->batch));
	}
	int64_t samples = (int64_t)((available - fixed) / (one / (double)m->batch));
	if (m->chunks > 1) /* it has to divide the batch */
		while (samples > 1 && step_samples(m) % samples)
			samples--;
	if (samples < 1)
		return NULL;
	const char *what = m->chunks > 1 ? "chunk" : "batch";
	return text_printf("a %s of about %lld would fit: compile with `nnc --set %s=%lld`", what,
	                   (long long)samples, what, (long long)samples);
}

void session_report(const Session *s)
{
	const NnrModel *m = s->model;
	const Dataset *d = &s->data;
	int64_t batches = session_input_batches(m, &s->options);
	progress_say("memory: parameters %s, state %s, %s %s, activations %s: %s",
	             human_bytes((double)m->param_bytes), human_bytes((double)m->state_bytes),
	             batches > 1 ? "batches" : "batch",
	             human_bytes((double)(batches * session_input_bytes(m, &s->options))),
	             human_bytes((double)session_arena_bytes(m, &s->options)),
	             human_bytes(session_plan_bytes(m, &s->options)));
	if (m->backend)
		progress_say("device: %s", s->backend->device(s));
	progress_say("data: %s, %s training samples, %s held out", d->format,
	             count_text((double)d->train.count), count_text((double)session_held_out(s)));
	if (d->store)
		progress_say("data: %s", d->store);
}

/* The loss, the metrics in the training program's order, then their counts. The evaluation program has the same ones,
 * maybe in another order. */
void session_find_scores(Session *s)
{
	const NnrProgram *training = &s->model->train, *evaluation = &s->model->evaluate;
	s->score_count =
	        add_scores(training, NNR_METRIC, s->scores, add_scores(training, NNR_LOSS, s->scores, 0));
	s->evaluated_count = s->score_count + s->model->measure_count;
	s->sum_count = add_scores(training, NNR_COUNT, s->scores, s->score_count);
	for (int i = 0; i < s->sum_count; i++) {
		s->eval_scores[i] = score_of(evaluation, s->scores[i]->kind, s->scores[i]->name);
		require(s->eval_scores[i]);
	}
	for (int k = s->score_count; k < s->sum_count; k++)
		for (int i = 1; i < s->score_count; i++)
			if (strcmp(s->scores[k]->name, s->scores[i]->name) == 0)
				s->counted[i] = k;
}

void session_means(const Session *s, const double sums[1 + MAX_METRICS], double count,
                   double means[1 + MAX_METRICS])
{
	for (int i = 0; i < s->score_count; i++)
		means[i] = sums[i] / (s->counted[i] ? sums[s->counted[i]] : count);
}

void session_prepare(Session *s)
{
	const NnrModel *m = s->model;
	session_find_scores(s);
	s->backend = m->backend ? m->backend : &nnr_cpu_backend;
	s->backend->open(s);
	s->memory.params = block_new(m->param_bytes, "the parameters");
	s->memory.state = block_new(m->state_bytes, "the optimizer's state");
}

void block_free(char *block, int64_t bytes)
{
	require(!block || munmap(block, bytes > 0 ? (size_t)bytes : 1) == 0);
}

void session_free(Session *s)
{
	block_free(s->memory.params, s->model->param_bytes);
	block_free(s->memory.state, s->model->state_bytes);
	s->backend->close(s);
	session_free_shares(s);
	free(s->metrics);
	free(s->decisions);
	dataset_free(&s->data);
	measures_free(s->measures);
	freeze_close(s);
}

/* What one call of fill_part computes: PART elements of one tensor, or its rest. */
enum { PART = 1 << 16 };
typedef struct FillPart {
	char *block;
	const NnrTensor *tensor;
	uint32_t index; /* of the tensor */
	int64_t first;
} FillPart;

typedef struct Fill {
	FillPart *parts;
	int64_t count;
	uint64_t seed;
} Fill;

/* Draws that are refused are replaced by those of further blocks, whose counters no element has. */
static double truncated(const Fill *fill, const FillPart *part, int64_t i, const uint32_t word[2])
{
	double x = rng_normal(word[0], word[1]);
	for (uint64_t attempt = 1; fabs(x) > 2 && attempt < 256; attempt++) {
		Philox r = rng_block(fill->seed, RNG_INIT, attempt << 56 | (uint64_t)i, part->index);
		x = rng_normal(r.word[0], r.word[1]);
	}
	return x;
}

/* Element i of rows that take the middle of their column; of further rows `other`. */
static float identity(const NnrTensor *t, int64_t i, float other)
{
	int64_t columns = t->rank > 0 ? t->dim[t->rank - 1] : 1, middle = 0, places = 1;
	for (int k = 1; k < t->rank - 1; k++) {
		middle = middle * t->dim[k] + t->dim[k] / 2;
		places *= t->dim[k];
	}
	int64_t column = i % columns, place = i / columns % places, row = i / columns / places;
	return row >= columns ? other : row == column && place == middle ? 1 : 0;
}

/* Values are rounded to f32 whatever the model computes in, so that an f64 build starts from the same weights. One
 * block of the generator serves two neighbours. */
static void fill_part(void *context, int64_t number)
{
	const Fill *fill = context;
	const FillPart *part = &fill->parts[number];
	const NnrTensor *t = part->tensor;
	int64_t n = tensor_elements(t->dim, t->rank), end = part->first + PART;
	float *f = (float *)(void *)(part->block + t->offset);
	double *d = (double *)(void *)(part->block + t->offset);
	Philox r = {0};
	for (int64_t i = part->first; i < n && i < end; i++) {
		float value = (float)t->a;
		if (t->init != NNR_CONSTANT) {
			if (i % 2 == 0)
				r = rng_block(fill->seed, RNG_INIT, (uint64_t)i / 2, part->index);
			uint32_t *word = r.word + 2 * (i % 2);
			double scale = t->init == NNR_ORTHOGONAL ? 1 : t->a;
			bool uniform = t->init == NNR_UNIFORM || t->init == NNR_PASSES_ON;
			value = (float)(scale * (uniform                    ? 2 * rng_unit(word[0]) - 1
			                         : t->init == NNR_TRUNCATED ? truncated(fill, part, i, word)
			                                                    : rng_normal(word[0], word[1])));
		}
		if (t->init == NNR_PASSES_ON)
			value = identity(t, i, value);
		if (t->dtype == NNR_F32)
			f[i] = value;
		else
			d[i] = (double)value;
	}
}

/* Of a tensor that is filled with normal numbers. */
static void make_orthogonal(void *context, int64_t number)
{
	const Fill *fill = context;
	const FillPart *part = &fill->parts[number];
	const NnrTensor *t = part->tensor;
	int64_t n = tensor_elements(t->dim, t->rank), rows = t->rank > 0 ? t->dim[0] : 1;
	if (t->init != NNR_ORTHOGONAL || part->first > 0)
		return;
	float *f = (float *)(void *)(part->block + t->offset);
	double *d = (double *)(void *)(part->block + t->offset);
	double *x = allocate(n, sizeof *x, "an orthogonal matrix");
	for (int64_t i = 0; i < n; i++)
		x[i] = t->dtype == NNR_F32 ? (double)f[i] : d[i];
	orthogonal(x, rows, n / rows);
	for (int64_t i = 0; i < n; i++) {
		float value = (float)(t->a * x[i]);
		if (t->dtype == NNR_F32)
			f[i] = value;
		else
			d[i] = (double)value;
	}
	free(x);
}

static int64_t part_count(const NnrTensor *tensors, int count)
{
	int64_t parts = 0;
	for (int i = 0; i < count; i++)
		parts += tensor_elements(tensors[i].dim, tensors[i].rank) / PART + 1;
	return parts;
}

static void add_parts(Fill *fill, char *block, const NnrTensor *tensors, int count, uint32_t index)
{
	for (int i = 0; i < count; i++) {
		const NnrTensor *t = &tensors[i];
		require(t->dtype == NNR_F32 || t->dtype == NNR_F64);
		int64_t n = tensor_elements(t->dim, t->rank);
		for (int64_t first = 0; first < n; first += PART)
			fill->parts[fill->count++] = (FillPart){block, t, index + (uint32_t)i, first};
	}
}

void session_init_weights(Session *s)
{
	const NnrModel *m = s->model;
	Fill fill = {.seed = s->seed};
	int64_t room = part_count(m->params, m->param_count) + part_count(m->states, m->state_count);
	fill.parts = allocate(room, sizeof *fill.parts, "the initial weights");
	add_parts(&fill, s->memory.params, m->params, m->param_count, 0);
	add_parts(&fill, s->memory.state, m->states, m->state_count, (uint32_t)m->param_count);
	parallel_for(fill.count, (int)s->options.threads, fill_part, &fill, NULL);
	parallel_for(fill.count, (int)s->options.threads, make_orthogonal, &fill, NULL);
	free(fill.parts);
	session_begin_average(s);
}

/* passes/add_update.c: in the order of the parameters that are trained, which stand before all others. NULL: none. */
static char *average_of(const Session *s, size_t *bytes)
{
	const NnrModel *m = s->model;
	for (int i = 0; i < m->state_count; i++) {
		const NnrTensor *t = &m->states[i];
		if (strcmp(t->name, "ema.params") != 0)
			continue;
		*bytes = (size_t)(tensor_elements(t->dim, t->rank) * dtype_bytes(t->dtype));
		return s->memory.state + t->offset;
	}
	return NULL;
}

void session_begin_average(Session *s)
{
	size_t bytes;
	char *average = average_of(s, &bytes);
	if (average)
		memcpy(average, s->memory.params, bytes);
}

void session_take_average(Session *s)
{
	size_t bytes;
	const char *average = average_of(s, &bytes);
	if (average)
		memcpy(s->memory.params, average, bytes);
}

double output_value(const Session *s, const NnrOutput *o, int64_t i)
{
	return dtype_value(s->memory.arena + o->offset, o->dtype, i);
}

double score_shown(double mean)
{
	return isnan(mean) ? fabs(mean) : mean;
}

int64_t count_not_finite(const void *at, NnrDType dtype, int64_t elements)
{
	int64_t count = 0;
	for (int64_t i = 0; i < elements; i++)
		count += !isfinite(dtype_value(at, dtype, i));
	return count;
}

bool session_weights_are_finite(const Session *s)
{
	const NnrModel *m = s->model;
	for (int i = 0; i < m->param_count; i++) {
		const NnrTensor *t = &m->params[i];
		if (count_not_finite(s->memory.params + t->offset, t->dtype,
		                     tensor_elements(t->dim, t->rank)))
			return false;
	}
	return true;
}

static double squares_of(const char *at, NnrDType dtype, int64_t first, int64_t count)
{
	double sum = 0;
	for (int64_t k = first; k < first + count; k++) {
		double v = dtype_value(at, dtype, k);
		sum += v * v;
	}
	return sum;
}

double session_param_norm(const Session *s, int tensor)
{
	const NnrTensor *t = &s->model->params[tensor];
	return sqrt(squares_of(s->memory.params + t->offset, t->dtype, 0, tensor_elements(t->dim, t->rank)));
}

static const float *scalar_state(const Session *s, const char *name)
{
	for (int i = 0; i < s->model->state_count; i++)
		if (strcmp(s->model->states[i].name, name) == 0)
			return (const float *)(const void *)(s->memory.state + s->model->states[i].offset);
	return NULL;
}

/* By how much the gradient of the last step is too large: 1, or in fp16 the loss scale that it was computed with
 * (compiler/passes/loss_scale.h). The state has the next step's: twice that where the count of good steps has begun
 * anew, unless it was the largest already, which then can't be told. A step that halved it had no finite gradient. */
static double gradient_scale(const Session *s)
{
	static const double largest = 0x1p24;
	const float *scale = scalar_state(s, "loss_scale"), *good = scalar_state(s, "loss_scale.good");
	if (!scale || !good)
		return 1;
	if (*good > 0)
		return *scale;
	return *scale < largest ? *scale / 2 : NAN;
}

double session_gradient_norm(const Session *s, const char *gradient, int tensor)
{
	const NnrTensor *t = &s->model->params[tensor];
	if (t->frozen)
		return 0;
	return sqrt(squares_of(gradient, s->model->train.gradient->dtype, t->offset / dtype_bytes(t->dtype),
	                       tensor_elements(t->dim, t->rank))) /
	       gradient_scale(s);
}

const char *score_name(const Session *s, int i)
{
	return i == 0               ? "loss"
	       : i < s->score_count ? s->scores[i]->name
	                            : s->model->measures[i - s->score_count].name;
}

/* ---- --print-model */

static void print_tensors(FILE *to, const char *title, const NnrTensor *tensors, int count)
{
	int64_t elements = 0, bytes = 0;
	fprintf(to, "\n%s\n", title);
	for (int i = 0; i < count; i++) {
		char *shape = shape_text(tensors[i].dim, tensors[i].rank);
		fprintf(to, "  %-40s %-4s %-24s\n", tensors[i].name, dtype_name(tensors[i].dtype), shape);
		const int64_t here = tensor_elements(tensors[i].dim, tensors[i].rank);
		elements += here;
		bytes += here * dtype_bytes(tensors[i].dtype);
		free(shape);
	}
	fprintf(to, "  %d tensors, %s elements, %s\n", count, count_text((double)elements),
	        human_bytes((double)bytes));
}

static void print_outputs(FILE *to, const char *title, const NnrProgram *p)
{
	static const char *const kinds[] = {"loss", "metric", "count", "gradient", "value", "measured"};
	fprintf(to, "\n%s (activations %s)\n", title, human_bytes((double)p->arena_bytes));
	for (int i = 0; i < p->output_count; i++) {
		const NnrOutput *o = &p->outputs[i];
		char *shape = shape_text(o->dim, o->rank);
		fprintf(to, "  %-9s %-30s %-4s %s\n", kinds[o->kind], o->name, dtype_name(o->dtype), shape);
		free(shape);
	}
}

void session_print_model(const NnrModel *m, FILE *to)
{
	fprintf(to, "%s of %s, compiled by nnc %s\nrecipe: %s\n\ninputs of one batch of %lld\n", m->name,
	        m->source, m->version, m->recipe, (long long)m->batch);
	for (int i = 0; i < m->input_count; i++)
		fprintf(to, "  %s\n", input_text(&m->inputs[i]));
	print_tensors(to, "parameters", m->params, m->param_count);
	print_tensors(to, "states", m->states, m->state_count);
	print_outputs(to, "outputs of a training step", &m->train);
	print_outputs(to, "outputs of an evaluation step", &m->evaluate);
	print_outputs(to, "outputs of a prediction", &m->predict);
}
