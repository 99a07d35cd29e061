"""Small inputs that stand for much: what they stand for is bounded by their size, or an error says the bound."""

import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
from npu_opt.tools import opt
from npu_opt.tools.driver.console.exit_codes import ERROR

SCRIPTS = Path(sysconfig.get_path("scripts"))
SECONDS = 300
"""Far more than any of these needs; the old ones needed years, or all of the memory."""
DEPTH = 40
PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %y = npu.relu %x {} : tensor<4xf32>
  return %y : tensor<4xf32>
}}
"""


def doubled(first: str, again: Callable[[str], str], mark: str, depth: int = DEPTH) -> str:
    """Definitions of aliases, each of which has the one before it twice."""
    lines = [f"{mark}0 = {first}", *(f"{mark}{each} = {again(f'{mark}{each - 1}')}" for each in range(1, depth + 1))]
    return "\n".join(lines) + "\n"


DOUBLED = {
    "lists": doubled("[1 : i32]", "[{0}, {0}]".format, "#a") + PROGRAM.format(f"{{k = #a{DEPTH}}}"),
    "dictionaries": doubled("{n = 1 : i32}", "{{l = {0}, r = {0}}}".format, "#a") + PROGRAM.format(""),
    "tuples": doubled("i32", "tuple<{0}, {0}>".format, "!t") + f"func.func private @main(%x: !t{DEPTH})\n",
    "functions": doubled("i32", "({0}) -> ({0})".format, "!t") + f"func.func private @main(%x: !t{DEPTH})\n",
    "locations": doubled('loc("a")', "loc(fused[{0}, {0}])".format, "#loc") + PROGRAM.format(""),
}


def ran(folder: Path, *arguments: str) -> tuple[int, str]:
    command = [SCRIPTS / "npu-opt", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, cwd=folder)
    return done.returncode, done.stderr


@pytest.mark.parametrize("kind", DOUBLED)
def test_aliases_that_double(kind: str, tmp_path: Path):
    (tmp_path / "in.mlir").write_text(DOUBLED[kind])
    code, error = ran(tmp_path, "in.mlir", "-o", "out.mlir")
    assert code == ERROR
    assert error.startswith("in.mlir:16:") or error.startswith("in.mlir:17:")
    assert ": error: the aliases stand for more than " in error


def test_aliases_of_moderate_size(tmp_path: Path):
    text = doubled("[1 : i32]", "[{0}, {0}]".format, "#a", 10) + PROGRAM.format("{k = #a10}")
    (tmp_path / "in.mlir").write_text(text)
    assert opt.run([str(tmp_path / "in.mlir"), "-o", str(tmp_path / "out.mlir")]) == 0
    assert (tmp_path / "out.mlir").read_text().count("1 : i32") == 1 << 10


def test_aliases_in_a_long_text(tmp_path: Path):
    """Each op uses one, which is as long as those of locations are."""
    lines = "".join(f"  %{each} = npu.relu %x {{k = #a3}} : tensor<4xf32>\n" for each in range(3000))
    text = doubled("[1 : i32]", "[{0}, {0}]".format, "#a", 3)
    (tmp_path / "in.mlir").write_text(f"{text}func.func @main(%x: tensor<4xf32>) {{\n{lines}  return\n}}\n")
    assert opt.run([str(tmp_path / "in.mlir"), "-o", str(tmp_path / "out.mlir")]) == 0


LONG_KEYS = {
    "names": "a." * 50_000 + "b = 1\n",
    "texts": '"\\"".' * 50_000 + "b = 1\n",
    "header": "[" + "a . " * 50_000 + "b]\n",
    "inline table": "x = {" + "1." * 50_000 + "b = 1}\n",
}


@pytest.mark.parametrize("kind", LONG_KEYS)
def test_keys_of_many_parts(kind: str, tmp_path: Path):
    (tmp_path / "long.toml").write_text("\n" + LONG_KEYS[kind])
    (tmp_path / "in.mlir").write_text(PROGRAM.format(""))
    expected = "long.toml:2: error: a key of more than 100 parts\n"
    assert ran(tmp_path, "in.mlir", "--layout-optimal=target=long.toml") == (ERROR, expected)
    assert ran(tmp_path, "in.mlir", "--layout-optimal=target=opu", "--plan=long.toml") == (ERROR, expected)


def test_many_keys(tmp_path: Path):
    """The lines of so many would be counted for minutes if each were counted from the start of the file."""
    (tmp_path / "long.toml").write_text("".join(f"k{each} = {each}\n" for each in range(200_000)))
    (tmp_path / "in.mlir").write_text(PROGRAM.format(""))
    code, error = ran(tmp_path, "in.mlir", "--layout-optimal=target=long.toml")
    assert (code, error) == (ERROR, "long.toml:1: error: unknown key 'k0'\n")
