// RUN: npu-opt %s --split-input-file --convert-linalg-to-npu --layout-optimal=cost=count --convert-npu-to-linalg 2>%t.notes | filecheck %s
// RUN: npu-opt %s --split-input-file --convert-linalg-to-npu="generalise=true" --layout-optimal=cost=count --convert-npu-to-linalg 2>%t.notes | filecheck %s --check-prefix=GENERAL

/// Transposes around an elementwise op cancel, whatever the indexing maps. Its loops follow the new order.
// CHECK-LABEL: func.func @cancel(
// CHECK:         %0 = tensor.empty() : tensor<4x8xf32>
// CHECK:         %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%0 : tensor<4x8xf32>) {
// CHECK:         linalg.yield %s : f32
// CHECK:         func.return %r : tensor<4x8xf32>
// GENERAL-LABEL: func.func @cancel(
// GENERAL:       %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%0 : tensor<4x8xf32>) {
func.func @cancel(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
      affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
    ins(%t, %b : tensor<8x4xf32>, tensor<8xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %u = linalg.transpose ins(%r : tensor<8x4xf32>) outs(%e2 : tensor<4x8xf32>) permutation = [1, 0]
  return %u : tensor<4x8xf32>
}

// -----

/// A convolution becomes the named op of the other order, and its constant kernel is written in that order. A transpose
/// of another kernel would move more than one transpose of the data.
// CHECK-LABEL: func.func @convolution(
// CHECK:         %k = arith.constant dense<{{\[\[}}{{\[\[}}1.000000e+00]], {{\[\[}}4.000000e+00]]], {{\[\[}}[2.000000e+00]], {{\[\[}}5.000000e+00]]], {{\[\[}}[3.000000e+00]], {{\[\[}}6.000000e+00]]]]> : tensor<3x2x1x1xf32>
// CHECK:         %z = arith.constant 0.000000e+00 : f32
// CHECK:         %0 = tensor.empty() : tensor<1x3x4x4xf32>
// CHECK:         %f = linalg.fill ins(%z : f32) outs(%0 : tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
// CHECK:         %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %k : tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) outs(%f : tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
// CHECK:         func.return %y : tensor<1x3x4x4xf32>
// GENERAL-LABEL: func.func @convolution(
func.func @convolution(%x: tensor<1x2x4x4xf32>) -> tensor<1x3x4x4xf32> {
  %k = arith.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]]> : tensor<1x1x2x3xf32>
  %e0 = tensor.empty() : tensor<1x4x4x2xf32>
  %t = linalg.transpose ins(%x : tensor<1x2x4x4xf32>) outs(%e0 : tensor<1x4x4x2xf32>) permutation = [0, 2, 3, 1]
  %z = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<1x4x4x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e1 : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  %y = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%t, %k : tensor<1x4x4x2xf32>, tensor<1x1x2x3xf32>) outs(%f : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  %e2 = tensor.empty() : tensor<1x3x4x4xf32>
  %u = linalg.transpose ins(%y : tensor<1x4x4x3xf32>) outs(%e2 : tensor<1x3x4x4xf32>) permutation = [0, 3, 1, 2]
  return %u : tensor<1x3x4x4xf32>
}

// -----

/// A product has no name for a transposed result. As a generic op it writes one.
// CHECK-LABEL: func.func @product(
// CHECK:         %z = arith.constant 0.000000e+00 : f32
// CHECK:         %e = tensor.empty() : tensor<4x6xf32>
// CHECK:         %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK:         %m = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK:         %e1 = tensor.empty() : tensor<6x4xf32>
// CHECK:         %t = linalg.transpose ins(%m:tensor<4x6xf32>) outs(%e1:tensor<6x4xf32>) permutation = [1, 0]
// CHECK:         func.return %t : tensor<6x4xf32>
// GENERAL-LABEL: func.func @product(
// GENERAL:       %m = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d1, d0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<6x4xf32>) {
func.func @product(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<6x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %m = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %e1 = tensor.empty() : tensor<6x4xf32>
  %t = linalg.transpose ins(%m : tensor<4x6xf32>) outs(%e1 : tensor<6x4xf32>) permutation = [1, 0]
  return %t : tensor<6x4xf32>
}

// -----

/// A reduction of a transposed operand sums along the other axis, and a broadcast repeats along it.
// CHECK-LABEL: func.func @dimensions(
// CHECK:         %r = linalg.reduce ins(%x:tensor<4x8xf32>) outs(%i:tensor<8xf32>) dimensions = [0]
// CHECK:         linalg.yield %s : f32
// CHECK:         %0 = tensor.empty() : tensor<3x8xf32>
// CHECK:         %b = linalg.broadcast ins(%r:tensor<8xf32>) outs(%0:tensor<3x8xf32>) dimensions = [0]
// CHECK:         func.return %b : tensor<3x8xf32>
// GENERAL-LABEL: func.func @dimensions(
func.func @dimensions(%x: tensor<4x8xf32>, %i: tensor<8xf32>) -> tensor<3x8xf32> {
  %e0 = tensor.empty() : tensor<8x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e0 : tensor<8x4xf32>) permutation = [1, 0]
  %r = linalg.reduce ins(%t : tensor<8x4xf32>) outs(%i : tensor<8xf32>) dimensions = [1]
  (%a: f32, %o: f32) {
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  %e = tensor.empty() : tensor<8x3xf32>
  %b = linalg.broadcast ins(%r : tensor<8xf32>) outs(%e : tensor<8x3xf32>) dimensions = [1]
  %e1 = tensor.empty() : tensor<3x8xf32>
  %u = linalg.transpose ins(%b : tensor<8x3xf32>) outs(%e1 : tensor<3x8xf32>) permutation = [1, 0]
  return %u : tensor<3x8xf32>
}

// -----

/// Unknown sizes are those of the old destination, in the new order.
// CHECK-LABEL: func.func @unknown(
// CHECK:         %z = arith.constant 1.000000e+00 : f32
// CHECK:         %0 = tensor.empty(%n) : tensor<?x8xf32>
// CHECK:         %f = linalg.fill ins(%z : f32) outs(%0 : tensor<?x8xf32>) -> tensor<?x8xf32>
// CHECK:         %1 = tensor.empty(%n) : tensor<?x8xf32>
// CHECK:         %s = linalg.sub ins(%x, %f : tensor<?x8xf32>, tensor<?x8xf32>) outs(%1 : tensor<?x8xf32>) -> tensor<?x8xf32>
// CHECK:         func.return %s : tensor<?x8xf32>
// GENERAL-LABEL: func.func @unknown(
func.func @unknown(%x: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %e0 = tensor.empty(%n) : tensor<8x?xf32>
  %a = linalg.transpose ins(%x : tensor<?x8xf32>) outs(%e0 : tensor<8x?xf32>) permutation = [1, 0]
  %z = arith.constant 1.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e0 : tensor<8x?xf32>) -> tensor<8x?xf32>
  %s = linalg.sub ins(%a, %f : tensor<8x?xf32>, tensor<8x?xf32>) outs(%e0 : tensor<8x?xf32>) -> tensor<8x?xf32>
  %e2 = tensor.empty(%n) : tensor<?x8xf32>
  %r = linalg.transpose ins(%s : tensor<8x?xf32>) outs(%e2 : tensor<?x8xf32>) permutation = [1, 0]
  return %r : tensor<?x8xf32>
}

// -----

/// Both results of an op get the orders of their users, and a transpose of unit axes is a reshape.
// CHECK-LABEL: func.func @results(
// CHECK:         %e = tensor.empty() : tensor<4x1x8xf32>
// CHECK:         %e2 = tensor.empty() : tensor<8x4x1xf32>
// CHECK:         %t, %t_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2, d0, d1)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x1x8xf32>) outs(%e, %e2 : tensor<4x1x8xf32>, tensor<8x4x1xf32>) {
// CHECK:         linalg.yield %s, %p : f32, f32
// CHECK:         %0 = tensor.collapse_shape %t {{\[\[}}0 : i64], [1 : i64, 2 : i64]] : tensor<4x1x8xf32> into tensor<4x8xf32>
// CHECK:         %u = tensor.expand_shape %0 {{\[\[}}0 : i64, 1 : i64], [2 : i64]] output_shape [1, 4, 8] : tensor<4x8xf32> into tensor<1x4x8xf32>
// CHECK:         func.return %u, %t_1 : tensor<1x4x8xf32>, tensor<8x4x1xf32>
// GENERAL-LABEL: func.func @results(
// GENERAL:       %t, %t_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2, d0, d1)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x1x8xf32>) outs(%e, %e2 : tensor<4x1x8xf32>, tensor<8x4x1xf32>) {
func.func @results(%x: tensor<4x1x8xf32>) -> (tensor<1x4x8xf32>, tensor<8x4x1xf32>) {
  %e = tensor.empty() : tensor<4x1x8xf32>
  %e2 = tensor.empty() : tensor<8x4x1xf32>
  %t:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>,
      affine_map<(d0, d1, d2) -> (d2, d0, d1)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x : tensor<4x1x8xf32>) outs(%e, %e2 : tensor<4x1x8xf32>, tensor<8x4x1xf32>) {
  ^bb0(%p: f32, %o: f32, %q: f32):
    %s = arith.addf %p, %p : f32
    linalg.yield %s, %p : f32, f32
  } -> tensor<4x1x8xf32>, tensor<8x4x1xf32>
  %e1 = tensor.empty() : tensor<1x4x8xf32>
  %u = linalg.transpose ins(%t#0 : tensor<4x1x8xf32>) outs(%e1 : tensor<1x4x8xf32>) permutation = [1, 0, 2]
  return %u, %t#1 : tensor<1x4x8xf32>, tensor<8x4x1xf32>
}

// -----

/// An elementwise op of tosa takes the order of its operand.
// CHECK-LABEL: func.func @tosa(
// CHECK-NEXT:    %r = tosa.sin %x : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:    func.return %r : tensor<2x3x4xf32>
// GENERAL-LABEL: func.func @tosa(
// GENERAL-NEXT:  %r = tosa.sin %x : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
func.func @tosa(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %e = tensor.empty() : tensor<2x4x3xf32>
  %t = linalg.transpose ins(%x : tensor<2x3x4xf32>) outs(%e : tensor<2x4x3xf32>) permutation = [0, 2, 1]
  %r = tosa.sin %t : (tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %f = tensor.empty() : tensor<2x3x4xf32>
  %u = linalg.transpose ins(%r : tensor<2x4x3xf32>) outs(%f : tensor<2x3x4xf32>) permutation = [0, 2, 1]
  return %u : tensor<2x3x4xf32>
}
