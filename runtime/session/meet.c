/* SPDX-License-Identifier: MIT */
/* What the ranks of one training agree on, beside the gradients (ranks/nnr_ranks.h). */
#include "runtime/host/die.h"
#include "runtime/data/fingerprint.h"
#include "runtime/session/session.h"
#include "runtime/ranks/ranks.h"

#include <stdlib.h>
#include <string.h>

int64_t held_out_turns(const Session *s)
{
	bool in_turn = s->options.command == COMMAND_PREDICT || s->model->couples;
	return in_turn && ranks_many() ? ranks_count() : 1;
}

int64_t held_out_begin(const Session *s)
{
	return held_out_turns(s) > 1 ? ranks_own() * s->model->batch : 0;
}

/* Rank r of n has the samples [count*r/n, count*(r + 1)/n): each is one rank's. What is taken in turns all have. */
void session_divide(Session *s)
{
	DataPart *part = &s->data.held_out;
	const NnrModel *m = s->model;
	if (!ranks_many() || held_out_turns(s) > 1)
		return;
	int64_t first = part->count * ranks_own() / ranks_count(),
	        end = part->count * (ranks_own() + 1) / ranks_count();
	s->held_elsewhere = part->count - (end - first);
	data_take_share(part, m, first, end - first);
}

void session_compare(const Session *s)
{
	const NnrModel *m = s->model;
	if (!ranks_many())
		return;
	const char *program = m->program ? m->program : m->name;
	ranks_same(hash_bytes(program, (int64_t)strlen(program)), "program");
	ranks_same(s->seed, "seed");
	ranks_same(s->train_data, "training set");
	ranks_same(s->held_out_data, "held-out set");
	ranks_same(hash_bytes(&s->rate, sizeof s->rate), "learning rate");
	ranks_same((uint64_t)s->total_steps, "length of the training");
	ranks_same((uint64_t)s->at.step, "step to go on from");
	ranks_same(s->options.decisions
	                   ? hash_bytes(s->options.decisions, (int64_t)strlen(s->options.decisions))
	                   : 0,
	           "command line");
	session_compare_weights(s);
}

static const NnrTensor *tensor_at(const NnrModel *m, int i)
{
	return i < m->param_count ? &m->params[i] : &m->states[i - m->param_count];
}

bool tensor_is_share(const NnrModel *m, const NnrTensor *t)
{
	return m->share > 0 && t->of_update && t->rank == 1 && t->dim[0] == m->share;
}

NnrTensor tensor_whole(const NnrModel *m, const NnrTensor *t)
{
	NnrTensor whole = *t;
	if (tensor_is_share(m, t))
		whole.dim[0] = m->whole;
	return whole;
}

void session_gather_shares(Session *s)
{
	const NnrModel *m = s->model;
	if (!ranks_many() || m->share == 0)
		return;
	if (!s->shares)
		s->shares = allocate(m->state_count, sizeof *s->shares, "the states of all ranks");
	for (int i = 0; i < m->state_count; i++) {
		const NnrTensor *t = &m->states[i];
		int64_t size = dtype_bytes(t->dtype);
		if (!tensor_is_share(m, t))
			continue;
		if (!s->shares[i])
			s->shares[i] = allocate(m->whole, size, "the states of all ranks");
		ranks_gather(s->memory.state + t->offset, s->shares[i], m->share * size, m->whole * size);
	}
}

void session_free_shares(Session *s)
{
	for (int i = 0; s->shares && i < s->model->state_count; i++)
		free(s->shares[i]);
	free(s->shares);
	s->shares = NULL;
}

void session_compare_weights(const Session *s)
{
	const NnrModel *m = s->model;
	int count = m->param_count + m->state_count, differing = 0;
	if (!ranks_many())
		return;
	uint64_t *own = allocate(count, sizeof *own, "checksums"),
	         *first = allocate(count, sizeof *first, "checksums");
	for (int i = 0; i < count; i++) {
		const NnrTensor *t = tensor_at(m, i);
		if (tensor_is_share(m, t)) /* each rank has another share */
			continue;
		const char *block = i < m->param_count ? s->memory.params : s->memory.state;
		own[i] = hash_bytes(block + t->offset,
		                    tensor_elements(t->dim, t->rank) * dtype_bytes(t->dtype));
	}
	memcpy(first, own, (size_t)count * sizeof *own);
	ranks_broadcast(first, count * (int64_t)sizeof *first);
	int some = 0; /* the first that differs */
	for (int i = count - 1; i >= 0; i--)
		if (own[i] != first[i]) {
			differing++;
			some = i;
		}
	if (differing)
		die_help(STATUS_RANKS,
		         "at the start that is another file of weights; later a fault of the machine",
		         "at step %lld %d of %d tensors differ from rank 0's, `%s` first",
		         (long long)s->at.step, differing, count, tensor_at(m, some)->name);
	free(own);
	free(first);
}

bool session_next_states(const NnrModel *m, StateRange *r)
{
	while (r->next < m->state_count && m->states[r->next].of_update)
		r->next++;
	if (r->next == m->state_count)
		return false;
	r->offset = m->states[r->next].offset;
	r->dtype = m->states[r->next].dtype;
	int64_t size = dtype_bytes(r->dtype), end = r->offset;
	for (; r->next < m->state_count; r->next++) {
		const NnrTensor *t = &m->states[r->next];
		if (t->of_update || t->dtype != r->dtype || t->offset != end)
			break;
		end += tensor_elements(t->dim, t->rank) * size;
	}
	r->count = (end - r->offset) / size;
	return true;
}

/* Running statistics are of a rank's share of the batch: their mean is that of the whole. */
static void meet_states(Session *s)
{
	StateRange r = {0};
	while (session_next_states(s->model, &r))
		ranks_mean_of(s->memory.state + r.offset, r.dtype, r.count);
}

void session_meet(Session *s)
{
	if (!ranks_many())
		return;
	ranks_mean(s->last, s->sum_count);
	meet_states(s);
}
