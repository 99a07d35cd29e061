"""Families of values: what a sequence says of memory, against arrays of numbers through chains of views."""

from itertools import permutations
from math import prod
from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from npu_opt.dialects.npu.shape import AnyTransposeOp, RelabelOp, ReshapeOp
from npu_opt.dialects.npu.values import order_of_value, shape_of
from npu_opt.layout import Order, invert, unpermute
from npu_opt.layout.common_pieces import common_pieces
from npu_opt.passes.common.storages.storage import ByteOrder, tensor_of_pieces
from npu_opt.passes.optimal.modes.module_storage import ModuleStorage
from support.ir_text import parse
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

Numbers = npt.NDArray[np.int64]
SHAPES: tuple[tuple[int, ...], ...] = (
    (2, 3, 4),
    (6, 4),
    (1, 4, 6),
    (2, 1, 3, 2),
    (12,),
    (2, 2, 3),
    (1, 1, 4),
    (8, 3),
    (),
)


def type_of(shape: tuple[int, ...]) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}f32, #npu.layout<Tensor>>"


def _factors(size: int, rng: Random) -> tuple[int, ...]:
    """A shape of so many elements, and of at most six axes."""
    sizes = [factor for factor in (1, 2, 2, 3, 4, 6) if rng.random() < 0.5]
    while size % prod(sizes) or len(sizes) > 5:
        sizes.pop()
    return (*sizes, size // prod(sizes))


def random_views(seed: int) -> ModuleOp:
    """A chain of transposes, reshapes and relabels to the identity order."""
    rng = Random(seed)
    shape: tuple[int, ...] = rng.choice(SHAPES)
    lines, arguments, name = list[str](), f"%x: {type_of(shape)}", "%x"
    for number in range(rng.randint(1, 7)):
        if rng.random() < 0.6 and shape:
            permutation = rng.sample(range(len(shape)), len(shape))
            new = tuple(shape[axis] for axis in permutation)
            op = f"npu.transpose {name} permutation = {permutation}"
        else:
            new = _factors(prod(shape), rng)
            op = f"npu.reshape {name}"
        lines.append(f"%v{number} = {op} : ({type_of(shape)}) -> {type_of(new)}")
        name, shape = f"%v{number}", new
    body = "\n".join(lines)
    return parse(
        f"func.func @main({arguments}) -> {type_of(shape)} {{\n{body}\nfunc.return {name} : {type_of(shape)}\n}}"
    )


def values(module: ModuleOp) -> list[SSAValue]:
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    return [*function.body.block.args, *(result for op in function.body.block.ops for result in op.results)]


def numbered(module: ModuleOp, storage: ModuleStorage) -> dict[SSAValue, Numbers]:
    """For each value the elements of the first one of its family, in the value's logical shape."""
    found: dict[SSAValue, Numbers] = {}
    for value in values(module):
        logical = unpermute(shape_of(value), order_of_value(value))
        op = value.owner
        if not storage.is_view(value):
            found[value] = np.arange(prod(logical)).reshape(logical)
            continue
        assert isinstance(op, AnyTransposeOp | ReshapeOp | RelabelOp)
        if isinstance(op, ReshapeOp):
            found[value] = found[op.input].reshape(logical)
        else:
            stored = found[op.input].transpose(order_of_value(op.input))
            moved = stored.transpose(op.moved()) if isinstance(op, AnyTransposeOp) else stored
            found[value] = moved.transpose(invert(order_of_value(op.result)))
    return found


def orders(value: SSAValue) -> list[Order]:
    rank = len(shape_of(value))
    return [*permutations(range(rank))] if rank <= 4 else [*list(permutations(range(rank)))[:: 17 if rank == 6 else 5]]


@pytest.mark.parametrize("seed", range(150))
def test_sequences_are_what_stands_in_memory(seed: int):
    """Values of a storage have the same byte order if and only if their bytes are equal."""
    module = random_views(seed)
    storage = ModuleStorage(module, ())
    data = numbered(module, storage)
    seen: dict[tuple[SSAValue, ByteOrder], bytes] = {}
    for value in values(module):
        for order in orders(value):
            byte_order = storage.root(value), storage.byte_order(value, order)
            memory = data[value].transpose(order).tobytes()
            assert seen.setdefault(byte_order, memory) == memory
    assert len({(root, memory) for (root, _), memory in seen.items()}) == len(seen)


@pytest.mark.parametrize("seed", range(150))
def test_orders_and_sequences_say_the_same(seed: int):
    """An order is found for every sequence that one says, with axes of one element anywhere; and for no other one."""
    module = random_views(seed)
    storage = ModuleStorage(module, ())
    data = numbered(module, storage)
    every = {
        (storage.root(value), storage.byte_order(value, order)): data[value].transpose(order).tobytes()
        for value in values(module)
        for order in orders(value)
    }
    for value in values(module):
        for (root, byte_order), memory in every.items():
            if root is storage.root(value) and len(shape_of(value)) <= 4:
                found = storage.order(value, byte_order)
                fitting = [order for order in orders(value) if data[value].transpose(order).tobytes() == memory]
                assert found in fitting if fitting else found is None


@pytest.mark.parametrize("seed", range(60))
def test_atoms_cut_both_sequences_into_the_same_pieces(seed: int):
    module = random_views(seed)
    storage = ModuleStorage(module, ())
    data = numbered(module, storage)
    for value in values(module):
        root = storage.root(value)
        stored = order_of_value(root)
        for order in orders(value)[:24]:
            before, after = common_pieces(storage.byte_order(root, stored), storage.byte_order(value, order))
            assert sorted(map(repr, before)) == sorted(map(repr, after))
            sizes = [piece.size.factor for piece in before]
            assert list(tensor_of_pieces(before, f32).get_shape()) == sizes
            moved = data[root].transpose(stored).reshape(sizes).transpose([before.index(piece) for piece in after])
            assert moved.tobytes() == data[value].transpose(order).tobytes()


def views_of(body: str, arguments: str) -> tuple[ModuleStorage, dict[str | None, SSAValue]]:
    module = parse(f"func.func @main({arguments}) {{\n{body}\nfunc.return\n}}")
    module.verify()
    return ModuleStorage(module, ()), {value.name_hint: value for value in values(module)}


def test_what_letters_say_is_another_look_at_the_same():
    storage, value = views_of(
        "%b = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>>",
        "%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>",
    )
    assert storage.byte_order(value["x"], (0, 2, 3, 1)) == storage.byte_order(value["b"], (0, 1, 2, 3))
    assert storage.order(value["b"], storage.byte_order(value["x"], (0, 1, 2, 3))) == (0, 3, 1, 2)


def test_a_reshape_that_tears_is_no_view():
    storage, value = views_of(
        "%y = npu.reshape %x : (tensor<2x3xf32, #npu.layout<Tensor>>) -> tensor<3x2xf32, #npu.layout<Tensor>>",
        "%x: tensor<2x3xf32, #npu.layout<Tensor>>",
    )
    assert not storage.is_view(value["y"])


def test_without_elements_all_sequences_are_one():
    storage, value = views_of(
        "%y = npu.transpose %x permutation = [1, 0]"
        " : (tensor<0x3xf32, #npu.layout<Tensor>>) -> tensor<3x0xf32, #npu.layout<Tensor>>",
        "%x: tensor<0x3xf32, #npu.layout<Tensor>>",
    )
    assert storage.byte_order(value["x"], (0, 1)) == storage.byte_order(value["x"], (1, 0)) == ()
    assert not storage.is_view(value["y"])


def test_unknown_sizes_are_followed_through_views():
    """Byte orders are known for unknown sizes as well: `dims` states which sizes are equal."""
    storage, value = views_of(
        "%h = npu.reshape %x dims = [@in0, @in1, 3, 4]"
        " : (tensor<?x?x12xf32, #npu.layout<Tensor>>) -> tensor<?x?x3x4xf32, #npu.layout<Tensor>>\n"
        "%t = npu.transpose %h permutation = [0, 2, 1, 3]"
        " : (tensor<?x?x3x4xf32, #npu.layout<Tensor>>) -> tensor<?x3x?x4xf32, #npu.layout<Tensor>>",
        "%x: tensor<?x?x12xf32, #npu.layout<Tensor>>",
    )
    assert storage.root(value["t"]) is value["x"]
    whole = storage.byte_order(value["x"], (0, 1, 2))
    assert storage.order(value["t"], whole) == (0, 2, 1, 3)
    assert storage.order(value["x"], storage.byte_order(value["t"], (0, 1, 2, 3))) is None
    assert storage.byte_order(value["t"], (1, 3, 0, 2)) == storage.byte_order(value["h"], (2, 3, 0, 1))


def test_a_block_may_stand_before_the_one_it_reads_from():
    module = parse("""
    func.func @main(%x: tensor<2x3xf32, #npu.layout<Tensor>>) {
      "cf.br"()[^last] : () -> ()
    ^first:
      %t = npu.transpose %y permutation = [1, 0]
        : (tensor<2x3xf32, #npu.layout<Tensor>>) -> tensor<3x2xf32, #npu.layout<Tensor>>
      func.return
    ^last:
      %y = npu.relu %x : tensor<2x3xf32, #npu.layout<Tensor>>
      "cf.br"()[^first] : () -> ()
    }""")
    storage = ModuleStorage(module, ())
    found = {result.name_hint: result for op in module.walk() for result in op.results}
    assert storage.root(found["t"]) is found["y"]


def test_long_chains_need_no_recursion():
    type_ = "tensor<2x3xf32, #npu.layout<Tensor>>"
    lines = [f"%v0 = npu.relu %x : {type_}"]
    lines += [f"%v{index + 1} = npu.relabel %v{index} : {type_}" for index in range(3000)]
    body = "\n".join(lines)
    module = parse(f"func.func @main(%x: {type_}) {{\n{body}\nfunc.return\n}}")
    last = values(module)[-1]
    assert ModuleStorage(module, ()).root(last).name_hint == "v0"
