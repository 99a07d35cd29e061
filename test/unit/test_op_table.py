"""Tables of ops: one entry per op, in the module of its family; the error for a missing entry names the op."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from npu_opt.compat.xdsl import failing_op, without_module_dumps
from npu_opt.dialects.npu.elementwise import UnaryOp
from npu_opt.dialects.npu.unary import CosOp, SinOp
from npu_opt.dialects.op_table import NameTable, OpTable
from npu_opt.interpreter import InterpreterError, evaluate
from support import optional_tools
from support.ir_text import context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException


@irdl_op_definition
class UnlistedOp(UnaryOp):
    """An op without an entry in any table."""

    name = "npu.unlisted"


def program() -> tuple[ModuleOp, UnlistedOp]:
    loaded = context()
    loaded.load_registered_dialect("npu")
    loaded.load_op(UnlistedOp)
    text = """
        func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
          %y = "npu.unlisted"(%x) : (tensor<2xf32>) -> tensor<2xf32>
          func.return %y : tensor<2xf32>
        }"""
    module = Parser(loaded, text).parse_module()
    (op,) = (each for each in module.walk() if isinstance(each, UnlistedOp))
    return module, op


def to_onnx(module: ModuleOp) -> object:
    pytest.importorskip("onnx", reason="onnx is not installed: pip install -e '.[onnx]'")
    from npu_opt.bridges.onnx.exporting import to_onnx

    return to_onnx(module)


def to_mlir(module: ModuleOp) -> object:
    if optional_tools.mlir_bindings().location is None:
        pytest.skip(optional_tools.mlir_bindings().note)
    from npu_opt.bridges.mlir.exporting.program import lowered, mlir_context

    with mlir_context():
        return lowered(module)


@pytest.mark.parametrize(
    ("use", "problem"),
    [
        (to_onnx, "has no counterpart in ONNX"),
        (to_mlir, "has no counterpart in MLIR"),
    ],
)
def test_op_without_entry_is_an_error_at_the_op(use: Callable[[ModuleOp], object], problem: str):
    module, op = program()
    with pytest.raises(DiagnosticException, match=rf"^'npu\.unlisted' {problem}$") as caught, without_module_dumps():
        use(module)
    assert failing_op(caught.value) is op


def test_op_without_entry_has_no_meaning():
    _, op = program()
    with pytest.raises(InterpreterError, match=r"^'npu\.unlisted' cannot be evaluated$"):
        evaluate(op, [np.zeros(2, np.float32)])


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package whose modules unary and other note that they are imported, and enter ops in TABLE."""
    name = "tabled"
    (tmp_path / name).mkdir()
    for module in ("__init__", "unary", "other"):
        (tmp_path / name / f"{module}.py").write_text("")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    for module in (name, f"{name}.unary", f"{name}.other"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    return name


def entry(op: Operation) -> str:
    return op.name


def test_module_of_a_family_is_imported_on_first_access(package: str):
    table = OpTable[object](package, KeyError)
    assert SinOp not in table
    assert f"{package}.unary" in sys.modules
    assert f"{package}.other" not in sys.modules
    assert list(table) == []
    assert f"{package}.other" in sys.modules


def test_second_entry_is_an_error(package: str):
    table = OpTable[object](package, KeyError)
    table.enter(SinOp)(entry)
    assert table[SinOp] is entry
    with pytest.raises(ValueError, match=r"^two entries for npu\.sin: "):
        table.enter(SinOp)(entry)
    names = NameTable[object](package)
    names.enter("Sin", "Cos")(entry)
    with pytest.raises(ValueError, match=r"^two entries for Cos: "):
        names.enter("Cos")(entry)
    assert names.get("Tan") is None


def test_rest_is_entered_where_nothing_is(package: str):
    def rest(op: Operation) -> str:
        return f"rest: {op.name}"

    table = OpTable[object](package, KeyError)
    table.enter(SinOp)(entry)
    table.enter_rest([SinOp, CosOp, CosOp])(rest)
    assert (table[SinOp], table[CosOp]) == (entry, rest)
