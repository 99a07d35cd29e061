// RUN: NPU_VERIFY_DIAG

/// add: truth values are not numbers.
// CHECK: error: 'npu.add' lhs: expected a number as element type, found i1{{$}}
func.func @f(%a: tensor<2x3xi1>, %b: tensor<2x3xi1>) {
  %y = npu.add %a, %b : tensor<2x3xi1>
  return
}

// -----

/// sub: truth values are not numbers.
// CHECK: error: 'npu.sub' lhs: expected a number as element type, found i1{{$}}
func.func @f(%a: tensor<2x3xi1>, %b: tensor<2x3xi1>) {
  %y = npu.sub %a, %b : tensor<2x3xi1>
  return
}

// -----

/// mul: truth values are not numbers.
// CHECK: error: 'npu.mul' lhs: expected a number as element type, found i1{{$}}
func.func @f(%a: tensor<2x3xi1>, %b: tensor<2x3xi1>) {
  %y = npu.mul %a, %b : tensor<2x3xi1>
  return
}

// -----

/// div: truth values are not numbers.
// CHECK: error: 'npu.div' lhs: expected a number as element type, found i1{{$}}
func.func @f(%a: tensor<2x3xi1>, %b: tensor<2x3xi1>) {
  %y = npu.div %a, %b : tensor<2x3xi1>
  return
}

// -----

/// mod: truth values are not numbers.
// CHECK: error: 'npu.mod' lhs: expected a number as element type, found i1{{$}}
func.func @f(%a: tensor<2x3xi1>, %b: tensor<2x3xi1>) {
  %y = npu.mod %a, %b : tensor<2x3xi1>
  return
}

// -----

/// pow: truth values are not numbers.
// CHECK: error: 'npu.pow' lhs: expected a number as element type, found i1{{$}}
func.func @f(%a: tensor<2x3xi1>, %b: tensor<2x3xi1>) {
  %y = npu.pow %a, %b : tensor<2x3xi1>
  return
}

// -----

/// max: truth values are not numbers.
// CHECK: error: 'npu.max' lhs: expected a number as element type, found i1{{$}}
func.func @f(%a: tensor<2x3xi1>, %b: tensor<2x3xi1>) {
  %y = npu.max %a, %b : tensor<2x3xi1>
  return
}

// -----

/// min: truth values are not numbers.
// CHECK: error: 'npu.min' lhs: expected a number as element type, found i1{{$}}
func.func @f(%a: tensor<2x3xi1>, %b: tensor<2x3xi1>) {
  %y = npu.min %a, %b : tensor<2x3xi1>
  return
}

// -----

/// prelu: truth values are not numbers.
// CHECK: error: 'npu.prelu' lhs: expected a number as element type, found i1{{$}}
func.func @f(%a: tensor<2x3xi1>, %b: tensor<2x3xi1>) {
  %y = npu.prelu %a, %b : tensor<2x3xi1>
  return
}

// -----

/// Arithmetic has one type: on the left,
// CHECK: error: 'npu.add' lhs: expected element type f32, found f16{{$}}
func.func @f(%a: tensor<2x3xf16>, %b: tensor<2x3xf32>) {
  %y = npu.add %a, %b : (tensor<2x3xf16>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

/// and on the right, one element or not.
// CHECK: error: 'npu.add' rhs: expected element type f32, found f16{{$}}
func.func @f(%a: tensor<2x3xf32>, %b: tensor<f16>) {
  %y = npu.add %a, %b : (tensor<2x3xf32>, tensor<f16>) -> tensor<2x3xf32>
  return
}

// -----

/// The sign of a remainder is that of one operand.
// CHECK: error: 'npu.mod' sign: expected "lhs" or "rhs", found "floor"{{$}}
func.func @f(%a: tensor<2x3xi32>, %b: tensor<2x3xi32>) {
  %y = npu.mod %a, %b sign = "floor" : tensor<2x3xi32>
  return
}

// -----

/// and: no floats.
// CHECK: error: 'npu.and' lhs: expected i1 or an integer as element type, found f32{{$}}
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  %y = npu.and %a, %b : tensor<2x3xf32>
  return
}

// -----

/// or: no floats.
// CHECK: error: 'npu.or' lhs: expected i1 or an integer as element type, found f32{{$}}
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  %y = npu.or %a, %b : tensor<2x3xf32>
  return
}

// -----

/// xor: no floats.
// CHECK: error: 'npu.xor' lhs: expected i1 or an integer as element type, found f32{{$}}
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  %y = npu.xor %a, %b : tensor<2x3xf32>
  return
}

// -----

/// Logic has one type.
// CHECK: error: 'npu.and' rhs: expected element type i1, found i8{{$}}
func.func @f(%a: tensor<2x3xi1>, %b: tensor<2x3xi8>) {
  %y = npu.and %a, %b : (tensor<2x3xi1>, tensor<2x3xi8>) -> tensor<2x3xi1>
  return
}

// -----

/// equal: the result is of truth values.
// CHECK: error: 'npu.equal' result: expected element type i1, found i8{{$}}
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  %y = npu.equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi8>
  return
}

// -----

/// not_equal: the result is of truth values.
// CHECK: error: 'npu.not_equal' result: expected element type i1, found i8{{$}}
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  %y = npu.not_equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi8>
  return
}

// -----

/// less: the result is of truth values.
// CHECK: error: 'npu.less' result: expected element type i1, found i8{{$}}
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  %y = npu.less %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi8>
  return
}

// -----

/// less_equal: the result is of truth values.
// CHECK: error: 'npu.less_equal' result: expected element type i1, found i8{{$}}
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  %y = npu.less_equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi8>
  return
}

// -----

/// greater: the result is of truth values.
// CHECK: error: 'npu.greater' result: expected element type i1, found i8{{$}}
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  %y = npu.greater %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi8>
  return
}

// -----

/// greater_equal: the result is of truth values.
// CHECK: error: 'npu.greater_equal' result: expected element type i1, found i8{{$}}
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  %y = npu.greater_equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi8>
  return
}

// -----

/// Only numbers of one type are compared.
// CHECK: error: 'npu.less' rhs: expected element type i32, found ui32{{$}}
func.func @f(%a: tensor<2x3xi32>, %b: tensor<2x3xui32>) {
  %y = npu.less %a, %b : (tensor<2x3xi32>, tensor<2x3xui32>) -> tensor<2x3xi1>
  return
}
