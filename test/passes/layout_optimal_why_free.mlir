// RUN: npu-opt %s --layout-optimal --why=y -o %t.mlir 2>&1 | filecheck %s --match-full-lines
// RUN: npu-opt %s --layout-optimal --target=plover --why=y -o %t.mlir 2>&1 | filecheck %s --check-prefix=FREE --match-full-lines

/// The transpose that a rigid product of matrices needs would not be there on hardware that reads its operands transposed.
// CHECK:      layout-optimal: %y {{.*}}
// CHECK:        in all: {{[1-9][0-9]*}} bytes: proved minimum
// CHECK-NEXT:   with matmul = "free": 0 bytes: proved minimum
// FREE:       layout-optimal: %y {{.*}}
// FREE:         in all: 0 bytes: proved minimum
// FREE-NOT:     with matmul {{.*}}
func.func @main(%x: tensor<4x6xf32>, %k: tensor<4x5xf32>) -> tensor<6x5xf32> {
  %y = npu.transpose %x permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %z = npu.matmul %y, %k : (tensor<6x4xf32>, tensor<4x5xf32>) -> tensor<6x5xf32>
  func.return %z : tensor<6x5xf32>
}
