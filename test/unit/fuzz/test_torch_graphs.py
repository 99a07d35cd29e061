"""Random modules of PyTorch compute the same behind `relayout`, which is proved; changed ones are never proved."""

# pyright: basic
# Functions of PyTorch are written here, which say little of their types.

import copy
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, cast

import pytest
from npu_opt.equivalence.compare import Verdict
from support.campaign import one_by_one, seeds
from support.generators.fx_graphs import random_module
from support.torch_graphs import QUIET, are_equal, compared, exported, relayout, results, torch
from torch._export.verifier import SpecViolationError

pytestmark = QUIET
CLOSE = 2e-4
"""Sums of another order round otherwise."""
TARGETS = ("onnx", "onnx", "opu")
REFUSED = cast("type[Exception]", SpecViolationError)


def test_random_modules(capsys: pytest.CaptureFixture[str]) -> None:
    counts: Counter[str] = Counter()
    for seed in one_by_one(seeds(6, 500), capsys):
        rng = Random(seed)
        made = random_module(rng)
        try:
            program = exported(made.module, made.inputs, None if made.dynamic is None else (made.dynamic,))
        except REFUSED:
            # PyTorch refuses what it has decomposed itself.
            counts["not exported"] += 1
            continue
        placed = relayout(program, target=TARGETS[seed % len(TARGETS)], interface="keep")
        for inputs in (made.inputs, *made.more):
            wanted = results(program, inputs)
            assert are_equal(results(placed, inputs), wanted, CLOSE), f"seed {seed} computes something else"
        verdict = compared(program, placed).verdict
        assert verdict is not Verdict.DIFFERENT, f"seed {seed} is said to be different"
        counts[verdict.name] += 1
        for what, changed in mutants(rng, placed):
            # Of the program whose orders it has: sums of other orders round otherwise.
            if are_equal(results(changed, made.inputs), results(placed, made.inputs)):
                counts["mutants that compute the same"] += 1
                continue
            counts["mutants"] += 1
            assert compared(program, changed).verdict is not Verdict.PROVED, f"seed {seed}: {what} is proved"
    assert counts["PROVED"] > 0
    with capsys.disabled():
        print(f"\n{dict(counts)}")


def mutants(rng: Random, program: Any, most: int = 2) -> Iterator[tuple[str, Any]]:
    """Programs with another argument, operand or weight, which run."""
    for _ in range(most):
        changed = copy.deepcopy(program)
        what = _change(rng, changed)
        if what is not None:
            changed.graph_module.recompile()
            yield what, changed


def _change(rng: Random, program: Any) -> str | None:
    """Change one thing in place, which keeps the shapes of all values."""
    # The first content of a buffer that is written is no part of the module.
    weights = {*program.state_dict} - {*program.graph_signature.buffers_to_mutate.values()}
    if weights and rng.random() < 0.3:
        name = rng.choice(sorted(weights))
        tensor = program.state_dict[name]
        with torch.no_grad():
            tensor.copy_(tensor.flip(0) if tensor.dim() and rng.random() < 0.7 else tensor + 1)
        return f"the weight {name}"
    nodes = [node for node in program.graph.nodes if node.op == "call_function" and node.args]
    rng.shuffle(nodes)
    for node in nodes:
        if _has_changed(rng, node):
            return f"{node.name}"
    return None


def _has_changed(rng: Random, node: Any) -> bool:
    """Change the arguments of a node: integers, the order of dimensions, or an operand of the same shape."""
    name = str(node.target)
    value = node.meta.get("val")
    for place, argument in enumerate(node.args):
        if isinstance(argument, list) and name.startswith("aten.permute"):
            shape = node.args[0].meta["val"].shape
            one, other = rng.randrange(len(argument)), rng.randrange(len(argument))
            if one == other or shape[argument[one]] != shape[argument[other]]:
                continue
            changed = [*argument]
            changed[one], changed[other] = changed[other], changed[one]
            node.update_arg(place, changed)
            return True
        if isinstance(argument, torch.fx.Node) and isinstance(value, torch.Tensor) and rng.random() < 0.4:
            own = argument.meta.get("val")
            for each in node.graph.nodes:
                other = each.meta.get("val")
                if each is node:
                    break
                if each is not argument and isinstance(other, torch.Tensor) and isinstance(own, torch.Tensor):
                    if (other.shape, other.dtype) == (own.shape, own.dtype) and each.op == "call_function":
                        node.replace_input_with(argument, each)
                        return True
        if isinstance(argument, int | float) and name in (
            "aten.add.Tensor",
            "aten.mul.Tensor",
            "aten.constant_pad_nd.default",
        ):
            node.update_arg(place, argument + 1)
            return True
    axes = {"aten.flip.default", "aten.cumsum.default", "aten._softmax.default", "aten.softmax.int"}
    if name in axes and isinstance(value, torch.Tensor) and value.dim() > 1:
        axis = node.args[1][0] if isinstance(node.args[1], list) else node.args[1]
        moved = (axis + 1) % value.dim()
        node.update_arg(1, [moved] if isinstance(node.args[1], list) else moved)
        return True
    return False
