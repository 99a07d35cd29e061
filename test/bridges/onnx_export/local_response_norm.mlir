// REQUIRES: onnx
// RUN: NPU_TO_ONNX

/// LRN requires the channels second, and ONNX Runtime runs it for images and odd sizes only. Others are a sum of shifted
/// squares.

// CHECK:      main (float[1,3,4,4] x, float[1,4,4,3] n, float[2,3] v) => (float[1,3,4,4] a, float[1,4,4,3] b, float[2,3] c)
// CHECK-NEXT: <int64[4] constant_0 =  {0,0,0,1}, int64[1] constant_1 =  {0}, int64[1] constant_2 =  {-1}, int64[1] constant_3 =  {1}, int64[1] constant_4 =  {9223372036854775807}, float constant_5 =  {0.25}, float constant_6 =  {1}, float constant_7 =  {0.75}>
// CHECK-NEXT: {
// CHECK-NEXT:    [lrn] a = LRN <size: int = 5, alpha: float = 0.5, beta: float = 0.75, bias: float = 2> (x)
// CHECK-NEXT:    [transpose] transpose = Transpose <perm: ints = [0, 3, 1, 2]> (n)
// CHECK-NEXT:    [lrn_1] lrn = LRN <size: int = 3, alpha: float = 1e-04, beta: float = 0.75, bias: float = 1> (transpose)
// CHECK-NEXT:    [transpose_1] b = Transpose <perm: ints = [0, 2, 3, 1]> (lrn)
// CHECK-NEXT:    [mul] mul = Mul (v, v)
// CHECK-NEXT:    [pad] pad = Pad (mul, constant_0)
// CHECK-NEXT:    [slice] slice = Slice (pad, constant_1, constant_2, constant_3)
// CHECK-NEXT:    [slice_1] slice_1 = Slice (pad, constant_3, constant_4, constant_3)
// CHECK-NEXT:    [sum] sum = Sum (slice, slice_1)
// CHECK-NEXT:    [mul_1] mul_1 = Mul (sum, constant_5)
// CHECK-NEXT:    [add] add = Add (mul_1, constant_6)
// CHECK-NEXT:    [pow] pow = Pow (add, constant_7)
// CHECK-NEXT:    [div] c = Div (v, pow)
// CHECK-NEXT: }
func.func @main(%x: tensor<1x3x4x4xf32>, %n: tensor<1x4x4x3xf32, #npu.layout<NHWC>>, %v: tensor<2x3xf32>)
    -> (tensor<1x3x4x4xf32>, tensor<1x4x4x3xf32, #npu.layout<NHWC>>, tensor<2x3xf32>) {
  %a = npu.lrn %x axis = 1 size = 5 alpha = 0.5 bias = 2.0 : tensor<1x3x4x4xf32>
  %b = npu.lrn %n axis = 3 size = 3 : tensor<1x4x4x3xf32, #npu.layout<NHWC>>
  %c = npu.lrn %v axis = 1 size = 2 alpha = 0.5 : tensor<2x3xf32>
  func.return %a, %b, %c : tensor<1x3x4x4xf32>, tensor<1x4x4x3xf32, #npu.layout<NHWC>>, tensor<2x3xf32>
}
