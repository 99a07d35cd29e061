"""Random decoders with tied caches: many steps compute what those of the models do, whatever the lengths."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from support.campaign import amount, counted
from support.closeness import SUMS, are_close

ort = pytest.importorskip("onnxruntime")

from npu_opt.tools import check, opt  # noqa: E402  # Behind the check for the extra.
from support.generators.decoders import Decoder, prefill_of, random_decoder, step_of  # noqa: E402

DECODERS = amount(5, 300)
CHUNK = 1
STEPS = 64
TARGETS = ("onnx", "opu", "litert", "onnxruntime")
FILES = ("prefill.onnx", "decode.onnx")
TIE = "prefill:*_after=decode:*=decode:*_after"
Arrays = Mapping[str, Any]


def problems(seed: int, tally: Counter[str]) -> Iterator[str]:
    decoder, random = random_decoder(seed), Random(seed)
    with TemporaryDirectory() as name:
        came, placed = Path(name, "came"), Path(name, "placed")
        came.mkdir()
        for file, model in zip(FILES, (prefill_of(decoder), step_of(decoder)), strict=True):
            (came / file).write_bytes(model.SerializeToString())
        files = [str(came / file) for file in FILES]
        calls = f"--calls=prefill=1,decode={random.choice((1, STEPS, 512))}"
        said = StringIO()
        with redirect_stderr(said):
            target = random.choice(TARGETS)
            code = opt.run([*files, "--tie", TIE, calls, "-O", "--target", target, "-o", str(placed)])
        if code:
            yield f"seed {seed}: {said.getvalue()}"
            return
        tally["moved"] += "_after is stored as" in said.getvalue()
        tally["proved"] += said.getvalue().count("is proved to compute")
        if check.run([*(str(placed / file) for file in FILES), "--tie", TIE.rpartition("=")[0]]):
            yield f"seed {seed}: a tie is broken"
        length = random.randint(1, 300)
        first, second = (_steps(folder, decoder, length, seed) for folder in (came, placed))
        if not all(are_close(one, other, SUMS) for one, other in zip(first, second, strict=True)):
            yield f"seed {seed}: the steps of {decoder} on {target} behind {length} tokens differ"


def _steps(folder: Path, decoder: Decoder, length: int, seed: int) -> list[Any]:
    """The results of a prefill and of many steps, each with the caches of the one before."""
    numbers = np.random.default_rng(seed)
    prefill, step = (ort.InferenceSession(str(folder / file), providers=["CPUExecutionProvider"]) for file in FILES)
    made = _run(prefill, {"x": numbers.standard_normal((1, length, decoder.width), np.float32)})
    found = [made["y"]]
    for _ in range(STEPS):
        caches = {name: made[f"{name}_after"] for name in decoder.caches}
        made = _run(step, {"x": numbers.standard_normal((1, 1, decoder.width), np.float32), **caches})
        found.append(made["y"])
    return found


def _run(session: Any, given: Arrays) -> Arrays:
    names = [each.name for each in session.get_outputs()]
    return dict(zip(names, session.run(names, dict(given)), strict=True))


def test_steps_of_tied_decoders(capsys: pytest.CaptureFixture[str]):
    tally = counted(problems, range(DECODERS), CHUNK, capsys)
    assert tally["moved"] > DECODERS / 4
    assert tally["proved"] > DECODERS
