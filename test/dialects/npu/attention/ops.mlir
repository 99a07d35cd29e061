// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// Heads of the query share those of key and value; masks of both kinds, and values with their axes in other orders.
// CHECK-LABEL: func.func @attention(
func.func @attention(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>, %v: tensor<1x2x32x48xf32>, %m: tensor<1x1x16x32xi1>, %f: tensor<1x8x16x32xf32>,
    %r: tensor<?x16x8x64xf16, #npu.layout<NTensor>>, %s: tensor<?x16x8x64xf16, #npu.layout<NTensor>>, %u: tensor<?x2x64x32xf16>, %w: tensor<?x2x32x48xf16>) {
  // CHECK-NEXT: %plain = npu.attention %q, %k, %v scale = 1.250000e-01 : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x48xf32>) -> tensor<1x8x16x48xf32>
  %plain = npu.attention %q, %k, %v scale = 1.250000e-01 : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x48xf32>) -> tensor<1x8x16x48xf32>
  // CHECK-NEXT: %capped = npu.attention %q, %k, %v, %m scale = 1.250000e-01 softcap = 3.000000e+01 causal : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x48xf32>, tensor<1x1x16x32xi1>) -> tensor<1x8x16x48xf32>
  %capped = npu.attention %q, %k, %v, %m scale = 1.250000e-01 softcap = 3.000000e+01 causal : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x48xf32>, tensor<1x1x16x32xi1>) -> tensor<1x8x16x48xf32>
  // CHECK-NEXT: %added = npu.attention %q, %k, %v, %f scale = 1.000000e+00 : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x48xf32>, tensor<1x8x16x32xf32>) -> tensor<1x8x16x48xf32>
  %added = npu.attention %q, %k, %v, %f scale = 1.000000e+00 : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x48xf32>, tensor<1x8x16x32xf32>) -> tensor<1x8x16x48xf32>
  // CHECK-NEXT: %rows = npu.attention %r, %s, %s scale = 1.250000e-01 query_axes = "BNHC" key_axes = "BNHC" value_axes = "BNHC" result_axes = "BNHC" : tensor<?x16x8x64xf16, #npu.layout<NTensor>>
  %rows = npu.attention %r, %s, %s scale = 1.250000e-01 query_axes = "BNHC" key_axes = "BNHC" value_axes = "BNHC" result_axes = "BNHC" : tensor<?x16x8x64xf16, #npu.layout<NTensor>>
  // CHECK-NEXT: %mixed = npu.attention %r, %u, %w scale = 1.250000e-01 query_axes = "BNHC" key_axes = "BHCN" result_axes = "NHCB" : (tensor<?x16x8x64xf16, #npu.layout<NTensor>>, tensor<?x2x64x32xf16>, tensor<?x2x32x48xf16>) -> tensor<16x8x48x?xf16>
  %mixed = npu.attention %r, %u, %w scale = 1.250000e-01 query_axes = "BNHC" key_axes = "BHCN" result_axes = "NHCB" : (tensor<?x16x8x64xf16, #npu.layout<NTensor>>, tensor<?x2x64x32xf16>, tensor<?x2x32x48xf16>) -> tensor<16x8x48x?xf16>
  return
}

/// Positions in a table, or angles of each row; neighbours, and some numbers that stay.
// CHECK-LABEL: func.func @rotary(
func.func @rotary(%x: tensor<1x8x16x64xf32>, %t: tensor<128x32xf32>, %p: tensor<1x16xi64>, %a: tensor<1x16x16xf32>,
    %r: tensor<1x16x8x64xf32>) {
  // CHECK-NEXT: %table = npu.rotary %x, %t, %t, %p : (tensor<1x8x16x64xf32>, tensor<128x32xf32>, tensor<128x32xf32>, tensor<1x16xi64>) -> tensor<1x8x16x64xf32>
  %table = npu.rotary %x, %t, %t, %p : (tensor<1x8x16x64xf32>, tensor<128x32xf32>, tensor<128x32xf32>, tensor<1x16xi64>) -> tensor<1x8x16x64xf32>
  // CHECK-NEXT: %pairs = npu.rotary %x, %a, %a interleaved : (tensor<1x8x16x64xf32>, tensor<1x16x16xf32>, tensor<1x16x16xf32>) -> tensor<1x8x16x64xf32>
  %pairs = npu.rotary %x, %a, %a interleaved : (tensor<1x8x16x64xf32>, tensor<1x16x16xf32>, tensor<1x16x16xf32>) -> tensor<1x8x16x64xf32>
  // CHECK-NEXT: %rows = npu.rotary %r, %a, %a input_axes = "BNHC" result_axes = "BNHC" : (tensor<1x16x8x64xf32>, tensor<1x16x16xf32>, tensor<1x16x16xf32>) -> tensor<1x16x8x64xf32>
  %rows = npu.rotary %r, %a, %a input_axes = "BNHC" result_axes = "BNHC" : (tensor<1x16x8x64xf32>, tensor<1x16x16xf32>, tensor<1x16x16xf32>) -> tensor<1x16x8x64xf32>
  // CHECK-NEXT: %turned = npu.rotary %r, %a, %a interleaved input_axes = "BNHC" result_axes = "BHCN" : (tensor<1x16x8x64xf32>, tensor<1x16x16xf32>, tensor<1x16x16xf32>) -> tensor<1x8x64x16xf32>
  %turned = npu.rotary %r, %a, %a interleaved input_axes = "BNHC" result_axes = "BHCN" : (tensor<1x16x8x64xf32>, tensor<1x16x16xf32>, tensor<1x16x16xf32>) -> tensor<1x8x64x16xf32>
  return
}
