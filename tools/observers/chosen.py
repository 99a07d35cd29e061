"""The choice of observers by the arguments."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...text.diagnostics import Report, ReportedError
from ..driver.console.timing import Timings
from ..driver.options.arguments import WITH_JSON
from .base import Observer, Observers

if TYPE_CHECKING:
    from ...targets import Target
    from .verify_layouts import ImportedAs


def _expects(args: argparse.Namespace) -> bool:
    return any(limit is not None for limit in (args.expect_transposes, args.expect_bytes, args.expect_cost))


def _choose_json(args: argparse.Namespace) -> None:
    """Let all flags answer in JSON, as `--json` says."""
    with_format = [name for name in ("stats", "remarks", "what_if") if getattr(args, name) is not None]
    if not (with_format or args.why or args.why_not_fused or _expects(args)):
        raise ReportedError(Report(f"argument --json: expected one of {', '.join(WITH_JSON)} beside it"))
    for name in with_format:
        setattr(args, name, "json")


def chosen_observers(
    args: argparse.Namespace, target: Target | None, input_name: str, timings: Timings, imported: ImportedAs
) -> Observers:
    """The observers for the arguments, imported on demand; they count the costs of a target that has some."""
    chosen: list[Observer] = []
    if args.json:
        _choose_json(args)
    if args.print_ir_before_all or args.print_ir_after_all or args.print_ir_after_change:
        from .print_ir import PrintIr

        chosen.append(PrintIr(args))
    if args.print_ir_diff:
        from .print_ir_diff import PrintIrDiff

        chosen.append(PrintIrDiff(args))
    if args.stats is not None:
        from .stats import Stats

        chosen.append(Stats(args.stats, target))
    if args.remarks is not None:
        from .remarks import Remarks

        chosen.append(Remarks(args.remarks, target))
    if args.why:
        from .why import Why

        chosen += (Why(name, args.json) for name in args.why)
    if args.what_if is not None:
        from .what_if import WhatIf

        chosen.append(WhatIf(args.what_if))
    if args.why_not_fused:
        from .why_not_fused import WhyNotFused

        chosen.append(WhyNotFused(args.json))
    if _expects(args):
        from .expectations import Expectations, Limits

        limits = Limits(args.expect_transposes, args.expect_bytes, args.expect_cost)
        chosen.append(Expectations(input_name, limits, target, args.json))
    if target is not None:
        from .impossible_transposes import ImpossibleTransposes, may_be_impossible

        chosen += [ImpossibleTransposes(target)] * may_be_impossible(target)
    if args.save_plan is not None:
        from .save_plan import SavePlan

        chosen.append(SavePlan(args.save_plan, input_name))
    if args.certificate is not None:
        from .certificate_file import CertificateFile

        chosen.append(CertificateFile(args.certificate, input_name))
    if args.times is not None and args.report is None:
        raise ReportedError(Report("argument --times: expected --report FILE beside it"))
    if args.report is not None:
        from .report_page import ReportPage

        chosen.append(ReportPage(args.report, input_name, args.command, target, args.times))
    if args.verify_layouts:
        from .verify_layouts import VerifyLayouts

        chosen.append(VerifyLayouts(input_name, timings, args.remarks is not None, imported))
    return Observers(chosen)
