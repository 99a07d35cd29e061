"""The types of an op in its custom form."""

from xdsl.irdl import IRDLOperation
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
"""The end of a custom form: other attributes, and the types."""


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
