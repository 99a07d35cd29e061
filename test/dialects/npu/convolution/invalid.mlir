// RUN: NPU_VERIFY_DIAG

/// The kernel has too few input channels.
// CHECK: error: 'npu.conv2d' kernel: expected 16 input channels, found 8
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x8xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x8xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// In groups it has those of one group.
// CHECK: error: 'npu.conv2d' kernel: expected 4 input channels (16 channels of data in 4 groups), found 16
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w groups = 4
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The channels of the data do not divide into groups.
// CHECK: error: 'npu.conv2d' groups: expected a divisor of 16, the channels of data, found 3
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w groups = 3
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The channels of the result do not divide into groups.
// CHECK: error: 'npu.conv2d' groups: expected a divisor of 32, the channels of kernel, found 3
func.func @f(%x: tensor<1x8x8x15xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x5xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w groups = 3
    : (tensor<1x8x8x15xf32, #npu.layout<NHWC>>, tensor<3x3x32x5xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The channels of the result do not divide into groups, and those of the data are dynamic.
// CHECK: error: 'npu.conv2d' groups: expected a divisor of 32, the channels of kernel, found 3
func.func @f(%x: tensor<1x8x8x?xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x5xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w groups = 3
    : (tensor<1x8x8x?xf32, #npu.layout<NHWC>>, tensor<3x3x32x5xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// There is at least one group.
// CHECK: error: 'npu.conv2d' groups: expected at least 1, found 0
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w groups = 0
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The result has as many channels as the kernel.
// CHECK: error: 'npu.conv2d' kernel: expected 16 output channels like result, found 32
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The result has as many images as the data.
// CHECK: error: 'npu.conv2d' result: expected a batch of 1 like data, found 2
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<2x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Spatial sizes: 8 less 3 and 1 more.
// CHECK: error: 'npu.conv2d' result: expected spatial sizes 6x6, found 8x8
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x8x8x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// One of the sizes is wrong, in another order.
// CHECK: error: 'npu.conv2d' result: expected spatial sizes 3x3, found 3x6
func.func @f(%x: tensor<1x16x8x8xf32, #npu.layout<NCHW>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w strides = [2, 2]
    : (tensor<1x16x8x8xf32, #npu.layout<NCHW>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x32x3x6xf32, #npu.layout<NCHW>>
  return
}

// -----

/// The lists count H before W.
// CHECK: error: 'npu.conv2d' result: expected spatial sizes 3x6, found 6x3
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w strides = [2, 1]
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x3x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// A stride for each spatial axis.
// CHECK: error: 'npu.conv2d' strides: expected 2 numbers of at least 1, found [2]
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w strides = [2]
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// A stride is at least 1.
// CHECK: error: 'npu.conv2d' strides: expected 2 numbers of at least 1, found [1, 0]
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w strides = [1, 0]
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// A dilation for each spatial axis.
// CHECK: error: 'npu.conv2d' dilations: expected 2 numbers of at least 1, found [1, 1, 1]
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w dilations = [1, 1, 1]
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// A dilation is at least 1.
// CHECK: error: 'npu.conv2d' dilations: expected 2 numbers of at least 1, found [0, 1]
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w dilations = [0, 1]
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Pads before and after each spatial axis.
// CHECK: error: 'npu.conv2d' pads: expected 4 numbers of at least 0, found [1, 1]
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w pads = [1, 1]
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// A pad is not negative.
// CHECK: error: 'npu.conv2d' pads: expected 4 numbers of at least 0, found [0, 0, 0, -1]
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w pads = [0, 0, 0, -1]
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The number of strides is that of the rank.
// CHECK: error: 'npu.conv1d' strides: expected 1 number of at least 1, found [1, 1]
func.func @f(%x: tensor<1x8x16xf32, #npu.layout<NWC>>, %w: tensor<3x32x16xf32, #npu.layout<WOI>>) {
  %y = npu.conv1d %x, %w strides = [1, 1]
    : (tensor<1x8x16xf32, #npu.layout<NWC>>, tensor<3x32x16xf32, #npu.layout<WOI>>) -> tensor<1x6x32xf32, #npu.layout<NWC>>
  return
}

// -----

/// One bias for each channel of the result.
// CHECK: error: 'npu.conv2d' bias: expected shape 32, found 16
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>, %b: tensor<16xf32>) {
  %y = npu.conv2d %x, %w, %b
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>, tensor<16xf32>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// A bias is a vector.
// CHECK: error: 'npu.conv2d' bias: expected shape 32, found 1x32
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>, %b: tensor<1x32xf32>) {
  %y = npu.conv2d %x, %w, %b
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>, tensor<1x32xf32>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Truth values cannot be convolved: data.
// CHECK: error: 'npu.conv2d' data: expected a number as element type, found i1
func.func @f(%x: tensor<1x8x8x16xi1, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w
    : (tensor<1x8x8x16xi1, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Truth values cannot be convolved: kernel.
// CHECK: error: 'npu.conv2d' kernel: expected a number as element type, found i1
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xi1, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xi1, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Truth values cannot be convolved: bias.
// CHECK: error: 'npu.conv2d' bias: expected a number as element type, found i1
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>, %b: tensor<32xi1>) {
  %y = npu.conv2d %x, %w, %b
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>, tensor<32xi1>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Data has the element type of the result.
// CHECK: error: 'npu.conv2d' data: expected element type f32, found f16
func.func @f(%x: tensor<1x8x8x16xf16, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w
    : (tensor<1x8x8x16xf16, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The kernel has the element type of the result.
// CHECK: error: 'npu.conv2d' kernel: expected element type f32, found f16
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf16, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf16, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The bias has the element type of the result.
// CHECK: error: 'npu.conv2d' bias: expected element type f32, found f16
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>, %b: tensor<32xf16>) {
  %y = npu.conv2d %x, %w, %b
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>, tensor<32xf16>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}
