#!/usr/bin/env python3
"""What a network sees of an image file: pixels.py NNC

Pixels are what the file stores, in each of PNG's kinds: of 16 bits the high byte, whatever chunks stand beside them (gamma, profiles),
and what is transparent is put on black by the stored values. Files are written here, byte by byte, and by other programs (pictures/).
"""
import functools
import os
import struct
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from shared import PNG_CHANNELS, png, png_chunk, read_npy, trains
from verdict import Verdict, build

nnc = os.path.abspath(sys.argv[1])
v = Verdict("pixels")
train = functools.partial(trains, v)
HEIGHT, WIDTH = 4, 5

NET = """model pixels {
    input  image: u8[%d, %d, %d]
    target kind: class[2]
    loss   cross_entropy(image -> scale(1/255) -> flatten -> dense(2), kind)
    output scale(image, 1)
}
train pixels { batch 4 }
"""


def stored(bits, colour, seed):
    """Rows of values, each of PNG's `bits`: dark and light, opaque and not."""
    each, most = PNG_CHANNELS[colour], 2**bits - 1
    return [[(y * y * 977 + x * 31 * seed + x * x * 4099) % (most + 1) if (x + y) % 3 else (x * most // (WIDTH * each)) for x in range(WIDTH * each)]
            for y in range(HEIGHT)]


PALETTE = [((i * 37 + 5) % 256, (i * 91 + 60) % 256, (i * 11 + 128) % 256) for i in range(256)]


def on_black(value, opaque):
    return (value * opaque + 127) // 255


def seen(rows, bits, colour, opacities=None, transparent=None):
    """The three bytes of each pixel. opacities: of the palette; transparent: the colour that is."""
    def byte(value):
        return value >> 8 if bits == 16 else value * 255 // (2**bits - 1)
    each, pixels = PNG_CHANNELS[colour], []
    for row in rows:
        for at in range(0, len(row), each):
            values = row[at:at + each]
            opaque = 0 if transparent is not None and values == transparent else 255
            if colour == 3:
                opaque = opacities[values[0]] if opacities and values[0] < len(opacities) else 255
                shown = PALETTE[values[0]]
            else:
                if colour & 4:
                    opaque = byte(values.pop())
                shown = [byte(x) for x in values] * (1 if colour & 2 else 3)
            pixels.append([on_black(x, opaque) for x in shown])
    return pixels


def grey_of(pixels):
    """Rec. 601, as Pillow has it."""
    return [(19595 * r + 38470 * g + 7471 * b + 32768) >> 16 for r, g, b in pixels]


def files():
    """(name, bytes, the pixels that are seen)."""
    beside = {"alone": b"", "gamma 1": png_chunk(b"gAMA", struct.pack(">I", 100000)), "gamma 2.2": png_chunk(b"gAMA", struct.pack(">I", 45455)),
              "sRGB": png_chunk(b"sRGB", b"\0"), "a white point": png_chunk(b"cHRM", struct.pack(">8I", 31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000)),
              "a profile": png_chunk(b"iCCP", b"x\0\0" + zlib.compress(bytes(200)))}
    for colour, depths in ((0, (1, 2, 4, 8, 16)), (2, (8, 16)), (3, (1, 2, 4, 8)), (4, (8, 16)), (6, (8, 16))):
        for bits in depths:
            rows = stored(bits, colour, colour + 3)
            palette = png_chunk(b"PLTE", b"".join(map(bytes, PALETTE[:2**bits]))) if colour == 3 else b""
            for what, chunk in beside.items():
                for interlaced in (False, True):
                    yield (f"colour {colour} of {bits} bits with {what}" + (", interlaced" if interlaced else ""),
                           png(rows, bits, colour, chunk + palette, interlaced), seen(rows, bits, colour))
            if colour == 3:
                opacities = [i * 83 % 256 for i in range(2**bits)]
                yield f"a palette of {bits} bits, half transparent", png(rows, bits, 3, palette + png_chunk(b"tRNS", bytes(opacities))), seen(rows, bits, 3, opacities)
            elif not colour & 4:
                clear = rows[1][:PNG_CHANNELS[colour]]
                yield (f"colour {colour} of {bits} bits, one of its colours transparent",
                       png(rows, bits, colour, png_chunk(b"tRNS", struct.pack(f">{len(clear)}H", *clear))), seen(rows, bits, colour, transparent=clear))


def of_others():
    """Those of other programs (pictures/README.md), each with its pixels as that program says them."""
    folder = os.path.join(HERE, "pictures")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".png"):
            with open(os.path.join(folder, name), "rb") as f, open(os.path.join(folder, name[:-4] + ".txt"), encoding="utf-8") as wanted:
                numbers = [int(x) for x in wanted.read().split()]
                yield f"{name} of another program", f.read(), [numbers[i:i + 3] for i in range(0, len(numbers), 3)]


made = [*files(), *of_others()]
folder = v.path("files")
os.mkdir(folder)
for k, (_, content, _) in enumerate(made):
    with open(os.path.join(folder, f"{k:04}.png"), "wb") as f:
        f.write(content)
for channels in (3, 1):
    source, out = v.path(f"pixels{channels}.net"), v.path(f"pixels{channels}.npy")
    with open(source, "w", encoding="utf-8") as f:
        f.write(NET % (HEIGHT, WIDTH, channels))
    exe = build(v, nnc, source, f"pixels{channels}")
    if not exe:
        continue
    weights = v.path("weights.st")
    train(exe, "weights", "--data", "synth:random", "--steps", "1", "--checkpoint", weights, "--quiet")
    done = train(exe, "files are seen", "predict", folder, "--checkpoint", weights, "--out", out)
    if not v.check("all of them are", "left out" not in done.stderr and os.path.exists(out), done.stderr):
        continue
    _, values = read_npy(out)
    each = HEIGHT * WIDTH * channels
    for k, (name, _, pixels) in enumerate(made):
        wanted = [x for pixel in pixels for x in pixel] if channels == 3 else grey_of(pixels)
        v.check(f"{name}, to {channels} channels", [int(x) for x in values[k * each:(k + 1) * each]] == wanted, (values[k * each:(k + 1) * each], wanted))
v.finish()
