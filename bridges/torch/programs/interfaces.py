"""Interfaces of exported programs beside the types of their tensors: names, state that they write, other results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple, cast

from torch.export.graph_signature import ConstantArgument, InputKind, OutputKind
from torch.fx import Node

from ....layout import Order, invert
from .reading import FxProgram, data_of, is_result, is_size


class End(NamedTuple):
    """An argument or result that is a tensor."""

    what: str
    """Such as `the buffer 'k'`; empty for a result that users get."""
    state: str = ""
    """The digest of the state with which a buffer begins, in its original order."""


class OtherInterface(NamedTuple):
    """The words for what two interfaces do not have in common; if it is not sure, the programs may be equal."""

    text: str
    is_sure: bool = True


@dataclass(frozen=True)
class TorchInterface:
    """The arguments, results and state of a program."""

    names: Sequence[str]
    """The names of the inputs of users."""
    arguments: Sequence[End]
    results: Sequence[End]
    others: Sequence[str]
    """The results that are no tensors."""
    given: Sequence[str]
    """The inputs that are no tensors."""
    structures: tuple[str, str]
    """The containers of inputs and of results, with their keys."""

    @staticmethod
    def of(came: FxProgram) -> TorchInterface:
        program, signature = came.program, came.program.graph_signature
        inputs = {spec.arg.name: spec for spec in signature.input_specs}
        taken = [inputs[name] for name in came.arguments]
        (output,) = program.graph.find_nodes(op="output")
        results, others = list[End](), list[str]()
        for value, spec in zip(output.args[0], signature.output_specs, strict=True):
            written = "" if spec.kind is OutputKind.USER_OUTPUT else f"what is written into '{spec.target}'"
            found: Any = value.meta.get("val") if isinstance(value, Node) else value
            if is_result(came, value):
                results.append(End(written))
            else:
                others.append(str(found.node.expr) if is_size(found) else repr(found))
        return TorchInterface(
            [spec.arg.name for spec in taken if spec.kind is InputKind.USER_INPUT],
            [_taken(program, *each) for each in zip(taken, came.orders, strict=True)],
            results,
            others,
            [repr(spec.arg.value) for spec in signature.input_specs if isinstance(spec.arg, ConstantArgument)],
            (_structure(program.call_spec.in_spec), _structure(program.call_spec.out_spec)),
        )

    def difference(self, other: TorchInterface) -> OtherInterface | None:
        """The first difference."""
        for what, left, right in (
            ("argument", self.arguments, other.arguments),
            ("result", self.results, other.results),
        ):
            for place, (one, two) in enumerate(zip(left, right, strict=False)):
                if one.what != two.what:
                    both = (each.what or "one that users get" for each in (one, two))
                    return OtherInterface(f"{what} {place} is {' in the first program and '.join(both)} in the second")
                if one.state != two.state:
                    return OtherInterface(f"{one.what} begins with other numbers in the second program")
        if self.names != other.names and {*self.names} == {*other.names}:
            both = (", ".join(each.names) for each in (self, other))
            return OtherInterface(f"the inputs are {' in the first program and '.join(both)} in the second")
        if self.others != other.others:
            both = (", ".join(each.others) or "none" for each in (self, other))
            text = f"the results that are no tensors are {' in the first program and '.join(both)} in the second"
            is_known = len(self.others) != len(other.others) or not any(map(_is_open, (*self.others, *other.others)))
            return OtherInterface(text, is_known)
        if self.given != other.given:
            both = (", ".join(each.given) or "none" for each in (self, other))
            return OtherInterface(
                f"the inputs that are no tensors are {' in the first program and '.join(both)} in the second"
            )
        for what, left, right in zip(("inputs", "results"), self.structures, other.structures, strict=True):
            if left != right:
                text = f"the {what} are {left} in the first program and {right} in the second"
                # Inputs may be given otherwise, such as by name.
                return OtherInterface(text, is_sure=what == "results")
        return None


def _is_open(text: str) -> bool:
    """True for a size that is known at run time only, whose name is no part of what a program computes."""
    return any(each.isidentifier() and each not in ("True", "False", "None") for each in text.split())


def _structure(spec: Any) -> str:
    """The containers of values with their keys, such as `(*, {k: *})`; lists are as tuples."""
    if spec is None or spec.is_leaf():
        return "*"
    # Older versions of PyTorch lack `children`.
    parts = [*map(_structure, spec.children() if hasattr(spec, "children") else spec.children_specs)]
    if spec.type in (tuple, list):
        return f"({', '.join(parts)}{',' * (len(parts) == 1)})"
    has_keys = isinstance(spec.context, list)
    keys: Sequence[Any] = cast("list[Any]", spec.context) if has_keys else range(len(parts))
    pairs = zip(keys, parts, strict=False)
    return f"{{{', '.join(f'{key}: {part}' for key, part in pairs)}}}"


def _taken(program: Any, spec: Any, order: Order | None) -> End:
    if spec.kind is InputKind.USER_INPUT:
        return End("an input")
    target = str(spec.target)
    tensor = program.state_dict[target] if target in program.state_dict else program.constants[target]
    own = tensor if order is None else tensor.detach().permute(invert(order)).contiguous()
    return End(f"the buffer '{target}'", sha256(data_of(own)).hexdigest())
