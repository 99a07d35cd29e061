"""Small hardware and small programs for the tests of fuse-ops-hw."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from npu_opt.passes.fusion.graph.graph import FusionNode, forward_graph
from npu_opt.passes.fusion.groups.hardware_groups import Grouping, hardware_groups
from npu_opt.passes.fusion.stages.operand_layouts import OperandLayouts
from npu_opt.passes.fusion.stages.stage_match import Matching
from npu_opt.targets import Target, load
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from support.ir_text import parse

T = "tensor<1x4x4x4xf32>"


def hardware(
    folder: Path, edges: Iterable[str], stages: Mapping[str, str], top: str = "", free: Iterable[str] = ("reshape",)
) -> Target:
    """A target with this data-flow; each stage has its section of the file, the first is the root."""
    names = iter(stages)
    text = f"""
name = "small"
description = "A small target"
matmul = "rigid"
free = {list(free)}

[preferred]
feature = ["NWC", "NHWC", "NDHWC"]
weight = ["WOI", "HWOI", "DHWOI"]

[data-flow]
root = "{next(names)}"
edges = [{", ".join(f'"{edge}"' for edge in edges)}]
{top}
"""
    text += "\n".join(f"[stages.{name}]\n{body}\n" for name, body in stages.items())
    file = folder / "small.toml"
    file.write_text(text, encoding="utf-8")
    return load(file)


def program(*lines: str, results: str) -> ModuleOp:
    """A function of %x, %y and %s, a scalar, with lines such as `a = add x y` or `b = softmax a | axis = 1`."""
    names = results.split()
    text = [f"func.func @main(%x: {T}, %y: {T}, %s: tensor<f32>) -> ({', '.join([T] * len(names))}) {{"]
    for line in lines:
        result, rest = line.split(" = ", 1)
        call, _, attributes = rest.partition(" | ")
        op, *operands = call.split()
        types = ", ".join("tensor<f32>" if operand == "s" else T for operand in operands)
        values = ", ".join(f"%{operand}" for operand in operands)
        text.append(f"%{result} = npu.{op} {values} {attributes} : ({types}) -> {T}")
    text.append(f"func.return {', '.join(f'%{name}' for name in names)} : {', '.join([T] * len(names))}\n}}")
    return parse("\n".join(text))


def nodes_of(module: ModuleOp) -> list[FusionNode]:
    """The graph of the first function."""
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    return forward_graph(function.body.block)


def groups(target: Target, *lines: str, results: str) -> list[str]:
    """The groups of a program, each with its values and their stages."""
    module = program(*lines, results=results)
    return as_text(hardware_groups(nodes_of(module), matching(target, module)))


def matching(target: Target, module: ModuleOp) -> Matching:
    """The stages of a target for the ops of a program."""
    return Matching(target, OperandLayouts(module))


def as_text(grouping: Grouping) -> list[str]:
    return [
        ", ".join(f"{member.op.results[0].name_hint} on {member.stage.name}" for member in group.members)
        for group in grouping.groups
    ]
