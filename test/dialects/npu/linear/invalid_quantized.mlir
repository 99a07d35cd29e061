// RUN: NPU_VERIFY_DIAG

/// matmul_integer: integers on the left,
// CHECK: error: 'npu.matmul_integer' lhs: expected an integer element type, found f32{{$}}
func.func @f(%a: tensor<4x64xf32>, %b: tensor<64x10xi8>, %az: tensor<ui8>, %bz: tensor<i8>) {
  %y = npu.matmul_integer %a, %b, %az, %bz
    : (tensor<4x64xf32>, tensor<64x10xi8>, tensor<ui8>, tensor<i8>) -> tensor<4x10xi32>
  return
}

// -----

/// on the right,
// CHECK: error: 'npu.matmul_integer' rhs: expected an integer element type, found i1{{$}}
func.func @f(%a: tensor<4x64xui8>, %b: tensor<64x10xi1>, %az: tensor<ui8>, %bz: tensor<i8>) {
  %y = npu.matmul_integer %a, %b, %az, %bz
    : (tensor<4x64xui8>, tensor<64x10xi1>, tensor<ui8>, tensor<i8>) -> tensor<4x10xi32>
  return
}

// -----

/// and i32 as the result.
// CHECK: error: 'npu.matmul_integer' result: expected element type i32, found i64{{$}}
func.func @f(%a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %az: tensor<ui8>, %bz: tensor<i8>) {
  %y = npu.matmul_integer %a, %b, %az, %bz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<ui8>, tensor<i8>) -> tensor<4x10xi64>
  return
}

// -----

/// The sizes are checked as for every product.
// CHECK: error: 'npu.matmul_integer' rhs: expected 64 rows like the columns of lhs, found 32{{$}}
func.func @f(%a: tensor<4x64xui8>, %b: tensor<32x10xi8>, %az: tensor<ui8>, %bz: tensor<i8>) {
  %y = npu.matmul_integer %a, %b, %az, %bz
    : (tensor<4x64xui8>, tensor<32x10xi8>, tensor<ui8>, tensor<i8>) -> tensor<4x10xi32>
  return
}

// -----

/// A zero point has the type of its operand: on the left,
// CHECK: error: 'npu.matmul_integer' lhs_zero_point: expected element type ui8, found i8{{$}}
func.func @f(%a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %az: tensor<i8>, %bz: tensor<i8>) {
  %y = npu.matmul_integer %a, %b, %az, %bz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<i8>, tensor<i8>) -> tensor<4x10xi32>
  return
}

// -----

/// and on the right.
// CHECK: error: 'npu.matmul_integer' rhs_zero_point: expected element type i8, found ui8{{$}}
func.func @f(%a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %az: tensor<ui8>, %bz: tensor<ui8>) {
  %y = npu.matmul_integer %a, %b, %az, %bz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<ui8>, tensor<ui8>) -> tensor<4x10xi32>
  return
}

// -----

/// The left operand has one zero point.
// CHECK: error: 'npu.matmul_integer' lhs_zero_point: expected one element, found 4{{$}}
func.func @f(%a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %az: tensor<4xui8>, %bz: tensor<i8>) {
  %y = npu.matmul_integer %a, %b, %az, %bz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<4xui8>, tensor<i8>) -> tensor<4x10xi32>
  return
}

// -----

/// The right one has one, or one per column.
// CHECK: error: 'npu.matmul_integer' rhs_zero_point: expected one element, or shape 10, found 64{{$}}
func.func @f(%a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %az: tensor<ui8>, %bz: tensor<64xi8>) {
  %y = npu.matmul_integer %a, %b, %az, %bz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<ui8>, tensor<64xi8>) -> tensor<4x10xi32>
  return
}

// -----

/// quant_matmul: integers on the left,
// CHECK: error: 'npu.quant_matmul' lhs: expected an integer element type, found f32{{$}}
func.func @f(
  %a: tensor<4x64xf32>, %b: tensor<64x10xi8>, %as: tensor<f32>, %az: tensor<ui8>, %bs: tensor<f32>, %bz: tensor<i8>,
  %ys: tensor<f32>, %yz: tensor<ui8>
) {
  %y = npu.quant_matmul %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<4x64xf32>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<4x10xui8>
  return
}

// -----

/// on the right,
// CHECK: error: 'npu.quant_matmul' rhs: expected an integer element type, found f32{{$}}
func.func @f(
  %a: tensor<4x64xui8>, %b: tensor<64x10xf32>, %as: tensor<f32>, %az: tensor<ui8>, %bs: tensor<f32>, %bz: tensor<i8>,
  %ys: tensor<f32>, %yz: tensor<ui8>
) {
  %y = npu.quant_matmul %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<4x64xui8>, tensor<64x10xf32>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<4x10xui8>
  return
}

// -----

/// and as the result.
// CHECK: error: 'npu.quant_matmul' result: expected an integer element type, found f32{{$}}
func.func @f(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %as: tensor<f32>, %az: tensor<ui8>, %bs: tensor<f32>, %bz: tensor<i8>,
  %ys: tensor<f32>, %yz: tensor<ui8>
) {
  %y = npu.quant_matmul %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<4x10xf32>
  return
}

// -----

/// The sizes are checked as for every product.
// CHECK: error: 'npu.quant_matmul' result: expected shape 4x10, found 10x4{{$}}
func.func @f(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %as: tensor<f32>, %az: tensor<ui8>, %bs: tensor<f32>, %bz: tensor<i8>,
  %ys: tensor<f32>, %yz: tensor<ui8>
) {
  %y = npu.quant_matmul %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<10x4xui8>
  return
}

// -----

/// Scales are floats: on the left,
// CHECK: error: 'npu.quant_matmul' lhs_scale: expected a float element type, found i32{{$}}
func.func @f(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %as: tensor<i32>, %az: tensor<ui8>, %bs: tensor<f32>, %bz: tensor<i8>,
  %ys: tensor<f32>, %yz: tensor<ui8>
) {
  %y = npu.quant_matmul %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<i32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<4x10xui8>
  return
}

// -----

/// on the right,
// CHECK: error: 'npu.quant_matmul' rhs_scale: expected a float element type, found i32{{$}}
func.func @f(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %as: tensor<f32>, %az: tensor<ui8>, %bs: tensor<i32>, %bz: tensor<i8>,
  %ys: tensor<f32>, %yz: tensor<ui8>
) {
  %y = npu.quant_matmul %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<i32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<4x10xui8>
  return
}

// -----

/// and of the result.
// CHECK: error: 'npu.quant_matmul' result_scale: expected a float element type, found i32{{$}}
func.func @f(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %as: tensor<f32>, %az: tensor<ui8>, %bs: tensor<f32>, %bz: tensor<i8>,
  %ys: tensor<i32>, %yz: tensor<ui8>
) {
  %y = npu.quant_matmul %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<i32>, tensor<ui8>) -> tensor<4x10xui8>
  return
}

// -----

/// The left operand has one scale.
// CHECK: error: 'npu.quant_matmul' lhs_scale: expected one element, found 4{{$}}
func.func @f(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %as: tensor<4xf32>, %az: tensor<ui8>, %bs: tensor<f32>, %bz: tensor<i8>,
  %ys: tensor<f32>, %yz: tensor<ui8>
) {
  %y = npu.quant_matmul %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<4xf32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<4x10xui8>
  return
}

// -----

/// The right one has one, or one per column, in a vector.
// CHECK: error: 'npu.quant_matmul' rhs_scale: expected one element, or shape 10, found 1x10{{$}}
func.func @f(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %as: tensor<f32>, %az: tensor<ui8>, %bs: tensor<1x10xf32>,
  %bz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>
) {
  %y = npu.quant_matmul %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<1x10xf32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<4x10xui8>
  return
}

// -----

/// The result has one.
// CHECK: error: 'npu.quant_matmul' result_scale: expected one element, found 10{{$}}
func.func @f(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %as: tensor<f32>, %az: tensor<ui8>, %bs: tensor<f32>, %bz: tensor<i8>,
  %ys: tensor<10xf32>, %yz: tensor<ui8>
) {
  %y = npu.quant_matmul %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<10xf32>, tensor<ui8>) -> tensor<4x10xui8>
  return
}

// -----

/// Zero points have the type of their operand: on the left,
// CHECK: error: 'npu.quant_matmul' lhs_zero_point: expected element type ui8, found i8{{$}}
func.func @f(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %as: tensor<f32>, %az: tensor<i8>, %bs: tensor<f32>, %bz: tensor<i8>,
  %ys: tensor<f32>, %yz: tensor<ui8>
) {
  %y = npu.quant_matmul %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<4x10xui8>
  return
}

// -----

/// on the right,
// CHECK: error: 'npu.quant_matmul' rhs_zero_point: expected element type i8, found ui8{{$}}
func.func @f(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %as: tensor<f32>, %az: tensor<ui8>, %bs: tensor<f32>, %bz: tensor<ui8>,
  %ys: tensor<f32>, %yz: tensor<ui8>
) {
  %y = npu.quant_matmul %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<4x10xui8>
  return
}

// -----

/// and of the result.
// CHECK: error: 'npu.quant_matmul' result_zero_point: expected element type ui8, found i8{{$}}
func.func @f(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %as: tensor<f32>, %az: tensor<ui8>, %bs: tensor<f32>, %bz: tensor<i8>,
  %ys: tensor<f32>, %yz: tensor<i8>
) {
  %y = npu.quant_matmul %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<4x10xui8>
  return
}

// -----

/// quant_gemm: the bias is of i32.
// CHECK: error: 'npu.quant_gemm' bias: expected element type i32, found f32{{$}}
func.func @f(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %as: tensor<f32>, %az: tensor<ui8>, %bs: tensor<f32>, %bz: tensor<i8>,
  %ys: tensor<f32>, %yz: tensor<ui8>, %c: tensor<10xf32>
) {
  %y = npu.quant_gemm %a, %b, %as, %az, %bs, %bz, %ys, %yz, %c
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, tensor<10xf32>) -> tensor<4x10xui8>
  return
}

// -----

/// The shape of a bias is checked as for every product.
// CHECK: error: 'npu.quant_gemm' bias: expected a shape that repeats to 4x10, shape 10 or one element, found 4{{$}}
func.func @f(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %as: tensor<f32>, %az: tensor<ui8>, %bs: tensor<f32>, %bz: tensor<i8>,
  %ys: tensor<f32>, %yz: tensor<ui8>, %c: tensor<4xi32>
) {
  %y = npu.quant_gemm %a, %b, %as, %az, %bs, %bz, %ys, %yz, %c
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, tensor<4xi32>) -> tensor<4x10xui8>
  return
}

// -----

/// The checks of every quantised product come first.
// CHECK: error: 'npu.quant_gemm' rhs: expected 64 rows like the columns of lhs, found 10{{$}}
func.func @f(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %as: tensor<f32>, %az: tensor<ui8>, %bs: tensor<f32>, %bz: tensor<i8>,
  %ys: tensor<f32>, %yz: tensor<ui8>, %c: tensor<10xf32>
) {
  %y = npu.quant_gemm %a, %b, %as, %az, %bs, %bz, %ys, %yz, %c trans_b
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, tensor<10xf32>) -> tensor<4x10xui8>
  return
}
