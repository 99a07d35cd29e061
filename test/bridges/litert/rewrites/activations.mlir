// RUN: npu-opt %s -t "tfl-mlir{rewrites=activations}" | filecheck %s
// RUN: npu-opt %s -t "tfl-mlir{rewrites=activations}" > %t.mlir && npu-opt %t.mlir -t "tfl-mlir{rewrites=activations}" | diff %t.mlir -

/// A clip from 0 to 6 joins the sum before it. The product has another reader, so its relu stays.
func.func @main(%0: !tfl.tensor<F32 [2, 3]>) -> (!tfl.tensor<F32 [2, 3], {name = "y"}>, !tfl.tensor<F32 [2, 3], {name = "b"}>, !tfl.tensor<F32 [2, 3], {name = "z"}>) {
  %1 = tfl.op <{kind = "ADD", part_of = "npu.add"}>(%0, %0) : (!tfl.tensor<F32 [2, 3]>, !tfl.tensor<F32 [2, 3]>) -> !tfl.tensor<F32 [2, 3], {name = "a"}>
  %2 = tfl.op <{kind = "RELU6", part_of = "npu.clip"}>(%1) : (!tfl.tensor<F32 [2, 3], {name = "a"}>) -> !tfl.tensor<F32 [2, 3], {name = "y"}>
  %3 = tfl.op <{kind = "MUL", part_of = "npu.mul"}>(%0, %0) : (!tfl.tensor<F32 [2, 3]>, !tfl.tensor<F32 [2, 3]>) -> !tfl.tensor<F32 [2, 3], {name = "b"}>
  %4 = tfl.op <{kind = "RELU", part_of = "npu.relu"}>(%3) : (!tfl.tensor<F32 [2, 3], {name = "b"}>) -> !tfl.tensor<F32 [2, 3], {name = "z"}>
  func.return %2, %3, %4 : !tfl.tensor<F32 [2, 3], {name = "y"}>, !tfl.tensor<F32 [2, 3], {name = "b"}>, !tfl.tensor<F32 [2, 3], {name = "z"}>
}

// CHECK: func.func @main(%0: !tfl.tensor<F32 [2, 3]>) -> (!tfl.tensor<F32 [2, 3], {name = "y"}>, !tfl.tensor<F32 [2, 3], {name = "b"}>, !tfl.tensor<F32 [2, 3], {name = "z"}>) {
// CHECK-NEXT: %1 = tfl.op <{kind = "ADD", activation = "RELU6", part_of = "npu.add"}>(%0, %0) : (!tfl.tensor<F32 [2, 3]>, !tfl.tensor<F32 [2, 3]>) -> !tfl.tensor<F32 [2, 3], {name = "y"}>
// CHECK-NEXT: %2 = tfl.op <{kind = "MUL", part_of = "npu.mul"}>(%0, %0) : (!tfl.tensor<F32 [2, 3]>, !tfl.tensor<F32 [2, 3]>) -> !tfl.tensor<F32 [2, 3], {name = "b"}>
// CHECK-NEXT: %3 = tfl.op <{kind = "RELU", part_of = "npu.relu"}>(%2) : (!tfl.tensor<F32 [2, 3], {name = "b"}>) -> !tfl.tensor<F32 [2, 3], {name = "z"}>
// CHECK-NEXT: func.return %1, %2, %3 : !tfl.tensor<F32 [2, 3], {name = "y"}>, !tfl.tensor<F32 [2, 3], {name = "b"}>, !tfl.tensor<F32 [2, 3], {name = "z"}>
