/* SPDX-License-Identifier: MIT */
/* The functions of a model's library form, and the header that declares them: `nnc --emit=lib`.
 *
 * Both are made of one list of functions, so that they can't differ. Arguments have the types of the model's
 * tensors, and their names; what they do is in runtime/library/nnr_library.h. */
#include "emit/describe.h"
#include "emit/emitter.h"
#include "codegen/expr.h"
#include "base/licences.h"
#include "base/version.h"

#include <ctype.h>
#include <string.h>

typedef struct Argument {
	const char *name, *type; /* "image", "const uint8_t *" */
	const char *what;        /* for the header */
} Argument;

typedef ARRAY(Argument) Arguments;

typedef struct Library {
	Arena *arena;
	const char *prefix;
	const char *
	        type; /* of an instance: "mnist_cnn" in the header, "struct mnist_cnn" beside the model's tables */
	const char *batch; /* the constant for it: "MNIST_CNN_BATCH" */
	Arguments inputs, targets, outputs, scores;
	Arguments columns; /* the inputs with real ones in double; none where these are the same */
	bool forward_takes_targets;
	Map *names; /* of arguments, taken */
} Library;

/* What the functions have besides, and what their file has: an argument would hide it. */
static const char *const other_names[] = {"m",     "made",    "seed",   "path",   "samples",
                                          "rate",  "model",   "inputs", "params", "states",
                                          "steps", "sources", "places", "lines"};

static char *upper(Arena *a, const char *prefix, const char *ending)
{
	char *text = arena_printf(a, "%s%s", prefix, ending);
	for (char *at = text; *at; at++)
		*at = (char)toupper((unsigned char)*at);
	return text;
}

static const char *prefix_of(Arena *a, const Compiled *c)
{
	const char *name = c_identifier(a, c->train->graph->name);
	return strncmp(name, "nnr", 3) == 0 ? arena_printf(a, "model_%s", name)
	                                    : name; /* the runtime's names */
}

/* "[28, 28, 1] of each sample", without the batch. */
static const char *sample_shape(Arena *a, Type t)
{
	if (t.rank <= 1)
		return "one of each sample";
	const char *text = "";
	for (int i = 1; i < t.rank; i++)
		text = arena_listed(a, text, "%lld", (long long)t.dim[i]);
	return arena_printf(a, "[%s] of each sample", text);
}

/* In the order of the model's table of inputs. */
static void add_inputs(Library *l, const Program *p)
{
	Arena *a = l->arena;
	bool any = false;
	for (int i = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		if (!is_batch_input(b))
			continue;
		bool target = node_is_target(b->node);
		int64_t below = values_below(p, b->node);
		const char *name = node_text(b->node, "name"),
		           *classes = below > 0
		                              ? arena_printf(a, ", each from 0 to %lld", (long long)below - 1)
		                              : "";
		const bool single = !target && b->type.dtype == DTYPE_F32;
		Argument x = {c_identifier_free(l->arena, l->names, name),
		              arena_printf(a, "const %s *", dtype_c_name(b->type.dtype)),
		              arena_printf(a, "%s%s", sample_shape(a, b->type), classes)};
		if (target)
			array_push(a, &l->targets, x);
		else
			array_push(a, &l->inputs, x);
		any = any || single;
		if (single)
			x.type = "const double *";
		if (!target)
			array_push(a, &l->columns, x);
	}
	if (!any)
		l->columns.count = 0;
}

static void add_outputs(Library *l, const Program *predict)
{
	const Graph *g = predict->graph;
	for (int i = 0; i < g->output_count; i++) {
		const Output *o = &g->outputs[i];
		Type t = o->node->type;
		if (o->kind != OUTPUT_VALUE || t.rank < 1 || t.dim[0] != g->batch) {
			l->outputs.count =
			        0; /* as `predict` of a trainer: each sample has all of them, or there are none */
			return;
		}
		array_push(l->arena, &l->outputs,
		           ((Argument){c_identifier_free(l->arena, l->names, o->name),
		                       arena_printf(l->arena, "%s *", dtype_c_name(t.dtype)),
		                       sample_shape(l->arena, t)}));
	}
}

/* The loss, then the metrics, as the runtime finds them. */
static void add_scores(Library *l, const Graph *g)
{
	for (int metrics = 0; metrics < 2; metrics++)
		for (int i = 0; i < g->output_count; i++)
			if (g->outputs[i].kind == (metrics ? OUTPUT_METRIC : OUTPUT_LOSS))
				array_push(
				        l->arena, &l->scores,
				        ((Argument){c_identifier_free(l->arena, l->names, g->outputs[i].name),
				                    "double *", "mean over the samples"}));
}

static Library library_of(Arena *a, const Compiled *c)
{
	Library l = {.arena = a, .prefix = prefix_of(a, c), .names = map_new(a)};
	l.type = l.prefix;
	l.batch = upper(a, l.prefix, "_BATCH");
	for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
		map_set(l.names, other_names[i], a);
	add_inputs(&l, c->train);
	add_outputs(&l, c->predict);
	add_scores(&l, c->train->graph);
	l.forward_takes_targets = reads_targets(c->predict);
	return l;
}

/* ---- one function after the other */

static const char *parameters(const Library *l, const Arguments *list)
{
	const char *text = "";
	for (int i = 0; i < list->count; i++)
		text = arena_printf(l->arena, "%s, %s%s", text, list->at[i].type, list->at[i].name);
	return text;
}

static const char *values(const Library *l, const Arguments *list)
{
	const char *text = "";
	for (int i = 0; i < list->count; i++)
		text = arena_listed(l->arena, text, "%s", list->at[i].name);
	return text;
}

/* In the order of the model's table of inputs, which has the targets where the .net file has them. */
static const char *all_inputs(const Library *l, const Program *p, bool with_targets)
{
	const char *text = "";
	int input = 0, target = 0;
	for (int i = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		if (!is_batch_input(b))
			continue;
		bool is_target = node_is_target(b->node);
		const char *name = is_target ? l->targets.at[target++].name : l->inputs.at[input++].name;
		text = arena_listed(l->arena, text, "%s", is_target && !with_targets ? "0" : name);
	}
	return text;
}

static const char *described(const Library *l, const Arguments *list)
{
	const char *text = "";
	for (int i = 0; i < list->count; i++)
		text = arena_printf(l->arena, "%s\n *   %s: %s", text, list->at[i].name, list->at[i].what);
	return text;
}

typedef struct Function {
	const char *result, *name, *parameters, *body;
	const char *comment; /* of the header */
} Function;

typedef ARRAY(Function) Functions;

/* create, load, save and free have the same arguments for every model. */
static Function create_function(const Library *l)
{
	return (Function){"const char *", "create",
	                  arena_printf(l->arena, "%s **made, uint64_t seed", l->type),
	                  "return nnr_create(&model, seed, (NnrInstance **)made);",
	                  "An instance with the initial weights that a trainer draws by --seed. *made is "
	                  "NULL on failure."};
}

static Function load_function(const Library *l)
{
	return (Function){
	        "const char *", "load", arena_printf(l->arena, "%s *m, const char *path", l->type),
	        "return nnr_load((NnrInstance *)m, path);",
	        "A checkpoint of this model, by a trainer or by save: weights, the optimizer's "
	        "state, the number of\n"
	        " * steps. Or weights by their names, from any safetensors file. One that is "
	        "refused changes nothing. Of\n"
	        " * weights that were trained on a table, real inputs are its columns as they are from "
	        "then on."};
}

static Function save_function(const Library *l)
{
	return (Function){"const char *", "save", arena_printf(l->arena, "%s *m, const char *path", l->type),
	                  "return nnr_save((NnrInstance *)m, path);",
	                  "A checkpoint, which a trainer's eval, predict and --init read too; written whole "
	                  "or not at all."};
}

static Function forward_function(const Library *l, const Program *train)
{
	Arena *a = l->arena;
	bool targets = l->forward_takes_targets;
	return (Function){
	        "const char *", "forward",
	        arena_printf(a, "%s *m, int64_t samples%s%s%s", l->type, parameters(l, &l->inputs),
	                     targets ? parameters(l, &l->targets) : "", parameters(l, &l->outputs)),
	        arena_printf(a,
	                     "return nnr_forward((NnrInstance *)m, samples, (const void *const[]){%s},\n"
	                     "\t                   (void *const[]){%s});",
	                     all_inputs(l, train, targets), values(l, &l->outputs)),
	        arena_printf(a,
	                     "What the model predicts for any number of samples, one after the other in "
	                     "each array; an\n"
	                     " * output that is NULL is not wanted.%s%s%s",
	                     described(l, &l->inputs), targets ? described(l, &l->targets) : "",
	                     described(l, &l->outputs))};
}

static Function train_function(const Library *l, const Compiled *c)
{
	Arena *a = l->arena;
	return (Function){
	        "const char *", "train_step",
	        arena_printf(a, "%s *m%s%s, double rate%s", l->type, parameters(l, &l->inputs),
	                     parameters(l, &l->targets), parameters(l, &l->scores)),
	        arena_printf(a,
	                     "return nnr_train_step((NnrInstance *)m, (const void *const[]){%s}, rate,\n"
	                     "\t                      (double *const[]){%s});",
	                     all_inputs(l, c->train, true), values(l, &l->scores)),
	        arena_printf(a,
	                     "One step of the optimizer over %s samples, taken as they are: nothing is "
	                     "augmented. The\n"
	                     " * recipe's rate begins with %g; its schedule is the caller's. A loss that is "
	                     "no finite number is an\n"
	                     " * error, after the step.%s%s%s\n * The last %d may be NULL: not wanted.",
	                     l->batch, c->source->recipe->schedule.rate, described(l, &l->inputs),
	                     described(l, &l->targets), described(l, &l->scores), l->scores.count)};
}

/* `f`, forward or train_step, of the inputs with real ones in double. */
static Function of_columns(const Library *l, Function f)
{
	Arena *a = l->arena;
	const char *inputs = parameters(l, &l->inputs), *at = strstr(f.parameters, inputs),
	           *body = strchr(f.body, '(');
	f.parameters = arena_printf(a, "%.*s%s%s", (int)(at - f.parameters), f.parameters,
	                            parameters(l, &l->columns), at + strlen(inputs));
	f.body = arena_printf(a, "%.*s_columns%s", (int)(body - f.body), f.body, body);
	f.comment = arena_printf(
	        a,
	        "%s with real inputs in double: columns of a table whose numbers single precision "
	        "can't tell\n * apart, as seconds since 1970.",
	        f.name);
	f.name = arena_printf(a, "%s_columns", f.name);
	return f;
}

static Function free_function(const Library *l)
{
	return (Function){"void ", "free", arena_printf(l->arena, "%s *m", l->type),
	                  "nnr_free((NnrInstance *)m);", "NULL: nothing."};
}

static Functions functions_of(const Library *l, const Compiled *c)
{
	Functions all = {0};
	array_push(l->arena, &all, create_function(l));
	array_push(l->arena, &all, load_function(l));
	array_push(l->arena, &all, save_function(l));
	const Function forward = forward_function(l, c->train), train = train_function(l, c);
	if (l->outputs.count > 0)
		array_push(l->arena, &all, forward);
	array_push(l->arena, &all, train);
	if (l->outputs.count > 0 && l->columns.count > 0)
		array_push(l->arena, &all, of_columns(l, forward));
	if (l->columns.count > 0)
		array_push(l->arena, &all, of_columns(l, train));
	array_push(l->arena, &all, free_function(l));
	return all;
}

void emit_library(Emitter *e)
{
	Library l = library_of(e->arena, e->compiled);
	l.type = arena_printf(e->arena, "struct %s", l.prefix); /* a tag: a model may be called `sources` */
	Functions all = functions_of(&l, e->compiled);
	write_line(e->w,
	           "/* ---- the library's functions, declared in the header that nnc writes beside it */");
	write_line(e->w, "#include \"library/nnr_library.h\"");
	write_line(e->w, "%s;", l.type);
	for (int i = 0; i < all.count; i++) {
		const Function *f = &all.at[i];
		write_text(e->w, "\n");
		write_line(e->w, "__attribute__((visibility(\"default\"))) %s%s_%s(%s)", f->result, l.prefix,
		           f->name, f->parameters);
		write_line(e->w, "{");
		write_line(e->w, "\t%s", f->body);
		write_line(e->w, "}");
	}
}

const char *library_functions(Arena *a, const Compiled *c)
{
	Library l = library_of(a, c);
	Functions all = functions_of(&l, c);
	const char *text = "";
	for (int i = 0; i < all.count; i++)
		text = arena_printf(a, "%s%s_%s\n", text, l.prefix, all.at[i].name);
	return text;
}

/* ---- the header */

static const char header_text[] = " * Link the .so, or the .a with -fopenmp -lz -lm -ldl -pthread. Every "
                                  "function but free returns NULL, or why it\n"
                                  " * failed: a text that stays until the next call with the same instance, "
                                  "that of create until the next in the same\n"
                                  " * thread. Nothing is printed, and nothing ends the process. One instance "
                                  "is for one thread at a time.\n";
const char *library_header(Arena *a, const Compiled *c, const DriverOptions *options)
{
	Library l = library_of(a, c);
	Functions all = functions_of(&l, c);
	Writer *w = writer_new(a);
	const char *guard = upper(a, l.prefix, "_H"), *slash = strrchr(c->source->path, '/');
	write_line(w, "/* The model %s as a library, from %s by nnc %s.", c->train->graph->name,
	           comment_text(a, slash ? slash + 1 : c->source->path), NNC_VERSION);
	write_line(w, " * %s", LICENCE_OF_OUTPUT);
	write_line(w, " *");
	write_line(w, " * %s", comment_text(a, c->source->recipe->text));
	write_line(w, " *");
	write_text(w, "%s%s", header_text, options->target->library_note);
	write_line(w, "#ifndef %s", guard);
	write_line(w, "#define %s", guard);
	write_text(w, "#include <stdint.h>\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
	write_line(w, "typedef struct %s %s;", l.prefix, l.prefix);
	write_line(w, "enum { %s = %lld }; /* samples of a training step */", l.batch,
	           (long long)c->source->recipe->batch);
	for (int i = 0; i < all.count; i++) {
		const Function *f = &all.at[i];
		write_text(w, "\n");
		write_line(w, "/* %s */", f->comment);
		write_line(w, "%s%s_%s(%s);", f->result, l.prefix, f->name, f->parameters);
	}
	write_text(w, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
	return writer_text(w, NULL);
}
