/* SPDX-License-Identifier: MIT */
/* The state of one elaboration, and who does what with it. Private to front/.
 *
 *   load.c       files reached by `use`; the blocks, models and recipes they declare
 *   scope.c      frames: variables, stable names, diagnostics with their block path
 *   eval.c       expressions          arith.c    arithmetic on values and tensors
 *   builtin.c    compile-time functions
 *   statement.c  statements, models, block instantiation
 *   scan.c       scan and yield
 *   constant.c   constant tensors, split
 *   learned.c    param statements
 *   signature.c  parameter lists and the binding of arguments to them
 *   call.c       calls of operators: the Call API of ir/op.h
 *   layers.c     the table of --print=layers
 *   setting.c    one line of a recipe; recipe.c  the whole of it
 *   elaborate.c  which model, which recipe; the two graphs */
#ifndef NNC_EVAL_H
#define NNC_EVAL_H

#include "base/array.h"
#include "base/map.h"
#include "front/elaborate.h"
#include "front/habits.h"
#include "front/signature.h"
#include "front/value.h"

/* ---- declarations: load.c */
typedef struct Declarations {
	Map *blocks, *models;      /* name -> const Ast * */
	ARRAY(const Ast *) trains; /* in order: those of used files first */
	ARRAY(const Ast *) own;    /* models and recipes of the main file */
	bool is_lost;              /* some may be missing, of files that can't be used: that has been said */
} Declarations;

/* Models that begin from another one become what they stand for (derive.c); false after errors. */
bool derive_models(Arena *a, Diagnostics *d, Declarations *declared);
/* NULL after errors. */
Declarations *load_declarations(Arena *a, Diagnostics *d, const Source *source);

/* ---- frames: scope.c */

/* One assignment of the text, over all its executions: for the warning about tensors that nothing reads. */
typedef struct Usage {
	const char *name;
	Loc loc;
	bool used;
} Usage;

typedef struct Binding {
	Value value;
	Usage *usage; /* of an assigned tensor; NULL otherwise */
	bool bound;   /* false once a loop has ended that introduced the name */
} Binding;

/* One execution of a model's or a block's body. */
typedef struct Frame Frame;
struct Frame {
	Frame *caller;
	const Ast *block;  /* MODEL or BLOCK; NULL while recipes and -D are evaluated */
	const char *scope; /* stable path of the instantiation: "bottleneck.conv_bn", "" at the top */
	const Site *site;  /* the call that made it, NULL at the top */
	Map *bindings;     /* name -> Binding * */
	Map *segments;     /* scope segments given out -> Segment of scope.c */
	bool shared;       /* what it makes is there already where the names are */
	bool fixed;        /* no gradient goes to the parameters that it reads */
	bool returned;
	Value result;
	struct Step *step; /* of the scan whose body runs, the innermost; NULL outside one: scan.c */
};

/* What a call is called: `name = "layer1"`, or `shared = "tower"`, which several calls may have, whose parameters are
 * one and the same then. Without a place: neither is given. With `learns = false` the parameters count as constants in
 * this call. */
typedef struct LayerName {
	Value value;
	Loc loc;
	bool shared;
	bool fixed;
} LayerName;

typedef struct LayerRow {
	const char *path; /* "bottleneck.conv_bn.conv" */
	Loc loc;
	const Node *input, *output; /* input may be NULL */
	int64_t times;              /* that it is computed: steps of the scans around it */
} LayerRow;

typedef struct Elab {
	Arena *arena;
	Diagnostics *diag;
	const Declarations *declared;
	Loc loss;     /* of the statement that gave `graph` its loss */
	Graph *graph; /* being built; NULL while recipes and -D are evaluated */
	Frame *frame;
	int depth;          /* of evaluation, see elab_enter */
	int64_t budget;     /* what is left of LIMIT_STEPS_EVALUATED */
	bool stop;          /* a limit was met: unwind without further diagnostics */
	bool units_allowed; /* numbers may have units: in recipes */
	bool collecting;    /* warnings and layer rows: in one of the two elaborations */
	bool quiet;         /* elaborate_again: in neither */
	bool counts_steps;  /* a real tensor has counted as whole numbers, perhaps for what a scan carries */
	const Parameter *hint; /* the parameter that a name being evaluated is for, to suggest its words */
	Map *words;            /* every word of every signature -> non-NULL */
	Map *signatures;       /* callee -> const Signature * */
	Map *usages;           /* "path:offset" -> Usage * */
	Recipe *recipe;        /* that the model is run for; NULL before, and where it is wrong */
	Map *params; /* names of parameters and states of `graph` -> Node *, of inputs -> const Ast * */
	ARRAY(LayerRow) rows;
	ARRAY(const Ast *) spine; /* stack of eval.c */
} Elab;

Elab *elab_new(Arena *a, Diagnostics *d, const Declarations *declared);
/* An error at `loc`, followed by the notes of the block path of the current frame; the value is VALUE_ERROR. */
Value elab_error(Elab *e, Loc loc, const char *id, const char *format, ...)
        __attribute__((format(printf, 4, 5)));
/* A note "did you mean ..." when a candidate is near. */
void elab_suggest(Elab *e, const char *word, const char *const *candidates, int count);
/* What those write instead of `word` who know it from elsewhere (habits.h); false: nothing is known of it. */
bool elab_habit(Elab *e, HabitPlace place, const char *word, const char *const *candidates, int count);
/* A note with all of them: "the models are `lenet`, `vgg`". */
void elab_list(Elab *e, const char *what, const char *const *candidates, int count);
/* What may be meant by a word that is spelt alike, or else all of them. */
void elab_suggest_or_list(Elab *e, const char *word, const char *what, const char *const *candidates,
                          int count);
/* Takes n steps from the budget; false, after a diagnostic, when it is spent or elaboration has been stopped. */
bool elab_charge(Elab *e, Loc loc, int64_t n);
/* Around every recursion; false, after a diagnostic, when nested too deeply. */
bool elab_enter(Elab *e, Loc loc);
void elab_leave(Elab *e);

void frame_push(Elab *e, Frame *f, const Ast *block, const char *scope, const Site *site);
void frame_pop(Elab *e);
const Site *site_here(Elab *e, Loc loc); /* the place `loc` in the current frame */
Build *build_here(Elab *e, Loc loc);
void scope_bind(Elab *e, const char *name, Value v, Loc loc);
Binding *scope_find(Elab *e, const char *name); /* NULL when not bound now */
/* "scope.segment" where segment is `wanted` or, when taken, wanted_2, wanted_3 ... */
char *scope_segment(Elab *e, const char *wanted, Loc loc);
/* The same with a segment chosen by the user, for a call of `callee`: NULL after a diagnostic when it is taken or no
 * valid name. It is not taken where both calls share it and call the same. */
char *scope_named_segment(Elab *e, const LayerName *name, const void *callee);
/* The frame's segments as they are now, to be set again: steps of a scan give out the same names. */
Map *scope_segments(Elab *e);
char *scope_join(Elab *e, const char *segment); /* without reserving it */
void warn_unused(Elab *e, const Source *file);

/* ---- expressions: eval.c, arith.c, builtin.c */

typedef struct Argument {
	const char *name; /* keyword or NULL */
	Loc loc, name_loc;
	Value value;
	bool by_arrow; /* it stands left of an arrow */
} Argument;

typedef ARRAY(Argument) Arguments;

Value eval(Elab *e, const Ast *expression);
bool eval_condition(Elab *e, const Ast *expression, const char *what, bool *out);
/* An int of at least `least`; false after a diagnostic. */
bool eval_int(Elab *e, const Ast *expression, const char *what, int64_t least, int64_t *out);
/* Evaluates the ARG kids of `call`; `signature` (may be NULL) helps with suggestions. False when one failed. */
bool eval_arguments(Elab *e, const Ast *call, const Signature *signature, Arguments *out);

Value arith_binary(Elab *e, Loc loc, const char *op, Value x, Value y);
Value arith_unary(Elab *e, Loc loc, const char *op, Value x);
Value value_member(Elab *e, const Ast *member, Value x);
Value value_index(Elab *e, const Ast *index, Value x, Value i);

typedef struct Builtin Builtin;
const Builtin *builtin_find(const char *name);
Value builtin_call(Elab *e, const Builtin *b, Loc loc, const Arguments *args);
int builtin_count(void);
const char *builtin_name(int i);
const char *builtin_usage(const Builtin *b);

/* ---- statements: statement.c */

/* Binds one name, or each of several to an element of v. */
bool bind_names(Elab *e, const Ast *const *names, int count, Value v, Loc value_loc);
/* f32[batch]: 1 for each sample that has all the numbers that `n`, one per sample, is computed of; NULL: all have. */
Node *counted_samples(Build *b, const Node *n);
bool run_body(Elab *e, const Ast *body); /* false once a diagnostic was reported in it */
Value instantiate_block(Elab *e, const Ast *block, Loc loc, const Arguments *args, const LayerName *name);

/* ---- operators: call.c */

Value call_operator(Elab *e, const Op *op, Loc loc, const Arguments *args, const LayerName *name);
/* The parameter or state `name` of the graph: a new leaf or, with `shared`, the one that is there, of the same shape.
 * NULL after a diagnostic. */
Node *named_leaf(Elab *e, const char *op, const char *name, Type t, const Attr *attrs, int attr_count,
                 Loc loc, bool shared);
/* The parameter, or where it counts as a constant, what stops its gradient. */
Node *param_as_read(Build *b, Node *param, bool fixed);
/* x as a real tensor: a u8 or i32 one gets a cast to f32. */
Node *as_real(Build *b, Node *x);

/* mixture.c: the loss by mixed targets, of a training; NULL after a diagnostic. */
Node *mixture_loss(Elab *e, Build *b, Node *loss);
/* Whether all its elements are whole numbers for certain, so that it can be an index. */
bool is_whole_tensor(const Node *n);
/* Makes the pointwise node `op` after giving all tensors the same rank, samples aligned at the last dimension. Messages
 * name it, and its operands, as those of what is `called`; NULL: as it is, and by number. */
Node *build_pointwise(Elab *e, Build *b, const Op *op, Loc loc, int count, Node **operands, int attr_count,
                      const Attr *attrs, const Signature *called);
void layer_add(Elab *e, const char *path, Loc loc, const Node *input, const Node *output, int first);

/* "normal": as the graph's parameters have it. */
const char *init_name(InitKind kind);
/* Of a word or a call; false: it is neither. */
bool init_of_value(Value v, double fan_in, double fan_out, InitKind *kind, double *a);

/* ---- constant.c: rows of builtin.c */
Value run_zeros(Elab *e, Loc loc, const Argument *args, int count);
Value run_ones(Elab *e, Loc loc, const Argument *args, int count);
Value run_full(Elab *e, Loc loc, const Argument *args, int count);
Value run_arange(Elab *e, Loc loc, const Argument *args, int count);
Value run_eye(Elab *e, Loc loc, const Argument *args, int count);
Value run_causal_mask(Elab *e, Loc loc, const Argument *args, int count);
Value run_tensor(Elab *e, Loc loc, const Argument *args, int count);
Value run_split(Elab *e, Loc loc, const Argument *args, int count);

/* ---- scan.c */
Value run_scan(Elab *e, const Ast *s);      /* what its steps yield, stacked */
bool run_scan_alone(Elab *e, const Ast *s); /* for the states that it leaves */
bool run_yield(Elab *e, const Ast *s);
/* Whether the step that runs assigns `name`, so that it would be carried if it were there before the scan. */
bool scan_would_carry(const Elab *e, const char *name);

/* ---- learned.c */
bool run_learned(Elab *e, const Ast *s);

/* ---- layers.c */
/* What each row of e->rows is and costs in `g`. */
const Layer *layers_rows(Elab *e, const Graph *g);
/* Operations of a sample, forward in training, where convolutions and products are not those of evaluation; else 0. */
double layers_training_flops(const Graph *training, const Graph *evaluation);
char *layers_text(Arena *a, const Graph *g, double training_flops, const Layer *rows, int count);

/* ---- recipe.c */
/* Checks recipe `train` (NULL: every default) and what it inherits; NULL after errors. */
Recipe *recipe_new(Elab *e, const Ast *train, const char *model, Definition *settings, int setting_count);
/* The `train` block that `train` inherits from; NULL when none, or after a diagnostic when there is no such. */
const Ast *recipe_base(Elab *e, const Ast *train);
const char *recipe_name(const Ast *train);

#endif
