// RUN: npu-opt %s --target=%S/Inputs/whole_data.toml --layout-optimal --stats --split-input-file 2>%t | filecheck %s
// RUN: filecheck %s --match-full-lines --check-prefix=COST < %t

/// The first convolution reads an image as it comes, and only its result is in blocks.
// CHECK-LABEL: func.func @image
// CHECK-SAME:  (%x: tensor<1x3x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x16x4x4xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<16x3x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<16x3x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x3x1x1x16xf32, #npu.layout<OIHW16o>>
// CHECK-NEXT:  %v = npu.constant dense<5.000000e-01> : tensor<16x16x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  %v_1 = npu.pack %v : (tensor<16x16x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x1x1x16x16xf32, #npu.layout<OIHW16i16o>>
// CHECK-NEXT:  %y = npu.conv2d %x, %w_1 : (tensor<1x3x4x4xf32, #npu.layout<NCHW>>, tensor<1x3x1x1x16xf32, #npu.layout<OIHW16o>>) -> tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %z = npu.conv2d %y, %v_1 : (tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c>>, tensor<1x1x1x1x16x16xf32, #npu.layout<OIHW16i16o>>) -> tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %z_1 = npu.unpack %z : (tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x16x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %z_1 : tensor<1x16x4x4xf32, #npu.layout<NCHW>>
// COST:      layout-optimal: 1 conversion, 1024 bytes: proved minimum
func.func @image(%x: tensor<1x3x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x16x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<16x3x1x1xf32, #npu.layout<OIHW>>
  %v = npu.constant dense<0.5> : tensor<16x16x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x3x4x4xf32, #npu.layout<NCHW>>, tensor<16x3x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x16x4x4xf32, #npu.layout<NCHW>>
  %z = npu.conv2d %y, %v : (tensor<1x16x4x4xf32, #npu.layout<NCHW>>, tensor<16x16x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x16x4x4xf32, #npu.layout<NCHW>>
  func.return %z : tensor<1x16x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// Data in another order than the demanded one is transposed; the result of few channels is unpacked for the next convolution.
// CHECK-LABEL: func.func @last
// CHECK-SAME:  (%x: tensor<1x4x4x3xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:  %x_1 = npu.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x4x4x3xf32, #npu.layout<NHWC>>) -> tensor<1x3x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<1x1x8x3xf32, #npu.layout<HWOI>>
// CHECK-NEXT:  %w_1 = npu.pack %w : (tensor<1x1x8x3xf32, #npu.layout<HWOI>>) -> tensor<1x3x1x1x16xf32, #npu.layout<OIHW16o, O = 8, zeros>>
// CHECK-NEXT:  %v = npu.constant dense<5.000000e-01> : tensor<1x1x16x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:  %v_1 = npu.pack %v : (tensor<1x1x16x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x1x1x16xf32, #npu.layout<OIHW16o>>
// CHECK-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x3x4x4xf32, #npu.layout<NCHW>>, tensor<1x3x1x1x16xf32, #npu.layout<OIHW16o, O = 8, zeros>>) -> tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c, C = 8, zeros>>
// CHECK-NEXT:  %y_1 = npu.unpack %y : (tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c, C = 8, zeros>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %z = npu.conv2d %y_1, %v_1 : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x8x1x1x16xf32, #npu.layout<OIHW16o>>) -> tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c>>
// CHECK-NEXT:  %z_1 = npu.reshape %z : (tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  func.return %z_1 : tensor<1x4x4x16xf32, #npu.layout<NHWC>>
// COST-NEXT: layout-optimal: 2 conversions, 1216 bytes: proved minimum
func.func @last(%x: tensor<1x4x4x3xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>> {
  %w = npu.constant dense<0.5> : tensor<1x1x8x3xf32, #npu.layout<HWOI>>
  %v = npu.constant dense<0.5> : tensor<1x1x16x8xf32, #npu.layout<HWOI>>
  %y = npu.conv2d %x, %w : (tensor<1x4x4x3xf32, #npu.layout<NHWC>>, tensor<1x1x8x3xf32, #npu.layout<HWOI>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  %z = npu.conv2d %y, %v : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<1x1x16x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>>
  func.return %z : tensor<1x4x4x16xf32, #npu.layout<NHWC>>
}
