"""Target files with mistakes: one line that says what and where, or a target that the passes can use; nothing else."""

import re
from collections import Counter
from pathlib import Path

import pytest
from npu_opt.tools.opt import run
from support.campaign import one_by_one, seeds
from support.generators.target_mutants import target_mutant

PASSES = (
    ("--layout-preset", "--fuse-ops-hw"),
    ("--layout-preset-npu",),
    ("--layout-optimal", "--fuse-ops-hw=strategy=cover"),
    ("--layout-preset=strategy=naive", "--npu-default"),
)
PROGRAM = """
func.func @main(%x: tensor<1x4x6x6xf32, #npu.layout<NCHW>>, %w: tensor<4x4x3x3xf32, #npu.layout<OIHW>>)
    -> tensor<1x1x3xf32, #npu.layout<Tensor>> {
  %c = npu.conv2d %x, %w pads = [1, 1, 1, 1]
    : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>, tensor<4x4x3x3xf32, #npu.layout<OIHW>>)
    -> tensor<1x4x6x6xf32, #npu.layout<NCHW>>
  %r = npu.relu %c : tensor<1x4x6x6xf32, #npu.layout<NCHW>>
  %a = npu.add %r, %x : tensor<1x4x6x6xf32, #npu.layout<NCHW>>
  %p = npu.max_pool %a window = [2, 2] strides = [2, 2]
    : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x3xf32, #npu.layout<NCHW>>
  %t = npu.reshape %p : (tensor<1x4x3x3xf32, #npu.layout<NCHW>>) -> tensor<1x12x3xf32, #npu.layout<Tensor>>
  %s = npu.softmax %t axis = 2 : tensor<1x12x3xf32, #npu.layout<Tensor>>
  %v = npu.opaque "vendor.swish"(%s)
    : (tensor<1x12x3xf32, #npu.layout<Tensor>>) -> tensor<1x12x3xf32, #npu.layout<Tensor>>
  %k = npu.constant dense<0.5> : tensor<1x1x12xf32, #npu.layout<Tensor>>
  %m = npu.matmul %k, %v
    : (tensor<1x1x12xf32, #npu.layout<Tensor>>, tensor<1x12x3xf32, #npu.layout<Tensor>>)
    -> tensor<1x1x3xf32, #npu.layout<Tensor>>
  return %m : tensor<1x1x3xf32, #npu.layout<Tensor>>
}
"""
ERROR_LINE = re.compile(r"random\.toml:(\d+:)? error: [^\n\r]+\n")
CHECKED = re.compile(r"random\.toml:(\d+:)? (error|note): [^\n\r]+|.*random\.toml: \d+ errors?, \d+ notes?")


def test_target_mutants(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("program.mlir").write_text(PROGRAM)
    outcomes = Counter[str]()
    for seed in one_by_one(seeds(50, 4000), capsys):
        text = target_mutant(seed)
        Path("random.toml").write_bytes(text)
        code = run(["program.mlir", "--target=random.toml", *PASSES[seed % len(PASSES)]])
        error = capsys.readouterr().err
        said = f"seed {seed}: {error}\n{text.decode(errors='replace')}"
        assert code in (0, 1), said
        assert code == 0 or ERROR_LINE.fullmatch(error), said
        assert "internal error" not in error, said
        run(["--check-target", "random.toml"])
        output = capsys.readouterr()
        if code == 0:
            assert all(map(CHECKED.fullmatch, output.out.splitlines())), f"{said}{output}"
            assert not output.err, f"{said}{output}"
        outcomes["refused" if code else "read"] += 1
    assert min(outcomes["refused"], outcomes["read"]) > 0.05 * outcomes.total(), outcomes
