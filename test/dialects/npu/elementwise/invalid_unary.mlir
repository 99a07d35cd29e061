// RUN: NPU_VERIFY_DIAG

/// abs: truth values are not numbers.
// CHECK: error: 'npu.abs' input: expected a number as element type, found i1{{$}}
func.func @f(%x: tensor<2x3xi1>) {
  %y = npu.abs %x : tensor<2x3xi1>
  return
}

// -----

/// neg: truth values are not numbers.
// CHECK: error: 'npu.neg' input: expected a number as element type, found i1{{$}}
func.func @f(%x: tensor<2x3xi1>) {
  %y = npu.neg %x : tensor<2x3xi1>
  return
}

// -----

/// sign: truth values are not numbers.
// CHECK: error: 'npu.sign' input: expected a number as element type, found i1{{$}}
func.func @f(%x: tensor<2x3xi1>) {
  %y = npu.sign %x : tensor<2x3xi1>
  return
}

// -----

/// exp: only floats.
// CHECK: error: 'npu.exp' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.exp %x : tensor<2x3xi32>
  return
}

// -----

/// log: only floats.
// CHECK: error: 'npu.log' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.log %x : tensor<2x3xi32>
  return
}

// -----

/// sqrt: only floats.
// CHECK: error: 'npu.sqrt' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.sqrt %x : tensor<2x3xi32>
  return
}

// -----

/// rsqrt: only floats.
// CHECK: error: 'npu.rsqrt' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.rsqrt %x : tensor<2x3xi32>
  return
}

// -----

/// reciprocal: only floats.
// CHECK: error: 'npu.reciprocal' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.reciprocal %x : tensor<2x3xi32>
  return
}

// -----

/// sin: only floats.
// CHECK: error: 'npu.sin' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.sin %x : tensor<2x3xi32>
  return
}

// -----

/// cos: only floats.
// CHECK: error: 'npu.cos' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.cos %x : tensor<2x3xi32>
  return
}

// -----

/// tanh: only floats.
// CHECK: error: 'npu.tanh' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.tanh %x : tensor<2x3xi32>
  return
}

// -----

/// tan: only floats.
// CHECK: error: 'npu.tan' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.tan %x : tensor<2x3xi32>
  return
}

// -----

/// asin: only floats.
// CHECK: error: 'npu.asin' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.asin %x : tensor<2x3xi32>
  return
}

// -----

/// acos: only floats.
// CHECK: error: 'npu.acos' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.acos %x : tensor<2x3xi32>
  return
}

// -----

/// atan: only floats.
// CHECK: error: 'npu.atan' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.atan %x : tensor<2x3xi32>
  return
}

// -----

/// sinh: only floats.
// CHECK: error: 'npu.sinh' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.sinh %x : tensor<2x3xi32>
  return
}

// -----

/// cosh: only floats.
// CHECK: error: 'npu.cosh' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.cosh %x : tensor<2x3xi32>
  return
}

// -----

/// asinh: only floats.
// CHECK: error: 'npu.asinh' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.asinh %x : tensor<2x3xi32>
  return
}

// -----

/// acosh: only floats.
// CHECK: error: 'npu.acosh' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.acosh %x : tensor<2x3xi32>
  return
}

// -----

/// atanh: only floats.
// CHECK: error: 'npu.atanh' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.atanh %x : tensor<2x3xi32>
  return
}

// -----

/// erf: only floats.
// CHECK: error: 'npu.erf' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.erf %x : tensor<2x3xi32>
  return
}

// -----

/// ceil: only floats.
// CHECK: error: 'npu.ceil' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.ceil %x : tensor<2x3xi32>
  return
}

// -----

/// floor: only floats.
// CHECK: error: 'npu.floor' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.floor %x : tensor<2x3xi32>
  return
}

// -----

/// round: only floats.
// CHECK: error: 'npu.round' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.round %x : tensor<2x3xi32>
  return
}

// -----

/// Truth values are not floats.
// CHECK: error: 'npu.exp' input: expected a float element type, found i1{{$}}
func.func @f(%x: tensor<2x3xi1>) {
  %y = npu.exp %x : tensor<2x3xi1>
  return
}

// -----

/// not: no floats.
// CHECK: error: 'npu.not' input: expected i1 or an integer as element type, found f32{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.not %x : tensor<2x3xf32>
  return
}

// -----

/// The result has the element type of the operand: of floats,
// CHECK: error: 'npu.exp' input: expected element type f64, found f32{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.exp %x : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

// -----

/// of numbers, including signedness,
// CHECK: error: 'npu.abs' input: expected element type ui32, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.abs %x : (tensor<2x3xi32>) -> tensor<2x3xui32>
  return
}

// -----

/// and of bits.
// CHECK: error: 'npu.not' input: expected element type i1, found i8{{$}}
func.func @f(%x: tensor<2x3xi8>) {
  %y = npu.not %x : (tensor<2x3xi8>) -> tensor<2x3xi1>
  return
}
