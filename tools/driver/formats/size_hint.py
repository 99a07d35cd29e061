"""The hint on flags that fix the unknown sizes of a model, behind errors that they may cause."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from ....bridges.fixed_sizes import FixedSizes, Shapes, names_of, shape_of
from ..console.command_text import changed_command

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute, Block, Operation, SSAValue

MOST_NAMES = 5


def size_hint(inputs: Shapes, command: Sequence[str]) -> tuple[str, ...]:
    """A note with a command that fixes the sizes, if some are unknown."""
    known = {name: dims for name, dims in inputs.items() if dims is not None}
    assumed = _assumed_names(known)
    settled = FixedSizes(assumed)
    flags = [f"--size={name}={size}" for name, size in assumed.items()]
    unknown = {name: dims for name, dims in known.items() if not all(isinstance(dim, int) for dim in dims)}
    for name, dims in unknown.items():
        sizes = [settled.size_of(dim) for dim in dims]
        if None in sizes:
            fixed = [_assumed(axis) if size is None else size for axis, size in enumerate(sizes)]
            flags.append(f"--shape={name}:{shape_of(fixed)}")
    if not flags:
        return ()
    listed = ", ".join(f"{name}:{shape_of(dims)}" for name, dims in unknown.items())
    command_text = changed_command(command, flags)
    return (f"the inputs have sizes that are unknown ({listed}); these flags fix them (run: {command_text})",)


def _assumed_names(inputs: Shapes) -> Mapping[str, int]:
    """A size for each name, by the axis where it is met first."""
    found: dict[str, int] = {}
    for dims in inputs.values():
        for axis, dim in enumerate(dims or ()):
            if isinstance(dim, str):
                whole, *parts = names_of({"": [dim]})
                for name in parts or [whole]:
                    found.setdefault(name, _assumed(axis))
    return found


def _assumed(axis: int) -> int:
    # Imported late: most runs give no hint.
    from ....dialects.settings.assumed_sizes import ASSUMED_LEADING_SIZE, size_of_run

    return size_of_run() if axis else ASSUMED_LEADING_SIZE


def unknown_ranks(module: ModuleOp, command: Sequence[str]) -> tuple[str, ...]:
    """Notes on the values of an imported model whose types or ranks nobody knows, if there are any."""
    # Imported late: most runs give no hint.
    from ....dialects.npu.source import ForeignOp
    from ....dialects.npu.values import is_rankless, is_unknown

    blocks = (block for op in module.walk() for region in op.regions for block in region.blocks)
    values = [value for block in blocks for each in (block, *block.ops) for value in _values_of(each)]
    what, found = "nodes that read or compute values of unknown", list[str]()
    unknown = [value for value in values if is_unknown(value.type)]
    if names := _listed(unknown):
        owners = dict.fromkeys(value.owner for value in unknown)
        ops = dict.fromkeys(op.op_name.data for op in owners if isinstance(op, ForeignOp))
        kinds = [name for name in ops if not name.startswith("onnx.")][:MOST_NAMES]
        described = f", or a --target that describes {' and '.join(map(repr, kinds))}" if kinds else ""
        found.append(f"{what} type stay unchanged ({names}): add types to the model{described}")
    if names := _listed(value for value in values if is_rankless(value.type)):
        found += [
            f"{what} rank stay unchanged ({names}); --shape fixes those of inputs",
            *size_hint(inputs_of(module), command),
        ]
    return tuple(found)


def _listed(values: Iterable[SSAValue]) -> str:
    """The names of some values."""
    names = [*dict.fromkeys(value.name_hint or "" for value in values)]
    return ", ".join(names[:MOST_NAMES]) + (", ..." if len(names) > MOST_NAMES else "")


def _values_of(each: Block | Operation) -> Sequence[SSAValue]:
    from xdsl.ir import Block

    return each.args if isinstance(each, Block) else each.results


def inputs_of(module: ModuleOp) -> Shapes:
    """The inputs of an imported model with the names that it has for them and their sizes."""
    # Imported late: most runs give no hint.
    from xdsl.dialects.builtin import ArrayAttr, StringAttr

    from ....bridges.functions import main_function
    from ....dialects.npu.values import is_whole, shape_of
    from ....layout import DYNAMIC

    function = main_function(module)
    found: dict[str, list[int | str | None] | None] = {}
    for argument, notes in zip(function.args, function.arg_attrs or (), strict=False):
        name, dims = notes.data.get("onnx.name"), notes.data.get("onnx.dims")
        if not isinstance(name, StringAttr):
            continue
        if is_whole(argument):
            found[name.data] = None
            continue
        sizes: list[int | str | None] = [None if size == DYNAMIC else size for size in shape_of(argument)]
        names = cast("ArrayAttr[Attribute]", dims).data if isinstance(dims, ArrayAttr) else ()
        if len(names) == len(sizes):
            texts = [each.data if isinstance(each, StringAttr) else "" for each in names]
            sizes = [text or None if size is None else size for text, size in zip(texts, sizes, strict=True)]
        found[name.data] = sizes
    return found
