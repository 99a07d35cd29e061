// RUN: npu-opt %s --layout-preset="strategy=regions" --split-input-file | filecheck %s --check-prefix REGIONS
// RUN: npu-opt %s --layout-preset="strategy=regions" --layout-preset="strategy=regions" --split-input-file | filecheck %s --check-prefix REGIONS
// RUN: npu-opt %s --layout-preset="strategy=regions-plus" --split-input-file | filecheck %s --check-prefix PLUS
// RUN: npu-opt %s --layout-preset="strategy=regions-plus" --layout-preset="strategy=regions-plus" --split-input-file | filecheck %s --check-prefix PLUS

/// Seed layout-preset, Tensor->CNN: the op counts as CNN and goes with the convolution behind it. The transpose is before it: transpose, reshape.
// REGIONS-LABEL: func.func @input(
// REGIONS-SAME:    %t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// REGIONS-NEXT:    %t_1 = npu.transpose %t permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// REGIONS-NEXT:    %reshape = npu.reshape %t_1 : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv = npu.conv2d %reshape, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    func.return %conv_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @input(
// PLUS-SAME:    %t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// PLUS-NEXT:    %t_1 = npu.transpose %t permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %reshape = npu.reshape %t_1 : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv = npu.conv2d %reshape, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    func.return %conv_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:  }
func.func @input(%t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %reshape = npu.reshape %t : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %reshape, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset, Tensor->CNN: the same behind an op, which does not join because it reads an input of class Tensor.
// REGIONS-LABEL: func.func @before_joining(
// REGIONS-SAME:    %t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// REGIONS-NEXT:    %a = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %a_1 = npu.transpose %a permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// REGIONS-NEXT:    %reshape = npu.reshape %a_1 : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv = npu.conv2d %reshape, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    func.return %conv_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @before_joining(
// PLUS-SAME:    %t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// PLUS-NEXT:    %a = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %a_1 = npu.transpose %a permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %reshape = npu.reshape %a_1 : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv = npu.conv2d %reshape, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    func.return %conv_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:  }
func.func @before_joining(%t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %a = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %reshape = npu.reshape %a : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %reshape, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// The order of NHWC does not go back through this reshape, which cuts one axis into C, H and W. It keeps its own order and the transpose is behind it.
// REGIONS-LABEL: func.func @not_backward(
// REGIONS-SAME:    %t: tensor<1x192xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// REGIONS-NEXT:    %a = npu.relu %t : tensor<1x192xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %reshape = npu.reshape %a : (tensor<1x192xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %reshape_1 = npu.transpose %reshape permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv = npu.conv2d %reshape_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    func.return %conv_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @not_backward(
// PLUS-SAME:    %t: tensor<1x192xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// PLUS-NEXT:    %a = npu.relu %t : tensor<1x192xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %reshape = npu.reshape %a : (tensor<1x192xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    %reshape_1 = npu.transpose %reshape permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv = npu.conv2d %reshape_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    func.return %conv_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:  }
func.func @not_backward(%t: tensor<1x192xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %a = npu.relu %t : tensor<1x192xf32, #npu.layout<Tensor>>
  %reshape = npu.reshape %a : (tensor<1x192xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %reshape, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset, Tensor->CNN: when the Tensor op joins the region before it, nothing is inserted; the reshape's layout becomes that of its region.
// REGIONS-LABEL: func.func @after_joining(
// REGIONS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// REGIONS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %b = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %c = npu.relu %b : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %c_1 = npu.transpose %c permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// REGIONS-NEXT:    %reshape = npu.reshape %c_1 : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv = npu.conv2d %reshape, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    func.return %conv_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @after_joining(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %b = npu.reshape %a : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %c = npu.relu %b : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %reshape = npu.reshape %c : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv = npu.conv2d %reshape, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    func.return %conv_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:  }
func.func @after_joining(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %c = npu.relu %b : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %reshape = npu.reshape %c : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %reshape, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset, Tensor->CNN: an op that can be written for any order of what it reads needs nothing in front of it.
// REGIONS-LABEL: func.func @broadcast(
// REGIONS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24x5xf32, #npu.layout<NCHW>> {
// REGIONS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %b = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %c = npu.relu %b : tensor<8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %broadcast = npu.broadcast %c axes = [3, 1] : (tensor<8x24xf32, #npu.layout<Tensor>>) -> tensor<1x24x5x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv = npu.conv2d %broadcast, %w : (tensor<1x24x5x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x24x5x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x24x5x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x24x5xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    func.return %conv_1 : tensor<1x8x24x5xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @broadcast(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24x5xf32, #npu.layout<NCHW>> {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %b = npu.reshape %a : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<24x8xf32, #npu.layout<Tensor, [1, 0]>>
// PLUS-NEXT:    %c = npu.relu %b : tensor<24x8xf32, #npu.layout<Tensor, [1, 0]>>
// PLUS-NEXT:    %broadcast = npu.broadcast %c axes = [1, 3] : (tensor<24x8xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<1x24x5x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv = npu.conv2d %broadcast, %w : (tensor<1x24x5x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x24x5x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x24x5x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x24x5xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    func.return %conv_1 : tensor<1x8x24x5xf32, #npu.layout<NCHW>>
// PLUS-NEXT:  }
func.func @broadcast(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24x5xf32, #npu.layout<NCHW>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
  %c = npu.relu %b : tensor<8x24xf32, #npu.layout<Tensor>>
  %broadcast = npu.broadcast %c axes = [1, 2] : (tensor<8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x24x5xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %broadcast, %w : (tensor<1x8x24x5xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24x5xf32, #npu.layout<NCHW>>
  return %conv : tensor<1x8x24x5xf32, #npu.layout<NCHW>>
}

// -----

/// Behind a region that joined, another reshape has its axes elsewhere and needs the Tensor as it was: one transpose, right after the op that leaves its region's order.
// REGIONS-LABEL: func.func @other_order(
// REGIONS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %v: tensor<1x1x24x24xf32, #npu.layout<HWOI>>) -> tensor<8x24x1x1xf32, #npu.layout<NCHW>> {
// REGIONS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %b = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %c = npu.relu %b : tensor<8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %reshape = npu.reshape %c : (tensor<8x24xf32, #npu.layout<Tensor>>) -> tensor<8x1x1x24xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv = npu.conv2d %reshape, %v : (tensor<8x1x1x24xf32, #npu.layout<NHWC>>, tensor<1x1x24x24xf32, #npu.layout<HWOI>>) -> tensor<8x1x1x24xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv_1 = npu.reshape %conv : (tensor<8x1x1x24xf32, #npu.layout<NHWC>>) -> tensor<8x24x1x1xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    func.return %conv_1 : tensor<8x24x1x1xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @other_order(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %v: tensor<1x1x24x24xf32, #npu.layout<HWOI>>) -> tensor<8x24x1x1xf32, #npu.layout<NCHW>> {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %b = npu.reshape %a : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<24x8xf32, #npu.layout<Tensor, [1, 0]>>
// PLUS-NEXT:    %c = npu.relu %b : tensor<24x8xf32, #npu.layout<Tensor, [1, 0]>>
// PLUS-NEXT:    %c_1 = npu.transpose %c permutation = [1, 0] : (tensor<24x8xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %reshape = npu.reshape %c_1 : (tensor<8x24xf32, #npu.layout<Tensor>>) -> tensor<8x1x1x24xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv = npu.conv2d %reshape, %v : (tensor<8x1x1x24xf32, #npu.layout<NHWC>>, tensor<1x1x24x24xf32, #npu.layout<HWOI>>) -> tensor<8x1x1x24xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv_1 = npu.reshape %conv : (tensor<8x1x1x24xf32, #npu.layout<NHWC>>) -> tensor<8x24x1x1xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    func.return %conv_1 : tensor<8x24x1x1xf32, #npu.layout<NCHW>>
// PLUS-NEXT:  }
func.func @other_order(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %v: tensor<1x1x24x24xf32, #npu.layout<HWOI>>) -> tensor<8x24x1x1xf32, #npu.layout<NCHW>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
  %c = npu.relu %b : tensor<8x24xf32, #npu.layout<Tensor>>
  %reshape = npu.reshape %c : (tensor<8x24xf32, #npu.layout<Tensor>>) -> tensor<8x24x1x1xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %reshape, %v : (tensor<8x24x1x1xf32, #npu.layout<NCHW>>, tensor<1x1x24x24xf32, #npu.layout<HWOI>>) -> tensor<8x24x1x1xf32, #npu.layout<NCHW>>
  return %conv : tensor<8x24x1x1xf32, #npu.layout<NCHW>>
}
