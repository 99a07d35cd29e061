"""docs/results/quality.md, the page of results of benchmarks/quality.py."""

import math
import textwrap
from collections.abc import Iterator, Sequence

from quality_rows import Left, Row
from quality_rules import DEMAND, RULES, STAYS, STAYS_TEXT

OPTIMAL = {"bytes": "optimal (bytes)", "count": "optimal (count)"}
RUNTIMES = ("ONNX Runtime", "ONNX Runtime, canonical")


def page(rows: Sequence[Row], target: str) -> str:
    free = [row.free for row in rows if row.free is not None]
    return PAGE.format(
        target=target,
        table=table(rows),
        free=table(free),
        against=against_runtime(rows),
        against_free=against_runtime(free),
        above="\n".join(above(rows)),
        legend="\n".join(legend(rows)),
        seconds=seconds(rows),
        unproved=unproved(rows),
    )


def table(rows: Sequence[Row]) -> str:
    """The rows as a table, with totals and geometric means of the ratios to the minimum."""
    names = list(rows[0].left)
    titles = ["network", "ops", *names, "bound", "minimum after recognise-norms"]
    lines = [_line(titles), _line(["---", *["---:"] * (len(titles) - 1)])]
    for row in rows:
        cells = [_cell(row.left[name]) for name in names]
        bound = f"{row.bound.transposes} ({_size(row.bound.bytes)}){'' if row.bound.is_reached else ' <'}"
        lines.append(_line([row.model, str(row.ops), *cells, bound, "" if row.norms is None else _cell(row.norms)]))
    norms = [row.norms for row in rows if row.norms is not None]
    sums = [_total([row.left[name] for row in rows]) for name in names]
    least = f"{sum(row.bound.transposes for row in rows)} ({_size(sum(row.bound.bytes for row in rows))})"
    lines.append(_line(["**together**", str(sum(row.ops for row in rows)), *sums, least, _total(norms)]))
    for what, text in (("bytes", "bytes"), ("count", "transposes")):
        ratios = [
            mean_ratio([(_amount(row.left[name], what), _amount(row.left[OPTIMAL[what]], what)) for row in rows])
            for name in names
        ]
        lines.append(_line([f"**{text}, against the minimum**", "", *ratios, "", ""]))
    times = [f"{sum(row.left[name].seconds for row in rows):.1f} s" for name in names]
    lines.append(_line(["**time of the pass**", "", *times, "", f"{sum(each.seconds for each in norms):.1f} s"]))
    return "\n".join(lines)


def against_runtime(rows: Sequence[Row]) -> str:
    """The number of networks on which ONNX Runtime leaves more, as much, or less than the minimum."""
    measured = [row for row in rows if RUNTIMES[0] in row.left]
    if not measured:
        return "ONNX Runtime was left out of this run."
    sentences: list[str] = []
    for what, text in (("count", "transposes"), ("bytes", "bytes")):
        ours = {row.model: _amount(row.left[OPTIMAL[what]], what) for row in measured}
        best = {row.model: min(_amount(row.left[name], what) for name in RUNTIMES) for row in measured}
        more = [name for name, least in ours.items() if best[name] > least]
        less = [name for name, least in ours.items() if best[name] < least]
        short = f"loses on {len(less)} ({', '.join(less)})" if less else "loses on 0"
        sentences.append(
            f"in {text} npu-opt (`{OPTIMAL[what]}`) wins on {len(more)} networks, ties on"
            f" {len(ours) - len(more) - len(less)}, {short}"
        )
    return textwrap.fill(f"Against the better of the two runs of ONNX Runtime, {'; '.join(sentences)}.", 120)


def above(rows: Sequence[Row]) -> Iterator[str]:
    """For each network the strategies that end above one of the minima, and the rules responsible."""
    titles = ["network", "strategies", "transposes above", "bytes above", "what costs it", "all that is left, by rule"]
    yield _line(titles)
    yield _line(["---", "---", "---:", "---:", "---", "---"])
    for row in rows:
        fewest, least = row.left[OPTIMAL["count"]].transposes, row.left[OPTIMAL["bytes"]].bytes
        groups: dict[tuple[str, ...], list[str]] = {}
        for name, left in row.left.items():
            if name in (*OPTIMAL.values(), *RUNTIMES) or (left.transposes == fewest and left.bytes == least):
                continue
            by_rule = dict(sorted(left.rules.items(), key=lambda item: -item[1]))
            everything = ", ".join(f"{count} {rule}" for rule, count in by_rule.items())
            excess = str(left.transposes - fewest), _size(left.bytes - least)
            groups.setdefault((*excess, ", ".join(_costly(by_rule, fewest)), everything), []).append(name)
        for cells, names in groups.items():
            yield _line([row.model, ", ".join(names), *cells])


def _costly(by_rule: dict[str, int], fewest: int) -> list[str]:
    """The rules whose transposes are avoidable.

    A demand has to be met, and as many transposes of the network as the minimum has in all could be part of it.
    """
    found = [rule for rule, count in by_rule.items() if rule != DEMAND and (rule != STAYS or count > fewest)]
    return found or [DEMAND]


def legend(rows: Sequence[Row]) -> Iterator[str]:
    """Explanations of the named rules."""
    found = {
        rule for row in rows for name, left in row.left.items() if name not in OPTIMAL.values() for rule in left.rules
    }
    texts = {STAYS: STAYS_TEXT, **{name: text for name, (_, text) in RULES.items()}}
    return (f"- *{name}*: {text}." for name, text in texts.items() if name in found)


def seconds(rows: Sequence[Row]) -> str:
    """The time of each strategy on each network, in milliseconds."""
    names = list(rows[0].left)
    lines = [_line(["network", "ops", *names]), _line(["---", *["---:"] * (len(names) + 1)])]
    for row in rows:
        lines.append(_line([row.model, str(row.ops), *(f"{row.left[name].seconds * 1000:.0f}" for name in names)]))
    means = [_geometric([row.left[name].seconds * 1000 for row in rows]) for name in names]
    lines.append(_line(["**geometric mean**", "", *(f"{mean:.0f}" for mean in means)]))
    return "\n".join(lines)


def unproved(rows: Sequence[Row]) -> str:
    free = [row.free for row in rows if row.free is not None]
    found = [row.model for row in rows if not row.bound.is_reached]
    found += [f"{row.model} where matmuls are free" for row in free if not row.bound.is_reached]
    if not found:
        return "Every minimum is proved."
    return f"All minima are proved but\n{', '.join(found)} (marked `<`): not all forms of the ops were tried there."


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(left: Left) -> str:
    return f"{left.transposes} ({_size(left.bytes)}){'' if left.is_proved else ' ?'}"


def _size(count: int) -> str:
    return f"{count / 2**20:.1f} MiB"


def _amount(left: Left, what: str) -> int:
    return left.bytes if what == "bytes" else left.transposes


def _total(left: Sequence[Left]) -> str:
    return f"{sum(each.transposes for each in left)} ({_size(sum(each.bytes for each in left))})"


def mean_ratio(pairs: Sequence[tuple[int, int]]) -> str:
    """The geometric mean over the networks with transposes."""
    ratios = [found / least for found, least in pairs if found and least]
    return f"{_geometric(ratios):.2f}" if ratios else "-"


def _geometric(numbers: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


PAGE = """# Transposes left on real networks

Written by `python benchmarks/quality.py --target {target} --page docs/results/quality.md`; `--json` writes the
figures. The networks are those of [models.md](models.md). Each cell says how many transposes a strategy leaves after
`canonicalize`, and how many bytes they move, on the target `{target}`. Transposes of constants and of axes of one
element are not counted. All start from the imported network without duplicates (`cse`) and with constant expressions
folded. Every result of ours was proved to compute the same as that program (a `?` would mean that the proof did not
succeed). *bound* is a lower bound for all programs of the same ops. {unproved}

[Below](#modules-of-tosa) is the same for modules of TOSA, beside MLIR's own pass.

*ONNX Runtime* is its optimizer at the highest level, on the result of the strategy `naive`, directly and after
`canonicalize`. The ops that demand a layout, or that ONNX has in NCHW only (its batch norm among them), are custom ops
in NHWC with known types; all others are plain ONNX. Its output is imported again, cleaned by `canonicalize`, and
counted by the same counter. One of its steps, which makes a matmul use transposed operands
(`MatmulTransposeFusion`), is disabled for targets without such a matmul.

{against}

{table}

## Matmuls with operands in any order

The same target, with `matmul = "free"`; ONNX Runtime has all of its steps.

{against_free}

{free}

## The rules behind the transposes

For each network on which a strategy ends above the fewest transposes or the fewest bytes: the difference, the rules
responsible, and all transposes it leaves by the rule that inserted or kept them. `layout-optimal` has none of these
rules: it minimises the total cost.

{legend}

{above}

Notes:

- A plain convolutional network ends with 1, the transpose of its input, and with 2 if its output is an image or a value
  per pixel: the signature fixes the layout of both. An input of one channel is free (`crnn`, `espcn`). Data that is
  flattened before a constant matrix stays in NHWC, and the matrix is permuted to match.
- In `yolo_v8_n` a third transpose precedes the convolution that weighs the distributions of the boxes: it demands NHWC
  of sides × positions × bins, but its operand comes from features with the sides behind the positions.
- If fewer bytes need more transposes (`conformer_s`, `levit_128`, `rt_detr_r50`), the two minima are different
  programs.
- The option `resolve` of `layout-transmit` is for programs whose reshapes should take the layout of a known op instead
  of their operand's. Here it never saves a transpose: before `layout-preset` on `opu`, `next` and `nearest` leave one
  more on `convnext_t` and on `efficientnet_b0` than `forward`, and `previous` one more on `conformer_s`; all others,
  and all on `plover`, are the same.
- A norm that was exported between reshapes that merge channels with spatial axes is free, as it works on the features
  themselves: `conv_tasnet` and `poolformer_s12` are left with the transpose of their input.

## Time

Milliseconds of each pass, in one process and one run.

{seconds}
"""


def part_of_tosa(page: str) -> str:
    """The end of the page, written by other benchmarks."""
    _, heading, behind = page.partition("## Modules of TOSA\n")
    return f"\n{heading}{behind}" if heading else ""
