// REQUIRES: mlir-bindings
// RUN: npu-opt %s -f tosa --split-input-file --layout-optimal --stats -o %t.mlir 2>&1 | filecheck %s

/// An op with regions is kept as the text of a function: the convolution inside is left unchanged, which is said.
// CHECK: note: layout-optimal: 1 tosa.cond_if left unchanged: 1 convolution inside was not placed{{$}}
// CHECK-NEXT: layout-optimal: 0 transposes, 0 bytes: the least for the ops that were placed{{$}}

func.func @main(%p: tensor<i1>, %x: tensor<1x4x4x2xf32>, %k: tensor<2x1x1x2xf32>, %b: tensor<2xf32>, %z: tensor<1xf32>) -> tensor<1x4x4x2xf32> {
  %y = tosa.cond_if %p (%t = %x) : tensor<i1> (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  ^bb0(%t: tensor<1x4x4x2xf32>):
    %c = tosa.conv2d %t, %k, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
    tosa.yield %c : tensor<1x4x4x2xf32>
  } else {
  ^bb0(%t: tensor<1x4x4x2xf32>):
    tosa.yield %t : tensor<1x4x4x2xf32>
  }
  return %y : tensor<1x4x4x2xf32>
}

// -----

/// So are ops of which nothing is known.
// CHECK: note: layout-optimal: 1 tosa.cond_if left unchanged: 1 op inside was not placed{{$}}
// CHECK-NEXT: layout-optimal: 0 transposes, 0 bytes: the least for the ops that were placed{{$}}

func.func @main(%p: tensor<i1>, %x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %y = tosa.cond_if %p (%t = %x) : tensor<i1> (tensor<4x2xf32>) -> tensor<4x2xf32> {
  ^bb0(%t: tensor<4x2xf32>):
    %c = tosa.custom %t {operator_name = "magic", domain_name = "vendor", implementation_attrs = ""} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    tosa.yield %c : tensor<4x2xf32>
  } else {
  ^bb0(%t: tensor<4x2xf32>):
    tosa.yield %t : tensor<4x2xf32>
  }
  return %y : tensor<4x2xf32>
}
