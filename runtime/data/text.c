/* SPDX-License-Identifier: MIT */
#include "runtime/data/reader.h"
#include "runtime/data/text.h"
#include "base/utf8.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/data/cells.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool text_has_characters(const NnrModel *model)
{
	return model->data && strcmp(model->data, "characters") == 0;
}

static bool is_index(const NnrInput *in)
{
	return in->dtype == NNR_I32 || in->dtype == NNR_U8;
}

bool text_shape(const NnrModel *model, TextShape *shape)
{
	*shape = (TextShape){-1, -1, 0, 0};
	for (int i = 0; i < model->input_count; i++)
		*(model->inputs[i].is_target ? &shape->target : &shape->input) = i;
	if (model->input_count != 2 || shape->input < 0 || shape->target < 0)
		return false;
	const NnrInput *in = &model->inputs[shape->input], *next = &model->inputs[shape->target];
	shape->context = in->rank == 2 ? in->dim[1] : 0;
	bool each = next->rank == 2 && next->dim[1] == shape->context, one = sample_elements(next) == 1;
	/* Of a table that is not looked up no number is known: then the target's tells how many there are. */
	shape->vocabulary = in->classes > 0 && in->classes < next->classes ? in->classes : next->classes;
	if (in->dtype == NNR_U8 && shape->vocabulary > UINT8_MAX + 1)
		shape->vocabulary = UINT8_MAX + 1;
	return is_index(in) && is_index(next) && in->rank == 2 && (each || one) && next->classes > 0;
}

/* Whether the recipe's `data` says so. */
static bool is_asked(const NnrModel *model)
{
	return model->data && (text_has_characters(model) || strcmp(model->data, "bytes") == 0);
}

/* Whether the recipe's `data` says that files of another kind are read: those that a trainer needs. */
static bool is_ruled_out(const NnrModel *model)
{
	return data_substitute(model->data) && !is_asked(model);
}

bool text_tokens_are_bytes(const NnrModel *model, const TextShape *shape)
{
	bool says_nothing = !is_asked(model) && !is_ruled_out(model);
	return (is_asked(model) && !text_has_characters(model)) ||
	       (says_nothing && shape->vocabulary == UINT8_MAX + 1);
}

bool text_is_wanted(const NnrModel *model)
{
	TextShape shape;
	return is_asked(model) || (!is_ruled_out(model) && text_shape(model, &shape));
}

/* A file, and the recipe names `bytes` or `characters`, or the model is one. A model of indices and classes may be
 * of text as well as of a table's rows: one that does not say which reads what is named as a table as one. */
static bool recognise(const char *path, const NnrModel *model)
{
	return text_is_wanted(model) && (is_asked(model) || !cells_named(path));
}

/* ---- the tokens of a file */

typedef struct Tokens {
	int32_t *at;
	int64_t count;
} Tokens;

/* Of characters, what stands after a mark of UTF-8; of bytes all. */
static unsigned char *read_text(const char *path, bool characters, int64_t *length)
{
	int fd = file_open_or_die(path, length);
	if (*length >= INT32_MAX)
		die(STATUS_DATA, "`%s` has %s: a text has at most 2^31 - 1 bytes", path,
		    human_bytes((double)*length));
	unsigned char *text = allocate(*length + 1, 1, "the text");
	if (!file_read_at(fd, text, *length, 0))
		die(STATUS_DATA, "`%s` can't be read", path);
	close(fd);
	int64_t mark = characters ? utf8_mark((const char *)text, *length) : 0;
	*length -= mark;
	memmove(text, text + mark, (size_t)*length);
	return text;
}

static Tokens tokens_of(const Alphabet *a, const unsigned char *text, int64_t length, const char *path)
{
	Tokens t = {allocate(length + 1, sizeof *t.at, "the text"), 0};
	for (int64_t i = 0, bytes; i < length; i += bytes) {
		int64_t token;
		bytes = alphabet_token(a, text + i, length - i, &token);
		if (token < 0)
			die_help(STATUS_DATA, "only what occurs in the text that is trained on has a number",
			         "`%s` has a character, at byte %lld, that `--data` has not", path,
			         (long long)i);
		t.at[t.count++] = (int32_t)token;
	}
	return t;
}

static void store(char *to, NnrDType dtype, const int32_t *from, int64_t count)
{
	for (int64_t i = 0; i < count; i++) {
		if (dtype == NNR_U8)
			((uint8_t *)to)[i] = (uint8_t)from[i];
		else
			((int32_t *)(void *)to)[i] = from[i];
	}
}

/* Windows of tokens [0, count); fewer than two tokens more than a window has none. `random`: they begin anywhere, and
 * there is at least a batch of them. */
static DataPart windows_of(const NnrModel *m, const TextShape *shape, const int32_t *tokens, int64_t count,
                           bool random)
{
	DataPart part = {.window = shape->context, .places = count - shape->context, .anywhere = random};
	if (part.places < 1)
		return (DataPart){0};
	part.count = (count - 1) / shape->context;
	if (random && part.count < step_samples(m))
		part.count = step_samples(m);
	for (int i = 0; i < m->input_count; i++) {
		const NnrInput *in = &m->inputs[i];
		int64_t length = part.places - 1 + sample_elements(in);
		part.row[i] = 1;
		part.at[i] = allocate(length, dtype_bytes(in->dtype), "the text");
		store(part.at[i], in->dtype, tokens + (count - length) * in->is_target, length);
	}
	return part;
}

/* The held-out part is the tail, in windows one after the other; those of the training part begin at random places, as
 * many in an epoch as the text is long. */
static Dataset read_data(const char *path, const DataRequest *r)
{
	const NnrModel *m = r->model;
	TextShape shape;
	if (!text_shape(m, &shape))
		die_help(STATUS_DATA,
		         "such a model has `input text: i32[context]` and `target next: class[n][context]`, "
		         "or "
		         "class[n]",
		         "`%s` is a file, read as text, and `%s` is no model of a text", path, m->name);
	int64_t length;
	bool characters = text_has_characters(m);
	unsigned char *text = read_text(path, characters, &length);
	Alphabet alphabet = {.count = UINT8_MAX + 1};
	if (characters && r->class_folder) {
		int64_t other;
		unsigned char *numbered = read_text(r->class_folder, characters, &other);
		alphabet = alphabet_of_text(numbered, other, r->class_folder);
		free(numbered);
	} else if (characters) {
		alphabet = alphabet_of_text(text, length, path);
	}
	if (alphabet.count > shape.vocabulary)
		die_help(
		        STATUS_DATA,
		        text_printf("compile for as many: `nnc -D vocab=%lld`, where the model calls it so%s",
		                    (long long)alphabet.count,
		                    characters ? "; or train on bytes, of which there are 256" : ""),
		        "`%s` has %lld different %s, and the model knows %lld", path,
		        (long long)alphabet.count, characters ? "characters" : "bytes",
		        (long long)shape.vocabulary);
	Tokens tokens = tokens_of(&alphabet, text, length, path);
	free(text);
	if (tokens.count <= shape.context)
		die_help(STATUS_DATA, "give more text, or compile for a shorter context",
		         "`%s` has %lld %s, and the model reads %lld and what comes next", path,
		         (long long)tokens.count, characters ? "characters" : "bytes",
		         (long long)shape.context);
	Dataset d = {.divided = true, .class_folder = r->class_folder ? r->class_folder : path};
	int64_t held = (int64_t)((double)tokens.count * r->split.share), rest = tokens.count - held;
	if (held <= shape.context || rest <= shape.context)
		rest = tokens.count; /* too short to be divided */
	d.train = windows_of(m, &shape, tokens.at, rest, r->want_train);
	d.held_out = windows_of(m, &shape, tokens.at + rest, tokens.count - rest, false);
	d.format = characters ? text_printf("text of %lld characters, %lld of them different",
	                                    (long long)tokens.count, (long long)alphabet.count)
	                      : text_printf("text of %lld bytes", (long long)tokens.count);
	if (characters) {
		d.classes = alphabet_names(&alphabet);
		d.class_count = (int)alphabet.count;
	}
	free(tokens.at);
	alphabet_free(&alphabet);
	return d;
}

const DataReader data_reader_text = {.of = OF_FILE, .recognise = recognise, .read = read_data};
