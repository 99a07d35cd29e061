// RUN: NPU_VERIFY_DIAG

/// The layout is unknown.
// CHECK: error: 'npu.img2col' input: expected a layout, in its type or as data_layout, found 1x8x8x16
func.func @f(%x: tensor<1x8x8x16xf32>) {
  %y = npu.img2col %x window = [3, 3] : (tensor<1x8x8x16xf32>) -> tensor<1x36x144xf32>
  return
}

// -----

/// The input is a kernel.
// CHECK: error: 'npu.img2col' input: expected a layout of class Feature, found HWOI
func.func @f(%x: tensor<8x8x1x16xf32, #npu.layout<HWOI>>) {
  %y = npu.img2col %x window = [3, 3] : (tensor<8x8x1x16xf32, #npu.layout<HWOI>>) -> tensor<1x36x144xf32>
  return
}

// -----

/// Windows are on images.
// CHECK: error: 'npu.img2col' input: expected rank 4, found 1x8x16
func.func @f(%x: tensor<1x8x16xf32, #npu.layout<NWC>>) {
  %y = npu.img2col %x window = [3] : (tensor<1x8x16xf32, #npu.layout<NWC>>) -> tensor<1x6x48xf32>
  return
}

// -----

/// There is no padding of truth values.
// CHECK: error: 'npu.img2col' input: expected a number as element type, found i1
func.func @f(%x: tensor<1x8x8x16xi1, #npu.layout<NHWC>>) {
  %y = npu.img2col %x window = [3, 3] : (tensor<1x8x8x16xi1, #npu.layout<NHWC>>) -> tensor<1x36x144xi1>
  return
}

// -----

/// The rows have the elements of the input.
// CHECK: error: 'npu.img2col' result: expected element type i8, found i32
func.func @f(%x: tensor<1x8x8x16xi8, #npu.layout<NHWC>>) {
  %y = npu.img2col %x window = [3, 3] : (tensor<1x8x8x16xi8, #npu.layout<NHWC>>) -> tensor<1x36x144xi32>
  return
}

// -----

/// The positions are one axis.
// CHECK: error: 'npu.img2col' result: expected rank 3, found 1x6x6x144
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.img2col %x window = [3, 3] : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x6x6x144xf32>
  return
}

// -----

/// The axes of the rows have no letters.
// CHECK: error: 'npu.img2col' result: expected a layout of class Tensor or NTensor, found NWC
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.img2col %x window = [3, 3] : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x36x144xf32, #npu.layout<NWC>>
  return
}

// -----

/// The window has a number for H and one for W.
// CHECK: error: 'npu.img2col' window: expected 2 numbers of at least 1, found [3]
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.img2col %x window = [3] : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x36x144xf32>
  return
}

// -----

/// The window has at least one element.
// CHECK: error: 'npu.img2col' window: expected 2 numbers of at least 1, found [3, 0]
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.img2col %x window = [3, 0] : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x36x144xf32>
  return
}

// -----

/// There is a stride for H and one for W.
// CHECK: error: 'npu.img2col' strides: expected 2 numbers of at least 1, found [2]
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.img2col %x window = [3, 3] strides = [2] : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x36x144xf32>
  return
}

// -----

/// A dilation, too.
// CHECK: error: 'npu.img2col' dilations: expected 2 numbers of at least 1, found [2, 0]
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.img2col %x window = [3, 3] dilations = [2, 0] : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x36x144xf32>
  return
}

// -----

/// Two pads each.
// CHECK: error: 'npu.img2col' pads: expected 4 numbers of at least 0, found [1, 1]
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.img2col %x window = [3, 3] pads = [1, 1] : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x36x144xf32>
  return
}

// -----

/// There is one row for each position.
// CHECK: error: 'npu.img2col' result: expected shape 1x36x144, found 1x64x144
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.img2col %x window = [3, 3] : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x64x144xf32>
  return
}

// -----

/// A row holds all channels.
// CHECK: error: 'npu.img2col' result: expected shape 1x36x144, found 1x36x9
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.img2col %x window = [3, 3] : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x36x9xf32>
  return
}

// -----

/// The batch is kept.
// CHECK: error: 'npu.img2col' result: expected shape 2x36x144, found 1x72x144
func.func @f(%x: tensor<2x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.img2col %x window = [3, 3] : (tensor<2x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x72x144xf32>
  return
}

// -----

/// The rows are checked in the order of the result's type.
// CHECK: error: 'npu.img2col' result: expected shape 1x144x36, found 1x36x144
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.img2col %x window = [3, 3]
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x36x144xf32, #npu.layout<Tensor, [0, 2, 1]>>
  return
}

// -----

/// The layout is unknown.
// CHECK: error: 'npu.mirror' input: expected a layout, in its type or as data_layout, found 1x8x8x16
func.func @f(%x: tensor<1x8x8x16xf32>) {
  %y = npu.mirror %x axes = [1] : tensor<1x8x8x16xf32>
  return
}

// -----

/// A Tensor has no spatial axes.
// CHECK: error: 'npu.mirror' input: expected a layout of class Feature, found Tensor
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<Tensor>>) {
  %y = npu.mirror %x axes = [1] : tensor<1x8x8x16xf32, #npu.layout<Tensor>>
  return
}

// -----

/// A mirror image is mirrored along some axis.
// CHECK: error: 'npu.mirror' axes: expected at least one axis, found []
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.mirror %x axes = [] : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Along each only once.
// CHECK: error: 'npu.mirror' axes: expected different axes from 0 to 3, found [1, 1]
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.mirror %x axes = [1, 1] : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// There are not so many axes.
// CHECK: error: 'npu.mirror' axes: expected different axes from 0 to 3, found [4]
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.mirror %x axes = [4] : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Channels are not mirrored.
// CHECK: error: 'npu.mirror' axes: expected spatial axes of NHWC, which are [1, 2], found [1, 3]
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.mirror %x axes = [1, 3] : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Nor are batches.
// CHECK: error: 'npu.mirror' axes: expected spatial axes of WCHN, which are [0, 2], found [0, 3]
func.func @f(%x: tensor<9x16x8x1xf32, #npu.layout<WCHN>>) {
  %y = npu.mirror %x axes = [0, 3] : tensor<9x16x8x1xf32, #npu.layout<WCHN>>
  return
}

// -----

/// The element type is kept.
// CHECK: error: 'npu.mirror' result: expected element type f32, found f16
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.mirror %x axes = [1] : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x16xf16, #npu.layout<NHWC>>
  return
}

// -----

/// The sizes are kept.
// CHECK: error: 'npu.mirror' result: expected shape 1x8x9x16, found 1x9x8x16
func.func @f(%x: tensor<1x8x9x16xf32, #npu.layout<NHWC>>) {
  %y = npu.mirror %x axes = [1] : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x9x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The layout is kept.
// CHECK: error: 'npu.mirror' result: expected layout NHWC like the feature map, found NCHW
func.func @f(%x: tensor<1x8x8x8xf32, #npu.layout<NHWC>>) {
  %y = npu.mirror %x axes = [1] : (tensor<1x8x8x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x8xf32, #npu.layout<NCHW>>
  return
}

// -----

/// The layout is unknown.
// CHECK: error: 'npu.rotate' input: expected a layout, in its type or as data_layout, found 1x8x8x16
func.func @f(%x: tensor<1x8x8x16xf32>) {
  %y = npu.rotate %x turns = 1 : tensor<1x8x8x16xf32>
  return
}

// -----

/// Only images have a plane of H and W.
// CHECK: error: 'npu.rotate' input: expected rank 4, found 1x4x8x8x16
func.func @f(%x: tensor<1x4x8x8x16xf32, #npu.layout<NDHWC>>) {
  %y = npu.rotate %x turns = 1 : tensor<1x4x8x8x16xf32, #npu.layout<NDHWC>>
  return
}

// -----

/// Four turns are none.
// CHECK: error: 'npu.rotate' turns: expected 1, 2 or 3, found 4
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.rotate %x turns = 4 : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Turns go counter-clockwise only.
// CHECK: error: 'npu.rotate' turns: expected 1, 2 or 3, found -1
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.rotate %x turns = -1 : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// An image on its side has other sizes.
// CHECK: error: 'npu.rotate' result: expected shape 1x9x8x16, found 1x8x9x16
func.func @f(%x: tensor<1x8x9x16xf32, #npu.layout<NHWC>>) {
  %y = npu.rotate %x turns = 3 : tensor<1x8x9x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Upside down it has the same.
// CHECK: error: 'npu.rotate' result: expected shape 1x8x9x16, found 1x9x8x16
func.func @f(%x: tensor<1x8x9x16xf32, #npu.layout<NHWC>>) {
  %y = npu.rotate %x turns = 2 : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x9x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The element type is kept.
// CHECK: error: 'npu.rotate' result: expected element type i8, found ui8
func.func @f(%x: tensor<1x8x9x16xi8, #npu.layout<NHWC>>) {
  %y = npu.rotate %x turns = 2 : (tensor<1x8x9x16xi8, #npu.layout<NHWC>>) -> tensor<1x8x9x16xui8, #npu.layout<NHWC>>
  return
}

// -----

/// The layout is kept.
// CHECK: error: 'npu.rotate' result: expected layout NHWC like the feature map, found NWHC
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.rotate %x turns = 1 : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x16xf32, #npu.layout<NWHC>>
  return
}
