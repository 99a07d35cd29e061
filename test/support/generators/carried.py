"""Random programs whose calls, branches and loops carry tensors, each with the pieces of code that it consists of.

A piece is a function: what its calls and loops take are further results of it, and what they return further arguments.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from random import Random

from npu_opt.dialects.settings.assumed_sizes import ASSUMED_SIZE
from xdsl.dialects.builtin import ModuleOp

from support.ir_text import parse

MOST_TIES = 3
MOST_DEPTH = 2
Order = tuple[int, ...]


@dataclass
class Piece:
    """Code with arguments and results of one type, each with the number of its tie; None if it keeps its order."""

    name: str
    calls: int
    arguments: list[tuple[str, int | None]] = field(default_factory=list[tuple[str, int | None]])
    results: list[tuple[str, int | None]] = field(default_factory=list[tuple[str, int | None]])
    lines: list[str] = field(default_factory=list[str])
    """The lines without calls and loops."""
    whole: list[str] = field(default_factory=list[str])
    """All lines, but for the first and the last one."""


@dataclass
class CarriedProgram:
    """A program, its pieces, and the number of its ties."""

    text: str
    type: str
    rank: int
    ties: int
    pieces: list[Piece]

    @property
    def module(self) -> ModuleOp:
        return parse(self.text)

    def alone(self, piece: Piece) -> ModuleOp:
        """A piece as a program of its own."""
        arguments = ", ".join(f"{name}: {self.type}" for name, _ in piece.arguments)
        values, types = ", ".join(name for name, _ in piece.results), ", ".join([self.type] * len(piece.results))
        lines = "\n".join(piece.lines)
        return parse(f"func.func @main({arguments}) -> ({types}) {{\n{lines}\nfunc.return {values} : {types}\n}}")


def carried_program(seed: int, is_square: bool = False) -> CarriedProgram:
    """A random program. In a square one all sizes are equal, so that many other programs have its types."""
    return _Program(Random(seed), is_square).made()


class _Program:
    def __init__(self, random: Random, is_square: bool) -> None:
        self._random = random
        sizes = random.choice([(3, 4), (2, 3, 4), (2, 3, 4)])
        self._sizes = (3,) * len(sizes) if is_square else sizes
        self._count = 0
        self._ties = 0
        self._pieces: list[Piece] = []
        self._functions: list[str] = []
        self._callable: list[tuple[Piece, int, int]] = []

    @property
    def type(self) -> str:
        return _type(self._sizes)

    def made(self) -> CarriedProgram:
        main = Piece("main", 1, [("%x", None), ("%y", None)])
        self._pieces.append(main)
        values = self._code(main, ["%x", "%y"], 0, self._random.randint(2, 4))
        if not self._ties:
            values.append(self._loop(main, values, 0)[0])
        results = [values[-1], self._random.choice(values)]
        main.results[:0] = [(each, None) for each in results]
        arguments = ", ".join(f"{name}: {self.type}" for name in ("%x", "%y"))
        bit = ", %bit: i1" if any("%bit" in line for line in main.whole) else ""
        head = f"func.func @main({arguments}, %flag: tensor<i1>, %n: tensor<i64>{bit})"
        types = f"{self.type}, {self.type}"
        lines = [f"{head} -> ({types}) {{", *main.whole, f"func.return {', '.join(results)} : {types}", "}"]
        return CarriedProgram(
            "\n".join([*lines, *self._functions]), self.type, len(self._sizes), self._ties, self._pieces
        )

    def _name(self) -> str:
        self._count += 1
        return f"%v{self._count}"

    def _tie(self) -> int:
        self._ties += 1
        return self._ties - 1

    def _code(self, piece: Piece, known: Sequence[str], depth: int, steps: int) -> list[str]:
        """Some steps behind each other, and all values that are known then."""
        values = [*known]
        for _ in range(steps):
            kinds = [self._plain, self._plain]
            if depth < MOST_DEPTH and self._ties < MOST_TIES:
                kinds += [self._call, self._loop, self._branch]
                kinds += [self._for, self._scf_if] if piece.name == "main" else []
            last = values[-1]
            values += self._random.choice(kinds)(piece, values, depth)
            if not self._is_read(piece, last):
                # A dead loop would leave its code without a caller.
                values.append(self._sum(piece, last, values[-1]))
        return values

    def _is_read(self, piece: Piece, value: str) -> bool:
        return any(value in re.findall(r"%\w+", line.partition("=")[2]) for line in piece.whole)

    def _sum(self, piece: Piece, one: str, other: str) -> str:
        name = self._name()
        self._put(piece, f"{name} = npu.add {one}, {other} : ({self.type}, {self.type}) -> {self.type}")
        return name

    def _put(self, piece: Piece, line: str) -> None:
        piece.lines.append(line)
        piece.whole.append(line)

    def _plain(self, piece: Piece, values: Sequence[str], depth: int) -> list[str]:
        random, last = self._random, values[-1]
        match random.choice(["relu", "softmax", "add", "product", "product", "turned add"]):
            case "relu":
                self._put(piece, f"{(name := self._name())} = npu.relu {last} : {self.type}")
            case "softmax":
                axis = random.randrange(len(self._sizes))
                line = f"npu.softmax {last} axis = {axis} : ({self.type}) -> {self.type}"
                self._put(piece, f"{(name := self._name())} = {line}")
            case "add":
                name = self._sum(piece, last, random.choice(values))
            case "product":
                name = self._turned(piece, last, self._product)
            case _:
                other = random.choice(values)
                name = self._turned(piece, last, lambda p, v, s: self._added(p, v, s, other))
        return [name]

    def _constant(self, sizes: Sequence[int]) -> str:
        """A constant, most of all of different numbers."""
        numbers = "0.5" if self._random.random() < 0.3 else self._numbers(sizes)
        return f"npu.constant dense<{numbers}> : {_type(sizes)}"

    def _numbers(self, sizes: Sequence[int]) -> str:
        if not sizes:
            return f"{self._random.randint(-99, 99) / 64}"
        return f"[{', '.join(self._numbers(sizes[1:]) for _ in range(sizes[0]))}]"

    def _turned(self, piece: Piece, value: str, inner: Callable[[Piece, str, Sequence[int]], str]) -> str:
        """Some op on a value in another order."""
        order = self._random.choice([*permutations(range(len(self._sizes)))])
        back = [order.index(axis) for axis in range(len(order))]
        sizes = [self._sizes[axis] for axis in order]
        turned = self._name()
        self._put(piece, f"{turned} = npu.transpose {value} permutation = {[*order]} : ({self.type}) -> {_type(sizes)}")
        made = inner(piece, turned, sizes)
        name = self._name()
        self._put(piece, f"{name} = npu.transpose {made} permutation = {back} : ({_type(sizes)}) -> {self.type}")
        return name

    def _product(self, piece: Piece, value: str, sizes: Sequence[int]) -> str:
        matrix = _type([*sizes[:-2], sizes[-1], sizes[-1]])
        weights, name = self._name(), self._name()
        self._put(piece, f"{weights} = {self._constant([*sizes[:-2], sizes[-1], sizes[-1]])}")
        self._put(piece, f"{name} = npu.matmul {value}, {weights} : ({_type(sizes)}, {matrix}) -> {_type(sizes)}")
        return name

    def _added(self, piece: Piece, value: str, sizes: Sequence[int], other: str) -> str:
        """A sum with another value that is only viewed in the sizes."""
        viewed, name = self._name(), self._name()
        self._put(piece, f"{viewed} = npu.reshape {other} : ({self.type}) -> {_type(sizes)}")
        self._put(piece, f"{name} = npu.add {value}, {viewed} : ({_type(sizes)}, {_type(sizes)}) -> {_type(sizes)}")
        return name

    def _given(self, piece: Piece, values: Sequence[str], tie: int) -> str:
        """A value that is handed over; a constant now and then."""
        value = self._random.choice([*values, values[-1], values[-1]])
        if self._random.random() < 0.15:
            value = self._name()
            self._put(piece, f"{value} = {self._constant(self._sizes)}")
        piece.results.append((value, tie))
        return value

    def _taken(self, piece: Piece, tie: int) -> str:
        piece.arguments.append((name := self._name(), tie))
        return name

    def _types(self, count: int) -> str:
        return ", ".join([self.type] * count)

    def _call(self, piece: Piece, values: Sequence[str], depth: int) -> list[str]:
        known = [each for each in self._callable if each[0] is not piece and each[0].calls <= 4]
        if known and self._random.random() < 0.6:
            callee, taken, made = self._random.choice(known)
            if not self._may_call(callee, piece):
                return self._plain(piece, values, depth)
            callee.calls += piece.calls
        else:
            callee, taken, made = Piece(f"f{len(self._pieces)}", piece.calls), self._tie(), self._tie()
            self._function(callee, [taken], depth, lambda values: [values[-1]], [made])
            self._callable.append((callee, taken, made))
        operand, name = self._given(piece, values, taken), self._taken(piece, made)
        piece.whole.append(f"{name} = func.call @{callee.name}({operand}) : ({self.type}) -> {self.type}")
        return [name]

    def _may_call(self, callee: Piece, piece: Piece) -> bool:
        """True if no piece that the callee runs would be counted otherwise, and none calls itself."""
        return piece.name == "main" and not any("@" in line for line in callee.whole)

    def _function(
        self,
        callee: Piece,
        ties: Sequence[int],
        depth: int,
        pick: Callable[[list[str]], list[str]],
        made: Sequence[int],
        head: str = "",
        flag: str = "",
    ) -> None:
        """The code of a private function with arguments of these ties, which returns what is picked of its values."""
        self._pieces.append(callee)
        arguments = [self._name() for _ in ties]
        callee.arguments += [*zip(arguments, ties, strict=True)]
        results = pick(self._code(callee, arguments, depth + 1, self._random.randint(1, 2)))
        callee.results[:0] = [*zip(results, made, strict=True)]
        typed = ", ".join(filter(None, [head, *(f"{each}: {self.type}" for each in arguments)]))
        returned, types = [flag] * bool(flag) + results, ["tensor<i1>"] * bool(flag) + [self.type] * len(results)
        self._functions += [
            f"func.func private @{callee.name}({typed}) -> ({', '.join(types)}) {{",
            *callee.whole,
            f"func.return {', '.join(returned)} : {', '.join(types)}",
            "}",
        ]

    def _loop(self, piece: Piece, values: Sequence[str], depth: int) -> list[str]:
        random = self._random
        states = [self._tie() for _ in range(random.choice([1, 1, 2]))]
        captured = [self._tie() for _ in range(random.choice([0, 0, 1]))]
        steps = random.choice([1, 2, 5, None])
        runs = ASSUMED_SIZE if steps is None else steps
        if steps is None and piece.name != "main":
            steps = runs = 3
        body = Piece(f"f{len(self._pieces)}", piece.calls * runs)

        def picked(known: list[str]) -> list[str]:
            """The values that steps return: the last one, and one that is passed, exchanged, or returned twice."""
            return [known[-1], random.choice(known)][: len(states)][:: random.choice([1, -1])]

        head = f"%i{body.name}: tensor<i64>, %c{body.name}: tensor<i1>"
        self._function(body, [*states, *captured], depth, picked, states, head, f"%c{body.name}")
        count = "%n"
        if steps is not None:
            count = self._name()
            piece.whole.append(f"{count} = npu.constant dense<{steps}> : tensor<i64>")
        operands = [self._given(piece, values, tie) for tie in (*states, *captured)]
        names = [self._taken(piece, tie) for tie in states]
        notes = f', onnx.captures = ["{operands[-1]}"]' if captured else ""
        places = ", ".join(map(str, (0, *range(2, 2 + len(states)))))
        piece.whole.append(
            f'{", ".join(names)} = npu.opaque "onnx.Loop"({", ".join([count, *operands])}) pure'
            f" {{body = @{body.name}, onnx.operands = array<i64: {places}>{notes}}}"
            f" : ({', '.join(['tensor<i64>', *[self.type] * len(operands)])}) -> ({self._types(len(names))})"
        )
        return names

    def _branch(self, piece: Piece, values: Sequence[str], depth: int) -> list[str]:
        if piece.name != "main":
            return self._plain(piece, values, depth)
        captured, made = self._tie(), self._tie()
        branches = [Piece("", piece.calls), Piece("", piece.calls)]
        for branch in branches:
            branch.name = f"f{len(self._pieces)}"
            self._function(branch, [captured], depth, lambda known: [known[-1]], [made])
        operand, name = self._given(piece, values, captured), self._taken(piece, made)
        one, other = (branch.name for branch in branches)
        piece.whole.append(
            f'{name} = npu.opaque "onnx.If"(%flag, {operand}) pure {{then_branch = @{one}, else_branch = @{other},'
            f' onnx.captures = ["{operand}"]}} : (tensor<i1>, {self.type}) -> {self.type}'
        )
        return [name]

    def _for(self, piece: Piece, values: Sequence[str], depth: int) -> list[str]:
        state, steps = self._tie(), self._random.choice([1, 3])
        body = self._region(piece.calls * steps, [state], state, depth)
        operand, name = self._given(piece, values, state), self._taken(piece, state)
        begin, end, step = (self._name() for _ in range(3))
        numbers = ((begin, 0), (end, steps), (step, 1))
        piece.whole += [f"{each} = arith.constant {number} : index" for each, number in numbers]
        argument = body.arguments[0][0]
        piece.whole += [
            f"{name} = scf.for %i{name[1:]} = {begin} to {end} step {step}"
            f" iter_args({argument} = {operand}) -> ({self.type}) {{",
            *body.whole,
            f"scf.yield {body.results[0][0]} : {self.type}",
            "}",
        ]
        return [name]

    def _scf_if(self, piece: Piece, values: Sequence[str], depth: int) -> list[str]:
        """A branch without what is around it, as that is no tie."""
        made = self._tie()
        bodies = [self._region(piece.calls, [], made, depth) for _ in range(2)]
        name = self._taken(piece, made)
        ends = [f"scf.yield {body.results[0][0]} : {self.type}" for body in bodies]
        one, other = ([*body.whole, end] for body, end in zip(bodies, ends, strict=True))
        piece.whole += [f"{name} = scf.if %bit -> ({self.type}) {{", *one, "} else {", *other, "}"]
        return [name]

    def _region(self, calls: int, ties: Sequence[int], made: int, depth: int) -> Piece:
        body = Piece(f"f{len(self._pieces)}", calls)
        self._pieces.append(body)
        arguments = [self._name() for _ in ties]
        body.arguments += [*zip(arguments, ties, strict=True)]
        if not arguments:
            arguments = [self._name()]
            self._put(body, f"{arguments[0]} = {self._constant(self._sizes)}")
        values = [*arguments]
        for _ in range(self._random.randint(1, 2)):
            values += self._plain(body, values, depth)
        body.results.append((values[-1], made))
        return body


def _type(sizes: Sequence[int]) -> str:
    return f"tensor<{'x'.join(map(str, sizes))}xf32>"
