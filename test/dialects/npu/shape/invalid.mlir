// RUN: NPU_VERIFY_DIAG
// Reshapes have a file of their own.

/// A broadcast does not convert numbers.
// CHECK: error: 'npu.broadcast' result: expected element type f32, found i32
func.func @f(%x: tensor<8xf32>) {
  %y = npu.broadcast %x axes = [1] : (tensor<8xf32>) -> tensor<2x8xi32>
  return
}

// -----

/// A position for each dimension of the operand.
// CHECK: error: 'npu.broadcast' axes: expected 2 entries, one for each dimension of input, found [1]
func.func @f(%x: tensor<8x4xf32>) {
  %y = npu.broadcast %x axes = [1] : tensor<8x4xf32>
  return
}

// -----

/// The result has no such dimension.
// CHECK: error: 'npu.broadcast' axes: expected different axes from 0 to 1, found [2]
func.func @f(%x: tensor<8xf32>) {
  %y = npu.broadcast %x axes = [2] : (tensor<8xf32>) -> tensor<2x8xf32>
  return
}

// -----

/// Positions are not negative.
// CHECK: error: 'npu.broadcast' axes: expected different axes from 0 to 1, found [-1]
func.func @f(%x: tensor<8xf32>) {
  %y = npu.broadcast %x axes = [-1] : (tensor<8xf32>) -> tensor<2x8xf32>
  return
}

// -----

/// Each position once, so the result has no lower rank.
// CHECK: error: 'npu.broadcast' axes: expected different axes from 0 to 0, found [0, 0]
func.func @f(%x: tensor<8x8xf32>) {
  %y = npu.broadcast %x axes = [0, 0] : (tensor<8x8xf32>) -> tensor<8xf32>
  return
}

// -----

/// Only one element can be repeated.
// CHECK: error: 'npu.broadcast' input: expected a size that repeats to 4 along result axis 0, found 2
func.func @f(%x: tensor<2x8xf32>) {
  %y = npu.broadcast %x axes = [0, 1] : (tensor<2x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

/// A broadcast does not shrink a dimension.
// CHECK: error: 'npu.broadcast' input: expected a size that repeats to 1 along result axis 1, found 8
func.func @f(%x: tensor<8xf32>) {
  %y = npu.broadcast %x axes = [1] : (tensor<8xf32>) -> tensor<2x1xf32>
  return
}

// -----

/// Without layouts the dimensions keep their order: a swap is a transpose.
// CHECK: error: 'npu.broadcast' axes: expected increasing numbers, found [1, 0]
func.func @f(%x: tensor<8x8xf32>) {
  %y = npu.broadcast %x axes = [1, 0] : tensor<8x8xf32>
  return
}

// -----

/// With layouts the logical axes keep theirs: H and W would be swapped.
// CHECK: error: 'npu.broadcast' axes: expected the logical axes of input to keep their order in the result, found [0, 1, 3, 2]
func.func @f(%x: tensor<1x8x4x4xf32, #npu.layout<NCHW>>) {
  %y = npu.broadcast %x axes = [0, 3, 2, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<2x4x4x8xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Increasing positions are wrong if the orders differ.
// CHECK: error: 'npu.broadcast' axes: expected the logical axes of input to keep their order in the result, found [1, 0]
func.func @f(%x: tensor<4x4xf32, #npu.layout<Tensor, [1, 0]>>) {
  %y = npu.broadcast %x axes = [0, 1] : (tensor<4x4xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<4x4x2xf32, #npu.layout<Tensor>>
  return
}

// -----

/// A transpose does not convert numbers.
// CHECK: error: 'npu.transpose' result: expected element type f32, found f64
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf64>
  return
}

// -----

/// A permutation of all axes.
// CHECK: error: 'npu.transpose' permutation: expected a permutation of 2 axes, found [0]
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.transpose %x permutation = [0] : tensor<2x3xf32>
  return
}

// -----

/// A duplicate axis is not a permutation.
// CHECK: error: 'npu.transpose' permutation: expected a permutation of 2 axes, found [1, 1]
func.func @f(%x: tensor<2x2xf32>) {
  %y = npu.transpose %x permutation = [1, 1] : tensor<2x2xf32>
  return
}

// -----

/// Axes are not negative.
// CHECK: error: 'npu.transpose' permutation: expected a permutation of 2 axes, found [-1, 0]
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.transpose %x permutation = [-1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

/// The result has the permuted sizes of the operand.
// CHECK: error: 'npu.transpose' result: expected shape 1x4x6x8, found 1x8x4x6
func.func @f(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  %y = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NHWC>>
  return
}

// -----

/// And its rank.
// CHECK: error: 'npu.transpose' result: expected shape 3x2, found 3x2x1
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2x1xf32>
  return
}

// -----

/// A transpose keeps the class.
// CHECK: error: 'npu.transpose' result: expected a layout of class Feature like input, found Tensor
func.func @f(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  %y = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
  return
}

// -----

/// Tensor and NTensor are two classes.
// CHECK: error: 'npu.transpose' result: expected a layout of class Tensor like input, found NTensor
func.func @f(%x: tensor<2x3x4xf32, #npu.layout<Tensor>>) {
  %y = npu.transpose %x permutation = [0, 2, 1] : (tensor<2x3x4xf32, #npu.layout<Tensor>>) -> tensor<2x4x3xf32, #npu.layout<NTensor>>
  return
}

// -----

/// A relabel does not convert numbers, even between types of equal size.
// CHECK: error: 'npu.relabel' result: expected element type f32, found i32
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.relabel %x : (tensor<2x3xf32>) -> tensor<2x3xi32, #npu.layout<Tensor>>
  return
}

// -----

/// The stored shape stays.
// CHECK: error: 'npu.relabel' result: expected shape 1x8x4x6 like input, found 1x4x6x8
func.func @f(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  %y = npu.relabel %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  return
}

// -----

/// A dynamic size stays dynamic.
// CHECK: error: 'npu.relabel' result: expected shape ?x3 like input, found 2x3
func.func @f(%x: tensor<?x3xf32, #npu.layout<Tensor>>) {
  %y = npu.relabel %x : (tensor<?x3xf32, #npu.layout<Tensor>>) -> tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>
  return
}

// -----

/// The result of a relabel has a layout.
// CHECK: error: 'npu.relabel' result: expected a layout in its type, found 2x3
func.func @f(%x: tensor<2x3xf32, #npu.layout<Tensor>>) {
  %y = npu.relabel %x : (tensor<2x3xf32, #npu.layout<Tensor>>) -> tensor<2x3xf32>
  return
}

// -----

/// The fixed transposes are for images.
// CHECK: error: 'npu.nchw2nhwc' input: expected rank 4, found 1x8x4
func.func @f(%x: tensor<1x8x4xf32>) {
  %y = npu.nchw2nhwc %x : (tensor<1x8x4xf32>) -> tensor<1x4x8xf32>
  return
}

// -----

/// They do not convert numbers.
// CHECK: error: 'npu.nchw2nhwc' result: expected element type f32, found f16
func.func @f(%x: tensor<1x8x4x6xf32>) {
  %y = npu.nchw2nhwc %x : (tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf16>
  return
}

// -----

/// The result of `nchw2nhwc` has C last.
// CHECK: error: 'npu.nchw2nhwc' result: expected shape 1x4x6x8, found 1x6x4x8
func.func @f(%x: tensor<1x8x4x6xf32>) {
  %y = npu.nchw2nhwc %x : (tensor<1x8x4x6xf32>) -> tensor<1x6x4x8xf32>
  return
}

// -----

/// Its operand has the layout in its name.
// CHECK: error: 'npu.nchw2nhwc' input: expected layout NCHW as in the name of the op, found NHWC
func.func @f(%x: tensor<1x8x4x6xf32, #npu.layout<NHWC>>) {
  %y = npu.nchw2nhwc %x : (tensor<1x8x4x6xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Its result has the layout in its name, also if the operand has none.
// CHECK: error: 'npu.nchw2nhwc' result: expected layout NHWC as in the name of the op, found NCHW
func.func @f(%x: tensor<1x8x4x6xf32>) {
  %y = npu.nchw2nhwc %x : (tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>>
  return
}

// -----

/// The result of `nhwc2nchw` has C in the second place.
// CHECK: error: 'npu.nhwc2nchw' result: expected shape 1x8x4x6, found 1x4x8x6
func.func @f(%x: tensor<1x4x6x8xf32>) {
  %y = npu.nhwc2nchw %x : (tensor<1x4x6x8xf32>) -> tensor<1x4x8x6xf32>
  return
}

// -----

/// A Tensor is not an image.
// CHECK: error: 'npu.nhwc2nchw' input: expected layout NHWC as in the name of the op, found Tensor
func.func @f(%x: tensor<1x4x6x8xf32, #npu.layout<Tensor>>) {
  %y = npu.nhwc2nchw %x : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return
}

// -----

/// Its result has the layout in its name.
// CHECK: error: 'npu.nhwc2nchw' result: expected layout NCHW as in the name of the op, found Tensor
func.func @f(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) {
  %y = npu.nhwc2nchw %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
  return
}
