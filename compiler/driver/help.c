/* SPDX-License-Identifier: MIT */
/* nnc help. help.h. */
#include "driver/help.h"

#include "base/array.h"
#include "base/nearest.h"
#include "base/writer.h"
#include "front/habits.h"
#include "front/library.h"
#include "front/setting.h"
#include "ir/op.h"
#include "codegen/op_loops.h"
#include "ops/optim.h"
#include "passes/pass.h"
#include "rules/rules.h"

#include <stdio.h>
#include <string.h>

/* Whether `word` stands in the text for itself: "cosine" in "constant|cosine|linear"; with `alone` not as the name of
 * an argument or in a pattern either, "pad = 4" and "conv*". */
static bool has_word(const char *text, const char *word, bool alone)
{
	size_t length = strlen(word);
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	for (const char *at = text; length > 0 && (at = strstr(at, word)) != NULL; at++)
		if ((at == text || !strchr(letters, at[-1])) &&
		    (!at[length] || !strchr(letters, at[length])) &&
		    !(alone && (at[length] == '*' || strncmp(at + length, " =", 2) == 0)))
			return true;
	return false;
}

/* A line of a recipe, by its key or by a word that can stand in it, or stands there alone. False: none. */
static bool write_settings(Writer *w, const char *name, bool alone)
{
	bool any = false;
	for (int exact = 1; exact >= 0 && !any; exact--)
		for (int i = 0; i < SETTINGS; i++) {
			const SettingRow *row = &setting_rows[i];
			if (exact ? strcmp(row->key, name) != 0 : !has_word(row->usage, name, alone))
				continue;
			write_line(w, "setting of a recipe: %s", row->usage);
			write_line(w, "  %s", row->doc);
			any = true;
		}
	if (any)
		write_line(w, "\nmodels/README.md says what each setting means");
	return any;
}

/* No word of the language, but what its settings `wire` and `shard` are about. */
static bool write_ranks(Writer *w, const char *name)
{
	bool named = strcmp(name, "ranks") == 0;
	if (named)
		write_lines(w, "ranks: processes that train one model together\n"
		               "  Each has its share of every batch; all take the mean of their gradients. "
		               "Any trainer does it:\n"
		               "    ./train --gpus 2 --data DATA          the GPUs of a host, over NCCL\n"
		               "    mpirun -n 4 ./train --data DATA       processes on CPUs, over MPI\n"
		               "  nnc --ranks=N compiles for N beforehand; with --plan it prints what is "
		               "sent, --bucket=MIB says how much at once\n"
		               "\n"
		               "For several ranks alone: the settings `wire` and `shard`, and batchnorm(sync "
		               "= true)\n"
		               "\n"
		               "runtime/ranks/README.md says more\n");
	return named;
}

/* What is no operator, optimizer or setting: the words of statements, the types, and the kinds of data.
 *
 *   words   apart by blanks; the first is listed
 *   usage   how it is written */
static const struct {
	const char *words, *usage, *doc;
} language[] = {
        {"model",
         "model NAME(ARGUMENT = DEFAULT, ...) { ... }\n  model NAME from BASE with (ARGUMENT = DEFAULT)",
         "A network: what goes in, its layers, its loss."},
        {"input", "input NAME: u8[28, 28, 1]",
         "What the network is given, of one sample; images are [height, width, channels]."},
        {"target", "target NAME: class[10]",
         "What it is to learn, of one sample: a class, or numbers as f32[4]."},
        {"class", "target NAME: class[10]",
         "The type of one class for each sample: an index below that number."},
        {"u8 i32 f32", "input NAME: f32[8]",
         "Types of elements: bytes, integers, reals. f32(x) is x, which bf16 and fp16 keep in 32 bits up to "
         "the next convolution or product."},
        {"param init", "param NAME: f32[16, 8] init normal(0.02)",
         "A trained tensor that belongs to no layer; it has no batch: all samples see it."},
        {"normal truncated_normal uniform constant zeros ones",
         "init normal(0.02), or: dense(10, init = normal(0.02))",
         "How a parameter starts: normal(DEVIATION), truncated_normal(DEVIATION), uniform(A) in -A to A, "
         "constant(VALUE), `zeros`, `ones`."},
        {"whiten identity default kaiming xavier", "conv(24, 2, init = whiten), dense(10, init = identity)",
         "How a layer's weight starts. `whiten`, of the conv that reads the images: eigenvectors of the "
         "second "
         "moments of their patches, each divided by the root of its eigenvalue, and their negatives. "
         "`identity`: the first filters pass their channel on. `default`, `kaiming`, `kaiming_normal`, "
         "`xavier`, `xavier_normal`: by the size of inputs and outputs."},
        {"arange eye causal_mask full tensor",
         "arange(n), eye(n), causal_mask(n), full((4, 8), 0.5), tensor([1, 2, 3])",
         "Constant tensors, without a batch, as zeros(4) and ones((4, 8)): all samples see them."},
        {"split", "(a, b) = x -> split(2), or: split(x, [3, 5], axis)",
         "Equal parts of a tensor along an axis, the last by default, or parts of given sizes; a list."},
        {"loss", "loss cross_entropy(logits, label)",
         "What is trained, once in a model: one value per sample, whose mean over the batch is made small."},
        {"metric", "metric accuracy(logits, label)",
         "What is measured beside the loss: one value per sample, or of all samples at once (auc, f1, r2)."},
        {"output", "output TENSOR", "Keeps a tensor for prediction."},
        {"block", "block NAME(x, ARGUMENT = DEFAULT, ...) { ... return y }",
         "A function over tensors and sizes, expanded where it is called."},
        {"shared learns", "a -> tower(8, shared = \"tower\") and b -> tower(8, shared = \"tower\")",
         "Of any call of a layer or a block: calls with one name have the same parameters, where each would "
         "have its "
         "own. `learns = false`: they are constants in this call."},
        {"name", "x -> dense(10, name = \"head\")",
         "Of any call of a layer or a block: what its parameters are called by, `head.weight`."},
        {"return", "return y", "Ends a block with its result."},
        {"language", "language 1",
         "On a file's first line: the version of the language that it is written in. It may be left out."},
        {"use", "use \"blocks/residual.net\"", "Brings the blocks, models and recipes of another file."},
        {"if then else", "if CONDITION { ... } else { ... }, or: if CONDITION then A else B",
         "The condition is known at compile time."},
        {"training", "if training { ... }, or: if not training { ... }",
         "True where a training step is compiled, false in evaluation and prediction; both have the same "
         "parameters and metrics."},
        {"for in", "for NAME in LIST { ... }", "Repeats its body for each element, at compile time."},
        {"repeat", "repeat N { ... }", "Repeats its body, at compile time."},
        {"scan", "states = scan x in SEQUENCE { h = ...   yield h }",
         "A recurrence: runs its body for each place along an axis (the first; `with (axis = 1, reverse = "
         "true)`). "
         "What the body assigns of the variables around it is carried from step to step, and keeps its "
         "shape; all "
         "steps have the same layers. Its value is what the steps yield, stacked along the axis. "
         "Side by side: scan (a, b) in (x, y) { ... }.\n\n"
         "Example, a plain recurrent network over the rows of x: f32[20, 8]\n"
         "    h = zeros(16)\n"
         "    states = scan row in x {\n"
         "        h = tanh((row -> dense(16)) + (h -> dense(16, bias = false)))\n"
         "        yield h\n"
         "    }\n"
         "  states is [20, 16], and h what the last step left."},
        {"yield", "yield h, or: yield (h, c)", "What a step of a `scan` gives; the steps' are stacked."},
        {"assert", "assert CONDITION, \"the width is \" + str(width)",
         "Stops the compiler where the condition is false."},
        {"and or not true false", "a and not b", "Conditions, known at compile time."},
        {"train as from with", "train MODEL as NAME from BASE with (ARGUMENT = VALUE) { ... }",
         "A recipe: how a model is trained, a setting on each line; `nnc help` lists them."},
        {"ep it", "rate 0.1 warmup 5ep, or: warmup 500it",
         "Units of a span of training: epochs, and optimizer steps."},
#define DATASET(name, written, doc, substitute) {name, "data " written, doc},
#include "base/datasets.def"
#undef DATASET
        {"synth", "data \"synth:digits\"", "Drawn by the trainer, without any files."},
};

enum { WORDS = sizeof language / sizeof *language };

static bool is_among(const char *name, const char *words)
{
	size_t length = strlen(name);
	for (const char *at = words; *at; at += strspn(at, " ")) {
		size_t n = strcspn(at, " ");
		if (n == length && memcmp(at, name, n) == 0)
			return true;
		at += n;
	}
	return false;
}

static bool write_word(Writer *w, const char *name)
{
	int i = 0;
	while (i < WORDS && !is_among(name, language[i].words))
		i++;
	if (i < WORDS)
		write_line(w, "word of the language: %s\n  %s\n\nmodels/README.md says more",
		           language[i].usage, language[i].doc);
	return i < WORDS;
}

static bool write_pass(Writer *w, const char *name)
{
	const Pass *pass = pass_find(name);
	if (!pass)
		return false;
	write_line(w, "pass %s\n\n%s", pass->name, pass->doc);
	if (pass->flags & OPTIONAL)
		write_line(w, "-fno-%s leaves it out", pass->name);
	write_line(w, "\ncompiler/passes/DESIGN.md says more; `nnc --print=passes` lists all");
	return true;
}

/* Comments without their #, up to `end` or the first line that is none. */
static void write_remark(Writer *w, const char *at, const char *end)
{
	while (at && *at == '#' && (!end || at < end)) {
		size_t n = strcspn(at, "\n");
		const char *text = at + strspn(at, "# ");
		write_line(w, "  %.*s", (int)(at + n - text), text);
		at += n + 1;
	}
}

/* What the file of a block says, what the block's own comment, and how it is used. */
static bool write_block(Writer *w, const char *name)
{
	LibraryBlock b;
	if (!library_block_find(name, &b))
		return false;
	write_line(w, "block of %s: %.*s", b.file->name, b.call_length, b.call);
	if (b.comment)
		write_remark(w, b.comment, b.call);
	write_line(w, "\nIt comes with nnc; above the model stands `use %s`, whose file says:", b.file->name);
	write_remark(w, b.file->text, NULL);
	return true;
}

static const char first_steps[] =
        "From data of your own to a network that is used\n"
        "  nnc new NAME --from=pictures DATA         looks at folders of pictures, writes NAME.net\n"
        "  nnc new NAME --from=table DATA            the same of a table\n"
        "  nnc NAME.net -o NAME                      compiles it into a program that trains\n"
        "  ./NAME --data DATA --run first            trains; runs/first-1/report.html shows how it went\n"
        "  ./NAME predict FILE... --checkpoint runs/first-1/best.safetensors\n"
        "  ./NAME --help                             what else it does\n\n"
        "models/COOKBOOK.md has a page for each job, models/README.md all of the language";

/* All that has a page: what to do first, the names of what there is, and operators with a line each. */
static void print_topics(Arena *a)
{
	printf("%s\n\nWords of the language\n ", first_steps);
	for (int i = 0; i < WORDS; i++)
		printf(" %.*s", (int)strcspn(language[i].words, " "), language[i].words);
	printf("\n\nSettings of a recipe\n ");
	for (int i = 0; i < SETTINGS; i++)
		printf(" %s", setting_rows[i].key);
	printf("\n\nOptimizers\n ");
	for (int i = 0; i < optimizer_count(); i++)
		printf(" %s", optimizer_at(i)->name);
	printf("\n\nBlocks that come with nnc\n ");
	for (LibraryBlock b = {0}; library_block_next(&b);)
		printf(" %.*s", b.name_length, b.call);
	printf("\n\n%s\n`nnc help NAME` says more of each\n", op_list(a, false));
}

const char *help_names(Arena *a)
{
	Writer *w = writer_new(a);
	for (int i = 0; i < op_count(); i++)
		write_text(w, "%s ", op_at(i)->name);
	for (int i = 0; i < optimizer_count(); i++)
		write_text(w, "%s ", optimizer_at(i)->name);
	for (int i = 0; i < SETTINGS; i++)
		write_text(w, "%s ", setting_rows[i].key);
	for (int i = 0; i < WORDS; i++)
		write_text(w, "%s ", language[i].words);
	for (LibraryBlock b = {0}; library_block_next(&b);)
		write_text(w, "%.*s ", b.name_length, b.call);
	return writer_text(w, NULL);
}

const char *help_text(Arena *a, const char *name)
{
	Writer *w = writer_new(a);
	if (write_word(w, name)) /* before the operator of that name inside the compiler */
		return writer_text(w, NULL);
	const Op *op = op_find(name);
	if (op && !op->call && write_block(w, name)) /* a file can call the block alone: attention */
		return writer_text(w, NULL);
	const Optimizer *optimizer = optimizer_find(name);
	const char *instead = op && !op->call ? habit_help(a, HABIT_CALL, name, NULL, 0) : NULL;
	if (instead)
		write_line(w, "In a .net file %s\n", instead);
	if (op)
		write_lines(w, op_help(a, op, op_loops(op)->dnn));
	Writer *settings = writer_new(a); /* flip and clip are both */
	if (op && write_settings(settings, name, true))
		write_text(w, "\n%s", writer_text(settings, NULL));
	if (optimizer)
		write_line(w, "optimizer %s(%s)\n\n%s", optimizer->name, optimizer->call, optimizer->doc);
	bool found = op || optimizer || write_settings(w, name, false) || write_pass(w, name) ||
	             write_block(w, name) || write_ranks(w, name);
	const char *rule = found ? NULL : rule_help(a, name);
	if (rule)
		write_text(w, "%s", rule);
	found = found || rule;
	return found ? writer_text(w, NULL) : NULL;
}

/* What to write or where to look for a word that is of other languages, or of no one thing of this. */
static const char *help_elsewhere(Arena *a, const char *name)
{
	static const struct {
		const char *words, *text;
	} topics[] = {
	        {"recipe recipes settings", "a recipe is `train MODEL { ... }`; `nnc help` lists its "
	                                    "settings, `nnc help train` shows one"},
	        {"operators ops operator layers blocks optimizers words topics",
	         "`nnc help` lists operators, optimizers, settings, words and blocks"},
	        {"checkpoint checkpoints resume log predict sample options trainer",
	         "a trainer that nnc made has it: `./trainer --help` lists its commands and options"},
	};
	static const HabitPlace places[] = {HABIT_CALL,    HABIT_SETTING,  HABIT_STATEMENT,
	                                    HABIT_NAME,    HABIT_TYPE,     HABIT_DATA,
	                                    HABIT_AUGMENT, HABIT_SCHEDULE, HABIT_PRECISION};
	for (size_t i = 0; i < sizeof topics / sizeof *topics; i++)
		if (is_among(name, topics[i].words))
			return topics[i].text;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		const char *text = habit_help(a, places[i], name, NULL, 0);
		if (text)
			return text;
	}
	return NULL;
}

/* What `name` may have meant: a word that is spelt alike, else the shortest that begins with it. */
static const char *nearest_name(Arena *a, const char *name)
{
	ARRAY(const char *) names = {0};
	const char *all = help_names(a), *shortest = NULL;
	for (const char *at = all; *at; at += strspn(at, " ")) {
		size_t n = strcspn(at, " ");
		const char *word = arena_strndup(a, at, n);
		array_push(a, &names, word);
		if (strlen(name) >= 2 && strncmp(word, name, strlen(name)) == 0 &&
		    (!shortest || n < strlen(shortest)))
			shortest = word;
		at += n;
	}
	return shortest ? shortest : nearest_word(name, names.at, names.count);
}

int command_help(Arena *a, const Options *o)
{
	if (o->files.count == 0) {
		print_topics(a);
		return EXIT_OK;
	}
	for (int i = 0; i < o->files.count; i++) {
		const char *name = o->files.at[i], *text = help_text(a, name),
		           *elsewhere = text ? NULL : help_elsewhere(a, name);
		if (elsewhere)
			text = arena_printf(a, "no word of nnc: %s\n  %s\n", name, elsewhere);
		if (!text) {
			const char *near = nearest_name(a, name);
			fail(EXIT_USAGE,
			     "no operator, optimizer, setting, pass, block or word is called `%s`%s",
			     printable(a, name), near ? arena_printf(a, ", did you mean `%s`?", near) : "");
		}
		printf("%s%s", i > 0 ? "\n" : "", text);
	}
	return EXIT_OK;
}
