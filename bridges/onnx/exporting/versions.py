"""Comparison of ONNX ops between opsets."""

from collections.abc import Iterable, Mapping

from onnx import AttributeProto, GraphProto, defs, helper

from ..errors import NotExportable
from .forms import NEWEST_OPSET, OLDEST_OPSET

OTHER_MEANING: Mapping[str, int] = {"Scan": 9, "RoiAlign": 16, "GridSample": 20, "GroupNormalization": 21}
"""Ops whose meaning changed in this opset without a change of their signature."""


GRID_SAMPLE_RENAMED = 20
"""The opset that renamed the modes of GridSample."""
GRID_SAMPLE_MODES = {"bilinear": "linear", "bicubic": "cubic"}


def translated(kind: str, attributes: list[AttributeProto], before: int, after: int) -> list[AttributeProto]:
    """The attributes of an op in another opset; raises `NotExportable` if the op differs there."""
    if kind == "GridSample" and (before < GRID_SAMPLE_RENAMED) != (after < GRID_SAMPLE_RENAMED):
        return _renamed_mode(attributes, GRID_SAMPLE_MODES if before < after else _swapped(GRID_SAMPLE_MODES))
    check_same_meaning(kind, attributes, before, after)
    return attributes


def _swapped(names: Mapping[str, str]) -> dict[str, str]:
    return {new: old for old, new in names.items()}


def _renamed_mode(attributes: Iterable[AttributeProto], names: Mapping[str, str]) -> list[AttributeProto]:
    """The attributes of GridSample with the new name of the mode, whose default is the first one."""
    given = {attribute.name: attribute for attribute in attributes}
    mode = helper.get_attribute_value(given["mode"]).decode() if "mode" in given else next(iter(names))
    given["mode"] = helper.make_attribute("mode", names.get(mode, mode))
    return list(given.values())


def subgraphs(attributes: Iterable[AttributeProto]) -> Iterable[GraphProto]:
    """The subgraphs in the attributes of a node."""
    for attribute in attributes:
        if attribute.HasField("g"):
            yield attribute.g
        yield from attribute.graphs


def check_same_meaning(kind: str, attributes: Iterable[AttributeProto], before: int, after: int) -> None:
    """Check that a node of ONNX's own domain, subgraphs included, means the same in two opsets."""
    waiting: list[tuple[str, list[AttributeProto]]] = [(kind, list(attributes))]
    while waiting:
        name, given = waiting.pop()
        if not _means_the_same(name, {attribute.name for attribute in given}, before, after):
            if not defs.has(name, before):
                raise NotExportable(f"ONNX {before} has no op {name}")
            message = f"{name} of ONNX {before} is another op in ONNX {after}"
            raise NotExportable(f"{message}: choose a version from {OLDEST_OPSET} to {NEWEST_OPSET} with opset=")
        for graph in subgraphs(given):
            waiting += [(node.op_type, list(node.attribute)) for node in graph.node if not node.domain]


def _means_the_same(kind: str, given: set[str], before: int, after: int) -> bool:
    """True if the new definition is compatible: it may add types, and attributes with defaults."""
    if not (defs.has(kind, before) and defs.has(kind, after)):
        return False
    old, new = defs.get_schema(kind, before), defs.get_schema(kind, after)
    if old.since_version == new.since_version:
        return True
    first, last = sorted((old.since_version, new.since_version))
    if new.deprecated or first < OTHER_MEANING.get(kind, 0) <= last:
        return False
    kept = all(name in new.attributes for name in given)
    same_defaults = all(
        _default(attribute) == _default(new.attributes[name])
        for name, attribute in old.attributes.items()
        if name in new.attributes and name not in given
    )
    return kept and same_defaults and new.min_input <= old.min_input and new.max_input >= old.max_input


def _default(attribute: defs.OpSchema.Attribute) -> object:
    proto = attribute.default_value
    return helper.get_attribute_value(proto) if proto.name else None
