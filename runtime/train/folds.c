/* SPDX-License-Identifier: MIT */
#include "runtime/train/folds.h"
#include "runtime/host/die.h"
#include "runtime/report/log_read.h"
#include "runtime/host/progress.h"
#include "runtime/host/signals.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What a fold's training reached: the last evaluation of its log. */
typedef struct Fold {
	char *log;
	double held_out;
	Record scores; /* "eval_loss" and so on */
} Fold;

static struct {
	char *folder; /* of logs that nobody asked for; NULL */
	int said;     /* in a fold's process: to the first one; -1: none */
} folds = {.said = -1};

bool folds_are_wanted(const Options *o)
{
	return o->command == COMMAND_TRAIN && o->folds > 0 && o->fold == 0;
}

/* ---- in a fold's process */

void folds_say(const Options *o)
{
	if (folds.said < 0)
		return;
	const size_t length = strlen(o->log);
	require(write(folds.said, o->log, length) == (ssize_t)length);
	close(folds.said);
	folds.said = -1;
	progress_say("fold %lld of %lld", (long long)o->fold, (long long)o->folds);
}

static void become_fold(Options *o, int64_t fold, pid_t parent)
{
	/* A key in the terminal reaches it once, by way of the first process; without that it ends. */
	(void)setpgid(0, 0);
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(STATUS_SIGNAL + SIGTERM);
	signals_begin();
	o->fold = fold;
	if (o->run)
		o->run = text_printf("%s-fold%lld", o->run, (long long)fold);
	else
		o->log = text_printf("%s/fold%lld.jsonl", folds.folder, (long long)fold);
}

/* ---- in the first process */

/* Hands on what asks it to end, once. */
static int wait_for(pid_t child)
{
	const struct timespec moment = {.tv_nsec = 20000000};
	bool handed_on = false;
	int status;
	for (;;) {
		const pid_t ended = waitpid(child, &status, WNOHANG);
		if (ended == child)
			return WIFSIGNALED(status) ? STATUS_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
		if (ended < 0 && errno != EINTR)
			die(STATUS_INTERNAL, "can't wait for a fold: %s", strerror(errno));
		if (signal_caught() && !handed_on) {
			handed_on = true;
			(void)kill(child, signal_caught());
		}
		(void)nanosleep(&moment, NULL);
	}
}

static void see_line(void *context, const LogLine *line)
{
	Fold *fold = context;
	const Record *r = &line->record;
	const Field *held_out = record_find(r, "held_out");
	if (held_out)
		fold->held_out = held_out->value;
	if (!record_find(r, "eval_loss"))
		return;
	record_begin(&fold->scores, "fold", 0);
	for (int i = 0; i < r->count; i++)
		if (strncmp(r->field[i].key, "eval_", 5) == 0)
			record_add(&fold->scores, "", r->field[i].key, r->field[i].value);
}

/* What the child says of its log, until it ends. */
static char *read_path(int from)
{
	char path[4096];
	size_t length = 0;
	for (ssize_t n;
	     length < sizeof path - 1 && (n = read(from, path + length, sizeof path - 1 - length)) != 0;)
		if (n > 0)
			length += (size_t)n;
		else if (errno != EINTR)
			break;
	path[length] = 0;
	close(from);
	return text_printf("%s", path);
}

static void remove_logs(void)
{
	(void)rmdir(folds.folder);
}

static void print_fold(const Options *o, int64_t number, const Fold *fold)
{
	printf("fold %lld of %lld  samples %lld", (long long)number, (long long)o->folds,
	       (long long)fold->held_out);
	for (int i = 1; i < fold->scores.count; i++)
		printf("  %s %.6g", fold->scores.field[i].key, fold->scores.field[i].value);
	if (o->run)
		printf("  %.*s", (int)(strrchr(fold->log, '/') - fold->log), fold->log);
	printf("\n");
	fflush(stdout);
}

/* The deviation is that of a sample, whose sum of squares is divided by K - 1. */
static void print_means(const Options *o, const Fold *all)
{
	const int count = (int)o->folds;
	printf("mean of %d folds", count);
	for (int i = 1; i < all[0].scores.count; i++) {
		const char *key = all[0].scores.field[i].key;
		double sum = 0, squares = 0;
		for (int f = 0; f < count; f++) {
			const Field *score = record_find(&all[f].scores, key);
			sum += score ? score->value : NAN;
		}
		for (int f = 0; f < count; f++) {
			const Field *score = record_find(&all[f].scores, key);
			const double off = (score ? score->value : NAN) - sum / count;
			squares += off * off;
		}
		printf("  %s %.6g +- %.3g", key, sum / count, sqrt(squares / (count - 1)));
	}
	printf("\n");
}

static void make_folder(void)
{
	const char *place = getenv("TMPDIR");
	folds.folder = text_printf("%s/nnc-folds-XXXXXX", place && *place ? place : "/tmp");
	if (!mkdtemp(folds.folder))
		die(STATUS_DATA, "can't make a folder for the logs of the folds, `%s`: %s", folds.folder,
		    strerror(errno));
	die_at_end(remove_logs);
}

/* FOLDS_GO_ON in its process; else the status that it ended with. */
static int run_fold(Options *o, int64_t number, Fold *fold)
{
	int ends[2];
	const pid_t parent = getpid();
	fflush(stdout);
	const pid_t child = pipe(ends) == 0 ? fork() : -1;
	if (child < 0)
		die(STATUS_MEMORY, "can't start fold %lld: %s", (long long)number, strerror(errno));
	if (child == 0) {
		close(ends[0]);
		folds.said = ends[1];
		die_not_at_end(remove_logs);
		become_fold(o, number, parent);
		return FOLDS_GO_ON;
	}
	close(ends[1]);
	fold->log = read_path(ends[0]);
	const int status = wait_for(child);
	if (status == STATUS_OK && *fold->log)
		(void)log_read(fold->log, see_line, fold);
	if (!o->run)
		(void)unlink(fold->log);
	return status;
}

int folds_run(Options *o)
{
	Fold *all = allocate(o->folds, sizeof *all, "the folds");
	signals_catch();
	if (!o->run)
		make_folder();
	int status = STATUS_OK;
	for (int64_t i = 0; i < o->folds && status == STATUS_OK && !signal_caught(); i++) {
		status = run_fold(o, i + 1, &all[i]);
		if (status == FOLDS_GO_ON)
			return FOLDS_GO_ON;
		if (status == STATUS_OK && all[i].scores.count == 0)
			die(STATUS_DATA, "fold %lld left no evaluation in its log", (long long)(i + 1));
		if (status == STATUS_OK)
			print_fold(o, i + 1, &all[i]);
		else
			say_warning("fold %lld of %lld ended with status %d%s", (long long)(i + 1),
			            (long long)o->folds, status,
			            o->run ? ": the same command with `--resume=auto` goes on" : "");
	}
	if (!o->run) {
		die_not_at_end(remove_logs);
		remove_logs();
	}
	if (status == STATUS_OK && signal_caught())
		status = STATUS_SIGNAL + signal_caught();
	if (status != STATUS_OK)
		return status;
	print_means(o, all);
	return output_end();
}
