// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// In an uncoloured program the op declares the layout.
// CHECK-LABEL: func.func @uncoloured(
func.func @uncoloured(%x: tensor<1x16x8x8xf32>, %x_last: tensor<1x8x8x16xf32>) {
  // CHECK-NEXT: %nchw = npu.max_pool %x window = [2, 2] data_layout = <NCHW> : (tensor<1x16x8x8xf32>) -> tensor<1x16x7x7xf32>
  %nchw = npu.max_pool %x window = [2, 2] data_layout = <NCHW> : (tensor<1x16x8x8xf32>) -> tensor<1x16x7x7xf32>
  // CHECK-NEXT: %nhwc = npu.avg_pool %x_last window = [2, 2] data_layout = <NHWC> : (tensor<1x8x8x16xf32>) -> tensor<1x7x7x16xf32>
  %nhwc = npu.avg_pool %x_last window = [2, 2] data_layout = <NHWC> : (tensor<1x8x8x16xf32>) -> tensor<1x7x7x16xf32>
  // CHECK-NEXT: %max = npu.global_max_pool %x data_layout = <NCHW> : (tensor<1x16x8x8xf32>) -> tensor<1x16x1x1xf32>
  %max = npu.global_max_pool %x data_layout = <NCHW> : (tensor<1x16x8x8xf32>) -> tensor<1x16x1x1xf32>
  // CHECK-NEXT: %avg = npu.global_avg_pool %x_last data_layout = <NHWC> : (tensor<1x8x8x16xf32>) -> tensor<1x1x1x16xf32>
  %avg = npu.global_avg_pool %x_last data_layout = <NHWC> : (tensor<1x8x8x16xf32>) -> tensor<1x1x1x16xf32>
  return
}

/// In a coloured program the types have the layout, at every rank; the window is written H, W in all of them.
// CHECK-LABEL: func.func @coloured(
func.func @coloured(
  %x: tensor<1x16x8x9xf32, #npu.layout<NCHW>>, %x_last: tensor<1x8x9x16xf32, #npu.layout<NHWC>>,
  %odd: tensor<9x16x8x1xf32, #npu.layout<WCHN>>, %line: tensor<1x9x16xf32, #npu.layout<NWC>>,
  %volume: tensor<1x5x6x7x16xf32, #npu.layout<NDHWC>>
) {
  // CHECK-NEXT: %nchw = npu.max_pool %x window = [3, 2] : (tensor<1x16x8x9xf32, #npu.layout<NCHW>>) -> tensor<1x16x6x8xf32, #npu.layout<NCHW>>
  %nchw = npu.max_pool %x window = [3, 2]
    : (tensor<1x16x8x9xf32, #npu.layout<NCHW>>) -> tensor<1x16x6x8xf32, #npu.layout<NCHW>>
  // CHECK-NEXT: %nhwc = npu.max_pool %x_last window = [3, 2] : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x6x8x16xf32, #npu.layout<NHWC>>
  %nhwc = npu.max_pool %x_last window = [3, 2]
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x6x8x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %wchn = npu.avg_pool %odd window = [3, 2] : (tensor<9x16x8x1xf32, #npu.layout<WCHN>>) -> tensor<8x16x6x1xf32, #npu.layout<WCHN>>
  %wchn = npu.avg_pool %odd window = [3, 2]
    : (tensor<9x16x8x1xf32, #npu.layout<WCHN>>) -> tensor<8x16x6x1xf32, #npu.layout<WCHN>>
  // CHECK-NEXT: %nwc = npu.avg_pool %line window = [4] : (tensor<1x9x16xf32, #npu.layout<NWC>>) -> tensor<1x6x16xf32, #npu.layout<NWC>>
  %nwc = npu.avg_pool %line window = [4] : (tensor<1x9x16xf32, #npu.layout<NWC>>) -> tensor<1x6x16xf32, #npu.layout<NWC>>
  // CHECK-NEXT: %ndhwc = npu.max_pool %volume window = [2, 3, 4] : (tensor<1x5x6x7x16xf32, #npu.layout<NDHWC>>) -> tensor<1x4x4x4x16xf32, #npu.layout<NDHWC>>
  %ndhwc = npu.max_pool %volume window = [2, 3, 4]
    : (tensor<1x5x6x7x16xf32, #npu.layout<NDHWC>>) -> tensor<1x4x4x4x16xf32, #npu.layout<NDHWC>>
  // CHECK-NEXT: %max = npu.global_max_pool %volume : (tensor<1x5x6x7x16xf32, #npu.layout<NDHWC>>) -> tensor<1x1x1x1x16xf32, #npu.layout<NDHWC>>
  %max = npu.global_max_pool %volume
    : (tensor<1x5x6x7x16xf32, #npu.layout<NDHWC>>) -> tensor<1x1x1x1x16xf32, #npu.layout<NDHWC>>
  // CHECK-NEXT: %avg = npu.global_avg_pool %odd : (tensor<9x16x8x1xf32, #npu.layout<WCHN>>) -> tensor<1x16x1x1xf32, #npu.layout<WCHN>>
  %avg = npu.global_avg_pool %odd : (tensor<9x16x8x1xf32, #npu.layout<WCHN>>) -> tensor<1x16x1x1xf32, #npu.layout<WCHN>>
  /// Type and attribute may both have the layout if they agree.
  // CHECK-NEXT: %both = npu.global_avg_pool %line data_layout = <NWC> : (tensor<1x9x16xf32, #npu.layout<NWC>>) -> tensor<1x1x16xf32, #npu.layout<NWC>>
  %both = npu.global_avg_pool %line data_layout = <NWC>
    : (tensor<1x9x16xf32, #npu.layout<NWC>>) -> tensor<1x1x16xf32, #npu.layout<NWC>>
  return
}

/// Strides, dilations and pads. Lists are in the order H, W; pads are before H, before W, after H, after W.
// CHECK-LABEL: func.func @window(
func.func @window(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) {
  // CHECK-NEXT: %strides = npu.max_pool %x window = [2, 2] strides = [2, 1] : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x7x4xf32, #npu.layout<NHWC>>
  %strides = npu.max_pool %x window = [2, 2] strides = [2, 1]
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x7x4xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %dilations = npu.max_pool %x window = [2, 2] dilations = [1, 3] : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x7x5x4xf32, #npu.layout<NHWC>>
  %dilations = npu.max_pool %x window = [2, 2] dilations = [1, 3]
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x7x5x4xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %pads = npu.max_pool %x window = [2, 2] pads = [0, 1, 2, 3] : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x9x11x4xf32, #npu.layout<NHWC>>
  %pads = npu.max_pool %x window = [2, 2] pads = [0, 1, 2, 3]
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x9x11x4xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %all = npu.max_pool %x window = [3, 3] strides = [2, 2] dilations = [2, 1] pads = [1, 0, 1, 0] {tag = "kept"} : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x3x3x4xf32, #npu.layout<NHWC>>
  %all = npu.max_pool %x window = [3, 3] strides = [2, 2] dilations = [2, 1] pads = [1, 0, 1, 0] {tag = "kept"}
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x3x3x4xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %counted = npu.avg_pool %x window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] ceil count_padding : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x5x5x4xf32, #npu.layout<NHWC>>
  %counted = npu.avg_pool %x window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] ceil count_padding
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x5x5x4xf32, #npu.layout<NHWC>>
  /// A window larger than the data has no position.
  // CHECK-NEXT: %none = npu.max_pool %x window = [9, 1] : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x0x8x4xf32, #npu.layout<NHWC>>
  %none = npu.max_pool %x window = [9, 1] : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x0x8x4xf32, #npu.layout<NHWC>>
  return
}

/// The number of positions is rounded down, or up with `ceil`.
// CHECK-LABEL: func.func @ceil(
func.func @ceil(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) {
  // CHECK-NEXT: %down = npu.max_pool %x window = [3, 3] strides = [2, 2] : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x3x3x4xf32, #npu.layout<NHWC>>
  %down = npu.max_pool %x window = [3, 3] strides = [2, 2]
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x3x3x4xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %up = npu.max_pool %x window = [3, 3] strides = [2, 2] ceil : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>>
  %up = npu.max_pool %x window = [3, 3] strides = [2, 2] ceil
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>>
  /// Without a remainder it is the same number.
  // CHECK-NEXT: %even = npu.max_pool %x window = [2, 2] strides = [2, 2] ceil : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>>
  %even = npu.max_pool %x window = [2, 2] strides = [2, 2] ceil
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>>
  /// A position that begins after the data is dropped, in the padding as well.
  // CHECK-NEXT: %dropped = npu.avg_pool %x window = [1, 1] strides = [3, 9] pads = [0, 0, 2, 2] ceil : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x3x1x4xf32, #npu.layout<NHWC>>
  %dropped = npu.avg_pool %x window = [1, 1] strides = [3, 9] pads = [0, 0, 2, 2] ceil
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x3x1x4xf32, #npu.layout<NHWC>>
  return
}

/// Dynamic sizes.
// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(%x: tensor<?x8x8x4xf32, #npu.layout<NHWC>>, %tall: tensor<1x?x8x4xf32, #npu.layout<NHWC>>) {
  // CHECK-NEXT: %batch = npu.max_pool %x window = [2, 2] : (tensor<?x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<?x7x7x4xf32, #npu.layout<NHWC>>
  %batch = npu.max_pool %x window = [2, 2] : (tensor<?x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<?x7x7x4xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %height = npu.avg_pool %tall window = [2, 2] : (tensor<1x?x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x?x7x4xf32, #npu.layout<NHWC>>
  %height = npu.avg_pool %tall window = [2, 2]
    : (tensor<1x?x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x?x7x4xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %known = npu.avg_pool %tall window = [2, 2] : (tensor<1x?x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x7x?x4xf32, #npu.layout<NHWC>>
  %known = npu.avg_pool %tall window = [2, 2]
    : (tensor<1x?x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x7x?x4xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %global = npu.global_max_pool %tall : (tensor<1x?x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x1x1x4xf32, #npu.layout<NHWC>>
  %global = npu.global_max_pool %tall : (tensor<1x?x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x1x1x4xf32, #npu.layout<NHWC>>
  return
}

/// Every type of number.
// CHECK-LABEL: func.func @elements(
func.func @elements(
  %a: tensor<1x8x8x4xi8, #npu.layout<NHWC>>, %b: tensor<1x8x8x4xui8, #npu.layout<NHWC>>,
  %c: tensor<1x8x8x4xf16, #npu.layout<NHWC>>, %d: tensor<1x8x8x4xi32, #npu.layout<NHWC>>
) {
  // CHECK-NEXT: %i8 = npu.max_pool %a window = [2, 2] : (tensor<1x8x8x4xi8, #npu.layout<NHWC>>) -> tensor<1x7x7x4xi8, #npu.layout<NHWC>>
  %i8 = npu.max_pool %a window = [2, 2] : (tensor<1x8x8x4xi8, #npu.layout<NHWC>>) -> tensor<1x7x7x4xi8, #npu.layout<NHWC>>
  // CHECK-NEXT: %ui8 = npu.avg_pool %b window = [2, 2] : (tensor<1x8x8x4xui8, #npu.layout<NHWC>>) -> tensor<1x7x7x4xui8, #npu.layout<NHWC>>
  %ui8 = npu.avg_pool %b window = [2, 2] : (tensor<1x8x8x4xui8, #npu.layout<NHWC>>) -> tensor<1x7x7x4xui8, #npu.layout<NHWC>>
  // CHECK-NEXT: %f16 = npu.global_max_pool %c : (tensor<1x8x8x4xf16, #npu.layout<NHWC>>) -> tensor<1x1x1x4xf16, #npu.layout<NHWC>>
  %f16 = npu.global_max_pool %c : (tensor<1x8x8x4xf16, #npu.layout<NHWC>>) -> tensor<1x1x1x4xf16, #npu.layout<NHWC>>
  // CHECK-NEXT: %i32 = npu.global_avg_pool %d : (tensor<1x8x8x4xi32, #npu.layout<NHWC>>) -> tensor<1x1x1x4xi32, #npu.layout<NHWC>>
  %i32 = npu.global_avg_pool %d : (tensor<1x8x8x4xi32, #npu.layout<NHWC>>) -> tensor<1x1x1x4xi32, #npu.layout<NHWC>>
  return
}

/// Values with and without a layout may be mixed.
// CHECK-LABEL: func.func @mixed(
func.func @mixed(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>, %plain: tensor<1x8x8x4xf32>) {
  // CHECK-NEXT: %out = npu.max_pool %x window = [2, 2] : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x7x7x4xf32>
  %out = npu.max_pool %x window = [2, 2] : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x7x7x4xf32>
  // CHECK-NEXT: %in = npu.max_pool %plain window = [2, 2] data_layout = <NHWC> : (tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32, #npu.layout<NHWC>>
  %in = npu.max_pool %plain window = [2, 2] data_layout = <NHWC>
    : (tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32, #npu.layout<NHWC>>
  return
}
