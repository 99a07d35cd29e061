// REQUIRES: onnx
// RUN: NPU_TO_ONNX

/// An output that a model lists twice is one tensor, and stays listed twice: engines return it twice.

// CHECK:      net (float[2] x) => (float[2] y, float[2] y, float[2] z) {
// CHECK-NEXT:   [neg] y = Neg (x)
// CHECK-NEXT:   [identity] z = Identity (y)
// CHECK-NEXT: }
builtin.module attributes {onnx.graph = "net"} {
  func.func @main(%x: tensor<2xf32> {onnx.name = "x"})
      -> (tensor<2xf32> {onnx.name = "y"}, tensor<2xf32> {onnx.name = "y"}, tensor<2xf32> {onnx.name = "z"}) {
    %r = npu.neg %x : tensor<2xf32>
    func.return %r, %r, %r : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }
}
