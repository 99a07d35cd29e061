// REQUIRES: mlir-bindings
// RUN: npu-opt %s -f tosa --layout-optimal --canonicalize | filecheck %s
// RUN: npu-opt %s -f tosa --layout-optimal --canonicalize -t tosa | filecheck %s --check-prefix BACK

/// A network of PyTorch as torch-mlir writes it, in NCHW with transposes around each convolution: two are left of five.
func.func @forward(%x: tensor<1x3x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %w0 = "tosa.const"() <{values = dense<0.5> : tensor<4x3x3x3xf32>}> : () -> tensor<4x3x3x3xf32>
  %w1 = "tosa.const"() <{values = dense<0.25> : tensor<4x3x3x4xf32>}> : () -> tensor<4x3x3x4xf32>
  %b = "tosa.const"() <{values = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>}> : () -> tensor<4xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w0t = tosa.transpose %w0 {perms = array<i32: 0, 2, 3, 1>} : (tensor<4x3x3x3xf32>) -> tensor<4x3x3x3xf32>
  %0 = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x3x8x8xf32>) -> tensor<1x8x8x3xf32>
  %1 = tosa.conv2d %0, %w0t, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x4xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x8x8xf32>
  %relu = tosa.clamp %2 {min_val = 0.0 : f32, max_val = 0x7F800000 : f32} : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %3 = tosa.transpose %relu {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x4x8x8xf32>) -> tensor<1x8x8x4xf32>
  %4 = tosa.conv2d %3, %w1, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<4x3x3x4xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x4xf32>
  %5 = tosa.transpose %4 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x8x8xf32>
  %6 = tosa.add %5, %relu : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %6 : tensor<1x4x8x8xf32>
}

// CHECK:       func.func @forward(%x: tensor<1x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x8xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:  [[IN:%[a-z0-9_]+]] = npu.transpose %x permutation = [0, 2, 3, 1]
// CHECK-SAME:    : (tensor<1x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x3xf32, #npu.layout<NHWC>>
// CHECK:       [[FIRST:%[0-9]+]] = npu.conv2d [[IN]], %w0t, %b pads = [1, 1, 1, 1]
// CHECK:       %relu = npu.relu [[FIRST]] : tensor<1x8x8x4xf32, #npu.layout<NHWC>>
// CHECK:       [[SECOND:%[0-9]+]] = npu.conv2d %relu, %w1, %b pads = [1, 1, 1, 1]
// CHECK:       [[SUM:%[0-9]+]] = npu.add [[SECOND]], %relu
// CHECK:       [[OUT:%[0-9]+]] = npu.transpose [[SUM]] permutation = [0, 3, 1, 2]
// CHECK-SAME:    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return [[OUT]] : tensor<1x4x8x8xf32, #npu.layout<NCHW>>

// BACK:        func.func @forward(%arg0: tensor<1x3x8x8xf32>) -> tensor<1x4x8x8xf32> {
// BACK-NEXT:   [[IN:%[0-9]+]] = tosa.transpose %arg0 {perms = array<i32: 0, 2, 3, 1>}
// BACK-SAME:     : (tensor<1x3x8x8xf32>) -> tensor<1x8x8x3xf32>
// BACK:        [[FIRST:%[0-9]+]] = tosa.conv2d [[IN]]
// BACK-NEXT:   [[RELU:%[0-9]+]] = tosa.clamp [[FIRST]]
// BACK:        [[SECOND:%[0-9]+]] = tosa.conv2d [[RELU]]
// BACK-NEXT:   [[SUM:%[0-9]+]] = tosa.add [[SECOND]], [[RELU]] : (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
// BACK-NEXT:   [[OUT:%[0-9]+]] = tosa.transpose [[SUM]] {perms = array<i32: 0, 3, 1, 2>}
// BACK-SAME:     : (tensor<1x8x8x4xf32>) -> tensor<1x4x8x8xf32>
// BACK-NEXT:   return [[OUT]] : tensor<1x4x8x8xf32>
