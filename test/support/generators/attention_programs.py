"""Random programs with attention in any form, behind turned queries and keys, caches that grow, and transposes."""

from random import Random

from xdsl.dialects.builtin import ModuleOp

from support.ir_text import parse

LETTERS = "BHNC"


class _Program:
    """The text of a function on values with the axes B, H, N and C, each stored in its own order."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._lines: list[str] = []
        self._arguments: list[str] = []
        self.results: list[tuple[str, str]] = []

    def axes(self) -> str:
        """An order of the axes; those of ONNX and of plain products are frequent."""
        return self._rng.choice(("BHNC", "BHNC", "BNHC", "BHCN", "".join(self._rng.sample(LETTERS, 4))))

    def argument(self, sizes: dict[str, int], axes: str) -> str:
        self._arguments.append(f"%a{len(self._arguments)}: {type_of(sizes, axes)}")
        return f"%a{len(self._arguments) - 1}"

    def value(self, sizes: dict[str, int], axes: str) -> str:
        """A value with these axes: an argument, or an op and transposes behind one."""
        given = self.axes() if self._rng.random() < 0.6 else axes
        found = self.argument(sizes, given)
        if self._rng.random() < 0.3:
            found = self.add(f"npu.relu {found} : {type_of(sizes, given)}")
        return self.transposed(found, sizes, given, axes)

    def transposed(self, value: str, sizes: dict[str, int], given: str, wanted: str) -> str:
        if given == wanted:
            return value
        permutation = [given.index(letter) for letter in wanted]
        types = f"({type_of(sizes, given)}) -> {type_of(sizes, wanted)}"
        return self.add(f"npu.transpose {value} permutation = {permutation} : {types}")

    def add(self, text: str) -> str:
        self._lines.append(f"%v{len(self._lines)} = {text}")
        return f"%v{len(self._lines) - 1}"

    def turned(self, value: str, sizes: dict[str, int], axes: str) -> str:
        """A value behind a rotary embedding, with the same axes."""
        read, made = (axes, axes) if self._rng.random() < 0.5 else (self.axes(), self.axes())
        angles = f"tensor<{sizes['B']}x{sizes['N']}x{sizes['C'] // 2}xf32>"
        given = self.transposed(value, sizes, axes, read)
        place = len(self._arguments)
        self._arguments += [f"%a{place}: {angles}", f"%a{place + 1}: {angles}"]
        stated = "".join(f' {name}_axes = "{each}"' for name, each in (("input", read), ("result", made)))
        types = f"({type_of(sizes, read)}, {angles}, {angles}) -> {type_of(sizes, made)}"
        turned = self.add(f"npu.rotary {given}, %a{place}, %a{place + 1}{stated} : {types}")
        return self.transposed(turned, sizes, made, axes)

    def grown(self, row: str, sizes: dict[str, int], axes: str, past: int) -> str:
        """A cache with a value as its last rows, which leaves as a result as well."""
        before, after = {**sizes, "N": past}, {**sizes, "N": past + sizes["N"]}
        cache = self.argument(before, axes)
        types = f"({type_of(before, axes)}, {type_of(sizes, axes)}) -> {type_of(after, axes)}"
        found = self.add(f"npu.concat {cache}, {row} axis = {axes.index('N')} : {types}")
        self.results.append((found, type_of(after, axes)))
        return found

    def text(self) -> str:
        names, types = zip(*self.results, strict=True)
        body = "\n  ".join(self._lines)
        return f"""func.func @main({", ".join(self._arguments)}) -> ({", ".join(types)}) {{
  {body}
  func.return {", ".join(names)} : {", ".join(types)}
}}"""


def type_of(sizes: dict[str, int], axes: str) -> str:
    return f"tensor<{'x'.join(str(sizes[letter]) for letter in axes)}xf32>"


def attention_program(seed: int) -> ModuleOp:
    rng = Random(seed)
    program = _Program(rng)
    heads, shared = rng.choice(((2, 2), (2, 1), (4, 2)))
    query = {"B": rng.choice((1, 1, 2)), "H": heads, "N": rng.choice((1, 2, 3)), "C": 2}
    key = {**query, "H": shared, "N": rng.choice((1, 2, 3))}
    axes = {name: program.axes() for name in ("query", "key", "value", "result")}
    given = {"query": program.value(query, axes["query"])}
    if rng.random() < 0.4:
        given["query"] = program.turned(given["query"], query, axes["query"])
    grows, past = rng.random() < 0.4, rng.choice((1, 2))
    for name in ("key", "value"):
        row = program.value(key, axes[name])
        if name == "key" and rng.random() < 0.4:
            row = program.turned(row, key, axes[name])
        given[name] = program.grown(row, key, axes[name], past) if grows else row
    whole = {**key, "N": key["N"] + past * grows}
    stated = "".join(f' {name}_axes = "{each}"' for name, each in axes.items() if each != LETTERS)
    types = [type_of(query, axes["query"]), type_of(whole, axes["key"]), type_of(whole, axes["value"])]
    call = f"npu.attention {', '.join(given.values())} scale = 0.5{' causal' * (rng.random() < 0.2)}{stated}"
    made = program.add(f"{call} : ({', '.join(types)}) -> {type_of(query, axes['result'])}")
    wanted = rng.choice([axes["result"], program.axes()])
    result = program.transposed(made, query, axes["result"], wanted)
    if rng.random() < 0.3:
        result = program.add(f"npu.tanh {result} : {type_of(query, wanted)}")
    program.results.append((result, type_of(query, wanted)))
    return parse(program.text())
