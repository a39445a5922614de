/* Loops of the pooling operators: pool_cpu.c. */
#ifndef NNC_POOL_H
#define NNC_POOL_H

#include "ops/window.h"

/* The window of a pooling node; the image's shape is `x`. */
void pool_window(const Node *n, Type x, Window *w);

/* Shape rules: operand i is a batch of images; the window of attributes size, stride and pad over an image of that
 * height and width. False after a diagnostic. */
bool pool_infer_image(Infer *in, int i);
bool pool_window_infer(Infer *in, const int64_t image[2], Window *w);
/* Of unpool: the place of a maximum that gets no gradient. */
enum { UNPOOL_NOWHERE = 255 };

void maxpool_emit(KernelText *k, const Node *n);
void maxpool_grad_emit(KernelText *k, const Node *n);
void avgpool_emit(KernelText *k, const Node *n);
void avgpool_grad_emit(KernelText *k, const Node *n);
void unpool_emit(KernelText *k, const Node *n);

/* pool_cuda.c */
void maxpool_emit_cuda(KernelText *k, const Node *n);
void maxpool_grad_emit_cuda(KernelText *k, const Node *n);
void avgpool_emit_cuda(KernelText *k, const Node *n);
void avgpool_grad_emit_cuda(KernelText *k, const Node *n);
void unpool_emit_cuda(KernelText *k, const Node *n);
int64_t pool_cuda_threads(const Node *n);
int64_t maxpool_grad_cuda_threads(const Node *n);

#endif
