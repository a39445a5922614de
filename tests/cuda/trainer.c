/* A CUDA trainer on the fake driver: equal to the CPU trainer bit for bit, in graphs and plainly; and what it says when
 * the machine lacks something or a call fails.
 *
 *     trainer FAKE_LIBCUDA
 *     trainer --gpu line.cubin     the same equality on a real GPU (tests/gpu/run) */
#include "runtime/cuda/plan.h"
#include "runtime/cuda/state.h"
#include "runtime/nnr_math.h"
#include "tests/cuda/line_model.h"
#include "tests/unit/check.h"
#include "tests/unit/folders.h"

#include <glob.h>

/* How many steps are asked for at once depends on how long the last ones took: here none takes any time, so that every
 * run makes the same calls (linked with --wrap). */
double __wrap_clock_seconds(void);
double __wrap_clock_seconds(void)
{
	return 0;
}

/* ---- running it */

static const char *fake; /* NULL: a real GPU */

enum { MOST_WORDS = 32 };

typedef struct Run {
	const char *line, *settings; /* "FAKE_CUDA_ARCH=75 FAKE_CUDA_FAIL=3" */
	bool cuda;
} Run;

/* Both are split at blanks. */
static int prepare(const Run *run, char **argv)
{
	static char words[1024], settings[1024];
	int argc = 1;
	argv[0] = "line";
	snprintf(words, sizeof words, "%s", run->line);
	for (char *word = strtok(words, " "); word && argc < MOST_WORDS - 1; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	if (fake)
		setenv("NNR_LIBCUDA", fake, true);
	snprintf(settings, sizeof settings, "%s", run->settings);
	for (char *word = strtok(settings, " "); word; word = strtok(NULL, " ")) {
		char *equals = strchr(word, '=');
		*equals = 0;
		setenv(word, equals + 1, true);
	}
	line_model_for(run->cuda);
	return argc;
}

static int act(void *context)
{
	char *argv[MOST_WORDS];
	int argc = prepare(context, argv);
	return nnr_main(&model, argc, argv);
}

/* What `bench` times, and then the parameters and states in a file: the only work in which the device itself goes from
 * epoch to epoch. */
static int act_timed(void *context)
{
	char *argv[MOST_WORDS];
	int argc = prepare(context, argv);
	Session s = {.model = &model, .seed = model.seed, .rate = model.rate, .total_steps = 100};
	options_parse(&s.options, &model, argc, argv);
	session_prepare(&s);
	s.data = data_load(&s.options, &model, s.seed, false);
	s.steps_per_epoch = s.data.train.count / step_samples(&model);
	session_init_weights(&s);
	if (s.backend->load)
		s.backend->load(&s);
	s.backend->time(&s, 5, false);
	s.backend->time(&s, 32, false);
	if (s.backend->download)
		s.backend->download(&s, false);
	char bytes[128];
	memcpy(bytes, s.memory.params, (size_t)model.param_bytes);
	memcpy(bytes + model.param_bytes, s.memory.state, 4 * LINE_STATES);
	put_file(s.options.log, bytes, (size_t)model.param_bytes + 4 * LINE_STATES);
	session_free(&s);
	return 0;
}

/* What a request of three batches keeps, against the CPU's evaluation of the same samples. The fake's device memory can
 * be looked at. */
static int act_request(void *context)
{
	enum { BATCHES = 3 };
	char *argv[MOST_WORDS];
	int argc = prepare(context, argv), wrong = 0;
	Session s = {.model = &model, .seed = model.seed};
	options_parse(&s.options, &model, argc, argv);
	session_prepare(&s);
	s.data = data_load(&s.options, &model, s.seed, false);
	s.steps_per_epoch = s.data.train.count / step_samples(&model);
	session_init_weights(&s);
	s.backend->load(&s);
	s.backend->time(&s, 2, true);
	for (int64_t k = 0; k < BATCHES; k++) {
		_Alignas(64) char batch[LINE_INPUT_BYTES];
		_Alignas(64) char arena[LINE_GRADIENT_AT];
		batch_rows_train(&s, 0, k % (s.steps_per_epoch * model.chunks), batch);
		line_evaluate(floats(s.memory.params), batch, arena);
		wrong |= memcmp(nnr_cuda.predictions + k * nnr_cuda.prediction_bytes, arena + 8,
		                8 * LINE_BATCH);
	}
	session_free(&s);
	return wrong != 0;
}

static bool ends(bool cuda, const char *settings, const char *line, int status, const char *says)
{
	Run run = {line, settings, cuda};
	Ended e = run_child(act, &run);
	bool ok = e.status == status && strstr(e.said, says);
	if (!ok)
		printf("  %s `%s` ended with %d: %s\n", settings, line, e.status, e.said);
	return ok;
}

/* The log without what the clock decides: from `"samples_per_second"` to the end of a line. */
static void log_text(const char *path, char *text, size_t room)
{
	read_whole(path, text, room);
	char *to = text;
	for (const char *at = text; *at;) {
		const char *line = strchr(at, '\n'), *clock = strstr(at, "\"samples_per_second\"");
		const char *end = clock && line && clock < line ? clock : line;
		if (!line)
			break;
		if (strncmp(at, "{\"run\"", 6) == 0) { /* of the process, with the time */
			at = line + 1;
			continue;
		}
		memmove(to, at, (size_t)(end - at));
		to += end - at;
		*to++ = '\n';
		at = line + 1;
	}
	*to = 0;
}

static bool same_logs(const char *a, const char *b)
{
	static char first[1 << 16], second[1 << 16];
	log_text(a, first, sizeof first);
	log_text(b, second, sizeof second);
	if (*first && strcmp(first, second) == 0)
		return true;
	printf("  one log:\n%s  the other:\n%s", first, second);
	return false;
}

/* 32 samples, 8 steps an epoch; 11 held out: two batches and three. */
#define DATA "--data synth:random,samples=43 --quiet "

/* How long a step seems to be decides how many are in a graph: 1, 3 (an epoch of 8 is 3 + 3 + 2), 8. */
static const char *const paces[] = {"FAKE_CUDA_MICROSECONDS=1000", "FAKE_CUDA_MICROSECONDS=150",
                                    "FAKE_CUDA_MICROSECONDS=1"};

/* A checkpoint without what says the target, which differs, and so the checksum; its length. */
static size_t without_target(const char *path, char bytes[1 << 16])
{
	size_t length = read_whole(path, bytes, 1 << 16),
	       data = 8 + (unsigned char)bytes[0] + 256 * (size_t)(unsigned char)bytes[1], header = data;
	CHECK(length > data && data < 1 << 16);
	static const char *const keys[] = {"\"target\":\"", "\"crc32\":\""};
	for (int i = 0; i < 2; i++) {
		char *at = memmem(bytes + 8, header - 8, keys[i], strlen(keys[i]));
		if (!CHECK(at != NULL))
			return 0;
		at += strlen(keys[i]);
		size_t value = (size_t)((char *)memchr(at, '"', (size_t)(bytes + header - at)) - at);
		memmove(at, at + value, (size_t)(bytes + length - at) - value);
		length -= value;
		header -= value;
	}
	size_t blanks = 0; /* that fill the header */
	while (bytes[header - 1 - blanks] == ' ')
		blanks++;
	memmove(bytes + header - blanks, bytes + header, length - header);
	memset(bytes, 0, 8);
	return length - blanks;
}

static bool same_trainings(const char *a, const char *b)
{
	static char first[1 << 16], second[1 << 16];
	size_t length = without_target(a, first);
	return length > 0 && length == without_target(b, second) && memcmp(first, second, length) == 0;
}

static void equals_the_cpu(void)
{
	static const char *const options[] = {"",
	                                      "--log-every 1",
	                                      "--log-every 5 --checkpoint-every 3it",
	                                      "--no-shuffle",
	                                      "--no-augment",
	                                      "--steps 19",
	                                      "--freeze line.weight",
	                                      "--seed 123456789012"};
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		char line[512];
		unlink("cpu.st");
		unlink("cpu.jsonl");
		snprintf(line, sizeof line, DATA "--checkpoint cpu.st --log cpu.jsonl %s", options[i]);
		CHECK(ends(false, "", line, 0, ""));
		static const char *const ways[] = {
		        "", "", "", " --no-graph", " --stream", " --stream --no-graph"};
		for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
			transposes = (i + k) % 2;
			unlink("cuda.st");
			unlink("cuda.jsonl");
			snprintf(line, sizeof line, DATA "--checkpoint cuda.st --log cuda.jsonl %s%s",
			         options[i], ways[k]);
			CHECK(ends(true, paces[k % 3], line, 0, ""));
			if (!CHECK(same_trainings("cpu.st", "cuda.st")) ||
			    !CHECK(same_logs("cpu.jsonl", "cuda.jsonl")))
				printf("  with %s, %s\n", line, paces[k % 3]);
		}
	}
	transposes = false;
}

#define IMAGES "--data pictures --quiet "

/* A file that is damaged, though its head is whole, ends the training at the same step whoever decodes it; what was
 * trained until then is saved. */
static void breaks_off(void)
{
	static const char *const ways[] = {"--workers 0", "--workers 1", "--workers 3"};
	char line[512], first[8192] = "";
	put_outside_palette("pictures/train/b/010.bmp", LINE_HEIGHT, LINE_WIDTH);
	for (size_t i = 0; i < 6; i++) {
		unlink("cut.st");
		snprintf(line, sizeof line, IMAGES "--stream --checkpoint cut.st %s", ways[i / 2]);
		Run run = {line, paces[i / 2], i % 2};
		Ended e = run_child(act, &run);
		CHECK(e.status == 3 && strstr(e.said, "`pictures/train/b/010.bmp` can't be used: a pixel "
		                                      "lies outside its palette, in step"));
		CHECK(strstr(e.said, "is saved in `cut.st`"));
		CHECK_TEXT(e.said, i ? first : e.said);
		CHECK(i == 0 || same_trainings("cut.st", "first.st"));
		if (i == 0)
			CHECK(rename("cut.st", "first.st") == 0);
		snprintf(first, sizeof first, "%s", e.said);
	}
	CHECK(ends(false, "", IMAGES "--checkpoint left.st", 0, "`pictures/train/b/010.bmp` is left out"));
}

/* Folders of images: decoded at the start or as they are needed, by any number of workers, on either target, cut and
 * gone on with, the results are the same bits. */
static void streams_images(void)
{
	static const struct {
		const char *how;
		bool cuda;
	} ways[] = {{"--stream --workers 0", false}, {"--stream --workers 1", false},
	            {"--stream --workers 3", false}, {"", true},
	            {"--resident --no-graph", true}, {"--stream --workers 0", true},
	            {"--stream --workers 1", true},  {"--stream --workers 3", true},
	            {"--stream --no-graph", true}};
	NnrInput all[3];
	char line[512];
	put_folders("pictures", 25, 7, LINE_HEIGHT, LINE_WIDTH);
	memcpy(all, inputs, sizeof all);
	inputs[1] = inputs[2]; /* without the reals, which stay zero */
	inputs[1].classes = 3;
	model.input_count = 2;
	CHECK(ends(false, "", IMAGES "--checkpoint pictures.st --log-every 1 --log pictures.jsonl", 0, ""));
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		unlink("way.st");
		unlink("way.jsonl");
		snprintf(line, sizeof line, IMAGES "--checkpoint way.st --log-every 1 --log way.jsonl %s",
		         ways[i].how);
		CHECK(ends(ways[i].cuda, paces[i % 3], line, 0, ""));
		CHECK(same_trainings("pictures.st", "way.st") && same_logs("pictures.jsonl", "way.jsonl"));
		unlink("way.st");
		snprintf(line, sizeof line,
		         IMAGES "--checkpoint way.st --log-every 1 --log way.jsonl --stop-after 8 %s",
		         ways[i].how);
		CHECK(ends(ways[i].cuda, paces[i % 3], line, 0, ""));
		snprintf(line, sizeof line,
		         IMAGES "--checkpoint way.st --log-every 1 --log way.jsonl --resume --stream");
		CHECK(ends(!ways[i].cuda, paces[i % 3], line, 0, ""));
		CHECK(same_trainings("pictures.st", "way.st"));
	}
	breaks_off();
	memcpy(inputs, all, sizeof all);
	model.input_count = 3;
}

/* Windows and colours by chance are the host's work on either target, of data in memory too. */
static void chooses_windows(void)
{
	NnrAugment before = model.augment;
	char line[512];
	model.augment = (NnrAugment){.flip = true,
	                             .crop = 1,
	                             .least_area = 0.3,
	                             .least_aspect = 0.75,
	                             .contrast = 0.5,
	                             .brightness = 0.2};
	CHECK(ends(false, "", DATA "--checkpoint windows.st --log windows.jsonl --workers 0", 0, ""));
	for (int workers = 1; workers <= 4; workers++) {
		unlink("way.st");
		unlink("way.jsonl");
		snprintf(line, sizeof line, DATA "--checkpoint way.st --log way.jsonl --workers %d", workers);
		CHECK(ends(workers != 1, paces[0], line, 0, ""));
		CHECK(same_trainings("windows.st", "way.st") && same_logs("windows.jsonl", "way.jsonl"));
	}
	model.augment = before;
	unlink("plain.st");
	CHECK(ends(false, "", DATA "--checkpoint plain.st", 0, "") &&
	      !same_trainings("windows.st", "plain.st"));
}

/* A checkpoint of one is gone on with by the other. */
static void resumes(void)
{
	unlink("whole.st");
	CHECK(ends(false, "", DATA "--checkpoint whole.st", 0, ""));
	for (int cut = 1; cut < 24; cut += 3) {
		char line[256];
		unlink("part.st");
		snprintf(line, sizeof line, DATA "--checkpoint part.st --stop-after %d", cut);
		CHECK(ends(cut % 2 == 0, paces[1], line, 0, ""));
		CHECK(ends(true, paces[cut % 3], DATA "--checkpoint part.st --resume", 0, ""));
		if (!CHECK(same_trainings("whole.st", "part.st")))
			printf("  cut after step %d\n", cut);
	}
}

static void dumps_and_evaluates(void)
{
	CHECK(ends(false, "", DATA "--steps 1 --dump cpu.dump", 0, ""));
	CHECK(ends(true, paces[1], DATA "--steps 1 --dump cuda.dump", 0, ""));
	CHECK(same_files("cpu.dump", "cuda.dump"));
	Run cpu = {"eval " DATA "--checkpoint whole.st", "", false}, cuda = cpu;
	cuda.settings = paces[2];
	cuda.cuda = true;
	Ended first = run_child(act, &cpu), second = run_child(act, &cuda);
	CHECK(first.status == 0 && second.status == 0);
	CHECK_TEXT(second.said, first.said);
}

/* Of a network that chooses among classes: each class's accuracy, the matrix and the rows are the CPU's. */
static void scores_classes(void)
{
	scores = true;
	CHECK(ends(false, "", DATA "--checkpoint scored.st", 0, ""));
	Run cpu = {"eval " DATA "--checkpoint scored.st --confusion cpu.csv", "", false},
	    cuda = {"eval " DATA "--checkpoint scored.st --confusion cuda.csv", paces[2], true};
	Ended first = run_child(act, &cpu), second = run_child(act, &cuda);
	CHECK(first.status == 0 && second.status == 0 &&
	      strstr(first.said, "\nclass   samples     right  accuracy\n0 "));
	CHECK_TEXT(second.said, first.said);
	CHECK(same_files("cpu.csv", "cuda.csv"));
	CHECK(ends(false, "", "predict " DATA "--checkpoint scored.st --top 2 --out rows_cpu.jsonl", 0,
	           "10 samples"));
	CHECK(ends(true, paces[1], "predict " DATA "--checkpoint scored.st --top 2 --out rows_cuda.jsonl", 0,
	           "10 samples"));
	CHECK(same_files("rows_cpu.jsonl", "rows_cuda.jsonl"));
	scores = false;
}

/* Ten samples: two batches and two. */
static void predicts(void)
{
	static const char *const ways[] = {"", " --no-graph", " --deterministic --no-tune",
	                                   " --init whole.st"};
	char line[256];
	CHECK(ends(false, "", "predict " DATA "--checkpoint whole.st --out cpu.npy", 0,
	           "cpu.squares.npy  f32[10]"));
	for (int chunks = 1; chunks <= 2; chunks++)
		for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
			model.chunks = chunks;
			transposes = i % 2;
			unlink("cuda.squares.npy");
			unlink("cuda.distances.npy");
			snprintf(line, sizeof line, "predict " DATA "%s --out cuda.npy%s",
			         i < 3 ? "--checkpoint whole.st" : "", ways[i]);
			CHECK(ends(true, paces[i % 3], line, 0, "cuda.distances.npy  f32[10]"));
			CHECK(same_files("cpu.squares.npy", "cuda.squares.npy"));
			CHECK(same_files("cpu.distances.npy", "cuda.distances.npy"));
		}
	model.chunks = 1;
	transposes = false;
	unlink("cuda.squares.npy");
	unlink("cuda.distances.npy");
	CHECK(ends(true, "", "predict " DATA "--checkpoint whole.st --out cuda.npy --stream", 0, ""));
	CHECK(same_files("cpu.squares.npy", "cuda.squares.npy"));
}

/* A deep network has a branch for each of its weight gradients. */
static void branches_off(void)
{
	CHECK(ends(false, "", DATA "--steps 9 --checkpoint cpu.st", 0, ""));
	branches = 3000;
	for (size_t i = 0; i < sizeof paces / sizeof *paces; i++) {
		unlink("cuda.st");
		CHECK(ends(true, paces[i], DATA "--steps 9 --checkpoint cuda.st", 0, ""));
		CHECK(same_trainings("cpu.st", "cuda.st"));
	}
	branches = 0;
}

/* The sweep of rates is the CPU's. */
static void finds_rates(void)
{
	Run cpu = {"find-rate --quiet " DATA, "", false};
	Ended wanted = run_child(act, &cpu);
	CHECK(wanted.status == 0 && strstr(wanted.said, "rate        loss    smoothed\n"));
	for (size_t i = 0; i < sizeof paces / sizeof *paces; i++) {
		Run cuda = {"find-rate --quiet " DATA, paces[i], true};
		Ended got = run_child(act, &cuda);
		CHECK(got.status == 0);
		CHECK_TEXT(got.said, wanted.said);
	}
}

#define NORMS "--log-norms --log-every 3 "

/* One batch alone is the same one, and so are the parameters' norms. */
static void overfits(void)
{
	for (int chunks = 1; chunks <= 2; chunks++) {
		unlink("one_cuda.st");
		unlink("one_cpu.st");
		model.chunks = chunks;
		CHECK(ends(false, "",
		           DATA "--overfit-batch --checkpoint one_cpu.st " NORMS "--log one_cpu.jsonl", 0,
		           ""));
		CHECK(ends(true, paces[chunks],
		           DATA "--overfit-batch --checkpoint one_cuda.st " NORMS "--log one_cuda.jsonl", 0,
		           ""));
		CHECK(same_logs("one_cpu.jsonl", "one_cuda.jsonl"));
		CHECK(same_trainings("one_cpu.st", "one_cuda.st"));
	}
	model.chunks = 1;
}

static void diverges(void)
{
	static const char line[] = DATA "--rate 1e12 --log nan.jsonl";
	Run cpu = {line, "", false};
	Ended wanted = run_child(act, &cpu);
	CHECK(wanted.status == 5);
	CHECK(rename("nan.jsonl", "cpu_nan.jsonl") == 0);
	for (size_t i = 0; i < sizeof paces / sizeof *paces; i++) {
		Run cuda = {line, paces[i], true};
		unlink("nan.jsonl");
		Ended got = run_child(act, &cuda);
		CHECK(got.status == 5);
		/* the CPU's step, written by hand, does not say where it is */
		char *named = strstr(got.said, ", first in `line_train_step` (line.net:2) of step 3,");
		CHECK(named != NULL);
		if (named)
			memmove(named, strstr(named, " at step"), strlen(strstr(named, " at step")) + 1);
		CHECK_TEXT(got.said, wanted.said);
		CHECK(same_logs("cpu_nan.jsonl", "nan.jsonl"));
	}
}

static void measures(void)
{
	Run cpu = {DATA "--log cpu.timed", "", false};
	CHECK(run_child(act_timed, &cpu).status == 0);
	for (size_t i = 0; i < 8; i++) {
		transposes = i / 4;
		Run cuda = {i % 4 == 3 ? DATA "--no-graph --log cuda.timed" : DATA "--log cuda.timed",
		            paces[i % 3], true};
		CHECK(run_child(act_timed, &cuda).status == 0);
		CHECK(same_files("cpu.timed", "cuda.timed"));
	}
	transposes = false;
	CHECK(ends(true, paces[0], "bench --steps 20 --quiet", 0, "\"mode\": \"training\", \"batch\": 4"));
	CHECK(ends(true, paces[2], "bench --steps 20 --quiet", 0,
	           fake ? "\"device\": \"Fake GPU\"" : "\"device\": \"NVIDIA"));
	CHECK(ends(true, paces[2], "bench --steps 20 --quiet --inference", 0, "\"mode\": \"inference\""));
	CHECK(ends(true, paces[2], "bench --steps 20 --quiet --inference --batch 9", 0,
	           "\"batch\": 9, \"compiled_batch\": 4"));
	CHECK(ends(true, paces[2], "bench --batch 9", 2, "`--batch` is for `bench --inference`"));
	CHECK(ends(true, paces[2], "bench --steps 20 --quiet --no-graph", 0, "\"steps_per_window\": 20"));
}

static void keeps_predictions(void)
{
	for (int i = 0; i < 4; i++) {
		model.chunks = 1 + i / 2;
		Run run = {i % 2 ? "bench --inference --batch 10 --data synth:random,samples=8 --no-graph"
		                 : "bench --inference --batch 10 --data synth:random,samples=43",
		           paces[i % 2], true};
		CHECK(run_child(act_request, &run).status == 0);
	}
	model.chunks = 1;
}

/* Two copies of 192 bytes beside two batches: of what the plan without them needs, nothing is left. Prediction has
 * none. */
static void check_copies_counted(void)
{
	const char *memory = "FAKE_CUDA_MEMORY=64001188";
	CHECK(ends(true, memory, DATA, 0, ""));
	transposes = true;
	CHECK(ends(true, memory, DATA, 4, "a batch of about 3 would fit"));
	CHECK(ends(true, memory, "bench --inference --quiet --steps 1", 0, ""));
	transposes = false;
}

static void lacks_something(void)
{
	CHECK(ends(true, "NNR_LIBCUDA=/nowhere/libcuda.so.1", DATA, 6, "no CUDA driver"));
	CHECK(ends(true, "NNR_LIBCUDA=libm.so.6", DATA, 6, "has no function cuInit: the driver is too old"));
	CHECK(ends(true, "FAKE_CUDA_DEVICES=0", DATA, 6, "there is a CUDA driver, but no GPU"));
	CHECK(ends(true, "FAKE_CUDA_ARCH=75", DATA, 6,
	           "the Fake GPU has compute capability 7.5, this trainer has code for sm_90, compute_90"));
	CHECK(ends(true, "FAKE_CUDA_ARCH=75", DATA, 6, "need a GPU of compute capability 8.0 or newer"));
	CHECK(ends(true, "FAKE_CUDA_ARCH=86", DATA, 6, "compile with --target=cuda:sm_86"));
	CHECK(ends(true, "FAKE_CUDA_ARCH=100", DATA, 0, ""));
	CHECK(ends(true, "FAKE_CUDA_MEMORY=64000576", DATA, 4, "a batch of about 2 would fit"));
	CHECK(ends(true, "FAKE_CUDA_MEMORY=64000100", DATA, 4,
	           "64.0 MB of them for the driver, the Fake GPU has"));
	CHECK(ends(true, "FAKE_CUDA_MEMORY=64000100", DATA, 4, "the network is too large for this GPU"));
	CHECK(ends(true, "A=1", DATA " --memory 10", 4, "--memory 10 leaves no room even for one sample"));
	check_copies_counted();
	/* 84 MB of data in 89: an eighth has to stay free, unless --memory says what may be used. */
#define MUCH "--data synth:random,samples=700000 --quiet --steps 3 --no-eval "
	CHECK(ends(true, "FAKE_CUDA_MEMORY=90177536", MUCH, 0, "streamed from the host's memory"));
	Run capped = {MUCH "--memory 86", "", true};
	Ended e = run_child(act, &capped);
	CHECK(e.status == 0 && !strstr(e.said, "streamed"));
	CHECK(ends(false, "", DATA "--deterministic", 2, "`--deterministic` is for CUDA"));
	CHECK(ends(true, "", "bench --inference --stream", 2, "has samples that stay"));
	CHECK(ends(true, "FAKE_CUDA_MEMORY=64001500", "bench --inference --batch 3000", 4, "`--batch "));
	CHECK(ends(false, "", DATA "--no-graph", 2, "`--no-graph` is for CUDA"));
}

/* Two batches a step: the compiled batch is a chunk, and what is advised for it would be refused for a batch. */
static void advises_of_chunks(void)
{
	model.chunks = 2;
	CHECK(ends(true, "FAKE_CUDA_MEMORY=64000576", DATA, 4, "compile with `nnc --set chunk=2`"));
	CHECK(ends(true, "", DATA "--stream", 2, "`--stream` does not go with `chunk`"));
	CHECK(ends(true, "", "--data synth:random,samples=7", 3, "`--set batch=4`"));
	CHECK(ends(true, "FAKE_CUDA_MEMORY=90177536", MUCH, 4, "it can't be streamed"));
	model.chunks = 1;
}

static int open_library(void *names)
{
	static const char *const absent[] = {"libnnr_absent.so.9", NULL}, *const wrong[] = {"libm.so.6",
	                                                                                    NULL};
	if (!names)
		library_open(absent, "cuDNN", "cudnn9-cuda-13");
	void *library = library_open(wrong, "cuDNN", "cudnn9-cuda-13");
	library_symbol(library, "cuDNN", "cudnnGetVersion");
	return 0;
}

static void lacks_a_library(void)
{
	Ended e = run_child(open_library, NULL);
	CHECK(e.status == 6 &&
	      strstr(e.said, "this network needs cuDNN, which can't be loaded: libnnr_absent.so.9") &&
	      strstr(e.said, "install cudnn9-cuda-13; it is looked for where the loader looks"));
	e = run_child(open_library, "libm.so.6");
	CHECK(e.status == 6 && strstr(e.said, "cudnnGetVersion"));
}

/* When a kernel that may begin early asks for it: in a graph, behind one kernel alone, and so not behind a branch nor
 * on it; not plainly, nor where the step is given its samples or nnr_kernel_wait is empty. The fake driver refuses any
 * other. */
static void overlaps(void)
{
	static const struct {
		const char *arch, *settings, *line;
		bool fetches;
		int branches;
		bool overlap;
	} cases[] = {
	        {"sm_90", "", DATA, true, 0, true},
	        {"sm_90", "", DATA, true, 1, false},
	        {"sm_90", "", DATA, false, 0, false},
	        {"sm_90", "", DATA "--stream", true, 0, false},
	        {"sm_90", "", DATA "--no-graph", true, 0, false},
	        {"sm_80", " FAKE_CUDA_ARCH=80", DATA, true, 0, false},
	};
	static const char *const kernels[] = {"line_train_step", "line_prepare_weights"};
	static char log[1 << 20];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char settings[128];
		snprintf(settings, sizeof settings, "FAKE_CUDA_LOG=calls.log FAKE_CUDA_MICROSECONDS=50%s",
		         cases[i].settings);
		unlink("calls.log");
		images[0].arch = cases[i].arch;
		fetches = cases[i].fetches;
		branches = cases[i].branches;
		CHECK(ends(true, settings, cases[i].line, 0, ""));
		read_whole("calls.log", log, sizeof log);
		for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
			char plain[64], early[64];
			snprintf(plain, sizeof plain, "run %s\n", kernels[k]);
			snprintf(early, sizeof early, "overlap %s\n", kernels[k]);
			CHECK(strstr(log, plain) && (strstr(log, early) != NULL) == cases[i].overlap);
		}
	}
	images[0].arch = "sm_90";
	fetches = false;
	branches = 0;
}

/* A file under a temporary name, or predictions that are not whole; those that are whole, as where the end of the work
 * fails, are taken away. */
static bool left_unfinished(void)
{
	glob_t found;
	bool left = glob("fail.*.nnc-??????", 0, NULL, &found) == 0;
	globfree(&found);
	if (access("fail.squares.npy", F_OK) == 0)
		left = !same_files("fail.squares.npy", "cpu.squares.npy") || left;
	unlink("fail.squares.npy");
	unlink("fail.distances.npy");
	return left;
}

/* What was saved before the call that failed goes on to what a training without a fault ends with. */
static bool goes_on(void)
{
	Run run = {DATA "--steps 9 --checkpoint fail.st --quiet --resume", "", false};
	return access("fail.st", F_OK) != 0 ||
	       (run_child(act, &run).status == 0 && same_trainings("fail.st", "nine.st"));
}

/* Call k fails, with out of memory or an illegal address, once or from then on: one sentence with its name, and the
 * documented status. false: there is no such call. */
static bool call_fails(const char *line, int k, bool on)
{
	bool memory = (k + on) % 2;
	char settings[128], number[32];
	snprintf(settings, sizeof settings,
	         "FAKE_CUDA_MICROSECONDS=150 FAKE_CUDA_FAIL=%d%s FAKE_CUDA_STATUS=%d", k, on ? "+" : "",
	         memory ? 2 : 700);
	snprintf(number, sizeof number, ", %d)", memory ? 2 : 700);
	Run run = {line, settings, true};
	Ended e = run_child(act, &run);
	bool whole = goes_on();
	unlink("fail.st");
	if (e.status == 0)
		return false;
	CHECK(whole && access("fail.st.lock", F_OK) != 0 && !left_unfinished());
	const char *call = strstr(e.said, "error: cu");
	if (!CHECK(e.status == (memory ? 4 : 6) && call && strstr(call, " failed (") && strstr(call, number)))
		printf("  %s: %d %s\n", settings, e.status, e.said);
	return true;
}

static void calls_fail(const char *line)
{
	int k = 1;
	Run nine = {DATA "--steps 9 --checkpoint nine.st --quiet", "", false};
	if (access("nine.st", F_OK) != 0)
		CHECK(run_child(act, &nine).status == 0);
	while (k < 2000 && call_fails(line, k, false) && call_fails(line, k, true))
		k++;
	if (!CHECK(k > 60 && k < 2000))
		printf("  %s: %d calls\n", line, k);
}

/* The image is for the GPU that is there: `arch` of the two that the model names is not looked at by the driver. */
static void load_image(const char *path)
{
	static unsigned char bytes[1 << 20];
	size_t n = read_whole(path, bytes, sizeof bytes);
	if (n == 0 || n == sizeof bytes - 1)
		abort();
	for (int i = 0; i < 2; i++)
		images[i].bytes = bytes;
}

int main(int argc, char **argv)
{
	static char path[4096];
	bool gpu = argc == 3 && strcmp(argv[1], "--gpu") == 0;
	if ((argc != 2 && !gpu) || !realpath(argv[argc - 1], path))
		return 2;
	if (gpu)
		load_image(path);
	else
		fake = path;
	child_folder_make();
	equals_the_cpu();
	streams_images();
	chooses_windows();
	resumes();
	dumps_and_evaluates();
	scores_classes();
	predicts();
	finds_rates();
	overfits();
	diverges();
	measures();
	branches_off();
	if (fake) {
		keeps_predictions();
		advises_of_chunks();
		lacks_something();
		lacks_a_library();
		overlaps();
		calls_fail(DATA "--steps 9 --checkpoint fail.st");
		calls_fail(DATA "--steps 3 --stream");
		calls_fail("eval " DATA "--checkpoint whole.st --no-graph");
		calls_fail("bench --steps 3 --quiet --inference --batch 9");
		calls_fail("predict " DATA "--checkpoint whole.st --out fail.npy");
	}
	return check_report("cuda, the trainer");
}
