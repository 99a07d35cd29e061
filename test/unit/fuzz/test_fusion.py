"""Random programs through the fusion passes: proved equal, legal groups, deterministic, and inverted by inlining."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from npu_opt.dialects.program.symbols import verify
from npu_opt.dialects.settings.assumed_sizes import ASSUMED_SIZE
from npu_opt.equivalence.compare import Verdict
from npu_opt.interpreter import InterpreterError, random_inputs, run
from npu_opt.passes.common.words.reasons import Names
from npu_opt.passes.cover.best import best_cover
from npu_opt.passes.cover.module import covered
from npu_opt.passes.fuse_ops import FuseOps
from npu_opt.passes.fuse_ops_hw import FuseOpsHw
from npu_opt.passes.fusion.functions.fused_functions import can_be_fused
from npu_opt.passes.fusion.fusion_pass import FusionPass
from npu_opt.passes.fusion.graph.graph import forward_graph
from npu_opt.passes.fusion.groups.hardware_groups import hardware_groups
from npu_opt.passes.fusion.groups.traffic import traffic_of
from npu_opt.passes.fusion.stages.operand_layouts import OperandLayouts
from npu_opt.passes.fusion.stages.stage_match import Matching
from npu_opt.passes.inline_fused import InlineFused
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.passes.layout_preset_npu import LayoutPresetNpu
from npu_opt.passes.npu_default import NpuDefault
from npu_opt.targets import load
from support.campaign import LONG, in_chunks, one_by_one, seeds
from support.generators.placed_programs import Program, program
from support.generators.random_targets import random_target
from support.oracles.legal_groups import faults, is_acyclic
from support.oracles.placement import equal, findings
from support.oracles.running import Recorder, main_of, same, same_effects
from support.oracles.shrinking import shrunk
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

PROGRAMS = seeds(40, 250)
CHUNK = 10
TARGETS = ("opu", "plover")
WITH_STAGES = (*TARGETS, "dunlin")
"""The last one has stages for ops on results of their group, and one that holds data."""
FUSION: tuple[FusionPass, ...] = (
    FuseOps(),
    FuseOps(max_depth=3),
    *(FuseOpsHw(target=target) for target in WITH_STAGES),
    FuseOpsHw(single=True),
    *(FuseOpsHw(target=target, strategy="cover") for target in WITH_STAGES),
)
PIPELINES: tuple[tuple[ModulePass, ...], ...] = (
    *((each,) for each in FUSION),
    (FuseOps(), FuseOpsHw()),
    *((NpuDefault(target=target),) for target in WITH_STAGES),
    *(
        (strategy, fusion)
        for target in TARGETS
        for strategy, fusion in (
            (LayoutPreset(strategy="naive", target=target), FuseOpsHw(target=target)),
            (LayoutPreset(strategy="regions", target=target), FuseOps()),
            (LayoutPresetNpu(strategy="greedy", target=target), FuseOpsHw(target=target)),
            (LayoutPresetNpu(strategy="record", target=target), FuseOps()),
        )
    ),
)


def pipelines_on(target: str) -> tuple[tuple[ModulePass, ...], ...]:
    """All ways to find groups on a target, of programs with and without its layouts."""
    cover = FuseOpsHw(target=target, strategy="cover")
    return (
        (FuseOpsHw(target=target),),
        (cover,),
        (NpuDefault(target=target),),
        (LayoutPreset(strategy="naive", target=target), cover),
        (LayoutOptimal(target=target, cost="traffic"), cover),
    )


def applied(pipeline: Sequence[ModulePass], module: ModuleOp, verifies: bool = True) -> ModuleOp:
    result = module.clone()
    for each in pipeline:
        each.apply(Context(), result)
        if verifies:
            verify(result)
    return result


def problems(
    pipeline: Sequence[ModulePass], made: Program, seed: int, verdicts: Counter[str], with_numbers: bool = True
) -> Iterator[str]:
    """The problems of a pipeline on a program; numbers are compared at least where the proof fails."""
    module = made.module
    fused = applied(pipeline, module)
    for kind, result in (("fused", fused), ("inlined", applied([InlineFused()], fused))):
        answer = findings(module).result(result).answer
        verdicts[answer.verdict.name] += 1
        if answer.verdict is Verdict.DIFFERENT:
            yield f"{kind}: {answer.reason}"
        elif with_numbers or answer.verdict is Verdict.UNDECIDED:
            verdicts["with numbers"] += 1
            if not _same_numbers(made, result, seed):
                yield f"{kind}: other numbers"
    if not equal(applied(pipeline, module, verifies=False), fused):
        yield "not the same again"
    if len(pipeline) == 1:
        if not equal(applied(pipeline, fused, verifies=False), fused):
            yield "once more changes something"
        yield from _wrong_groups(pipeline[0], module)


def _same_numbers(made: Program, result: ModuleOp, seed: int) -> bool:
    inputs = random_inputs(main_of(made.module), seed, made.sizes)
    before, after = Recorder(), Recorder()
    numbers = (
        run(made.module, "main", inputs, before.environment()),
        run(result, "main", inputs, after.environment()),
    )
    return same(*numbers) and same_effects(before.effects, after.effects)


def _wrong_groups(fusion_pass: ModulePass, module: ModuleOp) -> Iterator[str]:
    functions = [each for each in module.walk() if isinstance(each, FuncOp) and can_be_fused(each)]
    layouts = OperandLayouts(module)
    for function in functions:
        if isinstance(fusion_pass, FuseOpsHw):
            target = load(fusion_pass.target)
            block = function.body.block
            nodes, matching = forward_graph(block), Matching(target, layouts)
            flow, default = traffic_of(nodes, matching), hardware_groups(nodes, matching)
            grouping = default
            if fusion_pass.strategy == "cover":
                grouping = best_cover(flow, matching, partial(replace, default))
            if flow.travelling(grouping) > flow.travelling(default):
                yield f"{flow.travelling(default)} bytes became {flow.travelling(grouping)}"
            yield from faults(block, grouping, target)
    if isinstance(fusion_pass, FuseOps):
        for fusion in fusion_pass.fusions(module, Names(module)):
            if not is_acyclic(fusion.subject.function.body.block, [ops for ops in fusion.groups if ops]):
                yield "groups wait for each other"


def tried(seeds: Iterable[int]) -> tuple[Counter[str], list[str]]:
    """The pipelines whose numbers are compared, in turns."""
    verdicts: Counter[str] = Counter()
    found: list[str] = []
    for seed in seeds:
        made = program(seed)
        for place, pipeline in enumerate(PIPELINES):
            in_turn = place == seed % len(PIPELINES)
            found += (_told(each, seed, pipeline) for each in problems(pipeline, made, seed, verdicts, in_turn))
    return verdicts, found


def _told(problem: str, seed: int, pipeline: Sequence[ModulePass]) -> str:
    """A problem, with a small program that has it."""
    made = program(seed)

    def fails(module: ModuleOp) -> bool:
        try:
            return problem in problems(pipeline, replace(made, module=module), seed, Counter())
        except InterpreterError:
            # A program without some of its ops may not fit the sizes it was made for.
            return False

    command = ",".join(str(each.pipeline_pass_spec()) for each in pipeline)
    return f"{problem}, seed {seed}, npu-opt -p '{command}'\n{shrunk(made.module, fails)}"


@pytest.mark.parametrize("part", range(2))
def test_random_targets(part: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Fusion keeps the meaning on random targets, whose stages transpose in all ways."""
    verdicts, absorbed = Counter[str](), 0
    for seed in one_by_one(seeds(4, 250)[part::2], capsys):
        (folder := tmp_path / str(seed)).mkdir()
        file = folder / "random.toml"
        file.write_text(random_target(seed))
        # Programs of all kinds and sizes.
        made = program(each := 7 * seed)
        for place, pipeline in enumerate(pipelines_on(str(file))):
            in_turn = place == seed % 6
            found = [_told(text, each, pipeline) for text in problems(pipeline, made, each, verdicts, in_turn)]
            assert not found, f"{file.read_text()}\n{found}"
        absorbed += len(covered(made.module, load(file), ASSUMED_SIZE).absorbed)
    with capsys.disabled():
        print(f"\n{verdicts}, {absorbed} transposes absorbed")
    assert verdicts["PROVED"] >= 0.97 * (verdicts.total() - verdicts["with numbers"])
    assert absorbed > 0 or not LONG


def test_random_programs(capsys: pytest.CaptureFixture[str]):
    answers = list(in_chunks(tried, PROGRAMS, CHUNK, capsys))
    verdicts = sum((each for each, _ in answers), Counter[str]())
    with capsys.disabled():
        print(f"\n{len(PROGRAMS)} programs, {len(PIPELINES)} pipelines, fused and inlined: {verdicts}")
    assert not [problem for _, found in answers for problem in found]
    assert verdicts["PROVED"] >= 0.97 * 2 * len(PIPELINES) * len(PROGRAMS)
    assert verdicts["with numbers"] >= len(PROGRAMS)


def test_some_ops_are_fused():
    fused: Counter[int] = Counter()
    for seed in range(30):
        for place, each in enumerate(FUSION):
            fused[place] += "npu.primitive" in str(applied([each], program(seed).module))
    assert min(fused.values()) >= 5, fused


SCRIPT = """
import sys
sys.path[:0] = sys.argv[1:]
from test_fusion import FUSION, applied
from support.generators.placed_programs import program
for seed in range(8):
    for each in FUSION:
        print(applied([each], program(seed).module))
"""


def test_the_result_does_not_depend_on_hashes():
    folder = Path(__file__).parent
    command = [sys.executable, "-c", SCRIPT, str(folder), str(folder.parents[1])]
    printed = [
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1]
    assert "npu.primitive" in printed[0]
