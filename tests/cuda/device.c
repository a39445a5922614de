/* runtime/cuda/nnr_device.h by itself, through NVRTC as nnc calls it: for every architecture there is a trainer for. */
#include "base/arena.h"
#include "nvrtc.h"

#include <dlfcn.h>
#include <stdio.h>
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

int main(void)
{
	if (!nvrtc_file()) {
		printf("skip cuda device: no libnvrtc.so.13 or .12\ncuda, the device header: 0 passed, 0 "
		       "failed, 1 skipped\n");
		return 0;
	}
	Arena *a = arena_new();
	const char *images = cuda_images(a, "#include \"cuda/nnr_device.h\"\n", "sm_80,sm_90,sm_100", "tf32",
	                                 NNC_ROOT "/runtime");
	int found = strstr(images, "sm_80") && strstr(images, "sm_90a") && strstr(images, "sm_100");
	printf("cuda, the device header: %d passed, %d failed, 0 skipped\n", found, !found);
	arena_free(a);
	return !found;
}
