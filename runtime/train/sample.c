/* SPDX-License-Identifier: MIT */
/* The text so far, or its last window, goes through the predicting program; of the scores at its last place, those of
 * what comes next, the next token is drawn. So each token costs a whole window of the compiled batch. What is after
 * the text in a window that is not full is the first token: a causal model does not look there. */
#include "runtime/train/sample.h"
#include "base/utf8.h"
#include "runtime/session/backend.h"
#include "runtime/host/die.h"
#include "runtime/host/rng.h"
#include "runtime/data/safetensors.h"
#include "runtime/host/signals.h"
#include "runtime/data/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The output [batch, context, scores], and where it is among the predictions; NULL: there is none. */
static const NnrOutput *scores_of(const NnrModel *m, const TextShape *shape, int64_t *offset)
{
	*offset = 0;
	for (int i = 0; i < m->predict.output_count; i++) {
		const NnrOutput *o = &m->predict.outputs[i];
		if (o->rank == 3 && o->dim[1] == shape->context &&
		    o->dim[2] == m->inputs[shape->target].classes &&
		    (o->dtype == NNR_F32 || o->dtype == NNR_F64))
			return o;
		*offset += output_batch_bytes(o);
	}
	return NULL;
}

void sample_check(const NnrModel *m)
{
	TextShape shape;
	int64_t offset;
	if (!text_shape(m, &shape) || !scores_of(m, &shape, &offset))
		die_help(STATUS_USAGE,
		         "such a model has `input text: i32[context]`, `target next: class[n][context]`, and "
		         "its "
		         "scores [context, n] as `output`",
		         "`sample` writes text, and the model `%s` does not score what comes next at each "
		         "place",
		         m->name);
}

Dataset sample_data(const NnrModel *m)
{
	Dataset d = {.format = text_printf("text")};
	data_allocate(&d.held_out, m, 1);
	return d;
}

static Alphabet alphabet_of_weights(const Session *s)
{
	const char *path = s->options.checkpoint ? s->options.checkpoint : s->options.init;
	Alphabet a = {0};
	if (path) {
		Safetensors *f = safetensors_open(path);
		a = alphabet_of_names(safetensors_metadata(f, "classes"), path);
		safetensors_close(f);
	}
	if (!a.at && text_has_characters(s->model))
		die_help(STATUS_USAGE, "`--checkpoint FILE` of a training names them",
		         "which characters the model writes is not known");
	return a;
}

/* ---- the next token */

typedef struct Choice {
	double weight;
	int64_t token;
} Choice;

static int by_weight(const void *x, const void *y)
{
	const Choice *a = x, *b = y;
	return a->weight != b->weight ? (a->weight < b->weight ? 1 : -1)
	                              : (a->token > b->token) - (a->token < b->token);
}

/* Of tokens 0 .. count - 1 by softmax(scores/temperature) over the `best` of them, 0: all; the best at temperature 0.
 * `unit` in (0, 1). -1: a score is no number. */
static int64_t choose(Choice *choices, int64_t count, const Options *o, double unit)
{
	int64_t best = o->top_k > 0 && o->top_k < count ? o->top_k : count, i = 0;
	double sum = 0, most;
	for (int64_t k = 0; k < count; k++)
		if (isnan(choices[k].weight))
			return -1;
	qsort(choices, (size_t)count, sizeof *choices, by_weight);
	most = choices[0].weight;
	if (o->temperature == 0 || isinf(most))
		return choices[0].token;
	for (int64_t k = 0; k < best; k++)
		sum += choices[k].weight = exp((choices[k].weight - most) / o->temperature);
	for (unit *= sum; i < best - 1 && unit >= choices[i].weight; i++)
		unit -= choices[i].weight;
	return choices[i].token;
}

/* What the tokens are, and how they are written. */
typedef struct Writing {
	Alphabet alphabet;
	bool numbers;  /* they are no text: their numbers are, with blanks between them */
	int64_t known; /* how many of them the model may read and write */
	bool begun;    /* something is written */
} Writing;

static Writing writing_of(const Session *s, const TextShape *shape)
{
	Writing w = {.alphabet = alphabet_of_weights(s)};
	w.numbers = !w.alphabet.at && !text_tokens_are_bytes(s->model, shape);
	w.known = w.alphabet.at ? w.alphabet.count : w.numbers ? shape->vocabulary : UINT8_MAX + 1;
	w.known = w.known < shape->vocabulary ? w.known : shape->vocabulary;
	return w;
}

/* Control characters as \xHH: what a model writes must not steer a terminal. */
static void print_token(Writing *w, int64_t token)
{
	char text[CHARACTER_BYTES];
	bool begun = w->begun;
	w->begun = true;
	if (w->numbers) {
		printf("%s%lld", begun ? " " : "", (long long)token);
		return;
	}
	int bytes = alphabet_text(&w->alphabet, token, text);
	bool control = bytes == 1 && ((unsigned char)text[0] < ' ' || text[0] == 0x7f) && text[0] != '\n' &&
	               text[0] != '\t';
	if (control)
		printf("\\x%02X", (unsigned char)text[0]);
	else
		fwrite(text, 1, (size_t)bytes, stdout);
}

/* What `--prompt` has and the model has not: the character, or the byte of what is no UTF-8. */
static _Noreturn void unknown_character(const Alphabet *a, const char *at, int64_t place, int64_t known)
{
	char *all = text_printf("%s", ""), text[CHARACTER_BYTES + 1];
	for (int64_t token = 0; a->at && token < known; token++) {
		text[alphabet_text(a, token, text)] = 0;
		text_append(&all, "%s", *text == '\n' ? "" : text);
	}
	uint32_t code;
	const int bytes = utf8_decode(at, UTF8_MOST, &code), length = bytes ? bytes : 1;
	die_help(STATUS_USAGE,
	         *all ? text_printf("the text that it was trained on has these: %s", all)
	              : "the model knows the bytes of the text that it was trained on",
	         "`--prompt` has the character `%.*s`, at byte %lld, that the model does not know", length,
	         at, (long long)place);
}

static void read_characters(const Session *s, const Writing *w, int64_t *tokens, int64_t *count)
{
	const char *prompt = s->options.prompt ? s->options.prompt : "\n";
	int64_t length = (int64_t)strlen(prompt);
	for (int64_t i = 0, bytes; i < length; i += bytes) {
		int64_t token;
		bytes = alphabet_token(&w->alphabet, (const unsigned char *)prompt + i, length - i, &token);
		if (token < 0 && !s->options.prompt)
			token = 0; /* a text of one line */
		if (token < 0 || token >= w->known)
			unknown_character(&w->alphabet, prompt + i, i, w->known);
		tokens[(*count)++] = token;
	}
}

static void read_numbers(const Session *s, const Writing *w, int64_t *tokens, int64_t *count)
{
	const char *prompt = s->options.prompt ? s->options.prompt : "0", *at = prompt;
	for (at += strspn(at, " "); *at; at += strspn(at, " ")) {
		char *end;
		long long token = *at >= '0' && *at <= '9' ? strtoll(at, &end, 10) : -1;
		if (token < 0 || token >= w->known || (*end && *end != ' '))
			die_help(STATUS_USAGE,
			         "as `--prompt \"12 7\"`; of a text of bytes the recipe says `data bytes`",
			         "`--prompt %s`: the tokens of `%s` are numbers from 0 to %lld, with blanks "
			         "between them",
			         prompt, s->model->name, (long long)w->known - 1);
		tokens[(*count)++] = token;
		at = end;
	}
	if (*count == 0)
		tokens[(*count)++] = 0;
}

/* With room for those that follow; malloc'd. */
static int64_t *read_prompt(const Session *s, Writing *w, int64_t *count)
{
	int64_t most = s->options.prompt ? (int64_t)strlen(s->options.prompt) : 1,
	        *tokens = allocate(most + s->options.tokens, sizeof *tokens, "the text");
	*count = 0;
	(w->numbers ? read_numbers : read_characters)(s, w, tokens, count);
	for (int64_t i = 0; s->options.prompt && i < *count; i++)
		print_token(w, tokens[i]);
	return tokens;
}

static void put_window(Session *s, const TextShape *shape, const int64_t *tokens, int64_t count)
{
	const NnrInput *in = &s->model->inputs[shape->input];
	char *to = s->data.held_out.at[shape->input];
	for (int64_t i = 0; i < shape->context; i++) {
		int64_t token = i < count ? tokens[i] : 0;
		if (in->dtype == NNR_U8)
			((uint8_t *)to)[i] = (uint8_t)token;
		else
			((int32_t *)(void *)to)[i] = (int32_t)token;
	}
}

int session_sample(Session *s)
{
	const Options *o = &s->options;
	TextShape shape;
	int64_t offset, count;
	require(text_shape(s->model, &shape));
	const NnrOutput *scores = scores_of(s->model, &shape, &offset);
	Writing w = writing_of(s, &shape);
	if (w.numbers)
		say_note("the tokens are written as numbers: the recipe does not say that they are `data "
		         "bytes` or "
		         "`data characters`");
	int64_t *tokens = read_prompt(s, &w, &count), known = w.known;
	uint64_t seed = o->seed >= 0 ? (uint64_t)o->seed : 0; /* not the training's, which the session has */
	char *predicted = allocate(1, session_predicted_bytes(s->model), "the scores");
	Choice *choices = allocate(known, sizeof *choices, "the scores");
	signals_catch();
	for (int64_t k = 0; k < o->tokens && !signal_caught(); k++) {
		int64_t first = count > shape.context ? count - shape.context : 0, last = count - first - 1;
		put_window(s, &shape, tokens + first, count - first);
		s->backend->predict(s, 0, predicted);
		for (int64_t i = 0; i < known; i++)
			choices[i] = (Choice){
			        dtype_value(predicted + offset, scores->dtype, last * scores->dim[2] + i), i};
		double unit = rng_unit(rng_block(seed, RNG_SAMPLE, (uint64_t)k, 0).word[0]);
		int64_t token = choose(choices, known, o, unit);
		if (token < 0)
			die(STATUS_DIVERGED, "a score of the model is not a number");
		tokens[count++] = token;
		print_token(&w, token);
		fflush(stdout);
	}
	printf("\n");
	free(tokens);
	free(predicted);
	free(choices);
	alphabet_free(&w.alphabet);
	return signal_caught() ? STATUS_SIGNAL + signal_caught() : output_end();
}
