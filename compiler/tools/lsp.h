/* SPDX-License-Identifier: MIT */
/* nnc lsp: the language server protocol, version 3.17, over stdin and stdout.
 *
 * https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification */
#ifndef NNC_LSP_H
#define NNC_LSP_H

#include "driver/options.h"

/* Serves until `exit` or the end of stdin; the status is 0 after `shutdown`, else 1. */
int command_lsp(Arena *a, const Options *o);

/* ---- private to lsp.c and lsp_answers.c */

/* A text that an editor has open. */
typedef struct Document {
	const char *uri, *path;
	const Source *source; /* NULL: too long, or no text */
	const char *why_not;
} Document;

/* JSON text of the answers, as the specification has them; "null" where there is none. `offset` is in bytes. */
const char *lsp_diagnostics(Arena *a, const Document *d);
const char *lsp_hover(Arena *a, const Document *d, int offset);
const char *lsp_completion(Arena *a, const Document *d, int offset);
const char *lsp_definition(Arena *a, const Document *d, int offset);
const char *lsp_formatting(Arena *a, const Document *d);

/* An editor's place, a line and UTF-16 units in it, both from 0, as a byte of the text; what is beyond the end of
 * either is the end. */
int lsp_offset(const Source *s, int line, int character);
const char *lsp_path(Arena *a, const char *uri);

#endif
