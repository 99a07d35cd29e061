"""The forward graph of a function: uses outside of it, and the order of side effects."""

from npu_opt.dialects.npu.fusion import FusionKind
from npu_opt.passes.fusion.graph.graph import FusionNode, forward_graph
from support.generators.hardware import nodes_of
from support.ir_text import parse
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, Operation

T = "tensor<4xf32>"


def named(nodes: list[FusionNode]) -> dict[str, FusionNode]:
    """The nodes by the names of their values."""
    results = {
        node.index: node.source.results if isinstance(node.source, Operation) else [node.source] for node in nodes
    }
    return {results[node.index][0].name_hint or "": node for node in nodes if results[node.index]}


def test_used_outside():
    nodes = named(
        nodes_of(
            parse(
                f"""
                func.func @main(%x: {T}) -> {T} {{
                  %a = npu.relu %x : {T}
                  %b = npu.abs %a : {T}
                  %r = scf.execute_region -> ({T}) {{
                    %n = npu.neg %a : {T}
                    scf.yield %n : {T}
                  }}
                  %c = npu.add %b, %r : {T}
                  func.return %c : {T}
                }}"""
            )
        )
    )
    assert {name for name, node in nodes.items() if node.is_used_outside} == {"x", "a", "c"}
    assert [(edge.reader, edge.kind) for edge in nodes["a"].edges] == [(nodes["b"].index, FusionKind.ELEMENTWISE)]


def test_effects_and_ops_known_to_have_none():
    module = parse(
        f"""
        func.func @main(%x: {T}) -> ({T}, {T}) {{
          %a = func.call @f(%x) : ({T}) -> {T}
          %b = npu.opaque "other.print"(%x) : ({T}) -> {T}
          %c = func.call @f(%x) : ({T}) -> {T}
          func.return %c, %a : {T}, {T}
        }}
        func.func private @f({T}) -> {T}"""
    )
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    block: Block = function.body.block
    a, b, c, _ = block.ops
    assert [(node.source, node.previous) for node in forward_graph(block)[1:]] == [(a, None), (b, a), (c, b)]
    calls = [op for op in block.ops if isinstance(op, CallOp)]
    assert [(node.source, node.previous) for node in forward_graph(block, calls)[1:]] == [
        (c, None),
        (a, None),
        (b, None),
    ]
