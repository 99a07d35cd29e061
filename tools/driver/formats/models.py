"""Models as input of the tools."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from ....bridges.files import Draft
from ....bridges.fixed_sizes import NO_SIZES, FixedSizes
from ....text.diagnostics import Report, ReportedError
from ..console.command_text import changed_command
from .model_formats import MODELS

if TYPE_CHECKING:
    # Not at run time: the package onnx is optional and slow to load, and --help does not load the dialect.
    from onnx import ModelProto

    from ....bridges.imported import Imported
    from ....bridges.onnx.importing.importer import Options, Progress
    from ....dialects.npu.attrs import Reference
    from ....dialects.npu.source import ConstantOp

INLINE_LIMIT = 1024
"""Constants up to this size in bytes are written out."""
MOST_FOLDED = 1 << 30
"""The largest constant in bytes that a hint folds."""


def not_from_stdin(format: str) -> Report:
    return Report(f"{MODELS[format]} is read from a file, not from standard input")


@dataclass(frozen=True, slots=True)
class WeightsOptions:
    """Options for the weights of a model."""

    choice: str | None = None
    """`inline`, `none`, a file, or None for the file beside the output."""
    inline_limit: int = INLINE_LIMIT
    fold_limit: int | None = None
    """The largest constant in bytes that the importer builds for a node; None: the default."""
    folds_weights: bool = False
    """True if values that depend on the weights of an ONNX model alone are computed."""
    output: str | None = None
    """The output file; None is standard output."""
    fixed: FixedSizes = NO_SIZES
    """Sizes that the user has fixed."""
    target: str | None = None
    """The target that describes ops of other domains."""
    whole: frozenset[str] = frozenset()
    """Ops of ONNX that are not read as their definitions."""
    command: Sequence[str] = ()
    """The command of npu-opt that reads the model; none for other tools, which fold up to the default limit."""

    @property
    def file(self) -> Path | None:
        """The file to which the weights are written, or None."""
        if self.choice in ("inline", "none"):
            return None
        if self.choice is not None:
            return Path(self.choice)
        return None if self.output is None else Path(self.output).with_suffix(".safetensors")

    @property
    def is_outside(self) -> bool:
        """True if the weights file is not below the folder of the program."""
        folder = Path(self.output or "").parent.resolve()
        return self.file is not None and not self.file.resolve().is_relative_to(folder)

    def name(self, model: str) -> str:
        """The path of the weights file in the program."""
        if self.file is None:
            return Path(self.output or model).with_suffix(".safetensors").name
        return Path(os.path.relpath(self.file, Path(self.output or "").parent)).as_posix()

    @property
    def limit(self) -> int | None:
        """The largest constant in bytes that is written out; None for any."""
        return None if self.choice == "inline" else self.inline_limit

    def options(self, model: str) -> Options:
        """The options of the importer."""
        from ....bridges.onnx.importing.importer import Options
        from ....dialects.settings.folding import FOLD_LIMIT

        fold_limit = FOLD_LIMIT if self.fold_limit is None else self.fold_limit
        needs_data, same_shape = self.choice != "none", _ops_of_same_shape(self.target)
        whole, folds = _checked_whole(self.whole, self.target), self.folds_weights
        return Options(self.name(model), self.limit, fold_limit, folds, needs_data, same_shape, self.fixed, whole)


def whole_ops(target: str | None) -> frozenset[str]:
    """The ops that are not read as their definitions if a file of ONNX is for this target."""
    if target is None:
        return frozenset()
    # Imported late: most models are read without a target.
    from ....targets import load

    return load(target).whole


def _checked_whole(ops: frozenset[str], target: str | None) -> frozenset[str]:
    # Imported late: the package onnx is an extra.
    from ....bridges.onnx.importing.expanded import MAY_BE_WHOLE

    if wrong := sorted(ops - MAY_BE_WHOLE):
        known = ", ".join(sorted(MAY_BE_WHOLE))
        raise ReportedError(Report(f"target '{target}': 'whole' names '{wrong[0]}': expected {known}"))
    return ops


def _ops_of_same_shape(target: str | None) -> dict[str, bool]:
    """The ops of which a target says that results have the shape of the first operand, or (true) of all together."""
    if target is None:
        return {}
    # Imported late: most models are read without a target.
    from ....targets import Likeness, load

    likeness = {name: op.like for name, op in load(target).vendor_ops.items()}
    kept = (Likeness.ELEMENTWISE, Likeness.ANY_ORDER)
    return {name: like is Likeness.ELEMENTWISE for name, like in likeness.items() if like in kept}


def read_model(
    file: str, weights: WeightsOptions, progress: Progress | None = None, model: ModelProto | None = None
) -> Imported:
    """Import a model; raises `ReportedError`.

    A model in memory is given as `model`; `file` is then a name for it, in the folder of its external data.
    """
    from ....bridges.extra import MissingExtraError, require

    try:
        require("onnx")
    except MissingExtraError as error:
        raise ReportedError(Report(str(error))) from error
    from ....bridges.onnx.errors import OnnxError
    from ....bridges.onnx.importing.importer import import_model

    try:
        imported = import_model(Path(file), weights.options(file), progress, model)
    except OnnxError as error:
        raise ReportedError(Report(str(error), file).with_notes(*_notes(file, "onnx"))) from error
    except OSError as error:
        raise ReportedError(Report(f"cannot read '{error.filename or file}': {error.strerror}")) from error
    if imported.unfolded:
        _note_unfolded(imported.unfolded, file, weights.options(file).fold_limit, weights.command)
    return imported


def read_litert(file: str, weights: WeightsOptions) -> Imported:
    """Import a LiteRT model; raises `ReportedError`."""
    from ....bridges.extra import MissingExtraError, require

    try:
        require("litert")
    except MissingExtraError as error:
        raise ReportedError(Report(str(error))) from error
    from ....bridges.litert.importing.errors import LiteRtError
    from ....bridges.litert.importing.importer import import_model

    try:
        imported = import_model(Path(file), weights.name(file), weights.limit, weights.fixed)
    except LiteRtError as error:
        raise ReportedError(Report(str(error), file).with_notes(*_notes(file, "litert"))) from error
    except OSError as error:
        raise ReportedError(Report(f"cannot read '{error.filename or file}': {error.strerror}")) from error
    for text in imported.notes:
        print(f"{file}: note: {text}", file=sys.stderr)
    return imported


def read_torch(file: str, weights: WeightsOptions) -> Imported:
    """Import an exported program of PyTorch; raises `ReportedError`."""
    from ....bridges.extra import MissingExtraError, require

    try:
        require("torch")
    except MissingExtraError as error:
        raise ReportedError(Report(str(error))) from error
    from ....bridges.torch.errors import FxError
    from ....bridges.torch.programs.loading import import_program, load_program

    try:
        return import_program(load_program(Path(file)), weights.name(file), weights.limit, weights.fixed)
    except FxError as error:
        raise ReportedError(Report(str(error), file).with_notes(*_notes(file, "torch"))) from error
    except OSError as error:
        raise ReportedError(Report(f"cannot read '{error.filename or file}': {error.strerror}")) from error


READERS: Mapping[str, Callable[[str, WeightsOptions], Imported]] = {"litert": read_litert, "torch": read_torch}
"""The readers of models for which a file and the options for its weights are enough."""


def _notes(file: str, reader: str) -> list[str]:
    # Imported late: few files are no models.
    from .foreign_files import notes_on_file

    return notes_on_file(file, reader)


def _note_unfolded(unfolded: dict[str, int], file: str, limit: int, command: Sequence[str]) -> None:
    """Print a note about the nodes that are kept because of the fold limit."""
    first, length = max(unfolded.items(), key=lambda item: item[1])
    others = f" and {len(unfolded) - 1} more" if len(unfolded) > 1 else ""
    text = f"{file}: note: {first}{others} not folded: {length} bytes of constants, and the limit is {limit}"
    if command and length <= MOST_FOLDED:
        text += f" (run: {changed_command(command, [f'--fold-limit={length}'])})"
    print(text, file=sys.stderr)


def note_on_references(count: int, file: str, command: Sequence[str]) -> None:
    """Print a note about the constants of a model that a program refers to without a file of weights."""
    which = "1 constant is" if count == 1 else f"{count} constants are"
    print(
        f"{file}: note: {which} referenced but not written: choose a file with -o or --weights,"
        f" or store the weights in the program (run: {changed_command(command, ['--weights=inline'])})",
        file=sys.stderr,
    )


def references(module: ModuleOp) -> Iterator[tuple[ConstantOp, Reference]]:
    """The constants of a module that are in files."""
    from ....dialects.npu.attrs import ReferenceAttr
    from ....dialects.npu.source import ConstantOp

    for op in module.walk():
        if isinstance(op, ConstantOp) and isinstance(op.value, ReferenceAttr):
            yield op, op.value.data


def used_weights(imported: Imported, module: ModuleOp) -> set[str]:
    """The keys of the tensors that a module refers to, as far as the model has their data."""
    keys = {reference.key for _, reference in references(module)}
    return keys & {key for key, tensor in imported.weights.items() if tensor.has_data}


def write_weights(imported: Imported, keys: set[str], file: Path) -> None:
    """Write the tensors with these keys, as far as the model has their data."""
    if draft := draft_weights(imported, keys, file):
        draft.put_in_place()


def draft_weights(imported: Imported, keys: set[str], file: Path) -> Draft | None:
    """A draft of a file of the tensors with these keys, or None if the model has no data for them."""
    from ....bridges.safetensors import write_tensors

    tensors = {key: tensor.stored() for key, tensor in imported.weights.items() if key in keys and tensor.has_data}
    if not tensors:
        return None
    with cannot_write(file):
        draft = Draft(file)
        try:
            write_tensors(draft.stream, tensors)
            draft.stream.flush()
        except BaseException:
            draft.discard()
            raise
    return draft


@contextmanager
def cannot_write(file: Path) -> Generator[None]:
    """Convert `OSError` to a `ReportedError` about this file."""
    try:
        yield
    except OSError as error:
        raise ReportedError(Report(f"cannot write '{file}': {error.strerror}")) from error


def rename_file(module: ModuleOp, old: str, new: str) -> None:
    """Replace the file name in references."""
    from ....dialects.npu.attrs import ReferenceAttr

    for op, reference in references(module):
        if reference.file == old:
            op.value = ReferenceAttr(replace(reference, file=new))
