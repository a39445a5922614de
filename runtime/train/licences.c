/* SPDX-License-Identifier: MIT */
/* A row for each library that a trainer has in it, is linked with, or opens while it runs. What this one has is known
 * by how the runtime was built, by the model, and by symbols that are there only where their object was linked.
 * tests/gen/licences.py compares the rows with the file. */
#include "runtime/train/licences.h"

#include "base/licences.h"
#include "runtime/host/die.h"
#include "runtime/cpu/nnr_dnn.h"

#include <stdbool.h>
#include <stddef.h>

#pragma weak nnr_dnn_matmul
extern void omp_set_num_threads(int threads) __attribute__((weak));

#ifdef NNR_ONNX
enum { HAS_ONNX = true };
#else
enum { HAS_ONNX = false };
#endif
#ifdef NNR_JPEG
enum { HAS_JPEG = true };
#else
enum { HAS_JPEG = false };
#endif
#ifdef NNR_PNG
enum { HAS_PNG = true };
#else
enum { HAS_PNG = false };
#endif

static const char protobuf_c_notice[] =
        "Copyright 2008-2022 Dave Benson and the protobuf-c authors. All rights reserved.\n"
        "\n"
        "Redistribution and use in source and binary forms, with or without\n"
        "modification, are permitted provided that the following conditions are\n"
        "met:\n"
        "\n"
        "    * Redistributions of source code must retain the above copyright\n"
        "notice, this list of conditions and the following disclaimer.\n"
        "\n"
        "    * Redistributions in binary form must reproduce the above\n"
        "copyright notice, this list of conditions and the following disclaimer\n"
        "in the documentation and/or other materials provided with the\n"
        "distribution.\n"
        "\n"
        "THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS\n"
        "\"AS IS\" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT\n"
        "LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR\n"
        "A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT\n"
        "OWNER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,\n"
        "SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT\n"
        "LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE,\n"
        "DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY\n"
        "THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT\n"
        "(INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE\n"
        "OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.\n";

static const char onnx_notice[] =
        "The descriptions of ONNX's messages are compiled from the file onnx.proto of the ONNX project,\n"
        "Copyright (c) ONNX Project Contributors, under the Apache License 2.0:\n"
        "https://www.apache.org/licenses/LICENSE-2.0\n";

void trainer_licences(const NnrModel *model)
{
	bool cuda = model->backend != NULL, dnn = nnr_dnn_matmul != NULL,
	     openmp = omp_set_num_threads != NULL;
	const struct {
		bool here;
		Licence licence;
	} rows[] = {
	        {true, {"the network and its code", "", "its author's", "in it", NULL}},
	        {true, {"nnc's runtime", "", "MIT with nnc's exception: no obligation", "in it", NULL}},
	        {HAS_ONNX, {"protobuf-c", "", "BSD-2-Clause", "in it", protobuf_c_notice}},
	        {HAS_ONNX, {"ONNX's schema", "", "Apache-2.0", "in it", onnx_notice}},
	        {true, {"the C library", "libc, libm", "LGPL-2.1-or-later (glibc)", "linked", NULL}},
	        {true, {"zlib", "libz", "Zlib", "linked", NULL}},
	        {openmp,
	         {"OpenMP", "libgomp or libomp",
	          "GPL-3.0-or-later WITH GCC-exception-3.1, or Apache-2.0 WITH LLVM-exception", "linked",
	          NULL}},
	        {HAS_JPEG,
	         {"libjpeg-turbo", "libturbojpeg", "IJG AND BSD-3-Clause AND Zlib", "opened for JPEG files",
	          NULL}},
	        {HAS_PNG, {"libpng", "libpng", "libpng-2.0", "opened for PNG files", NULL}},
	        {true, {"libwebp", "libwebp", "BSD-3-Clause", "opened for WebP files", NULL}},
	        {true, {"libtiff", "libtiff", "libtiff", "opened for TIFF files", NULL}},
	        {dnn, {"oneDNN", "libdnnl", "Apache-2.0", "opened for products and convolutions", NULL}},
	        {true, {"MPI", "libmpi", "that of the MPI that is there", "opened under mpirun", NULL}},
	        {cuda, {"CUDA's driver", "libcuda", "NVIDIA's own", "opened", NULL}},
	        {cuda, {"cuDNN", "libcudnn", "NVIDIA's own", "opened where the network calls it", NULL}},
	        {cuda,
	         {"cuBLASLt", "libcublasLt", "NVIDIA's own", "opened where the network calls it", NULL}},
	        {cuda, {"NCCL", "libnccl", "BSD-3-Clause", "opened for several GPUs", NULL}},
	        {cuda, {"CUPTI", "libcupti", "NVIDIA's own", "opened by `profile`", NULL}},
	        {cuda, {"NVML", "libnvidia-ml", "NVIDIA's own", "opened to count joules", NULL}},
	};
	Licence all[sizeof rows / sizeof *rows];
	int count = 0;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].here)
			all[count++] = rows[i].licence;
	licences_print(program_name(), all, count);
}
