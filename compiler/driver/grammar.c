/* SPDX-License-Identifier: MIT */
/* Grammars that editors read. Their words are nnc's own tables, so that none lags behind. grammar.h. */
#include "driver/grammar.h"

#include "base/json.h"
#include "base/writer.h"
#include "front/eval.h"
#include "front/scanner.h"
#include "front/setting.h"
#include "ir/op.h"
#include "ops/optim.h"

#include <string.h>

/* Types, units, and what only some places read as words. */
static const char *const types[] = {"u8", "i32", "f32", "class"};

typedef ARRAY(const char *) Words;

static Words keywords(Arena *a)
{
	Words words = {0};
	for (int i = 0; lexer_keyword(i); i++)
		array_push(a, &words, lexer_keyword(i));
	return words;
}

/* What can be called: operators, and functions of compile time that are no operator, too. */
static Words functions(Arena *a)
{
	Words words = {0};
	for (int i = 0; i < op_count(); i++)
		if (op_at(i)->call)
			array_push(a, &words, op_at(i)->name);
	for (int i = 0; i < builtin_count(); i++)
		if (!op_find(builtin_name(i)) || !op_find(builtin_name(i))->call)
			array_push(a, &words, builtin_name(i));
	return words;
}

static Words settings(Arena *a)
{
	Words words = {0};
	for (int i = 0; i < SETTINGS; i++)
		array_push(a, &words, setting_rows[i].key);
	return words;
}

static Words optimizers(Arena *a)
{
	Words words = {0};
	for (int i = 0; i < optimizer_count(); i++)
		array_push(a, &words, optimizer_at(i)->name);
	return words;
}

static const char *joined(Arena *a, Words words, const char *between)
{
	Writer *w = writer_new(a);
	for (int i = 0; i < words.count; i++)
		write_text(w, "%s%s", i ? between : "", words.at[i]);
	return writer_text(w, NULL);
}

static const char *type_words(Arena *a, const char *between)
{
	return joined(a, (Words){.at = (const char **)types, .count = sizeof types / sizeof *types}, between);
}

static const char *vim(Arena *a)
{
	Writer *w = writer_new(a);
	write_line(w, "\" Vim syntax of nnc's networks, made of nnc's own words: nnc --manual=vim");
	write_line(w, "if exists(\"b:current_syntax\")\n  finish\nendif");
	/* A keyword begins no region, so these are matches: `train` begins a recipe. */
	write_line(w, "syntax match nncKeyword \"\\<\\%%(%s\\)\\>\"", joined(a, keywords(a), "\\|"));
	write_line(w, "syntax keyword nncType %s", type_words(a, " "));
	write_line(w, "syntax match nncFunction \"\\<\\%%(%s\\)\\>\\%%(\\s*=[^=]\\)\\@!\"",
	           joined(a, functions(a), "\\|"));
	write_line(w, "syntax match nncOptimizer \"\\<\\%%(%s\\)\\>\" contained",
	           joined(a, optimizers(a), "\\|"));
	write_line(w, "syntax match nncSetting \"^\\s*\\zs\\%%(%s\\)\\>\" contained",
	           joined(a, settings(a), "\\|"));
	write_line(w, "syntax region nncRecipe matchgroup=nncKeyword start=\"^train\\>\" matchgroup=NONE "
	              "end=\"^}\" "
	              "transparent keepend contains=ALLBUT,nncFunction");
	write_line(w, "syntax match nncNumber \"\\<\\d\\+\\%%(\\.\\d\\+\\)\\?\\%%([eE][+-]\\?\\d\\+\\)\\?"
	              "\\%%(ep\\|it\\)\\?\\>\"");
	write_line(w, "syntax match nncArrow \"->\"");
	write_line(w, "syntax region nncString start=+\"+ skip=+\\\\.+ end=+\"+ oneline");
	write_line(w, "syntax match nncComment \"#.*$\" contains=@Spell");
	static const char *const links[] = {"Keyword Keyword",    "Type Type",          "Function Function",
	                                    "Optimizer Function", "Setting Identifier", "Number Number",
	                                    "Arrow Operator",     "String String",      "Comment Comment"};
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		write_line(w, "highlight default link nnc%s", links[i]);
	write_line(w, "setlocal commentstring=#\\ %%s\nlet b:current_syntax = \"nnc\"");
	return writer_text(w, NULL);
}

/* A pattern of a TextMate grammar; the name is that of the scope, by the usual conventions. */
static void pattern(Writer *w, Arena *a, const char *scope, const char *match, const char *end)
{
	write_line(w, "    {\"name\": \"%s.nnc\", \"match\": %s}%s", scope, json_quoted(a, match), end);
}

static const char *textmate(Arena *a)
{
	Writer *w = writer_new(a);
	write_line(w, "{");
	write_line(w, "  \"comment\": \"made of nnc's own words: nnc --manual=textmate\",");
	write_line(w, "  \"name\": \"nnc\", \"scopeName\": \"source.nnc\", \"fileTypes\": [\"net\"],");
	write_line(w, "  \"patterns\": [{\"include\": \"#recipe\"}, {\"include\": \"#all\"}],");
	write_line(w, "  \"repository\": {\n   \"recipe\": {\n    \"begin\": \"^(train)\\\\b\", \"end\": "
	              "\"^\\\\}\", \"beginCaptures\": {\"1\": {\"name\": \"keyword.control.nnc\"}},");
	write_line(w, "    \"patterns\": [");
	pattern(w, a, "support.type.property-name",
	        arena_printf(a, "^\\s*(?:%s)\\b", joined(a, settings(a), "|")), ",");
	pattern(w, a, "support.function", arena_printf(a, "\\b(?:%s)\\b", joined(a, optimizers(a), "|")),
	        ",");
	write_line(w, "    {\"include\": \"#words\"}]\n   },");
	write_line(w, "   \"all\": {\"patterns\": [");
	write_line(w, "    {\"match\": \"\\\\b(block|model)\\\\s+([A-Za-z_]\\\\w*)\", \"captures\": {\"1\": "
	              "{\"name\": "
	              "\"keyword.control.nnc\"}, \"2\": {\"name\": \"entity.name.function.nnc\"}}},");
	write_line(w, "    {\"include\": \"#words\"},");
	pattern(w, a, "support.function",
	        arena_printf(a, "\\b(?:%s)\\b(?!\\s*=[^=])", joined(a, functions(a), "|")), "");
	write_line(w, "   ]},");
	write_line(w, "   \"words\": {\"patterns\": [");
	pattern(w, a, "comment.line.number-sign", "#.*$", ",");
	write_line(w,
	           "    {\"name\": \"string.quoted.double.nnc\", \"begin\": \"\\\"\", \"end\": \"\\\"|$\", "
	           "\"patterns\": [");
	pattern(w, a, "constant.character.escape", "\\\\.", "]},");
	pattern(w, a, "constant.numeric", "\\b\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?(?:ep|it)?\\b", ",");
	pattern(w, a, "storage.type", arena_printf(a, "\\b(?:%s)\\b", type_words(a, "|")), ",");
	pattern(w, a, "keyword.control", arena_printf(a, "\\b(?:%s)\\b", joined(a, keywords(a), "|")), ",");
	pattern(w, a, "keyword.operator", "->|\\*\\*|//|[=!<>]=|[-+*/%<>=]", "");
	write_line(w, "   ]}\n  }\n}");
	return writer_text(w, NULL);
}

const char *grammar_text(Arena *a, const char *form)
{
	return strcmp(form, "vim") == 0 ? vim(a) : strcmp(form, "textmate") == 0 ? textmate(a) : NULL;
}
