"""Cached symbol tables: the same results as xDSL's, and the same errors of the verifier."""

from collections import Counter
from pathlib import Path

import pytest
from npu_opt.dialects.program.symbols import Symbols, verify
from npu_opt.tools.opt import run as npu_opt
from support.ir_text import parse
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation
from xdsl.traits import SymbolOpInterface, SymbolTable
from xdsl.utils.exceptions import VerifyException

NESTED = """
func.func @one() { func.return }
builtin.module @inner {
  func.func @one() { func.call @two() : () -> () func.return }
  func.func @two() { func.return }
  builtin.module @inmost { func.func private @three() }
}
func.func @calls() { func.call @one() : () -> () func.return }
"""


def ops(module: ModuleOp, kind: type[Operation]) -> list[Operation]:
    return [op for op in module.walk() if isinstance(op, kind)]


@pytest.mark.parametrize(
    "name",
    [
        SymbolRefAttr("one"),
        SymbolRefAttr("two"),
        SymbolRefAttr("calls"),
        SymbolRefAttr("inner", ["one"]),
        SymbolRefAttr("inner", ["inmost", "three"]),
        SymbolRefAttr("inner", ["nothing"]),
        SymbolRefAttr("nothing", ["one"]),
        SymbolRefAttr("nothing"),
        "one",
    ],
)
def test_symbols_are_those_that_xdsl_finds(name: str | SymbolRefAttr):
    module = parse(NESTED)
    symbols = Symbols()
    found = [symbols.lookup(op, name) for op in module.walk()]
    assert found == [SymbolTable.lookup_symbol(op, name) for op in module.walk()]


def test_an_op_without_a_symbol_table_has_no_symbols():
    module = parse(NESTED)
    function = module.body.block.first_op
    assert function is not None
    assert Symbols().lookup(function, SymbolRefAttr("one", ["two"])) is None


def test_of_several_with_one_name_the_first_counts():
    module = parse("func.func @one() { func.return }")
    first = module.body.block.first_op
    assert first is not None
    module.body.block.add_op(first.clone())
    assert Symbols().lookup(module, SymbolRefAttr("one")) is first


def test_a_table_is_read_once(monkeypatch: pytest.MonkeyPatch):
    """Or a program of many calls would take time that grows with the square of its length."""
    functions = "\n".join(f"func.func private @f{number}()" for number in range(100))
    calls = "\n".join(f"func.call @f{number}() : () -> ()" for number in range(100))
    module = parse(f"func.func @main() {{ {calls} func.return }} {functions}")
    looked_at: Counter[Operation] = Counter()
    original = SymbolOpInterface.get_sym_attr_name

    def counted(self: SymbolOpInterface, op: Operation) -> StringAttr | None:
        looked_at[op] += 1
        return original(self, op)

    monkeypatch.setattr(SymbolOpInterface, "get_sym_attr_name", counted)
    verify(module)
    # Once as the table is read, and once as the function is verified itself.
    assert {looked_at[function] for function in ops(module, FuncOp)} == {2}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("func.func @main() { func.call @nobody() : () -> () func.return }", "could not be found in symbol table"),
        (
            "func.func private @f(i32) func.func @main() { func.call @f() : () -> () func.return }",
            "incorrect number of operands for callee",
        ),
        (
            "builtin.module @f {} func.func @main() { func.call @f() : () -> () func.return }",
            "does not reference a valid function",
        ),
    ],
)
def test_calls_are_verified_as_before(text: str, message: str):
    module = parse(text)
    for each in (ModuleOp.verify, verify):
        with pytest.raises(VerifyException, match=message):
            each(module)


def test_xdsl_is_left_as_it_was():
    before = SymbolTable.__dict__["lookup_symbol"]
    verify(parse(NESTED))
    with pytest.raises(VerifyException):
        verify(parse("func.func @main() { func.call @nobody() : () -> () func.return }"))
    assert SymbolTable.__dict__["lookup_symbol"] is before
    call = ops(parse(NESTED), CallOp)[0]
    assert isinstance(call, CallOp)
    assert SymbolTable.lookup_symbol(call, call.callee) is not None


def test_a_redefined_symbol_is_reported_at_the_second_definition(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "p.mlir"
    file.write_text("func.func private @f()\nfunc.func private @g()\nfunc.func private @f()\n")
    assert npu_opt([str(file)]) == 1
    assert capsys.readouterr().err.startswith(f'{file}:3:1: error: Redefinition of symbol "f"\n')
    file.write_text("builtin.module { builtin.module { func.func private @f()\nfunc.func private @f() } }")
    assert npu_opt([str(file)]) == 1
    assert capsys.readouterr().err.startswith(f'{file}:2:1: error: Redefinition of symbol "f"\n')
