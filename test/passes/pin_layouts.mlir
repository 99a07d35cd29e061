// RUN: npu-opt %s --pin-layouts="plan=%S/Inputs/pins.toml" | filecheck %s
// RUN: npu-opt %s --pin-layouts="plan=%S/Inputs/pins.toml" --pin-layouts="plan=%S/Inputs/pins.toml" | filecheck %s
// RUN: npu-opt %s --pin-layouts="plan=%S/Inputs/pins.toml" --layout-optimal --stats 2>%t.err | filecheck %s --check-prefix=PLACED
// RUN: filecheck %s --check-prefix=PRICE --input-file=%t.err

!image = tensor<1x4x8x8xf32, #npu.layout<NCHW>>

/// A pin is an attribute of the op that produces the value, with its place in the plan, or of the argument.
/// `layout-optimal` stores the value so, says what that costs, and removes the attribute.
// CHECK-LABEL: func.func @one(
// CHECK-SAME:    %x: tensor<1x4x8x8xf32, #npu.layout<NCHW>> {npu.pin = "NCHW ({{.*}}pins.toml:4:1)"})
// CHECK:         %relu = npu.relu %x {npu.pin = "NHWC ({{.*}}pins.toml:2:1)"} : tensor<1x4x8x8xf32, #npu.layout<NCHW>>
// PLACED-LABEL: func.func @one(
// PLACED-SAME:    %x: tensor<1x4x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x8xf32, #npu.layout<NCHW>>
// PLACED-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1]
// PLACED-NEXT:    %relu = npu.relu %x_1 : tensor<1x8x8x4xf32, #npu.layout<NHWC>>
// PLACED-NEXT:    %relu_1 = npu.transpose %relu permutation = [0, 3, 1, 2]
// PRICE:      {{.*}}pins.toml:2:1: note: pin of %relu to NHWC costs 2 transposes, 2048 bytes
func.func @one(%x: !image) -> !image {
  %relu = npu.relu %x : !image
  return %relu : !image
}

/// An op with several results has a text for each, which is empty where none is pinned.
// CHECK-LABEL: func.func @two(
// CHECK:         %high, %low = npu.split %y {{.*}}{npu.pin = ["", "Tensor, [1, 0] ({{.*}}pins.toml:3:1)"]}
// PRICE-NEXT: {{.*}}pins.toml:3:1: note: pin of %low to Tensor, [1, 0] costs 3 transposes, 192 bytes
// PRICE-NEXT: note: the 3 pins together: 0 to 5 transposes, 0 to 2240 bytes
func.func @two(%y: tensor<4x6xf32>) -> (tensor<2x6xf32>, tensor<2x6xf32>) {
  %high, %low = npu.split %y axis = 0 sizes = [2, 2] : (tensor<4x6xf32>) -> (tensor<2x6xf32>, tensor<2x6xf32>)
  return %high, %low : tensor<2x6xf32>, tensor<2x6xf32>
}
