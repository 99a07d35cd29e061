// RUN: npu-opt %s --layout-preset="strategy=regions" --split-input-file | filecheck %s --check-prefix REGIONS
// RUN: npu-opt %s --layout-preset="strategy=regions" --layout-preset="strategy=regions" --split-input-file | filecheck %s --check-prefix REGIONS
// RUN: npu-opt %s --layout-preset="strategy=seed-plus" --split-input-file | filecheck %s --check-prefix PLUS
// RUN: npu-opt %s --layout-preset="strategy=seed-plus" --layout-preset="strategy=seed-plus" --split-input-file | filecheck %s --check-prefix PLUS
// RUN: npu-opt %s --layout-preset --split-input-file | filecheck %s --check-prefix PLUS

/// Seed layout-preset, 进阶做法, second figure, Feature, Tensor, Feature: four transposes. 进阶做法Plus, figure: the Tensor node joins the region of its input, and two are left.
// REGIONS-LABEL: func.func @figure(
// REGIONS-SAME:    %node0: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// REGIONS-NEXT:    %node0_1 = npu.transpose %node0 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %node1 = npu.conv2d %node0_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %node1_1 = npu.transpose %node1 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %in = npu.relabel %node1_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %tensor = npu.relu %in : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %tensor_1 = npu.transpose %tensor permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// REGIONS-NEXT:    %out = npu.relabel %tensor_1 : (tensor<1x4x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %node2 = npu.conv2d %out, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %node2_1 = npu.transpose %node2 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    func.return %node2_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @figure(
// PLUS-SAME:    %node0: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// PLUS-NEXT:    %node0_1 = npu.transpose %node0 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %node1 = npu.conv2d %node0_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %in = npu.relabel %node1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// PLUS-NEXT:    %tensor = npu.relu %in : tensor<1x4x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// PLUS-NEXT:    %out = npu.relabel %tensor : (tensor<1x4x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %node2 = npu.conv2d %out, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %node2_1 = npu.transpose %node2 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    func.return %node2_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:  }
func.func @figure(%node0: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %node1 = npu.conv2d %node0, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %in = npu.relabel %node1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
  %tensor = npu.relu %in : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
  %out = npu.relabel %tensor : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %node2 = npu.conv2d %out, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %node2 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset, 进阶做法Plus: an op (a region) whose inputs are all of one class and one layout joins them, so both branches are re-ordered alike.
// REGIONS-LABEL: func.func @several_inputs(
// REGIONS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// REGIONS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %b = npu.conv2d %y_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %c = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %d = npu.reshape %b_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %sum = npu.add %c, %d : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    func.return %sum : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @several_inputs(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %b = npu.conv2d %y_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %c = npu.reshape %a : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %d = npu.reshape %b : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %sum = npu.add %c, %d : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %sum_1 = npu.transpose %sum permutation = [0, 2, 1] : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    func.return %sum_1 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:  }
func.func @several_inputs(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.conv2d %y, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %c = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %d = npu.reshape %b : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %sum = npu.add %c, %d : tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %sum : tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// Seed layout-preset, 归类, second round: a Tensor region whose inputs are all Weights of one layout joins them.
// REGIONS-LABEL: func.func @weights(
// REGIONS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x3xf32, #npu.layout<OIHW>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<64x3xf32, #npu.layout<Tensor>>) {
// REGIONS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %w_1 = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<8x8x1x3xf32, #npu.layout<OIHW>>) -> tensor<1x3x8x8xf32, #npu.layout<HWOI>>
// REGIONS-NEXT:    %kernel = npu.neg %w_1 : tensor<1x3x8x8xf32, #npu.layout<HWOI>>
// REGIONS-NEXT:    %kernel_1 = npu.transpose %kernel permutation = [2, 3, 0, 1] : (tensor<1x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<8x8x1x3xf32, #npu.layout<OIHW>>
// REGIONS-NEXT:    %conv = npu.conv2d %x_1, %kernel pads = [0, 1, 0, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %a = npu.reshape %kernel_1 : (tensor<8x8x1x3xf32, #npu.layout<OIHW>>) -> tensor<64x3xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %b = npu.relu %a : tensor<64x3xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    func.return %conv_1, %b : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<64x3xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @weights(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x3xf32, #npu.layout<OIHW>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<64x3xf32, #npu.layout<Tensor>>) {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %w_1 = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<8x8x1x3xf32, #npu.layout<OIHW>>) -> tensor<1x3x8x8xf32, #npu.layout<HWOI>>
// PLUS-NEXT:    %kernel = npu.neg %w_1 : tensor<1x3x8x8xf32, #npu.layout<HWOI>>
// PLUS-NEXT:    %conv = npu.conv2d %x_1, %kernel pads = [0, 1, 0, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %a = npu.reshape %kernel : (tensor<1x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<3x64xf32, #npu.layout<Tensor, [1, 0]>>
// PLUS-NEXT:    %b = npu.relu %a : tensor<3x64xf32, #npu.layout<Tensor, [1, 0]>>
// PLUS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    %b_1 = npu.transpose %b permutation = [1, 0] : (tensor<3x64xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<64x3xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    func.return %conv_1, %b_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<64x3xf32, #npu.layout<Tensor>>
// PLUS-NEXT:  }
func.func @weights(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x3xf32, #npu.layout<OIHW>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<64x3xf32, #npu.layout<Tensor>>) {
  %kernel = npu.neg %w : tensor<8x8x1x3xf32, #npu.layout<OIHW>>
  %conv = npu.conv2d %x, %kernel pads = [0, 1, 0, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x3xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.reshape %kernel : (tensor<8x8x1x3xf32, #npu.layout<OIHW>>) -> tensor<64x3xf32, #npu.layout<Tensor>>
  %b = npu.relu %a : tensor<64x3xf32, #npu.layout<Tensor>>
  return %conv, %b : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<64x3xf32, #npu.layout<Tensor>>
}

// -----

/// A constant of one element has no order that could differ, so the region joins.
// REGIONS-LABEL: func.func @one_element(
// REGIONS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// REGIONS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %one = npu.constant dense<5.000000e-01> : tensor<1x1x1xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %a = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %sum = npu.add %a, %one : (tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x1x1xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    func.return %sum : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @one_element(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %one = npu.constant dense<5.000000e-01> : tensor<1x1x1xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %a = npu.reshape %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %sum = npu.add %a, %one : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>, tensor<1x1x1xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %sum_1 = npu.transpose %sum permutation = [0, 2, 1] : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    func.return %sum_1 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:  }
func.func @one_element(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %one = npu.constant dense<0.5> : tensor<1x1x1xf32, #npu.layout<Tensor>>
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %sum = npu.add %a, %one : (tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x1x1xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %sum : tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// Tensor and NTensor count as one class: all of this is one region.
// REGIONS-LABEL: func.func @ntensor(
// REGIONS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<8x24xf32, #npu.layout<Tensor>> {
// REGIONS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %a = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<NTensor>>
// REGIONS-NEXT:    %b = npu.relu %a : tensor<1x8x24xf32, #npu.layout<NTensor>>
// REGIONS-NEXT:    %c = npu.reshape %b : (tensor<1x8x24xf32, #npu.layout<NTensor>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %d = npu.tanh %c : tensor<8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    func.return %d : tensor<8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @ntensor(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<8x24xf32, #npu.layout<Tensor>> {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %a = npu.reshape %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<NTensor, [0, 2, 1]>>
// PLUS-NEXT:    %b = npu.relu %a : tensor<1x24x8xf32, #npu.layout<NTensor, [0, 2, 1]>>
// PLUS-NEXT:    %c = npu.reshape %b : (tensor<1x24x8xf32, #npu.layout<NTensor, [0, 2, 1]>>) -> tensor<24x8xf32, #npu.layout<Tensor, [1, 0]>>
// PLUS-NEXT:    %d = npu.tanh %c : tensor<24x8xf32, #npu.layout<Tensor, [1, 0]>>
// PLUS-NEXT:    %d_1 = npu.transpose %d permutation = [1, 0] : (tensor<24x8xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    func.return %d_1 : tensor<8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:  }
func.func @ntensor(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<8x24xf32, #npu.layout<Tensor>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<NTensor>>
  %b = npu.relu %a : tensor<1x8x24xf32, #npu.layout<NTensor>>
  %c = npu.reshape %b : (tensor<1x8x24xf32, #npu.layout<NTensor>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
  %d = npu.tanh %c : tensor<8x24xf32, #npu.layout<Tensor>>
  return %d : tensor<8x24xf32, #npu.layout<Tensor>>
}

// -----

/// A region that joined counts as CNN for what is behind it: one after the other, the Tensor regions join, and the whole network is one region with transposes at its input and output only.
// REGIONS-LABEL: func.func @chain(
// REGIONS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// REGIONS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %b = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %c = npu.relu %b : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %c_1 = npu.transpose %c permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// REGIONS-NEXT:    %d = npu.reshape %c_1 : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %e = npu.conv2d %d, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %e_1 = npu.transpose %e permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %f = npu.reshape %e_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %g = npu.tanh %f : tensor<8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %g_1 = npu.transpose %g permutation = [1, 0] : (tensor<8x24xf32, #npu.layout<Tensor>>) -> tensor<24x8xf32, #npu.layout<Tensor, [1, 0]>>
// REGIONS-NEXT:    %h = npu.reshape %g_1 : (tensor<24x8xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %i = npu.conv2d %h, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %i_1 = npu.transpose %i permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    func.return %i_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @chain(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %b = npu.reshape %a : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %c = npu.relu %b : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %d = npu.reshape %c : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %e = npu.conv2d %d, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %f = npu.reshape %e : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<24x8xf32, #npu.layout<Tensor, [1, 0]>>
// PLUS-NEXT:    %g = npu.tanh %f : tensor<24x8xf32, #npu.layout<Tensor, [1, 0]>>
// PLUS-NEXT:    %h = npu.reshape %g : (tensor<24x8xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %i = npu.conv2d %h, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %i_1 = npu.transpose %i permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    func.return %i_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:  }
func.func @chain(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %c = npu.relu %b : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %d = npu.reshape %c : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %e = npu.conv2d %d, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %f = npu.reshape %e : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
  %g = npu.tanh %f : tensor<8x24xf32, #npu.layout<Tensor>>
  %h = npu.reshape %g : (tensor<8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %i = npu.conv2d %h, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %i : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset, transpose算子的处理: a transpose of Tensors is a region of its own as well. The op before it joins the region of the convolution and is put back as it was; what reads it does not join, since it reads no features.
// REGIONS-LABEL: func.func @present_tensors(
// REGIONS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x24x8xf32, #npu.layout<Tensor>> {
// REGIONS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %b = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %present = npu.transpose %b permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %c = npu.relu %present : tensor<1x24x8xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    func.return %c : tensor<1x24x8xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @present_tensors(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x24x8xf32, #npu.layout<Tensor>> {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %b = npu.reshape %a : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %b_1 = npu.transpose %b permutation = [0, 2, 1] : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %present = npu.transpose %b_1 permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %c = npu.relu %present : tensor<1x24x8xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    func.return %c : tensor<1x24x8xf32, #npu.layout<Tensor>>
// PLUS-NEXT:  }
func.func @present_tensors(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x24x8xf32, #npu.layout<Tensor>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %present = npu.transpose %b permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor>>
  %c = npu.relu %present : tensor<1x24x8xf32, #npu.layout<Tensor>>
  return %c : tensor<1x24x8xf32, #npu.layout<Tensor>>
}

// -----

/// So they do where a relabel makes the one of the other, as layout-transmit puts it in front of a matrix product.
// REGIONS-LABEL: func.func @ntensor_relabel(
// REGIONS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<NTensor>> {
// REGIONS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %a = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %b = npu.relabel %a : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<NTensor>>
// REGIONS-NEXT:    %c = npu.relu %b : tensor<1x8x24xf32, #npu.layout<NTensor>>
// REGIONS-NEXT:    func.return %c : tensor<1x8x24xf32, #npu.layout<NTensor>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @ntensor_relabel(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<NTensor>> {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %a = npu.reshape %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %b = npu.relabel %a : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x24x8xf32, #npu.layout<NTensor, [0, 2, 1]>>
// PLUS-NEXT:    %c = npu.relu %b : tensor<1x24x8xf32, #npu.layout<NTensor, [0, 2, 1]>>
// PLUS-NEXT:    %c_1 = npu.transpose %c permutation = [0, 2, 1] : (tensor<1x24x8xf32, #npu.layout<NTensor, [0, 2, 1]>>) -> tensor<1x8x24xf32, #npu.layout<NTensor>>
// PLUS-NEXT:    func.return %c_1 : tensor<1x8x24xf32, #npu.layout<NTensor>>
// PLUS-NEXT:  }
func.func @ntensor_relabel(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<NTensor>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %b = npu.relabel %a : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<NTensor>>
  %c = npu.relu %b : tensor<1x8x24xf32, #npu.layout<NTensor>>
  return %c : tensor<1x8x24xf32, #npu.layout<NTensor>>
}
