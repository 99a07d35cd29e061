// RUN: npu-opt %s --layout-optimal --canonicalize --verify-layouts 2>&1 | filecheck %s
// RUN: not npu-opt %s --layout-optimal=cost=traffic 2>&1 | filecheck %s --check-prefix TRAFFIC

/// A pin at the result of a branch holds for all that it is tied to.
// CHECK:      note: pin of %y to Tensor, [1, 0] costs 2 transposes, 192 bytes
// CHECK:      %x_1 = npu.transpose %x permutation = [1, 0]
// CHECK:      %y = scf.if %c -> (tensor<6x4xf32, #npu.layout<Tensor, [1, 0]>>) {
func.func @pinned(%c: i1, %x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %y = scf.if %c -> (tensor<4x6xf32>) {
    scf.yield %x : tensor<4x6xf32>
  } else {
    scf.yield %x : tensor<4x6xf32>
  } {npu.pin = "Tensor, [1, 0]"}
  func.return %y : tensor<4x6xf32>
}

/// Values that are carried keep their order where each function counts once.
// TRAFFIC: %y cannot be stored in Tensor, [1, 0]: nothing is known of the axes of %y scf.if; possible: Tensor
