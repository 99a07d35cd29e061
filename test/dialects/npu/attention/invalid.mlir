// RUN: NPU_VERIFY_DIAG

/// attention: only floats.
// CHECK: error: 'npu.attention' query: expected a float element type, found i32{{$}}
func.func @f(%q: tensor<1x8x16x64xi32>, %k: tensor<1x2x32x64xf32>, %v: tensor<1x2x32x64xf32>) {
  %y = npu.attention %q, %k, %v scale = 1.0
    : (tensor<1x8x16x64xi32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// attention: one element type.
// CHECK: error: 'npu.attention' value: expected element type f32, found f16{{$}}
func.func @f(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>, %v: tensor<1x2x32x64xf16>) {
  %y = npu.attention %q, %k, %v scale = 1.0
    : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf16>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// attention: heads are an axis.
// CHECK: error: 'npu.attention' query: expected rank 4, found 1x16x64{{$}}
func.func @f(%q: tensor<1x16x64xf32>, %k: tensor<1x2x32x64xf32>, %v: tensor<1x2x32x64xf32>) {
  %y = npu.attention %q, %k, %v scale = 1.0
    : (tensor<1x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// attention: each head of the key is shared by as many.
// CHECK: error: 'npu.attention' key: expected a divisor of the 8 heads of query, found 3{{$}}
func.func @f(%q: tensor<1x8x16x64xf32>, %k: tensor<1x3x32x64xf32>, %v: tensor<1x2x32x64xf32>) {
  %y = npu.attention %q, %k, %v scale = 1.0
    : (tensor<1x8x16x64xf32>, tensor<1x3x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// attention: rows of query and key have the same depth.
// CHECK: error: 'npu.attention' key: expected shape 1x2x32x64, found 1x2x32x32{{$}}
func.func @f(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x32xf32>, %v: tensor<1x2x32x64xf32>) {
  %y = npu.attention %q, %k, %v scale = 1.0
    : (tensor<1x8x16x64xf32>, tensor<1x2x32x32xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// attention: as many values as keys.
// CHECK: error: 'npu.attention' value: expected shape 1x2x32x64, found 1x2x16x64{{$}}
func.func @f(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>, %v: tensor<1x2x16x64xf32>) {
  %y = npu.attention %q, %k, %v scale = 1.0
    : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x16x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// attention: rows of the query, of the depth of the values.
// CHECK: error: 'npu.attention' result: expected shape 1x8x16x64, found 1x8x16x32{{$}}
func.func @f(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>, %v: tensor<1x2x32x64xf32>) {
  %y = npu.attention %q, %k, %v scale = 1.0
    : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x32xf32>
  return
}

// -----

/// attention: with rows in front of the heads 16 heads share 32.
// CHECK: error: 'npu.attention' key: expected a divisor of the 16 heads of query, found 32{{$}}
func.func @f(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>, %v: tensor<1x2x32x64xf32>) {
  %y = npu.attention %q, %k, %v scale = 1.0 query_axes = "BNHC" key_axes = "BNHC" value_axes = "BNHC" result_axes = "BNHC"
    : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// attention: each letter once.
// CHECK: error: 'npu.attention' key_axes: expected a permutation of BHNC, found BHCC{{$}}
func.func @f(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x64x32xf32>, %v: tensor<1x2x32x64xf32>) {
  %y = npu.attention %q, %k, %v scale = 1.0 key_axes = "BHCC"
    : (tensor<1x8x16x64xf32>, tensor<1x2x64x32xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// attention: the shape of a value is that of its axes.
// CHECK: error: 'npu.attention' key: expected shape 1x2x64x64, found 1x2x64x32{{$}}
func.func @f(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x64x32xf32>, %v: tensor<1x2x32x64xf32>) {
  %y = npu.attention %q, %k, %v scale = 1.0
    : (tensor<1x8x16x64xf32>, tensor<1x2x64x32xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// attention: the heads of a result are not its rows.
// CHECK: error: 'npu.attention' result: expected shape 1x16x8x64, found 1x8x16x64{{$}}
func.func @f(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x64x32xf32>, %v: tensor<1x2x32x64xf32>) {
  %y = npu.attention %q, %k, %v scale = 1.0 key_axes = "BHCN" result_axes = "BNHC"
    : (tensor<1x8x16x64xf32>, tensor<1x2x64x32xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// attention: a cap is positive.
// CHECK: error: 'npu.attention' softcap: expected a positive number, found 0.0{{$}}
func.func @f(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>, %v: tensor<1x2x32x64xf32>) {
  %y = npu.attention %q, %k, %v scale = 1.0 softcap = 0.0
    : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// attention: a mask of truths or of numbers like the others.
// CHECK: error: 'npu.attention' mask: expected element type f32, found i8{{$}}
func.func @f(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>, %v: tensor<1x2x32x64xf32>, %m: tensor<1x1x16x32xi8>) {
  %y = npu.attention %q, %k, %v, %m scale = 1.0
    : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<1x1x16x32xi8>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// attention: a mask has each key.
// CHECK: error: 'npu.attention' mask: expected a shape that repeats to 1x8x16x32 along the first three axes, found 1x8x16x1{{$}}
func.func @f(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>, %v: tensor<1x2x32x64xf32>, %m: tensor<1x8x16x1xi1>) {
  %y = npu.attention %q, %k, %v, %m scale = 1.0
    : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<1x8x16x1xi1>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// attention: no letters.
// CHECK: error: 'npu.attention' query: expected a layout of class Tensor or NTensor, found NCHW{{$}}
func.func @f(%q: tensor<1x8x16x64xf32, #npu.layout<NCHW>>, %k: tensor<1x2x32x64xf32>, %v: tensor<1x2x32x64xf32>) {
  %y = npu.attention %q, %k, %v scale = 1.0
    : (tensor<1x8x16x64xf32, #npu.layout<NCHW>>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// rotary: only floats.
// CHECK: error: 'npu.rotary' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<1x8x16x64xi32>, %c: tensor<1x16x32xf32>, %s: tensor<1x16x32xf32>) {
  %y = npu.rotary %x, %c, %s
    : (tensor<1x8x16x64xi32>, tensor<1x16x32xf32>, tensor<1x16x32xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// rotary: one element type.
// CHECK: error: 'npu.rotary' sin: expected element type f32, found f16{{$}}
func.func @f(%x: tensor<1x8x16x64xf32>, %c: tensor<1x16x32xf32>, %s: tensor<1x16x32xf16>) {
  %y = npu.rotary %x, %c, %s
    : (tensor<1x8x16x64xf32>, tensor<1x16x32xf32>, tensor<1x16x32xf16>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// rotary: a result like the input.
// CHECK: error: 'npu.rotary' result: expected shape 1x8x16x64, found 1x8x16x32{{$}}
func.func @f(%x: tensor<1x8x16x64xf32>, %c: tensor<1x16x32xf32>, %s: tensor<1x16x32xf32>) {
  %y = npu.rotary %x, %c, %s
    : (tensor<1x8x16x64xf32>, tensor<1x16x32xf32>, tensor<1x16x32xf32>) -> tensor<1x8x16x32xf32>
  return
}

// -----

/// rotary: each value has its own order.
// CHECK: error: 'npu.rotary' result: expected shape 1x16x8x64, found 1x8x16x64{{$}}
func.func @f(%x: tensor<1x8x16x64xf32>, %c: tensor<1x16x32xf32>, %s: tensor<1x16x32xf32>) {
  %y = npu.rotary %x, %c, %s result_axes = "BNHC"
    : (tensor<1x8x16x64xf32>, tensor<1x16x32xf32>, tensor<1x16x32xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// rotary: five letters are one too many.
// CHECK: error: 'npu.rotary' input_axes: expected a permutation of BHNC, found BHNCC{{$}}
func.func @f(%x: tensor<1x8x16x64xf32>, %c: tensor<1x16x32xf32>, %s: tensor<1x16x32xf32>) {
  %y = npu.rotary %x, %c, %s input_axes = "BHNCC"
    : (tensor<1x8x16x64xf32>, tensor<1x16x32xf32>, tensor<1x16x32xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// rotary: without positions each row has its angles.
// CHECK: error: 'npu.rotary' cos: expected rank 3, found 16x32{{$}}
func.func @f(%x: tensor<1x8x16x64xf32>, %c: tensor<16x32xf32>, %s: tensor<1x16x32xf32>) {
  %y = npu.rotary %x, %c, %s
    : (tensor<1x8x16x64xf32>, tensor<16x32xf32>, tensor<1x16x32xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// rotary: with positions there is a table.
// CHECK: error: 'npu.rotary' cos: expected rank 2, found 1x16x32{{$}}
func.func @f(%x: tensor<1x8x16x64xf32>, %c: tensor<1x16x32xf32>, %s: tensor<1x16x32xf32>, %p: tensor<1x16xi64>) {
  %y = npu.rotary %x, %c, %s, %p
    : (tensor<1x8x16x64xf32>, tensor<1x16x32xf32>, tensor<1x16x32xf32>, tensor<1x16xi64>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// rotary: the angles of the rows.
// CHECK: error: 'npu.rotary' cos: expected shape 1x16x32, found 1x8x32{{$}}
func.func @f(%x: tensor<1x8x16x64xf32>, %c: tensor<1x8x32xf32>, %s: tensor<1x16x32xf32>) {
  %y = npu.rotary %x, %c, %s
    : (tensor<1x8x16x64xf32>, tensor<1x8x32xf32>, tensor<1x16x32xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// rotary: as many sines as cosines.
// CHECK: error: 'npu.rotary' sin: expected shape 1x16x32, found 1x16x16{{$}}
func.func @f(%x: tensor<1x8x16x64xf32>, %c: tensor<1x16x32xf32>, %s: tensor<1x16x16xf32>) {
  %y = npu.rotary %x, %c, %s
    : (tensor<1x8x16x64xf32>, tensor<1x16x32xf32>, tensor<1x16x16xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// rotary: positions are integers.
// CHECK: error: 'npu.rotary' positions: expected an integer element type, found f32{{$}}
func.func @f(%x: tensor<1x8x16x64xf32>, %c: tensor<128x32xf32>, %s: tensor<128x32xf32>, %p: tensor<1x16xf32>) {
  %y = npu.rotary %x, %c, %s, %p
    : (tensor<1x8x16x64xf32>, tensor<128x32xf32>, tensor<128x32xf32>, tensor<1x16xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// rotary: a position for each row.
// CHECK: error: 'npu.rotary' positions: expected shape 1x16, found 1x8{{$}}
func.func @f(%x: tensor<1x8x16x64xf32>, %c: tensor<128x32xf32>, %s: tensor<128x32xf32>, %p: tensor<1x8xi64>) {
  %y = npu.rotary %x, %c, %s, %p
    : (tensor<1x8x16x64xf32>, tensor<128x32xf32>, tensor<128x32xf32>, tensor<1x8xi64>) -> tensor<1x8x16x64xf32>
  return
}

// -----

/// rotary: two numbers for each angle.
// CHECK: error: 'npu.rotary' cos: expected at most 32 angles, found 48{{$}}
func.func @f(%x: tensor<1x8x16x64xf32>, %c: tensor<1x16x48xf32>, %s: tensor<1x16x48xf32>) {
  %y = npu.rotary %x, %c, %s
    : (tensor<1x8x16x64xf32>, tensor<1x16x48xf32>, tensor<1x16x48xf32>) -> tensor<1x8x16x64xf32>
  return
}
