"""Live ops."""

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.traits import is_side_effect_free


def live_ops(module: ModuleOp) -> set[Operation]:
    """The ops with effects, and all ops that these depend on."""
    waiting = [op for op in module.walk() if not is_side_effect_free(op) or op.regions or not op.results]
    live = set(waiting)
    while waiting:
        for value in waiting.pop().operands:
            if isinstance(op := value.owner, Operation) and op not in live:
                live.add(op)
                waiting.append(op)
    return live
