// RUN: npu-opt %s --layout-preset --verify-layouts --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions" --split-input-file | filecheck %s --check-prefix REGIONS
// RUN: npu-opt %s --layout-preset="strategy=seed-plus" --split-input-file | filecheck %s --check-prefix REGIONS

/// The gate of squeeze-and-excite on a path in NCHW: data of one value per channel leads no larger data into its region.
// CHECK-LABEL: func.func @gate(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %relu = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %pool = npu.global_avg_pool %relu : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %pool_1 = npu.reshape %pool : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x1x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %pool_1, %w : (tensor<1x1x1x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x1x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %gate = npu.sigmoid %conv : tensor<1x1x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %gate_1 = npu.reshape %gate : (tensor<1x1x1x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %mul = npu.mul %relu, %gate_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %mul : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
// REGIONS-LABEL: func.func @gate(
// REGIONS:         %x_1 = npu.transpose %x permutation = [0, 2, 3, 1]
// REGIONS:         %mul_1 = npu.transpose %mul permutation = [0, 3, 1, 2]
func.func @gate(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %relu = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %pool = npu.global_avg_pool %relu : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %pool, %w : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>>
  %gate = npu.sigmoid %conv : tensor<1x8x1x1xf32, #npu.layout<NCHW>>
  %mul = npu.mul %relu, %gate : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %mul : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// A gate of rows is transposed itself.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %pool = npu.avg_pool %x window = [1, 6] strides = [1, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %pool_1 = npu.transpose %pool permutation = [0, 2, 3, 1] : (tensor<1x8x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x4x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %pool_1, %w : (tensor<1x4x1x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %gate = npu.sigmoid %conv : tensor<1x4x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %gate_1 = npu.transpose %gate permutation = [0, 3, 1, 2] : (tensor<1x4x1x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %mul = npu.mul %x, %gate_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %mul : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @rows(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %pool = npu.avg_pool %x window = [1, 6] strides = [1, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x1xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %pool, %w : (tensor<1x8x4x1xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x1xf32, #npu.layout<NCHW>>
  %gate = npu.sigmoid %conv : tensor<1x8x4x1xf32, #npu.layout<NCHW>>
  %mul = npu.mul %x, %gate : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %mul : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Behind a convolution the data is in the target's order, and the gate follows it.
// CHECK-LABEL: func.func @gate_in_order(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %first = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %pool = npu.global_avg_pool %first : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x1x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %pool, %w : (tensor<1x1x1x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x1x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mul = npu.mul %first, %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x1x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mul_1 = npu.transpose %mul permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %mul_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @gate_in_order(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %first = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %pool = npu.global_avg_pool %first : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %pool, %w : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>>
  %mul = npu.mul %first, %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %mul : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// A constant of class Tensor pins no region: it is stored in the order in which the region reads it. By the rule of
/// seed-plus it does.
// CHECK-LABEL: func.func @constant_between(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %const = npu.constant dense<5.000000e-01> : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %const_1 = npu.transpose %const permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.reshape %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %sum = npu.add %a, %const_1 : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %b = npu.reshape %sum : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv2 = npu.conv2d %b, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv2_1 = npu.transpose %conv2 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %conv2_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
// REGIONS-LABEL: func.func @constant_between(
// REGIONS:         %x_1 = npu.transpose %x permutation = [0, 2, 3, 1]
// REGIONS:         %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2]
// REGIONS:         %sum_1 = npu.transpose %sum permutation = [0, 2, 1]
// REGIONS:         npu.transpose %conv2 permutation = [0, 3, 1, 2]
func.func @constant_between(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %const = npu.constant dense<0.5> : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %sum = npu.add %a, %const : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %b = npu.reshape %sum : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %conv2 = npu.conv2d %b, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %conv2 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Likewise where an op gathers by it: fewer bytes are transposed behind the gather.
// REGIONS-LABEL: func.func @const_beside(
// REGIONS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x2x24xf32, #npu.layout<Tensor>> {
// REGIONS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %const = npu.constant dense<[2, 1]> : tensor<2xi64, #npu.layout<Tensor>>
// REGIONS-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %a = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %b = npu.gather %a, %const axis = 1 : (tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<2xi64, #npu.layout<Tensor>>) -> tensor<1x2x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    func.return %b : tensor<1x2x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:  }
// CHECK-LABEL: func.func @const_beside(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x2x24xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %const = npu.constant dense<[2, 1]> : tensor<2xi64, #npu.layout<Tensor>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.reshape %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %b = npu.gather %a, %const axis = 2 : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>, tensor<2xi64, #npu.layout<Tensor>>) -> tensor<1x24x2xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %b_1 = npu.transpose %b permutation = [0, 2, 1] : (tensor<1x24x2xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x2x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %b_1 : tensor<1x2x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @const_beside(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x2x24xf32, #npu.layout<Tensor>> {
  %const = npu.constant dense<[2, 1]> : tensor<2xi64, #npu.layout<Tensor>>
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %b = npu.gather %a, %const axis = 1 : (tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<2xi64, #npu.layout<Tensor>>) -> tensor<1x2x24xf32, #npu.layout<Tensor>>
  return %b : tensor<1x2x24xf32, #npu.layout<Tensor>>
}

// -----

/// So is what is computed from constants alone, by any number of ops.
// CHECK-LABEL: func.func @computed_constant(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %const = npu.constant dense<3> : tensor<1x8x24xi8, #npu.layout<Tensor>>
// CHECK-NEXT:    %const_1 = npu.transpose %const permutation = [0, 2, 1] : (tensor<1x8x24xi8, #npu.layout<Tensor>>) -> tensor<1x24x8xi8, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %scale = npu.constant dense<5.000000e-01> : tensor<f32, #npu.layout<Tensor>>
// CHECK-NEXT:    %zero = npu.constant dense<0> : tensor<i8, #npu.layout<Tensor>>
// CHECK-NEXT:    %real = npu.dequantize %const_1, %scale, %zero : (tensor<1x24x8xi8, #npu.layout<Tensor, [0, 2, 1]>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %neg = npu.neg %real : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.reshape %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %sum = npu.add %neg, %a : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %product = npu.mul %sum, %real : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %b = npu.reshape %product : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv2 = npu.conv2d %b, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv2_1 = npu.transpose %conv2 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %conv2_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
// REGIONS-LABEL: func.func @computed_constant(
// REGIONS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// REGIONS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %const = npu.constant dense<3> : tensor<1x8x24xi8, #npu.layout<Tensor>>
// REGIONS-NEXT:    %scale = npu.constant dense<5.000000e-01> : tensor<f32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %zero = npu.constant dense<0> : tensor<i8, #npu.layout<Tensor>>
// REGIONS-NEXT:    %real = npu.dequantize %const, %scale, %zero : (tensor<1x8x24xi8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %neg = npu.neg %real : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %a = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %sum = npu.add %neg, %a : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %product = npu.mul %sum, %real : tensor<1x8x24xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %product_1 = npu.transpose %product permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// REGIONS-NEXT:    %b = npu.reshape %product_1 : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv2 = npu.conv2d %b, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv2_1 = npu.transpose %conv2 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    func.return %conv2_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:  }
func.func @computed_constant(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %const = npu.constant dense<3> : tensor<1x8x24xi8, #npu.layout<Tensor>>
  %scale = npu.constant dense<0.5> : tensor<f32, #npu.layout<Tensor>>
  %zero = npu.constant dense<0> : tensor<i8, #npu.layout<Tensor>>
  %real = npu.dequantize %const, %scale, %zero : (tensor<1x8x24xi8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %neg = npu.neg %real : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %sum = npu.add %neg, %a : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %product = npu.mul %sum, %real : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %b = npu.reshape %product : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %conv2 = npu.conv2d %b, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %conv2 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// A reshape of a constant keeps its order where it has no other one; a transpose of it costs nothing.
// CHECK-LABEL: func.func @reshaped_constant(
// CHECK-SAME:    %x: tensor<1x2x2x3xf32, #npu.layout<NCHW>>, %w: tensor<1x1x2x2xf32, #npu.layout<HWOI>>) -> tensor<1x2x2x3xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x2x2x3xf32, #npu.layout<NCHW>>) -> tensor<1x2x3x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %flat = npu.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+01, 1.100000e+01]> : tensor<12xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %const = npu.reshape %flat : (tensor<12xf32, #npu.layout<Tensor>>) -> tensor<1x2x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x2x3x2xf32, #npu.layout<NHWC>>, tensor<1x1x2x2xf32, #npu.layout<HWOI>>) -> tensor<1x2x3x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.reshape %conv : (tensor<1x2x3x2xf32, #npu.layout<NHWC>>) -> tensor<1x6x2xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %const_1 = npu.transpose %const permutation = [0, 2, 1] : (tensor<1x2x6xf32, #npu.layout<Tensor>>) -> tensor<1x6x2xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %sum = npu.add %a, %const_1 : tensor<1x6x2xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %b = npu.reshape %sum : (tensor<1x6x2xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x2x3x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv2 = npu.conv2d %b, %w : (tensor<1x2x3x2xf32, #npu.layout<NHWC>>, tensor<1x1x2x2xf32, #npu.layout<HWOI>>) -> tensor<1x2x3x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv2_1 = npu.transpose %conv2 permutation = [0, 3, 1, 2] : (tensor<1x2x3x2xf32, #npu.layout<NHWC>>) -> tensor<1x2x2x3xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %conv2_1 : tensor<1x2x2x3xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
// REGIONS-LABEL: func.func @reshaped_constant(
// REGIONS-SAME:    %x: tensor<1x2x2x3xf32, #npu.layout<NCHW>>, %w: tensor<1x1x2x2xf32, #npu.layout<HWOI>>) -> tensor<1x2x2x3xf32, #npu.layout<NCHW>> {
// REGIONS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x2x2x3xf32, #npu.layout<NCHW>>) -> tensor<1x2x3x2xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %flat = npu.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+01, 1.100000e+01]> : tensor<12xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %const = npu.reshape %flat : (tensor<12xf32, #npu.layout<Tensor>>) -> tensor<1x2x6xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x2x3x2xf32, #npu.layout<NHWC>>, tensor<1x1x2x2xf32, #npu.layout<HWOI>>) -> tensor<1x2x3x2xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x2x3x2xf32, #npu.layout<NHWC>>) -> tensor<1x2x2x3xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %a = npu.reshape %conv_1 : (tensor<1x2x2x3xf32, #npu.layout<NCHW>>) -> tensor<1x2x6xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %sum = npu.add %a, %const : tensor<1x2x6xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %sum_1 = npu.transpose %sum permutation = [0, 2, 1] : (tensor<1x2x6xf32, #npu.layout<Tensor>>) -> tensor<1x6x2xf32, #npu.layout<Tensor, [0, 2, 1]>>
// REGIONS-NEXT:    %b = npu.reshape %sum_1 : (tensor<1x6x2xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x2x3x2xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv2 = npu.conv2d %b, %w : (tensor<1x2x3x2xf32, #npu.layout<NHWC>>, tensor<1x1x2x2xf32, #npu.layout<HWOI>>) -> tensor<1x2x3x2xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv2_1 = npu.transpose %conv2 permutation = [0, 3, 1, 2] : (tensor<1x2x3x2xf32, #npu.layout<NHWC>>) -> tensor<1x2x2x3xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    func.return %conv2_1 : tensor<1x2x2x3xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:  }
func.func @reshaped_constant(%x: tensor<1x2x2x3xf32, #npu.layout<NCHW>>, %w: tensor<1x1x2x2xf32, #npu.layout<HWOI>>) -> tensor<1x2x2x3xf32, #npu.layout<NCHW>> {
  %flat = npu.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0]> : tensor<12xf32, #npu.layout<Tensor>>
  %const = npu.reshape %flat : (tensor<12xf32, #npu.layout<Tensor>>) -> tensor<1x2x6xf32, #npu.layout<Tensor>>
  %conv = npu.conv2d %x, %w : (tensor<1x2x2x3xf32, #npu.layout<NCHW>>, tensor<1x1x2x2xf32, #npu.layout<HWOI>>) -> tensor<1x2x2x3xf32, #npu.layout<NCHW>>
  %a = npu.reshape %conv : (tensor<1x2x2x3xf32, #npu.layout<NCHW>>) -> tensor<1x2x6xf32, #npu.layout<Tensor>>
  %sum = npu.add %a, %const : tensor<1x2x6xf32, #npu.layout<Tensor>>
  %b = npu.reshape %sum : (tensor<1x2x6xf32, #npu.layout<Tensor>>) -> tensor<1x2x2x3xf32, #npu.layout<NCHW>>
  %conv2 = npu.conv2d %b, %w : (tensor<1x2x2x3xf32, #npu.layout<NCHW>>, tensor<1x1x2x2xf32, #npu.layout<HWOI>>) -> tensor<1x2x2x3xf32, #npu.layout<NCHW>>
  return %conv2 : tensor<1x2x2x3xf32, #npu.layout<NCHW>>
}
