"""The storages of a whole module, with their views and the static sizes that only views state."""

from collections.abc import Container, Iterator, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ....dialects.npu.shape import ViewOp
from ....dialects.npu.values import encoding, order_of_value, shape_of
from ....layout import unpermute
from ...common.moves.kept_constants import SharedData
from ...common.storages.origins import Origins
from ...common.storages.storage import ByteOrder, Storage


class ModuleStorage(Storage):
    """All storages of a module."""

    def __init__(self, module: ModuleOp, live: Container[Operation | Block], weighs_constants: bool = False) -> None:
        """With `weighs_constants` each byte order of a constant beside the first costs something."""
        super().__init__()
        self._shared = SharedData(module) if weighs_constants else None
        self.origins = Origins()
        self._values = [value for value in _values(module) if encoding(value.type) is not None]
        self._known_sizes: dict[SSAValue, dict[int, int]] = {}
        self._view_all()
        while self._learn(live):
            self._views.clear()
            self._view_all()
        self._members: dict[SSAValue, list[SSAValue]] = {}
        for value, view in self._views.items():
            self._members.setdefault(view.root, []).append(value)

    def views(self, root: SSAValue) -> list[SSAValue]:
        """All views of a storage, its root included."""
        return self._members[root]

    def has_any_order(self, root: SSAValue) -> bool:
        """True if a storage is read in any number of byte orders for nothing: a constant that has no price for them."""
        return self._shared is None and self.is_constant(root)

    def is_stored_as_read(self, root: SSAValue) -> bool:
        """True for a constant whose first byte order is that of any reader, as no reshape has made it before."""
        return self.is_constant(root) and not isinstance(root.owner, ViewOp)

    def data(self, root: SSAValue) -> SSAValue:
        """The constant that stands for all with the data of a storage; the root itself of others."""
        return root if self._shared is None else self._shared.first(root)

    def on_data(self, root: SSAValue, byte_order: ByteOrder) -> ByteOrder:
        """A byte order of a storage as one of what stands for its data."""
        return byte_order if self._shared is None else self._shared.moved(byte_order, root, self.data(root))

    def with_same_data(self, root: SSAValue) -> Sequence[SSAValue]:
        """The constants with the data of a storage; the root alone of others."""
        return (root,) if self._shared is None else self._shared.of(root)

    def on_each(self, root: SSAValue, byte_order: ByteOrder) -> Iterator[tuple[SSAValue, ByteOrder]]:
        """The constants with the data of a storage, each with the byte order that is this one for it."""
        for other in self.with_same_data(root):
            yield other, byte_order if self._shared is None else self._shared.moved(byte_order, root, other)

    def is_constant(self, root: SSAValue) -> bool:
        """True if the data of a storage is known at compile time, so that any byte order is free.

        A reshape that tears the axes of a constant begins a storage of its own, which is constant as well.
        """
        return self.origins.is_constant(root)

    def known_sizes(self, root: SSAValue) -> dict[int, int]:
        return self._known_sizes.get(root, {})

    def _view_all(self) -> None:
        for value in self._values:
            self.view(value)

    def _learn(self, live: Container[Operation | Block]) -> bool:
        """Note static sizes that only the types of views state; true if there were any.

        Views in another block, and dead ones, may never be executed, so their types prove nothing.
        """
        is_new = False
        for value, view in self._views.items():
            if value.owner not in live or not any(size.symbols for size in view.sizes):
                continue
            if _block(value) is not _block(view.root):
                continue
            for size, extent in zip(unpermute(shape_of(value), order_of_value(value)), view.sizes, strict=True):
                if size > 0 and len(extent.symbols) == 1 and size % extent.factor == 0:
                    self._known_sizes.setdefault(view.root, {})[extent.symbols[0]] = size // extent.factor
                    is_new = True
        return is_new


def _values(module: ModuleOp) -> list[SSAValue]:
    """All values of a module, roots before views."""
    roots: list[SSAValue] = []
    views: list[SSAValue] = []
    for op in module.walk():
        roots += [argument for region in op.regions for block in region.blocks for argument in block.args]
        (views if isinstance(op, ViewOp) else roots).extend(op.results)
    return roots + views


def _block(value: SSAValue) -> Block | None:
    return value.owner if isinstance(value.owner, Block) else value.owner.parent
