// RUN: npu-opt %s --layout-preset="strategy=regions-plus" | filecheck %s --check-prefix PLUS
// RUN: npu-opt %s --layout-preset="strategy=seed-plus" | filecheck %s --check-prefix PLUS
// RUN: npu-opt %s --layout-preset --layout-preset="strategy=seed-plus" | filecheck %s --check-prefix PLUS
// RUN: npu-opt %s --layout-preset="strategy=regions" | filecheck %s --check-prefix REGIONS

/// Seed layout-preset, 进阶做法Plus: convolution, Tensor, pool, Tensor, convolution. Each Tensor region joins, and the demand of the convolutions reaches the pool through them: the whole is one region with two transposes. Without joining there are four.
// PLUS-LABEL: func.func @behind(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %w_1 = npu.reshape %w : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x8x8xf32, #npu.layout<HWOI>>
// PLUS-NEXT:    %a = npu.conv2d %x_1, %w_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %r1 = npu.reshape %a : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %t1 = npu.relu %r1 : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %r2 = npu.reshape %t1 : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %p = npu.max_pool %r2 window = [3, 3] pads = [1, 1, 1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %r3 = npu.reshape %p : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %t2 = npu.relu %r3 : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %r4 = npu.reshape %t2 : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %b = npu.conv2d %r4, %w_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    func.return %b_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:  }
// REGIONS-LABEL: func.func @behind(
// REGIONS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// REGIONS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %w_1 = npu.reshape %w : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x8x8xf32, #npu.layout<HWOI>>
// REGIONS-NEXT:    %a = npu.conv2d %x_1, %w_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %r1 = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %t1 = npu.relu %r1 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %r2 = npu.reshape %t1 : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %p = npu.max_pool %r2 window = [3, 3] pads = [1, 1, 1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %r3 = npu.reshape %p : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %t2 = npu.relu %r3 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %t2_1 = npu.transpose %t2 permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// REGIONS-NEXT:    %r4 = npu.reshape %t2_1 : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %b = npu.conv2d %r4, %w_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    func.return %b_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:  }
func.func @behind(%x: tensor<1x8x4x6xf32>, %w: tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32> {
  %a = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %r1 = npu.reshape %a : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %t1 = npu.relu %r1 : tensor<1x8x24xf32>
  %r2 = npu.reshape %t1 : (tensor<1x8x24xf32>) -> tensor<1x8x4x6xf32>
  %p = npu.max_pool %r2 window = [3, 3] pads = [1, 1, 1, 1] data_layout = <NCHW> : tensor<1x8x4x6xf32>
  %r3 = npu.reshape %p : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %t2 = npu.relu %r3 : tensor<1x8x24xf32>
  %r4 = npu.reshape %t2 : (tensor<1x8x24xf32>) -> tensor<1x8x4x6xf32>
  %b = npu.conv2d %r4, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  return %b : tensor<1x8x4x6xf32>
}
