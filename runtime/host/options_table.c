/* SPDX-License-Identifier: MIT */
/* The trainer's options and commands. Another option is one row here, its member in Options, and what reads that. */
#include "runtime/host/options_table.h"
#include "base/manual.h"

#include <string.h>

const char cuda_heading[] = "CUDA";

/* What a row has for its kind, place and bounds. A member of another type than the kind's does not compile. */
#define PLACE(member, type)           _Generic(((Options *)NULL)->member, type : offsetof(Options, member))
#define FLAG(member)                  KIND_FLAG, PLACE(member, bool), 0, 0
#define TEXT(member)                  KIND_TEXT, PLACE(member, const char *), 0, 0
#define LIST(member)                  KIND_LIST, PLACE(member, const char *), 0, 0
#define WORD(member)                  KIND_WORD, PLACE(member, int), 0, 0
#define SWITCH(member)                KIND_SWITCH, PLACE(member, int), 0, 0
#define INTEGER(member, least, most)  KIND_INTEGER, PLACE(member, int64_t), least, most
#define REAL(member, least, most)     KIND_REAL, PLACE(member, double), least, most
#define INTERVAL(member, least, most) KIND_INTERVAL, PLACE(member, Interval), least, most
#define HEADING(where, text)          NULL, NULL, where, KIND_FLAG, 0, 0, 0, text

const OptionRow option_rows[] = {
        {HEADING(IN_RUN, "Data")},
        {"data", "DATA", WITH_DATA, TEXT(data),
         "a folder, a table or text file, `x.npy,y.npy` or `NAME=x.npy,...`, or "
         "synth:digits|images|rosenbrock|random[,samples=N]"},
        {"eval-data", "DATA", IN_TRAIN | IN_EVAL, TEXT(eval_data), "held-out data kept elsewhere"},
        {"holdout", "F", IN_TRAIN | IN_EVAL, TEXT(holdout),
         "share held out where the data has no test part (0.1); F,stratified: of each class; F,group=COLUMN: "
         "whole "
         "groups; F,time=COLUMN: the latest; column=COLUMN: as that says"},
        {"folds", "K", IN_TRAIN | IN_EVAL, INTEGER(folds, 2, 1000),
         "train K times, each time with another of K equal parts held out, and print mean and deviation"},
        {"fold", "I", IN_TRAIN | IN_EVAL, INTEGER(fold, 1, 1000), "train only fold I of --folds"},
        {"no-shuffle", NULL, IN_TRAIN | IN_FIND, FLAG(no_shuffle),
         "take the samples in the order of the data"},
        {"no-augment", NULL, IN_TRAIN | IN_PROFILE | IN_FIND, FLAG(no_augment),
         "leave out the recipe's augmentation"},
        {"overfit-batch", NULL, IN_TRAIN, FLAG(overfit_batch),
         "train on one batch alone, and evaluate on it: its loss should fall to nearly nothing"},
        {"follow-links", NULL, WITH_DATA, FLAG(follow_links),
         "folders of images: take links that lead out of DATA, too"},
        {"bad-files", "F", WITH_DATA, REAL(bad_files, 0, 1),
         "folders of images: share of the files that may be unusable (0.1); each is named and left out"},
        {"resident", NULL, WITH_DATA, FLAG(resident),
         "decode all of the data at the start and keep it in memory"},
        {"stream", NULL, WITH_DATA, FLAG(stream),
         "make each batch as it is needed: from files, or from the host's memory"},
        {"workers", "N", WITH_DATA, INTEGER(workers, 0, 256),
         "threads that make such batches; 0: none beside"},
        {HEADING(IN_RUN, "Training")},
        {"epochs", "N", IN_TRAIN, REAL(epochs, 1e-6, 1e9), "length of the training in epochs"},
        {"steps", "N", IN_TRAIN | IN_BENCH, INTEGER(steps, 1, 1e15),
         "length of the training (bench: of a window) in steps"},
        {"steps", "N", IN_PROFILE, INTEGER(steps, 1, 10000), "how many are measured (those of two seconds)"},
        {"steps", "N", IN_FIND, INTEGER(steps, 16, 100000), "how many rates are tried (100)"},
        {"stop-after", "N", IN_TRAIN, INTEGER(stop_after, 1, 1e15),
         "stop after step N as Ctrl-C would; the length stays as it is"},
        {"rate", "R", IN_TRAIN, REAL(rate, 1e-30, 1e30), "base learning rate"},
        {"seed", "N", IN_RUN, INTEGER(seed, 0, 9e15),
         "of initial weights, shuffling, augmentation, dropout and noise"},
        {"threads", "N", IN_RUN, INTEGER(threads, 1, 4096), "of the computation and of reading the data"},
        {"rank-timeout", "S", IN_TRAIN | IN_EVAL | IN_BENCH, REAL(rank_timeout, 1, 1e6),
         "of several ranks: seconds without a sign of life of one until all end (30)"},
        {"init", "FILE", WITH_INIT, TEXT(init), "initial weights by name, from a .safetensors file"},
        {"init-skip", "PATTERN,...", WITH_INIT, LIST(init_skip),
         "tensors that --init leaves out, as 'head.*'; may be given again"},
        {"init-map", "torchvision|TABLE", WITH_INIT, TEXT(init_map),
         "the names and the order of elements in the file of --init"},
        {"freeze", "PATTERN,...", IN_TRAIN | IN_FIND, LIST(freeze),
         "tensors that the training leaves as they are, as 'conv*'; may be given again"},
        {"checkpoint", "FILE", IN_TRAIN | IN_EVAL | IN_PREDICT | IN_SAMPLE | IN_EXPORT | IN_INFO,
         TEXT(checkpoint), "save the state of the training there (eval, predict: the weights)"},
        {"checkpoint-every", "N[ep|it]", IN_TRAIN, INTERVAL(checkpoint_every, 1, 1e15),
         "how often, in epochs or steps (1ep)"},
        {"keep", "K", IN_TRAIN, INTEGER(keep, 1, MOST_KEPT),
         "keep the last K checkpoints, as FILE-STEP beside it"},
        {"resume", "[=auto]", IN_TRAIN, SWITCH(resume),
         "go on exactly where the checkpoint stands (auto: if there is one)"},
        {"best", "FILE", IN_TRAIN, TEXT(best), "save the checkpoint of the best evaluation there"},
        {"monitor", "NAME[:min|:max]", IN_TRAIN, TEXT(monitor),
         "the score that the best goes by, a metric's name (loss)"},
        {"early-stop", "N", IN_TRAIN, INTEGER(early_stop, 1, 1e9),
         "stop after N evaluations without a better one"},
        {"on-nan", "stop|skip|rollback", IN_TRAIN, WORD(on_nan),
         "what to do of a loss that is no number (stop); rollback: to the checkpoint, at half the rate"},
        {"eval-every", "N[ep|it]", IN_TRAIN, INTERVAL(eval_every, 1, 1e15),
         "how often the held-out samples are evaluated (1ep)"},
        {"no-eval", NULL, IN_TRAIN, FLAG(no_eval), "no evaluation after the epochs"},
        {HEADING(IN_RUN, cuda_heading)},
        {"gpus", "N", IN_TRAIN | IN_EVAL | IN_PREDICT | IN_BENCH, INTEGER(gpus, 1, 1024),
         "one process for each of N GPUs of this host, which share each batch"},
        {"tune", "FILE", IN_RUN, TEXT(tune), "the record of timed library plans (beside the trainer)"},
        {"tune-seconds", "N", IN_RUN, REAL(tune_seconds, 0, 1e6),
         "time for that timing, the longest operations first (60); 0: the record as it is"},
        {"tune-when", "auto|before|beside", IN_TRAIN, WORD(tune_when),
         "before the first step, or between steps in about a tenth of the time (auto: beside where it may)"},
        {"no-tune", NULL, IN_RUN, FLAG(no_tune),
         "time no plans and read no record: those that came with the trainer, else the libraries' first"},
        {"deterministic", NULL, IN_RUN, FLAG(deterministic), "only plans that give equal bits in every run"},
        {"memory", "MIB", IN_RUN, INTEGER(memory, 1, 1e9),
         "of the GPU for plan and data, the driver's own included"},
        {"no-graph", NULL, IN_RUN, FLAG(no_graph), "launch kernel by kernel, not graphs of whole steps"},
        {HEADING(IN_BENCH, "Measuring")},
        {"warmup", "N", IN_BENCH, INTEGER(warmup, 0, 1e9), "steps before the first window (10)"},
        {"inference", NULL, IN_BENCH, FLAG(inference), "time prediction instead, on samples that stay"},
        {"batch", "N", IN_BENCH, INTEGER(batch, 1, 1e9),
         "samples of a request, with --inference (one compiled batch)"},
        {HEADING(IN_SAMPLE, "Writing")},
        {"prompt", "TEXT", IN_SAMPLE, TEXT(prompt), "what the text begins with"},
        {"tokens", "N", IN_SAMPLE, INTEGER(tokens, 1, 1e9), "how many are written after it (200)"},
        {"temperature", "T", IN_SAMPLE, REAL(temperature, 0, 1e6),
         "scores are divided by it (1); 0: always the likeliest"},
        {"top-k", "K", IN_SAMPLE, INTEGER(top_k, 1, 1e9), "only the K likeliest are drawn from"},
        {HEADING(IN_ANY, "Output")},
        {"out", "FILE", IN_PREDICT, TEXT(out),
         "the predictions, as .csv, .jsonl or .npy, pictures side by side as .png, or each as one in "
         "FOLDER/; without "
         "it a table is printed"},
        {"samples", "N", IN_PREDICT, INTEGER(samples, 1, 1e15), "predict the first N of the data alone"},
        {"top", "K", IN_PREDICT, INTEGER(top, 1, 65536),
         "the K most probable classes of each sample (1; of the table 3)"},
        {"out", "FILE", IN_EXPORT, TEXT(out), "the network in another format"},
        {"format", "auto|safetensors|onnx", IN_EXPORT, WORD(format),
         "weights alone, or the graph with them; auto: as the suffix of --out says"},
        {"layout", "nnc|torch", IN_EXPORT, WORD(layout), "the order of elements in safetensors"},
        {"names", "torchvision|TABLE", IN_EXPORT, TEXT(names), "the names of tensors in safetensors"},
        {"confusion", "FILE", IN_EVAL, TEXT(confusion),
         "which class was taken for which, as .txt, .csv or .svg"},
        {"mistakes", "FILE.csv", IN_EVAL, TEXT(mistakes),
         "the samples taken for another class of which the network was surest, with their pictures"},
        {"net", NULL, IN_INFO, FLAG(net), "print the .net files of the checkpoint, and nothing else"},
        {"json", "FILE", IN_PROFILE, TEXT(json), "the profile as JSON, too"},
        {"into", "RUN|PAGE.html", IN_PROFILE, TEXT(into),
         "the folder of a run, as runs/NAME-1: profile.json there, and the profile on its page; or a page of "
         "nnc --explore, whose lines get their times"},
        {"trace", "FILE", IN_PROFILE, TEXT(trace), "what ran when, for chrome://tracing or ui.perfetto.dev"},
        {"out", "FILE.svg", IN_FIND, TEXT(out), "the loss over the rate"},
        {"out", "FILE.svg", IN_RUNS, TEXT(out), "the curves of all, one over the other"},
        {"out", "FILE.html", IN_REPORT, TEXT(out), "the page, elsewhere than in the folder of the run"},
        {"run", "NAME", IN_TRAIN, TEXT(run), "all that the training leaves in a new folder, runs/NAME-N"},
        {"log", "FILE.jsonl", IN_TRAIN, TEXT(log), "one line of JSON per epoch; -: to stdout"},
        {"log-every", "N", IN_TRAIN, INTEGER(log_every, 1, 1e15), "and one per N steps"},
        {"log-norms", "[=each]", IN_TRAIN, SWITCH(log_norms),
         "and in each line the norms of parameters and gradient (each: of every tensor)"},
        {"dump", "FILE", IN_TRAIN, TEXT(dump), "write step 1's inputs, outputs and gradients there"},
        {"progress", "auto|plain|none", IN_RUN, WORD(progress), "how progress is shown on stderr"},
        {"quiet", NULL, IN_ANY, FLAG(quiet), "errors and warnings only"},
        {"print-model", NULL, IN_ALL, FLAG(print_model), "tables of inputs, weights, outputs and memory"},
        {"help", NULL, IN_ANY, FLAG(help), "this text"},
        {"version", NULL, IN_ANY, FLAG(version), "versions of model and compiler"},
        {"licences", NULL, IN_ANY, FLAG(licences),
         "what is in this program, linked with it or opened by it, and under which licences"},
        {"manual", MANUAL_FORMS, IN_TRAIN, WORD(manual),
         "the man page, or what a shell completes: source <(EXE --manual bash)"},
};

const int option_row_count = sizeof option_rows / sizeof *option_rows;
_Static_assert(sizeof option_rows / sizeof *option_rows <= MOST_OPTION_ROWS,
               "lists of the rows have room for all");

const CommandRow command_rows[COMMANDS] = {
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
        {"report", "report RUN [--out FILE.html]", "the page of a training of --run, from its log", true},
};

const OptionRow *find_option(const char *name, int length, Command command)
{
	for (int i = 0; i < option_row_count; i++) {
		const OptionRow *row = &option_rows[i];
		if (row->name && row->where & 1 << command && (int)strlen(row->name) == length &&
		    memcmp(row->name, name, (size_t)length) == 0)
			return row;
	}
	return NULL;
}
