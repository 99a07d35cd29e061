// RUN: npu-opt %s --split-input-file --target=%S/Inputs/matmul.toml --layout-optimal --stats --remarks 2>&1 > /dev/null | filecheck %s

/// The right operand is read transposed for nothing.
// CHECK:      layout-optimal: 0 transposes, 0 bytes, 0 us: proved minimum
// CHECK-NEXT: {{.*}}: remark: cancelled transpose Tensor to Tensor by [1, 0] of 4x16 (256 bytes, 0.5 us) by layout-optimal
func.func @right(%x: tensor<8x16xf32, #npu.layout<Tensor>>, %y: tensor<4x16xf32, #npu.layout<Tensor>>) -> tensor<8x4xf32, #npu.layout<Tensor>> {
  %t = npu.transpose %y permutation = [1, 0] : (tensor<4x16xf32, #npu.layout<Tensor>>) -> tensor<16x4xf32, #npu.layout<Tensor>>
  %p = npu.matmul %x, %t : (tensor<8x16xf32, #npu.layout<Tensor>>, tensor<16x4xf32, #npu.layout<Tensor>>) -> tensor<8x4xf32, #npu.layout<Tensor>>
  return %p : tensor<8x4xf32, #npu.layout<Tensor>>
}

// -----

/// Reading 64 bytes on the left costs less than a transpose.
// CHECK-NEXT: layout-optimal: 0 transposes, 0 bytes, 0.064 us: proved minimum
// CHECK-NEXT: {{.*}}: remark: cancelled transpose Tensor to Tensor by [1, 0] of 4x4 (64 bytes, 0.5 us) by layout-optimal
func.func @left(%x: tensor<4x4xf32, #npu.layout<Tensor>>, %y: tensor<4x8xf32, #npu.layout<Tensor>>) -> tensor<4x8xf32, #npu.layout<Tensor>> {
  %t = npu.transpose %x permutation = [1, 0] : (tensor<4x4xf32, #npu.layout<Tensor>>) -> tensor<4x4xf32, #npu.layout<Tensor>>
  %p = npu.matmul %t, %y : (tensor<4x4xf32, #npu.layout<Tensor>>, tensor<4x8xf32, #npu.layout<Tensor>>) -> tensor<4x8xf32, #npu.layout<Tensor>>
  return %p : tensor<4x8xf32, #npu.layout<Tensor>>
}

// -----

/// Reading 1024 bytes on the left costs more.
// CHECK-NEXT: layout-optimal: 1 transpose, 1024 bytes, 0.5 us: proved minimum
// CHECK-NEXT: {{.*}}: remark: kept transpose Tensor to Tensor by [1, 0] of 16x16 (1024 bytes, 0.5 us)
func.func @large(%x: tensor<16x16xf32, #npu.layout<Tensor>>, %y: tensor<16x8xf32, #npu.layout<Tensor>>) -> tensor<16x8xf32, #npu.layout<Tensor>> {
  %t = npu.transpose %x permutation = [1, 0] : (tensor<16x16xf32, #npu.layout<Tensor>>) -> tensor<16x16xf32, #npu.layout<Tensor>>
  %p = npu.matmul %t, %y : (tensor<16x16xf32, #npu.layout<Tensor>>, tensor<16x8xf32, #npu.layout<Tensor>>) -> tensor<16x8xf32, #npu.layout<Tensor>>
  return %p : tensor<16x8xf32, #npu.layout<Tensor>>
}

// -----

/// The operands may not be swapped, so the result is transposed.
// CHECK-NEXT: layout-optimal: 1 transpose, 128 bytes, 0.5 us: proved minimum
// CHECK-NEXT: {{.*}}: remark: kept transpose Tensor to Tensor by [1, 0] of 8x4 (128 bytes, 0.5 us)
func.func @result(%x: tensor<8x16xf32, #npu.layout<Tensor>>, %y: tensor<16x4xf32, #npu.layout<Tensor>>) -> tensor<4x8xf32, #npu.layout<Tensor>> {
  %p = npu.matmul %x, %y : (tensor<8x16xf32, #npu.layout<Tensor>>, tensor<16x4xf32, #npu.layout<Tensor>>) -> tensor<8x4xf32, #npu.layout<Tensor>>
  %t = npu.transpose %p permutation = [1, 0] : (tensor<8x4xf32, #npu.layout<Tensor>>) -> tensor<4x8xf32, #npu.layout<Tensor>>
  return %t : tensor<4x8xf32, #npu.layout<Tensor>>
}

// -----

/// Batch axes may be in any order.
// CHECK-NEXT: layout-optimal: 1 transpose, 768 bytes, 0.5 us: proved minimum
// CHECK-NEXT: {{.*}}: remark: cancelled transpose NTensor to NTensor by [1, 0, 2, 3] of 2x3x8x16 (3072 bytes, 0.5 us) by layout-optimal
// CHECK-NEXT: {{.*}}: remark: cancelled transpose NTensor to NTensor by [1, 0, 2, 3] of 2x3x16x4 (1536 bytes, 0.5 us) by layout-optimal
// CHECK-NEXT: {{.*}}: remark: inserted transpose NTensor, [1, 0, 2, 3] to NTensor of 2x3x8x4 (768 bytes, 0.5 us) by layout-optimal: output 0 of @batch keeps NTensor, and argument %x is NTensor (through %p matmul): %a transpose of the program is between them (an explanation, not a proof)
func.func @batch(%x: tensor<2x3x8x16xf32, #npu.layout<NTensor>>, %y: tensor<2x3x16x4xf32, #npu.layout<NTensor>>) -> tensor<3x2x8x4xf32, #npu.layout<NTensor>> {
  %a = npu.transpose %x permutation = [1, 0, 2, 3] : (tensor<2x3x8x16xf32, #npu.layout<NTensor>>) -> tensor<3x2x8x16xf32, #npu.layout<NTensor>>
  %b = npu.transpose %y permutation = [1, 0, 2, 3] : (tensor<2x3x16x4xf32, #npu.layout<NTensor>>) -> tensor<3x2x16x4xf32, #npu.layout<NTensor>>
  %p = npu.matmul %a, %b : (tensor<3x2x8x16xf32, #npu.layout<NTensor>>, tensor<3x2x16x4xf32, #npu.layout<NTensor>>) -> tensor<3x2x8x4xf32, #npu.layout<NTensor>>
  return %p : tensor<3x2x8x4xf32, #npu.layout<NTensor>>
}
