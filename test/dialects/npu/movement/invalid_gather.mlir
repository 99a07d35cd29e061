// RUN: NPU_VERIFY_DIAG

/// There is no such axis.
// CHECK: error: 'npu.gather' axis: expected an axis from 0 to 1, found 2
func.func @f(%x: tensor<4x6xf32>, %i: tensor<3xi64>) {
  %y = npu.gather %x, %i axis = 2 : (tensor<4x6xf32>, tensor<3xi64>) -> tensor<4x6x3xf32>
  return
}

// -----

/// A single number has no axis.
// CHECK: error: 'npu.gather' axis: expected an axis from 0 to -1, found 0
func.func @f(%x: tensor<f32>, %i: tensor<3xi64>) {
  %y = npu.gather %x, %i axis = 0 : (tensor<f32>, tensor<3xi64>) -> tensor<3xf32>
  return
}

// -----

/// Indices are integers.
// CHECK: error: 'npu.gather' indices: expected an integer element type, found f32
func.func @f(%x: tensor<4x6xf32>, %i: tensor<3xf32>) {
  %y = npu.gather %x, %i axis = 0 : (tensor<4x6xf32>, tensor<3xf32>) -> tensor<3x6xf32>
  return
}

// -----

/// Truth values are not indices.
// CHECK: error: 'npu.gather' indices: expected an integer element type, found i1
func.func @f(%x: tensor<4x6xf32>, %i: tensor<4xi1>) {
  %y = npu.gather %x, %i axis = 0 : (tensor<4x6xf32>, tensor<4xi1>) -> tensor<4x6xf32>
  return
}

// -----

/// The element type is kept.
// CHECK: error: 'npu.gather' result: expected element type f32, found i64
func.func @f(%x: tensor<4x6xf32>, %i: tensor<3xi64>) {
  %y = npu.gather %x, %i axis = 0 : (tensor<4x6xf32>, tensor<3xi64>) -> tensor<3x6xi64>
  return
}

// -----

/// The axis has no elements.
// CHECK: error: 'npu.gather' input: expected an element along axis 0, found none
func.func @f(%x: tensor<0x6xf32>, %i: tensor<3xi64>) {
  %y = npu.gather %x, %i axis = 0 : (tensor<0x6xf32>, tensor<3xi64>) -> tensor<3x6xf32>
  return
}

// -----

/// The axes of the indices replace the axis in the result.
// CHECK: error: 'npu.gather' result: expected shape 4x2x7, found 2x7x4
func.func @f(%x: tensor<4x6xf32>, %i: tensor<2x7xi64>) {
  %y = npu.gather %x, %i axis = 1 : (tensor<4x6xf32>, tensor<2x7xi64>) -> tensor<2x7x4xf32>
  return
}

// -----

/// A single index removes the axis.
// CHECK: error: 'npu.gather' result: expected shape 4, found 4x1
func.func @f(%x: tensor<4x6xf32>, %i: tensor<i64>) {
  %y = npu.gather %x, %i axis = 1 : (tensor<4x6xf32>, tensor<i64>) -> tensor<4x1xf32>
  return
}

// -----

/// If the indices are a vector, the result has the layout of the input.
// CHECK: error: 'npu.gather' result: expected layout Tensor, [1, 0] like input, found Tensor
func.func @f(%x: tensor<4x6xf32, #npu.layout<Tensor, [1, 0]>>, %i: tensor<4xi64>) {
  %y = npu.gather %x, %i axis = 0
    : (tensor<4x6xf32, #npu.layout<Tensor, [1, 0]>>, tensor<4xi64>) -> tensor<4x6xf32, #npu.layout<Tensor>>
  return
}

// -----

/// And its class.
// CHECK: error: 'npu.gather' result: expected layout NHWC like input, found Tensor, [0, 2, 3, 1]
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>, %i: tensor<4xi64, #npu.layout<Tensor>>) {
  %y = npu.gather %x, %i axis = 3
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<4xi64, #npu.layout<Tensor>>) -> tensor<1x8x8x4xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
  return
}

// -----

/// Otherwise the letters are lost.
// CHECK: error: 'npu.gather' result: expected a layout of class Tensor or NTensor, found NWC
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>, %i: tensor<i64>) {
  %y = npu.gather %x, %i axis = 1
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<i64>) -> tensor<1x8x4xf32, #npu.layout<NWC>>
  return
}

// -----

/// Also if the input has none.
// CHECK: error: 'npu.gather' result: expected a layout of class Tensor or NTensor, found NCW
func.func @f(%x: tensor<8x8xf32>, %i: tensor<1x4xi64>) {
  %y = npu.gather %x, %i axis = 0 : (tensor<8x8xf32>, tensor<1x4xi64>) -> tensor<1x4x8xf32, #npu.layout<NCW>>
  return
}

// -----

/// The remaining axes keep their order.
// CHECK: error: 'npu.gather' result: expected order [0, 2, 1], which follows from the operands, found Tensor
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>, %i: tensor<i64>) {
  %y = npu.gather %x, %i axis = 1
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<i64>) -> tensor<1x8x4xf32, #npu.layout<Tensor>>
  return
}

// -----

/// Those of the indices keep their stored order, in place of the axis.
// CHECK: error: 'npu.gather' result: expected order [2, 1, 0], which follows from the operands, found Tensor, [2, 0, 1]
func.func @f(%x: tensor<6x4xf32, #npu.layout<Tensor, [1, 0]>>, %i: tensor<7x2xi64, #npu.layout<Tensor, [1, 0]>>) {
  %y = npu.gather %x, %i axis = 1
    : (tensor<6x4xf32, #npu.layout<Tensor, [1, 0]>>, tensor<7x2xi64, #npu.layout<Tensor, [1, 0]>>) -> tensor<6x7x2xf32, #npu.layout<Tensor, [2, 0, 1]>>
  return
}

// -----

/// The order of the input is that of its axes.
// CHECK: error: 'npu.gather' result: expected order [2, 1, 0], which follows from the operands, found Tensor, [0, 2, 1]
func.func @f(%x: tensor<6x4xf32, #npu.layout<Tensor, [1, 0]>>, %i: tensor<7x2xi64, #npu.layout<Tensor, [1, 0]>>) {
  %y = npu.gather %x, %i axis = 1
    : (tensor<6x4xf32, #npu.layout<Tensor, [1, 0]>>, tensor<7x2xi64, #npu.layout<Tensor, [1, 0]>>) -> tensor<6x7x2xf32, #npu.layout<Tensor, [0, 2, 1]>>
  return
}
