"""`optimize`: a layout pass and the passes behind it, run on a copy of a program."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast, get_args

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException

from .. import targets
from ..dialects.notes.value_pins import PinError
from ..dialects.program.symbols import verify
from ..dialects.settings.assumed_sizes import assuming
from ..passes.common.demands.target_cost import cost_of_moves
from ..passes.common.demands.target_layouts import TargetLayouts
from ..passes.common.moves.transpose_cost import units_of
from ..passes.common.words.left_unchanged import left_unchanged
from ..passes.fusion.fusion_pass import FusionPass, listening
from ..passes.npu_default import NpuDefault
from ..passes.optimal.explain.account import Account, collected_accounts
from ..passes.placement.layout_pass import LayoutPass
from ..tools.driver.formats.program import Program, new_context
from ..tools.driver.options.arguments import PassRequest
from ..tools.driver.pipeline.linalg import converted
from ..tools.driver.pipeline.pipeline import (
    build_passes,
    checked_interface,
    with_described_ops,
    with_interface,
    with_pins,
)
from ..tools.driver.pipeline.priced_target import assumed_size, priced_target
from ..tools.observers.base import Observer
from ..tools.observers.remarks import Remarks
from ..tools.observers.seen_transposes import SeenTranspose
from ..tools.observers.why import deciding_pass, program_for
from ..universe import installed
from .errors import NpuOptError, raised_as_own, wrong_argument
from .inputs import AnyModel, changeable, load
from .paths import StrPath, path_text
from .results import InsertedTranspose, Result

if TYPE_CHECKING:
    from ..tools.report.groups import SeenGroups

Strategy: TypeAlias = Literal["optimal", "naive", "regions", "regions-plus", "seed-plus", "greedy", "record"]
Passes: TypeAlias = str | Sequence[str | ModulePass]

LAYOUT_PASSES: Mapping[Strategy, str] = {
    "optimal": "layout-optimal",
    "naive": "layout-preset{strategy=naive}",
    "regions": "layout-preset{strategy=regions}",
    "regions-plus": "layout-preset{strategy=regions-plus}",
    "seed-plus": "layout-preset{strategy=seed-plus}",
    "greedy": "layout-preset-npu{strategy=greedy}",
    "record": "layout-preset-npu{strategy=record}",
}


def optimize(
    model: AnyModel,
    *,
    target: StrPath = "opu",
    strategy: Strategy | None = "optimal",
    passes: Passes = "canonicalize",
    interface: str = "keep",
    folder: StrPath | None = None,
    plan: StrPath | None = None,
    sizes: Mapping[str, int] | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    args: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
) -> Result:
    """Give every value of a program a layout that the target can run, with few transposes.

    The program is changed in a copy. `target` is the name of a target or the path of its file, `strategy` the layout
    pass that runs first, or None, and `passes` are those that run after it, written as for `npu-opt -p`. `interface`
    says the layouts of arguments and results as `npu-opt --interface` does. `folder`, `sizes`, `shapes`, `args`,
    `kwargs` and `dynamic_shapes` are those of `load`. The first `layout-optimal` obeys the pins of a `plan`, a file
    that `Result.save_plan` writes.
    """
    pipeline = pipeline_of(target, strategy, passes, interface, path_text(plan))
    with assuming(assumed_size(pipeline)):
        given = load(
            model,
            folder=folder,
            target=target,
            sizes=sizes,
            shapes=shapes,
            args=args,
            kwargs=kwargs,
            dynamic_shapes=dynamic_shapes,
        )
        return _optimized(pipeline, given, target)


def _optimized(pipeline: Sequence[ModulePass], given: Program, target: StrPath) -> Result:
    program = changeable(given)
    priced = priced_target(pipeline, path_text(target))
    remarks, context = Remarks("none", priced), new_context()
    groups = _listener(pipeline, hardware=path_text(target))
    with (
        raised_as_own(given.name),
        collected_accounts() as accounts,
        _heard(groups),
        converted(program.module, None, pipeline, context, Observer()) as is_converted,
    ):
        remarks.before_passes(program.module, None)
        # What is asked later is asked of the program that the layout passes see.
        source = program.module.clone() if is_converted else given.module
        choices = _run(pipeline, source, program.module, remarks, context)
        account = accounts[-1] if accounts else None
        cost, unchanged = cost_of_moves(program.module, target=priced), left_unchanged(program.module)
        is_proved = account is not None and not unchanged and _is_minimum(program, account)
    return Result(
        program=program,
        transposes=cost.transposes,
        bytes=cost.bytes,
        is_estimate=cost.is_assumed,
        target_cost=cost.units if cost.unit else None,
        target_unit=cost.unit or None,
        inserted=tuple(_inserted(seen) for seen in remarks.inserted if not seen.not_counted),
        unit=None if account is None else _unit(account),
        bound=None if account is None else _bound(account),
        proved=is_proved,
        has_every_order=account is None or account.has_every_order,
        left_unchanged=tuple(unchanged),
        pins=tuple(account.pins) if account is not None else (),
        choices=tuple(choices),
        assumed_size=assumed_size(pipeline),
        groups=groups,
        hardware=targets.load(os.fspath(target)),
    )


def pipeline_of(
    target: StrPath, strategy: Strategy | None, passes: Passes, interface: str, plan: str | None = None
) -> list[ModulePass]:
    """The passes that `optimize` runs."""
    known = get_args(Strategy)
    if strategy is not None and strategy not in known:
        raise wrong_argument("strategy", strategy, (*map(repr, known), "None"))
    hardware = path_text(target)
    if hardware is None:
        raise wrong_argument("target", target, ("the name of a target", "the path of its file"))
    if not isinstance(cast("object", interface), str):
        raise wrong_argument("interface", interface, ("a text, such as 'free' or 'x:NHWC'",))
    with raised_as_own():
        targets.load(hardware)
        chosen = checked_interface([interface], "interface")
    parts = passes if isinstance(cast("object", passes), Iterable) and not isinstance(passes, str) else [passes]
    first = () if strategy is None else _passes("strategy", LAYOUT_PASSES[strategy], hardware, chosen)
    pipeline = [*first, *(each for part in parts for each in _passes("passes", part, hardware, chosen))]
    available = installed().all_passes
    with raised_as_own():
        pinned = with_pins(with_interface(pipeline, available, chosen), available, plan)
    return with_described_ops(pinned, available)


def _passes(argument: str, part: object, hardware: str, interface: str | None) -> tuple[ModulePass, ...]:
    if isinstance(part, ModulePass):
        return (part,)
    if not isinstance(part, str):
        raise wrong_argument(argument, part, ("passes as text, such as 'canonicalize,cse'", "objects of ModulePass"))
    with raised_as_own():
        available = installed().all_passes
        return build_passes([PassRequest(argument, part)], available, hardware, interface)


def _run(
    pipeline: Sequence[ModulePass], given: ModuleOp, module: ModuleOp, remarks: Remarks, context: Context
) -> list[tuple[LayoutPass, ModuleOp]]:
    """Run passes on a module; returns the layout passes with their inputs."""
    choices: list[tuple[LayoutPass, ModuleOp]] = []
    for index, module_pass in enumerate(pipeline):
        if (layout_pass := deciding_pass(module_pass)) is not None:
            # A copy of the given program, which its owner may change.
            choices.append((layout_pass, program_for(module_pass, module if index else given)))
        _apply(module_pass, context, module)
        remarks.after_pass(module_pass, module)
    return choices


def _listener(pipeline: Sequence[ModulePass], hardware: str | None) -> SeenGroups | None:
    """A listener for the groups of fusion passes, if there is such a pass."""
    if hardware is None or not any(isinstance(each, FusionPass | NpuDefault) for each in pipeline):
        return None
    # Imported late: few pipelines fuse ops.
    from ..tools.report.groups import SeenGroups

    return SeenGroups(TargetLayouts(targets.load(hardware)))


def _heard(groups: SeenGroups | None) -> AbstractContextManager[object]:
    return nullcontext() if groups is None else listening(groups.listen)


def _apply(module_pass: ModulePass, context: Context, module: ModuleOp) -> None:
    try:
        module_pass.apply(context, module)
        verify(module)
    except targets.TargetError as error:
        raise NpuOptError(f"pass '{module_pass.name}' failed: {error}") from error
    except PinError:
        raise
    except DiagnosticException as error:
        error.args = (f"pass '{module_pass.name}' failed: {error}",)
        raise


def _inserted(seen: SeenTranspose) -> InsertedTranspose:
    cost = seen.cost
    target_cost = cost.units if cost.unit else None
    return InsertedTranspose("; ".join(seen.reasons), seen.place, seen.text, cost.bytes, target_cost)


def _unit(account: Account) -> str:
    if account.unit == "target":
        assert account.target.costs is not None
        return account.target.costs.unit
    return {"bytes": "bytes", "count": "transposes", "traffic": "bytes that travel"}[account.unit]


def _bound(account: Account) -> int | float | None:
    return units_of(account.bound) if account.unit == "target" and account.bound is not None else account.bound


def _is_minimum(program: Program, account: Account) -> bool:
    """True if the bound is proved, and the program, which other passes may have changed since, does not cost more."""
    if not account.is_proved or account.bound is None:
        return False
    if account.unit == "traffic":
        # Imported late: only this cost needs the groups.
        from ..passes.cover.module import covered

        return covered(program.module, account.target, account.assumed_size).bytes <= account.bound
    target = account.target if account.unit == "target" else None
    return cost_of_moves(program.module, account.assumed_size, target).counted(account.unit) <= account.bound
