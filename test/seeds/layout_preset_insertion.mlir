// RUN: npu-opt %s --layout-preset="strategy=regions" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions" --layout-preset="strategy=regions" --split-input-file | filecheck %s

/// Seed layout-preset, 插入: a region whose output node is an output of the graph is transposed in front of it; the output keeps its layout. One transpose serves both outputs.
// CHECK-LABEL: func.func @output(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x4x6x8xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %conv = npu.conv2d %y_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %late = npu.relu %a : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %conv_1, %late, %conv_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x4x6x8xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @output(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x4x6x8xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  %a = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
  %conv = npu.conv2d %y, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %late = npu.relu %a : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
  return %conv, %late, %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x4x6x8xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset, 插入: a region whose output node is another op is transposed right after its last node, to the layout that the other op had in front of it.
// CHECK-LABEL: func.func @not_output(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %between = npu.tanh %conv : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %far = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %between_1 = npu.transpose %between permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %between_1, %far : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @not_output(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %between = npu.tanh %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %far = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %between, %far : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// If an output and another op read a value, one transpose right after it serves both.
// CHECK-LABEL: func.func @output_and_op(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %between = npu.tanh %conv : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %far = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %between_1 = npu.transpose %between permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %between_1, %conv_1, %far : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @output_and_op(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %between = npu.tanh %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %far = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %between, %conv, %far : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// Seed layout-preset, 插入: inputs keep their layouts and are transposed right behind them, in their own order, whichever is used first.
// CHECK-LABEL: func.func @inputs(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %w_1 = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %first = npu.conv2d %y_1, %w_1 pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %last = npu.add %x_1, %first : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %last_1 = npu.transpose %last permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %last_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @inputs(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %first = npu.conv2d %y, %w pads = [1, 1, 1, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %last = npu.add %x, %first : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %last : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset, 插入: constants keep their layouts too, and are transposed right after themselves.
// CHECK-LABEL: func.func @constants(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %w = npu.constant dense<5.000000e-01> : tensor<8x8x3x3xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    %w_1 = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %c = npu.constant dense<2.500000e-01> : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c_1 = npu.transpose %c permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %first = npu.conv2d %x_1, %w_1 pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %last = npu.add %first, %c_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %last_1 = npu.transpose %last permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %last_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @constants(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<8x8x3x3xf32, #npu.layout<OIHW>>
  %c = npu.constant dense<0.25> : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %first = npu.conv2d %x, %w pads = [1, 1, 1, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %last = npu.add %first, %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %last : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset, 插入: where the region's input is another op, the transpose is inserted before the region's node that uses it, not behind that op.
// CHECK-LABEL: func.func @entering(
// CHECK-SAME:    %t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %a = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %other = npu.tanh %a : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %in = npu.reshape %a_1 : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %in, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %conv_1, %other : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @entering(%t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) {
  %a = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %other = npu.tanh %a : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %in = npu.reshape %a : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %in, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %conv, %other : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// Two ops that read one tensor in one arrangement share its transpose, in front of the first. The reshapes cut the axis of 24 in different ways, which leaves the arrangement unchanged.
// CHECK-LABEL: func.func @entering_twice(
// CHECK-SAME:    %t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x6x4xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %a = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %in1 = npu.reshape %a_1 : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %in2 = npu.reshape %a_1 : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x6x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv1 = npu.conv2d %in1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv2 = npu.conv2d %in2, %w : (tensor<1x6x4x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x6x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv1_1 = npu.transpose %conv1 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %conv2_1 = npu.transpose %conv2 permutation = [0, 3, 1, 2] : (tensor<1x6x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %conv1_1, %conv2_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @entering_twice(%t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x6x4xf32, #npu.layout<NCHW>>) {
  %a = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %in1 = npu.reshape %a : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %in2 = npu.reshape %a : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
  %conv1 = npu.conv2d %in1, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %conv2 = npu.conv2d %in2, %w : (tensor<1x8x6x4xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
  return %conv1, %conv2 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x6x4xf32, #npu.layout<NCHW>>
}

// -----

/// A relabel or a carried reshape of a tensor is a view of it: one transpose serves all of its views. Its operand is the view that the first user uses, and right after it the others get views of its result.
// CHECK-LABEL: func.func @views(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %x_2 = npu.relabel %x_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %seen = npu.relabel %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b = npu.relu %seen : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %back = npu.relabel %x_2 : (tensor<1x4x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %c = npu.conv2d %back, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c_1 = npu.transpose %c permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %a_1, %b, %c_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @views(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %seen = npu.relabel %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
  %b = npu.relu %seen : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
  %back = npu.relabel %seen : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %c = npu.conv2d %back, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %a, %b, %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// If the first user of an input uses a relabel of it, the operand of the transpose is that relabel, so it cannot be at the top: it is inserted before that user.
// CHECK-LABEL: func.func @views_of_input(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %seen = npu.relabel %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b = npu.relu %seen : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %seen_1 = npu.transpose %seen permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %seen_2 = npu.relabel %seen_1 : (tensor<1x4x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %back = npu.relabel %seen_1 : (tensor<1x4x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %c = npu.conv2d %back, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.conv2d %seen_2, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c_1 = npu.transpose %c permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %a_1, %b, %c_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @views_of_input(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  %seen = npu.relabel %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
  %b = npu.relu %seen : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
  %back = npu.relabel %seen : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %c = npu.conv2d %back, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %a, %b, %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// The same where views of one tensor leave a region.
// CHECK-LABEL: func.func @views_leaving(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x192xf32, #npu.layout<Tensor>>, tensor<1x192xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %seen = npu.reshape %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x2x12x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %seen_1 = npu.transpose %seen permutation = [0, 3, 1, 2] : (tensor<1x2x12x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x2x12xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %seen_2 = npu.reshape %seen_1 : (tensor<1x8x2x12xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a = npu.reshape %seen_1 : (tensor<1x8x2x12xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b = npu.reshape %seen_2 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %a, %b : tensor<1x192xf32, #npu.layout<Tensor>>, tensor<1x192xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @views_leaving(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x192xf32, #npu.layout<Tensor>>, tensor<1x192xf32, #npu.layout<Tensor>>) {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %seen = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x2x12xf32, #npu.layout<NCHW>>
  %a = npu.reshape %seen : (tensor<1x8x2x12xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
  %b = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
  return %a, %b : tensor<1x192xf32, #npu.layout<Tensor>>, tensor<1x192xf32, #npu.layout<Tensor>>
}

// -----

/// If only axes of one element are permuted, a reshape is inserted and no data moves.
// CHECK-LABEL: func.func @units(
// CHECK-SAME:    %x: tensor<1x8x1x1xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.reshape %x : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x1x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %w_1 = npu.reshape %w : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w_1 : (tensor<1x1x1x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x1x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.reshape %conv : (tensor<1x1x1x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %conv_1 : tensor<1x8x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @units(%x: tensor<1x8x1x1xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>>
  return %conv : tensor<1x8x1x1xf32, #npu.layout<NCHW>>
}
