// RUN: npu-opt %s --layout-preset="strategy=regions" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions" --layout-preset="strategy=regions" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=seed-plus" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions-plus" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions-plus" --layout-preset="strategy=regions-plus" --split-input-file | filecheck %s
// Tensor regions that must not join, so that regions-plus gives what regions gives.

/// Seed layout-preset, 进阶做法Plus: one branch is NHWC in the input program, the other NCHW and about to be re-ordered. The region that reads both does not join.
// CHECK-LABEL: func.func @mixed_layouts(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %y: tensor<1x4x6x8xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %v: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x4x6x8xf32, #npu.layout<NCHW>>) -> tensor<1x6x8x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.conv2d %x, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.conv2d %y_1, %v : (tensor<1x6x8x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x6x8x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x6x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c = npu.relabel %a : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %d = npu.relabel %b_1 : (tensor<1x4x6x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %sum = npu.add %c, %d : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %sum : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @mixed_layouts(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %y: tensor<1x4x6x8xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %v: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>> {
  %a = npu.conv2d %x, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %b = npu.conv2d %y, %v : (tensor<1x4x6x8xf32, #npu.layout<NCHW>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>>
  %c = npu.relabel %a : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
  %d = npu.relabel %b : (tensor<1x4x6x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
  %sum = npu.add %c, %d : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
  return %sum : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
}

// -----

/// Seed layout-preset, 归类, second round: the inputs of the Tensor region are a Feature and a Weight, so it does not join.
// CHECK-LABEL: func.func @mixed_classes(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x3xf32, #npu.layout<OIHW>>) -> tensor<8x24xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %w_1 = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<8x8x1x3xf32, #npu.layout<OIHW>>) -> tensor<1x3x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %kernel = npu.neg %w_1 : tensor<1x3x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %kernel_1 = npu.transpose %kernel permutation = [2, 3, 0, 1] : (tensor<1x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<8x8x1x3xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %kernel pads = [0, 1, 0, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b = npu.reshape %kernel_1 : (tensor<8x8x1x3xf32, #npu.layout<OIHW>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %sum = npu.add %a, %b : tensor<8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %sum : tensor<8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @mixed_classes(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x3xf32, #npu.layout<OIHW>>) -> tensor<8x24xf32, #npu.layout<Tensor>> {
  %kernel = npu.neg %w : tensor<8x8x1x3xf32, #npu.layout<OIHW>>
  %conv = npu.conv2d %x, %kernel pads = [0, 1, 0, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x3xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
  %b = npu.reshape %kernel : (tensor<8x8x1x3xf32, #npu.layout<OIHW>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
  %sum = npu.add %a, %b : tensor<8x24xf32, #npu.layout<Tensor>>
  return %sum : tensor<8x24xf32, #npu.layout<Tensor>>
}

// -----

/// Seed layout-preset, 归类, second round: an input of Tensor layout keeps the region that reads it from joining.
// CHECK-LABEL: func.func @input(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %t: tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %sum = npu.add %a, %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %sum : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @input(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %t: tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %sum = npu.add %a, %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %sum : tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// Seed layout-preset, 归类, second round: so does a constant of Tensor layout.
// CHECK-LABEL: func.func @const(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %const = npu.constant dense<5.000000e-01> : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %sum = npu.add %a, %const : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %sum : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @const(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %const = npu.constant dense<0.5> : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %sum = npu.add %a, %const : tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %sum : tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// Even if the input has one element.
// CHECK-LABEL: func.func @input_of_one(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %t: tensor<1x1x1xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %sum = npu.add %a, %t : (tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x1x1xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %sum : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @input_of_one(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %t: tensor<1x1x1xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %sum = npu.add %a, %t : (tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x1x1xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %sum : tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// Or is read by an op that could be written in the other order all the same.
// CHECK-LABEL: func.func @input_beside(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %t: tensor<2xi64, #npu.layout<Tensor>>) -> tensor<1x2x24xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b = npu.gather %a, %t axis = 1 : (tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<2xi64, #npu.layout<Tensor>>) -> tensor<1x2x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %b : tensor<1x2x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @input_beside(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %t: tensor<2xi64, #npu.layout<Tensor>>) -> tensor<1x2x24xf32, #npu.layout<Tensor>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %b = npu.gather %a, %t axis = 1 : (tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<2xi64, #npu.layout<Tensor>>) -> tensor<1x2x24xf32, #npu.layout<Tensor>>
  return %b : tensor<1x2x24xf32, #npu.layout<Tensor>>
}

// -----

/// Images of one channel could be stored alike in both, but the layout in the input program counts.
// CHECK-LABEL: func.func @mixed_layouts_alike(
// CHECK-SAME:    %x: tensor<1x4x6x1xf32, #npu.layout<NHWC>>, %y: tensor<1x1x4x6xf32, #npu.layout<NCHW>>, %w: tensor<3x3x1x1xf32, #npu.layout<HWOI>>) -> tensor<4x6xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %y_1 = npu.reshape %y : (tensor<1x1x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x1xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.conv2d %x, %w pads = [1, 1, 1, 1] : (tensor<1x4x6x1xf32, #npu.layout<NHWC>>, tensor<3x3x1x1xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x1xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.conv2d %y_1, %w pads = [1, 1, 1, 1] : (tensor<1x4x6x1xf32, #npu.layout<NHWC>>, tensor<3x3x1x1xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x1xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b_1 = npu.reshape %b : (tensor<1x4x6x1xf32, #npu.layout<NHWC>>) -> tensor<1x1x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c = npu.reshape %a : (tensor<1x4x6x1xf32, #npu.layout<NHWC>>) -> tensor<4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %d = npu.reshape %b_1 : (tensor<1x1x4x6xf32, #npu.layout<NCHW>>) -> tensor<4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %sum = npu.add %c, %d : tensor<4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %sum : tensor<4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @mixed_layouts_alike(%x: tensor<1x4x6x1xf32, #npu.layout<NHWC>>, %y: tensor<1x1x4x6xf32, #npu.layout<NCHW>>, %w: tensor<3x3x1x1xf32, #npu.layout<HWOI>>) -> tensor<4x6xf32, #npu.layout<Tensor>> {
  %a = npu.conv2d %x, %w pads = [1, 1, 1, 1] : (tensor<1x4x6x1xf32, #npu.layout<NHWC>>, tensor<3x3x1x1xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x1xf32, #npu.layout<NHWC>>
  %b = npu.conv2d %y, %w pads = [1, 1, 1, 1] : (tensor<1x1x4x6xf32, #npu.layout<NCHW>>, tensor<3x3x1x1xf32, #npu.layout<HWOI>>) -> tensor<1x1x4x6xf32, #npu.layout<NCHW>>
  %c = npu.reshape %a : (tensor<1x4x6x1xf32, #npu.layout<NHWC>>) -> tensor<4x6xf32, #npu.layout<Tensor>>
  %d = npu.reshape %b : (tensor<1x1x4x6xf32, #npu.layout<NCHW>>) -> tensor<4x6xf32, #npu.layout<Tensor>>
  %sum = npu.add %c, %d : tensor<4x6xf32, #npu.layout<Tensor>>
  return %sum : tensor<4x6xf32, #npu.layout<Tensor>>
}

// -----

/// A fault of the seed: by its rule this region joins, since all that it reads are features in NCHW, and the flatten would read NHWC, other elements than before. Ours does not join.
// CHECK-LABEL: func.func @flatten_gemm(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x192x2x5xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %v: tensor<1x1x192x192xf32, #npu.layout<HWOI>>) -> tensor<1x10xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x192x2x5xf32, #npu.layout<NCHW>>) -> tensor<1x2x5x192xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.conv2d %y_1, %v : (tensor<1x2x5x192xf32, #npu.layout<NHWC>>, tensor<1x1x192x192xf32, #npu.layout<HWOI>>) -> tensor<1x2x5x192xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x2x5x192xf32, #npu.layout<NHWC>>) -> tensor<1x192x2x5xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %flat = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %m = npu.reshape %b_1 : (tensor<1x192x2x5xf32, #npu.layout<NCHW>>) -> tensor<192x10xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %gemm = npu.gemm %flat, %m : (tensor<1x192xf32, #npu.layout<Tensor>>, tensor<192x10xf32, #npu.layout<Tensor>>) -> tensor<1x10xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %gemm : tensor<1x10xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @flatten_gemm(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x192x2x5xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %v: tensor<1x1x192x192xf32, #npu.layout<HWOI>>) -> tensor<1x10xf32, #npu.layout<Tensor>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.conv2d %y, %v : (tensor<1x192x2x5xf32, #npu.layout<NCHW>>, tensor<1x1x192x192xf32, #npu.layout<HWOI>>) -> tensor<1x192x2x5xf32, #npu.layout<NCHW>>
  %flat = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
  %m = npu.reshape %b : (tensor<1x192x2x5xf32, #npu.layout<NCHW>>) -> tensor<192x10xf32, #npu.layout<Tensor>>
  %gemm = npu.gemm %flat, %m : (tensor<1x192xf32, #npu.layout<Tensor>>, tensor<192x10xf32, #npu.layout<Tensor>>) -> tensor<1x10xf32, #npu.layout<Tensor>>
  return %gemm : tensor<1x10xf32, #npu.layout<Tensor>>
}

// -----

/// The same with one input: a flatten keeps its region from joining even if no Gemm follows.
// CHECK-LABEL: func.func @flatten(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x192xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %flat = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %a = npu.relu %flat : tensor<1x192xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %a : tensor<1x192xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @flatten(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x192xf32, #npu.layout<Tensor>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %flat = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
  %a = npu.relu %flat : tensor<1x192xf32, #npu.layout<Tensor>>
  return %a : tensor<1x192xf32, #npu.layout<Tensor>>
}

// -----

/// The order of NHWC reaches this Gemm, but the target cannot run it on operands stored in another order, so its region does not join.
// CHECK-LABEL: func.func @rigid_gemm(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x24x1x10xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %v: tensor<1x1x24x24xf32, #npu.layout<HWOI>>) -> tensor<8x10xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x24x1x10xf32, #npu.layout<NCHW>>) -> tensor<1x1x10x24xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.conv2d %y_1, %v : (tensor<1x1x10x24xf32, #npu.layout<NHWC>>, tensor<1x1x24x24xf32, #npu.layout<HWOI>>) -> tensor<1x1x10x24xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x1x10x24xf32, #npu.layout<NHWC>>) -> tensor<1x24x1x10xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %l = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %r = npu.reshape %b_1 : (tensor<1x24x1x10xf32, #npu.layout<NCHW>>) -> tensor<24x10xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %gemm = npu.gemm %l, %r : (tensor<8x24xf32, #npu.layout<Tensor>>, tensor<24x10xf32, #npu.layout<Tensor>>) -> tensor<8x10xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %gemm : tensor<8x10xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @rigid_gemm(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x24x1x10xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %v: tensor<1x1x24x24xf32, #npu.layout<HWOI>>) -> tensor<8x10xf32, #npu.layout<Tensor>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.conv2d %y, %v : (tensor<1x24x1x10xf32, #npu.layout<NCHW>>, tensor<1x1x24x24xf32, #npu.layout<HWOI>>) -> tensor<1x24x1x10xf32, #npu.layout<NCHW>>
  %l = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
  %r = npu.reshape %b : (tensor<1x24x1x10xf32, #npu.layout<NCHW>>) -> tensor<24x10xf32, #npu.layout<Tensor>>
  %gemm = npu.gemm %l, %r : (tensor<8x24xf32, #npu.layout<Tensor>>, tensor<24x10xf32, #npu.layout<Tensor>>) -> tensor<8x10xf32, #npu.layout<Tensor>>
  return %gemm : tensor<8x10xf32, #npu.layout<Tensor>>
}

// -----

/// A fault of the seed: both inputs are features in NCHW, but their axes arrive in the sum in different places, so NHWC stores it in two different orders. Ours does not join.
// CHECK-LABEL: func.func @different_orders(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<8x4x6x1xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %v: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<8x4x6xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<8x4x6x1xf32, #npu.layout<NCHW>>) -> tensor<8x6x1x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.conv2d %y_1, %v : (tensor<8x6x1x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<8x6x1x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<8x6x1x4xf32, #npu.layout<NHWC>>) -> tensor<8x4x6x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %d = npu.reshape %b_1 : (tensor<8x4x6x1xf32, #npu.layout<NCHW>>) -> tensor<8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %sum = npu.add %c, %d : tensor<8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %sum : tensor<8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @different_orders(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<8x4x6x1xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %v: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<8x4x6xf32, #npu.layout<Tensor>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.conv2d %y, %v : (tensor<8x4x6x1xf32, #npu.layout<NCHW>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<8x4x6x1xf32, #npu.layout<NCHW>>
  %c = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x4x6xf32, #npu.layout<Tensor>>
  %d = npu.reshape %b : (tensor<8x4x6x1xf32, #npu.layout<NCHW>>) -> tensor<8x4x6xf32, #npu.layout<Tensor>>
  %sum = npu.add %c, %d : tensor<8x4x6xf32, #npu.layout<Tensor>>
  return %sum : tensor<8x4x6xf32, #npu.layout<Tensor>>
}

// -----

/// A region that joins one without a demand leaves it without one.
// CHECK-LABEL: func.func @no_demand(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %c = npu.relu %b : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %c : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @no_demand(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %c = npu.relu %b : tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %c : tensor<1x8x24xf32, #npu.layout<Tensor>>
}
