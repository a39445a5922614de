#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The other peer of bench/gpu: JAX. jax_gpu.py WORKLOAD MODE BATCH [EPOCH] prints one JSON line.

WORKLOAD  mnist_cnn, mlp_train, mlp_infer; resnet50_cifar-tf32, resnet50_cifar-bf16, resnet50_imagenet-tf32, resnet50_imagenet-bf16
MODE      scan: whole epochs in one jitted loop of lax.scan; unrolled: the same, four steps an iteration
EPOCH     batches of the data set, which is on the device and gathered in a fresh permutation every epoch

TF32 products; bf16: activations and filters, f32 weights and statistics. Command buffers (CUDA graphs) are XLA's default; bench/gpu
also tries them for whole loops, by XLA_FLAGS. The median of five windows of twenty epochs or more (of ResNet-50 one), each waited for.
"""
import json
import statistics
import sys
import time

import jax
import jax.numpy as jnp
import optax

from jax_nets import resnet50, resnet50_new

workload, mode, batch = sys.argv[1], sys.argv[2], int(sys.argv[3])
batches = int(sys.argv[4]) if len(sys.argv) > 4 else 4
began = time.perf_counter()
jax.config.update("jax_default_matmul_precision", "tensorfloat32")
WINDOW = 0.5  # seconds
key = jax.random.PRNGKey(0)

optimizer, statistics_of = optax.adam(1e-3), {}  # what a step leaves beside the parameters: running statistics
epochs_at_least = 20


def cross_entropy(logits, labels):
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


if workload == "mnist_cnn":
    count = 10000
    x, y = jax.random.uniform(key, (count, 28, 28, 1)), jax.random.randint(key, (count,), 0, 10)
    params = {"conv": jax.random.normal(key, (3, 3, 1, 16)) * .1, "conv_bias": jnp.zeros(16),
              "dense": jax.random.normal(key, (3136, 10)) * .02, "dense_bias": jnp.zeros(10)}

    def predict(p, images):
        h = jax.lax.conv_general_dilated(images, p["conv"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        h = jax.lax.reduce_window(jax.nn.relu(h + p["conv_bias"]), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return h.reshape(images.shape[0], -1) @ p["dense"] + p["dense_bias"]

    def loss(p, running, images, labels):
        return cross_entropy(predict(p, images), labels), running
elif workload.startswith("resnet50"):
    network, precision = workload.split("-")
    side, classes, batches = (32, 10, 20) if network == "resnet50_cifar" else (224, 1000, 4)
    count, epochs_at_least = batches * batch, 1
    x, y = jax.random.uniform(key, (count, side, side, 3)), jax.random.randint(key, (count,), 0, classes)
    params, statistics_of = resnet50_new(key, classes)
    if network == "resnet50_imagenet":
        optimizer = optax.chain(optax.add_decayed_weights(1e-4), optax.sgd(0.1, momentum=0.9))

    def loss(p, running, images, labels):
        logits, running = resnet50(p, running, images.astype(jnp.bfloat16) if precision == "bf16" else images)
        return cross_entropy(logits, labels), running
else:
    count = batch * (batches if workload == "mlp_train" else 1)
    x, y = jax.random.uniform(key, (count, 1000)), jax.random.uniform(key, (count, 1))
    params = {"a": jax.random.normal(key, (1000, 1000)) * .03, "a_bias": jnp.zeros(1000),
              "b": jax.random.normal(key, (1000, 1)) * .03, "b_bias": jnp.zeros(1)}

    def predict(p, inputs):
        return jnp.tanh(inputs @ p["a"] + p["a_bias"]) @ p["b"] + p["b_bias"]

    def loss(p, running, inputs, targets):
        return jnp.mean((predict(p, inputs) - targets) ** 2), running

steps_an_epoch = count // batch


@jax.jit
def train(p, state, running, run_key, epochs, inputs, targets):
    def step(carry, chosen):
        p, state, running = carry
        gradients, running = jax.grad(loss, has_aux=True)(p, running, inputs[chosen], targets[chosen])
        updates, state = optimizer.update(gradients, state, p)
        return (optax.apply_updates(p, updates), state, running), None

    def epoch(i, carry):
        order = jax.random.permutation(jax.random.fold_in(run_key, i), count)[:steps_an_epoch * batch]
        order = order.reshape(steps_an_epoch, batch)
        return jax.lax.scan(step, carry, order, unroll=min(4, steps_an_epoch) if mode == "unrolled" else 1)[0]
    return jax.lax.fori_loop(0, epochs, epoch, (p, state, running))


def measure_training():
    carry = params, optimizer.init(params), statistics_of
    carry = jax.block_until_ready(train(*carry, key, 1, x, y))
    warm = time.perf_counter() - began
    epochs = epochs_at_least
    while True:
        first = time.perf_counter()
        carry = jax.block_until_ready(train(*carry, key, epochs, x, y))
        took = time.perf_counter() - first
        if took > WINDOW / 2 or epochs > 100000:
            break
        epochs = max(epochs + 1, round(epochs * WINDOW / took))
    seconds = []
    for i in range(5):
        first = time.perf_counter()
        carry = jax.block_until_ready(train(*carry, jax.random.PRNGKey(i), epochs, x, y))
        seconds.append((time.perf_counter() - first) / (epochs * steps_an_epoch))
    return seconds, warm


def measure_inference():
    run = jax.jit(predict)
    run(params, x).block_until_ready()
    warm = time.perf_counter() - began
    seconds, calls = [], 300
    for _ in range(5):
        first = time.perf_counter()
        for _ in range(calls):
            y_ = run(params, x)
        y_.block_until_ready()
        seconds.append((time.perf_counter() - first) / calls)
    return seconds, warm


seconds, warm = measure_inference() if workload == "mlp_infer" else measure_training()
print(json.dumps({"peer": "JAX " + jax.__version__, "mode": mode, "samples_per_second": batch / statistics.median(seconds),
                  "slowest": batch / max(seconds), "fastest": batch / min(seconds),
                  "milliseconds_per_step": 1e3 * statistics.median(seconds), "start_seconds": round(warm, 1)}))
