// RUN: NPU_VERIFY_DIAG

/// The layout is unknown.
// CHECK: error: 'npu.upsample' input: expected a layout, in its type or as data_layout, found 1x4x6x16
func.func @f(%x: tensor<1x4x6x16xf32>) {
  %y = npu.upsample %x factors = [2, 2] : (tensor<1x4x6x16xf32>) -> tensor<1x8x12x16xf32>
  return
}

// -----

/// Type and attribute contradict each other.
// CHECK: error: 'npu.unpool' data_layout: expected NHWC like the type of input, found NCHW
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.unpool %x window = [2, 2] data_layout = <NCHW>
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The result has the elements of the input.
// CHECK: error: 'npu.upsample' result: expected element type i8, found ui8
func.func @f(%x: tensor<1x4x6x16xi8, #npu.layout<NHWC>>) {
  %y = npu.upsample %x factors = [2, 2] : (tensor<1x4x6x16xi8, #npu.layout<NHWC>>) -> tensor<1x8x12x16xui8, #npu.layout<NHWC>>
  return
}

// -----

/// Each spatial axis has a factor.
// CHECK: error: 'npu.upsample' factors: expected 2 numbers of at least 1, found [2]
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.upsample %x factors = [2] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Factors are at least 1.
// CHECK: error: 'npu.upsample' factors: expected 2 numbers of at least 1, found [2, 0]
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.upsample %x factors = [2, 0] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x0x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The result is larger by the factors.
// CHECK: error: 'npu.upsample' result: expected shape 1x8x18x16, found 1x12x12x16
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.upsample %x factors = [2, 3]
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x12x12x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Each spatial axis has a window.
// CHECK: error: 'npu.unpool' window: expected 1 number of at least 1, found [2, 2]
func.func @f(%x: tensor<1x6x16xf32, #npu.layout<NWC>>) {
  %y = npu.unpool %x window = [2, 2] : (tensor<1x6x16xf32, #npu.layout<NWC>>) -> tensor<1x12x16xf32, #npu.layout<NWC>>
  return
}

// -----

/// It has at least one element.
// CHECK: error: 'npu.unpool' window: expected 2 numbers of at least 1, found [0, 2]
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.unpool %x window = [0, 2] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x0x12x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The result consists of the windows.
// CHECK: error: 'npu.unpool' result: expected shape 1x8x12x16, found 1x8x12x8
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>) {
  %y = npu.unpool %x window = [2, 2] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x8xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Zeros are inserted between numbers only.
// CHECK: error: 'npu.unpool' input: expected a number as element type, found i1
func.func @f(%x: tensor<1x4x6x16xi1, #npu.layout<NHWC>>) {
  %y = npu.unpool %x window = [2, 2] : (tensor<1x4x6x16xi1, #npu.layout<NHWC>>) -> tensor<1x8x12x16xi1, #npu.layout<NHWC>>
  return
}

// -----

/// With a mask as well.
// CHECK: error: 'npu.mask_unpool' input: expected a number as element type, found i1
func.func @f(%x: tensor<1x4x6x16xi1, #npu.layout<NHWC>>, %m: tensor<1x8x12x16xi1, #npu.layout<NHWC>>) {
  %y = npu.mask_unpool %x, %m window = [2, 2]
    : (tensor<1x4x6x16xi1, #npu.layout<NHWC>>, tensor<1x8x12x16xi1, #npu.layout<NHWC>>) -> tensor<1x8x12x16xi1, #npu.layout<NHWC>>
  return
}

// -----

/// A mask holds truth values.
// CHECK: error: 'npu.mask_unpool' mask: expected element type i1, found i8
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>, %m: tensor<1x8x12x16xi8, #npu.layout<NHWC>>) {
  %y = npu.mask_unpool %x, %m window = [2, 2]
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>, tensor<1x8x12x16xi8, #npu.layout<NHWC>>) -> tensor<1x8x12x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// mask_unpool: each spatial axis has a window.
// CHECK: error: 'npu.mask_unpool' window: expected 2 numbers of at least 1, found [2, 2, 2]
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>, %m: tensor<1x8x12x16xi1, #npu.layout<NHWC>>) {
  %y = npu.mask_unpool %x, %m window = [2, 2, 2]
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>, tensor<1x8x12x16xi1, #npu.layout<NHWC>>) -> tensor<1x8x12x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// mask_unpool: the result consists of the windows.
// CHECK: error: 'npu.mask_unpool' result: expected shape 1x8x12x16, found 1x8x6x16
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>, %m: tensor<1x8x12x16xi1, #npu.layout<NHWC>>) {
  %y = npu.mask_unpool %x, %m window = [2, 2]
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>, tensor<1x8x12x16xi1, #npu.layout<NHWC>>) -> tensor<1x8x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The mask has the shape of the result.
// CHECK: error: 'npu.mask_unpool' mask: expected shape 1x8x12x16, found 1x4x6x16
func.func @f(%x: tensor<1x4x6x16xf32, #npu.layout<NHWC>>, %m: tensor<1x4x6x16xi1, #npu.layout<NHWC>>) {
  %y = npu.mask_unpool %x, %m window = [2, 2]
    : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>, tensor<1x4x6x16xi1, #npu.layout<NHWC>>) -> tensor<1x8x12x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Also if sizes of the input are dynamic.
// CHECK: error: 'npu.mask_unpool' mask: expected shape 1x8x12x16, found 1x6x12x16
func.func @f(%x: tensor<1x?x6x16xf32, #npu.layout<NHWC>>, %m: tensor<1x6x12x16xi1, #npu.layout<NHWC>>) {
  %y = npu.mask_unpool %x, %m window = [2, 2]
    : (tensor<1x?x6x16xf32, #npu.layout<NHWC>>, tensor<1x6x12x16xi1, #npu.layout<NHWC>>) -> tensor<1x8x12x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The mask has the layout of the input.
// CHECK: error: 'npu.mask_unpool' mask: expected layout NHWC like the feature map, found NHCW
func.func @f(%x: tensor<1x4x6x12xf32, #npu.layout<NHWC>>, %m: tensor<1x8x12x12xi1, #npu.layout<NHCW>>) {
  %y = npu.mask_unpool %x, %m window = [2, 2]
    : (tensor<1x4x6x12xf32, #npu.layout<NHWC>>, tensor<1x8x12x12xi1, #npu.layout<NHCW>>) -> tensor<1x8x12x12xf32, #npu.layout<NHWC>>
  return
}
