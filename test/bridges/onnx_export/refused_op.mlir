// REQUIRES: onnx
// RUN: not npu-opt %s -o %t.onnx 2>&1 | filecheck %s

/// Ops of other dialects have no counterpart; the error has the location of the op.

// CHECK: refused_op.mlir:8:8: error: 'arith.addf' has no counterpart in ONNX
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
