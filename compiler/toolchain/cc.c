/* SPDX-License-Identifier: MIT */
/* Making the trainer: one command of the C compiler, over the generated C and the runtime library.
 *
 * The C file and the unfinished trainer are in a private folder beside the output, so that a failure leaves
 * nothing and success is one rename. Interrupts are held as long as it is there.
 *
 * clang brings LLVM's OpenMP, oneDNN asks for gcc's. Both are then in the process, but one runs: libomp defines every
 * symbol of libgomp under its versions, and a trainer asks for it directly, oneDNN only through libdnnl, so the loader
 * searches it first and binds oneDNN's calls to it as well (LD_DEBUG=bindings shows them). */
#include "toolchain/cc.h"

#include "base/array.h"
#include "base/diag.h"
#include "base/interrupts.h"
#include "base/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef ARRAY(const char *) Words;

char *whole_file(Arena *a, const char *path, size_t *length)
{
	struct stat s;
	FILE *f = fopen(path, "rbe");
	char *text = NULL;
	if (f && fstat(fileno(f), &s) == 0 && S_ISREG(s.st_mode)) {
		text = arena_alloc(a, (size_t)s.st_size + 1);
		*length = fread(text, 1, (size_t)s.st_size, f);
		text[*length] = '\0';
	}
	if (f)
		fclose(f);
	return text;
}

/* A path that no program takes for an option or a response file. */
static const char *safe_path(Arena *a, const char *path)
{
	return path[0] == '/' || path[0] == '.' ? path : arena_printf(a, "./%s", path);
}

static void push_words(Arena *a, Words *words, const char *text)
{
	for (text += strspn(text, " \t\n"); *text; text += strspn(text, " \t\n")) {
		size_t n = strcspn(text, " \t\n");
		array_push(a, words, arena_strndup(a, text, n));
		text += n;
	}
}

static void push_all(Arena *a, Words *argv, const char *const *words)
{
	for (; *words; words++)
		array_push(a, argv, *words);
}

/* ---- finding */

static bool is_program(const char *file)
{
	struct stat s;
	return access(file, X_OK) == 0 && stat(file, &s) == 0 && S_ISREG(s.st_mode);
}

/* The file that running `program` would run, or NULL. */
static const char *find_program(Arena *a, const char *program)
{
	if (strchr(program, '/'))
		return is_program(program) ? program : NULL;
	const char *path = getenv("PATH");
	for (const char *at = path ? path : "/usr/bin:/bin"; at;) {
		size_t n = strcspn(at, ":");
		const char *file = arena_printf(a, "%.*s/%s", (int)n, n ? at : ".", program);
		if (is_program(file))
			return file;
		at = at[n] ? at + n + 1 : NULL;
	}
	return NULL;
}

/* $CC (a program and perhaps arguments), else the first of cc, gcc, clang. No words, and `why`: there is none. */
static Words find_compiler(Arena *a, const char **why)
{
	Words command = {0};
	const char *named = getenv("CC");
	if (named)
		push_words(a, &command, named);
	if (command.count > 0) {
		const char *file = find_program(a, command.at[0]);
		*why = arena_printf(a, "the C compiler `%s`, named by $CC, %s", printable(a, named),
		                    access(command.at[0], F_OK) == 0 ? "is no program that can be run"
		                                                     : "was not found");
		command.at[0] = file;
		return file ? command : (Words){0};
	}
	static const char *const usual[] = {"cc", "gcc", "clang"};
	for (int i = 0; i < 3; i++) {
		const char *file = find_program(a, usual[i]);
		if (file) {
			array_push(a, &command, file);
			return command;
		}
	}
	*why = "no C compiler was found: searched the PATH for cc, gcc and clang; install gcc, or name one "
	       "by $CC";
	return command;
}

typedef struct Runtime {
	const char *library, *include; /* libnnr.a, NULL: there is none; the folder of nnr.h */
} Runtime;

const char *absolute_path(Arena *a, const char *path)
{
	char *real = strchr(path, '/') && path[0] != '/' ? realpath(path, NULL) : NULL;
	const char *found = real ? arena_strdup(a, real) : path;
	free(real);
	return found;
}

static bool runtime_in(Arena *a, const char *lib, const char *include, Runtime *r)
{
	r->library = arena_printf(a, "%s/libnnr.a", absolute_path(a, safe_path(a, lib)));
	r->include = absolute_path(a, safe_path(a, include));
	return access(r->library, R_OK) == 0 && access(arena_printf(a, "%s/nnr.h", r->include), R_OK) == 0;
}

/* $NNC_RUNTIME, else the build tree that nnc stands in, else the installation that it stands in, wherever that has been
 * moved to: PREFIX/bin/nnc has PREFIX/lib/nnc and PREFIX/include/nnc. */
static Runtime look_for_runtime(Arena *a, const char **why)
{
	Runtime r;
	const char *named = getenv("NNC_RUNTIME");
	if (named && *named) {
		size_t n = strcspn(named, ":");
		const char *lib = arena_strndup(a, named, n);
		if (runtime_in(a, lib, named[n] ? named + n + 1 : lib, &r))
			return r;
		*why = arena_printf(a, "$NNC_RUNTIME is `%s`, but there is no %s or no nnr.h in %s",
		                    printable(a, named), r.library, r.include);
		return (Runtime){0};
	}
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	if (length < 0) {
		*why = arena_printf(a, "can't find where nnc is installed: %s", strerror(errno));
		return (Runtime){0};
	}
	self[length] = '\0';
	const char *prefix = folder_of(a, folder_of(a, self));
	const char *built = arena_printf(a, "%s/runtime", prefix),
	           *installed = arena_printf(a, "%s/lib/nnc", prefix);
	if (runtime_in(a, built, NNC_SOURCE_ROOT "/runtime", &r) ||
	    runtime_in(a, installed, arena_printf(a, "%s/include/nnc", prefix), &r))
		return r;
	*why = arena_printf(
	        a,
	        "the runtime library libnnr.a was not found: searched %s and %s; build it, or name "
	        "its folder by $NNC_RUNTIME",
	        built, installed);
	return (Runtime){0};
}

static Runtime find_runtime(Arena *a)
{
	const char *why;
	Runtime r = look_for_runtime(a, &why);
	if (!r.library)
		fail(EXIT_TOOL, "%s", why);
	return r;
}

/* What a trainer links besides the runtime: words in the file libnnr.libs beside it, of which those that begin with ./
 * are files there, too. */
static void push_libraries(Arena *a, Words *argv, const Runtime *r)
{
	const char *why,
	        *list = arena_printf(a, "%s.libs", arena_strndup(a, r->library, strlen(r->library) - 2));
	const Source *source = source_read(a, list, &why);
	if (!source)
		fail(EXIT_TOOL, "the runtime is incomplete: %s", why);
	int before = argv->count;
	push_words(a, argv, source->text);
	for (int i = before; i < argv->count; i++)
		if (strncmp(argv->at[i], "./", 2) == 0)
			argv->at[i] = arena_printf(a, "%s%s", folder_of(a, r->library), argv->at[i] + 1);
}

const char *compiler_found(Arena *a, const char **why)
{
	Words command = find_compiler(a, why);
	return command.count > 0 ? command.at[0] : NULL;
}

const char *runtime_found(Arena *a, const char **why)
{
	return look_for_runtime(a, why).library;
}

const char *runtime_include(Arena *a)
{
	return find_runtime(a).include;
}

static const char *cuda_library(Arena *a, const Runtime *r)
{
	const char *library = arena_printf(a, "%s/libnnr_cuda.a", folder_of(a, r->library));
	if (access(library, R_OK) != 0)
		fail(EXIT_TOOL, "the CUDA runtime %s was not found: it is built where CUDA's headers are",
		     library);
	return library;
}

/* ---- the command */

/* Without one it ends here. */
static Words wanted_compiler(Arena *a)
{
	const char *why;
	Words argv = find_compiler(a, &why);
	if (argv.count == 0)
		fail(EXIT_TOOL, "%s", why);
	return argv;
}

/* The compiler, and how it is to read generated code. `level`: -O2, or -O1 for what only launches kernels, which is
 * compiled in a fifth of the time then. */
static Words compiler_words(Arena *a, const char *march, const char *level)
{
	static const char *const flags[] = {
	        "-x",
	        "c",
	        "-std=gnu17",
	        "-fopenmp",
	        "-fno-math-errno",
	        "-fno-trapping-math",
	        "-Wno-pass-failed"}; /* clang, of a simd loop it leaves; not gcc's */
	Words argv = wanted_compiler(a);
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		array_push(a, &argv, flags[i]);
	array_push(a, &argv, level);
	array_push(a, &argv, arena_printf(a, "-march=%s", march));
	return argv;
}

const char *own_file(Arena *a)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	return arena_strndup(a, self, length > 0 ? (size_t)length : 0);
}

/* For a trainer that needs another of itself (runtime/ranks/variant.c); nothing where the name would need care. */
static void push_own_name(Arena *a, Words *argv)
{
	const char *self = own_file(a);
	if (*self && !self[strcspn(self, "\"\\\n")])
		array_push(a, argv, arena_printf(a, "-DNNR_COMPILER=\"%s\"", self));
}

/* Beside NAME.c. */
static const char *page_file(Arena *a, const char *c_file)
{
	return arena_printf(a, "%.*s.page.c", (int)strlen(c_file) - 2, c_file);
}

static Words compile_command(Arena *a, const TrainerBuild *t, const char *c_file, const char *output)
{
	Words argv = compiler_words(a, t->march, t->kernels ? "-O1" : "-O2");
	push_own_name(a, &argv);
	Runtime r = find_runtime(a);
	const char *const code[] = {"-I", r.include, safe_path(a, c_file)};
	for (size_t i = 0; i < sizeof code / sizeof *code; i++)
		array_push(a, &argv, code[i]);
	if (t->page)
		array_push(a, &argv, safe_path(a, page_file(a, c_file)));
	if (t->images)
		array_push(a, &argv, safe_path(a, t->images));
	const char *const rest[] = {"-x",
	                            "none",
	                            "-o",
	                            safe_path(a, output),
	                            "-Wl,--as-needed",
	                            "-Wl,--gc-sections",
	                            "-Wl,--start-group",
	                            r.library};
	for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
		array_push(a, &argv, rest[i]);
	if (t->kernels)
		array_push(a, &argv, cuda_library(a, &r));
	push_libraries(a, &argv, &r);
	array_push(a, &argv, "-Wl,--end-group");
	return argv;
}

TrainerCommand trainer_command(Arena *a, const TrainerBuild *t)
{
	Words argv = compile_command(a, t, arena_printf(a, "%s.c", t->name), t->output);
	TrainerCommand c = {.words = argv.at, .count = argv.count, .compiler = wanted_compiler(a).count};
	for (c.flags = c.compiler; strncmp(argv.at[c.flags], "-march=", 7) != 0;)
		c.flags++;
	c.flags++;
	return c;
}

/* In single quotes where a shell would read more than the word. */
const char *shell_word(Arena *a, const char *word)
{
	static const char plain[] =
	        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
	if (*word && word[strspn(word, plain)] == '\0')
		return word;
	Writer *w = writer_new(a);
	write_text(w, "'");
	for (; *word; word++) {
		if (*word == '\'')
			write_text(w, "'\\''");
		else
			write_text(w, "%c", *word);
	}
	write_text(w, "'");
	return arena_strdup(a, writer_text(w, NULL));
}

static void print_command(Arena *a, const Words *argv)
{
	for (int i = 0; i < argv->count; i++)
		fprintf(stderr, "%s%s", i ? " " : "", shell_word(a, argv->at[i]));
	fprintf(stderr, "\n");
}

/* What a command may end with that is no exit status. */
enum { BY_SIGNAL = -1, NOT_RUN = -2 /* errno says why */ };

/* The exit status, or one of these; `to`: the file for its standard output, NULL: that of nnc. In a process group of
 * its own, so that an interrupt of nnc ends all that a compiler starts, wherever it came from; SIGTTOU is ignored
 * there, for such a group may have to ask before it writes to the terminal. */
static int run_command(Arena *a, const Words *words, bool quiet, const char *to)
{
	char **argv = NEW_ARRAY(a, char *, words->count + 1);
	for (int i = 0; i < words->count; i++)
		argv[i] = arena_strdup(a, words->at[i]);
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none;
	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
	if (quiet)
		posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	if (to)
		posix_spawn_file_actions_addopen(&actions, 1, to, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	void (*before)(int) = signal(SIGTTOU, SIG_IGN);
	pid_t pid;
	int failed = posix_spawn(&pid, argv[0], &actions, &attr, argv, environ);
	signal(SIGTTOU, before);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	errno = failed;
	if (failed)
		return NOT_RUN;
	int status = interrupts_wait(pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : BY_SIGNAL;
}

int program_run(Arena *a, const char *const *words)
{
	Words argv = {0};
	push_all(a, &argv, words);
	sigset_t before = interrupts_hold();
	const int status = run_command(a, &argv, false, NULL);
	interrupts_release(before);
	return status;
}

/* ---- the build */

typedef struct Workspace {
	const char *folder, *c_file, *page_file, *trainer; /* page_file NULL: there is none */
	bool keeps_c;
	sigset_t before; /* it was made */
} Workspace;

/* An interrupt that came since it was made ends nnc here. */
static void remove_workspace(const Workspace *w)
{
	unlink(w->trainer);
	if (!w->keeps_c)
		unlink(w->c_file);
	if (!w->keeps_c && w->page_file)
		unlink(w->page_file);
	rmdir(w->folder);
	interrupts_release(w->before);
}

static Workspace make_workspace(Arena *a, const TrainerBuild *t)
{
	char *folder = arena_printf(a, "%s/.nnc-XXXXXX", folder_of(a, t->output));
	sigset_t before = interrupts_hold();
	if (!mkdtemp(folder))
		fail(EXIT_TOOL, "can't write beside `%s`: %s", printable(a, t->output), strerror(errno));
	Workspace w = {.folder = folder, .keeps_c = t->keep != NULL, .before = before};
	w.trainer = arena_printf(a, "%s/trainer", folder);
	w.c_file = arena_printf(a, "%s/%s.c", t->keep ? t->keep : folder, t->name);
	w.page_file = t->page ? page_file(a, w.c_file) : NULL;
	const char *why = NULL;
	if (t->keep && mkdir(t->keep, 0777) != 0 && errno != EEXIST)
		why = arena_printf(a, "can't make the folder `%s`: %s", printable(a, t->keep),
		                   strerror(errno));
	if (!why)
		why = file_write(a, w.c_file, t->text, strlen(t->text));
	if (!why && t->page)
		why = file_write(a, w.page_file, t->page, strlen(t->page));
	if (!why && t->keep && t->kernels)
		why = file_write(a, arena_printf(a, "%s/%s.cu", t->keep, t->name), t->kernels,
		                 strlen(t->kernels));
	if (why) {
		remove_workspace(&w);
		fail(EXIT_TOOL, "%s", why);
	}
	return w;
}

/* With `instead` for the word `given`. */
static bool accepts(Arena *a, Words argv, const char *given, const char *instead)
{
	Words check = {0};
	for (int i = 0; i < argv.count; i++)
		array_push(a, &check, strcmp(argv.at[i], given) == 0 ? instead : argv.at[i]);
	array_push(a, &check, "-fsyntax-only");
	return run_command(a, &check, true, NULL) == 0;
}

/* Why no compiler can have files of its own there; NULL: it can. */
static const char *why_not_temporary(Arena *a)
{
	const char *folder = getenv("TMPDIR");
	if (!folder || !*folder)
		return NULL;
	char *file = arena_printf(a, "%s/nnc-XXXXXX", folder);
	int fd = mkstemp(file);
	if (fd < 0)
		return strerror(errno);
	close(fd);
	unlink(file);
	return NULL;
}

/* The compiler has said what it dislikes: nnc's code, or what it misses on this machine. */
static _Noreturn void explain_failure(Arena *a, const Workspace *w, Words argv, const char *march, int status)
{
	int reason = errno;
	const char *c_file = safe_path(a, w->c_file);
	bool works = status >= 0 && accepts(a, argv, c_file, "/dev/null");
	bool knows = works || status < 0 || !accepts(a, argv, arena_printf(a, "-march=%s", march), "-g0");
	bool code_is_right = works && accepts(a, argv, c_file, c_file);
	const char *temporary = why_not_temporary(a);
	remove_workspace(w);
	if (temporary && status != NOT_RUN)
		fail(EXIT_TOOL,
		     "the C compiler can't write its temporary files to `%s`, named by $TMPDIR: %s",
		     printable(a, getenv("TMPDIR")), temporary);
	if (status == NOT_RUN)
		fail(EXIT_TOOL, "can't run %s: %s", argv.at[0], strerror(reason));
	if (status == BY_SIGNAL)
		fail(EXIT_TOOL, "the C compiler was ended by a signal");
	if (!knows)
		fail(EXIT_USAGE, "%s does not know --march=%s; what it says stands above", argv.at[0], march);
	if (!works)
		fail(EXIT_TOOL, "%s does not work as a C compiler with OpenMP", argv.at[0]);
	if (!code_is_right)
		bug("the C compiler refuses the generated code");
	fail(EXIT_TOOL, "%s can't link the trainer; what it misses stands above", argv.at[0]);
}

void trainer_build(Arena *a, const TrainerBuild *t)
{
	const char *folder = t->keep ? t->keep : ".";
	Words shown = compile_command(a, t, arena_printf(a, "%s/%s.c", folder, t->name), t->output);
	if (t->verbose || t->dry_run)
		print_command(a, &shown);
	if (t->dry_run)
		return;
	Workspace w = make_workspace(a, t);
	Words argv = compile_command(a, t, w.c_file, w.trainer);
	int status = run_command(a, &argv, false, NULL);
	if (status != 0)
		explain_failure(a, &w, argv, t->march, status);
	if (!is_program(w.trainer)) {
		remove_workspace(&w);
		fail(EXIT_TOOL, "%s ended without a mistake, but made no program: it is no C compiler",
		     argv.at[0]);
	}
	int renamed = rename(w.trainer, t->output), reason = errno;
	remove_workspace(&w);
	if (renamed != 0)
		fail(EXIT_TOOL, "can't write `%s`: %s", printable(a, t->output), strerror(reason));
}

char *assembler_text(Arena *a, const char *text, const char *march, const char *beside)
{
	const TrainerBuild code = {.name = "model", .text = text, .output = beside};
	Workspace w = make_workspace(a, &code);
	Words argv = compiler_words(a, march, "-O2");
	Runtime r = find_runtime(a);
	const char *const rest[] = {"-g1", "-S", "-I", r.include, safe_path(a, w.c_file), "-o", w.trainer};
	for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
		array_push(a, &argv, rest[i]);
	size_t length;
	char *assembler = run_command(a, &argv, false, NULL) == 0 ? whole_file(a, w.trainer, &length) : NULL;
	remove_workspace(&w);
	return assembler;
}

const char *disassembler_found(Arena *a)
{
	const char *home = getenv("CUDA_HOME");
	const char *at[] = {"nvdisasm", home && *home ? arena_printf(a, "%s/bin/nvdisasm", home) : NULL,
	                    "/usr/local/cuda/bin/nvdisasm"};
	for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
		const char *file = at[i] ? find_program(a, at[i]) : NULL;
		if (file)
			return file;
	}
	return NULL;
}

char *disassembled(Arena *a, const char *cubin, size_t size, const char *beside)
{
	const TrainerBuild code = {.name = "model", .text = "", .output = beside};
	const char *const words[] = {disassembler_found(a), "--print-code", "--print-line-info-inline", NULL};
	Workspace w = make_workspace(a, &code);
	Words argv = {0};
	push_all(a, &argv, words);
	array_push(a, &argv, safe_path(a, w.trainer));
	FILE *f = fopen(w.trainer, "wb");
	const bool whole = f && fwrite(cubin, 1, size, f) == size;
	const bool written = f && fclose(f) == 0 && whole;
	size_t length;
	char *text = written && run_command(a, &argv, false, w.c_file) == 0 ? whole_file(a, w.c_file, &length)
	                                                                    : NULL;
	remove_workspace(&w);
	return text;
}

/* ---- the library form */

/* Files of the build, in a folder. */
typedef struct LibraryFiles {
	const char *c, *object, *names, *whole, *shared, *archive;
} LibraryFiles;

static LibraryFiles library_files(Arena *a, const char *folder, const char *c_file)
{
	return (LibraryFiles){.c = c_file,
	                      .object = arena_printf(a, "%s/model.o", folder),
	                      .names = arena_printf(a, "%s/names", folder),
	                      .whole = arena_printf(a, "%s/whole.o", folder),
	                      .shared = arena_printf(a, "%s/library.so", folder),
	                      .archive = arena_printf(a, "%s/library.a", folder)};
}

static const char *binutil(Arena *a, const char *name, const char *by_llvm)
{
	const char *file = find_program(a, name);
	if (!file)
		file = find_program(a, by_llvm);
	if (!file)
		fail(EXIT_TOOL, "`%s` was not found on the PATH: it makes the .a; install binutils", name);
	return file;
}

/* The generated code to an object; that to a shared library that shows the model's functions alone; and with all that
 * it needs of the runtime to one object that does, so that the .a meets no other library of nnc in a program. */
enum { LIBRARY_COMMANDS = 5 };
static void library_commands(Arena *a, const LibraryBuild *l, LibraryFiles f,
                             Words commands[LIBRARY_COMMANDS])
{
	Runtime r = find_runtime(a);
	const char *slash = strrchr(l->base, '/'), *cuda = l->kernels ? cuda_library(a, &r) : NULL;
	commands[0] = compiler_words(a, l->march, l->kernels ? "-O1" : "-O2");
	push_all(a, &commands[0],
	         (const char *const[]){"-fPIC", "-fvisibility=hidden", "-I", r.include, "-c",
	                               safe_path(a, f.c), "-o", safe_path(a, f.object), NULL});
	commands[1] = wanted_compiler(a);
	push_all(a, &commands[1],
	         (const char *const[]){"-shared", "-fopenmp", "-o", safe_path(a, f.shared),
	                               arena_printf(a, "-Wl,-soname,%s.so", slash ? slash + 1 : l->base),
	                               "-Wl,--exclude-libs,ALL", "-Wl,--strip-debug", "-Wl,--as-needed",
	                               "-Wl,--start-group", safe_path(a, f.object), r.library, cuda, NULL});
	push_libraries(a, &commands[1], &r);
	array_push(a, &commands[1], "-Wl,--end-group");
	commands[2] = wanted_compiler(a);
	push_all(a, &commands[2],
	         (const char *const[]){"-r", "-nostdlib", "-o", safe_path(a, f.whole), safe_path(a, f.object),
	                               "-Wl,--start-group", r.library, cuda ? cuda : "-Wl,--end-group",
	                               cuda ? "-Wl,--end-group" : NULL, NULL});
	commands[3] = (Words){0};
	push_all(a, &commands[3],
	         (const char *const[]){binutil(a, "objcopy", "llvm-objcopy"), "--strip-debug",
	                               arena_printf(a, "--keep-global-symbols=%s", f.names),
	                               safe_path(a, f.whole), NULL});
	commands[4] = (Words){0};
	push_all(a, &commands[4],
	         (const char *const[]){binutil(a, "ar", "llvm-ar"), "rcsD", safe_path(a, f.archive),
	                               safe_path(a, f.whole), NULL});
}

static void remove_library_files(LibraryFiles f)
{
	const char *const files[] = {f.object, f.names, f.whole, f.shared, f.archive};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		unlink(files[i]);
}

/* NULL, or why one of the three is not there. */
static const char *name_library(Arena *a, const LibraryBuild *l, LibraryFiles f)
{
	const struct {
		const char *from, *suffix;
	} parts[] = {{f.archive, "a"}, {f.shared, "so"}};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const char *to = arena_printf(a, "%s.%s", l->base, parts[i].suffix);
		if (rename(parts[i].from, to) != 0)
			return arena_printf(a, "can't write `%s`: %s", printable(a, to), strerror(errno));
	}
	return file_write(a, arena_printf(a, "%s.h", l->base), l->header, strlen(l->header));
}

void library_build(Arena *a, const LibraryBuild *l)
{
	Words commands[LIBRARY_COMMANDS];
	const char *shown = l->keep ? l->keep : ".";
	library_commands(a, l, library_files(a, shown, arena_printf(a, "%s/%s.c", shown, l->name)), commands);
	for (int i = 0; i < LIBRARY_COMMANDS && (l->verbose || l->dry_run); i++)
		print_command(a, &commands[i]);
	if (l->dry_run)
		return;
	TrainerBuild code = {
	        .name = l->name, .text = l->text, .kernels = l->kernels, .output = l->base, .keep = l->keep};
	Workspace w = make_workspace(a, &code);
	LibraryFiles f = library_files(a, w.folder, w.c_file);
	library_commands(a, l, f, commands);
	const char *why = file_write(a, f.names, l->functions, strlen(l->functions));
	for (int i = 0; !why && i < LIBRARY_COMMANDS; i++) {
		int status = run_command(a, &commands[i], false, NULL);
		if (status == 0)
			continue;
		remove_library_files(f);
		if (i == 0)
			explain_failure(a, &w, commands[0], l->march, status);
		why = status == NOT_RUN ? strerror(errno) : "what it misses stands above";
		why = arena_printf(a, "%s can't make the library: %s", commands[i].at[0], why);
	}
	if (!why)
		why = name_library(a, l, f);
	remove_library_files(f);
	remove_workspace(&w);
	if (why)
		fail(EXIT_TOOL, "%s", why);
}
