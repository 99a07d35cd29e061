// RUN: npu-opt %s --target=%S/Inputs/blocks_forms.toml --layout-optimal --stats --split-input-file 2>%t | filecheck %s
// RUN: filecheck %s --match-full-lines --check-prefix=COST < %t

/// One channel has no place in memory: what fills its block up is counted behind all other axes, both when the choice is
/// priced and when it is written.
// CHECK-LABEL: func.func @one_channel
// CHECK-SAME:  (%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x1x4x4xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<1x32x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<1x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 1, zeros>>
// CHECK-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<1x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 1, zeros>>) -> tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c, C = 1, zeros>>
// CHECK-NEXT:  %y_1 = npu.unpack %y : (tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c, C = 1, zeros>>) -> tensor<1x1x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %y_1 : tensor<1x1x4x4xf32, #npu.layout<NCHW>>
// COST:       layout-optimal: 2 conversions, 3072 bytes, 7168 cycles: proved minimum
func.func @one_channel(%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x1x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<1x32x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<1x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x4x4xf32, #npu.layout<NCHW>>
  func.return %y : tensor<1x1x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// Tensors of more than six axes keep their order, and so they have no blocks like those of the bias.
// CHECK-LABEL: func.func @seven_axes
// CHECK-SAME:  (%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>, %b: tensor<32xf32, #npu.layout<Tensor>>) -> tensor<1x2x16x2x2x2x2xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:  %x_1 = npu.pack %x : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %b_1 = npu.reshape %b : (tensor<32xf32, #npu.layout<Tensor>>) -> tensor<2x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16]>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>
// CHECK-NEXT:  %y = npu.conv2d %x_1, %w_1, %b_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o>>, tensor<2x16xf32, #npu.layout<Tensor, [0] tiles [0 by 16]>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %r = npu.unpack %y : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %r_1 = npu.reshape %r : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x16x2x2x2x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  func.return %r_1 : tensor<1x2x16x2x2x2x2xf32, #npu.layout<Tensor>>
// COST-NEXT:  layout-optimal: 2 conversions, 4096 bytes, 6144 cycles: best of the layouts tried (not a proof over all)
func.func @seven_axes(%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>, %b: tensor<32xf32, #npu.layout<Tensor>>) -> tensor<1x2x16x2x2x2x2xf32, #npu.layout<Tensor>> {
  %w = npu.constant dense<0.5> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w, %b : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<32x32x1x1xf32, #npu.layout<OIHW>>, tensor<32xf32, #npu.layout<Tensor>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %r = npu.reshape %y : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x16x2x2x2x2xf32, #npu.layout<Tensor>>
  func.return %r : tensor<1x2x16x2x2x2x2xf32, #npu.layout<Tensor>>
}
