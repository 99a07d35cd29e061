// RUN: npu-opt %s --layout-preset 2>&1 | filecheck %s
// RUN: npu-opt %s --layout-optimal 2>&1 | filecheck %s

/// A program with a transpose gets no advice about images, although nothing fixes a layout: there is something to place.
// CHECK-NOT: note:
// CHECK: npu.transpose
func.func @transposed(%x: tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf32> {
  %r = npu.relu %x : tensor<1x8x4x6xf32>
  %t = npu.transpose %r permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf32>
  return %t : tensor<1x4x6x8xf32>
}
