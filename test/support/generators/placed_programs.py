"""The programs and the passes of the campaign for passes that place transposes."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from npu_opt.dialects.program.symbols import verify
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.passes.layout_preset_npu import LayoutPresetNpu
from npu_opt.targets import load
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from support.generators.networks import random_network
from support.generators.programs import Foreign, FunctionBuilder, RunTimeBuilder, random_program
from support.generators.random_targets import random_target
from support.generators.sample_source import F64
from support.generators.typed_arguments import with_typed_arguments
from support.generators.unknown_sizes import with_unknown_sizes
from support.oracles.placement import Setting, Sizes, Trial, named, problems, text
from support.oracles.shrinking import shrunk

Preset = LayoutPreset | LayoutPresetNpu
SIZES = (3, 8, 15, 25, 40)
FOREIGN: tuple[Foreign, ...] = ("none", "none", "none", "pure", "any")
TARGETS = ("opu", "plover")


@dataclass(frozen=True)
class Program:
    """A program of the campaign."""

    kind: str
    module: ModuleOp
    sizes: Sizes = field(default_factory=dict[tuple[int, int], int])


KINDS = (
    "coloured network",
    "network",
    "network with typed arguments",
    "coloured network with unknown sizes",
    "coloured network",
    "network",
    "network with unknown sizes",
    "network with typed arguments",
    "coloured program",
    "program",
)


def program(seed: int, size: int | None = None) -> Program:
    """The program of a seed, in its usual or in another size."""
    kind = KINDS[seed % len(KINDS)]
    size = SIZES[seed // len(KINDS) % len(SIZES)] if size is None else size
    foreign = FOREIGN[Random(seed).randrange(len(FOREIGN))]
    coloured = kind.startswith("coloured")
    functions = 0 if "unknown sizes" in kind else None
    builder = FunctionBuilder if seed // len(KINDS) % 2 else RunTimeBuilder
    make = random_network if "network" in kind else partial(random_program, builder=builder)
    module = make(seed, size, coloured, foreign, F64, functions)
    if "typed arguments" in kind:
        module = with_typed_arguments(module, seed)
    if "unknown sizes" in kind:
        unknown = with_unknown_sizes(module, seed)
        return Program(kind, named(unknown.module), unknown.sizes)
    return Program(kind, named(module))


@cache
def settings() -> Sequence[Setting]:
    """Every strategy on both targets."""
    return [setting for target in TARGETS for setting in settings_on(target)]


def settings_on(target: str) -> list[Setting]:
    """Every strategy on a target, given by its name or the path of its file."""
    return [
        replace(_setting(LayoutPreset(strategy="naive", target=target)), shares=False),
        _setting(LayoutPreset(strategy="regions", target=target), needs_demands=True),
        _setting(LayoutPreset(strategy="regions-plus", target=target), needs_demands=True),
        _setting(LayoutPreset(strategy="seed-plus", target=target), needs_demands=True),
        _setting(LayoutPreset(strategy="regions", all_regions=True, target=target)),
        _setting(LayoutPresetNpu(strategy="greedy", target=target), True, needs_demands=True),
        _setting(LayoutPresetNpu(strategy="record", target=target), True),
    ]


def placed_on_random_target(module: ModuleOp, seed: int) -> ModuleOp:
    """The program as one of the strategies places it on a random target."""
    result = module.clone()
    with TemporaryDirectory() as folder:
        file = Path(folder, "random.toml")
        file.write_text(random_target(seed))
        target = str(file)
        strategies = (
            LayoutOptimal(target=target),
            LayoutOptimal(target=target, cost="traffic"),
            LayoutPreset(target=target, strategy="naive"),
            LayoutPreset(target=target, all_regions=True),
            LayoutPresetNpu(target=target, strategy="record"),
        )
        Random(seed).choice(strategies).apply(Context(), result)
    verify(result)
    return result


def _setting(made: Preset, keeps_tensors: bool = False, needs_demands: bool = False) -> Setting:
    options = str(made.pipeline_pass_spec()).partition("{")[2].rstrip("}").replace('"', "").replace("_", "-")
    command = f'--{made.name}="{options}"' if options else f"--{made.name}"
    return Setting(command, partial(_run, made), load(made.target), keeps_tensors, needs_demands)


def _run(made: Preset, module: ModuleOp) -> None:
    made.apply(Context(), module)


@dataclass(frozen=True)
class Failure:
    """A check that finds a problem."""

    check: str
    setting: Setting
    seed: int
    ops: int
    """The number of ops of the program."""


@dataclass
class Tally:
    """The number of runs and the failures."""

    programs: int = 0
    verdicts: Counter[str] = field(default_factory=Counter[str])
    failures: list[Failure] = field(default_factory=list[Failure])

    def add(self, other: "Tally") -> None:
        self.programs += other.programs
        self.verdicts += other.verdicts
        self.failures += other.failures


def tried(seeds: Iterable[int], several: Sequence[Setting] | None = None) -> Tally:
    """Try these settings, or every strategy on both targets, on the programs of these seeds."""
    tally = Tally()
    for seed in seeds:
        each = program(seed)
        verify(each.module)
        tally.programs += 1
        ops = sum(1 for _ in each.module.walk())
        for setting in settings() if several is None else several:
            trial = Trial(each.module, setting, seed, each.sizes, verdicts=tally.verdicts)
            tally.failures += [Failure(check, setting, seed, ops) for check in problems(trial)]
    return tally


def as_text(failure: Failure) -> str:
    """A failure on the smallest program found for it, and the command that reproduces it."""
    setting, seed = failure.setting, failure.seed
    subject = program(seed)

    def fails(module: ModuleOp) -> bool:
        return failure.check in problems(Trial(module, setting, seed, subject.sizes))

    for size in range(1, 12):
        smaller = program(seed, size)
        if failure.check in problems(Trial(smaller.module, setting, seed, smaller.sizes)):
            subject = smaller
            break
    module = shrunk(subject.module, fails)
    found = problems(Trial(module, setting, seed, subject.sizes))
    return f"{failure.check}, seed {seed}, npu-opt {setting.command}\n{text(module)}\n{found[failure.check]}"


def smallest(failures: Iterable[Failure]) -> list[Failure]:
    """One failure of each check, on the smallest program."""
    found: dict[str, Failure] = {}
    for failure in sorted(failures, key=lambda each: each.ops):
        found.setdefault(failure.check, failure)
    return [*found.values()]
