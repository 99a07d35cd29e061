// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// One scale and zero point for each tensor.
// CHECK-LABEL: func.func @per_tensor(
func.func @per_tensor(
  %x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>,
  %scale: tensor<f32>, %zero: tensor<ui8>, %wz: tensor<i8>, %b: tensor<4xi32>
) {
  // CHECK-NEXT: %a = npu.quant_conv2d %x, %w, %scale, %zero, %scale, %wz, %scale, %zero : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  %a = npu.quant_conv2d %x, %w, %scale, %zero, %scale, %wz, %scale, %zero
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  // CHECK-NEXT: %c = npu.quant_conv2d %x, %w, %scale, %zero, %scale, %wz, %scale, %zero, %b strides = [2, 2] dilations = [1, 2] pads = [1, 2, 1, 2] {name = "q"} : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, tensor<4xi32>) -> tensor<1x4x4x4xui8, #npu.layout<NHWC>>
  %c = npu.quant_conv2d %x, %w, %scale, %zero, %scale, %wz, %scale, %zero, %b strides = [2, 2] dilations = [1, 2] pads = [1, 2, 1, 2] {name = "q"}
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, tensor<4xi32>) -> tensor<1x4x4x4xui8, #npu.layout<NHWC>>
  return
}

/// One for each channel of the result, for the kernel only. One element may have any rank; the classes Tensor and none mix.
// CHECK-LABEL: func.func @per_channel(
func.func @per_channel(
  %x: tensor<1x3x8x8xi8, #npu.layout<NCHW>>, %w: tensor<4x3x3x3xi8, #npu.layout<OIHW>>, %one: tensor<1xf32>, %zero: tensor<1x1xi8>,
  %scales: tensor<4xf32, #npu.layout<Tensor>>, %zeros: tensor<4xi8>, %out_scale: tensor<f32, #npu.layout<Tensor>>, %out_zero: tensor<i16>, %b: tensor<4xi32>
) {
  // CHECK-NEXT: %a = npu.quant_conv2d %x, %w, %one, %zero, %scales, %zeros, %out_scale, %out_zero, %b : (tensor<1x3x8x8xi8, #npu.layout<NCHW>>, tensor<4x3x3x3xi8, #npu.layout<OIHW>>, tensor<1xf32>, tensor<1x1xi8>, tensor<4xf32, #npu.layout<Tensor>>, tensor<4xi8>, tensor<f32, #npu.layout<Tensor>>, tensor<i16>, tensor<4xi32>) -> tensor<1x4x6x6xi16, #npu.layout<NCHW>>
  %a = npu.quant_conv2d %x, %w, %one, %zero, %scales, %zeros, %out_scale, %out_zero, %b
    : (tensor<1x3x8x8xi8, #npu.layout<NCHW>>, tensor<4x3x3x3xi8, #npu.layout<OIHW>>, tensor<1xf32>, tensor<1x1xi8>, tensor<4xf32, #npu.layout<Tensor>>, tensor<4xi8>, tensor<f32, #npu.layout<Tensor>>, tensor<i16>, tensor<4xi32>) -> tensor<1x4x6x6xi16, #npu.layout<NCHW>>
  return
}

/// Four bits, groups, and declared layouts.
// CHECK-LABEL: func.func @uncoloured(
func.func @uncoloured(%x: tensor<1x4x8x8xi4>, %w: tensor<6x2x3x3xi4>, %scale: tensor<f16>, %zero: tensor<i4>, %zeros: tensor<6xi4>) {
  // CHECK-NEXT: %a = npu.quant_conv2d %x, %w, %scale, %zero, %scale, %zeros, %scale, %zero groups = 2 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x8x8xi4>, tensor<6x2x3x3xi4>, tensor<f16>, tensor<i4>, tensor<f16>, tensor<6xi4>, tensor<f16>, tensor<i4>) -> tensor<1x6x6x6xi4>
  %a = npu.quant_conv2d %x, %w, %scale, %zero, %scale, %zeros, %scale, %zero groups = 2 data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x8x8xi4>, tensor<6x2x3x3xi4>, tensor<f16>, tensor<i4>, tensor<f16>, tensor<6xi4>, tensor<f16>, tensor<i4>) -> tensor<1x6x6x6xi4>
  return
}

/// The sum without requantisation is an i32.
// CHECK-LABEL: func.func @integer(
func.func @integer(
  %x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %zero: tensor<ui8>, %wz: tensor<i8>, %wzs: tensor<4xi8>
) {
  // CHECK-NEXT: %a = npu.conv2d_integer %x, %w, %zero, %wz : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<ui8>, tensor<i8>) -> tensor<1x6x6x4xi32, #npu.layout<NHWC>>
  %a = npu.conv2d_integer %x, %w, %zero, %wz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<ui8>, tensor<i8>) -> tensor<1x6x6x4xi32, #npu.layout<NHWC>>
  // CHECK-NEXT: %b = npu.conv2d_integer %x, %w, %zero, %wzs strides = [1, 2] pads = [0, 1, 0, 0] data_layout = <NHWC> kernel_layout = <HWOI> : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<ui8>, tensor<4xi8>) -> tensor<1x6x4x4xi32, #npu.layout<NHWC>>
  %b = npu.conv2d_integer %x, %w, %zero, %wzs strides = [1, 2] pads = [0, 1, 0, 0] groups = 1 data_layout = <NHWC> kernel_layout = <HWOI>
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<ui8>, tensor<4xi8>) -> tensor<1x6x4x4xi32, #npu.layout<NHWC>>
  return
}

/// Dynamic and zero sizes.
// CHECK-LABEL: func.func @sizes(
func.func @sizes(
  %x: tensor<?x?x?x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x?x3xi8, #npu.layout<HWOI>>, %zero: tensor<ui8>, %wzs: tensor<?xi8>,
  %none: tensor<0x8x8x3xui8, #npu.layout<NHWC>>
) {
  // CHECK-NEXT: %a = npu.conv2d_integer %x, %w, %zero, %wzs : (tensor<?x?x?x3xui8, #npu.layout<NHWC>>, tensor<3x3x?x3xi8, #npu.layout<HWOI>>, tensor<ui8>, tensor<?xi8>) -> tensor<?x?x?x?xi32, #npu.layout<NHWC>>
  %a = npu.conv2d_integer %x, %w, %zero, %wzs
    : (tensor<?x?x?x3xui8, #npu.layout<NHWC>>, tensor<3x3x?x3xi8, #npu.layout<HWOI>>, tensor<ui8>, tensor<?xi8>) -> tensor<?x?x?x?xi32, #npu.layout<NHWC>>
  // CHECK-NEXT: %b = npu.conv2d_integer %none, %w, %zero, %wzs : (tensor<0x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x?x3xi8, #npu.layout<HWOI>>, tensor<ui8>, tensor<?xi8>) -> tensor<0x6x6x4xi32, #npu.layout<NHWC>>
  %b = npu.conv2d_integer %none, %w, %zero, %wzs
    : (tensor<0x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x?x3xi8, #npu.layout<HWOI>>, tensor<ui8>, tensor<?xi8>) -> tensor<0x6x6x4xi32, #npu.layout<NHWC>>
  return
}
