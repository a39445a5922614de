/* The table of passes, in the order of passes.def. */
#include "passes/pass.h"

#include "base/writer.h"

#include <stdarg.h>
#include <string.h>

const Pass passes[] = {
#define PASS(name, optional, training_only, doc) {#name, doc, pass_##name, optional, training_only},
#include "passes/passes.def"
#undef PASS
};

const int pass_count = sizeof passes / sizeof *passes;

const Pass *pass_find(const char *name)
{
	for (int i = 0; i < pass_count; i++) {
		if (strcmp(passes[i].name, name) == 0)
			return &passes[i];
	}
	return NULL;
}

char *pass_list(Arena *a)
{
	Writer *w = writer_new(a);
	for (int i = 0; i < pass_count; i++)
		write_line(w, "%-14s %s%s", passes[i].name, passes[i].doc,
		           passes[i].optional ? arena_printf(a, " (-fno-%s)", passes[i].name) : "");
	return arena_strdup(a, writer_text(w, NULL));
}

void pass_remark(PassContext *ctx, const char *format, ...)
{
	if (!ctx->want_remarks)
		return;
	va_list args;
	va_start(args, format);
	char *line = arena_printf(ctx->arena, "%s\n", arena_vprintf(ctx->arena, format, args));
	va_end(args);
	const char *before = ctx->remarks ? ctx->remarks : "";
	if (!strstr(before, line))
		ctx->remarks = arena_printf(ctx->arena, "%s%s", before, line);
}
