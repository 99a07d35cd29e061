// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// With and without a bias: one number per column, one for all, one per row, one each.
// CHECK-LABEL: func.func @gemm(
func.func @gemm(
  %a: tensor<4x64xf32>, %b: tensor<64x10xf32>, %v: tensor<10xf32>, %s: tensor<f32>, %o: tensor<1x1x1xf32>,
  %r: tensor<4x1xf32>, %c: tensor<1x10xf32>, %f: tensor<4x10xf32>
) {
  // CHECK-NEXT: %gemm = npu.gemm %a, %b : (tensor<4x64xf32>, tensor<64x10xf32>) -> tensor<4x10xf32>
  %gemm = npu.gemm %a, %b : (tensor<4x64xf32>, tensor<64x10xf32>) -> tensor<4x10xf32>
  // CHECK-NEXT: %gemm2 = npu.gemm %a, %b, %v : (tensor<4x64xf32>, tensor<64x10xf32>, tensor<10xf32>) -> tensor<4x10xf32>
  %gemm2 = npu.gemm %a, %b, %v : (tensor<4x64xf32>, tensor<64x10xf32>, tensor<10xf32>) -> tensor<4x10xf32>
  // CHECK-NEXT: %gemm3 = npu.gemm %a, %b, %s : (tensor<4x64xf32>, tensor<64x10xf32>, tensor<f32>) -> tensor<4x10xf32>
  %gemm3 = npu.gemm %a, %b, %s : (tensor<4x64xf32>, tensor<64x10xf32>, tensor<f32>) -> tensor<4x10xf32>
  // CHECK-NEXT: %gemm4 = npu.gemm %a, %b, %o : (tensor<4x64xf32>, tensor<64x10xf32>, tensor<1x1x1xf32>) -> tensor<4x10xf32>
  %gemm4 = npu.gemm %a, %b, %o : (tensor<4x64xf32>, tensor<64x10xf32>, tensor<1x1x1xf32>) -> tensor<4x10xf32>
  // CHECK-NEXT: %gemm5 = npu.gemm %a, %b, %r : (tensor<4x64xf32>, tensor<64x10xf32>, tensor<4x1xf32>) -> tensor<4x10xf32>
  %gemm5 = npu.gemm %a, %b, %r : (tensor<4x64xf32>, tensor<64x10xf32>, tensor<4x1xf32>) -> tensor<4x10xf32>
  // CHECK-NEXT: %gemm6 = npu.gemm %a, %b, %c : (tensor<4x64xf32>, tensor<64x10xf32>, tensor<1x10xf32>) -> tensor<4x10xf32>
  %gemm6 = npu.gemm %a, %b, %c : (tensor<4x64xf32>, tensor<64x10xf32>, tensor<1x10xf32>) -> tensor<4x10xf32>
  // CHECK-NEXT: %gemm7 = npu.gemm %a, %b, %f : (tensor<4x64xf32>, tensor<64x10xf32>, tensor<4x10xf32>) -> tensor<4x10xf32>
  %gemm7 = npu.gemm %a, %b, %f : (tensor<4x64xf32>, tensor<64x10xf32>, tensor<4x10xf32>) -> tensor<4x10xf32>
  return
}

/// Operands that are stored transposed.
// CHECK-LABEL: func.func @transposed(
func.func @transposed(
  %ta: tensor<64x4xf32>, %b: tensor<64x10xf32>, %a: tensor<4x64xf32>, %tb: tensor<10x64xf32>, %v: tensor<10xf32>
) {
  // CHECK-NEXT: %gemm = npu.gemm %ta, %b trans_a : (tensor<64x4xf32>, tensor<64x10xf32>) -> tensor<4x10xf32>
  %gemm = npu.gemm %ta, %b trans_a : (tensor<64x4xf32>, tensor<64x10xf32>) -> tensor<4x10xf32>
  // CHECK-NEXT: %gemm2 = npu.gemm %a, %tb trans_b : (tensor<4x64xf32>, tensor<10x64xf32>) -> tensor<4x10xf32>
  %gemm2 = npu.gemm %a, %tb trans_b : (tensor<4x64xf32>, tensor<10x64xf32>) -> tensor<4x10xf32>
  // CHECK-NEXT: %gemm3 = npu.gemm %ta, %tb, %v trans_a trans_b : (tensor<64x4xf32>, tensor<10x64xf32>, tensor<10xf32>) -> tensor<4x10xf32>
  %gemm3 = npu.gemm %ta, %tb, %v trans_a trans_b
    : (tensor<64x4xf32>, tensor<10x64xf32>, tensor<10xf32>) -> tensor<4x10xf32>
  // CHECK-NEXT: %matmul = npu.matmul %ta, %tb trans_a trans_b : (tensor<64x4xf32>, tensor<10x64xf32>) -> tensor<4x10xf32>
  %matmul = npu.matmul %ta, %tb trans_a trans_b : (tensor<64x4xf32>, tensor<10x64xf32>) -> tensor<4x10xf32>
  return
}

/// Batches, repeated if one side has size 1; also with a bias, which is repeated as well.
// CHECK-LABEL: func.func @batches(
func.func @batches(
  %a: tensor<8x4x64xf32>, %b: tensor<8x64x10xf32>, %one: tensor<1x64x10xf32>, %p: tensor<2x1x4x64xf32>,
  %q: tensor<1x3x10x64xf32>, %h: tensor<1x2x3x4x5x6xf16>, %v: tensor<10xf32>, %c: tensor<8x1x10xf32>
) {
  // CHECK-NEXT: %matmul = npu.matmul %a, %b : (tensor<8x4x64xf32>, tensor<8x64x10xf32>) -> tensor<8x4x10xf32>
  %matmul = npu.matmul %a, %b : (tensor<8x4x64xf32>, tensor<8x64x10xf32>) -> tensor<8x4x10xf32>
  // CHECK-NEXT: %matmul2 = npu.matmul %a, %one : (tensor<8x4x64xf32>, tensor<1x64x10xf32>) -> tensor<8x4x10xf32>
  %matmul2 = npu.matmul %a, %one : (tensor<8x4x64xf32>, tensor<1x64x10xf32>) -> tensor<8x4x10xf32>
  // CHECK-NEXT: %matmul3 = npu.matmul %p, %q trans_b : (tensor<2x1x4x64xf32>, tensor<1x3x10x64xf32>) -> tensor<2x3x4x10xf32>
  %matmul3 = npu.matmul %p, %q trans_b : (tensor<2x1x4x64xf32>, tensor<1x3x10x64xf32>) -> tensor<2x3x4x10xf32>
  // CHECK-NEXT: %matmul4 = npu.matmul %h, %h trans_b : (tensor<1x2x3x4x5x6xf16>, tensor<1x2x3x4x5x6xf16>) -> tensor<1x2x3x4x5x5xf16>
  %matmul4 = npu.matmul %h, %h trans_b : (tensor<1x2x3x4x5x6xf16>, tensor<1x2x3x4x5x6xf16>) -> tensor<1x2x3x4x5x5xf16>
  // CHECK-NEXT: %gemm = npu.gemm %a, %b, %v : (tensor<8x4x64xf32>, tensor<8x64x10xf32>, tensor<10xf32>) -> tensor<8x4x10xf32>
  %gemm = npu.gemm %a, %b, %v : (tensor<8x4x64xf32>, tensor<8x64x10xf32>, tensor<10xf32>) -> tensor<8x4x10xf32>
  // CHECK-NEXT: %gemm2 = npu.gemm %a, %b, %c : (tensor<8x4x64xf32>, tensor<8x64x10xf32>, tensor<8x1x10xf32>) -> tensor<8x4x10xf32>
  %gemm2 = npu.gemm %a, %b, %c : (tensor<8x4x64xf32>, tensor<8x64x10xf32>, tensor<8x1x10xf32>) -> tensor<8x4x10xf32>
  return
}

/// Integers, no columns, nothing to sum.
// CHECK-LABEL: func.func @elements(
func.func @elements(
  %i: tensor<4x64xi32>, %j: tensor<64x10xi32>, %x: tensor<4x64xui8>, %y: tensor<64x10xui8>, %z: tensor<10xui8>,
  %a: tensor<4x64xbf16>, %b: tensor<64x0xbf16>, %c: tensor<4x0xf32>, %d: tensor<0x10xf32>
) {
  // CHECK-NEXT: %matmul = npu.matmul %i, %j : (tensor<4x64xi32>, tensor<64x10xi32>) -> tensor<4x10xi32>
  %matmul = npu.matmul %i, %j : (tensor<4x64xi32>, tensor<64x10xi32>) -> tensor<4x10xi32>
  // CHECK-NEXT: %gemm = npu.gemm %x, %y, %z : (tensor<4x64xui8>, tensor<64x10xui8>, tensor<10xui8>) -> tensor<4x10xui8>
  %gemm = npu.gemm %x, %y, %z : (tensor<4x64xui8>, tensor<64x10xui8>, tensor<10xui8>) -> tensor<4x10xui8>
  // CHECK-NEXT: %matmul2 = npu.matmul %a, %b : (tensor<4x64xbf16>, tensor<64x0xbf16>) -> tensor<4x0xbf16>
  %matmul2 = npu.matmul %a, %b : (tensor<4x64xbf16>, tensor<64x0xbf16>) -> tensor<4x0xbf16>
  // CHECK-NEXT: %matmul3 = npu.matmul %c, %d : (tensor<4x0xf32>, tensor<0x10xf32>) -> tensor<4x10xf32>
  %matmul3 = npu.matmul %c, %d : (tensor<4x0xf32>, tensor<0x10xf32>) -> tensor<4x10xf32>
  return
}

/// Dynamic dimensions.
// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(
  %a: tensor<?x4x64xf32>, %b: tensor<8x64x10xf32>, %c: tensor<?x?x?xf32>, %x: tensor<?x64xf32>, %w: tensor<64x?xf32>,
  %v: tensor<?xf32>, %f: tensor<?x?xf32>
) {
  // CHECK-NEXT: %matmul = npu.matmul %a, %b : (tensor<?x4x64xf32>, tensor<8x64x10xf32>) -> tensor<8x4x10xf32>
  %matmul = npu.matmul %a, %b : (tensor<?x4x64xf32>, tensor<8x64x10xf32>) -> tensor<8x4x10xf32>
  // CHECK-NEXT: %matmul2 = npu.matmul %a, %c trans_b : (tensor<?x4x64xf32>, tensor<?x?x?xf32>) -> tensor<?x4x?xf32>
  %matmul2 = npu.matmul %a, %c trans_b : (tensor<?x4x64xf32>, tensor<?x?x?xf32>) -> tensor<?x4x?xf32>
  // CHECK-NEXT: %gemm = npu.gemm %x, %w, %v : (tensor<?x64xf32>, tensor<64x?xf32>, tensor<?xf32>) -> tensor<?x10xf32>
  %gemm = npu.gemm %x, %w, %v : (tensor<?x64xf32>, tensor<64x?xf32>, tensor<?xf32>) -> tensor<?x10xf32>
  // CHECK-NEXT: %gemm2 = npu.gemm %x, %w, %f : (tensor<?x64xf32>, tensor<64x?xf32>, tensor<?x?xf32>) -> tensor<4x10xf32>
  %gemm2 = npu.gemm %x, %w, %f : (tensor<?x64xf32>, tensor<64x?xf32>, tensor<?x?xf32>) -> tensor<4x10xf32>
  return
}

/// Tensors of rank 2 in both orders: the flags refer to stored matrices.
// CHECK-LABEL: func.func @matrices(
func.func @matrices(
  %a: tensor<4x64xf32, #npu.layout<Tensor>>, %b: tensor<64x10xf32, #npu.layout<Tensor>>,
  %v: tensor<10xf32, #npu.layout<Tensor>>, %tb: tensor<10x64xf32, #npu.layout<Tensor, [1, 0]>>,
  %c: tensor<1x10xf32, #npu.layout<Tensor, [1, 0]>>, %s: tensor<1x1xf32, #npu.layout<Tensor>>,
  %o: tensor<1xf32, #npu.layout<Tensor>>
) {
  // CHECK-NEXT: %gemm = npu.gemm %a, %b, %v : (tensor<4x64xf32, #npu.layout<Tensor>>, tensor<64x10xf32, #npu.layout<Tensor>>, tensor<10xf32, #npu.layout<Tensor>>) -> tensor<4x10xf32, #npu.layout<Tensor>>
  %gemm = npu.gemm %a, %b, %v
    : (tensor<4x64xf32, #npu.layout<Tensor>>, tensor<64x10xf32, #npu.layout<Tensor>>, tensor<10xf32, #npu.layout<Tensor>>) -> tensor<4x10xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %gemm2 = npu.gemm %a, %tb, %v trans_b : (tensor<4x64xf32, #npu.layout<Tensor>>, tensor<10x64xf32, #npu.layout<Tensor, [1, 0]>>, tensor<10xf32, #npu.layout<Tensor>>) -> tensor<4x10xf32, #npu.layout<Tensor>>
  %gemm2 = npu.gemm %a, %tb, %v trans_b
    : (tensor<4x64xf32, #npu.layout<Tensor>>, tensor<10x64xf32, #npu.layout<Tensor, [1, 0]>>, tensor<10xf32, #npu.layout<Tensor>>) -> tensor<4x10xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %gemm3 = npu.gemm %a, %b, %c : (tensor<4x64xf32, #npu.layout<Tensor>>, tensor<64x10xf32, #npu.layout<Tensor>>, tensor<1x10xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<4x10xf32, #npu.layout<Tensor, [1, 0]>>
  %gemm3 = npu.gemm %a, %b, %c
    : (tensor<4x64xf32, #npu.layout<Tensor>>, tensor<64x10xf32, #npu.layout<Tensor>>, tensor<1x10xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<4x10xf32, #npu.layout<Tensor, [1, 0]>>
  // CHECK-NEXT: %gemm4 = npu.gemm %a, %b, %s : (tensor<4x64xf32, #npu.layout<Tensor>>, tensor<64x10xf32, #npu.layout<Tensor>>, tensor<1x1xf32, #npu.layout<Tensor>>) -> tensor<4x10xf32, #npu.layout<Tensor, [1, 0]>>
  %gemm4 = npu.gemm %a, %b, %s
    : (tensor<4x64xf32, #npu.layout<Tensor>>, tensor<64x10xf32, #npu.layout<Tensor>>, tensor<1x1xf32, #npu.layout<Tensor>>) -> tensor<4x10xf32, #npu.layout<Tensor, [1, 0]>>
  // CHECK-NEXT: %gemm5 = npu.gemm %a, %b, %o : (tensor<4x64xf32, #npu.layout<Tensor>>, tensor<64x10xf32, #npu.layout<Tensor>>, tensor<1xf32, #npu.layout<Tensor>>) -> tensor<4x10xf32, #npu.layout<Tensor, [1, 0]>>
  %gemm5 = npu.gemm %a, %b, %o
    : (tensor<4x64xf32, #npu.layout<Tensor>>, tensor<64x10xf32, #npu.layout<Tensor>>, tensor<1xf32, #npu.layout<Tensor>>) -> tensor<4x10xf32, #npu.layout<Tensor, [1, 0]>>
  return
}

/// Batches of one class, whose batch axes have one order and whose matrices have any.
// CHECK-LABEL: func.func @batch_layouts(
func.func @batch_layouts(
  %a: tensor<2x8x4x64xf32, #npu.layout<NTensor>>, %b: tensor<2x8x64x10xf32, #npu.layout<NTensor>>,
  %c: tensor<8x2x4x64xf32, #npu.layout<NTensor, [1, 0, 2, 3]>>,
  %d: tensor<8x2x64x10xf32, #npu.layout<NTensor, [1, 0, 3, 2]>>,
  %e: tensor<8x64x4xf32, #npu.layout<Tensor, [0, 2, 1]>>, %f: tensor<8x64x10xf32, #npu.layout<Tensor>>,
  %g: tensor<8x1x10xf32, #npu.layout<Tensor, [0, 2, 1]>>
) {
  // CHECK-NEXT: %matmul = npu.matmul %a, %b : (tensor<2x8x4x64xf32, #npu.layout<NTensor>>, tensor<2x8x64x10xf32, #npu.layout<NTensor>>) -> tensor<2x8x4x10xf32, #npu.layout<NTensor>>
  %matmul = npu.matmul %a, %b
    : (tensor<2x8x4x64xf32, #npu.layout<NTensor>>, tensor<2x8x64x10xf32, #npu.layout<NTensor>>) -> tensor<2x8x4x10xf32, #npu.layout<NTensor>>
  // CHECK-NEXT: %matmul2 = npu.matmul %c, %d : (tensor<8x2x4x64xf32, #npu.layout<NTensor, [1, 0, 2, 3]>>, tensor<8x2x64x10xf32, #npu.layout<NTensor, [1, 0, 3, 2]>>) -> tensor<8x2x4x10xf32, #npu.layout<NTensor, [1, 0, 2, 3]>>
  %matmul2 = npu.matmul %c, %d
    : (tensor<8x2x4x64xf32, #npu.layout<NTensor, [1, 0, 2, 3]>>, tensor<8x2x64x10xf32, #npu.layout<NTensor, [1, 0, 3, 2]>>) -> tensor<8x2x4x10xf32, #npu.layout<NTensor, [1, 0, 2, 3]>>
  // CHECK-NEXT: %matmul3 = npu.matmul %e, %f trans_a : (tensor<8x64x4xf32, #npu.layout<Tensor, [0, 2, 1]>>, tensor<8x64x10xf32, #npu.layout<Tensor>>) -> tensor<8x4x10xf32, #npu.layout<Tensor, [0, 2, 1]>>
  %matmul3 = npu.matmul %e, %f trans_a
    : (tensor<8x64x4xf32, #npu.layout<Tensor, [0, 2, 1]>>, tensor<8x64x10xf32, #npu.layout<Tensor>>) -> tensor<8x4x10xf32, #npu.layout<Tensor, [0, 2, 1]>>
  // CHECK-NEXT: %gemm = npu.gemm %e, %f, %g trans_a : (tensor<8x64x4xf32, #npu.layout<Tensor, [0, 2, 1]>>, tensor<8x64x10xf32, #npu.layout<Tensor>>, tensor<8x1x10xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<8x4x10xf32, #npu.layout<Tensor, [0, 2, 1]>>
  %gemm = npu.gemm %e, %f, %g trans_a
    : (tensor<8x64x4xf32, #npu.layout<Tensor, [0, 2, 1]>>, tensor<8x64x10xf32, #npu.layout<Tensor>>, tensor<8x1x10xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<8x4x10xf32, #npu.layout<Tensor, [0, 2, 1]>>
  return
}

/// Uncoloured values beside coloured ones.
// CHECK-LABEL: func.func @partly_coloured(
func.func @partly_coloured(
  %a: tensor<4x64xf32, #npu.layout<Tensor, [1, 0]>>, %b: tensor<64x10xf32>, %v: tensor<10xf32>, %u: tensor<4x64xf32>,
  %p: tensor<8x4x64xf32>, %q: tensor<8x64x10xf32, #npu.layout<NTensor>>
) {
  // CHECK-NEXT: %gemm = npu.gemm %a, %b, %v : (tensor<4x64xf32, #npu.layout<Tensor, [1, 0]>>, tensor<64x10xf32>, tensor<10xf32>) -> tensor<4x10xf32>
  %gemm = npu.gemm %a, %b, %v
    : (tensor<4x64xf32, #npu.layout<Tensor, [1, 0]>>, tensor<64x10xf32>, tensor<10xf32>) -> tensor<4x10xf32>
  // CHECK-NEXT: %gemm2 = npu.gemm %u, %b, %v : (tensor<4x64xf32>, tensor<64x10xf32>, tensor<10xf32>) -> tensor<4x10xf32, #npu.layout<Tensor>>
  %gemm2 = npu.gemm %u, %b, %v
    : (tensor<4x64xf32>, tensor<64x10xf32>, tensor<10xf32>) -> tensor<4x10xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %matmul = npu.matmul %p, %q : (tensor<8x4x64xf32>, tensor<8x64x10xf32, #npu.layout<NTensor>>) -> tensor<8x4x10xf32>
  %matmul = npu.matmul %p, %q : (tensor<8x4x64xf32>, tensor<8x64x10xf32, #npu.layout<NTensor>>) -> tensor<8x4x10xf32>
  return
}
