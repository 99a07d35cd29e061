// RUN: npu-opt %s -t "tfl-mlir{rewrites=reshape-pairs}" | filecheck %s
// RUN: npu-opt %s -t "tfl-mlir{rewrites=reshape-pairs}" > %t.mlir && npu-opt %t.mlir -t "tfl-mlir{rewrites=reshape-pairs}" | diff %t.mlir -

/// The EXP works in the shape before the first reshape, and none is left; of the NEG the second one is.
func.func @main(%x: tensor<1x8x6xf32>) -> (tensor<1x8x6xf32>, tensor<6x8xf32>) {
  %a = npu.reshape %x : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
  %b = npu.exp %a : tensor<8x6xf32>
  %y = npu.reshape %b : (tensor<8x6xf32>) -> tensor<1x8x6xf32>
  %c = npu.reshape %x : (tensor<1x8x6xf32>) -> tensor<48xf32>
  %d = npu.neg %c : tensor<48xf32>
  %z = npu.reshape %d : (tensor<48xf32>) -> tensor<6x8xf32>
  func.return %y, %z : tensor<1x8x6xf32>, tensor<6x8xf32>
}

// CHECK: func.func @main(%0: !tfl.tensor<F32 [1, 8, 6]>) -> (!tfl.tensor<F32 [1, 8, 6], {name = "y"}>, !tfl.tensor<F32 [6, 8], {name = "z"}>) {
// CHECK-NEXT: %1 = tfl.source <I32, {numbers = dense<[6, 8]> : tensor<2xi32>}> : !tfl.tensor<I32 [2]>
// CHECK-NEXT: %2 = tfl.op <{kind = "EXP", part_of = "npu.exp"}>(%0) : (!tfl.tensor<F32 [1, 8, 6]>) -> !tfl.tensor<F32 [1, 8, 6], {name = "y"}>
// CHECK-NEXT: %3 = tfl.op <{kind = "NEG", part_of = "npu.neg"}>(%0) : (!tfl.tensor<F32 [1, 8, 6]>) -> !tfl.tensor<F32 [1, 8, 6], {name = "d"}>
// CHECK-NEXT: %4 = tfl.op <{kind = "RESHAPE", part_of = "npu.reshape"}>(%3, %1) : (!tfl.tensor<F32 [1, 8, 6], {name = "d"}>, !tfl.tensor<I32 [2]>) -> !tfl.tensor<F32 [6, 8], {name = "z"}>
// CHECK-NEXT: func.return %2, %4 : !tfl.tensor<F32 [1, 8, 6], {name = "y"}>, !tfl.tensor<F32 [6, 8], {name = "z"}>
