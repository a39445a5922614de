#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Weights of PyTorch in, and out again: check.py NNC [--full | --record]

A file with torchvision's names and PyTorch's order of elements is read by `--init-map torchvision`: the logits must be PyTorch's
within 1e-3, and `export --names torchvision` must give the file's tensors back, bit for bit.

Without an option: small networks whose weights come from witness/formula.py; PyTorch's logits are in logits.json, and plain Python is
enough. --record writes logits.json anew, and --full takes torchvision's own ResNet-18, ResNet-50, VGG-16 and AlexNet at 224x224, whose
`load_state_dict(strict=True)` must take what was exported: both need python3-torch and python3-torchvision (Debian 12: 1.13.1, 0.14.1).
"""
import array
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
sys.path.insert(0, os.path.join(HERE, "..", "witness"))
import formula
from verdict import ROOT, Verdict, build, run

BATCH, CLASSES, TOLERANCE = 2, 10, 1e-3
# name: model, options of nnc, size of an image; at 96x96 AlexNet flattens an image of 2x2 pixels
SMALL = {"resnet18": ("resnet18", ["width=8", "size=32"], 32), "resnet50": ("resnet50", ["width=4", "size=32"], 32),
         "alexnet": ("alexnet", ["narrow=8", "one_tower=true", "size=96"], 96)}
FULL = {"resnet18": ("resnet18", [], 224), "resnet50": ("resnet50", [], 224), "vgg16": ("vgg16", [], 224),
        "alexnet": ("alexnet", ["one_tower=true", "size=224"], 224)}


def conv(name, out, size, channels, bias=False):
    return [(name + ".weight", [out, channels, size, size])] + ([(name + ".bias", [out])] if bias else [])


def norm(name, channels):
    return [(f"{name}.{role}", [channels]) for role in ("weight", "bias", "running_mean", "running_var")]


def dense(name, out, features):
    return [(name + ".weight", [out, features]), (name + ".bias", [out])]


def residual(convs, blocks, width):
    """Names and shapes as torchvision has them."""
    tensors, channels = conv("conv1", width, 7, 3) + norm("bn1", width), width
    for stage, count in enumerate(blocks, 1):
        inner = width * 2 ** (stage - 1)
        out = inner * (4 if convs == 3 else 1)
        for i in range(count):
            at = f"layer{stage}.{i}"
            sizes = [(inner, 1), (inner, 3), (out, 1)] if convs == 3 else [(inner, 3), (out, 3)]
            last = channels
            for k, (filters, size) in enumerate(sizes, 1):
                tensors += conv(f"{at}.conv{k}", filters, size, last) + norm(f"{at}.bn{k}", filters)
                last = filters
            if i == 0 and (stage > 1 or convs == 3):
                tensors += conv(f"{at}.downsample.0", out, 1, channels) + norm(f"{at}.downsample.1", out)
            channels = out
    return tensors + dense("fc", CLASSES, channels)


def alexnet(narrow):
    filters = [n // narrow for n in (64, 192, 384, 256, 256)]
    tensors, channels = [], 3
    for number, size, out in zip((0, 3, 6, 8, 10), (11, 5, 3, 3, 3), filters):
        tensors += conv(f"features.{number}", out, size, channels, bias=True)
        channels = out
    units = 4096 // narrow
    return (tensors + dense("classifier.1", units, 4 * channels) + dense("classifier.4", units, units) +
            dense("classifier.6", CLASSES, units))


def small_tensors(name):
    shapes = {"resnet18": lambda: residual(2, [2, 2, 2, 2], 8), "resnet50": lambda: residual(3, [3, 4, 6, 3], 4),
              "alexnet": lambda: alexnet(8)}[name]()
    tensors = {}
    for tensor, dim in shapes:
        values = formula.parameter(tensor, dim)
        if tensor.endswith("running_var"):
            values = array.array("f", [1 + v for v in values])
        tensors[tensor] = (dim, values)
    return tensors


# ---- with PyTorch

def torch_model(name, full):
    import torch
    from torch import nn
    from torchvision import models
    if full:
        torch.manual_seed(1)
        net = getattr(models, name)(weights=None)
        for key, value in net.state_dict().items():
            if key.endswith("running_mean"):
                value.uniform_(-0.2, 0.2)
            elif key.endswith("running_var"):
                value.uniform_(0.8, 1.2)
        return net.eval()
    if name != "alexnet":
        block = models.resnet.Bottleneck if name == "resnet50" else models.resnet.BasicBlock
        net = models.ResNet(block, [3, 4, 6, 3] if name == "resnet50" else [2, 2, 2, 2], num_classes=CLASSES)
        small = residual_modules(nn, net, 4 if name == "resnet50" else 8)
    else:
        small = alexnet_module(nn, 8)
    small.load_state_dict({key: torch.tensor(list(values), dtype=torch.float32).reshape(dim)
                           for key, (dim, values) in small_tensors(name).items()}, strict=True)
    return small.double().eval()


def residual_modules(nn, net, width):
    """torchvision's network, 64/width times as narrow."""
    def narrower(module):
        for key, m in module.named_children():
            by = 64 // width
            if isinstance(m, nn.Conv2d):
                channels = m.in_channels if m.in_channels == 3 else m.in_channels // by
                setattr(module, key, nn.Conv2d(channels, m.out_channels // by, m.kernel_size, m.stride, m.padding, bias=False))
            elif isinstance(m, nn.BatchNorm2d):
                setattr(module, key, nn.BatchNorm2d(m.num_features // by))
            elif isinstance(m, nn.Linear):
                setattr(module, key, nn.Linear(m.in_features // by, m.out_features))
            else:
                narrower(m)
    narrower(net)
    return net


def alexnet_module(nn, narrow):
    """torchvision's AlexNet without its adaptive pool, which at 224x224 leaves the image as it is."""
    a, b, c, d, e = (n // narrow for n in (64, 192, 384, 256, 256))
    units = 4096 // narrow

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.features = nn.Sequential(nn.Conv2d(3, a, 11, 4, 2), nn.ReLU(), nn.MaxPool2d(3, 2), nn.Conv2d(a, b, 5, padding=2),
                                          nn.ReLU(), nn.MaxPool2d(3, 2), nn.Conv2d(b, c, 3, padding=1), nn.ReLU(),
                                          nn.Conv2d(c, d, 3, padding=1), nn.ReLU(), nn.Conv2d(d, e, 3, padding=1), nn.ReLU(),
                                          nn.MaxPool2d(3, 2))
            self.classifier = nn.Sequential(nn.Dropout(), nn.Linear(4 * e, units), nn.ReLU(), nn.Dropout(), nn.Linear(units, units),
                                            nn.ReLU(), nn.Linear(units, CLASSES))

        def forward(self, x):
            return self.classifier(self.features(x).flatten(1))
    return Net()


def torch_logits(net, images, size):
    import torch
    real = next(net.parameters()).dtype
    x = torch.tensor(list(images), dtype=real).reshape(BATCH, size, size, 3).permute(0, 3, 1, 2) / 255
    mean, std = (torch.tensor(t, dtype=real).view(1, 3, 1, 1) for t in ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]))
    with torch.no_grad():
        return net((x - mean) / std).flatten().tolist()


def check_turned_round(v, nnc):
    """The weight of a transposed convolution, [in, height, width, out/groups] here, is ConvTranspose2d's [in, out/groups, height, width]."""
    source = v.path("turned_round.net")
    with open(source, "w") as f:
        f.write("model turned_round {\n    input x: f32[3, 3, 4]\n    target y: f32[7, 5, 6]\n"
                "    loss mse(x -> conv_transpose(6, (3, 1), stride = 2, groups = 2), y)\n}\ntrain turned_round { optimizer sgd() }\n")
    exe = build(v, nnc, source, "turned_round")
    if not exe:
        return
    done = run([exe, "--data", "synth:random,samples=64", "--steps", "1", "--checkpoint", v.path("round.st"), "--quiet"])
    found = []
    for layout in ("nnc", "torch"):
        path = v.path(f"round_{layout}.safetensors")
        done = run([exe, "export", "--checkpoint", v.path("round.st"), "--layout", layout, "--out", path, "--quiet"])
        if not v.check(f"a transposed convolution, exported as {layout}", done.returncode == 0, done.stderr):
            return
        found.append(formula.read_safetensors(path)["conv_transpose.weight"])
    (shape, ours), (dim, theirs) = found
    channels, height, width, out = shape
    turned = [ours[((i * height + r) * width + s) * out + o]
              for i in range(channels) for o in range(out) for r in range(height) for s in range(width)]
    v.check("a transposed convolution: PyTorch's order", dim == [channels, out, height, width] and list(theirs) == turned, (shape, dim))


# ---- nnc's side

def read_logits(path):
    with open(path, "rb") as f:
        content = f.read()
    at = 10 + int.from_bytes(content[8:10], "little")
    values = array.array("f")
    values.frombytes(content[at:])
    return list(values)


def check(v, nnc, name, row, tensors, wanted, full):
    model, options, size = row
    classes = [] if full else ["-D", f"classes={CLASSES}"]
    exe = build(v, nnc, os.path.join(ROOT, "models", model + ".net"), "torch_" + name, *classes,
                *[word for o in options for word in ("-D", o)], "--set", "precision=fp32", "--set", f"batch={BATCH}")
    if not exe:
        return None
    weights, images, out, back = (v.path(f"{name}.{end}") for end in ("st", "images.npy", "npy", "back.st"))
    formula.write_safetensors(weights, tensors)
    formula.write_npy(images, formula.inputs("image", [BATCH, size, size, 3], "u8"), [BATCH, size, size, 3])
    done = run([exe, "predict", "--init", weights, "--init-map", "torchvision", "--data", images, "--out", out, "--quiet"])
    if not v.check(f"{name}: predicts with torchvision's weights", done.returncode == 0, done.stderr):
        return None
    got, largest = read_logits(out), max(map(abs, wanted))
    error = max(abs(a - b) for a, b in zip(got, wanted))
    v.check(f"{name}: PyTorch's logits", len(got) == len(wanted) and error <= TOLERANCE, f"off by {error} of {largest}")
    done = run([exe, "export", "--init", weights, "--init-map", "torchvision", "--names", "torchvision", "--out", back, "--quiet"])
    if not v.check(f"{name}: exports", done.returncode == 0, done.stderr):
        return None
    exported = formula.read_safetensors(back)
    v.check(f"{name}: the same names", exported.keys() == tensors.keys(), sorted(exported.keys() ^ tensors.keys())[:4])
    v.check(f"{name}: the same shapes and bits", all(list(dim) == list(tensors[key][0]) and values == tensors[key][1]
                                                      for key, (dim, values) in exported.items() if key in tensors))
    print(f"{name}: the largest difference of a logit is {error:.2g}, of {largest:.3g}")
    return exe, weights, exported


def tables(v, exe, weights):
    """The same by a table of names, and what is said where a table or a network does not fit."""
    table = v.path("table")
    layers = ["features.0", "features.3", "features.6", "features.8", "features.10"]
    lines = [f"conv{'_%d' % i if i > 1 else ''} {name}" for i, name in enumerate(layers, 1)]
    lines += ["hidden.dense.* classifier.1.*  # a prefix", "hidden_2.dense classifier.4", "dense.weight classifier.6.weight", "dense.bias classifier.6.bias"]

    def with_table(what, lines, status, says=""):
        with open(table, "w", encoding="utf-8") as f:
            f.write("\n".join(lines))
        done = run([exe, "export", "--init", weights, "--init-map", table, "--out", v.path(f"{what}.st"), "--quiet"])
        v.check(f"a table, {what}", done.returncode == status and says in done.stderr, f"{done.returncode}: {done.stderr}")
    with_table("whole", lines, 0)
    with_table("behind a mark of UTF-8", ["\ufeff" + lines[0], *lines[1:]], 0)
    with_table("two of one name", lines[:-1] + ["dense.bias classifier.6.weight"], 3, "`dense.weight` (line 8) and `dense.bias` (line 9) are both called")
    with_table("a line too much", lines + ["head head"], 3, "the model `alexnet` has nothing left that is called `head`")
    with_table("one name", lines + ["head"], 3, "line 10: two names are expected")
    with_table("a star", ["conv* features.0"], 3, "both names end in `*`, or none")
    with_table("another order", ["layout nnc"] + lines, 3, "the shape [8, 3, 11, 11], the model wants [8, 11, 11, 3]")
    with_table("a name less", lines[1:], 3, "lacks 2 of the tensors of `alexnet`: `conv.weight`, `conv.bias`")
    done = run([exe, "export", "--init", v.path("whole.st"), "--layout", "torch", "--out", v.path("turned.st"), "--quiet"])
    v.check("the model's names in PyTorch's order", done.returncode == 0, done.stderr)
    done = run([exe, "export", "--init", v.path("turned.st"), "--out", v.path("again.st"), "--quiet"])
    v.check("and back, by what the file says of itself", done.returncode == 0 and
            formula.read_safetensors(v.path("again.st")) == formula.read_safetensors(v.path("whole.st")), done.stderr)
    v.check("which is another order", formula.read_safetensors(v.path("turned.st"))["hidden.dense.weight"] !=
            formula.read_safetensors(v.path("whole.st"))["hidden.dense.weight"])
    done = run([exe, "export", "--init", weights, "--init-map", "torchvision", "--init-skip", "classifier.6.*", "--out", v.path("skipped.st"), "--quiet"])
    v.check("a head left out by its name there", done.returncode == 0, done.stderr)
    done = run([exe, "export", "--init", weights, "--out", weights])
    v.check("a file that is there stays", done.returncode == 2 and "name one file" in done.stderr, done.stderr)


def record():
    logits = {}
    for name, (_, _, size) in SMALL.items():
        images = formula.inputs("image", [BATCH, size, size, 3], "u8")
        logits[name] = torch_logits(torch_model(name, False), images, size)
    with open(os.path.join(HERE, "logits.json"), "w") as f:
        json.dump(logits, f, indent=1)


def full(v, nnc):
    import torch
    for name, row in FULL.items():
        net = torch_model(name, True)
        state = {key: value for key, value in net.state_dict().items() if not key.endswith("num_batches_tracked")}
        tensors = {key: (list(value.shape), array.array("f", value.numpy().tobytes())) for key, value in state.items()}
        images = formula.inputs("image", [BATCH, row[2], row[2], 3], "u8")
        done = check(v, nnc, name, row, tensors, torch_logits(net, images, row[2]), True)
        if not done:
            continue
        exported = {key: torch.frombuffer(values, dtype=torch.float32).reshape(dim) for key, (dim, values) in done[2].items()}
        net.load_state_dict(exported, strict=True)
        v.check(f"{name}: load_state_dict takes it, and nothing changes",
                all(torch.equal(value, state[key]) for key, value in net.state_dict().items() if key in state))


def main():
    if "--record" in sys.argv:
        return record()
    v = Verdict("torch")
    nnc = os.path.abspath(sys.argv[1])
    if "--full" in sys.argv:
        full(v, nnc)
    else:
        with open(os.path.join(HERE, "logits.json")) as f:
            logits = json.load(f)
        for name, row in SMALL.items():
            done = check(v, nnc, name, row, small_tensors(name), logits[name], False)
            if done and name == "alexnet":
                tables(v, *done[:2])
        check_turned_round(v, nnc)
    v.finish()


main()
