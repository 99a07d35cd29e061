// REQUIRES: onnx
// RUN: npu-opt %s -t 'onnx{nchwc=true}' -o %t.onnx
// RUN: python %S/Inputs/print_model.py %t.onnx | filecheck %s
// RUN: npu-check %s %t.onnx | filecheck %s --check-prefix=PROVED

/// A depthwise convolution of whole data is one in blocks between two reorders, of the size that an op before it has.
// CHECK:      [reorderoutput] y = com.microsoft.nchwc.ReorderOutput <channels: int = 32, channels_last: int = 0> (reshape)
// CHECK-NEXT: [reorderinput] reorderinput = com.microsoft.nchwc.ReorderInput <channels_last: int = 0> (y)
// CHECK-NEXT: [conv] conv = com.microsoft.nchwc.Conv <group: int = 32, kernel_shape: ints = [3, 3], strides: ints = [2, 2], dilations: ints = [1, 1], pads: ints = [1, 1, 1, 1]> (reorderinput, constant_1, constant_2)
// CHECK-NEXT: [reorderoutput_1] z = com.microsoft.nchwc.ReorderOutput <channels: int = 32, channels_last: int = 0> (conv)

/// The kernel has to be a constant, and to be stored in order.
// CHECK-NEXT: [conv_1] u = Conv <group: int = 32, kernel_shape: ints = [3, 3], strides: ints = [1, 1], dilations: ints = [1, 1], pads: ints = [0, 0, 0, 0]> (y, w)
// PROVED: proved
func.func @main(%x: tensor<?x2x8x8x16xf32, #npu.layout<NCHW16c>>, %w: tensor<32x1x3x3xf32, #npu.layout<OIHW>>) -> (tensor<?x32x4x4xf32, #npu.layout<NCHW>>, tensor<?x32x6x6xf32, #npu.layout<NCHW>>) {
  %k = npu.constant dense<0.25> : tensor<32x1x3x3xf32, #npu.layout<OIHW>>
  %b = npu.constant dense<0.5> : tensor<32xf32, #npu.layout<Tensor>>
  %y = npu.unpack %x : (tensor<?x2x8x8x16xf32, #npu.layout<NCHW16c>>) -> tensor<?x32x8x8xf32, #npu.layout<NCHW>>
  %z = npu.conv2d %y, %k, %b strides = [2, 2] pads = [1, 1, 1, 1] groups = 32 : (tensor<?x32x8x8xf32, #npu.layout<NCHW>>, tensor<32x1x3x3xf32, #npu.layout<OIHW>>, tensor<32xf32, #npu.layout<Tensor>>) -> tensor<?x32x4x4xf32, #npu.layout<NCHW>>
  %u = npu.conv2d %y, %w groups = 32 : (tensor<?x32x8x8xf32, #npu.layout<NCHW>>, tensor<32x1x3x3xf32, #npu.layout<OIHW>>) -> tensor<?x32x6x6xf32, #npu.layout<NCHW>>
  func.return %z, %u : tensor<?x32x4x4xf32, #npu.layout<NCHW>>, tensor<?x32x6x6xf32, #npu.layout<NCHW>>
}
