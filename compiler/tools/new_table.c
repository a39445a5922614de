/* SPDX-License-Identifier: MIT */
/* nnc new NAME --from=table FILE.csv: which column is learnt of which, by what is in them. */
#include "tools/new.h"

#include "base/utf8.h"
#include "front/scanner.h"
#include "front/value.h"
#include "tools/new_columns.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum {
	LEAST_ROWS = 16,
	MOST_CLASSES = 100,
	MOST_COLUMNS = 1000,
	NUMBERS_AS_CLASSES = 10, /* whole numbers of so many values are classes */
	MOST_WORD_INPUTS = 13,   /* of 16, with the target and the numbers; one is left */
};

/* What becomes of a column. */
typedef enum { ROLE_NUMBER, ROLE_WORD, ROLE_TARGET, ROLE_IGNORED, ROLE_PASSED } Role;

typedef struct Column {
	const SeenColumn *seen;
	Role role;
	const char *id;  /* of an input or target */
	const char *why; /* of one that is ignored or passed */
	int words;       /* of ROLE_WORD and of a target of classes: how many */
} Column;

typedef struct Plan {
	const NewRequest *r;
	Arena *a;
	const SeenTable *table;
	Column *columns;
	Column *target;
	bool classes;
	int numbers, flags, words;
	int batch, epochs;
} Plan;

static const char *shown(const Plan *p, const char *name)
{
	return printable(p->a, name);
}

/* ---- names */

/* Names that the text uses for something else, beside the keywords. */
static bool is_taken(const Plan *p, const char *name)
{
	static const char *const own[] = {"numbers",  "hidden", "scores",   "unit",         "prediction",
	                                  "features", "width",  "dense",    "embedding",    "concat",
	                                  "dropout",  "relu",   "accuracy", "f1",           "auc",
	                                  "r2",       "mae",    "mse",      "cross_entropy"};
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (strcmp(own[i], name) == 0)
			return true;
	for (int i = 0; lexer_keyword(i); i++)
		if (strcmp(lexer_keyword(i), name) == 0)
			return true;
	return strcmp(p->r->name, name) == 0;
}

/* As the runtime finds the column by it: `_` for each character that no name has, ahead of a digit, and behind a word
 * that means something else. */
static const char *identifier(const Plan *p, const char *column)
{
	char *id = arena_alloc(p->a, strlen(column) + 3), *to = id;
	if (isdigit((unsigned char)*column))
		*to++ = '_';
	while (*column) {
		uint32_t code;
		const int bytes = utf8_decode(column, UTF8_MOST, &code);
		const bool plain = (unsigned char)*column < 128 && isalnum((unsigned char)*column);
		*to++ = plain ? *column : '_';
		column += bytes > 0 ? bytes : 1;
	}
	*to = 0;
	if (is_taken(p, id)) {
		*to++ = '_';
		*to = 0;
	}
	return id;
}

/* A column in quotes: its name where that is plain, else what a model would write. */
static const char *quoted(const Plan *p, const char *column)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.:/()%";
	return arena_printf(p->a, "\"%s\"",
	                    strspn(column, plain) == strlen(column) ? column : identifier(p, column));
}

/* ---- what each column is for */

static Column *find_column(const Plan *p, const char *name)
{
	for (int i = 0; i < p->table->count; i++)
		if (strcmp(p->columns[i].seen->name, name) == 0)
			return &p->columns[i];
	for (int i = 0; i < p->table->count; i++)
		if (strcasecmp(p->columns[i].seen->name, name) == 0 ||
		    strcmp(identifier(p, p->columns[i].seen->name), name) == 0)
			return &p->columns[i];
	return NULL;
}

static const char *all_names(const Plan *p)
{
	enum { MOST = 12 };
	Writer *w = writer_new(p->a);
	for (int i = 0; i < p->table->count && i < MOST; i++)
		write_text(w, "%s`%s`", i ? ", " : "", shown(p, p->columns[i].seen->name));
	if (p->table->count > MOST)
		write_text(w, " and %d more", p->table->count - MOST);
	return writer_text(w, NULL);
}

static bool can_be_target(const Column *c)
{
	return c->seen->kind == SEEN_NUMBERS || c->seen->kind == SEEN_WORDS;
}

/* A column that says nothing, or numbers the rows, is nobody's aim; of any other that can't be learnt the user is
 * told. */
static bool may_be_meant(const SeenColumn *c)
{
	return c->kind != SEEN_NOTHING && c->kind != SEEN_ONE &&
	       !(c->kind == SEEN_NAMES && c->whole && !c->odd);
}

static Column *choose_target(const Plan *p)
{
	static const char *const usual[] = {"target", "label", "class", "y", "outcome"};
	Column *found = NULL;
	if (p->r->learn) {
		found = find_column(p, p->r->learn);
		if (!found)
			fail(EXIT_USAGE, "`%s` has no column `%s`; it has %s", shown(p, p->r->path),
			     shown(p, p->r->learn), all_names(p));
		return found;
	}
	for (size_t i = 0; i < sizeof usual / sizeof *usual && !found; i++)
		found = find_column(p, usual[i]);
	for (int i = p->table->count - 1; i >= 0 && !found; i--)
		if (may_be_meant(p->columns[i].seen))
			found = &p->columns[i];
	if (!found)
		fail(EXIT_USAGE, "no column of `%s` can be learnt: --learn=COLUMN says which is meant of %s",
		     shown(p, p->r->path), all_names(p));
	return found;
}

static void plan_target(Plan *p)
{
	p->target = choose_target(p);
	const SeenColumn *c = p->target->seen;
	const char *name = shown(p, c->name), *other = "; --learn=COLUMN names another";
	const int different = map_count(c->words);
	const char *const never[] = {
	        [SEEN_NOTHING] = "it is empty",
	        [SEEN_ONE] = "it has one value in all rows",
	        [SEEN_TIMES] =
	                "dates and times are no target yet: write the days from a first one as numbers",
	        [SEEN_NAMES] = arena_printf(p->a, "each row has another value, as `%s`",
	                                    shown(p, map_key(c->words, 0))),
	};
	if (c->odd && c->kind != SEEN_NUMBERS)
		fail(EXIT_USAGE, "the column `%s` can't be learnt: it has numbers as `%s`, and `%s`%s", name,
		     shown(p, c->odd_among), shown(p, c->odd), other);
	if (c->kind == SEEN_TEXTS || (c->kind == SEEN_WORDS && different > MOST_CLASSES))
		fail(EXIT_USAGE,
		     "the column `%s` can't be learnt: it has %s different words, as `%s`, and classes are "
		     "at most "
		     "%d%s",
		     name, different > MOST_WORDS ? "more than 4096" : grouped_digits(p->a, different),
		     shown(p, map_key(c->words, 0)), MOST_CLASSES, other);
	if (!can_be_target(p->target))
		fail(EXIT_USAGE, "the column `%s` can't be learnt: %s%s", name, never[c->kind], other);
	p->target->role = ROLE_TARGET;
	p->classes = c->kind == SEEN_WORDS || (c->whole && different <= NUMBERS_AS_CLASSES);
	p->target->words = different;
	if (p->classes && c->least_rows < 2)
		fail(EXIT_USAGE,
		     "the column `%s` can't be learnt: of one of its %d classes there is a single row%s",
		     name, different, other);
}

static void plan_column(Plan *p, Column *c)
{
	static const struct {
		Role role;
		const char *why;
	} by_kind[] = {
	        [SEEN_NOTHING] = {ROLE_IGNORED, "is empty"},
	        [SEEN_ONE] = {ROLE_IGNORED, "is the same in all rows"},
	        [SEEN_NUMBERS] = {ROLE_NUMBER, NULL},
	        [SEEN_TIMES] = {ROLE_NUMBER, NULL},
	        [SEEN_WORDS] = {ROLE_WORD, NULL},
	        [SEEN_TEXTS] = {ROLE_IGNORED, "has texts, of which most occur once"},
	        [SEEN_NAMES] = {ROLE_PASSED, "has another value in each row"},
	};
	c->role = by_kind[c->seen->kind].role;
	c->why = by_kind[c->seen->kind].why;
	if (c->role == ROLE_IGNORED && c->seen->odd)
		c->why = arena_printf(p->a, "has numbers as `%s`, and `%s`", shown(p, c->seen->odd_among),
		                      shown(p, c->seen->odd));
	if (c->role == ROLE_WORD && p->words == MOST_WORD_INPUTS) {
		c->role = ROLE_IGNORED;
		c->why = "has words, of which there are too many columns";
	}
	c->words = map_count(c->seen->words);
	p->words += c->role == ROLE_WORD;
	p->numbers += c->role == ROLE_NUMBER;
	p->flags += c->role == ROLE_NUMBER && c->seen->missing > 0;
}

/* The name of a column of words and of the target is all by which the runtime finds it. */
static void plan_name(Plan *p, Column *c)
{
	c->id = identifier(p, c->seen->name);
	for (int i = 0; i < p->table->count; i++) {
		const Column *other = &p->columns[i];
		if (other == c || strcmp(identifier(p, other->seen->name), c->id) != 0)
			continue;
		if (c->role == ROLE_TARGET)
			fail(EXIT_USAGE,
			     "`%s` and `%s` would have one name in a model, `%s`: give one of the columns "
			     "another",
			     shown(p, c->seen->name), shown(p, other->seen->name), c->id);
		p->words--;
		c->role = ROLE_IGNORED;
		c->why = "has a name that a model can't tell from another's";
		return;
	}
}

/* Some thousand steps, of batches of which an epoch has several. */
static void plan_length(Plan *p)
{
	enum { STEPS = 2000, LEAST = 10, MOST = 200 };
	const int64_t rows = p->table->rows;
	p->batch = rows < 64 ? 4 : rows < 320 ? 8 : rows < 20000 ? 32 : rows < 200000 ? 128 : 512;
	const double epochs = STEPS / fmax(1, (double)rows * 0.8 / p->batch);
	p->epochs = (int)fmin(MOST, fmax(LEAST, ceil(epochs)));
}

static void plan(Plan *p)
{
	const SeenTable *t = p->table;
	if (t->count > MOST_COLUMNS)
		fail(EXIT_USAGE, "`%s` has %d columns: nnc new looks at tables of %d at most",
		     shown(p, t->path), t->count, MOST_COLUMNS);
	if (t->rows < LEAST_ROWS)
		fail(EXIT_USAGE, "`%s` has %d rows: there is little to learn of fewer than %d",
		     shown(p, t->path), (int)t->rows, LEAST_ROWS);
	p->columns = NEW_ARRAY(p->a, Column, t->count);
	for (int i = 0; i < t->count; i++)
		p->columns[i].seen = &t->columns[i];
	plan_target(p);
	for (int i = 0; i < t->count; i++)
		if (p->columns[i].role != ROLE_TARGET)
			plan_column(p, &p->columns[i]);
	for (int i = 0; i < t->count; i++)
		if (p->columns[i].role == ROLE_TARGET || p->columns[i].role == ROLE_WORD)
			plan_name(p, &p->columns[i]);
	if (p->numbers + p->words == 0)
		fail(EXIT_USAGE,
		     "`%s` has no column of which `%s` could be learnt: numbers, dates, or words that come "
		     "again",
		     shown(p, t->path), shown(p, p->target->seen->name));
	plan_length(p);
}

/* ---- the text */

/* "`a`, `b`", in lines of a comment. */
static void write_columns_of(const Plan *p, Writer *w, Role role)
{
	enum { WIDTH = 90 };
	const char *line = "    #";
	int count = 0;
	for (int i = 0; i < p->table->count; i++) {
		const Column *c = &p->columns[i];
		if (c->role != role)
			continue;
		const char *item = arena_printf(p->a, "%s %s%s", count++ ? "," : "", shown(p, c->seen->name),
		                                c->seen->kind == SEEN_TIMES ? " (seconds)" : "");
		if (strlen(line) + strlen(item) > WIDTH) {
			write_line(w, "%s%s", line, count > 1 ? "," : "");
			line = arena_printf(p->a, "    #%s", item + (count > 1));
		} else {
			line = arena_printf(p->a, "%s%s", line, item);
		}
	}
	write_line(w, "%s", line);
}

static void write_left_out(const Plan *p, Writer *w)
{
	bool any = false;
	for (int i = 0; i < p->table->count; i++) {
		const Column *c = &p->columns[i];
		if (c->role != ROLE_IGNORED && c->role != ROLE_PASSED)
			continue;
		if (!any)
			write_line(w, "#\n# Left out:");
		any = true;
		write_line(w, "#   `%s` %s", shown(p, c->seen->name), c->why);
	}
}

/* How wide a row of an embedding is: enough for a few words, and not much more for many. */
static int embedding_width(int words)
{
	const int width = (words + 3) / 2;
	return width < 16 ? width : 16;
}

static const char *missing_text(const Plan *p, const SeenColumn *c)
{
	return c->missing ? arena_printf(p->a, ", %s missing", grouped_digits(p->a, (double)c->missing)) : "";
}

static void write_inputs(const Plan *p, Writer *w)
{
	if (p->numbers > 0) {
		write_line(w,
		           "    # all columns that nothing else takes, standardised by the rows that are "
		           "trained on%s:",
		           p->flags ? ",\n    # and flags of those with missing values" : "");
		write_columns_of(p, w, ROLE_NUMBER);
		write_line(w, "    input numbers: f32[%d]", p->numbers + p->flags);
	}
	if (p->words > 0)
		write_line(w, "    # words, of which row 0 is the place of missing and unknown ones");
	for (int i = 0; i < p->table->count; i++)
		if (p->columns[i].role == ROLE_WORD)
			write_line(w, "    input %s: i32[] # %d words%s", p->columns[i].id,
			           p->columns[i].words, missing_text(p, p->columns[i].seen));
	const SeenColumn *t = p->target->seen;
	if (p->classes)
		write_line(w, "    target %s: class[%d]%s%s", p->target->id, p->target->words,
		           t->missing ? " #" : "", t->missing ? missing_text(p, t) + 1 : "");
	else
		write_line(w, "    target %s: f32[1] # %.6g to %.6g%s", p->target->id, t->least, t->most,
		           missing_text(p, t));
}

static void write_features(const Plan *p, Writer *w)
{
	const bool several = p->words + (p->numbers > 0) > 1;
	const char *before = several ? "concat(\n        " : "";
	write_text(w, "    features = ");
	if (p->numbers > 0) {
		write_text(w, "%snumbers", before);
		before = ",\n        ";
	}
	for (int i = 0; i < p->table->count; i++) {
		const Column *c = &p->columns[i];
		if (c->role != ROLE_WORD)
			continue;
		write_text(w, "%s%s -> embedding(%d, %d)", before, c->id, c->words + 1,
		           embedding_width(c->words));
		before = ",\n        ";
	}
	write_line(w, "%s", several ? "\n    )" : "");
	write_line(w,
	           "    hidden = features -> dense(width) -> relu -> dropout(0.1) -> dense(width) -> relu");
}

static void write_loss(const Plan *p, Writer *w)
{
	const char *target = p->target->id;
	if (p->classes) {
		write_line(w, "    scores = hidden -> dense(%d)", p->target->words);
		write_line(w, "    loss cross_entropy(scores, %s)", target);
		write_line(w, "    metric accuracy(scores, %s)", target);
		write_line(w, "    metric %s(scores, %s)", p->target->words == 2 ? "auc" : "f1", target);
		write_line(w, "    output scores");
		return;
	}
	double mean, deviation;
	(void)sscanf(arena_printf(p->a, "%.4g %.4g", p->target->seen->mean, p->target->seen->deviation),
	             "%lf %lf", &mean, &deviation);
	const char *by = number_text(p->a, deviation), *off = number_text(p->a, fabs(mean)),
	           *minus = mean < 0 ? "+" : "-", *plus = mean < 0 ? "-" : "+";
	write_line(w, "    # the network learns in deviations from the mean, in which an error of 1 is "
	              "neither small nor large");
	write_line(w, "    unit = hidden -> dense(1)");
	write_line(w, "    prediction = unit*%s %s %s", by, plus, off);
	write_line(w, "    loss mse(unit, (%s %s %s)/%s)", target, minus, off, by);
	write_line(w, "    metric r2(prediction, %s)", target);
	write_line(w, "    metric mae(prediction, %s)", target);
	write_line(w, "    output prediction");
}

static void write_names(const Plan *p, Writer *w, const char *setting, Role role)
{
	bool any = false;
	for (int i = 0; i < p->table->count; i++) {
		if (p->columns[i].role != role)
			continue;
		write_text(w, "%s%s%s", any ? ", " : "    ", any ? "" : setting, any ? "" : " ");
		write_text(w, "%s", quoted(p, p->columns[i].seen->name));
		any = true;
	}
	if (any)
		write_line(w, "%s", "");
}

static void write_missing(const Plan *p, Writer *w)
{
	const char *comma = "";
	if (p->target->seen->missing)
		write_line(w, "    missing %s drop # nothing is learnt of a row without it",
		           quoted(p, p->target->seen->name));
	for (int i = 0; i < p->table->count; i++)
		if (p->columns[i].role == ROLE_NUMBER && p->columns[i].seen->missing > 0) {
			write_text(w, "%s%s", *comma ? comma : "    missing ",
			           quoted(p, p->columns[i].seen->name));
			comma = ", ";
		}
	if (*comma)
		write_line(w, " flag");
	write_line(w, "    missing median # what else may be empty; words have row 0 for it");
}

static const char *time_column(const Plan *p)
{
	for (int i = 0; i < p->table->count; i++)
		if (p->columns[i].seen->kind == SEEN_TIMES && p->columns[i].seen->missing == 0)
			return p->columns[i].seen->name;
	return NULL;
}

static void write_recipe(const Plan *p, Writer *w)
{
	const char *time = time_column(p);
	write_line(w, "\ntrain %s {", p->r->name);
	write_line(w, "    data table");
	write_missing(p, w);
	write_names(p, w, "ignore", ROLE_IGNORED);
	write_names(p, w, "pass", ROLE_PASSED);
	if (time)
		write_line(
		        w,
		        "    # where later rows are to be predicted from earlier ones: holdout 0.2 time %s",
		        quoted(p, time));
	write_line(w, "    holdout 0.2%s", p->classes ? " stratified" : "");
	write_line(w, "    optimizer adamw(rate = 0.001, decay = 0.01)");
	write_line(w, "    rate warmup 1ep cosine");
	write_line(w, "    batch %d", p->batch);
	write_line(w, "    epochs %d", p->epochs);
	write_line(w, "}");
}

void new_table(const NewRequest *r, Writer *w)
{
	Plan p = {.r = r, .a = r->arena, .table = table_look(r->arena, r->path)};
	plan(&p);
	write_line(w, "# %s of %s, by `nnc new`: %s rows, %d columns. What is learnt is `%s`, %s.", r->name,
	           shown(&p, base_name(r->path)), grouped_digits(p.a, (double)p.table->rows), p.table->count,
	           shown(&p, p.target->seen->name),
	           p.classes ? arena_printf(p.a, "one of %d classes", p.target->words) : "a number");
	write_line(w, "# All of it may be changed: `nnc help WORD` says what a word does, models/README.md "
	              "all of the language.");
	write_left_out(&p, w);
	write_line(w, "\nmodel %s(width = %d) {", r->name, p.table->rows < 1000 ? 32 : 64);
	write_inputs(&p, w);
	write_line(w, "%s", "");
	write_features(&p, w);
	write_loss(&p, w);
	write_line(w, "}");
	write_recipe(&p, w);
}
