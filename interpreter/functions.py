"""The meanings as functions of xDSL's interpreter."""

from dataclasses import dataclass, field

from xdsl.interpreter import Interpreter, InterpreterFunctions, PythonValues, impl, register_impls
from xdsl.ir import Operation

from ..dialects.npu import NPU
from .evaluate import Surroundings, evaluate


@dataclass
class NpuFunctions(InterpreterFunctions):
    """What the ops of the dialect do in an `xdsl.interpreter.Interpreter`; xDSL's `FuncFunctions` know the rest."""

    surroundings: Surroundings = field(default_factory=Surroundings)

    def run_npu_op(self, interpreter: Interpreter, op: Operation, operands: PythonValues) -> PythonValues:
        return evaluate(op, operands, self.surroundings)


# xDSL looks for one method per op.
for _op in NPU.operations:
    setattr(NpuFunctions, _op.name, impl(_op)(NpuFunctions.run_npu_op))
register_impls(NpuFunctions)
