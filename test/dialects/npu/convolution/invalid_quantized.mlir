// RUN: NPU_VERIFY_DIAG

/// Data is of integers.
// CHECK: error: 'npu.quant_conv2d' data: expected an integer element type, found f32
func.func @f(%x: tensor<1x8x8x3xf32, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<f32>, %wz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xf32, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// The kernel is of integers.
// CHECK: error: 'npu.quant_conv2d' kernel: expected an integer element type, found f32
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xf32, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<f32>, %wz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xf32, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// The result is of integers; truth values are none.
// CHECK: error: 'npu.quant_conv2d' result: expected an integer element type, found i1
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<f32>, %wz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<1x6x6x4xi1, #npu.layout<NHWC>>
  return
}

// -----

/// The convolution fits.
// CHECK: error: 'npu.quant_conv2d' result: expected spatial sizes 6x6, found 8x8
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<f32>, %wz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<1x8x8x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// The result has the order of the data.
// CHECK: error: 'npu.quant_conv2d' result: expected layout NHWC like data, found NCHW
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<f32>, %wz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<1x4x6x6xui8, #npu.layout<NCHW>>
  return
}

// -----

/// The scale of the data is a float.
// CHECK: error: 'npu.quant_conv2d' data_scale: expected a float element type, found i32
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<i32>, %xz: tensor<ui8>, %ws: tensor<f32>, %wz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<i32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// The data has one scale.
// CHECK: error: 'npu.quant_conv2d' data_scale: expected one element, found 3
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<3xf32>, %xz: tensor<ui8>, %ws: tensor<f32>, %wz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<3xf32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// The zero point of the data has the type of the data.
// CHECK: error: 'npu.quant_conv2d' data_zero_point: expected element type ui8, found i8
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<i8>, %ws: tensor<f32>, %wz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// The data has one zero point.
// CHECK: error: 'npu.quant_conv2d' data_zero_point: expected one element, found ?
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<?xui8>, %ws: tensor<f32>, %wz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<?xui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// The scale of the kernel is a float.
// CHECK: error: 'npu.quant_conv2d' kernel_scale: expected a float element type, found i8
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<i8>, %wz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<i8>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// The kernel has one scale, or one for each channel of the result.
// CHECK: error: 'npu.quant_conv2d' kernel_scale: expected one element, or shape 4, found 3
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<3xf32>, %wz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<3xf32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// The scales of the channels are a vector.
// CHECK: error: 'npu.quant_conv2d' kernel_scale: expected one element, or shape 4, found 4x1
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<4x1xf32>, %wz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<4x1xf32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// The zero point of the kernel has the type of the kernel.
// CHECK: error: 'npu.quant_conv2d' kernel_zero_point: expected element type i8, found ui8
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<f32>, %wz: tensor<ui8>, %ys: tensor<f32>, %yz: tensor<ui8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// The kernel has one zero point, or one for each channel of the result.
// CHECK: error: 'npu.quant_conv2d' kernel_zero_point: expected one element, or shape 4, found 3
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<f32>, %wz: tensor<3xi8>, %ys: tensor<f32>, %yz: tensor<ui8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<3xi8>, tensor<f32>, tensor<ui8>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// The scale of the result is a float.
// CHECK: error: 'npu.quant_conv2d' result_scale: expected a float element type, found i8
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<f32>, %wz: tensor<i8>, %ys: tensor<i8>, %yz: tensor<ui8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<i8>, tensor<ui8>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// The result has one scale.
// CHECK: error: 'npu.quant_conv2d' result_scale: expected one element, found 4
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<f32>, %wz: tensor<i8>, %ys: tensor<4xf32>, %yz: tensor<ui8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<4xf32>, tensor<ui8>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// The zero point of the result has the type of the result.
// CHECK: error: 'npu.quant_conv2d' result_zero_point: expected element type ui8, found i8
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<f32>, %wz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<i8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// The result has one zero point.
// CHECK: error: 'npu.quant_conv2d' result_zero_point: expected one element, found 4
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<f32>, %wz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<4xui8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<4xui8>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// Parameters have no letters.
// CHECK: error: 'npu.quant_conv2d' kernel_scale: expected a layout of class Tensor or NTensor, found NHWC
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<1x1x1x1xf32, #npu.layout<NHWC>>, %wz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<1x1x1x1xf32, #npu.layout<NHWC>>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// A bias is an i32.
// CHECK: error: 'npu.quant_conv2d' bias: expected element type i32, found f32
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<f32>, %wz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>, %b: tensor<4xf32>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz, %b
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, tensor<4xf32>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// One bias for each channel of the result.
// CHECK: error: 'npu.quant_conv2d' bias: expected shape 4, found 3
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<f32>, %wz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>, %b: tensor<3xi32>) {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz, %b
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, tensor<3xi32>) -> tensor<1x6x6x4xui8, #npu.layout<NHWC>>
  return
}

// -----

/// Data is of integers.
// CHECK: error: 'npu.conv2d_integer' data: expected an integer element type, found f32
func.func @f(%x: tensor<1x8x8x3xf32, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xz: tensor<ui8>, %wz: tensor<i8>) {
  %y = npu.conv2d_integer %x, %w, %xz, %wz
    : (tensor<1x8x8x3xf32, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<ui8>, tensor<i8>) -> tensor<1x6x6x4xi32, #npu.layout<NHWC>>
  return
}

// -----

/// The kernel is of integers.
// CHECK: error: 'npu.conv2d_integer' kernel: expected an integer element type, found i1
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi1, #npu.layout<HWOI>>, %xz: tensor<ui8>, %wz: tensor<i8>) {
  %y = npu.conv2d_integer %x, %w, %xz, %wz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi1, #npu.layout<HWOI>>, tensor<ui8>, tensor<i8>) -> tensor<1x6x6x4xi32, #npu.layout<NHWC>>
  return
}

// -----

/// The result is an i32.
// CHECK: error: 'npu.conv2d_integer' result: expected element type i32, found i64
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xz: tensor<ui8>, %wz: tensor<i8>) {
  %y = npu.conv2d_integer %x, %w, %xz, %wz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<ui8>, tensor<i8>) -> tensor<1x6x6x4xi64, #npu.layout<NHWC>>
  return
}

// -----

/// The convolution fits.
// CHECK: error: 'npu.conv2d_integer' kernel: expected 3 output channels like result, found 4
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xz: tensor<ui8>, %wz: tensor<i8>) {
  %y = npu.conv2d_integer %x, %w, %xz, %wz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<ui8>, tensor<i8>) -> tensor<1x6x6x3xi32, #npu.layout<NHWC>>
  return
}

// -----

/// The zero point of the data has the type of the data.
// CHECK: error: 'npu.conv2d_integer' data_zero_point: expected element type ui8, found i8
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xz: tensor<i8>, %wz: tensor<i8>) {
  %y = npu.conv2d_integer %x, %w, %xz, %wz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<i8>, tensor<i8>) -> tensor<1x6x6x4xi32, #npu.layout<NHWC>>
  return
}

// -----

/// The data has one zero point.
// CHECK: error: 'npu.conv2d_integer' data_zero_point: expected one element, found 3
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xz: tensor<3xui8>, %wz: tensor<i8>) {
  %y = npu.conv2d_integer %x, %w, %xz, %wz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<3xui8>, tensor<i8>) -> tensor<1x6x6x4xi32, #npu.layout<NHWC>>
  return
}

// -----

/// The zero point of the kernel has the type of the kernel.
// CHECK: error: 'npu.conv2d_integer' kernel_zero_point: expected element type i8, found ui8
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xz: tensor<ui8>, %wz: tensor<ui8>) {
  %y = npu.conv2d_integer %x, %w, %xz, %wz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<ui8>, tensor<ui8>) -> tensor<1x6x6x4xi32, #npu.layout<NHWC>>
  return
}

// -----

/// The kernel has one zero point, or one for each channel of the result.
// CHECK: error: 'npu.conv2d_integer' kernel_zero_point: expected one element, or shape 4, found 3
func.func @f(%x: tensor<1x8x8x3xui8, #npu.layout<NHWC>>, %w: tensor<3x3x4x3xi8, #npu.layout<HWOI>>, %xz: tensor<ui8>, %wz: tensor<3xi8>) {
  %y = npu.conv2d_integer %x, %w, %xz, %wz
    : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<ui8>, tensor<3xi8>) -> tensor<1x6x6x4xi32, #npu.layout<NHWC>>
  return
}
