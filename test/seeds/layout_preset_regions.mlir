// RUN: npu-opt %s --layout-preset="strategy=regions" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions" --layout-preset="strategy=regions" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions-plus" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions-plus" --layout-preset="strategy=regions-plus" --split-input-file | filecheck %s
// No Tensor region joins in these programs, so both strategies give the same.

/// Seed layout-preset, 单CNN类型网络Preset: from the input on everything is NHWC, and in front of the output a transpose gives the layout that the output has.
// CHECK-LABEL: func.func @pure_cnn(
// CHECK-SAME:    %input: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x2x3xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %input_1 = npu.transpose %input permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %input_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %relu = npu.relu %conv : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %pool = npu.max_pool %relu window = [2, 2] strides = [2, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x2x3x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %last = npu.conv2d %pool, %w : (tensor<1x2x3x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x2x3x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %last_1 = npu.transpose %last permutation = [0, 3, 1, 2] : (tensor<1x2x3x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x2x3xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %last_1 : tensor<1x8x2x3xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @pure_cnn(%input: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x2x3xf32, #npu.layout<NCHW>> {
  %conv = npu.conv2d %input, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %relu = npu.relu %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %pool = npu.max_pool %relu window = [2, 2] strides = [2, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x2x3xf32, #npu.layout<NCHW>>
  %last = npu.conv2d %pool, %w : (tensor<1x8x2x3xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x2x3xf32, #npu.layout<NCHW>>
  return %last : tensor<1x8x2x3xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset, 进阶做法, first figure: the two nodes are both features, so they are one region with a transpose at its head and one at its tail.
// CHECK-LABEL: func.func @figure(
// CHECK-SAME:    %node0: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %node0_1 = npu.transpose %node0 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node1 = npu.relu %node0_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node2 = npu.conv2d %node1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node2_1 = npu.transpose %node2 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %node2_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @figure(%node0: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %node1 = npu.relu %node0 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %node2 = npu.conv2d %node1, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %node2 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset, 归类: of several inputs only those of the op's own class belong to its region. The kernel is a region of its own, on which the convolution's demand lies: HWOI.
// CHECK-LABEL: func.func @some_inputs(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %w_1 = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %kernel = npu.neg %w_1 : tensor<3x3x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %a = npu.relu %x_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %a, %kernel pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %conv_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @some_inputs(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %kernel = npu.neg %w : tensor<8x8x3x3xf32, #npu.layout<OIHW>>
  %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %a, %kernel pads = [1, 1, 1, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset, 归类: an op whose inputs are all of its own class makes one region of them. The demand of one convolution reaches all of it.
// CHECK-LABEL: func.func @all_inputs(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.relu %x_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.conv2d %y_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %sum = npu.add %a, %b : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %sum_1 = npu.transpose %sum permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %sum_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @all_inputs(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.conv2d %y, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %sum = npu.add %a, %b : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %sum : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// A region without a demand keeps its layout, whatever other regions do.
// CHECK-LABEL: func.func @no_demand(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %free = npu.relu %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %conv_1, %free : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @no_demand(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %free = npu.relu %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %conv, %free : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// The gradient of a kernel is a Weight, HWOI on demand; what it is computed from is another region, NHWC on demand.
// CHECK-LABEL: func.func @demand_on_result(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %g: tensor<1x16x4x6xf32, #npu.layout<NCHW>>) -> tensor<16x8x3x3xf32, #npu.layout<OIHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %g_1 = npu.transpose %g permutation = [0, 2, 3, 1] : (tensor<1x16x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x16xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.relu %x_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %dw = npu.conv2d_bpw %a, %g_1 pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<3x3x16x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %b = npu.neg %dw : tensor<3x3x16x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %b_1 = npu.transpose %b permutation = [2, 3, 0, 1] : (tensor<3x3x16x8xf32, #npu.layout<HWOI>>) -> tensor<16x8x3x3xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    func.return %b_1 : tensor<16x8x3x3xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  }
func.func @demand_on_result(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %g: tensor<1x16x4x6xf32, #npu.layout<NCHW>>) -> tensor<16x8x3x3xf32, #npu.layout<OIHW>> {
  %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %dw = npu.conv2d_bpw %a, %g pads = [1, 1, 1, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x16x4x6xf32, #npu.layout<NCHW>>) -> tensor<16x8x3x3xf32, #npu.layout<OIHW>>
  %b = npu.neg %dw : tensor<16x8x3x3xf32, #npu.layout<OIHW>>
  return %b : tensor<16x8x3x3xf32, #npu.layout<OIHW>>
}

// -----

/// A value that three ops demand in NHWC is transposed once.
// CHECK-LABEL: func.func @three_users(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x3xf32, #npu.layout<NCHW>>, tensor<1x8x2x6xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.conv2d %x_1, %w strides = [1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x3x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %c = npu.conv2d %x_1, %w strides = [2, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x2x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x3x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x3xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c_1 = npu.transpose %c permutation = [0, 3, 1, 2] : (tensor<1x2x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x2x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %a_1, %b_1, %c_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x3xf32, #npu.layout<NCHW>>, tensor<1x8x2x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @three_users(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x3xf32, #npu.layout<NCHW>>, tensor<1x8x2x6xf32, #npu.layout<NCHW>>) {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.conv2d %x, %w strides = [1, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x3xf32, #npu.layout<NCHW>>
  %c = npu.conv2d %x, %w strides = [2, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x2x6xf32, #npu.layout<NCHW>>
  return %a, %b, %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x3xf32, #npu.layout<NCHW>>, tensor<1x8x2x6xf32, #npu.layout<NCHW>>
}

// -----

/// An op that cannot be written for NHWC is a region by itself: this reshape mixes C and H, which NHWC tears apart.
// CHECK-LABEL: func.func @cannot(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %v: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x8x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %mixed = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %mixed_1 = npu.transpose %mixed permutation = [0, 2, 3, 1] : (tensor<1x4x8x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.conv2d %mixed_1, %v : (tensor<1x8x6x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x8x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x8x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %b_1 : tensor<1x4x8x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @cannot(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %v: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x8x6xf32, #npu.layout<NCHW>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %mixed = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x6xf32, #npu.layout<NCHW>>
  %b = npu.conv2d %mixed, %v : (tensor<1x4x8x6xf32, #npu.layout<NCHW>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x8x6xf32, #npu.layout<NCHW>>
  return %b : tensor<1x4x8x6xf32, #npu.layout<NCHW>>
}

// -----

/// An op that nothing is known about is a region by itself as well.
// CHECK-LABEL: func.func @opaque(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %foreign = npu.opaque "vendor.op"(%a_1) : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %foreign_1 = npu.transpose %foreign permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.conv2d %foreign_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %b_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @opaque(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %foreign = npu.opaque "vendor.op"(%a) : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.conv2d %foreign, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %b : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}
