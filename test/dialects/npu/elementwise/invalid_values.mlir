// RUN: NPU_VERIFY_DIAG

/// Integers have at most 64 bits.
// CHECK: error: 'npu.abs' input: expected element type i1 to i64, f4 to f64 or bf16, found i65{{$}}
func.func @f(%x: tensor<2x3xi65>) {
  %y = npu.abs %x : tensor<2x3xi65>
  return
}

// -----

/// Index is not an element type.
// CHECK: error: 'npu.abs' input: expected element type i1 to i64, f4 to f64 or bf16, found index{{$}}
func.func @f(%x: tensor<2x3xindex>) {
  %y = npu.abs %x : tensor<2x3xindex>
  return
}

// -----

/// f80 is not an element type.
// CHECK: error: 'npu.abs' input: expected element type i1 to i64, f4 to f64 or bf16, found f80{{$}}
func.func @f(%x: tensor<2x3xf80>) {
  %y = npu.abs %x : tensor<2x3xf80>
  return
}

// -----

/// No complex numbers.
// CHECK: error: 'npu.abs' input: expected element type i1 to i64, f4 to f64 or bf16, found complex<f32>{{$}}
func.func @f(%x: tensor<2x3xcomplex<f32>>) {
  %y = npu.abs %x : tensor<2x3xcomplex<f32>>
  return
}

// -----

/// Results are checked like operands.
// CHECK: error: 'npu.cast' result: expected element type i1 to i64, f4 to f64 or bf16, found f128{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.cast %x : (tensor<2x3xf32>) -> tensor<2x3xf128>
  return
}

// -----

/// The message names the operand.
// CHECK: error: 'npu.select' on_false: expected element type i1 to i64, f4 to f64 or bf16, found f128{{$}}
func.func @f(%c: tensor<2x3xi1>, %a: tensor<2x3xf32>, %b: tensor<2x3xf128>) {
  %y = npu.select %c, %a, %b : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf128>) -> tensor<2x3xf32>
  return
}

// -----

/// The encoding of a tensor is a layout.
// CHECK: error: 'npu.abs' input: expected a #npu.layout as encoding, found "x"{{$}}
func.func @f(%x: tensor<2x3xf32, "x">) {
  %y = npu.abs %x : (tensor<2x3xf32, "x">) -> tensor<2x3xf32>
  return
}

// -----

/// Also of a result.
// CHECK: error: 'npu.abs' result: expected a #npu.layout as encoding, found "x"{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.abs %x : (tensor<2x3xf32>) -> tensor<2x3xf32, "x">
  return
}

// -----

/// Tensors have a rank.
// CHECK: error: tensor<*xf32> should be of base attribute tensor{{$}}
func.func @f(%x: tensor<*xf32>) {
  %y = npu.abs %x : tensor<*xf32>
  return
}

// -----

/// Values are tensors.
// CHECK: error: f32 should be of base attribute tensor{{$}}
func.func @f(%x: f32) {
  %y = npu.abs %x : f32
  return
}

// -----

/// A property is not in the dictionary.
// CHECK: error: 'npu.mod' sign: expected a property, found an attribute of this name in the dictionary{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.mod %x, %x {sign = "lhs"} : tensor<2x3xi32>
  return
}

// -----

/// The custom format has no infinities.
// CHECK: error: 'npu.clip' min: expected a finite number, found -inf{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = "npu.clip"(%x) <{min = 0xFFF0000000000000 : f64}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

/// Nor NaN.
// CHECK: error: 'npu.leaky_relu' alpha: expected a finite number, found nan{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = "npu.leaky_relu"(%x) <{alpha = 0x7FF8000000000000 : f64}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
