#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a network sees of an image file: pixels.py NNC

Pixels are what the file stores, in each of PNG's kinds: of 16 bits the high byte, whatever chunks stand beside them (gamma, profiles),
and what is transparent is put on black by the stored values. Files are written here, byte by byte, and by other programs (pictures/).
"""
import functools
import os
import resource
import struct
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from shared import PNG_CHANNELS, png, png_chunk, read_npy, trains
from verdict import Verdict, build, run

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


def segment(marker, data):
    return bytes((255, marker)) + struct.pack(">H", len(data) + 2) + data


def packed(bits):
    """Of a JPEG's scan."""
    bits += "1" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")


def many_scans(height, width, scans):
    """A progressive JPEG, grey as nothing, whose scans after the first are runs of blocks without coefficients: some hundred bytes each, and all
    blocks are gone through. 499 of 8000x8000 are 181 kB."""
    left = blocks = -(-height // 8) * -(-width // 8)
    runs = ""
    while left:
        k = min(left.bit_length() - 1, 14)
        count = min(left, 2**(k + 1) - 1)
        runs += f"{k:04b}" + (f"{count - 2**k:0{k}b}" if k else "")
        left -= count
    whole = b"\xff\xd8" + segment(0xe1, b"a thumbnail's \xff\xda is no scan" * 600)
    whole += segment(0xdb, b"\0" + b"\1" * 64) + segment(0xc2, struct.pack(">BHHB", 8, height, width, 1) + bytes((1, 0x11, 0)))
    whole += segment(0xc4, bytes((0, 1) + (0,) * 15 + (0,))) + segment(0xc4, bytes((16, 0, 0, 0, 15) + (0,) * 12) + bytes(k << 4 for k in range(15)))
    whole += segment(0xda, bytes((1, 1, 0, 0, 0, 0))) + packed("0" * blocks)
    steps = [(level, k) for level in range(13, -1, -1) for k in range(1, 64)]
    for level, k in steps[:scans - 1]:
        whole += segment(0xda, bytes((1, 1, 0, k, k, (0 if level == 13 else level + 1) << 4 | level))) + packed(runs)
    return whole + b"\xff\xd9"


def bounds_scans(exe, weights):
    """Scans times pixels are bounded before anything is decoded; small pictures of many scans, and large ones of a few, are read."""
    for height, width, scans, holds in ((8000, 8000, 499, False), (8000, 8000, 34, False), (8000, 8000, 33, True), (600, 500, 499, True)):
        path = v.path(f"{height}_{scans}.jpg")
        with open(path, "wb") as f:
            f.write(many_scans(height, width, scans))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = run([exe, "predict", path, "--checkpoint", weights])
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        said = done.returncode == 0 if holds else done.returncode == 3 and "too many scans" in done.stderr
        v.check(f"{scans} scans of {height}x{width} are {'read' if holds else 'refused at once'}", said and seconds < 4, (seconds, done.stderr))


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
    if channels == 3:
        bounds_scans(exe, weights)
    done = train(exe, "files are seen", "predict", folder, "--checkpoint", weights, "--out", out)
    if not v.check("all of them are", "left out" not in done.stderr and os.path.exists(out), done.stderr):
        continue
    _, values = read_npy(out)
    each = HEIGHT * WIDTH * channels
    for k, (name, _, pixels) in enumerate(made):
        wanted = [x for pixel in pixels for x in pixel] if channels == 3 else grey_of(pixels)
        v.check(f"{name}, to {channels} channels", [int(x) for x in values[k * each:(k + 1) * each]] == wanted, (values[k * each:(k + 1) * each], wanted))
v.finish()
