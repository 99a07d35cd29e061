// REQUIRES: onnx
// RUN: NPU_TO_ONNX
// RUN: npu-opt %s -o %t.checked.onnx && npu-check %s %t.checked.onnx | filecheck %s --check-prefix PROVED
// RUN: npu-opt %s -o %t.tflite && npu-check %s %t.tflite | filecheck %s --check-prefix PROVED
// RUN: npu-opt %s --convert-npu-to-fx | filecheck %s --check-prefix TORCH
// RUN: npu-opt %s -t tfl-mlir | filecheck %s --check-prefix LITERT

/// Values in orders that a format lacks are transposed beside what it has for attention; the file computes the same.
// PROVED: proved: {{.*}} compute the same

// CHECK:      transpose = Transpose <perm: ints = [0, 2, 1, 3]> (q)
// CHECK-NEXT: transpose_1 = Transpose <perm: ints = [0, 1, 3, 2]> (k)
// CHECK-NEXT: transpose_2 = Transpose <perm: ints = [0, 1, 3, 2]> (v)
// CHECK-NEXT: attention = Attention <scale: float = 0.5> (transpose, transpose_1, transpose_2)
// CHECK-NEXT: y = Transpose <perm: ints = [0, 3, 2, 1]> (attention)

// TORCH:      %0 = npu.opaque "aten.permute.default"(%q) pure {dims = array<i64: 0, 2, 1, 3>, operands = ["self"]}
// TORCH-NEXT: %1 = npu.opaque "aten.permute.default"(%k) pure {dims = array<i64: 0, 1, 3, 2>, operands = ["self"]}
// TORCH-NEXT: %2 = npu.opaque "aten.permute.default"(%v) pure {dims = array<i64: 0, 1, 3, 2>, operands = ["self"]}
// TORCH-NEXT: %3 = npu.opaque "aten.scaled_dot_product_attention.default"(%0, %1, %2) pure {is_causal = false, scale = 5.000000e-01 : f64, enable_gqa = true, operands = ["query", "key", "value"]}
// TORCH-NEXT: %y = npu.opaque "aten.permute.default"(%3) pure {dims = array<i64: 0, 3, 2, 1>, operands = ["self"]}

/// Keys as columns are read as they are: no transpose of them.
// LITERT-COUNT-1: kind = "TRANSPOSE"
// LITERT-NOT:     kind = "TRANSPOSE"
// LITERT:         kind = "BATCH_MATMUL", options = {adjX = false, adjY = false}
// LITERT-NOT:     kind = "TRANSPOSE"
// LITERT:         kind = "BATCH_MATMUL", options = {adjX = false, adjY = true}
// LITERT-NEXT:    kind = "TRANSPOSE"
func.func @main(%q: tensor<1x4x2x8xf32>, %k: tensor<1x1x8x3xf32>, %v: tensor<1x1x8x3xf32>) -> tensor<1x8x4x2xf32> {
  %y = npu.attention %q, %k, %v scale = 5.000000e-01 query_axes = "BNHC" key_axes = "BHCN" value_axes = "BHCN" result_axes = "BCNH"
    : (tensor<1x4x2x8xf32>, tensor<1x1x8x3xf32>, tensor<1x1x8x3xf32>) -> tensor<1x8x4x2xf32>
  func.return %y : tensor<1x8x4x2xf32>
}
