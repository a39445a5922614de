/* SPDX-License-Identifier: MIT */
/* The trainer's command line. One table (options_table.h) makes parser and --help; runtime/README.md explains it. */
#ifndef NNR_OPTIONS_H
#define NNR_OPTIONS_H

#include "runtime/nnr.h"

enum { MOST_KEPT = 40 }; /* checkpoints, by --keep */

typedef enum {
	COMMAND_TRAIN,
	COMMAND_EVAL,
	COMMAND_PREDICT,
	COMMAND_BENCH,
	COMMAND_PROFILE,
	COMMAND_FIND_RATE,
	COMMAND_SAMPLE,
	COMMAND_EXPORT,
	COMMAND_RUNS,
	COMMAND_INFO,
	COMMAND_REPORT
} Command;
#define LOG_OUTPUT "-" /* --log: to standard output */
typedef enum {
	TUNE_AUTO,
	TUNE_BEFORE,
	TUNE_BESIDE
} TuneWhen; /* the first step; the training, where it may */

/* Auto: where there is a checkpoint. preflight_resume() makes one of the others of it. */
typedef enum { RESUME_NO, RESUME_YES, RESUME_AUTO } Resume;

typedef enum { EXPORT_BY_SUFFIX, EXPORT_SAFETENSORS, EXPORT_ONNX } ExportFormat;
typedef enum { LAYOUT_NNC, LAYOUT_TORCH } ExportLayout;

typedef enum { NORMS_NO, NORMS_OF_ALL, NORMS_OF_EACH } Norms;

/* A number of epochs or steps: "3", "3ep", "500it". */
typedef struct Interval {
	double amount; /* 0: not given */
	bool in_steps;
} Interval;

typedef struct Options {
	Command command;
	const char *data, *eval_data;
	const char *holdout; /* as it was given; NULL: it was not */
	int64_t folds, fold; /* fold 0: all; folds 0: none */
	double bad_files;    /* fraction */
	double epochs;
	int64_t steps, stop_after;
	int64_t seed;        /* -1: the recipe's */
	double rate;         /* 0: the recipe's */
	double rank_timeout; /* seconds; 0: not given */
	int64_t gpus;        /* 0: not given */
	int64_t threads;     /* 0: not given; in a run the number that it uses */
	const char *log, *checkpoint, *init, *dump;
	const char *init_skip, *freeze; /* patterns of names: patterns.h */
	const char *init_map, *names;   /* names.h; `names`: of export */
	int format, layout;             /* export: ExportFormat, ExportLayout */
	const char *prompt;             /* sample; NULL: none is given */
	int64_t tokens, top_k;          /* top_k 0: all */
	double temperature;
	const char *const *inputs; /* predict: what stands beside the options */
	int input_count;
	const char *out;          /* predict; NULL: a table on stdout */
	int64_t samples;          /* predict: of the data; 0: all */
	int64_t top;              /* predict: classes of a sample; 0: as the form has it */
	const char *confusion;    /* eval */
	const char *mistakes;     /* eval */
	const char *into;         /* profile */
	bool net;                 /* info */
	const char *json, *trace; /* profile */
	int64_t log_every;
	Interval checkpoint_every, eval_every;
	const char *best, *monitor;
	const char *run;          /* --run NAME */
	char *folder;             /* of it; NULL: none */
	bool best_is_implied;     /* by --run: only where there is something to evaluate */
	int64_t early_stop, keep; /* 0: not given */
	int resume;               /* Resume */
	char *decisions;          /* those of its words that decide what is learned; JSON */
	char *arguments;          /* the command line after the trainer's name, for the log */
	int on_nan;               /* OnNan */
	bool no_shuffle, no_augment, no_eval, quiet;
	int log_norms;      /* NORMS_NO, of all, or of each tensor too */
	bool overfit_batch; /* no_augment is set with it */
	bool resident, stream, follow_links;
	int64_t workers;     /* -1: as many as suit the machine */
	const char *tune;    /* these six: CUDA */
	double tune_seconds; /* -1: not given */
	int tune_when;       /* TuneWhen */
	bool no_tune, deterministic, no_graph;
	int64_t memory; /* MiB of the GPU that may be used, 0: all that is free */
	int progress;   /* ProgressMode */
	int manual;     /* the index of its form; -1: not asked for */
	bool print_model, help, version, licences;
	int64_t warmup, batch; /* bench; batch 0: the compiled one */
	bool inference;        /* bench */
} Options;

/* A training goes on with the plans that it began with, unless it is tuned as it goes. */
static inline bool keeps_plans(const Options *o)
{
	return o->resume && o->tune_when != TUNE_BESIDE;
}

/* The weights are what a training left: they are read, and change no more. */
static inline bool takes_weights(const Options *o)
{
	return o->command == COMMAND_EVAL || o->command == COMMAND_PREDICT || o->command == COMMAND_SAMPLE ||
	       o->command == COMMAND_EXPORT;
}

/* NnrModel.predict runs, and beside the preparation of the weights nothing else. */
static inline bool predicts_only(const Options *o)
{
	return o->command == COMMAND_PREDICT || o->command == COMMAND_SAMPLE ||
	       (o->command == COMMAND_BENCH && o->inference);
}

/* Steps that change the weights run. */
static inline bool trains(const Options *o)
{
	return !takes_weights(o) && !predicts_only(o);
}

/* Ends the process with STATUS_USAGE on a mistake. */
void options_parse(Options *options, const NnrModel *model, int argc, char **argv);
bool has_suffix(const char *path, const char *suffix); /* of the file's name, which is longer */
/* Whether it ends with a slash, as `--out` names a folder to make. */
bool names_folder(const char *path);
void options_help(const NnrModel *model);
/* The man page, or what a shell completes; `form` as in Options. */
void options_manual(const NnrModel *model, int form);

#endif
