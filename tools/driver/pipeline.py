"""Construction of the pass pipeline from command line flags."""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ArgSpecConvertible, parse_pipeline, parse_spec
from xdsl.utils.exceptions import ArgSpecParseError

from ...passes import PASS_TABLE
from ...text.diagnostics import Report, ReportedError
from ...universe import NPU_UNIVERSE
from .arguments import PassRequest
from .listing import PassFactories, pass_options
from .option_values import with_checked_options
from .suggestions import suggestion

if TYPE_CHECKING:
    from ...targets import TargetError

_OPTION_WORD = re.compile(r'(?:"[^"]*"|[^\s"])+')
_NEEDS_QUOTES = re.compile(r'[^"]*[^"0-9A-Za-z_,+-][^"]*')


def build_passes(
    requests: Iterable[PassRequest], available: PassFactories, hardware: str | None
) -> tuple[ModulePass, ...]:
    """The passes of `requests` in order. `hardware` is the default of their option `target`."""
    return tuple(_build_pass(request, spec, available, hardware) for request in requests for spec in _specs(request))


def _specs(request: PassRequest) -> list[ArgSpec]:
    # Flags of passes have two dashes; the Python function has an argument `passes`.
    is_pipeline = not request.flag.startswith("--")
    text = request.text if is_pipeline else _flag_as_pipeline(request)
    try:
        specs = list(parse_pipeline(text))
    except ArgSpecParseError as error:
        # xDSL's message shows the position in the pipeline; its first line is a title.
        details = str(error).split("\n", 1)[-1].rstrip()
        raise ReportedError(Report(f"argument {request.flag}: cannot read '{text}'\n{details}")) from error
    # Options such as `a},b{` would close the braces of their pass.
    if not is_pipeline and len(specs) != 1:
        raise ReportedError(Report(f"argument {request.flag}: cannot read '{request.text}'"))
    return specs


def _flag_as_pipeline(request: PassRequest) -> str:
    """Convert `--a="x=1 y=b/c"` to the pipeline `a{x=1 y="b/c"}`, with quotes where they are needed."""
    words = [_quote_value(word) for word in _OPTION_WORD.findall(request.text)]
    name = request.flag.removeprefix("--")
    # xDSL would take the last one.
    counts = Counter(word.partition("=")[0].replace("_", "-") for word in words)
    if twice := [key for key, count in counts.items() if count > 1]:
        raise ReportedError(Report(f"argument {request.flag}: pass '{name}': option {twice[0]} is given twice"))
    return f"{name}{{{' '.join(words)}}}"


def _quote_value(word: str) -> str:
    key, equals, value = word.partition("=")
    is_number = re.fullmatch(r"[-+]?[0-9]+\.[0-9]*([eE][-+]?[0-9]+)?", value)
    is_missing = key and equals and not value
    if is_number or not (is_missing or _NEEDS_QUOTES.fullmatch(value)):
        return word
    return f'{key}{equals}"{value}"'


def _build_pass(request: PassRequest, spec: ArgSpec, available: PassFactories, hardware: str | None) -> ModulePass:
    factory = available.get(spec.name)
    if factory is None:
        hint = suggestion(spec.name, available, "--list-passes prints all")
        raise ReportedError(Report(f"argument {request.flag}: no pass '{spec.name}'{hint}"))
    pass_type = factory()
    try:
        spec = with_checked_options(_with_hardware(spec, pass_type, hardware, PASS_TABLE), pass_type)
        _check_target_of(spec, PASS_TABLE)
        return pass_type.from_spec(spec)
    except ValueError as error:
        options = "; ".join(pass_options(pass_type)) or "none"
        report = Report(f"argument {request.flag}: pass '{spec.name}': {error}")
        raise ReportedError(report.with_notes(f"its options are: {options}")) from error


def checked_format(text: str, available: Mapping[str, Callable[..., Any]], hardware: str | None) -> str:
    """Check the options of an output format. `hardware` is the default of its option `target`."""
    spec = parse_spec(text)
    factory = available[spec.name]
    # In xDSL a function of a module and a stream is a format, too; it has no options.
    if inspect.signature(factory).parameters:
        return text
    format_type: type[ArgSpecConvertible] = factory()
    spec = _with_hardware(spec, format_type, hardware, NPU_UNIVERSE.all_targets)
    try:
        spec = with_checked_options(spec, format_type)
        _check_target_of(spec, NPU_UNIVERSE.all_targets)
        format_type.from_spec(spec)
    except ValueError as error:
        options = "; ".join(pass_options(format_type)) or "none"
        report = Report(f"argument -t/--emit: output format '{spec.name}': {error}")
        raise ReportedError(report.with_notes(f"its options are: {options}")) from error
    return str(spec)


def _with_hardware(
    spec: ArgSpec, type_: type[ArgSpecConvertible], hardware: str | None, ours: Container[str]
) -> ArgSpec:
    # Only for passes and formats of this package: the option `target` of others means something else.
    if hardware is None or spec.name not in ours or "target" in spec.parameters:
        return spec
    if all(field.name != "target" for field in dataclasses.fields(type_)):
        return spec
    return ArgSpec(spec.name, {**spec.parameters, "target": (hardware,)})


def _check_target_of(spec: ArgSpec, ours: Container[str]) -> None:
    """Check the option `target` of a pass or format of this package before anything is read."""
    if spec.name in ours and (given := spec.parameters.get("target")):
        check_hardware(str(given[0]))


def check_hardware(hardware: str | None) -> None:
    """Check that `--target` is a valid target even if no pass uses it."""
    if hardware is None:
        return
    # Imported late: most runs have no target here.
    from ... import targets

    try:
        targets.load(hardware)
    except targets.TargetError as error:
        raise ReportedError(_target_report(error)) from error


def target_report(error: BaseException) -> Report | None:
    """The diagnostic of a target error; None for any other error."""
    # If the target loader is not imported, the error cannot be one of its own.
    targets = sys.modules.get(f"{__name__.removesuffix('.tools.driver.pipeline')}.targets")
    if targets is None or not isinstance(error, targets.TargetError):
        return None
    return _target_report(cast("TargetError", error))


def _target_report(error: TargetError) -> Report:
    if error.path is None:
        return Report(error.message)
    place = str(error.path) if error.line is None else f"{error.path}:{error.line}"
    return Report(error.message, place)
