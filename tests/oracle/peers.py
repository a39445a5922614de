# SPDX-License-Identifier: MIT
"""What the PyTorch form of a drawn network calls: each operator of the language written in PyTorch from its definition in the manual.

Tensors have the batch in front and channels last, as in the language; learned tensors and constants have no batch.
"""
import math

import torch
import torch.nn.functional as F


def up(x, rank):
    """A batched tensor as one of `rank` dimensions a sample: shapes are aligned at the last dimension."""
    return x.reshape(x.shape[0], *[1] * (rank - x.dim() + 1), *x.shape[1:])


def per_sample(x):
    return x.reshape(x.shape[0], -1).mean(1)


def first(x, places):
    """Channels first, of `places` dimensions between batch and channels."""
    return x.permute(0, places + 1, *range(1, places + 1))


def last(x, places):
    return x.permute(0, *range(2, places + 2), 1)


def border(x, window, stride, pad, dilation, fill=0.0):
    """x, channels first, with its border; pad: "same", or a number on both sides of each dimension."""
    around = []
    for k, size in reversed(list(enumerate(window))):
        extent = (size - 1) * dilation[k]
        around += [extent // 2, extent - extent // 2] if pad == "same" else [pad[k], pad[k]]
    return F.pad(x, around, value=fill)


CONV = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
TURNED = {2: F.conv_transpose2d, 3: F.conv_transpose3d}


def conv(x, w, b, stride, pad, dilation, groups):
    """w: [filters, *window, channels/groups]"""
    n = len(stride)
    w = first(w, n)
    return last(CONV[n](border(first(x, n), w.shape[2:], stride, pad, dilation), w, b, stride, 0, dilation, groups), n)


def conv3d(x, w, b, window, stride, pad, groups):
    """w: [filters, height, width, depth*channels/groups], or, over the depth alone, [filters, depth, 1, channels/groups]; which are one
    where the depth is 1"""
    if w.shape[1] == window[0] and w.shape[2] == 1 and w.shape[3] * groups == x.shape[-1]:
        w = w.reshape(w.shape[0], window[0], 1, 1, -1)
    else:
        w = w.reshape(*w.shape[:3], window[0], -1).permute(0, 3, 1, 2, 4)
    return conv(x, w, b, stride, pad, (1, 1, 1), groups)


def conv_transpose(x, w, b, stride, pad, more, groups):
    """w: [channels, *window, filters/groups], of volumes [channels, height, width, depth*filters/groups]"""
    n = len(stride)
    if n == 3:
        w = w.reshape(*w.shape[:3], -1, b.shape[0] // groups).permute(0, 3, 1, 2, 4)
    return last(TURNED[n](first(x, n), first(w, n), b, stride, pad, more, groups), n)


def maxpool(x, size, stride, pad):
    n = len(size)
    x = border(first(x, n), size, stride, pad, [1] * n, -math.inf)
    return last({2: F.max_pool2d, 3: F.max_pool3d}[n](x, size, stride), n)


def avgpool(x, size, stride, pad):
    n = len(size)
    x = border(first(x, n), size, stride, pad, [1] * n)
    return last({2: F.avg_pool2d, 3: F.avg_pool3d}[n](x, size, stride), n)


def upsample(x, factor, kind):
    n = len(factor)
    aligned = {} if kind == "nearest" else {"align_corners": False}
    return last(F.interpolate(first(x, n), scale_factor=tuple(map(float, factor)), mode=kind, **aligned), n)


def adaptive_avgpool(x, size):
    return last(F.adaptive_avg_pool2d(first(x, 2), size), 2)


def batchnorm(x, P, S, name, training, epsilon, momentum):
    mean, var = S[name + ".running_mean"], S[name + ".running_var"]
    if training:
        rows = x.reshape(-1, x.shape[-1])
        count, m = rows.shape[0], rows.mean(0)
        v = ((rows - m) ** 2).mean(0)
        S[name + ".running_mean"] = ((1 - momentum) * mean + momentum * m).detach()
        S[name + ".running_var"] = ((1 - momentum) * var + momentum * v * count / max(count - 1, 1)).detach()
        mean, var = m, v
    return (x - mean) * torch.rsqrt(var + epsilon) * P[name + ".weight"] + P[name + ".bias"]


def normalised(x, axes, epsilon):
    m = x.mean(axes, keepdim=True)
    return (x - m) * torch.rsqrt(((x - m) ** 2).mean(axes, keepdim=True) + epsilon)


def groupnorm(x, w, b, groups, epsilon):
    y = x.reshape(x.shape[0], -1, groups, x.shape[-1] // groups)
    return normalised(y, (1, 3), epsilon).reshape(x.shape) * w + b


def rmsnorm(x, w, epsilon):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + epsilon) * w


def lrn(x, size, alpha, beta, k):
    s = F.pad(x * x, (size // 2, size // 2)).unfold(-1, size, 1).sum(-1)
    return x / (k + alpha / size * s) ** beta


def whole(x):
    """The nearest whole number, halves away from 0."""
    return torch.sign(x) * torch.floor(torch.abs(x) + 0.5)


def rotary(x):
    """x [B, heads, places, d]"""
    places, d = x.shape[-2:]
    t = torch.arange(places, dtype=x.dtype)[:, None] / 10000.0 ** (torch.arange(d // 2, dtype=x.dtype) * 2 / d)
    a, b = x.split(d // 2, -1)
    return torch.cat([a * torch.cos(t) - b * torch.sin(t), b * torch.cos(t) + a * torch.sin(t)], -1)


def rows(x, index):
    """The rows of each sample's x that its index names; zeros where there is none."""
    inside = (index >= 0) & (index < x.shape[1])
    at = torch.where(inside, index, 0).reshape(index.shape[0], -1, *[1] * (x.dim() - 2))
    picked = torch.gather(x, 1, at.expand(-1, -1, *x.shape[2:]))
    return picked * inside.reshape(index.shape[0], -1, *[1] * (x.dim() - 2))


def cross_entropy(z, labels, smoothing=0.0, ignore=None, weights=None):
    logs = torch.log_softmax(z, -1)
    if labels.dtype != torch.long:
        shares = labels * (1 - smoothing) + smoothing / z.shape[-1]
        return per_sample(-(shares * logs).sum(-1, keepdim=True))
    safe = labels if ignore is None else torch.where(labels == ignore, 0, labels)
    each = -(1 - smoothing) * logs.gather(-1, safe[..., None])[..., 0] - smoothing * logs.mean(-1)
    if weights is not None:
        each = each * torch.tensor(weights, dtype=z.dtype)[safe]
    if ignore is None:
        return per_sample(each)
    counts = (labels != ignore).to(z.dtype)
    each, counts = (each * counts).reshape(z.shape[0], -1), counts.reshape(z.shape[0], -1)
    return each.sum(1) / counts.sum(1).clamp(min=1)


def focal(z, labels, gamma):
    log_p = torch.log_softmax(z, -1).gather(-1, labels[..., None])
    return per_sample((1 - log_p.exp()) ** gamma * -log_p)


def contrastive(a, b, temperature):
    return -torch.log_softmax(a @ b.T / temperature, 1).diagonal()


def bce(z, t):
    return per_sample(torch.logaddexp(z, torch.zeros_like(z)) - t * z)


def kl(z, t):
    log_t = torch.where(t > 0, t, 1).log()
    return per_sample((t * (log_t - torch.log_softmax(z, -1))).sum(-1, keepdim=True))


def huber(x, t, delta):
    d = (x - t).abs()
    return per_sample(torch.where(d <= delta, d * d / 2, delta * (d - delta / 2)))


def hinge(x, t):
    return per_sample(torch.maximum(torch.zeros_like(x), 1 - t * x))


def mse(x, t):
    return per_sample((x - t) ** 2)


def l1(x, t):
    return per_sample((x - t).abs())


def accuracy(z, labels, ignore=None):
    right = (z.argmax(-1) == labels).to(z.dtype)
    return per_sample(right)


OPTIMIZERS = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW, "rmsprop": torch.optim.RMSprop,
              "adagrad": torch.optim.Adagrad, "adadelta": torch.optim.Adadelta}


def function(text):
    """The drawn network: forward(P, S, D, training) is (loss of each sample, {output: value}, {metric: of each sample}); S, the running statistics, is moved."""
    names = dict(globals())
    exec(compile(text, "drawn network", "exec"), names)  # pylint: disable=exec-used
    return names["forward"]


def tensors(values, dtype):
    """{name: (dim, kind, array)} as PyTorch's; indices as int64."""
    return {name: torch.tensor(list(data), dtype=torch.long if kind == "index" else dtype).reshape(dim)
            for name, (dim, kind, data) in values.items()}


def compute(drawn, dtype):
    """What the trainer must say: {what: {name: [numbers]}}."""
    forward = function(drawn.torch_text())
    P = {n: t.requires_grad_(n not in drawn.frozen) for n, t in tensors(drawn.parameters(), dtype).items()}
    S = tensors(drawn.states(), dtype)
    groups = [{"params": [t for n, t in P.items() if t.requires_grad and drawn.slower(n) == slow],
               "lr": drawn.rate * (drawn.group_rate if slow else 1)} for slow in (False, True)]
    name, arguments = drawn.optimizer
    optimizer = OPTIMIZERS[name]([g for g in groups if g["params"]], lr=drawn.rate, **arguments)
    result = {"losses": {}, "gradient": {}}
    for step in range(drawn.steps):
        loss, _, metrics = forward(P, S, tensors(drawn.data(step * drawn.batch, drawn.batch), dtype), True)
        optimizer.zero_grad()
        loss.mean().backward()
        trained = {n: t for n, t in P.items() if t.requires_grad}
        for t in trained.values():
            t.grad = torch.zeros_like(t) if t.grad is None else t.grad
        result["losses"].update({f"{n} {step + 1}": [v.mean().item()] for n, v in {"loss": loss, **metrics}.items()})
        if step == 0:
            result["gradient"] = {n: t.grad.reshape(-1).tolist() for n, t in trained.items()}
        if drawn.clip:
            torch.nn.utils.clip_grad_norm_(trained.values(), drawn.clip)
        optimizer.step()
    result["weights"] = {n: t.detach().reshape(-1).tolist() for n, t in P.items()}
    result["statistics"] = {n: t.reshape(-1).tolist() for n, t in S.items()}
    with torch.no_grad():
        # what looks across the batch in an evaluation sees the samples of a batch that are there, of all ranks
        each, outputs = {}, {}
        for at in range(0, drawn.held_out, drawn.batch):
            count = min(drawn.batch, drawn.held_out - at)
            loss, values, metrics = forward(P, dict(S), tensors(drawn.data(drawn.steps * drawn.batch + at, count), dtype), False)
            for n, v in {"loss": loss, **metrics}.items():
                each.setdefault(n, []).extend(v.tolist())
            for n, t in values.items():
                outputs.setdefault(n, []).extend(t.reshape(-1).tolist())
    result["evaluation"] = {n: [math.fsum(v) / len(v)] for n, v in each.items()}
    result["prediction"] = outputs
    return result
