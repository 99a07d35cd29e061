// RUN: npu-opt %s --layout-preset="strategy=naive target=plover" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions target=plover" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions-plus target=plover" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset-npu="strategy=greedy target=plover" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset-npu="strategy=record target=plover" --split-input-file | filecheck %s
// The orders are the target's. This one likes NCHW, and its pixel engine demands NHWC. All strategies give the same.

/// An op whose demand is not the preferred order is a region by itself.
// CHECK-LABEL: func.func @by_itself(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %up = npu.upsample %a_1 factors = [2, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %up_1 = npu.transpose %up permutation = [0, 3, 1, 2] : (tensor<1x8x12x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.conv2d %up_1, %w : (tensor<1x8x8x12xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %b : tensor<1x8x8x12xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @by_itself(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %up = npu.upsample %a factors = [2, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>>
  %b = npu.conv2d %up, %w : (tensor<1x8x8x12xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>>
  return %b : tensor<1x8x8x12xf32, #npu.layout<NCHW>>
}
