// RUN: NPU_VERIFY_DIAG

/// Images have rank 4.
// CHECK: error: 'npu.conv_transpose2d' data: expected rank 4, found 1x4x8
func.func @f(%x: tensor<1x4x8xf32, #npu.layout<NWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose2d %x, %w
    : (tensor<1x4x8xf32, #npu.layout<NWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// So have their kernels.
// CHECK: error: 'npu.conv_transpose2d' kernel: expected rank 4, found 3x8x16
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x8x16xf32, #npu.layout<WOI>>) {
  %y = npu.conv_transpose2d %x, %w
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x8x16xf32, #npu.layout<WOI>>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// 1-D data has rank 3.
// CHECK: error: 'npu.conv_transpose1d' data: expected rank 3, found 1x4x4x8
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose1d %x, %w
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Volumes have rank 5.
// CHECK: error: 'npu.conv_transpose3d' data: expected rank 5, found 1x4x4x8
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose3d %x, %w
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Type and attribute contradict each other.
// CHECK: error: 'npu.conv_transpose2d' data_layout: expected NHWC like the type of data, found NCHW
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose2d %x, %w data_layout = <NCHW>
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Type and attribute of the kernel contradict each other.
// CHECK: error: 'npu.conv_transpose2d' kernel_layout: expected HWOI like the type of kernel, found OIHW
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose2d %x, %w kernel_layout = <OIHW>
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The result has the order of the data, also where the sizes do not show it.
// CHECK: error: 'npu.conv_transpose2d' result: expected layout NHWC like the feature map, found NCHW
func.func @f(%x: tensor<4x4x4x4xf32, #npu.layout<NHWC>>, %w: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose2d %x, %w
    : (tensor<4x4x4x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<4x4x4x4xf32, #npu.layout<NCHW>>
  return
}

// -----

/// The output channels of the forward kernel are those of the data.
// CHECK: error: 'npu.conv_transpose2d' kernel: expected 8 output channels like data, found 16
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x16x8xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose2d %x, %w
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x16x8xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Its input channels are those of the result.
// CHECK: error: 'npu.conv_transpose2d' result: expected shape 1x6x6x16, found 1x6x6x8
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose2d %x, %w
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x8xf32, #npu.layout<NHWC>>
  return
}

// -----

/// In groups, they are those of one group of the result.
// CHECK: error: 'npu.conv_transpose2d' result: expected shape 1x6x6x32, found 1x6x6x16
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose2d %x, %w groups = 2
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The channels of the data divide into groups.
// CHECK: error: 'npu.conv_transpose2d' groups: expected a divisor of 8, the channels of kernel, found 3
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose2d %x, %w groups = 3
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// There is at least one group.
// CHECK: error: 'npu.conv_transpose2d' groups: expected at least 1, found -1
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose2d %x, %w groups = -1
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Data and result have the same batch size.
// CHECK: error: 'npu.conv_transpose2d' result: expected shape 1x6x6x16, found 2x6x6x16
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose2d %x, %w
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<2x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Spatial sizes: 3 times the stride, and the window.
// CHECK: error: 'npu.conv_transpose2d' result: expected shape 1x9x9x16, found 1x8x8x16
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose2d %x, %w strides = [2, 2]
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The rank of the result.
// CHECK: error: 'npu.conv_transpose2d' result: expected shape 1x6x6x16, found 1x6x16
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose2d %x, %w
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x16xf32, #npu.layout<NWC>>
  return
}

// -----

/// Output pads for each spatial axis.
// CHECK: error: 'npu.conv_transpose2d' output_pads: expected 2 numbers of at least 0, found [1]
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose2d %x, %w output_pads = [1]
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Output pads are not negative.
// CHECK: error: 'npu.conv_transpose2d' output_pads: expected 2 numbers of at least 0, found [0, -1]
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose2d %x, %w output_pads = [0, -1]
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// A stride is at least 1.
// CHECK: error: 'npu.conv_transpose2d' strides: expected 2 numbers of at least 1, found [0, 1]
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose2d %x, %w strides = [0, 1]
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// One bias for each channel of the result.
// CHECK: error: 'npu.conv_transpose2d' bias: expected shape 16, found 8
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>, %b: tensor<8xf32>) {
  %y = npu.conv_transpose2d %x, %w, %b
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>, tensor<8xf32>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// One bias for each channel of the result, of all groups.
// CHECK: error: 'npu.conv_transpose2d' bias: expected shape 32, found 16
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>, %b: tensor<16xf32>) {
  %y = npu.conv_transpose2d %x, %w, %b groups = 2
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>, tensor<16xf32>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Truth values cannot be convolved.
// CHECK: error: 'npu.conv_transpose2d' data: expected a number as element type, found i1
func.func @f(%x: tensor<1x4x4x8xi1, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose2d %x, %w
    : (tensor<1x4x4x8xi1, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Data has the element type of the result.
// CHECK: error: 'npu.conv_transpose2d' data: expected element type f32, found f16
func.func @f(%x: tensor<1x4x4x8xf16, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose2d %x, %w
    : (tensor<1x4x4x8xf16, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The kernel has the element type of the result.
// CHECK: error: 'npu.conv_transpose2d' kernel: expected element type f32, found f64
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf64, #npu.layout<HWOI>>) {
  %y = npu.conv_transpose2d %x, %w
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf64, #npu.layout<HWOI>>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The bias has the element type of the result.
// CHECK: error: 'npu.conv_transpose2d' bias: expected element type f32, found bf16
func.func @f(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<3x3x8x16xf32, #npu.layout<HWOI>>, %b: tensor<16xbf16>) {
  %y = npu.conv_transpose2d %x, %w, %b
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>, tensor<16xbf16>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}
