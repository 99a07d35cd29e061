// RUN: npu-opt %s --fuse-ops --split-input-file | filecheck %s
// RUN: npu-opt %s --fuse-ops --fuse-ops --split-input-file | filecheck %s
// RUN: npu-opt %s --fuse-ops="opt-level=1" --split-input-file | filecheck %s

/// A convolution takes up the elementwise ops behind it, and the constant of one element that they read.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    (%x: tensor<1x4x6x6xf32>, %k: tensor<4x4x1x1xf32>) -> tensor<1x4x6x6xf32> {
// CHECK-NEXT:    %scaled = func.call @fused_conv2d_relu_mul(%x, %k) : (tensor<1x4x6x6xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x6x6xf32>
// CHECK-NEXT:    func.return %scaled : tensor<1x4x6x6xf32>
// CHECK-LABEL: func.func private @fused_conv2d_relu_mul
// CHECK-SAME:    (%x: tensor<1x4x6x6xf32>, %k: tensor<4x4x1x1xf32>) -> tensor<1x4x6x6xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x6x6xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x6x6xf32>
// CHECK-NEXT:    %half = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %relu = npu.relu %conv : tensor<1x4x6x6xf32>
// CHECK-NEXT:    %scaled = npu.mul %relu, %half : (tensor<1x4x6x6xf32>, tensor<f32>) -> tensor<1x4x6x6xf32>
// CHECK-NEXT:    func.return %scaled : tensor<1x4x6x6xf32>
func.func @main(%x: tensor<1x4x6x6xf32>, %k: tensor<4x4x1x1xf32>) -> tensor<1x4x6x6xf32> {
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x6x6xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x6x6xf32>
  %half = npu.constant dense<0.5> : tensor<f32>
  %relu = npu.relu %conv : tensor<1x4x6x6xf32>
  %scaled = npu.mul %relu, %half : (tensor<1x4x6x6xf32>, tensor<f32>) -> tensor<1x4x6x6xf32>
  func.return %scaled : tensor<1x4x6x6xf32>
}

// -----

/// The convolution is returned, hence used outside, so it is alone and its users are a group.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    (%x: tensor<1x4x6x6xf32>, %k: tensor<4x4x1x1xf32>) -> (tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) {
// CHECK-NEXT:    %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x6x6xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x6x6xf32>
// CHECK-NEXT:    %abs = func.call @fused_relu_abs(%conv) : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
// CHECK-NEXT:    func.return %conv, %abs : tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>
// CHECK-LABEL: func.func private @fused_relu_abs
// CHECK-SAME:    (%conv: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %relu = npu.relu %conv : tensor<1x4x6x6xf32>
// CHECK-NEXT:    %abs = npu.abs %relu : tensor<1x4x6x6xf32>
// CHECK-NEXT:    func.return %abs : tensor<1x4x6x6xf32>
func.func @main(%x: tensor<1x4x6x6xf32>, %k: tensor<4x4x1x1xf32>) -> (tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) {
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x6x6xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x6x6xf32>
  %relu = npu.relu %conv : tensor<1x4x6x6xf32>
  %abs = npu.abs %relu : tensor<1x4x6x6xf32>
  func.return %conv, %abs : tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>
}
