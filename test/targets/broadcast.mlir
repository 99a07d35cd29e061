// RUN: npu-opt %s --split-input-file --target=%S/Inputs/broadcast.toml --layout-optimal | filecheck %s
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/broadcast.toml --layout-optimal --stats -o %t.mlir 2>&1 | filecheck %s --check-prefix COST
// RUN: npu-opt %s --split-input-file --target=plover --layout-optimal --stats -o %t.mlir 2>&1 | filecheck %s --check-prefix FREE
// RUN: npu-opt %S/Inputs/broadcast.mlir --target=%S/Inputs/broadcast.toml --layout-optimal --why=%r -o %t.mlir 2>&1 | filecheck %s --check-prefix WHY

/// A broadcast that may not transpose: the data is transposed before it is repeated, not behind.
// COST:      layout-optimal: 1 transpose, 48 bytes: proved minimum
// FREE: layout-optimal: 0 transposes, 0 bytes: proved minimum
// CHECK-LABEL: @before(
// CHECK:      npu.transpose %x permutation = [1, 0]
// CHECK-NEXT: npu.broadcast %{{.*}} axes = [1, 2]
// CHECK-NEXT: npu.softmax %{{.*}} axis = 2
func.func @before(%x: tensor<3x4xf32, #npu.layout<Tensor>>) -> tensor<5xf32, #npu.layout<Tensor>> {
  %r = npu.broadcast %x axes = [1, 2] : (tensor<3x4xf32, #npu.layout<Tensor>>) -> tensor<5x3x4xf32, #npu.layout<Tensor>>
  %s = npu.softmax %r axis = 1 : tensor<5x3x4xf32, #npu.layout<Tensor>>
  %y = npu.reduce_sum %s axes = [1, 2] : (tensor<5x3x4xf32, #npu.layout<Tensor>>) -> tensor<5xf32, #npu.layout<Tensor>>
  func.return %y : tensor<5xf32, #npu.layout<Tensor>>
}

// -----

/// Axes of one element may be anywhere, and new axes are where they are needed.
// COST-NEXT: layout-optimal: 0 transposes, 0 bytes: proved minimum
// CHECK-LABEL: @anywhere(
// CHECK:      npu.reshape %x : (tensor<3x1xf32, #npu.layout<Tensor>>) -> tensor<1x3xf32, #npu.layout<Tensor, [1, 0]>>
// CHECK-NEXT: npu.broadcast %{{.*}} axes = [1, 2]
// CHECK-NEXT: npu.softmax
func.func @anywhere(%x: tensor<3x1xf32, #npu.layout<Tensor>>) -> tensor<5xf32, #npu.layout<Tensor>> {
  %r = npu.broadcast %x axes = [1, 2] : (tensor<3x1xf32, #npu.layout<Tensor>>) -> tensor<5x3x4xf32, #npu.layout<Tensor>>
  %s = npu.softmax %r axis = 1 : tensor<5x3x4xf32, #npu.layout<Tensor>>
  %y = npu.reduce_sum %s axes = [1, 2] : (tensor<5x3x4xf32, #npu.layout<Tensor>>) -> tensor<5xf32, #npu.layout<Tensor>>
  func.return %y : tensor<5xf32, #npu.layout<Tensor>>
}

// -----

/// A broadcast that transposes already is mended.
// COST-NEXT: layout-optimal: 1 transpose, 48 bytes: proved minimum
// CHECK-LABEL: @mended(
// CHECK:      npu.transpose %x permutation = [1, 0]
// CHECK-NEXT: npu.broadcast %{{.*}} axes = [0, 1]
func.func @mended(%x: tensor<4x3xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<3x4x5xf32, #npu.layout<Tensor>> {
  %r = npu.broadcast %x axes = [1, 0] : (tensor<4x3xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<3x4x5xf32, #npu.layout<Tensor>>
  func.return %r : tensor<3x4x5xf32, #npu.layout<Tensor>>
}

/// The reason is the demand that another order meets.
// WHY:      layout-optimal: %r is stored in Tensor, [0, 2, 1] instead of Tensor
// WHY-NEXT:   because %s softmax demands its axis last (broadcast.toml:11)
// WHY-NEXT:   in all: 1 transpose, 48 bytes: proved minimum
