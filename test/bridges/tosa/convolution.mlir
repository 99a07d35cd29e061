// REQUIRES: mlir-bindings
// RUN: npu-opt %s -f tosa --split-input-file | filecheck %s

/// Data in NHWC, a kernel in OHWI; the zero points are gone, and so is a bias that is zero. Values keep their names.
func.func @main(%x: tensor<1x8x8x3xf32>) -> tensor<1x4x9x4xf32> {
  %w = "tosa.const"() <{values = dense<0.5> : tensor<4x3x3x3xf32>}> : () -> tensor<4x3x3x3xf32>
  %b = "tosa.const"() <{values = dense<0.0> : tensor<4xf32>}> : () -> tensor<4xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %conv = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 0, 2, 1>, stride = array<i64: 2, 1>} : (tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x9x4xf32>
  return %conv : tensor<1x4x9x4xf32>
}

// CHECK:       func.func @main(%x: tensor<1x8x8x3xf32>) -> tensor<1x4x9x4xf32> {
// CHECK-NEXT:    %w = npu.constant dense<5.000000e-01> : tensor<4x3x3x3xf32>
// CHECK-NEXT:    %conv = npu.conv2d %x, %w strides = [2, 1] pads = [1, 2, 0, 1] data_layout = <NHWC> kernel_layout = <OHWI>
// CHECK-SAME:      : (tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x9x4xf32>
// CHECK-NEXT:    func.return %conv : tensor<1x4x9x4xf32>

// -----

/// A bias of one element counts for all channels. The batch may be dynamic.
func.func @main(%x: tensor<?x8x8x3xf32>, %w: tensor<4x1x1x3xf32>) -> tensor<?x8x8x4xf32> {
  %b = "tosa.const"() <{values = dense<2.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x8x8x3xf32>, tensor<4x1x1x3xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x8x8x4xf32>
  return %0 : tensor<?x8x8x4xf32>
}

// CHECK:       func.func @main(%x: tensor<?x8x8x3xf32>, %w: tensor<4x1x1x3xf32>) -> tensor<?x8x8x4xf32> {
// CHECK-NEXT:    %0 = npu.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %1 = npu.conv2d %x, %w, %0 data_layout = <NHWC> kernel_layout = <OHWI>
// CHECK-SAME:      : (tensor<?x8x8x3xf32>, tensor<4x1x1x3xf32>, tensor<4xf32>) -> tensor<?x8x8x4xf32>
// CHECK-NEXT:    func.return %1 : tensor<?x8x8x4xf32>

// -----

/// The channels and their multiples are the outputs of as many groups; a kernel that is known is reshaped at once.
func.func @main(%x: tensor<1x4x4x3xf32>, %k: tensor<1x1x3x2xf32>, %b: tensor<6xf32>) -> (tensor<1x4x4x6xf32>, tensor<1x3x4x6xf32>) {
  %w = "tosa.const"() <{values = dense<0.5> : tensor<2x1x3x2xf32>}> : () -> tensor<2x1x3x2xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.depthwise_conv2d %x, %k, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x3xf32>, tensor<1x1x3x2xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x6xf32>
  %1 = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x3xf32>, tensor<2x1x3x2xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x4x6xf32>
  return %0, %1 : tensor<1x4x4x6xf32>, tensor<1x3x4x6xf32>
}

// CHECK:       func.func @main(%x: tensor<1x4x4x3xf32>, %k: tensor<1x1x3x2xf32>, %b: tensor<6xf32>) -> (tensor<1x4x4x6xf32>, tensor<1x3x4x6xf32>) {
// CHECK-NEXT:    %0 = npu.reshape %k : (tensor<1x1x3x2xf32>) -> tensor<1x1x6x1xf32>
// CHECK-NEXT:    %1 = npu.conv2d %x, %0, %b groups = 3 data_layout = <NHWC> kernel_layout = <HWOI>
// CHECK-SAME:      : (tensor<1x4x4x3xf32>, tensor<1x1x6x1xf32>, tensor<6xf32>) -> tensor<1x4x4x6xf32>
// CHECK-NEXT:    %2 = npu.constant dense<5.000000e-01> : tensor<2x1x6x1xf32>
// CHECK-NEXT:    %3 = npu.conv2d %x, %2, %b groups = 3 data_layout = <NHWC> kernel_layout = <HWOI>
// CHECK-SAME:      : (tensor<1x4x4x3xf32>, tensor<2x1x6x1xf32>, tensor<6xf32>) -> tensor<1x3x4x6xf32>
// CHECK-NEXT:    func.return %1, %3 : tensor<1x4x4x6xf32>, tensor<1x3x4x6xf32>

// -----

/// The kernel is that of the forward convolution, so its O is the npu op's I.
func.func @main(%x: tensor<1x4x4x3xf32>, %w: tensor<5x3x3x3xf32>, %b: tensor<5xf32>) -> (tensor<1x8x7x5xf32>, tensor<1x11x12x5xf32>) {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: -1, 0, -1, -1>, stride = array<i64: 2, 2>} : (tensor<1x4x4x3xf32>, tensor<5x3x3x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x7x5xf32>
  %1 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 2, 0, 0>, stride = array<i64: 2, 3>} : (tensor<1x4x4x3xf32>, tensor<5x3x3x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x11x12x5xf32>
  return %0, %1 : tensor<1x8x7x5xf32>, tensor<1x11x12x5xf32>
}

// CHECK:       func.func @main(%x: tensor<1x4x4x3xf32>, %w: tensor<5x3x3x3xf32>, %b: tensor<5xf32>) -> (tensor<1x8x7x5xf32>, tensor<1x11x12x5xf32>) {
// CHECK-NEXT:    %0 = npu.conv_transpose2d %x, %w, %b strides = [2, 2] pads = [1, 1, 0, 1] data_layout = <NHWC> kernel_layout = <IHWO>
// CHECK-SAME:      : (tensor<1x4x4x3xf32>, tensor<5x3x3x3xf32>, tensor<5xf32>) -> tensor<1x8x7x5xf32>
// CHECK-NEXT:    %1 = npu.conv_transpose2d %x, %w, %b strides = [2, 3] output_pads = [2, 0] data_layout = <NHWC> kernel_layout = <IHWO>
// CHECK-SAME:      : (tensor<1x4x4x3xf32>, tensor<5x3x3x3xf32>, tensor<5xf32>) -> tensor<1x11x12x5xf32>
// CHECK-NEXT:    func.return %0, %1 : tensor<1x8x7x5xf32>, tensor<1x11x12x5xf32>

// -----

/// Volumes.
func.func @main(%x: tensor<1x4x4x4x3xf32>, %w: tensor<2x2x2x2x3xf32>, %b: tensor<2xf32>) -> tensor<1x3x3x4x2xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv3d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 0, 0, 0, 1>, stride = array<i64: 1, 1, 1>} : (tensor<1x4x4x4x3xf32>, tensor<2x2x2x2x3xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x4x2xf32>
  return %0 : tensor<1x3x3x4x2xf32>
}

// CHECK:       func.func @main(%x: tensor<1x4x4x4x3xf32>, %w: tensor<2x2x2x2x3xf32>, %b: tensor<2xf32>) -> tensor<1x3x3x4x2xf32> {
// CHECK-NEXT:    %0 = npu.conv3d %x, %w, %b pads = [0, 0, 0, 0, 0, 1] data_layout = <NDHWC> kernel_layout = <ODHWI>
// CHECK-SAME:      : (tensor<1x4x4x4x3xf32>, tensor<2x2x2x2x3xf32>, tensor<2xf32>) -> tensor<1x3x3x4x2xf32>
// CHECK-NEXT:    func.return %0 : tensor<1x3x3x4x2xf32>

// -----

/// Integers are summed up in i32 without their zero points, and the bias comes on top.
func.func @main(%x: tensor<1x4x4x3xi8>, %w: tensor<2x1x1x3xi8>, %b: tensor<2xi32>) -> tensor<1x4x4x2xi32> {
  %zx = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zw = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %w, %b, %zx, %zw {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x3xi8>, tensor<2x1x1x3xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %0 : tensor<1x4x4x2xi32>
}

// CHECK:       func.func @main(%x: tensor<1x4x4x3xi8>, %w: tensor<2x1x1x3xi8>, %b: tensor<2xi32>) -> tensor<1x4x4x2xi32> {
// CHECK-NEXT:    %0 = npu.constant dense<-3> : tensor<i8>
// CHECK-NEXT:    %1 = npu.constant dense<0> : tensor<i8>
// CHECK-NEXT:    %2 = npu.conv2d_integer %x, %w, %0, %1 data_layout = <NHWC> kernel_layout = <OHWI>
// CHECK-SAME:      : (tensor<1x4x4x3xi8>, tensor<2x1x1x3xi8>, tensor<i8>, tensor<i8>) -> tensor<1x4x4x2xi32>
// CHECK-NEXT:    %3 = npu.reshape %b : (tensor<2xi32>) -> tensor<1x1x1x2xi32>
// CHECK-NEXT:    %4 = npu.add %2, %3 : (tensor<1x4x4x2xi32>, tensor<1x1x1x2xi32>) -> tensor<1x4x4x2xi32>
// CHECK-NEXT:    func.return %4 : tensor<1x4x4x2xi32>
