# SPDX-License-Identifier: MIT
"""The losses of drawn networks, their metrics and outputs, and what of a recipe names parameters."""
from layers import BINARY, binary, dense, flatten


def class_loss(d, z, places):
    """z [places..., classes]"""
    classes, shape = z.channels, z.shape[:-1] if places else ()
    kind = d.pick("cross_entropy", "cross_entropy", "smoothing", "ignore", "weights", "focal", "shares")
    if kind == "shares":
        t = d.input(z.shape, "f32", "shares", target=True)
        return f"cross_entropy({z.name}, {t.name}, smoothing = 0.1)", f"cross_entropy({z.name}, {t.name}, 0.1)"
    t = d.input(shape, "class", "class", classes, target=True)
    given, also = {
        "cross_entropy": ("", ""), "smoothing": (", smoothing = 0.1", ", smoothing=0.1"), "ignore": (", ignore = 0", ", ignore=0"),
        "weights": (f", weights = tensor({[1 + k % 3 / 2 for k in range(classes)]})", f", weights={[1 + k % 3 / 2 for k in range(classes)]}"),
        "focal": (", gamma = 1.5", ", 1.5")}[kind]
    word = "focal" if kind == "focal" else "cross_entropy"
    if kind != "ignore" and d.pick(True, False):
        d.metrics.append((f"accuracy({z.name}, {t.name})", f"accuracy({z.name}, {t.name})"))
    return f"{word}({z.name}, {t.name}{given})", f"{word}({z.name}, {t.name}{also})"


def value_loss(d, x):
    kind = d.pick("bce", "kl", "huber", "hinge", "mse", "l1", "squares")
    if kind == "squares":
        return f"mean(square({x.name}))", f"per_sample({x.name}*{x.name})"
    if kind == "kl" and x.channels < 2:
        kind = "mse"
    t = d.input(x.shape, "f32", {"bce": "share", "kl": "shares", "hinge": "sign"}.get(kind, "normal"), target=True)
    more = (", delta = 0.5", ", 0.5") if kind == "huber" else ("", "")
    return f"{kind}({x.name}, {t.name}{more[0]})", f"{kind}({x.name}, {t.name}{more[1]})"


def finish(d, x):
    """The loss, the outputs, and what of the recipe names parameters."""
    if not d.weights:
        x = binary(d, x, d.param([x.channels], "gain"), BINARY[2])
    losses = []
    if d.kind == "tokens" or (len(x.shape) > 1 and x.channels > 1 and x.size < 200 and d.pick(True, False)):
        losses.append(class_loss(d, x, True) if d.kind == "tokens" or d.pick(True, False) else value_loss(d, x))
        d.outputs.append(x.name)
    else:
        if len(x.shape) > 1 and d.pick(True, False):
            x = d.line((x.channels,), f"{x.name} -> mean(axis = {tuple_text_axes(len(x.shape) - 1)})", f"{x.name}.mean({tuple(range(1, len(x.shape)))})")
        z = dense(d, flatten(d, x), d.pick(2, 3, 5), bias=True)
        d.outputs.append(z.name)
        losses.append(class_loss(d, z, False) if d.pick(True, False) else value_loss(d, z))
        if d.has("contrastive", 0.06) and d.way in ("plain", "ranks"):
            b = dense(d, z, z.channels)
            losses.append((f"contrastive({z.name}, {b.name}, 0.5)", f"contrastive({z.name}, {b.name}, 0.5)"))
        if d.has("in training alone", 0.15):
            y = d.fresh()
            d.net += [f"{y} = {z.name}*0.5", "if training {", f"    {y} = {z.name}*1.5", "}"]
            d.code += [f"{y} = {z.name}*(1.5 if training else 0.5)"]
            d.outputs.append(y)
            losses.append((f"mean({y}*{y})", f"per_sample({y}*{y})"))
    if len(losses) == 1 and d.pick(True, False, False):
        second = value_loss(d, type(x)(d.outputs[0], x.shape if d.outputs[0] == x.name else z.shape))
        losses.append((f"0.3*{second[0]}", f"0.3*{second[1]}"))
    if "large mean" in d.kinds and d.kind != "images":
        d.single, d.library = False, "none"  # nothing normalises it, so that scores of attention are nothing but rounding
    d.loss = " + ".join(n for n, _ in losses), " + ".join(c for _, c in losses)
    names = sorted(d.weights)
    if len(names) > 2 and d.has("frozen", 0.1):
        d.frozen = {d.r.choice(names)}
        batchnorms = {n for n, _ in d.averages}
        d.frozen = {n for n in d.frozen if n.rpartition(".")[0] not in batchnorms}
    if len(names) > 2 and d.has("group", 0.15):
        d.slow = set(d.r.sample(names, 2)) - d.frozen


def tuple_text_axes(n):
    return f"({', '.join(map(str, range(n)))})" if n > 1 else "0"
