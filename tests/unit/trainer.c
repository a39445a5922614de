/* SPDX-License-Identifier: MIT */
/* The trainer's command line on a network written by hand (linear.h). */
#include "tests/unit/check.h"
#include "tests/unit/linear.h"

#include <errno.h>
#include <glob.h>
#include <sys/resource.h>

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
	/* DATA with a slash at its end is the same folder. */
	CHECK(ends("--data data/ --epochs 5 --checkpoint slash.st --stop-after 9 --quiet", 0, ""));
	CHECK(ends("--data data --epochs 5 --checkpoint slash.st --resume --quiet", 0, ""));
	CHECK(same_files("whole.st", "slash.st"));
	/* A longer training goes on inside the epoch that the shorter one cut (with a constant rate the two agree). */
	CHECK(ends("--data data --steps 8 --checkpoint short.st --quiet", 0, ""));
	CHECK(ends("--data data --steps 9 --checkpoint short.st --resume --quiet --log short.jsonl "
	           "--log-every 1",
	           0, ""));
	CHECK(log_value("short.jsonl", 0, "step") == 9);
}

static void stops_at_nan(void)
{
	poison_at = 8;
	CHECK(ends("--data data --log nan.jsonl", 5, "not a number at step 8, in epoch 2"));
	poison_at = 0;
}

/* Told by its place in the file, whether some of that was held out or not. */
static void blames_data(void)
{
	static const char *const words[] = {"nan", "inf", "-inf"};
	static const float values[] = {NAN, INFINITY, -INFINITY};
	for (int n = 0; n < 3; n++) {
		char says[128];
		float x[20 * D] = {0}, y[20] = {0};
		x[14 * D + 1] = values[n];
		put_npy("x.npy", 20, D, x);
		put_npy("y.npy", 20, 1, y);
		snprintf(says, sizeof says, "`x.npy` has the value %s at element 43, read as f32: the loss",
		         words[n]);
		CHECK(ends("--data x.npy,y.npy --epochs 2 --holdout 0", 3, says));
		CHECK(ends("--data x.npy,y.npy --epochs 2 --holdout 0.3 --seed 1", 3, says));
		CHECK(ends("--data x.npy,y.npy --epochs 2 --holdout 0.6 --seed 4", 3, says));
		CHECK(ends("--data data --eval-data x.npy,y.npy --epochs 2", 3, says));
		CHECK(ends("eval --data x.npy,y.npy --holdout 0.9", 3, says));
	}
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
			snprintf(old, sizeof old, "%s.1", paths[p]);
			CHECK(ends(line, 3, p < 2 ? "a folder" : "which is not") && access(old, F_OK) != 0);
		}
	CHECK(ends("--data data --steps 2 --checkpoint /dev/null", 3, "not a regular file"));
	CHECK(ends("--data data --steps 2 --log program --checkpoint two.st --quiet", 3, "which is not"));
	CHECK(access("two.st", F_OK) != 0);
	put_file("empty", "", 0);
	CHECK(ends("--data data --steps 2 --checkpoint empty --quiet", 0, "") &&
	      access("empty.1", F_OK) != 0);
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
	           "it is now `dump.st.1`"));
	CHECK(ends("--data data --dump nowhere/x.st", 3, "there is no folder `nowhere`"));
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
	e = trainer("--data data --epochs 1 --checkpoint length.st --resume");
	CHECK(e.status == 0 && strstr(e.said, "the training is complete at step 12"));
	CHECK(!strstr(e.said, "this one has") && !strstr(e.said, "with the rate"));
}

/* The recipe that a trainer was compiled with, against that of the checkpoint. */
static void says_what_recipe_differs(void)
{
	static const char again[] = "--data data --epochs 2 --checkpoint recipe.st --resume --stop-after 7";
	static const struct {
		const char *recipe, *says; /* NULL: nothing */
	} now[] = {
	        {"optimizer sgd(rate = 0.1, momentum = 0.5); rate 0.1 cosine; epochs 4; clip 5", NULL},
	        {"optimizer sgd(rate = 0.2, momentum = 0.5); rate 0.2 cosine; steps 9; clip 5", NULL},
	        {"optimizer sgd(rate = 0.1, momentum = 0.9); rate 0.1 cosine; epochs 4; clip 5",
	         "with `optimizer sgd(rate = 0.1, momentum = 0.5)`, this training goes on with `optimizer "
	         "sgd(rate "
	         "= 0.1, momentum = 0.9)`"},
	        {"optimizer sgd(rate = 0.1, momentum = 0.5); rate 0.1 linear; epochs 4; clip 5",
	         "with `rate 0.1 cosine`, this training goes on with `rate 0.1 linear`"},
	        {"optimizer sgd(rate = 0.1, momentum = 0.5); rate 0.1 cosine; epochs 4",
	         "with `clip 5`, this training goes on without `clip`"},
	        {"augment flip; optimizer sgd(rate = 0.1, momentum = 0.5); rate 0.1 cosine; epochs 4; clip 5",
	         "without `augment`, this training goes on with `augment flip`"},
	};
	const char *before = model.recipe;
	for (size_t i = 0; i < sizeof now / sizeof *now; i++) {
		model.recipe = now[0].recipe;
		CHECK(ends("--data data --epochs 2 --stop-after 3 --checkpoint recipe.st --quiet", 0, ""));
		unlink("recipe.st.1");
		model.recipe = now[i].recipe;
		Ended e = trainer(again);
		if (!CHECK(e.status == 0 &&
		           !strstr(e.said, now[i].says ? now[i].says : "was trained") == !now[i].says))
			printf("  %s: %s\n", now[i].recipe, e.said);
	}
	CHECK(ends("--data data --epochs 3 --no-augment --checkpoint recipe.st --resume", 0,
	           "without `--no-augment`, this training goes on with `--no-augment`"));
	model.recipe = before;
}

static void says_what_is_not_kept(void)
{
	static const char says[] = "the weights will not be kept: `--checkpoint FILE` keeps them";
	CHECK(ends("--data data --steps 2", 0, says));
	CHECK(ends("--data data --steps 2 --checkpoint kept.st", 0, "the weights are in `kept.st`"));
	static const char *const silent[] = {
	        "--data data --steps 2 --checkpoint kept.st", "--data data --steps 2 --dump kept.dump",
	        "--data data --steps 2 --quiet", "eval --data data", "bench --steps 1"};
	for (int i = 0; i < 5; i++)
		CHECK(!strstr(trainer(silent[i]).said, says));
}

static void says_a_warmup_without_end(void)
{
	model.rate.warmup = 2;
	model.rate.warmup_in_epochs = true;
	static const char says[] = "the warm-up of 2ep does not end within this training of 12 steps";
	CHECK(ends("--data data --epochs 2", 0, says));
	CHECK(!strstr(trainer("--data data --epochs 3").said, "warm-up"));
	model.rate.warmup = 0;
}

static void refuses(void)
{
	CHECK(ends("--data data/nothing", 3, "there is no file or folder `data/nothing`"));
	CHECK(ends("--data data/train_x.npy", 2, "names 1 file, the model has 2"));
	CHECK(ends("--data data/train_y.npy,data/train_y.npy", 3, "has the shape [20, 1]"));
	CHECK(ends("--data data/train_x.npy,data/test_y.npy", 3, "has 20 samples"));
	CHECK(ends("--data synth:rosenbrock,samples=2", 3, "--set batch=2"));
	CHECK(ends("--data synth:random,samples=10000000000000", 2, "from 1 to 1099511627776"));
	CHECK(ends("--data synth:digits", 3, "the model `line` also wants"));
	NnrInput halves[] = {inputs[0], inputs[1]};
	model.inputs = halves;
	for (int i = 0; i < 2; i++) {
		halves[0].dtype = i ? NNR_F16 : NNR_BF16;
		CHECK(ends("--data synth:random --steps 1", 3, "synth:random can't make"));
	}
	model.inputs = inputs;
	CHECK(ends("", 2, "`--data DATA` is needed"));
	CHECK(ends("--data data --init data/train_x.npy", 3, "safetensors"));
	/* PyTorch's order is of use only where the sizes are the same. */
	NnrTensor image = params[0];
	image.rank = 4;
	memcpy(image.dim, (int64_t[]){1, 3, 1, 1}, 4 * sizeof(int64_t));
	const NnrTensor wide[] = {image, params[1]};
	model.params = wide;
	CHECK(ends("--data data --steps 1 --checkpoint image.st --quiet", 0, ""));
	NnrTensor other[] = {image, params[1]};
	model.params = other;
	memcpy(other[0].dim, (int64_t[]){1, 1, 1, 3}, 4 * sizeof(int64_t));
	CHECK(ends("--data data --init image.st", 3, "PyTorch as [out, in, height, width]"));
	memcpy(other[0].dim, (int64_t[]){1, 1, 1, 2}, 4 * sizeof(int64_t));
	CHECK(ends("--data data --init image.st", 3, "`--init-skip 'fit.*'` lets this layer begin"));
	model.params = params;
	CHECK(ends("--data data --init whole.st --steps 1 --quiet", 0,
	           "")); /* a checkpoint's optimizer state is left */
	CHECK(ends("--data data --checkpoint none.st --resume", 3, "none.st"));
	CHECK(ends("--data data --checkpoint whole.st --resume --seed 10", 3, "trained with the seed 9"));
	CHECK(ends("--data synth:rosenbrock,samples=20 --checkpoint whole.st --resume", 3,
	           "trained on other data"));
	CHECK(ends("--data synth:rosenbrock,samples=21 --checkpoint whole.st --resume", 3,
	           "trained on 20 samples"));
	CHECK(ends("--data data --log nowhere/x.jsonl", 3, "there is no folder `nowhere`"));
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
	CHECK(ends("--data data --steps 2 --checkpoint again.st --quiet", 0, ""));
	put_file("twice.st.2", "notes", 5); /* of the user's own */
	static const char *const names[] = {"twice.st.1", "twice.st.3", "twice.st.4"};
	for (int i = 0; i < 3; i++) {
		char says[64], line[96];
		snprintf(says, sizeof says, "`twice.st` was there already: it is now `%s`", names[i]);
		snprintf(line, sizeof line, "--data data --steps %d --checkpoint twice.st", 3 + i);
		CHECK(ends(line, 0, says));
	}
	CHECK(same_files("again.st", "twice.st.1") && !same_files("twice.st.3", "twice.st.4"));
	char notes[8];
	CHECK(read_whole("twice.st.2", notes, sizeof notes) == 5 && memcmp(notes, "notes", 5) == 0);
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

/* Drawn numbers, and not what was in the memory before. */
static void has_samples(const NnrMemory *m)
{
	for (int i = 0; i < B * D; i++)
		if (!(fabsf(input_x(m)[i]) > 1e-6f && fabsf(input_x(m)[i]) < 10))
			abort();
}

static void speaks(void)
{
	CHECK(ends("-h", 0, "--stop-after N") && ends("eval -h", 0, "--stop-after N"));
	CHECK(ends("--help", 0, "--stop-after N") && ends("--version", 0, "model line of line.net"));
	CHECK(ends("--print-model", 0, "2 tensors, 4 elements, 16 B"));
	CHECK(ends("bench --steps 2 --quiet", 0, "\"mode\": \"training\", \"batch\": 3"));
	CHECK(ends("bench --inference --steps 2 --quiet", 0, "\"mode\": \"inference\""));
	CHECK(ends("bench --epochs 2", 2, "there is no option `--epochs` of `bench`"));
	CHECK(ends("run", 2, "`run` is no command"));
	CHECK(ends("trian", 2, "did you mean `train`?"));
	CHECK(ends("version", 2, "did you mean `--version`?"));
	CHECK(ends("bench --inference --batch 7 --steps 2 --quiet", 0,
	           "\"batch\": 7, \"compiled_batch\": 3"));
	at_batch = has_samples;
	CHECK(ends("bench --inference --batch 7 --steps 2 --quiet", 0,
	           "a request of 7 samples takes 3 batches of 3"));
	at_batch = NULL;
	CHECK(ends("bench --batch 6 --steps 2", 2, "`--batch` is for `bench --inference`"));
	CHECK(ends("--data data --no-shuffle --no-eval --epochs 1", 0, "epoch 1/1  step 6  loss"));
	CHECK(ends("--data data/train_x.npy,data/train_y.npy --holdout 0.25 --steps 1", 0,
	           "15 training samples, 5 held"));
	CHECK(ends("--data data/train_x.npy,data/train_y.npy --eval-data data --steps 1", 0,
	           "20 training samples, 7 held"));
	CHECK(ends("--data data --eval-data data --holdout 0.5 --steps 1", 0,
	           "`--holdout` changes nothing beside `--eval-data`"));
	/* What a file is called can't command the terminal. */
	CHECK(ends("--data \033[31mred", 3, "`\\x1B[31mred`"));
}

static void says_what_it_cannot_print(void)
{
	static const char *const lines[] = {"--help", "--version", "--print-model",
	                                    "eval --data data --init whole.st", "bench --steps 2 --quiet"};
	standard_output = "/dev/full";
	for (int i = 0; i < 5; i++)
		CHECK(ends(lines[i], 3, "can't write to standard output: No space left"));
	standard_output = NULL;
}

static void evaluates(void)
{
	CHECK(ends("eval --data data --checkpoint whole.st", 0, "samples 7"));
	CHECK(ends("eval --data data --init zero.safetensors", 0, "samples 7"));
	CHECK(ends("eval --data data", 0, "these are the initial weights"));
	CHECK(ends("eval --data data --init zero.safetensors --checkpoint whole.st", 2,
	           "takes the weights of one file"));
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

static void goes_on_unlogged(void)
{
	CHECK(ends("--data data --epochs 2 --log /dev/full", 3, "epoch 2/2  step 12"));
	CHECK(ends("--data data --epochs 2 --log /dev/full --stop-after 8", 3,
	           "the log `/dev/full` can't be written: No space left"));
}

/* A name so long that there is none for the file beside it, as in a folder that can't be written. */
static void probes_where_it_resumes(void)
{
	char name[251] = {0}, line[400];
	memset(name, 'x', sizeof name - 1);
	CHECK(ends("--data data --epochs 1 --checkpoint probe.st --quiet", 0, ""));
	CHECK(rename("probe.st", name) == 0);
	snprintf(line, sizeof line, "--data data --epochs 2 --log probe.jsonl --resume --checkpoint %s",
	         name);
	CHECK(ends(line, 3, "checkpoints can't be saved: can't create a file beside"));
	CHECK(access("probe.jsonl", F_OK) != 0 && access(name, F_OK) == 0);
}

/* Whatever can be known to fail is told before the data is read, which here is not even there. */
static void fails_before_the_data(void)
{
	char name[251] = {0}, line[400];
	memset(name, 'x', sizeof name - 1);
	snprintf(line, sizeof line, "--data nodata --checkpoint %s", name);
	CHECK(ends(line, 3, "checkpoints can't be saved"));
	CHECK(ends("--data nodata --checkpoint nofolder/x", 3, "there is no folder `nofolder`"));
	CHECK(ends("--data nodata --init data/train_x.npy", 3, "data/train_x.npy"));
	CHECK(ends("--data nodata --init nofile", 3, "can't read `nofile`"));
	CHECK(ends("--data nodata --checkpoint zero.safetensors --seed 9 --resume", 3,
	           "`zero.safetensors` is no checkpoint"));
	CHECK(ends("eval --data nodata --checkpoint zero.safetensors --seed 9", 3,
	           "`zero.safetensors` is no checkpoint"));
	CHECK(ends("--data nodata --dump nofolder/x", 3, "there is no folder `nofolder`"));
}

/* Numbers all of them; nothing is learned in the end, and what was saved before stays. */
static void ends_where_the_loss_has_grown(void)
{
	Ended e = trainer(
	        "--data data --rate 3 --steps 40 --checkpoint grown.st --checkpoint-every 1it --no-eval");
	CHECK(e.status == 5 && strstr(e.said, "the loss has grown from ") &&
	      strstr(e.said, "try a lower --rate"));
	CHECK(ends("eval --data data --checkpoint grown.st --quiet", 0, "eval_loss"));
	CHECK(ends("--data data --rate 3 --steps 6 --no-eval", 0, ""));
}

static void keeps_an_old_log(void)
{
	CHECK(ends("--data data --epochs 1 --log kept.jsonl --quiet", 0, ""));
	CHECK(ends("--data data --epochs 2 --log kept.jsonl --quiet", 0,
	           "`kept.jsonl` was there already: it is now `kept.jsonl.1`"));
	CHECK(log_value("kept.jsonl.1", 0, "epoch") == 1 && log_value("kept.jsonl", 1, "epoch") == 2);
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
	ends_where_the_loss_has_grown();
	stops_at_nan();
	blames_data();
	saves_nothing_diverged();
	refuses();
	finds_damage();
	goes_on_unsaved();
	goes_on_unlogged();
	keeps_an_old_checkpoint();
	probes_where_it_resumes();
	fails_before_the_data();
	dumps();
	leaves_other_files_alone();
	keeps_outputs_apart();
	says_what_differs();
	says_what_recipe_differs();
	says_what_is_not_kept();
	says_a_warmup_without_end();
	speaks();
	says_what_it_cannot_print();
	return check_report("unit, the trainer");
}
