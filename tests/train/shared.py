# SPDX-License-Identifier: MIT
"""What tests of trainers share."""
import array
import ast
import json
import os
import shutil
import struct
import zlib

from verdict import run


def trains(v, exe, what, *options, status=0, timeout=600):
    done = run([exe, *options], timeout=timeout)
    v.check(f"{what}: exit status {status}", done.returncode == status, f"{done.returncode}: {done.stderr}")
    return done


def bytes_of(path):
    with open(path, "rb") as f:
        return f.read()


def metadata_of(path):
    """Of a safetensors file."""
    whole = bytes_of(path)
    return json.loads(whole[8:8 + struct.unpack("<Q", whole[:8])[0]])["__metadata__"]


def rewritten(path, to, **changes):
    """Writes the checkpoint with other metadata, None: without the entry, and their checksum; returns `to`."""
    data = bytes_of(path)
    start = 8 + struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:start])
    metadata = {**header["__metadata__"], **changes, "crc32": "0" * 8}
    header["__metadata__"] = {key: value for key, value in metadata.items() if value is not None}
    text = json.dumps(header, separators=(",", ":")).encode()
    whole = struct.pack("<Q", len(text)) + text + data[start:]
    with open(to, "wb") as f:
        f.write(whole.replace(b'"crc32":"00000000"', b'"crc32":"%08x"' % zlib.crc32(whole)))
    return to


def tensor_bytes(path, name):
    """Of a safetensors file."""
    whole = bytes_of(path)
    start = 8 + struct.unpack("<Q", whole[:8])[0]
    first, end = json.loads(whole[8:start])[name]["data_offsets"]
    return whole[start + first:start + end]


def read_npy(path):
    """Shape and elements of what a trainer wrote."""
    content = bytes_of(path)
    length = 10 + struct.unpack("<H", content[8:10])[0]
    header = ast.literal_eval(content[10:length].decode())
    values = array.array({"<f4": "f", "<i4": "i"}[header["descr"]])
    values.frombytes(content[length:])
    return header["shape"], values


def npy(path, array_type, code, shape, values, cut=0):
    header = f"{{'descr': '{code}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    content = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
    content += array.array(array_type, values).tobytes()
    with open(path, "wb") as f:
        f.write(content[:len(content) - cut])
    return path


def idx(values, *dim):
    """A file of MNIST's form: bytes of these dimensions."""
    return struct.pack(">BBBB", 0, 0, 8, len(dim)) + struct.pack(f">{len(dim)}I", *dim) + bytes(values)


def digits_folder(v, name, images=64, change=None):
    """A small MNIST folder; `change` maps a file name to a function on its bytes."""
    folder = v.path(name)
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    files = {}
    for part, count in (("train", images), ("t10k", 32)):
        files[f"{part}-images-idx3-ubyte"] = idx((i * 7 % 256 for i in range(count * 784)), count, 28, 28)
        files[f"{part}-labels-idx1-ubyte"] = idx((i % 10 for i in range(count)), count)
    for file, content in files.items():
        content = change.get(file, lambda b: b)(content) if change else content
        if content is not None:
            with open(os.path.join(folder, file), "wb") as f:
                f.write(content)
    return folder


PNG_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(rows, bits=8, colour=0, before=b"", interlaced=False):
    """Values as they are, `bits` each, of PNG's colour type; `before`: chunks ahead of the pixels."""
    each = PNG_CHANNELS[colour]

    def packed(row):
        digits = "".join(f"{value:0{bits}b}" for value in row)
        digits += "0" * (-len(digits) % 8)
        return int(digits, 2).to_bytes(len(digits) // 8, "big")
    pixels = [[row[i:i + each] for i in range(0, len(row), each)] for row in rows]
    lines = [sum(row[x::right], []) for x, y, right, down in (ADAM7 if interlaced else ((0, 0, 1, 1),)) for row in pixels[y::down] if row[x::right]]
    size = struct.pack(">II", len(rows[0]) // each, len(rows))
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", size + bytes((bits, colour, 0, 0, interlaced))) + before + \
        png_chunk(b"IDAT", zlib.compress(b"".join(b"\0" + packed(line) for line in lines))) + png_chunk(b"IEND", b"")


def philox(stream, seed, number, sample, epoch=0):
    """The four words that number `number` of a sample's draws is made of (runtime/host/rng.h)."""
    c = [sample, number << 16, epoch, stream]
    k0, k1 = seed, 0
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [p1 >> 32 ^ c[1] ^ k0, p1 & 0xFFFFFFFF, p0 >> 32 ^ c[3] ^ k1, p0 & 0xFFFFFFFF]
        k0, k1 = k0 + 0x9E3779B9 & 0xFFFFFFFF, k1 + 0xBB67AE85 & 0xFFFFFFFF
    return c
