"""The ops of ONNX by what they do, for check_equal.py: as its text describes them."""

VIEWS = {*"Flatten Identity Reshape Squeeze Unsqueeze".split()}
MOVES = VIEWS | {*"Expand Gather GatherND Slice Split Tile Transpose".split()}
ELEMENTWISE = """
    Abs Acos Acosh Add And Asin Asinh Atan Atanh Cast Ceil Celu Clip Cos Cosh Div Elu Equal Erf Exp Floor Gelu
    Greater GreaterOrEqual HardSigmoid HardSwish IsInf IsNaN LeakyRelu Less LessOrEqual Log Max Mean Min Mish Mod
    Mul Neg Not Or PRelu Pow Reciprocal Relu Round Selu Shrink Sigmoid Sign Sin Sinh Softplus Softsign Sqrt Sub
    Sum Swish Tan Tanh ThresholdedRelu Where Xor
""".split()
SHAPED_LIKE_FIRST = {("com.microsoft", op) for op in "BiasGelu FastGelu Gelu QLinearSoftmax QuickGelu".split()}
"""Ops of others whose result has the type of their first operand."""
COMMUTE = {"Add", "And", "Equal", "MatMul", "Mul", "Or", "Xor"}
"""Ops whose operands may be swapped; those of MatMul, and its result, are transposed then."""
ALIKE = {"ArgMin": "ArgMax", "DequantizeLinear": "QuantizeLinear", "LogSoftmax": "Softmax"}
ALIKE["RMSNormalization"] = "LayerNormalization"
VERSIONS = {
    **{
        1: "Conv Identity ReduceMax ReduceMean ReduceMin ReduceSum Transpose",
        5: "Reshape",
        8: "Expand Max Min Sum",
        10: "IsInf Slice",
    },
    6: "Abs Ceil Exp Floor LeakyRelu Log Neg Reciprocal Relu Sigmoid Sqrt Tanh Tile",
    7: "Add Div Mul Pow PRelu Sub",
    9: "Cast ConstantOfShape Erf Flatten Greater IsNaN Less MatMul NonZero Sign Where",
    11: "Clip Concat CumSum Equal Gather GatherElements Gemm Resize",
}
SINCE = {op: version for version, ops in VERSIONS.items() for op in ops.split()}
"""Later versions of these ops take more types."""
USUAL = {"allowzero": "0", "dilations": "1", "pads": "0", "strides": "1", "saturate": "1"}
USUAL["value"] = "float32 (1,) 00000000"
"""The usual values of attributes of ONNX's ops: these are meant if they are missing."""
SWITCHES = {"keepdims", "noop_with_empty_axes", "transA", "transB"}
NAMED = {"axes", "axis", *SWITCHES}
"""The attributes that laws read."""
