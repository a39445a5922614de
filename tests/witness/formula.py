# SPDX-License-Identifier: MIT
"""Weights and inputs that two programs can make alike: every tensor is a rotation of one table of 4,099 numbers (a prime,
so that rows differ), repeated to its length and scaled by its role. Exact in any language; nothing large is stored.

Also the two file formats the trainer reads and writes, in plain Python: .safetensors and .npy.
"""
import array
import json
import math
import re
import struct

PERIOD = 4099
MASK = (1 << 64) - 1


def mix(z):
    z = (z + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
    return z ^ z >> 31


BITS = [mix(j) >> 48 for j in range(PERIOD)]  # 16 of them each
TABLE = [(b - 32768) / 32768 for b in BITS]   # in [-1, 1)


def place(name):
    """Where in the table the tensor of this name begins."""
    h = 0xCBF29CE484222325
    for byte in name.encode():
        h = ((h ^ byte) * 0x100000001B3) & MASK
    return mix(h) % PERIOD


def spread(kind, table, name, count):
    at = place(name)
    turned = array.array(kind, table[at:] + table[:at])
    return (turned * (count // PERIOD + 1))[:count]


ENDS_BRANCH = re.compile(r"basic\w*\.conv_bn_2\.|bottleneck\w*\.conv_bn_3\.|preactivated\w*\.conv\.")


def gentle(name, values):
    """Of a tensor of a deep network what rounding does not grow from. As it is initialised, resnet50 normalises 50 times, in the end as
    many pixels as there are images: in tf32 its gradients are off by 0.7 of their length, and after five steps nothing is comparable.
    Here a residual block adds a fifth to its shortcut, and channels of a batchnorm are by turns mostly above and mostly below the
    kink of relu, 1.5 standard deviations away, so that few activations cross it."""
    scale = 0.2 if ENDS_BRANCH.search(name) else 1.0
    if "batchnorm." not in name:
        return array.array("f", [scale * v for v in values]) if "preactivated" in name else values
    away = 1.5 if name.endswith("bias") else 0.0
    return array.array("f", [scale * (v - away if i % 2 else v + away) for i, v in enumerate(values)])


def parameter(name, dim):
    """Its values in single precision, in nnc's layout."""
    count = math.prod(dim)
    if len(dim) > 1:
        scale, shift = math.sqrt(3 / math.prod(dim[1:])), 0.0  # keeps the variance from layer to layer
    elif name.endswith("weight"):
        scale, shift = 0.25, 1.0  # of a normalisation
    else:
        scale, shift = 0.1, 0.0
    return gentle(name, spread("f", [shift + scale * v for v in TABLE], name, count))


def inputs(name, dim, kind, classes=0):
    """kind: u8, f32, or class."""
    count = math.prod(dim)
    if kind == "class":
        return array.array("i", [(7 * i + 3) % classes for i in range(count)])
    if kind == "u8":
        return spread("B", [b >> 8 for b in BITS], name, count)
    return spread("f", TABLE, name, count)


def write_npy(path, values, dim):
    kind = {"B": "|u1", "i": "<i4", "f": "<f4", "d": "<f8"}[values.typecode]
    shape = "(" + "".join(f"{d}," for d in dim) + ")"
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        values.tofile(f)


def write_safetensors(path, tensors):
    """tensors: {name: (dim, array)}"""
    header, at = {}, 0
    for name, (dim, values) in tensors.items():
        size = len(values) * values.itemsize
        header[name] = {"dtype": {"f": "F32", "d": "F64", "i": "I32"}[values.typecode], "shape": list(dim),
                        "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        for _, values in tensors.values():
            values.tofile(f)


def read_safetensors(path):
    """{name: (dim, array)}"""
    with open(path, "rb") as f:
        size, = struct.unpack("<Q", f.read(8))
        header = json.loads(f.read(size))
        base, tensors = 8 + size, {}
        for name, entry in header.items():
            if name == "__metadata__":
                continue
            values = array.array({"F32": "f", "F64": "d", "I32": "i", "I64": "q", "U32": "I", "U8": "B"}[entry["dtype"]])
            first, last = entry["data_offsets"]
            f.seek(base + first)
            values.frombytes(f.read(last - first))
            tensors[name] = (entry["shape"], values)
        return tensors
