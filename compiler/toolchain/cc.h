/* SPDX-License-Identifier: MIT */
/* The C compiler and the runtime library: finding them, and making a trainer or a library with them. No shell is
 * involved. */
#ifndef NNC_CC_H
#define NNC_CC_H

#include "base/arena.h"
#include <stdbool.h>

typedef struct TrainerBuild {
	const char *name;    /* of the C file, without .c */
	const char *text;    /* the generated C */
	const char *kernels; /* the CUDA C that is compiled in it, whose runtime is linked too; NULL: none */
	const char *page;    /* the C file of its page; NULL: it has none */
	const char *output;  /* the trainer */
	const char *march;   /* of the C compiler: "native", "x86-64-v3" */
	const char *images;  /* a C file of its own with the compiled kernels; NULL: they are in the text */
	const char *keep; /* folder that keeps the C file, NAME.page.c and NAME.cu; NULL: nothing is kept */
	bool verbose;     /* print the command; it names the C file as -S or --save-temps write it */
	bool dry_run;     /* print the command and do nothing */
} TrainerBuild;

/* Compiles and links. The trainer appears under its name only when it is whole. What is missing on the machine ends in
 * a sentence and EXIT_TOOL; generated code that the C compiler refuses is a bug(). */
void trainer_build(Arena *a, const TrainerBuild *t);

/* The same command for files in the current folder: NAME.c, NAME.page.c, the images, the output. */
typedef struct TrainerCommand {
	const char *const *words;
	int count, compiler, flags; /* the compiler is ahead of the first, its flags ahead of the second */
} TrainerCommand;
TrainerCommand trainer_command(Arena *a, const TrainerBuild *t);

/* What the C compiler makes of the text of a trainer for the CPU, with the lines of it (-g1); NULL: it did not compile.
 * Files are made, and removed, beside `beside`. */
char *assembler_text(Arena *a, const char *text, const char *march, const char *beside);

/* The CUDA toolkit's nvdisasm, on the PATH or in the toolkit; NULL: it is not there. */
const char *disassembler_found(Arena *a);
/* What nvdisasm says of a cubin: SASS with the lines of the code; NULL: nothing. Files as for assembler_text. */
char *disassembled(Arena *a, const char *cubin, size_t size, const char *beside);

/* Runs a program, whose words these are; its exit status, or a negative number where it has none. */
int program_run(Arena *a, const char *const *words);

/* The word as a shell reads it: in single quotes where it has to be. */
const char *shell_word(Arena *a, const char *word);
/* A path of a file that is there, for who runs in another folder; a word without a slash stays. */
const char *absolute_path(Arena *a, const char *path);
/* The bytes of a regular file and a NUL, however long it is; NULL: it can't be read. */
char *whole_file(Arena *a, const char *path, size_t *length);
/* The path of this nnc; "" where the system does not say. */
const char *own_file(Arena *a);

/* The C compiler that trainers are made with, and libnnr.a; NULL, and `why`, where there is none. */
const char *compiler_found(Arena *a, const char **why);
const char *runtime_found(Arena *a, const char **why);

typedef struct LibraryBuild {
	const char *name, *text; /* of the C file, without .c; the generated C */
	const char *kernels;     /* as of a trainer */
	const char *header;      /* its text */
	const char *functions;   /* that other programs may call, each on a line */
	const char *base;        /* BASE.a, BASE.so and BASE.h are written */
	const char *keep;        /* as of a trainer, and so are these */
	const char *march;
	bool verbose, dry_run;
} LibraryBuild;

/* The same for the library form. */
void library_build(Arena *a, const LibraryBuild *l);

/* The folder of nnr.h; ends the process where there is no runtime. */
const char *runtime_include(Arena *a);

#endif
