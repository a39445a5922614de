/* SPDX-License-Identifier: MIT */
/* The log and the end of a training, whatever happened to it: one whole line for each epoch and step. */
#include "tests/unit/check.h"
#include "tests/unit/linear.h"

#include <signal.h>
#include <sys/resource.h>

static char wanted[1 << 14], got[1 << 14];

/* Without the speeds, which differ; into one of the two buffers. */
static const char *log_text(const char *path, char text[1 << 14])
{
	read_whole(path, text, 1 << 14);
	char *to = text;
	for (char *line = text; *line;) {
		if (strncmp(line, "{\"run\"", 6) == 0 && strchr(line, '\n')) { /* times differ, too */
			line = strchr(line, '\n') + 1;
			continue;
		}
		char *end = strchr(line, '\n'), *speed = strstr(line, ", \"samples_per_second");
		char *stop = speed && end && speed < end ? speed : end ? end : line + strlen(line);
		memmove(to, line, (size_t)(stop - line));
		to += stop - line;
		if (!end)
			break;
		*to++ = '\n';
		line = end + 1;
	}
	*to = 0;
	return text;
}

static bool same_logs(const char *a, const char *b)
{
	bool same = strcmp(log_text(a, wanted), log_text(b, got)) == 0 && *wanted;
	if (!same)
		printf("  %s:\n%s  %s:\n%s", a, wanted, b, got);
	return same;
}

static int kill_at;

static void is_killed(int step)
{
	if (step == kill_at)
		raise(SIGKILL);
}

#define LONG "--data data --epochs 5 --log-every 1 "

/* Killed at each step, with saves at others: the log is always ahead of the checkpoint. */
static void kills(void)
{
	CHECK(ends(LONG "--checkpoint whole.st --log whole.jsonl --quiet", 0, ""));
	for (kill_at = 8; kill_at <= 30; kill_at++) {
		unlink("part.st");
		unlink("part.jsonl");
		at_step = is_killed;
		CHECK(ends(LONG "--checkpoint part.st --checkpoint-every 7it --log part.jsonl --quiet",
		           1000 + SIGKILL, ""));
		at_step = NULL;
		/* and the line that it was about to write */
		FILE *f = fopen("part.jsonl", "a");
		CHECK(f && fputs("{\"step\": 3", f) > 0 && fclose(f) == 0);
		CHECK(ends(LONG "--checkpoint part.st --log part.jsonl --quiet --resume", 0, "") &&
		      same_files("whole.st", "part.st"));
		if (!CHECK(same_logs("whole.jsonl", "part.jsonl")))
			printf("  killed at step %d\n", kill_at);
	}
}

/* A training that is saved at its last step and killed before or while it evaluates is closed by the next start, once;
 * whether the length cuts its last epoch short or not. */
static void closes(void)
{
	static const char *const lengths[] = {"--steps 8", "--epochs 2"};
	for (int i = 0; i < 2; i++) {
		char line[256], again[256];
		unlink("closed.st");
		unlink("closed.jsonl");
		unlink("open.st");
		unlink("open.jsonl");
		snprintf(line, sizeof line,
		         "--data data %s --checkpoint closed.st --log closed.jsonl --quiet", lengths[i]);
		CHECK(ends(line, 0, ""));
		snprintf(line, sizeof line,
		         "--data data %s --checkpoint open.st --checkpoint-every 1it --log open.jsonl "
		         "--stop-after %d --quiet",
		         lengths[i], i ? 12 : 8);
		CHECK(ends(line, 0, ""));
		CHECK(!same_files("closed.st", "open.st"));
		snprintf(again, sizeof again, "--data data %s --checkpoint open.st --log open.jsonl --resume",
		         lengths[i]);
		Ended e = trainer(again);
		CHECK(e.status == 0 && strstr(e.said, "eval_loss") && !strstr(e.said, "samples/s"));
		CHECK(same_files("closed.st", "open.st") && same_logs("closed.jsonl", "open.jsonl"));
		for (int k = 0; k < 2; k++) {
			e = trainer(again);
			CHECK(e.status == 0 && strstr(e.said, "the training is complete at step") &&
			      !strstr(e.said, "eval_loss"));
			CHECK(same_files("closed.st", "open.st") && same_logs("closed.jsonl", "open.jsonl"));
		}
	}
	/* No step ran here, so there is no speed: not 0. */
	char text[4096];
	read_whole("open.jsonl", text, sizeof text);
	CHECK(strstr(text, "\"epoch\": 2") &&
	      strstr(text, "\"samples_per_second\": null, \"seconds\": 0, \"data_wait\": 0, "));
	/* A longer training's epoch has one line, the later. */
	CHECK(ends("--data data --steps 8 --checkpoint more.st --log more.jsonl --quiet", 0, ""));
	CHECK(ends("--data data --steps 9 --checkpoint more.st --log more.jsonl --quiet --resume", 0, ""));
	CHECK(log_value("more.jsonl", 1, "step") == 9 && log_value("more.jsonl", 1, "epoch") == 2);
	CHECK(isnan(log_value("more.jsonl", 2, "step")) && log_value("more.jsonl.1", 1, "step") == 8);
}

/* What was cut is not lost: it may be the log of another training. */
static void keeps_what_it_cuts(void)
{
	CHECK(ends("--data data --epochs 1 --checkpoint early.st --quiet", 0, ""));
	CHECK(ends("--data data --epochs 3 --log other.jsonl --quiet", 0, ""));
	CHECK(ends("--data data --epochs 2 --checkpoint early.st --log other.jsonl --resume", 0,
	           "the log `other.jsonl` had 2 lines that the checkpoint does not have: cut; the log as it "
	           "was is `other.jsonl.1`"));
	CHECK(log_value("other.jsonl", 1, "epoch") == 2 && isnan(log_value("other.jsonl", 2, "epoch")));
	CHECK(log_value("other.jsonl.1", 2, "epoch") == 3);
	/* What an older trainer left: epochs twice, two lines in one, no text at all; and what a newer one might. */
	static const char text[] = "{\"settings\": {\"rate\": 1}}\n"
	                           "{\"epoch\": 1, \"step\": 6, \"loss\": 1}\n"
	                           "{\"epoch\": 1, \"step\": 6, \"loss\": 1}\n"
	                           "{\"epoch\": 2, \"st{\"epoch\": 2, \"step\": 12}\n"
	                           "\0\0\0\0\n{\"epoch\": 2, \"step\": 12, \"loss\": 2}\n{\"epoch\": 2";
	put_file("old.jsonl", text, sizeof text - 1);
	CHECK(ends("--data data --epochs 2 --checkpoint early.st --log old.jsonl --resume", 0,
	           "had 3 lines that the checkpoint does not have"));
	read_whole("old.jsonl", got, sizeof got);
	CHECK_TEXT(got, "{\"settings\": {\"rate\": 1}}\n{\"epoch\": 1, \"step\": 6, \"loss\": 1}\n"
	                "{\"epoch\": 2, \"step\": 12, \"loss\": 2}\n");
	put_file("gap.jsonl", text, 70);
	CHECK(ends("--data data --epochs 2 --checkpoint early.st --log gap.jsonl --resume", 0,
	           "the log `gap.jsonl` has no line of epoch 2"));
}

static void limit_files(int step)
{
	struct rlimit limit = {step == 7 ? 330 : RLIM_INFINITY, RLIM_INFINITY};
	if ((step == 7 || step == 20) && setrlimit(RLIMIT_FSIZE, &limit) < 0)
		abort();
}

/* The disk is full in the middle of a line, and later has room again. */
static void loses_no_line(void)
{
	at_step = limit_files;
	Ended e = trainer(LONG "--log full.jsonl --quiet");
	at_step = NULL;
	CHECK(e.status == 0 && strstr(e.said, "the log `full.jsonl` can't be written: File too large"));
	CHECK(strstr(e.said, "the log `full.jsonl` could be written again, and is whole"));
	CHECK(same_logs("whole.jsonl", "full.jsonl"));
}

static void limit_checkpoints(int step)
{
	struct rlimit limit = {100, RLIM_INFINITY};
	if (step == kill_at && setrlimit(RLIMIT_FSIZE, &limit) < 0)
		abort();
}

/* What is said of an earlier checkpoint is so. */
static void says_which_is_intact(void)
{
	at_step = limit_checkpoints;
	kill_at = 1;
	Ended e = trainer("--data data --epochs 2 --checkpoint none.st");
	CHECK(e.status == 3 && strstr(e.said, "there is none of this training yet"));
	CHECK(!strstr(e.said, "intact") && access("none.st", F_OK) != 0);
	kill_at = 7;
	CHECK(ends("--data data --epochs 2 --checkpoint none.st", 3,
	           "no checkpoint at step 12: can't write `none.st.nnc-"));
	CHECK(ends("--data data --epochs 2 --checkpoint some.st", 3, "that of step 6 is intact"));
	at_step = NULL;
	CHECK(ends("--data data --epochs 2 --checkpoint some.st --resume --quiet", 0, ""));
	CHECK(ends("--data data --epochs 2 --checkpoint all.st --quiet", 0, "") &&
	      same_files("some.st", "all.st"));
}

static void writes_to_standard_output(void)
{
	Ended e = trainer("--data data --epochs 2 --log - --checkpoint out.st --quiet");
	CHECK(e.status == 0 && strncmp(e.said, "{\"run\"", 6) == 0 && strstr(e.said, "\n{\"epoch\": 2, "));
	e = trainer("--data data --epochs 3 --log - --checkpoint out.st --quiet --resume");
	CHECK(e.status == 0 && strstr(e.said, "\n{\"epoch\": 3, ") && !strstr(e.said, "{\"epoch\": 2, "));
	CHECK(access("-", F_OK) != 0 && access("-.lock", F_OK) != 0);
}

int main(void)
{
	child_folder_make();
	put_data();
	writes_to_standard_output();
	kills();
	closes();
	keeps_what_it_cuts();
	loses_no_line();
	says_which_is_intact();
	return check_report("unit, logs");
}
