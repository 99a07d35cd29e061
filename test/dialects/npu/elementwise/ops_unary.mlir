// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// Every op on floats.
// CHECK-LABEL: func.func @floats(
func.func @floats(%x: tensor<2x3xf32>) {
  // CHECK-NEXT: %abs = npu.abs %x : tensor<2x3xf32>
  %abs = npu.abs %x : tensor<2x3xf32>
  // CHECK-NEXT: %neg = npu.neg %x : tensor<2x3xf32>
  %neg = npu.neg %x : tensor<2x3xf32>
  // CHECK-NEXT: %sign = npu.sign %x : tensor<2x3xf32>
  %sign = npu.sign %x : tensor<2x3xf32>
  // CHECK-NEXT: %exp = npu.exp %x : tensor<2x3xf32>
  %exp = npu.exp %x : tensor<2x3xf32>
  // CHECK-NEXT: %log = npu.log %x : tensor<2x3xf32>
  %log = npu.log %x : tensor<2x3xf32>
  // CHECK-NEXT: %sqrt = npu.sqrt %x : tensor<2x3xf32>
  %sqrt = npu.sqrt %x : tensor<2x3xf32>
  // CHECK-NEXT: %rsqrt = npu.rsqrt %x : tensor<2x3xf32>
  %rsqrt = npu.rsqrt %x : tensor<2x3xf32>
  // CHECK-NEXT: %reciprocal = npu.reciprocal %x : tensor<2x3xf32>
  %reciprocal = npu.reciprocal %x : tensor<2x3xf32>
  // CHECK-NEXT: %sin = npu.sin %x : tensor<2x3xf32>
  %sin = npu.sin %x : tensor<2x3xf32>
  // CHECK-NEXT: %cos = npu.cos %x : tensor<2x3xf32>
  %cos = npu.cos %x : tensor<2x3xf32>
  // CHECK-NEXT: %tanh = npu.tanh %x : tensor<2x3xf32>
  %tanh = npu.tanh %x : tensor<2x3xf32>
  // CHECK-NEXT: %tan = npu.tan %x : tensor<2x3xf32>
  %tan = npu.tan %x : tensor<2x3xf32>
  // CHECK-NEXT: %asin = npu.asin %x : tensor<2x3xf32>
  %asin = npu.asin %x : tensor<2x3xf32>
  // CHECK-NEXT: %acos = npu.acos %x : tensor<2x3xf32>
  %acos = npu.acos %x : tensor<2x3xf32>
  // CHECK-NEXT: %atan = npu.atan %x : tensor<2x3xf32>
  %atan = npu.atan %x : tensor<2x3xf32>
  // CHECK-NEXT: %sinh = npu.sinh %x : tensor<2x3xf32>
  %sinh = npu.sinh %x : tensor<2x3xf32>
  // CHECK-NEXT: %cosh = npu.cosh %x : tensor<2x3xf32>
  %cosh = npu.cosh %x : tensor<2x3xf32>
  // CHECK-NEXT: %asinh = npu.asinh %x : tensor<2x3xf32>
  %asinh = npu.asinh %x : tensor<2x3xf32>
  // CHECK-NEXT: %acosh = npu.acosh %x : tensor<2x3xf32>
  %acosh = npu.acosh %x : tensor<2x3xf32>
  // CHECK-NEXT: %atanh = npu.atanh %x : tensor<2x3xf32>
  %atanh = npu.atanh %x : tensor<2x3xf32>
  // CHECK-NEXT: %erf = npu.erf %x : tensor<2x3xf32>
  %erf = npu.erf %x : tensor<2x3xf32>
  // CHECK-NEXT: %ceil = npu.ceil %x : tensor<2x3xf32>
  %ceil = npu.ceil %x : tensor<2x3xf32>
  // CHECK-NEXT: %floor = npu.floor %x : tensor<2x3xf32>
  %floor = npu.floor %x : tensor<2x3xf32>
  // CHECK-NEXT: %round = npu.round %x : tensor<2x3xf32>
  %round = npu.round %x : tensor<2x3xf32>
  return
}

/// Ops on numbers take integers, signed and not.
// CHECK-LABEL: func.func @integers(
func.func @integers(%x: tensor<2x3xi32>, %u: tensor<2x3xui8>) {
  // CHECK-NEXT: %abs = npu.abs %x : tensor<2x3xi32>
  %abs = npu.abs %x : tensor<2x3xi32>
  // CHECK-NEXT: %neg = npu.neg %x : tensor<2x3xi32>
  %neg = npu.neg %x : tensor<2x3xi32>
  // CHECK-NEXT: %sign = npu.sign %x : tensor<2x3xi32>
  %sign = npu.sign %x : tensor<2x3xi32>
  // CHECK-NEXT: %abs2 = npu.abs %u : tensor<2x3xui8>
  %abs2 = npu.abs %u : tensor<2x3xui8>
  return
}

/// The opposite of truth values and of bits.
// CHECK-LABEL: func.func @not(
func.func @not(%x: tensor<2x3xi1>, %i: tensor<2x3xi8>) {
  // CHECK-NEXT: %not = npu.not %x : tensor<2x3xi1>
  %not = npu.not %x : tensor<2x3xi1>
  // CHECK-NEXT: %not2 = npu.not %i : tensor<2x3xi8>
  %not2 = npu.not %i : tensor<2x3xi8>
  return
}

/// Every float type, a scalar, no elements, a rank above those that can be re-ordered.
// CHECK-LABEL: func.func @types(
func.func @types(
  %h: tensor<4xf16>, %b: tensor<4xbf16>, %d: tensor<4xf64>, %s: tensor<f32>, %z: tensor<0x4xf32>,
  %r: tensor<1x2x1x2x1x2x3xf32>
) {
  // CHECK-NEXT: %exp = npu.exp %h : tensor<4xf16>
  %exp = npu.exp %h : tensor<4xf16>
  // CHECK-NEXT: %exp2 = npu.exp %b : tensor<4xbf16>
  %exp2 = npu.exp %b : tensor<4xbf16>
  // CHECK-NEXT: %exp3 = npu.exp %d : tensor<4xf64>
  %exp3 = npu.exp %d : tensor<4xf64>
  // CHECK-NEXT: %exp4 = npu.exp %s : tensor<f32>
  %exp4 = npu.exp %s : tensor<f32>
  // CHECK-NEXT: %exp5 = npu.exp %z : tensor<0x4xf32>
  %exp5 = npu.exp %z : tensor<0x4xf32>
  // CHECK-NEXT: %exp6 = npu.exp %r : tensor<1x2x1x2x1x2x3xf32>
  %exp6 = npu.exp %r : tensor<1x2x1x2x1x2x3xf32>
  return
}

/// Dynamic dimensions agree with every size.
// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(%x: tensor<?x3xf32>, %y: tensor<2x?xf32>) {
  // CHECK-NEXT: %tanh = npu.tanh %x : tensor<?x3xf32>
  %tanh = npu.tanh %x : tensor<?x3xf32>
  // CHECK-NEXT: %tanh2 = npu.tanh %x : (tensor<?x3xf32>) -> tensor<2x3xf32>
  %tanh2 = npu.tanh %x : (tensor<?x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %tanh3 = npu.tanh %y : (tensor<2x?xf32>) -> tensor<?x3xf32>
  %tanh3 = npu.tanh %y : (tensor<2x?xf32>) -> tensor<?x3xf32>
  return
}

/// Layouts of every class, and a coloured value beside an uncoloured one.
// CHECK-LABEL: func.func @layouts(
func.func @layouts(
  %a: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %b: tensor<3x3x8x4xf32, #npu.layout<HWOI>>,
  %c: tensor<4x8xf32, #npu.layout<Tensor, [1, 0]>>, %d: tensor<4x8x2xf32, #npu.layout<NTensor>>,
  %e: tensor<1x8x8x16xf32>
) {
  // CHECK-NEXT: %floor = npu.floor %a : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  %floor = npu.floor %a : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %floor2 = npu.floor %b : tensor<3x3x8x4xf32, #npu.layout<HWOI>>
  %floor2 = npu.floor %b : tensor<3x3x8x4xf32, #npu.layout<HWOI>>
  // CHECK-NEXT: %floor3 = npu.floor %c : tensor<4x8xf32, #npu.layout<Tensor, [1, 0]>>
  %floor3 = npu.floor %c
    : tensor<4x8xf32, #npu.layout<Tensor, [1, 0]>>
  // CHECK-NEXT: %floor4 = npu.floor %d : tensor<4x8x2xf32, #npu.layout<NTensor>>
  %floor4 = npu.floor %d : tensor<4x8x2xf32, #npu.layout<NTensor>>
  // CHECK-NEXT: %floor5 = npu.floor %a : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x16xf32>
  %floor5 = npu.floor %a : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x16xf32>
  // CHECK-NEXT: %floor6 = npu.floor %e : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32, #npu.layout<NCHW>>
  %floor6 = npu.floor %e : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32, #npu.layout<NCHW>>
  return
}

/// Other attributes are kept.
// CHECK-LABEL: func.func @attributes(
func.func @attributes(%x: tensor<2x3xf32>) {
  // CHECK-NEXT: %ceil = npu.ceil %x {note = "kept"} : tensor<2x3xf32>
  %ceil = npu.ceil %x {note = "kept"} : tensor<2x3xf32>
  return
}
