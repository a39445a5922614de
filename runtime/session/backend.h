/* SPDX-License-Identifier: MIT */
/* Where a model runs: what the loops (train/train.c, evaluate.c, bench.c; predict/predict.c) ask of the CPU and of
 * a GPU alike.
 *
 * A backend owns the memory of the model's four blocks and everything that happens between two looks of the host:
 * it is asked for some steps, runs one or more of them, and brings Session.at up to date. The host's copy of
 * parameters and states (Session.memory) is what initial weights and checkpoints are read into and written from;
 * `upload` and `download` keep both sides equal where they are not the same memory. Every function ends the
 * process itself when it fails. */
#ifndef NNR_BACKEND_H
#define NNR_BACKEND_H

#include "runtime/session/session.h"

struct Peaks; /* profile.h */

/* What an instance of the library form (library/library.c) has on a device with memory of its own. */
typedef struct NnrRoom NnrRoom;

/* One call at a time, by whatever thread: the caller sees to it. The device is opened with the first room, and stays
 * open. Every function ends as those of a backend do, which in a library comes back to its caller (die.h). */
typedef struct NnrRooms {
	/* Makes the room, and s->memory.inputs, from which batches are taken; *made at once, so that what an error
	 * leaves can be closed. */
	void (*open)(Session *s, NnrRoom **made);
	void (*close)(NnrRoom *r, Session *s);
	/* Parameters and states, between it and s->memory. */
	void (*upload)(NnrRoom *r, Session *s);
	void (*download)(NnrRoom *r, Session *s);
	/* Chunk `chunk` of the training step after s->at, on the batch in s->memory.inputs. */
	void (*train)(NnrRoom *r, const Session *s, double rate, int64_t chunk);
	/* NnrModel.predict on that batch; with `prepare` NnrModel.prepare before it. */
	void (*predict)(NnrRoom *r, const Session *s, bool prepare);
	/* Outputs of what ran last, each of a whole batch, to their offsets in s->memory.arena. */
	void (*bring)(NnrRoom *r, Session *s, const NnrOutput *const *outputs, int count);
} NnrRooms;

typedef struct NnrBackend {
	const char *name; /* "cpu", "cuda" */

	/* Optional, NULL where ranks share the device. Dies where there is no device for each of so many ranks. */
	void (*check_devices)(int64_t ranks);
	/* Required. Finds the device and makes the four blocks, or refuses a plan that does not fit. */
	void (*open)(Session *s);
	/* Required. Frees what `open` made. */
	void (*close)(Session *s);

	/* Required. Runs at least one and at most `most` training steps from s->at on, none beyond the end of its
	 * epoch, and moves s->at.step, in_epoch and sums along. s->last: the scores of the last one. A loss that is no
	 * finite number ends the run with its step, whose scores are in `last` and not in the sums. Fewer, or none,
	 * where the samples of the next one can't be decoded: loader_failure(). */
	void (*train)(Session *s, int64_t most);
	/* Optional. Between two calls of `train`: may spend some time on what makes later steps faster. True where
	 * these may round otherwise than those before. */
	bool (*between)(Session *s);
	/* Required. Adds the scores of up to `most` batches of held-out samples from `first` on to `sums`; returns the
	 * number of samples (not counting those that fill the last batch). At `first` 0 the weights may have changed:
	 * what NnrModel.prepare computes of them is computed anew. 0: samples can't be decoded. */
	int64_t (*evaluate)(Session *s, int64_t first, int64_t most, double sums[1 + MAX_METRICS]);
	/* Required. After `evaluate` of one batch: an output of the evaluation program, of the whole batch. */
	void (*evaluated)(Session *s, const NnrOutput *o, char *to);
	/* Required. Predicts for the batch of held-out samples from `first` on. As for evaluation the last sample
	 * fills the batch, the number of those that are real is returned, and at `first` 0 the weights are prepared.
	 * `to` gets the outputs of NnrModel.predict one after the other, each of a whole batch:
	 * session_predicted_bytes(). */
	int64_t (*predict)(Session *s, int64_t first, char *to);
	/* Required. Seconds that `steps` whole steps take, of training from s->at on (which moves; epochs may end in
	 * it) or, when `inference`, of requests: each is session_request_batches() runs of NnrModel.predict on as many
	 * batches that stay. */
	double (*time)(Session *s, int64_t steps, bool inference);
	/* Required. Runs `steps` training steps from s->at on, which moves, and says what ran when to s->profile: its
	 * events and turns, the names of its tracks, and how it was measured (profile.h). */
	void (*profile)(Session *s, int64_t steps);
	/* Required. What the device can do at most, measured in less than a second or two. */
	void (*peaks)(Session *s, struct Peaks *peaks);
	/* Optional, NULL where nothing is tuned. Elements of a JSON array, an operation of a library each: its steps
	 * from 1, the time of its plan and of others, and which were tried (runtime/cuda/tune.h). */
	void (*put_tuned)(FILE *to);
	/* Required. The device in words, for reports: "CPU", "NVIDIA H200". */
	const char *(*device)(const Session *s);

	/* Optional, NULL where the device has no memory of its own. Bytes of it that are taken now. */
	double (*memory_used)(const Session *s);
	/* Optional, NULL where the device has no counter of its own. Joules that it has taken, from an arbitrary
	 * beginning on; NAN where it does not count them. */
	double (*joules)(const Session *s);

	/* Required. Brings the data set and the initial parameters and states to the device, and makes the loader
	 * (loader.h) where one is needed. */
	void (*load)(Session *s);
	/* Optional, NULL where host and device are one. The other way: what the host has of them is what training goes
	 * on from, at s->at. */
	void (*upload)(Session *s);
	/* Optional. Runs one training step as `train` does, and after each step of the program, counted from 1, calls
	 * `look` with the activations as the host can read them. */
	void (*trace)(Session *s, void (*look)(int step, const char *arena));
	/* Optional, NULL where host and device are one. Brings the parameters and states back, and with `all` the batch
	 * and the arena of the last step. */
	void (*download)(Session *s, bool all);

	/* Optional, NULL where host and device are one. For the library form. */
	const NnrRooms *rooms;
} NnrBackend;

extern const NnrBackend nnr_cpu_backend;

#endif
