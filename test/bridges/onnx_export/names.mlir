// REQUIRES: onnx
// RUN: NPU_TO_ONNX

/// Names of the model it came from, or else those of the program. Dynamic dimensions keep their names, a result that is
/// returned twice becomes a copy, and a constant that is used in another order is stored in that order.

// CHECK:      opset_import: ["" : 26],
// CHECK:      resnet (float[batch,2] "input.1") => (float[batch,3] logits, float[batch,3] y)
// CHECK-NEXT:   <float[2,3] w =  {1,3,5,2,4,6}>
// CHECK-NEXT: {
// CHECK-NEXT:   ["/fc/MatMul"] product = MatMul ("input.1", w)
// CHECK-NEXT:   [relu] logits = Relu (product)
// CHECK-NEXT:   [identity] y = Identity (logits)
// CHECK-NEXT: }
builtin.module attributes {onnx.graph = "resnet"} {
  func.func @main(%x: tensor<?x2xf32> {onnx.name = "input.1", onnx.dims = ["batch", 2 : i64]})
      -> (tensor<?x3xf32> {onnx.name = "logits", onnx.dims = ["batch", 3 : i64]},
          tensor<?x3xf32> {onnx.dims = ["batch", 3 : i64]}) {
    %w = npu.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
    %product = npu.matmul %x, %w trans_b : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x3xf32> loc("/fc/MatMul")
    %y = npu.relu %product : tensor<?x3xf32>
    func.return %y, %y : tensor<?x3xf32>, tensor<?x3xf32>
  }
}
