/* The image of the fake driver: the runtime's kernels as they are, and those of line.cu. */
#include "tests/cuda/device.h"

#include "tests/cuda/fake_cuda.h"
#include "tests/cuda/line.cu"

extern "C" const FakeKernel fake_kernels[] = {
        {{"nnr_prepare_step", emulated_call<nnr_prepare_step>}, 4, {8, sizeof(NnrSupply), 4, 4}},
        {{"nnr_count_step", emulated_call<nnr_count_step>}, 3, {8, sizeof(NnrSupply), 4}},
        {{"nnr_end_steps", emulated_call<nnr_end_steps>}, 3, {8, sizeof(NnrSupply), 4}},
        {{"nnr_begin_samples", emulated_call<nnr_begin_samples>}, 3, {8, sizeof(NnrSupply), 4}},
        {{"nnr_end_samples", emulated_call<nnr_end_samples>}, 2, {8, sizeof(NnrSupply)}},
        {{"line_train_step", emulated_call<line_train_step>}, 6, {8, 8, 8, 8, 8, 4}},
        {{"line_prepare_weights", emulated_call<line_prepare_weights>}, 2, {8, 8}},
        {{"line_evaluate_batch", emulated_call<line_evaluate_batch>}, 3, {8, 8, 8}},
        {{nullptr, nullptr}, 0, {}},
};
