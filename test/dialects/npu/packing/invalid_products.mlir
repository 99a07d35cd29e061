// RUN: NPU_VERIFY_DIAG

/// The axis that is summed has other blocks in each operand.
// CHECK: error: 'npu.matmul' rhs: expected blocks and padding along axis 0 like axis 1 of lhs, found Tensor
func.func @f(%x: tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40, zeros>>, %w: tensor<40x10xf32, #npu.layout<Tensor>>) {
  %y = npu.matmul %x, %w : (tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40, zeros>>, tensor<40x10xf32, #npu.layout<Tensor>>) -> tensor<2x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 10>>
  return
}

// -----

/// The rows of the result have the blocks of lhs.
// CHECK: error: 'npu.matmul' result: expected blocks and padding along axis 0 like axis 0 of lhs, found Tensor
func.func @f(%x: tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40, zeros>>, %w: tensor<3x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 40, dim 1 = 10, zeros>>) {
  %y = npu.matmul %x, %w : (tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40, zeros>>, tensor<3x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 40, dim 1 = 10, zeros>>) -> tensor<20x10xf32, #npu.layout<Tensor>>
  return
}

// -----

/// Numbers that are summed end in zeros.
// CHECK: error: 'npu.matmul' lhs: expected zeros as padding of the numbers that are summed, found Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40
func.func @f(%x: tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40>>, %w: tensor<3x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 40, dim 1 = 10, zeros>>) {
  %y = npu.matmul %x, %w : (tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40>>, tensor<3x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 40, dim 1 = 10, zeros>>) -> tensor<2x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 10>>
  return
}

// -----

/// A bias is added to rows that are padding.
// CHECK: error: 'npu.gemm' result: expected padding that may be anything, found Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 10, zeros
func.func @f(%x: tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40, zeros>>, %w: tensor<3x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 40, dim 1 = 10, zeros>>, %b: tensor<1x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 10, zeros>>) {
  %y = npu.gemm %x, %w, %b : (tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40, zeros>>, tensor<3x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 40, dim 1 = 10, zeros>>, tensor<1x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 10, zeros>>) -> tensor<2x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 10, zeros>>
  return
}

// -----

/// A bias without blocks.
// CHECK: error: 'npu.gemm' bias: expected blocks and padding along axis 0 like axis 1 of rhs, found Tensor
func.func @f(%x: tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40, zeros>>, %w: tensor<3x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 40, dim 1 = 10, zeros>>, %b: tensor<10xf32, #npu.layout<Tensor>>) {
  %y = npu.gemm %x, %w, %b : (tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40, zeros>>, tensor<3x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 40, dim 1 = 10, zeros>>, tensor<10xf32, #npu.layout<Tensor>>) -> tensor<2x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 10>>
  return
}

// -----

/// A bias of the result's rank.
// CHECK: error: 'npu.gemm' bias: expected a vector or one element beside values with blocks, found 1x10
func.func @f(%x: tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40, zeros>>, %w: tensor<3x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 40, dim 1 = 10, zeros>>, %b: tensor<1x10xf32, #npu.layout<Tensor>>) {
  %y = npu.gemm %x, %w, %b : (tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40, zeros>>, tensor<3x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 40, dim 1 = 10, zeros>>, tensor<1x10xf32, #npu.layout<Tensor>>) -> tensor<2x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 10>>
  return
}

// -----

/// Batch axes have no blocks.
// CHECK: error: 'npu.matmul' lhs: expected no blocks along axis 0, found NTensor, [0, 1, 2] tiles [0 by 2]
func.func @f(%x: tensor<2x4x8x2xf32, #npu.layout<NTensor, [0, 1, 2] tiles [0 by 2]>>, %w: tensor<4x8x8xf32, #npu.layout<NTensor>>) {
  %y = npu.matmul %x, %w : (tensor<2x4x8x2xf32, #npu.layout<NTensor, [0, 1, 2] tiles [0 by 2]>>, tensor<4x8x8xf32, #npu.layout<NTensor>>) -> tensor<2x4x8x2xf32, #npu.layout<NTensor, [0, 1, 2] tiles [0 by 2]>>
  return
}

// -----

/// A matrix that is stored transposed beside blocks.
// CHECK: error: 'npu.matmul' rhs: expected axes in logical order beside values with blocks, found Tensor, [1, 0]
func.func @f(%x: tensor<2x40x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16]>>, %w: tensor<10x40xf32, #npu.layout<Tensor, [1, 0]>>) {
  %y = npu.matmul %x, %w trans_b : (tensor<2x40x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16]>>, tensor<10x40xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<2x10x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16]>>
  return
}

// -----

/// A product of quantised numbers takes no blocks.
// CHECK: error: 'npu.matmul_integer' lhs: expected a layout without blocks, which an unpack makes, found Tensor, [0, 1] tiles [0 by 16]
func.func @f(%x: tensor<2x40x16xi8, #npu.layout<Tensor, [0, 1] tiles [0 by 16]>>, %w: tensor<40x10xi8, #npu.layout<Tensor>>, %z: tensor<i8>) {
  %y = npu.matmul_integer %x, %w, %z, %z : (tensor<2x40x16xi8, #npu.layout<Tensor, [0, 1] tiles [0 by 16]>>, tensor<40x10xi8, #npu.layout<Tensor>>, tensor<i8>, tensor<i8>) -> tensor<2x10x16xi32, #npu.layout<Tensor, [0, 1] tiles [0 by 16]>>
  return
}

// -----

/// The result has the logical shape of the product.
// CHECK: error: 'npu.matmul' result: expected shape 20x10, found 20x12
func.func @f(%x: tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40, zeros>>, %w: tensor<3x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 40, dim 1 = 10, zeros>>) {
  %y = npu.matmul %x, %w : (tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40, zeros>>, tensor<3x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 40, dim 1 = 10, zeros>>) -> tensor<2x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 12, zeros>>
  return
}
