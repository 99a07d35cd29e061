// RUN: npu-opt %s --layout-preset --why=%again -o %t.mlir 2>&1 | filecheck %s --check-prefix=PRESET --match-full-lines
// RUN: npu-opt %s --layout-preset --why=conv -o %t.mlir 2>&1 | filecheck %s --check-prefix=CONV --match-full-lines
// RUN: npu-opt %s --layout-preset --why=@main:conv -o %t.mlir 2>&1 | filecheck %s --check-prefix=CONV --match-full-lines
// RUN: npu-opt %s --layout-preset --why="%conv conv2d" -o %t.mlir 2>&1 | filecheck %s --check-prefix=CONV --match-full-lines
// RUN: npu-opt %s --npu-default --why=%conv -o %t.mlir 2>&1 | filecheck %s --check-prefix=CONV --match-full-lines
// RUN: npu-opt %s --layout-preset --why="/net/conv.1/Conv" -o %t.mlir 2>&1 | filecheck %s --check-prefix=CONV --match-full-lines
// RUN: npu-opt %s --layout-preset --why="argument %x" -o %t.mlir 2>&1 | filecheck %s --check-prefix=ARGUMENT --match-full-lines
// RUN: npu-opt %s --layout-preset --why="Input:0" -o %t.mlir 2>&1 | filecheck %s --check-prefix=ARGUMENT --match-full-lines
// RUN: npu-opt %s --layout-preset --why="/net/block.0/relu_output_0" -o %t.mlir 2>&1 | filecheck %s --check-prefix=HINT --match-full-lines
// RUN: npu-opt %s --layout-preset --why="%gap (relabelled)" -o %t.mlir 2>&1 | filecheck %s --check-prefix=RELABELLED
// RUN: not npu-opt %s --layout-preset --why=covn 2>&1 | filecheck %s --check-prefix=NEAREST --match-full-lines
// RUN: not npu-opt %s --layout-preset --why=zzzzzz 2>&1 | filecheck %s --check-prefix=UNKNOWN --match-full-lines
// RUN: npu-opt %s --layout-optimal --why=%again -o %t.mlir 2>&1 | filecheck %s --check-prefix=RIGID --match-full-lines

/// A name may be any that a reason prints, with the word before it and the op behind it, with or without `%`, or the name
/// of a node or of an input in an ONNX model. The reason is the live op that needs the order, not the dead one before it,
/// and neither an op that shares the constant zero nor one that is returned beside it.
// CONV:      layout-preset: %conv is stored in NHWC instead of NCHW
// CONV-NEXT:   because %conv conv2d demands NHWC of data (opu.toml:21)
// CONV-NEXT:   against argument %x, which is NCHW: transposed to NHWC (768 bytes)
// CONV-NEXT:   against %flat reshape produces a Tensor that keeps its layout: joining its operands would move more bytes: transposed from NHWC to NCHW (768 bytes)
// CONV:      note: layout-preset{{.*}}: 1 op of other dialects left unchanged: lib.gap
// CONV-NOT:  {{.+}}

// ARGUMENT:      layout-preset: %x stays in NCHW
// HINT:          layout-preset: %net_block.0_relu_output stays in Tensor
// RELABELLED:    layout-preset: %gap (relabelled) is stored in NHWC instead of NCHW
// NEAREST: npu-opt: error: argument --why: the program has no value 'covn' (did you mean '%conv'?)
// UNKNOWN: npu-opt: error: argument --why: the program has no value 'zzzzzz' (a name as the program prints it, such as %conv, or that of an ONNX node)

/// The target's file is named, with the line that the hardware is described by, through the ops that would follow.
// RIGID:      layout-optimal: %again stays in NTensor
// RIGID-NEXT:   because %product matmul requires untransposed operands: matmul = "rigid" (opu.toml:5)
// RIGID-NEXT:   in all: 5 transposes, 3264 bytes: the least for the ops that were placed
// RIGID-NEXT: note: layout-optimal: 1 op of other dialects left unchanged: lib.gap
// RIGID-NOT:    {{.+}}

// PRESET:      layout-preset: %again stays in NTensor
// PRESET-NEXT:   no demand on target opu reaches it
// PRESET-NEXT:   and argument %m keeps Tensor (through %end mul, %turned (relabelled) relabel, %turned transpose)
// PRESET-NEXT:   and %product matmul requires untransposed operands: matmul = "rigid" (opu.toml:5)

func.func @main(%x: tensor<1x8x4x6xf32> {onnx.name = "Input:0"}, %m: tensor<2x6x4xf32>)
    -> (tensor<8x24xf32>, tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>, tensor<2x4x6xf32>) {
  %zero = npu.constant dense<0.0> : tensor<8xf32>
  %w = npu.constant dense<0.125> : tensor<8x8x3x3xf32>
  %conv = npu.conv2d %x, %w, %zero pads = [1, 1, 1, 1] data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x6xf32>, tensor<8x8x3x3xf32>, tensor<8xf32>) -> tensor<1x8x4x6xf32> loc("/net/conv.1/Conv")
  %dead = npu.reshape %conv : (tensor<1x8x4x6xf32>) -> tensor<1x192xf32>
  %flat = npu.reshape %conv : (tensor<1x8x4x6xf32>) -> tensor<8x24xf32>
  %gap = npu.opaque "lib.gap"(%x) : (tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32>
  %other = npu.conv2d %gap, %w, %zero pads = [1, 1, 1, 1] data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x6xf32>, tensor<8x8x3x3xf32>, tensor<8xf32>) -> tensor<1x8x4x6xf32>
  %net_block.0_relu_output_0 = npu.relu %gap : tensor<1x8x4x6xf32>
  %u = npu.constant dense<0.5> : tensor<2x4x6xf32>
  %v = npu.constant dense<0.5> : tensor<2x6x6xf32>
  %product = npu.matmul %u, %v : (tensor<2x4x6xf32>, tensor<2x6x6xf32>) -> tensor<2x4x6xf32>
  %turned = npu.transpose %m permutation = [0, 2, 1] : (tensor<2x6x4xf32>) -> tensor<2x4x6xf32>
  %again = npu.add %product, %product : tensor<2x4x6xf32>
  %end = npu.mul %again, %turned : tensor<2x4x6xf32>
  func.return %flat, %other, %net_block.0_relu_output_0, %end : tensor<8x24xf32>, tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>, tensor<2x4x6xf32>
}
