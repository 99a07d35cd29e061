// RUN: npu-opt %s --split-input-file --target=%S/Inputs/long_ways.toml --layout-optimal --stats 2>&1 > /dev/null | grep layout-optimal: | filecheck %s
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/long_ways.toml --layout-optimal 2> /dev/null | filecheck --check-prefix=IR %s
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/long_ways_by_count.toml --layout-optimal="cost=prices" --stats 2>&1 > /dev/null | grep layout-optimal: | filecheck --check-prefix=PRICES %s
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/long_ways_by_count.toml --layout-optimal="cost=guarded" --stats 2>&1 > /dev/null | grep layout-optimal: | filecheck --check-prefix=GUARDED %s

/// A conversion is one transpose of data as it is produced. A program that transposes a transposed copy stays as it came
/// where it costs less than all that have no such transposes.

/// From x to z the rows and columns move as one: 10 x 2048, and 2048 for y.
// CHECK:       layout-optimal: 2 transposes, 4096 bytes, 4096 cycles: unchanged, because all others that were tried cost more, 22528 cycles at least
// IR:          %y = npu.transpose %x permutation = [1, 0, 2]
// IR-NEXT:     %z = npu.transpose %y permutation = [0, 2, 1]
// PRICES:      layout-optimal: 2 transposes, 4096 bytes, 4096 cycles: unchanged, because all others that were tried cost more, 22528 cycles at least
// GUARDED:     layout-optimal: 2 transposes, 4096 bytes, 4096 cycles: unchanged, because 2 transposes would cost 22528 cycles
func.func @copy_of_a_copy(%x: tensor<4x8x16xf32>) -> (tensor<8x4x16xf32>, tensor<8x16x4xf32>) {
  %y = npu.transpose %x permutation = [1, 0, 2] : (tensor<4x8x16xf32>) -> tensor<8x4x16xf32>
  %z = npu.transpose %y permutation = [0, 2, 1] : (tensor<8x4x16xf32>) -> tensor<8x16x4xf32>
  return %y, %z : tensor<8x4x16xf32>, tensor<8x16x4xf32>
}

// -----

/// Beside it two transposes that an elementwise op does not need, for 20480 each: now another program costs less.
// CHECK-NEXT:  layout-optimal: 2 transposes, 4096 bytes, 22528 cycles: proved minimum
// IR:          npu.transpose %x permutation = [1, 2, 0]
// IR:          npu.transpose %x permutation = [1, 0, 2]
// IR:          npu.relu
// IR-NOT:      npu.transpose
// IR:          func.return
// PRICES-NEXT: layout-optimal: 2 transposes, 4096 bytes: proved minimum
// GUARDED-NEXT: layout-optimal: 2 transposes, 4096 bytes: proved minimum
func.func @dearer(%x: tensor<4x8x16xf32>) -> (tensor<8x4x16xf32>, tensor<8x16x4xf32>, tensor<4x8x16xf32>) {
  %y = npu.transpose %x permutation = [1, 0, 2] : (tensor<4x8x16xf32>) -> tensor<8x4x16xf32>
  %z = npu.transpose %y permutation = [0, 2, 1] : (tensor<8x4x16xf32>) -> tensor<8x16x4xf32>
  %a = npu.transpose %x permutation = [1, 2, 0] : (tensor<4x8x16xf32>) -> tensor<8x16x4xf32>
  %b = npu.relu %a : tensor<8x16x4xf32>
  %r = npu.transpose %b permutation = [2, 0, 1] : (tensor<8x16x4xf32>) -> tensor<4x8x16xf32>
  return %y, %z, %r : tensor<8x4x16xf32>, tensor<8x16x4xf32>, tensor<4x8x16xf32>
}

// -----

/// Data that is stored otherwise than the target demands is transposed, although the program as it came has no price.
// CHECK-NEXT:   layout-optimal: 2 transposes, 1024 bytes, 10240 cycles: proved minimum
// IR:           npu.transpose %x permutation = [0, 3, 1, 2]
// PRICES-NEXT:  layout-optimal: 2 transposes, 1024 bytes, 10240 cycles: proved minimum
// GUARDED-NEXT: layout-optimal: 2 transposes, 1024 bytes: proved minimum
func.func @demands(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>> {
  %y = npu.conv2d %x, %w : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  return %y : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}
