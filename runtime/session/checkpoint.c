/* SPDX-License-Identifier: MIT */
/* What a checkpoint holds, and loading weights by name. */
#include "runtime/session/checkpoint.h"
#include "runtime/data/classes.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/session/provenance.h"
#include "runtime/data/safetensors.h"
#include "runtime/data/table.h"
#include "runtime/session/weights.h"
#include "runtime/host/writer.h"
#include "runtime/ranks/ranks.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first had a fingerprint of 1,024 samples at most and no names of classes. */
static const char *const format_names[] = {"nnc checkpoint 1", "nnc checkpoint 2"};

enum { NEWEST = 2 };

/* FNV-1a over names, types and shapes, and whether states are of another order than in older builds: equal for two
 * builds exactly when their checkpoints fit each other. */
static uint64_t layout_hash(const NnrModel *m)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (int i = 0; i < m->param_count + m->state_count; i++) {
		const NnrTensor t =
		        i < m->param_count ? m->params[i] : tensor_whole(m, &m->states[i - m->param_count]);
		char *shape = shape_text(t.dim, t.rank);
		char *text = text_printf("%s %s %s%s\n", t.name, dtype_name(t.dtype), shape,
		                         m->moved ? " moved" : "");
		for (const unsigned char *s = (const unsigned char *)text; *s; s++)
			hash = (hash ^ *s) * 0x100000001b3u;
		free(shape);
		free(text);
	}
	return hash;
}

/* ---- saving */

static double bytes_needed(const NnrModel *m)
{
	double bytes = (double)m->param_bytes + (double)m->state_bytes + 1e5;
	for (int i = 0; i < m->state_count; i++)
		if (tensor_is_share(m, &m->states[i]))
			bytes += (double)(m->whole - m->share) * (double)dtype_bytes(m->states[i].dtype);
	return bytes;
}

void checkpoint_probe(const Session *s, const char *path)
{
	FileWriter *w = file_begin(path);
	if (!w)
		die(STATUS_DATA, "checkpoints can't be saved: %s", file_failure());
	file_abandon(w);
	double need = (s->options.resume ? 1 : 2) * bytes_needed(s->model), room = file_room(path);
	if (room < need)
		die(STATUS_DATA, "no room for checkpoints: beside `%s` %s are left, %s %s", path,
		    human_bytes(room), s->options.resume ? "another needs" : "two need", human_bytes(need));
}

/* What a training is except for its data, length, seed and rate; malloc'd: "optimizer sgd(...); ...; --no-augment". */
static char *settings_text(const Session *s)
{
	const Options *o = &s->options;
	return text_printf("%s%s%s%s%s", s->model->recipe, o->no_augment ? "; --no-augment" : "",
	                   o->no_shuffle ? "; --no-shuffle" : "", o->freeze ? "; --freeze " : "",
	                   o->freeze ? o->freeze : "");
}

static uint64_t double_bits(double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

/* "600 1200 1800", of the last --keep; malloc'd. */
static char *kept_text(const Session *s)
{
	const Kept *k = &s->kept;
	char *text = text_printf("%s", "");
	int keep = (int)s->options.keep;
	for (int i = k->count > keep ? k->count - keep : 0; i < k->count; i++)
		text_append(&text, "%s%" PRId64, *text ? " " : "", k->step[i]);
	return text;
}

/* The sums of the epoch so far, as bits: a resumed mean is the same to the last digit; malloc'd. */
static char *sums_text(const Session *s)
{
	enum { DIGITS = 16 };
	char *text = allocate((1 + MAX_METRICS) * DIGITS + 1, 1, "the header");
	for (int i = 0; i < 1 + MAX_METRICS; i++)
		snprintf(text + DIGITS * i, DIGITS + 1, "%016" PRIx64, double_bits(s->at.sums[i]));
	return text;
}

/* What the file says beside its tensors. */
static Provenance header_of(const Session *s)
{
	const NnrModel *m = s->model;
	Provenance h = {0};
#define PUT(key, ...) provenance_put(&h, key, text_printf(__VA_ARGS__))
	PUT("format", "%s", format_names[NEWEST - 1]);
	PUT("nnc", "%s", m->version);
	PUT("model", "%s", m->name);
	PUT("layout", "%016" PRIx64, layout_hash(m));
	PUT("seed", "%" PRIu64, s->seed);
	PUT("batch", "%" PRId64, step_samples(m));
	PUT("samples", "%" PRId64, s->data.train.count);
	PUT("data", "%016" PRIx64, s->train_data);
	PUT("held_out", "%016" PRIx64, s->held_out_data);
	PUT("step", "%" PRId64, s->at.step);
	PUT("epoch", "%" PRId64, s->at.epoch);
	PUT("in_epoch", "%" PRId64, s->at.in_epoch);
	PUT("reported", "%d", s->at.reported);
	PUT("length", "%" PRId64, s->total_steps);
	PUT("rate", "%.17g", ldexp(s->rate.rate, (int)s->at.rollbacks));
	provenance_put(&h, "sums", sums_text(s));
	PUT("skipped", "%" PRId64, s->at.skipped);
	PUT("rollbacks", "%" PRId64, s->at.rollbacks);
	PUT("evaluated", "%" PRId64, s->at.evaluated);
	PUT("monitor", "%s", s->options.monitor ? s->options.monitor : "loss");
	PUT("best", "%016" PRIx64 " %" PRId64 " %" PRId64, double_bits(s->at.best.value), s->at.best.step,
	    s->at.best.since);
#undef PUT
	char *kept = kept_text(s);
	provenance_put(&h, "settings", settings_text(s));
	if (*kept)
		provenance_put(&h, "kept", kept);
	else
		free(kept);
	provenance_put(&h, "classes", classes_text(&s->data));
	provenance_put(&h, "table", s->data.table ? table_text(s->data.table, m) : NULL);
	provenance_of(&h, s);
	return h;
}

bool checkpoint_save(const Session *s, const char *path)
{
	const NnrModel *m = s->model;
	Provenance header = header_of(s);
	int tensor_count = m->param_count + m->state_count;
	StoredTensor *tensors = allocate(tensor_count, sizeof *tensors, "the header");
	for (int i = 0; i < tensor_count; i++) {
		bool is_param = i < m->param_count;
		int state = i - m->param_count;
		const NnrTensor t = is_param ? m->params[i] : tensor_whole(m, &m->states[state]);
		const char *own = (is_param ? s->memory.params : s->memory.state) + t.offset,
		           *all = !is_param && s->shares ? s->shares[state] : NULL;
		tensors[i] = (StoredTensor){
		        .name = t.name, .dtype = (int)t.dtype, .rank = t.rank, .data = all ? all : own};
		memcpy(tensors[i].dim, t.dim, sizeof tensors[i].dim);
	}
	bool ok = safetensors_write(path, tensors, tensor_count, header.at, header.count);
	free(tensors);
	provenance_free(&header);
	return ok;
}

/* ---- loading */

int checkpoint_version(const Safetensors *f)
{
	const char *format = safetensors_metadata(f, "format");
	int version = NEWEST;
	while (version > 0 && (!format || strcmp(format, format_names[version - 1]) != 0))
		version--;
	return version;
}

static uint64_t number(const Safetensors *f, const char *key)
{
	const char *text = safetensors_metadata(f, key);
	char *end = NULL;
	errno = 0;
	uint64_t value = text && *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
	if (!end || *end || errno)
		die(STATUS_DATA, "`%s` is no complete checkpoint: its `%s` is missing or no number", f->path,
		    key);
	return value;
}

static int64_t count(const Safetensors *f, const char *key)
{
	uint64_t value = number(f, key);
	if (value > INT64_MAX / 2)
		die(STATUS_DATA, "`%s` is no complete checkpoint: its `%s` is too large", f->path, key);
	return (int64_t)value;
}

static void read_sums(Session *s, const Safetensors *f)
{
	const char *text = safetensors_metadata(f, "sums");
	if (!text || strlen(text) != 16 * (1 + MAX_METRICS) ||
	    strspn(text, "0123456789abcdef") != strlen(text))
		die(STATUS_DATA, "`%s` is no complete checkpoint: its `sums` are missing or damaged",
		    f->path);
	for (int i = 0; i < 1 + MAX_METRICS; i++) {
		char digits[17] = "";
		memcpy(digits, text + 16 * i, 16);
		uint64_t bits = strtoull(digits, NULL, 16);
		memcpy(&s->at.sums[i], &bits, sizeof bits);
	}
}

/* Files of older trainers have none of it, and one by another score says nothing of this one. */
static void read_best(Session *s, const Safetensors *f)
{
	const char *text = safetensors_metadata(f, "best"), *by = safetensors_metadata(f, "monitor"),
	           *now = s->options.monitor ? s->options.monitor : "loss", *at = text + 16;
	s->at.evaluated = safetensors_metadata(f, "evaluated") ? count(f, "evaluated") : 0;
	s->at.skipped = safetensors_metadata(f, "skipped") ? count(f, "skipped") : 0;
	s->at.rollbacks = safetensors_metadata(f, "rollbacks") ? count(f, "rollbacks") : 0;
	if (!text || !by)
		return;
	if (strlen(text) < 20 || strspn(text, "0123456789abcdef") != 16)
		die(STATUS_DATA, "`%s` is no complete checkpoint: its `best` is damaged", f->path);
	uint64_t bits = strtoull(text, NULL, 16);
	char *end;
	Best best = {.step = strtoll(at, &end, 10)};
	best.since = strtoll(end, &end, 10);
	memcpy(&best.value, &bits, sizeof bits);
	if (*end || best.step < 0 || best.since < 0)
		die(STATUS_DATA, "`%s` is no complete checkpoint: its `best` is damaged", f->path);
	if (strcmp(by, now) == 0)
		s->at.best = best;
	else if (best.step > 0)
		say_note("`%s` knows the best by `%s`: by `%s` it is looked for anew", f->path, by, now);
}

static void read_kept(Session *s, const Safetensors *f)
{
	const char *text = safetensors_metadata(f, "kept");
	char *end;
	s->kept.count = 0;
	for (; text && *text && s->kept.count < MOST_KEPT; text = end) {
		int64_t step = strtoll(text, &end, 10);
		if (end == text || step <= 0)
			die(STATUS_DATA, "`%s` is no complete checkpoint: its `kept` is damaged", f->path);
		s->kept.step[s->kept.count++] = step;
	}
}

static bool has_fingerprint(const Safetensors *f, const char *key, uint64_t fingerprint)
{
	char text[17];
	snprintf(text, sizeof text, "%016" PRIx64, fingerprint);
	const char *stored = safetensors_metadata(f, key);
	return stored && strcmp(stored, text) == 0;
}

/* The order of the samples follows from (seed, epoch, number of samples): all three must be as they were. */
static void check_same_run(const Session *s, const Safetensors *f, uint64_t seed)
{
	int64_t batch = count(f, "batch"), samples = count(f, "samples");
	static const char help[] = "--init FILE starts a new training from its weights";
	if (s->options.seed >= 0 && (uint64_t)s->options.seed != seed)
		die_help(STATUS_DATA, "leave --seed away: a resumed training keeps its own",
		         "`%s` was trained with the seed %" PRIu64 ", not %" PRId64, f->path, seed,
		         s->options.seed);
	if (batch != step_samples(s->model))
		die_help(STATUS_DATA, help,
		         "`%s` was trained with batches of %" PRId64 ", this trainer has %" PRId64, f->path,
		         batch, step_samples(s->model));
	if (samples != s->data.train.count)
		die_help(STATUS_DATA, help, "`%s` was trained on %" PRId64 " samples, the data has %" PRId64,
		         f->path, samples, s->data.train.count);
	if (checkpoint_version(f) == 1)
		say_note("`%s` is of an older nnc, which did not look at all of the data: that this is the "
		         "same "
		         "is for you to know",
		         f->path);
	else if (!has_fingerprint(f, "data", s->train_data))
		die_help(STATUS_DATA, help, "`%s` was trained on other data than is given now", f->path);
	else if (!has_fingerprint(f, "held_out", s->held_out_data) && !s->options.no_eval)
		say_note("`%s` was evaluated on other held-out data: its eval_loss and what comes now can't "
		         "be "
		         "compared",
		         f->path);
}

/* ---- the settings of the recipe, then and now */

/* The next of "data mnist; clip 5", from *at on; empty after the last. */
typedef struct Setting {
	const char *at;
	int length, key; /* bytes of all of it, of its first word */
} Setting;

static Setting next_setting(const char **at)
{
	const char *end = strstr(*at, "; ");
	Setting s = {.at = *at, .length = (int)(end ? (size_t)(end - *at) : strlen(*at))};
	s.key = (int)strcspn(s.at, " ;");
	*at += s.length + (end ? 2 : 0);
	return s;
}

static Setting find_setting(const char *settings, Setting wanted)
{
	for (Setting s = next_setting(&settings);; s = next_setting(&settings))
		if (s.length == 0 || (s.key == wanted.key && memcmp(s.at, wanted.at, (size_t)s.key) == 0))
			return s;
}

static bool is_of(Setting s, const char *key)
{
	return (int)strlen(key) == s.key && memcmp(s.at, key, (size_t)s.key) == 0;
}

/* What of it is compared here; malloc'd. The number of the rate, which an option may replace, is said by itself. */
static char *compared_text(Setting s)
{
	char *text = text_printf("%.*s", s.length, s.at);
	char *number = is_of(s, "rate")        ? text + s.key
	               : is_of(s, "optimizer") ? strstr(text, "rate = ")
	                                       : NULL;
	if (number) {
		number += strspn(number, "rate= ");
		const char *end = number + strcspn(number, " ,)");
		memmove(number, end, strlen(end) + 1);
	}
	return text;
}

static void say_setting(const Safetensors *f, Setting then, Setting now)
{
	static const char *const elsewhere[] = {"data", "batch", "epochs", "steps", "seed"};
	Setting either = then.length ? then : now;
	for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
		if (is_of(either, elsewhere[i]))
			return;
	char *was = compared_text(then), *is = compared_text(now);
	if (strcmp(was, is) != 0)
		say_note("`%s` was trained %s `%.*s`, this training goes on %s `%.*s`", f->path,
		         then.length ? "with" : "without", then.length ? then.length : now.key, either.at,
		         now.length ? "with" : "without", now.length ? now.length : then.key,
		         now.length ? now.at : then.at);
	free(was);
	free(is);
}

/* Files of an nnc that did not keep them have none. */
static void say_settings(const Session *s, const Safetensors *f)
{
	const char *then = safetensors_metadata(f, "settings");
	char *now = settings_text(s);
	if (!then) {
		free(now);
		return;
	}
	const char *at = then;
	for (Setting old = next_setting(&at); old.length; old = next_setting(&at))
		say_setting(f, old, find_setting(now, old));
	at = now;
	for (Setting new = next_setting(&at); new.length; new = next_setting(&at))
		if (!find_setting(then, new).length)
			say_setting(f, (Setting){.at = ""}, new);
	free(now);
}

/* All may differ on purpose; but the schedule follows the length, so that none goes unsaid. */
static void say_what_differs(const Session *s, const Safetensors *f)
{
	const char *rate = safetensors_metadata(f, "rate");
	if (safetensors_metadata(f, "length") && count(f, "length") != s->total_steps)
		say_note("`%s` is of a training of %" PRId64 " steps, this one has %" PRId64
		         ": the schedule of the learning rate is that of the new length",
		         f->path, count(f, "length"), s->total_steps);
	if (rate && strtod(rate, NULL) != s->rate.rate)
		say_note("`%s` was trained with the rate %.6g, this training goes on with %.6g", f->path,
		         strtod(rate, NULL), s->rate.rate);
	say_settings(s, f);
}

static Safetensors *checkpoint_open(const char *path)
{
	Safetensors *f = safetensors_open(path);
	if (!checkpoint_version(f))
		die_help(STATUS_DATA, "--init FILE takes the weights of such a file",
		         "`%s` is no checkpoint of nnc", path);
	return f;
}

uint64_t checkpoint_seed(const char *path)
{
	Safetensors *f = checkpoint_open(path);
	uint64_t seed = number(f, "seed");
	safetensors_close(f);
	return seed;
}

/* Before its tensors are compared one by one: a file of another model would be told by some name or shape alone. */
static void check_same_model(const NnrModel *m, const Safetensors *f)
{
	const char *other = safetensors_metadata(f, "model");
	if (other && strcmp(other, m->name) != 0)
		die_help(STATUS_DATA,
		         "give this trainer a file of its own; --init FILE takes weights of equal names and "
		         "shapes",
		         "`%s` is a checkpoint of the model `%s`, this is a trainer of `%s`", f->path, other,
		         m->name);
}

static const char another_size[] =
        "it is of a network of another size: give one that this trainer wrote, or compile "
        "with the sizes of that network";

void checkpoint_preflight(const NnrModel *m, const char *path)
{
	Safetensors *f = checkpoint_open(path);
	check_same_model(m, f);
	params_load(m, f, NULL, another_size);
	safetensors_close(f);
}

/* Or this rank's share of it. */
static void load_state(Session *s, const Safetensors *f, const StoredTensor *stored, const NnrTensor *t)
{
	const NnrModel *m = s->model;
	NnrTensor whole = tensor_whole(m, t);
	if (!tensor_is_share(m, t)) {
		tensor_load(f, stored, t, false, s->memory.state, another_size);
		return;
	}
	whole.offset = 0;
	int64_t size = dtype_bytes(t->dtype), first = ranks_own() * m->share, rest = m->whole - first,
	        part = rest < 0          ? 0
	               : rest < m->share ? rest
	                                 : m->share;
	char *all = allocate(m->whole, size, "a state of all ranks");
	tensor_load(f, stored, &whole, false, all, another_size);
	if (part > 0)
		memcpy(s->memory.state + t->offset, all + first * size, (size_t)(part * size));
	free(all);
}

void checkpoint_load(Session *s, const char *path, bool exact)
{
	const NnrModel *m = s->model;
	Safetensors *f = checkpoint_open(path);
	check_same_model(m, f);
	keep_description(s, f);
	params_load(m, f, s->memory.params, another_size);
	session_begin_average(s);
	for (int i = 0; i < m->state_count; i++) {
		const StoredTensor *stored = safetensors_find(f, m->states[i].name);
		if (stored)
			load_state(s, f, stored, &m->states[i]);
		else if (exact || !m->states[i].of_update)
			die_help(STATUS_DATA, "--init FILE starts a new training from its weights",
			         "`%s` lacks the state `%s` of this recipe", path, m->states[i].name);
	}
	uint64_t seed = number(f, "seed");
	if (exact) {
		refuse_extra(m, f);
		check_same_run(s, f, seed);
		char layout[17];
		snprintf(layout, sizeof layout, "%016" PRIx64, layout_hash(m));
		const char *stored = safetensors_metadata(f, "layout");
		if (!stored || strcmp(stored, layout) != 0)
			die_help(STATUS_DATA, "--init FILE starts a new training from its weights",
			         "`%s` was written by another build of `%s`: its layout differs", path,
			         m->name);
	}
	if (exact || s->options.seed < 0)
		s->seed = seed;
	s->at.step = count(f, "step");
	s->at.epoch = count(f, "epoch");
	s->at.in_epoch = count(f, "in_epoch");
	s->at.reported = safetensors_metadata(f, "reported") && count(f, "reported");
	read_sums(s, f);
	provenance_resume(s, f);
	if (exact) {
		read_best(s, f);
		read_kept(s, f);
	}
	if (exact && s->at.in_epoch > s->steps_per_epoch)
		die(STATUS_DATA, "`%s` stands %" PRId64 " steps into an epoch of %" PRId64, path,
		    s->at.in_epoch, s->steps_per_epoch);
	if (exact && !session_is_complete(s))
		say_what_differs(s, f);
	if (exact)
		session_halve_rate(s, s->at.rollbacks);
	safetensors_close(f);
}
