// RUN: NPU_VERIFY_DIAG

/// A kernel of a depthwise convolution in blocks of I.
// CHECK: error: 'npu.conv2d' kernel: expected no blocks along I, found OIHW16i16o, I = 1, zeros
func.func @f(%x: tensor<1x1x8x8x16xf32, #npu.layout<NCHW16c>>, %w: tensor<1x1x3x3x16x16xf32, #npu.layout<OIHW16i16o, I = 1, zeros>>) {
  %y = npu.conv2d %x, %w groups = 16 : (tensor<1x1x8x8x16xf32, #npu.layout<NCHW16c>>, tensor<1x1x3x3x16x16xf32, #npu.layout<OIHW16i16o, I = 1, zeros>>) -> tensor<1x1x6x6x16xf32, #npu.layout<NCHW16c>>
  return
}

// -----

/// A transposed convolution sums along O of its kernel.
// CHECK: error: 'npu.conv_transpose2d' kernel: expected blocks and padding along O like C of data, found OIHW16i4o, I = 20
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, %w: tensor<10x2x3x3x16x4xf32, #npu.layout<OIHW16i4o, I = 20>>) {
  %y = npu.conv_transpose2d %x, %w : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<10x2x3x3x16x4xf32, #npu.layout<OIHW16i4o, I = 20>>) -> tensor<1x2x10x10x16xf32, #npu.layout<NCHW16c, C = 20>>
  return
}

// -----

/// Padding counts in the sums if neither zero point is known to be zero.
// CHECK: error: 'npu.conv2d_integer' kernel: expected zeros as padding of the channels that are summed, with a constant zero point of zeros, found OIHW32i16o, O = 20, I = 40, zeros
func.func @f(%x: tensor<1x2x8x8x32xi8, #npu.layout<NCHW32c, C = 40>>, %w: tensor<2x2x1x1x32x16xi8, #npu.layout<OIHW32i16o, O = 20, I = 40, zeros>>, %z: tensor<i8, #npu.layout<Tensor>>) {
  %y = npu.conv2d_integer %x, %w, %z, %z : (tensor<1x2x8x8x32xi8, #npu.layout<NCHW32c, C = 40>>, tensor<2x2x1x1x32x16xi8, #npu.layout<OIHW32i16o, O = 20, I = 40, zeros>>, tensor<i8, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<1x1x8x8x32xi32, #npu.layout<NCHW32c, C = 20>>
  return
}

// -----

/// Zeros of the kernel would do if its zero point was zero as well.
// CHECK: error: 'npu.conv2d_integer' kernel: expected zeros as padding of the channels that are summed, with a constant zero point of zeros, found OIHW32i16o, O = 20, I = 40
func.func @f(%x: tensor<1x2x8x8x32xi8, #npu.layout<NCHW32c, C = 40>>, %w: tensor<2x2x1x1x32x16xi8, #npu.layout<OIHW32i16o, O = 20, I = 40>>) {
  %z = npu.constant dense<0> : tensor<i8, #npu.layout<Tensor>>
  %y = npu.conv2d_integer %x, %w, %z, %z : (tensor<1x2x8x8x32xi8, #npu.layout<NCHW32c, C = 40>>, tensor<2x2x1x1x32x16xi8, #npu.layout<OIHW32i16o, O = 20, I = 40>>, tensor<i8, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<1x1x8x8x32xi32, #npu.layout<NCHW32c, C = 20>>
  return
}

// -----

/// The padding of the result is its zero point.
// CHECK: error: 'npu.quant_conv2d' result: expected padding that may be anything, found NCHW32c, C = 20, zeros
func.func @f(%x: tensor<1x2x8x8x32xi8, #npu.layout<NCHW32c, C = 40>>, %w: tensor<2x2x1x1x32x16xi8, #npu.layout<OIHW32i16o, O = 20, I = 40, zeros>>, %s: tensor<f32, #npu.layout<Tensor>>) {
  %z = npu.constant dense<0> : tensor<i8, #npu.layout<Tensor>>
  %one = npu.constant dense<1> : tensor<i8, #npu.layout<Tensor>>
  %y = npu.quant_conv2d %x, %w, %s, %z, %s, %z, %s, %one : (tensor<1x2x8x8x32xi8, #npu.layout<NCHW32c, C = 40>>, tensor<2x2x1x1x32x16xi8, #npu.layout<OIHW32i16o, O = 20, I = 40, zeros>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<1x1x8x8x32xi8, #npu.layout<NCHW32c, C = 20, zeros>>
  return
}

// -----

/// Zero points in other blocks than the result.
// CHECK: error: 'npu.conv2d_integer' kernel_zero_point: expected blocks and padding along axis 0 like C of result, found Tensor, [0] tiles [0 by 16], dim 0 = 20, zeros
func.func @f(%x: tensor<1x2x8x8x32xi8, #npu.layout<NCHW32c, C = 40>>, %w: tensor<2x2x1x1x32x16xi8, #npu.layout<OIHW32i16o, O = 20, I = 40, zeros>>) {
  %z = npu.constant dense<0> : tensor<i8, #npu.layout<Tensor>>
  %v = npu.constant dense<0> : tensor<2x16xi8, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 20, zeros>>
  %y = npu.conv2d_integer %x, %w, %z, %v : (tensor<1x2x8x8x32xi8, #npu.layout<NCHW32c, C = 40>>, tensor<2x2x1x1x32x16xi8, #npu.layout<OIHW32i16o, O = 20, I = 40, zeros>>, tensor<i8, #npu.layout<Tensor>>, tensor<2x16xi8, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 20, zeros>>) -> tensor<1x1x8x8x32xi32, #npu.layout<NCHW32c, C = 20, zeros>>
  return
}
