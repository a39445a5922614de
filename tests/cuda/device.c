/* SPDX-License-Identifier: MIT */
/* runtime/cuda/nnr_device.h by itself, through NVRTC as nnc calls it: for every architecture there is a trainer for.
 * And nnr_product.h's kernels as PTX: nothing reads an accumulator while the tensor cores write it. */
#include "base/arena.h"
#include "toolchain/nvrtc.h"
#include "tests/cuda/image_text.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *nvrtc_file(void)
{
	static const char *const files[] = {"libnvrtc.so.13", "libnvrtc.so.12",
	                                    "/usr/local/cuda/lib64/libnvrtc.so.13",
	                                    "/usr/local/cuda/lib64/libnvrtc.so.12"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (dlopen(files[i], RTLD_NOW))
			return files[i];
	return NULL;
}

/* PTX, of the first image. */
static char *image_text(Arena *a, const char *images)
{
	char *text = NEW_ARRAY(a, char, strlen(images));
	image_bytes(images, text);
	return text;
}

/* Whether a line has one of the registers that stand between the braces of a product. */
static bool has_accumulator(const char *line, const char *product)
{
	for (const char *at = strchr(product, '{') + 1; *at && *at != '}'; at += strspn(at, ", ")) {
		size_t length = strcspn(at, ",}");
		for (const char *in = strstr(line, "%f"); in; in = strstr(in + 1, "%f"))
			if (strncmp(in, at, length) == 0 && !isalnum((unsigned char)in[length]))
				return true;
		at += length;
	}
	return false;
}

/* Lines that touch an accumulator between a product and the wait for all, in the order of the text. */
static int count_early(char *ptx)
{
	const char *product = NULL;
	int products = 0, early = 0;
	for (char *line = strtok(ptx, "\n"); line; line = strtok(NULL, "\n")) {
		if (strstr(line, "wgmma.mma_async")) {
			product = line;
			products++;
		} else if (strstr(line, "wait_group.sync.aligned 0")) {
			product = NULL;
		} else if (product) {
			early += has_accumulator(line, product);
		}
	}
	return products > 0 ? early : -1;
}

/* After a product an activation of many registers, ahead of that a bias, and then the sums of the rows. */
typedef enum { NOTHING, ACTIVATION, BIAS_AND_ACTIVATION, ROW_SUMS, EPILOGUES } Epilogue;

static bool products_wait(Arena *a, const char *sizes, bool carries, Epilogue epilogue)
{
	static const char *const said[EPILOGUES] = {
	        "", ", with an activation", ", with a bias and an activation", ", with the sums of its rows"};
	const bool bias = epilogue >= BIAS_AND_ACTIVATION, sums = epilogue == ROW_SUMS;
	const char *source =
	        arena_printf(a,
	                     "#include \"cuda/nnr_product.h\"\nstatic __device__ unsigned done[4096];\n"
	                     "extern \"C\" __global__ void __launch_bounds__(384, 1) product(const "
	                     "__grid_constant__ NnrTensorMap a, "
	                     "const __grid_constant__ NnrTensorMap b, float *y, float *partial%s%s%s)\n"
	                     "{\n%s\tnnr_product<%s>(a, b, y, partial, done%s%s%s);\n}\n",
	                     bias ? ", const float *__restrict__ bias" : "",
	                     sums ? ", const float *__restrict__ weight" : "",
	                     carries ? ", const __grid_constant__ NnrCarried carried" : "",
	                     epilogue ? "\tconst auto epilogue = [](float sum, float added) {\n"
	                                "\t\treturn nnr_round_tf32f(nnr_tanhf(sum + added));\n\t};\n"
	                              : "",
	                     sizes,
	                     carries    ? ", carried"
	                     : epilogue ? ", NnrNothing()"
	                                : "",
	                     bias       ? ", bias, epilogue"
	                     : epilogue ? ", NnrNothing(), epilogue"
	                                : "",
	                     sums ? ", weight" : "");
	int early =
	        count_early(image_text(a, cuda_images(a, &(CudaKernels){&source, 1, "compute_90a,", "tf32",
	                                                                NNC_ROOT "/runtime", true, false})));
	if (early)
		printf("FAIL product %s%s%s: %d lines touch accumulators in flight\n", sizes,
		       carries ? ", gathering" : "", said[epilogue], early);
	return early == 0;
}

static int images_of(const char *text, const char *arch)
{
	int count = 0;
	for (; (text = strstr(text, arch)); text++)
		count++;
	return count;
}

int main(void)
{
	if (!nvrtc_file()) {
		printf("skip cuda device: no libnvrtc.so.13 or .12\ncuda, the device header: 0 passed, 0 "
		       "failed, 1 skipped\n");
		return 0;
	}
	Arena *a = arena_new();
	static const char own[] = "#define NNR_TURNS_INPUTS\n#include \"cuda/nnr_device.h\"\n",
	                  without[] = "#define NNR_WITHOUT_STEP_KERNELS\n#include \"cuda/nnr_device.h\"\n";
	const char *const parts[] = {own, without};
	const char *images = cuda_images(
	        a, &(CudaKernels){parts, 2, "sm_80,sm_90,sm_100", "tf32", NNC_ROOT "/runtime", true, false});
	int found = strstr(images, "sm_80") && strstr(images, "sm_90a") && strstr(images, "sm_100");
	/* three cubins and PTX, of two parts each, those of one architecture beside each other */
	found = found && strstr(images, "IMAGES = 8") && images_of(images, "{\"sm_80\"") == 2 &&
	        images_of(images, "{\"compute_100\"") == 2;
	/* what needs no features of sm_90a is compiled once, for a cubin and for PTX: ".target sm_90" stands in that */
	const char *once = cuda_images(
	        a, &(CudaKernels){&parts[1], 1, "sm_90", "bf16", NNC_ROOT "/runtime", false, false});
	found = found && strstr(once, "{\"sm_90\", ") && strstr(once, "{\"compute_90\", ") &&
	        strstr(image_text(a, strstr(once, "image_1[]")), ".target sm_90");
	static const char *const sizes[] = {
	        "8000, 1000, 1000, true, 1",  "8000, 1000, 1000, false, 1", "1000, 1000, 8000, true, 4",
	        "2000, 1000, 1000, false, 2", "1280, 1000, 8000, true, 3",  "768, 1024, 8000, true, 5",
	        "640, 1024, 8000, false, 6",  "768, 768, 8000, true, 7",    "512, 512, 8000, true, 8"};
	int passed = found != 0, failed = !found;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const bool whole = strcmp(sizes[i] + strlen(sizes[i]) - 3, ", 1") == 0; /* not in parts */
		for (int form = 0; form < 2 * (whole ? EPILOGUES : ROW_SUMS); form++)
			*(products_wait(a, sizes[i], form % 2, (Epilogue)(form / 2)) ? &passed : &failed) +=
			        1;
	}
	printf("cuda, the device header: %d passed, %d failed, 0 skipped\n", passed, failed);
	arena_free(a);
	return failed != 0;
}
