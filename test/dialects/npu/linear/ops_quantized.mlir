// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// Zero points of one element, and one per column on the right.
// CHECK-LABEL: func.func @matmul_integer(
func.func @matmul_integer(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %az: tensor<ui8>, %bz: tensor<i8>, %a1: tensor<1xui8>,
  %b1: tensor<1x1xi8>, %bv: tensor<10xi8>, %ta: tensor<64x4xui8>, %tb: tensor<10x64xi8>, %p: tensor<8x?x64xui8>,
  %q: tensor<1x64x10xi8>
) {
  // CHECK-NEXT: %matmul_integer = npu.matmul_integer %a, %b, %az, %bz : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<ui8>, tensor<i8>) -> tensor<4x10xi32>
  %matmul_integer = npu.matmul_integer %a, %b, %az, %bz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<ui8>, tensor<i8>) -> tensor<4x10xi32>
  // CHECK-NEXT: %matmul_integer2 = npu.matmul_integer %a, %b, %a1, %b1 : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<1xui8>, tensor<1x1xi8>) -> tensor<4x10xi32>
  %matmul_integer2 = npu.matmul_integer %a, %b, %a1, %b1
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<1xui8>, tensor<1x1xi8>) -> tensor<4x10xi32>
  // CHECK-NEXT: %matmul_integer3 = npu.matmul_integer %a, %b, %az, %bv : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<ui8>, tensor<10xi8>) -> tensor<4x10xi32>
  %matmul_integer3 = npu.matmul_integer %a, %b, %az, %bv
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<ui8>, tensor<10xi8>) -> tensor<4x10xi32>
  // CHECK-NEXT: %matmul_integer4 = npu.matmul_integer %ta, %tb, %az, %bz trans_a trans_b : (tensor<64x4xui8>, tensor<10x64xi8>, tensor<ui8>, tensor<i8>) -> tensor<4x10xi32>
  %matmul_integer4 = npu.matmul_integer %ta, %tb, %az, %bz trans_a trans_b
    : (tensor<64x4xui8>, tensor<10x64xi8>, tensor<ui8>, tensor<i8>) -> tensor<4x10xi32>
  // CHECK-NEXT: %matmul_integer5 = npu.matmul_integer %p, %q, %az, %bz : (tensor<8x?x64xui8>, tensor<1x64x10xi8>, tensor<ui8>, tensor<i8>) -> tensor<8x?x10xi32>
  %matmul_integer5 = npu.matmul_integer %p, %q, %az, %bz
    : (tensor<8x?x64xui8>, tensor<1x64x10xi8>, tensor<ui8>, tensor<i8>) -> tensor<8x?x10xi32>
  return
}

/// Scale and zero point for each of the two operands and the result.
// CHECK-LABEL: func.func @quant_matmul(
func.func @quant_matmul(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %as: tensor<f32>, %az: tensor<ui8>, %bs: tensor<f32>, %bz: tensor<i8>,
  %ys: tensor<f32>, %yz: tensor<ui8>, %bv: tensor<10xf32>, %zv: tensor<10xi8>, %p: tensor<8x4x64xui8>,
  %q: tensor<8x10x64xi8>, %a1: tensor<1xf32>, %z1: tensor<1xui8>, %i8: tensor<i8>
) {
  // CHECK-NEXT: %quant_matmul = npu.quant_matmul %a, %b, %as, %az, %bs, %bz, %ys, %yz : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<4x10xui8>
  %quant_matmul = npu.quant_matmul %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<4x10xui8>
  // CHECK-NEXT: %quant_matmul2 = npu.quant_matmul %a, %b, %as, %az, %bv, %zv, %ys, %yz : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<10xf32>, tensor<10xi8>, tensor<f32>, tensor<ui8>) -> tensor<4x10xui8>
  %quant_matmul2 = npu.quant_matmul %a, %b, %as, %az, %bv, %zv, %ys, %yz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<10xf32>, tensor<10xi8>, tensor<f32>, tensor<ui8>) -> tensor<4x10xui8>
  // CHECK-NEXT: %quant_matmul3 = npu.quant_matmul %p, %q, %a1, %z1, %bs, %bz, %ys, %i8 trans_b : (tensor<8x4x64xui8>, tensor<8x10x64xi8>, tensor<1xf32>, tensor<1xui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<8x4x10xi8>
  %quant_matmul3 = npu.quant_matmul %p, %q, %a1, %z1, %bs, %bz, %ys, %i8 trans_b
    : (tensor<8x4x64xui8>, tensor<8x10x64xi8>, tensor<1xf32>, tensor<1xui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<8x4x10xi8>
  return
}

/// A bias of i32, in every shape.
// CHECK-LABEL: func.func @quant_gemm(
func.func @quant_gemm(
  %a: tensor<4x64xui8>, %b: tensor<64x10xi8>, %as: tensor<f32>, %az: tensor<ui8>, %bs: tensor<f32>, %bz: tensor<i8>,
  %ys: tensor<f32>, %yz: tensor<ui8>, %v: tensor<10xi32>, %f: tensor<4x1xi32>, %ta: tensor<64x4xui8>,
  %tb: tensor<10x64xi8>, %s: tensor<i32>
) {
  // CHECK-NEXT: %quant_gemm = npu.quant_gemm %a, %b, %as, %az, %bs, %bz, %ys, %yz : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<4x10xui8>
  %quant_gemm = npu.quant_gemm %a, %b, %as, %az, %bs, %bz, %ys, %yz
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<4x10xui8>
  // CHECK-NEXT: %quant_gemm2 = npu.quant_gemm %a, %b, %as, %az, %bs, %bz, %ys, %yz, %v : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, tensor<10xi32>) -> tensor<4x10xui8>
  %quant_gemm2 = npu.quant_gemm %a, %b, %as, %az, %bs, %bz, %ys, %yz, %v
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, tensor<10xi32>) -> tensor<4x10xui8>
  // CHECK-NEXT: %quant_gemm3 = npu.quant_gemm %a, %b, %as, %az, %bs, %bz, %ys, %yz, %f : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, tensor<4x1xi32>) -> tensor<4x10xui8>
  %quant_gemm3 = npu.quant_gemm %a, %b, %as, %az, %bs, %bz, %ys, %yz, %f
    : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, tensor<4x1xi32>) -> tensor<4x10xui8>
  // CHECK-NEXT: %quant_gemm4 = npu.quant_gemm %ta, %tb, %as, %az, %bs, %bz, %ys, %yz, %s trans_a trans_b : (tensor<64x4xui8>, tensor<10x64xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, tensor<i32>) -> tensor<4x10xui8>
  %quant_gemm4 = npu.quant_gemm %ta, %tb, %as, %az, %bs, %bz, %ys, %yz, %s trans_a trans_b
    : (tensor<64x4xui8>, tensor<10x64xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, tensor<i32>) -> tensor<4x10xui8>
  return
}

/// Vectors are along the last logical axis of the result; one element fits every order.
// CHECK-LABEL: func.func @layouts(
func.func @layouts(
  %a: tensor<4x64xui8, #npu.layout<Tensor>>, %b: tensor<64x10xi8, #npu.layout<Tensor, [1, 0]>>,
  %as: tensor<f32, #npu.layout<Tensor>>, %az: tensor<ui8, #npu.layout<Tensor>>,
  %bv: tensor<10xf32, #npu.layout<Tensor>>, %zv: tensor<10xi8, #npu.layout<Tensor>>,
  %ys: tensor<f32, #npu.layout<Tensor>>, %yz: tensor<ui8, #npu.layout<Tensor>>,
  %v: tensor<10xi32, #npu.layout<Tensor>>, %bz: tensor<i8>
) {
  // CHECK-NEXT: %quant_gemm = npu.quant_gemm %a, %b, %as, %az, %bv, %zv, %ys, %yz, %v : (tensor<4x64xui8, #npu.layout<Tensor>>, tensor<64x10xi8, #npu.layout<Tensor, [1, 0]>>, tensor<f32, #npu.layout<Tensor>>, tensor<ui8, #npu.layout<Tensor>>, tensor<10xf32, #npu.layout<Tensor>>, tensor<10xi8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<ui8, #npu.layout<Tensor>>, tensor<10xi32, #npu.layout<Tensor>>) -> tensor<4x10xui8, #npu.layout<Tensor>>
  %quant_gemm = npu.quant_gemm %a, %b, %as, %az, %bv, %zv, %ys, %yz, %v
    : (tensor<4x64xui8, #npu.layout<Tensor>>, tensor<64x10xi8, #npu.layout<Tensor, [1, 0]>>, tensor<f32, #npu.layout<Tensor>>, tensor<ui8, #npu.layout<Tensor>>, tensor<10xf32, #npu.layout<Tensor>>, tensor<10xi8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<ui8, #npu.layout<Tensor>>, tensor<10xi32, #npu.layout<Tensor>>) -> tensor<4x10xui8, #npu.layout<Tensor>>
  // CHECK-NEXT: %quant_matmul = npu.quant_matmul %a, %b, %as, %az, %as, %bz, %ys, %yz : (tensor<4x64xui8, #npu.layout<Tensor>>, tensor<64x10xi8, #npu.layout<Tensor, [1, 0]>>, tensor<f32, #npu.layout<Tensor>>, tensor<ui8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8>, tensor<f32, #npu.layout<Tensor>>, tensor<ui8, #npu.layout<Tensor>>) -> tensor<4x10xui8, #npu.layout<Tensor, [1, 0]>>
  %quant_matmul = npu.quant_matmul %a, %b, %as, %az, %as, %bz, %ys, %yz
    : (tensor<4x64xui8, #npu.layout<Tensor>>, tensor<64x10xi8, #npu.layout<Tensor, [1, 0]>>, tensor<f32, #npu.layout<Tensor>>, tensor<ui8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8>, tensor<f32, #npu.layout<Tensor>>, tensor<ui8, #npu.layout<Tensor>>) -> tensor<4x10xui8, #npu.layout<Tensor, [1, 0]>>
  // CHECK-NEXT: %matmul_integer = npu.matmul_integer %a, %b, %az, %zv : (tensor<4x64xui8, #npu.layout<Tensor>>, tensor<64x10xi8, #npu.layout<Tensor, [1, 0]>>, tensor<ui8, #npu.layout<Tensor>>, tensor<10xi8, #npu.layout<Tensor>>) -> tensor<4x10xi32, #npu.layout<Tensor>>
  %matmul_integer = npu.matmul_integer %a, %b, %az, %zv
    : (tensor<4x64xui8, #npu.layout<Tensor>>, tensor<64x10xi8, #npu.layout<Tensor, [1, 0]>>, tensor<ui8, #npu.layout<Tensor>>, tensor<10xi8, #npu.layout<Tensor>>) -> tensor<4x10xi32, #npu.layout<Tensor>>
  return
}
