# SPDX-License-Identifier: MIT
"""The layers of drawn networks: each is a line, or some, on both sides, and returns its tensor. `d` is the network, draw.Drawn."""
from draw import EPSILON

# In .net, in PyTorch; all are of moderate size for any x.
UNARY = [
    ("relu({0})", "torch.relu({0})"), ("leaky_relu({0}, 0.2)", "F.leaky_relu({0}, 0.2)"), ("sigmoid({0})", "torch.sigmoid({0})"),
    ("tanh({0})", "torch.tanh({0})"), ("gelu({0})", "F.gelu({0})"), ("gelu_tanh({0})", "F.gelu({0}, approximate='tanh')"),
    ("silu({0})", "F.silu({0})"), ("softplus({0})", "torch.logaddexp({0}, torch.zeros_like({0}))"), ("elu({0}, 0.7)", "F.elu({0}, 0.7)"),
    ("abs({0})", "torch.abs({0})"), ("exp(clip({0}, -2, 1))", "torch.exp({0}.clamp(-2, 1))"), ("clip({0}, -0.5, 1)", "{0}.clamp(-0.5, 1)"),
    ("expm1(clip({0}, -3, 1))", "torch.expm1({0}.clamp(-3, 1))"), ("log(abs({0}) + 0.5)", "torch.log(torch.abs({0}) + 0.5)"),
    ("log1p(abs({0}))", "torch.log1p(torch.abs({0}))"), ("sqrt(square({0}) + 0.1)", "torch.sqrt({0}*{0} + 0.1)"),
    ("rsqrt({0}*{0} + 0.5)", "torch.rsqrt({0}*{0} + 0.5)"), ("sin({0})", "torch.sin({0})"), ("cos({0})", "torch.cos({0})"),
    ("erf({0})", "torch.erf({0})"), ("(-{0})", "(-{0})"), ("(sign({0}) + 0.5*{0})", "(torch.sign({0}) + 0.5*{0})"),
    ("({0} - floor({0}))", "({0} - torch.floor({0}))"), ("({0} - round({0}))", "({0} - whole({0}))"), ("({0} + 0.1*ceil({0}))", "({0} + 0.1*torch.ceil({0}))"),
    ("({0} -> scale(0.5, shift = 0.25))", "({0}*0.5 + 0.25)"), ("({0} -> normalize(0.5, 2))", "(({0} - 0.5)/2)"),
    ("({0}/(1 + {0}**2))", "({0}/(1 + {0}**2))"), ("clip({0}, -2, 2)**3", "{0}.clamp(-2, 2)**3"), ("(0.5*{0} + stop_gradient({0}))", "(0.5*{0} + {0}.detach())"),
    ("max({0}, 0.25)", "torch.maximum({0}, torch.full_like({0}, 0.25))"), ("min({0}, 0)", "torch.minimum({0}, torch.zeros_like({0}))"),
    ("where({0} > 0.1, {0}, 0.3*{0})", "torch.where({0} > 0.1, {0}, 0.3*{0})"), ("({0}*({0} >= 0))", "({0}*({0} >= 0))")]
ACTIVATIONS = UNARY[:10]
BINARY = [
    ("{0} + {1}", "{0} + {1}"), ("{0} - {1}", "{0} - {1}"), ("{0}*{1}", "{0}*{1}"), ("{0}/(1.5 + abs({1}))", "{0}/(1.5 + torch.abs({1}))"),
    ("max({0}, {1})", "torch.maximum(*torch.broadcast_tensors({0}, {1}))"), ("min({0}, {1})", "torch.minimum(*torch.broadcast_tensors({0}, {1}))"),
    ("where({0} > {1}, {0}, {1}*0.5)", "torch.where({0} > {1}, {0}, {1}*0.5)"), ("where({1} <= 0, {0}*{1}, tanh({0}))", "torch.where({1} <= 0, {0}*{1}, torch.tanh({0}))"),
    ("({0} == {1})*{0} + {1}", "({0} == {1})*{0} + {1}"), ("(abs({0}) + 0.5)**tanh({1})", "(torch.abs({0}) + 0.5)**torch.tanh({1})")]


def unary(d, x, table=None):
    net, code = d.r.choice(table or UNARY)
    if d.has("branch not taken", 0.04):
        net, code = "where({0} > 0, sqrt({0}), {0})", "torch.where({0} > 0, torch.sqrt(torch.where({0} > 0, {0}, torch.ones_like({0}))), {0})"
    return d.line(x.shape, net.format(x.name), code.format(x.name), x.batched)


def broadcast(a, b):
    n = max(len(a.shape), len(b.shape))
    whole = [(1,) * (n - len(v.shape)) + v.shape for v in (a, b)]
    if any(p != q and 1 not in (p, q) for p, q in zip(*whole)):
        return None
    return tuple(max(p, q) if p and q else 0 for p, q in zip(*whole))


def binary(d, a, b, form=None):
    shape = broadcast(a, b)
    net, code = form or d.r.choice(BINARY)
    n = len(shape)
    return d.line(shape, net.format(a.name, b.name), code.format(a.at(n), b.at(n)), a.batched or b.batched)


def add(d, a, b):
    return binary(d, a, b, BINARY[0])


# --- layers -----------------------------------------------------------------------------------------------------------------


def dense(d, x, units, bias=None, name=None):
    name, bias = name or d.fresh("k"), d.pick(True, True, False) if bias is None else bias
    d.weight(name + ".weight", [units, x.channels])
    if bias:
        d.weight(name + ".bias", [units], "bias")
    return d.line((*x.shape[:-1], units), f'{x.name} -> dense({units}{"" if bias else ", bias = false"}, name = "{name}")',
                  f"F.linear({x.name}, P['{name}.weight'], {'P[' + repr(name + '.bias') + ']' if bias else 'None'})")


def spans(shape, window, stride, pad, dilation):
    """The extents of what windows leave, or None."""
    result = []
    for k, n in enumerate(shape):
        extent = (window[k] - 1) * dilation[k]
        n += extent if pad == "same" else 2 * pad[k]
        if n <= extent:
            return None
        result.append((n - extent - 1) // stride[k] + 1)
    return result


def tuple_text(values):
    return f"({', '.join(map(str, values))})" if len(set(values)) > 1 else str(values[0])


def pad_text(pad):
    return "same" if pad == "same" else tuple_text(pad)


def windows(d, places, most=3):
    """window, stride, pad, dilation that fit."""
    n = len(places)
    for _ in range(30):
        window = [d.r.randrange(1, most + 2) for _ in range(n)] if d.r.random() < 0.3 else [d.r.randrange(1, most + 1)] * n
        stride = [d.pick(1, 1, 2, 3) for _ in range(n)] if d.r.random() < 0.2 else [d.pick(1, 1, 1, 2)] * n
        dilation = [d.pick(1, 2)] * n if d.r.random() < 0.2 else [1] * n
        pad = d.pick("same", [0] * n, [d.r.randrange(0, 3) for _ in range(n)], [1] * n)
        shape = spans(places, window, stride, pad, dilation)
        if shape:
            return window, stride, pad, dilation, shape
    return [1] * n, [1] * n, [0] * n, [1] * n, list(places)


def conv(d, x):
    places = x.shape[:-1]
    n, c = len(places), x.channels
    window, stride, pad, dilation, shape = windows(d, places)
    groups = d.pick(1, 1, 1, *[g for g in (2, 3, c) if c % g == 0])
    filters = groups * d.pick(1, 2, 3, 4) if groups > 1 else d.extent(9)
    if n == 3 and window[1:] == [1, 1]:
        window = [window[0], 1, 1]
    if n == 3:
        dilation = [1] * 3
        shape = spans(places, window, stride, pad, dilation) or None
        if shape is None:
            window, stride, pad, shape = [1] * 3, [1] * 3, [0] * 3, list(places)
    bias = d.pick(True, False)
    word, name = {1: "conv1d", 2: "conv", 3: "conv3d"}[n], d.fresh("k")
    text = [str(filters), tuple_text(window), f"stride = {tuple_text(stride)}", f"pad = {pad_text(pad)}", f"groups = {groups}"]
    text += [f"dilation = {tuple_text(dilation)}"] if n < 3 else []
    text += [] if bias else ["bias = false"]
    dim = {1: [filters, window[0], 1, c // groups], 2: [filters, *window, c // groups]}.get(n)
    if n == 3:
        alone = window[1:] == [1, 1] and stride[1:] == [1, 1] and (pad == "same" or pad[1:] == [0, 0])
        dim = [filters, window[0], 1, c // groups] if alone else [filters, *window[1:], window[0] * c // groups]
    own = n == 2 and groups == 1 and d.has("computed weights", 0.15)
    b = f"P['{name}.bias']" if bias else "None"
    if bias:
        d.weight(name + ".bias", [filters], "bias")
    if own:  # weight standardization
        p = d.param(dim)
        m = d.line(dim, f"{p.name} - mean({p.name}, axis = (1, 2, 3), keepdims = true)", f"{p.name} - {p.name}.mean((1, 2, 3), keepdim=True)", False)
        w = d.line(dim, f"{m.name}*rsqrt(mean({m.name}*{m.name}, axis = (1, 2, 3), keepdims = true) + 0.1)",
                   f"{m.name}*torch.rsqrt(({m.name}*{m.name}).mean((1, 2, 3), keepdim=True) + 0.1)", False)
        text.append(f"weight = {w.name}")
        weight = w.name
    else:
        d.weight(name + ".weight", dim)
        weight = f"P['{name}.weight']"
    text.append(f'name = "{name}"')
    net = f"{x.name} -> {word}({', '.join(text)})"
    if n == 3:
        code = f"conv3d({x.name}, {weight}, {b}, {window}, {stride}, {pad!r}, {groups})"
    else:
        weight = weight + ".squeeze(2)" if n == 1 else weight
        code = f"conv({x.name}, {weight}, {b}, {stride}, {pad!r}, {dilation}, {groups})"
    return d.line((*shape, filters), net, code)


def conv_transpose(d, x):
    places, c = x.shape[:-1], x.channels
    n = len(places)
    window, stride = [d.pick(1, 2, 3)] * n, [d.pick(1, 2)] * n
    pad, more = [min(d.pick(0, 0, 1), window[0] - 1)] * n, [d.pick(0, stride[0] - 1)] * n
    shape = [(p - 1) * stride[0] + window[0] - 2 * pad[0] + more[0] for p in places]
    if min(shape) < 1:
        pad, shape = [0] * n, [s + 2 * pad[0] for s in shape]
    groups = d.pick(1, 1, 2) if c % 2 == 0 and n == 2 else 1
    filters, name = groups * d.pick(1, 2, 3), d.fresh("k")
    dim = [c, *window, filters // groups] if n == 2 else [c, *window[1:], window[0] * filters // groups]
    d.weight(name + ".weight", dim)
    d.weight(name + ".bias", [filters], "bias")
    net = f'{x.name} -> conv_transpose{"3d" if n == 3 else ""}({filters}, {window[0]}, {stride[0]}, pad = {pad[0]}, more = {more[0]}, groups = {groups}, name = "{name}")'
    return d.line((*shape, filters), net, f"conv_transpose({x.name}, P['{name}.weight'], P['{name}.bias'], {stride}, {pad}, {more}, {groups})")


def pool(d, x):
    places = x.shape[:-1]
    n = len(places)
    window, stride, pad, _, shape = windows(d, places)
    kind = d.pick("max", "avg")
    if d.pick(True, False):
        window, stride = [d.pick(2, 3, 4) for _ in places], [d.pick(1, 2, 3)] * n
        pad = [d.r.randrange(w // 2 + 1) for w in window]
    if pad == "same" or any(p > w // 2 for p, w in zip(pad, window)) or not spans(places, window, stride, pad, [1] * n):
        pad = [0] * n
    shape = spans(places, window, stride, pad, [1] * n)
    if shape is None:
        return x
    word = f"{kind}pool" + ("3d" if n == 3 else "")
    if n == 2 and kind == "max" and d.pick(True, False):  # the last window may not be whole, if it begins in the image or ahead of it
        rooms = [e + 2 * p - w for e, p, w in zip(places, pad, window)]
        shape = [-(-room // s) + 1 for room, s in zip(rooms, stride)]
        shape = [o - ((o - 1) * s >= e + p) for o, s, e, p in zip(shape, stride, places, pad)]
        d.kinds.add("ceil")
        return d.line((*shape, x.channels), f"{x.name} -> maxpool({tuple_text(window)}, stride = {tuple_text(stride)}, pad = {pad_text(pad)}, ceil = true)",
                      f"last(F.max_pool2d(first({x.name}, 2), {window}, {stride}, {pad}, ceil_mode=True), 2)")
    return d.line((*shape, x.channels), f"{x.name} -> {word}({tuple_text(window)}, stride = {tuple_text(stride)}, pad = {pad_text(pad)})",
                  f"{kind}pool({x.name}, {window}, {stride}, {pad})")


def upsample(d, x):
    n = len(x.shape) - 1
    factor = [d.pick(1, 2, 3) for _ in range(n)] if d.pick(True, False) else [2] * n
    smooth = {2: "bilinear", 3: "trilinear"}[n]
    kind = d.pick("nearest", smooth)
    shape = [p * f for p, f in zip(x.shape, factor)]
    if max(shape) > 14:
        return x
    return d.line((*shape, x.channels), f"{x.name} -> upsample{'3d' if n == 3 else ''}({tuple_text(factor)}, {kind})", f"upsample({x.name}, {factor}, '{kind}')")


def batchnorm(d, x):
    if d.way in ("accumulate", "chunk"):
        return x
    name, momentum = d.fresh("k"), d.pick(0.1, 0.3, 0.01)
    d.kinds.add("batchnorm")
    d.norm_weights(name, x.channels)
    d.averages.append((name, x.channels))
    sync = ", sync = true" if d.way == "ranks" else ""
    return d.line(x.shape, f'{x.name} -> batchnorm(momentum = {momentum}{sync}, name = "{name}")', f"batchnorm({x.name}, P, S, '{name}', training, {EPSILON}, {momentum})")


def norm(d, x):
    kind = d.pick("layernorm", "rmsnorm", "groupnorm", "instancenorm", "batchnorm", "batchnorm", "batchnorm", "plain")
    c = x.channels
    if kind == "batchnorm":
        return batchnorm(d, x)
    if kind == "plain":
        return d.line(x.shape, f"{x.name} -> layernorm(affine = false)", f"normalised({x.name}, -1, {EPSILON})")
    name = d.fresh("k")
    if kind in ("groupnorm", "instancenorm") and len(x.shape) == 1:
        kind = "layernorm"
    if kind == "layernorm":
        d.norm_weights(name, c)
        return d.line(x.shape, f'{x.name} -> layernorm(name = "{name}")', f"normalised({x.name}, -1, {EPSILON})*P['{name}.weight'] + P['{name}.bias']")
    if kind == "rmsnorm":
        d.weight(name + ".weight", [c], "gain")
        return d.line(x.shape, f'{x.name} -> rmsnorm(epsilon = 0.001, name = "{name}")', f"rmsnorm({x.name}, P['{name}.weight'], 0.001)")
    if kind == "groupnorm":
        groups = d.pick(*[g for g in range(1, c + 1) if c % g == 0])
        d.norm_weights(name, c)
        return d.line(x.shape, f'{x.name} -> groupnorm({groups}, name = "{name}")', f"groupnorm({x.name}, P['{name}.weight'], P['{name}.bias'], {groups}, {EPSILON})")
    axes = tuple(range(1, len(x.shape)))
    return d.line(x.shape, f"{x.name} -> instancenorm(epsilon = 0.01)", f"normalised({x.name}, {axes}, 0.01)")


def moved(d, x):
    """The same numbers elsewhere: slices, concats, paddings ..."""
    axis = d.r.randrange(len(x.shape))
    n, dim = x.shape[axis], axis + 1
    kind = d.pick("slice", "pad", "flip", "roll", "concat", "transpose", "split", "stack")
    shape = list(x.shape)
    if kind == "slice":
        start = d.r.randrange(n)
        shape[axis] = d.r.randrange(1, n - start + 1)
        return d.line(shape, f"{x.name} -> slice({axis}, {start}, {shape[axis]})", f"{x.name}.narrow({dim}, {start}, {shape[axis]})")
    if kind == "pad":
        before, after = d.r.randrange(3), d.r.randrange(3)
        shape[axis] += before + after
        around = [0, 0] * (len(shape) - 1 - axis) + [before, after]
        return d.line(shape, f"{x.name} -> pad({axis}, {before}, {after})", f"F.pad({x.name}, {around})")
    if kind == "flip":
        return d.line(shape, f"{x.name} -> flip({axis})", f"{x.name}.flip({dim})")
    if kind == "roll":
        by = d.r.randrange(-n, n + 1)
        return d.line(shape, f"{x.name} -> roll({by}, {axis})", f"{x.name}.roll({by}, {dim})")
    if kind == "concat":
        y = unary(d, x, ACTIVATIONS)
        shape[axis] *= 2
        return d.line(shape, f"concat({x.name}, {y.name}, axis = {axis})", f"torch.cat([{x.name}, {y.name}], {dim})")
    if kind == "transpose" and len(shape) > 1:
        axes = list(range(len(shape)))
        d.r.shuffle(axes)
        back = [axes.index(k) for k in range(len(shape))]
        y = d.line([shape[k] for k in axes], f"{x.name} -> transpose(({', '.join(map(str, axes))}))", f"{x.name}.permute(0, {', '.join(str(k + 1) for k in axes)})")
        y = unary(d, y) if d.pick(True, False) else y
        return d.line(shape, f"{y.name} -> transpose(({', '.join(map(str, back))}))", f"{y.name}.permute(0, {', '.join(str(k + 1) for k in back)})")
    if kind == "split" and n > 1:
        cut = d.r.randrange(1, n)
        sizes = [cut, n - cut]
        parts = [d.line(shape[:axis] + [s] + shape[axis + 1:], f"({x.name} -> split({sizes}, axis = {axis}))[{k}]", f"{x.name}.split({sizes}, {dim})[{k}]")
                 for k, s in enumerate(sizes)]
        parts[0] = unary(d, parts[0])
        return d.line(shape, f"concat([{parts[1].name}, {parts[0].name}], axis = {axis})", f"torch.cat([{parts[1].name}, {parts[0].name}], {dim})")
    if kind == "stack" and len(shape) < 4:
        y = unary(d, x)
        s = d.line([2] + shape, f"stack({x.name}, {y.name})", f"torch.stack([{x.name}, {y.name}], 1)")
        return reduce(d, s, axes=(0,))
    return x


def reduce(d, x, axes=None, keep=None):
    axes = axes or tuple(sorted(d.r.sample(range(len(x.shape)), d.r.randrange(1, len(x.shape) + 1))))
    keep = d.pick(True, False) if keep is None else keep
    kind = d.pick("sum", "mean", "max", "min", "logsumexp") if len(axes) == 1 else d.pick("sum", "mean", "max", "min")
    if kind == "logsumexp":
        keep = False
    shape = [1 if k in axes else n for k, n in enumerate(x.shape) if keep or k not in axes]
    dims = tuple(k + 1 for k in axes)
    text = f"({', '.join(map(str, axes))})" if len(axes) > 1 else str(axes[0])
    word = {"max": "amax", "min": "amin"}.get(kind, kind)
    net = f"{x.name} -> {kind}(axis = {text}{', keepdims = true' if keep else ''})"
    return d.line(shape, net, f"{x.name}.{word}({dims}, keepdim={keep})")


def along(d, x):
    axis = d.r.randrange(len(x.shape))
    kind = d.pick("softmax", "log_softmax", "cumsum")
    return d.line(x.shape, f"{x.name} -> {kind}(axis = {axis})", f"{x.name}.{kind}({axis + 1})")


def flatten(d, x):
    return x if len(x.shape) == 1 else d.line((x.size,), f"{x.name} -> flatten", f"{x.name}.flatten(1)")


def real_input(d, shape):
    if d.has("large mean", 0.06):
        d.far = d.pick(1e2, 1e3, 1e4)
        return d.input(shape, filler="far")
    if d.has("ties", 0.2):
        return d.input(shape, filler="ties")
    if d.has("zeros", 0.04):
        return d.input(shape, filler="zeros")
    return d.input(shape)
