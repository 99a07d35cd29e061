"""The result of `optimize`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from ..dialects.settings.assumed_sizes import ASSUMED_SIZE, assumption
from ..passes.common.moves.between import between_text
from ..passes.common.moves.packs import cost_of_packs
from ..passes.common.words.left_unchanged import scope_text
from ..passes.optimal.explain.account import OF_THOSE_TRIED
from ..passes.optimal.explain.pin_prices import PinPrice, under_text
from ..passes.placement.layout_pass import LayoutPass
from ..targets import Target
from ..tools.driver.formats.program import Program
from .paths import StrPath
from .saving import Format, as_onnx, save

if TYPE_CHECKING:
    from onnx import ModelProto

    from ..passes.optimal.certificates.core import Certificate
    from ..tools.report.groups import SeenGroups


@dataclass(frozen=True)
class InsertedTranspose:
    """A transpose that a pass inserted."""

    reason: str
    """The pass and the cause, such as `layout-preset: %conv conv2d demands NHWC of data (opu.toml:21)`."""
    place: str
    """`file:line:col` of the op that needs it, or the name of its result if that is unknown."""
    text: str
    """The layouts, the shape and the cost."""
    bytes: int
    """The bytes that it moves."""
    target_cost: int | float | None = None
    """Its cost on the target, in the target's unit; None if the target has no costs."""

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.place, self.text, self.reason)))


@dataclass(frozen=True)
class Result:
    """A program with layouts, and the figures at the end of `optimize`."""

    program: Program = field(repr=False)
    transposes: int
    """The number of transposes that move data at run time; packs and unpacks are counted with them."""
    bytes: int
    """The bytes that they move."""
    is_estimate: bool
    """True if sizes are unknown: the first dimension of an argument then counts as 1, others as `assumed_size`."""
    target_cost: int | float | None
    """The cost of the program on the target, in `target_unit`; None if the target has no costs."""
    target_unit: str | None
    """The unit of the target's costs."""
    inserted: tuple[InsertedTranspose, ...] = field(repr=False)
    """The transposes that were not in the given program, in program order."""
    unit: str | None
    """The unit of `bound`, which the last run of `layout-optimal` minimised; None if it did not run.

    `bytes`, `transposes`, `bytes that travel`, or the unit of the target's costs."""
    bound: int | float | None
    """The least cost of all programs that the last run of `layout-optimal` searched.

    None if it did not run, or if it did not try all forms of the ops."""
    proved: bool
    """True if the program is proved to cost no more than `bound`. False with every other strategy, and if some ops are
    `left_unchanged`."""
    has_every_order: bool
    """False if the search skipped layouts that could be cheaper on this target."""
    left_unchanged: tuple[str, ...]
    """The ops that no pass places: `2 ops of other dialects left unchanged: stablehlo.add, stablehlo.transpose`."""
    pins: tuple[PinPrice, ...]
    """The pins of the plan that the last run of `layout-optimal` obeyed, each with its price: `print(pin)`."""
    choices: tuple[tuple[LayoutPass, ModuleOp], ...] = field(repr=False)
    """The layout passes that ran, with copies of their inputs, for `explain`."""
    hardware: Target = field(repr=False)
    """The target, for files."""
    assumed_size: int = ASSUMED_SIZE
    """The size that unknown dimensions count as but for first ones: 64, or what `layout-optimal` assumes."""
    groups: SeenGroups | None = field(default=None, repr=False)
    """The groups of the last fusion pass, for `report`."""

    @property
    def module(self) -> ModuleOp:
        """The program as a module of xDSL."""
        return self.program.module

    def save(self, path: StrPath, *, format: Format | None = None) -> None:
        """Write a file, whole or not at all. Without `format` the ending of the path decides."""
        save(self.program, path, format, self.hardware)

    def to_onnx(self, *, opset: int | None = None) -> ModelProto:
        """The program as an ONNX model with all weights in memory; the default opset is that of the imported model."""
        return as_onnx(self.program, opset, self.hardware)

    def save_plan(self, path: StrPath) -> None:
        """Write the layout of each value with its reason and cost, a file that can be edited and given as `plan`.

        It is that of the first run of `layout-optimal`, which is solved again.
        """
        # Imported late: most scripts write no plan.
        from .planning import save_plan

        save_plan(self.program.name, self.choices, path)

    def certificate(self) -> Certificate:
        """The proof of the minimum of the last run of `layout-optimal`, which is solved again.

        `cost` is that of the choice, and `bound` the least of all choices, in units of `problem.notes`.
        """
        # Imported late: most scripts need no certificate.
        from .certifying import certificate_of

        return certificate_of(self.program.name, self.choices)

    def save_certificate(self, path: StrPath) -> None:
        """Write the proof of the minimum, whole or not at all: `.json`, `.json.gz` or `.vipr`."""
        # Imported late, as above.
        from .certifying import save_certificate

        save_certificate(self.certificate(), path)

    def report(self, path: StrPath, *, times: StrPath | None = None) -> None:
        """Write a page of HTML with the transposes, their reasons and the graph, as `npu-opt --report` does.

        The program before is the input of the first layout pass. It needs Graphviz (the extra `[report]`). `times` is a
        profile of ONNX Runtime or Vela's table of layers, whose times are laid over the ops.
        """
        # Imported late: most scripts write no page.
        from .reporting import ReportedRun, write_report

        run = ReportedRun(self.program, self.choices, self.left_unchanged, self.groups, str(self))
        write_report(run, path, times)

    def __str__(self) -> str:
        has_packs = cost_of_packs(self.program.module).transposes > 0
        noun = ("conversion" if has_packs else "transpose") + "s" * (self.transposes != 1)
        text = f"{self.transposes} {noun}, {'~' * self.is_estimate}{self.bytes} bytes"
        if self.target_unit is not None:
            text += f", {'~' * self.is_estimate}{self.target_cost} {self.target_unit}"
        text += assumption(self.is_estimate, self.assumed_size) + scope_text(self.left_unchanged)
        if not self.proved:
            return text
        found = "proved minimum" if self.has_every_order else OF_THOSE_TRIED
        return f"{text}: {found}{under_text(self.pins)}{between_text(self.program.module)}"
