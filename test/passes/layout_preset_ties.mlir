// RUN: npu-opt %s --layout-preset="target=plover" | filecheck %s

/// Of choices without transposes, the one that changes nothing is taken: the order that the target prefers for %x would
/// only move unit axes.
func.func @main(%x: tensor<1x1x4xf32, #npu.layout<WOI>>, %k: tensor<1x1x1x4xf32>) -> tensor<2x1x2x3xf32> {
  %s = npu.reshape %x : (tensor<1x1x4xf32, #npu.layout<WOI>>) -> tensor<1x1x4xf32>
  %p = npu.pad %s low = [0, 0, 2] high = [1, 0, 0] : (tensor<1x1x4xf32>) -> tensor<2x1x6xf32>
  %t = npu.reshape %p : (tensor<2x1x6xf32>) -> tensor<2x1x2x3xf32>
  %y = npu.conv2d %t, %k pads = [0, 0, 0, 3] data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<2x1x2x3xf32>, tensor<1x1x1x4xf32>) -> tensor<2x1x2x3xf32>
  return %y : tensor<2x1x2x3xf32>
}

// CHECK:         func.func @main(%x: tensor<1x1x4xf32, #npu.layout<WOI>>, %k: tensor<1x1x1x4xf32, #npu.layout<OIHW>>) -> tensor<2x1x2x3xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:      %0 = npu.relabel %x : (tensor<1x1x4xf32, #npu.layout<WOI>>) -> tensor<1x1x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:      %s = npu.reshape %0 : tensor<1x1x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:      %p = npu.pad %s low = [0, 0, 2] high = [1, 0, 0] : (tensor<1x1x4xf32, #npu.layout<Tensor>>) -> tensor<2x1x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:      %t = npu.reshape %p : (tensor<2x1x6xf32, #npu.layout<Tensor>>) -> tensor<2x1x2x3xf32, #npu.layout<NCHW>>
// CHECK-NEXT:      %y = npu.conv2d %t, %k pads = [0, 0, 0, 3] : (tensor<2x1x2x3xf32, #npu.layout<NCHW>>, tensor<1x1x1x4xf32, #npu.layout<OIHW>>) -> tensor<2x1x2x3xf32, #npu.layout<NCHW>>
// CHECK-NEXT:      func.return %y : tensor<2x1x2x3xf32, #npu.layout<NCHW>>
