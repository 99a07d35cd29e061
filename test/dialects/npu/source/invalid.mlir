// RUN: NPU_VERIFY_DIAG

/// The numbers have the type of the result.
// CHECK: error: 'npu.constant' value: expected type tensor<3xf32> like the result, found tensor<2xf32>
func.func @f() {
  %c = "npu.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<3xf32>
  return
}

// -----

/// The layout belongs to the type.
// CHECK: error: 'npu.constant' value: expected type tensor<2x2xf32, #npu.layout<Tensor>> like the result, found tensor<2x2xf32>
func.func @f() {
  %c = "npu.constant"() <{value = dense<1.0> : tensor<2x2xf32>}> : () -> tensor<2x2xf32, #npu.layout<Tensor>>
  return
}

// -----

/// The permutation of a reference is one of the axes of the result.
// CHECK: error: 'npu.constant' value: expected a permutation of 3 axes, found [1, 0]
func.func @f() {
  %c = npu.constant #npu.reference<"w.safetensors", "w", [1, 0]> : tensor<2x3x4xf32>
  return
}

// -----

/// The sizes of a constant in a file are static.
// CHECK: error: 'npu.constant' result: expected static sizes for a constant in a file, found ?x4
func.func @f() {
  %c = npu.constant #npu.reference<"w.safetensors", "w"> : tensor<?x4xf32>
  return
}

// -----

/// Every step reads the same number of elements.
// CHECK: error: 'npu.constant' value: expected 18 elements like the result, found 4x6
func.func @f() {
  %c = npu.constant #npu.reference<"w.safetensors", "w", [1, 0] of [3, 6], reshaped [1, 0] of [4, 6], reshaped [1, 0]> : tensor<2x9xf32>
  return
}

// -----

/// No axes, no permutation.
// CHECK: error: 'npu.constant' value: expected a permutation of 0 axes, found [0]
func.func @f() {
  %c = npu.constant #npu.reference<"w.safetensors", "w", [0]> : tensor<f32>
  return
}

// -----

/// A constant is a tensor.
// CHECK: error: result 'result' at position 0 does not verify: vector<2xf32> should be of base attribute tensor
func.func @f() {
  %c = npu.constant dense<1.0> : vector<2xf32>
  return
}

// -----

/// A constant in a file is a tensor, too.
// CHECK: error: result 'result' at position 0 does not verify: vector<2xf32> should be of base attribute tensor
func.func @f() {
  %c = npu.constant #npu.reference<"w.safetensors", "w"> : vector<2xf32>
  return
}

// -----

/// Index is not an element type.
// CHECK: error: 'npu.constant' result: expected element type i1 to i64, f4 to f64 or bf16, found index
func.func @f() {
  %c = npu.constant dense<1> : tensor<2xindex>
  return
}

// -----

/// Other attributes hold no numbers.
// CHECK: error: Unexpected attribute 1 : i32
func.func @f() {
  %c = "npu.constant"() <{value = 1 : i32}> : () -> tensor<1xi32>
  return
}

// -----

/// A constant has a value.
// CHECK: error: property 'value' expected in operation 'npu.constant'
func.func @f() {
  %c = "npu.constant"() : () -> tensor<1xi32>
  return
}

// -----

/// A foreign op has a name.
// CHECK: error: 'npu.opaque' op_name: expected the name of an op, found an empty string
func.func @f(%x: tensor<2xf32>) {
  %y = npu.opaque ""(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

/// A foreign attribute with the name of a property would become that property, and the op pure, when the program is read again.
// CHECK: error: 'npu.opaque' pure: expected a property, found an attribute of this name in the dictionary
func.func @f(%x: tensor<2xf32>) {
  %y = npu.opaque "print"(%x) {pure} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

/// The message names the wrong operand among many.
// CHECK: error: 'npu.opaque' inputs[1]: expected element type i1 to i64, f4 to f64 or bf16, found !test.type<"string">
func.func @f(%x: tensor<2xf32>, %s: tensor<4x!test.type<"string">>) {
  %y = npu.opaque "print"(%x, %s) : (tensor<2xf32>, tensor<4x!test.type<"string">>) -> tensor<2xf32>
  return
}

// -----

/// The message names the wrong result among many.
// CHECK: error: 'npu.opaque' outputs[1]: expected element type i1 to i64, f4 to f64 or bf16, found i65
func.func @f() {
  %y, %z = npu.opaque "read"() : () -> (tensor<2xf32>, tensor<2xi65>)
  return
}
