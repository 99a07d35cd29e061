// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// The gradient with respect to the feature map: its size is that of the type, because the gradient does not determine it.
// CHECK-LABEL: func.func @activation(
func.func @activation(%dy: tensor<1x4x4x32xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  // CHECK-NEXT: %a = npu.conv2d_bpa %dy, %w strides = [2, 2] pads = [1, 1, 1, 1] : (tensor<1x4x4x32xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x7x7x16xf32, #npu.layout<NHWC>>
  %a = npu.conv2d_bpa %dy, %w strides = [2, 2] pads = [1, 1, 1, 1]
    : (tensor<1x4x4x32xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x7x7x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %b = npu.conv2d_bpa %dy, %w strides = [2, 2] pads = [1, 1, 1, 1] : (tensor<1x4x4x32xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  %b = npu.conv2d_bpa %dy, %w strides = [2, 2] pads = [1, 1, 1, 1]
    : (tensor<1x4x4x32xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

/// The gradient with respect to the kernel is of class Weight, so it is a kernel in any of a kernel's orders.
// CHECK-LABEL: func.func @kernel(
func.func @kernel(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %dy: tensor<1x8x8x32xf32, #npu.layout<NHWC>>) {
  // CHECK-NEXT: %hwoi = npu.conv2d_bpw %x, %dy pads = [1, 1, 1, 1] : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x8x8x32xf32, #npu.layout<NHWC>>) -> tensor<3x3x32x16xf32, #npu.layout<HWOI>>
  %hwoi = npu.conv2d_bpw %x, %dy pads = [1, 1, 1, 1]
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x8x8x32xf32, #npu.layout<NHWC>>) -> tensor<3x3x32x16xf32, #npu.layout<HWOI>>
  // CHECK-NEXT: %oihw = npu.conv2d_bpw %x, %dy pads = [1, 0, 1, 0] : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x8x8x32xf32, #npu.layout<NHWC>>) -> tensor<32x16x3x1xf32, #npu.layout<OIHW>>
  %oihw = npu.conv2d_bpw %x, %dy pads = [1, 0, 1, 0]
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x8x8x32xf32, #npu.layout<NHWC>>) -> tensor<32x16x3x1xf32, #npu.layout<OIHW>>
  return
}

/// All attributes, and declared layouts. With a dilation of 2 a window of 2 covers 3 elements.
// CHECK-LABEL: func.func @attributes(
func.func @attributes(%dy: tensor<2x6x3x6xf32>, %w: tensor<6x2x2x1xf32>, %x: tensor<2x4x8x6xf32>) {
  // CHECK-NEXT: %a = npu.conv2d_bpa %dy, %w strides = [3, 1] dilations = [2, 1] pads = [1, 0, 2, 0] groups = 2 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<2x6x3x6xf32>, tensor<6x2x2x1xf32>) -> tensor<2x4x8x6xf32>
  %a = npu.conv2d_bpa %dy, %w strides = [3, 1] dilations = [2, 1] pads = [1, 0, 2, 0] groups = 2 data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<2x6x3x6xf32>, tensor<6x2x2x1xf32>) -> tensor<2x4x8x6xf32>
  // CHECK-NEXT: %b = npu.conv2d_bpw %x, %dy strides = [3, 1] dilations = [2, 1] pads = [1, 0, 2, 0] groups = 2 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<2x4x8x6xf32>, tensor<2x6x3x6xf32>) -> tensor<6x2x2x1xf32>
  %b = npu.conv2d_bpw %x, %dy strides = [3, 1] dilations = [2, 1] pads = [1, 0, 2, 0] groups = 2 data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<2x4x8x6xf32>, tensor<2x6x3x6xf32>) -> tensor<6x2x2x1xf32>
  return
}

/// Dynamic and zero sizes; sizes that are in the type only are static.
// CHECK-LABEL: func.func @sizes(
func.func @sizes(%dy: tensor<?x?x?x32xf16, #npu.layout<NHWC>>, %w: tensor<?x?x32x?xf16, #npu.layout<HWOI>>, %x: tensor<?x?x?x16xf16, #npu.layout<NHWC>>, %none: tensor<0x6x6x32xf16, #npu.layout<NHWC>>, %w3: tensor<3x3x32x4xf16, #npu.layout<HWOI>>) {
  // CHECK-NEXT: %a = npu.conv2d_bpa %dy, %w : (tensor<?x?x?x32xf16, #npu.layout<NHWC>>, tensor<?x?x32x?xf16, #npu.layout<HWOI>>) -> tensor<?x8x8x?xf16, #npu.layout<NHWC>>
  %a = npu.conv2d_bpa %dy, %w : (tensor<?x?x?x32xf16, #npu.layout<NHWC>>, tensor<?x?x32x?xf16, #npu.layout<HWOI>>) -> tensor<?x8x8x?xf16, #npu.layout<NHWC>>
  // CHECK-NEXT: %b = npu.conv2d_bpw %x, %dy : (tensor<?x?x?x16xf16, #npu.layout<NHWC>>, tensor<?x?x?x32xf16, #npu.layout<NHWC>>) -> tensor<3x3x?x16xf16, #npu.layout<HWOI>>
  %b = npu.conv2d_bpw %x, %dy : (tensor<?x?x?x16xf16, #npu.layout<NHWC>>, tensor<?x?x?x32xf16, #npu.layout<NHWC>>) -> tensor<3x3x?x16xf16, #npu.layout<HWOI>>
  // CHECK-NEXT: %c = npu.conv2d_bpa %none, %w3 : (tensor<0x6x6x32xf16, #npu.layout<NHWC>>, tensor<3x3x32x4xf16, #npu.layout<HWOI>>) -> tensor<0x8x8x4xf16, #npu.layout<NHWC>>
  %c = npu.conv2d_bpa %none, %w3 : (tensor<0x6x6x32xf16, #npu.layout<NHWC>>, tensor<3x3x32x4xf16, #npu.layout<HWOI>>) -> tensor<0x8x8x4xf16, #npu.layout<NHWC>>
  return
}
