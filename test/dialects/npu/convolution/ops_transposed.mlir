// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// The kernel is that of the forward convolution: its O are the channels of the data, its I those of the result.
// CHECK-LABEL: func.func @kernel(
func.func @kernel(%x: tensor<1x4x6xf32>, %w: tensor<4x3x2xf32>, %b: tensor<3xf32>) {
  // CHECK-NEXT: %y = npu.conv_transpose1d %x, %w data_layout = <NCW> kernel_layout = <OIW> : (tensor<1x4x6xf32>, tensor<4x3x2xf32>) -> tensor<1x3x7xf32>
  %y = npu.conv_transpose1d %x, %w data_layout = <NCW> kernel_layout = <OIW> : (tensor<1x4x6xf32>, tensor<4x3x2xf32>) -> tensor<1x3x7xf32>
  // CHECK-NEXT: %z = npu.conv_transpose1d %x, %w, %b strides = [2] data_layout = <NCW> kernel_layout = <OIW> : (tensor<1x4x6xf32>, tensor<4x3x2xf32>, tensor<3xf32>) -> tensor<1x3x12xf32>
  %z = npu.conv_transpose1d %x, %w, %b strides = [2] data_layout = <NCW> kernel_layout = <OIW>
    : (tensor<1x4x6xf32>, tensor<4x3x2xf32>, tensor<3xf32>) -> tensor<1x3x12xf32>
  return
}

/// All attributes. Pads are removed from the result, output pads are added at its end.
// CHECK-LABEL: func.func @attributes(
func.func @attributes(%x: tensor<1x4x5x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>) {
  // CHECK-NEXT: %a = npu.conv_transpose2d %x, %w strides = [2, 3] pads = [1, 0, 2, 1] : (tensor<1x4x5x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x14x16xf32, #npu.layout<NHWC>>
  %a = npu.conv_transpose2d %x, %w strides = [2, 3] pads = [1, 0, 2, 1]
    : (tensor<1x4x5x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x14x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %b = npu.conv_transpose2d %x, %w strides = [2, 2] dilations = [1, 2] pads = [1, 1, 1, 1] output_pads = [1, 0] groups = 2 : (tensor<1x4x5x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x8x11x32xf32, #npu.layout<NHWC>>
  %b = npu.conv_transpose2d %x, %w strides = [2, 2] dilations = [1, 2] pads = [1, 1, 1, 1] output_pads = [1, 0] groups = 2
    : (tensor<1x4x5x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x8x11x32xf32, #npu.layout<NHWC>>
  return
}

/// Any order; lists are in the order D, H, W.
// CHECK-LABEL: func.func @orders(
func.func @orders(
  %nchw: tensor<1x8x4x5xf32, #npu.layout<NCHW>>, %oihw: tensor<8x16x3x2xf32, #npu.layout<OIHW>>,
  %cwnh: tensor<8x5x1x4xf32, #npu.layout<CWNH>>, %woih: tensor<2x8x16x3xf32, #npu.layout<WOIH>>,
  %ndhwc: tensor<1x2x3x4x8xf32, #npu.layout<NDHWC>>, %dhwoi: tensor<2x2x2x8x3xf32, #npu.layout<DHWOI>>
) {
  // CHECK-NEXT: %a = npu.conv_transpose2d %nchw, %oihw strides = [2, 1] : (tensor<1x8x4x5xf32, #npu.layout<NCHW>>, tensor<8x16x3x2xf32, #npu.layout<OIHW>>) -> tensor<1x16x9x6xf32, #npu.layout<NCHW>>
  %a = npu.conv_transpose2d %nchw, %oihw strides = [2, 1]
    : (tensor<1x8x4x5xf32, #npu.layout<NCHW>>, tensor<8x16x3x2xf32, #npu.layout<OIHW>>) -> tensor<1x16x9x6xf32, #npu.layout<NCHW>>
  // CHECK-NEXT: %b = npu.conv_transpose2d %cwnh, %woih strides = [2, 1] : (tensor<8x5x1x4xf32, #npu.layout<CWNH>>, tensor<2x8x16x3xf32, #npu.layout<WOIH>>) -> tensor<16x6x1x9xf32, #npu.layout<CWNH>>
  %b = npu.conv_transpose2d %cwnh, %woih strides = [2, 1]
    : (tensor<8x5x1x4xf32, #npu.layout<CWNH>>, tensor<2x8x16x3xf32, #npu.layout<WOIH>>) -> tensor<16x6x1x9xf32, #npu.layout<CWNH>>
  // CHECK-NEXT: %c = npu.conv_transpose3d %ndhwc, %dhwoi strides = [2, 1, 3] output_pads = [0, 0, 1] : (tensor<1x2x3x4x8xf32, #npu.layout<NDHWC>>, tensor<2x2x2x8x3xf32, #npu.layout<DHWOI>>) -> tensor<1x4x4x12x3xf32, #npu.layout<NDHWC>>
  %c = npu.conv_transpose3d %ndhwc, %dhwoi strides = [2, 1, 3] output_pads = [0, 0, 1]
    : (tensor<1x2x3x4x8xf32, #npu.layout<NDHWC>>, tensor<2x2x2x8x3xf32, #npu.layout<DHWOI>>) -> tensor<1x4x4x12x3xf32, #npu.layout<NDHWC>>
  return
}

/// Dynamic and zero sizes; pads may remove all elements.
// CHECK-LABEL: func.func @sizes(
func.func @sizes(
  %dynamic: tensor<?x?x?x8xf32, #npu.layout<NHWC>>, %w: tensor<?x3x8x?xf32, #npu.layout<HWOI>>,
  %none: tensor<0x4x4x8xf32, #npu.layout<NHWC>>, %w3: tensor<3x3x8x2xf32, #npu.layout<HWOI>>, %one: tensor<1x1x1x8xf32, #npu.layout<NHWC>>
) {
  // CHECK-NEXT: %a = npu.conv_transpose2d %dynamic, %w : (tensor<?x?x?x8xf32, #npu.layout<NHWC>>, tensor<?x3x8x?xf32, #npu.layout<HWOI>>) -> tensor<?x?x?x?xf32, #npu.layout<NHWC>>
  %a = npu.conv_transpose2d %dynamic, %w : (tensor<?x?x?x8xf32, #npu.layout<NHWC>>, tensor<?x3x8x?xf32, #npu.layout<HWOI>>) -> tensor<?x?x?x?xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %b = npu.conv_transpose2d %none, %w3 : (tensor<0x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x2xf32, #npu.layout<HWOI>>) -> tensor<0x6x6x2xf32, #npu.layout<NHWC>>
  %b = npu.conv_transpose2d %none, %w3 : (tensor<0x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x2xf32, #npu.layout<HWOI>>) -> tensor<0x6x6x2xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %c = npu.conv_transpose2d %one, %w3 pads = [2, 1, 2, 1] : (tensor<1x1x1x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x2xf32, #npu.layout<HWOI>>) -> tensor<1x0x1x2xf32, #npu.layout<NHWC>>
  %c = npu.conv_transpose2d %one, %w3 pads = [2, 1, 2, 1] : (tensor<1x1x1x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x2xf32, #npu.layout<HWOI>>) -> tensor<1x0x1x2xf32, #npu.layout<NHWC>>
  return
}
