// RUN: npu-opt %s --target=%S/Inputs/blocks.toml --layout-preset --split-input-file | filecheck %s
// RUN: npu-opt %s --target=%S/Inputs/blocks.toml --layout-preset=strategy=regions --split-input-file | filecheck %s --check-prefix=REGIONS
// RUN: npu-opt %s --target=%S/Inputs/blocks.toml --layout-preset=strategy=naive --split-input-file | filecheck %s --check-prefix=NAIVE
// RUN: npu-opt %s --target=brick --layout-preset=strategy=naive --split-input-file | filecheck %s --check-prefix=UNIT
// RUN: npu-opt %s --target=daven --layout-preset=strategy=naive --split-input-file | filecheck %s --check-prefix=ORDERS
// RUN: npu-opt %s --target=%S/Inputs/blocks.toml --layout-preset --split-input-file -o %t.once.mlir
// RUN: npu-opt %t.once.mlir --target=%S/Inputs/blocks.toml --layout-preset --split-input-file -o %t.twice.mlir
// RUN: diff %t.once.mlir %t.twice.mlir
// RUN: npu-opt %s --target=%S/Inputs/blocks.toml --layout-preset=strategy=naive --split-input-file -o %t.naive.mlir
// RUN: npu-opt %t.naive.mlir --target=%S/Inputs/blocks.toml --layout-preset=strategy=naive --split-input-file -o %t.twice.mlir
// RUN: diff %t.naive.mlir %t.twice.mlir

/// A region stays in blocks, into which the sum follows: one pack, and one unpack. Each op alone has its own; a constant
/// is packed once.
// CHECK-LABEL: func.func @chain
// CHECK-SAME:  (%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>
// CHECK-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %r = npu.relu %y : tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %z = npu.conv2d %r, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %s = npu.add %z, %r : tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %s_1 = npu.unpack %s : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %s_1 : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
// NAIVE-LABEL: func.func @chain
// NAIVE-SAME:  (%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>> {
// NAIVE-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
// NAIVE-NEXT:  %w_1 = npu.pack %w : (tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>
// NAIVE-NEXT:  %x_1 = npu.pack %x : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// NAIVE-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// NAIVE-NEXT:  %y_1 = npu.unpack %y : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:  %r = npu.relu %y_1 : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:  %r_1 = npu.pack %r : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// NAIVE-NEXT:  %z = npu.conv2d %r_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// NAIVE-NEXT:  %z_1 = npu.unpack %z : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:  %s = npu.add %z_1, %r : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:  func.return %s : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
func.func @chain(%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %r = npu.relu %y : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %z = npu.conv2d %r, %w : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %s = npu.add %z, %r : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  func.return %s : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// A sigmoid does not keep the zeros behind 24 channels: the region ends there, and the op behind it joins it. A pack
/// writes zeros again.
// CHECK-LABEL: func.func @not_zero
// CHECK-SAME:  (%x: tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>
// CHECK-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %t = npu.sigmoid %y : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>
// CHECK-NEXT:  %m = npu.mul %t, %y : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>, tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>
// CHECK-NEXT:  %m_1 = npu.pack %m : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %z = npu.conv2d %m_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %z_1 = npu.unpack %z : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %z_1 : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
func.func @not_zero(%x: tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %t = npu.sigmoid %y : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %m = npu.mul %t, %y : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %z = npu.conv2d %m, %w : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  func.return %z : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// A region without a demand stays in NCHW; with `regions-plus` it takes the order of the region that it reads, which
/// moves fewer bytes. 16 channels in one block are in NHWC.
// CHECK-LABEL: func.func @cheapest
// CHECK-SAME:  (%x: tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x3x4x4xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:  %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<24x16x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<24x16x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x1x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, zeros>>
// CHECK-NEXT:  %v = npu.constant dense<5.000000e-01> : tensor<3x40x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %v_1 = npu.pack %v : (tensor<3x40x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x3x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 3, I = 40, zeros>>
// CHECK-NEXT:  %a = npu.concat %x_1, %x_1 axis = 3 : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  %a_1 = npu.reshape %a : (tensor<1x4x4x16xf32, #npu.layout<NHWC>>) -> tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %y = npu.conv2d %a_1, %w_1 : (tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x1x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %y_1 = npu.unpack %y : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x4x4x24xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  %b = npu.concat %y_1, %a axis = 3 : (tensor<1x4x4x24xf32, #npu.layout<NHWC>>, tensor<1x4x4x16xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x40xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  %b_1 = npu.pack %b : (tensor<1x4x4x40xf32, #npu.layout<NHWC>>) -> tensor<1x3x4x4x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
// CHECK-NEXT:  %z = npu.conv2d %b_1, %v_1 : (tensor<1x3x4x4x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<1x3x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 3, I = 40, zeros>>) -> tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c, C = 3, zeros>>
// CHECK-NEXT:  %z_1 = npu.unpack %z : (tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c, C = 3, zeros>>) -> tensor<1x3x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %z_1 : tensor<1x3x4x4xf32, #npu.layout<NCHW>>
// REGIONS-LABEL: func.func @cheapest
// REGIONS-SAME:  (%x: tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x3x4x4xf32, #npu.layout<NCHW>> {
// REGIONS-NEXT:  %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<24x16x1x1xf32, #npu.layout<OIHW>>
// REGIONS-NEXT:  %w_1 = npu.pack %w : (tensor<24x16x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x1x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, zeros>>
// REGIONS-NEXT:  %v = npu.constant dense<5.000000e-01> : tensor<3x40x1x1xf32, #npu.layout<OIHW>>
// REGIONS-NEXT:  %v_1 = npu.pack %v : (tensor<3x40x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x3x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 3, I = 40, zeros>>
// REGIONS-NEXT:  %a = npu.concat %x_1, %x_1 axis = 3 : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:  %a_1 = npu.reshape %a : (tensor<1x4x4x16xf32, #npu.layout<NHWC>>) -> tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c>>
// REGIONS-NEXT:  %a_2 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x4x16xf32, #npu.layout<NHWC>>) -> tensor<1x16x4x4xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:  %y = npu.conv2d %a_1, %w_1 : (tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x1x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// REGIONS-NEXT:  %y_1 = npu.unpack %y : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:  %b = npu.concat %y_1, %a_2 axis = 1 : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<1x16x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x40x4x4xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:  %b_1 = npu.pack %b : (tensor<1x40x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x3x4x4x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
// REGIONS-NEXT:  %z = npu.conv2d %b_1, %v_1 : (tensor<1x3x4x4x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<1x3x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 3, I = 40, zeros>>) -> tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c, C = 3, zeros>>
// REGIONS-NEXT:  %z_1 = npu.unpack %z : (tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c, C = 3, zeros>>) -> tensor<1x3x4x4xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:  func.return %z_1 : tensor<1x3x4x4xf32, #npu.layout<NCHW>>
func.func @cheapest(%x: tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x3x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<24x16x1x1xf32, #npu.layout<OIHW>>
  %v = npu.constant dense<0.5> : tensor<3x40x1x1xf32, #npu.layout<OIHW>>
  %a = npu.concat %x, %x axis = 1 : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x16x4x4xf32, #npu.layout<NCHW>>
  %y = npu.conv2d %a, %w : (tensor<1x16x4x4xf32, #npu.layout<NCHW>>, tensor<24x16x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %b = npu.concat %y, %a axis = 1 : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<1x16x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x40x4x4xf32, #npu.layout<NCHW>>
  %z = npu.conv2d %b, %v : (tensor<1x40x4x4xf32, #npu.layout<NCHW>>, tensor<3x40x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x3x4x4xf32, #npu.layout<NCHW>>
  func.return %z : tensor<1x3x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// Without an unmet demand nothing changes, and transposes stay.
// CHECK-LABEL: func.func @without
// CHECK-SAME:  (%x: tensor<1x16x4x4xf32, #npu.layout<NCHW>>, %y: tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> (tensor<1x4x4x16xf32, #npu.layout<NHWC>>, tensor<1x2x2x2x16xf32, #npu.layout<NCHW16c>>) {
// CHECK-NEXT:  %r = npu.relu %x : tensor<1x16x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %t = npu.transpose %r permutation = [0, 2, 3, 1] : (tensor<1x16x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  %p = npu.max_pool %y window = [2, 2] strides = [2, 2] : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x2x2x2x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  func.return %t, %p : tensor<1x4x4x16xf32, #npu.layout<NHWC>>, tensor<1x2x2x2x16xf32, #npu.layout<NCHW16c>>
// NAIVE-LABEL: func.func @without
// NAIVE-SAME:  (%x: tensor<1x16x4x4xf32, #npu.layout<NCHW>>, %y: tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> (tensor<1x4x4x16xf32, #npu.layout<NHWC>>, tensor<1x2x2x2x16xf32, #npu.layout<NCHW16c>>) {
// NAIVE-NEXT:  %r = npu.relu %x : tensor<1x16x4x4xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:  %t = npu.transpose %r permutation = [0, 2, 3, 1] : (tensor<1x16x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:  %p = npu.max_pool %y window = [2, 2] strides = [2, 2] : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x2x2x2x16xf32, #npu.layout<NCHW16c>>
// NAIVE-NEXT:  func.return %t, %p : tensor<1x4x4x16xf32, #npu.layout<NHWC>>, tensor<1x2x2x2x16xf32, #npu.layout<NCHW16c>>
func.func @without(%x: tensor<1x16x4x4xf32, #npu.layout<NCHW>>, %y: tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> (tensor<1x4x4x16xf32, #npu.layout<NHWC>>, tensor<1x2x2x2x16xf32, #npu.layout<NCHW16c>>) {
  %r = npu.relu %x : tensor<1x16x4x4xf32, #npu.layout<NCHW>>
  %t = npu.transpose %r permutation = [0, 2, 3, 1] : (tensor<1x16x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>>
  %p = npu.max_pool %y window = [2, 2] strides = [2, 2] : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x2x2x2x16xf32, #npu.layout<NCHW16c>>
  func.return %t, %p : tensor<1x4x4x16xf32, #npu.layout<NHWC>>, tensor<1x2x2x2x16xf32, #npu.layout<NCHW16c>>
}

// -----

/// A pool whose demands are not met takes the first one alone, and blocks with its region.
// REGIONS-LABEL: func.func @pool
// REGIONS-SAME:  (%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x32x2x2xf32, #npu.layout<NCHW>> {
// REGIONS-NEXT:  %x_1 = npu.pack %x : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// REGIONS-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
// REGIONS-NEXT:  %w_1 = npu.pack %w : (tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>
// REGIONS-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// REGIONS-NEXT:  %p = npu.max_pool %y window = [2, 2] strides = [2, 2] : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x2x2x2x16xf32, #npu.layout<NCHW16c>>
// REGIONS-NEXT:  %p_1 = npu.unpack %p : (tensor<1x2x2x2x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x32x2x2xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:  func.return %p_1 : tensor<1x32x2x2xf32, #npu.layout<NCHW>>
// NAIVE-LABEL: func.func @pool
// NAIVE-SAME:  (%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x32x2x2xf32, #npu.layout<NCHW>> {
// NAIVE-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
// NAIVE-NEXT:  %w_1 = npu.pack %w : (tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>
// NAIVE-NEXT:  %x_1 = npu.pack %x : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// NAIVE-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// NAIVE-NEXT:  %y_1 = npu.unpack %y : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:  %y_2 = npu.transpose %y_1 permutation = [0, 2, 3, 1] : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x32xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:  %p = npu.max_pool %y_2 window = [2, 2] strides = [2, 2] : (tensor<1x4x4x32xf32, #npu.layout<NHWC>>) -> tensor<1x2x2x32xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:  %p_1 = npu.transpose %p permutation = [0, 3, 1, 2] : (tensor<1x2x2x32xf32, #npu.layout<NHWC>>) -> tensor<1x32x2x2xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:  func.return %p_1 : tensor<1x32x2x2xf32, #npu.layout<NCHW>>
func.func @pool(%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x32x2x2xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %p = npu.max_pool %y window = [2, 2] strides = [2, 2] : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x32x2x2xf32, #npu.layout<NCHW>>
  func.return %p : tensor<1x32x2x2xf32, #npu.layout<NCHW>>
}

// -----

/// A batch of unknown size stays unchanged beside blocks. Opaque ops read what they read before.
// CHECK-LABEL: func.func @unknown
// CHECK-SAME:  (%x: tensor<?x16x4x4xf32, #npu.layout<NCHW>>) -> (tensor<?x16x4x4xf32, #npu.layout<NCHW>>, tensor<?x16x4x4xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<?x16x4x4xf32, #npu.layout<NCHW>>) -> tensor<?x1x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<16x16x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<16x16x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x1x1x16x16xf32, #npu.layout<OIHW16i16o>>
// CHECK-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<?x1x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<1x1x1x1x16x16xf32, #npu.layout<OIHW16i16o>>) -> tensor<?x1x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %y_1 = npu.unpack %y : (tensor<?x1x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<?x16x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %q = npu.opaque "vendor.f"(%y_1) : (tensor<?x16x4x4xf32, #npu.layout<NCHW>>) -> tensor<?x16x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %q, %q : tensor<?x16x4x4xf32, #npu.layout<NCHW>>, tensor<?x16x4x4xf32, #npu.layout<NCHW>>
func.func @unknown(%x: tensor<?x16x4x4xf32, #npu.layout<NCHW>>) -> (tensor<?x16x4x4xf32, #npu.layout<NCHW>>, tensor<?x16x4x4xf32, #npu.layout<NCHW>>) {
  %w = npu.constant dense<0.5> : tensor<16x16x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<?x16x4x4xf32, #npu.layout<NCHW>>, tensor<16x16x1x1xf32, #npu.layout<OIHW>>) -> tensor<?x16x4x4xf32, #npu.layout<NCHW>>
  %q = npu.opaque "vendor.f"(%y) : (tensor<?x16x4x4xf32, #npu.layout<NCHW>>) -> tensor<?x16x4x4xf32, #npu.layout<NCHW>>
  func.return %q, %q : tensor<?x16x4x4xf32, #npu.layout<NCHW>>, tensor<?x16x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// An op that is wrapped alone reads a value whose axes but one have one element under another type: nothing is moved.
// UNIT-LABEL: func.func @unit
// UNIT-NEXT:  %x_1 = npu.reshape %x : (tensor<1x32x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x1x1x32xf32, #npu.layout<NHWC>>
// UNIT-NEXT:  %y = npu.upsample %x_1 factors = [1, 1] : tensor<1x1x1x32xf32, #npu.layout<NHWC>>
// UNIT-NEXT:  %y_1 = npu.reshape %y : (tensor<1x1x1x32xf32, #npu.layout<NHWC>>) -> tensor<1x32x1x1xf32, #npu.layout<NCHW>>
// UNIT-NEXT:  func.return %y_1 : tensor<1x32x1x1xf32, #npu.layout<NCHW>>
func.func @unit(%x: tensor<1x32x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x32x1x1xf32, #npu.layout<NCHW>> {
  %y = npu.upsample %x factors = [1, 1] : tensor<1x32x1x1xf32, #npu.layout<NCHW>>
  func.return %y : tensor<1x32x1x1xf32, #npu.layout<NCHW>>
}

// -----

/// Of the demands that an op could meet, one for an order of its axes holds, which pads nothing.
// ORDERS-LABEL: func.func @order_before_blocks
// ORDERS-NEXT:  %x_1 = npu.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// ORDERS-NEXT:  %u = npu.upsample %x_1 factors = [2, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x6xf32, #npu.layout<NCHW>>
// ORDERS-NEXT:  %u_1 = npu.transpose %u permutation = [0, 2, 3, 1] : (tensor<1x8x8x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x8xf32, #npu.layout<NHWC>>
// ORDERS-NEXT:  func.return %u_1 : tensor<1x8x6x8xf32, #npu.layout<NHWC>>
func.func @order_before_blocks(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x8xf32, #npu.layout<NHWC>> {
  %u = npu.upsample %x factors = [2, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x8xf32, #npu.layout<NHWC>>
  func.return %u : tensor<1x8x6x8xf32, #npu.layout<NHWC>>
}
