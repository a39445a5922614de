/* SPDX-License-Identifier: MIT */
/* A file: "\x93NUMPY", version, header length, a Python dict in text such as
 *   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
 * then the elements. Versions 1 and 2, either order of dimensions and of bytes, and the types of `kinds` are read; real
 * numbers become one another, integers become reals or classes; nothing else is converted. */
#include "runtime/data/npy.h"
#include "base/checked.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEADER_LIMIT = 1 << 16, CHUNK_BYTES = 1 << 20 };

/* As NumPy spells them: a letter and how many bytes. `|` and `=` stand for no or native order, and native is
 * little-endian here. */
static const struct NpyKind {
	const char *name;
	int bytes;
	bool integer;
} kinds[] = {{"f4", 4, false}, {"f8", 8, false}, {"f2", 2, false}, {"u1", 1, true},
             {"u2", 2, true},  {"u4", 4, true},  {"u8", 8, true},  {"i1", 1, true},
             {"i2", 2, true},  {"i4", 4, true},  {"i8", 8, true},  {"b1", 1, true}};

/* ---- the header */

typedef struct Cursor {
	const char *at, *end;
} Cursor;

static void skip_blanks(Cursor *c)
{
	while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t'))
		c->at++;
}

static bool take(Cursor *c, const char *word)
{
	skip_blanks(c);
	size_t n = strlen(word);
	if ((size_t)(c->end - c->at) < n || memcmp(c->at, word, n) != 0)
		return false;
	c->at += n;
	return true;
}

static const char *parse_descr(Cursor *c, Npy *f)
{
	char quote = take(c, "'") ? '\'' : take(c, "\"") ? '"' : 0;
	if (!quote)
		return "its `descr` is no simple type";
	char order = c->at < c->end ? *c->at++ : 0;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		char spelled[4] = {kinds[i].name[0], kinds[i].name[1], quote, 0};
		if (take(c, spelled)) {
			if (!order || !strchr("<>=", order))
				if (order != '|' || kinds[i].bytes > 1)
					return "its elements have no order of bytes";
			f->swapped = order == '>' && kinds[i].bytes > 1;
			f->kind = &kinds[i];
			return NULL;
		}
	}
	int length = 0;
	while (length < 8 && c->at + length < c->end && c->at[length] != quote)
		length++;
	return text_printf(
	        "its element type is `%.*s`, and none of f2, f4, f8, u1, u2, u4, u8, i1, i2, i4, i8, b1: "
	        "convert it with NumPy's astype",
	        length, c->at);
}

static const char *parse_shape(Cursor *c, Npy *f)
{
	if (!take(c, "("))
		return "its shape is no tuple";
	while (!take(c, ")")) {
		int64_t n = 0;
		const char *first = c->at;
		skip_blanks(c);
		for (first = c->at; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++)
			if (!checked_mul(n, 10, &n) || !checked_add(n, *c->at - '0', &n) || n > SIZE_LIMIT)
				return "a dimension is too large";
		if (c->at == first || f->rank == NNR_MAX_RANK)
			return "its shape is no tuple of at most 8 sizes";
		f->dim[f->rank++] = n;
		if (!take(c, ",")) {
			if (!take(c, ")") || f->rank == 1) /* (3) is no tuple in Python */
				return "its shape is no tuple";
			return NULL;
		}
	}
	return NULL;
}

/* NULL, or what is wrong. */
static const char *parse_header(Cursor *c, Npy *f)
{
	bool descr = false, order = false, shape = false;
	if (!take(c, "{"))
		return "its header is no dict";
	while (!take(c, "}")) {
		const char *why = NULL;
		bool *seen;
		if (take(c, "'descr':") || take(c, "\"descr\":")) {
			seen = &descr;
			why = parse_descr(c, f);
		} else if (take(c, "'fortran_order':") || take(c, "\"fortran_order\":")) {
			seen = &order;
			f->fortran = take(c, "True");
			if (!f->fortran && !take(c, "False"))
				why = "its `fortran_order` is neither True nor False";
		} else if (take(c, "'shape':") || take(c, "\"shape\":")) {
			seen = &shape;
			if (!shape)
				why = parse_shape(c, f);
		} else {
			return "its header has an unknown key";
		}
		if (!why && *seen)
			why = "its header has a key twice";
		if (why)
			return why;
		*seen = true;
		if (!take(c, ",")) {
			if (!take(c, "}"))
				return "its header is no dict";
			break;
		}
	}
	skip_blanks(c);
	if (c->at != c->end || !descr || !order || !shape)
		return "its header is not complete";
	return NULL;
}

static bool read_at(const Npy *f, void *to, int64_t length, int64_t offset)
{
	if (!f->bytes)
		return file_read_at(f->fd, to, length, offset);
	memcpy(to, f->bytes + offset, (size_t)length);
	return true;
}

/* Of `size` bytes that are there: what its header says, compared with that. */
void npy_begin(Npy *f, int64_t size)
{
	const char *path = f->path;
	unsigned char head[12] = {0};
	int64_t length, bytes;
	if (size < 12 || !read_at(f, head, 12, 0) || memcmp(head, "\x93NUMPY", 6) != 0)
		die(STATUS_DATA, "`%s` is no .npy file", path);
	if (head[6] != 1 && head[6] != 2)
		die(STATUS_DATA, "`%s` is a .npy file of version %d; 1 and 2 are read", path, head[6]);
	int prefix = head[6] == 1 ? 10 : 12;
	length = head[8] | head[9] << 8;
	if (head[6] == 2)
		length |= (int64_t)head[10] << 16 | (int64_t)head[11] << 24;
	if (length > HEADER_LIMIT || length > size - prefix)
		die(STATUS_DATA, "`%s` is cut short or damaged: its header has %lld bytes", path,
		    (long long)length);
	char *header = allocate(length, 1, "the header");
	if (!read_at(f, header, length, prefix))
		die(STATUS_DATA, "can't read `%s`", path);
	Cursor cursor = {header, header + length};
	const char *why = parse_header(&cursor, f);
	if (why)
		die(STATUS_DATA, "`%s` can't be used: %s", path, why);
	free(header);
	f->data_start = prefix + length;
	bytes = f->kind->bytes;
	for (int i = 0; i < f->rank; i++)
		if (!checked_mul(bytes, f->dim[i], &bytes))
			die(STATUS_DATA, "`%s` has a shape that no file can hold", path);
	if (bytes != size - f->data_start)
		die(STATUS_DATA, "`%s` has %lld bytes of data where its shape needs %lld: it is %s", path,
		    (long long)(size - f->data_start), (long long)bytes,
		    bytes > size - f->data_start ? "cut short" : "damaged");
}

Npy npy_open(const char *path)
{
	Npy f = {.path = text_printf("%s", path)};
	int64_t size;
	f.fd = file_open_or_die(path, &size);
	npy_begin(&f, size);
	return f;
}

static void npy_close(Npy *f)
{
	if (f->bytes)
		free(f->bytes);
	else
		close(f->fd);
}

int npy_header(char *to, NnrDType dtype, int rank, const int64_t *dim)
{
	static const char *const spelled[] = {
	        [NNR_F32] = "<f4", [NNR_F64] = "<f8", [NNR_I32] = "<i4", [NNR_U8] = "|u1"};
	enum { PREFIX = 10 };
	require(spelled[dtype] && rank >= 1);
	char *text = to + PREFIX;
	int n = sprintf(text, "{'descr': '%s', 'fortran_order': False, 'shape': (", spelled[dtype]);
	for (int i = 0; i < rank; i++)
		n += sprintf(text + n, "%s%lld", i ? ", " : "", (long long)dim[i]);
	n += sprintf(text + n, "%s), }", rank == 1 ? "," : "");
	while ((PREFIX + n + 1) % 64)
		text[n++] = ' ';
	text[n++] = '\n';
	memcpy(to, "\x93NUMPY\x01\x00", 8);
	to[8] = (char)(n & 255);
	to[9] = (char)(n >> 8);
	return PREFIX + n;
}

/* ---- the elements */

/* A number of 16 bits: sign, 5 of exponent, 10 of fraction (IEEE 754 binary16). */
static double half_value(uint64_t bits)
{
	const int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
	const double size = exponent == 31  ? fraction ? NAN : INFINITY
	                    : exponent == 0 ? ldexp(fraction, -24)
	                                    : ldexp(1024 + fraction, exponent - 25);
	return bits >> 15 ? -size : size;
}

/* Element i of a raw chunk as a double; integers beyond 2^53 lose digits, and are refused where a class is wanted. */
static double raw_value(const Npy *f, const unsigned char *raw, int64_t i)
{
	const int n = f->kind->bytes;
	uint64_t bits = 0;
	double f8;
	float f4;
	for (int k = 0; k < n; k++)
		bits |= (uint64_t)raw[n * i + (f->swapped ? n - 1 - k : k)] << 8 * k;
	switch (f->kind->name[0]) {
	case 'f':
		if (n == 2)
			return half_value(bits);
		memcpy(&f8, &bits, 8);
		memcpy(&f4, &bits, 4);
		return n == 4 ? (double)f4 : f8;
	case 'i':
		return (double)((int64_t)(bits << (64 - 8 * n)) >> (64 - 8 * n));
	default:
		return (double)bits;
	}
}

/* A boolean is a byte of 0 or 1. NumPy writes no other; a byte that is, of bytes that were only called booleans, has no
 * meaning that all readers share. */
static void check_boolean(const Npy *f, const NnrInput *in, int64_t i, double value)
{
	int64_t each = sample_elements(in);
	if (value > 1)
		die_help(STATUS_DATA, "store x != 0 as the boolean, or x itself as u1",
		         "`%s` has the boolean %.0f in row %lld, element %lld of it: a boolean is 0 or 1",
		         f->path, value, (long long)(i / each), (long long)(i % each));
}

/* Dies where it is no integer of the type, or none of the classes or rows that are picked by it. */
static void check_integer(const Npy *f, const NnrInput *in, int64_t i, double value)
{
	bool picks = in->classes > 0;
	double least = picks || in->dtype == NNR_U8 ? 0 : INT32_MIN, most = picks ? in->classes - 1
	                                                                    : in->dtype == NNR_U8 ? UINT8_MAX
	                                                                                          : INT32_MAX;
	if (!(value >= least && value <= most))
		die(STATUS_DATA, "`%s` has the value %.15g at element %lld; `%s` goes from %.0f to %.0f",
		    f->path, value, (long long)i, input_text(in), least, most);
}

static void store(const Npy *f, const NnrInput *in, char *at, int64_t i, double value)
{
	if (f->kind->name[0] == 'b')
		check_boolean(f, in, i, value);
	switch (in->dtype) {
	case NNR_F32:
		((float *)(void *)at)[i] = (float)value;
		break;
	case NNR_F64:
		((double *)(void *)at)[i] = value;
		break;
	case NNR_U8:
		check_integer(f, in, i, value);
		((uint8_t *)at)[i] = (uint8_t)value;
		break;
	default:
		check_integer(f, in, i, value);
		((int32_t *)(void *)at)[i] = (int32_t)value;
	}
}

static bool can_hold(const NnrInput *in, const struct NpyKind *kind)
{
	switch (in->dtype) {
	case NNR_F32:
	case NNR_F64:
		return true;
	case NNR_I32:
		return kind->integer;
	case NNR_U8:
		return kind->integer && kind->bytes == 1;
	default:
		return false;
	}
}

/* A trailing 1 may be there or not: y of shape (N,) is a target [1] and a class. */
static bool shape_fits(const Npy *f, const NnrInput *in)
{
	int have = f->rank, want = in->rank;
	while (have > 1 && f->dim[have - 1] == 1)
		have--;
	while (want > 1 && in->dim[want - 1] == 1)
		want--;
	if (have != want)
		return false;
	for (int i = 1; i < want; i++)
		if (f->dim[i] != in->dim[i])
			return false;
	return true;
}

static bool fits(const Npy *f, const NnrInput *in)
{
	return f->rank >= 1 && shape_fits(f, in) && can_hold(in, f->kind);
}

/* `help`: what to do where that is known already; NULL. */
static void check_fit(const Npy *f, const NnrInput *in, const char *help)
{
	if (f->rank < 1 || !shape_fits(f, in)) {
		char *has = shape_text(f->dim, f->rank), *each = shape_text(in->dim + 1, in->rank - 1);
		die_help(STATUS_DATA, help ? help : "each sample is one index of the first dimension",
		         "`%s` has the shape %s; `%s` wants the number of samples, then %s", f->path, has,
		         input_text(in), each);
	}
	if (!can_hold(in, f->kind))
		die_help(STATUS_DATA, help ? help : "convert it with NumPy's astype",
		         "`%s` holds %s, the model wants `%s`", f->path, f->kind->name, input_text(in));
	if (f->dim[0] < 1)
		die(STATUS_DATA, "`%s` holds no samples", f->path);
}

/* Help where file i is what another input wants, and the file given for that is what input i wants; else NULL. */
static const char *other_order(const Npy files[], const NnrModel *m, int i, const char *by_name)
{
	for (int k = 0; k < m->input_count && by_name; k++)
		if (files[k].path && k != i && fits(&files[i], &m->inputs[k]) &&
		    fits(&files[k], &m->inputs[i]))
			return text_printf(
			        "the files stand in another order than `%s` and `%s` in the model; "
			        "by name any order will do: --data %s",
			        m->inputs[i < k ? i : k].name, m->inputs[i < k ? k : i].name, by_name);
	return NULL;
}

/* Of a sample in Fortran order: where each of its elements, in the order of the file, is in C order; malloc'd. */
static int64_t *places_of_fortran(const Npy *f, int64_t each)
{
	int64_t *places = allocate(each, sizeof *places, "a buffer"), at[NNR_MAX_RANK] = {0};
	for (int64_t r = 0; r < each; r++) {
		for (int i = 1; i < f->rank; i++)
			places[r] = places[r] * f->dim[i] + at[i];
		for (int i = 1; i < f->rank && ++at[i] == f->dim[i]; i++)
			at[i] = 0;
	}
	return places;
}

static void read_elements(const Npy *f, const NnrInput *in, char *at)
{
	const int64_t each = sample_elements(in), n = f->dim[0] * each,
	              per_chunk = CHUNK_BYTES / f->kind->bytes;
	unsigned char *raw = allocate(1, CHUNK_BYTES, "a buffer");
	int64_t *places = f->fortran ? places_of_fortran(f, each) : NULL;
	for (int64_t first = 0; first < n; first += per_chunk) {
		int64_t count = n - first < per_chunk ? n - first : per_chunk;
		if (!read_at(f, raw, count * f->kind->bytes, f->data_start + first * f->kind->bytes))
			die(STATUS_DATA, "can't read `%s`: %s", f->path,
			    errno ? strerror(errno) : "it is cut short");
		for (int64_t i = 0; i < count; i++) {
			const int64_t k = first + i;
			store(f, in, at, places ? k % f->dim[0] * each + places[k / f->dim[0]] : k,
			      raw_value(f, raw, i));
		}
	}
	free(places);
	free(raw);
}

void npy_read_arrays(DataPart *part, const NnrModel *m, Npy *files, const char *by_name)
{
	const Npy *one = NULL;
	for (int i = 0; i < m->input_count; i++) {
		if (!files[i].path)
			continue;
		const bool fit = fits(&files[i], &m->inputs[i]);
		check_fit(&files[i], &m->inputs[i], fit ? NULL : other_order(files, m, i, by_name));
		one = one ? one : &files[i];
		if (files[i].dim[0] != one->dim[0])
			die(STATUS_DATA, "`%s` has %lld samples, but `%s` has %lld", one->path,
			    (long long)one->dim[0], files[i].path, (long long)files[i].dim[0]);
	}
	require(one);
	data_allocate(part, m, one->dim[0]);
	for (int i = 0; i < m->input_count; i++) {
		if (!files[i].path)
			continue;
		read_elements(&files[i], &m->inputs[i], part->at[i]);
		npy_close(&files[i]);
		part->file[i] = files[i].path;
	}
}
