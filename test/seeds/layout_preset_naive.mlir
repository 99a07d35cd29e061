// RUN: npu-opt %s --layout-preset="strategy=naive" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=naive" --layout-preset="strategy=naive" --split-input-file | filecheck %s

/// Seed layout-preset, 最简单的做法, the figure: before each node a transpose to NHWC and after it one back, whether it demands that or not. Transposes between neighbours are adjacent.
// CHECK-LABEL: func.func @figure(
// CHECK-SAME:    %node0: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %node0_1 = npu.transpose %node0 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node1 = npu.relu %node0_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node1_1 = npu.transpose %node1 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %node1_2 = npu.transpose %node1_1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node2 = npu.tanh %node1_2 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node2_1 = npu.transpose %node2 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %node2_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @figure(%node0: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %node1 = npu.relu %node0 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %node2 = npu.tanh %node1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %node2 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset, 最简单的做法: 2n transposes, here six for three nodes.
// CHECK-LABEL: func.func @two_n(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node1 = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node1_1 = npu.transpose %node1 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %node1_2 = npu.transpose %node1_1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node2 = npu.max_pool %node1_2 window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node2_1 = npu.transpose %node2 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %node2_2 = npu.transpose %node2_1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node3 = npu.conv2d %node2_2, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node3_1 = npu.transpose %node3 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %node3_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @two_n(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %node1 = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %node2 = npu.max_pool %node1 window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %node3 = npu.conv2d %node2, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %node3 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Each operand with a CNN layout has its own transpose, in operand order: features to NHWC, weights to HWOI.
// CHECK-LABEL: func.func @operands(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %sum = npu.add %x_1, %y_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %sum_1 = npu.transpose %sum permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %sum_2 = npu.transpose %sum_1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %w_1 = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %conv = npu.conv2d %sum_2, %w_1 pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %conv_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @operands(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %sum = npu.add %x, %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %sum, %w pads = [1, 1, 1, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// The transpose of a constant is inserted right after the constant.
// CHECK-LABEL: func.func @constant(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %w = npu.constant dense<5.000000e-01> : tensor<8x8x3x3xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    %w_1 = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.relu %x_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a_2 = npu.transpose %a_1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %a_2, %w_1 pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %conv_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @constant(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<8x8x3x3xf32, #npu.layout<OIHW>>
  %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %a, %w pads = [1, 1, 1, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// An operand that already has the demanded order gets no transpose, nor does the result.
// CHECK-LABEL: func.func @in_order(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %a = npu.relu %x : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %w_1 = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %conv = npu.conv2d %a, %w_1 pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %conv : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @in_order(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
  %a = npu.relu %x : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %conv = npu.conv2d %a, %w pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  return %conv : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
}

// -----

/// Ops whose own class is Tensor keep their orders, and so does an op without an operand that has a CNN layout, such as the reshape from Tensor to NCHW.
// CHECK-LABEL: func.func @tensors(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %t: tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %u = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %in = npu.reshape %u : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %in_1 = npu.transpose %in permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %sum = npu.add %x_1, %in_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %sum_1 = npu.transpose %sum permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %out = npu.reshape %sum_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %out : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @tensors(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %t: tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %u = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %in = npu.reshape %u : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %sum = npu.add %x, %in : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %out = npu.reshape %sum : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %out : tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// A node of class Weight is wrapped from and to its own order, by HWOI.
// CHECK-LABEL: func.func @weight(
// CHECK-SAME:    %w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<8x8x3x3xf32, #npu.layout<OIHW>> {
// CHECK-NEXT:    %w_1 = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %node = npu.neg %w_1 : tensor<3x3x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %node_1 = npu.transpose %node permutation = [2, 3, 0, 1] : (tensor<3x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<8x8x3x3xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    func.return %node_1 : tensor<8x8x3x3xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  }
func.func @weight(%w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<8x8x3x3xf32, #npu.layout<OIHW>> {
  %node = npu.neg %w : tensor<8x8x3x3xf32, #npu.layout<OIHW>>
  return %node : tensor<8x8x3x3xf32, #npu.layout<OIHW>>
}

// -----

/// An op that cannot be written for NHWC stays unchanged: this reshape mixes C and H, which NHWC tears apart.
// CHECK-LABEL: func.func @cannot(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %mixed = npu.reshape %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %mixed_1 = npu.transpose %mixed permutation = [0, 2, 3, 1] : (tensor<1x4x8x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node = npu.relu %mixed_1 : tensor<1x8x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node_1 = npu.transpose %node permutation = [0, 3, 1, 2] : (tensor<1x8x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x8x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %node_1 : tensor<1x4x8x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @cannot(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x6xf32, #npu.layout<NCHW>> {
  %mixed = npu.reshape %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x6xf32, #npu.layout<NCHW>>
  %node = npu.relu %mixed : tensor<1x4x8x6xf32, #npu.layout<NCHW>>
  return %node : tensor<1x4x8x6xf32, #npu.layout<NCHW>>
}

// -----

/// Nothing is shared: each op that reads a value has a transpose of its own, and each operand that reads it.
// CHECK-LABEL: func.func @three_users(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x3xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %x_2 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.conv2d %x_2, %w strides = [1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x3x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x3x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x3xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %x_3 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %x_4 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %c = npu.mul %x_3, %x_4 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %c_1 = npu.transpose %c permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %a_1, %b_1, %c_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x3xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @three_users(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x3xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.conv2d %x, %w strides = [1, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x3xf32, #npu.layout<NCHW>>
  %c = npu.mul %x, %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %a, %b, %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x3xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// A transpose of the input keeps its types; its neighbours are wrapped separately.
// CHECK-LABEL: func.func @present(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node1 = npu.relu %x_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node1_1 = npu.transpose %node1 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %swap = npu.transpose %node1_1 permutation = [0, 1, 3, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>>
// CHECK-NEXT:    %swap_1 = npu.transpose %swap permutation = [0, 3, 2, 1] : (tensor<1x8x6x4xf32, #npu.layout<NCWH>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node2 = npu.relu %swap_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node2_1 = npu.transpose %node2 permutation = [0, 3, 2, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>>
// CHECK-NEXT:    func.return %node2_1 : tensor<1x8x6x4xf32, #npu.layout<NCWH>>
// CHECK-NEXT:  }
func.func @present(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>> {
  %node1 = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %swap = npu.transpose %node1 permutation = [0, 1, 3, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>>
  %node2 = npu.relu %swap : tensor<1x8x6x4xf32, #npu.layout<NCWH>>
  return %node2 : tensor<1x8x6x4xf32, #npu.layout<NCWH>>
}
