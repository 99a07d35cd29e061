// RUN: NPU_VERIFY_DIAG

/// Numbers are along one axis, their parts along another.
// CHECK: error: 'npu.dft' parts: expected another axis than 1, found 1
func.func @f(%x: tensor<4x8x1xf32>) {
  %a = npu.dft %x axis = 1 parts = 1 : (tensor<4x8x1xf32>) -> tensor<4x8x2xf32>
  return
}

// -----

/// A number has two parts at most.
// CHECK: error: 'npu.dft' input: expected 1 or 2 parts, found 3
func.func @f(%x: tensor<4x8x3xf32>) {
  %a = npu.dft %x axis = 1 parts = 2 : (tensor<4x8x3xf32>) -> tensor<4x8x2xf32>
  return
}

// -----

/// One side of a spectrum says all of real numbers only.
// CHECK: error: 'npu.dft' input: expected 1 parts, found 2
func.func @f(%x: tensor<4x8x2xf32>) {
  %a = npu.dft %x axis = 1 parts = 2 onesided : (tensor<4x8x2xf32>) -> tensor<4x5x2xf32>
  return
}

// -----

/// A spectrum is no integer.
// CHECK: error: 'npu.dft' input: expected a float element type, found i32
func.func @f(%x: tensor<4x8x2xi32>) {
  %a = npu.dft %x axis = 1 parts = 2 : tensor<4x8x2xi32>
  return
}

// -----

/// A signal has an element at least.
// CHECK: error: 'npu.dft' length: expected 1 number of at least 1, found [0]
func.func @f(%x: tensor<4x8x2xf32>) {
  %a = npu.dft %x axis = 1 parts = 2 length = 0 : (tensor<4x8x2xf32>) -> tensor<4x0x2xf32>
  return
}

// -----

/// One side has the bins up to half of the rate.
// CHECK: error: 'npu.dft' result: expected shape 4x5x2, found 4x8x2
func.func @f(%x: tensor<4x8x1xf32>) {
  %a = npu.dft %x axis = 1 parts = 2 onesided : (tensor<4x8x1xf32>) -> tensor<4x8x2xf32>
  return
}

// -----

/// Half a spectrum is that of a signal of one length.
// CHECK: error: 'npu.dft' length: expected 8 for 5 elements of half a spectrum, found 4
func.func @f(%x: tensor<2x5x2xf32>) {
  %a = npu.dft %x axis = 1 parts = 2 length = 4 inverse onesided : (tensor<2x5x2xf32>) -> tensor<2x4x1xf32>
  return
}

// -----

/// Half a spectrum of one element is that of no signal.
// CHECK: error: 'npu.dft' input: expected at least 2 elements along axis 1, found 1
func.func @f(%x: tensor<2x1x2xf32>) {
  %a = npu.dft %x axis = 1 parts = 2 inverse onesided : (tensor<2x1x2xf32>) -> tensor<2x0x1xf32>
  return
}
