/* SPDX-License-Identifier: MIT */
/* One run of the trainer: the model, its memory, the data, and where the training stands. */
#ifndef NNR_SESSION_H
#define NNR_SESSION_H

#include "runtime/data/data.h"

#include <stdio.h>

struct NnrBackend;
struct Profile;
struct Loader;
struct Confusion;
struct Measures;
struct Frozen;

enum { MAX_METRICS = 8 };

/* The best evaluation so far (monitor.h). */
typedef struct Best {
	double value;
	int64_t step;  /* after which it was made; 0: there was none */
	int64_t since; /* evaluations since then */
} Best;

/* Where the training stands. All of it is in a checkpoint, so that resuming equals not having stopped, bit for bit;
 * nothing of the clock is, so that equal trainings have equal checkpoints. */
typedef struct Position {
	int64_t step;     /* optimizer steps done */
	int64_t epoch;    /* epochs finished */
	int64_t in_epoch; /* steps done in the current epoch; may equal steps_per_epoch before its evaluation */
	bool reported;    /* an epoch that the training's length cuts short: it is evaluated and logged */
	double sums[1 + MAX_METRICS]; /* of scores and counts over the steps of this epoch */
	int64_t skipped;              /* of these steps, those that --on-nan skip passed over */
	int64_t rollbacks;            /* --on-nan rollback: so many times the rate was halved */
	int64_t evaluated;            /* the step of the last evaluation that --eval-every N it asked for */
	Best best;
} Position;

/* The steps of the checkpoints that are kept beside the newest (generations.h). */
typedef struct Kept {
	int64_t step[MOST_KEPT + 1];
	int count;
	bool is_new; /* the last of them has no file yet */
} Kept;

typedef struct Session {
	const NnrModel *model;
	const struct NnrBackend *backend;
	Options options;
	uint64_t seed;
	NnrMemory
	        memory; /* the host's; batch and arena NULL where they are on a device and were not asked for */
	char **shares; /* by state: all ranks' shares together, since the last session_gather_shares; or NULL */
	Dataset data;
	int64_t held_elsewhere; /* samples that are held out and other ranks', beside data.held_out */
	/* of the training program: the loss, the metrics, and counts of metrics that do not count all samples */
	const NnrOutput *scores[1 + MAX_METRICS];
	const NnrOutput *eval_scores[1 + MAX_METRICS]; /* the same of the evaluation program */
	int score_count, sum_count;                    /* without the counts, and with them */
	int evaluated_count; /* of an evaluation: the scores, then the metrics over all samples (measures.h) */
	int counted[1 + MAX_METRICS]; /* by score: which sum is of the samples it counts; 0: it counts all */
	NnrRate rate;                 /* the recipe's, with --rate */
	int64_t steps_per_epoch, total_steps;
	Position at;
	Kept kept;
	double last[1 + MAX_METRICS];       /* scores and counts of the last step */
	uint64_t train_data, held_out_data; /* fingerprints, of a training with a checkpoint */
	struct Profile *profile;            /* NULL, except while steps are measured for one */
	char *decisions; /* options.decisions, of a resumed training with those before; malloc'd; NULL: the same */
	char *metrics; /* JSON of the last epoch or evaluation, for the checkpoint; malloc'd; NULL: there was none */
	struct Confusion *confusion; /* NULL, or what an evaluation counts: confusion.h */
	struct Measures
	        *measures;     /* NULL, or what the last evaluation measured over all samples: measures.h */
	struct Loader *loader; /* NULL, or what makes batches ahead of their steps: loader.h */
	struct Frozen *frozen; /* NULL, or what is kept as it is: freeze.h */
	struct Frozen *phases[2]; /* what that may be: 1 in the first phase of the recipe */
	bool torn; /* the data failed amid the chunks of a step: the states are of no whole number of steps */
} Session;

/* Checks the model's tables; dies with STATUS_INTERNAL where generated code breaks the contract of nnr.h. */
void session_check_model(const NnrModel *model);
void session_find_scores(Session *s);
/* Finds the scores and makes the four blocks on the backend; refuses a plan that there is no memory for. */
void session_prepare(Session *s);
void session_free(Session *s);
/* Says what the plan needs and what the data holds. */
void session_report(const Session *s);
/* Fills parameters and states as their tables say. */
void session_init_weights(Session *s);
/* whiten.c: the weights of NnrModel.whitened, of the training images as they are without augmentation. */
void session_whiten(Session *s);
/* The average of the parameters that the recipe's `ema` keeps: begins as a copy of them (begin), or takes their place
 * where a file is written that has one value of each (take). Nothing happens without `ema`. */
void session_begin_average(Session *s);
void session_take_average(Session *s);
double output_value(const Session *s, const NnrOutput *o, int64_t i); /* element i */
const char *score_name(const Session *s, int i); /* "loss", "accuracy"; below evaluated_count */
double score_shown(double mean); /* as it is printed: NaN without a sign, which means nothing */
/* How many of the elements, f32, f64, i32 or u8, are NaN or infinite. */
int64_t count_not_finite(const void *at, NnrDType dtype, int64_t elements);
bool session_weights_are_finite(const Session *s); /* of the host: Session.memory */
/* The Euclidean norm of a parameter, of the host; NaN where an element is. */
double session_param_norm(const Session *s, int tensor);
/* That of its part of `gradient`, which is NnrProgram.gradient, of the step that the states on the host are of, and
 * without the loss scale of fp16; 0 where it is not trained. */
double session_gradient_norm(const Session *s, const char *gradient, int tensor);
/* meet.c: what a session of several ranks has of its own. Nothing where there is one. */
/* Leaves this rank its share of the held-out samples. */
void session_divide(Session *s);
/* Dies where the ranks do not train the same: another program, seed, data, schedule, or other weights. */
void session_compare(const Session *s);
/* Dies with STATUS_RANKS where a parameter or state has other bytes than rank 0's, with the step and its name. */
void session_compare_weights(const Session *s);
/* Whether each rank has a share of this state, as `shard optimizer` makes them. */
bool tensor_is_share(const NnrModel *m, const NnrTensor *t);
/* With the elements of all ranks, as a checkpoint has it. */
NnrTensor tensor_whole(const NnrModel *m, const NnrTensor *t);
/* Puts the ranks' shares of states together, for a checkpoint; all ranks call it, with their states on the host. */
void session_gather_shares(Session *s);
void session_free_shares(Session *s);
/* A range of states of layers, of one type, all after one another. */
typedef struct StateRange {
	int64_t offset, count; /* bytes into the block of states; elements */
	NnrDType dtype;
	int next; /* the state that is looked at next */
} StateRange;
/* The next range of states that are not the optimizer's, from {0} on; false: there is none. The optimizer's follow from
 * gradients that are the same on all ranks. */
bool session_next_states(const NnrModel *m, StateRange *r);
/* After a step on the host: scores, and the layers' states, become the means over all ranks. */
void session_meet(Session *s);
/* Samples that are held out, on all ranks together. */
static inline int64_t session_held_out(const Session *s)
{
	return s->data.held_out.count + s->held_elsewhere;
}
/* Ranks that take the batches of the held-out part in turn, rank r batches r, r + N and so on: of `predict`, and of an
 * evaluation that compares samples, where they are the shares of one batch. 1: each has a part of it for itself. */
int64_t held_out_turns(const Session *s);
/* Held-out samples that are evaluated together, and the first of them that is this rank's. */
static inline int64_t held_out_batch(const Session *s)
{
	return s->model->batch * held_out_turns(s);
}
int64_t held_out_begin(const Session *s);
/* What keys the random numbers in chunk number `chunk` of an optimizer step, or in that batch of what is predicted. */
static inline uint64_t chunk_seed(uint64_t seed, int64_t chunk)
{
	return seed + (uint64_t)chunk * 0x9e3779b97f4a7c15u;
}
int64_t tensor_elements(const int64_t *dim, int rank);
/* Of the largest program that the command runs: no two run at once. */
int64_t session_arena_bytes(const NnrModel *model, const Options *options);
/* Of the largest of those that a program of others' runs (runtime/library). */
int64_t session_most_arena(const NnrModel *m);
/* Compiled batches that are predicted at once: of `bench --inference` what a request of --batch samples takes, of
 * `predict` one; 0 for all else. */
int64_t session_request_batches(const NnrModel *model, const Options *options);
/* Of one batch of inputs, with the transposed copies where the command trains. */
int64_t session_input_bytes(const NnrModel *model, const Options *options);
/* Batches of input that are in memory at once: those of a request; on a GPU two, else one. */
int64_t session_input_batches(const NnrModel *model, const Options *options);
int64_t output_batch_bytes(const NnrOutput *o); /* of a batch */
/* Of all that is predicted for one batch. */
int64_t session_predicted_bytes(const NnrModel *model);
/* Bytes in which the predictions of a request of several batches are kept, for each of them; 0 where the arena does. */
int64_t session_prediction_bytes(const NnrModel *model, const Options *options);
/* All of the plan: parameters, states, batches, arena, predictions. */
double session_plan_bytes(const NnrModel *model, const Options *options);
/* What the plan's size goes by, for a message: "batch 64", "chunk 16", "3 batches of 64 a request". malloc'd. */
char *session_size_text(const NnrModel *model, const Options *options);
/* Bytes of memory that the samples may take beside the plan. */
double session_data_room(const NnrModel *model, const Options *options);
/* The advice where the plan has `available` bytes: the request that fits, else the chunk or batch to compile for, which
 * the inputs and the arena grow with. malloc'd; NULL where not even one sample fits. */
char *session_what_fits(const NnrModel *model, const Options *options, double available);
/* Zeroed, page-aligned; ends the process with STATUS_MEMORY where the machine has none for `what`. */
char *block_new(int64_t bytes, const char *what);
void block_free(char *block, int64_t bytes); /* NULL: nothing */
/* The tables of --print-model. */
void session_print_model(const NnrModel *model, FILE *to);

/* train.c: the rate of the whole schedule, so many times by half. */
void session_halve_rate(Session *s, int64_t times);

/* rate.c: the learning rate of a step, counted from 0, of `total` steps. */
double rate_at(const NnrRate *rate, int64_t step, int64_t total, int64_t steps_per_epoch);
/* That of a step of the training, by its first phase or its schedule. */
double session_rate(const Session *s, int64_t step);
int64_t phase_steps(const NnrFirstPhase *phase, int64_t steps_per_epoch);
double warmup_steps(const NnrRate *rate, int64_t steps_per_epoch);

/* batch.c: puts a batch into the input block. Training takes the samples of batch `index` of the epoch's permutation;
 * evaluation the held-out samples from `first` on, the last one repeated to fill the batch. 0 or false where one of
 * them can't be decoded, which loader_failure() tells. */
int64_t batch_train(const Session *s, int64_t epoch, int64_t index);
/* The place in the epoch's order at which this rank's share of a batch, or of a chunk of one, begins: rank r has the
 * r-th part of it. */
int64_t batch_begin(const NnrModel *m, int64_t index);
bool batch_evaluate(const Session *s, int64_t first);
/* How many of `batch` held-out samples from `first` on are real. */
int64_t batch_real(const Session *s, int64_t first, int64_t batch);
/* Samples of the epoch from place `first` on, images not moved and mirrored, to `to`: a block laid out as the input
 * block; of the training part `count` of them, at most a batch. End the process where one can't be decoded. */
void batch_rows_train(const Session *s, int64_t epoch, int64_t first, int64_t count, char *to);
void batch_rows_held_out(const Session *s, int64_t first, char *to);

/* Samples [first, first + count) of a batch. */
typedef struct BatchPart {
	const Session *s;
	bool held_out, move; /* move: `crop` and `flip` of training are done here, not by a GPU */
	int64_t epoch;       /* of training */
	int64_t begin;       /* the batch's first place in the epoch's order, or among the held-out samples */
	int64_t first, count;
	char *to; /* a block laid out as the input block */
} BatchPart;
/* Makes them; from several threads at once: it neither dies nor prints. NULL, or why sample *bad of the batch, the
 * first such, can't be decoded: a text that stays. */
const char *batch_part(const BatchPart *part, int64_t *bad);
/* The file of sample k of the batch, for messages; where it is in memory, words for that. */
const char *batch_path(const BatchPart *part, int64_t k);

/* train.c: how many steps fit into a tenth of a second when `steps` took so long; no more than 100 times as many. */
int64_t steps_in_a_tenth(int64_t steps, double seconds);

/* evaluate.c: means over every held-out sample, each counted once, and after them the metrics over all of them. False
 * when a signal asked to stop, or a sample can't be decoded (loader_failure). */
bool session_evaluate(Session *s, double means[1 + MAX_METRICS]);
/* The means of the scores, of their and the counts' sums over `count` steps or samples. NaN where a metric counted no
 * sample of them. May be in place. */
void session_means(const Session *s, const double sums[1 + MAX_METRICS], double count,
                   double means[1 + MAX_METRICS]);

/* eval.c: the command `eval`. One line with the means and one for each class to stdout; returns the exit status. */
int session_eval(Session *s);

/* predict.c: the command `predict`. Writes what is predicted for the samples of the held-out part, in their order, as
 * .npy files of the shape [samples, ...], whole or not at all. Returns STATUS_OK or that of a signal; dies with
 * STATUS_USAGE where the model has no output per sample, with STATUS_DATA where a file can't be written. */
int session_predict(Session *s);

/* Steps of the epoch that the sums are of: those that --on-nan skip passed over are not among them. */
static inline int64_t session_counted_steps(const Session *s)
{
	return s->at.in_epoch - s->at.skipped;
}

/* Its length is over, and its last epoch reported. */
static inline bool session_is_complete(const Session *s)
{
	return s->at.step >= s->total_steps && (s->at.in_epoch == 0 || s->at.reported);
}
/* train.c: from s->at to the end; returns the exit status. */
int session_train(Session *s);

/* info.c: the command `info`. What the file at `path` says of itself, to stdout; with `net` the text of its network. */
int session_info(const NnrModel *m, const char *path, bool net);

/* bench.c: the command `bench`. */
int session_bench(Session *s);

/* profile.c: the command `profile`. */
int session_profile(Session *s);

/* dump.c, before the first step: one can be written at `path`, or the process dies. */
void dump_probe(const char *path);
/* Inputs, parameters and all outputs of the step just run, as safetensors. */
void dump_step(const Session *s, const char *path);

#endif
