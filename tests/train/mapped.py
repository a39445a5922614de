#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Weights under another program's names, without that program: mapped.py NNC

What `export --names` writes has the names and the order of elements that it says, and `--init-map` reads it back to the same bits, of tables and
of torchvision's families. (tests/torch/check.py compares with torchvision itself, where it is.) A table that fits nothing, or twice, is refused.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
sys.path.insert(0, os.path.join(HERE, "..", "witness"))
from formula import read_safetensors
from verdict import Verdict, build, run

DATA_STATUS = 3  # of runtime/README.md
nnc = os.path.abspath(sys.argv[1])
v = Verdict("mapped")
NET = """block part(x, width, norm) {
    x = x -> conv(width, 3, pad = same, bias = false)
    return if norm then x -> batchnorm -> relu else x -> relu
}

model tower(layers = 2, norm = true, dense = 1) {
    input  image: u8[6, 6, 3]
    target label: class[4]
    x = image -> scale(1/255)
    repeat layers {
        x = x -> part(5, norm)
    }
    x = x -> flatten
    repeat dense - 1 {
        x = x -> dense(7)
    }
    loss cross_entropy(x -> dense(4), label)
}

train tower {
    data  "synth:images"
    batch 4
    steps 2
}
"""


def put(name, text):
    with open(v.path(name), "w", encoding="utf-8") as f:
        f.write(text)
    return v.path(name)


def trained(name, *options):
    exe = build(v, nnc, v.path("tower.net"), name, *options)
    done = run([exe, "--data", "synth:images,samples=16", "--no-eval", "--checkpoint", v.path(name + ".st")]) if exe else None
    return exe if done and v.check(f"{name} trains", done.returncode == 0, done.stderr) else None


def exported(exe, name, *options):
    out = v.path(name)
    done = run([exe, "export", "--checkpoint", exe + ".st", "--out", out, *options])
    return read_safetensors(out) if v.check(f"export {name}", done.returncode == 0, done.stderr) else {}


def comes_back(exe, file, *options):
    """Read by --init and written under the model's own names it is what the checkpoint's export is."""
    again = v.path("again.safetensors")
    done = run([exe, "export", "--init", v.path(file), *options, "--out", again])
    if v.check(f"{file} is read back", done.returncode == 0, done.stderr):
        v.check(f"{file}: the same bits", read_safetensors(again) == read_safetensors(exe + ".own"))
        os.remove(again)


def by_a_table(exe):
    own = exported(exe, "own.safetensors")
    os.rename(v.path("own.safetensors"), exe + ".own")
    table = put("table.txt", "\ufeff# ours    theirs\npart.conv.weight first.kernel   # of a tensor\npart.batchnorm  bn_a\n\npart_2*   second*\ndense.bias out.b\n")
    theirs = exported(exe, "table.safetensors", "--names", table)
    names = {"part.conv.weight": "first.kernel", "part.batchnorm.weight": "bn_a.weight", "part.batchnorm.running_var": "bn_a.running_var",
             "part_2.conv.weight": "second.conv.weight", "part_2.batchnorm.bias": "second.batchnorm.bias", "dense.bias": "out.b", "dense.weight": "dense.weight"}
    v.check("each line names what it fits, and what none fits keeps its name", all(own.keys() >= {a} and theirs.keys() >= {b} for a, b in names.items()) and
            len(own) == len(theirs), f"{sorted(own)} {sorted(theirs)}")
    (out, h, w, channels), ours = own["part.conv.weight"]
    shape, turned = theirs["first.kernel"]
    v.check("filters are [out, in, height, width] there", shape == [out, channels, h, w] and all(
        turned[((o * channels + c) * h + y) * w + x] == ours[((o * h + y) * w + x) * channels + c]
        for o in range(out) for c in range(channels) for y in range(h) for x in range(w)))
    columns, ours, turned = 5 * 36, own["dense.weight"][1], theirs["dense.weight"][1]
    v.check("a dense layer behind `flatten` has its inputs channel by channel there", all(
        turned[o * columns + c * 36 + place] == ours[o * columns + place * 5 + c] for o in range(4) for c in range(5) for place in range(36)))
    comes_back(exe, "table.safetensors", "--init-map", table)
    plain = put("plain.txt", "layout nnc\npart.conv first\n")
    theirs = exported(exe, "plain.safetensors", "--names", plain)
    v.check("`layout nnc`: the elements as they are", theirs.get("first.weight") == own["part.conv.weight"])
    comes_back(exe, "plain.safetensors", "--init-map", plain)
    put("layout.txt", "layout nnc\nlayout torch\n")
    v.check("the last layout counts", exported(exe, "torch.safetensors", "--names", v.path("layout.txt"))["part.conv.weight"][0] == [5, 3, 3, 3])


def refused(exe):
    for text, says in (("part.conv\n", "line 1: two names are expected, ours and theirs"), ("# none\na b c\n", "line 2: two names are expected"),
                       ("part* first\n", "line 1: both names end in `*`, or none"), ("part first*\n", "line 1: both names end in `*`, or none"),
                       ("\npart.dense x\n", "line 2: the model `tower` has nothing left that is called `part.dense`"),
                       ("part* x*\npart.conv y\n", "line 2: the model `tower` has nothing left that is called `part.conv`"),
                       ("part.conv a\npart_2.conv a\n", "`part.conv.weight` (line 1) and `part_2.conv.weight` (line 2) are both called `a.weight`"),
                       ("part.conv dense\n", "`dense.weight` (no line) and `part.conv.weight` (line 1) are both called `dense.weight`"),
                       ("part\0.conv a\n", "is no table of names: it is no text")):
        done = run([exe, "export", "--checkpoint", exe + ".st", "--out", v.path("refused.safetensors"), "--names", put("refused.txt", text)])
        v.check(f"a table of {text!r}", done.returncode == DATA_STATUS and says in done.stderr and not os.path.exists(v.path("refused.safetensors")), done.stderr)
    for words, says in ((["--names", v.path("nowhere.txt")], "can't read the table of names"),
                        (["--names", "torchvision"], "with its 2 convolutions and 2 normalisations")):
        done = run([exe, "export", "--checkpoint", exe + ".st", "--out", v.path("refused.safetensors"), *words])
        v.check(f"export {words}", done.returncode == DATA_STATUS and says in done.stderr, done.stderr)


def as_torchvision():
    """Networks with as many layers of each kind as one of the families has, however small."""
    for name, options, there in (
            ("resnet18", ("-D", "layers=20"), ("conv1.weight", "bn1.running_mean", "layer1.0.conv2.weight", "layer2.0.downsample.0.weight",
                                               "layer2.0.downsample.1.bias", "layer4.1.bn2.running_var", "fc.bias")),
            ("resnet50", ("-D", "layers=53"), ("layer1.0.downsample.0.weight", "layer1.2.conv3.weight", "layer3.5.bn3.weight", "layer4.2.conv3.weight", "fc.weight")),
            ("vgg16", ("-D", "layers=13", "-D", "norm=false", "-D", "dense=3"), ("features.0.weight", "features.5.weight", "features.28.weight",
                                                                              "classifier.0.weight", "classifier.3.bias", "classifier.6.weight")),
            ("alexnet", ("-D", "layers=5", "-D", "norm=false", "-D", "dense=4"), ("features.0.weight", "features.3.weight", "features.10.weight",
                                                                               "classifier.1.weight", "classifier.6.bias", "dense_4.weight"))):
        exe = trained(name, *options)
        if not exe:
            continue
        own = exported(exe, "own.safetensors")
        os.rename(v.path("own.safetensors"), exe + ".own")
        theirs = exported(exe, f"{name}.safetensors", "--names", "torchvision")
        v.check(f"{name}: torchvision's names", set(there) <= set(theirs) and len(theirs) == len(own), sorted(theirs))
        comes_back(exe, f"{name}.safetensors", "--init-map", "torchvision")


put("tower.net", NET)
tower = trained("tower")
if tower:
    by_a_table(tower)
    refused(tower)
as_torchvision()
v.finish()
