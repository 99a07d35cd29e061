"""Values and nodes of an ONNX model for check_equal.py: what ops move, and the laws of those that compute.

`law` names axes:
  N...  free: each position of the result depends on the same one of the operands;
  +...  summed, or reduced in some other way in which the order does not count;
  ....  an axis along which positions differ, such as that of a Concat: it stays as it is.
Each law follows from the text of ONNX about its op.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
import copy
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import numpy_helper

if TYPE_CHECKING or __package__:
    from .onnx_ops import ALIKE, COMMUTE, ELEMENTWISE, SINCE, SWITCHES, USUAL, VIEWS
    from .positions import Array, Lines, reshaped, whole
else:
    from onnx_ops import ALIKE, COMMUTE, ELEMENTWISE, SINCE, SWITCHES, USUAL, VIEWS
    from positions import Array, Lines, reshaped, whole


@dataclass(eq=False)
class OnnxValue:
    """A value of a model: a constant, or the elements that it shows of its root, if its sizes are known."""

    name: str
    type: onnx.TypeProto
    node: "OnnxStep | None" = None
    array: Array | None = None
    is_computed: bool = False
    is_open: bool = False
    """True for numbers that may depend on sizes which the model leaves open."""
    came: list[int] = field(default_factory=list[int])
    """The sizes of an input, in the order of the model that came."""
    number: int = field(default_factory=partial(next, count()))
    """The number of the value among all of both models."""

    def __post_init__(self) -> None:
        dims, self.root = self.type.tensor_type.shape.dim, self
        self.is_sized = self.type.tensor_type.HasField("shape") and all(each.HasField("dim_value") for each in dims)
        self.is_known = self.is_sized and all(each.dim_value > 0 for each in dims)
        self.shape = tuple(each.dim_value for each in dims)
        self.at = whole(self.shape) if self.is_known else []

    def resize(self, sizes: Mapping[int, int | None]) -> None:
        """Set the sizes of axes of a result that is not yet shown to be another one; None for those that are open."""
        for axis, size in sizes.items():
            dim = self.type.tensor_type.shape.dim[axis]
            dim.Clear() if size is None else setattr(dim, "dim_value", size)
        self.__post_init__()

    def as_came(self, stored: Sequence[int]) -> "OnnxValue":
        """The value with the axes in order that are stored in this one."""
        found, order = copy.copy(self), [int(each) for each in np.argsort(stored)]
        found.shape = tuple(self.shape[axis] for axis in order)
        found.array = self.array if self.array is None else self.array.transpose(order)
        found.at = [*self.at[:1], *(self.at[1 + axis] for axis in order if self.at)]
        return found

    def equals(self, other: "OnnxValue") -> bool:
        types = [(each.type.tensor_type.elem_type, each.shape) for each in (self, other)]
        if self.is_sized and other.is_sized and 0 in self.shape and types[0] == types[1]:
            return True  # Neither has an element.
        if self.array is None or other.array is None:
            if self.root is not other.root or len(self.at) != len(other.at):
                return False
            # A value of unknown sizes shows all of its root.
            pairs = zip(self.at, other.at, strict=True)
            return not self.at or (self.shape == other.shape and all(np.array_equal(*each) for each in pairs))
        one, two = self.array, other.array
        return (one.dtype, one.shape) == (two.dtype, two.shape) and (one is two or one.tobytes() == two.tobytes())


@dataclass
class OnnxStep:
    op: str
    version: tuple[str, int]
    attributes: Mapping[str, Any]
    inputs: list[OnnxValue | None]
    model: Any
    """The model, or the graph in a node, that has it."""
    outputs: list[OnnxValue] = field(default_factory=list[OnnxValue])
    is_swapped: bool = False
    twin: "OnnxStep | None" = None
    """The random node of the other model that draws the same numbers."""

    def __post_init__(self) -> None:
        domain, version = self.version
        self.version = domain, min(version, SINCE.get(self.op, version))
        if self.op == "Resize":
            self.unread()
        if self.op in ("Hardmax", "LogSoftmax", "Softmax") and domain == "" and version < 13 and self.inputs[0]:
            # Before 13, an axis stands for all axes behind it as well.
            axis, rank = self.attributes["axis"], len(self.inputs[0].type.tensor_type.shape.dim)
            self.version = domain, 13 if axis in (-1, rank - 1) else version
        while self.inputs and self.inputs[-1] is None:
            self.inputs.pop()
        if self.op.startswith("Reduce") and domain == "":
            with suppress(ValueError):  # Before 13 or 18, constant axes are an attribute.
                self.attributes = {**self.attributes, **({"axes": self.listed(1)} if len(self.inputs) > 1 else {})}
                self.inputs = self.inputs[:1]

    def unread(self) -> None:
        """Forget what a Resize does not read: the way of rounding, a region, empty operands."""
        given = dict(self.attributes)
        if given.get("mode") != b"nearest":
            given.pop("nearest_mode", None)
        if len(self.inputs) > 2 and given.get("coordinate_transformation_mode") != b"tf_crop_and_resize":
            self.inputs[1] = None
        for at, each in enumerate([*self.inputs]):
            if each and each.array is not None and not each.array.size:
                self.inputs[at] = None
        self.attributes = given

    def swapped(self) -> "OnnxStep":
        return replace(self, inputs=self.inputs[::-1], is_swapped=not self.is_swapped)

    @property
    def commutes(self) -> bool:
        return self.version[0] == "" and self.op in COMMUTE and self.version[1] > 6

    @property
    def given(self) -> tuple[list[bool], str]:
        """The operands and results that are there; that the last ones are not means nothing but for Split."""
        results = "".join(".Y"[bool(each.name)] for each in self.outputs)
        return [each is not None for each in self.inputs], results if self.op == "Split" else results.rstrip(".")

    @property
    def is_random(self) -> bool:
        """True if two nodes with equal operands have other results; Dropout does nothing unless it trains."""
        if self.version[0] == "" and self.op == "Dropout" and self.version[1] > 6:
            ratio, is_training = ([*self.inputs, None, None][place] for place in (1, 2))
            known = [each.array for each in (ratio, is_training) if each and each.array is not None]
            return is_training is not None and all(each.any() for each in known)
        words = ("Bernoulli", "Dropout", "Multinomial", "Random", "Sampling")
        return any(word in self.op for word in words) and not self.op.endswith("Grad")

    @property
    def graphs(self) -> dict[str, onnx.GraphProto]:
        return {name: each for name, each in self.attributes.items() if isinstance(each, onnx.GraphProto)}

    @property
    def stated(self) -> dict[str, str]:
        """The attributes that mean something, but graphs, as text."""
        given = {name: each for name, each in self.attributes.items() if name not in self.graphs}
        for name, each in given.items():
            if isinstance(each, onnx.TensorProto):  # It has a name, and one of several forms.
                array = numpy_helper.to_array(each)
                given[name] = f"{array.dtype} {array.shape} {array.tobytes().hex()}"
        lists = {name: each if isinstance(each, list) else [each] for name, each in given.items()}
        usual = USUAL if self.version[0] == "" else {}
        return {name: str(each) for name, each in lists.items() if {*map(str, each)} != {usual.get(name)}}

    def listed(self, operand: int) -> list[Any]:
        value = self.inputs[operand] if operand < len(self.inputs) else None
        if value and value.array is None:
            raise ValueError(f"operand {operand} of {self.op} is no constant")
        return [] if value is None or value.array is None else value.array.reshape(-1).tolist()

    def elements(self, operand: int) -> list[Any]:
        """The numbers of an operand, or the elements of its root."""
        value = self.inputs[operand] if operand < len(self.inputs) else None
        if value is None or value.array is not None or not value.is_known:
            return self.listed(operand)
        return [(value.root.number, number) for number in reduce(np.add.outer, value.at).reshape(-1).tolist()]

    def moved(self, data: OnnxValue) -> list[Lines]:
        """The positions that the results show of an operand's root; none if the op does more than move elements."""
        (origin, *lines), at, shape, op = data.at, self.attributes, self.outputs[0].shape, self.op
        axis, found = at.get("axis", 0) % max(len(lines), 1), list[Lines]()
        if op in VIEWS:
            found = [reshaped(data.at, shape)]
        elif op in ("Cast", "Dropout", "Pad"):
            is_same = data.shape == shape and at.get("to") in (None, data.type.tensor_type.elem_type)
            if is_same and self.version[1] > {"Pad": 10}.get(op, 6) and not any(self.listed(1 + (op == "Dropout"))):
                found = [data.at]
        elif op in ("ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum"):
            found = [data.at] if at.get("noop_with_empty_axes") == 1 and not at.get("axes") else []
        elif op == "Mul" and data.shape == shape and {*self.listed(1)} == {1}:
            found = [data.at]
        elif op == "Transpose":
            found = [[origin, *(lines[each] for each in at.get("perm", range(len(lines))[::-1]))]]
        elif op == "Slice":
            names = enumerate(("starts", "ends", "axes", "steps"), 1)
            starts, ends, axes, steps = (at.get(name) or self.listed(place) for place, name in names)
            for place, start in enumerate(starts):
                which = axes[place] if axes else place
                lines[which] = lines[which][start : ends[place] : steps[place] if steps else 1]
            found = [[origin, *lines]]
        elif op == "Gather" and self.listed(1) and self.inputs[1]:
            first, *new = reshaped([lines[axis][self.listed(1)]], self.inputs[1].shape)
            found = [[origin + first, *lines[:axis], *new, *lines[axis + 1 :]]]
        elif op == "Split":
            parts = np.split(lines[axis], np.cumsum([each.shape[axis] for each in self.outputs])[:-1])
            found = [[origin, *lines[:axis], part, *lines[axis + 1 :]] for part in parts]
        elif op == "Tile" and self.version[1] > 1:
            found = [[origin, *(np.tile(*each) for each in zip(lines, self.listed(1), strict=True))]]
        elif op == "Expand":
            lines = [*[origin * 0] * (len(shape) - len(lines)), *lines]
            found = [[origin, *(np.resize(line, size) for line, size in zip(lines, shape, strict=True))]]
        if any(tuple(map(len, new[1:])) != each.shape for new, each in zip(found, self.outputs, strict=False)):
            raise ValueError("the shape is another one")
        first = [np.sum([line[0] for line in new]).reshape(1) for new in found]
        return [[one, *(line - line[0] for line in new[1:])] for one, new in zip(first, found, strict=True)]

    def law(self) -> tuple[list[Any], list[list[str]]]:
        """The names of the axes of operands and results; None for operands that are in the names."""
        theirs = (self.version[0], self.op, self.attributes.get("opset")) == ("com.microsoft", "QLinearSoftmax", 13)
        switches = [self.attributes.get(name, 0) for name in SWITCHES]
        if not (self.version[0] == "" or theirs) or not all(each in (0, 1) for each in switches):
            raise ValueError(f"the axes of {self.op} are not known")
        if self.is_swapped:
            operands, results = self.swapped().law()
            return operands[::-1], results
        ranks, at = [len(each.shape) if each else 0 for each in self.inputs], self.attributes
        rank, last, count, axis = ranks[0], max(ranks), len(ranks), at.get("axis", -int(theirs)) % max(ranks[0], 1)
        n, s, c = ([f"{name}{place}" for place in range(last)] for name in ("N", "+S", "NC"))
        a, b, c, mean, keeps = n[:axis], n[axis + 1 : rank], c[: ranks[-1]], s[axis:rank], ["N"] * at.get("keepdims", 0)
        if self.op in ELEMENTWISE and (count == 1 or self.version[1] > 6):
            return [n[last - each :] for each in ranks], [n]
        if self.op.startswith("Reduce"):
            some = at.get("axes", self.listed(1)) or range(rank * (1 - at.get("noop_with_empty_axes", 0)))
            names = [s[place] if place in {each % rank for each in some} else n[place] for place in range(rank)]
            return [names, None][:count], [[each for name in names for each in (keeps if name in s else [name])]]
        if self.op in ("Pad", "Resize"):
            others = [[] if (self.op, place) == ("Pad", 2) else None for place in range(1, count)]
            return [self.alone(rank, "D"), *others], [self.alone(rank, "R")]
        lhs, rhs = n[last - ranks[0] : -2], n[last - ranks[-1] : -2]
        turned, turned_too = (1 - 2 * at.get(name, 0) for name in ("transA", "transB"))
        scale = [n[axis : axis + ranks[-1]]] * 2 if count > 1 and ranks[1] < 2 else []
        laws: dict[str, tuple[list[Any], list[list[str]]]] = {
            "ArgMax": ([[*a, ".D", *b]], [[*a, *keeps, *b]]),
            "Concat": ([[*a, f".D{place}", *b] for place in range(count)], [[*a, ".R", *b]]),
            "Gather": ([[*a, ".D", *b], c], [[*a, *c, *b]]),
            "GatherElements": ([[*a, ".D", *b], [*a, "NC", *b]], [[*a, "NC", *b]]),
            "Gemm": ([["NM", "+K"][::turned], ["+K", "N"][::turned_too], ["NM", "N"][2 - ranks[-1] :]], [["NM", "N"]]),
            "Hardmax": ([[*a, ".S", *b]], [[*a, ".S", *b]]),
            "LayerNormalization": ([[*a, *mean], mean, mean], [[*a, *mean]]),
            "MatMul": ([[*lhs, "NM", "+K"], [*rhs, "+K", "N"]], [[*n[:-2], "NM", "N"]]),
            "QLinearSoftmax": ([[*a, "+S", *b], [], [], [], []], [[*a, "+S", *b]]),
            "QuantizeLinear": ([n, *scale], [n]),
            "Softmax": ([[*a, "+S", *b]], [[*a, "+S", *b]]),
        }
        kind = ALIKE.get(self.op, self.op)
        if kind not in laws or self.version[1] < 13 * (kind in ("Hardmax", "Softmax")):
            raise ValueError(f"the axes of {self.op} are not known")
        return laws[kind][0][:count], laws[kind][1]

    def alone(self, rank: int, kind: str) -> list[str]:
        """The axes of an op that treats each one alone, and leaves those free that it does not change.

        A Resize whose operands are computed has the same numbers for two axes if they are the same elements. How far
        it goes, and what is outside of it, may depend on all axes, but not on their order.
        """
        shapes, at = [each.shape for each in (self.inputs[0], self.outputs[0]) if each], self.attributes
        if self.version[1] < 11 or (self.op == "Pad" and self.listed(3)):
            raise ValueError(f"the axes of such a {self.op} are not known")
        axes: list[int] = [axis % rank for axis in at.get("axes") or range(rank)]
        rows = self.listed(1) if self.op == "Pad" else [each for place in (1, 2, 3) for each in self.elements(place)]
        columns = {axis: tuple(rows[place :: len(axes)]) for place, axis in enumerate(axes)}
        is_joint = any(word in str(at) for word in ("tf_", "not_larger", "not_smaller"))
        given = [(columns.get(axis, ()), size) for axis, size in enumerate(shapes[0])]
        stays = [
            not is_joint and size == new and column in ((), (0, 0), (1,), (size,))
            for (column, size), new in zip(given, shapes[1], strict=True)
        ]
        twins = [sum(each == given[axis] for each in given[:axis]) for axis in range(rank)]
        return [f"N{axis}" if stays[axis] else f".{kind}{twins[axis]} {given[axis]}" for axis in range(rank)]
