// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// In an uncoloured program the op declares the layout.
// CHECK-LABEL: func.func @uncoloured(
func.func @uncoloured(%x: tensor<1x16x4x6xf32>, %m: tensor<1x16x8x18xi1>) {
  // CHECK-NEXT: %upsample = npu.upsample %x factors = [2, 3] data_layout = <NCHW> : (tensor<1x16x4x6xf32>) -> tensor<1x16x8x18xf32>
  %upsample = npu.upsample %x factors = [2, 3] data_layout = <NCHW> : (tensor<1x16x4x6xf32>) -> tensor<1x16x8x18xf32>
  // CHECK-NEXT: %bilinear = npu.bilinear %x sizes = [8, 9] data_layout = <NCHW> : (tensor<1x16x4x6xf32>) -> tensor<1x16x8x9xf32>
  %bilinear = npu.bilinear %x sizes = [8, 9] data_layout = <NCHW> : (tensor<1x16x4x6xf32>) -> tensor<1x16x8x9xf32>
  // CHECK-NEXT: %unpool = npu.unpool %x window = [2, 3] data_layout = <NCHW> : (tensor<1x16x4x6xf32>) -> tensor<1x16x8x18xf32>
  %unpool = npu.unpool %x window = [2, 3] data_layout = <NCHW> : (tensor<1x16x4x6xf32>) -> tensor<1x16x8x18xf32>
  // CHECK-NEXT: %masked = npu.mask_unpool %x, %m window = [2, 3] data_layout = <NCHW> : (tensor<1x16x4x6xf32>, tensor<1x16x8x18xi1>) -> tensor<1x16x8x18xf32>
  %masked = npu.mask_unpool %x, %m window = [2, 3] data_layout = <NCHW>
    : (tensor<1x16x4x6xf32>, tensor<1x16x8x18xi1>) -> tensor<1x16x8x18xf32>
  // CHECK-NEXT: %space = npu.depth_to_space %x block = 2 data_layout = <NCHW> : (tensor<1x16x4x6xf32>) -> tensor<1x4x8x12xf32>
  %space = npu.depth_to_space %x block = 2 data_layout = <NCHW> : (tensor<1x16x4x6xf32>) -> tensor<1x4x8x12xf32>
  // CHECK-NEXT: %depth = npu.space_to_depth %x block = 2 data_layout = <NCHW> : (tensor<1x16x4x6xf32>) -> tensor<1x64x2x3xf32>
  %depth = npu.space_to_depth %x block = 2 data_layout = <NCHW> : (tensor<1x16x4x6xf32>) -> tensor<1x64x2x3xf32>
  return
}

/// Factors and windows are in the order D, H, W in all layouts, for images of every rank.
// CHECK-LABEL: func.func @coloured(
func.func @coloured(
  %x: tensor<1x16x4x6xf32, #npu.layout<NCHW>>, %x_last: tensor<1x4x6x16xf32, #npu.layout<NHWC>>,
  %odd: tensor<6x16x4x1xf32, #npu.layout<WCHN>>, %line: tensor<1x6x16xf32, #npu.layout<NWC>>,
  %volume: tensor<1x4x5x6x16xf32, #npu.layout<NDHWC>>, %m: tensor<18x16x8x1xi1, #npu.layout<WCHN>>
) {
  // CHECK-NEXT: %nchw = npu.upsample %x factors = [2, 3] : (tensor<1x16x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x16x8x18xf32, #npu.layout<NCHW>>
  %nchw = npu.upsample %x factors = [2, 3]
    : (tensor<1x16x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x16x8x18xf32, #npu.layout<NCHW>>
  // CHECK-NEXT: %nhwc = npu.upsample %x_last factors = [2, 3] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x18x16xf32, #npu.layout<NHWC>>
  %nhwc = npu.upsample %x_last factors = [2, 3]
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x18x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %wchn = npu.unpool %odd window = [2, 3] : (tensor<6x16x4x1xf32, #npu.layout<WCHN>>) -> tensor<18x16x8x1xf32, #npu.layout<WCHN>>
  %wchn = npu.unpool %odd window = [2, 3]
    : (tensor<6x16x4x1xf32, #npu.layout<WCHN>>) -> tensor<18x16x8x1xf32, #npu.layout<WCHN>>
  // CHECK-NEXT: %nwc = npu.upsample %line factors = [5] {tag = "kept"} : (tensor<1x6x16xf32, #npu.layout<NWC>>) -> tensor<1x30x16xf32, #npu.layout<NWC>>
  %nwc = npu.upsample %line factors = [5] {tag = "kept"}
    : (tensor<1x6x16xf32, #npu.layout<NWC>>) -> tensor<1x30x16xf32, #npu.layout<NWC>>
  // CHECK-NEXT: %ndhwc = npu.unpool %volume window = [1, 2, 3] : (tensor<1x4x5x6x16xf32, #npu.layout<NDHWC>>) -> tensor<1x4x10x18x16xf32, #npu.layout<NDHWC>>
  %ndhwc = npu.unpool %volume window = [1, 2, 3]
    : (tensor<1x4x5x6x16xf32, #npu.layout<NDHWC>>) -> tensor<1x4x10x18x16xf32, #npu.layout<NDHWC>>
  /// The mask has the layout of the input.
  // CHECK-NEXT: %masked = npu.mask_unpool %odd, %m window = [2, 3] : (tensor<6x16x4x1xf32, #npu.layout<WCHN>>, tensor<18x16x8x1xi1, #npu.layout<WCHN>>) -> tensor<18x16x8x1xf32, #npu.layout<WCHN>>
  %masked = npu.mask_unpool %odd, %m window = [2, 3]
    : (tensor<6x16x4x1xf32, #npu.layout<WCHN>>, tensor<18x16x8x1xi1, #npu.layout<WCHN>>) -> tensor<18x16x8x1xf32, #npu.layout<WCHN>>
  /// Type and attribute may both have the layout if they agree.
  // CHECK-NEXT: %both = npu.upsample %line factors = [1] data_layout = <NWC> : tensor<1x6x16xf32, #npu.layout<NWC>>
  %both = npu.upsample %line factors = [1] data_layout = <NWC>
    : tensor<1x6x16xf32, #npu.layout<NWC>>
  return
}

/// The sizes of the result are given, or follow from factors and are rounded down.
// CHECK-LABEL: func.func @bilinear(
func.func @bilinear(
  %x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>, %odd: tensor<6x16x4x1xf16, #npu.layout<WCHN>>,
  %none: tensor<1x0x6x16xf32, #npu.layout<NHWC>>
) {
  // CHECK-NEXT: %sizes = npu.bilinear %x sizes = [8, 3] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x3x16xf32, #npu.layout<NHWC>>
  %sizes = npu.bilinear %x sizes = [8, 3]
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x3x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %factors = npu.bilinear %x factors = [1.500000e+00, 4.000000e-01] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x6x2x16xf32, #npu.layout<NHWC>>
  %factors = npu.bilinear %x factors = [1.5, 0.4]
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x6x2x16xf32, #npu.layout<NHWC>>
  /// The default is not printed.
  // CHECK-NEXT: %half = npu.bilinear %x sizes = [8, 3] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x3x16xf32, #npu.layout<NHWC>>
  %half = npu.bilinear %x sizes = [8, 3] coordinates = "half_pixel"
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x3x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %corners = npu.bilinear %x sizes = [8, 3] coordinates = "align_corners" : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x3x16xf32, #npu.layout<NHWC>>
  %corners = npu.bilinear %x sizes = [8, 3] coordinates = "align_corners"
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x3x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %zero = npu.bilinear %x factors = [2.000000e+00, 2.000000e+00] coordinates = "asymmetric" data_layout = <NHWC> {tag = "kept"} : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x16xf32, #npu.layout<NHWC>>
  %zero = npu.bilinear %x factors = [2.0, 2.0] coordinates = "asymmetric" data_layout = <NHWC> {tag = "kept"}
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %f16 = npu.bilinear %odd sizes = [8, 3] : (tensor<6x16x4x1xf16, #npu.layout<WCHN>>) -> tensor<3x16x8x1xf16, #npu.layout<WCHN>>
  %f16 = npu.bilinear %odd sizes = [8, 3]
    : (tensor<6x16x4x1xf16, #npu.layout<WCHN>>) -> tensor<3x16x8x1xf16, #npu.layout<WCHN>>
  /// Empty results of empty and of other inputs.
  // CHECK-NEXT: %empty = npu.bilinear %none factors = [2.000000e+00, 2.000000e+00] : (tensor<1x0x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x0x12x16xf32, #npu.layout<NHWC>>
  %empty = npu.bilinear %none factors = [2.0, 2.0]
    : (tensor<1x0x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x0x12x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %gone = npu.bilinear %x sizes = [0, 3] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x0x3x16xf32, #npu.layout<NHWC>>
  %gone = npu.bilinear %x sizes = [0, 3] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x0x3x16xf32, #npu.layout<NHWC>>
  return
}

/// Channels become blocks and blocks become channels; `dcr` is the default and is not printed.
// CHECK-LABEL: func.func @blocks(
func.func @blocks(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>, %wchn: tensor<6x16x4x1xf32, #npu.layout<WCHN>>) {
  // CHECK-NEXT: %dcr = npu.depth_to_space %x block = 2 : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x4xf32, #npu.layout<NHWC>>
  %dcr = npu.depth_to_space %x block = 2 mode = "dcr"
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x4xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %crd = npu.depth_to_space %x block = 2 mode = "crd" {tag = "kept"} : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x4xf32, #npu.layout<NHWC>>
  %crd = npu.depth_to_space %x block = 2 mode = "crd" {tag = "kept"}
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x4xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %odd = npu.depth_to_space %wchn block = 4 : (tensor<6x16x4x1xf32, #npu.layout<WCHN>>) -> tensor<24x1x16x1xf32, #npu.layout<WCHN>>
  %odd = npu.depth_to_space %wchn block = 4
    : (tensor<6x16x4x1xf32, #npu.layout<WCHN>>) -> tensor<24x1x16x1xf32, #npu.layout<WCHN>>
  // CHECK-NEXT: %depth = npu.space_to_depth %x block = 2 : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x2x3x64xf32, #npu.layout<NHWC>>
  %depth = npu.space_to_depth %x block = 2
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x2x3x64xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %same = npu.space_to_depth %x block = 1 data_layout = <NHWC> : tensor<1x4x6x16xf32, #npu.layout<NHWC>>
  %same = npu.space_to_depth %x block = 1 data_layout = <NHWC>
    : tensor<1x4x6x16xf32, #npu.layout<NHWC>>
  return
}

/// Dynamic sizes.
// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(
  %x: tensor<?x?x6x16xf32, #npu.layout<NHWC>>, %m: tensor<?x8x12x16xi1, #npu.layout<NHWC>>,
  %c: tensor<1x4x6x?xf32, #npu.layout<NHWC>>
) {
  // CHECK-NEXT: %upsample = npu.upsample %x factors = [2, 2] : (tensor<?x?x6x16xf32, #npu.layout<NHWC>>) -> tensor<?x?x12x16xf32, #npu.layout<NHWC>>
  %upsample = npu.upsample %x factors = [2, 2]
    : (tensor<?x?x6x16xf32, #npu.layout<NHWC>>) -> tensor<?x?x12x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %known = npu.upsample %x factors = [2, 2] : (tensor<?x?x6x16xf32, #npu.layout<NHWC>>) -> tensor<3x7x12x16xf32, #npu.layout<NHWC>>
  %known = npu.upsample %x factors = [2, 2]
    : (tensor<?x?x6x16xf32, #npu.layout<NHWC>>) -> tensor<3x7x12x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %sizes = npu.bilinear %x sizes = [8, 9] : (tensor<?x?x6x16xf32, #npu.layout<NHWC>>) -> tensor<?x8x9x16xf32, #npu.layout<NHWC>>
  %sizes = npu.bilinear %x sizes = [8, 9]
    : (tensor<?x?x6x16xf32, #npu.layout<NHWC>>) -> tensor<?x8x9x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %factors = npu.bilinear %x factors = [2.000000e+00, 2.000000e+00] : (tensor<?x?x6x16xf32, #npu.layout<NHWC>>) -> tensor<?x?x12x16xf32, #npu.layout<NHWC>>
  %factors = npu.bilinear %x factors = [2.0, 2.0]
    : (tensor<?x?x6x16xf32, #npu.layout<NHWC>>) -> tensor<?x?x12x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %masked = npu.mask_unpool %x, %m window = [2, 2] : (tensor<?x?x6x16xf32, #npu.layout<NHWC>>, tensor<?x8x12x16xi1, #npu.layout<NHWC>>) -> tensor<?x?x12x16xf32, #npu.layout<NHWC>>
  %masked = npu.mask_unpool %x, %m window = [2, 2]
    : (tensor<?x?x6x16xf32, #npu.layout<NHWC>>, tensor<?x8x12x16xi1, #npu.layout<NHWC>>) -> tensor<?x?x12x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %space = npu.depth_to_space %c block = 2 : (tensor<1x4x6x?xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x?xf32, #npu.layout<NHWC>>
  %space = npu.depth_to_space %c block = 2
    : (tensor<1x4x6x?xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x?xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %depth = npu.space_to_depth %x block = 2 : (tensor<?x?x6x16xf32, #npu.layout<NHWC>>) -> tensor<?x?x3x64xf32, #npu.layout<NHWC>>
  %depth = npu.space_to_depth %x block = 2
    : (tensor<?x?x6x16xf32, #npu.layout<NHWC>>) -> tensor<?x?x3x64xf32, #npu.layout<NHWC>>
  return
}

/// Ops that only move elements take all of them, those that add zeros all numbers.
// CHECK-LABEL: func.func @elements(
func.func @elements(
  %a: tensor<1x4x6x16xi1, #npu.layout<NHWC>>, %b: tensor<1x4x6x16xui8, #npu.layout<NHWC>>,
  %c: tensor<1x4x6x16xi8, #npu.layout<NHWC>>, %m: tensor<1x8x12x16xi1, #npu.layout<NHWC>>
) {
  // CHECK-NEXT: %i1 = npu.upsample %a factors = [2, 2] : (tensor<1x4x6x16xi1, #npu.layout<NHWC>>) -> tensor<1x8x12x16xi1, #npu.layout<NHWC>>
  %i1 = npu.upsample %a factors = [2, 2] : (tensor<1x4x6x16xi1, #npu.layout<NHWC>>) -> tensor<1x8x12x16xi1, #npu.layout<NHWC>>
  // CHECK-NEXT: %ui8 = npu.unpool %b window = [2, 2] : (tensor<1x4x6x16xui8, #npu.layout<NHWC>>) -> tensor<1x8x12x16xui8, #npu.layout<NHWC>>
  %ui8 = npu.unpool %b window = [2, 2] : (tensor<1x4x6x16xui8, #npu.layout<NHWC>>) -> tensor<1x8x12x16xui8, #npu.layout<NHWC>>
  // CHECK-NEXT: %i8 = npu.mask_unpool %c, %m window = [2, 2] : (tensor<1x4x6x16xi8, #npu.layout<NHWC>>, tensor<1x8x12x16xi1, #npu.layout<NHWC>>) -> tensor<1x8x12x16xi8, #npu.layout<NHWC>>
  %i8 = npu.mask_unpool %c, %m window = [2, 2]
    : (tensor<1x4x6x16xi8, #npu.layout<NHWC>>, tensor<1x8x12x16xi1, #npu.layout<NHWC>>) -> tensor<1x8x12x16xi8, #npu.layout<NHWC>>
  // CHECK-NEXT: %space = npu.depth_to_space %a block = 2 : (tensor<1x4x6x16xi1, #npu.layout<NHWC>>) -> tensor<1x8x12x4xi1, #npu.layout<NHWC>>
  %space = npu.depth_to_space %a block = 2 : (tensor<1x4x6x16xi1, #npu.layout<NHWC>>) -> tensor<1x8x12x4xi1, #npu.layout<NHWC>>
  // CHECK-NEXT: %depth = npu.space_to_depth %b block = 2 : (tensor<1x4x6x16xui8, #npu.layout<NHWC>>) -> tensor<1x2x3x64xui8, #npu.layout<NHWC>>
  %depth = npu.space_to_depth %b block = 2
    : (tensor<1x4x6x16xui8, #npu.layout<NHWC>>) -> tensor<1x2x3x64xui8, #npu.layout<NHWC>>
  return
}

/// Values with and without a layout may be mixed.
// CHECK-LABEL: func.func @mixed(
func.func @mixed(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>, %m: tensor<1x8x12x16xi1>) {
  // CHECK-NEXT: %out = npu.upsample %x factors = [2, 2] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x16xf32>
  %out = npu.upsample %x factors = [2, 2] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x16xf32>
  // CHECK-NEXT: %mask = npu.mask_unpool %x, %m window = [2, 2] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>, tensor<1x8x12x16xi1>) -> tensor<1x8x12x16xf32, #npu.layout<NHWC>>
  %mask = npu.mask_unpool %x, %m window = [2, 2]
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>, tensor<1x8x12x16xi1>) -> tensor<1x8x12x16xf32, #npu.layout<NHWC>>
  return
}
