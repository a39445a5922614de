#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Images and their pixels' classes, as users have them: masks that a trainer learns from, and those that it predicts; and sequences
with a class at each place.

    masks.py NNC
"""
import functools
import os
import random
import shutil
import struct
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from shared import bytes_of, npy, png, png_chunk, read_npy, tensor_bytes, trains
from verdict import Verdict, build, json_lines, run

DATA_STATUS, USAGE = 3, 2  # of runtime/README.md
nnc = os.path.abspath(sys.argv[1])
v = Verdict("masks")
train = functools.partial(trains, v)

MASKED = """model masked {
    input  image: u8[4, 6, 1]
    target mask: class[2][4, 6]
    scores = image -> conv(2, 1)
    loss cross_entropy(scores, mask)
    picture = scale(image, 1/255)
    output picture
    output sum(one_hot(mask, 2), axis = (0, 1))
}
train masked {
    data      images augment flip
    steps     1
    batch     2
}
"""


def grey_bmp(rows):
    """8 bits a pixel, whose palette is grey."""
    height, width = len(rows), len(rows[0])
    data = b"".join(bytes(row) + b"\0" * (-width % 4) for row in reversed(rows))
    return struct.pack("<2sIIIIiiHHIIiiII", b"BM", 1078 + len(data), 0, 1078, 40, width, height, 1, 8, 0, len(data), 0, 0, 256, 0) + \
        b"".join(bytes((i, i, i, 0)) for i in range(256)) + data


def chunks_of(path):
    """Of a .png: its chunks, by kind."""
    content, found, at = bytes_of(path), {}, 8
    while at < len(content):
        length, kind = struct.unpack(">I4s", content[at:at + 8])
        found[kind] = content[at + 8:at + 8 + length]
        at += length + 12
    return found


def picture_rows(path):
    """Of a .png that nnc wrote, one byte a pixel."""
    chunks = chunks_of(path)
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    rows = zlib.decompress(chunks[b"IDAT"])
    return [list(rows[i * (width + 1) + 1:(i + 1) * (width + 1)]) for i in range(height)]


def counts_pixels(exe, data, saved, drawn, best):
    """What was taken for what, and the rows of each form, by the classes that the scores have as largest."""
    matrix, rows, lines = v.path("pixels.csv"), v.path("rows.csv"), v.path("rows.jsonl")
    done = train(exe, "pixels are counted", "eval", "--data", data, "--checkpoint", saved, "--confusion", matrix)
    with open(matrix, encoding="utf-8") as f:
        counts = [[int(x) for x in line.split(",")[1:]] for line in f.read().splitlines()[1:]]
    ones = sum(best)
    v.check("all are what was predicted", counts == [[len(best) - ones, 0], [0, ones]] and "class    pixels     right" in done.stdout,
            (counts, done.stdout))
    train(exe, "mistaken pixels", "eval", "--data", data, "--checkpoint", saved, "--mistakes", v.path("none.csv"), status=USAGE)
    train(exe, "rows of pixels", "predict", drawn, "--checkpoint", saved, "--out", rows)
    train(exe, "lines of pixels", "predict", drawn, "--checkpoint", saved, "--out", lines)
    with open(rows, encoding="utf-8") as f:
        head, *body = [line.split(",") for line in f.read().splitlines()]
    v.check("a column for each pixel", head == ["file"] + [f"class[{i}]" for i in range(24)], head)
    v.check("with its class", [int(x) for row in body for x in row[1:]] == best, body)
    found = json_lines(lines)
    v.check("or a list of them", [int(x) for one in found for x in one["class"]] == best and
            all(0.5 <= p <= 1 for one in found for p in one["probability"]), found)
    table = train(exe, "a table of shares", "predict", drawn, "--checkpoint", saved).stdout.splitlines()
    ones = sum(best[:24])
    shares = sorted(((ones, "1"), (24 - ones, "0")), key=lambda x: (-x[0], x[1]))
    v.check("of each picture", table[0].endswith("  classes") and
            table[1].endswith("  " + ", ".join(f"{name} {100 * n / 24:.2f} %" for n, name in shares if n)), table)
    train(exe, "one class is best", "predict", drawn, "--checkpoint", saved, "--top", "2", status=USAGE)


SEQUENCE = """model tagged {
    input  x: f32[5, 1]
    target tag: class[2][5]
    scores = x -> dense(2)
    loss cross_entropy(scores, tag)
}
train tagged {
    data      npy
    optimizer adam(rate = 0.1)
    batch     10
    epochs    40
}
"""


def tags_sequences():
    """The class of each place: whether its number is above 0."""
    source, data, saved = v.path("tagged.net"), v.path("tagged"), v.path("tagged.st")
    with open(source, "w", encoding="utf-8") as f:
        f.write(SEQUENCE)
    exe = build(v, nnc, source, "train_tagged")
    if not exe:
        return
    os.makedirs(data)
    generator = random.Random(3)
    for part, count in (("train", 200), ("test", 20)):
        values = [generator.choice((-1, 1)) * generator.uniform(0.5, 1.5) for _ in range(5 * count)]
        npy(os.path.join(data, f"{part}_x.npy"), "f", "<f4", (count, 5, 1), values)
        npy(os.path.join(data, f"{part}_tag.npy"), "i", "<i4", (count, 5), [int(x > 0) for x in values])
    train(exe, "classes of a sequence", "--data", data, "--checkpoint", saved)
    tags = [int(x > 0) for x in values]
    table = train(exe, "their table", "predict", data, "--checkpoint", saved).stdout.splitlines()
    v.check("has a class for each place", [[int(x) for x in line.split()[-5:]] for line in table[1:]] ==
            [tags[i:i + 5] for i in range(0, 100, 5)], table)
    done = train(exe, "their count", "eval", "--data", data, "--checkpoint", saved)
    v.check("is of places", "class    places     right" in done.stdout and f"{sum(tags):10d}{sum(tags):10d}    1.0000" in done.stdout, done.stdout)


def writes_masks(exe, folder):
    """The class of each pixel, the best of the scores that are beside it as .npy: a folder with a file for each image, as a data set of masks
    has them; what is there already, or is not ready, is no folder of predictions."""
    source = v.path("scored.net")
    with open(source, "w") as f:
        f.write("".join(line for line in MASKED.splitlines(True) if "picture" not in line and "one_hot" not in line)
                .replace("image -> conv", "scale(image, 1, -100) -> conv").replace("    loss", "    output scores\n    loss"))
    exe = build(v, nnc, source, "train_scored")
    if not exe:
        return
    saved, out, scores = v.path("scored.st"), v.path("written"), v.path("scored.npy")
    train(exe, "scores of pixels", "--data", folder, "--no-augment", "--checkpoint", saved)
    generator = random.Random(1)
    drawn = v.path("drawn")
    os.makedirs(drawn)
    for i in range(5):
        with open(os.path.join(drawn, f"photo{i}.bmp"), "wb") as f:
            f.write(grey_bmp([[generator.randrange(256) for _ in range(6)] for _ in range(4)]))
    done = train(exe, "masks in a folder", "predict", drawn, "--checkpoint", saved, "--out", out + "/")
    train(exe, "their scores", "predict", drawn, "--checkpoint", saved, "--out", scores)
    v.check("one for each image, by its name", sorted(os.listdir(out)) == [f"photo{i}.png" for i in range(5)] and f"{out}/  5 pictures" in done.stdout,
            done.stdout)
    values = read_npy(scores)[1]
    best = [int(values[2 * i + 1] > values[2 * i]) for i in range(5 * 24)]
    got = [x for i in range(5) for row in picture_rows(os.path.join(out, f"photo{i}.png")) for x in row]
    v.check("the best class of each pixel", got == best and {0, 1} == set(best), (got, best))
    chunks = chunks_of(os.path.join(out, "photo0.png"))
    v.check("with a colour for each class", chunks[b"IHDR"][8:10] == b"\x08\x03" and len(chunks[b"PLTE"]) == 768 and
            chunks[b"PLTE"][:12] == bytes((0, 0, 0, 128, 0, 0, 0, 128, 0, 128, 128, 0)), chunks)
    large, seen = v.path("large"), v.path("seen")
    os.makedirs(large)
    with open(os.path.join(drawn, "photo0.bmp"), "rb") as f:
        f.seek(1078)
        small = [list(f.read(8))[:6] for _ in range(4)][::-1]
    with open(os.path.join(large, "photo.bmp"), "wb") as f:
        f.write(grey_bmp([[x for x in row for _ in range(3)] for row in small for _ in range(2)]))
    train(exe, "a mask of a larger photo", "predict", large, "--checkpoint", saved, "--out", seen + "/")
    rows = picture_rows(os.path.join(seen, "photo.png"))
    v.check("is as large", [len(rows), len(rows[0])] == [8, 18], rows)
    v.check("each pixel has the nearest class", rows == [[x for x in row[1::3] for _ in range(3)] for row in rows[::2] for _ in range(2)], rows)
    again = v.path("again")
    shutil.copytree(drawn, os.path.join(again, "images"))
    shutil.copytree(out, os.path.join(again, "masks"))
    train(exe, "masks that were predicted are masks", "eval", "--data", again, "--holdout", "0.4", "--checkpoint", saved)
    counts_pixels(exe, again, saved, drawn, best)
    sheet = v.path("sheet.png")
    train(exe, "masks side by side", "predict", drawn, "--checkpoint", saved, "--out", sheet)
    rows = picture_rows(sheet)
    v.check("the same side by side, the last class white", [x for row in rows[:4] for x in row[:6]] == [255 * x for x in best[:24]], rows)
    v.check("nothing beside them", not [n for n in os.listdir(v.folder) if "written.nnc-" in n])
    train(exe, "a folder that is there", "predict", drawn, "--checkpoint", saved, "--out", out + "/", status=DATA_STATUS)


ASPECT = """model aspect {
    input  image: u8[4, 4, 1]
    target mask: class[2][4, 4]
    scores = image -> scale(1, -100) -> conv(2, 1)
    loss cross_entropy(scores, mask)
    output scores
}
train aspect {
    data      images resize keep_aspect(shorter = 4)
    steps     1
    batch     2
}
"""


def reads_what_it_wrote():
    """Of photos that are wider or higher than the window, masks that were predicted are read as the same: each pixel that is looked at has the class
    that was predicted for it. Without the window there are pixels of no class, and class 1 they are not."""
    exes = []
    for name, text in (("aspect", ASPECT), ("stretched", ASPECT.replace(" resize keep_aspect(shorter = 4)", ""))):
        with open(v.path(name + ".net"), "w", encoding="utf-8") as f:
            f.write(text)
        exes.append(build(v, nnc, v.path(name + ".net"), "train_" + name))
    if not all(exes):
        return
    data, saved, generator = v.path("photos"), v.path("aspect.st"), random.Random(5)
    os.makedirs(os.path.join(data, "images"))
    for i, (height, width) in enumerate(((4, 9), (8, 19), (13, 4), (21, 12), (5, 7), (3, 4), (2, 3))):
        with open(os.path.join(data, "images", f"{i}.bmp"), "wb") as f:
            f.write(grey_bmp([[generator.randrange(256) for _ in range(width)] for _ in range(height)]))
    shutil.copytree(os.path.join(data, "images"), v.path("first", "images"))
    os.makedirs(v.path("first", "masks"))
    for i, (height, width) in enumerate(((4, 9), (8, 19), (13, 4), (21, 12), (5, 7), (3, 4), (2, 3))):
        with open(v.path("first", "masks", f"{i}.bmp"), "wb") as f:
            f.write(grey_bmp([[generator.choice((0, 255)) for _ in range(width)] for _ in range(height)]))
    train(exes[0], "by a window", "--data", v.path("first"), "--checkpoint", saved)
    train(exes[0], "masks by a window", "predict", os.path.join(data, "images"), "--checkpoint", saved, "--out", os.path.join(data, "masks") + "/")
    wide = picture_rows(os.path.join(data, "masks", "1.png"))
    v.check("what was not seen is 255", wide[0][0] == wide[7][18] == 255 and {x for row in wide for x in row[6:13]} == {0, 1}, wide)
    large = v.path("large_photos")  # each of the model's pixels is one of theirs or more
    for kind, suffix in (("images", "bmp"), ("masks", "png")):
        os.makedirs(os.path.join(large, kind))
        for i in range(4):
            shutil.copy(os.path.join(data, kind, f"{i}.{suffix}"), os.path.join(large, kind))
    done = train(exes[0], "masks that were predicted by a window", "eval", "--data", large, "--checkpoint", saved)
    v.check("are read as they were predicted: all are right", [line.split()[-1] for line in done.stdout.splitlines()[2:]] == ["1.0000", "1.0000"], done.stdout)
    train(exes[0], "also of photos smaller than the model's", "eval", "--data", data, "--checkpoint", saved)
    done = run([exes[1], "--data", data, "--quiet"])
    v.check("what has no class is no class where all is looked at", done.returncode == DATA_STATUS and "has the value 255" in done.stderr and
            "255 is no class" in done.stderr, done.stderr)


def moves_both(folder):
    """The first batch has of each image, grey 7, what is in it, and its mask moved alike; by any number of workers."""
    source = v.path("moved.net")
    with open(source, "w", encoding="utf-8") as f:
        f.write(MASKED.replace("augment flip", "augment flip, crop(pad = 1), affine(degrees = 30, shift = 0.1), erase").replace("class[2]", "class[3]").replace("conv(2, 1)", "conv(3, 1)")
                .replace("output sum(one_hot(mask, 2), axis = (0, 1))", "output scores").replace("cross_entropy(scores, mask)", "cross_entropy(scores, mask, ignore = 2)"))
    exe = build(v, nnc, source, "train_moved")
    kept = {}
    for workers in ("0", "1", "4") if exe else ():
        saved, dumped = v.path(f"moved{workers}.st"), v.path(f"moved{workers}.dump")
        train(exe, f"masks, {workers} workers", "--data", folder, "--workers", workers, "--steps", "20", "--checkpoint", saved, "--dump", dumped)
        kept[workers] = bytes_of(saved), tensor_bytes(dumped, "input.image"), tensor_bytes(dumped, "input.mask")
    if kept:
        _, image, mask = kept["0"]
        v.check("masks: the same for any number of workers", kept["0"] == kept["1"] == kept["4"])
        classes = [mask[k * (len(mask) // len(image))] for k in range(len(image))]
        v.check("masks: outside of an image is the class that is left out", 0 in image and all((c == 2) == (i == 0) for i, c in zip(image, classes) if i in (0, 7)), (image, classes))


def border_is_left_out():
    """PASCAL VOC's masks: indices of a palette, 255 at borders. Before, such a mask was refused whatever the loss ignored."""
    folder, source = v.path("voc"), v.path("voc.net")
    for name in ("images", "masks"):
        os.makedirs(os.path.join(folder, name))
    colours = png_chunk(b"PLTE", bytes((i * k) % 256 for i in range(256) for k in (3, 5, 7)))
    for i in range(4):
        with open(os.path.join(folder, "images", f"{i}.bmp"), "wb") as f:
            f.write(grey_bmp([[7] * 6] * 4))
        with open(os.path.join(folder, "masks", f"{i}.png"), "wb") as f:
            f.write(png([[255] * 6, [0, 1, 0, 1, 0, 1], [255] * 6, [1] * 6], colour=3, before=colours))
    for ignore, status in ((", ignore = 2", 0), ("", DATA_STATUS)):
        with open(source, "w", encoding="utf-8") as f:
            f.write(MASKED.replace(" augment flip", "").replace("class[2]", "class[3]").replace("conv(2, 1)", "conv(3, 1)").replace("output sum(one_hot(mask, 2), axis = (0, 1))", "output scores")
                    .replace("cross_entropy(scores, mask)", f"cross_entropy(scores, mask{ignore})"))
        exe = build(v, nnc, source, "train_voc")
        done = train(exe, f"borders{ignore}", "--data", folder, "--dump", v.path("voc.dump"), status=status)
        v.check("borders: what names a class for them", status == 0 or "`ignore` of cross_entropy names the class" in done.stderr, done.stderr)
        if status == 0:
            mask = tensor_bytes(v.path("voc.dump"), "input.mask")
            got = [mask[i] for i in range(0, 24 * (len(mask) // 48), len(mask) // 48)]
            v.check("borders: are the class that is left out", got == [2] * 6 + [0, 1] * 3 + [2] * 6 + [1] * 6, got)


def reads_masks():
    """Images beside images of their pixels' classes: twice as large as the model's. Values are kept as the file has them: a
    gamma of 1 would make 1 to 21, 4 bits made 8 would be 17, and a palette's colours are no classes. What can't be kept is
    refused."""
    gamma = png_chunk(b"gAMA", struct.pack(">I", 100000))
    colours = png_chunk(b"PLTE", bytes((i * k) % 256 for i in range(256) for k in (3, 5, 7)))
    kinds = ((1, "png", lambda rows: png(rows, before=gamma)), (255, "bmp", grey_bmp),
             (1, "png", lambda rows: png(rows, 4, interlaced=True)),
             (1, "png", lambda rows: png(rows, colour=3, before=colours)))
    folder = v.path("masks_data")
    for name in ("images", "masks"):
        os.makedirs(os.path.join(folder, name))
    for i, (one, suffix, mask) in enumerate(kinds):
        with open(os.path.join(folder, "images", f"{i}.bmp"), "wb") as f:
            f.write(grey_bmp([[7] * 12] * 8))
        with open(os.path.join(folder, "masks", f"{i}.{suffix}"), "wb") as f:
            f.write(mask([[one * (x < 4 + 2 * i and y < 2) for x in range(12)] for y in range(8)]))
    with open(v.path("masked.net"), "w") as f:
        f.write(MASKED)
    exe = build(v, nnc, v.path("masked.net"), "train_masked")
    if not exe:
        return
    classes = v.path("masks_classes")
    os.makedirs(os.path.join(classes, "some"))
    with open(os.path.join(classes, "some", "0.bmp"), "wb") as f:
        f.write(grey_bmp([[7] * 12] * 8))
    done = run([exe, "--data", classes, "--quiet"])
    v.check("masks: what is needed in place of folders of classes", done.returncode == DATA_STATUS and
            "give a folder with images/NAME.jpg and masks/NAME.png" in done.stderr, done.stderr)
    moves_both(folder)
    train(exe, "masks", "--data", folder, "--no-augment", "--checkpoint", v.path("masked.st"))
    counted = v.path("masks.csv")
    done = run([exe, "predict", "--data", folder, "--checkpoint", v.path("masked.st"), "--out", counted])
    with open(counted) as f:
        ones = [line.strip().split(",")[-1] for line in f][1:]
    v.check("masks: the pixels of each class, nearest at half the size", [float(n) for n in ones] == [2, 3, 4, 5], (ones, done.stderr))
    seen = v.path("masks.png")
    train(exe, "pictures side by side", "predict", "--data", folder, "--checkpoint", v.path("masked.st"), "--out", seen)
    line = [7] * 6 + [0] + [7] * 6
    v.check("a picture of four, a pixel apart", picture_rows(seen) == 4 * [line] + [[0] * 13] + 4 * [line], picture_rows(seen))
    writes_masks(exe, folder)
    for bits, colour, width, says in ((16, 0, 12, "16 bits"), (8, 2, 36, "RGB")):
        with open(os.path.join(folder, "masks", "2.png"), "wb") as f:
            f.write(png([[0] * width] * 8, bits, colour))
        done = run([exe, "--data", folder, "--no-augment"])
        v.check(f"masks: no PNG of {says}", done.returncode == DATA_STATUS and
                all(part in done.stderr for part in ("2.png", says, "8-bit grey")), done.stderr)
    os.unlink(os.path.join(folder, "masks", "2.png"))
    with open(os.path.join(folder, "masks", "2.bmp"), "wb") as f:
        f.write(grey_bmp([[0] * 11 + [9]] * 8))
    done = run([exe, "--data", folder, "--no-augment"])
    v.check("masks: a value that is no class", done.returncode == DATA_STATUS and "2.bmp" in done.stderr and "column 11 has the value 9" in done.stderr,
            done.stderr)
    os.unlink(os.path.join(folder, "masks", "2.bmp"))
    done = run([exe, "--data", folder, "--no-augment"])
    v.check("masks: an image without one", done.returncode == DATA_STATUS and "no 2.png, .bmp or .pgm" in done.stderr, done.stderr)


reads_what_it_wrote()
reads_masks()
border_is_left_out()
tags_sequences()
v.finish()
