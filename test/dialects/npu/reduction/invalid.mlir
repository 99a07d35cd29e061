// RUN: NPU_VERIFY_DIAG

/// reduce_sum: truth values are not numbers.
// CHECK: error: 'npu.reduce_sum' input: expected a number as element type, found i1{{$}}
func.func @f(%x: tensor<2x3xi1>) {
  %y = npu.reduce_sum %x axes = [1] : (tensor<2x3xi1>) -> tensor<2xi1>
  return
}

// -----

/// reduce_mean: only floats.
// CHECK: error: 'npu.reduce_mean' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.reduce_mean %x axes = [1] : (tensor<2x3xi32>) -> tensor<2xi32>
  return
}

// -----

/// reduce_max: truth values are not numbers.
// CHECK: error: 'npu.reduce_max' input: expected a number as element type, found i1{{$}}
func.func @f(%x: tensor<2x3xi1>) {
  %y = npu.reduce_max %x axes = [1] : (tensor<2x3xi1>) -> tensor<2xi1>
  return
}

// -----

/// reduce_min: truth values are not numbers.
// CHECK: error: 'npu.reduce_min' input: expected a number as element type, found i1{{$}}
func.func @f(%x: tensor<2x3xi1>) {
  %y = npu.reduce_min %x axes = [1] : (tensor<2x3xi1>) -> tensor<2xi1>
  return
}

// -----

/// reduce_prod: truth values are not numbers.
// CHECK: error: 'npu.reduce_prod' input: expected a number as element type, found i1{{$}}
func.func @f(%x: tensor<2x3xi1>) {
  %y = npu.reduce_prod %x axes = [1] : (tensor<2x3xi1>) -> tensor<2xi1>
  return
}

// -----

/// reduce_l1: truth values are not numbers.
// CHECK: error: 'npu.reduce_l1' input: expected a number as element type, found i1{{$}}
func.func @f(%x: tensor<2x3xi1>) {
  %y = npu.reduce_l1 %x axes = [1] : (tensor<2x3xi1>) -> tensor<2xi1>
  return
}

// -----

/// reduce_l2: only floats.
// CHECK: error: 'npu.reduce_l2' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.reduce_l2 %x axes = [1] : (tensor<2x3xi32>) -> tensor<2xi32>
  return
}

// -----

/// reduce_sum_square: truth values are not numbers.
// CHECK: error: 'npu.reduce_sum_square' input: expected a number as element type, found i1{{$}}
func.func @f(%x: tensor<2x3xi1>) {
  %y = npu.reduce_sum_square %x axes = [1] : (tensor<2x3xi1>) -> tensor<2xi1>
  return
}

// -----

/// reduce_log_sum_exp: only floats.
// CHECK: error: 'npu.reduce_log_sum_exp' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.reduce_log_sum_exp %x axes = [1] : (tensor<2x3xi32>) -> tensor<2xi32>
  return
}

// -----

/// No axes.
// CHECK: error: 'npu.reduce_sum' axes: expected at least one axis, found []{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.reduce_sum %x axes = [] : tensor<2x3xf32>
  return
}

// -----

/// An axis that the input does not have.
// CHECK: error: 'npu.reduce_max' axes: expected different axes from 0 to 1, found [2]{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.reduce_max %x axes = [2] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

/// Axes are not negative.
// CHECK: error: 'npu.reduce_max' axes: expected different axes from 0 to 1, found [-1]{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.reduce_max %x axes = [-1] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

/// An axis twice.
// CHECK: error: 'npu.reduce_mean' axes: expected different axes from 0 to 1, found [1, 1]{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.reduce_mean %x axes = [1, 1] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

/// The result has the type of the input.
// CHECK: error: 'npu.reduce_sum' result: expected element type i8, found i32{{$}}
func.func @f(%x: tensor<2x3xi8>) {
  %y = npu.reduce_sum %x axes = [1] : (tensor<2x3xi8>) -> tensor<2xi32>
  return
}

// -----

/// The same for ops on floats only.
// CHECK: error: 'npu.reduce_mean' result: expected element type f16, found f32{{$}}
func.func @f(%x: tensor<2x3xf16>) {
  %y = npu.reduce_mean %x axes = [1] : (tensor<2x3xf16>) -> tensor<2xf32>
  return
}

// -----

/// The reduced axes are dropped,
// CHECK: error: 'npu.reduce_sum' result: expected shape 2, found 2x1{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.reduce_sum %x axes = [1] : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return
}

// -----

/// or kept with one element,
// CHECK: error: 'npu.reduce_sum' result: expected shape 2x1, found 2{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.reduce_sum %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

/// the others with all of theirs.
// CHECK: error: 'npu.reduce_sum' result: expected shape 1x3, found 2x1{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.reduce_sum %x axes = [0] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return
}

// -----

/// arg_max: truth values are not numbers.
// CHECK: error: 'npu.arg_max' input: expected a number as element type, found i1{{$}}
func.func @f(%x: tensor<2x3xi1>) {
  %y = npu.arg_max %x axis = 1 : (tensor<2x3xi1>) -> tensor<2xi64>
  return
}

// -----

/// arg_min: positions are integers,
// CHECK: error: 'npu.arg_min' result: expected an integer element type, found f32{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.arg_min %x axis = 1 : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

/// which truth values are not.
// CHECK: error: 'npu.arg_max' result: expected an integer element type, found i1{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.arg_max %x axis = 1 : (tensor<2x3xf32>) -> tensor<2xi1>
  return
}

// -----

/// An axis of the input.
// CHECK: error: 'npu.arg_max' axis: expected an axis from 0 to 1, found 2{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.arg_max %x axis = 2 : (tensor<2x3xf32>) -> tensor<2x3xi64>
  return
}

// -----

/// An empty axis has no position.
// CHECK: error: 'npu.arg_min' input: expected an element along axis 0, found none{{$}}
func.func @f(%x: tensor<0x3xf32>) {
  %y = npu.arg_min %x axis = 0 : (tensor<0x3xf32>) -> tensor<3xi64>
  return
}

// -----

/// The axis is dropped.
// CHECK: error: 'npu.arg_max' result: expected shape 3, found 1x3{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.arg_max %x axis = 0 : (tensor<2x3xf32>) -> tensor<1x3xi64>
  return
}

// -----

/// cumsum: an axis of the input.
// CHECK: error: 'npu.cumsum' axis: expected an axis from 0 to 1, found 2{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.cumsum %x axis = 2 : tensor<2x3xf32>
  return
}

// -----

/// Truth values have no sum.
// CHECK: error: 'npu.cumsum' input: expected a number as element type, found i1{{$}}
func.func @f(%x: tensor<2x3xi1>) {
  %y = npu.cumsum %x axis = 1 : tensor<2x3xi1>
  return
}

// -----

/// The result has the type,
// CHECK: error: 'npu.cumsum' result: expected element type i32, found i64{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.cumsum %x axis = 1 : (tensor<2x3xi32>) -> tensor<2x3xi64>
  return
}

// -----

/// the shape,
// CHECK: error: 'npu.cumsum' result: expected shape 2x3, found 2x4{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.cumsum %x axis = 1 exclusive : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

/// and the layout of the input.
// CHECK: error: 'npu.cumsum' result: expected layout Tensor, [1, 0] like input, found Tensor{{$}}
func.func @f(%x: tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>) {
  %y = npu.cumsum %x axis = 1 reverse
    : (tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<2x3xf32, #npu.layout<Tensor>>
  return
}

// -----

/// cumprod: a result of the type of the input.
// CHECK: error: 'npu.cumprod' result: expected element type i32, found i64{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.cumprod %x axis = 1 : (tensor<2x3xi32>) -> tensor<2x3xi64>
  return
}
