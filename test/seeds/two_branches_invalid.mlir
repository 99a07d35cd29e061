// RUN: NPU_VERIFY_DIAG
// Programs of the seed documents that are wrong: the types tell what the shapes do not.

/// Seed layout-preset-to-npu, 第二种情况（CNN->Tensor）, second figure: after the transpose reshape1 reads NHWC, and its result type must not be that of NCHW.
// CHECK: error: 'npu.reshape' result: expected order [0, 2, 1] (1x24x8), to which NHWC carries, found [0, 1, 2] (1x8x24)
func.func @shapes(%input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  %trans = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %conv = npu.conv2d %trans, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %reshape1 = npu.reshape %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
  return
}

// -----

/// Seed layout-preset-to-npu, 第二种情况（CNN->Tensor）, second figure: with the right result type, the operands of the add differ.
// CHECK: error: 'npu.add' operands: expected shapes that broadcast, found 1x24x8 and 1x8x24
func.func @honest(%input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  %trans = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %conv = npu.conv2d %trans, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %reshape1 = npu.reshape %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
  %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %add = npu.add %reshape1, %reshape2 : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  return
}

// -----

/// Seed layout-preset-to-npu, 第二种情况（CNN->Tensor）, second figure, where all dimensions are equal: the reshape.
// CHECK: error: 'npu.reshape' result: expected order [0, 2, 1] (4x16x4), to which NHWC carries, found [0, 1, 2] (4x4x16)
func.func @equal(%input1: tensor<4x4x4x4xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x4x4xf32, #npu.layout<HWOI>>, %input3: tensor<4x4x4x4xf32, #npu.layout<NCHW>>) {
  %trans = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<4x4x4x4xf32, #npu.layout<NCHW>>) -> tensor<4x4x4x4xf32, #npu.layout<NHWC>>
  %conv = npu.conv2d %trans, %input2 : (tensor<4x4x4x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<4x4x4x4xf32, #npu.layout<NHWC>>
  %reshape1 = npu.reshape %conv : (tensor<4x4x4x4xf32, #npu.layout<NHWC>>) -> tensor<4x4x16xf32, #npu.layout<Tensor>>
  %reshape2 = npu.reshape %input3 : (tensor<4x4x4x4xf32, #npu.layout<NCHW>>) -> tensor<4x4x16xf32, #npu.layout<Tensor>>
  %add = npu.add %reshape1, %reshape2 : tensor<4x4x16xf32, #npu.layout<Tensor>>
  return
}

// -----

/// Seed layout-preset-to-npu, 第二种情况（CNN->Tensor）, second figure, where all dimensions are equal: N and C are joined, which NHWC stores apart.
// CHECK: error: 'npu.reshape' input: expected an order that the reshape keeps (to reshape the stored bytes, relabel them to Tensor first), found NHWC for 4x4x4x4
func.func @joined(%input1: tensor<4x4x4x4xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x4x4xf32, #npu.layout<HWOI>>, %input3: tensor<4x4x4x4xf32, #npu.layout<NCHW>>) {
  %trans = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<4x4x4x4xf32, #npu.layout<NCHW>>) -> tensor<4x4x4x4xf32, #npu.layout<NHWC>>
  %conv = npu.conv2d %trans, %input2 : (tensor<4x4x4x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<4x4x4x4xf32, #npu.layout<NHWC>>
  %reshape1 = npu.reshape %conv : (tensor<4x4x4x4xf32, #npu.layout<NHWC>>) -> tensor<16x16xf32, #npu.layout<Tensor>>
  %reshape2 = npu.reshape %input3 : (tensor<4x4x4x4xf32, #npu.layout<NCHW>>) -> tensor<16x16xf32, #npu.layout<Tensor>>
  %add = npu.add %reshape1, %reshape2 : tensor<16x16xf32, #npu.layout<Tensor>>
  return
}

// -----

/// Seed layout-preset-to-npu, 第二种情况（CNN->Tensor）, second figure, where all dimensions are equal: a reshape that changes no size leaves it to the add to see it.
// CHECK: error: 'npu.add' rhs: expected layout Tensor, [0, 2, 3, 1] like lhs, found Tensor
func.func @honest_equal(%input1: tensor<4x4x4x4xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x4x4xf32, #npu.layout<HWOI>>, %input3: tensor<4x4x4x4xf32, #npu.layout<NCHW>>) {
  %trans = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<4x4x4x4xf32, #npu.layout<NCHW>>) -> tensor<4x4x4x4xf32, #npu.layout<NHWC>>
  %conv = npu.conv2d %trans, %input2 : (tensor<4x4x4x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<4x4x4x4xf32, #npu.layout<NHWC>>
  %reshape1 = npu.reshape %conv : (tensor<4x4x4x4xf32, #npu.layout<NHWC>>) -> tensor<4x4x4x4xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
  %reshape2 = npu.reshape %input3 : (tensor<4x4x4x4xf32, #npu.layout<NCHW>>) -> tensor<4x4x4x4xf32, #npu.layout<Tensor>>
  %add = npu.add %reshape1, %reshape2 : (tensor<4x4x4x4xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>, tensor<4x4x4x4xf32, #npu.layout<Tensor>>) -> tensor<4x4x4x4xf32, #npu.layout<Tensor>>
  return
}

// -----

/// Seed layout-preset-to-npu, 第二种情况（CNN->Tensor）, second figure, where the operands of the add have one shape: H and W joined are as many as C.
// CHECK: error: 'npu.add' rhs: expected layout Tensor, [0, 2, 1] like lhs, found Tensor
func.func @honest_joined(%input1: tensor<16x16x4x4xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x16x16xf32, #npu.layout<HWOI>>, %input3: tensor<16x16x4x4xf32, #npu.layout<NCHW>>) {
  %trans = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<16x16x4x4xf32, #npu.layout<NCHW>>) -> tensor<16x4x4x16xf32, #npu.layout<NHWC>>
  %conv = npu.conv2d %trans, %input2 : (tensor<16x4x4x16xf32, #npu.layout<NHWC>>, tensor<1x1x16x16xf32, #npu.layout<HWOI>>) -> tensor<16x4x4x16xf32, #npu.layout<NHWC>>
  %reshape1 = npu.reshape %conv : (tensor<16x4x4x16xf32, #npu.layout<NHWC>>) -> tensor<16x16x16xf32, #npu.layout<Tensor, [0, 2, 1]>>
  %reshape2 = npu.reshape %input3 : (tensor<16x16x4x4xf32, #npu.layout<NCHW>>) -> tensor<16x16x16xf32, #npu.layout<Tensor>>
  %add = npu.add %reshape1, %reshape2 : (tensor<16x16x16xf32, #npu.layout<Tensor, [0, 2, 1]>>, tensor<16x16x16xf32, #npu.layout<Tensor>>) -> tensor<16x16x16xf32, #npu.layout<Tensor>>
  return
}

// -----

/// Seed layout-preset-to-npu, 第二种情况（CNN->Tensor）, second figure, the same with the result of the add as the other branch.
// CHECK: error: 'npu.add' rhs: expected layout Tensor, [0, 2, 1] like lhs, found Tensor
func.func @honest_result(%input1: tensor<16x16x4x4xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x16x16xf32, #npu.layout<HWOI>>, %input3: tensor<16x16x4x4xf32, #npu.layout<NCHW>>) {
  %trans = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<16x16x4x4xf32, #npu.layout<NCHW>>) -> tensor<16x4x4x16xf32, #npu.layout<NHWC>>
  %conv = npu.conv2d %trans, %input2 : (tensor<16x4x4x16xf32, #npu.layout<NHWC>>, tensor<1x1x16x16xf32, #npu.layout<HWOI>>) -> tensor<16x4x4x16xf32, #npu.layout<NHWC>>
  %reshape1 = npu.reshape %conv : (tensor<16x4x4x16xf32, #npu.layout<NHWC>>) -> tensor<16x16x16xf32, #npu.layout<Tensor, [0, 2, 1]>>
  %reshape2 = npu.reshape %input3 : (tensor<16x16x4x4xf32, #npu.layout<NCHW>>) -> tensor<16x16x16xf32, #npu.layout<Tensor>>
  %add = npu.add %reshape1, %reshape2 : (tensor<16x16x16xf32, #npu.layout<Tensor, [0, 2, 1]>>, tensor<16x16x16xf32, #npu.layout<Tensor>>) -> tensor<16x16x16xf32, #npu.layout<Tensor, [0, 2, 1]>>
  return
}

// -----

/// Seed layout-preset-to-npu, 第二种情况（CNN->Tensor）: `Conv(NHWC), Reshape, Gemm` without a relabel.
// CHECK: error: 'npu.reshape' input: expected an order that the reshape keeps (to reshape the stored bytes, relabel them to Tensor first), found NHWC for 1x4x6x8
func.func @conv_reshape_gemm(%x: tensor<1x4x6x3xf32, #npu.layout<NHWC>>, %w: tensor<1x1x8x3xf32, #npu.layout<HWOI>>, %fc: tensor<192x10xf32, #npu.layout<Tensor>>) {
  %conv = npu.conv2d %x, %w : (tensor<1x4x6x3xf32, #npu.layout<NHWC>>, tensor<1x1x8x3xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %flat = npu.reshape %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
  %gemm = npu.gemm %flat, %fc : (tensor<1x192xf32, #npu.layout<Tensor>>, tensor<192x10xf32, #npu.layout<Tensor>>) -> tensor<1x10xf32, #npu.layout<Tensor>>
  return
}

// -----

/// Seed layout-preset, layout传递: a tensor of 1x2x3x1 and the same transposed do not meet.
// CHECK: error: 'npu.add' operands: expected shapes that broadcast, found 1x2x3x1 and 1x3x2x1
func.func @tensor_1x2x3x1(%x: tensor<1x2x3x1xf32, #npu.layout<Tensor>>) {
  %y = npu.transpose %x permutation = [0, 2, 1, 3] : (tensor<1x2x3x1xf32, #npu.layout<Tensor>>) -> tensor<1x3x2x1xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>
  %add = npu.add %x, %y : (tensor<1x2x3x1xf32, #npu.layout<Tensor>>, tensor<1x3x2x1xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>) -> tensor<1x2x3x1xf32, #npu.layout<Tensor>>
  return
}

// -----

/// Seed layout-preset, layout传递: a tensor of 1x2x2x1 and the same transposed do not meet, though their shapes are equal.
// CHECK: error: 'npu.add' rhs: expected layout Tensor like lhs, found Tensor, [0, 2, 1, 3]
func.func @tensor_1x2x2x1(%x: tensor<1x2x2x1xf32, #npu.layout<Tensor>>) {
  %y = npu.transpose %x permutation = [0, 2, 1, 3] : (tensor<1x2x2x1xf32, #npu.layout<Tensor>>) -> tensor<1x2x2x1xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>
  %add = npu.add %x, %y : (tensor<1x2x2x1xf32, #npu.layout<Tensor>>, tensor<1x2x2x1xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>) -> tensor<1x2x2x1xf32, #npu.layout<Tensor>>
  return
}

// -----

/// Seed layout-preset, layout传递: neither do NCHW and NHCW.
// CHECK: error: 'npu.add' rhs: expected layout NCHW like lhs, found NHCW
func.func @nchw_1x2x2x1(%x: tensor<1x2x2x1xf32, #npu.layout<NCHW>>) {
  %y = npu.transpose %x permutation = [0, 2, 1, 3] : (tensor<1x2x2x1xf32, #npu.layout<NCHW>>) -> tensor<1x2x2x1xf32, #npu.layout<NHCW>>
  %add = npu.add %x, %y : (tensor<1x2x2x1xf32, #npu.layout<NCHW>>, tensor<1x2x2x1xf32, #npu.layout<NHCW>>) -> tensor<1x2x2x1xf32, #npu.layout<NCHW>>
  return
}

// -----

/// Seed layout-preset, layout传递: a relabel moves nothing, so it cannot stand for the transpose.
// CHECK: error: 'npu.relabel' result: expected shape 1x2x3x1 like input, found 1x3x2x1
func.func @hidden(%x: tensor<1x2x3x1xf32, #npu.layout<Tensor>>) {
  %y = npu.relabel %x : (tensor<1x2x3x1xf32, #npu.layout<Tensor>>) -> tensor<1x3x2x1xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>
  return
}
