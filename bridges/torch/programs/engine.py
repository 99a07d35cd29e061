"""Runs in eager PyTorch: of a whole program, and of calls that stayed in one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from importlib import import_module
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch.export.graph_signature import InputSpec
from xdsl.ir import Attribute, SSAValue

from ....dialects.npu.source import ForeignOp
from ....dialects.npu.values import element_type_of
from ....interpreter import InterpreterError
from ...fixed_sizes import FixedSizes
from ..calls import ASSERTS, Call
from ..errors import brief
from ..importing.node import names_of
from .element_types import DTYPES
from .reading import FxProgram, is_result

Array = NDArray[Any]
REGISTERED_BY = {"quantized_decomposed": "torch.ao.quantization.fx._decomposed"}
"""The modules that register the operators of a system."""


def program_runner(came: FxProgram) -> Callable[[Sequence[Array]], Sequence[Array]]:
    """A function of the arguments of the program's function. It raises `InterpreterError` if PyTorch fails."""
    program = came.program
    specs = {spec.arg.name: spec for spec in program.graph_signature.input_specs}
    places = [node for node in program.graph.find_nodes(op="placeholder")]
    (output,) = program.graph.find_nodes(op="output")
    results = [is_result(came, each) for each in output.args[0]]

    def constant(spec: InputSpec) -> Any:
        target = str(spec.target)
        if target in program.state_dict:
            return program.state_dict[target]
        return program.constants[target] if target in program.constants else getattr(spec.arg, "value", None)

    def run(arrays: Sequence[Array]) -> Sequence[Array]:
        given = iter(arrays)
        values = [
            _tensor(next(given), node.meta["val"].dtype) if node.name in came.arguments else constant(specs[node.name])
            for node in places
        ]
        try:
            with torch.no_grad():
                found = program.graph_module(*values)
        except Exception as error:
            # An operator raises errors of any class.
            raise InterpreterError(f"PyTorch: {brief(error)}") from error
        return [_array(each) for each, is_tensor in zip(found, results, strict=True) if is_tensor]

    return run


def run_call(op: ForeignOp, operands: Sequence[Array]) -> tuple[Array, ...]:
    """The results of a call that stayed. Raises `InterpreterError` if it is no call, or if it fails."""
    what = f"'{op.name}' \"{op.op_name.data}\" cannot be evaluated"
    call = Call.of(op)
    if call is None:
        raise InterpreterError(what)
    if call.name.startswith(ASSERTS):
        # The sizes that it reads are not known outside of the program.
        return ()
    arrays = dict(zip(call.operands, operands, strict=True))
    tensors = {name: _tensor(array, _dtype(call.operands[name])) for name, array in arrays.items()}
    sizes = _sizes(op.operands, operands)
    try:
        operator = _operator(call.name)
        given: dict[str, Any] = {}
        for each in operator._schema.arguments:
            listed = [tensors[name] for name in _listed(each.name, tensors)]
            if each.name in tensors or listed:
                given[each.name] = tensors.get(each.name, listed)
            elif each.name in call.values:
                given[each.name] = _value(call.values[each.name], operands, sizes)
        with torch.no_grad():
            found = operator(**given)
    except Exception as error:
        # An operator raises errors of any class.
        raise InterpreterError(f"{what}: {brief(error)}") from error
    results = cast("Sequence[Any]", found if isinstance(found, tuple | list) else [found])
    return tuple(map(_array, results[: len(op.results)]))


def _listed(name: str, tensors: Mapping[str, Any]) -> list[str]:
    names = (f"{name}.{place}" for place in range(len(tensors)))
    return [each for each in names if each in tensors]


def _operator(name: str) -> Any:
    system = name.partition(".")[0]
    if system in REGISTERED_BY:
        import_module(REGISTERED_BY[system])
    operators: Any = torch.ops
    return reduce(getattr, name.split("."), operators)


def _value(value: Any, operands: Sequence[Array], sizes: FixedSizes) -> Any:
    """An argument that is no tensor; sizes that are texts are known now."""
    if isinstance(value, Attribute):
        return DTYPES[value]
    if isinstance(value, tuple | list):
        return [_value(each, operands, sizes) for each in cast("Sequence[Any]", value)]
    if not isinstance(value, str):
        return value
    if value.startswith("#"):
        place, axis = map(int, value[1:].split("."))
        return operands[place].shape[axis]
    # Such as the format of memory.
    return getattr(torch, value.removeprefix("torch.")) if value.startswith("torch.") else sizes.size_of(value)


def _sizes(values: Sequence[SSAValue], arrays: Sequence[Array]) -> FixedSizes:
    """The sizes that have names."""
    known = {
        name: size
        for value, array in zip(values, arrays, strict=True)
        for name, size in zip(names_of(value), array.shape, strict=False)
        if name is not None
    }
    return FixedSizes(known)


def _dtype(value: SSAValue) -> torch.dtype | None:
    return DTYPES.get(element_type_of(value))


def _tensor(array: Array, dtype: torch.dtype | None) -> torch.Tensor:
    """A copy as a tensor; numpy lacks bf16, of which the interpreter has the numbers as f32."""
    return cast("Any", torch).from_numpy(np.array(array)).to(dtype)


def _array(value: Any) -> Array:
    if not isinstance(value, torch.Tensor):
        return np.asarray(value)
    tensor = value.detach()
    return (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).resolve_conj().contiguous().numpy()
