/* SPDX-License-Identifier: MIT */
/* The command line of nnc, read into one record. The table of options is in driver/options.c; --help is made of it. */
#ifndef NNC_OPTIONS_H
#define NNC_OPTIONS_H

#include "base/array.h"
#include "base/diag.h"
#include "target/target.h"

typedef enum {
	COMMAND_BUILD,
	COMMAND_FMT,
	COMMAND_HELP,
	COMMAND_OPT,
	COMMAND_CUBIN,
	COMMAND_REPRO,
	COMMAND_COMPARE,
	COMMAND_DOCTOR,
	COMMAND_LSP,
	COMMAND_NEW
} Command;

typedef enum {
	EMIT_AST,
	EMIT_IR,
	EMIT_EVAL_IR,
	EMIT_PROGRAM,
	EMIT_EVAL_PROGRAM,
	EMIT_C,
	EMIT_CU,
	EMIT_PLAN,
	EMIT_DOT,
	EMIT_LIB,
	EMIT_HTML,
	EMIT_KINDS,
} EmitKind;

typedef struct Emit {
	EmitKind kind;
	const char *path; /* "-" is stdout; NULL: named after the source, in the current folder */
} Emit;

typedef ARRAY(const char *) Words;

typedef struct Options {
	Arena *arena;
	Command command;
	Words files;
	const char *output; /* -o */
	bool stop_at_c;     /* -S */
	ARRAY(Emit) emits;
	const char *print; /* --print= */
	const char *run;   /* a folder with what a training left, for --emit=html; NULL */
	const char *run_log, *run_profile, *run_confusion, *run_predictions; /* single files of one */
	bool plan, check, verbose, dry_run, time_report, verify, remarks, all_remarks, keep_gradients,
	        warnings_are_errors;
	const char *save_temps;  /* folder to keep; "" for the default one; NULL: nothing is kept */
	const char *explore;     /* the page of --explore; NULL: none */
	const char *keep_code;   /* folder of --keep-code; NULL: none */
	Words defines, settings; /* "NAME=VALUE" */
	const char *model, *recipe;
	const char *precision; /* also among the settings; NULL: as the recipe says */
	LibraryChoice library;
	int64_t ranks;         /* --ranks: that share a batch; 0: not given */
	const char *bucket;    /* --bucket, as it was written; NULL: not given */
	int64_t bucket_bytes;  /* the same in bytes; 0: not given */
	const char *memory;    /* --memory, as it was written; NULL: not given */
	int64_t memory_bytes;  /* the same in bytes; 0: not given */
	bool cuda;             /* --target=cuda */
	const char *march;     /* of the C compiler */
	const char *archs;     /* of --target=cuda:ARCHS; NULL: the target's own */
	Words disabled_passes; /* -fno-PASS */
	const char *dump_pass;
	ColorMode color;
	bool json;
	int max_errors;
	bool write, check_format; /* fmt -w, fmt --check */
	Words opt_passes;         /* opt --pass= */
	const char *from, *learn; /* new --from=KIND, --learn=COLUMN */
} Options;

/* Reads argv. Prints help or the version and exits where asked; a mistake ends in a sentence and EXIT_USAGE. */
Options *options_read(Arena *a, int argc, char **argv);

/* "ast" for EMIT_AST; also the suffix of the file. */
const char *emit_name(EmitKind kind);

#endif
