"""Products with matrices of numbers of few bits, which ONNX Runtime's quantiser writes."""

from xdsl.ir import SSAValue

from .....dialects.npu import low_precision
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import converts, types
from ..shaped import Shaped
from .microsoft import DOMAIN


@types(f"{DOMAIN}.MatMulNBits")
def product_type(node: ImportedNode) -> Shaped:
    return Shaped(node.shaped(0).element, (*node.sizes()[:-1], node.integer("N")))


@converts(f"{DOMAIN}.MatMulNBits")
def product(node: ImportedNode) -> SSAValue:
    columns, rows, bits, size = (node.integer(name) for name in ("N", "K", "bits", "block_size"))
    bits = bits or 4
    if bits not in (2, 4, 8) or size < 16 or size & (size - 1) or node.sizes()[-1] != rows:
        raise UnsupportedNode("blocks that ONNX Runtime does not define")
    blocks = -(-rows // size)
    if node.sizes(1) != (columns, blocks, size * bits // 8):
        raise UnsupportedNode("weights that are packed in another way")
    parameters: dict[int, tuple[int, int]] = {2: (columns, blocks)}
    if node.has_input(3):
        is_packed = node.shaped(3).element == low_precision.BYTE
        parameters[3] = (columns, -(-blocks * bits // 8) if is_packed else blocks)
    for place, (count, each) in parameters.items():
        if node.sizes(place) not in ((count, each), (count * each,)):
            raise UnsupportedNode("scales or zero points of another shape")
    if node.shaped(2).element != node.shaped(0).element:
        raise UnsupportedNode("scales of another type")
    operands = [node.operand(place) for place in range(3)] + [node.optional(place) for place in (3, 4, 5)]
    properties = {"axis": node.rank() - 1, "bits": bits, "block_size": size}
    accuracy = node.integer("accuracy_level") if node.has_attribute("accuracy_level") else None
    return node.add(low_precision.MatmulNBitsOp, operands, node.output().sizes, **properties, accuracy=accuracy)
