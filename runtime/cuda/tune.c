/* SPDX-License-Identifier: MIT */
#include "runtime/cuda/tune.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/host/writer.h"
#include "runtime/cuda/tune_alike.h"
#include "runtime/cuda/tune_shipped.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAGIC "# nnc tune record "
#define TRIED "# tried "

enum { VERSION = 2, LINE_BYTES = 4096, FILE_BYTES = 16 << 20, SAVE_SECONDS = 2 };

static const char *const library_names[TUNE_LIBRARIES] = {"cudnn", "cublaslt"};
static const char *const library_titles[TUNE_LIBRARIES] = {"cuDNN", "cuBLASLt"};

/* ---- reading */

/* A cursor over one line; the first mistake ends it. */
typedef struct Cursor {
	const char *at;
} Cursor;

static bool take(Cursor *c, const char *text)
{
	size_t n = strlen(text);
	if (strncmp(c->at, text, n))
		return false;
	c->at += n;
	return true;
}

static bool name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static bool read_name(Cursor *c, char out[TUNE_NAME_BYTES])
{
	int n = 0;
	while (name_byte(c->at[n]))
		n++;
	if (n == 0 || n >= TUNE_NAME_BYTES)
		return false;
	memcpy(out, c->at, (size_t)n);
	out[n] = 0;
	c->at += n;
	return true;
}

/* strtoll and strtod skip blanks and take signs, "inf" and "0x": only a digit, or one after a minus, may begin. */
static bool begins_number(const char *at)
{
	return isdigit((unsigned char)at[at[0] == '-']);
}

static bool read_integer(Cursor *c, int64_t *out)
{
	if (!begins_number(c->at))
		return false;
	char *end;
	errno = 0;
	long long value = strtoll(c->at, &end, 10);
	if (errno)
		return false;
	*out = value;
	c->at = end;
	return true;
}

static bool read_real(Cursor *c, double *out)
{
	if (!begins_number(c->at) || c->at[0] == '-' ||
	    (c->at[0] == '0' && tolower((unsigned char)c->at[1]) == 'x'))
		return false;
	char *end;
	*out = strtod(c->at, &end);
	c->at = end;
	return isfinite(*out);
}

/* The end of a line, which the first version did not have. */
static bool read_state(Cursor *c, TuneEntry *e, int version)
{
	int64_t next;
	if (version == 1 || take(c, " state=complete"))
		return true;
	if (!take(c, " state=partial next=") || !read_integer(c, &next) || next < 0 || next > INT32_MAX)
		return false;
	e->partial = true;
	e->next = (int)next;
	return true;
}

static bool read_measured(Cursor *c, TuneEntry *e, int version)
{
	int64_t candidates;
	if (!take(c, " us=") || !read_real(c, &e->us) || !take(c, " runner_up=") ||
	    !read_real(c, &e->runner_up_us) || !take(c, " first=") || !read_real(c, &e->first_us) ||
	    !take(c, " candidates=") || !read_integer(c, &candidates) || !take(c, " workspace=") ||
	    !read_integer(c, &e->workspace) || !read_state(c, e, version) || *c->at)
		return false;
	e->candidates = (int)candidates;
	return candidates >= 0 && candidates <= INT32_MAX && e->workspace >= 0;
}

/* Keeps the fastest, each plan once. */
static void add_tried(TuneEntry *e, double us, const char *plan)
{
	TuneTried *t = e->tried;
	int at = 0, count = e->tried_count;
	while (at < count && strncmp(t[at].plan, plan, TUNE_PLAN_BYTES - 1) != 0)
		at++;
	if (at < count) { /* the last time of it counts */
		memmove(&t[at], &t[at + 1], (size_t)(count - at - 1) * sizeof *t);
		count--;
	}
	for (at = count; at > 0 && us < t[at - 1].us;)
		at--;
	if (at < TUNE_TRIED) {
		count -= count == TUNE_TRIED;
		memmove(&t[at + 1], &t[at], (size_t)(count - at) * sizeof *t);
		t[at].us = us;
		snprintf(t[at].plan, sizeof t[at].plan, "%s", plan);
		count++;
	}
	e->tried_count = count;
}

/* A line without its library: key, settings, measurements. */
static bool read_entry(Cursor *c, TuneEntry *e, int version)
{
	size_t n = strcspn(c->at, ":|");
	if (n == 0 || n >= TUNE_KEY_BYTES || c->at[n] != ':')
		return false;
	memcpy(e->key, c->at, n);
	e->key[n] = 0;
	c->at += n + 1;
	while (take(c, " ")) {
		if (take(c, "|"))
			return e->setting_count > 0 && read_measured(c, e, version);
		if (e->setting_count == TUNE_SETTINGS)
			return false;
		TuneSetting *s = &e->settings[e->setting_count++];
		if (!read_name(c, s->name) || !take(c, "=") || !read_integer(c, &s->value))
			return false;
	}
	return false;
}

/* "12.34 engine=36 tile_size=5", of the operation above; what can't be read is a comment. */
static void read_tried(TuneEntry *e, Cursor c)
{
	double us;
	if (read_real(&c, &us) && take(&c, " ") && *c.at &&
	    !c.at[strspn(c.at, "abcdefghijklmnopqrstuvwxyz0123456789_= -")])
		add_tried(e, us, c.at);
}

static bool read_positive(Cursor *c, int64_t *out)
{
	int64_t value;
	if (!read_integer(c, &value) || value <= 0 || *c->at)
		return false;
	*out = value;
	return true;
}

/* *of: the operation that the line is of, else NULL. */
static bool read_line(TuneRecord *r, const char *line, TuneEntry **of)
{
	*of = NULL;
	for (const char *s = line; *s; s++)
		if (*s < 0x20 || *s > 0x7e)
			return false;
	Cursor c = {line};
	if (take(&c, "device ")) {
		snprintf(r->platform.device, sizeof r->platform.device, "%.127s", c.at);
		return *c.at;
	}
	if (take(&c, "capability "))
		return read_positive(&c, &r->platform.capability);
	if (take(&c, "driver "))
		return read_positive(&c, &r->platform.driver);
	for (int i = 0; i < TUNE_LIBRARIES; i++) {
		c.at = line;
		if (!take(&c, library_names[i]) || !take(&c, " "))
			continue;
		if (isdigit((unsigned char)*c.at))
			return read_positive(&c, &r->platform.version[i]);
		TuneEntry e = {.library = (TuneLibrary)i};
		if (!read_entry(&c, &e, r->version) || r->count >= TUNE_ENTRIES)
			return false;
		*of = tune_set(r, &e);
		return true;
	}
	return false;
}

/* One digit after the magic words, and no other; 0 where the text is no record of a version known here. */
static int version_of(const char *text, int64_t length)
{
	int64_t n = (int64_t)strlen(MAGIC);
	if (length < n + 2 || memcmp(text, MAGIC, (size_t)n) || isdigit((unsigned char)text[n + 1]))
		return 0;
	int version = text[n] - '0';
	return version >= 1 && version <= VERSION ? version : 0;
}

bool tune_parse(TuneRecord *r, const char *text, int64_t length)
{
	*r = (TuneRecord){.version = version_of(text, length)};
	const char *end = text + length;
	if (!r->version)
		return false;
	int number = 0;
	TuneEntry *of = NULL; /* that `# tried` is of */
	for (const char *at = text; at < end; number++) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		int64_t n = (stop ? stop : end) - at;
		char line[LINE_BYTES];
		bool whole = stop && n < LINE_BYTES; /* without its newline a line was cut */
		if (whole) {
			memcpy(line, at, (size_t)n);
			line[n] = 0;
			whole = !memchr(line, 0, (size_t)n);
		}
		if (!whole)
			of = NULL;
		Cursor tried = {line};
		if (of && take(&tried, TRIED))
			read_tried(of, tried);
		if (!whole || (n > 0 && line[0] != '#' && !read_line(r, line, &of))) {
			if (!r->bad_lines++)
				r->first_bad = number + 1;
		}
		at = stop ? stop + 1 : end;
	}
	return true;
}

/* ---- the record as a value */

char *tune_text(const TuneRecord *r, int64_t *length)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	if (!f)
		die(STATUS_MEMORY, "not enough memory for the tune record");
	fprintf(f,
	        MAGIC "%d: library plans chosen by timing; may be deleted at any time, and shared between "
	              "like machines\n",
	        VERSION);
	fprintf(f, "device %s\ncapability %lld\ndriver %lld\n", r->platform.device,
	        (long long)r->platform.capability, (long long)r->platform.driver);
	for (int i = 0; i < TUNE_LIBRARIES; i++)
		if (r->platform.version[i])
			fprintf(f, "%s %lld\n", library_names[i], (long long)r->platform.version[i]);
	for (int k = 0; k < r->count; k++) {
		const TuneEntry *e = &r->entries[k];
		fprintf(f, "%s %s:", library_names[e->library], e->key);
		for (int i = 0; i < e->setting_count; i++)
			fprintf(f, " %s=%lld", e->settings[i].name, (long long)e->settings[i].value);
		fprintf(f, " | us=%.2f runner_up=%.2f first=%.2f candidates=%d workspace=%lld", e->us,
		        e->runner_up_us, e->first_us, e->candidates, (long long)e->workspace);
		if (e->partial)
			fprintf(f, " state=partial next=%d\n", e->next);
		else
			fprintf(f, " state=complete\n");
		for (int i = 0; i < e->tried_count; i++)
			fprintf(f, TRIED "%.2f %s\n", e->tried[i].us, e->tried[i].plan);
	}
	if (fclose(f))
		die(STATUS_MEMORY, "not enough memory for the tune record");
	*length = (int64_t)size;
	return text;
}

static TuneEntry *find(const TuneRecord *r, TuneLibrary library, const char *key)
{
	for (int i = 0; i < r->count; i++)
		if (r->entries[i].library == library && !strcmp(r->entries[i].key, key))
			return &r->entries[i];
	return NULL;
}

const TuneEntry *tune_find(const TuneRecord *r, TuneLibrary library, const char *key)
{
	return find(r, library, key);
}

TuneEntry *tune_set(TuneRecord *r, const TuneEntry *entry)
{
	TuneEntry *place = find(r, entry->library, entry->key);
	if (!place) {
		if (r->count == r->room) {
			r->room = r->room ? 2 * r->room : 64;
			r->entries = reallocate(r->entries, r->room, sizeof *r->entries, "the tune record");
		}
		place = &r->entries[r->count++];
	}
	*place = *entry;
	return place;
}

void tune_remove_library(TuneRecord *r, TuneLibrary library)
{
	int kept = 0;
	for (int i = 0; i < r->count; i++)
		if (r->entries[i].library != library)
			r->entries[kept++] = r->entries[i];
	r->count = kept;
	r->platform.version[library] = 0;
}

void tune_free(TuneRecord *r)
{
	free(r->entries);
	*r = (TuneRecord){0};
}

void tune_tried(TuneEntry *entry, const TuneEntry *plan, double us)
{
	char text[TUNE_PLAN_BYTES];
	int length = 0;
	for (int i = 0; i < plan->setting_count && length < (int)sizeof text; i++)
		if (strncmp(plan->settings[i].name, "word", 4) != 0) /* of a library's own bits */
			length += snprintf(text + length, sizeof text - (size_t)length, "%s%s=%lld",
			                   length ? " " : "", plan->settings[i].name,
			                   (long long)plan->settings[i].value);
	if (isfinite(us) && length > 0)
		add_tried(entry, tune_rounded(us), text);
}

int64_t tune_setting(const TuneEntry *entry, const char *name, int64_t otherwise)
{
	for (int i = 0; i < entry->setting_count; i++)
		if (!strcmp(entry->settings[i].name, name))
			return entry->settings[i].value;
	return otherwise;
}

const char *tune_library_title(TuneLibrary library)
{
	return library_titles[library];
}

double tune_rounded(double us)
{
	return round(100 * us) / 100;
}

void tune_add_setting(TuneEntry *entry, const char *name, int64_t value)
{
	require(entry->setting_count < TUNE_SETTINGS);
	TuneSetting *s = &entry->settings[entry->setting_count++];
	snprintf(s->name, sizeof s->name, "%s", name);
	s->value = value;
}

/* ---- the record of this process */

static struct {
	bool configured, off, opened, dirty, failed;
	char *path;
	TuneRecord record;
	TuneRecord shipped; /* of what comes with the runtime, what may serve here */
	struct timespec saved;
} here;

void tune_configure(const char *file, bool off)
{
	here.configured = true;
	here.off = off;
	free(here.path);
	here.path = file ? text_printf("%s", file) : NULL;
}

static void configure_once(void)
{
	if (here.configured)
		return;
	const char *wanted = getenv("NNR_TUNE");
	bool off = wanted && !strcmp(wanted, "off");
	tune_configure(off || !wanted || !*wanted ? NULL : wanted, off);
}

bool tune_is_off(void)
{
	configure_once();
	return here.off;
}

static char *default_path(void)
{
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self);
	if (n <= 0 || n >= (ssize_t)sizeof self)
		return text_printf("%s.tune", program_name());
	return text_printf("%.*s.tune", (int)n, self);
}

static void read_file(const TunePlatform *platform)
{
	if (!here.path)
		here.path = default_path();
	TunePlatform fresh = *platform;
	memset(fresh.version, 0, sizeof fresh.version);
	here.record = (TuneRecord){.platform = fresh};
	(void)file_clean(here.path);
	if (!path_exists(here.path))
		return;
	int64_t length;
	const char *why;
	char *text = (char *)file_read(here.path, FILE_BYTES, &length, &why);
	if (!text)
		die(STATUS_DATA, "can't read the tune record `%s`: %s", here.path, why);
	TuneRecord r;
	if (!tune_parse(&r, text, length))
		die_help(STATUS_DATA, "name another file with --tune, or delete it",
		         "`%s` is not a tune record of version 1 to %d, and will not be overwritten with one",
		         here.path, VERSION);
	free(text);
	if (r.bad_lines)
		say_warning("%d line%s of the tune record `%s` can't be read (the first is line %d); what is "
		            "missing is tuned "
		            "again",
		            r.bad_lines, r.bad_lines == 1 ? "" : "s", here.path, r.first_bad);
	bool same = !strcmp(r.platform.device, platform->device) &&
	            r.platform.capability == platform->capability && r.platform.driver == platform->driver;
	if (!same) {
		say_note("the tune record `%s` is of %s (sm_%lld, driver %lld), this is %s (sm_%lld, driver "
		         "%lld): tuning "
		         "again",
		         here.path, r.platform.device[0] ? r.platform.device : "an unknown device",
		         (long long)r.platform.capability, (long long)r.platform.driver, platform->device,
		         (long long)platform->capability, (long long)platform->driver);
		tune_free(&r);
		return;
	}
	here.record = r;
}

/* Another device's choice, to go on from: its times are none here. Which of two kernels was faster is part of it. */
static void forget_times(TuneEntry *e)
{
	for (int i = 0; i < e->setting_count; i++) {
		TuneSetting *s = &e->settings[i];
		if (!strcmp(s->name, TUNE_OWN_TIME) && s->value > 0)
			s->value -= llround(1000 * e->us);
	}
	e->us = e->runner_up_us = e->first_us = 0;
	e->candidates = e->next = e->tried_count = 0;
	e->partial = true;
}

/* The entries of one library that serve here. One of the same device is worth more than another's, a whole search more
 * than a part. */
static void take_shipped(const TunePlatform *platform, TuneLibrary library, int64_t version)
{
	here.shipped.platform.version[library] = version;
	for (const char *const *text = tune_shipped; *text; text++) {
		TuneRecord r;
		if (!tune_parse(&r, *text, (int64_t)strlen(*text)) || r.bad_lines)
			die(STATUS_INTERNAL,
			    "internal error: a tune record that came with the runtime is damaged");
		const bool same = !strcmp(r.platform.device, platform->device);
		const bool serves = r.platform.capability == platform->capability &&
		                    r.platform.version[library] == version;
		for (int k = 0; k < r.count && serves; k++) {
			TuneEntry e = r.entries[k];
			const TuneEntry *known = find(&here.shipped, library, e.key);
			if (e.library != library || (known && !(known->partial && same)))
				continue;
			if (!same)
				forget_times(&e);
			tune_set(&here.shipped, &e);
		}
		tune_free(&r);
	}
}

void tune_open(const TunePlatform *platform, TuneLibrary library, int64_t version)
{
	if (here.shipped.platform.version[library] != version)
		take_shipped(platform, library, version);
	if (tune_is_off())
		return;
	if (!here.opened)
		read_file(platform);
	here.opened = true;
	int64_t recorded = here.record.platform.version[library];
	if (recorded && recorded != version)
		say_note("the tune record `%s` is of %s %lld, this is %lld: tuning its operations again",
		         here.path, library_titles[library], (long long)recorded, (long long)version);
	if (recorded != version)
		tune_remove_library(&here.record, library);
	here.record.platform.version[library] = version;
}

const TuneEntry *tune_lookup(TuneLibrary library, const char *key)
{
	const TuneEntry *own = here.off ? NULL : find(&here.record, library, key);
	return own ? own : find(&here.shipped, library, key);
}

const TuneEntry *tune_alike(TuneLibrary library, const char *key)
{
	/* Times as large, over all sizes: of half the height and width twice the channels and filters are 16. */
	static const double NEAR = 20;
	const TuneEntry *nearest = NULL;
	double least = log(NEAR);
	for (int i = 0; i < here.shipped.count; i++) {
		const TuneEntry *e = &here.shipped.entries[i];
		const double distance = e->library == library ? tune_distance(e->key, key) : INFINITY;
		if (distance > 0 && distance < least) {
			least = distance;
			nearest = e;
		}
	}
	return nearest;
}

static double seconds_since(const struct timespec *then)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

void tune_keep(const TuneEntry *entry)
{
	if (!here.opened)
		return;
	tune_set(&here.record, entry);
	if (!here.dirty && !here.saved.tv_sec)
		clock_gettime(CLOCK_MONOTONIC, &here.saved);
	here.dirty = true;
	if (seconds_since(&here.saved) > SAVE_SECONDS)
		tune_save();
}

void tune_save(void)
{
	if (!here.dirty || here.failed)
		return;
	int64_t length;
	char *text = tune_text(&here.record, &length);
	FileWriter *w = file_begin(here.path);
	bool written = false;
	if (w && !file_write(w, text, length))
		file_abandon(w);
	else if (w)
		written = file_commit(w);
	free(text);
	if (!written) {
		here.failed = true;
		say_warning("the tune record is not kept, the next start tunes again: %s", file_failure());
	}
	here.dirty = false;
	clock_gettime(CLOCK_MONOTONIC, &here.saved);
}
