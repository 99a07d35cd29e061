"""Random programs of TOSA, as text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from random import Random

SMOOTH = ("abs", "ceil", "cos", "erf", "floor", "sigmoid", "sin", "tanh")
"""Ops of one operand that accept any number and have small results."""
ARITHMETIC = ("add", "sub", "maximum", "minimum")
COMPARISONS = ("equal", "greater", "greater_equal")
LOGIC = ("logical_and", "logical_or", "logical_xor")
BITS = ("bitwise_and", "bitwise_or", "bitwise_xor", "add", "sub", "maximum", "minimum")
REDUCTIONS = ("reduce_sum", "reduce_max", "reduce_min", "reduce_product")
LARGEST = 2000
"""The largest number of elements of a value."""


@dataclass(frozen=True)
class Value:
    """A value, by its name."""

    name: str
    shape: tuple[int, ...]
    element: str = "f32"

    @property
    def type(self) -> str:
        return f"tensor<{''.join(f'{size}x' for size in self.shape)}{self.element}>"

    @property
    def rank(self) -> int:
        return len(self.shape)


class Writer:
    """A function @main under construction."""

    def __init__(self, rng: Random):
        self.rng = rng
        self.lines: list[str] = []
        self.values = [Value("%image", (1, 6, 5, 4)), Value("%batch", (2, 4, 3)), Value("%other", (1, 6, 5, 4))]
        self.arguments = list(self.values)

    def op(
        self, name: str, operands: Sequence[Value], shape: Sequence[int], attributes: str = "", element: str = "f32"
    ) -> Value:
        """An op in its generic format."""
        result = Value(f"%{len(self.lines)}", tuple(shape), element)
        types = ", ".join(each.type if each.element != "sizes" else f"!tosa.shape<{each.rank}>" for each in operands)
        names = ", ".join(each.name for each in operands)
        end = f" <{{{attributes}}}>" if attributes else ""
        self.lines.append(f'{result.name} = "tosa.{name}"({names}){end} : ({types}) -> {result.type}')
        return result

    def sizes(self, numbers: Sequence[int]) -> Value:
        name = f"%{len(self.lines)}"
        values = f"dense<{list(numbers)}> : tensor<{len(numbers)}xindex>"
        self.lines.append(f'{name} = "tosa.const_shape"() <{{values = {values}}}> : () -> !tosa.shape<{len(numbers)}>')
        return Value(name, (1,) * len(numbers), "sizes")

    def constant(self, shape: Sequence[int], element: str = "f32", numbers: Sequence[float] | None = None) -> Value:
        value = Value(f"%{len(self.lines)}", tuple(shape), element)
        if numbers is None:
            numbers = [round(self.rng.uniform(-1, 1), 3) for _ in range(prod(shape))]
        text = _nested(list(numbers), list(shape))
        self.lines.append(
            f'{value.name} = "tosa.const"() <{{values = dense<{text}> : {value.type}}}> : () -> {value.type}'
        )
        return value

    def zero(self, element: str = "f32") -> Value:
        return self.constant([1], element, [0 if element != "f32" else 0.0])

    def some(self, rank: int | None = None, element: str = "f32") -> Value | None:
        """A value of this kind, most often a recent one."""
        found = [each for each in self.values if each.element == element and rank in (None, each.rank)]
        return self.rng.choice(found[-6:]) if found else None


def _nested(numbers: list[float], shape: list[int]) -> str:
    if not shape:
        return str(numbers[0])
    step = prod(shape[1:])
    return "[" + ", ".join(_nested(numbers[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])) + "]"


def _list(numbers: Sequence[int], width: int = 64) -> str:
    return f"array<i{width}: {', '.join(map(str, numbers))}>"


def unary(writer: Writer, x: Value) -> Value:
    return writer.op(writer.rng.choice(SMOOTH), [x], x.shape)


def positive(writer: Writer, x: Value) -> Value:
    """Ops on positive numbers, behind a clamp."""
    low = writer.op("clamp", [x], x.shape, "min_val = 5.000000e-01 : f32, max_val = 4.000000e+00 : f32")
    return writer.op(writer.rng.choice(("exp", "log", "reciprocal", "rsqrt")), [low], x.shape)


def negate(writer: Writer, x: Value) -> Value:
    return writer.op("negate", [x, writer.zero(), writer.zero()], x.shape)


def binary(writer: Writer, x: Value) -> Value:
    shape = [size if writer.rng.random() < 0.6 else 1 for size in x.shape]
    y = writer.constant(shape)
    operands = [x, y] if writer.rng.random() < 0.5 else [y, x]
    if writer.rng.random() < 0.3:
        return writer.op("mul", [*operands, writer.zero("i8")], x.shape)
    return writer.op(writer.rng.choice(ARITHMETIC), operands, x.shape)


def power(writer: Writer, x: Value) -> Value:
    base = writer.op("clamp", [x], x.shape, "min_val = 5.000000e-01 : f32, max_val = 2.000000e+00 : f32")
    return writer.op("pow", [base, writer.constant([1] * x.rank)], x.shape)


def together(writer: Writer, x: Value) -> Value | None:
    twins = [each for each in writer.values if each.shape == x.shape and each.element == x.element]
    return writer.op(writer.rng.choice(ARITHMETIC), [x, writer.rng.choice(twins)], x.shape)


def select(writer: Writer, x: Value) -> Value:
    y = writer.constant(x.shape)
    truths = [writer.op(writer.rng.choice(COMPARISONS), pair, x.shape, element="i1") for pair in ([x, y], [y, x])]
    truth = writer.op(writer.rng.choice(LOGIC), truths, x.shape, element="i1")
    if writer.rng.random() < 0.3:
        truth = writer.op("logical_not", [truth], x.shape, element="i1")
    if writer.rng.random() < 0.3:
        axis = writer.rng.randrange(x.rank)
        shape = [1 if place == axis else size for place, size in enumerate(x.shape)]
        reduced = writer.rng.choice(("reduce_all", "reduce_any"))
        truth = writer.op(reduced, [truth], shape, f"axis = {axis} : i32", element="i1")
    return writer.op("select", [truth, x, y], x.shape)


def integers(writer: Writer, x: Value) -> Value:
    """A quantisation and back, with steps that survive rounding."""
    large = writer.op("mul", [x, writer.constant([1] * x.rank, numbers=[37.5]), writer.zero("i8")], x.shape)
    rounded = writer.op("cast", [large], x.shape, element="i32")
    worked = writer.op(writer.rng.choice(BITS), [rounded, rounded], x.shape, element="i32")
    if writer.rng.random() < 0.5:
        worked = writer.op("bitwise_not", [worked], x.shape, element="i32")
    small = writer.op("clamp", [worked], x.shape, "min_val = -50 : i32, max_val = 50 : i32", element="i32")
    return writer.op("cast", [small], x.shape)


def convolution(writer: Writer, x: Value) -> Value | None:
    if x.rank != 4:
        return None
    rng, (batch, height, width, channels) = writer.rng, x.shape
    extents = [rng.randint(1, min(3, size)) for size in (height, width)]
    pads = [rng.randint(0, 1) for _ in range(4)]
    outputs, is_depthwise = rng.randint(1, 4), rng.random() < 0.4
    kernel = [*extents, channels, 2] if is_depthwise else [outputs, *extents, channels]
    outputs = 2 * channels if is_depthwise else outputs
    sizes = [
        size + pads[2 * axis] + pads[2 * axis + 1] - extent + 1
        for axis, (size, extent) in enumerate(zip((height, width), extents, strict=True))
    ]
    moves = f"pad = {_list(pads)}, stride = {_list([1, 1])}, dilation = {_list([1, 1])}, acc_type = f32"
    operands = [x, writer.constant(kernel), writer.constant([outputs]), writer.zero(), writer.zero()]
    name = "depthwise_conv2d" if is_depthwise else "conv2d"
    return writer.op(name, operands, [batch, *sizes, outputs], moves)


def small_integers(writer: Writer, x: Value) -> Value | None:
    """A convolution or a matrix product of i8, with zero points, accumulated in i32."""
    if x.rank not in (3, 4):
        return None
    rng = writer.rng
    large = writer.op("mul", [x, writer.constant([1] * x.rank, numbers=[47.5]), writer.zero("i8")], x.shape)
    data = writer.op("cast", [large], x.shape, element="i8")
    points = [writer.constant([1], "i8", [rng.randint(-9, 9)]) for _ in range(2)]
    is_depthwise, outputs = x.rank == 4 and rng.random() < 0.4, rng.randint(1, 4)
    shape = [x.shape[0], x.shape[-1], outputs] if x.rank == 3 else [outputs, 1, 2, x.shape[-1]]
    if is_depthwise:
        shape, outputs = [1, 2, x.shape[-1], 2], 2 * x.shape[-1]
    weights = writer.constant(shape, "i8", [rng.randint(-20, 20) for _ in range(prod(shape))])
    result = [*x.shape[:-1], outputs]
    if x.rank == 3:
        total = writer.op("matmul", [data, weights, *points], result, element="i32")
    else:
        bias = writer.constant([outputs], "i32", [rng.randint(-99, 99) for _ in range(outputs)])
        moves = f"pad = {_list([0, 0, 1, 0])}, stride = {_list([1, 1])}, dilation = {_list([1, 1])}, acc_type = i32"
        name = "depthwise_conv2d" if is_depthwise else "conv2d"
        total = writer.op(name, [data, weights, bias, *points], result, moves, "i32")
    floats = writer.op("cast", [total], result)
    return writer.op("mul", [floats, writer.constant([1] * x.rank, numbers=[0.001]), writer.zero("i8")], result)


def transposed_convolution(writer: Writer, x: Value) -> Value | None:
    if x.rank != 4:
        return None
    rng, (batch, height, width, channels) = writer.rng, x.shape
    outputs, extents, strides = rng.randint(1, 3), [rng.randint(2, 3) for _ in "HW"], [rng.randint(1, 2) for _ in "HW"]
    pads = [rng.choice((-1, 0)), rng.choice((-1, 0, 1)), rng.choice((-1, 0)), rng.choice((-1, 0, 1))]
    sizes = [
        (size - 1) * strides[axis] + extents[axis] + pads[2 * axis] + pads[2 * axis + 1]
        for axis, size in enumerate((height, width))
    ]
    if min(sizes) < 1:
        return None
    operands = [x, writer.constant([outputs, *extents, channels]), writer.constant([outputs])]
    attributes = f"out_pad = {_list(pads)}, stride = {_list(strides)}, acc_type = f32"
    result = [batch, *sizes, outputs]
    return writer.op("transpose_conv2d", [*operands, writer.zero(), writer.zero()], result, attributes)


def pooling(writer: Writer, x: Value) -> Value | None:
    if x.rank != 4:
        return None
    batch, height, width, channels = x.shape
    extents = [writer.rng.randint(1, min(3, size)) for size in (height, width)]
    pads = [writer.rng.randint(0, extent - 1) for extent in extents for _ in range(2)]
    sizes = [
        size + pads[2 * axis] + pads[2 * axis + 1] - extents[axis] + 1 for axis, size in enumerate((height, width))
    ]
    moves = f"kernel = {_list(extents)}, stride = {_list([1, 1])}, pad = {_list(pads)}"
    shape = [batch, *sizes, channels]
    if writer.rng.random() < 0.5:
        return writer.op("max_pool2d", [x], shape, moves)
    return writer.op("avg_pool2d", [x, writer.zero(), writer.zero()], shape, f"{moves}, acc_type = f32")


def resize(writer: Writer, x: Value) -> Value | None:
    if x.rank != 4:
        return None
    batch, height, width, channels = x.shape
    mode, (offset, border) = writer.rng.choice(
        (("NEAREST_NEIGHBOR", (-1, 1)), ("BILINEAR", (-1, 1)), ("BILINEAR", (0, 0)))
    )
    lengths = [((size - 1) * 4 - offset + border) // 2 + 1 for size in (height, width)]
    parameters = [writer.sizes(numbers) for numbers in ([4, 2, 4, 2], [offset] * 2, [border] * 2)]
    attributes = f"mode = #tosa.resize_mode<{mode}>"
    return writer.op("resize", [x, *parameters], [batch, *lengths, channels], attributes)


def matmul(writer: Writer, x: Value) -> Value | None:
    if x.rank != 3:
        return None
    columns = writer.rng.randint(1, 4)
    operands = [x, writer.constant([x.shape[0], x.shape[2], columns]), writer.zero(), writer.zero()]
    return writer.op("matmul", operands, [*x.shape[:2], columns])


def reduction(writer: Writer, x: Value) -> Value:
    axis = writer.rng.randrange(x.rank)
    shape = [1 if place == axis else size for place, size in enumerate(x.shape)]
    return writer.op(writer.rng.choice(REDUCTIONS), [x], shape, f"axis = {axis} : i32")


def position(writer: Writer, x: Value) -> Value | None:
    if x.rank < 2:
        return None
    axis = writer.rng.randrange(x.rank)
    shape = [size for place, size in enumerate(x.shape) if place != axis]
    found = writer.op("argmax", [x], shape, f"axis = {axis} : i32", element="i32")
    return writer.op("cast", [found], shape)


def concat(writer: Writer, x: Value) -> Value:
    axis = writer.rng.randrange(x.rank)
    other = [writer.rng.randint(1, 3) if place == axis else size for place, size in enumerate(x.shape)]
    shape = [size + other[axis] if place == axis else size for place, size in enumerate(x.shape)]
    return writer.op("concat", [x, writer.constant(other)], shape, f"axis = {axis} : i32")


def pad(writer: Writer, x: Value) -> Value:
    widths = [writer.rng.choice((0, 0, 1, 2)) for _ in range(2 * x.rank)]
    shape = [size + widths[2 * axis] + widths[2 * axis + 1] for axis, size in enumerate(x.shape)]
    return writer.op("pad", [x, writer.sizes(widths), writer.constant([1])], shape)


def slice_of(writer: Writer, x: Value) -> Value:
    starts = [writer.rng.randrange(size) for size in x.shape]
    shape = [writer.rng.randint(1, size - start) for size, start in zip(x.shape, starts, strict=True)]
    return writer.op("slice", [x, writer.sizes(starts), writer.sizes(shape)], shape)


def reverse(writer: Writer, x: Value) -> Value:
    return writer.op("reverse", [x], x.shape, f"axis = {writer.rng.randrange(x.rank)} : i32")


def tile(writer: Writer, x: Value) -> Value:
    repeats = [writer.rng.choice((1, 1, 2)) for _ in x.shape]
    shape = [size * count for size, count in zip(x.shape, repeats, strict=True)]
    return writer.op("tile", [x, writer.sizes(repeats)], shape)


def transpose(writer: Writer, x: Value) -> Value:
    permutation = writer.rng.sample(range(x.rank), x.rank)
    if x.rank == 4 and writer.rng.random() < 0.7:
        permutation = writer.rng.choice(([0, 2, 3, 1], [0, 3, 1, 2]))
    return writer.op("transpose", [x], [x.shape[axis] for axis in permutation], f"perms = {_list(permutation, 32)}")


def reshape(writer: Writer, x: Value) -> Value:
    """An axis merged with the next one, or a unit axis removed."""
    axis = writer.rng.randrange(x.rank)
    shape = [*x.shape[:axis], 1, *x.shape[axis:]]
    if x.rank > 2 and axis + 1 < x.rank and writer.rng.random() < 0.6:
        shape = [*x.shape[:axis], x.shape[axis] * x.shape[axis + 1], *x.shape[axis + 2 :]]
    if len(shape) > 5:
        shape = [prod(x.shape)]
    return writer.op("reshape", [x, writer.sizes(shape)], shape)


def gather(writer: Writer, x: Value) -> Value | None:
    if x.rank != 3 or x.shape[0] != 1:
        return None
    indices = writer.constant([1, 4], "i32", [writer.rng.randrange(x.shape[1]) for _ in range(4)])
    return writer.op("gather", [x, indices], [1, 4, x.shape[2]])


KINDS: tuple[Callable[[Writer, Value], Value | None], ...] = (
    *(unary, positive, negate, binary, binary, power, together, together, select, integers),
    *(convolution, convolution, convolution, small_integers, transposed_convolution, pooling, pooling, resize, matmul),
    *(reduction, position, concat, pad, slice_of, reverse, tile, transpose, transpose, transpose, reshape, gather),
)


def random_tosa(seed: int, size: int) -> str:
    """A module with a function @main of this many ops, constants not counted."""
    rng = Random(seed)
    writer = Writer(rng)
    for _ in range(size):
        x = rng.choice(writer.values[-5:])
        made = rng.choice(KINDS)(writer, x)
        if made is not None and prod(made.shape) <= LARGEST:
            # The summands of one op must not vanish beside those of another.
            writer.values.append(writer.op("tanh", [made], made.shape) if rng.random() < 0.4 else made)
    results = writer.values[-2:]
    arguments = ", ".join(f"{each.name}: {each.type}" for each in writer.arguments)
    types = ", ".join(each.type for each in results)
    body = "\n    ".join([*writer.lines, f"return {', '.join(each.name for each in results)} : {types}"])
    return f"module {{\n  func.func @main({arguments}) -> ({types}) {{\n    {body}\n  }}\n}}\n"
