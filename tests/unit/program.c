/* SPDX-License-Identifier: MIT */
/* The text of a program: what is printed is read back as the same program, and what it may not say is refused. */
#include "program/buffer_marks.h"
#include "driver/driver.h"
#include "tests/unit/check.h"
#include <string.h>

static const char *const models[] = {"mnist_cnn", "rosenbrock_mlp", "resnet50"};

/* Which lines of the network a node is from is not read back. */
static char *without_comments(char *text)
{
	char *to = text;
	for (const char *at = text; *at; at++) {
		if (strncmp(at, "  # ", 4) == 0)
			at = strchr(at, '\n');
		*to++ = *at;
	}
	*to = '\0';
	return text;
}

static const Program *compile_model(Arena *a, const char *model, const Target *target)
{
	const char *why;
	Source *source = source_read(a, arena_printf(a, NNC_ROOT "/models/%s.net", model), &why);
	Diagnostics *d = diagnostics_new(a, COLOR_NEVER, false, 20);
	Compiled *c = source ? compile(a, d, source, &(DriverOptions){.target = target}) : NULL;
	CHECK(c != NULL);
	return c ? c->train : NULL;
}

static char *text_of(Arena *a, const char *model, const Target *target)
{
	const Program *p = compile_model(a, model, target);
	return p ? without_comments(program_text(a, p)) : NULL;
}

static void test_round_trip(void)
{
	Target whole = target_cuda;
	whole.split_update = 0;
	const Target *const targets[] = {&target_cpu, &target_cuda, &whole};
	for (size_t t = 0; t < sizeof targets / sizeof *targets; t++)
		for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
			Arena *a = arena_new();
			const char *why = NULL, *text = text_of(a, models[i], targets[t]);
			Program *p = text ? program_parse(a, text, &why) : NULL;
			CHECK_TEXT(why ? why : "", "");
			CHECK(p && strcmp(program_text(a, p), text) == 0);
			why = p ? program_verify(a, p) : NULL;
			CHECK_TEXT(why ? why : "", "");
			bool parts = text && strstr(text, " only=") && strstr(text, " without=");
			CHECK(parts == (targets[t] == &target_cuda && strcmp(models[i], "resnet50") == 0));
			bool sums = text && strstr(text, " sums=left ") && strstr(text, " sums=taken ");
			CHECK(sums == (targets[t] != &target_cpu && strcmp(models[i], "mnist_cnn") != 0));
			arena_free(a);
		}
}

static bool reads_of_range(const Step *s, StepRange range)
{
	for (int i = 0; i < s->read_count; i++) {
		const Buffer *b = s->reads[i];
		int64_t at = b->offset / dtype_bytes(b->type.dtype);
		if (b->class == BUFFER_PARAMETER && at >= range.first && at < range.first + range.count)
			return true;
	}
	return false;
}

/* An early part of the update that has moved ahead of a step which still reads its parameters. */
static void test_early_update(void)
{
	Arena *a = arena_new();
	const char *why = NULL, *text = text_of(a, "resnet50", &target_cuda);
	Program *p = text ? program_parse(a, text, &why) : NULL;
	int early = 0;
	while (p && early < p->step_count && p->steps[early].range.count == 0)
		early++;
	CHECK(p && early < p->step_count);
	for (int s = early; p && s > 0 && early < p->step_count; s--) {
		Step moved = p->steps[s];
		p->steps[s] = p->steps[s - 1];
		p->steps[s - 1] = moved;
		p->steps[s].id = s;
		p->steps[s - 1].id = s - 1;
		if (reads_of_range(&p->steps[s], moved.range))
			break;
	}
	why = p ? program_verify(a, p) : NULL;
	CHECK(why && strstr(why, "has updated"));
	arena_free(a);
}

/* The text with the first `from` as `to`. */
static const char *replaced(Arena *a, const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	CHECK(at != NULL);
	return at ? arena_printf(a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) : text;
}

/* Sums of rows that are left and not taken, taken twice, or taken and not left, and a step that reads other sums. */
static void test_lost_sums(void)
{
	Arena *a = arena_new();
	const char *text = text_of(a, "rosenbrock_mlp", &target_cuda);
	const char *taken = text ? strstr(text, " sums=taken ") : NULL, *step = taken;
	if (!CHECK(taken != NULL))
		return;
	while (strncmp(step, "\nstep ", 6) != 0)
		step--;
	const char *line = arena_strndup(a, step + 1, strcspn(step + 1, "\n")),
	           *reads = strstr(line, " reads=["), *closed = strchr(reads, ']');
	const char *deaf = arena_printf(a, "%.*s reads=[%s", (int)(reads - line), line, closed);
	const struct {
		const char *text, *why;
	} mistakes[] = {
	        {replaced(a, text, " sums=taken ", " "), "leaves sums that 0 steps take"},
	        {replaced(a, text, " sums=left ", " "), "0 steps leave sums, and 1 take some"},
	        {replaced(a, text, line, deaf), "leaves sums that 0 steps take"},
	        {replaced(a, text, " sums=left ", " sums=taken "), "0 steps leave sums, and 2 take some"},
	};
	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
		const char *why = NULL;
		Program *p = program_parse(a, mistakes[i].text, &why);
		CHECK_TEXT(why ? why : "", "");
		why = p ? program_verify(a, p) : NULL;
		CHECK(why && strstr(why, mistakes[i].why));
	}
	arena_free(a);
}

static void test_refused(void)
{
	Arena *a = arena_new();
	const char *why, *text = text_of(a, "mnist_cnn", &target_cpu);
	static const struct {
		const char *from, *to, *why;
	} mistakes[] = {
	        {"buffer 0 ", "buffer 7 ", "buffer"},
	        {" reads=[", " reads=[99999,", "there is no buffer"},
	        {" nodes=[%", " nodes=[%9", "node"},
	        {" bytes=", " octets=", "bytes"},
	        {"step 1 ", "step 4 ", "the step above"},
	        {" writes=[", " only=9..9 writes=[", "writes"},
	        {" flops=", " sums=kept flops=", "left"},
	};
	for (size_t i = 0; text && i < sizeof mistakes / sizeof *mistakes; i++) {
		Program *p = program_parse(a, replaced(a, text, mistakes[i].from, mistakes[i].to), &why);
		CHECK(!p && why && strstr(why, mistakes[i].why));
		if (!why || !strstr(why, mistakes[i].why))
			printf("%s: %s\n", mistakes[i].to, why ? why : "read");
	}
	arena_free(a);
}

/* The largest mark is that of all buffers with bytes in common, whether marks grow or shrink. */
static void test_marks(bool shrink)
{
	Arena *a = arena_new();
	const Program *p = compile_model(a, "resnet50", &target_cuda);
	if (!p)
		return;
	const int count = p->buffer_count;
	BufferMarks *marks = buffer_marks_new(a, p);
	int wrong = 0, shared = 0;
	for (int i = 0; i < count; i++) {
		int largest = -1;
		for (int k = 0; k < i; k++) {
			const int mark = shrink ? count - 1 - k : k;
			if (buffers_share_bytes(p->buffers[k], p->buffers[i]) && mark > largest)
				largest = mark;
		}
		shared += largest >= 0;
		wrong += buffer_largest_mark(marks, p->buffers[i]) != largest;
		buffer_mark(marks, p->buffers[i], shrink ? count - 1 - i : i);
	}
	CHECK(shared > 0 && shared < count && wrong == 0);
	arena_free(a);
}

int main(void)
{
	test_marks(false);
	test_marks(true);
	test_round_trip();
	test_early_update();
	test_lost_sums();
	test_refused();
	return check_report("program");
}
