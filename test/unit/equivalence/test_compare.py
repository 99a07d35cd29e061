"""Programs that value numbering proves, and programs that it must not prove."""

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from support.ir_text import parse_verified as read
from xdsl.dialects.builtin import ModuleOp

MATRIX = "tensor<4x4xf32>"
BINARY = f"({MATRIX}, {MATRIX}) -> {MATRIX}"
UNARY = f"({MATRIX}) -> {MATRIX}"
SWAP = f"permutation = [1, 0] : {UNARY}"


def main(body: str, returned: str = "%y", arguments: str = f"%a: {MATRIX}, %b: {MATRIX}", result: str = MATRIX) -> str:
    return f"func.func @main({arguments}) -> {result} {{\n{body}\nfunc.return {returned} : {result}\n}}"


def verdict(first: str, second: str) -> Verdict:
    return compare(read(first), read(second)).verdict


PROVED = [
    pytest.param(
        f"%y = npu.add %a, %b : {BINARY}",
        f"%y = npu.add %b, %a : {BINARY}",
        id="operands of a commutative op",
    ),
    pytest.param(
        f"%y = npu.sub %a, %b : {BINARY}",
        f"%t = npu.transpose %a {SWAP}\n%u = npu.transpose %b {SWAP}\n%s = npu.sub %t, %u : {BINARY}\n"
        f"%y = npu.transpose %s {SWAP}",
        id="an op on transposed operands",
    ),
    pytest.param(
        f"%y = npu.matmul %a, %b : {BINARY}",
        f"%t = npu.matmul %b, %a trans_a trans_b : {BINARY}\n%y = npu.transpose %t {SWAP}",
        id="a product with its operands swapped",
    ),
    pytest.param(
        f"%c = npu.constant dense<2.0> : {MATRIX}\n%d = npu.constant dense<3.0> : {MATRIX}\n"
        f"%e = npu.mul %c, %d : {BINARY}\n%y = npu.add %a, %e : {BINARY}",
        f"%c = npu.constant dense<2.0> : {MATRIX}\n%d = npu.constant dense<3.0> : {MATRIX}\n"
        f"%e = npu.mul %d, %c : {BINARY}\n%y = npu.add %a, %e : {BINARY}",
        id="operands of equal elements of a commutative op",
    ),
    pytest.param(
        f"%y = npu.softmax %a axis = 0 : {UNARY}",
        f"%t = npu.transpose %a {SWAP}\n%s = npu.softmax %t axis = 1 : {UNARY}\n%y = npu.transpose %s {SWAP}",
        id="an axis by its name",
    ),
    pytest.param(
        f"%y = npu.relu %a : {UNARY}",
        f"%r = npu.reshape %a : ({MATRIX}) -> tensor<2x2x1x4xf32>\n"
        "%s = npu.relu %r : tensor<2x2x1x4xf32>\n"
        f"%y = npu.reshape %s : (tensor<2x2x1x4xf32>) -> {MATRIX}",
        id="an op between reshapes",
    ),
    pytest.param(
        f"%e = npu.exp %a : {UNARY}\n%y = npu.mul %e, %e : {BINARY}",
        f"%e = npu.exp %a : {UNARY}\n%f = npu.exp %a : {UNARY}\n%d = npu.tanh %b : {UNARY}\n"
        f"%y = npu.mul %e, %f : {BINARY}",
        id="a duplicate and a dead op",
    ),
    pytest.param(
        "%c = npu.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>\n"
        "%t = npu.transpose %c permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>\n"
        "%r = npu.reduce_sum %t axes = [0, 1] : (tensor<3x2xf32>) -> tensor<f32>\n"
        f"%y = npu.add %a, %r : ({MATRIX}, tensor<f32>) -> {MATRIX}",
        "%t = npu.constant dense<[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]> : tensor<3x2xf32>\n"
        "%r = npu.reduce_sum %t axes = [0, 1] : (tensor<3x2xf32>) -> tensor<f32>\n"
        f"%y = npu.add %a, %r : ({MATRIX}, tensor<f32>) -> {MATRIX}",
        id="a constant that was transposed when it was folded",
    ),
    pytest.param(
        "%m = npu.reduce_mean %a axes = [1] keep : (tensor<4x4xf32>) -> tensor<4x1xf32>\n"
        f"%y = npu.sub %a, %m : ({MATRIX}, tensor<4x1xf32>) -> {MATRIX}",
        "%m = npu.reduce_mean %a axes = [1] : (tensor<4x4xf32>) -> tensor<4xf32>\n"
        "%n = npu.reshape %m : (tensor<4xf32>) -> tensor<4x1xf32>\n"
        f"%y = npu.sub %a, %n : ({MATRIX}, tensor<4x1xf32>) -> {MATRIX}",
        id="a reduction that keeps its axis",
    ),
]


@pytest.mark.parametrize(("first", "second"), PROVED)
def test_equal_programs_are_proved_both_ways(first: str, second: str):
    assert verdict(main(first), main(second)) is Verdict.PROVED
    assert verdict(main(second), main(first)) is Verdict.PROVED


NOT_PROVED = [
    pytest.param(
        f"%y = npu.sub %a, %b : {BINARY}", f"%y = npu.sub %b, %a : {BINARY}", id="operands that do not commute"
    ),
    pytest.param(
        f"%y = npu.add %a, %b : {BINARY}",
        f"%t = npu.transpose %b {SWAP}\n%y = npu.add %a, %t : {BINARY}",
        id="one operand transposed, all sizes equal",
    ),
    pytest.param(
        f"%y = npu.add %a, %b : {BINARY}",
        f"%t = npu.transpose %a {SWAP}\n%u = npu.transpose %b {SWAP}\n%y = npu.add %t, %u : {BINARY}",
        id="a forgotten transpose at the end",
    ),
    pytest.param(
        f"%y = npu.matmul %a, %b : {BINARY}", f"%y = npu.matmul %b, %a : {BINARY}", id="a product the other way round"
    ),
    pytest.param(
        f"%y = npu.matmul %a, %b : {BINARY}", f"%y = npu.matmul %a, %b trans_b : {BINARY}", id="a flag too many"
    ),
    pytest.param(
        f"%y = npu.softmax %a axis = 0 : {UNARY}", f"%y = npu.softmax %a axis = 1 : {UNARY}", id="another axis"
    ),
    pytest.param(
        f"%y = npu.leaky_relu %a alpha = 0.1 : {UNARY}",
        f"%y = npu.leaky_relu %a alpha = 0.2 : {UNARY}",
        id="another attribute",
    ),
    pytest.param(
        f"%y = npu.pad %s low = [1, 0] high = [0, 1] : (tensor<3x3xf32>) -> {MATRIX}",
        f"%y = npu.pad %s low = [0, 1] high = [1, 0] : (tensor<3x3xf32>) -> {MATRIX}",
        id="pads in the wrong order",
    ),
    pytest.param(
        f"%y = npu.broadcast %v axes = [0] : (tensor<4xf32>) -> {MATRIX}",
        f"%y = npu.broadcast %v axes = [1] : (tensor<4xf32>) -> {MATRIX}",
        id="a vector repeated along the other axis",
    ),
    pytest.param(
        f"%y = npu.reverse %a axes = [0] : {UNARY}", f"%y = npu.reverse %a axes = [1] : {UNARY}", id="another direction"
    ),
    pytest.param(
        f"%y = npu.concat %l, %r axis = 1 : (tensor<4x2xf32>, tensor<4x2xf32>) -> {MATRIX}",
        f"%y = npu.concat %r, %l axis = 1 : (tensor<4x2xf32>, tensor<4x2xf32>) -> {MATRIX}",
        id="parts exchanged",
    ),
    pytest.param(
        f"%p, %q = npu.split %a axis = 0 sizes = [2, 2] : ({MATRIX}) -> (tensor<2x4xf32>, tensor<2x4xf32>)\n"
        f"%y = npu.concat %p, %q axis = 0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> {MATRIX}",
        f"%q, %p = npu.split %a axis = 0 sizes = [2, 2] : ({MATRIX}) -> (tensor<2x4xf32>, tensor<2x4xf32>)\n"
        f"%y = npu.concat %p, %q axis = 0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> {MATRIX}",
        id="results exchanged",
    ),
    pytest.param(
        f"%r = npu.reshape %a : ({MATRIX}) -> tensor<16xf32>\n%y = npu.reshape %r : (tensor<16xf32>) -> {MATRIX}",
        f"%t = npu.transpose %a {SWAP}\n%r = npu.reshape %t : ({MATRIX}) -> tensor<16xf32>\n"
        f"%y = npu.reshape %r : (tensor<16xf32>) -> {MATRIX}",
        id="a flatten of other bytes",
    ),
    pytest.param(
        f"%c = npu.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>\n"
        f"%y = npu.tile %c repeats = [2, 2] : (tensor<2x2xf32>) -> {MATRIX}",
        f"%c = npu.constant dense<[[1.0, 3.0], [2.0, 4.0]]> : tensor<2x2xf32>\n"
        f"%y = npu.tile %c repeats = [2, 2] : (tensor<2x2xf32>) -> {MATRIX}",
        id="a constant transposed",
    ),
    pytest.param(
        f"%i = npu.cast %a : ({MATRIX}) -> tensor<4x4xi8>\n%y = npu.cast %i : (tensor<4x4xi8>) -> {MATRIX}",
        f"%i = npu.cast %a : ({MATRIX}) -> tensor<4x4xi16>\n%y = npu.cast %i : (tensor<4x4xi16>) -> {MATRIX}",
        id="another element type in between",
    ),
]


@pytest.mark.parametrize(("first", "second"), NOT_PROVED)
def test_different_programs_are_not_proved(first: str, second: str):
    arguments = (
        f"%a: {MATRIX}, %b: {MATRIX}, %s: tensor<3x3xf32>, %v: tensor<4xf32>, %l: tensor<4x2xf32>, %r: tensor<4x2xf32>"
    ).replace("%r: tensor<4x2xf32>", "%r: tensor<4x2xf32>" if "%r, %l" in second else "%unused: tensor<4x2xf32>")
    assert verdict(main(first, arguments=arguments), main(second, arguments=arguments)) is Verdict.UNDECIDED
    assert verdict(main(first, arguments=arguments), main(first, arguments=arguments)) is Verdict.PROVED


def test_a_vector_and_equal_elements_have_different_axes():
    """A constant of equal elements does not say along which axis it is repeated; a vector of that shape does."""

    def program(vector: str) -> ModuleOp:
        op = f"npu.mul %x, %{{}} : ({MATRIX}, {vector}) -> {MATRIX}"
        return read(
            f"func.func @main(%x: {MATRIX}, %v: tensor<4x1xf32>) -> ({MATRIX}, {MATRIX}) {{\n"
            f"%w = npu.reshape %v : (tensor<4x1xf32>) -> {vector}\n%c = npu.constant dense<0.5> : {vector}\n"
            f"%y = {op.format('c')}\n%z = {op.format('w')}\nfunc.return %y, %z : {MATRIX}, {MATRIX}\n}}"
        )

    column, row = program("tensor<4x1xf32>"), program("tensor<1x4xf32>")
    assert compare(column, column).verdict is Verdict.PROVED
    assert compare(column, row).verdict is Verdict.UNDECIDED


def test_axes_with_equal_pads_are_two():
    """Padded equal elements depend on the position along each axis, so parts of the axes cannot be exchanged."""
    first = (
        f"%c = npu.constant dense<2.0> : tensor<3x3xf32>\n"
        f"%p = npu.pad %c low = [1, 1] high = [0, 0] : (tensor<3x3xf32>) -> {MATRIX}\n"
        f"%r = npu.reshape %p : ({MATRIX}) -> tensor<2x2x2x2xf32>\n"
        "%t = npu.transpose %r permutation = [0, 1, 2, 3] : (tensor<2x2x2x2xf32>) -> tensor<2x2x2x2xf32>\n"
        f"%q = npu.reshape %t : (tensor<2x2x2x2xf32>) -> {MATRIX}\n%y = npu.add %a, %q : {BINARY}"
    )
    assert verdict(main(first), main(first)) is Verdict.PROVED
    assert verdict(main(first), main(first.replace("[0, 1, 2, 3]", "[0, 3, 2, 1]"))) is Verdict.UNDECIDED


def test_symmetric_operands_are_undecided():
    """x + transpose(x) is its own transpose; that is true, but not shown by comparing op by op."""
    first = f"%t = npu.transpose %a {SWAP}\n%y = npu.add %a, %t : {BINARY}"
    second = f"{first.replace('%y', '%s')}\n%y = npu.transpose %s {SWAP}"
    assert verdict(main(first), main(first)) is Verdict.PROVED
    assert verdict(main(first), main(second)) is Verdict.UNDECIDED


def test_a_block_without_common_pieces_moves_as_a_whole():
    arguments, result = "%a: tensor<4x6x5xf32>", "tensor<6x4x5xf32>"
    first = "%y = npu.reshape %a : (tensor<4x6x5xf32>) -> tensor<6x4x5xf32>"
    second = (
        "%t = npu.transpose %a permutation = [2, 0, 1]"
        " : (tensor<4x6x5xf32>) -> tensor<5x4x6xf32, #npu.layout<Tensor, [2, 0, 1]>>\n"
        "%r = npu.reshape %t : (tensor<5x4x6xf32, #npu.layout<Tensor, [2, 0, 1]>>)"
        " -> tensor<5x6x4xf32, #npu.layout<Tensor, [2, 0, 1]>>\n"
        "%y = npu.transpose %r permutation = [1, 2, 0]"
        " : (tensor<5x6x4xf32, #npu.layout<Tensor, [2, 0, 1]>>) -> tensor<6x4x5xf32>"
    )
    assert verdict(
        main(first, arguments=arguments, result=result), main(second, arguments=arguments, result=result)
    ) is (Verdict.PROVED)


def test_dynamic_sizes():
    arguments, result = "%a: tensor<?x?x12xf32>", "tensor<?x3x?x4xf32>"
    split = "npu.reshape %a dims = [@in0, @in1, 3, 4] : (tensor<?x?x12xf32>) -> tensor<?x?x3x4xf32>"
    move = "permutation = [0, 2, 1, 3] : (tensor<?x?x3x4xf32>) -> tensor<?x3x?x4xf32>"
    first = f"%s = {split}\n%e = npu.exp %s : tensor<?x?x3x4xf32>\n%y = npu.transpose %e {move}"
    second = f"%e = npu.exp %a : tensor<?x?x12xf32>\n%s = {split.replace('%a', '%e')}\n%y = npu.transpose %s {move}"
    third = second.replace("@in0, @in1", "@in1, @in0")
    programs = [main(body, arguments=arguments, result=result) for body in (first, second, third)]
    assert verdict(programs[0], programs[1]) is Verdict.PROVED
    assert verdict(programs[0], programs[2]) is Verdict.UNDECIDED


def test_axes_without_elements_and_of_unknown_size():
    body = "%y = npu.add %a, %b : (tensor<?xf32>, tensor<0xf32>) -> tensor<0xf32>"
    program = main(body, arguments="%a: tensor<?xf32>, %b: tensor<0xf32>", result="tensor<0xf32>")
    assert verdict(program, program) is Verdict.PROVED


# --- effects

CALL = 'npu.opaque "vendor.log"(%a) : (tensor<4x4xf32>) -> ()\n'
RANDOM = 'npu.opaque "vendor.random"() : () -> tensor<4x4xf32>'


def test_effects_are_compared_in_program_order():
    other = CALL.replace("log", "send")
    assert verdict(main(CALL + other, "%a"), main(CALL + other, "%a")) is Verdict.PROVED
    assert verdict(main(CALL + other, "%a"), main(other + CALL, "%a")) is Verdict.DIFFERENT
    assert verdict(main(CALL + CALL, "%a"), main(CALL, "%a")) is Verdict.DIFFERENT
    assert verdict(main(CALL, "%a"), main(CALL.replace("%a", "%b"), "%a")) is Verdict.UNDECIDED


def test_operands_of_a_pure_terminator_count():
    """Whatever reads them is outside of the function."""
    first, second = (
        f'func.func @main(%a: {MATRIX}) {{\n%y = npu.{op} %a : {UNARY}\n"affine.yield"(%y) : ({MATRIX}) -> ()\n}}'
        for op in ("relu", "tanh")
    )
    assert verdict(first, first) is Verdict.PROVED
    assert verdict(first, second) is Verdict.UNDECIDED


def test_ops_with_effects_are_not_merged():
    twice = f"%p = {RANDOM}\n%q = {RANDOM}\n%y = npu.sub %p, %q : {BINARY}"
    assert verdict(main(twice), main(twice)) is Verdict.PROVED
    assert verdict(main(twice), main(twice.replace("%p, %q", "%p, %p"))) is Verdict.UNDECIDED
    assert verdict(main(twice), main(twice.replace("%p, %q", "%q, %p"))) is Verdict.UNDECIDED
    pure = twice.replace("()  ->", "() ->").replace("() :", "() pure :")
    assert verdict(main(pure), main(pure.replace("%p, %q", "%p, %p"))) is Verdict.PROVED


def test_attributes_of_foreign_ops_count():
    first = 'npu.opaque "vendor.f"(%a) pure {k = 1 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>'
    assert verdict(main(f"%y = {first}"), main(f"%y = {first}")) is Verdict.PROVED
    assert verdict(main(f"%y = {first}"), main(f"%y = {first.replace('k = 1', 'k = 2')}")) is Verdict.UNDECIDED


def test_values_that_a_region_takes_from_around_it_count():
    """The text of the op shows their names only."""
    body = (
        f"%y = scf.if %c -> ({MATRIX}) {{\n%r = npu.relu %a : {UNARY}\nscf.yield %r : {MATRIX}\n"
        f"}} else {{\nscf.yield %a : {MATRIX}\n}}"
    )
    first = main(body, arguments=f"%c: i1, %a: {MATRIX}, %b: {MATRIX}")
    second = main(body, arguments=f"%c: i1, %b: {MATRIX}, %a: {MATRIX}")
    assert verdict(first, first) is Verdict.PROVED
    assert verdict(first, second) is Verdict.UNDECIDED


def test_foreign_ops_read_stored_bytes():
    """An opaque op of a transposed operand is not the transpose of the op."""
    op = 'npu.opaque "vendor.f"({}) pure : (tensor<4x4xf32>) -> tensor<4x4xf32>'
    first = f"%y = {op.format('%a')}"
    second = f"%t = npu.transpose %a {SWAP}\n%f = {op.format('%t')}\n%y = npu.transpose %f {SWAP}"
    assert verdict(main(first), main(second)) is Verdict.UNDECIDED


# --- functions

CALLEE = (
    f"func.func private @half(%x: {MATRIX}) -> {MATRIX} {{\n%r = npu.relu %x : {UNARY}\nfunc.return %r : {MATRIX}\n}}\n"
)


def test_a_call_equals_the_body_of_the_callee():
    first = CALLEE + main(f"%p = func.call @half(%a) : {UNARY}\n%y = func.call @half(%p) : {UNARY}")
    second = main(f"%p = npu.relu %a : {UNARY}\n%y = npu.relu %p : {UNARY}")
    assert verdict(first, second) is Verdict.PROVED


def test_recursion_is_compared_by_text():
    recursive = CALLEE.replace("npu.relu %x", "func.call @half(%x)")
    program = recursive + main(f"%y = func.call @half(%a) : {UNARY}")
    assert verdict(program, program) is Verdict.PROVED


def test_text_of_a_recursive_callee_counts():
    """Functions that are compared by text are equal only if their callees are."""
    helper = CALLEE.replace("@half", "@helper")
    loop = CALLEE.replace("npu.relu %x", "func.call @half(%x)").replace(
        "func.return", f"%unused = func.call @helper(%x) : {UNARY}\nfunc.return"
    )
    program = helper + loop + main(f"%y = func.call @half(%a) : {UNARY}")
    assert verdict(program, program) is Verdict.PROVED
    assert verdict(program, program.replace("npu.relu", "npu.tanh")) is Verdict.UNDECIDED


def test_interfaces():
    relu = f"%y = npu.relu %a : {UNARY}"
    assert verdict(main(relu), main(relu).replace("@main", "@other")) is Verdict.DIFFERENT
    assert verdict(main(relu), main(relu, arguments=f"%a: {MATRIX}")) is Verdict.DIFFERENT
    coloured = main(relu).replace(MATRIX, "tensor<4x4xf32, #npu.layout<Tensor>>")
    assert verdict(main(relu), coloured) is Verdict.PROVED
    answer = compare(read(main(relu)), read(main(relu).replace("4x4", "4x5")))
    assert answer.reason == "argument 0 is 4x4 of f32 in the first program and 4x5 of f32 in the second"


def test_long_chains():
    chain = "\n".join(f"%c{i + 1} = npu.relu %c{i} : {UNARY}" for i in range(10_000)).replace("%c0 ", "%a ")
    module = read(main(chain, "%c10000"))
    assert compare(module, module.clone()).verdict is Verdict.PROVED


PARTS = """func.func @main(%x: tensor<{given}xf32>) -> ({types}) {{
  {names} = npu.split %x axis = 1 sizes = {sizes} : (tensor<{given}xf32>) -> ({types})
  func.return {returned} : {types}
}}"""


@pytest.mark.parametrize("given", ["?x4", "?x?", "3x?"])
def test_splits_of_axes_whose_size_the_program_does_not_say(given: str):
    """The parts are what the program says, in their order."""
    first = given.split("x")[0]

    def split(sizes: list[int], order: str = "%a, %b") -> ModuleOp:
        types = ", ".join(f"tensor<{first}x{size}xf32>" for size in sizes)
        return read(PARTS.format(given=given, types=types, names="%a, %b", sizes=sizes, returned=order))

    assert compare(split([2, 2]), split([2, 2])).verdict is Verdict.PROVED
    assert compare(split([2, 2]), split([2, 2], "%b, %a")).verdict is not Verdict.PROVED
