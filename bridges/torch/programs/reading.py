"""Reading of an exported program as a module of calls, one for each node of its graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from operator import getitem
from typing import Any, cast

import torch
from torch._ops import OperatorBase
from torch._subclasses import FakeTensor
from torch.export import ExportedProgram
from torch.export.graph_signature import ConstantArgument, InputKind, InputSpec
from torch.fx import GraphModule, Node
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    FusedLoc,
    ModuleOp,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnknownLoc,
    f64,
    i1,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....dialects.notes.interfaces import DIMS, arguments_of, results_of
from ....dialects.notes.states import note_state
from ....dialects.npu.attrs import OpaqueType, Reference, ReferenceAttr
from ....dialects.npu.source import ConstantOp
from ....layout import Order
from ...building import tensor_type
from ...imported import Imported, Weight
from ...safetensors import StoredTensor
from ..calls import Call
from ..errors import FxError, placed
from ..importing.convert import CameCalls
from ..numbers import dense_of_bytes
from .asserts import is_about_type
from .element_types import ELEMENTS, SAFETENSORS_NAMES, element_of
from .ends import read_ends
from .sizes import expression_of, known_size

NO_LOCATION = NoneAttr()
WEIGHTS = (InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR)
EFFECTS = ("aten._assert_scalar.default", "aten._assert_async.msg", "aten._assert_tensor_metadata.default")


@dataclass(frozen=True)
class TorchWeight:
    """A parameter, buffer or constant of a program."""

    tensor: torch.Tensor

    @property
    def has_data(self) -> bool:
        return True

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.tensor.shape)

    def stored(self) -> StoredTensor:
        length = self.tensor.numel() * self.tensor.element_size()
        return StoredTensor(SAFETENSORS_NAMES[self.tensor.dtype], self.shape, length, lambda: data_of(self.tensor))


def data_of(tensor: torch.Tensor) -> bytes:
    """The elements in row-major order."""
    flat = tensor.detach().cpu().contiguous().reshape(-1)
    return flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b""


@dataclass
class FxProgram:
    """A program, and what its nodes became: notes for the writer."""

    program: ExportedProgram
    arguments: list[str] = field(default_factory=list[str])
    """The placeholders that are arguments of the function."""
    orders: list[Order | None] = field(default_factory=list["Order | None"])
    """The orders of these beside those of the program that it was made from, None for the same."""
    constants: dict[str, Node] = field(default_factory=dict[str, Node])
    """The placeholders that are constants, by name."""
    calls: dict[str, tuple[Node, Call]] = field(default_factory=dict[str, "tuple[Node, Call]"])
    """The nodes that are calls, by name."""
    came: CameCalls = field(default_factory=CameCalls)
    """The calls that became npu ops."""


def read(program: ExportedProgram, weights_file: str, inline_limit: int | None) -> Imported:
    """Read a functional program; constants up to a limit of bytes are written out, all with None."""
    reader = _Reader(program, weights_file, inline_limit)
    return Imported(reader.module(), reader.weights, format="torch", came=reader.came)


def is_result(came: FxProgram, value: Any) -> bool:
    """True for a result of the program that is one of the function: a tensor, or a number that a call computes."""
    if not isinstance(value, Node):
        return False
    found: object = value.meta.get("val")
    return isinstance(found, torch.Tensor) or (is_size(found) and value.name in came.calls)


def constant_inputs(program: ExportedProgram) -> set[str]:
    """The names of the placeholders of weights that the program does not write."""
    signature = program.graph_signature
    written = {*signature.buffers_to_mutate.values(), *signature.parameters_to_mutate.values()}
    return {spec.arg.name for spec in signature.input_specs if spec.kind in WEIGHTS and spec.target not in written}


def tensor_of(program: ExportedProgram, target: str) -> torch.Tensor:
    """The weight of a name."""
    found: Any = program.state_dict.get(target)
    constants: Any = program.constants
    return constants[target] if found is None else found


class _Reader:
    def __init__(self, program: ExportedProgram, weights_file: str, inline_limit: int | None) -> None:
        self.program = program
        self.weights: dict[str, Weight] = {}
        self.came = FxProgram(program)
        self._weights_file, self._inline_limit = weights_file, inline_limit
        self._block = Block()
        self._values: dict[Node, SSAValue] = {}

    def module(self) -> ModuleOp:
        specs = {spec.arg.name: spec for spec in self.program.graph_signature.input_specs}
        constants = constant_inputs(self.program)
        arguments: list[DictionaryAttr] = []
        results: list[tuple[str, SSAValue]] = []
        for node in self.program.graph.nodes:
            match node.op:
                case "placeholder":
                    spec = specs[node.name]
                    if isinstance(spec.arg, ConstantArgument) or not isinstance(node.meta.get("val"), torch.Tensor):
                        continue
                    if node.name in constants:
                        self._constant(node, spec)
                    else:
                        arguments.append(self._argument(node))
                case "call_function":
                    self._call(node)
                case "output":
                    results = [*self._results(node)]
                case _:
                    # The graphs and constants that calls read are in these.
                    pass
        names = [DictionaryAttr({"onnx.name": StringAttr(name)}) for name, _ in results]
        returned = [value for _, value in results]
        self._block.add_op(ReturnOp(*returned))
        types = FunctionType.from_lists([each.type for each in self._block.args], [each.type for each in returned])
        function = FuncOp(
            "main", types, Region(self._block), arg_attrs=ArrayAttr(arguments), res_attrs=ArrayAttr(names)
        )
        self.came.orders = read_ends(self.program, function)
        self._note_states(function)
        return ModuleOp([function])

    def _argument(self, node: Node) -> DictionaryAttr:
        value: torch.Tensor = node.meta["val"]
        sizes = sizes_of(value)
        argument = self._block.insert_arg(tensor_type(_element(node, value), sizes), len(self._block.args))
        argument.name_hint = node.name
        self._values[node] = argument
        self.came.arguments.append(node.name)
        attributes: dict[str, Attribute] = {"onnx.name": StringAttr(node.name)}
        if any(not isinstance(size, int) for size in sizes):
            attributes[DIMS] = ArrayAttr([StringAttr("" if isinstance(size, int) else str(size)) for size in sizes])
        return DictionaryAttr(attributes)

    def _constant(self, node: Node, spec: InputSpec) -> None:
        target = str(spec.target)
        tensor = tensor_of(self.program, target)
        if tensor.is_meta or isinstance(tensor, FakeTensor):
            raise _refused(node, "a weight without numbers, as of the device 'meta'")
        if tensor.layout is not torch.strided:
            raise _refused(node, f"the dialect has no constants of {tensor.layout}")
        if tensor.dtype not in ELEMENTS:
            raise _refused(node, f"the dialect has no constants of {tensor.dtype}")
        type_ = tensor_type(ELEMENTS[tensor.dtype], tuple(tensor.shape))
        size = tensor.numel() * tensor.element_size()
        if self._inline_limit is None or size <= self._inline_limit:
            op = ConstantOp(dense_of_bytes(data_of(tensor), ELEMENTS[tensor.dtype], tuple(tensor.shape)))
        else:
            self.weights[target] = TorchWeight(tensor)
            op = ConstantOp(ReferenceAttr(Reference(self._weights_file, target)), type_)
        self.came.constants[node.name] = node
        self._add(op, node.name, [node])

    def _call(self, node: Node) -> None:
        """Add a call. Nodes of sizes have none: their sizes are in the texts of the calls that read them."""
        if node.target is getitem or is_about_type(node):
            return
        value: Any = node.meta.get("val")
        if is_size(value) and (is_sym_size(node) or not any(each in self._values for each in node.all_input_nodes)):
            return
        is_list = isinstance(value, tuple | list)
        values: list[Any] = [*cast("Sequence[Any]", value)] if is_list else [] if value is None else [value]
        results = _results(node, len(values)) if is_list else [node] * len(values)
        call, is_pure = self._as_call(node)
        elements = [_element(node, each) for each in values]
        is_pure = is_pure and not is_size(cast("object", value)) and not _makes_sizes(node)
        op = call.op(elements, [sizes_of(each) for each in values], is_pure)
        self.came.calls[node.name] = node, Call.of(op) or call
        self._add(op, node.name, results)

    def _as_call(self, node: Node) -> tuple[Call, bool]:
        """The call, and whether it has no effects and always computes the same."""
        call = Call(name_of(node))
        schema = schema_of(node)
        if schema is None:
            for name, each in {**{f"arg{place}": each for place, each in enumerate(node.args)}, **node.kwargs}.items():
                self._take(call, name, each)
            return call, False
        names = [each.name for each in schema.arguments]
        given = {**dict(zip(names, node.args, strict=False)), **node.kwargs}
        for each in schema.arguments:
            value = given.get(each.name, each.default_value)
            if each.name != "dim_order" or not _has_order(node.all_input_nodes[0], value):
                self._take(call, each.name, value)
        drops = call.values.get("train", True) and all(call.values.get(name) != 0 for name in ("dropout", "dropout_p"))
        is_random = drops and torch.Tag.nondeterministic_seeded in operator_of(node).tags
        return call, not schema.is_mutable and not is_random and call.name not in EFFECTS

    def _take(self, call: Call, name: str, value: Any) -> None:
        """Add an argument to a call."""
        if value is None:
            return
        if isinstance(value, Node) and value in self._values:
            call.operands[name] = self._values[value]
        elif any(isinstance(each, Node) and each in self._values for each in _listed(value)):
            for place, each in enumerate(_listed(value)):
                self._take(call, f"{name}.{place}", each)
        else:
            call.values[name] = self._stated(value)

    def _stated(self, value: Any) -> Any:
        """An argument that is no tensor, as a value of an attribute."""
        match value:
            case Node() if is_size(value.meta.get("val")):
                return stated_size(value.meta["val"])
            case Node() if value.op == "get_attr":
                return f"@{value.target}:{self._digest(value)}"
            case Node():
                raise _refused(value, f"{type(value.meta.get('val')).__name__} is no value of the dialect")
            case list() | tuple():
                return [self._stated(each) for each in _listed(value) if each is not None]
            case torch.dtype():
                return element_of(value)
            case bool() | int() | float() | str():
                return value
            case torch.SymInt() | torch.SymFloat() | torch.SymBool():
                return stated_size(value)
            case _:
                return str(value)

    def _digest(self, node: Node) -> str:
        """The content of a graph or constant that a call reads."""
        found: Any = self.program.graph_module
        for part in str(node.target).split("."):
            found = getattr(found, part)
        return _digest_of(found).hexdigest()

    def _add(self, op: Operation, name: str, results: Sequence[Node | None]) -> None:
        """Add an op whose results are the values of these nodes."""
        parts = [UnknownLoc() if each is None else NameLoc(StringAttr(each.name), NO_LOCATION) for each in results]
        below = NO_LOCATION if len(parts) == 1 or not parts else FusedLoc(tuple(parts), NO_LOCATION)
        op.location = NameLoc(StringAttr(name), below)
        self._block.add_op(op)
        for value, node in zip(op.results, results, strict=True):
            if node is not None:
                value.name_hint = node.name
                self._values[node] = value

    def _note_states(self, function: FuncOp) -> None:
        """Note the buffers that the program writes at the arguments and results that they are."""
        signature = self.program.graph_signature
        written = {**signature.buffers_to_mutate}
        names = {target: name for name, target in signature.inputs_to_buffers.items()}
        taken = {names[target] for target in written.values() if target in names}
        for argument, name in zip(arguments_of(function), self.came.arguments, strict=True):
            if name in taken:
                note_state(argument, signature.inputs_to_buffers[name])
        for result in results_of(function):
            if result.name in written:
                note_state(result, written[result.name])

    def _results(self, output: Node) -> Iterator[tuple[str, SSAValue]]:
        """The values that the program returns, with their names; others are no values of the module."""
        for each in _listed(output.args[0]):
            if is_result(self.came, each):
                yield each.name, self._values[each]


def _listed(value: Any) -> Sequence[Any]:
    """The values of a list; none for any other value."""
    return cast("Sequence[Any]", value) if isinstance(value, list | tuple) else ()


def _digest_of(content: Any) -> Any:
    """The digest of a tensor, or of a graph with all that it reads."""
    if isinstance(content, torch.Tensor):
        return sha256(f"{content.dtype} {tuple(content.shape)} ".encode() + data_of(content))
    if not isinstance(content, GraphModule):
        raise FxError(f"a graph reads a {type(content).__name__}, which is no value of the dialect")
    digest = sha256(content.code.encode())
    for node in content.graph.nodes:
        value = node.meta.get("val")
        digest.update(f"{node.name} {value.dtype if isinstance(value, torch.Tensor) else ''}".encode())
        if node.op == "get_attr":
            found: Any = content
            for part in str(node.target).split("."):
                found = getattr(found, part)
            digest.update(_digest_of(found).digest())
    return digest


def is_size(value: object) -> bool:
    """True for a number that is known at run time only."""
    return isinstance(value, torch.SymInt | torch.SymFloat | torch.SymBool)


def _has_order(node: Node, order: Any) -> bool:
    """True if the dimensions of a tensor are in this order already."""
    return order is None or [*order] == [*node.meta["val"].dim_order()]


def _makes_sizes(node: Node) -> bool:
    """True for a call that finds sizes which others have as arguments, whether or not they read its result."""
    is_of_data = torch.Tag.dynamic_output_shape in getattr(operator_of(node), "tags", ())
    return is_of_data and any(is_size(user.meta.get("val")) for user in node.users)


def is_sym_size(node: Node) -> bool:
    """True for the size of a tensor along an axis."""
    return node.target in (torch.ops.aten.sym_size.int, torch.ops.aten.sym_numel.default)


def stated_size(value: Any) -> int | str:
    """A size as in arguments: a number, or the text of an expression."""
    known = known_size(value)
    return str(expression_of(value)) if known is None else known


def sizes_of(value: Any) -> tuple[int | str, ...]:
    """The shape of a value of a node; a number has none."""
    if not isinstance(value, torch.Tensor):
        return ()
    return tuple(each if isinstance(each, int) else stated_size(each) for each in cast("Sequence[Any]", value.shape))


def _refused(node: Node, reason: str) -> FxError:
    """The error about a node, with its line in the user's module."""
    return FxError(placed(f"{node.name}: {reason}", node.meta.get("stack_trace") or _trace_of_user(node)))


def _trace_of_user(node: Node) -> str | None:
    """The trace of the first call that reads an input."""
    return next((each.meta["stack_trace"] for each in node.users if each.meta.get("stack_trace")), None)


def _element(node: Node, value: Any) -> Attribute:
    match value:
        case torch.Tensor() if value.dtype.is_complex:
            raise _refused(node, f"the dialect has no elements of {value.dtype}")
        case torch.Tensor() if value.layout is not torch.strided:
            raise _refused(node, f"the dialect has no tensors of {value.layout}")
        case torch.Tensor():
            return element_of(value.dtype)
        case torch.SymBool() | bool():
            return i1
        case torch.SymInt() | int():
            return i64
        case torch.SymFloat() | float():
            return f64
        case _:
            return OpaqueType(StringAttr(type(value).__name__))


def operator_of(node: Node) -> Any:
    """The operator that a node calls; that behind an operator of the edge dialect."""
    target: Any = node.target
    return target if isinstance(target, OperatorBase) else getattr(target, "_op", target)


def name_of(node: Node) -> str:
    """The name of the operator that a node calls."""
    operator = operator_of(node)
    return str(operator) if hasattr(operator, "_schema") else getattr(operator, "__name__", str(operator))


def schema_of(node: Node) -> Any:
    """The schema of the operator; None for one that has none."""
    return getattr(operator_of(node), "_schema", None)


def _results(node: Node, count: int) -> list[Node | None]:
    """The nodes of the results of a call that has several."""
    found: list[Node | None] = [None] * count
    for user in node.users:
        if user.target is getitem:
            found[cast("int", user.args[1])] = user
    return found
