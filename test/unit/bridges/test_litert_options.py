"""Options of LiteRT's ops mean what its interpreter computes, or the op stays unchanged."""

from collections import Counter
from pathlib import Path
from random import Random

import npu_opt
import numpy as np
import pytest

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.interpreter import run
from support.campaign import amount
from support.generators.lite_ops import Array, LiteOp


def is_computed(op: LiteOp, file: Path) -> bool | None:
    """True if the program of a file computes what LiteRT computes; None if one of them does not run it."""
    expected = op.run()
    if expected is None:
        return None
    file.write_bytes(op.model(expected))
    module = npu_opt.load(file).module
    if any(each.name == "npu.opaque" for each in module.walk()):
        return None
    (found,) = run(module, "main", [op.operands[place] for place in op.inputs])
    return found.shape == expected.shape and np.array_equal(found, expected)


def strided_slice(rng: Random) -> LiteOp | None:
    """A slice that takes something; LiteRT ends the process for some that take nothing."""
    shape = [rng.randrange(1, 5) for _ in range(rng.randrange(1, 5))]
    begins, ends = (
        [rng.randrange(-size, size) for size in shape],
        [rng.randrange(-size - 1, size + 2) for size in shape],
    )
    steps = [rng.choice((1, 1, 2, -1, 3)) for _ in shape]
    names = ("beginMask", "endMask", "shrinkAxisMask")
    masks = {name: rng.randrange(1 << len(shape)) if rng.random() < 0.6 else 0 for name in names}
    for axis, (size, begin, end, step) in enumerate(zip(shape, begins, ends, steps, strict=True)):
        has = {name: bool(mask >> axis & 1) for name, mask in masks.items()}
        bounds = slice(None if has["beginMask"] else begin, None if has["endMask"] else end, step)
        if step < 0 if has["shrinkAxisMask"] else not range(*bounds.indices(size)):
            return None
    data: Array = np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)
    bounds_of_all = [np.array(each, np.int32) for each in (begins, ends, steps)]
    return LiteOp("STRIDED_SLICE", "StridedSliceOptions", masks, [data, *bounds_of_all])


def test_masks_of_strided_slices(tmp_path: Path):
    counts: Counter[bool | None] = Counter()
    for seed in range(amount(600, 20_000)):
        op = strided_slice(Random(seed))
        if op is not None:
            found = is_computed(op, tmp_path / "model.tflite")
            assert found is not False, (seed, op)
            counts[found] += 1
    assert counts[True] > counts[None]


def test_one_row_of_which_the_beginning_is_masked(tmp_path: Path):
    """LiteRT takes row 0, whatever the beginning says."""
    data: Array = np.arange(12, dtype=np.float32).reshape(4, 3)
    bounds = [np.array(each, np.int32) for each in ([2, 0], [3, 3], [1, 1])]
    files = [tmp_path / "masked.tflite", tmp_path / "row.tflite"]
    for file, mask in zip(files, (1, 0), strict=True):
        op = LiteOp("STRIDED_SLICE", "StridedSliceOptions", {"shrinkAxisMask": 1, "beginMask": mask}, [data, *bounds])
        assert is_computed(op, file)
    assert npu_opt.check(*files).word == "different"


def mirror_pad(rng: Random) -> LiteOp:
    shape = [rng.randrange(2, 5) for _ in range(rng.randrange(1, 5))]
    mode = rng.randrange(2)
    # Mode 1 repeats the element at the edge, so that it may add one more.
    widths = [[rng.randrange(size + mode) for _ in range(2)] for size in shape]
    data: Array = np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)
    return LiteOp("MIRROR_PAD", "MirrorPadOptions", {"mode": mode}, [data, np.array(widths, np.int32)])


def test_modes_of_mirrored_pads(tmp_path: Path):
    file, again, model = (tmp_path / name for name in ("model.tflite", "again.tflite", "model.onnx"))
    for seed in range(amount(60, 2_000)):
        op = mirror_pad(Random(seed))
        assert is_computed(op, file), (seed, op)
        npu_opt.optimize(file, strategy=None, passes=()).save(again)
        npu_opt.optimize(file, strategy=None, passes=()).save(model)
        assert npu_opt.check(file, again), (seed, op)
        assert npu_opt.check(file, model), (seed, op)


def test_modes_of_mirrored_pads_differ(tmp_path: Path):
    files = [tmp_path / "reflect.tflite", tmp_path / "symmetric.tflite"]
    data: Array = np.arange(12, dtype=np.float32).reshape(4, 3)
    for mode, file in enumerate(files):
        op = LiteOp("MIRROR_PAD", "MirrorPadOptions", {"mode": mode}, [data, np.array([[1, 1], [0, 0]], np.int32)])
        assert is_computed(op, file)
    assert npu_opt.check(*files).word == "different"
