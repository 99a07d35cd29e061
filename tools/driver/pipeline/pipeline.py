"""Construction of the pass pipeline from command line flags."""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import re
import sys
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ArgSpecConvertible, parse_pipeline, parse_spec
from xdsl.utils.exceptions import ArgSpecParseError

from ....passes import PASS_TABLE
from ....text.diagnostics import Report, ReportedError
from ..console.output import say
from ..console.suggestions import suggestion
from ..options.arguments import PassRequest
from ..options.listing import PassFactories, pass_options
from ..options.option_values import with_checked_options, with_spaces
from .output_formats import OWN_FORMATS

if TYPE_CHECKING:
    from ....dialects.notes.value_pins import PinError
    from ....passes.common.plans.interface_choice import InterfaceChoice
    from ....targets import TargetError

Defaults: TypeAlias = Mapping[str, str | None]
"""The values of flags that set an option of all passes that have it."""

SET_INTERFACE = PassRequest("-p", "set-interface")
DESCRIBE_OPS = PassRequest("-p", "describe-ops")
PIN_LAYOUTS = "pin-layouts"
TIE_INTERFACES = "tie-interfaces"

PACKAGE = __name__.partition(".")[0]

_OPTION_WORD = re.compile(r'(?:"[^"]*"|[^\s"])+')
_PASS = re.compile(r"([\w-]+)\{((?:\"[^\"]*\"|[^}\"])*)\}")
_NEEDS_QUOTES = re.compile(r'[^"]*[^"0-9A-Za-z_,+-][^"]*')


def build_passes(
    requests: Iterable[PassRequest], available: PassFactories, hardware: str | None, interface: str | None = None
) -> tuple[ModulePass, ...]:
    """The passes of `requests` in order. `hardware` and `interface` are the defaults of `target` and `interface`."""
    defaults = {"target": hardware, "interface": interface}
    return tuple(
        _build_pass(request, spec, available, defaults) for request in requests for spec in _specs(request, available)
    )


def with_interface(passes: Sequence[ModulePass], available: PassFactories, interface: str | None) -> list[ModulePass]:
    """The passes, behind `set-interface` if none of them has an option `interface`."""
    has_option = any(each.name in PASS_TABLE and hasattr(each, "interface") for each in passes)
    first = () if interface is None or has_option else build_passes([SET_INTERFACE], available, None, interface)
    return [*first, *passes]


def with_pins(passes: Sequence[ModulePass], available: PassFactories, plan: str | None) -> list[ModulePass]:
    """The passes, with `pin-layouts` in front of the first `layout-optimal`. The plan is checked."""
    if plan is None:
        return [*passes]
    # Imported late: most runs have no plan.
    from ....dialects.notes.value_pins import PinError
    from ....passes.pins.plan_file import read_pins

    try:
        read_pins(plan)
    except PinError as error:
        raise ReportedError(Report(str(error), error.place)) from error
    place = next((place for place, each in enumerate(passes) if each.name == "layout-optimal"), None)
    if place is None:
        raise ReportedError(Report("argument --plan: no pass in the pipeline obeys pins (--layout-optimal)"))
    return [
        *passes[:place],
        available[PIN_LAYOUTS]().from_spec(ArgSpec(PIN_LAYOUTS, {"plan": (plan,)})),
        *passes[place:],
    ]


def with_ties(passes: Sequence[ModulePass], available: PassFactories, args: argparse.Namespace) -> list[ModulePass]:
    """The passes, with `tie-interfaces` in front of the first one that chooses layouts, if the arguments ask for it."""
    if not (args.tie or args.calls):
        return [*passes]
    place = next((place for place, each in enumerate(passes) if hasattr(each, "interface")), None)
    if place is None:
        raise ReportedError(Report("argument --tie: no pass in the pipeline chooses layouts (--layout-optimal)"))
    spec = ArgSpec(TIE_INTERFACES, {"ties": (",".join(args.tie),), "calls": (args.calls,)})
    try:
        return [*passes[:place], available[TIE_INTERFACES]().from_spec(spec), *passes[place:]]
    except ValueError as error:
        raise tie_report(error) from error


def tie_report(error: Exception) -> ReportedError:
    """The error of `tie-interfaces` as one of the flags that name ties and calls."""
    text = str(error).replace("option ties:", "argument --tie:", 1).replace("option calls:", "argument --calls:", 1)
    return ReportedError(Report(text))


def with_described_ops(passes: Sequence[ModulePass], available: PassFactories) -> list[ModulePass]:
    """The passes, with `describe-ops` in front of the first pass of each target that describes ops."""
    known = {getattr(each, "target", None) for each in passes if each.name == DESCRIBE_OPS.text}
    found: list[ModulePass] = []
    for each in passes:
        target = getattr(each, "target", None) if each.name in PASS_TABLE else None
        if target not in (None, *known) and _describes_ops(target):
            found += build_passes([DESCRIBE_OPS], available, target)
        known.add(target)
        found.append(each)
    return found


def _describes_ops(target: str) -> bool:
    # Imported late: many runs have no target.
    from .... import targets

    return bool(targets.load(target).vendor_ops)


def _specs(request: PassRequest, available: PassFactories) -> list[ArgSpec]:
    # Flags of passes have two dashes; the Python function has an argument `passes`.
    is_pipeline = not request.flag.startswith("--")
    _refuse_commas(request, available)
    text = request.text if is_pipeline else _flag_as_pipeline(request)
    try:
        specs = list(parse_pipeline(text))
    except ArgSpecParseError as error:
        # xDSL's message shows the position in the pipeline; its first line is a title.
        details = str(error).split("\n", 1)[-1].rstrip()
        message = f"argument {request.flag}: cannot read '{text}'"
        raise ReportedError(Report(message, source_lines=(details,))) from error
    except UnicodeEncodeError as error:
        # A byte of the command line that is no text.
        raise ReportedError(Report(f"argument {request.flag}: cannot read '{text}': {error.reason}")) from error
    # Options such as `a},b{` would close the braces of their pass.
    if not is_pipeline and len(specs) != 1:
        raise ReportedError(Report(f"argument {request.flag}: cannot read '{request.text}'"))
    return specs


def _refuse_commas(request: PassRequest, available: PassFactories) -> None:
    """Raise an error with the corrected text if options are separated by commas."""

    def corrected(name: str, options: str) -> str:
        factory = available.get(name) if re.search("[,;]", options) else None
        return options if factory is None else with_spaces(options, factory())

    if request.flag.startswith("--"):
        right = corrected(request.flag.removeprefix("--"), request.text)
        right = request.text if right == request.text else right.strip()
        corrected_text = f'{request.flag}="{right}"'
    else:
        right = _PASS.sub(lambda found: f"{found[1]}{{{corrected(found[1], found[2])}}}", request.text)
        corrected_text = f"{request.flag} '{right}'"
    if right != request.text:
        raise ReportedError(Report(f"argument {request.flag}: options are separated by spaces: {corrected_text}"))


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


def _build_pass(request: PassRequest, spec: ArgSpec, available: PassFactories, defaults: Defaults) -> ModulePass:
    factory = available.get(spec.name)
    if factory is None:
        hint = suggestion(spec.name, available, "npu-opt --list-passes=all prints all")
        raise ReportedError(Report(f"argument {request.flag}: no pass '{spec.name}'{hint}"))
    pass_type = factory()
    given = spec.parameters
    try:
        spec = with_checked_options(_with_defaults(spec, pass_type, defaults, PASS_TABLE), pass_type)
        _check_target_of(spec, PASS_TABLE)
        built = pass_type.from_spec(spec)
    except ValueError as error:
        options = "; ".join(pass_options(pass_type)) or "none"
        report = Report(f"argument {request.flag}: pass '{spec.name}': {error}")
        raise ReportedError(report.with_notes(f"its options are: {options}")) from error
    if spec.name in PASS_TABLE and "interface" in given:
        _say_doubts(f"{spec.name}: interface", str(getattr(built, "interface", "keep")))
    return built


def _say_doubts(subject: str, text: str) -> InterfaceChoice:
    """Read the choice of layouts for arguments and results, and ask about those that may be typos."""
    # Imported late: most runs keep the interface.
    from ....passes.common.plans.interface_choice import InterfaceChoice

    choice = InterfaceChoice.parse(text)
    for doubt in choice.doubts():
        say(f"{subject}: warning: {doubt}")
    return choice


def checked_format(text: str, available: Mapping[str, Callable[..., Any]], hardware: str | None) -> str:
    """Check the options of an output format. `hardware` is the default of its option `target`."""
    spec = parse_spec(text)
    factory = available[spec.name]
    # In xDSL a function of a module and a stream is a format, too; it has no options.
    if inspect.signature(factory).parameters:
        return text
    format_type: type[ArgSpecConvertible] = factory()
    spec = _with_defaults(spec, format_type, {"target": hardware}, OWN_FORMATS)
    try:
        spec = with_checked_options(spec, format_type)
        _check_target_of(spec, OWN_FORMATS)
        format_type.from_spec(spec)
    except ValueError as error:
        options = "; ".join(pass_options(format_type)) or "none"
        report = Report(f"argument -t/--emit: output format '{spec.name}': {error}")
        raise ReportedError(report.with_notes(f"its options are: {options}")) from error
    return str(spec)


def _with_defaults(spec: ArgSpec, type_: type[ArgSpecConvertible], defaults: Defaults, ours: Container[str]) -> ArgSpec:
    # Only for passes and formats of this package: the options of others mean something else.
    if spec.name not in ours:
        return spec
    known = {field.name for field in dataclasses.fields(type_)}
    added = {name: (value,) for name, value in defaults.items() if value is not None and name in known}
    return ArgSpec(spec.name, {**added, **spec.parameters})


def _check_target_of(spec: ArgSpec, ours: Container[str]) -> None:
    """Check the option `target` of a pass or format of this package before anything is read."""
    if spec.name in ours and (given := spec.parameters.get("target")):
        check_hardware(str(given[0]))


def check_hardware(hardware: str | None) -> None:
    """Check that `--target` is a valid target even if no pass uses it."""
    if hardware is None:
        return
    # Imported late: most runs have no target here.
    from .... import targets

    try:
        targets.load(hardware)
    except targets.TargetError as error:
        raise ReportedError(_target_report(error)) from error


def checked_interface(given: Sequence[str] | None, argument: str = "--interface") -> str | None:
    """The values of `--interface` as one option of passes, checked before anything is read; None to keep all."""
    if given is None:
        return None
    try:
        choice = _say_doubts(argument.removeprefix("--"), ",".join(given))
    except ValueError as error:
        raise ReportedError(Report(f"argument {argument}: {error}")) from error
    return None if choice.keeps_all else ",".join(given)


def pin_report(error: BaseException) -> Report | None:
    """The diagnostic of a pin of a plan that cannot be obeyed; None for any other error."""
    # If pins are not imported, the error cannot be about one.
    pins = sys.modules.get(f"{PACKAGE}.dialects.notes.value_pins")
    if pins is None or not isinstance(error, pins.PinError):
        return None
    place = cast("PinError", error).place
    return Report(str(error), place) if place else None


def target_report(error: BaseException) -> Report | None:
    """The diagnostic of a target error; None for any other error."""
    # If the target loader is not imported, the error cannot be one of its own.
    targets = sys.modules.get(f"{PACKAGE}.targets")
    if targets is None or not isinstance(error, targets.TargetError):
        return None
    return _target_report(cast("TargetError", error))


def _target_report(error: TargetError) -> Report:
    if error.path is None:
        return Report(error.message)
    place = str(error.path) if error.line is None else f"{error.path}:{error.line}"
    return Report(error.message, place)
