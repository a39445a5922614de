"""What tests of trainers share."""
import array
import ast
import struct

from verdict import run


def trains(v, exe, what, *options, status=0, timeout=600):
    done = run([exe, *options], timeout=timeout)
    v.check(f"{what}: exit status {status}", done.returncode == status, f"{done.returncode}: {done.stderr}")
    return done


def bytes_of(path):
    with open(path, "rb") as f:
        return f.read()


def read_npy(path):
    """Shape and elements of what a trainer wrote."""
    content = bytes_of(path)
    length = 10 + struct.unpack("<H", content[8:10])[0]
    header = ast.literal_eval(content[10:length].decode())
    values = array.array({"<f4": "f", "<i4": "i"}[header["descr"]])
    values.frombytes(content[length:])
    return header["shape"], values
