#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Arrays as NumPy writes them: arrays.py NNC

Every type, order of bytes and order of dimensions gives the predictions of the plain file; so do the archives of numpy.savez and
savez_compressed, and those of other programs. What is damaged is refused, wherever it is.
"""
import itertools
import os
import random
import struct
import sys
import zipfile

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import Verdict, build, run

nnc = os.path.abspath(sys.argv[1])
v = Verdict("arrays")
NET = """model arrays {
    input  x: f32[3, 4, 2]
    input  pick: i32[2]
    target kind: class[3]
    scores = concat(x -> flatten, pick -> embedding(120, 2) -> flatten) -> dense(3)
    loss   cross_entropy(scores, kind)
    metric accuracy(scores, kind)
    output scores
}
train arrays {
    optimizer sgd(rate = 0.1)
    batch     5
    epochs    2
}
"""
COUNT = 37
chance = np.random.default_rng(3)
X = chance.integers(-100, 100, (COUNT, 3, 4, 2))
PICK = chance.integers(0, 120, (COUNT, 2))
KIND = chance.integers(0, 3, COUNT)


def save(name, array):
    np.save(v.path(name), array)
    return v.path(name if name.endswith(".npy") else name + ".npy")


def predicted(exe, what, *data):
    out = v.path("out.npy")
    if os.path.exists(out):
        os.remove(out)
    done = run([exe, "predict", "--checkpoint", v.path("kept.st"), "--data", *data, "--out", out])
    return np.load(out) if v.check(f"{what}: predicts", done.returncode == 0, done.stderr) else None


def check_kinds(exe, wanted):
    x, pick = save("x", X.astype("<f4")), save("pick", PICK.astype("<i4"))
    seen = 0
    for name, values, kinds in (("x", X, ("f2", "f4", "f8", "i1", "i2", "i4", "i8")), ("pick", PICK, ("u1", "u2", "u4", "u8", "i1", "i2", "i8"))):
        for kind, bytes_order, dimensions in itertools.product(kinds, "<>", "CF"):
            what = f"{bytes_order}{kind} {dimensions}"
            other = save("other", np.array(values, dtype=bytes_order + kind, order=dimensions))
            got = predicted(exe, what, f"x={other},pick={pick}" if name == "x" else f"x={x},pick={other}")
            seen += v.check(f"{name} as {what} predicts the same", got is not None and (got == wanted).all())
    v.check("all of them", seen == 4 * 14, seen)
    odd = np.array([0.0, -0.0, 1 / 3, 65504, -65504, 6e-8, 6.1e-5, 2 ** -24, -1.5], dtype="f2")
    halves = np.resize(odd, X.shape)
    for order in "<>":
        a = predicted(exe, "halves", f"x={save('other', halves.astype(order + 'f2'))},pick={pick}")
        b = predicted(exe, "their floats", f"x={save('other', halves.astype('<f4'))},pick={pick}")
        v.check(f"numbers of 16 bits, {order}, are those of 32", a is not None and (a == b).all())
    bools = predicted(exe, "booleans", f"x={save('other', np.asfortranarray(X > 0))},pick={pick}")
    v.check("booleans in Fortran order", bools is not None and (bools == predicted(exe, "and as numbers", f"x={save('other', (X > 0).astype('u1'))},pick={pick}")).all())


def check_archives(exe, wanted):
    arrays = {"x": X.astype("f4"), "pick": PICK.astype("i4"), "kind": KIND}
    np.savez(v.path("plain.npz"), **arrays)
    np.savez_compressed(v.path("packed.npz"), **arrays, extra=np.zeros(9))
    with zipfile.ZipFile(v.path("mixed.npz"), "w") as z:
        z.comment = b"PK\5\6 is no end" * 9
        for name, array in (("x", np.asfortranarray(X.astype(">f8"))), ("pick", PICK.astype(">u2"))):
            save(name + "_member", array)
            z.write(v.path(name + "_member.npy"), name + ".npy", zipfile.ZIP_DEFLATED if name == "x" else zipfile.ZIP_STORED)
    for name in ("plain.npz", "packed.npz", "mixed.npz"):
        got = predicted(exe, name, v.path(name))
        v.check(f"{name} predicts the same", got is not None and (got == wanted).all())
    part = lambda cut, form: {form % name: array[cut] for name, array in arrays.items()}
    for what, form in (("folders", "%s_"), ("Keras", "_%s")):
        train, test = ((f"{form % 'train'}%s", f"{form % 'test'}%s") if what == "folders" else ("%s_train", "%s_test"))
        path = v.path(what + ".npz")
        np.savez(path, **part(slice(0, 25), train), **part(slice(25, COUNT), test))
        got = predicted(exe, what, path)
        v.check(f"named as {what} name them: the test part", got is not None and (got == wanted[25:]).all())
        done = run([exe, "--data", path])
        v.check(f"named as {what} name them: trains", done.returncode == 0 and "25 training samples, 12 held out" in done.stderr, done.stderr)
    done = run([exe, "--data", v.path("packed.npz"), "--holdout", "stratified"])
    v.check("an archive is divided", done.returncode == 0, done.stderr)


def refused(exe, what, words, content, status=3):
    with open(v.path("bad.npz"), "wb") as f:
        f.write(content)
    done = run([exe, "predict", "--checkpoint", v.path("kept.st"), "--data", v.path("bad.npz"), "--out", v.path("bad_out.npy")])
    v.check(f"{what} is told", done.returncode == status and words in done.stderr and not os.path.exists(v.path("bad_out.npy")), f"{done.returncode} {done.stderr}")


def check_damaged(exe, wanted):
    for name in ("plain.npz", "packed.npz"):
        with open(v.path(name), "rb") as f:
            good = f.read()
        refused(exe, f"{name} cut short", "is no zip archive", good[:-30])
        at = good.index(b"\x93NUMPY") + 200 if name == "plain.npz" else good.index(b"x.npy") + 60
        refused(exe, f"{name} with another byte", "in it is damaged", good[:at] + bytes([good[at] ^ 1]) + good[at + 1:])
        entry = good.index(b"PK\1\2")
        for what, place, form, value, words in (
                ("a size that is not there", 20, "<II", (0x7fffffff, 0x7fffffff), "damaged"), ("more than 4 GiB", 20, "<II", (0xffffffff, 0xffffffff), "more than 4 GiB"),
                ("a place that is not there", 42, "<I", (0x7ffffff0,), "damaged"), ("another method", 10, "<H", (12,), "is packed by method 12"),
                ("a password", 8, "<H", (1,), "is encrypted"), ("a name beyond the directory", 28, "<H", (0xfff0,), "its directory is damaged")):
            changed = bytearray(good)
            struct.pack_into(form, changed, entry + place, *value)
            refused(exe, f"{name}: {what}", words, bytes(changed), 3)
    chance = random.Random(1)
    with open(v.path("packed.npz"), "rb") as f:
        good = f.read()
    for i in range(60):  # a member that nobody reads may be changed: then the predictions are the same
        changed = bytearray(good)
        changed[chance.randrange(len(good))] ^= 1 << chance.randrange(8)
        out = v.path("changed.npy")
        if os.path.exists(out):
            os.remove(out)
        with open(v.path("changed.npz"), "wb") as f:
            f.write(changed)
        done = run([exe, "predict", "--checkpoint", v.path("kept.st"), "--data", v.path("changed.npz"), "--out", out])
        v.check("a changed bit is told or means nothing", done.returncode == 3 or (done.returncode == 0 and (np.load(out) == wanted).all()), f"{done.returncode} {done.stderr}")
    np.savez(v.path("names.npz"), a=X, b=PICK)
    with open(v.path("names.npz"), "rb") as f:
        refused(exe, "an archive of other names", "in it is `a.npy`, `b.npy`", f.read())
    np.savez(v.path("short.npz"), x=X.astype("f4"), pick=PICK[:9])
    with open(v.path("short.npz"), "rb") as f:
        refused(exe, "arrays of different lengths", "short.npz".replace("short", "bad") + ": x.npy` has 37 samples, but", f.read())


with open(v.path("arrays.net"), "w") as f:
    f.write(NET)
exe = build(v, nnc, v.path("arrays.net"), "arrays")
if exe:
    data = f"x={save('x', X.astype('<f4'))},pick={save('pick', PICK.astype('<i4'))},kind={save('kind', KIND.astype('<i4'))}"
    done = run([exe, "--data", data, "--checkpoint", v.path("kept.st")])
    v.check("trains", done.returncode == 0, done.stderr)
    wanted = predicted(exe, "the plain files", f"x={v.path('x.npy')},pick={v.path('pick.npy')}")
    if wanted is not None:
        check_kinds(exe, wanted)
        check_archives(exe, wanted)
        check_damaged(exe, wanted)
v.finish()
