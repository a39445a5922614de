/* SPDX-License-Identifier: MIT */
/* The readers of files that others made: good ones are read right, hostile ones are refused with a sentence that names
 * the file, before anything is allocated by their word. Each refusal runs in a child under a memory limit. */
#include "runtime/data/data.h"
#include "runtime/session/dataset.h"
#include "runtime/host/die.h"
#include "runtime/host/json.h"
#include "runtime/host/memory.h"
#include "runtime/data/safetensors.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

#include <zlib.h>

static NnrInput inputs[2];
static NnrModel model = {.name = "net", .source = "net.net", .inputs = inputs, .input_count = 2, .batch = 2};

static void want(NnrDType dtype, int rank, const int64_t *dim, int classes)
{
	inputs[0] = (NnrInput){"x", false, 0, dtype, rank, {2}, 0, 0, false, false, false, 0, 0};
	memcpy(inputs[0].dim + 1, dim, (size_t)(rank - 1) * sizeof *dim);
	inputs[1] = classes ? (NnrInput){"y", true, classes, NNR_I32, 1, {2}, 0, 0, false, false, false, 0, 0}
	                    : (NnrInput){"y", true, 0, NNR_F32, 2, {2, 1}, 0, 0, false, false, false, 0, 0};
}

static Options options(const char *data)
{
	return (Options){.data = data, .holdout = "0.1", .threads = 1};
}

static int load(void *context)
{
	Options o = options(context);
	data_load(&o, &model, 1, false);
	return 0;
}

static int open_tensors(void *context)
{
	safetensors_close(safetensors_open(context));
	return 0;
}

/* Refused with STATUS_DATA and both words. */
static void refused(int (*act)(void *), const char *path, const char *says, const char *what)
{
	char copy[256];
	snprintf(copy, sizeof copy, "%s", path);
	Ended e = run_child(act, copy);
	if (!CHECK(e.status == STATUS_DATA && strstr(e.said, says)))
		printf("  %s: ended with %d, expected `%s`: %s\n", what, e.status, says, e.said);
}

/* ---- JSON */

static bool accepts(const char *text, int length)
{
	char s[JSON_STRING_BYTES];
	Json j = json_new(text, length);
	return json_string(&j, s) && json_finish(&j);
}

static void json(void)
{
	char s[JSON_STRING_BYTES];
	static const char text[] = "\"a\\u00e9\\ud83d\\ude00\\n\\\\\"";
	Json j = json_new(text, sizeof text - 1);
	CHECK(json_string(&j, s) && json_finish(&j));
	CHECK_TEXT(s, "a\xc3\xa9\xf0\x9f\x98\x80\n\\");
	CHECK(accepts("\"\xf0\x9f\x98\x80\"", 6) && accepts(" \"x\" \n", 6) && accepts("\"\"", 2));
	static const char *const bad[] = {
	        "\"",
	        "\"a",
	        "a",
	        "'a'",
	        "\"\\x\"",
	        "\"\\u12\"",
	        "\"\\u12g4\"",
	        "\"\\ud800\"",
	        "\"\\ud800x\"",
	        "\"\\ud800\\u0041\"",
	        "\"\\udc00\"",
	        "\"\\u0000\"",
	        "\"\n\"",
	        "\"\x1f\"",
	        "\"\x80\"",
	        "\"\xc0\xaf\"",
	        "\"\xc3\"",
	        "\"\xed\xa0\x80\"",
	        "\"\xf5\x80\x80\x80\"",
	        "\"\xe0\x80\x80\"",
	        "\"\xf0\x80\x80\x80\"",
	        "\"a\" b",
	        "\"a\"\"",
	        "",
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (!CHECK(!accepts(bad[i], (int)strlen(bad[i]))))
			printf("  accepted %s\n", bad[i]);
	char longest[JSON_STRING_BYTES + 8];
	memset(longest, 'a', sizeof longest);
	longest[0] = longest[JSON_STRING_BYTES - 4] = '"';
	CHECK(accepts(longest, JSON_STRING_BYTES - 3));
	longest[JSON_STRING_BYTES - 4] = 'a';
	longest[JSON_STRING_BYTES + 7] = '"';
	CHECK(!accepts(longest, JSON_STRING_BYTES + 8));
	static const char *const numbers[] = {
	        "-1", "01", "1.0", "1e3", "9007199254740993", "99999999999999999999", "+1", "x", ""};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		int64_t n;
		j = json_new(numbers[i], (int64_t)strlen(numbers[i]));
		CHECK(!json_integer(&j, &n));
	}
	int64_t n = 0;
	j = json_new("9007199254740992", 16);
	CHECK(json_integer(&j, &n) && n == 9007199254740992);
}

/* What is quoted is read back; what is no UTF-8 becomes U+FFFD, so that no file of ours has a header that is none. */
static void quoted(void)
{
	static const char *const texts[][2] = {
	        {"", ""},
	        {"a \"b\" \\ \n\x01\x7f\xc3\xa9\xf0\x9f\x98\x80",
	         "a \"b\" \\ \n\x01\x7f\xc3\xa9\xf0\x9f\x98\x80"},
	        {"\xff", "\xef\xbf\xbd"},
	        {"a\xe2\x82", "a\xef\xbf\xbd\xef\xbf\xbd"},
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char *text = json_quoted(texts[i][0]);
		Json j = json_new(text, (int64_t)strlen(text));
		char *back = json_text(&j);
		CHECK_TEXT(back, texts[i][1]);
		CHECK(json_finish(&j));
		free(text);
		free(back);
	}
	static const char *const bad[] = {"", "a", "\"", "\"\\", "\"\\\"", "\"a\x01\""};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		Json j = json_new(bad[i], (int64_t)strlen(bad[i]));
		CHECK(!json_text(&j) && j.error);
	}
}

/* ---- safetensors */

static size_t make_tensors(unsigned char *out, const char *header, size_t data)
{
	uint64_t length = strlen(header);
	memcpy(out, &length, 8);
	memcpy(out + 8, header, length);
	memset(out + 8 + length, 0, data);
	return 8 + (size_t)length + data;
}

static void tensors(void)
{
	static unsigned char file[4096];
	static const struct {
		const char *header;
		int data;
		const char *says;
	} bad[] = {
	        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 7,
	         "is cut short: its tensors need"},
	        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 9, "bytes follow"},
	        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,8]}}", 8,
	         "do not fit its shape"},
	        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]}}", 8,
	         "ends before it begins"},
	        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[4,12]}}", 12, "hole"},
	        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
	         "\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[4,12]}}",
	         12, "overlap"},
	        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
	         "\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}",
	         8, "name stands twice"},
	        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4503599627370496,4503599627370496],\"data_offsets\":["
	         "0,8]}}",
	         8, "shape is too large"},
	        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,0]}}", 0,
	         "too large"},
	        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1,1,1,1,1],\"data_offsets\":[0,4]}}", 4,
	         "too long"},
	        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}}", 4, "integer"},
	        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, "lacks"},
	        {"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4,
	         "twice"},
	        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4],\"x\":1}}", 4,
	         "unknown key"},
	        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0]}}", 4, "lacks"},
	        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4,8]}}", 4, "too long"},
	        {"{\"__metadata__\":{\"a\":1}}", 0, "string is missing"},
	        {"{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}}", 0, "twice"},
	        {"{\"__metadata__\":{},\"__metadata__\":{}}", 0, "twice"},
	        {"{\"__metadata__\":{\"crc32\":\"0000000\"}}", 0, "eight digits"},
	        {"{\"__metadata__\":{\"crc32\":\"\\u0030000000\"}}", 0, "eight digits"},
	        {"{\"__metadata__\":{\"crc32\":\"00000000\"}}", 0, "checksum does not match"},
	        {"{\"__metadata__\":{\"format\":\"nnc checkpoint 1\"}}", 0, "checksum is missing"},
	        {"{\"a\":[]}", 0, "object is missing"},
	        {"{} x", 0, "text follows"},
	        {"{", 0, "no safetensors file"},
	        {"[]", 0, "does not begin with {"},
	        {" {}", 0, "does not begin with {"},
	        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},}", 4, "string is missing"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		put_file("t.st", file, make_tensors(file, bad[i].header, (size_t)bad[i].data));
		refused(open_tensors, "t.st", bad[i].says, bad[i].header);
	}
	static const struct {
		const char *header;
		size_t data;
	} good[] = {
	        {"{}", 0},
	        {"{\"__metadata__\":{\"format\":\"pt\"}}  ", 0},
	        {"{\"a\":{\"shape\":[],\"data_offsets\":[0,8],\"dtype\":\"I64\"},"
	         "\"b\":{\"dtype\":\"F32\",\"shape\":[0,3],\"data_offsets\":[8,8]}}",
	         8},
	        {"{\"a\":{\"dtype\":\"F6_E2M3\",\"shape\":[4],\"data_offsets\":[0,3]}}",
	         3}, /* of a type to come */
	};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		put_file("t.st", file, make_tensors(file, good[i].header, good[i].data));
		CHECK(run_child(open_tensors, "t.st").status == 0);
	}
	char longer[3000] = "{\"__metadata__\":{\"";
	memset(longer + 18, 'k', 1200);
	memcpy(longer + 1218, "\":\"", 3);
	memset(longer + 1221, 'v', 1700);
	strcpy(longer + 2921, "\"}}");
	put_file("t.st", file, make_tensors(file, longer, 0));
	Safetensors *f = safetensors_open("t.st");
	CHECK(f->metadata_count == 1 && strlen(f->metadata[0].key) == 1200 &&
	      strlen(f->metadata[0].value) == 1700);
	safetensors_close(f);
	size_t n = make_tensors(file, "{}", 0);
	file[4] = 1;
	put_file("t.st", file, n);
	refused(open_tensors, "t.st", "header would be too long", "a header of 4 GiB");
	file[4] = 0;
	file[3] = 2;
	put_file("t.st", file, n);
	refused(open_tensors, "t.st", "at most 16 MiB", "a header of 32 MiB");
	file[3] = 0;
	file[1] = 1;
	put_file("t.st", file, n);
	refused(open_tensors, "t.st", "cut short", "a header past the end");
	put_file("t.st", file, 7);
	refused(open_tensors, "t.st", "7 bytes", "7 bytes");
	CHECK(mkfifo("fifo.st", 0600) == 0);
	refused(open_tensors, "fifo.st", "not a regular file", "a FIFO");
}

static void tensors_round_trip(void)
{
	float a[6] = {1, 2, 3, 4, 5, 6};
	double b = -0.5;
	uint8_t c[3] = {7, 8, 9};
	StoredTensor list[] = {
	        {.name = "bytes", .dtype = NNR_U8, .rank = 1, .dim = {3}, .data = c},
	        {.name = "layer \"1\".w\xc3\xa9", .dtype = NNR_F32, .rank = 2, .dim = {2, 3}, .data = a},
	        {.name = "b", .dtype = NNR_F64, .rank = 0, .data = &b},
	};
	Metadata metadata[] = {{"key", "a \"value\"\n"}};
	CHECK(safetensors_write("round.st", list, 3, metadata, 1));
	Safetensors *f = safetensors_open("round.st");
	CHECK(f->count == 3 && f->checksum_at > 0);
	CHECK_TEXT(safetensors_metadata(f, "key"), "a \"value\"\n");
	for (int i = 0; i < 3; i++) {
		const StoredTensor *t = safetensors_find(f, list[i].name);
		char bytes[64];
		if (!CHECK(t && t->dtype == list[i].dtype && t->rank == list[i].rank))
			continue;
		CHECK((f->data_start + t->begin) % (t->dtype == NNR_F64   ? 8
		                                    : t->dtype == NNR_F32 ? 4
		                                                          : 1) ==
		      0);
		safetensors_read(f, t, bytes);
		CHECK(memcmp(bytes, list[i].data, (size_t)(t->end - t->begin)) == 0);
	}
	CHECK(safetensors_find(f, "nothing") == NULL);
	safetensors_close(f);
}

/* A file of ours, with a bit of each byte changed, and cut at each length. */
static void tensors_damaged(void)
{
	static unsigned char whole[4096];
	float a[6] = {1, 2, 3, 4, 5, 6};
	StoredTensor list[] = {{.name = "w", .dtype = NNR_F32, .rank = 2, .dim = {2, 3}, .data = a}};
	Metadata metadata[] = {{"format", "nnc checkpoint 2"}};
	CHECK(safetensors_write("whole.st", list, 1, metadata, 1));
	size_t n = read_whole("whole.st", whole, sizeof whole);
	for (size_t i = 0; i < n; i++) {
		whole[i] ^= (unsigned char)(1 << i % 8);
		put_file("t.st", whole, n);
		refused(open_tensors, "t.st", "t.st", "a changed bit");
		whole[i] ^= (unsigned char)(1 << i % 8);
		put_file("t.st", whole, i);
		refused(open_tensors, "t.st", "t.st", "a file cut short");
	}
	put_file("t.st", whole, n);
	CHECK(run_child(open_tensors, "t.st").status == 0);
}

/* ---- .npy */

static void put_npy(const char *path, const char *header, const void *data, size_t length)
{
	unsigned char file[4096] = "\x93NUMPY\x01";
	size_t n = strlen(header);
	file[8] = (unsigned char)(n & 255);
	file[9] = (unsigned char)(n >> 8);
	memcpy(file + 10, header, n);
	memcpy(file + 10 + n, data, length);
	put_file(path, file, 10 + n + length);
}

static void npy(void)
{
	static const int64_t dim[] = {2};
	static const char shape[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 2), }\n";
	float x[16] = {0, 1, 2, 3, 4, 5, 6, 7}; /* 8 of them, and what is too many or too wide */
	double wide[8] = {0, 1, 2, 3, 4, 5, 6, 7};
	int64_t y[4] = {2, 0, 1, 2};
	want(NNR_F32, 2, dim, 3);
	put_npy("y.npy", "{'descr': '<i8', 'fortran_order': False, 'shape': (4,)}", y, sizeof y);
	put_npy("x.npy", shape, x, 32);
	Options o = options("x.npy,y.npy");
	o.holdout = "0";
	Dataset d = data_load(&o, &model, 1, false);
	CHECK(d.train.count == 4 && d.held_out.count == 0);
	CHECK(memcmp(d.train.at[0], x, 32) == 0);
	for (int i = 0; i < 4; i++)
		CHECK(((int32_t *)(void *)d.train.at[1])[i] == y[i]);
	dataset_free(&d);
	put_npy("x.npy", "{\"shape\":(4,2),\"descr\":\"<f8\",\"fortran_order\":False}", wide, sizeof wide);
	d = data_load(&o, &model, 1, false);
	CHECK(memcmp(d.train.at[0], x, 32) == 0);
	dataset_free(&d);
	put_npy("y.npy", "{'descr': '|b1', 'fortran_order': False, 'shape': (4,)}", "\0\1\1\0", 4);
	d = data_load(&o, &model, 1, false);
	for (int i = 0; i < 4; i++) /* NumPy's booleans */
		CHECK(((int32_t *)(void *)d.train.at[1])[i] == (i == 1 || i == 2));
	dataset_free(&d);
	put_npy("y.npy", "{'descr': '|b1', 'fortran_order': False, 'shape': (4,)}", "\0\1\2\377", 4);
	refused(load, "x.npy,y.npy", "has the boolean 2 in row 2, element 0 of it: a boolean is 0 or 1",
	        "a boolean of 2");
	put_npy("y.npy", "{'descr': '<i8', 'fortran_order': False, 'shape': (4,)}", y, sizeof y);
	put_npy("x.npy", "{'descr': '|b1', 'fortran_order': False, 'shape': (4, 2)}", "\0\1\1\0\1\377\0\0",
	        8);
	refused(load, "x.npy,y.npy", "has the boolean 255 in row 2, element 1 of it: a boolean is 0 or 1",
	        "a boolean of 255");
	put_npy("y.npy", "{'descr': '<i8', 'fortran_order': False, 'shape': (4,)}", y, sizeof y);
	static const struct {
		const char *header, *says;
		size_t data;
	} bad[] = {
	        {shape, "cut short", 31},
	        {shape, "damaged", 33},
	        {"{'descr': '@f4', 'fortran_order': False, 'shape': (4, 2)}", "no order of bytes", 32},
	        {"{'descr': '|f4', 'fortran_order': False, 'shape': (4, 2)}", "no order of bytes", 32},
	        {"{'descr': '<f4', 'fortran_order': 1, 'shape': (4, 2)}", "neither True nor False", 32},
	        {"{'descr': '<c8', 'fortran_order': False, 'shape': (4, 2)}", "element type is `c8`", 64},
	        {"{'descr': '|O', 'fortran_order': False, 'shape': (4, 2)}", "element type", 32},
	        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4, 2)}", "no simple type", 32},
	        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4, 2)", "no dict", 32},
	        {"{'descr': '<f4', 'fortran_order': False}", "not complete", 32},
	        {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (4, 2)}", "twice", 32},
	        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4, 2), 'x': 1}", "unknown key", 32},
	        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4, -2)}", "tuple", 32},
	        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4, 99999999999999999999)}", "too large",
	         32},
	        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4294967296)}",
	         "no file can hold", 32},
	        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
	         "no file can hold", 32},
	        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,4,2)}", "at most 8", 32},
	        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4)}", "has the shape [2, 4]", 32},
	        {"{'descr': '<f4', 'fortran_order': False, 'shape': ()}", "has the shape []", 4},
	        {"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 2)}", "no samples", 0},
	        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)}", "but `y.npy` has 4", 24},
	        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4, 2)} x", "not complete", 32},
	        {"import os", "no dict", 32},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		put_npy("x.npy", bad[i].header, x, bad[i].data);
		refused(load, "x.npy,y.npy", bad[i].says, bad[i].header);
	}
	char comma[] = "x.npy,";
	Ended e = run_child(load, comma);
	CHECK(e.status == STATUS_USAGE && strstr(e.said, "no file is named"));
	put_npy("x.npy", shape, x, 32);
	y[3] = 3;
	put_npy("y.npy", "{'descr': '<i8', 'fortran_order': False, 'shape': (4,)}", y, sizeof y);
	refused(load, "x.npy,y.npy", "has the value 3", "a class too high");
	y[3] = -1;
	put_npy("y.npy", "{'descr': '<i8', 'fortran_order': False, 'shape': (4,)}", y, sizeof y);
	refused(load, "x.npy,y.npy", "has the value -1", "a negative class");
	inputs[1].dtype = NNR_U8; /* bytes that pick classes are looked at like integers */
	put_npy("y.npy", "{'descr': '|u1', 'fortran_order': False, 'shape': (4,)}", "\2\0\3\1", 4);
	refused(load, "x.npy,y.npy", "has the value 3 at element 2", "a byte that is no class");
	inputs[1].dtype = NNR_I32;
	put_npy("y.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (4,)}", x, 16);
	refused(load, "x.npy,y.npy", "holds f4", "a real class");
	put_file("x.npy", "\x93NUMPY\x03\0\0\0\0\0", 12);
	refused(load, "x.npy,y.npy", "version 3", "version 3");
	put_file("x.npy", "\x93NUMPY\x02\0\xff\xff\xff\x7f", 12);
	refused(load, "x.npy,y.npy", "cut short", "a header of 2 GiB");
}

/* ---- CIFAR */

static void cifar(void)
{
	static const int64_t dim[] = {32, 32, 3};
	static unsigned char records[5][2 * 3073];
	CHECK(mkdir("cifar", 0700) == 0 && mkdir("cifar/cifar-10-batches-bin", 0700) == 0);
	for (int f = 0; f < 5; f++) {
		char path[64];
		for (int i = 0; i < 2 * 3073; i++)
			records[f][i] =
			        (unsigned char)(i % 3073 == 0 ? 2 * f + i / 3073 : (i * 31 + f) % 251);
		snprintf(path, sizeof path, "cifar/cifar-10-batches-bin/data_batch_%d.bin", f + 1);
		put_file(path, records[f], sizeof records[f]);
	}
	put_file("cifar/cifar-10-batches-bin/test_batch.bin", records[2], 3073);
	want(NNR_U8, 4, dim, 10);
	Options o = options("cifar");
	Dataset d = data_load(&o, &model, 1, false);
	CHECK(d.train.count == 10 && d.held_out.count == 1);
	const uint8_t *pixels = (uint8_t *)d.train.at[0];
	bool same = true;
	for (int k = 0; k < 10; k++) {
		same = same && ((int32_t *)(void *)d.train.at[1])[k] == k;
		for (int p = 0; p < 1024; p++)
			for (int c = 0; c < 3; c++)
				same = same && pixels[k * 3072 + p * 3 + c] ==
				                       records[k / 2][k % 2 * 3073 + 1 + c * 1024 + p];
	}
	CHECK(same);
	dataset_free(&d);
	static const char names[] = "plane\ncar\nbird\ncat\ndeer\ndog\nfrog\nhorse\nship\r\ntruck\n\n";
	put_file("cifar/cifar-10-batches-bin/batches.meta.txt", names, strlen(names));
	Dataset named = data_load(&o, &model, 1, false);
	CHECK(named.class_count == 10 && strcmp(named.classes[0], "plane") == 0 &&
	      strcmp(named.classes[8], "ship") == 0 && strcmp(named.classes[9], "truck") == 0);
	dataset_free(&named);
	put_file("cifar/cifar-10-batches-bin/batches.meta.txt", names, 20); /* of some classes alone */
	named = data_load(&o, &model, 1, false);
	CHECK(named.class_count == 0 && !named.classes && named.held_out.count == 1);
	dataset_free(&named);
	put_file("cifar/cifar-10-batches-bin/data_batch_3.bin", records[2], 2 * 3073 - 1);
	refused(load, "cifar", "not a multiple of 3073", "cut short");
	records[2][3073] = 10;
	put_file("cifar/cifar-10-batches-bin/data_batch_3.bin", records[2], 2 * 3073);
	refused(load, "cifar", "the label 10 in record 1", "a label out of range");
	unlink("cifar/cifar-10-batches-bin/data_batch_4.bin");
	refused(load, "cifar", "data_batch_4.bin", "a file missing");
	/* An evaluation needs the test file alone, and a training says which one it lacks. */
	CHECK(mkdir("tested", 0700) == 0);
	put_file("tested/test_batch.bin", records[1], 2 * 3073);
	o = options("tested");
	o.command = COMMAND_EVAL;
	d = data_load(&o, &model, 1, false);
	CHECK(d.train.count == 0 && d.held_out.count == 2);
	dataset_free(&d);
	refused(load, "tested", "data_batch_1.bin", "test files alone");
	want(NNR_U8, 4, dim, 100);
	refused(load, "cifar", "has 10 classes, the model wants `target y: class[100]`", "other classes");
	want(NNR_F32, 4, dim, 10);
	refused(load, "cifar", "declare `input x: u8[32, 32, 3]` in net.net", "another dtype");
}

/* ---- IDX: what tests/train/check.py does not reach */

static void put_gzip(const char *path, const void *bytes, unsigned length)
{
	gzFile f = gzopen(path, "wb");
	if (!f || gzwrite(f, bytes, length) != (int)length || gzclose(f) != Z_OK)
		abort();
}

static void idx(void)
{
	static const int64_t dim[] = {2, 2, 1};
	unsigned char images[16 + 12] = {0, 0, 8, 3, 0, 0, 0, 3, 0, 0, 0, 2,  0,  0,
	                                 0, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
	unsigned char labels[8 + 3] = {0, 0, 8, 1, 0, 0, 0, 3, 1, 0, 2};
	want(NNR_U8, 4, dim, 3);
	CHECK(mkdir("idx", 0700) == 0);
	put_gzip("idx/train-images-idx3-ubyte.gz", images, sizeof images);
	put_gzip("idx/train-labels-idx1-ubyte.gz", labels, sizeof labels);
	Options o = options("idx");
	Dataset d = data_load(&o, &model, 1, false);
	CHECK(d.train.count == 3 && d.held_out.count == 0); /* a tenth of 3 is none */
	CHECK(memcmp(d.train.at[0], images + 16, 12) == 0 && ((int32_t *)(void *)d.train.at[1])[2] == 2);
	dataset_free(&d);
	o.holdout = "0.34";
	d = data_load(&o, &model, 1, false);
	CHECK(d.train.count == 2 && d.held_out.count == 1);
	CHECK(d.train.at[0][0] + d.train.at[0][4] + d.held_out.at[0][0] ==
	      1 + 5 + 9); /* every sample in one part */
	dataset_free(&d);
	inputs[1].dtype = NNR_U8;
	d = data_load(&o, &model, 1, false);
	CHECK(d.train.at[1][0] + d.train.at[1][1] + d.held_out.at[1][0] == 1 + 0 + 2);
	dataset_free(&d);
	inputs[1].dtype = NNR_I32;
	unsigned char members[512];
	size_t packed = 0; /* of several members, one of them empty */
	for (int i = 0; i < 3; i++) {
		put_gzip("part.gz", labels + 4 * i, i < 2 ? 4 : 0);
		packed += read_whole("part.gz", members + packed, sizeof members - packed);
	}
	put_gzip("part.gz", labels + 8, sizeof labels - 8);
	packed += read_whole("part.gz", members + packed, sizeof members - packed);
	put_file("idx/train-labels-idx1-ubyte.gz", members, packed);
	d = data_load(&o, &model, 1, false);
	CHECK(d.train.count + d.held_out.count == 3);
	dataset_free(&d);
	memset(members + packed, 0, 16); /* zeros that fill up a block are no member */
	put_file("idx/train-labels-idx1-ubyte.gz", members, packed + 16);
	d = data_load(&o, &model, 1, false);
	CHECK(d.train.count + d.held_out.count == 3);
	dataset_free(&d);
	members[packed - 8] ^= 1;
	put_file("idx/train-labels-idx1-ubyte.gz", members, packed);
	refused(load, "idx", "damaged", "a wrong checksum of the last member");
	labels[9] = 77;
	put_gzip("idx/train-labels-idx1-ubyte.gz", labels, sizeof labels);
	refused(load, "idx",
	        "idx1-ubyte.gz` has the value 77 at element 1; `target y: class[3]` goes from 0 to 2",
	        "a damaged label");
	labels[9] = 0;
	put_gzip("idx/train-labels-idx1-ubyte.gz", labels, sizeof labels);
	unsigned char whole[256];
	size_t n = read_whole("idx/train-images-idx3-ubyte.gz", whole, sizeof whole);
	CHECK(n > 20);
	for (size_t length = 0; length < n; length++) { /* without its end, the checksum can't be compared */
		put_file("idx/train-images-idx3-ubyte.gz", whole, length);
		refused(load, "idx", "train-images", "gzip, cut short");
	}
	put_file("idx/train-images-idx3-ubyte.gz", whole, n);
	FILE *f = fopen("idx/train-images-idx3-ubyte.gz", "r+b");
	CHECK(f && fseek(f, -6, SEEK_END) == 0 && putc(1, f) == 1 && fclose(f) == 0); /* in the checksum */
	refused(load, "idx", "damaged", "a wrong gzip checksum");
	memset(images + 4, 0x7f, 4);
	put_gzip("idx/train-images-idx3-ubyte.gz", images, sizeof images);
	refused(load, "idx", "more data than the file can hold", "two billion images in 40 bytes");
	images[2] = 0x0d;
	put_gzip("idx/train-images-idx3-ubyte.gz", images, sizeof images);
	refused(load, "idx", "type 0x0d", "floats");
}

/* ---- synthetic data: its size is known before any of it is made */

static int load_in_time(void *context)
{
	alarm(20);
	return load(context);
}

static void synth(void)
{
	static const int64_t dim[] = {8};
	want(NNR_F32, 2, dim, 3);
	char spec[64];
	/* The held-out fifth fits, and so may the rest alone. */
	snprintf(spec, sizeof spec, "synth:random,samples=%.0f", memory_available() * 0.9 / 36);
	Ended e = run_child(load_in_time, spec);
	if (!CHECK(e.status == STATUS_MEMORY && strstr(e.said, "give fewer samples")))
		printf("  ended with %d: %s\n", e.status, e.said);
}

int main(void)
{
	child_folder_make();
	json();
	quoted();
	synth();
	tensors();
	tensors_round_trip();
	tensors_damaged();
	npy();
	cifar();
	idx();
	return check_report("unit, the readers");
}
