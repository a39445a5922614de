/* SPDX-License-Identifier: MIT */
/* What is said of an option or command that there is none of: what may have been meant. */
#include "base/nearest.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/host/options_table.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What is the recipe's, or the model's, though another command may have an option of that name; words apart by
 * blanks. */
static const struct {
	const char *words, *help;
} compiled_in[] = {
        {"batch batch-size batchsize bs", "the batch is the recipe's, and compiled in: nnc --set batch=64"},
        {"optimizer optim",
         "the optimizer is the recipe's, and compiled in: nnc --set 'optimizer=adam(rate = 0.001)'"},
        {"momentum nesterov", "it is the recipe's, and compiled in: nnc --set optimizer.momentum=0.9"},
        {"weight-decay wd", "it is the recipe's, and compiled in: nnc --set optimizer.decay=0.01"},
        {"scheduler schedule lr-scheduler warmup warmup-steps warmup-epochs",
         "the schedule is the recipe's, and compiled in: nnc --set 'rate=0.1 warmup 5ep cosine'"},
        {"clip grad-clip clip-grad max-grad-norm", "it is the recipe's, and compiled in: nnc --set clip=1.0"},
        {"chunk micro-batch micro-batch-size", "it is the recipe's, and compiled in: nnc --set chunk=32"},
        {"accumulate gradient-accumulation-steps grad-accum",
         "it is the recipe's, and compiled in: nnc --set accumulate=4"},
        {"decay", "it is the recipe's, and compiled in: nnc --set decay=all"},
        {"ema", "it is the recipe's, and compiled in: nnc --set ema=0.999"},
        {"group groups param-groups", "groups are the recipe's: group \"head.*\" rate 0.01"},
        {"augment augmentation aug",
         "it is the recipe's, and compiled in: nnc --set 'augment=flip, crop(pad = 4)'"},
        {"resize image-size img-size", "the size is the model's: input image: u8[224, 224, 3]"},
        {"loss criterion metric metrics", "it stands in the model: loss cross_entropy(logits, label)"},
        {"recipe", "a recipe is compiled in: nnc --recipe=NAME"},
};

/* What those write who come from other trainers:
 *
 *   theirs   apart by blanks
 *   ours     the option for it, or NULL; its row holds for commands that know it
 *   help     what to do; NULL: "it is called `--ours` here" */
static const struct {
	const char *theirs, *ours, *help;
} habits[] = {
        {"lr learning-rate learningrate base-lr", "rate", NULL},
        {"batch-size batchsize bs", "batch", NULL},
        {"num-epochs max-epochs n-epochs", "epochs", NULL},
        {"iterations iters max-steps num-steps max-iters", "steps", NULL},
        {"gpu gpus cuda cpu no-cuda device accelerator target", NULL,
         "the device is chosen when a trainer is compiled: nnc --target=cuda, or cpu"},
        {"precision dtype fp16 bf16 fp32 tf32 half amp mixed-precision", NULL,
         "the precision is compiled in: nnc --precision=bf16"},
        {"set model", NULL, "it is an option of nnc, which compiled this trainer"},
        {"num-workers data-workers loaders prefetch", "workers", NULL},
        {"num-threads jobs", "threads", NULL},
        {"data-dir data-path dataset train-data root", "data", NULL},
        {"val-data test-data valid-data", "eval-data", NULL},
        {"val-split validation-split test-split", "holdout", NULL},
        {"tune-mode tuning autotune auto-tune background-tune cudnn-benchmark", "tune-when", NULL},
        {"output output-file predictions result results save", "out", NULL},
        {"output save ckpt checkpoint-path", "checkpoint", NULL},
        {"freeze-layers frozen requires-grad no-grad", "freeze",
         "it is called `--freeze` here, and takes patterns of names"},
        {"skip ignore exclude", "init-skip", NULL},
        {"load weights pretrained init-from", "init", "weights are read by `--init FILE.safetensors`"},
        {"early-stopping patience", "early-stop", NULL},
        {"save-best checkpoint-best", "best", NULL},
        {"keep-last keep-checkpoints save-total-limit max-to-keep", "keep", NULL},
        {"eval-interval eval-steps val-every validate-every val-interval", "eval-every", NULL},
        {"continue", "resume", "it is called `--resume` here, and needs `--checkpoint FILE`"},
        {"eval evaluate test validate", NULL, "it is a command: `eval --checkpoint FILE`"},
        {"predict infer inference forward", NULL, "it is a command: `predict --checkpoint FILE PICTURE...`"},
        {"generate generation", NULL, "it is a command: `sample --checkpoint FILE --prompt TEXT`"},
        {"max-new-tokens num-tokens length", "tokens", NULL},
        {"topk k", "top-k", NULL},
        {"temp", "temperature", NULL},
        {"bench benchmark", NULL, "it is a command: `bench`"},
        {"lr-find find-lr lr-finder auto-lr-find find-rate", NULL,
         "it is a command: `find-rate --data DATA`"},
        {"overfit overfit-batches fast-dev-run sanity-check", "overfit-batch", NULL},
        {"profile profiler", NULL, "it is a command: `profile`"},
        {"timeline trace-file", "trace", NULL},
        {"export onnx convert", NULL, "it is a command: `export --checkpoint FILE --out FILE`"},
        {"train", NULL, "it is a command, and the default: `train`"},
        {"log-dir log-file logdir", "log", "it is called `--log` here, and takes a file"},
        {"log-interval print-freq print-every", "log-every",
         "it is called `--log-every` here, and needs `--log FILE.jsonl`"},
        {"save-every save-freq save-interval", "checkpoint-every", NULL},
        {"report html tensorboard", "log", "`--log FILE.jsonl` keeps the numbers of the training"},
        {"verbose", NULL, "progress is shown unless `--quiet` is given"},
        {"summary", "print-model", NULL},
};

bool is_among(const char *word, const char *words)
{
	size_t length = strlen(word);
	for (const char *at = words; *at; at += strspn(at, " ")) {
		size_t n = strcspn(at, " "), i = 0;
		while (i < n && i < length && (word[i] == '_' ? '-' : word[i]) == at[i])
			i++;
		if (i == n && n == length)
			return true;
		at += n;
	}
	return false;
}

/* "it is for training", "it is an option of `bench`"; NULL: no command has it. */
static const char *other_command(const char *option)
{
	for (int i = 0; i < option_row_count; i++) {
		if (!option_rows[i].name || strcmp(option_rows[i].name, option) != 0)
			continue;
		for (int c = COMMAND_TRAIN; c < COMMANDS; c++)
			if (option_rows[i].where & 1 << c)
				return c == COMMAND_TRAIN
				               ? "it is for training"
				               : text_printf("it is an option of `%s`", command_rows[c].name);
	}
	return NULL;
}

/* NULL: nothing is known of `word`. */
static const char *help_with_habit(const char *word, Command command)
{
	enum { HABITS = sizeof habits / sizeof *habits };
	const char *elsewhere = other_command(word);
	for (int i = 0; i < HABITS; i++) {
		const char *ours = habits[i].ours;
		if (ours && is_among(word, habits[i].theirs) && find_option(ours, (int)strlen(ours), command))
			return habits[i].help ? habits[i].help
			                      : text_printf("it is called `--%s` here", ours);
	}
	for (size_t i = 0; i < sizeof compiled_in / sizeof *compiled_in; i++)
		if (is_among(word, compiled_in[i].words))
			return compiled_in[i].help;
	for (int i = 0; i < HABITS && !elsewhere; i++) {
		const char *ours = habits[i].ours, *there = ours ? other_command(ours) : NULL;
		if (is_among(word, habits[i].theirs) && !ours)
			return habits[i].help;
		if (is_among(word, habits[i].theirs) && there)
			elsewhere =
			        text_printf("it is called `--%s` here, and %s", ours, there + strlen("it "));
	}
	return elsewhere;
}

_Noreturn void unknown_option(const char *name, int length, Command command)
{
	char word[40];
	snprintf(word, sizeof word, "%.*s", length, name);
	const char *of = command == COMMAND_TRAIN ? "" : text_printf(" of `%s`", command_rows[command].name);
	const char *help = help_with_habit(word, command);
	if (help)
		die_help(STATUS_USAGE, help, "there is no option `--%.*s`%s", length, name, of);
	const char *names[MOST_OPTION_ROWS], *near;
	int count = 0;
	for (int i = 0; i < option_row_count; i++)
		if (option_rows[i].name && option_rows[i].where & 1 << command)
			names[count++] = option_rows[i].name;
	if ((near = nearest_word(word, names, count)))
		help = text_printf("did you mean `--%s`?", near);
	else
		help = text_printf("`%s --help` lists the options", program_name());
	die_help(STATUS_USAGE, help, "there is no option `--%.*s`%s", length, name, of);
}

_Noreturn void unknown_command(const char *word)
{
	const char *names[COMMANDS];
	for (int c = 0; c < COMMANDS; c++)
		names[c] = command_rows[c].name;
	const char *near = nearest_word(word, names, COMMANDS);
	if (strcmp(word, "help") == 0 || strcmp(word, "version") == 0)
		near = text_printf("--%s", word);
	die_help(STATUS_USAGE,
	         near ? text_printf("did you mean `%s`?", near)
	              : "give the data as `--data DATA`; the commands are `train` (the default), `eval`, "
	                "`predict`, `bench`, `profile`, `find-rate`, `sample`, `export`, `runs`, `report` "
	                "and `info`",
	         "`%s` is no command of this trainer", word);
}

_Noreturn void stray_word(const char *word)
{
	const char *help = "options begin with `--`, as `--help`; give the data as `--data DATA`";
	if (has_suffix(word, ".st") || has_suffix(word, ".safetensors"))
		help = text_printf("give weights as `--checkpoint %s`", word);
	char *folder = run_folder_named(word), *last = path_join(folder, "last.safetensors");
	if (access(last, F_OK) == 0)
		help = text_printf("give the weights of a run as `--checkpoint %s`", last);
	for (int c = 0; c < COMMANDS; c++)
		if (strcmp(word, command_rows[c].name) == 0)
			help = "there is one command, and it comes first";
	die_help(STATUS_USAGE, help, "`%s` is not an option", word);
}
