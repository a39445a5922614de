/* SPDX-License-Identifier: MIT */
/* What a user steers a training by: the best evaluation, when it stops, what is kept, and going on. */
#include "tests/unit/check.h"
#include "tests/unit/linear.h"

#include "runtime/host/progress.h"

#include <pty.h>

static double metadata_step(const char *path)
{
	static char text[1 << 14];
	size_t n = read_whole(path, text, sizeof text);
	for (size_t i = 0; i + 8 < n; i++)
		if (memcmp(text + i, "\"step\":\"", 8) == 0)
			return strtod(text + i + 8, NULL);
	return NAN;
}

static void write_weights(const char *path, float bias)
{
	static const char header[] =
	        "{\"fit.weight\":{\"dtype\":\"F32\",\"shape\":[1,3],\"data_offsets\":[0,12]},"
	        "\"fit.bias\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[12,16]}}";
	char file[256] = {0};
	uint64_t length = sizeof header - 1;
	float weights[4] = {1, -2, 3, bias};
	memcpy(file, &length, 8);
	memcpy(file + 8, header, length);
	memcpy(file + 8 + length, weights, sizeof weights);
	put_file(path, file, 8 + length + sizeof weights);
}

/* The same with the weights in F16 and the bias in BF16, as others keep them. */
static void write_narrow_weights(const char *path)
{
	static const char header[] =
	        "{\"fit.weight\":{\"dtype\":\"F16\",\"shape\":[1,3],\"data_offsets\":[0,6]},"
	        "\"fit.bias\":{\"dtype\":\"BF16\",\"shape\":[1],\"data_offsets\":[6,8]}}";
	static const uint16_t weights[4] = {0x3c00, 0xc000, 0x4200, 0x40a0}; /* 1, -2, 3; 5 */
	char file[256] = {0};
	uint64_t length = sizeof header - 1;
	memcpy(file, &length, 8);
	memcpy(file + 8, header, length);
	memcpy(file + 8 + length, weights, sizeof weights);
	put_file(path, file, 8 + length + sizeof weights);
}

/* The least held-out loss of the log, and its step. */
static int64_t best_step(const char *log, const char *key)
{
	double least = INFINITY;
	int64_t step = 0;
	for (int line = 0; isfinite(log_value(log, line, "eval_loss")); line++)
		if (log_value(log, line, "eval_loss") < least) {
			least = log_value(log, line, "eval_loss");
			step = (int64_t)log_value(log, line, key);
		}
	return step;
}

/* Good weights that a high rate spoils: the best evaluation is not the last. */
#define SPOILED "--data data --init near.st --rate 2 --epochs 8 --quiet "

static void keeps_the_best(void)
{
	write_weights("near.st", 0.9f);
	CHECK(ends(SPOILED "--best best.st --checkpoint last.st --log best.jsonl", 0, ""));
	int64_t step = best_step("best.jsonl", "step");
	CHECK(step > 0 && step < 48);
	CHECK(metadata_step("best.st") == (double)step && metadata_step("last.st") == 48);
	Ended e = trainer("eval --data data --checkpoint best.st --quiet");
	double least = INFINITY;
	for (int line = 0; line < 8; line++)
		least = fmin(least, log_value("best.jsonl", line, "eval_loss"));
	CHECK(strncmp(e.said, "eval_loss ", 10) == 0 &&
	      fabs(strtod(e.said + 10, NULL) - least) <= 1e-5 * least);
	/* the same weights as of a training that was stopped there */
	char line[256];
	snprintf(line, sizeof line, SPOILED "--checkpoint there.st --best other.st --stop-after %d",
	         (int)step);
	CHECK(ends(line, 0, "") && ends("eval --data data --checkpoint there.st", 0, ""));
	CHECK(ends(SPOILED "--best best.st", 0, "") && files_like("best.st.1") == 1);
	CHECK(ends("--data data --best b.st --monitor speed", 2, "it has loss, error"));
	CHECK(ends("--data data --best b.st --monitor error:up", 2, "after the colon stands `min` or `max`"));
	CHECK(ends("--data data --best b.st --no-eval", 2, "`--best` goes by evaluations"));
	CHECK(ends("--data data/train_x.npy,data/train_y.npy --holdout 0 --best b.st", 3,
	           "the data has none"));
	CHECK(ends(SPOILED "--best most.st --monitor error:max --checkpoint last2.st", 0, ""));
	double most = 0;
	int64_t at = 0;
	for (int i = 0; i < 8; i++)
		if (log_value("best.jsonl", i, "eval_error") > most) {
			most = log_value("best.jsonl", i, "eval_error");
			at = (int64_t)log_value("best.jsonl", i, "step");
		}
	CHECK(metadata_step("most.st") == (double)at);
}

static void stops_early(void)
{
	CHECK(ends(SPOILED "--early-stop 2 --checkpoint early.st --log early.jsonl", 0, ""));
	int64_t best = best_step("early.jsonl", "step");
	CHECK(best > 0 && metadata_step("early.st") == (double)(best + 12));
	CHECK(ends("--data data --init near.st --rate 2 --epochs 8 --early-stop 2", 0,
	           "stopped early at step"));
	/* patience and the best stand in the checkpoint */
	for (int cut = 1; cut < best + 12; cut += 5) {
		char line[256];
		unlink("early2.st");
		snprintf(line, sizeof line, SPOILED "--early-stop 2 --checkpoint early2.st --stop-after %d",
		         cut);
		CHECK(ends(line, 0, ""));
		CHECK(ends("--data data --rate 2 --epochs 8 --quiet --early-stop 2 --checkpoint early2.st "
		           "--resume",
		           0, ""));
		if (!CHECK(same_files("early.st", "early2.st")))
			printf("  cut after step %d\n", cut);
	}
	CHECK(ends("--data data --rate 2 --epochs 8 --early-stop 2 --checkpoint early2.st --resume", 0,
	           "stopped early"));
}

static int lines_with(const char *path, const char *word)
{
	static char text[1 << 16];
	int count = 0;
	read_whole(path, text, sizeof text);
	for (char *at = strstr(text, word); at; at = strstr(at + 1, word))
		count++;
	return count;
}

static void evaluates_as_often_as_asked(void)
{
	CHECK(ends("--data data --epochs 5 --eval-every 2 --log two.jsonl --quiet", 0, ""));
	for (int epoch = 1; epoch <= 5; epoch++) /* and always at the end */
		CHECK(isfinite(log_value("two.jsonl", epoch - 1, "eval_loss")) ==
		      (epoch % 2 == 0 || epoch == 5));
	CHECK(ends("--data data --steps 16 --eval-every 5it --log steps.jsonl --checkpoint steps.st --quiet",
	           0, ""));
	CHECK(lines_with("steps.jsonl", "{\"evaluation\": ") == 4 &&
	      lines_with("steps.jsonl", "{\"epoch\"") == 3);
	CHECK(lines_with("steps.jsonl", "{\"evaluation\": 16, \"eval_loss\": ") == 1);
	for (int cut = 1; cut < 16; cut++) { /* none is lost or made twice */
		char line[256];
		unlink("steps2.st");
		unlink("steps2.jsonl");
		snprintf(line, sizeof line,
		         "--data data --steps 16 --eval-every 5it --log steps2.jsonl --checkpoint steps2.st "
		         "--checkpoint-every 3it --quiet --stop-after %d",
		         cut);
		CHECK(ends(line, 0, ""));
		CHECK(ends("--data data --steps 16 --eval-every 5it --log steps2.jsonl --checkpoint "
		           "steps2.st --quiet --resume",
		           0, ""));
		CHECK(same_files("steps.st", "steps2.st"));
		if (!CHECK(lines_with("steps2.jsonl", "{\"evaluation\": ") == 4))
			printf("  cut after step %d\n", cut);
	}
}

static void keeps_generations(void)
{
	put_file("gen-12.st", "{}", 2); /* the user's own: it is moved aside, not replaced */
	CHECK(ends("--data data --epochs 5 --keep 2 --checkpoint gen.st --quiet", 0, ""));
	CHECK(files_like("gen-*.st") == 2 && same_files("gen.st", "gen-30.st"));
	CHECK(metadata_step("gen-24.st") == 24 && lines_with("gen-12.st.1", "{}") == 1);
	CHECK(ends("--data data --epochs 7 --keep 2 --checkpoint gen.st --quiet --resume", 0, ""));
	CHECK(files_like("gen-*.st") == 2 && same_files("gen.st", "gen-42.st"));
	CHECK(metadata_step("gen-36.st") == 36);
	CHECK(symlink("real.st", "link.st") == 0);
	CHECK(ends("--data data --epochs 3 --keep 2 --checkpoint link.st --quiet", 0, ""));
	CHECK(metadata_step("link-12.st") == 12 && metadata_step("link-18.st") == 18);
	CHECK(ends("--data data --keep 2 --checkpoint gen.st --best ./gen-12.st", 2, "give `--best"));
	CHECK(ends("--data data --keep 2", 2, "`--keep` needs `--checkpoint FILE`"));
}

static void resumes_where_it_can(void)
{
	CHECK(ends("--data data --epochs 3 --checkpoint auto.st --resume=auto --stop-after 7", 0,
	           "no checkpoint at `auto.st` yet: the training begins"));
	CHECK(ends("--data data --epochs 3 --checkpoint auto.st --resume=auto", 0, "epoch 3/3  step 18"));
	CHECK(files_like("auto.st*") == 1);
	CHECK(ends("--data data --epochs 3 --checkpoint whole.st --quiet", 0, "") &&
	      same_files("auto.st", "whole.st"));
	CHECK(ends("--data data --epochs 3 --checkpoint auto.st --resume=yes", 2, "`--resume[=auto]`"));
}

/* ---- what is shown */

static void fits_pieces(void)
{
	const ProgressPiece pieces[] = {
	        {"epoch 3/12 41%", 0}, {"step 123/468", 4}, {"loss 0.12", 1}, {"", 2}, {"eta 0:12", 2}};
	char line[64];
	progress_fit(pieces, 5, 80, line, sizeof line);
	CHECK_TEXT(line, "epoch 3/12 41%  step 123/468  loss 0.12  eta 0:12");
	progress_fit(pieces, 5, 48, line, sizeof line);
	CHECK_TEXT(line, "epoch 3/12 41%  loss 0.12  eta 0:12");
	progress_fit(pieces, 5, 30, line, sizeof line);
	CHECK_TEXT(line, "epoch 3/12 41%  loss 0.12");
	progress_fit(pieces, 5, 5, line, sizeof line);
	CHECK_TEXT(line, "epoch 3/12 41%");
	progress_fit(pieces, 5, 80, line, 20); /* and never beyond its room */
	CHECK(strlen(line) == 19);
}

/* Another clock: 12 seconds go by with each step (linked with --wrap). */
static double seconds;
double __wrap_clock_seconds(void);
double __wrap_clock_seconds(void)
{
	return seconds;
}

static void pass_time(int step)
{
	seconds += 12;
}

static void says_that_it_lives(void)
{
	at_step = pass_time;
	Ended e = trainer("--data data --steps 8 --no-eval");
	at_step = NULL;
	/* 3 steps make 36 s: one line, and so on; the epoch's own line counts, too */
	CHECK(e.status == 0 && strstr(e.said, "epoch 1/2 50%  step 3/6  eta 1:00  loss "));
	CHECK(strstr(e.said, "step 2/2") == NULL && strchr(e.said, 27) == NULL);
	e = trainer("--data data --steps 4 --no-eval");
	CHECK(strstr(e.said, "epoch 1/1  step 4"));
}

/* What it writes to a terminal of 80 columns. */
static void on_terminal(const char *term, char *text, size_t room)
{
	int master;
	struct winsize size = {.ws_row = 24, .ws_col = 80};
	pid_t pid = forkpty(&master, NULL, NULL, &size);
	if (pid < 0)
		abort();
	if (pid == 0) {
		char *argv[] = {"line", "--data", "data", "--steps", "30", NULL};
		setenv("TERM", term, 1);
		at_step = pass_time;
		_exit(nnr_main(&model, 5, argv));
	}
	size_t length = 0;
	ssize_t n;
	while (length < room - 1 && (n = read(master, text + length, room - 1 - length)) > 0)
		length += (size_t)n;
	text[length] = 0;
	close(master);
	waitpid(pid, NULL, 0);
}

static void draws(void)
{
	static char text[1 << 15];
	on_terminal("dumb", text, sizeof text);
	CHECK(strchr(text, 27) == NULL && strstr(text, "epoch 5/5  step 30"));
	on_terminal("xterm", text, sizeof text);
	CHECK(strstr(text, "epoch 5/5  step 30"));
	int drawn = 0;
	for (char *at = strstr(text, "\033[K"), *line = text; at; at = strstr(line, "\033[K")) {
		char *begin = at;
		while (begin > line && begin[-1] != '\r' && begin[-1] != '\n')
			begin--;
		if (begin < at && strncmp(begin, "epoch", 5) == 0) { /* and no evaluation */
			drawn++;
			*at = 0;
			if (!CHECK(at - begin <= 79 && strstr(begin, "eta ") && strstr(begin, "loss ")))
				printf("  %s\n", begin);
			*at = 27;
		}
		line = at + 3;
	}
	CHECK(drawn > 10);
}

static void begins_its_log(void)
{
	static char text[1 << 14];
	CHECK(ends("--data data --steps 3 --seed 5 --log first.jsonl --quiet --dump first.dump", 0, ""));
	read_whole("first.jsonl", text, sizeof text);
	CHECK(strncmp(text, "{\"run\": 2, \"time\": \"20", 22) == 0);
	static const char *const wanted[] = {"\"seed\": 5",
	                                     "\"steps\": 3",
	                                     "\"batch\": 3",
	                                     "\"samples\": 20",
	                                     "\"recipe\": \"optimizer sgd\"",
	                                     "\"model\": \"line\"",
	                                     "--log first.jsonl --quiet"};
	*strchr(text, '\n') = 0;
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		if (!CHECK(strstr(text, wanted[i])))
			printf("  %s\n", text);
}

/* ---- a loss that is no number */

static void survives(void)
{
	/* passed over: the same as if that step's update had not been, and its loss not counted */
	poison_at = 8;
	CHECK(ends("--data data --epochs 3 --on-nan skip --checkpoint skip.st --log skip.jsonl", 0,
	           "step 8 is passed over: the loss is not a number"));
	CHECK(log_value("skip.jsonl", 1, "step") == 12 && isfinite(log_value("skip.jsonl", 1, "loss")));
	CHECK(log_value("skip.jsonl", 1, "loss") > 0.1 && metadata_step("skip.st") == 18);
	for (int cut = 7; cut < 13; cut++) { /* and resumed is not stopped */
		char line[256];
		unlink("skip2.st");
		unlink("skip2.jsonl");
		snprintf(line, sizeof line,
		         "--data data --epochs 3 --on-nan skip --checkpoint skip2.st --log skip2.jsonl "
		         "--quiet "
		         "--stop-after %d",
		         cut);
		CHECK(ends(line, 0, ""));
		CHECK(ends("--data data --epochs 3 --on-nan skip --checkpoint skip2.st --log skip2.jsonl "
		           "--quiet --resume",
		           0, ""));
		CHECK(same_files("skip.st", "skip2.st") &&
		      log_value("skip.jsonl", 1, "loss") == log_value("skip2.jsonl", 1, "loss"));
	}
	poison_at = 0;
	/* the step that spoiled a weight is the one, not the later one whose loss shows it */
	poison_weight_at = 9;
	CHECK(ends("--data data --epochs 3 --on-nan skip --checkpoint weight.st --quiet", 0,
	           "step 9 is passed over"));
	CHECK(ends("--data data --epochs 3", 5,
	           "first in the weight `fit.weight`, which the step has changed of step 9"));
	poison_weight_at = 0;
	/* back to the checkpoint, and slower, but not for ever */
	poison_at = 8;
	Ended e = trainer("--data data --epochs 3 --on-nan rollback --checkpoint back.st --log back.jsonl");
	CHECK(e.status == 5 && strstr(e.said, "step 8 is bad: back to step 6, at the rate 0.025"));
	CHECK(strstr(e.said, "at the rate 4.88281e-05") && !strstr(e.said, "at the rate 2.44"));
	CHECK(log_value("back.jsonl", 0, "epoch") == 1 && metadata_step("back.st") == 6);
	poison_at = 0;
	/* the rate stays where it is, in the checkpoint, too */
	CHECK(ends("--data data --epochs 3 --on-nan rollback --checkpoint back.st --resume --quiet", 0, ""));
	CHECK(ends("--data data --on-nan rollback", 2, "`--on-nan rollback` needs `--checkpoint FILE`"));
}

/* One batch alone, the first of the shuffled data, in each step; the network learns it and no other. */
static void overfits(void)
{
	CHECK(ends("--data data --rate 1e-30 --log all.jsonl --log-every 1 --steps 6 --quiet", 0, ""));
	CHECK(ends("--data data --rate 1e-30 --log one.jsonl --log-every 1 --steps 9 --quiet --overfit-batch",
	           0, ""));
	double first = log_value("all.jsonl", 0, "loss");
	CHECK(log_value("all.jsonl", 1, "loss") != first);
	for (int line = 0; line < 6; line++)
		CHECK(log_value("one.jsonl", line, "loss") == first);
	CHECK(fabs(log_value("one.jsonl", 6, "eval_loss") / first - 1) < 1e-6);
#define OVERFIT "--data data --overfit-batch --rate 0.2 --epochs 200 --quiet "
	CHECK(ends(OVERFIT "--checkpoint batch.st --log batch.jsonl", 0, ""));
	CHECK(log_value("batch.jsonl", 199, "eval_loss") < 1e-6);
	Ended e = trainer("eval --data data --checkpoint batch.st --quiet");
	CHECK(e.status == 0 && strncmp(e.said, "eval_loss ", 10) == 0 && strtod(e.said + 10, NULL) > 1e-3);
	CHECK(ends(OVERFIT "--checkpoint half.st --stop-after 100", 0, ""));
	CHECK(ends("--data data --resume --rate 0.2 --epochs 200 --quiet --checkpoint half.st", 3, ""));
	CHECK(ends(OVERFIT "--checkpoint half.st --resume", 0, ""));
	CHECK(same_files("half.st", "batch.st"));
	CHECK(ends("--data data --overfit-batch --steps 1", 0, "one batch of 3 samples, again and again"));
	CHECK(ends("--data data --overfit-batch --eval-data data", 2, "evaluates on its batch"));
}

/* Of the parameters after the step, or at the epoch's end. */
static void logs_norms(void)
{
	static char table[1 << 14];
	write_weights("norm.st", 5);
	CHECK(ends("--data data --init norm.st --rate 1e-30 --epochs 1 --log norm.jsonl --log-every 2 "
	           "--log-norms "
	           "--quiet",
	           0, ""));
	for (int line = 0; line < 4; line++) /* three steps and the epoch */
		CHECK(fabs(log_value("norm.jsonl", line, "param_norm") - sqrt(1 + 4 + 9 + 25)) < 1e-6);
	write_narrow_weights("narrow.st");
	CHECK(ends(
	        "--data data --init narrow.st --rate 1e-30 --epochs 1 --log narrow.jsonl --log-norms --quiet",
	        0, ""));
	CHECK(fabs(log_value("narrow.jsonl", 0, "param_norm") - sqrt(1 + 4 + 9 + 25)) < 1e-6);
	CHECK(ends("--data data --run norms --epochs 2 --log-norms --quiet", 0, ""));
	read_whole("runs/norms-1/log.csv", table, sizeof table);
	CHECK(strstr(table, ",memory,param_norm\n") && !strstr(table, "gradient_norm") &&
	      !strstr(table, ",\n"));
	CHECK(ends("--data data --run plain --epochs 1 --quiet", 0, ""));
	read_whole("runs/plain-1/log.csv", table, sizeof table);
	CHECK(strstr(table, ",memory\n"));
	CHECK(ends("--data data --log-norms", 2, "needs `--log FILE.jsonl`"));
}

int main(void)
{
	child_folder_make();
	put_data();
	keeps_the_best();
	stops_early();
	evaluates_as_often_as_asked();
	keeps_generations();
	resumes_where_it_can();
	fits_pieces();
	says_that_it_lives();
	draws();
	begins_its_log();
	survives();
	overfits();
	logs_norms();
	return check_report("unit, control of a training");
}
