/* SPDX-License-Identifier: MIT */
/* nnc cubin: kernels that --keep-code left, and that somebody may have edited, as the C that the trainer is linked
 * with. It is how nnc itself compiles them, so an unedited file gives the same kernels. */
#include "command.h"
#include "passes/implementation.h"
#include "toolchain/cc.h"
#include "toolchain/nvrtc.h"

#include <string.h>

/* As emit.c decides it: by the headers that the kernels include. */
static bool uses_own_features(Arena *a, const char *text)
{
	for (int i = 0; i < implementation_count; i++) {
		const Implementation *m = implementations[i];
		if ((m->flags & IMPL_OWN_FEATURES) && m->header &&
		    strstr(text, arena_printf(a, "#include \"%s\"", m->header)))
			return true;
	}
	return false;
}

int command_cubin(Arena *a, const Options *o)
{
	const char *file = only_file(o, "the .cu file");
	if (!o->output || !o->cuda)
		fail(EXIT_USAGE, "nnc cubin FILE.cu -o FILE.c needs --target=cuda, and the file to write");
	const char *text = read_text(a, file, "CUDA C");
	const CudaKernels kernels = {.parts = &text,
	                             .part_count = 1,
	                             .archs = o->archs ? o->archs : target_cuda.archs,
	                             .precision = o->precision ? o->precision : "tf32",
	                             .include = runtime_include(a),
	                             .own_features = uses_own_features(a, text),
	                             .edited = true};
	write_output(a, o->output,
	             arena_printf(a, "#include \"nnr.h\"\n#include \"cuda/nnr_cuda.h\"\n%s",
	                          cuda_images(a, &kernels)));
	return EXIT_OK;
}
