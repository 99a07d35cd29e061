// RUN: npu-opt %s --split-input-file --target=%S/Inputs/products.toml --layout-optimal --stats 2> %t.err | filecheck %s
// RUN: filecheck %s --check-prefix=LEFT --input-file=%t.err
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/products.toml --layout-preset --canonicalize | filecheck %s --check-prefix=PRESET
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/products.toml --layout-optimal --why=%%m 2>&1 > /dev/null | filecheck %s --check-prefix=WHY

/// A product with swapped operands computes the transposed result; the target says its price and that it needs a constant.

/// With 8 columns a swapped product costs less than the transposes around it.
// CHECK-LABEL: func.func @swapped
// CHECK-SAME: (%x: tensor<4x8xf32, #npu.layout<Tensor>>) -> tensor<2x8xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:   %k = npu.constant dense<5.000000e-01> : tensor<4x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:   %k_1 = npu.transpose %k permutation = [1, 0] : (tensor<4x2xf32, #npu.layout<Tensor>>) -> tensor<2x4xf32, #npu.layout<Tensor, [1, 0]>>
// CHECK-NEXT:   %t = npu.relabel %x : (tensor<4x8xf32, #npu.layout<Tensor>>) -> tensor<4x8xf32, #npu.layout<Tensor, [1, 0]>>
// CHECK-NEXT:   %m = npu.gemm %k_1, %t : (tensor<2x4xf32, #npu.layout<Tensor, [1, 0]>>, tensor<4x8xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<2x8xf32, #npu.layout<Tensor, [1, 0]>>
// CHECK-NEXT:   %u = npu.relabel %m : (tensor<2x8xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<2x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:   func.return %u : tensor<2x8xf32, #npu.layout<Tensor>>
// PRESET-LABEL: func.func @swapped
// PRESET-SAME: (%x: tensor<4x8xf32, #npu.layout<Tensor>>) -> tensor<2x8xf32, #npu.layout<Tensor>> {
// PRESET-NEXT:   %k = npu.constant dense<5.000000e-01> : tensor<4x2xf32, #npu.layout<Tensor>>
// PRESET-NEXT:   %t = npu.transpose %x permutation = [1, 0] : (tensor<4x8xf32, #npu.layout<Tensor>>) -> tensor<8x4xf32, #npu.layout<Tensor>>
// PRESET-NEXT:   %m = npu.gemm %t, %k : (tensor<8x4xf32, #npu.layout<Tensor>>, tensor<4x2xf32, #npu.layout<Tensor>>) -> tensor<8x2xf32, #npu.layout<Tensor>>
// PRESET-NEXT:   %u = npu.transpose %m permutation = [1, 0] : (tensor<8x2xf32, #npu.layout<Tensor>>) -> tensor<2x8xf32, #npu.layout<Tensor>>
// PRESET-NEXT:   func.return %u : tensor<2x8xf32, #npu.layout<Tensor>>
// LEFT: layout-optimal: 0 transposes, 0 bytes, 32 ns: proved minimum
// WHY: layout-optimal: %m is stored in Tensor, [1, 0] instead of Tensor
// WHY-NEXT: because output 0 of @swapped keeps Tensor
// WHY-NEXT: in all: 0 transposes, 0 bytes, 32 ns: proved minimum
func.func @swapped(%x: tensor<4x8xf32>) -> tensor<2x8xf32> {
  %k = npu.constant dense<0.5> : tensor<4x2xf32>
  %t = npu.transpose %x permutation = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %m = npu.gemm %t, %k : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %u = npu.transpose %m permutation = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
  return %u : tensor<2x8xf32>
}

// -----

/// With 7 columns it costs more, so that both transposes stay.
// CHECK-LABEL: func.func @other_columns
// CHECK-SAME: (%x: tensor<4x7xf32, #npu.layout<Tensor>>) -> tensor<2x7xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:   %k = npu.constant dense<5.000000e-01> : tensor<4x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:   %t = npu.transpose %x permutation = [1, 0] : (tensor<4x7xf32, #npu.layout<Tensor>>) -> tensor<7x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:   %m = npu.gemm %t, %k : (tensor<7x4xf32, #npu.layout<Tensor>>, tensor<4x2xf32, #npu.layout<Tensor>>) -> tensor<7x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:   %u = npu.transpose %m permutation = [1, 0] : (tensor<7x2xf32, #npu.layout<Tensor>>) -> tensor<2x7xf32, #npu.layout<Tensor>>
// CHECK-NEXT:   func.return %u : tensor<2x7xf32, #npu.layout<Tensor>>
// PRESET-LABEL: func.func @other_columns
// PRESET-SAME: (%x: tensor<4x7xf32, #npu.layout<Tensor>>) -> tensor<2x7xf32, #npu.layout<Tensor>> {
// PRESET-NEXT:   %k = npu.constant dense<5.000000e-01> : tensor<4x2xf32, #npu.layout<Tensor>>
// PRESET-NEXT:   %t = npu.transpose %x permutation = [1, 0] : (tensor<4x7xf32, #npu.layout<Tensor>>) -> tensor<7x4xf32, #npu.layout<Tensor>>
// PRESET-NEXT:   %m = npu.gemm %t, %k : (tensor<7x4xf32, #npu.layout<Tensor>>, tensor<4x2xf32, #npu.layout<Tensor>>) -> tensor<7x2xf32, #npu.layout<Tensor>>
// PRESET-NEXT:   %u = npu.transpose %m permutation = [1, 0] : (tensor<7x2xf32, #npu.layout<Tensor>>) -> tensor<2x7xf32, #npu.layout<Tensor>>
// PRESET-NEXT:   func.return %u : tensor<2x7xf32, #npu.layout<Tensor>>
// LEFT: layout-optimal: 2 transposes, 168 bytes, 168 ns: proved minimum
// WHY: layout-optimal: %m stays in Tensor
// WHY-NEXT: because %m gemm costs less with operands that are not transposed or swapped (products.toml:13)
// WHY-NEXT: transposed for output 0 of @other_columns (56 bytes), because output 0 of @other_columns keeps Tensor, but %m gemm costs less with operands that are not transposed or swapped (products.toml:13) (an explanation, not a proof)
// WHY-NEXT: in all: 2 transposes, 168 bytes, 168 ns: proved minimum
// WHY-NEXT: with matmul = "free" (products.toml:3): 2 to 1 transposes, 168 to 56 bytes, 168 to 56 ns
// WHY-NEXT: with output 0 of @other_columns stored as Tensor, [1, 0]: 2 to 1 transposes, 168 to 112 bytes, 168 to 112 ns
func.func @other_columns(%x: tensor<4x7xf32>) -> tensor<2x7xf32> {
  %k = npu.constant dense<0.5> : tensor<4x2xf32>
  %t = npu.transpose %x permutation = [1, 0] : (tensor<4x7xf32>) -> tensor<7x4xf32>
  %m = npu.gemm %t, %k : (tensor<7x4xf32>, tensor<4x2xf32>) -> tensor<7x2xf32>
  %u = npu.transpose %m permutation = [1, 0] : (tensor<7x2xf32>) -> tensor<2x7xf32>
  return %u : tensor<2x7xf32>
}

// -----

/// Without a constant the operands are not swapped.
// CHECK-LABEL: func.func @computed
// CHECK-SAME: (%x: tensor<4x8xf32, #npu.layout<Tensor>>, %y: tensor<4x2xf32, #npu.layout<Tensor>>) -> tensor<2x8xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:   %t = npu.transpose %x permutation = [1, 0] : (tensor<4x8xf32, #npu.layout<Tensor>>) -> tensor<8x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:   %m = npu.gemm %t, %y : (tensor<8x4xf32, #npu.layout<Tensor>>, tensor<4x2xf32, #npu.layout<Tensor>>) -> tensor<8x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:   %u = npu.transpose %m permutation = [1, 0] : (tensor<8x2xf32, #npu.layout<Tensor>>) -> tensor<2x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:   func.return %u : tensor<2x8xf32, #npu.layout<Tensor>>
// PRESET-LABEL: func.func @computed
// PRESET-SAME: (%x: tensor<4x8xf32, #npu.layout<Tensor>>, %y: tensor<4x2xf32, #npu.layout<Tensor>>) -> tensor<2x8xf32, #npu.layout<Tensor>> {
// PRESET-NEXT:   %t = npu.transpose %x permutation = [1, 0] : (tensor<4x8xf32, #npu.layout<Tensor>>) -> tensor<8x4xf32, #npu.layout<Tensor>>
// PRESET-NEXT:   %m = npu.gemm %t, %y : (tensor<8x4xf32, #npu.layout<Tensor>>, tensor<4x2xf32, #npu.layout<Tensor>>) -> tensor<8x2xf32, #npu.layout<Tensor>>
// PRESET-NEXT:   %u = npu.transpose %m permutation = [1, 0] : (tensor<8x2xf32, #npu.layout<Tensor>>) -> tensor<2x8xf32, #npu.layout<Tensor>>
// PRESET-NEXT:   func.return %u : tensor<2x8xf32, #npu.layout<Tensor>>
// LEFT: layout-optimal: 2 transposes, 192 bytes, 192 ns: proved minimum
// WHY: layout-optimal: %m stays in Tensor
// WHY-NEXT: because argument %y is Tensor
// WHY-NEXT: transposed for output 0 of @computed (64 bytes), because output 0 of @computed keeps Tensor, and argument %y is Tensor (through %m gemm): %u transpose of the program is between them
// WHY-NEXT: in all: 2 transposes, 192 bytes, 192 ns: proved minimum
// WHY-NEXT: with output 0 of @computed stored as Tensor, [1, 0]: 2 to 1 transposes, 192 to 128 bytes, 192 to 128 ns
func.func @computed(%x: tensor<4x8xf32>, %y: tensor<4x2xf32>) -> tensor<2x8xf32> {
  %t = npu.transpose %x permutation = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %m = npu.gemm %t, %y : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %u = npu.transpose %m permutation = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
  return %u : tensor<2x8xf32>
}

// -----

/// A rule may be about products that cannot be swapped; the price is a part of the cost.
// CHECK-LABEL: func.func @one_row
// CHECK-SAME: (%x: tensor<1x4xf32, #npu.layout<Tensor>>) -> tensor<1x2xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:   %k = npu.constant dense<5.000000e-01> : tensor<4x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:   %m = npu.gemm %x, %k : (tensor<1x4xf32, #npu.layout<Tensor>>, tensor<4x2xf32, #npu.layout<Tensor>>) -> tensor<1x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:   func.return %m : tensor<1x2xf32, #npu.layout<Tensor>>
// PRESET-LABEL: func.func @one_row
// PRESET-SAME: (%x: tensor<1x4xf32, #npu.layout<Tensor>>) -> tensor<1x2xf32, #npu.layout<Tensor>> {
// PRESET-NEXT:   %k = npu.constant dense<5.000000e-01> : tensor<4x2xf32, #npu.layout<Tensor>>
// PRESET-NEXT:   %m = npu.gemm %x, %k : (tensor<1x4xf32, #npu.layout<Tensor>>, tensor<4x2xf32, #npu.layout<Tensor>>) -> tensor<1x2xf32, #npu.layout<Tensor>>
// PRESET-NEXT:   func.return %m : tensor<1x2xf32, #npu.layout<Tensor>>
// LEFT: layout-optimal: 0 transposes, 0 bytes, 7 ns: proved minimum
// WHY: layout-optimal: %m stays in Tensor
// WHY-NEXT: because output 0 of @one_row keeps Tensor
// WHY-NEXT: in all: 0 transposes, 0 bytes, 7 ns: proved minimum
func.func @one_row(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %k = npu.constant dense<0.5> : tensor<4x2xf32>
  %m = npu.gemm %x, %k : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
  return %m : tensor<1x2xf32>
}

// -----

/// Several matrices of weights on the left have no price, as they are no layer: the swap is free with 7 columns, too.
// CHECK-LABEL: func.func @several_matrices
// CHECK-SAME: (%x: tensor<3x4x7xf32, #npu.layout<NTensor>>) -> tensor<3x2x7xf32, #npu.layout<NTensor>> {
// CHECK-NEXT:   %k = npu.constant dense<5.000000e-01> : tensor<3x4x2xf32, #npu.layout<NTensor>>
// CHECK-NEXT:   %k_1 = npu.transpose %k permutation = [0, 2, 1] : (tensor<3x4x2xf32, #npu.layout<NTensor>>) -> tensor<3x2x4xf32, #npu.layout<NTensor, [0, 2, 1]>>
// CHECK-NEXT:   %t = npu.relabel %x : (tensor<3x4x7xf32, #npu.layout<NTensor>>) -> tensor<3x4x7xf32, #npu.layout<NTensor, [0, 2, 1]>>
// CHECK-NEXT:   %m = npu.matmul %k_1, %t : (tensor<3x2x4xf32, #npu.layout<NTensor, [0, 2, 1]>>, tensor<3x4x7xf32, #npu.layout<NTensor, [0, 2, 1]>>) -> tensor<3x2x7xf32, #npu.layout<NTensor, [0, 2, 1]>>
// CHECK-NEXT:   %u = npu.relabel %m : (tensor<3x2x7xf32, #npu.layout<NTensor, [0, 2, 1]>>) -> tensor<3x2x7xf32, #npu.layout<NTensor>>
// CHECK-NEXT:   func.return %u : tensor<3x2x7xf32, #npu.layout<NTensor>>
// PRESET-LABEL: func.func @several_matrices
// PRESET-SAME: (%x: tensor<3x4x7xf32, #npu.layout<NTensor>>) -> tensor<3x2x7xf32, #npu.layout<NTensor>> {
// PRESET-NEXT:   %k = npu.constant dense<5.000000e-01> : tensor<3x4x2xf32, #npu.layout<NTensor>>
// PRESET-NEXT:   %t = npu.transpose %x permutation = [0, 2, 1] : (tensor<3x4x7xf32, #npu.layout<NTensor>>) -> tensor<3x7x4xf32, #npu.layout<NTensor>>
// PRESET-NEXT:   %m = npu.matmul %t, %k : (tensor<3x7x4xf32, #npu.layout<NTensor>>, tensor<3x4x2xf32, #npu.layout<NTensor>>) -> tensor<3x7x2xf32, #npu.layout<NTensor>>
// PRESET-NEXT:   %u = npu.transpose %m permutation = [0, 2, 1] : (tensor<3x7x2xf32, #npu.layout<NTensor>>) -> tensor<3x2x7xf32, #npu.layout<NTensor>>
// PRESET-NEXT:   func.return %u : tensor<3x2x7xf32, #npu.layout<NTensor>>
// LEFT: layout-optimal: 0 transposes, 0 bytes, 0 ns: proved minimum
// WHY: layout-optimal: %m is stored in NTensor, [0, 2, 1] instead of NTensor
// WHY-NEXT: because output 0 of @several_matrices keeps NTensor
// WHY-NEXT: in all: 0 transposes, 0 bytes, 0 ns: proved minimum
func.func @several_matrices(%x: tensor<3x4x7xf32>) -> tensor<3x2x7xf32> {
  %k = npu.constant dense<0.5> : tensor<3x4x2xf32>
  %t = npu.transpose %x permutation = [0, 2, 1] : (tensor<3x4x7xf32>) -> tensor<3x7x4xf32>
  %m = npu.matmul %t, %k : (tensor<3x7x4xf32>, tensor<3x4x2xf32>) -> tensor<3x7x2xf32>
  %u = npu.transpose %m permutation = [0, 2, 1] : (tensor<3x7x2xf32>) -> tensor<3x2x7xf32>
  return %u : tensor<3x2x7xf32>
}
