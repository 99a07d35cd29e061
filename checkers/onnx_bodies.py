"""The ops that compute an op, for check_equal.py: as ONNX or a function of the model says, or equal in numbers."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
from collections.abc import Iterator
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

import onnx
from onnx import defs, parser

if TYPE_CHECKING or __package__:
    from .onnx_steps import OnnxStep
else:
    from onnx_steps import OnnxStep

WRITTEN_OUT = {"Attention", "RMSNormalization", "RotaryEmbedding"}
"""Ops whose bodies are taken from ONNX."""
FLOATS = {1, 10, 11, 16}


def body_of(node: OnnxStep, proto: onnx.NodeProto) -> onnx.FunctionProto | None:
    """Other ops that compute an op; None if there are none."""
    types, at, text = [each.type if each else onnx.TypeProto() for each in node.inputs], node.attributes, ""
    names, are_floats = (
        ascii_lowercase[: max(3, len(types))],
        all(each.tensor_type.elem_type in FLOATS for each in types),
    )
    has_constant = any(each and each.array is not None for each in node.inputs[1:])
    match node.version[0], node.op:
        case "", op if op in WRITTEN_OUT:
            schema: Any = defs.get_schema(op, node.version[1])
            given = proto.SerializeToString(), [each.SerializeToString() for each in types]
            return onnx.FunctionProto.FromString(schema.get_context_dependent_function(*given))
        case "", "Div" if are_floats and node.version[1] > 6 and not has_constant:  # 1 / 3 is rounded.
            text = "r = Reciprocal (b) y = Mul (a, r)"
        case "", "Pow" if are_floats and node.version[1] > 6 and node.listed(1) == [2]:
            text = "y = Mul (a, a)"
        case "", "GreaterOrEqual" | "LessOrEqual" as op:
            text = f"s = {op.removesuffix('OrEqual')} (a, b) e = Equal (a, b) y = Or (s, e)"
        case "", "Softmax" if node.version[1] < 13 and (rank := len(types[0].tensor_type.shape.dim)):
            axes = [*range(at["axis"] % rank, rank)]
            text = f"i = Constant <value_ints = {axes}> () m = ReduceMax (a, i) s = Sub (a, m) e = Exp (s)"
            text += " t = ReduceSum (e, i) y = Div (e, t)"
        case "", "CastLike":
            text = f"y = Cast <to = {types[1].tensor_type.elem_type}> (a)"
        case "", "Resize" if not any(name[0] == "." for name in node.law()[0][0]):
            text = "y = Identity (a)"
        case "", "Sum" if len(types) > 1:
            sums = [*(f"s{place}" for place in range(1, len(types) - 1)), "y"]
            text = " ".join(
                f"{new} = Add ({old}, {each})" for new, old, each in zip(sums, ["a", *sums], names[1:], strict=False)
            )
        case ("", "Gemm") | ("com.microsoft", "FusedMatMul") if not at.get("transBatchA") and not at.get("transBatchB"):
            for name, type_ in zip("AB", types, strict=False):
                axes = [*range(len(type_.tensor_type.shape.dim))]
                perm = [*axes[:-2], *axes[:-3:-1]] if at.get(f"trans{name}") else axes
                text += f"{name} = Transpose <perm = {perm}> ({name.lower()}) "
            text += "m = MatMul (A, B) "
            for name, given, factor in (("m", "alpha", "f"), ("c", "beta", "g"))[: len(types) - 1]:
                by = at.get(given, 1.0)
                text += f"{factor} = Constant <value_float = {by!r}> () " if by != 1 else ""
                text += f"{name}{factor} = {'Mul' if by != 1 else 'Identity'} ({name}{f', {factor}' * (by != 1)}) "
            text += "y = Add (mf, cg)" if len(types) == 3 else "y = Identity (mf)"
        case _:
            return None
    return parser.parse_function(f'<domain: "f", opset_import: ["": 18]> f ({", ".join(names)}) => (y) {{ {text} }}')


def steps_of(body: onnx.FunctionProto, proto: onnx.NodeProto) -> Iterator[onnx.NodeProto]:
    """The nodes of a body in the place of a node, with names that begin with that of its first result."""
    names = {name: proto.input[at] if at < len(proto.input) else "" for at, name in enumerate(body.input)} | {"": ""}
    given = {each.name: each for each in [*body.attribute_proto, *proto.attribute]}
    for step in onnx.FunctionProto.FromString(body.SerializeToString()).node:
        step.input[:] = [names.get(name, f"{proto.output[0]}/{name}") for name in step.input]
        step.output[:] = [f"{proto.output[0]}/{name}" if name else "" for name in step.output]
        for at, each in reversed([*enumerate(step.attribute)]):
            name, meant = each.name, given.get(each.ref_attr_name)
            if each.HasField("g"):
                raise ValueError("a function with graphs in its nodes")
            if each.ref_attr_name and meant is None:
                del step.attribute[at]
            elif meant is not None:
                each.CopyFrom(meant)
                each.name = name
        yield step
