/* SPDX-License-Identifier: MIT */
/* A `train` block, checked: what add_update, the emitter and the trainer need to know. */
#ifndef NNC_RECIPE_H
#define NNC_RECIPE_H

#include "base/array.h"
#include "base/source.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum {
	SCHEDULE_CONSTANT,
	SCHEDULE_STEP,
	SCHEDULE_COSINE,
	SCHEDULE_LINEAR,
	SCHEDULE_ONECYCLE
} ScheduleKind;

/* A length in optimizer steps or in epochs, as the user wrote it: 500it, 5ep. */
typedef struct Span {
	double amount;
	bool in_epochs;
} Span;

typedef struct Schedule {
	ScheduleKind kind;
	double rate;       /* the base (peak) rate */
	Span warmup;       /* linear from rate/100 up; amount 0: none */
	Span every;        /* STEP: multiply by `gamma` after each `every` */
	double gamma;      /* STEP */
	double final_rate; /* COSINE, LINEAR, ONECYCLE: reached at the end of training */
} Schedule;

typedef struct OptimizerArg {
	const char *name;
	double value; /* booleans as 0 and 1 */
} OptimizerArg;

/* An optimizer with what it is given. */
typedef struct OptimizerUse {
	const char *name;         /* of a record in ops/optim.c */
	const OptimizerArg *args; /* every argument of the record, defaults filled in */
	int arg_count;
	Loc loc;
} OptimizerUse;

/* What happens to training images by chance; all zero: nothing. */
typedef struct Augment {
	int crop;                        /* pixels of padding */
	bool reflect;                    /* the padding is the image mirrored at its border; else zeros */
	bool flip, alternate;            /* alternate: what one epoch mirrors the next does not */
	double least_area, least_aspect; /* of random_resized_crop; area 0: none */
	double brightness, contrast, saturation; /* of color_jitter */
	double degrees, shift, zoom, shear;      /* of affine: the largest of each */
	bool affine_reflect;
	double erase, erase_area; /* the share of images, and the largest area */
	bool trivial;             /* TrivialAugment: one operation by chance, as strong as chance says */
	int operations;           /* RandAugment: so many, */
	double strength;          /* of 30 */
	double mixup, cutmix;     /* alpha of each; 0: samples are not mixed so */
} Augment;

static inline bool augment_jitters(const Augment *a)
{
	return a->brightness > 0 || a->contrast > 0 || a->saturation > 0;
}

/* Samples become mixtures of two, their targets with them (front/mixture.c). */
static inline bool augment_mixes(const Augment *a)
{
	return a->mixup > 0 || a->cutmix > 0;
}

static inline bool augment_operates(const Augment *a)
{
	return a->trivial || a->operations > 0;
}

static inline bool augment_any(const Augment *a)
{
	return a->flip || a->crop > 0 || a->least_area > 0 || augment_jitters(a) || a->degrees > 0 ||
	       a->shift > 0 || a->zoom > 0 || a->shear > 0 || a->erase > 0 || augment_operates(a) ||
	       augment_mixes(a);
}

/* Names of parameters, with the shell's wildcards. */
typedef struct ParamPattern {
	const char *text;
	Loc loc;
	bool used; /* a parameter was met that it matches */
} ParamPattern;
typedef ARRAY(ParamPattern) ParamPatterns;

/* Parameters that are updated at a rate, with a weight decay or by an optimizer of their own. */
typedef struct ParamGroup {
	ParamPatterns patterns;
	OptimizerUse optimizer; /* in the place of the recipe's; without a name: that one */
	double rate;            /* in the place of the schedule's; 0: that one */
	double decay;           /* in the place of the optimizer's; less than 0: that one */
} ParamGroup;
typedef ARRAY(ParamGroup) ParamGroups;

/* What becomes of the missing values of a table's columns, or of columns that no input has. In the order of the
 * runtime's NnrColumnRule. */
typedef enum {
	COLUMN_MEDIAN,
	COLUMN_MEAN,
	COLUMN_MODE,
	COLUMN_FLAG,
	COLUMN_DROP,
	COLUMN_IGNORED,
	COLUMN_PASSED
} ColumnRuleKind;

/* Of columns by the shell's pattern of their names. Of missing values, and of the rest, the first that matches
 * counts. */
typedef struct ColumnRule {
	const char *pattern;
	ColumnRuleKind kind;
} ColumnRule;
typedef ARRAY(ColumnRule) ColumnRules;

/* Which samples are held out. In the order of the runtime's NnrSplitKind. */
typedef enum { SPLIT_SHARE, SPLIT_STRATIFIED, SPLIT_COLUMN, SPLIT_GROUP, SPLIT_TIME } SplitKind;

/* Where a setting was given. */
typedef struct SettingPlace {
	const char *key;
	Loc loc;
} SettingPlace;
typedef ARRAY(SettingPlace) SettingPlaces;

typedef struct Recipe {
	const char *name; /* "cifar10", or the model's name */
	const char *model;
	Loc loc;
	const char *
	        data; /* "mnist", "cifar10", "images", "npy", "rosenbrock", "synth:digits" ...; NULL: none was given */
	Augment augment;
	const char *augment_members; /* as the runtime's NnrAugment has them: ".flip = true, .crop = 4" */
	Loc augment_loc;
	int64_t shorter_side; /* image files keep their aspect, and this side becomes so long; 0: they are stretched */
	Loc resize_loc;
	OptimizerUse optimizer;
	Schedule schedule;
	double clip_norm;  /* 0: no clipping */
	double ema;        /* what a step leaves of the average of the parameters; 0: there is none */
	bool decay_exempt; /* weight decay skips biases and normalisation parameters */
	int64_t batch;
	int64_t ranks; /* that share each batch, or chunk of one: the program computes one rank's share */
	int64_t chunk; /* samples computed at once, the gradients of a batch being added up; 0: all of it */
	bool accumulates; /* the chunk is what `batch` says, and `batch` as many as `accumulate` makes of them */
	Loc chunk_loc;
	Span length; /* epochs 12, or steps 500 */
	const char *
	        precision; /* "tf32" (default) "fp32" "bf16" "fp16" "fp64"; the CPU target computes tf32 as fp32 */
	bool wire_bf16; /* ranks send one another their gradients in 16 bits */
	bool shards; /* `shard optimizer`: a rank updates a share of the parameters, and keeps that share's states */
	Loc shard_loc;
	uint64_t seed;
	ParamPatterns freeze;       /* parameters that are not trained */
	Span phase;                 /* the first part of the training, amount 0: there is none, */
	ParamPatterns phase_freeze; /* in which these are not, */
	double phase_rate;          /* at this rate, ahead of the schedule; 0: as that has it */
	Loc phase_loc;
	ParamGroups groups;  /* a parameter is of the first that matches it */
	ColumnRules columns; /* of a table */
	SplitKind split;
	double holdout; /* share; 0: none was given */
	const char *split_column;
	bool balance;     /* classes are trained on as often as one another */
	const char *text; /* canonical one-line settings, for --print and logs */
	SettingPlaces places;
} Recipe;

/* Of so many flat parameters those that one rank updates: rank r of N has the r-th so many, the last may have fewer. 0:
 * each updates all. */
static inline int64_t recipe_share(const Recipe *r, int64_t elements)
{
	return r->shards && r->ranks > 1 ? (elements + r->ranks - 1) / r->ranks : 0;
}

/* Of an argument that each optimizer has, 0 of any other. */
double optimizer_use_arg(const OptimizerUse *o, const char *name);

#endif
