// RUN: npu-opt %s --fuse-ops | filecheck %s

/// The first example of the seed: the input and the large constant are arguments, the constant of one element is inside.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    (%data: tensor<10xf32>) -> tensor<10xf32> {
// CHECK-NEXT:    %c = npu.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+01]> : tensor<10xf32>
// CHECK-NEXT:    %0 = func.call @fused_div_mul_relu(%data, %c) : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32>
// CHECK-NEXT:    func.return %0 : tensor<10xf32>
// CHECK-LABEL: func.func private @fused_div_mul_relu
// CHECK-SAME:    (%data: tensor<10xf32>, %c: tensor<10xf32>) -> tensor<10xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %0 = npu.div %data, %c : tensor<10xf32>
// CHECK-NEXT:    %two = npu.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT:    %1 = npu.mul %0, %two : (tensor<10xf32>, tensor<f32>) -> tensor<10xf32>
// CHECK-NEXT:    %2 = npu.relu %1 : tensor<10xf32>
// CHECK-NEXT:    func.return %2 : tensor<10xf32>
func.func @main(%data: tensor<10xf32>) -> tensor<10xf32> {
  %c = npu.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]> : tensor<10xf32>
  %0 = npu.div %data, %c : tensor<10xf32>
  %two = npu.constant dense<2.0> : tensor<f32>
  %1 = npu.mul %0, %two : (tensor<10xf32>, tensor<f32>) -> tensor<10xf32>
  %2 = npu.relu %1 : tensor<10xf32>
  func.return %2 : tensor<10xf32>
}
