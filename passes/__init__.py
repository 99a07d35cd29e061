"""The passes of npu-opt: one entry of the table below per pass, imported on demand."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from xdsl.passes import ModulePass


class PassEntry(NamedTuple):
    """The module and class of a pass, and its summary for `--help`, which does not import it."""

    module: str
    class_name: str
    summary: str
    """The first line of the class's docstring (a test compares them)."""


PASS_TABLE: dict[str, PassEntry] = {
    "convert-fx-to-npu": PassEntry(
        ".bridges.torch.convert_fx_to_npu",
        "ConvertFxToNpu",
        "Rewrite calls of PyTorch's operators as the ops of npu that compute the same.",
    ),
    "convert-linalg-to-npu": PassEntry(
        "convert_linalg_to_npu",
        "ConvertLinalgToNpu",
        "Rewrite ops of linalg and tosa on tensors as nests of loops, which the layout passes place.",
    ),
    "convert-npu-to-fx": PassEntry(
        ".bridges.torch.convert_npu_to_fx",
        "ConvertNpuToFx",
        "Rewrite all ops of npu as calls of PyTorch's operators that compute the same.",
    ),
    "convert-npu-to-linalg": PassEntry(
        "convert_npu_to_linalg",
        "ConvertNpuToLinalg",
        "Rewrite nests of loops as the ops of linalg and tosa that they were, or as those in other layouts.",
    ),
    "describe-ops": PassEntry(
        "describe_ops", "DescribeOps", "Write what the target says about ops of other systems onto them."
    ),
    "fold-norms": PassEntry(
        "fold_norms",
        "FoldNorms",
        "Multiply constant factors behind convolutions and products into the weights, and add constants to the bias.",
    ),
    "free-rounding": PassEntry(
        "free_rounding",
        "FreeRounding",
        "Let ops that were read from a LiteRT file be written as faster nodes that round differently.",
    ),
    "fuse-ops": PassEntry(
        "fuse_ops", "FuseOps", "Outline ops that can be executed as one into functions, as TVM's FuseOps does."
    ),
    "fuse-ops-hw": PassEntry(
        "fuse_ops_hw", "FuseOpsHw", "Outline ops that one pass through the hardware executes into functions."
    ),
    "inline-fused": PassEntry("inline_fused", "InlineFused", "Inline fused functions into their callers."),
    "layout-optimal": PassEntry(
        "layout_optimal",
        "LayoutOptimal",
        "Give the ops the layouts with which the whole program moves the least data, and prove it.",
    ),
    "layout-preset": PassEntry(
        "layout_preset",
        "LayoutPreset",
        "Give the ops the layouts that the hardware wants, with transposes where regions of ops meet.",
    ),
    "layout-preset-npu": PassEntry(
        "layout_preset_npu",
        "LayoutPresetNpu",
        "Put transposes in front of the ops that demand a layout which they do not get, and never re-order a tensor.",
    ),
    "layout-transmit": PassEntry(
        "layout_transmit", "LayoutTransmit", "Infer a layout for every value, starting from the ops with known layouts."
    ),
    "multiply-reciprocals": PassEntry(
        "multiply_reciprocals",
        "MultiplyReciprocals",
        "Replace divisions by inline constants, and by repeated floats, with products with their reciprocals.",
    ),
    "npu-default": PassEntry(
        "npu_default",
        "NpuDefault",
        "Place transposes, canonicalize, and fuse for the hardware: the pipeline for most networks.",
    ),
    "pin-layouts": PassEntry(
        "pin_layouts", "PinLayouts", "Mark the values whose layouts a plan pins, for `layout-optimal` to obey."
    ),
    "recognise-activations": PassEntry(
        "recognise_activations",
        "RecogniseActivations",
        "Replace activations that were exported as arithmetic by one op.",
    ),
    "recognise-conversions": PassEntry(
        "recognise_conversions",
        "RecogniseConversions",
        "Replace transposes of images between NCHW and NHWC by `npu.nchw2nhwc` and `npu.nhwc2nchw`.",
    ),
    "recognise-norms": PassEntry(
        "recognise_norms",
        "RecogniseNorms",
        "Replace normalisations that were exported as reshapes or arithmetic by one op.",
    ),
    "recognise-quantised": PassEntry(
        "recognise_quantised",
        "RecogniseQuantised",
        "Replace floats between dequantisation and quantisation by ops on the integers.",
    ),
    "recognise-shuffles": PassEntry(
        "recognise_shuffles",
        "RecogniseShuffles",
        "Replace channel shuffles that were exported as reshapes and transposes by one gather, or by none.",
    ),
    "recognise-turns": PassEntry(
        "recognise_turns",
        "RecogniseTurns",
        "Replace a transpose and a reverse that turn images by one rotation.",
    ),
    "recognise-windows": PassEntry(
        "recognise_windows",
        "RecogniseWindows",
        "Replace windows of images that were exported as slices, gathers, pads or selects by one op.",
    ),
    "set-interface": PassEntry(
        "set_interface",
        "SetInterface",
        "Store arguments and results in the layouts that `interface` names, with transposes at the border.",
    ),
    "split-quantised": PassEntry(
        "split_quantised",
        "SplitQuantised",
        "Write quantised convolutions and matrix products as the steps that the stages of a target run.",
    ),
    "split-transposes": PassEntry(
        "split_transposes", "SplitTransposes", "Write a transpose as two where the target does that faster."
    ),
    "strip-layouts": PassEntry(
        "strip_layouts", "StripLayouts", "Rewrite every op to the identity order of its axes and remove the layouts."
    ),
    "tie-interfaces": PassEntry(
        "tie_interfaces",
        "TieInterfaces",
        "Tie arguments and results, so that they are stored in one layout, and note how often each function is called.",
    ),
}
"""Pass name (kebab-case) to entry: `"layout-transmit": PassEntry("layout_transmit", "LayoutTransmit", "...")`.

A pass of a bridge is named by its path from the package: no file of this folder imports it.
"""


def _factory(entry: PassEntry) -> Callable[[], type[ModulePass]]:
    def load() -> type[ModulePass]:
        module = import_module(f".{entry.module}", __name__)
        return cast("type[ModulePass]", getattr(module, entry.class_name))

    return load


def get_all_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """One lazy factory per pass, sorted by name."""
    return {name: _factory(entry) for name, entry in sorted(PASS_TABLE.items())}
