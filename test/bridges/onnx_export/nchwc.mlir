// REQUIRES: onnx
// RUN: npu-opt %s --target=ort-nchwc --layout-optimal --stats -o %t.onnx 2>&1 | filecheck %s --check-prefix=COST
// RUN: python %S/Inputs/print_model.py %t.onnx | filecheck %s
// RUN: npu-check %s %t.onnx | filecheck %s --check-prefix=PROVED
// RUN: npu-opt %s --target=ort-nchwc --layout-optimal -t 'onnx{nchwc=false}' -o %t.plain.onnx
// RUN: python %S/Inputs/print_model.py %t.plain.onnx | filecheck %s --check-prefix=PLAIN
// RUN: not npu-opt %S/Inputs/two_sizes.mlir -t 'onnx{nchwc=true}' -o %t.two.onnx 2>&1 | filecheck %s --check-prefix=SIZES

/// Convolutions and pools on blocks are ops of ONNX Runtime. An activation or a sum behind a convolution is a part of it,
/// if it is its only user; other elementwise ops work on the same tensors.
// COST: layout-optimal: 1 conversion, ~512 bytes, ~{{[0-9.]+}} ns (unknown sizes count as 64, first ones as 1): proved minimum
// CHECK:       metadata_props: ["npu_opt.nchwc": "16"]
// CHECK:       [conv] six = com.microsoft.nchwc.Conv <group: int = 1, kernel_shape: ints = [3, 3], strides: ints = [1, 1], dilations: ints = [1, 1], pads: ints = [1, 1, 1, 1], activation: string = "Clip", activation_params: floats = [0, 6]> (x, w)
// CHECK-NEXT:  [maxpool] half = com.microsoft.nchwc.MaxPool <kernel_shape: ints = [2, 2], strides: ints = [2, 2], dilations: ints = [1, 1], pads: ints = [0, 0, 0, 0], ceil_mode: int = 0> (six)
// CHECK-NEXT:  [conv_1] sum = com.microsoft.nchwc.Conv <group: int = 1, kernel_shape: ints = [1, 1], strides: ints = [1, 1], dilations: ints = [1, 1], pads: ints = [0, 0, 0, 0]> (half, k, "", half)
// CHECK-NEXT:  [exp] exp = Exp (sum)
// CHECK-NEXT:  [conv_2] third = com.microsoft.nchwc.Conv <group: int = 32, kernel_shape: ints = [3, 3], strides: ints = [1, 1], dilations: ints = [1, 1], pads: ints = [0, 0, 0, 0]> (exp, d)
// CHECK-NEXT:  [reorderoutput] reorderoutput = com.microsoft.nchwc.ReorderOutput <channels: int = 32, channels_last: int = 1> (third)
// CHECK-NEXT:  [relu] bent = Relu (reorderoutput)
// CHECK-NEXT:  [globalaveragepool] mean_1 = com.microsoft.nchwc.GlobalAveragePool (third)
// CHECK-NEXT:  [reshape] mean_2 = Reshape (mean_1, constant_0)
// CHECK-NEXT:  [reshape_1] mean = Reshape (mean_2, constant_1)
// PROVED: proved
func.func @main(%x: tensor<?x3x8x8xf32, #npu.layout<NCHW>>) -> (tensor<?x32x1x1xf32, #npu.layout<NCHW>>, tensor<?x2x2x32xf32, #npu.layout<NHWC>>) {
  %w = npu.constant dense<0.5> : tensor<32x3x3x3xf32, #npu.layout<OIHW>>
  %k = npu.constant dense<0.25> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
  %d = npu.constant dense<2.0> : tensor<32x1x3x3xf32, #npu.layout<OIHW>>
  %first = npu.conv2d %x, %w pads = [1, 1, 1, 1] : (tensor<?x3x8x8xf32, #npu.layout<NCHW>>, tensor<32x3x3x3xf32, #npu.layout<OIHW>>) -> tensor<?x32x8x8xf32, #npu.layout<NCHW>>
  %six = npu.clip %first min = 0.0 max = 6.0 : tensor<?x32x8x8xf32, #npu.layout<NCHW>>
  %half = npu.max_pool %six window = [2, 2] strides = [2, 2] : (tensor<?x32x8x8xf32, #npu.layout<NCHW>>) -> tensor<?x32x4x4xf32, #npu.layout<NCHW>>
  %second = npu.conv2d %half, %k : (tensor<?x32x4x4xf32, #npu.layout<NCHW>>, tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<?x32x4x4xf32, #npu.layout<NCHW>>
  %sum = npu.add %half, %second : tensor<?x32x4x4xf32, #npu.layout<NCHW>>
  %exp = npu.exp %sum : tensor<?x32x4x4xf32, #npu.layout<NCHW>>
  %third = npu.conv2d %exp, %d groups = 32 : (tensor<?x32x4x4xf32, #npu.layout<NCHW>>, tensor<32x1x3x3xf32, #npu.layout<OIHW>>) -> tensor<?x32x2x2xf32, #npu.layout<NCHW>>
  %bent = npu.relu %third : tensor<?x32x2x2xf32, #npu.layout<NCHW>>
  %mean = npu.global_avg_pool %third : (tensor<?x32x2x2xf32, #npu.layout<NCHW>>) -> tensor<?x32x1x1xf32, #npu.layout<NCHW>>
  %last = npu.transpose %bent permutation = [0, 2, 3, 1] : (tensor<?x32x2x2xf32, #npu.layout<NCHW>>) -> tensor<?x2x2x32xf32, #npu.layout<NHWC>>
  func.return %mean, %last : tensor<?x32x1x1xf32, #npu.layout<NCHW>>, tensor<?x2x2x32xf32, #npu.layout<NHWC>>
}

/// Without these ops the file has what ONNX itself can say.
// PLAIN-NOT: nchwc
// PLAIN:     six = Clip

/// A machine has one size of blocks.
// SIZES: two_sizes.mlir:3:8: error: blocks of 16 channels in a model with blocks of 8: ONNX Runtime has one size on a machine
