/* SPDX-License-Identifier: MIT */
/* The readers of the runtime. Some inputs begin with a byte that says which model wants the data, or how the rest is
 * packed. */
#include "runtime/data/data.h"
#include "runtime/data/npy.h"
#include "runtime/session/dataset.h"
#include "runtime/host/json.h"
#include "runtime/data/safetensors.h"
#include "runtime/data/table.h"
#include "runtime/cuda/tune.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static NnrInput inputs[2];
static NnrModel model = {.name = "net", .source = "net.net", .inputs = inputs, .input_count = 2, .batch = 1};

/* An input of samples of the shape `dim`, and a target that is one of `classes`; without these `i32`, or real. */
static void want(NnrDType dtype, int rank, const int64_t *dim, int classes, NnrDType target)
{
	model.data = NULL;
	inputs[0] = (NnrInput){.name = "x", .dtype = dtype, .rank = 1 + rank, .dim = {1}};
	memcpy(inputs[0].dim + 1, dim, (size_t)rank * sizeof *dim);
	inputs[1] = (NnrInput){
	        .name = "y", .is_target = true, .classes = classes, .dtype = target, .dim = {1, 1}};
	inputs[1].rank = classes ? 1 : 2;
}

/* The data set, and that every class is one. */
static void load(const char *data, Command command)
{
	Options o = {.data = data, .command = command, .holdout = "0.25", .threads = 1};
	Dataset d = data_load(&o, &model, 1, false);
	const DataPart *parts[] = {&d.train, &d.held_out};
	for (int p = 0; p < 2; p++)
		for (int64_t k = 0; inputs[1].classes && k < parts[p]->count; k++) {
			int32_t class = ((int32_t *)(void *)parts[p]->at[1])[k];
			FUZZ_CHECK(class >= 0 && class < inputs[1].classes);
		}
	dataset_free(&d);
}

/* ---- IDX and gzip */

static const int64_t two_by_two[] = {2, 2, 1};
static const uint8_t images[] = {0, 0, 8, 3, 0, 0, 0, 3, 0, 0, 0, 2,  0,  0,
                                 0, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

/* The labels are as long as the first byte says. */
static void idx(const uint8_t *bytes, size_t length)
{
	if (!length)
		return;
	size_t labels = bytes[0] < length ? bytes[0] : length - 1;
	want(NNR_U8, 3, two_by_two, 3, NNR_I32);
	fuzz_put("train-labels-idx1-ubyte", bytes + 1, labels);
	fuzz_put("train-images-idx3-ubyte", bytes + 1 + labels, length - 1 - labels);
	load(fuzz_path(""), COMMAND_TRAIN);
}

/* Appends a gzip member; returns its length. */
static size_t pack(uint8_t *to, size_t room, const uint8_t *bytes, size_t length, int level)
{
	z_stream z = {0};
	if (deflateInit2(&z, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	z.next_in = (uint8_t *)(uintptr_t)bytes;
	z.avail_in = (unsigned)length;
	z.next_out = to;
	z.avail_out = (unsigned)room;
	FUZZ_CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
	deflateEnd(&z);
	return room - z.avail_out;
}

/* The labels, by the first byte: as they are, or packed by us in two members that meet where it says. */
static void gzip(const uint8_t *bytes, size_t length)
{
	static uint8_t packed[1 << 17];
	if (!length || length > 1 << 16)
		return;
	size_t cut = bytes[0] / 2u;
	bool is_packed = bytes++[0] % 2;
	length--;
	cut = cut < length ? cut : length;
	want(NNR_U8, 3, two_by_two, 3, NNR_I32);
	fuzz_put("train-images-idx3-ubyte", images, sizeof images);
	if (is_packed) {
		size_t first = pack(packed, sizeof packed, bytes, cut, 0);
		length = first + pack(packed + first, sizeof packed - first, bytes + cut, length - cut, 6);
		bytes = packed;
	}
	fuzz_put("train-labels-idx1-ubyte", bytes, length);
	load(fuzz_path(""), COMMAND_TRAIN);
}

/* Two numbers of a kind, and a class or a number. */
static void want_two(int which)
{
	static const struct {
		NnrDType dtype, target;
		int classes;
	} models[] = {
	        {NNR_F32, NNR_I32, 3}, {NNR_F64, NNR_F64, 0}, {NNR_U8, NNR_F32, 0}, {NNR_I32, NNR_I32, 0}};
	static const int64_t dim[] = {2};
	want(models[which].dtype, 1, dim, models[which].classes, models[which].target);
}

/* ---- .npy */

static void npy(const uint8_t *bytes, size_t length)
{
	if (!length)
		return;
	want_two(bytes[0] % 4);
	char header[NPY_HEADER + 2 * sizeof(int32_t)] = {0};
	int64_t shape[] = {2, 2};
	bool for_target = bytes[0] & 4; /* which file is the input */
	int n = npy_header(header, NNR_I32, for_target ? 2 : 1, shape);
	fuzz_put(for_target ? "x.npy" : "y.npy", header, (size_t)n + (for_target ? 4 : 2) * sizeof(int32_t));
	fuzz_put(for_target ? "y.npy" : "x.npy", bytes + 1, length - 1);
	char list[640];
	snprintf(list, sizeof list, "%s,%s", fuzz_path("x.npy"), fuzz_path("y.npy"));
	load(list, COMMAND_TRAIN);
}

static void npz(const uint8_t *bytes, size_t length)
{
	if (!length)
		return;
	want_two(bytes[0] % 4);
	fuzz_put("t.npz", bytes + 1, length - 1);
	load(fuzz_path("t.npz"), COMMAND_TRAIN);
}

/* ---- CIFAR */

static void cifar(const uint8_t *bytes, size_t length)
{
	static const int64_t dim[] = {32, 32, 3};
	if (!length)
		return;
	bool hundred = bytes[0] & 1;
	want(NNR_U8, 3, dim, hundred ? 100 : 10, NNR_I32);
	const char *name = hundred ? "test.bin" : "test_batch.bin",
	           *other = hundred ? "test_batch.bin" : "test.bin";
	remove(fuzz_path(other));
	fuzz_put(name, bytes + 1, length - 1);
	load(fuzz_path(""), COMMAND_EVAL);
}

/* ---- tables: CSV and TSV, and how a checkpoint keeps what is known of their columns */

/* A checkpoint without tensors that says `text` of its table. */
static void put_scheme(const char *text)
{
	static const char format[] = "{\"__metadata__\":{\"table\":%s}}";
	char *quoted = json_quoted(text);
	size_t room = 8 + sizeof format + strlen(quoted);
	char *file = malloc(room);
	if (!file)
		abort();
	uint64_t length = (uint64_t)snprintf(file + 8, room - 8, format, quoted);
	for (int i = 0; i < 8; i++)
		file[i] = (char)(length >> (8 * i));
	fuzz_put("scheme.safetensors", file, 8 + (size_t)length);
	free(file);
	free(quoted);
}

/* What is read of a scheme is written so that it is read back; ends the process where it is none. */
static void read_scheme(const char *text)
{
	put_scheme(text);
	Table *t = table_of_checkpoint(fuzz_path("scheme.safetensors"), &model);
	char *first = table_text(t, &model);
	table_free(t);
	put_scheme(first);
	t = table_of_checkpoint(fuzz_path("scheme.safetensors"), &model);
	char *second = table_text(t, &model);
	FUZZ_CHECK(strcmp(first, second) == 0);
	table_free(t);
	free(first);
	free(second);
}

/* What becomes of missing values and other columns, by a number below 8. */
static void want_rules(int which)
{
	static const NnrColumn rules[][2] = {
	        {{"*", NNR_COLUMN_MEDIAN}, {"z", NNR_COLUMN_IGNORED}},
	        {{"*", NNR_COLUMN_MEAN}, {"y", NNR_COLUMN_DROP}},
	        {{"y", NNR_COLUMN_DROP}, {"*", NNR_COLUMN_MODE}},
	        {{"*", NNR_COLUMN_FLAG}, {"z", NNR_COLUMN_PASSED}},
	        {{"*", NNR_COLUMN_DROP}, {"x*", NNR_COLUMN_PASSED}},
	        {{"x_0", NNR_COLUMN_FLAG}, {"*", NNR_COLUMN_MEDIAN}},
	        {{"x", NNR_COLUMN_MODE}, {"y", NNR_COLUMN_DROP}},
	};
	model.columns = which ? rules[which - 1] : NULL;
	model.column_count = which ? 2 : 0;
	if (which && inputs[0].dtype == NNR_I32)
		inputs[0].classes = 4;
}

/* Three rows of two columns, and the next two of one. */
static void want_series(void)
{
	static const int64_t rows[] = {3, 2};
	want(NNR_F32, 2, rows, 0, NNR_F32);
	inputs[1].dim[1] = 2;
	model.data = "series";
}

/* The last window lies within what there is, which is read for the sanitizer. */
static void check_windows(const DataPart *part)
{
	static volatile float seen;
	for (int i = 0; i < 2 && part->count > 0; i++) {
		const int64_t last = data_begin(part, part->count - 1, 0) * part->row[i],
		              end = last + sample_elements(&inputs[i]);
		for (int64_t k = last; k < end; k++)
			seen = ((const float *)(void *)part->at[i])[k];
		FUZZ_CHECK(part_bytes(part, &model, i) == end * (int64_t)sizeof seen);
	}
}

/* As UTF-16 with its mark; returns its length. */
static size_t widen(uint8_t *to, const uint8_t *bytes, size_t length)
{
	to[0] = 0xff;
	to[1] = 0xfe;
	for (size_t i = 0; i < length; i++) {
		to[2 + 2 * i] = bytes[i];
		to[3 + 2 * i] = 0;
	}
	return 2 + 2 * length;
}

/* Bits of the first byte: the model, tabs, UTF-16, gzip, pictures beside the table; of the second, the rules, and
 * whether it is a series. What was learnt of the table is then used to read it again. */
static void csv(const uint8_t *bytes, size_t length)
{
	static uint8_t wide[1 << 12], packed[1 << 13];
	static const char *const names[] = {"t.csv", "t.tsv", "t.csv.gz", "t.tsv.gz"};
	if (length < 2 || length > sizeof wide / 4)
		return;
	const bool widens = bytes[0] & 8, packs = bytes[0] & 64;
	const char *name = names[(bytes[0] & 4 ? 1 : 0) + (packs ? 2 : 0)];
	if (bytes[0] & 128) {
		want(NNR_U8, 3, two_by_two, 3, NNR_I32);
		fuzz_put("p.pgm", "P5 2 2 255\n\1\2\3\4", 15);
		fuzz_put("q.pgm", "P5 9 9 255\n\1\2\3\4", 15);
	} else {
		want_two(bytes[0] % 4);
	}
	if (bytes[1] & 128)
		want_series();
	want_rules(bytes[1] % 8);
	bytes += 2;
	length -= 2;
	if (widens) {
		length = widen(wide, bytes, length);
		bytes = wide;
	}
	if (packs) {
		length = pack(packed, sizeof packed, bytes, length, 6);
		bytes = packed;
	}
	fuzz_put(name, bytes, length);
	Options o = {.data = fuzz_path(name), .command = COMMAND_TRAIN, .holdout = "0.25", .threads = 1};
	Dataset d = data_load(&o, &model, 1, false);
	for (int i = 0; i < 2; i++)
		for (int64_t k = 0; inputs[i].classes && d.train.at[i] && k < d.train.count; k++) {
			const int32_t class =
			        ((const int32_t *)(void *)d.train.at[i])[k * sample_elements(&inputs[i])];
			FUZZ_CHECK(class >= 0 && class < inputs[i].classes);
		}
	if (model.data)
		check_windows(&d.train);
	if (model.data)
		check_windows(&d.held_out);
	char *text = table_text(d.table, &model);
	const DataRequest again = {.model = &model, .table = d.table, .want_rows = true};
	Dataset other = table_read(fuzz_path(name), &again);
	FUZZ_CHECK(other.train.count >= d.train.count && other.rows);
	other.table = NULL;
	dataset_free(&other);
	dataset_free(&d);
	read_scheme(text);
	free(text);
}

static void scheme(const uint8_t *bytes, size_t length)
{
	char text[2048];
	if (!length || length >= sizeof text)
		return;
	want_two(bytes[0] % 4);
	want_rules(bytes[0] / 4 % 8);
	memcpy(text, bytes + 1, length - 1);
	text[length - 1] = 0;
	read_scheme(text);
}

/* ---- safetensors */

static void safetensors(const uint8_t *bytes, size_t length)
{
	fuzz_put("t.safetensors", bytes, length);
	Safetensors *f = safetensors_open(fuzz_path("t.safetensors"));
	for (int i = 0; i < f->count; i++) {
		const StoredTensor *t = &f->tensors[i];
		FUZZ_CHECK(safetensors_find(f, t->name) == t);
		char *at = malloc((size_t)(t->end - t->begin) + 1);
		if (at)
			safetensors_read(f, t, at);
		free(at);
	}
	for (int i = 0; i < f->metadata_count; i++)
		FUZZ_CHECK(safetensors_metadata(f, f->metadata[i].key) == f->metadata[i].value);
	safetensors_close(f);
}

/* ---- the tune record: what is read is written so that it is read back */

static void tune(const uint8_t *bytes, size_t length)
{
	TuneRecord r, again;
	if (!tune_parse(&r, (const char *)bytes, (int64_t)length))
		return;
	int64_t n, m;
	char *text = tune_text(&r, &n);
	FUZZ_CHECK(tune_parse(&again, text, n) && again.count == r.count);
	char *second = tune_text(&again, &m);
	FUZZ_CHECK(n == m && !memcmp(text, second, (size_t)n));
	free(text);
	free(second);
	tune_free(&r);
	tune_free(&again);
}

/* ---- JSON */

static void json(const uint8_t *bytes, size_t length)
{
	char text[JSON_STRING_BYTES];
	int64_t number;
	static const char marks[] = "{}[],:";
	Json j = json_new((const char *)bytes, (int64_t)length);
	while (!j.error && j.at < j.end) {
		const char *before = j.at;
		bool taken = false;
		for (const char *c = marks; *c && !taken; c++)
			taken = json_take(&j, *c);
		if (!taken && j.at < j.end && *j.at == '"') {
			if (json_string(&j, text))
				FUZZ_CHECK(strlen(text) < sizeof text);
		} else if (!taken && j.at < j.end) {
			if (json_integer(&j, &number))
				FUZZ_CHECK(number >= 0 && number <= (int64_t)1 << 53);
		}
		FUZZ_CHECK(j.at > before || j.error);
	}
	json_finish(&j);
}

const Harness harnesses[] = {{"idx", idx},
                             {"gzip", gzip},
                             {"npy", npy},
                             {"cifar", cifar},
                             {"npz", npz},
                             {"csv", csv},
                             {"scheme", scheme},
                             {"safetensors", safetensors},
                             {"tune", tune},
                             {"json", json},
#define IMAGE_READER(kind) {#kind, fuzz_##kind},
#include "runtime/data/image_readers.def"
#undef IMAGE_READER
                             {"magic", fuzz_magic},
                             {"jpegs", fuzz_jpegs},
                             {0}};
