// RUN: npu-opt %s -t "tfl-mlir{rewrites=halves}" | filecheck %s
// RUN: npu-opt %s -t "tfl-mlir{rewrites=halves}" > %t.mlir && npu-opt %t.mlir -t "tfl-mlir{rewrites=halves}" | diff %t.mlir -

/// The constant of f16 is dequantised once, before its first reader.
func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %w = npu.constant dense<0.5> : tensor<2x3xf16>
  %f = npu.cast %w {litert.kind = "DEQUANTIZE"} : (tensor<2x3xf16>) -> tensor<2x3xf32>
  %y = npu.add %x, %f : tensor<2x3xf32>
  %z = npu.mul %y, %f : tensor<2x3xf32>
  func.return %y, %z : tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK: func.func @main(%0: !tfl.tensor<F32 [2, 3]>) -> (!tfl.tensor<F32 [2, 3], {name = "y"}>, !tfl.tensor<F32 [2, 3], {name = "z"}>) {
// CHECK-NEXT: %1 = tfl.source <F16, {numbers = dense<[0, 56, 0, 56, 0, 56, 0, 56, 0, 56, 0, 56]> : tensor<12xui8>, steps = {{\[\[}}array<i64: 2, 3>, array<i64: 0, 1>]]}> of "w" : !tfl.tensor<F16 [2, 3]>
// CHECK-NEXT: %2 = tfl.op <{kind = "DEQUANTIZE"}>(%1) : (!tfl.tensor<F16 [2, 3]>) -> !tfl.tensor<F32 [2, 3], {name = "f"}>
// CHECK-NEXT: %3 = tfl.op <{kind = "ADD", part_of = "npu.add"}>(%0, %2) : (!tfl.tensor<F32 [2, 3]>, !tfl.tensor<F32 [2, 3], {name = "f"}>) -> !tfl.tensor<F32 [2, 3], {name = "y"}>
// CHECK-NEXT: %4 = tfl.op <{kind = "MUL", part_of = "npu.mul"}>(%3, %2) : (!tfl.tensor<F32 [2, 3], {name = "y"}>, !tfl.tensor<F32 [2, 3], {name = "f"}>) -> !tfl.tensor<F32 [2, 3], {name = "z"}>
// CHECK-NEXT: func.return %3, %4 : !tfl.tensor<F32 [2, 3], {name = "y"}>, !tfl.tensor<F32 [2, 3], {name = "z"}>
