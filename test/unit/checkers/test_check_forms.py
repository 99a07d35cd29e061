"""`checkers/check_forms.py`: it accepts the forms of random programs and networks, and no set of them that is wrong."""

import ast
import gzip
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import npu_opt
import pytest
from models.catalogue import NETWORKS
from npu_opt.checkers.check_forms import verdict_of
from support.campaign import amount, counted
from support.form_mutants import WAYS, content_of, form_mutant, way_mutant
from support.generators.attention_programs import attention_program
from support.generators.block_programs import block_program, dirtying_program
from support.generators.carried import carried_program
from support.generators.flattened import flattened_program
from support.generators.frustrated import frustrated_program
from support.generators.mixed_classes import mixed_program
from support.generators.placed_programs import program
from support.generators.product_programs import product_program
from support.generators.reshaped import reshaped_program
from support.generators.tied import tied_programs
from support.ir_text import parse
from support.source_tree import ROOT
from xdsl.dialects.builtin import ModuleOp

FOLDER = ROOT / "checkers"
FILES = ("check_forms.py", "axis_laws.py", "blocks.py", "views.py", "digits.py")
MOST_LINES = 300
PROGRAMS = amount(48, 6000)
MUTATED = amount(24, 400)
MUTANTS = 25
"""The mutants of each certificate."""
BLOCK_TARGETS = ("daven", "ort-nchwc", "brick", "ort-nchwc8")
TARGETS = ("opu", "daven", "onnx", "ort-nchwc", "litert", "plover", "brick")
PROGRAM_SOURCES: list[Callable[[int], ModuleOp]] = [
    lambda seed: program(seed).module,
    lambda seed: frustrated_program(seed, 4 + seed % 16),
    flattened_program,
    reshaped_program,
    mixed_program,
    tied_programs,
    lambda seed: carried_program(seed).module,
    lambda seed: product_program(seed).module(),
    lambda seed: block_program(seed, has_bytes=seed % 2 == 0).module(),
    lambda seed: dirtying_program(seed, has_bytes=seed % 2 == 0).module(),
    attention_program,
]
SMALL = sorted((each for each in NETWORKS if not each.is_tf), key=lambda each: each.file.stat().st_size)
CHAIN = """
func.func @main(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>)
    -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %r = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %c = npu.conv2d %r, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>)
    -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %f = npu.reshape %c : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %s = npu.softmax %f axis = 2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
  func.return %s : tensor<1x8x24xf32, #npu.layout<Tensor>>
}
"""


def checked(content: Any) -> tuple[int, str]:
    return verdict_of(json.dumps(content).encode())


def random_certificate(seed: int) -> Any:
    """The certificate of a random program; its kind and the target follow from the seed."""
    module = PROGRAM_SOURCES[seed % len(PROGRAM_SOURCES)](seed)
    return content_of(module, TARGETS[seed // len(PROGRAM_SOURCES) % len(TARGETS)], "free" if seed % 3 == 0 else "keep")


def refused(seed: int, tally: Counter[str]):
    content = random_certificate(seed)
    code, verdict = checked(content)
    believed = sum(map(int, re.findall(r" \((\d+)\)", verdict)))
    tally["ops"] += len(content["forms"]["ops"])
    tally["believed"] += believed
    if code:
        yield f"seed {seed}: {verdict}"


def test_the_forms_of_random_programs_are_accepted(capsys: pytest.CaptureFixture[str]):
    tally = counted(refused, range(PROGRAMS), 50, capsys)
    assert tally["ops"] > 10 * tally["believed"]


def missed(seed: int, tally: Counter[str]):
    content, rng = random_certificate(seed), Random(seed)
    for number in range(MUTANTS):
        if (mutant := form_mutant(content, rng)) is None:
            continue
        code, verdict = checked(mutant.content)
        tally[f"{mutant.kind}: {'refused' if code else 'missed'}"] += 1
        if code == 0 and mutant.op not in verdict and mutant.kind != "left out":
            yield f"seed {seed}, mutant {number}: {mutant.kind}: {mutant.op}: {verdict}"


def test_modes_that_are_left_out_added_or_altered_are_refused(capsys: pytest.CaptureFixture[str]):
    """A mode over a byte order that nothing else in the program leads to may be left out: K is smaller then."""
    tally = counted(missed, range(MUTATED), 20, capsys)
    for kind in ("left out", "added", "altered"):
        assert tally[f"{kind}: refused"] > 20
        assert tally[f"{kind}: missed"] < tally[f"{kind}: refused"] / 10


def unseen(seed: int, tally: Counter[str]):
    source = (block_program, dirtying_program)[seed % 2]
    content, rng = content_of(source(seed).module(), BLOCK_TARGETS[seed % len(BLOCK_TARGETS)]), Random(seed)
    for _ in range(MUTANTS):
        if (mutant := way_mutant(content, rng)) is None:
            continue
        code, verdict = checked(mutant.content)
        tally[mutant.kind] += code
        if code == 0 and mutant.op not in verdict:
            yield f"seed {seed}: {mutant.kind}: {mutant.op}"


def test_blocks_of_other_sizes_and_ends_are_refused(capsys: pytest.CaptureFixture[str]):
    tally = counted(unseen, range(MUTATED), 20, capsys)
    for kind in WAYS:
        assert tally[kind] > MUTATED


PADDED = """
func.func @main(%x: tensor<1x40x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x40x4x4xf32, #npu.layout<NCHW>> {
  %a = npu.max_pool %x window = [1, 1] : tensor<1x40x4x4xf32, #npu.layout<NCHW>>
  %b = npu.exp %a : tensor<1x40x4x4xf32, #npu.layout<NCHW>>
  %c = npu.max_pool %b window = [1, 1] : tensor<1x40x4x4xf32, #npu.layout<NCHW>>
  func.return %c : tensor<1x40x4x4xf32, #npu.layout<NCHW>>
}
"""


def test_forms_in_blocks_follow_from_the_facts_about_blocks():
    """Forty channels are three blocks of sixteen, whose padding an exponential does not leave zeros."""
    content = content_of(parse(PADDED), "daven")
    assert checked(content) == (0, "accepted: no form is left out (ops: 4); believed: the facts")
    layouts, (listed, facts) = content["problem"]["layouts"], op_of(content, "exp")
    read, written = listed["reads"][0][1], listed["writes"][0][1]
    in_blocks = "[1/16, 2, 3, 1%16]"
    pairs = {(layouts[each], layouts[other]) for each, other in zip(read, written, strict=True)}
    assert (in_blocks, f"{in_blocks} with dirty padding") in pairs
    place = [layouts[each] for each in read].index(in_blocks)
    for change, message in ((lambda: facts.pop("blocks"), "no form"), (lambda: drop_mode(listed, place), "a form is")):
        copy = deepcopy(content)
        listed, facts = op_of(copy, "exp")
        change()
        assert checked(copy)[1].startswith(f"refused: %b (npu.exp): {message}")
    listed, facts = op_of(content, "exp")
    facts["blocks"][0][1][0] = 0
    assert checked(content)[1].startswith("refused: %b (npu.exp): ")


def drop_mode(listed: Any, place: int) -> None:
    for use in (*listed["reads"], *listed["writes"]):
        del use[1][place]


HEADS = """
func.func @main(%q: tensor<1x8x2x4xf32, #npu.layout<NTensor>>) -> tensor<1x8x2x4xf32, #npu.layout<NTensor>> {
  %t = npu.transpose %q permutation = [0, 2, 1, 3]
    : (tensor<1x8x2x4xf32, #npu.layout<NTensor>>) -> tensor<1x2x8x4xf32, #npu.layout<NTensor>>
  %y = npu.attention %t, %t, %t scale = 5.000000e-01 : tensor<1x2x8x4xf32, #npu.layout<NTensor>>
  %u = npu.transpose %y permutation = [0, 2, 1, 3]
    : (tensor<1x2x8x4xf32, #npu.layout<NTensor>>) -> tensor<1x8x2x4xf32, #npu.layout<NTensor>>
  func.return %u : tensor<1x8x2x4xf32, #npu.layout<NTensor>>
}
"""


@pytest.mark.parametrize(("target", "count"), [("opu", 2), ("onnx", 2), ("torch", 1)])
def test_attention_exchanges_heads_and_rows_of_all_values(target: str, count: int):
    """A target without a demand lets all exchange them together, as the target of ONNX does; another one does not."""
    content = content_of(parse(HEADS), target)
    assert checked(content)[0] == 0
    assert "attention" not in checked(content)[1]
    listed, facts = op_of(content, "attention")
    assert len({*zip(*(use[1] for use in (*listed["reads"], *listed["writes"])), strict=True)}) == count
    facts["heads"][1] = "BHCN"
    if target == "opu":
        assert checked(content)[1].startswith("refused: %y (npu.attention): ")


@pytest.mark.parametrize(
    ("made", "target"),
    [
        (lambda: frustrated_program(12, 16), "opu"),
        (lambda: program(28).module, "opu"),
        (lambda: reshaped_program(50), "opu"),
        (lambda: frustrated_program(4, 8), "opu"),
        (lambda: frustrated_program(29, 17), "opu"),
    ],
    ids=["reduction", "pool", "reduction over pieces", "broadcast", "broadcast of pieces"],
)
def test_rare_forms_are_in_certificates(made: Callable[[], ModuleOp], target: str):
    """Forms that follow from values that lack axes, and from two values whose orders are independent."""
    assert checked(content_of(made(), target))[0] == 0


@pytest.mark.parametrize("place", range(amount(6, 25)))
def test_the_forms_of_networks_are_accepted(place: int):
    network = SMALL[place]
    target = TARGETS[place % 3]
    code, verdict = checked(content_of(npu_opt.load(network.file, target=target).module, target))
    assert code == 0, f"{network.name} for {target}: {verdict}"
    assert len(re.findall(r" \(\d+\)", verdict)) <= 1


@pytest.mark.parametrize("file", sorted((ROOT / "examples").glob("*.mlir")), ids=lambda file: file.stem)
def test_the_forms_of_the_examples_are_accepted(file: Path):
    assert checked(content_of(npu_opt.load(file).module, "opu"))[0] == 0


GATHER = """
func.func @main(%t: tensor<4x5x6xf32, #npu.layout<Tensor>>, %i: tensor<?x?xi64, #npu.layout<Tensor>>)
    -> tensor<{moved}xf32, #npu.layout<Tensor>> {{
  %g = npu.gather %t, %i axis = {axis}
    : (tensor<4x5x6xf32, #npu.layout<Tensor>>, tensor<?x?xi64, #npu.layout<Tensor>>)
    -> tensor<{picked}xf32, #npu.layout<Tensor>>
  %m = npu.transpose %g permutation = {permutation}
    : (tensor<{picked}xf32, #npu.layout<Tensor>>) -> tensor<{moved}xf32, #npu.layout<Tensor>>
  func.return %m : tensor<{moved}xf32, #npu.layout<Tensor>>
}}
"""


def test_indices_of_unknown_sizes_have_a_law_where_their_sizes_have_one_name():
    first = GATHER.format(axis=0, picked="?x?x5x6", moved="?x?x5x6", permutation=[1, 0, 2, 3])
    content = content_of(parse(first), "opu")
    assert checked(content) == (0, "accepted: no form is left out (ops: 2); believed: the facts")
    listed, _ = op_of(content, "gather")
    assert len(listed["writes"][0][1]) > 1
    listed["writes"][0][1].reverse()
    assert checked(content)[1].startswith("refused: %g (npu.gather): no form: ")
    second = GATHER.format(axis=1, picked="4x?x?x6", moved="4x?x?x6", permutation=[0, 2, 1, 3])
    verdict = "accepted: no form is left out (ops: 1); believed: the facts, and the forms of npu.gather (1)"
    assert checked(content_of(parse(second), "opu")) == (0, verdict)


def test_a_tensor_may_have_many_unknown_sizes():
    type_ = f"tensor<{'?x' * 12}f32, #npu.layout<Tensor>>"
    text = f"func.func @main(%x: {type_}) -> {type_} {{ %y = npu.relu %x : {type_} func.return %y : {type_} }}"
    assert checked(content_of(parse(text), "onnx"))[0] == 0


def with_change(change: Callable[[Any], object]) -> str:
    """The verdict on the chain behind a change of its certificate."""
    content = content_of(parse(CHAIN), "opu")
    change(content)
    code, verdict = checked(content)
    assert code == 1
    return verdict


def op_of(content: Any, kind: str) -> tuple[Any, Any]:
    """The entries of the op of a kind: the listed one, and its facts."""
    pairs = zip(content["problem"]["ops"], content["forms"]["ops"], strict=True)
    return next(pair for pair in pairs if pair[1]["kind"] == f"npu.{kind}")


def test_a_form_that_is_left_out_is_named():
    def drop(content: Any) -> None:
        listed, _ = op_of(content, "relu")
        for use in (*listed["reads"], *listed["writes"]):
            del use[1][1:]

    verdict = with_change(drop)
    assert verdict.startswith("refused: %r (npu.relu): a form is left out: %x: ((2, 1, 4), (3, 1, 6), (1, 1, 8)), ")


def test_a_form_that_the_law_does_not_allow_is_named():
    def swap(content: Any) -> None:
        listed, _ = op_of(content, "relu")
        listed["reads"][0][1].reverse()

    assert with_change(swap).startswith("refused: %r (npu.relu): no form: ")


def test_other_facts_have_other_forms():
    """A demand in another order, and a view of other digits."""

    def demand_as_it_came(content: Any) -> None:
        op_of(content, "conv2d")[1]["demands"][0][0] = [0, 1, 2, 3]

    def turn_view(content: Any) -> None:
        op_of(content, "softmax")[1]["values"][0][2][2].reverse()

    for change in (demand_as_it_came, turn_view):
        assert re.match(r"refused: %\w (.*): (no form|a form is left out)", with_change(change)), change


def test_a_file_that_is_none_is_refused():
    assert verdict_of(b"\x1f\x8b12")[1].startswith("refused: this is no certificate with forms: ")
    assert verdict_of(b"{}")[1] == "refused: this is no certificate with forms: KeyError: 'problem'"

    def without_limit(content: Any) -> None:
        content["forms"]["complete"] = False

    assert with_change(without_limit) == "refused: a limit of the search has left modes out"


def test_an_op_without_a_law_is_believed():
    content = content_of(parse(CHAIN), "opu")
    op_of(content, "softmax")[1]["kind"] = "vendor.softmax"
    code, verdict = checked(content)
    assert (code, verdict.split("; ")[1]) == (0, "believed: the facts, and the forms of vendor.softmax (1)")


def test_the_checker_is_run_as_a_script(tmp_path: Path):
    content = json.dumps(content_of(parse(CHAIN), "opu")).encode()
    for name, data in (("a.json", content), ("a.json.gz", gzip.compress(content)), ("b.json", b"[]")):
        (tmp_path / name).write_bytes(data)
        done = subprocess.run(
            [sys.executable, FOLDER / "check_forms.py", tmp_path / name], capture_output=True, text=True
        )
        assert done.stdout.startswith("refused: " if name == "b.json" else "accepted: no form is left out (ops: 4); ")
        assert (done.returncode, done.stderr) == (int(name == "b.json"), "")
    done = subprocess.run([sys.executable, FOLDER / "check_forms.py", "no.json"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "refused: cannot read 'no.json': No such file or directory\n")


def test_the_checker_shares_nothing_and_is_short():
    for name in FILES:
        text = (FOLDER / name).read_text()
        assert len(text.splitlines()) <= MOST_LINES
        modules = {node.module for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)}
        modules |= {
            each.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import) for each in node.names
        }
        own = {Path(file).stem for file in FILES}
        assert modules <= {*sys.stdlib_module_names, "collections.abc", *own}, name
