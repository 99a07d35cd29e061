// REQUIRES: onnx
// RUN: NPU_TO_ONNX

/// Layouts that ONNX lacks become transposes around the convolutions, of which adjacent ones cancel. Softmax works on the
/// stored data, and a relabel disappears.

// CHECK:      main (float[1,8,8,16] x, float[?,3,16,32] w, float[32,3,3,16] k) => (float[1,8,8,16] s) {
// CHECK-NEXT:   [transpose] transpose = Transpose <perm: ints = [0, 3, 1, 2]> (x)
// CHECK-NEXT:   [transpose_1] transpose_1 = Transpose <perm: ints = [3, 2, 0, 1]> (w)
// CHECK-NEXT:   [conv] conv = Conv <{{.*}}> (transpose, transpose_1)
// CHECK-NEXT:   [transpose_2] transpose_2 = Transpose <perm: ints = [3, 0, 1, 2]> (k)
// CHECK-NEXT:   [conv_1] conv_1 = Conv <{{.*}}> (conv, transpose_2)
// CHECK-NEXT:   [transpose_3] b = Transpose <perm: ints = [0, 2, 3, 1]> (conv_1)
// CHECK-NEXT:   [softmax] s = Softmax <axis: int = 3> (b)
// CHECK-NEXT: }
func.func @main(
  %x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>,
  %w: tensor<?x3x16x32xf32, #npu.layout<HWIO>>,
  %k: tensor<32x3x3x16xf32, #npu.layout<IHWO>>
) -> tensor<1x8x8x16xf32, #npu.layout<Tensor>> {
  %a = npu.conv2d %x, %w pads = [1, 1, 1, 1]
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<?x3x16x32xf32, #npu.layout<HWIO>>)
    -> tensor<1x?x8x32xf32, #npu.layout<NHWC>>
  %b = npu.conv2d %a, %k pads = [1, 1, 1, 1]
    : (tensor<1x?x8x32xf32, #npu.layout<NHWC>>, tensor<32x3x3x16xf32, #npu.layout<IHWO>>)
    -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  %c = npu.relabel %b : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x16xf32, #npu.layout<Tensor>>
  %s = npu.softmax %c axis = 3
    : tensor<1x8x8x16xf32, #npu.layout<Tensor>>
  func.return %s : tensor<1x8x8x16xf32, #npu.layout<Tensor>>
}
