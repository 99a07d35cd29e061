// RUN: npu-opt %s --split-quantised --split-input-file | filecheck %s
// RUN: npu-opt %s --split-quantised --split-quantised --split-input-file | filecheck %s
// RUN: npu-opt %s --split-quantised --target=onnx --split-input-file | filecheck %s --check-prefix=WHOLE

/// A convolution becomes the sums, the bias and the requantisation, in the layouts that it has. A target without stages
/// runs whole ops.
// CHECK-LABEL: func.func @convolution
// CHECK-SAME:    (%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<4xf32>, %wz: tensor<4xi8>, %ys: tensor<f32>, %yz: tensor<ui8>, %b: tensor<4xi32>) -> tensor<1x8x8x4xui8, #npu.layout<NHWC>> {
// CHECK-NEXT:    %0 = npu.conv2d_integer %x, %w, %xz, %wz pads = [1, 1, 1, 1] : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<ui8>, tensor<4xi8>) -> tensor<1x8x8x4xi32, #npu.layout<NHWC>>
// CHECK-NEXT:    %1 = npu.reshape %b : (tensor<4xi32>) -> tensor<1x1x1x4xi32, #npu.layout<NHWC>>
// CHECK-NEXT:    %2 = npu.add %0, %1 : (tensor<1x8x8x4xi32, #npu.layout<NHWC>>, tensor<1x1x1x4xi32, #npu.layout<NHWC>>) -> tensor<1x8x8x4xi32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.requantize %2, %xs, %ws, %ys, %yz axis = 3 : (tensor<1x8x8x4xi32, #npu.layout<NHWC>>, tensor<f32>, tensor<4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x8x8x4xui8, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %y : tensor<1x8x8x4xui8, #npu.layout<NHWC>>
// WHOLE-LABEL: func.func @convolution
// WHOLE-NEXT:    %y = npu.quant_conv2d
func.func @convolution(
  %x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>,
  %xz: tensor<ui8>, %ws: tensor<4xf32>, %wz: tensor<4xi8>, %ys: tensor<f32>, %yz: tensor<ui8>, %b: tensor<4xi32>
) -> tensor<1x8x8x4xui8, #npu.layout<NHWC>> {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz, %b pads = [1, 1, 1, 1]
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>,
       tensor<4xf32>, tensor<4xi8>, tensor<f32>, tensor<ui8>, tensor<4xi32>) -> tensor<1x8x8x4xui8, #npu.layout<NHWC>>
  return %y : tensor<1x8x8x4xui8, #npu.layout<NHWC>>
}

// -----

/// Without a bias, and with one scale, in a program without layouts.
// CHECK-LABEL: func.func @plain
// CHECK-SAME:    (%x: tensor<1x4x5x6xi8>, %w: tensor<4x2x3x3xi8>, %s: tensor<f32>, %z: tensor<i8>) -> tensor<1x4x2x2xi8> {
// CHECK-NEXT:    %0 = npu.conv2d_integer %x, %w, %z, %z strides = [2, 2] groups = 2 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x5x6xi8>, tensor<4x2x3x3xi8>, tensor<i8>, tensor<i8>) -> tensor<1x4x2x2xi32>
// CHECK-NEXT:    %y = npu.requantize %0, %s, %s, %s, %z {tag = "kept"} : (tensor<1x4x2x2xi32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i8>) -> tensor<1x4x2x2xi8>
// CHECK-NEXT:    func.return %y : tensor<1x4x2x2xi8>
// WHOLE-LABEL: func.func @plain
// WHOLE-NEXT:    %y = npu.quant_conv2d
func.func @plain(
  %x: tensor<1x4x5x6xi8>, %w: tensor<4x2x3x3xi8>, %s: tensor<f32>, %z: tensor<i8>
) -> tensor<1x4x2x2xi8> {
  %y = npu.quant_conv2d %x, %w, %s, %z, %s, %z, %s, %z strides = [2, 2] groups = 2
    data_layout = <NCHW> kernel_layout = <OIHW> {tag = "kept"}
    : (tensor<1x4x5x6xi8>, tensor<4x2x3x3xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>,
       tensor<i8>) -> tensor<1x4x2x2xi8>
  return %y : tensor<1x4x2x2xi8>
}

// -----

/// No stage of this target runs a product of integers that is not quantised, so the op stays whole.
// CHECK-LABEL: func.func @product
// CHECK-SAME:    (%a: tensor<4x8xi8>, %b: tensor<8x6xi8>, %s: tensor<f32>, %z: tensor<i8>, %c: tensor<6xi32>) -> tensor<4x6xi8> {
// CHECK-NEXT:    %y = npu.quant_gemm %a, %b, %s, %z, %s, %z, %s, %z, %c : (tensor<4x8xi8>, tensor<8x6xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<6xi32>) -> tensor<4x6xi8>
// CHECK-NEXT:    func.return %y : tensor<4x6xi8>
func.func @product(
  %a: tensor<4x8xi8>, %b: tensor<8x6xi8>, %s: tensor<f32>, %z: tensor<i8>, %c: tensor<6xi32>
) -> tensor<4x6xi8> {
  %y = npu.quant_gemm %a, %b, %s, %z, %s, %z, %s, %z, %c
    : (tensor<4x8xi8>, tensor<8x6xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>,
       tensor<6xi32>) -> tensor<4x6xi8>
  return %y : tensor<4x6xi8>
}
