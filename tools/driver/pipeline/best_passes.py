"""`-O`: the passes that are best for a target, which its file says, and what they would gain."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.arg_spec import parse_pipeline
from xdsl.utils.exceptions import DiagnosticException

from ....text.diagnostics import Report, ReportedError
from ..console.command_text import as_command, changed_command
from ..console.output import say
from ..formats.model_formats import model_format
from ..formats.output_format import MODEL_FORMATS, ModelFile, exported_model
from ..options.arguments import PassRequest
from ..options.listing import PassFactories
from .pipeline import build_passes

if TYPE_CHECKING:
    from ....bridges.imported import Imported

FLAGS = ("-O", "--optimize")
DEFAULT_TARGET = "opu"
"""The target of passes that are asked for none."""
OF_HARDWARE = "--recognise-quantised --recognise-norms --recognise-turns --layout-optimal --canonicalize"
"""The flags for targets that do not say theirs: the ops that hardware runs as one, with the fewest transposes."""
FOLD_WEIGHTS = "--fold-weights"


def with_best_passes(args: argparse.Namespace) -> bool:
    """Replace `-O` by the flags that it stands for, and print them; false if it is not there."""
    if not any(request.flag in FLAGS for request in args.passes):
        return False
    if args.hardware is None:
        # A model that is written has chosen its target already.
        args.hardware = model_format(args.input_file or "", args.frontend) or DEFAULT_TARGET
    args.verify_layouts = True
    words = _flags_of(args.hardware)
    args.fold_weights |= FOLD_WEIGHTS in words
    best = [PassRequest(*_flag_and_options(word)) for word in words if word != FOLD_WEIGHTS]
    args.passes = [each for request in args.passes for each in (best if request.flag in FLAGS else [request])]
    command = as_command([f"--target={args.hardware}", *words, "--verify-layouts"])
    say(f"{args.input_file or '<stdin>'}: note: -O stands for {command}")
    return True


def command_with_option(args: argparse.Namespace, pass_name: str, option: str) -> str:
    """The command of the run, with an option more for the first pass of this name."""
    flags, is_there = list[str](), False
    for request in args.passes:
        texts = [str(each) for each in parse_pipeline(request.text)] if request.flag == "-p" else [request.text]
        names = [each.partition("{")[0] for each in texts] if request.flag == "-p" else [request.flag.lstrip("-")]
        if pass_name in names and not is_there:
            place, is_there = names.index(pass_name), True
            texts[place] = _with_option(texts[place], option, is_spec=request.flag == "-p")
        text = ",".join(texts)
        flags += ["-p", text] if request.flag == "-p" else [f"{request.flag}={text}" if text else request.flag]
    if any(word in FLAGS for word in args.command):
        folds = [FOLD_WEIGHTS] if args.fold_weights else []
        flags = [f"--target={args.hardware}", *folds, *flags, "--verify-layouts"]
    return changed_command(args.command, flags, keeps_passes=False)


def _with_option(text: str, option: str, *, is_spec: bool) -> str:
    if not is_spec:
        return f"{text} {option}".strip()
    name, _, options = text.partition("{")
    return f"{name}{{{' '.join([*filter(None, [options.removesuffix('}')]), option])}}}"


def _flags_of(target: str) -> list[str]:
    # Imported late: most runs do not ask for them.
    import shlex

    from .... import targets

    loaded = targets.load(target)
    words = shlex.split(loaded.optimize or OF_HARDWARE)
    if wrong := [word for word in words if not word.startswith("--")]:
        raise ReportedError(Report(f"target '{target}': 'optimize' has flags only, found '{wrong[0]}'"))
    return words


def _flag_and_options(word: str) -> tuple[str, str]:
    flag, _, options = word.partition("=")
    return flag, options


def gain_of_best_passes(
    written: ModelFile, module: ModuleOp, imported: Imported, args: argparse.Namespace, passes: PassFactories
) -> str:
    """A line about the transposes of the file that `-O` would write; empty if they are no fewer."""
    if not written.cost.transposes:
        return ""
    found = _optimized(module, imported, args, passes)
    if found is None or found.cost.transposes >= written.cost.transposes:
        return ""
    cost, word = found.cost, MODEL_FORMATS[written.format_name]
    count = f"{cost.transposes} {word}{'s' * (cost.transposes != 1)}"
    moved = f", of {cost.bytes_text} bytes" if cost.transposes else ""
    command = changed_command(args.command, ["-O"])
    return f"\n{written.path}: note: with -O there would be {count}{moved} (run: {command})"


def _optimized(
    module: ModuleOp, imported: Imported, args: argparse.Namespace, passes: PassFactories
) -> ModelFile | None:
    """The model that `-O` would write, but for what it computes from weights; None if something refuses the program."""
    requests = [PassRequest(*_flag_and_options(word)) for word in _flags_of(args.hardware) if word != FOLD_WEIGHTS]
    pipeline = build_passes(requests, passes, args.hardware)
    copy = module.clone()
    context = Context(allow_unregistered=True)
    try:
        for each in pipeline:
            if not getattr(each, "IN_REAL_NUMBERS", False):
                each.apply(context, copy)
        return exported_model(copy, args.target, replace(imported, module=copy), args.hardware)
    except (DiagnosticException, ReportedError):
        return None
