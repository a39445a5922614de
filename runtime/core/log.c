#include "runtime/core/log.h"
#include "runtime/core/die.h"
#include "runtime/core/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct Log {
	char *path;
	FILE *file;
	int digits;
	bool first, failed;
};

/* A line that a crash left unfinished must not swallow the next one. */
static void finish_last_line(Log *log)
{
	char last = '\n';
	if (fseek(log->file, -1, SEEK_END) == 0 && fread(&last, 1, 1, log->file) != 1)
		last = '\n';
	fseek(log->file, 0, SEEK_END);
	if (last != '\n')
		putc('\n', log->file);
}

Log *log_open(const char *path, bool append, int digits)
{
	if (!path)
		return NULL;
	Log *log = allocate(1, sizeof *log, "the log");
	log->path = text_printf("%s", path);
	log->digits = digits;
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | (append ? O_APPEND : O_TRUNC), 0666);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) < 0 || !(log->file = fdopen(fd, append ? "a+" : "w")))
		die(STATUS_DATA, "can't write the log `%s`: %s", path, strerror(errno));
	if (append && S_ISREG(st.st_mode))
		finish_last_line(log);
	if (!append)
		file_keep_mode(fd, path);
	return log;
}

void log_begin(Log *log)
{
	if (!log)
		return;
	putc('{', log->file);
	log->first = true;
}

/* Keys are names of metrics: identifiers of the .net language, but escaped all the same. */
static void put_escaped(FILE *f, const char *text)
{
	for (const unsigned char *s = (const unsigned char *)text; *s; s++) {
		if (*s < 0x20 || *s == '"' || *s == '\\' || *s == 0x7f)
			fprintf(f, "\\u%04x", *s);
		else
			putc(*s, f);
	}
}

void log_prefixed(Log *log, const char *prefix, const char *key, double value)
{
	if (!log)
		return;
	fputs(log->first ? "\"" : ", \"", log->file);
	log->first = false;
	put_escaped(log->file, prefix);
	put_escaped(log->file, key);
	fputs("\": ", log->file);
	if (isfinite(value))
		fprintf(log->file, "%.*g", log->digits, value);
	else
		fputs("null", log->file);
}

void log_number(Log *log, const char *key, double value)
{
	log_prefixed(log, "", key, value);
}

void log_end(Log *log)
{
	if (!log)
		return;
	fputs("}\n", log->file);
	if (fflush(log->file) == 0 && !ferror(log->file))
		return;
	if (!log->failed)
		say_warning("the log `%s` can't be written: %s; training goes on", log->path,
		            strerror(errno));
	log->failed = true;
	clearerr(log->file);
}

bool log_close(Log *log)
{
	if (!log)
		return true;
	bool closed = fclose(log->file) == 0, complete = closed && !log->failed;
	if (!closed && !log->failed)
		say_warning("the log `%s` can't be written: %s", log->path, strerror(errno));
	free(log->path);
	free(log);
	return complete;
}
