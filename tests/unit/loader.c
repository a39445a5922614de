/* SPDX-License-Identifier: MIT */
/* Batches that are made ahead: what a ring lends and when; the same bits for any number of workers, wherever the
 * samples are kept; what becomes of a file that can't be decoded. */
#include "runtime/host/die.h"
#include "runtime/session/dataset.h"
#include "runtime/data/fingerprint.h"
#include "runtime/data/image_files.h"
#include "runtime/session/loader.h"
#include "runtime/host/memory.h"
#include "runtime/session/workers.h"
#include "tests/unit/check.h"
#include "tests/unit/folders.h"

#include <fcntl.h>

/* ---- the ring */

static void lends_in_order(void)
{
	RingSlot slots[3] = {{0}};
	Ring r = {.slot = slots, .slots = 3, .samples = 5, .share = 2, .limit = 100};
	RingWork work[9];
	for (int i = 0; i < 9; i++) { /* three batches of 2, 2 and 1 samples */
		CHECK(ring_claim(&r, &work[i]));
		CHECK(work[i].batch == i / 3 && work[i].first == i % 3 * 2 &&
		      work[i].count == (i % 3 == 2 ? 1 : 2));
	}
	RingWork more;
	CHECK(!ring_claim(&r, &more)); /* all slots are lent */
	for (int i = 8; i >= 3; i--)
		ring_finish(&r, &work[i], -1, NULL);
	CHECK(!ring_is_ready(&r) && ring_stands_at(&r, 0)); /* batches 1 and 2 are whole, and wait for 0 */
	ring_finish(&r, &work[1], 3, "late");
	ring_finish(&r, &work[0], 1, "early");
	ring_finish(&r, &work[2], -1, NULL);
	CHECK(ring_is_ready(&r));
	RingSlot *first = ring_take(&r);
	CHECK(first->bad == 1 &&
	      strcmp(first->why, "early") == 0); /* the first of them, whichever was found first */
	CHECK(!ring_claim(&r, &more));           /* it is taken, and not released */
	CHECK(ring_is_ready(&r) && ring_take(&r) != first);
	ring_release(&r);
	CHECK(ring_claim(&r, &more) && more.batch == 3 && more.slot == first && more.slot->why == NULL);
	ring_finish(&r, &more, -1, NULL);
	ring_move(&r, 42); /* what was made ahead is forgotten; batch 1 stays taken */
	CHECK(ring_stands_at(&r, 42) && !ring_is_ready(&r));
	CHECK(ring_claim(&r, &more) && more.batch == 42 && more.first == 0);
	ring_finish(&r, &more, -1, NULL);
	r.limit = 43;
	CHECK(ring_claim(&r, &more) && more.first == 2 && ring_claim(&r, &more) && more.first == 4);
	CHECK(!ring_claim(&r, &more));
}

/* ---- workers */

enum { SAMPLES = 7, RINGS = 2 };

/* Sample k of batch n of ring r is one byte. Sample 3 of batch 20 can't be made, and neither can those after it. */
static const char *fill_bytes(void *context, int ring, const RingWork *work, int64_t *bad)
{
	for (int64_t k = work->first; k < work->first + work->count; k++) {
		if (work->batch == 20 && k >= 3) {
			*bad = k;
			return "damaged";
		}
		work->slot->at[k] = (char)(work->batch * 13 + k * 3 + ring * 101);
		if (k % 3 == 0)
			usleep((useconds_t)(work->batch * 7 % 5 * 20));
	}
	return NULL;
}

static bool is_batch(const RingSlot *slot, int ring, int64_t batch)
{
	for (int64_t k = 0; k < SAMPLES; k++)
		if (slot->why || slot->at[k] != (char)(batch * 13 + k * 3 + ring * 101))
			return false;
	return true;
}

static void any_number_of_workers(void)
{
	static const int counts[] = {0, 1, 2, 9};
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		RingSlot slots[RINGS][4] = {{{0}}};
		char bytes[RINGS][4][SAMPLES];
		Ring rings[RINGS];
		for (int r = 0; r < RINGS; r++) {
			rings[r] = (Ring){.slot = slots[r],
			                  .slots = 4,
			                  .samples = SAMPLES,
			                  .share = 1 + r,
			                  .limit = 1000};
			for (int k = 0; k < 4; k++)
				slots[r][k].at = bytes[r][k];
		}
		Workers *w = workers_new(counts[i], rings, RINGS, fill_bytes, NULL);
		for (int64_t n = 0; n < 15; n++) {
			CHECK(is_batch(workers_take(w, 0, n), 0, n));
			if (n % 5 == 4) /* the other ring in between, and two batches of it at once */
				for (int64_t m = n - 4; m <= n; m++) {
					CHECK(is_batch(workers_take(w, 1, m), 1, m));
					if (m > 0)
						workers_release(w, 1);
				}
			workers_release(w, 0);
		}
		static const int64_t jumps[] = {3, 4, 900, 18, 1000, 1001, 19}; /* two are after the limit */
		for (size_t j = 0; j < sizeof jumps / sizeof *jumps; j++) {
			CHECK(is_batch(workers_take(w, 0, jumps[j]), 0, jumps[j]));
			workers_release(w, 0);
		}
		const RingSlot *damaged = workers_take(w, 0, 20);
		CHECK(damaged->why && damaged->bad == 3);
		workers_free(w);
	}
}

/* ---- the batches of a model, from folders of images */

enum { B = 4, H = 6, W = 5, CLASS_AT = 384, BYTES = 448, TRAIN = 23, TEST = 6, EPOCHS = 2 };

static const NnrInput inputs[] = {{"x", false, 0, NNR_U8, 4, {B, H, W, 3}, 0, 0, false, false, false, 0, 0},
                                  {"y", true, 3, NNR_I32, 1, {B}, CLASS_AT, 0, false, false, false, 0, 0}};
static NnrModel model = {.name = "net",
                         .source = "net.net",
                         .inputs = inputs,
                         .input_count = 2,
                         .batch = B,
                         .chunks = 1,
                         .input_bytes = BYTES};

static Session session_of(const char *folder, Store store, int workers, char *batch)
{
	Session s = {
	        .model = &model, .seed = 5, .total_steps = EPOCHS * (TRAIN / B), .memory = {.inputs = batch}};
	s.options = (Options){.data = folder,
	                      .holdout = strcmp(folder, "d") == 0 ? NULL : "0.2",
	                      .threads = 2,
	                      .workers = workers,
	                      .quiet = true,
	                      .stream = store == STORE_STREAM,
	                      .resident = store == STORE_RESIDENT};
	s.data = data_load(&s.options, &model, s.seed, false);
	s.steps_per_epoch = s.data.train.count / B;
	return s;
}

/* Two epochs, each with the evaluation after it, one batch after the other; `move` as for a CPU. */
static void take_all(Session *s, char *to)
{
	if (loader_is_needed(s))
		s->loader = loader_new(s, loader_host_memory, true, 1);
	for (int64_t epoch = 0; epoch < EPOCHS; epoch++) {
		for (int64_t i = 0; i < s->steps_per_epoch; i++, to += BYTES)
			CHECK(batch_train(s, epoch, i) == B && memcpy(to, s->memory.inputs, BYTES));
		for (int64_t first = 0; first < s->data.held_out.count; first += B, to += BYTES)
			CHECK(batch_evaluate(s, first) && memcpy(to, s->memory.inputs, BYTES));
	}
	loader_free(s->loader);
	s->loader = NULL;
}

static void same_bits(const char *folder)
{
	enum { MOST = 64 * BYTES };
	static char resident[MOST], streamed[MOST], batch[BYTES];
	memset(resident, 0, MOST);
	Session whole = session_of(folder, STORE_RESIDENT, 0, batch);
	CHECK(!whole.data.train.files && loader_is_needed(&whole) == (model.augment.contrast > 0));
	take_all(&whole, resident);
	for (int workers = 0; workers <= 5; workers++) {
		memset(streamed, 0, MOST);
		Session s = session_of(folder, STORE_STREAM, workers, batch);
		CHECK(s.data.train.files && !s.data.train.at[0] && loader_is_needed(&s));
		CHECK(s.data.train.count == whole.data.train.count &&
		      s.data.held_out.count == whole.data.held_out.count);
		CHECK(data_fingerprint(&s.data.train, &model, 1) ==
		      data_fingerprint(&whole.data.train, &model, 1));
		take_all(&s, streamed);
		CHECK(memcmp(resident, streamed, MOST) == 0);
		dataset_free(&s.data);
	}
	dataset_free(&whole.data);
}

static void resident_or_streamed(void)
{
	static const NnrAugment how[] = {
	        {0}, {.flip = true, .crop = 2}, {.flip = true, .contrast = 0.5, .saturation = 1}};
	static const int64_t shorter[] = {0, 6, 7};
	for (int i = 0; i < 3; i++) {
		model.augment = how[i];
		model.shorter_side = shorter[i];
		same_bits("d");
		same_bits("d/train"); /* a fifth of it is held out */
	}
	model.shorter_side = 0;
}

/* Other data, or the same names with other files, is other data for --resume. */
static void tells_data_apart(void)
{
	static char batch[BYTES];
	Session a = session_of("d", STORE_STREAM, 0, batch);
	uint64_t before = data_fingerprint(&a.data.train, &model, 1);
	dataset_free(&a.data);
	const char *const ends[] = {"d/train/a/000.bmp", "d/train/c/020.bmp"};
	for (int i = 0; i < 2; i++) {
		put_noise(ends[i], H + 3, W, 7); /* another length */
		a = session_of("d", STORE_STREAM, 0, batch);
		CHECK(data_fingerprint(&a.data.train, &model, 1) != before);
		before = data_fingerprint(&a.data.train, &model, 1);
		dataset_free(&a.data);
	}
	static const struct timespec long_ago[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
	uint64_t now[2];
	/* As it was except for the time; another of that length and time. */
	for (uint32_t state = 0; state < 2; state++) {
		put_noise("d/train/a/000.bmp", H, W, state);
		CHECK(utimensat(AT_FDCWD, "d/train/a/000.bmp", long_ago, 0) == 0);
		a = session_of("d", STORE_STREAM, 0, batch);
		now[state] = data_fingerprint(&a.data.train, &model, 1);
		dataset_free(&a.data);
	}
	CHECK(now[0] != before && now[1] != now[0]);
}

/* ---- a random window of the originals, which can't be resident */

static int load_resident(void *folder)
{
	static char batch[BYTES];
	Session s = session_of(folder, STORE_RESIDENT, 0, batch);
	(void)s;
	return 0;
}

static void windows(void)
{
	enum { MOST = 64 * BYTES };
	static char first[MOST], other[MOST], batch[BYTES];
	model.augment =
	        (NnrAugment){.flip = true, .least_area = 0.2, .least_aspect = 0.75, .brightness = 0.4};
	for (int workers = 0; workers <= 3; workers++) {
		Session s = session_of("d", STORE_AUTO, workers, batch);
		CHECK(s.data.train.files != NULL);
		memset(workers ? other : first, 0, MOST);
		take_all(&s, workers ? other : first);
		CHECK(!workers || memcmp(first, other, MOST) == 0);
		dataset_free(&s.data);
	}
	char folder[] = "d";
	Ended e = run_child(load_resident, folder);
	CHECK(e.status == STATUS_USAGE && strstr(e.said, "random_resized_crop"));
	model.augment = (NnrAugment){0};
}

/* ---- a file whose head is whole and whose body is not */

static void damaged_later(void)
{
	static char batch[BYTES];
	char *told = NULL;
	for (int workers = 0; workers <= 4; workers++) {
		Session s = session_of("d", STORE_STREAM, workers, batch);
		CHECK(truncate("d/train/b/004.bmp", 60) == 0);
		s.loader = loader_new(&s, loader_host_memory, true, 1);
		int64_t taken = 0;
		while (taken < TRAIN / B && batch_train(&s, 0, taken) == B)
			taken++;
		char *failure = loader_failure(s.loader);
		if (CHECK(taken < TRAIN / B && failure)) {
			CHECK(strstr(failure, "`d/train/b/004.bmp` can't be used: it is cut short"));
			char *now = text_printf("%lld %s", (long long)taken, failure);
			CHECK(!told || strcmp(now, told) == 0);
			free(told);
			told = now;
		}
		free(failure);
		CHECK(batch_train(&s, 0, taken) == 0); /* and so it stays */
		loader_free(s.loader);
		dataset_free(&s.data);
		put_noise("d/train/b/004.bmp", H, W + 1, 4);
	}
	free(told);
}

/* ---- memory */

static int load_within(void *folder)
{
	static char batch[BYTES];
	const int limited = limit_addresses(200 << 20);
	if (limited != 0)
		return limited;
	static NnrInput large[2];
	memcpy(large, inputs, sizeof inputs);
	large[0].dim[1] = large[0].dim[2] = 2048; /* 23 of them are 290 MB */
	model.inputs = large;
	Session s = session_of(folder, STORE_AUTO, 1, batch);
	fprintf(stderr, "%s", s.data.store);
	return s.data.train.files ? 0 : 2;
}

static void streams_what_does_not_fit(void)
{
	CHECK(memory_available() > 0 && memory_addresses_left() > 0);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* which take more addresses than that */
	char folder[] = "d";
	Ended e = run_child(load_within, folder);
	if (e.status == NOT_LIMITED)
		check_skip("data that does not fit: addresses are not limited here");
	else if (!CHECK(e.status == 0 &&
	                strstr(e.said, "streamed from the files: decoded they take 365 MB, and ")))
		printf("  %d: %s\n", e.status, e.said);
#else
	(void)load_within;
#endif
}

int main(void)
{
	child_folder_make();
	put_folders("d", TRAIN, TEST, H, W);
	lends_in_order();
	any_number_of_workers();
	resident_or_streamed();
	tells_data_apart();
	windows();
	damaged_later();
	streams_what_does_not_fit();
	return check_report("unit, the loader");
}
