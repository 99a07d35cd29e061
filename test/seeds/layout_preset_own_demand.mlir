// RUN: npu-opt %s --layout-preset="strategy=regions target=plover" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions target=plover" --layout-preset="strategy=regions target=plover" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset-npu="strategy=greedy target=plover" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset-npu="strategy=greedy target=plover" --layout-preset-npu="strategy=greedy target=plover" --split-input-file | filecheck %s
// This target likes NCHW, and its pixel engine demands NHWC.

/// An op with a demand of its own splits its region: the ops behind it do not share the demand of those before it.
// CHECK-LABEL: func.func @parts(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x12x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %up = npu.upsample %a_1 factors = [2, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.relu %up : tensor<1x8x12x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %b : tensor<1x8x12x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @parts(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x12x8xf32, #npu.layout<NHWC>> {
  %a = npu.conv2d %x, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %up = npu.upsample %a factors = [2, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x8xf32, #npu.layout<NHWC>>
  %b = npu.relu %up : tensor<1x8x12x8xf32, #npu.layout<NHWC>>
  return %b : tensor<1x8x12x8xf32, #npu.layout<NHWC>>
}
