// REQUIRES: onnx
// RUN: not npu-opt %s -o %t.onnx 2>&1 | filecheck %s

/// A subgraph that contains itself has no end in a model; the error names the op that refers to it.

// CHECK: refused_subgraph.mlir:12:8: error: @yes calls itself
func.func @main(%p: tensor<i1>) -> tensor<i1> {
  %y = npu.opaque "onnx.If"(%p, %p) pure {then_branch = @yes, else_branch = @yes, onnx.captures = ["p"]} : (tensor<i1>, tensor<i1>) -> tensor<i1>
  func.return %y : tensor<i1>
}
func.func private @yes(%p: tensor<i1>) -> tensor<i1> {
  %y = npu.opaque "onnx.If"(%p, %p) pure {then_branch = @yes, else_branch = @yes, onnx.captures = ["p"]} : (tensor<i1>, tensor<i1>) -> tensor<i1>
  func.return %y : tensor<i1>
}
