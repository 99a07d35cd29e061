// RUN: npu-opt %s --layout-optimal --why=y -o %t.mlir 2>&1 | filecheck %s --match-full-lines
// RUN: npu-opt %s --layout-optimal --target=plover --why=y -o %t.mlir 2>&1 | filecheck %s --check-prefix=FREE --match-full-lines

/// The transpose that a rigid product of matrices needs would not be there on hardware that reads its operands transposed.
// CHECK:      layout-optimal: %y {{.*}}
// CHECK-NEXT:   because argument %x is Tensor
// CHECK-NEXT:   transposed for %z matmul (96 bytes), because %z matmul requires untransposed operands: matmul = "rigid" (opu.toml:5), but argument %x is Tensor
// CHECK-NEXT:   in all: 1 transpose, 96 bytes: proved minimum
// CHECK-NEXT:   with matmul = "free" (opu.toml:5): 1 to 0 transposes, 96 to 0 bytes
// CHECK-NEXT:   with argument %x stored as Tensor, [1, 0]: 1 to 0 transposes, 96 to 0 bytes
// FREE:       layout-optimal: %y {{.*}}
// FREE:         in all: 0 transposes, 0 bytes: proved minimum
// FREE-NOT:     with matmul {{.*}}
func.func @main(%x: tensor<4x6xf32>, %k: tensor<4x5xf32>) -> tensor<6x5xf32> {
  %y = npu.transpose %x permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %z = npu.matmul %y, %k : (tensor<6x4xf32>, tensor<4x5xf32>) -> tensor<6x5xf32>
  func.return %z : tensor<6x5xf32>
}
