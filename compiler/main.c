/* SPDX-License-Identifier: MIT */
/* nnc: which function each command is. The command line itself is driver/options.c's. */
#include "base/streams.h"
#include "command.h"
#include "driver/driver.h"
#include "driver/help.h"
#include "tools/doctor.h"
#include "tools/lsp.h"
#include "tools/new.h"

#include <signal.h>
#include <string.h>

/* ---- nnc fmt */

/* True when the file is canonical already, or has been written so. */
static bool format_file(Arena *a, Diagnostics *d, const Options *o, const char *path)
{
	const Source *source = read_source(a, d, path);
	const char *text = source ? format_source(a, d, source) : NULL;
	if (!text)
		return true;
	bool same = strcmp(text, source->text) == 0;
	if (o->check_format) {
		if (!same)
			printf("%s\n", printable(a, path));
		return same;
	}
	if (!o->write)
		fputs(text, stdout);
	else if (!same)
		write_output(a, arena_printf(a, "%s%s", path[0] == '-' ? "./" : "", path), text);
	return true;
}

static int command_fmt(Arena *a, const Options *o)
{
	if (o->files.count == 0)
		fail(EXIT_USAGE, "nnc fmt needs the files to format");
	Diagnostics *d = begin_diagnostics(a, o);
	bool canonical = true;
	for (int i = 0; i < o->files.count; i++)
		canonical = format_file(a, d, o, o->files.at[i]) && canonical;
	int status = finish_diagnostics(d);
	return status == EXIT_OK && !canonical ? EXIT_SOURCE : status;
}

int main(int argc, char **argv)
{
	static int (*const run[])(Arena * a, const Options *o) = {
	        [COMMAND_BUILD] = command_build,     [COMMAND_FMT] = command_fmt,
	        [COMMAND_HELP] = command_help,       [COMMAND_OPT] = command_opt,
	        [COMMAND_CUBIN] = command_cubin,     [COMMAND_REPRO] = command_build,
	        [COMMAND_COMPARE] = command_compare, [COMMAND_DOCTOR] = command_doctor,
	        [COMMAND_LSP] = command_lsp,         [COMMAND_NEW] = command_new,
	};
	streams_open_closed();
	/* A write past the limit of a file's size fails as on a full disk, the C compiler's too. */
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGCHLD, SIG_DFL); /* ignored, as a parent may have it, it hides how the C compiler ended */
	Arena *a = arena_new();
	const Options *o = options_read(a, argc, argv);
	int status = run[o->command](a, o);
	require_printed();
	arena_free(a);
	return status;
}
