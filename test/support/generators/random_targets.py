"""Random targets: other preferred orders, other demands, other limits."""

from random import Random

from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.linear import LinearOp
from npu_opt.dialects.npu.shape import FixedTransposeOp, ShapeOp
from npu_opt.dialects.npu.source import ConstantOp, OpaqueOp
from npu_opt.layout import LayoutClass, letters
from npu_opt.targets.vocabulary import dialect_vocabulary

FEATURE, WEIGHT = LayoutClass.FEATURE, LayoutClass.WEIGHT
WITHOUT_DEMANDS = (ShapeOp, ConstantOp, OpaqueOp, LinearOp)
"""Views and ops without letters. Fixed transposes have demands of their own."""


def random_target(seed: int) -> str:
    """The file of a target."""
    rng = Random(seed)
    limits = {cls: rng.choice((3, 4, 5, 5)) for cls in (FEATURE, WEIGHT)}
    preferred = {cls: [_order(rng, cls, rank) for rank in range(3, limit + 1)] for cls, limit in limits.items()}
    lines = [
        'name = "random"',
        'description = "Nobody has it"',
        f'matmul = "{rng.choice(("rigid", "batch", "free"))}"',
        "[ranks]",
        f"feature = {limits[FEATURE]}",
        f"weight = {limits[WEIGHT]}",
        f"tensor = {rng.randint(3, 6)}",
        "[preferred]",
        f"feature = {preferred[FEATURE]}",
        f"weight = {preferred[WEIGHT]}",
        "[demands]",
    ]
    often = rng.choice((0.1, 0.3, 0.6))
    for op in NPU.operations:
        if issubclass(op, WITHOUT_DEMANDS) or rng.random() > often:
            continue
        name = op.name.removeprefix("npu.")
        lines.append(f"{name} = {{ {_demands(rng, name, limits[FEATURE])} }}")
    if rng.random() < 0.5:
        fixed = [op for op in NPU.operations if issubclass(op, FixedTransposeOp)]
        lines += [f'{op.name.removeprefix("npu.")} = {{ input = "{op.FROM}", result = "{op.TO}" }}' for op in fixed]
    return "\n".join(lines) + "\n"


def _demands(rng: Random, name: str, limit: int) -> str:
    """The preferred order for all operands, or any order of images for the only one."""
    operands = dialect_vocabulary()[name].operands
    if len(operands) == 1 and not dialect_vocabulary()[name].takes_several and limit >= 4 and rng.random() < 0.4:
        return f'{operands[0]} = "{_order(rng, FEATURE, 4)}"'
    return ", ".join(f'{operand} = "preferred"' for operand in operands)


def _order(rng: Random, cls: LayoutClass, rank: int) -> str:
    names = letters(cls, rank)
    return "".join(rng.sample(names, len(names)))
