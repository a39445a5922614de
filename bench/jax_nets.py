# SPDX-License-Identifier: MIT
"""models/resnet50.net in JAX, for jax_gpu.py: parameters and running statistics as dictionaries of layers, by name."""
import jax
import jax.numpy as jnp


def bottlenecks():
    """Name, channels read, width and stride of each."""
    channels = 64
    for stage, (width, count, stride) in enumerate([(64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)]):
        for i in range(count):
            yield f"{stage}.{i}", channels, width, stride if i == 0 else 1
            channels = 4 * width


def filters():
    """Shape of each convolution's filters, [height, width, in, out]."""
    shapes = {"stem": (7, 7, 3, 64)}
    for name, channels, width, stride in bottlenecks():
        shapes.update({name + ".a": (1, 1, channels, width), name + ".b": (3, 3, width, width), name + ".c": (1, 1, width, 4 * width)})
        if stride != 1 or channels != 4 * width:
            shapes[name + ".shortcut"] = (1, 1, channels, 4 * width)
    return shapes


def resnet50_new(key, classes):
    params, running = {}, {}
    for name, shape in filters().items():
        key, own = jax.random.split(key)
        params[name] = {"w": jax.random.normal(own, shape) * (2 / (shape[0] * shape[1] * shape[2])) ** 0.5,
                        "scale": jnp.ones(shape[3]), "bias": jnp.zeros(shape[3])}
        running[name] = {"mean": jnp.zeros(shape[3]), "variance": jnp.ones(shape[3])}
    params["dense"] = {"w": jax.random.normal(key, (2048, classes)) * 0.01, "bias": jnp.zeros(classes)}
    return params, running


def batchnorm(x, p, running):
    """In training; its sums in f32, whatever x is."""
    wide = x.astype(jnp.float32)
    mean, square = wide.mean((0, 1, 2)), (wide * wide).mean((0, 1, 2))
    variance = jnp.maximum(square - mean * mean, 0)
    y = (wide - mean) * (p["scale"] * jax.lax.rsqrt(variance + 1e-5)) + p["bias"]
    return y.astype(x.dtype), {"mean": 0.9 * running["mean"] + 0.1 * mean, "variance": 0.9 * running["variance"] + 0.1 * variance}


def resnet50(params, running, images):
    """Logits in f32 and the running statistics after the step; convolutions in the type of `images`, [batch, height, width, 3]."""
    moved = {}

    def layer(x, name, stride=1):
        p = params[name]
        pad = p["w"].shape[0] // 2
        x = jax.lax.conv_general_dilated(x, p["w"].astype(x.dtype), (stride, stride), [(pad, pad), (pad, pad)],
                                         dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x, moved[name] = batchnorm(x, p, running[name])
        return x

    x = jax.nn.relu(layer(images, "stem", 2))
    x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 3, 3, 1), (1, 2, 2, 1), [(0, 0), (1, 1), (1, 1), (0, 0)])
    for name, _, _, stride in bottlenecks():
        shortcut = layer(x, name + ".shortcut", stride) if name + ".shortcut" in params else x
        y = jax.nn.relu(layer(x, name + ".a"))
        y = jax.nn.relu(layer(y, name + ".b", stride))
        x = jax.nn.relu(layer(y, name + ".c") + shortcut)
    x = x.astype(jnp.float32).mean((1, 2))
    return x @ params["dense"]["w"] + params["dense"]["bias"], moved
