// RUN: NPU_PARSE_DIAG

/// Numbers or a reference.
// CHECK: error: expected dense<...> or #npu.reference<...>
func.func @f() {
  %c = npu.constant [1.0, 2.0] : tensor<2xf32>
  return
}

// -----

/// A reference needs a type.
// CHECK: error: Expected ':'
func.func @f() {
  %c = npu.constant #npu.reference<"w.safetensors", "w">
  return
}

// -----

/// Numbers have a type already.
// CHECK: error: Expected ':' in dense attribute
func.func @f() {
  %c = npu.constant dense<1.0>
  return
}

// -----

/// Numbers of an unknown count.
// CHECK: error: Dense literal attribute should have a static shape.
func.func @f() {
  %c = npu.constant dense<1.0> : tensor<?xf32>
  return
}

// -----

/// Too few numbers.
// CHECK: error: Shape mismatch in dense literal. Expected [3] shape from the type, but got [2] shape.
func.func @f() {
  %c = npu.constant dense<[1.0, 2.0]> : tensor<3xf32>
  return
}

// -----

/// Too few bytes.
// CHECK: error: Shape mismatch in dense literal. Expected 3 elements from the type, but got 2 elements.
func.func @f() {
  %c = npu.constant dense<"0x0102030405"> : tensor<3xi16>
  return
}

// -----

/// A number that does not fit.
// CHECK: error: cannot read this: Integer value 300 is out of range for type i8 which supports values in the range [-128, 256)
func.func @f() {
  %c = npu.constant dense<300> : tensor<2xi8>
  return
}

// -----

/// Attributes are before the value.
// CHECK: error: Expected ':' in dense attribute
func.func @f() {
  %c = npu.constant dense<1.0> {late} : tensor<2xf32>
  return
}

// -----

/// A foreign op's name is a string.
// CHECK: error: attribute expected
func.func @f() {
  npu.opaque print() : () -> ()
  return
}

// -----

/// The parentheses stay, also around nothing.
// CHECK: error: Expected '('
func.func @f() {
  npu.opaque "print" : () -> ()
  return
}

// -----

/// The type does not have as many operands as the op.
// CHECK: error: expected 1 operand types but had 2
func.func @f(%x: tensor<2xf32>) {
  npu.opaque "print"(%x, %x) : (tensor<2xf32>) -> ()
  return
}
