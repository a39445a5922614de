# SPDX-License-Identifier: MIT
"""Networks for check.py that have what no network of models/ has."""
import numpy as np

SNIPPETS = {
    # A ramp counts the places between two pixels, the elements that argmax looks at, and those of `arange`. Parameters may be called as
    # anything in the lines that the graph is made of.
    "ramps": """model ramps {
    input  x: f32[5, 4, 3]
    target y: f32[25, 12, 2]
    param  filters: f32[3] init normal(1)
    param  n1: f32[3] init normal(1)
    large = (x*filters + n1) -> conv(2, 3, pad = same) -> tanh -> upsample((5, 3), bilinear)
    loss   mse(large, y)
    placed = large*arange(-1, 1, 1)
    best   = large -> argmax
    output placed
    output best
}
train ramps { optimizer sgd(rate = 0.1) }
""",
    # Indices of classes, each with a place, as rows of zeros and a one.
    "hot": """model hot {
    input  word: i32[5]
    input  letter: u8[2]
    target y: class[3]
    hot    = one_hot(word, 256)
    scores = concat((hot*hot) -> flatten, letter -> embedding(256, 3) -> flatten) -> dense(3)
    loss   cross_entropy(scores, y)
    output scores
    output hot
}
train hot { optimizer sgd(rate = 0.1) }
""",
    # A batchnorm of [steps, channels], which ONNX's own wants the other way round.
    "sounds": """model sounds {
    input  wave: f32[24, 2]
    target y: class[3]
    scores = wave -> conv1d(5, 3, pad = same) -> batchnorm -> relu -> flatten -> dense(3)
    loss   cross_entropy(scores, y)
    output scores
}
train sounds { optimizer sgd(rate = 0.1) }
""",
    # Films: windows along the depth, too, there and back.
    "films": """model films {
    input  clip: f32[6, 5, 4, 2]
    target y: class[3]
    x = clip -> conv3d(4, 3, stride = (2, 1, 1), pad = 1) -> batchnorm -> relu -> conv3d(4, (3, 1, 1), pad = same, groups = 2)
    scores = x -> maxpool3d((1, 2, 2)) -> mean((0, 1, 2)) -> dense(3)
    loss   cross_entropy(scores, y)
    large = x -> conv_transpose3d(2, (3, 2, 3), stride = (2, 1, 1), pad = (1, 0, 1))
    output scores
    output large
}
train films { optimizer sgd(rate = 0.1) }
""",
    # What has no sample in it, and gets the batch: of zeros, of a parameter, of noise, of a constant; and rows that each sample picks from its own.
    "batches": """use <recurrent>
model batches {
    input  x: f32[6, 4]
    target y: f32[8]
    param  first: f32[1, 4] init normal(1)
    long    = concat([first, x], axis = 0)
    summed  = long -> cumsum(axis = 0) -> cumsum
    picked  = gather(x, x -> argmax(axis = 0))
    none    = gather(x, x -> sum(axis = 1) -> floor)
    state   = x -> lstm(5)
    other   = x -> gru(5)
    calm    = noise(x) -> dense(3)
    fixed   = arange(4)*2
    drawn   = noise(x, uniform, always = true)*0
    loss    mse(concat([state, other] , axis = -1) -> flatten -> dense(8), y)
    output long
    output summed
    output picked
    output none
    output state
    output other
    output calm
    output fixed
    output drawn
}
train batches { optimizer sgd(rate = 0.1) }
""",
    # Loops: of two sequences, back, along another axis, in one another, of images, of one period; what needs the batch stands inside alone.
    "loops": """use <recurrent>
model loops {
    input  x: f32[6, 4]
    input  z: f32[6, 3, 4, 2]
    target y: f32[5]
    param  shift: f32[4] init normal(1)
    back = x -> lstm(5)
    h = zeros(4)
    g = zeros(4)
    (first, second) = scan (a, b) in (x, x*2 + 1) with (reverse = true) {
        h = tanh(a + h*shift)
        g = g + concat(h -> slice(0, 0, 2), b -> slice(0, 2, 2))
        yield (h*b, g -> sum(axis = 0))
    }
    columns = scan c in x with (axis = 1) { yield c -> cumsum }
    total = zeros((4, 2))
    nested = scan image in z {
        inner = zeros((4, 2))
        rows = scan row in image {
            inner = inner*0.5 + row*total
            yield inner -> sum(axis = 0)
        }
        total = total + inner + 1
        yield rows
    }
    drawn = scan a in x { yield a + noise(a, always = true)*0 }
    films = scan image in z { yield image -> conv(3, 3, pad = same) -> relu -> upsample(2, bilinear) }
    once  = scan a in x -> slice(0, 3, 1) { yield h*a }
    loss   mse(back -> flatten -> dense(5), y)
    output back
    output first
    output second
    output columns
    output nested
    output total
    output drawn
    output films
    output once
    output h
}
train loops { optimizer sgd(rate = 0.1) }
""",
    # No output is named, and each period compares what it computes: the predictions are those of the periods.
    "compared": """model compared {
    input  x: f32[3, 4]
    target y: f32[3, 4]
    h = zeros(4)
    losses = scan (a, b) in (x, y) {
        h = tanh((h -> dense(4)) + a)
        yield mse(h, b)
    }
    loss losses -> mean
}
train compared { optimizer sgd(rate = 0.1) }
""",
    # Nothing that is computed reads the input, which gives the batch.
    "blank": """model blank {
    input  n1: f32[6]
    target y: f32[3]
    param  drift: f32[3] init normal(1)
    calm = noise(n1, uniform) -> dense(3)
    loss mse(calm + drift, y)
    output calm
}
train blank { optimizer sgd(rate = 0.1) }
""",
    # Near 0 these are as large as their argument.
    "small": """model small {
    input  x: f32[50]
    target y: f32[50]
    param  w: f32[50] init constant(1e-4)
    a = expm1(x*w)
    b = log1p(x*w)
    c = expm1(x*40)
    loss   mse(a + b, y)
    output a
    output b
    output c
}
train small { optimizer sgd(rate = 1e-9) }
""",
    "large": """model large {
    input  x: f32[5, 3, 4]
    target y: f32[11, 9, 3]
    a = x -> conv_transpose(6, 3, stride = 2, more = (0, 1), groups = 2) -> relu -> conv_transpose(3, (1, 2), bias = false)
    b = x -> lrn(3)
    c = x -> reshape((15, 4)) -> lrn(3)
    d = matmul(x -> reshape((15, 4)), eye(4) + causal_mask(4))
    loss   mse(a, y)
    output a
    output b
    output c
    output d
}
train large { optimizer sgd(rate = 1e-3) }
""",
}

# Seconds since 1970, which single precision can't tell apart, and a number beside them.
TABLE = """model table {
    input  x: f32[2]
    target tree: class[2]
    scores = x -> dense(4) -> tanh -> dense(2)
    loss   cross_entropy(scores, tree)
    output scores
}
train table {
    data      table
    optimizer sgd(rate = 0.5)
}
"""


def table_rows(count):
    """Columns [count, 2] in double, and the text of the table."""
    seconds = 1.7e9 + 3 * np.arange(count)
    height = 20 + 7.5 * np.cos(np.arange(count))
    rows = [f"{s:.0f},{h:.3f},{('ash', 'oak')[k % 2]}" for k, (s, h) in enumerate(zip(seconds, height))]
    return np.stack([seconds, np.round(height, 3)], 1), "seconds,height,tree\n" + "\n".join(rows) + "\n"
