"""Random programs of linalg: transposes, ops with random indexing maps, products, reductions and convolutions."""

from random import Random

SIZES = (1, 2, 3, 4)
NAMED = ("add", "sub", "mul", "max")
SCALARS = ("addf", "subf", "mulf", "maximumf")
CONVOLUTIONS = {
    "conv_2d_nhwc_hwcf": ("nhwc", "hwcf", "nhwf"),
    "conv_2d_nhwc_fhwc": ("nhwc", "fhwc", "nhwf"),
    "conv_2d_nchw_fchw": ("nchw", "fchw", "nfhw"),
}

Shape = tuple[int, ...]


def random_linalg(seed: int, size: int = 10) -> str:
    """The text of a program."""
    return _Program(Random(seed)).text(size)


def _type(shape: Shape) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}f32>"


def _map(loops: int, axes: list[int]) -> str:
    names = [f"d{loop}" for loop in range(loops)]
    return f"affine_map<({', '.join(names)}) -> ({', '.join(names[axis] for axis in axes)})>"


class _Program:
    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.values: list[tuple[str, Shape]] = []
        self.arguments: list[tuple[str, Shape]] = []
        self.count = 0

    def text(self, size: int) -> str:
        rng = self.rng
        for _ in range(rng.randint(1, 3)):
            self.argument(tuple(rng.choice(SIZES) for _ in range(rng.randint(2, 4))))
        steps = [
            self.transpose,
            self.transpose,
            self.generic,
            self.generic,
            self.named,
            self.matmul,
            self.reduce,
            self.broadcast,
            self.convolution,
            self.constant,
            self.two,
            self.fill,
            self.contraction,
            self.collapse,
            self.expand,
            self.pad,
            self.slices,
        ]
        while len(self.lines) < 3 * size:
            rng.choice(steps)()
        results = rng.sample(self.values, min(len(self.values), rng.randint(1, 3)))
        if self.values[-1] not in results:
            results.append(self.values[-1])
        given = ", ".join(f"{name}: {_type(shape)}" for name, shape in self.arguments)
        types = ", ".join(_type(shape) for _, shape in results)
        body = "\n  ".join(self.lines)
        names = ", ".join(name for name, _ in results)
        return f"func.func @main({given}) -> ({types}) {{\n  {body}\n  return {names} : {types}\n}}\n"

    def argument(self, shape: Shape) -> str:
        name = f"%x{len(self.arguments)}"
        self.arguments.append((name, shape))
        self.values.append((name, shape))
        return name

    def new(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def add(self, shape: Shape, text: str) -> str:
        name = self.new()
        self.lines.append(f"{name} = {text}")
        self.values.append((name, shape))
        return name

    def pick(self, *ranks: int) -> tuple[str, Shape] | None:
        found = [each for each in self.values if not ranks or len(each[1]) in ranks]
        recent = found[-4:] if self.rng.random() < 0.7 else found
        return self.rng.choice(recent) if found else None

    def of_shape(self, shape: Shape) -> str:
        """A value of this shape: one that is there, a transpose of one, or a new argument."""
        found = [name for name, known in self.values if known == shape]
        if found and self.rng.random() < 0.8:
            return self.rng.choice(found)
        return self.argument(shape)

    def empty(self, shape: Shape) -> str:
        name = self.new()
        self.lines.append(f"{name} = tensor.empty() : {_type(shape)}")
        return name

    def destination(self, shape: Shape) -> str:
        return self.empty(shape) if self.rng.random() < 0.9 else self.of_shape(shape)

    def zeros(self, shape: Shape) -> str:
        scalar, name, empty = self.new(), self.new(), self.empty(shape)
        self.lines.append(f"{scalar} = arith.constant {self.rng.choice((0.0, 1.0))} : f32")
        self.lines.append(f"{name} = linalg.fill ins({scalar} : f32) outs({empty} : {_type(shape)}) -> {_type(shape)}")
        return name

    def fill(self) -> None:
        shape = self.rng.choice(self.values)[1]
        self.values.append((self.zeros(shape), shape))

    def constant(self) -> None:
        shape = tuple(self.rng.choice(SIZES) for _ in range(self.rng.randint(1, 3)))
        if 0 in shape:
            return

        def nested(sizes: Shape) -> str:
            if not sizes:
                return f"{self.rng.randint(-2, 2)}.0"
            return f"[{', '.join(nested(sizes[1:]) for _ in range(sizes[0]))}]"

        self.add(shape, f"arith.constant dense<{nested(shape)}> : {_type(shape)}")

    def emit(self, kind: str, given: list[tuple[str, Shape]], into: str, result: Shape, tail: str = "") -> None:
        """Add an op with these operands and this destination."""
        names, types = ", ".join(name for name, _ in given), ", ".join(_type(shape) for _, shape in given)
        self.add(result, f"linalg.{kind} ins({names} : {types}) outs({into} : {_type(result)}){tail}")

    def transpose(self) -> None:
        if (found := self.pick(2, 3, 4)) is None:
            return
        order = self.rng.sample(range(len(found[1])), len(found[1]))
        result = tuple(found[1][axis] for axis in order)
        self.emit("transpose", [found], self.destination(result), result, f" permutation = {order}")

    def body(self, inputs: int, reads_destination: bool, results: int = 1) -> str:
        rng = self.rng
        arguments = [f"%a{index}" for index in range(inputs)] + [f"%o{index}" for index in range(results)]
        lines, last = list[str](), "%a0"
        for index in range(rng.randint(1, 2)):
            lines.append(f"%t{index} = arith.{rng.choice(SCALARS)} {last}, {rng.choice(arguments[:inputs])} : f32")
            last = f"%t{index}"
        ends = list[str]()
        for index in range(results):
            end = last
            if reads_destination:
                end = f"%r{index}"
                lines.append(f"{end} = arith.addf {last}, %o{index} : f32")
            ends.append(end)
        header = ", ".join(f"{name}: f32" for name in arguments)
        inner = "\n    ".join(lines)
        types = ", ".join("f32" for _ in ends)
        return f"{{\n  ^bb0({header}):\n    {inner}\n    linalg.yield {', '.join(ends)} : {types}\n  }}"

    def nest(
        self, sizes: Shape, operands: list[list[int]], results: list[list[int]], sums: set[int], reads: bool
    ) -> None:
        """A generic op over loops of these sizes, whose operands and results have these loops as axes."""
        shapes = [tuple(sizes[loop] for loop in axes) for axes in (*operands, *results)]
        given = [self.of_shape(shape) for shape in shapes[: len(operands)]]
        into = [self.zeros(shape) if reads else self.destination(shape) for shape in shapes[len(operands) :]]
        maps = ", ".join(_map(len(sizes), axes) for axes in (*operands, *results))
        kinds = ", ".join('"reduction"' if loop in sums else '"parallel"' for loop in range(len(sizes)))
        types = list(map(_type, shapes))
        ins, outs = ", ".join(types[: len(operands)]), ", ".join(types[len(operands) :])
        header = f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}"
        body = self.body(len(operands), reads, len(results))
        names = [self.new() for _ in results] if len(results) == 1 else [self.new()]
        left = f"{names[0]}:{len(results)}" if len(results) > 1 else names[0]
        self.lines.append(
            f"{left} = {header} ins({', '.join(given)} : {ins}) outs({', '.join(into)} : {outs}) {body} -> {outs}"
        )
        made = [f"{names[0]}#{index}" for index in range(len(results))] if len(results) > 1 else names
        self.values += zip(made, shapes[len(operands) :], strict=True)

    def generic(self) -> None:
        if (found := self.pick(2, 3, 4)) is None:
            return
        rng, (_, shape) = self.rng, found
        loops = list(range(len(shape)))
        operands = [rng.choice((loops, rng.sample(loops, len(loops))))]
        sizes = [0] * len(loops)
        for size, loop in zip(shape, operands[0], strict=True):
            sizes[loop] = size
        for _ in range(rng.randint(0, 2)):
            axes = rng.sample(loops, rng.randint(1, len(loops)))
            operands.append(axes if rng.random() < 0.3 else sorted(axes))
        result = rng.choice((loops, loops, rng.sample(loops, len(loops))))
        self.nest(tuple(sizes), operands, [result], set(), rng.random() < 0.2)

    def two(self) -> None:
        if (found := self.pick(2, 3)) is None:
            return
        loops = list(range(len(found[1])))
        self.nest(
            found[1],
            [loops, self.rng.sample(loops, len(loops))],
            [loops, self.rng.sample(loops, len(loops))],
            set(),
            False,
        )

    def contraction(self) -> None:
        if (found := self.pick(2, 3)) is None:
            return
        rng, (_, shape) = self.rng, found
        count = len(shape)
        sizes = (*shape, rng.choice(SIZES))
        sums = set(rng.sample(range(count), rng.randint(1, count - 1)))
        rest = [loop for loop in range(count) if loop not in sums]
        right = [*sums, count]
        rng.shuffle(right)
        result = [*rest, count]
        if rng.random() < 0.4:
            rng.shuffle(result)
        self.nest(sizes, [list(range(count)), right], [result], sums, True)

    def named(self) -> None:
        if (found := self.pick()) is None:
            return
        kind, shape = self.rng.choice(NAMED), found[1]
        given = [found, (self.of_shape(shape), shape)]
        self.emit(kind, given, self.destination(shape), shape, f" -> {_type(shape)}")

    def matmul(self) -> None:
        if (found := self.pick(2)) is None:
            return
        rows, inner = found[1]
        columns = self.rng.choice(SIZES)
        right, result = (inner, columns), (rows, columns)
        given = [found, (self.of_shape(right), right)]
        self.emit("matmul", given, self.zeros(result), result, f" -> {_type(result)}")

    def reduce(self) -> None:
        if (found := self.pick(2, 3, 4)) is None:
            return
        rank = len(found[1])
        named = sorted(self.rng.sample(range(rank), self.rng.randint(1, rank - 1)))
        result = tuple(size for axis, size in enumerate(found[1]) if axis not in named)
        body = "(%a: f32, %o: f32) {\n    %s = arith.addf %a, %o : f32\n    linalg.yield %s : f32\n  }"
        self.emit("reduce", [found], self.zeros(result), result, f" dimensions = {named}\n  {body}")

    def broadcast(self) -> None:
        if (found := self.pick(1, 2, 3)) is None:
            return
        rank = self.rng.randint(len(found[1]) + 1, 4)
        named = sorted(self.rng.sample(range(rank), rank - len(found[1])))
        rest = iter(found[1])
        result = tuple(self.rng.choice(SIZES) if axis in named else next(rest) for axis in range(rank))
        self.emit("broadcast", [found], self.destination(result), result, f" dimensions = {named}")

    def convolution(self) -> None:
        if (found := self.pick(4)) is None:
            return
        rng = self.rng
        name = rng.choice([*CONVOLUTIONS])
        data, kernel, result = CONVOLUTIONS[name]
        sizes = dict(zip(data, found[1], strict=True))
        window = {letter: rng.randint(1, min(2, sizes[letter])) for letter in "hw"}
        filters, stride = rng.choice(SIZES), rng.randint(1, 2)
        left = {letter: (sizes[letter] - window[letter]) // stride + 1 for letter in "hw"}
        of_kernel = tuple({**sizes, **window, "f": filters}[letter] for letter in kernel)
        of_result = tuple({**sizes, **left, "f": filters}[letter] for letter in result)
        kind = f"{name} {{dilations = dense<1> : tensor<2xi64>, strides = dense<{stride}> : tensor<2xi64>}}"
        given = [found, (self.of_shape(of_kernel), of_kernel)]
        self.emit(kind, given, self.zeros(of_result), of_result, f" -> {_type(of_result)}")

    def collapse(self) -> None:
        if (found := self.pick(2, 3, 4)) is None:
            return
        value, shape = found
        first = self.rng.randrange(len(shape) - 1)
        result = (*shape[:first], shape[first] * shape[first + 1], *shape[first + 2 :])
        groups = (
            [[axis] for axis in range(first)] + [[first, first + 1]] + [[axis] for axis in range(first + 2, len(shape))]
        )
        self.add(result, f"tensor.collapse_shape {value} {groups} : {_type(shape)} into {_type(result)}")

    def expand(self) -> None:
        if (found := self.pick(1, 2, 3)) is None:
            return
        value, shape = found
        first = self.rng.randrange(len(shape))
        outer = self.rng.choice([size for size in range(1, shape[first] + 1) if shape[first] % size == 0])
        result = (*shape[:first], outer, shape[first] // outer, *shape[first + 1 :])
        groups = [[axis + (axis > first)] for axis in range(len(shape))]
        groups[first] = [first, first + 1]
        tail = f"output_shape {list(result)} : {_type(shape)} into {_type(result)}"
        self.add(
            result,
            f"tensor.expand_shape {value} {groups} {tail}",
        )

    def pad(self) -> None:
        if (found := self.pick(2, 3, 4)) is None:
            return
        name, shape = found
        low, high = ([self.rng.choice((0, 0, 1)) for _ in shape] for _ in range(2))
        result = tuple(map(sum, zip(low, shape, high, strict=True)))
        scalar = self.new()
        self.lines.append(f"{scalar} = arith.constant 1.0 : f32")
        arguments = ", ".join(f"%p{axis}: index" for axis in range(len(shape)))
        body = f"{{\n  ^bb0({arguments}):\n    tensor.yield {scalar} : f32\n  }}"
        self.add(result, f"tensor.pad {name} low{low} high{high} {body} : {_type(shape)} to {_type(result)}")

    def slices(self) -> None:
        if (found := self.pick(2, 3, 4)) is None:
            return
        name, shape = found
        strides = [self.rng.choice((1, 1, 2)) for _ in shape]
        most = [(size + stride - 1) // stride for size, stride in zip(shape, strides, strict=True)]
        sizes = [self.rng.randint(1, size) for size in most]
        last = [(size - 1) * stride for size, stride in zip(sizes, strides, strict=True)]
        offsets = [self.rng.randint(0, size - end - 1) for size, end in zip(shape, last, strict=True)]
        numbers, part = f"{offsets} {sizes} {strides}", tuple(sizes)
        if self.rng.random() < 0.5:
            self.add(part, f"tensor.extract_slice {name}{numbers} : {_type(shape)} to {_type(part)}")
        else:
            given = self.of_shape(part)
            self.add(shape, f"tensor.insert_slice {given} into {name}{numbers} : {_type(part)} into {_type(shape)}")
