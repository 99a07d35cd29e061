// RUN: NPU_VERIFY_DIAG

/// relu: truth values are not numbers.
// CHECK: error: 'npu.relu' input: expected a number as element type, found i1{{$}}
func.func @f(%x: tensor<2x3xi1>) {
  %y = npu.relu %x : tensor<2x3xi1>
  return
}

// -----

/// leaky_relu: only floats.
// CHECK: error: 'npu.leaky_relu' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.leaky_relu %x : tensor<2x3xi32>
  return
}

// -----

/// elu: only floats.
// CHECK: error: 'npu.elu' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.elu %x : tensor<2x3xi32>
  return
}

// -----

/// selu: only floats.
// CHECK: error: 'npu.selu' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.selu %x : tensor<2x3xi32>
  return
}

// -----

/// gelu: only floats.
// CHECK: error: 'npu.gelu' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.gelu %x : tensor<2x3xi32>
  return
}

// -----

/// sigmoid: only floats.
// CHECK: error: 'npu.sigmoid' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.sigmoid %x : tensor<2x3xi32>
  return
}

// -----

/// hard_sigmoid: only floats.
// CHECK: error: 'npu.hard_sigmoid' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.hard_sigmoid %x : tensor<2x3xi32>
  return
}

// -----

/// silu: only floats.
// CHECK: error: 'npu.silu' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.silu %x : tensor<2x3xi32>
  return
}

// -----

/// hard_swish: only floats.
// CHECK: error: 'npu.hard_swish' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.hard_swish %x : tensor<2x3xi32>
  return
}

// -----

/// mish: only floats.
// CHECK: error: 'npu.mish' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.mish %x : tensor<2x3xi32>
  return
}

// -----

/// softplus: only floats.
// CHECK: error: 'npu.softplus' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.softplus %x : tensor<2x3xi32>
  return
}

// -----

/// softsign: only floats.
// CHECK: error: 'npu.softsign' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.softsign %x : tensor<2x3xi32>
  return
}

// -----

/// clip: truth values are not numbers.
// CHECK: error: 'npu.clip' input: expected a number as element type, found i1{{$}}
func.func @f(%x: tensor<2x3xi1>) {
  %y = npu.clip %x min = 0.0 : tensor<2x3xi1>
  return
}

// -----

/// The result has the operand's type,
// CHECK: error: 'npu.relu' input: expected element type i8, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.relu %x : (tensor<2x3xi32>) -> tensor<2x3xi8>
  return
}

// -----

/// shape,
// CHECK: error: 'npu.sigmoid' result: expected shape 2x3, found 2x1{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.sigmoid %x : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return
}

// -----

/// and layout.
// CHECK: error: 'npu.sigmoid' result: expected layout NHWC like input, found NCHW{{$}}
func.func @f(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>) {
  %y = npu.sigmoid %x : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x16xf32, #npu.layout<NCHW>>
  return
}

// -----

/// There are two forms of gelu.
// CHECK: error: 'npu.gelu' approximate: expected "none" or "tanh", found "sigmoid"{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.gelu %x approximate = "sigmoid" : tensor<2x3xf32>
  return
}

// -----

/// A clip has a bound.
// CHECK: error: 'npu.clip' min: expected min, max or both, found neither{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.clip %x : tensor<2x3xf32>
  return
}

// -----

/// The bounds are in order.
// CHECK: error: 'npu.clip' max: expected at least 6.0 like min, found 0.0{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.clip %x min = 6.0 max = 0.0 : tensor<2x3xf32>
  return
}

// -----

/// Integers have whole numbers as bounds: below
// CHECK: error: 'npu.clip' min: expected a whole number like the elements of input, found 0.5{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.clip %x min = 0.5 : tensor<2x3xi32>
  return
}

// -----

/// and above.
// CHECK: error: 'npu.clip' max: expected a whole number like the elements of input, found 1.5{{$}}
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.clip %x min = 0.0 max = 1.5 : tensor<2x3xi32>
  return
}

// -----

/// A clip keeps the type as well.
// CHECK: error: 'npu.clip' input: expected element type f16, found f32{{$}}
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.clip %x min = 0.0 : (tensor<2x3xf32>) -> tensor<2x3xf16>
  return
}
