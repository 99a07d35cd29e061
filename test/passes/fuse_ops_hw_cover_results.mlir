// RUN: npu-opt %s --fuse-ops-hw=strategy=cover --target=%S/Inputs/no_escapes.toml | filecheck %s

/// A result of the split leaves its group, which ends there; another result is then read from outside, too.
// CHECK:      %[[A:.*]], %[[B:.*]] = npu.split %x
// CHECK-NEXT: func.call @fused_reshape_gemm(%[[B]], %w)
func.func @main(%x: tensor<4x6xf32>, %w: tensor<12x3xf32>) -> (tensor<2x6xf32>, tensor<1x3xf32>) {
  %a, %b = npu.split %x axis = 0 sizes = [2, 2] : (tensor<4x6xf32>) -> (tensor<2x6xf32>, tensor<2x6xf32>)
  %r = npu.reshape %b : (tensor<2x6xf32>) -> tensor<1x12xf32>
  %y = npu.gemm %r, %w : (tensor<1x12xf32>, tensor<12x3xf32>) -> tensor<1x3xf32>
  func.return %a, %y : tensor<2x6xf32>, tensor<1x3xf32>
}
