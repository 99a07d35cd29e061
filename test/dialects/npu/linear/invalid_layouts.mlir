// RUN: NPU_VERIFY_DIAG

/// Images are not matrices: on the left,
// CHECK: error: 'npu.matmul' lhs: expected a layout of class Tensor or NTensor, found NCHW{{$}}
func.func @f(%a: tensor<1x2x4x64xf32, #npu.layout<NCHW>>, %b: tensor<1x2x64x10xf32>) {
  %y = npu.matmul %a, %b : (tensor<1x2x4x64xf32, #npu.layout<NCHW>>, tensor<1x2x64x10xf32>) -> tensor<1x2x4x10xf32>
  return
}

// -----

/// on the right,
// CHECK: error: 'npu.matmul' rhs: expected a layout of class Tensor or NTensor, found OIHW{{$}}
func.func @f(%a: tensor<1x2x4x64xf32>, %b: tensor<1x2x64x10xf32, #npu.layout<OIHW>>) {
  %y = npu.matmul %a, %b : (tensor<1x2x4x64xf32>, tensor<1x2x64x10xf32, #npu.layout<OIHW>>) -> tensor<1x2x4x10xf32>
  return
}

// -----

/// and as the result.
// CHECK: error: 'npu.gemm' result: expected a layout of class Tensor or NTensor, found NHWC{{$}}
func.func @f(%a: tensor<1x2x4x64xf32>, %b: tensor<1x2x64x10xf32>) {
  %y = npu.gemm %a, %b : (tensor<1x2x4x64xf32>, tensor<1x2x64x10xf32>) -> tensor<1x2x4x10xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The bias has no letters either, even if it has one element.
// CHECK: error: 'npu.gemm' bias: expected a layout of class Tensor or NTensor, found NCHW{{$}}
func.func @f(%a: tensor<4x64xf32>, %b: tensor<64x10xf32>, %c: tensor<1x1x1x1xf32, #npu.layout<NCHW>>) {
  %y = npu.gemm %a, %b, %c
    : (tensor<4x64xf32>, tensor<64x10xf32>, tensor<1x1x1x1xf32, #npu.layout<NCHW>>) -> tensor<4x10xf32>
  return
}

// -----

/// A batch axis among the matrices: no logical product sums like this.
// CHECK: error: 'npu.matmul' lhs: expected the last two logical axes in the last two places, found Tensor, [1, 0, 2]{{$}}
func.func @f(%a: tensor<4x8x64xf32, #npu.layout<Tensor, [1, 0, 2]>>, %b: tensor<4x64x10xf32>) {
  %y = npu.matmul %a, %b
    : (tensor<4x8x64xf32, #npu.layout<Tensor, [1, 0, 2]>>, tensor<4x64x10xf32>) -> tensor<4x8x10xf32>
  return
}

// -----

/// The same on the right.
// CHECK: error: 'npu.matmul' rhs: expected the last two logical axes in the last two places, found NTensor, [2, 1, 0]{{$}}
func.func @f(%a: tensor<8x4x64xf32>, %b: tensor<8x64x10xf32, #npu.layout<NTensor, [2, 1, 0]>>) {
  %y = npu.matmul %a, %b
    : (tensor<8x4x64xf32>, tensor<8x64x10xf32, #npu.layout<NTensor, [2, 1, 0]>>) -> tensor<8x4x10xf32>
  return
}

// -----

/// The same in the result.
// CHECK: error: 'npu.matmul' result: expected the last two logical axes in the last two places, found NTensor, [1, 2, 0]{{$}}
func.func @f(%a: tensor<8x4x64xf32>, %b: tensor<8x64x10xf32>) {
  %y = npu.matmul %a, %b
    : (tensor<8x4x64xf32>, tensor<8x64x10xf32>) -> tensor<8x4x10xf32, #npu.layout<NTensor, [1, 2, 0]>>
  return
}

// -----

/// One class for all: the right operand has that of the left one,
// CHECK: error: 'npu.matmul' rhs: expected a layout of class NTensor like lhs, found Tensor{{$}}
func.func @f(%a: tensor<8x4x64xf32, #npu.layout<NTensor>>, %b: tensor<8x64x10xf32, #npu.layout<Tensor>>) {
  %y = npu.matmul %a, %b
    : (tensor<8x4x64xf32, #npu.layout<NTensor>>, tensor<8x64x10xf32, #npu.layout<Tensor>>) -> tensor<8x4x10xf32, #npu.layout<NTensor>>
  return
}

// -----

/// and the result that of the first coloured operand.
// CHECK: error: 'npu.matmul' result: expected a layout of class NTensor like rhs, found Tensor{{$}}
func.func @f(%a: tensor<8x4x64xf32>, %b: tensor<8x64x10xf32, #npu.layout<NTensor>>) {
  %y = npu.matmul %a, %b
    : (tensor<8x4x64xf32>, tensor<8x64x10xf32, #npu.layout<NTensor>>) -> tensor<8x4x10xf32, #npu.layout<Tensor>>
  return
}

// -----

/// Batch axes of equal sizes in different orders.
// CHECK: error: 'npu.matmul' rhs: expected batch axes in the order of lhs (NTensor, [1, 0, 2, 3]), found NTensor{{$}}
func.func @f(
  %a: tensor<8x8x4x64xf32, #npu.layout<NTensor, [1, 0, 2, 3]>>, %b: tensor<8x8x64x10xf32, #npu.layout<NTensor>>
) {
  %y = npu.matmul %a, %b
    : (tensor<8x8x4x64xf32, #npu.layout<NTensor, [1, 0, 2, 3]>>, tensor<8x8x64x10xf32, #npu.layout<NTensor>>) -> tensor<8x8x4x10xf32, #npu.layout<NTensor>>
  return
}

// -----

/// The batch axes of the result have the order of the operands.
// CHECK: error: 'npu.matmul' result: expected batch axes in the order of lhs (NTensor), found NTensor, [1, 0, 2, 3]{{$}}
func.func @f(%a: tensor<8x8x4x64xf32, #npu.layout<NTensor>>, %b: tensor<8x8x64x10xf32, #npu.layout<NTensor>>) {
  %y = npu.matmul %a, %b
    : (tensor<8x8x4x64xf32, #npu.layout<NTensor>>, tensor<8x8x64x10xf32, #npu.layout<NTensor>>) -> tensor<8x8x4x10xf32, #npu.layout<NTensor, [1, 0, 2, 3]>>
  return
}

// -----

/// A bias with the axes of the result has their order,
// CHECK: error: 'npu.gemm' bias: expected layout Tensor like result, found Tensor, [1, 0]{{$}}
func.func @f(
  %a: tensor<4x64xf32, #npu.layout<Tensor>>, %b: tensor<64x10xf32, #npu.layout<Tensor>>,
  %c: tensor<4x10xf32, #npu.layout<Tensor, [1, 0]>>
) {
  %y = npu.gemm %a, %b, %c
    : (tensor<4x64xf32, #npu.layout<Tensor>>, tensor<64x10xf32, #npu.layout<Tensor>>, tensor<4x10xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<4x10xf32, #npu.layout<Tensor>>
  return
}

// -----

/// in the same class.
// CHECK: error: 'npu.gemm' bias: expected layout NTensor like result, found Tensor{{$}}
func.func @f(%a: tensor<8x4x64xf32>, %b: tensor<8x64x10xf32>, %c: tensor<8x1x10xf32, #npu.layout<Tensor>>) {
  %y = npu.gemm %a, %b, %c
    : (tensor<8x4x64xf32>, tensor<8x64x10xf32>, tensor<8x1x10xf32, #npu.layout<Tensor>>) -> tensor<8x4x10xf32, #npu.layout<NTensor>>
  return
}

// -----

/// The stored columns are the logical rows: no logical gemm adds a vector to its rows.
// CHECK: error: 'npu.gemm' result: expected the last logical axis in the last place, along which bias lies, found Tensor, [1, 0]{{$}}
func.func @f(
  %a: tensor<4x64xf32, #npu.layout<Tensor>>, %b: tensor<64x10xf32, #npu.layout<Tensor>>,
  %c: tensor<10xf32, #npu.layout<Tensor>>
) {
  %y = npu.gemm %a, %b, %c
    : (tensor<4x64xf32, #npu.layout<Tensor>>, tensor<64x10xf32, #npu.layout<Tensor>>, tensor<10xf32, #npu.layout<Tensor>>) -> tensor<4x10xf32, #npu.layout<Tensor, [1, 0]>>
  return
}

// -----

/// Nor does it have a scale per row,
// CHECK: error: 'npu.quant_matmul' result: expected the last logical axis in the last place, along which rhs_scale lies, found Tensor, [1, 0]{{$}}
func.func @f(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %as: tensor<f32>, %az: tensor<ui8>, %bv: tensor<10xf32>,
  %bz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>
) {
  %y = npu.quant_matmul %a, %b, %as, %az, %bv, %bz, %ys, %yz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<10xf32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<4x10xui8, #npu.layout<Tensor, [1, 0]>>
  return
}

// -----

/// or a zero point per row.
// CHECK: error: 'npu.matmul_integer' result: expected the last logical axis in the last place, along which rhs_zero_point lies, found Tensor, [1, 0]{{$}}
func.func @f(%a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %az: tensor<ui8>, %bz: tensor<10xi8>) {
  %y = npu.matmul_integer %a, %b, %az, %bz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<ui8>, tensor<10xi8>) -> tensor<4x10xi32, #npu.layout<Tensor, [1, 0]>>
  return
}

// -----

/// Vectors have no letters.
// CHECK: error: 'npu.quant_matmul' rhs_scale: expected a layout of class Tensor or NTensor, found NCW{{$}}
func.func @f(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %as: tensor<f32>, %az: tensor<ui8>,
  %bs: tensor<1x1x1xf32, #npu.layout<NCW>>, %bz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>
) {
  %y = npu.quant_matmul %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<1x1x1xf32, #npu.layout<NCW>>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<4x10xui8>
  return
}
