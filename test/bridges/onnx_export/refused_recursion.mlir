// REQUIRES: onnx
// RUN: not npu-opt %s -o %t.onnx 2>&1 | filecheck %s

/// A function that calls itself has no end in a model; the error names the call.

// CHECK: refused_recursion.mlir:8:8: error: @main calls itself
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
