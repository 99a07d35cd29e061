"""Versions of ONNX in which an op came to mean something else.

This is the knowledge of the proof alone. The exporter decides by the definitions in the package onnx whether a node may
move to another version; here each change was read in ONNX's change log. A node means the same in two versions if both
are known, and none of the changes of its op lies between them.
"""

from collections.abc import Hashable, Mapping
from typing import Any

from numpy.typing import NDArray
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute

from ..dialects.npu.attrs import i64_array

RESIZE = "onnx.Resize"
OLDEST, NEWEST = 7, 28
"""The versions that were read. Others are known by their number only."""

_UNCHANGED = """
    Abs Acos Acosh Add AffineGrid And ArgMax ArgMin Asin Asinh Atan Atanh Bernoulli BitCast BitwiseAnd
    BitwiseNot BitwiseOr BitwiseXor BlackmanWindow CausalConvWithState Ceil Celu CenterCropPad Col2Im Compress
    Concat ConcatFromSequence Conv ConvInteger Cos Cosh CumProd CumSum DeformConv DepthToSpace DequantizeLinear
    Det Div DynamicQuantizeLinear Einsum Elu Equal Erf Exp Expand EyeLike Flatten Floor GRU Gather
    GatherElements GatherND Gelu Gemm GlobalAveragePool GlobalLpPool GlobalMaxPool Greater GreaterOrEqual
    HammingWindow HannWindow HardSigmoid HardSwish Identity If InstanceNormalization IsInf IsNaN LRN LSTM
    LayerNormalization LeakyRelu Less LessOrEqual LinearAttention Log Loop LpNormalization LpPool MatMul
    MatMulInteger Max MaxPool MaxRoiPool MaxUnpool Mean MeanVarianceNormalization MelWeightMatrix Min Mish Mul
    Multinomial Neg NegativeLogLikelihoodLoss NonMaxSuppression NonZero Not Optional OptionalGetElement
    OptionalHasElement Or Pow QLinearConv QLinearMatMul QuantizeLinear RMSNormalization RNN RandomNormal
    RandomNormalLike RandomUniform RandomUniformLike Range Reciprocal RegexFullMatch Relu Reshape
    ReverseSequence RotaryEmbedding Round STFT ScatterElements ScatterND Selu SequenceAt SequenceConstruct
    SequenceEmpty SequenceErase SequenceInsert SequenceLength SequenceMap Shape Shrink Sigmoid Sign Sin Sinh
    Size SoftmaxCrossEntropyLoss Softplus Softsign SpaceToDepth SplitToSequence Sqrt StringConcat
    StringNormalizer StringSplit Sub Sum SwiGLU Swish Tan Tanh TensorScatter TfIdfVectorizer ThresholdedRelu
    Tile Transpose Trilu Unique Where Xor
"""
_CHANGED: Mapping[str, tuple[int, ...]] = {
    "Attention": (24, 25),  # Masks beside a cache.
    "AveragePool": (10, 11, 19),  # Windows of rounded sizes.
    "BatchNormalization": (9, 14),  # Statistics per element; outputs of training.
    "BitShift": (28,),  # Shifts by more bits than there are.
    "Cast": (9, 13, 19, 24),  # Texts; floats of 8 bits and less.
    "CastLike": (19, 24),
    "Clip": (11,),  # Bounds are inputs.
    "Constant": (9, 11, 12),
    "ConstantOfShape": (20,),
    "ConvTranspose": (11,),  # Pads of given result sizes.
    "DFT": (20,),  # The default axis.
    "Dropout": (10, 12),  # The type of the mask; training.
    "GridSample": (20, 22),  # Names and number of the modes.
    "GroupNormalization": (21,),  # Scales per channel.
    "Hardmax": (13,),  # Axes behind the axis are one before 13.
    "LogSoftmax": (13,),
    "Mod": (28,),  # Floats without `fmod`.
    "OneHot": (11,),  # Negative indices.
    "PRelu": (9,),
    "Pad": (11,),  # Pads are inputs.
    "ReduceL1": (18,),  # Axes are inputs.
    "ReduceL2": (18,),
    "ReduceLogSum": (18,),
    "ReduceLogSumExp": (18,),
    "ReduceMax": (18,),
    "ReduceMean": (18,),
    "ReduceMin": (18,),
    "ReduceProd": (18,),
    "ReduceSum": (13,),
    "ReduceSumSquare": (18,),
    "Resize": (11, 13, 18, 19),  # The second input; coordinates.
    "RoiAlign": (16, 22),  # The default of the coordinates.
    "Scan": (9,),  # The batch axis.
    "Slice": (10,),  # Bounds are inputs.
    "Softmax": (13,),
    "Split": (13, 18),  # Sizes are inputs; parts are counted.
    "Squeeze": (13,),
    "TopK": (10,),  # The number is an input.
    "Unsqueeze": (13,),
    "Upsample": (9, 10),
}
CHANGES: Mapping[str, tuple[int, ...]] = {**dict.fromkeys(_UNCHANGED.split(), ()), **_CHANGED}
"""For each op the versions from which on the same text means something else, or may."""


_RENAMED = {"Scatter": "ScatterElements"}
"""Ops that have another name since a version, and mean the same."""


def present_properties(properties: Mapping[str, Attribute]) -> tuple[tuple[str, Attribute], ...]:
    """The properties of an op in a fixed order, with the newest name of an op of ONNX."""
    name = properties.get("op_name")
    domain, _, kind = name.data.rpartition(".") if isinstance(name, StringAttr) else ("", "", "")
    if domain == "onnx" and kind in _RENAMED:
        properties = {**properties, "op_name": StringAttr(f"{domain}.{_RENAMED[kind]}")}
    return tuple(sorted(properties.items(), key=lambda item: item[0]))


def meaning(kind: str, version: int) -> Hashable:
    """A key that two versions share if an op means the same in both."""
    kind = _RENAMED.get(kind, kind)
    if kind not in CHANGES or not OLDEST <= version <= NEWEST:
        return version
    return "changes", sum(change <= version for change in CHANGES[kind])


def as_newer_resize(
    attributes: Mapping[str, Attribute], version: int, scales: NDArray[Any] | None
) -> tuple[Mapping[str, Attribute], Hashable]:
    """The attributes of a Resize in the newest version that says the same, and a key for its version.

    Version 10 has scales as the second input, and takes the nearest element below if it repeats elements, above if it
    drops some.
    """
    mode = attributes.get("mode", StringAttr("nearest"))
    if version == 10:
        repeats = scales is not None and bool((scales >= 1).all())
        drops = scales is not None and bool((scales <= 1).all())
        if mode == StringAttr("nearest") and not repeats and not drops:
            return attributes, meaning("Resize", version)
        newer = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor" if repeats else "ceil"}
        attributes = {**attributes, **{name: StringAttr(text) for name, text in newer.items()}}
        attributes, version = {**attributes, "onnx.operands": i64_array(0, 2)}, 13
    if mode != StringAttr("nearest"):
        attributes = {name: value for name, value in attributes.items() if name != "nearest_mode"}
    return attributes, meaning("Resize", version)
