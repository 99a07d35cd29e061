// REQUIRES: mlir-bindings
// RUN: npu-opt %s -f tosa --split-input-file | filecheck %s

/// The axis stays with one element; that of argmax is gone. Truth values are reduced as numbers.
func.func @main(%x: tensor<2x3x4xf32>, %t: tensor<2x3xi1>) -> (tensor<1x1x1xf32>, tensor<2x4xi32>, tensor<1x1xi1>) {
  %0 = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %1 = tosa.reduce_max %0 {axis = 2 : i32} : (tensor<2x1x4xf32>) -> tensor<2x1x1xf32>
  %2 = tosa.reduce_min %1 {axis = 0 : i32} : (tensor<2x1x1xf32>) -> tensor<1x1x1xf32>
  %3 = tosa.reduce_product %2 {axis = 0 : i32} : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %4 = tosa.argmax %x {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x4xi32>
  %5 = tosa.reduce_all %t {axis = 1 : i32} : (tensor<2x3xi1>) -> tensor<2x1xi1>
  %6 = tosa.reduce_any %5 {axis = 0 : i32} : (tensor<2x1xi1>) -> tensor<1x1xi1>
  return %3, %4, %6 : tensor<1x1x1xf32>, tensor<2x4xi32>, tensor<1x1xi1>
}

// CHECK:       func.func @main(%x: tensor<2x3x4xf32>, %t: tensor<2x3xi1>) -> (tensor<1x1x1xf32>, tensor<2x4xi32>, tensor<1x1xi1>) {
// CHECK-NEXT:    %0 = npu.reduce_sum %x axes = [1] keep : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
// CHECK-NEXT:    %1 = npu.reduce_max %0 axes = [2] keep : (tensor<2x1x4xf32>) -> tensor<2x1x1xf32>
// CHECK-NEXT:    %2 = npu.reduce_min %1 axes = [0] keep : (tensor<2x1x1xf32>) -> tensor<1x1x1xf32>
// CHECK-NEXT:    %3 = npu.reduce_prod %2 axes = [0] keep : tensor<1x1x1xf32>
// CHECK-NEXT:    %4 = npu.arg_max %x axis = 1 : (tensor<2x3x4xf32>) -> tensor<2x4xi32>
// CHECK-NEXT:    %5 = npu.cast %t : (tensor<2x3xi1>) -> tensor<2x3xi32>
// CHECK-NEXT:    %6 = npu.reduce_min %5 axes = [1] keep : (tensor<2x3xi32>) -> tensor<2x1xi32>
// CHECK-NEXT:    %7 = npu.cast %6 : (tensor<2x1xi32>) -> tensor<2x1xi1>
// CHECK-NEXT:    %8 = npu.cast %7 : (tensor<2x1xi1>) -> tensor<2x1xi32>
// CHECK-NEXT:    %9 = npu.reduce_max %8 axes = [0] keep : (tensor<2x1xi32>) -> tensor<1x1xi32>
// CHECK-NEXT:    %10 = npu.cast %9 : (tensor<1x1xi32>) -> tensor<1x1xi1>
// CHECK-NEXT:    func.return %3, %4, %10 : tensor<1x1x1xf32>, tensor<2x4xi32>, tensor<1x1xi1>
