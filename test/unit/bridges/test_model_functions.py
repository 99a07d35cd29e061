"""Functions of models: default values of their attributes, and functions that have the names of ops."""

from pathlib import Path

import npu_opt
import numpy as np
import pytest
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.interpreter import run
from npu_opt.tools import opt
from onnx import ModelProto, parser
from support.oracles.onnx_running import executed

X = np.array([-1, 2, -3, 4], np.float32)
MAIN = '<ir_version: 9, opset_import: ["": 18, "local": 1]> net (float[4] x) => (float[4] y) {{ {} }}'
FUNCTION = '<domain: "local", opset_import: ["": 18, "local": 1]> {}'
F = "F <alpha: float = 0.5> (x) => (y) { y = LeakyRelu <alpha: float = @alpha> (x) }"
SCALES = "S <a, b> (x) => (y) { c = local.F <alpha: float = @a> (x) y = local.F <alpha: float = @b> (c) }"


def model(main: str, *functions: str) -> ModelProto:
    return parser.parse_model(MAIN.format(main) + "".join(map(FUNCTION.format, functions)))


MODELS = {
    "a default": model("y = local.F (x)", F),
    "a value": model("y = local.F <alpha = 0.25> (x)", F),
    "both": model("a = local.F (x) y = local.F <alpha = 0.25> (a)", F),
    "no default": model("y = local.F (x)", "F <alpha> (x) => (y) { y = LeakyRelu <alpha: float = @alpha> (x) }"),
    "a default within": model("y = local.G (x)", F, "G (x) => (y) { y = local.F (x) }"),
    "a default handed on": model(
        "y = local.G (x)", F, "G <b: float = 0.25> (x) => (y) { y = local.F <alpha: float = @b> (x) }"
    ),
    "a value handed on": model(
        "y = local.G <b = 0.75> (x)", F, "G <b: float = 0.25> (x) => (y) { y = local.F <alpha: float = @b> (x) }"
    ),
    "an absent one handed on": model("y = local.G (x)", F, "G <b> (x) => (y) { y = local.F <alpha: float = @b> (x) }"),
    "absent ones by turns": model(
        "c = local.S (x) d = local.S <a = 0.125> (c) e = local.S <b = 0.125> (d) y = local.S <a = 2.0, b = 0.125> (e)",
        F,
        SCALES,
    ),
    "a function of the name of a copy": model(
        "c = local.S (x) y = local.S_ (c)", F, SCALES, "S_ (x) => (y) { y = Neg (x) }"
    ),
    "in a subgraph": model(
        "y = local.I (x)",
        F,
        "I <alpha: float = 0.375> (x) => (y) { c = Constant <value = bool {1}> () y = If (c)"
        " <then_branch = t () => (a) { a = local.F <alpha: float = @alpha> (x) }, else_branch = e () => (b)"
        " { d = local.F (x) b = Elu <alpha: float = @alpha> (d) }> }",
    ),
    "numbers": model(
        "y = local.P (x)",
        "P <axes: ints = [0, 1], scale: float = 2.0> (x) => (y) { s = Constant <value_float: float = @scale> ()"
        " a = Constant <value_ints: ints = @axes> () b = Unsqueeze (x, a) c = Mul (b, s) y = Squeeze (c, a) }",
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_defaults_of_attributes(name: str, tmp_path: Path):
    """They are those of ONNX Runtime, in the program and in the file."""
    proto = MODELS[name]
    (expected,) = executed(proto, [X])
    module = import_model(tmp_path / "model.onnx", Options(inline_limit=None), model=proto).module
    (found,) = run(module, "main", [X])
    np.testing.assert_array_equal(found, expected)
    written = npu_opt.optimize(proto, target="onnx").to_onnx()
    np.testing.assert_array_equal(executed(written, [X])[0], expected)
    assert npu_opt.check(proto, written).word == "proved"


def test_defaults_that_differ_are_different():
    other = model("y = local.F (x)", F.replace("0.5", "0.25"))
    assert npu_opt.check(MODELS["a default"], other).word == "different"


STANDARD = '<domain: "{}", opset_import: ["": 18]> {} (x) => (y) {{ y = Neg (x) }}'
NAMED = [
    pytest.param("", "Relu", "Relu 'y'", id="an op of ONNX"),
    pytest.param("com.microsoft", "QuickGelu", "QuickGelu 'y'", id="an op of ONNX Runtime"),
]


@pytest.mark.parametrize(("domain", "name", "said"), NAMED)
def test_a_function_with_the_name_of_an_op(
    domain: str, name: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """ONNX leaves open which of the two a node means, and ONNX Runtime and onnx decide differently."""
    call = f"{domain}.{name}".removeprefix(".")
    imports = '"": 18, "com.microsoft": 1'
    text = f"<ir_version: 9, opset_import: [{imports}]> net (float[4] x) => (float[4] y) {{ y = {call} (x) }}"
    path = tmp_path / "model.onnx"
    path.write_bytes(parser.parse_model(text + STANDARD.format(domain, name)).SerializeToString())
    assert opt.run([str(path)]) == 1
    assert capsys.readouterr().err == (
        f"{path}: error: {said}: the model has a function with the name of this op, and runtimes differ in which of the"
        " two they run: rename the function, or remove it\n"
    )
    # Where no node calls it, it has no meaning.
    unused = parser.parse_model(text.replace(f"y = {call}", "y = Abs") + STANDARD.format(domain, name))
    path.write_bytes(unused.SerializeToString())
    assert opt.run([str(path)]) == 0
    assert "npu.abs" in capsys.readouterr().out


@pytest.mark.parametrize(("version", "body", "is_refused"), [
    (12, "y = Softmax (x)", True),
    (12, "c = Constant <value = bool {1}> () y = If (c) <then_branch = t () => (float[4] a)"
     " { a = Hardmax <axis = 0> (x) }, else_branch = e () => (float[4] b) { b = Neg (x) }>", True),
    (12, "y = Relu (x)", False),
    (13, "y = Softmax (x)", False),
])  # fmt: skip
def test_an_op_of_a_function_that_is_another_op_in_the_version_of_the_model(version: int, body: str, is_refused: bool):
    """ONNX Runtime and onnx run it as the op of the model's version."""
    text = f'<domain: "local", opset_import: ["": {version}]> F (x) => (y) {{ {body} }}'
    made = parser.parse_model(MAIN.format("y = local.F (x)") + text)
    if not is_refused:
        assert npu_opt.check(made, made)
        return
    with pytest.raises(npu_opt.NpuOptError, match=f"in ONNX {version}, the version of the function 'F', .* give both"):
        npu_opt.check(made, made)
    # Where no node calls it, it has no meaning.
    unused = parser.parse_model(MAIN.format("y = Abs (x)") + text)
    assert npu_opt.check(unused, unused)


OVERLOADS = {
    "": "F (x) => (y) { y = Neg (x) }",
    "other": "F (x) => (y) { y = Abs (x) }",
}


def overloaded(functions: list[str], called: str) -> ModelProto:
    """A model with a function that calls another one of this overload."""
    given = model("y = local.G (x)", *(OVERLOADS[each] for each in functions), "G (x) => (y) { y = local.F (x) }")
    given.ir_version = 10
    for function, overload in zip(given.functions, functions, strict=False):
        function.overload = overload
    given.functions[-1].node[0].overload = called
    return given


@pytest.mark.parametrize("functions", [["", "other"], ["other", ""]])
def test_a_function_that_calls_an_overload(functions: list[str]):
    """ONNX Runtime forgets which overload a call in a function names."""
    np.testing.assert_array_equal(executed(overloaded(functions, ""), [X])[0], -X)
    result = npu_opt.load(overloaded(functions, ""))
    np.testing.assert_array_equal(run(result.module, "main", [X])[0], -X)
    with pytest.raises(npu_opt.NpuOptError, match=r"a call of 'local\.F\.other' in a function, .* takes 'local\.F'"):
        npu_opt.load(overloaded(functions, "other"))
    alone = npu_opt.load(overloaded(["other"], "other"))
    np.testing.assert_array_equal(run(alone.module, "main", [X])[0], np.abs(X))
