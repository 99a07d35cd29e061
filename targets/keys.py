"""The keys of a target file: those that its reader knows, and docs/target.schema.json describes to editors."""

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple, TypeAlias


class KeyKind(Enum):
    """The type of a value in the file."""

    TEXT = "a text"
    FLAG = "true or false"
    NUMBER = "a whole number from 1 on"
    CONDITION = "a condition"
    CONDITIONS = "a list of conditions"
    FLAG_OR_CONDITION = "true, false or a condition"
    PRICE = "a number, or a text such as '0.5 x bytes + 200'"
    AMOUNT = "a number from 0 on"
    OWN = "described by itself"
    """A table, or a value with words of its own."""


class Key(NamedTuple):
    """A key of a table."""

    kind: KeyKind
    doc: str
    is_required: bool = False


Keys: TypeAlias = Mapping[str, Key]

TOP: Keys = {
    "name": Key(KeyKind.TEXT, "The name of the file without .toml.", True),
    "description": Key(KeyKind.TEXT, "One line, shown by --list-targets.", True),
    "extends": Key(KeyKind.TEXT, "The target that the file adds to: a shipped one, or the path of a file."),
    "matmul": Key(KeyKind.OWN, "The re-orderings that products of matrices absorb.", True),
    "cost": Key(KeyKind.OWN, "The cost that layout-optimal minimises unless an option names another one."),
    "free": Key(KeyKind.OWN, "Ops without cost, which join the group of their users."),
    "integers-only": Key(KeyKind.FLAG, "True if the hardware computes with integers only."),
    "nchwc": Key(KeyKind.FLAG, "True if a file of ONNX has ops on blocks of channels as ONNX Runtime's own."),
    "whole": Key(KeyKind.OWN, "Ops of ONNX that stay one node in a file of ONNX, as the engine runs them whole."),
    "optimize": Key(KeyKind.TEXT, "The flags that -O stands for: passes, and --fold-weights."),
    "ranks": Key(
        KeyKind.OWN, "The highest ranks at which values of a class may be re-ordered, and those of transposes."
    ),
    "file": Key(KeyKind.OWN, "What a file of ONNX may contain."),
    "preferred": Key(KeyKind.OWN, "The preferred layouts, one for each rank from 3 on.", True),
    "demands": Key(KeyKind.OWN, "The layouts that ops demand of their operands and results."),
    "costs": Key(KeyKind.OWN, "The costs of transposes and of forms of ops."),
    "transposes": Key(KeyKind.OWN, "The transposes that the hardware can do."),
    "ops": Key(KeyKind.OWN, "Ops of other systems, by their quoted names."),
    "data-flow": Key(KeyKind.OWN, "The stages that a group passes through, in their order."),
    "stages": Key(KeyKind.OWN, "The stages, by name."),
}
RANKS: Keys = {
    "feature": Key(KeyKind.OWN, "The limit of features, from 3 to 5."),
    "weight": Key(KeyKind.OWN, "The limit of weights, from 3 to 5."),
    "tensor": Key(KeyKind.OWN, "The limit of tensors without named axes, from 2 to 6."),
    "transpose": Key(KeyKind.OWN, "The most axes that one transpose moves, from 4 to 6."),
}
FILE: Keys = {
    "opset": Key(KeyKind.OWN, "The newest opset, from 13 on."),
    "max-rank": Key(KeyKind.NUMBER, "The highest rank of a value."),
    "squeeze": Key(KeyKind.OWN, "'keep': reshapes of unit axes alone are Squeeze and Unsqueeze."),
    "transpose": Key(KeyKind.OWN, "'split': Transposes beside Reshapes are of the axes that these split or merge."),
    "equal-ranks": Key(KeyKind.FLAG, "True if both operands of a product have one rank."),
    "no-constant-lhs": Key(KeyKind.FLAG, "True if no left operand of a product is a constant."),
    "product-rank": Key(KeyKind.NUMBER, "The highest rank of a product of a tensor and one matrix."),
    "lacks": Key(KeyKind.OWN, "Ops of ONNX that the engine does not have."),
    "unary-rank": Key(KeyKind.OWN, "The highest rank of unary ops between an input and a Transpose, from 4 on."),
    "domains": Key(KeyKind.OWN, "Domains of ops that the engine has besides those of ONNX."),
}
PREFERRED: Keys = {
    "feature": Key(KeyKind.OWN, "Permutations of NCW, NCHW and NCDHW.", True),
    "weight": Key(KeyKind.OWN, "Permutations of OIW, OIHW and OIDHW.", True),
}
RULE: Keys = {
    "when": Key(KeyKind.CONDITION, "The ops that this table is about; without it all ops of the name."),
    "choices": Key(KeyKind.OWN, "Layouts that belong together, as a list of tables, each with an optional 'cost'."),
    "costs": Key(KeyKind.OWN, "The price of the op where a listed value has a layout."),
}
COSTS: Keys = {
    "unit": Key(KeyKind.TEXT, "The unit of all prices, such as cycles; it is only printed.", True),
    "transpose": Key(KeyKind.OWN, "The price of transposes, or a list of tables, the last one without 'when'.", True),
    "matmul": Key(KeyKind.OWN, "The prices of reading an operand of a product transposed, and of forms of products."),
    "axes": Key(KeyKind.OWN, "The price of ops by the place of the axes that their attributes name."),
    "recompute": Key(KeyKind.OWN, "The price of running an op a second time in another form; others run once."),
    "constant": Key(KeyKind.PRICE, "The price of each layout of a constant beside the first; without it 0."),
}
ELEMENTWISE = "elementwise"
"""The name under which a table has all elementwise ops without an entry of their own."""
TRANSPOSE_PRICE: Keys = {
    "when": Key(KeyKind.CONDITION, "The transposes that this price is for; without it all."),
    "price": Key(KeyKind.PRICE, "The price."),
    "per-byte": Key(KeyKind.AMOUNT, "The price of each byte moved."),
    "per-call": Key(KeyKind.AMOUNT, "The price of each transpose."),
}
OF_PRODUCT = ("lhs", "rhs", "result")
"""The values that conditions on products are about."""
MATMUL: Keys = {
    "when": Key(KeyKind.CONDITION, "The products that this table is about; without it all."),
    "lhs": Key(KeyKind.OWN, "The left operand: transposed or as it is."),
    "rhs": Key(KeyKind.OWN, "The right operand: transposed or as it is."),
    "result": Key(KeyKind.OWN, "The result: transposed by swapping the operands, or as it is."),
    "batch": Key(KeyKind.OWN, "The batch axes: in any order or as they are."),
}
OP_PRICE: Keys = {
    "when": Key(KeyKind.CONDITION, "The ops, or the forms of products, that this price is for; without it all."),
    "price": Key(KeyKind.PRICE, "The price.", True),
}
TRANSPOSES: Keys = {
    "can": Key(KeyKind.CONDITIONS, "Conditions, one of which a transpose of the hardware meets."),
    "fallback": Key(KeyKind.PRICE, "The price of all other transposes."),
}
OPS: Keys = {
    "like": Key(KeyKind.OWN, "How the op treats the axes of its values.", True),
    "pure": Key(KeyKind.FLAG, "True if the op has no side effects and always computes the same."),
    "fusion": Key(KeyKind.OWN, "How fuse-ops fuses the op."),
    "channels": Key(KeyKind.OWN, "The place of the channels that a pool means in programs without layouts."),
}
DATA_FLOW: Keys = {
    "root": Key(KeyKind.TEXT, "The stage where every group starts.", True),
    "edges": Key(KeyKind.OWN, "Lines such as 'a > b > c'; where the flow forks, 'a > b | c'.", True),
    "forbids-escaping": Key(KeyKind.FLAG, "True if only the last op of a group may have users outside it."),
}
STAGE: Keys = {
    "runs": Key(KeyKind.OWN, "The ops that the stage runs: 'add', 'add with constant' or 'pad before pool'."),
    "uses": Key(KeyKind.NUMBER, "The number of ops of one group that may run on the stage; without it any number."),
    "absorbs": Key(KeyKind.FLAG_OR_CONDITION, "The transposes that the stage does while data passes through it."),
    "holds": Key(KeyKind.FLAG, "True if the stage keeps data until results of the group beside it are complete."),
    "price": Key(KeyKind.PRICE, "The price of each transpose that the stage does in a group, in bytes; without it 0."),
    "most-bytes": Key(KeyKind.NUMBER, "The largest value of the group that an op on the stage reads; without it any."),
}
