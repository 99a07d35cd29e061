"""Random programs in canonical form: valid, equal to the original, stable, and with no more transposes."""

from collections import Counter

import pytest
from npu_opt.dialects.npu.shape import AnyTransposeOp
from npu_opt.dialects.npu.values import shape_of
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.layout import identity, same_storage
from support.campaign import amount, one_by_one
from support.generators.programs import Foreign, random_program
from support.oracles.running import results, same
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.canonicalize import CanonicalizePass

SIZES = (8, 20, 40, 60)
FOREIGN: tuple[Foreign, ...] = ("none", "none", "pure", "any")


def canonical(module: ModuleOp) -> ModuleOp:
    result = module.clone()
    CanonicalizePass().apply(Context(), result)
    return result


def counts(module: ModuleOp) -> tuple[int, int]:
    """The number of transposes, and of those that move data."""
    transposes = [op for op in module.walk() if isinstance(op, AnyTransposeOp)]
    moving = [op for op in transposes if not same_storage(identity(len(op.moved())), op.moved(), shape_of(op.input))]
    return len(transposes), len(moving)


def test_random_programs_in_canonical_form(capsys: pytest.CaptureFixture[str]):
    count = amount(80, 1500)
    verdicts: Counter[Verdict] = Counter()
    before, after = Counter[str](), Counter[str]()
    for seed in one_by_one(range(count), capsys):
        foreign = FOREIGN[seed % 4]
        module = random_program(seed, SIZES[seed // 2 % 4], coloured=seed % 3 != 0, foreign=foreign)
        other = canonical(module)
        other.verify()
        answer = compare(module, other)
        verdicts[answer.verdict] += 1
        if answer.verdict is not Verdict.PROVED and foreign == "none":
            assert same(results(module, seed), results(other, seed)), f"seed {seed}: the numbers differ"
        assert str(canonical(other)) == str(other), f"seed {seed}: the second time changes something"
        given, left = counts(module), counts(other)
        assert left[0] <= given[0], f"seed {seed}: more transposes"
        assert left[1] <= given[1], f"seed {seed}: more transposes that move data"
        before.update(transposes=given[0], moving=given[1])
        after.update(transposes=left[0], moving=left[1])
    with capsys.disabled():
        print(
            f"\n{count} programs in canonical form: {verdicts[Verdict.PROVED]} proved, "
            f"{verdicts[Verdict.UNDECIDED]} undecided; {dict(before)} became {dict(after)}"
        )
    assert verdicts[Verdict.DIFFERENT] == 0
    assert verdicts[Verdict.PROVED] >= 0.99 * count
    assert 0 < after["moving"] < before["moving"]
