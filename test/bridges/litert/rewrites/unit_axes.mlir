// RUN: npu-opt %s -t "tfl-mlir{rewrites=unit-axes}" | filecheck %s
// RUN: npu-opt %s -t "tfl-mlir{rewrites=unit-axes}" > %t.mlir && npu-opt %t.mlir -t "tfl-mlir{rewrites=unit-axes}" | diff %t.mlir -

/// The transpose has the axes of one element that the reshape behind it has added.
func.func @main(%x: tensor<48xf32>) -> tensor<1x6x1x8xf32> {
  %a = npu.reshape %x : (tensor<48xf32>) -> tensor<8x6xf32>
  %b = npu.transpose %a permutation = [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
  %y = npu.reshape %b : (tensor<6x8xf32>) -> tensor<1x6x1x8xf32>
  func.return %y : tensor<1x6x1x8xf32>
}

// CHECK: func.func @main(%0: !tfl.tensor<F32 [48]>) -> !tfl.tensor<F32 [1, 6, 1, 8], {name = "y"}> {
// CHECK-NEXT: %1 = tfl.source <I32, {numbers = dense<[1, 8, 1, 6]> : tensor<4xi32>}> : !tfl.tensor<I32 [4]>
// CHECK-NEXT: %2 = tfl.source <I32, {numbers = dense<[0, 3, 2, 1]> : tensor<4xi32>}> : !tfl.tensor<I32 [4]>
// CHECK-NEXT: %3 = tfl.op <{kind = "RESHAPE", part_of = "npu.reshape"}>(%0, %1) : (!tfl.tensor<F32 [48]>, !tfl.tensor<I32 [4]>) -> !tfl.tensor<F32 [1, 8, 1, 6], {name = "a"}>
// CHECK-NEXT: %4 = tfl.op <{kind = "TRANSPOSE", moved = 192 : i64}>(%3, %2) : (!tfl.tensor<F32 [1, 8, 1, 6], {name = "a"}>, !tfl.tensor<I32 [4]>) -> !tfl.tensor<F32 [1, 6, 1, 8], {name = "y"}>
// CHECK-NEXT: func.return %4 : !tfl.tensor<F32 [1, 6, 1, 8], {name = "y"}>
