// RUN: npu-opt %s --layout-preset="strategy=naive" --split-input-file | filecheck %s --check-prefix NAIVE
// RUN: npu-opt %s --layout-preset="strategy=regions" --split-input-file | filecheck %s --check-prefix REGIONS
// RUN: npu-opt %s --layout-preset="strategy=seed-plus" --split-input-file | filecheck %s --check-prefix PLUS

/// Seed layout-preset, 多模态问题, the figure: both branches are NCHW and meet in a Tensor op. Naive and regions place 2 transposes around the convolution; seed-plus re-orders both branches, with 3; the default leaves the 2 of regions.
// NAIVE-LABEL: func.func @joined(
// NAIVE-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// NAIVE-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:    %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:    func.return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:  }
// REGIONS-LABEL: func.func @joined(
// REGIONS-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// REGIONS-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    func.return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @joined(
// PLUS-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// PLUS-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %input3_1 = npu.transpose %input3 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %reshape1 = npu.reshape %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %reshape2 = npu.reshape %input3_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %add_1 = npu.transpose %add permutation = [0, 2, 1] : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    func.return %add_1 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:  }
func.func @joined(%input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %conv = npu.conv2d %input1, %input2 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %reshape1 = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// The two branches flattened: no order of the flat tensor stores what NHWC stores, so nothing joins; 2 transposes each.
// NAIVE-LABEL: func.func @flattened(
// NAIVE-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>> {
// NAIVE-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:    %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x192xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:    func.return %add : tensor<1x192xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:  }
// REGIONS-LABEL: func.func @flattened(
// REGIONS-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>> {
// REGIONS-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x192xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    func.return %add : tensor<1x192xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @flattened(
// PLUS-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>> {
// PLUS-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x192xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    func.return %add : tensor<1x192xf32, #npu.layout<Tensor>>
// PLUS-NEXT:  }
func.func @flattened(%input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>> {
  %conv = npu.conv2d %input1, %input2 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %reshape1 = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
  %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
  %add = npu.add %reshape1, %reshape2 : tensor<1x192xf32, #npu.layout<Tensor>>
  return %add : tensor<1x192xf32, #npu.layout<Tensor>>
}

// -----

/// The second branch comes from an input of class Tensor, which keeps the region from joining; 2 transposes each.
// NAIVE-LABEL: func.func @tensor_input(
// NAIVE-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// NAIVE-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:    %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:    func.return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:  }
// REGIONS-LABEL: func.func @tensor_input(
// REGIONS-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// REGIONS-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    func.return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @tensor_input(
// PLUS-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// PLUS-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    func.return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:  }
func.func @tensor_input(%input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %conv = npu.conv2d %input1, %input2 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %reshape1 = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// From the graph as it was exported to the placed one in one command: the preset runs layout-transmit itself, which makes input3 a Tensor.
// NAIVE-LABEL: func.func @exported(
// NAIVE-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// NAIVE-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:    %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:    func.return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:  }
// REGIONS-LABEL: func.func @exported(
// REGIONS-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// REGIONS-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    func.return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:  }
// PLUS-LABEL: func.func @exported(
// PLUS-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// PLUS-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    func.return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:  }
func.func @exported(%input1: tensor<1x8x4x6xf32>, %input2: tensor<1x1x8x8xf32>, %input3: tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32> {
  %conv = npu.conv2d %input1, %input2 data_layout = <NCHW> kernel_layout = <HWOI> : (tensor<1x8x4x6xf32>, tensor<1x1x8x8xf32>) -> tensor<1x8x4x6xf32>
  %reshape1 = npu.reshape %conv : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32>
  return %add : tensor<1x8x24xf32>
}
