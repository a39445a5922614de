# SPDX-License-Identifier: MIT
"""Readers of every kind of file that nnc writes, which share no code with it: each follows the format's own description, by Python's standard
library, and is strict. Each takes the file's bytes, and raises ValueError where another program would stumble. Where NumPy and Pillow are
there (Debian's python3-numpy, python3-pil), they read arrays and pictures too, and must have the same.
"""
import array
import ast
import csv
import html.parser
import io
import json
import re
import struct
import unicodedata
import xml.etree.ElementTree as xml
import zlib

try:
    import numpy
except ImportError:
    numpy = None
try:
    import PIL.Image as pillow
except ImportError:
    pillow = None


# ---- text

def text(data, newlines="\n"):
    """UTF-8 that a terminal shows as it is: no control character but the end of a line, and none that turns the direction of text."""
    decoded = data.decode("utf-8")
    bad = [c for c in decoded if c not in newlines and unicodedata.category(c) in ("Cc", "Cs") or c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"]
    if bad:
        raise ValueError(f"characters that are not shown: {bad[:5]!r}")
    return decoded


def rows(data):
    """Of CSV (RFC 4180): each row has as many cells as the first."""
    found = list(csv.reader(io.StringIO(text(data), newline=""), strict=True))
    if not found or any(len(row) != len(found[0]) for row in found):
        raise ValueError(f"rows of {sorted({len(row) for row in found})} cells")
    return found


def no_constant(word):
    raise ValueError(f"`{word}` is no JSON")


def no_key_twice(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError(f"a key twice: {[key for key, _ in pairs]}")
    return dict(pairs)


def value(data):
    return json.loads(text(data, "\n\t"), parse_constant=no_constant, object_pairs_hook=no_key_twice)


def lines(data):
    """Of JSON lines: one object each, all of them ended."""
    if data and not data.endswith(b"\n"):
        raise ValueError("the last line has no end")
    return [value(line) for line in data.splitlines()]


def drawing(data):
    text(data, "\n\t")
    root = xml.fromstring(data)
    if root.tag != "{http://www.w3.org/2000/svg}svg":
        raise ValueError(f"no SVG: {root.tag}")
    return root


class Page(html.parser.HTMLParser):
    ALONE = {"meta", "link", "br", "img", "hr", "input", "col", "wbr"}

    def __init__(self):
        super().__init__()
        self.open, self.words, self.tags = [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in self.ALONE:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise ValueError(f"</{tag}> closes nothing")

    def handle_data(self, data):
        self.words.append(data)


def page(data):
    found = Page()
    found.feed(text(data, "\n\t"))
    found.close()
    if found.open:
        raise ValueError(f"not closed: {found.open}")
    return found


# ---- tensors

BYTES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "U8": 1, "BOOL": 1}


def tensors(data):
    """Of safetensors, by the format's README: ({name: (dtype, shape, bytes)}, metadata). Offsets leave no gap and do not overlap."""
    length, = struct.unpack_from("<Q", data)
    if length > len(data) - 8 or data[8:9] != b"{":
        raise ValueError("no header")
    header = value(data[8:8 + length])
    metadata, body, end, found = header.pop("__metadata__", {}), data[8 + length:], 0, {}
    if not all(isinstance(x, str) for x in metadata.values()):
        raise ValueError("metadata is text")
    for name, tensor in sorted(header.items(), key=lambda x: x[1]["data_offsets"]):
        first, last = tensor["data_offsets"]
        count = BYTES[tensor["dtype"]]
        for n in tensor["shape"]:
            count *= n
        if set(tensor) != {"dtype", "shape", "data_offsets"} or first != end or last - first != count:
            raise ValueError(f"{name}: {tensor} after byte {end}")
        found[name], end = (tensor["dtype"], tensor["shape"], body[first:last]), last
    if end != len(body):
        raise ValueError(f"{len(body) - end} bytes are of no tensor")
    return found, metadata


def numbers(data):
    """Of .npy, by NumPy's description (numpy.lib.format): (shape, values)."""
    if data[:8] != b"\x93NUMPY\x01\x00":
        raise ValueError("no .npy of version 1.0")
    length, = struct.unpack_from("<H", data, 8)
    header = ast.literal_eval(data[10:10 + length].decode("latin1"))
    if (10 + length) % 64 or data[9 + length] != 10 or list(header) != sorted(header) or header["fortran_order"]:
        raise ValueError(f"header {header}")
    values = array.array({"<f4": "f", "<f8": "d", "<i4": "i", "|u1": "B"}[header["descr"]])
    values.frombytes(data[10 + length:])
    count = 1
    for n in header["shape"]:
        count *= n
    if count != len(values):
        raise ValueError(f"{len(values)} elements of {header['shape']}")
    if numpy:
        array_of = numpy.load(io.BytesIO(data), allow_pickle=False)
        if array_of.shape != header["shape"] or array_of.tobytes() != values.tobytes():
            raise ValueError(f"NumPy has {array_of.dtype} {array_of.shape}")
    return header["shape"], values


def pixels(data):
    """Of PNG: (width, height, colour type, [bytes of each row]); of 8 bits, not interlaced, whose rows are not filtered."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("no PNG")
    chunks, at = [], 8
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + length]
        if struct.unpack_from(">I", data, at + 8 + length)[0] != zlib.crc32(kind + body):
            raise ValueError(f"checksum of {kind}")
        chunks.append((kind, body))
        at += 12 + length
    if chunks[0][0] != b"IHDR" or chunks[-1] != (b"IEND", b""):
        raise ValueError(f"chunks {[kind for kind, _ in chunks]}")
    width, height, bits, colour, *ways = struct.unpack(">IIBBBBB", chunks[0][1])
    raw, step = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT")), width * (3 if colour == 2 else 1)
    if bits != 8 or any(ways) or len(raw) != height * (step + 1) or any(raw[::step + 1]):
        raise ValueError(f"{width}x{height} of {bits} bits, {len(raw)} bytes")
    rows_of = [raw[i * (step + 1) + 1:(i + 1) * (step + 1)] for i in range(height)]
    if pillow:
        picture = pillow.open(io.BytesIO(data))
        if picture.mode != {0: "L", 2: "RGB", 3: "P"}[colour] or picture.tobytes() != b"".join(rows_of):
            raise ValueError(f"Pillow has {picture.mode} {picture.size}")
    return width, height, colour, rows_of


# ---- TensorBoard's format, from its own description: crc32c.h, record_reader.cc, event.proto

TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    TABLE.append(byte)


def unmasked(masked):
    turned = (masked - 0xA282EAD8) & 0xFFFFFFFF
    return (turned >> 17 | turned << 15) & 0xFFFFFFFF


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def frames(data):
    at = 0
    while at < len(data):
        length, crc = struct.unpack_from("<QI", data, at)
        body = data[at + 12:at + 12 + length]
        foot, = struct.unpack_from("<I", data, at + 12 + length)
        if crc32c(data[at:at + 8]) != unmasked(crc) or crc32c(body) != unmasked(foot):
            raise ValueError(f"checksum at byte {at}")
        yield body
        at += 16 + length


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """{number: [values]} of a message."""
    found, at = {}, 0
    while at < len(data):
        key, at = varint(data, at)
        form = key & 7
        if form == 0:
            value, at = varint(data, at)
        elif form == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
        else:
            form = {1: "<d", 5: "<f"}[form]
            value, at = struct.unpack_from(form, data, at)[0], at + struct.calcsize(form)
        found.setdefault(key >> 3, []).append(value)
    return found


def events(data):
    found = [fields(body) for body in frames(data)]
    if found[0][3] != [b"brain.Event:2"]:
        raise ValueError(f"version {found[0]}")
    return found


def graph(data):
    """Of ONNX, as far as protobuf goes: {number: [values]} of the model, which has a version, a graph and operator sets."""
    found = fields(data)
    if not {1, 7, 8} <= set(found):
        raise ValueError(f"fields {sorted(found)}")
    for key, words in ((1, "node"), (5, "initializer"), (11, "input"), (12, "output")):
        if key not in fields(found[7][0]):
            raise ValueError(f"a graph without {words}")
    return found


# ---- by the end of a name

KINDS = ((r"\.csv$", rows), (r"\.jsonl$", lines), (r"\.json$", value), (r"\.svg$", drawing), (r"\.html$", page), (r"\.(safetensors|st|dump)$", tensors),
         (r"\.npy$", numbers), (r"\.png$", pixels), (r"\.tfevents\.", events), (r"\.onnx$", graph), (r"\.(txt|net)$", lambda data: text(data, "\n\t")))


def read(name, data):
    """By the kind that its name says; KeyError: none is known."""
    for pattern, reader in KINDS:
        if re.search(pattern, name):
            return reader(data)
    raise KeyError(name)
