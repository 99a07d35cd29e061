// RUN: npu-opt %s --layout-preset=target=opu --canonicalize --recognise-conversions --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset=target=opu --canonicalize --recognise-conversions --recognise-conversions --split-input-file | filecheck %s

/// The transposes around a convolution of an image in NCHW.
// CHECK-LABEL: func.func @conv(
// CHECK-NEXT:    %x_1 = npu.nchw2nhwc %x : (tensor<1x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x3xf32, #npu.layout<NHWC>>
// CHECK:         %y = npu.conv2d %x_1,
// CHECK-NEXT:    %y_1 = npu.nhwc2nchw %y : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x8x8xf32, #npu.layout<NCHW>>
func.func @conv(%x: tensor<1x3x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %w = npu.constant dense<0.5> : tensor<4x3x1x1xf32>
  %y = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
  func.return %y : tensor<1x4x8x8xf32>
}

// -----

/// Transposes that a file has become the ops as well.
// CHECK-LABEL: func.func @file(
// CHECK:         npu.nchw2nhwc
// CHECK:         npu.conv2d
// CHECK:         npu.nhwc2nchw
func.func @file(%x: tensor<1x3x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %w = npu.constant dense<0.5> : tensor<1x1x4x3xf32>
  %a = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x3x8x8xf32>) -> tensor<1x8x8x3xf32>
  %y = npu.conv2d %a, %w data_layout = <NHWC> kernel_layout = <HWOI> : (tensor<1x8x8x3xf32>, tensor<1x1x4x3xf32>) -> tensor<1x8x8x4xf32>
  %b = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x8x8x4xf32>) -> tensor<1x4x8x8xf32>
  func.return %b : tensor<1x4x8x8xf32>
}

// -----

/// Transposes of Tensors, of signals, and to another layout stay.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     npu.nchw2nhwc
// CHECK-NOT:     npu.nhwc2nchw
// CHECK:         func.return
func.func @others(%x: tensor<1x3x4x5xf32, #npu.layout<Tensor>>, %y: tensor<1x3x4xf32, #npu.layout<NCW>>, %z: tensor<1x3x4x5xf32, #npu.layout<NCHW>>) -> (tensor<1x4x5x3xf32, #npu.layout<Tensor>>, tensor<1x4x3xf32, #npu.layout<NWC>>, tensor<1x4x3x5xf32, #npu.layout<NHCW>>) {
  %a = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x3x4x5xf32, #npu.layout<Tensor>>) -> tensor<1x4x5x3xf32, #npu.layout<Tensor>>
  %b = npu.transpose %y permutation = [0, 2, 1] : (tensor<1x3x4xf32, #npu.layout<NCW>>) -> tensor<1x4x3xf32, #npu.layout<NWC>>
  %c = npu.transpose %z permutation = [0, 2, 1, 3] : (tensor<1x3x4x5xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x5xf32, #npu.layout<NHCW>>
  func.return %a, %b, %c : tensor<1x4x5x3xf32, #npu.layout<Tensor>>, tensor<1x4x3xf32, #npu.layout<NWC>>, tensor<1x4x3x5xf32, #npu.layout<NHCW>>
}
