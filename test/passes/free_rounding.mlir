// RUN: npu-opt %s --free-rounding | filecheck %s
// RUN: npu-opt %s --free-rounding --free-rounding | filecheck %s

/// The form of an op in a file is dropped; all other attributes stay.
// CHECK:      %y = npu.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %z = npu.add %y, %b {my.note = "stays"} : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
func.func @main(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>, %b: tensor<1x4xf32>) -> tensor<2x4xf32> {
  %y = npu.matmul %x, %w {litert.kind = "BATCH_MATMUL"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %z = npu.add %y, %b {litert.kind = "ADD", my.note = "stays"} : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  func.return %z : tensor<2x4xf32>
}
