// REQUIRES: mlir-bindings
// RUN: not npu-opt %s -t tosa 2>&1 | filecheck %s

/// All sizes have to be known.
func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y = npu.relu %x : tensor<?x3xf32>
  func.return %y : tensor<?x3xf32>
}
// CHECK: sizes.mlir:5:1: error: all sizes must be known to compile, found ?x3
