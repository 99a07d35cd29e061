// REQUIRES: onnx
// RUN: npu-opt %s --target=onnxruntime --layout-optimal -o %t.onnx
// RUN: python %root/test/bridges/onnx_export/Inputs/print_model.py %t.onnx | filecheck %s
// RUN: npu-opt %s --target=onnx --layout-optimal -o %t.plain.onnx
// RUN: python %root/test/bridges/onnx_export/Inputs/print_model.py %t.plain.onnx | filecheck %s --check-prefix=PLAIN

/// A Transpose of the last two axes that only products read is a flag of FusedMatMul. Its result is not transposed, it has
/// no kernel for f16, and matrices without batches are a Gemm.
// CHECK:      opset_import: ["" : {{[0-9]+}}, "com.microsoft" : 1],
// CHECK:      main (float[2,3,8,16] x, float[2,3,4,16] y, float16[2,8,16] h, float16[2,4,16] i, float[8,16] m, float[4,16] n) => (float[2,3,8,4] p, float[2,3,4,8] q, float16[2,8,4] r, float[8,4] s) {
// CHECK-NEXT:    [fusedmatmul] p = com.microsoft.FusedMatMul <transA: int = 0, transB: int = 1> (x, y)
// CHECK-NEXT:    [transpose] q = Transpose <perm: ints = [0, 1, 3, 2]> (p)
// CHECK-NEXT:    [transpose_1] b = Transpose <perm: ints = [0, 2, 1]> (i)
// CHECK-NEXT:    [matmul] r = MatMul (h, b)
// CHECK-NEXT:    [gemm] s = Gemm <transA: int = 0, transB: int = 1> (m, n)
// CHECK-NEXT: }

/// Other readers of ONNX do not know that op.
// PLAIN-NOT: com.microsoft
func.func @main(%x: tensor<2x3x8x16xf32>, %y: tensor<2x3x4x16xf32>, %h: tensor<2x8x16xf16>, %i: tensor<2x4x16xf16>, %m: tensor<8x16xf32>, %n: tensor<4x16xf32>)
    -> (tensor<2x3x8x4xf32>, tensor<2x3x4x8xf32>, tensor<2x8x4xf16>, tensor<8x4xf32>) {
  %a = npu.transpose %y permutation = [0, 1, 3, 2] : (tensor<2x3x4x16xf32>) -> tensor<2x3x16x4xf32>
  %p = npu.matmul %x, %a : (tensor<2x3x8x16xf32>, tensor<2x3x16x4xf32>) -> tensor<2x3x8x4xf32>
  %q = npu.transpose %p permutation = [0, 1, 3, 2] : (tensor<2x3x8x4xf32>) -> tensor<2x3x4x8xf32>
  %b = npu.transpose %i permutation = [0, 2, 1] : (tensor<2x4x16xf16>) -> tensor<2x16x4xf16>
  %r = npu.matmul %h, %b : (tensor<2x8x16xf16>, tensor<2x16x4xf16>) -> tensor<2x8x4xf16>
  %c = npu.transpose %n permutation = [1, 0] : (tensor<4x16xf32>) -> tensor<16x4xf32>
  %s = npu.matmul %m, %c : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  func.return %p, %q, %r, %s : tensor<2x3x8x4xf32>, tensor<2x3x4x8xf32>, tensor<2x8x4xf16>, tensor<8x4xf32>
}
