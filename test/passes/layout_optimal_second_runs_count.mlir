// RUN: npu-opt %s --target=%S/Inputs/recompute_count.toml --layout-optimal=cost=prices --stats --split-input-file 2>%t | filecheck %s
// RUN: filecheck %s --check-prefix=COST < %t
// RUN: npu-opt %s --target=%S/Inputs/recompute_count.toml --layout-optimal=cost=prices --split-input-file -o %t.once.mlir
// RUN: npu-opt %t.once.mlir --target=%S/Inputs/recompute_count.toml --layout-optimal=cost=prices --split-input-file -o %t.twice.mlir
// RUN: diff %t.once.mlir %t.twice.mlir
// RUN: npu-opt %s --target=%S/Inputs/recompute_count.toml --layout-optimal --stats --split-input-file -o /dev/null 2>&1 | filecheck %s --check-prefix=COUNT

/// A copy that leaves as many transposes is taken for its price; without prices there is none.
// CHECK-LABEL: func.func @as_many
// CHECK-NEXT:  %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x4x4x8xi8, #npu.layout<NHWC>>
// CHECK-NEXT:  %c = npu.cast %x : (tensor<1x8x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %c_1 = npu.cast %x_1 : (tensor<1x4x4x8xi8, #npu.layout<NHWC>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  %m = npu.mirror %c_1 axes = [1]
// CHECK-NEXT:  func.return %c, %m
// COST: layout-optimal: 1 transpose, 128 bytes, and 1 op runs twice for 51.2 cycles: proved minimum
// COUNT: layout-optimal: 1 transpose, 512 bytes: proved minimum
func.func @as_many(%x: tensor<1x8x4x4xi8, #npu.layout<NCHW>>) -> (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>) {
  %c = npu.cast %x : (tensor<1x8x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %t = npu.transpose %c permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  %m = npu.mirror %t axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  func.return %c, %m : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}

// -----

/// Copies that need more transposes are not, although two of numbers of 8 bits cost less than one.
// CHECK-LABEL: func.func @more
// CHECK-NEXT:  %c = npu.cast %x
// CHECK-NEXT:  %d = npu.cast %y
// CHECK-NEXT:  %s = npu.add %c, %d
// CHECK-NEXT:  %t = npu.transpose %s
// CHECK-NEXT:  %m = npu.mirror %t
// CHECK-NEXT:  func.return %s, %m
// COST: layout-optimal: 1 transpose, 512 bytes: proved minimum
// COUNT: layout-optimal: 1 transpose, 512 bytes: proved minimum
func.func @more(%x: tensor<1x8x4x4xi8, #npu.layout<NCHW>>, %y: tensor<1x8x4x4xi8, #npu.layout<NCHW>>) -> (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>) {
  %c = npu.cast %x : (tensor<1x8x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %d = npu.cast %y : (tensor<1x8x4x4xi8, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %s = npu.add %c, %d : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %t = npu.transpose %s permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  %m = npu.mirror %t axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  func.return %s, %m : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}
