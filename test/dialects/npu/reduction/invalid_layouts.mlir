// RUN: NPU_VERIFY_DIAG

/// A kept axis keeps the layout: the order,
// CHECK: error: 'npu.reduce_sum' result: expected layout NHWC like input, found NCHW{{$}}
func.func @f(%x: tensor<1x8x8x8xf32, #npu.layout<NHWC>>) {
  %y = npu.reduce_sum %x axes = [1] keep
    : (tensor<1x8x8x8xf32, #npu.layout<NHWC>>) -> tensor<1x1x8x8xf32, #npu.layout<NCHW>>
  return
}

// -----

/// and the class, also for positions.
// CHECK: error: 'npu.arg_max' result: expected layout NTensor like input, found Tensor{{$}}
func.func @f(%x: tensor<4x8x2xf32, #npu.layout<NTensor>>) {
  %y = npu.arg_max %x axis = 1 keep
    : (tensor<4x8x2xf32, #npu.layout<NTensor>>) -> tensor<4x1x2xi64, #npu.layout<Tensor>>
  return
}

// -----

/// Three of the letters are not an image,
// CHECK: error: 'npu.reduce_sum' result: expected a layout of class Tensor or NTensor, found NCW{{$}}
func.func @f(%x: tensor<1x16x8x9xf32, #npu.layout<NCHW>>) {
  %y = npu.reduce_sum %x axes = [2] : (tensor<1x16x8x9xf32, #npu.layout<NCHW>>) -> tensor<1x16x9xf32, #npu.layout<NCW>>
  return
}

// -----

/// with any input.
// CHECK: error: 'npu.arg_min' result: expected a layout of class Tensor or NTensor, found NCHW{{$}}
func.func @f(%x: tensor<1x16x8x9x7xf32>) {
  %y = npu.arg_min %x axis = 2 : (tensor<1x16x8x9x7xf32>) -> tensor<1x16x9x7xi64, #npu.layout<NCHW>>
  return
}

// -----

/// H is before C in stored order, not in logical order.
// CHECK: error: 'npu.reduce_sum' result: expected order [0, 2, 1] (NHWC without axes [2]), found Tensor{{$}}
func.func @f(%x: tensor<1x8x9x8xf32, #npu.layout<NHWC>>) {
  %y = npu.reduce_sum %x axes = [2] : (tensor<1x8x9x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x8xf32, #npu.layout<Tensor>>
  return
}

// -----

/// If only N and C are left they are in logical order.
// CHECK: error: 'npu.reduce_sum' result: expected order [0, 1] (NHWC without axes [1, 2]), found Tensor, [1, 0]{{$}}
func.func @f(%x: tensor<4x8x9x4xf32, #npu.layout<NHWC>>) {
  %y = npu.reduce_sum %x axes = [1, 2]
    : (tensor<4x8x9x4xf32, #npu.layout<NHWC>>) -> tensor<4x4xf32, #npu.layout<Tensor, [1, 0]>>
  return
}

// -----

/// The same for positions.
// CHECK: error: 'npu.arg_max' result: expected order [1, 0] (NTensor, [0, 2, 1] without axes [0]), found Tensor{{$}}
func.func @f(%x: tensor<4x8x8xf32, #npu.layout<NTensor, [0, 2, 1]>>) {
  %y = npu.arg_max %x axis = 0
    : (tensor<4x8x8xf32, #npu.layout<NTensor, [0, 2, 1]>>) -> tensor<8x8xi64, #npu.layout<Tensor>>
  return
}
