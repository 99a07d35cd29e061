"""The loops dialect: ops of other dialects by the nests of loops that they are, for the layout passes."""

from xdsl.ir import Dialect

from .nest import HoldOp, NestOp

LOOPS = Dialect("loops", [NestOp, HoldOp], [])
