// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP
// Valid programs of the seed documents. The invalid ones are in two_branches_invalid.mlir.

/// Seed layout-preset-to-npu, 第二种情况（CNN->Tensor）, first figure: all activations are in NCHW.
// CHECK-LABEL: func.func @first_figure(
func.func @first_figure(%input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  // CHECK-NEXT: %conv = npu.conv2d %input1, %input2 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %input1, %input2
    : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  // CHECK-NEXT: %reshape1 = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %reshape1 = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %add = npu.add %reshape1, %reshape2
    : tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
}

/// Seed layout-preset-to-npu, 第二种情况（CNN->Tensor）, third figure: a transpose in front of reshape1 gives it what it had.
// CHECK-LABEL: func.func @third_figure(
func.func @third_figure(%input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  // CHECK-NEXT: %trans = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %trans = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %conv = npu.conv2d %trans, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %conv = npu.conv2d %trans, %input2
    : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %trans1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %trans1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  // CHECK-NEXT: %reshape1 = npu.reshape %trans1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %reshape1 = npu.reshape %trans1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %add = npu.add %reshape1, %reshape2
    : tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
}

/// Seed layout-preset-to-npu, third figure, where all dimensions are equal.
// CHECK-LABEL: func.func @third_figure_equal(
func.func @third_figure_equal(%input1: tensor<4x4x4x4xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x4x4xf32, #npu.layout<HWOI>>, %input3: tensor<4x4x4x4xf32, #npu.layout<NCHW>>) -> tensor<16x16xf32, #npu.layout<Tensor>> {
  // CHECK-NEXT: %trans = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<4x4x4x4xf32, #npu.layout<NCHW>>) -> tensor<4x4x4x4xf32, #npu.layout<NHWC>>
  %trans = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<4x4x4x4xf32, #npu.layout<NCHW>>) -> tensor<4x4x4x4xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %conv = npu.conv2d %trans, %input2 : (tensor<4x4x4x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<4x4x4x4xf32, #npu.layout<NHWC>>
  %conv = npu.conv2d %trans, %input2
    : (tensor<4x4x4x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<4x4x4x4xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %trans1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<4x4x4x4xf32, #npu.layout<NHWC>>) -> tensor<4x4x4x4xf32, #npu.layout<NCHW>>
  %trans1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<4x4x4x4xf32, #npu.layout<NHWC>>) -> tensor<4x4x4x4xf32, #npu.layout<NCHW>>
  // CHECK-NEXT: %reshape1 = npu.reshape %trans1 : (tensor<4x4x4x4xf32, #npu.layout<NCHW>>) -> tensor<16x16xf32, #npu.layout<Tensor>>
  %reshape1 = npu.reshape %trans1 : (tensor<4x4x4x4xf32, #npu.layout<NCHW>>) -> tensor<16x16xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %reshape2 = npu.reshape %input3 : (tensor<4x4x4x4xf32, #npu.layout<NCHW>>) -> tensor<16x16xf32, #npu.layout<Tensor>>
  %reshape2 = npu.reshape %input3 : (tensor<4x4x4x4xf32, #npu.layout<NCHW>>) -> tensor<16x16xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %add = npu.add %reshape1, %reshape2 : tensor<16x16xf32, #npu.layout<Tensor>>
  %add = npu.add %reshape1, %reshape2
    : tensor<16x16xf32, #npu.layout<Tensor>>
  return %add : tensor<16x16xf32, #npu.layout<Tensor>>
}

/// Seed layout-preset, 多模态问题: if one input of an op was re-ordered, so must be the other. Here both branches are.
// CHECK-LABEL: func.func @both_branches(
func.func @both_branches(%input1: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>> {
  // CHECK-NEXT: %conv = npu.conv2d %input1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %conv = npu.conv2d %input1, %input2
    : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %trans = npu.transpose %input3 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %trans = npu.transpose %input3 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %reshape1 = npu.reshape %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
  %reshape1 = npu.reshape %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
  // CHECK-NEXT: %reshape2 = npu.reshape %trans : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
  %reshape2 = npu.reshape %trans : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
  // CHECK-NEXT: %add = npu.add %reshape1, %reshape2 : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
  %add = npu.add %reshape1, %reshape2
    : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
  return %add : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
}

/// Seed layout-preset-to-npu, 第二种情况（CNN->Tensor）: `Conv(NHWC), Reshape, Gemm`. The network was exported in NHWC and
/// flattens the stored data: a relabel makes the stored axes the logical ones.
// CHECK-LABEL: func.func @conv_reshape_gemm(
func.func @conv_reshape_gemm(%x: tensor<1x4x6x3xf32, #npu.layout<NHWC>>, %w: tensor<1x1x8x3xf32, #npu.layout<HWOI>>, %fc: tensor<192x10xf32, #npu.layout<Tensor>>) -> tensor<1x10xf32, #npu.layout<Tensor>> {
  // CHECK-NEXT: %conv = npu.conv2d %x, %w : (tensor<1x4x6x3xf32, #npu.layout<NHWC>>, tensor<1x1x8x3xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %conv = npu.conv2d %x, %w
    : (tensor<1x4x6x3xf32, #npu.layout<NHWC>>, tensor<1x1x8x3xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %stored = npu.relabel %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
  %stored = npu.relabel %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %flat = npu.reshape %stored : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
  %flat = npu.reshape %stored : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %gemm = npu.gemm %flat, %fc : (tensor<1x192xf32, #npu.layout<Tensor>>, tensor<192x10xf32, #npu.layout<Tensor>>) -> tensor<1x10xf32, #npu.layout<Tensor>>
  %gemm = npu.gemm %flat, %fc
    : (tensor<1x192xf32, #npu.layout<Tensor>>, tensor<192x10xf32, #npu.layout<Tensor>>) -> tensor<1x10xf32, #npu.layout<Tensor>>
  return %gemm : tensor<1x10xf32, #npu.layout<Tensor>>
}

/// Seed layout-preset, layout传递: a tensor of 1x2x3x1, its axes 1 and 2 swapped. The shape tells, and the type tells as well.
// CHECK-LABEL: func.func @tensor_1x2x3x1(
func.func @tensor_1x2x3x1(%x: tensor<1x2x3x1xf32, #npu.layout<Tensor>>) -> tensor<1x3x2x1xf32, #npu.layout<Tensor, [0, 2, 1, 3]>> {
  // CHECK-NEXT: %y = npu.transpose %x permutation = [0, 2, 1, 3] : (tensor<1x2x3x1xf32, #npu.layout<Tensor>>) -> tensor<1x3x2x1xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>
  %y = npu.transpose %x permutation = [0, 2, 1, 3] : (tensor<1x2x3x1xf32, #npu.layout<Tensor>>) -> tensor<1x3x2x1xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>
  return %y : tensor<1x3x2x1xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>
}

/// Seed layout-preset, layout传递: a tensor of 1x2x2x1, where the shape does not tell. The type does.
// CHECK-LABEL: func.func @tensor_1x2x2x1(
func.func @tensor_1x2x2x1(%x: tensor<1x2x2x1xf32, #npu.layout<Tensor>>) -> tensor<1x2x2x1xf32, #npu.layout<Tensor, [0, 2, 1, 3]>> {
  // CHECK-NEXT: %y = npu.transpose %x permutation = [0, 2, 1, 3] : (tensor<1x2x2x1xf32, #npu.layout<Tensor>>) -> tensor<1x2x2x1xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>
  %y = npu.transpose %x permutation = [0, 2, 1, 3] : (tensor<1x2x2x1xf32, #npu.layout<Tensor>>) -> tensor<1x2x2x1xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>
  return %y : tensor<1x2x2x1xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>
}

/// Seed layout-preset, layout传递: an image of 1x2x2x1, from NCHW to NHCW.
// CHECK-LABEL: func.func @nchw_1x2x2x1(
func.func @nchw_1x2x2x1(%x: tensor<1x2x2x1xf32, #npu.layout<NCHW>>) -> tensor<1x2x2x1xf32, #npu.layout<NHCW>> {
  // CHECK-NEXT: %y = npu.transpose %x permutation = [0, 2, 1, 3] : (tensor<1x2x2x1xf32, #npu.layout<NCHW>>) -> tensor<1x2x2x1xf32, #npu.layout<NHCW>>
  %y = npu.transpose %x permutation = [0, 2, 1, 3] : (tensor<1x2x2x1xf32, #npu.layout<NCHW>>) -> tensor<1x2x2x1xf32, #npu.layout<NHCW>>
  return %y : tensor<1x2x2x1xf32, #npu.layout<NHCW>>
}
