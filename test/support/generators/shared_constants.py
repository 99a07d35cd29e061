"""Small random programs that read constants in several orders."""

from random import Random

from xdsl.dialects.builtin import ModuleOp

from support.ir_text import parse

SIZES = (1, 2, 3, 4)
MOST_OPS, MOST_RELUS = 3, 2


def program_with_constants(seed: int, with_copies: bool = False) -> ModuleOp:
    """A program of few ops; `with_copies` puts a relu behind some constants and sums, which may run twice."""
    rng = Random(seed)
    count = 1 if with_copies else rng.choice((1, 1, 1, 2))
    return parse("\n".join(_Function(rng, f"f{number}", with_copies).text() for number in range(count)))


class _Function:
    def __init__(self, rng: Random, name: str, with_copies: bool) -> None:
        self._rng = rng
        self._name = name
        self._with_copies = with_copies
        self._lines: list[str] = []
        self._arguments: list[str] = []
        self._results: list[tuple[str, str]] = []
        self._shape = [rng.choice(SIZES[:2]), *(rng.choice(SIZES[1:]) for _ in range(3))]
        rows, columns = rng.choice(SIZES[1:]), rng.choice(SIZES[1:])
        self._matrix = [rows, columns]
        self._relus = 0
        self._referenced: dict[str, float] = {}
        """The constants that are kept in a file, with what tells their data from others of their shape."""

    def text(self) -> str:
        rng = self._rng
        # Functions have constants of equal data in common if these have one shape.
        numbers = rng.sample((0.5, 1.5), rng.choice((1, 1, 2)))
        is_image = rng.random() < 0.6
        shape = rng.choice((self._shape, [1, 2, 2, 3])) if is_image else rng.choice((self._matrix, [2, 3]))
        constants = [self._constant(number, shape) for number in numbers]
        for _ in range(rng.randint(2, MOST_OPS)):
            (self._read_image if is_image else self._read_matrix)(rng.choice(constants), shape)
        if rng.random() < 0.15:
            self._results.append((rng.choice(constants), _type(shape)))
        types = ", ".join(type_ for _, type_ in self._results)
        names = ", ".join(name for name, _ in self._results)
        body = "\n  ".join(self._lines)
        return (
            f"func.func @{self._name}({', '.join(self._arguments)}) -> ({types}) {{\n  {body}\n"
            f"  func.return {names} : {types}\n}}"
        )

    def _constant(self, number: float, shape: list[int]) -> str:
        name = self._add(f"npu.constant dense<{number}> : {_type(shape)}")
        if self._rng.random() < 0.3:
            name = self._add(f"npu.constant {_reference(shape, number)} : {_type(shape)}")
            self._referenced[name] = number
        if self._with_copies and self._rng.random() < 0.4:
            return self._relu(name, shape)
        return name

    def _turned(self, constant: str, shape: list[int], order: list[int]) -> str:
        """A constant in another order: a transpose of it, or a constant of its data that is loaded so."""
        turned = [shape[axis] for axis in order]
        if constant in self._referenced and self._rng.random() < 0.7:
            return self._add(f"npu.constant {_reference(shape, self._referenced[constant], order)} : {_type(turned)}")
        return self._add(f"npu.transpose {constant} permutation = {order} : ({_type(shape)}) -> {_type(turned)}")

    def _argument(self, shape: list[int]) -> str:
        name = f"%{self._name}_{len(self._arguments)}"
        self._arguments.append(f"{name}: {_type(shape)}")
        return name

    def _add(self, op: str) -> str:
        name = f"%v{len(self._lines)}"
        self._lines.append(f"{name} = {op}")
        return name

    def _read_image(self, constant: str, shape: list[int]) -> None:
        """An op that reads a constant of four axes."""
        rng = self._rng
        kind = rng.choice(("add", "add", "turned", "mirror", "kernel", "flat", "mixed"))
        if kind == "turned":
            order = rng.choice(([0, 2, 3, 1], [0, 1, 3, 2], [1, 0, 2, 3]))
            turned = [shape[axis] for axis in order]
            self._sum(self._turned(constant, shape, order), turned)
        elif kind == "mirror":
            # It demands channels last.
            data = self._sum(constant, shape, is_result=False)
            self._result(self._add(f"npu.mirror {data} axes = [2] data_layout = <NCHW> : {_type(shape)}"), shape)
        elif kind == "kernel":
            data, made = [1, shape[1], *shape[2:]], [1, shape[0], 1, 1]
            self._result(
                self._add(
                    f"npu.conv2d {self._argument(data)}, {constant} data_layout = <NCHW> kernel_layout = <OIHW>"
                    f" : ({_type(data)}, {_type(shape)}) -> {_type(made)}"
                ),
                made,
            )
        elif kind == "flat":
            flat = [shape[0], shape[1], shape[2] * shape[3]]
            view = self._add(f"npu.reshape {constant} : ({_type(shape)}) -> {_type(flat)}")
            self._sum(view, flat)
        elif kind == "mixed":
            there, flat = [shape[0], shape[1], shape[3], shape[2]], [shape[0], shape[1], shape[2] * shape[3]]
            view = self._add(
                f"npu.transpose {constant} permutation = [0, 1, 3, 2] : ({_type(shape)}) -> {_type(there)}"
            )
            view = self._add(f"npu.reshape {view} : ({_type(there)}) -> {_type(flat)}")
            view = self._add(f"npu.reshape {view} : ({_type(flat)}) -> {_type(shape)}")
            self._sum(view, shape)
        else:
            self._sum(constant, shape)

    def _read_matrix(self, constant: str, shape: list[int]) -> None:
        """An op that reads a constant of two axes."""
        rng = self._rng
        turned = rng.random() < 0.5
        rows, columns = shape[::-1] if turned else shape
        if turned:
            constant = self._turned(constant, shape, [1, 0])
        match rng.choice(("add", "matmul", "twice")):
            case "matmul":
                data, made = [2, rows], [2, columns]
                given = self._argument(data)
                product = f"({_type(data)}, {_type([rows, columns])}) -> {_type(made)}"
                self._result(self._add(f"npu.matmul {given}, {constant} : {product}"), made)
            case "twice" if rows == columns:
                self._result(self._add(f"npu.add {constant}, {constant} : {_type([rows, columns])}"), [rows, columns])
            case _:
                self._sum(constant, [rows, columns])

    def _sum(self, constant: str, shape: list[int], is_result: bool = True) -> str:
        found = self._add(f"npu.add {self._argument(shape)}, {constant} : {_type(shape)}")
        if self._with_copies and self._relus < MOST_RELUS and self._rng.random() < 0.4:
            found = self._relu(found, shape)
            if self._rng.random() < 0.6:
                self._result(found, shape)
        if is_result:
            self._result(found, shape)
        return found

    def _relu(self, value: str, shape: list[int]) -> str:
        self._relus += 1
        return self._add(f"npu.relu {value} : {_type(shape)}")

    def _result(self, value: str, shape: list[int]) -> None:
        """A value that leaves, maybe through another order."""
        if len(shape) > 1 and self._rng.random() < 0.3:
            order = [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2]
            turned = [shape[axis] for axis in order]
            value = self._add(f"npu.transpose {value} permutation = {order} : ({_type(shape)}) -> {_type(turned)}")
            shape = turned
        self._results.append((value, _type(shape)))


def _reference(shape: list[int], number: float, order: list[int] | None = None) -> str:
    sizes = "x".join(map(str, shape))
    return f'#npu.reference<"w.safetensors", "{sizes} {number}"{"" if order is None else f", {order}"}>'


def _type(shape: list[int]) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf32>"
