// RUN: npu-opt %s --split-input-file --target=%S/Inputs/measured.toml --layout-optimal --stats 2>&1 > /dev/null | grep -v interface=free | filecheck %s
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/measured_by_count.toml --layout-optimal --stats 2>&1 > /dev/null | grep -v interface=free | filecheck --check-prefix=COUNT %s
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/measured_by_count.toml --layout-optimal="cost=prices" --stats 2>&1 > /dev/null | grep -v interface=free | filecheck --check-prefix=PRICES %s

/// On a target that counts transposes, prices count where an option asks for them. The fewest transposes are then left
/// unless they cost more than those that were there, or half as much again as the cheapest ones. No program gets more
/// transposes than it has, if it needs no more.

/// Runs of 4 elements: 2 x 1024.
// CHECK:      layout-optimal: 1 transpose, 1024 bytes, 2048 ns: proved minimum
// COUNT:      layout-optimal: 1 transpose, 1024 bytes: proved minimum
// PRICES:     layout-optimal: 1 transpose, 1024 bytes: proved minimum
func.func @short(%x: tensor<8x8x4xf32, #npu.layout<Tensor>>) -> tensor<8x8x4xf32, #npu.layout<Tensor>> {
  %t = npu.transpose %x permutation = [1, 0, 2] : (tensor<8x8x4xf32, #npu.layout<Tensor>>) -> tensor<8x8x4xf32, #npu.layout<Tensor>>
  return %t : tensor<8x8x4xf32, #npu.layout<Tensor>>
}

// -----

/// Two axes that stay neighbours are one run of 8: 0.25 x 2048.
// CHECK-NEXT: layout-optimal: 1 transpose, 2048 bytes, 512 ns: proved minimum
func.func @long(%x: tensor<8x8x2x4xf32, #npu.layout<Tensor>>) -> tensor<8x8x2x4xf32, #npu.layout<Tensor>> {
  %t = npu.transpose %x permutation = [1, 0, 2, 3] : (tensor<8x8x2x4xf32, #npu.layout<Tensor>>) -> tensor<8x8x2x4xf32, #npu.layout<Tensor>>
  return %t : tensor<8x8x2x4xf32, #npu.layout<Tensor>>
}

// -----

/// No elements stay side by side where the last axis moves, however long it is.
// CHECK-NEXT: layout-optimal: 1 transpose, 2048 bytes, 2048 ns: proved minimum
func.func @none(%x: tensor<16x32xf32, #npu.layout<Tensor>>) -> tensor<32x16xf32, #npu.layout<Tensor>> {
  %t = npu.transpose %x permutation = [1, 0] : (tensor<16x32xf32, #npu.layout<Tensor>>) -> tensor<32x16xf32, #npu.layout<Tensor>>
  return %t : tensor<32x16xf32, #npu.layout<Tensor>>
}

// -----

/// 2 x 4 x 8 x 16 multiplications, each for 0.5, and 8.
// CHECK-NEXT: layout-optimal: 0 transposes, 0 bytes, 520 ns: proved minimum
func.func @few_rows(%x: tensor<2x4x8xf32, #npu.layout<Tensor>>, %y: tensor<2x8x16xf32, #npu.layout<Tensor>>) -> tensor<2x4x16xf32, #npu.layout<Tensor>> {
  %p = npu.matmul %x, %y : (tensor<2x4x8xf32, #npu.layout<Tensor>>, tensor<2x8x16xf32, #npu.layout<Tensor>>) -> tensor<2x4x16xf32, #npu.layout<Tensor>>
  return %p : tensor<2x4x16xf32, #npu.layout<Tensor>>
}

// -----

/// Of an unknown number of rows nothing is known.
// CHECK-NEXT: layout-optimal: 0 transposes, 0 bytes, 0 ns: proved minimum
func.func @unknown_rows(%x: tensor<2x?x8xf32, #npu.layout<Tensor>>, %y: tensor<2x8x16xf32, #npu.layout<Tensor>>) -> tensor<2x?x16xf32, #npu.layout<Tensor>> {
  %p = npu.matmul %x, %y : (tensor<2x?x8xf32, #npu.layout<Tensor>>, tensor<2x8x16xf32, #npu.layout<Tensor>>) -> tensor<2x?x16xf32, #npu.layout<Tensor>>
  return %p : tensor<2x?x16xf32, #npu.layout<Tensor>>
}

// -----

/// Next to the last axis: 0.5 x 256, less than two transposes.
// CHECK-NEXT: layout-optimal: 0 transposes, 0 bytes, 128 ns: proved minimum
func.func @next(%x: tensor<2x4x8xf32, #npu.layout<Tensor>>) -> tensor<2x4x8xf32, #npu.layout<Tensor>> {
  %s = npu.softmax %x axis = 1 : tensor<2x4x8xf32, #npu.layout<Tensor>>
  return %s : tensor<2x4x8xf32, #npu.layout<Tensor>>
}

// -----

/// A price of 4 x 256 elsewhere: two transposes of runs, each for 0.25 x 256, lead to the place next to the last axis.
// CHECK-NEXT: layout-optimal: 2 transposes, 512 bytes, 256 ns: proved minimum
// COUNT:      layout-optimal: 0 transposes, 0 bytes: proved minimum
// PRICES:     layout-optimal: 0 transposes, 0 bytes, 1024 ns: unchanged, because the least price needs 2 transposes
func.func @elsewhere(%x: tensor<2x4x8xf32, #npu.layout<Tensor>>) -> tensor<2x4x8xf32, #npu.layout<Tensor>> {
  %s = npu.softmax %x axis = 0 : tensor<2x4x8xf32, #npu.layout<Tensor>>
  return %s : tensor<2x4x8xf32, #npu.layout<Tensor>>
}

// -----

/// Several axes next to the last one.
// CHECK-NEXT: layout-optimal: 0 transposes, 0 bytes, 100 ns: proved minimum
func.func @several(%x: tensor<64x4x8x16xf32, #npu.layout<Tensor>>) -> tensor<64x16xf32, #npu.layout<Tensor>> {
  %s = npu.reduce_sum %x axes = [1, 2] : (tensor<64x4x8x16xf32, #npu.layout<Tensor>>) -> tensor<64x16xf32, #npu.layout<Tensor>>
  return %s : tensor<64x16xf32, #npu.layout<Tensor>>
}

// -----

/// A place without a price of its own costs what any other does.
// CHECK-NEXT: layout-optimal: 0 transposes, 0 bytes, 1000 ns: proved minimum
func.func @anywhere(%x: tensor<64x4x8x16xf32, #npu.layout<Tensor>>) -> tensor<64x16xf32, #npu.layout<Tensor>> {
  %s = npu.reduce_max %x axes = [1, 2] : (tensor<64x4x8x16xf32, #npu.layout<Tensor>>) -> tensor<64x16xf32, #npu.layout<Tensor>>
  return %s : tensor<64x16xf32, #npu.layout<Tensor>>
}

// -----

/// The fewest transposes are one, whose runs are short behind the slice and twice as long before it, for a quarter of the
/// price. The least price moves the softmax next to the last axis as well, for 768 ns less: that is no difference.
// CHECK-NEXT: layout-optimal: 3 transposes, 131584 bytes, 33024 ns: proved minimum
// COUNT:      layout-optimal: 1 transpose, 65536 bytes: proved minimum
// PRICES:      layout-optimal: 1 transpose, 131072 bytes, 33792 ns: fewer transposes than the least price needs, which is 33024 ns
func.func @no_difference(%x: tensor<64x64x8xf32, #npu.layout<Tensor>>, %y: tensor<2x4x8xf32, #npu.layout<Tensor>>) -> (tensor<64x64x4xf32, #npu.layout<Tensor>>, tensor<2x4x8xf32, #npu.layout<Tensor>>) {
  %e = npu.exp %x : tensor<64x64x8xf32, #npu.layout<Tensor>>
  %some = npu.slice %e starts = [0, 0, 0] limits = [64, 64, 4] : (tensor<64x64x8xf32, #npu.layout<Tensor>>) -> tensor<64x64x4xf32, #npu.layout<Tensor>>
  %t = npu.transpose %some permutation = [1, 0, 2] : (tensor<64x64x4xf32, #npu.layout<Tensor>>) -> tensor<64x64x4xf32, #npu.layout<Tensor>>
  %s = npu.softmax %y axis = 0 : tensor<2x4x8xf32, #npu.layout<Tensor>>
  return %t, %s : tensor<64x64x4xf32, #npu.layout<Tensor>>, tensor<2x4x8xf32, #npu.layout<Tensor>>
}

// -----

/// The least price needs four transposes, and two came. None costs less than these, and more than half as much again as
/// four.
// CHECK:      layout-optimal: 4 transposes, 1024 bytes, 512 ns: proved minimum
// COUNT:      layout-optimal: 0 transposes, 0 bytes: proved minimum
// PRICES:     layout-optimal: 0 transposes, 0 bytes: proved minimum
func.func @no_more(%x: tensor<8x8x4xf32, #npu.layout<Tensor>>, %y: tensor<2x4x8xf32, #npu.layout<Tensor>>, %z: tensor<2x4x8xf32, #npu.layout<Tensor>>) -> (tensor<8x8x4xf32, #npu.layout<Tensor>>, tensor<2x4x8xf32, #npu.layout<Tensor>>, tensor<2x4x8xf32, #npu.layout<Tensor>>) {
  %t = npu.transpose %x permutation = [1, 0, 2] : (tensor<8x8x4xf32, #npu.layout<Tensor>>) -> tensor<8x8x4xf32, #npu.layout<Tensor>>
  %e = npu.exp %t : tensor<8x8x4xf32, #npu.layout<Tensor>>
  %back = npu.transpose %e permutation = [1, 0, 2] : (tensor<8x8x4xf32, #npu.layout<Tensor>>) -> tensor<8x8x4xf32, #npu.layout<Tensor>>
  %s = npu.softmax %y axis = 0 : tensor<2x4x8xf32, #npu.layout<Tensor>>
  %r = npu.softmax %z axis = 0 : tensor<2x4x8xf32, #npu.layout<Tensor>>
  return %back, %s, %r : tensor<8x8x4xf32, #npu.layout<Tensor>>, tensor<2x4x8xf32, #npu.layout<Tensor>>, tensor<2x4x8xf32, #npu.layout<Tensor>>
}

// -----

/// None is saved, and the bytes are half as many behind the cast: the transpose stays where it is, as kernels take little
/// less time for narrower elements.
// CHECK:      layout-optimal: 1 transpose, 512 bytes, 1024 ns: proved minimum
// COUNT:      layout-optimal: 1 transpose, 512 bytes: proved minimum
// PRICES:     layout-optimal: 1 transpose, 1024 bytes, 2048 ns: unchanged, because fewer are impossible, and to move them saves little
func.func @narrower(%x: tensor<8x8x4xf32, #npu.layout<Tensor>>) -> tensor<8x8x4xf16, #npu.layout<Tensor>> {
  %t = npu.transpose %x permutation = [1, 0, 2] : (tensor<8x8x4xf32, #npu.layout<Tensor>>) -> tensor<8x8x4xf32, #npu.layout<Tensor>>
  %c = npu.cast %t : (tensor<8x8x4xf32, #npu.layout<Tensor>>) -> tensor<8x8x4xf16, #npu.layout<Tensor>>
  return %c : tensor<8x8x4xf16, #npu.layout<Tensor>>
}

// -----

/// A quarter of the bytes is a gain.
// CHECK-NEXT: layout-optimal: 1 transpose, 256 bytes, 512 ns: proved minimum
// COUNT-NEXT: layout-optimal: 1 transpose, 256 bytes: proved minimum
// PRICES-NEXT: layout-optimal: 1 transpose, 256 bytes: proved minimum
func.func @fewer(%x: tensor<8x8x4xf32, #npu.layout<Tensor>>) -> tensor<2x8x4xf32, #npu.layout<Tensor>> {
  %t = npu.transpose %x permutation = [1, 0, 2] : (tensor<8x8x4xf32, #npu.layout<Tensor>>) -> tensor<8x8x4xf32, #npu.layout<Tensor>>
  %some = npu.slice %t starts = [0, 0, 0] limits = [2, 8, 4] : (tensor<8x8x4xf32, #npu.layout<Tensor>>) -> tensor<2x8x4xf32, #npu.layout<Tensor>>
  return %some : tensor<2x8x4xf32, #npu.layout<Tensor>>
}

// -----

/// A program with a transpose that moves nothing does not stay as it came.
// CHECK-NEXT: layout-optimal: 1 transpose, 512 bytes, 1024 ns: proved minimum
// COUNT-NEXT: layout-optimal: 1 transpose, 512 bytes: proved minimum
// PRICES-NEXT: layout-optimal: 1 transpose, 512 bytes: proved minimum
func.func @idle(%x: tensor<8x8x4x1xf32, #npu.layout<Tensor>>) -> tensor<8x8x1x4xf16, #npu.layout<Tensor>> {
  %t = npu.transpose %x permutation = [1, 0, 2, 3] : (tensor<8x8x4x1xf32, #npu.layout<Tensor>>) -> tensor<8x8x4x1xf32, #npu.layout<Tensor>>
  %c = npu.cast %t : (tensor<8x8x4x1xf32, #npu.layout<Tensor>>) -> tensor<8x8x4x1xf16, #npu.layout<Tensor>>
  %u = npu.transpose %c permutation = [0, 1, 3, 2] : (tensor<8x8x4x1xf16, #npu.layout<Tensor>>) -> tensor<8x8x1x4xf16, #npu.layout<Tensor>>
  return %u : tensor<8x8x1x4xf16, #npu.layout<Tensor>>
}

// -----

/// 16 lines of 4 elements, each for 2.
// CHECK-NEXT: layout-optimal: 0 transposes, 0 bytes, 32 ns: proved minimum
// COUNT-NEXT: layout-optimal: 0 transposes, 0 bytes: proved minimum
// PRICES-NEXT: layout-optimal: 0 transposes, 0 bytes: proved minimum
func.func @lines(%x: tensor<2x8x4xf32, #npu.layout<Tensor>>, %at: tensor<2x8x4xi64, #npu.layout<Tensor>>) -> tensor<2x8x4xf32, #npu.layout<Tensor>> {
  %g = npu.gather_elements %x, %at axis = 1 : (tensor<2x8x4xf32, #npu.layout<Tensor>>, tensor<2x8x4xi64, #npu.layout<Tensor>>) -> tensor<2x8x4xf32, #npu.layout<Tensor>>
  return %g : tensor<2x8x4xf32, #npu.layout<Tensor>>
}

// -----

/// Without the transposes it is 512 lines of 2 elements instead of 4 of 256: the lines are those of the form.
// CHECK-NEXT: layout-optimal: 0 transposes, 0 bytes, 1024 ns: proved minimum
// COUNT-NEXT: layout-optimal: 0 transposes, 0 bytes: proved minimum
// PRICES-NEXT: layout-optimal: 0 transposes, 0 bytes: proved minimum
func.func @lines_of_the_form(%x: tensor<256x2x2xf32, #npu.layout<Tensor>>, %at: tensor<256x2x2xi64, #npu.layout<Tensor>>) -> tensor<256x2x2xf32, #npu.layout<Tensor>> {
  %t = npu.transpose %x permutation = [1, 2, 0] : (tensor<256x2x2xf32, #npu.layout<Tensor>>) -> tensor<2x2x256xf32, #npu.layout<Tensor>>
  %p = npu.transpose %at permutation = [1, 2, 0] : (tensor<256x2x2xi64, #npu.layout<Tensor>>) -> tensor<2x2x256xi64, #npu.layout<Tensor>>
  %g = npu.gather_elements %t, %p axis = 1 : (tensor<2x2x256xf32, #npu.layout<Tensor>>, tensor<2x2x256xi64, #npu.layout<Tensor>>) -> tensor<2x2x256xf32, #npu.layout<Tensor>>
  %back = npu.transpose %g permutation = [2, 0, 1] : (tensor<2x2x256xf32, #npu.layout<Tensor>>) -> tensor<256x2x2xf32, #npu.layout<Tensor>>
  return %back : tensor<256x2x2xf32, #npu.layout<Tensor>>
}

// -----

/// Four transposes are the cheapest, and no more than came. None costs four times as much. Two are 18% dearer, and a
/// third of what came: a transpose less is worth a part of that.
// CHECK-NEXT: layout-optimal: 4 transposes, 8704 bytes, 4352 ns: proved minimum
// COUNT-NEXT: layout-optimal: 0 transposes, 0 bytes: proved minimum
// PRICES-NEXT: layout-optimal: 2 transposes, 8192 bytes, 5120 ns: fewer transposes than the least price needs, which is 4352 ns
func.func @between(%x: tensor<8x16x4xf32, #npu.layout<Tensor>>, %y: tensor<2x4x8xf32, #npu.layout<Tensor>>, %z: tensor<2x64x8xf32, #npu.layout<Tensor>>) -> (tensor<8x16x4xf32, #npu.layout<Tensor>>, tensor<2x4x8xf32, #npu.layout<Tensor>>, tensor<2x64x8xf32, #npu.layout<Tensor>>) {
  %0 = npu.transpose %x permutation = [1, 0, 2] : (tensor<8x16x4xf32, #npu.layout<Tensor>>) -> tensor<16x8x4xf32, #npu.layout<Tensor>>
  %1 = npu.exp %0 : tensor<16x8x4xf32, #npu.layout<Tensor>>
  %2 = npu.transpose %1 permutation = [1, 0, 2] : (tensor<16x8x4xf32, #npu.layout<Tensor>>) -> tensor<8x16x4xf32, #npu.layout<Tensor>>
  %3 = npu.exp %2 : tensor<8x16x4xf32, #npu.layout<Tensor>>
  %4 = npu.transpose %3 permutation = [1, 0, 2] : (tensor<8x16x4xf32, #npu.layout<Tensor>>) -> tensor<16x8x4xf32, #npu.layout<Tensor>>
  %5 = npu.exp %4 : tensor<16x8x4xf32, #npu.layout<Tensor>>
  %6 = npu.transpose %5 permutation = [1, 0, 2] : (tensor<16x8x4xf32, #npu.layout<Tensor>>) -> tensor<8x16x4xf32, #npu.layout<Tensor>>
  %s = npu.softmax %y axis = 0 : tensor<2x4x8xf32, #npu.layout<Tensor>>
  %r = npu.softmax %z axis = 0 : tensor<2x64x8xf32, #npu.layout<Tensor>>
  return %6, %s, %r : tensor<8x16x4xf32, #npu.layout<Tensor>>, tensor<2x4x8xf32, #npu.layout<Tensor>>, tensor<2x64x8xf32, #npu.layout<Tensor>>
}
