/* SPDX-License-Identifier: MIT */
/* Which options do not go together, or not with the model: each mistake with a sentence of its own. */
#include "base/nearest.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/host/options_table.h"
#include "runtime/data/split.h"
#include "runtime/session/predictions.h"
#include "runtime/train/rescue.h"
#include "runtime/session/scored.h"

#include <stdlib.h>
#include <string.h>

bool has_suffix(const char *path, const char *suffix)
{
	const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path;
	size_t length = name ? strlen(name) : 0, n = strlen(suffix);
	return length > n && strcmp(name + length - n, suffix) == 0;
}

bool names_folder(const char *path)
{
	size_t length = path ? strlen(path) : 0;
	return length > 1 && path[length - 1] == '/';
}

/* `also`: what else the option takes, or "". */
static void check_suffix(const char *option, const char *path, const char *const *suffixes, const char *also)
{
	char list[64] = "";
	for (int i = 0; suffixes[i]; i++) {
		if (!path || has_suffix(path, suffixes[i]))
			return;
		size_t length = strlen(list);
		snprintf(list + length, sizeof list - length, "%s%s",
		         i == 0            ? ""
		         : suffixes[i + 1] ? ", "
		                           : " or ",
		         suffixes[i]);
	}
	die(STATUS_USAGE, "`--%s` names a %s file%s, as `%s%s`", option, list, also, path, suffixes[0]);
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
	bool folder = names_folder(o->out), pictures = folder || has_suffix(o->out, ".png");
	if (!folder)
		check_suffix("out", o->out, (const char *const[]){".npy", ".csv", ".jsonl", ".png", NULL},
		             picture_output(m) < 0 ? "" : ", or ends in / for a folder of pictures");
	if (pictures && picture_output(m) < 0)
		die(STATUS_USAGE,
		    "pictures are for an `output` of [height, width, 1 or 3], or of scores of the classes of "
		    "pixels, "
		    "which the model `%s` has not",
		    m->name);
	if (o->top > 0 && !m->scored.output)
		die(STATUS_USAGE, "`--top` is for networks that choose among classes by `cross_entropy`");
	if (o->top > 0 && scored_places(m) > 1)
		die(STATUS_USAGE, "`--top` is for one class a sample, and the model `%s` has one for each %s",
		    m->name, scored_unit(m));
	if (o->top > 0 && (has_suffix(o->out, ".npy") || pictures))
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

/* The folder is looked at before the data is; a page, by who knows the program (profile_explore.c). */
static void check_into(const Options *o)
{
	if (!o->into || (path_exists(o->into) && !path_is_folder(o->into)))
		return;
	char *log = path_join(o->into, "log.jsonl");
	if (!path_exists(log))
		die_help(STATUS_USAGE, "`--run NAME` makes such folders while it trains",
		         "`--into %s` names no page and no folder of a run: there is no `%s`", o->into, log);
	free(log);
}

static void check_eval(const Options *o, const NnrModel *m)
{
	check_suffix("confusion", o->confusion, (const char *const[]){".txt", ".csv", ".svg", NULL}, "");
	check_suffix("mistakes", o->mistakes, (const char *const[]){".csv", NULL}, "");
	if ((o->confusion || o->mistakes) && (!m->scored.output || !m->scored.target))
		die(STATUS_USAGE, "`--confusion` and `--mistakes` are for networks that `cross_entropy` "
		                  "compares with a class");
	if (o->mistakes && scored_places(m) > 1)
		die(STATUS_USAGE,
		    "`--mistakes` is for one class a sample, and the model `%s` has one for each %s", m->name,
		    scored_unit(m));
}

/* A score of the model, as train.c has it, and min or max where the word goes on. */
static void check_monitor(const Options *o, const NnrModel *m)
{
	if (!o->monitor || o->command != COMMAND_TRAIN)
		return;
	const char *names[1 + MAX_METRICS] = {"loss"};
	int count = 1, length = (int)strcspn(o->monitor, ":");
	const char *rest = o->monitor + length;
	char *word = text_printf("%.*s", length, o->monitor), *list = text_printf("loss");
	bool is_one = strcmp(word, "loss") == 0;
	for (int i = 0; i < m->train.output_count; i++) {
		if (m->train.outputs[i].kind != NNR_METRIC)
			continue;
		const char *name = names[count++] = m->train.outputs[i].name;
		text_append(&list, ", %s", name);
		is_one = is_one || strcmp(word, name) == 0;
	}
	for (int i = 0; i < m->measure_count; i++) {
		const char *name = names[count++] = m->measures[i].name;
		text_append(&list, ", %s", name);
		is_one = is_one || strcmp(word, name) == 0;
	}
	const char *meant = strncmp(word, "eval_", 5) == 0 ? word + 5 : word, /* as the log has it */
	        *near = nearest_word(meant, names, count);
	if (!is_one)
		die_help(STATUS_USAGE,
		         near ? text_printf("did you mean `%s`?", near)
		              : "a `metric` of the model is a score of that name",
		         "`--monitor %s` names no score of this model: it has %s", o->monitor, list);
	if (*rest && strcmp(rest, ":min") != 0 && strcmp(rest, ":max") != 0)
		die(STATUS_USAGE, "`--monitor %s`: after the colon stands `min` or `max`", o->monitor);
	free(list);
	free(word);
}

/* Options that contradict or miss one another, of which the first on this list is told. */
static void check_together(const Options *o, const NnrModel *model)
{
	bool cpu = !model->backend, saves = o->checkpoint || o->run, logs = o->log || o->run;
#define FOR_CUDA(name)       "`--" name "` is for CUDA; this trainer was compiled for the CPU"
#define OF_EVALUATIONS(name) "`--" name "` goes by evaluations, and `--no-eval` leaves none: give one of them"
	const struct {
		bool wrong;
		const char *sentence, *help; /* help NULL: none */
	} mistakes[] = {
	        {cpu && o->no_graph, FOR_CUDA("no-graph"), NULL},
	        {cpu && o->memory > 0, FOR_CUDA("memory"), NULL},
	        {cpu && o->deterministic, FOR_CUDA("deterministic"), NULL},
	        {cpu && o->no_tune, FOR_CUDA("no-tune"), NULL},
	        {cpu && o->tune, FOR_CUDA("tune"), NULL},
	        {cpu && o->gpus > 0, FOR_CUDA("gpus"),
	         "`mpirun -n 2 EXE ...` starts ranks on the CPU; `nnc --target=cuda` makes a trainer for "
	         "GPUs"},
	        {cpu && o->tune_seconds >= 0, FOR_CUDA("tune-seconds"), NULL},
	        {o->no_tune && o->tune_seconds >= 0,
	         "`--no-tune` leaves no tuning to give `--tune-seconds` to: give one of them", NULL},
	        {cpu && o->tune_when != TUNE_AUTO, FOR_CUDA("tune-when"), NULL},
	        {o->no_tune && o->tune_when != TUNE_AUTO,
	         "`--no-tune` leaves no tuning to do before or beside the training: leave out `--tune-when`",
	         NULL},
	        {o->deterministic && o->tune_when == TUNE_BESIDE,
	         "`--tune-when beside` changes plans, and so rounding, amid a training that "
	         "`--deterministic` wants the same bits of in every run: give one of them",
	         NULL},
	        {o->stream && o->inference,
	         "`--stream` is for training: `bench --inference` has samples that stay", NULL},
	        {o->stream && o->resident,
	         "`--stream` and `--resident` both say where the samples are kept: give one of them", NULL},
	        {o->stream && !cpu && model->chunks > 1,
	         "`--stream` does not go with `chunk`: a batch computed in chunks is gathered from data on "
	         "the GPU",
	         "leave out `--stream`, or compile with `nnc --set chunk=none`"},
	        {o->overfit_batch && o->eval_data,
	         "`--overfit-batch` evaluates on its batch, not on `--eval-data`: give one of them", NULL},
	        {o->epochs > 0 && o->steps > 0,
	         "`--epochs` and `--steps` both say how long to train: give one of them", NULL},
	        {o->resume && !saves,
	         "`--resume` needs `--checkpoint FILE`, the file to go on from, or `--run NAME`", NULL},
	        {o->resume && o->init,
	         "`--resume` and `--init` both say where the weights come from: give one of them", NULL},
	        {o->init_map && !o->init, "`--init-map` needs `--init FILE`: the file whose names it maps",
	         NULL},
	        {o->init_skip && !o->init,
	         "`--init-skip` needs `--init FILE`: the file that it leaves tensors of", NULL},
	        {o->checkpoint_every.amount > 0 && !saves, "`--checkpoint-every` needs `--checkpoint FILE`",
	         NULL},
	        {o->keep > 0 && !saves, "`--keep` needs `--checkpoint FILE`: whose generations are kept",
	         NULL},
	        {o->on_nan == ON_NAN_ROLLBACK && !saves,
	         "`--on-nan rollback` needs `--checkpoint FILE`: what it goes back to", NULL},
	        {o->no_eval && o->best, OF_EVALUATIONS("best"), NULL},
	        {o->no_eval && o->monitor, OF_EVALUATIONS("monitor"), NULL},
	        {o->no_eval && o->early_stop > 0, OF_EVALUATIONS("early-stop"), NULL},
	        {o->no_eval && o->eval_every.amount > 0, OF_EVALUATIONS("eval-every"), NULL},
	        {o->log_every && !logs, "`--log-every` needs `--log FILE.jsonl`", NULL},
	        {o->log_norms && !logs, "`--log-norms` needs `--log FILE.jsonl`, or `--run NAME`", NULL},
	};
	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
		if (mistakes[i].wrong && mistakes[i].help)
			die_help(STATUS_USAGE, mistakes[i].help, "%s", mistakes[i].sentence);
		else if (mistakes[i].wrong)
			die(STATUS_USAGE, "%s", mistakes[i].sentence);
}

static void check_split(const Options *o, const NnrModel *model)
{
	NnrSplit split = model->split;
	if (o->holdout && !split_parse(o->holdout, &split))
		die(STATUS_USAGE,
		    "`--holdout` takes a share from 0 to 0.9, as 0.2, `stratified`, `group=COLUMN` or "
		    "`time=COLUMN`, "
		    "these also after a share and a comma, or `column=COLUMN`, not `%s`",
		    o->holdout);
	if (o->fold > o->folds)
		die(STATUS_USAGE, "`--fold %lld` is one of `--folds K`, from 1 to K", (long long)o->fold);
	if (o->folds == 0)
		return;
	if (split.by == NNR_SPLIT_COLUMN)
		die(STATUS_USAGE, "`--folds` chooses what is held out, and so does the column `%s`",
		    split.column);
	if (o->eval_data)
		die(STATUS_USAGE, "`--eval-data` names what is held out, and `--folds` wants to choose it");
	if (o->command == COMMAND_EVAL && o->fold == 0)
		die(STATUS_USAGE, "weights are of one fold: `--fold I` says which");
	if (o->no_eval)
		die(STATUS_USAGE, "`--folds` compares what was held out, and `--no-eval` evaluates nothing");
	if (o->command == COMMAND_TRAIN && o->fold == 0 &&
	    (o->log || o->checkpoint || o->best || o->dump || o->gpus || (o->resume && !o->run)))
		die_help(STATUS_USAGE,
		         "`--run NAME` keeps each fold in a folder of its own; `--fold I` trains one alone",
		         "`--folds` trains %lld times, and `%s` is for one training", (long long)o->folds,
		         o->log          ? "--log"
		         : o->checkpoint ? "--checkpoint"
		         : o->best       ? "--best"
		         : o->dump       ? "--dump"
		         : o->gpus       ? "--gpus"
		                         : "--resume");
}

void options_check(Options *o, const NnrModel *model)
{
	check_split(o, model);
	if (o->command == COMMAND_EXPORT && o->out)
		choose_format(o);
	if (o->command == COMMAND_INFO && !o->checkpoint && !o->print_model)
		die(STATUS_USAGE, "`info` needs `--checkpoint FILE`: a checkpoint, or any safetensors file");
	check_monitor(o, model);
	check_together(o, model);
	if (takes_weights(o) && o->init && o->checkpoint)
		die(STATUS_USAGE, "`%s` takes the weights of one file: give `--init` or `--checkpoint`",
		    command_rows[o->command].name);
	if (o->command == COMMAND_EXPORT && !o->print_model)
		check_export(o);
	if (o->command == COMMAND_PREDICT && !o->print_model)
		check_predict(o, model);
	if (o->command == COMMAND_EVAL)
		check_eval(o, model);
	check_into(o);
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
