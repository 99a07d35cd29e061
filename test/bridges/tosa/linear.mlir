// REQUIRES: mlir-bindings
// RUN: npu-opt %s -f tosa --split-input-file | filecheck %s

/// Batches of matrices.
func.func @main(%a: tensor<2x4x8xf32>, %b: tensor<2x8x3xf32>) -> tensor<2x4x3xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<2x4x8xf32>, tensor<2x8x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// CHECK:       func.func @main(%a: tensor<2x4x8xf32>, %b: tensor<2x8x3xf32>) -> tensor<2x4x3xf32> {
// CHECK-NEXT:    %0 = npu.matmul %a, %b : (tensor<2x4x8xf32>, tensor<2x8x3xf32>) -> tensor<2x4x3xf32>
// CHECK-NEXT:    func.return %0 : tensor<2x4x3xf32>

// -----

/// Integers are summed up in i32 without their zero points.
func.func @main(%a: tensor<2x4x8xi8>, %b: tensor<2x8x3xi8>) -> tensor<2x4x3xi32> {
  %za = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zb = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.matmul %a, %b, %za, %zb : (tensor<2x4x8xi8>, tensor<2x8x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x4x3xi32>
  return %0 : tensor<2x4x3xi32>
}

// CHECK:       func.func @main(%a: tensor<2x4x8xi8>, %b: tensor<2x8x3xi8>) -> tensor<2x4x3xi32> {
// CHECK-NEXT:    %0 = npu.constant dense<7> : tensor<i8>
// CHECK-NEXT:    %1 = npu.constant dense<-7> : tensor<i8>
// CHECK-NEXT:    %2 = npu.matmul_integer %a, %b, %0, %1
// CHECK-SAME:      : (tensor<2x4x8xi8>, tensor<2x8x3xi8>, tensor<i8>, tensor<i8>) -> tensor<2x4x3xi32>
// CHECK-NEXT:    func.return %2 : tensor<2x4x3xi32>
