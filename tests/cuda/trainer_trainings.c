/* SPDX-License-Identifier: MIT */
/* Trainings on the fake driver, or a GPU, against the CPU's: graphs of all sizes, streams, folders of images, branches,
 * checkpoints that the other target goes on with, sweeps of rates, and trainings that diverge. */
#include "tests/cuda/fake_probe.h"
#include "tests/cuda/trainer.h"
#include "tests/unit/folders.h"

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

/* A file that is damaged, though its head is whole: another stands in for it, the same whoever decodes it. Where none
 * may be, it ends the training at the same step; what was trained until then is saved. */
static void breaks_off(void)
{
	static const char *const ways[] = {"--workers 0", "--workers 1", "--workers 3"};
	char line[512], first[8192] = "";
	put_outside_palette("pictures/train/b/010.bmp", LINE_HEIGHT, LINE_WIDTH);
	for (size_t i = 0; i < 6; i++) {
		unlink("cut.st");
		snprintf(line, sizeof line, IMAGES "--stream --checkpoint stands.st %s", ways[i / 2]);
		CHECK(ends(i % 2, paces[i / 2], line, 0,
		           "`pictures/train/b/010.bmp` is left out, and the next picture stands in for it"));
		CHECK(i == 0 || same_trainings("stands.st", "stood.st"));
		CHECK(rename("stands.st", "stood.st") == 0);
		snprintf(line, sizeof line, IMAGES "--stream --bad-files 0 --checkpoint cut.st %s",
		         ways[i / 2]);
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

/* Folders of images: decoded at the start or as they are needed, by any number of workers, on either target, stopped
 * and resumed, the results are the same bits. */
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

/* Mixtures of two samples are the host's work too, whoever of the workers makes them: moved images are mixed, not
 * mixtures moved. The dump has the partner's class and the share beside them; there are some without augmentation,
 * too. */
static void mixes(void)
{
	static const char *const hows[] = {"--workers 0", "--workers 3", "--workers 0 --no-augment"};
	NnrAugment before = model.augment;
	char line[512];
	model.augment = (NnrAugment){.flip = true, .crop = 1, .mixup = 0.5, .cutmix = 1};
	model.mixed_count = 2;
	for (size_t i = 0; i < sizeof hows / sizeof *hows; i++)
		for (int cuda = 0; cuda < 2; cuda++) {
			const char *name = i == 1 || cuda ? "way" : "mixed";
			snprintf(line, sizeof line, DATA "--checkpoint %s.st --dump %s.dump %s", name, name,
			         hows[i]);
			unlink(name[0] == 'w' ? "way.st" : "mixed.st");
			CHECK(ends(cuda, paces[i], line, 0, ""));
			CHECK(same_trainings("mixed.st", name[0] == 'w' ? "way.st" : "mixed.st"));
			CHECK(name[0] == 'm' || same_files("mixed.dump", "way.dump"));
		}
	model.augment = before;
	model.mixed_count = 0;
}

/* Halves of the images that change places every epoch, and borders that reflect. */
static void moves_otherwise(void)
{
	NnrAugment before = model.augment;
	model.augment = (NnrAugment){.flip = true, .alternate = true, .crop = 1, .reflect = true};
	unlink("moved.st");
	CHECK(ends(false, "", DATA "--checkpoint moved.st --log moved.jsonl", 0, ""));
	for (size_t i = 0; i < sizeof paces / sizeof *paces; i++) {
		unlink("way.st");
		unlink("way.jsonl");
		CHECK(ends(true, paces[i], DATA "--checkpoint way.st --log way.jsonl", 0, ""));
		CHECK(same_trainings("moved.st", "way.st") && same_logs("moved.jsonl", "way.jsonl"));
	}
	model.augment = before;
	unlink("plain.st");
	CHECK(ends(false, "", DATA "--checkpoint plain.st", 0, "") &&
	      !same_trainings("moved.st", "plain.st"));
}

/* A first phase that leaves the weights as they are, and ends amid a graph of steps and amid an epoch. */
static void begins_with_a_phase(void)
{
	static const char *const ways[] = {"", "--no-graph", "--stream", "--log way.jsonl --log-every 1",
	                                   "--checkpoint-every 3it"};
	char line[512];
	model.phase = (NnrFirstPhase){.length = 7, .rate = 0.02, .frozen = "line.weight"};
	unlink("phases.st");
	CHECK(ends(false, "", DATA "--checkpoint phases.st", 0, ""));
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		unlink("way.st");
		snprintf(line, sizeof line, DATA "--checkpoint way.st %s", ways[i]);
		CHECK(ends(true, paces[i % 3], line, 0, ""));
		CHECK(same_trainings("phases.st", "way.st"));
		unlink("way.st");
		snprintf(line, sizeof line, DATA "--checkpoint way.st --stop-after %d %s", 5 + (int)i,
		         ways[i]);
		CHECK(ends(i % 2, paces[i % 3], line, 0, ""));
		CHECK(ends(i % 2 == 0, paces[i % 3], DATA "--checkpoint way.st --resume", 0, ""));
		CHECK(same_trainings("phases.st", "way.st"));
	}
	model.phase = (NnrFirstPhase){0};
	unlink("plain.st");
	CHECK(ends(false, "", DATA "--checkpoint plain.st", 0, "") &&
	      !same_trainings("phases.st", "plain.st"));
}

/* The other continues from a checkpoint of one. */
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

/* When a kernel that may begin early asks for it: in a graph, after one kernel alone, and so not after a branch nor
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

/* The kernels of an architecture may be in several images, and are looked for in all of them. */
static void loads_parts(void)
{
	const unsigned char *const whole = images[0].bytes;
	images[0].bytes = (const unsigned char *)FAKE_OTHER_KERNELS;
	CHECK(ends(true, "", DATA, 6, "cuModuleGetFunction"));
	images[1] = (NnrImage){"sm_90", (const unsigned char *)FAKE_OWN_KERNELS, 0};
	CHECK(ends(true, "", DATA, 0, ""));
	images[0].bytes = whole;
	images[1] = (NnrImage){"compute_90", whole, 0};
}

void check_trainings(void)
{
	equals_the_cpu();
	streams_images();
	chooses_windows();
	mixes();
	begins_with_a_phase();
	moves_otherwise();
	resumes();
	finds_rates();
	overfits();
	diverges();
	branches_off();
	if (fake) {
		overlaps();
		loads_parts();
	}
}
