/* SPDX-License-Identifier: MIT */
/* Text files as data: windows of a text, and what comes next at each place or after the window. */
#ifndef NNR_TEXT_H
#define NNR_TEXT_H

#include "runtime/data/alphabet.h"
#include "runtime/data/data.h"

/* How a model reads text: an input of `context` indices, and a class target of as many or of one. */
typedef struct TextShape {
	int input, target;
	int64_t context;
	int64_t vocabulary; /* tokens are below it */
} TextShape;

/* False: it is no such model. */
bool text_shape(const NnrModel *model, TextShape *shape);
/* Whether the model learns from texts. */
bool text_is_wanted(const NnrModel *model);
/* Whether the tokens of the model are the bytes of a text: the recipe says so, or it says nothing and the model has a
 * number for each byte and no other. Else, where they are no characters, they are numbers that other programs know. */
bool text_tokens_are_bytes(const NnrModel *model, const TextShape *shape);
/* Whether the tokens of the model are characters: the recipe says so. */
bool text_has_characters(const NnrModel *model);

#endif
