// RUN: npu-opt %s --target=%S/Inputs/blocks.toml --layout-optimal --stats --split-input-file 2>%t | filecheck %s
// RUN: filecheck %s --match-full-lines --check-prefix=COST < %t
// RUN: npu-opt %s --target=%S/Inputs/blocks.toml --layout-optimal --split-input-file -o %t.once.mlir
// RUN: npu-opt %t.once.mlir --target=%S/Inputs/blocks.toml --layout-optimal --split-input-file -o %t.twice.mlir
// RUN: diff %t.once.mlir %t.twice.mlir

/// Between two convolutions the channels stay in blocks, and the sum is computed there.
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
// COST:       layout-optimal: 2 conversions, 4096 bytes: proved minimum
func.func @chain(%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %r = npu.relu %y : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %z = npu.conv2d %r, %w : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %s = npu.add %z, %r : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  func.return %s : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// 24 channels fill a block and a half. Zeros stay zeros in a relu, so that the next convolution reads them.
// CHECK-LABEL: func.func @padded
// CHECK-SAME:  (%x: tensor<1x3x4x4xf32, #npu.layout<NCHW>>, %b: tensor<24xf32, #npu.layout<Tensor>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x3x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c, C = 3, zeros>>
// CHECK-NEXT:  %b_1 = npu.pack %b : (tensor<24xf32, #npu.layout<Tensor>>) -> tensor<2x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 24, zeros>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<24x3x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<24x3x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x1x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 3, zeros>>
// CHECK-NEXT:  %v = npu.constant dense<5.000000e-01> : tensor<24x1x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %v_1 = npu.pack %v : (tensor<24x1x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x1x1x1x16xf32, #npu.layout<OIHW16o, O = 24, zeros>>
// CHECK-NEXT:  %y = npu.conv2d %x_1, %w_1, %b_1 : (tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c, C = 3, zeros>>, tensor<2x1x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 3, zeros>>, tensor<2x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %r = npu.relu %y : tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %z = npu.conv2d %r, %v_1 groups = 24 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>, tensor<2x1x1x1x16xf32, #npu.layout<OIHW16o, O = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %z_1 = npu.unpack %z : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %z_1 : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
// COST-NEXT:  layout-optimal: 3 conversions, 3200 bytes: proved minimum
func.func @padded(%x: tensor<1x3x4x4xf32, #npu.layout<NCHW>>, %b: tensor<24xf32, #npu.layout<Tensor>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<24x3x1x1xf32, #npu.layout<OIHW>>
  %v = npu.constant dense<0.5> : tensor<24x1x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w, %b : (tensor<1x3x4x4xf32, #npu.layout<NCHW>>, tensor<24x3x1x1xf32, #npu.layout<OIHW>>, tensor<24xf32, #npu.layout<Tensor>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %r = npu.relu %y : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %z = npu.conv2d %r, %v groups = 24 : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x1x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  func.return %z : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// A sigmoid of 0 is 0.5, which is no padding for the next convolution: a pack writes zeros.
// CHECK-LABEL: func.func @not_zero
// CHECK-SAME:  (%x: tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>
// CHECK-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %r = npu.sigmoid %y : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>
// CHECK-NEXT:  %r_1 = npu.pack %r : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %z = npu.conv2d %r_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %z_1 = npu.unpack %z : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %z_1 : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
// COST-NEXT:  layout-optimal: 3 conversions, 6144 bytes: proved minimum
func.func @not_zero(%x: tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %r = npu.sigmoid %y : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %z = npu.conv2d %r, %w : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  func.return %z : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// No zeros are written for ops that read no padding: sums, pools, depthwise convolutions and an unpack.
// CHECK-LABEL: func.func @anything
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>
// CHECK-NEXT:  %v = npu.constant dense<5.000000e-01> : tensor<24x1x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %v_1 = npu.pack %v : (tensor<24x1x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x1x1x1x16xf32, #npu.layout<OIHW16o, O = 24, zeros>>
// CHECK-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %e = npu.exp %y : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>
// CHECK-NEXT:  %s = npu.add %e, %y : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>, tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>
// CHECK-NEXT:  %z = npu.conv2d %s, %v_1 groups = 24 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>, tensor<2x1x1x1x16xf32, #npu.layout<OIHW16o, O = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>
// CHECK-NEXT:  %p = npu.max_pool %z window = [2, 2] strides = [2, 2] : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>) -> tensor<1x2x2x2x16xf32, #npu.layout<NCHW16c, C = 24>>
// CHECK-NEXT:  %s_1 = npu.unpack %s : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %p_1 = npu.unpack %p : (tensor<1x2x2x2x16xf32, #npu.layout<NCHW16c, C = 24>>) -> tensor<1x24x2x2xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %s_1, %p_1 : tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<1x24x2x2xf32, #npu.layout<NCHW>>
// COST-NEXT:  layout-optimal: 3 conversions, 4608 bytes: proved minimum
func.func @anything(%x: tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<1x24x2x2xf32, #npu.layout<NCHW>>) {
  %w = npu.constant dense<0.5> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
  %v = npu.constant dense<0.5> : tensor<24x1x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %e = npu.exp %y : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %s = npu.add %e, %y : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %z = npu.conv2d %s, %v groups = 24 : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x1x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %p = npu.max_pool %z window = [2, 2] strides = [2, 2] : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x24x2x2xf32, #npu.layout<NCHW>>
  func.return %s, %p : tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<1x24x2x2xf32, #npu.layout<NCHW>>
}

// -----

/// Two convolutions share the zeros that a pack writes; an op that computes zeros from them needs no other pack.
// CHECK-LABEL: func.func @shared
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>
// CHECK-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %t = npu.sigmoid %y : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>
// CHECK-NEXT:  %t_1 = npu.pack %t : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %r = npu.relu %t_1 : tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %a = npu.conv2d %t_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %b = npu.conv2d %r, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %s = npu.add %a, %b : tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %s_1 = npu.unpack %s : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %s_1 : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
// COST-NEXT:  layout-optimal: 3 conversions, 6144 bytes: proved minimum
func.func @shared(%x: tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %t = npu.sigmoid %y : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %r = npu.relu %t : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %a = npu.conv2d %t, %w : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %b = npu.conv2d %r, %w : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %s = npu.add %a, %b : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  func.return %s : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// Whole blocks are concatenated and split by their numbers; pooling follows where the channels are in blocks.
// CHECK-LABEL: func.func @parts
// CHECK-SAME:  (%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x16x2x2xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>
// CHECK-NEXT:  %v = npu.constant dense<5.000000e-01> : tensor<16x48x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %v_1 = npu.pack %v : (tensor<16x48x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x3x1x1x16x16xf32, #npu.layout<OIHW16i16o>>
// CHECK-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %a, %b = npu.split %y axis = 1 sizes = [1, 1] : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> (tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c>>)
// CHECK-NEXT:  %c = npu.concat %b, %y axis = 1 : (tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x3x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %p = npu.max_pool %c window = [2, 2] strides = [2, 2] : (tensor<1x3x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x3x2x2x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %z = npu.conv2d %p, %v_1 : (tensor<1x3x2x2x16xf32, #npu.layout<NCHW16c>>, tensor<1x3x1x1x16x16xf32, #npu.layout<OIHW16i16o>>) -> tensor<1x1x2x2x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %z_1 = npu.unpack %z : (tensor<1x1x2x2x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x16x2x2xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %z_1 : tensor<1x16x2x2xf32, #npu.layout<NCHW>>
// COST-NEXT:  layout-optimal: 2 conversions, 2304 bytes: proved minimum
func.func @parts(%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x16x2x2xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
  %v = npu.constant dense<0.5> : tensor<16x48x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %a, %b = npu.split %y axis = 1 sizes = [16, 16] : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> (tensor<1x16x4x4xf32, #npu.layout<NCHW>>, tensor<1x16x4x4xf32, #npu.layout<NCHW>>)
  %c = npu.concat %b, %y axis = 1 : (tensor<1x16x4x4xf32, #npu.layout<NCHW>>, tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x48x4x4xf32, #npu.layout<NCHW>>
  %p = npu.max_pool %c window = [2, 2] strides = [2, 2] : (tensor<1x48x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x48x2x2xf32, #npu.layout<NCHW>>
  %z = npu.conv2d %p, %v : (tensor<1x48x2x2xf32, #npu.layout<NCHW>>, tensor<16x48x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x16x2x2xf32, #npu.layout<NCHW>>
  func.return %z : tensor<1x16x2x2xf32, #npu.layout<NCHW>>
}

// -----

/// One choice costs two conversions in any case. Without a convolution nothing is stored in blocks.
// CHECK-LABEL: func.func @pool
// CHECK-SAME:  (%x: tensor<1x16x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x16x2x2xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:  %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x16x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  %p = npu.max_pool %x_1 window = [2, 2] strides = [2, 2] : (tensor<1x4x4x16xf32, #npu.layout<NHWC>>) -> tensor<1x2x2x16xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  %p_1 = npu.transpose %p permutation = [0, 3, 1, 2] : (tensor<1x2x2x16xf32, #npu.layout<NHWC>>) -> tensor<1x16x2x2xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %p_1 : tensor<1x16x2x2xf32, #npu.layout<NCHW>>
// COST-NEXT:  layout-optimal: 2 conversions, 1280 bytes: proved minimum
func.func @pool(%x: tensor<1x16x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x16x2x2xf32, #npu.layout<NCHW>> {
  %p = npu.max_pool %x window = [2, 2] strides = [2, 2] : (tensor<1x16x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x16x2x2xf32, #npu.layout<NCHW>>
  func.return %p : tensor<1x16x2x2xf32, #npu.layout<NCHW>>
}

// -----

/// An unpack drops the padding in the present order, as no order of 24 channels leads to parts of them.
// CHECK-LABEL: func.func @heads
// CHECK-SAME:  (%x: tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x3x4x4x8xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>
// CHECK-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %t = npu.unpack %y : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %t_1 = npu.relabel %t : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x24x4x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  %t_2 = npu.reshape %t_1 : (tensor<1x24x4x4xf32, #npu.layout<Tensor>>) -> tensor<1x3x8x4x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  %t_3 = npu.relabel %t_2 : (tensor<1x3x8x4x4xf32, #npu.layout<Tensor>>) -> tensor<1x3x8x4x4xf32, #npu.layout<Tensor, [0, 1, 4, 2, 3]>>
// CHECK-NEXT:  %s = npu.sigmoid %t_3 : tensor<1x3x8x4x4xf32, #npu.layout<Tensor, [0, 1, 4, 2, 3]>>
// CHECK-NEXT:  %s_1 = npu.transpose %s permutation = [0, 1, 3, 4, 2] : (tensor<1x3x8x4x4xf32, #npu.layout<Tensor, [0, 1, 4, 2, 3]>>) -> tensor<1x3x4x4x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  func.return %s_1 : tensor<1x3x4x4x8xf32, #npu.layout<Tensor>>
// COST-NEXT:  layout-optimal: 3 conversions, 5632 bytes: proved minimum
func.func @heads(%x: tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x3x4x4x8xf32, #npu.layout<Tensor>> {
  %w = npu.constant dense<0.5> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %h = npu.reshape %y : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x3x8x4x4xf32, #npu.layout<Tensor>>
  %t = npu.transpose %h permutation = [0, 1, 3, 4, 2] : (tensor<1x3x8x4x4xf32, #npu.layout<Tensor>>) -> tensor<1x3x4x4x8xf32, #npu.layout<Tensor>>
  %s = npu.sigmoid %t : tensor<1x3x4x4x8xf32, #npu.layout<Tensor>>
  func.return %s : tensor<1x3x4x4x8xf32, #npu.layout<Tensor>>
}

// -----

/// Blocks of 24 and of 16 channels have no pieces in common, so that the pack between them moves all data.
// CHECK-LABEL: func.func @unequal
// CHECK-SAME:  (%x: tensor<1x2x4x4x24xf32, #npu.layout<NCHW24c>>) -> tensor<1x3x4x4x16xf32, #npu.layout<NCHW16c>> {
// CHECK-NEXT:  %y = npu.pack %x : (tensor<1x2x4x4x24xf32, #npu.layout<NCHW24c>>) -> tensor<1x3x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  func.return %y : tensor<1x3x4x4x16xf32, #npu.layout<NCHW16c>>
// COST-NEXT:  layout-optimal: 1 conversion, 3072 bytes: proved minimum
func.func @unequal(%x: tensor<1x2x4x4x24xf32, #npu.layout<NCHW24c>>) -> tensor<1x3x4x4x16xf32, #npu.layout<NCHW16c>> {
  %y = npu.pack %x : (tensor<1x2x4x4x24xf32, #npu.layout<NCHW24c>>) -> tensor<1x3x4x4x16xf32, #npu.layout<NCHW16c>>
  func.return %y : tensor<1x3x4x4x16xf32, #npu.layout<NCHW16c>>
}
