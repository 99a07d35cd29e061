// REQUIRES: onnx
// RUN: npu-opt %s --target=ort-nchwc --layout-optimal -o %t.onnx
// RUN: python %S/Inputs/print_model.py %t.onnx | filecheck %s
// RUN: npu-check %s %t.onnx | filecheck %s --check-prefix=PROVED

/// A product by channels is a depthwise convolution of single elements, with a sum by channels as its bias and an
/// activation, and a mean of all pixels is a pool. A sum by channels alone stays unchanged, on the stored tensor of five
/// dimensions, and a product with one number on that of four.
// CHECK:       [conv] c = com.microsoft.nchwc.Conv <group: int = 1, kernel_shape: ints = [1, 1], strides: ints = [1, 1], dilations: ints = [1, 1], pads: ints = [0, 0, 0, 0]> (x, k)
// CHECK-NEXT:  [globalaveragepool] globalaveragepool = com.microsoft.nchwc.GlobalAveragePool (c)
// CHECK:       [conv_1] bent = com.microsoft.nchwc.Conv <group: int = 32, kernel_shape: ints = [1, 1], activation: string = "Relu"> (c, reshape, s)
// CHECK-NEXT:  [mul] twice = Mul (bent, two)
// CHECK-NEXT:  [reshape_4] twice_1 = Reshape (twice, constant_4)
// CHECK-NEXT:  [add] last = Add (twice_1, s_1)
// CHECK-NEXT:  [reshape_5] reshape_1 = Reshape (last, constant_5)
// CHECK-NEXT:  [conv_2] y_1 = com.microsoft.nchwc.Conv <group: int = 1, kernel_shape: ints = [1, 1], strides: ints = [1, 1], dilations: ints = [1, 1], pads: ints = [0, 0, 0, 0]> (reshape_1, l)
// PROVED: proved: {{.*}} compute the same
func.func @main(%x: tensor<1x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x32x8x8xf32, #npu.layout<NCHW>> {
  %k = npu.constant dense<0.25> : tensor<32x3x1x1xf32, #npu.layout<OIHW>>
  %l = npu.constant dense<0.5> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
  %s = npu.constant dense<2.25> : tensor<1x32x1x1xf32, #npu.layout<NCHW>>
  %c = npu.conv2d %x, %k : (tensor<1x3x8x8xf32, #npu.layout<NCHW>>, tensor<32x3x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x32x8x8xf32, #npu.layout<NCHW>>
  %mean = npu.reduce_mean %c axes = [2, 3] keep : (tensor<1x32x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x32x1x1xf32, #npu.layout<NCHW>>
  %gate = npu.sigmoid %mean : tensor<1x32x1x1xf32, #npu.layout<NCHW>>
  %scaled = npu.mul %gate, %c : (tensor<1x32x1x1xf32, #npu.layout<NCHW>>, tensor<1x32x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x32x8x8xf32, #npu.layout<NCHW>>
  %moved = npu.add %scaled, %s : (tensor<1x32x8x8xf32, #npu.layout<NCHW>>, tensor<1x32x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x32x8x8xf32, #npu.layout<NCHW>>
  %bent = npu.relu %moved : tensor<1x32x8x8xf32, #npu.layout<NCHW>>
  %two = npu.constant dense<2.0> : tensor<f32, #npu.layout<Tensor>>
  %twice = npu.mul %bent, %two : (tensor<1x32x8x8xf32, #npu.layout<NCHW>>, tensor<f32, #npu.layout<Tensor>>) -> tensor<1x32x8x8xf32, #npu.layout<NCHW>>
  %last = npu.add %twice, %s : (tensor<1x32x8x8xf32, #npu.layout<NCHW>>, tensor<1x32x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x32x8x8xf32, #npu.layout<NCHW>>
  %y = npu.conv2d %last, %l : (tensor<1x32x8x8xf32, #npu.layout<NCHW>>, tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x32x8x8xf32, #npu.layout<NCHW>>
  func.return %y : tensor<1x32x8x8xf32, #npu.layout<NCHW>>
}
