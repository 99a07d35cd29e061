// RUN: NPU_VERIFY_DIAG

/// A grid has a number for each spatial axis.
// CHECK: error: 'npu.grid_sample' grid: expected shape 1x4x5x2, found 1x4x5x3
func.func @f(%x: tensor<1x8x10x16xf32, #npu.layout<NHWC>>, %g: tensor<1x4x5x3xf32>) {
  %a = npu.grid_sample %x, %g : (tensor<1x8x10x16xf32, #npu.layout<NHWC>>, tensor<1x4x5x3xf32>) -> tensor<1x4x5x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// A grid has the axes of the image.
// CHECK: error: 'npu.grid_sample' grid: expected rank 4, found 1x4x2
func.func @f(%x: tensor<1x8x10x16xf32, #npu.layout<NHWC>>, %g: tensor<1x4x2xf32>) {
  %a = npu.grid_sample %x, %g : (tensor<1x8x10x16xf32, #npu.layout<NHWC>>, tensor<1x4x2xf32>) -> tensor<1x4x5x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The mode has a name.
// CHECK: error: 'npu.grid_sample' mode: expected "linear", "nearest" or "cubic", found "bilinear"
func.func @f(%x: tensor<1x8x10x16xf32, #npu.layout<NHWC>>, %g: tensor<1x4x5x2xf32>) {
  %a = npu.grid_sample %x, %g mode = "bilinear" : (tensor<1x8x10x16xf32, #npu.layout<NHWC>>, tensor<1x4x5x2xf32>) -> tensor<1x4x5x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Padding has a name as well.
// CHECK: error: 'npu.grid_sample' padding: expected "zeros", "border" or "reflection", found "edge"
func.func @f(%x: tensor<1x8x10x16xf32, #npu.layout<NHWC>>, %g: tensor<1x4x5x2xf32>) {
  %a = npu.grid_sample %x, %g padding = "edge" : (tensor<1x8x10x16xf32, #npu.layout<NHWC>>, tensor<1x4x5x2xf32>) -> tensor<1x4x5x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The grid keeps its order.
// CHECK: error: 'npu.grid_sample' grid: expected axes in logical order, found Tensor, [0, 2, 1, 3]
func.func @f(%x: tensor<1x8x10x16xf32, #npu.layout<NHWC>>, %g: tensor<1x5x4x2xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>) {
  %a = npu.grid_sample %x, %g : (tensor<1x8x10x16xf32, #npu.layout<NHWC>>, tensor<1x5x4x2xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>) -> tensor<1x5x4x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The result has the places of the grid.
// CHECK: error: 'npu.grid_sample' result: expected shape 1x4x5x16, found 1x5x4x16
func.func @f(%x: tensor<1x8x10x16xf32, #npu.layout<NHWC>>, %g: tensor<1x4x5x2xf32>) {
  %a = npu.grid_sample %x, %g : (tensor<1x8x10x16xf32, #npu.layout<NHWC>>, tensor<1x4x5x2xf32>) -> tensor<1x5x4x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// A region is four numbers.
// CHECK: error: 'npu.roi_align' boxes: expected shape 3x4, found 3x5
func.func @f(%x: tensor<2x8x10x16xf32, #npu.layout<NHWC>>, %r: tensor<3x5xf32>, %b: tensor<3xi64>) {
  %a = npu.roi_align %x, %r, %b sizes = [2, 3] : (tensor<2x8x10x16xf32, #npu.layout<NHWC>>, tensor<3x5xf32>, tensor<3xi64>) -> tensor<3x2x3x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Images of a batch are counted.
// CHECK: error: 'npu.roi_align' batches: expected an integer element type, found f32
func.func @f(%x: tensor<2x8x10x16xf32, #npu.layout<NHWC>>, %r: tensor<3x4xf32>, %b: tensor<3xf32>) {
  %a = npu.roi_align %x, %r, %b sizes = [2, 3] : (tensor<2x8x10x16xf32, #npu.layout<NHWC>>, tensor<3x4xf32>, tensor<3xf32>) -> tensor<3x2x3x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// A part has a sample at least.
// CHECK: error: 'npu.roi_align' ratio: expected 1 number of at least 1, found [0]
func.func @f(%x: tensor<2x8x10x16xf32, #npu.layout<NHWC>>, %r: tensor<3x4xf32>, %b: tensor<3xi64>) {
  %a = npu.roi_align %x, %r, %b sizes = [2, 3] ratio = 0 : (tensor<2x8x10x16xf32, #npu.layout<NHWC>>, tensor<3x4xf32>, tensor<3xi64>) -> tensor<3x2x3x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// There are two offsets for each element of the window.
// CHECK: error: 'npu.deform_conv' offsets: expected shape 1x18x6x6, found 1x9x6x6
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>, %o: tensor<1x9x6x6xf32>, %k: tensor<6x4x3x3xf32>) {
  %a = npu.deform_conv %x, %o, %k : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<1x9x6x6xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32, #npu.layout<NHWC>>
  return
}

// -----

/// A group has its input channels.
// CHECK: error: 'npu.deform_conv' kernel: expected 4 input channels in 2 groups, found 4
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>, %o: tensor<1x18x6x6xf32>, %k: tensor<6x4x3x3xf32>) {
  %a = npu.deform_conv %x, %o, %k groups = 2 : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<1x18x6x6xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Groups of offsets are as large as each other.
// CHECK: error: 'npu.deform_conv' offset_groups: expected a divisor of 4 channels, found 3
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>, %o: tensor<1x54x6x6xf32>, %k: tensor<6x4x3x3xf32>) {
  %a = npu.deform_conv %x, %o, %k offset_groups = 3 : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<1x54x6x6xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32, #npu.layout<NHWC>>
  return
}
