// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// Means over windows and over whole channels; the result has its own scale, zero point and integers.
// CHECK-LABEL: func.func @means(
func.func @means(
  %x: tensor<1x8x8x64xi8, #npu.layout<NHWC>>, %p: tensor<1x4x6x6xi8>, %d: tensor<?x4x?xi8>, %s: tensor<f32>,
  %s1: tensor<1xf32>, %z: tensor<i8>, %zu: tensor<ui8>
) {
  // CHECK-NEXT: %mean = npu.quant_avg_pool %x, %s, %z, %s1, %zu window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] ceil count_padding : (tensor<1x8x8x64xi8, #npu.layout<NHWC>>, tensor<f32>, tensor<i8>, tensor<1xf32>, tensor<ui8>) -> tensor<1x5x5x64xui8, #npu.layout<NHWC>>
  %mean = npu.quant_avg_pool %x, %s, %z, %s1, %zu window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] ceil count_padding
    : (tensor<1x8x8x64xi8, #npu.layout<NHWC>>, tensor<f32>, tensor<i8>, tensor<1xf32>, tensor<ui8>) -> tensor<1x5x5x64xui8, #npu.layout<NHWC>>
  // CHECK-NEXT: %plain = npu.quant_avg_pool %p, %s, %z, %s, %z window = [2, 2] dilations = [2, 1] data_layout = <NCHW> {tag = "kept"} : (tensor<1x4x6x6xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x4x4x5xi8>
  %plain = npu.quant_avg_pool %p, %s, %z, %s, %z window = [2, 2] dilations = [2, 1] data_layout = <NCHW> {tag = "kept"}
    : (tensor<1x4x6x6xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x4x4x5xi8>
  // CHECK-NEXT: %all = npu.quant_global_avg_pool %x, %s, %z, %s, %z : (tensor<1x8x8x64xi8, #npu.layout<NHWC>>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x1x1x64xi8, #npu.layout<NHWC>>
  %all = npu.quant_global_avg_pool %x, %s, %z, %s, %z
    : (tensor<1x8x8x64xi8, #npu.layout<NHWC>>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x1x1x64xi8, #npu.layout<NHWC>>
  // CHECK-NEXT: %dynamic = npu.quant_global_avg_pool %d, %s, %z, %s, %z data_layout = <NCW> : (tensor<?x4x?xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<?x4x1xi8>
  %dynamic = npu.quant_global_avg_pool %d, %s, %z, %s, %z data_layout = <NCW>
    : (tensor<?x4x?xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<?x4x1xi8>
  return
}
