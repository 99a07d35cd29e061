"""Families of pairwise different programs, and pairs of equal ones beside them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MATRIX = "tensor<4x4xf32>"
UNARY = f"({MATRIX}) -> {MATRIX}"
BINARY = f"({MATRIX}, {MATRIX}) -> {MATRIX}"
OPS = ("relu", "abs", "exp", "tanh", "neg", "ceil")
VALUES = ("", "1 : i64", "2 : i64", "1 : i32", "true", '"1"', "1.0 : f32", "0.0 : f32", "-0.0 : f32", "[1]", "{k = 1}")
NAN = ("0x7FC00000", "0x7FC00001", "0xFFC00000", "0x7F800000")


@dataclass(frozen=True)
class Family:
    """Programs that differ from each other, and pairs of programs that do not."""

    name: str
    different: tuple[str, ...]
    same: tuple[tuple[str, str], ...]


def main(
    body: str,
    returned: str = "%y",
    arguments: str = f"%a: {MATRIX}, %b: {MATRIX}",
    results: str = MATRIX,
    attributes: str = "",
) -> str:
    types = results.strip("()")
    return f"func.func @main({arguments}) -> {results} {attributes}{{\n{body}\nfunc.return {returned} : {types}\n}}\n"


def function(op: str, name: str = "g", visibility: str = "private ", attributes: str = "") -> str:
    return (
        f"func.func {visibility}@{name}(%x: {MATRIX}) -> {MATRIX} {attributes}{{\n"
        f"%r = npu.{op} %x : {UNARY}\nfunc.return %r : {MATRIX}\n}}\n"
    )


def families() -> Iterator[Family]:
    """All families."""
    yield from symbols()
    yield from modules()
    yield from notes()
    yield from effects()
    yield from foreign()
    yield from blocks()
    yield from calls()
    yield from results()
    yield from constants()
    yield from attributes()
    yield from unknown_sizes()
    yield from versions()


UNUSED = function("sqrt", "unused")
"""A private function without references is ignored."""


def symbols() -> Iterator[Family]:
    """Symbol references anywhere in an attribute count."""
    for place in ("@g", "[@g]", "[[1, @g]]", "{k = @g}", "{k = [{j = @g}]}", "[@h, {k = @g}]"):
        for pure in ("", "pure "):
            opaque = main(f'%y = npu.opaque "my.map"(%a) {pure}{{fns = {place}}} : {UNARY}')
            helper = function("sign", "h")
            yield Family(
                f"{pure}opaque op that names {place}",
                tuple(opaque + helper + function(op) for op in OPS),
                ((opaque + helper + function("relu"), UNUSED + function("relu") + helper + opaque),),
            )
    indirect = main(f'%y = npu.opaque "my.map"(%a) {{fns = [@g]}} : {UNARY}')
    caller = function("relu").replace("npu.relu %x", "func.call @f(%x)")
    yield Family(
        "functions named by those that are named",
        tuple(indirect + caller + function(op, "f") for op in OPS),
        ((indirect + caller + function("abs", "f"), function("abs", "f") + UNUSED + caller + indirect),),
    )
    nested = main(f'%y = npu.opaque "my.map"(%a) {{fns = [@inner::@g]}} : {UNARY}')
    inner = [f"module @inner {{\n{function(op)}}}\n" for op in OPS]
    yield Family(
        "functions named by the way through a module",
        tuple(nested + each for each in inner),
        ((nested + inner[0], UNUSED + inner[0] + nested),),
    )
    pointer = main(f'%y = "test.pureop"(%a) {{f = @g}} : {UNARY}')
    yield Family(
        "functions as values",
        tuple(pointer + function(op) for op in OPS),
        ((pointer + function("abs"), UNUSED + function("abs") + pointer),),
    )
    type_ = main('"test.op"() {t = (!test.type<"x">) -> (), f = [{k = [@g]}]} : () -> ()', "%a")
    yield Family(
        "ops of other dialects that name functions",
        tuple(type_ + function(op) for op in OPS),
        ((type_ + function("abs"), function("abs") + type_ + UNUSED),),
    )


def modules() -> Iterator[Family]:
    """All contents of a module count, at any depth."""
    relu = main(f"%y = npu.relu %a : {UNARY}")
    for around in ("module @inner {{\n{}}}\n", "module {{\n{}}}\n", "module @a {{\nmodule @b {{\n{}}}\n}}\n"):
        inner = [around.format(function(op, "f", "")) for op in OPS]
        yield Family(
            f"functions in {around.split('{{')[0]}of a module",
            (*(relu + each for each in inner), relu, relu + around.format(function("relu", "g", ""))),
            (
                (relu + inner[0], inner[0] + UNUSED + relu),
                (relu + inner[0], relu + inner[0].replace("%r", "%s")),
                (relu + inner[0], relu + around.format(function("relu", "f", "") + UNUSED)),
            ),
        )
    ops = [f'"test.op"() {{k = {value}}} : () -> ()\n' for value in VALUES[1:]]
    named = '"test.op"() {k = [@g]} : () -> ()\n'
    yield Family(
        "ops of a module that are no functions",
        (relu, *(relu + op for op in ops), relu + ops[0] + ops[0], relu + ops[0] + ops[1], relu + ops[1] + ops[0]),
        ((relu + ops[0], ops[0] + UNUSED + relu),),
    )
    yield Family(
        "ops of a module that name functions",
        tuple(relu + named + function(op) for op in OPS),
        ((relu + named + function("abs"), function("abs") + relu + UNUSED + named),),
    )
    yield Family(
        "visibility and names",
        (
            relu,
            relu.replace("@main", "@other"),
            relu.replace("@main", "nested @main"),
            relu + function("abs", "g", ""),
            relu + function("relu", "g", ""),
        ),
        ((relu, relu.replace("@main", "public @main")), (relu, UNUSED + relu)),
    )


def notes() -> Iterator[Family]:
    """Attributes of other dialects on an op, a function, an argument, a result or a module count."""
    relu = main(f"%y = npu.relu %a : {UNARY}")
    call = main(f"%y = func.call @g(%a) : {UNARY}")
    yield _noted("a module", "module ATTRIBUTES {\n" + relu + "}\n")
    yield _noted("a function", main(f"%y = npu.relu %a : {UNARY}", attributes="ATTRIBUTES "))
    yield _noted("an argument", main(f"%y = npu.relu %a : {UNARY}", arguments=f"%a: {MATRIX} NOTES"))
    yield _noted("a result", relu.replace(f"-> {MATRIX} {{", f"-> ({MATRIX} NOTES) {{"))
    yield _noted("an op", main(f"%y = npu.relu %a NOTES : {UNARY}"))
    yield _noted("a call", main(f"%y = func.call @g(%a) NOTES : {UNARY}") + function("abs"))
    yield _noted("a callee", call + function("abs", attributes="ATTRIBUTES "))
    returned = f"func.return %y : {MATRIX}"
    yield _noted("a return", relu.replace(returned, f'"func.return"(%y) NOTES : ({MATRIX}) -> ()'))
    yield _noted("an opaque op", main(f'%y = npu.opaque "my.f"(%a) NOTES : {UNARY}'))


def _noted(what: str, text: str) -> Family:
    def program(value: str, name: str = "vendor.k") -> str:
        found = f"{{{name} = {value}}}" if value else ""
        return text.replace("ATTRIBUTES", f"attributes {found}" if value else "").replace("NOTES", found)

    same = [(program("1 : i64"), program("1 : i64").replace("%y", "%z")), (program(""), program("1", "onnx.name"))]
    return Family(f"what is said of {what}", tuple(map(program, VALUES)), tuple(same))


def effects() -> Iterator[Family]:
    """Ops that are not known to be pure count in program order."""
    log, send = (f'npu.opaque "my.{name}"({{}}) : ({MATRIX}) -> ()\n' for name in ("log", "send"))
    yield Family(
        "sequence of effects",
        tuple(
            main(body, "%a")
            for body in (
                "",
                log.format("%a"),
                log.format("%b"),
                log.format("%a") * 2,
                log.format("%a") + log.format("%b"),
                log.format("%b") + log.format("%a"),
                log.format("%a") + send.format("%a"),
                send.format("%a") + log.format("%a"),
            )
        ),
        ((main(log.format("%a"), "%a"), main(f"%u = npu.abs %a : {UNARY}\n" + log.format("%a"), "%a")),),
    )
    draw = f'%{{}} = npu.opaque "onnx.RandomNormal"() : () -> {MATRIX}\n'
    two = draw.format("p") + draw.format("q")
    yield Family(
        "random numbers",
        (
            main(two + f"%y = npu.sub %p, %q : {BINARY}"),
            main(two + f"%y = npu.sub %q, %p : {BINARY}"),
            main(two + f"%y = npu.sub %p, %p : {BINARY}"),
            main(two + f"%y = npu.sub %q, %q : {BINARY}"),
            main(draw.format("p") + f"%y = npu.sub %p, %p : {BINARY}"),
            main(draw.format("p").replace(" :", " pure :") + f"%y = npu.sub %p, %p : {BINARY}"),
        ),
        ((main(two + f"%y = npu.add %p, %q : {BINARY}"), main(two + f"%y = npu.add %q, %p : {BINARY}")),),
    )
    hidden = f"func.func private @g(%x: {MATRIX}) -> {MATRIX} {{\n{log.format('%x')}func.return %x : {MATRIX}\n}}\n"
    called = main(f"%y = func.call @g(%a) : {UNARY}")
    twice = main(f"%z = func.call @g(%a) : {UNARY}\n%y = func.call @g(%z) : {UNARY}")
    yield Family(
        "effects of callees",
        (
            called + hidden,
            called + hidden.replace("log", "send"),
            called + hidden.replace(log.format("%x"), ""),
            called + hidden.replace(log.format("%x"), log.format("%x") * 3),
            twice + hidden,
        ),
        ((twice + hidden, main(log.format("%a") * 2, "%a")), (called + hidden, main(log.format("%a"), "%a"))),
    )
    region = '"test.op"() ({{\n"test.termop"() {{k = {} : i64}} : () -> ()\n}}) : () -> ()'
    yield Family(
        "effects in regions",
        tuple(main(region.format(number), "%a") for number in range(6)),
        ((main(region.format(0), "%a"), main(f"%u = npu.abs %a : {UNARY}\n" + region.format(0), "%a")),),
    )


def foreign() -> Iterator[Family]:
    """All attributes of foreign ops count."""
    programs = [
        main(f'%y = npu.opaque "my.f"(%a) pure {f"{{k = {value}}} " if value else ""}: {UNARY}') for value in VALUES
    ]
    yield Family("attributes of opaque ops", tuple(programs), ((programs[1], programs[1] + UNUSED),))
    names = [main(f'%y = npu.opaque "{name}"(%a) pure : {UNARY}') for name in ("my.f", "my.g", "your.f", "f", "my..f")]
    yield Family("names of opaque ops", tuple(names), ((names[0], UNUSED + names[0]),))
    arith = [
        main(f"%y = arith.constant {value}", results=value.rpartition(" ")[2], arguments="")
        for value in (
            "1 : i32",
            "2 : i32",
            "-1 : i32",
            "1 : i64",
            "0.0 : f32",
            "-0.0 : f32",
            "0.0 : f64",
            "1 : index",
            *(f"{bits} : f32" for bits in NAN),
        )
    ]
    yield Family("constants of other dialects", tuple(arith), ((arith[0], arith[0].replace("%y", "%z")),))
    divide = "%y = arith.{} %i, %j : i32"
    integers = "%i: i32, %j: i32"
    divisions = [
        main(divide.format(name), arguments=integers, results="i32")
        for name in ("divsi", "divui", "remsi", "floordivsi")
    ]
    divisions.append(main("%y = arith.divsi %j, %i : i32", arguments=integers, results="i32"))
    yield Family("pure ops of other dialects", tuple(divisions), ((divisions[0], divisions[0].replace("%i", "%k")),))
    encodings = [f"tensor<4xf32{each}>" for each in ("", ', "a"', ', "b"', ", 1 : i32", ", {k = @g}")]
    encoded = [
        main('%y = "test.op"() : () -> ' + each, arguments="", results=each).replace("@main", "@main")
        for each in encodings
    ]
    made = [main(f'%t = "test.op"() : () -> {each}', "%a") for each in encodings]
    yield Family("encodings that are no layouts", tuple(encoded), ((encoded[1], encoded[1].replace("%y", "%z")),))
    coloured = encodings[0].replace(">", ", #npu.layout<Tensor>>")
    yield Family("encodings inside", tuple(made), ((made[0], main(f'%t = "test.op"() : () -> {coloured}', "%a")),))


def blocks() -> Iterator[Family]:
    """Branches, successors and the ops of all blocks count."""
    text = (
        f"cf.cond_br %c, ^{{}}, ^{{}}\n^bb1:\n%p = npu.{{}} %a : {UNARY}\nfunc.return %p : {MATRIX}\n"
        f"^bb2:\n%q = npu.{{}} %a : {UNARY}\nfunc.return %q : {MATRIX}"
    )
    arguments = f"%a: {MATRIX}, %c: i1"
    bodies = [text.format(*each) for each in _branches()]
    programs = [f"func.func @main({arguments}) -> {MATRIX} {{\n{body}\n}}\n" for body in bodies]
    yield Family("branches", tuple(programs), ((programs[0], UNUSED + programs[0]),))
    called = main(f"%y = func.call @g(%a, %c) : ({MATRIX}, i1) -> {MATRIX}", arguments=arguments)
    callees = [each.replace("@main", "private @g") for each in programs]
    yield Family(
        "callees of several blocks",
        tuple(called + each for each in callees),
        ((called + callees[0], callees[0] + UNUSED + called),),
    )
    passed = [
        f"func.func @main(%a: {MATRIX}, %b: {MATRIX}) -> {MATRIX} {{\n"
        f"cf.br ^bb1({each} : {MATRIX}, {MATRIX})\n^bb1(%p: {MATRIX}, %q: {MATRIX}):\n"
        f"%y = npu.sub %p, %q : {BINARY}\nfunc.return %y : {MATRIX}\n}}\n"
        for each in ("%a, %b", "%b, %a", "%a, %a", "%b, %b")
    ]
    yield Family("operands of branches", tuple(passed), ((passed[0], UNUSED + passed[0]),))
    weights = (
        passed[0]
        .replace("npu.sub %p, %q", "npu.sub %p, %w")
        .replace("%y = npu", f'%w = npu.constant #npu.reference<"KEY"> : {MATRIX}\n%y = npu')
    )
    keys = ('w", "k', 'w", "l', 'v", "k', 'w", "k", [1, 0', 'w", "k", reshaped [1, 0')
    yield Family(
        "constants in blocks",
        tuple(weights.replace('KEY"', key + ('"' if key.count('"') == 2 else "]")) for key in keys),
        ((weights.replace("KEY", keys[0]), UNUSED + weights.replace("KEY", keys[0])),),
    )


def _branches() -> Iterable[tuple[str, str, str, str]]:
    for first in ("relu", "abs", "exp"):
        for second in ("tanh", "neg"):
            yield "bb1", "bb2", first, second
            yield "bb2", "bb1", first, second


def calls() -> Iterator[Family]:
    """Declarations are identified by their names."""
    names = ("f", "g", "h", "g2", "gg")
    declared = [
        main(f"%y = func.call @{name}(%a) : {UNARY}") + f"func.func private @{name}({MATRIX}) -> {MATRIX}\n"
        for name in names
    ]
    yield Family("declarations", tuple(declared), ((declared[0], UNUSED + declared[0]),))
    twice = main(f"%z = func.call @f(%a) : {UNARY}\n%y = func.call @g(%z) : {UNARY}")
    both = [twice + function(one, "f") + function(other, "g") for one in OPS[1:4] for other in OPS[1:4]]
    yield Family(
        "callees",
        tuple(both),
        ((both[1], main(f"%z = npu.abs %a : {UNARY}\n%y = npu.exp %z : {UNARY}")), (both[0], UNUSED + both[0])),
    )
    loop = function("relu").replace("npu.relu %x", "func.call @h(%x)") + function("relu", "h").replace(
        "func.return", f"%s = func.call @g(%r) : {UNARY}\nfunc.return"
    )
    start = main(f"%y = func.call @g(%a) : {UNARY}")
    recursive = [start + loop.replace("npu.relu", f"npu.{op}") for op in OPS]
    yield Family("recursion", tuple(recursive), ((recursive[0], UNUSED + recursive[0]),))


def results() -> Iterator[Family]:
    """Results count by their positions."""
    body = f"%y = npu.exp %a : {UNARY}\n%z = npu.abs %b : {UNARY}"
    both = [f"{one}, {other}" for one in ("%a", "%b", "%y", "%z") for other in ("%a", "%b", "%y", "%z")]
    types = f"{MATRIX}, {MATRIX}"
    programs = [main(body, each, results=f"({types})") for each in both]
    swapped = "\n".join(reversed(body.splitlines()))
    yield Family("order of results", tuple(programs), ((programs[11], main(swapped, "%y, %z", results=f"({types})")),))
    halves = "(tensor<2x4xf32>, tensor<2x4xf32>)"
    split = f"%p, %q = npu.split %a axis = 0 sizes = [2, 2] : ({MATRIX}) -> {halves}\n"
    joined = [
        main(f"{split}%y = npu.concat {each} axis = {axis} : {halves} -> {type_}", results=type_)
        for each in ("%p, %q", "%q, %p", "%p, %p", "%q, %q")
        for axis, type_ in ((0, MATRIX), (1, "tensor<2x8xf32>"))
    ]
    yield Family("results of one op", tuple(joined), ((joined[0], joined[0].replace("%p", "%u")),))


def constants() -> Iterator[Family]:
    """Constants count by their bits and their types."""
    scalars = [
        *(
            f"dense<{value}> : tensor<2x2x{type_}>"
            for type_ in ("f16", "bf16", "f32", "f64")
            for value in ("0.0", "-0.0")
        ),
        *(f"dense<{value}> : tensor<2x2x{type_}>" for type_ in ("i8", "ui8", "i16", "i64") for value in ("0", "1")),
        *(f"dense<{bits}> : tensor<2x2xf32>" for bits in NAN),
        *(f"dense<{value}> : tensor<2x2xi1>" for value in ("true", "false")),
        "dense<1.0009765625> : tensor<2x2xf16>",
        "dense<1.0078125> : tensor<2x2xbf16>",
        "dense<-1> : tensor<2x2xi8>",
        "dense<-128> : tensor<2x2xi8>",
    ]
    yield _constants("equal elements", scalars)
    masks = [f"dense<[[{a}, {b}], [{c}, {d}]]> : tensor<2x2xi1>" for a, b, c, d in _masks()]
    yield _constants("masks", masks)
    numbers = ("1.0, 2.0", "2.0, 1.0", "1.0, 1.0", "2.0, 2.0", "1.0, -2.0", "0.0, -0.0", "-0.0, 0.0")
    rows = [f"dense<[[{one}], [{other}]]> : tensor<2x2xf32>" for one in numbers for other in numbers[:3]]
    yield _constants("order of elements", rows)


def _masks() -> Iterator[tuple[str, str, str, str]]:
    for number in range(16):
        first, second, third, fourth = ("true" if number >> bit & 1 else "false" for bit in range(4))
        yield first, second, third, fourth


def _constants(name: str, values: Iterable[str]) -> Family:
    texts = [main(f"%y = npu.constant {each}", arguments="", results=each.rpartition(": ")[2]) for each in values]
    turned = texts[1].replace("%y =", "%c =")
    type_ = texts[1].rpartition(": ")[2].split("\n")[0]
    there = f"permutation = [1, 0] : ({type_}) -> {type_}"
    views = f"%d = npu.transpose %c {there}\n%y = npu.transpose %d {there}\nfunc.return"
    return Family(f"constants: {name}", tuple(texts), ((texts[1], turned.replace("func.return", views)),))


def attributes() -> Iterator[Family]:
    """Attributes of the dialect's ops count."""
    lines = {
        "alpha": [f"leaky_relu %a alpha = {value} : {UNARY}" for value in ("0.1", "0.2", "0.0", "-0.0", "-0.1")],
        "axis": [f"{op} %a axis = {axis} : {UNARY}" for op in ("softmax", "log_softmax") for axis in (0, 1)],
        "axes": [f"reverse %a axes = {axes} : {UNARY}" for axes in ([0], [1], [0, 1])],
        "permutation": [f"reverse %a axes = [0] : {UNARY}", f"transpose %a permutation = [1, 0] : {UNARY}"],
        "product": [f"matmul {operands}{flags} : {BINARY}" for operands in ("%a, %b", "%b, %a") for flags in FLAGS],
        "scale": [
            f"quantize %a, %c, %z : ({MATRIX}, tensor<f32>, tensor<{kind}>) -> tensor<4x4x{kind}>"
            for kind in ("i8", "ui8")
        ],
    }
    for name, each in lines.items():
        programs = [_attributes(line) for line in each]
        extra = programs[0].replace("%y =", f"%u = npu.abs %b : {UNARY}\n%y =", 1)
        yield Family(f"attributes: {name}", tuple(programs), ((programs[0], extra),))
    scales = [
        QUANTISED.replace("SCALE", scale).replace("ZERO", zero)
        for scale in ("0.5", "0.25", "1.0")
        for zero in ("0", "1", "-1")
    ]
    yield Family("quantised parameters", tuple(scales), ((scales[0], scales[0].replace("%s", "%t")),))


FLAGS = ("", " trans_a", " trans_b")
QUANTISED = main(
    "%s = npu.constant dense<SCALE> : tensor<f32>\n%z = npu.constant dense<ZERO> : tensor<i8>\n"
    f"%y = npu.quantize %a, %s, %z : ({MATRIX}, tensor<f32>, tensor<i8>) -> tensor<4x4xi8>",
    results="tensor<4x4xi8>",
)


def _attributes(line: str) -> str:
    type_ = line.rpartition("-> ")[2]
    parameters = type_.replace("4x4x", "")
    arguments = f"%a: {MATRIX}, %b: {MATRIX}, %c: tensor<f32>, %z: {parameters}"
    return main(f"%y = npu.{line}", arguments=arguments, results=type_)


def unknown_sizes() -> Iterator[Family]:
    """Dynamic sizes are distinguished by their sources."""
    source, type_ = "tensor<?x?x?xf32>", "tensor<?x?xf32>"
    dims = ("[@in0, ?]", "[@in1, ?]", "[@in2, ?]", "[?, @in0]", "[?, @in1]", "[?, @in2]")
    programs = [
        main(f"%y = npu.reshape %a dims = {each} : ({source}) -> {type_}", arguments=f"%a: {source}", results=type_)
        for each in dims
    ]
    apart = "%t = npu.transpose %a permutation = [0, 1, 2] : {0}\n%y = npu.reshape %t"
    yield Family(
        "sizes of reshapes",
        tuple(programs),
        ((programs[0], programs[0].replace("%y = npu.reshape %a", apart.format(source))),),
    )


def versions() -> Iterator[Family]:
    """An op kept as an ONNX node has the meaning of its version of ONNX."""
    for name, domain in (("onnx.Resize", ""), ("com.microsoft.Attention", "com.microsoft")):
        opaque = main(f'%y = npu.opaque "{name}"(%a) pure : {UNARY}')
        around = 'module attributes {{onnx.opsets = {{"{}" = {} : i64, "other" = {} : i64}}}} {{\n{}}}\n'
        programs = [around.format(domain, number, 1, opaque) for number in (10, 11, 13, 19)]
        yield Family(f"versions of {name}", tuple(programs), ((programs[0], around.format(domain, 10, 2, opaque)),))
    relu = main(f"%y = npu.relu %a : {UNARY}")
    mapped = [f'module attributes {{onnx.opsets = {{"" = {each} : i64}}}} {{\n{relu}}}\n' for each in (10, 11)]
    yield Family("versions of nothing", (), ((mapped[0], mapped[1]), (mapped[0], relu)))
