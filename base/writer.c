/* SPDX-License-Identifier: MIT */
/* Output text, files written whole or not at all, and names and strings made safe for generated C. */
#include "base/writer.h"
#include "base/fail.h"
#include "base/format.h"
#include "base/interrupts.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

struct Writer {
	Arena *arena;
	char *text;
	size_t length, room;
	int indent;
	bool at_start; /* of a line: indentation comes before the next text */
	int column;    /* where the next byte goes, from 0; tabs count 8 */
};

Writer *writer_new(Arena *a)
{
	Writer *w = NEW(a, Writer);
	w->arena = a;
	w->room = 1024;
	w->text = arena_alloc(a, w->room);
	w->at_start = true;
	return w;
}

static void append(Writer *w, const char *s, size_t n)
{
	if (w->room - w->length <= n) {
		size_t room = 2 * (w->length + n);
		char *grown = arena_alloc(w->arena, room);
		memcpy(grown, w->text, w->length);
		w->text = grown;
		w->room = room;
	}
	memcpy(w->text + w->length, s, n);
	w->length += n;
	w->text[w->length] = 0;
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\n')
			w->column = 0;
		else if (s[i] == '\t')
			w->column += 8 - w->column % 8;
		else if (((unsigned char)s[i] & 0xC0) != 0x80) /* not the second byte of a character */
			w->column++;
	}
}

static void append_lines(Writer *w, const char *s)
{
	while (*s) {
		size_t n = strcspn(s, "\n");
		if (n && w->at_start)
			for (int i = 0; i < w->indent; i++)
				append(w, "\t", 1);
		bool ends = s[n] == '\n';
		append(w, s, n + ends);
		w->at_start = ends || (w->at_start && !n);
		s += n + ends;
	}
}

/* Most texts fit `small`; a text of the arena would stay there beside its copy in the writer. */
__attribute__((format(printf, 2, 0))) static void append_formatted(Writer *w, const char *format,
                                                                   va_list args)
{
	char small[512];
	va_list again;
	va_copy(again, args);
	int length = format_text(small, sizeof small, format, args);
	require(length >= 0);
	append_lines(w, (size_t)length < sizeof small ? small : arena_vprintf(w->arena, format, again));
	va_end(again);
}

void write_text(Writer *w, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	append_formatted(w, format, args);
	va_end(args);
}

void write_line(Writer *w, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	append_formatted(w, format, args);
	va_end(args);
	append_lines(w, "\n");
}

void write_lines(Writer *w, const char *lines)
{
	for (const char *line = lines; *line;) {
		const char *end = strchr(line, '\n');
		write_line(w, "%.*s", (int)(end - line), line);
		line = end + 1;
	}
}

void write_braced(Writer *w, const char *head, const char *body)
{
	write_line(w, "%s", head);
	write_line(w, "{");
	write_indent(w, 1);
	write_lines(w, body);
	write_indent(w, -1);
	write_line(w, "}");
}

void write_comment(Writer *w, int column, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = arena_vprintf(w->arena, format, args);
	va_end(args);
	size_t n = strlen(text);
	/* A backslash at the end would draw the next line into the comment. */
	require(!strpbrk(text, "\n\r") && !strstr(text, "*/") && !strstr(text, "/*") &&
	        (!n || text[n - 1] != '\\'));
	if (w->at_start)
		append_lines(w, "");
	int gap = w->column < column ? column - w->column : w->column > 0;
	append_lines(w, arena_printf(w->arena, "%*s// %s", gap, "", text));
}

void write_indent(Writer *w, int by)
{
	w->indent += by;
	require(w->indent >= 0);
}

const char *writer_text(Writer *w, size_t *length)
{
	if (length)
		*length = w->length;
	return w->text;
}

/* ---- files */

static const char *write_all(int fd, const char *text, size_t length)
{
	while (length) {
		ssize_t n = write(fd, text, length);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return strerror(errno);
		text += n;
		length -= (size_t)n;
	}
	return NULL;
}

/* For /dev/null and its like, which must not be replaced by a file. */
static const char *device_write(Arena *a, const char *path, const char *text, size_t length)
{
	int fd = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return arena_printf(a, "can't write `%s`: %s", path, strerror(errno));
	const char *error = write_all(fd, text, length);
	close(fd);
	return error ? arena_printf(a, "can't write `%s`: %s", path, error) : NULL;
}

const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

const char *folder_of(Arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');
	if (!slash)
		return ".";
	return slash == path ? "/" : arena_strndup(a, path, (size_t)(slash - path));
}

static mode_t file_mode(void)
{
	mode_t mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

/* The name inside the folder alone is renamed: the folder cannot change under our feet. */
static const char *replace_file(Arena *a, int folder, const char *name, const char *text, size_t length)
{
	uint64_t random = 0;
	if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
		return strerror(errno);
	const char *temporary = arena_printf(a, ".nnc-%016llx.tmp", (unsigned long long)random);
	int fd = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return strerror(errno);
	const char *error = write_all(fd, text, length);
	if (!error && (fchmod(fd, file_mode()) || fsync(fd)))
		error = strerror(errno);
	if (close(fd) && !error)
		error = strerror(errno);
	if (!error && renameat(folder, temporary, folder, name))
		error = strerror(errno);
	if (error) {
		error = arena_strdup(a, error);
		unlinkat(folder, temporary, 0);
		return error;
	}
	/* Some file systems cannot sync a folder; the file itself is safe by now. */
	if (fsync(folder) && errno != EINVAL && errno != EROFS)
		return strerror(errno);
	return NULL;
}

const char *file_write(Arena *a, const char *path, const char *text, size_t length)
{
	struct stat st;
	if (lstat(path, &st) == 0) {
		if (S_ISCHR(st.st_mode))
			return device_write(a, path, text, length);
		if (S_ISLNK(st.st_mode))
			return arena_printf(
			        a, "can't write `%s`: it is a symbolic link; name the file itself", path);
		if (S_ISDIR(st.st_mode))
			return arena_printf(a, "can't write `%s`: it is a folder", path);
		if (!S_ISREG(st.st_mode))
			return arena_printf(a, "can't write `%s`: it is not a regular file", path);
	}
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	if (!*name)
		return arena_printf(a, "can't write `%s`: it names no file", path);
	int folder = open(folder_of(a, path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	sigset_t before = interrupts_hold();
	const char *error = folder < 0 ? strerror(errno) : replace_file(a, folder, name, text, length);
	interrupts_release(before);
	if (folder >= 0)
		close(folder);
	return error ? arena_printf(a, "can't write `%s`: %s", path, error) : NULL;
}

/* ---- user text in generated C */

char *c_string(Arena *a, const char *s)
{
	char *text = arena_array(a, 4 * strlen(s) + 3, 1), *out = text;
	*out++ = '"';
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		bool plain = c >= 0x20 && c < 0x7f && !strchr("\"\\?", c); /* ?: trigraphs */
		if (plain)
			*out++ = (char)c;
		else
			out += sprintf(out, "\\%03o", c);
	}
	*out = '"';
	return text;
}

/* Words that mean something in the generated C or CUDA C: keywords, the few macros of compilers and of <math.h> and
 * <stdbool.h> that are written small, and the functions and types that generated code itself names. Other functions do
 * no harm: a variable hides them, and nothing calls them there. In the order of strcmp. */
/* clang-format off */
static const char *const words[] = {
	"abs", "acos", "alignas", "alignof", "and", "and_eq", "asin", "asm", "assert", "atan", "auto", "bitand",
	"bitor", "bool", "break", "case", "catch", "cbrt", "ceil", "char", "class", "co_await", "co_return",
	"co_yield", "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit", "continue",
	"copysign", "cos", "cosh", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
	"erf", "erfc", "errno", "exp", "exp2", "explicit", "expm1", "export", "extern", "fabs", "false", "float",
	"float2", "float4", "floor", "fma", "fmax", "fmin", "fmod", "for", "friend", "goto", "half", "if", "inline",
	"int", "int2", "isfinite", "isinf", "isnan", "lgamma", "linux", "log", "log10", "log1p", "log2", "long",
	"main", "math_errhandling", "max", "memcpy", "memset", "min", "mutable", "namespace", "new", "noexcept",
	"not", "not_eq", "nullptr", "operator", "or", "or_eq", "pow", "private", "protected", "public", "register",
	"reinterpret_cast", "requires", "restrict", "return", "rint", "round", "rsqrt", "short", "signed", "sin",
	"sinh", "sizeof", "sqrt", "static", "static_assert", "static_cast", "struct", "switch", "tan", "tanh",
	"template", "tgamma", "this", "thread_local", "throw", "true", "trunc", "try", "typedef", "typeid",
	"typename", "typeof", "uint2", "uint4", "union", "unix", "unsigned", "using", "virtual", "void", "volatile",
	"while", "xor", "xor_eq",
};
/* clang-format on */

enum { LONGEST_WORD = sizeof "math_errhandling" - 1 };

static int compare_words(const void *word, const void *at)
{
	return strcmp(word, *(const char *const *)at);
}

/* Whether the first n bytes of s are one of the words. */
static bool is_word(const char *s, size_t n)
{
	char word[LONGEST_WORD + 1] = "";
	if (n > LONGEST_WORD)
		return false;
	memcpy(word, s, n);
	return bsearch(word, words, sizeof words / sizeof *words, sizeof *words, compare_words) != NULL;
}

/* Whether an identifier could be somebody else's: codegen/DESIGN.md, "Names". One that ends in `_` is nobody's. */
static bool may_be_taken(const char *s)
{
	size_t n = strlen(s);
	if (n == 0 || s[n - 1] == '_')
		return false;
	for (size_t i = 0; i < n; i++)
		if (isupper((unsigned char)s[i]))
			return true;
	return strncmp(s, "nnr_", 4) == 0 || (n > 2 && strcmp(s + n - 2, "_t") == 0) || is_word(s, n) ||
	       (s[n - 1] == 'f' && is_word(s, n - 1));
}

char *c_identifier(Arena *a, const char *s)
{
	bool letter_first = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z');
	/* A leading _ or digit gets a letter in front: names that begin with _ belong to the implementation. */
	char *name = arena_printf(a, "%s%s", letter_first ? "" : *s == '_' ? "v" : "v_", s);
	for (char *c = name; *c; c++)
		if ((unsigned char)*c >= 0x80 || !isalnum((unsigned char)*c))
			*c = '_';
	return may_be_taken(name) ? arena_printf(a, "%s_", name) : name;
}

char *c_identifier_numbered(Arena *a, const char *s, int number)
{
	const size_t length = strlen(s);
	const bool ends_low =
	        length > 1 && s[length - 1] == '_'; /* two beside each other are reserved in C++ */
	return c_identifier(a, arena_printf(a, ends_low ? "%s%d_" : "%s_%d", s, number));
}

const char *c_identifier_free(Arena *a, Map *taken, const char *s)
{
	const char *name = c_identifier(a, s);
	for (int i = 2; map_get(taken, name); i++)
		name = c_identifier_numbered(a, s, i);
	map_set(taken, name, taken);
	return name;
}

char *grouped_digits(Arena *a, double n)
{
	char digits[40], *out = arena_alloc(a, 64), *o = out;
	int length = snprintf(digits, sizeof digits, "%.0f", n);
	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*o++ = ',';
		*o++ = digits[i];
	}
	return out;
}

char *human_count(Arena *a, double n, const char *unit)
{
	static const char *const prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
	size_t i = 0;
	while (fabs(n) >= (i ? 999.95 : 999.5) && i + 1 < sizeof prefixes / sizeof *prefixes) {
		n /= 1000;
		i++;
	}
	const char *space = *prefixes[i] || *unit ? " " : "";
	return arena_printf(a, i ? "%.1f%s%s%s" : "%.0f%s%s%s", n, space, prefixes[i], unit);
}
