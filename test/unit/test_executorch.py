"""The pass for ExecuTorch, in programs that its runtime runs."""

# pyright: basic
# Modules of PyTorch are written here, which say little of their types, and ExecuTorch may be missing.

import warnings
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install -e '.[torch]'")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    exir = pytest.importorskip("executorch.exir", reason="executorch is not installed: pip install executorch")

from npu_opt.torch import TransformPass  # noqa: E402  # It needs ExecuTorch.

pytestmark = pytest.mark.filterwarnings("ignore")
PERMUTES = ("aten.permute_copy.default", "aten.transpose_copy.int")


class Wrapped(torch.nn.Module):
    """Products over the channels of images: permutes between which nothing needs them."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(4, 8, 3, padding=1)
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, x: Any) -> Any:
        y = self.linear(torch.relu(self.conv(x).permute(0, 2, 3, 1)))
        y = torch.sigmoid(y.permute(0, 3, 1, 2)).permute(0, 2, 3, 1)
        return torch.tanh(y).permute(0, 3, 1, 2)


class Attended(torch.nn.Module):
    """Attention over the pixels of an image."""

    def __init__(self) -> None:
        super().__init__()
        self.attention = torch.nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x: Any) -> Any:
        y = x.flatten(2).transpose(1, 2)
        return self.attention(y, y, y, need_weights=False)[0] + y


class ChannelsLast(torch.nn.Module):
    """A convolution on an image whose channels are stored last (a dim order of the edge dialect)."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(4, 8, 3, padding=1)

    def forward(self, x: Any) -> Any:
        y = torch.relu(self.conv(x.to(memory_format=torch.channels_last)))
        y = y.to(memory_format=torch.contiguous_format)
        return torch.sigmoid(y.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


MODULES = {
    "wrapped": (Wrapped, (1, 4, 6, 6)),
    "attended": (Attended, (1, 8, 3, 3)),
    "channels-last": (ChannelsLast, (1, 4, 6, 6)),
}


@pytest.mark.parametrize("is_delegated", [False, True], ids=["portable", "xnnpack"])
@pytest.mark.parametrize("name", MODULES)
def test_the_runtime_computes_the_numbers_of_eager_mode(name: str, is_delegated: bool) -> None:
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.runtime import Runtime

    torch.manual_seed(0)
    kind, shape = MODULES[name]
    module, inputs = kind().eval(), (torch.randn(shape),)
    edge = exir.to_edge_transform_and_lower(
        torch.export.export(module, inputs),
        transform_passes=[TransformPass()],
        partitioner=[XnnpackPartitioner()] if is_delegated else None,
    )
    # The runtime reads from these as long as it runs.
    written = edge.to_executorch()
    program = Runtime.get().load_program(written.buffer)
    method = program.load_method("forward")
    assert method is not None
    torch.testing.assert_close(method.execute(inputs)[0], module(*inputs))


def test_permutes_between_which_nothing_needs_them_go() -> None:
    program = torch.export.export(Wrapped().eval(), (torch.randn(1, 4, 6, 6),))
    counts = [
        sum(
            _name(node) in PERMUTES
            for node in exir.to_edge_transform_and_lower(program, transform_passes=passes)
            .exported_program()
            .graph.nodes
        )
        for passes in (None, [TransformPass()])
    ]
    assert counts == [5, 2]


def _name(node: Any) -> str:
    return str(getattr(node.target, "_op", node.target))


def test_a_program_without_permutes_stays() -> None:
    program = torch.export.export(torch.nn.Conv2d(4, 8, 3), (torch.randn(1, 4, 6, 6),))
    before, after = (
        exir.to_edge_transform_and_lower(program, transform_passes=passes).exported_program()
        for passes in (None, [TransformPass()])
    )
    assert str(after.graph) == str(before.graph)
    assert after.state_dict.keys() == before.state_dict.keys()
