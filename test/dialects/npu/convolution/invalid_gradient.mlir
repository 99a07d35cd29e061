// RUN: NPU_VERIFY_DIAG

/// Gradients are of floats.
// CHECK: error: 'npu.conv2d_bpa' grad: expected a float element type, found i32
func.func @f(%dy: tensor<1x6x6x32xi32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d_bpa %dy, %w
    : (tensor<1x6x6x32xi32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The kernel is of floats.
// CHECK: error: 'npu.conv2d_bpa' kernel: expected a float element type, found i8
func.func @f(%dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xi8, #npu.layout<HWOI>>) {
  %y = npu.conv2d_bpa %dy, %w
    : (tensor<1x6x6x32xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xi8, #npu.layout<HWOI>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The gradient has the element type of the result.
// CHECK: error: 'npu.conv2d_bpa' grad: expected element type f32, found f16
func.func @f(%dy: tensor<1x6x6x32xf16, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d_bpa %dy, %w
    : (tensor<1x6x6x32xf16, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The kernel has the element type of the result.
// CHECK: error: 'npu.conv2d_bpa' kernel: expected element type f32, found f16
func.func @f(%dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf16, #npu.layout<HWOI>>) {
  %y = npu.conv2d_bpa %dy, %w
    : (tensor<1x6x6x32xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf16, #npu.layout<HWOI>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The gradient has rank 4.
// CHECK: error: 'npu.conv2d_bpa' grad: expected rank 4, found 1x6x32
func.func @f(%dy: tensor<1x6x32xf32, #npu.layout<NWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d_bpa %dy, %w
    : (tensor<1x6x32xf32, #npu.layout<NWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The kernel has rank 4.
// CHECK: error: 'npu.conv2d_bpa' kernel: expected rank 4, found 3x32x16
func.func @f(%dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>, %w: tensor<3x32x16xf32, #npu.layout<WOI>>) {
  %y = npu.conv2d_bpa %dy, %w
    : (tensor<1x6x6x32xf32, #npu.layout<NHWC>>, tensor<3x32x16xf32, #npu.layout<WOI>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The result has rank 4.
// CHECK: error: 'npu.conv2d_bpa' result: expected rank 4, found 1x8x16
func.func @f(%dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d_bpa %dy, %w
    : (tensor<1x6x6x32xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x8x16xf32, #npu.layout<NWC>>
  return
}

// -----

/// The result has the order of the gradient.
// CHECK: error: 'npu.conv2d_bpa' result: expected layout NHWC like grad, found NCHW
func.func @f(%dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d_bpa %dy, %w
    : (tensor<1x6x6x32xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x16x8x8xf32, #npu.layout<NCHW>>
  return
}

// -----

/// The result is a feature map like the gradient, not a kernel.
// CHECK: error: 'npu.conv2d_bpa' result: expected layout NHWC like grad, found OHWI
func.func @f(%dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d_bpa %dy, %w
    : (tensor<1x6x6x32xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x8x8x16xf32, #npu.layout<OHWI>>
  return
}

// -----

/// The spatial sizes in the type of the result are static.
// CHECK: error: 'npu.conv2d_bpa' result: expected static spatial sizes, found ?x8
func.func @f(%dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d_bpa %dy, %w
    : (tensor<1x6x6x32xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x?x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Input channels of the kernel are those of the result.
// CHECK: error: 'npu.conv2d_bpa' kernel: expected 8 input channels, found 16
func.func @f(%dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d_bpa %dy, %w
    : (tensor<1x6x6x32xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x8x8x8xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Output channels of the kernel are those of the gradient.
// CHECK: error: 'npu.conv2d_bpa' kernel: expected 16 output channels like grad, found 32
func.func @f(%dy: tensor<1x6x6x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d_bpa %dy, %w
    : (tensor<1x6x6x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Result and gradient have the same batch size.
// CHECK: error: 'npu.conv2d_bpa' grad: expected a batch of 1 like result, found 3
func.func @f(%dy: tensor<3x6x6x32xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d_bpa %dy, %w
    : (tensor<3x6x6x32xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The convolution of the result has the size of the gradient.
// CHECK: error: 'npu.conv2d_bpa' grad: expected spatial sizes 7x6, found 6x6
func.func @f(%dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d_bpa %dy, %w
    : (tensor<1x6x6x32xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x9x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Groups divide the channels.
// CHECK: error: 'npu.conv2d_bpa' groups: expected a divisor of 16, the channels of result, found 5
func.func @f(%dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d_bpa %dy, %w groups = 5
    : (tensor<1x6x6x32xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Data is of floats.
// CHECK: error: 'npu.conv2d_bpw' data: expected a float element type, found i32
func.func @f(%x: tensor<1x8x8x16xi32, #npu.layout<NHWC>>, %dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>) {
  %y = npu.conv2d_bpw %x, %dy
    : (tensor<1x8x8x16xi32, #npu.layout<NHWC>>, tensor<1x6x6x32xf32, #npu.layout<NHWC>>) -> tensor<3x3x32x16xf32, #npu.layout<HWOI>>
  return
}

// -----

/// Gradients are of floats.
// CHECK: error: 'npu.conv2d_bpw' grad: expected a float element type, found i32
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %dy: tensor<1x6x6x32xi32, #npu.layout<NHWC>>) {
  %y = npu.conv2d_bpw %x, %dy
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x6x6x32xi32, #npu.layout<NHWC>>) -> tensor<3x3x32x16xf32, #npu.layout<HWOI>>
  return
}

// -----

/// Data has the element type of the result.
// CHECK: error: 'npu.conv2d_bpw' data: expected element type f32, found f16
func.func @f(%x: tensor<1x8x8x16xf16, #npu.layout<NHWC>>, %dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>) {
  %y = npu.conv2d_bpw %x, %dy
    : (tensor<1x8x8x16xf16, #npu.layout<NHWC>>, tensor<1x6x6x32xf32, #npu.layout<NHWC>>) -> tensor<3x3x32x16xf32, #npu.layout<HWOI>>
  return
}

// -----

/// The gradient has the element type of the result.
// CHECK: error: 'npu.conv2d_bpw' grad: expected element type f32, found f16
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %dy: tensor<1x6x6x32xf16, #npu.layout<NHWC>>) {
  %y = npu.conv2d_bpw %x, %dy
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x6x6x32xf16, #npu.layout<NHWC>>) -> tensor<3x3x32x16xf32, #npu.layout<HWOI>>
  return
}

// -----

/// The data has rank 4.
// CHECK: error: 'npu.conv2d_bpw' data: expected rank 4, found 1x8x16
func.func @f(%x: tensor<1x8x16xf32, #npu.layout<NWC>>, %dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>) {
  %y = npu.conv2d_bpw %x, %dy
    : (tensor<1x8x16xf32, #npu.layout<NWC>>, tensor<1x6x6x32xf32, #npu.layout<NHWC>>) -> tensor<3x3x32x16xf32, #npu.layout<HWOI>>
  return
}

// -----

/// The gradient has rank 4.
// CHECK: error: 'npu.conv2d_bpw' grad: expected rank 4, found 1x6x32
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %dy: tensor<1x6x32xf32, #npu.layout<NWC>>) {
  %y = npu.conv2d_bpw %x, %dy
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x6x32xf32, #npu.layout<NWC>>) -> tensor<3x3x32x16xf32, #npu.layout<HWOI>>
  return
}

// -----

/// The gradient has the order of the data.
// CHECK: error: 'npu.conv2d_bpw' grad: expected layout NHWC like data, found NCHW
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %dy: tensor<1x32x6x6xf32, #npu.layout<NCHW>>) {
  %y = npu.conv2d_bpw %x, %dy
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x32x6x6xf32, #npu.layout<NCHW>>) -> tensor<3x3x32x16xf32, #npu.layout<HWOI>>
  return
}

// -----

/// The result has rank 4.
// CHECK: error: 'npu.conv2d_bpw' result: expected rank 4, found 3x32x16
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>) {
  %y = npu.conv2d_bpw %x, %dy
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x6x6x32xf32, #npu.layout<NHWC>>) -> tensor<3x32x16xf32, #npu.layout<WOI>>
  return
}

// -----

/// The result is of class Weight.
// CHECK: error: 'npu.conv2d_bpw' result: expected a layout of class Weight, found NHWC
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>) {
  %y = npu.conv2d_bpw %x, %dy
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x6x6x32xf32, #npu.layout<NHWC>>) -> tensor<3x3x32x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The layout of the result is in its type or in `kernel_layout`.
// CHECK: error: 'npu.conv2d_bpw' result: expected a layout, in its type or as kernel_layout, found 3x3x32x16
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>) {
  %y = npu.conv2d_bpw %x, %dy
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x6x6x32xf32, #npu.layout<NHWC>>) -> tensor<3x3x32x16xf32>
  return
}

// -----

/// Both agree.
// CHECK: error: 'npu.conv2d_bpw' kernel_layout: expected HWOI like the type of result, found OIHW
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>) {
  %y = npu.conv2d_bpw %x, %dy kernel_layout = <OIHW>
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x6x6x32xf32, #npu.layout<NHWC>>) -> tensor<3x3x32x16xf32, #npu.layout<HWOI>>
  return
}

// -----

/// The spatial sizes in the type of the result are static.
// CHECK: error: 'npu.conv2d_bpw' result: expected static spatial sizes, found 3x?
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>) {
  %y = npu.conv2d_bpw %x, %dy
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x6x6x32xf32, #npu.layout<NHWC>>) -> tensor<3x?x32x16xf32, #npu.layout<HWOI>>
  return
}

// -----

/// Input channels of the result are those of the data.
// CHECK: error: 'npu.conv2d_bpw' result: expected 16 input channels, found 8
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>) {
  %y = npu.conv2d_bpw %x, %dy
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x6x6x32xf32, #npu.layout<NHWC>>) -> tensor<3x3x32x8xf32, #npu.layout<HWOI>>
  return
}

// -----

/// Output channels of the result are those of the gradient.
// CHECK: error: 'npu.conv2d_bpw' result: expected 32 output channels like grad, found 16
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>) {
  %y = npu.conv2d_bpw %x, %dy
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x6x6x32xf32, #npu.layout<NHWC>>) -> tensor<3x3x16x16xf32, #npu.layout<HWOI>>
  return
}

// -----

/// Gradient and data have the same batch size.
// CHECK: error: 'npu.conv2d_bpw' grad: expected a batch of 1 like data, found 2
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %dy: tensor<2x6x6x32xf32, #npu.layout<NHWC>>) {
  %y = npu.conv2d_bpw %x, %dy
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<2x6x6x32xf32, #npu.layout<NHWC>>) -> tensor<3x3x32x16xf32, #npu.layout<HWOI>>
  return
}

// -----

/// The convolution with the result has the size of the gradient.
// CHECK: error: 'npu.conv2d_bpw' grad: expected spatial sizes 4x6, found 6x6
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %dy: tensor<1x6x6x32xf32, #npu.layout<NHWC>>) {
  %y = npu.conv2d_bpw %x, %dy
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x6x6x32xf32, #npu.layout<NHWC>>) -> tensor<5x3x32x16xf32, #npu.layout<HWOI>>
  return
}
