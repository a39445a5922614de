#include "runtime/core/log.h"
#include "runtime/core/die.h"
#include "runtime/core/json.h"
#include "runtime/core/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct Log {
	char *path;
	int fd, digits;
	bool first;          /* the line has no key yet */
	bool said, unsynced; /* that it can't be written; that it may not be on disk */
	char *text;          /* what is not yet in the file */
	int64_t length, room;
};

/* ---- reconciling with a checkpoint */

/* What was kept of a log so far, of what it may have. */
typedef struct Scan {
	const LogEnd *most;
	int64_t step, epoch; /* of the last line of a step, of an epoch; 0: none */
	int64_t cut;         /* whole lines */
	bool half;           /* the last line has no end */
} Scan;

/* The number behind `key` at *at, which moves behind it; -1 where something else is there. */
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

/* Lines that begin with another key than an epoch's or a step's are not ours to judge. */
static bool is_kept(Scan *scan, const char *line, ssize_t length)
{
	scan->half = line[length - 1] != '\n';
	if (scan->half)
		return false;
	bool is_epoch = strncmp(line, "{\"epoch\"", 8) == 0, is_step = strncmp(line, "{\"step\"", 7) == 0,
	     whole = (ssize_t)strlen(line) == length && length > 3 && memcmp(line, "{\"", 2) == 0 &&
	             line[length - 2] == '}';
	const char *at = line;
	int64_t epoch = is_epoch ? take_number(&at, "{\"epoch\": ") : 0,
	        step = is_epoch || is_step ? take_number(&at, is_epoch ? ", \"step\": " : "{\"step\": ") : 0;
	bool merged = (is_epoch || is_step) && (epoch < 0 || step < 0 || strstr(at, "{\""));
	bool kept = whole && !merged && step <= scan->most->step && epoch <= scan->most->epoch &&
	            (!is_epoch || epoch > scan->epoch) && (!is_step || step > scan->step);
	scan->cut += !kept;
	if (kept && is_epoch)
		scan->epoch = epoch;
	if (kept && is_step)
		scan->step = step;
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
	if (resumed && (stat(path, &st) < 0 || S_ISREG(st.st_mode)))
		reconcile(path, resumed);
	Log *log = allocate(1, sizeof *log, "the log");
	log->path = text_printf("%s", path);
	log->digits = digits;
	log->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND | (resumed ? 0 : O_TRUNC), 0666);
	if (log->fd < 0)
		cannot("write", path, strerror(errno));
	if (!resumed)
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

void log_begin(Log *log)
{
	if (!log)
		return;
	put(log, "{");
	log->first = true;
}

void log_prefixed(Log *log, const char *prefix, const char *key, double value)
{
	if (!log)
		return;
	char *whole = text_printf("%s%s", prefix, key), *quoted = json_quoted(whole);
	put(log, log->first ? "%s: " : ", %s: ", quoted);
	log->first = false;
	free(whole);
	free(quoted);
	if (isfinite(value))
		put(log, "%.*g", log->digits, value);
	else
		put(log, "null");
}

void log_number(Log *log, const char *key, double value)
{
	log_prefixed(log, "", key, value);
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
