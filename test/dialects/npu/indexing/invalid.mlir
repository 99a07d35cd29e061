// RUN: NPU_VERIFY_DIAG

/// Positions are integers.
// CHECK: error: 'npu.gather_elements' indices: expected an integer element type, found f32{{$}}
func.func @f(%x: tensor<2x8xf32>, %i: tensor<2x3xf32>) {
  %y = npu.gather_elements %x, %i axis = 1 : (tensor<2x8xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

/// There are indices along every axis.
// CHECK: error: 'npu.gather_elements' indices: expected rank 2 like input, found 1{{$}}
func.func @f(%x: tensor<2x8xf32>, %i: tensor<3xi64>) {
  %y = npu.gather_elements %x, %i axis = 1 : (tensor<2x8xf32>, tensor<3xi64>) -> tensor<3xf32>
  return
}

// -----

/// Along other axes an index is for its own place, which has to be there.
// CHECK: error: 'npu.gather_elements' indices: expected at most 2 elements along axis 0, found 3{{$}}
func.func @f(%x: tensor<2x8xf32>, %i: tensor<3x8xi64>) {
  %y = npu.gather_elements %x, %i axis = 1 : (tensor<2x8xf32>, tensor<3x8xi64>) -> tensor<3x8xf32>
  return
}

// -----

/// The result has an element for each index.
// CHECK: error: 'npu.gather_elements' result: expected shape 2x3, found 2x8{{$}}
func.func @f(%x: tensor<2x8xf32>, %i: tensor<2x3xi64>) {
  %y = npu.gather_elements %x, %i axis = 1 : (tensor<2x8xf32>, tensor<2x3xi64>) -> tensor<2x8xf32>
  return
}

// -----

/// Elements keep their type.
// CHECK: error: 'npu.gather_elements' result: expected element type f32, found i64{{$}}
func.func @f(%x: tensor<2x8xf32>, %i: tensor<2x3xi64>) {
  %y = npu.gather_elements %x, %i axis = 1 : (tensor<2x8xf32>, tensor<2x3xi64>) -> tensor<2x3xi64>
  return
}

// -----

/// The axis is one of the input.
// CHECK: error: 'npu.gather_elements' axis: expected an axis from 0 to 1, found 2{{$}}
func.func @f(%x: tensor<2x8xf32>, %i: tensor<2x3xi64>) {
  %y = npu.gather_elements %x, %i axis = 2 : (tensor<2x8xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  return
}

// -----

/// Indices have the layout of the data.
// CHECK: error: 'npu.gather_elements' indices: expected layout Tensor, [1, 0] like input, found Tensor{{$}}
func.func @f(%x: tensor<2x8xf32, #npu.layout<Tensor, [1, 0]>>, %i: tensor<2x3xi64, #npu.layout<Tensor>>) {
  %y = npu.gather_elements %x, %i axis = 1
    : (tensor<2x8xf32, #npu.layout<Tensor, [1, 0]>>, tensor<2x3xi64, #npu.layout<Tensor>>) -> tensor<2x3xf32>
  return
}

// -----

/// A reduction is one of five.
// CHECK: error: 'npu.scatter_elements' reduction: expected "none", "add", "mul", "max" or "min", found "mean"{{$}}
func.func @f(%x: tensor<2x8xf32>, %i: tensor<2x3xi64>, %u: tensor<2x3xf32>) {
  %y = npu.scatter_elements %x, %i, %u axis = 1 reduction = "mean"
    : (tensor<2x8xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x8xf32>
  return
}

// -----

/// There is an update for each index.
// CHECK: error: 'npu.scatter_elements' updates: expected shape 2x3, found 2x4{{$}}
func.func @f(%x: tensor<2x8xf32>, %i: tensor<2x3xi64>, %u: tensor<2x4xf32>) {
  %y = npu.scatter_elements %x, %i, %u axis = 1
    : (tensor<2x8xf32>, tensor<2x3xi64>, tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

/// Updates have the type of the elements.
// CHECK: error: 'npu.scatter_elements' updates: expected element type f32, found i32{{$}}
func.func @f(%x: tensor<2x8xf32>, %i: tensor<2x3xi64>, %u: tensor<2x3xi32>) {
  %y = npu.scatter_elements %x, %i, %u axis = 1
    : (tensor<2x8xf32>, tensor<2x3xi64>, tensor<2x3xi32>) -> tensor<2x8xf32>
  return
}

// -----

/// The result has the shape of the input.
// CHECK: error: 'npu.scatter_elements' result: expected shape 2x8, found 2x3{{$}}
func.func @f(%x: tensor<2x8xf32>, %i: tensor<2x3xi64>, %u: tensor<2x3xf32>) {
  %y = npu.scatter_elements %x, %i, %u axis = 1
    : (tensor<2x8xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

/// The positions of slices are a vector.
// CHECK: error: 'npu.scatter' indices: expected rank 1, found 2x1{{$}}
func.func @f(%x: tensor<2x8xf32>, %i: tensor<2x1xi64>, %u: tensor<2x2xf32>) {
  %y = npu.scatter %x, %i, %u axis = 1 : (tensor<2x8xf32>, tensor<2x1xi64>, tensor<2x2xf32>) -> tensor<2x8xf32>
  return
}

// -----

/// There is a slice for each index.
// CHECK: error: 'npu.scatter' updates: expected shape 2x3, found 2x2{{$}}
func.func @f(%x: tensor<2x8xf32>, %i: tensor<3xi64>, %u: tensor<2x2xf32>) {
  %y = npu.scatter %x, %i, %u axis = 1 : (tensor<2x8xf32>, tensor<3xi64>, tensor<2x2xf32>) -> tensor<2x8xf32>
  return
}

// -----

/// A reduction of slices is one of five.
// CHECK: error: 'npu.scatter' reduction: expected "none", "add", "mul", "max" or "min", found "sum"{{$}}
func.func @f(%x: tensor<2x8xf32>, %i: tensor<3xi64>, %u: tensor<2x3xf32>) {
  %y = npu.scatter %x, %i, %u axis = 1 reduction = "sum"
    : (tensor<2x8xf32>, tensor<3xi64>, tensor<2x3xf32>) -> tensor<2x8xf32>
  return
}

// -----

/// No more elements are found than there are.
// CHECK: error: 'npu.top_k' found: expected at most 8 elements along axis 1, found 9{{$}}
func.func @f(%x: tensor<2x8xf32>) {
  %v, %p = npu.top_k %x axis = 1 : (tensor<2x8xf32>) -> (tensor<2x9xf32>, tensor<2x9xi64>)
  return
}

// -----

/// There is a position for each element that is found.
// CHECK: error: 'npu.top_k' places: expected shape 2x3, found 2x4{{$}}
func.func @f(%x: tensor<2x8xf32>) {
  %v, %p = npu.top_k %x axis = 1 : (tensor<2x8xf32>) -> (tensor<2x3xf32>, tensor<2x4xi64>)
  return
}

// -----

/// Positions that are found are integers.
// CHECK: error: 'npu.top_k' places: expected an integer element type, found f32{{$}}
func.func @f(%x: tensor<2x8xf32>) {
  %v, %p = npu.top_k %x axis = 1 : (tensor<2x8xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  return
}

// -----

/// Results of unknown size need a count.
// CHECK: error: 'npu.top_k' count: expected one, as the results have no size, found none{{$}}
func.func @f(%x: tensor<2x8xf32>) {
  %v, %p = npu.top_k %x axis = 1 : (tensor<2x8xf32>) -> (tensor<2x?xf32>, tensor<2x?xi64>)
  return
}

// -----

/// Results of known size have no count.
// CHECK: error: 'npu.top_k' count: expected none, as the results have a size, found one{{$}}
func.func @f(%x: tensor<2x8xf32>, %k: tensor<1xi64>) {
  %v, %p = npu.top_k %x, %k axis = 1 : (tensor<2x8xf32>, tensor<1xi64>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
  return
}

// -----

/// A count is one number.
// CHECK: error: 'npu.top_k' count: expected shape 1, found 2{{$}}
func.func @f(%x: tensor<2x8xf32>, %k: tensor<2xi64>) {
  %v, %p = npu.top_k %x, %k axis = 1 : (tensor<2x8xf32>, tensor<2xi64>) -> (tensor<2x?xf32>, tensor<2x?xi64>)
  return
}

// -----

/// Truth values have no order.
// CHECK: error: 'npu.top_k' input: expected a number as element type, found i1{{$}}
func.func @f(%x: tensor<2x8xi1>) {
  %v, %p = npu.top_k %x axis = 1 : (tensor<2x8xi1>) -> (tensor<2x3xi1>, tensor<2x3xi64>)
  return
}

// -----

/// A condition has truth values.
// CHECK: error: 'npu.compress' condition: expected element type i1, found i8{{$}}
func.func @f(%x: tensor<2x8xf32>, %c: tensor<8xi8>) {
  %y = npu.compress %x, %c axis = 1 : (tensor<2x8xf32>, tensor<8xi8>) -> tensor<2x?xf32>
  return
}

// -----

/// A condition is not longer than the axis.
// CHECK: error: 'npu.compress' condition: expected at most 8 elements, found 9{{$}}
func.func @f(%x: tensor<2x8xf32>, %c: tensor<9xi1>) {
  %y = npu.compress %x, %c axis = 1 : (tensor<2x8xf32>, tensor<9xi1>) -> tensor<2x?xf32>
  return
}

// -----

/// Other axes keep their sizes.
// CHECK: error: 'npu.compress' result: expected shape 2x?, found 3x?{{$}}
func.func @f(%x: tensor<2x8xf32>, %c: tensor<8xi1>) {
  %y = npu.compress %x, %c axis = 1 : (tensor<2x8xf32>, tensor<8xi1>) -> tensor<3x?xf32>
  return
}

// -----

/// The batch is another axis.
// CHECK: error: 'npu.reverse_sequence' batch: expected another axis than axis, found 1{{$}}
func.func @f(%x: tensor<2x8xf32>, %n: tensor<8xi64>) {
  %y = npu.reverse_sequence %x, %n axis = 1 batch = 1 : (tensor<2x8xf32>, tensor<8xi64>) -> tensor<2x8xf32>
  return
}

// -----

/// There is a length for each place in the batch.
// CHECK: error: 'npu.reverse_sequence' lengths: expected shape 2, found 8{{$}}
func.func @f(%x: tensor<2x8xf32>, %n: tensor<8xi64>) {
  %y = npu.reverse_sequence %x, %n axis = 1 batch = 0 : (tensor<2x8xf32>, tensor<8xi64>) -> tensor<2x8xf32>
  return
}
