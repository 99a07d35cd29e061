// RUN: npu-opt %s --target=%S/Inputs/blocks_stages.toml --fuse-ops-hw=dump=groups -o %t.fused.mlir 2>&1 | filecheck %s --match-full-lines
// RUN: npu-opt %s --target=%S/Inputs/blocks_stages.toml --fuse-ops-hw="strategy=cover dump=groups" --stats -o %t.cover.mlir 2>&1 | filecheck %s --check-prefix=COVER --match-full-lines
// RUN: npu-check %s %t.fused.mlir
// RUN: npu-check %s %t.cover.mlir
// RUN: npu-opt %s --fuse-ops -o %t.ops.mlir
// RUN: filecheck %s --check-prefix=OPS < %t.ops.mlir
// RUN: npu-check %s %t.ops.mlir

/// Packs and unpacks in groups are absorbed as transposes are.

/// Data is cut while it is loaded, and the blocks are joined on the way out. A pack of a constant moves nothing.
// OPS-LABEL: func.func @whole
// OPS: func.call @fused_unpack_relu(%y)
// CHECK:       @whole
// CHECK-NEXT:   ## 1: npu.pack collected into group 0
// CHECK-NEXT:   ## 2: npu.constant collected into group 0
// CHECK-NEXT:   ## 3: npu.pack collected into group 0
// CHECK-NEXT:   ## 4: npu.conv2d added to group 0 on mac
// CHECK-NEXT:   ## 5: npu.unpack added to group 0 on out
// CHECK-NEXT:   ## 6: npu.relu added to group 1 on act (runs on act, not reachable from out)
// CHECK-NEXT:   groups: 2, 1 of them of several ops
// CHECK-NEXT:     mac: 1
// CHECK-NEXT:     act: 1
// CHECK-NEXT:     out: 1
// CHECK-NEXT:   bytes that stay on the chip: 2048
// CHECK-NEXT:   bytes that travel: 6664
// CHECK-NEXT:   absorbed conversions: 2 of 2, price 520
// COVER:       @whole
// COVER-NEXT:   ## 1: npu.pack collected into group 0
// COVER-NEXT:   ## 2: npu.constant collected into group 0
// COVER-NEXT:   ## 3: npu.pack collected into group 0
// COVER-NEXT:   ## 4: npu.conv2d added to group 0 on mac
// COVER-NEXT:   ## 5: npu.unpack added to group 0 on out
// COVER-NEXT:   ## 6: npu.relu added to group 1 on act
// COVER-NEXT:   groups: 2, 1 of them of several ops
// COVER-NEXT:     mac: 1
// COVER-NEXT:     act: 1
// COVER-NEXT:     out: 1
// COVER-NEXT:   bytes that stay on the chip: 2048
// COVER-NEXT:   bytes that travel: 6664: proved minimum
// COVER-NEXT:   absorbed conversions: 2 of 2, price 520
func.func @whole(%x: tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>> {
  %x_1 = npu.pack %x : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
  %w = npu.constant dense<5.000000e-01> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
  %w_1 = npu.pack %w : (tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>
  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
  %y_1 = npu.unpack %y : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %r = npu.relu %y_1 : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  func.return %r : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
}

/// A constant per channel is one in blocks as well. A value that is read in blocks and without is written twice.
// OPS-LABEL: func.func @bias
// OPS: func.call @fused_conv2d_add(%x_1, %w_1, %b_1)
// OPS: func.call @fused_unpack_add(%z, %m)
// CHECK:       @bias
// CHECK-NEXT:   ## 1: npu.pack collected into group 0
// CHECK-NEXT:   ## 2: npu.constant in no group
// CHECK-NEXT:   ## 3: npu.pack added to group 2 on load
// CHECK-NEXT:   ## 4: npu.conv2d added to group 0 on mac
// CHECK-NEXT:   ## 5: npu.constant collected into group 0
// CHECK-NEXT:   ## 6: npu.reshape collected into group 0
// CHECK-NEXT:   ## 7: npu.add added to group 0 on bias
// CHECK-NEXT:   ## 8: npu.unpack added to group 0 on out
// CHECK-NEXT:   ## 9: npu.conv2d added to group 1 on mac (runs on mac, not reachable from out)
// CHECK-NEXT:   ## 10: npu.unpack added to group 1 on out
// CHECK-NEXT:   ## 11: npu.constant in no group
// CHECK-NEXT:   ## 12: npu.add in no group (runs on bias with channel-constant, but not with a constant as large as the data)
// CHECK-NEXT:   groups: 3, 2 of them of several ops
// CHECK-NEXT:     load: 1
// CHECK-NEXT:     mac: 2
// CHECK-NEXT:     bias: 1
// CHECK-NEXT:     out: 2
// CHECK-NEXT:   in no group: 1
// CHECK-NEXT:     npu.add (runs on bias with channel-constant, but not with a constant as large as the data): 1
// CHECK-NEXT:   bytes that stay on the chip: 4096
// CHECK-NEXT:   bytes that travel: 14856
// CHECK-NEXT:   absorbed conversions: 3 of 3, price 520
// COVER:       @bias
// COVER-NEXT:   ## 1: npu.pack collected into group 0
// COVER-NEXT:   ## 2: npu.constant in no group
// COVER-NEXT:   ## 3: npu.pack in no group (load absorbs it, but no single group has all its users)
// COVER-NEXT:   ## 4: npu.conv2d added to group 0 on mac
// COVER-NEXT:   ## 5: npu.constant collected into group 0
// COVER-NEXT:   ## 6: npu.reshape collected into group 0
// COVER-NEXT:   ## 7: npu.add added to group 0 on bias
// COVER-NEXT:   ## 8: npu.unpack added to group 0 on out
// COVER-NEXT:   ## 9: npu.conv2d added to group 1 on mac
// COVER-NEXT:   ## 10: npu.unpack added to group 1 on out
// COVER-NEXT:   ## 11: npu.constant in no group
// COVER-NEXT:   ## 12: npu.add in no group (runs on bias with channel-constant, but not with a constant as large as the data)
// COVER-NEXT:   groups: 2, 2 of them of several ops
// COVER-NEXT:     mac: 2
// COVER-NEXT:     bias: 1
// COVER-NEXT:     out: 2
// COVER-NEXT:   in no group: 2
// COVER-NEXT:     npu.pack (load absorbs it, but no single group has all its users): 1
// COVER-NEXT:     npu.add (runs on bias with channel-constant, but not with a constant as large as the data): 1
// COVER-NEXT:   bytes that stay on the chip: 4096
// COVER-NEXT:   bytes that travel: 14856: proved minimum
// COVER-NEXT:   absorbed conversions: 3 of 3, price 520
// COVER-NEXT:   transposes and the bytes they move:
// COVER-NEXT:                     transposes  bytes  absorbed  packs  bytes
// COVER-NEXT:     before                   0      0         0      5  10240
// COVER-NEXT:     1. fuse-ops-hw           0      0         5      5  10240
// COVER-NEXT:     after                    0      0         5      5  10240
func.func @bias(%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<1x32x4x4xf32, #npu.layout<NCHW>>) {
  %x_1 = npu.pack %x : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
  %w = npu.constant dense<5.000000e-01> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
  %w_1 = npu.pack %w : (tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>
  %b = npu.constant dense<2.500000e-01> : tensor<1x32x1x1xf32, #npu.layout<NCHW>>
  %b_1 = npu.reshape %b : (tensor<1x32x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x2x1x1x16xf32, #npu.layout<NCHW16c>>
  %m = npu.constant dense<2.500000e-01> : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
  %a = npu.add %y, %b_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<1x2x1x1x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
  %z = npu.conv2d %a, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
  %z_1 = npu.unpack %z : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %s = npu.add %z_1, %m : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %a_1 = npu.unpack %a : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  func.return %a_1, %s : tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<1x32x4x4xf32, #npu.layout<NCHW>>
}
