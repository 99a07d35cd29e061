// RUN: npu-opt %s --split-input-file --target=onnx --layout-optimal --stats 2> %t.err | filecheck %s
// RUN: filecheck %s --check-prefix=LEFT --input-file=%t.err
// RUN: npu-opt %s --split-input-file --target=onnx --layout-optimal --layout-optimal 2> /dev/null | filecheck %s
// RUN: npu-opt %s --split-input-file --layout-optimal --canonicalize 2> /dev/null | filecheck %s --check-prefix=OPU
// RUN: npu-opt %s --split-input-file --target=onnx --layout-optimal --why=%%n 2>&1 > /dev/null | filecheck %s --check-prefix=WHY

/// Demands on the axes that an op names (`layer_norm = { axes = "last" }` in the target) restrict the forms of the op.

/// ONNX normalises the last axes only, so the transposes stay; `opu` has no such demand and needs none.
// CHECK-LABEL: func.func @last
// CHECK-SAME: (%x: tensor<1x8x16x16xf32, #npu.layout<Tensor>>) -> tensor<1x8x16x16xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:   %t = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x16x16xf32, #npu.layout<Tensor>>) -> tensor<1x16x16x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:   %n = npu.layer_norm %t axes = [3] : tensor<1x16x16x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:   %u = npu.transpose %n permutation = [0, 3, 1, 2] : (tensor<1x16x16x8xf32, #npu.layout<Tensor>>) -> tensor<1x8x16x16xf32, #npu.layout<Tensor>>
// CHECK-NEXT:   func.return %u : tensor<1x8x16x16xf32, #npu.layout<Tensor>>
// OPU-LABEL: func.func @last
// OPU-SAME: (%x: tensor<1x8x16x16xf32, #npu.layout<Tensor>>) -> tensor<1x8x16x16xf32, #npu.layout<Tensor>> {
// OPU-NEXT:   %t = npu.relabel %x : (tensor<1x8x16x16xf32, #npu.layout<Tensor>>) -> tensor<1x8x16x16xf32, #npu.layout<Tensor, [0, 3, 1, 2]>>
// OPU-NEXT:   %n = npu.layer_norm %t axes = [1] : tensor<1x8x16x16xf32, #npu.layout<Tensor, [0, 3, 1, 2]>>
// OPU-NEXT:   %u = npu.relabel %n : (tensor<1x8x16x16xf32, #npu.layout<Tensor, [0, 3, 1, 2]>>) -> tensor<1x8x16x16xf32, #npu.layout<Tensor>>
// OPU-NEXT:   func.return %u : tensor<1x8x16x16xf32, #npu.layout<Tensor>>
// LEFT: layout-optimal: 2 transposes, 16384 bytes: proved minimum
// WHY: layout-optimal: %n stays in Tensor
// WHY-NEXT: because %n layer_norm demands its axes last (onnx.toml:53)
// WHY-NEXT: transposed for output 0 of @last (8192 bytes), because output 0 of @last keeps Tensor, but %n layer_norm demands its axes last (onnx.toml:53)
// WHY-NEXT: in all: 2 transposes, 16384 bytes: proved minimum
// WHY-NEXT: without the demand of layer_norm on axes (onnx.toml:53): 2 to 0 transposes, 16384 to 0 bytes
// WHY-NEXT: with output 0 of @last stored as Tensor, [0, 2, 3, 1]: 2 to 1 transposes, 16384 to 8192 bytes
func.func @last(%x: tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32> {
  %t = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x16x16xf32>) -> tensor<1x16x16x8xf32>
  %n = npu.layer_norm %t axes = [3] : tensor<1x16x16x8xf32>
  %u = npu.transpose %n permutation = [0, 3, 1, 2] : (tensor<1x16x16x8xf32>) -> tensor<1x8x16x16xf32>
  return %u : tensor<1x8x16x16xf32>
}

// -----

/// A norm in a place that ONNX does not have is converted, as for a demand of a layout.
// CHECK-LABEL: func.func @unmet
// CHECK-SAME: (%x: tensor<2x8x16x16xf32, #npu.layout<Tensor>>) -> tensor<2x8x16x16xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:   %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<2x8x16x16xf32, #npu.layout<Tensor>>) -> tensor<2x16x16x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:   %n = npu.layer_norm %x_1 axes = [3] : tensor<2x16x16x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:   %n_1 = npu.transpose %n permutation = [0, 3, 1, 2] : (tensor<2x16x16x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<2x8x16x16xf32, #npu.layout<Tensor>>
// CHECK-NEXT:   func.return %n_1 : tensor<2x8x16x16xf32, #npu.layout<Tensor>>
// OPU-LABEL: func.func @unmet
// OPU-SAME: (%x: tensor<2x8x16x16xf32, #npu.layout<Tensor>>) -> tensor<2x8x16x16xf32, #npu.layout<Tensor>> {
// OPU-NEXT:   %n = npu.layer_norm %x axes = [1] : tensor<2x8x16x16xf32, #npu.layout<Tensor>>
// OPU-NEXT:   func.return %n : tensor<2x8x16x16xf32, #npu.layout<Tensor>>
// LEFT: layout-optimal: 2 transposes, 32768 bytes: proved minimum
// WHY: layout-optimal: %n is stored in Tensor, [0, 2, 3, 1] instead of Tensor
// WHY-NEXT: because %n layer_norm demands its axes last (onnx.toml:53)
// WHY-NEXT: transposed for output 0 of @unmet (16384 bytes), because output 0 of @unmet keeps Tensor, but %n layer_norm demands its axes last (onnx.toml:53)
// WHY-NEXT: in all: 2 transposes, 32768 bytes: proved minimum
// WHY-NEXT: without the demand of layer_norm on axes (onnx.toml:53): 2 to 0 transposes, 32768 to 0 bytes
// WHY-NEXT: with output 0 of @unmet stored as Tensor, [0, 2, 3, 1]: 2 to 1 transposes, 32768 to 16384 bytes
func.func @unmet(%x: tensor<2x8x16x16xf32>) -> tensor<2x8x16x16xf32> {
  %n = npu.layer_norm %x axes = [1] : tensor<2x8x16x16xf32>
  return %n : tensor<2x8x16x16xf32>
}

// -----

/// The channels of a batch norm are at position 1, of any class.
// CHECK-LABEL: func.func @second
// CHECK-SAME: (%x: tensor<4x32x6xf32, #npu.layout<Tensor>>, %v: tensor<6xf32, #npu.layout<Tensor>>) -> tensor<4x32x6xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:   %x_1 = npu.transpose %x permutation = [0, 2, 1] : (tensor<4x32x6xf32, #npu.layout<Tensor>>) -> tensor<4x6x32xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:   %n = npu.batch_norm %x_1, %v, %v, %v, %v axis = 1 : (tensor<4x6x32xf32, #npu.layout<Tensor, [0, 2, 1]>>, tensor<6xf32, #npu.layout<Tensor>>, tensor<6xf32, #npu.layout<Tensor>>, tensor<6xf32, #npu.layout<Tensor>>, tensor<6xf32, #npu.layout<Tensor>>) -> tensor<4x6x32xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:   %n_1 = npu.transpose %n permutation = [0, 2, 1] : (tensor<4x6x32xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<4x32x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:   func.return %n_1 : tensor<4x32x6xf32, #npu.layout<Tensor>>
// OPU-LABEL: func.func @second
// OPU-SAME: (%x: tensor<4x32x6xf32, #npu.layout<Tensor>>, %v: tensor<6xf32, #npu.layout<Tensor>>) -> tensor<4x32x6xf32, #npu.layout<Tensor>> {
// OPU-NEXT:   %n = npu.batch_norm %x, %v, %v, %v, %v axis = 2 : (tensor<4x32x6xf32, #npu.layout<Tensor>>, tensor<6xf32, #npu.layout<Tensor>>, tensor<6xf32, #npu.layout<Tensor>>, tensor<6xf32, #npu.layout<Tensor>>, tensor<6xf32, #npu.layout<Tensor>>) -> tensor<4x32x6xf32, #npu.layout<Tensor>>
// OPU-NEXT:   func.return %n : tensor<4x32x6xf32, #npu.layout<Tensor>>
// LEFT: layout-optimal: 2 transposes, 6144 bytes: proved minimum
// WHY: layout-optimal: %n is stored in Tensor, [0, 2, 1] instead of Tensor
// WHY-NEXT: because %n batch_norm demands its axis at position 1 (onnx.toml:50)
// WHY-NEXT: transposed for output 0 of @second (3072 bytes), because output 0 of @second keeps Tensor, but %n batch_norm demands its axis at position 1 (onnx.toml:50)
// WHY-NEXT: in all: 2 transposes, 6144 bytes: proved minimum
// WHY-NEXT: without the demand of batch_norm on axis (onnx.toml:50): 2 to 0 transposes, 6144 to 0 bytes
// WHY-NEXT: with output 0 of @second stored as Tensor, [0, 2, 1]: 2 to 1 transposes, 6144 to 3072 bytes
func.func @second(%x: tensor<4x32x6xf32>, %v: tensor<6xf32>) -> tensor<4x32x6xf32> {
  %n = npu.batch_norm %x, %v, %v, %v, %v axis = 2
    : (tensor<4x32x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<4x32x6xf32>
  return %n : tensor<4x32x6xf32>
}

// -----

/// The same with an axis of one element in front: behind the others it moves no data.
// CHECK-LABEL: func.func @one_element
// CHECK-SAME: (%x: tensor<1x32x6xf32, #npu.layout<Tensor>>, %v: tensor<6xf32, #npu.layout<Tensor>>) -> tensor<1x32x6xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:   %x_1 = npu.reshape %x : (tensor<1x32x6xf32, #npu.layout<Tensor>>) -> tensor<32x6x1xf32, #npu.layout<Tensor, [1, 2, 0]>>
// CHECK-NEXT:   %n = npu.batch_norm %x_1, %v, %v, %v, %v axis = 1 : (tensor<32x6x1xf32, #npu.layout<Tensor, [1, 2, 0]>>, tensor<6xf32, #npu.layout<Tensor>>, tensor<6xf32, #npu.layout<Tensor>>, tensor<6xf32, #npu.layout<Tensor>>, tensor<6xf32, #npu.layout<Tensor>>) -> tensor<32x6x1xf32, #npu.layout<Tensor, [1, 2, 0]>>
// CHECK-NEXT:   %n_1 = npu.reshape %n : (tensor<32x6x1xf32, #npu.layout<Tensor, [1, 2, 0]>>) -> tensor<1x32x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:   func.return %n_1 : tensor<1x32x6xf32, #npu.layout<Tensor>>
// OPU-LABEL: func.func @one_element
// OPU-SAME: (%x: tensor<1x32x6xf32, #npu.layout<Tensor>>, %v: tensor<6xf32, #npu.layout<Tensor>>) -> tensor<1x32x6xf32, #npu.layout<Tensor>> {
// OPU-NEXT:   %n = npu.batch_norm %x, %v, %v, %v, %v axis = 2 : (tensor<1x32x6xf32, #npu.layout<Tensor>>, tensor<6xf32, #npu.layout<Tensor>>, tensor<6xf32, #npu.layout<Tensor>>, tensor<6xf32, #npu.layout<Tensor>>, tensor<6xf32, #npu.layout<Tensor>>) -> tensor<1x32x6xf32, #npu.layout<Tensor>>
// OPU-NEXT:   func.return %n : tensor<1x32x6xf32, #npu.layout<Tensor>>
// LEFT: layout-optimal: 0 transposes, 0 bytes: proved minimum
// WHY: layout-optimal: %n stays in Tensor
// WHY-NEXT: because output 0 of @one_element keeps Tensor
// WHY-NEXT: in all: 0 transposes, 0 bytes: proved minimum
func.func @one_element(%x: tensor<1x32x6xf32>, %v: tensor<6xf32>) -> tensor<1x32x6xf32> {
  %n = npu.batch_norm %x, %v, %v, %v, %v axis = 2
    : (tensor<1x32x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<1x32x6xf32>
  return %n : tensor<1x32x6xf32>
}
