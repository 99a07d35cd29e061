// REQUIRES: mlir-bindings
// RUN: npu-opt %s --split-input-file -t tosa | filecheck %s

/// A convolution of NHWC becomes one of TOSA, and its kernel is stored as TOSA requires; a transpose stays a transpose,
/// and a relabel disappears.
func.func @main(%x: tensor<1x2x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x3xf32, #npu.layout<Tensor>> {
  %k = npu.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]]> : tensor<1x1x2x3xf32, #npu.layout<HWIO>>
  %b = npu.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %0 = npu.transpose %x permutation = [0, 2, 3, 1]
    : (tensor<1x2x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x2xf32, #npu.layout<NHWC>>
  %1 = npu.conv2d %0, %k, %b
    : (tensor<1x4x4x2xf32, #npu.layout<NHWC>>, tensor<1x1x2x3xf32, #npu.layout<HWIO>>, tensor<3xf32>)
    -> tensor<1x4x4x3xf32, #npu.layout<NHWC>>
  %2 = npu.relabel %1 : (tensor<1x4x4x3xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x3xf32, #npu.layout<Tensor>>
  func.return %2 : tensor<1x4x4x3xf32, #npu.layout<Tensor>>
}

// CHECK:      func.func @main(%arg0: tensor<1x2x4x4xf32>) -> tensor<1x4x4x3xf32> {
// CHECK-NEXT: %0 = tosa.transpose %arg0 {perms = array<i32: 0, 2, 3, 1>}
// CHECK-SAME:  : (tensor<1x2x4x4xf32>) -> tensor<1x4x4x2xf32>
// CHECK-NEXT: %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// CHECK-NEXT: %2 = "tosa.const"() <{values = dense<{{.*}}> : tensor<3x1x1x2xf32>}> : () -> tensor<3x1x1x2xf32>
// CHECK-NEXT: %3 = "tosa.const"() <{values = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>}>
// CHECK-SAME:  : () -> tensor<3xf32>
// CHECK-NEXT: %4 = tosa.conv2d %0, %2, %3, %1, %1
// CHECK-SAME:  {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
// CHECK-SAME:  : (tensor<1x4x4x2xf32>, tensor<3x1x1x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>)
// CHECK-SAME:  -> tensor<1x4x4x3xf32>
// CHECK-NEXT: return %4 : tensor<1x4x4x3xf32>

// -----

/// A convolution of another order is brought to TOSA's and back.
func.func @main(%x: tensor<1x4x6x6xf32>, %k: tensor<4x1x3x3xf32>) -> tensor<1x4x3x3xf32> {
  %y = npu.conv2d %x, %k strides = [2, 2] pads = [1, 1, 1, 1] groups = 4 data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x6x6xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x3x3xf32>
  func.return %y : tensor<1x4x3x3xf32>
}

// CHECK:      func.func @main(%arg0: tensor<1x4x6x6xf32>, %arg1: tensor<4x1x3x3xf32>) -> tensor<1x4x3x3xf32> {
// CHECK-NEXT: %0 = tosa.transpose %arg1 {perms = array<i32: 0, 2, 3, 1>}
// CHECK-SAME:  : (tensor<4x1x3x3xf32>) -> tensor<4x3x3x1xf32>
// CHECK-NEXT: %1 = tosa.transpose %arg0 {perms = array<i32: 0, 2, 3, 1>}
// CHECK-SAME:  : (tensor<1x4x6x6xf32>) -> tensor<1x6x6x4xf32>
// CHECK-NEXT: %2 = tosa.const_shape  {values = dense<[4, 1, 3, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
// CHECK-NEXT: %3 = tosa.reshape %0, %2 : (tensor<4x3x3x1xf32>, !tosa.shape<4>) -> tensor<4x1x3x3xf32>
// CHECK-NEXT: %4 = tosa.transpose %3 {perms = array<i32: 2, 3, 0, 1>}
// CHECK-SAME:  : (tensor<4x1x3x3xf32>) -> tensor<3x3x4x1xf32>
// CHECK-NEXT: %5 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// CHECK-NEXT: %6 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// CHECK-NEXT: %7 = tosa.depthwise_conv2d %1, %4, %6, %5, %5
// CHECK-SAME:  {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>}
// CHECK-SAME:  : (tensor<1x6x6x4xf32>, tensor<3x3x4x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
// CHECK-SAME:  -> tensor<1x3x3x4xf32>
// CHECK-NEXT: %8 = tosa.transpose %7 {perms = array<i32: 0, 3, 1, 2>}
// CHECK-SAME:  : (tensor<1x3x3x4xf32>) -> tensor<1x4x3x3xf32>
// CHECK-NEXT: return %8 : tensor<1x4x3x3xf32>

// -----

/// An op that TOSA lacks becomes a linalg.generic: the division of f32 is not the product with an inverse.
func.func @main(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %0 = npu.div %x, %y : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// CHECK:      #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (0, d1)>
// CHECK-NEXT: module {
// CHECK-NEXT: func.func @main(%arg0: tensor<2x3xf32>, %arg1: tensor<1x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %0 = tensor.empty() : tensor<2x3xf32>
// CHECK-NEXT: %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]}
// CHECK-SAME:  ins(%arg0, %arg1 : tensor<2x3xf32>, tensor<1x3xf32>) outs(%0
// CHECK-SAME:  : tensor<2x3xf32>) {
// CHECK-NEXT: ^bb0(%in: f32, %in_0: f32, %out: f32):
// CHECK-NEXT: %2 = arith.divf %in, %in_0 : f32
// CHECK-NEXT: linalg.yield %2 : f32
// CHECK-NEXT: } -> tensor<2x3xf32>
// CHECK-NEXT: return %1 : tensor<2x3xf32>

// -----

/// Functions stay functions: a fused group is still one.
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = func.call @fused_relu_tanh(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
func.func private @fused_relu_tanh(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = npu.relu %x : tensor<2x3xf32>
  %1 = npu.tanh %0 : tensor<2x3xf32>
  func.return %1 : tensor<2x3xf32>
}

// CHECK:      func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %0 = call @fused_relu_tanh(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %0 : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: func.func private @fused_relu_tanh(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %0 = tosa.clamp %arg0 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32}
// CHECK-SAME:  : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %1 = tosa.tanh %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %1 : tensor<2x3xf32>
