#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The functions of nnc that call themselves, by whatever way, are those listed here, each with what bounds it.

    gen/recursion.py BUILD

A graph is as deep as it has nodes, so nothing may recurse along it (compiler/README.md). gcc writes who calls whom (-fcallgraph-info); what
can call itself is a strongly connected part of that. Calls by pointers it does not see: those show under a small stack (tests/run).
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from verdict import ROOT, Verdict, run  # noqa: E402

build = os.path.abspath(sys.argv[1])
v = Verdict("gen, recursion")

BOUNDED = {
    "the text of an operator's form (OnnxForm.text)": "form_value",
    "trees of syntax, LIMIT_TREE high, and blocks, LIMIT_NESTING deep; all together DEPTH_MOST":
        "eval eval_arguments eval_binary eval_call eval_choice eval_condition eval_head eval_logic eval_sequence eval_step bind_parameters "
        "instantiate_block write_node mark reads run_scan scan read_sequences read_options "
        "walk_assigned",
    "files that are used, LIMIT_USES, and those that nnc has, each once": "load_file load_use load_library",
    "a parameter's default, a list of nnc's own": "parse_default",
    "values, LIMIT_NESTING deep": "write_value value_equal read_list",
    "places within blocks, LIMIT_NESTING deep": "net_place",
    "formulas of nnc's own, LIMIT_NESTING deep": "atom attribute called compare formula_value named product sum unary with_attributes",
    "scalar arithmetic that is written out, INLINE_NODES": "is_inline_tree inline_text scalar_text scalar_flops body_hoist find_mergeable "
                                                           "note_scalars counts_rows",
    "numbers of an on-chip step, NUMBER_NODES": "is_finished_number mark_sums number_text",
    "a formula in a comment, to DEEPEST": "formula_text operand_text",
    "copies and followers of one node, to COPY_DEPTH": "copy_for join_followers",
    "what a kernel computes again, to LONGEST_CHAIN or MOST_NODES": "extra_reads find_chain only_source operand_in",
    "taps of an image, to LONGEST_CHAIN": "map_tap",
    "loops in one another, LIMIT_NESTING deep": "write_loop write_nodes",
    "a graph, then the same without loops": "pass_predict",
    "what a group's mean is taken of, to the depth that it is called with": "first_place",
    "what attention's operands are computed of, to DEEPEST": "columns_of find_parts is_of_scores turn",
    "what a mask or an index is computed of, WALKED nodes": "is_whole may_be_low",
    "a piece of a buffer, one deeper for each region that it meets": "add_piece add_unseen",
    "views between a value and what repeats it, to MOST_VIEWS": "is_repeated_by_readers",
    "one axis of an image after the other": "blocks_added",
    "moves that a gather is read through, to DEEPEST": "keeps_rows sites_of_moves sources_of",
    "patterns, which are such formulas": "match match_call match_operands match_product match_factor pattern_factors",
    "the factors of a product, to FACTORS": "match_factors",
    "what is computed of constants, to DEEPEST": "is_known evaluate elements_below",
    "what a pattern has between nodes that have names, to DEEPEST": "sites_of",
    "what equal pieces are computed by, to DEEPEST, and what is one value, to SAME_DEPTH": "can_lift lift same_value",
    "pointwise steps behind a reshape, to DEEPEST": "in_shape operand_in_shape",
    "a lane's value of a period, to DEEPEST": "concat_at pad_at pointwise_at value_at view_at written_at",
    "bodies of loops, LIMIT_NESTING deep":
        "attrs_moved check_body check_nodes check_type copy_nodes graph_couples graph_flops graph_move graph_streams graph_unrolled_nodes print_body print_node "
        "loop_gradient read_body read_lines read_node run_loop run_period verify_part walk_back walk_period",
    "blocks of a kernel, CODE_DEPTH deep":
        "all_rewritten any_mentions check_all check_statement dump_all find_names leave_out_unread print_all print_inside print_statement "
        "statement_mentions",
    "a library's call and the kernel after it": "step_function",
}


def call_graph(sources):
    """{function: those it calls}; a static one is named with its file."""
    flags = ["-std=gnu17", "-D_GNU_SOURCE", "-w", "-O0", "-fcallgraph-info", "-I", os.path.join(ROOT, "compiler"), "-I", ROOT, "-I",
             os.path.join(build, "compiler"), '-DNNC_SOURCE_ROOT=""']

    def compile_one(numbered):
        number, source = numbered
        out = v.path(f"{number}.o")
        return source, run(["gcc", *flags, "-c", source, "-o", out]), out[:-2] + ".ci"

    calls = {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for source, done, info in pool.map(compile_one, enumerate(sources)):
            if not v.check(f"gcc -fcallgraph-info {os.path.relpath(source, ROOT)}", done.returncode == 0, done.stderr):
                continue
            with open(info, encoding="utf-8") as f:
                for caller, callee in re.findall(r'^edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"', f.read(), re.M):
                    calls.setdefault(caller, set()).add(callee)
    return calls


def recursive(calls):
    """Functions from which a path leads back, by Tarjan's algorithm without a recursion."""
    index, low, stack, on, found = {}, {}, [], set(), set()
    for root in calls:
        if root in index:
            continue
        work = [(root, iter(calls.get(root, ())))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            at, rest = work[-1]
            for to in rest:
                if to not in index:
                    index[to] = low[to] = len(index)
                    stack.append(to)
                    on.add(to)
                    work.append((to, iter(calls.get(to, ()))))
                    break
                if to in on:
                    low[at] = min(low[at], index[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[at])
                if low[at] == index[at]:
                    part = []
                    while not part or part[-1] != at:
                        part.append(stack.pop())
                        on.discard(part[-1])
                    if len(part) > 1 or at in calls.get(at, ()):
                        found.update(part)
    return found


if "Free Software Foundation" not in subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=False).stdout:
    v.skip("call graph", "gcc is not installed")
    v.finish()
sources = sorted(glob.glob(os.path.join(ROOT, "base", "*.c")) + glob.glob(os.path.join(ROOT, "compiler", "**", "*.c"), recursive=True)) + \
    [os.path.join(build, "compiler", name) for name in ("lexer.c", "parser.c")]
known = {name for names in BOUNDED.values() for name in names.split()}
now = {name.rsplit(":", 1)[-1] for name in recursive(call_graph(sources))}
for name in sorted(now):
    v.check(f"`{name}` recurses", name in known, "walk by ir/walk.h or a loop over the nodes; or say here what bounds it")
v.check("what is listed recurses", known <= now, known - now)
v.finish()
