"""Running a function of a module."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.interpreter import Interpreter
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects.npu.attrs import OpaqueType
from ..dialects.npu.base import NpuOp
from ..dialects.npu.padding import is_padding
from ..dialects.npu.source import OpaqueOp
from ..dialects.npu.values import encoding, shape_text, shapes_agree
from .elements import Array, holds
from .errors import InterpreterError
from .evaluate import Environment, with_padding
from .functions import NpuFunctions
from .subgraphs import has_subgraphs, run_node

DEEPEST = 64
"""The deepest nesting of subgraphs."""


def run(
    module: ModuleOp,
    function: str = "main",
    inputs: Sequence[Array] = (),
    environment: Environment | None = None,
    listeners: Sequence[Interpreter.Listener] = (),
) -> list[Array]:
    """Run a function on these inputs; inputs and results have stored axes.

    Results may share memory with inputs and constants.
    """
    interpreter = Interpreter(module, listeners=tuple(listeners))
    interpreter.register_implementations(NpuFunctions(environment or Environment()))
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    if function not in functions:
        raise InterpreterError(f"there is no function @{function}")
    arrays = [np.asarray(array) for array in inputs]
    _check_inputs(functions[function], arrays)
    return _Machine(interpreter, functions).run(function, arrays)


@dataclass(frozen=True, slots=True)
class _ScheduledOp:
    """An op, and the values without uses after it."""

    op: Operation
    dead: tuple[SSAValue, ...]


@dataclass(slots=True)
class _CallFrame:
    """An active call: its remaining ops and its live values."""

    name: str
    steps: Iterator[_ScheduledOp]
    values: dict[SSAValue, Array]
    call: Operation | None
    """The calling op in the frame below."""


class _Machine:
    """Runs functions of one block with an explicit stack, so that chains of calls may be long."""

    def __init__(
        self,
        interpreter: Interpreter,
        functions: Mapping[str, func.FuncOp],
        running: Iterable[str] = (),
        depth: int = 0,
    ):
        self._interpreter = interpreter
        self._depth = depth
        """The number of subgraphs around the function."""
        self._functions = functions
        self._schedules: dict[str, tuple[_ScheduledOp, ...]] = {}
        self._frames: list[_CallFrame] = []
        self._running = {*running}

    def run(self, name: str, arrays: Sequence[Array]) -> list[Array]:
        self._enter(name, arrays, None)
        while True:
            frame = self._frames[-1]
            step = next(frame.steps)
            operands = tuple(frame.values[value] for value in step.op.operands)
            try:
                if self._step(frame, step, operands):
                    return list(operands)
            except InterpreterError as error:
                error.op = error.op or step.op
                raise
            for value in step.dead:
                frame.values.pop(value, None)

    def _step(self, frame: _CallFrame, step: _ScheduledOp, operands: tuple[Array, ...]) -> bool:
        """Run an op; True if it was the end of the program."""
        match step.op:
            case func.ReturnOp():
                self._frames.pop()
                self._running.remove(frame.name)
                if frame.call is None:
                    return True
                self._frames[-1].values.update(zip(frame.call.results, operands, strict=True))
            case func.CallOp():
                self._enter(step.op.callee.string_value(), operands, step.op)
            case OpaqueOp() if has_subgraphs(step.op):
                results = run_node(step.op, operands, self._call)
                frame.values.update(zip(step.op.results, results, strict=True))
            case NpuOp():
                results = self._interpreter.run_op(step.op, operands)
                frame.values.update(zip(step.op.results, results, strict=True))
            case _:
                raise InterpreterError(f"'{step.op.name}' cannot be evaluated")
        return False

    def _call(self, name: str, arrays: Sequence[Array]) -> list[Array]:
        """Run a subgraph, which may run others in turn."""
        if self._depth == DEEPEST:
            raise InterpreterError(f"subgraphs are nested more than {DEEPEST} deep")
        inner = _Machine(self._interpreter, self._functions, self._running, self._depth + 1)
        if name in self._functions:
            _check_inputs(self._functions[name], arrays)
        return inner.run(name, arrays)

    def _enter(self, name: str, arrays: Sequence[Array], call: Operation | None) -> None:
        # Without branches, a function that calls itself would never end.
        if name in self._running:
            raise InterpreterError(f"@{name} calls itself")
        self._running.add(name)
        steps = self._schedule(name)
        arguments = self._functions[name].body.block.args
        values: dict[SSAValue, Array] = {}
        for argument, array in zip(arguments, arrays, strict=True):
            values[argument] = with_padding(argument, array)
        self._frames.append(_CallFrame(name, iter(steps), values, call))

    def _schedule(self, name: str) -> tuple[_ScheduledOp, ...]:
        if name not in self._schedules:
            if name not in self._functions:
                raise InterpreterError(f"there is no function @{name}")
            self._schedules[name] = _schedule(self._functions[name])
        return self._schedules[name]


def _schedule(function: func.FuncOp) -> tuple[_ScheduledOp, ...]:
    if len(function.body.blocks) != 1:
        count = len(function.body.blocks)
        problem = f"has {count} blocks, and only one can be run" if count else "is declared only"
        raise InterpreterError(f"@{function.sym_name.data} {problem}")
    needed: set[SSAValue] = set()
    steps: list[_ScheduledOp] = []
    for op in reversed(list(function.body.block.ops)):
        values = {*op.operands, *op.results}
        steps.append(_ScheduledOp(op, tuple(values - needed)))
        needed |= values
    return tuple(reversed(steps))


def _check_inputs(function: func.FuncOp, arrays: Sequence[Array]) -> None:
    name, types = function.sym_name.data, function.function_type.inputs.data
    if len(arrays) != len(types):
        expected = f"{len(types)} input{'s' * (len(types) != 1)}"
        raise InterpreterError(f"@{name}: expected {expected}, found {len(arrays)}")
    for index, (array, type_) in enumerate(zip(arrays, types, strict=True)):
        if not isinstance(type_, TensorType):
            raise InterpreterError(f"@{name} input {index}: expected a tensor in the signature, found {type_}")
        element_type = cast(TensorType, type_).element_type
        is_whole = isinstance(element_type, OpaqueType) and element_type.is_whole
        if not is_whole and not shapes_agree(array.shape, type_.get_shape()):
            expected, found = shape_text(type_.get_shape()), shape_text(array.shape)
            raise InterpreterError(f"@{name} input {index}: expected shape {expected}, found {found}")
        if not holds(array, element_type):
            raise InterpreterError(f"@{name} input {index}: expected numbers of type {element_type}")
        layout = encoding(cast(Attribute, type_))
        if (
            layout is not None
            and layout.padded_axes
            and layout.has_zeros
            and array[is_padding(layout, array.shape)].any()
        ):
            raise InterpreterError(f"@{name} input {index}: expected zeros as padding, as {layout} says")
