/* SPDX-License-Identifier: MIT */
/* `augment` and `resize` of a recipe: how image files become samples. A new augmentation is a row. */
#include "base/writer.h"
#include "front/setting.h"

#include <stddef.h>

/* One augmentation:
 *
 *   name        its word
 *   call        its arguments
 *   bare        it may stand without them
 *   flag        place in Augment of a bool that says that it is there; 0: another value does
 *   at, most    of each argument: its place in Augment, and its largest value, of which the least is 0; 0: it is a
 *               bool, and `true` or the word `set` sets it
 *   example     as it may be written */
enum { MOST_ARGUMENTS = 5 };

typedef struct Row {
	const char *name, *call;
	bool bare;
	size_t flag;
	struct {
		size_t at;
		double most;
		const char *set;
	} arguments[MOST_ARGUMENTS];
	const char *example;
} Row;

#define AT(member) offsetof(Augment, member)

static const Row rows[] = {
        {.name = "flip",
         .call = "alternate: bool = false",
         .bare = true,
         .flag = AT(flip),
         .arguments = {{.at = AT(alternate)}}},
        {.name = "crop",
         .call = "pad: int, border: zeros|reflect = zeros",
         .arguments = {{.at = AT(crop), .most = 1024}, {.at = AT(reflect), .set = "reflect"}},
         .example = "for 4 pixels: crop(pad = 4)"},
        {.name = "random_resized_crop",
         .call = "scale: real = 0.08, ratio: real = 0.75",
         .bare = true,
         .arguments = {{.at = AT(scale), .most = 1}, {.at = AT(ratio), .most = 1}}},
        {.name = "color_jitter",
         .call = "brightness: real = 0, contrast: real = 0, saturation: real = 0",
         .arguments = {{.at = AT(brightness), .most = 1},
                       {.at = AT(contrast), .most = 1},
                       {.at = AT(saturation), .most = 1}},
         .example = "it is written: color_jitter(brightness = 0.4, contrast = 0.4, saturation = 0.4)"},
        {.name = "affine",
         .call = "degrees: real = 0, shift: real = 0, scale: real = 0, shear: real = 0, border: "
                 "zeros|reflect "
                 "= zeros",
         .arguments = {{.at = AT(degrees), .most = 180},
                       {.at = AT(shift), .most = 1},
                       {.at = AT(zoom), .most = 0.9},
                       {.at = AT(shear), .most = 45},
                       {.at = AT(affine_reflect), .set = "reflect"}},
         .example = "it is written: affine(degrees = 15, shift = 0.1, scale = 0.2)"},
        {.name = "erase",
         .call = "share: real = 0.5, area: real = 0.33",
         .bare = true,
         .arguments = {{.at = AT(erase), .most = 1}, {.at = AT(erase_area), .most = 1}}},
};

enum { ROWS = sizeof rows / sizeof *rows };

static const Row *find_row(const char *name)
{
	for (int i = 0; name && i < ROWS; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

static bool set_argument(Reader *r, const Row *row, int i, const Signature *s, Bound bound)
{
	void *to = (char *)&r->recipe->augment + row->arguments[i].at;
	if (row->arguments[i].most == 0) {
		*(bool *)to = bound.value.kind == VALUE_BOOL
		                      ? bound.value.truth
		                      : strcmp(bound.value.text, row->arguments[i].set) == 0;
		return true;
	}
	double value = value_to_real(bound.value), most = row->arguments[i].most;
	bool divides = to == (void *)&r->recipe->augment.ratio || to == (void *)&r->recipe->augment.scale ||
	               to == (void *)&r->recipe->augment.erase_area;
	if (value < 0 || value > most || (divides && value == 0))
		return setting_error(r, bound.loc, "setting-range",
		                     arena_printf(r->e->arena, "`%s` is %s 0 and %g%s", s->params[i].name,
		                                  divides ? "more than" : "between", most,
		                                  divides ? " at most" : ""));
	if (bound.value.kind == VALUE_INT && row->arguments[i].at == AT(crop))
		*(int *)to = (int)bound.value.integer;
	else
		*(double *)to = value;
	return true;
}

static bool read_arguments(Reader *r, const Row *row, const Ast *call)
{
	const Signature *s = signature_parse(r->e->arena, "augmentation", row->name, row->call, false);
	Arguments args = {0};
	Bound bound[MOST_ARGUMENTS];
	if ((call->kind == AST_CALL && !eval_arguments(r->e, call, s, &args)) ||
	    !bind_arguments(r->e, s, call->loc, args.at, args.count, bound))
		return false;
	for (int i = 0; i < s->count; i++)
		if (!set_argument(r, row, i, s, bound[i]))
			return false;
	return true;
}

static bool read_augmentation(Reader *r, const Row *row, const Ast *item)
{
	bool called = item->kind == AST_CALL;
	r->at++;
	if (row->flag)
		*(bool *)((char *)&r->recipe->augment + row->flag) = true;
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

const char *augment_text(Arena *arena, const Augment *a)
{
	const char *comma = " ";
	Writer *w = writer_new(arena);
	write_text(w, "augment");
	if (a->scale > 0) {
		write_text(w, "%srandom_resized_crop(scale = %s, ratio = %s)", comma,
		           number_text(arena, a->scale), number_text(arena, a->ratio));
		comma = ", ";
	}
	if (augment_jitters(a)) {
		write_text(w, "%scolor_jitter(brightness = %s, contrast = %s, saturation = %s)", comma,
		           number_text(arena, a->brightness), number_text(arena, a->contrast),
		           number_text(arena, a->saturation));
		comma = ", ";
	}
	if (augment_turns(a)) {
		write_text(w, "%saffine(degrees = %s, shift = %s, scale = %s, shear = %s%s)", comma,
		           number_text(arena, a->degrees), number_text(arena, a->shift),
		           number_text(arena, a->zoom), number_text(arena, a->shear),
		           a->affine_reflect ? ", border = reflect" : "");
		comma = ", ";
	}
	if (a->erase > 0) {
		write_text(w, "%serase(share = %s, area = %s)", comma, number_text(arena, a->erase),
		           number_text(arena, a->erase_area));
		comma = ", ";
	}
	if (a->flip) {
		write_text(w, "%sflip%s", comma, a->alternate ? "(alternate = true)" : "");
		comma = ", ";
	}
	if (a->crop > 0)
		write_text(w, "%scrop(pad = %d%s)", comma, a->crop, a->reflect ? ", border = reflect" : "");
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
