// REQUIRES: mlir-bindings
// RUN: npu-opt %s -f tosa --split-input-file | filecheck %s

/// Images in NHWC. TOSA lists the pads axis by axis, npu those before all axes first.
func.func @main(%x: tensor<1x8x8x4xf32>) -> (tensor<1x4x8x4xf32>, tensor<1x4x4x4xf32>) {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.max_pool2d %x {kernel = array<i64: 3, 3>, stride = array<i64: 2, 1>, pad = array<i64: 1, 0, 1, 1>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x8x4xf32>
  %1 = tosa.avg_pool2d %x, %z, %z {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, acc_type = f32} : (tensor<1x8x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x4xf32>
  return %0, %1 : tensor<1x4x8x4xf32>, tensor<1x4x4x4xf32>
}

// CHECK:       func.func @main(%x: tensor<1x8x8x4xf32>) -> (tensor<1x4x8x4xf32>, tensor<1x4x4x4xf32>) {
// CHECK-NEXT:    %0 = npu.max_pool %x window = [3, 3] strides = [2, 1] pads = [1, 1, 0, 1] data_layout = <NHWC>
// CHECK-SAME:      : (tensor<1x8x8x4xf32>) -> tensor<1x4x8x4xf32>
// CHECK-NEXT:    %1 = npu.avg_pool %x window = [2, 2] strides = [2, 2] data_layout = <NHWC>
// CHECK-SAME:      : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
// CHECK-NEXT:    func.return %0, %1 : tensor<1x4x8x4xf32>, tensor<1x4x4x4xf32>

// -----

/// An average of integers is rounded in another way than that of npu.
func.func @main(%x: tensor<1x8x8x4xi8>) -> tensor<1x4x4x4xi8> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %x, %z, %z {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, acc_type = i32} : (tensor<1x8x8x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x4xi8>
  return %0 : tensor<1x4x4x4xi8>
}

// CHECK:       func.func @main(%x: tensor<1x8x8x4xi8>) -> tensor<1x4x4x4xi8> {
// CHECK:         %0 = npu.opaque "tosa.avg_pool2d"(%x, %z, %z) pure {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
// CHECK-SAME:      : (tensor<1x8x8x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x4xi8>
// CHECK-NEXT:    func.return %0 : tensor<1x4x4x4xi8>
