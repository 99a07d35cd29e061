// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// In an uncoloured program the op declares the layouts of its operands.
// CHECK-LABEL: func.func @uncoloured(
func.func @uncoloured(%x: tensor<1x16x8x8xf32>, %x_last: tensor<1x8x8x16xf32>, %w: tensor<32x16x3x3xf32>, %b: tensor<32xf32>) {
  // CHECK-NEXT: %nchw = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x6x6xf32>
  %nchw = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x6x6xf32>
  // CHECK-NEXT: %nhwc = npu.conv2d %x_last, %w data_layout = <NHWC> kernel_layout = <OIHW> : (tensor<1x8x8x16xf32>, tensor<32x16x3x3xf32>) -> tensor<1x6x6x32xf32>
  %nhwc = npu.conv2d %x_last, %w data_layout = <NHWC> kernel_layout = <OIHW>
    : (tensor<1x8x8x16xf32>, tensor<32x16x3x3xf32>) -> tensor<1x6x6x32xf32>
  // CHECK-NEXT: %bias = npu.conv2d %x, %w, %b data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>, tensor<32xf32>) -> tensor<1x32x6x6xf32>
  %bias = npu.conv2d %x, %w, %b data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>, tensor<32xf32>) -> tensor<1x32x6x6xf32>
  return
}

/// In a coloured program the types have the layouts: exported orders, those of hardware, and unusual ones.
// CHECK-LABEL: func.func @coloured(
func.func @coloured(
  %nchw: tensor<1x16x8x9xf32, #npu.layout<NCHW>>, %oihw: tensor<32x16x3x2xf32, #npu.layout<OIHW>>,
  %nhwc: tensor<1x8x9x16xf32, #npu.layout<NHWC>>, %hwoi: tensor<3x2x32x16xf32, #npu.layout<HWOI>>,
  %wchn: tensor<9x16x8x1xf32, #npu.layout<WCHN>>, %iwoh: tensor<16x2x32x3xf32, #npu.layout<IWOH>>,
  %b: tensor<32xf32, #npu.layout<Tensor>>
) {
  // CHECK-NEXT: %a = npu.conv2d %nchw, %oihw : (tensor<1x16x8x9xf32, #npu.layout<NCHW>>, tensor<32x16x3x2xf32, #npu.layout<OIHW>>) -> tensor<1x32x6x8xf32, #npu.layout<NCHW>>
  %a = npu.conv2d %nchw, %oihw
    : (tensor<1x16x8x9xf32, #npu.layout<NCHW>>, tensor<32x16x3x2xf32, #npu.layout<OIHW>>) -> tensor<1x32x6x8xf32, #npu.layout<NCHW>>
  // CHECK-NEXT: %c = npu.conv2d %nhwc, %hwoi, %b : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<3x2x32x16xf32, #npu.layout<HWOI>>, tensor<32xf32, #npu.layout<Tensor>>) -> tensor<1x6x8x32xf32, #npu.layout<NHWC>>
  %c = npu.conv2d %nhwc, %hwoi, %b
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<3x2x32x16xf32, #npu.layout<HWOI>>, tensor<32xf32, #npu.layout<Tensor>>) -> tensor<1x6x8x32xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %d = npu.conv2d %wchn, %iwoh : (tensor<9x16x8x1xf32, #npu.layout<WCHN>>, tensor<16x2x32x3xf32, #npu.layout<IWOH>>) -> tensor<8x32x6x1xf32, #npu.layout<WCHN>>
  %d = npu.conv2d %wchn, %iwoh
    : (tensor<9x16x8x1xf32, #npu.layout<WCHN>>, tensor<16x2x32x3xf32, #npu.layout<IWOH>>) -> tensor<8x32x6x1xf32, #npu.layout<WCHN>>
  // CHECK-NEXT: %e = npu.conv2d %nchw, %hwoi : (tensor<1x16x8x9xf32, #npu.layout<NCHW>>, tensor<3x2x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x32x6x8xf32, #npu.layout<NCHW>>
  %e = npu.conv2d %nchw, %hwoi
    : (tensor<1x16x8x9xf32, #npu.layout<NCHW>>, tensor<3x2x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x32x6x8xf32, #npu.layout<NCHW>>
  return
}

/// Type and attribute may both have a layout if they agree, independently for data and kernel.
// CHECK-LABEL: func.func @both(
func.func @both(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>, %plain: tensor<32x16x3x3xf32>) {
  // CHECK-NEXT: %agree = npu.conv2d %x, %w data_layout = <NHWC> kernel_layout = <HWOI> : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  %agree = npu.conv2d %x, %w data_layout = <NHWC> kernel_layout = <HWOI>
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %kernel = npu.conv2d %x, %plain kernel_layout = <OIHW> : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<32x16x3x3xf32>) -> tensor<1x6x6x32xf32>
  %kernel = npu.conv2d %x, %plain kernel_layout = <OIHW>
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<32x16x3x3xf32>) -> tensor<1x6x6x32xf32>
  return
}

/// Lists are in the order D, H, W in all layouts: a stride of 2 along H and 1 along W halves the third axis of NCHW and the second of NHWC.
// CHECK-LABEL: func.func @window(
func.func @window(
  %nchw: tensor<1x4x8x8xf32, #npu.layout<NCHW>>, %nhwc: tensor<1x8x8x4xf32, #npu.layout<NHWC>>, %w: tensor<3x3x2x4xf32, #npu.layout<HWOI>>
) {
  // CHECK-NEXT: %a = npu.conv2d %nchw, %w strides = [2, 1] pads = [1, 1, 1, 1] : (tensor<1x4x8x8xf32, #npu.layout<NCHW>>, tensor<3x3x2x4xf32, #npu.layout<HWOI>>) -> tensor<1x2x4x8xf32, #npu.layout<NCHW>>
  %a = npu.conv2d %nchw, %w strides = [2, 1] pads = [1, 1, 1, 1]
    : (tensor<1x4x8x8xf32, #npu.layout<NCHW>>, tensor<3x3x2x4xf32, #npu.layout<HWOI>>) -> tensor<1x2x4x8xf32, #npu.layout<NCHW>>
  // CHECK-NEXT: %b = npu.conv2d %nhwc, %w strides = [2, 1] pads = [1, 1, 1, 1] : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x2x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x8x2xf32, #npu.layout<NHWC>>
  %b = npu.conv2d %nhwc, %w strides = [2, 1] pads = [1, 1, 1, 1]
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x2x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x8x2xf32, #npu.layout<NHWC>>
  /// Pads: before H, before W, after H, after W.
  // CHECK-NEXT: %c = npu.conv2d %nhwc, %w pads = [0, 1, 2, 3] : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x2x4xf32, #npu.layout<HWOI>>) -> tensor<1x8x10x2xf32, #npu.layout<NHWC>>
  %c = npu.conv2d %nhwc, %w pads = [0, 1, 2, 3]
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x2x4xf32, #npu.layout<HWOI>>) -> tensor<1x8x10x2xf32, #npu.layout<NHWC>>
  /// With a dilation of 3 a window of 3 covers 7 elements.
  // CHECK-NEXT: %d = npu.conv2d %nhwc, %w dilations = [3, 1] : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x2x4xf32, #npu.layout<HWOI>>) -> tensor<1x2x6x2xf32, #npu.layout<NHWC>>
  %d = npu.conv2d %nhwc, %w dilations = [3, 1]
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x2x4xf32, #npu.layout<HWOI>>) -> tensor<1x2x6x2xf32, #npu.layout<NHWC>>
  /// Lists of defaults are kept; `groups = 1` is not printed.
  // CHECK-NEXT: %e = npu.conv2d %nhwc, %w strides = [1, 1] dilations = [1, 1] pads = [0, 0, 0, 0] : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x2x4xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x2xf32, #npu.layout<NHWC>>
  %e = npu.conv2d %nhwc, %w strides = [1, 1] dilations = [1, 1] pads = [0, 0, 0, 0] groups = 1
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x2x4xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x2xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %f = npu.conv2d %nhwc, %w strides = [2, 3] dilations = [2, 1] pads = [1, 0, 1, 0] {tag = "kept"} : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x2x4xf32, #npu.layout<HWOI>>) -> tensor<1x3x2x2xf32, #npu.layout<NHWC>>
  %f = npu.conv2d %nhwc, %w strides = [2, 3] dilations = [2, 1] pads = [1, 0, 1, 0] {tag = "kept"}
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x2x4xf32, #npu.layout<HWOI>>) -> tensor<1x3x2x2xf32, #npu.layout<NHWC>>
  return
}

/// In groups each output channel depends on the input channels of its group: two groups, and one group per channel.
// CHECK-LABEL: func.func @groups(
func.func @groups(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>, %w: tensor<3x3x6x2xf32, #npu.layout<HWOI>>, %depthwise: tensor<4x1x3x3xf32, #npu.layout<OIHW>>) {
  // CHECK-NEXT: %a = npu.conv2d %x, %w groups = 2 : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x6x2xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x6xf32, #npu.layout<NHWC>>
  %a = npu.conv2d %x, %w groups = 2
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x6x2xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x6xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %b = npu.conv2d %x, %depthwise groups = 4 : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<4x1x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
  %b = npu.conv2d %x, %depthwise groups = 4
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<4x1x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
  return
}

/// 1-D and 3-D data.
// CHECK-LABEL: func.func @ranks(
func.func @ranks(
  %ncw: tensor<2x3x9xf16, #npu.layout<NCW>>, %oiw: tensor<4x3x2xf16, #npu.layout<OIW>>,
  %ndhwc: tensor<1x4x8x8x3xbf16, #npu.layout<NDHWC>>, %dhwoi: tensor<1x3x3x6x3xbf16, #npu.layout<DHWOI>>
) {
  // CHECK-NEXT: %a = npu.conv1d %ncw, %oiw strides = [3] pads = [1, 0] : (tensor<2x3x9xf16, #npu.layout<NCW>>, tensor<4x3x2xf16, #npu.layout<OIW>>) -> tensor<2x4x3xf16, #npu.layout<NCW>>
  %a = npu.conv1d %ncw, %oiw strides = [3] pads = [1, 0]
    : (tensor<2x3x9xf16, #npu.layout<NCW>>, tensor<4x3x2xf16, #npu.layout<OIW>>) -> tensor<2x4x3xf16, #npu.layout<NCW>>
  // CHECK-NEXT: %b = npu.conv3d %ndhwc, %dhwoi strides = [4, 2, 1] pads = [0, 1, 2, 0, 1, 2] : (tensor<1x4x8x8x3xbf16, #npu.layout<NDHWC>>, tensor<1x3x3x6x3xbf16, #npu.layout<DHWOI>>) -> tensor<1x1x4x10x6xbf16, #npu.layout<NDHWC>>
  %b = npu.conv3d %ndhwc, %dhwoi strides = [4, 2, 1] pads = [0, 1, 2, 0, 1, 2]
    : (tensor<1x4x8x8x3xbf16, #npu.layout<NDHWC>>, tensor<1x3x3x6x3xbf16, #npu.layout<DHWOI>>) -> tensor<1x1x4x10x6xbf16, #npu.layout<NDHWC>>
  return
}

/// Other element types: integers and doubles.
// CHECK-LABEL: func.func @elements(
func.func @elements(%i: tensor<1x2x4x4xi32>, %iw: tensor<3x2x1x1xi32>, %d: tensor<1x2x4x4xf64>, %dw: tensor<3x2x1x1xf64>) {
  // CHECK-NEXT: %a = npu.conv2d %i, %iw data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x2x4x4xi32>, tensor<3x2x1x1xi32>) -> tensor<1x3x4x4xi32>
  %a = npu.conv2d %i, %iw data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x2x4x4xi32>, tensor<3x2x1x1xi32>) -> tensor<1x3x4x4xi32>
  // CHECK-NEXT: %b = npu.conv2d %d, %dw data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x2x4x4xf64>, tensor<3x2x1x1xf64>) -> tensor<1x3x4x4xf64>
  %b = npu.conv2d %d, %dw data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x2x4x4xf64>, tensor<3x2x1x1xf64>) -> tensor<1x3x4x4xf64>
  return
}

/// Dynamic sizes agree with any size; static ones are checked.
// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(%x: tensor<?x?x?x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x?x16xf32, #npu.layout<HWOI>>, %unknown: tensor<?x?x?x?xf32, #npu.layout<HWOI>>, %b: tensor<?xf32>) {
  // CHECK-NEXT: %a = npu.conv2d %x, %w : (tensor<?x?x?x16xf32, #npu.layout<NHWC>>, tensor<3x3x?x16xf32, #npu.layout<HWOI>>) -> tensor<?x?x?x?xf32, #npu.layout<NHWC>>
  %a = npu.conv2d %x, %w : (tensor<?x?x?x16xf32, #npu.layout<NHWC>>, tensor<3x3x?x16xf32, #npu.layout<HWOI>>) -> tensor<?x?x?x?xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %c = npu.conv2d %x, %unknown, %b groups = 4 : (tensor<?x?x?x16xf32, #npu.layout<NHWC>>, tensor<?x?x?x?xf32, #npu.layout<HWOI>>, tensor<?xf32>) -> tensor<2x4x4x8xf32, #npu.layout<NHWC>>
  %c = npu.conv2d %x, %unknown, %b groups = 4
    : (tensor<?x?x?x16xf32, #npu.layout<NHWC>>, tensor<?x?x?x?xf32, #npu.layout<HWOI>>, tensor<?xf32>) -> tensor<2x4x4x8xf32, #npu.layout<NHWC>>
  return
}

/// No images, no channels, and a window larger than the data: the result has no elements.
// CHECK-LABEL: func.func @zero(
func.func @zero(
  %none: tensor<0x8x8x4xf32, #npu.layout<NHWC>>, %w: tensor<3x3x2x4xf32, #npu.layout<HWOI>>,
  %empty: tensor<1x8x8x0xf32, #npu.layout<NHWC>>, %w0: tensor<3x3x2x0xf32, #npu.layout<HWOI>>, %small: tensor<1x2x2x4xf32, #npu.layout<NHWC>>
) {
  // CHECK-NEXT: %a = npu.conv2d %none, %w : (tensor<0x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x2x4xf32, #npu.layout<HWOI>>) -> tensor<0x6x6x2xf32, #npu.layout<NHWC>>
  %a = npu.conv2d %none, %w : (tensor<0x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x2x4xf32, #npu.layout<HWOI>>) -> tensor<0x6x6x2xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %b = npu.conv2d %empty, %w0 : (tensor<1x8x8x0xf32, #npu.layout<NHWC>>, tensor<3x3x2x0xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x2xf32, #npu.layout<NHWC>>
  %b = npu.conv2d %empty, %w0 : (tensor<1x8x8x0xf32, #npu.layout<NHWC>>, tensor<3x3x2x0xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x2xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %c = npu.conv2d %small, %w : (tensor<1x2x2x4xf32, #npu.layout<NHWC>>, tensor<3x3x2x4xf32, #npu.layout<HWOI>>) -> tensor<1x0x0x2xf32, #npu.layout<NHWC>>
  %c = npu.conv2d %small, %w : (tensor<1x2x2x4xf32, #npu.layout<NHWC>>, tensor<3x3x2x4xf32, #npu.layout<HWOI>>) -> tensor<1x0x0x2xf32, #npu.layout<NHWC>>
  return
}
