// REQUIRES: mlir-bindings
// RUN: not npu-opt %s -t tosa 2>&1 | filecheck %s --check-prefix=OPAQUE
// RUN: not npu-run %s 2>&1 | filecheck %s --check-prefix=RUN-TOOL

/// An opaque op without an MLIR op of its name is an error with a location.
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = npu.opaque "other.op"(%x) pure : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
// OPAQUE:      refused.mlir:7:8: error: 'npu.opaque' "other.op": MLIR has no op of this name
// OPAQUE-NEXT:   %y = npu.opaque "other.op"(%x) pure : (tensor<2x3xf32>) -> tensor<2x3xf32>
// RUN-TOOL:      refused.mlir:7:8: error: 'npu.opaque' "other.op": MLIR has no op of this name
// RUN-TOOL-NEXT:   %y = npu.opaque "other.op"(%x) pure : (tensor<2x3xf32>) -> tensor<2x3xf32>
