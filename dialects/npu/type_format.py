"""The types of an op in its custom format."""

from collections.abc import Sequence

from xdsl.dialects.builtin import UnitAttr
from xdsl.irdl import BaseAttr, IRDLOperation, OpDef, OptPropertyDef
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    FunctionalTypeDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

SIGNATURE = "attr-dict `:` custom<OpTypes>(functional-type(operands, results))"
"""The end of a custom format: other attributes, and the types."""


def format_of(definition: OpDef, fields: Sequence[str]) -> str:
    """The assembly format of an op: operands, properties in the order of the fields, and types.

    Properties that may be absent follow the others, and layouts follow all.
    """
    optional = {
        name
        for name, found in definition.properties.items()
        if isinstance(found, OptPropertyDef) or found.default_value is not None
    }
    parts = [f"${definition.operands[0][0]}" if len(definition.operands) == 1 else "operands"]
    order = {name: (name.endswith("_layout"), name in optional, fields.index(name)) for name in definition.properties}
    for name in sorted(order, key=order.__getitem__):
        if definition.properties[name].constr == BaseAttr(UnitAttr):
            parts.append(f"(`{name}` ${name}^)?")
        else:
            parts.append(f"(`{name}` `=` ${name}^)?" if name in optional else f"`{name}` `=` ${name}")
    return " ".join([*parts, SIGNATURE])


@irdl_custom_directive
class OpTypes(CustomDirective):
    """A functional type, or one type if that is the type of every operand and of the one result.

    ```mlir
    %y = npu.relu %x : tensor<4xf32>
    %z = npu.matmul %x, %w : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
    ```
    """

    types: FunctionalTypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        self.types.parse_optional(parser, state)
        if state.result_types[0] is not None:
            return
        same = parser.parse_type()
        state.result_types = [[same]]
        for index, operands in enumerate(state.operands):
            if state.operand_types[index] is None:
                state.operand_types[index] = [same] * len(operands or ())

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        operands = self.types.operand_typeable_directive.get_types(op)
        results = self.types.result_typeable_directive.get_types(op)
        if len(results) == 1 and operands and all(each == results[0] for each in operands):
            state.print_whitespace(printer)
            printer.print_attribute(results[0])
        else:
            self.types.print(printer, state, op)
