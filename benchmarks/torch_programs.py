"""Programs of PyTorch before and behind `npu_opt.torch.relayout`: permutes, views, numbers, proof and times.

    python benchmarks/torch_programs.py PROGRAM.pt2...          programs of torch.export
    python benchmarks/torch_programs.py --suite DIR [NAME...]   ExecuTorch's tests, in its edge dialect

A suite is a folder of `.pt2` with inputs beside (`NAME.npz`) and the authors' counts in `expected.tsv`; its permutes
and views are those that their tests count. `best` is the smaller of their two figures, `unrolled` are programs whose
recurrent layers were decomposed. Times are those of the processor. The exit code is 1 if a number is wrong, a program
is not proved, or more permutes are left than the authors leave.
"""

import argparse
import csv
import sys
import time
import warnings
from collections.abc import Collection, Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from npu_opt import check
from npu_opt.torch import relayout
from torch.export import ExportedProgram
from torch.fx import Node
from torch.utils import _pytree as pytree

PERMUTES = {"permute", "transpose", "t"}
VIEWS = {"_unsafe_view", "reshape", "squeeze", "unsqueeze", "view"}
FIGURES = ("et_final_permutes", "pr_final_permutes")
CLOSE = 1e-4


@dataclass
class Row:
    """The figures of a program; `best` is the authors' figure, if there is one."""

    name: str
    permutes: int
    permutes_left: int
    best: int | None
    views: int
    views_left: int
    is_equal: bool
    proof: str
    seconds: float

    @property
    def is_good(self) -> bool:
        return self.is_equal and self.proof == "proved" and (self.best is None or self.permutes_left <= self.best)


def counted(program: ExportedProgram, words: set[str], among: Collection[Node] | None = None) -> int:
    """The calls of operators with these names; those of the edge dialect and of ATen have schemas alike."""
    calls = (node for node in program.graph.nodes if node.op == "call_function" and (among is None or node in among))
    schemas = (getattr(node.target, "_schema", None) for node in calls)
    names = (str(each.name) for each in schemas if each is not None)
    return sum(name.rpartition("::")[2].removesuffix("_copy") in words for name in names)


def measured(name: str, program: ExportedProgram, inputs: tuple[Any, ...], best: int | None = None) -> Row:
    before = time.process_time()
    found = relayout(program)
    seconds = time.process_time() - before
    with torch.no_grad():
        one, other = (pytree.tree_leaves(each.module()(*inputs)) for each in (program, found))
    is_equal = len(one) == len(other) and all(map(_are_close, one, other))
    permutes, permutes_left = (counted(each, PERMUTES) for each in (program, found))
    views, views_left = (counted(each, VIEWS) for each in (program, found))
    proof = check(program, found).word
    return Row(name, permutes, permutes_left, best, views, views_left, is_equal, proof, round(seconds, 2))


def _are_close(one: Any, other: Any) -> bool:
    return not isinstance(one, torch.Tensor) or torch.allclose(one, other, CLOSE, CLOSE, equal_nan=True)


def cases(folder: Path, names: list[str]) -> Iterator[Row]:
    from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower

    whole = [torch.ops.aten.gru.input, torch.ops.aten.lstm.input]
    with (folder / "expected.tsv").open() as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if not names or row["name"] in names]
    for row in rows:
        name, beside = row["name"], folder / f"{row['name']}.npz"
        program = torch.export.load(folder / f"{name}.pt2")
        inputs = (program.example_inputs or ((),))[0]
        if beside.exists():
            arrays = iter(np.load(beside).values())
            inputs = tuple(torch.as_tensor(next(arrays)) if isinstance(e, torch.Tensor) else e for e in inputs)
        best = min((int(row[column]) for column in FIGURES if row[column]), default=None)
        is_recurrent = any(node.target in whole for node in program.graph.nodes)
        edge = to_edge_transform_and_lower(program).exported_program()
        yield measured(f"{name} (unrolled)" if is_recurrent else name, edge, inputs, best)
        if is_recurrent:
            config = EdgeCompileConfig(preserve_ops=whole)
            edge = to_edge_transform_and_lower(program, compile_config=config).exported_program()
            yield measured(name, edge, inputs, best)


def networks(files: list[Path]) -> Iterator[Row]:
    for file in files:
        # A part of its types is unknown.
        loaded: Any = torch.export.load(file)
        program: ExportedProgram = loaded.run_decompositions({})
        yield measured(file.stem, program, (program.example_inputs or ((),))[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", metavar="PROGRAM", nargs="*", help="files; with --suite names of cases")
    parser.add_argument("--suite", type=Path, metavar="DIR", help="a folder of ExecuTorch's tests")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    found = (
        cases(arguments.suite, arguments.programs) if arguments.suite else networks([*map(Path, arguments.programs)])
    )
    print(f"| {' | '.join(each.name.replace('_', ' ') for each in fields(Row))} |\n|{' --- |' * len(fields(Row))}")
    rows: list[Row] = []
    for row in found:
        rows.append(row)
        print(f"| {' | '.join('' if each is None else str(each) for each in astuple(row))} |", flush=True)
    print(f"permutes: {sum(row.permutes for row in rows)}, left {sum(row.permutes_left for row in rows)}")
    return 0 if all(row.is_good for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
