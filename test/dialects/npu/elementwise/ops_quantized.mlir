// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// Operands of any class, repeated along unit axes or of one element; each value has one scale and one zero point.
// CHECK-LABEL: func.func @binary(
func.func @binary(
  %a: tensor<1x8x8x16xi8, #npu.layout<NHWC>>, %b: tensor<1x1x1x16xi8, #npu.layout<NHWC>>, %c: tensor<?x3xi8>,
  %one: tensor<ui8>, %s: tensor<f32>, %s1: tensor<1xf32>, %h: tensor<f16>, %z: tensor<i8>, %z1: tensor<1xi8>,
  %zu: tensor<ui8>
) {
  // CHECK-NEXT: %add = npu.quant_add %a, %b, %s, %z, %s1, %z, %s, %z1 : (tensor<1x8x8x16xi8, #npu.layout<NHWC>>, tensor<1x1x1x16xi8, #npu.layout<NHWC>>, tensor<f32>, tensor<i8>, tensor<1xf32>, tensor<i8>, tensor<f32>, tensor<1xi8>) -> tensor<1x8x8x16xi8, #npu.layout<NHWC>>
  %add = npu.quant_add %a, %b, %s, %z, %s1, %z, %s, %z1
    : (tensor<1x8x8x16xi8, #npu.layout<NHWC>>, tensor<1x1x1x16xi8, #npu.layout<NHWC>>, tensor<f32>, tensor<i8>, tensor<1xf32>, tensor<i8>, tensor<f32>, tensor<1xi8>) -> tensor<1x8x8x16xi8, #npu.layout<NHWC>>
  // CHECK-NEXT: %mul = npu.quant_mul %a, %one, %s, %z, %s, %zu, %s, %zu {tag = "kept"} : (tensor<1x8x8x16xi8, #npu.layout<NHWC>>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x8x8x16xui8, #npu.layout<NHWC>>
  %mul = npu.quant_mul %a, %one, %s, %z, %s, %zu, %s, %zu {tag = "kept"}
    : (tensor<1x8x8x16xi8, #npu.layout<NHWC>>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x8x8x16xui8, #npu.layout<NHWC>>
  // CHECK-NEXT: %unknown = npu.quant_add %c, %c, %h, %z, %h, %z, %h, %z : (tensor<?x3xi8>, tensor<?x3xi8>, tensor<f16>, tensor<i8>, tensor<f16>, tensor<i8>, tensor<f16>, tensor<i8>) -> tensor<?x3xi8>
  %unknown = npu.quant_add %c, %c, %h, %z, %h, %z, %h, %z
    : (tensor<?x3xi8>, tensor<?x3xi8>, tensor<f16>, tensor<i8>, tensor<f16>, tensor<i8>, tensor<f16>, tensor<i8>) -> tensor<?x3xi8>
  return
}
