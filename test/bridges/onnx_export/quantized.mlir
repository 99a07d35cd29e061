// REQUIRES: onnx
// RUN: NPU_TO_ONNX

/// Quantised ops are those of ONNX; a bias of 32 bits with a zero point of 0 as well.

// CHECK:      main (uint8[1,4] q, int32[4] b) => (uint8[1,2] p, float[4] c)
// CHECK:      p = QLinearMatMul (q, s, z, w, s, z, s, z)
// CHECK-NEXT: c = DequantizeLinear (b, s, zero)
func.func @main(%q: tensor<1x4xui8>, %b: tensor<4xi32>) -> (tensor<1x2xui8>, tensor<4xf32>) {
  %s = npu.constant dense<0.5> : tensor<f32>
  %z = npu.constant dense<1> : tensor<ui8>
  %zero = npu.constant dense<0> : tensor<i32>
  %w = npu.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xui8>
  %p = npu.quant_matmul %q, %w, %s, %z, %s, %z, %s, %z
    : (tensor<1x4xui8>, tensor<4x2xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>, tensor<f32>,
       tensor<ui8>) -> tensor<1x2xui8>
  %c = npu.dequantize %b, %s, %zero : (tensor<4xi32>, tensor<f32>, tensor<i32>) -> tensor<4xf32>
  func.return %p, %c : tensor<1x2xui8>, tensor<4xf32>
}
