// RUN: npu-opt %s --inline-fused --split-input-file | filecheck %s
// RUN: npu-opt %s --inline-fused --inline-fused --split-input-file | filecheck %s

/// A fused function goes where it is called, twice if it is called twice; other functions stay.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    (%x: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %relu = npu.relu %x : tensor<4xf32>
// CHECK-NEXT:    %abs = npu.abs %relu : tensor<4xf32>
// CHECK-NEXT:    %relu_1 = npu.relu %abs : tensor<4xf32>
// CHECK-NEXT:    %abs_1 = npu.abs %relu_1 : tensor<4xf32>
// CHECK-NEXT:    %c = func.call @other(%abs_1) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    func.return %c : tensor<4xf32>
// CHECK-LABEL: func.func private @other
// CHECK-SAME:    (%z: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %neg = npu.neg %z : tensor<4xf32>
// CHECK-NEXT:    func.return %neg : tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @fused_relu_abs(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = func.call @fused_relu_abs(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = func.call @other(%b) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}
func.func private @fused_relu_abs(%y: tensor<4xf32>) -> tensor<4xf32> attributes {npu.primitive} {
  %relu = npu.relu %y : tensor<4xf32>
  %abs = npu.abs %relu : tensor<4xf32>
  func.return %abs : tensor<4xf32>
}
func.func private @other(%z: tensor<4xf32>) -> tensor<4xf32> {
  %neg = npu.neg %z : tensor<4xf32>
  func.return %neg : tensor<4xf32>
}
