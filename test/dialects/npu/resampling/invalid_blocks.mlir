// RUN: NPU_VERIFY_DIAG

/// A kernel is not an image.
// CHECK: error: 'npu.depth_to_space' data_layout: expected a layout of class Feature, found HWOI
func.func @f(%x: tensor<4x6x1x16xf32>) {
  %y = npu.depth_to_space %x block = 2 data_layout = <HWOI> : (tensor<4x6x1x16xf32>) -> tensor<8x12x1x4xf32>
  return
}

// -----

/// The result has the layout of the input.
// CHECK: error: 'npu.space_to_depth' result: expected layout NHWC like the feature map, found NHCW
func.func @f(%x: tensor<1x4x4x2xf32, #npu.layout<NHWC>>) {
  %y = npu.space_to_depth %x block = 2 : (tensor<1x4x4x2xf32, #npu.layout<NHWC>>) -> tensor<1x2x2x8xf32, #npu.layout<NHCW>>
  return
}

// -----

/// Only images have blocks.
// CHECK: error: 'npu.depth_to_space' input: expected rank 4, found 1x6x16
func.func @f(%x: tensor<1x6x16xf32, #npu.layout<NWC>>) {
  %y = npu.depth_to_space %x block = 2 : (tensor<1x6x16xf32, #npu.layout<NWC>>) -> tensor<1x12x8xf32, #npu.layout<NWC>>
  return
}

// -----

/// space_to_depth: only images have blocks.
// CHECK: error: 'npu.space_to_depth' input: expected rank 4, found 1x4x4x6x16
func.func @f(%x: tensor<1x4x4x6x16xf32, #npu.layout<NDHWC>>) {
  %y = npu.space_to_depth %x block = 2
    : (tensor<1x4x4x6x16xf32, #npu.layout<NDHWC>>) -> tensor<1x2x2x3x128xf32, #npu.layout<NDHWC>>
  return
}

// -----

/// A block has an element.
// CHECK: error: 'npu.depth_to_space' block: expected at least 1, found 0
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.depth_to_space %x block = 0 : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x0x0x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// space_to_depth: a block has an element.
// CHECK: error: 'npu.space_to_depth' block: expected at least 1, found -2
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.space_to_depth %x block = -2 : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x2x3x64xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The channels fill whole blocks.
// CHECK: error: 'npu.depth_to_space' input: expected a multiple of 9 as C, found 16
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.depth_to_space %x block = 3 : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x12x18x2xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Channels are numbered in one of two ways.
// CHECK: error: 'npu.depth_to_space' mode: expected "dcr" or "crd", found "DCR"
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.depth_to_space %x block = 2 mode = "DCR"
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x4xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The result consists of the blocks.
// CHECK: error: 'npu.depth_to_space' result: expected shape 1x8x12x4, found 1x8x12x8
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.depth_to_space %x block = 2 : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x8xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The image consists of whole blocks along H.
// CHECK: error: 'npu.space_to_depth' input: expected a multiple of 3 as H, found 4
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.space_to_depth %x block = 3 : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x2x2x144xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Along W as well.
// CHECK: error: 'npu.space_to_depth' input: expected a multiple of 4 as W, found 6
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.space_to_depth %x block = 4 : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x1x2x256xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Blocks become channels.
// CHECK: error: 'npu.space_to_depth' result: expected shape 1x2x3x64, found 1x2x3x32
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.space_to_depth %x block = 2 : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x2x3x32xf32, #npu.layout<NHWC>>
  return
}
