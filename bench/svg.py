# SPDX-License-Identifier: MIT
"""Plots of bench/study as SVG files: bars and lines, readable in light and dark, without scripts, fonts or links of others."""
import html

WIDTH, LEFT, RIGHT, TOP = 720, 190, 90, 56
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #222 } .title { font-size: 16px; font-weight: 600 } .note { fill: #666 }
  .nnc { fill: #1f6feb; stroke: #1f6feb } .peer { fill: #d2691e; stroke: #d2691e } .line { fill: none; stroke-width: 2 }
  .axis { stroke: #bbb; stroke-width: 1 } .back { fill: #fff }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e6e6 } .note { fill: #a0a0a0 } .axis { stroke: #555 } .back { fill: #16181d }
    .nnc { fill: #6ea8fe; stroke: #6ea8fe } .peer { fill: #f0a868; stroke: #f0a868 }
  }
"""
NAMES = {"nnc": "nnc", "peer": "PyTorch"}


def number(x):
    return f"{x:,.0f}" if x >= 100 else f"{x:.3g}"


def text(x, y, words, kind="", anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}" stroke="none">{html.escape(str(words))}</text>'


def framed(title, unit, height, marks, sides):
    legend = []
    for i, side in enumerate(sides):
        x = WIDTH - 180 + 80 * i
        legend += [f'<rect x="{x}" y="32" width="10" height="10" class="{side}" stroke="none"/>', text(x + 15, 42, NAMES[side])]
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{html.escape(title)}">',
                      f"<style>{STYLE}</style>", f'<rect class="back" width="{WIDTH}" height="{height}"/>', text(16, 24, title, "title"),
                      text(16, 42, unit, "note"), *legend, *marks, "</svg>"]) + "\n"


def bars(title, unit, rows):
    """`rows`: (label, {"nnc": value, "peer": value}); a side without a value has no bar."""
    sides = [side for side in NAMES if any(values.get(side) for _, values in rows)]
    most = max((v for _, values in rows for v in values.values() if v), default=1)
    marks, y = [], TOP + 8
    for label, values in rows:
        marks.append(text(LEFT - 10, y + 9 * len(sides) + 4, label, anchor="end"))
        for side in sides:
            value = values.get(side) or 0
            length = (WIDTH - LEFT - RIGHT) * value / most
            marks += [f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="15" class="{side}" stroke="none"/>',
                      text(LEFT + length + 6, y + 12, number(value) if value else "not measured", "note")]
            y += 18
        y += 10
    marks.append(f'<line class="axis" x1="{LEFT}" y1="{TOP}" x2="{LEFT}" y2="{y}"/>')
    return framed(title, unit, y + 16, marks, sides)


def lines(title, unit, across, rows):
    """`rows`: (x, {"nnc": y, "peer": y}), by growing x; x are spaced evenly and named as they are. `across`: what x is."""
    sides = [side for side in NAMES if any(values.get(side) is not None for _, values in rows)]
    most = max((v for _, values in rows for v in values.values() if v is not None), default=0) or 1
    height, left, step = 380, 80, (WIDTH - 120) / max(1, len(rows) - 1)
    bottom = height - 56

    def place(i, value):
        return left + step * i, bottom - (bottom - TOP - 10) * value / most
    marks = []
    for k in range(5):
        _, y = place(0, most * k / 4)
        marks += [f'<line class="axis" x1="{left}" y1="{y:.1f}" x2="{WIDTH - 40}" y2="{y:.1f}"/>',
                  text(left - 8, y + 4, number(most * k / 4) if k else "0", "note", "end")]
    every = max(1, -(-len(rows) // 12))
    marks += [text(left + step * i, bottom + 20, x, anchor="middle") for i, (x, _) in enumerate(rows) if i % every == 0]
    marks.append(text((left + WIDTH - 40) / 2, bottom + 42, across, "note", "middle"))
    for side in sides:
        points = [place(i, values[side]) for i, (_, values) in enumerate(rows) if values.get(side) is not None]
        marks.append(f'<polyline class="{side} line" style="fill: none" points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + '"/>')
        if len(points) <= 24:
            marks += [f'<circle class="{side}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>' for x, y in points]
    return framed(title, unit, height, marks, sides)
