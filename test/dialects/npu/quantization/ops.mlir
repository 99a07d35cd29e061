// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// One scale and one zero point for all elements.
// CHECK-LABEL: func.func @per_tensor(
func.func @per_tensor(
  %x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<i8>, %s16: tensor<1x1xf16>, %zu: tensor<1xui8>, %sums: tensor<2x3xi32>,
  %zero: tensor<i32>
) {
  // CHECK-NEXT: %q = npu.quantize %x, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  %q = npu.quantize %x, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  // CHECK-NEXT: %y = npu.dequantize %q, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  %y = npu.dequantize %q, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  /// They may have any rank, any float type, and unsigned integers.
  // CHECK-NEXT: %u = npu.quantize %x, %s16, %zu {tag = "kept"} : (tensor<2x3xf32>, tensor<1x1xf16>, tensor<1xui8>) -> tensor<2x3xui8>
  %u = npu.quantize %x, %s16, %zu {tag = "kept"} : (tensor<2x3xf32>, tensor<1x1xf16>, tensor<1xui8>) -> tensor<2x3xui8>
  // CHECK-NEXT: %w = npu.dequantize %u, %s, %zu {tag = "kept"} : (tensor<2x3xui8>, tensor<f32>, tensor<1xui8>) -> tensor<2x3xf32>
  %w = npu.dequantize %u, %s, %zu {tag = "kept"} : (tensor<2x3xui8>, tensor<f32>, tensor<1xui8>) -> tensor<2x3xf32>
  // CHECK-NEXT: %wide = npu.dequantize %sums, %s, %zero : (tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> tensor<2x3xf64>
  %wide = npu.dequantize %sums, %s, %zero : (tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> tensor<2x3xf64>
  return
}

/// One of each for every position of a physical axis.
// CHECK-LABEL: func.func @per_axis(
func.func @per_axis(
  %x: tensor<1x16x8x9xf32, #npu.layout<NCHW>>, %s: tensor<16xf32>, %z: tensor<16xi8>,
  %x_last: tensor<1x8x9x16xf32, #npu.layout<NHWC>>, %w: tensor<3x3x16x4xi8, #npu.layout<HWOI>>,
  %st: tensor<16xf32, #npu.layout<Tensor>>, %zt: tensor<16xi8, #npu.layout<Tensor>>,
  %t: tensor<16x6xi8, #npu.layout<Tensor, [1, 0]>>, %z1: tensor<i8>, %s1: tensor<1xf32>
) {
  // CHECK-NEXT: %nchw = npu.quantize %x, %s, %z axis = 1 : (tensor<1x16x8x9xf32, #npu.layout<NCHW>>, tensor<16xf32>, tensor<16xi8>) -> tensor<1x16x8x9xi8, #npu.layout<NCHW>>
  %nchw = npu.quantize %x, %s, %z axis = 1
    : (tensor<1x16x8x9xf32, #npu.layout<NCHW>>, tensor<16xf32>, tensor<16xi8>) -> tensor<1x16x8x9xi8, #npu.layout<NCHW>>
  // CHECK-NEXT: %nhwc = npu.quantize %x_last, %s, %z axis = 3 : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<16xf32>, tensor<16xi8>) -> tensor<1x8x9x16xi8, #npu.layout<NHWC>>
  %nhwc = npu.quantize %x_last, %s, %z axis = 3
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<16xf32>, tensor<16xi8>) -> tensor<1x8x9x16xi8, #npu.layout<NHWC>>
  // CHECK-NEXT: %kernel = npu.dequantize %w, %st, %zt axis = 2 : (tensor<3x3x16x4xi8, #npu.layout<HWOI>>, tensor<16xf32, #npu.layout<Tensor>>, tensor<16xi8, #npu.layout<Tensor>>) -> tensor<3x3x16x4xf32, #npu.layout<HWOI>>
  %kernel = npu.dequantize %w, %st, %zt axis = 2
    : (tensor<3x3x16x4xi8, #npu.layout<HWOI>>, tensor<16xf32, #npu.layout<Tensor>>, tensor<16xi8, #npu.layout<Tensor>>) -> tensor<3x3x16x4xf32, #npu.layout<HWOI>>
  // CHECK-NEXT: %turned = npu.dequantize %t, %s, %z axis = 0 : (tensor<16x6xi8, #npu.layout<Tensor, [1, 0]>>, tensor<16xf32>, tensor<16xi8>) -> tensor<16x6xf32, #npu.layout<Tensor, [1, 0]>>
  %turned = npu.dequantize %t, %s, %z axis = 0
    : (tensor<16x6xi8, #npu.layout<Tensor, [1, 0]>>, tensor<16xf32>, tensor<16xi8>) -> tensor<16x6xf32, #npu.layout<Tensor, [1, 0]>>
  /// Or one for all, for one of the two.
  // CHECK-NEXT: %one = npu.quantize %x, %s, %z1 axis = 1 : (tensor<1x16x8x9xf32, #npu.layout<NCHW>>, tensor<16xf32>, tensor<i8>) -> tensor<1x16x8x9xi8, #npu.layout<NCHW>>
  %one = npu.quantize %x, %s, %z1 axis = 1
    : (tensor<1x16x8x9xf32, #npu.layout<NCHW>>, tensor<16xf32>, tensor<i8>) -> tensor<1x16x8x9xi8, #npu.layout<NCHW>>
  // CHECK-NEXT: %other = npu.dequantize %w, %s1, %z axis = 2 : (tensor<3x3x16x4xi8, #npu.layout<HWOI>>, tensor<1xf32>, tensor<16xi8>) -> tensor<3x3x16x4xf32, #npu.layout<HWOI>>
  %other = npu.dequantize %w, %s1, %z axis = 2
    : (tensor<3x3x16x4xi8, #npu.layout<HWOI>>, tensor<1xf32>, tensor<16xi8>) -> tensor<3x3x16x4xf32, #npu.layout<HWOI>>
  return
}

/// Dynamic sizes.
// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(%x: tensor<?x16xf32>, %s: tensor<?xf32>, %z: tensor<16xi8>, %q2: tensor<?x?xi8>) {
  // CHECK-NEXT: %q = npu.quantize %x, %s, %z axis = 1 : (tensor<?x16xf32>, tensor<?xf32>, tensor<16xi8>) -> tensor<?x16xi8>
  %q = npu.quantize %x, %s, %z axis = 1 : (tensor<?x16xf32>, tensor<?xf32>, tensor<16xi8>) -> tensor<?x16xi8>
  // CHECK-NEXT: %y = npu.dequantize %q2, %s, %z axis = 1 : (tensor<?x?xi8>, tensor<?xf32>, tensor<16xi8>) -> tensor<4x?xf32>
  %y = npu.dequantize %q2, %s, %z axis = 1 : (tensor<?x?xi8>, tensor<?xf32>, tensor<16xi8>) -> tensor<4x?xf32>
  return
}

/// Values with and without a layout may be mixed.
// CHECK-LABEL: func.func @mixed(
func.func @mixed(
  %x: tensor<2x3xf32, #npu.layout<Tensor>>, %s: tensor<f32, #npu.layout<Tensor>>, %z: tensor<i8>, %plain: tensor<2x3xi8>
) {
  // CHECK-NEXT: %q = npu.quantize %x, %s, %z : (tensor<2x3xf32, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8>) -> tensor<2x3xi8>
  %q = npu.quantize %x, %s, %z
    : (tensor<2x3xf32, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8>) -> tensor<2x3xi8>
  // CHECK-NEXT: %y = npu.dequantize %plain, %s, %z : (tensor<2x3xi8>, tensor<f32, #npu.layout<Tensor>>, tensor<i8>) -> tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>
  %y = npu.dequantize %plain, %s, %z
    : (tensor<2x3xi8>, tensor<f32, #npu.layout<Tensor>>, tensor<i8>) -> tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>
  return
}

/// The scale and the zero point of dynamic quantisation are scalars.
// CHECK-LABEL: func.func @dynamic_quantize(
func.func @dynamic_quantize(%x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %y: tensor<?xf32>) {
  // CHECK-NEXT: %q, %s, %z = npu.dynamic_quantize %x : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> (tensor<1x8x8x16xui8, #npu.layout<NHWC>>, tensor<f32>, tensor<ui8>)
  %q, %s, %z = npu.dynamic_quantize %x
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>)
    -> (tensor<1x8x8x16xui8, #npu.layout<NHWC>>, tensor<f32>, tensor<ui8>)
  // CHECK-NEXT: %q2, %s2, %z2 = npu.dynamic_quantize %y : (tensor<?xf32>) -> (tensor<?xui8>, tensor<f32, #npu.layout<Tensor>>, tensor<ui8>)
  %q2, %s2, %z2 = npu.dynamic_quantize %y
    : (tensor<?xf32>) -> (tensor<?xui8>, tensor<f32, #npu.layout<Tensor>>, tensor<ui8>)
  return
}

/// Requantisation of sums: one scale of the right factor, or one for every position of a physical axis.
// CHECK-LABEL: func.func @requantize(
func.func @requantize(
  %x: tensor<2x3xi32>, %s: tensor<f32>, %s3: tensor<3xf32>, %s1: tensor<1xf16>, %z: tensor<i8>, %zu: tensor<1xui8>,
  %nhwc: tensor<1x8x8x3xi32, #npu.layout<NHWC>>, %wide: tensor<?x?xi32>
) {
  // CHECK-NEXT: %one = npu.requantize %x, %s, %s1, %s, %z : (tensor<2x3xi32>, tensor<f32>, tensor<1xf16>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  %one = npu.requantize %x, %s, %s1, %s, %z
    : (tensor<2x3xi32>, tensor<f32>, tensor<1xf16>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  // CHECK-NEXT: %each = npu.requantize %nhwc, %s, %s3, %s1, %zu axis = 3 {tag = "kept"} : (tensor<1x8x8x3xi32, #npu.layout<NHWC>>, tensor<f32>, tensor<3xf32>, tensor<1xf16>, tensor<1xui8>) -> tensor<1x8x8x3xui8, #npu.layout<NHWC>>
  %each = npu.requantize %nhwc, %s, %s3, %s1, %zu axis = 3 {tag = "kept"}
    : (tensor<1x8x8x3xi32, #npu.layout<NHWC>>, tensor<f32>, tensor<3xf32>, tensor<1xf16>, tensor<1xui8>)
    -> tensor<1x8x8x3xui8, #npu.layout<NHWC>>
  // CHECK-NEXT: %unknown = npu.requantize %wide, %s, %s3, %s, %z axis = 1 : (tensor<?x?xi32>, tensor<f32>, tensor<3xf32>, tensor<f32>, tensor<i8>) -> tensor<?x3xi8>
  %unknown = npu.requantize %wide, %s, %s3, %s, %z axis = 1
    : (tensor<?x?xi32>, tensor<f32>, tensor<3xf32>, tensor<f32>, tensor<i8>) -> tensor<?x3xi8>
  return
}
