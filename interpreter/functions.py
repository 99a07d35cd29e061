"""Adapter to xDSL's interpreter."""

from dataclasses import dataclass, field

from xdsl.interpreter import Interpreter, InterpreterFunctions, PythonValues, impl, register_impls
from xdsl.ir import Operation

from ..dialects.npu import NPU
from .evaluate import Environment, evaluate


@dataclass
class NpuFunctions(InterpreterFunctions):
    """The ops of the dialect for an `xdsl.interpreter.Interpreter`; xDSL's `FuncFunctions` has those of `func`."""

    environment: Environment = field(default_factory=Environment)

    def run_npu_op(self, interpreter: Interpreter, op: Operation, operands: PythonValues) -> PythonValues:
        return evaluate(op, operands, self.environment)


# xDSL looks up one method per op.
for _op in NPU.operations:
    setattr(NpuFunctions, _op.name, impl(_op)(NpuFunctions.run_npu_op))
register_impls(NpuFunctions)
