/* SPDX-License-Identifier: MIT */
/* The tune record: what is written is read back, and nothing that a file says is believed. */
#include "runtime/host/file.h"
#include "runtime/cuda/tune.h"
#include "runtime/cuda/tune_alike.h"
#include "runtime/cuda/tune_shipped.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

#include <math.h>

static const TunePlatform platform = {"NVIDIA H200", 90, 13000, {91900, 130101}};

#define PLATFORM "device NVIDIA H200\ncapability 90\ndriver 13000\ncudnn 91900\ncublaslt 130101\n"
#define HEAD     "# nnc tune record 2: test\n" PLATFORM
#define MEASURED " | us=12.34 runner_up=12.90 first=15.00 candidates=24 workspace=4096"
#define TAIL     MEASURED " state=complete\n"

/* What comes with the runtime, here: of this GPU and another, of other versions, and of another compute capability. */
#define SHIPPED(device, capability, cudnn)                                     \
	"# nnc tune record 2: test\ndevice " device "\ncapability " capability \
	"\ndriver 12040\ncudnn " cudnn "\n"
#define PARTIAL MEASURED " state=partial next=17\n"
const char *const tune_shipped[] = {
        SHIPPED("NVIDIA H100", "90", "91400") "cudnn a: engine=1 own_ns=10340" TAIL "cudnn b: engine=2" TAIL
                                              "cudnn c: engine=3" PARTIAL,
        SHIPPED("NVIDIA H200", "90", "91400") "cudnn b: engine=4" PARTIAL
                                              "cudnn d: engine=5 own_ns=10340" TAIL,
        SHIPPED("NVIDIA H100", "90", "91400") "cudnn d: engine=6" TAIL "cudnn b: engine=7" TAIL,
        SHIPPED("NVIDIA H200", "90", "91300") "cudnn e: engine=8" TAIL,
        SHIPPED("NVIDIA B200", "100", "91400") "cudnn f: engine=9" TAIL,
        SHIPPED("NVIDIA H200", "90", "91500") "cudnn conv x 256x56x56x64 w 64x3x3 stride 1: engine=1" TAIL
                                              "cudnn conv x 128x56x56x64 w 64x3x3 stride 1: engine=2" TAIL,
        NULL};

static TuneEntry entry(TuneLibrary library, const char *key, int64_t engine)
{
	TuneEntry e = {
	        .library = library, .us = 12.34, .runner_up_us = 12.9, .first_us = 15, .workspace = 4096};
	e.candidates = 24;
	snprintf(e.key, sizeof e.key, "%s", key);
	tune_add_setting(&e, "engine", engine);
	tune_add_setting(&e, "tile_size", -7);
	return e;
}

static void test_round_trip(void)
{
	TuneRecord r = {.platform = platform};
	TuneEntry a = entry(TUNE_CUDNN, "fprop tf32 x 128x56x56x64", 36),
	          b = entry(TUNE_CUBLASLT, "matmul tf32", 66);
	TuneEntry same_key = entry(TUNE_CUDNN, "matmul tf32", 1);
	tune_set(&r, &a);
	tune_set(&r, &b);
	tune_set(&r, &same_key);
	b.settings[0].value = INT64_MAX;
	b.partial = true;
	b.next = 17;
	for (int i = 0; i < 12; i++) { /* more than are kept; those of the same plan count once */
		TuneEntry plan = {0};
		tune_add_setting(&plan, "engine", i % 11);
		tune_tried(&b, &plan, i == 3 ? INFINITY : 20 - i);
	}
	tune_set(&r, &b);
	CHECK(r.count == 3);
	int64_t length, again_length;
	char *text = tune_text(&r, &length);
	TuneRecord back;
	CHECK(tune_parse(&back, text, length));
	CHECK(back.count == 3 && back.bad_lines == 0);
	CHECK_TEXT(back.platform.device, "NVIDIA H200");
	CHECK(back.platform.capability == 90 && back.platform.driver == 13000);
	CHECK(back.platform.version[TUNE_CUDNN] == 91900 && back.platform.version[TUNE_CUBLASLT] == 130101);
	const TuneEntry *e = tune_find(&back, TUNE_CUBLASLT, "matmul tf32");
	CHECK(e && tune_setting(e, "engine", -1) == INT64_MAX && tune_setting(e, "tile_size", 0) == -7);
	CHECK(e && tune_setting(e, "stages", -1) == -1 && e->candidates == 24 && e->workspace == 4096);
	CHECK(e && e->partial && e->next == 17);
	CHECK(e && e->tried_count == TUNE_TRIED && fabs(e->tried[0].us - 9) < 1e-9);
	CHECK_TEXT(e->tried[0].plan, "engine=0");
	CHECK_TEXT(e->tried[1].plan, "engine=10");
	e = tune_find(&back, TUNE_CUDNN, "matmul tf32");
	CHECK(e && !e->partial && e->next == 0);
	CHECK(!tune_find(&back, TUNE_CUDNN, "fprop tf32"));
	char *again = tune_text(&back, &again_length);
	CHECK_TEXT(again, text);
	/* Plans that were tried are of the operation above, also where the record has it already and others
	 * behind it. */
	char *twice = malloc(2 * (size_t)length + 1);
	memcpy(twice, text, (size_t)length);
	memcpy(twice + length, text, (size_t)length + 1);
	TuneRecord joined;
	CHECK(tune_parse(&joined, twice, 2 * length) && joined.count == 3 && joined.bad_lines == 0);
	char *of_both = tune_text(&joined, &again_length);
	CHECK_TEXT(of_both, text);
	free(twice);
	free(of_both);
	tune_free(&joined);
	tune_remove_library(&back, TUNE_CUDNN);
	CHECK(back.count == 1 && back.platform.version[TUNE_CUDNN] == 0);
	free(text);
	free(again);
	tune_free(&back);
	tune_free(&r);
}

/* Every prefix of a record is read without a wrong entry: those complete, and at most one line counted as bad. */
static void test_truncated(void)
{
	static const char text[] =
	        HEAD "cudnn fprop a: engine=1 stages=3" TAIL "cublaslt matmul b: algo=66" TAIL;
	int64_t whole_first = strstr(text, "cublaslt matmul") - text;
	bool fine = true;
	for (int64_t n = 0; n < (int64_t)sizeof text - 1; n++) {
		char *copy = malloc((size_t)n + 1); /* exactly n bytes, for the sanitizer */
		memcpy(copy, text, (size_t)n);
		TuneRecord r;
		bool is_record = tune_parse(&r, copy, n);
		int wanted = n >= whole_first ? 1 : 0;
		fine = fine && is_record == (n >= 20) && r.count == (is_record ? wanted : 0) &&
		       r.bad_lines <= 1;
		free(copy);
		tune_free(&r);
	}
	CHECK(fine);
}

static void test_hostile(void)
{
	static const char *const lines[] = {
	        "cudnn : engine=1" TAIL,                     /* no key */
	        "cudnn k engine=1" TAIL,                     /* no colon */
	        "cudnn k:" TAIL,                             /* no setting */
	        "cudnn k: engine" TAIL,                      /* no value */
	        "cudnn k: engine=" TAIL,                     /* empty value */
	        "cudnn k: engine= 1" TAIL,                   /* blank before the value */
	        "cudnn k: engine=0x10" TAIL,                 /* not decimal */
	        "cudnn k: engine=99999999999999999999" TAIL, /* too large */
	        "cudnn k: Engine=1" TAIL,                    /* not a name */
	        "cudnn k: engine=1 |\n",                     /* nothing measured */
	        "cudnn k: engine=1 | us=nan runner_up=1 first=1 candidates=1 workspace=0 state=complete\n",
	        "cudnn k: engine=1 | us=-1 runner_up=1 first=1 candidates=1 workspace=0 state=complete\n",
	        "cudnn k: engine=1 | us=0x1p3 runner_up=1 first=1 candidates=1 workspace=0 state=complete\n",
	        "cudnn k: engine=1 | us=1e999 runner_up=1 first=1 candidates=1 workspace=0 state=complete\n",
	        "cudnn k: engine=1 | us=1 runner_up=1 first=1 candidates=1 workspace=-5 state=complete\n",
	        "cudnn k: engine=1 | us=1 runner_up=1 first=1 candidates=9999999999 workspace=0 "
	        "state=complete\n",
	        "cudnn k: engine=1" MEASURED "\n",                       /* no state */
	        "cudnn k: engine=1" MEASURED " state=done\n",            /* none of the two */
	        "cudnn k: engine=1" MEASURED " state=partial\n",         /* no place */
	        "cudnn k: engine=1" MEASURED " state=partial next=-1\n", /* no place there is */
	        "cudnn k: engine=1" MEASURED " state=partial next=9999999999\n",
	        "cudnn k: engine=1" MEASURED " state=complete next=3\n",
	        "cublas k: engine=1" TAIL,
	        "cudnn k\x01: engine=1" TAIL,
	        "cudnn \xc3\xa9: engine=1" TAIL,
	        "cudnn 0\n",
	        "cudnn -3\n",
	        "driver thirteen\n",
	        "capability\n",
	        "device \n",
	        "nonsense\n",
	        "cudnn k: a_name_that_is_too_long_to_be_one_of_a_knob=1" TAIL,
	};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		char text[1024];
		int n = snprintf(text, sizeof text, "%s%s", HEAD "cudnn good: engine=1" TAIL, lines[i]);
		TuneRecord r;
		if (!CHECK(tune_parse(&r, text, n) && r.count == 1 && r.bad_lines == 1 && r.first_bad == 8))
			printf("  %s", lines[i]);
		CHECK(r.platform.version[TUNE_CUDNN] == 91900 && r.platform.driver == 13000);
		tune_free(&r);
	}
	TuneRecord r;
	static char many[1 << 16], longest[1 << 14];
	int at = snprintf(many, sizeof many, "%scudnn k:", HEAD);
	for (int i = 0; i <= TUNE_SETTINGS; i++)
		at += snprintf(many + at, sizeof many - (size_t)at, " knob%d=%d", i, i);
	at += snprintf(many + at, sizeof many - (size_t)at, "%s", TAIL);
	CHECK(tune_parse(&r, many, at) && r.count == 0 && r.bad_lines == 1);
	tune_free(&r);
	at = snprintf(longest, sizeof longest, "%scudnn ", HEAD);
	memset(longest + at, 'k', 9000);
	at += 9000;
	at += snprintf(longest + at, sizeof longest - (size_t)at, ": engine=1%s", TAIL);
	CHECK(tune_parse(&r, longest, at) && r.count == 0 && r.bad_lines == 1);
	tune_free(&r);
	static const char with_nul[] = HEAD "cudnn k: engine=1\0" TAIL;
	CHECK(tune_parse(&r, with_nul, sizeof with_nul - 1) && r.count == 0 && r.bad_lines == 1);
	tune_free(&r);
	CHECK(!tune_parse(&r, "{\"a\": 1}\n", 9) && r.count == 0);
	CHECK(!tune_parse(&r, "", 0));
	static const char *const others[] = {"# nnc tune record 3: newer\n", "# nnc tune record 0: none\n",
	                                     "# nnc tune record 21: newer\n", "# nnc tune record : none\n"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		CHECK(!tune_parse(&r, others[i], (int64_t)strlen(others[i])) && r.count == 0);
	static const char twice[] = HEAD "cudnn k: engine=1" TAIL "cudnn k: engine=2" TAIL;
	CHECK(tune_parse(&r, twice, sizeof twice - 1) && r.count == 1);
	CHECK(r.count == 1 && tune_setting(&r.entries[0], "engine", 0) == 2);
	tune_free(&r);
}

/* A record of the version before has no state: all of it is complete, and what has one is no entry. */
static void test_first_version(void)
{
	static const char text[] = "# nnc tune record 1: test\n" PLATFORM "cudnn k: engine=5" MEASURED "\n"
	                           "cudnn m: engine=5" TAIL;
	TuneRecord r;
	CHECK(tune_parse(&r, text, sizeof text - 1) && r.count == 1 && r.bad_lines == 1 && r.first_bad == 8);
	CHECK(r.count == 1 && !r.entries[0].partial && tune_setting(&r.entries[0], "engine", 0) == 5);
	tune_free(&r);
}

/* ---- the record of a process: each case in a process of its own */

static const char *path = "model.tune";

static void write_text(const char *text)
{
	put_file(path, text, strlen(text));
}

static int64_t version = 91900;

/* 0: the record's plan is used; 1: tuned here, and kept. */
static int start(void *unused)
{
	tune_configure(path, false);
	tune_open(&platform, TUNE_CUDNN, version);
	const TuneEntry *e = tune_lookup(TUNE_CUDNN, "k");
	if (e)
		return tune_setting(e, "engine", -1) == 5 ? 0 : 2;
	TuneEntry made = entry(TUNE_CUDNN, "k", 5);
	tune_keep(&made);
	tune_save();
	return 1;
}

static int start_elsewhere(void *unused)
{
	TunePlatform other = platform;
	snprintf(other.device, sizeof other.device, "NVIDIA B200");
	tune_configure(path, false);
	tune_open(&other, TUNE_CUDNN, version);
	return tune_lookup(TUNE_CUDNN, "k") ? 0 : 1;
}

static int start_off(void *unused)
{
	tune_configure(path, true);
	tune_open(&platform, TUNE_CUDNN, version);
	TuneEntry made = entry(TUNE_CUDNN, "k", 5);
	tune_keep(&made);
	tune_save();
	return tune_is_off() && !tune_lookup(TUNE_CUDNN, "k") ? 0 : 1;
}

/* What another device measured is no time of this one: only which kernel of two was the faster is kept of it. */
static void has_times_of(const TuneEntry *e, bool here)
{
	CHECK(e->us == (here ? 12.34 : 0) && e->runner_up_us == (here ? 12.9 : 0));
	CHECK(e->first_us == (here ? 15 : 0) && e->candidates == (here ? 24 : 0));
	if (e->key[0] == 'a' || (e->key[0] == 'd' && tune_is_off()))
		CHECK(tune_setting(e, TUNE_OWN_TIME, 0) == (here ? 10340 : -2000));
}

/* "a1p0": engine 1 for the key "a", partial, nothing of the list tried. What the record has goes before. */
static int start_with_shipped(void *off)
{
	static const char *const keys[] = {"a", "b", "c", "d", "e", "f", "g"};
	char text[128] = "";
	tune_configure("shipped.tune", off != NULL);
	tune_open(&platform, TUNE_CUDNN, 91400);
	TuneEntry own = entry(TUNE_CUDNN, "d", 10);
	tune_keep(&own);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const TuneEntry *e = tune_lookup(TUNE_CUDNN, keys[i]);
		if (e)
			has_times_of(e, strchr("bd", e->key[0]));
		if (e)
			snprintf(text + strlen(text), sizeof text - strlen(text), "%s%lld%s%d ", keys[i],
			         (long long)tune_setting(e, "engine", -1), e->partial ? "p" : "c", e->next);
	}
	CHECK_TEXT(text, off ? "a1p0 b4p17 c3p0 d5c0 " : "a1p0 b4p17 c3p0 d10c0 ");
	return checks_failed;
}

/* Operations of one kind, near enough, the nearest; and never the operation itself. */
static int finds_alike(void *unused)
{
	static const struct {
		const char *key;
		int64_t engine; /* -1: none */
	} cases[] = {{"conv x 64x56x56x64 w 64x3x3 stride 1", 2},
	             {"conv x 256x56x56x64 w 64x3x3 stride 1", 2},
	             {"conv x 256x28x28x128 w 64x3x3 stride 1", 1},
	             {"conv x 256x7x7x64 w 64x3x3 stride 1", -1},
	             {"conv x 64x56x56x64 w 64x1x1 stride 1", -1},
	             {"conv x 64x56x56x64 w 64x3x3 stride 2", -1},
	             {"conv x 64x56x56x64 w 64x3x3 stride 1 more", -1},
	             {"conv x 64x56x56 w 64x3x3 stride 1", -1}};
	tune_configure("shipped.tune", false);
	tune_open(&platform, TUNE_CUDNN, 91500);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const TuneEntry *e = tune_alike(TUNE_CUDNN, cases[i].key);
		CHECK((e ? tune_setting(e, "engine", -1) : -1) == cases[i].engine);
		CHECK(!tune_alike(TUNE_CUBLASLT, cases[i].key));
	}
	const char *product = "matmul bf16 batch 1 m 256 n 64 k 8 a mk b nk own",
	           *other = "matmul bf16 batch 1 m 64 n 64 k 16 a mk b nk own";
	CHECK(fabs(tune_distance(product, other) - log(8)) < 1e-9 && tune_distance(product, product) == 0);
	CHECK(isinf(tune_distance(product, "matmul bf16 batch 1 m 64 n 64 k 16 a mk b nk")));
	CHECK(isinf(tune_distance("x", "x 1")) && isinf(tune_distance("m 0", "m 1")));
	return checks_failed;
}

static Ended said;

static int child(int (*body)(void *))
{
	said = run_child(body, NULL);
	return said.status;
}

/* Records that 0.2 wrote, which come with the runtime: each line of them is an entry still. */
static void test_kept(void)
{
	static const char *const files[] = {
	        "h200/gpt2_setbatch_8_setprecision_bf16.tune",
	        "h100/resnet50_recipe_imagenet_setbatch_256_setprecision_tf32.tune"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char name[512];
		const char *why;
		int64_t length;
		snprintf(name, sizeof name, "%s/bench/tune/%s", NNC_ROOT, files[i]);
		char *text = (char *)file_read(name, 1 << 20, &length, &why);
		int lines = 0;
		for (int64_t k = 0; text && k < length; k++)
			lines += text[k] == '\n';
		TuneRecord r;
		CHECK(text && tune_parse(&r, text, length) && r.version == 2);
		CHECK(r.bad_lines == 0 && r.count > 10);
		CHECK(r.count == lines - 6); /* the head, of the platform */
		free(text);
		tune_free(&r);
	}
}

static void test_process(void)
{
	CHECK(child(start_off) == 0 && access(path, F_OK) != 0 && !said.said[0]);
	CHECK(child(start) == 1 && access(path, R_OK) == 0 && !said.said[0]);
	CHECK(child(start) == 0 && !said.said[0]);
	CHECK(child(start_elsewhere) == 1 && strstr(said.said, "NVIDIA B200"));
	version = 92000;
	CHECK(child(start) == 1 && strstr(said.said, "cuDNN 91900, this is 92000"));
	CHECK(child(start) == 0 && !said.said[0]);
	write_text("cudnn 1\nmy diary\n");
	CHECK(child(start) == 3 && strstr(said.said, "is not a tune record"));
	write_text(HEAD "cudnn k: engine=5");
	version = 91900;
	CHECK(child(start) == 1 && strstr(said.said, "1 line of the tune record"));
	CHECK(child(start_with_shipped) == 0 && !said.said[0]);
	CHECK(run_child(start_with_shipped, "off").status == 0);
	unlink("shipped.tune");
	CHECK(child(finds_alike) == 0 && !said.said[0]);
	path = "none/there.tune";
	CHECK(child(start) == 1 && strstr(said.said, "warning") && strstr(said.said, "not kept"));
}

int main(void)
{
	test_round_trip();
	test_truncated();
	test_hostile();
	test_first_version();
	test_kept();
	child_folder_make();
	test_process();
	return check_report("tune");
}
