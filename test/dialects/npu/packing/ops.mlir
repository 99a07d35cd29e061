// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// Blocks of channels, with and without padding, in several orders; other systems' names become ours.
// CHECK-LABEL: func.func private @features
// CHECK-SAME: (tensor<1x4x8x8x16xf32, #npu.layout<NCHW16c>>,
// CHECK-SAME:  tensor<1x8x4x8x16xf32, #npu.layout<NHCW16c>>,
// CHECK-SAME:  tensor<1x2x8x8x32xi8, #npu.layout<NCHW32c>>,
// CHECK-SAME:  tensor<1x4x8x8x16xf32, #npu.layout<NCHW16c>>,
// CHECK-SAME:  tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>,
// CHECK-SAME:  tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>,
// CHECK-SAME:  tensor<1x3x2x8x8x16xf32, #npu.layout<NCDHW16c, C = 40>>,
// CHECK-SAME:  tensor<?x4x?x?x16xf32, #npu.layout<NCHW16c>>)
func.func private @features(
  tensor<1x4x8x8x16xf32, #npu.layout<NCHW16c>>, tensor<1x8x4x8x16xf32, #npu.layout<NHCWB16>>,
  tensor<1x2x8x8x32xi8, #npu.layout<NC1HWC0 {C0 = 32}>>, tensor<1x4x8x8x16xf32, #npu.layout<NC1HWC0>>,
  tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>, tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>,
  tensor<1x3x2x8x8x16xf32, #npu.layout<NCDHW16c, C = 40>>, tensor<?x4x?x?x16xf32, #npu.layout<NCHW16c>>)

/// Both channel axes of a kernel; one element that is repeated along an axis; tensors without letters.
// CHECK-LABEL: func.func private @others
// CHECK-SAME: (tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>,
// CHECK-SAME:  tensor<1x1x8x8x1xf32, #npu.layout<NCHW16c>>,
// CHECK-SAME:  tensor<4x2x12x16xf32, #npu.layout<Tensor, [0, 1, 2] tiles [1 by 16]>>,
// CHECK-SAME:  tensor<4x2x3x4x16xf32, #npu.layout<Tensor, [0, 1, 2] tiles [2 by 4, 1 by 16], dim 1 = 30, dim 2 = 11>>,
// CHECK-SAME:  tensor<4x16x2x12xf32, #npu.layout<NTensor, [0, 1 by 16, 1, 2]>>,
// CHECK-SAME:  tensor<3x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 40, zeros>>)
func.func private @others(
  tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>, tensor<1x1x8x8x1xf32, #npu.layout<NCHW16c>>,
  tensor<4x2x12x16xf32, #npu.layout<Tensor, [0, 1, 2] tiles [1 by 16]>>,
  tensor<4x2x3x4x16xf32, #npu.layout<Tensor, [0, 1, 2] tiles [2 by 4, 1 by 16], dim 1 = 30, dim 2 = 11>>,
  tensor<4x16x2x12xf32, #npu.layout<NTensor, [0, 1 by 16, 1, 2]>>, tensor<3x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 40, zeros>>)

/// A pack fills the last block up, and changes the order of the axes as well.
// CHECK-LABEL: func.func @pack
func.func @pack(%x: tensor<1x8x8x40xf32, #npu.layout<NHWC>>, %one: tensor<1x1x8x8xf32, #npu.layout<NCHW>>) {
  // CHECK-NEXT: %zeros = npu.pack %x : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  %zeros = npu.pack %x : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  // CHECK-NEXT: %any = npu.pack %x : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40>>
  %any = npu.pack %x : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40>>
  // CHECK-NEXT: %whole = npu.pack %x : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> tensor<1x5x8x8x8xf32, #npu.layout<NCHW8c>>
  %whole = npu.pack %x : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> tensor<1x5x8x8x8xf32, #npu.layout<NCHW8c>>
  // CHECK-NEXT: %repeated = npu.pack %one : (tensor<1x1x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x1x8x8x1xf32, #npu.layout<NCHW16c>>
  %repeated = npu.pack %one : (tensor<1x1x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x1x8x8x1xf32, #npu.layout<NCHW16c>>
  // CHECK-NEXT: %filled = npu.pack %one : (tensor<1x1x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x1x8x8x16xf32, #npu.layout<NCHW16c, C = 1, zeros>>
  %filled = npu.pack %one : (tensor<1x1x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x1x8x8x16xf32, #npu.layout<NCHW16c, C = 1, zeros>>
  return
}

/// A pack writes zeros behind blocks whose padding may be anything, and changes the order of their pieces as well.
// CHECK-LABEL: func.func @zeros
func.func @zeros(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) {
  // CHECK-NEXT: %y = npu.pack %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40, zeros>>
  %y = npu.pack %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40, zeros>>
  return
}

/// A pack leads to blocks of other sizes.
// CHECK-LABEL: func.func @other
func.func @other(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) {
  // CHECK-NEXT: %y = npu.pack %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x2x8x8x32xf32, #npu.layout<NCHW32c, C = 40, zeros>>
  %y = npu.pack %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x2x8x8x32xf32, #npu.layout<NCHW32c, C = 40, zeros>>
  return
}

/// An unpack drops the padding.
// CHECK-LABEL: func.func @unpack
func.func @unpack(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>, %n: tensor<?x3x?x?x16xf32, #npu.layout<NCHW16c, C = 40>>) {
  // CHECK-NEXT: %y = npu.unpack %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x8x8x40xf32, #npu.layout<NHWC>>
  %y = npu.unpack %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x8x8x40xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %m = npu.unpack %n : (tensor<?x3x?x?x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<?x40x?x?xf32, #npu.layout<NCHW>>
  %m = npu.unpack %n : (tensor<?x3x?x?x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<?x40x?x?xf32, #npu.layout<NCHW>>
  return
}

/// Views keep blocks and padding in place; it may be forgotten that padding is zeros.
// CHECK-LABEL: func.func @views
func.func @views(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, %w: tensor<1x8x8x2x16xf32, #npu.layout<NHWC16c>>) {
  // CHECK-NEXT: %t = npu.transpose %x permutation = [0, 2, 1, 3, 4] : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40>>
  %t = npu.transpose %x permutation = [0, 2, 1, 3, 4] : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40>>
  // CHECK-NEXT: %l = npu.relabel %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x8x8x16xf32, #npu.layout<Tensor, [0, 1, 2, 3] tiles [1 by 16], dim 1 = 40, zeros>>
  %l = npu.relabel %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x8x8x16xf32, #npu.layout<Tensor, [0, 1, 2, 3] tiles [1 by 16], dim 1 = 40, zeros>>
  // CHECK-NEXT: %r = npu.reshape %w : (tensor<1x8x8x2x16xf32, #npu.layout<NHWC16c>>) -> tensor<1x8x8x32xf32, #npu.layout<NHWC>>
  %r = npu.reshape %w : (tensor<1x8x8x2x16xf32, #npu.layout<NHWC16c>>) -> tensor<1x8x8x32xf32, #npu.layout<NHWC>>
  return
}

/// Ops on blocks: elementwise ones, pools, and movement along axes without padding.
// CHECK-LABEL: func.func @ops
func.func @ops(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, %c: tensor<1x3x1x1x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>,
    %one: tensor<1x1x8x8x1xf32, #npu.layout<NCHW16c>>, %s: tensor<f32>) {
  // CHECK-NEXT: %relu = npu.relu %x : tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  %relu = npu.relu %x : tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  // CHECK-NEXT: %sum = npu.add %x, %c : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<1x3x1x1x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  %sum = npu.add %x, %c : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<1x3x1x1x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  // CHECK-NEXT: %exp = npu.exp %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  %exp = npu.exp %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  // CHECK-NEXT: %wide = npu.mul %x, %one : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<1x1x8x8x1xf32, #npu.layout<NCHW16c>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  %wide = npu.mul %x, %one : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<1x1x8x8x1xf32, #npu.layout<NCHW16c>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  // CHECK-NEXT: %scaled = npu.mul %x, %s : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<f32>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  %scaled = npu.mul %x, %s : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<f32>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  // CHECK-NEXT: %max = npu.max_pool %x window = [2, 2] strides = [2, 2] : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x4x4x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  %max = npu.max_pool %x window = [2, 2] strides = [2, 2] : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x4x4x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  // CHECK-NEXT: %avg = npu.global_avg_pool %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x1x1x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  %avg = npu.global_avg_pool %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x1x1x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  // CHECK-NEXT: %cat = npu.concat %x, %relu axis = 2 : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x16x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  %cat = npu.concat %x, %relu axis = 2 : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x16x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  return
}

/// Convolutions: channels that are summed end in zeros in the data and the kernel; the padding of the result is zeros if kernel and bias have them.
/// Data may stay whole, in any order.
// CHECK-LABEL: func.func @convolutions
func.func @convolutions(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, %w: tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>,
    %b: tensor<2x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 20, zeros>>, %d: tensor<3x1x3x3x16xf32, #npu.layout<OIHW16o, O = 40>>,
    %i: tensor<1x8x3x8xf32, #npu.layout<NHCW>>, %f: tensor<2x3x3x3x16xf32, #npu.layout<OIHW16o, O = 20, zeros>>) {
  // CHECK-NEXT: %conv = npu.conv2d %x, %w, %b : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>, tensor<2x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 20, zeros>>) -> tensor<1x2x6x6x16xf32, #npu.layout<NCHW16c, C = 20, zeros>>
  %conv = npu.conv2d %x, %w, %b : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>, tensor<2x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 20, zeros>>) -> tensor<1x2x6x6x16xf32, #npu.layout<NCHW16c, C = 20, zeros>>
  // CHECK-NEXT: %whole = npu.conv2d %i, %f : (tensor<1x8x3x8xf32, #npu.layout<NHCW>>, tensor<2x3x3x3x16xf32, #npu.layout<OIHW16o, O = 20, zeros>>) -> tensor<1x2x6x6x16xf32, #npu.layout<NCHW16c, C = 20, zeros>>
  %whole = npu.conv2d %i, %f : (tensor<1x8x3x8xf32, #npu.layout<NHCW>>, tensor<2x3x3x3x16xf32, #npu.layout<OIHW16o, O = 20, zeros>>) -> tensor<1x2x6x6x16xf32, #npu.layout<NCHW16c, C = 20, zeros>>
  // CHECK-NEXT: %depthwise = npu.conv2d %x, %d groups = 40 : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<3x1x3x3x16xf32, #npu.layout<OIHW16o, O = 40>>) -> tensor<1x3x6x6x16xf32, #npu.layout<NCHW16c, C = 40>>
  %depthwise = npu.conv2d %x, %d groups = 40 : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<3x1x3x3x16xf32, #npu.layout<OIHW16o, O = 40>>) -> tensor<1x3x6x6x16xf32, #npu.layout<NCHW16c, C = 40>>
  return
}

/// Integers: the padding of data may be anything where the kernel and its zero point, a constant, are zeros. A transposed convolution sums along O, and its result has blocks of another size than its kernel.
// CHECK-LABEL: func.func @more_convolutions
func.func @more_convolutions(%x: tensor<1x2x8x8x32xi8, #npu.layout<NCHW32c, C = 40>>, %w: tensor<2x2x1x1x32x16xi8, #npu.layout<OIHW32i16o, O = 20, I = 40, zeros>>, %z: tensor<i8, #npu.layout<Tensor>>, %s: tensor<f32, #npu.layout<Tensor>>, %ws: tensor<1x32xf32, #npu.layout<Tensor, [0] tiles [0 by 32], dim 0 = 20, zeros>>,
    %f: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, %t: tensor<3x2x3x3x8x16xf32, #npu.layout<OIHW8i16o, O = 40, I = 12, zeros>>) {
  // CHECK-NEXT: %zero = npu.constant dense<0> : tensor<1x32xi8, #npu.layout<Tensor, [0] tiles [0 by 32], dim 0 = 20, zeros>>
  %zero = npu.constant dense<0> : tensor<1x32xi8, #npu.layout<Tensor, [0] tiles [0 by 32], dim 0 = 20, zeros>>
  // CHECK-NEXT: %int = npu.conv2d_integer %x, %w, %z, %zero : (tensor<1x2x8x8x32xi8, #npu.layout<NCHW32c, C = 40>>, tensor<2x2x1x1x32x16xi8, #npu.layout<OIHW32i16o, O = 20, I = 40, zeros>>, tensor<i8, #npu.layout<Tensor>>, tensor<1x32xi8, #npu.layout<Tensor, [0] tiles [0 by 32], dim 0 = 20, zeros>>) -> tensor<1x1x8x8x32xi32, #npu.layout<NCHW32c, C = 20, zeros>>
  %int = npu.conv2d_integer %x, %w, %z, %zero : (tensor<1x2x8x8x32xi8, #npu.layout<NCHW32c, C = 40>>, tensor<2x2x1x1x32x16xi8, #npu.layout<OIHW32i16o, O = 20, I = 40, zeros>>, tensor<i8, #npu.layout<Tensor>>, tensor<1x32xi8, #npu.layout<Tensor, [0] tiles [0 by 32], dim 0 = 20, zeros>>) -> tensor<1x1x8x8x32xi32, #npu.layout<NCHW32c, C = 20, zeros>>
  // CHECK-NEXT: %quant = npu.quant_conv2d %x, %w, %s, %z, %ws, %zero, %s, %z : (tensor<1x2x8x8x32xi8, #npu.layout<NCHW32c, C = 40>>, tensor<2x2x1x1x32x16xi8, #npu.layout<OIHW32i16o, O = 20, I = 40, zeros>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<1x32xf32, #npu.layout<Tensor, [0] tiles [0 by 32], dim 0 = 20, zeros>>, tensor<1x32xi8, #npu.layout<Tensor, [0] tiles [0 by 32], dim 0 = 20, zeros>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<1x1x8x8x32xi8, #npu.layout<NCHW32c, C = 20>>
  %quant = npu.quant_conv2d %x, %w, %s, %z, %ws, %zero, %s, %z : (tensor<1x2x8x8x32xi8, #npu.layout<NCHW32c, C = 40>>, tensor<2x2x1x1x32x16xi8, #npu.layout<OIHW32i16o, O = 20, I = 40, zeros>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<1x32xf32, #npu.layout<Tensor, [0] tiles [0 by 32], dim 0 = 20, zeros>>, tensor<1x32xi8, #npu.layout<Tensor, [0] tiles [0 by 32], dim 0 = 20, zeros>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<1x1x8x8x32xi8, #npu.layout<NCHW32c, C = 20>>
  // CHECK-NEXT: %up = npu.conv_transpose2d %f, %t : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<3x2x3x3x8x16xf32, #npu.layout<OIHW8i16o, O = 40, I = 12, zeros>>) -> tensor<1x1x10x10x16xf32, #npu.layout<NCHW16c, C = 12, zeros>>
  %up = npu.conv_transpose2d %f, %t : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<3x2x3x3x8x16xf32, #npu.layout<OIHW8i16o, O = 40, I = 12, zeros>>) -> tensor<1x1x10x10x16xf32, #npu.layout<NCHW16c, C = 12, zeros>>
  return
}

/// Products of matrices: rows and columns in blocks; what is summed ends in zeros in both operands, or for integers in one of them. A bias makes padding of rows anything.
// CHECK-LABEL: func.func @products
func.func @products(%x: tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40, zeros>>, %w: tensor<3x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 40, dim 1 = 10, zeros>>, %t: tensor<1x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [1 by 16, 0 by 16], dim 0 = 10, dim 1 = 40, zeros>>, %b: tensor<1x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 10, zeros>>,
    %p: tensor<4x3x16xi32, #npu.layout<Tensor, [0, 1] tiles [1 by 16], dim 1 = 40, zeros>>, %q: tensor<3x6x16xi32, #npu.layout<Tensor, [0, 1] tiles [0 by 16], dim 0 = 40>>) {
  // CHECK-NEXT: %m = npu.matmul %x, %w : (tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40, zeros>>, tensor<3x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 40, dim 1 = 10, zeros>>) -> tensor<2x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 10, zeros>>
  %m = npu.matmul %x, %w : (tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40, zeros>>, tensor<3x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 40, dim 1 = 10, zeros>>) -> tensor<2x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 10, zeros>>
  // CHECK-NEXT: %g = npu.gemm %x, %t, %b trans_b : (tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40, zeros>>, tensor<1x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [1 by 16, 0 by 16], dim 0 = 10, dim 1 = 40, zeros>>, tensor<1x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 10, zeros>>) -> tensor<2x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 10>>
  %g = npu.gemm %x, %t, %b trans_b : (tensor<2x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 40, zeros>>, tensor<1x3x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [1 by 16, 0 by 16], dim 0 = 10, dim 1 = 40, zeros>>, tensor<1x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 10, zeros>>) -> tensor<2x1x16x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16, 1 by 16], dim 0 = 20, dim 1 = 10>>
  // CHECK-NEXT: %k = npu.matmul %p, %q : (tensor<4x3x16xi32, #npu.layout<Tensor, [0, 1] tiles [1 by 16], dim 1 = 40, zeros>>, tensor<3x6x16xi32, #npu.layout<Tensor, [0, 1] tiles [0 by 16], dim 0 = 40>>) -> tensor<4x6xi32, #npu.layout<Tensor>>
  %k = npu.matmul %p, %q : (tensor<4x3x16xi32, #npu.layout<Tensor, [0, 1] tiles [1 by 16], dim 1 = 40, zeros>>, tensor<3x6x16xi32, #npu.layout<Tensor, [0, 1] tiles [0 by 16], dim 0 = 40>>) -> tensor<4x6xi32, #npu.layout<Tensor>>
  return
}

/// Ops on spatial axes keep the padding of channels.
// CHECK-LABEL: func.func @spatial
func.func @spatial(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, %m: tensor<1x3x16x16x16xi1, #npu.layout<NCHW16c, C = 40, zeros>>) {
  // CHECK-NEXT: %rev = npu.mirror %x axes = [2] : tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  %rev = npu.mirror %x axes = [2] : tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  // CHECK-NEXT: %rot = npu.rotate %x turns = 1 : tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  %rot = npu.rotate %x turns = 1 : tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  // CHECK-NEXT: %un = npu.unpool %x window = [2, 2] : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x16x16x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  %un = npu.unpool %x window = [2, 2] : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x16x16x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  // CHECK-NEXT: %masked = npu.mask_unpool %x, %m window = [2, 2] : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<1x3x16x16x16xi1, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x16x16x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  %masked = npu.mask_unpool %x, %m window = [2, 2] : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<1x3x16x16x16xi1, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x16x16x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  return
}

/// Constants in blocks; zeros that the type states are there.
// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK-NEXT: %c = npu.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 0.000000e+00{{\]\]}}> : tensor<2x2xf32, #npu.layout<Tensor, [0] tiles [0 by 2], dim 0 = 3, zeros>>
  %c = npu.constant dense<[[1.0, 2.0], [3.0, 0.0]]> : tensor<2x2xf32, #npu.layout<Tensor, [0] tiles [0 by 2], dim 0 = 3, zeros>>
  // CHECK-NEXT: %any = npu.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00{{\]\]}}> : tensor<2x2xf32, #npu.layout<Tensor, [0] tiles [0 by 2], dim 0 = 3>>
  %any = npu.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32, #npu.layout<Tensor, [0] tiles [0 by 2], dim 0 = 3>>
  // CHECK-NEXT: %f = npu.constant #npu.reference<"w.safetensors", "k"> : tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40>>
  %f = npu.constant #npu.reference<"w.safetensors", "k"> : tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40>>
  return
}
