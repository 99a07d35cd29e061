// RUN: NPU_VERIFY_DIAG

/// Only floats of 8 bits or fewer overflow.
// CHECK: error: 'npu.cast' overflows: expected a float of 8 bits or fewer as result, found f16{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.cast %x overflows : (tensor<2x3xf32>) -> tensor<2x3xf16>
  return
}

// -----

/// Only powers of two are rounded in several ways,
// CHECK: error: 'npu.cast' rounding: expected element type f8E8M0FNU as result, found f8E5M2{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.cast %x rounding = "up" : (tensor<2x3xf32>) -> tensor<2x3xf8E5M2>
  return
}

// -----

/// of which there are three.
// CHECK: error: 'npu.cast' rounding: expected "up", "down" or "nearest", found "even"{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.cast %x rounding = "even" : (tensor<2x3xf32>) -> tensor<2x3xf8E8M0FNU>
  return
}

// -----

/// There is no arithmetic on floats of 8 bits.
// CHECK: error: 'npu.add' lhs: expected an element type with arithmetic, found f8E5M2{{$}}
func.func @f(%x: tensor<2x3xf8E5M2>) {
  %y = npu.add %x, %x : tensor<2x3xf8E5M2>
  return
}

// -----

/// Bits stay as many.
// CHECK: error: 'npu.bitcast' result: expected an element type of 32 bits, found i64{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.bitcast %x : (tensor<2x3xf32>) -> tensor<2x3xi64>
  return
}

// -----

/// A truth value is a byte.
// CHECK: error: 'npu.bitcast' result: expected an element type of 8 bits, found i2{{$}}
func.func @f(%x: tensor<2x3xi1>) {
  %y = npu.bitcast %x : (tensor<2x3xi1>) -> tensor<2x3xi2>
  return
}
