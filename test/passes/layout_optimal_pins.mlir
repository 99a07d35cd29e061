// RUN: npu-opt %s --split-input-file --layout-optimal --stats --verify-diagnostics 2>%t.err | filecheck %s
// RUN: filecheck %s --check-prefix=COST --input-file=%t.err

/// Pins may be in the program; each has its price, and all of them together.
// CHECK-LABEL: func.func @pins(
// CHECK:         %y = npu.relu %x_1 : tensor<6x?xf32, #npu.layout<Tensor, [1, 0]>>
// CHECK:         %z = npu.tanh %y_1 : tensor<?x6xf32, #npu.layout<Tensor>>
// CHECK:         %w = npu.exp %z_1 : tensor<6x?xf32, #npu.layout<Tensor, [1, 0]>>
// CHECK-NOT:     npu.pin
// COST:      note: pin of %y to Tensor, [1, 0] costs 2 transposes, ~48 bytes
// COST-NEXT: note: pin of %z to Tensor costs 2 transposes, ~48 bytes
// COST-NEXT: note: pin of %w to Tensor, [1, 0] costs 2 transposes, ~48 bytes
// COST-NEXT: note: pin of %n to Tensor, [1, 0] costs nothing
// COST-NEXT: note: the 4 pins together: 0 to 4 transposes, 0 to ~96 bytes
// COST-NEXT: layout-optimal: 4 transposes, ~96 bytes (unknown sizes count as 64, first ones as 1): proved minimum under 4 pins
func.func @pins(%x: tensor<?x6xf32>, %e: tensor<0x6xf32>) -> (tensor<?x6xf32>, tensor<0x6xf32>) {
  %y = npu.relu %x {npu.pin = "Tensor, [1, 0]"} : tensor<?x6xf32>
  %z = npu.tanh %y {npu.pin = "Tensor"} : tensor<?x6xf32>
  %w = npu.exp %z {npu.pin = "Tensor, [1, 0]"} : tensor<?x6xf32>
  %n = npu.relu %e {npu.pin = "Tensor, [1, 0]"} : tensor<0x6xf32>
  return %w, %n : tensor<?x6xf32>, tensor<0x6xf32>
}

// -----

/// A pin of an argument holds if its order is free.
// CHECK-LABEL: func.func @kept(
// CHECK-SAME:    %x: tensor<4x6xf32, #npu.layout<Tensor>>)
// COST:      note: pin of %x to Tensor costs nothing
func.func @kept(%x: tensor<4x6xf32> {npu.pin = "Tensor"}) -> tensor<4x6xf32> {
  %y = npu.relu %x : tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

/// A pin of a value that nothing reads.
// CHECK: :[[#]]:8: error: pass 'layout-optimal' failed: %z is not stored, as nothing reads it
func.func @dead(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %z = npu.relu %x {npu.pin = "Tensor"} : tensor<4x6xf32>
  return %x : tensor<4x6xf32>
}

// -----

/// A pin that is no layout.
// CHECK: error: pass 'layout-optimal' failed: npu.pin: expected a text such as NHWC, found 3 : i64
func.func @number(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %y = npu.relu %x {npu.pin = 3 : i64} : tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

/// An op with several results has a text for each.
// CHECK: error: pass 'layout-optimal' failed: npu.pin: expected a layout for each of 2 results, found "Tensor"
func.func @two(%x: tensor<4x6xf32>) -> tensor<2x6xf32> {
  %y, %z = npu.split %x axis = 0 sizes = [2, 2] {npu.pin = "Tensor"} : (tensor<4x6xf32>) -> (tensor<2x6xf32>, tensor<2x6xf32>)
  return %y : tensor<2x6xf32>
}

// -----

/// An op of another dialect keeps its layout, and so does a value without one.
// CHECK: error: pass 'layout-optimal' failed: %y cannot be stored in Tensor, [1, 0]: nothing is known of the axes of %y tensor.cast; possible: Tensor
func.func @foreign(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %y = tensor.cast %x {npu.pin = "Tensor, [1, 0]"} : tensor<4x6xf32> to tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

/// A pin of a number.
// CHECK: error: pass 'layout-optimal' failed: %y has no layout: its type is f32
func.func @scalar(%x: f32) -> f32 {
  %y = arith.addf %x, %x {npu.pin = "Tensor"} : f32
  return %y : f32
}
