/* SPDX-License-Identifier: MIT */
/* The sample kernel of an on-chip step (ir/onchip.h).
 *
 * It reads like a training step: a memory map, then a call for each step of the program of one sample, which is a
 * function of its own; barriers stand where a step needs what one before it wrote, or writes what one read; between two
 * steps that one warp does alone, those of that warp. Parameters and the next sample's inputs are on their way to the
 * chip while steps run. */
#include "kernels/conv.h"
#include "codegen/forms.h"
#include "ir/op.h"
#include "emit/describe.h"
#include "codegen/expr.h"
#include "codegen/held.h"
#include "onchip/text.h"
#include <limits.h>
#include <string.h>

enum { COMMENT_COLUMN = 80, SMALLEST_LARGE = 4096, HANDED_ON = INT_MAX };

/* ---- barriers */

/* Values in registers are nobody else's. */
static bool overlap(const Buffer *x, const Buffer *y)
{
	if (is_held(x) || is_held(y))
		return false;
	int64_t a = buffer_offset(x), b = buffer_offset(y);
	return a < b + y->bytes && b < a + x->bytes;
}

/* Who must have come to this point before what is called next may begin. */
typedef enum { WAIT_NONE, WAIT_WARP, WAIT_BLOCK } Wait;

/* Which warps do a step. */
typedef enum { BY_BLOCK, BY_BLOCK_THEN_WARP, BY_WARP } Warps;

static Warps warps_of(const OnChipText *t, const Step *s)
{
	if (s->held && held_step(s) == HELD_PRODUCT)
		return BY_BLOCK_THEN_WARP;
	if (s->kind != STEP_KERNEL)
		return BY_BLOCK;
	LoopNest nest = loops_of_step(t->arena, s, t->block);
	return block_takes_one_warp(&nest, t->o->threads) ? BY_WARP : BY_BLOCK;
}

/* After those of a list that b overlaps; where one warp is all there is on both sides, the warp waits for its
 * lanes. */
static Wait wait_after(const Touches *list, const Buffer *b, bool warp)
{
	Wait wait = WAIT_NONE;
	for (int i = 0; i < list->count; i++) {
		Wait after = warp && list->at[i].first_warp ? WAIT_WARP : WAIT_BLOCK;
		if (overlap(list->at[i].buffer, b) && after > wait)
			wait = after;
	}
	return wait;
}

static void write_barrier(OnChipText *t)
{
	write_line(t->w, "__syncthreads();");
	t->read.count = t->written.count = 0;
}

/* A parameter that takes so long to the chip that the first steps begin without it. */
static bool is_large(const Buffer *b)
{
	return b->class == BUFFER_PARAMETER && b->bytes >= SMALLEST_LARGE;
}

/* A barrier, where what is called next needs one. */
static void use(OnChipText *t, Buffer *const *reads, int read_count, Buffer *const *writes, int write_count,
                Warps warps)
{
	Wait wait = WAIT_NONE;
	bool awaited = false, warp = warps == BY_WARP;
	for (int i = 0; i < read_count; i++)
		awaited = awaited || (t->fetching && is_large(buffer_root(reads[i])));
	if (awaited) {
		write_line(t->w, "nnr_block_await<0>();");
		t->fetching = false;
		wait = WAIT_BLOCK;
	}
	for (int i = 0; i < read_count + write_count; i++) {
		const Buffer *b = i < read_count ? reads[i] : writes[i - read_count];
		Wait written = wait_after(&t->written, b, warp);
		Wait read = i < read_count ? WAIT_NONE : wait_after(&t->read, b, warp);
		wait = written > wait ? written : wait;
		wait = read > wait ? read : wait;
	}
	if (wait == WAIT_BLOCK)
		write_barrier(t);
	else if (wait == WAIT_WARP)
		write_line(t->w, "__syncwarp();");
	for (int i = 0; i < read_count; i++)
		array_push(t->arena, &t->read, (Touch){reads[i], warp});
	for (int i = 0; i < write_count; i++)
		array_push(t->arena, &t->written, (Touch){writes[i], warps != BY_BLOCK});
}

/* ---- the sample kernel */

static const char *sample_function(OnChipText *t, const Step *s, StepFunction *f)
{
	Emitter *e = t->e;
	*f = step_function(t->arena, t->o->sample, s, t->block);
	const char *body = step_text(t->arena, f);
	char *key = arena_printf(t->arena, "%s\n%s", f->params, body);
	const char *name = map_get(e->block_functions, key);
	if (name)
		return name;
	name = emit_unique_name(e, f->stem);
	map_set(e->block_functions, key, (void *)name);
	write_line(t->w, "/* %s",
	           step_formula(t->arena, t->o->sample, s, &f->tensors, 3 * ONCHIP_FORMULA_WIDTH));
	write_line(t->w, " * %s", comment_text(t->arena, sites_text(t->arena, s->sites, 8)));
	write_line(t->w, " * %s */", step_measures(t->arena, s));
	emit_function(t->w,
	              arena_printf(t->arena, "static __device__ __forceinline__ void %s(%s)", name,
	                           f->device_params),
	              body);
	return name;
}

/* The inputs, which change their place from sample to sample, or all else. */
static void write_chip_map(OnChipText *t, const bool *used, bool inputs)
{
	const Program *p = t->o->sample;
	for (int i = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		bool input = buffer_root((Buffer *)b)->class == BUFFER_INPUT;
		if (!used[i] || input != inputs || is_held(b))
			continue;
		const char *type = dtype_c_name(b->type.dtype);
		write_text(t->w, "%s *const %s = (%s *)(chip + %lld%s);", type, b->name, type,
		           (long long)buffer_offset(b), inputs && t->o->turns > 1 ? " + slot" : "");
		write_comment(t->w, COMMENT_COLUMN, "%s  %s", shape_text(t->arena, b->type),
		              human_count(t->arena, (double)b->bytes, "B"));
		write_line(t->w, "%s", "");
	}
}

static bool is_multiple(int64_t bytes)
{
	return bytes % 16 == 0;
}

static void write_copy(OnChipText *t, const char *to, const char *from, int64_t elements, bool vectors)
{
	write_line(t->w, "nnr_block_copy<%d, %lld, %s>(%s, %s);", t->o->threads, (long long)elements,
	           vectors ? "true" : "false", to, from);
}

/* Small parameters first: the first steps wait for those alone. */
static void fetch_parameters(OnChipText *t, bool large)
{
	const Program *p = t->o->sample;
	bool any = false;
	for (int i = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		if (b->inside || b->class != BUFFER_PARAMETER || is_large(b) != large)
			continue;
		int64_t at = node_int(b->node, "offset") * dtype_bytes(b->type.dtype);
		write_line(t->w, "nnr_block_fetch<%d, %lld, %s>(%s, (const %s *)(params + %lld));",
		           t->o->threads, (long long)type_elements(b->type),
		           is_multiple(at) ? "true" : "false", b->name, dtype_c_name(b->type.dtype),
		           (long long)at);
		any = true;
		t->fetching = large;
	}
	if (any)
		write_line(t->w, "nnr_block_commit();");
}

static const Buffer *input_of(const Program *p, const char *name)
{
	for (int i = 0; i < p->buffer_count; i++)
		if (p->buffers[i]->class == BUFFER_INPUT && !p->buffers[i]->inside &&
		    strcmp(node_text(p->buffers[i]->node, "name"), name) == 0)
			return p->buffers[i];
	return NULL;
}

/* Brings the inputs of the sample of a turn to a place on chip. The feeds are numbered as the training program's
 * inputs. */
static void fetch_inputs(OnChipText *t, const char *round, const char *slot)
{
	int feed = 0;
	for (int i = 0; i < t->p->buffer_count; i++) {
		const Buffer *whole = t->p->buffers[i];
		if (whole->class != BUFFER_INPUT || whole->inside)
			continue;
		const Buffer *b = input_of(t->o->sample, node_text(whole->node, "name"));
		if (b) {
			const char *type = dtype_c_name(b->type.dtype);
			write_line(t->w, "nnr_block_fetch<%d, %lld, true>((%s *)(chip + %lld%s),",
			           t->o->threads, (long long)type_elements(b->type), type,
			           (long long)buffer_offset(b), slot);
			write_line(
			        t->w,
			        "\t(const %s *)nnr_sample_at(supply, indices[%s], %d, inputs + %lld, %lld));",
			        type, round, feed, (long long)buffer_offset(whole), (long long)b->bytes);
		}
		feed++;
	}
	write_line(t->w, "nnr_block_commit();");
}

/* The names of what a step has beside values, none of which begins with `_` or has a capital letter and no `_` at
 * its end (c_identifier). */
static const char *local_name(const OnChipText *t, const char *wanted, int number)
{
	return arena_printf(t->arena, "%s%d", wanted, number + 1);
}

/* The type of what owns a held value. */
static const char *held_local(const OnChipText *t, const Held *h)
{
	int id = 0;
	while (t->o->sample->steps[id].root != h->root[HELD_CONV])
		id++;
	return local_name(t, "Held", id);
}

/* The values in registers, and what owns them; what a thread has of weights is loaded once. */
static void write_held_map(OnChipText *t, const bool *used)
{
	const Program *p = t->o->sample;
	for (int s = 0; s < p->step_count; s++)
		if (p->steps[s].held && held_step(&p->steps[s]) == HELD_PRODUCT)
			write_line(t->w, "using %s = %s;", held_local(t, p->steps[s].held),
			           held_type(t->arena, p->steps[s].held, t->o->threads));
	for (int i = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		if (!used[i] || b->class != BUFFER_HELD || b->inside)
			continue;
		const Held *h = held_of(p, b);
		const char *type = dtype_c_name(b->type.dtype);
		write_text(t->w, "%s %s[%lld] = {};", type, b->name, (long long)held_count(p, b));
		write_comment(t->w, COMMENT_COLUMN, "%s", held_words(t->arena, h, b));
		write_line(t->w, "%s", "");
		if (b->node && node_is_param(b->node))
			write_line(t->w, "%s::load<%lld>(%s, (const %s *)(params + %lld));", held_local(t, h),
			           (long long)(held_count(p, b) / h->elements), b->name, type,
			           (long long)(node_int(b->node, "offset") * dtype_bytes(b->type.dtype)));
	}
}

static void call_step(OnChipText *t, const Step *s, const char *function, const StepFunction *f)
{
	Arena *a = t->arena;
	use(t, s->reads, s->read_count, s->writes, s->write_count, warps_of(t, s));
	write_line(t->w, "/* %d  %s  %s  %s */", s->id + 1, comment_text(a, sites_text(a, s->sites, 4)),
	           step_formula(a, t->o->sample, s, NULL, ONCHIP_FORMULA_WIDTH), step_measures(a, s));
	if (s->root && s->root->op->gemm == GEMM_WGRAD) {
		const char *form = local_name(t, "Filters", s->id), *sums = local_name(t, "_filters", s->id);
		write_line(t->w, "%s::add(%s, %s, %s%s%s);", form, sums,
		           buffer_of(t->o->sample, s->root->operands[0])->name,
		           s->held ? t->o->sample->buffers[s->held->winner]->name : "", s->held ? ", " : "",
		           held_name(buffer_of(t->o->sample, s->root->operands[1])));
		return;
	}
	if (s->kind == STEP_COPY) {
		write_copy(t, s->writes[0]->name,
		           arena_printf(a, "(const %s *)%s", dtype_c_name(s->writes[0]->type.dtype),
		                        s->reads[0]->name),
		           type_elements(s->writes[0]->type), false);
		return;
	}
	const char *arguments = "";
	for (int i = 0; i < f->tensors.count; i++)
		arguments = arena_listed(a, arguments, "%s", held_name(f->tensors.at[i].buffer));
	if (f->tensors.scalars)
		arguments = arena_listed(a, arguments, "s");
	write_line(t->w, "%s(%s);", function, arguments);
}

static bool lies_in(const Buffer *b, const Buffer *whole)
{
	while (b && b != whole)
		b = b->inside;
	return b != NULL;
}

/* The last step that writes some of an output's value: itself, its parts, or what it is a view of; -1: an input. What
 * else shares its storage does not count, for a value is often written over one that is no longer needed, and none over
 * an output. */
static int last_write(const Program *p, const Buffer *b)
{
	int last = -1;
	for (; b && last < 0; b = b->inside)
		for (int s = 0; s < p->step_count; s++)
			for (int i = 0; i < p->steps[s].write_count; i++)
				if (lies_in(p->steps[s].writes[i], b))
					last = s;
	return last;
}

/* By export: the step after which its value is there; HANDED_ON once it is. */
static int *exports_ready(OnChipText *t)
{
	int *ready = NEW_ARRAY(t->arena, int, t->o->export_count + 1);
	for (int i = 0; i < t->o->export_count; i++)
		ready[i] = last_write(t->o->sample, t->o->sample->output_buffers[t->o->exports[i].output]);
	return ready;
}

/* After a step, hands on what the update needs of this sample, as early as no barrier is needed for it: one warp may
 * be busy with a step that has no work for the others. After the last step: whatever is left. */
static void write_exports(OnChipText *t, int step, int *ready)
{
	const Program *p = t->o->sample;
	for (int i = 0; i < t->o->export_count; i++) {
		const Export *x = &t->o->exports[i];
		Buffer *b = p->output_buffers[x->output];
		bool barrier = wait_after(&t->written, b, false) != WAIT_NONE;
		if (ready[i] > step || (barrier && step < p->step_count - 1))
			continue;
		ready[i] = HANDED_ON;
		use(t, &b, 1, NULL, 0, BY_BLOCK);
		const char *to = arena_printf(
		        t->arena, "(%s *)(arena + %lld) + sample * %lld", dtype_c_name(b->type.dtype),
		        (long long)buffer_offset(t->p->buffers[x->to]), (long long)type_elements(b->type));
		if (is_held(b))
			write_line(t->w, "%s::store(%s, %s);", held_local(t, held_of(p, b)), to,
			           held_name(b));
		else
			write_copy(t, to, b->name, type_elements(b->type), true);
	}
}

static char *sums_at(const OnChipText *t, const BatchSum *sum)
{
	return arena_printf(t->arena, "sums + %lld", (long long)sum->offset);
}

static char *partial_at(const OnChipText *t, const BatchSum *sum)
{
	return arena_printf(t->arena, "(%s *)(arena + %lld) + blockIdx.x * %lld + %lld", onchip_real(t),
	                    (long long)buffer_offset(t->p->buffers[t->o->partial]),
	                    (long long)t->o->partial_elements, (long long)sum->offset);
}

/* What this sample adds to the block's sums; with one sample to a block, straight to its place in memory. */
static void write_terms(OnChipText *t, bool several)
{
	for (int i = 0; i < t->o->sum_count; i++) {
		const BatchSum *sum = &t->o->sums[i];
		if (sum->kind != SUM_TERM)
			continue;
		Buffer *b = t->o->sample->output_buffers[sum->term[0]];
		use(t, &b, 1, NULL, 0, BY_BLOCK);
		if (several)
			write_line(t->w, "nnr_block_add<%d, %lld>(%s, %s);", t->o->threads,
			           (long long)sum->elements, sums_at(t, sum), b->name);
		else
			write_copy(t, partial_at(t, sum), b->name, sum->elements, false);
	}
}

/* ---- weight gradients of convolutions, in registers over all samples of the block */

static void declare_filters(OnChipText *t)
{
	for (int i = 0; i < t->o->sum_count; i++) {
		const char *form;
		if (t->o->sums[i].kind != SUM_FILTERS)
			continue;
		const Step *s = onchip_filter_step(t->o, &t->o->sums[i]);
		const char *type = local_name(t, "Filters", s->id);
		if (s->held)
			form = held_filters_type(t->arena, s->held, t->o->threads);
		else
			require(conv_wgrad_block_form(t->arena, s->root, t->o->threads, &form));
		write_line(t->w, "using %s = %s;", type, form);
		write_line(t->w, "%s %s[%s::count] = {};", onchip_real(t), local_name(t, "_filters", s->id),
		           type);
	}
}

/* The sum of dy over the pixels that comes with a weight gradient; NULL where nothing asks for it. */
static const BatchSum *gradient_sum(const OnChipText *t, const BatchSum *filters)
{
	for (int i = 0; i < t->o->sum_count; i++)
		if (t->o->sums[i].kind == SUM_GRADIENT &&
		    t->o->sums[i].node->operands[0] == filters->node->operands[1])
			return &t->o->sums[i];
	return NULL;
}

static void finish_filters(OnChipText *t)
{
	for (int i = 0; i < t->o->sum_count; i++) {
		const BatchSum *sum = &t->o->sums[i];
		if (sum->kind != SUM_FILTERS)
			continue;
		const Step *s = onchip_filter_step(t->o, sum);
		const BatchSum *with = gradient_sum(t, sum);
		write_barrier(t); /* the sums are ended where values of the sample were */
		write_line(t->w, "%s::finish(%s, (%s *)chip, [&](int i, %s value) {",
		           local_name(t, "Filters", s->id), local_name(t, "_filters", s->id), onchip_real(t),
		           onchip_real(t));
		write_line(t->w, "\tif (i < %lld)", (long long)sum->elements);
		write_line(t->w, "\t\t(%s)[i] = value;", partial_at(t, sum));
		if (with) {
			write_line(t->w, "\telse");
			write_line(t->w, "\t\t(%s)[i - %lld] = value;", partial_at(t, with),
			           (long long)sum->elements);
		}
		write_line(t->w, "});");
	}
}

static void write_sample_head(OnChipText *t)
{
	const Program *p = t->o->sample;
	double flops = 0;
	for (int s = 0; s < p->step_count; s++)
		flops += p->steps[s].flops;
	int64_t batch = t->p->graph->batch;
	write_line(t->w,
	           "/* Forward and backward of %lld samples, %lld blocks of %d threads with one at a time; "
	           "on chip.",
	           (long long)batch, (long long)t->o->blocks, t->o->threads);
	write_line(
	        t->w,
	        " * %s a sample; values of a sample %s, with inputs, parameters and sums %s of shared memory",
	        human_count(t->arena, flops, "FLOP"), human_count(t->arena, (double)p->arena_bytes, "B"),
	        human_count(t->arena, (double)t->o->chip_bytes, "B"));
	long long turns = (batch + t->o->blocks - 1) / t->o->blocks;
	write_line(t->w, " * bound: the FLOPs of %lld turn%s, and three times the latency of the memory */",
	           turns, turns == 1 ? "" : "s");
}

/* One more block computes the scalars of the update, once instead of in each thread of the update. */
static void write_scalars(OnChipText *t)
{
	if (!*t->text.keep)
		return;
	write_line(t->w, "if (blockIdx.x == %lld) {", (long long)t->o->blocks);
	write_line(t->w, "\t%s *const kept = (%s *)(arena + %lld);", onchip_real(t), onchip_real(t),
	           (long long)buffer_offset(t->p->buffers[t->o->scalars]));
	write_line(t->w, "\tif (threadIdx.x == 0) {");
	write_indent(t->w, 2);
	write_lines(t->w, t->text.keep);
	write_indent(t->w, -2);
	write_line(t->w, "\t}");
	write_line(t->w, "\treturn;");
	write_line(t->w, "}");
}

int64_t onchip_sample_blocks(const OnChipText *t)
{
	return t->o->blocks + (*t->text.keep ? 1 : 0);
}

/* The first sample is on its way before anything that the kernels before this one write is read. */
static void write_first_sample(OnChipText *t)
{
	long long blocks = (long long)t->o->blocks, batch = (long long)t->p->graph->batch;
	write_line(t->w, "uint32_t *const indices = (uint32_t *)(chip + %lld);",
	           (long long)t->o->indices_offset);
	bool loop = t->o->turns > t->o->threads;
	if (loop)
		write_line(t->w, "for (unsigned k = threadIdx.x; k < %lld; k += %d)", (long long)t->o->turns,
		           t->o->threads);
	else
		write_line(t->w, "if (threadIdx.x < %lld)", (long long)t->o->turns);
	const char *k = loop ? "k" : "threadIdx.x";
	write_line(t->w, "\tindices[%s] = nnr_sample_index(%s, min(blockIdx.x + %s * %lldu, %lldu));", k,
	           ONCHIP_STEP, k, blocks, batch - 1);
	write_line(t->w, "__syncthreads();");
	fetch_inputs(t, "0", "");
}

/* Waits for the inputs of this sample, and sends for those of the next. */
static void begin_sample(OnChipText *t, const bool *used)
{
	long long blocks = (long long)t->o->blocks, batch = (long long)t->p->graph->batch;
	bool several = t->o->turns > 1;
	if (several) {
		write_line(
		        t->w,
		        "for (int sample = blockIdx.x, round = 0; sample < %lld; sample += %lld, round++) {",
		        batch, blocks);
		write_indent(t->w, 1);
		write_line(t->w, "const int slot = round %% 2 * %lld;", (long long)t->o->inputs_bytes);
	} else {
		write_line(t->w, "const int sample = blockIdx.x;");
	}
	write_chip_map(t, used, true);
	write_line(t->w, "nnr_block_await<%d>();", t->fetching ? 1 : 0);
	write_barrier(t);
	if (several) {
		write_line(t->w, "if (sample + %lld < %lld) {", blocks, batch);
		write_indent(t->w, 1);
		fetch_inputs(t, "round + 1",
		             arena_printf(t->arena, " + %lld - slot", (long long)t->o->inputs_bytes));
		write_indent(t->w, -1);
		write_line(t->w, "}");
	}
}

/* An output that the kernel never has in memory. */
static bool in_registers(const OnChipText *t, int output)
{
	for (int i = 0; i < t->o->sum_count; i++)
		if (t->o->sums[i].kind == SUM_FILTERS && t->o->sums[i].term[0] == output)
			return true;
	return false;
}

void write_sample_kernel(OnChipText *t)
{
	const Program *p = t->o->sample;
	Emitter *e = t->e;
	StepFunction *f = NEW_ARRAY(t->arena, StepFunction, p->step_count);
	const char **functions = NEW_ARRAY(t->arena, const char *, p->step_count);
	bool *used = NEW_ARRAY(t->arena, bool, p->buffer_count), scalars = false;
	for (int s = 0; s < p->step_count; s++) {
		const Step *step = &p->steps[s];
		if (step->kind != STEP_COPY && !(step->root && step->root->op->gemm == GEMM_WGRAD))
			functions[s] = sample_function(t, step, &f[s]);
		for (int i = 0; i < step->read_count; i++)
			used[step->reads[i]->id] = true;
		for (int i = 0; i < f[s].tensors.count; i++)
			used[f[s].tensors.at[i].buffer->id] = true;
		if (step->kind == STEP_COPY)
			used[step->writes[0]->id] = true;
		for (int i = 0; i < step->write_count; i++)
			used[buffer_root(step->writes[i])->id] =
			        used[buffer_root(step->writes[i])->id] || is_held(step->writes[i]);
		scalars = scalars || f[s].tensors.scalars;
	}
	for (int i = 0; i < p->graph->output_count; i++)
		if (!in_registers(t, i))
			used[p->output_buffers[i]->id] = true;
	for (int i = 0; i < p->buffer_count; i++)
		used[i] = used[i] || (!p->buffers[i]->inside && p->buffers[i]->class == BUFFER_PARAMETER);
	bool several = t->o->turns > 1;
	t->samples = emit_unique_name(
	        e, arena_printf(t->arena, "%s_samples", c_identifier(t->arena, t->p->graph->name)));
	write_sample_head(t);
	write_line(t->w,
	           "extern \"C\" __global__ void __launch_bounds__(%d) %s(const NnrControl *control, const "
	           "NnrSupply supply, "
	           "const int turn, const char *inputs, const char *params, char *arena)",
	           t->o->threads, t->samples);
	write_line(t->w, "{");
	write_indent(t->w, 1);
	write_line(t->w, "NNR_CHIP(chip, %lld);", (long long)t->o->chip_bytes);
	write_chip_map(t, used, false);
	write_first_sample(t);
	write_line(t->w, "nnr_kernel_wait();");
	write_line(t->w, "nnr_kernel_next();");
	if (scalars || t->text.tensors.scalars)
		write_line(t->w, "const NnrScalars scalars = nnr_step_scalars(%s), *const s = &scalars;",
		           ONCHIP_STEP);
	write_scalars(t);
	fetch_parameters(t, false);
	fetch_parameters(t, true);
	write_held_map(t, used);
	declare_filters(t);
	if (several && t->o->partial >= 0) {
		write_line(t->w, "%s *const sums = (%s *)(chip + %lld);", onchip_real(t), onchip_real(t),
		           (long long)t->o->sums_offset);
		write_line(t->w, "nnr_block_zero<%d, %lld>(sums);", t->o->threads,
		           (long long)t->o->partial_elements);
	}
	begin_sample(t, used);
	int *ready = exports_ready(t);
	for (int s = 0; s < p->step_count; s++) {
		call_step(t, &p->steps[s], functions[s], &f[s]);
		write_exports(t, s, ready);
	}
	/* else the next turn, which leaves one copy under way, would begin without its inputs */
	require(!t->fetching);
	write_terms(t, several);
	if (several) {
		write_indent(t->w, -1);
		write_line(t->w, "}");
		write_barrier(t);
		for (int i = 0; i < t->o->sum_count; i++)
			if (t->o->sums[i].kind == SUM_TERM)
				write_copy(t, partial_at(t, &t->o->sums[i]), sums_at(t, &t->o->sums[i]),
				           t->o->sums[i].elements, false);
	}
	finish_filters(t);
	write_indent(t->w, -1);
	write_line(t->w, "}");
	write_text(t->w, "\n");
}
