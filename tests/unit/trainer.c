/* The trainer's command line on a network written by hand: linear regression y = w x + b on f32[3], three samples a
 * batch. Small enough that every number can be followed; what generated code must satisfy is seen here too. */
#include "runtime/nnr.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

#include <glob.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>

enum { B = 3, D = 3 };

static bool poison_evaluation;    /* the loss of every held-out sample becomes NaN */
static int poison_weight_at;      /* the step that leaves a weight infinite; 0: none */
static int poison_at;             /* the step whose loss becomes NaN; 0: none */
static void (*at_step)(int step); /* called in each training step */

static const float *input_x(const NnrMemory *m)
{
	return (const float *)(const void *)m->inputs;
}

static const float *input_y(const NnrMemory *m)
{
	return input_x(m) + B * D;
}

static float *block(char *at)
{
	return (float *)(void *)at;
}

/* params: w[3], b. states: momentum[4], then a running count [1]. arena: loss, error, per sample losses[3], errors[3],
 * gradient of w[3], of b. */
static float residual(const NnrMemory *m, int n)
{
	const float *w = block(m->params), *x = input_x(m) + n * D;
	return w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3] - input_y(m)[n];
}

static void train_run(const NnrMemory *m, const NnrScalars *scalars)
{
	float *w = block(m->params), *v = block(m->state), *a = block(m->arena), *g = a + 8;
	a[0] = a[1] = g[0] = g[1] = g[2] = g[3] = 0;
	for (int n = 0; n < B; n++) {
		float r = residual(m, n);
		a[0] += r * r / B;
		a[1] += fabsf(r) / B;
		for (int i = 0; i < D; i++)
			g[i] += 2 * r * input_x(m)[n * D + i] / B;
		g[D] += 2 * r / B;
	}
	for (int i = 0; i <= D; i++) {
		v[i] = 0.5f * v[i] + g[i];
		w[i] -= (float)scalars->rate * v[i];
	}
	v[4] += 1;
	if (poison_at == (int)scalars->step)
		a[0] = NAN;
	if (poison_weight_at == (int)scalars->step)
		w[1] = INFINITY;
	if (at_step)
		at_step((int)scalars->step);
}

static void evaluate_run(const NnrMemory *m, const NnrScalars *scalars)
{
	float *a = block(m->arena);
	for (int n = 0; n < B; n++) {
		float r = residual(m, n);
		a[2 + n] = poison_evaluation ? -NAN : r * r;
		a[5 + n] = fabsf(r);
	}
}

static const NnrInput inputs[] = {
        {"x", false, 0, NNR_F32, 2, {B, D}, 0, 0, false, false, false},
        {"y", true, 0, NNR_F32, 2, {B, 1}, B *D * 4, 0, false, false, false},
};
static const NnrTensor params[] = {
        {"fit.weight", NNR_F32, 2, {1, D}, 0, NNR_UNIFORM, 0.5},
        {"fit.bias", NNR_F32, 1, {1}, 12, NNR_CONSTANT, 0.25},
};
static const NnrTensor states[] = {
        {"sgd.momentum", NNR_F32, 1, {4}, 0, NNR_CONSTANT, 0},
        {"fit.count", NNR_F32, 1, {1}, 16, NNR_CONSTANT, 0},
};
static const NnrOutput train_outputs[] = {
        {NNR_LOSS, "loss", NNR_F32, 0, {0}, 0},
        {NNR_METRIC, "error", NNR_F32, 0, {0}, 4},
        {NNR_GRADIENT, "fit.weight", NNR_F32, 2, {1, D}, 32},
        {NNR_GRADIENT, "fit.bias", NNR_F32, 1, {1}, 44},
};
static const NnrOutput evaluate_outputs[] = {
        {NNR_LOSS, "loss", NNR_F32, 1, {B}, 8},
        {NNR_METRIC, "error", NNR_F32, 1, {B}, 20},
};
static NnrModel model = {
        .abi = NNR_ABI,
        .name = "line",
        .source = "line.net",
        .version = "test",
        .recipe = "sgd",
        .real = NNR_F32,
        .chunks = 1,
        .batch = B,
        .inputs = inputs,
        .input_count = 2,
        .params = params,
        .param_count = 2,
        .states = states,
        .state_count = 2,
        .param_bytes = 16,
        .state_bytes = 20,
        .input_bytes = 48,
        .train = {.arena_bytes = 48, .outputs = train_outputs, .output_count = 4, .run = train_run},
        .evaluate = {.arena_bytes = 48, .outputs = evaluate_outputs, .output_count = 2, .run = evaluate_run},
        .predict = {.arena_bytes = 48, .run = evaluate_run},
        .rate = {.kind = NNR_RATE_COSINE, .rate = 0.05},
        .epochs = 4,
        .seed = 9,
};

/* ---- running it */

enum { MAX_WORDS = 24 };

static int act(void *context)
{
	char **argv = context;
	int argc = 0;
	while (argv[argc])
		argc++;
	return nnr_main(&model, argc, argv);
}

/* `line` split at blanks. */
static Ended trainer(const char *line)
{
	static char copy[1024];
	char *argv[MAX_WORDS] = {"line"};
	int argc = 1;
	snprintf(copy, sizeof copy, "%s", line);
	for (char *word = strtok(copy, " "); word && argc < MAX_WORDS - 1; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	return run_child(act, argv);
}

static bool ends(const char *line, int status, const char *says)
{
	Ended e = trainer(line);
	bool ok = e.status == status && strstr(e.said, says);
	if (!ok)
		printf("  `%s` ended with %d: %s\n", line, e.status, e.said);
	return ok;
}

static void put_npy(const char *path, int rows, int columns, const float *values)
{
	char header[256];
	int n = snprintf(header + 10, 200, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }",
	                 rows, columns);
	while ((10 + n + 1) % 64)
		header[10 + n++] = ' ';
	header[10 + n++] = '\n';
	memcpy(header, "\x93NUMPY\x01\x00", 8);
	header[8] = (char)(n & 255);
	header[9] = (char)(n >> 8);
	FILE *f = fopen(path, "wb");
	if (!f || fwrite(header, 1, (size_t)(10 + n), f) != (size_t)(10 + n) ||
	    fwrite(values, 4, (size_t)(rows * columns), f) != (size_t)(rows * columns) || fclose(f) != 0)
		abort();
}

/* y = x0 - 2 x1 + 3 x2 + 1; 20 samples: 6 batches and 2 left over; 7 held out: 2 batches and one sample. */
static void put_data(void)
{
	float x[20 * D], y[20];
	for (int n = 0; n < 20; n++) {
		for (int i = 0; i < D; i++)
			x[n * D + i] = (float)((n * 7 + i * 5 + n * n * (i + 1)) % 13) / 13 - 0.5f;
		y[n] = x[n * D] - 2 * x[n * D + 1] + 3 * x[n * D + 2] + 1;
	}
	if (mkdir("data", 0777) < 0)
		abort();
	put_npy("data/train_x.npy", 20, D, x);
	put_npy("data/train_y.npy", 20, 1, y);
	put_npy("data/test_x.npy", 7, D, x);
	put_npy("data/test_y.npy", 7, 1, y);
}

static size_t read_whole(const char *path, char *out, size_t room)
{
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(out, 1, room - 1, f) : 0;
	if (f)
		fclose(f);
	out[n] = 0;
	return n;
}

static bool same_files(const char *a, const char *b)
{
	char first[8192], second[8192];
	size_t n = read_whole(a, first, sizeof first), m = read_whole(b, second, sizeof second);
	return n > 0 && n == m && memcmp(first, second, n) == 0;
}

/* The number behind `key` in line `line` (from 0) of a log. */
static double log_value(const char *path, int line, const char *key)
{
	static char text[1 << 16];
	char word[64];
	read_whole(path, text, sizeof text);
	char *at = text;
	while (line-- > 0 && at)
		at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
	snprintf(word, sizeof word, "\"%s\": ", key);
	char *end = at ? strchr(at, '\n') : NULL;
	if (end)
		*end = 0;
	at = at ? strstr(at, word) : NULL;
	return at ? strtod(at + strlen(word), NULL) : NAN;
}

/* ---- what is tested */

static void learns(void)
{
	CHECK(ends("--data data --epochs 200 --log learn.jsonl --quiet", 0, ""));
	CHECK(log_value("learn.jsonl", 199, "epoch") == 200);
	CHECK(log_value("learn.jsonl", 199, "step") == 1200); /* 6 full batches an epoch, 2 samples sit out */
	CHECK(log_value("learn.jsonl", 199, "loss") < 1e-3 * log_value("learn.jsonl", 0, "loss"));
	CHECK(log_value("learn.jsonl", 199, "eval_error") < 0.1);
	CHECK(isfinite(log_value("learn.jsonl", 0, "samples_per_second")));
	CHECK(log_value("learn.jsonl", 0, "rate") > log_value("learn.jsonl", 199, "rate"));
}

/* The last batch of the 7 holds one real sample; with weights at zero the mean is exactly that of y squared. */
static void counts_each_held_out_sample_once(void)
{
	static const char header[] =
	        "{\"fit.weight\":{\"dtype\":\"F32\",\"shape\":[1,3],\"data_offsets\":[0,12]},"
	        "\"fit.bias\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[12,16]}}";
	char file[256] = {0};
	uint64_t length = sizeof header - 1;
	memcpy(file, &length, 8);
	memcpy(file + 8, header, length);
	put_file("zero.safetensors", file, 8 + length + 16);
	CHECK(ends("--data data --init zero.safetensors --steps 1 --rate 1e-30 --log zero.jsonl --quiet", 0,
	           ""));
	double sum = 0, absolute = 0;
	char y[512];
	read_whole("data/test_y.npy", y, sizeof y);
	for (int n = 0; n < 7; n++) {
		float value;
		memcpy(&value, y + 128 + 4 * n, 4);
		sum += (double)value * (double)value / 7;
		absolute += fabs((double)value) / 7;
	}
	CHECK(fabs(log_value("zero.jsonl", 0, "eval_loss") - sum) < 1e-5);
	CHECK(fabs(log_value("zero.jsonl", 0, "eval_error") - absolute) < 1e-5);
}

static void resumes_exactly(void)
{
	CHECK(ends("--data data --epochs 5 --checkpoint whole.st --log whole.jsonl --log-every 1 --quiet", 0,
	           ""));
	for (int cut = 1; cut < 30; cut++) {
		char line[256];
		unlink("part.st");
		unlink("part.jsonl");
		snprintf(
		        line, sizeof line,
		        "--data data --epochs 5 --checkpoint part.st --checkpoint-every 4it --log part.jsonl "
		        "--log-every 1 --quiet --stop-after %d",
		        cut);
		CHECK(ends(line, 0, ""));
		CHECK(ends("--data data --epochs 5 --checkpoint part.st --log part.jsonl --log-every 1 "
		           "--quiet --resume",
		           0, ""));
		if (!CHECK(same_files("whole.st", "part.st")))
			printf("  cut after step %d\n", cut);
	}
	/* A longer training goes on inside the epoch that the shorter one cut (with a constant rate the two agree). */
	CHECK(ends("--data data --steps 8 --checkpoint short.st --quiet", 0, ""));
	CHECK(ends("--data data --steps 9 --checkpoint short.st --resume --quiet --log short.jsonl "
	           "--log-every 1",
	           0, ""));
	CHECK(log_value("short.jsonl", 0, "step") == 9);
}

static void interrupt(int step)
{
	if (step == 4)
		raise(SIGINT);
}

static void terminate(int step)
{
	if (step == 4)
		raise(SIGTERM);
}

static void hang_up(int step)
{
	if (step == 4) { /* as a terminal does */
		raise(SIGHUP);
		raise(SIGHUP);
	}
}

static void interrupt_twice(int step)
{
	if (step == 4) {
		raise(SIGINT);
		raise(SIGINT);
	}
}

static void stops_at_signals(void)
{
	at_step = interrupt;
	CHECK(ends("--data data --epochs 5 --checkpoint signal.st", 130,
	           "stopped after step 4, saved in `signal.st`"));
	at_step = NULL;
	CHECK(ends("--data data --epochs 5 --checkpoint signal.st --resume --quiet", 0, ""));
	CHECK(same_files("whole.st", "signal.st"));
	at_step = terminate;
	CHECK(ends("--data data --epochs 5", 143, "nothing was saved"));
	at_step = hang_up;
	signal(SIGHUP, SIG_DFL); /* whatever the test was started under */
	CHECK(ends("--data data --epochs 5 --checkpoint hangup.st", 129,
	           "stopped after step 4, saved in `hangup.st`"));
	signal(SIGHUP, SIG_IGN);
	CHECK(ends("--data data --epochs 5 --checkpoint nohup.st --quiet", 0, ""));
	signal(SIGHUP, SIG_DFL);
	at_step = interrupt_twice;
	CHECK(ends("--data data --epochs 5 --checkpoint never.st", 130, ""));
	CHECK(access("never.st", F_OK) != 0);
	at_step = NULL;
}

static void stops_at_nan(void)
{
	poison_at = 8;
	CHECK(ends("--data data --log nan.jsonl", 5, "not a number at step 8, in epoch 2"));
	poison_at = 0;
}

/* Whatever the losses of its steps were: what diverged is not saved over what did not. */
static void saves_nothing_diverged(void)
{
	CHECK(ends("--data data --steps 3 --checkpoint good.st --quiet", 0, ""));
	CHECK(ends("--data data --steps 3 --checkpoint kept.st --quiet", 0, ""));
	static const char again[] =
	        "--data data --steps 5 --checkpoint good.st --resume --log good.jsonl --quiet";
	poison_evaluation = true;
	CHECK(ends(again, 5, "the loss on the held-out samples is not a number at step 5, in epoch 1"));
	/* null reads as 0 */
	CHECK(same_files("good.st", "kept.st") && log_value("good.jsonl", 0, "eval_loss") == 0);
	CHECK(log_value("good.jsonl", 0, "step") == 5);
	CHECK(ends("eval --data data --checkpoint good.st", 5, "eval_loss nan  eval_error"));
	CHECK(ends("--data data --epochs 1", 5, "eval_loss nan  eval_error"));
	poison_evaluation = false;
	poison_weight_at = 5;
	CHECK(ends(again, 5, ""));
	CHECK(ends("--data data --steps 5 --checkpoint good.st --resume --no-eval", 5,
	           "a weight is infinite"));
	poison_weight_at = 0;
	CHECK(same_files("good.st", "kept.st"));
	CHECK(ends(again, 0, ""));
}

/* Nothing that a trainer would not have written there is moved aside or replaced. */
static void leaves_other_files_alone(void)
{
	mode_t mode = 0755;
	put_file("program",
	         "\x7f"
	         "ELF, or a text of more than nine bytes",
	         40);
	CHECK(chmod("program", mode) == 0 && symlink("data", "link") == 0);
	static const char *const options[] = {"checkpoint", "log", "dump"};
	static const char *const paths[] = {"data", "link", "program", "data/train_x.npy"};
	for (int o = 0; o < 3; o++)
		for (int p = 0; p < 4; p++) {
			char line[128], old[64];
			snprintf(line, sizeof line, "--data data --steps 2 --%s %s", options[o], paths[p]);
			snprintf(old, sizeof old, "%s.old", paths[p]);
			CHECK(ends(line, 3, p < 2 ? "a folder" : "which is not") && access(old, F_OK) != 0);
		}
	CHECK(ends("--data data --steps 2 --checkpoint /dev/null", 3, "not a regular file"));
	CHECK(ends("--data data --steps 2 --log program --checkpoint two.st --quiet", 3, "which is not"));
	CHECK(access("two.st", F_OK) != 0);
	put_file("empty", "", 0);
	CHECK(ends("--data data --steps 2 --checkpoint empty --quiet", 0, "") &&
	      access("empty.old", F_OK) != 0);
}

static void keeps_outputs_apart(void)
{
	CHECK(ends("--data data --log x --checkpoint ./x", 2, "`--checkpoint` and `--log` name one file"));
	CHECK(ends("--data data --log x --dump data/../x", 2, "`--log` and `--dump` name one file"));
	CHECK(ends("--data data --checkpoint x --dump x", 2, "`--checkpoint` and `--dump` name one file"));
	CHECK(access("x", F_OK) != 0);
	CHECK(ends("--data data --init zero.safetensors --dump zero.safetensors", 2,
	           "`--init` and `--dump`"));
	CHECK(ends("--data data --init zero.safetensors --checkpoint zero.safetensors", 2, "name one file"));
	CHECK(ends("--data data --init zero.safetensors --steps 1 --dump dump.st --quiet", 0,
	           "it is now `dump.st.old`"));
	CHECK(ends("--data data --dump nowhere/x.st", 3, "the dump can't be written"));
}

/* What is taken otherwise than a user may think is said. */
static void says_what_differs(void)
{
	CHECK(ends("--data data --holdout 0.3 --steps 1", 0,
	           "`--holdout` changes nothing: `data` has a held-out part"));
	CHECK(ends("--data data --epochs 1 --checkpoint length.st --quiet", 0, ""));
	CHECK(ends("--data data --epochs 2 --rate 0.01 --checkpoint length.st --resume --stop-after 7", 0,
	           "is of a training of 6 steps, this one has 12"));
	CHECK(ends("--data data --epochs 2 --rate 0.02 --checkpoint length.st --resume", 0,
	           "was trained with the rate 0.01, this training goes on with 0.02"));
	Ended e = trainer("--data data --epochs 2 --rate 0.02 --checkpoint length.st --resume");
	CHECK(e.status == 0 && !strstr(e.said, "this one has") && !strstr(e.said, "with the rate"));
}

static void refuses(void)
{
	CHECK(ends("--data data/nothing", 3, "there is no folder `data/nothing`"));
	CHECK(ends("--data data/train_x.npy", 2, "names 1 file, the model has 2"));
	CHECK(ends("--data data/train_y.npy,data/train_y.npy", 3, "has the shape [20, 1]"));
	CHECK(ends("--data data/train_x.npy,data/test_y.npy", 3, "has 20 samples"));
	CHECK(ends("--data synth:rosenbrock,samples=2", 3, "--set batch=2"));
	CHECK(ends("--data synth:digits", 3, "the model `line` also wants"));
	CHECK(ends("", 2, "`--data DATA` is needed"));
	CHECK(ends("--data data --init data/train_x.npy", 3, "safetensors"));
	CHECK(ends("--data data --init whole.st --steps 1 --quiet", 0,
	           "")); /* a checkpoint's optimizer state is left */
	CHECK(ends("--data data --checkpoint none.st --resume", 3, "none.st"));
	CHECK(ends("--data data --checkpoint whole.st --resume --seed 10", 3, "trained with the seed 9"));
	CHECK(ends("--data synth:rosenbrock,samples=20 --checkpoint whole.st --resume", 3,
	           "trained on other data"));
	CHECK(ends("--data synth:rosenbrock,samples=21 --checkpoint whole.st --resume", 3,
	           "trained on 20 samples"));
	CHECK(ends("--data data --log nowhere/x.jsonl", 3, "can't write the log"));
	CHECK(ends("--data data --checkpoint nowhere/x.st", 3, "nowhere/x.st"));
	CHECK(ends("--data data --epocs 3", 2, "did you mean `--epochs`?"));
	CHECK(ends("--data data --epochs", 2, "needs its argument"));
	CHECK(ends("--data data --quiet=1", 2, "takes no argument"));
	CHECK(ends("--data data --checkpoint-every 3x --checkpoint x.st", 2, "wants a number"));
	CHECK(ends("--data data --progress fancy", 2, "auto|plain|none"));
	CHECK(ends("--steps 1.5 --data data", 2, "whole number"));
}

/* A checkpoint with any one byte changed is refused, and so is each of its beginnings. */
static void finds_damage(void)
{
	char whole[8192];
	size_t n = read_whole("whole.st", whole, sizeof whole);
	CHECK(n > 500);
	for (size_t i = 0; i < n; i++) {
		whole[i] ^= 4;
		put_file("bad.st", whole, n);
		whole[i] ^= 4;
		Ended e = trainer("--data data --checkpoint bad.st --resume --quiet");
		if (!CHECK(e.status == 3 && strstr(e.said, "bad.st")))
			printf("  byte %zu: status %d: %s\n", i, e.status, e.said);
	}
	for (size_t length = 0; length < n; length += 1 + n / 60) {
		put_file("bad.st", whole, length);
		CHECK(ends("--data data --checkpoint bad.st --resume --quiet", 3, "bad.st"));
	}
}

static void limit_files(int step)
{
	const struct rlimit limit = {100, 100};
	if (step == 1 && setrlimit(RLIMIT_FSIZE, &limit) < 0)
		abort();
}

static void goes_on_unsaved(void)
{
	at_step = limit_files;
	CHECK(ends("--data data --epochs 2 --checkpoint limit.st", 3, "epoch 2/2  step 12"));
	CHECK(ends("--data data --epochs 1 --checkpoint limit.st", 3,
	           "no checkpoint at step 6: can't write"));
	at_step = NULL;
	glob_t left;
	CHECK(glob("limit.st*", 0, NULL, &left) == GLOB_NOMATCH);
}

static void keeps_an_old_checkpoint(void)
{
	CHECK(ends("--data data --steps 2 --checkpoint twice.st --quiet", 0, ""));
	CHECK(ends("--data data --steps 3 --checkpoint twice.st", 0, "it is now `twice.st.old`"));
	CHECK(ends("--data data --steps 2 --checkpoint again.st --quiet", 0, ""));
	CHECK(same_files("again.st", "twice.st.old"));
}

/* The gradient in the dump is that of the batch in the dump. */
static void dumps(void)
{
	CHECK(ends("--data data --init zero.safetensors --steps 1 --dump dump.st --quiet", 0, ""));
	char text[8192];
	read_whole("dump.st", text, sizeof text);
	uint64_t length;
	memcpy(&length, text, 8);
	text[8 + length - 1] = 0;
	static const char *const names[] = {"input.x",          "input.y", "gradient.fit.bias",
	                                    "param.fit.weight", "loss",    "metric.error"};
	for (int i = 0; i < 6; i++)
		CHECK(strstr(text + 8, names[i]) != NULL);
	char file[8192];
	read_whole("dump.st", file, sizeof file);
	long at_y = 0, at_bias = 0;
	char *y = strstr(text + 8, "input.y"), *bias = strstr(text + 8, "gradient.fit.bias");
	CHECK(y && bias && sscanf(strstr(y, "offsets"), "offsets\":[%ld", &at_y) == 1 &&
	      sscanf(strstr(bias, "offsets"), "offsets\":[%ld", &at_bias) == 1);
	float values[B], gradient, wanted = 0;
	memcpy(values, file + 8 + length + at_y, sizeof values);
	memcpy(&gradient, file + 8 + length + at_bias, 4);
	for (int n = 0; n < B; n++)
		wanted -= 2 * values[n] / B;
	CHECK(fabsf(gradient - wanted) < 1e-6f);
}

static void speaks(void)
{
	CHECK(ends("--help", 0, "--stop-after N") && ends("--version", 0, "model line of line.net"));
	CHECK(ends("--print-model", 0, "2 tensors, 4 elements, 16 B"));
	CHECK(ends("bench --steps 2 --quiet", 0, "\"mode\": \"training\", \"batch\": 3"));
	CHECK(ends("bench --inference --steps 2 --quiet", 0, "\"mode\": \"inference\""));
	CHECK(ends("bench --epochs 2", 2, "there is no option `--epochs` of `bench`"));
	CHECK(ends("run", 2, "`run` is no command"));
	CHECK(ends("bench --inference --batch 7 --steps 2 --quiet", 0,
	           "\"batch\": 7, \"compiled_batch\": 3"));
	CHECK(ends("bench --inference --batch 7 --steps 2 --quiet", 0,
	           "a request of 7 samples takes 3 batches of 3"));
	CHECK(ends("bench --batch 6 --steps 2", 2, "`--batch` is for `bench --inference`"));
	CHECK(ends("--data data --no-shuffle --no-eval --epochs 1", 0, "epoch 1/1  step 6  loss"));
	CHECK(ends("--data data/train_x.npy,data/train_y.npy --holdout 0.25 --steps 1", 0,
	           "15 training samples, 5 held"));
	CHECK(ends("--data data/train_x.npy,data/train_y.npy --eval-data data --steps 1", 0,
	           "20 training samples, 7 held"));
	/* What a file is called can't command the terminal. */
	CHECK(ends("--data \033[31mred", 3, "`\\x1B[31mred`"));
}

static void evaluates(void)
{
	CHECK(ends("eval --data data --checkpoint whole.st", 0, "samples 7"));
	CHECK(ends("eval --data data --init zero.safetensors", 0, "samples 7"));
	CHECK(ends("eval --data data", 0, "these are the initial weights"));
	CHECK(ends("eval --data data --init zero.safetensors --checkpoint whole.st", 2,
	           "evaluates one file"));
	CHECK(ends("eval --data data --epochs 2", 2, "there is no option `--epochs` of `eval`"));
	/* What is held out depends on the seed, and the checkpoint knows it. */
	CHECK(ends("--data data/train_x.npy,data/train_y.npy --holdout 0.25 --seed 77 --epochs 2 --log "
	           "held.jsonl "
	           "--checkpoint held.st --quiet",
	           0, ""));
	char wanted[64];
	snprintf(wanted, sizeof wanted, "eval_loss %.6g", log_value("held.jsonl", 1, "eval_loss"));
	CHECK(ends("eval --data data/train_x.npy,data/train_y.npy --holdout 0.25 --checkpoint held.st", 0,
	           wanted));
	model.name = "other";
	CHECK(ends("eval --data data --checkpoint whole.st", 3,
	           "`whole.st` is a checkpoint of the model `line`, this is a trainer of `other`"));
	model.name = "line";
}

static void keeps_an_old_log(void)
{
	CHECK(ends("--data data --epochs 1 --log kept.jsonl --quiet", 0, ""));
	CHECK(ends("--data data --epochs 2 --log kept.jsonl --quiet", 0,
	           "`kept.jsonl` was there already: it is now `kept.jsonl.old`"));
	CHECK(log_value("kept.jsonl.old", 0, "epoch") == 1 && log_value("kept.jsonl", 1, "epoch") == 2);
}

int main(void)
{
	child_folder_make();
	put_data();
	learns();
	counts_each_held_out_sample_once();
	resumes_exactly();
	evaluates();
	keeps_an_old_log();
	stops_at_signals();
	stops_at_nan();
	saves_nothing_diverged();
	refuses();
	finds_damage();
	goes_on_unsaved();
	keeps_an_old_checkpoint();
	dumps();
	leaves_other_files_alone();
	keeps_outputs_apart();
	says_what_differs();
	speaks();
	return check_report("unit, the trainer");
}
