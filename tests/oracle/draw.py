# SPDX-License-Identifier: MIT
"""Draws a network by a seed and writes it twice, as a `.net` file and as PyTorch code (which calls peers.py), with its data and weights.

The two texts are written line by line beside one another; nothing of nnc is asked. `kinds` says what a network has in it, and what is
left out by name (check.py --without) is not drawn.
"""
import array
import math
import random

KINDS = ["images", "volumes", "sequences", "tokens", "scans", "attention", "pointwise", "towers"]
EPSILON = 1e-5


class Value:
    """A tensor: its name on both sides and the shape of a sample, or of all of it where it has no batch."""

    def __init__(self, name, shape, batched=True):
        self.name, self.shape, self.batched = name, tuple(shape), batched

    @property
    def channels(self):
        return self.shape[-1]

    @property
    def size(self):
        return math.prod(self.shape)

    def at(self, rank):
        """The PyTorch expression of it as an operand of a result of `rank` dimensions."""
        return f"up({self.name}, {rank})" if self.batched and len(self.shape) < rank else self.name


class Drawn:
    def __init__(self, seed, without=()):
        self.seed, self.without, self.r = seed, set(without), random.Random(f"nnc oracle {seed}")
        self.inputs, self.weights, self.averages, self.kinds = {}, {}, [], set()
        self.net, self.code, self.blocks, self.outputs, self.metrics, self.uses = [], [], [], [], [], set()
        self.counts = {}
        self.kind = KINDS[seed % len(KINDS)]
        self.kinds.add(self.kind)
        self.recipe()
        self.loss = None

    # --- choices -------------------------------------------------------------------------------------------------------

    def has(self, kind, share):
        """Whether this network has something of a kind, in a share of the networks and unless it is left out."""
        drawn = self.r.random() < share and kind not in self.without
        if drawn:
            self.kinds.add(kind)
        return drawn

    def pick(self, *of):
        return self.r.choice(of)

    def extent(self, most=8):
        return self.r.choice([n for n in (1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 11, 16) if n <= most])

    def recipe(self):
        self.way = self.pick(*["plain"] * 6, "accumulate", "chunk", "ranks")
        if self.way in self.without:
            self.way = "plain"
        self.kinds.add(self.way)
        self.parts = 1 if self.way == "plain" else 2
        self.compiled_batch = self.pick(2, 3, 4, 5, 7)
        self.batch = self.compiled_batch * self.parts
        self.steps = 3
        self.held_out = self.compiled_batch + self.r.randrange(1, self.compiled_batch)
        self.keeps = self.r.random() < 0.7  # each gradient as an output, which changes what is fused
        self.single = self.has("single precision", 0.25)
        self.library = self.pick("onednn", "none", None) if self.single else "none"
        if self.way == "ranks" and self.library != "none":
            self.keeps &= "gradients of ranks" not in self.without
        rate, momentum = self.pick(1 / 64, 1 / 16), self.pick(0.5, 0.9)
        decay = self.pick(0, 0, 0.01)
        self.rate = rate
        small = self.pick(1e-3, 1e-2)
        self.optimizer = self.pick(
            ("sgd", {}), ("sgd", {"momentum": momentum}), ("sgd", {"momentum": momentum, "nesterov": True, "weight_decay": decay}),
            ("sgd", {"momentum": momentum, "dampening": 0.25}), ("adam", {"betas": (0.8, 0.9), "eps": small, "weight_decay": decay}),
            ("adamw", {"betas": (0.9, 0.95), "eps": small, "weight_decay": 0.02}), ("rmsprop", {"alpha": 0.9, "eps": small}),
            ("rmsprop", {"alpha": 0.9, "eps": small, "momentum": momentum, "centered": True}),
            ("adagrad", {"eps": small, "lr_decay": 0.25}), ("adadelta", {"rho": 0.8, "eps": small}))
        self.clip = self.pick(None, None, None, 0.0625, 1.0)
        self.group_rate = 0.5
        self.slow, self.frozen = set(), set()

    def slower(self, name):
        return name in self.slow

    # --- what both sides have ----------------------------------------------------------------------------------------------

    def fresh(self, letter="v"):
        self.counts[letter] = self.counts.get(letter, 0) + 1
        return f"{letter}{self.counts[letter]}"

    def line(self, shape, net, code, batched=True):
        name = self.fresh()
        self.net.append(f"{name} = {net}")
        self.code.append(f"{name} = {code}")
        return Value(name, shape, batched)

    def input(self, shape, kind="f32", filler="normal", classes=0, target=False):
        name = self.fresh("t" if target else "x")
        self.inputs[name] = (tuple(shape), kind, filler, classes, target)
        self.code.append(f"{name} = D['{name}']")
        return Value(name, shape)

    def weight(self, name, dim, kind="weight"):
        self.weights[name] = (tuple(dim), kind)

    def param(self, dim, kind="weight"):
        name = self.fresh("p")
        self.net.append(f"param {name}: f32[{', '.join(map(str, dim))}]")
        self.code.append(f"{name} = P['{name}']")
        self.weight(name, dim, kind)
        return Value(name, dim, batched=False)

    def norm_weights(self, name, channels):
        self.weight(name + ".weight", [channels], "gain")
        self.weight(name + ".bias", [channels], "bias")

    # --- values of tensors: exact in single precision -----------------------------------------------------------------------

    def numbers(self, key, count, make):
        r = random.Random(f"nnc oracle {self.seed} {key}")
        return array.array("f", [make(r) for _ in range(count)])

    def parameters(self):
        """{name: (dim, kind, array)}"""
        makers = {"gain": lambda r: 1 + r.uniform(-0.3, 0.3), "bias": lambda r: r.uniform(-0.2, 0.2), "unit": lambda r: r.uniform(-1, 1)}
        result = {}
        for name, (dim, kind) in self.weights.items():
            bound = math.sqrt(3 / max(math.prod(dim[1:]), 1))
            make = makers.get(kind, lambda r, bound=bound: r.uniform(-bound, bound))
            result[name] = (dim, "real", self.numbers(name, math.prod(dim), make))
        return result

    def states(self):
        result = {}
        for name, channels in self.averages:
            result[name + ".running_mean"] = ((channels,), "real", self.numbers(name + " mean", channels, lambda r: r.uniform(-0.5, 0.5)))
            result[name + ".running_var"] = ((channels,), "real", self.numbers(name + " var", channels, lambda r: r.uniform(0.5, 2)))
        return result

    def sample(self, name, k):
        shape, _, filler, classes, _ = self.inputs[name]
        r = random.Random(f"nnc oracle {self.seed} {name} {k}")
        count = math.prod(shape)
        if filler == "class":
            return [r.randrange(classes) for _ in range(count)]
        if filler == "byte":
            return [r.randrange(256) for _ in range(count)]
        if filler in ("mask", "first"):  # "first": the first key is seen
            if filler == "mask" and "hidden rows" in self.kinds:
                return [int(k % 2 and r.random() < 0.6) for _ in range(count)]
            return [int(j % shape[-1] == 0 or r.random() < 0.6) for j in range(count)]
        if filler == "sign":
            return [r.choice((-1.0, 1.0)) for _ in range(count)]
        if filler == "share":
            return [r.random() for _ in range(count)]
        if filler == "shares":  # rows of probabilities, with zeros
            values = []
            for _ in range(count // shape[-1]):
                row = [r.choice((0, 1, 2, 3)) for _ in range(shape[-1])]
                row[r.randrange(shape[-1])] += 1
                values += [v / sum(row) for v in row]
            return values
        if filler == "ties":
            return [r.randrange(-3, 4) / 2 for _ in range(count)]
        if filler == "far":
            return [self.far + r.gauss(0, 1) for _ in range(count)]
        if filler == "zeros":
            return [0.0] * count
        return [r.gauss(0, 1) for _ in range(count)]

    def data(self, begin, count):
        """{name: (dim, kind, array)} of samples `begin` on."""
        codes = {"f32": "f", "u8": "B", "i32": "i", "class": "i"}
        result = {}
        for name, (shape, kind, filler, _, _) in self.inputs.items():
            values = array.array(codes[kind])
            for k in range(begin, begin + count):
                values.extend(self.sample(name, k))
            index = filler == "class"
            result[name] = ((count, *shape), "index" if index else "real", values)
        return result

    # --- texts -----------------------------------------------------------------------------------------------------------

    def net_text(self):
        lines = [f"use <{name}>" for name in sorted(self.uses)] + self.blocks
        lines.append("model drawn {")
        for name, (shape, kind, _, classes, target) in self.inputs.items():
            word = "target" if target else "input "
            dims = ", ".join(map(str, shape))
            if kind == "class":
                text = f"class[{classes}]" + (f"[{dims}]" if shape else "")
            else:
                text = f"{kind}[{dims}]"
            lines.append(f"    {word} {name}: {text}")
        lines += ["    " + line for line in self.net]
        lines.append(f"    loss {self.loss[0]}")
        lines += [f"    metric {text}" for text, _ in self.metrics]
        lines += [f"    output {name}" for name in self.outputs]
        lines += ["}", "train drawn {"]
        name, given = self.optimizer
        words = {"weight_decay": "decay", "eps": "epsilon", "lr_decay": "rate_decay"}
        arguments = [f"rate = {self.rate}"]
        for key, value in given.items():
            if key == "betas":
                arguments += [f"beta1 = {value[0]}", f"beta2 = {value[1]}"]
            else:
                arguments.append(f"{words.get(key, key)} = {str(value).lower() if isinstance(value, bool) else repr(value)}")
        lines += [f"    optimizer {name}({', '.join(arguments)})", "    decay all", f"    steps {self.steps}"]
        lines.append(f"    precision {'fp32' if self.single else 'fp64'}")
        if self.way == "accumulate":
            lines += [f"    batch {self.compiled_batch}", f"    accumulate {self.parts}"]
        else:
            lines.append(f"    batch {self.batch}")
        if self.way == "chunk":
            lines.append(f"    chunk {self.compiled_batch}")
        if self.clip:
            lines.append(f"    clip {self.clip}")
        if self.frozen:
            lines.append("    freeze " + ", ".join(f'"{n}"' for n in sorted(self.frozen)))
        if self.slow:
            lines.append("    group " + ", ".join(f'"{n}"' for n in sorted(self.slow)) + f" rate {self.rate * self.group_rate}")
        return "\n".join(lines + ["}", ""])

    def torch_text(self):
        lines = ["def forward(P, S, D, training):"] + ["    " + line for line in self.code]
        outputs = ", ".join(f"'{name}': {name}" for name in self.outputs)
        metrics = ", ".join(f"'{text.partition('(')[0]}': {code}" for text, code in self.metrics)
        return "\n".join(lines + [f"    return {self.loss[1]}, {{{outputs}}}, {{{metrics}}}", ""])


def draw(seed, without=()):
    # They read this module.
    from families import FAMILIES  # pylint: disable=import-outside-toplevel
    from losses import finish  # pylint: disable=import-outside-toplevel
    drawn = Drawn(seed, without)
    finish(drawn, FAMILIES[drawn.kind](drawn))
    return drawn
