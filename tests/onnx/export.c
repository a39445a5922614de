/* SPDX-License-Identifier: MIT */
/* FOLDER/NAME.onnx of NAME.graph and NAME.params (samples.c), as a trainer exports it:
 *
 *     onnx_export FOLDER/NAME.graph ... */
#include "runtime/host/die.h"
#include "runtime/train/onnx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMS = 1000 };

static char *block_of(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		die(STATUS_DATA, "%s can't be read", path);
	fseek(f, 0, SEEK_END);
	const long size = ftell(f);
	rewind(f);
	char *block = allocate(size + 1, 1, "the parameters");
	if (fread(block, 1, (size_t)size, f) != (size_t)size)
		die(STATUS_DATA, "%s can't be read", path);
	fclose(f);
	return block;
}

static NnrTensor param_of(char *words, int64_t *offset)
{
	NnrTensor t = {.dtype = NNR_F32, .offset = *offset};
	char *at, *name = strtok_r(words, " ", &at);
	t.name = text_printf("%s", name);
	t.channels = atoi(strtok_r(NULL, " ", &at));
	t.rank = atoi(strtok_r(NULL, " ", &at));
	for (int i = 0; i < t.rank; i++)
		t.dim[i] = atoll(strtok_r(NULL, " ", &at));
	*offset += tensor_elements(t.dim, t.rank) * (int64_t)sizeof(float);
	return t;
}

/* ".graph" of the path as another ending. */
static char *beside(const char *path, const char *ending)
{
	return text_printf("%.*s.%s", (int)(strlen(path) - strlen(".graph")), path, ending);
}

static void export(const char *path)
{
	NnrTensor *params = allocate(MOST_PARAMS, sizeof *params, "the parameters");
	const char **lines = NULL;
	int count = 0, param_count = 0;
	int64_t offset = 0;
	char *at, *text = block_of(path);
	for (char *line = strtok_r(text, "\n", &at); line; line = strtok_r(NULL, "\n", &at)) {
		if (strncmp(line, "param ", 6) == 0 && param_count < MOST_PARAMS) {
			params[param_count++] = param_of(line + 6, &offset);
			continue;
		}
		lines = reallocate(lines, count + 1, sizeof *lines, "the graph");
		lines[count++] = line;
	}
	const NnrModel model = {.name = "samples",
	                        .version = "test",
	                        .onnx = lines,
	                        .onnx_count = count,
	                        .params = params,
	                        .param_count = param_count};
	Session s = {.model = &model};
	s.memory.params = block_of(beside(path, "params"));
	onnx_write(&s, beside(path, "onnx"));
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		export(argv[i]);
	return 0;
}
