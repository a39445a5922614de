#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Models of text as users train them: text.py NNC

A small models/gpt.net reads windows of a text that is made here, as characters and as bytes, its loss falls, and it writes text:
the same for the same seed, in the characters of the text, with the likeliest always at temperature 0.
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
sys.path.insert(0, os.path.join(HERE, "..", "witness"))
from formula import read_safetensors
from shared import metadata_of
from verdict import ROOT, Verdict, build, json_lines, run

nnc = os.path.abspath(sys.argv[1])
CONTEXT, BATCH = 16, 8
SMALL = ["-D", f"context={CONTEXT}", "-D", "width=32", "-D", "depth=1", "-D", "heads=2", "--set", f"batch={BATCH}", "--set",
         "rate=0.01 constant"]
LINES = "the sea is wide\n", "the são is \\ deep\n", "das Meer, weit\n", "a sea \u2014 a sea\n"


def made_text():
    """Lines in an order that no line gives away."""
    state, lines = 1, []
    for _ in range(400):
        state = state * 1103515245 + 12345 & 0x7FFFFFFF
        lines.append(LINES[state >> 16 & 3])
    return "".join(lines)


def check_windows(v, exe, path, tokens, label):
    """Each window of a step is somewhere in the text, its targets are one further, and none is of the held-out tail."""
    dump = v.path("dump.safetensors")
    shown = {}
    for name, words in (("random", []), ("again", []), ("other", ["--seed", "5"]), ("in order", ["--no-shuffle"])):
        done = run([exe, "--data", path, "--steps", "1", "--dump", dump, "--quiet", "--no-eval", *words])
        if not v.check(f"{label}: {name}, runs", done.returncode == 0, done.stderr):
            return
        read = read_safetensors(dump)
        shown[name] = [list(read[f"input.{n}"][1]) for n in ("text", "next")]
    train = tokens[:len(tokens) - int(len(tokens) * 0.1)]
    starts = {}
    for i in range(len(train) - CONTEXT):
        starts.setdefault(tuple(train[i:i + CONTEXT + 1]), []).append(i)
    for name, (text, following) in shown.items():
        windows = [tuple(text[k:k + CONTEXT]) + (following[k + CONTEXT - 1],) for k in range(0, BATCH * CONTEXT, CONTEXT)]
        moved = all(text[k + 1:k + CONTEXT] == following[k:k + CONTEXT - 1] for k in range(0, BATCH * CONTEXT, CONTEXT))
        v.check(f"{label}: {name}, windows of the text and what follows", moved and all(w in starts for w in windows), windows)
        if name == "in order":
            v.check(f"{label}: in order, one after the other", all(k * CONTEXT in starts[w] for k, w in enumerate(windows)))
    v.check(f"{label}: the same seed, the same windows", shown["random"] == shown["again"])
    v.check(f"{label}: another seed, others", shown["random"] != shown["other"])
    v.check(f"{label}: not in order", shown["random"] != shown["in order"])


def trained(v, exe, path, label, entropy):
    weights, log = v.path(f"{label}.safetensors"), v.path(f"{label}.jsonl")
    done = run([exe, "--data", path, "--steps", "150", "--checkpoint", weights, "--log", log])
    if not v.check(f"{label}: trains", done.returncode == 0, done.stderr):
        return None
    epochs = [line for line in json_lines(log) if "epoch" in line]
    v.check(f"{label}: the loss falls, held out too", epochs[-1]["eval_loss"] < 0.6 * entropy, epochs)
    done = run([exe, "eval", "--data", path, "--holdout", "0.1", "--checkpoint", weights])
    v.check(f"{label}: eval agrees", f"eval_loss {epochs[-1]['eval_loss']:.4g}"[:14] in done.stdout, done.stdout + done.stderr)
    return weights


def check_writing(v, exe, weights, text, label):
    def sample(*words):
        return run([exe, "sample", "--checkpoint", weights, *words])
    first, again = sample("--prompt", "the sea", "--tokens", "40"), sample("--prompt", "the sea", "--tokens", "40")
    v.check(f"{label}: sample begins with the prompt", first.returncode == 0 and first.stdout.startswith("the sea"), first.stderr)
    v.check(f"{label}: one seed, one text", first.stdout == again.stdout)
    v.check(f"{label}: another seed, another", first.stdout != sample("--prompt", "the sea", "--tokens", "40", "--seed", "9").stdout)
    likeliest = {sample("--prompt", "das Mee", "--tokens", "30", *w).stdout for w in (["--temperature", "0"], ["--top-k", "1", "--seed", "4"])}
    v.check(f"{label}: temperature 0 is top-k 1", len(likeliest) == 1, likeliest)
    v.check(f"{label}: 40 characters, all of the text's", len(first.stdout) == 7 + 40 + 1 and set(first.stdout) <= set(text), first.stdout)
    v.check(f"{label}: it has learned", min(likeliest).startswith("das Meer, weit"), likeliest)
    done = sample("--tokens", "3")
    v.check(f"{label}: a prompt is not needed", done.returncode == 0, done.stderr)


def check_refusals(v, exe, bytes_exe, weights, text_path):
    bad, short, foreign = v.path("bad.txt"), v.path("short.txt"), v.path("foreign.txt")
    with open(bad, "wb") as f:
        f.write(b"abc\xff" * 100)
    with open(short, "w") as f:
        f.write("abc")
    nul = v.path("nul.txt")
    with open(nul, "wb") as f:
        f.write(b"ab\0c" * 100)
    with open(foreign, "w", encoding="utf-8") as f:
        f.write("the sea is z\u00e4h\n" * 10)
    for what, status, words, sentence in (
            ("no UTF-8", 3, ["--data", bad], "is no UTF-8 text: see its byte 3"),
            ("a NUL", 3, ["--data", nul], "is no text: its byte 2 is a NUL"),
            ("too short", 3, ["--data", short], "has 3 characters, and the model reads 16"),
            ("other characters to evaluate on", 3, ["--data", text_path, "--eval-data", foreign, "--steps", "1"], "that `--data` has not"),
            ("characters that the model has not", 2, ["sample", "--checkpoint", weights, "--prompt", "\u00e4"],
             "the character `\u00e4`, at byte 0, that the model does not know"),
            ("no prompt", 2, ["sample", "--checkpoint", weights, "--prompt", ""], "`--prompt` wants a text (TEXT), not an empty word"),
            ("temp", 2, ["sample", "--checkpoint", weights, "--temp", "0.5"], "it is called `--temperature` here"),
            ("no checkpoint", 2, ["sample"], "which characters the model writes is not known"),
            ("a folder", 3, ["--data", os.path.dirname(bad)], "this model learns a text: give a file of it"),
            ("an option of training", 2, ["sample", "--data", "x"], "there is no option `--data` of `sample`")):
        done = run([exe, *words])
        v.check(f"refused: {what}", done.returncode == status and sentence in done.stderr, f"{done.returncode} {done.stderr}")
    done = run([bytes_exe, "--data", bad, "--steps", "1", "--quiet"])
    v.check("bytes: any file", done.returncode == 0, done.stderr)


TOKENS = """model tokens {
    input  text: i32[4]
    target next: class[%d][4]
    scores = text -> embedding(%d, 8) -> dense(%d)
    loss   cross_entropy(scores, next)
    output scores
}
train tokens {
    batch 4
    %s
}
"""


def check_tokens(v):
    """Tokens that are no bytes are written as their numbers, all of them, and read as such: a model of 2,000 writes some above 255."""
    for count, said, numbers in ((2000, "", True), (256, "", False), (100, "", True), (2000, "data bytes", False), (256, "data npy", True)):
        label, source = f"{count} tokens {said}", v.path("tokens.net")
        with open(source, "w", encoding="utf-8") as f:
            f.write(TOKENS % (count, count, count, said))
        exe = build(v, nnc, source, "tokens")
        if not exe:
            continue
        done = run([exe, "sample", "--prompt", "65 66", "--tokens", "50"])
        if not numbers:
            v.check(f"{label}: bytes", done.returncode == 0 and done.stdout.startswith("65 66") and len(done.stdout) > 50 and "numbers" not in done.stderr,
                    done.stdout + done.stderr)
            continue
        said_numbers = [int(word) if word.isdigit() else -1 for word in done.stdout.split()]
        v.check(f"{label}: numbers", done.returncode == 0 and said_numbers[:2] == [65, 66] and len(said_numbers) == 52 and
                0 <= min(said_numbers) and max(said_numbers) < count and (count < 256 or max(said_numbers) > 255 or count == 256), done.stdout + done.stderr)
        v.check(f"{label}: which is said", "written as numbers" in done.stderr, done.stderr)
        v.check(f"{label}: without a prompt", run([exe, "sample", "--tokens", "3"]).stdout.count(" ") == 2)
        for prompt in ("the sea", str(count), "-1", "1,2", "3x", "99999999999999999999"):
            done = run([exe, "sample", "--prompt", prompt])
            v.check(f"{label}: `{prompt}` is refused", done.returncode == 2 and f"numbers from 0 to {count - 1}" in done.stderr, done.stderr)
    for scores, options, status, says in (("scores", ["--precision=fp64"], 0, ""), ("scores + sqrt(arange(100) - 0.5)", [], 5, "not a number")):
        with open(source, "w", encoding="utf-8") as f:
            f.write((TOKENS % (100, 100, 100, "")).replace("output scores", f"output {scores}"))
        exe = build(v, nnc, source, "tokens", *options)
        done = run([exe, "sample", "--prompt", "65 66", "--tokens", "5"])
        v.check(f"by `{scores}` {' '.join(options)}", done.returncode == status and says in done.stderr, f"{done.returncode}: {done.stderr}")


def check_mark(v, exe, bytes_exe, path, letters):
    """The mark that some editors put ahead of UTF-8 is no character of the text; of bytes it is three."""
    marked, saved = v.path("marked.txt"), v.path("marked.safetensors")
    with open(path, "rb") as f, open(marked, "wb") as to:
        to.write(b"\xef\xbb\xbf" + f.read())
    done = run([exe, "--data", marked, "--eval-data", path, "--steps", "1", "--checkpoint", saved])
    names = json.loads(metadata_of(saved)["classes"])
    v.check("a mark of UTF-8 is no character", done.returncode == 0 and [n.replace("\\x0A", "\n") for n in names] == letters, (done.stderr, names))
    done = run([exe, "--data", path, "--eval-data", marked, "--steps", "1"])
    v.check("nor of the text to evaluate on", done.returncode == 0, done.stderr)
    done = run([bytes_exe, "--data", marked, "--steps", "1"])
    v.check("of bytes it is three", done.returncode == 0 and f"text of {os.path.getsize(marked)} bytes" in done.stdout + done.stderr, done.stdout + done.stderr)


def main():
    v = Verdict("train, text")
    model, text, path = os.path.join(ROOT, "models", "gpt.net"), made_text(), v.path("made.txt")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    letters = sorted(set(text))
    exe = build(v, nnc, model, "chars", "--recipe=chars", *SMALL, "-D", f"vocab={len(letters)}")
    bytes_exe = build(v, nnc, model, "bytes", "--recipe=bytes", *SMALL)
    if exe and bytes_exe:
        check_windows(v, exe, path, [letters.index(c) for c in text], "characters")
        check_windows(v, bytes_exe, path, list(text.encode()), "bytes")
        weights = trained(v, exe, path, "characters", 3.2)
        if weights:
            check_writing(v, exe, weights, text, "characters")
            check_refusals(v, exe, bytes_exe, weights, path)
        check_mark(v, exe, bytes_exe, path, letters)
        done = run([bytes_exe, "sample", "--prompt", "the s\u00e3o", "--tokens", "10"])
        v.check("bytes: written before any training", done.returncode == 0 and done.stdout.startswith("the s\u00e3o"), done.stderr)
    check_tokens(v)
    v.finish()


main()
