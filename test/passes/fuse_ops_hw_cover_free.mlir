// RUN: npu-opt %s --target=%S/Inputs/chains.toml --fuse-ops-hw="strategy=cover dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines
// RUN: npu-opt %s --target=%S/Inputs/chains.toml --fuse-ops-hw="dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=GREEDY

/// Free transposes alone are no group: those that no group of their users collects read and write their data.
// CHECK:       @alone
// CHECK:       ## 5: npu.transpose collected into group 0
// CHECK-NEXT:  ## 6: npu.relu added to group 0 on unary
// CHECK-NEXT:  ## 7: npu.transpose collected into group 1
// CHECK-NEXT:  ## 8: npu.relu added to group 1 on unary
// CHECK:       bytes that travel: 1152: proved minimum
// GREEDY:      @alone
// GREEDY:      bytes that travel: 1152
func.func @alone(%x: tensor<4x6xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>) {
  %turned = npu.transpose %x permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %back = npu.transpose %turned permutation = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %first = npu.transpose %back permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %second = npu.transpose %x permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %given = npu.transpose %turned permutation = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %relu = npu.relu %given : tensor<4x6xf32>
  %again = npu.transpose %relu permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %third = npu.relu %again : tensor<6x4xf32>
  func.return %first, %second, %third : tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>
}

// -----

/// A group that collects a transpose does not collect another one that reads it for the result alone.
// CHECK:       @returned
// CHECK:       ## 2: npu.transpose in no group (is free, but no single group has all its users)
// CHECK:       bytes that travel: 576: proved minimum
// GREEDY:      @returned
// GREEDY:      bytes that travel: 576
func.func @returned(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<6x4xf32>) {
  %turned = npu.transpose %x permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %back = npu.transpose %turned permutation = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %relu = npu.relu %turned : tensor<6x4xf32>
  func.return %back, %relu : tensor<4x6xf32>, tensor<6x4xf32>
}
