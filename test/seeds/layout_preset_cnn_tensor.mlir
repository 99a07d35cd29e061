// RUN: npu-opt %s --layout-preset="strategy=regions" --split-input-file | filecheck %s --check-prefix REGIONS
// RUN: npu-opt %s --layout-preset="strategy=regions" --layout-preset="strategy=regions" --split-input-file | filecheck %s --check-prefix REGIONS
// RUN: npu-opt %s --layout-preset="strategy=regions-plus" --split-input-file | filecheck %s --check-prefix PLUS
// RUN: npu-opt %s --layout-preset="strategy=regions-plus" --layout-preset="strategy=regions-plus" --split-input-file | filecheck %s --check-prefix PLUS

/// Seed layout-preset, CNN->Tensor: the op counts as Tensor, and the transpose in front of it gives it its own layout back. When it joins, none is needed there.
// REGIONS-LABEL: func.func @reshape(
// REGIONS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// REGIONS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %reshape = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %out = npu.relu %reshape : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    func.return %out : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @reshape(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %reshape = npu.reshape %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %out = npu.relu %reshape : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %out_1 = npu.transpose %out permutation = [0, 2, 1] : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    func.return %out_1 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:  }
func.func @reshape(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %reshape = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %out = npu.relu %reshape : tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %out : tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// Seed layout-preset, CNN->Tensor: so is an op that computes something, such as a sum over H and W. All of NHWC that is left of its result is N and C.
// REGIONS-LABEL: func.func @other_ops(
// REGIONS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8xf32, #npu.layout<Tensor>> {
// REGIONS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %sum = npu.reduce_sum %conv_1 axes = [2, 3] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %out = npu.relu %sum : tensor<1x8xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    func.return %out : tensor<1x8xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @other_ops(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8xf32, #npu.layout<Tensor>> {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %sum = npu.reduce_sum %conv axes = [1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %out = npu.relu %sum : tensor<1x8xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    func.return %out : tensor<1x8xf32, #npu.layout<Tensor>>
// PLUS-NEXT:  }
func.func @other_ops(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8xf32, #npu.layout<Tensor>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %sum = npu.reduce_sum %conv axes = [2, 3] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8xf32, #npu.layout<Tensor>>
  %out = npu.relu %sum : tensor<1x8xf32, #npu.layout<Tensor>>
  return %out : tensor<1x8xf32, #npu.layout<Tensor>>
}

// -----

/// An op from CNN to Tensor that demands NHWC itself gives the region in front of it a demand, and reads NHWC under both.
// REGIONS-LABEL: func.func @demanding(
// REGIONS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x24x72xf32, #npu.layout<Tensor>> {
// REGIONS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %a = npu.relu %x_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %cols = npu.img2col %a window = [3, 3] pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x72xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %out = npu.relu %cols : tensor<1x24x72xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    func.return %out : tensor<1x24x72xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @demanding(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x24x72xf32, #npu.layout<Tensor>> {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %a = npu.relu %x_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %cols = npu.img2col %a window = [3, 3] pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x72xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %out = npu.relu %cols : tensor<1x24x72xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    func.return %out : tensor<1x24x72xf32, #npu.layout<Tensor>>
// PLUS-NEXT:  }
func.func @demanding(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x24x72xf32, #npu.layout<Tensor>> {
  %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %cols = npu.img2col %a window = [3, 3] pads = [1, 1, 1, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x24x72xf32, #npu.layout<Tensor>>
  %out = npu.relu %cols : tensor<1x24x72xf32, #npu.layout<Tensor>>
  return %out : tensor<1x24x72xf32, #npu.layout<Tensor>>
}
