/* SPDX-License-Identifier: MIT */
/* `predict` of the model of linear.h: the .npy files that it writes, what it takes as data, and that nothing is left of
 * what it could not finish. */
#include "runtime/data/data.h"
#include "runtime/data/npy.h"
#include "runtime/session/outputs.h"
#include "tests/unit/check.h"
#include "tests/unit/linear.h"
#include "tests/unit/signal.h"

#include <sys/resource.h>

#define WITH_WEIGHTS "predict --init whole.st "

typedef struct Array {
	size_t bytes; /* of the elements; 0: this is no such file */
	char elements[1024];
} Array;

/* A file of version 1 whose header is as NumPy writes it. */
static Array array_of(const char *path, const char *descr, const char *shape)
{
	Array a = {0};
	char file[2048], wanted[256];
	size_t n = read_whole(path, file, sizeof file);
	if (n < 10 || memcmp(file, "\x93NUMPY\x01\x00", 8) != 0)
		return a;
	size_t data = 10 + (unsigned char)file[8] + 256 * (size_t)(unsigned char)file[9];
	int length = snprintf(wanted, sizeof wanted, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
	                      descr, shape);
	if (data > n || data % 64 || file[data - 1] != '\n' ||
	    memcmp(file + 10, wanted, (size_t)length) != 0 ||
	    strspn(file + 10 + length, " ") + 10 + (size_t)length != data - 1)
		return a;
	a.bytes = n - data;
	memcpy(a.elements, file + data, a.bytes);
	return a;
}

/* Seven samples: two batches and one sample. */
static void writes_what_is_evaluated(void)
{
	CHECK(ends("--data data --checkpoint whole.st --log whole.jsonl --quiet", 0, ""));
	CHECK(ends("predict --data data --checkpoint whole.st --out y.npy", 0,
	           "data: .npy files, the held-out part: 7 samples"));
	CHECK(ends("predict --data data --checkpoint whole.st --out same.npy --quiet", 0,
	           "same.fit.npy  f32[7, 1]\nsame.above.npy  i32[7]\n"));
	Array fit = array_of("y.fit.npy", "<f4", "(7, 1)"), above = array_of("y.above.npy", "<i4", "(7,)");
	CHECK(fit.bytes == 28 && above.bytes == 28 && files_like("y.*") == 2);
	float y[7], fitted[7];
	int32_t is_above[7];
	memcpy(fitted, fit.elements, sizeof fitted);
	memcpy(is_above, above.elements, sizeof is_above);
	char targets[512];
	size_t n = read_whole("data/test_y.npy", targets, sizeof targets);
	CHECK(n > sizeof y);
	memcpy(y, targets + n - sizeof y, sizeof y);
	double loss = 0;
	int different = 0;
	for (int i = 0; i < 7; i++) {
		loss += (double)((fitted[i] - y[i]) * (fitted[i] - y[i])) / 7;
		CHECK(is_above[i] == (fitted[i] > 0));
		different += i > 0 && fitted[i] != fitted[i - 1];
	}
	double wanted = log_value("whole.jsonl", 3, "eval_loss");
	CHECK(fabs(loss - wanted) < 1e-6 * wanted && different == 6);
	CHECK(same_files("y.fit.npy", "same.fit.npy"));
}

static void takes_inputs_alone(void)
{
	static const char *const data[] = {"data/test_x.npy", "data/test_x.npy,data/test_y.npy",
	                                   "data/test_x.npy,data/train_y.npy", "data/test_x.npy,nothing.npy"};
	for (int i = 0; i < 4; i++) {
		char line[256];
		snprintf(line, sizeof line, "predict --data %s --checkpoint whole.st --out list%d.npy",
		         data[i], i);
		CHECK(ends(line, 0, "data: .npy files, all of it: 7 samples"));
		snprintf(line, sizeof line, "list%d.fit.npy", i);
		CHECK(same_files("y.fit.npy", line));
	}
	char bytes[4096];
	size_t n = read_whole("data/train_x.npy", bytes, sizeof bytes);
	CHECK(mkdir("alone", 0777) == 0);
	put_file("alone/train_x.npy", bytes, n);
	CHECK(ends("predict --data alone --checkpoint whole.st --out all.npy", 0, "all of it: 20 samples"));
	Array all = array_of("all.fit.npy", "<f4", "(20, 1)"), held = array_of("y.fit.npy", "<f4", "(7, 1)");
	CHECK(all.bytes == 80 && memcmp(all.elements, held.elements, 28) == 0);
	CHECK(ends("eval --data data/test_x.npy --checkpoint whole.st", 2, "names 1 file"));
	CHECK(ends(WITH_WEIGHTS "--data data/test_x.npy,a.npy,b.npy --out no.npy", 2,
	           "all targets may be left out"));
	CHECK(ends("predict --data data/nothing.npy --checkpoint whole.st --out no.npy", 3,
	           "`data/nothing.npy`"));
	CHECK(ends("predict --data data/test_y.npy --checkpoint whole.st --out no.npy", 3, "has the shape"));
	model.predict.reads_targets = true;
	CHECK(ends("predict --data data/test_x.npy --checkpoint whole.st --out no.npy", 2, "names 1 file"));
	CHECK(ends("predict --data alone --checkpoint whole.st --out no.npy", 3, "alone/train_y.npy"));
	CHECK(ends("predict --data data --checkpoint whole.st --out asked.npy", 0, "7 samples"));
	model.predict.reads_targets = false;
	CHECK(same_files("y.fit.npy", "asked.fit.npy") && files_like("no*") == 0);
}

static void takes_any_number(void)
{
	float x[6 * D] = {0};
	for (int n = 1; n <= 6; n++) {
		char path[32], line[128], shape[32], out[32];
		snprintf(path, sizeof path, "few%d.npy", n);
		put_npy(path, n, D, x);
		snprintf(line, sizeof line, "predict --data %s --checkpoint whole.st --out of%d.npy --quiet",
		         path, n);
		CHECK(ends(line, 0, ""));
		snprintf(shape, sizeof shape, "(%d,)", n);
		snprintf(out, sizeof out, "of%d.above.npy", n);
		CHECK(array_of(out, "<i4", shape).bytes == 4 * (size_t)n);
	}
	CHECK(ends("predict --data synth:rosenbrock,samples=40 --checkpoint whole.st --out drawn.npy", 0,
	           "the held-out part: 10 samples"));
}

/* The rest of the last batch does not count. */
static void says_what_is_not_finite(void)
{
	float x[5 * D] = {0};
	x[0] = x[4 * D] = NAN;
	x[2 * D + 1] = INFINITY;
	put_npy("odd.npy", 5, D, x);
	CHECK(ends("predict --data odd.npy --checkpoint whole.st --out odd_y.npy", 0,
	           "3 of the numbers in `odd_y.fit.npy` are NaN or infinite"));
	CHECK(array_of("odd_y.fit.npy", "<f4", "(5, 1)").bytes == 20);
}

static void names_one_file(void)
{
	model.predict.output_count = 1;
	CHECK(ends("predict --data data --checkpoint whole.st --out single.npy --quiet", 0,
	           "single.npy  f32[7, 1]"));
	CHECK(same_files("single.npy", "y.fit.npy") && files_like("single*") == 1);
	model.predict.output_count = 2;
}

static void takes_weights_as_eval(void)
{
	CHECK(ends("predict --data data --out w.npy", 2, "`predict` needs weights"));
	CHECK(ends("predict --data data --init whole.st --out again.npy --quiet", 0, ""));
	CHECK(same_files("again.fit.npy", "y.fit.npy"));
	CHECK(ends("predict --data data --init whole.st --checkpoint whole.st --out v.npy", 2,
	           "takes the weights of one file"));
	CHECK(ends("predict --data data --checkpoint nothing.st --out v.npy", 3, "nothing.st"));
	CHECK(ends("predict --data data --checkpoint data/train_x.npy --out v.npy", 3, "safetensors"));
	model.name = "other";
	CHECK(ends("predict --data data --checkpoint whole.st --out v.npy", 3,
	           "this is a trainer of `other`"));
	model.name = "line";
}

static void refuses(void)
{
	CHECK(ends(WITH_WEIGHTS "--data data --out bad.txt", 2,
	           "`--out` names a .npy, .csv, .jsonl or .png file, as `bad.txt.npy`"));
	CHECK(ends(WITH_WEIGHTS "--data data --out bad/.npy", 2, "names a .npy, .csv"));
	CHECK(ends(WITH_WEIGHTS "--out bad.npy", 2, "`--data DATA` is needed"));
	CHECK(ends(WITH_WEIGHTS "--data data data", 2, "both say what to predict for"));
	CHECK(ends(WITH_WEIGHTS "data --top 2", 2, "that choose among classes"));
	CHECK(ends("predict --data data --out bad.npy --epochs 2", 2,
	           "there is no option `--epochs` of `predict`"));
	CHECK(ends("predict --data data --output bad.npy", 2, "it is called `--out` here"));
	CHECK(ends("--data data --predict", 2, "it is a command: `predict"));
	CHECK(ends("--data data --out bad.npy", 2, "it is an option of `predict`"));
	char *root = prediction_path("/", &model, 0);
	CHECK(strcmp(root, "/") == 0);
	free(root);
	CHECK(ends("eval --data data --inference", 2, "it is an option of `bench`"));
	for (int i = 0; i < 2; i++) {
		predict_outputs[i].dim[0] = 1;
		CHECK(ends("predict --data data --init whole.st --out bad.npy", 2,
		           "predicts nothing for each sample"));
		predict_outputs[i].dim[0] = B;
	}
	model.predict.output_count = 0;
	CHECK(ends("predict --data data --init whole.st --out bad.npy", 2,
	           "predicts nothing for each sample"));
	model.predict.output_count = 2;
	CHECK(files_like("bad*") == 0);
}

static void leaves_other_files_alone(void)
{
	put_file("text.fit.npy", "a text of some bytes", 20);
	CHECK(mkdir("folder.fit.npy", 0777) == 0);
	CHECK(ends(WITH_WEIGHTS "--data data --out text.npy", 3, "`text.fit.npy` is there already"));
	CHECK(ends(WITH_WEIGHTS "--data data --out folder.npy", 3, "`folder.fit.npy` is there already"));
	CHECK(ends(WITH_WEIGHTS "--data y.fit.npy --out y.npy", 3,
	           "is there already, and `--out` replaces nothing"));
	model.predict.output_count = 1;
	CHECK(ends(WITH_WEIGHTS "--data data/test_x.npy --out ./data/test_x.npy", 3, "is there already"));
	CHECK(ends(WITH_WEIGHTS "--data data --out data/../data/new.npy", 3, "into the folder of the data"));
	CHECK(mkdir("data/class", 0777) == 0);
	CHECK(ends(WITH_WEIGHTS "--data data/ --out data/class/new.npy", 3,
	           "into the folder of the data, `data/`"));
	CHECK(rmdir("data/class") == 0);
	CHECK(ends("predict --data ./data/../data --init whole.st --out data.npy --quiet", 0, ""));
	CHECK(ends("predict --data data --init y.npy --out y.npy", 2, "`--init` and `--out` name one file"));
	model.predict.output_count = 2;
	CHECK(files_like("*.1") == 0);
}

static void limit_files(int step)
{
	const struct rlimit limit = {132, 132}; /* a header and one sample */
	if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
		abort();
}

static void interrupt(int step)
{
	send_signal(SIGTERM);
}

/* Another process takes the name of the second output. */
static void take_name(int step)
{
	put_file("late.above.npy", "of somebody else", 16);
}

/* One row a sample, with the numbers that the .npy files have; the last one is half a batch. */
static void writes_rows(void)
{
	static char text[8192];
	CHECK(ends(WITH_WEIGHTS "data --out rows.csv", 0, "rows.csv  7 samples"));
	read_whole("rows.csv", text, sizeof text);
	Array fit = array_of("y.fit.npy", "<f4", "(7, 1)");
	float fitted[7];
	memcpy(fitted, fit.elements, sizeof fitted);
	char wanted[1024] = "file,fit,above\n";
	for (int i = 0; i < 7; i++)
		sprintf(wanted + strlen(wanted), "data[%d],%.9g,%d\n", i, (double)fitted[i], fitted[i] > 0);
	CHECK_TEXT(text, wanted);
	CHECK(ends("--init whole.st predict data/test_x.npy --out rows.jsonl --quiet", 0, ""));
	read_whole("rows.jsonl", text, sizeof text);
	sprintf(wanted, "{\"file\": \"data/test_x.npy[0]\", \"fit\": %.9g, \"above\": %d}\n",
	        (double)fitted[0], fitted[0] > 0);
	CHECK(strncmp(text, wanted, strlen(wanted)) == 0);
	CHECK(ends(WITH_WEIGHTS "data --quiet", 0, "file     values\ndata[0]  fit "));
	CHECK(ends(WITH_WEIGHTS "data --out rows.csv", 3, "`rows.csv` is there already"));
}

/* Nothing is there. */
static void leaves_nothing_unfinished(void)
{
	CHECK(ends("predict --data data --init whole.st --out nowhere/y.npy", 3,
	           "there is no folder `nowhere`"));
	at_step = limit_files;
	CHECK(ends("predict --data data --init whole.st --out late.npy", 3,
	           "the predictions can't be written: can't write"));
	at_step = interrupt;
	CHECK(ends("predict --data data --init whole.st --out late.npy", 143,
	           "stopped: no predictions were written"));
	CHECK(files_like("late*") == 0);
	at_step = take_name;
	CHECK(ends(WITH_WEIGHTS "--data data --out late.npy", 3,
	           "can't rename to `late.above.npy`: File exists"));
	at_step = NULL;
	CHECK(files_like("late*") == 1);
	unlink("late.above.npy");
	standard_output = "/dev/full";
	CHECK(ends("predict --data data --init whole.st --out full.npy", 3,
	           "can't write to standard output"));
	standard_output = NULL;
	CHECK(same_files("full.fit.npy", "y.fit.npy") && files_like("full*") == 2);
}

static void spells_headers(void)
{
	char header[NPY_HEADER];
	int64_t dim[NNR_MAX_RANK];
	for (int i = 0; i < NNR_MAX_RANK; i++)
		dim[i] = INT64_MAX;
	CHECK(npy_header(header, NNR_F64, NNR_MAX_RANK, dim) <= NPY_HEADER);
	CHECK(strncmp(header + 10, "{'descr': '<f8'", 15) == 0);
	CHECK(npy_header(header, NNR_U8, 1, dim) == 128 && strncmp(header + 10, "{'descr': '|u1'", 15) == 0);
}

int main(void)
{
	heed_signals();
	child_folder_make();
	put_data();
	writes_what_is_evaluated();
	takes_inputs_alone();
	takes_any_number();
	says_what_is_not_finite();
	names_one_file();
	takes_weights_as_eval();
	refuses();
	writes_rows();
	leaves_other_files_alone();
	leaves_nothing_unfinished();
	spells_headers();
	return check_report("unit, predict");
}
