// RUN: npu-opt %s --target=%S/Inputs/blocks_stages.toml --layout-optimal="cost=traffic" --stats --split-input-file 2>%t | filecheck %s
// RUN: filecheck %s --match-full-lines --check-prefix=COST < %t
// RUN: npu-opt %s --target=%S/Inputs/blocks_stages.toml --layout-optimal=cost=traffic --split-input-file -o %t.once.mlir
// RUN: npu-opt %t.once.mlir --target=%S/Inputs/blocks_stages.toml --layout-optimal=cost=traffic --split-input-file -o %t.twice.mlir
// RUN: diff %t.once.mlir %t.twice.mlir

/// The relu runs in blocks, so that one group has all: the pack is absorbed while data is loaded, at the price of 2048
/// bytes, and the unpack on the way out. What travels in is 1536 bytes, as no padding is loaded.
// CHECK-LABEL: func.func @whole
// CHECK-SAME:  (%x: tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>
// CHECK-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %r = npu.relu %y : tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// CHECK-NEXT:  %r_1 = npu.unpack %r : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %r_1 : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
// COST:       layout-optimal: 2 conversions (2 absorbed, price 520), 4096 bytes, 3592 bytes travel: best of the layouts tried (not a proof over all)
func.func @whole(%x: tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %r = npu.relu %y : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  func.return %r : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// Values of several users are written in blocks, or without, or both, whichever travels less.
// CHECK-LABEL: func.func @bias
// CHECK-SAME:  (%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<1x32x4x4xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>
// CHECK-NEXT:  %b = npu.constant dense<2.500000e-01> : tensor<1x32x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %b_1 = npu.reshape %b : (tensor<1x32x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x2x1x1x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %m = npu.constant dense<2.500000e-01> : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %a = npu.add %y, %b_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<1x2x1x1x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %z = npu.conv2d %a, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %z_1 = npu.unpack %z : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %s = npu.add %z_1, %m : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %a_1 = npu.unpack %a : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %a_1, %s : tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<1x32x4x4xf32, #npu.layout<NCHW>>
// COST-NEXT:  layout-optimal: 3 conversions (3 absorbed, price 520), 6144 bytes, 14856 bytes travel: best of the layouts tried (not a proof over all)
func.func @bias(%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<1x32x4x4xf32, #npu.layout<NCHW>>) {
  %w = npu.constant dense<0.5> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
  %b = npu.constant dense<0.25> : tensor<1x32x1x1xf32, #npu.layout<NCHW>>
  %m = npu.constant dense<0.25> : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %y = npu.conv2d %x, %w : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %a = npu.add %y, %b : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<1x32x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %z = npu.conv2d %a, %w : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %s = npu.add %z, %m : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  func.return %a, %s : tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<1x32x4x4xf32, #npu.layout<NCHW>>
}
