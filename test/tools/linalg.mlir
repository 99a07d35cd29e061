// RUN: npu-opt %s --layout-optimal --stats -o %t.mlir 2>%t.notes
// RUN: filecheck %s --input-file=%t.mlir
// RUN: filecheck %s --check-prefix=STATS --input-file=%t.notes
// RUN: npu-check %s %t.mlir | filecheck %s --check-prefix=PROVED
// RUN: npu-opt %t.mlir --layout-optimal | diff - %t.mlir
// RUN: npu-opt %s --layout-optimal --expect-transposes=0 -o %t.mlir 2>%t.notes
// RUN: npu-opt %s --layout-preset --expect-transposes=2 | npu-check %s - | filecheck %s --check-prefix=PRESET
// RUN: npu-opt %s --canonicalize | filecheck %s --check-prefix=UNPLACED

/// Layout passes place a program of linalg without more flags, and leave one of linalg. The proof reads both.
// CHECK-LABEL: func.func @cancel(
// CHECK-NOT:     linalg.transpose
// CHECK:         %r = linalg.exp ins(%x : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    func.return %r : tensor<4x8xf32>
// STATS:         before                      2    256
// STATS-NEXT:    1. layout-optimal           0      0
// PROVED:        proved: {{.*}} compute the same
// PRESET:        proved: {{.*}} compute the same
// UNPLACED:      linalg.transpose
func.func @cancel(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
  %r = linalg.exp ins(%t : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %u = linalg.transpose ins(%r : tensor<8x4xf32>) outs(%e2 : tensor<4x8xf32>) permutation = [1, 0]
  return %u : tensor<4x8xf32>
}
