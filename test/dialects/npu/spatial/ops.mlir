// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// In an uncoloured program the op declares the layout.
// CHECK-LABEL: func.func @uncoloured(
func.func @uncoloured(%x: tensor<1x16x8x9xf32>) {
  // CHECK-NEXT: %columns = npu.img2col %x window = [3, 2] data_layout = <NCHW> : (tensor<1x16x8x9xf32>) -> tensor<1x48x96xf32>
  %columns = npu.img2col %x window = [3, 2] data_layout = <NCHW> : (tensor<1x16x8x9xf32>) -> tensor<1x48x96xf32>
  // CHECK-NEXT: %mirrored = npu.mirror %x axes = [2] data_layout = <NCHW> : tensor<1x16x8x9xf32>
  %mirrored = npu.mirror %x axes = [2] data_layout = <NCHW> : tensor<1x16x8x9xf32>
  // CHECK-NEXT: %rotated = npu.rotate %x turns = 1 data_layout = <NCHW> : (tensor<1x16x8x9xf32>) -> tensor<1x16x9x8xf32>
  %rotated = npu.rotate %x turns = 1 data_layout = <NCHW> : (tensor<1x16x8x9xf32>) -> tensor<1x16x9x8xf32>
  return
}

/// The rows do not depend on the order of the image; the result has an independent order.
// CHECK-LABEL: func.func @img2col(
func.func @img2col(
  %x: tensor<1x16x8x9xf32, #npu.layout<NCHW>>, %x_last: tensor<1x8x9x16xf32, #npu.layout<NHWC>>,
  %odd: tensor<9x16x8x1xf32, #npu.layout<WCHN>>
) {
  // CHECK-NEXT: %nchw = npu.img2col %x window = [3, 2] : (tensor<1x16x8x9xf32, #npu.layout<NCHW>>) -> tensor<1x48x96xf32, #npu.layout<NTensor>>
  %nchw = npu.img2col %x window = [3, 2]
    : (tensor<1x16x8x9xf32, #npu.layout<NCHW>>) -> tensor<1x48x96xf32, #npu.layout<NTensor>>
  // CHECK-NEXT: %nhwc = npu.img2col %x_last window = [3, 2] : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x48x96xf32, #npu.layout<Tensor>>
  %nhwc = npu.img2col %x_last window = [3, 2]
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x48x96xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %wchn = npu.img2col %odd window = [3, 2] : (tensor<9x16x8x1xf32, #npu.layout<WCHN>>) -> tensor<1x96x48xf32, #npu.layout<NTensor, [0, 2, 1]>>
  %wchn = npu.img2col %odd window = [3, 2]
    : (tensor<9x16x8x1xf32, #npu.layout<WCHN>>) -> tensor<1x96x48xf32, #npu.layout<NTensor, [0, 2, 1]>>
  // CHECK-NEXT: %turned = npu.img2col %x_last window = [3, 2] : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<96x1x48xf32, #npu.layout<Tensor, [2, 0, 1]>>
  %turned = npu.img2col %x_last window = [3, 2]
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<96x1x48xf32, #npu.layout<Tensor, [2, 0, 1]>>
  // CHECK-NEXT: %plain = npu.img2col %x_last window = [3, 2] {tag = "kept"} : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x48x96xf32>
  %plain = npu.img2col %x_last window = [3, 2] {tag = "kept"}
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x48x96xf32>
  return
}

/// Strides, dilations and pads; lists are in the order H, W.
// CHECK-LABEL: func.func @window(
func.func @window(%x: tensor<1x8x9x16xf32, #npu.layout<NHWC>>) {
  // CHECK-NEXT: %strides = npu.img2col %x window = [3, 3] strides = [1, 2] : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x24x144xf32, #npu.layout<NTensor>>
  %strides = npu.img2col %x window = [3, 3] strides = [1, 2]
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x24x144xf32, #npu.layout<NTensor>>
  // CHECK-NEXT: %dilations = npu.img2col %x window = [3, 3] dilations = [2, 1] : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x28x144xf32, #npu.layout<NTensor>>
  %dilations = npu.img2col %x window = [3, 3] dilations = [2, 1]
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x28x144xf32, #npu.layout<NTensor>>
  // CHECK-NEXT: %pads = npu.img2col %x window = [3, 3] pads = [1, 0, 1, 0] : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x56x144xf32, #npu.layout<NTensor>>
  %pads = npu.img2col %x window = [3, 3] pads = [1, 0, 1, 0]
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x56x144xf32, #npu.layout<NTensor>>
  // CHECK-NEXT: %all = npu.img2col %x window = [2, 1] strides = [2, 2] dilations = [3, 1] pads = [0, 0, 1, 2] data_layout = <NHWC> : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x18x32xf32, #npu.layout<NTensor>>
  %all = npu.img2col %x window = [2, 1] strides = [2, 2] dilations = [3, 1] pads = [0, 0, 1, 2] data_layout = <NHWC>
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x18x32xf32, #npu.layout<NTensor>>
  /// A window larger than the image has no position.
  // CHECK-NEXT: %none = npu.img2col %x window = [9, 1] : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x0x144xf32, #npu.layout<NTensor>>
  %none = npu.img2col %x window = [9, 1]
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x0x144xf32, #npu.layout<NTensor>>
  return
}

/// Axes are physical positions, and all of them are spatial.
// CHECK-LABEL: func.func @mirror(
func.func @mirror(
  %x: tensor<1x8x9x16xf32, #npu.layout<NHWC>>, %wchn: tensor<9x16x8x1xf32, #npu.layout<WCHN>>,
  %nwc: tensor<1x9x16xi1, #npu.layout<NWC>>, %ndhwc: tensor<1x5x6x7x16xi8, #npu.layout<NDHWC>>
) {
  // CHECK-NEXT: %h = npu.mirror %x axes = [1] : tensor<1x8x9x16xf32, #npu.layout<NHWC>>
  %h = npu.mirror %x axes = [1] : tensor<1x8x9x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %both = npu.mirror %x axes = [2, 1] {tag = "kept"} : tensor<1x8x9x16xf32, #npu.layout<NHWC>>
  %both = npu.mirror %x axes = [2, 1] {tag = "kept"}
    : tensor<1x8x9x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %odd = npu.mirror %wchn axes = [0, 2] : tensor<9x16x8x1xf32, #npu.layout<WCHN>>
  %odd = npu.mirror %wchn axes = [0, 2] : tensor<9x16x8x1xf32, #npu.layout<WCHN>>
  // CHECK-NEXT: %line = npu.mirror %nwc axes = [1] data_layout = <NWC> : tensor<1x9x16xi1, #npu.layout<NWC>>
  %line = npu.mirror %nwc axes = [1] data_layout = <NWC>
    : tensor<1x9x16xi1, #npu.layout<NWC>>
  // CHECK-NEXT: %volume = npu.mirror %ndhwc axes = [1, 2, 3] : tensor<1x5x6x7x16xi8, #npu.layout<NDHWC>>
  %volume = npu.mirror %ndhwc axes = [1, 2, 3]
    : tensor<1x5x6x7x16xi8, #npu.layout<NDHWC>>
  return
}

/// Odd numbers of turns exchange the sizes of H and W.
// CHECK-LABEL: func.func @rotate(
func.func @rotate(%x: tensor<1x8x9x16xf32, #npu.layout<NHWC>>, %wchn: tensor<9x16x8x1xi8, #npu.layout<WCHN>>) {
  // CHECK-NEXT: %one = npu.rotate %x turns = 1 : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x9x8x16xf32, #npu.layout<NHWC>>
  %one = npu.rotate %x turns = 1 : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x9x8x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %two = npu.rotate %x turns = 2 : tensor<1x8x9x16xf32, #npu.layout<NHWC>>
  %two = npu.rotate %x turns = 2 : tensor<1x8x9x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %three = npu.rotate %x turns = 3 data_layout = <NHWC> {tag = "kept"} : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x9x8x16xf32, #npu.layout<NHWC>>
  %three = npu.rotate %x turns = 3 data_layout = <NHWC> {tag = "kept"}
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x9x8x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %odd = npu.rotate %wchn turns = 1 : (tensor<9x16x8x1xi8, #npu.layout<WCHN>>) -> tensor<8x16x9x1xi8, #npu.layout<WCHN>>
  %odd = npu.rotate %wchn turns = 1 : (tensor<9x16x8x1xi8, #npu.layout<WCHN>>) -> tensor<8x16x9x1xi8, #npu.layout<WCHN>>
  return
}

/// Dynamic sizes.
// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(
  %tall: tensor<?x?x9x16xf32, #npu.layout<NHWC>>, %wide: tensor<1x8x?x16xf32, #npu.layout<NHWC>>,
  %deep: tensor<1x8x9x?xf32, #npu.layout<NHWC>>
) {
  // CHECK-NEXT: %height = npu.img2col %tall window = [3, 3] : (tensor<?x?x9x16xf32, #npu.layout<NHWC>>) -> tensor<?x?x144xf32, #npu.layout<NTensor>>
  %height = npu.img2col %tall window = [3, 3]
    : (tensor<?x?x9x16xf32, #npu.layout<NHWC>>) -> tensor<?x?x144xf32, #npu.layout<NTensor>>
  // CHECK-NEXT: %width = npu.img2col %wide window = [3, 3] : (tensor<1x8x?x16xf32, #npu.layout<NHWC>>) -> tensor<1x?x144xf32, #npu.layout<NTensor>>
  %width = npu.img2col %wide window = [3, 3]
    : (tensor<1x8x?x16xf32, #npu.layout<NHWC>>) -> tensor<1x?x144xf32, #npu.layout<NTensor>>
  // CHECK-NEXT: %channels = npu.img2col %deep window = [3, 3] : (tensor<1x8x9x?xf32, #npu.layout<NHWC>>) -> tensor<1x42x?xf32, #npu.layout<NTensor>>
  %channels = npu.img2col %deep window = [3, 3]
    : (tensor<1x8x9x?xf32, #npu.layout<NHWC>>) -> tensor<1x42x?xf32, #npu.layout<NTensor>>
  // CHECK-NEXT: %mirrored = npu.mirror %tall axes = [1] : tensor<?x?x9x16xf32, #npu.layout<NHWC>>
  %mirrored = npu.mirror %tall axes = [1]
    : tensor<?x?x9x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %rotated = npu.rotate %tall turns = 1 : (tensor<?x?x9x16xf32, #npu.layout<NHWC>>) -> tensor<?x9x?x16xf32, #npu.layout<NHWC>>
  %rotated = npu.rotate %tall turns = 1 : (tensor<?x?x9x16xf32, #npu.layout<NHWC>>) -> tensor<?x9x?x16xf32, #npu.layout<NHWC>>
  return
}
