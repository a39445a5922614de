#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `--licences` of nnc and of trainers says, beside the files themselves: licences.py NNC

Each library that a program is linked with, and each file of a library whose name stands in it to be opened, is in its list, and the list
has no other. Code that is linked in whole has its notice there.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import ROOT, Verdict, run, without_cuda

nnc = os.path.abspath(sys.argv[1])
v = Verdict("licences")


def bytes_of(path):
    with open(path, "rb") as f:
        return f.read()


def libraries_in(path):
    """libz of libz.so.1 and libpng of libpng16.so.16. Only a whole text is a name: sentences have some in them."""
    return {name.decode() for name in re.findall(rb"(?<=\0)(lib[a-zA-Z_-]+)[0-9]*\.so[.0-9]*(?=\0)", bytes_of(path))}


def compare(what, path):
    done = run([path, "--licences"])
    if not v.check(f"{what} --licences", done.returncode == 0 and not done.stderr, done.stderr):
        return ""
    table = done.stdout.split("passes")[0]
    said = set(re.findall(r"\blib[a-zA-Z-]+\b", " ".join(re.findall(r"\(([^()]*)\)$", table, re.M)))) - {"libomp"}
    there = libraries_in(path) - {"libomp"}  # in place of libgomp where clang compiles
    v.check(f"{what}: the libraries of the file are those of the list", there == said, f"only in the file {there - said}, only in the list {said - there}")
    return done.stdout


compare("nnc", nnc)
for name, options in (("mnist_cnn", []), ("rosenbrock_mlp", ["--library=none"]), ("mnist_cnn", ["--target=cuda"])):
    what = " ".join([name, *options])
    exe = v.path(f"t{len(options)}{name}{'cuda' in what}")
    done = run([nnc, os.path.join(ROOT, "models", name + ".net"), "-o", exe, *options])
    if without_cuda(done):
        v.skip(what, without_cuda(done))
        continue
    if not v.check(f"nnc {what}", done.returncode == 0, done.stderr):
        continue
    text = compare(what, exe)
    linked = b"protobuf_c_message_pack" in bytes_of(exe) or b"ProtobufC" in bytes_of(exe)
    v.check(f"{what}: protobuf-c's notice goes along where it is in the file", ("Dave Benson" in text) == linked, text)
v.finish()
