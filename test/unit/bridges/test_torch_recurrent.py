"""Recurrent layers of PyTorch: they leave as they came, permutes cross them, and other formats have them."""

# pyright: basic
# Functions of PyTorch are written here, which say little of their types.

from typing import Any

import npu_opt
import pytest
from npu_opt.equivalence.compare import Verdict
from support.closeness import FEW_STEPS_NEAR_ZERO, are_close
from support.torch_graphs import QUIET, are_equal, as_npu, bare, compared, exported, nodes, permutes, relayout, torch
from torch.utils._pytree import tree_leaves

pytestmark = [QUIET, pytest.mark.filterwarnings("ignore:The tensor attributes:UserWarning")]
CLOSE = 1e-5
KINDS = {"LSTM": "lstm", "GRU": "gru", "RNN": "rnn_tanh"}
TURNED = 1, 0, 2
CASES = (1, False, True, True), (1, True, False, False), (2, False, False, True), (2, True, True, True)


class Net(torch.nn.Module):
    """A layer, perhaps behind a permute and in front of another one."""

    def __init__(self, layer: Any, before: bool = False, behind: bool = False) -> None:
        super().__init__()
        self.layer, self.before, self.behind = layer, before, behind

    def forward(self, x: Any) -> Any:
        x = x.permute(*TURNED) if self.before else x
        states, last = self.layer(torch.tanh(x))
        return states.permute(*TURNED) if self.behind else states, last


def layer(kind: str, layers: int = 1, **options: Any) -> Any:
    torch.manual_seed(7)
    return getattr(torch.nn, kind)(5, 4, layers, **options).eval()


def image() -> Any:
    return torch.randn(3, 2, 5, generator=torch.Generator().manual_seed(3))


def checked(found: Any, program: Any) -> None:
    wanted, values = (tree_leaves(each.module()(image())) for each in (program, found))
    assert are_equal(values, wanted, CLOSE)
    assert compared(program, found).verdict is Verdict.PROVED


@pytest.mark.parametrize("kind", KINDS)
def test_layers(kind: str) -> None:
    for layers, both, first, biases in CASES:
        made = layer(kind, layers, bidirectional=both, batch_first=first, bias=biases)
        for before, behind in ((False, False), (True, True)):
            program = exported(Net(made, before, behind), [image()])
            assert not any("aten" in op.name for op in as_npu(program)[0].walk())
            found = relayout(program)
            checked(found, program)
            if first or not before:
                assert permutes(found) == 0
            if not before:
                assert nodes(found) == nodes(program)
            # Each layer is computed once.
            assert sum(f"{KINDS[kind]}.input" in node for node in nodes(found)) <= layers
            checked(bare(program), program)


class Row(torch.nn.Module):
    """Layers with the batch first, which need no permutes between them."""

    def __init__(self, between: Any, both: bool) -> None:
        super().__init__()
        torch.manual_seed(7)
        self.first = torch.nn.LSTM(5, 4 if both else 8, batch_first=True, bidirectional=both)
        self.second = torch.nn.GRU(8, 3, batch_first=True)
        self.between = between
        self.linear, self.norm = torch.nn.Linear(8, 8), torch.nn.LayerNorm(8)

    def forward(self, x: Any) -> Any:
        return self.second(self.between(self, self.first(x)[0]))


BETWEEN: dict[str, Any] = {
    "relu": lambda net, x: torch.relu(x),
    "linear": lambda net, x: net.norm(net.linear(x)),
    "residual": lambda net, x: x + net.linear(x),
    "slice": lambda net, x: torch.cat([x[:, 1:], x[:, :1].flip(0)], 1) * torch.ones(1, 1, 8),
}


@pytest.mark.parametrize("between", BETWEEN)
def test_layers_in_a_row(between: str, tmp_path: Any) -> None:
    program = exported(Row(BETWEEN[between], both=between != "slice"), [image()])
    found = relayout(program)
    checked(found, program)
    assert permutes(found) == 0
    npu_opt.optimize(program, target="torch").save(tmp_path / "row.pt2")
    assert permutes(torch.export.load(tmp_path / "row.pt2")) == 0
    if between in ("relu", "linear"):
        assert nodes(found) == nodes(program)


def test_layers_with_other_neighbours() -> None:
    """A step of all states, and states that others read with the batch first."""

    def taken(x: Any) -> Any:
        states = first(x)[0]
        return second(states)[0][:, -1], states.mean(1), states.reshape(3, -1)

    first, second = (torch.nn.GRU(5, 5, batch_first=True).eval() for _ in range(2))
    program = exported(taken, [image()])
    found = relayout(program)
    checked(found, program)
    assert permutes(found) == 0


def test_layer_beside_its_input() -> None:
    made = torch.nn.LSTM(5, 5, batch_first=True).eval()
    program = exported(lambda x: torch.relu(x + made(torch.tanh(x))[0]), [image()])
    found = relayout(program)
    checked(found, program)
    assert permutes(found) == 0


def test_inner_value_that_is_read() -> None:
    """The states with the steps first, of which a permute is the call's result, are read by others."""
    made = torch.nn.LSTM(5, 5, batch_first=True).eval()

    def turned(x: Any) -> Any:
        states = made(x)[0]
        return states.permute(*TURNED) + states, states

    program = exported(turned, [image()[:2]])
    found = relayout(program)
    wanted, values = (tree_leaves(each.module()(image()[:2])) for each in (program, found))
    assert are_equal(values, wanted, CLOSE)


def test_layer_that_stays() -> None:
    program = exported(Net(layer("LSTM", proj_size=2)), [image()])
    found = relayout(program)
    assert nodes(found) == nodes(program)


@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
def test_other_formats(kind: str, tmp_path: Any) -> None:
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    net = Net(layer(kind, 2, batch_first=True, bidirectional=True))
    file = tmp_path / "net.onnx"
    npu_opt.optimize(net, args=(image(),), target="onnx").save(file)
    session = runtime.InferenceSession(str(file))
    found = session.run(None, {session.get_inputs()[0].name: image().numpy()})
    assert are_close(found[0], net(image())[0].detach().numpy(), FEW_STEPS_NEAR_ZERO)
    assert npu_opt.check(net, str(file), args=(image(),))
