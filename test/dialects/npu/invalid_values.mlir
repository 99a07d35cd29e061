// RUN: NPU_VERIFY_DIAG
// Operands and results that no op of the dialect may have, on examples of ops.

/// Index is not an element type.
// CHECK: error: 'npu.relu' input: expected element type i1 to i64, f4 to f64 or bf16, found index
func.func @f(%x: tensor<4xindex>) {
  %y = npu.relu %x : tensor<4xindex>
  return
}

// -----

/// Neither are more than 64.
// CHECK: error: 'npu.neg' input: expected element type i1 to i64, f4 to f64 or bf16, found i65
func.func @f(%x: tensor<4xi65>) {
  %y = npu.neg %x : tensor<4xi65>
  return
}

// -----

/// Nor floats that other hardware has, nor complex numbers.
// CHECK: error: 'npu.neg' input: expected element type i1 to i64, f4 to f64 or bf16, found complex<f32>
func.func @f(%x: tensor<4xcomplex<f32>>) {
  %y = npu.neg %x : tensor<4xcomplex<f32>>
  return
}

// -----

/// A result, too.
// CHECK: error: 'npu.cast' result: expected element type i1 to i64, f4 to f64 or bf16, found f80
func.func @f(%x: tensor<4xf32>) {
  %y = npu.cast %x : (tensor<4xf32>) -> tensor<4xf80>
  return
}

// -----

/// The encoding of a type is a layout.
// CHECK: error: 'npu.relu' input: expected a #npu.layout as encoding, found "NHWC"
func.func @f(%x: tensor<4x4xf32, "NHWC">) {
  %y = npu.relu %x : tensor<4x4xf32, "NHWC">
  return
}

// -----

/// The encoding of a result, too.
// CHECK: error: 'npu.relu' result: expected a #npu.layout as encoding, found 5 : i64
func.func @f(%x: tensor<4x4xf32>) {
  %y = npu.relu %x : (tensor<4x4xf32>) -> tensor<4x4xf32, 5 : i64>
  return
}

// -----

/// Values are tensors of a known rank.
// CHECK: error: tensor<*xf32> should be of base attribute tensor
func.func @f(%x: tensor<*xf32>) {
  %y = npu.relu %x : tensor<*xf32>
  return
}

// -----

/// A buffer is not a value.
// CHECK: error: memref<4xf32> should be of base attribute tensor
func.func @f(%x: memref<4xf32>) {
  %y = npu.relu %x : memref<4xf32>
  return
}

// -----

/// A property of the op is not among the other attributes, where it would have no meaning.
// CHECK: error: 'npu.conv2d' strides: expected a property, found an attribute of this name in the dictionary
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.conv2d %x, %w {strides = array<i64: 2, 2>}
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x32xf32, #npu.layout<NHWC>>
  return
}

// -----

/// A property that the op does not have.
// CHECK: error: property 'alpha' is not defined by the operation 'npu.relu'. Use the dictionary attribute to add arbitrary information to the operation.
func.func @f(%x: tensor<4xf32>) {
  %y = "npu.relu"(%x) <{alpha = 1 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

/// A property of another kind.
// CHECK: error: 1 : i64 should be of base attribute array
func.func @f(%x: tensor<4x3xf32>) {
  %y = "npu.transpose"(%x) <{permutation = 1 : i64}> : (tensor<4x3xf32>) -> tensor<3x4xf32>
  return
}

// -----

/// A list of other numbers.
// CHECK: error: Expected attribute i64 but got i32
func.func @f(%x: tensor<4x3xf32>) {
  %y = "npu.transpose"(%x) <{permutation = array<i32: 1, 0>}> : (tensor<4x3xf32>) -> tensor<3x4xf32>
  return
}

// -----

/// A property that is missing.
// CHECK: error: property 'permutation' expected in operation 'npu.transpose'
func.func @f(%x: tensor<4x3xf32>) {
  %y = "npu.transpose"(%x) : (tensor<4x3xf32>) -> tensor<3x4xf32>
  return
}

// -----

/// Too few operands.
// CHECK: error: Expected 1 operand, but got 0
func.func @f() {
  %y = "npu.relu"() : () -> tensor<4xf32>
  return
}

// -----

/// Too many operands.
// CHECK: error: Expected 1 operand, but got 2
func.func @f(%x: tensor<4xf32>) {
  %y = "npu.relu"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

/// No result.
// CHECK: error: Expected 1 result, but got 0
func.func @f(%x: tensor<4xf32>) {
  "npu.relu"(%x) : (tensor<4xf32>) -> ()
  return
}
