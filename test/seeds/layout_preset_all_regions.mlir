// RUN: npu-opt %s --layout-preset="strategy=regions all-regions=true" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions all-regions=true" --layout-preset="strategy=regions all-regions=true" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions-plus all-regions=true" --split-input-file | filecheck %s --check-prefix PLUS
// RUN: npu-opt %s --layout-preset="strategy=regions-plus all-regions=true" --layout-preset="strategy=regions-plus all-regions=true" --split-input-file | filecheck %s --check-prefix PLUS
// Every CNN region is NHWC or HWOI, demand or not, as the seed has it.

/// Seed layout-preset, 进阶做法, first figure without a demand: the region gets its two transposes all the same.
// CHECK-LABEL: func.func @feature(
// CHECK-SAME:    %node0: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %node0_1 = npu.transpose %node0 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node1 = npu.relu %node0_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node2 = npu.tanh %node1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %node2_1 = npu.transpose %node2 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %node2_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
// PLUS-LABEL: func.func @feature(
// PLUS-SAME:    %node0: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// PLUS-NEXT:    %node0_1 = npu.transpose %node0 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %node1 = npu.relu %node0_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %node2 = npu.tanh %node1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %node2_1 = npu.transpose %node2 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    func.return %node2_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:  }
func.func @feature(%node0: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %node1 = npu.relu %node0 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %node2 = npu.tanh %node1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %node2 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Weights become HWOI.
// CHECK-LABEL: func.func @weight(
// CHECK-SAME:    %w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<8x8x3x3xf32, #npu.layout<OIHW>> {
// CHECK-NEXT:    %w_1 = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %node = npu.neg %w_1 : tensor<3x3x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %node_1 = npu.transpose %node permutation = [2, 3, 0, 1] : (tensor<3x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<8x8x3x3xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    func.return %node_1 : tensor<8x8x3x3xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  }
// PLUS-LABEL: func.func @weight(
// PLUS-SAME:    %w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<8x8x3x3xf32, #npu.layout<OIHW>> {
// PLUS-NEXT:    %w_1 = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x8x8xf32, #npu.layout<HWOI>>
// PLUS-NEXT:    %node = npu.neg %w_1 : tensor<3x3x8x8xf32, #npu.layout<HWOI>>
// PLUS-NEXT:    %node_1 = npu.transpose %node permutation = [2, 3, 0, 1] : (tensor<3x3x8x8xf32, #npu.layout<HWOI>>) -> tensor<8x8x3x3xf32, #npu.layout<OIHW>>
// PLUS-NEXT:    func.return %node_1 : tensor<8x8x3x3xf32, #npu.layout<OIHW>>
// PLUS-NEXT:  }
func.func @weight(%w: tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<8x8x3x3xf32, #npu.layout<OIHW>> {
  %node = npu.neg %w : tensor<8x8x3x3xf32, #npu.layout<OIHW>>
  return %node : tensor<8x8x3x3xf32, #npu.layout<OIHW>>
}

// -----

/// A region of nothing but inputs, constants and outputs keeps its layout.
// CHECK-LABEL: func.func @through(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %c = npu.constant dense<5.000000e-01> : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %x, %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
// PLUS-LABEL: func.func @through(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// PLUS-NEXT:    %c = npu.constant dense<5.000000e-01> : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    func.return %x, %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:  }
func.func @through(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  %c = npu.constant dense<0.5> : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %x, %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// A Tensor region stays unchanged, except that regions-plus joins it to the features it reads.
// CHECK-LABEL: func.func @tensor(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %t: tensor<1x8x24xf32, #npu.layout<Tensor>>) -> (tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.relu %x_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %c = npu.relu %b : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %d = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %c, %d : tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
// PLUS-LABEL: func.func @tensor(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %t: tensor<1x8x24xf32, #npu.layout<Tensor>>) -> (tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %a = npu.relu %x_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %b = npu.reshape %a : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %c = npu.relu %b : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %d = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %c_1 = npu.transpose %c permutation = [0, 2, 1] : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    func.return %c_1, %d : tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:  }
func.func @tensor(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %t: tensor<1x8x24xf32, #npu.layout<Tensor>>) -> (tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) {
  %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %c = npu.relu %b : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %d = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %c, %d : tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x8x24xf32, #npu.layout<Tensor>>
}
