"""Programs of PyTorch before and behind `npu_opt.torch.relayout`: permutes, views, numbers, proof and times.

    python benchmarks/torch_programs.py PROGRAM.pt2...          programs of torch.export
    python benchmarks/torch_programs.py --suite DIR [NAME...]   ExecuTorch's tests, in its edge dialect

A suite is a folder of `.pt2` with inputs beside (`NAME.npz`) and the authors' counts in `expected.tsv`; its permutes
and views are those that their tests count. `best` is the smaller of their two figures, `unrolled` are programs whose
recurrent layers were decomposed. `theirs` are the permutes that the passes of the installed ExecuTorch leave, which
move permutes and views down and up. Times are those of the processor, the least of three. The exit code is 1 if a
number is wrong, a program is not proved, or more permutes are left than the authors leave.
"""

import argparse
import csv
import sys
import time
import warnings
from collections.abc import Callable, Collection, Iterator
from copy import deepcopy
from dataclasses import astuple, dataclass, fields, replace
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

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
RUNS = 3
THEIR_PASSES = (
    ("propagate_view_copy_permute_pass", "PropagateViewCopyPermuteDownPass"),
    ("propagate_view_copy_permute_pass", "PropagateViewCopyPermuteUpPass"),
    ("canonicalize_view_copy_permute_pass", "CanonicalizeViewCopyPermutePass"),
)
"""The order in which the backend of Arm runs them."""
ValueT = TypeVar("ValueT")


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
    theirs: int | None = None
    their_seconds: float | None = None

    @property
    def is_good(self) -> bool:
        return self.is_equal and self.proof == "proved" and (self.best is None or self.permutes_left <= self.best)


def counted(program: Any, words: set[str], among: Collection[Node] | None = None) -> int:
    """The calls of operators with these names; those of the edge dialect and of ATen have schemas alike."""
    calls = (node for node in program.graph.nodes if node.op == "call_function" and (among is None or node in among))
    schemas = (getattr(node.target, "_schema", None) for node in calls)
    names = (str(each.name) for each in schemas if each is not None)
    return sum(name.rpartition("::")[2].removesuffix("_copy") in words for name in names)


def measured(name: str, program: ExportedProgram, inputs: tuple[Any, ...], best: int | None = None) -> Row:
    found, seconds = timed(lambda: relayout(program))
    with torch.no_grad():
        one, other = (pytree.tree_leaves(each.module()(*inputs)) for each in (program, found))
    is_equal = len(one) == len(other) and all(map(_are_close, one, other))
    permutes, permutes_left = (counted(each, PERMUTES) for each in (program, found))
    views, views_left = (counted(each, VIEWS) for each in (program, found))
    proof = check(program, found).word
    return Row(name, permutes, permutes_left, best, views, views_left, is_equal, proof, seconds)


def beside_theirs(name: str, program: ExportedProgram, inputs: tuple[Any, ...], best: int | None) -> Row:
    """A program of the edge dialect, through both."""
    graph, seconds = timed(lambda: by_their_passes(program))
    return replace(measured(name, program, inputs, best), theirs=counted(graph, PERMUTES), their_seconds=seconds)


def by_their_passes(program: ExportedProgram) -> Any:
    """The graph behind the passes of ExecuTorch for permutes and views."""
    folder = "executorch.backends.transforms"
    kinds = [getattr(import_module(f"{folder}.{file}"), name) for file, name in THEIR_PASSES]
    graph: Any = deepcopy(program.graph_module)
    for kind in kinds:
        takes_program = "exported_program" in kind.__init__.__code__.co_varnames
        graph = (kind(exported_program=program) if takes_program else kind())(graph).graph_module
    return graph


def timed(work: Callable[[], ValueT]) -> tuple[ValueT, float]:
    """The result, and the least time of the processor."""
    runs: list[tuple[float, ValueT]] = []
    for _ in range(RUNS):
        before = time.process_time()
        found = work()
        runs.append((time.process_time() - before, found))
    return runs[-1][1], round(min(seconds for seconds, _ in runs), 2)


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
        yield beside_theirs(f"{name} (unrolled)" if is_recurrent else name, edge, inputs, best)
        if is_recurrent:
            config = EdgeCompileConfig(preserve_ops=whole)
            edge = to_edge_transform_and_lower(program, compile_config=config).exported_program()
            yield beside_theirs(name, edge, inputs, best)


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
    print(f"seconds: {sum(row.seconds for row in rows):.2f}, theirs {sum(row.their_seconds or 0 for row in rows):.2f}")
    return 0 if all(row.is_good for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
