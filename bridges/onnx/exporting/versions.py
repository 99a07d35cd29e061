"""Comparison of ONNX ops between opsets."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from onnx import AttributeProto, GraphProto, defs, helper

from ....dialects.settings.file_rules import OLDEST_OPSET
from ....layout import DYNAMIC
from ..errors import NotExportable
from ..importing.checking import EARLY, OF_RUNTIME, OTHER_MEANING
from ..importing.order import all_nodes
from .elements import FLOATS

T = TypeVar("T")

OTHER_OUTPUTS: Mapping[str, int] = {"BatchNormalization": 14, "Dropout": 12}
"""Ops whose outputs behind the first one changed in this opset."""
SAME_WITHOUT: Mapping[str, str] = {"BatchNormalization": "spatial", "Dropout": "ratio"}
"""An attribute that became an input with the same default, or whose default became the only value."""
MOD_OF_FLOATS = 28
"""The opset from which on a Mod without `fmod` takes floats."""
SPLIT_COUNTED = 18
"""The opset in which a Split into equal parts began to say their number."""
RESIZE_PLACED = 11
"""The opset in which a Resize began to say where its elements are; before, as below."""
RESIZE_WITHOUT_SCALES = 13
"""The opset from which on a Resize to sizes has no scales; before, it has a list of none."""
BECAME_INPUTS: Mapping[str, tuple[int, Sequence[str]]] = {
    **{f"Reduce{kind}": (18, ["axes"]) for kind in "L1 L2 LogSum LogSumExp Max Mean Min Prod SumSquare".split()},
    "Clip": (11, ["min", "max"]),
    "Pad": (11, ["pads", "value"]),
    "ReduceSum": (13, ["axes"]),
    "Slice": (10, ["starts", "ends", "axes"]),
    "Split": (13, ["split"]),
    "Squeeze": (13, ["axes"]),
    "TopK": (10, ["k"]),
    "Unsqueeze": (13, ["axes"]),
    "Upsample": (9, ["scales"]),
}
"""The opset in which these attributes became the inputs behind the first one."""
SCATTER_RENAMED = 11
"""The opset in which Scatter became ScatterElements."""
COPIES = "noop_with_empty_axes"
"""The attribute of a reduction that has no axes: it reduces none, and not all of them."""
ALL_ONES = ("dilations",)
"""Attributes whose default is a one for each axis."""
NEW_WORDS: Mapping[tuple[str, str], Mapping[str, int]] = {
    ("Pad", "mode"): {"wrap": 19},
    ("Resize", "coordinate_transformation_mode"): {"half_pixel_symmetric": 19},
    **{(f"Scatter{kind}", "reduction"): {"max": 18, "min": 18} for kind in ("Elements", "ND")},
}
"""The opsets that have these values of attributes."""
WINDOWS_SHORTENED = 19
"""The opset from which on an AveragePool counts the elements of a window that the padded data does not fill."""
GRID_SAMPLE_RENAMED = 20
"""The opset that renamed the modes of GridSample."""
GRID_SAMPLE_MODES = {"bilinear": "linear", "bicubic": "cubic"}


@dataclass(frozen=True)
class KeptNode(Generic[T]):
    """A node of ONNX's own domain: its op, its attributes, its inputs, and the number of its outputs."""

    kind: str
    attributes: Sequence[AttributeProto]
    inputs: Sequence[T | None]
    outputs: int
    numbers: Callable[[T], NDArray[Any] | None] = lambda _: None
    """The numbers of an input, if it is a small constant."""
    sizes: Callable[[T], Sequence[int] | None] = lambda _: None
    """The sizes of an input, if they are at hand."""
    elements: Sequence[int | None] = ()
    """The element types of the inputs, if they are at hand."""

    def with_attributes(self, **attributes: Any) -> "KeptNode[T]":
        """The node with more attributes, or others."""
        given = {attribute.name: attribute for attribute in self.attributes}
        given |= {name: helper.make_attribute(name, value) for name, value in attributes.items()}
        return replace(self, attributes=list(given.values()))


Constant: TypeAlias = Callable[[NDArray[Any], bool], T]
"""Makes an input of numbers; True for those that have the element type of the first input."""


def translated(use: KeptNode[T], before: int, after: int, constant: Constant[T]) -> KeptNode[T]:
    """A node in another opset; raises `NotExportable` if its op differs there and the new one cannot say it."""
    if after < before:
        use = _without_new_defaults(use, before, after)
    changed, names = BECAME_INPUTS.get(use.kind, (0, ()))
    if after < changed <= before:
        check_same_meaning(use, before, changed)
        return translated(_with_attributes(use, names), changed - 1, after, constant)
    if before < changed <= after and _has_required(use, before):
        check_same_meaning(use, before, changed - 1)
        return translated(_with_inputs(use, before, names, constant), changed, after, constant)
    if use.kind == "Scatter" and before < SCATTER_RENAMED <= after:
        return translated(replace(use, kind="ScatterElements"), SCATTER_RENAMED, after, constant)
    if use.kind == "GridSample" and (before < GRID_SAMPLE_RENAMED) != (after < GRID_SAMPLE_RENAMED):
        return _with_renamed_mode(use, GRID_SAMPLE_MODES if before < after else _swapped(GRID_SAMPLE_MODES))
    has_sizes = len(use.inputs) > 1 or any(each.name == "split" for each in use.attributes)
    if use.kind == "Split" and not has_sizes and before < SPLIT_COUNTED <= after:
        return use.with_attributes(num_outputs=use.outputs)
    if use.kind in ("Resize", "Upsample") and len(use.inputs) == 2 and before < RESIZE_PLACED <= after:
        rounding = _rounding(use, before, after)
        moved = use.with_attributes(coordinate_transformation_mode="asymmetric", nearest_mode=rounding)
        return replace(moved, kind="Resize", inputs=[use.inputs[0], None, *use.inputs[1:]])
    check_same_meaning(use, before, after)
    if use.kind == "Resize" and before < RESIZE_WITHOUT_SCALES <= after and any(use.inputs[3:4]):
        return replace(use, inputs=[*use.inputs[:2], None, *use.inputs[3:]])
    return use


def _without_new_defaults(use: KeptNode[T], before: int, after: int) -> KeptNode[T]:
    """A node without the attributes that an older opset lacks, as far as they have their defaults."""
    if not (defs.has(use.kind, before) and defs.has(use.kind, after)):
        return use
    new, old = (defs.get_schema(use.kind, opset).attributes for opset in (before, after))
    left = [each for each in use.attributes if each.name in old or not _is_default(each, new.get(each.name))]
    return replace(use, attributes=left)


def _is_default(given: AttributeProto, attribute: defs.OpSchema.Attribute | None) -> bool:
    value = helper.get_attribute_value(given)
    if given.name in ALL_ONES:
        return set(value) == {1}
    return attribute is not None and value == _default(attribute)


def _with_attributes(use: KeptNode[T], names: Sequence[str]) -> KeptNode[T]:
    """A node with attributes instead of the inputs behind the first one, which have to be constants."""
    found = dict[str, Any]()
    for name, given in zip(names, use.inputs[1:], strict=False):
        numbers = None if given is None else use.numbers(given)
        if given is not None and numbers is None:
            raise NotExportable(f"{use.kind} has {name} that are no constant")
        if numbers is not None and numbers.size:
            found[name] = numbers.tolist()
    is_copy = not found and any(each.name == COPIES and each.i for each in use.attributes)
    if is_copy:
        raise NotExportable(f"{use.kind} without axes is a copy here")
    left = [each for each in use.attributes if each.name != COPIES]
    return replace(use, attributes=left, inputs=use.inputs[:1]).with_attributes(**found)


def _has_required(use: KeptNode[T], opset: int) -> bool:
    given = {each.name for each in use.attributes}
    return all(each.name in given or not each.required for each in defs.get_schema(use.kind, opset).attributes.values())


def _with_inputs(use: KeptNode[T], opset: int, names: Sequence[str], constant: Constant[T]) -> KeptNode[T]:
    """A node with inputs instead of attributes of these names."""
    given = {each.name: each.default_value for each in defs.get_schema(use.kind, opset).attributes.values()}
    given |= {each.name: each for each in use.attributes}
    inputs = list(use.inputs)
    for name in names:
        attribute = given.get(name, AttributeProto())
        number = helper.get_attribute_value(attribute) if attribute.type else None
        if number is None:
            inputs.append(None)
        elif attribute.type in (AttributeProto.INT, AttributeProto.INTS):
            inputs.append(constant(np.array(number, np.int64).reshape(-1), False))
        else:
            inputs.append(constant(np.array(number, np.float32), attribute.type == AttributeProto.FLOAT))
    while inputs[-1] is None:
        inputs.pop()
    left = [each for each in use.attributes if each.name not in names]
    return replace(use, attributes=left, inputs=inputs)


def _rounding(use: KeptNode[T], before: int, after: int) -> str:
    """The `nearest_mode` of a Resize that could not say it: down where elements are repeated, else up.

    An Upsample only repeats them.
    """
    is_nearest = use.kind == "Resize" and all(each.name != "mode" or each.s == b"nearest" for each in use.attributes)
    given = None if use.inputs[1] is None else use.numbers(use.inputs[1])
    scales = None if given is None else given.tolist()
    if not is_nearest or (scales is not None and min(scales, default=1) >= 1):
        return "floor"
    if scales is not None and max(scales) <= 1:
        return "ceil"
    raise NotExportable(f"{use.kind} of ONNX {before} is another op in ONNX {after}, if it repeats and drops elements")


def _swapped(names: Mapping[str, str]) -> dict[str, str]:
    return {new: old for old, new in names.items()}


def _with_renamed_mode(use: KeptNode[T], names: Mapping[str, str]) -> KeptNode[T]:
    """GridSample with the new name of its mode, whose default is the first one."""
    modes = [
        helper.get_attribute_value(each).decode(errors="replace") for each in use.attributes if each.name == "mode"
    ]
    mode = modes[0] if modes else next(iter(names))
    return use.with_attributes(mode=names.get(mode, mode))


def subgraphs(attributes: Iterable[AttributeProto]) -> Iterable[GraphProto]:
    """The subgraphs in the attributes of a node."""
    for attribute in attributes:
        if attribute.HasField("g"):
            yield attribute.g
        yield from attribute.graphs


def check_same_meaning(use: KeptNode[T], before: int, after: int) -> None:
    """Check that a node of ONNX's own domain, subgraphs included, means the same in two opsets."""
    if not _means_the_same(use, before, after):
        if not defs.has(use.kind, before):
            raise NotExportable(f"ONNX {before} has no op {use.kind}")
        raise NotExportable(f"{use.kind} of ONNX {before} is another op in ONNX {after}: {_advice(before)}")
    check_subgraphs(use.attributes, before, after)


def check_subgraphs(attributes: Iterable[AttributeProto], before: int, after: int) -> None:
    """Check that the nodes of all subgraphs in the attributes of a node mean the same in two opsets."""
    nodes = [node for graph in subgraphs(attributes) for node in all_nodes(graph.node)]
    for node in nodes:
        if not node.domain:
            alone = [attribute for attribute in node.attribute if not any(subgraphs([attribute]))]
            check_same_meaning(KeptNode(node.op_type, alone, list(node.input), len(node.output)), before, after)


def _advice(before: int) -> str:
    if before >= OLDEST_OPSET:
        return f"opset={before} keeps it"
    return "the new file may say it if the model says the sizes of its inputs"


def _means_the_same(node: KeptNode[Any], before: int, after: int) -> bool:
    """True if the definition of the other opset says what the node says."""
    kind, words = node.kind, [(each.name, each.s.decode(errors="replace")) for each in node.attributes if each.s]
    if any(after < NEW_WORDS.get((kind, name), {}).get(word, 0) <= before for name, word in words):
        return False
    if kind in OF_RUNTIME:
        return True
    before, after = (max(version, EARLY.get(kind, version)) for version in (before, after))
    if not (defs.has(kind, before) and defs.has(kind, after)):
        return False
    old, new = defs.get_schema(kind, before), defs.get_schema(kind, after)
    if old.since_version == new.since_version:
        return True
    first, last = sorted((old.since_version, new.since_version))
    if new.deprecated or first < OTHER_MEANING.get(kind, 0) <= last:
        return False
    if node.outputs > 1 and first < OTHER_OUTPUTS.get(kind, 0) <= last:
        return False
    if kind == "Split" and len(node.inputs) == 1 and first < SPLIT_COUNTED <= last:
        return False
    if kind == "Mod" and after < MOD_OF_FLOATS <= before and not _is_of_integers(node):
        return any(each.name == "fmod" and each.i for each in node.attributes)
    if kind == "AveragePool" and first < WINDOWS_SHORTENED <= last and not _is_filled(node):
        return False
    return _fits(node, old, new) if after < before else _accepts(node, old, new)


def _is_of_integers(node: KeptNode[Any]) -> bool:
    """True if the first input is known to be no float."""
    return bool(node.elements) and node.elements[0] not in (None, *FLOATS)


def _is_filled(node: KeptNode[Any]) -> bool:
    """True if the data of a pool fills a window with pads, none of which is negative, as far as sizes are known."""
    given = {each.name: list(each.ints) for each in node.attributes}
    window = given.get("kernel_shape", [])
    pads, strides = given.get("pads") or [0] * (2 * len(window)), given.get("strides") or [1] * len(window)
    sizes = (node.sizes(node.inputs[0]) or ())[2:]
    if len(sizes) != len(window) or len(pads) != 2 * len(window):
        return True
    if any(each.name == "auto_pad" and each.s.startswith(b"SAME") for each in node.attributes):
        axes = zip(sizes, strides, window, strict=False)
        return all(extent >= ((size - 1) % step + 1 if size > 0 else step) for size, step, extent in axes)
    padded = zip(sizes, pads, pads[len(window) :], window, strict=False)
    return all(size == DYNAMIC or size + before + after >= extent for size, before, after, extent in padded)


def _fits(node: KeptNode[Any], new: defs.OpSchema, old: defs.OpSchema) -> bool:
    """True if the older definition has all that a node of the newer one says; what that added has defaults."""
    count = max((place for place, given in enumerate(node.inputs, 1) if given is not None), default=0)
    given = {each.name for each in node.attributes}
    left = new.attributes.keys() & old.attributes.keys() - given
    return (
        given <= old.attributes.keys() <= new.attributes.keys()
        and all(old.attributes[name].type == new.attributes[name].type for name in given)
        and all(_default(old.attributes[name]) == _default(new.attributes[name]) for name in left)
        and old.min_input <= count <= old.max_input
    )


def _accepts(node: KeptNode[Any], old: defs.OpSchema, new: defs.OpSchema) -> bool:
    """True if the newer definition is compatible: it may add types, and attributes with defaults."""
    given = {attribute.name: attribute for attribute in node.attributes}
    types = [{name: attribute.type for name, attribute in each.attributes.items()} for each in (old, new)]
    kept = all(name in types[0] and types[0][name] == types[1].get(name) for name in given)
    same_defaults = all(
        _default(attribute) == (_default(new.attributes[name]) if name in new.attributes else None)
        for name, attribute in old.attributes.items()
        if name not in given and name != SAME_WITHOUT.get(node.kind)
    )
    return (
        kept
        and same_defaults
        and new.min_input <= max(old.min_input, len(node.inputs))
        and new.max_input >= old.max_input
    )


def _default(attribute: defs.OpSchema.Attribute) -> object:
    proto = attribute.default_value
    return helper.get_attribute_value(proto) if proto.name else None
