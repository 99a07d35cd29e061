"""Einsum as matrix products."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from .....dialects.npu.linear import MatmulOp
from .....dialects.npu.reduction import ReduceSumOp
from .....dialects.npu.source import ConstantOp
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts
from ..sizes import Size, broadcast, product

HIDDEN = "0123456789"
"""Letters for the axes of an ellipsis."""


@dataclass(frozen=True, slots=True)
class Term:
    """A value and the letters of its axes."""

    letters: str
    value: SSAValue


@converts("Einsum")
def einsum(node: ImportedNode) -> Converted:
    """Operands are multiplied from left to right; an axis is reduced at its last use."""
    equation = "".join(node.text("equation").split())
    values = node.operands()
    inputs, result = _spelt_out(equation, [len(node.sizes_of(value)) for value in values])
    terms = [Term(letters, value) for letters, value in zip(inputs, values, strict=True)]
    term = terms[0]
    for index, other in enumerate(terms[1:], 1):
        needed = {*result, *"".join(inputs[index + 1 :])}
        first = _summed(node, term, needed | set(other.letters))
        term = _multiplied(node, first, _summed(node, other, needed | set(term.letters)), needed)
    return _ordered(node, _summed(node, term, set(result)), result).value


def _spelt_out(equation: str, ranks: Sequence[int]) -> tuple[list[str], str]:
    """The letters of the operands and of the result, without ellipses."""
    left, arrow, result = equation.partition("->")
    inputs = left.split(",")
    if len(inputs) != len(ranks):
        raise UnsupportedNode("the equation has another number of operands")
    hidden = [rank - len(letters.replace("...", "")) for letters, rank in zip(inputs, ranks, strict=True)]
    most = max((count for letters, count in zip(inputs, hidden, strict=True) if "..." in letters), default=0)
    if not arrow:
        counted = "".join(inputs).replace("...", "")
        result = "..." * (most > 0) + "".join(sorted(letter for letter in counted if counted.count(letter) == 1))
    inputs = [
        letters.replace("...", HIDDEN[most - count : most]) for letters, count in zip(inputs, hidden, strict=True)
    ]
    result = result.replace("...", HIDDEN[:most])
    if any(
        len(set(letters)) != len(letters) or len(letters) != rank for letters, rank in zip(inputs, ranks, strict=True)
    ):
        raise UnsupportedNode("a diagonal")
    return inputs, result


def _summed(node: ImportedNode, term: Term, needed: set[str]) -> Term:
    """Reduce the axes that are not needed."""
    axes = [axis for axis, letter in enumerate(term.letters) if letter not in needed]
    if not axes:
        return term
    sizes = node.sizes_of(term.value)
    left = [axis for axis in range(len(sizes)) if axis not in axes]
    value = node.add(ReduceSumOp, [term.value], [sizes[axis] for axis in left], axes=axes)
    return Term("".join(term.letters[axis] for axis in left), value)


def _multiplied(node: ImportedNode, first: Term, second: Term, needed: set[str]) -> Term:
    """The product of two values, contracted over shared axes that are not needed."""
    shared = [letter for letter in first.letters if letter in second.letters]
    batch = [letter for letter in shared if letter in needed]
    inner = [letter for letter in shared if letter not in needed]
    rows = [letter for letter in first.letters if letter not in shared]
    columns = [letter for letter in second.letters if letter not in shared]
    sizes = {**_sizes(node, second), **_sizes(node, first)}
    for letter in batch:
        whole = broadcast(((_sizes(node, first)[letter],), (_sizes(node, second)[letter],)))
        if whole is None:
            raise UnsupportedNode("sizes are not known to be equal")
        sizes[letter] = whole[0]
    lhs = _matrix(node, first, batch, rows, inner)
    rhs = _matrix(node, second, batch, inner, columns)
    outer = [product(sizes[letter] for letter in letters) for letters in (rows, columns)]
    result = node.add(MatmulOp, [lhs, rhs], (*(sizes[letter] for letter in batch), *outer))
    letters = "".join((*batch, *rows, *columns))
    return Term(letters, node.reshape(result, [sizes[letter] for letter in letters]))


def _sizes(node: ImportedNode, term: Term) -> dict[str, Size]:
    return dict(zip(term.letters, node.sizes_of(term.value), strict=True))


def _matrix(
    node: ImportedNode, term: Term, batch: Iterable[str], rows: Iterable[str], columns: Iterable[str]
) -> SSAValue:
    """A value with its batch axes first, then `rows` and `columns` merged into one axis each."""
    sizes = _sizes(node, term)
    value = _ordered(node, term, "".join((*batch, *rows, *columns))).value
    joined = [product(sizes[letter] for letter in letters) for letters in (rows, columns)]
    return node.reshape(value, (*(sizes[letter] for letter in batch), *joined))


def _ordered(node: ImportedNode, term: Term, letters: str) -> Term:
    """Transpose a value to this order of axes."""
    if sorted(letters) != sorted(term.letters):
        raise UnsupportedNode("the result has an axis that no operand has")
    if "Einsum" in node.graph.whole and _moves_data(node, term, letters):
        raise UnsupportedNode("its products need transposes")
    return Term(letters, node.transpose(term.value, [term.letters.index(letter) for letter in letters]))


def _moves_data(node: ImportedNode, term: Term, letters: str) -> bool:
    """True if a value that is no constant has other bytes in this order of axes."""
    sizes = _sizes(node, term)
    before, after = ([letter for letter in each if sizes[letter] != 1] for each in (term.letters, letters))
    return before != after and not isinstance(term.value.owner, ConstantOp)
