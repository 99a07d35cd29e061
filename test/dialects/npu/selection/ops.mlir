// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// A range has a known size if its type says so.
// CHECK-LABEL: func.func @range(
func.func @range(%a: tensor<i64>, %b: tensor<f32>) {
  // CHECK-NEXT: %x = npu.range %a, %a, %a : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  %x = npu.range %a, %a, %a : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  // CHECK-NEXT: %y = npu.range %b, %b, %b : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32, #npu.layout<Tensor>>
  %y = npu.range %b, %b, %b : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32, #npu.layout<Tensor>>
  return
}

// -----

/// Positions are those in the order in which the data is stored.
// CHECK-LABEL: func.func @non_zero(
func.func @non_zero(%x: tensor<4x?xi1>, %n: tensor<1x2x3x4xf32, #npu.layout<NHWC>>) {
  // CHECK-NEXT: %a = npu.non_zero %x : (tensor<4x?xi1>) -> tensor<2x?xi64>
  %a = npu.non_zero %x : (tensor<4x?xi1>) -> tensor<2x?xi64>
  // CHECK-NEXT: %b = npu.non_zero %n : (tensor<1x2x3x4xf32, #npu.layout<NHWC>>) -> tensor<4x?xi64>
  %b = npu.non_zero %n : (tensor<1x2x3x4xf32, #npu.layout<NHWC>>) -> tensor<4x?xi64>
  return
}

// -----

/// Elements, or slices along an axis, are sorted or not.
// CHECK-LABEL: func.func @unique(
func.func @unique(%x: tensor<4x6xf32>) {
  // CHECK-NEXT: %a, %b, %c, %d = npu.unique %x : (tensor<4x6xf32>) -> (tensor<?xf32>, tensor<?xi64>, tensor<24xi64>, tensor<?xi64>)
  %a, %b, %c, %d = npu.unique %x : (tensor<4x6xf32>) -> (tensor<?xf32>, tensor<?xi64>, tensor<24xi64>, tensor<?xi64>)
  // CHECK-NEXT: %e, %f, %g, %h = npu.unique %x axis = 1 as_found : (tensor<4x6xf32>) -> (tensor<4x?xf32>, tensor<?xi64>, tensor<6xi64>, tensor<?xi64>)
  %e, %f, %g, %h = npu.unique %x axis = 1 as_found : (tensor<4x6xf32>) -> (tensor<4x?xf32>, tensor<?xi64>, tensor<6xi64>, tensor<?xi64>)
  return
}

// -----

/// Boxes have corners or centers.
// CHECK-LABEL: func.func @non_max_suppression(
func.func @non_max_suppression(
    %b: tensor<1x8x4xf32>, %s: tensor<1x2x8xf32>, %n: tensor<1xi64>, %t: tensor<1xf32>, %u: tensor<f32>) {
  // CHECK-NEXT: %x = npu.non_max_suppression %b, %s, %n, %t, %u : (tensor<1x8x4xf32>, tensor<1x2x8xf32>, tensor<1xi64>, tensor<1xf32>, tensor<f32>) -> tensor<?x3xi64>
  %x = npu.non_max_suppression %b, %s, %n, %t, %u
    : (tensor<1x8x4xf32>, tensor<1x2x8xf32>, tensor<1xi64>, tensor<1xf32>, tensor<f32>) -> tensor<?x3xi64>
  // CHECK-NEXT: %y = npu.non_max_suppression %b, %s, %n, %u, %t centers : (tensor<1x8x4xf32>, tensor<1x2x8xf32>, tensor<1xi64>, tensor<f32>, tensor<1xf32>) -> tensor<?x3xi64>
  %y = npu.non_max_suppression %b, %s, %n, %u, %t centers
    : (tensor<1x8x4xf32>, tensor<1x2x8xf32>, tensor<1xi64>, tensor<f32>, tensor<1xf32>) -> tensor<?x3xi64>
  return
}
