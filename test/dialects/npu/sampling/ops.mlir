// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// The feature map is in any order, the grid in that of ONNX.
// CHECK-LABEL: func.func @grid(
func.func @grid(%x: tensor<1x8x10x16xf32, #npu.layout<NHWC>>, %z: tensor<1x2x3x4x5xf64>, %g: tensor<1x4x5x2xf32>, %h: tensor<1x?x2x2x3xf64>) {
  // CHECK-NEXT: %a = npu.grid_sample %x, %g : (tensor<1x8x10x16xf32, #npu.layout<NHWC>>, tensor<1x4x5x2xf32>) -> tensor<1x4x5x16xf32, #npu.layout<NHWC>>
  %a = npu.grid_sample %x, %g : (tensor<1x8x10x16xf32, #npu.layout<NHWC>>, tensor<1x4x5x2xf32>) -> tensor<1x4x5x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %b = npu.grid_sample %z, %h mode = "nearest" padding = "reflection" align_corners data_layout = <NCDHW> : (tensor<1x2x3x4x5xf64>, tensor<1x?x2x2x3xf64>) -> tensor<1x2x?x2x2xf64>
  %b = npu.grid_sample %z, %h mode = "nearest" padding = "reflection" align_corners data_layout = <NCDHW> : (tensor<1x2x3x4x5xf64>, tensor<1x?x2x2x3xf64>) -> tensor<1x2x?x2x2xf64>
  return
}

// -----

/// There is one result for each region, whatever the batch.
// CHECK-LABEL: func.func @regions(
func.func @regions(%x: tensor<2x8x10x16xf32, #npu.layout<NHWC>>, %r: tensor<?x4xf32>, %b: tensor<?xi64>) {
  // CHECK-NEXT: %a = npu.roi_align %x, %r, %b sizes = [2, 3] scale = 2.500000e-01 ratio = 2 mode = "max" half_pixel : (tensor<2x8x10x16xf32, #npu.layout<NHWC>>, tensor<?x4xf32>, tensor<?xi64>) -> tensor<?x2x3x16xf32, #npu.layout<NHWC>>
  %a = npu.roi_align %x, %r, %b sizes = [2, 3] scale = 0.25 ratio = 2 mode = "max" half_pixel : (tensor<2x8x10x16xf32, #npu.layout<NHWC>>, tensor<?x4xf32>, tensor<?xi64>) -> tensor<?x2x3x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Bias and mask have their names.
// CHECK-LABEL: func.func @deformed(
func.func @deformed(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>, %o: tensor<1x36x4x4xf32>, %k: tensor<6x2x3x3xf32>, %b: tensor<6xf32>, %m: tensor<1x18x4x4xf32>) {
  // CHECK-NEXT: %a = npu.deform_conv %x, %o, %k bias(%b : tensor<6xf32>) mask(%m : tensor<1x18x4x4xf32>) groups = 2 offset_groups = 2 strides = [2, 2] pads = [1, 1, 1, 1] : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<1x36x4x4xf32>, tensor<6x2x3x3xf32>) -> tensor<1x4x4x6xf32, #npu.layout<NHWC>>
  %a = npu.deform_conv %x, %o, %k bias(%b : tensor<6xf32>) mask(%m : tensor<1x18x4x4xf32>) groups = 2 offset_groups = 2 strides = [2, 2] pads = [1, 1, 1, 1] : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<1x36x4x4xf32>, tensor<6x2x3x3xf32>) -> tensor<1x4x4x6xf32, #npu.layout<NHWC>>
  return
}
