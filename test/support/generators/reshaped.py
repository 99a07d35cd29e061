"""Random programs in which ops work on features that are reshaped, between ops that know their channels."""

from math import prod
from random import Random

from xdsl.dialects.builtin import ModuleOp

from support.ir_text import parse

SIZES = (1, 2, 2, 3)


def reshaped_program(seed: int) -> ModuleOp:
    """Features that are reshaped, changed in that shape, and reshaped back."""
    return _Program(Random(seed)).module()


class _Program:
    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._lines: list[str] = []
        self._arguments: list[str] = []
        self._shape = [rng.choice(SIZES) for _ in range(4)]

    def module(self) -> ModuleOp:
        rng, results = self._rng, list[tuple[str, list[int]]]()
        features = [self._feature() for _ in range(rng.choice([1, 1, 2]))]
        shape = self._other_shape()
        values = [self._reshaped(feature, self._shape, shape) for feature in features]
        value = values[0]
        for _ in range(rng.randint(1, 2)):
            value = self._worked_on(value, values[-1], shape)
        if rng.random() < 0.4:
            results.append(self._ended(value, shape))
        if rng.random() < 0.7 or not results:
            back = self._reshaped(value, shape, self._shape)
            results.append((self._mirrored(back), self._shape))
        types = ", ".join(_type(shape) for _, shape in results)
        names = ", ".join(name for name, _ in results)
        text = f"""func.func @main({", ".join(self._arguments)}) -> ({types}) {{
          {chr(10).join(self._lines)}
          func.return {names} : {types}
        }}"""
        return parse(text)

    def _feature(self) -> str:
        argument = self._argument(self._shape)
        return self._mirrored(argument) if self._rng.random() < 0.8 else argument

    def _argument(self, shape: list[int]) -> str:
        name = f"%a{len(self._arguments)}"
        self._arguments.append(f"{name}: {_type(shape)}")
        return name

    def _given(self, shape: list[int]) -> str:
        """An operand from outside or a constant."""
        if self._rng.random() < 0.5:
            return self._argument(shape)
        return self._add(f"npu.constant dense<0.5> : {_type(shape)}")

    def _add(self, op: str) -> str:
        name = f"%v{len(self._lines)}"
        self._lines.append(f"{name} = {op}")
        return name

    def _mirrored(self, value: str) -> str:
        type_ = _type(self._shape)
        return self._add(f"npu.mirror {value} axes = [2] data_layout = <NCHW> : {type_}")

    def _other_shape(self) -> list[int]:
        """Merge adjacent axes, and perhaps split one."""
        shape = [*self._shape]
        for _ in range(self._rng.randint(1, 3)):
            if len(shape) > 1:
                place = self._rng.randrange(len(shape) - 1)
                shape[place : place + 2] = [shape[place] * shape[place + 1]]
        if self._rng.random() < 0.3:
            place = self._rng.randrange(len(shape))
            if (size := shape[place]) > 2:
                low = next(each for each in (3, 2, size) if size % each == 0)
                shape[place : place + 1] = [size // low, low]
        return shape

    def _reshaped(self, value: str, before: list[int], after: list[int]) -> str:
        return value if before == after else self._add(f"npu.reshape {value} : ({_type(before)}) -> {_type(after)}")

    def _worked_on(self, value: str, other: str, shape: list[int]) -> str:
        rng, type_ = self._rng, _type(shape)
        axis = rng.randrange(len(shape))
        match rng.choice(
            ["relu", "softmax", "add", "repeat", "norm", "keep", "batch_norm", "slice", "reverse", "cumsum"]
        ):
            case "relu":
                return self._add(f"npu.relu {value} : {type_}")
            case "softmax":
                return self._add(f"npu.softmax {value} axis = {axis} : {type_}")
            case "add":
                return self._add(f"npu.add {value}, {other} : {type_}")
            case "repeat":
                part = [size if rng.random() < 0.5 else 1 for size in shape]
                return self._add(f"npu.mul {value}, {self._given(part)} : ({type_}, {_type(part)}) -> {type_}")
            case "norm":
                axes = sorted(rng.sample(range(len(shape)), rng.randint(1, len(shape))))
                return self._add(f"npu.tensor_norm {value} axes = {axes} : {type_}")
            case "keep":
                small = [1 if place == axis else size for place, size in enumerate(shape)]
                mean = self._add(f"npu.reduce_mean {value} axes = [{axis}] keep : ({type_}) -> {_type(small)}")
                return self._add(f"npu.sub {value}, {mean} : ({type_}, {_type(small)}) -> {type_}")
            case "batch_norm":
                vectors = [self._given([shape[axis]]) for _ in range(4)]
                types = ", ".join([type_, *[_type([shape[axis]])] * 4])
                return self._add(f"npu.batch_norm {value}, {', '.join(vectors)} axis = {axis} : ({types}) -> {type_}")
            case "slice":
                limits, starts = [*shape], [0] * len(shape)
                half = [max(1, size // 2) if place == axis else size for place, size in enumerate(shape)]
                limits[axis] = half[axis]
                part = self._add(f"npu.slice {value} starts = {starts} limits = {limits} : ({type_}) -> {_type(half)}")
                high = [size - less for size, less in zip(shape, half, strict=True)]
                return self._add(f"npu.pad {part} low = {starts} high = {high} : ({_type(half)}) -> {type_}")
            case "reverse":
                return self._add(f"npu.reverse {value} axes = [{axis}] : {type_}")
            case _:
                return self._add(f"npu.cumsum {value} axis = {axis} : {type_}")

    def _ended(self, value: str, shape: list[int]) -> tuple[str, list[int]]:
        """A smaller result: a reduction, or a product with a matrix."""
        rng, type_ = self._rng, _type(shape)
        if rng.random() < 0.5:
            axes = sorted(rng.sample(range(len(shape)), rng.randint(1, len(shape))))
            left = [size for place, size in enumerate(shape) if place not in axes]
            return self._add(f"npu.reduce_sum {value} axes = {axes} : ({type_}) -> {_type(left)}"), left
        cut = rng.randint(0, len(shape) - 1)
        flat = [prod(shape[:cut]), prod(shape[cut:])]
        rows = self._reshaped(value, shape, flat)
        matrix = [flat[1], rng.choice([1, 3])]
        weights, result = self._given(matrix), [flat[0], matrix[1]]
        types = f"{_type(flat)}, {_type(matrix)}"
        product = self._add(f"npu.gemm {rows}, {weights} : ({types}) -> {_type(result)}")
        if rng.random() < 0.5:
            return product, result
        if rng.random() < 0.5:
            return self._add(f"npu.softmax {product} axis = 1 : {_type(result)}"), result
        whole = [prod(result)]
        return self._reshaped(product, result, whole), whole


def _type(shape: list[int]) -> str:
    return f"tensor<{'x'.join(map(str, [*shape, 'f64']))}>"
