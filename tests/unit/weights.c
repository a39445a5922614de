/* SPDX-License-Identifier: MIT */
/* --init with --init-skip, and --freeze: which tensors are taken, which stay what they were, and what is said where a
 * name or a shape does not fit. */
#include "runtime/host/patterns.h"
#include "runtime/data/safetensors.h"
#include "runtime/session/weights.h"
#include "tests/unit/check.h"
#include "tests/unit/linear.h"

static void patterns(void)
{
	CHECK(patterns_match("conv*", "conv_2.weight"));
	CHECK(patterns_match("head.*,conv_?.bias", "conv_2.bias"));
	CHECK(!patterns_match("head.*,conv_?.bias", "conv_22.bias"));
	CHECK(!patterns_match("conv", "conv.weight"));
	CHECK(patterns_match(",,conv.weight,", "conv.weight"));
	CHECK(!patterns_match(NULL, "conv.weight"));
}

/* A file of up to three tensors of the values 1, 2, 3 ...: {"fit.weight", 2, {1, 3}} ...; {0} ends them. */
static void put_weights(const char *path, const StoredTensor *given)
{
	float values[16];
	StoredTensor tensors[3];
	int count = 0;
	for (int i = 0; i < 16; i++)
		values[i] = (float)(i + 1);
	for (; given[count].name; count++) {
		tensors[count] = given[count];
		tensors[count].data = values + 4 * count;
	}
	CHECK(safetensors_write(path, tensors, count, NULL, 0));
}

#define TENSOR(...)                     \
	{                               \
		__VA_ARGS__, 0, 0, NULL \
	}

/* Element i of a tensor in a file. */
static float element(const char *path, const char *name, int i)
{
	float values[8] = {0};
	Safetensors *f = safetensors_open(path);
	const StoredTensor *t = safetensors_find(f, name);
	if (CHECK(t && t->end - t->begin <= (int64_t)sizeof values))
		safetensors_read(f, t, values);
	safetensors_close(f);
	return values[i];
}

static void skips(void)
{
	static const char begin[] = "--data data --steps 1 --rate 1e-30 --quiet ";
	put_weights("whole.st", (StoredTensor[]){TENSOR("fit.weight", NNR_F32, 2, {1, 3}),
	                                         TENSOR("fit.bias", NNR_F32, 1, {1}),
	                                         {0}});
	put_weights("wider.st", (StoredTensor[]){TENSOR("fit.weight", NNR_F32, 2, {1, 4}),
	                                         TENSOR("fit.bias", NNR_F32, 1, {1}),
	                                         {0}});
	put_weights("other.st", (StoredTensor[]){TENSOR("fit.weight", NNR_F32, 2, {1, 3}),
	                                         TENSOR("fit.bais", NNR_F32, 1, {1}),
	                                         TENSOR("head.weight", NNR_F32, 1, {1}),
	                                         {0}});
	put_weights("less.st", (StoredTensor[]){TENSOR("fit.weight", NNR_F32, 2, {1, 3}), {0}});
	const struct {
		const char *options;
		int status;
		const char *says;
	} cases[] = {
	        {"--init whole.st --checkpoint a.st", 0, ""},
	        {"--init wider.st --checkpoint b.st --init-skip fit.weight", 0, ""},
	        {"--init other.st --checkpoint c.st --init-skip head.* --init-skip=fit.b*", 0, ""},
	        {"--init less.st --checkpoint d.st --init-skip fit.bias", 0, ""},
	        {"--init wider.st", 3, "has `fit.weight` with the shape [1, 4], the model wants [1, 3]"},
	        {"--init wider.st", 3, "`--init-skip 'fit.*'` lets this layer begin as in a new training"},
	        {"--init other.st", 3,
	         "lacks 1 of the tensors of `line`: `fit.bias`; and it has `fit.bais`, `head.weight`"},
	        {"--init other.st", 3, "the file's nearest name is `fit.bais`"},
	        {"--init other.st --init-skip fit.b*", 3,
	         "`other.st` has `head.weight`, which the model `line`"},
	        {"--init less.st", 3, "`less.st` lacks 1 of the tensors of `line`: `fit.bias`"},
	        {"--init less.st", 3, "`--init-skip 'fit.*'` leaves that layer"},
	        {"--init whole.st --init-skip fat.*", 2,
	         "`--init-skip fat.*` matches no tensor of the model `line`"},
	        {"--init whole.st --init-skip fat.*", 2, "did you mean `fit.*`?"},
	        {"--init whole.st --init-skip fit.bias,x", 2, "`--init-skip x` matches no tensor"},
	        {"--init-skip fit.*", 2, "`--init-skip` needs `--init FILE`"},
	        {"--init whole.st --init-skip ,", 2, "`--init-skip` wants patterns of names"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char line[256];
		snprintf(line, sizeof line, "%s%s", begin, cases[i].options);
		CHECK(ends(line, cases[i].status, cases[i].says));
	}
	CHECK(ends("--data data --steps 1 --init whole.st", 0, "`whole.st` has no running statistics"));
	CHECK(element("a.st", "fit.weight", 2) == 3 && element("a.st", "fit.bias", 0) == 5);
	CHECK(fabsf(element("b.st", "fit.weight", 2)) <= 0.5f && element("b.st", "fit.bias", 0) == 5);
	CHECK(element("c.st", "fit.weight", 2) == 3 && element("c.st", "fit.bias", 0) == 0.25f);
	CHECK(element("d.st", "fit.weight", 0) == 1 && element("d.st", "fit.bias", 0) == 0.25f);
}

/* What is frozen has the bytes that it began with, its part of the optimizer's state too; all else moves on. */
static void freezes(void)
{
	static const char train[] = "--data data --epochs 2 --quiet ";
	char line[256];
	snprintf(line, sizeof line, "%s--steps 1 --rate 1e-30 --checkpoint begin.st", "--data data --quiet ");
	CHECK(ends(line, 0, ""));
	snprintf(line, sizeof line, "%s--checkpoint bias.st --freeze fit.bias", train);
	CHECK(ends(line, 0, ""));
	snprintf(line, sizeof line, "%s--checkpoint weight.st --freeze *.weight,fit.count", train);
	CHECK(ends(line, 0, ""));
	CHECK(element("bias.st", "fit.bias", 0) == 0.25f && element("bias.st", "sgd.momentum", 3) == 0);
	CHECK(element("weight.st", "fit.bias", 0) != 0.25f && element("weight.st", "sgd.momentum", 3) != 0);
	CHECK(element("bias.st", "fit.count", 0) == 12 && element("weight.st", "fit.count", 0) == 0);
	for (int i = 0; i < 3; i++) {
		CHECK(element("weight.st", "fit.weight", i) == element("begin.st", "fit.weight", i));
		CHECK(element("bias.st", "fit.weight", i) != element("begin.st", "fit.weight", i));
		CHECK(element("weight.st", "sgd.momentum", i) == 0 &&
		      element("bias.st", "sgd.momentum", i) != 0);
	}
	/* Stopped and resumed with it the training is the same; without the option another, and a message says so. */
	static const char resume[] = "--data data --epochs 2 --checkpoint part.st --resume ";
	CHECK(ends("--data data --epochs 2 --checkpoint part.st --freeze fit.bias --stop-after 7 --quiet", 0,
	           ""));
	snprintf(line, sizeof line, "%s--stop-after 9", resume);
	CHECK(ends(
	        line, 0,
	        "`part.st` was trained with `--freeze fit.bias`, this training goes on without `--freeze`"));
	CHECK(ends("--data data --freeze fat.*", 2,
	           "`--freeze fat.*` matches no tensor of the model `line`"));
}

static void goes_on_frozen(void)
{
	char whole[4096], part[4096];
	CHECK(ends("--data data --epochs 2 --checkpoint p.st --freeze fit.bias --stop-after 7 --quiet", 0,
	           ""));
	CHECK(ends("--data data --epochs 2 --checkpoint p.st --freeze fit.bias --resume --quiet", 0, ""));
	size_t n = read_whole("bias.st", whole, sizeof whole);
	CHECK(n > 0 && read_whole("p.st", part, sizeof part) == n && memcmp(whole, part, n) == 0);
}

int main(void)
{
	child_folder_make();
	put_data();
	patterns();
	skips();
	freezes();
	goes_on_frozen();
	return check_report("unit, weights");
}
