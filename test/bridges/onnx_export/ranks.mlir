// REQUIRES: onnx
// RUN: NPU_TO_ONNX

/// Unit axes that the program added in front of an operand are dropped if another operand has the rank of the result.
/// Constants are reshaped at once.

// CHECK:      main (float[2,3,4] x, float[3,4] y, float[?,?] z, float[4] u) => (float[2,3,4] r0, float[1,3,4] r1, float[2,3,4] r2, float[2,3,4] r3, float[1,4] r4)
// CHECK-NEXT: <float[4] bias =  {1,2,3,4}, int64[3] constant_0 =  {1,3,4}, float[1,3,1] c =  {1,2,3}, int64[2] constant_1 =  {1,4}>
// CHECK-NEXT: {
// CHECK-NEXT:    [add] r0 = Add (x, bias)
// CHECK-NEXT:    [reshape] y1 = Reshape (y, constant_0)
// CHECK-NEXT:    [mul] r1 = Mul (y1, bias)
// CHECK-NEXT:    [max] r2 = Max (z, x)
// CHECK-NEXT:    [sub] r3 = Sub (x, c)
// CHECK-NEXT:    [reshape_1] v = Reshape (u, constant_1)
// CHECK-NEXT:    [add_1] r4 = Add (v, bias)
// CHECK-NEXT: }
func.func @main(%x: tensor<2x3x4xf32>, %y: tensor<3x4xf32>, %z: tensor<?x?xf32>, %u: tensor<4xf32>)
    -> (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1x4xf32>) {
  %bias = npu.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %b = npu.reshape %bias : (tensor<4xf32>) -> tensor<1x1x4xf32>
  %r0 = npu.add %x, %b : (tensor<2x3x4xf32>, tensor<1x1x4xf32>) -> tensor<2x3x4xf32>
  %y1 = npu.reshape %y : (tensor<3x4xf32>) -> tensor<1x3x4xf32>
  %r1 = npu.mul %y1, %b : (tensor<1x3x4xf32>, tensor<1x1x4xf32>) -> tensor<1x3x4xf32>
  %z1 = npu.reshape %z dims = [1, @in0, @in1] : (tensor<?x?xf32>) -> tensor<1x?x?xf32>
  %r2 = npu.max %z1, %x : (tensor<1x?x?xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %c = npu.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  %r3 = npu.sub %x, %c : (tensor<2x3x4xf32>, tensor<1x3x1xf32>) -> tensor<2x3x4xf32>
  %v = npu.reshape %u : (tensor<4xf32>) -> tensor<1x4xf32>
  %b2 = npu.reshape %bias : (tensor<4xf32>) -> tensor<1x4xf32>
  %r4 = npu.add %v, %b2 : tensor<1x4xf32>
  func.return %r0, %r1, %r2, %r3, %r4
    : tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1x4xf32>
}
