// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// Floats of 8 bits or fewer and integers of 2 bits are printed as MLIR prints them.
// CHECK-LABEL: func.func @constants(
func.func @constants() {
  // CHECK-NEXT: %a = npu.constant dense<[1.500000e+00, -2.400000e+02]> : tensor<2xf8E4M3FN>
  %a = npu.constant dense<[1.5, -240.0]> : tensor<2xf8E4M3FN>
  // CHECK-NEXT: %b = npu.constant dense<[6.000000e+00, -5.000000e-01]> : tensor<2xf4E2M1FN>
  %b = npu.constant dense<[6.0, -0.5]> : tensor<2xf4E2M1FN>
  // CHECK-NEXT: %c = npu.constant dense<2.500000e-01> : tensor<2xf8E8M0FNU>
  %c = npu.constant dense<0.25> : tensor<2xf8E8M0FNU>
  // CHECK-NEXT: %d = npu.constant dense<[-2, 1]> : tensor<2xi2>
  %d = npu.constant dense<[-2, 1]> : tensor<2xi2>
  return
}

/// A cast to them may say what becomes of numbers that they do not have.
// CHECK-LABEL: func.func @cast(
func.func @cast(%x: tensor<2x3xf32>, %n: tensor<1x8x8x16xf16, #npu.layout<NHWC>>) {
  // CHECK-NEXT: %cast = npu.cast %x : (tensor<2x3xf32>) -> tensor<2x3xf8E5M2>
  %cast = npu.cast %x : (tensor<2x3xf32>) -> tensor<2x3xf8E5M2>
  // CHECK-NEXT: %cast2 = npu.cast %n overflows : (tensor<1x8x8x16xf16, #npu.layout<NHWC>>) -> tensor<1x8x8x16xf8E4M3FNUZ, #npu.layout<NHWC>>
  %cast2 = npu.cast %n overflows : (tensor<1x8x8x16xf16, #npu.layout<NHWC>>) -> tensor<1x8x8x16xf8E4M3FNUZ, #npu.layout<NHWC>>
  // CHECK-NEXT: %cast3 = npu.cast %x rounding = "down" : (tensor<2x3xf32>) -> tensor<2x3xf8E8M0FNU>
  %cast3 = npu.cast %x rounding = "down" : (tensor<2x3xf32>) -> tensor<2x3xf8E8M0FNU>
  return
}

/// Bits, read as another type of as many.
// CHECK-LABEL: func.func @bitcast(
func.func @bitcast(%x: tensor<2x3xf32>, %b: tensor<2x3xi1>, %f: tensor<1x8x8x16xf8E4M3FN, #npu.layout<NHWC>>) {
  // CHECK-NEXT: %bitcast = npu.bitcast %x : (tensor<2x3xf32>) -> tensor<2x3xi32>
  %bitcast = npu.bitcast %x : (tensor<2x3xf32>) -> tensor<2x3xi32>
  // CHECK-NEXT: %bitcast2 = npu.bitcast %b : (tensor<2x3xi1>) -> tensor<2x3xui8>
  %bitcast2 = npu.bitcast %b : (tensor<2x3xi1>) -> tensor<2x3xui8>
  // CHECK-NEXT: %bitcast3 = npu.bitcast %f : (tensor<1x8x8x16xf8E4M3FN, #npu.layout<NHWC>>) -> tensor<1x8x8x16xi8, #npu.layout<NHWC>>
  %bitcast3 = npu.bitcast %f : (tensor<1x8x8x16xf8E4M3FN, #npu.layout<NHWC>>) -> tensor<1x8x8x16xi8, #npu.layout<NHWC>>
  return
}
