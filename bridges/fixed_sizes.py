"""Sizes that a user fixes: those with a name in a model, and those of its inputs."""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

Dim: TypeAlias = int | str | None
"""A size of an input: a number, a name or an expression of names, or unknown."""
Shapes: TypeAlias = Mapping[str, Sequence[Dim] | None]
"""The sizes of the inputs of a model by name; None if their number is unknown."""

_OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda left, right: left + right,
    ast.Sub: lambda left, right: left - right,
    ast.Mult: lambda left, right: left * right,
    ast.FloorDiv: lambda left, right: left // right,
}


class WrongSizes(ValueError):
    """Sizes that a model does not have."""


@dataclass(frozen=True)
class FixedSizes:
    """Sizes by name, and shapes of inputs by name."""

    sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    shapes: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])
    are_optional: bool = False
    """True if a program may lack these names, as one whose sizes are fixed already."""

    def __bool__(self) -> bool:
        return bool(self.sizes or self.shapes)

    def settled(self, inputs: Shapes) -> "FixedSizes":
        """The sizes for these inputs, with those that follow from shapes; raises `WrongSizes`."""
        for name in () if self.are_optional else self.sizes:
            if name not in names_of(inputs):
                raise WrongSizes(f"no size is called '{name}'; {_known_names(inputs)}")
        found = dict(self.sizes)
        for name, shape in self.shapes.items():
            if name not in inputs and self.are_optional:
                continue
            if name not in inputs:
                known = ", ".join(f"{each}:{shape_of(dims)}" for each, dims in inputs.items()) or "none"
                raise WrongSizes(f"no input is called '{name}'; the inputs are: {known}")
            dims = inputs[name]
            if dims is None:
                continue
            if len(dims) != len(shape):
                sizes = f"{len(dims)} size{'s' * (len(dims) != 1)} ({shape_of(dims)})"
                raise WrongSizes(f"the input '{name}' has {sizes}, not {len(shape)}")
            for dim, size in zip(dims, shape, strict=True):
                wanted = found.setdefault(dim, size) if isinstance(dim, str) and dim.isidentifier() else dim
                if isinstance(wanted, int) and wanted != size:
                    raise WrongSizes(f"the input '{name}' is {shape_of(dims)}: '{dim}' is {wanted}, not {size}")
        return replace(self, sizes=found)

    def if_there(self) -> "FixedSizes":
        """The sizes, as far as a program has these names."""
        return replace(self, are_optional=True)

    def applied(self, names: Sequence[str], shapes: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
        """The shapes of inputs with these names and no names of sizes; raises `WrongSizes`."""
        # Imported late: --help loads this file, but not the layouts.
        from ..layout import DYNAMIC

        dims = [[None if size == DYNAMIC else size for size in shape] for shape in shapes]
        self.settled(dict(zip(names, dims, strict=True)))
        return [tuple(self.shapes.get(name, shape)) for name, shape in zip(names, shapes, strict=True)]

    def size_of(self, dim: Dim) -> Dim:
        """The size of a dimension, as a number if it follows from those that are fixed."""
        if not isinstance(dim, str):
            return dim
        value = self.sizes[dim] if dim in self.sizes else _value(dim, self.sizes)
        return dim if value is None else value

    def shape_of(self, name: str, dims: Sequence[Dim] | None) -> Sequence[Dim] | None:
        """The sizes of an input."""
        return self.shapes[name] if name in self.shapes else dims and [*map(self.size_of, dims)]


NO_SIZES = FixedSizes()


def names_of(inputs: Shapes) -> Mapping[str, str]:
    """The names of sizes, each with the first input that has it; the parts of expressions are names as well."""
    found: dict[str, str] = {}
    for name, dims in inputs.items():
        for dim in dims or ():
            if isinstance(dim, str):
                for each in (dim, *_parts(dim)):
                    found.setdefault(each, name)
    return found


def shape_of(dims: Sequence[Dim] | None) -> str:
    """A shape as `--shape` takes it, with names and `?` for what is not known."""
    return "of unknown rank" if dims is None else "x".join("?" if dim is None else str(dim) for dim in dims)


def _known_names(inputs: Shapes) -> str:
    names = names_of(inputs)
    if names:
        return "the names are: " + ", ".join(f"{each} (of {name})" for each, name in names.items())
    open_inputs = [name for name, dims in inputs.items() if dims is None or None in dims]
    if open_inputs:
        shapes = ", ".join(f"{name}:{shape_of(inputs[name])}" for name in open_inputs)
        return f"no size has a name: --shape fixes those of an input ({shapes})"
    return "all sizes of the inputs are known"


def _tree(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _parts(text: str) -> Iterator[str]:
    """The names in an expression such as `past + 1`."""
    tree = None if text.isidentifier() else _tree(text)
    if tree is not None and all(
        isinstance(each, ast.BinOp | ast.Name | ast.Constant | ast.operator | ast.Load) for each in ast.walk(tree)
    ):
        yield from dict.fromkeys(each.id for each in ast.walk(tree) if isinstance(each, ast.Name))


def _value(text: str, sizes: Mapping[str, int]) -> int | None:
    """The value of an expression of names that all have sizes, or None."""
    tree = _tree(text)
    found = None if tree is None else _value_of(tree, sizes)
    return found if found is not None and found >= 0 else None


def _value_of(tree: ast.expr, sizes: Mapping[str, int]) -> int | None:
    match tree:
        case ast.Constant(value=int(number)):
            return number
        case ast.Name(id=name):
            return sizes.get(name)
        case ast.BinOp(left=left, op=op, right=right) if (compute := _OPERATORS.get(type(op))) is not None:
            first, second = _value_of(left, sizes), _value_of(right, sizes)
            if first is None or second is None or (second == 0 and isinstance(op, ast.FloorDiv)):
                return None
            return compute(first, second)
        case _:
            return None
