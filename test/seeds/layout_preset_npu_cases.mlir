// RUN: npu-opt %s --layout-preset-npu="strategy=greedy" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset-npu="strategy=greedy" --layout-preset-npu="strategy=greedy" --split-input-file | filecheck %s

/// Seed layout-preset-to-npu, 第一种情况（CNN->CNN）: the convolution demands NHWC and gets it; nothing is done for its result, and what follows takes NHWC as it comes, until the output, which keeps its layout.
// CHECK-LABEL: func.func @case_1(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %a_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.tanh %conv : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %again = npu.conv2d %b, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %again_1 = npu.transpose %again permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %again_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @case_1(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %a, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.tanh %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %again = npu.conv2d %b, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %again : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset-to-npu, 第一种情况（CNN->CNN）: a demand that is met already.
// CHECK-LABEL: func.func @case_1_met(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %a = npu.relu %x : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %a, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %conv : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @case_1_met(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
  %a = npu.relu %x : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %conv = npu.conv2d %a, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  return %conv : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
}

// -----

/// Seed layout-preset-to-npu, 第一种情况（CNN->CNN）: HWOI is demanded of the kernel.
// CHECK-LABEL: func.func @case_1_weight(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %kernel = npu.neg %w : tensor<8x8x3x3xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    %kernel_1 = npu.transpose %kernel permutation = [2, 3, 0, 1] : (tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %conv = npu.conv2d %x, %kernel_1 pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %conv : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @case_1_weight(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
  %kernel = npu.neg %w : tensor<8x8x3x3xf32, #npu.layout<OIHW>>
  %conv = npu.conv2d %x, %kernel pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  return %conv : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
}

// -----

/// Two operands of one op are transposed in front of it, in operand order; a constant right after itself.
// CHECK-LABEL: func.func @case_1_both(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %v = npu.constant dense<5.000000e-01> : tensor<8x8x3x3xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    %v_1 = npu.transpose %v permutation = [2, 3, 0, 1] : (tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %w_1 = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %w_1 pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.conv2d %a, %v_1 pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %b_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @case_1_both(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %v = npu.constant dense<0.5> : tensor<8x8x3x3xf32, #npu.layout<OIHW>>
  %a = npu.conv2d %x, %w pads = [1, 1, 1, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.conv2d %a, %v pads = [1, 1, 1, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %b : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset-to-npu, 第二种情况（CNN->Tensor）: what was recorded for the reshape is NCHW, so it gets NCHW, and the Tensors behind it stay as they were.
// CHECK-LABEL: func.func @case_2(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.relu %conv : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %reshape = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b = npu.tanh %reshape : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %b : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @case_2(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.relu %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %reshape = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %b = npu.tanh %reshape : tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %b : tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// Seed layout-preset-to-npu, needInsert: where the recorded layout and the present one are the same, nothing is inserted. Several ops that were recorded share one transpose, and the output with them.
// CHECK-LABEL: func.func @case_2_same(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x8xf32, #npu.layout<Tensor>>, tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %before = npu.reshape %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %sum = npu.reduce_sum %conv_1 axes = [2, 3] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %reshape = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %before, %sum, %reshape, %conv_1 : tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x8xf32, #npu.layout<Tensor>>, tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @case_2_same(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x8xf32, #npu.layout<Tensor>>, tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  %before = npu.reshape %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %sum = npu.reduce_sum %conv axes = [2, 3] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8xf32, #npu.layout<Tensor>>
  %reshape = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %before, %sum, %reshape, %conv : tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x8xf32, #npu.layout<Tensor>>, tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset-to-npu, 第三种情况（Tensor->CNN）: nothing is done for the reshape, which gives what it gave.
// CHECK-LABEL: func.func @case_3(
// CHECK-SAME:    %t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %reshape = npu.reshape %t : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a = npu.relu %reshape : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %a_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %conv_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @case_3(%t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %reshape = npu.reshape %t : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.relu %reshape : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %a, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset-to-npu, 第四种情况: Tensors stay unchanged, on both sides of the convolution.
// CHECK-LABEL: func.func @case_4(
// CHECK-SAME:    %t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %a = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %in = npu.reshape %a : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %in_1 = npu.transpose %in permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %in_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %out = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b = npu.softmax %out axis = 2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %c = npu.add %b, %a : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %c : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @case_4(%t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %a = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %in = npu.reshape %a : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %in, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %out = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %b = npu.softmax %out axis = 2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %c = npu.add %b, %a : tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %c : tensor<1x8x24xf32, #npu.layout<Tensor>>
}
