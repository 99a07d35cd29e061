"""Random programs that resemble networks: few shapes and layouts, used again and again.

Half of the ops come in blocks, such as a convolution with its activation, a residual connection, or features that are
reshaped to a sequence and back. The other half is any op. Layout passes find much to do in such programs.
"""

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute

from .blocks import BLOCKS
from .net import Net
from .programs import Foreign, FunctionBuilder, random_program


class NetworkBuilder(FunctionBuilder):
    """A function of a network under construction."""

    samples: Net

    def new_samples(self, coloured: bool, floats: Attribute) -> Net:
        return Net(self.rng, coloured, floats)

    def add_ops(self) -> None:
        if self.rng.random() < 0.7:
            super().add_ops()
            return
        (block,) = self.rng.choices([*BLOCKS], [*BLOCKS.values()])
        block(self.samples)


def random_network(
    seed: int,
    size: int,
    coloured: bool = True,
    foreign: Foreign = "none",
    floats: Attribute | None = None,
    functions: int | None = None,
) -> ModuleOp:
    """A network of approximately this many ops, with a function @main; the parameters are those of a random program."""
    return random_program(seed, size, coloured, foreign, floats, functions, NetworkBuilder)
