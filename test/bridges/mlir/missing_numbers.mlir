// REQUIRES: mlir-bindings
// RUN: not npu-opt %s -t tosa 2>&1 | filecheck %s
// RUN: not npu-run %s 2>&1 | filecheck %s

/// A constant refers to a file that does not exist: the error names the file, and the location of the constant.
// CHECK:      missing_numbers.mlir:9:8: error: {{.*}}nowhere.safetensors: No such file or directory
// CHECK-NEXT:   %w = npu.constant #npu.reference<"nowhere.safetensors", "w"> : tensor<2x3xf32>
func.func @main() -> tensor<2x3xf32> {
  %w = npu.constant #npu.reference<"nowhere.safetensors", "w"> : tensor<2x3xf32>
  func.return %w : tensor<2x3xf32>
}
