/* SPDX-License-Identifier: MIT */
#include "runtime/report/log.h"
#include "runtime/host/options.h"
#include "runtime/host/die.h"
#include "runtime/host/json.h"
#include "runtime/host/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct Log {
	char *path;
	int fd, digits;
	bool said, unsynced; /* that it can't be written; that it may not be on disk */
	char *text;          /* what is not yet in the file */
	int64_t length, room;
};

/* ---- reconciling with a checkpoint */

/* What was kept of a log so far, of what it may have. */
typedef struct Scan {
	const LogEnd *most;
	int64_t step, epoch; /* of the last line of a step, of an epoch; 0: none */
	int64_t evaluation;  /* the same of an evaluation amid the epochs */
	int64_t cut;         /* whole lines */
	bool half;           /* the last line has no end */
} Scan;

/* The number after `key` at *at, which moves after it; -1 where something else is there. */
static int64_t take_number(const char **at, const char *key)
{
	size_t n = strlen(key);
	char *end;
	if (strncmp(*at, key, n) != 0 || (*at)[n] < '0' || (*at)[n] > '9')
		return -1;
	int64_t value = strtoll(*at + n, &end, 10);
	*at = end;
	return value;
}

/* Lines that begin with another key than an epoch's, a step's or an evaluation's are not judged. */
static bool is_kept(Scan *scan, const char *line, ssize_t length)
{
	scan->half = line[length - 1] != '\n';
	if (scan->half)
		return false;
	bool is_epoch = strncmp(line, "{\"epoch\"", 8) == 0, is_step = strncmp(line, "{\"step\"", 7) == 0,
	     is_evaluation = strncmp(line, "{\"evaluation\"", 13) == 0,
	     is_ours = is_epoch || is_step || is_evaluation,
	     whole = (ssize_t)strlen(line) == length && length > 3 && memcmp(line, "{\"", 2) == 0 &&
	             line[length - 2] == '}';
	const char *at = line;
	int64_t epoch = is_epoch ? take_number(&at, "{\"epoch\": ") : 0,
	        step = !is_ours ? 0
	                        : take_number(&at, is_epoch        ? ", \"step\": "
	                                           : is_evaluation ? "{\"evaluation\": "
	                                                           : "{\"step\": ");
	bool merged = is_ours && (epoch < 0 || step < 0 || strstr(at, "{\""));
	bool kept = whole && !merged && step <= scan->most->step && epoch <= scan->most->epoch &&
	            (!is_epoch || epoch > scan->epoch) && (!is_step || step > scan->step) &&
	            (!is_evaluation || step > scan->evaluation);
	scan->cut += !kept;
	if (kept && is_epoch)
		scan->epoch = epoch;
	if (kept && is_step)
		scan->step = step;
	if (kept && is_evaluation)
		scan->evaluation = step;
	return kept;
}

static _Noreturn void cannot(const char *what, const char *path, const char *why)
{
	die(STATUS_DATA, "can't %s the log `%s`: %s", what, path, why);
}

/* Each line of the log that is kept goes to `w`, unless that is NULL. */
static Scan scan_lines(const char *path, const LogEnd *most, FileWriter *w)
{
	Scan scan = {.most = most};
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	if (!f && errno != ENOENT)
		cannot("read", path, strerror(errno));
	errno = 0;
	while (f && (length = getline(&line, &room, f)) > 0)
		if (is_kept(&scan, line, length) && w && !file_write(w, line, length)) {
			file_abandon(w);
			cannot("write", path, file_failure());
		}
	if (f && !feof(f)) {
		const int why = errno ? errno : EIO;
		if (w)
			file_abandon(w);
		cannot("read", path, strerror(why));
	}
	free(line);
	if (f)
		fclose(f);
	return scan;
}

/* In a new file that takes its place, so that a crash leaves the one or the other. */
static void reconcile(const char *path, const LogEnd *resumed)
{
	Scan scan = scan_lines(path, resumed, NULL);
	if (scan.epoch > 0 && scan.epoch < resumed->epoch)
		say_note("the log `%s` has no line of epoch %lld, which the checkpoint has: it was not "
		         "written then",
		         path, (long long)resumed->epoch);
	if (!scan.cut && !scan.half)
		return;
	FileWriter *w = file_begin(path);
	if (!w)
		cannot("write", path, file_failure());
	scan_lines(path, resumed, w);
	if (!file_finish(w)) {
		file_abandon(w);
		cannot("write", path, file_failure());
	}
	char *kept = scan.cut ? file_keep(path) : NULL;
	if (scan.cut && !kept) {
		file_abandon(w);
		cannot("keep", path, file_failure());
	}
	if (!file_commit(w))
		cannot("write", path, file_failure());
	if (kept)
		say_note("the log `%s` had %lld line%s that the checkpoint does not have: cut; the log as it "
		         "was is `%s`",
		         path, (long long)scan.cut, scan.cut == 1 ? "" : "s", kept);
	else
		say_note("the log `%s` ended within a line, which is cut", path);
	free(kept);
}

/* ---- writing */

Log *log_open(const char *path, const LogEnd *resumed, int digits)
{
	if (!path)
		return NULL;
	struct stat st;
	bool to_output = strcmp(path, LOG_OUTPUT) == 0;
	if (resumed && !to_output && (stat(path, &st) < 0 || S_ISREG(st.st_mode)))
		reconcile(path, resumed);
	Log *log = allocate(1, sizeof *log, "the log");
	log->path = text_printf("%s", to_output ? "standard output" : path);
	log->digits = digits;
	log->room = 512;
	log->text = allocate(log->room, 1, "the log");
	log->fd = to_output ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
	                    : open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND | (resumed ? 0 : O_TRUNC),
	                           0666);
	if (log->fd < 0)
		cannot("write", path, strerror(errno));
	if (!resumed && !to_output)
		file_keep_mode(log->fd, path);
	return log;
}

__attribute__((format(printf, 2, 3))) static void put(Log *log, const char *format, ...)
{
	va_list args;
	for (;;) {
		va_start(args, format);
		int n = vsnprintf(log->text + log->length, (size_t)(log->room - log->length), format, args);
		va_end(args);
		require(n >= 0);
		if (log->length + n < log->room) {
			log->length += n;
			return;
		}
		log->room = 2 * log->room + n + 1;
		log->text = reallocate(log->text, log->room, 1, "the log");
	}
}

static void put_key(Log *log, const char *key)
{
	char *quoted = json_quoted(key);
	put(log, ", %s: ", quoted);
	free(quoted);
}

void log_begin(Log *log, const char *kind, int64_t number)
{
	if (log)
		put(log, "{\"%s\": %lld", kind, (long long)number);
}

void log_number(Log *log, const char *key, double value)
{
	if (!log)
		return;
	put_key(log, key);
	if (isfinite(value))
		put(log, "%.*g", log->digits, value);
	else
		put(log, "null");
}

void log_text(Log *log, const char *key, const char *value)
{
	if (!log)
		return;
	char *quoted = json_quoted(value);
	put_key(log, key);
	put(log, "%s", quoted);
	free(quoted);
}

void log_now(Log *log, const char *key)
{
	time_t now = time(NULL);
	struct tm at;
	char text[32] = "";
	if (gmtime_r(&now, &at))
		strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &at);
	log_text(log, key, text);
}

/* Goes on exactly where the last write ended, within a line too. */
static void write_out(Log *log)
{
	int64_t done = 0;
	while (done < log->length) {
		ssize_t n = write(log->fd, log->text + done, (size_t)(log->length - done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += n;
	}
	log->length -= done;
	memmove(log->text, log->text + done, (size_t)log->length);
	if (log->length > 0 && !log->said) {
		log->said = true;
		say_warning("the log `%s` can't be written: %s; training goes on", log->path,
		            strerror(errno));
	}
}

void log_end(Log *log)
{
	if (!log)
		return;
	put(log, "}\n");
	write_out(log);
}

void log_record(Log *log, const Record *r)
{
	log_begin(log, r->field[0].key, (int64_t)r->field[0].value);
	for (int i = 1; i < r->count; i++)
		log_number(log, r->field[i].key, r->field[i].value);
	log_end(log);
}

void log_sync(Log *log)
{
	/* EINVAL, EROFS: a pipe or a terminal */
	if (!log || fsync(log->fd) == 0 || errno == EINVAL || errno == EROFS || errno == EINTR)
		return;
	if (!log->unsynced)
		say_warning("the log `%s` may be lost if the machine stops: it can't be synced: %s",
		            log->path, strerror(errno));
	log->unsynced = true;
}

bool log_close(Log *log)
{
	if (!log)
		return true;
	if (log->length > 0)
		write_out(log);
	log_sync(log);
	bool closed = close(log->fd) == 0 || errno == EINTR, complete = closed && log->length == 0;
	if (!closed)
		say_warning("the log `%s` can't be written: %s", log->path, strerror(errno));
	if (complete && log->said)
		say_note("the log `%s` could be written again, and is whole", log->path);
	free(log->path);
	free(log->text);
	free(log);
	return complete;
}
