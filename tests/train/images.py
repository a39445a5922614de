#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What trainers of images begin with and see: initial weights that are computed from the data, and several views in evaluation.

    images.py NNC
"""
import array
import functools
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from shared import bytes_of, npy, read_npy, tensor_bytes, trains
from verdict import Verdict, build

nnc = os.path.abspath(sys.argv[1])
v = Verdict("train, images")
train = functools.partial(trains, v)


INITIAL = ["w.weight", "w.bias", "i.weight", "i.bias", "d.weight", "d.bias"]
WHITENED = """model whitened {
    input  x: u8[12, 10, 3]
    target t: class[4]
    y = x -> scale(1/255, -0.4) -> scale(2) -> conv(27, (2, 2), init = whiten, name = "w") -> conv(30, 3, init = identity, name = "i")
    loss cross_entropy(y -> flatten -> dense(4, init = identity, name = "d"), t)
}
train whitened {
    data      "synth:random"
    optimizer sgd(rate = 1e-30)
    freeze    "w.weight"
    steps     1
    batch     8
}
"""


def starts_from_the_data():
    """Bytes at random, 2*(x/255 - 0.4): all directions of a patch have the second moment 1/3 but that of the mean, 0.2: that has 12/25 more."""
    with open(v.path("whitened.net"), "w") as f:
        f.write(WHITENED)
    exe = build(v, nnc, v.path("whitened.net"), "train_whitened")
    if not exe:
        return
    train(exe, "whitened", "--checkpoint", v.path("whitened.st"), "--threads", "1")
    train(exe, "whitened by three threads", "--checkpoint", v.path("whitened_3.st"), "--threads", "3")
    # The one step moves no weight that is not 0, but adds gradients, whose sums oneDNN divides among the threads: promised is what training
    # begins with. Loops divide no sum, so with them all of the file is the same.
    begun = [{name: [x if abs(x) > 1e-20 else 0 for x in array.array("f", tensor_bytes(v.path(file), name))] for name in INITIAL}
             for file in ("whitened.st", "whitened_3.st")]
    v.check("whitened: training begins with the same by any number of threads", begun[0] == begun[1])
    loops = build(v, nnc, v.path("whitened.net"), "train_loops", "--library=none")
    if not loops:
        return
    for threads in ("1", "3"):
        train(loops, "by loops", "--checkpoint", v.path(f"loops_{threads}.st"), "--threads", threads)
    v.check("whitened: by loops the same bits by any number of threads", bytes_of(v.path("loops_1.st")) == bytes_of(v.path("loops_3.st")))

    def rows(name, count):
        x = array.array("f", tensor_bytes(v.path("whitened.st"), name))
        return [x[i*len(x)//count:(i + 1)*len(x)//count] for i in range(count)]
    w = rows("w.weight", 27)
    v.check("whitened: the second half are negatives", all(p == -q for i in range(12) for p, q in zip(w[i], w[12 + i])))
    lengths = [sum(e*e for e in row)**0.5 for row in w[:12]]
    v.check("whitened: as long as the data is narrow", abs(lengths[0] - (1/3 + 12/25)**-0.5) < 0.05 and
            all(abs(e - 3**0.5) < 0.2 for e in lengths[1:]) and lengths == sorted(lengths), lengths)
    off = max(abs(sum(p*q for p, q in zip(w[i], w[k])))/lengths[i]/lengths[k] for i in range(12) for k in range(i))
    v.check("whitened: at right angles", off < 1e-5, off)
    v.check("whitened: further filters are as ever", all(max(map(abs, row)) <= 12**-0.5 and len(set(row)) == 12 for row in w[24:]), w[24:])
    i = rows("i.weight", 30)
    v.check("identity: a channel passes", all(i[k][4*27 + k] == 1 and abs(sum(map(abs, i[k])) - 1) < 1e-20 for k in range(27)))
    v.check("identity: further filters are as ever", all(len(set(row)) > 100 for row in i[27:]))
    d = rows("d.weight", 4)
    v.check("identity: of a dense layer", all(d[k][k] == 1 and abs(sum(map(abs, d[k])) - 1) < 1e-20 for k in range(4)))


def whitens_the_same_images():
    """Whatever the batch is, of all 2,048 images. Their patches of 8x8 are so many that each image gives every other row, by turns."""
    weights = {}
    for batch in (8, 27):
        name = f"whitened_{batch}"
        with open(v.path(name + ".net"), "w") as f:
            f.write(WHITENED.replace('conv(27, (2, 2)', 'conv(8, 8').replace("conv(30, 3", "conv(30, 1").replace("batch     8", f"batch     {batch}"))
        exe = build(v, nnc, v.path(name + ".net"), "train_" + name)
        if not exe:
            return
        train(exe, name, "--checkpoint", v.path(name + ".st"), "--threads", "1")
        weights[batch] = tensor_bytes(v.path(name + ".st"), "w.weight")
    v.check("whitened: the same by any batch", weights[8] == weights[27])


VIEWS = """use <views>
block tower(x, units) {
    return x -> conv(3, 2) -> batchnorm -> relu -> flatten -> dense(units)
}
model views {
    input  x: u8[6, 7, 2]
    target t: class[4]
    y = x -> scale(1/255) -> LOGITS
    loss cross_entropy(y, t)
    metric accuracy(y, t)
    output y
}
train views {
    data      "synth:random"
    optimizer sgd(rate = 0.1)
    steps     20
    batch     16
}
"""


def sees_views():
    """In evaluation an image and its mirror image are the same to it; training goes as without views."""
    rows, columns = 6, 7
    images = [bytes((37*k + 11*i*i) % 251 for i in range(rows*columns*2)) for k in range(5)]
    turned = [b"".join(x[(r*columns + c)*2:(r*columns + c)*2 + 2] for r in range(rows) for c in reversed(range(columns))) for x in images]
    data = {"as it is": npy(v.path("images.npy"), "B", "|u1", "(5, 6, 7, 2)", b"".join(images)),
            "mirrored": npy(v.path("turned.npy"), "B", "|u1", "(5, 6, 7, 2)", b"".join(turned))}
    seen, trained = {}, {}
    for name, how in (("plain", 'tower(4, shared = "net")'), ("mirrored", "mirrored(tower, 4)"), ("six", "six_views(tower, 4)")):
        with open(v.path(name + ".net"), "w") as f:
            f.write(VIEWS.replace("LOGITS", how))
        exe = build(v, nnc, v.path(name + ".net"), "train_" + name)
        if not exe:
            return
        train(exe, name, "--checkpoint", v.path(name + ".st"), "--no-eval")
        whole = bytes_of(v.path(name + ".st"))
        trained[name] = whole[8 + struct.unpack("<Q", whole[:8])[0]:]
        for way, x in data.items():
            out = v.path(f"{name}_{way[:2]}.npy")
            train(exe, f"predicts with {name} views", "predict", "--data", x, "--checkpoint", v.path(name + ".st"), "--out", out)
            seen[name, way] = read_npy(out)[1].tolist()
    v.check("views: training is without them", trained["plain"] == trained["mirrored"] == trained["six"])

    def apart(a, b):
        return max(abs(p - q) for p, q in zip(seen[a], seen[b]))
    mean = [(p + q)/2 for p, q in zip(seen["plain", "as it is"], seen["plain", "mirrored"])]
    v.check("views: the mean of both", max(abs(p - q) for p, q in zip(mean, seen["mirrored", "as it is"])) < 1e-5, seen)
    v.check("views: the same mirrored", apart(("mirrored", "as it is"), ("mirrored", "mirrored")) < 1e-5, seen)
    v.check("views: six of them are others", apart(("six", "as it is"), ("mirrored", "as it is")) > 1e-3, seen)


starts_from_the_data()
whitens_the_same_images()
sees_views()
v.finish()
