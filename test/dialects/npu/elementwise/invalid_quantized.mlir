// RUN: NPU_VERIFY_DIAG

/// quant_add: operands are integers.
// CHECK: error: 'npu.quant_add' lhs: expected an integer element type, found f32{{$}}
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xi8>, %as: tensor<f32>, %az: tensor<f32>, %bs: tensor<f32>, %bz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<i8>) {
  %y = npu.quant_add %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<2x3xf32>, tensor<2x3xi8>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// -----

/// quant_add: the result is of integers.
// CHECK: error: 'npu.quant_add' result: expected an integer element type, found f32{{$}}
func.func @f(%a: tensor<2x3xi8>, %b: tensor<2x3xi8>, %as: tensor<f32>, %az: tensor<i8>, %bs: tensor<f32>, %bz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<f32>) {
  %y = npu.quant_add %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<2x3xi8>, tensor<2x3xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

/// quant_add: there is one scale.
// CHECK: error: 'npu.quant_add' rhs_scale: expected one element, found 3{{$}}
func.func @f(%a: tensor<2x3xi8>, %b: tensor<2x3xi8>, %as: tensor<f32>, %az: tensor<i8>, %bs: tensor<3xf32>, %bz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<i8>) {
  %y = npu.quant_add %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<2x3xi8>, tensor<2x3xi8>, tensor<f32>, tensor<i8>, tensor<3xf32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// -----

/// quant_add: a scale is a float.
// CHECK: error: 'npu.quant_add' lhs_scale: expected a float element type, found i32{{$}}
func.func @f(%a: tensor<2x3xi8>, %b: tensor<2x3xi8>, %as: tensor<i32>, %az: tensor<i8>, %bs: tensor<f32>, %bz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<i8>) {
  %y = npu.quant_add %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<2x3xi8>, tensor<2x3xi8>, tensor<i32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// -----

/// quant_add: the scales are of one type.
// CHECK: error: 'npu.quant_add' result_scale: expected element type f32, found f16{{$}}
func.func @f(%a: tensor<2x3xi8>, %b: tensor<2x3xi8>, %as: tensor<f32>, %az: tensor<i8>, %bs: tensor<f32>, %bz: tensor<i8>, %ys: tensor<f16>, %yz: tensor<i8>) {
  %y = npu.quant_add %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<2x3xi8>, tensor<2x3xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f16>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// -----

/// quant_add: a zero point is one of the integers.
// CHECK: error: 'npu.quant_add' rhs_zero_point: expected element type i8, found ui8{{$}}
func.func @f(%a: tensor<2x3xi8>, %b: tensor<2x3xi8>, %as: tensor<f32>, %az: tensor<i8>, %bs: tensor<f32>, %bz: tensor<ui8>, %ys: tensor<f32>, %yz: tensor<i8>) {
  %y = npu.quant_add %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<2x3xi8>, tensor<2x3xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// -----

/// quant_add: shapes broadcast.
// CHECK: error: 'npu.quant_add' operands: expected shapes that broadcast, found 2x3 and 2x4{{$}}
func.func @f(%a: tensor<2x3xi8>, %b: tensor<2x4xi8>, %as: tensor<f32>, %az: tensor<i8>, %bs: tensor<f32>, %bz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<i8>) {
  %y = npu.quant_add %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<2x3xi8>, tensor<2x4xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// -----

/// quant_mul: the result has the shape of both.
// CHECK: error: 'npu.quant_mul' result: expected shape 2x3, found 3x2{{$}}
func.func @f(%a: tensor<2x3xi8>, %b: tensor<2x3xi8>, %as: tensor<f32>, %az: tensor<i8>, %bs: tensor<f32>, %bz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<i8>) {
  %y = npu.quant_mul %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<2x3xi8>, tensor<2x3xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<3x2xi8>
  return
}

// -----

/// quant_mul: there is one zero point.
// CHECK: error: 'npu.quant_mul' lhs_zero_point: expected one element, found 3{{$}}
func.func @f(%a: tensor<2x3xi8>, %b: tensor<2x3xi8>, %as: tensor<f32>, %az: tensor<3xi8>, %bs: tensor<f32>, %bz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<i8>) {
  %y = npu.quant_mul %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<2x3xi8>, tensor<2x3xi8>, tensor<f32>, tensor<3xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return
}
