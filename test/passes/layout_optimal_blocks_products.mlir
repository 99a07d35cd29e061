// RUN: npu-opt %s --target=%S/Inputs/blocks_products.toml --layout-optimal --stats --split-input-file 2>%t | filecheck %s
// RUN: filecheck %s --match-full-lines --check-prefix=COST < %t
// RUN: npu-opt %s --target=%S/Inputs/blocks_products.toml --layout-optimal --split-input-file -o %t.once.mlir
// RUN: npu-opt %t.once.mlir --target=%S/Inputs/blocks_products.toml --layout-optimal --split-input-file -o %t.twice.mlir
// RUN: diff %t.once.mlir %t.twice.mlir

/// Between two products the matrix stays in blocks. Constants are packed, and the bias has the blocks of the columns.
// CHECK-LABEL: func.func @chain
// CHECK-SAME:  (%x: tensor<32x40xf32, #npu.layout<Tensor>>, %b: tensor<20xf32, #npu.layout<Tensor>>) -> tensor<32x16xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<32x40xf32, #npu.layout<Tensor>>) -> tensor<3x2x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [0 by 16, 1 by 16], dim 1 = 40, zeros>>
// CHECK-NEXT:  %b_1 = npu.pack %b : (tensor<20xf32, #npu.layout<Tensor>>) -> tensor<2x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 20, zeros>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<20x40xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<20x40xf32, #npu.layout<Tensor>>) -> tensor<3x2x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [1 by 16, 0 by 16], dim 0 = 20, dim 1 = 40, zeros>>
// CHECK-NEXT:  %v = npu.constant dense<5.000000e-01> : tensor<20x16xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  %v_1 = npu.pack %v : (tensor<20x16xf32, #npu.layout<Tensor>>) -> tensor<1x2x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [1 by 16, 0 by 16], dim 0 = 20, zeros>>
// CHECK-NEXT:  %y = npu.gemm %x_1, %w_1, %b_1 trans_b : (tensor<3x2x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [0 by 16, 1 by 16], dim 1 = 40, zeros>>, tensor<3x2x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [1 by 16, 0 by 16], dim 0 = 20, dim 1 = 40, zeros>>, tensor<2x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 20, zeros>>) -> tensor<2x2x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [0 by 16, 1 by 16], dim 1 = 20, zeros>>
// CHECK-NEXT:  %r = npu.relu %y : tensor<2x2x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [0 by 16, 1 by 16], dim 1 = 20, zeros>>
// CHECK-NEXT:  %z = npu.matmul %r, %v_1 : (tensor<2x2x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [0 by 16, 1 by 16], dim 1 = 20, zeros>>, tensor<1x2x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [1 by 16, 0 by 16], dim 0 = 20, zeros>>) -> tensor<1x2x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [0 by 16, 1 by 16]>>
// CHECK-NEXT:  %z_1 = npu.reshape %z : (tensor<1x2x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [0 by 16, 1 by 16]>>) -> tensor<32x16xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  func.return %z_1 : tensor<32x16xf32, #npu.layout<Tensor>>
// COST: layout-optimal: 2 conversions, 6272 bytes: proved minimum
func.func @chain(%x: tensor<32x40xf32, #npu.layout<Tensor>>, %b: tensor<20xf32, #npu.layout<Tensor>>) -> tensor<32x16xf32, #npu.layout<Tensor>> {
  %w = npu.constant dense<0.5> : tensor<20x40xf32, #npu.layout<Tensor>>
  %v = npu.constant dense<0.5> : tensor<20x16xf32, #npu.layout<Tensor>>
  %y = npu.gemm %x, %w, %b trans_b : (tensor<32x40xf32, #npu.layout<Tensor>>, tensor<20x40xf32, #npu.layout<Tensor>>, tensor<20xf32, #npu.layout<Tensor>>) -> tensor<32x20xf32, #npu.layout<Tensor>>
  %r = npu.relu %y : tensor<32x20xf32, #npu.layout<Tensor>>
  %z = npu.matmul %r, %v : (tensor<32x20xf32, #npu.layout<Tensor>>, tensor<20x16xf32, #npu.layout<Tensor>>) -> tensor<32x16xf32, #npu.layout<Tensor>>
  func.return %z : tensor<32x16xf32, #npu.layout<Tensor>>
}

// -----

/// Batches of matrices. A softmax names one axis, not both pieces of it, so that it works on whole rows. Axes of one block are views.
// CHECK-LABEL: func.func @batches
// CHECK-SAME:  (%q: tensor<2x32x16xf32, #npu.layout<NTensor>>, %k: tensor<2x32x16xf32, #npu.layout<NTensor>>) -> tensor<2x32x16xf32, #npu.layout<NTensor>> {
// CHECK-NEXT:  %q_1 = npu.reshape %q : (tensor<2x32x16xf32, #npu.layout<NTensor>>) -> tensor<2x1x2x16x16xf32, #npu.layout<NTensor, [0, 2, 1] tiles [1 by 16, 2 by 16]>>
// CHECK-NEXT:  %k_1 = npu.reshape %k : (tensor<2x32x16xf32, #npu.layout<NTensor>>) -> tensor<2x1x2x16x16xf32, #npu.layout<NTensor, [0, 2, 1] tiles [1 by 16, 2 by 16]>>
// CHECK-NEXT:  %s = npu.matmul %q_1, %k_1 trans_b : (tensor<2x1x2x16x16xf32, #npu.layout<NTensor, [0, 2, 1] tiles [1 by 16, 2 by 16]>>, tensor<2x1x2x16x16xf32, #npu.layout<NTensor, [0, 2, 1] tiles [1 by 16, 2 by 16]>>) -> tensor<2x2x2x16x16xf32, #npu.layout<NTensor, [0, 2, 1] tiles [1 by 16, 2 by 16]>>
// CHECK-NEXT:  %s_1 = npu.unpack %s : (tensor<2x2x2x16x16xf32, #npu.layout<NTensor, [0, 2, 1] tiles [1 by 16, 2 by 16]>>) -> tensor<2x32x32xf32, #npu.layout<NTensor>>
// CHECK-NEXT:  %p = npu.softmax %s_1 axis = 2 : tensor<2x32x32xf32, #npu.layout<NTensor>>
// CHECK-NEXT:  %p_1 = npu.pack %p : (tensor<2x32x32xf32, #npu.layout<NTensor>>) -> tensor<2x2x2x16x16xf32, #npu.layout<NTensor, [0, 2, 1] tiles [1 by 16, 2 by 16]>>
// CHECK-NEXT:  %y = npu.matmul %p_1, %k_1 : (tensor<2x2x2x16x16xf32, #npu.layout<NTensor, [0, 2, 1] tiles [1 by 16, 2 by 16]>>, tensor<2x1x2x16x16xf32, #npu.layout<NTensor, [0, 2, 1] tiles [1 by 16, 2 by 16]>>) -> tensor<2x1x2x16x16xf32, #npu.layout<NTensor, [0, 2, 1] tiles [1 by 16, 2 by 16]>>
// CHECK-NEXT:  %y_1 = npu.reshape %y : (tensor<2x1x2x16x16xf32, #npu.layout<NTensor, [0, 2, 1] tiles [1 by 16, 2 by 16]>>) -> tensor<2x32x16xf32, #npu.layout<NTensor>>
// CHECK-NEXT:  func.return %y_1 : tensor<2x32x16xf32, #npu.layout<NTensor>>
// COST-NEXT:  layout-optimal: 2 conversions, 16384 bytes: proved minimum
func.func @batches(%q: tensor<2x32x16xf32, #npu.layout<NTensor>>, %k: tensor<2x32x16xf32, #npu.layout<NTensor>>) -> tensor<2x32x16xf32, #npu.layout<NTensor>> {
  %s = npu.matmul %q, %k trans_b : (tensor<2x32x16xf32, #npu.layout<NTensor>>, tensor<2x32x16xf32, #npu.layout<NTensor>>) -> tensor<2x32x32xf32, #npu.layout<NTensor>>
  %p = npu.softmax %s axis = 2 : tensor<2x32x32xf32, #npu.layout<NTensor>>
  %y = npu.matmul %p, %k : (tensor<2x32x32xf32, #npu.layout<NTensor>>, tensor<2x32x16xf32, #npu.layout<NTensor>>) -> tensor<2x32x16xf32, #npu.layout<NTensor>>
  func.return %y : tensor<2x32x16xf32, #npu.layout<NTensor>>
}

// -----

/// A bias makes the padding of 20 rows anything, which the next product leaves so.
// CHECK-LABEL: func.func @rows
// CHECK-SAME:  (%x: tensor<20x16xf32, #npu.layout<Tensor>>, %b: tensor<16xf32, #npu.layout<Tensor>>) -> tensor<20x16xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<20x16xf32, #npu.layout<Tensor>>) -> tensor<1x2x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [0 by 16, 1 by 16], dim 0 = 20, zeros>>
// CHECK-NEXT:  %b_1 = npu.reshape %b : (tensor<16xf32, #npu.layout<Tensor>>) -> tensor<1x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16]>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<16x16xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<16x16xf32, #npu.layout<Tensor>>) -> tensor<1x1x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [1 by 16, 0 by 16]>>
// CHECK-NEXT:  %y = npu.gemm %x_1, %w_1, %b_1 : (tensor<1x2x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [0 by 16, 1 by 16], dim 0 = 20, zeros>>, tensor<1x1x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [1 by 16, 0 by 16]>>, tensor<1x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16]>>) -> tensor<1x2x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [0 by 16, 1 by 16], dim 0 = 20>>
// CHECK-NEXT:  %z = npu.gemm %y, %w_1, %b_1 : (tensor<1x2x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [0 by 16, 1 by 16], dim 0 = 20>>, tensor<1x1x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [1 by 16, 0 by 16]>>, tensor<1x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16]>>) -> tensor<1x2x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [0 by 16, 1 by 16], dim 0 = 20>>
// CHECK-NEXT:  %z_1 = npu.unpack %z : (tensor<1x2x16x16xf32, #npu.layout<Tensor, [1, 0] tiles [0 by 16, 1 by 16], dim 0 = 20>>) -> tensor<20x16xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  func.return %z_1 : tensor<20x16xf32, #npu.layout<Tensor>>
// COST-NEXT:  layout-optimal: 2 conversions, 4096 bytes: proved minimum
func.func @rows(%x: tensor<20x16xf32, #npu.layout<Tensor>>, %b: tensor<16xf32, #npu.layout<Tensor>>) -> tensor<20x16xf32, #npu.layout<Tensor>> {
  %w = npu.constant dense<0.5> : tensor<16x16xf32, #npu.layout<Tensor>>
  %y = npu.gemm %x, %w, %b : (tensor<20x16xf32, #npu.layout<Tensor>>, tensor<16x16xf32, #npu.layout<Tensor>>, tensor<16xf32, #npu.layout<Tensor>>) -> tensor<20x16xf32, #npu.layout<Tensor>>
  %z = npu.gemm %y, %w, %b : (tensor<20x16xf32, #npu.layout<Tensor>>, tensor<16x16xf32, #npu.layout<Tensor>>, tensor<16xf32, #npu.layout<Tensor>>) -> tensor<20x16xf32, #npu.layout<Tensor>>
  func.return %z : tensor<20x16xf32, #npu.layout<Tensor>>
}
