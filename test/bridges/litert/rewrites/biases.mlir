// RUN: npu-opt %s -t "tfl-mlir{rewrites=biases}" | filecheck %s
// RUN: npu-opt %s -t "tfl-mlir{rewrites=biases}" > %t.mlir && npu-opt %t.mlir -t "tfl-mlir{rewrites=biases}" | diff %t.mlir -

/// A constant row that is added to a product alone is its bias; numbers for each element are added as before.
func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %w = npu.constant dense<0.5> : tensor<3x4xf32>
  %b = npu.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %c = npu.constant dense<2.0> : tensor<2x4xf32>
  %p = npu.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %y = npu.add %p, %b : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  %q = npu.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %z = npu.add %q, %c : tensor<2x4xf32>
  func.return %y, %z : tensor<2x4xf32>, tensor<2x4xf32>
}

// CHECK: func.func @main(%0: !tfl.tensor<F32 [2, 3]>) -> (!tfl.tensor<F32 [2, 4], {name = "y"}>, !tfl.tensor<F32 [2, 4], {name = "z"}>) {
// CHECK-NEXT: %1 = tfl.source <F32, {numbers = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>}> of "b" : !tfl.tensor<F32 [4]>
// CHECK-NEXT: %2 = tfl.source <F32, {numbers = dense<2.000000e+00> : tensor<8xf32>, steps = {{\[\[}}array<i64: 2, 4>, array<i64: 0, 1>]]}> : !tfl.tensor<F32 [2, 4], {name = "c"}>
// CHECK-NEXT: %3 = tfl.source <F32, {numbers = dense<5.000000e-01> : tensor<12xf32>, steps = {{\[\[}}array<i64: 3, 4>, array<i64: 1, 0>]]}> of "w" : !tfl.tensor<F32 [4, 3]>
// CHECK-NEXT: %4 = tfl.source <F32, {numbers = dense<5.000000e-01> : tensor<12xf32>, steps = {{\[\[}}array<i64: 3, 4>, array<i64: 1, 0>]]}> of "w" : !tfl.tensor<F32 [4, 3]>
// CHECK-NEXT: %5 = tfl.op <{kind = "FULLY_CONNECTED", options = {keepNumDims = false, weightsFormat = 0 : i64}, part_of = "npu.matmul"}>(%0, %3, %1) : (!tfl.tensor<F32 [2, 3]>, !tfl.tensor<F32 [4, 3]>, !tfl.tensor<F32 [4]>) -> !tfl.tensor<F32 [2, 4], {name = "y"}>
// CHECK-NEXT: %6 = tfl.op <{kind = "FULLY_CONNECTED", options = {keepNumDims = false, weightsFormat = 0 : i64}, part_of = "npu.matmul"}>(%0, %4) : (!tfl.tensor<F32 [2, 3]>, !tfl.tensor<F32 [4, 3]>) -> !tfl.tensor<F32 [2, 4], {name = "q"}>
// CHECK-NEXT: %7 = tfl.op <{kind = "ADD", part_of = "npu.add"}>(%6, %2) : (!tfl.tensor<F32 [2, 4], {name = "q"}>, !tfl.tensor<F32 [2, 4], {name = "c"}>) -> !tfl.tensor<F32 [2, 4], {name = "z"}>
// CHECK-NEXT: func.return %5, %7 : !tfl.tensor<F32 [2, 4], {name = "y"}>, !tfl.tensor<F32 [2, 4], {name = "z"}>
