// RUN: npu-opt %s --split-input-file --target=daven --layout-optimal --stats 2>%t.daven | filecheck %s --check-prefix=DAVEN
// RUN: npu-opt %s --split-input-file --target=brick --layout-optimal --stats 2>%t.brick | filecheck %s --check-prefix=BRICK
// RUN: filecheck %s --check-prefix=DAVEN-COST < %t.daven
// RUN: filecheck %s --check-prefix=BRICK-COST < %t.brick
// RUN: npu-opt --check-target=daven | filecheck %s --check-prefix=NO-ERROR
// RUN: npu-opt --check-target=brick | filecheck %s --check-prefix=NO-ERROR

/// The shipped targets with blocks have no key without effect, but for the ops that no stage runs.
// NO-ERROR: {{.*}}: 0 errors, 1 note

/// daven keeps the rows of convolutions through pools and a concatenation; brick unpacks for the concatenation.
// DAVEN-LABEL: func.func @main(
// DAVEN-NEXT:  %x_1 = npu.pack %x : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// DAVEN-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
// DAVEN-NEXT:  %w_1 = npu.pack %w : (tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x1x1x2x16x16xf32, #npu.layout<IHWO16o16i>>
// DAVEN-NEXT:  %v = npu.constant dense<5.000000e-01> : tensor<32x1x3x3xf32, #npu.layout<OIHW>>
// DAVEN-NEXT:  %v_1 = npu.pack %v : (tensor<32x1x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x3x3x2x16xf32, #npu.layout<IHWO16o>>
// DAVEN-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<2x1x1x2x16x16xf32, #npu.layout<IHWO16o16i>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// DAVEN-NEXT:  %z = npu.conv2d %y, %v_1 pads = [1, 1, 1, 1] groups = 32 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<1x3x3x2x16xf32, #npu.layout<IHWO16o>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>
// DAVEN-NEXT:  %p = npu.max_pool %z window = [2, 2] strides = [2, 2] : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x2x2x2x16xf32, #npu.layout<NCHW16c>>
// DAVEN-NEXT:  %q = npu.max_pool %y window = [2, 2] strides = [2, 2] : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x2x2x2x16xf32, #npu.layout<NCHW16c>>
// DAVEN-NEXT:  %c = npu.concat %p, %q axis = 1 : (tensor<1x2x2x2x16xf32, #npu.layout<NCHW16c>>, tensor<1x2x2x2x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x4x2x2x16xf32, #npu.layout<NCHW16c>>
// DAVEN-NEXT:  %c_1 = npu.unpack %c : (tensor<1x4x2x2x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x64x2x2xf32, #npu.layout<NCHW>>
// DAVEN-NEXT:  func.return %c_1 : tensor<1x64x2x2xf32, #npu.layout<NCHW>>
// DAVEN-COST: layout-optimal: 2 conversions, 3072 bytes: proved minimum
// BRICK-LABEL: func.func @main(
// BRICK-NEXT:  %x_1 = npu.pack %x : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x2x4x16xf32, #npu.layout<NHCW16c>>
// BRICK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
// BRICK-NEXT:  %w_1 = npu.pack %w : (tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x1x1x2x16x16xf32, #npu.layout<OHWI16i16o>>
// BRICK-NEXT:  %v = npu.constant dense<5.000000e-01> : tensor<32x1x3x3xf32, #npu.layout<OIHW>>
// BRICK-NEXT:  %v_1 = npu.pack %v : (tensor<32x1x3x3xf32, #npu.layout<OIHW>>) -> tensor<2x3x3x1x16xf32, #npu.layout<OHWI16o>>
// BRICK-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x4x2x4x16xf32, #npu.layout<NHCW16c>>, tensor<2x1x1x2x16x16xf32, #npu.layout<OHWI16i16o>>) -> tensor<1x4x2x4x16xf32, #npu.layout<NHCW16c>>
// BRICK-NEXT:  %z = npu.conv2d %y, %v_1 pads = [1, 1, 1, 1] groups = 32 : (tensor<1x4x2x4x16xf32, #npu.layout<NHCW16c>>, tensor<2x3x3x1x16xf32, #npu.layout<OHWI16o>>) -> tensor<1x4x2x4x16xf32, #npu.layout<NHCW16c>>
// BRICK-NEXT:  %p = npu.max_pool %z window = [2, 2] strides = [2, 2] : (tensor<1x4x2x4x16xf32, #npu.layout<NHCW16c>>) -> tensor<1x2x2x2x16xf32, #npu.layout<NHCW16c>>
// BRICK-NEXT:  %p_1 = npu.unpack %p : (tensor<1x2x2x2x16xf32, #npu.layout<NHCW16c>>) -> tensor<1x2x2x32xf32, #npu.layout<NHWC>>
// BRICK-NEXT:  %q = npu.max_pool %y window = [2, 2] strides = [2, 2] : (tensor<1x4x2x4x16xf32, #npu.layout<NHCW16c>>) -> tensor<1x2x2x2x16xf32, #npu.layout<NHCW16c>>
// BRICK-NEXT:  %q_1 = npu.unpack %q : (tensor<1x2x2x2x16xf32, #npu.layout<NHCW16c>>) -> tensor<1x2x2x32xf32, #npu.layout<NHWC>>
// BRICK-NEXT:  %c = npu.concat %p_1, %q_1 axis = 3 : (tensor<1x2x2x32xf32, #npu.layout<NHWC>>, tensor<1x2x2x32xf32, #npu.layout<NHWC>>) -> tensor<1x2x2x64xf32, #npu.layout<NHWC>>
// BRICK-NEXT:  %c_1 = npu.transpose %c permutation = [0, 3, 1, 2] : (tensor<1x2x2x64xf32, #npu.layout<NHWC>>) -> tensor<1x64x2x2xf32, #npu.layout<NCHW>>
// BRICK-NEXT:  func.return %c_1 : tensor<1x64x2x2xf32, #npu.layout<NCHW>>
// BRICK-COST: layout-optimal: 4 conversions, 4096 bytes: proved minimum
func.func @main(%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x64x2x2xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
  %v = npu.constant dense<0.5> : tensor<32x1x3x3xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %z = npu.conv2d %y, %v pads = [1, 1, 1, 1] groups = 32 : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<32x1x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %p = npu.max_pool %z window = [2, 2] strides = [2, 2] : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x32x2x2xf32, #npu.layout<NCHW>>
  %q = npu.max_pool %y window = [2, 2] strides = [2, 2] : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x32x2x2xf32, #npu.layout<NCHW>>
  %c = npu.concat %p, %q axis = 1 : (tensor<1x32x2x2xf32, #npu.layout<NCHW>>, tensor<1x32x2x2xf32, #npu.layout<NCHW>>) -> tensor<1x64x2x2xf32, #npu.layout<NCHW>>
  func.return %c : tensor<1x64x2x2xf32, #npu.layout<NCHW>>
}

// -----

/// Two groups of 8 channels fill no blocks of 16: the convolution works on values without blocks.
// DAVEN-LABEL: func.func @groups(
// DAVEN-NEXT:  %y = npu.conv2d %x, %w groups = 2 : (tensor<1x16x4x4xf32, #npu.layout<NCHW>>, tensor<16x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x16x4x4xf32, #npu.layout<NCHW>>
// DAVEN-NEXT:  func.return %y : tensor<1x16x4x4xf32, #npu.layout<NCHW>>
// DAVEN-COST: layout-optimal: 0 conversions, 0 bytes: proved minimum
// BRICK-LABEL: func.func @groups(
// BRICK-NEXT:  %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x16x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>>
// BRICK-NEXT:  %w_1 = npu.reshape %w : (tensor<16x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<16x1x1x8xf32, #npu.layout<OHWI>>
// BRICK-NEXT:  %y = npu.conv2d %x_1, %w_1 groups = 2 : (tensor<1x4x4x16xf32, #npu.layout<NHWC>>, tensor<16x1x1x8xf32, #npu.layout<OHWI>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>>
// BRICK-NEXT:  %y_1 = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x4x4x16xf32, #npu.layout<NHWC>>) -> tensor<1x16x4x4xf32, #npu.layout<NCHW>>
// BRICK-NEXT:  func.return %y_1 : tensor<1x16x4x4xf32, #npu.layout<NCHW>>
// BRICK-COST: layout-optimal: 2 conversions, 2048 bytes: proved minimum
func.func @groups(%x: tensor<1x16x4x4xf32, #npu.layout<NCHW>>, %w: tensor<16x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x16x4x4xf32, #npu.layout<NCHW>> {
  %y = npu.conv2d %x, %w groups = 2 : (tensor<1x16x4x4xf32, #npu.layout<NCHW>>, tensor<16x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x16x4x4xf32, #npu.layout<NCHW>>
  func.return %y : tensor<1x16x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// Bytes fill rows of 32 channels on daven, and its pools take these; brick has bricks of 16 channels of all types.
// DAVEN-LABEL: func.func @bytes(
// DAVEN-NEXT:  %x_1 = npu.pack %x : (tensor<1x32x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x1x4x4x32xi8, #npu.layout<NCHW32c>>
// DAVEN-NEXT:  %w = npu.constant dense<3> : tensor<32x32x1x1xi8, #npu.layout<OIHW>>
// DAVEN-NEXT:  %w_1 = npu.reshape %w : (tensor<32x32x1x1xi8, #npu.layout<OIHW>>) -> tensor<1x1x1x2x16x32xi8, #npu.layout<IHWO16o32i>>
// DAVEN-NEXT:  %s = npu.constant dense<5.000000e-01> : tensor<f32, #npu.layout<Tensor>>
// DAVEN-NEXT:  %z = npu.constant dense<5> : tensor<i8, #npu.layout<Tensor>>
// DAVEN-NEXT:  %y = npu.quant_conv2d %x_1, %w_1, %s, %z, %s, %z, %s, %z : (tensor<1x1x4x4x32xi8, #npu.layout<NCHW32c>>, tensor<1x1x1x2x16x32xi8, #npu.layout<IHWO16o32i>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<1x1x4x4x32xi8, #npu.layout<NCHW32c>>
// DAVEN-NEXT:  %p = npu.max_pool %y window = [1, 1] : tensor<1x1x4x4x32xi8, #npu.layout<NCHW32c>>
// DAVEN-NEXT:  %p_1 = npu.unpack %p : (tensor<1x1x4x4x32xi8, #npu.layout<NCHW32c>>) -> tensor<1x32x4x4xi8, #npu.layout<NCHW>>
// DAVEN-NEXT:  func.return %p_1 : tensor<1x32x4x4xi8, #npu.layout<NCHW>>
// DAVEN-COST: layout-optimal: 2 conversions, 1024 bytes: proved minimum
// BRICK-LABEL: func.func @bytes(
// BRICK-NEXT:  %x_1 = npu.pack %x : (tensor<1x32x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x4x2x4x16xi8, #npu.layout<NHCW16c>>
// BRICK-NEXT:  %w = npu.constant dense<3> : tensor<32x32x1x1xi8, #npu.layout<OIHW>>
// BRICK-NEXT:  %w_1 = npu.pack %w : (tensor<32x32x1x1xi8, #npu.layout<OIHW>>) -> tensor<2x1x1x2x16x16xi8, #npu.layout<OHWI16i16o>>
// BRICK-NEXT:  %s = npu.constant dense<5.000000e-01> : tensor<f32, #npu.layout<Tensor>>
// BRICK-NEXT:  %z = npu.constant dense<5> : tensor<i8, #npu.layout<Tensor>>
// BRICK-NEXT:  %y = npu.quant_conv2d %x_1, %w_1, %s, %z, %s, %z, %s, %z : (tensor<1x4x2x4x16xi8, #npu.layout<NHCW16c>>, tensor<2x1x1x2x16x16xi8, #npu.layout<OHWI16i16o>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<1x4x2x4x16xi8, #npu.layout<NHCW16c>>
// BRICK-NEXT:  %p = npu.max_pool %y window = [1, 1] : tensor<1x4x2x4x16xi8, #npu.layout<NHCW16c>>
// BRICK-NEXT:  %p_1 = npu.unpack %p : (tensor<1x4x2x4x16xi8, #npu.layout<NHCW16c>>) -> tensor<1x32x4x4xi8, #npu.layout<NCHW>>
// BRICK-NEXT:  func.return %p_1 : tensor<1x32x4x4xi8, #npu.layout<NCHW>>
// BRICK-COST: layout-optimal: 2 conversions, 1024 bytes: proved minimum
func.func @bytes(%x: tensor<1x32x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x32x4x4xi8, #npu.layout<NCHW>> {
  %w = npu.constant dense<3> : tensor<32x32x1x1xi8, #npu.layout<OIHW>>
  %s = npu.constant dense<0.5> : tensor<f32, #npu.layout<Tensor>>
  %z = npu.constant dense<5> : tensor<i8, #npu.layout<Tensor>>
  %y = npu.quant_conv2d %x, %w, %s, %z, %s, %z, %s, %z : (tensor<1x32x4x4xi8, #npu.layout<NCHW>>, tensor<32x32x1x1xi8, #npu.layout<OIHW>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<1x32x4x4xi8, #npu.layout<NCHW>>
  %p = npu.max_pool %y window = [1, 1] : (tensor<1x32x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x32x4x4xi8, #npu.layout<NCHW>>
  func.return %p : tensor<1x32x4x4xi8, #npu.layout<NCHW>>
}
