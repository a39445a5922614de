/* SPDX-License-Identifier: MIT */
/* `augment` and `resize` of a recipe: how image files become samples. A new augmentation is a row. */
#include "base/writer.h"
#include "front/setting.h"

#include <stddef.h>

/* One augmentation, in the order in which they happen:
 *
 *   name        its word
 *   call        its arguments
 *   bare        it may stand without them
 *   flag        the bool of Augment that says that it is there; without one an argument that is not 0 does
 *   arguments   of each the value in Augment and its largest, of which the least is 0, or more than that; 0: it is a
 *               bool, and `true` or the word `set` sets it
 *   example     as it may be written */
enum { MOST_ARGUMENTS = 5 };

/* A value of Augment; the runtime's NnrAugment calls it the same. */
typedef struct Member {
	size_t at;
	const char *name; /* NULL: none */
} Member;

typedef struct AugmentArgument {
	Member to;
	double most;
	const char *set;
	bool positive, whole; /* 0 is no such value; it is an int */
} AugmentArgument;

typedef struct Row {
	const char *name, *call;
	bool bare;
	Member flag;
	AugmentArgument arguments[MOST_ARGUMENTS];
	const char *example;
} Row;

#define MEMBER(member)                             \
	{                                          \
		offsetof(Augment, member), #member \
	}
#define REAL(member, largest)                         \
	{                                             \
		.to = MEMBER(member), .most = largest \
	}
#define PART(member)                                              \
	{                                                         \
		.to = MEMBER(member), .most = 1, .positive = true \
	}

static const Row rows[] = {
        {.name = "random_resized_crop",
         .call = "scale: real = 0.08, ratio: real = 0.75",
         .bare = true,
         .arguments = {PART(least_area), PART(least_aspect)}},
        {.name = "color_jitter",
         .call = "brightness: real = 0, contrast: real = 0, saturation: real = 0",
         .arguments = {REAL(brightness, 1), REAL(contrast, 1), REAL(saturation, 1)},
         .example = "it is written: color_jitter(brightness = 0.4, contrast = 0.4, saturation = 0.4)"},
        {.name = "affine",
         .call = "degrees: real = 0, shift: real = 0, scale: real = 0, shear: real = 0, border: "
                 "zeros|reflect "
                 "= zeros",
         .arguments = {REAL(degrees, 180),
                       REAL(shift, 1),
                       REAL(zoom, 0.9),
                       REAL(shear, 45),
                       {.to = MEMBER(affine_reflect), .set = "reflect"}},
         .example = "it is written: affine(degrees = 15, shift = 0.1, scale = 0.2)"},
        {.name = "trivial", .call = "", .bare = true, .flag = MEMBER(trivial)},
        {.name = "randaugment",
         .call = "count: int = 2, strength: real = 9",
         .bare = true,
         .arguments = {{.to = MEMBER(operations), .most = 16, .positive = true, .whole = true},
                       REAL(strength, 30)}},
        {.name = "erase",
         .call = "share: real = 0.5, area: real = 0.33",
         .bare = true,
         .arguments = {REAL(erase, 1), PART(erase_area)}},
        {.name = "flip",
         .call = "alternate: bool = false",
         .bare = true,
         .flag = MEMBER(flip),
         .arguments = {{.to = MEMBER(alternate)}}},
        {.name = "crop",
         .call = "pad: int, border: zeros|reflect = zeros",
         .arguments = {{.to = MEMBER(crop), .most = 1024, .whole = true},
                       {.to = MEMBER(reflect), .set = "reflect"}},
         .example = "for 4 pixels: crop(pad = 4)"},
        {.name = "mixup", .call = "alpha: real = 0.2", .bare = true, .arguments = {PART(mixup)}},
        {.name = "cutmix", .call = "alpha: real = 1", .bare = true, .arguments = {PART(cutmix)}},
};

enum { ROWS = sizeof rows / sizeof *rows };

static const Row *find_row(const char *name)
{
	for (int i = 0; name && i < ROWS; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

static const Signature *signature_of(Arena *a, const Row *row)
{
	return signature_parse(a, "augmentation", row->name, row->call, false);
}

static bool set_argument(Reader *r, const AugmentArgument *argument, const char *name, Bound bound)
{
	void *to = (char *)&r->recipe->augment + argument->to.at;
	if (argument->most == 0) {
		*(bool *)to = bound.value.kind == VALUE_BOOL ? bound.value.truth
		                                             : strcmp(bound.value.text, argument->set) == 0;
		return true;
	}
	const double value = value_to_real(bound.value);
	if (value < 0 || value > argument->most || (argument->positive && value == 0))
		return setting_error(r, bound.loc, "setting-range",
		                     arena_printf(r->e->arena, "`%s` is %s 0 and %g%s", name,
		                                  argument->positive ? "more than" : "between",
		                                  argument->most, argument->positive ? " at most" : ""));
	if (argument->whole)
		*(int *)to = (int)bound.value.integer;
	else
		*(double *)to = value;
	return true;
}

static bool read_arguments(Reader *r, const Row *row, const Ast *call)
{
	const Signature *s = signature_of(r->e->arena, row);
	Arguments args = {0};
	Bound bound[MOST_ARGUMENTS];
	if ((call->kind == AST_CALL && !eval_arguments(r->e, call, s, &args)) ||
	    !bind_arguments(r->e, s, call->loc, args.at, args.count, bound))
		return false;
	for (int i = 0; i < s->count; i++)
		if (!set_argument(r, &row->arguments[i], s->params[i].name, bound[i]))
			return false;
	return true;
}

static bool read_augmentation(Reader *r, const Row *row, const Ast *item)
{
	bool called = item->kind == AST_CALL;
	r->at++;
	if (row->flag.name)
		*(bool *)((char *)&r->recipe->augment + row->flag.at) = true;
	if (called || row->bare)
		return read_arguments(r, row, item);
	elab_error(r->e, item->loc, "setting-type", "`%s` needs %s", row->name,
	           row->arguments[1].most > 0 ? "arguments" : "a padding");
	diag_help(r->e->diag, "%s", row->example);
	return false;
}

bool read_augment_list(Reader *r)
{
	const char *words[ROWS + 1] = {[ROWS] = "none"};
	bool given[ROWS] = {false};
	for (int i = 0; i < ROWS; i++)
		words[i] = rows[i].name;
	r->recipe->augment = (Augment){0};
	r->recipe->augment_loc = setting_here(r);
	if (!setting_peek(r))
		return setting_error(r, r->setting->loc, "setting-syntax", "a value is missing here");
	for (const Ast *next = setting_peek(r); next; next = setting_peek(r)) {
		bool names = next->kind == AST_NAME || next->kind == AST_CALL;
		const Row *row = names ? find_row(next->name) : NULL;
		if (row && given[row - rows])
			return setting_error(r, next->loc, "setting-syntax", "this is given twice");
		if (row) {
			given[row - rows] = true;
			if (!read_augmentation(r, row, next))
				return false;
		} else if (!setting_take_word(r, "none")) {
			setting_error(r, next->loc, "setting-type", "this is no augmentation");
			if (next->name)
				setting_suggest(r, HABIT_AUGMENT, next->name, words, ROWS + 1);
			elab_list(r->e, "augmentation", words, ROWS);
			return false;
		}
	}
	return true;
}

static bool is_set(const Augment *a, Member m)
{
	return m.name && *(const bool *)((const char *)a + m.at);
}

static double number_of(const Augment *a, const AugmentArgument *x)
{
	const void *at = (const char *)a + x->to.at;
	return x->whole ? *(const int *)at : *(const double *)at;
}

static bool happens(const Augment *a, const Row *row)
{
	bool any = is_set(a, row->flag);
	for (int i = 0; i < MOST_ARGUMENTS && row->arguments[i].most > 0; i++)
		any = any || number_of(a, &row->arguments[i]) > 0;
	return any;
}

const char *augment_text(Arena *arena, const Augment *a)
{
	const char *between = " ";
	Writer *w = writer_new(arena);
	write_text(w, "augment");
	for (const Row *row = rows; row < rows + ROWS; row++) {
		const Signature *s = signature_of(arena, row);
		const char *comma = "(";
		if (!happens(a, row))
			continue;
		write_text(w, "%s%s", between, row->name);
		between = ", ";
		for (int i = 0; i < s->count; i++) {
			const AugmentArgument *x = &row->arguments[i];
			if (x->most == 0 && !is_set(a, x->to))
				continue;
			write_text(w, "%s%s = %s", comma, s->params[i].name,
			           x->most > 0 ? number_text(arena, number_of(a, x))
			           : x->set    ? x->set
			                       : "true");
			comma = ", ";
		}
		write_text(w, "%s", *comma == ',' ? ")" : "");
	}
	return arena_strdup(arena, writer_text(w, NULL));
}

const char *augment_members(Arena *arena, const Augment *a)
{
	const char *comma = "";
	Writer *w = writer_new(arena);
	for (const Row *row = rows; row < rows + ROWS; row++) {
		if (!happens(a, row))
			continue;
		if (row->flag.name) {
			write_text(w, "%s.%s = true", comma, row->flag.name);
			comma = ", ";
		}
		for (int i = 0; i < MOST_ARGUMENTS && row->arguments[i].to.name; i++) {
			const AugmentArgument *x = &row->arguments[i];
			if (x->most == 0 && !is_set(a, x->to))
				continue;
			write_text(w, "%s.%s = ", comma, x->to.name);
			if (x->most > 0)
				write_text(w, "%.17g", number_of(a, x));
			else
				write_text(w, "true");
			comma = ", ";
		}
	}
	return arena_strdup(arena, writer_text(w, NULL));
}

/* ---- resize */

bool read_resize_item(Reader *r)
{
	static const char *const words[] = {"keep_aspect", "stretch"};
	const Ast *next = setting_peek(r);
	r->recipe->shorter_side = 0;
	r->recipe->resize_loc = setting_here(r);
	if (setting_take_word(r, "stretch"))
		return true;
	if (next && next->kind == AST_CALL && strcmp(next->name, "keep_aspect") == 0) {
		const Signature *s =
		        signature_parse(r->e->arena, "way to resize", "keep_aspect", "shorter: int", false);
		Arguments args = {0};
		Bound shorter;
		r->at++;
		if (!eval_arguments(r->e, next, s, &args) ||
		    !bind_arguments(r->e, s, next->loc, args.at, args.count, &shorter))
			return false;
		r->recipe->shorter_side = shorter.value.integer;
		return (shorter.value.integer >= 1 && shorter.value.integer <= 65536) ||
		       setting_error(r, shorter.loc, "setting-range",
		                     "the shorter side is from 1 to 65536 pixels");
	}
	setting_error(r, setting_here(r), "setting-type",
	              !next ? "a value is missing here"
	              : next->kind == AST_NAME && strcmp(next->name, "keep_aspect") == 0
	                      ? "`keep_aspect` needs the length of the shorter side"
	                      : "this is no way to resize");
	if (next && next->kind == AST_NAME && strcmp(next->name, "keep_aspect") != 0)
		setting_suggest(r, HABIT_NAME, next->name, words, 2);
	return false;
}

bool read_resize(Reader *r)
{
	return read_resize_item(r) && setting_end(r);
}
