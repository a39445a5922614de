/* SPDX-License-Identifier: MIT */
/* The server: messages in and out, the texts that are open, and who answers what. lsp.h.
 *
 * A message is a header, of which only Content-Length counts, an empty line, and that many bytes of JSON. What is
 * no such thing is answered with an error where it has a number, and left out; the server goes on. Messages are read in
 * order and answered at once. A text is always sent whole (TextDocumentSyncKind.Full). */
#include "tools/lsp.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LIMIT_MESSAGE = 8 * LIMIT_SOURCE_BYTES, /* a text of that limit with every second character escaped */
	LIMIT_HEADER = 1024,                    /* of one line */
	LIMIT_DOCUMENTS = 256,
	PARSE_ERROR = -32700,
	INVALID_REQUEST = -32600,
	METHOD_NOT_FOUND = -32601,
	INVALID_PARAMS = -32602,
	NOT_INITIALIZED = -32002,
};

/* What an editor has open; texts are the server's own, until they are replaced. */
typedef struct Open {
	char *uri, *text;
} Open;

typedef struct Server {
	Open open[LIMIT_DOCUMENTS];
	int count;
	bool initialized, shut_down, ends;
} Server;

/* A message that is being answered. */
typedef struct Message {
	Arena *arena;
	Server *server;
	const Json *json;
	const char *id; /* as it came, or NULL: nothing is answered */
	int params;     /* node, or -1 */
} Message;

/* ---- messages */

static void send(const char *body)
{
	printf("Content-Length: %zu\r\n\r\n%s", strlen(body), body);
	fflush(stdout);
}

static void send_result(const Message *m, const char *result)
{
	if (m->id)
		send(arena_printf(m->arena, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", m->id, result));
}

static void send_error(Arena *a, const char *id, int code, const char *why)
{
	send(arena_printf(a, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":%s}}",
	                  id ? id : "null", code, json_quoted(a, why)));
}

/* A line of a header without its end; false: stdin ends. Of a longer one the rest is left out. */
static bool read_line(char line[LIMIT_HEADER])
{
	int n = 0, c;
	while ((c = getchar()) != EOF && c != '\n')
		if (n < LIMIT_HEADER - 1)
			line[n++] = (char)c;
	while (n > 0 && line[n - 1] == '\r')
		n--;
	line[n] = '\0';
	return c != EOF;
}

/* The number of bytes that follow, -1 where stdin ends. Lines that are no header are left out. */
static int64_t read_header(void)
{
	static const char name[] = "content-length:";
	char line[LIMIT_HEADER];
	int64_t length = -1;
	while (read_line(line)) {
		if (!line[0] && length >= 0)
			return length;
		size_t i = 0;
		while (name[i] && (line[i] | ('A' <= line[i] && line[i] <= 'Z' ? 0x20 : 0)) == name[i])
			i++;
		if (name[i])
			continue;
		const char *digits = line + i + strspn(line + i, " \t");
		size_t n = strspn(digits, "0123456789");
		length = n > 0 && n < 16 && !digits[n] ? atoll(digits) : -1;
	}
	return -1;
}

/* The body, NULL: stdin ended within it. One that is too long is read and left out: *too_long. */
static char *read_body(Arena *a, int64_t length, bool *too_long)
{
	*too_long = length > LIMIT_MESSAGE;
	if (!*too_long) {
		char *body = arena_alloc(a, (size_t)length + 1);
		return fread(body, 1, (size_t)length, stdin) == (size_t)length ? body : NULL;
	}
	static char piece[1 << 16];
	while (length > 0) {
		size_t want = length < (int64_t)sizeof piece ? (size_t)length : sizeof piece;
		if (fread(piece, 1, want, stdin) != want)
			return NULL;
		length -= (int64_t)want;
	}
	return piece;
}

/* ---- texts */

static Open *find_open(Server *s, const char *uri)
{
	for (int i = 0; uri && i < s->count; i++)
		if (strcmp(s->open[i].uri, uri) == 0)
			return &s->open[i];
	return NULL;
}

static char *kept(const char *text)
{
	char *copy = strdup(text);
	if (!copy)
		fail(EXIT_TOOL, "out of memory");
	return copy;
}

static const char *text_param(const Message *m, const char *path)
{
	return json_string_at(m->arena, m->json, json_find(m->json, m->params, path));
}

/* False: it is not open. */
static bool find_document(const Message *m, Document *d)
{
	const char *uri = text_param(m, "textDocument.uri");
	const Open *open = find_open(m->server, uri);
	if (!open)
		return false;
	*d = (Document){.uri = open->uri, .path = lsp_path(m->arena, open->uri)};
	d->source = source_from_text(m->arena, d->path, open->text, strlen(open->text), &d->why_not);
	return true;
}

static void publish(const Message *m, const char *uri, const char *diagnostics)
{
	send(arena_printf(
	        m->arena,
	        "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/publishDiagnostics\",\"params\":{\"uri\":%s,"
	        "\"diagnostics\":%s}}",
	        json_quoted(m->arena, uri), diagnostics));
}

static void look_at(const Message *m)
{
	Document d;
	if (find_document(m, &d))
		publish(m, d.uri, lsp_diagnostics(m->arena, &d));
}

static void put_text(const Message *m, const char *text)
{
	Server *s = m->server;
	const char *uri = text_param(m, "textDocument.uri");
	Open *open = find_open(s, uri);
	if (!uri || !text || (!open && s->count == LIMIT_DOCUMENTS))
		return;
	if (!open) {
		open = &s->open[s->count++];
		*open = (Open){.uri = kept(uri)};
	}
	free(open->text);
	open->text = kept(text);
	look_at(m);
}

static void did_open(const Message *m)
{
	put_text(m, text_param(m, "textDocument.text"));
}

/* Of several changes the last is the text. */
static void did_change(const Message *m)
{
	const Json *j = m->json;
	int list = json_find(j, m->params, "contentChanges"), last = -1;
	for (int i = list >= 0 ? j->nodes[list].first : -1; i >= 0; i = j->nodes[i].next)
		last = i;
	put_text(m, json_string_at(m->arena, j, json_find(j, last, "text")));
}

static void did_close(const Message *m)
{
	Server *s = m->server;
	Open *open = find_open(s, text_param(m, "textDocument.uri"));
	if (!open)
		return;
	publish(m, open->uri, "[]");
	free(open->uri);
	free(open->text);
	*open = s->open[--s->count];
}

/* ---- requests */

static void initialize(const Message *m)
{
	m->server->initialized = true;
	send_result(m,
	            "{\"capabilities\":{\"textDocumentSync\":{\"openClose\":true,\"change\":1,\"save\":true},"
	            "\"hoverProvider\":true,\"definitionProvider\":true,\"documentFormattingProvider\":true,"
	            "\"completionProvider\":{\"triggerCharacters\":[\">\",\" \"]}},"
	            "\"serverInfo\":{\"name\":\"nnc\",\"version\":\"" NNC_VERSION "\"}}");
}

static void shut_down(const Message *m)
{
	m->server->shut_down = true;
	send_result(m, "null");
}

static void end(const Message *m)
{
	m->server->ends = true;
}

static void ignore(const Message *m)
{
}

static void answer_at(const Message *m, const char *(*answer)(Arena *, const Document *, int))
{
	Document d;
	int line = json_int_at(m->json, json_find(m->json, m->params, "position.line"), -1),
	    character = json_int_at(m->json, json_find(m->json, m->params, "position.character"), -1);
	if (!find_document(m, &d) || line < 0 || character < 0)
		send_error(m->arena, m->id, INVALID_PARAMS, "there is no such text open, or no such place");
	else
		send_result(m, answer(m->arena, &d, d.source ? lsp_offset(d.source, line, character) : 0));
}

static void hover(const Message *m)
{
	answer_at(m, lsp_hover);
}

static void complete(const Message *m)
{
	answer_at(m, lsp_completion);
}

static void define(const Message *m)
{
	answer_at(m, lsp_definition);
}

static void format(const Message *m)
{
	Document d;
	if (find_document(m, &d))
		send_result(m, lsp_formatting(m->arena, &d));
	else
		send_error(m->arena, m->id, INVALID_PARAMS, "there is no such text open");
}

static const struct {
	const char *method;
	bool asks; /* it is answered */
	void (*run)(const Message *m);
} methods[] = {
        {"initialize", true, initialize},
        {"initialized", false, ignore},
        {"shutdown", true, shut_down},
        {"exit", false, end},
        {"textDocument/didOpen", false, did_open},
        {"textDocument/didChange", false, did_change},
        {"textDocument/didSave", false, look_at},
        {"textDocument/didClose", false, did_close},
        {"textDocument/hover", true, hover},
        {"textDocument/completion", true, complete},
        {"textDocument/definition", true, define},
        {"textDocument/formatting", true, format},
};

/* The request's number, as it came; NULL: it has none, and is no request. */
static const char *id_of(Arena *a, const Json *j)
{
	int id = json_find(j, 0, "id");
	if (id < 0 || (j->nodes[id].kind != JSON_NUMBER && j->nodes[id].kind != JSON_STRING))
		return NULL;
	int quote = j->nodes[id].kind == JSON_STRING;
	return arena_strndup(a, j->text + j->nodes[id].start - quote,
	                     (size_t)(j->nodes[id].end - j->nodes[id].start + 2 * quote));
}

static void handle(Arena *a, Server *s, const char *body, size_t length)
{
	const char *why;
	const Json *j = json_parse(a, body, length, &why);
	if (!j) {
		send_error(a, NULL, PARSE_ERROR, why);
		return;
	}
	const char *method = json_string_at(a, j, json_find(j, 0, "method"));
	Message m = {a, s, j, id_of(a, j), json_find(j, 0, "params")};
	if (!method) {
		/* an answer to what the server never asked is nothing to it */
		if (json_find(j, 0, "result") < 0 && json_find(j, 0, "error") < 0)
			send_error(a, m.id, INVALID_REQUEST, "the message has no method");
		return;
	}
	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
		if (strcmp(methods[i].method, method) != 0)
			continue;
		bool early = !s->initialized && methods[i].run != initialize && methods[i].run != end;
		if (early || (s->shut_down && methods[i].run != end)) {
			if (m.id)
				send_error(a, m.id, early ? NOT_INITIALIZED : INVALID_REQUEST,
				           early ? "the server is not initialized"
				                 : "the server is shut down");
		} else if (m.id || !methods[i].asks) {
			methods[i].run(&m);
		}
		return;
	}
	if (m.id)
		send_error(a, m.id, METHOD_NOT_FOUND,
		           arena_printf(a, "there is no method `%s`", printable(a, method)));
}

int command_lsp(Arena *arena, const Options *o)
{
	static Server server;
	Server *s = &server;
	if (o->files.count > 0)
		fail(EXIT_USAGE, "nnc lsp takes no files: an editor sends them");
	while (!s->ends) {
		Arena *a = arena_new();
		bool too_long = false;
		int64_t length = read_header();
		const char *body = length >= 0 ? read_body(a, length, &too_long) : NULL;
		if (body && too_long)
			send_error(a, NULL, INVALID_REQUEST, "the message is too long");
		else if (body)
			handle(a, s, body, (size_t)length);
		s->ends = s->ends || !body;
		arena_free(a);
	}
	for (int i = 0; i < s->count; i++) {
		free(s->open[i].uri);
		free(s->open[i].text);
	}
	return s->shut_down ? EXIT_OK : EXIT_SOURCE;
}
