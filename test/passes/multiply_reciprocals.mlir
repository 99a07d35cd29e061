// RUN: npu-opt %s --multiply-reciprocals --split-input-file | filecheck %s
// RUN: npu-opt %s --multiply-reciprocals --multiply-reciprocals --split-input-file | filecheck %s

/// A scalar, and one number for each column.
// CHECK-LABEL: func.func @constants
// CHECK-SAME:    (%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
// CHECK-NEXT:    %y = npu.constant dense<2.500000e-01> : tensor<f32>
// CHECK-NEXT:    %y_1 = npu.mul %x, %y : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
// CHECK-NEXT:    %z = npu.constant dense<[[2.000000e+00, -1.250000e-01]]> : tensor<1x2xf32>
// CHECK-NEXT:    %z_1 = npu.mul %y_1, %z : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT:    func.return %z_1 : tensor<2x2xf32>
func.func @constants(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %four = npu.constant dense<4.0> : tensor<f32>
  %columns = npu.constant dense<[[0.5, -8.0]]> : tensor<1x2xf32>
  %y = npu.div %x, %four : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %z = npu.div %y, %columns : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  func.return %z : tensor<2x2xf32>
}

// -----

/// Integers, zeros, numbers without a finite reciprocal, quotients of constants and computed divisors stay.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-5: npu.div
func.func @kept(%x: tensor<2xf32>, %n: tensor<2xi32>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi32>) {
  %zero = npu.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %small = npu.constant dense<1.0e-40> : tensor<f32>
  %three = npu.constant dense<3> : tensor<i32>
  %a = npu.div %x, %zero : tensor<2xf32>
  %b = npu.div %x, %small : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %c = npu.div %zero, %x : tensor<2xf32>
  %d = npu.div %x, %x : tensor<2xf32>
  %e = npu.div %n, %three : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  func.return %a, %b, %c, %d, %e : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi32>
}

// -----

/// Each number of a divisor that is repeated is inverted once, with or without a broadcast; a dynamic one may not repeat.
// CHECK-LABEL: func.func @repeated
// CHECK-NEXT:    %y = npu.reciprocal %n : tensor<2x1xf32>
// CHECK-NEXT:    %y_1 = npu.mul %x, %y : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %z = npu.reciprocal %s : tensor<f32>
// CHECK-NEXT:    %z_1 = npu.mul %y_1, %z : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %d = npu.div %u, %v : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
// CHECK-NEXT:    func.return %z_1, %d : tensor<2x3xf32>, tensor<2x?xf32>
func.func @repeated(%x: tensor<2x3xf32>, %n: tensor<2x1xf32>, %s: tensor<f32>, %u: tensor<2x?xf32>, %v: tensor<2x1xf32>)
    -> (tensor<2x3xf32>, tensor<2x?xf32>) {
  %r = npu.broadcast %n axes = [0, 1] : (tensor<2x1xf32>) -> tensor<2x3xf32>
  %y = npu.div %x, %r : tensor<2x3xf32>
  %z = npu.div %y, %s : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %d = npu.div %u, %v : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
  func.return %z, %d : tensor<2x3xf32>, tensor<2x?xf32>
}
