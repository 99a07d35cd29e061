"""Transposes and bytes that each strategy leaves on real networks, against the proved minimum.

    python benchmarks/quality.py [--target opu] [--without-runtime] [--json FILE]
        [--page docs/results/quality.md] [MODEL...]

Every network of benchmarks/models is imported, each strategy places its transposes, and `canonicalize` cleans up behind
it. The rest is counted by `passes/common/moves/transpose_cost.py`; every result of ours is proved to compute the same
as the network. ONNX Runtime's optimizer (onnx_runtime.py) is compared as well; it starts from the result of the
strategy `naive`. Times are those of the passes in one process, without the import and without the proof.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from marked_page import add_page
from npu_opt.dialects.npu.attrs import Reference, ReferenceAttr
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.shape import ViewOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.passes.layout_preset_npu import LayoutPresetNpu
from npu_opt.passes.patterns.norms import source_of
from npu_opt.passes.placement.layout_pass import LayoutPass, colour
from npu_opt.passes.recognise_norms import RecogniseNorms
from npu_opt.targets import available
from npu_opt.tools.driver.formats.models import WeightsOptions, read_model
from onnx_runtime import MissingRuntimeError, optimised
from quality_page import table, write
from quality_rows import Bound, Left, Row
from quality_rules import rules
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination

ROOT = Path(__file__).resolve().parent.parent
MODELS = ROOT / "benchmarks" / "models"
COSTS: tuple[Literal["bytes", "count"], ...] = ("bytes", "count")


def strategies(target: str) -> dict[str, LayoutPass]:
    """The strategies, the last two being the minimum of bytes and that of transposes."""
    return {
        "naive": LayoutPreset(strategy="naive", target=target),
        "regions": LayoutPreset(strategy="regions", target=target),
        "regions-plus": LayoutPreset(strategy="regions-plus", target=target),
        "greedy": LayoutPresetNpu(strategy="greedy", target=target),
        "record": LayoutPresetNpu(strategy="record", target=target),
        "optimal (bytes)": LayoutOptimal(target=target, cost="bytes"),
        "optimal (count)": LayoutOptimal(target=target, cost="count"),
    }


def prepared(module: ModuleOp) -> ModuleOp:
    """The common input program: without duplicates, and with constant expressions folded.

    ONNX Runtime does both on its own, and neither concerns layouts.
    """
    for step in (fold_constants, CanonicalizePass().apply, CommonSubexpressionElimination().apply) * 2:
        step(Context(), module)
    return module


def fold_constants(ctx: Context, module: ModuleOp) -> None:
    """Replace values computed from weights alone by constants, whose numbers are as unknown as those of the weights."""
    for number, op in enumerate(list(module.walk())):
        if not isinstance(op, NpuOp) or isinstance(op, ConstantOp | ViewOp) or not is_side_effect_free(op):
            continue
        sources = [source_of(operand).owner for operand in op.operands]
        are_constant = all(isinstance(source, ConstantOp) for source in sources)
        if are_constant and any(isinstance(source, ConstantOp) and _is_weight(source) for source in sources):
            for place, result in enumerate(op.results):
                weight = ReferenceAttr(Reference("folded.safetensors", f"{number}.{place}"))
                constant = ConstantOp(weight, result.type)
                Rewriter.insert_op(constant, InsertPoint.before(op))
                result.replace_all_uses_with(constant.result)


def _is_weight(constant: ConstantOp) -> bool:
    return isinstance(constant.value, ReferenceAttr)


def measured(module: ModuleOp, layout_pass: LayoutPass) -> tuple[Left, ModuleOp, ModuleOp]:
    """The result of a strategy: the transposes it leaves, and the program before and after `canonicalize`."""
    placed = module.clone()
    start = time.perf_counter()
    layout_pass.apply(Context(), placed)
    seconds = time.perf_counter() - start
    raw = placed.clone()
    CanonicalizePass().apply(Context(), placed)
    placed.verify()
    cost = cost_of_program(placed)
    is_proved = compare(module, placed).verdict is Verdict.PROVED
    return Left(cost.transposes, cost.bytes, seconds, is_proved, rules(placed)), raw, placed


def bound(module: ModuleOp, target: str) -> Bound:
    coloured = module.clone()
    colour(coloured)
    choices = {cost: LayoutOptimal(target=target, cost=cost).choose(coloured) for cost in COSTS}
    # The bound holds only if all modes were tried.
    least = {cost: choice.solution.bound if choice.table.modes.is_complete else 0 for cost, choice in choices.items()}
    return Bound(least["bytes"], least["count"], all(choice.is_proved for choice in choices.values()))


def measure(model: str, module: ModuleOp, passes: dict[str, LayoutPass], target: str, with_runtime: bool) -> Row:
    """One network, on one target."""
    row = Row(model, sum(1 for _ in module.walk()) - 2)
    starts: dict[str, ModuleOp] = {}
    for name, layout_pass in passes.items():
        row.left[name], raw, clean = measured(module, layout_pass)
        if name == "naive":
            starts = {"ONNX Runtime": raw, "ONNX Runtime, canonical": clean}
    for name, start in starts.items() if with_runtime else ():
        found, seconds = optimised(start, target)
        CanonicalizePass().apply(Context(), found)
        cost = cost_of_program(found)
        row.left[name] = Left(cost.transposes, cost.bytes, seconds, True)
    row.bound = bound(module, target)
    with_norms = module.clone()
    RecogniseNorms().apply(Context(), with_norms)
    row.norms = measured(with_norms, LayoutOptimal(target=target))[0]
    return row


def rows(models: Iterable[Path], target: str, with_runtime: bool) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        free = with_free_matmul(target, Path(folder))
        for file in models:
            module = prepared(read_model(str(file), WeightsOptions()).module)
            row = measure(file.stem, module, strategies(target), target, with_runtime)
            some = {name: each for name, each in strategies(free).items() if name in FREE}
            row.free = measure(file.stem, module, some, free, with_runtime)
            yield row


FREE = ("naive", "optimal (bytes)", "optimal (count)")
"""Measurements with free matmuls."""


def with_free_matmul(target: str, folder: Path) -> str:
    """The file of a target with operands of matmuls in any order."""
    source = available().get(target, Path(target))
    text, name = source.read_text(), f"{source.stem}_free"
    lines = [
        f'name = "{name}"' if line.startswith("name =") else 'matmul = "free"' if line.startswith("matmul =") else line
        for line in text.splitlines()
    ]
    file = folder / f"{name}.toml"
    file.write_text("\n".join(lines) + "\n")
    return str(file)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL", help="names of networks (all)")
    parser.add_argument("--target", default="opu")
    parser.add_argument("--without-runtime", action="store_true", help="leave ONNX Runtime out")
    parser.add_argument("--json", type=Path)
    add_page(parser)
    args = parser.parse_args()
    files = [MODELS / f"{name}.onnx" for name in args.models] or sorted(MODELS.glob("*.onnx"))
    found: list[Row] = []
    try:
        for row in rows(files, args.target, not args.without_runtime):
            found.append(row)
            left = ", ".join(f"{name} {each.transposes}" for name, each in row.left.items())
            print(f"{row.model}: {left}", file=sys.stderr)
    except MissingRuntimeError as error:
        print(f"error: {error} (or --without-runtime)", file=sys.stderr)
        return 1
    if args.json:
        args.json.write_text(json.dumps([asdict(row) for row in found], indent=1) + "\n")
    if args.page is not None:
        write(args.page, found)
    print(table(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
