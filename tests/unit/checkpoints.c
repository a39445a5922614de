/* SPDX-License-Identifier: MIT */
/* What a checkpoint knows of its data: a fingerprint of every byte, and the names of the classes. */
#include "runtime/data/classes.h"
#include "runtime/host/die.h"
#include "runtime/data/fingerprint.h"
#include "runtime/data/safetensors.h"
#include "tests/unit/check.h"
#include "tests/unit/linear.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* Of the specification's reference implementation. */
static void hashes(void)
{
	CHECK(hash_bytes("", 0) == 0xef46db3751d8e999u);
	CHECK(hash_bytes("a", 1) == 0xd24ec4f1a98c6e5bu);
	CHECK(hash_bytes("abc", 3) == 0x44bc2cf5ad770999u);
	CHECK(hash_bytes("Nobody inspects the spammish repetition", 39) == 0xfbcea83c8a378bf1u);
}

/* Every byte of every input counts, in the first piece and in the last, however many threads there are. */
static void fingerprints(void)
{
	enum { SAMPLES = 200000 };
	DataPart part = {.count = SAMPLES};
	for (int i = 0; i < 2; i++) {
		part.at[i] = allocate(SAMPLES, sample_bytes(&inputs[i]), "a test");
		for (int64_t k = 0; k < SAMPLES * sample_bytes(&inputs[i]); k++)
			part.at[i][k] = (char)(k * k % 251);
	}
	uint64_t before = data_fingerprint(&part, &model, 1);
	CHECK(data_fingerprint(&part, &model, 3) == before);
	for (int i = 0; i < 2; i++)
		for (int n = 0; n < 7; n++) {
			int64_t k = (SAMPLES * sample_bytes(&inputs[i]) - 1) * n / 6;
			part.at[i][k] ^= 1;
			CHECK(data_fingerprint(&part, &model, 2) != before);
			part.at[i][k] ^= 1;
		}
	part.count--;
	CHECK(data_fingerprint(&part, &model, 1) != before);
	for (int i = 0; i < 2; i++)
		free(part.at[i]);
}

/* One element of one file is another, and nothing else. */
static void change(const char *path, long element)
{
	char text[4096];
	size_t n = read_whole(path, text, sizeof text);
	float value;
	memcpy(&value, text + 128 + 4 * element, 4);
	value += 0.001f;
	memcpy(text + 128 + 4 * element, &value, 4);
	put_file(path, text, n);
}

/* As the first format was: its fingerprint is another, and not looked at. */
static void put_first_format(const char *from, const char *to)
{
	char text[8192], digits[9];
	size_t n = read_whole(from, text, sizeof text);
	uint64_t header;
	memcpy(&header, text, 8);
	char *format = memmem(text + 8, header, "nnc checkpoint 2", 16),
	     *sum = memmem(text + 8, header, "crc32\":\"", 8);
	if (!CHECK(format && sum))
		return;
	format[15] = '1';
	memcpy(sum + 8, "00000000", 8);
	snprintf(digits, sizeof digits, "%08x", (unsigned)crc32(0, (unsigned char *)text, (unsigned)n));
	memcpy(sum + 8, digits, 8);
	put_file(to, text, n);
}

static void knows_its_data(void)
{
	static const char again[] = "--data data --epochs 2 --checkpoint data.st --resume";
	CHECK(ends("--data data --epochs 2 --stop-after 7 --checkpoint data.st --quiet", 0, ""));
	put_first_format("data.st", "first.st");
	change("data/train_y.npy", 13); /* a target */
	CHECK(ends(again, 3, "`data.st` was trained on other data than is given now"));
	CHECK(ends("--data data --epochs 2 --checkpoint first.st --resume", 0,
	           "`first.st` is of an older nnc, which did not look at all of the data"));
	CHECK(ends("eval --data data --checkpoint first.st", 0, "samples 7"));
	Ended e = trainer("--data data --epochs 3 --checkpoint first.st --resume");
	CHECK(e.status == 0 && !strstr(e.said, "older nnc")); /* it is new now */
	change("data/test_y.npy", 3);
	CHECK(ends("--data data --epochs 4 --checkpoint first.st --resume", 0,
	           "`first.st` was evaluated on other held-out data"));
	e = trainer("--data data --epochs 5 --checkpoint first.st --resume --no-eval");
	CHECK(e.status == 0 && !strstr(e.said, "held-out data"));
}

/* ---- classes */

static char *two[] = {"cat", "dog"}, *other[] = {"cat", "fox"}, *three[] = {"cat", "dog", "emu"},
            *odd[] = {"a \"b\" \\", "\xff\n"};

typedef struct Case {
	Dataset d;
	const char *stored;
} Case;

static int check_classes(void *context)
{
	Case *c = context;
	classes_check(&c->d, c->stored, "c.st");
	return 0;
}

static void names_classes(void)
{
	const struct {
		char **names;
		int count;
		const char *stored, *says; /* NULL: nothing */
	} cases[] = {
	        {two, 2, "[\"cat\",\"dog\"]", NULL},
	        {two, 2, NULL, NULL},
	        {two, 2, "[\"dog\",\"cat\"]", "class 0 of `c.st` is `dog`, that of the data is `cat`"},
	        {NULL, 0, "[\"cat\",\"dog\"]", NULL},
	        {other, 2, "[\"cat\",\"dog\"]",
	         "`c.st` was trained on the class `dog`, which the data does not have; it has `fox`"},
	        {three, 3, "[\"cat\",\"dog\"]",
	         "the data has the class `emu`, which `c.st` was not trained on"},
	        {two, 2, "[\"cat\",\"dog\",\"emu\"]",
	         "`c.st` was trained on the class `emu`, which the data does not have"},
	        {two, 2, "[\"cat\",", "its `classes` are damaged"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Case c = {{.classes = cases[i].names, .class_count = cases[i].count}, cases[i].stored};
		Ended e = run_child(check_classes, &c);
		if (!CHECK(cases[i].says ? e.status == 3 && strstr(e.said, cases[i].says) : e.status == 0))
			printf("  case %zu: %d %s\n", i, e.status, e.said);
	}
	Dataset d = {.classes = odd, .class_count = 2};
	char *text = classes_text(&d);
	CHECK_TEXT(text, "[\"a \\\"b\\\" \\\\\",\"\\\\xFF\\\\x0A\"]");
	Case same = {d, text};
	CHECK(run_child(check_classes, &same).status == 0);
	free(text);
	CHECK(classes_text(&(Dataset){0}) == NULL);
}

/* ---- without memory */

static void write_much(void *text)
{
	static const float weight = 1;
	const StoredTensor tensor = {"w", NNR_F32, 0, {0}, 0, 0, &weight};
	(void)safetensors_write("much/w.st", &tensor, 1, &(Metadata){"much", text}, 1);
}

/* In a program of others there is an afterwards: neither a file nor a descriptor may stay. */
static int write_without_memory(void *text)
{
	char why[256];
	int before = dup(0), limited = limit_addresses(256 << 20);
	close(before);
	if (limited != 0)
		return limited;
	if (die_caught(write_much, text, why, sizeof why))
		return 1;
	fprintf(stderr, "%s", why);
	int after = dup(0);
	return after == before ? 0 : 2;
}

static void leaves_nothing_without_memory(void)
{
	enum { LONG = 100 << 20 };
	char *text = allocate(LONG + 1, 1, "a test");
	memset(text, 'x', LONG);
	CHECK(mkdir("much", 0777) == 0);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* which take more addresses than that */
	Ended e = run_child(write_without_memory, text);
	if (e.status == NOT_LIMITED)
		check_skip("a checkpoint without memory: addresses are not limited here");
	else if (!CHECK(e.status == 0 && strstr(e.said, "not enough memory")))
		printf("  %d %s\n", e.status, e.said);
#else
	(void)write_without_memory;
#endif
	CHECK(rmdir("much") == 0); /* it is empty */
	free(text);
}

/* A thousand names are longer than a string of the header was allowed to be. */
static void reads_long_metadata(void)
{
	char *long_one = allocate(20001, 1, "a test");
	memset(long_one, 'x', 20000);
	memcpy(long_one, "\"\\\n\xc3\xa4", 5);
	float weight[4] = {1, 2, 3, 4};
	const StoredTensor tensors[] = {{"fit.weight", NNR_F32, 2, {1, 3}, 0, 0, weight},
	                                {"fit.bias", NNR_F32, 1, {1}, 0, 0, weight + 3}};
	const Metadata metadata[] = {{"long", long_one}, {"short", ""}};
	CHECK(safetensors_write("long.st", tensors, 2, metadata, 2));
	Safetensors *f = safetensors_open("long.st");
	CHECK_TEXT(safetensors_metadata(f, "long"), long_one);
	CHECK_TEXT(safetensors_metadata(f, "short"), "");
	safetensors_close(f);
	CHECK(ends("--data data --init long.st --steps 1 --quiet", 0, ""));
	free(long_one);
}

int main(void)
{
	child_folder_make();
	put_data();
	hashes();
	fingerprints();
	knows_its_data();
	names_classes();
	reads_long_metadata();
	leaves_nothing_without_memory();
	return check_report("unit, checkpoints");
}
