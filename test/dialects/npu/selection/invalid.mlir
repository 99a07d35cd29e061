// RUN: NPU_VERIFY_DIAG

/// The ends of a range are scalars.
// CHECK: error: 'npu.range' limit: expected shape scalar, found 1{{$}}
func.func @f(%a: tensor<i64>, %b: tensor<1xi64>) {
  %y = npu.range %a, %b, %a : (tensor<i64>, tensor<1xi64>, tensor<i64>) -> tensor<?xi64>
  return
}

// -----

/// The ends of a range have one type.
// CHECK: error: 'npu.range' step: expected element type i64, found i32{{$}}
func.func @f(%a: tensor<i64>, %b: tensor<i32>) {
  %y = npu.range %a, %a, %b : (tensor<i64>, tensor<i64>, tensor<i32>) -> tensor<?xi64>
  return
}

// -----

/// Truth values are not counted.
// CHECK: error: 'npu.range' start: expected a number as element type, found i1{{$}}
func.func @f(%a: tensor<i1>) {
  %y = npu.range %a, %a, %a : (tensor<i1>, tensor<i1>, tensor<i1>) -> tensor<?xi1>
  return
}

// -----

/// A range is a vector.
// CHECK: error: 'npu.range' result: expected shape ?, found 2x2{{$}}
func.func @f(%a: tensor<i64>) {
  %y = npu.range %a, %a, %a : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<2x2xi64>
  return
}

// -----

/// There is a row for each axis.
// CHECK: error: 'npu.non_zero' result: expected shape 2x?, found 3x?{{$}}
func.func @f(%x: tensor<4x6xf32>) {
  %p = npu.non_zero %x : (tensor<4x6xf32>) -> tensor<3x?xi64>
  return
}

// -----

/// Positions have 64 bits.
// CHECK: error: 'npu.non_zero' result: expected element type i64, found i32{{$}}
func.func @f(%x: tensor<4x6xf32>) {
  %p = npu.non_zero %x : (tensor<4x6xf32>) -> tensor<2x?xi32>
  return
}

// -----

/// Different slices have no letters.
// CHECK: error: 'npu.unique' found: expected a layout of class Tensor or NTensor, found NHWC{{$}}
func.func @f(%x: tensor<1x2x3x4xf32, #npu.layout<NHWC>>) {
  %f, %a, %b, %c = npu.unique %x axis = 0
    : (tensor<1x2x3x4xf32, #npu.layout<NHWC>>)
    -> (tensor<1x2x3x4xf32, #npu.layout<NHWC>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
  return
}

// -----

/// Different elements are a vector.
// CHECK: error: 'npu.unique' found: expected shape ?, found 4x6{{$}}
func.func @f(%x: tensor<4x6xf32>) {
  %f, %a, %b, %c = npu.unique %x : (tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<?xi64>, tensor<24xi64>, tensor<?xi64>)
  return
}

// -----

/// There is a place for each slice.
// CHECK: error: 'npu.unique' places: expected shape 6, found 4{{$}}
func.func @f(%x: tensor<4x6xf32>) {
  %f, %a, %b, %c = npu.unique %x axis = 1 : (tensor<4x6xf32>) -> (tensor<4x?xf32>, tensor<?xi64>, tensor<4xi64>, tensor<?xi64>)
  return
}

// -----

/// The axis of slices exists.
// CHECK: error: 'npu.unique' axis: expected an axis from 0 to 1, found 2{{$}}
func.func @f(%x: tensor<4x6xf32>) {
  %f, %a, %b, %c = npu.unique %x axis = 2 : (tensor<4x6xf32>) -> (tensor<4x?xf32>, tensor<?xi64>, tensor<6xi64>, tensor<?xi64>)
  return
}

// -----

/// Elements keep their type.
// CHECK: error: 'npu.unique' found: expected element type f32, found f64{{$}}
func.func @f(%x: tensor<4xf32>) {
  %f, %a, %b, %c = npu.unique %x : (tensor<4xf32>) -> (tensor<?xf64>, tensor<?xi64>, tensor<4xi64>, tensor<?xi64>)
  return
}

// -----

/// There is a score for each box.
// CHECK: error: 'npu.non_max_suppression' boxes: expected shape 1x9x4, found 1x8x4{{$}}
func.func @f(%b: tensor<1x8x4xf32>, %s: tensor<1x2x9xf32>, %n: tensor<1xi64>, %t: tensor<1xf32>) {
  %y = npu.non_max_suppression %b, %s, %n, %t, %t
    : (tensor<1x8x4xf32>, tensor<1x2x9xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x3xi64>
  return
}

// -----

/// A number of boxes is an integer.
// CHECK: error: 'npu.non_max_suppression' most: expected an integer element type, found f32{{$}}
func.func @f(%b: tensor<1x8x4xf32>, %s: tensor<1x2x8xf32>, %t: tensor<1xf32>) {
  %y = npu.non_max_suppression %b, %s, %t, %t, %t
    : (tensor<1x8x4xf32>, tensor<1x2x8xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x3xi64>
  return
}

// -----

/// A limit is one number.
// CHECK: error: 'npu.non_max_suppression' least: expected one element, found 2{{$}}
func.func @f(%b: tensor<1x8x4xf32>, %s: tensor<1x2x8xf32>, %n: tensor<1xi64>, %t: tensor<1xf32>, %u: tensor<2xf32>) {
  %y = npu.non_max_suppression %b, %s, %n, %t, %u
    : (tensor<1x8x4xf32>, tensor<1x2x8xf32>, tensor<1xi64>, tensor<1xf32>, tensor<2xf32>) -> tensor<?x3xi64>
  return
}

// -----

/// A limit of scores is a float.
// CHECK: error: 'npu.non_max_suppression' least: expected a float element type, found i64{{$}}
func.func @f(%b: tensor<1x8x4xf32>, %s: tensor<1x2x8xf32>, %n: tensor<1xi64>, %t: tensor<1xf32>) {
  %y = npu.non_max_suppression %b, %s, %n, %t, %n
    : (tensor<1x8x4xf32>, tensor<1x2x8xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xi64>) -> tensor<?x3xi64>
  return
}

// -----

/// A row has three numbers.
// CHECK: error: 'npu.non_max_suppression' result: expected shape ?x3, found ?x4{{$}}
func.func @f(%b: tensor<1x8x4xf32>, %s: tensor<1x2x8xf32>, %n: tensor<1xi64>, %t: tensor<1xf32>) {
  %y = npu.non_max_suppression %b, %s, %n, %t, %t
    : (tensor<1x8x4xf32>, tensor<1x2x8xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x4xi64>
  return
}
