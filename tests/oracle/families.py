"""The families of networks: each draws a network of a kind, line by line on both sides, and returns the tensor that the loss is of."""
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
    if pad == "same" or any(p > w // 2 for p, w in zip(pad, window)) or not spans(places, window, stride, pad, [1] * n):
        pad = [0] * n
    shape = spans(places, window, stride, pad, [1] * n)
    if shape is None:
        return x
    word = f"{kind}pool" + ("3d" if n == 3 else "")
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


# --- families ---------------------------------------------------------------------------------------------------------------


def images(d):
    places = [d.extent(11), d.extent(11)]
    if d.has("bytes", 0.35):
        x = d.input((*places, d.pick(1, 3)), "u8", "byte")
        x = d.line(x.shape, *d.pick((f"{x.name} -> scale(1/255)", f"{x.name}/255"), (f"{x.name} -> normalize(0.4, 0.25)", f"({x.name}/255 - 0.4)/0.25")))
    else:
        x = real_input(d, (*places, d.extent(6)))
        if "large mean" in d.kinds:
            x = batchnorm(d, x)
    for _ in range(d.r.randrange(2, 6)):
        before = x
        kind = d.pick("conv", "conv", "conv", "conv norm act", "conv norm act", "pool", "upsample", "transposed", "lrn", "moved", "residual", "gate", "adaptive", "branches")
        if kind.startswith("conv"):
            x = conv(d, x)
            if kind != "conv":
                x = unary(d, norm(d, x), ACTIVATIONS)
        elif kind == "pool":
            x = pool(d, x)
        elif kind == "upsample":
            x = upsample(d, x)
        elif kind == "transposed" and max(x.shape[:2]) < 7:
            x = conv_transpose(d, x)
        elif kind == "lrn":
            size, alpha = d.pick(1, 3, 5), d.pick(0.1, 1.0)
            x = d.line(x.shape, f"{x.name} -> lrn({size}, alpha = {alpha}, beta = 0.75, k = 2)", f"lrn({x.name}, {size}, {alpha}, 0.75, 2)")
        elif kind == "moved":
            x = moved(d, x)
        elif kind == "residual":
            y = unary(d, norm(d, dense(d, x, x.channels)), ACTIVATIONS)
            x = add(d, y, x)
        elif kind == "gate":
            g = d.line((x.channels,), f"{x.name} -> avgpool(global)", f"{x.name}.mean((1, 2))")
            g = dense(d, unary(d, dense(d, g, 3), ACTIVATIONS), x.channels)
            g = d.line(g.shape, f"sigmoid({g.name})", f"torch.sigmoid({g.name})")
            x = binary(d, x, g, BINARY[2])
        elif kind == "adaptive":
            size = (d.r.randrange(1, x.shape[0] + 1), d.r.randrange(1, x.shape[1] + 1))
            x = d.line((*size, x.channels), f"{x.name} -> adaptive_avgpool(({size[0]}, {size[1]}))", f"adaptive_avgpool({x.name}, {size})")
        elif kind == "branches":
            parts = [dense(d, x, d.pick(1, 2, 5)), unary(d, dense(d, x, d.pick(2, 3)), ACTIVATIONS), x]
            d.r.shuffle(parts)
            names = ", ".join(p.name for p in parts)
            x = d.line((*x.shape[:-1], sum(p.channels for p in parts)), f"concat({names})", f"torch.cat([{names}], -1)")
        if x.size > 1200:
            x = before
    return x


def volumes(d):
    x = real_input(d, (d.extent(5), d.extent(5), d.extent(5), d.pick(1, 2, 3)))
    for _ in range(d.r.randrange(1, 4)):
        x = d.pick(conv, conv, pool, upsample, moved, conv_transpose, lambda d, x: unary(d, norm(d, x), ACTIVATIONS))(d, x)
    return x


def sequences(d):
    x = real_input(d, (d.extent(11), d.extent()))
    for _ in range(d.r.randrange(2, 6)):
        x = d.pick(conv, lambda d, x: dense(d, x, d.extent()), norm, unary, moved, along, lambda d, x: unary(d, norm(d, conv(d, x)), ACTIVATIONS),
                   lambda d, x: add(d, dense(d, x, x.channels), x))(d, x)
    return x


def tokens(d):
    """Words, each with what comes next: the loss is at the places."""
    steps, words, width = d.extent(), d.pick(3, 5, 17), d.pick(1, 4, 6)
    text = d.input((steps,), "i32", "class", words)
    d.words, table = words, None
    if d.pick(True, False):
        table = d.param([words, width], "unit")
        x = d.line((steps, width), f"{text.name} -> embedding({words}, {width}, weight = {table.name})", f"{table.name}[{text.name}]")
    else:
        name = d.fresh("k")
        d.weight(name + ".weight", [words, width], "unit")
        x = d.line((steps, width), f'{text.name} -> embedding({words}, {width}, name = "{name}")', f"P['{name}.weight'][{text.name}]")
    if d.pick(True, False):
        places = d.param([steps, width], "unit")
        x = add(d, x, places)
    for _ in range(d.r.randrange(0, 3)):
        x = d.pick(attention_layer, norm, lambda d, x: add(d, unary(d, dense(d, x, x.channels)), x), lambda d, x: scan_layer(d, x))(d, x)
    if d.has("gather", 0.3):
        index = d.input((d.extent(5),), "i32", "class", x.shape[0])
        y = d.line((index.shape[0], x.channels), f"gather({x.name}, {index.name})", f"rows({x.name}, {index.name})")
        y = d.line((1, y.channels), f"{y.name} -> mean(axis = 0, keepdims = true)", f"{y.name}.mean(1, keepdim=True)")
        x = add(d, x, y)
    if table and x.channels == width and d.pick(True, False):
        return d.line((steps, words), f"{x.name} -> dense({words}, bias = false, weight = {table.name})", f"F.linear({x.name}, {table.name})")
    return dense(d, x, words)


def scan_layer(d, x):
    """x [steps, features]"""
    steps, features = x.shape
    w = d.pick(1, 3, 4)
    kind = d.pick("plain", "lstm", "gru", "gated", "across")
    if kind in ("lstm", "gru"):
        d.uses.add("recurrent")
        name, k = d.fresh("k"), {"lstm": 4, "gru": 3}[kind]
        for part, n in (("input", features), ("state", w)):
            d.weight(f"{name}.{part}.weight", [k * w, n])
            d.weight(f"{name}.{part}.bias", [k * w], "bias")
        y = d.fresh()
        d.net.append(f'{y} = {x.name} -> {kind}({w}, name = "{name}")')
        d.code += [f"g = F.linear({x.name}, P['{name}.input.weight'], P['{name}.input.bias'])", f"h = c = g.new_zeros(g.shape[0], {w})", "ys = []",
                   f"for t in range({steps}):", f"    s = F.linear(h, P['{name}.state.weight'], P['{name}.state.bias'])"]
        if kind == "lstm":
            d.code += [f"    i, f, m, o = (g[:, t] + s).split({w}, -1)", "    c = torch.sigmoid(f)*c + torch.sigmoid(i)*torch.tanh(m)",
                       "    h = torch.sigmoid(o)*torch.tanh(c)"]
        else:
            d.code += [f"    (r, z, n), (rh, zh, nh) = g[:, t].split({w}, -1), s.split({w}, -1)", "    z = torch.sigmoid(z + zh)",
                       "    h = (1 - z)*torch.tanh(n + torch.sigmoid(r + rh)*nh) + z*h"]
        d.code += ["    ys.append(h)", f"{y} = torch.stack(ys, 1)"]
        return type(x)(y, (steps, w))
    reverse = d.pick(True, False)
    order = f"reversed(range({steps}))" if reverse else f"range({steps})"
    y, a = d.fresh(), d.fresh("k")
    if kind == "across":  # the steps go along the features
        d.weight(a + ".weight", [steps, steps])
        d.weight(a + ".bias", [steps], "bias")
        d.net += [f"h = zeros({steps})", f"{y} = scan row in {x.name} with (axis = 1{', reverse = true' if reverse else ''}) {{",
                  f'    h = sin((h -> dense({steps}, name = "{a}")) + row)', "    yield h + 0.5*row", "}"]
        d.code += [f"h = {x.name}.new_zeros({x.name}.shape[0], {steps})", f"ys = [None]*{features}",
                   f"for t in {f'reversed(range({features}))' if reverse else f'range({features})'}:", f"    row = {x.name}[:, :, t]",
                   f"    h = torch.sin(F.linear(h, P['{a}.weight'], P['{a}.bias']) + row)", "    ys[t] = h + 0.5*row", f"{y} = torch.stack(ys, 2)"]
        return type(x)(y, x.shape)
    b = d.fresh("k")
    d.weight(a + ".weight", [w, features])
    d.weight(a + ".bias", [w], "bias")
    d.weight(b + ".weight", [w, w])
    if kind == "plain":
        d.net += [f"h = zeros({w})", f"{y} = scan row in {x.name}{' with (reverse = true)' if reverse else ''} {{",
                  f'    h = tanh((row -> dense({w}, name = "{a}")) + (h -> dense({w}, bias = false, name = "{b}")))', "    yield h", "}",
                  f"{y} = {y} + h"]
        d.code += [f"h = {x.name}.new_zeros({x.name}.shape[0], {w})", f"ys = [None]*{steps}", f"for t in {order}:",
                   f"    h = torch.tanh(F.linear({x.name}[:, t], P['{a}.weight'], P['{a}.bias']) + F.linear(h, P['{b}.weight']))", "    ys[t] = h",
                   f"{y} = torch.stack(ys, 1) + h[:, None]"]
        return type(x)(y, (steps, w))
    g, s, z = d.fresh(), d.fresh(), d.fresh()
    d.net += [f"{g} = sigmoid(mean({x.name}, axis = 1))", f"h = ones({w})",
              f"({s}, {z}) = scan (row, gate) in ({x.name}, {g}){' with (reverse = true)' if reverse else ''} {{",
              f'    h = gate*h + (1 - gate)*tanh((row -> dense({w}, name = "{a}")) + (h -> dense({w}, bias = false, name = "{b}")))',
              "    yield (h, sum(h*h))", "}", f"{y} = {s}*reshape({z}, ({steps}, 1))"]
    d.code += [f"{g} = torch.sigmoid({x.name}.mean(2))", f"h = {x.name}.new_ones({x.name}.shape[0], {w})", f"ys = [None]*{steps}", f"for t in {order}:",
               f"    h = {g}[:, t, None]*h + (1 - {g}[:, t, None])*torch.tanh(F.linear({x.name}[:, t], P['{a}.weight'], P['{a}.bias']) + F.linear(h, P['{b}.weight']))",
               "    ys[t] = h*(h*h).sum(1, keepdim=True)", f"{y} = torch.stack(ys, 1)"]
    return type(x)(y, (steps, w))


def scans(d):
    x = real_input(d, (d.extent(9), d.extent(6)))
    for _ in range(d.r.randrange(1, 3)):
        x = scan_layer(d, x)
        x = unary(d, x) if d.pick(True, False) else x
    return x


def split_heads(d, x, heads, width):
    steps = x.shape[0]
    y = d.line((steps, heads, width), f"{x.name} -> reshape(({steps}, {heads}, {width}))", f"{x.name}.reshape(-1, {steps}, {heads}, {width})")
    return d.line((heads, steps, width), f"{y.name} -> transpose((1, 0, 2))", f"{y.name}.permute(0, 2, 1, 3)")


def masked(d, scores):
    """Scores [heads, queries, keys] with some of the masks that people write."""
    heads, queries, keys = scores.shape
    like = (heads, queries, keys)
    for kind in d.r.sample(["causal", "padding", "added", "bias", "logarithm", "window", "product", "minus infinity"], d.pick(0, 1, 1, 1, 1, 2)):
        if kind in ("causal", "product") and queries != keys:
            kind = "padding"
        d.kinds.add("mask: " + kind)
        far = d.pick("-1e9", "-1e4")
        if kind == "causal":
            scores = d.line(like, f"where(causal_mask({keys}) == 1, {scores.name}, {far})",
                            f"torch.where(torch.ones({keys}, {keys}).tril() == 1, {scores.name}, {far})")
        elif kind == "bias":
            p = d.param(d.pick([heads, queries, keys], [heads, 1, keys], [queries, keys], [heads, 1, 1]))
            scores = add(d, scores, p)
        elif kind == "window":
            w = d.r.randrange(0, keys)
            scores = d.line(like, f"where(abs(reshape(arange({queries}), ({queries}, 1)) - arange({keys})) <= {w}, {scores.name}, {far})" if queries <= keys else f"{scores.name}*1.5",
                            f"torch.where((torch.arange({queries})[:, None] - torch.arange({keys})).abs() <= {w}, {scores.name}, {far})" if queries <= keys else f"{scores.name}*1.5")
        else:
            if kind in ("padding", "product"):
                d.has("hidden rows", 0.6)
            shape = d.pick((keys,), (queries, keys)) if kind != "product" else (keys,)
            m = d.input(shape, d.pick("u8", "f32"), "mask" if kind in ("padding", "product") else "first")
            n, at = ("reshape({0}, (1, {1}, {2}))", "{0}.reshape(-1, 1, {1}, {2})")
            q = shape[0] if len(shape) == 2 else 1
            m = d.line((1, q, keys), n.format(m.name, q, keys), at.format(m.name, q, keys))
            if kind == "padding":
                scores = d.line(like, f"where({m.name} == 1, {scores.name}, {far})", f"torch.where({m.name} == 1, {scores.name}, {far})")
            elif kind == "product":
                scores = d.line(like, f"where({m.name}*causal_mask({keys}) == 1, {scores.name}, {far})",
                                f"torch.where({m.name}*torch.ones({keys}, {keys}).tril() == 1, {scores.name}, {far})")
            elif kind == "added":
                scores = d.line(like, f"{scores.name} + ({m.name} - 1)*1e4", f"{scores.name} + ({m.name} - 1)*1e4")
            elif kind == "logarithm":
                scores = d.line(like, f"{scores.name} + log({m.name})", f"{scores.name} + torch.log({m.name})")
            else:
                scores = d.line(like, f"where({m.name} == 1, {scores.name}, -1e30)", f"torch.where({m.name} == 1, {scores.name}, -float('inf'))")
    return scores


def attention_layer(d, x, other=None):
    """x [places, channels]; keys and values are of `other`, or of x."""
    other = other or x
    heads, width = d.pick(1, 1, 2, 3), d.pick(1, 2, 4, 8, 8, 8, 16)
    groups = d.pick(1, heads)
    q, k, v = (dense(d, x, heads * width), dense(d, other, groups * width), dense(d, other, groups * width))
    q, k, v = split_heads(d, q, heads, width), split_heads(d, k, groups, width), split_heads(d, v, groups, width)
    if d.pick(True, False, False):
        q, k = (d.line(y.shape, f"{y.name}*rsqrt(mean({y.name}*{y.name}, axis = 2, keepdims = true) + 0.01)",
                       f"{y.name}*torch.rsqrt(({y.name}*{y.name}).mean(3, keepdim=True) + 0.01)") for y in (q, k))
    if width % 2 == 0 and d.pick(True, False, False):
        q, k = rotated(d, q), rotated(d, k)
    if groups < heads:
        k, v = (d.line((heads, *y.shape[1:]), f"{y.name}*ones({heads}, 1, 1)", f"{y.name}.expand(-1, {heads}, -1, -1)") for y in (k, v))
    keys = k.shape[1]
    scale = d.pick(width ** -0.5, 1)
    scores = d.line((heads, x.shape[0], keys), f"matmul({q.name}, {k.name} -> transpose((0, 2, 1)))*{scale}", f"{q.name} @ {k.name}.transpose(2, 3)*{scale}")
    scores = masked(d, scores)
    y = d.line((heads, x.shape[0], width), f"matmul({scores.name} -> softmax, {v.name})", f"{scores.name}.softmax(-1) @ {v.name}")
    y = d.line((x.shape[0], heads, width), f"{y.name} -> transpose((1, 0, 2))", f"{y.name}.permute(0, 2, 1, 3)")
    y = d.line((x.shape[0], heads * width), f"{y.name} -> reshape(({x.shape[0]}, {heads * width}))", f"{y.name}.reshape(-1, {x.shape[0]}, {heads * width})")
    return add(d, dense(d, y, x.channels), x) if d.pick(True, False) else y


def rotated(d, y):
    heads, places, width = y.shape
    half = width // 2
    t = d.line((places, half), f"reshape(arange({places}), ({places}, 1))/10000**(arange({half})*2/{width})",
               f"torch.arange({places}, dtype={y.name}.dtype)[:, None]/10000.0**(torch.arange({half}, dtype={y.name}.dtype)*2/{width})", False)
    a, b = (d.line((heads, places, half), f"{y.name} -> slice(2, {at}, {half})", f"{y.name}.narrow(3, {at}, {half})") for at in (0, half))
    return d.line(y.shape, f"concat({a.name}*cos({t.name}) - {b.name}*sin({t.name}), {b.name}*cos({t.name}) + {a.name}*sin({t.name}))",
                  f"torch.cat([{a.name}*torch.cos({t.name}) - {b.name}*torch.sin({t.name}), {b.name}*torch.cos({t.name}) + {a.name}*torch.sin({t.name})], -1)")


def attention(d):
    x = real_input(d, (d.extent(9), d.extent(6)))
    x = norm(d, x) if d.pick(True, False) else x
    other = d.input((d.extent(9), d.extent(4))) if d.has("two sequences", 0.3) else None
    x = attention_layer(d, x, other)
    if d.pick(True, False):
        x = attention_layer(d, norm(d, x))
    return x


def pointwise(d):
    shape = [d.extent(9) for _ in range(d.pick(1, 2, 2, 3))]
    values = [real_input(d, shape)]
    if d.pick(True, False):
        values.append(d.input([d.pick(1, n) for n in shape[d.r.randrange(len(shape)):]], filler=d.pick("ties", "normal")))
    if d.pick(True, False):
        values.append(d.param([d.pick(1, n) for n in shape[d.r.randrange(len(shape)):]], "unit"))
    x = values[0]
    for _ in range(d.r.randrange(3, 10)):
        batched = [v for v in values if v.batched]
        kind = d.pick("unary", "unary", "binary", "binary", "reduce", "along", "moved", "product", "index")
        a = d.r.choice(batched[-3:])
        if kind == "binary":
            b = d.r.choice(values)
            if broadcast(a, b) is None:
                continue
            x = binary(d, a, b)
        elif kind == "unary":
            x = unary(d, a)
        elif kind == "reduce" and len(a.shape) > 1:
            x = reduce(d, a, keep=True)
        elif kind == "along":
            x = along(d, a)
        elif kind == "moved":
            x = moved(d, a)
        elif kind == "product" and len(a.shape) == 2:
            p = d.param([a.shape[1], d.extent(6)])
            x = d.line((a.shape[0], p.shape[1]), f"matmul({a.name}, {p.name})", f"{a.name} @ {p.name}")
        elif kind == "index" and a.channels > 1:
            best = f"one_hot({a.name} -> argmax, {a.channels})"
            x = d.line(a.shape, f"{a.name}*{best}", f"{a.name}*F.one_hot({a.name}.argmax(-1), {a.channels})")
        else:
            continue
        if x.size > 700:
            x = a
            continue
        if d.pick(True, False, False):
            x = d.line(x.shape, f"tanh({x.name})", f"torch.tanh({x.name})")
        values.append(x)
    total = None
    for v in [v for v in values if v.batched][-3:]:
        v = flatten(d, v)
        total = v if total is None else d.line((total.size + v.size,), f"concat({total.name}, {v.name})", f"torch.cat([{total.name}, {v.name}], 1)")
    return total


def towers(d):
    """Blocks with weights that are shared, also from within others."""
    n, w = d.extent(), d.extent(6)
    a, b = real_input(d, (n,)), d.input((n,))
    d.blocks += ["block tower(x, width) {", '    return x -> dense(width, name = "in") -> tanh -> dense(width, name = "out")', "}"]
    name = d.fresh("k")
    for part, units, of in (("in", w, n), ("out", w, w)):
        d.weight(f"{name}.{part}.weight", [units, of])
        d.weight(f"{name}.{part}.bias", [units], "bias")
    code = "F.linear(torch.tanh(F.linear({0}, {1}['{2}.in.weight'], {1}['{2}.in.bias'])), {1}['{2}.out.weight'], {1}['{2}.out.bias'])"
    a2 = d.line((w,), f'{a.name} -> tower({w}, shared = "{name}")', code.format(a.name, "P", name))
    fixed = d.has("learns", 0.3)
    d.code.append("constant = {n: t.detach() for n, t in P.items()}")
    b2 = d.line((w,), f'{b.name} -> tower({w}, shared = "{name}"{", learns = false" if fixed else ""})', code.format(b.name, "constant" if fixed else "P", name))
    x = binary(d, a2, b2, d.pick(BINARY[0], BINARY[1], BINARY[2]))
    if d.has("shared inside blocks", 0.3):
        inner = d.fresh("k")
        d.blocks += ["block inner(x) {", f'    return x -> dense({w}, shared = "{inner}")', "}"]
        d.weight(f"{inner}.weight", [w, w])
        d.weight(f"{inner}.bias", [w], "bias")
        for _ in range(2):
            x = d.line((w,), f"{x.name} -> inner -> tanh", f"torch.tanh(F.linear({x.name}, P['{inner}.weight'], P['{inner}.bias']))")
    if d.has("shared batchnorm", 0.2) and d.way in ("plain", "ranks"):
        k = d.fresh("k")
        d.norm_weights(k, w)
        d.averages.append((k, w))
        sync = "sync = true, " if d.way == "ranks" else ""
        for _ in range(2):
            x = d.line((w,), f'{x.name} -> batchnorm({sync}shared = "{k}") -> sin', f"torch.sin(batchnorm({x.name}, P, S, '{k}', training, {EPSILON}, 0.1))")
    if d.pick(True, False):
        p = d.param([w, w])
        x = d.line((w,), f"({x.name} -> dense({w}, bias = false, weight = {p.name})) + ({a2.name} -> dense({w}, bias = false, weight = {p.name}*{p.name}))",
                   f"F.linear({x.name}, {p.name}) + F.linear({a2.name}, {p.name}*{p.name})")
    return x


FAMILIES = {"images": images, "volumes": volumes, "sequences": sequences, "tokens": tokens, "scans": scans, "attention": attention,
            "pointwise": pointwise, "towers": towers}


# --- losses -----------------------------------------------------------------------------------------------------------------


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
