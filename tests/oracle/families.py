# SPDX-License-Identifier: MIT
"""The families of networks: each draws a network of a kind and returns the tensor that the loss is of."""
from draw import EPSILON
from layers import (ACTIVATIONS, BINARY, add, along, batchnorm, binary, broadcast, conv, conv_transpose, dense,
                    flatten, moved, norm, pool, real_input, reduce, unary, upsample)


def moved_alike(d, x):
    """With the rank that x has: a stack's sum may keep its axis."""
    y = moved(d, x)
    if len(y.shape) == len(x.shape):
        return y
    return d.line(x.shape, f"{y.name} -> reshape(({', '.join(map(str, x.shape))}))", f"{y.name}.reshape(-1, {', '.join(map(str, x.shape))})")


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
            x = moved_alike(d, x)
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
        x = d.pick(conv, conv, pool, upsample, moved_alike, conv_transpose, lambda d, x: unary(d, norm(d, x), ACTIVATIONS))(d, x)
    return x


def sequences(d):
    x = real_input(d, (d.extent(11), d.extent()))
    for _ in range(d.r.randrange(2, 6)):
        x = d.pick(conv, lambda d, x: dense(d, x, d.extent()), norm, unary, moved_alike, along, lambda d, x: unary(d, norm(d, conv(d, x)), ACTIVATIONS),
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
    kinds = d.r.sample(["causal", "padding", "added", "bias", "logarithm", "window", "product", "minus infinity"], d.pick(0, 1, 1, 1, 1, 2))
    if "window" in kinds and len(set(kinds) - {"bias", "causal"}) > 1 and not d.has("hidden rows", 1):
        kinds = ["window"]  # another mask may hide all that it shows
    for kind in kinds:
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
