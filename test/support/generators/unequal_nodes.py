"""Bodies of ONNX graphs with a blank, and the words to fill in, each of which computes other numbers on some input.

A body reads x and writes y. The mark $ is the blank.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

IMAGE, CUBE, SQUARE, ROW, TWO = (
    "float[1,2,6,6] x",
    "float[2,3,4] x",
    "float[3,3] x",
    "float[8] x",
    "float[8] x, float[8] w",
)


@dataclass(frozen=True)
class Choice:
    """A body with a blank, and the words for it."""

    family: str
    inputs: str
    body: str
    words: Sequence[str]
    kind: str = "float"
    """The element type of the result."""
    functions: Sequence[str] = ()
    """The functions of the model, in which the blank may be as well."""
    versions: bool = False
    """True if the words are versions of ONNX."""
    since: int = 20
    """The version of ONNX."""


def choices() -> Iterator[Choice]:
    """All bodies."""
    for family in (
        attributes, windows, resizes, versions, arithmetic, identities, signs, quantised, moved, functions,
        of_runtime, recurrent, decoders, integers, code,
    ):  # fmt: skip
        yield from family()


def const(name: str, type_: str, *numbers: object) -> str:
    return f"{name} = Constant <value = {type_} {{{', '.join(map(str, numbers))}}}> () "


def attributes() -> Iterator[Choice]:
    """Values of attributes beside the default."""
    family = "attributes"
    for op, words in (
        ("LeakyRelu", ("", "<alpha = 0.02>", "<alpha = 0.0>")),
        ("Elu", ("", "<alpha = 0.5>")),
        ("Selu", ("", "<alpha = 1.5>", "<gamma = 1.0>")),
        ("Celu", ("", "<alpha = 0.5>")),
        ("HardSigmoid", ("", "<alpha = 0.16666667>", "<beta = 0.25>")),
        ("ThresholdedRelu", ("", "<alpha = 0.5>")),
        ("Shrink", ("", "<lambd = 0.25>", "<bias = 0.25>")),
        ("Gelu", ("", '<approximate = "tanh">')),
        ("Softmax", ("", "<axis = 0>", "<axis = 1>")),
        ("LogSoftmax", ("", "<axis = 0>", "<axis = -2>")),
        ("Hardmax", ("", "<axis = 0>", "<axis = 1>")),
        ("LpNormalization", ("", "<axis = 0>", "<p = 1>")),
        ("MeanVarianceNormalization", ("<axes = [0, 1, 2]>", "<axes = [0, 1]>", "<axes = [2]>")),
        ("Flatten", ("<axis = 0>", "<axis = 1>", "<axis = 2>")),
        ("Transpose", ("", "<perm = [0, 2, 1]>", "<perm = [1, 0, 2]>", "<perm = [2, 0, 1]>")),
        ("ReduceSum", ("", "<keepdims = 0>")),
        ("ReduceMax", ("", "<keepdims = 0>")),
        ("Trilu", ("", "<upper = 0>")),
    ):
        yield Choice(family, CUBE, f"y = {op} $ (x)", words)
    for kind in ("ArgMax", "ArgMin"):
        words = ("<axis = 1>", "<axis = 2>", "<axis = 1, keepdims = 0>", "<axis = 1, select_last_index = 1>", "")
        yield Choice(family, CUBE, f"r = Round (x) y = {kind} $ (r)", words, "int64")
    for axis in (1, 2):
        words = ("", "<exclusive = 1>", "<reverse = 1>", "<exclusive = 1, reverse = 1>")
        yield Choice(family, CUBE, const("a", "int64", axis) + "y = CumSum $ (x, a)", words)
    largest = ("", "<largest = 0>", "<axis = 1>", "<axis = 0>")
    yield Choice(family, CUBE, const("k", "int64[1]", 2) + "y, i = TopK $ (x, k)", largest)
    sums = ("", "<transA = 1>", "<transB = 1>", "<alpha = 0.5>", "<beta = 0.5>", "<beta = 0.0>")
    yield Choice(family, SQUARE, const("c", "float[3]", 1, 2, 3) + "y = Gemm $ (x, x, c)", sums)
    scale = const("v", "float[2]", 1, 2) + const("b", "float[2]", 0.5, -1)
    near = ("", "<epsilon = 0.5>", "<epsilon = 0.001>")
    yield Choice(family, IMAGE, f"{scale}y = InstanceNormalization $ (x, v, b)", near)
    yield Choice(family, IMAGE, f"{scale}y = BatchNormalization $ (x, v, b, b, v)", near)
    yield Choice(family, IMAGE, const("v", "float[6]", *range(6)) + "y = LayerNormalization $ (x, v)", near)
    yield Choice(family, IMAGE, "y = LRN <size = 3$> (x)", ("", ", alpha = 0.5", ", beta = 0.5", ", bias = 2.0"))
    yield Choice(family, "float[1,8,2,3] x", "y = DepthToSpace <blocksize = 2$> (x)", ("", ', mode = "CRD"'))
    signs = ("", "<detect_negative = 0>", "<detect_positive = 0>")
    yield Choice(family, ROW, "i = IsInf $ (x) y = Cast <to = 1> (i)", signs)
    axes = ("", "<axis = 1>", "<axis = 2>")
    yield Choice(family, "float[3,3,3] x", const("i", "int64[2]", 1, 0) + "y = Gather $ (x, i)", axes)
    yield Choice(family, "float[2,2,2] x", "n = Neg (x) y = Concat <axis = $> (x, n)", ("0", "1", "2"))
    places = const("i", "int64[2,2]", 0, 1, 1, 0)
    updates = ("", "<axis = 1>", '<reduction = "add">', '<reduction = "max">', '<reduction = "mul">')
    scattered = places + const("u", "float[2,2]", 1, 2, 3, 4) + "y = ScatterElements $ (x, i, u)"
    yield Choice(family, "float[2,2] x", scattered, updates)
    yield Choice(family, "float[2,2] x", places + "y = GatherElements $ (x, i)", ("", "<axis = 1>"))
    for words in (("abc->bac", "abc->cba", "abc->abc"), ("abc->ab", "abc->ba", "abc->ac"), ("aab->ab", "aab->ba")):
        yield Choice(family, "float[3,3,3] x", 'y = Einsum <equation = "$"> (x)', words)


def windows() -> Iterator[Choice]:
    """Windows that begin or end elsewhere."""
    family = "windows"
    shapes = (
        "pads = [1, 1, 1, 1]",
        "pads = [0, 0, 1, 1]",
        "pads = [1, 1, 0, 0]",
        "pads = [1, 0, 0, 1]",
        'auto_pad = "SAME_UPPER"',
        'auto_pad = "SAME_LOWER"',
        'auto_pad = "VALID"',
        "strides = [2, 2]",
        "strides = [2, 1]",
        "dilations = [2, 2]",
        "dilations = [1, 2]",
        "pads = [1, 1, 1, 1], strides = [2, 2]",
        'auto_pad = "SAME_UPPER", strides = [3, 3]',
        'auto_pad = "SAME_LOWER", strides = [3, 3]',
    )
    ceiled = ("ceil_mode = 1, strides = [2, 2]", "ceil_mode = 1, strides = [3, 2], pads = [1, 1, 1, 1]")
    counted = ("pads = [1, 1, 1, 1], count_include_pad = 1", "strides = [2, 2], pads = [1, 0, 0, 1]")
    for size in ("[2, 2]", "[3, 2]"):
        yield Choice(family, IMAGE, f"y = MaxPool <kernel_shape = {size}, $> (x)", (*shapes, *ceiled))
        yield Choice(family, IMAGE, f"y = AveragePool <kernel_shape = {size}, $> (x)", (*shapes, *ceiled, *counted))
        yield Choice(family, IMAGE, f"y = LpPool <kernel_shape = {size}, $> (x)", ("p = 1", "p = 2", *shapes[:6]))
    weights = const("w", "float[2,2,2,2]", *(number * 7 % 5 - 2 for number in range(16)))
    grouped = const("w", "float[2,1,2,2]", 1, 2, 3, 4, 5, 6, 7, 8)
    yield Choice(family, IMAGE, f"{weights}y = Conv <$> (x, w)", shapes)
    yield Choice(family, IMAGE, f"{grouped}y = Conv <group = 2, $> (x, w)", shapes)
    unfolded = (
        *shapes[:4],
        *shapes[7:9],
        "strides = [2, 2], output_padding = [1, 1]",
        "dilations = [2, 2]",
        'strides = [3, 3], auto_pad = "SAME_UPPER"',
        'strides = [3, 3], auto_pad = "SAME_LOWER"',
    )
    yield Choice(family, IMAGE, f"{weights}y = ConvTranspose <$> (x, w)", unfolded)
    kernels = ("1, 2, 3, 4, 5, 6, 7, 8", "1, 3, 2, 4, 5, 7, 6, 8", "5, 6, 7, 8, 1, 2, 3, 4", "1, 2, 3, 4, 5, 6, 8, 7")
    yield Choice(family, IMAGE, "w = Constant <value = float[1,2,2,2] {$}> () y = Conv (x, w)", kernels)
    pools = ("GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool", "GlobalLpPool <p = 1>", "GlobalLpPool <p = 3>")
    yield Choice(family, "float[1,2,2,2] x", "y = $ (x)", pools)


def resizes() -> Iterator[Choice]:
    """Modes of Resize and GridSample."""
    family = "resizes"
    ways = ("half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel", "half_pixel_symmetric")
    modes = [
        f'mode = "{mode}", coordinate_transformation_mode = "{way}"'
        for mode, way in product(("nearest", "linear", "cubic"), ways)
    ]
    modes += [
        f'mode = "nearest", coordinate_transformation_mode = "{way}", nearest_mode = "{near}"'
        for way, near in product(("half_pixel", "asymmetric"), ("round_prefer_ceil", "floor", "ceil"))
    ]
    modes += ['mode = "cubic", cubic_coeff_a = -0.5', 'mode = "cubic", exclude_outside = 1']
    modes += ['mode = "linear", antialias = 1', 'mode = "cubic", antialias = 1']
    for scales in ((1, 1, 2, 2), (1, 1, 0.6, 1.7), (1, 1, 1.5, 0.5)):
        yield Choice(family, "float[1,1,5,6] x", const("s", "float[4]", *scales) + "y = Resize <$> (x, , s)", modes)
    grid = const("g", "float[1,2,2,2]", -1.2, -0.6, 0.1, 0.3, 0.7, 1.3, -0.2, 0.9)
    samples = (
        "",
        '<mode = "nearest">',
        '<mode = "cubic">',
        "<align_corners = 1>",
        '<padding_mode = "border">',
        '<padding_mode = "reflection">',
        '<mode = "nearest", padding_mode = "border">',
    )
    yield Choice(family, "float[1,1,4,4] x", grid + "y = GridSample $ (x, g)", samples)


def versions() -> Iterator[Choice]:
    """One text of several versions of ONNX: the words are the versions."""
    family = "versions"
    for op, axis in product(("Softmax", "LogSoftmax", "Hardmax"), ("", "<axis = 0>", "<axis = 1>")):
        yield Choice(family, CUBE, f"y = {op} {axis} (x)", ("11", "12", "13", "18"), versions=True)
    region = const("r", "float[1,4]", 0, 0, 3, 3) + const("b", "int64[1]", 0)
    sampled = region + "y = RoiAlign <output_height = 2, output_width = 2> (x, r, b)"
    yield Choice(family, "float[1,1,6,6] x", sampled, ("10", "15", "16"), versions=True)
    pooled = "y = AveragePool <kernel_shape = [3], strides = [2], pads = [1, 1], ceil_mode = 1> (x)"
    yield Choice(family, "float[1,1,6] x", pooled, ("11", "18", "19"), versions=True)
    for axis in ("", "<axis = 1>"):
        body = f"F (x) => (y) {{ y = Softmax {axis} (x) }}"
        yield Choice(family, CUBE, "y = local.F (x)", ("12", "13"), functions=(body,), versions=True)


def arithmetic() -> Iterator[Choice]:
    """Detours of numbers that lose digits, and none."""
    family = "detours"
    ends = ("y = Identity (b)", "y = Identity (x)")
    for value, way in product(
        (12582912, 8388608, 1e10, 3e38, 1000), ("Add (x, c) b = Sub (a, c)", "Sub (c, x) b = Sub (c, a)")
    ):
        yield Choice(family, ROW, const("c", "float", value) + f"a = {way} $", ends)
    for power in (127, -126, 100, -120, 70):
        both = const("c", "float", 2.0**power) + const("d", "float", 2.0**-power)
        for back in ("Mul (a, d)", "Div (a, c)"):
            yield Choice("powers of two", ROW, f"{both}a = Mul (x, c) b = {back} $", ends)
    for value in (3, 0.1, 7):
        yield Choice(family, ROW, const("c", "float", value) + "a = Mul (x, c) b = Div (a, c) $", ends)


def identities() -> Iterator[Choice]:
    """Terms that are equal for real numbers, or for most."""
    given = const("z", "float[8]", *[0] * 8) + const("o", "float[8]", *[1] * 8)
    given += const("t", "float", 3) + const("h", "float", 0.33333334) + const("f", "float", 0.5)
    for words in (
        ("y = Sub (x, x)", "y = Mul (x, z)", "y = Identity (z)"),
        ("y = Div (x, x)", "y = Identity (o)"),
        ("e = Log (x) y = Exp (e)", "y = Identity (x)"),
        ("e = Exp (x) y = Log (e)", "y = Identity (x)"),
        ("e = Sqrt (x) y = Mul (e, e)", "y = Identity (x)"),
        ("e = Mul (x, x) y = Sqrt (e)", "y = Abs (x)"),
        ("e = Reciprocal (x) y = Reciprocal (e)", "y = Identity (x)"),
        ("y = Pow (x, t)", "e = Mul (x, x) y = Mul (e, x)"),
        ("y = Mul (x, h)", "y = Div (x, t)"),
        ("y = Mean (x, o, t)", "e = Sum (x, o, t) y = Div (e, t)"),
        ("e = Mul (x, z) y = Add (e, o)", "y = Identity (o)"),
        ("e = Floor (x) y = Neg (e)", "e = Neg (x) y = Floor (e)"),
        ("y = Round (x)", "e = Add (x, f) y = Floor (e)"),
        ("e = Cast <to = 6> (x) y = Cast <to = 1> (e)", "y = Floor (x)", "y = Identity (x)"),
        ("e = Cast <to = 10> (x) y = Cast <to = 1> (e)", "y = Identity (x)"),
        ("e = Cast <to = 16> (x) y = Cast <to = 1> (e)", "y = Identity (x)"),
        ("e = Cast <to = 9> (x) y = Cast <to = 1> (e)", "y = Sign (x)"),
        ("y = Relu (x)", "e = Relu (x) y = Add (e, z)", "y = Max (x, z)", "y = Clip (x, f)"),
    ):
        yield Choice("identities", ROW, given + "$", words)


def signs() -> Iterator[Choice]:
    """Orders of operands and signs that matter for NaN and zero only."""
    family = "zeros and nans"
    for op in ("Max", "Min"):
        yield Choice(family, TWO, f"y = {op} ($)", ("x, w", "w, x"))
        yield Choice(family, TWO, f"n = Neg (w) y = {op} ($)", ("x, w, n", "n, w, x", "w, x, n"))
    tests = "l = Less (x, w) g = Greater (x, w) e = GreaterOrEqual (x, w) n = Not (l) y = $"
    wheres = ("Where (l, w, x)", "Max (x, w)", "Where (g, x, w)", "Where (e, x, w)", "Where (n, x, w)")
    yield Choice(family, TWO, tests, wheres)
    for zero in ("0.0", "-0.0"):
        given = const("z", "float", zero)
        yield Choice(family, ROW, given + "y = $", ("Add (x, z)", "Sub (x, z)", "Identity (x)"))
        yield Choice(family, ROW, given + "y = $", ("Max (x, z)", "Relu (x)", "Max (z, x)"))
        yield Choice(family, ROW, given + "y = $", ("Sub (z, x)", "Neg (x)"))
        yield Choice(family, ROW, given + "y = $", ("Clip (x)", "Identity (x)", "Clip (x, z)", "Relu (x)"))
        shape = const("s", "int64[1]", 8) + f"c = ConstantOfShape <value = float[1] {{{zero}}}> (s) y = $"
        yield Choice(family, ROW, shape, ("Add (x, c)", "Sub (x, c)", "Sub (c, x)"))
    zeros = const("z", "float", 0) + "n = Div (z, z) "
    bounded = ("Clip (x, n)", "Max (x, n)", "Clip (x, , n)", "Min (x, n)")
    yield Choice(family, ROW, zeros + "y = $", bounded)
    padded = const("p", "int64[2]", 1, 1) + "v = Constant <value = float {$}> () y = Pad (x, p, v)"
    yield Choice(family, ROW, padded, ("0.0", "-0.0"))
    yield Choice(family, ROW, "a = Abs (x) n = Neg (x) y = $", ("Abs (n)", "Max (x, n)", "Max (n, x)"))
    yield Choice(family, ROW, "y = $", ("Sign (x)", "Floor (x)", "Ceil (x)", "Round (x)"))


def quantised() -> Iterator[Choice]:
    """Scales, zero points and roundings."""
    family = "quantised"
    both = "q = QuantizeLinear (x, s, z) y = DequantizeLinear (q, s, z)"
    zero = const("s", "float", 0.05) + "z = Constant <value = uint8 {$}> () "
    yield Choice(family, ROW, zero + both, ("7", "8", "0", "255"))
    scale = "s = Constant <value = float {$}> () " + const("z", "int8", 3)
    yield Choice(family, ROW, scale + both, ("0.05", "0.050000004", "0.0625", "0.051"))
    around = const("s", "float", 0.0625) + const("z", "int8", 3)
    ends = ("Identity (d)", "Identity (x)", "Relu (d)")
    yield Choice(family, ROW, around + both.replace("y =", "d =") + " y = $", ends)
    rounded = "m = Mul (x, r) a = Add (m, c) b = Sub (a, c) e = Mul (b, s) q = QuantizeLinear ($, s, z) "
    for factor, offset in ((16, 12582912), (1024, 8388608), (0.5, 12582912), (16, 3e38)):
        given = around + const("r", "float", factor) + const("c", "float", offset)
        yield Choice(family, ROW, given + rounded + "y = DequantizeLinear (q, s, z)", ("x", "m", "b", "e"))
    by_axis = const("s", "float[2]", 0.05, 0.1) + const("z", "uint8[2]", 7, 9)
    by_axis += "q = QuantizeLinear <axis = $> (x, s, z) y = Cast <to = 1> (q)"
    yield Choice(family, "float[2,2,2] x", by_axis, ("0", "1", "2"))
    dynamic = "q, s, z = DynamicQuantizeLinear (x) d = DequantizeLinear (q, s, z) y = $"
    yield Choice(family, ROW, dynamic, ("Identity (d)", "Identity (x)"))
    sums = const("s", "float", 0.05) + const("z", "uint8", 7) + "q = QuantizeLinear (x, s, z) "
    sums += const("w", "uint8[4,2]", *range(8)) + "v = Constant <value = uint8 {$}> () "
    yield Choice(family, "float[2,4] x", sums + "r = MatMulInteger (q, w, z, v) y = Cast <to = 1> (r)", ("0", "1", "2"))
    halves = (
        around + "h = Constant <value = float {0.03125}> () a = $ q = QuantizeLinear (a, s, z) y = Cast <to = 1> (q)"
    )
    yield Choice(family, ROW, halves, ("Identity (x)", "Add (x, h)", "Round (x)", "Floor (x)"))


def moved() -> Iterator[Choice]:
    """Other elements, or the same in another order."""
    family = "moved"
    matrix = "float[6,6] x"
    begins = "b = Constant <value = int64[2] {$}> () " + const("e", "int64[2]", 4, 5) + "y = Slice (x, b, e)"
    yield Choice(family, matrix, begins, ("0, 0", "1, 1", "1, 2", "-4, 1", "0, -5", "-100, 3"))
    ends = const("b", "int64[2]", 0, 1) + "e = Constant <value = int64[2] {$}> () y = Slice (x, b, e)"
    yield Choice(family, matrix, ends, ("4, 4", "-1, 5", "100, 4", "6, 9223372036854775807", "-2, 3"))
    steps = const("b", "int64[2]", 5, 1) + const("e", "int64[2]", -100, 100) + const("a", "int64[2]", 0, 1)
    steps += "t = Constant <value = int64[2] {$}> () y = Slice (x, b, e, a, t)"
    yield Choice(family, matrix, steps, ("-1, 1", "-2, 1", "-1, 2", "-3, 3", "-2, 2"))
    shapes = ("3, 2, 4", "4, 3, 2", "2, 4, 3", "-1, 0, 4", "1, 6, 4")
    yield Choice(family, CUBE, "s = Constant <value = int64[3] {$}> () y = Reshape (x, s)", shapes)
    turned = "s = Constant <value = int64[2] {$}> () t = Transpose <perm = [1, 0, 2]> (x) y = Reshape (t, s)"
    yield Choice(family, CUBE, turned, ("6, 4", "4, 6", "2, 12", "3, 8"))
    for one, other in (("[1, 0, 2]", "[0, 2, 1]"), ("[2, 1, 0]", "[0, 1, 2]"), ("[1, 2, 0]", "[2, 0, 1]")):
        yield Choice(family, "float[3,3,3] x", "y = Transpose <perm = $> (x)", (one, other))
    rows = ("0, 1, 2", "2, 1, 0", "0, 2, 1", "-1, 0, 1", "1, 2, 0", "0, 0, 2")
    yield Choice(family, SQUARE, "i = Constant <value = int64[3] {$}> () y = Gather (x, i)", rows)
    edges = ("", '<mode = "edge">', '<mode = "reflect">', '<mode = "wrap">')
    yield Choice(family, SQUARE, const("p", "int64[4]", 1, 0, 0, 2) + "y = Pad $ (x, p)", edges)
    sides = ("1, 0, 0, 1", "0, 1, 1, 0", "1, 1, 0, 0", "-1, 1, 1, 0", "0, 0, 1, 1")
    yield Choice(family, SQUARE, "p = Constant <value = int64[4] {$}> () y = Pad (x, p)", sides)
    for times in (("2, 1", "1, 2"), ("3, 1", "1, 3", "3, 3")):
        yield Choice(family, "float[2,2] x", "r = Constant <value = int64[2] {$}> () y = Tile (x, r)", times)
    parts = "s = Constant <value = int64[2] {$}> () a, b = Split <axis = 1> (x, s) y = Concat <axis = 1> (b, a)"
    yield Choice(family, "float[2,4] x", parts, ("1, 3", "2, 2", "3, 1"))
    outer = "p = Constant <value = int64[1] {$}> () u = Unsqueeze (x, p) n = Neg (x) y = Mul (u, n)"
    yield Choice(family, SQUARE, outer, ("0", "1", "2"))
    pairs = ("MatMul (x, n)", "MatMul (n, x)", "Mul (x, n)", "Sub (x, n)", "Sub (n, x)", "Div (x, n)", "Div (n, x)")
    yield Choice(family, SQUARE, "n = Exp (x) y = $", pairs)
    yield Choice(family, SQUARE, "n = Transpose (x) y = $", pairs)
    yield Choice(family, "float[n,3] x, float[m,3] w", "y = $", ("Add (x, w)", "Mul (x, w)", "Sub (w, x)"))


def functions() -> Iterator[Choice]:
    """Functions of a model: defaults, values handed on, and names that ops have as well."""
    family = "functions"
    elu = "F <alpha: float = 0.5> (x) => (y) { y = Elu <alpha: float = @alpha> (x) }"
    handed = "G <beta: float = 0.75> (x) => (y) { y = local.F <alpha: float = @beta> (x) }"
    default = elu.replace("0.5", "$")
    yield Choice(family, ROW, "y = local.F (x)", ("0.5", "0.25", "1.0"), functions=(default,))
    yield Choice(family, ROW, "y = local.F $ (x)", ("", "<alpha = 0.25>", "<alpha = 1.0>"), functions=(elu,))
    yield Choice(family, ROW, "y = local.G (x)", ("0.5", "0.75"), functions=(elu, handed.replace("0.75", "$")))
    yield Choice(family, ROW, "y = local.G $ (x)", ("", "<beta = 0.25>", "<beta = 0.5>"), functions=(elu, handed))
    inner = "G <beta: float = 0.75> (x) => (y) { y = local.F $ (x) }"
    values = ("<alpha: float = @beta>", "", "<alpha = 0.125>")
    yield Choice(family, ROW, "y = local.G (x)", values, functions=(elu, inner))
    relu, gelu = "Relu (x) => (y) { y = Neg (x) }", "Gelu (x) => (y) { y = Softplus (x) }"
    yield Choice(family, ROW, "y = $ (x)", ("local.Relu", "Relu", "Abs"), functions=(relu,))
    yield Choice(family, ROW, "y = $ (x)", ("local.Gelu", "com.microsoft.Gelu", "Softsign"), functions=(gelu,))
    order = ("x, w", "w, x")
    yield Choice(family, TWO, "y = local.F (x, w)", order, functions=("F (x, w) => (y) { y = Sub ($) }",))
    yield Choice(family, TWO, "y = local.F ($)", order, functions=("F (x, w) => (y) { y = Sub (x, w) }",))
    yield Choice(family, TWO, "y = local.F (x, w)", order, functions=("F ($) => (y) { y = Sub (x, w) }",))
    several = "F (x) => (a, b) { a = Neg (x) b = Exp (x) }"
    yield Choice(family, ROW, "$ = local.F (x)", ("y, n", "n, y"), functions=(several,))


def of_runtime() -> Iterator[Choice]:
    """Ops of ONNX Runtime."""
    family = "ops of ONNX Runtime"
    means = const("s", "float", 0.05) + const("z", "uint8", 7) + "q = QuantizeLinear (x, s, z) "
    means += "m = com.microsoft.QLinearGlobalAveragePool $ (q, s, z, s, z) y = DequantizeLinear (m, s, z)"
    yield Choice(family, "float[2,4,4,4] x", means, ("", "<channels_last = 1>"))
    flags = ("", "<transA = 1>", "<transB = 1>", "<alpha = 0.5>", "<transA = 1, transB = 1>")
    yield Choice(family, SQUARE, "n = Exp (x) y = com.microsoft.FusedMatMul $ (x, n)", flags)
    biased = const("b", "float[8]", *range(8)) + "y = com.microsoft.$ (x, b)"
    yield Choice(family, "float[2,8] x", biased, ("BiasGelu", "FastGelu"))
    gelus = ("Gelu", "FastGelu", "QuickGelu", "QuickGelu <alpha = 1.0>")
    yield Choice(family, ROW, "y = com.microsoft.$ (x)", gelus)
    norm = const("g", "float[8]", *range(8)) + "y = com.microsoft.SkipLayerNormalization $ (x, x, g)"
    yield Choice(family, "float[1,2,8] x", norm, ("", "<epsilon = 0.5>"))
    fused = const("w", "float[2,2,1,1]", 1, 2, 3, 4) + "y = com.microsoft.FusedConv <$kernel_shape = [1, 1]> (x, w)"
    kinds = ("", 'activation = "Relu", ', 'activation = "Tanh", ', 'activation = "Sigmoid", ')
    yield Choice(family, IMAGE, fused, kinds)


def spread(name: str, *shape: int) -> str:
    """A constant of small numbers of both signs."""
    count = prod(shape)
    numbers = ((place * 7919 % 23 - 11) / 16 for place in range(count))
    return const(name, f"float[{','.join(map(str, shape))}]", *numbers)


def recurrent() -> Iterator[Choice]:
    """Recurrent nodes, attention, and products of quantised numbers."""
    family = "recurrent"
    given = "float[3,2,4] x"
    common = ("", ', direction = "reverse"', ", clip = 0.1")
    for op, gates, words in (
        ("RNN", 1, ('activations = ["Relu"]',)),
        ("GRU", 3, ("linear_before_reset = 1", 'activations = ["Sigmoid", "Relu"]')),
        ("LSTM", 4, ("input_forget = 1", 'activations = ["Sigmoid", "Relu", "Tanh"]')),
    ):
        rows = gates * 3
        weights = spread("w", 1, rows, 4) + spread("r", 1, rows, 3) + spread("b", 1, 2 * rows)
        every = (*common, *(f", {word}" for word in words))
        yield Choice(family, given, f"{weights}y, h = {op} <hidden_size = 3$> (x, w, r, b)", every)
        lengths = f"{weights}l = Constant <value = int32[2] {{$}}> () y, h = {op} <hidden_size = 3> (x, w, r, b, l)"
        yield Choice(family, given, lengths, ("3, 3", "2, 3", "3, 1"))
    given = "float[1,2,3,4] x"
    heads = ("", "<is_causal = 1>", "<scale = 0.25>", "<softcap = 0.5>", "<is_causal = 1, scale = 2.0>")
    yield Choice(family, given, "k = Neg (x) v = Exp (x) y = Attention $ (x, k, v)", heads, since=23)
    turned = const("c", "float[3,2]", *range(6)) + const("s", "float[3,2]", 1, 0, 1, 2, 1, 3)
    turned += const("p", "int64[1,3]", 0, 2, 1) + "y = RotaryEmbedding $ (x, c, s, p)"
    yield Choice(family, given, turned, ("", "<interleaved = 1>"), since=23)
    whole = const("s", "float", 0.05) + const("z", "uint8", 7) + "q = QuantizeLinear (x, s, z) "
    whole += const("w", "uint8[4,2]", *range(8)) + "t = Constant <value = $> () "
    whole += "r = QLinearMatMul (q, s, z, w, s, t, s, z) y = DequantizeLinear (r, s, z)"
    yield Choice(family, "float[2,4] x", whole, ("uint8 {0}", "uint8 {1}", "uint8 {5}"))
    conv = const("s", "float", 0.05) + const("z", "uint8", 7) + "q = QuantizeLinear (x, s, z) "
    conv += const("w", "int8[2,2,1,1]", 1, -2, 3, 4) + "t = Constant <value = float[2] {$}> () "
    conv += const("n", "int8", 0) + "r = QLinearConv (q, s, z, w, t, n, s, z) y = DequantizeLinear (r, s, z)"
    yield Choice(family, IMAGE, conv, ("1, 1", "1, 0.5", "0.5, 1"))


def integers() -> Iterator[Choice]:
    """Whole numbers that wrap, and quotients that round to zero."""
    family = "integers"
    given = "int32[8] x"
    numbers = const("t", "int32", 2) + const("o", "int32", 1) + const("m", "int32", 3)
    for words in (
        ("Div (x, t)", "Identity (x)"),
        ("Mod (x, m)", "Mod <fmod = 1> (x, m)"),
        ("Div (x, m)", "Mod (x, m)"),
        ("Abs (x)", "Neg (x)"),
        ("Max (x, o)", "Min (x, o)"),
        ("Mul (x, x)", "Add (x, x)"),
    ):
        yield Choice(family, given, numbers + "y = $", words, "int32")
    halves = "d = Div (x, t) h = Cast <to = 1> (x) f = Constant <value = float {0.5}> () p = Mul (h, f) $"
    yield Choice(family, given, numbers + halves, ("y = Cast <to = 1> (d)", "y = Floor (p)", "y = Identity (p)"))
    for to in (2, 3, 5, 9):
        ends = ("y = Cast <to = 1> (c)", "y = Cast <to = 1> (x)")
        yield Choice(family, given, f"c = Cast <to = {to}> (x) $", ends)
    shifted = "c = Cast <to = 12> (x) " + const("t", "uint32", 2)
    shifted += "s = BitShift <direction = $> (c, t) y = Cast <to = 7> (s)"
    yield Choice(family, given, shifted, ('"LEFT"', '"RIGHT"'), "int64")
    wide = "a = Mul (x, x) b = Cast <to = 7> (a) c = Cast <to = 7> (x) d = Mul (c, c) y = Identity ($)"
    yield Choice(family, given, wide, ("b", "d"), "int64")
    whole = "a = Mul (x, x) b = Cast <to = 1> (a) c = Cast <to = 1> (x) d = Mul (c, c) y = Identity ($)"
    yield Choice(family, given, whole, ("b", "d"))


def decoders() -> Iterator[Choice]:
    """Attention, turned pairs, elements that are added at places, packed weights, and spectra."""
    family = "decoders"
    heads = "float[1,2,3,4] x, float[1,2,3,4] k, float[1,2,3,4] v"
    ways = ("", "<scale = 0.25>", "<is_causal = 1>", "<softcap = 0.5>", "<softcap = 1.0>")
    yield Choice(family, heads, "y = Attention $ (x, k, v)", ways, since=23)
    yield Choice(family, heads, "y = Attention ($)", ("x, k, v", "k, x, v", "x, v, k"), since=23)
    seen = "m = Constant <value = $> () y = Attention (x, k, v, m)"
    row = "bool[1,1,3,3] {1, 0, 0, 1, 1, 0, 1, 1, 1}"
    masks = (row, row.replace("1, 0, 0", "1, 1, 0"), "float[3,3] {0, 1, 2, 3, 4, 5, 6, 7, 8}")
    yield Choice(family, heads, seen, masks, since=23)
    rows = "float[1,3,8] x, float[1,3,8] k, float[1,3,8] v"
    counts = [f"q_num_heads = {count}, kv_num_heads = {count}" for count in (1, 2, 4)]
    yield Choice(family, rows, "y = Attention <$> (x, k, v)", counts, since=23)
    turned = "float[1,2,2,4] x, float[1,2,2] c, float[1,2,2] s"
    yield Choice(family, turned, "y = RotaryEmbedding $ (x, c, s)", ("", "<interleaved = 1>"), since=23)
    yield Choice(family, turned, "y = RotaryEmbedding (x, $)", ("c, s", "s, c"), since=23)
    table = const("p", "int64[1,2]", 1, 0) + "t = Transpose (c) y = RotaryEmbedding (x, $, $, p)"
    yield Choice(family, "float[1,2,2,4] x, float[2,2] c", table, ("c", "t"), since=23)
    cache = "float[2,4,3] x, float[2,2,3] u"
    starts = const("i", "int64[2]", 0, 1)
    yield Choice(family, cache, starts + "y = TensorScatter (x, u$)", ("", ", i"), since=24)
    packed = "w = Constant <value = uint8[2,1,8] {$}> () " + const("s", "float[2]", 0.5, 0.25)
    packed += "y = com.microsoft.MatMulNBits <K = 8, N = 2, bits = 4, block_size = 16> (x, w, s)"
    bytes_of = ("1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8, 0, 0, 0, 0", "16, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8, 0, 0, 0, 0")
    yield Choice(family, "float[2,8] x", packed, bytes_of)
    zeros = packed.replace("$", bytes_of[0]).replace("(x, w, s)", "(x, w, s$)")
    zeros = "z = Constant <value = uint8[2] {3, 8}> () q = Constant <value = uint8[2] {8, 3}> () " + zeros
    yield Choice(family, "float[2,8] x", zeros, ("", ", z", ", q"))
    spectrum = const("a", "int64", 1) + "y = DFT $ (x, , a)"
    yield Choice(family, "float[1,4,2] x", spectrum, ("", "<inverse = 1>"))


def code() -> Iterator[Choice]:
    """Subgraphs."""
    family = "code"
    parts = "then_branch = t () => (float[8] a) { a = Neg (x) }, else_branch = e () => (float[8] b) { b = Exp (x) }"
    yield Choice(family, ROW, f"c = Constant <value = bool {{$}}> () y = If (c) <{parts}>", ("1", "0"))
    asked = "m = ReduceMax <keepdims = 0> (x) " + const("z", "float", 0) + f"c = $ (m, z) y = If (c) <{parts}>"
    yield Choice(family, ROW, asked, ("Less", "Greater", "LessOrEqual"))
    loop = "c = Constant <value = bool {1}> () y = Loop (n, c, x) <body = again (int64 i, bool k, float[8] v) => "
    loop += "(bool d, float[8] w) { d = Identity (k) f = Cast <to = 1> (i) s = Mul (v, v) w = % }>"
    counted = "n = Constant <value = int64 {$}> () " + loop.replace("%", "Add (s, x)")
    yield Choice(family, ROW, counted, ("1", "2", "3", "0"))
    ends = ("Add (v, f)", "Mul (v, f)", "Sub (f, v)", "Add (v, x)", "Add (x, f)")
    yield Choice(family, ROW, const("n", "int64", 3) + loop.replace("%", "$"), ends)
