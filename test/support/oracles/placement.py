"""Properties of every pass that places transposes: checks that report the problems they find.

A check takes a `Trial`, a program before and after the pass, and yields a line for each problem.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from io import StringIO
from typing import cast

from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.shape import AnyTransposeOp, RelabelOp, ReshapeOp, ShapeOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.values import layout_of, may_have_layout, order_of_value, shape_of
from npu_opt.dialects.program.symbols import verify
from npu_opt.equivalence.compare import Answer, Verdict, compare
from npu_opt.interpreter import random_inputs, run
from npu_opt.layout import DYNAMIC, Layout, Order, identity, same_storage
from npu_opt.passes.transmit.apply import transmit
from npu_opt.targets import Target, name_of
from xdsl.context import Context
from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    LocationAttr,
    ModuleOp,
    NameLoc,
    NoneAttr,
    StringAttr,
    TensorType,
    UnknownLoc,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.printer import Printer
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.utils.hints import isa

from support.oracles.demanded import Wanted, are_in_place, are_met, freedom_of, wanted_of
from support.oracles.running import Array, Effect, Recorder, main_of, same, same_effects

TAG = "fuzz.tag"
Sizes = Mapping[tuple[int, int], int]


@dataclass(frozen=True)
class Setting:
    """A pass with its options."""

    command: str
    """The arguments of npu-opt."""
    run: Callable[[ModuleOp], None]
    target: Target
    keeps_tensors: bool = False
    """True if no value of class Tensor or NTensor may change its type."""
    needs_demands: bool = False
    """True if a program without demands only gets layouts."""
    shares: bool = True
    """True if no value is stored twice in the same order, unless the program does that itself."""


@dataclass(frozen=True)
class Outcome:
    """The results of a program, and its side effects."""

    results: list[Array]
    effects: Sequence[Effect]


@dataclass(frozen=True)
class Trial:
    """A program before and after a pass."""

    given: ModuleOp
    setting: Setting
    seed: int = 0
    sizes: Sizes = field(default_factory=dict[tuple[int, int], int])
    """Facts about the dynamic dimensions of the arguments of @main."""
    run: "Callable[[Trial, ModuleOp], Outcome] | None" = None
    """The runner of a program that cannot be proved; the interpreter by default."""
    verdicts: Counter[str] = field(default_factory=Counter[str])

    @cached_property
    def coloured(self) -> ModuleOp:
        """The program with layouts for all values, made once for all passes."""
        return findings(self.given).coloured

    @cached_property
    def placed(self) -> ModuleOp:
        return self.after(self.given)

    @cached_property
    def result(self) -> "Result":
        return findings(self.given).result(self.placed)

    @property
    def canonical(self) -> ModuleOp:
        return self.result.canonical.module

    def after(self, module: ModuleOp) -> ModuleOp:
        """The program after the pass."""
        result = module.clone()
        self.setting.run(result)
        return result


@dataclass(frozen=True)
class Result:
    """Facts about a result of passes, found once for all passes with this result."""

    findings: "Findings"
    """The findings about the program before."""
    module: ModuleOp

    @cached_property
    def is_valid(self) -> bool:
        verify(self.module)
        return True

    @cached_property
    def answer(self) -> Answer:
        """The comparison with the program before."""
        return compare(self.findings.given, self.module)

    @cached_property
    def canonical(self) -> "Result":
        return self.findings.result(canonical(self.module))


@dataclass(frozen=True)
class Findings:
    """Facts about a program, found once for all passes."""

    given: ModuleOp
    results: dict[tuple[str, ...], list[Result]] = field(default_factory=dict[tuple[str, ...], list[Result]])
    """The different results of passes, by the names of their ops."""

    @cached_property
    def coloured(self) -> ModuleOp:
        module = self.given.clone()
        transmit(module)
        verify(module)
        return module

    @cached_property
    def is_coloured(self) -> bool:
        """True if the program is as layout-transmit leaves it."""
        return equal(self.given, self.coloured, locations=True)

    def result(self, module: ModuleOp) -> Result:
        """The facts about a result. Passes often have equal results, and they are often canonical."""
        alike = self.results.setdefault(tuple(op.name for op in module.walk()), [])
        known = next((result for result in alike if equal(result.module, module)), None)
        if known is None:
            alike.append(known := Result(self, module))
        return known


@lru_cache(maxsize=2)
def findings(given: ModuleOp) -> Findings:
    """The findings about the last programs; passes are tried one after another, and no trial changes its program."""
    return Findings(given)


def canonical(module: ModuleOp) -> ModuleOp:
    result = module.clone()
    CanonicalizePass().apply(Context(), result)
    return result


def text(module: ModuleOp) -> str:
    stream = StringIO()
    Printer(stream).print_op(module)
    return stream.getvalue()


def equal(left: ModuleOp, right: ModuleOp, locations: bool = False) -> bool:
    """True if two programs print alike, with or without locations; quicker than printing them."""
    # xDSL's comparison ignores the types of results.
    return left.is_structurally_equivalent(right) and all(
        [result.type for result in one.results] == [result.type for result in other.results]
        and [result.name_hint for result in one.results] == [result.name_hint for result in other.results]
        and (not locations or one.location == other.location)
        for one, other in zip(left.walk(), right.walk(), strict=True)
    )


def tensors(module: ModuleOp) -> Iterator[SSAValue]:
    """All tensors of a program, in program order."""
    for op in module.walk():
        found = [*op.results]
        for region in op.regions:
            found += [argument for block in region.blocks for argument in block.args]
        yield from (value for value in found if isa(value.type, TensorType))


def functions(module: ModuleOp) -> dict[str, FuncOp]:
    return {op.sym_name.data: op for op in module.walk() if isinstance(op, FuncOp)}


# The checks.


def invalid(trial: Trial) -> Iterator[str]:
    """The result verifies."""
    assert trial.result.is_valid
    yield from ()


def without_layouts(trial: Trial) -> Iterator[str]:
    """Every value has a layout."""
    for value in tensors(trial.placed):
        if may_have_layout(value.type) and layout_of(value) is None:
            yield f"no layout: {value}"


def different(trial: Trial) -> Iterator[str]:
    """The result computes the same: proved, or else tried with numbers."""
    yield from _different(trial, trial.result, "after the pass")


def unmet_demands(trial: Trial) -> Iterator[str]:
    """Every demand of the target is met, unless demands contradict each other, or would re-order a tensor that the
    target cannot re-order."""
    for op, demands in _demands(trial.placed, trial.setting.target):
        values = (*op.operands, *op.results)
        orders = [order_of_value(value) if isa(value.type, TensorType) else () for value in values]
        if not any(are_met(wanted, orders) for wanted in demands) and not _cannot_be_met(op, trial):
            texts = " or ".join(", ".join(map(str, wanted)) for wanted in demands)
            yield f"{op.name}: the target wants {texts}: {op}"


def changed_interfaces(trial: Trial) -> Iterator[str]:
    """Functions keep their names, attributes and types; a type without layout gets that of layout-transmit."""
    given, coloured, placed = map(functions, (trial.given, trial.coloured, trial.placed))
    if [*given] != [*placed]:
        yield f"functions {[*given]} became {[*placed]}"
        return
    for name, function in placed.items():
        if _attributes(function) != _attributes(given[name]):
            yield f"@{name} has other attributes"
        if function.function_type != coloured[name].function_type:
            yield f"@{name}: {given[name].function_type} became {function.function_type}"
        old, new = given[name].function_type, function.function_type
        if not all(map(_is_coloured, (*old.inputs, *old.outputs), (*new.inputs, *new.outputs))):
            yield f"@{name}: {old} became {new}"


def changed_by_second_run(trial: Trial) -> Iterator[str]:
    """The pass is idempotent."""
    if not equal(trial.placed, twice := trial.after(trial.placed)):
        yield f"a second run gives\n{text(twice)}"


def undetermined(trial: Trial) -> Iterator[str]:
    """The pass is deterministic, and has the same result for the program with the layouts of layout-transmit."""
    again = trial.after(trial.given)
    if not equal(trial.placed, again, locations=True):
        yield f"the same pass also gives\n{text(again)}"
    # Layout properties of ops remain if the types of a program have all their layouts.
    placed = trial.placed.clone()
    transmit(placed)
    other = again if findings(trial.given).is_coloured else trial.after(trial.coloured)
    if not equal(placed, other):
        yield f"after layout-transmit it gives\n{text(other)}"


def changed_tensors(trial: Trial) -> Iterator[str]:
    """No tensor without letters is re-ordered: their types are those of before, in program order.

    A move along unit axes only may go through a view as such a tensor, in the order it has. Programs in which a demand
    can only be met with a re-ordered tensor are left out.
    """
    if not trial.setting.keeps_tensors or any(_must_re_order_a_tensor(op, trial) for op in trial.coloured.walk()):
        return
    before, after = (list(_without_letters(module)) for module in (trial.coloured, trial.placed))
    left = iter(after)
    missing = next((value for value in before if not _skipped_to(value, left)), None)
    if missing is not None:
        yield f"a tensor is no longer there, or in another order: {missing}"
    more = Counter(value.type for value in after) - Counter(value.type for value in before)
    views = Counter(map(_view_as_it_stands, after)) - Counter(map(_view_as_it_stands, before))
    for type_, count in more.items():
        if count > views[type_]:
            yield f"{count} new tensors of type {type_}, of which {views[type_]} are views"


def _must_re_order_a_tensor(op: Operation, trial: Trial) -> bool:
    """True if no form of an op meets its demands and keeps the orders of the tensors that it reads and makes."""
    target, values = trial.setting.target, (*op.operands, *op.results)
    if not isinstance(op, NpuOp) or not target.has_demand(name_of(op)):
        return False
    kept = [None if layout is None or layout.cls.is_cnn else order_of_value(value) for value, layout in _stored(values)]
    wanted = [_wanted_orders(found, values) for found in wanted_of(op, target)]
    asked = [[order or own for order, own in zip(each, kept, strict=True)] for each in wanted if any(each)]
    border = len(op.operands)
    return len(asked) > 0 and not any(
        all(own in (None, order) for order, own in zip(each, kept, strict=True))
        and any(op.relayouts_within(each[:border], each[border:], freedom_of(op, target)))
        for each in asked
    )


def _wanted_orders(wanted: Wanted, values: Sequence[SSAValue]) -> list[Order | None]:
    both = zip(wanted, values, strict=True)
    return [None if each is None else each.order_for(len(shape_of(value))) for each, value in both]


def _stored(values: Sequence[SSAValue]) -> Iterator[tuple[SSAValue, Layout | None]]:
    return ((value, layout_of(value) if isa(value.type, TensorType) else None) for value in values)


def _cannot_be_met(op: Operation, trial: Trial) -> bool:
    """True if no form of an op meets its demands, or one that re-orders a tensor of more axes than the target can."""
    if not _have_a_form(op, trial.setting.target):
        return True
    layouts = [(layout_of(value), len(shape_of(value))) for value in op.results if isa(value.type, TensorType)]
    max_rank = trial.setting.target.max_rank
    is_large = any(layout is not None and rank > max_rank(layout.cls) for layout, rank in layouts)
    return is_large and _must_re_order_a_tensor(op, trial)


def _have_a_form(op: Operation, target: Target) -> bool:
    """True if some form of an op meets demands on it: those of several operands, or on places, may be in conflict."""
    found = (_wanted_orders(wanted, (*op.operands, *op.results)) for wanted in wanted_of(op, target))
    border = len(op.operands)
    return isinstance(op, NpuOp) and any(
        are_in_place(op, {**op.properties, **form.properties}, target)
        for wanted in found
        for form in op.relayouts_within(wanted[:border], wanted[border:], freedom_of(op, target))
    )


def needless(trial: Trial) -> Iterator[str]:
    """Without demands nothing changes."""
    if not trial.setting.needs_demands or any(_demands(trial.coloured, trial.setting.target)):
        return
    placed = trial.placed.clone()
    transmit(placed)
    if not equal(placed, trial.coloured):
        yield "there is no demand, but the program is changed"


def worse_when_canonical(trial: Trial) -> Iterator[str]:
    """The canonical form is valid and computes the same, with no more transposes, and none of constants."""
    assert trial.result.canonical.is_valid
    yield from _different(trial, trial.result.canonical, "in canonical form")
    before, after = transposes(trial.placed), transposes(trial.canonical)
    if after > before:
        yield f"{before} transposes became {after} in canonical form"
    for value in _views_of_constants(trial.canonical):
        if isinstance(value.owner, AnyTransposeOp):
            yield f"a transpose of a constant is left in canonical form: {value.owner}"


def lost_names(trial: Trial) -> Iterator[str]:
    """The ops of the program are preserved in program order, with their names, attributes and locations."""
    before, after = (
        [(tag, names, _place(location)) for tag, names, location in _marks(module)]
        for module in (trial.given, trial.placed)
    )
    missing = _first_missing(before, after)
    if missing is not None:
        yield f"lost or moved: {missing}"
    tags = [tag for tag, _, _ in after if tag is not None]
    if len(tags) != len(set(tags)):
        yield "an op is there twice"


def unexplained(trial: Trial) -> Iterator[str]:
    """Every inserted transpose has its reason as location."""
    known = Counter(op.location for op in trial.given.walk())
    for op in trial.placed.walk():
        if isinstance(op, AnyTransposeOp):
            known[op.location] -= 1
            if isinstance(op.location, UnknownLoc) and known[op.location] < 0:
                yield f"an inserted transpose without a location: {op}"


def stored_twice(trial: Trial) -> Iterator[str]:
    """No two inserted transposes of one block do the same."""
    inserted = [op for op in trial.placed.walk() if isinstance(op, AnyTransposeOp) and not _is_present(op)]
    seen: set[tuple[Block | None, SSAValue, Order, Attribute]] = set()
    for op in inserted if trial.setting.shares else ():
        key = op.parent, op.input, op.moved(), op.result.type
        if key in seen:
            yield f"inserted twice: {op}"
        seen.add(key)


Check = Callable[[Trial], Iterator[str]]
CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        invalid,
        without_layouts,
        different,
        unmet_demands,
        changed_interfaces,
        changed_by_second_run,
        undetermined,
        changed_tensors,
        needless,
        worse_when_canonical,
        lost_names,
        unexplained,
        stored_twice,
    )
}


def problems(trial: Trial, checks: Mapping[str, Check] = CHECKS) -> dict[str, str]:
    """The checks that find problems, with the first problem of each. Checks of absent properties are skipped."""
    try:
        assert trial.coloured
        assert trial.placed
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"}
    found: dict[str, str] = {}
    for name, check in checks.items():
        try:
            problem = next(check(trial), None)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        if problem is not None:
            found[name] = problem
        if name == "invalid" and found:
            break
    return found


# Helpers.


def named(module: ModuleOp) -> ModuleOp:
    """The program with a name for every value, an attribute on many ops and a location on all."""
    result = module.clone()
    for index, op in enumerate(result.walk()):
        if isinstance(op, ModuleOp):
            continue
        op.location = FileLineColLoc(StringAttr("net.onnx"), IntAttr(index), IntAttr(1))
        if not isinstance(op, ShapeOp | FuncOp):
            op.attributes[TAG] = IntAttr(index)
        for value in op.results:
            value.name_hint = _name(index)
        if isinstance(op, FuncOp):
            for block in op.body.blocks:
                for argument in block.args:
                    argument.name_hint = f"a{index}"
    return result


def transposes(module: ModuleOp) -> int:
    """The number of transposes that are counted: those that move data of a value that is not constant."""
    constant = set(_views_of_constants(module))
    return sum(_moves_data(op) for op in module.walk() if isinstance(op, AnyTransposeOp) and op.result not in constant)


def _moves_data(op: AnyTransposeOp) -> bool:
    shape = shape_of(op.input)
    return DYNAMIC in shape or not same_storage(identity(len(shape)), op.moved(), shape)


def _views_of_constants(module: ModuleOp) -> list[SSAValue]:
    """All constants, and the views of them through any number of ops."""
    found: list[SSAValue] = [op.result for op in module.walk() if isinstance(op, ConstantOp)]
    for value in found:
        users = [use.operation for use in value.uses]
        found += [op.result for op in users if isinstance(op, AnyTransposeOp | RelabelOp | ReshapeOp)]
    return found


def _demands(module: ModuleOp, target: Target) -> Iterator[tuple[Operation, list[Wanted]]]:
    """The ops with demands, and the layouts that they demand of operands and results."""
    for op in module.walk():
        found = wanted_of(op, target)
        if any(map(any, found)):
            yield op, found


def _different(trial: Trial, result: Result, when: str) -> Iterator[str]:
    answer = result.answer
    trial.verdicts[answer.verdict.name.lower()] += 1
    if answer.verdict is Verdict.DIFFERENT:
        yield f"{when}: {answer.reason}"
    elif answer.verdict is Verdict.UNDECIDED:
        run_one = trial.run or interpreted
        left, right = run_one(trial, trial.given), run_one(trial, result.module)
        if not same(left.results, right.results):
            yield f"{when} the numbers are different ({answer.reason})"
        elif not same_effects(left.effects, right.effects):
            yield f"{when} the effects are different ({answer.reason})"
        else:
            trial.verdicts["undecided with equal numbers"] += 1


def interpreted(trial: Trial, module: ModuleOp) -> Outcome:
    """The results of @main for random numbers."""
    recorder = Recorder()
    inputs = random_inputs(main_of(module), trial.seed, trial.sizes)
    return Outcome(run(module, "main", inputs, recorder.environment()), recorder.effects)


def _attributes(function: FuncOp) -> dict[str, Attribute]:
    """The attributes of a function except its type."""
    return {
        key: value for key, value in {**function.properties, **function.attributes}.items() if key != "function_type"
    }


def _is_coloured(old: Attribute, new: Attribute) -> bool:
    """True if a type is another one with a layout added, or the same if that has one."""
    if old == new or not isa(old, TensorType) or not isa(new, TensorType):
        return old == new
    stored = [(type_.get_element_type(), type_.get_shape()) for type_ in (old, new)]
    return isinstance(old.encoding, NoneAttr) and stored[0] == stored[1]


def _without_letters(module: ModuleOp) -> Iterator[SSAValue]:
    for value in tensors(module):
        layout = layout_of(value)
        if layout is not None and not layout.cls.is_cnn:
            yield value


def _skipped_to(value: SSAValue, left: Iterator[SSAValue]) -> bool:
    """Advance to the next value of this type, if there is one."""
    return any(other.type == value.type for other in left)


def _view_as_it_stands(value: SSAValue) -> Attribute | None:
    """The type of a relabel or reshape in identity order."""
    layout = layout_of(value)
    is_view = isinstance(value.owner, RelabelOp | ReshapeOp)
    return value.type if is_view and layout is not None and layout.order is None else None


Mark = tuple[Attribute | None, tuple[str | None, ...], LocationAttr]


def _marks(module: ModuleOp) -> list[Mark]:
    """The properties of each op that are preserved: its tag, the names of its results, and its location."""
    return [
        (op.attributes.get(TAG), tuple(result.name_hint for result in op.results), op.location)
        for op in module.walk()
        if not isinstance(op, ModuleOp)
    ]


def _place(location: LocationAttr) -> LocationAttr:
    """A location without the reasons added by passes."""
    while isinstance(location, NameLoc):
        location = cast("LocationAttr", location.location)
    return location


def _is_present(op: AnyTransposeOp) -> bool:
    """True if an op was in a program that was `named`: it has a name and a location from it."""
    place = _place(op.location)
    return isinstance(place, FileLineColLoc) and op.result.name_hint == _name(place.line.data)


def _name(line: int) -> str:
    """The name of the results of the op in a line."""
    return f"v{line}"


def _first_missing(before: list[Mark], after: list[Mark]) -> Mark | None:
    """The first mark that is missing, or not after those that preceded it."""
    rest = iter(after)
    return next((mark for mark in before if mark not in rest), None)
