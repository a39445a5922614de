/* SPDX-License-Identifier: MIT */
/* What comes out of a trainer beside a training, against the CPU's: dumps, evaluations, predictions and what `bench`
 * leaves in the device's memory. */
#include "runtime/session/dataset.h"
#include "runtime/cuda/state.h"
#include "tests/cuda/trainer.h"

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
		batch_rows_train(&s, 0, k % (s.steps_per_epoch * model.chunks) * model.batch, model.batch,
		                 batch);
		line_evaluate(floats(s.memory.params), batch, arena);
		wrong |= memcmp(nnr_cuda.predictions + k * nnr_cuda.prediction_bytes, arena + 8,
		                8 * LINE_BATCH);
	}
	session_free(&s);
	return wrong != 0;
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

void check_outputs(void)
{
	dumps_and_evaluates();
	scores_classes();
	predicts();
	measures();
	if (fake)
		keeps_predictions();
}
