// RUN: NPU_VERIFY_DIAG

/// An op that takes no blocks.
// CHECK: error: 'npu.depth_to_space' input: expected a layout without blocks, which an unpack makes, found NCHW16c
func.func @f(%x: tensor<1x2x8x8x16xf32, #npu.layout<NCHW16c>>) {
  %y = npu.depth_to_space %x block = 2 : (tensor<1x2x8x8x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x8x16x16xf32, #npu.layout<NCHW>>
  return
}

// -----

/// The result of a pack has blocks.
// CHECK: error: 'npu.pack' result: expected a layout with blocks, found NCHW
func.func @f(%x: tensor<1x40x8x8xf32, #npu.layout<NCHW>>) {
  %y = npu.pack %x : (tensor<1x40x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x40x8x8xf32, #npu.layout<NCHW>>
  return
}

// -----

/// The operand of a pack has none, or other ones, unless zeros are written behind it.
// CHECK: error: 'npu.pack' input: expected a layout without blocks, or other blocks than those of the result, found NCHW16c, C = 40, zeros
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) {
  %y = npu.pack %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  return
}

// -----

/// The operand of an unpack has blocks.
// CHECK: error: 'npu.unpack' input: expected a layout with blocks, found NCHW
func.func @f(%x: tensor<1x40x8x8xf32, #npu.layout<NCHW>>) {
  %y = npu.unpack %x : (tensor<1x40x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x40x8x8xf32, #npu.layout<NCHW>>
  return
}

// -----

/// The result of an unpack has none.
// CHECK: error: 'npu.unpack' result: expected a layout without blocks, found NCHW16c, C = 40
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) {
  %y = npu.unpack %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  return
}

// -----

/// The operand of a pack has a layout.
// CHECK: error: 'npu.pack' input: expected a layout in its type, found 1x40x8x8
func.func @f(%x: tensor<1x40x8x8xf32>) {
  %y = npu.pack %x : (tensor<1x40x8x8xf32>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  return
}

// -----

/// A pack keeps the size of each axis.
// CHECK: error: 'npu.pack' result: expected logical shape 1x41x8x8 like input, found 1x40x8x8
func.func @f(%x: tensor<1x41x8x8xf32, #npu.layout<NCHW>>) {
  %y = npu.pack %x : (tensor<1x41x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  return
}

// -----

/// A pack keeps the elements.
// CHECK: error: 'npu.pack' result: expected element type f16, found f32
func.func @f(%x: tensor<1x40x8x8xf16, #npu.layout<NCHW>>) {
  %y = npu.pack %x : (tensor<1x40x8x8xf16, #npu.layout<NCHW>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  return
}

// -----

/// A pack keeps the meaning of the axes.
// CHECK: error: 'npu.pack' result: expected a layout of class Tensor like input, found NCHW16c, C = 40
func.func @f(%x: tensor<1x40x8x8xf32, #npu.layout<Tensor>>) {
  %y = npu.pack %x : (tensor<1x40x8x8xf32, #npu.layout<Tensor>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  return
}

// -----

/// The padding of a pack that does not fill the last block.
// CHECK: error: 'npu.pack' result: expected logical shape 1x1x8x8 like input, found 1x16x8x8
func.func @f(%x: tensor<1x1x8x8xf32, #npu.layout<NCHW>>) {
  %y = npu.pack %x : (tensor<1x1x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x1x8x8x16xf32, #npu.layout<NCHW16c>>
  return
}

// -----

/// A function that is not zero at zero.
// CHECK: error: 'npu.exp' result: expected padding that may be anything, found NCHW16c, C = 40, zeros
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) {
  %y = npu.exp %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  return
}

// -----

/// Zeros from padding that may be anything.
// CHECK: error: 'npu.relu' result: expected padding that may be anything, found NCHW16c, C = 40, zeros
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) {
  %y = npu.relu %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  return
}

// -----

/// A clip to numbers above zero.
// CHECK: error: 'npu.clip' result: expected padding that may be anything, found NCHW16c, C = 40, zeros
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) {
  %y = npu.clip %x min = 1.0 : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  return
}

// -----

/// A window in the pads only has no maximum.
// CHECK: error: 'npu.max_pool' result: expected padding that may be anything, found NCHW16c, C = 40, zeros
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) {
  %y = npu.max_pool %x window = [1, 1] pads = [1, 0, 1, 0] : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x10x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  return
}

// -----

/// A sum with a number is not zero.
// CHECK: error: 'npu.add' result: expected padding that may be anything, found NCHW16c, C = 40, zeros
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, %s: tensor<f32>) {
  %y = npu.add %x, %s : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<f32>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  return
}

// -----

/// Axes that end in different places.
// CHECK: error: 'npu.add' rhs: expected 40 elements along axis 1 like other values, found NCHW16c, C = 41
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>, %z: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 41>>) {
  %y = npu.add %x, %z : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>, tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 41>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  return
}

// -----

/// Padding in one value only.
// CHECK: error: 'npu.add' rhs: expected 40 elements along axis 1 like other values, found NCHW16c
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>, %z: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c>>) {
  %y = npu.add %x, %z : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>, tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  return
}

// -----

/// One element is repeated, but not if it is the first of a block.
// CHECK: error: 'npu.add' rhs: expected 40 elements along axis 1 like other values, found NCHW16c, C = 1
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>, %z: tensor<1x1x8x8x16xf32, #npu.layout<NCHW16c, C = 1>>) {
  %y = npu.add %x, %z : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>, tensor<1x1x8x8x16xf32, #npu.layout<NCHW16c, C = 1>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  return
}

// -----

/// Other blocks.
// CHECK: error: 'npu.add' result: expected layout NCHW16c like lhs, found NHCW16c
func.func @f(%x: tensor<1x4x8x8x16xf32, #npu.layout<NCHW16c>>, %z: tensor<1x16x8x8x4xf32, #npu.layout<NHCW4c>>) {
  %y = npu.add %x, %x : (tensor<1x4x8x8x16xf32, #npu.layout<NCHW16c>>, tensor<1x4x8x8x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x4x8x8x16xf32, #npu.layout<NHCW16c>>
  return
}

// -----

/// A value without layout beside padding.
// CHECK: error: 'npu.add' rhs: expected a layout in its type, as other values have padding, found 1x3x8x8x16
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>, %z: tensor<1x3x8x8x16xf32>) {
  %y = npu.add %x, %z : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>, tensor<1x3x8x8x16xf32>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  return
}

// -----

/// A softmax over an axis that ends in padding.
// CHECK: error: 'npu.softmax' input: expected no padding along dimension 1, over which the op computes, found NCHW16c, C = 40
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) {
  %y = npu.softmax %x axis = 1 : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  return
}

// -----

/// The range of all elements has padding in it.
// CHECK: error: 'npu.dynamic_quantize' input: expected a layout without padding, which an unpack drops, found NCHW16c, C = 40, zeros
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) {
  %q, %s, %z = npu.dynamic_quantize %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> (tensor<1x3x8x8x16xui8, #npu.layout<NCHW16c, C = 40>>, tensor<f32>, tensor<ui8>)
  return
}

// -----

/// A pool finds spatial axes without blocks.
// CHECK: error: 'npu.max_pool' input: expected blocks of N and C only, found NCHW4h
func.func @f(%x: tensor<1x4x2x8x4xf32, #npu.layout<NCHW4h>>) {
  %y = npu.max_pool %x window = [1, 2] : (tensor<1x4x2x8x4xf32, #npu.layout<NCHW4h>>) -> tensor<1x4x2x7x4xf32, #npu.layout<NCHW4h>>
  return
}

// -----

/// A pool keeps the number of channels.
// CHECK: error: 'npu.max_pool' result: expected logical shape 1x40x7x7, found 1x41x7x7
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) {
  %y = npu.max_pool %x window = [2, 2] : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x3x7x7x16xf32, #npu.layout<NCHW16c, C = 41>>
  return
}

// -----

/// A reshape does not know where the padding is.
// CHECK: error: 'npu.reshape' input: expected a layout without padding, which an unpack drops, found Tensor, [0] tiles [0 by 16], dim 0 = 40
func.func @f(%x: tensor<3x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 40>>) {
  %y = npu.reshape %x : (tensor<3x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 40>>) -> tensor<48xf32, #npu.layout<Tensor>>
  return
}

// -----

/// A broadcast neither.
// CHECK: error: 'npu.broadcast' input: expected a layout without padding, which an unpack drops, found Tensor, [0] tiles [0 by 16], dim 0 = 40
func.func @f(%x: tensor<3x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 40>>) {
  %y = npu.broadcast %x axes = [1, 2] : (tensor<3x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 40>>) -> tensor<2x3x16xf32, #npu.layout<Tensor>>
  return
}

// -----

/// A relabel to other padding.
// CHECK: error: 'npu.relabel' result: expected the padding of input, found NCHW16c, C = 40
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c>>) {
  %y = npu.relabel %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  return
}

// -----

/// A relabel that forgets the padding.
// CHECK: error: 'npu.relabel' result: expected the padding of input, found Tensor
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) {
  %y = npu.relabel %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x3x8x8x16xf32, #npu.layout<Tensor>>
  return
}

// -----

/// A transpose that invents zeros.
// CHECK: error: 'npu.transpose' result: expected padding that may be anything, like input, found NHCW16c, C = 40, zeros
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) {
  %y = npu.transpose %x permutation = [0, 2, 1, 3, 4] : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40, zeros>>
  return
}

// -----

/// A transpose that moves the padding to another axis.
// CHECK: error: 'npu.transpose' result: expected the padding of input, found NCHW16c, C = 120
func.func @f(%x: tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40>>) {
  %y = npu.transpose %x permutation = [0, 1, 2, 3, 4] : (tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40>>) -> tensor<1x8x3x8x16xf32, #npu.layout<NCHW16c, C = 120>>
  return
}

// -----

/// Numbers of a constant that are not zeros.
// CHECK: error: 'npu.constant' value: expected zeros as padding, as Tensor, [0] tiles [0 by 2], dim 0 = 3, zeros says, found other numbers
func.func @f() {
  %c = npu.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32, #npu.layout<Tensor, [0] tiles [0 by 2], dim 0 = 3, zeros>>
  return
}

// -----

/// Numbers in a file may be anything.
// CHECK: error: 'npu.constant' result: expected padding that may be anything, of numbers in a file, found Tensor, [0] tiles [0 by 2], dim 0 = 3, zeros
func.func @f() {
  %c = npu.constant #npu.reference<"w.safetensors", "k"> : tensor<2x2xf32, #npu.layout<Tensor, [0] tiles [0 by 2], dim 0 = 3, zeros>>
  return
}

// -----

/// An op of another system may read the padding.
// CHECK: error: 'npu.opaque' inputs[0]: expected a layout without padding, which an unpack drops, found NCHW16c, C = 40
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) {
  %y = npu.opaque "a.b"(%x) : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  return
}

// -----

/// A described op of another system takes no blocks.
// CHECK: error: 'npu.vendor_elementwise' inputs[0]: expected a layout without blocks, which an unpack makes, found NCHW16c, C = 40
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) {
  %y = npu.vendor_elementwise "a.b"(%x) : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  return
}

// -----

/// Blocks of the batch of a convolution.
// CHECK: error: 'npu.conv2d' data: expected no blocks along N, found NCHW16n
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16n>>, %w: tensor<4x3x3x3xf32, #npu.layout<OIHW>>) {
  %y = npu.conv2d %x, %w : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16n>>, tensor<4x3x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x4x6x6x16xf32, #npu.layout<NCHW16n>>
  return
}

// -----

/// A result without the blocks of the data.
// CHECK: error: 'npu.conv2d' result: expected layout NCHW16c, C = 40, zeros like data, found NCHW
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, %w: tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>) {
  %y = npu.conv2d %x, %w : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>) -> tensor<1x20x6x6xf32, #npu.layout<NCHW>>
  return
}

// -----

/// A kernel without blocks.
// CHECK: error: 'npu.conv2d' kernel: expected blocks and padding along O like C of result, found OIHW
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, %w: tensor<20x40x3x3xf32, #npu.layout<OIHW>>) {
  %y = npu.conv2d %x, %w : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<20x40x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x2x6x6x16xf32, #npu.layout<NCHW16c, C = 20>>
  return
}

// -----

/// A kernel with other blocks of the channels that are summed.
// CHECK: error: 'npu.conv2d' kernel: expected blocks and padding along I like C of data, found OIHW4i16o, O = 20
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, %w: tensor<2x10x3x3x4x16xf32, #npu.layout<OIHW4i16o, O = 20>>) {
  %y = npu.conv2d %x, %w : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<2x10x3x3x4x16xf32, #npu.layout<OIHW4i16o, O = 20>>) -> tensor<1x2x6x6x16xf32, #npu.layout<NCHW16c, C = 20>>
  return
}

// -----

/// A kernel with blocks, and data without.
// CHECK: error: 'npu.conv2d' kernel: expected blocks and padding along O like C of result, found OIHW16i16o, O = 20, I = 40, zeros
func.func @f(%x: tensor<1x40x8x8xf32, #npu.layout<NCHW>>, %w: tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>) {
  %y = npu.conv2d %x, %w : (tensor<1x40x8x8xf32, #npu.layout<NCHW>>, tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>) -> tensor<1x20x6x6xf32, #npu.layout<NCHW>>
  return
}

// -----

/// A value without layout.
// CHECK: error: 'npu.conv2d' kernel: expected rank 4, found 2x3x3x3x16x16
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, %w: tensor<2x3x3x3x16x16xf32>) {
  %y = npu.conv2d %x, %w kernel_layout = <OIHW16i16o, O = 20, I = 40, zeros> : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<2x3x3x3x16x16xf32>) -> tensor<1x2x6x6x16xf32, #npu.layout<NCHW16c, C = 20>>
  return
}

// -----

/// Data that are summed end in zeros.
// CHECK: error: 'npu.conv2d' data: expected zeros as padding of the channels that are summed, found NCHW16c, C = 40
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>, %w: tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>) {
  %y = npu.conv2d %x, %w : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>, tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>) -> tensor<1x2x6x6x16xf32, #npu.layout<NCHW16c, C = 20>>
  return
}

// -----

/// The kernel does, too.
// CHECK: error: 'npu.conv2d' kernel: expected zeros as padding of the channels that are summed, found OIHW16i16o, O = 20, I = 40
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, %w: tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40>>) {
  %y = npu.conv2d %x, %w : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40>>) -> tensor<1x2x6x6x16xf32, #npu.layout<NCHW16c, C = 20>>
  return
}

// -----

/// The result has the padding of the kernel.
// CHECK: error: 'npu.conv2d' kernel: expected 32 output channels like result, found 20
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, %w: tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>) {
  %y = npu.conv2d %x, %w : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>) -> tensor<1x2x6x6x16xf32, #npu.layout<NCHW16c>>
  return
}

// -----

/// Zeros that are computed from other padding.
// CHECK: error: 'npu.conv2d' result: expected padding that may be anything, found NCHW16c, C = 20, zeros
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, %w: tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>, %b: tensor<2x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 20>>) {
  %y = npu.conv2d %x, %w, %b : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>, tensor<2x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 20>>) -> tensor<1x2x6x6x16xf32, #npu.layout<NCHW16c, C = 20, zeros>>
  return
}

// -----

/// A bias without blocks.
// CHECK: error: 'npu.conv2d' bias: expected blocks and padding along axis 0 like C of result, found Tensor
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, %w: tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>, %b: tensor<20xf32, #npu.layout<Tensor>>) {
  %y = npu.conv2d %x, %w, %b : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>, tensor<20xf32, #npu.layout<Tensor>>) -> tensor<1x2x6x6x16xf32, #npu.layout<NCHW16c, C = 20>>
  return
}

// -----

/// A bias without padding.
// CHECK: error: 'npu.conv2d' bias: expected logical shape 20, found 32
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, %w: tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>, %b: tensor<2x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16]>>) {
  %y = npu.conv2d %x, %w, %b : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>, tensor<2x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16]>>) -> tensor<1x2x6x6x16xf32, #npu.layout<NCHW16c, C = 20>>
  return
}

// -----

/// A bias of another size.
// CHECK: error: 'npu.conv2d' bias: expected logical shape 20, found 21
func.func @f(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, %w: tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>, %b: tensor<2x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 21>>) {
  %y = npu.conv2d %x, %w, %b : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<2x3x3x3x16x16xf32, #npu.layout<OIHW16i16o, O = 20, I = 40, zeros>>, tensor<2x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 21>>) -> tensor<1x2x6x6x16xf32, #npu.layout<NCHW16c, C = 20>>
  return
}

// -----

/// Groups that end within a block.
// CHECK: error: 'npu.conv2d' groups: expected whole blocks of channels in each, found 4
func.func @f(%x: tensor<1x2x8x8x16xf32, #npu.layout<NCHW16c>>, %w: tensor<2x1x3x3x16x16xf32, #npu.layout<OIHW16i16o, I = 8, zeros>>) {
  %y = npu.conv2d %x, %w groups = 4 : (tensor<1x2x8x8x16xf32, #npu.layout<NCHW16c>>, tensor<2x1x3x3x16x16xf32, #npu.layout<OIHW16i16o, I = 8, zeros>>) -> tensor<1x2x6x6x16xf32, #npu.layout<NCHW16c>>
  return
}

// -----

/// A depthwise convolution with several results for each channel.
// CHECK: error: 'npu.conv2d' groups: expected one output channel each, found 2
func.func @f(%x: tensor<1x1x8x8x16xf32, #npu.layout<NCHW16c>>, %w: tensor<2x1x3x3x16xf32, #npu.layout<OIHW16o>>) {
  %y = npu.conv2d %x, %w groups = 16 : (tensor<1x1x8x8x16xf32, #npu.layout<NCHW16c>>, tensor<2x1x3x3x16xf32, #npu.layout<OIHW16o>>) -> tensor<1x2x6x6x16xf32, #npu.layout<NCHW16c>>
  return
}

// -----

/// Whole data and a kernel whose input channels are in blocks.
// CHECK: error: 'npu.conv2d' kernel: expected blocks and padding along I like C of data, found OIHW16i16o, I = 3, zeros
func.func @f(%x: tensor<1x3x8x8xf32, #npu.layout<NCHW>>, %w: tensor<1x1x3x3x16x16xf32, #npu.layout<OIHW16i16o, I = 3, zeros>>) {
  %y = npu.conv2d %x, %w : (tensor<1x3x8x8xf32, #npu.layout<NCHW>>, tensor<1x1x3x3x16x16xf32, #npu.layout<OIHW16i16o, I = 3, zeros>>) -> tensor<1x1x6x6x16xf32, #npu.layout<NCHW16c>>
  return
}

// -----

/// Whole data in groups.
// CHECK: error: 'npu.conv2d' result: expected the blocks of data, found NCHW16c
func.func @f(%x: tensor<1x4x8x8xf32, #npu.layout<NCHW>>, %w: tensor<1x2x3x3x16xf32, #npu.layout<OIHW16o>>) {
  %y = npu.conv2d %x, %w groups = 2 : (tensor<1x4x8x8xf32, #npu.layout<NCHW>>, tensor<1x2x3x3x16xf32, #npu.layout<OIHW16o>>) -> tensor<1x1x6x6x16xf32, #npu.layout<NCHW16c>>
  return
}

// -----

/// Whole data, and a result with blocks of rows.
// CHECK: error: 'npu.conv2d' result: expected no blocks along H, found NCHW2h
func.func @f(%x: tensor<1x4x8x8xf32, #npu.layout<NCHW>>, %w: tensor<8x4x3x3xf32, #npu.layout<OIHW>>) {
  %y = npu.conv2d %x, %w : (tensor<1x4x8x8xf32, #npu.layout<NCHW>>, tensor<8x4x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x8x3x6x2xf32, #npu.layout<NCHW2h>>
  return
}

// -----

/// Whole data in NHWC beside a result in other spatial sizes.
// CHECK: error: 'npu.conv2d' result: expected spatial sizes 6x6, found 6x5
func.func @f(%x: tensor<1x8x8x3xf32, #npu.layout<NHWC>>, %w: tensor<1x3x3x3x16xf32, #npu.layout<OIHW16o>>) {
  %y = npu.conv2d %x, %w : (tensor<1x8x8x3xf32, #npu.layout<NHWC>>, tensor<1x3x3x3x16xf32, #npu.layout<OIHW16o>>) -> tensor<1x1x6x5x16xf32, #npu.layout<NCHW16c>>
  return
}

// -----

/// One channel beside a block of one.
// CHECK: error: 'npu.conv2d' kernel: expected blocks and padding along I like C of data, found OIHW16i16o, I = 1, zeros
func.func @f(%x: tensor<1x1x8x8x1xf32, #npu.layout<NCHW16c>>, %w: tensor<1x1x3x3x16x16xf32, #npu.layout<OIHW16i16o, I = 1, zeros>>) {
  %y = npu.conv2d %x, %w : (tensor<1x1x8x8x1xf32, #npu.layout<NCHW16c>>, tensor<1x1x3x3x16x16xf32, #npu.layout<OIHW16i16o, I = 1, zeros>>) -> tensor<1x1x6x6x16xf32, #npu.layout<NCHW16c>>
  return
}
