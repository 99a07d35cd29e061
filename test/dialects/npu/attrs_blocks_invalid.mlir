// RUN: NPU_PARSE_DIAG
// Messages about blocks of axes, with line and column, and the marked text.

/// The size of a block is missing.
// CHECK: :[[# @LINE + 2]]:56: error: 'NCHWc' is not a layout: expected a permutation of NCW, NCHW, NCDHW, OIW, OIHW or OIDHW, or Tensor or NTensor
// CHECK: {{^ +\^{5}$}}
func.func private @f(tensor<1x2x3x4x5xf32, #npu.layout<NCHWc>>)

// -----

/// A letter of no axis.
// CHECK: :[[# @LINE + 2]]:56: error: 'NCHW16x' is not a layout: expected a permutation of NCW, NCHW, NCDHW, OIW, OIHW or OIDHW, or Tensor or NTensor
// CHECK: {{^ +\^{7}$}}
func.func private @f(tensor<1x2x3x4x5xf32, #npu.layout<NCHW16x>>)

// -----

/// Blocks of an axis that is not there.
// CHECK: :[[# @LINE + 2]]:56: error: 'NCW16h' is not a layout: expected a permutation of NCW, NCHW, NCDHW, OIW, OIHW or OIDHW, or Tensor or NTensor
// CHECK: {{^ +\^{6}$}}
func.func private @f(tensor<1x2x3x4x5xf32, #npu.layout<NCW16h>>)

// -----

/// Blocks of an axis that is not there, by number.
// CHECK: :[[# @LINE + 2]]:53: error: axis 2 has blocks, but is not in the order itself
// CHECK: {{^ +\^{30}$}}
func.func private @f(tensor<1x2x16xf32, #npu.layout<Tensor, [0, 1] tiles [2 by 16]>>)

// -----

/// Two sizes of blocks.
// CHECK: :[[# @LINE + 2]]:59: error: an axis has blocks of one size
// CHECK: {{^ +\^{9}$}}
func.func private @f(tensor<1x2x3x4x16x8xf32, #npu.layout<NCHW16c8c>>)

// -----

/// Blocks of one element.
// CHECK: :[[# @LINE + 2]]:56: error: a block has at least 2 elements
// CHECK: {{^ +\^{6}$}}
func.func private @f(tensor<1x2x3x4x1xf32, #npu.layout<NCHW1c>>)

// -----

/// Blocks of more elements than any hardware has.
// CHECK: :[[# @LINE + 2]]:56: error: a block has at most 65536 elements
// CHECK: {{^ +\^{10}$}}
func.func private @f(tensor<1x2x3x4x1xf32, #npu.layout<NCHW65537c>>)

// -----

/// A position twice.
// CHECK: :[[# @LINE + 2]]:53: error: [0, 0, 1] is not a permutation
// CHECK: {{^ +\^{30}$}}
func.func private @f(tensor<1x2x16xf32, #npu.layout<Tensor, [0, 0] tiles [0 by 16]>>)

// -----

/// Padding of an axis without blocks.
// CHECK: :[[# @LINE + 2]]:57: error: only an axis in blocks ends in padding
// CHECK: {{^ +\^{14}$}}
func.func private @f(tensor<1x2x3x4x16xf32, #npu.layout<NCHW16c, H = 2>>)

// -----

/// Padding of an axis of another class.
// CHECK: :[[# @LINE + 2]]:57: error: only an axis in blocks ends in padding
// CHECK: {{^ +\^{14}$}}
func.func private @f(tensor<1x2x3x4x16xf32, #npu.layout<NCHW16c, O = 2>>)

// -----

/// Padding without blocks.
// CHECK: :[[# @LINE + 2]]:54: error: only an axis in blocks ends in padding
// CHECK: {{^ +\^{11}$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<NCHW, C = 2>>)

// -----

/// Two sizes of an axis.
// CHECK: :[[# @LINE + 2]]:57: error: an axis has one size
// CHECK: {{^ +\^{23}$}}
func.func private @f(tensor<1x2x3x4x16xf32, #npu.layout<NCHW16c, C = 20, C = 21>>)

// -----

/// Zeros without padding.
// CHECK: :[[# @LINE + 2]]:57: error: there is no padding that could be zeros: no size of an axis is given
// CHECK: {{^ +\^{14}$}}
func.func private @f(tensor<1x2x3x4x16xf32, #npu.layout<NCHW16c, zeros>>)

// -----

/// Zeros without an order.
// CHECK: :[[# @LINE + 2]]:50: error: Tensor needs an order, because only axes in blocks end in padding
// CHECK: {{^ +\^{13}$}}
func.func private @f(tensor<2x3xf32, #npu.layout<Tensor, zeros>>)

// -----

/// A size without an order.
// CHECK: :[[# @LINE + 2]]:50: error: Tensor needs an order, because only axes in blocks end in padding
// CHECK: {{^ +\^{17}$}}
func.func private @f(tensor<2x3xf32, #npu.layout<Tensor, dim 1 = 2>>)

// -----

/// A letter of an axis without letters.
// CHECK: :[[# @LINE + 2]]:52: error: the axes of Tensor have no names: the size of axis 1 is written dim 1 = 40
// CHECK: {{^ +\^{36}$}}
func.func private @f(tensor<2x1x4xf32, #npu.layout<Tensor, [0, 1] tiles [1 by 4], C = 3>>)

// -----

/// A word that is not zeros.
// CHECK: :[[# @LINE + 2]]:78: error: Expected '='
// CHECK: {{^ +\^{1}$}}
func.func private @f(tensor<1x2x3x4x16xf32, #npu.layout<NCHW16c, C = 20, ones>>)

// -----

/// Another rank.
// CHECK: :[[# @LINE + 2]]:22: error: layout NCHW16c is of rank 5, the tensor of rank 4
// CHECK: {{^ +\^{41}$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<NCHW16c>>)

// -----

/// Another size of blocks.
// CHECK: :[[# @LINE + 2]]:22: error: the blocks of axis 1 have 16 elements, the tensor has 8
// CHECK: {{^ +\^{43}$}}
func.func private @f(tensor<1x2x3x4x8xf32, #npu.layout<NCHW16c>>)

// -----

/// A size that ends in an earlier block.
// CHECK: :[[# @LINE + 2]]:22: error: axis 1 has 32 elements, which do not end in the last of 3 blocks of 16
// CHECK: {{^ +\^{52}$}}
func.func private @f(tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 32>>)

// -----

/// A size that the blocks do not hold.
// CHECK: :[[# @LINE + 2]]:22: error: axis 1 has 49 elements, which do not end in the last of 3 blocks of 16
// CHECK: {{^ +\^{52}$}}
func.func private @f(tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 49>>)

// -----

/// A size without padding.
// CHECK: :[[# @LINE + 2]]:22: error: axis 1 has 48 elements, which do not end in the last of 3 blocks of 16
// CHECK: {{^ +\^{52}$}}
func.func private @f(tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 48>>)

// -----

/// One element, which is no block.
// CHECK: :[[# @LINE + 2]]:22: error: the blocks of axis 1 have 16 elements, the tensor has 1
// CHECK: {{^ +\^{50}$}}
func.func private @f(tensor<1x1x8x8x1xf32, #npu.layout<NCHW16c, C = 1>>)

// -----

/// An unknown size of an axis with blocks.
// CHECK: :[[# @LINE + 2]]:22: error: the size of axis 1, which is cut, is unknown
// CHECK: {{^ +\^{44}$}}
func.func private @f(tensor<1x?x8x8x16xf32, #npu.layout<NCHW16c>>)
