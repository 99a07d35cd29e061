// REQUIRES: onnx
// RUN: NPU_TO_ONNX

/// A foreign op returns with all of its attributes, inputs and outputs that it had left out, and its domain. One that
/// is not pure stays although nothing reads it.

// CHECK:      opset_import: ["" : 26, "com.acme" : 3],
// CHECK:      ["/lstm"] y, "", c = LSTM <direction: string = "forward", hidden_size: int = 4, activation_alpha: floats = [0.5]> (x, w, r, "", "", h)
// CHECK-NEXT: [log] l = com.acme.Log <pure: int = 1> (x)
builtin.module attributes {onnx.opsets = {"" = 26 : i64, "com.acme" = 3 : i64}} {
  func.func @main(%x: tensor<2x1x3xf32>, %w: tensor<1x16x3xf32>, %r: tensor<1x16x4xf32>, %h: tensor<1x1x4xf32>)
      -> (tensor<2x1x1x4xf32>, tensor<1x1x4xf32>) {
    %y, %c = npu.opaque "onnx.LSTM"(%x, %w, %r, %h) pure {
      direction = "forward", hidden_size = 4 : i64, activation_alpha = array<f32: 0.5>,
      onnx.operands = array<i64: 0, 1, 2, 5>, onnx.results = array<i64: 0, 2>
    } : (tensor<2x1x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>, tensor<1x1x4xf32>)
      -> (tensor<2x1x1x4xf32>, tensor<1x1x4xf32>) loc("/lstm")
    %l = npu.opaque "com.acme.Log"(%x) {onnx.attribute.pure = 1 : i64} : (tensor<2x1x3xf32>) -> tensor<f32>
    func.return %y, %c : tensor<2x1x1x4xf32>, tensor<1x1x4xf32>
  }
}
