/* SPDX-License-Identifier: MIT */
/* The conversion of bf16 and f16 to f32 for the files that call libraries. PTX, because it must be there whatever the
 * model's own kernels are, and without NVRTC: the driver compiles it. One thread an element. */
#include "runtime/cuda/plan.h"

enum { THREADS = 256 };

#define WIDEN(name, convert)                                                                \
	".visible .entry " name "(.param .u64 from, .param .u64 to, .param .u64 count)\n"   \
	"{\n"                                                                               \
	"	.reg .pred %end;\n"                                                               \
	"	.reg .b16 %narrow;\n"                                                             \
	"	.reg .b32 %block, %threads, %thread, %wide;\n"                                    \
	"	.reg .b64 %i, %count, %from, %to, %t;\n"                                          \
	"	mov.u32 %block, %ctaid.x;\n"                                                      \
	"	mov.u32 %threads, %ntid.x;\n"                                                     \
	"	mov.u32 %thread, %tid.x;\n"                                                       \
	"	mul.wide.u32 %i, %block, %threads;\n"                                             \
	"	cvt.u64.u32 %t, %thread;\n"                                                       \
	"	add.u64 %i, %i, %t;\n"                                                            \
	"	ld.param.u64 %count, [count];\n"                                                  \
	"	setp.ge.u64 %end, %i, %count;\n"                                                  \
	"	@%end ret;\n"                                                                     \
	"	ld.param.u64 %from, [from];\n"                                                    \
	"	ld.param.u64 %to, [to];\n"                                                        \
	"	shl.b64 %t, %i, 1;\n"                                                             \
	"	add.u64 %from, %from, %t;\n"                                                      \
	"	shl.b64 %t, %i, 2;\n"                                                             \
	"	add.u64 %to, %to, %t;\n"                                                          \
	"	ld.global.b16 %narrow, [%from];\n" convert "	st.global.b32 [%to], %wide;\n" \
	"	ret;\n"                                                                           \
	"}\n"

static const char ptx[] = ".version 6.4\n"
                          ".target sm_70\n"
                          ".address_size 64\n" WIDEN("widen_bf16", "	mov.b32 %wide, {0, %narrow};\n")
                                  WIDEN("widen_f16", "	.reg .f32 %f;\n"
                                                     "	cvt.f32.f16 %f, %narrow;\n"
                                                     "	mov.b32 %wide, %f;\n");

void plan_widen(NnrDType from, const void *narrow, const void *wide, int64_t count)
{
	static CUfunction bf16, f16;
	if (!bf16) {
		CUmodule module;
		CU(ModuleLoadDataEx, &module, ptx, 0, NULL, NULL);
		CU(ModuleGetFunction, &f16, module, "widen_f16");
		CU(ModuleGetFunction, &bf16, module, "widen_bf16");
	}
	require(from == NNR_BF16 || from == NNR_F16);
	void *arguments[] = {&narrow, &wide, &count};
	unsigned blocks = (unsigned)((count + THREADS - 1) / THREADS);
	CU(LaunchKernel, from == NNR_BF16 ? bf16 : f16, blocks, 1, 1, THREADS, 1, 1, 0, nnr_cuda_stream(),
	   arguments, NULL);
}
