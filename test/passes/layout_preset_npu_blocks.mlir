// RUN: npu-opt %s --target=%S/Inputs/blocks.toml --layout-preset-npu --split-input-file | filecheck %s
// RUN: npu-opt %s --target=%S/Inputs/blocks.toml --layout-preset-npu=strategy=record --split-input-file | filecheck %s --check-prefix=RECORD
// RUN: npu-opt %s --target=%S/Inputs/blocks.toml --layout-preset-npu --split-input-file -o %t.once.mlir
// RUN: npu-opt %t.once.mlir --target=%S/Inputs/blocks.toml --layout-preset-npu --split-input-file -o %t.twice.mlir
// RUN: diff %t.once.mlir %t.twice.mlir

/// An op follows what it reads: the relu reads %x as it is, so that %x is packed for one convolution and
/// their result for the other one. With `record` all of them work on blocks.
// CHECK-LABEL: func.func @follows
// CHECK-SAME:  (%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>
// CHECK-NEXT:  %r = npu.relu %x : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %r_1 = npu.pack %r : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %z = npu.conv2d %r_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %s = npu.add %y, %z : tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %s_1 = npu.unpack %s : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %s_1 : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
// RECORD-LABEL: func.func @follows
// RECORD-SAME:  (%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>> {
// RECORD-NEXT:  %x_1 = npu.pack %x : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// RECORD-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
// RECORD-NEXT:  %w_1 = npu.pack %w : (tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>
// RECORD-NEXT:  %r = npu.relu %x_1 : tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// RECORD-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// RECORD-NEXT:  %z = npu.conv2d %r, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// RECORD-NEXT:  %s = npu.add %y, %z : tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// RECORD-NEXT:  %s_1 = npu.unpack %s : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
// RECORD-NEXT:  func.return %s_1 : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
func.func @follows(%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
  %r = npu.relu %x : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %y = npu.conv2d %x, %w : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %z = npu.conv2d %r, %w : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %s = npu.add %y, %z : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  func.return %s : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// A sigmoid of padding is computed in blocks as well, as nothing reads the padding of the sum.
// CHECK-LABEL: func.func @sum
// CHECK-SAME:  (%x: tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>
// CHECK-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %t = npu.sigmoid %y : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>
// CHECK-NEXT:  %s = npu.add %y, %t : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>, tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>
// CHECK-NEXT:  %s_1 = npu.unpack %s : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %s_1 : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
func.func @sum(%x: tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %t = npu.sigmoid %y : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %s = npu.add %y, %t : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  func.return %s : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// Of two operands that disagree the one follows that has fewer bytes, also if it comes first.
// CHECK-LABEL: func.func @smaller_follows
// CHECK:       %y = npu.conv2d
// CHECK-NEXT:  %y_1 = npu.unpack %y : (tensor<1x2x4x1x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x32x4x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %m = npu.mul %y_1, %x : (tensor<1x32x4x1xf32, #npu.layout<NCHW>>, tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %m : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
func.func @smaller_follows(%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>, %g: tensor<1x32x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %g, %w : (tensor<1x32x4x1xf32, #npu.layout<NCHW>>, tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x32x4x1xf32, #npu.layout<NCHW>>
  %m = npu.mul %y, %x : (tensor<1x32x4x1xf32, #npu.layout<NCHW>>, tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  func.return %m : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
}
