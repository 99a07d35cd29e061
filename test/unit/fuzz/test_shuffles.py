"""Random programs against random rewritings of themselves: proved equal nearly always, never different."""

from collections import Counter

import pytest
from npu_opt.dialects.npu.values import layout_of
from npu_opt.equivalence.compare import Verdict, compare
from support.campaign import amount, one_by_one
from support.generators.programs import random_program
from support.generators.sample_source import F64
from support.generators.shuffle import shuffled
from support.ir_text import parse
from support.oracles.running import main_of, same_numbers
from xdsl.dialects.builtin import ModuleOp

SIZES = (8, 20, 40, 60)


def program(seed: int) -> ModuleOp:
    return random_program(seed, SIZES[seed % len(SIZES)], coloured=seed % 5 != 0, floats=F64)


def test_shuffled_programs_compute_the_same(capsys: pytest.CaptureFixture[str]):
    count = amount(120, 2000)
    verdicts: Counter[Verdict] = Counter()
    undecided: list[str] = []
    compared = 0
    for seed in one_by_one(range(count), capsys):
        module = program(seed)
        other = shuffled(module, seed)
        other.verify()
        assert str(main_of(other).function_type) == str(main_of(module).function_type)
        answer = compare(module, other)
        verdicts[answer.verdict] += 1
        if answer.verdict is Verdict.UNDECIDED:
            undecided.append(f"seed {seed}: {answer.reason}")
        numbers = same_numbers(module, other, seed)
        assert numbers is not False, f"seed {seed}: the numbers differ"
        compared += numbers is True
    with capsys.disabled():
        found = ", ".join(f"{verdicts[each]} {each.name.lower()}" for each in Verdict)
        print(f"\n{count} programs against themselves, shuffled: {found}", *undecided, sep="\n  ")
        print(f"{compared} compared by numbers")
    assert verdicts[Verdict.DIFFERENT] == 0
    assert verdicts[Verdict.PROVED] >= 0.98 * count
    assert compared >= 0.95 * count


@pytest.mark.parametrize(("scale", "found"), [("1.0", False), ("1.0e+60", None)])
def test_a_sine_of_large_numbers_is_not_compared(scale: str, found: bool | None):
    one, other = (
        parse(f"""func.func @main(%x: tensor<4xf64>) -> tensor<4xf64> {{
          %k = npu.constant dense<{factor}> : tensor<1xf64>
          %0 = npu.mul %x, %k : (tensor<4xf64>, tensor<1xf64>) -> tensor<4xf64>
          %1 = npu.sin %0 : tensor<4xf64>
          func.return %1 : tensor<4xf64>
        }}""")
        for factor in (scale, f"1.5{scale[3:]}")
    )
    assert same_numbers(one, other, 0) is found
    assert same_numbers(one, one, 0) is (None if found is None else True)


def test_shuffling_changes_programs():
    """The first test would show little if the programs were identical."""
    changed: Counter[str] = Counter()
    for seed in range(1, 40, 2):
        module = program(seed)
        other = shuffled(module, seed)
        before, after = ([op.name for op in each.walk()] for each in (module, other))
        changed["ops"] += before != after
        changed["more transposes"] += after.count("npu.transpose") > before.count("npu.transpose")
        changed["more reshapes"] += after.count("npu.reshape") > before.count("npu.reshape")
        types = [
            Counter(str(layout_of(op.results[0])) for op in each.walk() if op.name == "npu.conv2d")
            for each in (module, other)
        ]
        changed["layouts of convolutions"] += types[0] != types[1]
    assert min(changed.values()) > 3


def test_shuffling_is_deterministic():
    assert str(shuffled(program(3), 5)) == str(shuffled(program(3), 5))
    assert str(shuffled(program(3), 5)) != str(shuffled(program(3), 6))
