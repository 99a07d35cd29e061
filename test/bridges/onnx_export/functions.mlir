// REQUIRES: onnx
// RUN: NPU_TO_ONNX

/// Called functions are inlined; unused nodes are dropped.

// CHECK:      main (float[4] x) => (float[4] output0) {
// CHECK-NEXT:   [relu] y = Relu (x)
// CHECK-NEXT:   [relu_1] output0 = Relu (y)
// CHECK-NEXT: }
func.func private @act(%a: tensor<4xf32>) -> tensor<4xf32> {
  %y = npu.relu %a : tensor<4xf32>
  %unused = npu.exp %a : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @act(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @act(%0) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %1 : tensor<4xf32>
}
