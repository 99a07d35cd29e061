"""The checks of the placement campaign find the mistakes that are planted into a small pass."""

from collections.abc import Callable
from typing import Any

import pytest
from npu_opt.dialects.npu.attrs import LayoutAttr
from npu_opt.dialects.npu.binary import AddOp
from npu_opt.dialects.npu.convolution import Conv2dOp
from npu_opt.dialects.npu.relayout import apply_relayout, stored_in
from npu_opt.dialects.npu.shape import RelabelOp, ShapeOp, TransposeOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.unary import AbsOp
from npu_opt.dialects.npu.values import element_type_of, layout_of, order_of_value, shape_of, tensor_type
from npu_opt.layout import Layout, LayoutClass, Order, permutation_between, permute
from npu_opt.passes.transmit.apply import transmit
from npu_opt.targets import load
from support.generators.sample_source import typed
from support.generators.samplers import made
from support.ir_text import parse
from support.oracles import placement
from support.oracles.placement import CHECKS, TAG, Setting, Trial, named, problems
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr, TensorType, UnknownLoc
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

NHWC: Order = (0, 2, 3, 1)
HERE = FileLineColLoc(StringAttr("pass"), IntAttr(1), IntAttr(1))
NCHW, NHWC_LAYOUT = Layout.parse("NCHW"), Layout.parse("NHWC")

IMAGE, SEQUENCE = "tensor<4x4x4x4xf32>", "tensor<4x4x4xf32>"
PROGRAM = f"""
func.func @main(%x: tensor<4x4x4x4xf32, #npu.layout<NCHW>>, %s: {SEQUENCE}) -> ({IMAGE}, {SEQUENCE}, {IMAGE}) {{
  %k = npu.constant dense<0.5> : tensor<1x1x4x4xf32>
  %a = npu.abs %x : (tensor<4x4x4x4xf32, #npu.layout<NCHW>>) -> {IMAGE}
  %y = npu.conv2d %a, %k data_layout = <NCHW> kernel_layout = <HWOI> : ({IMAGE}, tensor<1x1x4x4xf32>) -> {IMAGE}
  %t = npu.add %s, %s : {SEQUENCE}
  %dead = npu.relu %t : {SEQUENCE}
  return %y, %t, %a : {IMAGE}, {SEQUENCE}, {IMAGE}
}}
"""
WITHOUT_DEMANDS = f"""
func.func @main(%x: {IMAGE}) -> {IMAGE} {{
  %a = npu.abs %x : {IMAGE}
  return %a : {IMAGE}
}}
"""


class Pass:
    """Infers layouts, and inserts transposes around the convolutions whose demands are not met."""

    def __call__(self, module: ModuleOp) -> None:
        transmit(module)
        for op in [*module.walk()]:
            if isinstance(op, Conv2dOp) and order_of_value(op.data) != NHWC:
                self.wrap(op)

    def wrap(self, op: Conv2dOp) -> None:
        op.operands[0] = self.enter(op)
        (relayout, *_) = op.relayouts([NHWC, None], [NHWC])
        old = op.result.type
        apply_relayout(op, relayout)
        self.leave(op, old)

    def enter(self, op: Conv2dOp) -> SSAValue:
        return self.transposed(op.data, NHWC, InsertPoint.before(op))

    def leave(self, op: Operation, type_: Any) -> None:
        uses = [*op.results[0].uses]
        back = self.transposed(op.results[0], Layout.order_for(type_.encoding.data, 4), InsertPoint.after(op))
        for use in uses:
            use.operation.operands[use.index] = back

    def transposed(self, value: SSAValue, order: Order, point: InsertPoint) -> SSAValue:
        permutation = permutation_between(order_of_value(value), order)
        return self.insert(value, permutation, stored_in(value, order), point)

    def insert(self, value: SSAValue, permutation: Order, type_: TensorType, point: InsertPoint) -> SSAValue:
        new = made(TransposeOp, [value], [type_], permutation=permutation)
        new.location = HERE
        Rewriter.insert_op(new, point)
        return new.results[0]


def first(module: ModuleOp, cls: type[Operation]) -> Operation:
    return next(op for op in module.walk() if isinstance(op, cls))


class DoesNothing(Pass):
    def wrap(self, op: Conv2dOp) -> None: ...


class SwapsHeightAndWidth(Pass):
    def enter(self, op: Conv2dOp) -> SSAValue:
        return self.insert(op.data, (0, 3, 2, 1), stored_in(op.data, NHWC), InsertPoint.before(op))


class RenamesInsteadOfMoving(Pass):
    def enter(self, op: Conv2dOp) -> SSAValue:
        new = made(RelabelOp, [op.data], [stored_in(op.data, NHWC)])
        Rewriter.insert_op(new, InsertPoint.before(op))
        return new.results[0]


class ForgetsToGoBack(Pass):
    def leave(self, op: Operation, type_: Any) -> None: ...

    def __call__(self, module: ModuleOp) -> None:
        super().__call__(module)
        for function in placement.functions(module).values():
            function.update_function_type()


class ReordersTensors(Pass):
    """Through a re-ordered Tensor and back."""

    def __call__(self, module: ModuleOp) -> None:
        done = any(isinstance(op, TransposeOp) for op in module.walk())
        super().__call__(module)
        op = first(module, AddOp)
        if not done:
            there = self.transposed(op.operands[0], (0, 2, 1), InsertPoint.before(op))
            op.operands[0] = self.transposed(there, (0, 1, 2), InsertPoint.before(op))


class AddsEachTime(Pass):
    def __call__(self, module: ModuleOp) -> None:
        super().__call__(module)
        op = first(module, AbsOp)
        there = self.transposed(op.operands[0], NHWC, InsertPoint.before(op))
        op.operands[0] = self.transposed(there, (0, 1, 2, 3), InsertPoint.before(op))


class AddsIfUncoloured(Pass):
    def __call__(self, module: ModuleOp) -> None:
        coloured = layout_of(first(module, AbsOp).results[0]) is not None
        super().__call__(module)
        op = first(module, AbsOp)
        if not coloured:
            there = self.transposed(op.operands[0], NHWC, InsertPoint.before(op))
            op.operands[0] = self.transposed(there, (0, 1, 2, 3), InsertPoint.before(op))


class ConvertsWithoutDemand(Pass):
    def __call__(self, module: ModuleOp) -> None:
        transmit(module)
        op = first(module, AbsOp)
        if not isinstance(op.operands[0].owner, TransposeOp):
            there = self.transposed(op.operands[0], (0, 1, 3, 2), InsertPoint.before(op))
            op.operands[0] = self.transposed(there, (0, 1, 2, 3), InsertPoint.before(op))


class LosesNames(Pass):
    def __call__(self, module: ModuleOp) -> None:
        super().__call__(module)
        first(module, Conv2dOp).results[0].name_hint = None


class LosesAttributes(Pass):
    def __call__(self, module: ModuleOp) -> None:
        super().__call__(module)
        first(module, Conv2dOp).attributes.pop(TAG, None)


class LosesLocations(Pass):
    def __call__(self, module: ModuleOp) -> None:
        super().__call__(module)
        first(module, Conv2dOp).location = UnknownLoc()


class DropsDeadOps(Pass):
    def __call__(self, module: ModuleOp) -> None:
        super().__call__(module)
        for op in [op for op in module.walk() if op.results and op.results[0].name_hint == "dead"]:
            op.detach()
            op.erase()


class ReordersOps(Pass):
    def __call__(self, module: ModuleOp) -> None:
        super().__call__(module)
        constant = first(module, ConstantOp)
        constant.detach()
        Rewriter.insert_op(constant, InsertPoint.before(first(module, Conv2dOp)))


class ComputesTwice(Pass):
    def __call__(self, module: ModuleOp) -> None:
        super().__call__(module)
        op = first(module, AddOp)
        if not isinstance(op.next_op, AddOp):
            Rewriter.insert_op(op.clone(), InsertPoint.after(op))


class ExplainsNothing(Pass):
    def insert(self, value: SSAValue, permutation: Order, type_: TensorType, point: InsertPoint) -> SSAValue:
        result = super().insert(value, permutation, type_, point)
        assert isinstance(result.owner, Operation)
        result.owner.location = UnknownLoc()
        return result


class StoresTheDataTwice(Pass):
    """Once for the convolution, and once without a use."""

    def wrap(self, op: Conv2dOp) -> None:
        data = op.data
        super().wrap(op)
        self.transposed(data, NHWC, InsertPoint.before(op))


class LeavesAValueUncoloured(Pass):
    def __call__(self, module: ModuleOp) -> None:
        super().__call__(module)
        (value,) = (op.results[0] for op in module.walk() if op.results and op.results[0].name_hint == "dead")
        Rewriter.replace_value_with_new_type(value, typed(element_type_of(value), shape_of(value), None))


class WritesNonsense(Pass):
    def wrap(self, op: Conv2dOp) -> None:
        op.operands[0] = self.enter(op)
        op.operands[1] = op.operands[0]


class Fails(Pass):
    def wrap(self, op: Conv2dOp) -> None:
        raise KeyError("where is it?")


class ChangesTheSignature(Pass):
    """Takes the image in another layout than that of the argument."""

    def __call__(self, module: ModuleOp) -> None:
        super().__call__(module)
        (function,) = placement.functions(module).values()
        value = function.body.block.args[0]
        type_ = TensorType(element_type_of(value), shape_of(value), LayoutAttr(Layout.parse("CNHW")))
        if value.type != type_:
            new = Rewriter.replace_value_with_new_type(value, type_)
            back = made(RelabelOp, [new], [tensor_type(value)])
            Rewriter.insert_op(back, InsertPoint.at_start(function.body.block))
            new.replace_uses_with_if(back.results[0], lambda use: use.operation is not back)
            function.update_function_type()


MISTAKES: dict[type[Pass], set[str]] = {
    DoesNothing: {"unmet_demands"},
    SwapsHeightAndWidth: {"different", "worse_when_canonical"},
    RenamesInsteadOfMoving: {"different", "worse_when_canonical"},
    ForgetsToGoBack: {"changed_interfaces", "different", "worse_when_canonical"},
    ChangesTheSignature: {"changed_interfaces"},
    ReordersTensors: {"changed_tensors"},
    AddsEachTime: {"changed_by_second_run"},
    AddsIfUncoloured: {"undetermined"},
    LosesNames: {"lost_names"},
    LosesAttributes: {"lost_names"},
    LosesLocations: {"lost_names"},
    DropsDeadOps: {"lost_names", "changed_tensors"},
    ReordersOps: {"lost_names"},
    ComputesTwice: {"lost_names", "changed_tensors"},
    ExplainsNothing: {"unexplained"},
    StoresTheDataTwice: {"stored_twice"},
    LeavesAValueUncoloured: {"without_layouts", "changed_tensors", "undetermined"},
    WritesNonsense: {"invalid"},
    Fails: {"failed"},
}


def trial(made: Callable[[ModuleOp], None], text: str = PROGRAM, dead: bool = True) -> Trial:
    module = named(parse(text))
    if dead:
        op = [op for op in module.walk() if not isinstance(op, ShapeOp) and op.results][-1]
        op.results[0].name_hint = "dead"
    return Trial(module, Setting("", made, load("opu"), keeps_tensors=True, needs_demands=True))


def test_the_pass_without_mistakes():
    assert problems(trial(Pass())) == {}


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.__name__)
def test_planted_mistake(mistake: type[Pass]):
    assert set(problems(trial(mistake()))) == MISTAKES[mistake]


def test_doing_something_without_a_demand():
    assert set(problems(trial(ConvertsWithoutDemand(), WITHOUT_DEMANDS))) == {"needless", "changed_tensors"}


class Canonicalization:
    """A replacement of xDSL's canonicalization that makes a mistake."""

    def __init__(self, mistake: Callable[[ModuleOp], None]):
        self.mistake = mistake

    def __call__(self) -> "Canonicalization":
        return self

    def apply(self, ctx: object, module: ModuleOp) -> None:
        self.mistake(module)


def nothing(module: ModuleOp) -> None: ...


def more_transposes(module: ModuleOp) -> None:
    AddsEachTime()(module)


def other_numbers(module: ModuleOp) -> None:
    op = first(module, AbsOp)
    op.results[0].replace_all_uses_with(op.operands[0])


class TransposesTheKernel(Pass):
    """Through another order and back."""

    def wrap(self, op: Conv2dOp) -> None:
        super().wrap(op)
        there = self.transposed(op.kernel, (0, 1, 2, 3), InsertPoint.before(op))
        op.operands[1] = self.transposed(there, (2, 3, 0, 1), InsertPoint.before(op))


@pytest.mark.parametrize("mistake", [more_transposes, other_numbers])
def test_mistake_of_the_canonical_form(mistake: Callable[[ModuleOp], None], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(placement, "CanonicalizePass", Canonicalization(mistake))
    assert set(problems(trial(Pass()))) == {"worse_when_canonical"}


def test_transposed_constants_in_canonical_form(monkeypatch: pytest.MonkeyPatch):
    assert problems(trial(TransposesTheKernel())) == {}
    monkeypatch.setattr(placement, "CanonicalizePass", Canonicalization(nothing))
    assert set(problems(trial(TransposesTheKernel()))) == {"worse_when_canonical"}


def test_every_check_finds_a_mistake():
    found = {name for names in MISTAKES.values() for name in names} | {"needless", "failed"}
    assert found == {*CHECKS, "failed"}


def test_programs_that_cannot_be_proved_are_tried_with_numbers():
    """x + transpose(x) is symmetric."""
    text = """
    func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %a = npu.transpose %x permutation = [1, 0] : tensor<4x4xf32>
      %b = npu.add %x, %a : tensor<4x4xf32>
      return %b : tensor<4x4xf32>
    }
    """

    def returns_transposed(module: ModuleOp) -> None:
        transmit(module)
        (function,) = placement.functions(module).values()
        op = function.body.block.last_op
        assert op is not None
        value = op.operands[0]
        if isinstance(value.owner, AddOp):
            permuted = typed(element_type_of(value), permute(shape_of(value), (1, 0)), Layout(LayoutClass.TENSOR))
            op.operands[0] = Pass().insert(value, (1, 0), permuted, InsertPoint.before(op))

    tried = trial(returns_transposed, text, dead=False)
    assert problems(tried).keys() <= {"needless", "changed_tensors"}
    assert tried.verdicts == {"undecided": 2, "undecided with equal numbers": 2}
