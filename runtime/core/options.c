#include "runtime/core/options.h"
#include "compiler/base/manual.h"
#include "compiler/base/nearest.h"
#include "runtime/core/die.h"
#include "runtime/core/json.h"
#include "runtime/core/rescue.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { FLAG, TEXT, LIST, INTEGER, REAL, INTERVAL, WORD, SWITCH } Kind;

enum {
	IN_TRAIN = 1 << COMMAND_TRAIN,
	IN_EVAL = 1 << COMMAND_EVAL,
	IN_PREDICT = 1 << COMMAND_PREDICT,
	IN_BENCH = 1 << COMMAND_BENCH,
	IN_PROFILE = 1 << COMMAND_PROFILE,
	IN_SAMPLE = 1 << COMMAND_SAMPLE,
	IN_FIND = 1 << COMMAND_FIND_RATE,
	WITH_DATA = IN_TRAIN | IN_EVAL | IN_PREDICT | IN_BENCH | IN_PROFILE | IN_FIND,
	IN_RUN = WITH_DATA | IN_SAMPLE, /* what computes the network */
	IN_EXPORT = 1 << COMMAND_EXPORT,
	IN_RUNS = 1 << COMMAND_RUNS,
	IN_ALL = IN_RUN | IN_EXPORT, /* what has a network */
	IN_INFO = 1 << COMMAND_INFO,
	IN_ANY = IN_ALL | IN_RUNS | IN_INFO
};

/*   name, argument     as --help shows them; argument NULL: none is taken; "a|b|c" for WORD; "[=word]", which may be
 *                      left out, for SWITCH: 1 without it, 2 with it
 *   where              the commands that know it
 *   at                 its place in Options
 *   least, most        of the number
 *   help               one line; a row without a name is a heading */
typedef struct Row {
	const char *name, *argument;
	int where;
	Kind kind;
	size_t at;
	double least, most;
	const char *help;
} Row;

static const char cuda_heading[] = "CUDA"; /* of options that a trainer for the CPU refuses */

#define AT(member) offsetof(Options, member)

static const Row rows[] = {
        {NULL, NULL, IN_RUN, FLAG, 0, 0, 0, "Data"},
        {"data", "DATA", WITH_DATA, TEXT, AT(data), 0, 0,
         "a folder, a table or text file, `x.npy,y.npy`, or "
         "synth:digits|images|rosenbrock|random[,samples=N]"},
        {"eval-data", "DATA", IN_TRAIN | IN_EVAL, TEXT, AT(eval_data), 0, 0, "held-out data kept elsewhere"},
        {"holdout", "F", IN_TRAIN | IN_EVAL, REAL, AT(holdout), 0, 0.9,
         "fraction held out where the data has no test part (0.1)"},
        {"no-shuffle", NULL, IN_TRAIN | IN_FIND, FLAG, AT(no_shuffle), 0, 0,
         "take the samples in the order of the data"},
        {"no-augment", NULL, IN_TRAIN | IN_PROFILE | IN_FIND, FLAG, AT(no_augment), 0, 0,
         "leave out the recipe's augmentation"},
        {"overfit-batch", NULL, IN_TRAIN, FLAG, AT(overfit_batch), 0, 0,
         "train on one batch alone, and evaluate on it: its loss should fall to nearly nothing"},
        {"follow-links", NULL, WITH_DATA, FLAG, AT(follow_links), 0, 0,
         "folders of images: take links that lead out of DATA, too"},
        {"resident", NULL, WITH_DATA, FLAG, AT(resident), 0, 0,
         "decode all of the data at the start and keep it in memory"},
        {"stream", NULL, WITH_DATA, FLAG, AT(stream), 0, 0,
         "make each batch as it is needed: from files, or from the host's memory"},
        {"workers", "N", WITH_DATA, INTEGER, AT(workers), 0, 256,
         "threads that make such batches; 0: none beside"},
        {NULL, NULL, IN_RUN, FLAG, 0, 0, 0, "Training"},
        {"epochs", "N", IN_TRAIN, REAL, AT(epochs), 1e-6, 1e9, "length of the training in epochs"},
        {"steps", "N", IN_TRAIN | IN_BENCH, INTEGER, AT(steps), 1, 1e15,
         "length of the training (bench: of a window) in steps"},
        {"steps", "N", IN_PROFILE, INTEGER, AT(steps), 1, 10000,
         "how many are measured (those of two seconds)"},
        {"steps", "N", IN_FIND, INTEGER, AT(steps), 16, 100000, "how many rates are tried (100)"},
        {"stop-after", "N", IN_TRAIN, INTEGER, AT(stop_after), 1, 1e15,
         "stop after step N as Ctrl-C would; the length stays as it is"},
        {"rate", "R", IN_TRAIN, REAL, AT(rate), 1e-30, 1e30, "base learning rate"},
        {"seed", "N", IN_RUN, INTEGER, AT(seed), 0, 9e15,
         "of initial weights, shuffling, augmentation, dropout"},
        {"threads", "N", IN_RUN, INTEGER, AT(threads), 1, 4096, "of the computation and of reading the data"},
        {"init", "FILE", IN_TRAIN | IN_FIND | IN_EVAL | IN_PREDICT | IN_SAMPLE | IN_EXPORT, TEXT, AT(init), 0,
         0, "initial weights by name, from a .safetensors file"},
        {"init-skip", "PATTERN,...", IN_TRAIN | IN_FIND | IN_EVAL | IN_PREDICT | IN_SAMPLE | IN_EXPORT, LIST,
         AT(init_skip), 0, 0, "tensors that --init leaves out, as 'head.*'; may be given again"},
        {"init-map", "torchvision|TABLE", IN_TRAIN | IN_FIND | IN_EVAL | IN_PREDICT | IN_SAMPLE | IN_EXPORT,
         TEXT, AT(init_map), 0, 0, "the names and the order of elements in the file of --init"},
        {"freeze", "PATTERN,...", IN_TRAIN | IN_FIND, LIST, AT(freeze), 0, 0,
         "tensors that the training leaves as they are, as 'conv*'; may be given again"},
        {"checkpoint", "FILE", IN_TRAIN | IN_EVAL | IN_PREDICT | IN_SAMPLE | IN_EXPORT | IN_INFO, TEXT,
         AT(checkpoint), 0, 0, "save the state of the training there (eval, predict: the weights)"},
        {"checkpoint-every", "N[ep|it]", IN_TRAIN, INTERVAL, AT(checkpoint_every), 1, 1e15,
         "how often, in epochs or steps (1ep)"},
        {"keep", "K", IN_TRAIN, INTEGER, AT(keep), 1, MOST_KEPT,
         "keep the last K checkpoints, as FILE-STEP beside it"},
        {"resume", "[=auto]", IN_TRAIN, SWITCH, AT(resume), 0, 0,
         "go on exactly where the checkpoint stands (auto: if there is one)"},
        {"best", "FILE", IN_TRAIN, TEXT, AT(best), 0, 0, "save the checkpoint of the best evaluation there"},
        {"monitor", "NAME[:min|:max]", IN_TRAIN, TEXT, AT(monitor), 0, 0,
         "the score that the best goes by, a metric's name (loss)"},
        {"early-stop", "N", IN_TRAIN, INTEGER, AT(early_stop), 1, 1e9,
         "stop after N evaluations without a better one"},
        {"on-nan", "stop|skip|rollback", IN_TRAIN, WORD, AT(on_nan), 0, 0,
         "what to do of a loss that is no number (stop); rollback: to the checkpoint, at half the rate"},
        {"eval-every", "N[ep|it]", IN_TRAIN, INTERVAL, AT(eval_every), 1, 1e15,
         "how often the held-out samples are evaluated (1ep)"},
        {"no-eval", NULL, IN_TRAIN, FLAG, AT(no_eval), 0, 0, "no evaluation after the epochs"},
        {NULL, NULL, IN_RUN, FLAG, 0, 0, 0, cuda_heading},
        {"tune", "FILE", IN_RUN, TEXT, AT(tune), 0, 0,
         "the record of timed library plans (beside the trainer)"},
        {"tune-seconds", "N", IN_RUN, REAL, AT(tune_seconds), 0, 1e6,
         "time for that timing, the longest operations first (300); 0: the record as it is"},
        {"no-tune", NULL, IN_RUN, FLAG, AT(no_tune), 0, 0,
         "take the libraries' first choice, without timing"},
        {"deterministic", NULL, IN_RUN, FLAG, AT(deterministic), 0, 0,
         "only plans that give equal bits in every run"},
        {"memory", "MIB", IN_RUN, INTEGER, AT(memory), 1, 1e9,
         "of the GPU for plan and data, the driver's own included"},
        {"no-graph", NULL, IN_RUN, FLAG, AT(no_graph), 0, 0,
         "launch kernel by kernel, not graphs of whole steps"},
        {NULL, NULL, IN_BENCH, FLAG, 0, 0, 0, "Measuring"},
        {"warmup", "N", IN_BENCH, INTEGER, AT(warmup), 0, 1e9, "steps before the first window (10)"},
        {"inference", NULL, IN_BENCH, FLAG, AT(inference), 0, 0,
         "time prediction instead, on samples that stay"},
        {"batch", "N", IN_BENCH, INTEGER, AT(batch), 1, 1e9,
         "samples of a request, with --inference (one compiled batch)"},
        {NULL, NULL, IN_SAMPLE, FLAG, 0, 0, 0, "Writing"},
        {"prompt", "TEXT", IN_SAMPLE, TEXT, AT(prompt), 0, 0, "what the text begins with"},
        {"tokens", "N", IN_SAMPLE, INTEGER, AT(tokens), 1, 1e9, "how many are written after it (200)"},
        {"temperature", "T", IN_SAMPLE, REAL, AT(temperature), 0, 1e6,
         "scores are divided by it (1); 0: always the likeliest"},
        {"top-k", "K", IN_SAMPLE, INTEGER, AT(top_k), 1, 1e9, "only the K likeliest are drawn from"},
        {NULL, NULL, IN_ANY, FLAG, 0, 0, 0, "Output"},
        {"out", "FILE", IN_PREDICT, TEXT, AT(out), 0, 0,
         "the predictions, as .csv, .jsonl or .npy; without it a table is printed"},
        {"top", "K", IN_PREDICT, INTEGER, AT(top), 1, 65536,
         "the K most probable classes of each sample (1; of the table 3)"},
        {"out", "FILE", IN_EXPORT, TEXT, AT(out), 0, 0, "the network in another format"},
        {"format", "auto|safetensors|onnx", IN_EXPORT, WORD, AT(format), 0, 0,
         "weights alone, or the graph with them; auto: as the suffix of --out says"},
        {"layout", "nnc|torch", IN_EXPORT, WORD, AT(layout), 0, 0, "the order of elements in safetensors"},
        {"names", "torchvision|TABLE", IN_EXPORT, TEXT, AT(names), 0, 0,
         "the names of tensors in safetensors"},
        {"confusion", "FILE", IN_EVAL, TEXT, AT(confusion), 0, 0,
         "which class was taken for which, as .txt, .csv or .svg"},
        {"net", NULL, IN_INFO, FLAG, AT(net), 0, 0,
         "print the .net files of the checkpoint, and nothing else"},
        {"json", "FILE", IN_PROFILE, TEXT, AT(json), 0, 0, "the profile as JSON, too"},
        {"trace", "FILE", IN_PROFILE, TEXT, AT(trace), 0, 0,
         "what ran when, for chrome://tracing or ui.perfetto.dev"},
        {"out", "FILE.svg", IN_FIND, TEXT, AT(out), 0, 0, "the loss over the rate"},
        {"out", "FILE.svg", IN_RUNS, TEXT, AT(out), 0, 0, "the curves of all, one over the other"},
        {"run", "NAME", IN_TRAIN, TEXT, AT(run), 0, 0,
         "all that the training leaves in a new folder, runs/NAME-N"},
        {"log", "FILE.jsonl", IN_TRAIN, TEXT, AT(log), 0, 0, "one line of JSON per epoch; -: to stdout"},
        {"log-every", "N", IN_TRAIN, INTEGER, AT(log_every), 1, 1e15, "and one per N steps"},
        {"log-norms", NULL, IN_TRAIN, FLAG, AT(log_norms), 0, 0,
         "and in each line the norm of all parameters"},
        {"dump", "FILE", IN_TRAIN, TEXT, AT(dump), 0, 0,
         "write step 1's inputs, outputs and gradients there"},
        {"progress", "auto|plain|none", IN_RUN, WORD, AT(progress), 0, 0, "how progress is shown on stderr"},
        {"quiet", NULL, IN_ANY, FLAG, AT(quiet), 0, 0, "errors and warnings only"},
        {"print-model", NULL, IN_ALL, FLAG, AT(print_model), 0, 0,
         "tables of inputs, weights, outputs and memory"},
        {"help", NULL, IN_ANY, FLAG, AT(help), 0, 0, "this text"},
        {"version", NULL, IN_ANY, FLAG, AT(version), 0, 0, "versions of model and compiler"},
        {"manual", MANUAL_FORMS, IN_TRAIN, WORD, AT(manual), 0, 0,
         "the man page, or what a shell completes: source <(EXE --manual bash)"},
};

enum { ROWS = sizeof rows / sizeof *rows };

/* By Command: the name, what follows the program's in a line of usage, what is done, and whether it takes files. */
static const struct {
	const char *name, *usage, *doc;
	bool files;
} commands[] = {
        {"train", "[--data DATA] [OPTION]...", "train the network: what is done where no command is named",
         false},
        {"eval", "eval [--checkpoint FILE] [OPTION]...",
         "loss and metrics of weights over samples, and each class's accuracy", false},
        {"predict", "predict --checkpoint FILE [--out FILE] [OPTION]... PICTURE|FOLDER...",
         "what the network says of samples", true},
        {"bench", "bench [--inference [--batch N]] [OPTION]...", "measure speed", false},
        {"profile", "profile [--steps N] [--json FILE] [--trace FILE] [OPTION]...",
         "where the time of a step goes, by lines of the network", false},
        {"find-rate", "find-rate [--data DATA] [--steps N] [--out FILE.svg] [OPTION]...",
         "try rising learning rates, and suggest one", false},
        {"sample", "sample --checkpoint FILE [--prompt TEXT] [--tokens N] [OPTION]...",
         "write text, of a model of a text", false},
        {"export", "export --checkpoint FILE [--format auto|safetensors|onnx] --out FILE [OPTION]...",
         "weights or the whole network for other programs", false},
        {"runs", "runs [DIR] [--out FILE.svg]", "compare the trainings of --run", true},
        {"info", "info --checkpoint FILE [--net]",
         "what a checkpoint says of itself: network, training, data, metrics", false},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static const Row *find_row(const char *name, int length, Command command)
{
	for (int i = 0; i < ROWS; i++)
		if (rows[i].name && rows[i].where & 1 << command && (int)strlen(rows[i].name) == length &&
		    memcmp(rows[i].name, name, (size_t)length) == 0)
			return &rows[i];
	return NULL;
}

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
        {"batch batch-size batchsize bs", NULL,
         "training has the batch that it was compiled for: nnc --set batch=N"},
        {"num-epochs max-epochs n-epochs", "epochs", NULL},
        {"iterations iters max-steps num-steps max-iters", "steps", NULL},
        {"gpu gpus cuda cpu no-cuda device accelerator target", NULL,
         "the device is chosen when a trainer is compiled: nnc --target=cuda, or cpu"},
        {"precision dtype fp16 bf16 fp32 tf32 half amp mixed-precision", NULL,
         "the precision is compiled in: nnc --precision=bf16"},
        {"optimizer optim", NULL, "the optimizer is the recipe's: optimizer adam(rate = 0.001)"},
        {"momentum nesterov", NULL, "it is the recipe's: optimizer sgd(momentum = 0.9, nesterov = true)"},
        {"weight-decay wd", NULL, "it is the recipe's: optimizer adamw(decay = 0.01)"},
        {"scheduler schedule lr-scheduler warmup warmup-steps warmup-epochs", NULL,
         "the schedule is the recipe's: rate 0.1 warmup 5ep cosine"},
        {"clip grad-clip clip-grad max-grad-norm", NULL, "it is the recipe's: clip 1.0"},
        {"chunk accumulate gradient-accumulation-steps", NULL, "it is the recipe's: chunk 128"},
        {"set model recipe", NULL, "it is an option of nnc, which compiled this trainer"},
        {"num-workers data-workers loaders prefetch", "workers", NULL},
        {"num-threads jobs", "threads", NULL},
        {"data-dir data-path dataset train-data root", "data", NULL},
        {"val-data test-data valid-data", "eval-data", NULL},
        {"val-split validation-split test-split", "holdout", NULL},
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

/* Whether `word`, whose `_` count as `-`, is among `words`. */
static bool is_among(const char *word, const char *words)
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

/* NULL: nothing is known of `word`. */
static const char *help_with_habit(const char *word, Command command)
{
	for (int i = 0; i < ROWS; i++) { /* of another command */
		if (!rows[i].name || strcmp(rows[i].name, word) != 0)
			continue;
		for (int c = COMMAND_TRAIN; c < COMMANDS; c++)
			if (rows[i].where & 1 << c)
				return c == COMMAND_TRAIN
				               ? "it is for training"
				               : text_printf("it is an option of `%s`", commands[c].name);
	}
	for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
		const char *ours = habits[i].ours;
		if (is_among(word, habits[i].theirs) && (!ours || find_row(ours, (int)strlen(ours), command)))
			return habits[i].help ? habits[i].help
			                      : text_printf("it is called `--%s` here", ours);
	}
	return NULL;
}

static _Noreturn void unknown_option(const char *name, int length, Command command)
{
	char word[40];
	snprintf(word, sizeof word, "%.*s", length, name);
	const char *of = command == COMMAND_TRAIN ? "" : text_printf(" of `%s`", commands[command].name);
	const char *help = help_with_habit(word, command);
	if (help)
		die_help(STATUS_USAGE, help, "there is no option `--%.*s`%s", length, name, of);
	const char *names[ROWS], *near;
	int count = 0;
	for (int i = 0; i < ROWS; i++)
		if (rows[i].name && rows[i].where & 1 << command)
			names[count++] = rows[i].name;
	if ((near = nearest_word(word, names, count)))
		help = text_printf("did you mean `--%s`?", near);
	else
		help = text_printf("`%s --help` lists the options", program_name());
	die_help(STATUS_USAGE, help, "there is no option `--%.*s`%s", length, name, of);
}

static const char *parse_number(const Row *row, const char *text, double *value)
{
	char *end;
	errno = 0;
	*value = strtod(text, &end);
	if (end == text || errno == ERANGE || !isfinite(*value) ||
	    text[strspn(text, "0123456789+-.eE")] == 'x')
		die(STATUS_USAGE, "`--%s` wants a number (%s), not `%s`", row->name, row->argument, text);
	if (*value < row->least || *value > row->most)
		die(STATUS_USAGE, "`--%s %s` is out of range: it goes from %.15g to %.15g", row->name, text,
		    row->least, row->most);
	return end;
}

static int parse_word(const Row *row, const char *text)
{
	size_t length = strlen(text);
	int index = 0;
	for (const char *at = row->argument; at; index++) {
		const char *bar = strchr(at, '|');
		size_t n = bar ? (size_t)(bar - at) : strlen(at);
		if (n == length && memcmp(at, text, n) == 0)
			return index;
		at = bar ? bar + 1 : NULL;
	}
	die(STATUS_USAGE, "`--%s` is one of %s, not `%s`", row->name, row->argument, text);
}

static void set_option(Options *options, const Row *row, const char *text)
{
	void *to = (char *)options + row->at;
	double value = 0;
	const char *end = "";
	if (row->kind == INTEGER || row->kind == REAL || row->kind == INTERVAL)
		end = parse_number(row, text, &value);
	if ((row->kind == INTEGER || row->kind == INTERVAL) && value != floor(value))
		die(STATUS_USAGE, "`--%s` wants a whole number, not `%s`", row->name, text);
	switch (row->kind) {
	case FLAG:
		*(bool *)to = true;
		break;
	case TEXT:
		if (!*text)
			die(STATUS_USAGE, "`--%s` wants a name (%s), not an empty word", row->name,
			    row->argument);
		*(const char **)to = text;
		break;
	case LIST: {
		const char *before = *(const char **)to;
		if (!text[strspn(text, ",")])
			die(STATUS_USAGE, "`--%s` wants patterns of names (%s), as 'conv*'", row->name,
			    row->argument);
		*(const char **)to = before ? text_printf("%s,%s", before, text) : text;
		break;
	}
	case INTEGER:
		*(int64_t *)to = (int64_t)value;
		break;
	case REAL:
		*(double *)to = value;
		break;
	case INTERVAL: {
		bool in_steps = strcmp(end, "it") == 0;
		if (in_steps || strcmp(end, "ep") == 0)
			end = "";
		*(Interval *)to = (Interval){value, in_steps};
		break;
	}
	case WORD:
		*(int *)to = parse_word(row, text);
		break;
	case SWITCH: /* "auto" of "[=auto]" */
		if (*text && (strlen(text) + 3 != strlen(row->argument) ||
		              strncmp(text, row->argument + 2, strlen(text)) != 0))
			die(STATUS_USAGE, "`--%s%s` is all that there is, not `%s`", row->name, row->argument,
			    text);
		*(int *)to = *text ? 2 : 1;
		break;
	}
	if (*end)
		die(STATUS_USAGE, "`--%s` wants a number (%s), not `%s`", row->name, row->argument, text);
}

bool has_suffix(const char *path, const char *suffix)
{
	const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path;
	size_t length = name ? strlen(name) : 0, n = strlen(suffix);
	return length > n && strcmp(name + length - n, suffix) == 0;
}

static void check_suffix(const char *option, const char *path, const char *const *suffixes)
{
	int i = 0;
	while (path && suffixes[i] && !has_suffix(path, suffixes[i]))
		i++;
	if (path && !suffixes[i])
		die(STATUS_USAGE, "`--%s` names a %s, %s or %s file, as `%s%s`", option, suffixes[0],
		    suffixes[1], suffixes[2], path, suffixes[0]);
}

static void check_predict(const Options *o, const NnrModel *m)
{
	bool per_sample = m->predict.output_count > 0;
	for (int i = 0; i < m->predict.output_count; i++) {
		const NnrOutput *p = &m->predict.outputs[i];
		per_sample = per_sample && p->kind == NNR_VALUE && p->rank >= 1 && p->dim[0] == m->batch;
	}
	if (!per_sample)
		die_help(STATUS_USAGE, text_printf("give %s an `output`", m->source),
		         "the model `%s` predicts nothing for each sample", m->name);
	if (!o->checkpoint && !o->init)
		die_help(STATUS_USAGE, "a training with `--checkpoint FILE` leaves some",
		         "`predict` needs weights: `--checkpoint FILE`, or `--init FILE`");
	check_suffix("out", o->out, (const char *const[]){".npy", ".csv", ".jsonl", NULL});
	if (o->top > 0 && !m->scored.output)
		die(STATUS_USAGE, "`--top` is for networks that choose among classes by `cross_entropy`");
	if (o->top > 0 && has_suffix(o->out, ".npy"))
		die(STATUS_USAGE,
		    "`--top` is for the table, .csv and .jsonl: a .npy has the scores of all classes");
	if (o->data && o->input_count)
		die(STATUS_USAGE, "`--data %s` and `%s` both say what to predict for: give one of them",
		    o->data, o->inputs[0]);
}

/* What `--out` is: of another suffix than these two `--format` must say it. */
static void choose_format(Options *o)
{
	bool onnx = has_suffix(o->out, ".onnx"),
	     safetensors = has_suffix(o->out, ".safetensors") || has_suffix(o->out, ".st");
	if (o->format == EXPORT_BY_SUFFIX && !onnx && !safetensors)
		die(STATUS_USAGE,
		    "what is `%s` to be? its name ends in .safetensors or .onnx, or `--format` says it",
		    o->out);
	if (o->format == EXPORT_BY_SUFFIX)
		o->format = onnx ? EXPORT_ONNX : EXPORT_SAFETENSORS;
	if (o->format == EXPORT_ONNX ? safetensors : onnx)
		die(STATUS_USAGE, "`--format` and the name `%s` say different things", o->out);
}

static void check_export(const Options *o)
{
	if (!o->out)
		die(STATUS_USAGE, "`export` needs `--out FILE`: where the network goes");
	if (!o->checkpoint && !o->init)
		die(STATUS_USAGE, "`export` needs `--checkpoint FILE` or `--init FILE`: the weights");
	if (o->format != EXPORT_SAFETENSORS && (o->names || o->layout != LAYOUT_NNC))
		die(STATUS_USAGE,
		    "`--names` and `--layout` are for `--format safetensors`: the other says by itself "
		    "what is where");
}

static void check_eval(const Options *o, const NnrModel *m)
{
	check_suffix("confusion", o->confusion, (const char *const[]){".txt", ".csv", ".svg", NULL});
	if (o->confusion && (!m->scored.output || !m->scored.target))
		die(STATUS_USAGE,
		    "`--confusion` is for networks that `cross_entropy` compares with one class of a sample");
}

static void check(const Options *o, const NnrModel *model)
{
	bool saves = o->checkpoint || o->run;
	if (o->command == COMMAND_INFO && !o->checkpoint && !o->print_model)
		die(STATUS_USAGE, "`info` needs `--checkpoint FILE`: a checkpoint, or any safetensors file");
	const struct {
		bool given;
		const char *name;
	} of_cuda[] = {
	        {o->no_graph, "no-graph"}, {o->memory > 0, "memory"}, {o->deterministic, "deterministic"},
	        {o->no_tune, "no-tune"},   {o->tune, "tune"},         {o->tune_seconds >= 0, "tune-seconds"}};
	for (size_t i = 0; i < sizeof of_cuda / sizeof *of_cuda; i++)
		if (of_cuda[i].given && !model->backend)
			die(STATUS_USAGE, "`--%s` is for CUDA; this trainer was compiled for the CPU",
			    of_cuda[i].name);
	if (o->no_tune && o->tune_seconds >= 0)
		die(STATUS_USAGE,
		    "`--no-tune` leaves no tuning to give `--tune-seconds` to: give one of them");
	if (o->stream && o->inference)
		die(STATUS_USAGE, "`--stream` is for training: `bench --inference` has samples that stay");
	if (o->stream && o->resident)
		die(STATUS_USAGE,
		    "`--stream` and `--resident` both say where the samples are kept: give one of them");
	if (o->stream && model->backend && model->chunks > 1)
		die_help(STATUS_USAGE, "leave out `--stream`, or compile with `nnc --set chunk=none`",
		         "`--stream` does not go with `chunk`: a batch computed in chunks is gathered from "
		         "data on the GPU");
	if (o->overfit_batch && o->eval_data)
		die(STATUS_USAGE,
		    "`--overfit-batch` evaluates on its batch, not on `--eval-data`: give one of "
		    "them");
	if (o->epochs > 0 && o->steps > 0)
		die(STATUS_USAGE, "`--epochs` and `--steps` both say how long to train: give one of them");
	if (o->resume && !saves)
		die(STATUS_USAGE,
		    "`--resume` needs `--checkpoint FILE`, the file to go on from, or `--run NAME`");
	if (o->resume && o->init)
		die(STATUS_USAGE,
		    "`--resume` and `--init` both say where the weights come from: give one of them");
	if (o->init_map && !o->init)
		die(STATUS_USAGE, "`--init-map` needs `--init FILE`: the file whose names it maps");
	if (o->init_skip && !o->init)
		die(STATUS_USAGE, "`--init-skip` needs `--init FILE`: the file that it leaves tensors of");
	if (o->checkpoint_every.amount > 0 && !saves)
		die(STATUS_USAGE, "`--checkpoint-every` needs `--checkpoint FILE`");
	if (o->keep > 0 && !saves)
		die(STATUS_USAGE, "`--keep` needs `--checkpoint FILE`: whose generations are kept");
	if (o->on_nan == ON_NAN_ROLLBACK && !saves)
		die(STATUS_USAGE, "`--on-nan rollback` needs `--checkpoint FILE`: what it goes back to");
	const struct {
		bool given;
		const char *name;
	} of_evaluation[] = {{o->best, "best"},
	                     {o->monitor, "monitor"},
	                     {o->early_stop > 0, "early-stop"},
	                     {o->eval_every.amount > 0, "eval-every"}};
	for (size_t i = 0; i < sizeof of_evaluation / sizeof *of_evaluation; i++)
		if (of_evaluation[i].given && o->no_eval)
			die(STATUS_USAGE,
			    "`--%s` goes by evaluations, and `--no-eval` leaves none: give one of them",
			    of_evaluation[i].name);
	if (o->log_every && !o->log && !o->run)
		die(STATUS_USAGE, "`--log-every` needs `--log FILE.jsonl`");
	if (o->log_norms && !o->log && !o->run)
		die(STATUS_USAGE, "`--log-norms` needs `--log FILE.jsonl`, or `--run NAME`");
	if (takes_weights(o) && o->init && o->checkpoint)
		die(STATUS_USAGE, "`%s` takes the weights of one file: give `--init` or `--checkpoint`",
		    commands[o->command].name);
	if (o->command == COMMAND_EXPORT && !o->print_model)
		check_export(o);
	if (o->command == COMMAND_PREDICT && !o->print_model)
		check_predict(o, model);
	if (o->command == COMMAND_EVAL)
		check_eval(o, model);
	if (o->command == COMMAND_RUNS && o->out && !has_suffix(o->out, ".svg"))
		die(STATUS_USAGE, "`--out` names an .svg file, as `%s.svg`", o->out);
	if (o->dump && model->chunks > 1)
		die_help(STATUS_USAGE, "`nnc --set chunk=none` compiles a trainer that takes it whole",
		         "`--dump` shows a whole batch, and this trainer takes it in %lld chunks",
		         (long long)model->chunks);
	if (o->batch > 0 && !o->inference)
		die_help(STATUS_USAGE, "`nnc --set batch=N` compiles a trainer for another batch",
		         "`--batch` is for `bench --inference`: training has the batch that it was compiled "
		         "for");
}

/* The words behind the trainer's name, as a shell would take them. */
static char *command_line(int argc, char **argv)
{
	char *line = text_printf("%s", "");
	for (int i = 1; i < argc; i++) {
		bool plain = argv[i][0] &&
		             !argv[i][strspn(argv[i], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		                                      "0123456789-_=./,:+@%")];
		char *more = text_printf(plain ? "%s%s%s" : "%s%s'%s'", line, i > 1 ? " " : "", argv[i]);
		free(line);
		line = more;
	}
	return line;
}

/* An option of whichever command, as it stands on the line: "--name", "--name=VALUE"; NULL: there is none. */
static const Row *find_anywhere(const char *word)
{
	int length = (int)strcspn(word + 2, "=");
	const Row *row = NULL;
	for (int c = 0; c < COMMANDS && !row && strncmp(word, "--", 2) == 0; c++)
		row = find_row(word + 2, length, (Command)c);
	return row;
}

static _Noreturn void unknown_command(const char *word)
{
	const char *names[COMMANDS];
	for (int c = 0; c < COMMANDS; c++)
		names[c] = commands[c].name;
	const char *near = nearest_word(word, names, COMMANDS);
	die_help(STATUS_USAGE,
	         near ? text_printf("did you mean `%s`?", near)
	              : "give the data as `--data DATA`; the commands are `train` (the default), `eval`, "
	                "`predict`, `bench`, `profile`, `find-rate`, `sample`, `export`, `runs` and `info`",
	         "`%s` is no command of this trainer", word);
}

/* The place of the first word that belongs to no option, which is the command wherever it stands; 0: there is none, or
 * an option before it that is a mistake. */
static int find_command(Options *o, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const Row *row = argv[i][0] == '-' ? find_anywhere(argv[i]) : NULL;
		if (argv[i][0] == '-' && !row && strcmp(argv[i], "-h") != 0)
			return 0;
		if (argv[i][0] == '-') {
			i += row && row->argument && row->kind != SWITCH && !strchr(argv[i], '=');
			continue;
		}
		int command = 0;
		while (command < COMMANDS && strcmp(argv[i], commands[command].name) != 0)
			command++;
		if (command == COMMANDS)
			unknown_command(argv[i]);
		o->command = (Command)command;
		return i;
	}
	return 0;
}

/* What is learned follows from the network and these. */
static const char decides[] =
        "data eval-data holdout no-shuffle no-augment follow-links epochs steps rate seed init "
        "init-skip init-map freeze overfit-batch";

/* Adds it to o->decisions, "[]" or longer. */
static void note_decision(Options *o, const Row *row, const char *text)
{
	if (!is_among(row->name, decides))
		return;
	char *before = o->decisions, *name = text_printf("--%s", row->name), *word = json_quoted(name),
	     *value = json_quoted(text);
	o->decisions =
	        text_printf("%.*s%s%s%s%s]", (int)strlen(before) - 1, before, before[1] == ']' ? "" : ",",
	                    word, row->argument ? "," : "", row->argument ? value : "");
	free(before);
	free(name);
	free(word);
	free(value);
}

void options_parse(Options *o, const NnrModel *model, int argc, char **argv)
{
	*o = (Options){.seed = -1,
	               .tune_seconds = -1,
	               .holdout = -1,
	               .warmup = 10,
	               .tokens = 200,
	               .temperature = 1,
	               .workers = -1,
	               .manual = -1};
	o->arguments = command_line(argc, argv);
	o->decisions = text_printf("[]");
	int command = find_command(o, argc, argv);
	const char **inputs = allocate(argc, sizeof *inputs, "the command line");
	o->inputs = inputs;
	bool options_end = false; /* by --, after which a name may begin with a dash */
	for (int i = 1; i < argc; i++) {
		const char *word = strcmp(argv[i], "-h") == 0 ? "--help" : argv[i];
		bool dashes = strcmp(word, "--") == 0,
		     names_files = o->command == COMMAND_PREDICT || o->command == COMMAND_RUNS;
		if (i == command)
			continue;
		if (names_files && (options_end || dashes || word[0] != '-')) {
			if (options_end || !dashes)
				inputs[o->input_count++] = word;
			options_end = options_end || dashes;
			continue;
		}
		if (strncmp(word, "--", 2) != 0 || !word[2])
			die_help(STATUS_USAGE,
			         "options begin with `--`, as `--help`; give the data as `--data DATA`",
			         "`%s` is not an option", word);
		const char *name = word + 2, *equals = strchr(name, '=');
		int length = equals ? (int)(equals - name) : (int)strlen(name);
		const Row *row = find_row(name, length, o->command);
		if (!row)
			unknown_option(name, length, o->command);
		bool takes = row->argument && row->kind != SWITCH;
		if (!row->argument && equals)
			die(STATUS_USAGE, "`--%s` takes no argument", row->name);
		if (takes && !equals && i + 1 == argc)
			die(STATUS_USAGE, "`--%s` needs its argument: --%s %s", row->name, row->name,
			    row->argument);
		const char *text = equals ? equals + 1 : takes ? argv[++i] : "";
		set_option(o, row, text);
		note_decision(o, row, text);
	}
	if (o->help || o->version || o->manual >= 0)
		return;
	o->no_augment = o->no_augment || o->overfit_batch;
	if (o->command == COMMAND_EXPORT && o->out)
		choose_format(o);
	check(o, model);
}

static const char signals[] = "SIGUSR1 saves the checkpoint, and the training goes on";

static const char *exit_statuses(void)
{
	static const char *text;
	if (!text)
		text = text_printf(
		        "%d done, %d wrong use, %d data or checkpoint, %d memory, %d diverged, %d no GPU,\n"
		        "             129, 130 and 143 interrupted with the checkpoint saved, %d a mistake "
		        "of "
		        "nnc",
		        STATUS_OK, STATUS_USAGE, STATUS_DATA, STATUS_MEMORY, STATUS_DIVERGED, STATUS_DEVICE,
		        STATUS_INTERNAL);
	return text;
}

void options_help(const NnrModel *model)
{
	printf("%s: trains the network `%s` of %s (compiled by nnc %s)\n\n", program_name(), model->name,
	       model->source, model->version);
	for (int c = 0; c < COMMANDS; c++)
		printf("%s %s %s\n", c ? "      " : "usage:", program_name(), commands[c].usage);
	printf("\nrecipe: %s\n", model->recipe);
	bool refused = false;
	for (int i = 0; i < ROWS; i++) {
		const Row *row = &rows[i];
		if (!row->name)
			refused = row->help == cuda_heading && !model->backend;
		if (refused)
			continue;
		if (!row->name) {
			printf("\n%s\n", row->help);
			continue;
		}
		char left[64];
		snprintf(left, sizeof left, "--%s%s%s", row->name,
		         row->argument && row->kind != SWITCH ? " " : "", row->argument ? row->argument : "");
		printf("  %-29s %s", left, row->help);
		const char *before = " [";
		bool everywhere = (row->where & IN_RUN) == IN_RUN;
		for (int c = 0; c < COMMANDS && !everywhere; c++)
			if (row->where & 1 << c) {
				printf("%s%s", before, commands[c].name);
				before = ", ";
			}
		const char *but =
		        row->where & IN_EXPORT ? " [all but runs, info]" : " [all but export, runs, info]";
		printf("%s\n", !everywhere ? "]" : row->where & IN_RUNS ? "" : but);
	}
	printf("\nexit status: %s\n%s\n", exit_statuses(), signals);
}

void options_manual(const NnrModel *model, int form)
{
	static const char *const forms[] = {"man", "bash", "zsh", "fish"};
	ManualCommand all[COMMANDS];
	for (int c = 0; c < COMMANDS; c++)
		all[c] = (ManualCommand){commands[c].name, commands[c].usage, commands[c].doc, NULL,
		                         commands[c].files ? "" : NULL};
	static ManualOption options[ROWS]; /* whose texts last as long as the process, which ends soon */
	int count = 0;
	bool refused = false;
	for (int i = 0; i < ROWS; i++) {
		const Row *row = &rows[i];
		if (!row->name)
			refused = row->help == cuda_heading && !model->backend;
		if (refused)
			continue;
		options[count++] = (ManualOption){
		        .name = row->name ? text_printf("--%s", row->name) : NULL,
		        .value = row->argument
		                         ? text_printf(row->kind == SWITCH ? "%s" : " %s", row->argument)
		                         : "",
		        .commands = (unsigned)row->where,
		        .doc = row->help,
		};
	}
	const ManualSection sections[] = {
	        {"EXIT STATUS", exit_statuses()}, {"SIGNALS", signals}, {"SEE ALSO", "nnc(1)"}};
	manual_print(&(Manual){.program = program_name(),
	                       .title = "nnc-trainer",
	                       .summary = "a trainer of a neural network, as nnc makes it",
	                       .description =
	                               "What nnc makes of a FILE.net: one executable file that trains the "
	                               "network, evaluates it, predicts with it, and measures itself.",
	                       .version = model->version,
	                       .commands = all,
	                       .command_count = COMMANDS,
	                       .options = options,
	                       .option_count = count,
	                       .sections = sections,
	                       .section_count = sizeof sections / sizeof *sections},
	             forms[form]);
}
