/* SPDX-License-Identifier: MIT */
/* What generated code includes: the contract between a compiled network and the thin runtime.
 *
 * Generated code defines one NnrModel and calls nnr_main() from main(). The runtime owns every byte: it allocates the
 * four blocks of NnrMemory once, zeroed and 64-byte aligned, fills parameters and states from the tables, fills the
 * inputs before each step and reads the outputs after it. Generated code allocates nothing and keeps no state. */
#ifndef NNR_H
#define NNR_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/nnr_features.h"

#define NNR_ABI      30 /* raised when this contract changes; nnr_main refuses a model of another */
#define NNR_MAX_RANK 8

typedef enum {
	NNR_F32,
	NNR_F64,
	NNR_BF16,
	NNR_F16,
	NNR_I32,
	NNR_U8
} NnrDType; /* numbered as the compiler's DType */
/* value a; U(-a, a); N(0, a^2); the latter, drawn again where it is further than 2a from 0; a times an orthogonal
 * matrix; U(-a, a) but for the first rows, of which row k takes the middle of column k as it is */
typedef enum { NNR_CONSTANT, NNR_UNIFORM, NNR_NORMAL, NNR_TRUNCATED, NNR_ORTHOGONAL, NNR_PASSES_ON } NnrInit;
typedef enum { NNR_LOSS, NNR_METRIC, NNR_COUNT, NNR_GRADIENT, NNR_VALUE, NNR_MEASURED } NnrOutputKind;
typedef enum {
	NNR_RATE_CONSTANT,
	NNR_RATE_STEP,
	NNR_RATE_COSINE,
	NNR_RATE_LINEAR,
	NNR_RATE_ONECYCLE
} NnrSchedule;

/* A parameter or state: its place in the parameter or state block and how it starts. */
typedef struct NnrTensor {
	const char *name; /* "layer1.0.conv.weight", "layer1.0.norm.running_mean", "adam.m" */
	NnrDType dtype;
	int rank;
	int64_t dim[NNR_MAX_RANK];
	int64_t offset; /* bytes into its block */
	NnrInit init;
	double a;
	int64_t channels; /* [rows][places][channels], PyTorch's [rows][channels][places] (session/torch.h); 0: as is */
	bool frozen; /* of a parameter: the update leaves it out, and it follows those of the flat tensor */
	bool of_update; /* of a state: the optimizer's or what the update keeps beside it, and of no layer */
	/* Of a state of an optimizer that has an element for each of some of the flat parameters: the first of these;
	 * -1: of another tensor. Of a rank's share the runtime knows the first. */
	int64_t first;
} NnrTensor;

/* A weight whose first filters begin as those that whiten the patches of an input: of factor*x + shift, in each
 * channel. */
typedef struct NnrWhiten {
	int param; /* its number */
	const char *image;
	double factor[4], shift[4]; /* by channel */
} NnrWhiten;

/* An input or target of one batch; dim[0] is the batch. */
typedef struct NnrInput {
	const char *name;
	bool is_target;
	int classes; /* > 0: classes, or rows of a table, of which each element is one: below this; NNR_I32 or NNR_U8 */
	NnrDType dtype;
	int rank;
	int64_t dim[NNR_MAX_RANK];
	int64_t offset; /* bytes into the input block */
	int64_t transposed; /* CUDA, in a training step: where its copy as [elements of a sample, batch] is; 0: none */
	bool transposed_alone; /* and nothing in the step reads the batch itself, which is not written then */
	bool rounded_in_training;   /* CUDA, f32: the gather of a training step rounds it to tf32 */
	bool rounded_in_evaluation; /* and that of evaluation; the samples of a request are taken as they are */
	int rows; /* > 0: of the smallest table that looks up parts of it; synth:random draws its numbers below */
	int partner_of; /* of a mixture: the number of the target that it is the partner's of; -1: it is the share */
} NnrInput;

/* Read by the runtime after a run. In a training program loss and metrics are means over the batch, rank 0; in an
 * evaluation program they are per sample, [batch], so that a partial last batch counts only its own samples. A metric
 * that does not count all samples has a count of its name, 1 or 0 for each sample, or the mean of these; where it is 0,
 * so is the metric. */
typedef struct NnrOutput {
	NnrOutputKind kind;
	const char *name; /* "loss", the metric's name, the gradient's parameter, the value's variable */
	NnrDType dtype;
	int rank;
	int64_t dim[NNR_MAX_RANK];
	int64_t offset; /* bytes into the arena */
} NnrOutput;

typedef struct NnrMemory {
	char *params; /* flat parameters */
	char *state;  /* optimizer state, running statistics */
	char *inputs; /* one batch; in a training step its transposed copies are after it */
	char *arena;  /* activations, gradients, outputs: planned offsets */
} NnrMemory;

/* Values the host gives to a step. */
typedef struct NnrScalars {
	double rate;    /* learning rate of this step */
	double step;    /* optimizer steps done, this one included: 1 at the first */
	double last;    /* 1 in the last chunk of a batch, else 0 */
	uint64_t seed;  /* of the run and the chunk: keys the counter-based random numbers */
	int64_t rank;   /* whose share of the batch this is: 0, unless it is shared */
	double samples; /* evaluation: the real ones of all ranks' batch; what fills it stands after them */
} NnrScalars;

/* ---- where the training program comes from, for `EXE profile` */

typedef enum { NNR_PHASE_FORWARD, NNR_PHASE_LOSS, NNR_PHASE_BACKWARD, NNR_PHASE_UPDATE, NNR_PHASES } NnrPhase;

/* A .net file as it was compiled, line by line. */
typedef struct NnrSource {
	const char *name; /* relative to the folder of the model's file */
	const char *const *lines;
	int line_count;
} NnrSource;

/* A line of a file in one instantiation of the block that it stands in. */
typedef struct NnrPlace {
	int source, line; /* the first line is 1 */
	int parent; /* place of the call that instantiated the block, which comes before it; -1: in no block */
	const char *scope; /* path of the instantiation: "layer1.0", "" in no block */
} NnrPlace;

/* A part of a step; all weights of its step are the whole. */
typedef struct NnrShare {
	int place; /* -1: no line of a .net file */
	NnrPhase phase;
	double weight;
} NnrShare;

/* A step of the training program, in the order in which they run; its number, from 1, is what nnr_step() says. */
typedef struct NnrStep {
	const char *name;    /* of its function or kernel: "conv_add_relu_128x28x28x16" */
	const char *what;    /* its formula */
	const char *library; /* "oneDNN", "cuDNN", "cuBLASLt"; NULL: code of nnc's own */
	NnrPhase phase;      /* where it begins to be needed: its parts may be of others */
	bool converts;       /* only lays a tensor out anew */
	double flops, bytes;
	int share_count;
	const NnrShare *shares;
} NnrStep;

/* The next `length` rows of the table of steps run so often, one after the other, as a loop does. */
typedef struct NnrStepRun {
	int length, times;
} NnrStepRun;

/* ---- programs and models */

typedef struct NnrProgram {
	int64_t arena_bytes;
	const NnrOutput *outputs;
	int output_count;
	void (*run)(const NnrMemory *memory, const NnrScalars *scalars);
	bool fetches; /* CUDA, training: takes its batch from the data set itself, and adds up its scores */
	const NnrStep *steps;        /* training: a row for each, but where runs say that rows come again */
	int step_count;              /* with all that come again */
	const NnrStepRun *step_runs; /* of the rows from the first on; those after them come once */
	int step_run_count;
	const NnrOutput *
	        gradient; /* training: of the flat parameters, where it still is when the step has run; NULL: nowhere */
	const char *
	        no_gradient; /* training: why it is nowhere, as a sentence goes on: "its step is on chip ..." */
	bool reads_targets; /* prediction: an output depends on a target, so that there is none without them */
} NnrProgram;

/* The value that scores a sample's classes, f32 or f64 [batch, classes], or those at each place of it, of a sequence or
 * a picture, [batch, ..., classes]: cross_entropy compares it with a class. */
typedef struct NnrScored {
	const char
	        *output; /* of `predict` and, by the same name, of `evaluate`; NULL: nothing scores classes */
	const char *target; /* the input that has the class; NULL: it is given as probabilities */
	bool softmaxed;     /* they are probabilities already, not logits */
	int uncounted;      /* a class and 1: its places do not count in the loss; 0: all count */
} NnrScored;

/* What a metric over all samples is computed as, in the order of session/measures.c's table. */
typedef enum {
	NNR_AUC,
	NNR_AVERAGE_PRECISION,
	NNR_PRECISION,
	NNR_RECALL,
	NNR_F1,
	NNR_R2,
	NNR_RMSE,
	NNR_MAE,
	NNR_MAPE,
	NNR_PERPLEXITY,
	NNR_IOU,
	NNR_DICE,
	NNR_ECE
} NnrMeasureKind;

/* A metric over all samples. The evaluation's output of its name, NNR_MEASURED, [batch, n], has the scores of each
 * sample, [places, columns], and then its targets: [places] indices of columns, or [places, columns] numbers. */
typedef struct NnrMeasure {
	const char *name;
	NnrMeasureKind kind;
	int64_t places, columns;
	bool indexed;
	bool micro;      /* what is counted of all columns is one count; else their mean is taken */
	int64_t of;      /* the column that it is of; -1: all */
	int64_t ignored; /* the index whose places do not count; -1: none */
	int64_t bins;    /* of NNR_ECE: equal parts of [0, 1] that confidences fall into */
} NnrMeasure;

typedef struct NnrRate {
	NnrSchedule kind;
	double rate, final_rate, gamma;
	double warmup, every; /* in epochs where the flag says so, else in steps */
	bool warmup_in_epochs, every_in_epochs;
} NnrRate;

/* The first part of a training. */
typedef struct NnrFirstPhase {
	double length; /* in epochs where the flag says so, else in steps; 0: there is none */
	bool in_epochs;
	double rate; /* ahead of the schedule, which begins behind it; 0: the schedule has all of the training */
	const char *frozen; /* patterns of tensors that keep their values, as --freeze takes them */
} NnrFirstPhase;

/* A copy of parameters in 16 bits, in the state block: the network computes with it, the update writes it beside those
 * that are trained, and the runtime makes it from them wherever it fills or loads them. */
typedef struct NnrCopy {
	int64_t elements; /* 0: there is none */
	int64_t first;    /* of the parameters' elements */
	int64_t offset;   /* bytes into the state block */
	NnrDType dtype;   /* NNR_BF16, NNR_F16 */
} NnrCopy;

/* What happens to images on their way into a training batch; all zero: nothing (data/augment.h). */
typedef struct NnrAugment {
	bool flip;
	bool alternate;                          /* what one epoch mirrors the next does not */
	int crop;                                /* pixels of padding */
	bool reflect;                            /* of the image mirrored at its border; else of zeros */
	double least_area, least_aspect;         /* of random_resized_crop; an area of 0: there is none */
	double brightness, contrast, saturation; /* of color_jitter: the factors are within 1 - x and 1 + x */
	/* Of affine: the angle is within -x and x degrees, so is the shear, the shift that share of a side, the scale
	 * within 1 - x and 1 + x. */
	double degrees, shift, zoom, shear;
	bool affine_reflect; /* what comes in is the image mirrored at its border; else zeros */
	double erase,
	        erase_area;   /* the share of images that a rectangle is erased of, and its largest area */
	bool trivial;         /* one operation by chance, as strong as chance says (data/operations.c) */
	int operations;       /* so many by chance, */
	double strength;      /* of this strength, 30 at most */
	double mixup, cutmix; /* alpha of each; 0: there is none */
} NnrAugment;

/* What a batch has: inputs and targets of the data, and what is beside mixtures. */
#define NNR_BATCH_INPUTS(model) ((model)->input_count + (model)->mixed_count)

/* What becomes of the missing values of a table's columns, or of columns that no input has (data/table.h). Numbered as
 * the compiler's ColumnRuleKind. */
typedef enum {
	NNR_COLUMN_MEDIAN,
	NNR_COLUMN_MEAN,
	NNR_COLUMN_MODE,
	NNR_COLUMN_FLAG,
	NNR_COLUMN_DROP,
	NNR_COLUMN_IGNORED,
	NNR_COLUMN_PASSED
} NnrColumnRule;

/* By the shell's pattern of their names; of rules for missing values, and of the rest, the first that matches
 * counts. */
typedef struct NnrColumn {
	const char *pattern;
	NnrColumnRule rule;
} NnrColumn;

/* Which samples are held out of data that has no part for it (data/split.h). Numbered as the compiler's SplitKind. */
typedef enum {
	NNR_SPLIT_SHARE,
	NNR_SPLIT_STRATIFIED, /* a share of each class */
	NNR_SPLIT_COLUMN,     /* as a column of the table says */
	NNR_SPLIT_GROUP,      /* a share, of whole groups that a column tells apart */
	NNR_SPLIT_TIME        /* a share, the latest by a column */
} NnrSplitKind;

typedef struct NnrSplit {
	NnrSplitKind by;
	double share; /* 0: of a recipe that says none */
	const char *column;
} NnrSplit;

/* Which nnc it is, says nnc to the C compiler. */
#ifndef NNR_COMPILER
#define NNR_COMPILER NULL
#endif

typedef struct NnrModel {
	int abi;
	const char *name, *source; /* "mnist_cnn", "mnist_cnn.net" */
	const char *version;       /* of the nnc that wrote it */
	uint64_t needs;            /* of the processor, as the C compiler was told: NNR_FEATURES */
	const char *recipe;        /* the recipe's settings in one line */
	int64_t ranks; /* that share a batch, of which `batch` is the part of one; 0: one has all of it */
	int64_t share,
	        whole; /* a state of the update of `share` elements is one rank's share of so many; 0: of none */
	const char *program; /* "nnc program HASH for N ranks"; HASH is that of all but N; NULL: not known */
	const char *const *words; /* the command line of nnc without the file and N */
	int word_count;
	const char *compiler; /* the nnc that made it, if it still is there; NULL: not known */
	NnrDType real;        /* NNR_F32, or NNR_F64 for the oracle */
	int64_t batch;        /* samples that a program computes at once */
	bool couples; /* evaluation compares the samples of a batch with one another: all ranks evaluate one together */
	int64_t chunks; /* times that the training program runs for one optimizer step; 1 unless the recipe says so */
	const NnrInput *inputs;
	int input_count;
	/* After those: what a training batch has beside mixtures of two samples (NnrAugment.mixup), of no data. */
	int mixed_count;
	const NnrTensor *params;
	int param_count;
	bool moved; /* some were elsewhere in the states of an nnc up to 0.2 */
	const NnrWhiten *whitened;
	int whitened_count;
	const char *const *onnx; /* the prediction as lines of a graph (compiler/onnx/onnx.h) */
	int onnx_count;          /* 0: the first line says why there is none */
	const char *const
	        *layouts; /* of the parameters, a letter for each dimension: "OHWI"; "": no word for it */
	const NnrTensor *states;
	int state_count;
	int64_t param_bytes, input_bytes;
	int64_t transposed_bytes;  /* of the copies after the inputs (NnrInput.transposed) */
	int64_t state_bytes;       /* those that `prepare` computes are after the ones of the table */
	NnrCopy copy, frozen_copy; /* of those that are trained; of those that this model never trains */
	NnrProgram train, evaluate;
	NnrProgram predict; /* what the model predicts, without loss and metrics */
	NnrScored scored;
	const NnrMeasure *measures; /* with loss, metrics and counts no more than MAX_METRICS and one */
	int measure_count;
	NnrProgram
	        prepare; /* run NULL: nothing. Else evaluate and predict read states that it computes of the
	                     * weights: it runs before them once the weights have changed */
	const NnrPlace *places; /* where the steps of `train` come from */
	int place_count;
	const NnrSource *sources;
	int source_count;                 /* of files that a place is in */
	int file_count;                   /* of all that were compiled, after those */
	const struct NnrBackend *backend; /* NULL: the CPU */
	const void *device;               /* what the backend needs to know: NnrCudaModel */
	/* the recipe's defaults; options of the command line override them */
	const char *data; /* NULL: --data is required */
	const NnrColumn *columns;
	int column_count;
	NnrSplit split;
	bool balance; /* classes are trained on as often as one another (data/split.h) */
	NnrAugment augment;
	/* Images keep their aspect: this side becomes so long, and the middle is taken; 0: they are stretched. */
	int64_t shorter_side;
	NnrRate rate;
	NnrFirstPhase phase;
	double epochs; /* > 0, or 0 when `steps` is given */
	int64_t steps;
	uint64_t seed;
} NnrModel;

/* Runs the trainer's command line; the return value is the process's exit status (runtime/README.md). */
int nnr_main(const NnrModel *model, int argc, char **argv);

#endif
