"""The tables of benchmarks/quality.py on docs/results/quality.md."""

import math
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from marked_page import write_between_markers
from quality_rows import Left, Row
from quality_rules import DEMAND, RULES, STAYS, STAYS_TEXT

OPTIMAL = {"bytes": "optimal (bytes)", "count": "optimal (count)"}
RUNTIMES = ("ONNX Runtime", "ONNX Runtime, canonical")


def write(page: Path, rows: Sequence[Row]) -> None:
    """Write all tables between their markers."""
    free = [row.free for row in rows if row.free is not None]
    for name, some in (("strategies", rows), ("strategies, free matmul", free)):
        write_between_markers(page, name, f"{against_runtime(some)}\n\n{table(some)}")
    write_between_markers(page, "rules", rules_of_strategies(rows))


def table(rows: Sequence[Row]) -> str:
    """The rows as a table, with totals and geometric means of the ratios to the minimum."""
    names = list(rows[0].left)
    titles = ["network", "ops", *names]
    lines = [_line(titles), _line(["---", *["---:"] * (len(titles) - 1)])]
    same: list[str] = []
    for row in rows:
        cells = [_cell(row.left[name]) for name in names]
        if len({*cells}) == 1:
            same.append(f"{row.model} {cells[0]}")
        else:
            lines.append(_line([row.model, str(row.ops), *cells]))
    sums = [_total([row.left[name] for row in rows]) for name in names]
    lines.append(_line(["**together**", str(sum(row.ops for row in rows)), *sums]))
    for what, text in (("bytes", "bytes"), ("count", "transposes")):
        ratios = [
            mean_ratio([(_amount(row.left[name], what), _amount(row.left[OPTIMAL[what]], what)) for row in rows])
            for name in names
        ]
        lines.append(_line([f"**{text}, against the minimum**", "", *ratios]))
    times = [f"{sum(row.left[name].seconds for row in rows):.1f} s" for name in names]
    lines.append(_line(["**time of the pass**", "", *times]))
    sentence = f"All columns are the same on {len(same)} of {len(rows)} networks: {', '.join(same) or 'none'}."
    return "\n".join(
        [*lines, "", textwrap.fill(sentence, 120), "", textwrap.fill(f"{unproved(rows)} {norms(rows)}", 120)]
    )


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


def rules_of_strategies(rows: Sequence[Row]) -> str:
    """For each strategy what it leaves above the minima, with the rules of the networks on which it does."""
    lines = [_line(["strategy", "networks above", "transposes above", "bytes above", "what costs it, in networks"])]
    lines.append(_line(["---", "---:", "---:", "---:", "---"]))
    for name in rows[0].left:
        if name in (*OPTIMAL.values(), *RUNTIMES):
            continue
        above = [(row, row.left[name]) for row in rows if _is_above(row, row.left[name])]
        more = sum(left.transposes - row.left[OPTIMAL["count"]].transposes for row, left in above)
        size = sum(left.bytes - row.left[OPTIMAL["bytes"]].bytes for row, left in above)
        costly = Counter(
            rule for row, left in above for rule in _costly(left.rules, row.left[OPTIMAL["count"]].transposes)
        )
        causes = ", ".join(f"{rule} {count}" for rule, count in costly.most_common())
        lines.append(_line([name, str(len(above)), str(more), _size(size), causes]))
    return "\n".join([*legend(rows), "", *lines])


def _is_above(row: Row, left: Left) -> bool:
    fewest, least = row.left[OPTIMAL["count"]].transposes, row.left[OPTIMAL["bytes"]].bytes
    return (left.transposes, left.bytes) != (fewest, least)


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


def unproved(rows: Sequence[Row]) -> str:
    """The networks whose minimum is not proved."""
    found = [row.model for row in rows if not row.bound.is_reached]
    return f"All minima are proved but those of {', '.join(found)}." if found else "Every minimum is proved."


def norms(rows: Sequence[Row]) -> str:
    """The networks of which `recognise-norms` changes the fewest bytes."""
    found = [
        f"{row.model} ({_cell(row.norms)})"
        for row in rows
        if row.norms is not None and row.norms.bytes != row.left[OPTIMAL["bytes"]].bytes
    ]
    return f"`recognise-norms` in front changes the fewest bytes of {', '.join(found) or 'no network'}."


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
