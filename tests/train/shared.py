"""What tests of trainers share."""
import array
import ast
import json
import struct

from verdict import run


def trains(v, exe, what, *options, status=0, timeout=600):
    done = run([exe, *options], timeout=timeout)
    v.check(f"{what}: exit status {status}", done.returncode == status, f"{done.returncode}: {done.stderr}")
    return done


def bytes_of(path):
    with open(path, "rb") as f:
        return f.read()


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
