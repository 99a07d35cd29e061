"""Check that hardware can execute groups of ops, independent of the code that forms them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from math import floor, prod

from npu_opt.dialects.npu.shape import AnyTransposeOp
from npu_opt.dialects.npu.values import tensor_type
from npu_opt.passes.common.moves.transpose_cost import moved_bytes, reason_not_counted
from npu_opt.passes.common.storages.origins import Origins
from npu_opt.passes.fusion.groups.hardware_groups import Grouping, HardwareGroup, Member
from npu_opt.targets import Stage, Target, name_of
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from support.oracles.transpose_conditions import transpose_holds


def faults(block: Block, grouping: Grouping, target: Target) -> list[str]:
    """The errors in the groups of a block."""
    ops = [op for group in grouping.groups for op in group.ops]
    found = [] if len(ops) == len(set(ops)) else ["an op is in two groups"]
    found += [f"{op.name} has effects" for op in ops if not is_side_effect_free(op)]
    for group in grouping.groups:
        found += [*_wrong_stages(group, target), *_unconnected(group), *_read_before(group, target)]
        found += [*_beside(group), *_without_own(group), *_large(group)]
        if target.forbids_escaping:
            found += _escaping(group)
    if not is_acyclic(block, [group.ops for group in grouping.groups]):
        found.append("groups wait for each other")
    return found


def _wrong_stages(group: HardwareGroup, target: Target) -> Iterator[str]:
    assert target.root is not None
    reachable = {target.root.name} | _behind(target, target.root.name)
    for member in group.members:
        if member.stage.name not in reachable:
            yield f"no way leads to {member.stage.name}"
        if not member.stage.rules_for(name_of(member.op)) and not absorbs(member.stage, member.op):
            yield f"{member.stage.name} does not run {member.op.name}"
        yield from _not_loaded(group, member, target)
        reachable = _behind(target, member.stage.name)
    for stage in target.stages.values():
        running = (member.op for member in group.members if member.stage.name == stage.name)
        count = sum(not absorbs(stage, op) for op in running)
        if stage.uses is not None and count > stage.uses:
            yield f"{stage.name} runs {count} ops"


def _not_loaded(group: HardwareGroup, member: Member, target: Target) -> Iterator[str]:
    """The collected transposes that no stage absorbs on the way to their user, or whose data is not loaded."""
    inside = {each.op for each in group.members}
    for op in member.collected:
        if not isinstance(op, AnyTransposeOp) or not _turns(op, target):
            continue
        ways = [stage for stage in target.stages.values() if absorbs(stage, op)]
        if Origins().of(op.input).owner in inside or not any(
            member.stage.name in _behind(target, way.name) for way in ways
        ):
            yield f"{op.name} is not absorbed on the way to {member.stage.name}"
        if any(_turns(above, target) for above in _above(op, member.collected)):
            yield f"{op.name} is transposed twice on the way to {member.stage.name}"


def _read_before(group: HardwareGroup, target: Target) -> Iterator[str]:
    """Errors of transposes that are loaded for one op, and that another one in front of it reads."""
    for place, member in enumerate(group.members):
        later = [op for each in group.members[place + 1 :] for op in each.collected]
        read = {each for op in (*member.collected, member.op) for each in _above(op, [*later, *member.collected])}
        yield from (f"{op.name} is loaded behind {member.op.name}" for op in read if op in later and _turns(op, target))


def _turns(op: Operation, target: Target) -> bool:
    """True if an op moves data through a stage."""
    return isinstance(op, AnyTransposeOp) and not target.is_free(op.name) and not reason_not_counted(op, Origins())


def _above(op: Operation, collected: Collection[Operation]) -> Iterator[Operation]:
    """The collected ops that an op reads, also through others."""
    for owner in (value.owner for value in op.operands):
        if isinstance(owner, Operation) and owner in collected:
            yield owner
            yield from _above(owner, collected)


def absorbs(stage: Stage, op: Operation) -> bool:
    """True if a stage absorbs a transpose."""
    if not isinstance(op, AnyTransposeOp) or isinstance(stage.absorbs, bool):
        return isinstance(op, AnyTransposeOp) and stage.absorbs is True
    return transpose_holds(stage.absorbs.text, op)


def is_for_own(stage: Stage, op: Operation) -> bool:
    """True if a stage runs an op, or any other of its name, on results of its group alone."""
    rules = stage.rules_for(name_of(op))
    return bool(rules) and all(rule.operand_kind.value == "own" for rule in rules)


def _without_own(group: HardwareGroup) -> Iterator[str]:
    """The members that read other values than results of their group on a stage that runs them on these alone."""
    inside = {op for member in group.members for op in (*member.collected, member.op)}
    members = {member.op for member in group.members}
    for member in group.members:
        if is_for_own(member.stage, member.op):
            read = [*member.op.operands]
            while any(value.owner in inside - members for value in read):
                read = [each for value in read for each in (_behind_one(value, inside - members))]
            if not all(value.owner in members for value in read):
                yield f"{member.op.name} reads other values than results of its group"


def _behind_one(value: SSAValue, collected: Collection[Operation]) -> Sequence[SSAValue]:
    owner = value.owner
    return [*owner.operands] if isinstance(owner, Operation) and owner in collected else [value]


def price_on(stage: Stage, op: Operation) -> int:
    """The price of a transpose on a stage in whole bytes, halves rounded up."""
    if stage.price is None or not isinstance(op, AnyTransposeOp):
        return 0
    moved = moved_bytes(tensor_type(op.input))
    exact = sum(Fraction(term.factor, 10**9) * (moved if term.quantity else 1) for term in stage.price.terms)
    return floor(exact + Fraction(1, 2))


def price_of(grouping: Grouping, target: Target) -> int:
    """The price of the transposes in groups with other ops; a collected one takes the cheapest stage."""
    total = 0
    for group in grouping.groups:
        if all(isinstance(member.op, AnyTransposeOp) for member in group.members):
            continue
        for member in group.members:
            total += price_on(member.stage, member.op) if _turns(member.op, target) else 0
            for op in member.collected:
                ways = [stage for stage in target.stages.values() if absorbs(stage, op)]
                ways = [stage for stage in ways if member.stage.name in _behind(target, stage.name)]
                total += min(price_on(stage, op) for stage in ways) if _turns(op, target) else 0
    return total


def _behind(target: Target, name: str) -> set[str]:
    """The stages reachable from this one over one edge or more."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for stage in target.successors(target.stage(waiting.pop())):
            if stage.name not in found:
                found.add(stage.name)
                waiting.append(stage.name)
    return found


PRODUCTS = ("gemm", "matmul", "matmul_integer", "quant_gemm", "quant_matmul")
ARITHMETIC = ("add", "sub", "mul", "div", "mod", "pow", "max", "min", "quant_add", "quant_mul")
LOGIC = ("and", "or", "xor", "select")
COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")


def operands_beside(op: Operation) -> list[SSAValue]:
    """The operands of an op of a stage that cannot be the data that flows through it."""
    name = op.name.removeprefix("npu.")
    operands, data = list(op.operands), {0}
    if name == "concat":
        data = {*range(len(operands))}
    elif name in PRODUCTS:
        data = {0, 1}
    elif name in (*ARITHMETIC, *LOGIC, *COMPARISONS):
        read, made = operands[: 3 if name == "select" else 2], _elements(op.results[0])
        data = {place for place, operand in enumerate(read) if _elements(operand) == made}
    return [operand for place, operand in enumerate(operands) if place not in data]


def factors_of(op: Operation) -> list[SSAValue]:
    """The factors of a product: hardware holds the one whole while the other one flows."""
    return list(op.operands[:2]) if op.name.removeprefix("npu.") in PRODUCTS else []


def _elements(value: SSAValue) -> int:
    return prod(abs(size) for size in tensor_type(value).get_shape())


def _beside(group: HardwareGroup) -> Iterator[str]:
    """The members that read a result of their group beside their data."""
    members = {member.op for member in group.members}
    collected = {op for member in group.members for op in member.collected}
    for member in group.members:
        if member.stage.holds:
            continue
        owners = {value.owner for value in operands_beside(member.op) if isinstance(value.owner, Operation)}
        if (owners | {above for op in owners & collected for above in _all_above(op, collected)}) & members:
            yield f"{member.op.name} reads a result of its group beside its data"
        factors = [{value.owner} for value in factors_of(member.op) if isinstance(value.owner, Operation)]
        above = [each | {one for op in each & collected for one in _all_above(op, collected)} for each in factors]
        if len(above) == 2 and all(each & members for each in above):
            yield f"{member.op.name} reads both factors from its group"


def _all_above(op: Operation, collected: Collection[Operation]) -> Iterator[Operation]:
    for owner in (value.owner for value in op.operands):
        if isinstance(owner, Operation):
            yield owner
            yield from _all_above(owner, collected) if owner in collected else ()


def _large(group: HardwareGroup) -> Iterator[str]:
    """The members that read a larger value of their group than their stage takes."""
    before = set[Operation]()
    for member in group.members:
        read = [*member.op.operands]
        while any(value.owner in member.collected for value in read):
            read = [each for value in read for each in (_behind_one(value, member.collected))]
        sizes = [moved_bytes(tensor_type(value)) for value in read if value.owner in before]
        if member.stage.most_bytes is not None and max(sizes, default=0) > member.stage.most_bytes:
            yield f"{member.op.name} reads a value of {max(sizes)} bytes of its group on {member.stage.name}"
        before |= {member.op, *(op for op in member.collected if isinstance(op, AnyTransposeOp))}


def _unconnected(group: HardwareGroup) -> Iterator[str]:
    before = {group.members[0].op, *group.members[0].collected}
    for member in group.members[1:]:
        ops = (*member.collected, member.op)
        if not any(value.owner in before for op in ops for value in op.operands):
            yield f"{member.op.name} reads nothing of its group"
        before.update(ops)


def _escaping(group: HardwareGroup) -> Iterator[str]:
    inside = set(group.ops)
    for op in inside - {group.members[-1].op}:
        if any(use.operation not in inside for value in op.results for use in value.uses):
            yield f"{op.name} is seen outside of its group"


def is_acyclic(block: Block, groups: Sequence[Sequence[Operation]]) -> bool:
    """True if each group can be executed as a unit, with side effects in program order."""
    units = {op: place for place, op in enumerate(block.ops)}
    for ops in groups:
        units |= dict.fromkeys(ops, units[ops[0]])
    before: dict[int, set[int]] = {unit: set() for unit in units.values()}
    last_effect: int | None = None
    for op in block.ops:
        inner = [op, *(each for region in op.regions for each in region.walk())]
        before[units[op]] |= _units_read(inner, units)
        if not is_side_effect_free(op):
            before[units[op]] |= set() if last_effect is None else {last_effect}
            last_effect = units[op]
    waiting = {unit: others - {unit} for unit, others in before.items()}
    while ready := {unit for unit, others in waiting.items() if not others}:
        waiting = {unit: others - ready for unit, others in waiting.items() if unit not in ready}
    return not waiting


def _units_read(ops: Sequence[Operation], units: Mapping[Operation, int]) -> set[int]:
    owners = (value.owner for op in ops for value in op.operands)
    return {units[owner] for owner in owners if isinstance(owner, Operation) and owner in units}
