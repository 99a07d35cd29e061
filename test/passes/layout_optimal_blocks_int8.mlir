// RUN: npu-opt %s --target=%S/Inputs/blocks_int8.toml --layout-optimal --stats --split-input-file 2>%t | filecheck %s
// RUN: filecheck %s --match-full-lines --check-prefix=COST < %t
// RUN: npu-opt %s --target=%S/Inputs/blocks_int8.toml --layout-optimal --split-input-file -o %t.once.mlir
// RUN: npu-opt %t.once.mlir --target=%S/Inputs/blocks_int8.toml --layout-optimal --split-input-file -o %t.twice.mlir
// RUN: diff %t.once.mlir %t.twice.mlir

/// Bytes are stored in blocks of 32 channels, and the kernel has 16 output channels in each of its blocks. Pooling keeps the blocks; vectors have those of the result.
// CHECK-LABEL: func.func @chain
// CHECK-SAME:  (%x: tensor<1x32x4x4xi8, #npu.layout<NCHW>>, %b: tensor<64xi32, #npu.layout<Tensor>>) -> tensor<1x64x4x4xi8, #npu.layout<NCHW>> {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x32x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x1x4x4x32xi8, #npu.layout<NCHW32c>>
// CHECK-NEXT:  %b_1 = npu.reshape %b : (tensor<64xi32, #npu.layout<Tensor>>) -> tensor<2x32xi32, #npu.layout<Tensor, [0] tiles [0 by 32]>>
// CHECK-NEXT:  %w = npu.constant dense<3> : tensor<64x32x1x1xi8, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.reshape %w : (tensor<64x32x1x1xi8, #npu.layout<OIHW>>) -> tensor<1x1x1x4x16x32xi8, #npu.layout<IHWO16o32i>>
// CHECK-NEXT:  %s = npu.constant dense<5.000000e-01> : tensor<f32, #npu.layout<Tensor>>
// CHECK-NEXT:  %ws = npu.constant dense<2.500000e-01> : tensor<64xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  %ws_1 = npu.reshape %ws : (tensor<64xf32, #npu.layout<Tensor>>) -> tensor<2x32xf32, #npu.layout<Tensor, [0] tiles [0 by 32]>>
// CHECK-NEXT:  %z = npu.constant dense<5> : tensor<i8, #npu.layout<Tensor>>
// CHECK-NEXT:  %y = npu.quant_conv2d %x_1, %w_1, %s, %z, %ws_1, %z, %s, %z, %b_1 : (tensor<1x1x4x4x32xi8, #npu.layout<NCHW32c>>, tensor<1x1x1x4x16x32xi8, #npu.layout<IHWO16o32i>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<2x32xf32, #npu.layout<Tensor, [0] tiles [0 by 32]>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<2x32xi32, #npu.layout<Tensor, [0] tiles [0 by 32]>>) -> tensor<1x2x4x4x32xi8, #npu.layout<NCHW32c>>
// CHECK-NEXT:  %y_1 = npu.unpack %y : (tensor<1x2x4x4x32xi8, #npu.layout<NCHW32c>>) -> tensor<1x64x4x4xi8, #npu.layout<NCHW>>
// CHECK-NEXT:  %r = npu.max_pool %y_1 window = [1, 1] : tensor<1x64x4x4xi8, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %r : tensor<1x64x4x4xi8, #npu.layout<NCHW>>
// COST: layout-optimal: 2 conversions, 1536 bytes: proved minimum
func.func @chain(%x: tensor<1x32x4x4xi8, #npu.layout<NCHW>>, %b: tensor<64xi32, #npu.layout<Tensor>>) -> tensor<1x64x4x4xi8, #npu.layout<NCHW>> {
  %w = npu.constant dense<3> : tensor<64x32x1x1xi8, #npu.layout<OIHW>>
  %s = npu.constant dense<0.5> : tensor<f32, #npu.layout<Tensor>>
  %ws = npu.constant dense<0.25> : tensor<64xf32, #npu.layout<Tensor>>
  %z = npu.constant dense<5> : tensor<i8, #npu.layout<Tensor>>
  %y = npu.quant_conv2d %x, %w, %s, %z, %ws, %z, %s, %z, %b : (tensor<1x32x4x4xi8, #npu.layout<NCHW>>, tensor<64x32x1x1xi8, #npu.layout<OIHW>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<64xf32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<64xi32, #npu.layout<Tensor>>) -> tensor<1x64x4x4xi8, #npu.layout<NCHW>>
  %r = npu.max_pool %y window = [1, 1] : (tensor<1x64x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x64x4x4xi8, #npu.layout<NCHW>>
  func.return %r : tensor<1x64x4x4xi8, #npu.layout<NCHW>>
}

// -----

/// The padding of 3 channels does not count, as the kernel's zero point is a constant of zeros. The sums have blocks of their own size.
// CHECK-LABEL: func.func @sums
// CHECK-SAME:  (%x: tensor<1x3x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x20x4x4xi32, #npu.layout<NCHW>> {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x3x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x1x4x4x32xi8, #npu.layout<NCHW32c, C = 3, zeros>>
// CHECK-NEXT:  %w = npu.constant dense<3> : tensor<20x3x1x1xi8, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<20x3x1x1xi8, #npu.layout<OIHW>>) -> tensor<1x1x1x2x16x32xi8, #npu.layout<IHWO16o32i, O = 20, I = 3, zeros>>
// CHECK-NEXT:  %z = npu.constant dense<5> : tensor<i8, #npu.layout<Tensor>>
// CHECK-NEXT:  %wz = npu.constant dense<0> : tensor<20xi8, #npu.layout<Tensor>>
// CHECK-NEXT:  %wz_1 = npu.pack %wz : (tensor<20xi8, #npu.layout<Tensor>>) -> tensor<2x16xi8, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 20, zeros>>
// CHECK-NEXT:  %y = npu.conv2d_integer %x_1, %w_1, %z, %wz_1 : (tensor<1x1x4x4x32xi8, #npu.layout<NCHW32c, C = 3, zeros>>, tensor<1x1x1x2x16x32xi8, #npu.layout<IHWO16o32i, O = 20, I = 3, zeros>>, tensor<i8, #npu.layout<Tensor>>, tensor<2x16xi8, #npu.layout<Tensor, [0] tiles [0 by 16], dim 0 = 20, zeros>>) -> tensor<1x2x4x4x16xi32, #npu.layout<NCHW16c, C = 20, zeros>>
// CHECK-NEXT:  %y_1 = npu.unpack %y : (tensor<1x2x4x4x16xi32, #npu.layout<NCHW16c, C = 20, zeros>>) -> tensor<1x20x4x4xi32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %y_1 : tensor<1x20x4x4xi32, #npu.layout<NCHW>>
// COST-NEXT:  layout-optimal: 2 conversions, 2560 bytes: proved minimum
func.func @sums(%x: tensor<1x3x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x20x4x4xi32, #npu.layout<NCHW>> {
  %w = npu.constant dense<3> : tensor<20x3x1x1xi8, #npu.layout<OIHW>>
  %z = npu.constant dense<5> : tensor<i8, #npu.layout<Tensor>>
  %wz = npu.constant dense<0> : tensor<20xi8, #npu.layout<Tensor>>
  %y = npu.conv2d_integer %x, %w, %z, %wz : (tensor<1x3x4x4xi8, #npu.layout<NCHW>>, tensor<20x3x1x1xi8, #npu.layout<OIHW>>, tensor<i8, #npu.layout<Tensor>>, tensor<20xi8, #npu.layout<Tensor>>) -> tensor<1x20x4x4xi32, #npu.layout<NCHW>>
  func.return %y : tensor<1x20x4x4xi32, #npu.layout<NCHW>>
}

// -----

/// With other zero points the sums would count the padding.
// CHECK-LABEL: func.func @zero_point
// CHECK-SAME:  (%x: tensor<1x3x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x20x4x4xi32, #npu.layout<NCHW>> {
// CHECK-NEXT:  %w = npu.constant dense<3> : tensor<20x3x1x1xi8, #npu.layout<OIHW>>
// CHECK-NEXT:  %z = npu.constant dense<5> : tensor<i8, #npu.layout<Tensor>>
// CHECK-NEXT:  %y = npu.conv2d_integer %x, %w, %z, %z : (tensor<1x3x4x4xi8, #npu.layout<NCHW>>, tensor<20x3x1x1xi8, #npu.layout<OIHW>>, tensor<i8, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<1x20x4x4xi32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %y : tensor<1x20x4x4xi32, #npu.layout<NCHW>>
// COST-NEXT:  note: layout-optimal: %y conv2d_integer stays unchanged: no form of it meets NCHW32c of data with IHWO16o32i of kernel with NCHW16c of result (blocks_int8.toml:16)
// COST-NEXT:  layout-optimal: 0 conversions, 0 bytes: proved minimum
func.func @zero_point(%x: tensor<1x3x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x20x4x4xi32, #npu.layout<NCHW>> {
  %w = npu.constant dense<3> : tensor<20x3x1x1xi8, #npu.layout<OIHW>>
  %z = npu.constant dense<5> : tensor<i8, #npu.layout<Tensor>>
  %y = npu.conv2d_integer %x, %w, %z, %z : (tensor<1x3x4x4xi8, #npu.layout<NCHW>>, tensor<20x3x1x1xi8, #npu.layout<OIHW>>, tensor<i8, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<1x20x4x4xi32, #npu.layout<NCHW>>
  func.return %y : tensor<1x20x4x4xi32, #npu.layout<NCHW>>
}

// -----

/// A transposed convolution sums along O of its kernel, and its result has the channels along I.
// CHECK-LABEL: func.func @transposed
// CHECK-SAME:  (%x: tensor<1x40x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x40x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x3x4x4x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<40x24x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<40x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<3x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 40, I = 24, zeros>>
// CHECK-NEXT:  %y = npu.conv_transpose2d %x_1, %w_1 : (tensor<1x3x4x4x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<3x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 40, I = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %y_1 = npu.unpack %y : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %y_1 : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
// COST-NEXT:  layout-optimal: 2 conversions, 5120 bytes: proved minimum
func.func @transposed(%x: tensor<1x40x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<40x24x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv_transpose2d %x, %w : (tensor<1x40x4x4xf32, #npu.layout<NCHW>>, tensor<40x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  func.return %y : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// 24 channels of one pixel are the same bytes in blocks of 16 and of 32: the pack between them moves nothing.
// CHECK-LABEL: func.func @pixel
// CHECK-SAME:  (%x: tensor<1x24x1x1xi8, #npu.layout<NCHW>>) -> tensor<1x24x1x1xi8, #npu.layout<NCHW>> {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x24x1x1xi8, #npu.layout<NCHW>>) -> tensor<1x1x1x1x32xi8, #npu.layout<NCHW32c, C = 24, zeros>>
// CHECK-NEXT:  %w = npu.constant dense<3> : tensor<24x24x1x1xi8, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<24x24x1x1xi8, #npu.layout<OIHW>>) -> tensor<1x1x1x2x16x32xi8, #npu.layout<IHWO16o32i, O = 24, I = 24, zeros>>
// CHECK-NEXT:  %s = npu.constant dense<5.000000e-01> : tensor<f32, #npu.layout<Tensor>>
// CHECK-NEXT:  %z = npu.constant dense<0> : tensor<i8, #npu.layout<Tensor>>
// CHECK-NEXT:  %y = npu.quant_conv2d %x_1, %w_1, %s, %z, %s, %z, %s, %z : (tensor<1x1x1x1x32xi8, #npu.layout<NCHW32c, C = 24, zeros>>, tensor<1x1x1x2x16x32xi8, #npu.layout<IHWO16o32i, O = 24, I = 24, zeros>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<1x1x1x1x32xi8, #npu.layout<NCHW32c, C = 24, zeros>>
// CHECK-NEXT:  %y_1 = npu.pack %y : (tensor<1x1x1x1x32xi8, #npu.layout<NCHW32c, C = 24, zeros>>) -> tensor<1x2x1x1x16xi8, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %p = npu.avg_pool %y_1 window = [1, 1] : tensor<1x2x1x1x16xi8, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %p_1 = npu.unpack %p : (tensor<1x2x1x1x16xi8, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x24x1x1xi8, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %p_1 : tensor<1x24x1x1xi8, #npu.layout<NCHW>>
// COST-NEXT:  layout-optimal: 2 conversions, 64 bytes: proved minimum
func.func @pixel(%x: tensor<1x24x1x1xi8, #npu.layout<NCHW>>) -> tensor<1x24x1x1xi8, #npu.layout<NCHW>> {
  %w = npu.constant dense<3> : tensor<24x24x1x1xi8, #npu.layout<OIHW>>
  %s = npu.constant dense<0.5> : tensor<f32, #npu.layout<Tensor>>
  %z = npu.constant dense<0> : tensor<i8, #npu.layout<Tensor>>
  %y = npu.quant_conv2d %x, %w, %s, %z, %s, %z, %s, %z : (tensor<1x24x1x1xi8, #npu.layout<NCHW>>, tensor<24x24x1x1xi8, #npu.layout<OIHW>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<1x24x1x1xi8, #npu.layout<NCHW>>
  %p = npu.avg_pool %y window = [1, 1] : tensor<1x24x1x1xi8, #npu.layout<NCHW>>
  func.return %p : tensor<1x24x1x1xi8, #npu.layout<NCHW>>
}

// -----

/// 3 channels are not: one pack leads from blocks to blocks of another size.
// CHECK-LABEL: func.func @pixels
// CHECK-SAME:  (%x: tensor<1x3x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x3x4x4xi8, #npu.layout<NCHW>> {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x3x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x1x4x4x32xi8, #npu.layout<NCHW32c, C = 3, zeros>>
// CHECK-NEXT:  %w = npu.constant dense<3> : tensor<3x3x1x1xi8, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<3x3x1x1xi8, #npu.layout<OIHW>>) -> tensor<1x1x1x1x16x32xi8, #npu.layout<IHWO16o32i, O = 3, I = 3, zeros>>
// CHECK-NEXT:  %s = npu.constant dense<5.000000e-01> : tensor<f32, #npu.layout<Tensor>>
// CHECK-NEXT:  %z = npu.constant dense<0> : tensor<i8, #npu.layout<Tensor>>
// CHECK-NEXT:  %y = npu.quant_conv2d %x_1, %w_1, %s, %z, %s, %z, %s, %z : (tensor<1x1x4x4x32xi8, #npu.layout<NCHW32c, C = 3, zeros>>, tensor<1x1x1x1x16x32xi8, #npu.layout<IHWO16o32i, O = 3, I = 3, zeros>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<1x1x4x4x32xi8, #npu.layout<NCHW32c, C = 3, zeros>>
// CHECK-NEXT:  %y_1 = npu.pack %y : (tensor<1x1x4x4x32xi8, #npu.layout<NCHW32c, C = 3, zeros>>) -> tensor<1x1x4x4x16xi8, #npu.layout<NCHW16c, C = 3, zeros>>
// CHECK-NEXT:  %p = npu.avg_pool %y_1 window = [1, 1] : tensor<1x1x4x4x16xi8, #npu.layout<NCHW16c, C = 3, zeros>>
// CHECK-NEXT:  %p_1 = npu.unpack %p : (tensor<1x1x4x4x16xi8, #npu.layout<NCHW16c, C = 3, zeros>>) -> tensor<1x3x4x4xi8, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %p_1 : tensor<1x3x4x4xi8, #npu.layout<NCHW>>
// COST-NEXT:  layout-optimal: 3 conversions, 1280 bytes: proved minimum
func.func @pixels(%x: tensor<1x3x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x3x4x4xi8, #npu.layout<NCHW>> {
  %w = npu.constant dense<3> : tensor<3x3x1x1xi8, #npu.layout<OIHW>>
  %s = npu.constant dense<0.5> : tensor<f32, #npu.layout<Tensor>>
  %z = npu.constant dense<0> : tensor<i8, #npu.layout<Tensor>>
  %y = npu.quant_conv2d %x, %w, %s, %z, %s, %z, %s, %z : (tensor<1x3x4x4xi8, #npu.layout<NCHW>>, tensor<3x3x1x1xi8, #npu.layout<OIHW>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<1x3x4x4xi8, #npu.layout<NCHW>>
  %p = npu.avg_pool %y window = [1, 1] : tensor<1x3x4x4xi8, #npu.layout<NCHW>>
  func.return %p : tensor<1x3x4x4xi8, #npu.layout<NCHW>>
}
