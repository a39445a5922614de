/* SPDX-License-Identifier: MIT */
#include "base/processors.h"
#include "runtime/session/loader.h"
#include "runtime/data/augment.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/host/progress.h"
#include "runtime/session/workers.h"
#include "runtime/ranks/ranks.h"

#include <stdlib.h>
#include <unistd.h>

enum { TRAINING, HELD_OUT, PARTS };

struct Loader {
	const Session *s;
	LoaderMemory memory;
	bool move;
	Ring rings[PARTS]; /* without slots where the command does not need the part */
	int64_t held_out_batches;
	Workers *workers;
	double waited;
	BatchPart failed; /* whose sample `bad` it is */
	int64_t bad;
	const char *why; /* NULL: nothing failed */
};

static void *take_block(int64_t bytes)
{
	return block_new(bytes, "the batches");
}

static void give_block(void *at, int64_t bytes)
{
	block_free(at, bytes);
}

const LoaderMemory loader_host_memory = {take_block, give_block};

bool loader_is_needed(const Session *s)
{
	const NnrAugment *how = &s->model->augment;
	bool trains = !takes_weights(&s->options), infers = predicts_only(&s->options);
	bool chooses = trains && !infers && !s->options.no_augment &&
	               (augments_pixels(how) || (augments_place(how) && host_moves(s->model)));
	bool decodes = s->data.train.files || s->data.held_out.files;
	/* A GPU that has the data finds samples in it, not windows. */
	bool places = s->model->backend && (s->data.train.places > 0 || s->data.held_out.places > 0);
	bool mixes = trains && !infers && s->model->mixed_count > 0; /* of which no data has the shares */
	return (decodes || chooses || mixes || places || s->options.stream) && !(infers && trains);
}

/* Where batch number `batch` of a ring begins. Those of the held-out part come again and again. */
static BatchPart batch_of(const Loader *l, int ring, int64_t batch)
{
	const Session *s = l->s;
	int64_t in_epoch = ring == HELD_OUT ? l->held_out_batches : s->steps_per_epoch * s->model->chunks,
	        turns = held_out_turns(s);
	return (BatchPart){.s = s,
	                   .held_out = ring == HELD_OUT,
	                   .move = l->move,
	                   .epoch = batch / in_epoch,
	                   .begin = ring == HELD_OUT
	                                    ? batch % in_epoch * turns * s->model->batch + held_out_begin(s)
	                                    : batch_begin(s->model, batch % in_epoch)};
}

static const char *fill(void *context, int ring, const RingWork *work, int64_t *bad)
{
	BatchPart part = batch_of(context, ring, work->batch);
	part.first = work->first;
	part.count = work->count;
	part.to = work->slot->at;
	return batch_part(&part, bad);
}

/* ---- how much is made ahead */

/* Threads that make batches: all processors for a device, for the CPU a quarter of them beside those that compute. */
static int worker_count(const Session *s)
{
	int processors = processors_usable(), wanted = s->model->backend ? processors : processors / 4;
	if (s->options.workers >= 0)
		return (int)s->options.workers;
	return wanted < 1 ? 1 : wanted > 64 ? 64 : wanted;
}

/* Work is shared in pieces of about a fifth of a millisecond. */
static int64_t share_of(const Session *s, const DataPart *part)
{
	enum { DECODED = 16 << 10, COPIED = 256 << 10 /* bytes */ };
	int64_t sample = (s->model->input_bytes + s->model->batch - 1) / s->model->batch,
	        share = (part->files ? DECODED : COPIED) / (sample + 1) + 1;
	return share < s->model->batch ? share : s->model->batch;
}

/* Two batches beside those that are taken, and as many pieces of work as keep all threads busy; of a quarter of a
 * gigabyte at most. */
static int slots_of(const Session *s, int64_t share, int threads, int taken)
{
	static const int64_t most_bytes = 256 << 20;
	int64_t pieces = (s->model->batch + share - 1) / share, ahead = (2 * threads + pieces - 1) / pieces,
	        fitting = most_bytes / (s->model->input_bytes + 1);
	if (ahead > fitting)
		ahead = fitting;
	return taken + (ahead < 2 ? 2 : (int)ahead);
}

static void open_ring(Loader *l, int ring, const DataPart *part, int threads, int taken)
{
	Ring *r = &l->rings[ring];
	int64_t share = share_of(l->s, part);
	int slots = slots_of(l->s, share, threads, taken);
	*r = (Ring){.slot = allocate(slots, sizeof *r->slot, "the batches"),
	            .slots = slots,
	            .samples = l->s->model->batch,
	            .share = share};
	for (int i = 0; i < slots; i++)
		r->slot[i].at = l->memory.take(l->s->model->input_bytes);
}

Loader *loader_new(const Session *s, LoaderMemory memory, bool move, int taken)
{
	Loader *l = allocate(1, sizeof *l, "the loader");
	const Options *o = &s->options;
	int64_t held_out = s->data.held_out.count, batch = s->model->batch;
	int threads = worker_count(s);
	int64_t batches = (held_out + batch - 1) / batch, turns = held_out_turns(s);
	/* of an evaluation in turns each rank has all: they meet in each */
	int64_t begin = o->command == COMMAND_PREDICT && turns > 1 ? ranks_own() : 0;
	*l = (Loader){.s = s,
	              .memory = memory,
	              .move = move || host_moves(s->model),
	              .held_out_batches = (batches - begin + turns - 1) / turns};
	if (!takes_weights(o)) {
		open_ring(l, TRAINING, &s->data.train, threads, taken);
		/* from where it begins or goes on, to the end that is known */
		bool ends = o->command == COMMAND_TRAIN && s->total_steps < INT64_MAX / s->model->chunks;
		l->rings[TRAINING].limit = ends ? s->total_steps * s->model->chunks : INT64_MAX;
		ring_move(&l->rings[TRAINING], s->at.epoch * s->steps_per_epoch * s->model->chunks +
		                                       s->at.in_epoch * s->model->chunks);
	}
	if (held_out > 0 && (takes_weights(o) || (o->command == COMMAND_TRAIN && !o->no_eval))) {
		open_ring(l, HELD_OUT, &s->data.held_out, threads, taken);
		l->rings[HELD_OUT].limit = takes_weights(o) ? l->held_out_batches : INT64_MAX;
	}
	l->workers = workers_new(threads, l->rings, PARTS, fill, l);
	if (o->command == COMMAND_TRAIN)
		progress_say(threads ? "data: batches are made beside the steps by %d worker%s"
		                     : "data: each step makes its batch first",
		             threads, threads == 1 ? "" : "s");
	return l;
}

void loader_free(Loader *l)
{
	if (!l)
		return;
	workers_free(l->workers);
	for (int i = 0; i < PARTS; i++) {
		for (int k = 0; k < l->rings[i].slots; k++)
			l->memory.give(l->rings[i].slot[k].at, l->s->model->input_bytes);
		free(l->rings[i].slot);
	}
	free(l);
}

/* ---- batches */

/* Held-out batches are numbered on and on: the number, not before the next one's, of this one. */
static int64_t number_of(const Loader *l, bool held_out, int64_t batch)
{
	const Ring *r = &l->rings[HELD_OUT];
	if (!held_out)
		return batch;
	batch /= held_out_turns(l->s);
	int64_t next = r->base + r->head, turn = next / l->held_out_batches * l->held_out_batches;
	return turn + batch < next ? turn + l->held_out_batches + batch : turn + batch;
}

char *loader_take(Loader *l, bool held_out, int64_t batch)
{
	int ring = held_out ? HELD_OUT : TRAINING;
	if (l->why) /* it ends the command */
		return NULL;
	int64_t number = number_of(l, held_out, batch);
	const RingSlot *slot = workers_take(l->workers, ring, number);
	if (!slot->why)
		return slot->at;
	l->failed = batch_of(l, ring, number);
	l->bad = slot->bad;
	l->why = slot->why;
	return NULL;
}

void loader_release(Loader *l, bool held_out)
{
	workers_release(l->workers, held_out ? HELD_OUT : TRAINING);
}

void loader_add_wait(Loader *l, double seconds)
{
	l->waited += seconds;
}

double loader_waited(Loader *l)
{
	double waited = l ? l->waited : 0;
	if (l)
		l->waited = 0;
	return waited;
}

char *loader_failure(const Loader *l)
{
	if (!l || !l->why)
		return NULL;
	return text_printf("`%s` can't be used: %s", batch_path(&l->failed, l->bad), l->why);
}

int loader_machine_status(const Loader *l)
{
	return machine_status(l->why);
}

_Noreturn void loader_die(const Loader *l)
{
	int status = loader_machine_status(l);
	if (status)
		die(status, "%s", loader_failure(l));
	die_help(STATUS_DATA, "remove the file, put a good one there, or allow more of them by `--bad-files`",
	         "%s", loader_failure(l));
}
