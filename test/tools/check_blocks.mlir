// RUN: npu-opt %s --canonicalize -o %t.mlir
// RUN: not npu-check %s %t.mlir 2>&1 | filecheck %s

/// A function of several blocks is compared as a whole, one of a single block op by op. That the call is an effect on
/// one side only shows nothing, for what is called may have none.
// CHECK: undecided: @main: effect 0 is a call of @blocks in the first program and nothing in the second
func.func private @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^next(%x : tensor<4xf32>)
^next(%a: tensor<4xf32>):
  return %a : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = func.call @blocks(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
