// RUN: NPU_VERIFY_DIAG

/// An operand of a lower rank is not repeated.
// CHECK: error: 'npu.add' rhs: expected rank 2 like the result, or one element, found 3{{$}}
func.func @f(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  %y = npu.add %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

/// Nor is one of a higher rank, if it has more than one element.
// CHECK: error: 'npu.add' rhs: expected rank 2 like the result, or one element, found 1x1x3{{$}}
func.func @f(%a: tensor<2x3xf32>, %b: tensor<1x1x3xf32>) {
  %y = npu.add %a, %b : (tensor<2x3xf32>, tensor<1x1x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

/// A dynamic dimension may be more than one element.
// CHECK: error: 'npu.add' rhs: expected rank 2 like the result, or one element, found ?{{$}}
func.func @f(%a: tensor<2x3xf32>, %b: tensor<?xf32>) {
  %y = npu.add %a, %b : (tensor<2x3xf32>, tensor<?xf32>) -> tensor<2x3xf32>
  return
}

// -----

/// The result has the rank of an operand.
// CHECK: error: 'npu.add' result: expected the rank of an operand, found 1x1{{$}}
func.func @f(%a: tensor<f32>, %b: tensor<1xf32>) {
  %y = npu.add %a, %b : (tensor<f32>, tensor<1xf32>) -> tensor<1x1xf32>
  return
}

// -----

/// Sizes that are neither equal nor one.
// CHECK: error: 'npu.add' operands: expected shapes that broadcast, found 2x3 and 2x4{{$}}
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  %y = npu.add %a, %b : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

// -----

/// An empty axis is not repeated either.
// CHECK: error: 'npu.add' operands: expected shapes that broadcast, found 0x3 and 2x3{{$}}
func.func @f(%a: tensor<0x3xf32>, %b: tensor<2x3xf32>) {
  %y = npu.add %a, %b : (tensor<0x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

/// The result of broadcasting both sides.
// CHECK: error: 'npu.add' result: expected shape 2x3, found 2x1{{$}}
func.func @f(%a: tensor<2x1xf32>, %b: tensor<1x3xf32>) {
  %y = npu.add %a, %b : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x1xf32>
  return
}

// -----

/// The result of a single operand.
// CHECK: error: 'npu.exp' result: expected shape 2x3, found 2x4{{$}}
func.func @f(%a: tensor<2x3xf32>) {
  %y = npu.exp %a : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

/// A dynamic dimension does not make the static one of the result dynamic.
// CHECK: error: 'npu.add' result: expected shape 2x3, found 4x3{{$}}
func.func @f(%a: tensor<?x3xf32>, %b: tensor<2x3xf32>) {
  %y = npu.add %a, %b : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

/// All three shapes of a selection.
// CHECK: error: 'npu.select' operands: expected shapes that broadcast, found 2x3 and 2x3 and 4x3{{$}}
func.func @f(%c: tensor<2x3xi1>, %a: tensor<2x3xf32>, %b: tensor<4x3xf32>) {
  %y = npu.select %c, %a, %b : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

/// The condition is of truth values.
// CHECK: error: 'npu.select' condition: expected element type i1, found i8{{$}}
func.func @f(%c: tensor<2x3xi8>, %a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  %y = npu.select %c, %a, %b : (tensor<2x3xi8>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

/// The operand that is selected if it is true has the type of the result,
// CHECK: error: 'npu.select' on_true: expected element type f32, found f16{{$}}
func.func @f(%c: tensor<2x3xi1>, %a: tensor<2x3xf16>, %b: tensor<2x3xf32>) {
  %y = npu.select %c, %a, %b : (tensor<2x3xi1>, tensor<2x3xf16>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

/// and so does the other one.
// CHECK: error: 'npu.select' on_false: expected element type f32, found f16{{$}}
func.func @f(%c: tensor<2x3xi1>, %a: tensor<2x3xf32>, %b: tensor<2x3xf16>) {
  %y = npu.select %c, %a, %b : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf16>) -> tensor<2x3xf32>
  return
}

// -----

/// A cast keeps the shape.
// CHECK: error: 'npu.cast' result: expected shape 2x3, found 3x2{{$}}
func.func @f(%a: tensor<2x3xf32>) {
  %y = npu.cast %a : (tensor<2x3xf32>) -> tensor<3x2xi32>
  return
}

// -----

/// Equal sizes in different orders.
// CHECK: error: 'npu.add' rhs: expected layout NHWC like lhs, found NCHW{{$}}
func.func @f(%a: tensor<1x8x8x8xf32, #npu.layout<NHWC>>, %b: tensor<1x8x8x8xf32, #npu.layout<NCHW>>) {
  %y = npu.add %a, %b
    : (tensor<1x8x8x8xf32, #npu.layout<NHWC>>, tensor<1x8x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x8xf32, #npu.layout<NHWC>>
  return
}

// -----

/// A right operand with one axis that is not a unit axis has to agree as well.
// CHECK: error: 'npu.add' rhs: expected layout NHWC like lhs, found Tensor{{$}}
func.func @f(%a: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %b: tensor<1x1x1x16xf32, #npu.layout<Tensor>>) {
  %y = npu.add %a, %b
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x1x1x16xf32, #npu.layout<Tensor>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Classes count, not only orders.
// CHECK: error: 'npu.add' rhs: expected layout Tensor like lhs, found NTensor{{$}}
func.func @f(%a: tensor<2x4x8xf32, #npu.layout<Tensor>>, %b: tensor<2x4x8xf32, #npu.layout<NTensor>>) {
  %y = npu.add %a, %b
    : (tensor<2x4x8xf32, #npu.layout<Tensor>>, tensor<2x4x8xf32, #npu.layout<NTensor>>) -> tensor<2x4x8xf32, #npu.layout<Tensor>>
  return
}

// -----

/// A result of another order.
// CHECK: error: 'npu.exp' result: expected layout Tensor like input, found Tensor, [1, 0]{{$}}
func.func @f(%a: tensor<4x8xf32, #npu.layout<Tensor>>) {
  %y = npu.exp %a : (tensor<4x8xf32, #npu.layout<Tensor>>) -> tensor<4x8xf32, #npu.layout<Tensor, [1, 0]>>
  return
}

// -----

/// An uncoloured operand between two coloured ones.
// CHECK: error: 'npu.select' on_false: expected layout Tensor like condition, found Tensor, [1, 0]{{$}}
func.func @f(
  %c: tensor<2x3xi1, #npu.layout<Tensor>>, %a: tensor<2x3xf32>, %b: tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>
) {
  %y = npu.select %c, %a, %b
    : (tensor<2x3xi1, #npu.layout<Tensor>>, tensor<2x3xf32>, tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<2x3xf32>
  return
}
