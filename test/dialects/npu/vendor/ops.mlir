// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// Elementwise ops have any number of operands, repeated along unit axes, of any element types.
// CHECK-LABEL: func.func @elementwise(
func.func @elementwise(%x: tensor<1x8x8x16xf32>, %b: tensor<1x8x1x1xi8>, %s: tensor<f16>) {
  // CHECK-NEXT: %one = npu.vendor_elementwise "vendor.swish"(%x) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %one = npu.vendor_elementwise "vendor.swish"(%x) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  // CHECK-NEXT: %many = npu.vendor_elementwise "vendor.mix"(%x, %b, %s) pure fusion = "injective" {a = 1 : i64} : (tensor<1x8x8x16xf32>, tensor<1x8x1x1xi8>, tensor<f16>) -> tensor<1x8x8x16xf16>
  %many = npu.vendor_elementwise "vendor.mix"(%x, %b, %s) pure fusion = "injective" {a = 1 : i64}
    : (tensor<1x8x8x16xf32>, tensor<1x8x1x1xi8>, tensor<f16>) -> tensor<1x8x8x16xf16>
  return
}

/// The data of an op in any order comes first; parameters have any shapes, and all results the shape of the data.
// CHECK-LABEL: func.func @any_order(
func.func @any_order(%x: tensor<2x3xf32>, %p: tensor<7xi64>) {
  // CHECK-NEXT: %one = npu.vendor_any_order "vendor.dither"(%x) pure : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %one = npu.vendor_any_order "vendor.dither"(%x) pure : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %two, %mask = npu.vendor_any_order "vendor.dither"(%x, %p, %p) fusion = "out-fusable" : (tensor<2x3xf32>, tensor<7xi64>, tensor<7xi64>) -> (tensor<2x3xf32>, tensor<2x3xi1>)
  %two, %mask = npu.vendor_any_order "vendor.dither"(%x, %p, %p) fusion = "out-fusable"
    : (tensor<2x3xf32>, tensor<7xi64>, tensor<7xi64>) -> (tensor<2x3xf32>, tensor<2x3xi1>)
  return
}

/// A pool finds the spatial axes by their letters, and keeps the layout that its attributes mean.
// CHECK-LABEL: func.func @pool(
func.func @pool(%x: tensor<1x16x8x8xf32>, %y: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %p: tensor<4xf32>) {
  // CHECK-NEXT: %plain = npu.vendor_pool "vendor.pool"(%x) written_in = <NCHW> data_layout = <NCHW> pure : (tensor<1x16x8x8xf32>) -> tensor<1x16x4x5xf32>
  %plain = npu.vendor_pool "vendor.pool"(%x) written_in = <NCHW> data_layout = <NCHW> pure
    : (tensor<1x16x8x8xf32>) -> tensor<1x16x4x5xf32>
  // CHECK-NEXT: %typed, %where = npu.vendor_pool "vendor.pool"(%y, %p) written_in = <NCHW> pure fusion = "opaque" : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<4xf32>) -> (tensor<1x4x5x16xf32, #npu.layout<NHWC>>, tensor<1x4x5x16xi64, #npu.layout<NHWC>>)
  %typed, %where = npu.vendor_pool "vendor.pool"(%y, %p) written_in = <NCHW> pure fusion = "opaque"
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<4xf32>)
    -> (tensor<1x4x5x16xf32, #npu.layout<NHWC>>, tensor<1x4x5x16xi64, #npu.layout<NHWC>>)
  return
}
