// REQUIRES: mlir-bindings, mlir-opt
// RUN: npu-opt %s -t tosa | %mlir-opt | filecheck %s
// RUN: npu-opt %s --npu-default -t tosa | %mlir-opt | filecheck %s

/// MLIR's own tools read the output.
func.func @main(%x: tensor<1x3x8x8xf32>, %k: tensor<4x3x3x3xf32>) -> tensor<1x4x1x1xf32> {
  %0 = npu.conv2d %x, %k pads = [1, 1, 1, 1] data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  %1 = npu.relu %0 : tensor<1x4x8x8xf32>
  %2 = npu.max_pool %1 window = [2, 2] strides = [2, 2] data_layout = <NCHW>
    : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
  %3 = npu.global_avg_pool %2 data_layout = <NCHW> : (tensor<1x4x4x4xf32>) -> tensor<1x4x1x1xf32>
  func.return %3 : tensor<1x4x1x1xf32>
}

// CHECK: func.func @main(%arg0: tensor<1x3x8x8xf32>, %arg1: tensor<4x3x3x3xf32>) -> tensor<1x4x1x1xf32> {
// CHECK: tosa.conv2d
// CHECK: tosa.clamp
// CHECK: tosa.max_pool2d
// CHECK: tosa.reduce_sum
