// RUN: NPU_VERIFY_DIAG

/// A vector is not a matrix.
// CHECK: error: 'npu.matmul' lhs: expected rank 2 to 6, found 64{{$}}
func.func @f(%a: tensor<64xf32>, %b: tensor<64x10xf32>) {
  %y = npu.matmul %a, %b : (tensor<64xf32>, tensor<64x10xf32>) -> tensor<10xf32>
  return
}

// -----

/// Ranks above 6 keep their order.
// CHECK: error: 'npu.matmul' lhs: expected rank 2 to 6, found 1x1x1x1x1x4x64{{$}}
func.func @f(%a: tensor<1x1x1x1x1x4x64xf32>, %b: tensor<1x1x1x1x1x64x10xf32>) {
  %y = npu.matmul %a, %b : (tensor<1x1x1x1x1x4x64xf32>, tensor<1x1x1x1x1x64x10xf32>) -> tensor<1x1x1x1x1x4x10xf32>
  return
}

// -----

/// Both operands have one rank,
// CHECK: error: 'npu.matmul' rhs: expected rank 3, found 64x10{{$}}
func.func @f(%a: tensor<8x4x64xf32>, %b: tensor<64x10xf32>) {
  %y = npu.matmul %a, %b : (tensor<8x4x64xf32>, tensor<64x10xf32>) -> tensor<8x4x10xf32>
  return
}

// -----

/// which is that of the result.
// CHECK: error: 'npu.matmul' result: expected rank 2, found 1x4x10{{$}}
func.func @f(%a: tensor<4x64xf32>, %b: tensor<64x10xf32>) {
  %y = npu.matmul %a, %b : (tensor<4x64xf32>, tensor<64x10xf32>) -> tensor<1x4x10xf32>
  return
}

// -----

/// The reduced axes have one size,
// CHECK: error: 'npu.matmul' rhs: expected 64 rows like the columns of lhs, found 32{{$}}
func.func @f(%a: tensor<4x64xf32>, %b: tensor<32x10xf32>) {
  %y = npu.matmul %a, %b : (tensor<4x64xf32>, tensor<32x10xf32>) -> tensor<4x10xf32>
  return
}

// -----

/// also if the left operand is transposed,
// CHECK: error: 'npu.matmul' rhs: expected 64 rows like the columns of lhs, found 4{{$}}
func.func @f(%a: tensor<64x4xf32>, %b: tensor<4x10xf32>) {
  %y = npu.matmul %a, %b trans_a : (tensor<64x4xf32>, tensor<4x10xf32>) -> tensor<64x10xf32>
  return
}

// -----

/// and the right one.
// CHECK: error: 'npu.matmul' rhs: expected 64 rows like the columns of lhs, found 10{{$}}
func.func @f(%a: tensor<4x64xf32>, %b: tensor<64x10xf32>) {
  %y = npu.matmul %a, %b trans_b : (tensor<4x64xf32>, tensor<64x10xf32>) -> tensor<4x10xf32>
  return
}

// -----

/// Batches are equal or one.
// CHECK: error: 'npu.matmul' rhs: expected a batch that fits 8 of lhs, found 2{{$}}
func.func @f(%a: tensor<8x4x64xf32>, %b: tensor<2x64x10xf32>) {
  %y = npu.matmul %a, %b : (tensor<8x4x64xf32>, tensor<2x64x10xf32>) -> tensor<8x4x10xf32>
  return
}

// -----

/// The result has the rows of the left operand,
// CHECK: error: 'npu.matmul' result: expected shape 4x10, found 10x4{{$}}
func.func @f(%a: tensor<4x64xf32>, %b: tensor<64x10xf32>) {
  %y = npu.matmul %a, %b : (tensor<4x64xf32>, tensor<64x10xf32>) -> tensor<10x4xf32>
  return
}

// -----

/// the columns of the right one,
// CHECK: error: 'npu.matmul' result: expected shape 4x10, found 4x64{{$}}
func.func @f(%a: tensor<64x4xf32>, %b: tensor<10x64xf32>) {
  %y = npu.matmul %a, %b trans_a trans_b : (tensor<64x4xf32>, tensor<10x64xf32>) -> tensor<4x64xf32>
  return
}

// -----

/// and the batch of both.
// CHECK: error: 'npu.matmul' result: expected shape 8x2x4x10, found 8x1x4x10{{$}}
func.func @f(%a: tensor<8x1x4x64xf32>, %b: tensor<1x2x64x10xf32>) {
  %y = npu.matmul %a, %b : (tensor<8x1x4x64xf32>, tensor<1x2x64x10xf32>) -> tensor<8x1x4x10xf32>
  return
}

// -----

/// Truth values are not numbers.
// CHECK: error: 'npu.matmul' result: expected a number as element type, found i1{{$}}
func.func @f(%a: tensor<4x64xi1>, %b: tensor<64x10xi1>) {
  %y = npu.matmul %a, %b : (tensor<4x64xi1>, tensor<64x10xi1>) -> tensor<4x10xi1>
  return
}

// -----

/// All elements have one type: on the left,
// CHECK: error: 'npu.gemm' lhs: expected element type i32, found i8{{$}}
func.func @f(%a: tensor<4x64xi8>, %b: tensor<64x10xi32>) {
  %y = npu.gemm %a, %b : (tensor<4x64xi8>, tensor<64x10xi32>) -> tensor<4x10xi32>
  return
}

// -----

/// on the right,
// CHECK: error: 'npu.matmul' rhs: expected element type f32, found f16{{$}}
func.func @f(%a: tensor<4x64xf32>, %b: tensor<64x10xf16>) {
  %y = npu.matmul %a, %b : (tensor<4x64xf32>, tensor<64x10xf16>) -> tensor<4x10xf32>
  return
}

// -----

/// and in the bias.
// CHECK: error: 'npu.gemm' bias: expected element type f16, found f32{{$}}
func.func @f(%a: tensor<4x64xf16>, %b: tensor<64x10xf16>, %c: tensor<10xf32>) {
  %y = npu.gemm %a, %b, %c : (tensor<4x64xf16>, tensor<64x10xf16>, tensor<10xf32>) -> tensor<4x10xf16>
  return
}

// -----

/// A vector as bias has one number per column, not per row.
// CHECK: error: 'npu.gemm' bias: expected a shape that repeats to 4x10, shape 10 or one element, found 4{{$}}
func.func @f(%a: tensor<4x64xf32>, %b: tensor<64x10xf32>, %c: tensor<4xf32>) {
  %y = npu.gemm %a, %b, %c : (tensor<4x64xf32>, tensor<64x10xf32>, tensor<4xf32>) -> tensor<4x10xf32>
  return
}

// -----

/// A bias of the result's rank has its sizes or one.
// CHECK: error: 'npu.gemm' bias: expected a shape that repeats to 4x10, shape 10 or one element, found 2x10{{$}}
func.func @f(%a: tensor<4x64xf32>, %b: tensor<64x10xf32>, %c: tensor<2x10xf32>) {
  %y = npu.gemm %a, %b, %c : (tensor<4x64xf32>, tensor<64x10xf32>, tensor<2x10xf32>) -> tensor<4x10xf32>
  return
}

// -----

/// A bias of another rank is a vector.
// CHECK: error: 'npu.gemm' bias: expected a shape that repeats to 8x4x10, shape 10 or one element, found 4x10{{$}}
func.func @f(%a: tensor<8x4x64xf32>, %b: tensor<8x64x10xf32>, %c: tensor<4x10xf32>) {
  %y = npu.gemm %a, %b, %c : (tensor<8x4x64xf32>, tensor<8x64x10xf32>, tensor<4x10xf32>) -> tensor<8x4x10xf32>
  return
}
