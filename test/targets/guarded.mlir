// RUN: npu-opt %s --split-input-file --target=%S/Inputs/free_swaps.toml --layout-optimal="cost=guarded" 2> %t.err | filecheck %s
// RUN: filecheck --check-prefix=WHY --input-file=%t.err %s
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/free_swaps.toml --layout-optimal="cost=count" | filecheck --check-prefix=MOVED %s

/// With cost=guarded a program stays as it came if no transpose is saved, and nothing by the prices. The count alone
/// moves the transpose of keys in front of the op that repeats them, where it moves a quarter of the bytes.
// CHECK:      %t = npu.transpose %r permutation = [0, 2, 1] : (tensor<8x9x32xf32, #npu.layout<NTensor>>) -> tensor<8x32x9xf32, #npu.layout<NTensor>>
// CHECK-NEXT: %m = npu.matmul %q, %t : (tensor<8x1x32xf32, #npu.layout<NTensor>>, tensor<8x32x9xf32, #npu.layout<NTensor>>) -> tensor<8x1x9xf32, #npu.layout<NTensor>>

// MOVED:      %u_1 = npu.transpose %u permutation = [0, 1, 3, 2] : (tensor<2x1x9x32xf32, #npu.layout<Tensor>>) -> tensor<2x1x32x9xf32, #npu.layout<Tensor, [0, 1, 3, 2]>>
// MOVED-NEXT: %b = npu.broadcast %u_1

// WHY:      layout-optimal: 1 transpose, 9216 bytes, 0 cycles: unchanged, because fewer are impossible, and to move them saves little
func.func @main(%q: tensor<8x1x32xf32>, %k: tensor<2x9x32xf32>) -> tensor<8x1x9xf32> {
  %u = npu.reshape %k : (tensor<2x9x32xf32>) -> tensor<2x1x9x32xf32>
  %b = npu.broadcast %u axes = [0, 1, 2, 3] : (tensor<2x1x9x32xf32>) -> tensor<2x4x9x32xf32>
  %r = npu.reshape %b : (tensor<2x4x9x32xf32>) -> tensor<8x9x32xf32>
  %t = npu.transpose %r permutation = [0, 2, 1] : (tensor<8x9x32xf32>) -> tensor<8x32x9xf32>
  %m = npu.matmul %q, %t : (tensor<8x1x32xf32>, tensor<8x32x9xf32>) -> tensor<8x1x9xf32>
  func.return %m : tensor<8x1x9xf32>
}

// -----

/// A program in which nothing can be moved is at its minimum.
// CHECK:      %t = npu.transpose %k permutation = [0, 2, 1] : (tensor<8x9x32xf32, #npu.layout<NTensor>>) -> tensor<8x32x9xf32, #npu.layout<NTensor>>
// WHY-NOT:  unchanged
func.func @least(%q: tensor<8x1x32xf32>, %k: tensor<8x9x32xf32>) -> tensor<8x1x9xf32> {
  %t = npu.transpose %k permutation = [0, 2, 1] : (tensor<8x9x32xf32>) -> tensor<8x32x9xf32>
  %m = npu.matmul %q, %t : (tensor<8x1x32xf32>, tensor<8x32x9xf32>) -> tensor<8x1x9xf32>
  func.return %m : tensor<8x1x9xf32>
}
