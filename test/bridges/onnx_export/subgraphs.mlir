// REQUIRES: onnx
// RUN: NPU_TO_ONNX

/// A private function that an attribute of a node refers to is a subgraph. Its last arguments are the captured values,
/// which it reads by their names outside. What it returns without computing it is copied, and its names differ from those
/// around it; constants that only one subgraph reads are its own.

// CHECK:      g (bool p, float[2] x) => (float[2] y, float[2] z) {
// CHECK-NEXT:    [if] y = If (p) <then_branch: graph = yes () => (float[2] a)
// CHECK-NEXT:       <float[2] k =  {1,2}>
// CHECK-NEXT: {
// CHECK-NEXT:       [add] a = Add (x, k)
// CHECK-NEXT:    }, else_branch: graph = "main.no" () => (float[2] x_1) {
// CHECK-NEXT:       [identity] x_1 = Identity (x)
// CHECK-NEXT:    }>
// CHECK-NEXT:    [neg] z = Neg (y)
builtin.module attributes {onnx.opsets = {"" = 21 : i64}, onnx.graph = "g"} {
  func.func @main(%p: tensor<i1>, %x: tensor<2xf32>) -> (tensor<2xf32> {onnx.name = "y"}, tensor<2xf32> {onnx.name = "z"}) {
    %y = npu.opaque "onnx.If"(%p, %x) pure {
      then_branch = @main.yes, else_branch = @main.no, onnx.captures = ["x"]
    } : (tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
    %z = npu.neg %y : tensor<2xf32>
    func.return %y, %z : tensor<2xf32>, tensor<2xf32>
  }
  func.func private @main.yes(%x: tensor<2xf32>) -> (tensor<2xf32> {onnx.name = "a"}) attributes {onnx.graph = "yes"} {
    %k = npu.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %a = npu.add %x, %k : tensor<2xf32>
    func.return %a : tensor<2xf32>
  }
  func.func private @main.no(%x: tensor<2xf32>) -> tensor<2xf32> {
    func.return %x : tensor<2xf32>
  }
}
