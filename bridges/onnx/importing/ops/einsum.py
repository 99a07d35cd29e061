"""Einsum as matrix products."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from .....dialects.npu.linear import MatmulOp
from .....dialects.npu.reduction import ReduceSumOp
from .....dialects.npu.shape import TransposeOp
from .....dialects.npu.source import ConstantOp
from .....dialects.npu.values import shape_of
from .....layout import identity, same_storage
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
    mark = node.graph.mark()
    term = terms[0]
    for index, other in enumerate(terms[1:], 1):
        needed = {*result, *"".join(inputs[index + 1 :])}
        first = _summed(node, term, needed | set(other.letters))
        term = _multiplied(node, first, _summed(node, other, needed | set(term.letters)), needed)
    found = _ordered(node, _summed(node, term, set(result)), result).value
    if "Einsum" in node.graph.whole and _moves_data(node, mark) and not _takes_an_end(node, terms, result):
        raise UnsupportedNode("its products need transposes")
    return found


def _moves_data(node: ImportedNode, mark: Operation | None) -> bool:
    """True if an op behind a mark transposes what is no constant."""
    op = node.graph.block.last_op
    while op is not None and op is not mark:
        if isinstance(op, TransposeOp) and not isinstance(op.input.owner, ConstantOp):
            sizes = shape_of(op.input)
            if not same_storage(identity(len(sizes)), op.moved(), sizes):
                return True
        op = op.prev_op
    return False


def _takes_an_end(node: ImportedNode, terms: Sequence[Term], result: str) -> bool:
    """True if a constant takes the first or the last axes of a value, and leaves its own in their place.

    It is the left or the right operand of a product that needs no transpose.
    """
    weights = [term for term in terms if isinstance(term.value.owner, ConstantOp)]
    if len(terms) != 2 or len(weights) != 1:
        return False
    sizes = _sizes(node, terms[0] if weights[0] is terms[1] else terms[1])
    letters = "".join(letter for letter, size in sizes.items() if size != 1)
    inner = "".join(letter for letter in letters if letter in weights[0].letters)
    before, _, behind = letters.partition(inner) if inner else (letters, "", "")
    kept = "".join(letter for letter in result if sizes.get(letter) != 1)
    is_at_end = not (before and behind) and kept.startswith(before) and kept.endswith(behind)
    return is_at_end and {*inner}.isdisjoint(result)


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
    return Term(letters, node.transpose(term.value, [term.letters.index(letter) for letter in letters]))
